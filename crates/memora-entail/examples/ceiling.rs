//! How many sentences of rows a proof by rules can reach at all: those whose every word with content, number and date
//! stands in one premise or its context.
//!
//! `ceiling FILE.jsonl… [--part looked|kept]`, for each kind: true ones covered of all, false ones covered of all.

use std::collections::BTreeMap;

use memora_nlp::number::quantities;
use memora_nlp::time::dates;
use memora_nlp::token::{Token, tokenize};
use serde_json::Value;

struct Words {
    tokens: Vec<Token>,
    is_fact: Vec<bool>,
    numbers: Vec<f64>,
    dates: Vec<memora_nlp::time::Date>,
}

fn words(text: &str) -> Words {
    let tokens = tokenize(text);
    let mut is_fact = vec![false; tokens.len()];
    let dates = dates(&tokens);
    dates.iter().for_each(|date| date.tokens.clone().for_each(|at| is_fact[at] = true));
    let quantities = quantities(&tokens, &is_fact);
    quantities.iter().for_each(|quantity| quantity.tokens.clone().for_each(|at| is_fact[at] = true));
    let numbers = quantities.iter().map(|q| q.value * q.unit.map_or(1.0, |unit| unit.factor)).collect();
    Words { tokens, is_fact, numbers, dates }
}

/// How many words, numbers and dates of a sentence a premise and its context lack.
fn missing(sentence: &Words, premise: &[Words]) -> usize {
    let stands = |token: &Token| premise.iter().flat_map(|text| &text.tokens).any(|their| their.stem == token.stem);
    let lacks =
        |at: &usize| !sentence.is_fact[*at] && sentence.tokens[*at].is_content() && !stands(&sentence.tokens[*at]);
    let number =
        |value: &&f64| !premise.iter().flat_map(|text| &text.numbers).any(|their| (their - **value).abs() < 1e-6);
    let date = |date: &&memora_nlp::time::Date| {
        !premise.iter().flat_map(|text| &text.dates).any(|their| date.agrees_with(their))
    };
    (0..sentence.tokens.len()).filter(lacks).count()
        + sentence.numbers.iter().filter(number).count()
        + sentence.dates.iter().filter(date).count()
}

#[allow(clippy::print_stdout)]
fn main() {
    let mut files = Vec::new();
    let (mut part, mut show) = (None, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--part" => part = arguments.next(),
            "--show" => show = arguments.next(),
            _ => files.push(argument),
        }
    }
    let mut kinds: BTreeMap<String, [usize; 6]> = BTreeMap::new();
    for file in files {
        for line in std::fs::read_to_string(file).expect("a file of rows").lines() {
            let Ok(row) = serde_json::from_str::<Value>(line) else { continue };
            let said = row["said"].as_array().cloned().unwrap_or_default();
            let first = said.first().and_then(|said| said["words"].as_str()).unwrap_or_default();
            let hash = first
                .bytes()
                .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            let is_kept = (hash >> 7) % 3 == 0;
            if part.as_deref().is_some_and(|part| (part == "kept") != is_kept) {
                continue;
            }
            let sentence = words(row["sentence"].as_str().unwrap_or_default());
            let premises = said.iter().map(|said| {
                let context = said["context"].as_array().cloned().unwrap_or_default();
                let texts = std::iter::once(&said["words"]).chain(&context);
                texts.filter_map(Value::as_str).map(words).collect::<Vec<_>>()
            });
            let lacks = premises.map(|premise| missing(&sentence, &premise)).min().unwrap_or(usize::MAX);
            let good = row["good"].as_bool().unwrap_or(false);
            if show.as_deref() == Some(if good { "true" } else { "false" }) && lacks == 0 {
                println!("{} {} | {} > {}", row["kind"], first, row["said"][0]["context"], row["sentence"]);
            }
            let kind = row["kind"].as_str().unwrap_or_default().to_owned();
            for key in [kind, "ALL".to_owned()] {
                let counts = kinds.entry(key).or_default();
                let start = if good { 0 } else { 3 };
                counts[start] += 1;
                counts[start + 1] += usize::from(lacks == 0);
                counts[start + 2] += usize::from(lacks == 1);
            }
        }
    }
    for (kind, [good, all, but_one, bad, wrong, wrong_but_one]) in kinds {
        println!(
            "{kind:12} true {good:4} covered {all:3} all but one {but_one:3} | false {bad:4} covered {wrong:3} all but one {wrong_but_one:3}"
        );
    }
}
