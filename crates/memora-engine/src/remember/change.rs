//! Changing an item: new words in its place or within it, and how it went to do what it says.
//!
//! Invariant: **a changed item stays where it belongs**, whoever changes it from which project; what was forgotten or superseded
//! is not changed at all.

use memora_memory::{HeldFor, Item, MemoryId, Refusal, check_content, clean_text, reads_as_instruction};
use memora_vault::Band;

use super::SaveRequest;
use super::folder::{Changed, FoundFile};
use super::write::{answered, refused};
use crate::read::capture::judge_citations;
use crate::remember::error::MemoryError;
use crate::remember::items::FoundItem;
use crate::remember::owners::MemoryGate;
use crate::remember::recalls::outcome_line;
use crate::report::{SaveStatus, WriteReport, WriteStatus};

/// What to do where a file or its words are the user's.
const BESIDE_NOT_WITHIN: &str =
    "It is the user's: give `content`, which stands in a new memory beside it, or ask the user to change it.";

/// A change of an item.
#[derive(Clone)]
pub enum ItemChange {
    /// New words, in an item that supersedes it.
    Content(String),
    /// Words of it that stand there once, and those in their place.
    Replace {
        /// The words now.
        old: String,
        /// The words then.
        new: String,
    },
    /// How it went to do what it says: whether it worked.
    Outcome(bool),
}

impl MemoryGate<'_> {
    /// Changes an item of Memora's; beside one that a person edited, a new one that supersedes it.
    pub(crate) fn update(&self, id: &MemoryId, change: &ItemChange) -> Result<WriteReport, MemoryError> {
        let Some(found) = self.find_item(id)? else { return Ok(unknown()) };
        if let Some(refusal) = self.refuse_ended(&found)? {
            return Ok(refusal);
        }
        match change {
            ItemChange::Outcome(worked) => self.record_outcome(&found, *worked),
            ItemChange::Content(text) => self.supersede(found, text.clone()),
            ItemChange::Replace { old, new } => {
                let words = self.words_with_citations(&found);
                if old.is_empty() || words.matches(old.as_str()).count() != 1 {
                    let next = "The old words must stand in it exactly once: memora_read shows what it says.";
                    return Ok(answered(WriteStatus::NotFound, next));
                }
                self.replace_within(&found, &words.replacen(old.as_str(), new, 1))
            }
        }
    }

    /// The answer for an item that holds no longer, with what to do instead; `None` for one that may be changed.
    fn refuse_ended(&self, found: &FoundItem) -> Result<Option<WriteReport>, MemoryError> {
        let next = if self.is_archived(&found.path) || found.item.archived.is_some() {
            let id = &found.item.id;
            format!(
                "It was forgotten, and stays as it was: memory_save what holds now, or the user brings it back with: \
                 memora memory restore {id}"
            )
        } else if let Some(newer) = self.find_successor(found)? {
            format!("It was superseded, and stays as it was: change {}, which holds now.", newer.item.id)
        } else {
            return Ok(None);
        };
        Ok(Some(answered(WriteStatus::NotCurrent, next)))
    }

    /// Saves other words in an item that supersedes this one, where this one belongs.
    fn supersede(&self, found: FoundItem, content: String) -> Result<WriteReport, MemoryError> {
        let scope = self.scope_of_path(&found.path);
        let item = found.item;
        let saving = SaveRequest {
            content,
            kind: item.kind,
            entity: item.entity,
            domain: item.domain,
            tags: item.tags,
            privacy: item.privacy,
            supersedes: Some(item.id),
            scope,
            ..SaveRequest::default()
        };
        let report = self.save(&saving)?;
        let written = matches!(report.status, SaveStatus::Saved | SaveStatus::Held | SaveStatus::Conflict);
        let status = if written { WriteStatus::Written } else { WriteStatus::Refused };
        Ok(WriteReport {
            path: report.path,
            id: report.id,
            reason: report.reason,
            superseded: report.superseded,
            ..answered(status, report.next)
        })
    }

    /// Writes other words into the file of an item.
    fn replace_within(&self, found: &FoundItem, text: &str) -> Result<WriteReport, MemoryError> {
        let not_owned = || Ok(answered(WriteStatus::NotOwned, BESIDE_NOT_WITHIN));
        let text = clean_text(text);
        if let Err(refusal) = check_content(&text, self.writer.agent.is_none()) {
            return Ok(refused(refusal));
        }
        let Some(cited) = judge_citations(self.session, &text)? else {
            return Ok(refused(Refusal::Citation));
        };
        let lock = self.folder.lock()?;
        let FoundFile::Owned(owned) = self.folder.find(&found.path, &lock)? else { return not_owned() };
        let Some(item) = Item::from_document(&owned.document) else { return Ok(unknown()) };
        if self.writer.agent.is_some() && self.is_users_word(&item) {
            return not_owned();
        }
        let privacy = [self.writer_band(), cited].into_iter().fold(item.privacy, Band::join);
        let orders = self.writer.agent.is_some() && reads_as_instruction(item.kind, &text);
        let held = item.held.or(orders.then_some(HeldFor::Instruction));
        // What the user added to the file stays.
        let mut document = owned.document.clone();
        document.body = format!("{text}\n");
        if privacy != item.privacy {
            document.set_privacy(privacy);
        }
        if let Some(held) = held.filter(|_| item.held.is_none()) {
            document.set_plain("held", held.as_str());
        }
        let (note, problems) = self.folder.parse(owned.path(), &document);
        if !problems.is_empty() || !note.headings().is_empty() {
            return Ok(refused(Refusal::Unreadable));
        }
        match self.folder.replace(&owned, &document)? {
            Changed::Done => {
                self.bridges().queue_forget(&found.item.id);
                self.bridges().queue_save(&Item { held, ..item }, note.band());
                Ok(self.written(&found.path, Some(&found.item.id), 1))
            }
            Changed::Overtaken => not_owned(),
        }
    }

    /// Writes into the day's log how it went to do what an item says. The item stays as it is.
    fn record_outcome(&self, found: &FoundItem, worked: bool) -> Result<WriteReport, MemoryError> {
        let line = outcome_line(found.path.stem(), worked);
        // The item's name has its words.
        self.append_entry("Outcome", &line, self.writer_band().join(found.band))
    }
}

fn unknown() -> WriteReport {
    answered(WriteStatus::Unknown, "There is no memory of that id: memory_search shows ids.")
}
