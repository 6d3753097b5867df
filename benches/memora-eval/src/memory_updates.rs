//! `memory-updates FILE`: preferences that people change or give up, saved after what they said before.
//!
//! `FILE` has a person a line with the changes of their preferences, as `stage3_2_preference_events.jsonl` of HaluMem. A change is
//! said as a person would say it: "I like …", then "I like … now", or "I no longer like …".

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use anyhow::Result;
use memora_engine::MemoryKind;
use serde::{Deserialize, Serialize};

use crate::indexed_vault::DEFAULT_TODAY;
use crate::memory::{Agent, name_answer};
use crate::read_json_lines;

#[derive(Deserialize)]
struct Person {
    event_list: Vec<Change>,
}

#[derive(Deserialize)]
struct Change {
    update_direction: String,
    before_preference: PreferencePoints,
    after_preference: PreferencePoints,
}

#[derive(Deserialize)]
struct PreferencePoints {
    memory_points: Vec<PreferencePoint>,
}

#[derive(Deserialize)]
struct PreferencePoint {
    #[serde(rename = "type")]
    kind: String,
    specific_item: String,
    reason: String,
}

/// Counts over all changes of one direction.
#[derive(Debug, Default, Serialize)]
struct ChangeFigures {
    changes: usize,
    /// By answer.
    answers: BTreeMap<String, usize>,
    /// The older one ended.
    superseded: usize,
    /// Both stand, and the writer is told that the older one says otherwise.
    flagged: usize,
    /// Both stand, and the older one is among those that the writer is shown.
    shown: usize,
    /// Not written, since it was taken for a repetition of the older one.
    swallowed: usize,
    /// Other memories that ended.
    unrelated_ended: usize,
}

/// Counts for each direction.
#[derive(Debug, Default, Serialize)]
pub(crate) struct UpdateFigures {
    people: usize,
    by_direction: BTreeMap<String, ChangeFigures>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
}

pub(crate) fn measure(file: &Path, people: Option<usize>, failures: bool) -> Result<UpdateFigures> {
    let mut figures = UpdateFigures::default();
    for person in read_json_lines::<Person>(file)?.iter().take(people.unwrap_or(usize::MAX)) {
        figures.people += 1;
        measure_person(person, &mut figures)?;
    }
    if !failures {
        figures.failures.clear();
    }
    Ok(figures)
}

fn measure_person(person: &Person, figures: &mut UpdateFigures) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut agent = Agent::on_day(folder.path(), DEFAULT_TODAY)?;
    let changes: Vec<(&Change, String, String)> = person.event_list.iter().filter_map(say_change).collect();
    // The id of what was said, by its words.
    let mut ids: HashMap<String, String> = HashMap::new();
    let mut texts: HashMap<String, String> = HashMap::new();
    for (number, (change, before, after)) in changes.iter().enumerate() {
        // What one event ends with another begins with: then it is a repetition of that.
        if !ids.contains_key(before) {
            agent.begin_session(&format!("before {number}"))?;
            if let Some(id) = agent.save_as(before, MemoryKind::Behavior)?.id {
                texts.entry(id.clone()).or_insert_with(|| before.clone());
                ids.insert(before.clone(), id);
            }
        }
        agent.begin_session(&format!("after {number}"))?;
        let report = agent.save_as(after, MemoryKind::Behavior)?;
        let answer = name_answer(&report)?;
        let counts = figures.by_direction.entry(change.update_direction.clone()).or_default();
        counts.changes += 1;
        let older = ids.get(before);
        let is_older = |id: &String| Some(id) == older;
        let unrelated = report.superseded.iter().filter(|id| !is_older(id) && texts.contains_key(*id)).count();
        counts.superseded += usize::from(report.superseded.iter().any(is_older));
        counts.flagged += usize::from(report.conflicts.iter().any(is_older));
        counts.shown += usize::from(report.related.iter().any(|near| is_older(&near.id)));
        counts.swallowed += usize::from(answer == "duplicate" && report.id.as_ref().is_some_and(is_older));
        counts.unrelated_ended += unrelated;
        *counts.answers.entry(answer.clone()).or_default() += 1;
        if unrelated > 0 || answer == "duplicate" {
            let ended = report.superseded.iter().chain(&report.id).filter_map(|id| texts.get(id));
            let ended: String = ended.map(|text| format!(" / {text}")).collect();
            figures.failures.push(format!("{answer}: {after}{ended}"));
        }
        if let Some(id) = report.id {
            texts.entry(id.clone()).or_insert_with(|| after.clone());
            ids.insert(after.clone(), id);
        }
    }
    Ok(())
}

/// What a person says before and after a change; `None` for one that is not of one preference.
fn say_change(change: &Change) -> Option<(&Change, String, String)> {
    let [before] = change.before_preference.memory_points.as_slice() else { return None };
    let [after] = change.after_preference.memory_points.as_slice() else { return None };
    let verb = |point: &PreferencePoint| if point.kind == "dislike" { "dislike" } else { "like" };
    let (was, is) = (item_of(before), item_of(after));
    let first = format!("I {} {was}. {}", verb(before), before.reason);
    let second = match change.update_direction.as_str() {
        "Delete" => format!("I no longer {} {was}.", verb(before)),
        _ => format!("I {} {is} now. {}", verb(after), after.reason),
    };
    Some((change, first, second))
}

/// What is liked, within a sentence: "dogs, especially Labradors". "NASA" stays.
fn item_of(point: &PreferencePoint) -> String {
    let item = point.specific_item.as_str();
    // Some say the verb again.
    let item = ["Likes ", "Dislikes "].iter().find_map(|verb| item.strip_prefix(verb)).unwrap_or(item);
    let mut letters = item.chars();
    match (letters.next(), letters.as_str().chars().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => first.to_lowercase().chain(letters).collect(),
        _ => item.to_owned(),
    }
}
