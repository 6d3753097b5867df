//! Who is meant by "I": the owner of the notes, or another speaker whose words they quote.
//!
//! Invariant: **"I" is the owner only where the owner speaks.** Between quotation marks, in the text of a link, in the
//! title of a work, and behind the name of a speaker (`**Ben:** I moved`), it is another person; a claim about that
//! "I" is reported, and keeps its words. Block quotes are known by their zone, and conversations by their turns
//! (`speaker.rs` of memora-claim).

use std::ops::Range;

use memora_claim::{Claim, Modality, NameKey, Statement, find_speaker_label};
use memora_nlp::DependencyParser;
use memora_vault::{Note, Segment, SegmentKind};

use crate::sentence::{is_marked_name, link_ranges};

/// The maximum distance of a paragraph without a name from the one that names its speaker.
const TURN_MAX: usize = 12;

/// Marks claims about another person's "I" as reported.
pub(crate) fn mark_quoted_speech(note: &Note, statement: &Statement, claims: &mut [Claim]) {
    if !claims.iter().any(is_about_speaker) {
        return;
    }
    let Some(segment) = note.segments().get(statement.part).filter(|_| !statement.plain.is_empty()) else { return };
    let speaker = find_speaker(note, statement.part);
    let text = segment.plain.text();
    let of_others = find_foreign_ranges(note, segment);
    let within = |ranges: &[Range<usize>], at: usize| ranges.iter().any(|range| range.contains(&at));
    let spoken: Vec<usize> = find_first_persons(text).into_iter().filter(|at| statement.plain.contains(at)).collect();
    let none_own = !spoken.is_empty() && spoken.iter().all(|at| within(&of_others, *at));
    // Quotations with "I": "I told her: “I am ill.”" has both, and each claim is judged by the position of its object.
    let mut saying = find_quotations(text);
    saying.retain(|range| spoken.iter().any(|at| range.contains(at)));
    for claim in claims.iter_mut().filter(|claim| is_about_speaker(claim)) {
        let quoted = || {
            let part = text.get(statement.plain.clone()).unwrap_or_default();
            let at = part.find(&claim.object).map(|at| at + statement.plain.start);
            at.is_some_and(|at| !claim.object.is_empty() && within(&saying, at))
        };
        if let Some(speaker) = &speaker {
            claim.modality = Modality::Reported;
            // Where the name stands in front of these very words, they say who it is.
            claim.attribution = statement.words.starts_with(speaker).then(|| speaker.clone());
        } else if none_own || quoted() {
            claim.modality = Modality::Reported;
        }
    }
}

/// Whether a claim is about the speaker, or something of the speaker's.
fn is_about_speaker(claim: &Claim) -> bool {
    let subject = claim.subject.as_deref().unwrap_or_default();
    let is_owner = |key: Option<NameKey>| key == Some(NameKey::owner());
    let mine = subject.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("my "));
    mine || is_owner(NameKey::from_subject(subject)) || is_owner(NameKey::from_object(&claim.object))
}

/// Returns the byte offsets of "I", "me", "my" in a text.
fn find_first_persons(text: &str) -> Vec<usize> {
    const WORDS: &[&str] =
        &["I", "Me", "me", "My", "my", "mine", "myself", "Ich", "ich", "mir", "mich", "mein", "meine"];
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.extend(text.get(from..at).filter(|word| WORDS.contains(word)).map(|_| from));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Returns the ranges of a segment by another author: quotations, texts of links, titles of works.
fn find_foreign_ranges(note: &Note, segment: &Segment) -> Vec<Range<usize>> {
    let text = segment.plain.text();
    let mut found = find_quotations(text);
    found.extend(link_ranges(note, segment, &(0..text.len())));
    let all = 0..text.len();
    found.extend(segment.plain.marked_ranges_within(&all).filter(|range| is_marked_name(text, range)));
    found.extend(find_titles(text));
    found
}

/// Returns the ranges between double quotation marks. A mark that opens a text and is never closed spans all of it.
fn find_quotations(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    let mut before = None;
    for (at, c) in text.char_indices() {
        match (c, open) {
            ('"' | '”' | '“' | '»' | '«' | '」' | '』', Some((start, mark))) if is_matching_quote(mark, c) => {
                found.push(start..at);
                open = None;
            }
            ('“' | '„' | '«' | '»' | '「' | '『', None) => open = Some((at, c)),
            // An inch or a stray mark behind a word opens nothing.
            ('"', None) if !before.is_some_and(char::is_alphanumeric) => open = Some((at, c)),
            _ => {}
        }
        before = Some(c);
    }
    if let Some((0, '“' | '„' | '«' | '»')) = open {
        found.push(0..text.len());
    }
    found
}

fn is_matching_quote(open: char, close: char) -> bool {
    match open {
        '“' => matches!(close, '”' | '"'),
        '„' => matches!(close, '“' | '”' | '"'),
        '«' => close == '»',
        '»' => close == '«',
        '「' => close == '」',
        '『' => close == '』',
        _ => close == '"',
    }
}

/// Returns unmarked titles: "I, Robot", and a whole line in title case, "I Am Legend (2007)".
fn find_titles(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("I, ") {
        let next = text.get(at + "I, ".len()..).unwrap_or_default();
        let name: &str = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if name.starts_with(char::is_uppercase)
            && name != "I"
            && !next.get(name.len()..).is_some_and(|r| r.starts_with(','))
        {
            found.push(at..at + 1);
        }
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_large = |word: &&&str| word.starts_with(|c: char| c.is_uppercase() || !c.is_alphanumeric());
    let small = |word: &&&str| word.chars().count() < 4 || word.starts_with(|c: char| !c.is_alphabetic());
    let large = words.iter().filter(is_large).count();
    let is_title = words.iter().all(|word| is_large(&word) || small(&word)) && large >= 3 && large * 2 > words.len();
    if is_title && !text.trim_end().ends_with(['.', '!', '?']) {
        found.push(0..text.len());
    }
    found
}

/// Returns the speaker of a segment, by the name at its head, or at that of an earlier paragraph in an interview.
fn find_speaker(note: &Note, part: usize) -> Option<String> {
    if let Some(label) = label_at(note, part) {
        return is_other_person(note, part, label).then(|| label.to_owned());
    }
    let segment = note.segments().get(part).filter(|segment| segment.kind == SegmentKind::Paragraph)?;
    // An interview has two speakers: after one name alone the owner may continue.
    let near = |other: &usize| note.segments().get(*other).is_some_and(|s| s.heading == segment.heading);
    let before = (part.saturating_sub(TURN_MAX)..part).rev().take_while(near);
    let mut named = before.filter_map(|other| label_at(note, other).map(|label| (other, label)));
    let (last, label) = named.find(|(other, label)| is_other_person(note, *other, label))?;
    let around = (last.saturating_sub(TURN_MAX)..part.saturating_add(TURN_MAX)).filter(near);
    let mut others = around.filter_map(|other| label_at(note, other).filter(|o| *o != label).map(|o| (other, o)));
    others.any(|(other, label)| is_other_person(note, other, label) || is_owner_label(label)).then(|| label.to_owned())
}

fn label_at(note: &Note, part: usize) -> Option<&str> {
    find_speaker_label(note, note.segments().get(part)?)
}

fn is_owner_label(label: &str) -> bool {
    NameKey::from_subject(label) == Some(NameKey::owner())
}

/// Whether a label names a person other than "me": it has a word that is not in the dictionary, or both it and another
/// label recur in the note.
fn is_other_person(note: &Note, part: usize, label: &str) -> bool {
    if is_owner_label(label) {
        return false;
    }
    let is_name = |word: &str| !DependencyParser::embedded().is_word(&word.to_lowercase());
    label.split(' ').any(is_name) || {
        let range = part.saturating_sub(TURN_MAX)..part.saturating_add(TURN_MAX);
        let near: Vec<&str> = range.filter_map(|other| label_at(note, other)).collect();
        let comes_back = |label: &str| near.iter().filter(|other| **other == label).count() > 1;
        comes_back(label) && near.iter().any(|other| *other != label && comes_back(other))
    }
}

#[cfg(test)]
mod tests {
    use memora_claim::{Modality, NameKey};
    use memora_vault::{NotePath, PathContext};

    use crate::ClaimExtractor;

    /// Returns the objects of claims about "I", and those among them by another speaker.
    #[track_caller]
    fn check(text: &str, own: &[&str], others: &[&str]) {
        let path = NotePath::new("Note.md").expect("a good path");
        let (note, _) = memora_vault::Note::parse(path, text.to_owned(), PathContext::default());
        let statements = memora_claim::split_statements(&note);
        let claims = statements.iter().flat_map(|statement| ClaimExtractor::default().extract_facts(&note, statement));
        let of_speaker =
            claims.filter(|claim| claim.subject.as_deref().and_then(NameKey::from_subject) == Some(NameKey::owner()));
        let (reported, said): (Vec<_>, Vec<_>) = of_speaker.partition(|claim| claim.modality == Modality::Reported);
        let objects = |claims: &[memora_claim::Claim]| {
            let mut objects: Vec<String> = claims.iter().map(|claim| claim.object.clone()).collect();
            objects.sort();
            objects
        };
        assert_eq!(objects(&said), own, "the owner's in {text:?}");
        assert_eq!(objects(&reported), others, "others' in {text:?}");
    }

    #[test]
    fn between_quotation_marks_somebody_else_speaks() {
        check("I moved to Lisbon.\n", &["Lisbon"], &[]);
        check("“I moved to Lisbon.”\n", &[], &["Lisbon"]);
        check("\"I moved to Lisbon. I love it.\"\n", &[], &["Lisbon", "it"]);
        check("„I moved to Lisbon.“\n", &[], &["Lisbon"]);
        check("I bought a \"smart\" lamp.\n", &["a \"smart\" lamp"], &[]);
        check("I listened to \"The Long Way\" last week.\n", &["\"The Long Way\""], &[]);
        check("The shelf is 12\" deep. I moved to Lisbon.\n", &["Lisbon"], &[]);
    }

    #[test]
    fn behind_a_name_somebody_else_speaks() {
        check("**Zofia:** I moved to Lisbon.\n", &[], &["Lisbon"]);
        check("**Ben Kowalski:** Well. I moved to Lisbon.\n", &[], &["Lisbon"]);
        check("**Action Items:** Fine. I moved to Lisbon.\n", &["Lisbon"], &[]);
        check("**Update:** Fine. I moved to Lisbon.\n", &["Lisbon"], &[]);
        check("**Me:** Well. I moved to Lisbon.\n\n**Zofia:** Ah.\n", &["Lisbon"], &[]);
        check("**Zofia:** Hm.\n\nI moved to Lisbon.\n\n**Anouk:** Ah.\n", &[], &["Lisbon"]);
        check("**Zofia:** Hm.\n\n## Later\n\nI moved to Lisbon.\n\n**Anouk:** Ah.\n", &["Lisbon"], &[]);
    }

    #[test]
    fn links_and_titles_are_nobodys_words() {
        check("[I built a boat](https://a.example)\n", &[], &[]);
        check("I read [the book of all books](https://a.example).\n", &["the book of all books"], &[]);
        check("I moved to Lisbon after [why I left](https://a.example).\n", &["Lisbon"], &[]);
    }
}
