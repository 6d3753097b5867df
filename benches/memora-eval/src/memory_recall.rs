//! `memory-recall DIR`: which turns of a conversation a question finds among memories, in the order of salience and of relevance
//! alone, and how many of them are in what a session begins with.
//!
//! `DIR` is that of `retrieval`. Each conversation is remembered three times, each in a vault of its own: a memory for each turn,
//! saved by an agent on its day; an entry of the day's log for each turn; and an imported session for each day, of which the note
//! keeps the end. Questions are asked on the day after the last turn.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use memora_engine::report::{Freshness, MemoryHit};
use memora_engine::{
    Band, CloudDoor, ContextRequest, ImportFormat, ImportRequest, ImportSource, MemoryKind, MemoryQuery, MemorySession,
    MemoryTarget, MemoryWriter, SyncBound, TaskOperation, WriteRequest,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::memory::Agent;
use crate::{ratio, read_json_lines};

/// The cuts at which recall is computed.
const CUTS: [usize; 3] = [5, 10, 20];
/// How many hits are asked for: the most that there are.
const LIMIT: usize = 50;
/// The sizes of blocks: that of a hook, and that of the tool.
const BLOCK_SIZES: [usize; 2] = [9_000, 32_768];

#[derive(Deserialize)]
struct Turn {
    id: String,
    conv: String,
    /// YYYY-MM-DD.
    date: String,
    session: usize,
    speaker: String,
    text: String,
}

#[derive(Deserialize)]
struct Question {
    qid: String,
    conv: String,
    category_name: String,
    question: String,
    evidence: Vec<String>,
}

impl Turn {
    /// A time of its day, later for a later turn.
    fn time(&self, number: usize) -> Result<DateTime> {
        let minutes = i8::try_from(number / 60 % 60)?;
        Ok(self.date.parse::<Date>()?.at(12, minutes, i8::try_from(number % 60)?, 0))
    }
}

/// How a conversation is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RememberedAs {
    /// An item for each turn
    Items,
    /// An entry of a log for each turn
    Entries,
    /// The note of a session for each day
    Sessions,
}

/// Recall at 5, 10 and 20.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Recall {
    #[serde(rename = "recall@5/10/20")]
    at: [f64; 3],
}

impl Recall {
    fn count(&mut self, ranked: &[HashSet<&str>], gold: &HashSet<&str>) {
        for (sum, cut) in self.at.iter_mut().zip(CUTS) {
            let is_there = |id: &&&str| ranked.iter().take(cut).any(|turns| turns.contains(**id));
            *sum += ratio(gold.iter().filter(is_there).count(), gold.len());
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a few hundred questions")]
    fn average(&mut self, questions: usize) {
        self.at.iter_mut().for_each(|sum| *sum /= questions.max(1) as f64);
    }
}

/// Counts and means over the questions with an answer.
#[derive(Debug, Default, Serialize)]
struct RecallFigures {
    turns: usize,
    /// Turns that were kept: of a session the note keeps the end, and a save may be refused or be a repetition.
    kept: usize,
    questions: usize,
    /// The share of the turns that answer a question which were kept: what recall could be at most.
    gold_kept: f64,
    salience: Recall,
    relevance: Recall,
    /// By salience, with every question before it asked in a session of its own, which recalled its first five hits.
    salience_after_use: Recall,
    relevance_after_use: Recall,
    /// The share of the turns that answer a question which are in a block of so many bytes, told of no task.
    in_block: BTreeMap<usize, f64>,
    /// The same, told of the question as its task.
    in_block_for_task: BTreeMap<usize, f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    by_conversation: BTreeMap<String, Self>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    answers: BTreeMap<String, usize>,
}

impl RecallFigures {
    fn add(&mut self, other: &Self) {
        self.turns += other.turns;
        self.kept += other.kept;
        self.questions += other.questions;
        self.gold_kept += other.gold_kept;
        let recalls = |of: &Self| [of.salience, of.relevance, of.salience_after_use, of.relevance_after_use];
        let mine =
            [&mut self.salience, &mut self.relevance, &mut self.salience_after_use, &mut self.relevance_after_use];
        for (mine, theirs) in mine.into_iter().zip(recalls(other)) {
            mine.at.iter_mut().zip(theirs.at).for_each(|(sum, more)| *sum += more);
        }
        for (mine, theirs) in
            [(&mut self.in_block, &other.in_block), (&mut self.in_block_for_task, &other.in_block_for_task)]
        {
            theirs.iter().for_each(|(size, share)| *mine.entry(*size).or_default() += share);
        }
        other.answers.iter().for_each(|(answer, count)| *self.answers.entry(answer.clone()).or_default() += count);
    }

    #[expect(clippy::cast_precision_loss, reason = "a few hundred questions")]
    fn average(&mut self) {
        let questions = self.questions.max(1) as f64;
        self.gold_kept /= questions;
        for recall in
            [&mut self.salience, &mut self.relevance, &mut self.salience_after_use, &mut self.relevance_after_use]
        {
            recall.average(self.questions);
        }
        for shares in [&mut self.in_block, &mut self.in_block_for_task] {
            shares.values_mut().for_each(|share| *share /= questions);
        }
    }
}

/// Figures for each way to remember.
#[derive(Debug, Default, Serialize)]
pub(crate) struct MemoryRecallFigures(BTreeMap<&'static str, RecallFigures>);

/// A remembered conversation, and which turns each id has.
struct Remembered<'t> {
    agent: Agent,
    turns_of: HashMap<String, HashSet<&'t str>>,
    answers: BTreeMap<String, usize>,
}

pub(crate) fn measure(
    dir: &Path,
    ways: &[RememberedAs],
    conversations: &[String],
    blocks: bool,
) -> Result<MemoryRecallFigures> {
    let turns: Vec<Turn> = read_json_lines(&dir.join("turns.jsonl"))?;
    let questions: Vec<Question> = read_json_lines(&dir.join("queries.jsonl"))?;
    let mut by_conversation: BTreeMap<&str, Vec<&Turn>> = BTreeMap::new();
    for turn in turns.iter().filter(|turn| conversations.is_empty() || conversations.contains(&turn.conv)) {
        by_conversation.entry(&turn.conv).or_default().push(turn);
    }
    let mut figures = MemoryRecallFigures::default();
    for (name, way) in
        [("items", RememberedAs::Items), ("entries", RememberedAs::Entries), ("sessions", RememberedAs::Sessions)]
    {
        if !ways.is_empty() && !ways.contains(&way) {
            continue;
        }
        let mut all = RecallFigures::default();
        for (conversation, turns) in &by_conversation {
            let answerable = |asked: &&Question| {
                asked.conv == *conversation && asked.category_name != "adversarial" && !asked.evidence.is_empty()
            };
            let asked: Vec<&Question> = questions.iter().filter(answerable).collect();
            let dir = tempfile::tempdir()?;
            let remembered = remember(way, dir.path(), turns).with_context(|| format!("{name} of {conversation}"))?;
            let mut of_one = measure_one(remembered, turns, &asked, blocks)?;
            all.add(&of_one);
            of_one.average();
            of_one.answers.clear();
            all.by_conversation.insert((*conversation).to_owned(), of_one);
        }
        all.average();
        figures.0.insert(name, all);
    }
    Ok(figures)
}

fn remember<'t>(way: RememberedAs, vault: &Path, turns: &[&'t Turn]) -> Result<Remembered<'t>> {
    let last = turns.iter().map(|turn| turn.date.as_str()).max().context("a conversation has turns")?;
    let mut remembered = Remembered {
        agent: Agent::on_day(vault, last.parse::<Date>()?.tomorrow()?)?,
        turns_of: HashMap::new(),
        answers: BTreeMap::new(),
    };
    let asked_at = remembered.agent.writer.at;
    match way {
        RememberedAs::Items => remembered.save_items(turns)?,
        RememberedAs::Entries => remembered.write_entries(turns)?,
        RememberedAs::Sessions => remembered.import_sessions(turns)?,
    }
    remembered.agent.writer.at = asked_at;
    remembered.agent.begin_session("after")?;
    Ok(remembered)
}

impl<'t> Remembered<'t> {
    /// Saves each turn as a memory on its day, ten in a session.
    fn save_items(&mut self, turns: &[&'t Turn]) -> Result<()> {
        for (number, turn) in turns.iter().enumerate() {
            if number % 10 == 0 {
                self.agent.begin_session(&number.to_string())?;
            }
            self.agent.writer.at = turn.time(number)?;
            let report = self.agent.save_as(&turn.text, MemoryKind::default())?;
            *self.answers.entry(crate::memory::name_answer(&report)?).or_default() += 1;
            if let Some(id) = report.id {
                self.turns_of.entry(id).or_default().insert(&turn.id);
            }
        }
        Ok(())
    }

    /// Writes each turn into the log of its day.
    fn write_entries(&mut self, turns: &[&'t Turn]) -> Result<()> {
        for (number, turn) in turns.iter().enumerate() {
            self.agent.writer.at = turn.time(number)?;
            let memora = &self.agent.vault.memora;
            let session = memora.session(memora.cloud_door())?;
            let writing = WriteRequest {
                target: MemoryTarget::Daily,
                content: turn.text.clone(),
                operation: TaskOperation::Append,
                title: None,
            };
            let report = session.memories(&self.agent.of, &self.agent.writer)?.gate().write(&writing)?;
            let answer = report.reason.map_or("written", |reason| reason.as_str());
            *self.answers.entry(answer.to_owned()).or_default() += 1;
            if let Some(id) = report.id {
                self.turns_of.entry(id).or_default().insert(&turn.id);
            }
        }
        Ok(())
    }

    /// Imports each session of the conversation as one with an assistant, who is the second to speak.
    fn import_sessions(&mut self, turns: &[&'t Turn]) -> Result<()> {
        let user = turns.first().map(|turn| turn.speaker.as_str()).unwrap_or_default();
        let mut sessions: BTreeMap<(&str, usize), Vec<&Turn>> = BTreeMap::new();
        turns.iter().for_each(|turn| sessions.entry((turn.date.as_str(), turn.session)).or_default().push(turn));
        let conversations: Vec<_> = sessions
            .iter()
            .map(|((date, session), turns)| {
                let sender = |turn: &Turn| if turn.speaker == user { "human" } else { "assistant" };
                let messages: Vec<_> =
                    turns.iter().map(|turn| json!({"sender": sender(turn), "text": turn.text})).collect();
                json!({"uuid": format!("{date} {session}"), "created_at": format!("{date}T12:00:00Z"), "chat_messages": messages})
            })
            .collect();
        let asked = ImportRequest {
            format: Some(ImportFormat::Claude),
            band: Band::Public,
            trusted: true,
            dry_run: false,
            zone: TimeZone::UTC,
        };
        let memora = &self.agent.vault.memora;
        let session = memora.session(memora.cloud_door())?;
        let user = MemoryWriter { agent: None, ..self.agent.writer.clone() };
        let mut from = Cursor::new(serde_json::to_vec(&conversations)?);
        let memories = session.memories(&self.agent.of, &user)?;
        let report = memories.transfer().import(ImportSource::Stream(&mut from), &asked)?;
        self.answers.insert("sessions saved".to_owned(), report.saved);
        drop(memories);
        drop(session);
        self.agent.begin_session("imported")?;
        // Which turns the note of a session keeps is told by its words.
        for hit in self.session_notes()? {
            let (id, text) = hit;
            let kept = turns.iter().filter(|turn| text.contains(&fold(&turn.text))).map(|turn| turn.id.as_str());
            self.turns_of.entry(id).or_default().extend(kept);
        }
        Ok(())
    }

    /// The id and the folded words of each session's note.
    fn session_notes(&self) -> Result<Vec<(String, String)>> {
        let folder = self.agent.vault.memora.vault().root().join("Memora/shared/episodic");
        let mut notes = Vec::new();
        for entry in fs::read_dir(folder)? {
            let text = fs::read_to_string(entry?.path())?;
            let id = text.lines().find_map(|line| line.strip_prefix("id: ")).context("a session has an id")?;
            notes.push((id.to_owned(), fold(&text)));
        }
        Ok(notes)
    }

    /// The turns of each hit.
    fn turns_of_hits(&self, hits: &[MemoryHit<CloudDoor>]) -> Vec<HashSet<&'t str>> {
        hits.iter().map(|hit| self.turns_of.get(&hit.id).cloned().unwrap_or_default()).collect()
    }

    /// Asks one question, and counts what it finds in the order of salience and in that of relevance.
    fn count_hits(
        &self,
        question: &str,
        gold: &HashSet<&str>,
        salience: &mut Recall,
        relevance: &mut Recall,
    ) -> Result<()> {
        let mut hits = self.agent.find_hits(question, LIMIT)?;
        salience.count(&self.turns_of_hits(&hits), gold);
        hits.sort_by(|one, other| other.why.relevance.total_cmp(&one.why.relevance));
        relevance.count(&self.turns_of_hits(&hits), gold);
        Ok(())
    }

    /// A block's words, folded.
    fn lay_out(&self, task: Option<&str>, bytes_max: usize) -> Result<String> {
        let memora = &self.agent.vault.memora;
        let session = memora.session(memora.cloud_door())?;
        let asked = ContextRequest { task: task.map(str::to_owned), bytes_max };
        Ok(fold(&session.memories(&self.agent.of, &self.agent.writer)?.context().lay_out_context(&asked)?.text))
    }
}

fn measure_one(
    mut remembered: Remembered<'_>,
    turns: &[&Turn],
    asked: &[&Question],
    blocks: bool,
) -> Result<RecallFigures> {
    let kept: HashSet<&str> = remembered.turns_of.values().flatten().copied().collect();
    let mut figures = RecallFigures {
        turns: turns.len(),
        kept: kept.len(),
        questions: asked.len(),
        answers: remembered.answers.clone(),
        ..RecallFigures::default()
    };
    let words: HashMap<&str, String> = turns.iter().map(|turn| (turn.id.as_str(), fold(&turn.text))).collect();
    let share_in = |block: &str, gold: &HashSet<&str>| {
        let is_in = |id: &&&str| words.get(**id).is_some_and(|words| block.contains(words.as_str()));
        ratio(gold.iter().filter(is_in).count(), gold.len())
    };
    let plain = BLOCK_SIZES.map(|size| remembered.lay_out(None, size).map(|block| (size, block)));
    let plain = plain.into_iter().collect::<Result<Vec<_>>>()?;
    for question in asked {
        let gold: HashSet<&str> = question.evidence.iter().map(String::as_str).collect();
        figures.gold_kept += ratio(gold.iter().filter(|id| kept.contains(**id)).count(), gold.len());
        let RecallFigures { salience, relevance, .. } = &mut figures;
        remembered.count_hits(&question.question, &gold, salience, relevance)?;
        for (size, block) in &plain {
            *figures.in_block.entry(*size).or_default() += share_in(block, &gold);
        }
        for size in BLOCK_SIZES.iter().filter(|_| blocks) {
            let block = remembered.lay_out(Some(&question.question), *size)?;
            *figures.in_block_for_task.entry(*size).or_default() += share_in(&block, &gold);
        }
    }
    for question in asked {
        let gold: HashSet<&str> = question.evidence.iter().map(String::as_str).collect();
        let RecallFigures { salience_after_use, relevance_after_use, .. } = &mut figures;
        remembered.count_hits(&question.question, &gold, salience_after_use, relevance_after_use)?;
        remembered.agent.of = MemorySession::named(&question.qid);
        let memora = &remembered.agent.vault.memora;
        let session = memora.session(memora.cloud_door())?;
        let query = MemoryQuery { query: question.question.clone(), ..MemoryQuery::default() };
        let fresh = Freshness { fresh: true, pending: 0 };
        session.memories(&remembered.agent.of, &remembered.agent.writer)?.finder().search(&query, fresh)?;
    }
    remembered.agent.vault.memora.sync(SyncBound::All, &AtomicBool::new(false), &mut |_| {})?;
    Ok(figures)
}

/// A text without what markup, escaping and quoting change in it: its letters and digits.
fn fold(text: &str) -> String {
    let plain = text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    plain.chars().filter(|c| c.is_alphanumeric()).collect()
}
