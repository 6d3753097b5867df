//! Digests: old sessions become the note of their week, old weeks that of their month.
//!
//! Invariants: **a note goes to the archive only once a digest has its lines, and only as it was read for that**; only notes that
//! Memora wrote are digested, each band by itself; nothing is removed, and a pass can be undone.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use jiff::ToSpan as _;
use memora_memory::{Archived, Digest, DigestPeriod, Document, DoneTask, LOG_BYTES_MAX, MemoryId, Scope, is_digest};
use memora_vault::{Band, NotePath};

use super::forget::Moved;
use crate::remember::error::MemoryError;
use crate::remember::owners::MemoryUpkeep;
use crate::remember::plan::{ConsolidationPlan, PlannedDigest};
use crate::remember::session::random_id;
use crate::remember::sessions::SessionNoteFile;
use crate::remember::write::FILES_MAX;
use crate::report::UndoReport;
use crate::state::config::memory::SessionExtraction;

/// The age in days of the last day of a week, or of a month, from which it is digested.
const WEEK_AGE: i64 = 7;
const MONTH_AGE: i64 = 60;
/// A pass archives one in so many notes of a scope at most.
const SHARE_DIVISOR: usize = 4;

impl MemoryUpkeep<'_> {
    /// The notes of sessions that a language model is to read, if one may, and has not.
    fn sessions_to_read(&self) -> Result<HashSet<NotePath>, MemoryError> {
        let memora = self.session.memora;
        if memora.config.memory.extraction_in(&memora.vault) == SessionExtraction::Off {
            return Ok(HashSet::new());
        }
        Ok(self.facts().session_files()?.into_iter().map(|file| file.path).collect())
    }

    /// Adds to a plan what is due for a digest in a scope of so many items, of which so many go to the archive anyway. Unless it is `forced`, the
    /// oldest come first, and a quarter of the scope at most.
    pub(crate) fn plan_digests(
        &self,
        scope: &Scope,
        items: usize,
        archived: usize,
        forced: bool,
        plan: &mut ConsolidationPlan,
    ) -> Result<(), MemoryError> {
        let files = self.sessions().list_sessions(scope);
        let quota = ((items + files.len()) / SHARE_DIVISOR).saturating_sub(archived);
        let mut room = if forced { usize::MAX } else { quota };
        let unread = self.sessions_to_read()?;
        let mut groups: BTreeMap<(DigestPeriod, Band), (Vec<SessionNoteFile>, Vec<SessionNoteFile>)> = BTreeMap::new();
        let mut older = Vec::new();
        for file in files {
            let of = match file.period {
                None => Some(DigestPeriod::week_of(file.created.date())),
                Some(week @ DigestPeriod::Week(..)) => week.month(),
                Some(DigestPeriod::Month(..)) => None,
            };
            // A session that a model is still to read waits for it.
            match of.filter(|of| self.is_due(*of) && !unread.contains(&file.path)) {
                Some(of) => groups.entry((of, file.band)).or_default().0.push(file),
                None if file.period.is_some() => older.push(file),
                None => {}
            }
        }
        for file in older.into_iter().filter(|file| file.document.body.len() < LOG_BYTES_MAX / 2) {
            if let Some(of) = file.period
                && let Some((_, older)) = groups.get_mut(&(of, file.band))
            {
                older.push(file);
            }
        }
        let done = self.sessions().list_done(scope);
        for ((period, band), (mut parts, older)) in groups {
            let count = parts.len();
            parts.sort_by(|one, other| (one.created, &one.path).cmp(&(other.created, &other.path)));
            parts.truncate(room);
            // Each band by itself: what is guarded closes nothing that is not.
            let done: Vec<DoneTask> = done.iter().filter(|(of, _)| *of == band).map(|(_, done)| done.clone()).collect();
            let planned = self.put_together(scope, (period, band), (parts, older), &done)?;
            let taken = planned.as_ref().map_or(0, |planned| planned.parts.len());
            // Behind one that has no room as a whole, none is begun.
            room = if taken < count && !forced { 0 } else { room.saturating_sub(taken) };
            plan.waiting += count - taken;
            plan.digests.extend(planned);
        }
        Ok(())
    }

    fn is_due(&self, period: DigestPeriod) -> bool {
        let age = if period.level() == 2 { WEEK_AGE } else { MONTH_AGE };
        let due = period.last_day().and_then(|last| last.checked_add(age.days()).ok());
        due.is_some_and(|due| due < self.writer.at.date())
    }

    /// Makes a digest of as much as has room in one.
    fn put_together(
        &self,
        scope: &Scope,
        (period, band): (DigestPeriod, Band),
        (parts, older): (Vec<SessionNoteFile>, Vec<SessionNoteFile>),
        done: &[DoneTask],
    ) -> Result<Option<PlannedDigest>, MemoryError> {
        let mut digest = Digest::default();
        let older: Vec<SessionNoteFile> =
            older.into_iter().filter(|file| digest.add_digest(file.path.stem(), &file.document)).collect();
        let mut fits = |file: &SessionNoteFile| match file.period {
            None => digest.add_session(file.path.stem(), &file.document),
            Some(_) => digest.add_digest(file.path.stem(), &file.document),
        };
        let parts: Vec<SessionNoteFile> = parts.into_iter().take_while(&mut fits).collect();
        if parts.is_empty() {
            return Ok(None);
        }
        digest.drop_done(done);
        let id = random_id()?;
        let document = digest.to_document(&id, period, band);
        let path = self.free_digest_path(scope, period, band)?;
        let reads = path.as_ref().is_some_and(|path| self.sessions().is_read_as_session(path, &document, band));
        let path = path.filter(|_| reads);
        Ok(path.map(|path| PlannedDigest { id, path, period, band, document, parts, older }))
    }

    /// The path of a digest that is neither there nor in the archive.
    fn free_digest_path(
        &self,
        scope: &Scope,
        period: DigestPeriod,
        band: Band,
    ) -> Result<Option<NotePath>, MemoryError> {
        let label = if let Scope::Project(slug) = scope { slug } else { "shared" };
        let name = format!("{}/episodic/{period} {label}", scope.folder());
        for number in 1..=FILES_MAX {
            let path = self.gate().numbered_path(&name, band, number)?;
            if !self.folder.exists(&path)? && !self.folder.exists(&self.archive_path(&path)?)? {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// Moves a file to its place in the archive, or back, unless it was saved again since it was read as this.
    fn move_session(&self, path: &NotePath, text: &str, archived: Option<&Archived>) -> Result<bool, MemoryError> {
        Ok(!matches!(self.move_file(path, |owned| owned.is(text), archived)?, Moved::Not))
    }

    /// Writes a digest, and archives what it is of. `false` if it was not written.
    pub(crate) fn apply_digest(&self, planned: &PlannedDigest) -> Result<bool, MemoryError> {
        let lock = self.folder.lock()?;
        if !self.folder.create(&planned.path, &planned.document, &lock)? {
            return Ok(false);
        }
        drop(lock);
        self.of.note_written(&planned.path);
        let reason = Some(digested_into(planned.path.stem()));
        let archived = Archived { at: self.writer.at, by: self.by(), reason };
        for part in planned.parts.iter().chain(&planned.older) {
            // One that was written again since stays, and is digested by a later pass.
            self.move_session(&part.path, &part.text, Some(&archived))?;
        }
        Ok(true)
    }

    /// Takes back a digest that a pass made, if it is one: what was archived for it comes back, and it goes. A digest of a pass that was
    /// `undone` before does not come back: what that was of is there again.
    pub(crate) fn undo_digest(
        &self,
        id: &MemoryId,
        undone: &BTreeSet<&str>,
        report: &mut UndoReport,
    ) -> Result<(), MemoryError> {
        let read = |path: &NotePath| {
            let (document, ..) = self.read_document(path)?;
            let is_it = is_digest(&document) && document.text("id").as_deref() == Some(id.as_str());
            is_it.then(|| path.clone())
        };
        let Some(path) = self.find_by_id(id, read)? else { return Ok(()) };
        let reason = digested_into(path.stem());
        let (mut gone, mut is_left) = (Vec::new(), false);
        for path in self.folder.list("archive").into_iter().filter(|path| path.folder().ends_with("/episodic")) {
            let Some(text) = self.folder.read(&path)? else { continue };
            let document = Document::parse(&text);
            let Some(document) = document.filter(|document| document.text("reason").as_deref() == Some(&reason)) else {
                continue;
            };
            if is_digest(&document) && document.text("id").is_some_and(|id| undone.contains(id.as_str())) {
                gone.push(path);
            } else if self.move_session(&path, &text, None)? {
                report.restored += 1;
            } else {
                is_left = true;
            }
        }
        // One that a later digest took the place of stays in the archive until that is undone.
        gone.extend((!self.is_archived(&path)).then_some(path));
        for path in &gone {
            let is_removed = self.remove_file(path)?;
            report.removed += usize::from(is_removed == Some(true));
            is_left |= is_removed == Some(false);
        }
        report.left.extend(is_left.then(|| id.to_string()));
        Ok(())
    }
}

/// Why a note is in the archive.
fn digested_into(stem: &str) -> String {
    format!("digested into [[{stem}]]")
}
