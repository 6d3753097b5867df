//! Compares claims with each other: contradiction, supersession and entailment.
//!
//! Invariant: **structure decides, and in doubt both claims hold.** Two claims of one subject and topic are compared
//! only if both may be true at once, under the same conditions, and are asserted outright. An older one ends by words
//! of change, by a later written date, or by the user's decision, and by nothing else. Incomparable claims do not
//! contradict each other.
//!
//! Out of scope: entity resolution and access control. Both depend on more than two claims and belong to the engine;
//! the input of [`detect_conflicts`] is about one subject, and all of it may be seen.

mod detect;
mod quantity;
mod value;

use std::collections::BTreeSet;

use memora_vault::PartialDate;
use schemars::JsonSchema;
use serde::Serialize;
use strum::{Display, IntoStaticStr};

use crate::{ClaimId, Validity};

pub use detect::{Conflicts, Contradiction, Entailment, Supersession, detect_conflicts};
pub use value::{ObjectValue, ValueRelation};

/// The constraint under which two claims are compared: of one relation, or one verb.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotConstraint {
    /// Whether it is single-valued, so that two different values contradict each other.
    pub single: bool,
    /// Whether it may change, so that a later date means a new state: "lives in" may, "born in" may not.
    pub changes: bool,
}

/// The polarity of a claim about its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimPolarity {
    /// It holds.
    Affirmed,
    /// It began: "switched to".
    Begun,
    /// It ended: "no longer uses".
    Ended,
    /// It does not hold.
    Denied,
}

/// A claim prepared for comparison.
#[derive(Clone)]
pub struct ComparableClaim {
    /// The id of the claim.
    pub id: ClaimId,
    /// The object of the claim.
    pub value: ObjectValue,
    /// The polarity of the claim.
    pub says: ClaimPolarity,
    /// The validity, by its words or its daily note.
    pub validity: Validity,
    /// The latest day on which it was written down, by the name of a daily note.
    pub written: Option<PartialDate>,
    /// Conditions, places and parts that must be equal for a comparison.
    pub scope: BTreeSet<String>,
    /// The notes that contain it. Assertion and denial within one note refer to two cases.
    pub stands_in: BTreeSet<String>,
    /// The list of fields, rows or labels that it belongs to; a note may have several values in one. `None` for a
    /// sentence.
    pub listed_in: Option<String>,
    /// Whether it may end or contradict others: asserted outright, in the user's own words.
    pub acts: bool,
}

impl ComparableClaim {
    /// Returns the latest known start: begun or written down.
    fn known_since(&self) -> Option<PartialDate> {
        match (self.validity.from, self.written) {
            (Some(from), Some(written)) => {
                Some(if written.first_and_last_day().0 > from.first_and_last_day().0 { written } else { from })
            }
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
    /// Nothing decided contradicts it.
    #[default]
    Current,
    /// It cites a superseded, retracted or changed claim and needs review.
    Stale,
    /// Something newer replaced it.
    Superseded,
    /// The user has retracted it.
    Withdrawn,
}

impl ClaimStatus {
    /// Returns its stable name.
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
    /// Returns its stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
