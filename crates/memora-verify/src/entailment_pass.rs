//! Applies a local entailment model to sentences that the rules leave open: [`Report::read_by`].

use memora_entail::{EntailmentError, EntailmentModel, Pair};

use crate::draft::BlockKind;
use crate::evidence::CitedPassage;
use crate::report::{CheckedSentence, ModelFinding, SentenceVerdict, VerificationReport};

/// Counts of an entailment pass, in sentences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntailmentCounts {
    /// Read by the model.
    pub read: usize,
    /// Those of them that are entailed.
    pub entailed: usize,
    /// Not read: too long for the model together with their passages.
    pub too_long: usize,
}

impl VerificationReport {
    /// Runs a model on the paraphrased sentences, each with the passages of its citations, and marks those as entailed
    /// that reach its [threshold](EntailmentModel::threshold). Table rows are skipped. Other verdicts stay: a model can
    /// accept wording, but never overrule a fact.
    ///
    /// # Errors
    /// [`EntailmentError`]; all verdicts are unchanged then.
    pub fn apply_entailment_model(&mut self, model: &dyn EntailmentModel) -> Result<EntailmentCounts, EntailmentError> {
        // A row means nothing without its header, which is not a sentence.
        let open = |sentence: &CheckedSentence| {
            sentence.verdict == SentenceVerdict::Paraphrased && sentence.kind != BlockKind::Row
        };
        let due: Vec<&mut CheckedSentence> = self.sentences.iter_mut().filter(|sentence| open(sentence)).collect();
        if due.is_empty() {
            return Ok(EntailmentCounts::default());
        }
        let pairs: Vec<Pair> = due.iter().map(|sentence| to_model_pair(sentence)).collect();
        let mut reading = EntailmentCounts::default();
        for (sentence, found) in due.into_iter().zip(model.read(&pairs)?) {
            let Some(found) = found else {
                reading.too_long += 1;
                continue;
            };
            reading.read += 1;
            if found.entailed >= model.threshold() {
                reading.entailed += 1;
                sentence.verdict = SentenceVerdict::Entailed;
                let (model, probability) = (model.name().to_owned(), Some(found.entailed));
                sentence.model = Some(ModelFinding::Entailed { model, probability, evidence: None });
            }
        }
        Ok(reading)
    }
}

/// Returns a sentence and its passages as model input.
fn to_model_pair(sentence: &CheckedSentence) -> Pair {
    let passages = sentence.citations.iter().flat_map(|citation| &citation.passages);
    Pair::of(passages.map(|passage| (passage.context(), describe_passage(passage))), sentence.judged_text())
}

/// Returns the words of a passage, prefixed if it is an unfinished task.
fn describe_passage(passage: &CitedPassage) -> String {
    let open = if passage.is_open_task() { "to do: " } else { "" };
    format!("{open}{}", passage.words())
}

#[cfg(test)]
#[path = "entailment_pass_tests.rs"]
mod tests;
