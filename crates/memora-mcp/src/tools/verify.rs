//! `memora_verify`: verifies a draft of the client.

use std::collections::BTreeMap;

use memora_engine::report::Strictness;
use memora_engine::{ClaimId, Door, SearchOptions, VerifyInput, strip_addresses};
use memora_service::ReadContext;
use rmcp::model::ToolAnnotations;
use schemars::JsonSchema;
use serde::Deserialize;

use super::tool::{AgentTool, reads};
use crate::budget::{fit_written, next_offset, truncate_text};
use crate::request::Response;
use crate::tool_answer::ToolAnswer;
use crate::tool_error::ToolError;
use crate::wire::{AgentClaim, ClaimDetail, ProblemSentence, QuotedEvidence, VerdictCounts, VerifyResult, note_text};

/// The maximum size of a text to verify, in bytes.
const TEXT_BYTES_MAX: usize = 32 << 10;

/// The bytes of a page of what is wrong.
const PAGE_BYTES: usize = 5_600;

/// How many pieces of evidence are looked up, and the longest, in bytes.
const EVIDENCE_MAX: usize = 100;
const EVIDENCE_BYTES_MAX: usize = 600;

/// For how many sentences another line is looked for.
const SOUGHT_MAX: usize = 5;

#[allow(rustdoc::broken_intra_doc_links, reason = "an agent reads it, in a schema")]
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerifyArgs {
    /// The draft, [claim:ID] behind each sentence.
    text: String,
    /// By claim id, words that a sentence rests on.
    #[serde(default)]
    evidence: BTreeMap<String, String>,
    /// loose, close or proven.
    #[serde(default)]
    #[schemars(with = "String")]
    least: Strictness,
    /// The number that the page before ended with.
    #[serde(default)]
    from: usize,
}

impl AgentTool for VerifyArgs {
    const NAME: &'static str = "memora_verify";
    const TITLE: &'static str = "Verify a draft against the notes";
    const DESCRIPTION: &'static str =
        "What does not hold in a draft that cites the notes by [claim:ID], with the line to cite instead.";
    type Result = VerifyResult;

    fn annotations() -> ToolAnnotations {
        reads(Self::TITLE)
    }

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<ToolAnswer>, ToolError> {
        let text = self.checked_text()?;
        let configured = if reading.memora().config().strict { Strictness::Proven } else { Strictness::Loose };
        let least = self.least.max(configured);
        let submitted = VerifyInput::from_draft(text).with_strictness(least).with_evidence(self.checked_evidence()?);
        let session = reading.session()?;
        let report = session.verifier().verify_text(&submitted, reading.freshness())?;
        let mut problems: Vec<_> = report
            .sentences
            .iter()
            .filter_map(|sentence| ProblemSentence::from_problem(sentence, &report.claims))
            .skip(self.from)
            .collect();
        let is_cut = fit_written(PAGE_BYTES, &mut problems);
        let mut instead = Vec::new();
        for problem in problems.iter_mut().filter(|problem| problem.is_wrong(least)).take(SOUGHT_MAX) {
            let is_cited = |line: &AgentClaim<D>| problem.notes.iter().any(|words| line.says(words));
            let sought = find_instead(&problem.sentence, reading)?.filter(|line| !is_cited(line));
            problem.instead = sought.as_ref().map(ToString::to_string);
            instead.extend(sought);
        }
        let result = VerifyResult {
            status: report.status,
            clean_text: strip_addresses(&session.verifier().fix_text(&submitted)?),
            sentences: VerdictCounts::count_sentences(&report.sentences),
            next: next_offset(self.from + problems.len(), is_cut),
            quoted_evidence: QuotedEvidence::collect(&report),
            problems,
            least,
            freshness: reading.freshness(),
        };
        let cited = AgentClaim::iter_brief(&report.claims).map(|claim| claim.egress_item());
        ToolAnswer::respond(&result, cited.chain(instead.iter().map(AgentClaim::egress_item)).collect())
    }
}

/// Finds the line of the notes that comes nearest to a sentence.
fn find_instead<D: Door>(sentence: &str, reading: &ReadContext<'_, D>) -> Result<Option<AgentClaim<D>>, ToolError> {
    let words = note_text(sentence, 300);
    if words.trim().is_empty() {
        return Ok(None);
    }
    let options = SearchOptions {
        limit: 1,
        hits_only: true,
        without_likeness: true,
        is_statement: true,
        ..SearchOptions::default()
    };
    let report = reading.session()?.search().report_claims(&words, &options, reading.freshness())?;
    Ok(report.hits.first().and_then(|hit| AgentClaim::from_wire(&hit.claim, ClaimDetail::Brief)))
}

impl VerifyArgs {
    /// Returns the evidence, if each names a claim.
    fn checked_evidence(&self) -> Result<Vec<(ClaimId, String)>, ToolError> {
        let read = |(claim, words): (&String, &String)| {
            let id = ClaimId::parse(ClaimId::strip_citation(claim)).map_err(|_| {
                let message = format!("{} is no claim", truncate_text(claim, 60));
                ToolError::new(message, "give the ids behind lines: {\"7h3kq0v9x2ma\": \"words of that line\"}")
            })?;
            Ok((id, truncate_text(words, EVIDENCE_BYTES_MAX)))
        };
        self.evidence.iter().take(EVIDENCE_MAX).map(read).collect()
    }

    /// Returns the text, if it is neither empty nor too long.
    fn checked_text(&self) -> Result<&str, ToolError> {
        if self.text.trim().is_empty() {
            return Err(ToolError::new(
                "there is no text to verify",
                "give the draft, with [claim:id] behind each sentence",
            ));
        }
        if self.text.len() > TEXT_BYTES_MAX {
            return Err(ToolError::new("the text is longer than 32 KiB", "verify it in parts, cut between paragraphs"));
        }
        Ok(&self.text)
    }
}
