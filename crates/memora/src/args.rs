//! What can be typed: the shape of the command line, and its help.
#![allow(rustdoc::broken_intra_doc_links, reason = "doc comments are the help here, and [claim:id] is no link")]

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use memora_engine::CAPTURE_FOLDER;

use crate::clients::Program;

/// Verifiable memory for an Obsidian vault: cite it or it didn't happen
///
/// Reads the notes of a vault, answers questions in their own words, and re-reads every cited place before it is shown.
/// Nothing is ever written into the vault, but a line of .memora/decisions.jsonl where you decide something, and a new
/// note where you capture one or have a review written.
#[derive(Parser)]
#[command(name = "memora", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Args)]
pub(crate) struct Global {
    /// The vault's folder; without it, the folder with .obsidian around the working directory
    #[arg(long, global = true, env = "MEMORA_VAULT", value_name = "FOLDER")]
    pub(crate) vault: Option<PathBuf>,
    /// Print JSON, in the shapes published under schemas/
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Who reads the output: a terminal is local, anything else is a cloud door, where guarded text is withheld
    #[arg(long, global = true, env = "MEMORA_DOOR", value_name = "DOOR")]
    pub(crate) door: Option<DoorWord>,
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
pub(crate) enum DoorWord {
    /// Only you read the output: show guarded text too
    Local,
    /// Withhold guarded text, on a terminal too
    Cloud,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Set up on your vault: three questions, the first index, and what to try
    Init(Init),
    /// See in ten seconds what Memora does, on an example vault; yours is not touched
    Demo,
    /// Bring the index up to date, and report what was skipped and what is odd
    Index,
    /// Answer a question in the notes' own words, with citations that were re-read
    Ask(Ask),
    /// List the claims that match some words, best first
    Search(Search),
    /// Judge a text by what it cites, sentence by sentence: claims, footnotes, links to notes, quotations
    Verify(Verify),
    /// List claims, by note and place
    Claims(Claims),
    /// Explain a claim: its places, when it was first seen, what became of it
    Why(Why),
    /// Tell what is claimed about somebody or something, under all its names
    Entity(Entity),
    /// List claims that cannot both be so, what nobody has decided first
    Contradictions(Contradictions),
    /// List sentences with [claim:…] in them that rest on what no longer holds
    Stale(Stale),
    /// Review the vault: what is stale, contradicts, ages, or much rests on; ask what to decide
    Challenge(Challenge),
    /// Decide that a claim holds, over those that contradict it
    Keep(Keep),
    /// Take a claim back: it counts no longer, and the note stays as it is
    Retract(Retract),
    /// Undo what was decided about a claim
    Restore(Decide),
    /// Make a new note of a text, if what it cites bears it out; no note is ever written over
    Capture(Capture),
    /// Have a language model read claims that the rules do not, and keep what the notes bear out
    Extract(Extract),
    /// Say how things stand: vault, index, notes by privacy band
    Status,
    /// Look whether everything is as it should be
    Doctor(Doctor),
    /// Print every claim with its places, a line of JSON each
    Export(Export),
    /// Say which embedding model is used; install or choose another
    Embedder(Embedder),
    /// Say which notes are guarded and why, what a model may see, and what left this machine
    Privacy(Privacy),
    /// Keep the index fresh, until Ctrl-C or SIGTERM
    Watch(Watch),
    /// Serve an agent over standard input and output, by the Model Context Protocol
    Mcp(Mcp),
    /// Throw the index away; the next command makes it again
    Reset(Reset),
    /// Print a script that has your shell complete commands and options
    Completions(Completions),
    /// Print the manual page, or write a page for every command
    Man(Man),
}

#[derive(Args)]
pub(crate) struct Init {
    /// Ask nothing: keep what is set, and the defaults of what is not
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Args)]
pub(crate) struct Completions {
    /// Which shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Args)]
pub(crate) struct Man {
    /// Write memora.1, memora-ask.1 and so on into this folder, in the place of those that are there
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct Filters {
    /// Only notes with this tag, nested ones included; may be given several times
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// Only notes below this folder; may be given several times
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Vec<String>,
    /// Only this note; may be given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) note: Vec<String>,
    /// Only notes with this property; may be given several times
    #[arg(long = "where", value_name = "KEY=VALUE")]
    pub(crate) property: Vec<String>,
    /// Only notes dated on or after this day, month or year
    #[arg(long, value_name = "DATE")]
    pub(crate) since: Option<String>,
    /// Only notes dated on or before this day, month or year
    #[arg(long, value_name = "DATE")]
    pub(crate) until: Option<String>,
}

#[derive(Args)]
pub(crate) struct Ask {
    /// The question; dates in it ("in March 2024", "last Tuesday") count
    pub(crate) question: String,
    /// How many claims to answer with at most
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub(crate) limit: usize,
    /// Answer as of this day, month or year: what held then
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<String>,
    /// Answer from captured notes too, which machines wrote
    #[arg(long)]
    pub(crate) captured: bool,
    /// Have this model of the configured provider draft the answer
    #[arg(long, value_name = "NAME", conflicts_with = "offline")]
    pub(crate) model: Option<String>,
    /// Ask no language model: answer in the notes' own words
    #[arg(long)]
    pub(crate) offline: bool,
    /// Print what the model would be sent, and send nothing of the notes
    #[arg(long, conflicts_with = "offline")]
    pub(crate) show_prompt: bool,
    #[command(flatten)]
    pub(crate) filters: Filters,
}

#[derive(Args)]
pub(crate) struct Search {
    /// The words to look for; "quoted ones" must stand together
    pub(crate) query: String,
    /// How many claims to list at most
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) limit: usize,
    /// Only what may have held on this day, month or year
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<String>,
    /// Look through captured notes too, which machines wrote
    #[arg(long)]
    pub(crate) captured: bool,
    /// Say for every hit its rank and score in each list, and what spreading added
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) filters: Filters,
}

#[derive(Args)]
pub(crate) struct Verify {
    /// The file with the text; `-` or nothing for standard input
    pub(crate) file: Option<PathBuf>,
    /// How the verdicts are printed; json is the same as --json
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// What makes it exit with 1, as a list; any of it is enough
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "unsupported,rejected,uncited,citation,no_evidence"
    )]
    pub(crate) fail_on: Vec<FailOn>,
    /// Print the text without what does not stand, or with marks behind it; the file is left as it is
    #[arg(
        long,
        value_name = "HOW",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "remove",
        conflicts_with_all = ["format", "judge", "json"]
    )]
    pub(crate) fix: Option<Fix>,
    /// What the text is
    #[arg(long, value_name = "KIND", default_value = "auto")]
    pub(crate) input: Input,
    /// Have this model of the configured provider judge what the rules let stand; it may take verdicts down, never raise one
    #[arg(long, value_name = "MODEL")]
    pub(crate) judge: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// As published in schemas/verify.json
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fix {
    /// Leave it out
    Remove,
    /// Put [memora: VERDICT] behind it
    Mark,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Input {
    /// A reply with content blocks if it looks like one, else text
    Auto,
    /// Text, whatever it looks like
    Text,
    /// A reply of Anthropic's messages API, as JSON
    Anthropic,
}

/// What a text to verify fails on: a verdict on a sentence or a citation, or what is found of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum FailOn {
    /// A sentence that its citations do not say
    Unsupported,
    /// A sentence of which no citation stands
    Rejected,
    /// A sentence without a citation
    Uncited,
    /// Any citation that does not stand, beside others that do
    Citation,
    /// A text that asserts nothing
    NoEvidence,
    /// A sentence that a model did not judge, though it was to
    NotJudged,
    Changed,
    MissingNote,
    UnknownId,
    Withdrawn,
    Superseded,
    Redacted,
    Malformed,
    UnknownPlace,
    Ambiguous,
    Itself,
    Captured,
    /// Nothing: 0 whenever it ran
    None,
}

#[derive(Args)]
pub(crate) struct Claims {
    /// How many claims to list at most
    #[arg(long, default_value_t = 50, value_name = "N")]
    pub(crate) limit: usize,
    /// Only what may have held on this day, month or year
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<String>,
    #[command(flatten)]
    pub(crate) filters: Filters,
}

#[derive(Args)]
pub(crate) struct Contradictions {
    /// List those too of which one has been superseded, or which a model took out
    #[arg(long)]
    pub(crate) all: bool,
    /// How many to list at most, and to have judged
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: usize,
    /// Have this model of the configured provider judge what is open; it may take pairs out, never add one nor end a claim
    #[arg(long, value_name = "MODEL")]
    pub(crate) judge: Option<String>,
}

#[derive(Args)]
pub(crate) struct Stale {
    /// How many to list at most
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: usize,
}

#[derive(Args)]
pub(crate) struct Challenge {
    /// How much to ask at most
    #[arg(long, default_value_t = 12, value_name = "N")]
    pub(crate) limit: usize,
    /// Put it into a new note of the vault, Memora/Review YYYY-MM-DD.md, with boxes to tick
    #[arg(long, conflicts_with = "apply")]
    pub(crate) write: bool,
    /// Decide what is ticked in the reviews of the vault
    #[arg(long)]
    pub(crate) apply: bool,
    /// Have this model of the configured provider propose how stale sentences may be reworded; only what holds is shown
    #[arg(long, value_name = "MODEL", conflicts_with = "apply")]
    pub(crate) propose: Option<String>,
}

#[derive(Args)]
pub(crate) struct Keep {
    /// The claim's id, as in [claim:id]
    pub(crate) claim: String,
    /// Only over this claim; may be given several times
    #[arg(long, value_name = "CLAIM")]
    pub(crate) over: Vec<String>,
    /// Both hold, this one and the other; may be given several times
    #[arg(long, value_name = "CLAIM", conflicts_with = "over")]
    pub(crate) beside: Vec<String>,
}

#[derive(Args)]
pub(crate) struct Decide {
    /// The claim's id, as in [claim:id]
    pub(crate) claim: String,
}

#[derive(Args)]
pub(crate) struct Retract {
    /// The claim's id, as in [claim:id]
    pub(crate) claim: String,
    /// It held until now, and does no longer; without this it never held
    #[arg(long)]
    pub(crate) ended: bool,
}

#[derive(Args)]
pub(crate) struct Capture {
    /// The file with the text; `-` or nothing for standard input
    pub(crate) file: Option<PathBuf>,
    /// What the note is called
    #[arg(long)]
    pub(crate) title: String,
    /// The folder that it comes into, which is made if it is missing
    #[arg(long, default_value = CAPTURE_FOLDER)]
    pub(crate) folder: String,
    /// Who says so
    #[arg(long, default_value = "command line", value_name = "NAME")]
    pub(crate) by: String,
    /// How guarded the note is at least; it is as guarded as what it cites
    #[arg(long, value_name = "BAND")]
    pub(crate) privacy: Option<BandWord>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BandWord {
    /// Kept from cloud models, unless your configuration says otherwise
    Private,
    /// Kept from them whatever it says
    Secret,
}

#[derive(Args)]
pub(crate) struct Why {
    /// The claim's id, as in [claim:id]
    pub(crate) claim: String,
}

#[derive(Args)]
pub(crate) struct Entity {
    /// A note's title or alias, the words of a link to it, a name without a note, or a note's path
    pub(crate) name: String,
    /// How many claims to list at most
    #[arg(long, default_value_t = 50, value_name = "N")]
    pub(crate) limit: usize,
    /// Tell the claims about it in order of time: what held when
    #[arg(long)]
    pub(crate) timeline: bool,
}

#[derive(Args)]
pub(crate) struct Extract {
    /// How often the model may be asked; a passage is one call
    #[arg(long, value_name = "CALLS")]
    pub(crate) budget: Option<usize>,
    /// Only this note; may be given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) note: Vec<String>,
    /// Have this model of the configured provider read
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Say how many calls it would take, and send nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Args)]
pub(crate) struct Doctor {
    /// Re-read every place of every claim and compare it with the file's bytes
    #[arg(long)]
    pub(crate) check_spans: bool,
}

#[derive(Args)]
pub(crate) struct Export {
    /// Leave out what depends on this machine: the same notes give the same bytes everywhere
    #[arg(long)]
    pub(crate) canonical: bool,
}

#[derive(Args)]
pub(crate) struct Embedder {
    #[command(subcommand)]
    pub(crate) what: Option<EmbedderCommand>,
}

#[derive(Subcommand)]
pub(crate) enum EmbedderCommand {
    /// Say which is configured, which answers now and why, and how many vectors there are; the same as without a command
    Status,
    /// Fetch a model and its library, after asking
    Install(Install),
    /// Choose the one that makes vectors from now on, in your config.toml
    Use {
        /// embedded, or all-MiniLM-L6-v2
        name: String,
    },
}

#[derive(Args)]
pub(crate) struct Install {
    /// Which model
    #[arg(default_value = "all-MiniLM-L6-v2")]
    pub(crate) name: String,
    /// Fetch without asking
    #[arg(long)]
    pub(crate) yes: bool,
    /// Take the files, by their names, from a folder or from below an address; they must be the same files
    #[arg(long, value_name = "FOLDER|URL")]
    pub(crate) from: Option<String>,
}

#[derive(Args)]
pub(crate) struct Privacy {
    #[command(subcommand)]
    pub(crate) what: PrivacyCommand,
}

#[derive(Subcommand)]
pub(crate) enum PrivacyCommand {
    /// Tell every decision about what is guarded with its reason, and what a model would be allowed to see
    Audit(Audit),
    /// List what was sent to models and clients: when, to whom, how much, which claims; never what they say
    Egress(Egress),
}

#[derive(Args)]
pub(crate) struct Audit {
    /// Only this note
    #[arg(long, value_name = "PATH")]
    pub(crate) note: Option<String>,
    /// For which model to say what it may see
    #[arg(long = "for", value_name = "MODEL", default_value = "cloud")]
    pub(crate) model: ModelWord,
    /// List the notes that the model may see
    #[arg(long)]
    pub(crate) list: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelWord {
    /// One on this machine
    Local,
    /// Any other
    Cloud,
}

#[derive(Args)]
pub(crate) struct Egress {
    /// How many to list at most, the newest
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) last: usize,
}

#[derive(Args)]
pub(crate) struct Watch {
    /// Walk the vault every few seconds, rather than have the system say what changes
    #[arg(long)]
    pub(crate) poll: bool,
    /// Make a review every so often, such as 24h or 7d, and keep it for memora challenge
    #[arg(long, value_name = "TIME")]
    pub(crate) challenge_every: Option<String>,
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Mcp {
    #[command(subcommand)]
    pub(crate) what: Option<McpCommand>,
    /// Where the agent's model runs; --door and MEMORA_DOOR are not asked
    #[arg(long, value_name = "WHERE", default_value = "cloud")]
    pub(crate) client: ModelWord,
    /// Let the client make new notes in the vault, marked as captured; never touch one that is there
    #[arg(long)]
    pub(crate) allow_capture: bool,
}

#[derive(Subcommand)]
pub(crate) enum McpCommand {
    /// Print the entry that has a program start this server, or merge it into the program's own file
    Install(McpInstall),
}

#[derive(Args)]
pub(crate) struct McpInstall {
    /// The program
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) client: Program,
    /// Merge the entry into the program's file, and keep what the file said before beside it
    #[arg(long)]
    pub(crate) write: bool,
    /// Say that the program's model runs on this machine: it may see everything
    #[arg(long)]
    pub(crate) local: bool,
    /// What the program is to call it; one name a vault
    #[arg(long, value_name = "NAME", default_value = "memora", value_parser = server_name)]
    pub(crate) name: String,
}

/// A name as every program takes it: tools are called by it.
fn server_name(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match !text.is_empty() && text.len() <= 40 && text.chars().all(fits) {
        true => Ok(text.to_owned()),
        false => Err("letters, digits, - and _ alone, forty at most".to_owned()),
    }
}

#[derive(Args)]
pub(crate) struct Reset {
    /// Throw away the journal too: former places, renames, first-seen times
    #[arg(long)]
    pub(crate) journal: bool,
}
