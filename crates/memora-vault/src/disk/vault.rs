//! An open vault.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::ignore_files::{GITIGNORE, IgnoreLayer, MEMORAIGNORE};
use super::locate::{Located, NotLocated, is_note_path, locate, read_bounded};
use super::reason::{is_sync_conflict, possible_originals};
use super::settings::{ObsidianSettings, read_place_rules};
use super::settings_hash::SettingsHasher;
use super::{
    FileStat, ModelsAllowed, OpenVaultError, PlaceRules, ReadNoteError, SettingsProblem, SkipReason, VainRule,
    is_drawing,
};
use crate::{Band, Fingerprint, NotePath, PathContext};

/// The largest note that is read.
pub(super) const NOTE_BYTES_MAX: u64 = 16 << 20;

/// An Obsidian vault, or any folder of markdown, as it is on disk.
///
/// Holds the settings as they were when it was opened; [`Vault::reopen`] reads them again, and
/// [`Vault::rules_fingerprint`] shows whether they changed. Nothing here writes.
#[derive(Clone, Debug)]
pub struct Vault {
    root: PathBuf,
    name: String,
    given: PlaceRules,
    own: PlaceRules,
    /// The vault has rules that cannot be read; `own` is all secret.
    own_unreadable: bool,
    settings: ObsidianSettings,
    /// How much of a note is read at most, in bytes.
    read_bytes_max: usize,
}

/// A reason for a place's band; the strictest counts. For audits: contains globs, so it is not for every door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceReason {
    /// A rule of the user's own configuration.
    UserRule(String, Band),
    /// A rule of the vault's `.memora/config.toml`.
    VaultRule(String, Band),
    /// No rule of the user's own configuration names it.
    UserUnmarked(Band),
    /// No rule of the vault names it.
    VaultUnmarked(Band),
    /// The vault's rules cannot be read, so that everything is secret.
    VaultRulesUnreadable,
}

impl PlaceReason {
    /// The band it asks for.
    #[must_use]
    pub fn band(&self) -> Band {
        match self {
            Self::UserRule(_, band) | Self::VaultRule(_, band) => *band,
            Self::UserUnmarked(band) | Self::VaultUnmarked(band) => *band,
            Self::VaultRulesUnreadable => Band::Secret,
        }
    }
}

impl Vault {
    /// Opens the folder at `root`; it need not have `.obsidian`.
    ///
    /// `rules` are the user's own. Those of the vault's `.memora/config.toml` are joined to them and can only tighten.
    /// When the vault's rules cannot be read, every place is secret, and [`Vault::settings_problems`] says so.
    ///
    /// # Errors
    /// [`OpenVaultError`] when there is no such folder or it cannot be listed. Bad settings are no error.
    pub fn open(root: &Path, rules: &PlaceRules) -> Result<Self, OpenVaultError> {
        let unreadable = |source: std::io::Error| match source.kind() {
            std::io::ErrorKind::NotFound => OpenVaultError::NotFound { path: root.to_path_buf() },
            std::io::ErrorKind::NotADirectory => OpenVaultError::NotAFolder { path: root.to_path_buf() },
            _ => OpenVaultError::Unreadable { path: root.to_path_buf(), source },
        };
        let real = root.canonicalize().map_err(unreadable)?;
        if !std::fs::metadata(&real).map_err(unreadable)?.is_dir() {
            return Err(OpenVaultError::NotAFolder { path: root.to_path_buf() });
        }
        std::fs::read_dir(&real).map_err(unreadable)?;
        let mut settings = ObsidianSettings::read(&real);
        let (own, problems) = read_place_rules(&real);
        let own_unreadable = problems.iter().any(|p| !matches!(p.fault, super::SettingsFault::UnknownBand { .. }));
        settings.problems.extend(problems);
        let name = real.file_name().map_or_else(|| "vault".to_owned(), |name| name.to_string_lossy().into_owned());
        let read_bytes_max = PathContext::READ_BYTES_MAX;
        Ok(Self { root: real, name, given: rules.clone(), own, own_unreadable, settings, read_bytes_max })
    }

    /// Returns the vault with another limit, in bytes, on how much of a note is read.
    #[must_use]
    pub fn with_read_bytes_max(self, read_bytes_max: usize) -> Self {
        Self { read_bytes_max, ..self }
    }

    /// Opens the nearest folder with `.obsidian/`, from `from` (a folder or a file) upward.
    ///
    /// # Errors
    /// [`OpenVaultError::NoVaultAbove`] when there is none, else as [`Vault::open`].
    pub fn open_nearest(from: &Path, rules: &PlaceRules) -> Result<Self, OpenVaultError> {
        let start = from.canonicalize().map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound => OpenVaultError::NotFound { path: from.to_path_buf() },
            _ => OpenVaultError::Unreadable { path: from.to_path_buf(), source },
        })?;
        let found = start.ancestors().find(|folder| folder.join(".obsidian").is_dir());
        let folder = found.ok_or_else(|| OpenVaultError::NoVaultAbove { from: start.clone() })?;
        Self::open(folder, rules)
    }

    /// Opens the same vault again, with its settings as they are now.
    ///
    /// # Errors
    /// As [`Vault::open`].
    pub fn reopen(&self) -> Result<Self, OpenVaultError> {
        Ok(Self::open(&self.root, &self.given)?.with_read_bytes_max(self.read_bytes_max))
    }

    /// The canonical path of the vault.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The vault's name as Obsidian shows it: its folder's.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is wrong with the vault's settings. Those of ignore files are told by each [walk](Vault::walk).
    #[must_use]
    pub fn settings_problems(&self) -> &[SettingsProblem] {
        &self.settings.problems
    }

    /// Returns which language models may be used for this vault, by the stricter of the user's and the vault's rules.
    #[must_use]
    pub fn allowed_models(&self) -> ModelsAllowed {
        self.given.allowed_models().max(self.own.allowed_models())
    }

    /// Whether the vault's own privacy rules on disk are the same as when it was opened.
    #[must_use]
    pub fn has_unchanged_rules(&self) -> bool {
        let hashed = |rules: &PlaceRules| {
            let mut hash = SettingsHasher::new();
            rules.hash_into(&mut hash);
            hash.finish()
        };
        let (now, _) = read_place_rules(&self.root);
        now.allowed_models() == self.own.allowed_models() && hashed(&now) == hashed(&self.own)
    }

    /// A hash of the settings and rules that decide how notes are read: with another one, read all notes again.
    ///
    /// Ignore files are not in it, as they only decide *which* notes there are; [`VaultWalk::rules`](super::VaultWalk::rules) has them too.
    #[must_use]
    pub fn rules_fingerprint(&self) -> Fingerprint {
        self.rules_hasher().finish()
    }

    pub(super) fn rules_hasher(&self) -> SettingsHasher {
        let mut hash = SettingsHasher::new();
        self.given.hash_into(&mut hash);
        hash.add("vault");
        self.own.hash_into(&mut hash);
        self.settings.hash_into(&mut hash);
        // An index made before there was a choice stays as it is.
        if self.read_bytes_max != PathContext::READ_BYTES_MAX {
            hash.add(&self.read_bytes_max.to_string());
        }
        hash
    }

    /// The text of a note, exactly as it is in its file: byte order mark and line ends included.
    ///
    /// Refuses paths that are not notes (hidden, or not `.md`) and files outside the root. Does not consult ignore
    /// files: see [`Vault::exclusion_reason`].
    ///
    /// # Errors
    /// [`ReadNoteError`]; [`ReadNoteError::skip_reason`] says how to report it.
    pub fn read_note(&self, path: &NotePath) -> Result<String, ReadNoteError> {
        Ok(self.read_note_in_place(path)?.0)
    }

    /// The same, with what is known of the note by its place, as [`Vault::path_context`] tells it.
    ///
    /// # Errors
    /// As [`Vault::read_note`].
    pub fn read_note_in_place(&self, path: &NotePath) -> Result<(String, PathContext), ReadNoteError> {
        let found = self.locate_note(path)?;
        let context = self.context_of(path, &found);
        let bytes = read_bounded(&found.real, found.metadata.len(), NOTE_BYTES_MAX);
        let bytes = match bytes {
            Ok(bytes) => bytes.ok_or(ReadNoteError::TooLarge)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(ReadNoteError::NotFound),
            Err(error) => return Err(ReadNoteError::Unreadable(error)),
        };
        let text = String::from_utf8(bytes).map_err(|_| ReadNoteError::NotUtf8)?;
        if text.trim_start_matches('\u{feff}').trim().is_empty() {
            return Err(ReadNoteError::Empty);
        }
        if is_drawing(&text) { Err(ReadNoteError::Drawing) } else { Ok((text, context)) }
    }

    /// Returns the metadata of a note; `None` if there is no readable one.
    #[must_use]
    pub fn file_stat(&self, path: &NotePath) -> Option<FileStat> {
        self.locate_note(path).ok().map(|found| FileStat::from_metadata(&found.metadata))
    }

    fn locate_note(&self, path: &NotePath) -> Result<Located, ReadNoteError> {
        if !is_note_path(path.as_str()) {
            return Err(ReadNoteError::NotANote);
        }
        let found = locate(&self.root, path.as_str()).map_err(|why| match why {
            NotLocated::Missing | NotLocated::BrokenLink => ReadNoteError::NotFound,
            NotLocated::Outside => ReadNoteError::OutsideRoot,
            NotLocated::Unreadable(error) => ReadNoteError::Unreadable(error),
        })?;
        if found.linked && !self.relative_path(&found.real).is_some_and(|real| is_note_path(real.as_str())) {
            return Err(ReadNoteError::NotANote);
        }
        // A pipe or a device would block the reader.
        if found.metadata.is_file() { Ok(found) } else { Err(ReadNoteError::NotANote) }
    }

    pub(super) fn relative_path(&self, real: &Path) -> Option<NotePath> {
        NotePath::from_relative(real.strip_prefix(&self.root).ok()?).ok()
    }

    /// Returns what is known of a note before it is read: the band of its place, and the date in its name.
    ///
    /// A path that leads through a link has the stricter of the two places' bands.
    #[must_use]
    pub fn path_context(&self, path: &NotePath) -> PathContext {
        match locate(&self.root, path.as_str()) {
            Ok(found) => self.context_of(path, &found),
            Err(_) => self.context_by_name(path),
        }
    }

    fn context_of(&self, path: &NotePath, found: &Located) -> PathContext {
        let mut place = self.context_by_name(path);
        if found.linked {
            let real = self.relative_path(&found.real).map_or(Band::Secret, |real| self.place_band(&real));
            place.band = place.band.join(real);
        }
        place
    }

    /// As [`Vault::path_context`], for a path known not to lead through a link.
    pub(super) fn context_by_name(&self, path: &NotePath) -> PathContext {
        PathContext {
            band: self.place_band(path),
            date: self.settings.date_from_name(path),
            read_bytes_max: self.read_bytes_max,
        }
    }

    fn place_band(&self, path: &NotePath) -> Band {
        self.given.band(path.as_str()).join(self.own.band(path.as_str()))
    }

    /// Every reason for a place's band, the user's first.
    #[must_use]
    pub fn place_reasons(&self, path: &NotePath) -> Vec<PlaceReason> {
        let mut reasons = Vec::new();
        let matching = |rules: &PlaceRules| -> Vec<(String, Band)> {
            rules.matching_rules(path.as_str()).map(|(glob, band)| (glob.to_owned(), band)).collect()
        };
        let user = matching(&self.given);
        if user.is_empty() {
            reasons.push(PlaceReason::UserUnmarked(self.given.unmarked_band()));
        }
        reasons.extend(user.into_iter().map(|(glob, band)| PlaceReason::UserRule(glob, band)));
        let own = matching(&self.own);
        if self.own_unreadable {
            reasons.push(PlaceReason::VaultRulesUnreadable);
        } else if own.is_empty() {
            reasons.push(PlaceReason::VaultUnmarked(self.own.unmarked_band()));
        }
        reasons.extend(own.into_iter().map(|(glob, band)| PlaceReason::VaultRule(glob, band)));
        reasons
    }

    /// Returns the privacy rules that guard nothing, since no note in their folder is read; each with the reason.
    ///
    /// Contains globs, so it is not for every door.
    #[must_use]
    pub fn find_idle_rules(&self) -> Vec<(&str, SkipReason)> {
        let rules = self.given.iter_rules().chain(self.own.iter_rules());
        rules.filter_map(|(glob, _)| Some((glob, self.folder_exclusion(folder_of_glob(glob)?)?))).collect()
    }

    /// Returns the privacy rules that match none of some notes as they are written, the user's first.
    ///
    /// Contains globs, so it is not for every door.
    #[must_use]
    pub fn find_vain_rules(&self, notes: &[&str]) -> Vec<VainRule<'_>> {
        self.given.find_vain(notes).chain(self.own.find_vain(notes)).collect()
    }

    /// Whether there is any privacy rule.
    #[must_use]
    pub fn has_rules(&self) -> bool {
        self.given.iter_rules().chain(self.own.iter_rules()).next().is_some()
    }

    /// Returns why no note in a folder is read, if that is so: it belongs to templates, or is excluded.
    #[must_use]
    pub fn folder_exclusion(&self, folder: &str) -> Option<SkipReason> {
        // A name that no rule of the user's can mean.
        self.exclusion_reason(&NotePath::new(format!("{folder}/\u{fdd0}.md")).ok()?)
    }

    /// Returns why the walk skips a path by its name and place, even if there is no such file.
    ///
    /// For callers with a path from outside: what the user excluded stays excluded when named explicitly. Reads the
    /// ignore files of all folders on the way, so avoid calling it for every note.
    #[must_use]
    pub fn exclusion_reason(&self, path: &NotePath) -> Option<SkipReason> {
        if !is_note_path(path.as_str()) {
            return Some(SkipReason::Hidden);
        }
        let mut layer: Option<Rc<IgnoreLayer>> = None;
        let mut folder = String::new();
        let mut hash = SettingsHasher::new();
        for name in path.as_str().split('/') {
            let reading = IgnoreLayer::read(&self.root, &folder, layer, &[MEMORAIGNORE, GITIGNORE], &mut hash);
            if reading.closed {
                // A folder that lies elsewhere has no ignore files to be read, and that is not why it is skipped.
                return Some(if self.leads_out(&folder) {
                    SkipReason::LinkOutside
                } else {
                    SkipReason::IgnoredByMemora
                });
            }
            layer = reading.layer;
            if !folder.is_empty() {
                folder.push('/');
            }
            folder.push_str(name);
            let is_folder = folder.len() < path.as_str().len();
            if let Some(reason) = layer.as_deref().and_then(|layer| layer.ignore_reason(&folder, is_folder)) {
                return Some(reason);
            }
        }
        self.exclusion_by_name(path.as_str())
    }

    /// Whether a folder lies outside of the vault, by a link.
    fn leads_out(&self, folder: &str) -> bool {
        self.root.join(folder).canonicalize().is_ok_and(|real| !real.starts_with(&self.root))
    }

    /// Why a path is skipped, ignore files aside.
    pub(super) fn exclusion_by_name(&self, path: &str) -> Option<SkipReason> {
        if let Some(reason) = self.settings.exclusion_reason(path) {
            return Some(reason);
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.get(..name.len().saturating_sub(3)).unwrap_or(name);
        if is_sync_conflict(stem) || possible_originals(stem).any(|original| self.has_note_beside(path, original)) {
            return Some(SkipReason::SyncConflict);
        }
        stem.to_ascii_lowercase().ends_with(".excalidraw").then_some(SkipReason::Drawing)
    }

    /// Whether a note of this name lies in the folder of a path.
    fn has_note_beside(&self, path: &str, name: &str) -> bool {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        self.root.join(folder).join(format!("{name}.md")).is_file()
    }
}

/// Returns the folder that holds all that a glob can match; `None` if it may match anywhere.
fn folder_of_glob(glob: &str) -> Option<&str> {
    let special = glob.find(['*', '?', '[', '{', '\\']).unwrap_or(glob.len());
    let (folder, _) = glob.get(..special)?.rsplit_once('/')?;
    let folder = folder.trim_start_matches("./").trim_start_matches('/');
    (!folder.is_empty()).then_some(folder)
}
