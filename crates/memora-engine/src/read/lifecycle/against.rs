//! How the claims of a text that is no note of the user's stand to what the user wrote.

use std::collections::BTreeSet;

use memora_claim::conflict::{ClaimPolarity, ClaimStatus, ObjectValue, ValueRelation};
use memora_claim::{Claim, ClaimId, NameKey};
use memora_redact::Viewer;
use memora_store::{Authors, ReadError};

use super::comparable::{claim_polarity, comparison_key, limiting_qualifiers};
use super::{ComparisonKey, Lifecycle};
use crate::state::sources::own_sources;

/// The most statements of a subject and relation that a claim is compared with.
const STATEMENTS_MAX: usize = 64;

/// Claims of the user's that hold now, and bear on a text.
#[derive(Default)]
pub(crate) struct NoteComparison {
    /// Those that imply one of its claims.
    pub(crate) same: Vec<ClaimId>,
    /// Those that cannot hold beside one of its claims.
    pub(crate) against: Vec<ClaimId>,
}

/// A subject's value for a relation that has one at a time.
struct Slot {
    subject: NameKey,
    relation: String,
    value: ObjectValue,
    scope: BTreeSet<String>,
}

impl Lifecycle<'_> {
    /// Compares claims with the user's own that hold now, as far as the door shows them. Only values of relations that have
    /// one at a time are compared: what else two sentences say may be true at once.
    pub(crate) fn compare_with_notes(&self, said: &[Claim]) -> Result<NoteComparison, ReadError> {
        let mut state = NoteComparison::default();
        let of = (self.session.door.strictest_band(), Authors::User);
        for slot in said.iter().filter_map(|claim| self.read_slot(claim)) {
            let found = self.session.snapshot.facts().by_name([&slot.subject], &slot.relation, of, STATEMENTS_MAX)?;
            for statement in self.session.snapshot.statements(&found)? {
                let visible = statement.retain_sources(|source| self.session.door.may_show(source.row.band));
                let Some(statement) = visible else { continue };
                let Some(source) = own_sources(&statement).find(|source| !source.note.captured) else { continue };
                for claim in &statement.wording.claims {
                    let Some(relation) = self.read_slot(claim).and_then(|theirs| theirs.compare(&slot)) else {
                        continue;
                    };
                    if self.claim_state(claim, &statement, source)?.status != ClaimStatus::Current {
                        continue;
                    }
                    match relation {
                        ValueRelation::Same | ValueRelation::Narrower => state.same.push(claim.id),
                        ValueRelation::Incompatible => state.against.push(claim.id),
                        ValueRelation::Broader | ValueRelation::Undetermined => {}
                    }
                }
            }
        }
        Ok(state)
    }

    /// Whether a claim of the user's own notes holds now, as far as the door shows.
    pub(crate) fn holds_in_notes(&self, claim: &Claim) -> Result<bool, ReadError> {
        let Some(statement) = self.session.statement(claim.id.statement())? else { return Ok(false) };
        let visible = statement.retain_sources(|source| self.session.door.may_show(source.row.band));
        let Some(statement) = visible else { return Ok(false) };
        let Some(source) = own_sources(&statement).find(|source| !source.note.captured) else { return Ok(false) };
        Ok(self.claim_state(claim, &statement, source)?.status == ClaimStatus::Current)
    }

    /// The slot that a claim fills; `None` for one that denies, ended, or whose relation may have several values.
    fn read_slot(&self, claim: &Claim) -> Option<Slot> {
        let Some(ComparisonKey::Relation(name)) = comparison_key(claim) else { return None };
        let relation = self.session.memora.config.find_relation(&name).filter(|relation| relation.single)?;
        let holds = claim_polarity(claim, relation.changes)?;
        matches!(holds, ClaimPolarity::Affirmed | ClaimPolarity::Begun).then_some(())?;
        Some(Slot {
            subject: NameKey::from_subject(claim.subject.as_deref()?)?,
            value: ObjectValue::parse(&claim.object, None, None, name == "version"),
            scope: limiting_qualifiers(&claim.qualifiers, Some(relation)),
            relation: name,
        })
    }
}

impl Slot {
    /// Compares the values of one subject and relation under the same conditions; `None` for any others.
    fn compare(&self, other: &Self) -> Option<ValueRelation> {
        let same = self.subject == other.subject && self.relation == other.relation && self.scope == other.scope;
        same.then(|| self.value.compare(&other.value))
    }
}
