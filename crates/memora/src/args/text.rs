//! Arguments of the commands that take a text: to verify it, or to capture it as a note.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use memora_engine::report::Strictness;
use memora_engine::{Band, CAPTURE_FOLDER};

use super::values::{GUARDS, one_of};

#[derive(Args)]
pub(crate) struct Verify {
    /// The file with the text; `-` or nothing for standard input
    pub(crate) file: Option<PathBuf>,
    /// How the verdicts are printed; json is the same as --json
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<OutputFormat>,
    /// What makes it exit with 1, as a list; any of it is enough
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "contradicted,unsupported,paraphrased,rejected,uncited,citation,no_evidence"
    )]
    pub(crate) fail_on: Vec<FailOn>,
    /// Print the text without what fails, or with marks after it; the file is left as it is
    #[arg(
        long,
        value_name = "HOW",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "remove",
        conflicts_with_all = ["format", "judge", "json"]
    )]
    pub(crate) fix: Option<FixMode>,
    /// Refuse paraphrased sentences too (as verify.strict in config.toml does); with =close only loose paraphrases
    #[arg(long, value_name = "LEAST", num_args = 0..=1, require_equals = true, default_missing_value = "proven")]
    pub(crate) strict: Option<StrictMode>,
    /// What the text is
    #[arg(long, value_name = "KIND", default_value = "auto")]
    pub(crate) input: InputKind,
    /// Also ask this model of the configured provider about sentences that the rules keep. It may upgrade a paraphrase to "entailed"
    /// or find a sentence unsupported; it cannot override a contradiction
    #[arg(long, value_name = "MODEL")]
    pub(crate) judge: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// For people
    Text,
    /// As published in schemas/memora.json
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FixMode {
    /// Leave it out
    Remove,
    /// Put [memora: VERDICT] after it
    Mark,
}

/// The least that is kept.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StrictMode {
    /// Proven, or every meaningful word appears in the cited passage
    Close,
    /// Proven
    Proven,
}

impl StrictMode {
    /// Which sentences are kept, given what the command line and the configuration say.
    pub(crate) fn to_strictness(given: Option<Self>, configured: bool) -> Strictness {
        match given {
            Some(Self::Close) => Strictness::Close,
            Some(Self::Proven) => Strictness::Proven,
            None if configured => Strictness::Proven,
            None => Strictness::Loose,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputKind {
    /// A reply with content blocks if it looks like one, else text
    Auto,
    /// Text, even if it looks like JSON
    Text,
    /// A reply of Anthropic's messages API, as JSON
    Anthropic,
}

/// What a text to verify fails on: a verdict on a sentence or a citation, or what is found of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum FailOn {
    /// A sentence that disagrees on a fact with what it cites
    Contradicted,
    /// A sentence with something that nothing it cites contains
    Unsupported,
    /// A sentence in words of its own, which nothing proves and no fact denies
    Paraphrased,
    /// A sentence whose citations all fail
    Rejected,
    /// A sentence without a citation
    Uncited,
    /// Any citation that fails, beside others that hold
    Citation,
    /// A text that asserts nothing
    NoEvidence,
    /// A sentence that a model did not judge, though it was to
    NotJudged,
    /// A citation of words that the note no longer has, or has otherwise
    Changed,
    /// A citation of a note that is gone
    MissingNote,
    /// A citation of a claim that does not exist
    UnknownId,
    /// A citation of a claim that you retracted, or that is gone from every note
    Withdrawn,
    /// A citation of a claim that something newer replaced
    Superseded,
    /// A citation of a claim that may not be seen here, if it exists
    Redacted,
    /// A citation that cannot be read
    Malformed,
    /// A link that leads nowhere, or a quotation found in no note
    UnknownPlace,
    /// A link that may lead to several places
    Ambiguous,
    /// A citation of the text itself
    Itself,
    /// A citation of a claim that only captured notes have
    Captured,
    /// Nothing: exit code 0 unless it could not run
    None,
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
    #[arg(long, value_name = "BAND", value_parser = one_of(GUARDS, Band::parse))]
    pub(crate) privacy: Option<Band>,
}
