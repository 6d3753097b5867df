//! The fields of `expect`, each as the contract states it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Value, json};

use super::acts::{Output, Scene};
use super::sentences::{self, words};
use super::{Act, Row};

/// The fields that do not hold.
pub(super) fn failures(row: &Row, scene: &Scene, output: &Output) -> BTreeSet<&'static str> {
    let expect = &row.expect;
    let strings = Strings::of(output);
    let holds = [
        ("absent", !expect.absent.iter().any(|words| strings.has(words))),
        ("present", expect.present.iter().all(|words| !output.is_error && is_present(output, &strings, words))),
        ("not_verified", output.is_error || sentences::none_kept(output, &expect.not_verified)),
        ("verified", expect.verified.is_empty() || !output.is_error && sentences::all_proven(output, &expect.verified)),
        ("one_document", !expect.one_document || is_one_document(row, output)),
        ("markers_only_of_result", !expect.markers_only_of_result || strings.markers_are_of(&listed_ids(output))),
        ("no_control_characters", !expect.no_control_characters || !output.printed.contains(is_control)),
        ("captured_not_owner", !expect.captured_not_owner || are_captured_quotes_marked(row, output)),
        ("no_new_note", !expect.no_new_note || scene.is_vault_as_before()),
        // Asked of each row, beside its own expectations.
        ("outside_unread", !has_unseen_words(row, output)),
        ("outside_untouched", !expect.outside_untouched || scene.is_outside_as_before()),
    ];
    holds.into_iter().filter(|(_, holds)| !holds).map(|(field, _)| field).collect()
}

/// The output as printed, and each string of its JSON and of JSON in these.
struct Strings(Vec<String>);

impl Strings {
    fn of(output: &Output) -> Self {
        let mut all = vec![output.printed.clone()];
        for document in output.documents.iter().flatten() {
            collect(document, &mut all);
        }
        Self(all)
    }

    fn has(&self, words: &str) -> bool {
        self.0.iter().any(|text| text.contains(words))
    }

    fn has_folded(&self, words: &str) -> bool {
        let words = fold(words);
        self.0.iter().any(|text| fold(text).contains(&words))
    }

    /// Whether each marker is of one of these ids, or the form that the program's own words explain.
    fn markers_are_of(&self, ids: &BTreeSet<String>) -> bool {
        static MARKER: LazyLock<Regex> = LazyLock::new(|| {
            let pattern = r"(?is)(?:[\[【［(]|&#91;)\s*claim\s*[:：](.*?)(?:[\[\]【】［］()]|&#9[13];|$)";
            Regex::new(pattern).expect("a pattern")
        });
        let is_listed = |id: &str| id == "ID" || ids.contains(&id.to_lowercase());
        self.0.iter().all(|text| {
            let visible: String = text.chars().filter(|c| !is_invisible(*c)).collect();
            MARKER.captures_iter(&visible).all(|marker| {
                let without_word = |id: &str| id.trim().trim_start_matches("claim:").trim().to_owned();
                marker[1].split([',', ';']).all(|id| is_listed(&without_word(id)))
            })
        })
    }
}

/// Whether words are there; in a tool's result both in the text, which a model reads, and in the JSON, which a program does.
fn is_present(output: &Output, strings: &Strings, words: &str) -> bool {
    let Some(text) = output.text() else { return strings.has_folded(words) };
    let mut content = Strings(Vec::new());
    collect(&output.result, &mut content.0);
    fold(text).contains(&fold(words)) && content.has_folded(words)
}

fn collect(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            all.push(text.clone());
            if let Ok(inner @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(text) {
                collect(&inner, all);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, all)),
        Value::Object(fields) => {
            for (key, value) in fields {
                all.push(key.clone());
                collect(value, all);
            }
        }
        _ => {}
    }
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

fn is_control(c: char) -> bool {
    c < ' ' && !matches!(c, '\t' | '\n')
        || matches!(c, '\u{7f}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
}

/// The ids that a result lists by a field of its own, with and without their reading.
fn listed_ids(output: &Output) -> BTreeSet<String> {
    fn gather(value: &Value, ids: &mut BTreeSet<String>) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| gather(value, ids)),
            Value::Object(fields) => {
                if let Some(id) = fields.get("claim").and_then(Value::as_str) {
                    ids.extend([id.to_owned(), id.split('.').next().unwrap_or_default().to_owned()]);
                }
                fields.values().for_each(|value| gather(value, ids));
            }
            _ => {}
        }
    }
    let mut ids = BTreeSet::new();
    gather(&output.result, &mut ids);
    ids
}

/// One JSON value, or one a line; of a tool, one response with a text that is there, and the same as JSON. A tool's error is a
/// sentence alone.
fn is_one_document(row: &Row, output: &Output) -> bool {
    let Some(documents) = &output.documents else { return false };
    if !matches!(row.act, Act::Tool { .. }) || output.is_error {
        return true;
    }
    let [document] = documents.as_slice() else { return false };
    let has_text = output.text().is_some_and(|text| !text.trim().is_empty());
    has_text && document["result"]["structuredContent"].is_object()
}

/// Whether each quotation of a captured note is marked as one.
fn are_captured_quotes_marked(row: &Row, output: &Output) -> bool {
    let captured: Vec<&str> = row.notes.iter().filter(|note| note.captured).map(|note| &*note.text).collect();
    if matches!(row.act, Act::Resource { .. }) {
        let text = output.result["contents"][0]["text"].as_str().unwrap_or_default();
        let first = text.lines().next().unwrap_or_default();
        return !is_quoted(row, text) || captured.iter().all(|note| !note.lines().any(|line| line == first));
    }
    // In a text, what a machine wrote is said to be so in its line, or above all of a note.
    let is_marked = |line: &str| line.contains("machine") || !is_quoted(row, line);
    if let Some(text) = output.text()
        && !text.starts_with("a machine wrote this note")
        && !text.lines().all(is_marked)
    {
        return false;
    }
    match (&output.documents, &output.result) {
        (Some(_), result) => are_marked(row, result, false, true),
        (None, _) => output.printed.split("\n\n").all(|block| !is_quoted(row, block) || block.contains("captured")),
    }
}

fn are_marked(row: &Row, value: &Value, is_marked: bool, is_list: bool) -> bool {
    match value {
        Value::String(text) => is_marked || !is_quoted(row, text),
        Value::Array(values) => values.iter().all(|value| are_marked(row, value, is_marked, false)),
        Value::Object(fields) => {
            let here = fields.get("captured") == Some(&true.into())
                || !is_list && fields.values().any(|value| value == "captured");
            fields.values().all(|value| are_marked(row, value, is_marked || here, false))
        }
        _ => true,
    }
}

/// Whether the output has four words in a row of a file outside the vault or, at a cloud door, of a secret note, which the act
/// does not say itself.
fn has_unseen_words(row: &Row, output: &Output) -> bool {
    const RUN: usize = 4;
    let has = |text: &[String], run: &[String]| text.windows(RUN).any(|window| window == run);
    let (said, asked) = (words(&output.printed), words(&row.act.texts().join(" ")));
    let is_local = matches!(&row.act, Act::CommandLine { cli, .. } if cli.iter().any(|arg| arg.starts_with("--door")));
    let secret = row.notes.iter().filter(|note| !is_local && note.text.starts_with("---\nprivacy: secret\n"));
    let mut unseen = row.outside.iter().map(|file| &file.text).chain(secret.map(|note| &note.text));
    unseen.any(|text| words(text).windows(RUN).any(|run| has(&said, run) && !has(&asked, run)))
}

/// Whether a text has a passage of a captured note that no other note has: all of a short text, or a sentence.
fn is_quoted(row: &Row, text: &str) -> bool {
    const FEW: usize = 3;
    let said = words(text);
    let in_order = |text: &[String], part: &[String]| text.windows(part.len().max(1)).any(|window| window == part);
    let others: Vec<Vec<String>> =
        row.notes.iter().filter(|note| !note.captured).map(|note| words(&note.text)).collect();
    let is_own = |part: &[String]| others.iter().any(|other| in_order(other, part));
    row.notes.iter().filter(|note| note.captured).any(|note| {
        let whole = said.len() >= FEW && in_order(&words(&note.text), &said) && !is_own(&said);
        let mut parts = note.text.split(['\n', '.', '!', '?']).map(words);
        whole || parts.any(|part| part.len() > FEW && in_order(&said, &part) && !is_own(&part))
    })
}

#[test]
fn a_result_of_a_tool_is_one_response_with_a_text_and_the_same_as_json() {
    let act = json!({"tool": "memora_find", "arguments": {}});
    let row = json!({"id": "", "half": "dev", "kind": "", "trick": "", "notes": [], "act": act, "expect": {}});
    let row: Row = serde_json::from_value(row).expect("a row");
    let is_one = |results: &[Value]| {
        let documents: Vec<Value> = results.iter().map(|result| json!({"id": 1, "result": result})).collect();
        let lines = documents.iter().map(|document| format!("{document}\n")).collect();
        is_one_document(&row, &Output::of_responses(lines, documents, String::new()))
    };
    let (text, content) = (json!([{"type": "text", "text": "likely"}]), json!({"status": "found"}));
    let whole = json!({"content": text, "structuredContent": content});
    assert!(is_one(std::slice::from_ref(&whole)));
    assert!(!is_one(&[whole.clone(), whole]));
    for part in [
        json!({"content": text}),
        json!({"structuredContent": content}),
        json!({"content": [], "structuredContent": content}),
        json!({"content": [{"type": "text", "text": " "}], "structuredContent": content}),
        json!({"content": [text[0], text[0]], "structuredContent": content}),
        json!({"content": text, "structuredContent": "found"}),
    ] {
        assert!(!is_one(std::slice::from_ref(&part)), "{part}");
    }
}
