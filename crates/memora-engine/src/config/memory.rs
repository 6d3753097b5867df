//! `[memory]`: where agents' memory lies, and what agents may do with it.

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

/// `[memory]` of the user's configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryConfig {
    /// The folder, relative to the vault, `/`-separated.
    pub folder: String,
    /// What agents may do, at most.
    pub agents: MemoryAccess,
}

impl Default for MemoryConfig {
    fn default() -> Self {
        Self { folder: CAPTURE_FOLDER.to_owned(), agents: MemoryAccess::default() }
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
                _ => return None,
            }
        }
        Some(read)
    }

    /// Returns what agents may do in a vault, whose own `.memora/config.toml` can only forbid more. What cannot be read
    /// there forbids everything.
    #[must_use]
    pub fn access_in(&self, vault: &Vault) -> MemoryAccess {
        let Ok(text) = std::fs::read_to_string(vault.root().join(".memora/config.toml")) else { return self.agents };
        let Ok(table) = text.trim_start_matches('\u{feff}').parse::<toml::Table>() else { return MemoryAccess::Off };
        let own = match table.get("memory") {
            None => MemoryAccess::Write,
            Some(memory) => match memory.get("agents").map(|word| word.as_str().and_then(MemoryAccess::from_word)) {
                None => MemoryAccess::Write,
                Some(access) => access.unwrap_or(MemoryAccess::Off),
            },
        };
        own.min(self.agents)
    }
}

/// Returns whether a text names a folder below the vault, none of whose parts is hidden or leads upward.
fn is_folder(text: &str) -> bool {
    !text.is_empty() && text.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains('\\'))
}
