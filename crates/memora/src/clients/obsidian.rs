//! The vaults that Obsidian lists in its own settings. They are only read; a missing or malformed file lists none.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::SettingsFolders;

/// The maximum size of a settings file that is read, in bytes; real ones have some hundred.
const FILE_SIZE_MAX: u64 = 1 << 20;

/// What is read of `obsidian.json`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ObsidianSettings {
    vaults: HashMap<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct ListedVault {
    path: PathBuf,
    /// When it was opened last, in milliseconds since 1970.
    #[serde(default)]
    ts: f64,
}

/// Returns the folders of the vaults that Obsidian lists and that are there, the one opened last first.
pub(crate) fn list_obsidian_vaults(folders: &SettingsFolders) -> Vec<PathBuf> {
    let mut vaults: Vec<ListedVault> = settings_files(folders).iter().flat_map(|file| read_vaults(file)).collect();
    vaults.retain(|vault| vault.path.is_absolute() && vault.path.is_dir());
    vaults.sort_by(|a, b| b.ts.total_cmp(&a.ts).then_with(|| a.path.cmp(&b.path)));
    let mut listed: Vec<PathBuf> = Vec::new();
    for vault in vaults {
        if !listed.contains(&vault.path) {
            listed.push(vault.path);
        }
    }
    listed
}

/// Where Obsidian keeps its settings: installed as usual, by Flatpak, by Snap.
fn settings_files(folders: &SettingsFolders) -> Vec<PathBuf> {
    let mut places = vec![folders.settings.join("obsidian")];
    if cfg!(target_os = "linux") {
        places.push(folders.home.join(".var/app/md.obsidian.Obsidian/config/obsidian"));
        places.push(folders.home.join("snap/obsidian/current/.config/obsidian"));
    }
    places.into_iter().map(|place| place.join("obsidian.json")).collect()
}

fn read_vaults(file: &Path) -> Vec<ListedVault> {
    let is_small = std::fs::metadata(file).is_ok_and(|data| data.is_file() && data.len() <= FILE_SIZE_MAX);
    let text = if is_small { std::fs::read(file).unwrap_or_default() } else { Vec::new() };
    let settings: ObsidianSettings = serde_json::from_slice(&text).unwrap_or_default();
    // An entry of another form hides no other.
    settings.vaults.into_values().filter_map(|vault| serde_json::from_value(vault).ok()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn folders(home: &Path) -> SettingsFolders {
        let config = home.join(".config");
        SettingsFolders { home: home.to_owned(), settings: config.clone(), config, claude: None, codex: None }
    }

    fn write(file: &Path, text: &str) {
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("folders can be made");
        std::fs::write(file, text).expect("a file can be written");
    }

    #[test]
    fn vaults_that_are_there_are_listed_the_last_opened_first() {
        let home = tempfile::tempdir().expect("a folder");
        let at = |name: &str| home.path().join(name);
        for name in ["Notes", "Work notes", "Snapped"] {
            std::fs::create_dir(at(name)).expect("a folder can be made");
        }
        write(&at("a file"), "");
        let [plain, snap, ..] = ["Notes", "Snapped"].map(at);
        let listed = json!({ "vaults": {
            "1": { "path": plain, "ts": 1_700_000_000_000_u64 },
            "2": { "path": at("Work notes"), "ts": 1_800_000_000_000_u64, "open": true },
            "3": { "path": at("gone"), "ts": 1_900_000_000_000_u64 },
            "4": { "path": at("a file") },
            "5": { "path": "Notes" },
            "6": ["no vault"],
            "7": { "path": plain },
        } });
        write(&at(".config/obsidian/obsidian.json"), &listed.to_string());
        assert_eq!(list_obsidian_vaults(&folders(home.path())), [at("Work notes"), at("Notes")]);
        write(
            &at("snap/obsidian/current/.config/obsidian/obsidian.json"),
            &json!({ "vaults": { "1": { "path": snap } } }).to_string(),
        );
        let all = list_obsidian_vaults(&folders(home.path()));
        assert_eq!(all.len(), if cfg!(target_os = "linux") { 3 } else { 2 }, "{all:?}");
    }

    #[test]
    fn a_file_that_is_missing_or_malformed_lists_nothing() {
        let home = tempfile::tempdir().expect("a folder");
        let file = home.path().join(".config/obsidian/obsidian.json");
        assert!(list_obsidian_vaults(&folders(home.path())).is_empty());
        for text in ["", "{", "[]", "null", "{\"vaults\": 7}", "{\"vaults\": {\"a\": {\"path\": 7}}}", "\u{0}"] {
            write(&file, text);
            assert!(list_obsidian_vaults(&folders(home.path())).is_empty(), "{text}");
        }
        // A folder in the place of the file.
        std::fs::remove_file(&file).expect("it can be removed");
        std::fs::create_dir(&file).expect("a folder can be made");
        assert!(list_obsidian_vaults(&folders(home.path())).is_empty());
    }
}
