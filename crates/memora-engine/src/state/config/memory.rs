//! `[memory]`: where agents' memory lies, what agents may do with it, whether a model helps to consolidate it, and which other
//! programs' memory servers are asked and told.

use std::path::Path;

use memora_vault::Vault;

use crate::state::config::ConfigError;
use crate::state::config::bridge::BridgeConfig;

/// The default folder for captured notes.
pub const CAPTURE_FOLDER: &str = "Memora";

/// What agents may do with their memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum MemoryAccess {
    /// Nothing.
    Off,
    /// Search and read it.
    Read,
    /// Write it too.
    #[default]
    Write,
}

impl MemoryAccess {
    fn from_word(word: &str) -> Option<Self> {
        match word {
            "off" => Some(Self::Off),
            "read" => Some(Self::Read),
            "write" => Some(Self::Write),
            _ => None,
        }
    }
}

/// What becomes of the facts that a language model lists from notes of sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SessionExtraction {
    /// No model is asked.
    #[default]
    Off,
    /// They are proposed.
    Propose,
    /// They are saved.
    Save,
}

impl SessionExtraction {
    fn from_word(word: &str) -> Option<Self> {
        match word {
            "off" => Some(Self::Off),
            "propose" => Some(Self::Propose),
            "save" => Some(Self::Save),
            _ => None,
        }
    }
}

/// `[memory]` of the user's configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryConfig {
    /// The folder, relative to the vault, `/`-separated.
    pub folder: String,
    /// What agents may do, at most.
    pub agents: MemoryAccess,
    /// Whether a language model takes part in consolidating, at most.
    pub extract: SessionExtraction,
    /// After how many turns of a session a checkpoint is written; 0 for never.
    pub checkpoint_every: u32,
    /// After how many turns of a session its agent is asked to save what another one needs; 0 for never.
    pub ask_every: u32,
    /// Other programs' memory servers.
    pub bridges: Vec<BridgeConfig>,
}

impl Default for MemoryConfig {
    fn default() -> Self {
        Self {
            folder: CAPTURE_FOLDER.to_owned(),
            agents: MemoryAccess::default(),
            extract: SessionExtraction::default(),
            checkpoint_every: 50,
            ask_every: 0,
            bridges: Vec::new(),
        }
    }
}

impl MemoryConfig {
    /// Reads the table of a file.
    pub(crate) fn parse(path: &Path, memory: &toml::Value) -> Result<Self, ConfigError> {
        let mut read = Self::from_toml(memory).ok_or_else(|| ConfigError::Memory { path: path.to_owned() })?;
        if let Some(bridges) = memory.get("bridge") {
            let bridges = BridgeConfig::list_from_toml(bridges);
            read.bridges = bridges.ok_or_else(|| ConfigError::Bridge { path: path.to_owned() })?;
        }
        Ok(read)
    }

    /// Reads the table but its bridges; `None` for an unknown key or an invalid value.
    fn from_toml(memory: &toml::Value) -> Option<Self> {
        let mut read = Self::default();
        for (key, value) in memory.as_table()? {
            match key.as_str() {
                "folder" => read.folder = value.as_str().filter(|folder| is_folder(folder))?.to_owned(),
                "agents" => read.agents = value.as_str().and_then(MemoryAccess::from_word)?,
                "extract" => read.extract = value.as_str().and_then(SessionExtraction::from_word)?,
                "checkpoint_every" => read.checkpoint_every = read_count(value)?,
                "ask_every" => read.ask_every = read_count(value)?,
                "bridge" => {}
                _ => return None,
            }
        }
        Some(read)
    }

    /// Returns what agents may do in a vault, whose own `.memora/config.toml` can only forbid more. What cannot be read
    /// there forbids everything.
    #[must_use]
    pub fn access_in(&self, vault: &Vault) -> MemoryAccess {
        match VaultWord::read(vault, "agents") {
            VaultWord::Unset => self.agents,
            VaultWord::Unreadable => MemoryAccess::Off,
            VaultWord::Said(word) => {
                word.as_str().and_then(MemoryAccess::from_word).unwrap_or(MemoryAccess::Off).min(self.agents)
            }
        }
    }

    /// Returns what may become of facts from sessions in a vault. Its own file can only forbid more; where agents may not write
    /// memory nothing is saved, and where they may not read it no model is asked.
    #[must_use]
    pub fn extraction_in(&self, vault: &Vault) -> SessionExtraction {
        let own = match VaultWord::read(vault, "extract") {
            VaultWord::Unset => self.extract,
            VaultWord::Unreadable => SessionExtraction::Off,
            VaultWord::Said(word) => {
                word.as_str().and_then(SessionExtraction::from_word).unwrap_or_default().min(self.extract)
            }
        };
        match self.access_in(vault) {
            MemoryAccess::Off => SessionExtraction::Off,
            MemoryAccess::Read => own.min(SessionExtraction::Propose),
            MemoryAccess::Write => own,
        }
    }

    /// Returns whether other programs' servers may be asked and told in a vault: its own file can forbid it, with
    /// `bridges = false`, and so does what cannot be read there.
    #[must_use]
    pub fn allows_bridges_in(&self, vault: &Vault) -> bool {
        match VaultWord::read(vault, "bridges") {
            VaultWord::Unset => true,
            VaultWord::Unreadable => false,
            VaultWord::Said(word) => word.as_bool().unwrap_or(false),
        }
    }
}

/// What a vault's own file says under a key of `[memory]`.
enum VaultWord {
    Unset,
    Unreadable,
    Said(toml::Value),
}

impl VaultWord {
    fn read(vault: &Vault, key: &str) -> Self {
        let Ok(text) = std::fs::read_to_string(vault.root().join(".memora/config.toml")) else { return Self::Unset };
        let Ok(table) = text.trim_start_matches('\u{feff}').parse::<toml::Table>() else { return Self::Unreadable };
        match table.get("memory").and_then(|memory| memory.get(key)) {
            None => Self::Unset,
            Some(value) => Self::Said(value.clone()),
        }
    }
}

fn read_count(value: &toml::Value) -> Option<u32> {
    value.as_integer().and_then(|count| u32::try_from(count).ok())
}

/// Returns whether a text names a folder below the vault, none of whose parts is hidden or leads upward.
fn is_folder(text: &str) -> bool {
    !text.is_empty() && text.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains('\\'))
}
