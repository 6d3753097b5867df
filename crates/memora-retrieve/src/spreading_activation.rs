//! Spreading activation: passes a share of a hit's score on to related statements.
//!
//! The answer to a question is often next to the sentence that has its words: in the next line, or the one before; and
//! a note with several hits is about the question. Invariant: **it is bounded.** Only the best seeds give, each
//! to a few neighbours, in one step, and a neighbour gets a share of the seed's score, so that it never exceeds its
//! seed. The effect of spreading on development data is in `docs/decisions/0008-spreading.md`.

use std::collections::HashMap;

use memora_claim::StatementId;

use crate::fusion::{FusedHit, sort_by_score};

/// The number of best hits that give.
pub const SEEDS_MAX: usize = 64;

/// The maximum number of neighbours of one kind. A seed with more is too general, and gives to none of them.
pub(crate) const FAN_OUT_MAX: usize = 8;

/// How one statement is related to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ActivationEdgeKind {
    /// The neighbour precedes it in the same note.
    Before,
    /// The neighbour follows it in the same note.
    After,
}

impl ActivationEdgeKind {
    /// Returns the share of a statement's activation that passes along the edge.
    #[must_use]
    pub fn activation_share(self) -> f32 {
        match self {
            Self::Before => 0.2,
            Self::After => 0.1,
        }
    }
}

/// An edge from a seed to a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ActivationEdge {
    /// The seed.
    pub from: StatementId,
    /// The relation of the neighbour to the seed.
    pub kind: ActivationEdgeKind,
    /// The neighbour.
    pub to: StatementId,
}

/// Adds the seeds' shares to every neighbour, in one step; returns what each received, and sorts again.
///
/// Neighbours that were not found are added. Duplicate edges of one kind between two statements count once.
pub fn spread_activation(fused: &mut Vec<FusedHit>, edges: &[ActivationEdge]) -> HashMap<StatementId, f32> {
    let seeds = seed_scores(fused);
    let mut distinct = edges.to_vec();
    distinct.sort_by_key(|edge| (edge.from, edge.kind, edge.to));
    distinct.dedup();
    let mut got: HashMap<StatementId, f32> = HashMap::new();
    for group in distinct.chunk_by(|a, b| a.from == b.from && a.kind == b.kind) {
        let Some(score) = group.first().and_then(|edge| seeds.get(&edge.from)) else { continue };
        if group.len() > FAN_OUT_MAX {
            continue;
        }
        for edge in group.iter().filter(|edge| edge.to != edge.from) {
            *got.entry(edge.to).or_default() += edge.kind.activation_share() * score;
        }
    }
    for fused in fused.iter_mut() {
        fused.score += got.get(&fused.statement).copied().unwrap_or_default();
    }
    let known: std::collections::HashSet<StatementId> = fused.iter().map(|fused| fused.statement).collect();
    let new = got.iter().filter(|(statement, _)| !known.contains(statement));
    fused.extend(new.map(|(statement, score)| FusedHit {
        statement: *statement,
        score: *score,
        lexical: None,
        semantic: None,
    }));
    sort_by_score(fused);
    got
}

/// Returns the best, each with its score.
fn seed_scores(fused: &[FusedHit]) -> HashMap<StatementId, f32> {
    fused.iter().take(SEEDS_MAX).map(|fused| (fused.statement, fused.score)).collect()
}

/// The number of best hits of a note that count, and the share of each that a hit receives.
const NOTE_HITS_MAX: usize = 3;
const NOTE_SHARE: f32 = 0.1;

/// Adds a share of the note's best three to each of its best statements; sorts again.
///
/// `notes` groups statements by note; a statement in several notes gets the best share.
pub fn boost_by_note(fused: &mut [FusedHit], notes: &[Vec<StatementId>], got: &mut HashMap<StatementId, f32>) {
    let scores = seed_scores(fused);
    let mut shares: HashMap<StatementId, f32> = HashMap::new();
    for note in notes {
        let mut best: Vec<f32> = note.iter().filter_map(|statement| scores.get(statement)).copied().collect();
        best.sort_by(|a, b| b.total_cmp(a));
        let share = NOTE_SHARE * best.iter().take(NOTE_HITS_MAX).sum::<f32>();
        for statement in note.iter().filter(|statement| scores.contains_key(statement)) {
            let of = shares.entry(*statement).or_default();
            *of = of.max(share);
        }
    }
    for fused in fused.iter_mut() {
        let share = shares.get(&fused.statement).copied().unwrap_or_default();
        fused.score += share;
        if share > 0.0 {
            *got.entry(fused.statement).or_default() += share;
        }
    }
    sort_by_score(fused);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> StatementId {
        StatementId::from_words(&number.to_string(), &[])
    }

    fn found(number: usize, score: f32) -> FusedHit {
        FusedHit { statement: id(number), score, lexical: None, semantic: None }
    }

    fn edge(from: usize, kind: ActivationEdgeKind, to: usize) -> ActivationEdge {
        ActivationEdge { from: id(from), kind, to: id(to) }
    }

    #[test]
    fn a_neighbour_gets_a_share_and_may_be_new() {
        let mut fused = vec![found(1, 0.9), found(2, 0.5)];
        let got = spread_activation(
            &mut fused,
            &[edge(1, ActivationEdgeKind::Before, 2), edge(1, ActivationEdgeKind::After, 3)],
        );
        let scores: Vec<_> = fused.iter().map(|f| (f.statement, f.score)).collect();
        assert_eq!(scores.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [id(1), id(2), id(3)]);
        assert!((got[&id(2)] - 0.18).abs() < 1e-6 && (got[&id(3)] - 0.09).abs() < 1e-6);
    }

    #[test]
    fn a_note_with_several_hits_is_worth_more() {
        let mut fused = vec![found(1, 0.5), found(2, 0.49), found(3, 0.48)];
        let mut got = HashMap::new();
        boost_by_note(&mut fused, &[vec![id(1)], vec![id(2), id(3), id(4)]], &mut got);
        let order: Vec<_> = fused.iter().map(|fused| fused.statement).collect();
        assert_eq!(order, [id(2), id(3), id(1)]);
        assert!((got[&id(1)] - 0.05).abs() < 1e-6 && (got[&id(2)] - 0.097).abs() < 1e-6);
        assert!(!got.contains_key(&id(4)), "it was not found");
    }

    #[test]
    fn it_is_bounded() {
        // A hub gives nothing, a repeated edge counts once, and no statement gives to itself.
        let hub: Vec<ActivationEdge> =
            (2..=2 + FAN_OUT_MAX).map(|to| edge(1, ActivationEdgeKind::Before, to)).collect();
        assert!(spread_activation(&mut vec![found(1, 0.9)], &hub).is_empty());
        let twice = [
            edge(1, ActivationEdgeKind::After, 2),
            edge(1, ActivationEdgeKind::After, 2),
            edge(1, ActivationEdgeKind::After, 1),
        ];
        let got = spread_activation(&mut vec![found(1, 1.0)], &twice);
        assert_eq!(got.len(), 1);
        assert!((got[&id(2)] - ActivationEdgeKind::After.activation_share()).abs() < 1e-6);
        // What was not found among the best gives nothing.
        let mut many: Vec<FusedHit> = (0..=SEEDS_MAX).map(|n| found(n, 1.0)).collect();
        sort_by_score(&mut many);
        let last = many.last().map(|fused| fused.statement).expect("many");
        assert!(
            spread_activation(
                &mut many,
                &[ActivationEdge { from: last, kind: ActivationEdgeKind::Before, to: id(999) }]
            )
            .is_empty()
        );
    }
}
