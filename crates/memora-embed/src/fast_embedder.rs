//! An embedder with a neural language model: [`FastEmbedder`], through fastembed and ONNX Runtime.
//!
//! Library and model are not part of the program; they are loaded if the user has them. Invariant: **loading
//! goes through [`RuntimePaths`].** fastembed would load a library by itself and panic if there is none, and it
//! would leave ONNX Runtime's telemetry on. Out of scope: fetching, including anything that fastembed could
//! fetch.

use std::error::Error;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use fastembed::{InitOptionsUserDefined, Pooling, TextEmbedding, TokenizerFiles, UserDefinedEmbeddingModel};
use ort::environment::Environment;
use ort::logging::LogLevel;

use crate::embedder::{EmbedError, Embedder, EmbedderId};
use crate::runtime_paths::{RuntimePaths, RuntimeUnavailable};
use crate::vector::Vector;

/// Errors of third-party libraries.
type ForeignError = Box<dyn Error + Send + Sync>;

/// Incremented whenever the same files give other vectors for some text, as in `static_embedder`.
const RULES_VERSION: u32 = 1;

/// The token limit, as sentence-transformers has it for this model; longer texts are truncated.
const TOKENS_MAX: usize = 256;

/// A model with a lower limit is rejected.
const TOKENS_MIN: f64 = 16.0;

/// Texts per batch, of similar length.
const BATCH: usize = 32;

/// The unknown token of tokenizers made like BERT's and of those with SentencePiece.
const UNKNOWN_TOKENS: [&str; 2] = ["[UNK]", "<unk>"];

/// Embeds with all-MiniLM-L6-v2 or another model whose vector is the mean over its tokens: some milliseconds a text.
///
/// A text is cut off behind 256 tokens. One that has no token, or none that is known, has a zero vector; left to the
/// model, all such texts would be exactly alike. It uses all processors while it embeds, and one text at a time goes
/// through it: a second thread waits.
pub struct FastEmbedder {
    id: EmbedderId,
    dimensions: usize,
    library: PathBuf,
    folder: PathBuf,
    model: Mutex<TextEmbedding>,
}

impl FastEmbedder {
    /// Loads library and model, if they exist, and embeds a probe. Takes about a second.
    ///
    /// The first library that could be loaded stays loaded as long as the process runs, and [`FastEmbedder::library`] of
    /// all later ones is that one.
    pub fn probe(places: &RuntimePaths) -> Result<Self, RuntimeUnavailable> {
        // What is cheap to look for comes first, so that nothing is loaded in vain.
        let (library, folder) = places.locate()?;
        let (library, environment) = load_runtime(library)?;
        let files = ModelFiles::read(&folder)?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let id = EmbedderId::new(&format!("{name}/{RULES_VERSION}"), files.hash());
        let unusable = |source: ForeignError| RuntimeUnavailable::ModelUnusable { path: folder.clone(), source };
        if files.has_tiny_token_limit() {
            return Err(unusable("its tokenizer_config.json leaves no room for tokens".into()));
        }
        let loaded = catch_panics(|| {
            let mut model = files.into_model(environment)?;
            let tried = model.embed(["memory"], None)?;
            Ok((model, tried))
        });
        let (model, tried) = loaded.and_then(|loaded: Result<_, ForeignError>| loaded).map_err(unusable)?;
        let dimensions = tried.first().map_or(0, Vec::len);
        if dimensions == 0 {
            return Err(unusable("it gives no vector".into()));
        }
        Ok(Self { id, dimensions, library, folder, model: Mutex::new(model) })
    }

    /// Returns the library that is used.
    pub fn library(&self) -> &Path {
        &self.library
    }

    /// Returns the folder that the model was read from.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn embed_known(&self, texts: &[&str]) -> Result<Vec<Vector>, EmbedError> {
        let mut model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        let mut vectors = vec![Vector::zero(self.dimensions); texts.len()];
        let mut known = Vec::new();
        for (text, vector) in texts.iter().zip(&mut vectors) {
            if has_known_token(&model, text).map_err(|error| self.run_error(error))? {
                known.push((*text, vector));
            }
        }
        // Within a batch all texts are filled up to the length of the longest, and that costs as much as text.
        known.sort_by_key(|(text, _)| text.len());
        for batch in known.chunks_mut(BATCH) {
            let texts: Vec<&str> = batch.iter().map(|(text, _)| *text).collect();
            let given = model.embed(&texts, None).map_err(|error| self.run_error(error.into()))?;
            self.check_shape(texts.len(), given.len())?;
            for ((_, vector), values) in batch.iter_mut().zip(given) {
                self.check_shape(self.dimensions, values.len())?;
                **vector = Vector::normalized(values);
            }
        }
        Ok(vectors)
    }

    fn run_error(&self, source: ForeignError) -> EmbedError {
        EmbedError::Run { model: self.id.name().to_owned(), source }
    }

    fn check_shape(&self, wanted: usize, given: usize) -> Result<(), EmbedError> {
        if wanted == given {
            return Ok(());
        }
        Err(EmbedError::Shape { model: self.id.name().to_owned(), wanted, given })
    }
}

impl Embedder for FastEmbedder {
    fn id(&self) -> &EmbedderId {
        &self.id
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vector>, EmbedError> {
        catch_panics(|| self.embed_known(texts)).map_err(|error| self.run_error(error))?
    }
}

/// Whether the model knows any token of the text.
fn has_known_token(model: &TextEmbedding, text: &str) -> Result<bool, ForeignError> {
    let tokens = model.tokenizer.encode(text, false)?;
    Ok(tokens.get_tokens().iter().any(|token| !UNKNOWN_TOKENS.contains(&token.as_str())))
}

/// Runs third-party code on the user's files, and turns a panic into an error.
fn catch_panics<T>(run: impl FnOnce() -> T) -> Result<T, ForeignError> {
    // What a panic leaves behind is a model or nothing, and a model is only read.
    catch_unwind(AssertUnwindSafe(run)).map_err(|_| "it panicked".into())
}

/// Loads the library, if none is loaded yet, and returns its path and the shared environment.
///
/// There can be only one per process, permanently: it is global state of the library.
fn load_runtime(library: PathBuf) -> Result<(PathBuf, Environment), RuntimeUnavailable> {
    static RUNTIME: Mutex<Option<(PathBuf, Environment)>> = Mutex::new(None);
    let mut runtime = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(loaded) = runtime.as_ref() {
        return Ok(loaded.clone());
    }
    let unusable = |source: ForeignError| RuntimeUnavailable::LibraryUnusable { path: library.clone(), source };
    let environment = ort::init_from(&library).map_err(|error| unusable(error.into()))?;
    let environment = environment
        .with_name("memora")
        // On Windows, Microsoft's own builds report what is run, unless told otherwise.
        .with_telemetry(false)
        // It would write to standard error; what matters comes back as an error.
        .with_logger(Arc::new(|_, _, _, _, _| {}))
        .build()
        .map_err(|error| unusable(error.into()))?;
    environment.set_log_level(LogLevel::Fatal);
    Ok(runtime.insert((library, environment)).clone())
}

/// A model's files, in the order of [`RuntimePaths::MODEL_FILES`].
struct ModelFiles([Vec<u8>; RuntimePaths::MODEL_FILES.len()]);

impl ModelFiles {
    fn read(folder: &Path) -> Result<Self, RuntimeUnavailable> {
        let mut files = [const { Vec::new() }; RuntimePaths::MODEL_FILES.len()];
        for (file, name) in files.iter_mut().zip(RuntimePaths::MODEL_FILES) {
            let path = folder.join(name);
            *file = fs::read(&path).map_err(|source| RuntimeUnavailable::ModelFile { path, source })?;
        }
        Ok(Self(files))
    }

    /// Returns a hash of all files: another tokenizer makes other vectors too.
    fn hash(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        for file in &self.0 {
            hasher.update(blake3::hash(file).as_bytes());
        }
        hasher.finalize()
    }

    /// Has the model less room than its special tokens need? The tokenizer would panic.
    fn has_tiny_token_limit(&self) -> bool {
        let [.., config] = &self.0;
        // What is no JSON, or has no such number, is an error of fastembed's.
        let config: Option<serde_json::Value> = serde_json::from_slice(config).ok();
        config.and_then(|config| config.get("model_max_length")?.as_f64()).is_some_and(|tokens| tokens < TOKENS_MIN)
    }

    fn into_model(self, environment: Environment) -> Result<TextEmbedding, fastembed::Error> {
        let [onnx, tokenizer_file, config_file, special_tokens_map_file, tokenizer_config_file] = self.0;
        let tokenizer = TokenizerFiles { tokenizer_file, config_file, special_tokens_map_file, tokenizer_config_file };
        let model = UserDefinedEmbeddingModel::new(onnx, tokenizer).with_pooling(Pooling::Mean);
        let options = InitOptionsUserDefined::new().with_environment(environment).with_max_length(TOKENS_MAX);
        TextEmbedding::try_new_from_user_defined(model, options)
    }
}
