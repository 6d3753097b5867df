//! How many sentences a second one thread reads: `speed FILE`, with one sentence a line.
//!
//! The time of cutting into tokens is included, that of loading the model is printed for itself. Of several rounds the
//! quickest counts least disturbed by what else the machine does.

#![expect(clippy::print_stdout, reason = "a developers' program")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use memora_nlp::{DependencyParser, tokenize_treebank};

const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("which file?")?;
    let text = std::fs::read_to_string(file)?;
    let start = Instant::now();
    let reader = DependencyParser::embedded();
    println!("loaded in {:.1} ms", start.elapsed().as_secs_f64() * 1000.0);
    for _ in 0..ROUNDS {
        let (mut sentences, mut words_read) = (0, 0);
        let start = Instant::now();
        for line in text.lines() {
            let words: Vec<&str> =
                tokenize_treebank(line, &[]).into_iter().filter_map(|token| line.get(token)).collect();
            let tree = black_box(reader.parse(&words));
            sentences += 1;
            words_read += tree.len();
        }
        let seconds = start.elapsed().as_secs_f64();
        let a_second = |count: usize| count as f64 / seconds;
        println!("{:.0} sentences/s, {:.0} tokens/s", a_second(sentences), a_second(words_read));
    }
    Ok(())
}
