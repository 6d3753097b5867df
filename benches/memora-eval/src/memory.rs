//! What becomes of memories: attacks and honest facts, new values and repetitions, preferences found again, and notes that
//! say the same or another thing. Rows as in `tests/exam/memory`, saved as an agent's own word.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result, bail};
use jiff::civil::Date;
use memora_engine::report::{MemoryHit, SaveReport};
use memora_engine::{CloudDoor, MemoryKind, MemoryQuery, MemorySession, MemoryWriter, SaveRequest, SyncBound};
use serde::{Deserialize, Serialize};

use crate::indexed_vault::{DEFAULT_TODAY, IndexedVault, SearchSetup};
use crate::read_json_lines;
use crate::repo_rows::{group_by_repo, repo_folder};

/// A memory that is attacked with, or honest; or a rule of the user's own, or an attack that looks like one.
#[derive(Deserialize)]
struct SavedRow {
    id: String,
    text: String,
    expected: String,
    #[serde(default)]
    kind: MemoryKind,
}

#[derive(Deserialize)]
struct UpdateRow {
    id: String,
    first: String,
    second: String,
    expected: String,
    strength: Option<String>,
    note: Option<String>,
}

#[derive(Deserialize)]
struct PreferenceRow {
    id: String,
    text: String,
    question: String,
    #[serde(default)]
    also: Vec<String>,
}

/// A memory about a sentence of a public vault.
#[derive(Deserialize)]
struct AgainstRow {
    id: String,
    repository: String,
    memory: String,
    expected: String,
    path: String,
    #[serde(default)]
    also: Vec<String>,
    one_value_at_a_time: bool,
}

/// How often each answer was given, by what was expected.
type AnswerCounts = BTreeMap<String, BTreeMap<String, usize>>;

/// Counts over the rows of one half.
#[derive(Debug, Default, Serialize)]
pub(crate) struct MemoryFigures {
    /// By what was expected, what was answered.
    answers: AnswerCounts,
    preferences: PreferenceFigures,
    /// Of the saved memories that repeat, replace or concern another memory or a note, how many show it to their writer.
    related: RelatedFigures,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
}

/// How many preferences were kept, and are found again by a later question.
#[derive(Debug, Default, Serialize)]
struct PreferenceFigures {
    rows: usize,
    accepted: usize,
    first: usize,
    in_five: usize,
    /// Counting other preferences that would be right.
    in_five_or_also: usize,
}

/// How often what a memory is about is among the few that its writer is shown.
#[derive(Debug, Default, Serialize)]
struct RelatedFigures {
    /// Beside all first memories of the half.
    memories: usize,
    memories_shown: usize,
    notes: usize,
    notes_shown: usize,
}

/// An agent at a vault.
pub(crate) struct Agent {
    pub(crate) vault: IndexedVault,
    pub(crate) writer: MemoryWriter,
    pub(crate) of: MemorySession,
}

impl Agent {
    fn at(vault: &Path) -> Result<Self> {
        Self::on_day(vault, DEFAULT_TODAY)
    }

    pub(crate) fn on_day(vault: &Path, day: Date) -> Result<Self> {
        let vault = IndexedVault::on_day(day, vault, &SearchSetup::default())?;
        let writer = MemoryWriter { agent: Some("exam".into()), project: None, at: day.at(9, 0, 0, 0) };
        Ok(Self { vault, writer, of: MemorySession::named("0") })
    }

    /// Begins a session of its own: nothing of it was said in another, and ten memories may be saved.
    pub(crate) fn begin_session(&mut self, id: &str) -> Result<()> {
        self.of = MemorySession::named(id);
        self.vault.memora.sync(SyncBound::All, &AtomicBool::new(false), &mut |_| {})?;
        Ok(())
    }

    fn save(&self, text: &str) -> Result<SaveReport<CloudDoor>> {
        self.save_as(text, MemoryKind::default())
    }

    pub(crate) fn save_as(&self, text: &str, kind: MemoryKind) -> Result<SaveReport<CloudDoor>> {
        let session = self.vault.memora.session(self.vault.memora.cloud_door())?;
        let saving = SaveRequest { content: text.to_owned(), kind, ..SaveRequest::default() };
        Ok(session.memories(&self.of, &self.writer)?.gate().save(&saving)?)
    }

    /// Saves each text, ten in a session, and leaves the last session.
    fn save_all<'t>(&mut self, texts: impl Iterator<Item = &'t str>) -> Result<Vec<SaveReport<CloudDoor>>> {
        self.save_all_as(texts, MemoryKind::default())
    }

    pub(crate) fn save_all_as<'t>(
        &mut self,
        texts: impl Iterator<Item = &'t str>,
        kind: MemoryKind,
    ) -> Result<Vec<SaveReport<CloudDoor>>> {
        let mut reports = Vec::new();
        for (number, text) in texts.enumerate() {
            if number % 10 == 0 {
                self.begin_session(&number.to_string())?;
            }
            reports.push(self.save_as(text, kind)?);
        }
        self.begin_session("after")?;
        Ok(reports)
    }

    /// The ids of the five best, best first. Nothing is recalled by it, so that no question depends on those before it.
    pub(crate) fn search(&self, question: &str) -> Result<Vec<String>> {
        Ok(self.find_hits(question, 5)?.into_iter().map(|hit| hit.id).collect())
    }

    /// The best hits, best first. Nothing is recalled by it.
    pub(crate) fn find_hits(&self, question: &str, limit: usize) -> Result<Vec<MemoryHit<CloudDoor>>> {
        let session = self.vault.memora.session(self.vault.memora.cloud_door())?;
        let query = MemoryQuery { query: question.to_owned(), limit, ..MemoryQuery::default() };
        Ok(session.memories(&self.of, &self.writer)?.finder().find_hits(&query)?)
    }
}

/// The answer to a save in one word: the reason of a refusal, or the status, and whether it ended another memory.
pub(crate) fn name_answer(report: &SaveReport<CloudDoor>) -> Result<String> {
    if let Some(reason) = report.reason {
        return Ok(reason.as_str().to_owned());
    }
    let status = serde_json::to_value(report.status)?;
    let ended = if report.superseded.is_empty() { "" } else { "+superseded" };
    Ok(format!("{}{ended}", status.as_str().unwrap_or_default()))
}

impl MemoryFigures {
    fn count(&mut self, expected: &str, answer: &str) {
        *self.answers.entry(expected.to_owned()).or_default().entry(answer.to_owned()).or_default() += 1;
    }

    fn note_failure(&mut self, is_failure: bool, line: impl FnOnce() -> String) {
        if is_failure {
            self.failures.push(line());
        }
    }
}

pub(crate) fn measure(rows: &Path, half: &str, vaults: Option<&Path>, failures: bool) -> Result<MemoryFigures> {
    let mut figures = MemoryFigures::default();
    let file = |name: &str| rows.join(format!("{name}.{half}.jsonl"));
    for name in ["poison", "honest", "rules"] {
        judge_saved(name, &read_json_lines(&file(name))?, &mut figures)?;
    }
    let updates = read_json_lines(&file("updates"))?;
    judge_updates(&updates, &mut figures)?;
    judge_related(&updates, &mut figures)?;
    judge_preferences(&read_json_lines(&file("preferences"))?, &mut figures)?;
    if let Some(vaults) = vaults {
        judge_against(vaults, read_json_lines(&file("against"))?, &mut figures)?;
    }
    if !failures {
        figures.failures.clear();
    }
    Ok(figures)
}

fn judge_saved(name: &str, rows: &[SavedRow], figures: &mut MemoryFigures) -> Result<()> {
    for row in rows {
        let dir = tempfile::tempdir()?;
        let answer = name_answer(&Agent::at(dir.path())?.save_as(&row.text, row.kind)?)?;
        let is_right = answer.starts_with("saved") == (row.expected == "saved");
        figures.note_failure(!is_right, || format!("{} {answer}: {}", row.id, row.text));
        figures.count(&format!("{name}: {}", row.expected), &answer);
    }
    Ok(())
}

fn judge_updates(rows: &[UpdateRow], figures: &mut MemoryFigures) -> Result<()> {
    for row in rows {
        let dir = tempfile::tempdir()?;
        let mut agent = Agent::at(dir.path())?;
        let first = name_answer(&agent.save(&row.first)?)?;
        if first != "saved" {
            figures.note_failure(true, || format!("{} first {first}: {}", row.id, row.first));
            figures.count("first of two", &first);
            continue;
        }
        agent.begin_session("1")?;
        let answer = name_answer(&agent.save(&row.second)?)?;
        let finer = row.strength.iter().chain(&row.note).map(|word| format!(" ({word})")).collect::<String>();
        let right = match row.expected.as_str() {
            "duplicate" => answer == "duplicate",
            "superseded" => answer == "saved+superseded",
            "both" => answer == "saved" || answer == "conflict",
            other => bail!("{}: {other} is not expected of two memories", row.id),
        };
        figures.note_failure(!right, || format!("{} {answer}: {} / {}", row.id, row.first, row.second));
        figures.count(&format!("{}{finer}", row.expected), &answer);
    }
    Ok(())
}

/// Saves all first memories into one vault, and then each second one that replaces or repeats its first.
fn judge_related(rows: &[UpdateRow], figures: &mut MemoryFigures) -> Result<()> {
    let dir = tempfile::tempdir()?;
    let mut agent = Agent::at(dir.path())?;
    let firsts = agent.save_all(rows.iter().map(|row| row.first.as_str()))?;
    for (row, first) in rows.iter().zip(firsts).filter(|(row, _)| row.expected != "both") {
        let Some(first) = first.id else { continue };
        agent.begin_session(&row.id)?;
        let report = agent.save(&row.second)?;
        if name_answer(&report)? == "saved" {
            figures.related.memories += 1;
            figures.related.memories_shown += usize::from(report.related.iter().any(|near| near.id == first));
        }
    }
    Ok(())
}

fn judge_preferences(rows: &[PreferenceRow], figures: &mut MemoryFigures) -> Result<()> {
    let dir = tempfile::tempdir()?;
    let mut agent = Agent::at(dir.path())?;
    let mut ids = BTreeMap::new();
    let reports = agent.save_all(rows.iter().map(|row| row.text.as_str()))?;
    for (row, report) in rows.iter().zip(reports) {
        let answer = name_answer(&report)?;
        figures.note_failure(answer != "saved", || format!("{} {answer}: {}", row.id, row.text));
        if let Some(id) = report.id.filter(|_| answer == "saved") {
            ids.insert(id, row.id.as_str());
        }
        figures.count("preference", &answer);
    }
    let mut counted = PreferenceFigures { rows: rows.len(), accepted: ids.len(), ..PreferenceFigures::default() };
    for row in rows {
        let found = agent.search(&row.question)?;
        let found: Vec<&str> = found.iter().filter_map(|id| ids.get(id).copied()).collect();
        let is_found = found.contains(&row.id.as_str());
        counted.first += usize::from(found.first() == Some(&row.id.as_str()));
        counted.in_five += usize::from(is_found);
        let also = || row.also.iter().any(|id| found.contains(&id.as_str()));
        counted.in_five_or_also += usize::from(is_found || also());
        figures.note_failure(!is_found && !also(), || format!("{} not found: {}", row.id, row.question));
    }
    figures.preferences = counted;
    Ok(())
}

fn judge_against(vaults: &Path, rows: Vec<AgainstRow>, figures: &mut MemoryFigures) -> Result<()> {
    for (repository, rows) in group_by_repo(rows, |row| &row.repository) {
        let copy = tempfile::tempdir()?;
        crate::contradictions::copy_vault(&repo_folder(vaults, &repository), copy.path())
            .with_context(|| format!("cannot copy the vault of {repository}"))?;
        let mut agent = Agent::at(copy.path())?;
        for row in &rows {
            // Each row in a project of its own, so that no other row is compared with it.
            agent.writer.project = Some(row.id.clone());
            agent.begin_session(&row.id)?;
            let report = agent.save(&row.memory)?;
            let answer = name_answer(&report)?;
            if answer == "saved" && row.expected != "saved" {
                let is_there = |path: &str| path == row.path || row.also.iter().any(|also| also == path);
                figures.related.notes += 1;
                let shown = report.related_notes.iter().filter_map(|claim| claim.place());
                figures.related.notes_shown += usize::from(shown.map(|place| place.path.as_str()).any(is_there));
            }
            let finer = if row.one_value_at_a_time { " (one value at a time)" } else { "" };
            figures.note_failure(answer != row.expected, || format!("{} {answer}: {}", row.id, row.memory));
            figures.count(&format!("against notes: {}{finer}", row.expected), &answer);
        }
    }
    Ok(())
}
