//! The first stage: reads an Obsidian vault from disk.
//!
//! A [`Note`] is one markdown file, read whole and parsed once. Every offset in Memora is a byte offset into that file:
//! byte order mark, carriage returns and front matter included. Invariant: **parsing never fails.** Anything malformed
//! becomes a [`NoteProblem`], and the rest of the note is still read.
//!
//! Out of scope: extracting what a note *claims* (`memora-claim`, `memora-extract`), and writing. This crate opens
//! files for reading only.

mod band;
mod band_map;
mod band_reasons;
mod closed_set;
mod credentials;
mod date;
mod disk;
mod displaced;
mod enclosed;
mod fingerprint;
mod footnotes;
mod frontmatter;
mod hint;
mod links;
mod look_alike;
mod markdown;
mod note;
mod path;
mod plain_text;
mod privacy;
mod privacy_markers;
mod privacy_sources;
mod problem;
mod span;
mod watch;
mod wordless_debug;

pub use band::{Band, UnknownBand};
pub use band_reasons::{BandDecision, BandReason};
pub use closed_set::closed_set;
pub use credentials::{CredentialKind, find_credentials};
pub use date::PartialDate;
pub use disk::{
    BadGlob, FileStat, FoundNote, ModelsAllowed, OpenVaultError, PlaceReason, PlaceRules, PlaceRulesError,
    ReadNoteError, SettingsFault, SettingsProblem, SkipReason, SkippedFile, VainRule, Vault, VaultWalk, compose_name,
    fold_name, is_drawing,
};
pub use displaced::escape_heads;
pub use enclosed::enclose_markers;
pub use fingerprint::Fingerprint;
pub use frontmatter::{Property, PropertyValue};
pub use hint::Hint;
pub use links::{LinkIndex, Resolution, link_key};
pub use look_alike::{FoldedChar, fold_look_alikes, is_invisible, is_zero_width};
pub use markdown::{Heading, LinkKind, NoteCitation, NoteLink, Segment, SegmentKind, TaskState, Zone};
pub use note::{Label, Note, PathContext};
pub use path::{InvalidNotePath, NotePath};
pub use plain_text::PlainText;
pub use privacy_markers::has_odd_marker;
pub use problem::{NoteProblem, ProblemKind};
pub use span::{LineColumn, Span};
pub use watch::{DirtySet, Waker, WatchLimitation, Watcher};
