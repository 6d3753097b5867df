//! `[memory]`: where agents' memory lies, what agents may do with it, and whether a model helps to consolidate it.

use memora_vault::Vault;

use crate::capture::CAPTURE_FOLDER;

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryConfig {
    /// The folder, relative to the vault, `/`-separated.
    pub folder: String,
    /// What agents may do, at most.
    pub agents: MemoryAccess,
    /// Whether a language model takes part in consolidating, at most.
    pub extract: SessionExtraction,
}

impl Default for MemoryConfig {
    fn default() -> Self {
        Self {
            folder: CAPTURE_FOLDER.to_owned(),
            agents: MemoryAccess::default(),
            extract: SessionExtraction::default(),
        }
    }
}

impl MemoryConfig {
    /// Reads the table; `None` for an unknown key or an invalid value.
    pub(crate) fn from_toml(memory: &toml::Value) -> Option<Self> {
        let mut read = Self::default();
        for (key, value) in memory.as_table()? {
            match key.as_str() {
                "folder" => read.folder = value.as_str().filter(|folder| is_folder(folder))?.to_owned(),
                "agents" => read.agents = value.as_str().and_then(MemoryAccess::from_word)?,
                "extract" => read.extract = value.as_str().and_then(SessionExtraction::from_word)?,
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
            VaultWord::Word(word) => MemoryAccess::from_word(&word).unwrap_or(MemoryAccess::Off).min(self.agents),
        }
    }

    /// Returns what may become of facts from sessions in a vault. Its own file can only forbid more; where agents may not write
    /// memory nothing is saved, and where they may not read it no model is asked.
    #[must_use]
    pub fn extraction_in(&self, vault: &Vault) -> SessionExtraction {
        let own = match VaultWord::read(vault, "extract") {
            VaultWord::Unset => self.extract,
            VaultWord::Unreadable => SessionExtraction::Off,
            VaultWord::Word(word) => SessionExtraction::from_word(&word).unwrap_or_default().min(self.extract),
        };
        match self.access_in(vault) {
            MemoryAccess::Off => SessionExtraction::Off,
            MemoryAccess::Read => own.min(SessionExtraction::Propose),
            MemoryAccess::Write => own,
        }
    }
}

/// What a vault's own file says under a key of `[memory]`.
enum VaultWord {
    Unset,
    Unreadable,
    Word(String),
}

impl VaultWord {
    fn read(vault: &Vault, key: &str) -> Self {
        let Ok(text) = std::fs::read_to_string(vault.root().join(".memora/config.toml")) else { return Self::Unset };
        let Ok(table) = text.trim_start_matches('\u{feff}').parse::<toml::Table>() else { return Self::Unreadable };
        match table.get("memory").and_then(|memory| memory.get(key)) {
            None => Self::Unset,
            Some(value) => value.as_str().map_or(Self::Unreadable, |word| Self::Word(word.to_owned())),
        }
    }
}

/// Returns whether a text names a folder below the vault, none of whose parts is hidden or leads upward.
fn is_folder(text: &str) -> bool {
    !text.is_empty() && text.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains('\\'))
}
