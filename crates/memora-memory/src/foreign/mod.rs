//! Memories of other programs, as their own files have them.
//!
//! A reader is handed one file at a time, as a stream, and finds [`ForeignRecord`]s in it. Of a list as large as an export of
//! chats, one record at a time is in memory. What cannot be read is a [`BadRecord`] with its number, and the rest is read.
//!
//! Deliberately not here: what is believed of it. A record says whose word its own store takes it for, and no more.

mod chats;
mod json;
mod markdown;
mod programs;
mod stores;

use std::io::{self, BufRead};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use memora_vault::find_credentials;

use crate::{Kind, Origin, Transcript, clean_line};

pub use json::read_lines;

/// The largest record that is read, in bytes.
pub const RECORD_BYTES_MAX: usize = 64 << 20;
/// The largest file of words that is read, in bytes.
const PAGE_BYTES_MAX: u64 = 4 << 20;

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
    fn into_records(self) -> Vec<ForeignRecord> {
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
fn tell<E>(number: usize, records: Result<Vec<ForeignRecord>, RecordFault>, found: &mut Found<'_, E>) -> Result<(), E> {
    match records {
        Ok(records) => records.into_iter().try_for_each(|record| found(Ok(record))),
        Err(fault) => found(Err(BadRecord { number, fault })),
    }
}

/// Returns whether a file of a folder is read for a format, by its path in the folder.
#[must_use]
pub fn reads_file(format: ImportFormat, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let ends = |end: &str| name.ends_with(end);
    let within = |folder: &str| path.split('/').rev().skip(1).any(|part| part == folder);
    // Instructions that came with something installed are not the user's.
    let is_installed = ["plugins", "skills", "vendor", "node_modules"].into_iter().any(within);
    match format {
        ImportFormat::Mem0 | ImportFormat::ClaudeMem => ends(".json"),
        ImportFormat::McpMemory => ends(".jsonl") || name == "memory.json",
        ImportFormat::Chatgpt => name.starts_with("conversations") && ends(".json"),
        ImportFormat::Claude => {
            ends(".json") && (name.starts_with("conversations") || name.starts_with("memories") || within("memories"))
        }
        ImportFormat::BasicMemory => ends(".md"),
        ImportFormat::Text => ends(".md") || ends(".txt"),
        ImportFormat::ClaudeCode => {
            !is_installed && (programs::is_instructions(&name) || ends(".jsonl") || within("memory") && ends(".md"))
        }
        ImportFormat::Codex => {
            !is_installed && programs::is_instructions(&name)
                || name.starts_with("rollout-") && ends(".jsonl")
                || within("memories") && matches!(name.as_str(), "memory.md" | "memory_summary.md")
        }
        ImportFormat::Openclaw => {
            matches!(name.as_str(), "memory.md" | "user.md") || ends(".jsonl") || within("memory") && ends(".md")
        }
        ImportFormat::Zora => name == "memory.md" || within("items") && ends(".json") || within("daily") && ends(".md"),
    }
}

/// Reads the records of a file. `path` is its path in the folder that is imported, or the end of it.
///
/// # Errors
/// Those of the reader, and those of `found`, which end the reading.
pub fn read_foreign<E: From<io::Error>>(
    format: ImportFormat,
    path: &str,
    from: &mut dyn BufRead,
    found: &mut Found<'_, E>,
) -> Result<(), E> {
    let begin = from.fill_buf()?;
    let others: [(&[u8], _); 2] =
        [(b"SQLite format 3\0", RecordFault::Database), (b"PK\x03\x04", RecordFault::Archive)];
    if let Some((_, fault)) = others.into_iter().find(|(mark, _)| begin.starts_with(mark)) {
        return tell(1, Err(fault), found);
    }
    let json = path.to_lowercase().ends_with(".json");
    match format {
        ImportFormat::Mem0 => stores::read_mem0(from, found),
        ImportFormat::ClaudeMem => stores::read_claude_mem(from, found),
        ImportFormat::McpMemory => stores::read_mcp_memory(from, found),
        ImportFormat::BasicMemory => stores::read_basic_memory(path, from, found),
        ImportFormat::Zora if json => stores::read_zora_item(from, found),
        ImportFormat::Chatgpt => chats::read_chatgpt(from, found),
        ImportFormat::Claude => chats::read_claude(from, found),
        ImportFormat::ClaudeCode | ImportFormat::Codex | ImportFormat::Openclaw | ImportFormat::Zora => {
            programs::read_program_file(format, path, from, found)
        }
        ImportFormat::Text => {
            let Some(text) = read_page(from, found)? else { return Ok(()) };
            tell(1, Ok(markdown::read_facts(&text, Kind::Knowledge, Origin::UserInstruction)), found)
        }
    }
}

/// Reads a file of words; `None` where it is none, which is told.
fn read_page<E: From<io::Error>>(from: &mut dyn BufRead, found: &mut Found<'_, E>) -> Result<Option<String>, E> {
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The records of a file, and the numbers and faults of those that were not read.
    pub(crate) fn records_of(
        format: ImportFormat,
        path: &str,
        text: &str,
    ) -> (Vec<ForeignRecord>, Vec<(usize, RecordFault)>) {
        let (mut records, mut bad) = (Vec::new(), Vec::new());
        // A small buffer: no record may depend on where it is cut.
        let mut from = io::BufReader::with_capacity(7, text.as_bytes());
        read_foreign(format, path, &mut from, &mut |record| -> Result<(), io::Error> {
            match record {
                Ok(record) => records.push(record),
                Err(fault) => bad.push((fault.number, fault.fault)),
            }
            Ok(())
        })
        .expect("memory is readable");
        (records, bad)
    }

    /// The whole texts of the facts of a file.
    pub(crate) fn facts_of(format: ImportFormat, path: &str, text: &str) -> Vec<String> {
        let (records, _) = records_of(format, path, text);
        let facts = records.into_iter().filter_map(|record| match record {
            ForeignRecord::Fact(fact) => Some(fact.whole_text()),
            ForeignRecord::Note(_) | ForeignRecord::Session(_) => None,
        });
        facts.collect()
    }

    #[test]
    fn times_are_read_as_programs_write_them() {
        let utc = TimeZone::UTC;
        for (text, expected) in [
            ("2023-11-07T05:31:56Z", "2023-11-07T05:31:56"),
            ("2023-11-07T05:31:56.250-08:00", "2023-11-07T13:31:56.25"),
            ("2023-11-07 05:31:56", "2023-11-07T05:31:56"),
            ("2023-11-07", "2023-11-07T00:00:00"),
        ] {
            let read = ForeignTime::parse(text).map(|time| time.to_local(&utc).to_string());
            assert_eq!(read.as_deref(), Some(expected), "{text}");
        }
        assert_eq!(ForeignTime::parse("yesterday"), None);
        let seconds = ForeignTime::from_epoch(1_699_335_116.5);
        assert_eq!(seconds, ForeignTime::from_epoch(1_699_335_116_500.0));
        assert_eq!(seconds, ForeignTime::parse("2023-11-07T05:31:56Z"));
        assert_eq!(ForeignTime::from_epoch(f64::NAN), None);
        assert_eq!(ForeignTime::from_epoch(1e300), None);
    }

    #[test]
    fn a_key_names_the_record_and_its_words() {
        let key = |id: Option<&str>, words: &str| ImportKey::new("claude-mem", id, words);
        assert!(key(Some("observation-3"), "a").as_str().starts_with("claude-mem:observation-3#"));
        assert_eq!(key(Some("3"), "a").record(), key(Some("3"), "b").record());
        assert_ne!(key(Some("3"), "a"), key(Some("3"), "b"));
        assert_eq!(key(None, "a").record(), None);
        for id in ["a b", "x#y", "\"", &"z".repeat(200), &format!("AKIA{}", "IOSFODNN7EXAMPLE")] {
            let key = key(Some(id), "a");
            assert!(!key.as_str().contains(id), "{}", key.as_str());
            assert_eq!(ImportKey::from_property(key.as_str()).record(), key.record());
        }
    }

    #[test]
    fn a_database_and_an_archive_are_named() {
        for (begin, fault) in [("SQLite format 3\0…", RecordFault::Database), ("PK\u{3}\u{4}…", RecordFault::Archive)]
        {
            let (mut bad, mut from) = (Vec::new(), begin.as_bytes());
            read_foreign(ImportFormat::ClaudeMem, "x", &mut from, &mut |record| -> Result<(), io::Error> {
                bad.extend(record.err());
                Ok(())
            })
            .expect("memory is readable");
            assert_eq!(bad, [BadRecord { number: 1, fault }]);
        }
    }

    #[test]
    fn no_bytes_break_a_reader() {
        let formats = [
            ImportFormat::Mem0,
            ImportFormat::ClaudeMem,
            ImportFormat::BasicMemory,
            ImportFormat::McpMemory,
            ImportFormat::Chatgpt,
            ImportFormat::Claude,
            ImportFormat::ClaudeCode,
            ImportFormat::Codex,
            ImportFormat::Openclaw,
            ImportFormat::Zora,
            ImportFormat::Text,
        ];
        let deep = "[".repeat(100_000);
        for text in [
            "",
            "{",
            "[",
            "[{]",
            "{\"a\"",
            "{\"a\":",
            "[1,,2]",
            "nul",
            "\"",
            "[\"\\",
            "- [",
            "---\n",
            "\u{feff}[]",
            &deep,
        ] {
            for format in formats {
                for path in ["a.json", "items/a.json", "a.jsonl", "memory/a.md", "daily/a.md"] {
                    let (records, _) = records_of(format, path, text);
                    assert!(records.len() < 3, "{format} {path} {text:.9}");
                }
            }
        }
    }
}
