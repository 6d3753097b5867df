//! The user's configuration, and the folders that Memora uses.
//!
//! A vault's own settings (`.memora/config.toml`) are read by `memora-vault` and can only tighten. Everything here
//! comes from the user's own folders.

pub(crate) mod bridge;
pub(crate) mod edit;
mod error;
pub(crate) mod folder;
pub(crate) mod memory;
pub(crate) mod private_file;
pub(crate) mod settings;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use memora_embed::RuntimePaths;
use memora_extract::{ClaimExtractor, Relation, Relations};
use memora_model::ModelConfig;
use memora_redact::{CloudVisibility, Handles};
use memora_retrieve::Fusion;
use memora_vault::{PathContext, PlaceRules};

use crate::state::config::memory::MemoryConfig;
use crate::state::config::private_file::private_file_options;
use crate::state::embedder::choice::EmbedderChoice;

pub use error::ConfigError;

/// Where Memora keeps things, and what the user decided.
#[derive(Debug)]
pub struct Config {
    /// The folder that holds a folder of state for each vault.
    pub state_dir: PathBuf,
    /// The folder of `config.toml` and of the key for handles.
    pub config_dir: PathBuf,
    /// Privacy rules by place.
    pub rules: PlaceRules,
    /// What a cloud door may see.
    pub cloud_sees: CloudVisibility,
    /// Who "I" is in the notes, by any name used there.
    pub owner: Option<String>,
    /// The relations that the user added, with those of the program; nothing when there are none.
    pub relations: Option<Relations>,
    /// How lexical and semantic hits are fused into one ranking.
    pub fusion: Fusion,
    /// The embedder.
    pub embedder: EmbedderChoice,
    /// ONNX Runtime's library, where `ORT_DYLIB_PATH` names one.
    pub ort_dylib_path: Option<PathBuf>,
    /// How the nearest vectors are found.
    pub nearest: NearestMethod,
    /// The language model that may draft answers, if any.
    pub model: Option<ModelConfig>,
    /// Whether sentences that only paraphrase the notes are dropped from answers and from fixed texts.
    pub strict: bool,
    /// The folder of agents' memory, and what agents may do with it.
    pub memory: MemoryConfig,
    /// How much of a note is read at most, in bytes.
    pub read_bytes_max: usize,
    /// The day that "today" means.
    pub today: jiff::civil::Date,
    /// See [`Config::removed_keys`].
    removed: Vec<String>,
    /// The text of `config.toml` as it was read, if there was one.
    read: Option<String>,
}

/// How the vectors nearest to a question are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NearestMethod {
    /// An exhaustive scan.
    #[default]
    Scan,
    /// A graph over them, which a long-lived process builds for a large vault while the scan answers.
    Hnsw,
}

impl Config {
    /// Reads the user's configuration: `config.toml` in the configuration folder, if there is one.
    ///
    /// `state` and `config` override the platform's folders.
    pub fn load(
        state: Option<PathBuf>,
        config: Option<PathBuf>,
        today: jiff::civil::Date,
    ) -> Result<Self, ConfigError> {
        let dirs = ProjectDirs::from("", "", "memora");
        let state_dir = state.or_else(|| dirs.as_ref().map(|d| d.data_local_dir().to_owned()));
        let config_dir = config.or_else(|| dirs.as_ref().map(|d| d.config_dir().to_owned()));
        let (Some(state_dir), Some(config_dir)) = (state_dir, config_dir) else { return Err(ConfigError::NoHome) };
        let path = config_dir.join("config.toml");
        let text = match fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(source) => return Err(ConfigError::Io { path, source }),
        };
        let written = text.as_deref().map(|text| parse_config(&path, text)).transpose()?.unwrap_or_default();
        let ParsedConfig {
            rules,
            cloud_sees,
            owner,
            relations,
            fusion,
            nearest,
            embedder,
            model,
            verify,
            memory,
            notes,
        } = written;
        let VerifyConfig { strict, removed } = verify;
        let ort_dylib_path = std::env::var_os("ORT_DYLIB_PATH").map(PathBuf::from);
        Ok(Self {
            state_dir,
            config_dir,
            rules,
            cloud_sees,
            owner,
            relations,
            fusion,
            nearest,
            embedder,
            ort_dylib_path,
            model,
            strict,
            memory,
            read_bytes_max: notes.read_bytes_max,
            today,
            removed,
            read: text,
        })
    }

    /// The configuration of the same folders, as it is now.
    pub fn reload(&self) -> Result<Self, ConfigError> {
        Self::load(Some(self.state_dir.clone()), Some(self.config_dir.clone()), self.today)
    }

    /// Keys of `config.toml` whose band word was not understood and was read as secret.
    #[must_use]
    pub fn misread_bands(&self) -> &[String] {
        self.rules.misread_keys()
    }

    /// Keys of `config.toml` that an earlier version had, and that have no effect any more.
    #[must_use]
    pub fn removed_keys(&self) -> &[String] {
        &self.removed
    }

    /// Whether `config.toml`, read again, says what it said.
    #[must_use]
    pub fn is_as_read(&self) -> bool {
        fs::read_to_string(self.config_dir.join("config.toml")).ok() == self.read
    }

    /// The extractor, with the user's relations beside those of the program.
    pub(crate) fn extractor(&self) -> ClaimExtractor<'_> {
        ClaimExtractor::new(self.relations.as_ref().unwrap_or(Relations::built_in()))
    }

    /// A relation by its name.
    pub(crate) fn find_relation(&self, name: &str) -> Option<&Relation> {
        self.relations.as_ref().unwrap_or(Relations::built_in()).find_by_name(name)
    }

    /// The folder for models that the user installed, shared by all vaults.
    #[must_use]
    pub fn models_dir(&self) -> PathBuf {
        let folder = self.state_dir.join("models");
        std::path::absolute(&folder).unwrap_or(folder)
    }

    /// Where an embedding model and its library may be.
    #[must_use]
    pub fn embedder_paths(&self) -> RuntimePaths {
        let ort_dylib_path = self.ort_dylib_path.clone();
        RuntimePaths { ort_dylib_path, data: Some(self.models_dir()), ..RuntimePaths::default() }
    }

    /// The folder of one vault's state, by its canonical root.
    #[must_use]
    pub fn vault_state_dir(&self, root: &Path) -> PathBuf {
        let hash = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
        self.state_dir.join("vaults").join(hash.as_str().get(..16).unwrap_or_default())
    }

    /// The key under which guarded claims get their handles; made on first use, readable by its owner alone.
    pub fn load_handles(&self) -> Result<Handles, ConfigError> {
        self.load_key("handle").map(Handles::new)
    }

    /// A key of 32 bytes, `NAME.key`; made on first use, readable by its owner alone.
    pub(crate) fn load_key(&self, name: &str) -> Result<[u8; 32], ConfigError> {
        let path = self.config_dir.join(format!("{name}.key"));
        let error = |source| ConfigError::Io { path: path.clone(), source };
        let existing = || fs::read(&path).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes.as_slice()).ok());
        if let Some(key) = existing() {
            return Ok(key);
        }
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|e| error(std::io::Error::other(e.to_string())))?;
        fs::create_dir_all(&self.config_dir).map_err(error)?;
        let mut options = private_file_options();
        options.write(true).create(true).truncate(true);
        // Of several processes that start together one makes the key, whole, and the others take it.
        let lock = options.open(self.config_dir.join(format!("{name}.lock"))).map_err(error)?;
        drop(lock.lock());
        if let Some(key) = existing() {
            return Ok(key);
        }
        options.open(&path).and_then(|mut file| file.write_all(&key)).map_err(error)?;
        Ok(key)
    }
}

/// What the file says.
#[derive(Default)]
struct ParsedConfig {
    fusion: Fusion,
    embedder: EmbedderChoice,
    nearest: NearestMethod,
    rules: PlaceRules,
    cloud_sees: CloudVisibility,
    owner: Option<String>,
    relations: Option<Relations>,
    model: Option<ModelConfig>,
    verify: VerifyConfig,
    memory: MemoryConfig,
    notes: NotesConfig,
}

/// `[notes]`.
struct NotesConfig {
    read_bytes_max: usize,
}

impl Default for NotesConfig {
    fn default() -> Self {
        Self { read_bytes_max: PathContext::READ_BYTES_MAX }
    }
}

impl NotesConfig {
    /// Reads the table; `None` for an unknown key or an invalid value.
    fn from_toml(notes: &toml::Value) -> Option<Self> {
        let mut read = Self::default();
        for (key, value) in notes.as_table()? {
            let mib = value.as_integer().filter(|mib| key == "read_mib" && (1..=16).contains(mib))?;
            read.read_bytes_max = usize::try_from(mib).ok()? << 20;
        }
        Some(read)
    }
}

/// `[verify]`.
#[derive(Default)]
struct VerifyConfig {
    strict: bool,
    removed: Vec<String>,
}

impl VerifyConfig {
    /// Keys of an earlier version, which chose a network that read sentences.
    const REMOVED: [&str; 2] = ["entailment", "entailed_from"];

    /// Reads the table; `None` for an unknown key or an invalid value.
    fn from_toml(verify: &toml::Value) -> Option<Self> {
        let mut read = Self::default();
        for (key, value) in verify.as_table()? {
            match key.as_str() {
                "strict" => read.strict = value.as_bool()?,
                removed if Self::REMOVED.contains(&removed) => read.removed.push(format!("verify.{removed}")),
                _ => return None,
            }
        }
        Some(read)
    }
}

fn parse_config(path: &Path, text: &str) -> Result<ParsedConfig, ConfigError> {
    let rules = PlaceRules::from_shared_toml(
        text,
        &["cloud", "model", "owner", "relation", "class", "search", "verify", "memory", "notes"],
    )
    .map_err(|source| ConfigError::Rules { path: path.to_owned(), source })?;
    // `from_toml_beside` has read the whole text, so it is TOML.
    let table: toml::Table = text.trim_start_matches('\u{feff}').parse().unwrap_or_default();
    let sees = table.get("cloud").and_then(|cloud| cloud.get("sees"));
    let cloud_sees = match sees.map(|word| word.as_str()) {
        None if table.contains_key("cloud") => return Err(ConfigError::CloudSees { path: path.to_owned() }),
        None | Some(Some("public")) => CloudVisibility::Public,
        Some(Some("private")) => CloudVisibility::Private,
        Some(_) => return Err(ConfigError::CloudSees { path: path.to_owned() }),
    };
    let owner = match table.get("owner").map(|word| word.as_str().map(str::trim)) {
        None => None,
        Some(Some(name)) if memora_claim::NameKey::from_name(name).is_some() => Some(name.to_owned()),
        Some(_) => return Err(ConfigError::Owner { path: path.to_owned() }),
    };
    let named = table.contains_key("relation") || table.contains_key("class");
    let relations = named.then(|| Relations::with_user_relations(text.trim_start_matches('\u{feff}'))).transpose();
    let relations = relations.map_err(|source| ConfigError::Relations { path: path.to_owned(), source })?;
    let keys = table.get("search").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys);
    if let Some(key) = keys.into_iter().find(|key| !SEARCH_KEYS.contains(&key.as_str())) {
        return Err(ConfigError::SearchKey { path: path.to_owned(), key: key.clone() });
    }
    let (ranking, embedder) = match table.get("search") {
        None => Default::default(),
        Some(search) => (
            parse_ranking(search).ok_or_else(|| ConfigError::Search { path: path.to_owned() })?,
            parse_embedder(search).ok_or_else(|| ConfigError::Embedder { path: path.to_owned() })?,
        ),
    };
    let (fusion, nearest) = ranking;
    let model = table.get("model").map(ModelConfig::from_toml).transpose();
    let model = model.map_err(|source| ConfigError::Model { path: path.to_owned(), source })?;
    let verify = table.get("verify").map_or_else(|| Some(VerifyConfig::default()), VerifyConfig::from_toml);
    let verify = verify.ok_or_else(|| ConfigError::Verify { path: path.to_owned() })?;
    let memory =
        table.get("memory").map_or_else(|| Ok(MemoryConfig::default()), |memory| MemoryConfig::parse(path, memory))?;
    let notes = table.get("notes").map_or_else(|| Some(NotesConfig::default()), NotesConfig::from_toml);
    let notes = notes.ok_or_else(|| ConfigError::Notes { path: path.to_owned() })?;
    Ok(ParsedConfig { fusion, nearest, embedder, rules, cloud_sees, owner, relations, model, verify, memory, notes })
}

/// Checks that a text is a valid configuration.
pub(crate) fn check_readable(path: &Path, text: &str) -> Result<(), ConfigError> {
    parse_config(path, text).map(|_| ())
}

/// `search.embedder`, if it is missing or a known name.
fn parse_embedder(search: &toml::Value) -> Option<EmbedderChoice> {
    match search.get("embedder") {
        None => Some(EmbedderChoice::default()),
        Some(word) => EmbedderChoice::from_name(word.as_str()?),
    }
}

/// Keys of `[search]`.
const SEARCH_KEYS: [&str; 3] = ["embedder", "fusion", "nearest"];

/// `[search]`: `fusion = "scores"` or `"ranks"` and `nearest = "scan"` or `"hnsw"`.
fn parse_ranking(search: &toml::Value) -> Option<(Fusion, NearestMethod)> {
    let table = search.as_table()?;
    let fusion = match table.get("fusion").map(toml::Value::as_str) {
        None => Fusion::default(),
        Some(Some("scores")) => Fusion::WEIGHTED_SUM,
        Some(Some("ranks")) => Fusion::RECIPROCAL_RANK,
        Some(_) => return None,
    };
    let nearest = match table.get("nearest").map(toml::Value::as_str) {
        None | Some(Some("scan")) => NearestMethod::Scan,
        Some(Some("hnsw")) if cfg!(feature = "hnsw") => NearestMethod::Hnsw,
        Some(_) => return None,
    };
    Some((fusion, nearest))
}

#[cfg(test)]
mod tests {
    use memora_vault::Hint;

    use super::*;

    #[test]
    fn a_fusion_is_chosen_by_name() {
        let fusion = |text: &str| config(text).map(|config| config.fusion);
        assert_eq!(fusion("").expect("an empty file is fine"), Fusion::WEIGHTED_SUM);
        assert_eq!(fusion("[search]\nfusion = \"ranks\"\n").expect("ranks"), Fusion::RECIPROCAL_RANK);
        for bad in ["[search]\nfusion = \"best\"\n", "search = 1\n", "[search]\nfusion = 1\n"] {
            assert!(matches!(fusion(bad), Err(ConfigError::Search { .. })), "{bad}");
        }
        let misspelt = fusion("[search]\nfuson = \"ranks\"\n");
        assert!(matches!(misspelt, Err(ConfigError::SearchKey { key, .. }) if key == "fuson"));
    }

    #[test]
    fn an_embedder_is_chosen_by_name() {
        let embedder = |text: &str| config(text).map(|config| config.embedder);
        assert_eq!(embedder("").expect("an empty file is fine"), EmbedderChoice::Embedded);
        for choice in EmbedderChoice::ALL {
            let text = format!("[search]\nfusion = \"ranks\"\nembedder = \"{}\"\n", choice.name());
            assert_eq!(embedder(&text).expect("a known name"), choice);
        }
        for bad in ["[search]\nembedder = \"best\"\n", "[search]\nembedder = 1\n"] {
            assert!(matches!(embedder(bad), Err(ConfigError::Embedder { .. })), "{bad}");
        }
    }

    #[test]
    fn what_finds_the_nearest_is_chosen_by_name() {
        let nearest = |text: &str| config(text).map(|config| config.nearest);
        assert_eq!(nearest("[search]\nfusion = \"ranks\"\n").expect("fusion alone"), NearestMethod::Scan);
        assert_eq!(nearest("[search]\nnearest = \"scan\"\n").expect("scan"), NearestMethod::Scan);
        assert_eq!(nearest("[search]\nnearest = \"hnsw\"\n").expect("hnsw"), NearestMethod::Hnsw);
        for bad in ["[search]\nnearest = \"ivf\"\n", "[search]\nnearest = true\n"] {
            assert!(matches!(nearest(bad), Err(ConfigError::Search { .. })), "{bad}");
        }
    }

    fn load(text: &str) -> Result<CloudVisibility, ConfigError> {
        config(text).map(|config| config.cloud_sees)
    }

    fn config(text: &str) -> Result<Config, ConfigError> {
        let dir = tempfile::tempdir().expect("a folder");
        fs::write(dir.path().join("config.toml"), text).expect("a file");
        let today = jiff::civil::date(2025, 12, 31);
        Config::load(Some(dir.path().into()), Some(dir.path().into()), today)
    }

    #[test]
    fn a_cloud_door_is_never_given_the_secret_band() {
        assert_eq!(load("").expect("an empty file is fine"), CloudVisibility::Public);
        assert_eq!(load("[cloud]\nsees = \"private\"\n").expect("private may be allowed"), CloudVisibility::Private);
        for bad in ["[cloud]\nsees = \"secret\"\n", "[cloud]\nsees = 1\n", "[cloud]\nses = \"private\"\n"] {
            assert!(matches!(load(bad), Err(ConfigError::CloudSees { .. })), "{bad}");
        }
        assert!(matches!(load("[clod]\n"), Err(ConfigError::Rules { .. })));
    }

    #[test]
    fn the_owner_has_a_name_or_none_is_given() {
        let owner = |text: &str| config(text).map(|config| config.owner);
        assert_eq!(owner("").expect("an empty file is fine"), None);
        assert_eq!(owner("owner = \" Mara \"\n").expect("a name is fine").as_deref(), Some("Mara"));
        assert_eq!(owner("owner = \"Mara\"\n[cloud]\nsees = \"private\"\n").expect("both").as_deref(), Some("Mara"));
        for bad in ["owner = \"\"\n", "owner = \" . \"\n", "owner = 7\n", "[owner]\nname = \"Mara\"\n"] {
            assert!(matches!(owner(bad), Err(ConfigError::Owner { .. })), "{bad}");
        }
    }

    #[test]
    fn a_user_names_relations() {
        let own = "[[relation]]\nname = \"grows_in\"\nverbs = [\"grow in\"]\n";
        let relations = config(own).expect("a relation is fine").relations.expect("it is there");
        assert!(relations.find_by_name("grows_in").is_some() && relations.find_by_name("owner").is_some());
        assert!(config("").expect("an empty file is fine").relations.is_none());
        for bad in ["[[relation]]\nname = \"Grows In\"\n", "[relation]\nname = 1\n", "class = 7\n"] {
            assert!(matches!(config(bad), Err(ConfigError::Relations { .. })), "{bad}");
        }
    }

    #[test]
    fn an_error_is_said_once_with_a_hint_that_fits() {
        #[track_caller]
        fn check(text: &str, said: &str, hint: &str) {
            let error = config(text).expect_err("a bad configuration");
            let mut all = error.to_string();
            let mut next = std::error::Error::source(&error);
            while let Some(source) = next {
                all = format!("{all}: {source}");
                next = source.source();
            }
            let (_, after) = all.split_once("config.toml ").expect("the file is named");
            assert_eq!(after, format!("cannot be read: {said}"));
            assert!(error.hint().contains(hint), "{}", error.hint());
        }
        check("[clod]\n", "unknown key `clod`", "[[relation]]");
        check("[privacy]\nowner = \"Mara\"\n", "unknown key `privacy.owner`", "in front of all tables");
        check("[privacy]\nunmarkd = \"secret\"\n", "unknown key `privacy.unmarkd`", "privacy.unmarked");
        check("x = 1\n[[relation\n", "not valid TOML, line 2", "[[relation]]");
        let row = "[[relation]]\nname = \"x\"\n";
        check(row, "relation `x` has neither verbs nor names", "verbs = ");
        check(
            &row.replace('x', "X"),
            "`X` is no name for a relation: use lower-case letters and underscores",
            "name = ",
        );
        let unknown = format!("{row}names = [\"x\"]\nobject = [\"ride\"]\n");
        check(&unknown, "relation `x` names the class `ride`, which is not defined", "[class]");
        check("class = 7\n", "line 1: invalid type: integer `7`, expected a map", "[class]");
    }

    #[test]
    fn how_much_of_a_note_is_read_is_a_whole_number_of_mebibytes() {
        let limit = |text: &str| config(text).map(|config| config.read_bytes_max);
        assert_eq!(limit("").expect("an empty file is fine"), 8 << 20);
        assert_eq!(limit("[notes]\nread_mib = 1\n").expect("a number"), 1 << 20);
        for bad in ["[notes]\nread_mib = 0\n", "[notes]\nread_mib = 17\n", "notes = 1\n", "[notes]\nmib = 1\n"] {
            assert!(matches!(limit(bad), Err(ConfigError::Notes { .. })), "{bad}");
        }
    }

    #[test]
    fn keys_that_are_gone_are_named_and_change_nothing() {
        let old = "[verify]\nentailment = \"nli-deberta-v3-xsmall\"\nstrict = true\nentailed_from = 0.9\n";
        let read = config(old).expect("an old configuration is fine");
        assert_eq!(read.removed_keys(), ["verify.entailed_from", "verify.entailment"]);
        assert!(read.strict && config("[verify]\nstrict = true\n").expect("strict").removed_keys().is_empty());
        for bad in ["[verify]\nreader = \"x\"\n", "[verify]\nstrict = 1\n", "verify = true\n"] {
            assert!(matches!(config(bad), Err(ConfigError::Verify { .. })), "{bad}");
        }
    }

    #[test]
    fn the_key_is_made_once() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = Some(dir.path().to_owned());
        let config = Config::load(path.clone(), path, jiff::civil::date(2025, 12, 31)).expect("a configuration");
        let note = memora_vault::NotePath::new("a.md").expect("a good path");
        let first = config.load_handles().expect("a key").handle_for_claim(&note, 0);
        assert_eq!(first, config.load_handles().expect("the same key").handle_for_claim(&note, 0));
    }
}
