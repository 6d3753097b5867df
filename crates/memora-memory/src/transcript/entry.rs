//! An entry of a transcript: of its JSON only what is looked at, in place; the rest, of which output of tools is the most, is passed
//! over.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize as _;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A value of an entry.
pub(crate) enum EntryValue<'l> {
    Text(Cow<'l, str>),
    Flag(bool),
    List(Vec<Self>),
    /// The fields that are looked at.
    Fields(Vec<(&'static str, Self)>),
    /// Anything else.
    Other,
}

impl<'l> EntryValue<'l> {
    /// Reads a line; `None` for one that is no JSON.
    pub(crate) fn read(line: &'l [u8]) -> Option<Self> {
        let mut json = serde_json::Deserializer::from_slice(line);
        let entry = FieldSet::Entry.deserialize(&mut json).ok()?;
        json.end().is_ok().then_some(entry)
    }

    /// Returns a field.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            // Of two with one name the last counts.
            Self::Fields(fields) => fields.iter().rfind(|(name, _)| *name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Returns it as text.
    pub(crate) fn as_str(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Returns a field as text.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// Whether a field is `true`.
    pub(crate) fn is_set(&self, key: &str) -> bool {
        matches!(self.get(key), Some(Self::Flag(true)))
    }
}

/// Which fields of a value are looked at.
#[derive(Clone, Copy)]
enum FieldSet {
    Entry,
    /// What is in `payload`, as Codex calls it, or in `message`.
    Message,
    /// A part of a message's content.
    Part,
    /// What a tool is called with.
    Input,
}

impl FieldSet {
    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Entry => &[
                "type",
                "role",
                "content",
                "payload",
                "message",
                "name",
                "input",
                "arguments",
                "isMeta",
                "isSidechain",
                "isCompactSummary",
                "sessionId",
                "id",
                "cwd",
                "timestamp",
            ],
            Self::Message => &["role", "content", "name", "input", "arguments", "id", "cwd"],
            Self::Part => &["type", "text", "name", "input", "arguments"],
            Self::Input => &["file_path", "notebook_path", "path"],
        }
    }

    /// Which fields are looked at in the value of a field.
    fn within(self, key: &str) -> Self {
        match key {
            "payload" | "message" => Self::Message,
            "input" | "arguments" => Self::Input,
            "content" => Self::Part,
            _ => self,
        }
    }
}

impl<'l> DeserializeSeed<'l> for FieldSet {
    type Value = EntryValue<'l>;

    fn deserialize<D: Deserializer<'l>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'l> Visitor<'l> for FieldSet {
    type Value = EntryValue<'l>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Self::Value, E> {
        Ok(EntryValue::Flag(flag))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Ok(EntryValue::Other)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Ok(EntryValue::Other)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(EntryValue::Other)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(EntryValue::Other)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(EntryValue::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'l str) -> Result<Self::Value, E> {
        Ok(EntryValue::Text(Cow::Borrowed(text)))
    }

    fn visit_seq<A: SeqAccess<'l>>(self, mut values: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = values.next_element_seed(self)? {
            list.push(value);
        }
        Ok(EntryValue::List(list))
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(key) = map.next_key_seed(FieldName)? {
            match self.keys().iter().copied().find(|known| **known == key) {
                Some(known) => fields.push((known, map.next_value_seed(self.within(known))?)),
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(EntryValue::Fields(fields))
    }
}

/// The name of a field, in place where it stands there as it is meant.
struct FieldName;

impl<'l> DeserializeSeed<'l> for FieldName {
    type Value = Cow<'l, str>;

    fn deserialize<D: Deserializer<'l>>(self, json: D) -> Result<Self::Value, D::Error> {
        Ok(BorrowedName::deserialize(json)?.0)
    }
}

#[derive(serde::Deserialize)]
struct BorrowedName<'l>(#[serde(borrow)] Cow<'l, str>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_at_is_read_as_it_is_meant() {
        let line = br#"{"r\u006fle":"user","message":{"role":7,"content":[{"type":"text","text":"a\nb","citations":[{"text":"no"}]},
            {"type":"tool_result","content":[{"type":"text","text":"no"}]},[1.5,null]],"name":"one","name":"two"},
            "isMeta":false,"isSidechain":true,"toolUseResult":{"role":"no"},"input":"patch"}"#;
        let entry = EntryValue::read(line).expect("JSON");
        assert_eq!(
            (entry.text("role"), entry.text("input"), entry.get("toolUseResult").is_none()),
            (Some("user"), Some("patch"), true)
        );
        assert!(!entry.is_set("isMeta") && entry.is_set("isSidechain") && !entry.is_set("isCompactSummary"));
        let message = entry.get("message").expect("a message");
        assert_eq!((message.text("role"), message.text("name")), (None, Some("two")));
        let Some(EntryValue::List(parts)) = message.get("content") else { panic!("no parts") };
        let texts: Vec<_> = parts.iter().map(|part| part.text("text")).collect();
        assert_eq!(texts, [Some("a\nb"), None, None]);
        for broken in [&b"{\"role\":\"user\""[..], b"{} {}", b"", b"{\"x\":[1,}", b"\"\xff\""] {
            assert!(EntryValue::read(broken).is_none(), "{broken:?}");
        }
    }
}
