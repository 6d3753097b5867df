//! Why the user's configuration cannot be used: [`ConfigError`].

use std::path::PathBuf;

use memora_extract::RelationsError;
use memora_model::ModelConfigError;
use memora_vault::{Hint, PlaceRulesError};

/// Why the user's configuration could not be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// No home folder, and no folder was named.
    #[error("there is no home folder to keep the index in")]
    NoHome,
    /// A file or folder could not be read or made.
    #[error("cannot use {}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not what it should be.
    #[error("{} cannot be read", path.display())]
    Rules {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: PlaceRulesError,
    },
    /// `owner` is not a name.
    #[error("{}: owner must be a name", path.display())]
    Owner {
        /// The file.
        path: PathBuf,
    },
    /// A relation of the user's own can't be read.
    #[error("{} cannot be read", path.display())]
    Relations {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: RelationsError,
    },
    /// `[search]` has an invalid value.
    #[error("{}: search.fusion must be \"scores\" or \"ranks\", search.nearest \"scan\" or, in a program built with the feature `hnsw`, \"hnsw\"", path.display())]
    Search {
        /// The file.
        path: PathBuf,
    },
    /// `[search]` has an unknown key.
    #[error("{}: [search] has no key `{key}`", path.display())]
    SearchKey {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
    },
    /// `[model]` names none.
    #[error("{} cannot be read", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: ModelConfigError,
    },
    /// `[verify]` has an unknown key or an invalid value.
    #[error("{}: [verify] has the key strict, true or false", path.display())]
    Verify {
        /// The file.
        path: PathBuf,
    },
    /// `[memory]` has an unknown key or an invalid value.
    #[error("{}: [memory] has the keys folder (a folder of the vault), agents (\"off\", \"read\" or \"write\"), extract (\"off\", \"propose\" or \"save\"), checkpoint_every and ask_every (turns of a session, 0 for never)", path.display())]
    Memory {
        /// The file.
        path: PathBuf,
    },
    /// A `[[memory.bridge]]` has an unknown key or an invalid value.
    #[error("{}: a [[memory.bridge]] has a name of its own (lower-case letters, digits, - and _), command (a program, or a list with its arguments), and perhaps args, read, write, where (\"local\" or \"cloud\"), arguments, env and pass_env", path.display())]
    Bridge {
        /// The file.
        path: PathBuf,
    },
    /// `[notes]` has an unknown key or an invalid value.
    #[error("{}: [notes] has the key read_mib, a whole number from 1 to 16", path.display())]
    Notes {
        /// The file.
        path: PathBuf,
    },
    /// `search.embedder` names none.
    #[error("{}: search.embedder must be \"embedded\" or \"all-MiniLM-L6-v2\"", path.display())]
    Embedder {
        /// The file.
        path: PathBuf,
    },
    /// `cloud.sees` names no band that may be shown.
    #[error("{}: cloud.sees must be \"public\" or \"private\"", path.display())]
    CloudSees {
        /// The file.
        path: PathBuf,
    },
}

impl Hint for ConfigError {
    fn hint(&self) -> &'static str {
        match self {
            Self::NoHome => "set MEMORA_STATE_DIR and MEMORA_CONFIG_DIR",
            Self::Io { .. } => "check that the folder can be read and written, or set MEMORA_CONFIG_DIR",
            Self::Rules { source, .. } => rules_hint(source),
            Self::Verify { .. } => "leave [verify] out, or write strict = true under it",
            Self::Memory { .. } => {
                "leave [memory] out: the folder is Memora, agents may write where you let them, and no model is asked"
            }
            Self::Bridge { .. } => {
                "memora memory bridge detect prints one for each memory server of your assistants; a server is reached by a command, not by a URL"
            }
            Self::Notes { .. } => "leave [notes] out: 8 MiB of a note are read, and files over 16 MiB are not notes",
            Self::Owner { .. } => "write the name that you have in your notes: owner = \"Mara Lindqvist\"",
            Self::Relations { source, .. } => source.hint(),
            Self::Model { source, .. } => source.hint(),
            Self::SearchKey { .. } => "the keys of [search] are fusion, embedder and nearest",
            Self::Search { .. } => "leave [search] out: scores and scan are what was best on the data we measured",
            Self::Embedder { .. } => "memora embedder use NAME writes it",
            Self::CloudSees { .. } => "secret text is never shown at a cloud door",
        }
    }
}

/// What to try in this file, which has more than privacy rules.
fn rules_hint(error: &PlaceRulesError) -> &'static str {
    match error {
        PlaceRulesError::NotToml { .. } => {
            "quote strings, close brackets, and write each rule under its own [[privacy.rules]], each relation under its own [[relation]]"
        }
        PlaceRulesError::UnknownKey { key } if key.ends_with(".owner") => "write owner in front of all tables",
        PlaceRulesError::UnknownKey { key } if !key.starts_with("privacy.") => {
            "the keys are owner, in front of all tables, [privacy], [[privacy.rules]], [cloud], [model], [search], [verify], [memory], [notes], [[relation]] and [class]"
        }
        other => other.hint(),
    }
}
