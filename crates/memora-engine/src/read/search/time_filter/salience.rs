//! Salience of a statement when a question asks only for a time.
//!
//! Invariant: **actions rank above links.** Whole sentences of the owner's about actions or thoughts come first, then
//! other prose, then tasks, tables and bare names; properties last.

use memora_claim::time::{DateContext, find_period};
use memora_claim::{Modality, StatementKind};
use memora_store::{StoredSource, StoredStatement};
use memora_vault::Zone;

use crate::read::lists::{FIRST_PERSON_WORDS, HYPOTHETICAL_WORDS, NOT_PAST, PAST_FORMS};

/// The maximum salience.
pub(super) const SALIENCE_MAX: f32 = 8.0;

/// Below this a statement is a property, or a single word.
pub(super) const SINGLE_WORD_SALIENCE: f32 = 0.5;

/// Below this a statement is a name, a link or a property, and is not informative by itself.
pub(super) const TELLING_SALIENCE_MIN: f32 = 1.0;

/// Returns the salience of a statement, by its words and form.
pub(super) fn statement_salience(statement: &StoredStatement, source: &StoredSource) -> f32 {
    let wording = &statement.wording;
    let reported = |modality| matches!(modality, Modality::Reported | Modality::Conditional);
    let mut worth = words_salience(&wording.words);
    worth += match wording.kind {
        StatementKind::Property | StatementKind::Code => return 0.0,
        StatementKind::Field | StatementKind::Row => -1.5,
        StatementKind::Task => -1.0,
        StatementKind::Item => 0.0,
        StatementKind::Sentence => 0.5,
    };
    if source.row.zone == Zone::Quote || wording.claims.iter().all(|claim| reported(claim.modality)) {
        worth -= 2.0;
    }
    if wording.claims.iter().all(|claim| claim.modality == Modality::Planned) {
        worth -= 1.0;
    }
    // Diary notes are named by their days; the date property of another note is often that of its creation.
    if is_dated_by_property(source) {
        worth -= 1.0;
    }
    worth.clamp(SINGLE_WORD_SALIENCE.min(words_salience(&wording.words)), SALIENCE_MAX)
}

/// Returns whether a place has its time only from its note's date property.
fn is_dated_by_property(source: &StoredSource) -> bool {
    let (path, outline, headings) = (source.row.note.as_str(), &*source.note.outline, &*source.row.headings);
    source.note.date.is_some()
        && find_period(&DateContext { path, outline, headings, date: None, weekly: false }).is_none()
}

/// Returns whether a statement is a property that dates its note, such as `updated`.
pub(super) fn is_dating_property(statement: &StoredStatement) -> bool {
    const DATING: &[&str] = &["created", "date", "day", "last", "lastmod", "mod", "modified", "published", "updated"];
    let first = lowercase_tokens(&statement.wording.words).into_iter().next().unwrap_or_default();
    statement.wording.kind == StatementKind::Property && DATING.contains(&first.as_str())
}

/// Returns the salience of a statement's words alone.
fn words_salience(words: &str) -> f32 {
    let tokens = lowercase_tokens(words);
    let dense = words.chars().filter(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}')).count();
    let count = tokens.len().max(dense / 2);
    if count <= 4 {
        return if count < 2 { 0.1 } else { 0.6 };
    }
    let first_person = has_first_person(words);
    let past = tokens.iter().any(|word| is_past_tense(word));
    // "Finished the draft": diaries leave out "I".
    let begins_past = tokens.first().is_some_and(|word| is_past_tense(word) || word == "today" || word == "heute");
    let mut worth = 2.0;
    worth += match (first_person, past, begins_past) {
        (true, true, _) => 3.0,
        (_, _, true) => 2.5,
        (true, false, _) => 2.0,
        (false, true, _) => 1.0,
        (false, false, _) => 0.0,
    };
    // "I went", rather than a sentence that has a past verb and an "I" elsewhere.
    let mut start = tokens.iter().take(4).skip_while(|word| !matches!(word.as_str(), "i" | "we" | "ich" | "wir"));
    if start.next().is_some() && start.next().is_some_and(|word| is_past_tense(word)) {
        worth += 0.8;
    }
    if tokens.iter().any(|word| is_hypothetical_word(word)) {
        worth -= 1.0;
    }
    let ends = words.trim_end().ends_with(['.', '!', '…', ')', '。', '！']);
    worth += if ends { 0.4 } else { 0.0 };
    worth += match count {
        5..=7 => 0.2,
        8..=40 => 0.6,
        41..=70 => 0.0,
        _ => -1.0,
    };
    if words.trim_end().ends_with(':') {
        worth -= 1.5;
    }
    if words.contains("://") || words.contains("www.") {
        worth -= 1.5;
    }
    let letters = words.chars().filter(|c| c.is_alphabetic()).count();
    let signs = words.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace()).count();
    if signs * 4 > letters {
        worth -= 1.5;
    }
    worth
}

fn lowercase_tokens(words: &str) -> Vec<String> {
    let tokens =
        words.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’')).filter(|word| !word.is_empty());
    tokens.map(|word| word.to_lowercase().replace('’', "'")).collect()
}

/// Returns whether words have a first-person pronoun, which means the owner.
pub(super) fn has_first_person(words: &str) -> bool {
    words.contains('我') || lowercase_tokens(words).iter().any(|word| is_first_person(word))
}

fn is_first_person(word: &str) -> bool {
    FIRST_PERSON_WORDS.contains(word)
}

/// Returns whether a word marks a hypothetical or future event.
fn is_hypothetical_word(word: &str) -> bool {
    HYPOTHETICAL_WORDS.contains(word)
}

fn is_past_tense(word: &str) -> bool {
    PAST_FORMS.contains(word) || word.len() > 3 && word.ends_with("ed") && !NOT_PAST.contains(word)
}

/// Returns whether a place consists mostly of links and embeds.
pub(crate) fn is_mostly_links(raw: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let mut outside = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, link)) = rest.split_once('[') {
        outside.push_str(before);
        let inner = link.strip_prefix('[');
        let end = inner.map_or_else(|| link.split_once(']'), |inner| inner.split_once("]]"));
        let Some((_, after)) = end else {
            rest = link;
            break;
        };
        // The link's address.
        rest = match after.strip_prefix('(').and_then(|address| address.split_once(')')) {
            Some((_, after)) if inner.is_none() => after,
            _ => after,
        };
    }
    outside.push_str(rest);
    let said: Vec<&str> = outside.split_whitespace().filter(|word| !word.contains("://")).collect();
    let said = letters(&said.join(" "));
    said * 3 < letters(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(in_order: &[&str]) {
        for pair in in_order.windows(2) {
            if let [more, less] = pair {
                assert!(
                    words_salience(more) > words_salience(less),
                    "{more} ({}) <- {less} ({})",
                    words_salience(more),
                    words_salience(less)
                );
            }
        }
    }

    #[test]
    fn what_was_done_comes_before_what_was_linked() {
        check(&[
            "I went to the lake with Anna and swam for an hour.",
            "Finished the draft of the talk on gardens",
            "I want to take plant cuttings this spring.",
            "The library is closed on the first Monday of a month.",
            "https://example.org/a/b a page about the library and its hours",
            "links of the day:",
            "garden",
        ]);
        check(&[
            "Ich habe heute den ganzen Tag am Vortrag geschrieben.",
            "Der Vortrag handelt von alten Gärten am See.",
            "Vortrag",
        ]);
        check(&["我今天去了图书馆，读了一整天的书。", "图书馆"]);
    }

    #[test]
    fn links_are_known_by_their_marks() {
        for raw in [
            "[[work]]",
            "[[garden]] [[bees|the bees]] and",
            "[a page](https://example.org/long)",
            "![[picture.png]]",
            "https://example.org/x",
        ] {
            assert!(is_mostly_links(raw), "{raw}");
        }
        for raw in [
            "I wrote to [[Anna]] about the house",
            "went home",
            "see [here](https://a.org) for what we found there",
            "",
            "[ ] call Anna",
            "a [b",
        ] {
            assert!(!is_mostly_links(raw), "{raw}");
        }
    }
}
