//! 139 conversations in which the examiner plays the model, written by somebody who had not seen the code.
//!
//! `tests/exam/replies.md` says how they are judged. The figures are floors: they are raised, and never lowered. What is
//! known to go wrong is named, and whoever mends it takes the name out.

use std::collections::BTreeMap;

use memora_testkit::{Fixture, Memora, ModelServer, Output, Say};
use serde_json::Value;

use super::elsewhere;
use crate::support::{example, exported, memora, read};

/// Rows where something of `never` is shown, all for want of a better check of what the cited words say.
const SAYS_TOO_MUCH: &[&str] = &[];

/// Rows where a sentence that should be there is not: the rules refuse a true paraphrase.
const SAYS_TOO_LITTLE: &[&str] = &["r004", "r007", "r008", "r012", "r018", "r029"];

/// Groups in which the check of words against words has no part: nothing of `never` may be shown in any of them.
const NEVER: &[&str] = &[
    "invented id",
    "not offered",
    "cites a handle",
    "mangled marker",
    "drops citations",
    "hides assertion",
    "claims verification",
    "guarded words",
    "endless",
    "transport",
    "refuses",
];

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

fn say(reply: &Value, ids: &[(String, String)]) -> Say {
    if let Some(words) = reply.as_str() {
        return Say::text(ids.iter().fold(words.to_owned(), |words, (name, id)| words.replace(name, id)));
    }
    let number = |key: &str| reply[key].as_u64().unwrap_or_default();
    let fault = reply.as_object().and_then(|fault| fault.keys().next()).map(String::as_str);
    match fault {
        _ if !reply["retry_after"].is_null() => {
            Say::Busy { status: u16::try_from(number("status")).expect("a status"), retry_after: number("retry_after") }
        }
        Some("status") => Say::Status(u16::try_from(number("status")).expect("a status")),
        Some("hang") => Say::Hang,
        Some("bytes") => Say::Bytes(usize::try_from(number("bytes")).expect("a size")),
        Some("half_json") => Say::HalfJson,
        Some("not_utf8") => Say::NotUtf8,
        Some("redirect") => Say::Redirect(text(&reply["redirect"]).to_owned()),
        Some("empty") => Say::Empty,
        Some("not_json") => Say::NotJson(text(&reply["not_json"]).to_owned()),
        Some("wrong_shape") => Say::WrongShape(reply["wrong_shape"].clone()),
        other => panic!("{other:?} is no fault"),
    }
}

/// How one conversation went.
struct Went {
    output: Output,
    status: String,
    /// Each sentence of the answer, plain.
    answer: Vec<String>,
    drafts: usize,
}

fn ask(fixture: &Fixture, memora: &Memora, row: &Value, claims: &[Value], handle: &str) -> Went {
    let mut names = ids(fixture, claims, row);
    names.push(("{handle}".to_owned(), handle.to_owned()));
    names.push(("{unknown}".to_owned(), "7h3kq0v9x2ma".to_owned()));
    let replies = row["replies"].as_array().expect("a list");
    let server = ModelServer::start(replies.iter().map(|reply| say(reply, &names)).collect());
    elsewhere(memora, "openai", &server);
    let output = memora.run(&["ask", text(&row["question"]), "--json"]);
    let report: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    let sentences = report["sentences"].as_array().cloned().unwrap_or_default();
    let status = match output.exit {
        Some(2) => "an error".to_owned(),
        _ => text(&report["status"]).to_owned(),
    };
    // Faults of the transport are tried again within one draft.
    let drafts = usize::try_from(report["drafted"]["drafts"].as_u64().unwrap_or_default()).unwrap_or_default();
    Went { status, answer: sentences.iter().map(|s| plain(text(&s["text"]))).collect(), drafts, output }
}

/// A handle of a guarded claim, as a cloud door is given one.
fn handle(memora: &Memora) -> String {
    let listed = memora.run(&["claims", "--limit", "1000", "--json"]).json();
    let claims = listed["claims"].as_array().cloned().unwrap_or_default();
    let handle = claims.iter().map(|claim| text(&claim["claim"])).find(|id| id.starts_with('~'));
    handle.expect("a public note has guarded claims").to_owned()
}

#[test]
fn conversations_end_as_the_notes_bear_them_out() {
    let fixture = example();
    let memora = memora(&fixture);
    let claims = exported(&memora);
    let handle = handle(&memora);
    let mut table: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let (mut failures, mut too_much, mut too_little) = (Vec::new(), Vec::new(), Vec::new());
    let (mut wanted, mut kept) = (0, 0);
    for row in rows() {
        let (id, group) = (text(&row["id"]).to_owned(), text(&row["misbehaviour"]).to_owned());
        let went = ask(&fixture, &memora, &row, &claims, &handle);
        *table.entry(group.clone()).or_default().entry(went.status.clone()).or_default() += 1;
        let answer = went.answer.join(" ");
        let all = |key: &str| row[key].as_array().cloned().unwrap_or_default();
        let shown: Vec<String> = all("never").iter().map(|w| plain(text(w))).filter(|w| answer.contains(w)).collect();
        let lacks: Vec<String> = all("keep").iter().map(|w| plain(text(w))).filter(|w| !answer.contains(w)).collect();
        wanted += all("keep").len();
        kept += all("keep").len() - lacks.len();
        if !shown.is_empty() {
            failures.push(format!("{id} {group}: {} shows {shown:?} in {answer:?}", went.status));
            too_much.push((id.clone(), group.clone()));
        }
        if !lacks.is_empty() {
            failures.push(format!("{id} {group}: {} lacks {lacks:?}, has {answer:?}", went.status));
            too_little.push(id.clone());
        }
        assert!(went.drafts <= 3, "{id}: {} drafts", went.drafts);
        assert!(went.output.exit.is_some_and(|code| code <= 2), "{id}: {}", went.output);
        if group == "guarded words" {
            let said = format!("{}{}", went.output.stdout, went.output.stderr);
            let leaked: Vec<Value> = all("never").into_iter().filter(|words| said.contains(text(words))).collect();
            assert!(leaked.is_empty(), "{id}: {leaked:?} in {}", went.output);
        }
    }
    let told = format!("{}\n{table:#?}\nkept {kept} of {wanted}", failures.join("\n"));
    let hard: Vec<_> = too_much.iter().filter(|(_, group)| NEVER.contains(&group.as_str())).collect();
    assert!(hard.is_empty(), "{hard:?}\n{told}");
    let too_much: Vec<&str> = too_much.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(too_much, SAYS_TOO_MUCH, "{told}");
    assert_eq!(too_little, SAYS_TOO_LITTLE, "{told}");
}
