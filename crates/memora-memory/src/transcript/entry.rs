//! An entry of a transcript: the fields of its JSON, as they stand. What is not looked at, of which output of tools is the most, is passed
//! over.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::lenient_json::repair_json;

/// The fields of an object. Of two with one name the last counts; one of another kind than is asked for is none.
#[derive(Deserialize)]
pub(crate) struct EntryFields<'l>(#[serde(borrow)] HashMap<String, &'l RawValue>);

impl<'l> EntryFields<'l> {
    /// Reads a line; `None` for one that is no object of JSON.
    pub(crate) fn read(line: &'l [u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }

    fn get<T: Deserialize<'l>>(&self, key: &str) -> Option<T> {
        serde_json::from_str(self.0.get(key)?.get()).ok()
    }

    /// Returns a field that is an object.
    pub(crate) fn fields(&self, key: &str) -> Option<Self> {
        self.get(key)
    }

    /// Whether it has a field, of any kind.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Returns the objects of a field that is a list.
    pub(crate) fn parts(&self, key: &str) -> Option<Vec<Self>> {
        let parts: Vec<&RawValue> = self.get(key)?;
        Some(parts.into_iter().filter_map(|part| serde_json::from_str(part.get()).ok()).collect())
    }

    /// Returns a field that is text.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        let raw = self.0.get(key)?.get();
        let repaired = || serde_json::from_str(&repair_json(raw.as_bytes())).ok();
        raw.starts_with('"').then(|| serde_json::from_str(raw).ok().or_else(repaired))?
    }

    /// Returns the first of some fields that is text.
    pub(crate) fn first_text(&self, keys: &[&str]) -> Option<String> {
        keys.iter().find_map(|key| self.text(key))
    }

    /// Whether a field is `true`.
    pub(crate) fn is_set(&self, key: &str) -> bool {
        self.get(key) == Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_at_is_read_as_it_is_meant() {
        let line = br#"{"r\u006fle":"user","message":{"role":7,"content":[{"type":"text","text":"a\nb","citations":[{"text":"no"}]},
            {"type":"tool_result","content":[{"type":"text","text":"no"}]},[1.5,null]],"name":"one","name":"two"},
            "isMeta":false,"isSidechain":true,"toolUseResult":{"role":"no"},"input":"patch"}"#;
        let entry = EntryFields::read(line).expect("JSON");
        assert_eq!((entry.text("role").as_deref(), entry.text("input").as_deref()), (Some("user"), Some("patch")));
        assert!(!entry.is_set("isMeta") && entry.is_set("isSidechain") && !entry.is_set("isCompactSummary"));
        let message = entry.fields("message").expect("a message");
        assert_eq!((message.text("role"), message.text("name").as_deref()), (None, Some("two")));
        let parts = message.parts("content").expect("parts");
        let texts: Vec<_> = parts.iter().map(|part| part.text("text")).collect();
        assert_eq!(texts, [Some("a\nb".to_owned()), None]);
        // Half of a surrogate pair.
        let halved = EntryFields::read(br#"{"text":"a\ud83d"}"#).expect("JSON");
        assert_eq!(halved.text("text").as_deref(), Some("a\u{fffd}"));
        for broken in [&b"{\"role\":\"user\""[..], b"{} {}", b"", b"{\"x\":[1,}", b"\"\xff\""] {
            assert!(EntryFields::read(broken).is_none(), "{broken:?}");
        }
    }
}
