//! Questions in owners' words over one vault. Each line has a question, a tab, and the words of an answer, or `-` where
//! the notes do not answer it. Alternative answers are separated by ` | `.
//!
//! A statement contains an answer if it has all of its words. "Found" refers to the results of `search`, "said" to the
//! answer of `ask`.

use std::path::Path;

use anyhow::{Context as _, Result};
use memora_engine::report::{AnswerStatus, EvidenceStrength, Freshness, WireClaim};
use memora_engine::{LocalDoor, SearchOptions};
use serde::Serialize;

use crate::indexed_vault::{IndexedVault, SearchSetup};
use crate::ratio;

/// The ranks at which found answers are counted.
const CUTS: [usize; 5] = [1, 3, 5, 10, 100];

/// The maximum number of statements in an answer of `ask`, as for a user.
const ANSWER_STATEMENTS: usize = 5;

/// Counts and shares over all questions.
#[derive(Debug, Default, Serialize)]
pub(crate) struct QuestionFigures {
    with_an_answer: usize,
    without: usize,
    /// Of those with an answer, the shares that `search` lists among the first 1, 3, 5, 10 and 100.
    found: [f64; 5],
    /// The share whose answer `ask` states first.
    said_first: f64,
    /// The share whose answer `ask` states at all, in at most five statements.
    said: f64,
    /// Of those with an answer, the share that gets "no evidence".
    unanswered: f64,
    /// Answers that are called likely.
    likely: usize,
    /// The share of them whose first statement is right.
    likely_right: f64,
    /// Of those without an answer, the share that gets an answer that is called likely.
    likely_without: f64,
    /// Of those without an answer, the share that gets "no evidence".
    refused: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
}

/// Raw counts behind [`QuestionFigures`].
#[derive(Default)]
struct QuestionCounts {
    found: [usize; 5],
    said_first: usize,
    said: usize,
    unanswered: usize,
    likely: usize,
    likely_right: usize,
    likely_without: usize,
    refused: usize,
}

pub(crate) fn measure(vault: &Path, questions: &Path, ways: &SearchSetup, failures: bool) -> Result<QuestionFigures> {
    let text = std::fs::read_to_string(questions).with_context(|| format!("cannot read {}", questions.display()))?;
    let opened = IndexedVault::new(vault, ways)?;
    let fresh = Freshness { fresh: true, pending: 0 };
    let (mut figures, mut counts) = (QuestionFigures::default(), QuestionCounts::default());
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at = at + 1;
        let (question, answers) = line.split_once('\t').with_context(|| format!("line {at} has no tab"))?;
        // As a user asks, one after another: what the transformer read for a question is there for the next.
        let session = opened.memora.session(LocalDoor)?;
        let options = |limit| SearchOptions { limit, lexical_only: ways.lexical, ..SearchOptions::default() };
        let report = session.answerer().answer_question(question, &options(ANSWER_STATEMENTS), fresh)?;
        let likely = report.relevance == Some(EvidenceStrength::Likely);
        let mut failed = |what: &str| {
            let first = report.sentences.first().map_or("", |sentence| sentence.text.as_str());
            if failures {
                figures.failures.push(format!("{at} {what}: {question} <- {first}"));
            }
        };
        if answers.trim() == "-" {
            figures.without += 1;
            counts.refused += usize::from(report.status == AnswerStatus::NoEvidence);
            counts.likely_without += usize::from(likely);
            counts.likely += usize::from(likely);
            if report.status != AnswerStatus::NoEvidence {
                failed(if likely { "likely without an answer" } else { "answered without an answer" });
            }
            continue;
        }
        figures.with_an_answer += 1;
        let wanted: Vec<Vec<String>> = answers.split(" | ").map(lowercase_words).collect();
        let holds = |claim: &WireClaim<LocalDoor>| {
            let own = claim.place().map(|place| lowercase_words(&place.quote)).unwrap_or_default();
            wanted.iter().any(|wanted| wanted.iter().all(|word| own.contains(word)))
        };
        let hits = session.search().report_claims(question, &options(CUTS[4]), fresh)?.hits;
        let rank = hits.iter().position(|hit| holds(&hit.claim));
        for (count, cut) in counts.found.iter_mut().zip(CUTS) {
            *count += usize::from(rank.is_some_and(|rank| rank < cut));
        }
        let first = report.claims.first().is_some_and(holds);
        let said = report.claims.iter().take(ANSWER_STATEMENTS).any(holds);
        counts.said_first += usize::from(first);
        counts.said += usize::from(said);
        counts.unanswered += usize::from(report.status == AnswerStatus::NoEvidence);
        counts.likely += usize::from(likely);
        counts.likely_right += usize::from(likely && first);
        if !said {
            failed(&rank.map_or("not found".to_owned(), |rank| format!("found at {}", rank + 1)));
        }
    }
    let of = |count| ratio(count, figures.with_an_answer);
    Ok(QuestionFigures {
        found: counts.found.map(of),
        said_first: of(counts.said_first),
        said: of(counts.said),
        unanswered: of(counts.unanswered),
        likely: counts.likely,
        likely_right: ratio(counts.likely_right, counts.likely),
        likely_without: ratio(counts.likely_without, figures.without),
        refused: ratio(counts.refused, figures.without),
        ..figures
    })
}

/// The words of a text, in lower case.
pub(crate) fn lowercase_words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}
