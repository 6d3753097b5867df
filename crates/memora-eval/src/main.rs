//! Measures: one subcommand each, paths as arguments, JSON on stdout, progress on stderr.
//!
//! The data lies outside the project and never enters it. There is one set of thresholds, the shipped one.

mod staleness;

use std::io::Write;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "memora-eval", about = "Measures Memora on data kept outside the project")]
struct Args {
    #[command(subcommand)]
    measure: Measure,
}

#[derive(Subcommand)]
enum Measure {
    /// What becomes of spans while a vault is edited
    Staleness {
        /// The vault at the first date
        before: PathBuf,
        /// The vault at the later date
        after: PathBuf,
        /// Each span with its fate, a line each
        fates: PathBuf,
    },
}

fn main() -> anyhow::Result<()> {
    let figures = match Args::parse().measure {
        Measure::Staleness { before, after, fates } => staleness::measure(&before, &after, &fates)?,
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string_pretty(&figures)?)?;
    Ok(())
}
