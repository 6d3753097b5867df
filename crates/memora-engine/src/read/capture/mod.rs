//! `capture`: writes a new note with properties that name its author, if its citations support it.
//!
//! Invariant: **the text is checked before the note is created, and no file is ever overwritten.** A text with a
//! failing citation or an unsupported sentence creates no file. A captured note is read like any other, but as
//! third-party words: it is never the user's own, and supersedes, contradicts and corroborates nothing.

pub(crate) mod new_note;

mod destination;
mod error;
mod file_name;
mod front_matter;

pub use error::CaptureError;
pub use new_note::NewNoteError;

use std::fmt;

use memora_redact::Viewer;
use memora_store::ReadError;
use memora_vault::{Band, NotePath};
use memora_verify::{
    CheckedSentence, CitationMarker, CitedPassage, SentenceVerdict, VerificationReport, check_draft, find_citations,
};

use crate::read::answer::{collect_cited, sentence_report};
use crate::read::verify::note_evidence::NoteEvidence;
use crate::report::{CaptureRefusal, CaptureStatus, CapturedReport, CapturedSentence, Freshness};
use crate::state::session::Session;

pub use file_name::NameFault;

/// The maximum size of a captured text, in bytes.
const TEXT_BYTES_MAX: usize = 8 << 20;

/// The number of names tried at a cloud door, each one millisecond later.
const TIMESTAMP_RETRIES_MAX: u64 = 1000;

/// A request to capture a text as a note.
#[derive(Clone)]
pub struct CaptureRequest {
    /// The title: the file's name without `.md`, after characters that are invalid in file names are removed.
    pub title: String,
    /// The text, as markdown.
    pub text: String,
    /// The target folder, relative to the vault, `/`-separated; empty for the vault's root.
    pub folder: String,
    /// The author.
    pub by: String,
    /// The minimum band of the note.
    pub band: Band,
    /// The local time of the capture.
    pub at: jiff::civil::DateTime,
}

/// Prints the length and the band, never the words.
impl fmt::Debug for CaptureRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Capturing({} bytes, {})", self.text.len(), self.band)
    }
}

/// The capture of text as new notes, for one session.
pub struct NoteCapture<'s> {
    session: &'s Session<'s>,
}

impl<'s> NoteCapture<'s> {
    pub(crate) fn new(session: &'s Session<'s>) -> Self {
        Self { session }
    }

    /// Writes a text as a note, if every citation in it is valid and every cited sentence is supported.
    ///
    /// Sentences without a citation are accepted and counted. The note's band is the join of the bands of its cited
    /// claims, and at least the band of its folder. At a cloud door the file name has a timestamp, so that a name clash
    /// does not reveal an existing note.
    ///
    /// # Errors
    /// [`CaptureError`]; nothing was written then.
    pub(crate) fn capture_text(
        &self,
        capturing: &CaptureRequest,
        freshness: Freshness,
    ) -> Result<CapturedReport, CaptureError> {
        let CaptureRequest { title, text, folder, by, band, at } = capturing;
        let title = file_name::sanitize_title(title).map_err(CaptureError::Title)?;
        let folder = file_name::validate_folder(folder, self.session.door.is_local()).map_err(CaptureError::Folder)?;
        let by = file_name::validate_author(by).map_err(CaptureError::By)?;
        let text = text.trim_start_matches('\u{feff}').trim_matches(['\n', '\r']);
        if text.trim().is_empty() {
            return Err(CaptureError::Empty);
        }
        if text.len() > TEXT_BYTES_MAX {
            return Err(CaptureError::TooLarge);
        }

        let notes = NoteEvidence::new(self.session);
        let checked = check_draft(text, &notes);
        let mut shown = notes.into_shown_claims()?;
        if has_stray_handle(text, &checked) {
            return Err(CaptureError::Handle);
        }
        let sentences: Vec<CapturedSentence> = checked.sentences().iter().map(to_captured_sentence).collect();
        let holds = sentences.iter().all(|sentence| sentence.refused.is_none());
        let band = cited_passages(&checked).fold(*band, |band, passage| band.join(passage.band()));
        let path = match holds {
            true => Some(self.create_captured_note(
                &title,
                &folder,
                &front_matter::CaptureFrontMatter { by: &by, band, at: *at },
                text,
            )?),
            false => None,
        };
        Ok(CapturedReport {
            status: if holds { CaptureStatus::Captured } else { CaptureStatus::Refused },
            path: path.map(|path| path.as_str().to_owned()),
            by,
            band,
            uncited: checked.sentences().iter().filter(|s| s.verdict() == SentenceVerdict::Uncited).count(),
            claims: collect_cited(checked.sentences(), &mut shown),
            sentences,
            freshness,
        })
    }

    /// Creates the file and returns its path.
    fn create_captured_note(
        &self,
        title: &str,
        folder: &str,
        front: &front_matter::CaptureFrontMatter<'_>,
        text: &str,
    ) -> Result<NotePath, CaptureError> {
        let vault = &self.session.memora.vault;
        if self.session.door.is_local() {
            let path = destination::note_path_in(folder, title)?;
            destination::CaptureDestination::new(vault, &path)?.write(front, text)?;
            return Ok(path);
        }
        for later in 0..TIMESTAMP_RETRIES_MAX {
            let path = destination::note_path_in(folder, &file_name::append_timestamp(title, front.at, later))?;
            match destination::CaptureDestination::new(vault, &path)?.write(front, text) {
                Err(CaptureError::Note(NewNoteError::Exists)) => {}
                made => return made.map(|()| path),
            }
        }
        Err(NewNoteError::Io(std::io::ErrorKind::AlreadyExists.into()).into())
    }
}

/// Judges the citations of a text as a capture does. Returns the strictest band of what it cites; `None` if it does not hold.
pub(crate) fn judge_citations(session: &Session<'_>, text: &str) -> Result<Option<Band>, ReadError> {
    if find_citations(text).is_empty() {
        return Ok(Some(Band::Public));
    }
    let notes = NoteEvidence::new(session);
    let checked = check_draft(text, &notes);
    notes.into_shown_claims()?;
    let holds = !has_stray_handle(text, &checked)
        && checked.sentences().iter().all(|sentence| to_captured_sentence(sentence).refused.is_none());
    Ok(holds.then(|| cited_passages(&checked).fold(Band::Public, |band, passage| band.join(passage.band()))))
}

/// Converts a checked sentence into its report, with the reason for refusal if there is one.
fn to_captured_sentence(checked: &CheckedSentence) -> CapturedSentence {
    let cites = checked.citations();
    let refused = if cites.iter().any(|citation| !citation.verdict().is_valid()) {
        Some(CaptureRefusal::Citation)
    } else if !cites.is_empty() && checked.verdict() == SentenceVerdict::Contradicted {
        Some(CaptureRefusal::Contradicted)
    } else if !cites.is_empty() && checked.verdict() == SentenceVerdict::Unsupported {
        Some(CaptureRefusal::Unsupported)
    } else {
        None
    };
    CapturedSentence { sentence: sentence_report(checked), refused }
}

/// Iterates over all passages that the text cites.
fn cited_passages(checked: &VerificationReport) -> impl Iterator<Item = &CitedPassage> {
    checked.sentences().iter().flat_map(CheckedSentence::citations).flat_map(|citation| citation.passages())
}

/// Returns whether the text has a handle in a place where citations are not parsed, so that no sentence fails for it.
fn has_stray_handle(text: &str, checked: &VerificationReport) -> bool {
    let is_handle = |marker: &CitationMarker| matches!(marker, CitationMarker::Handle(_));
    let all = find_citations(text).iter().flat_map(|group| &group.items).filter(|item| is_handle(&item.marker)).count();
    let read = checked.sentences().iter().flat_map(CheckedSentence::citations);
    all > read.filter(|citation| is_handle(citation.marker())).count()
}
