//! `support wice|fever|begin FILE`: whether sentences are taken for what public evidence says, judged as bare words.
//!
//! Positive is a sentence that its evidence says in full. Printed at the one shipped setting; beside it stands the best
//! F1 that any bound on the score would give.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use memora_entail::{Judgement, Premise, Verdict, judge};
use memora_verify::split_sentences;
use serde::{Deserialize, Serialize};

use crate::{rows, share};

/// Whose labels.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Data {
    /// Claims of an encyclopedia with the web pages they cite
    Wice,
    /// Claims made to defeat shortcuts, with a sentence that supports or refutes them
    Fever,
    /// Replies with the knowledge they were to be drawn from
    Begin,
}

/// How it went; shares are of 1.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Figures {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
    sentences: usize,
    supported: usize,
    /// By the verdict, as everywhere.
    #[serde(flatten)]
    /// If those are taken for supported that are kept: quoted, verified or paraphrased.
    decided: Decided,
    /// If those are that are proven: quoted or verified.
    proven: Decided,
    /// That a supported sentence has a higher score than one that is not; equal counts half.
    auroc: f64,
    /// If those were whose score is [`LIKELY_MIN`] or more.
    by_score: Decided,
    /// The best F1 of any bound on the score, on these very labels, and the bound.
    tuned_f1: f64,
    tuned_at: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<TokenFigures>,
}

/// How well sentences were taken for supported.
#[derive(Debug, Default, Serialize)]
struct Decided {
    precision: f64,
    recall: f64,
    f1: f64,
    accuracy: f64,
    /// Sentences that are not supported and are taken for it, and their share of those.
    false_accepted: usize,
    false_accepted_share: f64,
    /// Supported sentences that are not taken for it, and their share of those.
    true_rejected: usize,
    true_rejected_share: f64,
}

impl Decided {
    /// Of pairs: whether it was taken for supported, whether it is.
    fn of(pairs: &[(bool, bool)]) -> Self {
        let count = |taken: bool, is: bool| pairs.iter().filter(|pair| **pair == (taken, is)).count();
        let (right, false_accepted, true_rejected) = (count(true, true), count(true, false), count(false, true));
        let (supported, unsupported) = (right + true_rejected, false_accepted + count(false, false));
        let (precision, recall, f1) = f1(right, right + false_accepted, supported);
        Self {
            precision,
            recall,
            f1,
            accuracy: share(right + count(false, false), pairs.len()),
            false_accepted,
            false_accepted_share: share(false_accepted, unsupported),
            true_rejected,
            true_rejected_share: share(true_rejected, supported),
        }
    }
}

/// Which tokens of sentences are named as not supported, over all tokens together.
#[derive(Debug, Default, Serialize)]
pub(crate) struct TokenFigures {
    sentences: usize,
    tokens: usize,
    /// Tokens that the labels call not supported.
    wanted: usize,
    /// Tokens that a reason names.
    flagged: usize,
    right: usize,
    precision: f64,
    recall: f64,
    f1: f64,
    /// The mean F1 of a sentence.
    f1_by_sentence: f64,
}

/// From this score on a sentence is taken for supported by its score.
const LIKELY_MIN: f32 = 0.5;

/// A sentence, what it is to rest on, and whether that says it.
struct Row {
    sentence: String,
    evidence: Vec<Passage>,
    supported: bool,
    /// Each token, and whether it is not supported.
    tokens: Vec<(String, bool)>,
}

struct Passage {
    words: String,
    context: Vec<String>,
}

pub(crate) fn measure(data: Data, file: &Path, failures: bool) -> Result<Figures> {
    let rows = match data {
        Data::Wice => wice(file)?,
        Data::Fever => fever(file)?,
        Data::Begin => begin(file)?,
    };
    let whole = matches!(data, Data::Begin);
    let mut figures = Figures::default();
    let mut tokens: Vec<(&Row, Judgement)> = Vec::new();
    let (mut verdicts, mut proven, mut scores) = (Vec::new(), Vec::new(), Vec::new());
    for row in &rows {
        let judgements = judged(row, whole);
        let all = |is: fn(Verdict) -> bool| judgements.iter().all(|judgement| is(judgement.verdict()));
        let accepted = all(|verdict| !matches!(verdict, Verdict::Contradicted | Verdict::Unsupported));
        // A reply is as well supported as the least of its sentences.
        let score = judgements.iter().map(Judgement::score).fold(1.0_f32, f32::min);
        verdicts.push((accepted, row.supported));
        proven.push((all(|verdict| matches!(verdict, Verdict::Quoted | Verdict::Verified)), row.supported));
        scores.push((score, row.supported));
        if failures && accepted != row.supported {
            figures.failures.push(failure(row, accepted, score, &judgements));
        }
        if !row.tokens.is_empty() {
            tokens.extend(judgements.into_iter().map(|judgement| (row, judgement)));
        }
    }
    figures.sentences = rows.len();
    figures.supported = rows.iter().filter(|row| row.supported).count();
    figures.decided = Decided::of(&verdicts);
    figures.proven = Decided::of(&proven);
    let likely: Vec<(bool, bool)> =
        scores.iter().map(|(score, supported)| (*score >= LIKELY_MIN, *supported)).collect();
    figures.by_score = Decided::of(&likely);
    figures.auroc = auroc(&scores);
    (figures.tuned_f1, figures.tuned_at) = tuned(&mut scores);
    let beside = beside(data, file).map(|file| wice(&file)).transpose()?.unwrap_or_default();
    tokens.extend(beside.iter().flat_map(|row| judged(row, false).into_iter().map(move |judgement| (row, judgement))));
    figures.tokens = (!tokens.is_empty()).then(|| TokenFigures::of(&tokens));
    Ok(figures)
}

/// The judgement of a text: of the whole, or of each of its sentences.
fn judged(row: &Row, by_sentence: bool) -> Vec<Judgement> {
    let premises: Vec<Premise> =
        row.evidence.iter().map(|passage| Premise::new(&passage.words).with_context(&passage.context)).collect();
    let mut texts: Vec<String> = Vec::new();
    if by_sentence {
        texts.extend(split_sentences(&row.sentence).into_iter().map(|sentence| sentence.text.clone()));
    }
    if texts.is_empty() {
        texts.push(row.sentence.clone());
    }
    let premises: Vec<&Premise> = premises.iter().collect();
    texts.iter().map(|text| judge(text, &premises)).collect()
}

fn failure(row: &Row, accepted: bool, score: f32, judgements: &[Judgement]) -> String {
    let what = if accepted { "accepted" } else { "rejected" };
    let reasons = judgements.iter().flat_map(Judgement::reasons);
    let why: Vec<String> = reasons.map(|reason| format!("{} {}", reason.kind(), reason.words())).collect();
    format!("{what} {score:.2}: {} ({})", row.sentence, why.join("; "))
}

/// Precision, recall and F1 of how many are right of those claimed and of those wanted.
fn f1(right: usize, claimed: usize, wanted: usize) -> (f64, f64, f64) {
    (share(right, claimed), share(right, wanted), share(2 * right, claimed + wanted))
}

/// The share of pairs of a supported sentence and another in which the first has the higher score.
pub(crate) fn auroc(scores: &[(f32, bool)]) -> f64 {
    let (yes, no): (Vec<_>, Vec<_>) = scores.iter().partition(|(_, supported)| *supported);
    let halves = |(a, _): &(f32, bool)| -> usize {
        no.iter().map(|(b, _)| if a > b { 2 } else { usize::from((a - b).abs() <= f32::EPSILON) }).sum()
    };
    share(yes.iter().map(halves).sum(), 2 * yes.len() * no.len())
}

/// The best F1 of any bound, and the bound.
fn tuned(scores: &mut [(f32, bool)]) -> (f64, f32) {
    scores.sort_by(|a, b| b.0.total_cmp(&a.0));
    let wanted = scores.iter().filter(|(_, supported)| *supported).count();
    let mut best = (0.0, 1.0);
    let mut right = 0;
    for (at, (score, supported)) in scores.iter().enumerate() {
        right += usize::from(*supported);
        // Those of one score are taken together.
        let last = scores.get(at + 1).is_none_or(|(next, _)| next < score);
        let (.., reached) = f1(right, at + 1, wanted);
        if last && reached > best.0 {
            best = (reached, *score);
        }
    }
    best
}

impl TokenFigures {
    fn of(judged: &[(&Row, Judgement)]) -> Self {
        let mut figures = Self { sentences: judged.len(), ..Self::default() };
        let mut sum = 0.0;
        for (row, judgement) in judged {
            let flagged = flagged(row, judgement.reasons().iter().map(|reason| reason.words()));
            let wanted: HashSet<usize> = (0..row.tokens.len()).filter(|at| row.tokens[*at].1).collect();
            let right = wanted.intersection(&flagged).count();
            figures.tokens += row.tokens.len();
            figures.wanted += wanted.len();
            figures.flagged += flagged.len();
            figures.right += right;
            sum += f1(right, flagged.len(), wanted.len()).2;
        }
        (figures.precision, figures.recall, figures.f1) = f1(figures.right, figures.flagged, figures.wanted);
        figures.f1_by_sentence = sum * share(1, judged.len());
        figures
    }
}

/// The tokens that reasons name: where the words of one stand together, those; else each of its words, wherever it is.
fn flagged<'r>(row: &Row, reasons: impl Iterator<Item = &'r str>) -> HashSet<usize> {
    let tokens: Vec<(usize, String)> =
        row.tokens.iter().enumerate().flat_map(|(at, (token, _))| parts(token).map(move |part| (at, part))).collect();
    let mut flagged = HashSet::new();
    for reason in reasons {
        let words: Vec<String> = parts(reason).collect();
        if words.is_empty() {
            continue;
        }
        let together: Vec<_> =
            tokens.windows(words.len()).filter(|run| run.iter().map(|(_, part)| part).eq(words.iter())).collect();
        if together.is_empty() {
            flagged.extend(tokens.iter().filter(|(_, part)| words.contains(part)).map(|(at, _)| *at));
        } else {
            flagged.extend(together.into_iter().flatten().map(|(at, _)| *at));
        }
    }
    flagged
}

/// Runs of letters and digits, in small letters.
fn parts(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).map(str::to_lowercase)
}

/// The labels of tokens that lie beside those of claims: `tokens.dev.jsonl` of `claims.dev.jsonl`.
fn beside(data: Data, file: &Path) -> Option<std::path::PathBuf> {
    let name = file.file_name()?.to_str()?.strip_prefix("claims.").filter(|_| matches!(data, Data::Wice))?;
    Some(file.with_file_name(format!("tokens.{name}"))).filter(|file| file.is_file())
}

#[derive(Deserialize)]
struct Wice {
    label: String,
    claim: String,
    evidence: Vec<String>,
    #[serde(default)]
    claim_tokens: Vec<String>,
    #[serde(default)]
    non_supported_spans: Vec<bool>,
}

/// A page is a note: its title and the heading above give a sentence its context.
fn wice(file: &Path) -> Result<Vec<Row>> {
    let read = |row: Wice| {
        ensure!(row.claim_tokens.len() == row.non_supported_spans.len(), "a label for each token of {:?}", row.claim);
        let mut evidence = Vec::new();
        let (mut title, mut heading) = (None, None);
        for line in row.evidence {
            if let Some(words) = line.strip_prefix("(meta data) TITLE:") {
                title = Some(words.trim().to_owned());
            } else if line.starts_with('#') {
                heading = Some(line.trim_matches(['#', ' ']).to_owned());
            }
            let words = line.trim_start_matches("(meta data) TITLE:").trim_matches(['#', ' ']).to_owned();
            evidence.push(Passage { words, context: title.iter().chain(&heading).cloned().collect() });
        }
        Ok(Row {
            sentence: row.claim,
            evidence,
            supported: row.label == "supported",
            tokens: row.claim_tokens.into_iter().zip(row.non_supported_spans).collect(),
        })
    };
    rows::<Wice>(file)?.into_iter().map(read).collect()
}

#[derive(Deserialize)]
struct Fever {
    claim: String,
    evidence: String,
    label: String,
}

fn fever(file: &Path) -> Result<Vec<Row>> {
    let row = |row: Fever| Row {
        sentence: as_written(&row.claim),
        evidence: vec![Passage { words: as_written(&row.evidence), context: Vec::new() }],
        supported: row.label == "SUPPORTS",
        tokens: Vec::new(),
    };
    Ok(rows::<Fever>(file)?.into_iter().map(row).collect())
}

fn begin(file: &Path) -> Result<Vec<Row>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column =
        |name: &str| header.iter().position(|column| *column == name).with_context(|| format!("no column {name}"));
    let (knowledge, response, label) = (column("knowledge")?, column("response")?, column("begin_label")?);
    let row = |(at, line): (usize, &str)| {
        let cells: Vec<&str> = line.split('\t').collect();
        let (Some(knowledge), Some(response), Some(label)) =
            (cells.get(knowledge), cells.get(response), cells.get(label))
        else {
            bail!("{}:{}: too few cells", file.display(), at + 2);
        };
        Ok(Row {
            sentence: as_written(response),
            evidence: vec![Passage { words: as_written(knowledge), context: Vec::new() }],
            supported: *label == "Fully attributable",
            tokens: Vec::new(),
        })
    };
    lines.enumerate().map(row).collect()
}

/// A text whose tokens were parted by spaces, as it was before.
fn as_written(text: &str) -> String {
    let mut text = format!("{} ", text.trim());
    for (token, sign) in [
        ("-LRB- ", "("),
        (" -RRB-", ")"),
        ("-LSB- ", "["),
        (" -RSB-", "]"),
        ("`` ", "\""),
        (" ''", "\""),
        (" -- ", " – "),
    ] {
        text = text.replace(token, sign);
    }
    for sign in [",", ".", ";", ":", "!", "?", "'s", "n't", "'re", "'ve", "'ll", "'m", "'d"] {
        text = text.replace(&format!(" {sign} "), &format!("{sign} "));
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Row, as_written, auroc, f1, flagged, tuned};

    #[test]
    fn figures_are_those_of_the_books() {
        let scores = [(0.9, true), (0.8, false), (0.7, true), (0.7, false), (0.1, false)];
        // Of six pairs: 0.9 wins three; 0.7 wins one, ties one, loses one.
        assert!((auroc(&scores) - 4.5 / 6.0).abs() < 1e-9);
        let (best, at) = tuned(&mut scores.clone());
        assert!((best - 2.0 / 3.0).abs() < 1e-9);
        assert!((at - 0.9).abs() < 1e-6 || (at - 0.7).abs() < 1e-6);
        assert_eq!(f1(1, 2, 4), (0.5, 0.25, 1.0 / 3.0));
        assert_eq!(f1(0, 0, 0), (0.0, 0.0, 0.0));
    }

    #[test]
    fn tokens_are_joined_as_they_were_written() {
        assert_eq!(as_written("Daggering -LRB- a dance -RRB- is n't new ."), "Daggering (a dance) isn't new.");
        assert_eq!(as_written("It ended , and John 's cat left"), "It ended, and John's cat left");
    }

    #[test]
    fn what_a_reason_names_is_flagged_where_it_stands_together() {
        let tokens = ["He", "died", "on", "16", "May", "2001", ",", "on", "a", "rainy", "day", "."];
        let row = Row {
            sentence: "He died on 16 May 2001, on a rainy day.".into(),
            evidence: Vec::new(),
            supported: false,
            tokens: tokens.iter().map(|token| ((*token).to_owned(), false)).collect(),
        };
        let named = |words: &str| {
            let mut flagged: Vec<usize> = flagged(&row, [words].into_iter()).into_iter().collect();
            flagged.sort_unstable();
            flagged
        };
        assert_eq!(named("16 May 2001"), [3, 4, 5]);
        assert_eq!(named("On 16"), [2, 3]);
        assert_eq!(named("day, 2001"), [5, 10]);
        assert_eq!(named("…"), Vec::<usize>::new());
    }
}
