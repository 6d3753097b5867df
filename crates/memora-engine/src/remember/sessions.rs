//! Notes of sessions: found, read, and recalled.

use jiff::civil::DateTime;
use memora_memory::{
    Digest, DigestPeriod, Document, DoneTask, HOOKED_PROGRAMS, MemoryId, Scope, done_tasks, is_digest, is_unsafe_line,
    lines_of_digest,
};
use memora_vault::{Band, NotePath, find_credentials};

use crate::remember::owners::SessionNotes;

/// The number of notes that are read to find the last session that a door may be told of.
const SESSIONS_TRIED_MAX: usize = 20;

/// A note of a session, or a digest, as it was read.
pub(super) struct SessionNoteFile {
    pub(super) path: NotePath,
    pub(super) id: MemoryId,
    pub(super) document: Document,
    /// The bytes of its file.
    pub(super) text: String,
    pub(super) band: Band,
    pub(super) created: DateTime,
    /// `None` for the note of a session.
    pub(super) period: Option<DigestPeriod>,
}

/// What a session begins with of a note of sessions: the last one, or the newest digest.
pub(super) struct RecalledSessions {
    pub(super) title: String,
    /// Its lines that may be put before an agent; the first of each heading begins with that.
    pub(super) lines: Vec<String>,
    /// The files that they are of.
    pub(super) shown: Vec<(String, Band)>,
}

impl SessionNotes<'_> {
    /// The notes of sessions and the digests of a scope that Memora wrote, as far as this door may see them.
    pub(super) fn list_sessions(&self, scope: &Scope) -> Vec<SessionNoteFile> {
        let paths = self.folder.list(&format!("{}/episodic", scope.folder()));
        paths.into_iter().filter_map(|path| self.read_session(path)).collect()
    }

    /// The tasks that were ticked in sessions of a scope, digested ones among them, each with the band of its session.
    pub(crate) fn list_done(&self, scope: &Scope) -> Vec<(Band, DoneTask)> {
        let folder = format!("{}/episodic", scope.folder());
        let mut paths = self.folder.list(&folder);
        paths.extend(self.folder.list(&format!("archive/{folder}")));
        let files = paths.into_iter().filter_map(|path| self.read_session(path));
        let sessions = files.filter(|file| file.period.is_none());
        sessions.flat_map(|file| done_tasks(&file.document).map(|done| (file.band, done)).collect::<Vec<_>>()).collect()
    }

    fn read_session(&self, path: NotePath) -> Option<SessionNoteFile> {
        let (document, band, sealed) = self.read_document(&path)?;
        let fresh = self.session.notes.read_note(&path)?;
        let text = fresh.note().text().to_owned();
        // Of a session with a guarded line all is guarded: its lines are taken apart.
        let band = band.join(fresh.note().band_of_range(0..text.len()));
        // What was imported is data, as everything that another program remembered.
        let is_session = document.memora().as_deref() == Some("session")
            && (is_digest(&document) || HOOKED_PROGRAMS.contains(&document.text("by")?.as_str()));
        if !sealed || !is_session {
            return None;
        }
        let period = if is_digest(&document) { Some(DigestPeriod::of_name(path.stem())?) } else { None };
        let id = MemoryId::parse(&document.text("id")?)?;
        let created = document.text("created")?.parse().ok()?;
        Some(SessionNoteFile { path, id, document, text, band, created, period })
    }

    /// What the project's last session was asked, came to and left open, and its newest digest.
    pub(super) fn recall_sessions(&self) -> impl Iterator<Item = RecalledSessions> {
        let paths = self.folder.list(&format!("{}/episodic", self.project_scope().folder()));
        let parts = [self.last_session(&paths), self.newest_digest(&paths)];
        parts.into_iter().flatten().filter(|part| !part.lines.is_empty())
    }

    /// The last session that this door may be told of; its file is named by when it began.
    fn last_session(&self, paths: &[NotePath]) -> Option<RecalledSessions> {
        let last = latest_sessions(paths).find_map(|path| self.read_session(path.clone()))?;
        let mut digest = Digest::default();
        digest.add_session(last.path.stem(), &last.document);
        let lines = list_recalled(digest.recalled_lines());
        let title = format!("Last session, {}", last.created.strftime("%Y-%m-%d %H:%M"));
        Some(RecalledSessions { title, lines, shown: vec![(last.path.as_str().to_owned(), last.band)] })
    }

    /// The newest digest of the project, by its period.
    fn newest_digest(&self, paths: &[NotePath]) -> Option<RecalledSessions> {
        let named = paths.iter().filter_map(|path| Some((DigestPeriod::of_name(path.stem())?, path)));
        let mut named: Vec<(DigestPeriod, &NotePath)> = named.collect();
        // Of one day the week is the finer.
        named.sort_by_key(|(period, _)| (period.last_day(), std::cmp::Reverse(period.level())));
        let mut newest = None;
        let (mut lines, mut shown) = (Vec::new(), Vec::new());
        let done = self.done_lately(paths);
        for (period, path) in named.into_iter().rev() {
            if newest.is_some_and(|newest| newest != period) {
                break;
            }
            let Some((document, band, sealed)) = self.read_document(path) else { continue };
            if !sealed || !is_digest(&document) {
                continue;
            }
            let open = lines_of_digest(&document).into_iter();
            let open = open.filter(|(_, line)| !done.iter().any(|done| done.is_of(line)));
            lines.extend(list_recalled(open));
            shown.push((path.as_str().to_owned(), band));
            newest = Some(period);
        }
        newest.map(|period| RecalledSessions { title: format!("Digest of {period}"), lines, shown })
    }

    /// The tasks that were ticked in the last sessions that this door may be told of.
    fn done_lately(&self, paths: &[NotePath]) -> Vec<DoneTask> {
        let files = latest_sessions(paths).filter_map(|path| self.read_session(path.clone()));
        files.flat_map(|file| done_tasks(&file.document).collect::<Vec<_>>()).collect()
    }

    pub(crate) fn find_session(&self, id: &MemoryId, project: Option<&str>) -> Option<NotePath> {
        let is_its = |path: &NotePath| {
            let document = self.read_document(path).map(|(document, ..)| document);
            document.is_some_and(|document| document.text("id").as_deref() == Some(id.as_str()))
        };
        let ending = format!(" {}", id.short());
        let mut paths = self.folder.list(&format!("{}/episodic", Scope::of_project(project).folder())).into_iter();
        paths.find(|path| path.stem().contains(&ending) && is_its(path))
    }

    /// Whether the file is read as its headings and nothing else, at least as guarded as this, and holds no credential.
    pub(crate) fn is_read_as_session(&self, path: &NotePath, document: &Document, band: Band) -> bool {
        let (note, problems) = self.folder.parse(path, document);
        let headings = document.body.lines().filter(|line| line.starts_with("## ")).count();
        problems.is_empty()
            && note.headings().len() == headings
            && note.band() >= band
            && find_credentials(&document.body).is_empty()
    }
}

/// The files of the latest sessions, the last first: each is named by when it began.
fn latest_sessions(paths: &[NotePath]) -> impl Iterator<Item = &NotePath> {
    let is_session = |path: &&NotePath| DigestPeriod::of_name(path.stem()).is_none();
    let mut named: Vec<&NotePath> = paths.iter().filter(is_session).collect();
    named.sort_by(|one, other| other.stem().cmp(one.stem()));
    named.into_iter().take(SESSIONS_TRIED_MAX)
}

/// The lines of a digest that may be put before an agent.
fn list_recalled<'l>(lines: impl IntoIterator<Item = (&'l str, String)>) -> Vec<String> {
    let mut listed = Vec::new();
    let mut before = "";
    for (heading, line) in lines.into_iter().filter(|(_, line)| !is_unsafe_line(line)) {
        let begins = before != heading;
        before = heading;
        listed.push(if begins { format!("{heading}:\n{line}") } else { line });
    }
    listed
}
