//! `search`: questions put to whole vaults, through the engine, as a user would ask them.
//!
//! A row names a vault, a question and the lines that answer it: a `quote` within the note, or a line number. A hit is
//! right if the bytes it cites overlap one of them. Lines of the wrong time (`not`) must rank below the right ones.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use jiff::civil::Date;
use memora_engine::report::{EvidenceStrength, Freshness, SearchHit};
use memora_engine::{LocalDoor, PartialDate, SearchOptions};
use serde::{Deserialize, Serialize};

use crate::indexed_vault::{DEFAULT_TODAY, IndexedVault, SearchSetup};
use crate::{ratio, read_json_lines};

#[derive(Deserialize)]
struct SearchRow {
    #[serde(default)]
    id: String,
    vault: String,
    /// `answerable` or `unanswerable`; defaults to answerable.
    #[serde(default)]
    kind: String,
    #[serde(alias = "query")]
    question: String,
    today: Option<String>,
    /// The date as of which the question is asked.
    as_of: Option<String>,
    #[serde(default)]
    answers: Vec<AnswerSpot>,
    #[serde(default)]
    not: Vec<AnswerSpot>,
    #[serde(alias = "why")]
    style: Option<String>,
}

#[derive(Deserialize)]
struct AnswerSpot {
    path: String,
    quote: Option<String>,
    line: Option<usize>,
}

/// Counts and means over all questions.
#[derive(Debug, Default, Serialize)]
pub(crate) struct SearchFigures {
    questions: usize,
    answerable: usize,
    /// Number of them with an answer among the first 1, 5 and 10 hits.
    found_at: [usize; 3],
    recall_at_10: f64,
    /// The mean of one over the rank of the first answer.
    reciprocal_rank: f64,
    /// Answerable questions that `ask` would answer instead of reporting "no evidence".
    answered: usize,
    /// Number of them whose answer would include a right line.
    answered_right: usize,
    unanswerable: usize,
    /// Unanswerable questions that get "no evidence".
    refused: usize,
    /// Questions with wrong-time lines where such a line ranks above every right one, and all such questions.
    wrong_time_first: [usize; 2],
    /// By style: questions, those with an answer in the first ten hits, refused.
    by_style: BTreeMap<String, [usize; 3]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
}

/// How many hits an answer is drawn from.
const ANSWER_HITS: usize = 5;

pub(crate) fn measure(
    questions: &Path,
    vaults: &[String],
    ways: &SearchSetup,
    failures: bool,
) -> Result<SearchFigures> {
    let rows: Vec<SearchRow> = read_json_lines(questions)?;
    let mut folders: BTreeMap<&str, PathBuf> = BTreeMap::new();
    for vault in vaults {
        let Some((name, folder)) = vault.split_once('=') else { bail!("--vault {vault}: write NAME=FOLDER") };
        folders.insert(name, folder.into());
    }
    let mut figures = SearchFigures::default();
    let mut reciprocal = 0.0;
    for (name, folder) in &folders {
        // Each `today` needs its own configuration.
        let mut by_day: BTreeMap<Date, Vec<&SearchRow>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.vault == *name) {
            let day = row.today.as_deref().map(str::parse).transpose()?.unwrap_or(DEFAULT_TODAY);
            by_day.entry(day).or_default().push(row);
        }
        let mut opened = IndexedVault::new(folder, ways)?;
        for (day, of_day) in by_day {
            opened = opened.reopen_on_day(day, folder, ways)?;
            let session = opened.memora.session(LocalDoor)?;
            for row in of_day {
                let as_of = row.as_of.as_deref().and_then(PartialDate::parse);
                let options =
                    SearchOptions { limit: 10, as_of, lexical_only: ways.lexical, ..SearchOptions::default() };
                let report =
                    session.search().report_claims(&row.question, &options, Freshness { fresh: true, pending: 0 })?;
                let hits: Vec<HitSpan> = report.hits.iter().filter_map(HitSpan::from_search_hit).collect();
                figures.count_question(row, &hits, folder, &mut reciprocal, failures)?;
            }
        }
    }
    figures.recall_at_10 = ratio(figures.found_at[2], figures.answerable);
    figures.reciprocal_rank = if figures.answerable == 0 { 0.0 } else { reciprocal / figures.answerable as f64 };
    Ok(figures)
}

struct HitSpan {
    path: String,
    start: usize,
    end: usize,
    relevance: EvidenceStrength,
    shown: String,
}

impl HitSpan {
    fn from_search_hit(hit: &SearchHit<LocalDoor>) -> Option<Self> {
        let place = hit.claim.place()?;
        Some(Self {
            path: place.path.to_string(),
            start: place.start?,
            end: place.end?,
            relevance: hit.relevance,
            shown: format!("{:.2} {} {}", hit.score, hit.relevance, place.quote.lines().next().unwrap_or_default()),
        })
    }
}

impl SearchFigures {
    fn count_question(
        &mut self,
        row: &SearchRow,
        hits: &[HitSpan],
        folder: &Path,
        reciprocal: &mut f64,
        failures: bool,
    ) -> Result<()> {
        let spans =
            |spots: &[AnswerSpot]| spots.iter().map(|spot| locate_answer(folder, spot)).collect::<Result<Vec<_>>>();
        let (right, wrong) = (spans(&row.answers)?, spans(&row.not)?);
        let is = |hit: &HitSpan, of: &[(String, usize, usize)]| {
            of.iter().any(|(path, start, end)| *path == hit.path && hit.start < *end && *start < hit.end)
        };
        self.questions += 1;
        let style = self.by_style.entry(row.style.clone().unwrap_or_else(|| row.kind.clone())).or_default();
        style[0] += 1;
        let best = [EvidenceStrength::Likely, EvidenceStrength::Possible]
            .into_iter()
            .find(|strength| hits.iter().any(|hit| hit.relevance == *strength));
        if row.kind == "unanswerable" {
            self.unanswerable += 1;
            self.refused += usize::from(best.is_none());
            style[2] += usize::from(best.is_none());
            if best.is_some() && failures {
                self.failures.push(format!(
                    "{} answered: {} <- {}",
                    row.id,
                    row.question,
                    hits.first().map_or("", |h| &h.shown)
                ));
            }
            return Ok(());
        }
        self.answerable += 1;
        let first = hits.iter().position(|hit| is(hit, &right));
        for (found, cut) in self.found_at.iter_mut().zip([1, 5, 10]) {
            *found += usize::from(first.is_some_and(|at| at < cut));
        }
        style[1] += usize::from(first.is_some());
        *reciprocal += first.map_or(0.0, |at| 1.0 / (at as f64 + 1.0));
        self.answered += usize::from(best.is_some());
        let said = hits.iter().filter(|hit| Some(hit.relevance) == best).take(ANSWER_HITS);
        self.answered_right += usize::from(said.into_iter().any(|hit| is(hit, &right)));
        style[2] += usize::from(best.is_none());
        if !wrong.is_empty() {
            let wrongly = hits.iter().position(|hit| is(hit, &wrong));
            self.wrong_time_first[1] += 1;
            self.wrong_time_first[0] += usize::from(wrongly.is_some_and(|at| first.is_none_or(|first| at < first)));
        }
        if failures && (first.is_none() || best.is_none()) {
            let top = hits.first().map_or("nothing", |hit| &hit.shown);
            self.failures.push(format!("{} rank {first:?}, {best:?}: {} <- {top}", row.id, row.question));
        }
        Ok(())
    }
}

/// Locates an answer in its note: path, start byte, end byte.
fn locate_answer(folder: &Path, spot: &AnswerSpot) -> Result<(String, usize, usize)> {
    let text = fs::read_to_string(folder.join(&spot.path)).with_context(|| format!("cannot read {}", spot.path))?;
    let (start, end) = match (&spot.quote, spot.line) {
        (Some(quote), _) => {
            let start = text.find(quote.as_str()).with_context(|| format!("{} does not say {quote:?}", spot.path))?;
            (start, start + quote.len())
        }
        (None, Some(line)) => {
            let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
            let length = text.split_inclusive('\n').nth(line.saturating_sub(1)).map_or(0, str::len);
            (before, before + length)
        }
        (None, None) => bail!("an answer needs a quote or a line"),
    };
    Ok((spot.path.clone(), start, end))
}
