//! What programs tell their hooks, and what they take as an answer. Documented formats as of 2026; see `docs/agents.md`.

use std::path::PathBuf;

use memora_engine::read_json;
use serde_json::{Map, Value, json};

use super::hooks::HookProgram;

/// An event of a program. Programs differ in the names of fields, and add more; a field that is `null`, or of another kind than it
/// should be, is one that is missing.
#[derive(Default)]
pub(crate) struct HookEvent {
    session_id: Option<String>,
    pub(crate) transcript_path: Option<PathBuf>,
    cwd: Option<PathBuf>,
    workspace_roots: Vec<PathBuf>,
    pub(crate) prompt: Option<String>,
    pub(crate) compact_summary: Option<String>,
    tool_input: Value,
    /// Whether the turn goes on because a hook asked for more: as a flag, or as how often.
    stop_hook_active: Value,
    loop_count: Value,
    /// How the turn ended.
    status: Value,
}

/// Prints nothing of what the event says.
impl std::fmt::Debug for HookEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HookEvent")
    }
}

impl HookEvent {
    /// Reads an event; `None` where it cannot be read.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let Some(Value::Object(fields)) = read_json(bytes) else { return None };
        let text = |names: &[&str]| find_field(&fields, names).and_then(text_of).filter(|text| !text.is_empty());
        let value = |names: &[&str]| find_field(&fields, names).cloned().unwrap_or_default();
        let roots = match value(&["workspace_roots", "workspaceRoots"]) {
            Value::Array(roots) => roots.iter().filter_map(text_of).map(PathBuf::from).collect(),
            root => text_of(&root).into_iter().map(PathBuf::from).collect(),
        };
        Some(Self {
            session_id: text(&["session_id", "conversation_id", "sessionId", "conversationId"]),
            transcript_path: text(&["transcript_path", "transcriptPath"]).map(PathBuf::from),
            cwd: text(&["cwd"]).map(PathBuf::from),
            workspace_roots: roots,
            prompt: find_field(&fields, &["prompt", "user_prompt"]).map(words_of),
            compact_summary: find_field(&fields, &["compact_summary", "summary"]).map(words_of),
            tool_input: value(&["tool_input", "toolInput"]),
            stop_hook_active: value(&["stop_hook_active"]),
            loop_count: value(&["loop_count"]),
            status: value(&["status"]),
        })
    }

    /// The program's id of the session.
    pub(crate) fn session(&self) -> &str {
        self.session_id.as_deref().unwrap_or("session")
    }

    /// The folder that the session works in.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        self.cwd.clone().or_else(|| self.workspace_roots.first().cloned())
    }

    /// Whether the turn that ended was one that a hook asked for.
    pub(crate) fn is_continued(&self) -> bool {
        self.stop_hook_active.as_bool() == Some(true) || self.loop_count.as_f64().is_some_and(|count| count > 0.0)
    }

    /// Whether the user, or an error, cut the turn off.
    pub(crate) fn was_cut_off(&self) -> bool {
        matches!(self.status.as_str(), Some("aborted" | "error"))
    }

    /// The files that a call of a tool is about to write; `None` where its input is nothing that could name one.
    pub(crate) fn written_files(&self) -> Option<Vec<PathBuf>> {
        let mut files = Vec::new();
        match &self.tool_input {
            Value::Null => {}
            Value::String(text) => match read_json(text.as_bytes()) {
                Some(input @ Value::Object(_)) => collect_files(&input, false, 0, &mut files),
                _ => collect_patched(text, &mut files),
            },
            input @ (Value::Object(_) | Value::Array(_)) => collect_files(input, false, 0, &mut files),
            Value::Bool(_) | Value::Number(_) => return None,
        }
        Some(files)
    }
}

/// The first of some fields that is there.
fn find_field<'v>(fields: &'v Map<String, Value>, names: &[&str]) -> Option<&'v Value> {
    names.iter().filter_map(|name| fields.get(*name)).find(|value| !value.is_null())
}

/// A single value as text.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The words of a text, or of a list of parts that have one each.
fn words_of(value: &Value) -> String {
    match value {
        Value::Array(parts) => {
            parts.iter().map(words_of).filter(|words| !words.is_empty()).collect::<Vec<_>>().join("\n")
        }
        Value::Object(part) => {
            ["text", "content"].iter().find_map(|key| part.get(*key)).map(words_of).unwrap_or_default()
        }
        other => text_of(other).unwrap_or_default(),
    }
}

/// Collects the files that a tool's input names: by what is called a path, a file or an address, and in the lines of patches.
fn collect_files(input: &Value, is_named: bool, depth: usize, files: &mut Vec<PathBuf>) {
    const DEEPEST: usize = 16;
    match input {
        Value::Object(fields) if depth < DEEPEST => {
            for (key, value) in fields {
                let key = key.to_lowercase();
                let names = ["path", "file", "uri"].iter().any(|word| key.contains(word));
                collect_files(value, names, depth + 1, files);
            }
        }
        Value::Array(items) if depth < DEEPEST => {
            items.iter().for_each(|item| collect_files(item, is_named, depth + 1, files));
        }
        Value::String(text) if is_named && !text.contains('\n') => {
            files.push(PathBuf::from(text.strip_prefix("file://").unwrap_or(text)));
        }
        Value::String(text) => collect_patched(text, files),
        _ => {}
    }
}

/// Collects the files of a patch, which it names in lines of their own.
fn collect_patched(text: &str, files: &mut Vec<PathBuf>) {
    const MARKS: [&str; 4] = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];
    for line in text.lines() {
        files.extend(MARKS.iter().find_map(|mark| line.trim().strip_prefix(mark)).map(PathBuf::from));
    }
}

/// The answer that adds a text to the context of a session or a prompt.
pub(crate) fn context_answer(program: HookProgram, event: &str, text: &str) -> Value {
    match program {
        HookProgram::ClaudeCode | HookProgram::Codex => {
            json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": text } })
        }
        HookProgram::Cursor => json!({ "additional_context": text }),
    }
}

/// The answer to the end of a turn that asks the agent for more.
pub(crate) fn request_answer(program: HookProgram, text: &str) -> Value {
    match program {
        HookProgram::ClaudeCode | HookProgram::Codex => json!({ "decision": "block", "reason": text }),
        HookProgram::Cursor => json!({ "followup_message": text }),
    }
}

/// The answer that denies a tool what it is about to do.
pub(crate) fn denial_answer(program: HookProgram, reason: &str) -> Value {
    match program {
        HookProgram::ClaudeCode | HookProgram::Codex => json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        } }),
        HookProgram::Cursor => json!({ "permission": "deny", "user_message": reason, "agent_message": reason }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_events_of_three_programs_are_read() {
        for text in [
            r#"{"session_id":"s1","transcript_path":"/t.jsonl","cwd":"/work/drift","hook_event_name":"SessionStart","source":"startup"}"#,
            r#"{"session_id":"s1","transcript_path":"/t.jsonl","cwd":"/work/drift","model":"gpt-5","source":"startup"}"#,
            r#"{"conversation_id":"s1","generation_id":"g","workspace_roots":["/work/drift"],"transcript_path":"/t.jsonl"}"#,
        ] {
            let event = HookEvent::read(text.as_bytes()).expect("an event");
            assert_eq!(event.session(), "s1");
            assert_eq!(event.folder(), Some(PathBuf::from("/work/drift")));
            assert_eq!(event.transcript_path, Some(PathBuf::from("/t.jsonl")));
        }
    }

    #[test]
    fn what_is_null_or_of_another_kind_is_missing() {
        let text = "\u{feff}{\"session_id\": null, \"conversation_id\": 7, \"workspace_roots\": null, \"cwd\": \"\", \"prompt\": [{\"type\": \"text\", \"text\": \"a\u{1}\"}, \"b\"], \"status\": null}";
        let event = HookEvent::read(text.as_bytes()).expect("an event");
        assert_eq!((event.session(), event.folder(), event.prompt.as_deref()), ("7", None, Some("a\u{1}\nb")));
        let event = HookEvent::read(br#"{"workspace_roots": "/a", "summary": {"text": "s"}, "prompt": null}"#)
            .expect("an event");
        assert_eq!((event.folder(), event.compact_summary.as_deref()), (Some(PathBuf::from("/a")), Some("s")));
        assert_eq!(event.prompt, None);
        let malformed = HookEvent::read(br#"{"tool_input": 7}"#).expect("an event");
        assert_eq!(malformed.written_files(), None);
        assert!(HookEvent::read(b"[]").is_none() && HookEvent::read(b"{\"a\"").is_none());
    }

    #[test]
    fn a_turn_that_a_hook_asked_for_is_told_apart() {
        for (text, continued, cut_off) in [
            (r#"{"stop_hook_active":true}"#, true, false),
            (r#"{"stop_hook_active":false,"last_assistant_message":"Done."}"#, false, false),
            (r#"{"status":"completed","loop_count":0}"#, false, false),
            (r#"{"status":"completed","loop_count":2}"#, true, false),
            (r#"{"status":"aborted","loop_count":null}"#, false, true),
            (r#"{"status":7,"stop_hook_active":"yes"}"#, false, false),
        ] {
            let event = HookEvent::read(text.as_bytes()).expect("an event");
            assert_eq!((event.is_continued(), event.was_cut_off()), (continued, cut_off), "{text}");
        }
    }

    #[test]
    fn the_files_of_a_tool_are_read() {
        for (input, expected) in [
            (json!({"file_path": "/v/Memora/MEMORY.md", "content": "x"}), vec!["/v/Memora/MEMORY.md"]),
            (json!({"command": "*** Begin Patch\n*** Update File: a.md\n*** Add File: b.md\n"}), vec!["a.md", "b.md"]),
            (json!({"command": "ls"}), vec![]),
            (json!({"command": ["apply_patch", "*** Add File: c.md\n"]}), vec!["c.md"]),
            (json!({"filePath": "file:///v/d.md", "edits": [{"path": "e.md"}]}), vec!["/v/d.md", "e.md"]),
            (json!("{\"file_path\": \"f.md\"}"), vec!["f.md"]),
            (json!(null), vec![]),
        ] {
            let event = HookEvent::read(json!({ "tool_input": input }).to_string().as_bytes()).expect("an event");
            let expected: Vec<PathBuf> = expected.into_iter().map(PathBuf::from).collect();
            let mut files = event.written_files().expect("an input");
            files.sort();
            assert_eq!(files, expected);
        }
    }
}
