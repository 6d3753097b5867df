//! The arguments of a tool, by the names and types in its schema.

use rmcp::model::JsonObject;
use serde_json::{Map, Value};

use crate::error::BridgeError;
use crate::tools::{ChosenTool, Role, is_legible, known_names};

/// The word for what Memora saved, where a server wants a kind, a place or a tag.
const MEMORA: &str = "memora";

/// How deep a schema is followed.
const DEPTH_MAX: usize = 4;

/// What a call has to say.
pub(crate) struct Words<'w> {
    pub(crate) role: Role,
    /// The query, the text, or the id.
    pub(crate) words: &'w str,
    pub(crate) title: &'w str,
    pub(crate) limit: usize,
    /// Arguments of the user's own, for tools that take them.
    pub(crate) fixed: &'w JsonObject,
}

/// Arguments, and whether the title is among them.
#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) object: JsonObject,
    pub(crate) has_title: bool,
}

/// Fills the arguments of a tool.
pub(crate) fn fill_arguments(tool: &ChosenTool, words: &Words<'_>) -> Result<Arguments, BridgeError> {
    let mut filler = Filler { words, root: &tool.schema, has_title: false, has_words: words.role == Role::List };
    let filled = filler.fill_object(&tool.schema, DEPTH_MAX);
    let missing = match filled {
        Ok(object) if filler.has_words => return Ok(Arguments { object, has_title: filler.has_title }),
        Ok(_) => "one for words, which none of its arguments is".to_owned(),
        Err(name) => name,
    };
    let argument = if is_legible(&missing) || missing.contains(' ') { missing } else { "an argument".to_owned() };
    Err(BridgeError::Argument { tool: tool.name.clone(), argument })
}

struct Filler<'f> {
    words: &'f Words<'f>,
    root: &'f JsonObject,
    has_title: bool,
    has_words: bool,
}

impl<'f> Filler<'f> {
    /// An object of a schema, or the name of a required field that has no value.
    fn fill_object(&mut self, schema: &'f Map<String, Value>, depth: usize) -> Result<JsonObject, String> {
        let required: Vec<&str> =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let Some(fields) = schema.get("properties").and_then(Value::as_object) else {
            return required.first().map_or_else(|| Ok(JsonObject::new()), |name| Err((*name).to_owned()));
        };
        let main = self.find_main(fields, &required);
        let mut object = JsonObject::new();
        for (name, field) in fields {
            let value = match self.resolve(field, depth) {
                Some(field) if Some(name.as_str()) == main => self.fill_words(field, depth),
                Some(field) => self.fill_other(name, field, required.contains(&name.as_str())),
                None => None,
            };
            match value {
                Some(value) => drop(object.insert(name.clone(), value)),
                None if required.contains(&name.as_str()) => return Err(name.clone()),
                None => {}
            }
        }
        Ok(object)
    }

    /// The field that takes the words: a name that is known for it, or the only text that is required.
    fn find_main(&self, fields: &'f Map<String, Value>, required: &[&'f str]) -> Option<&'f str> {
        let names = match self.words.role {
            Role::Search => known_names("query"),
            Role::Save => known_names("words"),
            Role::Delete => known_names("id"),
            Role::List => return None,
        };
        let fixed = |name: &str| self.words.fixed.contains_key(name);
        if let Some(name) = names.iter().find(|name| fields.contains_key(**name) && !fixed(name)) {
            return Some(name);
        }
        let is_text = |name: &str| {
            fields.get(name).is_some_and(|field| self.resolve(field, DEPTH_MAX).and_then(type_word) == Some("string"))
        };
        match required.iter().filter(|name| is_text(name) && !fixed(name)).collect::<Vec<_>>().as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    fn fill_words(&mut self, field: &'f Map<String, Value>, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let words = Value::from(self.words.words);
        let value = match type_word(field) {
            // Without a type anything goes.
            Some("string") | None => words,
            Some("integer") => self.words.words.parse::<i64>().ok()?.into(),
            Some("object") => return Some(self.fill_object(field, depth).ok()?.into()),
            Some("array") => {
                let items = field.get("items").and_then(|items| self.resolve(items, depth));
                return match items {
                    Some(items) => Some(vec![self.fill_words(items, depth)?].into()),
                    None => {
                        self.has_words = true;
                        Some(vec![words].into())
                    }
                };
            }
            Some(_) => return None,
        };
        self.has_words = true;
        Some(value)
    }

    /// A field that takes no words: the user's own value, a limit, or what is required.
    fn fill_other(&mut self, name: &str, field: &Map<String, Value>, is_required: bool) -> Option<Value> {
        if let Some(value) = self.words.fixed.get(name) {
            return Some(value.clone());
        }
        let known = |of: &str| known_names(of).contains(&name);
        match type_word(field) {
            Some("integer" | "number") if known("limit") => return Some(self.words.limit.into()),
            _ if !is_required => return None,
            Some("string") if known("title") => {
                self.has_title = true;
                return Some(self.words.title.into());
            }
            _ => {}
        }
        let options = field.get("enum").and_then(Value::as_array);
        if let Some(first) = field.get("default").or_else(|| options?.first()) {
            return Some(first.clone());
        }
        match type_word(field) {
            Some("string") if known("kind") => Some("memory".into()),
            Some("string") if known("place") => Some(MEMORA.into()),
            Some("string") if name == "role" => Some("user".into()),
            Some("array") if name == "tags" => Some(vec![Value::from(MEMORA)].into()),
            Some("array") => Some(Value::Array(Vec::new())),
            _ => None,
        }
    }

    /// The schema that a field has, behind references and beside null.
    fn resolve(&self, field: &'f Value, depth: usize) -> Option<&'f Map<String, Value>> {
        let object = field.as_object()?;
        let depth = depth.checked_sub(1)?;
        if let Some(target) = object.get("$ref").and_then(Value::as_str) {
            let mut at = None;
            for part in target.strip_prefix("#/")?.split('/') {
                at = match at {
                    None => self.root.get(part),
                    Some(value) => Value::get(value, part),
                };
                at?;
            }
            return self.resolve(at?, depth);
        }
        let options = ["anyOf", "oneOf"].iter().find_map(|key| object.get(*key)).and_then(Value::as_array);
        match options {
            Some(options) => {
                let options = || options.iter().filter_map(|option| self.resolve(option, depth));
                options()
                    .find(|option| type_word(option) == Some("string"))
                    .or_else(|| options().find(|option| type_word(option).is_some_and(|word| word != "null")))
            }
            None => Some(object),
        }
    }
}

/// The type of a schema; of several the first that is not null.
fn type_word(schema: &Map<String, Value>) -> Option<&str> {
    match schema.get("type")? {
        Value::String(word) => Some(word),
        Value::Array(words) => words.iter().filter_map(Value::as_str).find(|word| *word != "null"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(role: Role, schema: Value, fixed: Value, expected: Result<Value, &str>) {
        let object = |value: Value| value.as_object().cloned().unwrap_or_default();
        let tool = ChosenTool { name: "tool".to_owned(), schema: Arc::new(object(schema)) };
        let fixed = object(fixed);
        let words = Words { role, words: "drift uses pino", title: "drift mem-1", limit: 5, fixed: &fixed };
        match (fill_arguments(&tool, &words), expected) {
            (Ok(filled), Ok(expected)) => assert_eq!(Value::Object(filled.object), expected),
            (Err(BridgeError::Argument { argument, .. }), Err(expected)) => assert_eq!(argument, expected),
            (filled, expected) => panic!("{filled:?} is not {expected:?}"),
        }
    }

    #[test]
    fn arguments_follow_the_schema() {
        let text = || json!({"type": "string"});
        let of = |fields: Value, required: Value| json!({"type": "object", "properties": fields, "required": required});
        check(
            Role::Search,
            of(
                json!({"query": text(), "limit": {"anyOf": [{"type": "null"}, {"type": "integer"}]}, "user_id": text()}),
                json!(["query"]),
            ),
            json!({}),
            Ok(json!({"query": "drift uses pino", "limit": 5})),
        );
        check(
            Role::Search,
            of(json!({"q": text(), "user_id": text()}), json!(["q", "user_id"])),
            json!({"user_id": "mara", "other": 1}),
            Ok(json!({"q": "drift uses pino", "user_id": "mara"})),
        );
        check(
            Role::Search,
            of(json!({"q": text(), "user_id": text()}), json!(["q", "user_id"])),
            json!({}),
            Err("user_id"),
        );
        // The only text that it needs.
        check(
            Role::Search,
            of(json!({"topic": text()}), json!(["topic"])),
            json!({}),
            Ok(json!({"topic": "drift uses pino"})),
        );
        check(
            Role::Search,
            of(json!({"from": {"type": "integer"}}), json!([])),
            json!({}),
            Err("one for words, which none of its arguments is"),
        );
        let messages = json!({"type": "array", "items": {"$ref": "#/$defs/Message"}});
        let mut schema = of(json!({"messages": messages}), json!(["messages"]));
        schema["$defs"] =
            json!({"Message": of(json!({"role": text(), "content": text()}), json!(["role", "content"]))});
        check(Role::Save, schema, json!({}), Ok(json!({"messages": [{"role": "user", "content": "drift uses pino"}]})));
        let list = json!({"type": "array", "items": text()});
        let entity = of(
            json!({"name": text(), "entityType": text(), "observations": list}),
            json!(["name", "entityType", "observations"]),
        );
        check(
            Role::Save,
            of(json!({"entities": {"type": "array", "items": entity}}), json!(["entities"])),
            json!({}),
            Ok(
                json!({"entities": [{"name": "drift mem-1", "entityType": "memory", "observations": ["drift uses pino"]}]}),
            ),
        );
        check(
            Role::Save,
            of(
                json!({"title": text(), "content": text(), "folder": text(), "tags": list}),
                json!(["title", "content", "folder"]),
            ),
            json!({}),
            Ok(json!({"title": "drift mem-1", "content": "drift uses pino", "folder": "memora"})),
        );
        check(
            Role::Delete,
            of(json!({"entityNames": list}), json!(["entityNames"])),
            json!({}),
            Ok(json!({"entityNames": ["drift uses pino"]})),
        );
        check(Role::List, of(json!({}), json!([])), json!({}), Ok(json!({})));
        // A schema that refers to itself ends.
        let loop_ =
            json!({"type": "object", "properties": {"text": {"$ref": "#/properties/text"}}, "required": ["text"]});
        check(Role::Save, loop_, json!({}), Err("text"));
    }
}
