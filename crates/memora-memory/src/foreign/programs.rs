//! The files of programs that keep plain text: instructions, pages of memory, days, and transcripts.

use std::io::{self, BufRead};

use super::markdown::read_facts;
use super::record::{ForeignNote, ForeignRecord, ForeignSession, ForeignTime, Found, ImportFormat, read_page, tell};
use crate::document::Document;
use crate::{Kind, Origin, Transcript};

/// Returns whether a file holds what a user tells a coding assistant, by its name in lower case.
pub(super) fn is_instructions(name: &str) -> bool {
    matches!(name, "claude.md" | "claude.local.md" | "agents.md" | "agents.override.md")
}

/// Reads a page or a transcript of Claude Code, Codex, OpenClaw or Zora.
pub(super) fn read_program_file<E: From<io::Error>>(
    format: ImportFormat,
    path: &str,
    from: &mut dyn BufRead,
    found: &mut Found<'_, E>,
) -> Result<(), E> {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    if name.ends_with(".jsonl") {
        return tell(1, Ok(read_transcript(&name, from)?.into_records()), found);
    }
    let Some(page) = read_page(from, found)? else { return Ok(()) };
    let stem = name.trim_end_matches(".md");
    if let Some(day) = stem.get(..10).and_then(ForeignTime::parse) {
        let text = Document::parse(&page).map_or(page, |document| document.body);
        if text.trim().is_empty() {
            return Ok(());
        }
        let title = format!("{} {stem}", format.program());
        return found(Ok(ForeignRecord::Note(ForeignNote { id: path.to_owned(), title, text, created: Some(day) })));
    }
    // Which page it is says who wrote it.
    let (kind, origin) = match format {
        _ if is_instructions(&name) => (Kind::Behavior, Origin::UserInstruction),
        ImportFormat::Openclaw if name == "user.md" => (Kind::Profile, Origin::UserInstruction),
        ImportFormat::Zora => (Kind::Knowledge, Origin::UserInstruction),
        _ => (kind_of_page(&page), Origin::AgentAnalysis),
    };
    tell(1, Ok(read_facts(&page, kind, origin)), found)
}

/// Claude Code's notes say in a property what they are about.
fn kind_of_page(page: &str) -> Kind {
    let told = Document::parse(page).and_then(|document| document.text("type"));
    match told.as_deref() {
        Some("user") => Kind::Profile,
        Some("feedback") => Kind::Behavior,
        _ => Kind::Knowledge,
    }
}

fn read_transcript(name: &str, from: &mut dyn BufRead) -> io::Result<ForeignSession> {
    let (mut id, mut started, mut folder) = (None, None, None);
    let transcript = Transcript::read_entries(from, |entry| {
        let payload = entry.fields("payload");
        let meta = payload.as_ref().unwrap_or(entry);
        let is_head = || matches!(entry.text("type").as_deref(), Some("session" | "session_meta"));
        id = id.take().or_else(|| entry.text("sessionId").or_else(|| meta.text("id").filter(|_| is_head())));
        folder = folder.take().or_else(|| meta.text("cwd"));
        started = started.or_else(|| ForeignTime::parse(&entry.text("timestamp")?));
    })?;
    let id = id.unwrap_or_else(|| name.trim_end_matches(".jsonl").to_owned());
    Ok(ForeignSession { id, started, folder, transcript })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::reads_file;
    use super::super::tests::{facts_of, records_of};
    use super::*;

    fn session(format: ImportFormat, lines: &[Value]) -> ForeignSession {
        let text: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let (mut records, bad) = records_of(format, "projects/x/abc.jsonl", &text.join("\n"));
        assert!(bad.is_empty(), "{bad:?}");
        match records.pop() {
            Some(ForeignRecord::Session(session)) if records.is_empty() => session,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn transcripts_of_three_programs_know_their_session() {
        let said = "Please fix the parser of drift";
        let claude = session(
            ImportFormat::ClaudeCode,
            &[
                json!({"type": "summary", "summary": "Fixing"}),
                json!({"type": "user", "sessionId": "s-1", "cwd": "/home/a/drift", "timestamp": "2026-01-02T03:04:05Z", "message": {"role": "user", "content": said}}),
            ],
        );
        let codex = session(
            ImportFormat::Codex,
            &[
                json!({"timestamp": "2026-01-02T03:04:05Z", "type": "session_meta", "payload": {"id": "s-1", "cwd": "/home/a/drift"}}),
                json!({"timestamp": "2026-01-02T03:04:06Z", "type": "response_item", "payload": {"type": "message", "role": "user", "id": "other", "content": [{"type": "input_text", "text": said}]}}),
            ],
        );
        let openclaw = session(
            ImportFormat::Openclaw,
            &[
                json!({"type": "session", "version": 3, "id": "s-1", "timestamp": "2026-01-02T03:04:05Z", "cwd": "/home/a/drift"}),
                json!({"type": "message", "id": "other", "timestamp": "2026-01-02T03:04:06Z", "message": {"role": "user", "content": [{"type": "text", "text": said}]}}),
            ],
        );
        for session in [claude, codex, openclaw] {
            assert_eq!((session.id.as_str(), session.folder.as_deref()), ("s-1", Some("/home/a/drift")));
            assert_eq!(session.started, ForeignTime::parse("2026-01-02T03:04:05Z"));
            assert_eq!(session.transcript.requests(), [said]);
        }
    }

    #[test]
    fn whose_word_a_page_is_follows_from_which_page_it_is() {
        let origin = |format, path: &str| {
            let (records, _) = records_of(format, path, "# Style\n\n- Prefers tabs over spaces\n");
            match records.as_slice() {
                [ForeignRecord::Fact(fact)] => (fact.kind, fact.origin),
                other => panic!("{other:?}"),
            }
        };
        let user = Origin::UserInstruction;
        for (format, path, expected) in [
            (ImportFormat::ClaudeCode, "CLAUDE.md", (Kind::Behavior, user)),
            (ImportFormat::ClaudeCode, "x/memory/MEMORY.md", (Kind::Knowledge, Origin::AgentAnalysis)),
            (ImportFormat::Codex, "AGENTS.md", (Kind::Behavior, user)),
            (ImportFormat::Codex, "memories/MEMORY.md", (Kind::Knowledge, Origin::AgentAnalysis)),
            (ImportFormat::Openclaw, "USER.md", (Kind::Profile, user)),
            (ImportFormat::Openclaw, "MEMORY.md", (Kind::Knowledge, Origin::AgentAnalysis)),
            (ImportFormat::Zora, "MEMORY.md", (Kind::Knowledge, user)),
        ] {
            assert!(reads_file(format, path), "{path}");
            assert_eq!(origin(format, path), expected, "{path}");
        }
        let note = "---\nname: style\ndescription: how\ntype: feedback\n---\nThe user wants tests before code.\n";
        let (records, _) = records_of(ImportFormat::ClaudeCode, "memory/style.md", note);
        assert!(matches!(records.as_slice(), [ForeignRecord::Fact(fact)] if fact.kind == Kind::Behavior));
    }

    #[test]
    fn instructions_that_were_installed_are_not_read() {
        for path in ["plugins/x/CLAUDE.md", "skills/y/AGENTS.md", "a/node_modules/b/CLAUDE.md"] {
            assert!(!reads_file(ImportFormat::ClaudeCode, path) && !reads_file(ImportFormat::Codex, path), "{path}");
        }
        assert!(
            !reads_file(ImportFormat::ClaudeCode, "notes.md") && reads_file(ImportFormat::ClaudeCode, "a/CLAUDE.md")
        );
    }

    #[test]
    fn a_day_is_a_note() {
        for (format, path) in
            [(ImportFormat::Openclaw, "memory/2026-03-01.md"), (ImportFormat::Zora, "daily/2026-03-01.md")]
        {
            assert!(reads_file(format, path));
            let (records, _) = records_of(format, path, "# Day\n\n- Merged the parser\n");
            let [ForeignRecord::Note(note)] = records.as_slice() else { panic!("{records:?}") };
            assert_eq!((note.id.as_str(), note.created), (path, ForeignTime::parse("2026-03-01")));
            assert!(facts_of(format, path, "\n").is_empty());
        }
    }
}
