//! The commands that write, and what each acknowledges by what it prints.

use memora_testkit::ScriptedReply;
use serde_json::{Value, json};

use super::promises::Promise;
use super::{Ended, World};

/// A note of which a language model reads a claim.
pub(super) const MODEL_NOTE: &str = "Harbour.md";

/// A command that writes.
#[derive(Debug)]
pub(super) struct Act {
    kind: Kind,
    pub(super) args: Vec<String>,
    pub(super) input: String,
}

#[derive(Debug)]
enum Kind {
    Index,
    Watch,
    Ask,
    Decide,
    /// A note with this end.
    Capture(String),
    Review,
    Apply,
    Extract,
    /// A memory with these words.
    Save(String),
    /// A memory of this path.
    Forget(String),
    /// A line in the day's log.
    Log(String),
    /// A server, with what each numbered request writes.
    Serve(Vec<(u64, Self)>),
    Reset,
}

/// A model that reads the one claim of [`MODEL_NOTE`].
pub(super) fn model_reply() -> ScriptedReply {
    ScriptedReply::from_request(|request| {
        let quote = "Carla sold her boat to Ben, whose brother had none.";
        let claim = json!({"quote": quote, "subject": "Carla", "predicate": "sold", "object": "her boat to Ben, whose brother had none"});
        let claims = if request.user_message().contains("Carla") { vec![claim] } else { Vec::new() };
        ScriptedReply::text(json!({ "claims": claims }).to_string())
    })
}

fn capture_text(number: usize) -> (String, String) {
    let end = format!("This is the end of {number}.");
    (format!("Kept {number}"), end)
}

/// A memory that resembles no other.
fn memory_text(number: usize) -> String {
    format!("The yard of boat {number} keeps {number} oars and {} ropes.", number + 7)
}

impl Act {
    fn new<S: Into<String>>(kind: Kind, args: impl IntoIterator<Item = S>) -> Self {
        Self { kind, args: args.into_iter().map(Into::into).collect(), input: String::new() }
    }

    /// Chooses one at random.
    pub(super) fn choose(world: &mut World) -> Self {
        let number = world.next_number();
        match world.dice.below(24) {
            0..5 => Self::new(Kind::Index, ["index", "--json"]),
            5..7 => Self::new(Kind::Watch, ["watch", "--json", "--review-every", "60s"]),
            7 => Self::new(Kind::Ask, ["ask", "--offline", "Where does Anna work?"]),
            8..11 => {
                let verb = ["keep", "retract", "restore"][world.dice.below(3)];
                let claim = world.claims[world.dice.below(world.claims.len())].clone();
                Self::new(Kind::Decide, [verb, &claim, "--json"])
            }
            11..13 => {
                let (title, end) = capture_text(number);
                let input = format!("Nothing is cited here. {end}\n");
                let args = ["capture", "-", "--title", &title, "--folder", "captured", "--json"];
                Self { input, ..Self::new(Kind::Capture(end), args) }
            }
            13 => Self::new(Kind::Review, ["review", "--write", "--json"]),
            14 => {
                world.tick_a_box();
                Self::new(Kind::Apply, ["review", "--apply", "--json"])
            }
            15 => Self::new(Kind::Extract, ["extract", "--note", MODEL_NOTE, "--json"]),
            16..18 => {
                let words = memory_text(number);
                let args = ["memory", "save", &words, "--json"].map(str::to_owned);
                Self::new(Kind::Save(words), args)
            }
            18 => match world.promises.any_memory(&mut world.dice) {
                Some((id, path)) => Self::new(Kind::Forget(path), ["memory", "forget", &id, "--json"]),
                None => Self::new(Kind::Index, ["index", "--json"]),
            },
            19 => {
                let words = format!("Boat {number} was caulked.");
                let args = ["memory", "write", "daily", &words, "--json"].map(str::to_owned);
                Self::new(Kind::Log(words), args)
            }
            20..23 => Self::serve(world, number),
            _ => Self::new(Kind::Reset, ["reset"]),
        }
    }

    /// A server whose client captures, saves, writes and asks without waiting.
    fn serve(world: &mut World, number: usize) -> Self {
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}});
        let mut input = format!(
            "{}\n{}\n",
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
        );
        let mut writes = Vec::new();
        for id in 2..8 {
            let number = number * 100 + usize::try_from(id).unwrap_or_default();
            let (tool, arguments, kind) = match world.dice.below(4) {
                0 => {
                    let (title, end) = capture_text(number);
                    let text = format!("Nothing is cited here. {end}\n");
                    ("memora_capture", json!({"title": title, "text": text, "folder": "captured"}), Kind::Capture(end))
                }
                1 => {
                    let words = memory_text(number);
                    ("memory_save", json!({ "content": words }), Kind::Save(words))
                }
                2 => {
                    let words = format!("Boat {number} was caulked.");
                    ("memory_save", json!({"kind": "event", "content": words}), Kind::Log(words))
                }
                _ => ("memora_find", json!({"question": "Anna contract"}), Kind::Ask),
            };
            let params = json!({"name": tool, "arguments": arguments});
            input += &json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string();
            input.push('\n');
            writes.push((id, kind));
        }
        let client = ["cloud", "local"][world.dice.below(2)];
        let args = ["mcp", "--structured", "--client", client, "--allow-capture", "--memory"];
        Self { input, ..Self::new(Kind::Serve(writes), args) }
    }

    /// Whether it runs until it is told to end.
    pub(super) fn waits_for_its_end(&self) -> bool {
        matches!(self.kind, Kind::Watch | Kind::Serve(_))
    }

    pub(super) fn empties_the_index(&self) -> bool {
        matches!(self.kind, Kind::Reset)
    }

    /// What it acknowledged before it ended.
    pub(super) fn acknowledged(&self, ended: &Ended) -> Vec<Promise> {
        match &self.kind {
            Kind::Serve(writes) => {
                let messages = ended.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
                messages.flat_map(|message| promised_by_reply(writes, &message)).collect()
            }
            // A message that was cut by the kill acknowledges nothing.
            kind => serde_json::from_str::<Value>(&ended.stdout)
                .map_or_else(|_| Vec::new(), |report| promised_by_report(kind, &report, ended.exit)),
        }
    }
}

fn promised_by_reply(writes: &[(u64, Kind)], message: &Value) -> Vec<Promise> {
    let result = &message["result"];
    let Some((_, kind)) = writes.iter().find(|(id, _)| message["id"] == *id) else { return Vec::new() };
    if !result.is_object() || result["isError"] == true {
        return Vec::new();
    }
    let mut made = promised_by_report(kind, &result["structuredContent"], None);
    made.push(Promise::Sent);
    made
}

fn promised_by_report(kind: &Kind, report: &Value, exit: Option<i32>) -> Vec<Promise> {
    let text = |key: &str| report[key].as_str().map(str::to_owned);
    let decision = |made: &Value| {
        let part = |key: &str| made[key].as_str().unwrap_or_default().to_owned();
        Promise::Decision { at: part("at"), claim: part("claim") }
    };
    let one = match kind {
        Kind::Index => (exit == Some(0) && report["fresh"] == true).then_some(Promise::Indexed),
        Kind::Decide => Some(decision(&report["decision"])),
        Kind::Capture(end) => text("path").map(|path| Promise::Text { path, end: end.clone() }),
        Kind::Review => text("written").map(|path| Promise::Text { path, end: "- [ ] later".to_owned() }),
        Kind::Apply => return report["applied"].as_array().into_iter().flatten().map(decision).collect(),
        Kind::Extract => {
            let passages = &report["passages"];
            let read = passages["done"].as_u64().unwrap_or_default() + passages["cached"].as_u64().unwrap_or_default();
            (exit == Some(0) && read == 1 && passages["left"] == 0).then_some(Promise::ModelClaim)
        }
        Kind::Save(words) => (report["status"] == "saved")
            .then(|| Some(Promise::Memory { id: text("id")?, path: text("path")?, words: words.clone() }))
            .flatten(),
        Kind::Forget(path) => (report["status"] == "forgotten")
            .then(|| Some(Promise::Forgotten { from: path.clone(), to: text("path")? }))
            .flatten(),
        Kind::Log(words) => text("path").map(|_| Promise::Logged(words.clone())),
        Kind::Watch | Kind::Ask | Kind::Serve(_) | Kind::Reset => None,
    };
    one.into_iter().collect()
}

impl World {
    /// Ticks a box of a review, as its owner does.
    fn tick_a_box(&mut self) {
        let mut reviews = super::files_below(self.fixture.vault()).into_iter().filter_map(|file| {
            let text = std::fs::read_to_string(&file).ok()?;
            (text.contains("memora: review") && text.contains("- [ ] ")).then_some((file, text))
        });
        let Some((file, text)) = reviews.next_back() else { return };
        let boxes = text.matches("- [ ] ").count();
        let chosen = self.dice.below(boxes);
        let (at, _) = text.match_indices("- [ ] ").nth(chosen).expect("it was counted");
        let (above, below) = text.split_at(at);
        std::fs::write(file, format!("{above}{}", below.replacen("- [ ]", "- [x]", 1)))
            .expect("the review can be written");
    }
}
