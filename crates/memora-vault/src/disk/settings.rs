//! The vault's own settings: Obsidian's, and `.memora/config.toml`.
//!
//! Invariant: unreadable settings never stop anything, they are reported. The caller makes one exception: if the
//! vault's privacy rules cannot be read, every place is secret.

use std::fmt;
use std::path::Path;

use regex::{Regex, RegexBuilder};
use serde_json::Value;

use super::dates::{DateFormat, parse_day_in_words, parse_leading_date};
use super::locate::{NotLocated, locate, read_bounded};
use super::settings_hash::SettingsHasher;
use super::{PlaceRules, PlaceRulesError, SkipReason, fold_name, nfc};
use crate::Hint;
use crate::{NotePath, PartialDate};

/// Files that decide which notes are read and how (ignore files aside), and user decisions. Relative to the vault.
pub(crate) const SETTINGS_FILES: [&str; 7] = [APP, TEMPLATES, TEMPLATER, DAILY, PERIODIC, RULES, DECISIONS];

const APP: &str = ".obsidian/app.json";
const TEMPLATES: &str = ".obsidian/templates.json";
const TEMPLATER: &str = ".obsidian/plugins/templater-obsidian/data.json";
const DAILY: &str = ".obsidian/daily-notes.json";
const PERIODIC: &str = ".obsidian/plugins/periodic-notes/data.json";
const RULES: &str = ".memora/config.toml";

/// The user's decisions about claims; read elsewhere.
const DECISIONS: &str = ".memora/decisions.jsonl";

/// The maximum size of a settings file.
const SETTINGS_BYTES_MAX: u64 = 1 << 20;

/// A settings file, or a line of one, that is not read as intended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsProblem {
    /// The file, relative to the vault.
    pub file: String,
    /// What is wrong.
    pub fault: SettingsFault,
}

/// What can be wrong with settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsFault {
    /// The system does not let it be read, or it is no text file of at most 1 MiB.
    Unreadable,
    /// It is a link that leads out of the vault.
    OutsideVault,
    /// It is not JSON.
    NotJson,
    /// A value has another type than Obsidian writes; it is passed over.
    WrongType {
        /// The key.
        key: &'static str,
    },
    /// An excluded-files pattern is not a regular expression that can be read; it hides nothing.
    BadFilter {
        /// Which one, from 1.
        number: usize,
    },
    /// A date format uses what is not read; notes of that kind get no date from it.
    BadDateFormat {
        /// The kind of note, such as `weekly`.
        period: &'static str,
    },
    /// A line of an ignore file is no pattern; it hides nothing.
    BadPattern {
        /// Which line, from 1.
        line: usize,
    },
    /// The privacy rules cannot be read; every place is secret.
    PrivacyRules(PlaceRulesError),
    /// A band word is not one; read as secret.
    UnknownBand {
        /// The key with the tables it stands in.
        key: String,
    },
}

impl fmt::Display for SettingsProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        match &self.fault {
            SettingsFault::Unreadable => f.write_str("cannot be read"),
            SettingsFault::OutsideVault => f.write_str("is a link that leads out of the vault; not read"),
            SettingsFault::NotJson => f.write_str("is not valid JSON; not read"),
            SettingsFault::WrongType { key } => write!(f, "`{key}` is not what Obsidian writes; not read"),
            SettingsFault::BadFilter { number } => {
                write!(f, "excluded-files pattern {number} cannot be read; it hides nothing")
            }
            SettingsFault::BadDateFormat { period } => {
                write!(f, "the date format of {period} notes cannot be read; it dates no note")
            }
            SettingsFault::BadPattern { line } => write!(f, "line {line} is not a pattern; it hides nothing"),
            SettingsFault::PrivacyRules(error) => write!(f, "{error}; every note is read as secret"),
            SettingsFault::UnknownBand { key } => write!(f, "`{key}` is not a privacy band; read as secret"),
        }
    }
}

impl Hint for SettingsProblem {
    fn hint(&self) -> &'static str {
        match &self.fault {
            SettingsFault::Unreadable => "check its permissions and that it is UTF-8 text",
            SettingsFault::OutsideVault => "put a copy of the target into the vault",
            SettingsFault::NotJson => "open the vault in Obsidian and save the settings again",
            SettingsFault::WrongType { .. } => "set it again in Obsidian",
            SettingsFault::BadFilter { .. } => "lookaround and back references are not supported; use .memoraignore",
            SettingsFault::BadDateFormat { .. } => {
                "use year, month, day, week or quarter tokens with separators, and put words in square brackets"
            }
            SettingsFault::BadPattern { .. } => "close every [ and {, as in .gitignore",
            SettingsFault::PrivacyRules(error) => error.hint(),
            SettingsFault::UnknownBand { .. } => "write public, private or secret",
        }
    }
}

/// Everything in Obsidian's settings that decides which notes are read and how.
#[derive(Clone, Debug, Default)]
pub(super) struct ObsidianSettings {
    filters: Vec<ExclusionFilter>,
    /// Folders, [folded](super::fold_name).
    template_folders: Vec<String>,
    /// Single files, [folded](super::fold_name), without `.md`.
    template_files: Vec<String>,
    periodic: Vec<PeriodicNotes>,
    pub(super) problems: Vec<SettingsProblem>,
}

#[derive(Clone, Debug)]
enum ExclusionFilter {
    /// The start of a path, [folded](super::fold_name).
    Prefix(String),
    /// Obsidian tests it anywhere in the path, case forgiven.
    Pattern(Regex),
}

#[derive(Clone, Debug)]
struct PeriodicNotes {
    /// [Folded](super::fold_name); empty for the root.
    folder: String,
    text: String,
    format: DateFormat,
}

impl ObsidianSettings {
    /// Reads what there is below `.obsidian`.
    pub(super) fn read(root: &Path) -> Self {
        let mut settings = Self::default();
        match locate(root, ".obsidian") {
            Ok(found) if found.metadata.is_dir() => {}
            Ok(_) | Err(NotLocated::Missing) => return settings,
            Err(why) => {
                settings.add_problem(".obsidian", to_settings_fault(&why));
                return settings;
            }
        }
        settings.read_filters(root);
        settings.read_templates(root);
        settings.read_periodic(root);
        settings
    }

    fn read_filters(&mut self, root: &Path) {
        let Some(app) = self.read_json(root, APP) else { return };
        let filters = match app.get("userIgnoreFilters") {
            None | Some(Value::Null) => return,
            Some(Value::Array(filters)) => filters,
            Some(_) => return self.add_problem(APP, SettingsFault::WrongType { key: "userIgnoreFilters" }),
        };
        for (index, filter) in filters.iter().enumerate() {
            let filter = filter.as_str().unwrap_or_default();
            let pattern = filter.strip_prefix('/').and_then(|inner| inner.strip_suffix('/'));
            match pattern.map(|inner| RegexBuilder::new(&nfc(inner)).case_insensitive(true).build()) {
                Some(Ok(regex)) => self.filters.push(ExclusionFilter::Pattern(regex)),
                Some(Err(_)) => self.add_problem(APP, SettingsFault::BadFilter { number: index + 1 }),
                // An empty prefix would hide the whole vault, which is never intended.
                None if filter.is_empty() => {}
                None => self.filters.push(ExclusionFilter::Prefix(fold_name(filter))),
            }
        }
    }

    fn read_templates(&mut self, root: &Path) {
        let places = [(TEMPLATES, "folder"), (TEMPLATER, "templates_folder")];
        for (file, key) in places {
            let Some(folder) = self.read_json(root, file).as_ref().and_then(|json| self.read_place(file, json, key))
            else {
                continue;
            };
            // The root as templates folder (Templater's default is "/" or nothing) means "not set".
            if !folder.is_empty() {
                self.template_folders.push(folder);
            }
        }
    }

    fn read_periodic(&mut self, root: &Path) {
        // Period as in the plugin's first format, as in its second, and the default format.
        const PERIODS: [(&str, &str, &str); 5] = [
            ("daily", "day", "YYYY-MM-DD"),
            ("weekly", "week", "gggg-[W]ww"),
            ("monthly", "month", "YYYY-MM"),
            ("quarterly", "quarter", "YYYY-[Q]Q"),
            ("yearly", "year", "YYYY"),
        ];
        if let Some(json) = self.read_json(root, DAILY) {
            self.add_period(DAILY, "daily", "YYYY-MM-DD", &json);
        }
        let Some(json) = self.read_json(root, PERIODIC) else { return };
        let sets = json.get("calendarSets").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for (old, new, format) in PERIODS {
            let in_sets = sets.iter().filter_map(|set| set.get(new));
            for config in json.get(old).into_iter().chain(in_sets) {
                if config.get("enabled") != Some(&Value::Bool(false)) {
                    self.add_period(PERIODIC, old, format, config);
                }
            }
        }
    }

    fn add_period(&mut self, file: &str, period: &'static str, default: &str, config: &Value) {
        if !config.is_object() {
            return;
        }
        let folder = self.read_place(file, config, "folder").unwrap_or_default();
        let text = config.get("format").and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        let text = text.unwrap_or(default).to_owned();
        match DateFormat::new(&nfc(&text)) {
            Some(format) => self.periodic.push(PeriodicNotes { folder, text, format }),
            None => self.add_problem(file, SettingsFault::BadDateFormat { period }),
        }
        for key in ["template", "templatePath"] {
            if let Some(template) = self.read_place(file, config, key).filter(|template| !template.is_empty()) {
                self.template_files.push(template.strip_suffix(".md").unwrap_or(&template).to_owned());
            }
        }
    }

    /// Reads a string value that names a path, folded and without slashes at its ends.
    fn read_place(&mut self, file: &str, json: &Value, key: &'static str) -> Option<String> {
        match json.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(fold_name(text.trim().trim_matches('/'))),
            Some(_) => {
                self.add_problem(file, SettingsFault::WrongType { key });
                None
            }
        }
    }

    fn read_json(&mut self, root: &Path, file: &str) -> Option<Value> {
        let parsed = match read_settings_file(root, file) {
            Ok(text) => serde_json::from_str(text?.trim_start_matches('\u{feff}')).map_err(|_| SettingsFault::NotJson),
            Err(fault) => Err(fault),
        };
        parsed.map_err(|fault| self.add_problem(file, fault)).ok()
    }

    fn add_problem(&mut self, file: &str, fault: SettingsFault) {
        self.problems.push(SettingsProblem { file: file.to_owned(), fault });
    }

    /// Why Obsidian's settings exclude a path, if they do.
    pub(super) fn exclusion_reason(&self, path: &str) -> Option<SkipReason> {
        if self.filters.is_empty() && self.template_folders.is_empty() && self.template_files.is_empty() {
            return None;
        }
        let (composed, folded) = (nfc(path), fold_name(path));
        let hidden = self.filters.iter().any(|filter| match filter {
            ExclusionFilter::Prefix(prefix) => folded.starts_with(prefix.as_str()),
            ExclusionFilter::Pattern(regex) => regex.is_match(&composed),
        });
        if hidden {
            return Some(SkipReason::IgnoredByObsidian);
        }
        let in_folder =
            |folder: &String| folded.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'));
        let stem = folded.strip_suffix(".md").unwrap_or(&folded);
        let template = self.template_folders.iter().any(in_folder) || self.template_files.iter().any(|f| f == stem);
        template.then_some(SkipReason::Template)
    }

    /// The date in a note's name: as a periodic note, else from a leading ISO date or a day in words at either end.
    pub(super) fn date_from_name(&self, path: &NotePath) -> Option<PartialDate> {
        let composed = nfc(path.as_str());
        let whole = composed.get(..composed.len().saturating_sub(3)).unwrap_or_default();
        let below = |folder: &str| {
            if folder.is_empty() {
                return Some(whole);
            }
            // Folding may change lengths, so the folders are compared name by name.
            let mut rest = whole;
            for name in folder.split('/') {
                let (first, after) = rest.split_once('/')?;
                (fold_name(first) == name).then_some(())?;
                rest = after;
            }
            Some(rest)
        };
        let dated = |periodic: &PeriodicNotes| periodic.format.parse(below(&periodic.folder)?);
        let stem = whole.rsplit('/').next().unwrap_or(whole);
        self.periodic.iter().find_map(dated).or_else(|| parse_leading_date(stem)).or_else(|| parse_day_in_words(stem))
    }

    /// Feeds everything that affects reading to a hash.
    pub(super) fn hash_into(&self, hash: &mut SettingsHasher) {
        for filter in &self.filters {
            match filter {
                ExclusionFilter::Prefix(prefix) => hash.add(prefix),
                ExclusionFilter::Pattern(regex) => hash.add(&format!("/{regex}/")),
            }
        }
        for list in [&self.template_folders, &self.template_files] {
            hash.add("templates");
            list.iter().for_each(|place| hash.add(place));
        }
        for periodic in &self.periodic {
            hash.add(&periodic.folder);
            hash.add(&periodic.text);
        }
    }
}

/// Reads the vault's own privacy rules, with their problems. Fails closed.
pub(super) fn read_place_rules(root: &Path) -> (PlaceRules, Vec<SettingsProblem>) {
    let problem = |fault| SettingsProblem { file: RULES.to_owned(), fault };
    match read_settings_file(root, RULES) {
        Ok(None) => (PlaceRules::default(), Vec::new()),
        Ok(Some(text)) => match PlaceRules::from_shared_toml(&text, &["memory"]) {
            Ok(rules) => {
                let unknown = |key: &String| problem(SettingsFault::UnknownBand { key: key.clone() });
                let problems = rules.misread_keys().iter().map(unknown).collect();
                (rules, problems)
            }
            Err(error) => (PlaceRules::all_secret(), vec![problem(SettingsFault::PrivacyRules(error))]),
        },
        Err(fault) => (PlaceRules::all_secret(), vec![problem(fault)]),
    }
}

/// Reads a settings file inside the root; `None` when there is none.
pub(super) fn read_settings_file(root: &Path, file: &str) -> Result<Option<String>, SettingsFault> {
    let found = match locate(root, file) {
        Ok(found) => found,
        Err(NotLocated::Missing) => return Ok(None),
        Err(why) => return Err(to_settings_fault(&why)),
    };
    if !found.metadata.is_file() {
        return Err(SettingsFault::Unreadable);
    }
    let bytes = read_bounded(&found.real, found.metadata.len(), SETTINGS_BYTES_MAX).ok().flatten();
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).map(Some).ok_or(SettingsFault::Unreadable)
}

fn to_settings_fault(why: &NotLocated) -> SettingsFault {
    match why {
        NotLocated::Outside => SettingsFault::OutsideVault,
        NotLocated::Missing | NotLocated::BrokenLink | NotLocated::Unreadable(_) => SettingsFault::Unreadable,
    }
}
