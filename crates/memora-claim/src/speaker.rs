//! Detects speakers in a conversation: `Anna: I'll take the early train. See you there.`
//!
//! Notes of meetings, chats and interviews name the speaker before each turn, and "I" there is not the vault's owner.
//! Invariant: **a single label is not a speaker.** `Tip:` and `Breakfast:` look like names. A note is a conversation
//! if at least two labels recur in it; then the label before a turn names its speaker.

use std::collections::HashMap;
use std::ops::Range;

use memora_vault::{Note, Segment, SegmentKind};

use crate::lists::NON_SPEAKER_LABELS;

/// Minimum number of turns for a label to count as a speaker, and of speakers in a conversation.
const TURNS_MIN: usize = 2;
const VOICES_MIN: usize = 2;

/// Maximum number of words in a name.
const NAME_WORDS_MAX: usize = 3;

/// Returns the speaker of each segment, if the note is a conversation.
///
/// Text that is stricter than the note never yields a name.
#[must_use]
pub fn find_speakers(note: &Note) -> Vec<Option<String>> {
    let labels: Vec<Option<&str>> = note.segments().iter().map(|segment| find_speaker_label(note, segment)).collect();
    let mut turns: HashMap<&str, usize> = HashMap::new();
    for label in labels.iter().flatten() {
        *turns.entry(label).or_default() += 1;
    }
    turns.retain(|_, turns| *turns >= TURNS_MIN);
    let spoken = |label: &Option<&str>| label.is_some_and(|label| turns.contains_key(label));
    // A few labels among other text are remarks, not a conversation.
    let lines = note.segments().iter().filter(|s| matches!(s.kind, SegmentKind::Paragraph | SegmentKind::Item)).count();
    let most = labels.iter().filter(|label| spoken(label)).count() * 2 > lines;
    let conversation = turns.len() >= VOICES_MIN && most;
    labels.into_iter().map(|label| label.filter(|_| conversation && spoken(&label)).map(str::to_owned)).collect()
}

/// Returns the name before a segment, if it looks like one: `Anna:`, `[10:32] Anna Berg:`. Whether it is a speaker
/// depends on the rest of the note.
///
/// Text that is stricter than the note never yields a name.
#[must_use]
pub fn find_speaker_label<'n>(note: &Note, segment: &'n Segment) -> Option<&'n str> {
    if !matches!(segment.kind, SegmentKind::Paragraph | SegmentKind::Item) {
        return None;
    }
    let text = segment.plain.text();
    let range = find_label_range(text)?;
    let band = segment.plain.source_range(range.clone()).map(|bytes| note.band_of_range(bytes));
    (band == Some(note.band())).then(|| text.get(range)).flatten()
}

/// Finds the range of a speaker's name: `Anna:`, `[10:32] Anna Berg:`, `Anna (phone):`.
fn find_label_range(text: &str) -> Option<Range<usize>> {
    let start = skip_timestamp(text);
    let rest = text.get(start..)?;
    let colon = rest.find([':', '：'])?;
    let behind = rest.get(colon..)?.chars().next()?.len_utf8() + colon;
    let goes_on = rest.get(behind..)?.chars().next();
    let wide = rest.get(colon..behind) == Some("：");
    if !goes_on.is_some_and(|c| c.is_whitespace() || wide) {
        return None;
    }
    let name = rest.get(..colon)?;
    let name = match name.trim_end().strip_suffix(')') {
        Some(inside) => inside.rsplit_once('(')?.0,
        None => name,
    }
    .trim_end();
    is_speaker_name(name).then(|| start..start + name.len())
}

/// Returns the offset behind a leading timestamp, in brackets or not, and the white space after it.
fn skip_timestamp(text: &str) -> usize {
    let is_time = |c: char| c.is_ascii_digit() || matches!(c, '[' | ']' | '(' | ')' | ':' | '.' | '-' | ' ');
    let end = text.find(|c| !is_time(c)).unwrap_or(0);
    // The digits of a list number could belong to a timestamp, but never to a name.
    if text.get(..end).is_some_and(|time| time.chars().any(|c| c.is_ascii_digit())) { end } else { 0 }
}

fn is_speaker_name(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let named = |word: &&str| {
        word.chars().next().is_some_and(|c| c.is_alphabetic() && !c.is_lowercase())
            && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '\'' | '’' | '.'))
    };
    let label = words.len() == 1 && NON_SPEAKER_LABELS.contains(text.to_lowercase().as_str());
    words.len() <= NAME_WORDS_MAX && words.iter().all(named) && !label
}

#[cfg(test)]
mod tests {
    use memora_vault::{NotePath, PathContext};

    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[Option<&str>]) {
        let path = NotePath::new("Call.md").expect("a good path");
        let (note, _) = Note::parse(path, text.to_owned(), PathContext::default());
        let found = find_speakers(&note);
        assert_eq!(found.iter().map(Option::as_deref).collect::<Vec<_>>(), expect, "{text}");
    }

    #[test]
    fn turns_of_a_conversation_have_a_speaker() {
        check(
            "- Anna: Hi. I moved.\n- Ben: Where to?\n- Anna: Lisbon.\n- Ben: Nice.\n- (they laugh)\n",
            &[Some("Anna"), Some("Ben"), Some("Anna"), Some("Ben"), None],
        );
        check(
            "**Anna Berg** (phone): one\n\n[10:32] Ben: two\n\n**Anna Berg**: three\n\n10:40 Ben: four\n",
            &[Some("Anna Berg"), Some("Ben"), Some("Anna Berg"), Some("Ben")],
        );
        check(
            "小王：你好\n\n小李：你好\n\n小王：再见\n\n小李：再见\n",
            &[Some("小王"), Some("小李"), Some("小王"), Some("小李")],
        );
    }

    #[test]
    fn labels_are_no_speakers() {
        check("Tip: do it.\n\nTip: do that.\n\nNote: this.\n", &[None, None, None]);
        check("- Breakfast: eggs\n- Lunch: soup\n- Dinner: rice\n", &[None, None, None]);
        check("- Pros: a\n- Cons: b\n- Pros: c\n- Cons: d\n", &[None, None, None, None]);
        check("- see https://a.example\n- see https://b.example\n", &[None, None]);
    }

    #[test]
    fn what_is_guarded_names_nobody() {
        check(
            "Anna: a\n\nBen: b\n\nAnna: c\n\n<!--privacy:secret-->Ben<!--/privacy-->: d\n",
            &[None, None, None, None],
        );
    }
}
