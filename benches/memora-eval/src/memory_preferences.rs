//! `memory-preferences DIR`: preferences as people say them, all in one memory, and later questions that do not name them.
//!
//! `DIR` is a folder of JSON files, each a list of objects with `preference` and `question`, as `explicit_preference` of PrefEval.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use jiff::ToSpan as _;
use memora_engine::report::{ConsolidationAct, MemoryStatus};
use memora_engine::{MemoryId, MemoryKind, MemoryName, MemorySession, SyncBound};
use serde::{Deserialize, Serialize};

use crate::indexed_vault::{DEFAULT_TODAY, SearchSetup};
use crate::memory::{Agent, name_answer};

/// The first day of the later year, in days.
const LATER: i64 = 365;
/// How many names are read at once.
const NAMES: usize = 20;

#[derive(Deserialize)]
struct Preference {
    preference: String,
    question: String,
}

/// Counts over all preferences.
#[derive(Debug, Default, Serialize)]
pub(crate) struct PreferenceFigures {
    preferences: usize,
    /// By answer.
    answers: BTreeMap<String, usize>,
    /// Saved, and neither held nor in place of another.
    accepted: usize,
    held: usize,
    /// The same words as one before, and taken for a repetition of it.
    repeated: usize,
    /// Taken for a repetition of another in other words, or put in its place.
    merged: usize,
    /// Whether the question finds its preference first, and among five, of all in one memory.
    hit_at_1: usize,
    hit_at_5: usize,
    /// 365 days later: current, and not proposed for the archive.
    there_later: usize,
    hit_at_5_later: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
}

pub(crate) fn measure(dir: &Path, limit: Option<usize>, failures: bool) -> Result<PreferenceFigures> {
    let mut rows = read_rows(dir)?;
    rows.truncate(limit.unwrap_or(usize::MAX));
    let folder = tempfile::tempdir()?;
    let mut agent = Agent::on_day(folder.path(), DEFAULT_TODAY)?;
    let mut figures = PreferenceFigures { preferences: rows.len(), ..PreferenceFigures::default() };
    let reports = agent.save_all_as(rows.iter().map(|row| row.preference.as_str()), MemoryKind::Behavior)?;
    let mut texts: HashMap<String, &str> = HashMap::new();
    let mut ids: Vec<Option<String>> = Vec::new();
    for (row, report) in rows.iter().zip(reports) {
        let answer = name_answer(&report)?;
        match answer.as_str() {
            "saved" => figures.accepted += 1,
            "held" => figures.held += 1,
            "duplicate" if is_same(report.id.as_ref().and_then(|id| texts.get(id)), &row.preference) => {
                figures.repeated += 1;
            }
            "duplicate" | "saved+superseded" => figures.merged += 1,
            _ => {}
        }
        if answer != "saved"
            && !(answer == "duplicate" && is_same(report.id.as_ref().and_then(|id| texts.get(id)), &row.preference))
        {
            let others = report.superseded.iter().chain(&report.id).filter_map(|id| texts.get(id));
            let others: String = others.map(|text| format!(" / {text}")).collect();
            figures.failures.push(format!("{answer}: {}{others}", row.preference));
        }
        *figures.answers.entry(answer.clone()).or_default() += 1;
        let id = report.id.filter(|_| answer != "duplicate");
        if let Some(id) = &id {
            texts.insert(id.clone(), &row.preference);
        }
        ids.push(id);
    }
    for (row, id) in rows.iter().zip(&ids) {
        let found = agent.search(&row.question)?;
        figures.hit_at_1 += usize::from(id.is_some() && found.first() == id.as_ref());
        figures.hit_at_5 += usize::from(id.as_ref().is_some_and(|id| found.contains(id)));
    }
    look_again_later(agent, folder.path(), &rows, &ids, &mut figures)?;
    if !failures {
        figures.failures.clear();
    }
    Ok(figures)
}

fn look_again_later(
    mut agent: Agent,
    vault: &Path,
    rows: &[Preference],
    ids: &[Option<String>],
    figures: &mut PreferenceFigures,
) -> Result<()> {
    let day = DEFAULT_TODAY.checked_add(LATER.days())?;
    agent.vault = agent.vault.reopen_on_day(day, vault, &SearchSetup::default())?;
    agent.writer.at = day.at(9, 0, 0, 0);
    agent.of = MemorySession::named("a year later");
    for (row, id) in rows.iter().zip(ids) {
        let found = agent.search(&row.question)?;
        figures.hit_at_5_later += usize::from(id.as_ref().is_some_and(|id| found.contains(id)));
    }
    let session = agent.vault.memora.session(agent.vault.memora.cloud_door())?;
    let memories = session.memories(&agent.of, &agent.writer)?;
    let plan = memories.upkeep().report_plan(&memories.upkeep().plan_consolidation(false)?);
    let goes = |id: &str| {
        let archives = |act| matches!(act, ConsolidationAct::Merge | ConsolidationAct::Prune);
        plan.steps.iter().any(|step| archives(step.act) && step.id == id)
    };
    let names: Vec<MemoryName> =
        ids.iter().flatten().filter_map(|id| MemoryId::parse(id)).map(MemoryName::Id).collect();
    for names in names.chunks(NAMES) {
        for item in memories.reader().read_named(names, 0)?.items {
            let is_there = item.status == MemoryStatus::Current && !goes(&item.id);
            figures.there_later += usize::from(is_there);
            if !is_there {
                figures.failures.push(format!("a year later {:?}: {}", item.status, item.text));
            }
        }
    }
    drop(memories);
    drop(session);
    agent.vault.memora.sync(SyncBound::All, &AtomicBool::new(false), &mut |_| {})?;
    Ok(())
}

/// Whether a preference is in the words of another.
fn is_same(other: Option<&&str>, text: &str) -> bool {
    other.is_some_and(|other| other.eq_ignore_ascii_case(text))
}

/// The preferences of all files, by name.
fn read_rows(dir: &Path) -> Result<Vec<Preference>> {
    let entries = fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    let mut rows = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let of_one: Vec<Preference> =
            serde_json::from_str(&text).with_context(|| format!("cannot read {}", file.display()))?;
        rows.extend(of_one);
    }
    Ok(rows)
}
