//! The report of `doctor`, and the purpose of each check.

use schemars::JsonSchema;
use serde::Serialize;

use crate::report::pluralize;

/// What `doctor` found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DoctorReport {
    /// Whether every check passed.
    pub healthy: bool,
    /// The same in a sentence, with the names of those that did not.
    pub summary: String,
    /// The checks.
    pub checks: Vec<DoctorCheck>,
}

impl DoctorReport {
    /// Builds the report with its summary.
    #[must_use]
    pub fn from_checks(checks: Vec<DoctorCheck>) -> Self {
        let bad: Vec<&str> = checks.iter().filter(|check| !check.ok).map(|check| check.name).collect();
        let of = pluralize(checks.len(), "check");
        let summary = match bad.len() {
            0 => format!("all {of} passed"),
            count => format!("{count} of {of} found something to put right: {}", bad.join(", ")),
        };
        Self { healthy: bad.is_empty(), summary, checks }
    }

    /// Adds another check.
    #[must_use]
    pub fn with_check(mut self, check: Option<DoctorCheck>) -> Self {
        self.checks.extend(check);
        Self::from_checks(self.checks)
    }
}

/// One check.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DoctorCheck {
    /// What was looked at, as a stable word or two.
    pub name: &'static str,
    /// Whether it is as it should be.
    pub ok: bool,
    /// What was looked at, in a sentence.
    pub looked_at: &'static str,
    /// What was found.
    pub found: String,
    /// Why it matters.
    pub matters: &'static str,
    /// What to do, where there is something to do.
    pub hint: Option<String>,
}

/// The subject and purpose of a check, before its result.
#[derive(Clone, Copy, Debug)]
pub struct CheckSpec {
    name: &'static str,
    at: &'static str,
    matters: &'static str,
}

impl CheckSpec {
    /// The settings that select and guard notes.
    pub const SETTINGS: Self = Self {
        name: "settings",
        at: "Obsidian's settings, the vault's .memora/config.toml, its ignore files, and your own config.toml",
        matters: "they say which notes are read and which are guarded; where the vault's own cannot be read, every note counts as secret",
    };
    /// The state folder.
    pub const STATE: Self = Self {
        name: "state",
        at: "the folder outside the vault in which Memora keeps its index",
        matters: "a damaged index is rebuilt from your notes, and nothing in them is lost",
    };
    /// The database.
    pub const DATABASE: Self = Self {
        name: "database",
        at: "every page of the index and of the journal, which remembers where sentences stood before",
        matters: "answers are looked up there; your notes are not in danger, whatever is found",
    };
    /// The lexical indexes.
    pub const LEXICAL: Self = Self {
        name: "lexical index",
        at: "the checksums of search's word lists, one each for public, private and secret notes",
        matters: "a damaged list would hide notes from search and ask",
    };
    /// Whether the index is up to date.
    pub const FRESHNESS: Self = Self {
        name: "freshness",
        at: "which notes changed since they were indexed",
        matters: "what is not indexed yet is not found",
    };
    /// Problems of notes.
    pub const NOTES: Self = Self {
        name: "notes",
        at: "problems found when notes were read, and which were skipped",
        matters: "a mistyped property or marker may not do what you meant; Memora never corrects a note",
    };
    /// Unreadable files.
    pub const UNREADABLE: Self = Self {
        name: "unreadable",
        at: "files and folders of the vault that the system does not let Memora read",
        matters: "what they say is neither found nor cited, and what is known of them may be out of date",
    };
    /// The re-read spans of all claims.
    pub const SPANS: Self = Self {
        name: "spans",
        at: "every place of every claim, read again in its note and compared byte for byte",
        matters: "a citation is worth as much as the place that it leads to",
    };
    /// The language model.
    pub const MODEL: Self = Self {
        name: "language model",
        at: "the model that your config.toml names: its key, and where it runs, if you trust it with what is guarded",
        matters: "a model that runs elsewhere is shown nothing guarded, whatever its name",
    };

    /// Builds the check from its result, and a hint.
    #[must_use]
    pub fn into_check(self, ok: bool, found: impl Into<String>, hint: Option<String>) -> DoctorCheck {
        DoctorCheck { name: self.name, ok, looked_at: self.at, found: found.into(), matters: self.matters, hint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_names_what_is_not_as_it_should_be() {
        let check = |looked: CheckSpec, ok| looked.into_check(ok, "", None);
        let good = DoctorReport::from_checks(vec![check(CheckSpec::STATE, true)]);
        assert_eq!((good.healthy, good.summary.as_str()), (true, "all 1 check passed"));
        let bad = good.with_check(Some(check(CheckSpec::MODEL, false)));
        assert_eq!(bad.summary, "1 of 2 checks found something to put right: language model");
        assert!(!bad.healthy);
    }
}
