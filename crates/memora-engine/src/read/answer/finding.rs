//! Finding for somebody who reads: passages rather than an answer.

use memora_claim::conflict::ClaimStatus;
use memora_claim::{ClaimId, Phase};
use memora_redact::WireClaim;
use memora_retrieve::EvidenceStrength;
use memora_store::ReadError;

use crate::read::answer::Answerer;
use crate::read::lifecycle::LifecycleReports;
use crate::read::search::answer_selection::WINDOW;
use crate::read::search::passages::{NearestPassages, Wording};
use crate::read::search::{ClaimSearch, SearchError, SearchOptions, SearchResults};
use crate::report::{FindReport, Freshness, LineRemark, Passage};

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

impl<'s> Answerer<'s> {
    /// Finds the passages that come nearest to a question.
    pub(crate) fn find_passages(&self, asked: &FindRequest, freshness: Freshness) -> Result<FindReport, SearchError> {
        let (near, found) = self.look_for(asked)?;
        let (certainty, by_meaning) = (certainty_of(near.cosine, &found), near.cosine.is_some());
        let first = found.into_iter().next();
        let (unknown, redacted) = first.map(|first| (first.looked_for, first.redacted)).unwrap_or_default();
        Ok(FindReport {
            certainty,
            remarks: self.remark_on(&near.passages)?,
            passages: near.passages,
            unknown: unknown.map(|words| words.unknown).unwrap_or_default(),
            redacted: redacted.into_iter().map(WireClaim::from).collect(),
            by_meaning,
            freshness,
        })
    }

    /// The passages that come nearest to a question, and what was found for each of its wordings.
    pub(super) fn look_for(
        &self,
        asked: &FindRequest,
    ) -> Result<(NearestPassages, Vec<SearchResults<'s>>), SearchError> {
        let options =
            SearchOptions { limit: WINDOW, keep_semantic_only: true, without_likeness: true, ..asked.options.clone() };
        let search = ClaimSearch::new(self.session);
        // What is withheld is told of the question itself, and not of its other wordings.
        let find = |(at, text): (usize, &String)| {
            let hits_only = options.hits_only || at > 0;
            search.find_claims(text, &SearchOptions { hits_only, ..options.clone() })
        };
        let found: Vec<SearchResults<'_>> = asked.wordings.iter().enumerate().map(find).collect::<Result<_, _>>()?;
        let wordings: Vec<Wording<'_, '_>> =
            asked.wordings.iter().zip(&found).map(|(text, found)| Wording { text, hits: &found.hits }).collect();
        Ok((search.nearest_passages(&wordings, &options, asked.bytes)?, found))
    }

    /// What is to be said of the lines of passages.
    fn remark_on(&self, passages: &[Passage]) -> Result<Vec<LineRemark>, ReadError> {
        let lifecycle = LifecycleReports::new(self.session);
        let overtaken = lifecycle.overtaken_lines(passages)?;
        let mut remarks = Vec::new();
        for line in passages.iter().flat_map(|passage| &passage.lines) {
            let Ok(id) = ClaimId::parse(&line.claim) else { continue };
            let Some(claim) = lifecycle.load_wire_claim(id)? else { continue };
            let overtaken_by = overtaken.iter().filter(|(older, _)| *older == id);
            // That something ended is what it says, and holds.
            let until = claim.valid_until().filter(|_| claim.phase() != Some(Phase::Ended));
            let remark = LineRemark {
                claim: line.claim.clone(),
                status: claim.status().filter(|status| *status != ClaimStatus::Current),
                valid_until: until.map(str::to_owned),
                captured: claim.is_captured(),
                contested_by: lifecycle.open_rivals(id)?,
                overtaken_by: overtaken_by.map(|(_, newer)| newer.to_string()).collect(),
            };
            let says = remark.status.is_some()
                || remark.valid_until.is_some()
                || remark.captured
                || !remark.contested_by.is_empty()
                || !remark.overtaken_by.is_empty();
            if says {
                remarks.push(remark);
            }
        }
        Ok(remarks)
    }
}

/// From which cosine on the nearest passage is likely to answer, and from which possibly. `docs/measuring.md` has the shares.
const LIKELY_COSINE: f32 = 0.6;
const POSSIBLE_COSINE: f32 = 0.4;

/// How near the first passages come; without vectors, whether any hit is evidence.
fn certainty_of(cosine: Option<f32>, found: &[SearchResults<'_>]) -> EvidenceStrength {
    match cosine {
        Some(cosine) if cosine >= LIKELY_COSINE => EvidenceStrength::Likely,
        Some(cosine) if cosine >= POSSIBLE_COSINE => EvidenceStrength::Possible,
        Some(_) => EvidenceStrength::Nearest,
        None => {
            let evidence = found.iter().flat_map(|found| &found.hits).any(|hit| hit.is_evidence());
            if evidence { EvidenceStrength::Possible } else { EvidenceStrength::Nearest }
        }
    }
}
