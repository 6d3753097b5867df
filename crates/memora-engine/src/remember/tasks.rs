//! Tasks of a project: lines of its scratchpads, the next of which is begun where one is full or not Memora's.

use memora_memory::{OPEN_TASKS_MAX, Refusal, Scratchpad, Task, TaskOperation};
use memora_vault::{Band, NotePath};

use super::folder::{FolderLock, FoundFile};
use super::write::{FILES_MAX, answered, refused};
use crate::remember::error::MemoryError;
use crate::remember::owners::MemoryGate;
use crate::report::{WriteReport, WriteStatus};

/// A scratchpad that may be written to, or begun.
struct OpenPad<'l> {
    number: usize,
    path: NotePath,
    found: FoundFile<'l>,
    pad: Scratchpad,
    is_changed: bool,
}

/// A scratchpad that is not Memora's, and its number.
type TheirPad = (usize, Scratchpad);

impl MemoryGate<'_> {
    /// Appends tasks, a line each, or changes those with the same words.
    pub(super) fn write_tasks(
        &self,
        text: &str,
        operation: TaskOperation,
        band: Band,
    ) -> Result<WriteReport, MemoryError> {
        let lines = text
            .lines()
            .map(|line| line.trim().trim_start_matches("- [ ] ").trim_start_matches("- [x] ").trim_start_matches("- "));
        let wanted: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        let lock = self.folder.lock()?;
        let pads = Scratchpads { gate: self, band, lock: &lock };
        match operation {
            TaskOperation::Append => pads.append(&wanted),
            TaskOperation::Done | TaskOperation::Undo | TaskOperation::Remove => pads.change(&wanted, operation),
        }
    }
}

/// The scratchpads of a project, of one band, while nobody else writes.
struct Scratchpads<'g> {
    gate: &'g MemoryGate<'g>,
    band: Band,
    lock: &'g FolderLock,
}

impl<'g> Scratchpads<'g> {
    /// Appends to the first file that takes all of them.
    fn append(&self, wanted: &[&str]) -> Result<WriteReport, MemoryError> {
        if wanted.len() > OPEN_TASKS_MAX {
            return Ok(refused(Refusal::TooLong));
        }
        for number in 1..=FILES_MAX {
            let path = self.path(number)?;
            let found = self.gate.folder.find(&path, self.lock)?;
            let Some(mut pad) = open_pad(&found, self.band) else { continue };
            if pad.tasks().filter(|task| !task.done).count() + wanted.len() > OPEN_TASKS_MAX {
                continue;
            }
            for words in wanted {
                pad.append(&Task { done: false, words: (*words).to_owned() });
            }
            if self.gate.put(&path, &found, pad.document(), self.lock)? {
                return Ok(self.gate.written(&path, None, number));
            }
        }
        Err(MemoryError::Busy)
    }

    /// Changes tasks, all or none, in whichever files they stand. One in a file that is not Memora's is closed by a later line with
    /// the same words.
    fn change(&self, wanted: &[&str], operation: TaskOperation) -> Result<WriteReport, MemoryError> {
        let (mut pads, theirs) = self.read()?;
        for words in wanted {
            let mut is_found = false;
            for open in &mut pads {
                let is_here = open.pad.change(words, operation) > 0;
                open.is_changed |= is_here;
                is_found |= is_here;
            }
            let elsewhere = theirs.iter().rev().find(|(_, pad)| pad.has(words)).map(|(number, _)| *number);
            if !is_found
                && let Some(number) = elsewhere
                && let Some(open) = pads.iter_mut().find(|open| open.number > number)
            {
                open.pad.append(&Task { done: operation != TaskOperation::Undo, words: (*words).to_owned() });
                (open.is_changed, is_found) = (true, true);
            }
            if !is_found {
                return Ok(answered(
                    WriteStatus::NotFound,
                    "These words are no task's: memora_read shows memory:tasks.",
                ));
            }
        }
        let mut report = Err(MemoryError::Busy);
        for OpenPad { number, path, found, pad, .. } in pads.into_iter().filter(|open| open.is_changed) {
            if !self.gate.put(&path, &found, pad.document(), self.lock)? {
                return Err(MemoryError::Busy);
            }
            report = Ok(self.gate.written(&path, None, number));
        }
        report
    }

    /// The scratchpads that may be written to, the last of which is to be begun; and those that are not Memora's, by number.
    fn read(&self) -> Result<(Vec<OpenPad<'g>>, Vec<TheirPad>), MemoryError> {
        let (mut pads, mut theirs) = (Vec::new(), Vec::new());
        for number in 1..=FILES_MAX {
            let path = self.path(number)?;
            let found = self.gate.folder.find(&path, self.lock)?;
            let is_last = matches!(found, FoundFile::Missing);
            match open_pad(&found, self.band) {
                Some(pad) => pads.push(OpenPad { number, path, found, pad, is_changed: false }),
                None => {
                    let document = self.gate.read_document(&path).map(|(document, ..)| document);
                    theirs.extend(document.and_then(Scratchpad::from_document).map(|pad| (number, pad)));
                }
            }
            if is_last {
                break;
            }
        }
        Ok((pads, theirs))
    }

    fn path(&self, number: usize) -> Result<NotePath, MemoryError> {
        self.gate.numbered_path(&format!("{}/SCRATCHPAD", self.gate.project_scope().folder()), self.band, number)
    }
}

/// A scratchpad to write to; `None` for what is not Memora's, or no scratchpad.
fn open_pad(found: &FoundFile<'_>, band: Band) -> Option<Scratchpad> {
    match found {
        FoundFile::NotOurs => None,
        FoundFile::Missing => Some(Scratchpad::new(band)),
        FoundFile::Owned(owned) => Scratchpad::from_document(owned.document.clone()),
    }
}
