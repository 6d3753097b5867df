//! Judges rows of `data/entailment`: counts by verdict, label and kind as JSON, and how fast.
//!
//! `rows FILE.jsonl… [--part looked|kept] [--scores] [--show VERDICT true|false [KIND]]`. A row has `said` (words and context each),
//! `sentence`, `good` and `kind`. `--part` takes the two thirds that rules were made on, or the third kept back, by a hash
//! of the passage, so that rows of one passage stay together.

use std::collections::BTreeMap;
use std::time::Instant;

use memora_entail::{Judgement, Premise, judge};
use serde_json::{Value, json};

struct Row {
    words: Vec<(String, Vec<String>)>,
    sentence: String,
    good: bool,
    kind: String,
}

#[allow(clippy::print_stdout)]
fn main() {
    let mut files = Vec::new();
    let (mut part, mut show, mut scores) = (None, None, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--part" => part = arguments.next(),
            "--scores" => scores = true,
            "--show" => {
                show = Some((
                    arguments.next().unwrap_or_default(),
                    arguments.next().unwrap_or_default(),
                    arguments.next(),
                ));
            }
            _ => files.push(argument),
        }
    }
    let rows: Vec<Row> = files.iter().flat_map(|file| read(file)).filter(|row| in_part(row, part.as_deref())).collect();
    let premises: Vec<Vec<Premise>> = rows.iter().map(premises).collect();
    let started = Instant::now();
    let judged: Vec<Judgement> = rows
        .iter()
        .zip(&premises)
        .map(|(row, premises)| judge(&row.sentence, &premises.iter().collect::<Vec<_>>()))
        .collect();
    let seconds = started.elapsed().as_secs_f64();
    if scores {
        for (row, judged) in rows.iter().zip(&judged) {
            println!("{} {} {} {:.4}", row.good, row.kind, judged.verdict(), judged.score());
        }
        return;
    }
    if let Some((verdict, good, kind)) = show {
        for (row, judged) in rows.iter().zip(&judged) {
            let fits = judged.verdict().as_str() == verdict && row.good.to_string() == good;
            if fits && kind.as_ref().is_none_or(|kind| *kind == row.kind) {
                let reasons: Vec<String> =
                    judged.reasons().iter().map(|r| format!("{}:{}", r.kind(), r.explanation())).collect();
                println!("{} {:?}\n  > {}\n  = {}", row.kind, row.words, row.sentence, reasons.join(" | "));
            }
        }
        return;
    }
    let mut cells: BTreeMap<String, BTreeMap<String, BTreeMap<String, usize>>> = BTreeMap::new();
    let mut totals: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let mut reasons: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for (row, judged) in rows.iter().zip(&judged) {
        let (verdict, good) = (judged.verdict().as_str().to_owned(), row.good.to_string());
        *totals.entry(good.clone()).or_default().entry(verdict.clone()).or_default() += 1;
        let first = judged.reasons().first().map(|reason| reason.kind().as_str().to_owned());
        first.into_iter().for_each(|kind| *reasons.entry(good.clone()).or_default().entry(kind).or_default() += 1);
        *cells.entry(good).or_default().entry(verdict).or_default().entry(row.kind.clone()).or_default() += 1;
    }
    let rate = (rows.len() as f64 / seconds).round();
    println!("{}", json!({ "by_verdict": cells }));
    println!(
        "{}",
        json!({ "rows": rows.len(), "totals": totals, "first_reasons": reasons, "sentences_per_second": rate })
    );
}

fn read(file: &str) -> Vec<Row> {
    let text = std::fs::read_to_string(file).expect("a file of rows");
    let row = |line: &str| {
        let value: Value = serde_json::from_str(line).ok()?;
        let texts = |value: &Value| -> Vec<String> {
            value.as_array().into_iter().flatten().filter_map(|t| Some(t.as_str()?.to_owned())).collect()
        };
        let said = |said: &Value| Some((said["words"].as_str()?.to_owned(), texts(&said["context"])));
        Some(Row {
            words: value["said"].as_array()?.iter().filter_map(said).collect(),
            sentence: value["sentence"].as_str()?.to_owned(),
            good: value["good"].as_bool()?,
            kind: value["kind"].as_str().unwrap_or_default().to_owned(),
        })
    };
    text.lines().filter_map(row).collect()
}

fn premises(row: &Row) -> Vec<Premise> {
    row.words.iter().map(|(words, context)| Premise::new(words).with_context(context)).collect()
}

fn in_part(row: &Row, part: Option<&str>) -> bool {
    let Some(part) = part else { return true };
    let first = row.words.first().map_or("", |(words, _)| words.as_str());
    let hash = first
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    ((hash >> 7) % 3 == 0) == (part == "kept")
}
