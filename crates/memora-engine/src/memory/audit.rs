//! `.memora/memory.jsonl`: which memories were forgotten, restored or handed back, by which writer, when. Ids, never words.

use std::fs::{self, OpenOptions};
use std::io::Write as _;

use memora_redact::Door;
use serde_json::json;

use super::{Memories, MemoryError};

impl<D: Door> Memories<'_, D> {
    /// Appends a line.
    pub(super) fn record_act(&self, act: &str, id: &str) -> Result<(), MemoryError> {
        let folder = self.session.memora.vault.root().join(".memora");
        fs::create_dir_all(&folder)?;
        let file = folder.join("memory.jsonl");
        for path in [&folder, &file] {
            if fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
                return Err(MemoryError::Outside);
            }
        }
        let at = self.writer.at.strftime("%Y-%m-%dT%H:%M:%S").to_string();
        let line = json!({ "at": at, "act": act, "id": id, "by": self.by() });
        let mut file = OpenOptions::new().append(true).create(true).open(file)?;
        drop(file.lock());
        file.write_all(format!("{line}\n").as_bytes())?;
        file.sync_all()?;
        Ok(())
    }
}
