//! Privacy by place: the band of a note by its path.
//!
//! Invariant: everything here fails closed. A misspelt band is secret, a misspelt key or glob is an error, and a vault
//! whose own rules cannot be read is secret as a whole (see [`crate::Vault::open`]).

use std::ops::Range;

use super::glob::Glob;
use crate::Band;
use crate::Hint;

/// Which language models may be used for a vault. The stricter of the user's and the vault's setting counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModelsAllowed {
    /// Whichever the user configures.
    #[default]
    Any,
    /// Those that run on this machine alone.
    Local,
    /// None.
    None,
}

impl ModelsAllowed {
    /// Its word in configuration.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Local => "local",
            Self::None => "none",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        [Self::Any, Self::Local, Self::None].into_iter().find(|models| models.as_str() == word)
    }
}

/// Bands by glob, and the band of places that no glob names.
///
/// A glob follows the syntax of `.gitignore`: with an inner slash it is anchored to the root, without one it matches at
/// any depth, and a match on a folder covers everything below it. Case and Unicode composition are ignored. When
/// several match, the strictest counts. One that is written as a path of elsewhere, `./journal/**` or `journal\**`, is also read as it is
/// meant; where it may mean something else, only to guard.
#[derive(Clone, Debug)]
pub struct PlaceRules {
    rules: Vec<(Glob, Band)>,
    unmarked: Band,
    models: ModelsAllowed,
    /// Keys whose band word was not understood and became secret.
    misread: Vec<String>,
}

/// No rules: every place is public.
impl Default for PlaceRules {
    fn default() -> Self {
        Self { rules: Vec::new(), unmarked: Band::Public, models: ModelsAllowed::Any, misread: Vec::new() }
    }
}

impl PlaceRules {
    /// Compiles the rules.
    ///
    /// # Errors
    /// [`BadGlob`] for the first invalid glob, so that a typo is never ignored silently.
    pub fn new(rules: Vec<(String, Band)>, unmarked: Band) -> Result<Self, BadGlob> {
        let compile = |(index, (glob, band)): (usize, (String, Band))| match Glob::new(&glob) {
            Some(compiled) => Ok((compiled, band)),
            None => Err(BadGlob { rule: index + 1, glob }),
        };
        let rules = rules.into_iter().enumerate().map(compile).collect::<Result<_, _>>()?;
        Ok(Self { rules, unmarked, ..Self::default() })
    }

    /// Reads rules as configuration gives them.
    ///
    /// ```toml
    /// [privacy]
    /// unmarked = "private"
    /// models = "local"
    ///
    /// [[privacy.rules]]
    /// glob = "journal/**"
    /// band = "secret"
    /// ```
    /// A band word that isn't one is [`Band::Secret`] and is listed by [`misread`](Self::misread_keys).
    ///
    /// # Errors
    /// [`PlaceRulesError`] if the text is not TOML, a key is unknown, missing or mistyped, or a glob is invalid.
    pub fn from_toml(text: &str) -> Result<Self, PlaceRulesError> {
        Self::from_shared_toml(text, &[])
    }

    /// As [`from_toml`](Self::from_toml), for a text in which the top-level keys `others` belong to other
    /// readers.
    ///
    /// # Errors
    /// As [`from_toml`](Self::from_toml).
    pub fn from_shared_toml(text: &str, others: &[&str]) -> Result<Self, PlaceRulesError> {
        let unknown = |key: &str| PlaceRulesError::UnknownKey { key: key.to_owned() };
        let wrong = |key: &str, wanted| PlaceRulesError::WrongType { key: key.to_owned(), wanted };
        let text = text.trim_start_matches('\u{feff}');
        let whole: toml::Table =
            text.parse().map_err(|error: toml::de::Error| PlaceRulesError::not_toml(text, error.span()))?;
        if let Some(key) = whole.keys().find(|key| *key != "privacy" && !others.contains(&key.as_str())) {
            return Err(unknown(key));
        }
        let Some(privacy) = whole.get("privacy") else { return Ok(Self::default()) };
        let privacy = privacy.as_table().ok_or_else(|| wrong("privacy", "a table"))?;
        let mut misread = Vec::new();
        let mut unmarked = Band::Public;
        let mut models = ModelsAllowed::Any;
        let mut rules = Vec::new();
        for (key, value) in privacy {
            match key.as_str() {
                "unmarked" => unmarked = parse_band(value, "privacy.unmarked", &mut misread)?,
                "models" => {
                    let known = value.as_str().and_then(ModelsAllowed::parse);
                    models = known.ok_or_else(|| wrong("privacy.models", "\"any\", \"local\" or \"none\""))?;
                }
                "rules" => {
                    let list = value.as_array().ok_or_else(|| wrong("privacy.rules", "a list of tables"))?;
                    for (index, rule) in list.iter().enumerate() {
                        rules.push(parse_rule(rule, &format!("privacy.rules[{}]", index + 1), &mut misread)?);
                    }
                }
                other => return Err(unknown(&format!("privacy.{other}"))),
            }
        }
        Ok(Self { misread, models, ..Self::new(rules, unmarked)? })
    }

    /// Returns rules under which every place is secret and no model may be used: the fallback for unreadable rules.
    #[must_use]
    pub fn all_secret() -> Self {
        Self { unmarked: Band::Secret, models: ModelsAllowed::None, ..Self::default() }
    }

    /// Which language models may be asked.
    #[must_use]
    pub fn allowed_models(&self) -> ModelsAllowed {
        self.models
    }

    /// The band of a vault-relative path: the strictest of the rules that match, or `unmarked` when none does.
    #[must_use]
    pub fn band(&self, path: &str) -> Band {
        if self.rules.is_empty() {
            return self.unmarked;
        }
        self.matching_rules(path).map(|(_, band)| band).reduce(Band::join).unwrap_or(self.unmarked)
    }

    /// The rules that match a path, as written, in order.
    pub fn matching_rules<'a>(&'a self, path: &str) -> impl Iterator<Item = (&'a str, Band)> + use<'a> {
        let path = super::nfc(path).into_owned();
        let matches = move |(glob, band): &&(Glob, Band)| {
            let follows = glob.meant().is_some_and(|(_, is_certain)| is_certain || *band > Band::Public);
            glob.matches(&path) || follows && glob.matches_meant(&path)
        };
        self.rules.iter().filter(matches).map(|(glob, band)| (glob.as_str(), *band))
    }

    /// The rules that match none of some paths as they are written.
    pub(super) fn find_vain<'a>(&'a self, paths: &[&str]) -> impl Iterator<Item = VainRule<'a>> {
        let paths: Vec<String> = paths.iter().map(|path| super::nfc(path).into_owned()).collect();
        self.rules.iter().filter_map(move |(glob, _)| {
            let any = |matches: &dyn Fn(&str) -> bool| paths.iter().any(|path| matches(path));
            let meant = glob.meant().filter(|_| any(&|path| glob.matches_meant(path)));
            let is_vain = !any(&|path| glob.matches(path));
            is_vain.then(|| VainRule { glob: glob.as_str(), read_as: meant.map(|(meant, _)| meant) })
        })
    }

    /// Every rule, as written, in order: its glob and its band.
    pub fn iter_rules(&self) -> impl Iterator<Item = (&str, Band)> {
        self.rules.iter().map(|(glob, band)| (glob.as_str(), *band))
    }

    /// The band of a place that no rule names.
    #[must_use]
    pub fn unmarked_band(&self) -> Band {
        self.unmarked
    }

    /// The keys whose band word was not understood and was read as secret, such as `privacy.rules[2].band`.
    #[must_use]
    pub fn misread_keys(&self) -> &[String] {
        &self.misread
    }

    /// Feeds everything that decides a band to a hash.
    pub(super) fn hash_into(&self, hash: &mut super::settings_hash::SettingsHasher) {
        hash.add(self.unmarked.as_str());
        for (glob, band) in &self.rules {
            hash.add(glob.as_str());
            hash.add(band.as_str());
        }
    }
}

/// A rule that no note matches as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VainRule<'a> {
    /// Its glob, as written.
    pub glob: &'a str,
    /// What it is read as, if a note matches that.
    pub read_as: Option<&'a str>,
}

fn parse_rule(rule: &toml::Value, name: &str, misread: &mut Vec<String>) -> Result<(String, Band), PlaceRulesError> {
    let key = |part: &str| format!("{name}.{part}");
    let table = rule.as_table().ok_or_else(|| PlaceRulesError::WrongType { key: name.into(), wanted: "a table" })?;
    if let Some(other) = table.keys().find(|k| !matches!(k.as_str(), "glob" | "band")) {
        return Err(PlaceRulesError::UnknownKey { key: key(other) });
    }
    let missing = |part: &str| PlaceRulesError::MissingKey { key: key(part) };
    let glob = table.get("glob").ok_or_else(|| missing("glob"))?;
    let glob = glob.as_str().ok_or_else(|| PlaceRulesError::WrongType { key: key("glob"), wanted: "a string" })?;
    let band = parse_band(table.get("band").ok_or_else(|| missing("band"))?, &key("band"), misread)?;
    Ok((glob.to_owned(), band))
}

fn parse_band(value: &toml::Value, key: &str, misread: &mut Vec<String>) -> Result<Band, PlaceRulesError> {
    let word = value.as_str().ok_or_else(|| PlaceRulesError::WrongType { key: key.into(), wanted: "a string" })?;
    Ok(Band::parse(word).unwrap_or_else(|_| {
        misread.push(key.to_owned());
        Band::Secret
    }))
}

/// A glob that cannot be compiled.
///
/// Its text is not in the message: a glob can name what it is there to hide.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the glob of privacy rule {rule} is not valid")]
pub struct BadGlob {
    /// Which rule, from 1.
    pub rule: usize,
    /// The glob as written.
    pub glob: String,
}

impl Hint for BadGlob {
    fn hint(&self) -> &'static str {
        "close every [ and {, write \\[ for a bracket in a name, and / between folders, as in journal/**"
    }
}

/// Why privacy rules cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceRulesError {
    /// The text is not TOML.
    #[error("not valid TOML, line {line}")]
    NotToml {
        /// Line of the first mistake, from 1.
        line: usize,
    },
    /// A key that means nothing here.
    #[error("unknown key `{key}`")]
    UnknownKey {
        /// The key with the tables it stands in.
        key: String,
    },
    /// A key that has to be there.
    #[error("missing key `{key}`")]
    MissingKey {
        /// The key with the tables it stands in.
        key: String,
    },
    /// A key with another kind of value.
    #[error("`{key}` should be {wanted}")]
    WrongType {
        /// The key with the tables it stands in.
        key: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// A glob that is none.
    #[error(transparent)]
    BadGlob(#[from] BadGlob),
}

impl PlaceRulesError {
    fn not_toml(text: &str, span: Option<Range<usize>>) -> Self {
        let before = text.get(..span.map_or(0, |span| span.start)).unwrap_or_default();
        Self::NotToml { line: before.matches('\n').count() + 1 }
    }
}

impl Hint for PlaceRulesError {
    fn hint(&self) -> &'static str {
        match self {
            Self::NotToml { .. } => "quote strings, and write each rule under its own [[privacy.rules]]",
            Self::UnknownKey { .. } => {
                "the keys are privacy.unmarked, privacy.models and, in privacy.rules, glob and band"
            }
            Self::MissingKey { .. } => "a rule needs both a glob and a band",
            Self::WrongType { key, .. } if key == "privacy.models" => "any is what holds without it",
            Self::WrongType { .. } => "write bands and globs in quotes, and each rule under its own [[privacy.rules]]",
            Self::BadGlob(bad) => bad.hint(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_allowed_by_a_known_word() {
        let models = |text: &str| PlaceRules::from_toml(text).map(|rules| rules.allowed_models());
        assert_eq!(models(""), Ok(ModelsAllowed::Any));
        assert_eq!(models("[privacy]\nmodels = \"local\""), Ok(ModelsAllowed::Local));
        assert!(models("[privacy]\nmodels = \"locl\"").is_err(), "a slip must not open the door");
        assert_eq!(PlaceRules::all_secret().allowed_models(), ModelsAllowed::None);
    }

    #[test]
    fn the_strictest_matching_rule_counts_and_unmarked_only_without_one() {
        let rules = PlaceRules::from_toml(
            "[privacy]\nunmarked = 'private'\n[[privacy.rules]]\nglob='blog/**'\nband='public'\n\
             [[privacy.rules]]\nglob='**/money*'\nband='Secret'\n",
        )
        .expect("good rules");
        assert_eq!(rules.band("a.md"), Band::Private);
        assert_eq!(rules.band("blog/a.md"), Band::Public);
        assert_eq!(rules.band("blog/money.md"), Band::Secret);
        assert_eq!(rules.matching_rules("blog/money.md").count(), 2);
        assert_eq!(PlaceRules::from_toml("").expect("no rules").band("a.md"), Band::Public);
    }

    #[test]
    fn a_rule_that_matches_nothing_is_read_as_it_is_meant_and_told() {
        let rules = PlaceRules::from_toml(
            "[privacy]\nunmarked = 'private'\n[[privacy.rules]]\nglob='./journal/**'\nband='secret'\n\
             [[privacy.rules]]\nglob='work\\**'\nband='secret'\n[[privacy.rules]]\nglob='blog\\**'\nband='public'\n\
             [[privacy.rules]]\nglob='./open/**'\nband='public'\n[[privacy.rules]]\nglob='gone/**'\nband='secret'\n",
        )
        .expect("good rules");
        assert_eq!(rules.band("journal/a.md"), Band::Secret);
        assert_eq!(rules.band("work/a.md"), Band::Secret);
        assert_eq!(rules.band("blog/a.md"), Band::Private, "in doubt it loosens nothing");
        assert_eq!(rules.band("open/a.md"), Band::Public);
        let vain: Vec<_> =
            rules.find_vain(&["journal/a.md", "work/a.md"]).map(|rule| (rule.glob, rule.read_as)).collect();
        let told = [
            ("./journal/**", Some("journal/**")),
            ("work\\**", Some("work/**")),
            ("blog\\**", None),
            ("./open/**", None),
            ("gone/**", None),
        ];
        assert_eq!(vain, told);
    }

    #[test]
    fn a_misspelt_band_is_secret_and_said() {
        let rules = PlaceRules::from_toml("[[privacy.rules]]\nglob='a'\nband='privat'").expect("good rules");
        assert_eq!(rules.band("a/x.md"), Band::Secret);
        assert_eq!(rules.misread_keys(), ["privacy.rules[1].band"]);
    }

    #[test]
    fn a_misspelt_key_is_an_error_that_names_it() {
        #[track_caller]
        fn check(text: &str, message: &str) {
            let error = PlaceRules::from_toml(text).expect_err("bad rules");
            assert_eq!(error.to_string(), message);
            assert!(!error.hint().is_empty());
        }
        check("[privcy]\nunmarked = 'secret'", "unknown key `privcy`");
        check("[privacy]\nunmarkd = 'secret'", "unknown key `privacy.unmarkd`");
        check("[[privacy.rules]]\nglob='a'\nband='secret'\nnote='x'", "unknown key `privacy.rules[1].note`");
        check("[[privacy.rules]]\nglob='a'", "missing key `privacy.rules[1].band`");
        check("[[privacy.rules]]\nglob=['a']\nband='secret'", "`privacy.rules[1].glob` should be a string");
        check("[privacy.rules]\nglob='a'\nband='secret'", "`privacy.rules` should be a list of tables");
        check("[[privacy.rules]]\nglob='a['\nband='secret'", "the glob of privacy rule 1 is not valid");
        check("[privacy]\nunmarked = secret", "not valid TOML, line 2");
    }

    #[test]
    fn other_sections_are_tolerated_only_by_name() {
        let text = "[models]\nurl = 'x'\n[privacy]\nunmarked = 'secret'";
        assert!(PlaceRules::from_toml(text).is_err());
        assert_eq!(PlaceRules::from_shared_toml(text, &["models"]).expect("good rules").unmarked_band(), Band::Secret);
    }
}
