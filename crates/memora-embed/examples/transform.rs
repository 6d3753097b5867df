//! Reads lines of standard input, a question, a tab and a passage, and prints their likeness, for comparison with the
//! network as it was trained (`training/compare.py`), and how long it took. An argument names another file of weights.

use std::io::{BufRead as _, Write as _};
use std::time::Instant;

use memora_embed::Transformer;

fn main() -> std::io::Result<()> {
    let transformer = match std::env::args().nth(1) {
        Some(path) => &Transformer::load(std::fs::read(path)?).map_err(std::io::Error::other)?,
        None => Transformer::embedded(),
    };
    let lines: Vec<String> = std::io::stdin().lock().lines().collect::<Result<_, _>>()?;
    let pairs: Vec<(&str, &str)> = lines.iter().filter_map(|line| line.split_once('\t')).collect();
    let began = Instant::now();
    let passages = transformer.encode_passages(&pairs.iter().map(|(_, passage)| *passage).collect::<Vec<_>>());
    let took = began.elapsed();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for ((question, _), passage) in pairs.iter().zip(&passages) {
        writeln!(out, "{:.5}", transformer.encode_query(question).pieces.max_similarity(passage))?;
    }
    writeln!(std::io::stderr(), "{} passages in {took:?}", passages.len())
}
