//! Notes that instruct, forge and launder: the exam of `tests/exam/injection`, whose README is the contract.
//!
//! - [`acts`]: the vault of a row, and its act over the real program
//! - [`expectations`]: the fields of `expect`
//! - [`sentences`]: which lines of a draft were kept
//!
//! What some rows of `dev` print: `MEMORA_INJECTION_ROWS="inj-002 inj-003" cargo test --test integration injection -- --nocapture`.
//!
//! Half of the rows are held out: of those that fail nothing is printed but kind and field. The failures that are known are
//! counted in [`KNOWN`], exactly, so that the test fails for each one that is new and each one that is mended.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::support::read;

mod acts;
mod expectations;
mod sentences;

/// Rows of a kind that fail, of the half that may be read and of the half that is held out.
const KNOWN: &[(&str, usize, usize)] = &[
    ("guards", 0, 0),
    ("launders", 0, 0),
    ("instructs", 0, 0),
    ("forges", 0, 0),
    ("disguises", 0, 0),
    ("paths", 0, 2),
    ("honest", 0, 1),
];

/// Rows that are not built, of each half.
const NOT_BUILT: [usize; 2] = [1, 0];

/// Rows that contradict the documentation, struck in the README.
const STRUCK: &[&str] = &[];

const HALVES: [&str; 2] = ["dev", "held"];

/// Rows are run at the same time: most of a row is starting processes and waiting for them.
const THREADS: usize = 12;

/// A line of `rows.jsonl`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    half: String,
    kind: String,
    #[serde(rename = "trick")]
    _trick: String,
    notes: Vec<NoteFile>,
    #[serde(default)]
    outside: Vec<TextFile>,
    #[serde(default)]
    before: Vec<Act>,
    act: Act,
    expect: Expectations,
}

/// A note of a row.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoteFile {
    path: String,
    text: String,
    captured: bool,
}

/// A file outside the vault, or other words for a note.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TextFile {
    path: String,
    text: String,
}

/// What is done.
#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Act {
    Tool {
        tool: String,
        arguments: Map<String, Value>,
    },
    Resource {
        resource: String,
    },
    Method {
        method: String,
    },
    CommandLine {
        cli: Vec<String>,
        #[serde(default)]
        stdin: String,
    },
}

/// What must hold of the output.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Expectations {
    absent: Vec<String>,
    present: Vec<String>,
    not_verified: Vec<usize>,
    verified: Vec<usize>,
    one_document: bool,
    markers_only_of_result: bool,
    no_control_characters: bool,
    captured_not_owner: bool,
    no_new_note: bool,
    outside_untouched: bool,
    same_with: Vec<TextFile>,
}

/// What became of a row.
#[derive(Debug)]
enum Outcome {
    Passed,
    /// The fields that do not hold.
    Failed(BTreeSet<&'static str>),
    NotBuilt(&'static str),
}

impl Outcome {
    /// Whether a true answer is missing, and nothing else is wrong.
    fn is_refusal(fields: &BTreeSet<&'static str>) -> bool {
        fields.iter().all(|field| matches!(*field, "present" | "verified"))
    }
}

#[expect(clippy::print_stdout, reason = "what a row prints is read by hand")]
fn run_row(row: &Row, translated: &mut BTreeSet<String>) -> Outcome {
    let mut run = || -> Result<Outcome, &'static str> {
        let scene = acts::Scene::build(row, &[])?;
        let Some(output) = scene.play(row, translated)? else { return Ok(Outcome::Failed(["no answer"].into())) };
        let mut failed = expectations::failures(row, &scene, &output);
        if std::env::var_os("MEMORA_INJECTION_ROWS").is_some() {
            println!("{}: {}", row.id, output.printed);
        }
        if !row.expect.same_with.is_empty() {
            // Both are read ahead to the end: what a deadline cuts off on a busy machine would differ by chance.
            let mut play = |instead| {
                let scene = acts::Scene::build(row, instead)?;
                scene.read_ahead();
                let output = scene.play(row, translated)?;
                Ok::<_, &str>(output.map(|output| output.masked()))
            };
            let (own, other) = (play(&[])?, play(&row.expect.same_with)?);
            if own.is_none() || own != other {
                failed.insert("same_with");
            }
        }
        Ok(if failed.is_empty() { Outcome::Passed } else { Outcome::Failed(failed) })
    };
    match catch_unwind(AssertUnwindSafe(&mut run)) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(reason)) => Outcome::NotBuilt(reason),
        Err(_) => Outcome::Failed(["crash"].into()),
    }
}

/// Runs all rows; their outcomes in order, and the arguments of tools that were not sent as they stand or are not known.
fn run_rows(rows: &[Row]) -> (Vec<Outcome>, BTreeSet<String>) {
    let next = AtomicUsize::new(0);
    let mut all: Vec<(usize, Outcome)> = Vec::new();
    let mut translated = BTreeSet::new();
    thread::scope(|scope| {
        let work = || {
            let (mut outcomes, mut translated) = (Vec::new(), BTreeSet::new());
            while let number = next.fetch_add(1, Ordering::Relaxed)
                && let Some(row) = rows.get(number)
            {
                outcomes.push((number, run_row(row, &mut translated)));
            }
            (outcomes, translated)
        };
        let workers: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            let (outcomes, arguments) = worker.join().expect("a row's panic is caught");
            all.extend(outcomes);
            translated.extend(arguments);
        }
    });
    all.sort_by_key(|(number, _)| *number);
    (all.into_iter().map(|(_, outcome)| outcome).collect(), translated)
}

/// The rows of a half with what became of them.
fn half<'r>(half: &str, rows: &'r [Row], outcomes: &'r [Outcome]) -> Vec<(&'r Row, &'r Outcome)> {
    rows.iter().zip(outcomes).filter(|(row, _)| row.half == half).collect()
}

/// Failures first, by kind, then by field; ids only of what may be read.
#[expect(clippy::print_stdout, reason = "the report is read")]
fn report(name: &str, half: &[(&Row, &Outcome)]) {
    let mut fields: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (kind, ..) in KNOWN {
        let of_kind: Vec<_> = half.iter().filter(|(row, _)| row.kind == *kind).collect();
        let (mut attacks, mut refusals) = (0, 0);
        for (row, outcome) in &of_kind {
            let Outcome::Failed(failed) = outcome else { continue };
            let is_refusal = row.kind == "honest" || Outcome::is_refusal(failed);
            *if is_refusal { &mut refusals } else { &mut attacks } += 1;
            for field in failed {
                fields.entry(field).or_default().push(if row.half == "dev" { &row.id } else { &row.kind });
            }
        }
        println!("{name} {kind}: {attacks} got through, {refusals} true answers refused, of {}", of_kind.len());
    }
    for (field, rows) in fields {
        println!("{name} {field}: {}", rows.join(" "));
    }
    for (row, outcome) in half {
        let Outcome::NotBuilt(reason) = outcome else { continue };
        println!("{name} not built ({}): {reason}", if row.half == "dev" { &row.id } else { &row.kind });
    }
    let passed = half.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Passed)).count();
    println!("{name}: {passed} of {} passed", half.len());
}

#[test]
#[expect(clippy::print_stdout, reason = "the report is read")]
fn no_note_instructs_forges_or_launders() {
    let mut rows: Vec<Row> = read("tests/exam/injection/rows.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row"))
        .collect();
    assert_eq!(rows.len(), 174);
    rows.retain(|row| !STRUCK.contains(&row.id.as_str()));
    if let Ok(only) = std::env::var("MEMORA_INJECTION_ROWS") {
        rows.retain(|row| row.half == "dev" && only.contains(&row.id));
    }
    let (outcomes, translated) = run_rows(&rows);
    let (mut counts, mut not_built) = (BTreeMap::new(), Vec::new());
    for name in HALVES {
        let half = half(name, &rows, &outcomes);
        report(name, &half);
        for (row, _) in half.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Failed(_))) {
            *counts.entry((row.kind.as_str(), name)).or_insert(0) += 1;
        }
        not_built.push(half.iter().filter(|(_, outcome)| matches!(outcome, Outcome::NotBuilt(_))).count());
    }
    println!("arguments: {}", translated.into_iter().collect::<Vec<_>>().join(", "));
    let of = |kind, half| counts.get(&(kind, half)).copied().unwrap_or(0);
    let failed: Vec<_> = KNOWN.iter().map(|&(kind, ..)| (kind, of(kind, "dev"), of(kind, "held"))).collect();
    assert_eq!(failed, KNOWN, "rows that fail, by kind and half");
    assert_eq!(not_built, NOT_BUILT, "rows that could not be built, by half");
}

/// A row on two notes, as JSON, of this act and these expectations.
fn control(act: Value, expect: Value) -> Row {
    let notes = json!([
        {"path": "Quince.md", "text": "The quince was planted in 2016. Its fruit weighs 400 grams.\n", "captured": true},
        {"path": "Pond.md", "text": "The pond is two metres deep. Its \u{202e}liner\u{202c} was laid in 2019.\n", "captured": false},
    ]);
    let row = json!({"id": "control", "half": "dev", "kind": "control", "trick": "", "notes": notes, "act": act, "expect": expect});
    serde_json::from_value(row).expect("a row")
}

#[test]
fn each_field_of_the_exam_can_fail() {
    let search = || json!({"tool": "memora_search", "arguments": {"query": "when the quince was planted"}});
    let verify = |cited: &str| {
        let text = format!("The quince was planted in 2016 [claim:{cited}].\n");
        json!({"tool": "memora_verify", "arguments": {"text": text}})
    };
    let capture = json!({"tool": "memora_capture", "arguments": {"title": "Quince", "text": "Nothing is cited here."}});
    let other = json!([{"path": "Pond.md", "text": "The quince was planted by the pond.\n"}]);
    for (field, act, expected) in [
        ("absent", search(), json!(["planted in 2016"])),
        ("present", search(), json!(["planted in 2017"])),
        ("not_verified", verify("{id:Quince.md#0}"), json!([0])),
        ("verified", verify("7h3kq0v9x2ma"), json!([0])),
        ("one_document", json!({"cli": ["search", "quince"]}), json!(true)),
        ("markers_only_of_result", verify("7h3kq0v9x2ma"), json!(true)),
        (
            "no_control_characters",
            json!({"cli": ["verify", "--fix=mark"], "stdin": "Nothing \u{202e}is cited.\n"}),
            json!(true),
        ),
        // As the row says, not as the note does.
        ("captured_not_owner", search(), json!(true)),
        ("no_new_note", capture, json!(true)),
        ("same_with", search(), other),
    ] {
        let outcome = run_row(&control(act, json!({field: expected})), &mut BTreeSet::new());
        assert!(matches!(&outcome, Outcome::Failed(fields) if *fields == [field].into()), "{field}: {outcome:?}");
    }
    // Asked of every row, and no field of the contract: words of the note that a file outside has as well.
    let mut outside = control(search(), json!({}));
    outside.outside.push(TextFile { path: "quince.md".to_owned(), text: "The quince was planted in 2016.".to_owned() });
    let outcome = run_row(&outside, &mut BTreeSet::new());
    assert!(matches!(&outcome, Outcome::Failed(fields) if *fields == ["outside_unread"].into()), "{outcome:?}");
    let proven = control(verify("{id:Quince.md#0}"), json!({"verified": [0], "one_document": true}));
    let outcome = run_row(&proven, &mut BTreeSet::new());
    assert!(matches!(outcome, Outcome::Passed), "{outcome:?}");
}
