//! Opening a vault.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use memora_claim::NameKey;
use memora_redact::Handles;
use memora_retrieve::{LexicalError, WordVectorCache};
use memora_store::{OpenError, OpenReport, OpenedDatabase, ReadError, Store};
use memora_vault::{Hint, NotePath, OpenVaultError, SettingsProblem, Vault};

use crate::state::bridges::Bridges;
use crate::state::caches::SharedCaches;
use crate::state::config::folder::is_inside;
use crate::state::config::{Config, ConfigError};
use crate::state::embedder::choice::Embedders;
use crate::state::error_chain::format_error_chain;
use crate::state::lexical_indexes::LexicalIndexes;
use crate::state::memory_replies::MemoryReplies;
use crate::state::note_cache::ParsedNotes;
use crate::state::passage_index::PassageIndex;
use crate::state::semantic_index::SemanticIndex;

/// A vault with its state, opened.
pub struct Memora {
    pub(crate) vault: Vault,
    pub(crate) store: Store,
    pub(crate) indexes: LexicalIndexes,
    pub(crate) semantic: SemanticIndex,
    /// The passages that questions are compared with, cached.
    pub(crate) passages: PassageIndex,
    /// Word vectors, cached.
    pub(crate) words: WordVectorCache,
    /// What the stages keep for the next session.
    pub(crate) caches: SharedCaches,
    /// The notes that were parsed last.
    pub(crate) parsed: ParsedNotes,
    pub(crate) config: Config,
    pub(crate) handles: Handles,
    pub(crate) state: PathBuf,
    /// Other programs' memory servers.
    pub(crate) bridges: Bridges,
    notices: Vec<Notice>,
    /// Notes that are read again though they did not change: something was proposed for them.
    pub(crate) notes_to_reread: HashSet<NotePath>,
    /// What the last walk found wrong with ignore files.
    pub(crate) ignore_problems: Vec<SettingsProblem>,
}

/// A vault that was found but not opened, with the user's configuration. Settings were read; its state was
/// not touched.
pub struct FoundVault {
    vault: Vault,
    config: Config,
    state: PathBuf,
}

/// A notice about the state, found while opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The index was damaged or of a later version; it was set aside and is made anew.
    IndexRebuilt {
        /// Where the old one lies.
        moved_to: PathBuf,
    },
    /// The journal was damaged; it was set aside.
    JournalSetAside {
        /// Where the old one lies.
        moved_to: PathBuf,
    },
    /// A lexical index was damaged or of another format; it is made anew.
    LexicalRebuilt,
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::IndexRebuilt { .. } => "the index was damaged or of a later version; it is made anew",
            Self::JournalSetAside { .. } => "the journal was damaged and was set aside",
            Self::LexicalRebuilt => "the lexical index was damaged or of another format; it is made anew",
        })
    }
}

/// Why a vault could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum EngineOpenError {
    /// The vault itself.
    #[error(transparent)]
    Vault(#[from] OpenVaultError),
    /// The user's configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The state folder lies inside the vault, where synchronisation would damage it.
    #[error("the state folder {} lies inside the vault", state.display())]
    StateInVault {
        /// The state folder.
        state: PathBuf,
    },
    /// The configuration folder lies inside the vault, where others may write.
    #[error("the configuration folder {} lies inside the vault", folder.display())]
    ConfigInVault {
        /// The folder.
        folder: PathBuf,
    },
    /// The store.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// The lexical indexes.
    #[error(transparent)]
    Lexical(#[from] LexicalError),
    /// What models replied about memories could not be deleted.
    #[error("cannot delete what models replied about memories")]
    Replies(#[source] std::io::Error),
}

impl EngineOpenError {
    /// Whether no vault was named, and none is around the working directory.
    #[must_use]
    pub fn is_missing_vault(&self) -> bool {
        matches!(self, Self::Vault(OpenVaultError::NoVaultAbove { .. }))
    }
}

impl Hint for EngineOpenError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Vault(error) => error.hint(),
            Self::Config(error) => error.hint(),
            Self::StateInVault { .. } => "set MEMORA_STATE_DIR to a folder outside the vault",
            Self::ConfigInVault { .. } => "set MEMORA_CONFIG_DIR to a folder outside the vault",
            Self::Store(OpenError::Busy) => "try again when the other memora process is done",
            Self::Store(_) | Self::Lexical(_) | Self::Replies(_) => {
                "check that the state folder can be written, or set MEMORA_STATE_DIR to another one"
            }
        }
    }
}

impl FoundVault {
    /// Finds the vault at `root`, or the one around the working directory. Nothing is read but settings, and nothing made.
    ///
    /// # Errors
    /// [`EngineOpenError`], but for the store's and the lexical indexes'.
    pub fn find(root: Option<&Path>, config: Config) -> Result<Self, EngineOpenError> {
        let vault = match root {
            Some(root) => Vault::open(root, &config.rules)?,
            None => Vault::open_nearest(Path::new("."), &config.rules)?,
        };
        let vault = vault.with_read_bytes_max(config.read_bytes_max);
        let state = config.vault_state_dir(vault.root());
        if is_inside(&config.config_dir, vault.root()) {
            return Err(EngineOpenError::ConfigInVault { folder: config.config_dir });
        }
        if is_inside(&state, vault.root()) {
            return Err(EngineOpenError::StateInVault { state });
        }
        Ok(Self { vault, config, state })
    }

    /// Opens it with its state, under the user's configuration as it is now.
    pub fn open(&self) -> Result<Memora, EngineOpenError> {
        Memora::open(Some(self.vault.root()), self.config.reload()?)
    }

    /// The vault.
    #[must_use]
    pub fn vault(&self) -> &Vault {
        &self.vault
    }

    /// The folder of its state, which may not be there yet.
    #[must_use]
    pub fn state_dir(&self) -> &Path {
        &self.state
    }

    /// The user's own configuration, as it was when the vault was found.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }
}

impl Memora {
    /// Opens the vault at `root`, or the one around the working directory, with its state.
    ///
    /// Nothing is read but settings; the index may be stale or empty until [`Memora::sync`].
    pub fn open(root: Option<&Path>, config: Config) -> Result<Self, EngineOpenError> {
        let FoundVault { vault, config, state } = FoundVault::find(root, config)?;
        let (store, opening) = Store::open(&state)?;
        let indexes = LexicalIndexes::open(&state)?;
        let handles = config.load_handles()?;
        let notices = opening_notices(opening, indexes.rebuilt);
        let semantic = SemanticIndex::new(Embedders::new(config.embedder, config.embedder_paths()), config.nearest);
        let words = WordVectorCache::default();
        let bridges = Bridges::new(&config.memory.bridges, &state);
        Ok(Self {
            bridges,
            vault,
            store,
            indexes,
            semantic,
            passages: PassageIndex::default(),
            words,
            caches: SharedCaches::default(),
            parsed: ParsedNotes::new(),
            config,
            handles,
            state,
            notices,
            notes_to_reread: HashSet::new(),
            ignore_problems: Vec::new(),
        })
    }

    /// Sets a damaged index aside; the next sync makes a new one.
    pub(crate) fn rebuild_index(&mut self) -> Result<(), OpenError> {
        if let OpenedDatabase::Rebuilt { moved_to, .. } = self.store.rebuild_index()? {
            self.notices.push(Notice::IndexRebuilt { moved_to });
        }
        Ok(())
    }

    /// Sets the journal aside, since it cannot be written, and begins an empty one.
    pub(crate) fn rebuild_journal(&mut self) -> Result<(), OpenError> {
        if let OpenedDatabase::Rebuilt { moved_to, .. } = self.store.rebuild_journal()? {
            self.notices.push(Notice::JournalSetAside { moved_to });
        }
        Ok(())
    }

    /// Sets the index aside if it is damaged, so that the next sync makes a new one; returns whether it was. Reads the whole
    /// index, so it is for when something has failed.
    ///
    /// # Errors
    /// [`OpenError`] if the damaged index cannot be set aside.
    pub fn recover_damaged_index(&mut self) -> Result<bool, OpenError> {
        let is_sound = self.store.check_integrity().is_ok_and(|health| health.index_sound);
        if !is_sound {
            self.rebuild_index()?;
        }
        Ok(!is_sound)
    }

    /// The vault.
    #[must_use]
    pub fn vault(&self) -> &Vault {
        &self.vault
    }

    /// The user's own configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The folder of this vault's state.
    #[must_use]
    pub fn state_dir(&self) -> &Path {
        &self.state
    }

    /// What was found while opening.
    #[must_use]
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Whether a name is "I" or the like, and the user's configuration does not name the owner.
    #[must_use]
    pub fn is_owner_unset(&self, name: &str) -> bool {
        self.config.owner.is_none() && NameKey::from_subject(name) == Some(NameKey::owner())
    }

    /// The chosen embedder where it is missing, and why, as far as it was needed so far: as a code without
    /// a path, and in words. The built-in one stands in for it.
    #[must_use]
    pub fn missing_embedder(&self) -> Option<(&'static str, &'static str, String)> {
        let embedders = &self.semantic.embedders;
        embedders.map_absence(|absent| (embedders.choice().name(), absent.code(), format_error_chain(absent)))
    }

    /// What the user's configuration lets a cloud door see.
    #[must_use]
    pub fn cloud_door(&self) -> memora_redact::CloudDoor {
        memora_redact::CloudDoor::new(self.config.cloud_sees)
    }

    /// Whether the index has no notes: it was never made, or was reset.
    pub fn is_index_empty(&self) -> Result<bool, ReadError> {
        Ok(self.store.snapshot()?.counts().totals()?.notes_by_band.iter().sum::<usize>() == 0)
    }

    /// Whether the index has any note, or a place in one, that is private or secret.
    pub fn has_guarded_text(&self) -> Result<bool, ReadError> {
        let totals = self.store.snapshot()?.counts().totals()?;
        let [_, guarded_notes @ ..] = totals.notes_by_band;
        let [_, guarded_sources @ ..] = totals.sources_by_band;
        Ok(guarded_notes.iter().any(|count| *count > 0) || guarded_sources.iter().any(|count| *count > 0))
    }

    /// Whether the privacy rules, the user's and the vault's, are those that this was opened with.
    pub(crate) fn has_current_rules(&self) -> bool {
        self.config.is_as_read() && self.vault.has_unchanged_rules()
    }

    /// Empties the index, and the journal and what models replied about memories too unless the journal is to be kept.
    pub fn reset(&mut self, keep_journal: bool) -> Result<(), EngineOpenError> {
        use memora_retrieve::LexicalIndex as _;
        self.store.reset(keep_journal)?;
        for index in self.indexes.all_mut() {
            index.clear()?;
            index.purge_deleted()?;
        }
        if !keep_journal {
            MemoryReplies::remove(&self.state).map_err(EngineOpenError::Replies)?;
        }
        Ok(())
    }
}

fn opening_notices(opening: OpenReport, lexical: usize) -> Vec<Notice> {
    let mut notices = Vec::new();
    if let OpenedDatabase::Rebuilt { moved_to, .. } = opening.index {
        notices.push(Notice::IndexRebuilt { moved_to });
    }
    if let OpenedDatabase::Rebuilt { moved_to, .. } = opening.journal {
        notices.push(Notice::JournalSetAside { moved_to });
    }
    if lexical > 0 {
        notices.push(Notice::LexicalRebuilt);
    }
    notices
}
