//! Prints the claims of each line of standard input, read as a list item of a note, and the tree they come from.
//!
//! ```text
//! echo "room booked, Anna brings the cake" | cargo run -p memora-extract --example read
//! ```

use std::io::{self, BufRead, Write};

use memora_claim::split_statements;
use memora_extract::ClaimExtractor;
use memora_nlp::{DependencyParser, tokenize_treebank};
use memora_vault::{Note, NotePath, PathContext};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = tokenize_treebank(&line, &[]).into_iter().filter_map(|range| line.get(range)).collect();
        let tree = DependencyParser::embedded().parse(&words);
        for i in 0..tree.len() {
            let head = tree.head(i).map_or("-", |head| tree.word(head));
            let (upos, xpos, label) = (tree.upos(i).name(), tree.xpos(i).name(), tree.label(i).name());
            writeln!(out, "  {:12} {upos:5} {xpos:4} {label:12} {head}", tree.word(i))?;
        }
        let Ok(path) = NotePath::new("Title.md") else { continue };
        let (note, _) = Note::parse(path, format!("- {line}\n"), PathContext::default());
        for statement in split_statements(&note) {
            for claim in ClaimExtractor::default().extract_claims(&note, &statement) {
                let (subject, modality) = (claim.subject_or_title(note.title()), claim.modality.as_str());
                let denied = if claim.negated { " denied" } else { "" };
                let beside = claim.qualifiers.join("; ");
                writeln!(
                    out,
                    "{}{subject} | {} | {} [{beside}] {modality}{denied} {:.2} {} {:?} {:?} {}",
                    if claim.listed { "* " } else { "" },
                    claim.predicate,
                    claim.object,
                    claim.confidence,
                    claim.phase.as_str(),
                    claim.holds.from.map(|when| when.to_string()),
                    claim.holds.until.map(|when| when.to_string()),
                    claim.relation.as_deref().unwrap_or_default(),
                )?;
            }
        }
    }
    Ok(())
}
