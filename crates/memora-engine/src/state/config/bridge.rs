//! `[[memory.bridge]]`: other programs' memory servers that Memora may ask, and may tell.

use memora_bridge::ServerEnvironment;
use serde_json::{Map, Value};

use crate::report::BridgePlace;

/// A server of the user's configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct BridgeConfig {
    /// Its name: lower-case letters, digits, `-` and `_`.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Whether searches may ask it.
    pub read: bool,
    /// Whether it is told what is saved.
    pub write: bool,
    /// Where it keeps what it is told.
    pub place: BridgePlace,
    /// Arguments for its tools that take them.
    pub arguments: Map<String, Value>,
    /// What it gets of the environment.
    pub environment: ServerEnvironment,
}

/// The longest name.
const NAME_BYTES_MAX: usize = 32;

impl BridgeConfig {
    /// Reads the list; `None` for an unknown key, an invalid value, or a name that occurs twice.
    pub(crate) fn list_from_toml(bridges: &toml::Value) -> Option<Vec<Self>> {
        let list: Vec<Self> = bridges.as_array()?.iter().map(Self::from_toml).collect::<Option<_>>()?;
        let is_repeated = |(at, one): (usize, &Self)| list.iter().take(at).any(|other| other.name == one.name);
        (!list.iter().enumerate().any(is_repeated)).then_some(list)
    }

    fn from_toml(bridge: &toml::Value) -> Option<Self> {
        let (mut name, mut command, mut args) = (None, Vec::new(), Vec::new());
        let (mut read, mut write, mut place, mut arguments) = (true, false, BridgePlace::Cloud, Map::new());
        let mut environment = ServerEnvironment::default();
        let words = |value: &toml::Value| -> Option<Vec<String>> {
            value.as_array()?.iter().map(|word| word.as_str().map(str::to_owned)).collect()
        };
        for (key, value) in bridge.as_table()? {
            match key.as_str() {
                "name" => name = Some(value.as_str().filter(|name| is_name(name))?.to_owned()),
                "command" => {
                    command = value.as_str().map(|program| vec![program.to_owned()]).or_else(|| words(value))?;
                }
                "args" => args = words(value)?,
                "read" => read = value.as_bool()?,
                "write" => write = value.as_bool()?,
                "where" => {
                    place = match value.as_str()? {
                        "local" => BridgePlace::Local,
                        "cloud" => BridgePlace::Cloud,
                        _ => return None,
                    };
                }
                "arguments" => {
                    let table = value.as_table()?.iter();
                    arguments =
                        table.map(|(key, value)| Some((key.clone(), plain_value(value)?))).collect::<Option<_>>()?;
                }
                "env" => {
                    let table = value.as_table()?.iter();
                    environment.set = table.map(|(name, value)| read_variable(name, value)).collect::<Option<_>>()?;
                }
                "pass_env" => {
                    environment.pass = words(value)?;
                    environment.pass.iter().all(|name| is_variable(name)).then_some(())?;
                }
                _ => return None,
            }
        }
        command.extend(args);
        command.first().filter(|program| !program.is_empty())?;
        Some(Self { name: name?, command, read, write, place, arguments, environment })
    }
}

/// A variable of the environment with its value.
fn read_variable(name: &str, value: &toml::Value) -> Option<(String, String)> {
    let value = value.as_str().filter(|value| !value.contains('\0'))?;
    is_variable(name).then(|| (name.to_owned(), value.to_owned()))
}

/// Whether a word can be the name of a variable of the environment.
fn is_variable(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}

/// A text, a number or a truth value, as JSON has it.
fn plain_value(value: &toml::Value) -> Option<Value> {
    match value {
        toml::Value::String(text) => Some(text.as_str().into()),
        toml::Value::Integer(number) => Some((*number).into()),
        toml::Value::Boolean(truth) => Some((*truth).into()),
        _ => None,
    }
}

fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    !name.is_empty() && name.len() <= NAME_BYTES_MAX && name.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Option<Vec<BridgeConfig>> {
        let table: toml::Table = text.parse().expect("TOML");
        BridgeConfig::list_from_toml(table.get("bridge").expect("a list"))
    }

    #[test]
    fn a_server_has_a_name_and_a_command() {
        let text = "[[bridge]]\nname = \"mem0\"\ncommand = \"npx\"\nargs = [\"-y\", \"mem0\"]\nwrite = true\n\
            arguments = { user_id = \"mara\", limit = 3 }\nenv = { MODE = \"quiet\" }\npass_env = [\"MEM0_API_KEY\"]\n\
            [[bridge]]\nname = \"notes\"\ncommand = [\"/bin/notes\", \"serve\"]\nread = false\nwhere = \"local\"\n";
        let list = list(text).expect("two servers");
        assert_eq!((list[0].name.as_str(), list[0].command.join(" ").as_str()), ("mem0", "npx -y mem0"));
        assert_eq!((list[0].read, list[0].write, list[0].place), (true, true, BridgePlace::Cloud));
        assert_eq!(Value::Object(list[0].arguments.clone()), serde_json::json!({"user_id": "mara", "limit": 3}));
        assert_eq!(list[0].environment.set.get("MODE").map(String::as_str), Some("quiet"));
        assert_eq!(list[0].environment.pass, ["MEM0_API_KEY"]);
        assert_eq!((list[1].read, list[1].write, list[1].place), (false, false, BridgePlace::Local));
        assert_eq!(list[1].command, ["/bin/notes", "serve"]);
    }

    #[test]
    fn what_is_not_one_is_refused() {
        for bad in [
            "name = \"a\"",
            "command = \"x\"",
            "name = \"../a\"\ncommand = \"x\"",
            "name = \"A\"\ncommand = \"x\"",
            "name = \"a\"\ncommand = []",
            "name = \"a\"\ncommand = \"\"",
            "name = \"a\"\ncommand = [1]",
            "name = \"a\"\nurl = \"https://example.org\"",
            "name = \"a\"\ncommand = \"x\"\nwhere = \"here\"",
            "name = \"a\"\ncommand = \"x\"\nwrite = \"yes\"",
            "name = \"a\"\ncommand = \"x\"\narguments = { a = [1] }",
            "name = \"a\"\ncommand = \"x\"\nenv = { A = 1 }",
            "name = \"a\"\ncommand = \"x\"\nenv = { \"A=B\" = \"x\" }",
            "name = \"a\"\ncommand = \"x\"\npass_env = \"A\"",
            "name = \"a\"\ncommand = \"x\"\npass_env = [\"\"]",
            "name = \"a\"\ncommand = \"x\"\n[[bridge]]\nname = \"a\"\ncommand = \"y\"",
        ] {
            assert_eq!(list(&format!("[[bridge]]\n{bad}\n")), None, "{bad}");
        }
        assert_eq!(list("bridge = 1\n"), None);
        assert_eq!(list("bridge = []\n"), Some(Vec::new()));
    }
}
