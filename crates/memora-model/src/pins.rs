//! Which files may be fetched, and their hashes: [`PinTable`], read from `pins.toml`.

use std::path::{Component, Path};

use serde::Deserialize;

use crate::origin;

/// The table of files that may be fetched.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinTable {
    file: Vec<PinnedFile>,
}

/// A file that may be fetched, with its expected hash and size.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinnedFile {
    /// What it is called where it is published, and at a mirror.
    pub name: String,
    /// Where it is published, for good.
    pub url: String,
    /// The sha256 of its bytes in lower-case hexadecimal, as publishers give it.
    pub sha256: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// Under what terms it is published, as SPDX has it.
    pub licence: String,
    /// Where it belongs below the folder for fetched files.
    pub target: String,
    /// The only current_platform that it is for; see [`current_platform`]. Without one it is for all.
    #[serde(default)]
    pub platform: Option<String>,
    /// The only member to extract, if the file is a zip archive.
    #[serde(default)]
    pub member: Option<ArchiveMember>,
}

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchiveMember {
    /// Its path in the archive.
    pub path: String,
    /// The sha256 of its bytes, unpacked.
    pub sha256: String,
    /// How many bytes it has, unpacked.
    pub bytes: u64,
}

/// Why a table of pins is none.
#[derive(Debug, thiserror::Error)]
pub enum PinTableError {
    /// It is not TOML, or has other fields.
    #[error("the table of files cannot be read")]
    Toml(#[from] toml::de::Error),
    /// A value is not what it should be.
    #[error("{name}: {what} is not what it should be")]
    Value {
        /// Which file.
        name: String,
        /// Which of its values.
        what: &'static str,
    },
}

impl PinTable {
    /// Returns the pins that are part of the program.
    ///
    /// # Panics
    /// Never: a test reads them.
    #[must_use]
    pub fn shipped() -> Self {
        Self::parse(include_str!("../pins.toml")).expect("the table in the program is tested")
    }

    /// Reads a table of pins.
    pub fn parse(text: &str) -> Result<Self, PinTableError> {
        let pins: Self = toml::from_str(text)?;
        pins.file.iter().try_for_each(check_pin)?;
        Ok(pins)
    }

    /// Returns the files of a model for a platform, with those that all models need, in the order of the table.
    pub fn files_for<'p>(&'p self, model: &'p str, platform: &'p str) -> impl Iterator<Item = &'p PinnedFile> {
        let is_needed = move |pin: &&PinnedFile| pin.target.split_once('/').is_none_or(|(folder, _)| folder == model);
        let is_here = move |pin: &&PinnedFile| pin.platform.as_deref().is_none_or(|only| only == platform);
        self.file.iter().filter(is_needed).filter(is_here)
    }
}

impl PinnedFile {
    /// Returns the host that publishes it.
    #[must_use]
    pub fn host(&self) -> String {
        reqwest::Url::parse(&self.url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
    }

    /// Returns the sha256 and the size of what ends up in the target.
    pub(crate) fn target_hash_and_size(&self) -> (&str, u64) {
        match &self.member {
            Some(member) => (&member.sha256, member.bytes),
            None => (&self.sha256, self.bytes),
        }
    }
}

/// Returns what this program was built for, in the words of the table; `None` where no file of it would work.
#[must_use]
pub fn current_platform() -> Option<&'static str> {
    let known = [
        (cfg!(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")), "x86_64-linux-gnu"),
        (cfg!(all(target_os = "linux", target_env = "gnu", target_arch = "aarch64")), "aarch64-linux-gnu"),
        (cfg!(all(target_os = "macos", target_arch = "aarch64")), "aarch64-macos"),
        (cfg!(all(windows, target_arch = "x86_64")), "x86_64-windows"),
        (cfg!(all(windows, target_arch = "aarch64")), "aarch64-windows"),
    ];
    known.into_iter().find_map(|(here, name)| here.then_some(name))
}

fn check_pin(pin: &PinnedFile) -> Result<(), PinTableError> {
    let value = |ok: bool, what: &'static str| {
        if ok { Ok(()) } else { Err(PinTableError::Value { name: pin.name.clone(), what }) }
    };
    let below =
        |path: &str| !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let hash = |hash: &str| hash.len() == 64 && hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    value(below(&pin.name) && Path::new(&pin.name).components().count() == 1, "name")?;
    value(below(&pin.target), "target")?;
    value(hash(&pin.sha256), "sha256")?;
    value(origin::parse_address(&pin.url).is_ok(), "url")?;
    value(pin.member.as_ref().is_none_or(|member| hash(&member.sha256)), "member.sha256")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_platform_has_a_library_and_all_have_the_model() {
        let pins = PinTable::shipped();
        let (model, files) = ("all-MiniLM-L6-v2", 5);
        for name in ["x86_64-linux-gnu", "aarch64-linux-gnu", "aarch64-macos", "x86_64-windows", "aarch64-windows"] {
            let targets: Vec<&str> = pins.files_for(model, name).map(|pin| pin.target.as_str()).collect();
            assert_eq!(targets.len(), files + 1, "{targets:?}");
            assert!(targets.iter().any(|target| target.contains("onnxruntime")), "{targets:?}");
        }
        assert!(current_platform().is_none_or(|here| pins.files_for(model, here).count() == files + 1));
        assert_eq!(pins.files_for(model, "elsewhere").count(), files);
    }

    fn is_commit(word: &str) -> bool {
        word.len() == 40 && word.bytes().all(|b| b.is_ascii_hexdigit())
    }

    #[test]
    fn what_is_published_is_published_for_good() {
        // A package index names files by their hash, Hugging Face a commit.
        for pin in &PinTable::shipped().file {
            let for_good = pin.url.starts_with("https://files.pythonhosted.org/packages/")
                || pin.url.split("/resolve/").nth(1).and_then(|rest| rest.split('/').next()).is_some_and(is_commit);
            assert!(for_good && pin.url.ends_with(&pin.name), "{}", pin.url);
        }
    }

    #[test]
    fn a_table_that_leads_elsewhere_is_refused() {
        let row = |name: &str, url: &str, sha: &str, target: &str| {
            format!(
                "[[file]]\nname = \"{name}\"\nurl = \"{url}\"\nsha256 = \"{sha}\"\nbytes = 1\nlicence = \"MIT\"\ntarget = \"{target}\"\n"
            )
        };
        let sha = "0".repeat(64);
        let check = |text: &str, bad: Option<&str>| match (PinTable::parse(text), bad) {
            (Ok(_), None) => {}
            (Err(PinTableError::Value { what, .. }), Some(bad)) => assert_eq!(what, bad),
            (other, bad) => panic!("{other:?} where {bad:?} was due"),
        };
        check(&row("a", "https://example.org/a", &sha, "m/a"), None);
        check(&row("../a", "https://example.org/a", &sha, "a"), Some("name"));
        check(&row("m/a", "https://example.org/a", &sha, "a"), Some("name"));
        check(&row("a", "http://example.org/a", &sha, "a"), Some("url"));
        check(&row("a", "https://example.org/a", "12", "a"), Some("sha256"));
        for target in ["/etc/a", "../a", "m/../../a", "", "."] {
            check(&row("a", "https://example.org/a", &sha, target), Some("target"));
        }
        assert!(matches!(PinTable::parse("[[file]]\nnmae = 1\n"), Err(PinTableError::Toml(_))));
    }
}
