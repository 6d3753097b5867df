//! Confirming a memory: the user's own decision, which stands among those about claims.
//!
//! Invariants: **only the local door has a function that confirms; what is confirmed are an item's words as they stood.** No
//! state is needed for it: the line and the key of seals outlive a deleted index.

use jiff::civil::Date;
use memora_claim::{ClaimId, DecisionKind, MemoryDecision};
use memora_memory::{Item, MemoryId, Origin};

use super::{FoundItem, Memories, MemoryError};
use crate::read::lifecycle::Lifecycle;
use crate::read::lifecycle::append_decision;
use crate::report::{DecidedReport, DecisionReport};

impl Memories<'_> {
    /// Confirms an item as it stands: it counts as the user's word from then on. `at` is the time, as in
    /// [`MemoryDecision::at`]. `None` if there is no item of that id outside the archive.
    ///
    /// # Errors
    /// [`MemoryError`]; nothing was decided then.
    pub(crate) fn keep(&self, id: &MemoryId, at: &str) -> Result<Option<DecidedReport>, MemoryError> {
        let Some(decision) = self.confirm(id, at, None)? else { return Ok(None) };
        Ok(Some(DecidedReport { decision: DecisionReport::from_memory_decision(&decision), claims: Vec::new() }))
    }

    /// The same for a box that was ticked in a review.
    pub(crate) fn confirm(
        &self,
        id: &MemoryId,
        at: &str,
        review: Option<String>,
    ) -> Result<Option<MemoryDecision>, MemoryError> {
        let Some(found) = self.find_item(id)?.filter(|found| !self.is_archived(&found.path)) else { return Ok(None) };
        let objections = self.objections(&found)?;
        let mut despite: Vec<ClaimId> = objections.broken.iter().map(|broken| broken.claim).collect();
        despite.extend(objections.against);
        // What it was kept despite before counts on.
        despite.extend(self.confirmation(&found.item).into_iter().flat_map(|made| made.despite.iter().copied()));
        despite.sort();
        despite.dedup();
        let made = MemoryDecision {
            at: at.to_owned(),
            act: DecisionKind::Keep,
            memory: id.to_string(),
            words: Some(self.sign_confirmed(&found.item)),
            despite,
            review,
        };
        append_decision(&self.session.memora.vault, &made)?;
        Ok(Some(made))
    }
}

impl Memories<'_> {
    /// The decision by which the user confirmed an item as it stands.
    pub(super) fn confirmation(&self, item: &Item) -> Option<&MemoryDecision> {
        let made = Lifecycle::new(self.session).decisions().about_memories();
        let decides = |made: &&MemoryDecision| made.act != DecisionKind::Later && made.memory == item.id.as_str();
        let last = made.iter().rfind(decides).filter(|made| made.act == DecisionKind::Keep)?;
        (last.words.as_deref()? == self.sign_confirmed(item)).then_some(last)
    }

    /// Whether an item says that it is the user's word, or they confirmed it: no agent changes or ends it.
    pub(super) fn is_users_word(&self, item: &Item) -> bool {
        item.origin == Origin::UserInstruction || self.confirmation(item).is_some()
    }

    /// Signs what the user confirms: the words, and what they are about and end.
    fn sign_confirmed(&self, item: &Item) -> String {
        let Item { kind, domain, entity, supersedes, text, .. } = item;
        // What confirmed items said before one could end several.
        let ended = match supersedes.as_slice() {
            [] | [_] => format!("{:?}", supersedes.first()),
            several => format!("{several:?}"),
        };
        let about = format!("{kind:?} {domain:?} {entity:?} {ended}\n{text}");
        self.folder.key().sign_words("kept", &item.id, &about)
    }

    /// The day on which the user confirmed an item as it stands.
    pub(super) fn confirmed_on(&self, item: &Item) -> Option<Date> {
        self.confirmation(item)?.at.get(..10)?.parse().ok()
    }

    /// Whether an item waits for the user.
    pub(super) fn is_held(&self, item: &Item) -> bool {
        item.held.is_some() && self.confirmation(item).is_none()
    }

    /// Whose word an item counts as: what the user confirmed is theirs, and what no seal vouches for is an agent's at most.
    pub(super) fn origin_of(&self, found: &FoundItem) -> Origin {
        match self.confirmation(&found.item) {
            Some(_) => Origin::UserInstruction,
            None if found.sealed => found.item.origin,
            None => found.item.origin.min(Origin::AgentAnalysis),
        }
    }

    /// Whose word has to end it: the user's own is ended by none but theirs, whether a seal vouches for it or not.
    pub(super) fn protected_origin(&self, found: &FoundItem) -> Origin {
        found.item.origin.max(self.origin_of(found))
    }

    /// How far an item is trusted, 0 to 1.
    pub(super) fn trust_of(&self, found: &FoundItem) -> f64 {
        self.origin_of(found).trust(true)
    }
}
