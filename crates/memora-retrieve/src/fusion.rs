//! Fuses the lexical and the semantic ranking.
//!
//! Weights were tuned on conversations (LoCoMo, development half), see `docs/decisions/0007-fusion.md`. Invariant:
//! **scores have the same scale in every search.** A lexical hit counts by its coverage of the question as much as by
//! its share of the best score, so that the best of a bad lot stays low; a semantic hit counts by its cosine.

use std::collections::HashMap;

use memora_claim::StatementId;

use crate::lexical::LexicalHit;

/// How two rankings are fused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fusion {
    /// A weighted sum of scores, each from 0 to 1.
    WeightedSum {
        /// The weight of the cosine; the lexical score has the rest.
        semantic: f32,
    },
    /// Reciprocal rank fusion: `1 / (k + rank)` of each list, weighted.
    ReciprocalRank {
        /// The weight of the semantic ranking; the lexical one weighs 1.
        semantic: f32,
        /// The rank constant: the larger, the less the first ranks stand out.
        k: f32,
    },
}

impl Default for Fusion {
    fn default() -> Self {
        Self::WEIGHTED_SUM
    }
}

impl Fusion {
    /// The default.
    pub const WEIGHTED_SUM: Self = Self::WeightedSum { semantic: 0.4 };

    /// Reciprocal rank fusion with the weights that were best on the same data.
    pub const RECIPROCAL_RANK: Self = Self::ReciprocalRank { semantic: 0.3, k: 60.0 };
}

/// The weight of query coverage in the lexical score.
const COVERAGE_WEIGHT: f32 = 0.45;

/// A position in one ranking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedScore {
    /// The rank, from 1.
    pub rank: usize,
    /// The BM25 score, or the cosine.
    pub score: f32,
}

/// A statement in the fused ranking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FusedHit {
    /// The statement.
    pub statement: StatementId,
    /// The fused score; 0 to 1 with [`Fusion::WeightedSum`].
    pub score: f32,
    /// Its position in the lexical ranking.
    pub lexical: Option<RankedScore>,
    /// Its position in the semantic ranking.
    pub semantic: Option<RankedScore>,
}

/// Fuses two rankings, best first; ties are ordered by id.
#[must_use]
pub fn fuse_rankings(lexical: &[LexicalHit], semantic: &[(StatementId, f32)], how: Fusion) -> Vec<FusedHit> {
    let mut by_id: HashMap<StatementId, FusedHit> = HashMap::with_capacity(lexical.len() + semantic.len());
    let of = |statement| FusedHit { statement, score: 0.0, lexical: None, semantic: None };
    let best = lexical.iter().map(|hit| hit.score).fold(0.0, f32::max);
    for (at, hit) in lexical.iter().enumerate() {
        let place = RankedScore { rank: at + 1, score: hit.score };
        let fused = by_id.entry(hit.statement).or_insert_with(|| of(hit.statement));
        fused.lexical = Some(place);
        fused.score += match how {
            Fusion::WeightedSum { semantic } => {
                let share = if best > 0.0 { hit.score / best } else { 1.0 };
                (1.0 - semantic) * ((1.0 - COVERAGE_WEIGHT) * share + COVERAGE_WEIGHT * hit.coverage)
            }
            Fusion::ReciprocalRank { k, .. } => reciprocal_rank(k, at),
        };
    }
    for (at, (statement, cosine)) in semantic.iter().enumerate() {
        let fused = by_id.entry(*statement).or_insert_with(|| of(*statement));
        fused.semantic = Some(RankedScore { rank: at + 1, score: *cosine });
        fused.score += match how {
            Fusion::WeightedSum { semantic } => semantic * cosine.clamp(0.0, 1.0),
            Fusion::ReciprocalRank { semantic, k } => semantic * reciprocal_rank(k, at),
        };
    }
    let mut fused: Vec<FusedHit> = by_id.into_values().collect();
    sort_by_score(&mut fused);
    fused
}

/// Sorts best first; ties are ordered by id.
pub(crate) fn sort_by_score(fused: &mut [FusedHit]) {
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.statement.cmp(&b.statement)));
}

#[expect(clippy::cast_precision_loss, reason = "a rank is far below 2^24")]
fn reciprocal_rank(k: f32, at: usize) -> f32 {
    1.0 / (k + at as f32 + 1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn id(number: u8) -> StatementId {
        StatementId::from_words(&number.to_string(), &[])
    }

    fn hit(number: u8, score: f32, coverage: f32) -> LexicalHit {
        LexicalHit {
            statement: id(number),
            score,
            terms: Vec::new(),
            matched: Vec::new(),
            coverage,
            distinctive: 1.0,
            missed: Vec::new(),
            lacks_name: false,
        }
    }

    fn order(fused: &[FusedHit]) -> Vec<StatementId> {
        fused.iter().map(|fused| fused.statement).collect()
    }

    #[test]
    fn what_both_find_comes_first_and_says_where_it_stood() {
        let fused =
            fuse_rankings(&[hit(1, 9.0, 0.9), hit(2, 8.0, 0.9)], &[(id(2), 0.8), (id(3), 0.7)], Fusion::WEIGHTED_SUM);
        assert_eq!(order(&fused), [id(2), id(1), id(3)]);
        let first = fused.first().copied().expect("three");
        assert_eq!(first.lexical, Some(RankedScore { rank: 2, score: 8.0 }));
        assert_eq!(first.semantic, Some(RankedScore { rank: 1, score: 0.8 }));
    }

    #[test]
    fn the_best_of_a_bad_lot_stays_below_what_is_meant() {
        // One common word of the question, and a paraphrase of it.
        let fused = fuse_rankings(&[hit(1, 2.0, 0.1)], &[(id(2), 0.9)], Fusion::WeightedSum { semantic: 0.5 });
        assert_eq!(order(&fused), [id(2), id(1)]);
    }

    #[test]
    fn one_list_alone_keeps_its_order() {
        for how in [Fusion::WEIGHTED_SUM, Fusion::RECIPROCAL_RANK] {
            assert_eq!(order(&fuse_rankings(&[hit(2, 3.0, 0.5), hit(1, 2.0, 0.5)], &[], how)), [id(2), id(1)]);
            assert_eq!(order(&fuse_rankings(&[], &[(id(2), 0.5), (id(1), 0.4)], how)), [id(2), id(1)]);
        }
        assert!(fuse_rankings(&[], &[], Fusion::WEIGHTED_SUM).is_empty());
    }

    proptest! {
        #[test]
        fn nothing_is_lost_or_doubled_and_scores_have_one_scale(
            lexical in proptest::collection::vec((0_u8..40, 0.0_f32..30.0, 0.0_f32..1.0), 0..30),
            semantic in proptest::collection::vec((0_u8..40, -1.0_f32..1.0), 0..30),
        ) {
            let mut seen = std::collections::HashSet::new();
            let lexical: Vec<LexicalHit> =
                lexical.into_iter().filter(|(n, ..)| seen.insert(*n)).map(|(n, s, c)| hit(n, s, c)).collect();
            let mut seen_by_meaning = std::collections::HashSet::new();
            let semantic: Vec<_> =
                semantic.into_iter().filter(|(n, _)| seen_by_meaning.insert(*n)).map(|(n, s)| (id(n), s)).collect();
            seen.extend(seen_by_meaning);
            let fused = fuse_rankings(&lexical, &semantic, Fusion::WEIGHTED_SUM);
            prop_assert_eq!(fused.len(), seen.len());
            prop_assert!(fused.iter().all(|fused| (0.0..=1.0001).contains(&fused.score)));
            prop_assert!(fused.windows(2).all(|pair| pair[0].score >= pair[1].score));
        }
    }
}
