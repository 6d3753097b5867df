//! Extraction of claims from statements, by rules that work offline.
//!
//! [`ClaimExtractor::extract_claims`] reads one statement, most explicit rule first: property, field, row, definition,
//! label, task; then clauses, once split into facts and once whole. Claims worth asking about later are listed.
//!
//! Invariant: **a reading depends on the statement's words, their markup and the headings above, and on no other
//! sentence**, so that an incrementally built index equals one built at once, and an edit elsewhere changes no claim.
//! Contextual values (a title, a date) stay open and are filled in when a claim is shown.
//!
//! Other sources of claims, such as a language model, make a [`Proposal`]; [`ClaimExtractor::ground_proposals`]
//! accepts the proposals that the notes support. That adds claims to statements and changes no id.
//!
//! Not here: models that need a network or a graphics card.

mod authorship;
mod clause;
mod label;
mod lemma;
mod lists;
pub mod openie;
mod proposals;
mod quoted_speech;
mod readings;
mod relation;
mod relations_error;
mod sentence;
mod structured;
mod tense_aspect;
mod value_types;
mod whole_claims;
pub mod worth;
mod worth_weights;

pub use lemma::base_form;
pub use proposals::{
    Grounded, MODEL_CONFIDENCE, NotProposals, PROPOSALS_MAX, Proposal, ProposalReply, Proposer, Ungrounded,
    is_equivalent_claim,
};
pub use relation::{Relation, Relations};
pub use relations_error::RelationsError;
pub use tense_aspect::{TenseAspect, comparable_predicate, detect_tense_aspect};

use memora_claim::{Claim, Extractor, Modality, Statement, StatementKind};
use memora_vault::Note;
use whole_claims::{SURE, SentenceClaims};

/// The offline extractor.
#[derive(Clone, Copy, Debug)]
pub struct ClaimExtractor<'r> {
    relations: &'r Relations,
}

impl Default for ClaimExtractor<'static> {
    fn default() -> Self {
        Self { relations: Relations::built_in() }
    }
}

impl<'r> ClaimExtractor<'r> {
    /// Creates an extractor with the given relations.
    #[must_use]
    pub fn new(relations: &'r Relations) -> Self {
        Self { relations }
    }

    /// Returns the extractor's relations.
    #[must_use]
    pub fn relations(&self) -> &'r Relations {
        self.relations
    }

    /// Extracts the claims of one statement of `note`: first the [listed](Claim::listed) ones, which are worth asking
    /// about, then the other facts, each group in the order of their ids.
    ///
    /// A statement without any reading has one claim, its own words ([`memora_claim::Claim::is_verbatim`]); a question has none.
    #[must_use]
    pub fn extract_claims(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        let SentenceClaims { facts, whole } = self.read_apart_and_whole(note, statement);
        let whole = self.finish_whole(note, statement, whole);
        merge_claims(self.apply_context(note, statement, facts), whole.into_iter().filter(|claim| claim.listed))
    }

    /// Extracts the whole-sentence claims of a statement, listed or not: the training data of [`worth`].
    #[must_use]
    pub fn extract_candidates(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        let SentenceClaims { whole, .. } = self.read_apart_and_whole(note, statement);
        self.finish_whole(note, statement, whole)
    }

    fn read_apart_and_whole(&self, note: &Note, statement: &Statement) -> SentenceClaims {
        match statement.kind {
            StatementKind::Item | StatementKind::Sentence => {
                whole_claims::extract_sentence(note, statement, self.relations)
            }
            _ => SentenceClaims::from_facts(self.read_facts(note, statement)),
        }
    }

    /// Applies the context to whole-sentence claims, and marks those to list.
    fn finish_whole(&self, note: &Note, statement: &Statement, whole: Vec<Claim>) -> Vec<Claim> {
        let mut whole = self.apply_context(note, statement, whole);
        self.mark_listed(statement, &mut whole);
        whole
    }

    /// Extracts the facts of one statement, each by itself, in the order of their ids; none is listed.
    #[must_use]
    pub fn extract_facts(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        self.apply_context(note, statement, self.read_facts(note, statement))
    }

    fn read_facts(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        match statement.kind {
            StatementKind::Property => structured::extract_property(note, statement),
            StatementKind::Field => structured::extract_field(note, statement),
            StatementKind::Row => structured::extract_row(note, statement),
            StatementKind::Task => structured::extract_task(note, statement),
            StatementKind::Code => structured::extract_code(statement),
            StatementKind::Item | StatementKind::Sentence => {
                sentence::extract_sentence_facts(note, statement, self.relations)
            }
        }
    }

    /// Lists the claims worth asking about, by the model fitted to graded claims; if there are none, the claims
    /// with a single-valued relation.
    fn mark_listed(&self, statement: &Statement, claims: &mut [Claim]) {
        for claim in claims.iter_mut() {
            // Tags, titles and days of creation are not asked about later.
            let is_form = matches!(claim.extractor, Extractor::Property | Extractor::Field | Extractor::Task);
            claim.listed = !claim.is_verbatim() && !is_form && worth::is_worth_listing(statement, claim);
        }
        if claims.iter().all(|claim| !claim.listed) {
            for claim in claims {
                claim.listed = self.is_single_valued(claim);
            }
        }
    }

    /// Whether a claim has a single-valued relation, such as `license: MIT` or "Anna works at Acme": current facts are
    /// derived from such claims, whether or not they are worth asking about.
    fn is_single_valued(&self, claim: &Claim) -> bool {
        let single =
            claim.relation.as_deref().and_then(|name| self.relations.find_by_name(name)).is_some_and(|one| one.single);
        single
            && (claim.extractor.has_named_predicate()
                || claim.confidence >= SURE && !worth::has_pointing_subject(claim))
    }

    /// Sets the relation of the claims, and their modality by context.
    fn apply_context(&self, note: &Note, statement: &Statement, mut found: Vec<Claim>) -> Vec<Claim> {
        quoted_speech::mark_quoted_speech(note, statement, &mut found);
        let author = authorship::find_other_author(note, statement);
        for claim in &mut found {
            if claim.relation.is_none() && claim.extractor.has_named_predicate() {
                let relation = self.relations.find_by_label(&claim.predicate, &claim.object);
                claim.relation = relation.map(|relation| relation.name.clone());
            }
            if statement.rejected {
                claim.modality = Modality::Rejected;
            } else if let Some(author) = &author {
                claim.modality = Modality::Reported;
                claim.attribution = claim.attribution.take().or_else(|| author.name.clone());
            }
        }
        found.sort_by_key(|claim| claim.id);
        found.dedup_by_key(|claim| claim.id);
        found
    }
}

/// Merges whole-sentence claims and facts without duplicates: the listed ones first, in the order of their ids.
fn merge_claims(facts: Vec<Claim>, whole: impl Iterator<Item = Claim>) -> Vec<Claim> {
    let mut found: Vec<Claim> = whole.collect();
    let more = facts.into_iter().filter(|fact| found.iter().all(|claim| claim.id != fact.id)).collect::<Vec<_>>();
    // A whole claim makes the verbatim claim of its statement redundant.
    let read = !found.is_empty();
    found.extend(more.into_iter().filter(|fact| !(read && fact.is_verbatim())));
    found.sort_by_key(|claim| (!claim.listed, claim.id));
    found
}
