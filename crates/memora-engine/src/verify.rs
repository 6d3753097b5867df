//! `verify`: a text from anywhere, judged by the notes.

use std::cell::RefCell;
use std::collections::HashMap;

use memora_claim::{ClaimId, anchor};
use memora_redact::{Door, Sorted, WireClaim};
use memora_store::ReadError;
use memora_vault::NotePath;
use memora_verify::{
    CheckedCitation, Evidence, Failure, Finding, Link, Marker, Passage, Place, Places, Quote, Report, check_any, fixed,
    marked,
};

use crate::answer::sentence_citing;
use crate::evidence::Notes;
use crate::find::SearchError;
use crate::session::Session;
use crate::submitted::Submitted;
use crate::wire::{Freshness, ReadBy, VerifyReport};

/// A text that was judged.
pub(crate) struct Checked<D: Door> {
    /// The verdicts.
    pub(crate) report: Report,
    /// The claims cited by id that stand.
    pub(crate) shown: Shown<D>,
    /// The installed model that read what facts leave open.
    pub(crate) read: Option<ReadBy>,
}

impl<D: Door> Session<'_, D> {
    /// Judges a text from anywhere.
    ///
    /// # Errors
    /// [`SearchError`], when the store or an index can't be read.
    pub fn verify(&self, submitted: &Submitted, freshness: Freshness) -> Result<VerifyReport<D>, SearchError> {
        let Checked { report, shown, read } = self.checked(submitted)?;
        Ok(VerifyReport { read, ..self.verify_report(&report, shown, freshness)? })
    }

    /// The text without what does not stand. Citations that came beside it are not followed.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn fixed(&self, submitted: &Submitted) -> Result<String, SearchError> {
        fixed(&submitted.text, |text| Ok(self.checked(&submitted.cut_to(text))?.report))
    }

    /// The text with marks behind what does not stand.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn marked(&self, submitted: &Submitted) -> Result<String, SearchError> {
        Ok(marked(&submitted.text, &self.checked(submitted)?.report))
    }

    /// Judges a text by facts and rules, and has the installed model read what they leave open.
    pub(crate) fn checked(&self, submitted: &Submitted) -> Result<Checked<D>, SearchError> {
        let anything = Anything {
            session: self,
            notes: Notes::new(self),
            within: submitted.within.as_ref(),
            failed: RefCell::default(),
        };
        let report = check_any(&submitted.without_properties(), &submitted.given, &anything);
        match anything.failed.into_inner() {
            Some(error) => Err(error),
            None => {
                let mut report = if submitted.strict { report.strictly() } else { report };
                let read = self.read(&mut report);
                Ok(Checked { report, shown: anything.notes.into_shown()?, read })
            }
        }
    }

    pub(crate) fn verify_report(
        &self,
        report: &Report,
        mut shown: Shown<D>,
        freshness: Freshness,
    ) -> Result<VerifyReport<D>, SearchError> {
        let mut claims: Vec<WireClaim<D>> = Vec::new();
        let mut sentences = Vec::with_capacity(report.sentences().len());
        for checked in report.sentences() {
            let mut named = Vec::with_capacity(checked.citations().len());
            for citation in checked.citations() {
                let cited = self.cited(citation, &mut shown)?;
                named.push(cited.first().map(|claim| claim.id().to_owned()));
                claims.extend(cited);
            }
            sentences.push(sentence_citing(checked, named));
        }
        let mut seen = std::collections::HashSet::new();
        claims.retain(|claim| seen.insert(claim.id().to_owned()));
        Ok(VerifyReport { status: report.status(), claims, sentences, read: None, judged: None, freshness })
    }

    /// The claims that a citation names and that stand: of a marker the one that it names, once; of a link or a quotation the
    /// first of each statement that its sentence was judged by.
    fn cited(&self, citation: &CheckedCitation, shown: &mut Shown<D>) -> Result<Vec<WireClaim<D>>, ReadError> {
        match citation.marker() {
            _ if !citation.verdict().stands() => Ok(Vec::new()),
            Marker::Id(id) => Ok(shown.remove(id).into_iter().collect()),
            Marker::Handle(_) | Marker::Malformed => Ok(Vec::new()),
            Marker::Link(_) | Marker::Quote(_) => {
                let mut found = Vec::new();
                for passage in citation.passages() {
                    found.extend(self.claim_at(passage)?);
                }
                Ok(found)
            }
        }
    }

    /// The claim of the statement that a passage is, if the index has it as it is now.
    fn claim_at(&self, passage: &Passage) -> Result<Option<WireClaim<D>>, ReadError> {
        let Some(fresh) = self.fresh(passage.note()) else { return Ok(None) };
        let Some(now) = fresh.statements().iter().find(|s| s.span == passage.span()) else { return Ok(None) };
        let Some(statement) = self.statement(now.id)? else { return Ok(None) };
        let Some(source) = statement.sources.iter().find(|source| source.row.note == *passage.note()) else {
            return Ok(None);
        };
        let place = anchor(fresh, now.span).recheck_up_to(fresh, self.door.strictest());
        let (Ok(place), Some(claim)) = (place, statement.wording.claims.first()) else { return Ok(None) };
        if !self.door.is_local() && !self.is_as_indexed(source) {
            return Ok(None);
        }
        Ok(match self.sorted(claim, &statement, source, place)? {
            Sorted::Clear(clear) => Some(WireClaim::clear(&clear, self.memora.vault.name())),
            Sorted::Secret(_) => None,
        })
    }

    /// The ids of the claims that a kept sentence rests on; nothing if the index does not know one of them.
    pub(crate) fn rests_on(&self, citations: &[CheckedCitation]) -> Result<Option<Vec<ClaimId>>, ReadError> {
        let mut ids: Vec<ClaimId> = Vec::new();
        for citation in citations.iter().filter(|citation| citation.verdict().stands()) {
            match citation.marker() {
                Marker::Id(id) => ids.push(*id),
                Marker::Handle(_) | Marker::Malformed => {}
                Marker::Link(_) | Marker::Quote(_) => {
                    for passage in citation.passages() {
                        let Some(claim) = self.claim_at(passage)? else { return Ok(None) };
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
pub(crate) type Shown<D> = HashMap<ClaimId, WireClaim<D>>;

/// The notes as evidence for any text: markers, links and quotations.
struct Anything<'a, 's, 'm, D: Door> {
    session: &'s Session<'m, D>,
    notes: Notes<'s, 'm, D>,
    within: Option<&'a NotePath>,
    failed: RefCell<Option<SearchError>>,
}

impl<D: Door> Anything<'_, '_, '_, D> {
    /// What cannot be looked up ends it all later; until then it is nowhere.
    fn or_nowhere(&self, found: Result<Place, SearchError>) -> Place {
        found.unwrap_or_else(|error| {
            *self.failed.borrow_mut() = Some(error);
            Place::Fails(Failure::UnknownPlace)
        })
    }
}

impl<D: Door> Evidence for Anything<'_, '_, '_, D> {
    fn look_up(&self, id: &ClaimId) -> Finding {
        self.notes.look_up(id)
    }

    fn look_up_handle(&self, handle: &str) -> Finding {
        self.notes.look_up_handle(handle)
    }
}

impl<D: Door> Places for Anything<'_, '_, '_, D> {
    fn linked(&self, link: &Link) -> Place {
        self.or_nowhere(self.session.linked(link, self.within).map_err(SearchError::from))
    }

    fn quoted(&self, quote: &Quote) -> Place {
        self.or_nowhere(self.session.quoted(quote, self.within))
    }
}
