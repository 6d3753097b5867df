//! A network that reads two texts together: [`CrossEncoder`], through ONNX Runtime.
//!
//! Its `config.json` names its task: here, whether the first text entails the second. Invariant: **a pair longer than
//! the network's limit is not classified.** Truncated, it would be judged by a part of itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ort::environment::Environment;
use ort::session::Session;
use ort::value::Tensor;
use tokenizers::{Encoding, Tokenizer};

use crate::embedder::EmbedError;
use crate::fast_embedder::{ForeignError, catch_panics, load_runtime};
use crate::runtime_paths::{RuntimePaths, RuntimeUnavailable};

/// Pairs per batch, of similar length.
const BATCH: usize = 16;

/// The usual token limit of such networks, if they don't state a lower one.
const TOKENS_MAX: usize = 512;

/// A probe sentence that entails itself, for any training data.
const PROBE_SENTENCE: &str = "Anna has a dog.";

/// Classifies pairs of texts, with three probabilities each: tens of pairs a second on one core.
///
/// Batches run one at a time: a second thread waits.
pub struct CrossEncoder {
    folder: PathBuf,
    tokenizer: Tokenizer,
    tokens_max: usize,
    /// Where entailment, neutral and contradiction stand among what the network gives.
    order: [usize; 3],
    /// Whether the network is told which text a token is of.
    takes_types: bool,
    session: Mutex<Session>,
}

impl CrossEncoder {
    /// The files that its folder holds.
    pub const FILES: [&str; 3] = ["model.onnx", "tokenizer.json", "config.json"];

    /// Loads library and network, and runs a probe. Takes about a second.
    ///
    /// # Errors
    /// [`RuntimeUnavailable`], also if the network does not find that a sentence entails itself.
    pub fn load(places: &RuntimePaths) -> Result<Self, RuntimeUnavailable> {
        let (library, folder) = places.locate_with_files(&Self::FILES)?;
        let (_, environment) = load_runtime(library)?;
        let mut files = [const { Vec::new() }; Self::FILES.len()];
        for (file, name) in files.iter_mut().zip(Self::FILES) {
            let path = folder.join(name);
            *file = fs::read(&path).map_err(|source| RuntimeUnavailable::ModelFile { path, source })?;
        }
        let made = catch_panics(|| Self::build(&folder, &environment, &files));
        let unusable = |source: ForeignError| RuntimeUnavailable::ModelUnusable { path: folder.clone(), source };
        let encoder = made.and_then(|made| made).map_err(unusable)?;
        let tried =
            encoder.classify_pairs(&[(PROBE_SENTENCE, PROBE_SENTENCE)]).map_err(|error| unusable(error.into()))?;
        match tried.first() {
            Some(Some([entailed, neutral, contradicted])) if entailed > neutral && entailed > contradicted => {
                Ok(encoder)
            }
            _ => Err(unusable("it does not find that a sentence says itself".into())),
        }
    }

    fn build(folder: &Path, environment: &Environment, files: &[Vec<u8>; 3]) -> Result<Self, ForeignError> {
        let [onnx, tokenizer, config] = files;
        let config: serde_json::Value = serde_json::from_slice(config)?;
        let mut tokenizer = Tokenizer::from_bytes(tokenizer)?;
        // How long a pair is has to be seen, and batches are filled up here.
        tokenizer.with_truncation(None)?;
        tokenizer.with_padding(None);
        let session = Session::builder(environment)?.commit_from_memory(onnx)?;
        let room = config.get("max_position_embeddings").and_then(serde_json::Value::as_u64);
        Ok(Self {
            folder: folder.to_owned(),
            tokens_max: room.and_then(|room| usize::try_from(room).ok()).unwrap_or(TOKENS_MAX).min(TOKENS_MAX),
            order: find_label_order(&config)
                .ok_or("its config.json does not say what entailment, neutral and contradiction are")?,
            takes_types: session.inputs().iter().any(|input| input.name() == "token_type_ids"),
            tokenizer,
            session: Mutex::new(session),
        })
    }

    /// Returns the name of the network: that of its folder.
    #[must_use]
    pub fn name(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Classifies pairs: for each, in order, the probabilities that the first text entails the second, is neutral to it
    /// and contradicts it; `None` for a pair that is too long.
    ///
    /// # Errors
    /// [`EmbedError`], when the network cannot be run.
    pub fn classify_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<Option<[f32; 3]>>, EmbedError> {
        let failed = |source| EmbedError::Run { model: self.name(), source };
        catch_panics(|| self.classify_in_process(pairs)).and_then(|read| read).map_err(failed)
    }

    fn classify_in_process(&self, pairs: &[(&str, &str)]) -> Result<Vec<Option<[f32; 3]>>, ForeignError> {
        let mut found = vec![None; pairs.len()];
        let mut due = Vec::new();
        for (number, pair) in pairs.iter().enumerate() {
            let encoding = self.tokenizer.encode(*pair, true)?;
            if encoding.len() <= self.tokens_max {
                due.push((number, encoding));
            }
        }
        // Within a batch all are filled up to the length of the longest, and that costs as much as text.
        due.sort_by_key(|(_, encoding)| encoding.len());
        for batch in due.chunks(BATCH) {
            let logits = self.run_batch(batch)?;
            for ((number, _), logits) in batch.iter().zip(logits) {
                if let Some(slot) = found.get_mut(*number) {
                    *slot = Some(self.to_probabilities(&logits)?);
                }
            }
        }
        Ok(found)
    }

    /// The logits of a batch, a row for each.
    fn run_batch(&self, batch: &[(usize, Encoding)]) -> Result<Vec<Vec<f32>>, ForeignError> {
        let length = batch.iter().map(|(_, encoding)| encoding.len()).max().unwrap_or(0);
        let column = |of: fn(&Encoding) -> &[u32], fill: i64| {
            let mut values = Vec::with_capacity(batch.len() * length);
            for (_, encoding) in batch {
                let row = of(encoding).iter().map(|value| i64::from(*value));
                values.extend(row.chain(std::iter::repeat(fill)).take(length));
            }
            Tensor::from_array(([batch.len(), length], values))
        };
        // What fills up is masked, so which token it is makes no difference.
        let mut inputs = ort::inputs! {
            "input_ids" => column(Encoding::get_ids, 0)?,
            "attention_mask" => column(Encoding::get_attention_mask, 0)?,
        };
        if self.takes_types {
            inputs.push(("token_type_ids".into(), column(Encoding::get_type_ids, 0)?.into()));
        }
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let outputs = session.run(inputs)?;
        let first = outputs.values().next().ok_or("it gives nothing")?;
        let (_, logits) = first.try_extract_tensor::<f32>()?;
        if logits.len() != batch.len() * self.order.len() {
            return Err("it does not give three numbers for a pair".into());
        }
        Ok(logits.chunks(self.order.len()).map(<[f32]>::to_vec).collect())
    }

    /// Converts the logits of a pair to probabilities, in the order entailment, neutral, contradiction.
    fn to_probabilities(&self, logits: &[f32]) -> Result<[f32; 3], ForeignError> {
        let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let powers: Vec<f32> = logits.iter().map(|logit| (logit - highest).exp()).collect();
        let sum: f32 = powers.iter().sum();
        let found = self.order.map(|at| powers.get(at).map_or(f32::NAN, |power| power / sum));
        if found.iter().all(|p| p.is_finite()) { Ok(found) } else { Err("it gives what is no number".into()) }
    }
}

/// The positions of entailment, neutral and contradiction, by the labels of a configuration.
fn find_label_order(config: &serde_json::Value) -> Option<[usize; 3]> {
    let labels = config.get("id2label")?.as_object()?;
    let at = |start: &str| {
        let is = |label: &serde_json::Value| label.as_str().is_some_and(|l| l.to_lowercase().starts_with(start));
        labels.iter().find(|(_, label)| is(label))?.0.parse::<usize>().ok().filter(|at| *at < 3)
    };
    (labels.len() == 3).then_some(())?;
    Some([at("entail")?, at("neutral")?, at("contradict")?])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn labels_are_read_and_not_guessed() {
        let order_of = |labels: serde_json::Value| find_label_order(&json!({ "id2label": labels }));
        assert_eq!(order_of(json!({"0": "contradiction", "1": "entailment", "2": "neutral"})), Some([1, 2, 0]));
        assert_eq!(order_of(json!({"0": "ENTAILMENT", "1": "NEUTRAL", "2": "CONTRADICTION"})), Some([0, 1, 2]));
        for bad in [
            json!({"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}),
            json!({"0": "entailment", "1": "not_entailment"}),
            json!({"0": "entailment", "1": "neutral", "7": "contradiction"}),
            json!(["entailment", "neutral", "contradiction"]),
        ] {
            assert_eq!(order_of(bad.clone()), None, "{bad}");
        }
    }
}
