//! Memories of other programs, through the gates of a save.
//!
//! What is imported is data: it counts as a tool's output, which no session begins with, unless the user vouches for it. Each
//! file says where it came from, so that a second import brings nothing new, and an item that another program changed since
//! replaces the older one.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use jiff::civil::DateTime;
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
use crate::remember::counter::{Counter, Imported};
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

/// An import as it goes on.
struct Importer<'i> {
    transfer: &'i MemoryTransfer<'i>,
    /// The program, as it is written in files.
    program: String,
    asked: &'i ImportRequest,
    known: Known,
    counter: Counter,
}

impl MemoryTransfer<'_> {
    /// Imports memories.
    ///
    /// # Errors
    /// [`ImportError`]; what was imported before it stays.
    pub fn import(&self, from: ImportSource<'_>, asked: &ImportRequest) -> Result<ImportReport, ImportError> {
        let program = asked.format.map_or_else(|| "memora".to_owned(), ImportFormat::program);
        let mut importer = Importer::new(self, program, asked);
        match from {
            ImportSource::Stream(from) => importer.read_file("standard input", from)?,
            ImportSource::Path(path) => {
                for (name, file) in list_sources(asked.format, path)? {
                    importer.read_file(&name, &mut BufReader::with_capacity(1 << 16, File::open(file)?))?;
                }
            }
        }
        Ok(importer.counter.into_report())
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
        let mut importer = Importer::new(self, program.to_owned(), asked);
        for fact in facts {
            let done = importer.import_fact(&fact);
            importer.counter.count(done)?;
        }
        Ok(importer.counter.into_report())
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
}

impl<'i> Importer<'i> {
    fn new(transfer: &'i MemoryTransfer<'i>, program: String, asked: &'i ImportRequest) -> Self {
        let mut counter = Counter::default();
        counter.report.from = program.clone();
        counter.report.dry_run = asked.dry_run;
        Self { transfer, program, asked, known: transfer.find_known(), counter }
    }

    fn read_file(&mut self, name: &str, from: &mut dyn BufRead) -> Result<(), ImportError> {
        self.counter.report.files += 1;
        let Some(format) = self.asked.format else {
            let restoring = Restoring { trusted: self.asked.trusted, dry_run: self.asked.dry_run };
            return self.transfer.restore_export(name, from, restoring, &mut self.counter);
        };
        read_foreign(format, name, from, &mut |record| match record {
            Ok(record) => {
                let done = self.import_record(format, record);
                self.counter.count(done)
            }
            Err(BadRecord { number, fault }) => {
                self.counter.count_fault(name, number, fault);
                Ok(())
            }
        })
    }

    fn import_record(&mut self, format: ImportFormat, record: ForeignRecord) -> Result<Imported, MemoryError> {
        match record {
            ForeignRecord::Fact(fact) => self.import_fact(&fact),
            ForeignRecord::Note(note) => self.import_note(&note),
            ForeignRecord::Session(session) => self.import_session(format, &session),
        }
    }

    /// Imports a memory, unless this import or one before it met it, or it was forgotten here.
    fn import_fact(&mut self, fact: &ForeignFact) -> Result<Imported, MemoryError> {
        let key = ImportKey::new(&self.program, fact.id.as_deref(), &fact.whole_text());
        if !self.known.met.insert(key.clone()) {
            return Ok(Imported::Met);
        }
        let (same, older) = (self.known.keys.get(&key), self.known.find_older(&key));
        let origin = if self.asked.trusted { fact.origin } else { Origin::ToolOutput };
        // It is the same, or was forgotten here: then a change elsewhere does not bring it back.
        if same.is_some_and(|same| same.origin >= origin) || older.is_some_and(|older| older.archived) {
            return Ok(Imported::Already);
        }
        let saving = SaveRequest {
            content: strip_citation_markers(&fact.whole_text()),
            kind: if fact.kind == Kind::Event { Kind::Knowledge } else { fact.kind },
            entity: fact.entity.clone(),
            tags: fact.tags.clone(),
            privacy: self.asked.band,
            supersedes: older.and_then(|older| older.id.clone()),
            ..SaveRequest::default()
        };
        let imported = ImportedItem { by: self.program.clone(), origin, created: self.time_of(fact.created), key };
        let report = self.transfer.gate().save_imported(&saving, &imported, self.asked.dry_run)?;
        Ok(match report.status {
            SaveStatus::Saved if saving.supersedes.is_some() => Imported::Updated,
            SaveStatus::Saved => Imported::Saved,
            SaveStatus::Held | SaveStatus::Conflict => Imported::Held,
            SaveStatus::Known | SaveStatus::Duplicate => Imported::Known,
            SaveStatus::Refused | SaveStatus::Unknown => {
                Imported::Refused(report.reason.map_or("unknown", |reason| reason.as_str()))
            }
        })
    }

    /// A text of some length becomes a note of reference, as an agent's would; one that grew since replaces what it was.
    fn import_note(&mut self, note: &ForeignNote) -> Result<Imported, MemoryError> {
        let (memories, asked) = (self.transfer, self.asked);
        let key = ImportKey::new(&self.program, Some(&note.id), &note.text);
        if !self.known.met.insert(key.clone()) {
            return Ok(Imported::Met);
        }
        if self.known.keys.contains_key(&key) {
            return Ok(Imported::Already);
        }
        let (title, text) = (clean_line(&note.title), clean_text(&strip_citation_markers(&note.text)));
        if text.len() > WRITE_BYTES_MAX {
            return Ok(Imported::Refused("too_long"));
        }
        if !find_credentials(&text).is_empty() || !find_credentials(&title).is_empty() {
            return Ok(Imported::Refused("credential"));
        }
        // A fact with the same key stays a memory.
        let older = self.known.find_older(&key).filter(|older| memories.read_item(&older.path).is_none());
        let id = match older.and_then(|older| older.id.clone()) {
            Some(id) => id,
            None => random_id()?,
        };
        let created = self.time_of(note.created);
        let mut document = captured_document(&id, asked.band, created, &self.program);
        document.set(IMPORTED_FROM, key.as_str());
        document.body = format!("{text}\n");
        let path = match older {
            Some(older) => older.path.clone(),
            None => {
                let folder = format!("{}/notes", memories.project_scope().folder());
                memories.gate().name_note(&folder, &title, &id, &mut document)?
            }
        };
        // It is called by its title as before.
        if older.is_some() && is_named_by_id(&path) {
            set_alias(&mut document, &title);
        }
        let (read, problems) = memories.folder.parse(&path, &document);
        if is_unclosed(&text) || !problems.is_empty() || read.band() < asked.band {
            return Ok(Imported::Refused("unreadable"));
        }
        let lock = memories.folder.lock()?;
        let found = memories.folder.find(&path, &lock)?;
        if matches!(found, FoundFile::NotOurs)
            || !asked.dry_run && !memories.gate().put(&path, &found, &document, &lock)?
        {
            return Ok(Imported::Refused("not_owned"));
        }
        if !asked.dry_run {
            memories.of.note_written(&path);
        }
        Ok(if matches!(found, FoundFile::Owned(_)) { Imported::Updated } else { Imported::Saved })
    }

    /// A conversation becomes the note of a session.
    fn import_session(&mut self, format: ImportFormat, session: &ForeignSession) -> Result<Imported, MemoryError> {
        let (memories, tries) = (self.transfer, self.asked.dry_run);
        if !self.known.met.insert(ImportKey::new(&self.program, Some(&session.id), "")) {
            return Ok(Imported::Met);
        }
        // A hook writes the notes of these programs' sessions by the same id.
        let id = match format {
            ImportFormat::ClaudeCode | ImportFormat::Codex => id_of_session(&session.id),
            _ => id_of_session(&format!("{} {}", self.program, session.id)),
        };
        let of_folder = || session.folder.as_deref().and_then(|folder| find_project(Path::new(folder)));
        let project = memories.writer.project.clone().or_else(of_folder);
        let (created, band) = (self.time_of(session.started), self.asked.band);
        let note = SessionNote { id, by: self.program.clone(), created, band };
        let mut there = self.known.sessions.get(&note.id).cloned();
        // What was digested is not told again, unless the session went on.
        if let Some(path) = there.as_ref().filter(|path| memories.is_archived(path)) {
            let messages =
                memories.read_whole(path).and_then(|document| document.text("messages")?.parse::<usize>().ok());
            if messages.is_some_and(|count| count >= session.transcript.message_count()) {
                return Ok(Imported::Already);
            }
            there = None;
        }
        let (written, path) =
            memories.gate().put_session(&note, project.as_deref(), there, &session.transcript, tries)?;
        if !tries && matches!(written, SessionWritten::Created | SessionWritten::Replaced) {
            memories.of.note_written(&path);
        }
        Ok(match written {
            SessionWritten::Created => Imported::Saved,
            SessionWritten::Replaced => Imported::Updated,
            SessionWritten::Unchanged => Imported::Already,
            SessionWritten::NotOwned => Imported::Refused("not_owned"),
            SessionWritten::Unreadable => Imported::Refused("unreadable"),
        })
    }

    /// The local time of a record; never after now.
    fn time_of(&self, time: Option<ForeignTime>) -> DateTime {
        let now = self.transfer.writer.at;
        let told = time.map_or(now, |time| time.to_local(&self.asked.zone)).min(now);
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
