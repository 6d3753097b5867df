//! Arguments of the commands that list items for review and record decisions.

use clap::Args;
use memora_engine::{ClaimId, PartialDate};

use super::values::{DecidedId, parse_claim_id, parse_date, parse_decided_id};

#[derive(Args)]
pub(crate) struct Contradictions {
    /// Also list pairs with a superseded claim, or that a model took out
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
pub(crate) struct Changes {
    /// Only statements of notes of this day, month or year, or a later one; by default those of the forty newest notes
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    pub(crate) since: Option<PartialDate>,
    /// How many newer statements to read
    #[arg(long, default_value_t = 60, value_name = "N")]
    pub(crate) limit: usize,
    /// How many to pass over: the number that the page before ended with
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) from: usize,
    /// Only those whose own words end an older one
    #[arg(long)]
    pub(crate) ended: bool,
    /// Have this model of the configured provider judge each pair: what it finds changed comes first; it ends no claim
    #[arg(long, value_name = "MODEL")]
    pub(crate) judge: Option<String>,
    /// Also list pairs that the model took out, since both hold or say the same
    #[arg(long, requires = "judge")]
    pub(crate) all: bool,
}

#[derive(Args)]
pub(crate) struct Review {
    /// Most questions to ask
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) limit: usize,
    /// Write the review into a new note of the vault, Memora/Review YYYY-MM-DD.md, with boxes to tick
    #[arg(long, conflicts_with = "apply")]
    pub(crate) write: bool,
    /// Apply the boxes that you ticked in the reviews of the vault
    #[arg(long)]
    pub(crate) apply: bool,
    /// Have this model of the configured provider propose how stale sentences may be reworded; only what holds is shown
    #[arg(long, value_name = "MODEL", conflicts_with = "apply")]
    pub(crate) propose: Option<String>,
}

#[derive(Args)]
pub(crate) struct Keep {
    /// The claim's id, as in [claim:id], or a memory's, as in mem-7h3kq0v9x2ma: it counts as your word from then on
    #[arg(value_name = "ID", value_parser = parse_decided_id)]
    pub(crate) what: DecidedId,
    /// Only over this claim; may be given several times
    #[arg(long, value_name = "CLAIM", value_parser = parse_claim_id)]
    pub(crate) over: Vec<ClaimId>,
    /// Both hold, this one and the other; may be given several times
    #[arg(long, value_name = "CLAIM", value_parser = parse_claim_id, conflicts_with = "over")]
    pub(crate) beside: Vec<ClaimId>,
}

#[derive(Args)]
pub(crate) struct Retract {
    /// The claim's id, as in [claim:id]
    #[arg(value_parser = parse_claim_id)]
    pub(crate) claim: ClaimId,
    /// It was true until today; without this, it was never true
    #[arg(long)]
    pub(crate) ended: bool,
}

#[derive(Args)]
pub(crate) struct Restore {
    /// The claim's id, as in [claim:id]
    #[arg(value_parser = parse_claim_id)]
    pub(crate) claim: ClaimId,
}
