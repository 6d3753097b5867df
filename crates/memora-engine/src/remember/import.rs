//! Memories of other programs, through the gates of a save.
//!
//! What is imported is data: it counts as a tool's output, which no session begins with, unless the user vouches for it. Each
//! file says where it came from, so that a second import brings nothing new, and an item that another program changed since
//! replaces the older one.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use memora_memory::{
    BadRecord, ForeignFact, ForeignNote, ForeignRecord, ForeignSession, ForeignTime, IMPORTED_FROM, ImportFormat,
    ImportKey, Kind, MemoryId, Origin, SessionNote, WRITE_BYTES_MAX, clean_line, clean_text, is_unclosed, read_foreign,
    reads_file,
};
use memora_redact::strip_citation_markers;
use memora_vault::{Band, NotePath, find_credentials};

use super::export::Restoring;
use super::folder::FoundFile;
use super::naming::{is_named_by_id, set_alias};
use super::save::ImportedItem;
use super::session_note::{SessionWritten, id_of_session};
use super::write::captured_document;
use super::{SaveRequest, find_project};
use crate::remember::counter::Counter;
use crate::remember::error::{ImportError, MemoryError};
use crate::remember::owners::MemoryTransfer;
use crate::remember::session::random_id;
use crate::report::{ImportReport, SaveStatus};

/// How deep a folder is read.
const DEPTH_MAX: usize = 12;

/// What is imported, and how.
#[derive(Clone)]
pub struct ImportRequest {
    /// Whose memories they are; `None` for an export of Memora's own.
    pub format: Option<ImportFormat>,
    /// How guarded they are at least. An export of Memora's own has its bands.
    pub band: Band,
    /// Whether the user vouches for them.
    pub trusted: bool,
    /// Whether nothing is written.
    pub dry_run: bool,
    /// The zone of the user's local time.
    pub zone: TimeZone,
}

/// Where it is read from.
pub enum ImportSource<'r> {
    /// A file or a folder.
    Path(&'r Path),
    /// A stream.
    Stream(&'r mut dyn BufRead),
}

/// What was imported before, and what this import has met.
#[derive(Default)]
struct Known {
    keys: HashMap<ImportKey, KnownItem>,
    /// The item of a record that none superseded.
    records: HashMap<String, KnownItem>,
    sessions: HashMap<MemoryId, NotePath>,
    met: HashSet<ImportKey>,
}

impl Known {
    /// Counts a record; `false` for one that this import met: the same words twice in one export are one record.
    fn meet(&mut self, key: &ImportKey, counter: &mut Counter) -> bool {
        let is_new = self.met.insert(key.clone());
        counter.report.records += usize::from(is_new);
        is_new
    }

    /// What was imported of a record before, in these words or in others.
    fn find_older(&self, key: &ImportKey) -> Option<&KnownItem> {
        self.keys.get(key).or_else(|| self.records.get(key.record()?))
    }
}

/// An item or a note that was imported before.
#[derive(Clone)]
struct KnownItem {
    path: NotePath,
    id: Option<MemoryId>,
    origin: Origin,
    archived: bool,
}

impl MemoryTransfer<'_> {
    /// Imports memories.
    ///
    /// # Errors
    /// [`ImportError`]; what was imported before it stays.
    pub fn import(&self, from: ImportSource<'_>, asked: &ImportRequest) -> Result<ImportReport, ImportError> {
        let mut counter = Counter::default();
        counter.report.from = asked.format.map_or_else(|| "memora".to_owned(), ImportFormat::program);
        counter.report.dry_run = asked.dry_run;
        let mut known = self.find_known();
        let mut read = |name: &str, from: &mut dyn BufRead| {
            counter.report.files += 1;
            let Some(format) = asked.format else {
                let restoring = Restoring { trusted: asked.trusted, dry_run: asked.dry_run };
                return self.restore_export(name, from, restoring, &mut counter);
            };
            read_foreign(format, name, from, &mut |record| match record {
                Ok(record) => {
                    let done = self.import_record(format, record, asked, &mut known, &mut counter);
                    counter.pass_record(done)
                }
                Err(BadRecord { number, fault }) => {
                    counter.count_fault(name, number, fault);
                    Ok(())
                }
            })
        };
        match from {
            ImportSource::Stream(from) => read("standard input", from)?,
            ImportSource::Path(path) => {
                for (name, file) in list_sources(asked.format, path)? {
                    read(&name, &mut BufReader::with_capacity(1 << 16, File::open(file)?))?;
                }
            }
        }
        Ok(counter.into_report())
    }

    fn find_known(&self) -> Known {
        let (mut known, mut ended, mut records) = (Known::default(), HashSet::new(), Vec::new());
        for path in self.folder.list("") {
            let Some(document) = self.read_whole(&path) else { continue };
            let id = document.text("id").and_then(|id| MemoryId::parse(&id));
            if document.memora().as_deref() == Some("session") {
                known.sessions.extend(id.map(|id| (id, path)));
                continue;
            }
            ended.extend(document.texts("supersedes").into_iter().map(|link| link.trim_matches(['[', ']']).to_owned()));
            let Some(key) = document.text(IMPORTED_FROM).map(|key| ImportKey::from_property(&key)) else { continue };
            let origin = document.text("origin").and_then(|origin| origin.parse().ok()).unwrap_or(Origin::ToolOutput);
            let archived = self.is_archived(&path);
            let item = KnownItem { path, id, origin, archived };
            records.push((key.clone(), item.clone()));
            if known.keys.get(&key).is_none_or(|there| there.origin <= item.origin) {
                known.keys.insert(key, item);
            }
        }
        for (key, item) in records {
            if let Some(record) = key.record().filter(|_| !ended.contains(item.path.stem())) {
                known.records.insert(record.to_owned(), item);
            }
        }
        known
    }

    fn import_record(
        &self,
        format: ImportFormat,
        record: ForeignRecord,
        asked: &ImportRequest,
        known: &mut Known,
        counter: &mut Counter,
    ) -> Result<(), MemoryError> {
        let program = format.program();
        match record {
            ForeignRecord::Fact(fact) => self.import_new_fact(&program, &fact, asked, known, counter),
            ForeignRecord::Note(note) => {
                let key = ImportKey::new(&program, Some(&note.id), &note.text);
                if !known.meet(&key, counter) {
                    return Ok(());
                }
                if known.keys.contains_key(&key) {
                    counter.report.already += 1;
                    return Ok(());
                }
                self.import_note(format, &note, &key, known.find_older(&key), asked, counter)
            }
            ForeignRecord::Session(session) => {
                let key = ImportKey::new(&program, Some(&session.id), "");
                if !known.meet(&key, counter) {
                    return Ok(());
                }
                self.import_session(format, &session, asked, known, counter)
            }
        }
    }

    /// Imports memories of a program that is no file.
    ///
    /// # Errors
    /// [`ImportError`]; what was imported before it stays.
    pub(crate) fn import_facts(
        &self,
        program: &str,
        facts: impl Iterator<Item = ForeignFact>,
        asked: &ImportRequest,
    ) -> Result<ImportReport, ImportError> {
        let mut counter = Counter::default();
        counter.report.from = program.to_owned();
        let mut known = self.find_known();
        for fact in facts {
            let done = self.import_new_fact(program, &fact, asked, &mut known, &mut counter);
            counter.pass_record(done)?;
        }
        Ok(counter.into_report())
    }

    /// Imports a memory, unless this import or one before it met it, or it was forgotten here.
    fn import_new_fact(
        &self,
        program: &str,
        fact: &ForeignFact,
        asked: &ImportRequest,
        known: &mut Known,
        counter: &mut Counter,
    ) -> Result<(), MemoryError> {
        let key = ImportKey::new(program, fact.id.as_deref(), &fact.whole_text());
        if !known.meet(&key, counter) {
            return Ok(());
        }
        let (same, older) = (known.keys.get(&key), known.find_older(&key));
        let origin = if asked.trusted { fact.origin } else { Origin::ToolOutput };
        // It is the same, or was forgotten here: then a change elsewhere does not bring it back.
        if same.is_some_and(|same| same.origin >= origin) || older.is_some_and(|older| older.archived) {
            counter.report.already += 1;
            return Ok(());
        }
        let created = self.time_of(fact.created, asked);
        let imported = ImportedItem { by: program.to_owned(), origin, created, key };
        self.import_fact(fact, &imported, older.and_then(|older| older.id.clone()), asked, counter)
    }

    fn import_fact(
        &self,
        fact: &ForeignFact,
        imported: &ImportedItem,
        older: Option<MemoryId>,
        asked: &ImportRequest,
        counter: &mut Counter,
    ) -> Result<(), MemoryError> {
        let replaces = older.is_some();
        let saving = SaveRequest {
            content: strip_citation_markers(&fact.whole_text()),
            kind: if fact.kind == Kind::Event { Kind::Knowledge } else { fact.kind },
            entity: fact.entity.clone(),
            tags: fact.tags.clone(),
            privacy: asked.band,
            supersedes: older,
            ..SaveRequest::default()
        };
        let report = self.gate().save_imported(&saving, imported, asked.dry_run)?;
        let counts = &mut counter.report;
        match report.status {
            SaveStatus::Saved if replaces => counts.updated += 1,
            SaveStatus::Saved => counts.saved += 1,
            SaveStatus::Held | SaveStatus::Conflict => {
                counts.saved += 1;
                counts.held += 1;
            }
            SaveStatus::Known | SaveStatus::Duplicate => counts.known += 1,
            SaveStatus::Refused | SaveStatus::Unknown => {
                counter.refuse(report.reason.map_or("unknown", |reason| reason.as_str()));
            }
        }
        Ok(())
    }

    /// A text of some length becomes a note of reference, as an agent's would; one that grew since replaces what it was.
    fn import_note(
        &self,
        format: ImportFormat,
        note: &ForeignNote,
        key: &ImportKey,
        older: Option<&KnownItem>,
        asked: &ImportRequest,
        counter: &mut Counter,
    ) -> Result<(), MemoryError> {
        let (title, text) = (clean_line(&note.title), clean_text(&strip_citation_markers(&note.text)));
        if text.len() > WRITE_BYTES_MAX {
            counter.refuse("too_long");
            return Ok(());
        }
        if !find_credentials(&text).is_empty() || !find_credentials(&title).is_empty() {
            counter.refuse("credential");
            return Ok(());
        }
        // A fact with the same key stays a memory.
        let older = older.filter(|older| self.read_item(&older.path).is_none());
        let id = match older.and_then(|older| older.id.clone()) {
            Some(id) => id,
            None => random_id()?,
        };
        let created = self.time_of(note.created, asked);
        let mut document = captured_document(&id, asked.band, created, &format.program());
        document.set(IMPORTED_FROM, key.as_str());
        document.body = format!("{text}\n");
        let path = match older {
            Some(older) => older.path.clone(),
            None => self.gate().name_note(
                &format!("{}/notes", self.project_scope().folder()),
                &title,
                &id,
                &mut document,
            )?,
        };
        // It is called by its title as before.
        if older.is_some() && is_named_by_id(&path) {
            set_alias(&mut document, &title);
        }
        let (read, problems) = self.folder.parse(&path, &document);
        if is_unclosed(&text) || !problems.is_empty() || read.band() < asked.band {
            counter.refuse("unreadable");
            return Ok(());
        }
        let lock = self.folder.lock()?;
        let found = self.folder.find(&path, &lock)?;
        if matches!(found, FoundFile::NotOurs) || !asked.dry_run && !self.gate().put(&path, &found, &document, &lock)? {
            counter.refuse("not_owned");
            return Ok(());
        }
        if !asked.dry_run {
            self.of.note_written(&path);
        }
        match found {
            FoundFile::Owned(_) => counter.report.updated += 1,
            FoundFile::Missing | FoundFile::NotOurs => counter.report.saved += 1,
        }
        Ok(())
    }

    /// A conversation becomes the note of a session.
    fn import_session(
        &self,
        format: ImportFormat,
        session: &ForeignSession,
        asked: &ImportRequest,
        known: &Known,
        counter: &mut Counter,
    ) -> Result<(), MemoryError> {
        // A hook writes the notes of these programs' sessions by the same id.
        let id = match format {
            ImportFormat::ClaudeCode | ImportFormat::Codex => id_of_session(&session.id),
            _ => id_of_session(&format!("{} {}", format.program(), session.id)),
        };
        let of_folder = || session.folder.as_deref().and_then(|folder| find_project(Path::new(folder)));
        let project = self.writer.project.clone().or_else(of_folder);
        let note =
            SessionNote { id, by: format.program(), created: self.time_of(session.started, asked), band: asked.band };
        let mut there = known.sessions.get(&note.id).cloned();
        // What was digested is not told again, unless the session went on.
        if let Some(path) = there.as_ref().filter(|path| self.is_archived(path)) {
            let messages = self.read_whole(path).and_then(|document| document.text("messages")?.parse::<usize>().ok());
            if messages.is_some_and(|count| count >= session.transcript.message_count()) {
                counter.report.already += 1;
                return Ok(());
            }
            there = None;
        }
        let tries = asked.dry_run;
        let (written, path) = self.gate().put_session(&note, project.as_deref(), there, &session.transcript, tries)?;
        match written {
            SessionWritten::Created => counter.report.saved += 1,
            SessionWritten::Replaced => counter.report.updated += 1,
            SessionWritten::Unchanged => counter.report.already += 1,
            SessionWritten::NotOwned => counter.refuse("not_owned"),
            SessionWritten::Unreadable => counter.refuse("unreadable"),
        }
        if !tries && matches!(written, SessionWritten::Created | SessionWritten::Replaced) {
            self.of.note_written(&path);
        }
        Ok(())
    }

    /// The local time of a record; never after now.
    fn time_of(&self, time: Option<ForeignTime>, asked: &ImportRequest) -> jiff::civil::DateTime {
        let now = self.writer.at;
        let told = time.map_or(now, |time| time.to_local(&asked.zone)).min(now);
        told.with().subsec_nanosecond(0).build().unwrap_or(told)
    }
}

/// The files that are read: the one that is named, or those of a folder that a format has, by name. Links are not followed.
fn list_sources(format: Option<ImportFormat>, path: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let name_of = |path: &Path| {
        let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        parts.join("/")
    };
    if !fs::metadata(path)?.is_dir() {
        // The folder that a file lies in says what it is.
        let absolute = fs::canonicalize(path)?;
        let parts: Vec<_> = absolute.iter().map(|part| part.to_string_lossy()).collect();
        let name = parts.get(parts.len().saturating_sub(2)..).unwrap_or_default().join("/");
        return Ok(vec![(name, path.to_owned())]);
    }
    let mut found = Vec::new();
    let mut due = vec![(path.to_owned(), 0)];
    while let Some((folder, depth)) = due.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let (kind, file) = (entry.file_type()?, entry.path());
            let is_of_others = matches!(entry.file_name().to_str(), Some(".git" | "node_modules"));
            if kind.is_dir() && depth < DEPTH_MAX && !is_of_others {
                due.push((file, depth + 1));
            } else if kind.is_file() {
                let name = name_of(file.strip_prefix(path).unwrap_or(&file));
                let reads = match format {
                    Some(format) => reads_file(format, &name),
                    None => name.ends_with(".jsonl"),
                };
                if reads {
                    found.push((name, file));
                }
            }
        }
    }
    found.sort();
    Ok(found)
}
