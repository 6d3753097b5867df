//! `capture`: a new note with properties that say who wrote it, if what it cites bears it out.
//!
//! The one rule to know: **checked first, then made, and never over anything.** A text of which one citation does not
//! stand, or one sentence is not what its citations say, makes no file. What is made is read as anything in the vault is,
//! as somebody else's words: it is never the user's own, and supersedes, contradicts and corroborates nothing.

mod front;
mod name;
mod place;

use std::fmt;

use memora_redact::Door;
use memora_store::ReadError;
use memora_vault::{Band, NotePath, SkipReason};
use memora_verify::{CheckedSentence, CitationMarker, CitedPassage, VerificationReport, SentenceVerdict, check_draft, find_citations};

use crate::answer::{collect_cited, sentence_report};
use crate::evidence::NoteEvidence;
use crate::find::SearchError;
use crate::new_note::NewNoteError;
use crate::session::Session;
use crate::wire::{CaptureRefusal, CaptureStatus, CapturedReport, CapturedSentence, Freshness};

pub use name::NameFault;

/// The folder that captured notes come into where none is named.
pub const CAPTURE_FOLDER: &str = "Memora";

/// A text that is captured has at most so many bytes.
const TEXT_BYTES_MAX: usize = 8 << 20;

/// How often another name is tried at a cloud door, each a millisecond later.
const TIMESTAMP_RETRIES_MAX: u64 = 1000;

/// What is to become a note.
#[derive(Clone)]
pub struct CaptureRequest {
    /// What it is called: its file's name without `.md`, once what no file name takes is gone.
    pub title: String,
    /// What it says, as markdown.
    pub text: String,
    /// The folder that it comes into, relative to the vault, `/`-separated; empty for the vault itself.
    pub folder: String,
    /// Who says so.
    pub by: String,
    /// How guarded it is at least.
    pub band: Band,
    /// When, as clocks at the user's place show it.
    pub at: jiff::civil::DateTime,
}

/// Says how long it is and how guarded, never the words.
impl fmt::Debug for CaptureRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Capturing({} bytes, {})", self.text.len(), self.band)
    }
}

/// Why nothing could be captured. That the text does not hold is none of it: see [`CapturedReport`].
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// The title cannot be a file's name.
    #[error("the title {0}")]
    Title(NameFault),
    /// The folder cannot be one of the vault.
    #[error("the folder {0}")]
    Folder(NameFault),
    /// The name of whoever says so cannot be written down.
    #[error("the name of whoever says so {0}")]
    By(NameFault),
    /// There is nothing to capture.
    #[error("the text is empty")]
    Empty,
    /// The text is too long.
    #[error("the text is larger than 8 MiB")]
    TooLarge,
    /// There is a file of that name.
    #[error("there is a note of that name")]
    Exists,
    /// What lies there is not read.
    #[error("a note there would not be read: it {0}")]
    Excluded(SkipReason),
    /// The folder leads out of the vault.
    #[error("the folder leads out of the vault")]
    Outside,
    /// A file stands where a folder should.
    #[error("there is a file in the place of the folder")]
    NotAFolder,
    /// A handle stands where no sentence is judged.
    #[error("the text has the handle of a guarded claim in code or in a link")]
    Handle,
    /// With these properties it would not be read as what it is.
    #[error("the note would not be read as captured")]
    Misread,
    /// The file could not be written.
    #[error("cannot write the note")]
    Io(#[from] std::io::Error),
    /// The notes cannot be read.
    #[error(transparent)]
    Search(#[from] SearchError),
}

impl From<NewNoteError> for CaptureError {
    fn from(error: NewNoteError) -> Self {
        match error {
            NewNoteError::Exists => Self::Exists,
            NewNoteError::Excluded(reason) => Self::Excluded(reason),
            NewNoteError::Outside => Self::Outside,
            NewNoteError::NotAFolder => Self::NotAFolder,
            NewNoteError::Io(error) => Self::Io(error),
        }
    }
}

impl From<ReadError> for CaptureError {
    fn from(error: ReadError) -> Self {
        Self::Search(error.into())
    }
}

impl CaptureError {
    /// What to try.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Title(fault) | Self::Folder(fault) | Self::By(fault) => fault.hint(),
            Self::Empty => "give a file with the text, or - for standard input",
            Self::TooLarge => "capture it in parts",
            Self::Exists => "give it another title or folder; no note is ever written over",
            Self::Excluded(reason) => reason.hint(),
            Self::Outside => "name a folder of the vault; nothing was written",
            Self::NotAFolder => "name another folder; nothing was written",
            Self::Handle => "a handle names nothing in a note; leave it out",
            Self::Misread => "give another name of whoever says so, and leave markers and comments out of it",
            Self::Io(_) => "look whether the vault's folder can be written, and whether there is room",
            Self::Search(_) => "memora doctor says what is wrong with the index",
        }
    }
}

impl<D: Door> Session<'_, D> {
    /// Makes a note of a text, if each citation in it stands and each sentence that has one is what it cites.
    ///
    /// Sentences without a citation are let through, and told. The note has the join of the bands of all that it cites, and
    /// is never less guarded than its place. At a cloud door its name bears the time, so that whether there is a note tells
    /// nothing.
    ///
    /// # Errors
    /// [`CaptureError`]; nothing was written then.
    pub fn capture(&self, capturing: &CaptureRequest, freshness: Freshness) -> Result<CapturedReport<D>, CaptureError> {
        let CaptureRequest { title, text, folder, by, band, at } = capturing;
        let title = name::sanitize_title(title).map_err(CaptureError::Title)?;
        let folder = name::validate_folder(folder, self.door.is_local()).map_err(CaptureError::Folder)?;
        let by = name::validate_author(by).map_err(CaptureError::By)?;
        let text = text.trim_start_matches('\u{feff}').trim_matches(['\n', '\r']);
        if text.trim().is_empty() {
            return Err(CaptureError::Empty);
        }
        if text.len() > TEXT_BYTES_MAX {
            return Err(CaptureError::TooLarge);
        }

        let notes = NoteEvidence::new(self);
        let mut checked = check_draft(text, &notes);
        self.read_open_sentences(&mut checked);
        let mut shown = notes.into_shown_claims()?;
        if has_stray_handle(text, &checked) {
            return Err(CaptureError::Handle);
        }
        let sentences: Vec<CapturedSentence> = checked.sentences().iter().map(to_captured_sentence).collect();
        let holds = sentences.iter().all(|sentence| sentence.refused.is_none());
        let band = cited_passages(&checked).fold(*band, |band, passage| band.join(passage.band()));
        let path = match holds {
            true => Some(self.create_captured_note(&title, &folder, &front::CaptureFrontMatter { by: &by, band, at: *at }, text)?),
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

    /// Makes the file and gives its path.
    fn create_captured_note(&self, title: &str, folder: &str, front: &front::CaptureFrontMatter<'_>, text: &str) -> Result<NotePath, CaptureError> {
        let vault = &self.memora.vault;
        if self.door.is_local() {
            let path = place::note_path_in(folder, title)?;
            place::CaptureDestination::new(vault, &path)?.write(front, text)?;
            return Ok(path);
        }
        for later in 0..TIMESTAMP_RETRIES_MAX {
            let path = place::note_path_in(folder, &name::append_timestamp(title, front.at, later))?;
            match place::CaptureDestination::new(vault, &path)?.write(front, text) {
                Err(CaptureError::Exists) => {}
                made => return made.map(|()| path),
            }
        }
        Err(CaptureError::Io(std::io::ErrorKind::AlreadyExists.into()))
    }
}

/// A sentence with its verdict, and why the text is refused for it, if it is.
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

/// All that a text cites.
fn cited_passages(checked: &VerificationReport) -> impl Iterator<Item = &CitedPassage> {
    checked.sentences().iter().flat_map(CheckedSentence::citations).flat_map(|citation| citation.passages())
}

/// Whether a handle stands where citations are not read, so that no sentence fails for it.
fn has_stray_handle(text: &str, checked: &VerificationReport) -> bool {
    let is_handle = |marker: &CitationMarker| matches!(marker, CitationMarker::Handle(_));
    let all = find_citations(text).iter().flat_map(|group| &group.items).filter(|item| is_handle(&item.marker)).count();
    let read = checked.sentences().iter().flat_map(CheckedSentence::citations);
    all > read.filter(|citation| is_handle(citation.marker())).count()
}
