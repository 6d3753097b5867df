//! `verify`: checks a text from any source against the notes.

pub(crate) mod input;
pub(crate) mod note_evidence;
pub(crate) mod quote_match;
pub(crate) mod resolve;

use std::cell::RefCell;
use std::collections::HashMap;

use memora_claim::{ClaimId, anchor_span};
use memora_redact::{ClaimAccess, Viewer, WireClaim};
use memora_store::ReadError;
use memora_vault::NotePath;
use memora_verify::{
    CheckedCitation, CitationFailure, CitationMarker, CitationResolution, CitedLink, CitedPassage, CitedQuote,
    Evidence, PlaceResolution, PlaceResolver, VerificationReport, annotate_verdicts, check_text, remove_unsupported,
};

use crate::read::answer::sentence_report_citing;
use crate::read::authorize::ClaimAuthorizer;
use crate::read::lifecycle::Lifecycle;
use crate::read::search::SearchError;
use crate::read::verify::input::VerifyInput;
use crate::read::verify::note_evidence::NoteEvidence;
use crate::report::{EvidenceReport, Freshness, VerifyReport};
use crate::state::session::Session;

/// A text that was judged.
pub(crate) struct CheckedInput {
    /// The verdicts.
    pub(crate) report: VerificationReport,
    /// The claims cited by id that stand.
    pub(crate) shown: ShownClaims,
}

/// The verification of texts, for one session.
pub struct Verifier<'s> {
    session: &'s Session<'s>,
}

impl<'s> Verifier<'s> {
    pub(crate) fn new(session: &'s Session<'s>) -> Self {
        Self { session }
    }

    /// Verifies a text from any source.
    ///
    /// # Errors
    /// [`SearchError`], when the store or an index can't be read.
    pub(crate) fn verify_text(
        &self,
        submitted: &VerifyInput,
        freshness: Freshness,
    ) -> Result<VerifyReport, SearchError> {
        let CheckedInput { mut report, shown } = self.check_input(submitted)?;
        let mut attach = |(claim, words): &(ClaimId, String)| EvidenceReport {
            claim: claim.to_string(),
            words: words.clone(),
            sentences: report.attach_claim_evidence(claim, words),
        };
        let evidence = submitted.evidence.iter().map(&mut attach).collect();
        Ok(VerifyReport { evidence, ..self.build_report(&report, shown, freshness)? })
    }

    /// The text without its unsupported parts. Citations that were given separately are not followed.
    pub fn fix_text(&self, submitted: &VerifyInput) -> Result<String, SearchError> {
        remove_unsupported(&submitted.text, |text| Ok(self.check_input(&submitted.with_text(text))?.report))
    }

    /// The text with marks behind its unsupported parts.
    pub fn mark_text(&self, submitted: &VerifyInput) -> Result<String, SearchError> {
        Ok(annotate_verdicts(&submitted.text, &self.check_input(submitted)?.report))
    }

    /// Judges a text by facts and rules.
    pub(crate) fn check_input(&self, submitted: &VerifyInput) -> Result<CheckedInput, SearchError> {
        let anything = SessionEvidence {
            session: self.session,
            notes: NoteEvidence::new(self.session),
            within: submitted.within.as_ref(),
            failed: RefCell::default(),
        };
        let report = check_text(&submitted.without_properties(), &submitted.given, &anything);
        match anything.failed.into_inner() {
            Some(error) => Err(error),
            None => {
                let report = report.with_strictness(submitted.strictness);
                Ok(CheckedInput { report, shown: anything.notes.into_shown_claims()? })
            }
        }
    }

    pub(crate) fn build_report(
        &self,
        report: &VerificationReport,
        mut shown: ShownClaims,
        freshness: Freshness,
    ) -> Result<VerifyReport, SearchError> {
        let mut claims: Vec<WireClaim> = Vec::new();
        let mut sentences = Vec::with_capacity(report.sentences().len());
        for checked in report.sentences() {
            let mut named = Vec::with_capacity(checked.citations().len());
            for citation in checked.citations() {
                let cited = self.cited_claims(citation, &mut shown)?;
                named.push(cited.first().map(|claim| claim.id().to_owned()));
                claims.extend(cited);
            }
            sentences.push(sentence_report_citing(checked, named));
        }
        let mut seen = std::collections::HashSet::new();
        claims.retain(|claim| seen.insert(claim.id().to_owned()));
        Ok(VerifyReport { status: report.status(), claims, sentences, evidence: Vec::new(), judged: None, freshness })
    }

    /// The valid claims that a citation names: for a marker its claim, once; for a link or a quotation the
    /// first claim of each statement that its sentence was judged by.
    fn cited_claims(&self, citation: &CheckedCitation, shown: &mut ShownClaims) -> Result<Vec<WireClaim>, ReadError> {
        match citation.marker() {
            _ if !citation.verdict().is_valid() => Ok(Vec::new()),
            CitationMarker::Id(id) => Ok(shown.remove(id).into_iter().collect()),
            CitationMarker::Handle(_) | CitationMarker::Malformed => Ok(Vec::new()),
            CitationMarker::Link(_) | CitationMarker::Quote(_) => {
                let mut found = Vec::new();
                for passage in citation.passages() {
                    found.extend(self.shown_claim(passage)?);
                }
                Ok(found)
            }
        }
    }

    /// The claim of a passage's statement as this door shows it, if the index has it as it is now.
    fn shown_claim(&self, passage: &CitedPassage) -> Result<Option<WireClaim>, ReadError> {
        let found = self.session.statement_at(passage.note(), passage.span())?;
        let Some((statement, source)) = found else { return Ok(None) };
        let Some(fresh) = self.session.notes.read_note(passage.note()) else { return Ok(None) };
        let place = anchor_span(fresh, passage.span()).recheck_within_band(fresh, self.session.door.strictest_band());
        let (Ok(place), Some(claim)) = (place, statement.wording.claims.first()) else { return Ok(None) };
        if !self.session.door.is_local() && !self.session.is_as_indexed(&source) {
            return Ok(None);
        }
        Ok(
            match ClaimAuthorizer::new(self.session, Lifecycle::new(self.session))
                .authorize(claim, &statement, &source, place)?
            {
                ClaimAccess::Clear(clear) => Some(WireClaim::from_clear(&clear, self.session.memora.vault.name())),
                ClaimAccess::Secret(_) => None,
            },
        )
    }

    /// The ids of the claims that a kept sentence rests on; nothing if the index does not know one of them.
    pub(crate) fn supporting_claims(&self, citations: &[CheckedCitation]) -> Result<Option<Vec<ClaimId>>, ReadError> {
        let mut ids: Vec<ClaimId> = Vec::new();
        for citation in citations.iter().filter(|citation| citation.verdict().is_valid()) {
            match citation.marker() {
                CitationMarker::Id(id) => ids.push(*id),
                CitationMarker::Handle(_) | CitationMarker::Malformed => {}
                CitationMarker::Link(_) | CitationMarker::Quote(_) => {
                    for passage in citation.passages() {
                        let Some(claim) = self.shown_claim(passage)? else { return Ok(None) };
                        let Ok(id) = ClaimId::parse(claim.id()) else { return Ok(None) };
                        ids.push(id);
                    }
                }
            }
        }
        Ok(Some(ids))
    }
}

/// The claims that were cited by id and stand, as a door shows them.
pub(crate) type ShownClaims = HashMap<ClaimId, WireClaim>;

/// The notes as evidence for any text: markers, links and quotations.
struct SessionEvidence<'a, 's> {
    session: &'s Session<'s>,
    notes: NoteEvidence<'s>,
    within: Option<&'a NotePath>,
    failed: RefCell<Option<SearchError>>,
}

impl SessionEvidence<'_, '_> {
    /// Records an error, which ends the run later; until then the place counts as missing.
    fn or_record_error(&self, found: Result<PlaceResolution, SearchError>) -> PlaceResolution {
        found.unwrap_or_else(|error| {
            *self.failed.borrow_mut() = Some(error);
            PlaceResolution::Failed(CitationFailure::UnknownPlace)
        })
    }
}

impl Evidence for SessionEvidence<'_, '_> {
    fn resolve_id(&self, id: &ClaimId) -> CitationResolution {
        self.notes.resolve_id(id)
    }

    fn resolve_handle(&self, handle: &str) -> CitationResolution {
        self.notes.resolve_handle(handle)
    }
}

impl PlaceResolver for SessionEvidence<'_, '_> {
    fn resolve_link(&self, link: &CitedLink) -> PlaceResolution {
        self.or_record_error(
            Verifier::new(self.session).resolve_cited_link(link, self.within).map_err(SearchError::from),
        )
    }

    fn resolve_quote(&self, quote: &CitedQuote) -> PlaceResolution {
        self.or_record_error(Verifier::new(self.session).resolve_quotation(quote, self.within))
    }
}
