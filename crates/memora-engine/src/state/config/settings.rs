//! Settings that `memora init` asks for, as written in the user's own `config.toml`: who "I" is, the band of
//! unmarked notes, and which places are guarded.
//!
//! Invariant: **a setting is added or changed, never removed.** To remove one, the user edits the file.

use std::path::PathBuf;

use memora_claim::NameKey;
use memora_vault::{Band, PlaceRules};
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use crate::state::config::Config;
use crate::state::config::edit::{ConfigEditError, ensure_table, set_value};

/// Settings of `config.toml` that `memora init` asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitSettings {
    /// Who "I" is in the notes.
    pub owner: Option<String>,
    /// The band of unmarked notes.
    pub unmarked: Band,
    /// Bands by place: a glob, as in a line of `.gitignore`, and its band.
    pub places: Vec<(String, Band)>,
}

impl Config {
    /// The settings as they are.
    #[must_use]
    pub fn settings(&self) -> InitSettings {
        InitSettings {
            owner: self.owner.clone(),
            unmarked: self.rules.unmarked_band(),
            places: self.rules.iter_rules().map(|(glob, band)| (glob.to_owned(), band)).collect(),
        }
    }

    /// Whether words can be `owner`.
    #[must_use]
    pub fn is_valid_owner(words: &str) -> bool {
        NameKey::from_name(words).is_some()
    }

    /// Whether words can be the glob of a place.
    #[must_use]
    pub fn is_valid_glob(words: &str) -> bool {
        PlaceRules::new(vec![(words.to_owned(), Band::Secret)], Band::Public).is_ok()
    }

    /// Writes the settings that differ to `config.toml`; places that `wanted` lacks are kept. `None` if none differ.
    ///
    /// # Errors
    /// [`ConfigEditError`]; then the file is as it was.
    pub fn write_settings(&self, wanted: &InitSettings) -> Result<Option<PathBuf>, ConfigEditError> {
        let now = self.settings();
        let owner = wanted.owner.as_deref().filter(|name| now.owner.as_deref() != Some(name));
        let unmarked = (wanted.unmarked != now.unmarked).then_some(wanted.unmarked);
        let places: Vec<_> = wanted.places.iter().filter(|place| !now.places.contains(place)).collect();
        if owner.is_none() && unmarked.is_none() && places.is_empty() {
            return Ok(None);
        }
        let path = self.edit_file(|document| {
            if let Some(name) = owner {
                set_value(document.as_table_mut(), "owner", name);
            }
            if let Some(band) = unmarked {
                set_value(ensure_table(document, "privacy")?, "unmarked", band.as_str());
            }
            places.into_iter().try_for_each(|(glob, band)| set_place_band(document, glob, *band))
        })?;
        Ok(Some(path))
    }
}

/// Gives a place a band: in every rule with exactly this glob, or in a new rule at the end.
fn set_place_band(document: &mut DocumentMut, glob: &str, band: Band) -> Option<()> {
    let privacy = match document.entry("privacy").or_insert_with(implicit_table) {
        // Between the lines of a table in braces no other can stand.
        Item::Value(Value::InlineTable(inline)) => inline as &mut dyn TableLike,
        item => item.as_table_like_mut()?,
    };
    if privacy.get("rules").is_none() {
        privacy.insert("rules", Item::ArrayOfTables(ArrayOfTables::new()));
    }
    let is_it = |rule: &dyn TableLike| rule.get("glob").and_then(Item::as_str) == Some(glob);
    match privacy.get_mut("rules")? {
        Item::ArrayOfTables(rules) => {
            let mut found = false;
            for rule in rules.iter_mut().filter(|rule| is_it(*rule)) {
                set_value(rule, "band", band.as_str());
                found = true;
            }
            if !found {
                let mut rule = Table::new();
                set_value(&mut rule, "glob", glob);
                set_value(&mut rule, "band", band.as_str());
                rules.push(rule);
            }
        }
        Item::Value(Value::Array(rules)) => {
            let mut found = false;
            for rule in rules.iter_mut().filter_map(Value::as_inline_table_mut).filter(|rule| is_it(*rule)) {
                set_value(rule, "band", band.as_str());
                found = true;
            }
            if !found {
                let mut rule = InlineTable::new();
                set_value(&mut rule, "glob", glob);
                set_value(&mut rule, "band", band.as_str());
                rules.push(rule);
            }
        }
        _ => return None,
    }
    Some(())
}

/// A table without a header of its own.
fn implicit_table() -> Item {
    let mut table = Table::new();
    table.set_implicit(true);
    Item::Table(table)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    fn config(dir: &Path) -> Config {
        Config::load(Some(dir.into()), Some(dir.into()), jiff::civil::date(2025, 12, 31)).expect("a configuration")
    }

    /// Writes Mara, private, and two places into a file, reads it again, and does it once more.
    #[track_caller]
    fn check(text: &str, expect: &str) {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("config.toml");
        fs::write(&path, text).expect("a file");
        let places = [("journal/**", Band::Secret), ("people/family/**", Band::Private)];
        let before = config(dir.path()).settings();
        let mut wanted = InitSettings { owner: Some("Mara".to_owned()), unmarked: Band::Private, ..before };
        for (glob, band) in places {
            wanted.places.retain(|(there, _)| there != glob);
            wanted.places.push((glob.to_owned(), band));
        }
        assert_eq!(config(dir.path()).write_settings(&wanted).expect("it is written"), Some(path.clone()));
        assert_eq!(fs::read_to_string(&path).expect("it is there"), expect);
        let mut after = config(dir.path()).settings();
        for settings in [&mut after, &mut wanted] {
            settings.places.sort();
        }
        assert_eq!(after, wanted);
        assert_eq!(config(dir.path()).write_settings(&wanted).expect("nothing to write"), None);
    }

    #[test]
    fn settings_are_added_where_there_are_none() {
        check(
            "",
            "owner = \"Mara\"\n\n[privacy]\nunmarked = \"private\"\n\n[[privacy.rules]]\nglob = \"journal/**\"\nband = \"secret\"\n\n[[privacy.rules]]\nglob = \"people/family/**\"\nband = \"private\"\n",
        );
    }

    #[test]
    fn settings_that_are_there_are_changed_in_their_places() {
        check(
            "# mine\nowner = 'Bo' # no more\n\n[privacy] # how\nunmarked = 'public' # for now\n\n# dear diary\n[[privacy.rules]]\nglob = 'journal/**'\nband = 'private' # hm\n\n[cloud]\nsees = \"private\"\n",
            "# mine\nowner = \"Mara\" # no more\n\n[privacy] # how\nunmarked = \"private\" # for now\n\n# dear diary\n[[privacy.rules]]\nglob = 'journal/**'\nband = \"secret\" # hm\n\n[[privacy.rules]]\nglob = \"people/family/**\"\nband = \"private\"\n\n[cloud]\nsees = \"private\"\n",
        );
    }

    #[test]
    fn settings_in_braces_stay_in_braces() {
        check(
            "privacy = { rules = [{ glob = 'a', band = 'secret' }] }\n",
            "privacy = { rules = [{ glob = 'a', band = 'secret' }, { glob = \"journal/**\", band = \"secret\" }, { glob = \"people/family/**\", band = \"private\" }] , unmarked = \"private\" }\nowner = \"Mara\"\n",
        );
    }

    #[test]
    fn a_glob_that_is_none_is_not_written() {
        let dir = tempfile::tempdir().expect("a folder");
        let wanted = InitSettings { places: vec![("[".to_owned(), Band::Secret)], ..config(dir.path()).settings() };
        assert!(matches!(config(dir.path()).write_settings(&wanted), Err(ConfigEditError::Unreadable(_))));
        assert!(!dir.path().join("config.toml").exists());
    }
}
