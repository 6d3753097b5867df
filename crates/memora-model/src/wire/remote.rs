//! Where a model runs, according to Ollama: in reply to `/api/show`, and in every reply of any format.
//!
//! Invariant: **a model counts as local only if that is stated plainly.** A reply that mentions another place in any
//! way, has a duplicate key, or does not answer the question, does not state it.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::exchange::to_json_bytes;

/// The keys in Ollama's description of a model that it forwards.
const REMOTE_KEYS: [&str; 2] = ["remote_host", "remote_model"];

/// The prefix of any other key about another place.
const REMOTE_PREFIX: &str = "remote_";

/// What LM Studio, which answers 200 all the same, says of a path that it does not know.
const NO_SUCH_PATH: &str = "Unexpected endpoint or method.";

/// Where a model runs, according to `/api/show`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModelLocation {
    /// The model is here.
    Here,
    /// It runs elsewhere.
    Elsewhere,
    /// Another program than Ollama answers, and says that it does not know the question.
    NotKnown,
    /// Anything else.
    NotUnderstood,
}

#[derive(Serialize)]
struct ShowRequest<'a> {
    model: &'a str,
}

/// Builds the request that asks where a model runs.
pub(crate) fn show_request_body(model: &str) -> Vec<u8> {
    to_json_bytes(&ShowRequest { model })
}

/// Parses where a model runs.
pub(crate) fn parse_location(body: &[u8]) -> ModelLocation {
    let Ok(once) = serde_json::from_slice::<UniqueKeyJson>(body) else { return ModelLocation::NotUnderstood };
    let Ok(told) = serde_json::from_slice::<Map<String, Value>>(body) else { return ModelLocation::NotUnderstood };
    if REMOTE_KEYS.iter().any(|key| told.get(*key).and_then(Value::as_str).is_some_and(|said| !said.trim().is_empty()))
    {
        return ModelLocation::Elsewhere;
    }
    // In the bytes, too: there may be JSON in a text.
    let quoted = format!("\"{REMOTE_PREFIX}");
    if once.speaks_of_remote || body.windows(quoted.len()).any(|bytes| bytes == quoted.as_bytes()) {
        return ModelLocation::NotUnderstood;
    }
    // They stand in every answer of Ollama's.
    if told.get("details").and_then(Value::as_object).is_some_and(|details| !details.is_empty()) {
        return ModelLocation::Here;
    }
    match told.get("error").and_then(Value::as_str) {
        Some(error) if told.len() == 1 && error.starts_with(NO_SUCH_PATH) => ModelLocation::NotKnown,
        _ => ModelLocation::NotUnderstood,
    }
}

/// Whether a reply says that it was produced on another machine than the one that was asked.
///
/// Checked apart from the text: a refusal, an unparsable reply and a truncated one say it as well.
pub(crate) fn is_remote_reply(body: &[u8]) -> bool {
    let said = Cell::new(false);
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let mut json = serde_json::Deserializer::from_slice(body);
    // One after the other, as in a stream. What is wrong with it is told when the words are read.
    while RemoteKeyScan(&said).deserialize(&mut json).is_ok() {}
    said.get()
}

/// Scans the keys of a reply, and sets the flag if one of them mentions another place.
struct RemoteKeyScan<'s>(&'s Cell<bool>);

impl<'de> DeserializeSeed<'de> for RemoteKeyScan<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RemoteKeyScan<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if REMOTE_KEYS.contains(&key.as_str()) {
                let value = map.next_value::<Value>();
                let says = value.as_ref().map_or(true, |value| !is_blank_value(value));
                self.0.set(self.0.get() || says);
                value?;
            } else {
                let _: IgnoredAny = map.next_value()?;
            }
        }
        Ok(())
    }
}

fn is_blank_value(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(all) => all.is_empty(),
        Value::Object(all) => all.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// JSON in which no object has a duplicate key.
struct UniqueKeyJson {
    /// Some object in it has a key about another place, with any value.
    speaks_of_remote: bool,
}

impl<'de> Deserialize<'de> for UniqueKeyJson {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_any(UniqueKeyVisitor).map(|speaks_of_remote| Self { speaks_of_remote })
    }
}

struct UniqueKeyVisitor;

impl<'de> Visitor<'de> for UniqueKeyVisitor {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_bool<E>(self, _: bool) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_i64<E>(self, _: i64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_u64<E>(self, _: u64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_f64<E>(self, _: f64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_str<E>(self, _: &str) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<bool, A::Error> {
        let mut speaks = false;
        while let Some(one) = all.next_element::<UniqueKeyJson>()? {
            speaks |= one.speaks_of_remote;
        }
        Ok(speaks)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
        let (mut speaks, mut keys) = (false, HashSet::new());
        while let Some((key, value)) = map.next_entry::<String, UniqueKeyJson>()? {
            speaks |= value.speaks_of_remote || key.trim().to_ascii_lowercase().starts_with(REMOTE_PREFIX);
            if !keys.insert(key) {
                return Err(A::Error::custom("it says something twice"));
            }
        }
        Ok(speaks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_model_runs_is_believed_only_when_it_is_plainly_said() {
        let check = |text: &str, expect| assert_eq!(parse_location(text.as_bytes()), expect, "{text}");
        check(r#"{"details": {"family": "llama"}}"#, ModelLocation::Here);
        check(
            r#"{"details": {"family": "llama"}, "model_info": {"a.b": [1, 2.5, null, true, -1]}}"#,
            ModelLocation::Here,
        );
        check(r#"{"details": {"family": ""}, "remote_host": "https://ollama.com:443"}"#, ModelLocation::Elsewhere);
        check(r#"{"details": {}, "remote_model": "big"}"#, ModelLocation::Elsewhere);
        check(r#"{"remote\u005fmodel": "big"}"#, ModelLocation::Elsewhere);
        for odd in [
            "",
            "{}",
            "[]",
            "null",
            "{\"details\": {}}",
            "{\"details\": 1}",
            "{\"error\": \"not found\"}",
            "\u{feff}{}",
            "{\"details\": {\"a\": 1}} {}",
            "{\"details\": {\"a\": 1}",
        ] {
            check(odd, ModelLocation::NotUnderstood);
        }
        // Said twice, of another kind, of nothing, deeper, in other letters, within a text: not plainly.
        check(r#"{"details": {"a": 1}, "remote_host": "", "remote_model": null}"#, ModelLocation::NotUnderstood);
        check(r#"{"details": {"a": 1}, "remote_host": ["x"]}"#, ModelLocation::NotUnderstood);
        check(r#"{"details": {"a": 1}, "remote_host": "x", "remote_host": ""}"#, ModelLocation::NotUnderstood);
        check(r#"{"details": {"a": 1}, "remote_host": "x", "rem\u006fte_host": ""}"#, ModelLocation::NotUnderstood);
        check(r#"{"details": {"a": 1, "a": 1}}"#, ModelLocation::NotUnderstood);
        check(r#"{"details": {"a": 1}, "x": [{"a": 1, "\u0061": 1}]}"#, ModelLocation::NotUnderstood);
        check(r#"{"details": {"a": 1, "remote_host": "x"}}"#, ModelLocation::NotUnderstood);
        check(r#"{"details": {"a": 1}, "x": [[{"rem\u006fte_url": 1}]]}"#, ModelLocation::NotUnderstood);
        check(r#"{"details": {"a": 1}, "Remote_Host": "x"}"#, ModelLocation::NotUnderstood);
        check(r#"{"details": {"a": 1}, "modelfile": "{\"remote_host\": 1}"}"#, ModelLocation::NotUnderstood);
        check(&format!(r#"{{"details": {{"a": 1}}, "x": {}"#, "[".repeat(100_000)), ModelLocation::NotUnderstood);
        assert_eq!(parse_location(b"{\"details\": {\"a\": \"\xff\"}}"), ModelLocation::NotUnderstood);
    }

    #[test]
    fn a_program_that_does_not_know_the_question_says_so_and_nothing_else() {
        let check = |text: &str, expect| assert_eq!(parse_location(text.as_bytes()), expect, "{text}");
        check(r#"{"error": "Unexpected endpoint or method. (POST /api/show)"}"#, ModelLocation::NotKnown);
        check(
            r#"{"error": "Unexpected endpoint or method. (POST /api/show)", "remote": 1}"#,
            ModelLocation::NotUnderstood,
        );
        check(r#"{"error": ["Unexpected endpoint or method."]}"#, ModelLocation::NotUnderstood);
        check(r#"{"error": "unauthorized"}"#, ModelLocation::NotUnderstood);
    }

    #[test]
    fn a_reply_says_that_it_comes_from_elsewhere_whatever_else_is_wrong_with_it() {
        for said in [
            r#"{"remote_host": "https://ollama.com:443"}"#,
            r#"{"choices": [], "remote_model": "big"}"#,
            r#"{"remote_host": ["x"]}"#,
            r#"{"remote_host": 1}"#,
            r#"{"remote_host": "x", "remote_host": ""}"#,
            r#"{"remote_host": "", "remote_host": "x"}"#,
            r#"{"rem\u006fte_host": "x"}"#,
            r#"{"remote_host": "x", "message": {"#,
            r#"{"remote_host": "x"#,
            "\u{feff}{\"remote_host\": \"x\"}",
            "{\"message\": {}}\n{\"remote_host\": \"x\"}\n",
        ] {
            assert!(is_remote_reply(said.as_bytes()), "{said}");
        }
        for not in [
            "",
            "{}",
            "[]",
            r#"{"remote_host": "", "remote_model": null}"#,
            r#"{"remote_host": " ", "remote_model": []}"#,
            r#"{"message": {"content": "\"remote_host\": \"x\"", "remote_host": "x"}}"#,
            r#"["remote_host", "x"]"#,
        ] {
            assert!(!is_remote_reply(not.as_bytes()), "{not}");
        }
    }
}
