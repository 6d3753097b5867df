//! Models that were taken for local ones and turned out to run elsewhere: [`RemoteModels`].
//!
//! `far-models.json` in the user's state folder, for all vaults, lists each by its address and its name.
//! Invariant: **nothing here makes a model local.** Only the user removes entries. A file that cannot be read, or is
//! full, marks every model as remote.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use memora_model::{ConnectedModel, ModelConfig, ModelError, ModelLimits};
use memora_vault::Hint;
use serde::{Deserialize, Serialize};

use crate::state::config::private_file::private_file_options;
use crate::state::open::Memora;

/// The file, what it is replaced by, and what writers take in turn.
const FILE: &str = "far-models.json";
const NEXT: &str = "far-models.json.new";
const LOCK: &str = "far-models.lock";

/// Maximum number of entries. A full file marks every model as remote.
const MODELS_MAX: usize = 500;

/// Maximum size of the file.
const BYTES_MAX: u64 = 4 << 20;

/// Why a model could not be connected.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Whether it is known to run elsewhere could not be read.
    #[error(transparent)]
    RemoteModels(#[from] RemoteModelsError),
}

impl Hint for ConnectError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Model(error) => error.hint(),
            Self::RemoteModels(error) => error.hint(),
        }
    }
}

/// Why the file could not be used.
#[derive(Debug, thiserror::Error)]
pub enum RemoteModelsError {
    /// The file system.
    #[error("cannot use {}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is not what was written.
    #[error("{} is not understood", path.display())]
    NotUnderstood {
        /// Which file.
        path: PathBuf,
    },
}

impl Hint for RemoteModelsError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => "check that the state folder can be read and written",
            Self::NotUnderstood { .. } => {
                "it names the models that turned out to run elsewhere; correct it, or delete it if none of yours does"
            }
        }
    }
}

/// One entry of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RemoteModelRecord {
    to: String,
    model: String,
}

impl RemoteModelRecord {
    /// Compares names as Ollama does: ignoring case and the default tag `:latest`.
    fn matches_model(&self, to: &str, model: &str) -> bool {
        let plain = |name: &str| {
            let name = name.trim().to_lowercase();
            name.strip_suffix(":latest").unwrap_or(&name).to_owned()
        };
        self.to == to && plain(&self.model) == plain(model)
    }
}

/// The models that are known to run elsewhere.
#[derive(Clone, Debug)]
pub struct RemoteModels {
    folder: PathBuf,
}

impl RemoteModels {
    /// The models listed in the file in the user's state folder. Reads nothing yet.
    #[must_use]
    pub fn in_state_dir(state_dir: &Path) -> Self {
        Self { folder: state_dir.to_owned() }
    }

    /// The path of the file, which exists once a model turned out to run elsewhere.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.join(FILE)
    }

    /// Whether the model of this name that is asked there is known to run elsewhere.
    ///
    /// # Errors
    /// [`RemoteModelsError`]; then the model must be treated as remote. A missing file is not an error.
    pub fn contains(&self, destination: &str, name: &str) -> Result<bool, RemoteModelsError> {
        let known = self.read_records()?;
        Ok(known.len() >= MODELS_MAX || known.iter().any(|known| known.matches_model(destination, name)))
    }

    /// Remembers that the model of this name that is asked there runs elsewhere, and returns once that is on the disk.
    pub fn add(&self, destination: &str, name: &str) -> Result<(), RemoteModelsError> {
        let lock = self.folder.join(LOCK);
        let locked = fs::create_dir_all(&self.folder).and_then(|()| open_private_file(&lock));
        let locked = locked.and_then(|file| file.lock().map(|()| file));
        let _lock = locked.map_err(|source| RemoteModelsError::Io { path: lock, source })?;
        if self.contains(destination, name)? {
            return Ok(());
        }
        let mut known = self.read_records()?;
        known.push(RemoteModelRecord { to: destination.to_owned(), model: name.to_owned() });
        let next = self.folder.join(NEXT);
        let mut text = serde_json::to_vec_pretty(&known).expect("texts can be written as JSON");
        text.push(b'\n');
        let written = open_private_file(&next).and_then(|mut file| {
            file.set_len(0)?;
            file.write_all(&text)?;
            file.sync_all()
        });
        let written = written.and_then(|()| fs::rename(&next, self.path()));
        written.map_err(|source| RemoteModelsError::Io { path: self.path(), source })
    }

    fn read_records(&self) -> Result<Vec<RemoteModelRecord>, RemoteModelsError> {
        let path = self.path();
        let mut text = Vec::new();
        match File::open(&path).and_then(|file| file.take(BYTES_MAX).read_to_end(&mut text)) {
            Ok(_) => serde_json::from_slice(&text).map_err(|_| RemoteModelsError::NotUnderstood { path }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(source) => Err(RemoteModelsError::Io { path, source }),
        }
    }
}

/// Opens a file for writing, made if missing.
fn open_private_file(path: &Path) -> io::Result<File> {
    private_file_options().write(true).create(true).truncate(false).open(path)
}

impl Memora {
    /// Connects to a model, as [`ConnectedModel::connect`] does; a model that once turned out to run
    /// elsewhere is treated as remote.
    pub fn connect_model(
        &self,
        config: &ModelConfig,
        limits: &ModelLimits,
        stop: &AtomicBool,
    ) -> Result<ConnectedModel, ConnectError> {
        let model = ConnectedModel::connect(config, limits, stop)?;
        let known = model.is_local() && self.remote_models().contains(model.destination(), model.name())?;
        Ok(if known { model.into_remote() } else { model })
    }

    /// The models that are known to run elsewhere.
    #[must_use]
    pub fn remote_models(&self) -> RemoteModels {
        RemoteModels::in_state_dir(&self.config.state_dir)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TO: &str = "127.0.0.1:11434";

    fn models() -> (tempfile::TempDir, RemoteModels) {
        let folder = tempfile::tempdir().expect("a folder");
        let models = RemoteModels::in_state_dir(&folder.path().join("state"));
        (folder, models)
    }

    #[test]
    fn what_was_added_is_known() {
        let (_folder, models) = models();
        assert!(!models.contains(TO, "big").expect("no file is none that fails"));
        models.add(TO, "big").expect("it is written");
        models.add(TO, "other:8b").expect("it is written");
        models.add(TO, "BIG:latest").expect("it is known already");
        let text = fs::read_to_string(models.path()).expect("a file");
        assert_eq!(text.matches("\"to\"").count(), 2, "{text}");
        for name in ["big", "BIG", " big ", "big:latest", "other:8b"] {
            assert!(models.contains(TO, name).expect("a file"), "{name}");
        }
        for (to, name) in [(TO, "big:8b"), (TO, "other"), ("127.0.0.1:1", "big")] {
            assert!(!models.contains(to, name).expect("a file"), "{to} {name}");
        }
        assert!(!models.folder.join(NEXT).exists());
        fs::remove_file(models.path()).expect("the user takes it away");
        assert!(!models.contains(TO, "big").expect("no file"));
    }

    #[test]
    fn a_file_that_is_not_understood_speaks_against_every_model_and_is_left_alone() {
        let (_folder, models) = models();
        models.add(TO, "big").expect("it is written");
        for odd in ["", "{}", "[1]", "[{\"to\": \"x\"}]", "[{\"to\": \"x\", \"model\": \"y\"}"] {
            fs::write(models.path(), odd).expect("it is spoilt");
            let error = models.contains(TO, "other").expect_err("it is spoilt");
            assert!(matches!(error, RemoteModelsError::NotUnderstood { .. }) && error.hint().contains("delete"));
            assert!(models.add(TO, "other").is_err());
            assert_eq!(fs::read_to_string(models.path()).expect("a file"), odd);
        }
    }

    #[test]
    fn a_full_file_grows_no_more_and_speaks_against_every_model() {
        let (_folder, models) = models();
        let all: Vec<_> =
            (1..MODELS_MAX).map(|n| RemoteModelRecord { to: TO.to_owned(), model: n.to_string() }).collect();
        fs::create_dir_all(&models.folder).expect("a folder");
        fs::write(models.path(), serde_json::to_vec(&all).expect("JSON")).expect("a file");
        assert!(!models.contains(TO, "big").expect("a file"));
        models.add(TO, "last").expect("there is room for one");
        assert!(models.contains(TO, "big").expect("a file"));
        let before = fs::read(models.path()).expect("a file");
        models.add(TO, "big").expect("it counts already");
        assert_eq!(fs::read(models.path()).expect("a file"), before);
    }

    #[test]
    fn what_several_add_at_once_is_all_there() {
        let (_folder, models) = models();
        std::thread::scope(|scope| {
            for writer in ["a", "b", "c"] {
                let models = models.clone();
                scope.spawn(move || {
                    for number in 0..10 {
                        models.add(TO, &format!("{writer}{number}")).expect("it is written");
                    }
                });
            }
        });
        assert_eq!(models.read_records().map(|known| known.len()).ok(), Some(30));
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, models) = models();
        models.add(TO, "big").expect("it is written");
        let mode = fs::metadata(models.path()).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
