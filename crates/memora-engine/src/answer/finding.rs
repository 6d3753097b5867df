//! Finding for somebody who reads: passages rather than an answer.

use memora_claim::ClaimId;
use memora_claim::conflict::ClaimStatus;
use memora_redact::WireClaim;
use memora_retrieve::EvidenceStrength;
use memora_store::ReadError;

use crate::answer::{Answerer, WINDOW};
use crate::report::{FindReport, Freshness, LineRemark, Passage};
use crate::search::passages::Wording;
use crate::search::{SearchError, SearchOptions, SearchResults};

/// A question to find passages for.
#[derive(Clone, Debug)]
pub struct FindRequest {
    /// The question, and other wordings of it; a passage that several find comes first.
    pub wordings: Vec<String>,
    /// Which notes, of which time.
    pub options: SearchOptions,
    /// The most bytes of passages as they are written; the first passage is there in any case.
    pub bytes: usize,
}

impl Answerer<'_> {
    /// Finds the passages that come nearest to a question.
    ///
    /// # Errors
    /// [`SearchError`].
    pub(crate) fn find_passages(&self, asked: &FindRequest, freshness: Freshness) -> Result<FindReport, SearchError> {
        let options = SearchOptions { limit: WINDOW, resembling: true, ..asked.options.clone() };
        let search = self.session.search();
        let find = |text: &String| search.find_claims(text, &options);
        let found: Vec<SearchResults<'_>> = asked.wordings.iter().map(find).collect::<Result<_, _>>()?;
        let wordings: Vec<Wording<'_, '_>> =
            asked.wordings.iter().zip(&found).map(|(text, found)| Wording { text, hits: &found.hits }).collect();
        let near = search.nearest_passages(&wordings, &options, asked.bytes)?;
        let unknown = found.first().and_then(|found| found.looked_for.as_ref());
        Ok(FindReport {
            certainty: certainty_of(&found),
            remarks: self.remark_on(&near.passages)?,
            passages: near.passages,
            unknown: unknown.map(|words| words.unknown.clone()).unwrap_or_default(),
            by_meaning: near.cosine.is_some(),
            redacted: found.into_iter().next().map(|first| first.redacted.into_iter().map(WireClaim::from).collect()).unwrap_or_default(),
            freshness,
        })
    }

    /// What is to be said of the lines of passages.
    fn remark_on(&self, passages: &[Passage]) -> Result<Vec<LineRemark>, ReadError> {
        let lifecycle = self.session.lifecycle_reports();
        let mut remarks = Vec::new();
        for line in passages.iter().flat_map(|passage| &passage.lines) {
            let Ok(id) = ClaimId::parse(&line.claim) else { continue };
            let Some(claim) = lifecycle.load_wire_claim(id)? else { continue };
            let remark = LineRemark {
                claim: line.claim.clone(),
                status: claim.status().filter(|status| *status != ClaimStatus::Current),
                valid_until: claim.valid_until().map(str::to_owned),
                captured: claim.is_captured(),
                contested_by: lifecycle.open_rivals(id)?,
            };
            let says = remark.status.is_some()
                || remark.valid_until.is_some()
                || remark.captured
                || !remark.contested_by.is_empty();
            if says {
                remarks.push(remark);
            }
        }
        Ok(remarks)
    }
}

/// How sure it is that the first passages answer: as sure as the best hit of any wording is.
fn certainty_of(found: &[SearchResults<'_>]) -> EvidenceStrength {
    let hits = found.iter().flat_map(|found| &found.hits).filter(|hit| hit.is_evidence());
    hits.map(|hit| hit.strength).max().unwrap_or(EvidenceStrength::Nearest)
}
