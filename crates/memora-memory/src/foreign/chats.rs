//! The data exports of ChatGPT and Claude: lists of conversations, and what the programs remember of the user.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::json::{RawTime, parse, read_values};
use super::markdown::find_passages;
use super::{BadRecord, ForeignFact, ForeignRecord, ForeignSession, ForeignTime, Found, RecordFault};
use crate::{Kind, Origin, Speaker, Transcript};

/// The most memories that are gathered from the conversations of an export.
const MEMORIES_MAX: usize = 10_000;

/// A conversation of ChatGPT: a tree of messages, of which the line from the root to `current_node` is what is shown.
#[derive(Deserialize)]
struct GptConversation {
    id: Option<String>,
    conversation_id: Option<String>,
    create_time: Option<RawTime>,
    update_time: Option<RawTime>,
    current_node: Option<String>,
    mapping: HashMap<String, GptNode>,
}

#[derive(Deserialize)]
struct GptNode {
    parent: Option<String>,
    message: Option<GptMessage>,
}

#[derive(Deserialize)]
struct GptMessage {
    author: Option<GptAuthor>,
    content: Option<GptContent>,
    create_time: Option<RawTime>,
    recipient: Option<String>,
    metadata: Option<GptMetadata>,
}

#[derive(Deserialize)]
struct GptAuthor {
    role: Option<String>,
}

#[derive(Deserialize)]
struct GptMetadata {
    is_visually_hidden_from_conversation: Option<bool>,
}

#[derive(Deserialize)]
struct GptContent {
    content_type: Option<String>,
    parts: Option<Vec<GptPart>>,
    text: Option<String>,
    /// What the user says of themselves, and how they want answers: their own words, in a frame.
    user_profile: Option<String>,
    user_instructions: Option<String>,
    /// What the program remembers, a numbered line each.
    model_set_context: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum GptPart {
    Text(String),
    Other(IgnoredAny),
}

/// What ChatGPT remembers, gathered from all conversations: its newest list, or where there is none, what it was told to keep.
#[derive(Default)]
struct GptMemories {
    list: Option<(f64, String)>,
    kept: Vec<ForeignFact>,
    profile: Option<(f64, Vec<ForeignFact>)>,
}

pub(super) fn read_chatgpt<E: From<io::Error>>(from: &mut dyn BufRead, found: &mut Found<'_, E>) -> Result<(), E> {
    let mut number = 0;
    let mut memories = GptMemories::default();
    read_values(from, &mut |key, value| {
        if !matches!(key, "" | "conversations") {
            return Ok(());
        }
        number += 1;
        match value.and_then(parse::<GptConversation>) {
            Ok(conversation) => {
                let session = memories.read_conversation(conversation);
                session.map_or(Ok(()), |session| found(Ok(ForeignRecord::Session(session))))
            }
            Err(fault) => found(Err(BadRecord { number, fault })),
        }
    })?;
    memories.into_facts().into_iter().try_for_each(|fact| found(Ok(ForeignRecord::Fact(fact))))
}

impl GptMemories {
    fn read_conversation(&mut self, conversation: GptConversation) -> Option<ForeignSession> {
        let mut transcript = Transcript::default();
        let at = conversation.update_time.as_ref().or(conversation.create_time.as_ref());
        let updated = match at {
            Some(RawTime::Number(number)) => *number,
            _ => 0.0,
        };
        for message in shown_messages(&conversation) {
            self.read_message(message, updated, &mut transcript);
        }
        let started = conversation.create_time.as_ref().and_then(RawTime::read);
        let id = conversation.conversation_id.or(conversation.id)?;
        (!transcript.is_empty()).then_some(ForeignSession { id, started, folder: None, transcript })
    }

    fn read_message(&mut self, message: &GptMessage, updated: f64, transcript: &mut Transcript) {
        let Some(content) = &message.content else { return };
        let kind = content.content_type.as_deref().unwrap_or("text");
        match kind {
            "user_editable_context" => self.take_profile(content, updated),
            "model_editable_context" => {
                let list = content.model_set_context.as_deref().filter(|list| !list.trim().is_empty());
                if let Some(list) = list
                    && self.list.as_ref().is_none_or(|(at, _)| *at <= updated)
                {
                    self.list = Some((updated, list.to_owned()));
                }
            }
            _ => {}
        }
        let hidden = message.metadata.as_ref().and_then(|data| data.is_visually_hidden_from_conversation);
        let role = message.author.as_ref().and_then(|author| author.role.as_deref()).unwrap_or_default();
        let recipient = message.recipient.as_deref().unwrap_or("all");
        if role == "assistant" && recipient == "bio" {
            let created = message.create_time.as_ref().and_then(RawTime::read);
            let said = content.read_text();
            for line in said.lines().map(str::trim).filter(|line| !line.is_empty()) {
                if self.kept.len() < MEMORIES_MAX {
                    self.kept.push(ForeignFact { created, ..fact(line, Kind::Knowledge, Origin::AgentAnalysis) });
                }
            }
            return;
        }
        let speaker = match role {
            "user" => Speaker::User,
            "assistant" if recipient == "all" => Speaker::Assistant,
            _ => return,
        };
        if hidden != Some(true) && matches!(kind, "text" | "multimodal_text") {
            transcript.push(speaker, &content.read_text());
        }
    }

    /// Takes what the user wrote about themselves, where it is newer than what was taken.
    fn take_profile(&mut self, content: &GptContent, updated: f64) {
        if self.profile.as_ref().is_some_and(|(at, _)| *at > updated) {
            return;
        }
        let facts = [(&content.user_profile, Kind::Profile), (&content.user_instructions, Kind::Behavior)];
        let facts: Vec<ForeignFact> = (facts.into_iter())
            .filter_map(|(text, kind)| Some((text.as_deref()?, kind)))
            .flat_map(|(text, kind)| {
                let own = find_passages(unframed(text)).into_iter();
                own.map(move |passage| passage.into_fact(kind, Origin::UserInstruction))
            })
            .collect();
        if !facts.is_empty() {
            self.profile = Some((updated, facts));
        }
    }

    fn into_facts(self) -> Vec<ForeignFact> {
        let mut facts = match self.list {
            Some((_, list)) => list.lines().filter_map(numbered_memory).collect(),
            None => self.kept,
        };
        facts.extend(self.profile.into_iter().flat_map(|(_, facts)| facts));
        facts
    }
}

/// The messages of the line that is shown, in order.
fn shown_messages(conversation: &GptConversation) -> Vec<&GptMessage> {
    let time = |node: &GptNode| match node.message.as_ref().and_then(|message| message.create_time.as_ref()) {
        Some(RawTime::Number(number)) => *number,
        _ => 0.0,
    };
    let newest = || {
        let nodes = conversation.mapping.iter();
        let last = nodes.max_by(|(a, one), (b, other)| time(one).total_cmp(&time(other)).then_with(|| a.cmp(b)));
        last.map(|(id, _)| id.as_str())
    };
    let mut at = conversation.current_node.as_deref().or_else(newest);
    let (mut line, mut seen) = (Vec::new(), HashSet::new());
    while let Some((id, node)) = at.and_then(|id| conversation.mapping.get_key_value(id)) {
        // A damaged tree may go in a circle.
        if !seen.insert(id) {
            break;
        }
        line.extend(&node.message);
        at = node.parent.as_deref();
    }
    line.reverse();
    line
}

impl GptContent {
    fn read_text(&self) -> String {
        let parts = self.parts.iter().flatten().filter_map(|part| match part {
            GptPart::Text(text) => Some(text.as_str()),
            GptPart::Other(_) => None,
        });
        let joined = parts.chain(self.text.as_deref()).collect::<Vec<_>>().join("\n\n");
        strip_markers(&joined)
    }
}

/// Takes out what stands between private characters: places of what was searched.
fn strip_markers(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{e200}') {
        kept.push_str(before);
        rest = after.split_once('\u{e201}').map_or("", |(_, after)| after);
    }
    kept + rest
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
    let (created, text) = match dated {
        Some((date, rest)) if ForeignTime::parse(date).is_some() => (ForeignTime::parse(date), rest),
        _ => (None, text),
    };
    let text = text.trim_start_matches('.').trim();
    (!text.is_empty()).then(|| ForeignFact { created, ..fact(text, Kind::Knowledge, Origin::AgentAnalysis) })
}

fn fact(text: &str, kind: Kind, origin: Origin) -> ForeignFact {
    ForeignFact { id: None, text: text.to_owned(), kind, entity: None, tags: Vec::new(), created: None, origin }
}

/// A value of Claude's export: a conversation, or what Claude remembers.
#[derive(Deserialize)]
struct ClaudeRecord {
    uuid: Option<String>,
    created_at: Option<RawTime>,
    chat_messages: Option<Vec<ClaudeMessage>>,
    conversations_memory: Option<String>,
    project_memories: Option<HashMap<String, String>>,
}

#[derive(Deserialize)]
struct ClaudeMessage {
    sender: Option<String>,
    text: Option<String>,
    content: Option<Vec<ClaudeContent>>,
}

#[derive(Deserialize)]
struct ClaudeContent {
    #[serde(rename = "type")]
    kind: Option<String>,
    text: Option<String>,
}

pub(super) fn read_claude<E: From<io::Error>>(from: &mut dyn BufRead, found: &mut Found<'_, E>) -> Result<(), E> {
    let mut number = 0;
    read_values(from, &mut |key, value| {
        number += 1;
        let record = match key {
            "" | "conversations" | "memories" => value.and_then(parse::<ClaudeRecord>),
            // A file may hold one account's memory rather than a list.
            "conversations_memory" => value.and_then(parse).map(|text| ClaudeRecord::of_memory(text, None)),
            "project_memories" => value.and_then(parse).map(|of| ClaudeRecord::of_memory(None, of)),
            _ => return Ok(()),
        };
        match record.and_then(|record| record.read().ok_or(RecordFault::UnknownShape)) {
            Ok(records) => records.into_iter().try_for_each(|record| found(Ok(record))),
            Err(fault) => found(Err(BadRecord { number, fault })),
        }
    })
}

impl ClaudeRecord {
    fn of_memory(text: Option<String>, projects: Option<HashMap<String, String>>) -> Self {
        Self {
            uuid: None,
            created_at: None,
            chat_messages: None,
            conversations_memory: Some(text.unwrap_or_default()),
            project_memories: projects,
        }
    }

    /// The records of it; `None` for what is neither.
    fn read(self) -> Option<Vec<ForeignRecord>> {
        if let (Some(id), Some(messages)) = (self.uuid, self.chat_messages) {
            let mut transcript = Transcript::default();
            for message in &messages {
                let speaker = match message.sender.as_deref() {
                    Some("human") => Speaker::User,
                    Some("assistant") => Speaker::Assistant,
                    _ => continue,
                };
                transcript.push(speaker, &message.read_text());
            }
            let started = self.created_at.as_ref().and_then(RawTime::read);
            let session = ForeignSession { id, started, folder: None, transcript };
            let said = !session.transcript.is_empty();
            return Some(said.then_some(ForeignRecord::Session(session)).into_iter().collect());
        }
        if self.conversations_memory.is_none() && self.project_memories.is_none() {
            return None;
        }
        let mut projects: Vec<(String, String)> = self.project_memories.into_iter().flatten().collect();
        projects.sort();
        let texts = self.conversations_memory.into_iter().chain(projects.into_iter().map(|(_, text)| text));
        let passages = texts.flat_map(|text| find_passages(&text));
        // A bold line alone is a heading.
        let says = passages.filter(|passage| !(passage.text.starts_with("**") && passage.text.ends_with("**")));
        let facts = says.map(|passage| passage.into_fact(Kind::Knowledge, Origin::AgentAnalysis));
        Some(facts.map(ForeignRecord::Fact).collect())
    }
}

impl ClaudeMessage {
    /// What was said; of an answer in parts the text alone.
    fn read_text(&self) -> String {
        let parts = self.content.iter().flatten().filter(|part| part.kind.as_deref() == Some("text"));
        let joined = parts.filter_map(|part| part.text.as_deref()).collect::<Vec<_>>().join("\n\n");
        if joined.is_empty() { self.text.clone().unwrap_or_default() } else { joined }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::ImportFormat;
    use super::super::tests::{facts_of, records_of};
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
