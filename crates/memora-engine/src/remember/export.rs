//! Memory as lines of JSON, a file each, and back: byte for byte, and owned as before.
//!
//! A line bears a mark that only this machine's key makes. So what comes back here needs no trust; what another machine
//! exported is taken only where the user vouches for it, and its seals do not hold: to Memora those are files that the user
//! edited, until `memory.key` is copied.

use std::collections::HashSet;
use std::io::BufRead;
use std::marker::PhantomData;

use memora_memory::{Document, Item, MemoryId, RecordFault, read_lines};
use memora_redact::authorize_page;
use memora_vault::{Band, Note, find_credentials};
use serde::Deserialize;

use crate::remember::counter::{Counter, Imported};
use crate::remember::error::{ImportError, MemoryError};
use crate::remember::owners::MemoryTransfer;
use crate::report::ExportedMemory;

/// The format of a line.
const FORMAT: &str = "memora-memory-1";

/// A line, as far as it is read.
#[derive(Deserialize)]
struct Line {
    format: String,
    path: String,
    band: String,
    file: String,
    mark: String,
}

/// What is taken from an export.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Restoring {
    /// Whether the user vouches for what another machine exported.
    pub(super) trusted: bool,
    /// Whether nothing is written.
    pub(super) dry_run: bool,
}

impl MemoryTransfer<'_> {
    /// Hands out every file of the memory folder that this door may see whole, by path. Returns the paths of those that are no
    /// words.
    ///
    /// # Errors
    /// [`MemoryError`], and those of `take`.
    pub(crate) fn export<E: From<MemoryError>>(
        &self,
        take: &mut dyn FnMut(ExportedMemory) -> Result<(), E>,
    ) -> Result<Vec<String>, E> {
        let mut left_out = Vec::new();
        for path in self.folder.list("") {
            let shown = self
                .session
                .notes
                .read_note(&path)
                .filter(|fresh| authorize_page(fresh, &self.session.door).is_some_and(|page| page.is_whole()));
            let file = self.folder.read(&path)?;
            let (Some(fresh), Some(file)) = (shown, file) else {
                left_out.push(path.as_str().to_owned());
                continue;
            };
            let band = fresh.note().band();
            let item = self.read_item(&path).map(|found| self.reader().report_item(found)).transpose()?;
            let recalls = match &item {
                Some(item) => self.reader().recalls_of(&item.id)?.0,
                None => 0,
            };
            let inside = self.inside(&path).unwrap_or_default();
            let mark = self.folder.key().mark_export(inside, band.as_str(), &file);
            let (path, door) = (inside.to_owned(), PhantomData);
            take(ExportedMemory { format: FORMAT, path, band, item, recalls, file, mark, door })?;
        }
        Ok(left_out)
    }

    /// Brings back the files of an export, never over one that is there.
    pub(crate) fn restore_export(
        &self,
        name: &str,
        from: &mut dyn BufRead,
        restoring: Restoring,
        counter: &mut Counter,
    ) -> Result<(), ImportError> {
        let there = self.folder.list("").into_iter().filter_map(|path| self.read_whole(&path));
        let mut ids: HashSet<MemoryId> =
            there.filter_map(|document| Some(Item::from_document(&document)?.id)).collect();
        read_lines(from, &mut |number, line| {
            let line = line.and_then(|bytes| serde_json::from_slice::<Line>(bytes).map_err(|_| RecordFault::NotJson));
            let line = line.and_then(|line| (line.format == FORMAT).then_some(line).ok_or(RecordFault::UnknownShape));
            let fault = match line.map(|line| self.restore_file(&line, restoring, &mut ids)) {
                Err(fault) => fault,
                Ok(Err(error)) if error.is_about_name() => {
                    counter.report.records += 1;
                    RecordFault::UnusableName
                }
                Ok(done) => return counter.count(done),
            };
            counter.count_fault(name, number, fault);
            Ok(())
        })
    }

    fn restore_file(
        &self,
        line: &Line,
        restoring: Restoring,
        ids: &mut HashSet<MemoryId>,
    ) -> Result<Imported, MemoryError> {
        let band = Band::parse(&line.band).unwrap_or(Band::Secret);
        let is_own = self.folder.key().mark_export(&line.path, band.as_str(), &line.file) == line.mark;
        let is_plain = line.path.ends_with(".md") && line.path.split('/').all(|part| !part.starts_with('.'));
        let path = line.path.strip_suffix(".md").filter(|_| is_plain).map(|inside| self.folder.note_path(inside));
        let Some(path) = path else {
            return Ok(Imported::Refused("outside"));
        };
        let path = path?;
        if !is_own && !restoring.trusted {
            return Ok(Imported::Refused("other_machine"));
        }
        if !is_own && !find_credentials(&line.file).is_empty() {
            return Ok(Imported::Refused("credential"));
        }
        if let Some(there) = self.folder.read(&path)? {
            return Ok(if there == line.file { Imported::Already } else { Imported::Refused("differs") });
        }
        let id = Document::parse(&line.file).and_then(|document| Item::from_document(&document)).map(|item| item.id);
        if id.as_ref().is_some_and(|id| ids.contains(id)) {
            // It was forgotten here, or restored, since it was exported.
            return Ok(Imported::Already);
        }
        let place = self.session.memora.vault.path_context(&path);
        let (note, _) = Note::parse(path.clone(), line.file.clone(), place);
        if note.band() < band {
            return Ok(Imported::Refused("less_guarded"));
        }
        if !restoring.dry_run {
            let lock = self.folder.lock()?;
            if !self.folder.create_file(&path, &line.file, &lock)? {
                return Ok(Imported::Refused("differs"));
            }
            self.of.note_written(&path);
        }
        ids.extend(id);
        Ok(Imported::Saved)
    }
}
