//! Arguments of `memora memory`.

use std::convert::Infallible;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use memora_engine::{Band, ImportFormat, MemoryKind, MemoryTarget, TaskOperation};

use super::values::{GUARDS, one_of};

#[derive(Args)]
pub(crate) struct Memory {
    #[command(subcommand)]
    pub(crate) what: MemoryCommand,
    /// Act as this agent; without it, as you at a terminal, and as `shell` elsewhere
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The project, by its slug or any name; without it, that of the working directory
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) project: Option<String>,
}

#[derive(Subcommand)]
pub(crate) enum MemoryCommand {
    /// Make MEMORY.md, which is yours alone, and a table of all memories
    Init,
    /// Print what a session begins with: your page, facts, open tasks, the last days
    Context(ContextMemory),
    /// Save one memory: one to three sentences
    Save(SaveMemory),
    /// Append to the day's log or the open tasks, or write a reference note
    Write(WriteMemory),
    /// Search what was saved, best first
    Search(SearchMemory),
    /// Show memories in full, by their ids, or a file: memory-md, scratchpad, daily, note, list
    Read(ReadMemory),
    /// Change a memory: other words in a new one that supersedes it, --old and --new within it, or --outcome
    Update(UpdateMemory),
    /// Move a memory to the archive
    Forget(ForgetMemory),
    /// Move a memory back from the archive
    Restore {
        /// Its id
        id: String,
    },
    /// List the memories of this project and the shared ones, newest first
    List(ListMemory),
    /// Count memories by kind, origin and state
    Stats,
    /// Print or write every file of memory, a line of JSON each, for `import --from memora`
    Export(ExportMemory),
    /// Take over memories: an export of Memora's own, or those of another program
    Import(ImportMemory),
    /// Propose what may become one memory, or go to the archive: entries recalled in four sessions, repetitions, entries no longer used,
    /// old sessions
    Consolidate(ConsolidateMemory),
    /// Undo a pass of `consolidate --apply`
    Undo {
        /// The pass; without it, the last one
        pass: Option<String>,
    },
    /// List areas of your life that your notes and memories say little about, with what to ask
    Gaps,
    /// Start and list the other memory servers set up in config.toml; nothing is sent
    Bridge(BridgeMemory),
    /// Accept a file that you edited as Memora's own again, unchanged
    Reseal {
        /// The file, relative to the vault
        path: String,
    },
}

#[derive(Args)]
pub(crate) struct BridgeMemory {
    #[command(subcommand)]
    pub(crate) what: Option<BridgeCommand>,
}

#[derive(Subcommand)]
pub(crate) enum BridgeCommand {
    /// List memory servers in the settings of your assistants, with what to write into config.toml; none is started
    Detect,
    /// Pass on now what was saved and forgotten since they were last reached
    Sync {
        /// The name of one of them; without it, all
        name: Option<String>,
        /// Also import what they list, as the output of a tool
        #[arg(long)]
        pull: bool,
    },
}

#[derive(Args)]
pub(crate) struct ContextMemory {
    /// What the session is about to do
    #[arg(long, value_name = "WORDS")]
    pub(crate) task: Option<String>,
    /// The most bytes of it
    #[arg(long, value_name = "BYTES", default_value_t = 32 << 10, value_parser = clap::value_parser!(u32).range(1_000..=1 << 20))]
    pub(crate) max_bytes: u32,
}

#[derive(Args)]
pub(crate) struct SaveMemory {
    /// What is to be remembered; `-` for standard input
    #[arg(allow_hyphen_values = true)]
    pub(crate) content: String,
    /// What it is about
    #[arg(long, value_name = "KIND", default_value = "knowledge", value_parser = one_of(KINDS, str::parse::<MemoryKind>))]
    pub(crate) kind: MemoryKind,
    /// The person or thing that it concerns; `self` for the agent
    #[arg(long, value_name = "NAME")]
    pub(crate) entity: Option<String>,
    /// Its domain of life: identity, body, mind, beliefs, knowledge, relationships, work, finances, place, goals,
    /// routines, life_events, preferences or patterns
    #[arg(long, value_name = "DOMAIN")]
    pub(crate) domain: Option<String>,
    /// Its tags, as a list
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) tags: Vec<String>,
    /// The least protection it gets
    #[arg(long, value_name = "BAND", value_parser = one_of(GUARDS, Band::parse))]
    pub(crate) privacy: Option<Band>,
    /// The id of a memory that it supersedes
    #[arg(long, value_name = "ID")]
    pub(crate) supersedes: Option<String>,
    /// How sure it is, 0 to 1
    #[arg(long, value_name = "NUMBER")]
    pub(crate) confidence: Option<f64>,
    /// It is the output of a tool
    #[arg(long)]
    pub(crate) tool_output: bool,
    /// It concerns all projects
    #[arg(long)]
    pub(crate) shared: bool,
}

const KINDS: &[(&str, &str)] = &[
    ("profile", "Who you are"),
    ("behavior", "How you want things done"),
    ("knowledge", "A fact"),
    ("tool", "How a tool behaves"),
    ("skill", "A procedure, as steps"),
];

#[derive(Args)]
pub(crate) struct WriteMemory {
    /// What is written to
    #[arg(value_parser = one_of(TARGETS, str::parse::<MemoryTarget>))]
    pub(crate) target: MemoryTarget,
    /// The words; `-` or nothing for standard input
    #[arg(allow_hyphen_values = true)]
    pub(crate) content: Option<String>,
    /// What is done with the tasks of a scratchpad
    #[arg(long, value_name = "HOW", default_value = "append", value_parser = one_of(OPERATIONS, str::parse::<TaskOperation>))]
    pub(crate) op: TaskOperation,
    /// The title of an entry or a note
    #[arg(long)]
    pub(crate) title: Option<String>,
}

const TARGETS: &[(&str, &str)] = &[
    ("daily", "The day's log"),
    ("scratchpad", "The open tasks, one a line"),
    ("note", "A reference note of its own"),
];

const OPERATIONS: &[(&str, &str)] =
    &[("append", "They are new"), ("done", "They are done"), ("undo", "They are open again"), ("remove", "They go")];

#[derive(Args)]
pub(crate) struct SearchMemory {
    /// The words to look for
    pub(crate) query: String,
    /// How many at most
    #[arg(long, default_value_t = 5)]
    pub(crate) limit: usize,
    /// Only this kind
    #[arg(long, value_name = "KIND", value_parser = one_of(KINDS, str::parse::<MemoryKind>))]
    pub(crate) kind: Option<MemoryKind>,
    /// Only what concerns this person or thing
    #[arg(long, value_name = "NAME")]
    pub(crate) entity: Option<String>,
    /// In all projects and agents
    #[arg(long)]
    pub(crate) all: bool,
    /// In the archive
    #[arg(long)]
    pub(crate) archived: bool,
    /// Superseded ones too
    #[arg(long)]
    pub(crate) superseded: bool,
}

#[derive(Args)]
pub(crate) struct ReadMemory {
    /// Ids or paths that search shows, or memory-md, scratchpad, daily, note, list
    #[arg(required = true)]
    pub(crate) what: Vec<String>,
    /// The day of a log as YYYY-MM-DD, or the name of a note
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// The byte to go on from
    #[arg(long, default_value_t = 0)]
    pub(crate) offset: usize,
}

#[derive(Args)]
pub(crate) struct UpdateMemory {
    /// Its id
    pub(crate) id: String,
    /// What it says from now on, in a new memory that supersedes it
    #[arg(required_unless_present_any = ["old", "outcome"], conflicts_with_all = ["old", "outcome"])]
    pub(crate) content: Option<String>,
    /// Words that stand in it once
    #[arg(long, requires = "new")]
    pub(crate) old: Option<String>,
    /// The words in their place
    #[arg(long, requires = "old")]
    pub(crate) new: Option<String>,
    /// How it went to do what it says, for the day's log
    #[arg(long, value_name = "HOW", conflicts_with = "old", value_parser = one_of(OUTCOMES, has_worked))]
    pub(crate) outcome: Option<bool>,
}

fn has_worked(word: &str) -> Result<bool, Infallible> {
    Ok(word == "ok")
}

const OUTCOMES: &[(&str, &str)] = &[("ok", "It worked"), ("failed", "It did not")];

#[derive(Args)]
pub(crate) struct ForgetMemory {
    /// Its id
    pub(crate) id: String,
    /// Why
    #[arg(long)]
    pub(crate) reason: Option<String>,
}

#[derive(Args)]
pub(crate) struct ConsolidateMemory {
    /// Do what is proposed
    #[arg(long)]
    pub(crate) apply: bool,
    /// Archive more than a quarter of a scope, too
    #[arg(long, requires = "apply")]
    pub(crate) force: bool,
}

#[derive(Args)]
pub(crate) struct ListMemory {
    /// Only this kind
    #[arg(long, value_name = "KIND", value_parser = one_of(KINDS, str::parse::<MemoryKind>))]
    pub(crate) kind: Option<MemoryKind>,
    /// Include every project and agent
    #[arg(long)]
    pub(crate) all: bool,
    /// Those in the archive
    #[arg(long)]
    pub(crate) archived: bool,
    /// How many at most
    #[arg(long, default_value_t = 50)]
    pub(crate) limit: usize,
}

#[derive(Args)]
pub(crate) struct ExportMemory {
    /// A new file; without it, or with `-`, standard output
    pub(crate) file: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct ImportMemory {
    /// The program that wrote it
    #[arg(long, value_name = "FORMAT", value_parser = one_of(FORMATS, format_of))]
    pub(crate) from: ImportedFormat,
    /// A file, or a folder of them; `-` for standard input
    pub(crate) file: PathBuf,
    /// The least protection it gets, private by default; an export of Memora's own has its bands
    #[arg(long, value_name = "BAND", value_parser = one_of(IMPORT_BANDS, Band::parse))]
    pub(crate) privacy: Option<Band>,
    /// Vouch for it: your own words in it count as yours, an assistant's as an assistant's, rather than all as a tool's output
    #[arg(long)]
    pub(crate) trust: bool,
    /// Write nothing, and say what would be
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Whose memories are imported; `None` for an export of Memora's own.
#[derive(Clone, Copy)]
pub(crate) struct ImportedFormat(pub(crate) Option<ImportFormat>);

fn format_of(word: &str) -> Result<ImportedFormat, Infallible> {
    Ok(ImportedFormat(word.parse().ok()))
}

const FORMATS: &[(&str, &str)] = &[
    ("memora", "An export of Memora's own"),
    ("mem0", "A JSON list of memories as Mem0 returns it"),
    ("claude-mem", "A JSON export of claude-mem"),
    ("basic-memory", "A folder of basic-memory's notes: observations and relations"),
    ("mcp-memory", "The JSONL file of the MCP reference memory server"),
    ("chatgpt", "The data export of ChatGPT, unpacked: conversations.json"),
    ("claude", "The data export of Claude, unpacked: conversations.json, memories.json"),
    ("claude-code", "Claude Code: transcripts, CLAUDE.md, memory folders; ~/.claude"),
    ("codex", "Codex: rollouts, AGENTS.md, memories; ~/.codex"),
    ("openclaw", "OpenClaw: a workspace or transcripts; ~/.openclaw"),
    ("zora", "The memory folder of Zora; ~/.zora/memory"),
    ("text", "Markdown or plain text: a list item or a paragraph is a memory"),
];

const IMPORT_BANDS: &[(&str, &str)] = &[
    ("public", "Anyone may see it"),
    ("private", "Kept from cloud models, unless your configuration says otherwise"),
    ("secret", "Always kept from them"),
];
