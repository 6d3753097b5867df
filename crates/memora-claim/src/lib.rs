//! Statements, claims, and the places they stand in.
//!
//! A [`Statement`] is the user's own words: a sentence, a list item, a table row, an inline field, a property. Its
//! [`StatementId`] names those words, never our reading of them, so a better extractor changes readings and no id. A
//! [`Claim`] is such a reading. A [`Source`] is a place where a statement stands.
//!
//! The one rule to know: **a source proves nothing until it is re-read.** [`Source::recheck`] takes the note as it is on
//! disk now and gives a [`Rechecked`], or says how the place has changed. Everything that prints takes a `Rechecked`.
//!
//! Deliberately not here: how claims are drawn out of statements (`memora-extract`), and where they are kept
//! (`memora-store`).

mod cites;
mod claim;
mod decision;
pub mod edit;
mod fresh;
pub mod held;
mod id;
pub mod marks;
mod name;
mod recheck;
mod rename;
mod source;
mod speaker;
mod statement;
pub mod time;

pub use claim::{Claim, Extractor, ValidityExpr, Modality, Phase, STATES, Validity};
pub use decision::{DecisionKind, Decision, Decisions, Ruling, is_review_name};
pub use fresh::{ParsedNote, TextBlock};
pub use id::{ClaimId, InvalidClaimId, StatementId};
pub use name::NameKey;
pub use recheck::{SourceChange, Rechecked};
pub use rename::{NoteContent, detect_renames};
pub use source::{Source, SourceRow, anchor_span};
pub use speaker::{find_speaker_label, find_speakers};
pub use statement::{Statement, StatementKind, wikilink_text, split_statements};
