//! The vault of a row, and its acts over the real program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use memora_testkit::{CommandOutput, Fixture, MemoraBinary};
use regex::{Captures, Regex};
use serde_json::{Map, Value, json};

use super::{Act, Row, TextFile};
use crate::hard::{files_below, wrap};
use crate::mcp::Client;
use crate::support::memora;

/// A day after all that the rows tell of. The program takes it for today.
const TODAY: &str = "2026-11-30";

/// An answer takes no longer, and an act is not repeated for longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// A process that hangs is ended, in seconds.
const KILL_AFTER: &str = "150";

/// An argument with its value.
type Argument = (&'static str, &'static str);

/// Tools that the rows name and that others took over: the tool, and an argument that says what is wanted of it.
const TOOLS: &[(&str, &str, Option<Argument>)] = &[
    ("memora_search", "memora_find", None),
    ("memora_query_cited", "memora_find", None),
    ("memora_claim", "memora_read", None),
    ("memora_entity", "memora_about", None),
    ("memora_contradictions", "memora_review", Some(("what", "contradictions"))),
    ("memora_stale_claims", "memora_review", Some(("what", "stale"))),
    ("memora_challenge", "memora_review", None),
    ("memory_read", "memora_read", None),
    ("memory_write", "memory_save", None),
    ("memory_update", "memory_save", None),
    ("memory_list", "memora_read", Some(("note", "memory:list"))),
];

/// Names that the rows have for arguments of tools, and those that tools have, in the order in which they are tried.
const ARGUMENTS: &[(&str, &[&str])] = &[
    ("content", &["text"]),
    ("file", &["note", "name"]),
    ("id", &["claim"]),
    ("max_tokens", &["limit"]),
    ("name", &["title"]),
    ("query", &["question"]),
    ("question", &["query"]),
    ("text", &["content"]),
    ("title", &["name"]),
];

/// Words that the rows have for what `memory_write` wrote to, and those that are kinds of what is saved.
const KINDS: &[(&str, &str)] = &[("daily", "event"), ("scratchpad", "task"), ("long_term", "knowledge")];

/// About how many tokens a passage has, where a row says how many all may have.
const PASSAGE_TOKENS: u64 = 140;

/// A vault with its surroundings, a home of its own, and what lay there before the act.
pub(super) struct Scene {
    fixture: Fixture,
    memora: MemoraBinary,
    vault_before: BTreeMap<PathBuf, Vec<u8>>,
    outside_before: BTreeMap<PathBuf, Vec<u8>>,
}

/// What an act printed.
pub(super) struct Output {
    /// As printed: the response of the server, or standard output and standard error.
    pub(super) printed: String,
    /// Each JSON value of standard output, or the responses; nothing if something else is among them.
    pub(super) documents: Option<Vec<Value>>,
    /// What lies in them: the structured content of a tool's result, the text of a resource, the values themselves.
    pub(super) result: Value,
    pub(super) is_error: bool,
    /// The draft, if the act has one.
    pub(super) draft: String,
    /// The home and the parent of the vault, which differ from run to run.
    folders: [String; 2],
}

impl Output {
    /// What a server responded, line by line.
    pub(super) fn of_responses(lines: String, documents: Vec<Value>, draft: String) -> Self {
        let last = documents.last().unwrap_or(&Value::Null);
        let content = &last["result"]["structuredContent"];
        let result = if content.is_null() { last["result"].clone() } else { content.clone() };
        let is_error = last["result"]["isError"] == true || !last["error"].is_null();
        Self { printed: lines, documents: Some(documents), result, is_error, draft, folders: Default::default() }
    }

    /// The text of a tool's result, if that is all of its content.
    pub(super) fn text(&self) -> Option<&str> {
        let [document] = self.documents.as_deref()? else { return None };
        let [content] = document["result"]["content"].as_array()?.as_slice() else { return None };
        content["text"].as_str()
    }

    /// With times, durations and names of temporary folders masked.
    pub(super) fn masked(&self) -> String {
        static TIMES: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?|\d+(\.\d+)? ?m?s\b").expect("a pattern")
        });
        let folders = self.folders.iter().fold(self.printed.clone(), |text, folder| text.replace(folder, "FOLDER"));
        TIMES.replace_all(&folders, "TIME").into_owned()
    }
}

/// The files below a folder with their bytes, without those below another.
fn contents(folder: &Path, without: Option<&Path>) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_counted = |path: &PathBuf| without.is_none_or(|without| !path.starts_with(without));
    let files = files_below(folder).into_iter().filter(is_counted);
    files.map(|path| (path.clone(), fs::read(&path).expect("a file can be read"))).collect()
}

fn write(folder: &Path, file: &str, text: &str) -> Result<(), &'static str> {
    let path = folder.join(file);
    let parent = path.parent().ok_or("a path without a folder")?;
    fs::create_dir_all(parent).and_then(|()| fs::write(&path, text)).map_err(|_| "the file system refuses a name")
}

impl Scene {
    /// Lays out the vault of a row, with other words for some notes.
    pub(super) fn build(row: &Row, instead: &[TextFile]) -> Result<Self, &'static str> {
        let fixture = Fixture::from_notes(&[]);
        let texts: Vec<(&str, &str)> = row
            .notes
            .iter()
            .map(|note| {
                let other = instead.iter().find(|file| file.path == note.path);
                (note.path.as_str(), other.map_or(&*note.text, |file| &file.text))
            })
            .collect();
        for (path, text) in &texts {
            write(fixture.vault(), path, text)?;
        }
        for file in &row.outside {
            write(fixture.parent_dir(), &file.path, &file.text)?;
        }
        let filled: Vec<_> = texts.iter().filter(|(_, text)| Placeholders::are_in(text)).collect();
        if !filled.is_empty() {
            let ids = Placeholders::of(&fixture);
            for (path, text) in filled {
                write(fixture.vault(), path, &ids.fill(text)?)?;
            }
        }
        let memora = memora(&fixture).without_vault();
        fs::write(memora.config_dir().join("handle.key"), [7; 32]).expect("the key can be written");
        let vault_before = contents(fixture.vault(), None);
        let outside_before = contents(fixture.parent_dir(), Some(fixture.vault()));
        Ok(Self { fixture, memora, vault_before, outside_before })
    }

    /// Indexes the vault, and reads all passages ahead.
    pub(super) fn read_ahead(&self) {
        let args = ["index", "--complete"].map(str::to_owned);
        let output = self.command(&args).output().expect("it can be started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    pub(super) fn is_vault_as_before(&self) -> bool {
        contents(self.fixture.vault(), None) == self.vault_before
    }

    pub(super) fn is_outside_as_before(&self) -> bool {
        contents(self.fixture.parent_dir(), Some(self.fixture.vault())) == self.outside_before
    }

    /// Plays the acts of a row; nothing if the last has no answer in time.
    pub(super) fn play(&self, row: &Row, translated: &mut BTreeSet<String>) -> Result<Option<Output>, &'static str> {
        let acts: Vec<&Act> = row.before.iter().chain([&row.act]).collect();
        let has_placeholders = acts.iter().any(|act| act.texts().iter().any(|text| Placeholders::are_in(text)));
        let ids = if has_placeholders { Placeholders::of(&self.fixture) } else { Placeholders::default() };
        let mut server = None;
        for act in row.before.iter().filter(|act| !matches!(act, Act::CommandLine { .. })) {
            let server = server.get_or_insert_with(|| Server::start(self, &acts));
            let _ = server.request(act, &ids, translated)?;
        }
        let since = Instant::now();
        loop {
            let begun = Instant::now();
            let output = match &row.act {
                Act::CommandLine { cli, stdin } => self.run(cli, stdin, &ids)?,
                act => server.get_or_insert_with(|| Server::start(self, &acts)).request(act, &ids, translated)?,
            };
            let is_due = output.as_ref().is_some_and(|output| {
                // What is read lies one deeper.
                let read = ["note", "claim", "memory"].map(|part| &output.result[part]["fresh"]);
                read.into_iter().chain([&output.result["fresh"]]).any(|fresh| *fresh == false)
            });
            if begun.elapsed() > PATIENCE {
                return Ok(None);
            }
            if !is_due || since.elapsed() > PATIENCE {
                return Ok(output.map(|output| Output { folders: self.folders(), ..output }));
            }
        }
    }

    fn folders(&self) -> [String; 2] {
        [self.memora.home_dir(), self.fixture.parent_dir()].map(|folder| folder.to_string_lossy().into_owned())
    }

    /// A command of the program on the vault, ended if it hangs.
    fn command(&self, args: &[String]) -> Command {
        let vault = self.fixture.vault().to_str().expect("a temporary folder has a plain name");
        let all: Vec<&str> = ["--vault", vault].into_iter().chain(args.iter().map(String::as_str)).collect();
        let mut command = wrap(&self.memora.command(&all), &["timeout", "--signal=KILL", KILL_AFTER]);
        command.env("MEMORA_TODAY", TODAY);
        command
    }

    fn run(&self, cli: &[String], stdin: &str, ids: &Placeholders) -> Result<Option<Output>, &'static str> {
        let args: Vec<String> = cli.iter().map(|arg| ids.fill(arg)).collect::<Result<_, _>>()?;
        let input = ids.fill(stdin)?;
        let mut child = self.command(&args).stdin(std::process::Stdio::piped()).spawn().expect("it can be started");
        let pipe = child.stdin.take().expect("standard input is a pipe");
        let ended = std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut pipe = pipe;
                drop(std::io::Write::write_all(&mut pipe, input.as_bytes()));
            });
            child.wait_with_output().expect("the program ends")
        });
        let output = CommandOutput::new("", ended);
        if !matches!(output.exit, Some(0..=2)) || output.stderr.contains("panicked") {
            return Ok(None);
        }
        let is_json = serde_json::from_str::<Value>(&output.stdout).map(|value| vec![value]);
        let documents = is_json.or_else(|_| output.stdout.lines().map(serde_json::from_str).collect()).ok();
        let result = match documents.as_deref() {
            Some([one]) => one.clone(),
            Some(many) => Value::from(many.to_vec()),
            None => Value::Null,
        };
        Ok(Some(Output {
            printed: format!("{}{}", output.stdout, output.stderr),
            documents: documents.filter(|documents| !documents.is_empty()),
            result,
            is_error: output.exit == Some(2),
            draft: draft_of(&input),
            folders: Default::default(),
        }))
    }
}

/// The text of a draft: of a reply in JSON, its blocks joined.
fn draft_of(input: &str) -> String {
    let Ok(reply) = serde_json::from_str::<Value>(input) else { return input.to_owned() };
    let blocks = reply.get("content").unwrap_or(&reply).as_array().cloned().unwrap_or_default();
    blocks.iter().filter_map(|block| block["text"].as_str()).collect()
}

/// A server with its client and the schemas of its tools.
struct Server {
    client: Client,
    tools: Vec<Value>,
}

impl Server {
    fn start(scene: &Scene, acts: &[&Act]) -> Self {
        let has =
            |wanted: &str| acts.iter().any(|act| matches!(act, Act::Tool { tool, .. } if tool.starts_with(wanted)));
        let mut args = ["mcp", "--structured"].map(str::to_owned).to_vec();
        args.extend(has("memory_").then(|| "--memory".to_owned()));
        args.extend(has("memora_capture").then(|| "--allow-capture".to_owned()));
        let mut client = Client::of(&mut scene.command(&args));
        let _ = client.shake("2025-06-18");
        let tools = client.request("tools/list", json!({}))["result"]["tools"].as_array().cloned();
        Self { client, tools: tools.unwrap_or_default() }
    }

    /// What the server responds to an act; nothing if it does not.
    fn request(
        &mut self,
        act: &Act,
        ids: &Placeholders,
        translated: &mut BTreeSet<String>,
    ) -> Result<Option<Output>, &'static str> {
        let (method, params, draft) = match act {
            Act::Tool { tool, arguments } => {
                let (tool, given) = self.tool(tool, translated);
                let mut arguments = arguments
                    .iter()
                    .map(|(name, value)| {
                        let argument = self.argument(tool, name, arguments, translated);
                        let value = translate_value(name, &argument, ids.fill_value(value)?);
                        Ok((argument, value))
                    })
                    .collect::<Result<Map<_, _>, &'static str>>()?;
                arguments.extend(given.map(|(name, value)| (name.to_owned(), value.into())));
                let draft = ["text", "content"].iter().find_map(|name| arguments.get(*name)?.as_str());
                let draft = draft.unwrap_or_default().to_owned();
                ("tools/call", json!({"name": tool, "arguments": arguments}), draft)
            }
            Act::Resource { resource } => ("resources/read", json!({"uri": resource}), String::new()),
            Act::Method { method } => (method.as_str(), json!({}), String::new()),
            Act::CommandLine { .. } => return Err("a command line over a connection"),
        };
        let (mut lines, mut documents, mut params) = (String::new(), Vec::new(), params);
        loop {
            let id = self.client.begin(method, params.clone());
            let Some(line) = self.client.response_line(id) else { return Ok(None) };
            let document: Value = serde_json::from_str(&line).expect("a response is JSON");
            let cursor = document["result"]["nextCursor"].clone();
            lines.push_str(&line);
            documents.push(document);
            if cursor.is_null() {
                break;
            }
            params["cursor"] = cursor;
        }
        Ok(Some(Output::of_responses(lines, documents, draft)))
    }

    /// The tool that does by now what one of the rows does, and what it is given beside the row's arguments.
    fn tool<'t>(&self, tool: &'t str, translated: &mut BTreeSet<String>) -> (&'t str, Option<Argument>) {
        if self.tools.iter().any(|known| known["name"] == tool) {
            return (tool, None);
        }
        let Some((_, other, given)) = TOOLS.iter().find(|(known, ..)| *known == tool) else {
            translated.insert(format!("{tool} called as it stands"));
            return (tool, None);
        };
        translated.insert(format!("{tool} as {other}"));
        (other, *given)
    }

    /// The tool's own name for an argument.
    fn argument(
        &self,
        tool: &str,
        name: &str,
        beside: &Map<String, Value>,
        translated: &mut BTreeSet<String>,
    ) -> String {
        let schema = self.tools.iter().find(|known| known["name"] == tool);
        let has = |name: &str| schema.is_some_and(|tool| !tool["inputSchema"]["properties"][name].is_null());
        if has(name) {
            return name.to_owned();
        }
        let other = ARGUMENTS.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, others)| others);
        let Some(other) = other.iter().find(|other| has(other) && !beside.contains_key(**other)) else {
            translated.insert(format!("{tool}.{name} sent as it stands"));
            return name.to_owned();
        };
        translated.insert(format!("{tool}.{name} as {other}"));
        (*other).to_owned()
    }
}

/// The value of an argument that the tool has under another name, or other words for.
fn translate_value(name: &str, argument: &str, value: Value) -> Value {
    match (name, argument, &value) {
        ("max_tokens", "limit", Value::Number(tokens)) => {
            (tokens.as_u64().unwrap_or_default() / PASSAGE_TOKENS).max(1).into()
        }
        ("kind", "kind", Value::String(word)) => {
            KINDS.iter().find(|(known, _)| known == word).map_or(value, |(_, kind)| (*kind).into())
        }
        _ => value,
    }
}

impl Act {
    /// The texts in which placeholders are filled.
    pub(super) fn texts(&self) -> Vec<String> {
        match self {
            Self::Tool { arguments, .. } => vec![Value::from(arguments.clone()).to_string()],
            Self::Resource { .. } | Self::Method { .. } => Vec::new(),
            Self::CommandLine { cli, stdin } => cli.iter().chain([stdin]).cloned().collect(),
        }
    }
}

/// The statements of a vault: note, id, words, in the order of places.
#[derive(Default)]
struct Placeholders(Vec<(String, String, String)>);

impl Placeholders {
    fn are_in(text: &str) -> bool {
        text.contains("{id:")
    }

    /// As the vault gives them at a local door, to a home of its own.
    fn of(fixture: &Fixture) -> Self {
        let listed = memora(fixture).at_local_door().run(&["claims", "--captured", "--json", "--limit", "1000"]).json();
        let mut found: Vec<(String, u64, String, String)> = Vec::new();
        for claim in listed["claims"].as_array().into_iter().flatten() {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let place = &claim["place"];
            let id = text(&claim["claim"]).split('.').next().unwrap_or_default().to_owned();
            let row = (text(&place["path"]), place["start"].as_u64().unwrap_or_default(), id, text(&place["quote"]));
            if !found.iter().any(|other| other.0 == row.0 && other.2 == row.2) {
                found.push(row);
            }
        }
        found.sort();
        Self(found.into_iter().map(|(path, _, id, quote)| (path, id, quote)).collect())
    }

    /// The id that a placeholder names.
    fn id(&self, named: &str) -> Result<&str, &'static str> {
        if let Some((path, number)) = named.rsplit_once('#')
            && let Ok(number) = number.parse()
        {
            let mut of_note = self.0.iter().filter(|statement| statement.0 == path);
            return of_note.nth(number).map(|statement| &*statement.1).ok_or("a place without a claim");
        }
        let (path, words) = named.split_once('~').ok_or("a placeholder that names nothing")?;
        let mut found = self.0.iter().filter(|statement| statement.0 == path && statement.2.contains(words));
        let only = found.next().ok_or("words without a claim")?;
        if found.next().is_some() { Err("words of two claims") } else { Ok(&only.1) }
    }

    fn fill(&self, text: &str) -> Result<String, &'static str> {
        static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"\{id:([^{}]+?)(?:\|(upper|reverse|fullwidth|homoglyph|percent|entity))?\}(?:\[(\d*):(\d*)\])?")
                .expect("a pattern")
        });
        let mut wrong = None;
        let filled = PLACEHOLDER.replace_all(text, |found: &Captures<'_>| {
            let id = self.id(&found[1]).unwrap_or_else(|reason| {
                wrong = Some(reason);
                ""
            });
            let id = disguise(id, found.get(2).map_or("", |way| way.as_str()));
            let end = |group: usize, missing: usize| {
                found.get(group).and_then(|digits| digits.as_str().parse().ok()).unwrap_or(missing)
            };
            let (from, to) = (end(3, 0), end(4, usize::MAX));
            id.chars().skip(from).take(to.saturating_sub(from)).collect::<String>()
        });
        wrong.map_or_else(|| Ok(filled.clone().into_owned()), Err)
    }

    fn fill_value(&self, value: &Value) -> Result<Value, &'static str> {
        Ok(match value {
            Value::String(text) => self.fill(text)?.into(),
            Value::Array(values) => {
                values.iter().map(|value| self.fill_value(value)).collect::<Result<Vec<_>, _>>()?.into()
            }
            other => other.clone(),
        })
    }
}

/// An id in another dress.
fn disguise(id: &str, way: &str) -> String {
    let (first, rest) = id.split_at_checked(1).unwrap_or_default();
    let letter = first.chars().next().map_or(0, u32::from);
    let wide = || char::from_u32(letter + 0xFEE0).map(|wide| format!("{wide}{rest}")).unwrap_or_default();
    match way {
        "upper" => id.to_uppercase(),
        "reverse" => id.chars().rev().collect(),
        "fullwidth" => wide(),
        "homoglyph" => {
            let twins = || "acepxyshjkm".chars().zip("асерхуѕһјкм".chars());
            let Some(place) = id.find(|c| twins().any(|(latin, _)| latin == c)) else { return wide() };
            let twin = |(at, c): (usize, char)| {
                twins().find(|(latin, _)| at == place && *latin == c).map_or(c, |(_, cyrillic)| cyrillic)
            };
            id.char_indices().map(twin).collect()
        }
        "percent" => format!("%{letter:02x}{rest}"),
        "entity" => format!("&#{letter};{rest}"),
        _ => id.to_owned(),
    }
}
