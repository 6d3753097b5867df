//! What the notes say where a sentence says something else: the 14 for its 40.

use super::likeness::Known;
use super::tokens::{Kind, Token};
use super::{Read, Reason, ReasonKind};

/// From which likeness on a word of theirs stands for one that they lack.
const LIKENESS_MIN: f32 = 0.3;

/// How many of theirs are named.
const NAMED_MAX: usize = 3;

/// Says of each reason what the notes have in its place, where something of the same kind is there.
pub(super) fn fill(reasons: &mut [Reason], words: &[Token], evidence: &[Read]) {
    let theirs = || evidence.iter().flat_map(|read| read.sentences.iter().flatten());
    let of_kind = |is: fn(&Kind) -> bool| {
        let mut found: Vec<&str> = theirs().filter(|t| is(&t.kind)).map(|t| t.raw.as_str()).collect();
        found.dedup();
        found.truncate(NAMED_MAX);
        found.join(", ")
    };
    let mut known: Option<Vec<Known<'_>>> = None;
    for reason in reasons.iter_mut().filter(|reason| !reason.words.is_empty()) {
        reason.instead = match reason.kind {
            ReasonKind::Number => of_kind(|kind| matches!(kind, Kind::Number(_))),
            ReasonKind::Date => of_kind(|kind| matches!(kind, Kind::Date(_))),
            ReasonKind::Name => of_kind(|kind| matches!(kind, Kind::Name)),
            ReasonKind::Content | ReasonKind::Opposite => {
                let Some(own) = words.iter().find(|t| t.raw == reason.words) else { continue };
                let known = known.get_or_insert_with(|| Known::all(theirs().filter(|t| t.kind == Kind::Word)));
                nearest(&Known::new(own), known).unwrap_or_default()
            }
            _ => String::new(),
        };
    }
}

/// The word of theirs that stands where this one does: its opposite, another of its kind, or the most alike.
fn nearest(own: &Known<'_>, theirs: &[Known<'_>]) -> Option<String> {
    use memora_english::Kinship::{Opposite, Sibling};
    let rank = |other: &Known<'_>| match own.is_to(other) {
        Some(Opposite) => 2.0,
        Some(Sibling) => 1.0 + own.likeness(other),
        _ => own.likeness(other),
    };
    let ranked = theirs.iter().map(|other| (rank(other), &other.token.raw));
    let best = ranked.filter(|(rank, _)| *rank >= LIKENESS_MIN).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)));
    best.map(|(_, raw)| raw.clone())
}
