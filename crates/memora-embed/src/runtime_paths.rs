//! Where to find ONNX Runtime and its model: [`RuntimePaths`], and why they cannot be used, [`RuntimeUnavailable`].
//!
//! Invariant: **only named paths are looked at.** No environment variable is read here, no folder is searched, and no
//! relative path is accepted: it would depend on the working folder, which may be an untrusted vault. Out of scope:
//! fetching missing files.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

/// Where to look for the library and the model. Unknown paths are left out.
///
/// The library is the first file among `library`, `ort_dylib_path` and [`RuntimePaths::library_in`] of the data folder; the
/// choice does not affect the vectors. The model is in `model` if given, and else in [`RuntimePaths::model_in`] of the data
/// folder: a configured model is never replaced by another one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuntimePaths {
    /// ONNX Runtime's library, as the configuration has it.
    pub library: Option<PathBuf>,
    /// ONNX Runtime's library, as the environment variable `ORT_DYLIB_PATH` has it; an empty one names nothing.
    pub ort_dylib_path: Option<PathBuf>,
    /// The folder of a model, as the configuration has it. Its last part becomes the model's name.
    pub model: Option<PathBuf>,
    /// The folder for what was fetched at the user's wish.
    pub data: Option<PathBuf>,
}

impl RuntimePaths {
    /// The files that a folder of a model holds.
    pub const MODEL_FILES: [&str; 5] =
        ["model.onnx", "tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json"];

    /// The name of the model that is looked for in the data folder.
    pub const MODEL: &str = "all-MiniLM-L6-v2";

    /// Returns where the library lies in a data folder.
    pub fn library_in(data: &Path) -> PathBuf {
        data.join(if cfg!(windows) {
            "onnxruntime.dll"
        } else if cfg!(target_vendor = "apple") {
            "libonnxruntime.dylib"
        } else {
            "libonnxruntime.so"
        })
    }

    /// Returns the folder of the model in a data folder.
    pub fn model_in(data: &Path) -> PathBuf {
        data.join(Self::MODEL)
    }

    /// Checks that library and model exist, and returns their paths. Loads nothing, so they may still be unusable.
    pub fn locate(&self) -> Result<(PathBuf, PathBuf), RuntimeUnavailable> {
        Ok((self.find_library()?, self.find_model()?))
    }

    /// Returns the library that is there.
    pub(crate) fn find_library(&self) -> Result<PathBuf, RuntimeUnavailable> {
        let mut looked = Vec::new();
        let in_data = self.data.as_deref().map(Self::library_in);
        for path in [&self.library, &self.ort_dylib_path, &in_data].into_iter().flatten() {
            if path.as_os_str().is_empty() {
                continue;
            }
            let path = require_absolute(path)?;
            if path.is_file() {
                return Ok(path.to_owned());
            }
            looked.push(path.to_owned());
        }
        Err(RuntimeUnavailable::Library { looked })
    }

    /// Returns the folder of the model, if all its files are there.
    pub(crate) fn find_model(&self) -> Result<PathBuf, RuntimeUnavailable> {
        let in_data = self.data.as_deref().map(Self::model_in);
        let Some(folder) = self.model.as_ref().or(in_data.as_ref()) else {
            return Err(RuntimeUnavailable::Model { looked: Vec::new() });
        };
        let folder = require_absolute(folder)?;
        if !folder.is_dir() {
            return Err(RuntimeUnavailable::Model { looked: vec![folder.to_owned()] });
        }
        match Self::MODEL_FILES.iter().map(|name| folder.join(name)).find(|file| !file.is_file()) {
            Some(path) => Err(RuntimeUnavailable::ModelFile { path, source: io::ErrorKind::NotFound.into() }),
            None => Ok(folder.to_owned()),
        }
    }
}

fn require_absolute(path: &Path) -> Result<&Path, RuntimeUnavailable> {
    if path.is_absolute() { Ok(path) } else { Err(RuntimeUnavailable::Relative { path: path.to_owned() }) }
}

/// Why there is no model that runs through ONNX Runtime.
///
/// This is normal: most users have none.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeUnavailable {
    /// The program was built without the feature `onnx`.
    #[cfg(not(feature = "onnx"))]
    #[error("this program was built without models that run through ONNX Runtime")]
    NotBuilt,
    /// No place has the library.
    #[error("ONNX Runtime's library is {}", nowhere(.looked))]
    Library {
        /// Where it was looked for, in this order; nowhere if no place was known.
        looked: Vec<PathBuf>,
    },
    /// There is a library, and it cannot be used: too old, for another machine, damaged, or something else.
    #[error("ONNX Runtime's library {} cannot be used", path.display())]
    LibraryUnusable {
        /// Which one.
        path: PathBuf,
        /// What is the matter with it.
        source: Box<dyn Error + Send + Sync>,
    },
    /// There is no folder with the model.
    #[error("the model is {}", nowhere(.looked))]
    Model {
        /// Where it was looked for; nowhere if no place was known.
        looked: Vec<PathBuf>,
    },
    /// There is a folder, and a file of the model is not in it or cannot be read.
    #[error("the model's file {} cannot be read", path.display())]
    ModelFile {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// All files are there, and they make no model.
    #[error("the model in {} cannot be used", path.display())]
    ModelUnusable {
        /// The folder.
        path: PathBuf,
        /// What is the matter with it.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A place is a relative path.
    #[error("the path {} is relative, an absolute one is needed", path.display())]
    Relative {
        /// The path.
        path: PathBuf,
    },
}

impl RuntimeUnavailable {
    /// Which of them it is, without a path: a word for programs and for those who may not see paths.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            #[cfg(not(feature = "onnx"))]
            Self::NotBuilt => "not_built",
            Self::Library { .. } => "library_missing",
            Self::LibraryUnusable { .. } => "library_unusable",
            Self::Model { .. } | Self::ModelFile { .. } => "model_missing",
            Self::ModelUnusable { .. } => "model_unusable",
            Self::Relative { .. } => "path_relative",
        }
    }
}

fn nowhere(looked: &[PathBuf]) -> String {
    if looked.is_empty() {
        return "nowhere: no place for it is known".to_owned();
    }
    let looked: Vec<String> = looked.iter().map(|path| path.display().to_string()).collect();
    format!("not at {}", looked.join(", nor at "))
}
