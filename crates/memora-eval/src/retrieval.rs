//! `retrieval DIR`: how many of the turns of a conversation that answer a question are found, through the engine.
//!
//! `DIR` holds `vault/`, `queries.jsonl` and `turns.jsonl`. Ranked claims are collapsed to distinct turns, each at its
//! first claim, before the cut. A question whose answer is said nowhere (`adversarial`) is counted apart: whether "no
//! evidence" is said.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use anyhow::Result;
use memora_engine::report::{EvidenceStrength, Freshness};
use memora_engine::{LocalDoor, NoteFilter, SearchOptions, Session};
use serde::{Deserialize, Serialize};

use crate::opened::{Opened, Ways};
use crate::rows;

/// Where recall is taken.
pub(crate) const CUTS: [usize; 4] = [5, 10, 20, 50];

/// How many claims are asked for: several may stand in one turn.
const LIMIT: usize = 250;

#[derive(Deserialize)]
struct Turn {
    id: String,
    note: String,
    start: usize,
    end: usize,
}

#[derive(Deserialize)]
struct Question {
    qid: String,
    conv: String,
    category_name: String,
    question: String,
    evidence: Vec<String>,
}

/// Among which notes a question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Scope {
    /// Those of its conversation
    Conversation,
    /// All
    All,
}

/// Recall at 5, 10, 20 and 50 turns, and the share of questions with a turn that answers among the first ten.
#[derive(Debug, Default, Serialize)]
struct Recall {
    questions: usize,
    #[serde(rename = "recall@5/10/20/50")]
    recall: [f64; 4],
    #[serde(rename = "hit@10")]
    hit: f64,
}

impl Recall {
    fn count(&mut self, ranked: &[&str], gold: &HashSet<&str>) {
        self.questions += 1;
        for (sum, cut) in self.recall.iter_mut().zip(CUTS) {
            let held = ranked.iter().take(cut).filter(|id| gold.contains(**id)).count();
            *sum += crate::share(held, gold.len());
        }
        self.hit += f64::from(u8::from(ranked.iter().take(10).any(|id| gold.contains(id))));
    }

    #[expect(clippy::cast_precision_loss, reason = "a few hundred questions")]
    fn mean(&mut self) {
        let questions = self.questions.max(1) as f64;
        self.recall.iter_mut().for_each(|sum| *sum /= questions);
        self.hit /= questions;
    }
}

/// How it went.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Figures {
    #[serde(flatten)]
    overall: Recall,
    by_category: BTreeMap<String, Recall>,
    /// Questions with an answer to which something is answered.
    answered: usize,
    /// Questions without an answer, and to how many "no evidence" is said.
    adversarial: usize,
    refused: usize,
    /// Recall at 10 of every question, to compare two runs question by question.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    each: BTreeMap<String, f64>,
}

pub(crate) fn measure(dir: &Path, scope: Scope, ways: &Ways, each: bool) -> Result<Figures> {
    let turns: Vec<Turn> = rows(&dir.join("turns.jsonl"))?;
    let questions: Vec<Question> = rows(&dir.join("queries.jsonl"))?;
    let mut by_note: HashMap<&str, Vec<&Turn>> = HashMap::new();
    turns.iter().for_each(|turn| by_note.entry(&turn.note).or_default().push(turn));
    let opened = Opened::new(&dir.join("vault"), ways)?;
    let session = opened.memora.session(LocalDoor)?;
    let mut figures = Figures::default();
    for question in &questions {
        let folders = if scope == Scope::All { Vec::new() } else { vec![question.conv.clone()] };
        let (ranked, answered) = ask(&session, &question.question, folders, ways, &by_note)?;
        let gold: HashSet<&str> = question.evidence.iter().map(String::as_str).collect();
        if question.category_name == "adversarial" {
            figures.adversarial += 1;
            figures.refused += usize::from(!answered);
        } else {
            figures.answered += usize::from(answered);
        }
        if gold.is_empty() {
            continue;
        }
        figures.overall.count(&ranked, &gold);
        figures.by_category.entry(question.category_name.clone()).or_default().count(&ranked, &gold);
        if each {
            let held = ranked.iter().take(10).filter(|id| gold.contains(**id)).count();
            figures.each.insert(question.qid.clone(), crate::share(held, gold.len()));
        }
    }
    figures.overall.mean();
    figures.by_category.values_mut().for_each(Recall::mean);
    Ok(figures)
}

/// The turns that were found, and whether any claim among them is evidence.
fn ask<'t>(
    session: &Session<'_, LocalDoor>,
    question: &str,
    folders: Vec<String>,
    ways: &Ways,
    turns: &HashMap<&str, Vec<&'t Turn>>,
) -> Result<(Vec<&'t str>, bool)> {
    let filter = NoteFilter { folders, ..NoteFilter::default() };
    let options = SearchOptions { limit: LIMIT, filter, lexical_only: ways.lexical, ..SearchOptions::default() };
    let report = session.search().report_claims(question, &options, Freshness { fresh: true, pending: 0 })?;
    let answered = report.hits.iter().any(|hit| hit.relevance != EvidenceStrength::None);
    let mut ranked: Vec<&str> = Vec::new();
    for place in report.hits.iter().filter_map(|hit| hit.claim.place()) {
        let (Some(start), Some(end)) = (place.start, place.end) else { continue };
        let of_note = turns.get(place.path.to_string().as_str()).into_iter().flatten();
        let turn = of_note.into_iter().find(|turn| start < turn.end && turn.start < end);
        ranked.extend(turn.map(|turn| turn.id.as_str()).filter(|id| !ranked.contains(id)));
    }
    Ok((ranked, answered))
}
