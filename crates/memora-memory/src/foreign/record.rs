//! What is found in a file of another program, and why a part of it was not read.

use std::io::{self, BufRead};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use memora_vault::find_credentials;

use crate::{Kind, Origin, Transcript, clean_line};

/// The largest record that is read, in bytes.
pub const RECORD_BYTES_MAX: usize = 64 << 20;
/// The largest file of words that is read, in bytes.
pub(super) const PAGE_BYTES_MAX: u64 = 4 << 20;

memora_vault::closed_sets! {
    /// Whose memories are imported.
    ImportFormat {
        /// A list of memories as Mem0 returns it.
        Mem0,
        /// An export of claude-mem.
        ClaudeMem,
        /// Markdown notes of basic-memory.
        BasicMemory,
        /// The file of the MCP reference memory server.
        McpMemory,
        /// The data export of ChatGPT.
        Chatgpt,
        /// The data export of Claude.
        Claude,
        /// Transcripts, instructions and notes of Claude Code.
        ClaudeCode,
        /// Transcripts, instructions and memories of Codex.
        Codex,
        /// The workspace and the transcripts of OpenClaw.
        Openclaw,
        /// The memory folder of Zora.
        Zora,
        /// Any text: a list item or a paragraph is a memory.
        Text,
    }
    /// Why a record was not read.
    RecordFault {
        /// It is not JSON.
        NotJson,
        /// It is JSON, and not of this format.
        UnknownShape,
        /// It is too long.
        TooLong,
        /// The file ends within it.
        CutOff,
        /// It is not UTF-8.
        NotText,
        /// The file is an SQLite database.
        Database,
        /// The file is a ZIP archive.
        Archive,
        /// Its file's name is too long for a file system, or has control characters.
        UnusableName,
    }
}

impl ImportFormat {
    /// Returns the program's name, as it is written in files.
    #[must_use]
    pub fn program(self) -> String {
        self.as_str().replace('_', "-")
    }
}

impl RecordFault {
    /// Returns what to do about it.
    #[must_use]
    pub fn next(self) -> &'static str {
        match self {
            Self::NotJson | Self::UnknownShape | Self::NotText => {
                "check that --from names the program that wrote the file"
            }
            Self::TooLong => "a record over 64 MiB, or a text over 4 MiB, is left out",
            Self::CutOff => "the file ends too early: export it again",
            Self::Database => "export it as JSON first: claude-mem has scripts/export-memories.ts for that",
            Self::Archive => "unpack it first, and name the folder",
            Self::UnusableName => "give the file a shorter name of letters, digits and spaces, and export it again",
        }
    }
}

/// A record that was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// Its number in its file, from 1.
    pub number: usize,
    /// Why.
    pub fault: RecordFault,
}

/// What a file of another program holds.
#[derive(Debug)]
pub enum ForeignRecord {
    /// One memory.
    Fact(ForeignFact),
    /// A text of some length.
    Note(ForeignNote),
    /// A conversation.
    Session(ForeignSession),
}

/// One memory of another program.
#[derive(Clone, PartialEq)]
pub struct ForeignFact {
    /// Its id in its store; `None` where it is known by its words alone.
    pub id: Option<String>,
    /// Its words.
    pub text: String,
    /// What it is about.
    pub kind: Kind,
    /// The person or thing that it concerns.
    pub entity: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// When it was made.
    pub created: Option<ForeignTime>,
    /// Whose word its store takes it for.
    pub origin: Origin,
}

/// A text of another program's.
#[derive(Clone, PartialEq, Eq)]
pub struct ForeignNote {
    /// Its id, or its path.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its words.
    pub text: String,
    /// When it was made.
    pub created: Option<ForeignTime>,
}

/// A conversation with another program.
pub struct ForeignSession {
    /// Its id.
    pub id: String,
    /// When it began.
    pub started: Option<ForeignTime>,
    /// The folder that it was about.
    pub folder: Option<String>,
    /// What stays of it.
    pub transcript: Transcript,
}

/// A time as another program writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignTime {
    /// A point in time.
    Instant(Timestamp),
    /// A date or a time without a zone.
    Local(DateTime),
}

impl ForeignTime {
    /// Reads a time with a zone, without one, or a date.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let instant = text.parse().ok().map(Self::Instant);
        instant.or_else(|| text.parse().ok().map(Self::Local))
    }

    /// Reads seconds since 1970; or milliseconds, where it would be after the year 5000.
    #[must_use]
    pub fn from_epoch(number: f64) -> Option<Self> {
        let seconds = if number.abs() > 1e11 { number / 1_000.0 } else { number };
        #[expect(clippy::cast_possible_truncation, reason = "what is out of range is no time for jiff")]
        let whole = seconds.is_finite().then_some(seconds as i64)?;
        Timestamp::from_second(whole).ok().map(Self::Instant)
    }

    /// Returns the local time in a zone.
    #[must_use]
    pub fn to_local(self, zone: &TimeZone) -> DateTime {
        match self {
            Self::Instant(at) => zone.to_datetime(at),
            Self::Local(at) => at,
        }
    }
}

memora_vault::wordless_debug! {
    ForeignFact(fact): "{} bytes", fact.text.len();
    ForeignNote(note): "{} bytes", note.text.len();
    ForeignSession(session): "{} messages", session.transcript.message_count();
}

impl ForeignSession {
    /// Its record; none where nothing was said.
    pub(super) fn into_records(self) -> Vec<ForeignRecord> {
        let said = !self.transcript.is_empty();
        said.then_some(ForeignRecord::Session(self)).into_iter().collect()
    }
}

impl ForeignFact {
    /// A fact that an assistant noted, of which nothing else is known.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        let (kind, origin) = (Kind::Knowledge, Origin::AgentAnalysis);
        Self { id: None, text: text.into(), kind, entity: None, tags: Vec::new(), created: None, origin }
    }

    /// Its words, naming what it concerns: "Works at Acme" alone names no person.
    #[must_use]
    pub fn whole_text(&self) -> String {
        match self.entity.as_deref().map(clean_line).filter(|entity| !entity.is_empty()) {
            Some(entity) if !self.text.to_lowercase().contains(&entity.to_lowercase()) => {
                format!("{entity}: {}", self.text)
            }
            _ => self.text.clone(),
        }
    }
}

/// Where an imported memory came from: the program, the id there, and a hash of the words. It is a property of its file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ImportKey(String);

impl ImportKey {
    /// Makes the key of a record. An id that is no plain word, or that may be a credential, is hashed.
    #[must_use]
    pub fn new(program: &str, id: Option<&str>, words: &str) -> Self {
        let plain = |id: &str| {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
            id.len() <= 80 && id.chars().all(is_plain) && find_credentials(id).is_empty()
        };
        let id = id.map(|id| if plain(id) { id.to_owned() } else { hash_of(id) }).unwrap_or_default();
        Self(format!("{program}:{id}#{}", hash_of(words)))
    }

    /// Takes a key from a file.
    #[must_use]
    pub fn from_property(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Returns it as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the program and the id there, which stay when the words change; `None` for what is known by its words alone.
    #[must_use]
    pub fn record(&self) -> Option<&str> {
        let (record, _) = self.0.rsplit_once('#')?;
        (!record.ends_with(':')).then_some(record)
    }
}

fn hash_of(text: &str) -> String {
    let hash = blake3::hash(text.as_bytes()).to_hex();
    hash.as_str().get(..16).unwrap_or_default().to_owned()
}

/// What takes the records of a file, one by one.
pub(crate) type Found<'f, E> = dyn FnMut(Result<ForeignRecord, BadRecord>) -> Result<(), E> + 'f;

/// Passes the records of one value on, or why it was not read.
pub(super) fn tell<E>(
    number: usize,
    records: Result<Vec<ForeignRecord>, RecordFault>,
    found: &mut Found<'_, E>,
) -> Result<(), E> {
    match records {
        Ok(records) => records.into_iter().try_for_each(|record| found(Ok(record))),
        Err(fault) => found(Err(BadRecord { number, fault })),
    }
}

/// Reads a file of words; `None` where it is none, which is told.
pub(super) fn read_page<E: From<io::Error>>(
    from: &mut dyn BufRead,
    found: &mut Found<'_, E>,
) -> Result<Option<String>, E> {
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(from, PAGE_BYTES_MAX + 1), &mut bytes)?;
    let fault = match String::from_utf8(bytes) {
        Ok(text) if text.len() as u64 <= PAGE_BYTES_MAX => {
            return Ok(Some(text.trim_start_matches('\u{feff}').replace("\r\n", "\n")));
        }
        // Cut within a letter, too.
        Err(error) if error.as_bytes().len() as u64 <= PAGE_BYTES_MAX => RecordFault::NotText,
        Ok(_) | Err(_) => RecordFault::TooLong,
    };
    tell(1, Err(fault), found).map(|()| None)
}
