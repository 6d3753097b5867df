//! The note of a session, and its checkpoints in the day's log. Both are written from a transcript without a model.

use memora_memory::{MemoryId, Refusal, Scope, SessionNote, Transcript, clean_text, gist, mask_credentials};
use memora_redact::strip_citation_markers;
use memora_vault::{Band, NotePath, enclose_markers};

use super::folder::FoundFile;
use super::write::{answered, refused};
use super::{MemoryTarget, TaskOperation, WriteRequest};
use crate::remember::error::MemoryError;
use crate::remember::owners::MemoryGate;
use crate::report::{WriteReport, WriteStatus};

/// The longest summary that goes into a log, in bytes.
const SUMMARY_BYTES_MAX: usize = 32 << 10;

/// What became of a session's note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SessionWritten {
    Created,
    Replaced,
    /// It says the same already.
    Unchanged,
    /// The user edited it, or another machine wrote it.
    NotOwned,
    /// It would not be read as what it is.
    Unreadable,
}

impl MemoryGate<'_> {
    /// Writes the note of a session, or writes it anew: a session has one, known by the program's own id of it.
    pub(crate) fn save_session(&self, session: &str, transcript: &Transcript) -> Result<WriteReport, MemoryError> {
        let id = id_of_session(session);
        let project = self.writer.project.clone();
        let note = SessionNote { id, by: self.by(), created: self.writer.at, band: self.writer_band() };
        let there = self.sessions().find_session(&note.id, project.as_deref());
        let (written, path) = self.put_session(&note, project.as_deref(), there, transcript, false)?;
        Ok(match written {
            SessionWritten::Created | SessionWritten::Replaced | SessionWritten::Unchanged => {
                self.written(&path, Some(&note.id), 1)
            }
            SessionWritten::NotOwned => answered(
                WriteStatus::NotOwned,
                "The user edited the note, or another machine wrote it: it stays as it is.",
            ),
            SessionWritten::Unreadable => refused(Refusal::Unreadable),
        })
    }

    /// Creates the note of a session, or replaces the one that is there; where it is only tried, says what it would do.
    pub(crate) fn put_session(
        &self,
        note: &SessionNote,
        project: Option<&str>,
        there: Option<NotePath>,
        transcript: &Transcript,
        tries: bool,
    ) -> Result<(SessionWritten, NotePath), MemoryError> {
        let label = project.unwrap_or("shared");
        let begun = note.created.strftime("%Y-%m-%d %H%M");
        let inside = format!("{}/episodic", Scope::of_project(project).folder());
        let name = format!("{inside}/{begun} {label} {} {}", note.by, note.id.short());
        let path = match there {
            Some(path) => path,
            None => self.numbered_path(&name, note.band, 1)?,
        };
        let lock = self.folder.lock()?;
        let found = self.folder.find(&path, &lock)?;
        let (mut created, mut band) = (note.created, note.band);
        if let FoundFile::Owned(owned) = &found {
            let told = |key| owned.document.text(key);
            let messages = told("messages").and_then(|count| count.parse::<usize>().ok());
            // A transcript that was cut since says less of the session.
            if messages.is_some_and(|count| count > transcript.message_count()) {
                return Ok((SessionWritten::Unchanged, path));
            }
            created = told("created").and_then(|text| text.parse().ok()).unwrap_or(created);
            band = band.join(owned.document.privacy());
        }
        let note = SessionNote { id: note.id.clone(), by: note.by.clone(), created, band };
        // A citation in what was said is none of the note's. Without it the halves of a key may be one.
        let document = note.to_document(transcript, |text| mask_credentials(&strip_citation_markers(text)));
        if !self.sessions().is_read_as_session(&path, &document, Band::Public) {
            return Ok((SessionWritten::Unreadable, path));
        }
        let written = match &found {
            FoundFile::Missing => SessionWritten::Created,
            FoundFile::Owned(owned) if owned.is(&self.folder.key().seal(&document)) => SessionWritten::Unchanged,
            FoundFile::Owned(_) => SessionWritten::Replaced,
            // The user edited the note, so it is theirs.
            FoundFile::NotOurs => SessionWritten::NotOwned,
        };
        let writes = matches!(written, SessionWritten::Created | SessionWritten::Replaced) && !tries;
        if writes && !self.put(&path, &found, &document, &lock)? {
            return Ok((SessionWritten::NotOwned, path));
        }
        Ok((written, path))
    }

    /// Writes a checkpoint into the day's log: what was asked, changed, decided and left open so far.
    pub(crate) fn save_checkpoint(&self, transcript: &Transcript) -> Result<WriteReport, MemoryError> {
        let mut lines = Vec::new();
        let mut list = |label: &str, texts: &[String]| {
            lines.extend(texts.iter().map(|text| format!("- {label}: {}", gist(text, 300))));
        };
        list("Asked", transcript.requests());
        list("Changed", transcript.files());
        list("Said", transcript.decisions());
        list("Open", transcript.open_points());
        list("Last answer", transcript.last_answer().as_slice());
        self.append_to_log("checkpoint", &lines.join("\n"))
    }

    /// Writes a program's own summary of what it is about to forget into the day's log, as it is.
    pub(crate) fn save_summary(&self, summary: &str, messages: usize) -> Result<WriteReport, MemoryError> {
        let cut = summary.get(..summary.floor_char_boundary(SUMMARY_BYTES_MAX)).unwrap_or_default();
        self.append_to_log(&format!("compaction summary, {messages} messages"), cut)
    }

    fn append_to_log(&self, title: &str, text: &str) -> Result<WriteReport, MemoryError> {
        self.write(&WriteRequest {
            target: MemoryTarget::Daily,
            content: enclose_markers(&mask_credentials(&clean_text(&strip_citation_markers(text)))),
            operation: TaskOperation::Append,
            title: Some(title.to_owned()),
        })
    }
}

/// The id of a session's note: the same for each of the program's calls.
pub(super) fn id_of_session(session: &str) -> MemoryId {
    let hash = blake3::hash(format!("memora session {session}").as_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(hash.as_bytes().get(..8).unwrap_or(&[0; 8]));
    MemoryId::from_random(u64::from_le_bytes(bytes))
}
