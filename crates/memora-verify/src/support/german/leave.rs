//! Which phrases of a German clause may be left out.

use super::around::is_day;
use super::clause::Clause;
use super::phrase::{Phrase, Said};
use super::tokens::{Kind, Token};
use super::verbs::Tense;
use super::words::{PRONOUNS, is_in};

/// Whether a phrase of theirs may be left out: of what happened once, when and where it did; of what is so, since when.
pub(super) fn may_go(theirs: &Clause, at: usize, own: &Clause, last_kept: Option<usize>) -> bool {
    const ONCE: &str = "in an auf bei mit nach um vor wegen trotz während";
    const LASTING: &str = "arbeit wohn leb leit studier unterricht spiel lern betreu führ";
    let Some(phrase) = theirs.phrases.get(at) else { return false };
    // `Herr Kranz von der Gemeinde`: nobody else is called so.
    if is_in("von aus", &phrase.lead)
        && phrase.follows
        && at.checked_sub(1).is_some_and(|at| is_titled(&theirs.phrases[at]))
    {
        return true;
    }
    if theirs.is_bounded() {
        return false;
    }
    let says_more = own.phrases.len() > 1 || own.said.iter().any(|s| s.has(Tense::PassivePast));
    if phrase.lead == "seit" {
        return true;
    }
    // `Die Miete betrug im Mai 700 Euro` says how much only of May.
    if measures(theirs) {
        return false;
    }
    if phrase.is_time() && theirs.is_event() {
        return true;
    }
    // What is on one day is so once, as long as the day is said: `am 24.12. bleibt die Praxis geschlossen`.
    let day_is_kept = own.phrases.iter().any(|p| p.words().any(is_day));
    if (theirs.is_event() || day_is_kept) && !phrase.front && says_more {
        let agent = phrase.lead == "von" && !phrase.follows && theirs.said.iter().any(|s| s.has(Tense::PassivePast));
        // `Kunden mit Karte` are not all.
        let describes = phrase.lead == "mit" && follows_noun(theirs, at);
        return (is_in(ONCE, &phrase.lead) && !describes) || (phrase.is_time() && phrase.lead.is_empty()) || agent;
    }
    let lasts = |s: &Said| s.readings.iter().any(|r| r.tense == Tense::Present && is_in(LASTING, &r.stem));
    let is_last = last_kept.is_none_or(|kept| kept < at);
    is_last
        && !phrase.front
        && says_more
        && is_in("in bei an", &phrase.lead)
        && !phrase.is_time()
        && theirs.said.iter().any(lasts)
}

/// Whether a phrase is a name with a title.
fn is_titled(phrase: &Phrase) -> bool {
    const TITLES: &str = "herr herrn frau dr prof pfarrer pfarrerin tante onkel";
    !phrase.led
        && phrase.lead.is_empty()
        && phrase.items.len() == 1
        && phrase.words().count() > 1
        && phrase.words().next().is_some_and(|w| is_in(TITLES, &w.lower))
}

/// Whether a clause says how much or how long something is.
fn measures(clause: &Clause) -> bool {
    const STATES: &str = "sein haben lieg betrag betrug kost gelt dauer wieg hab reich steh beträg";
    let is_state = |s: &Said| s.readings.iter().any(|r| is_in(STATES, &r.stem));
    let is_number =
        |t: &Token| matches!(t.kind, Kind::Number(number) if number.unit != Some(super::super::numbers::CLOCK));
    clause.said.iter().any(is_state) && clause.phrases.iter().any(|p| !p.is_time() && p.words().any(is_number))
}

/// Whether a phrase stands right behind a noun, and may belong to it.
fn follows_noun(clause: &Clause, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| clause.phrases.get(at));
    let is_pronoun = |p: &Phrase| p.words().all(|w| PRONOUNS.contains(&w.lower));
    clause.phrases.get(at).is_some_and(|p| p.follows) && before.is_some_and(|p| !p.is_time() && !is_pronoun(p))
}
