//! The folder of agents' memory: the only code that changes files of the vault which are there already.
//!
//! Invariants: **nothing is written but below the folder's real path, and no link is followed there; a file is replaced or
//! removed only if its seal says that Memora wrote exactly these bytes, and only if nothing else was saved in between.**

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use memora_memory::{Document, SealKey};
use memora_vault::{Note, NotePath, NoteProblem};

use crate::remember::error::MemoryError;
use crate::state::config::private_file::lock_private_file;
use crate::state::open::Memora;

/// The time that a write waits for another one.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// The number of replaced files that are kept: an editor that had one open may still write to it.
const DISPLACED_MAX: usize = 64;

/// The largest file that is read.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// The longest name of a file or a folder, in bytes: what file systems take.
const NAME_BYTES_MAX: usize = 255;

/// A file that is being written, one whose name was exchanged for it, and what stands between two names where the system cannot
/// exchange them at once.
const MAKING: &str = ".memory-making.tmp";
const SWAPPED: &str = ".memory-swapped.tmp";
const BETWEEN: &str = ".memory-between.tmp";

/// The memory folder of a vault.
pub(super) struct MemoryFolder<'m> {
    memora: &'m Memora,
    key: SealKey,
}

/// The right to write, until it is dropped.
pub(crate) struct FolderLock {
    _file: File,
}

/// A file that Memora wrote and nothing has changed since, under the lock.
pub(crate) struct Owned<'l> {
    path: NotePath,
    text: String,
    pub(super) document: Document,
    _lock: &'l FolderLock,
}

/// A file of the folder as it was found.
pub(crate) enum FoundFile<'l> {
    Missing,
    /// A person edited it, or it was never Memora's.
    NotOurs,
    Owned(Owned<'l>),
}

/// What came of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Changed {
    Done,
    /// Something else was saved in between, and stands.
    Overtaken,
}

impl<'m> MemoryFolder<'m> {
    pub(super) fn open(memora: &'m Memora) -> Result<Self, MemoryError> {
        Ok(Self { memora, key: SealKey::new(memora.config.load_key("memory")?) })
    }

    pub(super) fn key(&self) -> &SealKey {
        &self.key
    }

    /// The folder's name, relative to the vault.
    pub(super) fn name(&self) -> &str {
        &self.memora.config.memory.folder
    }

    /// The path of a file in the folder, by its path there without `.md`.
    pub(super) fn note_path(&self, inside: &str) -> Result<NotePath, MemoryError> {
        let file = format!("{inside}.md");
        if file.split('/').any(|part| part.len() > NAME_BYTES_MAX) || file.contains(char::is_control) {
            return Err(MemoryError::Name);
        }
        NotePath::new(format!("{}/{inside}.md", self.name())).map_err(|_| MemoryError::Outside)
    }

    /// Takes the lock.
    pub(super) fn lock(&self) -> Result<FolderLock, MemoryError> {
        let file = lock_private_file(&self.memora.state.join("memory.lock"), LOCK_TIMEOUT)?;
        file.map(|file| FolderLock { _file: file }).ok_or(MemoryError::Busy)
    }

    /// The file of a path, if no part of it below the vault is a link; it need not exist.
    fn real_path(&self, path: &NotePath) -> Result<PathBuf, MemoryError> {
        if !path.as_str().starts_with(&format!("{}/", self.name())) {
            return Err(MemoryError::Outside);
        }
        let mut real = self.memora.vault.root().to_owned();
        for part in path.as_str().split('/') {
            if part.is_empty() || part == "." || part == ".." {
                return Err(MemoryError::Outside);
            }
            real.push(part);
            match fs::symlink_metadata(&real) {
                Ok(found) if found.is_symlink() => return Err(MemoryError::Outside),
                Ok(_) => {}
                Err(error) if matches!(error.kind(), ErrorKind::NotFound) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(real)
    }

    /// The note that the file of a document is, and what is wrong with it.
    pub(super) fn parse(&self, path: &NotePath, document: &Document) -> (Note, Vec<NoteProblem>) {
        Note::parse(path.clone(), self.key.seal(document), self.memora.vault.path_context(path))
    }

    /// Creates the file of a document, as [`Self::create_file`].
    pub(super) fn create(&self, path: &NotePath, document: &Document, lock: &FolderLock) -> Result<bool, MemoryError> {
        self.create_file(path, &self.key.seal(document), lock)
    }

    /// Creates a file, whole or not at all, never over another: `false` if there is one of that name.
    pub(super) fn create_file(&self, path: &NotePath, text: &str, _lock: &FolderLock) -> Result<bool, MemoryError> {
        // First: what a folder that is a link has in it says nothing of why nothing is written there.
        let real = self.real_path(path)?;
        if let Some(reason) = self.memora.vault.exclusion_reason(path) {
            return Err(MemoryError::Excluded(reason));
        }
        let Some(folder) = real.parent() else { return Err(MemoryError::Outside) };
        fs::create_dir_all(folder)?;
        self.clear_leftovers(folder)?;
        let making = write_new(folder, text)?;
        // A hard link never replaces a file.
        let linked = fs::hard_link(&making, &real);
        fs::remove_file(&making)?;
        match linked {
            Ok(()) => {
                sync_folder(folder);
                Ok(true)
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether anything has this name.
    pub(super) fn exists(&self, path: &NotePath) -> Result<bool, MemoryError> {
        match fs::symlink_metadata(self.real_path(path)?) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads a file as it stands; `None` where there is none, or none of words.
    pub(super) fn read(&self, path: &NotePath) -> Result<Option<String>, MemoryError> {
        let real = self.real_path(path)?;
        match fs::metadata(&real) {
            Ok(found) if found.is_file() && found.len() <= FILE_BYTES_MAX => {
                Ok(String::from_utf8(fs::read(&real)?).ok())
            }
            Ok(_) => Ok(None),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Looks whether a file is Memora's as it stands.
    pub(super) fn find<'l>(&self, path: &NotePath, lock: &'l FolderLock) -> Result<FoundFile<'l>, MemoryError> {
        let real = self.real_path(path)?;
        let text = match fs::metadata(&real) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(FoundFile::Missing),
            Err(error) => return Err(error.into()),
            Ok(found) if !found.is_file() || found.len() > FILE_BYTES_MAX => return Ok(FoundFile::NotOurs),
            Ok(_) => fs::read(&real)?,
        };
        let Ok(text) = String::from_utf8(text) else { return Ok(FoundFile::NotOurs) };
        match Document::parse(&text).filter(|_| self.key.is_sealed(&text)) {
            Some(document) => Ok(FoundFile::Owned(Owned { path: path.clone(), text, document, _lock: lock })),
            None => Ok(FoundFile::NotOurs),
        }
    }

    /// Replaces a file by exchanging it with a new one. If something else was saved in between, that stands.
    pub(super) fn replace(&self, owned: &Owned<'_>, document: &Document) -> Result<Changed, MemoryError> {
        self.exchange(&owned.path, &owned.text, &self.key.seal(document))
    }

    /// Seals a file as it stands: the user hands it back. `None` if it is no file of memory.
    pub(super) fn reseal(&self, path: &NotePath, _lock: &FolderLock) -> Result<Option<Changed>, MemoryError> {
        let real = self.real_path(path)?;
        let text = fs::read_to_string(&real)?;
        match Document::parse(&text).filter(|document| document.memora().is_some()) {
            Some(document) => self.exchange(path, &text, &self.key.seal(&document)).map(Some),
            None => Ok(None),
        }
    }

    fn exchange(&self, path: &NotePath, before: &str, after: &str) -> Result<Changed, MemoryError> {
        let real = self.real_path(path)?;
        let Some(folder) = real.parent() else { return Err(MemoryError::Outside) };
        self.clear_leftovers(folder)?;
        let making = write_new(folder, after)?;
        let swapped = folder.join(SWAPPED);
        fs::rename(&making, &swapped)?;
        exchange_names(&swapped, &real)?;
        // What was displaced, not what was read: an editor may have saved in between. Its time is taken first, so that what is
        // saved from here on is found later.
        let found = fs::metadata(&swapped)?;
        if fs::read(&swapped)? != before.as_bytes() {
            exchange_names(&swapped, &real)?;
            // What stood there for that moment may have been saved over, too.
            match fs::read(&swapped)? == after.as_bytes() {
                true => fs::remove_file(&swapped)?,
                false => self.bring_back(&swapped, path)?,
            }
            return Ok(Changed::Overtaken);
        }
        self.keep_displaced(&swapped, &found, path)?;
        sync_folder(folder);
        Ok(Changed::Done)
    }

    /// Removes a file. If something else was saved in between, that stands.
    pub(super) fn remove(&self, owned: &Owned<'_>) -> Result<Changed, MemoryError> {
        let real = self.real_path(&owned.path)?;
        let Some(folder) = real.parent() else { return Err(MemoryError::Outside) };
        self.clear_leftovers(folder)?;
        let swapped = folder.join(SWAPPED);
        fs::rename(&real, &swapped)?;
        let found = fs::metadata(&swapped)?;
        if fs::read(&swapped)? != owned.text.as_bytes() {
            self.bring_back(&swapped, &owned.path)?;
            return Ok(Changed::Overtaken);
        }
        self.keep_displaced(&swapped, &found, &owned.path)?;
        sync_folder(folder);
        Ok(Changed::Done)
    }

    /// Clears up after a write that was killed: what was being made goes; what had been displaced goes if Memora wrote it,
    /// and comes back beside the new file otherwise.
    fn clear_leftovers(&self, folder: &Path) -> Result<(), MemoryError> {
        remove_if_there(&folder.join(MAKING))?;
        for displaced in [SWAPPED, BETWEEN].map(|name| folder.join(name)) {
            let Ok(bytes) = fs::read(&displaced) else { continue };
            if std::str::from_utf8(&bytes).is_ok_and(|text| self.key.is_sealed(text)) {
                remove_if_there(&displaced)?;
                continue;
            }
            let inside = folder.strip_prefix(self.memora.vault.root()).map_err(|_| MemoryError::Outside)?;
            let path = NotePath::from_relative(&inside.join("recovered.md")).map_err(|_| MemoryError::Outside)?;
            self.bring_back(&displaced, &path)?;
        }
        Ok(())
    }

    /// Gives a displaced file a name beside another's, never over one.
    fn bring_back(&self, displaced: &Path, path: &NotePath) -> Result<(), MemoryError> {
        let real = self.real_path(path)?;
        let folder = real.parent().unwrap_or(Path::new(".")).to_owned();
        fs::create_dir_all(&folder)?;
        for number in 0..10_000 {
            let name = match number {
                0 => format!("{}.md", path.stem()),
                _ => format!("{} recovered {number}.md", path.stem()),
            };
            match fs::hard_link(displaced, folder.join(&name)) {
                Ok(()) => return Ok(fs::remove_file(displaced)?),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                // Another file system, or one without links.
                Err(_) => match File::create_new(folder.join(&name)) {
                    Ok(mut file) => {
                        file.write_all(&fs::read(displaced)?)?;
                        file.sync_all()?;
                        return Ok(fs::remove_file(displaced)?);
                    }
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                    Err(error) => return Err(error.into()),
                },
            }
        }
        Err(MemoryError::Io(ErrorKind::AlreadyExists.into()))
    }

    /// Keeps a displaced file, as it was found, for a while in the state folder, if that is on the same disk, and brings back
    /// those that an editor has written to since.
    fn keep_displaced(&self, displaced: &Path, found: &fs::Metadata, path: &NotePath) -> Result<(), MemoryError> {
        let keep = self.memora.state.join("displaced");
        fs::create_dir_all(&keep)?;
        let mut kept: Vec<PathBuf> = fs::read_dir(&keep)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        kept.sort();
        let last = kept.last().and_then(|file| file.file_name()?.to_str()?.split(' ').next()?.parse::<u64>().ok());
        for file in &kept {
            if !is_as_displaced(file) {
                let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
                let stem = stem.splitn(4, ' ').nth(3).unwrap_or("note");
                self.bring_back(file, &self.note_path(&format!("recovered/{stem}"))?)?;
            }
        }
        for file in kept.iter().take(kept.len().saturating_sub(DISPLACED_MAX - 1)) {
            remove_if_there(file)?;
        }
        let number = last.map_or(0, |last| last + 1);
        let name = format!("{number:020} {} {} {}.md", found.len(), mtime(found), path.stem());
        if fs::rename(displaced, keep.join(name)).is_err() {
            remove_if_there(displaced)?;
        }
        Ok(())
    }

    /// The files of the folder below a path in it, by name; hidden ones and links are left out.
    pub(super) fn list(&self, inside: &str) -> Vec<NotePath> {
        let root = self.memora.vault.root();
        let start = [self.name(), inside]
            .iter()
            .filter(|part| !part.is_empty())
            .fold(root.to_owned(), |path, part| path.join(part));
        let mut found = Vec::new();
        let mut due = vec![start];
        while let Some(folder) = due.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let Ok(kind) = entry.file_type() else { continue };
                if entry.file_name().to_string_lossy().starts_with('.') {
                    continue;
                }
                if kind.is_dir() {
                    due.push(entry.path());
                } else if kind.is_file() {
                    let path = entry.path().strip_prefix(root).ok().and_then(|path| NotePath::from_relative(path).ok());
                    found.extend(path.filter(|path| path.as_str().ends_with(".md")));
                }
            }
        }
        found.sort();
        found
    }
}

/// Writes a new file beside its destination, whole and on the disk.
fn write_new(folder: &Path, text: &str) -> io::Result<PathBuf> {
    let making = folder.join(MAKING);
    let mut file = File::create_new(&making)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    Ok(making)
}

/// Exchanges the names of two files: at once where the system can; elsewhere the second gets a third name in between.
fn exchange_names(one: &Path, other: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
            Ok(()) => return Ok(()),
            Err(error) if error == rustix::io::Errno::INVAL || error == rustix::io::Errno::NOSYS => {}
            Err(error) => return Err(error.into()),
        }
    }
    let between = one.with_file_name(BETWEEN);
    fs::hard_link(other, &between)?;
    fs::rename(one, other)?;
    fs::rename(&between, one)
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The name is on disk when the folder is; where folders cannot be opened, the system sees to it.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        drop(folder.sync_all());
    }
}

fn mtime(found: &fs::Metadata) -> u128 {
    let since = found.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos())
}

/// Whether a kept file has the length and the time that its name tells.
fn is_as_displaced(file: &Path) -> bool {
    let Ok(found) = fs::metadata(file) else { return true };
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let mut parts = name.split(' ').skip(1);
    let told = (parts.next().and_then(|part| part.parse().ok()), parts.next().and_then(|part| part.parse().ok()));
    told == (Some(found.len()), Some(mtime(&found)))
}

impl Owned<'_> {
    pub(super) fn path(&self) -> &NotePath {
        &self.path
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether the file has these bytes.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }
}
