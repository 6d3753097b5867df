//! What the notes say where a sentence says something else: the 14 for its 40.

use memora_english::Kinship;

use super::content::{alike, led};
use super::ground::Ground;
use super::likeness::Known;
use super::modality::written;
use super::tokens::{Kind, Token};
use super::{Reason, ReasonKind};

/// From which likeness on a word of theirs stands for one that they lack.
const LIKENESS_MIN: f32 = 0.3;

/// How many of theirs are named.
const NAMED_MAX: usize = 3;

/// Says of each reason what the notes have in its place, where something of the same kind stands there.
pub(super) fn fill(reasons: &mut [Reason], words: &[Token], grounds: &[&Ground]) {
    let mut told: Vec<String> = Vec::new();
    for reason in reasons.iter_mut().filter(|reason| !reason.words.is_empty() && reason.instead.is_empty()) {
        let at = |raw: &str| words.iter().position(|token| token.raw == raw);
        reason.instead = match reason.kind {
            ReasonKind::Number | ReasonKind::Date | ReasonKind::Name => at(&reason.words)
                .or_else(|| dated(words, &reason.words))
                .map(|at| in_its_place(words, at, grounds))
                .unwrap_or_default(),
            ReasonKind::Content | ReasonKind::Opposite => {
                // Of a phrase, for its last word.
                let last = reason.words.split(' ').next_back().unwrap_or_default();
                let own = at(last).and_then(|at| words.get(at));
                own.and_then(|own| nearest(&Known::new(own), grounds)).unwrap_or_default()
            }
            // The same part is told once.
            ReasonKind::Roles => {
                part(&reason.words, words, grounds).filter(|part| !told.contains(part)).unwrap_or_default()
            }
            _ => String::new(),
        };
        told.push(reason.instead.clone());
    }
}

/// The part of the notes that has a word, with the most of the others: `Tom leads search` of `Mia leads drift and Tom leads
/// search`; none if it is long.
fn part(raw: &str, words: &[Token], grounds: &[&Ground]) -> Option<String> {
    const LONGEST: usize = 10;
    let own = words.iter().find(|token| token.raw == raw)?;
    let ends = |t: &Token| {
        matches!(t.kind, Kind::Mark(',' | ';' | ':' | '.' | '(' | ')' | '|'))
            || ["and", "but", "while", "because"].contains(&t.lower.as_str())
    };
    let parts = grounds.iter().flat_map(|ground| &ground.sentences).flat_map(|sentence| sentence.split(ends));
    let having = parts.filter(|part| part.iter().any(|t| t.stem == own.stem));
    let shared = |part: &&[Token]| part.iter().filter(|t| t.says() && words.iter().any(|w| w.stem == t.stem)).count();
    // Of two that have as many, the first.
    having.rev().max_by_key(shared).filter(|part| part.len() <= LONGEST).map(written)
}

/// Where the date that ends a phrase stands: `since May 2024`.
fn dated(words: &[Token], phrase: &str) -> Option<usize> {
    words.iter().position(|token| matches!(token.kind, Kind::Date(_)) && phrase.ends_with(&token.raw))
}

/// What of the same kind, and not in the sentence, stands in the notes between the same words as this one: the number in
/// front of the same thing, the name in front of the same verb, the date behind the same "from". A number or a date that is
/// the only one of its kind stands in its place, too; a name may belong to anybody.
fn in_its_place(words: &[Token], at: usize, grounds: &[&Ground]) -> String {
    let Some(own) = words.get(at) else { return String::new() };
    let said = |theirs: &Token| words.iter().any(|word| word.lower == theirs.lower || alike(theirs, word));
    let (mut there, mut alone): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let dated = grounds.iter().flat_map(|ground| ground.dated.iter().map(|dated| &dated.tokens));
    for sentence in grounds.iter().flat_map(|ground| &ground.sentences).chain(dated) {
        for (place, theirs) in
            sentence.iter().enumerate().filter(|(_, theirs)| is_of_kind(theirs, own) && !said(theirs))
        {
            let is_date = matches!(own.kind, Kind::Date(_));
            let written = if is_date { led(sentence, place) } else { theirs.raw.clone() };
            if beside(words, at) == beside(sentence, place) || neighbours(words, at, sentence, place) {
                there.push(written.clone());
            }
            alone.push(written);
        }
    }
    alone.dedup();
    there.dedup();
    if there.is_empty() && own.kind != Kind::Name && alone.len() == 1 {
        there = alone;
    }
    there.truncate(NAMED_MAX);
    there.join(", ")
}

/// Whether two are both names, both dates, or both numbers with the same unit.
fn is_of_kind(theirs: &Token, own: &Token) -> bool {
    match (theirs.kind, own.kind) {
        (Kind::Name, Kind::Name) | (Kind::Date(_), Kind::Date(_)) => true,
        (Kind::Number(theirs), Kind::Number(own)) => theirs.unit == own.unit,
        _ => false,
    }
}

/// The words on both sides, whatever they say.
fn beside(words: &[Token], at: usize) -> [Option<&str>; 2] {
    let stem = |at: Option<usize>| at.and_then(|at| words.get(at)).map(|token| token.stem.as_str());
    [stem(at.checked_sub(1)), stem(at.checked_add(1))]
}

/// Whether a word that says something, or a preposition in front, is next to both.
fn neighbours(words: &[Token], at: usize, theirs: &[Token], place: usize) -> bool {
    let [before, behind] = beside(words, at);
    let [their_before, their_behind] = beside(theirs, place);
    let says = |stem: &str| words.iter().any(|token| token.stem == stem && token.says());
    let leads =
        |stem: &str| matches!(stem, "from" | "to" | "by" | "until" | "since" | "in" | "on" | "at" | "for" | "with");
    before.is_some_and(|stem| (says(stem) || leads(stem)) && their_before == Some(stem))
        || behind.is_some_and(|stem| says(stem) && their_behind == Some(stem))
}

/// The word of theirs that stands where this one does: its opposite, another of its kind, or the most alike.
fn nearest(own: &Known, grounds: &[&Ground]) -> Option<String> {
    let rank = |word: &Known| match own.is_to(word) {
        Some(Kinship::Opposite) => 2.0,
        Some(Kinship::Sibling) => 1.0 + own.likeness(word),
        _ => own.likeness(word),
    };
    let ranked = grounds.iter().flat_map(|ground| ground.known()).map(|word| (rank(word), &word.raw));
    let best = ranked.filter(|(rank, _)| *rank >= LIKENESS_MIN).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)));
    best.map(|(_, raw)| raw.clone())
}

#[cfg(test)]
mod tests {
    use crate::support::{Ground, judge};

    #[test]
    fn a_reason_names_what_the_notes_hedge_or_say_instead() {
        for (words, sentence, reasons) in [
            ("The release ships on Friday (cancelled).", "The release ships on Friday.", "modality: cancelled"),
            ("If Bruno leaves, Anna leads drift.", "Anna leads drift.", "modality: If"),
            ("It takes less than 40 minutes.", "It takes 40 minutes.", "modality: less"),
            ("Return the borrowed drill to Ben.", "The drill was returned to Ben.", "modality: Return"),
            ("On mobile, drift hides the bar.", "Drift hides the bar.", "modality: On mobile"),
            ("Lea plays the violin and Finn the cello.", "Lea plays the cello.", "modality: Finn"),
            ("Anna does not lead drift.", "Anna leads drift.", "negation: not"),
            ("Mia leads drift and Tom leads search.", "Tom leads drift.", "roles: Mia leads drift"),
        ] {
            let judged = judge(sentence, &[&Ground::read(words, &[], &[])]);
            let found: Vec<String> =
                judged.reasons.iter().map(|r| format!("{}: {}", r.kind.as_str(), r.instead)).collect();
            assert_eq!(found, [reasons], "{sentence}");
        }
    }
}
