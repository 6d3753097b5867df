//! What a tool's result holds: texts with their ids. Everything else in it is passed over.

use rmcp::model::CallToolResult;
use serde_json::Value;

use crate::tools::known_names;

/// A text that a server remembers, as it says it: untrusted.
#[derive(Clone, PartialEq, Eq)]
pub struct BridgedText {
    /// Its id there.
    pub id: Option<String>,
    /// Its words.
    pub text: String,
}

memora_vault::wordless_debug! {
    BridgedText(bridged): "{} bytes", bridged.text.len();
}

/// The most texts of a result, and the most bytes of one.
const TEXTS_MAX: usize = 10_000;
const TEXT_BYTES_MAX: usize = 4 << 10;
/// How deep a result is followed.
const DEPTH_MAX: usize = 8;
/// The longest id that is taken, in bytes.
const ID_BYTES_MAX: usize = 200;

/// Returns the texts of a result. Of one that is no JSON, each paragraph is a text, if it has a word of the query.
pub(crate) fn texts_of(result: &CallToolResult, query: &str) -> Vec<BridgedText> {
    let mut found = Vec::new();
    for part in parts_of(result) {
        match part {
            Part::Json(value) => collect_texts(&value, query, DEPTH_MAX, &mut found),
            Part::Plain(text) => push_paragraphs(&text, query, &mut found),
        }
    }
    found
}

/// Returns the id that a result gives to what was saved.
pub(crate) fn id_of(result: &CallToolResult) -> Option<String> {
    parts_of(result).into_iter().find_map(|part| match part {
        Part::Json(value) => find_id(&value, DEPTH_MAX),
        Part::Plain(_) => None,
    })
}

enum Part {
    Json(Value),
    Plain(String),
}

/// The structured result, or else its blocks of text.
fn parts_of(result: &CallToolResult) -> Vec<Part> {
    if let Some(value) = result.structured_content.as_ref().filter(|value| value.is_object() || value.is_array()) {
        return vec![Part::Json(value.clone())];
    }
    let texts = result.content.iter().filter_map(|block| block.as_text());
    texts.map(|block| parse_part(&block.text)).collect()
}

fn parse_part(text: &str) -> Part {
    match serde_json::from_str::<Value>(text) {
        Ok(value) if value.is_object() || value.is_array() => Part::Json(value),
        _ => Part::Plain(text.to_owned()),
    }
}

fn collect_texts(value: &Value, query: &str, depth: usize, found: &mut Vec<BridgedText>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect_texts(value, query, depth, found)),
        Value::String(text) => match parse_part(text) {
            Part::Json(value) => collect_texts(&value, query, depth, found),
            Part::Plain(text) => push_paragraphs(&text, query, found),
        },
        Value::Object(fields) => {
            match known_names("result-text").iter().find_map(|name| words_of(fields.get(*name)?)) {
                Some(words) => {
                    let subject = known_names("result-subject").iter().find_map(|name| fields.get(*name)?.as_str());
                    let text = match subject.filter(|subject| !words.contains(*subject)) {
                        Some(subject) => format!("{subject}: {words}"),
                        None => words,
                    };
                    push_text(&text, known_names("result-id").iter().find_map(|name| id_in(fields.get(*name)?)), found);
                }
                // What holds no words itself may hold what does. Other texts are no memories, unless they are the whole result.
                None => {
                    let holds = |(name, value): &(&String, &Value)| match value {
                        Value::String(text) => name.as_str() == "result" || matches!(parse_part(text), Part::Json(_)),
                        value => value.is_array() || value.is_object(),
                    };
                    fields.iter().filter(holds).for_each(|(_, value)| collect_texts(value, query, depth, found));
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The words of a field: a text, or a list of texts.
fn words_of(field: &Value) -> Option<String> {
    match field {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Array(texts) if !texts.is_empty() && texts.iter().all(Value::is_string) => {
            Some(texts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "))
        }
        _ => None,
    }
}

fn push_paragraphs(text: &str, query: &str, found: &mut Vec<BridgedText>) {
    let query = query.to_lowercase();
    let words: Vec<&str> =
        query.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 3).collect();
    for paragraph in text.replace("\r\n", "\n").split("\n\n") {
        let lower = paragraph.to_lowercase();
        if words.iter().any(|word| lower.contains(word)) {
            push_text(paragraph, None, found);
        }
    }
}

fn push_text(text: &str, id: Option<String>, found: &mut Vec<BridgedText>) {
    let text = text.trim();
    if found.len() < TEXTS_MAX && !text.is_empty() {
        let text = text.get(..text.floor_char_boundary(TEXT_BYTES_MAX)).unwrap_or_default().to_owned();
        found.push(BridgedText { id, text });
    }
}

fn find_id(value: &Value, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    match value {
        Value::Object(fields) => known_names("result-id")
            .iter()
            .find_map(|name| id_in(fields.get(*name)?))
            .or_else(|| fields.values().find_map(|value| find_id(value, depth))),
        Value::Array(values) => values.iter().find_map(|value| find_id(value, depth)),
        Value::String(text) => match parse_part(text) {
            Part::Json(value) => find_id(&value, depth),
            Part::Plain(_) => None,
        },
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn id_in(field: &Value) -> Option<String> {
    let id = match field {
        Value::String(id) => id.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    Some(id).filter(|id| !id.is_empty() && id.len() <= ID_BYTES_MAX && !id.contains(char::is_control))
}

#[cfg(test)]
mod tests {
    use rmcp::model::ContentBlock;
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(result: &CallToolResult, texts: &[(&str, Option<&str>)]) {
        let found = texts_of(result, "which logger does drift use");
        let found: Vec<(&str, Option<&str>)> =
            found.iter().map(|found| (found.text.as_str(), found.id.as_deref())).collect();
        assert_eq!(found, texts);
    }

    fn said(text: impl Into<String>) -> CallToolResult {
        CallToolResult::success(vec![ContentBlock::text(text)])
    }

    #[test]
    fn texts_are_found_in_any_shape() {
        let mem0 = json!({"results": [{"id": "m-1", "memory": "drift uses pino", "score": 0.9}, {"id": "m-2", "memory": " "}]});
        check(&said(mem0.to_string()), &[("drift uses pino", Some("m-1"))]);
        check(&CallToolResult::structured(json!({"result": [mem0]})), &[("drift uses pino", Some("m-1"))]);
        check(&CallToolResult::structured(json!({"result": mem0.to_string()})), &[("drift uses pino", Some("m-1"))]);
        let graph = json!({"entities": [{"name": "drift", "entityType": "project", "observations": ["uses pino", "is old"]}],
            "relations": [{"from": "drift", "to": "pino", "relationType": "uses"}]});
        check(&said(graph.to_string()), &[("drift: uses pino is old", Some("drift"))]);
        check(&said("Found 1:\n\n1. drift uses pino\n\nno more"), &[("1. drift uses pino", None)]);
        check(&said("No memories found."), &[]);
        check(&said("null"), &[]);
        check(&said(format!("{}1{}", "[".repeat(100), "]".repeat(100))), &[]);
    }

    #[test]
    fn an_id_is_found_in_any_shape() {
        let id = |value: Value| id_of(&CallToolResult::structured(value));
        assert_eq!(id(json!({"results": [{"event": "ADD", "id": "m-7"}]})).as_deref(), Some("m-7"));
        assert_eq!(id(json!({"ok": true, "stored": {"memory_id": 7}})).as_deref(), Some("7"));
        assert_eq!(id(json!({"ok": true})), None);
        assert_eq!(id(json!({"id": "x".repeat(5_000)})), None);
        assert_eq!(id_of(&said("saved as m-7")), None);
    }
}
