//! The configured language model: [`ModelConfig`], the table `[model]` of the user's own configuration.
//!
//! ```toml
//! [model]
//! provider = "ollama"             # or "openai", for all that speak its format, or "anthropic"
//! name = "qwen3:8b"
//! trusted_local = true            # it runs on this machine, and may see what is guarded
//! ```
//!
//! Invariant: **nothing here comes from a vault, and no key is stored here.** A key is named by where it is kept; see
//! [`KeySource`].

use std::time::Duration;

use reqwest::Url;

use crate::key::KeySource;
use crate::locality::{self, RemoteReason};

use memora_vault::Hint;

/// Default time for an answer, in seconds; local models can be slow.
const TIMEOUT_SECONDS: u64 = 120;

/// Default token limit; models that reason first count their reasoning, too.
const TOKENS_DEFAULT: u32 = 8_192;

/// Keys under which users may write a secret that belongs in a keyring.
const LITERAL_KEYS: &[&str] =
    &["key", "api_key", "apikey", "api-key", "token", "auth_token", "bearer", "authorization", "secret", "password"];

/// Whose API format is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provider {
    /// `"ollama"`.
    Ollama,
    /// `"openai"`: OpenAI and the many that speak its chat completions.
    OpenAi,
    /// `"anthropic"`.
    Anthropic,
}

impl Provider {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ollama, Self::OpenAi, Self::Anthropic];

    /// Its name in the configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ollama => "ollama",
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }

    /// The default address.
    #[must_use]
    pub fn default_url(self) -> &'static str {
        match self {
            Self::Ollama => "http://127.0.0.1:11434",
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com",
        }
    }

    /// The environment variable that usually has its key.
    fn default_key_variable(self) -> Option<&'static str> {
        match self {
            Self::Ollama => None,
            Self::OpenAi => Some("OPENAI_API_KEY"),
            Self::Anthropic => Some("ANTHROPIC_API_KEY"),
        }
    }
}

/// The language model that the user's own configuration names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelConfig {
    /// Whose format it speaks.
    pub provider: Provider,
    /// Base address: `http`, `https`, or `unix` with the path of a socket.
    pub url: Url,
    /// The model's name, as the provider knows it.
    pub name: String,
    /// The user says that it runs on this machine. More than that is checked; see [`crate::RemoteReason`].
    pub trusted_local: bool,
    /// Where its key is.
    pub key: KeySource,
    /// For a whole answer.
    pub timeout: Duration,
    /// How many tokens an answer may have.
    pub tokens_max: u32,
}

/// What is wrong with the table `[model]`. Values are never repeated: they might be keys.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelConfigError {
    /// It is no table.
    #[error("model is no table")]
    NotATable,
    /// It says something that is not known.
    #[error("model.{name} is not known")]
    Unknown {
        /// What it says.
        name: String,
    },
    /// It has a key in it.
    #[error("model.{name}: a key does not belong in a configuration file")]
    LiteralKey {
        /// Under which name.
        name: String,
    },
    /// Something is not said.
    #[error("model.{name} is missing")]
    Missing {
        /// What.
        name: &'static str,
    },
    /// Something is not what it should be.
    #[error("model.{name} is not {expected}")]
    BadValue {
        /// What.
        name: &'static str,
        /// What it should be.
        expected: &'static str,
    },
}

impl Hint for ModelConfigError {
    fn hint(&self) -> &'static str {
        match self {
            Self::NotATable | Self::Missing { .. } => {
                "write [model] with provider = \"ollama\" and name = \"qwen3:8b\""
            }
            Self::Unknown { .. } => {
                "known are provider, url, name, trusted_local, key_env, key_command, timeout_seconds and tokens_max"
            }
            Self::LiteralKey { .. } => {
                "take it out of the file; name a variable with key_env, or a program that prints it with key_command"
            }
            Self::BadValue { name: "url", .. } => {
                "write url = \"http://127.0.0.1:11434\"; user names, passwords and ?queries do not belong in it"
            }
            Self::BadValue { name: "key_env", .. } => {
                "write the name of the variable, not the key: key_env = \"OPENAI_API_KEY\""
            }
            Self::BadValue { name: "key_command", .. } => {
                "write key_command = [\"secret-tool\", \"lookup\", \"service\", \"memora\"], and no key_env beside it"
            }
            Self::BadValue { .. } => "correct the value in config.toml",
        }
    }
}

impl ModelConfig {
    /// Reads the table `[model]`.
    ///
    /// 1. `provider` and `name` must be there.
    /// 2. Without `url`, `key_env` and `key_command`, the key is in `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`, which has to be
    ///    set: it is for those hosts, and is sent to no other unless its name is written down. For Ollama there is none.
    /// 3. What is not known is an error, so that a misspelt `trusted_local` is not passed over.
    pub fn from_toml(table: &toml::Value) -> Result<Self, ModelConfigError> {
        let table = ConfigTable(table.as_table().ok_or(ModelConfigError::NotATable)?);
        table.check_known_keys()?;
        let name = table.get_text("provider")?.ok_or(ModelConfigError::Missing { name: "provider" })?;
        let provider = Provider::ALL.into_iter().find(|provider| provider.name() == name);
        let provider = provider.ok_or(value_error("provider", "\"ollama\", \"openai\" or \"anthropic\""))?;
        let name = table.get_text("name")?.ok_or(ModelConfigError::Missing { name: "name" })?;
        let name = parse_model_name(name).ok_or(value_error("name", "the name of a model"))?;
        Ok(Self {
            provider,
            url: parse_url(table.get_text("url")?.unwrap_or(provider.default_url()))?,
            name,
            trusted_local: table.get_bool("trusted_local")?.unwrap_or(false),
            key: table.key_source(provider)?,
            timeout: Duration::from_secs(table.get_number("timeout_seconds", 1..=86_400)?.unwrap_or(TIMEOUT_SECONDS)),
            tokens_max: table
                .get_number("tokens_max", 1..=1 << 20)?
                .and_then(|n| n.try_into().ok())
                .unwrap_or(TOKENS_DEFAULT),
        })
    }
}

/// Validates a model's name: non-empty text on one line, trimmed.
fn parse_model_name(text: &str) -> Option<String> {
    let name = text.trim();
    let is_name = !name.is_empty() && name.len() <= 200 && !name.chars().any(char::is_control);
    is_name.then(|| name.to_owned())
}

impl ModelConfig {
    /// Returns the same configuration for another model of the provider; `None` if the name is invalid.
    #[must_use]
    pub fn with_name(self, name: &str) -> Option<Self> {
        Some(Self { name: parse_model_name(name)?, ..self })
    }

    /// Host and port, or the path of a socket.
    #[must_use]
    pub fn destination(&self) -> String {
        locality::format_destination(&self.url)
    }

    /// Returns why the model is remote, as far as the configuration alone tells. `None` does not prove it is local.
    #[must_use]
    pub fn remote_reason(&self) -> Option<RemoteReason> {
        if !self.trusted_local {
            return Some(RemoteReason::NotTrusted);
        }
        locality::is_named_cloud(&self.name).then_some(RemoteReason::NamedCloud)
    }
}

fn value_error(name: &'static str, expected: &'static str) -> ModelConfigError {
    ModelConfigError::BadValue { name, expected }
}

/// The table, with typed getters.
struct ConfigTable<'t>(&'t toml::Table);

impl<'t> ConfigTable<'t> {
    const KNOWN: [&'static str; 8] =
        ["provider", "url", "name", "trusted_local", "key_env", "key_command", "timeout_seconds", "tokens_max"];

    fn check_known_keys(&self) -> Result<(), ModelConfigError> {
        let Some(name) = self.0.keys().find(|name| !Self::KNOWN.contains(&name.as_str())) else { return Ok(()) };
        let name = name.clone();
        match LITERAL_KEYS.contains(&name.to_ascii_lowercase().as_str()) {
            true => Err(ModelConfigError::LiteralKey { name }),
            false => Err(ModelConfigError::Unknown { name }),
        }
    }

    fn get_text(&self, name: &'static str) -> Result<Option<&'t str>, ModelConfigError> {
        self.0.get(name).map(|value| value.as_str().ok_or(value_error(name, "a text"))).transpose()
    }

    fn get_bool(&self, name: &'static str) -> Result<Option<bool>, ModelConfigError> {
        self.0.get(name).map(|value| value.as_bool().ok_or(value_error(name, "true or false"))).transpose()
    }

    fn get_number(
        &self,
        name: &'static str,
        within: std::ops::RangeInclusive<u64>,
    ) -> Result<Option<u64>, ModelConfigError> {
        let number = |value: &toml::Value| {
            let number = value.as_integer().and_then(|number| u64::try_from(number).ok());
            number.filter(|number| within.contains(number)).ok_or(value_error(name, "a number that makes sense"))
        };
        self.0.get(name).map(number).transpose()
    }

    fn key_source(&self, provider: Provider) -> Result<KeySource, ModelConfigError> {
        let env = self.get_text("key_env")?;
        if let Some(command) = self.0.get("key_command") {
            let words = command.as_array().map(Vec::as_slice).unwrap_or_default();
            let texts: Option<Vec<String>> = words.iter().map(|word| word.as_str().map(str::to_owned)).collect();
            let words = texts.filter(|words| words.first().is_some_and(|program| !program.is_empty()));
            let words = words.filter(|_| env.is_none()).ok_or(value_error("key_command", "the only list of words"))?;
            return Ok(KeySource::Command(words));
        }
        let is_name = |name: &&str| {
            !name.is_empty() && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric()) && name.len() <= 64
        };
        match env {
            Some(name) => {
                Ok(KeySource::Env(Some(name).filter(is_name).ok_or(value_error("key_env", "a variable"))?.to_owned()))
            }
            None => {
                let usual = provider.default_key_variable().filter(|_| !self.0.contains_key("url"));
                Ok(usual.map_or(KeySource::None, |name| KeySource::Env(name.to_owned())))
            }
        }
    }
}

/// Parses an address that contains only scheme, host, port and path.
fn parse_url(text: &str) -> Result<Url, ModelConfigError> {
    let url = Url::parse(text).map_err(|_| value_error("url", "an address"))?;
    let known = match url.scheme() {
        "http" | "https" => url.has_host(),
        "unix" => cfg!(unix) && !url.has_host() && url.path().starts_with('/') && url.path() != "/",
        _ => false,
    };
    if !known {
        return Err(value_error("url", "an address that begins with https://, http:// or unix:///"));
    }
    let bare =
        url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none();
    if bare { Ok(url) } else { Err(value_error("url", "an address and nothing more")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ModelConfig, ModelConfigError> {
        ModelConfig::from_toml(&toml::Value::Table(text.parse().expect("TOML")))
    }

    #[test]
    fn little_need_be_said() {
        let config = read("provider = 'ollama'\nname = ' qwen3:8b '\n").expect("it is enough");
        assert_eq!((config.name.as_str(), config.url.as_str()), ("qwen3:8b", "http://127.0.0.1:11434/"));
        assert_eq!((config.trusted_local, &config.key), (false, &KeySource::None));
        assert_eq!((config.timeout, config.tokens_max), (Duration::from_secs(120), 8_192));
    }

    #[test]
    fn all_may_be_said() {
        let text = "provider = 'anthropic'\nname = 'm'\nurl = 'https://example.org/a'\ntrusted_local = true\n\
                    key_command = ['pass', 'show', 'm']\ntimeout_seconds = 5\ntokens_max = 10\n";
        let config = read(text).expect("it is well said");
        assert_eq!(config.key, KeySource::Command(["pass", "show", "m"].map(str::to_owned).into()));
        assert_eq!((config.timeout, config.tokens_max, config.trusted_local), (Duration::from_secs(5), 10, true));
        let config = read("provider = 'openai'\nname = 'm'\nkey_env = 'MY_KEY'\n").expect("it is well said");
        assert_eq!((config.key, config.url.as_str()), (KeySource::Env("MY_KEY".into()), "https://api.openai.com/v1"));
    }

    /// Whether the variable is set is asked when the key is read: nothing is sent without it.
    #[test]
    fn a_provider_at_its_own_address_has_a_key() {
        let key = |text: &str| read(text).expect("it is well said").key;
        assert_eq!(key("provider = 'openai'\nname = 'm'\n"), KeySource::Env("OPENAI_API_KEY".into()));
        assert_eq!(key("provider = 'anthropic'\nname = 'm'\n"), KeySource::Env("ANTHROPIC_API_KEY".into()));
        assert_eq!(key("provider = 'openai'\nname = 'm'\nurl = 'https://example.org'\n"), KeySource::None);
        assert_eq!(
            key("provider = 'openai'\nname = 'm'\nkey_command = ['pass']\n"),
            KeySource::Command(vec!["pass".into()])
        );
    }

    #[test]
    fn a_mistake_is_an_error_that_names_it_and_repeats_no_value() {
        let check = |line: &str, expect: &str| {
            let error = read(&format!("provider = 'openai'\nname = 'm'\n{line}\n")).expect_err(line);
            assert!(error.to_string().contains(expect), "{line}: {error}");
            assert!(!error.to_string().contains("sk-") && !format!("{error:?}").contains("sk-"), "{error:?}");
            assert!(!error.hint().is_empty());
        };
        for name in LITERAL_KEYS {
            check(&format!("{name} = 'sk-1'"), "does not belong");
        }
        check("API_KEY = 'sk-1'", "does not belong");
        check("trusted-local = true", "model.trusted-local is not known");
        check("trusted_local = 'yes'", "model.trusted_local");
        check("key_env = 'sk-1'", "model.key_env");
        check("key_env = ''", "model.key_env");
        check("key_env = 1", "model.key_env");
        check("key_command = 'echo sk-1'", "model.key_command");
        check("key_command = []", "model.key_command");
        check("key_command = ['']", "model.key_command");
        check("key_command = ['echo', 1]", "model.key_command");
        check("key_env = 'A'\nkey_command = ['echo', 'sk-1']", "model.key_command");
        for number in ["0", "-1", "1.5", "'1'", "99999999999"] {
            check(&format!("timeout_seconds = {number}"), "model.timeout_seconds");
            check(&format!("tokens_max = {number}"), "model.tokens_max");
        }
        for bad in [
            "",
            "localhost:11434",
            "ftp://example.org",
            "file:///etc/passwd",
            "https://",
            "https://sk-1@example.org",
            "https://user:sk-1@example.org",
            "https://example.org?key=sk-1",
            "https://example.org#sk-1",
            "unix://host/path",
            "unix:///",
        ] {
            check(&format!("url = '{bad}'"), "model.url");
        }
        let whole = |text: &str| read(text).map(drop);
        assert_eq!(whole("name = 'm'"), Err(ModelConfigError::Missing { name: "provider" }));
        assert_eq!(whole("provider = 'ollama'"), Err(ModelConfigError::Missing { name: "name" }));
        for bad in ["provider = 'Ollama'\nname = 'm'", "provider = 'ollama'\nname = ' '", "provider = 1\nname = 'm'"] {
            assert!(matches!(whole(bad), Err(ModelConfigError::BadValue { .. })), "{bad}");
        }
        assert_eq!(ModelConfig::from_toml(&toml::Value::Boolean(true)), Err(ModelConfigError::NotATable));
    }
}
