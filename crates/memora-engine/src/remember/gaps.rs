//! What is not known of the user: domains of life of which neither their notes nor memories say much.

use std::collections::BTreeMap;

use memora_memory::{Domain, domain_of};
use memora_redact::Viewer;
use memora_store::ReadError;
use strum::IntoEnumIterator as _;

use crate::remember::error::MemoryError;
use crate::remember::owners::MemoryFinder;
use crate::report::{DomainGap, GapsReport, MemoryCount, MemoryStatus};

/// The number of statements and memories of a domain from which it is known.
const KNOWN_FROM: usize = 3;

impl MemoryFinder<'_> {
    /// Lists the domains of which little is known, over the user's notes and current memories together, as far as this door
    /// may see them.
    pub fn find_gaps(&self) -> Result<GapsReport, MemoryError> {
        let mut counts: BTreeMap<Domain, usize> = BTreeMap::new();
        let mut count = |domain: Option<Domain>| {
            if let Some(domain) = domain {
                *counts.entry(domain).or_default() += 1;
            }
        };
        self.session.snapshot.for_each_statement::<ReadError>(|statement| {
            let is_own = !statement.wording.claims.is_empty()
                && self.may_count(statement.sources.iter().filter(|source| !source.note.captured))?;
            count(domain_of(&statement.wording.words).filter(|_| is_own));
            Ok(())
        })?;
        for path in self.folder.list("") {
            let Some(found) = self.read_item(&path).filter(|_| !self.is_archived(&path)) else {
                continue;
            };
            if self.reader().status_of(&found)? == MemoryStatus::Current {
                count(found.item.domain.or_else(|| domain_of(&found.item.text)));
            }
        }
        let known = |domain: Domain| counts.get(&domain).copied().unwrap_or_default();
        let gaps = Domain::iter().filter(|domain| known(*domain) < KNOWN_FROM).map(|domain| DomainGap {
            domain,
            known: known(domain),
            question: format!("What should be known of {}?", domain.topics()),
        });
        let count = |domain: Domain| MemoryCount { name: domain.as_str().to_owned(), count: known(domain) };
        Ok(GapsReport { gaps: gaps.collect(), known: Domain::iter().map(count).collect() })
    }

    /// Whether any of a statement's places may be counted at this door.
    fn may_count<'p>(&self, places: impl Iterator<Item = &'p memora_store::StoredSource>) -> Result<bool, ReadError> {
        for source in places.filter(|source| self.session.door.may_show(source.row.band)) {
            if self.session.may_use_index(&source.row.note)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
