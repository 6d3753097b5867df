//! What surrounds the notes' words: title, headings and date may say what a German sentence adds.

use super::clause::Clause;
use super::phrase::{Phrase, Said};
use super::same::is_same_word;
use super::tokens::{Kind, Token};
use super::words::{HEDGES, NEGATIONS, is_in};

/// That it was not on the day that a note is of.
const OTHER_DAYS: &str = "gestern vorgestern heute morgen übermorgen neulich kürzlich früher damals einst später bald demnächst schon \
    bereits seitdem immer oft inzwischen";

/// Title, headings and what stands before: for the subject, where the notes' clause has none.
pub(super) struct Around<'t> {
    pub(super) context: &'t [Vec<Token>],
    pub(super) named_before: bool,
}

/// Whether title and headings say what a phrase adds: where the notes are about it, or the day that they are of.
pub(super) fn is_surrounding(phrase: &Phrase, theirs: &Clause, around: &Around<'_>) -> bool {
    let bare = |p: &Phrase| p.words().filter(|w| w.kind != Kind::Word).cloned().collect::<Vec<_>>();
    let says_when = |s: &Said| is_in(OTHER_DAYS, &s.token.lower);
    if phrase.words().any(is_day) {
        let is_open = !theirs.phrases.iter().any(|p| p.is_time() || p.lead == "seit" || p.lead == "bis");
        let of_day = |text: &Vec<Token>| text.iter().any(|t| is_day(t) && phrase.words().all(|w| is_same_word(w, t)));
        return phrase.lead == "an"
            && theirs.is_event()
            && is_open
            && !theirs.said.iter().any(says_when)
            && around.context.iter().any(of_day);
    }
    let words = bare(phrase);
    let named = |text: &Vec<Token>| words.iter().all(|w| text.iter().any(|t| is_same_word(w, t)));
    // Who works somewhere works there whatever the note is about.
    let stays = |s: &Said| s.readings.iter().any(|r| is_in("arbeit wohn leb", &r.stem));
    let is_place = |p: &Phrase| !p.is_time() && is_in("in an auf bei nach zu aus", &p.lead);
    let elsewhere =
        theirs.phrases.iter().any(|p| is_place(p) || p.lead == phrase.lead) || theirs.said.iter().any(stays);
    (is_place(phrase) && !is_in("nach zu aus", &phrase.lead) || phrase.lead == "für" && phrase.follows)
        && !phrase.words().any(|w| w.is_fact() || NEGATIONS.contains(&w.lower) || HEDGES.contains(&w.lower))
        && !words.is_empty()
        && words.len() == phrase.words().count()
        && !elsewhere
        && around.context.iter().any(named)
}

/// Whether a date names one day.
pub(super) fn is_day(token: &Token) -> bool {
    matches!(token.kind, Kind::Date(date) if date.day.is_some())
}
