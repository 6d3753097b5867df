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
mod record;
mod stores;

use std::io::{self, BufRead};

use record::{Found, read_page, tell};

use crate::{Kind, Origin};

pub use json::read_lines;
pub use record::{
    BadRecord, ForeignFact, ForeignNote, ForeignRecord, ForeignSession, ForeignTime, ImportFormat, ImportKey,
    RECORD_BYTES_MAX, RecordFault,
};

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

#[cfg(test)]
pub(crate) mod tests {
    use jiff::tz::TimeZone;

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
