//! The command line and its help.
#![allow(rustdoc::broken_intra_doc_links, reason = "doc comments are the help here, and [claim:id] is no link")]

mod browse;
mod find;
mod hook;
mod index;
mod lsp;
mod mcp;
mod memory;
mod onboarding;
mod privacy;
#[cfg(test)]
mod reference;
mod review;
mod text;
mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use browse::Browse;
pub(crate) use find::{Ask, Claims, Entity, Filters, Search, SearchFormat, Why};
pub(crate) use hook::{Hook, HookCommand, HookInstall, HookRun};
pub(crate) use index::{
    Doctor, Embedder, EmbedderCommand, Export, Extract, FetchArgs, Index, InstallEmbedder, Reset, Watch,
};
pub(crate) use lsp::Lsp;
pub(crate) use mcp::{Mcp, McpCommand, McpInstall, MemoryUse};
pub(crate) use memory::{
    BridgeCommand, BridgeMemory, ConsolidateMemory, ExportMemory, ImportMemory, Memory, MemoryCommand, ReadMemory,
    SaveMemory, SearchMemory, UpdateMemory, WriteMemory,
};
pub(crate) use onboarding::{Completions, Init, Man};
pub(crate) use privacy::{Audit, Egress, ModelLocality, Privacy, PrivacyCommand};
pub(crate) use review::{Changes, Contradictions, Keep, Restore, Retract, Review, Stale};
pub(crate) use text::{Capture, FailOn, FixMode, InputKind, OutputFormat, StrictMode, Verify};
pub(crate) use values::{ArgumentError, DecidedId};

/// Verifiable memory for an Obsidian vault: cite it or it didn't happen
///
/// Reads the notes of a vault, answers questions in their own words, and re-reads every cited place before it is shown.
/// Nothing is written into the vault except a line of .memora/decisions.jsonl when you decide something, a new note
/// when you capture one or have a review written, and agents' memory in a folder of its own.
#[derive(Parser)]
#[command(name = "memora", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Args, Clone)]
pub(crate) struct GlobalArgs {
    /// The vault's folder; by default this folder or the nearest above it that has .obsidian
    #[arg(long, global = true, env = "MEMORA_VAULT", value_name = "FOLDER")]
    pub(crate) vault: Option<PathBuf>,
    /// Print JSON, in the shapes published under schemas/
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Who may read the output. Default: local (everything) in a terminal, cloud (guarded text withheld) in a pipe, a file or another program
    #[arg(long, global = true, env = "MEMORA_DOOR", value_name = "DOOR")]
    pub(crate) door: Option<DoorChoice>,
    /// Where to keep the index, instead of the platform's data folder
    #[arg(long, global = true, env = "MEMORA_STATE_DIR", value_name = "FOLDER", hide = true, hide_env = true)]
    pub(crate) state_dir: Option<PathBuf>,
    /// Where the user's configuration lies, instead of the platform's folder
    #[arg(long, global = true, env = "MEMORA_CONFIG_DIR", value_name = "FOLDER", hide = true, hide_env = true)]
    pub(crate) config_dir: Option<PathBuf>,
    /// The day that "today" means in a question, as YYYY-MM-DD
    #[arg(long, global = true, env = "MEMORA_TODAY", value_name = "DAY", hide = true)]
    pub(crate) today: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DoorChoice {
    /// Only you read the output: show guarded text too
    Local,
    /// Withhold guarded text, on a terminal too
    Cloud,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Set up on your vault: three questions, the first index, and what to try
    ///
    /// If no vault is named or found from here upward, it offers those that Obsidian lists in its settings.
    Init(Init),
    /// See in seconds what Memora does, on an example vault; yours is not touched
    Demo,
    /// Bring the index up to date, and report what was not read and what is odd
    Index(index::Index),
    /// Answer a question in the notes' own words, with citations that were re-read
    Ask(Ask),
    /// List the statements that match some words, best first
    Search(Search),
    /// Judge a text by what it cites, sentence by sentence: claims, footnotes, links to notes, quotations
    Verify(Verify),
    /// List claims, by note and place
    Claims(Claims),
    /// Explain a claim: its places, when it was first seen, what became of it
    Why(Why),
    /// Show claims about a person or thing, under all its names
    Entity(Entity),
    /// List contradicting claims, undecided ones first
    Contradictions(Contradictions),
    /// List sentences that cite claims which no longer hold
    Stale(Stale),
    /// List newer statements beside the older ones that they may overtake
    Changes(Changes),
    /// Review the vault: stale, contradicting and aging claims, with a question about each
    #[command(visible_alias = "challenge")]
    Review(Review),
    /// Decide that a claim holds, over those that contradict it, or confirm a memory
    Keep(Keep),
    /// Retract a claim: it no longer counts; the note is not changed
    Retract(Retract),
    /// Undo a decision about a claim
    Restore(Restore),
    /// Write a text into a new note, if what it cites supports it; never overwrites a note
    Capture(Capture),
    /// Remember things for agents, as notes in a folder of the vault
    Memory(Memory),
    /// Answer an agent program's events: what is remembered at a session's start, what was done at its end
    Hook(Hook),
    /// Have a language model propose claims that the rules miss, and keep those that the notes support
    Extract(Extract),
    /// Show the state of vault and index, and the notes by privacy band
    Status,
    /// Check index, settings and notes, and say how to fix what fails
    Doctor(Doctor),
    /// Print every claim with its places, a line of JSON each
    Export(Export),
    /// Show the embedding model in use; install or choose another
    Embedder(Embedder),
    /// Show which notes are guarded and why, what a model may see, and what left this machine
    Privacy(Privacy),
    /// Keep the index fresh, until Ctrl-C or SIGTERM
    Watch(Watch),
    /// Show answers beside their evidence in your browser, from this machine, until Ctrl-C
    Browse(Browse),
    /// Serve an editor over standard input and output, by the Language Server Protocol
    Lsp(Lsp),
    /// Serve an agent over standard input and output, by the Model Context Protocol
    Mcp(Mcp),
    /// Delete the index; the next command rebuilds it
    Reset(Reset),
    /// Print a script that has your shell complete commands and options
    Completions(Completions),
    /// Print the manual page, or write a page for every command
    Man(Man),
}
