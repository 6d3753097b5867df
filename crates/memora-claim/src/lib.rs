//! Statements, claims and their sources.
//!
//! A [`Statement`] is the user's own words: a sentence, a list item, a table row, an inline field, a property. Its
//! [`StatementId`] hashes those words, not a reading of them, so a better extractor changes readings and no ids. A
//! [`Claim`] is such a reading. A [`Source`] is a place that contains a statement.
//!
//! Invariant: **a source proves nothing until it is rechecked.** [`Source::recheck`] takes the note as it is on disk
//! now and returns a [`Rechecked`], or says how the place has changed. Only a `Rechecked` may be printed.
//!
//! Out of scope: extracting claims from statements (`memora-extract`) and storing them
//! (`memora-store`).

mod citations;
mod claim;
pub mod conflict;
mod decision;
mod decision_line;
mod id;
mod lists;
mod memory_decision;
mod name_key;
pub mod number_change;
mod parsed_note;
mod recheck;
mod rename_detection;
mod source;
mod speaker;
mod split;
mod statement;
mod surroundings;
pub mod time;
pub mod unicode;

pub use claim::{Claim, Extractor, Modality, Phase, STATES};
pub use decision::{Decision, Decisions, Ruling};
pub use decision_line::{DecisionKind, is_review_name};
pub use id::{ClaimId, InvalidClaimId, StatementId};
pub use memory_decision::MemoryDecision;
pub use name_key::NameKey;
pub use parsed_note::{NoteLine, ParsedNote, TextBlock};
pub use recheck::{Rechecked, SourceChange};
pub use rename_detection::{NoteContent, detect_renames};
pub use source::{Source, anchor_span};
pub use speaker::{find_speaker_label, find_speakers};
pub use split::split_statements;
pub use statement::{Statement, StatementKind, is_file_property, wikilink_text};
pub use time::{Validity, ValidityExpr};
