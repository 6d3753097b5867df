//! What the notes say where a sentence says something else: the 14 for its 40.

use memora_english::Kinship;

use super::ground::Ground;
use super::likeness::Known;
use super::tokens::{Kind, Token};
use super::{Reason, ReasonKind};

/// From which likeness on a word of theirs stands for one that they lack.
const LIKENESS_MIN: f32 = 0.3;

/// How many of theirs are named.
const NAMED_MAX: usize = 3;

/// Says of each reason what the notes have in its place, where something of the same kind is there.
pub(super) fn fill(reasons: &mut [Reason], words: &[Token], grounds: &[&Ground]) {
    let of_kind = |is: fn(&Kind) -> bool| {
        let theirs = grounds.iter().flat_map(|ground| ground.sentences.iter().flatten());
        let mut found: Vec<&str> = theirs.filter(|t| is(&t.kind)).map(|t| t.raw.as_str()).collect();
        found.dedup();
        found.truncate(NAMED_MAX);
        found.join(", ")
    };
    for reason in reasons.iter_mut().filter(|reason| !reason.words.is_empty()) {
        reason.instead = match reason.kind {
            ReasonKind::Number => of_kind(|kind| matches!(kind, Kind::Number(_))),
            ReasonKind::Date => of_kind(|kind| matches!(kind, Kind::Date(_))),
            ReasonKind::Name => of_kind(|kind| matches!(kind, Kind::Name)),
            ReasonKind::Content | ReasonKind::Opposite => {
                // Of a phrase, for its last word.
                let last = reason.words.split(' ').next_back().unwrap_or_default();
                let own = words.iter().find(|t| t.raw == last);
                own.and_then(|own| nearest(&Known::new(own), grounds)).unwrap_or_default()
            }
            _ => String::new(),
        };
    }
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
