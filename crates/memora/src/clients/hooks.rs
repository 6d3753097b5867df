//! Hooks of programs that run agents: which file has them, which events there are, and how an entry is merged.
//!
//! Invariant, as for servers: **existing content is preserved**, and the result is parsed and compared before it is
//! written.

use std::path::PathBuf;

use clap::ValueEnum;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::{Value, json};

use super::SettingsFolders;
use super::merge::{MergeError, ensure_unique_key, parse_root, read_json, split_byte_order_mark, to_cst_value};

/// A program with hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HookProgram {
    /// Claude Code: ~/.claude/settings.json
    ClaudeCode,
    /// Codex: ~/.codex/hooks.json
    Codex,
    /// Cursor: ~/.cursor/hooks.json
    Cursor,
}

/// A hook: the program's event, the tools that it is about, and the event's name in `memora hook`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HookBinding {
    pub(crate) event: &'static str,
    matcher: Option<&'static str>,
    pub(crate) subcommand: &'static str,
}

const fn bind(event: &'static str, subcommand: &'static str) -> HookBinding {
    HookBinding { event, matcher: None, subcommand }
}

/// The time that a program waits for a hook, in seconds.
const TIMEOUT_S: u64 = 30;

impl HookProgram {
    /// Returns the program's own name.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::Cursor => "Cursor",
        }
    }

    /// Returns the name by which the program's agent is known in memory.
    pub(crate) fn agent(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
        }
    }

    /// Returns the largest context that the program takes whole, in bytes.
    pub(crate) fn context_bytes_max(self) -> usize {
        match self {
            Self::ClaudeCode | Self::Cursor => 9_000,
            Self::Codex => 7_000,
        }
    }

    /// Returns the file with the user's hooks.
    pub(crate) fn hooks_file(self, folders: &SettingsFolders) -> PathBuf {
        let SettingsFolders { home, claude, codex, .. } = folders;
        match self {
            Self::ClaudeCode => claude.clone().unwrap_or_else(|| home.join(".claude")).join("settings.json"),
            Self::Codex => codex.clone().unwrap_or_else(|| home.join(".codex")).join("hooks.json"),
            Self::Cursor => home.join(".cursor/hooks.json"),
        }
    }

    /// Returns the events that are answered.
    pub(crate) fn bindings(self) -> Vec<HookBinding> {
        let guard = |matcher| HookBinding { matcher: Some(matcher), ..bind("PreToolUse", "guard") };
        match self {
            Self::ClaudeCode => vec![
                bind("SessionStart", "session-start"),
                bind("UserPromptSubmit", "prompt"),
                bind("Stop", "stop"),
                bind("PreCompact", "pre-compact"),
                bind("PostCompact", "post-compact"),
                bind("SessionEnd", "session-end"),
                guard("Write|Edit|MultiEdit|NotebookEdit"),
            ],
            // It tells of the end of a turn, and not of a session's.
            Self::Codex => vec![
                bind("SessionStart", "session-start"),
                bind("UserPromptSubmit", "prompt"),
                bind("PreCompact", "pre-compact"),
                bind("PostCompact", "post-compact"),
                bind("Stop", "session-end"),
                bind("Stop", "stop"),
                guard("apply_patch|Edit|Write"),
            ],
            Self::Cursor => vec![
                bind("sessionStart", "session-start"),
                bind("beforeSubmitPrompt", "prompt"),
                bind("stop", "stop"),
                bind("preCompact", "pre-compact"),
                bind("sessionEnd", "session-end"),
                HookBinding { matcher: Some("Write|Edit"), ..bind("preToolUse", "guard") },
            ],
        }
    }

    /// Returns the entry for a hook: a group with one command, or the command itself.
    fn entry(self, binding: HookBinding, command: &str) -> Value {
        let mut entry = match self {
            Self::ClaudeCode | Self::Codex => {
                json!({ "hooks": [{ "type": "command", "command": command, "timeout": TIMEOUT_S }] })
            }
            Self::Cursor => json!({ "command": command, "timeout": TIMEOUT_S }),
        };
        if let (Some(matcher), Some(fields)) = (binding.matcher, entry.as_object_mut()) {
            fields.insert("matcher".to_owned(), matcher.into());
        }
        entry
    }
}

/// A command for each event of a program.
pub(crate) type HookCommands = Vec<(HookBinding, String)>;

/// Returns the text of a file with the hooks merged in; `None` if they are there already.
pub(crate) fn merge_hooks(
    text: &str,
    program: HookProgram,
    commands: &HookCommands,
) -> Result<Option<String>, MergeError> {
    let (mark, body) = split_byte_order_mark(text);
    let before = read_json(body)?;
    let root = parse_root(body)?;
    let object = root.object_value_or_create().ok_or_else(|| not_hooks("the file"))?;
    let mut meant = before.clone();
    if program == HookProgram::Cursor && before.get("version").is_none() {
        object.append("version", CstInputValue::Number("1".to_owned()));
        set_key(&mut meant, "version", 1.into())?;
    }
    ensure_unique_key(&object, "hooks")?;
    let hooks = object.object_value_or_create("hooks").ok_or_else(|| not_hooks("hooks"))?;
    if meant.get("hooks").is_none() {
        set_key(&mut meant, "hooks", json!({}))?;
    }
    for part in [&object, &hooks] {
        if part.properties().len() <= 1 {
            part.ensure_multiline();
        }
    }
    for (binding, command) in commands {
        let list = find_list(&hooks, binding.event)?;
        let entry = program.entry(*binding, command);
        let there = before.get("hooks").and_then(|hooks| hooks.get(binding.event)).and_then(Value::as_array);
        if there.is_some_and(|list| list.iter().any(|entry| commands_of(entry).any(|told| told == command))) {
            continue;
        }
        if there.is_none_or(Vec::is_empty) {
            list.ensure_multiline();
        }
        list.append(to_cst_value(&entry));
        let meant = meant.get_mut("hooks").and_then(Value::as_object_mut).ok_or_else(|| not_hooks("hooks"))?;
        let meant = meant.entry(binding.event).or_insert_with(|| json!([]));
        meant.as_array_mut().ok_or_else(|| not_hooks(binding.event))?.push(entry);
    }
    finish(mark, &root, &before, &meant)
}

/// Returns the text of a file with the hooks taken out; `None` if there are none. A hook is known by the end of its command.
pub(crate) fn remove_hooks(text: &str, program: HookProgram) -> Result<Option<String>, MergeError> {
    let (mark, body) = split_byte_order_mark(text);
    let before = read_json(body)?;
    let mut meant = before.clone();
    let root = parse_root(body)?;
    let hooks = root.object_value().and_then(|object| object.get("hooks")).and_then(|hooks| hooks.object_value());
    let Some(hooks) = hooks else { return Ok(None) };
    for binding in program.bindings() {
        let Some(list) = hooks.get(binding.event).and_then(|list| list.array_value()) else { continue };
        let Some(told) = meant.get_mut("hooks").and_then(|hooks| hooks.get_mut(binding.event)) else { continue };
        let Some(told) = told.as_array_mut() else { continue };
        let mark = format!(" hook {} --client {}", binding.subcommand, program.agent());
        let is_ours = |entry: &Value| commands_of(entry).any(|command| command.contains(&mark));
        let ours: Vec<bool> = told.iter().map(is_ours).collect();
        for (element, _) in list.elements().into_iter().zip(&ours).filter(|(_, ours)| **ours) {
            remove_node(element);
        }
        told.retain(|entry| !is_ours(entry));
    }
    finish(mark, &root, &before, &meant)
}

/// The text, if it says exactly what was meant.
fn finish(mark: &str, root: &CstRootNode, before: &Value, meant: &Value) -> Result<Option<String>, MergeError> {
    let written = root.to_string();
    if read_json(&written)? != *meant {
        return Err(MergeError::UnexpectedResult);
    }
    Ok((meant != before).then(|| format!("{mark}{written}")))
}

fn not_hooks(key: &str) -> MergeError {
    MergeError::NotHooks(key.to_owned())
}

fn set_key(object: &mut Value, key: &str, value: Value) -> Result<(), MergeError> {
    object.as_object_mut().ok_or_else(|| not_hooks("the file"))?.insert(key.to_owned(), value);
    Ok(())
}

fn find_list(hooks: &CstObject, event: &str) -> Result<CstArray, MergeError> {
    ensure_unique_key(hooks, event)?;
    hooks.array_value_or_create(event).ok_or_else(|| not_hooks(event))
}

fn remove_node(node: CstNode) {
    match node {
        CstNode::Container(container) => container.remove(),
        CstNode::Leaf(leaf) => leaf.remove(),
    }
}

/// The commands of an entry, in either shape.
fn commands_of(entry: &Value) -> impl Iterator<Item = &str> {
    let inner = entry.get("hooks").and_then(Value::as_array).into_iter().flatten();
    std::iter::once(entry).chain(inner).filter_map(|hook| hook.get("command")?.as_str())
}

/// Returns a command line for a shell, of words that are quoted where they have to be.
pub(crate) fn shell_command(words: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-:=+,@%\\".contains(c);
    let quote =
        |word: &String| match word.chars().all(plain) && !word.is_empty() && (cfg!(windows) || !word.contains('\\')) {
            true => word.clone(),
            false if cfg!(windows) => format!("\"{}\"", word.replace('"', "\\\"")),
            false => format!("'{}'", word.replace('\'', "'\\''")),
        };
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(program: HookProgram) -> HookCommands {
        let command = |binding: HookBinding| {
            let words =
                ["/bin/memora", "--vault", "/my notes", "hook", binding.subcommand, "--client", program.agent()];
            (binding, shell_command(&words.map(str::to_owned)))
        };
        program.bindings().into_iter().map(command).collect()
    }

    #[test]
    fn hooks_are_merged_once_and_taken_out_again() {
        for program in HookProgram::value_variants() {
            for text in [
                "",
                "{}",
                "{\n  // mine\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}], \"stop\": [{\"command\": \"say done\"}]},\n}\n",
            ] {
                let merged =
                    merge_hooks(text, *program, &commands(*program)).expect("it can be merged").expect("it is new");
                assert_eq!(merge_hooks(&merged, *program, &commands(*program)), Ok(None), "{merged}");
                let read = read_json(&merged).expect("JSON");
                for binding in program.bindings() {
                    let list = read["hooks"][binding.event].as_array().expect("a list");
                    let told: Vec<&str> = list.iter().flat_map(commands_of).collect();
                    let expected = format!(
                        "/bin/memora --vault '/my notes' hook {} --client {}",
                        binding.subcommand,
                        program.agent()
                    );
                    assert!(told.contains(&expected.as_str()), "{merged}");
                }
                assert!(
                    !text.contains("say done") || merged.contains("// mine") && merged.contains("say done"),
                    "{merged}"
                );
                let removed = remove_hooks(&merged, *program).expect("it can be read").expect("they are there");
                assert!(!removed.contains("memora"), "{removed}");
                assert_eq!(removed.matches("say done").count(), text.matches("say done").count());
                assert_eq!(remove_hooks(&removed, *program), Ok(None));
            }
        }
    }

    #[test]
    fn what_is_no_file_of_hooks_is_refused() {
        let program = HookProgram::ClaudeCode;
        for text in
            ["{", "[]", "7", "{\"hooks\": []}", "{\"hooks\": {\"SessionStart\": {}}}", "{\"hooks\": {}, \"hooks\": {}}"]
        {
            assert!(merge_hooks(text, program, &commands(program)).is_err(), "{text}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn words_are_quoted_for_a_shell() {
        let words = ["memora", "/my notes", "it's", "", "a\\b"].map(str::to_owned);
        assert_eq!(shell_command(&words), "memora '/my notes' 'it'\\''s' '' 'a\\b'");
    }
}
