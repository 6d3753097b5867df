//! An entry merged into the text of a settings file.
//!
//! The one rule to know: **what was there stays there.** Comments, order and white space are kept, and the result is read
//! again and compared before anybody writes it. A text that cannot be read as what it should be is left alone.

use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde_json::{Map, Value};
use toml_edit::{DocumentMut, Item, Table};

use super::{Entry, Format};

/// Why an entry could not be merged. The text was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MergeError {
    /// It cannot be read.
    #[error("it is not valid {0}: {1}")]
    Broken(&'static str, String),
    /// Something else stands where the servers should be.
    #[error("`{0}` in it is not a list of servers by name")]
    NoServers(String),
    /// The result would have been another than was meant.
    #[error("the entry does not fit into it")]
    Unfit,
}

/// The text with a server in it; nothing when it is there already. Of a server of that name what else is said of it stays.
pub(crate) fn merged(text: &str, format: Format, name: &str, entry: &Entry) -> Result<Option<String>, MergeError> {
    let (mark, body) = match text.strip_prefix('\u{feff}') {
        Some(body) => ("\u{feff}", body),
        None => ("", text),
    };
    let (before, written, after) = match format {
        Format::Json(key) => {
            let before = read_json(body)?;
            let written = into_json(body, key, name, entry)?;
            let after = read_json(&written)?;
            (before, written, after)
        }
        Format::Toml(key) => {
            let before = read_toml(body)?;
            let written = into_toml(body, key, name, entry)?;
            let after = read_toml(&written)?;
            (before, written, after)
        }
    };
    let (Format::Json(key) | Format::Toml(key)) = format;
    if after == before {
        return Ok(None);
    }
    // Whatever was done to the text: this much of it, and nothing else, is different.
    if Some(&after) != with(before, key, name, entry).as_ref() {
        return Err(MergeError::Unfit);
    }
    Ok(Some(format!("{mark}{written}")))
}

/// What the file should say afterwards.
fn with(mut before: Value, key: &str, name: &str, entry: &Entry) -> Option<Value> {
    let empty = || Value::Object(Map::new());
    let servers = before.as_object_mut()?.entry(key).or_insert_with(empty).as_object_mut()?;
    let server = servers.entry(name).or_insert_with(empty).as_object_mut()?;
    server.extend(entry.iter().map(|(field, value)| ((*field).to_owned(), value.clone())));
    Some(before)
}

/// JSON, with comments and trailing commas where somebody writes them.
fn read_options() -> ParseOptions {
    ParseOptions { allow_comments: true, allow_trailing_commas: true, ..strict() }
}

fn strict() -> ParseOptions {
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

fn read_json(text: &str) -> Result<Value, MergeError> {
    let broken = |error: jsonc_parser::errors::ParseError| MergeError::Broken("JSON", error.to_string());
    let read: Option<Value> = parse_to_serde_value(text, &read_options()).map_err(broken)?;
    Ok(read.unwrap_or_else(|| Value::Object(Map::new())))
}

fn into_json(text: &str, key: &str, name: &str, entry: &Entry) -> Result<String, MergeError> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let root =
        CstRootNode::parse(text, &read_options()).map_err(|error| MergeError::Broken("JSON", error.to_string()))?;
    let no_servers = || MergeError::NoServers(key.to_owned());
    let object = root.object_value_or_create().ok_or_else(no_servers)?;
    let servers = object.object_value_or_create(key).ok_or_else(no_servers)?;
    let is_new = servers.get(name).is_none();
    let server = servers.object_value_or_create(name).ok_or_else(no_servers)?;
    for part in [&object, &servers, &server] {
        if is_new || part.properties().is_empty() {
            part.ensure_multiline();
        }
    }
    for (field, value) in entry {
        set(&server, field, input(value));
    }
    Ok(root.to_string())
}

fn set(server: &CstObject, field: &str, value: CstInputValue) {
    match server.get(field) {
        Some(there) => there.set_value(value),
        None => {
            server.append(field, value);
        }
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(map) => {
            CstInputValue::Object(map.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

fn read_toml(text: &str) -> Result<Value, MergeError> {
    toml::from_str(text).map_err(|error| MergeError::Broken("TOML", error.message().to_owned()))
}

fn into_toml(text: &str, key: &str, name: &str, entry: &Entry) -> Result<String, MergeError> {
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| MergeError::Broken("TOML", error.message().to_owned()))?;
    let no_servers = || MergeError::NoServers(key.to_owned());
    let mut above = Table::new();
    above.set_implicit(true);
    let servers = document.entry(key).or_insert(Item::Table(above)).as_table_like_mut().ok_or_else(no_servers)?;
    let server = servers.entry(name).or_insert(Item::Table(Table::new())).as_table_like_mut().ok_or_else(no_servers)?;
    for (field, value) in entry {
        let value = match value {
            Value::String(text) => toml_edit::Value::from(text.as_str()),
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
            // An entry has nothing else in it.
            _ => continue,
        };
        server.insert(field, Item::Value(value));
    }
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry() -> Entry {
        vec![("command", "memora".into()), ("args", ["mcp"].as_slice().into())]
    }

    const JSON: Format = Format::Json("mcpServers");
    const TOML: Format = Format::Toml("mcp_servers");

    #[track_caller]
    fn check(text: &str, format: Format, expected: &str) {
        let merged = merged(text, format, "memora", &entry()).expect("it can be merged");
        assert_eq!(merged.as_deref(), Some(expected));
        // Once is enough.
        assert_eq!(super::merged(expected, format, "memora", &entry()), Ok(None));
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
        let merged = merged(old, JSON, "memora", &entry()).expect("it can be merged").expect("it is another");
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
            assert!(merged(text, JSON, "memora", &entry()).is_err(), "{text}");
        }
        for text in ["a = ", "[mcp_servers", "mcp_servers = 7", "[[mcp_servers]]\na = 1", "mcp_servers = {memora = 7}"]
        {
            assert!(merged(text, TOML, "memora", &entry()).is_err(), "{text}");
        }
    }

    #[test]
    fn a_mark_of_the_byte_order_stays() {
        let merged = merged("\u{feff}{}", JSON, "memora", &entry()).expect("it can be merged").expect("it is new");
        assert!(merged.starts_with("\u{feff}{"));
    }
}
