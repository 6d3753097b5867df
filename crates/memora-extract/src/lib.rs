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

pub use base::base;
pub use manner::{Manner, manner, verb_of};
pub use propose::{
    Grounded, MODEL_CONFIDENCE, NotProposals, PROPOSALS_MAX, Proposal, Proposer, Reply, Ungrounded, say_the_same,
};
pub use relation::{Relation, Relations, RelationsError};

use memora_claim::{Claim, Extractor, Modality, Statement, StatementKind};
use memora_vault::Note;
use whole::{SURE, Told};

/// The offline extractor.
#[derive(Clone, Copy, Debug)]
pub struct Extract<'r> {
    relations: &'r Relations,
}

impl Default for Extract<'static> {
    fn default() -> Self {
        Self { relations: Relations::shipped() }
    }
}

impl<'r> Extract<'r> {
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
    pub fn claims(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        let Told { facts, whole } = self.told(note, statement);
        let whole = self.marked(note, statement, whole);
        joined(self.meant(note, statement, facts), whole.into_iter().filter(|claim| claim.listed))
    }

    /// What a statement says told whole, listed or not: what [`worth`] is fitted to.
    #[must_use]
    pub fn candidates(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        let Told { whole, .. } = self.told(note, statement);
        self.marked(note, statement, whole)
    }

    fn told(&self, note: &Note, statement: &Statement) -> Told {
        match statement.kind {
            StatementKind::Item | StatementKind::Sentence => whole::of_sentence(note, statement, self.relations),
            _ => Told::by_facts(self.read(note, statement)),
        }
    }

    /// Says how what is told whole is meant, and what of it is listed.
    fn marked(&self, note: &Note, statement: &Statement, whole: Vec<Claim>) -> Vec<Claim> {
        let mut whole = self.meant(note, statement, whole);
        self.list(statement, &mut whole);
        whole
    }

    /// The facts of one statement, each by itself, in the order of their ids; none is listed.
    #[must_use]
    pub fn facts(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        self.meant(note, statement, self.read(note, statement))
    }

    fn read(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        match statement.kind {
            StatementKind::Property => explicit::of_property(note, statement),
            StatementKind::Field => explicit::of_field(note, statement),
            StatementKind::Row => explicit::of_row(note, statement),
            StatementKind::Task => explicit::of_task(note, statement),
            StatementKind::Code => explicit::of_code(statement),
            StatementKind::Item | StatementKind::Sentence => prose::of_sentence(note, statement, self.relations),
        }
    }

    /// Marks what is worth being asked about later: what reads as people found to be right under its headings; and what holds of
    /// one thing at a time, where nothing else of the statement is listed.
    fn list(&self, statement: &Statement, claims: &mut [Claim]) {
        for claim in claims.iter_mut() {
            // Tags, titles and days of creation say nothing that one comes back to.
            let is_form = matches!(claim.extractor, Extractor::Property | Extractor::Field | Extractor::Task);
            claim.listed = !claim.is_unread() && !is_form && worth::is_worth_it(statement, claim);
        }
        if claims.iter().all(|claim| !claim.listed) {
            for claim in claims {
                claim.listed = self.holds_one(claim);
            }
        }
    }

    /// Whether a reading says what holds of one thing at a time, such as `license: MIT` or "Anna works at Acme": what holds now is
    /// told by such facts, worth asking about or not.
    fn holds_one(&self, claim: &Claim) -> bool {
        let single =
            claim.relation.as_deref().and_then(|name| self.relations.named(name)).is_some_and(|one| one.single);
        single && (claim.extractor.names_its_predicate() || claim.confidence >= SURE && !worth::is_pointing(claim))
    }

    /// Gives readings their relation, and says how their place has them meant.
    fn meant(&self, note: &Note, statement: &Statement, mut found: Vec<Claim>) -> Vec<Claim> {
        voice::hear(note, statement, &mut found);
        let author = author::other_author(note, statement);
        for claim in &mut found {
            if claim.relation.is_none() && claim.extractor.names_its_predicate() {
                let relation = self.relations.of_name(&claim.predicate, &claim.object);
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
fn joined(facts: Vec<Claim>, whole: impl Iterator<Item = Claim>) -> Vec<Claim> {
    let mut found: Vec<Claim> = whole.collect();
    let more = facts.into_iter().filter(|fact| found.iter().all(|claim| claim.id != fact.id)).collect::<Vec<_>>();
    // What a whole claim says needs no statement's own words beside it.
    let read = !found.is_empty();
    found.extend(more.into_iter().filter(|fact| !(read && fact.is_unread())));
    found.sort_by_key(|claim| (!claim.listed, claim.id));
    found
}
