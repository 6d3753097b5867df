//! Taking over what a server lists, as an import does.

use std::collections::HashSet;
use std::time::Instant;

use jiff::tz::TimeZone;
use memora_bridge::BridgedText;
use memora_memory::{ForeignFact, Kind, Origin};
use memora_vault::Band;

use super::outbox::Outbox;
use super::{DeliveryError, Memories, USER_WAIT};
use crate::read::search::lowercase_words;
use crate::remember::{ImportError, ImportRequest};
use crate::report::ImportReport;
use crate::state::bridges::Bridge;

impl Memories<'_> {
    /// Imports what a server lists, as a tool's output and private. What it was told by Memora, or says in the words of a memory
    /// that is there, is left out.
    pub(super) fn pull(&self, bridge: &Bridge) -> Result<ImportReport, DeliveryError> {
        self.log_sending(bridge, "list", 0, None)?;
        let listed = bridge.client()?.list(USER_WAIT).wait_until(Instant::now() + USER_WAIT)?;
        let told: HashSet<String> = Outbox::of(bridge).foreign_ids().into_iter().collect();
        let said: HashSet<Vec<String>> = self.texts_of_items().map(|text| lowercase_words(&text)).collect();
        let is_new = |found: &BridgedText| {
            !found.id.as_ref().is_some_and(|id| told.contains(id)) && !said.contains(&lowercase_words(&found.text))
        };
        let facts = listed.into_iter().filter(is_new).map(|found| ForeignFact {
            id: found.id,
            text: found.text,
            kind: Kind::Knowledge,
            entity: None,
            tags: Vec::new(),
            created: None,
            origin: Origin::ToolOutput,
        });
        let asked = ImportRequest {
            format: None,
            band: Band::Private,
            trusted: false,
            dry_run: false,
            zone: TimeZone::system(),
        };
        self.import_facts(bridge.name(), facts, &asked).map_err(|error| match error {
            ImportError::Source(error) => DeliveryError::Io(error),
            ImportError::Memory(error) => error.into(),
        })
    }

    /// The words of all items here, forgotten ones too.
    fn texts_of_items(&self) -> impl Iterator<Item = String> {
        self.folder.list("").into_iter().filter_map(|path| Some(self.read_item(&path)?.item.text))
    }
}
