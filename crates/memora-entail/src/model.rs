//! What a model that reads finds: [`EntailmentModel`].
//!
//! The one rule to know: **a model lifts wording and no fact.** It is asked about what facts leave open, and what it finds
//! carries its name and its score.

use std::error::Error;

/// A premise and a hypothesis: does the one say the other?
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// Words of notes, each passage behind the texts that give it its meaning.
    pub premise: String,
    /// The sentence.
    pub hypothesis: String,
}

impl Pair {
    /// Puts passages, each with the texts that give it its meaning, and a sentence into the form that models read: a line
    /// `title > heading > date: words` for each passage, each once.
    #[must_use]
    pub fn of<'p>(passages: impl IntoIterator<Item = (&'p [String], String)>, sentence: &str) -> Self {
        let mut lines: Vec<String> = Vec::new();
        for (context, words) in passages {
            let context: Vec<&str> = context.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
            let line = if context.is_empty() { words } else { format!("{}: {words}", context.join(" > ")) };
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        Self { premise: lines.join("\n"), hypothesis: sentence.to_owned() }
    }
}

/// How probable each of the three is to a model: three numbers from 0 to 1 that add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probabilities {
    /// The premise says the hypothesis.
    pub entailed: f32,
    /// It leaves it open.
    pub neutral: f32,
    /// It says otherwise.
    pub contradicted: f32,
}

/// Why a model found nothing.
#[derive(Debug, thiserror::Error)]
#[error("{model} cannot read")]
pub struct EntailmentError {
    /// The model.
    pub model: String,
    /// Why.
    pub source: Box<dyn Error + Send + Sync>,
}

/// A model on this machine that says whether a premise entails a hypothesis.
pub trait EntailmentModel: Send + Sync {
    /// Its name, which stands beside what it finds.
    fn name(&self) -> &str;

    /// From which probability of entailment on a sentence counts as entailed by it.
    fn threshold(&self) -> f32;

    /// Reads pairs: one result for each, in their order; `None` of a pair that is longer than it reads.
    ///
    /// # Errors
    /// [`EntailmentError`].
    fn read(&self, pairs: &[Pair]) -> Result<Vec<Option<Probabilities>>, EntailmentError>;
}
