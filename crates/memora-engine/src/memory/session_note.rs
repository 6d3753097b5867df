//! The note of a session, and its checkpoints in the day's log. Both are written from a transcript without a model.

use memora_memory::{Document, MemoryId, Refusal, SessionNote, Transcript, gist, mask_credentials};
use memora_redact::{Door, strip_citation_markers};
use memora_vault::{Note, NotePath, find_credentials};

use super::folder::FoundFile;
use super::write::refused;
use super::{Memories, MemoryError, MemoryTarget, TaskOperation, WriteRequest};
use crate::report::{WriteReport, WriteStatus};

/// The longest summary that goes into a log, in bytes.
const SUMMARY_BYTES_MAX: usize = 32 << 10;

impl<D: Door> Memories<'_, D> {
    /// Writes the note of a session, or writes it anew: a session has one, known by the program's own id of it.
    ///
    /// # Errors
    /// [`MemoryError`].
    pub fn save_session(&self, session: &str, transcript: &Transcript) -> Result<WriteReport<D>, MemoryError> {
        let id = id_of_session(session);
        let inside = format!("{}/episodic", self.project_scope().folder());
        let ending = format!(" {}", id.short());
        let band = self.writer_band();
        let lock = self.folder.lock()?;
        let is_its = |path: &NotePath| {
            let document = self.read_document(path).map(|(document, ..)| document);
            document.is_some_and(|document| document.text("id").as_deref() == Some(id.as_str()))
        };
        let there = self.folder.list(&inside).into_iter().find(|path| path.stem().contains(&ending) && is_its(path));
        let label = self.writer.project.clone().unwrap_or_else(|| "shared".to_owned());
        let name = format!("{inside}/{} {label} {}{ending}", self.writer.at.strftime("%Y-%m-%d %H%M"), self.by());
        let path = match there {
            Some(path) => path,
            None => self.numbered_path(&name, band, 1)?,
        };
        let found = self.folder.find(&path, &lock)?;
        let created = match &found {
            FoundFile::Owned(owned) => owned.document.text("created").and_then(|text| text.parse().ok()),
            FoundFile::Missing | FoundFile::NotOurs => None,
        };
        let note = SessionNote { id: id.clone(), by: self.by(), created: created.unwrap_or(self.writer.at), band };
        // A citation in what was said is none of the note's.
        let document = note.to_document(transcript, strip_citation_markers);
        if !self.is_read_as_session(&path, &document) {
            return Ok(refused(Refusal::Unreadable));
        }
        if self.put(&path, &found, &document, &lock)? {
            return Ok(self.written(&path, Some(&id), 1));
        }
        // The user edited the note, so it is theirs.
        Ok(WriteReport { status: WriteStatus::NotOwned, ..refused(Refusal::TooShort) }.without_reason())
    }

    /// Whether the file is read as its headings and nothing else, and holds no credential.
    fn is_read_as_session(&self, path: &NotePath, document: &Document) -> bool {
        let place = self.session.memora.vault.path_context(path);
        let (note, problems) = Note::parse(path.clone(), self.folder.key().seal(document), place);
        let headings = document.body.lines().filter(|line| line.starts_with("## ")).count();
        problems.is_empty() && note.headings().len() == headings && find_credentials(&document.body).is_empty()
    }

    /// Writes a checkpoint into the day's log: what was asked, changed, decided and left open so far.
    ///
    /// # Errors
    /// [`MemoryError`].
    pub fn save_checkpoint(&self, transcript: &Transcript) -> Result<WriteReport<D>, MemoryError> {
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
    ///
    /// # Errors
    /// [`MemoryError`].
    pub fn save_summary(&self, summary: &str, messages: usize) -> Result<WriteReport<D>, MemoryError> {
        let cut = summary.get(..summary.floor_char_boundary(SUMMARY_BYTES_MAX)).unwrap_or_default();
        self.append_to_log(&format!("compaction summary, {messages} messages"), cut)
    }

    fn append_to_log(&self, title: &str, text: &str) -> Result<WriteReport<D>, MemoryError> {
        self.write(&WriteRequest {
            target: MemoryTarget::Daily,
            content: strip_citation_markers(&mask_credentials(text)),
            operation: TaskOperation::Append,
            title: Some(title.to_owned()),
        })
    }
}

/// The id of a session's note: the same for each of the program's calls.
fn id_of_session(session: &str) -> MemoryId {
    let hash = blake3::hash(format!("memora session {session}").as_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(hash.as_bytes().get(..8).unwrap_or(&[0; 8]));
    MemoryId::from_random(u64::from_le_bytes(bytes))
}
