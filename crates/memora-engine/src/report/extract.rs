//! The report of `extract`: counts only, without words of a note.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

/// What `extract` did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExtractReport {
    /// The model that read.
    pub model: String,
    /// The passages.
    pub passages: PassagesReport,
    /// How often the model was asked; what is tried again counts once.
    pub calls: usize,
    /// What that cost; `null` where the provider does not say.
    pub tokens: Option<TokensReport>,
    /// What became of what it said.
    pub claims: ExtractedClaimCounts,
    /// Why the last of the failed ones failed; `null` where none did.
    pub failure: Option<String>,
    /// `done`, `budget` or `dry_run`; what failed or was stopped prints no report.
    pub ended: &'static str,
}

/// Passages: paragraphs and list items, each read in one call.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Passages")]
pub struct PassagesReport {
    /// That the model had not been asked about.
    pub due: usize,
    /// Read now.
    pub done: usize,
    /// Read before by the same model.
    pub cached: usize,
    /// For which the model gave no answer, or none that is a list of claims; they are left.
    pub failed: usize,
    /// That are still due.
    pub left: usize,
    /// That the model may not see; `null` at a cloud door.
    pub withheld: Option<usize>,
}

/// Tokens, as the provider counts them.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Tokens")]
pub struct TokensReport {
    /// Of the prompts.
    pub sent: u64,
    /// Of the replies.
    pub received: u64,
}

/// What became of what a model said.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExtractedClaimCounts {
    /// Claims that the notes bear out.
    pub added: usize,
    /// How many became none, by reason.
    pub rejected: BTreeMap<&'static str, usize>,
}
