//! Scores how likely a statement answers a question: its features ([`HitFeatures`]), its rank, and whether it is
//! evidence ([`EvidenceStrength`]).
//!
//! The weights were fitted to questions in owners' words over public notes, by `training/fit.py`. If the transformer
//! has scored a hit, its score decides, and lexical features count little; see `docs/decisions/0023-evidence.md`.
//! Invariant: **ranks of two questions are not compared**; [`EvidenceStrength`] gives the worth of a hit beyond its own
//! question.

use schemars::JsonSchema;
use serde::Serialize;
use strum::{Display, IntoStaticStr};

/// How far a hit answers a question.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema, IntoStaticStr, Display,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(inline, transform = memora_vault::closed_set)]
pub enum EvidenceStrength {
    /// Nothing comes nearer, which does not say that it answers.
    #[default]
    Nearest,
    /// It may answer.
    Possible,
    /// It very likely answers.
    Likely,
}

/// The names of the features, in the order of [`HitFeatures::to_array`]; only the first comes from the transformer.
pub const FEATURE_NAMES: [&str; FEATURE_COUNT] = [
    "likeness",
    "itself",
    "attribute",
    "coverage",
    "length",
    "introduces",
    "links",
    "property",
    "task",
    "other_kind",
    "lexical",
    "fused",
    "semantic",
    "names_missed",
    "in_context",
];

const FEATURE_COUNT: usize = 15;

/// The weight of each feature, for hits that the transformer has not scored.
const FIRST_STAGE_WEIGHTS: [f32; FEATURE_COUNT] =
    [0.0, 2.95, 3.76, 0.44, 0.39, -1.45, -0.18, -4.27, -0.60, -2.13, 1.16, 3.15, 3.41, -1.99, -2.50];

/// The same for hits that it has scored.
const MODEL_WEIGHTS: [f32; FEATURE_COUNT] =
    [29.35, 0.0, 0.0, 0.0, 0.0, -2.38, -1.39, 0.0, 0.0, -2.63, 0.0, 0.0, 0.0, 0.0, 0.0];

/// The share of the first-stage weights beside the transformer: little for paraphrased questions, and enough for
/// questions that words answer.
const FIRST_STAGE_SHARE: f32 = 0.3;

/// The weights beside the transformer for a line of a conversation: its context is in the neighbouring lines,
/// which the first stage knows and the transformer does not read.
const SPOKEN_WEIGHTS: [f32; FEATURE_COUNT] =
    [0.0, 5.90, 7.52, 0.88, 0.78, -2.90, -0.36, -8.54, -1.20, -4.26, 2.32, 16.30, 6.82, -3.98, -5.00];

/// The features of a hit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HitFeatures {
    /// The transformer's score for it as an answer, -1 to 1; `None` if it was not asked.
    pub likeness: Option<f32>,
    /// The share of the question that its own text covers; 0 to 1, like all others unless stated.
    pub itself: f32,
    /// The same for the question besides names.
    pub attribute: f32,
    /// The share of the question that it or its surroundings contain literally.
    pub coverage: f32,
    /// It lacks a name of the question.
    pub lacks_name: bool,
    /// It lacks a name, a number or a rare word of the question.
    pub misses_a_word: bool,
    /// It names nothing of the type that is asked for: no time, no number, no person.
    pub other_kind: bool,
    /// It is a line of a conversation.
    pub spoken: bool,
    /// It is such a line, and a name of the question occurs only around it: it is about another person.
    pub of_others: bool,
    /// It is of the period that the question names: few hits are, so a weak score counts for more.
    pub of_time: bool,
    /// The question is one word, which its own text contains.
    pub keyword: bool,
    /// Its grade by nothing but the words that it shares with the question.
    pub by_words: EvidenceStrength,
    /// It ranks first both before and after the transformer has scored the hits.
    pub first_by_both: bool,
    /// The number of names of the question that it lacks.
    pub names_missed: f32,
    /// The share of the question in title, headings and tags.
    pub in_context: f32,
    /// The number of its words.
    pub words: usize,
    /// It ends in a colon, like the introduction of a list.
    pub introduces: bool,
    /// It contains an address.
    pub links: bool,
    /// It is a property of a note.
    pub property: bool,
    /// It is a task, and no tasks were asked for.
    pub task: bool,
    /// Its first-stage score.
    pub fused: f32,
    /// Its BM25 score as a share of the best.
    pub lexical: f32,
    /// The cosine of the static vectors; 0 if it is not in that list.
    pub semantic: f32,
}

impl HitFeatures {
    /// Grades a hit with this probability of being an answer.
    fn grade_strength(&self, probability: f32) -> EvidenceStrength {
        let weak = match self {
            // A one-word query asks nothing specific: any hit that contains it may be meant.
            Self { keyword: true, .. } => 0.0,
            Self { lacks_name: true, .. } => return EvidenceStrength::Nearest,
            Self { of_time: true, .. } => WEAK_IN_PERIOD,
            Self { misses_a_word: true, .. } => WEAK_WITHOUT_TERM,
            _ => WEAK_PROBABILITY,
        };
        // One in six is wrong if only the transformer finds it strong; one in ten if the words also rank it first.
        if probability >= STRONG_PROBABILITY && self.first_by_both {
            EvidenceStrength::Likely
        } else if probability >= weak {
            EvidenceStrength::Possible
        } else {
            EvidenceStrength::Nearest
        }
    }

    /// Whether it cannot answer, however similar: it names nothing of the required type, or is about another person.
    #[must_use]
    pub fn is_off_topic(&self) -> bool {
        self.other_kind || self.of_others
    }

    /// Returns the features as numbers, in the order of [`FEATURE_NAMES`].
    #[must_use]
    pub fn to_array(&self) -> [f32; FEATURE_COUNT] {
        let is = |is: bool| f32::from(u8::from(is));
        [
            self.likeness.unwrap_or_default(),
            self.itself,
            self.attribute,
            self.coverage,
            log_word_count(self.words),
            is(self.introduces),
            is(self.links),
            is(self.property),
            is(self.task),
            is(self.other_kind),
            self.lexical,
            self.fused,
            self.semantic,
            self.names_missed,
            self.in_context,
        ]
    }

    fn weighted_sum(&self, weights: &[f32; FEATURE_COUNT]) -> f32 {
        self.to_array().iter().zip(weights).map(|(value, weight)| value * weight).sum()
    }

    /// Returns the transformer's part of the score, as [`EvidenceScore`] compares it.
    #[must_use]
    pub fn model_score(&self) -> f32 {
        self.weighted_sum(&MODEL_WEIGHTS)
    }

    /// Returns its ranking score among the hits of a question: a difference is one of log-odds.
    #[must_use]
    pub fn rank_score(&self) -> f32 {
        match self.likeness {
            Some(_) if self.spoken => self.model_score() + self.weighted_sum(&SPOKEN_WEIGHTS),
            Some(_) => self.model_score() + FIRST_STAGE_SHARE * self.weighted_sum(&FIRST_STAGE_WEIGHTS),
            None => self.weighted_sum(&FIRST_STAGE_WEIGHTS),
        }
    }
}

/// Whether a hit is evidence: by its score, and by its lead over the other hits.
///
/// A question that the notes do not answer finds many hits of similar score; a hit that answers stands out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvidenceScore {
    /// The probability that it answers, 0 to 1, over questions with and without an answer.
    pub probability: f32,
    /// The grade that follows from it.
    pub strength: EvidenceStrength,
}

/// The minimum probability of a strong hit.
const STRONG_PROBABILITY: f32 = 0.7;

/// The minimum probability of a weak hit; below, it is not evidence.
const WEAK_PROBABILITY: f32 = 0.22;

/// The same for a hit that lacks a distinctive word of the question.
const WEAK_WITHOUT_TERM: f32 = 0.35;

/// The same for a hit of the period that was asked about.
const WEAK_IN_PERIOD: f32 = 0.05;

/// The maximum lead that counts, in score.
const LEAD_MAX: f32 = 6.0;

/// The score of an unrelated statement: a lead over less does not count, in a small vault.
const UNRELATED_SCORE: f32 = 14.67;

impl EvidenceScore {
    /// Grades a hit beside the best other one, whose transformer score is `next` ([`HitFeatures::model_score`]).
    ///
    /// A hit that names nothing of the required type is not evidence, nor one that lacks a name of the question. If the
    /// transformer has not scored it, the shared words decide.
    #[must_use]
    pub fn from_features(features: &HitFeatures, next: f32) -> Self {
        let (probability, strength) = match features.likeness {
            Some(likeness) => {
                let ahead = (features.model_score() - next.max(UNRELATED_SCORE)).clamp(-LEAD_MAX, LEAD_MAX);
                let probability = 1.0 / (1.0 + (6.371 - 8.052 * likeness - 0.518 * ahead).exp());
                (probability, features.grade_strength(probability))
            }
            None => (features.itself, features.by_words),
        };
        Self { probability, strength: if features.is_off_topic() { EvidenceStrength::Nearest } else { strength } }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a statement has some dozen words")]
fn log_word_count(words: usize) -> f32 {
    (words as f32).ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_more_of_the_question_ranks_higher() {
        let little = HitFeatures { words: 12, itself: 0.2, lexical: 0.2, ..HitFeatures::default() };
        let much = HitFeatures { itself: 0.9, lexical: 1.0, ..little };
        assert!(much.rank_score() > little.rank_score());
        let read = |features: HitFeatures, likeness| HitFeatures { likeness: Some(likeness), ..features };
        assert!(read(little, 0.8).rank_score() > read(much, 0.5).rank_score(), "the transformer has the last word");
    }

    #[test]
    fn evidence_answers_and_stands_out() {
        let features = HitFeatures { likeness: Some(0.85), first_by_both: true, ..HitFeatures::default() };
        let rank = features.model_score();
        let judge = |features: &HitFeatures, next: f32| EvidenceScore::from_features(features, next).strength;
        assert_eq!(judge(&features, rank - 4.0), EvidenceStrength::Likely);
        assert_eq!(judge(&HitFeatures { first_by_both: false, ..features }, rank - 4.0), EvidenceStrength::Possible);
        assert_eq!(judge(&features, rank + 4.0), EvidenceStrength::Nearest);
        assert_eq!(judge(&HitFeatures { lacks_name: true, ..features }, rank - 4.0), EvidenceStrength::Nearest);
        assert_eq!(judge(&HitFeatures { likeness: Some(0.3), ..features }, 0.0), EvidenceStrength::Nearest);
        assert_eq!(judge(&HitFeatures { other_kind: true, ..features }, rank - 4.0), EvidenceStrength::Nearest);
        assert_eq!(
            judge(&HitFeatures { likeness: None, ..features }, -9.0),
            EvidenceStrength::Nearest,
            "no word of it is asked for"
        );
        let by_words = HitFeatures { likeness: None, by_words: EvidenceStrength::Possible, ..features };
        assert_eq!(judge(&by_words, -9.0), EvidenceStrength::Possible);
    }
}
