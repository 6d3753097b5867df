//! The data exports of ChatGPT and Claude: lists of conversations, and what the programs remember of the user.

use std::collections::HashSet;
use std::io::{self, BufRead};

use serde_json::{Map, Value};

use super::json::{number, read_records, said, text, time};
use super::markdown::{find_passages, read_facts};
use super::record::{ForeignFact, ForeignRecord, ForeignSession, ForeignTime, Found, tell};
use crate::clean::strip_between;
use crate::{Kind, Origin, Speaker, Transcript};

/// The most memories that are gathered from the conversations of an export.
const MEMORIES_MAX: usize = 10_000;

/// What ChatGPT remembers, gathered from all conversations: its newest list, or where there is none, what it was told to keep.
#[derive(Default)]
struct GptMemories {
    list: Option<(f64, String)>,
    kept: Vec<ForeignFact>,
    /// What the user says of themselves, and how they want answers: their own words.
    profile: Option<(f64, Vec<ForeignRecord>)>,
}

pub(super) fn read_chatgpt<E: From<io::Error>>(from: &mut dyn BufRead, found: &mut Found<'_, E>) -> Result<(), E> {
    let mut memories = GptMemories::default();
    read_records(from, &["", "conversations"], found, |_, conversation| memories.read_conversation(conversation))?;
    tell(0, Ok(memories.into_records()), found)
}

impl GptMemories {
    /// Reads a conversation: a tree of messages, of which the line from the root to `current_node` is what is shown.
    fn read_conversation(&mut self, conversation: &Value) -> Option<Vec<ForeignRecord>> {
        let mut transcript = Transcript::default();
        let updated = number(conversation, &["update_time", "create_time"]);
        for message in shown_messages(conversation)? {
            self.read_message(message, updated, &mut transcript);
        }
        let started = time(conversation, &["create_time"]);
        let session = |id: &str| ForeignSession { id: id.to_owned(), started, folder: None, transcript };
        Some(
            text(conversation, &["conversation_id", "id"])
                .map(session)
                .map_or_else(Vec::new, ForeignSession::into_records),
        )
    }

    fn read_message(&mut self, message: &Value, updated: f64, transcript: &mut Transcript) {
        let content = &message["content"];
        let kind = text(content, &["content_type"]).unwrap_or("text");
        match kind {
            "user_editable_context" => self.take_profile(content, updated),
            // A numbered line each.
            "model_editable_context" => {
                if let Some(list) = said(content, &["model_set_context"])
                    && self.list.as_ref().is_none_or(|(at, _)| *at <= updated)
                {
                    self.list = Some((updated, list.to_owned()));
                }
            }
            _ => {}
        }
        let recipient = text(message, &["recipient"]).unwrap_or("all");
        let speaker = match text(&message["author"], &["role"]) {
            Some("assistant") if recipient == "bio" => {
                let created = time(message, &["create_time"]);
                let words = content_words(content);
                let kept = words.lines().map(str::trim).filter(|line| !line.is_empty());
                let room = MEMORIES_MAX.saturating_sub(self.kept.len());
                self.kept.extend(kept.take(room).map(|line| ForeignFact { created, ..ForeignFact::new(line) }));
                return;
            }
            Some("user") => Speaker::User,
            Some("assistant") if recipient == "all" => Speaker::Assistant,
            _ => return,
        };
        let is_hidden = message["metadata"]["is_visually_hidden_from_conversation"] == true;
        if !is_hidden && matches!(kind, "text" | "multimodal_text") {
            transcript.push(speaker, &content_words(content));
        }
    }

    /// Takes what the user wrote about themselves, where it is newer than what was taken.
    fn take_profile(&mut self, content: &Value, updated: f64) {
        if self.profile.as_ref().is_some_and(|(at, _)| *at > updated) {
            return;
        }
        let facts = [("user_profile", Kind::Profile), ("user_instructions", Kind::Behavior)];
        let facts = facts.into_iter().filter_map(|(name, kind)| Some((text(content, &[name])?, kind)));
        let facts: Vec<ForeignRecord> =
            facts.flat_map(|(text, kind)| read_facts(unframed(text), kind, Origin::UserInstruction)).collect();
        if !facts.is_empty() {
            self.profile = Some((updated, facts));
        }
    }

    fn into_records(self) -> Vec<ForeignRecord> {
        let facts = match self.list {
            Some((_, list)) => list.lines().filter_map(numbered_memory).collect(),
            None => self.kept,
        };
        let profile = self.profile.into_iter().flat_map(|(_, facts)| facts);
        facts.into_iter().map(ForeignRecord::Fact).chain(profile).collect()
    }
}

/// The messages of the line that is shown, in order; `None` for what is no conversation.
fn shown_messages(conversation: &Value) -> Option<Vec<&Value>> {
    let nodes = conversation.get("mapping")?.as_object()?;
    let age = |node: &Value| number(&node["message"], &["create_time"]);
    let newest = || {
        let last = nodes.iter().max_by(|(a, one), (b, other)| age(one).total_cmp(&age(other)).then_with(|| a.cmp(b)));
        last.map(|(id, _)| id.as_str())
    };
    let mut at = text(conversation, &["current_node"]).or_else(newest);
    let (mut line, mut seen) = (Vec::new(), HashSet::new());
    while let Some((id, node)) = at.and_then(|id| nodes.get_key_value(id)) {
        // A damaged tree may go in a circle.
        if !seen.insert(id) {
            break;
        }
        line.extend(node.get("message"));
        at = text(node, &["parent"]);
    }
    line.reverse();
    Some(line)
}

/// The words of a message, without what stands between private characters: places of what was searched.
fn content_words(content: &Value) -> String {
    let parts = content["parts"].as_array().into_iter().flatten().filter_map(Value::as_str);
    strip_between(&parts.chain(text(content, &["text"])).collect::<Vec<_>>().join("\n\n"), "\u{e200}", "\u{e201}")
}

/// What the user wrote: the text within the fence that the program puts around it, or all.
fn unframed(text: &str) -> &str {
    let inner = text.split_once("```").and_then(|(_, rest)| rest.split_once("```"));
    inner.map_or(text, |(inner, _)| inner)
}

/// `12. [2024-05-01]. Lives in Lisbon.`
fn numbered_memory(line: &str) -> Option<ForeignFact> {
    let text = line.trim().trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('.')?.trim();
    let dated = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let dated = dated.and_then(|(date, rest)| Some((Some(ForeignTime::parse(date)?), rest)));
    let (created, text) = dated.unwrap_or((None, text));
    let text = text.trim_start_matches('.').trim();
    (!text.is_empty()).then(|| ForeignFact { created, ..ForeignFact::new(text) })
}

pub(super) fn read_claude<E: From<io::Error>>(from: &mut dyn BufRead, found: &mut Found<'_, E>) -> Result<(), E> {
    const KEYS: [&str; 5] = ["", "conversations", "memories", "conversations_memory", "project_memories"];
    read_records(from, &KEYS, found, |key, record| match key {
        // A file may hold one account's memory rather than a list.
        "conversations_memory" | "project_memories" if record.is_null() => Some(Vec::new()),
        "conversations_memory" | "project_memories" => claude_memories(record.as_str(), record.as_object()),
        _ if record["uuid"].is_string() && record["chat_messages"].is_array() => claude_session(record),
        _ => claude_memories(text(record, &["conversations_memory"]), record["project_memories"].as_object()),
    })
}

fn claude_session(record: &Value) -> Option<Vec<ForeignRecord>> {
    let mut transcript = Transcript::default();
    for message in record["chat_messages"].as_array()? {
        let speaker = match text(message, &["sender"]) {
            Some("human") => Speaker::User,
            Some("assistant") => Speaker::Assistant,
            _ => continue,
        };
        // Of an answer in parts the text alone.
        let parts = message["content"].as_array().into_iter().flatten().filter(|part| part["type"] == "text");
        let joined = parts.filter_map(|part| text(part, &["text"])).collect::<Vec<_>>().join("\n\n");
        let whole = || text(message, &["text"]).unwrap_or_default();
        transcript.push(speaker, if joined.is_empty() { whole() } else { &joined });
    }
    let id = text(record, &["uuid"])?.to_owned();
    Some(ForeignSession { id, started: time(record, &["created_at"]), folder: None, transcript }.into_records())
}

/// What Claude remembers, in general and of each project; `None` for what is neither.
fn claude_memories(general: Option<&str>, projects: Option<&Map<String, Value>>) -> Option<Vec<ForeignRecord>> {
    if general.is_none() && projects.is_none() {
        return None;
    }
    let projects = projects.into_iter().flat_map(Map::values).filter_map(Value::as_str);
    let passages = general.into_iter().chain(projects).flat_map(find_passages);
    // A bold line alone is a heading.
    let says = passages.filter(|passage| !(passage.text.starts_with("**") && passage.text.ends_with("**")));
    let facts = says.map(|passage| passage.into_fact(Kind::Knowledge, Origin::AgentAnalysis));
    Some(facts.map(ForeignRecord::Fact).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::tests::{facts_of, records_of};
    use super::super::{ImportFormat, RecordFault};
    use super::*;

    fn message(role: &str, text: &str) -> Value {
        json!({"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}, "recipient": "all"})
    }

    fn conversation(id: &str, updated: u32, messages: &[Value]) -> Value {
        let mut mapping = json!({"n0": {"id": "n0", "message": null, "parent": null, "children": ["n1"]}});
        for (number, message) in messages.iter().enumerate() {
            let node = json!({"id": format!("n{}", number + 1), "message": message, "parent": format!("n{number}"), "children": []});
            mapping[format!("n{}", number + 1)] = node;
        }
        json!({"id": id, "conversation_id": id, "title": "A title", "create_time": 1_700_000_000.5, "update_time": updated,
            "current_node": format!("n{}", messages.len()), "mapping": mapping})
    }

    /// The ids of the sessions, and what was said in each.
    fn sessions(records: &[ForeignRecord]) -> Vec<(&str, Vec<&str>)> {
        let mut sessions = Vec::new();
        for record in records {
            if let ForeignRecord::Session(session) = record {
                let said = session.transcript.last_messages().map(|said| said.text.as_str());
                sessions.push((session.id.as_str(), said.collect()));
            }
        }
        sessions
    }

    #[test]
    fn the_line_of_a_conversation_that_is_shown_is_what_was_said() {
        let mut chat = conversation(
            "c-1",
            2,
            &[
                message("system", "You are an assistant."),
                message("user", "Where do I find rye flour?"),
                message("assistant", "At the mill in town.\u{e200}cite\u{e202}turn0\u{e201}"),
            ],
        );
        // Another branch of the same tree.
        chat["mapping"]["n9"] = json!({"id": "n9", "message": message("assistant", "Never mind the other branch."), "parent": "n2", "children": []});
        let text = json!([{"broken": 1}, chat, conversation("c-2", 1, &[message("tool", "Output of some tool.")])])
            .to_string();
        let (records, bad) = records_of(ImportFormat::Chatgpt, "conversations.json", &text);
        assert_eq!(sessions(&records), [("c-1", vec!["Where do I find rye flour?", "At the mill in town."])]);
        assert_eq!(bad, [(1, RecordFault::UnknownShape)]);
    }

    #[test]
    fn the_newest_list_of_memories_counts_and_without_one_what_was_kept() {
        let list = |text: &str| json!({"author": {"role": "assistant"}, "content": {"content_type": "model_editable_context", "model_set_context": text}});
        let bio = json!({"author": {"role": "assistant"}, "recipient": "bio", "create_time": 1_700_000_000, "content": {"content_type": "text", "parts": ["Likes rye bread."]}});
        let profile = json!({"author": {"role": "user"}, "metadata": {"is_visually_hidden_from_conversation": true}, "content": {"content_type": "user_editable_context",
            "user_profile": "About the user:\n```I bake bread on weekends.```", "user_instructions": "```Answer in short sentences.```"}});
        let facts = |chats: Value| facts_of(ImportFormat::Chatgpt, "conversations.json", &chats.to_string());
        assert_eq!(
            facts(json!([conversation("a", 1, &[bio.clone(), profile])])),
            ["Likes rye bread.", "I bake bread on weekends.", "Answer in short sentences."]
        );
        let old = conversation("a", 5, &[list("1. [2024-05-01]. Lives in Lisbon.\n2. Has a cat.")]);
        let new = conversation("b", 9, &[list("1. [2024-06-01]. Lives in Porto."), bio]);
        assert_eq!(facts(json!([new, old])), ["Lives in Porto."]);
    }

    #[test]
    fn a_tree_that_goes_in_a_circle_is_left() {
        let text = json!([{"id": "x", "current_node": "a", "mapping": {
            "a": {"parent": "b", "message": message("user", "round and round it goes")}, "b": {"parent": "a", "message": null}}}]);
        let (records, _) = records_of(ImportFormat::Chatgpt, "conversations.json", &text.to_string());
        assert_eq!(sessions(&records).len(), 1);
    }

    #[test]
    fn conversations_and_memories_of_claude_are_read() {
        let chats = json!([
            {"uuid": "u-1", "name": "Bread", "created_at": "2025-01-01T12:00:00.000Z", "chat_messages": [
                {"uuid": "m-1", "sender": "human", "text": "Which flour is for rye bread?", "content": []},
                {"uuid": "m-2", "sender": "assistant", "text": "thinking and all", "content": [
                    {"type": "thinking", "thinking": "Let me see."}, {"type": "text", "text": "Type 1150 is the usual one."}]}]},
            {"uuid": "u-2", "chat_messages": []},
            {"name": "neither"},
        ]);
        let (records, bad) = records_of(ImportFormat::Claude, "conversations.json", &chats.to_string());
        assert_eq!(sessions(&records), [("u-1", vec!["Which flour is for rye bread?", "Type 1150 is the usual one."])]);
        assert_eq!(bad, [(3, RecordFault::UnknownShape)]);
        let memory = json!({"conversations_memory": "**Work context**\n\nAnna works at Tidewell.", "project_memories": {"p-1": "The port is 8080 in staging."}, "account_uuid": "u"});
        for text in [memory.to_string(), json!([memory]).to_string()] {
            assert_eq!(
                facts_of(ImportFormat::Claude, "memories.json", &text),
                ["Anna works at Tidewell.", "The port is 8080 in staging."]
            );
        }
    }
}
