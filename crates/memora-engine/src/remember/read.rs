//! Reading memories in full.

use std::cmp::Ordering;
use std::marker::PhantomData;

use memora_memory::{Document, Log, MemoryId, Scratchpad};
use memora_redact::authorize_page;
use memora_vault::{Band, NotePath};

use strum::EnumString;

use super::naming::{is_named_by_id, title_of};
use super::passage::MemoryName;
use crate::remember::error::MemoryError;
use crate::remember::items::FoundItem;
use crate::remember::owners::MemoryReader;
use crate::report::{MemoryItem, MemoryRead, MemoryStatus};

/// The most text that is read at once, in bytes.
const READ_BYTES_MAX: usize = 32 << 10;
/// The most names that are read at once: of more, the rest is not looked at.
pub const MEMORY_NAMES_MAX: usize = 20;

/// What is read besides items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum MemorySource {
    /// The person's `MEMORY.md`.
    MemoryMd,
    /// The open tasks.
    Scratchpad,
    /// The newest log, or that of the day that `name` says.
    Daily,
    /// The note that `name` says.
    Note,
    /// The names of all files.
    List,
}

/// A log of the project's.
pub(crate) struct ProjectLog {
    /// Its day as YYYY-MM-DD, by its name.
    pub(super) day: String,
    pub(super) path: String,
    pub(super) log: Log,
    pub(super) band: Band,
}

/// What was read, with the paths and the bands of the files that it is of.
type ReadText = (String, Vec<(String, Band)>);

impl MemoryReader<'_> {
    /// Reads what search names: items, entries of logs, and notes of sessions or of reference. What has no room is cut: of
    /// several texts each has the same room, and what a short one leaves goes to the others. One that alone is named is read
    /// from `offset` on.
    pub(crate) fn read_named(&self, names: &[MemoryName], offset: usize) -> Result<MemoryRead, MemoryError> {
        let names = names.get(..MEMORY_NAMES_MAX).unwrap_or(names);
        let mut read = empty();
        for name in names {
            if let Some(found) = self.find_named_item(name)? {
                read.items.push(self.report_item(found)?);
            } else if let Some(passage) = self.find_passage(name)? {
                read.passages.push(passage);
            } else {
                read.missing.push(name.as_str().to_owned());
            }
        }
        let offset = if names.len() == 1 { offset } else { 0 };
        let items = read.items.iter_mut().map(|item| (&mut item.text, &mut item.next_offset));
        let passages = read.passages.iter_mut().map(|passage| (&mut passage.text, &mut passage.next_offset));
        let mut texts: Vec<(&mut String, &mut Option<usize>)> = items.chain(passages).collect();
        let mut sizes: Vec<usize> = texts.iter().map(|(text, _)| text.len().saturating_sub(offset)).collect();
        let room = fair_share(&mut sizes, READ_BYTES_MAX);
        for (text, next_offset) in &mut texts {
            let (part, next) = cut_part(text.as_str(), offset, room);
            (**text, **next_offset) = (part, next);
        }
        read.next_offset = match texts.as_slice() {
            [(_, next_offset)] => **next_offset,
            _ => None,
        };
        let items = read.items.iter().map(|item| (item.id.clone(), item.band));
        read.shown = items.chain(read.passages.iter().map(|passage| (passage.id.clone(), passage.band))).collect();
        self.record_recalls(read.shown.iter().map(|(id, _)| id.as_str()))?;
        Ok(read)
    }

    /// The item that a name is of.
    fn find_named_item(&self, name: &MemoryName) -> Result<Option<FoundItem>, MemoryError> {
        match name {
            MemoryName::Id(id) => self.find_item(id),
            MemoryName::Path(path) => Ok(self.find_passage(name)?.and_then(|_| self.read_item(path))),
        }
    }

    /// Reads a file, from a byte on.
    pub(crate) fn read_source(
        &self,
        source: MemorySource,
        name: Option<&str>,
        offset: usize,
    ) -> Result<MemoryRead, MemoryError> {
        let read = match source {
            MemorySource::MemoryMd => self.read_page(&self.folder.note_path("MEMORY")?),
            MemorySource::Scratchpad => Some(self.read_open_tasks()),
            MemorySource::Daily => self.read_log(name),
            MemorySource::Note => name.and_then(|name| self.read_note(name)),
            MemorySource::List => Some(self.list_files()),
        };
        let Some((text, shown)) = read else { return Ok(empty()) };
        let (part, next_offset) = cut_part(&text, offset, READ_BYTES_MAX);
        Ok(MemoryRead { text: Some(part), next_offset, shown, ..empty() })
    }

    fn read_open_tasks(&self) -> ReadText {
        let inside = self.project_scope().folder();
        let pads = self.folder.list(&inside).into_iter().filter(|path| path.stem().starts_with("SCRATCHPAD"));
        let mut pads: Vec<NotePath> = pads.collect();
        pads.sort_by(continuing_order);
        let (pads, shown) = self.read_documents(pads.iter());
        let pads: Vec<Scratchpad> = pads.into_iter().filter_map(Scratchpad::from_document).collect();
        let open = Scratchpad::join_tasks(&pads).into_iter().filter(|task| !task.done);
        (open.map(|task| format!("- [ ] {}\n", task.words)).collect(), shown)
    }

    fn read_log(&self, day: Option<&str>) -> Option<ReadText> {
        let mut logs = self.project_logs().filter(|found| day.is_none_or(|day| found.day == day)).peekable();
        let newest = logs.peek()?.day.clone();
        let of_day = logs.take_while(|found| found.day == newest);
        Some(of_day.map(|found| (found.log.document().body.clone(), (found.path, found.band))).unzip())
    }

    /// The project's logs that this door may see, the newest day first. Each is read when it is asked for.
    pub(crate) fn project_logs(&self) -> impl Iterator<Item = ProjectLog> {
        let day_of = |path: &NotePath| path.stem().get(..10).unwrap_or_default().to_owned();
        let mut paths = self.folder.list(&format!("{}/episodic", self.project_scope().folder()));
        paths.sort_by(|one, other| day_of(other).cmp(&day_of(one)).then_with(|| continuing_order(one, other)));
        paths.into_iter().filter_map(move |path| {
            let (document, band, _) = self.read_document(&path)?;
            let log = Log::from_document(document)?;
            Some(ProjectLog { day: day_of(&path), path: path.as_str().to_owned(), log, band })
        })
    }

    fn read_note(&self, name: &str) -> Option<ReadText> {
        let notes = self.folder.list("").into_iter().filter(|path| path.folder().ends_with("/notes"));
        let short = MemoryId::parse(name).map(|id| format!(" {}", id.short()));
        let is_titled = |path: &NotePath| {
            is_named_by_id(path) && self.read_document(path).is_some_and(|(read, ..)| title_of(path, &read) == name)
        };
        let mut named = notes.filter(|path| {
            path.stem() == name
                || path.as_str() == name
                || short.as_ref().is_some_and(|end| path.stem().ends_with(end))
                || is_titled(path)
        });
        named.find_map(|path| self.read_page(&path))
    }

    fn list_files(&self) -> ReadText {
        let seen = self.folder.list("").into_iter().filter_map(|path| {
            let fresh = self.session.notes.read_note(&path)?;
            authorize_page(fresh, &self.session.door)?;
            // A name that is an id says nothing.
            let titled = is_named_by_id(&path).then(|| self.read_document(&path)).flatten();
            let title = titled.map_or_else(String::new, |(document, ..)| format!(" ({})", title_of(&path, &document)));
            Some((format!("{path}{title}\n"), (path.as_str().to_owned(), fresh.note().band())))
        });
        seen.unzip()
    }

    fn read_documents<'p>(&self, paths: impl Iterator<Item = &'p NotePath>) -> (Vec<Document>, Vec<(String, Band)>) {
        let read = paths.filter_map(|path| {
            let (document, band, _) = self.read_document(path)?;
            Some((document, (path.as_str().to_owned(), band)))
        });
        read.unzip()
    }

    fn read_page(&self, path: &NotePath) -> Option<ReadText> {
        let fresh = self.session.notes.read_note(path)?;
        let page = authorize_page(fresh, &self.session.door)?;
        Some((page.text().to_owned(), vec![(path.as_str().to_owned(), fresh.note().band())]))
    }

    pub(crate) fn report_item(&self, found: FoundItem) -> Result<MemoryItem, MemoryError> {
        let ((status, successor), origin) = (self.status_and_successor(&found)?, self.origin_of(&found));
        let FoundItem { path, item, band, sealed } = found;
        Ok(MemoryItem {
            id: item.id.to_string(),
            path: path.as_str().to_owned(),
            gist: item.gist(),
            text: item.text,
            next_offset: None,
            kind: item.kind,
            entity: item.entity,
            domain: item.domain,
            tags: item.tags,
            origin,
            by: item.by,
            created: item.created.to_string(),
            confidence: item.confidence,
            band,
            status,
            superseded_by: successor.map(|newer| newer.item.id.to_string()),
            owned: sealed,
            door: PhantomData,
        })
    }

    pub(crate) fn status_of(&self, found: &FoundItem) -> Result<MemoryStatus, MemoryError> {
        Ok(self.status_and_successor(found)?.0)
    }

    /// The status of an item, and what superseded it, if that is its status.
    fn status_and_successor(&self, found: &FoundItem) -> Result<(MemoryStatus, Option<FoundItem>), MemoryError> {
        if self.is_archived(&found.path) || found.item.archived.is_some() {
            return Ok((MemoryStatus::Archived, None));
        }
        if let Some(newer) = self.find_successor(found)? {
            return Ok((MemoryStatus::Superseded, Some(newer)));
        }
        let status =
            if self.is_held(&found.item) { MemoryStatus::Held } else { self.claims().current_status(found)? };
        Ok((status, None))
    }
}

/// The part of a text from a byte on, and where it goes on if it is cut.
fn cut_part(text: &str, offset: usize, room: usize) -> (String, Option<usize>) {
    let from = text.floor_char_boundary(offset);
    let rest = text.get(from..).unwrap_or_default();
    let end = rest.floor_char_boundary(room);
    (rest.get(..end).unwrap_or_default().to_owned(), (end < rest.len()).then_some(from + end))
}

/// The most bytes that each of some texts may have, so that all of them have room.
fn fair_share(sizes: &mut [usize], mut room: usize) -> usize {
    sizes.sort_unstable();
    let mut left = sizes.len();
    for size in sizes {
        let share = room / left;
        if *size > share {
            return share;
        }
        room -= *size;
        left -= 1;
    }
    usize::MAX
}

/// The order of files that continue one another: `SCRATCHPAD 2` before `SCRATCHPAD 10`.
fn continuing_order(one: &NotePath, other: &NotePath) -> Ordering {
    (one.as_str().len(), one).cmp(&(other.as_str().len(), other))
}

fn empty() -> MemoryRead {
    MemoryRead {
        items: Vec::new(),
        passages: Vec::new(),
        missing: Vec::new(),
        text: None,
        next_offset: None,
        shown: Vec::new(),
        door: PhantomData,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_share_the_room_and_none_is_left_out() {
        for (sizes, room, share) in [
            (&[][..], 100, usize::MAX),
            (&[40, 40], 100, usize::MAX),
            (&[1_000], 100, 100),
            (&[1_000, 10], 100, 90),
            (&[1_000, 1_000, 10], 100, 45),
            (&[60, 60], 100, 50),
        ] {
            assert_eq!(fair_share(&mut sizes.to_vec(), room), share, "{sizes:?}");
        }
        assert_eq!(cut_part("aé", 0, 2), ("a".to_owned(), Some(1)));
        assert_eq!(cut_part("aé", 1, 2), ("é".to_owned(), None));
        assert_eq!(cut_part("aé", 9, 2), (String::new(), None));
    }
}
