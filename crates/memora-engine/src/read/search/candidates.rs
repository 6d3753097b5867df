//! The candidates of a search, and how they are ranked among each other.

use std::collections::HashMap;

use memora_claim::StatementId;
use memora_retrieve::{EvidenceScore, EvidenceStrength, HitFeatures, LexicalHit, PreparedSearch};
use memora_store::StoredStatement;

use crate::read::search::Ranks;
use crate::read::search::scoring::{FirstStageScores, ScoredHit};

/// A statement that may answer.
pub(super) struct Candidate {
    pub(super) hit: LexicalHit,
    pub(super) score: f32,
    pub(super) ranks: Ranks,
    /// Whether the question names a date, and neither its words nor its note are of it.
    pub(super) of_another_time: bool,
}

/// A candidate with its scores, and its statement.
pub(super) type RankedCandidate = (Candidate, ScoredHit, StoredStatement);

impl Candidate {
    pub(super) fn new(hit: LexicalHit, score: f32, ranks: Ranks) -> Self {
        Self { hit, score, ranks, of_another_time: false }
    }

    /// Its scores of the first stage, where `best` is the best lexical score.
    pub(super) fn first_stage_scores(&self, best: f32, tasks: bool) -> FirstStageScores {
        let lexical = if best > 0.0 { self.hit.score / best } else { 0.0 };
        let semantic = self.ranks.semantic.map_or(0.0, |place| place.score);
        FirstStageScores { fused: self.score, lexical, semantic, tasks }
    }
}

/// The lexical and the semantic hits, each best first.
pub(super) struct RetrievedHits<'q> {
    pub(super) looked: PreparedSearch<'q>,
    pub(super) lexical: Vec<LexicalHit>,
    pub(super) semantic: Vec<(StatementId, f32)>,
}

/// Judges whether each hit is evidence, given the best other one. A hit that the transformer left unread is not.
pub(super) fn judge_strength(found: &mut [RankedCandidate]) {
    let any_read = found.iter().any(|(_, weighed, _)| weighed.features.likeness.is_some());
    let read = found.iter().map(|(_, weighed, _)| &weighed.features).filter(|features| features.likeness.is_some());
    let mut ranks: Vec<f32> = read.map(HitFeatures::model_score).collect();
    ranks.sort_by(|a, b| b.total_cmp(a));
    let best = ranks.first().copied().unwrap_or(f32::MIN);
    let second = ranks.into_iter().find(|rank| *rank < best).unwrap_or(f32::MIN);
    for (_, weighed, _) in found.iter_mut() {
        if any_read && weighed.features.likeness.is_none() {
            (weighed.score, weighed.strength) = (0.0, EvidenceStrength::Nearest);
            continue;
        }
        let judged = weighed.features.model_score();
        weighed.features.first_by_both &= judged >= best;
        let next = if judged < best { best } else { second };
        let evidence = EvidenceScore::from_features(&weighed.features, next);
        (weighed.score, weighed.strength) = (evidence.probability, evidence.strength);
    }
}

/// The likeliest first; equal ones in the order of their ids.
pub(super) fn sort_by_rank(found: &mut [RankedCandidate]) {
    found.sort_by(|(_, a, _), (_, b, _)| b.rank.total_cmp(&a.rank).then(a.claim.id.cmp(&b.claim.id)));
}

/// Gives a superseding claim the features of the claim it replaced, where both were found: "Ben moved to Kiel" tells
/// where he lives, as "Ben lives in Ulm" did. Returns whether any has.
pub(super) fn inherit_superseded_rank(found: &mut [RankedCandidate]) -> bool {
    let mut moved = false;
    let mut best: HashMap<StatementId, HitFeatures> = HashMap::new();
    for (_, weighed, _) in found.iter() {
        for by in &weighed.state.superseded {
            let known = best.entry(by.newer.statement()).or_insert(weighed.features);
            if weighed.features.rank_score() > known.rank_score() {
                *known = weighed.features;
            }
        }
    }
    for (_, weighed, statement) in found.iter_mut() {
        if let Some(features) =
            best.get(&statement.id).filter(|better| better.rank_score() > weighed.features.rank_score())
        {
            weighed.features = *features;
            weighed.update_rank();
            moved = true;
        }
    }
    moved
}

/// Ranks a superseded claim just behind its successor, where both were found: by a step smaller than any prior.
pub(super) fn demote_superseded(found: &mut [RankedCandidate]) {
    const STEP: f32 = 1e-4;
    let mut scores: HashMap<StatementId, f32> =
        found.iter().map(|(.., s)| s.id).zip(found.iter().map(|(_, w, _)| w.rank)).collect();
    // A chain is as long as the list at most.
    for _ in 0..found.len() {
        let mut moved = false;
        for (_, weighed, statement) in found.iter_mut() {
            let newer = weighed.state.superseded.iter().filter_map(|by| scores.get(&by.newer.statement()));
            if let Some(least) = newer.copied().reduce(f32::min)
                && weighed.rank >= least
            {
                weighed.rank = least - STEP;
                scores.insert(statement.id, weighed.rank);
                moved = true;
            }
        }
        if !moved {
            return;
        }
    }
}
