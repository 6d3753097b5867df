//! What a model on this machine makes of sentences that facts leave open: [`Report::read_by`].

use memora_entail::{EntailmentError, EntailmentModel, Pair};

use crate::draft::BlockKind;
use crate::evidence::CitedPassage;
use crate::report::{CheckedSentence, ModelFinding, VerificationReport, SentenceVerdict};

/// How reading went, in sentences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntailmentCounts {
    /// Read.
    pub read: usize,
    /// Those of them that are entailed by it.
    pub entailed: usize,
    /// Not read: with their passages longer than the model reads.
    pub too_long: usize,
}

impl VerificationReport {
    /// Has a model read the paraphrased sentences, each with all that its citations name, and takes those for entailed that
    /// reach its [threshold](EntailmentModel::threshold). Rows of tables are not read. Every other verdict stays: a model lifts wording, and overrules no
    /// fact.
    ///
    /// # Errors
    /// [`EntailmentError`]; then every verdict is as it was.
    pub fn apply_entailment_model(&mut self, model: &dyn EntailmentModel) -> Result<EntailmentCounts, EntailmentError> {
        // A row says nothing without its head, which is no sentence.
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

/// A sentence and its passages, as a model reads them.
fn to_model_pair(sentence: &CheckedSentence) -> Pair {
    let passages = sentence.citations.iter().flat_map(|citation| &citation.passages);
    Pair::of(passages.map(|passage| (passage.context(), describe_passage(passage))), sentence.judged_text())
}

/// The words of a passage; those of a task that is not done yet say so.
fn describe_passage(passage: &CitedPassage) -> String {
    let open = if passage.is_open_task() { "to do: " } else { "" };
    format!("{open}{}", passage.words())
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod tests;
