//! How likely a statement answers a question: what is weighed of a hit ([`Features`]), and the sum of it.
//!
//! Each weight was fitted to questions in owners' words over public notes (`training/fit.py` writes `weights.rs`), so a
//! relevance is a probability on notes like those, and not a score of one search. The one rule to know: **a hit is weighed
//! by itself**; how many others there are, and what they say, does not count.

use crate::weights::{FULL, QUICK};

/// What is weighed, by name, in the order of [`Features::values`].
pub const FEATURES: [&str; COUNT] = [
    "likeness", "likeness_squared", "likeness_by_itself", "itself", "attribute", "coverage", "distinctive", "lacks_name", "other_kind",
    "names", "names_missed", "terms", "missed", "in_words", "in_context", "around", "length", "asks", "introduces",
    "links", "property", "item", "sentence", "task", "rarest", "asked", "rarest_missed", "places", "fused", "lexical",
    "semantic", "spread",
];

/// How much is weighed.
pub(crate) const COUNT: usize = 32;

/// What is weighed of a hit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Features {
    /// How well the transformer finds that it answers, -1 to 1; nothing where it was not asked.
    pub likeness: Option<f32>,
    /// Of all that is asked, the share that it says in its own place; 0 to 1, as are all without another word.
    pub itself: f32,
    /// The same of what is asked besides names.
    pub attribute: f32,
    /// Of what is asked, the share that it or what stands around it holds by the letter.
    pub coverage: f32,
    /// The same of names, numbers and rare words alone.
    pub distinctive: f32,
    /// It lacks a name of the question.
    pub lacks_name: bool,
    /// It names nothing of the kind that is asked for: no time, no number, nobody.
    pub other_kind: bool,
    /// Names that the question has; a count.
    pub names: f32,
    /// Those of them that it lacks; a count.
    pub names_missed: f32,
    /// Terms of the question; a count.
    pub terms: f32,
    /// Rare ones that it lacks; a count.
    pub missed: f32,
    /// Share of the question in its own words.
    pub in_words: f32,
    /// Share in title, headings and tags.
    pub in_context: f32,
    /// Share in the sentences around.
    pub around: f32,
    /// Its words; a count.
    pub words: usize,
    /// It is a question itself.
    pub asks: bool,
    /// It ends in a colon, as what introduces a list does.
    pub introduces: bool,
    /// It has an address in its words.
    pub links: bool,
    /// Its form: a property, a list item, a sentence, a task.
    pub form: Form,
    /// The weight of the rarest term of the question.
    pub rarest: f32,
    /// The weight of all of them.
    pub asked: f32,
    /// The weight of the rarest that it does not hold at all.
    pub rarest_missed: f32,
    /// Places where it stands; a count.
    pub places: usize,
    /// What the first stage gave it.
    pub fused: f32,
    /// Its BM25 as a share of the best.
    pub lexical: f32,
    /// The cosine of the static vectors; 0 where it is not in that list.
    pub semantic: f32,
    /// What it got from hits that it belongs to.
    pub spread: f32,
}

/// The form of a statement, as far as it is weighed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// A property of a note.
    Property,
    /// A list item.
    Item,
    /// A sentence of a paragraph.
    Sentence,
    /// A task.
    Task,
    /// Anything else.
    #[default]
    Other,
}

/// A weight for each feature.
pub(crate) struct Weights {
    pub(crate) bias: f32,
    pub(crate) of: [f32; COUNT],
}

impl Features {
    /// Returns the features as numbers, in the order of [`FEATURES`].
    #[must_use]
    pub fn values(&self) -> [f32; COUNT] {
        let is = |is: bool| f32::from(u8::from(is));
        let likeness = self.likeness.unwrap_or_default();
        [
            likeness,
            likeness * likeness,
            likeness * self.itself,
            self.itself,
            self.attribute,
            self.coverage,
            self.distinctive,
            is(self.lacks_name),
            is(self.other_kind),
            self.names,
            self.names_missed,
            self.terms,
            self.missed,
            self.in_words,
            self.in_context,
            self.around,
            count(self.words).ln_1p(),
            is(self.asks),
            is(self.introduces),
            is(self.links),
            is(self.form == Form::Property),
            is(self.form == Form::Item),
            is(self.form == Form::Sentence),
            is(self.form == Form::Task),
            self.rarest,
            self.asked,
            self.rarest_missed,
            count(self.places).ln_1p(),
            self.fused,
            self.lexical,
            self.semantic,
            self.spread,
        ]
    }

    /// Returns the logarithm of the odds that it answers: with the transformer's word, where it was asked.
    #[must_use]
    pub fn log_odds(&self) -> f32 {
        let weights = if self.likeness.is_some() { &FULL } else { &QUICK };
        self.values().iter().zip(&weights.of).map(|(value, weight)| value * weight).sum::<f32>() + weights.bias
    }
}

/// Turns the logarithm of odds into a probability, 0 to 1.
#[must_use]
pub fn probability(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[expect(clippy::cast_precision_loss, reason = "counts of words and places are small")]
fn count(count: usize) -> f32 {
    count as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probability_grows_with_the_odds() {
        assert!((probability(0.0) - 0.5).abs() < 1e-6);
        assert!(probability(3.0) > 0.95 && probability(-3.0) < 0.05);
        assert!(probability(-200.0).is_finite() && probability(200.0) <= 1.0);
    }

    #[test]
    fn what_says_more_of_the_question_is_likelier() {
        let little = Features { words: 12, itself: 0.2, lexical: 0.2, likeness: Some(0.3), ..Features::default() };
        let much = Features { itself: 0.9, lexical: 1.0, likeness: Some(0.8), ..little };
        assert!(much.log_odds() > little.log_odds());
        let (little, much) = (Features { likeness: None, ..little }, Features { likeness: None, ..much });
        assert!(much.log_odds() > little.log_odds());
    }
}
