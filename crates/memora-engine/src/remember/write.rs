//! Writing to logs and notes.

use std::marker::PhantomData;

use jiff::civil::DateTime;
use memora_memory::{
    Document, LOG_BYTES_MAX, Log, MemoryId, Refusal, TaskOperation, WRITE_BYTES_MAX, clean_line, clean_text, gist,
    is_unclosed,
};
use memora_vault::{Band, NotePath, escape_heads, find_credentials};

use strum::EnumString;

use super::folder::{Changed, FolderLock, FoundFile};
use crate::read::capture::judge_citations;
use crate::remember::error::MemoryError;
use crate::remember::owners::MemoryGate;
use crate::remember::session::random_id;
use crate::report::{WriteReport, WriteStatus};

/// How many files of one name and number are tried.
pub(super) const FILES_MAX: usize = 1_000;

/// What is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum MemoryTarget {
    /// The day's log.
    Daily,
    /// The open tasks.
    Scratchpad,
    /// A reference note of its own.
    Note,
}

/// A request to write.
#[derive(Clone)]
pub struct WriteRequest {
    /// What is written to.
    pub target: MemoryTarget,
    /// The words.
    pub content: String,
    /// What is done with tasks.
    pub operation: TaskOperation,
    /// The title of an entry or of a note.
    pub title: Option<String>,
}

impl MemoryGate<'_> {
    /// Writes to a log, a scratchpad, a note, or items.
    pub(crate) fn write(&self, writing: &WriteRequest) -> Result<WriteReport, MemoryError> {
        let (content, cut) = cut_text(&writing.content);
        if content.trim().is_empty() {
            return Ok(refused(Refusal::TooShort));
        }
        let title = writing.title.as_deref().map(clean_line).unwrap_or_default();
        if !find_credentials(&content).is_empty() || !find_credentials(&title).is_empty() {
            return Ok(refused(Refusal::Credential));
        }
        if is_unclosed(&content) || is_unclosed(&title) {
            return Ok(refused(Refusal::Unreadable));
        }
        let text = escape_heads(&clean_text(&content)).into_owned();
        let Some(cited) = judge_citations(self.session, &text)? else { return Ok(refused(Refusal::Citation)) };
        let band = self.writer_band().join(cited);
        let report = match writing.target {
            MemoryTarget::Daily => self.append_entry(&title, &text, band),
            MemoryTarget::Scratchpad => self.write_tasks(&text, writing.operation, band),
            MemoryTarget::Note => self.write_note(&title, &text, band),
        }?;
        Ok(WriteReport { truncated: cut.then_some(content.len()), ..report })
    }

    /// Appends an entry to the day's log: to the first file of it that is Memora's and has room.
    pub(crate) fn append_entry(&self, title: &str, text: &str, band: Band) -> Result<WriteReport, MemoryError> {
        let (at, id) = (self.writer.at, random_id()?);
        let title = gist(&title.replace(['#', '^', '[', ']'], " "), 80);
        let scope = self.project_scope();
        let label = self.writer.project.clone().unwrap_or_else(|| "shared".to_owned());
        let name = format!("{}/episodic/{} {label}", scope.folder(), at.date());
        let lock = self.folder.lock()?;
        for number in 1..=FILES_MAX {
            let path = self.numbered_path(&name, band, number)?;
            let found = self.folder.find(&path, &lock)?;
            let mut log = match &found {
                FoundFile::NotOurs => continue,
                FoundFile::Owned(owned) if owned.len() + text.len() > LOG_BYTES_MAX => continue,
                FoundFile::Owned(owned) => match Log::from_document(owned.document.clone()) {
                    Some(log) => log,
                    None => continue,
                },
                FoundFile::Missing => Log::new(at.date(), band),
            };
            log.append(at.time(), &title, &self.by(), &id, text);
            if !self.is_read_as_log(&path, &log, band) {
                return Ok(refused(Refusal::Unreadable));
            }
            if self.put(&path, &found, log.document(), &lock)? {
                return Ok(self.written(&path, Some(&id), number));
            }
        }
        Err(MemoryError::Busy)
    }

    /// Whether the file is read as entries and nothing else, none of which hides another.
    fn is_read_as_log(&self, path: &NotePath, log: &Log, band: Band) -> bool {
        let (note, problems) = self.folder.parse(path, log.document());
        let entries = log.entries();
        problems.is_empty() && note.band() >= band && note.headings().len() == entries.len()
    }

    /// Writes a reference note: what any other machine's text is, a captured note.
    fn write_note(&self, title: &str, text: &str, band: Band) -> Result<WriteReport, MemoryError> {
        let id = random_id()?;
        let named = if title.is_empty() { text } else { title };
        let mut document = captured_document(&id, band, self.writer.at, &self.by());
        document.body = format!("{text}\n");
        let folder = format!("{}/notes", self.project_scope().folder());
        let path = self.name_note(&folder, named, &id, &mut document)?;
        let lock = self.folder.lock()?;
        match self.folder.create(&path, &document, &lock)? {
            true => Ok(self.written(&path, Some(&id), 1)),
            false => Err(MemoryError::Busy),
        }
    }

    /// Creates or replaces a file; `false` where something else stands there by now.
    pub(crate) fn put(
        &self,
        path: &NotePath,
        found: &FoundFile<'_>,
        document: &Document,
        lock: &FolderLock,
    ) -> Result<bool, MemoryError> {
        match found {
            FoundFile::Missing => self.folder.create(path, document, lock),
            FoundFile::Owned(owned) => Ok(self.folder.replace(owned, document)? == Changed::Done),
            FoundFile::NotOurs => Ok(false),
        }
    }

    /// The path of a file that may be continued in a next one. Each band has its own, so that no door learns of another's.
    pub(crate) fn numbered_path(&self, name: &str, band: Band, number: usize) -> Result<NotePath, MemoryError> {
        let band = if band == Band::Public { String::new() } else { format!(" {}", band.as_str()) };
        let number = if number == 1 { String::new() } else { format!(" {number}") };
        self.folder.note_path(&format!("{name}{band}{number}"))
    }

    pub(crate) fn written(&self, path: &NotePath, id: Option<&MemoryId>, number: usize) -> WriteReport {
        self.of.note_written(path);
        WriteReport {
            path: Some(path.as_str().to_owned()),
            id: id.map(ToString::to_string),
            continued: number > 1,
            ..answered(WriteStatus::Written, NOTHING_TO_DO)
        }
    }
}

/// Begins a reference note.
pub(super) fn captured_document(id: &MemoryId, band: Band, created: DateTime, by: &str) -> Document {
    let mut document = Document::new("captured");
    document.set_plain("id", id.as_str());
    document.set_privacy(band);
    document.set_time("created", created);
    document.set("by", by);
    document
}

/// What to do after a write that did all that it was asked to.
pub(super) const NOTHING_TO_DO: &str = "Nothing to do.";

pub(super) fn refused(refusal: Refusal) -> WriteReport {
    WriteReport { reason: Some(refusal), ..answered(WriteStatus::Refused, refusal.next()) }
}

/// What became of a write, and what to do next.
pub(super) fn answered(status: WriteStatus, next: impl Into<String>) -> WriteReport {
    WriteReport {
        status,
        path: None,
        id: None,
        reason: None,
        superseded: Vec::new(),
        truncated: None,
        continued: false,
        next: next.into(),
        door: PhantomData,
    }
}

/// Cuts a text at a character, if it is too long.
fn cut_text(text: &str) -> (String, bool) {
    if text.len() <= WRITE_BYTES_MAX {
        return (text.to_owned(), false);
    }
    (text.get(..text.floor_char_boundary(WRITE_BYTES_MAX)).unwrap_or_default().to_owned(), true)
}
