//! Evaluation commands: one subcommand per measure, paths as arguments, JSON on stdout, progress on stderr.
//!
//! The data lies outside the project and is never copied into it. All measures use the one shipped set of thresholds.

mod candidates;
mod claims;
mod contradictions;
mod cranfield;
mod dates;
mod edits;
mod graded_readings;
mod indexed_vault;
mod lists;
mod memory;
mod memory_preferences;
mod memory_recall;
mod memory_updates;
mod mutations;
mod openie;
mod overtaken;
mod passages;
mod questions;
mod quotations;
mod repo_rows;
mod retrieval;
mod search;
mod sentences;
mod staleness;
mod support;
mod timeline;
mod tools;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "memora-eval",
    about = "Measures Memora against labels: those of tests/exam, and public data kept outside the project"
)]
struct Args {
    #[command(subcommand)]
    measure: Measure,
}

#[derive(Subcommand)]
enum Measure {
    /// What the first stage finds for questions, a line each, for training the second
    Candidates {
        /// Questions by reference, as in `tests/exam/real`
        questions: PathBuf,
        /// A folder with a folder `owner+name` for each repository
        vaults: PathBuf,
        /// How many of each question
        #[arg(long, default_value_t = 200)]
        limit: usize,
        /// With what the transformer makes of those that it reads, for fitting the weights
        #[arg(long)]
        read: bool,
    },
    /// Timelines of names: dated statements about each, and those of others
    Timeline {
        /// A folder with a folder `owner+name` for each repository
        vaults: PathBuf,
        /// Names with their dated statements, a line each, as in `tests/exam/timeline`
        labels: PathBuf,
        /// Print what is missed, and what is another's
        #[arg(long)]
        failures: bool,
    },
    /// Contradictions and changes planted into vaults: which are found, and what is reported besides
    Contradictions {
        /// A folder with a folder `owner+name` for each repository
        vaults: PathBuf,
        /// Planted notes, a line each, as in `tests/exam/planted`
        planted: PathBuf,
        /// Print each row that is missed or wrongly reported, and each pair of the owners' words
        #[arg(long)]
        failures: bool,
    },
    /// Memories: which are held, refused, taken for repetitions or new values, and found again
    Memory {
        /// A folder of rows, as `tests/exam/memory`
        rows: PathBuf,
        /// Which half: `dev`, or `held`
        #[arg(long, default_value = "dev")]
        half: String,
        /// A folder with a folder `owner+name` for each repository, for the rows about notes
        #[arg(long)]
        vaults: Option<PathBuf>,
        /// Print each row that is answered otherwise than was expected
        #[arg(long)]
        failures: bool,
    },
    /// Conversations as memories: which turns a question finds, by salience and by relevance, and which a session begins with
    MemoryRecall {
        /// queries.jsonl, turns.jsonl
        dir: PathBuf,
        /// How they are remembered; all ways without it
        #[arg(long = "as", value_enum)]
        ways: Vec<memory_recall::RememberedAs>,
        /// Only these conversations, by name
        #[arg(long = "conversation", value_name = "NAME")]
        conversations: Vec<String>,
        /// Lay out a block for each question as its task, too
        #[arg(long)]
        blocks: bool,
    },
    /// Preferences in one memory: which are kept, found by a later question, and there a year later
    MemoryPreferences {
        /// JSON files, each a list of preferences with a question
        dir: PathBuf,
        /// Only so many
        #[arg(long)]
        limit: Option<usize>,
        /// Print each that is not simply saved, or is gone later
        #[arg(long)]
        failures: bool,
    },
    /// Preferences that change: whether the older ones end, and no others
    MemoryUpdates {
        /// A person a line, with the changes
        file: PathBuf,
        /// Only so many people
        #[arg(long)]
        people: Option<usize>,
        /// Print each change that is taken for a repetition, or ends another memory
        #[arg(long)]
        failures: bool,
    },
    /// Abstracts ranked for queries: the classic collection, as notes
    Cranfield {
        /// cran.all.1400.xml, cran.qry.xml, cranqrel.trec.txt
        dir: PathBuf,
        #[command(flatten)]
        ways: indexed_vault::SearchSetup,
    },
    /// Which day an event was, out of a sentence and the date of its note
    Dates {
        /// Evidence, note date and gold interval, a line each
        file: PathBuf,
    },
    /// Which statements a newer one ends by its words of change: `label<tab>older<tab>newer`, or planted changes as in
    /// `tests/exam/changes`
    Overtaken {
        /// The pairs
        file: PathBuf,
        /// A folder with a folder `owner+name` for each repository
        #[arg(long)]
        vaults: Option<PathBuf>,
        /// Print every pair
        #[arg(long)]
        pairs: bool,
    },
    /// Edits of numbers: which are proposed as a change of what holds
    Edits {
        /// Old and new text with a label, a line each
        file: PathBuf,
    },
    /// Claims of labelled notes: precision and recall, exact up to determiners and inflection; or graded readings of vaults
    Claims {
        /// Notes with the claims one would want, or graded readings by reference, a line each
        labels: PathBuf,
        /// For graded readings: a folder with a folder `owner+name` for each repository
        #[arg(long)]
        vaults: Option<PathBuf>,
        /// Print what is seen of each graded reading, for fitting
        #[arg(long, requires = "vaults")]
        traits: bool,
        /// Print each claim that is wrong or missing
        #[arg(long)]
        failures: bool,
    },
    /// True sentences of a vault in other words, and false ones: how many are judged wrongly, by kind
    Mutations {
        /// Any vault
        vault: PathBuf,
        #[command(flatten)]
        options: mutations::MutationOptions,
    },
    /// Tuples of sentences, tab separated, for a scorer of open information extraction
    Openie {
        /// Sentences, one a line, their tokens parted by spaces
        sentences: PathBuf,
    },
    /// Questions in owners' words over one vault: how often the passages that come nearest hold the answer, in how many bytes
    Passages {
        /// The vault
        vault: PathBuf,
        /// Question, tab, words that an answer holds, or `-`; a line each
        questions: PathBuf,
        /// Print each question whose answer is not shown
        #[arg(long)]
        failures: bool,
    },
    /// Questions in owners' words over one vault: how often the answer is first, and whether likely and nearest deserve the words
    Questions {
        /// The vault
        vault: PathBuf,
        /// Question, tab, words that an answer holds, or `-`; a line each
        questions: PathBuf,
        #[command(flatten)]
        ways: indexed_vault::SearchSetup,
        /// Print each question that was not answered as it should be
        #[arg(long)]
        failures: bool,
    },
    /// Turns of conversations found for questions: recall, overall and by category
    Retrieval {
        /// vault/, queries.jsonl, turns.jsonl
        dir: PathBuf,
        /// Among which notes
        #[arg(long, value_enum, default_value = "conversation")]
        scope: retrieval::RetrievalScope,
        #[command(flatten)]
        ways: indexed_vault::SearchSetup,
        /// Print recall at 10 of each question
        #[arg(long)]
        each: bool,
    },
    /// Questions put to vaults: how far up the answers stand, and whether "no evidence" is said where there is none
    Search {
        /// Questions with their answers, a line each
        questions: PathBuf,
        /// Where a vault lies that the questions name: NAME=FOLDER, several
        #[arg(long = "vault", value_name = "NAME=FOLDER", required = true)]
        vaults: Vec<String>,
        #[command(flatten)]
        ways: indexed_vault::SearchSetup,
        /// Print each question that failed
        #[arg(long)]
        failures: bool,
    },
    /// Every statement of a vault as `text [claim:id]`: how many are one sentence, and quoted
    Quotations {
        /// The vault
        vault: PathBuf,
        /// Print each statement that is judged otherwise
        #[arg(long)]
        failures: bool,
    },
    /// Sentences that are or are not what their sources say: how many are judged wrongly, by kind
    Sentences {
        /// Sentences with the places they cite, or with the words they rest on, a line each
        sentences: PathBuf,
        /// The vault whose places they cite
        #[arg(long)]
        vault: Option<PathBuf>,
        /// The folder with public vaults that they cite by reference, each as `owner+name`
        #[arg(long)]
        vaults: Option<PathBuf>,
        /// Print each true sentence that is refused, and each false one that is proven
        #[arg(long)]
        failures: bool,
    },
    /// What becomes of spans while a vault is edited
    Staleness {
        /// The vault at the first date
        before: PathBuf,
        /// The vault at the later date
        after: PathBuf,
        /// Each span with its fate, a line each
        fates: PathBuf,
    },
    /// Whether sentences are taken for what public evidence says
    Support {
        /// Whose labels
        #[arg(value_enum)]
        data: support::SupportDataset,
        /// Sentences with their evidence
        file: PathBuf,
        /// Print each sentence that is judged wrongly
        #[arg(long)]
        failures: bool,
    },
    /// What the list of the agent's tools costs, in bytes
    Tools,
}

fn main() -> anyhow::Result<()> {
    let figures = match Args::parse().measure {
        Measure::Candidates { questions, vaults, limit, read } => {
            Ok(candidates::export_json_lines(&questions, &vaults, limit, read)?)
        }
        Measure::Claims { labels, vaults: Some(vaults), traits: true, .. } => {
            Ok(graded_readings::export_traits(&labels, &vaults)?)
        }
        Measure::Claims { labels, vaults: Some(vaults), .. } => {
            serde_json::to_string_pretty(&graded_readings::measure(&labels, &vaults)?)
        }
        Measure::Claims { labels, failures, .. } => serde_json::to_string_pretty(&claims::measure(&labels, failures)?),
        Measure::Timeline { vaults, labels, failures } => {
            serde_json::to_string_pretty(&timeline::measure(&vaults, &labels, failures)?)
        }
        Measure::Contradictions { vaults, planted, failures } => {
            serde_json::to_string_pretty(&contradictions::measure(&vaults, &planted, failures)?)
        }
        Measure::Memory { rows, half, vaults, failures } => {
            serde_json::to_string_pretty(&memory::measure(&rows, &half, vaults.as_deref(), failures)?)
        }
        Measure::MemoryRecall { dir, ways, conversations, blocks } => {
            serde_json::to_string_pretty(&memory_recall::measure(&dir, &ways, &conversations, blocks)?)
        }
        Measure::MemoryPreferences { dir, limit, failures } => {
            serde_json::to_string_pretty(&memory_preferences::measure(&dir, limit, failures)?)
        }
        Measure::MemoryUpdates { file, people, failures } => {
            serde_json::to_string_pretty(&memory_updates::measure(&file, people, failures)?)
        }
        Measure::Cranfield { dir, ways } => serde_json::to_string_pretty(&cranfield::measure(&dir, &ways)?),
        Measure::Dates { file } => serde_json::to_string_pretty(&dates::measure(&file)?),
        Measure::Overtaken { file, vaults, pairs } => {
            serde_json::to_string_pretty(&overtaken::measure(&file, vaults.as_deref(), pairs)?)
        }
        Measure::Edits { file } => serde_json::to_string_pretty(&edits::measure(&file)?),
        Measure::Mutations { vault, options } => serde_json::to_string_pretty(&mutations::measure(&vault, &options)?),
        Measure::Openie { sentences } => Ok(openie::measure(&sentences)?),
        Measure::Questions { vault, questions, ways, failures } => {
            serde_json::to_string_pretty(&questions::measure(&vault, &questions, &ways, failures)?)
        }
        Measure::Passages { vault, questions, failures } => {
            serde_json::to_string_pretty(&passages::measure(&vault, &questions, failures)?)
        }
        Measure::Tools => serde_json::to_string_pretty(&tools::measure()?),
        Measure::Quotations { vault, failures } => {
            serde_json::to_string_pretty(&quotations::measure(&vault, failures)?)
        }
        Measure::Retrieval { dir, scope, ways, each } => {
            serde_json::to_string_pretty(&retrieval::measure(&dir, scope, &ways, each)?)
        }
        Measure::Search { questions, vaults, ways, failures } => {
            serde_json::to_string_pretty(&search::measure(&questions, &vaults, &ways, failures)?)
        }
        Measure::Sentences { sentences, vault, vaults, failures } => serde_json::to_string_pretty(&sentences::measure(
            &sentences,
            vault.as_deref(),
            vaults.as_deref(),
            failures,
        )?),
        Measure::Staleness { before, after, fates } => {
            serde_json::to_string_pretty(&staleness::measure(&before, &after, &fates)?)
        }
        Measure::Support { data, file, failures } => {
            serde_json::to_string_pretty(&support::measure(data, &file, failures)?)
        }
    }?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", figures.trim_end())?;
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "counts of rows and spans are far below 2^52")]
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Parses a file with one JSON value per line.
fn read_json_lines<T: serde::de::DeserializeOwned>(path: &std::path::Path) -> anyhow::Result<Vec<T>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    text.lines()
        .enumerate()
        .map(|(at, line)| serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), at + 1)))
        .collect()
}
