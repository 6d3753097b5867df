//! How many texts a second one thread embeds: `embed_speed FILE`, with one text a line.
//!
//! The time of loading the model is printed for itself. Of several rounds the quickest counts least disturbed by what else
//! the machine does.

#![expect(clippy::print_stdout, reason = "a developers' program")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use memora_embed::{StaticEmbedder, dot, quantize};

const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("which file?")?;
    let text = std::fs::read_to_string(file)?;
    let start = Instant::now();
    let embedder = StaticEmbedder::embedded();
    println!("loaded in {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let codes: Vec<Vec<i8>> = text.lines().map(|line| quantize(&embedder.vector(line))).collect();
        let embedded = start.elapsed().as_secs_f64();
        let pieces: usize = text.lines().map(|line| embedder.pieces(line).len()).sum();
        let start = Instant::now();
        let best = codes.iter().map(|other| dot(&codes[0], other)).max();
        black_box(best);
        let scanned = start.elapsed().as_secs_f64();
        let count = codes.len() as f64;
        println!(
            "{:.0} texts/s of {:.1} pieces, {:.1} µs each, {:.1} ns a product of codes",
            count / embedded,
            pieces as f64 / count,
            embedded / count * 1e6,
            scanned / count * 1e9
        );
    }
    Ok(())
}
