//! `.memora/memory.jsonl`: which memories were forgotten, restored or handed back, and which passes consolidated what, by which
//! writer, when. Ids, never words.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::PathBuf;

use memora_memory::print_time;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::remember::error::MemoryError;
use crate::remember::memories::Memories;

/// The most that is read of it, in bytes.
const BYTES_MAX: u64 = 64 << 20;

/// A line, as far as it is read. What it lists are ids, or sessions as recorded.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct AuditLine {
    pub(super) act: String,
    pub(super) id: String,
    pub(super) made: Vec<String>,
    pub(super) archived: Vec<String>,
    read: Vec<String>,
}

impl Memories<'_> {
    /// Appends what was done to a memory.
    pub(crate) fn record_act(&self, act: &str, id: &str) -> Result<(), MemoryError> {
        self.record_line(&[("act", json!(act)), ("id", json!(id))])
    }

    /// Appends a line with these values, the time and the writer.
    pub(crate) fn record_line(&self, values: &[(&str, Value)]) -> Result<(), MemoryError> {
        let file = self.audit_file()?;
        let mut line = serde_json::Map::new();
        line.insert("at".to_owned(), json!(print_time(self.writer.at)));
        line.extend(values.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
        line.insert("by".to_owned(), json!(self.by()));
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().append(true).create(true).open(file)?;
        drop(file.lock());
        file.write_all(format!("{}\n", Value::from(line)).as_bytes())?;
        file.sync_all()?;
        Ok(())
    }

    /// Reads the lines; those that are none of ours are left out.
    pub(super) fn read_audit(&self) -> Result<Vec<AuditLine>, MemoryError> {
        let mut text = String::new();
        match File::open(self.audit_file()?) {
            Ok(file) => file.take(BYTES_MAX).read_to_string(&mut text)?,
            Err(error) if error.kind() == ErrorKind::NotFound => 0,
            Err(error) => return Err(error.into()),
        };
        Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }

    /// The file, if no part of its path below the vault is a link.
    fn audit_file(&self) -> Result<PathBuf, MemoryError> {
        let folder = self.session.memora.vault.root().join(".memora");
        let file = folder.join("memory.jsonl");
        for path in [&folder, &file] {
            if fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
                return Err(MemoryError::Outside);
            }
        }
        Ok(file)
    }

    /// The notes of sessions that are done with, as recorded.
    pub(crate) fn recorded_sessions(&self) -> Result<HashSet<String>, MemoryError> {
        let read = self.read_audit()?.into_iter().filter(|line| line.act == "read");
        Ok(read.flat_map(|line| line.read).collect())
    }
}
