//! Claims out of statements, by rules that work offline.
//!
//! [`Extract::claims`] reads one statement, most explicit rule first: property, field, row, definition, label, task; then
//! clauses, once apart into facts, and once each main clause whole. What is worth being asked about later is listed.
//!
//! The one rule to know: **a reading depends on the statement's words, their markup, and what stands above it, and on no other
//! sentence**, so that an index grown step by step equals one built at once, and an edit next door changes no claim. What the
//! place gives (a title, a date) stays open and is filled in when a claim is shown.
//!
//! Whoever else reads notes, such as a language model, makes a [`Proposal`], and [`Extract::grounded`] takes what of it the
//! notes bear out. That adds claims to statements and changes no id.
//!
//! Deliberately not here: models that need a network or a graphics card.

mod author;
mod base;
mod class;
mod clause;
mod explicit;
mod manner;
pub mod openie;
mod propose;
mod prose;
mod reading;
mod relation;
mod voice;
mod whole;
pub mod worth;
mod worth_weights;

pub use base::base_form;
pub use manner::{TenseAspect, detect_tense_aspect, comparable_predicate};
pub use propose::{
    Grounded, MODEL_CONFIDENCE, NotProposals, PROPOSALS_MAX, Proposal, Proposer, ProposalReply, Ungrounded, is_equivalent_claim,
};
pub use relation::{Relation, Relations, RelationsError};

use memora_claim::{Claim, Extractor, Modality, Statement, StatementKind};
use memora_vault::Note;
use whole::{SURE, SentenceClaims};

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
    /// An extractor that knows these relations.
    #[must_use]
    pub fn new(relations: &'r Relations) -> Self {
        Self { relations }
    }

    /// The relations it knows.
    #[must_use]
    pub fn relations(&self) -> &'r Relations {
        self.relations
    }

    /// Draws the claims out of one statement of `note`: those that are worth being asked about and so [listed](Claim::listed),
    /// then the other facts, in the order of their ids.
    ///
    /// A statement of which nothing is read has one claim, its own words ([`Claim::is_unread`]); a question has none.
    #[must_use]
    pub fn extract_claims(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        let SentenceClaims { facts, whole } = self.read_apart_and_whole(note, statement);
        let whole = self.finish_whole(note, statement, whole);
        merge_claims(self.apply_context(note, statement, facts), whole.into_iter().filter(|claim| claim.listed))
    }

    /// What a statement says told whole, listed or not: what [`worth`] is fitted to.
    #[must_use]
    pub fn extract_candidates(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        let SentenceClaims { whole, .. } = self.read_apart_and_whole(note, statement);
        self.finish_whole(note, statement, whole)
    }

    fn read_apart_and_whole(&self, note: &Note, statement: &Statement) -> SentenceClaims {
        match statement.kind {
            StatementKind::Item | StatementKind::Sentence => whole::extract_sentence(note, statement, self.relations),
            _ => SentenceClaims::from_facts(self.read_facts(note, statement)),
        }
    }

    /// Says how what is told whole is meant, and what of it is listed.
    fn finish_whole(&self, note: &Note, statement: &Statement, whole: Vec<Claim>) -> Vec<Claim> {
        let mut whole = self.apply_context(note, statement, whole);
        self.mark_listed(statement, &mut whole);
        whole
    }

    /// The facts of one statement, each by itself, in the order of their ids; none is listed.
    #[must_use]
    pub fn extract_facts(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        self.apply_context(note, statement, self.read_facts(note, statement))
    }

    fn read_facts(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        match statement.kind {
            StatementKind::Property => explicit::extract_property(note, statement),
            StatementKind::Field => explicit::extract_field(note, statement),
            StatementKind::Row => explicit::extract_row(note, statement),
            StatementKind::Task => explicit::extract_task(note, statement),
            StatementKind::Code => explicit::extract_code(statement),
            StatementKind::Item | StatementKind::Sentence => prose::extract_sentence_facts(note, statement, self.relations),
        }
    }

    /// Marks what is worth being asked about later: what reads as people found to be right under its headings; and what holds of
    /// one thing at a time, where nothing else of the statement is listed.
    fn mark_listed(&self, statement: &Statement, claims: &mut [Claim]) {
        for claim in claims.iter_mut() {
            // Tags, titles and days of creation say nothing that one comes back to.
            let is_form = matches!(claim.extractor, Extractor::Property | Extractor::Field | Extractor::Task);
            claim.listed = !claim.is_verbatim() && !is_form && worth::is_worth_listing(statement, claim);
        }
        if claims.iter().all(|claim| !claim.listed) {
            for claim in claims {
                claim.listed = self.is_single_valued(claim);
            }
        }
    }

    /// Whether a reading says what holds of one thing at a time, such as `license: MIT` or "Anna works at Acme": what holds now is
    /// told by such facts, worth asking about or not.
    fn is_single_valued(&self, claim: &Claim) -> bool {
        let single =
            claim.relation.as_deref().and_then(|name| self.relations.find_by_name(name)).is_some_and(|one| one.single);
        single && (claim.extractor.has_named_predicate() || claim.confidence >= SURE && !worth::has_pointing_subject(claim))
    }

    /// Gives readings their relation, and says how their place has them meant.
    fn apply_context(&self, note: &Note, statement: &Statement, mut found: Vec<Claim>) -> Vec<Claim> {
        voice::mark_quoted_speech(note, statement, &mut found);
        let author = author::find_other_author(note, statement);
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

/// Claims told whole and facts, each once: the listed ones first, in the order of their ids.
fn merge_claims(facts: Vec<Claim>, whole: impl Iterator<Item = Claim>) -> Vec<Claim> {
    let mut found: Vec<Claim> = whole.collect();
    let more = facts.into_iter().filter(|fact| found.iter().all(|claim| claim.id != fact.id)).collect::<Vec<_>>();
    // What a whole claim says needs no statement's own words beside it.
    let read = !found.is_empty();
    found.extend(more.into_iter().filter(|fact| !(read && fact.is_verbatim())));
    found.sort_by_key(|claim| (!claim.listed, claim.id));
    found
}
