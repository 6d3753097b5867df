//! Formats verdicts as SARIF 2.1.0, for code scanning.
//!
//! One result for each failing sentence, by its verdict, and one for each failing citation of a sentence that passes,
//! by the citation's. Regions are lines and columns of the input text, from 1, in characters.

use std::path::Path;

use memora_engine::VerifyInput;
use memora_engine::report::{SentenceReport, SentenceVerdict, VerifyReport};
use serde_json::{Value, json};

/// All rules: id, level and message.
const RULES: &[(&str, &str, &str)] = &[
    ("contradicted", "error", "The cited words say otherwise"),
    ("unsupported", "error", "Something in this is not in the cited words"),
    ("paraphrased", "note", "No fact disagrees with the cited words; compare the wording"),
    ("rejected", "error", "No citation of this sentence can be relied on"),
    ("uncited", "warning", "Nothing is cited for this"),
    ("changed", "warning", "The note no longer says what is cited, or not in that way"),
    ("missing_note", "warning", "The cited note is gone"),
    ("unknown_id", "warning", "There is no such claim"),
    ("withdrawn", "warning", "The claim was withdrawn"),
    ("superseded", "warning", "Something newer replaced what is cited"),
    ("not_offered", "warning", "The claim was not in the context of this answer"),
    ("redacted", "warning", "This may not be seen here, if it is there"),
    ("malformed", "warning", "This looks like a citation and cannot be read"),
    ("unknown_place", "warning", "There is no such note, heading or block, or none with these words"),
    ("ambiguous", "warning", "This may lead to several places"),
    ("itself", "warning", "No text bears itself out"),
    ("captured", "warning", "A machine wrote this down, and no note of the user's says it"),
];

/// Builds the log of one run over one text.
pub(crate) fn build_sarif<D>(report: &VerifyReport<D>, submitted: &VerifyInput, file: Option<&Path>) -> Value {
    let text = SubmittedText::new(submitted, file);
    let results: Vec<Value> = report.sentences.iter().flat_map(|sentence| sentence_results(sentence, &text)).collect();
    let rules: Vec<Value> = RULES
        .iter()
        .map(|(id, level, says)| {
            json!({"id": id, "shortDescription": {"text": says}, "defaultConfiguration": {"level": level}})
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "memora", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "properties": {"status": report.status},
            "results": results,
        }],
    })
}

fn sentence_results(sentence: &SentenceReport, text: &SubmittedText<'_>) -> Vec<Value> {
    if !sentence.verdict.is_proven() && sentence.verdict != SentenceVerdict::Exempt {
        return vec![text.build_result(sentence.verdict.as_str(), &describe_problem(sentence), sentence)];
    }
    let failing = sentence.citations.iter().filter(|citation| !citation.verdict.stands());
    failing
        .map(|citation| {
            let says = format!("{}: {}", citation.marker, citation.explanation);
            text.build_result(citation.verdict.as_str(), &says, sentence)
        })
        .collect()
}

/// Describes the problem of a sentence.
fn describe_problem(sentence: &SentenceReport) -> String {
    let rule = RULES.iter().find(|(id, ..)| *id == sentence.verdict.as_str()).map_or("", |(_, _, says)| says);
    let failing = sentence.citations.iter().filter(|citation| !citation.verdict.stands());
    let citations =
        failing.map(|citation| format!("{} {}: {}", citation.marker, citation.verdict, citation.explanation));
    let reasons = sentence.reasons.iter().map(|reason| format!("{} ({})", reason.explanation, reason.kind));
    let why: Vec<String> = citations.chain(reasons).collect();
    let said = sentence.text.trim_end_matches(['.', '。']);
    if why.is_empty() { format!("{rule}: {}", sentence.text) } else { format!("{rule}: {said}. {}", why.join("; ")) }
}

/// The verified text and its source.
struct SubmittedText<'t> {
    submitted: &'t VerifyInput,
    uri: String,
    line_starts: Vec<usize>,
}

impl<'t> SubmittedText<'t> {
    fn new(submitted: &'t VerifyInput, file: Option<&Path>) -> Self {
        let newlines = submitted.as_str().bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
        Self { submitted, uri: file.map_or_else(|| "stdin".to_owned(), file_uri), line_starts }
    }

    fn build_result(&self, rule: &str, says: &str, sentence: &SentenceReport) -> Value {
        let index = RULES.iter().position(|(id, ..)| *id == rule);
        let level = index.and_then(|at| RULES.get(at)).map_or("warning", |(_, level, _)| level);
        let mut location = json!({"physicalLocation": {
            "artifactLocation": {"uri": self.uri},
            "region": self.line_region(sentence),
        }});
        if let Some(block) = self.submitted.block_at(sentence.start) {
            location["logicalLocations"] = json!([{"fullyQualifiedName": format!("content[{block}].text")}]);
        }
        let mut result = json!({"ruleId": rule, "level": level, "message": {"text": says}, "locations": [location]});
        if let Some(index) = index {
            result["ruleIndex"] = json!(index);
        }
        result
    }

    /// Returns lines and columns; for a JSON reply only the first line, since the text is escaped in it.
    fn line_region(&self, sentence: &SentenceReport) -> Value {
        if self.submitted.is_from_blocks() {
            return json!({"startLine": 1});
        }
        let ((start_line, start_column), (end_line, end_column)) =
            (self.line_and_column(sentence.start), self.line_and_column(sentence.end));
        json!({"startLine": start_line, "startColumn": start_column, "endLine": end_line, "endColumn": end_column})
    }

    /// Returns line and column, from 1.
    fn line_and_column(&self, offset: usize) -> (usize, usize) {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).and_then(|at| self.line_starts.get(at)).copied().unwrap_or(0);
        let before = self.submitted.as_str().get(start..offset).unwrap_or_default();
        (line, before.chars().count() + 1)
    }
}

/// Converts a path into a URI: relative as typed, absolute with a scheme.
fn file_uri(path: &Path) -> String {
    let mut out = if path.is_absolute() { String::from("file://") } else { String::new() };
    let typed = path.to_string_lossy().replace('\\', "/");
    for byte in typed.trim_start_matches("./").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
