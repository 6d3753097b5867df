//! `retrieval DIR`: recall of the conversation turns that answer a question, through the engine.
//!
//! `DIR` holds `vault/`, `queries.jsonl` and `turns.jsonl`. Ranked claims are collapsed to distinct turns, each at its
//! first claim, before the cut. Questions without an answer (`adversarial`) are counted separately: whether "no
//! evidence" is reported.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use anyhow::Result;
use memora_engine::report::{EvidenceStrength, Freshness};
use memora_engine::{LocalDoor, NoteFilter, SearchOptions, Session};
use serde::{Deserialize, Serialize};

use crate::indexed_vault::{IndexedVault, SearchSetup};
use crate::read_json_lines;

/// The cuts at which recall is computed.
pub(crate) const CUTS: [usize; 4] = [5, 10, 20, 50];

/// How many claims are requested: a turn may have several.
const LIMIT: usize = 250;

#[derive(Deserialize)]
struct ConversationTurn {
    id: String,
    note: String,
    start: usize,
    end: usize,
}

#[derive(Deserialize)]
struct RetrievalQuestion {
    qid: String,
    conv: String,
    category_name: String,
    question: String,
    evidence: Vec<String>,
}

/// The notes that a question is searched in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RetrievalScope {
    /// Those of its conversation
    Conversation,
    /// All
    All,
}

/// Recall at 5, 10, 20 and 50 turns, and the share of questions with an answering turn among the first ten.
#[derive(Debug, Default, Serialize)]
struct RecallFigures {
    questions: usize,
    #[serde(rename = "recall@5/10/20/50")]
    recall: [f64; 4],
    #[serde(rename = "hit@10")]
    hit: f64,
}

impl RecallFigures {
    fn count_question(&mut self, ranked: &[&str], gold: &HashSet<&str>) {
        self.questions += 1;
        for (sum, cut) in self.recall.iter_mut().zip(CUTS) {
            let held = ranked.iter().take(cut).filter(|id| gold.contains(**id)).count();
            *sum += crate::ratio(held, gold.len());
        }
        self.hit += f64::from(u8::from(ranked.iter().take(10).any(|id| gold.contains(id))));
    }

    #[expect(clippy::cast_precision_loss, reason = "a few hundred questions")]
    fn average_figures(&mut self) {
        let questions = self.questions.max(1) as f64;
        self.recall.iter_mut().for_each(|sum| *sum /= questions);
        self.hit /= questions;
    }
}

/// Counts and means over all questions.
#[derive(Debug, Default, Serialize)]
pub(crate) struct RetrievalFigures {
    #[serde(flatten)]
    overall: RecallFigures,
    by_category: BTreeMap<String, RecallFigures>,
    /// Answerable questions that get an answer.
    answered: usize,
    /// Questions without an answer, and how many of them get "no evidence".
    adversarial: usize,
    refused: usize,
    /// Recall at 10 of every question, for comparing two runs question by question.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    each: BTreeMap<String, f64>,
}

pub(crate) fn measure(dir: &Path, scope: RetrievalScope, ways: &SearchSetup, each: bool) -> Result<RetrievalFigures> {
    let turns: Vec<ConversationTurn> = read_json_lines(&dir.join("turns.jsonl"))?;
    let questions: Vec<RetrievalQuestion> = read_json_lines(&dir.join("queries.jsonl"))?;
    let mut by_note: HashMap<&str, Vec<&ConversationTurn>> = HashMap::new();
    turns.iter().for_each(|turn| by_note.entry(&turn.note).or_default().push(turn));
    let opened = IndexedVault::new(&dir.join("vault"), ways)?;
    let session = opened.memora.session(LocalDoor)?;
    let mut figures = RetrievalFigures::default();
    for question in &questions {
        let folders = if scope == RetrievalScope::All { Vec::new() } else { vec![question.conv.clone()] };
        let (ranked, answered) = rank_turns(&session, &question.question, folders, ways, &by_note)?;
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
        figures.overall.count_question(&ranked, &gold);
        figures.by_category.entry(question.category_name.clone()).or_default().count_question(&ranked, &gold);
        if each {
            let held = ranked.iter().take(10).filter(|id| gold.contains(**id)).count();
            figures.each.insert(question.qid.clone(), crate::ratio(held, gold.len()));
        }
    }
    figures.overall.average_figures();
    figures.by_category.values_mut().for_each(RecallFigures::average_figures);
    Ok(figures)
}

/// Returns the ranked turns, and whether any hit among them is evidence.
fn rank_turns<'t>(
    session: &Session<'_, LocalDoor>,
    question: &str,
    folders: Vec<String>,
    ways: &SearchSetup,
    turns: &HashMap<&str, Vec<&'t ConversationTurn>>,
) -> Result<(Vec<&'t str>, bool)> {
    let filter = NoteFilter { folders, ..NoteFilter::default() };
    let options = SearchOptions { limit: LIMIT, filter, lexical_only: ways.lexical, ..SearchOptions::default() };
    let report = session.search().report_claims(question, &options, Freshness { fresh: true, pending: 0 })?;
    let answered = report.hits.iter().any(|hit| hit.relevance != EvidenceStrength::Nearest);
    let mut ranked: Vec<&str> = Vec::new();
    for place in report.hits.iter().filter_map(|hit| hit.claim.place()) {
        let (Some(start), Some(end)) = (place.start, place.end) else { continue };
        let of_note = turns.get(place.path.to_string().as_str()).into_iter().flatten();
        let turn = of_note.into_iter().find(|turn| start < turn.end && turn.start < end);
        ranked.extend(turn.map(|turn| turn.id.as_str()).filter(|id| !ranked.contains(id)));
    }
    Ok((ranked, answered))
}
