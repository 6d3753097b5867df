//! Arguments as clients send them: read where their meaning is certain, before a tool's own type refuses them.
//!
//! JSON Schema takes `3000.0` for an integer, and models write `"3000"`, `null` for an argument that they leave out, or a
//! list as a string. Invariant: **a value of a type that the schema names is never changed**, and one whose meaning is open
//! stays as it is, so that the tool refuses it.

use rmcp::model::JsonObject;
use serde_json::{Number, Value};

/// The integers that a `f64` holds exactly reach as far.
const INTEGER_MAX: f64 = 9_007_199_254_740_992.0;

/// Reads arguments by the schema of a tool's input.
pub(crate) fn read_leniently(arguments: JsonObject, schema: &JsonObject) -> JsonObject {
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let fields = schema.get("properties").and_then(Value::as_object);
    let read = |(name, value): (String, Value)| {
        let Some(field) = fields.and_then(|fields| fields.get(&name)) else { return Some((name, value)) };
        // What may be left out is left out by `null`, too.
        if value.is_null() && !required.contains(&name.as_str()) {
            return None;
        }
        let accepted = Accepted::from_schema(field);
        // A number is a date, or a cursor, but no question.
        let numbers_are_texts = !required.contains(&name.as_str());
        let value = if value.is_number() && !numbers_are_texts && accepted.takes("string") {
            value
        } else {
            accepted.read(value)
        };
        Some((name, value))
    };
    arguments.into_iter().filter_map(read).collect()
}

/// The values that a schema accepts.
#[derive(Default)]
struct Accepted<'s> {
    types: Vec<&'s str>,
    /// The words of an enumeration.
    words: Vec<&'s str>,
    /// The schema of a list's items.
    items: Option<&'s Value>,
}

impl<'s> Accepted<'s> {
    fn from_schema(schema: &'s Value) -> Self {
        let mut accepted = Self::default();
        accepted.collect(schema);
        accepted
    }

    fn collect(&mut self, schema: &'s Value) {
        match schema.get("type") {
            Some(Value::String(one)) => self.types.push(one),
            Some(Value::Array(several)) => self.types.extend(several.iter().filter_map(Value::as_str)),
            _ => {}
        }
        let listed = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
        self.words.extend(listed.chain(schema.get("const")).filter_map(Value::as_str));
        self.items = self.items.or_else(|| schema.get("items"));
        for choice in ["anyOf", "oneOf"] {
            let choices = schema.get(choice).and_then(Value::as_array);
            choices.into_iter().flatten().for_each(|schema| self.collect(schema));
        }
    }

    fn takes(&self, kind: &str) -> bool {
        self.types.contains(&kind)
    }

    /// Returns the value that is meant, or the value itself.
    fn read(&self, value: Value) -> Value {
        match &value {
            Value::String(text) => self.read_text(text).unwrap_or(value),
            Value::Number(number) => self.read_number(number).unwrap_or(value),
            Value::Array(_) => self.read_list(value),
            Value::Null | Value::Bool(_) | Value::Object(_) => value,
        }
    }

    fn read_text(&self, text: &str) -> Option<Value> {
        let typed = text.trim();
        if !self.words.is_empty() {
            let is_meant = |word: &&&str| word.eq_ignore_ascii_case(typed);
            let mut meant = self.words.iter().filter(is_meant);
            return meant.next().map(|word| Value::from(*word));
        }
        if self.takes("string") {
            return None;
        }
        if self.takes("boolean") {
            let word = typed.to_ascii_lowercase();
            return matches!(word.as_str(), "true" | "false").then(|| Value::Bool(word == "true"));
        }
        if self.takes("integer") || self.takes("number") {
            let number = serde_json::from_str::<Number>(typed).ok()?;
            let read = self.read_number(&number);
            return read.or(Some(Value::Number(number)));
        }
        if self.takes("array") {
            return match serde_json::from_str(typed) {
                Ok(list @ Value::Array(_)) => Some(self.read_list(list)),
                // One name for a list of names. With a comma or a bracket it might be several.
                _ if !typed.is_empty() && !typed.contains([',', '[', '\n']) && self.takes_texts() => {
                    Some(Value::Array(vec![Value::from(text)]))
                }
                _ => None,
            };
        }
        None
    }

    fn read_number(&self, number: &Number) -> Option<Value> {
        if self.takes("integer") && !number.is_i64() && !number.is_u64() {
            let value = number.as_f64().filter(|value| value.fract() == 0.0 && value.abs() <= INTEGER_MAX)?;
            #[expect(clippy::cast_possible_truncation, reason = "a whole number within the bound")]
            return Some(Value::from(value as i64));
        }
        // A year for a date, a number for a cursor. The digits of a fraction may have been lost.
        let is_whole = number.is_i64() || number.is_u64();
        let takes_numbers = self.takes("integer") || self.takes("number");
        (is_whole && self.takes("string") && !takes_numbers).then(|| Value::from(number.to_string()))
    }

    fn read_list(&self, list: Value) -> Value {
        match (list, self.items) {
            (Value::Array(list), Some(items)) if self.takes("array") => {
                let items = Self::from_schema(items);
                Value::Array(list.into_iter().map(|item| items.read(item)).collect())
            }
            (list, _) => list,
        }
    }

    fn takes_texts(&self) -> bool {
        self.items.is_some_and(|items| Self::from_schema(items).takes("string"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tools::tools;

    /// Reads arguments by the schema of a tool.
    fn read(tool: &str, arguments: Value) -> Value {
        let all = tools();
        let tool = all.iter().find(|listed| listed.name == tool).expect("a tool");
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        Value::Object(read_leniently(arguments, &tool.input_schema))
    }

    #[track_caller]
    fn check(tool: &str, sent: Value, meant: Value) {
        assert_eq!(read(tool, sent.clone()), meant, "{tool} {sent}");
    }

    #[test]
    fn what_is_meant_for_certain_is_read() {
        check("memora_find", json!({"limit": 3.0}), json!({"limit": 3}));
        check("memora_read", json!({"from": " 30 "}), json!({"from": 30}));
        check("memora_find", json!({"folder": null, "limit": null, "captured": null}), json!({}));
        check(
            "memora_find",
            json!({"folder": "[\"people\"]", "tag": "work", "also": "job"}),
            json!({"folder": ["people"], "tag": ["work"], "also": ["job"]}),
        );
        check("memora_find", json!({"captured": "True", "as_of": 2024}), json!({"captured": true, "as_of": "2024"}));
        check("memora_review", json!({"what": "Stale"}), json!({"what": "stale"}));
        check("memory_save", json!({"confidence": "0.9", "kind": null}), json!({"confidence": 0.9}));
        check("memory_save", json!({"kind": "Event", "tags": [12]}), json!({"kind": "event", "tags": ["12"]}));
    }

    #[test]
    fn what_is_open_stays_and_what_fits_is_never_changed() {
        for sent in [
            json!({"limit": 3.5}),
            json!({"limit": "many"}),
            json!({"limit": "3,000"}),
            json!({"limit": 1e300}),
            json!({"captured": "yes"}),
            json!({"folder": "a, b"}),
            json!({"folder": "[\"a\""}),
            json!({"folder": {"path": "a"}}),
            json!({"question": null}),
            json!({"question": "true", "as_of": "2024"}),
            json!({"question": 7}),
            json!({"as_of": 2024.5}),
            json!({"unheard_of": null}),
        ] {
            check("memora_find", sent.clone(), sent);
        }
    }

    #[test]
    fn every_optional_argument_of_every_tool_may_be_null() {
        for tool in tools() {
            let fields = tool.input_schema.get("properties").and_then(Value::as_object).expect("arguments").clone();
            let required = tool.input_schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
            let sent: JsonObject = fields.into_iter().map(|(name, _)| (name, Value::Null)).collect();
            let read = read_leniently(sent, &tool.input_schema);
            assert_eq!(read.len(), required.len(), "{}: {read:?}", tool.name);
        }
    }
}
