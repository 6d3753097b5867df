//! Whether a hit says anything about the question, or merely shares words with it or sounds like it.
//!
//! The score can't tell: it has no scale of its own. What tells is how much of the question the hit holds, and whether
//! that includes the words that make the question this one: its names, its numbers, its rare words. A word that no
//! statement holds counts among them. The numbers were tuned on conversations (LoCoMo, development half): questions
//! put to their own conversation against the same questions put to another one.

use crate::lexical::Hit;

/// Below this coverage a hit is no evidence.
pub(crate) const FLOOR: f32 = 0.35;

/// From this coverage on it is strong, when no distinctive word is missed.
const STRONG: f32 = 0.6;

/// Of the distinctive words, the share that even weak evidence holds.
const DISTINCTIVE: f32 = 0.5;

/// How far a hit answers the words of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// It shares words with the question and is no evidence.
    None,
    /// It may be about it; by words alone that can't be said.
    Weak,
    /// It holds the question's distinctive words and most of the others.
    Strong,
}

/// From this cosine on a hit means the like, whatever its words.
const ALIKE: f32 = 0.55;

/// Judges a hit by the words of the question, and by how near it lies to what is meant.
///
/// What only means the like is weak at best: the model knows neither order nor denial. And a hit that lacks the question's
/// names and rare words is none, however near.
#[must_use]
pub fn is_evidence(hit: &Hit, cosine: Option<f32>) -> Strength {
    let named = hit.distinctive >= DISTINCTIVE && !hit.lacks_name;
    let alike = cosine.is_some_and(|cosine| cosine >= ALIKE);
    if hit.coverage >= STRONG && hit.missed.is_empty() {
        Strength::Strong
    } else if named && (hit.coverage >= FLOOR || alike) {
        Strength::Weak
    } else {
        Strength::None
    }
}
