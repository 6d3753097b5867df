//! 139 conversations in which the examiner plays the model, written by somebody who had not seen the code.
//!
//! `tests/exam/replies.md` says how they are judged. What is known to go wrong is listed by [`check_exam`].

use memora_testkit::{CommandOutput, Fixture, MemoraBinary, ModelServer, ScriptedReply};
use serde_json::Value;

use super::elsewhere;
use crate::exams::check_exam;
use crate::support::{exported, indexed_example, read};

fn rows() -> Vec<Value> {
    read("tests/exam/replies.jsonl").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Words without citations, white space folded, no space in front of a full stop.
fn plain(words: &str) -> String {
    let mut out = String::new();
    let mut rest = words;
    while let Some((before, behind)) = rest.split_once("[claim:") {
        out.push_str(before);
        rest = behind.split_once(']').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out.split_whitespace().collect::<Vec<_>>().join(" ").replace(" .", ".").replace(" ,", ",")
}

/// The ids of the statements that a row names, as the user's own eyes see them.
fn ids(fixture: &Fixture, claims: &[Value], row: &Value) -> Vec<(String, String)> {
    let names = row["names"].as_object().into_iter().flatten();
    let of = |spot: &Value| {
        let words = text(&spot["contains"]);
        let start = fixture.read(text(&spot["note"])).find(words).expect("the note says so");
        let number = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or_default();
        let holds = |source: &Value| {
            let (from, to) = (number(&source["start"]), number(&source["end"]));
            source["path"] == spot["note"] && from < start + words.len() && start < to
        };
        let found = claims.iter().find(|claim| claim["sources"].as_array().is_some_and(|all| all.iter().any(holds)));
        let claim = found.unwrap_or_else(|| panic!("{}: nothing says {}", row["id"], spot["contains"]));
        text(&claim["claim"]).split('.').next().unwrap_or_default().to_owned()
    };
    names.map(|(letter, spot)| (format!("{{{letter}}}"), of(spot))).collect()
}

fn say(reply: &Value, ids: &[(String, String)]) -> ScriptedReply {
    if let Some(words) = reply.as_str() {
        return ScriptedReply::text(ids.iter().fold(words.to_owned(), |words, (name, id)| words.replace(name, id)));
    }
    let number = |key: &str| reply[key].as_u64().unwrap_or_default();
    let fault = reply.as_object().and_then(|fault| fault.keys().next()).map(String::as_str);
    match fault {
        _ if !reply["retry_after"].is_null() => ScriptedReply::Busy {
            status: u16::try_from(number("status")).expect("a status"),
            retry_after: number("retry_after"),
        },
        Some("status") => ScriptedReply::EchoError(u16::try_from(number("status")).expect("a status")),
        Some("hang") => ScriptedReply::Hang,
        Some("bytes") => ScriptedReply::Bytes(usize::try_from(number("bytes")).expect("a size")),
        Some("half_json") => ScriptedReply::HalfJson,
        Some("not_utf8") => ScriptedReply::NotUtf8,
        Some("redirect") => ScriptedReply::Redirect(text(&reply["redirect"]).to_owned()),
        Some("empty") => ScriptedReply::Empty,
        Some("not_json") => ScriptedReply::NotJson(text(&reply["not_json"]).to_owned()),
        Some("wrong_shape") => ScriptedReply::WrongShape(reply["wrong_shape"].clone()),
        other => panic!("{other:?} is no fault"),
    }
}

/// How one conversation went.
struct Went {
    output: CommandOutput,
    status: String,
    /// Each sentence of the answer, plain, and whether it is proven.
    answer: Vec<(String, bool)>,
    drafts: usize,
}

fn ask(fixture: &Fixture, memora: &MemoraBinary, row: &Value, claims: &[Value], handle: &str, strict: bool) -> Went {
    let mut names = ids(fixture, claims, row);
    names.push(("{handle}".to_owned(), handle.to_owned()));
    names.push(("{unknown}".to_owned(), "7h3kq0v9x2ma".to_owned()));
    let replies = row["replies"].as_array().expect("a list");
    let server = ModelServer::start(replies.iter().map(|reply| say(reply, &names)).collect());
    elsewhere(memora, "openai", &server);
    let flags: &[&str] = if strict { &["--strict"] } else { &[] };
    let output = memora.run(&[&["ask", text(&row["question"]), "--json"][..], flags].concat());
    let report: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    let sentences = report["sentences"].as_array().cloned().unwrap_or_default();
    let status = match output.exit {
        Some(2) => "an error".to_owned(),
        _ => text(&report["status"]).to_owned(),
    };
    // Faults of the transport are tried again within one draft.
    let drafts = usize::try_from(report["drafted"]["drafts"].as_u64().unwrap_or_default()).unwrap_or_default();
    let told = |s: &Value| (plain(text(&s["text"])), text(&s["verdict"]) != "paraphrased");
    Went { status, answer: sentences.iter().map(told).collect(), drafts, output }
}

/// A handle of a guarded claim, as a cloud door is given one.
fn handle(memora: &MemoraBinary) -> String {
    let listed = memora.run(&["claims", "--limit", "1000", "--json"]).json();
    let claims = listed["claims"].as_array().cloned().unwrap_or_default();
    let handle = claims.iter().map(|claim| text(&claim["claim"])).find(|id| id.starts_with('~'));
    handle.expect("a public note has guarded claims").to_owned()
}

/// How all of them went: a line for each row that says too much or too little.
#[derive(Default)]
struct All {
    /// Rows where something of `never` is shown, and those where it is shown as proven.
    too_much: Vec<String>,
    proven_too_much: Vec<String>,
    /// Rows where something of `keep` is not.
    too_little: Vec<String>,
}

fn all_conversations(strict: bool) -> All {
    let (fixture, memora) = indexed_example();
    let claims = exported(&memora);
    let handle = handle(&memora);
    let mut went_all = All::default();
    for row in rows() {
        let (id, group) = (text(&row["id"]).to_owned(), text(&row["misbehaviour"]).to_owned());
        let went = ask(&fixture, &memora, &row, &claims, &handle, strict);
        let join = |all: bool| {
            let told = went.answer.iter().filter(|(_, proven)| all || *proven);
            told.map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(" ")
        };
        let (answer, proven) = (join(true), join(false));
        let all = |key: &str| row[key].as_array().cloned().unwrap_or_default();
        let never: Vec<String> = all("never").iter().map(|words| plain(text(words))).collect();
        let shown: Vec<&String> = never.iter().filter(|words| answer.contains(*words)).collect();
        let lacks: Vec<String> = all("keep").iter().map(|w| plain(text(w))).filter(|w| !answer.contains(w)).collect();
        if !shown.is_empty() {
            went_all.too_much.push(format!("{id} {group}: {} shows {shown:?} in {answer:?}", went.status));
        }
        if never.iter().any(|words| proven.contains(words)) {
            went_all.proven_too_much.push(format!("{id} {group}: {} proves too much in {proven:?}", went.status));
        }
        if !lacks.is_empty() {
            went_all.too_little.push(format!("{id} {group}: {} lacks {lacks:?}, has {answer:?}", went.status));
        }
        assert!(went.drafts <= 3, "{id}: {} drafts", went.drafts);
        assert!(went.output.exit.is_some_and(|code| code <= 2), "{id}: {}", went.output);
        if group == "guarded words" {
            let said = format!("{}{}", went.output.stdout, went.output.stderr);
            let leaked: Vec<Value> = all("never").into_iter().filter(|words| said.contains(text(words))).collect();
            assert!(leaked.is_empty(), "{id}: {leaked:?} in {}", went.output);
        }
    }
    went_all
}

/// Something of `never` is shown as a paraphrase beside the words of the notes where no fact denies it.
#[test]
fn conversations_end_as_the_notes_bear_them_out() {
    let All { too_much, proven_too_much, too_little } = all_conversations(false);
    assert_eq!(proven_too_much, Vec::<String>::new());
    assert_eq!(too_little, Vec::<String>::new());
    check_exam("conversations", too_much);
}

#[test]
fn a_strict_answer_says_nothing_that_it_should_not() {
    assert_eq!(all_conversations(true).too_much, Vec::<String>::new());
}
