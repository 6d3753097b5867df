//! How many texts a second are embedded: `embed_speed FILE [DATA_FOLDER]`, with one text a line.
//!
//! By the embedder in the program, or, with a folder that has ONNX Runtime and the model, by that. Of several rounds the
//! quickest counts least disturbed by what else the machine does.

#![expect(clippy::print_stdout, reason = "a developers' program")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use memora_embed::{Embedder, FastEmbedder, RuntimePaths, StaticEmbedder, dot, quantize};

const ROUNDS: usize = 5;
const BATCH: usize = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let text = std::fs::read_to_string(arguments.next().ok_or("which file?")?)?;
    let lines: Vec<&str> = text.lines().collect();
    let start = Instant::now();
    let fast;
    let embedder: &dyn Embedder = match arguments.next() {
        Some(data) => {
            fast = FastEmbedder::probe(&RuntimePaths { data: Some(data.into()), ..RuntimePaths::default() })?;
            &fast
        }
        None => StaticEmbedder::embedded(),
    };
    println!("{}\nloaded in {:.2} ms", embedder.id(), start.elapsed().as_secs_f64() * 1e3);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let mut codes = Vec::with_capacity(lines.len() * embedder.dimensions());
        for batch in lines.chunks(BATCH) {
            codes.extend(embedder.embed(batch)?.iter().flat_map(quantize));
        }
        let embedded = start.elapsed().as_secs_f64();
        let start = Instant::now();
        for line in lines.iter().take(BATCH) {
            black_box(embedder.embed_one(line)?);
        }
        let one = start.elapsed().as_secs_f64() / lines.len().min(BATCH) as f64;
        let question = codes.get(..embedder.dimensions()).ok_or("no text")?;
        let scan = || codes.chunks_exact(question.len()).map(|row| dot(black_box(question), row)).max();
        // The second time everything is in a cache, whatever a model has thrown out of it.
        black_box(scan());
        let start = Instant::now();
        black_box(scan());
        let scanned = start.elapsed().as_secs_f64();
        let count = lines.len() as f64;
        println!(
            "{:.0} texts/s in batches, {:.1} µs one alone, {:.1} ns a product of codes",
            count / embedded,
            one * 1e6,
            scanned / count * 1e9
        );
    }
    Ok(())
}
