//! Whose word an item counts as: its own origin, as far as a seal vouches for it, and what the user confirmed.

use memora_claim::{DecisionKind, MemoryDecision};
use memora_memory::{Item, Origin};
use memora_redact::{Viewer, authorize_page};
use memora_vault::NotePath;

use crate::read::lifecycle::Lifecycle;
use crate::remember::items::FoundItem;
use crate::remember::memories::Memories;

impl Memories<'_> {
    /// The decision by which the user confirmed an item as it stands.
    pub(crate) fn confirmation(&self, item: &Item) -> Option<&MemoryDecision> {
        let made = Lifecycle::new(self.session).decisions().about_memories();
        let decides = |made: &&MemoryDecision| made.act != DecisionKind::Later && made.memory == item.id.as_str();
        let last = made.iter().rfind(decides).filter(|made| made.act == DecisionKind::Keep)?;
        (last.words.as_deref()? == self.sign_confirmed(item)).then_some(last)
    }

    /// Whether an item says that it is the user's word, or they confirmed it: no agent changes or ends it.
    pub(crate) fn is_users_word(&self, item: &Item) -> bool {
        item.origin == Origin::UserInstruction || self.confirmation(item).is_some()
    }

    /// Signs what the user confirms: the words, and what they are about and end.
    pub(crate) fn sign_confirmed(&self, item: &Item) -> String {
        let Item { kind, domain, entity, supersedes, text, .. } = item;
        // What confirmed items said before one could end several.
        let ended = match supersedes.as_slice() {
            [] | [_] => format!("{:?}", supersedes.first()),
            several => format!("{several:?}"),
        };
        let about = format!("{kind:?} {domain:?} {entity:?} {ended}\n{text}");
        self.folder.key().sign_words("kept", &item.id, &about)
    }

    /// Whether an item waits for the user.
    pub(crate) fn is_held(&self, item: &Item) -> bool {
        item.held.is_some() && self.confirmation(item).is_none()
    }

    /// Whose word an item counts as: what the user confirmed is theirs, and what no seal vouches for is an agent's at most.
    pub(crate) fn origin_of(&self, found: &FoundItem) -> Origin {
        match self.confirmation(&found.item) {
            Some(_) => Origin::UserInstruction,
            None if found.sealed => found.item.origin,
            None => found.item.origin.min(Origin::AgentAnalysis),
        }
    }

    /// Whose word has to end it: the user's own is ended by none but theirs, whether a seal vouches for it or not.
    pub(crate) fn protected_origin(&self, found: &FoundItem) -> Origin {
        found.item.origin.max(self.origin_of(found))
    }

    /// Whether this is the strictest door that shows a file: what a cloud door shows is a cloud door's.
    pub(crate) fn is_strictest_door_of(&self, path: &NotePath) -> bool {
        let cloud = self.session.memora.cloud_door();
        let page = self.session.notes.read_note(path).and_then(|fresh| authorize_page(fresh, &cloud));
        page.is_some_and(|page| page.is_whole()) != self.session.door.is_local()
    }
}
