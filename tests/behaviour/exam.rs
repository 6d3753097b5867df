//! Questions and sentences about the example vault, written by somebody who had not seen the code.
//!
//! The figures are floors: when the program gets better they are raised, and they are never lowered. The files under
//! `tests/exam` are never edited to suit the program, and what fails is told by its id alone, so that whoever mends the
//! program does not read the exam.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::support::{World, places, repository, run, text};

fn exam(name: &str) -> Vec<Value> {
    let lines = fs::read_to_string(repository().join("tests/exam").join(name)).expect("the exam is there");
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn example() -> World {
    World::copy_of(&repository().join("vault-example"))
}

/// Kinds of mistakes that change a fact and keep its looks: not one of them may pass.
const WORST: &[&str] = &["number", "name", "date", "negation", "unit", "direction"];

/// White space folded, so that a line break in a quote is no difference.
fn folded(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Measured over 60 questions, 40 of which have an answer in the vault, by rules, words and meaning:
///
/// | | |
/// |---|---|
/// | answered with an expected quote | 33 of 40, 30 of them first |
/// | answered with something else | 1 (weak) |
/// | said to have no evidence, though there is some | 6, 5 of them marked hard |
/// | without an answer, said so | 15 of 20 |
/// | without an answer, something shown as weak evidence | 4 |
/// | without an answer, something shown as strong evidence | 1 |
#[test]
fn questions_are_answered_from_the_right_place_or_not_at_all() {
    let world = example();
    world.index();
    let mut got: BTreeMap<&str, u32> = BTreeMap::new();
    let mut failures = Vec::new();
    for case in exam("questions.jsonl") {
        let question = text(&case["question"]);
        // The user asks at their own door, where private and secret notes answer too.
        let report = world.json(&["ask", question]);
        let (status, relevance) = (text(&report["status"]), text(&report["relevance"]));
        let claims = report["claims"].as_array().cloned().unwrap_or_default();
        let is_expected = |claim: &Value, want: &Value| {
            claim["place"]["path"] == want["note"]
                && (folded(text(&claim["place"]["quote"])).contains(&folded(text(&want["contains"])))
                    || folded(text(&want["contains"])).contains(&folded(text(&claim["place"]["quote"]))))
        };
        let expected =
            |claim: &Value| case["expect"].as_array().into_iter().flatten().any(|want| is_expected(claim, want));
        let answerable = case["kind"] == "answerable";
        let outcome = match status {
            "no_evidence" if answerable => "answerable: no evidence",
            "no_evidence" => "unanswerable: no evidence",
            _ if answerable && claims.first().is_some_and(expected) => "answerable: expected first",
            _ if answerable && claims.iter().any(expected) => "answerable: expected below",
            _ if answerable => "answerable: something else",
            _ if relevance == "weak" => "unanswerable: weak",
            _ => "unanswerable: strong",
        };
        *got.entry(outcome).or_default() += 1;
        if !matches!(outcome, "answerable: expected first" | "unanswerable: no evidence" | "unanswerable: weak") {
            failures.push(format!("{} {outcome} ({status}, {relevance})", text(&case["id"])));
        }
    }
    let at = |outcome: &str| got.get(outcome).copied().unwrap_or(0);
    let told = format!("{}\n{got:#?}", failures.join("\n"));
    let answered = at("answerable: expected first") + at("answerable: expected below");
    assert!(answered >= 33, "{answered} answered\n{told}");
    assert!(at("answerable: expected first") >= 30, "fewer answers come first\n{told}");
    assert!(at("unanswerable: no evidence") >= 15, "more questions without an answer are answered\n{told}");
    assert!(at("unanswerable: strong") <= 1, "more questions without an answer are answered for sure\n{told}");
}

/// Measured over 60 sentences: of 24 true ones 20 are kept (10 of 10 verbatim, 10 of 14 in other words), of 36 false
/// ones 1: a part taken for the whole. None of the worst kinds is kept.
#[test]
fn sentences_are_judged_by_what_they_cite() {
    let world = example();
    let claims = world.claims();
    let mut kept: BTreeMap<(bool, String), (u32, u32)> = BTreeMap::new();
    let mut failures = Vec::new();
    for case in exam("verify.jsonl") {
        let (note, contains) = (text(&case["cite"]["note"]), folded(text(&case["cite"]["contains"])));
        let holds = |claim: &&Value| {
            places(claim).any(|place| place["path"] == note && folded(text(&place["quote"])).contains(&contains))
        };
        let id = text(&case["id"]);
        let Some(claim) = claims.iter().find(holds) else {
            failures.push(format!("{id}: nothing in {note} is {contains:?}"));
            continue;
        };
        let draft = format!("{} [claim:{}]", text(&case["sentence"]), text(&claim["claim"]));
        let report = run(world.command(&["verify", "--json"]), &draft).json();
        let is_kept = matches!(text(&report["status"]), "verified" | "quoted");
        let good = case["good"] == true;
        let count = kept.entry((good, text(&case["kind"]).to_owned())).or_default();
        count.0 += u32::from(is_kept);
        count.1 += 1;
        if is_kept != good {
            failures.push(format!("{id}, {}: kept {is_kept}", text(&case["kind"])));
        }
    }
    let told = failures.join("\n");
    assert_eq!(kept.values().map(|(_, all)| all).sum::<u32>(), 60, "every case was judged\n{told}");
    let false_kept = |worst: bool| {
        let is_worst = |kind: &str| WORST.contains(&kind);
        let counted = kept.iter().filter(|((good, kind), _)| !good && is_worst(kind) == worst);
        counted.map(|(_, (kept, _))| kept).sum::<u32>()
    };
    assert_eq!(false_kept(true), 0, "a false sentence of the worst kinds was kept\n{told}");
    assert!(false_kept(false) <= 1, "{} false sentences were kept\n{told}", false_kept(false));
    let true_kept: u32 = kept.iter().filter(|((good, _), _)| *good).map(|(_, (kept, _))| kept).sum();
    assert!(true_kept >= 20, "{true_kept} true sentences were kept\n{told}");
}
