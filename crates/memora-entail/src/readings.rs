//! The orders in which a sentence may be said: as it stands, its last phrase in front, active for passive, without who
//! says it.
//!
//! Each reading means the same. A phrase in front of the note's sentence tells of all of it, so that it may stand behind; one
//! at its end may belong to the last noun, and stays there. Deliberately not here: whether one follows from a note ([`crate::align`]).

use crate::atom::{Atom, AtomKind};
use crate::lists::{
    AGENT_ADJUNCTS, ATTRIBUTION_VERBS, FRAME_PREPOSITIONS, MOVABLE_LEADS, NOTE_SUBJECTS, PASSIVE_AUXILIARIES,
};
use memora_nlp::stem::is_past;

/// A sentence in one order.
pub(crate) struct Reading {
    pub(crate) atoms: Vec<Atom>,
    /// The speaker that it names, left out of `atoms`.
    pub(crate) said_by: Vec<Atom>,
}

/// The readings of a sentence.
pub(crate) fn readings(own: &[Atom]) -> Vec<Reading> {
    let mut found = Vec::new();
    let attributed = attributions(own);
    for (said_by, atoms) in std::iter::once((Vec::new(), own.to_vec())).chain(attributed) {
        let orders = [Some(atoms.clone()), unfronted(&atoms), active(&atoms)];
        found.extend(orders.into_iter().flatten().map(|atoms| Reading { atoms, said_by: said_by.clone() }));
    }
    found
}

/// `B if A` as `If A, B`: the last phrase in front.
fn unfronted(own: &[Atom]) -> Option<Vec<Atom>> {
    let at = own.iter().rposition(|atom| atom.is_in(&MOVABLE_LEADS)).filter(|at| *at > 1)?;
    let (rest, front) = (own.get(..at)?, own.get(at..)?);
    Some(front.iter().chain(rest).cloned().collect())
}

/// `A was built by B` as `B built A`.
fn active(own: &[Atom]) -> Option<Vec<Atom>> {
    let be = own.iter().position(|atom| PASSIVE_AUXILIARIES.iter().any(|word| atom.is(word)))?;
    let verb = own.get(be + 1).filter(|atom| atom.kind == AtomKind::Word && is_past(&atom.lower))?;
    let (object, rest) = (own.get(..be)?, own.get(be + 2..)?);
    let by = rest.iter().position(|atom| atom.is("by"))?;
    let (between, told) = (rest.get(..by)?, rest.get(by + 1..)?);
    // What stands behind the agent and tells when or where to is no part of it.
    let moves = |atom: &Atom| {
        AGENT_ADJUNCTS.iter().any(|word| atom.is(word)) || matches!(atom.kind, AtomKind::Date(_) | AtomKind::Clock(_))
    };
    let end = told.iter().skip(1).position(moves).map_or(told.len(), |at| at + 1);
    let (agent, behind) = (told.get(..end)?, told.get(end..)?);
    let one_clause = !rest.iter().any(|atom| matches!(atom.kind, AtomKind::Break(_)));
    (object.len() <= 6 && one_clause)
        .then(|| agent.iter().chain([verb]).chain(object).chain(between).chain(behind).cloned().collect())
}

/// `According to X, A`, `A, says X`, `X says that A`, `For X, A`: who says it, and what.
fn attributions(own: &[Atom]) -> Vec<(Vec<Atom>, Vec<Atom>)> {
    let mut found = Vec::new();
    let part = |from: usize, to: usize| own.get(from..to).unwrap_or_default().to_vec();
    let is = |at: usize, word: &str| own.get(at).is_some_and(|atom| atom.is(word));
    let commas: Vec<usize> = (0..own.len()).filter(|at| own.get(*at).is_some_and(|atom| atom.is_break(','))).collect();
    let first = commas.first().copied();
    let lead = if is(0, "according") && is(1, "to") {
        2
    } else {
        usize::from(FRAME_PREPOSITIONS.iter().any(|word| is(0, word)))
    };
    if let Some(comma) = first.filter(|comma| lead > 0 && *comma <= 8) {
        found.push((part(lead, comma), part(comma + 1, own.len())));
    }
    // `A, according to X, B` and `A, says X`.
    for (i, comma) in commas.iter().enumerate() {
        let start = match () {
            () if is(comma + 1, "according") && is(comma + 2, "to") => comma + 3,
            () if is(comma + 1, "for") && i + 1 < commas.len() => comma + 2,
            () if is(comma + 1, "says") || is(comma + 1, "say") => comma + 2,
            () => continue,
        };
        let end = commas.get(i + 1).copied().unwrap_or(own.len());
        if start < end && end - start <= 6 {
            let rest = part(0, *comma).into_iter().chain(part(end + 1, own.len())).collect();
            found.push((part(start, end), rest));
        }
    }
    let says = own.iter().take(6).position(|atom| ATTRIBUTION_VERBS.iter().any(|word| atom.is(word)));
    let one_clause =
        |says: &usize| *says > 0 && !part(0, *says).iter().any(|atom| matches!(atom.kind, AtomKind::Break(_)));
    if let Some(says) = says.filter(one_clause) {
        let that = usize::from(is(says + 1, "that"));
        let who = part(0, says);
        let speaks_of_notes = who.iter().all(|atom| NOTE_SUBJECTS.iter().any(|word| atom.is(word)));
        found.push((if speaks_of_notes { Vec::new() } else { who }, part(says + 1 + that, own.len())));
    }
    found
}
