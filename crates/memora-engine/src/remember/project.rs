//! Which project a folder belongs to: by the address of its remote, or else by its main work tree.

use std::fs;
use std::path::{Path, PathBuf};

use memora_memory::{project_key_of_remote, project_slug};

use crate::state::open::Memora;

/// The largest file of git's that is read.
const GIT_FILE_BYTES_MAX: u64 = 1 << 20;

/// Finds the slug of the project that a folder belongs to; `None` for the root of the file system. No process is started.
///
/// Clones and work trees of one remote are one project; a repository without a remote is known by its main work tree, any
/// other folder by its path.
#[must_use]
pub fn find_project(folder: &Path) -> Option<String> {
    let folder = folder.canonicalize().ok()?;
    folder.parent()?;
    let key = folder.ancestors().find_map(git_key).unwrap_or_else(|| folder.to_string_lossy().into_owned());
    Some(project_slug(&key))
}

impl Memora {
    /// The slugs of the projects that have memories, in order.
    #[must_use]
    pub fn memory_projects(&self) -> Vec<String> {
        let folder = self.vault.root().join(&self.config.memory.folder).join("projects");
        let folders = fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = folders.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let names = folders.filter_map(|entry| entry.file_name().into_string().ok());
        let mut slugs: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
        slugs.sort();
        slugs
    }
}

/// The key of the repository whose work tree this folder is.
fn git_key(folder: &Path) -> Option<String> {
    let dot = folder.join(".git");
    let git = if dot.is_dir() {
        dot
    } else {
        // A work tree's own folder, below that of the main one.
        let told = read_small(&dot)?;
        let own = folder.join(told.trim().strip_prefix("gitdir:")?.trim());
        match read_small(&own.join("commondir")) {
            Some(common) => own.join(common.trim()),
            None => own,
        }
    };
    let git = git.canonicalize().ok()?;
    let remote = read_small(&git.join("config")).and_then(|config| find_origin(&config));
    remote.or_else(|| Some(git.parent()?.to_string_lossy().into_owned()))
}

fn find_origin(config: &str) -> Option<String> {
    let mut in_origin = false;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            in_origin = line.replace(' ', "").eq_ignore_ascii_case("[remote\"origin\"]");
        } else if let Some((key, url)) = line.split_once('=').filter(|_| in_origin)
            && key.trim().eq_ignore_ascii_case("url")
        {
            return Some(project_key_of_remote(url)).filter(|key| !key.is_empty());
        }
    }
    None
}

fn read_small(path: &PathBuf) -> Option<String> {
    let found = fs::metadata(path).ok()?;
    (found.is_file() && found.len() <= GIT_FILE_BYTES_MAX).then(|| fs::read_to_string(path).ok()).flatten()
}
