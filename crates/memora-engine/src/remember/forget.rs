//! Forgetting archives, restoring brings back the same bytes, and a person hands a file back.

use std::marker::PhantomData;

use memora_memory::{Archived, Document, MemoryId, Scratchpad, TaskOperation, clean_line};
use memora_vault::{Band, NotePath, find_credentials};

use super::MemoryQuery;
use super::duplicates::ComparedWords;
use super::folder::{Changed, FolderLock, FoundFile, Owned};
use crate::remember::error::MemoryError;
use crate::remember::items::FoundItem;
use crate::remember::owners::MemoryUpkeep;
use crate::report::{ForgetReport, ForgetStatus, ResealReport};

/// The most items that are looked at for what some words name.
const NAMED_MAX: usize = 10;

/// What became of a request to forget what some words say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedForget {
    /// What became of it.
    pub status: NamedForgetStatus,
    /// The ids of the items that say it, with how guarded they are.
    pub named: Vec<(String, Band)>,
}

/// What became of a request to forget what some words say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedForgetStatus {
    /// The one that says it is in the archive.
    Forgotten,
    /// None says it.
    Nothing,
    /// Several say it, and all stand.
    Several,
    /// The one that says it is no file of Memora's here, so it stands.
    NotOwned,
}

/// What came of moving a file.
pub(crate) enum Moved {
    /// It stays: it is not Memora's as it stands, or something else stands at its place.
    Not,
    /// It is there.
    Now(NotePath),
    /// It was there, and a move that was killed had left a copy.
    Before(NotePath),
}

/// What an agent says of the user, as the user would: "The user hates …", "I hate …".
fn as_writer(text: &str) -> String {
    let said = ["The user ", "the user ", "User "].iter().find_map(|subject| text.strip_prefix(subject));
    let Some((verb, rest)) = said.and_then(|said| said.split_once(' ')) else { return text.to_owned() };
    let plain = match verb {
        "is" => "am".to_owned(),
        "has" => "have".to_owned(),
        "does" | "goes" => verb.trim_end_matches("es").to_owned(),
        _ => match (verb.strip_suffix("ies"), verb.strip_suffix('s')) {
            (Some(stem), _) => format!("{stem}y"),
            (None, Some(stem)) if ["sse", "she", "che", "xe"].iter().any(|end| stem.ends_with(end)) => {
                stem.trim_end_matches('e').to_owned()
            }
            (None, Some(stem)) if !stem.ends_with('s') => stem.to_owned(),
            _ => verb.to_owned(),
        },
    };
    format!("I {plain} {rest}")
}

impl MemoryUpkeep<'_> {
    /// Moves an item to the archive.
    pub(crate) fn forget(&self, id: &MemoryId, reason: Option<&str>) -> Result<ForgetReport, MemoryError> {
        let reason = reason.map(clean_line).filter(|reason| !reason.is_empty());
        // A reason with a credential is left out.
        let reason = reason.filter(|reason| find_credentials(reason).is_empty());
        let reason = reason.map(|reason| reason.chars().take(200).collect());
        let archived = Archived { at: self.writer.at, by: self.by(), reason };
        let report = self.move_item(id, Some(archived))?;
        if report.status != ForgetStatus::Forgotten {
            return Ok(report);
        }
        self.bridges().deliver();
        Ok(ForgetReport { also_in: self.bridges().also_in(id), ..report })
    }

    /// Forgets the one item that says just this, as its writer or as an agent would say it; of several, none.
    pub fn forget_named(&self, words: &str) -> Result<NamedForget, MemoryError> {
        let asked = ComparedWords::new(&as_writer(words));
        let query = MemoryQuery { query: words.to_owned(), limit: NAMED_MAX, ..MemoryQuery::default() };
        let hits = self.finder().find_hits(&query)?;
        let mut named: Vec<FoundItem> = hits.iter().filter_map(|hit| self.reader().read_current(hit)).collect();
        named.retain(|found| ComparedWords::new(&as_writer(&found.item.text)).is_same(&asked));
        let status = match named.as_slice() {
            [] => NamedForgetStatus::Nothing,
            [only] => match self.forget(&only.item.id, Some("the user asked for it"))?.status {
                ForgetStatus::Forgotten => NamedForgetStatus::Forgotten,
                _ => NamedForgetStatus::NotOwned,
            },
            _ => NamedForgetStatus::Several,
        };
        let named = named.into_iter().map(|found| (found.item.id.to_string(), found.band)).collect();
        Ok(NamedForget { status, named })
    }

    /// Moves an item back from the archive.
    pub(crate) fn restore(&self, id: &MemoryId) -> Result<ForgetReport, MemoryError> {
        self.move_item(id, None)
    }

    /// Moves an item to the archive, or back.
    pub(crate) fn move_item(&self, id: &MemoryId, archived: Option<Archived>) -> Result<ForgetReport, MemoryError> {
        let forgets = archived.is_some();
        let status = |status, path: Option<&NotePath>| ForgetReport {
            status,
            path: path.map(|path| path.as_str().to_owned()),
            also_in: Vec::new(),
            door: PhantomData,
        };
        let Some(found) = self.find_item_where(id, |path| self.is_archived(path) != forgets)? else {
            return Ok(status(ForgetStatus::Unknown, None));
        };
        // An agent's word does not end the user's.
        if forgets && self.writer.agent.is_some() && self.is_users_word(&found.item) {
            return Ok(status(ForgetStatus::NotOwned, Some(&found.path)));
        }
        let (act, done) =
            if forgets { ("forget", ForgetStatus::Forgotten) } else { ("restore", ForgetStatus::Restored) };
        let to = match self.move_file(&found.path, |_| true, archived.as_ref())? {
            Moved::Not => return Ok(status(ForgetStatus::NotOwned, None)),
            Moved::Before(to) => to,
            Moved::Now(to) if forgets => {
                self.bridges().queue_forget(id);
                to
            }
            Moved::Now(to) => {
                self.bridges().queue_save(&found.item, found.band);
                to
            }
        };
        self.record_act(act, id.as_str())?;
        Ok(status(done, Some(&to)))
    }

    /// Moves a file of Memora's that is as wanted to its place in the archive, or back, with what is marked in it.
    pub(crate) fn move_file(
        &self,
        path: &NotePath,
        is_wanted: impl Fn(&Owned<'_>) -> bool,
        archived: Option<&Archived>,
    ) -> Result<Moved, MemoryError> {
        let lock = self.folder.lock()?;
        let FoundFile::Owned(owned) = self.folder.find(path, &lock)? else { return Ok(Moved::Not) };
        if !is_wanted(&owned) {
            return Ok(Moved::Not);
        }
        let to = self.archive_path(path)?;
        // What a killed move left: of two copies the live one holds.
        if let FoundFile::Owned(copy) = self.folder.find(&to, &lock)?
            && copy.document.text("id") == owned.document.text("id")
        {
            if self.folder.remove(if archived.is_some() { &copy } else { &owned })? == Changed::Overtaken {
                return Ok(Moved::Not);
            }
            if archived.is_none() {
                return Ok(Moved::Before(to));
            }
        }
        let mut document = owned.document.clone();
        match archived {
            Some(archived) => {
                // Its place may have guarded it.
                let guard = self.place_band(path);
                let is_lost = guard > document.privacy().join(self.place_band(&to));
                archived.mark(&mut document, is_lost.then_some(guard));
            }
            None => Archived::unmark(&mut document, self.place_band(&to)),
        }
        let is_moved = self.move_owned(&owned, &to, &document, &lock)?;
        drop(lock);
        if !is_moved {
            return Ok(Moved::Not);
        }
        self.of.note_written(&to);
        Ok(Moved::Now(to))
    }

    /// Writes a file at another place, with what was changed in it, and takes the one here away. `false` if something else stands
    /// there, or was saved here meanwhile.
    fn move_owned(
        &self,
        owned: &Owned<'_>,
        to: &NotePath,
        document: &Document,
        lock: &FolderLock,
    ) -> Result<bool, MemoryError> {
        if !self.folder.create(to, document, lock)? {
            return Ok(false);
        }
        if self.folder.remove(owned)? == Changed::Overtaken {
            // Saved in an editor a moment ago: that one stands, and the copy goes.
            if let FoundFile::Owned(copy) = self.folder.find(to, lock)? {
                self.folder.remove(&copy)?;
            }
            return Ok(false);
        }
        Ok(true)
    }

    /// Removes the file of an item that was made of a log's entry: `false` if it is no such item, or a person edited or
    /// confirmed it; `None` if there is no item of that id.
    pub(crate) fn remove_item(&self, id: &MemoryId) -> Result<Option<bool>, MemoryError> {
        let Some(found) = self.find_item(id)? else { return Ok(None) };
        if found.item.from.is_none() || self.confirmation(&found.item).is_some() {
            return Ok(Some(false));
        }
        let is_removed = self.remove_file(&found.path)?;
        if is_removed == Some(true) {
            self.bridges().queue_forget(id);
        }
        Ok(is_removed)
    }

    /// Removes a file of Memora's: `false` if it is not, or was saved again meanwhile; `None` if there is none.
    pub(crate) fn remove_file(&self, path: &NotePath) -> Result<Option<bool>, MemoryError> {
        let lock = self.folder.lock()?;
        Ok(match self.folder.find(path, &lock)? {
            FoundFile::Owned(owned) => Some(self.folder.remove(&owned)? == Changed::Done),
            FoundFile::NotOurs => Some(false),
            FoundFile::Missing => None,
        })
    }

    fn place_band(&self, path: &NotePath) -> Band {
        self.session.memora.vault.path_context(path).band
    }

    /// Seals a file that the user edited, as it stands. The tasks of the scratchpads that continue it come back into it.
    pub fn reseal(&self, path: &NotePath) -> Result<ResealReport, MemoryError> {
        let lock = self.folder.lock()?;
        let sealed = self.folder.reseal(path, &lock)? == Some(Changed::Done);
        let mut merged = 0;
        let inside = path.as_str().strip_suffix(".md").unwrap_or(path.as_str());
        if let FoundFile::Owned(first) = self.folder.find(path, &lock)?
            && let Some(mut pad) = Scratchpad::from_document(first.document.clone())
        {
            let mut gone = Vec::new();
            for number in 2..1_000 {
                let Ok(next) = NotePath::new(format!("{inside} {number}.md")) else { break };
                match self.folder.find(&next, &lock)? {
                    FoundFile::Missing => break,
                    FoundFile::NotOurs => {}
                    FoundFile::Owned(owned) => {
                        let Some(next) = Scratchpad::from_document(owned.document.clone()) else { continue };
                        for task in Scratchpad::join_tasks(&[pad.clone(), next]) {
                            if !task.done || pad.change(&task.words, TaskOperation::Done) == 0 {
                                pad.change(&task.words, TaskOperation::Remove);
                                pad.append(&task);
                            }
                        }
                        gone.push(owned);
                    }
                }
            }
            if !gone.is_empty() && self.folder.replace(&first, pad.document())? == Changed::Done {
                for owned in gone {
                    merged += usize::from(self.folder.remove(&owned)? == Changed::Done);
                }
            }
        }
        drop(lock);
        if sealed {
            self.record_act("reseal", "")?;
        }
        Ok(ResealReport { path: path.as_str().to_owned(), sealed, merged })
    }
}

#[cfg(test)]
mod tests {
    use super::as_writer;

    #[test]
    fn an_agent_says_of_the_user_what_the_user_says() {
        for (text, expected) in [
            ("The user hates semicolons.", "I hate semicolons."),
            ("the user has two cats", "I have two cats"),
            ("User is vegetarian now", "I am vegetarian now"),
            ("The user tries Zed", "I try Zed"),
            ("The user watches talks", "I watch talks"),
            ("The user uses bun", "I use bun"),
            ("The user does not like tea", "I do not like tea"),
            ("The users hate it", "The users hate it"),
            ("I hate semicolons", "I hate semicolons"),
        ] {
            assert_eq!(as_writer(text), expected, "{text}");
        }
    }
}
