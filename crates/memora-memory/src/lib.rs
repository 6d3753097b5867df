//! What an agent's memory is, as values: its files, seals, names, gates and ranks.
//!
//! Every file that Memora writes for agents is a [`Document`]: front matter of one line a property, and a body. An
//! [`Item`] is one memory, a [`Log`] a day's entries, a [`SessionNote`] one session, a [`Digest`] many of them, a [`Scratchpad`]
//! open tasks. A [`SealKey`] signs documents. Invariant: **printing what was parsed gives the same bytes.**
//!
//! A [`Transcript`] is what a program keeps of a session; a [`Block`] is what the next session begins with. A
//! [`ForeignRecord`] is a memory of another program's.
//!
//! Deliberately not here: files, processes, clocks, the store, doors, models.

mod block;
mod clean;
mod digest;
mod document;
mod domains;
mod foreign;
mod gates;
mod instruction;
mod item;
mod kind;
mod lenient_json;
mod lists;
mod log;
mod names;
mod plain_rule;
mod prompt_request;
mod rank;
mod scratchpad;
mod seal;
mod session_note;
mod statement;
mod transcript;
mod typed_text;

pub use block::{Block, BlockSection, KeptEnd, PrintedSection, lay_out_block};
pub use clean::{clean_line, clean_text};
pub use digest::{DIGEST_HEADINGS, Digest, DigestPeriod, DoneTask, done_tasks, is_digest, lines_of_digest};
pub use document::{Document, is_unclosed, print_time};
pub use domains::domain_of;
pub use foreign::{
    BadRecord, ForeignFact, ForeignNote, ForeignRecord, ForeignSession, ForeignTime, ImportFormat, ImportKey,
    RECORD_BYTES_MAX, RecordFault, read_foreign, read_lines, reads_file,
};
pub use gates::{Refusal, check_content, is_transient};
pub use instruction::{is_plain_order, is_unsafe_line, reads_as_command, reads_as_instruction};
pub use item::{Archived, IMPORTED_FROM, Item};
pub use kind::{Domain, HeldFor, Kind, Origin};
pub use lenient_json::read_json;
pub use log::{Log, LogEntry};
pub use names::{MemoryId, Scope, gist, item_name, name_words, project_key_of_remote, project_slug, slug_agent};
pub use prompt_request::{RequestedMemory, may_request, requested_memories};
pub use rank::{frequency, is_faded, recency, salience, strength};
pub use scratchpad::{Scratchpad, Task, TaskOperation};
pub use seal::SealKey;
pub use session_note::{HOOKED_PROGRAMS, SESSION_HEADINGS, SessionNote, is_labelled, is_pasted_at, speaker_at};
pub use statement::speaks_of_project;
pub use transcript::{Message, Speaker, Transcript, mask_credentials};

/// The maximum size of an item's text, in bytes.
pub const ITEM_BYTES_MAX: usize = 2_000;
/// The maximum size of one write to a log, a scratchpad or a note, in bytes.
pub const WRITE_BYTES_MAX: usize = 64 << 10;
/// The size of a log beyond which a next file is begun, in bytes.
pub const LOG_BYTES_MAX: usize = 256 << 10;
/// The maximum number of open tasks in one scratchpad.
pub const OPEN_TASKS_MAX: usize = 200;
/// The maximum number of items that an agent may save in one session.
pub const SAVES_MAX: usize = 10;
