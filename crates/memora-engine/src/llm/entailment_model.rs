//! The installed entailment model, for sentences that the facts leave open.
//!
//! Invariant: **it is loaded once, for the first such sentence**, and each pair is read once:
//! the same passages and the same sentence have the same finding as long as the process runs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use memora_embed::{CrossEncoder, RuntimePaths, RuntimeUnavailable};
use memora_model::{ModelTask, PinTable};
use memora_verify::{
    EntailmentCounts, EntailmentError, EntailmentModel, Pair, Probabilities, SentenceVerdict, VerificationReport,
};

use crate::Memora;
use crate::config::Config;
use crate::config::edit::{ConfigEditError, ensure_table, set_value};
use crate::error_chain::format_error_chain;
use crate::llm::entailment_choice::EntailmentChoice;
use crate::report::{EntailmentReport, ModelsReport, PublishedModel};

/// The default threshold, for a model of the user's own without a configured one.
const ENTAILED_FROM: f32 = 0.9;

/// Maximum number of cached findings; beyond it all but the requested ones are dropped.
const KEPT_MAX: usize = 16_384;

impl EntailmentChoice {
    /// The model's name, or its folder; without paths the folder's last part.
    fn display_name(&self, with_paths: bool) -> String {
        let last = Path::new(&self.model).file_name().unwrap_or_default().to_string_lossy();
        if with_paths { self.model.clone() } else { last.into_owned() }
    }

    fn model_paths(&self, config: &Config) -> RuntimePaths {
        let own = Path::new(&self.model);
        let folder = if own.is_absolute() { own.to_owned() } else { config.models_dir().join(&self.model) };
        RuntimePaths { model: Some(folder), ..config.embedder_paths() }
    }

    fn entailment_threshold(&self) -> f32 {
        let shipped = || {
            let pins = PinTable::shipped();
            pins.models_for(ModelTask::Entailment)
                .find(|model| model.name == self.model)
                .and_then(|model| model.entailed_from)
        };
        self.entailed_from.or_else(shipped).unwrap_or(ENTAILED_FROM)
    }
}

impl Config {
    /// Writes the choice of a model for entailment into the user's `config.toml`, leaving the rest of it as it is; without
    /// one, that there is none.
    ///
    /// # Errors
    /// [`ConfigEditError`].
    pub fn choose_entailment(&self, model: Option<&str>) -> Result<PathBuf, ConfigEditError> {
        self.edit_file(|document| {
            let verify = ensure_table(document, "verify")?;
            match model {
                Some(model) => set_value(verify, "entailment", model),
                None => drop(verify.remove("entailment")),
            }
            Some(())
        })
    }

    /// The published entailment models, and the chosen one, which is loaded. With or without paths of this
    /// machine.
    #[must_use]
    pub fn models_report(&self, with_paths: bool) -> ModelsReport {
        let folder = self.models_dir();
        let pins = PinTable::shipped();
        let published = pins.models_for(ModelTask::Entailment).map(|model| {
            let own: Vec<_> = pins.files_for(&model.name, "none").filter(|pin| pin.target.contains('/')).collect();
            PublishedModel {
                name: model.name.clone(),
                languages: model.languages.clone(),
                licence: own.first().map(|pin| pin.licence.clone()).unwrap_or_default(),
                bytes: own.iter().map(|pin| pin.bytes).sum(),
                installed: own.iter().all(|pin| folder.join(&pin.target).is_file()),
                entailed_from: model.entailed_from.unwrap_or(ENTAILED_FROM),
                chosen_on: model.chosen_on.clone().unwrap_or_default(),
            }
        });
        let models = published.collect();
        let absent = self.entailment.as_ref().and_then(|choice| self.load_entailment(choice).err());
        ModelsReport {
            chosen: self.entailment.as_ref().map(|choice| choice.display_name(with_paths)),
            failure: absent
                .map(|absent| if with_paths { format_error_chain(&absent) } else { absent.code().replace('_', " ") }),
            models,
        }
    }

    /// Loads a model for entailment, and has it read something, to see that it works. Takes about a second.
    ///
    /// # Errors
    /// [`RuntimeUnavailable`].
    pub fn load_entailment(&self, choice: &EntailmentChoice) -> Result<Box<dyn EntailmentModel>, RuntimeUnavailable> {
        load_cross_encoder(choice, &choice.model_paths(self))
    }
}

/// The chosen model, if any, loaded when it is needed.
pub(crate) struct EntailmentReader {
    choice: Option<(EntailmentChoice, RuntimePaths)>,
    loaded: OnceLock<Result<Box<dyn EntailmentModel>, RuntimeUnavailable>>,
}

impl EntailmentReader {
    pub(crate) fn new(config: &Config) -> Self {
        let choice = config.entailment.clone();
        Self { choice: choice.map(|choice| (choice.clone(), choice.model_paths(config))), loaded: OnceLock::new() }
    }

    /// The chosen model, loaded if need be, or why it is missing.
    fn load_model(&self) -> Option<Result<&dyn EntailmentModel, &RuntimeUnavailable>> {
        let (choice, places) = self.choice.as_ref()?;
        Some(self.loaded.get_or_init(|| load_cross_encoder(choice, places)).as_ref().map(AsRef::as_ref))
    }

    /// The name of the chosen model and why it is missing, as far as it was needed.
    pub(crate) fn absence(&self) -> Option<(String, &'static str, String)> {
        let (choice, _) = self.choice.as_ref()?;
        let absent = self.loaded.get()?.as_ref().err()?;
        Some((choice.display_name(false), absent.code(), format_error_chain(absent)))
    }
}

fn load_cross_encoder(
    choice: &EntailmentChoice,
    places: &RuntimePaths,
) -> Result<Box<dyn EntailmentModel>, RuntimeUnavailable> {
    let encoder = CrossEncoder::load(places)?;
    let (name, threshold) = (encoder.name(), choice.entailment_threshold());
    Ok(Box::new(CachedCrossEncoder { encoder, name, threshold, kept: Mutex::default() }))
}

/// A cross-encoder loaded from files, with a cache of its findings.
struct CachedCrossEncoder {
    encoder: CrossEncoder,
    name: String,
    threshold: f32,
    kept: Mutex<HashMap<blake3::Hash, Option<Probabilities>>>,
}

impl EntailmentModel for CachedCrossEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn threshold(&self) -> f32 {
        self.threshold
    }

    fn read(&self, pairs: &[Pair]) -> Result<Vec<Option<Probabilities>>, EntailmentError> {
        let keys: Vec<blake3::Hash> = pairs.iter().map(pair_key).collect();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let due: Vec<(&blake3::Hash, &Pair)> =
            keys.iter().zip(pairs).filter(|(key, _)| !kept.contains_key(*key)).collect();
        let texts: Vec<(&str, &str)> =
            due.iter().map(|(_, pair)| (pair.premise.as_str(), pair.hypothesis.as_str())).collect();
        let found = self.encoder.classify_pairs(&texts);
        let found = found.map_err(|error| EntailmentError { model: self.name.clone(), source: error.into() })?;
        if kept.len() + due.len() > KEPT_MAX {
            kept.retain(|key, _| keys.contains(key));
        }
        for ((key, _), found) in due.iter().zip(found) {
            let probabilities =
                |[entailed, neutral, contradicted]: [f32; 3]| Probabilities { entailed, neutral, contradicted };
            kept.insert(**key, found.map(probabilities));
        }
        Ok(keys.iter().map(|key| kept.get(key).copied().flatten()).collect())
    }
}

/// The cache key of a pair.
fn pair_key(pair: &Pair) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(blake3::hash(pair.premise.as_bytes()).as_bytes());
    hasher.update(pair.hypothesis.as_bytes());
    hasher.finalize()
}

impl Memora {
    /// Has the installed model, if there is one, judge the open sentences of a report. Its passages are what the
    /// report's door shows, and the model is on this machine.
    pub(crate) fn read_open_sentences(&self, report: &mut VerificationReport) -> Option<EntailmentReport> {
        let open = |report: &VerificationReport| {
            report.sentences().iter().any(|s| s.verdict() == SentenceVerdict::Paraphrased)
        };
        let (choice, _) = self.reader.choice.as_ref().filter(|_| open(report))?;
        let nothing = |model: &str, failure: String| EntailmentReport {
            model: model.to_owned(),
            read: 0,
            entailed: 0,
            too_long: 0,
            failure: Some(failure),
        };
        let model = match self.reader.load_model()? {
            Ok(model) => model,
            Err(absent) => return Some(nothing(&choice.display_name(false), absent.code().to_owned())),
        };
        Some(match report.apply_entailment_model(model) {
            Ok(EntailmentCounts { read, entailed, too_long }) => {
                EntailmentReport { model: model.name().to_owned(), read, entailed, too_long, failure: None }
            }
            Err(error) => nothing(model.name(), error.to_string()),
        })
    }
}
