//! The exam for reading and re-reading: notes with what a careful user would expect of them, and edits that keep the
//! bytes and lose the meaning. Written by somebody who had not seen the code; failures are listed together.

use std::fs;
use std::path::PathBuf;

use memora_claim::{ParsedNote, StatementKind, anchor_span, split_statements};
use memora_vault::{Note, NotePath, NoteProblem, PathContext};
use serde_json::Value;

fn exam() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/exam")
}

fn parse(name: &str, text: &str) -> (Note, Vec<NoteProblem>) {
    let path = NotePath::new(name).expect("a good path");
    Note::parse(path, text.to_owned(), PathContext::default())
}

/// Composed, white space folded, and a row's cells parted by spaces: the exam writes them so.
fn bare(words: &str) -> String {
    words.replace(" | ", " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn strings<'a>(value: &'a Value, key: &str) -> Vec<&'a str> {
    value[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn judge_note(name: &str, text: &str, expect: &Value, failures: &mut Vec<String>) {
    let (note, problems) = parse(name, text);
    let found = split_statements(&note);
    for want in expect["statements"].as_array().into_iter().flatten() {
        let quote = want["quote"].as_str().expect("a quote");
        let Some(hit) = found.iter().find(|s| note.slice(s.span) == quote) else {
            failures.push(format!("{name}: no statement is {quote:?}"));
            continue;
        };
        // Ids are made of composed words; the exam writes them as the file does.
        let words = bare(want["words"].as_str().expect("words"));
        let composed = |text: &str| memora_claim::StatementId::from_words(text, &[]);
        if composed(&bare(&hit.words)) != composed(&words) {
            failures.push(format!("{name}: {quote:?} reads {:?}, not {words:?}", hit.words));
        }
        let (zone, band) = (want["zone"].as_str(), want["band"].as_str());
        if Some(hit.zone.as_str()) != zone || Some(hit.band.as_str()) != band {
            failures.push(format!("{name}: {quote:?} is {} {}, not {zone:?} {band:?}", hit.zone.as_str(), hit.band));
        }
    }
    // What says nothing as text may still be code, which is found and cited as what it is.
    let said: Vec<_> = found.iter().filter(|statement| statement.kind != StatementKind::Code).collect();
    for not in strings(expect, "not_statements") {
        for (at, _) in text.match_indices(not) {
            if let Some(hit) = said.iter().find(|s| s.span.start() <= at && at + not.len() <= s.span.end()) {
                failures.push(format!("{name}: {not:?} stands in the statement {:?}", note.slice(hit.span)));
            }
        }
    }
    let mut codes: Vec<&str> = problems.iter().map(|p| p.kind.code()).collect();
    let mut want = strings(expect, "problems");
    codes.sort_unstable();
    want.sort_unstable();
    if codes != want {
        failures.push(format!("{name}: problems are {codes:?}, not {want:?}"));
    }
}

#[test]
fn notes_are_read_as_a_careful_user_expects() {
    let (mut notes, mut failures) = (0, Vec::new());
    for entry in fs::read_dir(exam().join("corpus")).expect("the corpus is there") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_name().and_then(|n| n.to_str()).expect("a name").to_owned();
        if !name.ends_with(".md") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a readable note");
        let expect = fs::read_to_string(path.with_extension("expect.json")).expect("an expectation beside each note");
        judge_note(&name, &text, &serde_json::from_str(&expect).expect("JSON"), &mut failures);
        notes += 1;
    }
    assert!(notes >= 20, "only {notes} notes were read");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn bytes_that_lost_their_meaning_do_not_stand() {
    let text = fs::read_to_string(exam().join("keep-bytes-lose-meaning.jsonl")).expect("the exam is there");
    let (mut cases, mut failures) = (0, Vec::new());
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("JSON");
        let field = |key: &str| case[key].as_str().expect("a text");
        let (before, _) = parse("a.md", field("before"));
        let at = field("before").find(field("cited")).expect("the cited words stand before");
        let span = before.span(at..at + field("cited").len()).expect("a span");
        let source = anchor_span(&ParsedNote::new(before), span);
        let (after, _) = parse("a.md", field("after"));
        let after = ParsedNote::new(after);
        let result = source.recheck(&after);
        let stands = if result.is_ok() { "stands" } else { "changed" };
        if stands != field("expect") {
            failures.push(format!("{}: {stands} ({result:?}); {}", field("id"), field("why")));
        }
        cases += 1;
    }
    assert!(cases >= 20, "only {cases} cases were judged");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
