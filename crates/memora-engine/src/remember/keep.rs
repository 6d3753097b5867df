//! Confirming a memory: the user's own decision, which stands among those about claims.
//!
//! Invariants: **only the local door has a function that confirms; what is confirmed are an item's words as they stood.** No
//! state is needed for it: the line and the key of seals outlive a deleted index.

use memora_claim::{ClaimId, DecisionKind, MemoryDecision};
use memora_memory::MemoryId;

use crate::remember::error::MemoryError;
use crate::remember::owners::MemoryGate;
use crate::report::{DecidedReport, DecisionReport};
use crate::state::decisions_file::append_decision;

impl MemoryGate<'_> {
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
        let Some(found) = self.find_item(id)?.filter(|found| !self.is_archived(&found.path)) else {
            return Ok(None);
        };
        let objections = self.claims().objections(&found)?;
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
