//! Reports of memories that come in and go out.

use memora_memory::RecordFault;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Band, MemoryCount, MemoryItem};
use crate::report::typed::door_report;

/// What an import did, or would do.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ImportReport {
    /// The program whose memories they are.
    pub from: String,
    /// Whether nothing was written.
    pub dry_run: bool,
    /// The files that were read.
    pub files: usize,
    /// The records in them: memories, notes and conversations.
    pub records: usize,
    /// Those that are new here.
    pub saved: usize,
    /// Of those, the ones that read as an instruction or contradict the user's notes: a person must confirm them.
    pub held: usize,
    /// Those that other words of the same record replaced.
    pub updated: usize,
    /// Those that were imported before.
    pub already: usize,
    /// Those that the user's notes or a memory say already.
    pub known: usize,
    /// Those that were refused, by reason.
    pub refused: Vec<MemoryCount>,
    /// Records that could not be read.
    pub unreadable: usize,
    /// The first of them.
    pub faults: Vec<UnreadableRecord>,
}

/// A record that could not be read.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UnreadableRecord {
    /// Its file, in the folder that was imported.
    pub file: String,
    /// Its number in the file, from 1.
    pub record: usize,
    /// Why.
    pub reason: RecordFault,
}

door_report! {
    /// A line of an export of memory: a file of the memory folder.
    #[schemars(bound = "", rename = "ExportedMemory")]
    ExportedMemory {
        /// The format of the line: `memora-memory-1`.
        format: &'static str,
        /// Its path in the memory folder.
        path: String,
        /// How guarded it is.
        band: Band,
        /// The memory that it is; `null` for a log, a scratchpad, a session, a note, a page of the user's.
        item: Option<MemoryItem<D>>,
        /// In how many sessions it was recalled.
        recalls: u32,
        /// Every byte of the file.
        file: String,
        /// A keyed hash of format, path, band and file: the machine that exported it knows its own.
        mark: String,
    }
}
