//! `sentences FILE [--vault FOLDER | --vaults FOLDER]`: verdicts on sentences labelled as supported or not.
//!
//! A row has a sentence, its evidence, and whether a careful reader finds the sentence supported. Evidence is places of
//! a vault (a note and text that occurs in it once), judged through the engine; places of a public vault by reference
//! (repository, path, byte ranges); or text included in the row with its context. Printed at the one shipped
//! setting: the number of true and false sentences by verdict, overall and by kind.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use memora_claim::{ParsedNote, anchor_span};
use memora_engine::report::{CitationOutcome, Freshness, SentenceVerdict};
use memora_engine::{ExportOptions, LocalDoor, Session};
use memora_entail::{Premise, judge};
use memora_vault::{Note, NotePath, PathContext};
use memora_verify::CitedPassage;
use serde::{Deserialize, Serialize};

use crate::indexed_vault::{IndexedVault, SearchSetup};
use crate::repo_rows::repo_folder;
use crate::{ratio, read_json_lines};

#[derive(Deserialize)]
struct SentenceRow {
    id: String,
    #[serde(flatten)]
    cites: RowEvidence,
    sentence: String,
    good: bool,
    kind: String,
}

/// The evidence of a row.
#[derive(Deserialize)]
#[serde(untagged)]
enum RowEvidence {
    /// Byte ranges in a note of a public vault.
    Reference { repo: String, path: String, spans: Vec<(usize, usize)> },
    /// Text included in the row.
    InlineTexts {
        #[serde(alias = "cites", alias = "cite")]
        said: Vec<InlineText>,
    },
    /// Places in the vault.
    Places {
        #[serde(alias = "cite", alias = "said")]
        cites: OneOrMore,
    },
}

/// One place, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(CitedPlace),
    More(Vec<CitedPlace>),
}

/// Text of a note, with its context: title, headings, date.
#[derive(Deserialize)]
struct InlineText {
    words: String,
    context: Vec<String>,
}

#[derive(Deserialize)]
struct CitedPlace {
    note: String,
    contains: String,
}

/// Number of sentences by verdict.
type VerdictCounts = BTreeMap<String, usize>;

/// Shares and counts over all sentences.
#[derive(Debug, Default, Serialize)]
pub(crate) struct SentenceFigures {
    sentences: usize,
    /// Shares of the true sentences: contradicted or unsupported, and quoted or verified.
    true_refused: f64,
    true_proven: f64,
    /// Shares of the false sentences: contradicted or unsupported, and quoted or verified.
    false_refused: f64,
    false_proven: f64,
    /// By `true` and `false`, then by verdict.
    by_verdict: BTreeMap<bool, VerdictCounts>,
    /// The same by kind.
    true_by_kind: BTreeMap<String, VerdictCounts>,
    false_by_kind: BTreeMap<String, VerdictCounts>,
    /// Rows that cite an uncitable place or a superseded claim; they are not counted.
    uncitable: Vec<String>,
    superseded: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
}

pub(crate) fn measure(
    file: &Path,
    vault: Option<&Path>,
    vaults: Option<&Path>,
    failures: bool,
) -> Result<SentenceFigures> {
    let rows: Vec<SentenceRow> = read_json_lines(file)?;
    let opened = vault.map(|vault| IndexedVault::new(vault, &SearchSetup::default())).transpose()?;
    let session = opened.as_ref().map(|opened| opened.memora.session(LocalDoor)).transpose()?;
    let cited = vault.zip(session.as_ref()).map(|(vault, session)| CitedVault::new(vault, session)).transpose()?;
    let mut figures = SentenceFigures::default();
    for row in &rows {
        let found = match &row.cites {
            RowEvidence::InlineTexts { said } => SentenceOutcome::judge_inline(&row.sentence, said),
            RowEvidence::Places { cites: OneOrMore::One(cite) } => {
                require_vault(cited.as_ref())?.judge_sentence(&row.sentence, std::slice::from_ref(cite))?
            }
            RowEvidence::Places { cites: OneOrMore::More(cites) } => {
                require_vault(cited.as_ref())?.judge_sentence(&row.sentence, cites)?
            }
            RowEvidence::Reference { repo, path, spans } => {
                let vaults = vaults.context("the sentences cite public vaults; name their folder with --vaults")?;
                SentenceOutcome::judge_reference(&row.sentence, &repo_folder(vaults, repo), path, spans)?
            }
        };
        match found {
            SentenceOutcome::Uncitable => figures.uncitable.push(row.id.clone()),
            SentenceOutcome::Superseded => figures.superseded.push(row.id.clone()),
            SentenceOutcome::Judged { verdict, why } => figures.count_sentence(row, verdict, &why, failures),
        }
    }
    let of = |good: bool, verdicts: &[&str]| {
        let counts = figures.by_verdict.get(&good);
        let all: usize = counts.map_or(0, |counts| counts.values().sum());
        let those = verdicts.iter().filter_map(|verdict| counts?.get(*verdict)).sum();
        ratio(those, all)
    };
    const REFUSED: &[&str] = &["contradicted", "unsupported"];
    const PROVEN: &[&str] = &["quoted", "verified", "entailed"];
    let [true_refused, false_refused] = [true, false].map(|good| of(good, REFUSED));
    let [true_proven, false_proven] = [true, false].map(|good| of(good, PROVEN));
    Ok(SentenceFigures { true_refused, false_refused, true_proven, false_proven, ..figures })
}

impl SentenceFigures {
    fn count_sentence(&mut self, row: &SentenceRow, verdict: SentenceVerdict, why: &str, failures: bool) {
        let SentenceRow { id, kind, sentence, good, .. } = row;
        let by_kind = if *good { &mut self.true_by_kind } else { &mut self.false_by_kind };
        for counts in [self.by_verdict.entry(*good).or_default(), by_kind.entry(kind.clone()).or_default()] {
            *counts.entry(verdict.to_string()).or_default() += 1;
        }
        self.sentences += 1;
        let is_wrong = match verdict {
            SentenceVerdict::Contradicted | SentenceVerdict::Unsupported => *good,
            verdict => verdict.is_proven() && !*good,
        };
        if failures && is_wrong {
            self.failures.push(format!("{id} {kind} {verdict}: {sentence} ({why})"));
        }
    }
}

fn require_vault<'c, 's>(cited: Option<&'c CitedVault<'s>>) -> Result<&'c CitedVault<'s>> {
    cited.context("the sentences cite places of a vault; name it with --vault")
}

/// The result of judging a row.
enum SentenceOutcome {
    /// A cited place has no citable statement.
    Uncitable,
    /// A cited claim is superseded.
    Superseded,
    /// A verdict with its reason.
    Judged { verdict: SentenceVerdict, why: String },
}

impl SentenceOutcome {
    fn judge_premises(sentence: &str, premises: &[&Premise]) -> Self {
        let judged = judge(sentence, premises);
        Self::Judged { verdict: judged.verdict().into(), why: judged.explanation() }
    }

    /// Judges a sentence against text that is in no vault.
    fn judge_inline(sentence: &str, said: &[InlineText]) -> Self {
        let read = |words: &InlineText| Premise::new(&words.words).with_context(&words.context);
        let premises: Vec<Premise> = said.iter().map(read).collect();
        Self::judge_premises(sentence, &premises.iter().collect::<Vec<_>>())
    }

    /// Judges a sentence against the statements at some byte ranges of a note.
    fn judge_reference(sentence: &str, vault: &Path, path: &str, spans: &[(usize, usize)]) -> Result<Self> {
        let file = vault.join(path);
        let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let (note, _) = Note::parse(NotePath::new(path).context("a path")?, text, PathContext::default());
        let fresh = ParsedNote::new(note);
        let is_cited = |start: usize, end: usize| spans.iter().any(|(from, to)| *from < end && start < *to);
        let cited = fresh.statements().iter().filter(|one| is_cited(one.span.start(), one.span.end()));
        let passages: Vec<CitedPassage> = cited
            .filter_map(|statement| anchor_span(&fresh, statement.span).recheck(&fresh).ok())
            .map(|rechecked| CitedPassage::from_rechecked(&rechecked))
            .collect();
        if passages.is_empty() {
            return Ok(Self::Uncitable);
        }
        Ok(Self::judge_premises(sentence, &passages.iter().map(CitedPassage::premise).collect::<Vec<_>>()))
    }
}

/// Verdicts from best to worst: if a row splits into several sentences, the worst verdict counts.
const BEST_TO_WORST: [SentenceVerdict; 9] = [
    SentenceVerdict::Exempt,
    SentenceVerdict::Quoted,
    SentenceVerdict::Verified,
    SentenceVerdict::Entailed,
    SentenceVerdict::Paraphrased,
    SentenceVerdict::Contradicted,
    SentenceVerdict::Unsupported,
    SentenceVerdict::Rejected,
    SentenceVerdict::Uncited,
];

/// A vault with the places of its statements.
struct CitedVault<'s> {
    vault: &'s Path,
    session: &'s Session<'s, LocalDoor>,
    places: Vec<PlacedStatement>,
}

impl<'s> CitedVault<'s> {
    fn new(vault: &'s Path, session: &'s Session<'s, LocalDoor>) -> Result<Self> {
        Ok(Self { vault, session, places: collect_places(session)? })
    }

    fn judge_sentence(&self, sentence: &str, cites: &[CitedPlace]) -> Result<SentenceOutcome> {
        let ids = cites.iter().map(|cite| resolve_place(self.vault, &self.places, cite).transpose());
        let Some(ids) = ids.map(Option::transpose).collect::<Result<Option<Vec<&str>>>>()? else {
            return Ok(SentenceOutcome::Uncitable);
        };
        let markers: String = ids.iter().map(|id| format!(" [claim:{id}]")).collect();
        let text = format!("{}{markers}", sentence.trim());
        let report = self
            .session
            .verifier()
            .verify_text(&memora_engine::VerifyInput::from_text(text), Freshness { fresh: true, pending: 0 })?;
        if report
            .sentences
            .iter()
            .flat_map(|s| &s.citations)
            .any(|citation| citation.verdict == CitationOutcome::Superseded)
        {
            return Ok(SentenceOutcome::Superseded);
        }
        let worst = |verdict| BEST_TO_WORST.iter().position(|other| *other == verdict);
        let sentence = report.sentences.iter().max_by_key(|sentence| worst(sentence.verdict));
        let why = report.sentences.iter().flat_map(|sentence| &sentence.reasons).next();
        Ok(SentenceOutcome::Judged {
            verdict: sentence.map_or(SentenceVerdict::Uncited, |sentence| sentence.verdict),
            why: why.map_or_else(String::new, |reason| reason.explanation.clone()),
        })
    }
}

/// A statement id with one of its places: note, start byte, end byte.
type PlacedStatement = (String, String, usize, usize);

fn collect_places(session: &Session<'_, LocalDoor>) -> Result<Vec<PlacedStatement>> {
    let mut found = Vec::new();
    for claim in session.catalog().export_claims(ExportOptions { canonical: true, statements: true })? {
        let id = claim.claim.split('.').next().unwrap_or_default().to_owned();
        for source in &claim.sources {
            if let (Some(start), Some(end)) = (source.start, source.end) {
                found.push((id.clone(), source.path.clone(), start, end));
            }
        }
    }
    Ok(found)
}

/// Resolves a cited place to a statement: the shortest with the largest overlap.
fn resolve_place<'p>(vault: &Path, places: &'p [PlacedStatement], cite: &CitedPlace) -> Result<Option<&'p str>> {
    let text = std::fs::read_to_string(vault.join(&cite.note)).with_context(|| format!("cannot read {}", cite.note))?;
    let start = text.find(&cite.contains);
    ensure!(start.is_some(), "{} does not say {:?}", cite.note, cite.contains);
    let start = start.unwrap_or_default();
    let end = start + cite.contains.len();
    let here = places.iter().filter(|(_, path, from, to)| *path == cite.note && *from < end && start < *to);
    let best = here.max_by_key(|(_, _, from, to)| (to.min(&end) - from.max(&start), usize::MAX - (to - from)));
    Ok(best.map(|(id, ..)| id.as_str()))
}
