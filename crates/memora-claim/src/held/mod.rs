//! Claims held against each other: which contradict, which replace which, which imply which.
//!
//! The one rule to know: **structure decides, and in doubt both stand.** Two claims of one thing under one topic are
//! compared only where both may be true at one time, under the same conditions, and said outright. An older one ends by
//! words of change, by a later written date, or by the user's decision, and by nothing else. What cannot be compared
//! contradicts nothing.
//!
//! Deliberately not here: who is meant by a name, and what a door may see. Both depend on more than two claims, and are the
//! engine's; what is given to [`judge`] is about one thing, and may all be seen.

mod judge;
mod quantity;
mod value;

use std::collections::BTreeSet;

use memora_vault::PartialDate;
use schemars::JsonSchema;
use serde::Serialize;
use strum::{Display, IntoStaticStr};

use crate::{ClaimId, Validity};

pub use judge::{Contradiction, Entailment, Conflicts, Supersession, detect_conflicts};
pub use value::{ValueRelation, ObjectValue};

/// What two claims are compared under: one relation, or one verb.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotConstraint {
    /// Whether it holds of one thing at a time, so that two objects contradict.
    pub single: bool,
    /// Whether it may change, so that a later date tells of a new state: "lives in" does, "born in" does not.
    pub changes: bool,
}

/// What a claim says of its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimPolarity {
    /// That it holds.
    Affirmed,
    /// That it began: "switched to".
    Begun,
    /// That it ended: "no longer uses".
    Ended,
    /// That it does not hold.
    Denied,
}

/// A claim as it is held against others.
#[derive(Clone)]
pub struct ComparableClaim {
    /// Its name.
    pub id: ClaimId,
    /// Its object.
    pub value: ObjectValue,
    /// What it says of it.
    pub says: ClaimPolarity,
    /// When it holds, by its words or its daily note.
    pub validity: Validity,
    /// The latest day on which it was written down, by the name of a daily note.
    pub written: Option<PartialDate>,
    /// Under which conditions, places, parts: what else must be equal.
    pub scope: BTreeSet<String>,
    /// The notes that it stands in. Who says yes and no in one note tells of two cases.
    pub stands_in: BTreeSet<String>,
    /// Where it stands among fields, rows and labels of which a note may have several: they make a list. `None` for a
    /// sentence.
    pub listed_in: Option<String>,
    /// Whether it may end or contradict others: asserted outright, in the user's own words.
    pub acts: bool,
}

impl ComparableClaim {
    /// The day from which it is known to hold, at the latest: begun or written down.
    fn known_since(&self) -> Option<PartialDate> {
        match (self.validity.from, self.written) {
            (Some(from), Some(written)) => Some(if written.first_and_last_day().0 > from.first_and_last_day().0 { written } else { from }),
            (from, written) => from.or(written),
        }
    }

    fn is_affirmative(&self) -> bool {
        matches!(self.says, ClaimPolarity::Affirmed | ClaimPolarity::Begun)
    }
}

/// Whether a claim holds now, as far as can be told.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema, IntoStaticStr, Display,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(inline, transform = memora_vault::closed_set)]
pub enum ClaimStatus {
    /// Nothing speaks against it, or nothing that is decided.
    #[default]
    Current,
    /// It cites what was superseded, taken back or changed, and wants to be looked at.
    Stale,
    /// Something newer replaced it.
    Superseded,
    /// The user has taken it back.
    Withdrawn,
}

impl ClaimStatus {
    /// A stable word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// On what evidence one claim supersedes another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema, IntoStaticStr, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(inline, transform = memora_vault::closed_set)]
pub enum SupersessionBasis {
    /// The user decided.
    Decision,
    /// Words of change: "switched from A to B", "no longer".
    WordsOfChange,
    /// It was written to hold from a later day.
    LaterDate,
}

impl SupersessionBasis {
    /// A stable word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
