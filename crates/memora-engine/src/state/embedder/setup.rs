//! Installing and choosing an embedder, and its status.
//!
//! Invariant: **nothing is fetched or chosen unless the user asks for it.** Fetched files lie beside
//! the state, never in a vault; the choice is stored in the user's own `config.toml`.

use std::path::{Path, PathBuf};

use memora_embed::{FastEmbedder, RuntimeUnavailable};
use memora_model::{
    FetchError, FetchObserver, Fetcher, MissingFiles, Origin, PinTable, current_platform, find_missing, install_files,
};
use memora_vault::Hint;

use crate::state::config::Config;
use crate::state::config::edit::{ConfigEditError, ensure_table, set_value};
use crate::state::config::folder::is_inside;
use crate::state::embedder::choice::EmbedderChoice;

/// The files of a model that is not part of the program, and the folder to install them in.
pub struct Installation {
    pins: PinTable,
    model: String,
    folder: PathBuf,
}

/// Why nothing can be installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// The folder lies in a vault.
    #[error("the folder for models {} lies inside a vault", folder.display())]
    InVault {
        /// The folder.
        folder: PathBuf,
    },
    /// A file cannot be had.
    #[error(transparent)]
    Fetch(#[from] FetchError),
}

impl Hint for InstallError {
    fn hint(&self) -> &'static str {
        match self {
            Self::InVault { .. } => "set MEMORA_STATE_DIR to a folder outside the vault",
            Self::Fetch(error) => error.hint(),
        }
    }
}

impl Installation {
    /// Plans what the configuration's folder for models needs for one of them; `vault` is one that the user named.
    pub fn new(config: &Config, pins: PinTable, model: &str, vault: Option<&Path>) -> Result<Self, InstallError> {
        let folder = config.models_dir();
        let named = vault.and_then(|vault| vault.canonicalize().ok()).is_some_and(|root| is_inside(&folder, &root));
        let real = folder.ancestors().find_map(|part| part.canonicalize().ok()).unwrap_or_else(|| folder.clone());
        let around = folder.ancestors().chain(real.ancestors()).any(|part| part.join(".obsidian").is_dir());
        if named || around {
            return Err(InstallError::InVault { folder });
        }
        Ok(Self { pins, model: model.to_owned(), folder })
    }

    /// Where the files are put.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether ONNX Runtime is published for this machine.
    #[must_use]
    pub fn has_onnx_runtime(&self) -> bool {
        current_platform().is_some()
    }

    /// The files that are missing or have the wrong hash. Existing files are read and hashed.
    #[must_use]
    pub fn missing_files(&self) -> MissingFiles<'_> {
        find_missing(&self.pins, &self.model, current_platform().unwrap_or("none"), &self.folder)
    }

    /// Fetches what is missing.
    ///
    /// # Errors
    /// [`InstallError::Fetch`]; files that were fetched completely are kept.
    pub fn fetch_missing(
        &self,
        fetcher: &Fetcher,
        origin: &Origin,
        watch: &mut FetchObserver<'_>,
    ) -> Result<(), InstallError> {
        Ok(install_files(fetcher, &self.missing_files(), origin, &self.folder, watch)?)
    }
}

impl Config {
    /// Writes the choice of an embedder into the user's `config.toml`, leaving the rest of it as it is.
    pub fn choose_embedder(&self, choice: EmbedderChoice) -> Result<PathBuf, ConfigEditError> {
        self.edit_file(|document| {
            set_value(ensure_table(document, "search")?, "embedder", choice.name());
            Some(())
        })
    }

    /// Loads an embedder and embeds something, to see that it works. Takes about a second.
    pub fn try_embedder(&self, choice: EmbedderChoice) -> Result<(), RuntimeUnavailable> {
        match choice {
            EmbedderChoice::Embedded => Ok(()),
            EmbedderChoice::MiniLm => FastEmbedder::probe(&self.embedder_paths()).map(|_| ()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[track_caller]
    fn check(text: &str, choice: EmbedderChoice, expect: &str) {
        let dir = tempfile::tempdir().expect("a folder");
        fs::create_dir(dir.path().join("config")).expect("a folder");
        fs::write(dir.path().join("config/config.toml"), text).expect("a file");
        let path = config(dir.path()).choose_embedder(choice).expect("it is written");
        assert_eq!(fs::read_to_string(path).expect("it can be read"), expect);
    }

    #[test]
    fn a_choice_leaves_the_rest_of_the_file_alone() {
        use EmbedderChoice::{Embedded, MiniLm};
        let minilm = "[search]\nembedder = \"all-MiniLM-L6-v2\"\n";
        check("", MiniLm, minilm);
        check("\u{feff}", MiniLm, &format!("\u{feff}{minilm}"));
        check(minilm, Embedded, "[search]\nembedder = \"embedded\"\n");
        check(
            "# mine\nowner = \"Mara\" # me\n\n[search] # how\nfusion = \"ranks\"\nembedder = 'embedded'  # why\n\n[cloud]\nsees = \"public\"\n",
            MiniLm,
            "# mine\nowner = \"Mara\" # me\n\n[search] # how\nfusion = \"ranks\"\nembedder = \"all-MiniLM-L6-v2\"  # why\n\n[cloud]\nsees = \"public\"\n",
        );
        check(
            "search = { fusion = \"ranks\" }\n",
            Embedded,
            "search = { fusion = \"ranks\" , embedder = \"embedded\" }\n",
        );
    }

    fn config(dir: &Path) -> Config {
        Config::load(Some(dir.join("state")), Some(dir.join("config")), jiff::civil::date(2025, 12, 31))
            .expect("a configuration")
    }

    #[test]
    fn a_choice_is_read_again_and_leaves_no_other_file() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = config(dir.path()).choose_embedder(EmbedderChoice::MiniLm).expect("it is written");
        assert_eq!(config(dir.path()).embedder, EmbedderChoice::MiniLm);
        assert_eq!(fs::read_dir(path.parent().expect("a folder")).expect("it can be listed").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().expect("a folder");
        let (kept, config_dir) = (dir.path().join("dotfiles.toml"), dir.path().join("config"));
        fs::create_dir(&config_dir).expect("a folder");
        fs::write(&kept, "owner = \"Mara\"\n").expect("a file");
        fs::set_permissions(&kept, fs::Permissions::from_mode(0o600)).expect("it is mine");
        std::os::unix::fs::symlink(&kept, config_dir.join("config.toml")).expect("a link");
        let path = config(dir.path()).choose_embedder(EmbedderChoice::MiniLm).expect("it is written");
        assert!(fs::symlink_metadata(&path).expect("it is there").is_symlink());
        assert!(fs::read_to_string(&kept).expect("it can be read").contains("all-MiniLM"));
        assert_eq!(fs::metadata(&kept).expect("it is there").permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn nothing_is_installed_in_a_vault() {
        let dir = tempfile::tempdir().expect("a folder");
        assert!(
            Installation::new(&config(dir.path()), PinTable::shipped(), EmbedderChoice::MiniLm.name(), None).is_ok()
        );
        let named = Installation::new(
            &config(dir.path()),
            PinTable::shipped(),
            EmbedderChoice::MiniLm.name(),
            Some(dir.path()),
        );
        assert!(matches!(named, Err(InstallError::InVault { .. })));
        fs::create_dir(dir.path().join(".obsidian")).expect("a folder");
        let around = Installation::new(&config(dir.path()), PinTable::shipped(), EmbedderChoice::MiniLm.name(), None);
        assert!(matches!(around, Err(InstallError::InVault { .. })));
    }
}
