//! Arguments of the commands that find claims, or explain a claim or an entity.

use clap::{Args, ValueEnum};
use memora_engine::{ClaimId, NotePath, PartialDate};

use super::text::StrictMode;
use super::values::{parse_claim_id, parse_date, parse_name, parse_note_path, parse_property, parse_words};

#[derive(Args)]
pub(crate) struct Filters {
    /// Only notes with this tag, nested ones included; may be given several times
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// Only notes below this folder; may be given several times
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Vec<String>,
    /// Only this note, by its path or its name; may be given several times
    #[arg(long, value_name = "NOTE", value_parser = parse_note_path)]
    pub(crate) note: Vec<NotePath>,
    /// Only notes with this property; may be given several times
    #[arg(long = "where", value_name = "KEY=VALUE", value_parser = parse_property)]
    pub(crate) property: Vec<(String, String)>,
    /// Only what dates from this day, month or year, or later: by its heading, its note's name or date
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    pub(crate) since: Option<PartialDate>,
    /// Only what dates from this day, month or year, or earlier
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    pub(crate) until: Option<PartialDate>,
}

#[derive(Args)]
pub(crate) struct Ask {
    /// The question; dates in it ("in March 2024", "last Tuesday") count
    #[arg(value_parser = parse_words)]
    pub(crate) question: String,
    /// How many claims to answer with at most; 5, and 10 where only a time is asked about
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Answer as of this day, month or year: what held then
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    pub(crate) as_of: Option<PartialDate>,
    /// Answer from captured notes too, which machines wrote
    #[arg(long)]
    pub(crate) captured: bool,
    /// Have this model draft the answer, instead of the configured one
    #[arg(long, value_name = "NAME", conflicts_with = "offline")]
    pub(crate) model: Option<String>,
    /// Ask no language model: answer in the notes' own words
    #[arg(long)]
    pub(crate) offline: bool,
    /// Leave out drafted sentences that only paraphrase the notes (as verify.strict in config.toml does); with =close only loose paraphrases
    #[arg(
        long,
        value_name = "LEAST",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "proven",
        conflicts_with = "offline"
    )]
    pub(crate) strict: Option<StrictMode>,
    /// Print the request instead of sending it (needs a configured model and its key)
    #[arg(long, conflicts_with = "offline")]
    pub(crate) show_prompt: bool,
    /// Open the first place: in Obsidian if this is an Obsidian vault, else in $VISUAL or $EDITOR
    #[arg(long, conflicts_with = "show_prompt")]
    pub(crate) open: bool,
    #[command(flatten)]
    pub(crate) filters: Filters,
}

/// The forms of hits.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchFormat {
    /// Each with its id, its place and why it was found
    #[default]
    Text,
    /// A line each, path:line:column:text, as editors read it
    Vimgrep,
}

#[derive(Args)]
pub(crate) struct Search {
    /// The words to look for; "quoted ones" must stand together
    #[arg(value_parser = parse_words)]
    pub(crate) query: String,
    /// How many claims to list at most
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) limit: usize,
    /// Only what may have held on this day, month or year
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    pub(crate) as_of: Option<PartialDate>,
    /// Look through captured notes too, which machines wrote
    #[arg(long)]
    pub(crate) captured: bool,
    /// How to print the hits
    #[arg(long, value_enum, default_value_t, conflicts_with_all = ["json", "explain"], value_name = "FORMAT")]
    pub(crate) format: SearchFormat,
    /// Print each claim by subject, predicate and object, and which words were found, rather than sentences
    #[arg(long)]
    pub(crate) claims: bool,
    /// The same, and for every hit its rank and score in each list, and what spreading added
    #[arg(long)]
    pub(crate) explain: bool,
    /// Open the first place: in Obsidian if this is an Obsidian vault, else in $VISUAL or $EDITOR
    #[arg(long)]
    pub(crate) open: bool,
    #[command(flatten)]
    pub(crate) filters: Filters,
}

#[derive(Args)]
pub(crate) struct Claims {
    /// How many claims to list at most
    #[arg(long, default_value_t = 50, value_name = "N")]
    pub(crate) limit: usize,
    /// Only what may have held on this day, month or year
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    pub(crate) as_of: Option<PartialDate>,
    /// List claims of captured notes too, which machines wrote
    #[arg(long)]
    pub(crate) captured: bool,
    #[command(flatten)]
    pub(crate) filters: Filters,
}

#[derive(Args)]
pub(crate) struct Why {
    /// The claim's id, as in [claim:id]
    #[arg(value_parser = parse_claim_id)]
    pub(crate) claim: ClaimId,
}

#[derive(Args)]
pub(crate) struct Entity {
    /// A note's title or alias, the words of a link to it, any name that the notes say, or a note's path
    #[arg(value_parser = parse_name)]
    pub(crate) name: String,
    /// How many claims to list at most
    #[arg(long, default_value_t = 50, value_name = "N")]
    pub(crate) limit: usize,
    /// List every dated statement about it in chronological order: what held when
    #[arg(long)]
    pub(crate) timeline: bool,
    /// Look through captured notes too, which machines wrote
    #[arg(long)]
    pub(crate) captured: bool,
}
