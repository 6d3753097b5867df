//! Changing the user's own `config.toml`.
//!
//! Invariant: **everything else stays, byte for byte.** The file is replaced as a whole or not at all, and a text
//! that would lose content, or that Memora could not read back, is never written.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

use crate::state::config::{Config, ConfigError, check_readable};

use memora_vault::Hint;

/// Why a change could not be written down. The file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum ConfigEditError {
    /// The file is not TOML, or has something else where the change belongs. It could be read with the configuration.
    #[error("{} cannot be changed", path.display())]
    NotToml {
        /// The file.
        path: PathBuf,
    },
    /// Something of the file would be lost.
    #[error("{} cannot be changed without losing something of it", path.display())]
    WouldLose {
        /// The file.
        path: PathBuf,
    },
    /// What would be written could not be read.
    #[error("the change was not made")]
    Unreadable(#[source] ConfigError),
    /// The file cannot be read or written.
    #[error("cannot write {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Hint for ConfigEditError {
    fn hint(&self) -> &'static str {
        match self {
            Self::NotToml { .. } | Self::WouldLose { .. } => {
                "change it with an editor; docs/cli.md says what may stand in it"
            }
            Self::Unreadable(error) => error.hint(),
            Self::Io { .. } => "check that your configuration folder can be written, or set MEMORA_CONFIG_DIR",
        }
    }
}

impl Config {
    /// The user's own `config.toml`, which need not be there.
    #[must_use]
    pub fn config_path(&self) -> PathBuf {
        self.config_dir.join("config.toml")
    }

    /// Changes the user's `config.toml`, as it is at this moment.
    pub(crate) fn edit_file(
        &self,
        change: impl FnOnce(&mut DocumentMut) -> Option<()>,
    ) -> Result<PathBuf, ConfigEditError> {
        let path = self.config_path();
        let failed = |source| ConfigEditError::Io { path: path.clone(), source };
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(error)),
        };
        let edited = apply_edit(&path, &text, change)?;
        check_readable(&path, &edited).map_err(ConfigEditError::Unreadable)?;
        // Where the file is a symbolic link, its target is replaced and the link is kept.
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        replace_file(&real, &edited).map_err(failed)?;
        Ok(path)
    }
}

/// The text of a `config.toml` after a change.
fn apply_edit(
    path: &Path,
    text: &str,
    change: impl FnOnce(&mut DocumentMut) -> Option<()>,
) -> Result<String, ConfigEditError> {
    let not_toml = || ConfigEditError::NotToml { path: path.to_owned() };
    let plain = text.trim_start_matches('\u{feff}');
    let mark = text.strip_suffix(plain).unwrap_or_default();
    let mut document: DocumentMut = plain.parse().map_err(|_| not_toml())?;
    // The editor writes Unix line ends.
    let ends = if plain.contains("\r\n") { "\r\n" } else { "\n" };
    let written =
        |document: &DocumentMut| format!("{mark}{}", document.to_string().replace("\r\n", "\n").replace('\n', ends));
    if written(&document) != text {
        return Err(ConfigEditError::WouldLose { path: path.to_owned() });
    }
    change(&mut document).ok_or_else(not_toml)?;
    Ok(written(&document))
}

/// The top-level table of a name, created if missing; `None` if the name is not a table.
pub(crate) fn ensure_table<'d>(document: &'d mut DocumentMut, name: &str) -> Option<&'d mut dyn TableLike> {
    document.entry(name).or_insert_with(|| Item::Table(Table::new())).as_table_like_mut()
}

/// Sets a key to a string; comments and spaces around an existing value are kept.
pub(crate) fn set_value(table: &mut dyn TableLike, key: &str, word: &str) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(there) => {
            let decor = there.decor().clone();
            *there = Value::from(word);
            *there.decor_mut() = decor;
        }
        None => drop(table.insert(key, toml_edit::value(word))),
    }
}

/// Replaces a file as a whole, keeping its permissions.
fn replace_file(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let beside = folder.join(format!(".config.toml.{}", std::process::id()));
    let written = || -> io::Result<()> {
        let mut file = fs::File::create(&beside)?;
        if let Ok(before) = fs::metadata(path) {
            file.set_permissions(before.permissions())?;
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    written().inspect_err(|_| drop(fs::remove_file(&beside)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(text: &str) -> Result<String, ConfigEditError> {
        apply_edit(Path::new("config.toml"), text, |document| {
            set_value(document.as_table_mut(), "owner", "Mara");
            Some(())
        })
    }

    #[test]
    fn a_change_leaves_every_other_byte() {
        #[track_caller]
        fn check(text: &str, expect: &str) {
            assert_eq!(owned(text).expect("it can be changed"), expect);
        }
        check("", "owner = \"Mara\"\n");
        check("\u{feff}", "\u{feff}owner = \"Mara\"\n");
        check("owner='Bo' # me\n", "owner=\"Mara\" # me\n");
        check(
            "# mine\r\n[search] # how\r\nfusion = \"ranks\"\r\n",
            "owner = \"Mara\"\r\n# mine\r\n[search] # how\r\nfusion = \"ranks\"\r\n",
        );
        check("x = [ 1,2 ]\n\n\n# the end", "x = [ 1,2 ]\nowner = \"Mara\"\n\n\n# the end");
    }

    #[test]
    fn what_cannot_be_kept_is_not_changed() {
        assert!(matches!(owned("a = 1\r\nb = 2\n"), Err(ConfigEditError::WouldLose { .. })));
        assert!(matches!(owned("[search\n"), Err(ConfigEditError::NotToml { .. })));
    }

    #[test]
    fn a_change_that_could_not_be_read_again_is_not_written() {
        let dir = tempfile::tempdir().expect("a folder");
        let before = "[search]\nfusion = \"ranks\" # best for me\n";
        fs::write(dir.path().join("config.toml"), before).expect("a file");
        let folder = || Some(dir.path().to_owned());
        let config = Config::load(folder(), folder(), jiff::civil::date(2025, 12, 31)).expect("a configuration");
        let error = config.edit_file(|document| {
            set_value(document.as_table_mut(), "owner", " . ");
            Some(())
        });
        assert!(matches!(error, Err(ConfigEditError::Unreadable(ConfigError::Owner { .. }))));
        assert_eq!(fs::read_to_string(config.config_path()).expect("it is there"), before);
        assert_eq!(fs::read_dir(dir.path()).expect("it can be listed").count(), 1);
    }
}
