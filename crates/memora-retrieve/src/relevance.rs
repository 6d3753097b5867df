//! How likely a statement answers a question: what is weighed of a hit ([`Features`]), what it ranks by, and whether it is
//! evidence ([`Evidence`]).
//!
//! The weights were fitted to questions in owners' words over public notes, by `training/fit.py`. Where the transformer has
//! read a hit, that decides, and what words tell counts little beside it; see `docs/decisions/0023-evidence.md`. The one rule
//! to know: **ranks of two questions are not compared**; what a hit is worth beyond its own question is what [`Evidence`]
//! says.

use crate::evidence::EvidenceStrength;

/// What is weighed before the transformer has read a hit, by name, in the order of [`Features::values`]; the first is its own.
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

/// A weight for each feature, of those that the transformer has not read.
const FIRST_STAGE_WEIGHTS: [f32; FEATURE_COUNT] =
    [0.0, 2.95, 3.76, 0.44, 0.39, -1.45, -0.18, -4.27, -0.60, -2.13, 1.16, 3.15, 3.41, -1.99, -2.50];

/// The same of those that it has.
const MODEL_WEIGHTS: [f32; FEATURE_COUNT] = [29.35, 0.0, 0.0, 0.0, 0.0, -2.38, -1.39, 0.0, 0.0, -2.63, 0.0, 0.0, 0.0, 0.0, 0.0];

/// What the weights of those that were not read count beside those of what was: little for questions in other words, and what
/// is needed where words suffice.
const FIRST_STAGE_SHARE: f32 = 0.3;

/// What counts beside the transformer for a line of a conversation, instead: what it answers stands in the lines around it,
/// which the first stage knows and the transformer does not read.
const SPOKEN_WEIGHTS: [f32; FEATURE_COUNT] =
    [0.0, 5.90, 7.52, 0.88, 0.78, -2.90, -0.36, -8.54, -1.20, -4.26, 2.32, 16.30, 6.82, -3.98, -5.00];

/// What is weighed of a hit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HitFeatures {
    /// How well the transformer finds that it answers, -1 to 1; nothing where it was not asked.
    pub likeness: Option<f32>,
    /// Of all that is asked, the share that it says in its own place; 0 to 1, as are all without another word.
    pub itself: f32,
    /// The same of what is asked besides names.
    pub attribute: f32,
    /// Of what is asked, the share that it or what stands around it holds by the letter.
    pub coverage: f32,
    /// It lacks a name of the question.
    pub lacks_name: bool,
    /// It lacks a name, a number or a rare word of the question.
    pub misses_a_word: bool,
    /// It names nothing of the kind that is asked for: no time, no number, nobody.
    pub other_kind: bool,
    /// It is a line of a conversation.
    pub spoken: bool,
    /// It is that, and a name of the question stands only around it: what one did is no other's deed.
    pub of_others: bool,
    /// It is of the time that the question names: few are, and among those a faint likeness tells more.
    pub of_time: bool,
    /// The question is one word, and it has that in its own place.
    pub keyword: bool,
    /// How far it answers by nothing but the words that it has in common with the question.
    pub by_words: EvidenceStrength,
    /// Of all that were found it is the likeliest before the transformer has read any, and still is when it has.
    pub first_by_both: bool,
    /// Names of the question that it lacks; a count.
    pub names_missed: f32,
    /// Share of the question in title, headings and tags.
    pub in_context: f32,
    /// Its words; a count.
    pub words: usize,
    /// It ends in a colon, as what introduces a list does.
    pub introduces: bool,
    /// It has an address in its words.
    pub links: bool,
    /// It is a property of a note.
    pub property: bool,
    /// It is a task, and no tasks were asked for.
    pub task: bool,
    /// What the first stage gave it.
    pub fused: f32,
    /// Its BM25 as a share of the best.
    pub lexical: f32,
    /// The cosine of the static vectors; 0 where it is not in that list.
    pub semantic: f32,
}

impl HitFeatures {
    /// How strong what is so likely to answer is.
    fn grade_strength(&self, probability: f32) -> EvidenceStrength {
        let weak = match self {
            // One word asks nothing: what has it may be meant.
            Self { keyword: true, .. } => 0.0,
            Self { lacks_name: true, .. } => return EvidenceStrength::None,
            Self { of_time: true, .. } => WEAK_IN_PERIOD,
            Self { misses_a_word: true, .. } => WEAK_WITHOUT_TERM,
            _ => WEAK_PROBABILITY,
        };
        // Of what the transformer alone finds strong one in six is wrong; of what the words put first, too, one in ten.
        if probability >= STRONG_PROBABILITY && self.first_by_both {
            EvidenceStrength::Strong
        } else if probability >= weak {
            EvidenceStrength::Weak
        } else {
            EvidenceStrength::None
        }
    }

    /// Whether it cannot answer however alike it is: it names nothing of the kind that is asked for, or tells of somebody else.
    #[must_use]
    pub fn is_off_topic(&self) -> bool {
        self.other_kind || self.of_others
    }

    /// Returns the features as numbers, in the order of [`FEATURES`].
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

    /// Returns what the transformer alone makes of it, as [`Evidence`] compares it.
    #[must_use]
    pub fn model_score(&self) -> f32 {
        self.weighted_sum(&MODEL_WEIGHTS)
    }

    /// Returns what it ranks by among the hits of a question: a difference is one of log-odds.
    #[must_use]
    pub fn rank_score(&self) -> f32 {
        match self.likeness {
            Some(_) if self.spoken => self.model_score() + self.weighted_sum(&SPOKEN_WEIGHTS),
            Some(_) => self.model_score() + FIRST_STAGE_SHARE * self.weighted_sum(&FIRST_STAGE_WEIGHTS),
            None => self.weighted_sum(&FIRST_STAGE_WEIGHTS),
        }
    }
}

/// Whether a hit is evidence: by how well it answers, and how far it stands out from what else was found.
///
/// A question that the notes do not answer finds many hits that are about as good; the one that answers stands out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvidenceScore {
    /// How likely it answers, 0 to 1, over questions with and without an answer.
    pub probability: f32,
    /// Whether that makes it evidence.
    pub strength: EvidenceStrength,
}

/// From this probability on a hit is strong.
const STRONG_PROBABILITY: f32 = 0.7;

/// From this on it is weak; below, it is none.
const WEAK_PROBABILITY: f32 = 0.22;

/// The same of what lacks a distinctive word of the question.
const WEAK_WITHOUT_TERM: f32 = 0.35;

/// The same of what is of the time that was asked about.
const WEAK_IN_PERIOD: f32 = 0.05;

/// How far standing out counts, in ranks.
const LEAD_MAX: f32 = 6.0;

/// What a statement ranks that has nothing to do with the question: standing out from less is no merit, in a small vault.
const UNRELATED_SCORE: f32 = 14.67;

impl EvidenceScore {
    /// Judges a hit beside the best other one, of which the transformer makes `next` ([`Features::judged`]).
    ///
    /// What names nothing of the kind that is asked for is none; so is what lacks a name of the question. Where the transformer
    /// has not read it, what they have in common by their words decides.
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
        Self { probability, strength: if features.is_off_topic() { EvidenceStrength::None } else { strength } }
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
        assert_eq!(judge(&features, rank - 4.0), EvidenceStrength::Strong);
        assert_eq!(judge(&HitFeatures { first_by_both: false, ..features }, rank - 4.0), EvidenceStrength::Weak);
        assert_eq!(judge(&features, rank + 4.0), EvidenceStrength::None);
        assert_eq!(judge(&HitFeatures { lacks_name: true, ..features }, rank - 4.0), EvidenceStrength::None);
        assert_eq!(judge(&HitFeatures { likeness: Some(0.3), ..features }, 0.0), EvidenceStrength::None);
        assert_eq!(judge(&HitFeatures { other_kind: true, ..features }, rank - 4.0), EvidenceStrength::None);
        assert_eq!(judge(&HitFeatures { likeness: None, ..features }, -9.0), EvidenceStrength::None, "no word of it is asked for");
        let by_words = HitFeatures { likeness: None, by_words: EvidenceStrength::Weak, ..features };
        assert_eq!(judge(&by_words, -9.0), EvidenceStrength::Weak);
    }
}
