//! Merges an entry into the text of a settings file.
//!
//! Invariant: **existing content is preserved.** Comments, order and white space are kept, and the result is parsed
//! and compared before it is written. A text that cannot be parsed as expected is left unchanged.

use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde_json::{Map, Value};
use toml_edit::{DocumentMut, Item, Table};

use super::entry::{ServerFields, SettingsFormat};

/// The reason why an entry could not be merged. The text is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MergeError {
    /// The text cannot be parsed.
    #[error("it is not valid {0}: {1}")]
    InvalidSyntax(&'static str, String),
    /// Another value is in the place of the server table.
    #[error("`{0}` in it is not a list of servers by name")]
    NotServerMap(String),
    /// Another value is in the place of hooks.
    #[error("`{0}` in it is not what a program's hooks are")]
    NotHooks(String),
    /// A key on the path to the server is duplicated: programs differ in which one they read.
    #[error("`{0}` stands in it twice")]
    DuplicateKey(String),
    /// The result would differ from the expected one.
    #[error("the entry does not fit into it")]
    UnexpectedResult,
}

/// Returns the text with the server merged in; `None` if nothing changes. Other fields of that server are kept.
pub(crate) fn merge_entry(
    text: &str,
    format: SettingsFormat,
    name: &str,
    entry: &ServerFields,
) -> Result<Option<String>, MergeError> {
    let (mark, body) = split_byte_order_mark(text);
    let (SettingsFormat::Json(key) | SettingsFormat::Toml(key)) = format;
    let read = |text: &str| match format {
        SettingsFormat::Json(_) => read_json(text),
        SettingsFormat::Toml(_) => read_toml(text),
    };
    let before = read(body)?;
    let written = match format {
        SettingsFormat::Json(key) => merge_into_json(body, key, name, entry, &before)?,
        SettingsFormat::Toml(key) => merge_into_toml(body, key, name, entry, &before)?,
    };
    // Check the edited text: exactly this part of it has changed.
    let meant = apply_entry(before.clone(), key, name, entry);
    if meant != Some(read(&written)?) {
        return Err(MergeError::UnexpectedResult);
    }
    Ok((meant != Some(before)).then(|| format!("{mark}{written}")))
}

/// A server that a settings file lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedServer {
    pub(crate) name: String,
    /// The program and its arguments; empty for a server that is reached by a URL.
    pub(crate) command: Vec<String>,
    /// The names of the variables that it is given.
    pub(crate) variables: Vec<String>,
}

/// Returns the servers that a settings file lists.
pub(crate) fn list_servers(text: &str, format: SettingsFormat) -> Result<Vec<ListedServer>, MergeError> {
    let (_, body) = split_byte_order_mark(text);
    let (key, read) = match format {
        SettingsFormat::Json(key) => (key, read_json(body)?),
        SettingsFormat::Toml(key) => (key, read_toml(body)?),
    };
    Ok(servers_under(&read, key))
}

/// Returns the servers that Claude Code's settings list for single projects.
pub(crate) fn list_project_servers(text: &str) -> Result<Vec<ListedServer>, MergeError> {
    let read = read_json(split_byte_order_mark(text).1)?;
    let projects = read.get("projects").and_then(Value::as_object).into_iter().flatten();
    Ok(projects.flat_map(|(_, project)| servers_under(project, "mcpServers")).collect())
}

fn servers_under(settings: &Value, key: &str) -> Vec<ListedServer> {
    let servers = settings.get(key).and_then(Value::as_object).into_iter().flatten();
    let server = |(name, server): (&String, &Value)| {
        // Some programs had the command in a table of its own.
        let of = server.get("command").filter(|command| command.is_object()).unwrap_or(server);
        let program = of.get("command").or_else(|| of.get("path")).and_then(Value::as_str);
        let args = of.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let command = program.map(|program| std::iter::once(program).chain(args).map(str::to_owned).collect());
        let variables = of.get("env").and_then(Value::as_object).into_iter().flatten();
        ListedServer {
            name: name.clone(),
            command: command.unwrap_or_default(),
            variables: variables.map(|(name, _)| name.clone()).collect(),
        }
    };
    servers.map(server).collect()
}

/// Splits the byte order mark, which is kept, from the rest of a text.
pub(super) fn split_byte_order_mark(text: &str) -> (&str, &str) {
    text.strip_prefix('\u{feff}').map_or(("", text), |body| ("\u{feff}", body))
}

/// Parses JSON for editing; an empty file is an empty object.
pub(super) fn parse_root(text: &str) -> Result<CstRootNode, MergeError> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    CstRootNode::parse(text, &jsonc_options()).map_err(|error| MergeError::InvalidSyntax("JSON", error.to_string()))
}

/// Returns the expected content of the file.
fn apply_entry(mut before: Value, key: &str, name: &str, entry: &ServerFields) -> Option<Value> {
    let empty = || Value::Object(Map::new());
    let servers = before.as_object_mut()?.entry(key).or_insert_with(empty).as_object_mut()?;
    let server = servers.entry(name).or_insert_with(empty).as_object_mut()?;
    server.extend(entry.iter().map(|(field, value)| ((*field).to_owned(), value.clone())));
    Some(before)
}

/// Whether the file already has this value for the server: then its notation is kept.
fn has_field_value(before: &Value, key: &str, name: &str, field: &str, value: &Value) -> bool {
    let server = before.get(key).and_then(|servers| servers.get(name));
    server.and_then(|server| server.get(field)) == Some(value)
}

/// Parse options for JSON with comments and trailing commas.
fn jsonc_options() -> ParseOptions {
    ParseOptions { allow_comments: true, allow_trailing_commas: true, ..strict_options() }
}

fn strict_options() -> ParseOptions {
    ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
    }
}

pub(super) fn read_json(text: &str) -> Result<Value, MergeError> {
    let broken = |error: jsonc_parser::errors::ParseError| MergeError::InvalidSyntax("JSON", error.to_string());
    let read: Option<Value> = parse_to_serde_value(text, &jsonc_options()).map_err(broken)?;
    Ok(read.unwrap_or_else(|| Value::Object(Map::new())))
}

fn merge_into_json(
    text: &str,
    key: &str,
    name: &str,
    entry: &ServerFields,
    before: &Value,
) -> Result<String, MergeError> {
    let root = parse_root(text)?;
    let no_servers = || MergeError::NotServerMap(key.to_owned());
    let object = root.object_value_or_create().ok_or_else(no_servers)?;
    ensure_unique_key(&object, key)?;
    let servers = object.object_value_or_create(key).ok_or_else(no_servers)?;
    ensure_unique_key(&servers, name)?;
    let is_new = servers.get(name).is_none();
    let server = servers.object_value_or_create(name).ok_or_else(no_servers)?;
    for part in [&object, &servers, &server] {
        if is_new || part.properties().is_empty() {
            part.ensure_multiline();
        }
    }
    for (field, value) in entry {
        ensure_unique_key(&server, field)?;
        if !has_field_value(before, key, name, field, value) {
            set_field(&server, field, to_cst_value(value));
        }
    }
    Ok(root.to_string())
}

pub(super) fn ensure_unique_key(object: &CstObject, key: &str) -> Result<(), MergeError> {
    let names = object.properties().into_iter().filter_map(|property| property.name()?.decoded_value().ok());
    if names.filter(|name| name == key).count() > 1 { Err(MergeError::DuplicateKey(key.to_owned())) } else { Ok(()) }
}

fn set_field(server: &CstObject, field: &str, value: CstInputValue) {
    match server.get(field) {
        Some(there) => there.set_value(value),
        None => {
            server.append(field, value);
        }
    }
}

pub(super) fn to_cst_value(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(to_cst_value).collect()),
        Value::Object(map) => {
            CstInputValue::Object(map.iter().map(|(key, value)| (key.clone(), to_cst_value(value))).collect())
        }
    }
}

fn read_toml(text: &str) -> Result<Value, MergeError> {
    toml::from_str(text).map_err(|error| MergeError::InvalidSyntax("TOML", error.message().to_owned()))
}

fn merge_into_toml(
    text: &str,
    key: &str,
    name: &str,
    entry: &ServerFields,
    before: &Value,
) -> Result<String, MergeError> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| MergeError::InvalidSyntax("TOML", error.message().to_owned()))?;
    let no_servers = || MergeError::NotServerMap(key.to_owned());
    let mut above = Table::new();
    above.set_implicit(true);
    let servers = document.entry(key).or_insert(Item::Table(above)).as_table_like_mut().ok_or_else(no_servers)?;
    let server = servers.entry(name).or_insert(Item::Table(Table::new())).as_table_like_mut().ok_or_else(no_servers)?;
    for (field, value) in entry.iter().filter(|(field, value)| !has_field_value(before, key, name, field, value)) {
        let mut value = match value {
            Value::String(text) => toml_edit::Value::from(text.as_str()),
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
            // An entry has no values of other types.
            _ => continue,
        };
        match server.get_mut(field) {
            Some(there) => {
                // A comment behind the value is stored with the value, one above it with the key.
                if let Some(old) = there.as_value() {
                    value.decor_mut().clone_from(old.decor());
                }
                *there = Item::Value(value);
            }
            None => {
                server.insert(field, Item::Value(value));
            }
        }
    }
    Ok(restore_line_ends(text, &document.to_string()))
}

/// Restores the line ends of `text` in `written`, since `toml_edit` writes `\n` outside of strings. Unchanged lines at
/// the beginning and at the end keep theirs; the lines between take the line end of the first line.
fn restore_line_ends(text: &str, written: &str) -> String {
    let old: Vec<&str> = text.split_inclusive('\n').collect();
    let new: Vec<&str> = written.split_inclusive('\n').collect();
    let same = |(old, new): &(&&str, &&str)| old.replace('\r', "") == new.replace('\r', "");
    let head = old.iter().zip(&new).take_while(same).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let mut between = new_rest[..new_rest.len() - tail].concat();
    if old.first().is_some_and(|line| line.ends_with("\r\n")) {
        between = between.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    [old[..head].concat(), between, old_rest[old_rest.len() - tail..].concat()].concat()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry() -> ServerFields {
        vec![("command", "memora".into()), ("args", ["mcp"].as_slice().into())]
    }

    const JSON: SettingsFormat = SettingsFormat::Json("mcpServers");
    const TOML: SettingsFormat = SettingsFormat::Toml("mcp_servers");

    #[track_caller]
    fn check(text: &str, format: SettingsFormat, expected: &str) {
        let merged = merge_entry(text, format, "memora", &entry()).expect("it can be merged");
        assert_eq!(merged.as_deref(), Some(expected));
        // Once is enough.
        assert_eq!(super::merge_entry(expected, format, "memora", &entry()), Ok(None));
    }

    #[test]
    fn a_file_that_is_not_there_gets_the_server_alone() {
        let alone = "{\n  \"mcpServers\": {\n    \"memora\": {\n      \"command\": \"memora\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n";
        check("", JSON, alone);
        check(" \n", JSON, alone);
        check("", TOML, "[mcp_servers.memora]\ncommand = \"memora\"\nargs = [\"mcp\"]\n");
    }

    #[test]
    fn what_was_there_stays_as_it_was_written() {
        check(
            "{\n    // mine\n    \"b\": 1.0e3,\n    \"a\": [1,2 , 3],\n    \"mcpServers\": {\n        \"other\": {\"command\": \"x\"}, /* yes */\n    },\n}\n",
            JSON,
            "{\n    // mine\n    \"b\": 1.0e3,\n    \"a\": [1,2 , 3],\n    \"mcpServers\": {\n        \"other\": {\"command\": \"x\"}, /* yes */\n        \"memora\": {\n            \"command\": \"memora\",\n            \"args\": [\"mcp\"]\n        },\n    },\n}\n",
        );
        check(
            "# mine\nmodel = \"x\" # yes\n\n[mcp_servers.other]\ncommand = 'y'\n\n[profiles.a]\nz = 1\n",
            TOML,
            "# mine\nmodel = \"x\" # yes\n\n[mcp_servers.other]\ncommand = 'y'\n\n[mcp_servers.memora]\ncommand = \"memora\"\nargs = [\"mcp\"]\n\n[profiles.a]\nz = 1\n",
        );
    }

    #[test]
    fn of_an_entry_that_is_there_the_rest_stays() {
        let old = r#"{"mcpServers": {"memora": {"command": "old", "args": ["x"], "env": {"A": "b"}}}}"#;
        let merged = merge_entry(old, JSON, "memora", &entry()).expect("it can be merged").expect("it is another");
        let read: Value = serde_json::from_str(&merged).expect("JSON");
        let expected = json!({"command": "memora", "args": ["mcp"], "env": {"A": "b"}});
        assert_eq!(read["mcpServers"]["memora"], expected);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for text in [
            "{",
            "{\"a\": }",
            "[]",
            "7",
            "{\"mcpServers\": []}",
            "{\"mcpServers\": {\"memora\": 7}}",
            "{'a': 1}",
            "{a: 1}",
        ] {
            assert!(merge_entry(text, JSON, "memora", &entry()).is_err(), "{text}");
        }
        for text in ["a = ", "[mcp_servers", "mcp_servers = 7", "[[mcp_servers]]\na = 1", "mcp_servers = {memora = 7}"]
        {
            assert!(merge_entry(text, TOML, "memora", &entry()).is_err(), "{text}");
        }
    }

    /// Once it was said that the entry was there already, whichever stood last.
    #[test]
    fn a_key_that_stands_twice_on_the_way_is_refused() {
        for (text, key) in [
            (r#"{"mcpServers": {}, "mcpServers": {"a": {"command": "b"}}}"#, "mcpServers"),
            (r#"{"mcpServers": {}, "mcp\u0053ervers": {}}"#, "mcpServers"),
            (r#"{"mcpServers": {"memora": {"command": "x"}, "memora": {"command": "y"}}}"#, "memora"),
            (
                r#"{"mcpServers": {"memora": {"command": "x"}, "memora": {"command": "memora", "args": ["mcp"]}}}"#,
                "memora",
            ),
            (r#"{"mcpServers": {"memora": {"command": "x", "command": "y"}}}"#, "command"),
            (r#"{"mcpServers": {"memora": {"command": "x", "command": "memora", "args": ["mcp"]}}}"#, "command"),
        ] {
            assert_eq!(
                merge_entry(text, JSON, "memora", &entry()),
                Err(MergeError::DuplicateKey(key.to_owned())),
                "{text}"
            );
        }
        let twice = "[mcp_servers.memora]\ncommand = \"x\"\n[mcp_servers.memora]\n";
        assert!(matches!(merge_entry(twice, TOML, "memora", &entry()), Err(MergeError::InvalidSyntax("TOML", _))));
        // What stands twice elsewhere is not ours to judge.
        let elsewhere = r#"{"a": 1, "a": 2, "mcpServers": {"memora": {"command": "x", "args": ["mcp"]}}}"#;
        check(elsewhere, JSON, &elsewhere.replace("\"x\"", "\"memora\""));
    }

    #[test]
    fn a_comment_at_a_value_stays_when_the_value_changes() {
        let old = "# a\n[mcp_servers.memora] # b\n# c\ncommand = \"old\" # d\n# e\n\"args\"  =  [] # f\n# g\n";
        let new = old.replace("\"old\"", "\"memora\"").replace("[]", "[\"mcp\"]");
        check(old, TOML, &new);
        check(
            "mcp_servers = { memora = { command = 'old' , args = ['mcp'] } } # a\n",
            TOML,
            "mcp_servers = { memora = { command = \"memora\" , args = ['mcp'] } } # a\n",
        );
        // A value that is the same is not written anew.
        let args = "args = [ # why\n  'mcp',\n]\n";
        check(
            &format!("[mcp_servers.memora]\n{args}command = 'old'"),
            TOML,
            &format!("[mcp_servers.memora]\n{args}command = \"memora\"\n"),
        );
        check(
            "{\"mcpServers\": {\"memora\": {\"command\": \"old\" /* a */, \"args\": [\"mcp\" /* b */]}}} // c",
            JSON,
            "{\"mcpServers\": {\"memora\": {\"command\": \"memora\" /* a */, \"args\": [\"mcp\" /* b */]}}} // c",
        );
    }

    #[test]
    fn line_ends_stay() {
        let old = "# mine\r\nz = \"\"\"a\r\nb\"\"\"\r\n\r\n[mcp_servers.memora]\r\ncommand = 'old'\r\nargs = []\r\n\r\n[a]\r\n";
        check(old, TOML, &old.replace("'old'", "\"memora\"").replace("[]", "[\"mcp\"]"));
        check("a = 1\r\n", TOML, "a = 1\r\n\r\n[mcp_servers.memora]\r\ncommand = \"memora\"\r\nargs = [\"mcp\"]\r\n");
        // A string has some of its own.
        let between = "[mcp_servers.memora]\r\ncommand = 'old'\r\nz = '''a\r\nb'''\r\nargs = []\r\n";
        check(between, TOML, &between.replace("'old'", "\"memora\"").replace("[]", "[\"mcp\"]"));
        // Where they are mixed, too.
        let mixed = "a = 1\nb = 2\r\n[mcp_servers.memora]\r\ncommand = 'old'\nargs = ['mcp']\r\n[c]\nd = 1\r\n";
        check(mixed, TOML, &mixed.replace("'old'", "\"memora\""));
        check(
            "{\r\n  \"a\": 1\r\n}\r\n",
            JSON,
            "{\r\n  \"a\": 1,\r\n  \"mcpServers\": {\r\n    \"memora\": {\r\n      \"command\": \"memora\",\r\n      \"args\": [\"mcp\"]\r\n    }\r\n  }\r\n}\r\n",
        );
    }

    #[test]
    fn a_mark_of_the_byte_order_stays() {
        let merged = merge_entry("\u{feff}{}", JSON, "memora", &entry()).expect("it can be merged").expect("it is new");
        assert!(merged.starts_with("\u{feff}{"));
    }
}
