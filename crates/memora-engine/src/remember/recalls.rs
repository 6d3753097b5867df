//! How often items were recalled and of use, and what of an item is current.

use std::collections::BTreeSet;

use jiff::civil::Date;
use memora_memory::{Item, Log, MemoryId, recency};
use memora_redact::Viewer;
use memora_store::Authors;
use memora_vault::{NotePath, link_key};

use crate::remember::error::MemoryError;
use crate::remember::items::FoundItem;
use crate::remember::owners::MemoryReader;
use crate::report::{MemoryHit, MemoryStatus};

impl MemoryReader<'_> {
    /// How often it was told how it went to do what an item says, and how often it worked.
    pub(crate) fn count_outcomes(&self, found: &FoundItem) -> Result<(usize, usize), MemoryError> {
        let stem = found.path.stem();
        let keys = BTreeSet::from([link_key(stem)]);
        let of = (self.session.door.strictest_band(), Authors::All);
        let links = self.session.snapshot.names().links_with_target(&keys, of)?;
        let mut paths: BTreeSet<NotePath> = links.into_iter().map(|link| link.place.note).collect();
        paths.extend(self.of.written());
        let (worked, failed) = (outcome_line(stem, true), outcome_line(stem, false));
        let (mut good, mut all) = (0, 0);
        for (document, ..) in paths.iter().filter_map(|path| self.read_document(path)) {
            let entries = Log::from_document(document).map(|log| log.entries()).unwrap_or_default();
            for line in entries.iter().flat_map(|entry| entry.text.lines()).map(str::trim) {
                good += usize::from(line == worked);
                all += usize::from(line == worked || line == failed);
            }
        }
        Ok((good, all))
    }

    /// The current item that a hit is of; `None` for a passage of a log or a note.
    pub(crate) fn read_current(&self, hit: &MemoryHit) -> Option<FoundItem> {
        let path = NotePath::new(hit.path.as_str()).ok().filter(|_| hit.status == MemoryStatus::Current)?;
        self.read_item(&path)
    }

    /// In how many sessions an item was recalled, and how recent it is: since it was saved, recalled or confirmed.
    pub(crate) fn measure_use(&self, item: &Item) -> Result<(u32, f64), MemoryError> {
        let (recalls, last) = self.recalls_of(item.id.as_str())?;
        let half_life = item.domain.map_or_else(|| item.kind.half_life(), memora_memory::Domain::half_life);
        let created = item.created.date();
        let last: Option<Date> = last.and_then(|day| day.parse().ok());
        let confirmed = self.confirmation(item).and_then(|made| made.at.get(..10)?.parse().ok());
        let last = [last, confirmed].into_iter().flatten().fold(created, Date::max);
        let days = f64::from((self.writer.at.date() - last).get_days());
        Ok((recalls, recency(days, half_life)))
    }

    /// In how many sessions something was recalled, and the last day; a cloud door hears of its own kind alone.
    pub(crate) fn recalls_of(&self, id: &str) -> Result<(u32, Option<String>), MemoryError> {
        let (count, day) = self.session.journal.count_recalls(id, self.session.door.is_local())?;
        Ok((u32::try_from(count).unwrap_or(u32::MAX), day))
    }

    pub(crate) fn record_recalls<'i>(&self, ids: impl Iterator<Item = &'i str>) -> Result<(), MemoryError> {
        let ids: Vec<&str> = ids.filter(|id| MemoryId::parse(id).is_some()).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let day = self.writer.at.date().to_string();
        Ok(self.session.memora.store.recalls()?.record(&ids, self.session.door.is_local(), &self.of.id, &day)?)
    }
}

/// The line of a log that tells how it went.
pub(super) fn outcome_line(stem: &str, worked: bool) -> String {
    format!("- Outcome: {} [[{stem}]]", if worked { "ok" } else { "failed" })
}
