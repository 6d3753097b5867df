//! Writing to logs, scratchpads and notes, and changing items.

use std::collections::BTreeSet;

use memora_memory::{
    Document, HeldFor, Item, LOG_BYTES_MAX, Log, MemoryId, OPEN_TASKS_MAX, Refusal, Scratchpad, Task, TaskChange,
    WRITE_BYTES_MAX, check_content, clean_line, clean_text, gist, is_unclosed, item_name, reads_as_instruction,
};
use memora_redact::Door;
use memora_vault::{Band, Note, NotePath, find_credentials, link_key};

use super::folder::{Changed, FolderLock, FoundFile};
use super::{FoundItem, Memories, MemoryError, SaveRequest, random_id};
use crate::capture::judge_citations;
use crate::report::{SaveStatus, WriteReport, WriteStatus};

/// How many files of one name and number are tried.
const FILES_MAX: usize = 1_000;

/// What is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryTarget {
    /// The day's log.
    Daily,
    /// The open tasks.
    Scratchpad,
    /// A reference note of its own.
    Note,
    /// Items, one a line.
    LongTerm,
}

/// What is done with the lines of a scratchpad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TaskOperation {
    /// They are new tasks.
    #[default]
    Append,
    /// These tasks are done.
    Done,
    /// They are open again.
    Undo,
    /// They go.
    Remove,
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

/// A change of an item.
#[derive(Clone)]
pub enum ItemChange {
    /// New words, in an item that supersedes it.
    Content(String),
    /// Words of it that stand there once, and those in their place.
    Replace {
        /// The words now.
        old: String,
        /// The words then.
        new: String,
    },
    /// How it went to do what it says: whether it worked.
    Outcome(bool),
}

impl<D: Door> Memories<'_, D> {
    /// Writes to a log, a scratchpad, a note, or items.
    ///
    /// # Errors
    /// [`MemoryError`].
    pub fn write(&self, writing: &WriteRequest) -> Result<WriteReport<D>, MemoryError> {
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
        let text = clean_text(&content);
        let Some(cited) = judge_citations(self.session, &text)? else { return Ok(refused(Refusal::Citation)) };
        let band = self.writer_band().join(cited);
        let report = match writing.target {
            MemoryTarget::Daily => self.append_entry(&title, &text, band),
            MemoryTarget::Scratchpad => self.change_tasks(&text, writing.operation, band),
            MemoryTarget::Note => self.write_note(&title, &text, band),
            MemoryTarget::LongTerm => self.save_lines(&text),
        }?;
        Ok(WriteReport { truncated: cut.then_some(content.len()), ..report })
    }

    /// Appends an entry to the day's log: to the first file of it that is Memora's and has room.
    fn append_entry(&self, title: &str, text: &str, band: Band) -> Result<WriteReport<D>, MemoryError> {
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
        let place = self.session.memora.vault.path_context(path);
        let (note, problems) = Note::parse(path.clone(), self.folder.key().seal(log.document()), place);
        let entries = log.entries();
        problems.is_empty() && note.band() >= band && note.headings().len() == entries.len()
    }

    /// Changes tasks. One that stands in a file that is not Memora's is closed by a later line with the same words.
    fn change_tasks(&self, text: &str, operation: TaskOperation, band: Band) -> Result<WriteReport<D>, MemoryError> {
        let wanted: Vec<String> = (text.lines())
            .map(|line| line.trim().trim_start_matches("- [ ] ").trim_start_matches("- [x] ").trim_start_matches("- "))
            .map(str::to_owned)
            .filter(|line| !line.is_empty())
            .collect();
        let name = format!("{}/SCRATCHPAD", self.project_scope().folder());
        let lock = self.folder.lock()?;
        'file: for number in 1..=FILES_MAX {
            let path = self.numbered_path(&name, band, number)?;
            let found = self.folder.find(&path, &lock)?;
            let mut pad = match &found {
                FoundFile::NotOurs => continue,
                FoundFile::Missing => Scratchpad::new(band),
                FoundFile::Owned(owned) => match Scratchpad::from_document(owned.document.clone()) {
                    Some(pad) => pad,
                    None => continue,
                },
            };
            let before = self.read_tasks(band, number)?;
            for words in &wanted {
                let change = match operation {
                    TaskOperation::Append => {
                        if pad.tasks().filter(|task| !task.done).count() >= OPEN_TASKS_MAX {
                            continue 'file;
                        }
                        pad.append(&Task { done: false, words: words.clone() });
                        continue;
                    }
                    TaskOperation::Done => TaskChange::Done,
                    TaskOperation::Undo => TaskChange::Undo,
                    TaskOperation::Remove => TaskChange::Remove,
                };
                let here = pad.change(words, change);
                if here == 0 && before.iter().any(|task| task.words.eq_ignore_ascii_case(words)) {
                    pad.append(&Task { done: change != TaskChange::Undo, words: words.clone() });
                } else if here == 0 {
                    return Ok(
                        WriteReport { status: WriteStatus::NotFound, ..refused(Refusal::TooShort) }.without_reason()
                    );
                }
            }
            if self.put(&path, &found, pad.document(), &lock)? {
                return Ok(self.written(&path, None, number));
            }
        }
        Err(MemoryError::Busy)
    }

    /// The tasks in the files before this one.
    fn read_tasks(&self, band: Band, before: usize) -> Result<Vec<Task>, MemoryError> {
        let name = format!("{}/SCRATCHPAD", self.project_scope().folder());
        let mut pads = Vec::new();
        for number in 1..before {
            let path = self.numbered_path(&name, band, number)?;
            let document = self.read_document(&path).map(|(document, ..)| document);
            pads.extend(document.and_then(Scratchpad::from_document));
        }
        Ok(Scratchpad::join_tasks(&pads))
    }

    /// Writes a reference note: what any other machine's text is, a captured note.
    fn write_note(&self, title: &str, text: &str, band: Band) -> Result<WriteReport<D>, MemoryError> {
        let id = random_id()?;
        let named = if title.is_empty() { text } else { title };
        let inside = format!("{}/notes/{}", self.project_scope().folder(), item_name(named, &id));
        let path = self.folder.note_path(&inside)?;
        let mut document = Document::new("captured");
        document.set_plain("id", id.as_str());
        if band != Band::Public {
            document.set_plain("privacy", band.as_str());
        }
        document.set_plain("created", &self.writer.at.strftime("%Y-%m-%dT%H:%M:%S").to_string());
        document.set("by", &self.by());
        document.body = format!("{text}\n");
        let lock = self.folder.lock()?;
        match self.folder.create(&path, &self.folder.key().seal(&document), &lock)? {
            true => Ok(self.written(&path, Some(&id), 1)),
            false => Err(MemoryError::Busy),
        }
    }

    /// Saves each line as an item.
    fn save_lines(&self, text: &str) -> Result<WriteReport<D>, MemoryError> {
        let (mut saved, mut skipped, mut last) = (None, 0, None);
        for line in text.lines().map(|line| line.trim_start_matches("- ").trim()).filter(|line| !line.is_empty()) {
            let report = self.save(&SaveRequest { content: line.to_owned(), ..SaveRequest::default() })?;
            match report.status {
                SaveStatus::Saved | SaveStatus::Held | SaveStatus::Conflict => saved = Some(report),
                SaveStatus::Known | SaveStatus::Duplicate | SaveStatus::Refused | SaveStatus::Unknown => {
                    skipped += 1;
                    last = report.reason;
                }
            }
        }
        Ok(match saved {
            Some(report) => WriteReport {
                status: WriteStatus::Written,
                path: report.path,
                id: report.id,
                reason: None,
                skipped,
                ..refused(Refusal::TooShort)
            },
            None => WriteReport { skipped, ..refused(last.unwrap_or(Refusal::TooShort)) },
        })
    }

    /// Changes an item of Memora's; beside one that a person edited, a new one that supersedes it.
    ///
    /// # Errors
    /// [`MemoryError`].
    pub fn update(&self, id: &MemoryId, change: &ItemChange) -> Result<WriteReport<D>, MemoryError> {
        let missing = || WriteReport { status: WriteStatus::Unknown, ..refused(Refusal::TooShort) }.without_reason();
        let Some(found) = self.find_item(id)? else { return Ok(missing()) };
        let (text, in_place) = match change {
            ItemChange::Outcome(worked) => return self.record_outcome(&found, *worked),
            ItemChange::Content(text) => (text.clone(), false),
            ItemChange::Replace { old, new } => {
                let words = self.words_with_citations(&found);
                if old.is_empty() || words.matches(old.as_str()).count() != 1 {
                    return Ok(WriteReport { status: WriteStatus::NotFound, ..missing() });
                }
                (words.replacen(old.as_str(), new, 1), true)
            }
        };
        if in_place {
            let text = clean_text(&text);
            if let Err(refusal) = check_content(&text, self.writer.agent.is_none()) {
                return Ok(refused(refusal));
            }
            let Some(cited) = judge_citations(self.session, &text)? else { return Ok(refused(Refusal::Citation)) };
            let lock = self.folder.lock()?;
            let FoundFile::Owned(owned) = self.folder.find(&found.path, &lock)? else {
                return Ok(WriteReport { status: WriteStatus::NotOwned, ..missing() });
            };
            let Some(item) = Item::from_document(&owned.document) else { return Ok(missing()) };
            if self.writer.agent.is_some() && self.is_users_word(&item) {
                return Ok(WriteReport { status: WriteStatus::NotOwned, ..missing() });
            }
            let privacy = [self.writer_band(), cited].into_iter().fold(item.privacy, Band::join);
            let orders = self.writer.agent.is_some() && reads_as_instruction(item.kind, &text);
            let held = item.held.or(orders.then_some(HeldFor::Instruction));
            // What the user added to the file stays.
            let mut document = owned.document.clone();
            document.body = format!("{text}\n");
            if privacy != item.privacy {
                document.set_plain("privacy", privacy.as_str());
            }
            if let Some(held) = held.filter(|_| item.held.is_none()) {
                document.set_plain("held", held.as_str());
            }
            let note = Note::parse(
                owned.path().clone(),
                document.print(),
                self.session.memora.vault.path_context(owned.path()),
            );
            if !note.1.is_empty() || !note.0.headings().is_empty() {
                return Ok(refused(Refusal::Unreadable));
            }
            return match self.folder.replace(&owned, &document)? {
                Changed::Done => Ok(self.written(&found.path, Some(id), 1)),
                Changed::Overtaken => Ok(WriteReport { status: WriteStatus::NotOwned, ..missing() }),
            };
        }
        let item = found.item;
        let saving = SaveRequest {
            content: text,
            kind: item.kind,
            entity: item.entity,
            domain: item.domain,
            tags: item.tags,
            privacy: item.privacy,
            supersedes: Some(id.clone()),
            ..SaveRequest::default()
        };
        let report = self.save(&saving)?;
        let written = matches!(report.status, SaveStatus::Saved | SaveStatus::Held | SaveStatus::Conflict);
        Ok(WriteReport {
            status: if written { WriteStatus::Written } else { WriteStatus::Refused },
            path: report.path,
            id: report.id,
            reason: report.reason,
            superseded: report.superseded,
            ..missing()
        })
    }

    /// Writes into the day's log how it went to do what an item says. The item stays as it is.
    fn record_outcome(&self, found: &FoundItem, worked: bool) -> Result<WriteReport<D>, MemoryError> {
        if self.is_archived(&found.path) {
            return Ok(WriteReport { status: WriteStatus::Unknown, ..refused(Refusal::TooShort) }.without_reason());
        }
        let line = outcome_line(found.path.stem(), worked);
        // The item's name has its words.
        self.append_entry("Outcome", &line, self.writer_band().join(found.band))
    }

    /// How often it was told how it went to do what an item says, and how often it worked.
    pub(super) fn count_outcomes(&self, found: &FoundItem) -> Result<(usize, usize), MemoryError> {
        let stem = found.path.stem();
        let keys = BTreeSet::from([link_key(stem)]);
        let links = self.session.snapshot.links_with_target(&keys, self.session.door.strictest_band())?;
        let mut paths: BTreeSet<NotePath> = links.into_iter().map(|link| link.place.note).collect();
        paths.extend(self.of.written());
        let (worked, failed) = (outcome_line(stem, true), outcome_line(stem, false));
        let (mut good, mut all) = (0, 0);
        for (document, ..) in paths.iter().filter_map(|path| self.read_document(path)) {
            let entries = Log::from_document(document).map(|log| log.entries()).unwrap_or_default();
            for line in entries.iter().flat_map(|entry| entry.text.lines()).map(str::trim) {
                good += usize::from(line == worked);
                all += usize::from(line == worked || line == failed);
            }
        }
        Ok((good, all))
    }

    /// Creates or replaces a file; `false` where something else stands there by now.
    pub(super) fn put(
        &self,
        path: &NotePath,
        found: &FoundFile<'_>,
        document: &Document,
        lock: &FolderLock,
    ) -> Result<bool, MemoryError> {
        match found {
            FoundFile::Missing => self.folder.create(path, &self.folder.key().seal(document), lock),
            FoundFile::Owned(owned) => Ok(self.folder.replace(owned, document)? == Changed::Done),
            FoundFile::NotOurs => Ok(false),
        }
    }

    /// The path of a file that may be continued in a next one. Each band has its own, so that no door learns of another's.
    pub(super) fn numbered_path(&self, name: &str, band: Band, number: usize) -> Result<NotePath, MemoryError> {
        let band = if band == Band::Public { String::new() } else { format!(" {}", band.as_str()) };
        let number = if number == 1 { String::new() } else { format!(" {number}") };
        self.folder.note_path(&format!("{name}{band}{number}"))
    }

    pub(super) fn written(&self, path: &NotePath, id: Option<&MemoryId>, number: usize) -> WriteReport<D> {
        self.of.note_written(path);
        WriteReport {
            status: WriteStatus::Written,
            path: Some(path.as_str().to_owned()),
            id: id.map(ToString::to_string),
            continued: number > 1,
            ..refused(Refusal::TooShort)
        }
        .without_reason()
    }
}

/// The line of a log that tells how it went.
fn outcome_line(stem: &str, worked: bool) -> String {
    format!("- Outcome: {} [[{stem}]]", if worked { "ok" } else { "failed" })
}

pub(super) fn refused<D>(refusal: Refusal) -> WriteReport<D> {
    WriteReport {
        status: WriteStatus::Refused,
        path: None,
        id: None,
        reason: Some(refusal),
        superseded: Vec::new(),
        truncated: None,
        continued: false,
        skipped: 0,
        door: std::marker::PhantomData,
    }
}

/// Cuts a text at a character, if it is too long.
fn cut_text(text: &str) -> (String, bool) {
    if text.len() <= WRITE_BYTES_MAX {
        return (text.to_owned(), false);
    }
    (text.get(..text.floor_char_boundary(WRITE_BYTES_MAX)).unwrap_or_default().to_owned(), true)
}
