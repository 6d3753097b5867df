//! The words that stand in front of what is to be remembered.

use crate::lists::{
    DISCOURSE_OPENINGS, OpeningForm, POINTING_WORDS, POLITE_QUESTIONS, REQUEST_LEADS, REQUEST_OPENINGS, REQUEST_TAILS,
    RequestOpening,
};
pub(super) use crate::statement::strip_phrase;

/// Whether a text may ask to remember anything: cheap, and never wrongly no.
pub(super) fn may_ask(text: &str) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    REQUEST_OPENINGS.iter().any(|opening| lower.contains(opening.phrase))
}

/// The openings that a text begins with, the longest first.
pub(super) fn openings_of(text: &str) -> impl Iterator<Item = &'static RequestOpening> {
    REQUEST_OPENINGS.iter().filter(|opening| strip_phrase(text, opening.phrase).is_some())
}

/// Whether a line asks to remember, and what is to be remembered stands below it.
pub(super) fn begins_list(line: &str) -> bool {
    let (body, _) = strip_leads(line);
    let takes = |opening: &&RequestOpening| matches!(opening.form, OpeningForm::Colon | OpeningForm::Clause);
    let mut rests = openings_of(body).filter(takes).filter_map(|opening| strip_phrase(body, opening.phrase));
    rests.any(|rest| rest.trim() == ":")
}

/// Whether a sentence asks to remember what was said before it: "Remember this.", "And keep it in mind, please!"
pub(super) fn points_back(sentence: &str) -> bool {
    let (body, _) = strip_leads(sentence);
    let body = body.trim_end_matches(['.', '!', ' ']);
    openings_of(body).any(|opening| {
        let rest = strip_phrase(body, opening.phrase).map(trim_marks).unwrap_or_default();
        let pointed = POINTING_WORDS.iter().find_map(|word| strip_phrase(rest, word));
        let points = pointed.is_some() || opening.phrase.split(' ').any(|word| POINTING_WORDS.contains(word));
        let tail = trim_marks(pointed.unwrap_or(rest));
        let asks = !matches!(opening.form, OpeningForm::Keep | OpeningForm::Marked | OpeningForm::Forget);
        asks && points && (tail.is_empty() || REQUEST_TAILS.contains(tail.to_lowercase().as_str()))
    })
}

/// Whether words ask to remember and say nothing else, with a word that makes it a request: "please remember".
pub(super) fn asks_politely(tail: &str) -> bool {
    let tail = tail.trim().trim_end_matches(['.', '!', ' ']);
    let (body, _) = strip_leads(tail);
    openings_of(body).filter(|opening| opening.form == OpeningForm::Clause).any(|opening| {
        let rest = strip_phrase(body, opening.phrase).map(trim_marks).unwrap_or_default();
        let is_led = body.len() < tail.len() && rest.is_empty();
        is_led || REQUEST_TAILS.contains(rest.to_lowercase().as_str())
    })
}

/// Takes away what may stand in front of a request ("oh, and please …"), and a name that it speaks to. Says whether it asks as
/// a question does.
pub(super) fn strip_leads(text: &str) -> (&str, bool) {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
    let opens = openings_of(text).next().is_some();
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '@');
    match text.split_once(", ") {
        Some((name, after)) if !opens && is_name(name) => strip_lead_words(after),
        _ => strip_lead_words(text),
    }
}

pub(super) fn strip_lead_words(text: &str) -> (&str, bool) {
    let (mut rest, mut is_polite) = (text, false);
    loop {
        let said = strip_discourse(rest);
        let lead = Some(said).filter(|said| said.len() < rest.len());
        let lead = lead.or_else(|| shortest_rest(rest, REQUEST_LEADS.iter().copied()));
        let asked = shortest_rest(rest, POLITE_QUESTIONS.iter().copied());
        match lead.or(asked) {
            // Not at its end: what a colon introduces may stand in the lines below.
            Some(after) => rest = after.trim_start_matches(is_mark),
            None => return (rest, is_polite),
        }
        is_polite |= lead.is_none();
    }
}

/// Takes away what a statement is introduced by and does not say: "I've changed my mind: …", "for the record, …".
pub(super) fn strip_discourse(text: &str) -> &str {
    let mut rest = text;
    while let Some(after) = shortest_rest(rest, DISCOURSE_OPENINGS.iter().copied()) {
        let after = after.trim_start();
        if !after.starts_with([',', ':', '–', '—', '-']) {
            break;
        }
        rest = trim_marks(after);
    }
    rest
}

/// What follows the longest of the phrases that a text begins with.
fn shortest_rest(text: &str, phrases: impl Iterator<Item = &'static str>) -> Option<&str> {
    phrases.filter_map(|phrase| strip_phrase(text, phrase)).min_by_key(|rest| rest.len())
}

pub(super) fn trim_marks(text: &str) -> &str {
    text.trim_matches(is_mark)
}

fn is_mark(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ':' | '–' | '—' | '-')
}
