//! `support wice|fever|begin FILE`: agreement with public labels on whether evidence supports a sentence; no vault.
//!
//! A sentence is positive if its evidence supports it in full. Scores are at the one shipped setting; the best F1 of
//! any score threshold is printed alongside.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use memora_entail::{Judgement, Premise, Verdict, judge};
use memora_verify::split_sentences;
use serde::{Deserialize, Serialize};

use crate::{ratio, read_json_lines};

/// The public dataset to read.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SupportDataset {
    /// Claims of an encyclopedia with the web pages they cite
    Wice,
    /// Claims made to defeat shortcuts, with a sentence that supports or refutes them
    Fever,
    /// Replies with the knowledge they were to be drawn from
    Begin,
}

/// Scores over all sentences; shares are fractions of 1.
#[derive(Debug, Default, Serialize)]
pub(crate) struct SupportFigures {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
    sentences: usize,
    supported: usize,
    /// Scores by verdict, as in the other measures.
    #[serde(flatten)]
    /// Sentences that are kept (quoted, verified or paraphrased) count as supported.
    decided: BinaryScores,
    /// Sentences that are proven (quoted or verified) count as supported.
    proven: BinaryScores,
    /// Probability that a supported sentence scores above an unsupported one; ties count half.
    auroc: f64,
    /// Sentences with a score of at least [`LIKELY_MIN`] count as supported.
    by_score: BinaryScores,
    /// The best F1 of any score threshold on these same labels, and the threshold.
    tuned_f1: f64,
    tuned_at: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<TokenFigures>,
}

/// Scores of a binary decision: predicted supported against labelled supported.
#[derive(Debug, Default, Serialize)]
struct BinaryScores {
    precision: f64,
    recall: f64,
    f1: f64,
    accuracy: f64,
    /// Unsupported sentences that are predicted supported, and their share of the unsupported.
    false_accepted: usize,
    false_accepted_share: f64,
    /// Supported sentences that are predicted unsupported, and their share of the supported.
    true_rejected: usize,
    true_rejected_share: f64,
}

impl BinaryScores {
    /// Computes the scores from pairs of prediction and label.
    fn from_pairs(pairs: &[(bool, bool)]) -> Self {
        let count = |taken: bool, is: bool| pairs.iter().filter(|pair| **pair == (taken, is)).count();
        let (right, false_accepted, true_rejected) = (count(true, true), count(true, false), count(false, true));
        let (supported, unsupported) = (right + true_rejected, false_accepted + count(false, false));
        let (precision, recall, f1) = precision_recall_f1(right, right + false_accepted, supported);
        Self {
            precision,
            recall,
            f1,
            accuracy: ratio(right + count(false, false), pairs.len()),
            false_accepted,
            false_accepted_share: ratio(false_accepted, unsupported),
            true_rejected,
            true_rejected_share: ratio(true_rejected, supported),
        }
    }
}

/// Scores of the tokens flagged as unsupported, over all tokens together.
#[derive(Debug, Default, Serialize)]
pub(crate) struct TokenFigures {
    sentences: usize,
    tokens: usize,
    /// Tokens labelled unsupported.
    wanted: usize,
    /// Tokens named by a reason.
    flagged: usize,
    right: usize,
    precision: f64,
    recall: f64,
    f1: f64,
    /// The mean of the F1 of each sentence.
    f1_by_sentence: f64,
}

/// The minimum score at which a sentence is predicted supported.
const LIKELY_MIN: f32 = 0.5;

/// A sentence, its evidence, and whether the evidence supports it.
struct SupportRow {
    sentence: String,
    evidence: Vec<EvidencePassage>,
    supported: bool,
    /// Each token, with whether it is labelled unsupported.
    tokens: Vec<(String, bool)>,
}

struct EvidencePassage {
    words: String,
    context: Vec<String>,
}

pub(crate) fn measure(data: SupportDataset, file: &Path, failures: bool) -> Result<SupportFigures> {
    let rows = match data {
        SupportDataset::Wice => read_wice(file)?,
        SupportDataset::Fever => read_fever(file)?,
        SupportDataset::Begin => read_begin(file)?,
    };
    let whole = matches!(data, SupportDataset::Begin);
    let mut figures = SupportFigures::default();
    let mut tokens: Vec<(&SupportRow, Judgement)> = Vec::new();
    let (mut verdicts, mut proven, mut scores) = (Vec::new(), Vec::new(), Vec::new());
    for row in &rows {
        let judgements = judge_row(row, whole);
        let all = |is: fn(Verdict) -> bool| judgements.iter().all(|judgement| is(judgement.verdict()));
        let accepted = all(|verdict| !matches!(verdict, Verdict::Contradicted | Verdict::Unsupported));
        // A reply is only as well supported as its weakest sentence.
        let score = judgements.iter().map(Judgement::score).fold(1.0_f32, f32::min);
        verdicts.push((accepted, row.supported));
        proven.push((all(|verdict| matches!(verdict, Verdict::Quoted | Verdict::Verified)), row.supported));
        scores.push((score, row.supported));
        if failures && accepted != row.supported {
            figures.failures.push(format_failure(row, accepted, score, &judgements));
        }
        if !row.tokens.is_empty() {
            tokens.extend(judgements.into_iter().map(|judgement| (row, judgement)));
        }
    }
    figures.sentences = rows.len();
    figures.supported = rows.iter().filter(|row| row.supported).count();
    figures.decided = BinaryScores::from_pairs(&verdicts);
    figures.proven = BinaryScores::from_pairs(&proven);
    let likely: Vec<(bool, bool)> =
        scores.iter().map(|(score, supported)| (*score >= LIKELY_MIN, *supported)).collect();
    figures.by_score = BinaryScores::from_pairs(&likely);
    figures.auroc = auroc(&scores);
    (figures.tuned_f1, figures.tuned_at) = best_f1_threshold(&mut scores);
    let beside = token_labels_path(data, file).map(|file| read_wice(&file)).transpose()?.unwrap_or_default();
    tokens
        .extend(beside.iter().flat_map(|row| judge_row(row, false).into_iter().map(move |judgement| (row, judgement))));
    figures.tokens = (!tokens.is_empty()).then(|| TokenFigures::from_judgements(&tokens));
    Ok(figures)
}

/// Judges a text as a whole, or each of its sentences.
fn judge_row(row: &SupportRow, by_sentence: bool) -> Vec<Judgement> {
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

fn format_failure(row: &SupportRow, accepted: bool, score: f32, judgements: &[Judgement]) -> String {
    let what = if accepted { "accepted" } else { "rejected" };
    let reasons = judgements.iter().flat_map(Judgement::reasons);
    let why: Vec<String> = reasons.map(|reason| format!("{} {}", reason.kind(), reason.words())).collect();
    format!("{what} {score:.2}: {} ({})", row.sentence, why.join("; "))
}

/// Computes precision, recall and F1 from the counts of right, claimed and wanted items.
fn precision_recall_f1(right: usize, claimed: usize, wanted: usize) -> (f64, f64, f64) {
    (ratio(right, claimed), ratio(right, wanted), ratio(2 * right, claimed + wanted))
}

/// Returns the share of (supported, unsupported) pairs in which the supported one has the higher score.
pub(crate) fn auroc(scores: &[(f32, bool)]) -> f64 {
    let (yes, no): (Vec<_>, Vec<_>) = scores.iter().partition(|(_, supported)| *supported);
    let halves = |(a, _): &(f32, bool)| -> usize {
        no.iter().map(|(b, _)| if a > b { 2 } else { usize::from((a - b).abs() <= f32::EPSILON) }).sum()
    };
    ratio(yes.iter().map(halves).sum(), 2 * yes.len() * no.len())
}

/// Returns the best F1 of any score threshold, and the threshold.
fn best_f1_threshold(scores: &mut [(f32, bool)]) -> (f64, f32) {
    scores.sort_by(|a, b| b.0.total_cmp(&a.0));
    let wanted = scores.iter().filter(|(_, supported)| *supported).count();
    let mut best = (0.0, 1.0);
    let mut right = 0;
    for (at, (score, supported)) in scores.iter().enumerate() {
        right += usize::from(*supported);
        // Equal scores fall on the same side of a threshold.
        let last = scores.get(at + 1).is_none_or(|(next, _)| next < score);
        let (.., reached) = precision_recall_f1(right, at + 1, wanted);
        if last && reached > best.0 {
            best = (reached, *score);
        }
    }
    best
}

impl TokenFigures {
    fn from_judgements(judged: &[(&SupportRow, Judgement)]) -> Self {
        let mut figures = Self { sentences: judged.len(), ..Self::default() };
        let mut sum = 0.0;
        for (row, judgement) in judged {
            let flagged = flagged_tokens(row, judgement.reasons().iter().map(|reason| reason.words()));
            let wanted: HashSet<usize> = (0..row.tokens.len()).filter(|at| row.tokens[*at].1).collect();
            let right = wanted.intersection(&flagged).count();
            figures.tokens += row.tokens.len();
            figures.wanted += wanted.len();
            figures.flagged += flagged.len();
            figures.right += right;
            sum += precision_recall_f1(right, flagged.len(), wanted.len()).2;
        }
        (figures.precision, figures.recall, figures.f1) =
            precision_recall_f1(figures.right, figures.flagged, figures.wanted);
        figures.f1_by_sentence = sum * ratio(1, judged.len());
        figures
    }
}

/// Finds the tokens that reasons name: contiguous occurrences of a reason's words, else every occurrence of each word.
fn flagged_tokens<'r>(row: &SupportRow, reasons: impl Iterator<Item = &'r str>) -> HashSet<usize> {
    let tokens: Vec<(usize, String)> = row
        .tokens
        .iter()
        .enumerate()
        .flat_map(|(at, (token, _))| lowercase_words(token).map(move |part| (at, part)))
        .collect();
    let mut flagged = HashSet::new();
    for reason in reasons {
        let words: Vec<String> = lowercase_words(reason).collect();
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

/// Returns the runs of letters and digits, in lower case.
fn lowercase_words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).map(str::to_lowercase)
}

/// Returns the file of token labels beside a file of claims: `tokens.dev.jsonl` for `claims.dev.jsonl`.
fn token_labels_path(data: SupportDataset, file: &Path) -> Option<std::path::PathBuf> {
    let name = file.file_name()?.to_str()?.strip_prefix("claims.").filter(|_| matches!(data, SupportDataset::Wice))?;
    Some(file.with_file_name(format!("tokens.{name}"))).filter(|file| file.is_file())
}

#[derive(Deserialize)]
struct WiceRow {
    label: String,
    claim: String,
    evidence: Vec<String>,
    #[serde(default)]
    claim_tokens: Vec<String>,
    #[serde(default)]
    non_supported_spans: Vec<bool>,
}

/// Reads WiCE rows. A page is read as a note: its title and the heading above give a sentence its context.
fn read_wice(file: &Path) -> Result<Vec<SupportRow>> {
    let read = |row: WiceRow| {
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
            evidence.push(EvidencePassage { words, context: title.iter().chain(&heading).cloned().collect() });
        }
        Ok(SupportRow {
            sentence: row.claim,
            evidence,
            supported: row.label == "supported",
            tokens: row.claim_tokens.into_iter().zip(row.non_supported_spans).collect(),
        })
    };
    read_json_lines::<WiceRow>(file)?.into_iter().map(read).collect()
}

#[derive(Deserialize)]
struct FeverRow {
    claim: String,
    evidence: String,
    label: String,
}

fn read_fever(file: &Path) -> Result<Vec<SupportRow>> {
    let row = |row: FeverRow| SupportRow {
        sentence: detokenize(&row.claim),
        evidence: vec![EvidencePassage { words: detokenize(&row.evidence), context: Vec::new() }],
        supported: row.label == "SUPPORTS",
        tokens: Vec::new(),
    };
    Ok(read_json_lines::<FeverRow>(file)?.into_iter().map(row).collect())
}

fn read_begin(file: &Path) -> Result<Vec<SupportRow>> {
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
        Ok(SupportRow {
            sentence: detokenize(response),
            evidence: vec![EvidencePassage { words: detokenize(knowledge), context: Vec::new() }],
            supported: *label == "Fully attributable",
            tokens: Vec::new(),
        })
    };
    lines.enumerate().map(row).collect()
}

/// Restores the original spacing and quotes of a text tokenized with spaces.
fn detokenize(text: &str) -> String {
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
    use super::{SupportRow, auroc, best_f1_threshold, detokenize, flagged_tokens, precision_recall_f1};

    #[test]
    fn figures_are_those_of_the_books() {
        let scores = [(0.9, true), (0.8, false), (0.7, true), (0.7, false), (0.1, false)];
        // Of six pairs: 0.9 wins three; 0.7 wins one, ties one, loses one.
        assert!((auroc(&scores) - 4.5 / 6.0).abs() < 1e-9);
        let (best, at) = best_f1_threshold(&mut scores.clone());
        assert!((best - 2.0 / 3.0).abs() < 1e-9);
        assert!((at - 0.9).abs() < 1e-6 || (at - 0.7).abs() < 1e-6);
        assert_eq!(precision_recall_f1(1, 2, 4), (0.5, 0.25, 1.0 / 3.0));
        assert_eq!(precision_recall_f1(0, 0, 0), (0.0, 0.0, 0.0));
    }

    #[test]
    fn tokens_are_joined_as_they_were_written() {
        assert_eq!(detokenize("Daggering -LRB- a dance -RRB- is n't new ."), "Daggering (a dance) isn't new.");
        assert_eq!(detokenize("It ended , and John 's cat left"), "It ended, and John's cat left");
    }

    #[test]
    fn what_a_reason_names_is_flagged_where_it_stands_together() {
        let tokens = ["He", "died", "on", "16", "May", "2001", ",", "on", "a", "rainy", "day", "."];
        let row = SupportRow {
            sentence: "He died on 16 May 2001, on a rainy day.".into(),
            evidence: Vec::new(),
            supported: false,
            tokens: tokens.iter().map(|token| ((*token).to_owned(), false)).collect(),
        };
        let named = |words: &str| {
            let mut flagged: Vec<usize> = flagged_tokens(&row, [words].into_iter()).into_iter().collect();
            flagged.sort_unstable();
            flagged
        };
        assert_eq!(named("16 May 2001"), [3, 4, 5]);
        assert_eq!(named("On 16"), [2, 3]);
        assert_eq!(named("day, 2001"), [5, 10]);
        assert_eq!(named("…"), Vec::<usize>::new());
    }
}
