//! What programs tell their hooks, and what they take as an answer. Documented formats as of 2026; see `docs/agents.md`.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

use super::hooks::HookProgram;

/// An event of a program. Programs differ in the names of fields, and add more.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct HookEvent {
    #[serde(alias = "conversation_id")]
    session_id: Option<String>,
    pub(crate) transcript_path: Option<PathBuf>,
    cwd: Option<PathBuf>,
    workspace_roots: Vec<PathBuf>,
    pub(crate) prompt: Option<String>,
    #[serde(alias = "summary")]
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

    /// The files that a call of a tool is about to write.
    pub(crate) fn written_files(&self) -> Vec<PathBuf> {
        let text = |key: &str| self.tool_input.get(key).and_then(Value::as_str);
        let mut files: Vec<PathBuf> = ["file_path", "notebook_path", "path", "target_file"]
            .iter()
            .filter_map(|key| text(key))
            .map(PathBuf::from)
            .collect();
        // A patch names its files in lines of their own.
        let patch = text("command").or_else(|| text("patch")).or_else(|| text("input")).or(self.tool_input.as_str());
        for line in patch.unwrap_or_default().lines() {
            let marks = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];
            files.extend(marks.iter().find_map(|mark| line.trim().strip_prefix(mark)).map(PathBuf::from));
        }
        files
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
            let event: HookEvent = serde_json::from_str(text).expect("an event");
            assert_eq!(event.session(), "s1");
            assert_eq!(event.folder(), Some(PathBuf::from("/work/drift")));
            assert_eq!(event.transcript_path, Some(PathBuf::from("/t.jsonl")));
        }
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
            let event: HookEvent = serde_json::from_str(text).expect("an event");
            assert_eq!((event.is_continued(), event.was_cut_off()), (continued, cut_off), "{text}");
        }
    }

    #[test]
    fn the_files_of_a_tool_are_read() {
        for (input, expected) in [
            (json!({"file_path": "/v/Memora/MEMORY.md", "content": "x"}), vec!["/v/Memora/MEMORY.md"]),
            (json!({"command": "*** Begin Patch\n*** Update File: a.md\n*** Add File: b.md\n"}), vec!["a.md", "b.md"]),
            (json!({"command": "ls"}), vec![]),
            (json!(null), vec![]),
        ] {
            let event: HookEvent = serde_json::from_value(json!({ "tool_input": input })).expect("an event");
            let expected: Vec<PathBuf> = expected.into_iter().map(PathBuf::from).collect();
            assert_eq!(event.written_files(), expected);
        }
    }
}
