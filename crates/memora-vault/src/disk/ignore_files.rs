//! The patterns of `.memoraignore` and `.gitignore`, by folder.
//!
//! Only files inside the root are read: no global git configuration, no `.git/info/exclude`, nothing above the vault.
//! `.memoraignore` is asked first, and a `!pattern` there brings back what `.gitignore` hides.

use std::path::Path;
use std::rc::Rc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::settings::read_settings_file;
use super::settings_hash::SettingsHasher;
use super::{SettingsFault, SettingsProblem, SkipReason, fold_name, nfc};

pub(super) const GITIGNORE: &str = ".gitignore";
pub(super) const MEMORAIGNORE: &str = ".memoraignore";

/// The patterns of one folder, and those of the folders above it.
#[derive(Debug)]
pub(super) struct IgnoreLayer {
    above: Option<Rc<Self>>,
    /// The folder, composed, with a slash at the end; empty for the root.
    prefix: String,
    git: Option<Gitignore>,
    memora: Option<Gitignore>,
}

/// The result of reading a folder's ignore files.
#[derive(Debug, Default)]
pub(super) struct LayerReading {
    pub(super) layer: Option<Rc<IgnoreLayer>>,
    pub(super) problems: Vec<SettingsProblem>,
    /// There is a `.memoraignore` that cannot be read: nothing below may be read either.
    pub(super) closed: bool,
}

impl IgnoreLayer {
    /// Reads the ignore files of `folder` (vault-relative, empty for the root) that are said to be there.
    pub(super) fn read(
        root: &Path,
        folder: &str,
        above: Option<Rc<Self>>,
        names: &[&str],
        hash: &mut SettingsHasher,
    ) -> LayerReading {
        let mut reading = LayerReading { layer: above.clone(), ..LayerReading::default() };
        if names.is_empty() {
            return reading;
        }
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut layer = Self { above, prefix: nfc(&prefix).into_owned(), git: None, memora: None };
        for &name in names {
            let file = format!("{prefix}{name}");
            match read_settings_file(root, &file) {
                Ok(None) => {}
                Ok(Some(text)) => {
                    hash.add(&file);
                    hash.add(&text);
                    let is_memora = name == MEMORAIGNORE;
                    let matcher = compile_patterns(&text, is_memora, |line| {
                        let fault = SettingsFault::BadPattern { line };
                        reading.problems.push(SettingsProblem { file: file.clone(), fault });
                    });
                    *(if is_memora { &mut layer.memora } else { &mut layer.git }) = matcher;
                }
                Err(fault) => {
                    reading.closed |= name == MEMORAIGNORE;
                    reading.problems.push(SettingsProblem { file, fault });
                }
            }
        }
        reading.layer = Some(Rc::new(layer));
        reading
    }

    /// Returns why a file or folder is ignored. Callers must check the parent folders first: as in git, nothing below
    /// an ignored folder can be re-included.
    pub(super) fn ignore_reason(&self, path: &str, is_folder: bool) -> Option<SkipReason> {
        let composed = nfc(path);
        match self.innermost_match(&composed, is_folder, true) {
            Some(true) => Some(SkipReason::IgnoredByMemora),
            Some(false) => None,
            None => {
                (self.innermost_match(&composed, is_folder, false) == Some(true)).then_some(SkipReason::IgnoredByGit)
            }
        }
    }

    /// Returns the verdict of the innermost folder with a matching pattern.
    fn innermost_match(&self, path: &str, is_folder: bool, memora: bool) -> Option<bool> {
        let mut layer = Some(self);
        while let Some(here) = layer {
            layer = here.above.as_deref();
            let Some(matcher) = (if memora { &here.memora } else { &here.git }) else { continue };
            let Some(below) = path.strip_prefix(here.prefix.as_str()) else { continue };
            let matched =
                if memora { matcher.matched(fold_name(below), is_folder) } else { matcher.matched(below, is_folder) };
            match matched {
                Match::Ignore(_) => return Some(true),
                Match::Whitelist(_) => return Some(false),
                Match::None => {}
            }
        }
        None
    }
}

/// `.memoraignore` forgives case, as the privacy rules do; `.gitignore` is read as git reads it.
fn compile_patterns(text: &str, forgive_case: bool, mut bad_line: impl FnMut(usize)) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new("");
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = if forgive_case { fold_name(line) } else { nfc(line).into_owned() };
        if builder.add_line(None, &line).is_err() {
            bad_line(index + 1);
        }
    }
    builder.build().ok().filter(|matcher| !matcher.is_empty())
}
