//! The files of programs that keep memories: Mem0, claude-mem, basic-memory, the MCP reference memory, Zora.

use std::io::{self, BufRead};

use serde_json::Value;

use super::json::{id, list, parse, read_lines, read_records, said, text, time};
use super::markdown::list_text;
use super::record::{ForeignFact, ForeignRecord, ForeignSession, ForeignTime, Found, RecordFault, read_page, tell};
use crate::document::Document;
use crate::{Kind, Origin, Speaker, Transcript, clean_line};

/// The longest name of a category or a relation, in characters.
const NAME_CHARS_MAX: usize = 60;

pub(super) fn read_mem0<E: From<io::Error>>(from: &mut dyn BufRead, found: &mut Found<'_, E>) -> Result<(), E> {
    read_records(from, &["", "results", "memories", "relations"], found, |_, record| Some(vec![mem0_fact(record)?]))
}

/// A memory of Mem0's, or an edge of its graph.
fn mem0_fact(record: &Value) -> Option<ForeignRecord> {
    let edge = || say_relation(record, &["source"], &["relationship", "relation"], &["target", "destination"]);
    let words = text(record, &["memory", "text"]).map(str::to_owned).or_else(edge)?;
    Some(ForeignRecord::Fact(ForeignFact {
        id: id(record),
        tags: list(record, "categories"),
        created: time(record, &["updated_at", "created_at"]),
        ..ForeignFact::new(words)
    }))
}

/// `Anna`, `works_at`, `Tidewell` as a sentence.
fn say_relation(record: &Value, from: &[&str], relation: &[&str], to: &[&str]) -> Option<String> {
    Some(relation_sentence(text(record, from)?, text(record, relation)?, text(record, to)?))
}

fn relation_sentence(from: &str, relation: &str, to: &str) -> String {
    clean_line(&format!("{from} {} {to}.", relation.replace('_', " ")))
}

pub(super) fn read_claude_mem<E: From<io::Error>>(from: &mut dyn BufRead, found: &mut Found<'_, E>) -> Result<(), E> {
    // A list without a key is no export.
    read_records(from, &["", "observations", "summaries"], found, |key, record| match key {
        "observations" => observed_facts(record),
        "summaries" => summarized_session(record),
        _ => None,
    })
}

/// The facts of an observation; or that itself as one, where it has none.
fn observed_facts(record: &Value) -> Option<Vec<ForeignRecord>> {
    let id = id(record)?;
    let created = time(record, &["created_at_epoch", "created_at"]);
    let mut tags: Vec<String> =
        ["project", "type"].iter().filter_map(|name| Some(text(record, &[name])?.to_owned())).collect();
    tags.extend(list(record, "concepts"));
    let mut texts = list(record, "facts");
    if texts.is_empty() {
        let parts = [said(record, &["title"]), said(record, &["narrative", "text", "subtitle"])];
        texts.push(parts.into_iter().flatten().collect::<Vec<_>>().join(": "));
    }
    let facts = texts.into_iter().filter(|text| !text.is_empty()).zip(1..).map(|(text, number)| ForeignFact {
        id: Some(format!("observation-{id}-{number}")),
        tags: tags.clone(),
        created,
        ..ForeignFact::new(text)
    });
    Some(facts.map(ForeignRecord::Fact).collect())
}

/// A summary of a session, of which there may be several.
fn summarized_session(record: &Value) -> Option<Vec<ForeignRecord>> {
    let mut transcript = Transcript::default();
    transcript.push(Speaker::User, text(record, &["request"]).unwrap_or_default());
    let told = ["completed", "learned", "investigated", "notes"].iter().filter_map(|name| said(record, &[name]));
    let next = said(record, &["next_steps"]).map(|text| format!("Next: {text}"));
    transcript.push(Speaker::Assistant, &told.map(str::to_owned).chain(next).collect::<Vec<_>>().join("\n\n"));
    let started = time(record, &["created_at_epoch", "created_at"]);
    let session = ForeignSession { id: format!("summary-{}", id(record)?), started, folder: None, transcript };
    Some(session.into_records())
}

pub(super) fn read_mcp_memory<E: From<io::Error>>(from: &mut dyn BufRead, found: &mut Found<'_, E>) -> Result<(), E> {
    read_lines(from, &mut |number, line| {
        let facts = line.and_then(parse).and_then(|line| graph_facts(&line).ok_or(RecordFault::UnknownShape));
        tell(number, facts, found)
    })
}

/// What a line of the MCP reference memory's file says: of a thing, or of two.
fn graph_facts(line: &Value) -> Option<Vec<ForeignRecord>> {
    let fact = |entity: &str, tags: &[String], text: String| {
        let entity = Some(entity.to_owned());
        ForeignRecord::Fact(ForeignFact { entity, tags: tags.to_vec(), ..ForeignFact::new(text) })
    };
    match text(line, &["type"])? {
        "entity" => {
            let name = text(line, &["name"])?;
            let told = line.get("observations")?.as_array()?.iter().filter_map(Value::as_str);
            let tags: Vec<String> = text(line, &["entityType"]).into_iter().map(str::to_owned).collect();
            Some(told.filter(|text| !text.trim().is_empty()).map(|text| fact(name, &tags, text.to_owned())).collect())
        }
        "relation" => {
            let said = say_relation(line, &["from"], &["relationType"], &["to"])?;
            Some(vec![fact(text(line, &["from"])?, &[], said)])
        }
        _ => None,
    }
}

pub(super) fn read_zora_item<E: From<io::Error>>(from: &mut dyn BufRead, found: &mut Found<'_, E>) -> Result<(), E> {
    let mut bytes = Vec::new();
    let limit = super::record::PAGE_BYTES_MAX + 1;
    io::Read::read_to_end(&mut io::Read::take(from, limit), &mut bytes)?;
    let item = if bytes.len() as u64 == limit { Err(RecordFault::TooLong) } else { parse(&bytes) };
    tell(1, item.and_then(|item| zora_fact(&item).ok_or(RecordFault::UnknownShape)), found)
}

fn zora_fact(item: &Value) -> Option<Vec<ForeignRecord>> {
    let category = text(item, &["category"]).filter(|name| !name.is_empty());
    Some(vec![ForeignRecord::Fact(ForeignFact {
        id: Some(id(item)?),
        kind: text(item, &["type"]).and_then(|kind| kind.parse().ok()).unwrap_or_default(),
        tags: category.into_iter().map(str::to_owned).chain(list(item, "tags")).collect(),
        created: time(item, &["created_at"]),
        // Another program says so: it counts only where the user vouches for the import.
        origin: text(item, &["source_type"]).and_then(|word| word.parse().ok()).unwrap_or(Origin::ToolOutput),
        ..ForeignFact::new(text(item, &["summary", "content"])?)
    })])
}

/// Reads a note of basic-memory: its observations, `- [category] text #tag (context)`, and its relations,
/// `- relation [[Note]] (context)`.
pub(super) fn read_basic_memory<E: From<io::Error>>(
    path: &str,
    from: &mut dyn BufRead,
    found: &mut Found<'_, E>,
) -> Result<(), E> {
    let Some(page) = read_page(from, found)? else { return Ok(()) };
    let document = Document::parse(&page);
    let property = |key: &str| document.as_ref().and_then(|document| document.text(key)).map(|text| unquoted(&text));
    let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md").to_owned();
    let title = property("title").filter(|title| !title.is_empty()).unwrap_or(stem);
    let created = ["created", "date"].into_iter().find_map(|key| ForeignTime::parse(&property(key)?));
    let body = document.as_ref().map_or(page.as_str(), |document| document.body.as_str());
    let facts = body.lines().filter_map(|line| find_observation(line).or_else(|| find_relation(line, &title)));
    let of_note = |fact| ForeignRecord::Fact(ForeignFact { entity: Some(title.clone()), created, ..fact });
    tell(1, Ok(facts.map(of_note).collect()), found)
}

fn unquoted(text: &str) -> String {
    text.trim().trim_matches(['"', '\'']).to_owned()
}

fn find_observation(line: &str) -> Option<ForeignFact> {
    let rest = line.trim_start().strip_prefix("- [").filter(|rest| !rest.starts_with('['))?;
    let (category, text) = rest.split_once(']')?;
    let category = category.trim();
    // `- [ ] task` and `- [name](link)` are none.
    let is_task = category.is_empty() || matches!(category, "x" | "X" | "-" | "/" | ">");
    let text = text.strip_prefix(' ')?.trim();
    if is_task || category.chars().count() > NAME_CHARS_MAX || text.is_empty() {
        return None;
    }
    let is_tag = |word: &&str| word.len() > 1 && word.starts_with('#') && !word.starts_with("##");
    let mut tags = vec![category.to_owned()];
    tags.extend(text.split_whitespace().filter(is_tag).map(|tag| tag.trim_start_matches('#').to_owned()));
    let words: Vec<&str> = text.split_whitespace().filter(|word| !is_tag(word)).collect();
    let kind = if category.eq_ignore_ascii_case("preference") { Kind::Behavior } else { Kind::Knowledge };
    Some(ForeignFact { kind, tags, ..ForeignFact::new(words.join(" ")) })
}

fn find_relation(line: &str, title: &str) -> Option<ForeignFact> {
    let text = list_text(line)?;
    let (relation, rest) = text.split_once("[[")?;
    let (target, rest) = rest.split_once("]]")?;
    let relation = relation.trim();
    let is_name = !relation.is_empty() && relation.chars().count() <= NAME_CHARS_MAX && !relation.contains(['.', ':']);
    let context = rest.trim();
    let is_context = context.is_empty() || context.starts_with('(') && context.ends_with(')');
    let target = target.rsplit('|').next().unwrap_or(target);
    (is_name && is_context && !target.is_empty()).then(|| {
        let said = relation_sentence(title, relation, target);
        ForeignFact::new(if context.is_empty() { said } else { format!("{} {context}.", said.trim_end_matches('.')) })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::ImportFormat;
    use super::super::tests::{facts_of, records_of};
    use super::*;

    #[test]
    fn memories_of_mem0_are_read_in_each_of_its_lists() {
        let one = json!({"id": "m-1", "memory": "Anna works at Tidewell.", "user_id": "anna", "hash": "x", "metadata": null,
            "categories": ["work"], "created_at": "2025-05-01T09:00:00.000000-07:00", "updated_at": null});
        let edge = json!({"source": "anna", "relationship": "works_at", "target": "tidewell"});
        let bad = json!({"id": "m-2", "memory": 7});
        for (text, facts) in [
            (json!([one, bad]), vec!["Anna works at Tidewell."]),
            (json!({"count": 1, "next": null, "results": [one]}), vec!["Anna works at Tidewell."]),
            (
                json!({"relations": [edge], "results": [one]}),
                vec!["anna works at tidewell.", "Anna works at Tidewell."],
            ),
        ] {
            assert_eq!(facts_of(ImportFormat::Mem0, "m.json", &text.to_string()), facts);
        }
        let (records, faults) = records_of(ImportFormat::Mem0, "m.json", &json!([bad, one, "x"]).to_string());
        assert_eq!(faults, [(1, RecordFault::UnknownShape), (3, RecordFault::UnknownShape)]);
        let [ForeignRecord::Fact(fact)] = records.as_slice() else { panic!("{records:?}") };
        assert_eq!((fact.id.as_deref(), fact.tags.as_slice()), (Some("m-1"), ["work".to_owned()].as_slice()));
        assert_eq!(fact.created, ForeignTime::parse("2025-05-01T16:00:00Z"));
    }

    #[test]
    fn observations_and_summaries_of_claude_mem_are_read() {
        let export = json!({"exportedAt": "2026-01-01T00:00:00Z", "query": "", "totalObservations": 2, "sessions": [{"id": 1}],
            "observations": [
                {"id": 12, "memory_session_id": "s-1", "project": "drift", "type": "decision", "title": "Logging", "text": null,
                 "facts": "[\"drift logs with pino.\", \"The level is info.\"]", "concepts": "[\"logging\"]", "created_at_epoch": 1_700_000_000_000_u64},
                {"id": 13, "project": "drift", "type": "bugfix", "title": "Port", "narrative": "The staging port was wrong.", "facts": "[]", "created_at": "2025-01-01T00:00:00Z", "created_at_epoch": 0},
                {"title": "without an id"}],
            "summaries": [{"id": 3, "memory_session_id": "s-1", "project": "drift", "request": "Fix the logging of drift",
                "learned": "pino is much faster.", "completed": "The logger was replaced.", "next_steps": "Write the docs.", "created_at_epoch": 1_700_000_000_000_u64}],
            "prompts": [{"id": 9, "prompt_text": "x"}]})
        .to_string();
        assert_eq!(
            facts_of(ImportFormat::ClaudeMem, "e.json", &export),
            ["drift logs with pino.", "The level is info.", "Port: The staging port was wrong."]
        );
        let (records, bad) = records_of(ImportFormat::ClaudeMem, "e.json", &export);
        assert_eq!(bad, [(3, RecordFault::UnknownShape)]);
        let session = records.iter().find_map(|record| match record {
            ForeignRecord::Session(session) => Some(session),
            ForeignRecord::Fact(_) | ForeignRecord::Note(_) => None,
        });
        let session = session.expect("a summary");
        assert_eq!(session.transcript.requests(), ["Fix the logging of drift"]);
        assert_eq!(session.transcript.open_points(), ["Next: Write the docs."]);
    }

    #[test]
    fn entities_and_relations_of_the_reference_memory_are_read() {
        let lines = [
            json!({"type": "entity", "name": "Anna", "entityType": "person", "observations": ["Works at Tidewell", "Anna likes rye"]}).to_string(),
            json!({"type": "relation", "from": "Anna", "to": "Jonas", "relationType": "manages"}).to_string(),
            String::new(),
            "{\"type\":\"entity\",\"name\":\"Trunc".to_owned(),
            json!({"type": "note", "text": "unknown"}).to_string(),
            json!({"type": "entity", "name": "B", "entityType": "x", "observations": []}).to_string(),
        ];
        let text = lines.join("\n");
        assert_eq!(
            facts_of(ImportFormat::McpMemory, "memory.jsonl", &text),
            ["Anna: Works at Tidewell", "Anna likes rye", "Anna manages Jonas."]
        );
        let (_, bad) = records_of(ImportFormat::McpMemory, "memory.jsonl", &text);
        assert_eq!(bad, [(4, RecordFault::NotJson), (5, RecordFault::UnknownShape)]);
    }

    #[test]
    fn items_of_zora_say_whose_word_they_are() {
        let item = |source: &str| {
            json!({"id": "z-1", "type": "behavior", "summary": "Prefers tabs over spaces.", "source": "chat",
            "source_type": source, "created_at": "2026-02-14T10:00:00Z", "last_accessed": "2026-02-14T10:00:00Z", "access_count": 2,
            "reinforcement_score": 0.5, "tags": ["style"], "category": "coding/style"})
        };
        for (source, origin) in [
            ("user_instruction", Origin::UserInstruction),
            ("agent_analysis", Origin::AgentAnalysis),
            ("invented", Origin::ToolOutput),
        ] {
            let (records, _) = records_of(ImportFormat::Zora, "items/z-1.json", &item(source).to_string());
            let [ForeignRecord::Fact(fact)] = records.as_slice() else { panic!("{records:?}") };
            assert_eq!((fact.origin, fact.kind), (origin, Kind::Behavior));
            assert_eq!(fact.tags, ["coding/style", "style"]);
        }
        let (_, bad) = records_of(ImportFormat::Zora, "items/z-1.json", &Value::Null.to_string());
        assert_eq!(bad, [(1, RecordFault::UnknownShape)]);
    }

    #[test]
    fn observations_and_relations_of_basic_memory_are_read() {
        let note = "---\ntitle: Coffee Brewing\ntype: note\npermalink: coffee/brewing\ntags: [coffee]\n---\n# Coffee\n\nSome prose.\n\n## Observations\n- [method] Pour over shows more flavour #brewing (tested)\n- [preference] Water at 96 degrees\n- [ ] a task\n- [link](x.md)\n- [[Beans]]\n\n## Relations\n- requires [[Good Grinder]]\n- part_of [[Morning|The Morning]] (daily)\n- See also: [[Nothing]] of it.\n";
        assert_eq!(
            facts_of(ImportFormat::BasicMemory, "coffee/brewing.md", note),
            [
                "Coffee Brewing: Pour over shows more flavour (tested)",
                "Coffee Brewing: Water at 96 degrees",
                "Coffee Brewing requires Good Grinder.",
                "Coffee Brewing part of The Morning (daily).",
            ]
        );
        assert!(facts_of(ImportFormat::BasicMemory, "a.md", "").is_empty());
    }
}
