//! How many statements a second one thread draws claims out of: `speed FOLDER`, with a vault of markdown.
//!
//! Reading the files and cutting them into statements is not counted; loading the model is printed for itself. Of several
//! rounds the quickest counts, least disturbed by what else the machine does.
#![expect(clippy::print_stdout, reason = "a developers' program")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use memora_claim::{Statement, StatementKind, split_statements};
use memora_extract::ClaimExtractor;
use memora_nlp::DependencyParser;
use memora_vault::{Note, PlaceRules, Vault};

const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("which folder?")?;
    let vault = Vault::open(std::path::Path::new(&folder), &PlaceRules::default())?;
    let mut work: Vec<(Note, Vec<Statement>)> = Vec::new();
    for found in vault.walk().notes {
        let Ok(text) = vault.read_note(&found.path) else { continue };
        let (note, _) = Note::parse(found.path.clone(), text, found.place);
        let cut = split_statements(&note);
        work.push((note, cut));
    }
    let start = Instant::now();
    black_box(DependencyParser::embedded().parse(&["warm"]));
    println!("model loaded in {:.0} ms", start.elapsed().as_secs_f64() * 1000.0);
    let prose = |s: &&Statement| matches!(s.kind, StatementKind::Item | StatementKind::Sentence);
    let count: usize = work.iter().map(|(_, cut)| cut.iter().filter(prose).count()).sum();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let mut claims = 0;
        for (note, cut) in &work {
            for statement in cut.iter().filter(prose) {
                claims += black_box(ClaimExtractor::default().extract_claims(note, statement)).len();
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("{count} sentences and items, {claims} claims: {:.0} a second", count as f64 / seconds);
    }
    Ok(())
}
