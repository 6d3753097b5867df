//! Claims out of statements, by rules that work offline.
//!
//! [`Extract::claims`] reads one statement, most explicit rule first: property, field, row, definition, label, task; then
//! its clauses, one after the other. The one rule to know: **a reading depends on the statement's words, their markup and
//! what its id is made of, and on nothing else**, so that an index grown step by step equals one built at once. What the
//! place gives (a title, a date) stays open and is filled in when a claim is shown.
//!
//! Whoever else reads notes, such as a language model, makes a [`Proposal`], and [`Extract::grounded`] takes what of it the
//! notes bear out. That adds claims to statements and changes no id.
//!
//! Deliberately not here: models that need a network or a graphics card.

mod base;
mod class;
mod clause;
mod explicit;
mod language;
mod manner;
pub mod openie;
mod propose;
mod prose;
mod reading;
mod relation;
mod voice;
pub mod worth;
mod worth_weights;

pub use base::base;
pub use manner::{Manner, manner, verb_of};
pub use propose::{
    Grounded, MODEL_CONFIDENCE, NotProposals, PROPOSALS_MAX, Proposal, Proposer, Reply, Ungrounded, say_the_same,
};
pub use relation::{Relation, Relations, RelationsError};

use memora_claim::{Claim, Modality, Statement, StatementKind};
use memora_vault::{Note, Zone};
use prose::Telling;

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

    /// Draws the claims out of one statement of `note`, in the order of their ids: every fact that is read of it. A statement of
    /// which nothing is has one, its own words ([`Claim::is_unread`]); a question has none.
    #[must_use]
    pub fn claims(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        self.read(note, statement, Telling::Apart)
    }

    /// What a statement says told whole, and only what is worth being asked about later, in the order of their ids.
    ///
    /// Nothing is claimed by this yet: see decision 25.
    #[must_use]
    pub fn worthy(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        let mut found = self.whole(note, statement);
        found.retain(|claim| !claim.is_unread() && (self.holds_one(claim) || worth::is_worth_it(statement, claim)));
        found
    }

    /// Whether a reading says what holds of one thing at a time, such as `license: MIT` or "Anna works at Acme": what holds now is
    /// told by such facts, worth asking about or not.
    fn holds_one(&self, claim: &Claim) -> bool {
        let single =
            claim.relation.as_deref().and_then(|name| self.relations.named(name)).is_some_and(|one| one.single);
        single
            && (claim.extractor.names_its_predicate() || claim.confidence >= prose::SURE && !worth::is_pointing(claim))
    }

    /// What a statement says told whole, worth it or not, in the order of their ids.
    #[must_use]
    pub fn whole(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        self.read(note, statement, Telling::Whole)
    }

    fn read(&self, note: &Note, statement: &Statement, telling: Telling) -> Vec<Claim> {
        let found = match statement.kind {
            StatementKind::Property => explicit::of_property(note, statement),
            StatementKind::Field => explicit::of_field(note, statement),
            StatementKind::Row => explicit::of_row(note, statement),
            StatementKind::Task => explicit::of_task(note, statement),
            StatementKind::Code => explicit::of_code(statement),
            StatementKind::Item | StatementKind::Sentence => {
                prose::of_sentence(note, statement, self.relations, telling)
            }
        };
        self.meant(note, statement, found)
    }

    /// Gives readings their relation, and says how their place has them meant.
    fn meant(&self, note: &Note, statement: &Statement, mut found: Vec<Claim>) -> Vec<Claim> {
        voice::hear(note, statement, &mut found);
        for claim in &mut found {
            if claim.relation.is_none() && claim.extractor.names_its_predicate() {
                let relation = self.relations.of_name(&claim.predicate, &claim.object);
                claim.relation = relation.map(|relation| relation.name.clone());
            }
            if statement.rejected {
                claim.modality = Modality::Rejected;
            } else if statement.zone == Zone::Quote {
                claim.modality = Modality::Reported;
            }
        }
        found.sort_by_key(|claim| claim.id);
        found.dedup_by_key(|claim| claim.id);
        found
    }
}
