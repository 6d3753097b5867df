//! What a language model replied about memories: `memory-replies.json` in the vault's state folder.
//!
//! Each entry is about one file (the note of a session, or the memory that stays of some to merge) as it stood, by a keyed hash of the
//! words that were asked about: the same words are asked about once. Invariant: **a reply is text, and is judged anew whenever it is
//! used.** It may have guarded words, so the file is its owner's alone, and an entry goes with the file that it is about.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::state::config::private_file::private_file_options;

/// The file, and what it is replaced by.
const FILE: &str = "memory-replies.json";
const NEXT: &str = "memory-replies.json.new";
/// The most that is read of it, in bytes.
const BYTES_MAX: u64 = 64 << 20;

/// What is asked about: the path of a file, and a hash of the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplySubject {
    pub(crate) path: String,
    pub(crate) words: String,
}

/// The replies of one vault.
pub(crate) struct MemoryReplies {
    folder: PathBuf,
    replies: BTreeMap<String, StoredReply>,
}

#[derive(Serialize, Deserialize)]
struct StoredReply {
    words: String,
    model: String,
    reply: String,
}

impl MemoryReplies {
    /// Reads the file. One that cannot be read has no replies: they can be asked for again.
    pub(crate) fn load(state: &Path) -> Self {
        let mut text = Vec::new();
        let read = File::open(state.join(FILE)).and_then(|file| file.take(BYTES_MAX).read_to_end(&mut text));
        let replies = read.ok().and_then(|_| serde_json::from_slice(&text).ok()).unwrap_or_default();
        Self { folder: state.to_owned(), replies }
    }

    /// The reply about something, if it is as it was.
    pub(crate) fn find(&self, about: &ReplySubject) -> Option<&str> {
        self.replies.get(&about.path).filter(|stored| stored.words == about.words).map(|stored| stored.reply.as_str())
    }

    /// Stores a reply, and returns once it is on the disk.
    pub(crate) fn store(&mut self, about: &ReplySubject, model: &str, reply: &str) -> io::Result<()> {
        let stored = StoredReply { words: about.words.clone(), model: model.to_owned(), reply: reply.to_owned() };
        self.replies.insert(about.path.clone(), stored);
        self.write()
    }

    /// Drops what is about files that are gone.
    pub(crate) fn retain(&mut self, is_there: impl Fn(&str) -> bool) -> io::Result<()> {
        let before = self.replies.len();
        self.replies.retain(|path, _| is_there(path));
        if self.replies.len() == before { Ok(()) } else { self.write() }
    }

    /// Deletes the file.
    pub(crate) fn remove(state: &Path) -> io::Result<()> {
        match fs::remove_file(state.join(FILE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn write(&self) -> io::Result<()> {
        let next = self.folder.join(NEXT);
        let mut file = private_file_options().write(true).create(true).truncate(true).open(&next)?;
        file.write_all(&serde_json::to_vec(&self.replies).map_err(io::Error::other)?)?;
        file.sync_all()?;
        fs::rename(next, self.folder.join(FILE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(path: &str, words: &str) -> ReplySubject {
        ReplySubject { path: path.to_owned(), words: words.to_owned() }
    }

    #[test]
    fn a_reply_is_found_while_its_subject_is_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut replies = MemoryReplies::load(folder.path());
        assert_eq!(replies.find(&about("a", "1")), None);
        replies.store(&about("a", "1"), "m", "yes").expect("it is written");
        replies.store(&about("b", "1"), "m", "no").expect("it is written");
        let mut replies = MemoryReplies::load(folder.path());
        assert_eq!((replies.find(&about("a", "1")), replies.find(&about("a", "2"))), (Some("yes"), None));
        replies.retain(|path| path == "b").expect("it is written");
        let replies = MemoryReplies::load(folder.path());
        assert_eq!((replies.find(&about("a", "1")), replies.find(&about("b", "1"))), (None, Some("no")));
        MemoryReplies::remove(folder.path()).expect("it can be deleted");
        MemoryReplies::remove(folder.path()).expect("there is nothing left");
        assert_eq!(MemoryReplies::load(folder.path()).find(&about("b", "1")), None);
    }

    #[test]
    fn a_file_that_is_not_understood_has_no_replies() {
        let folder = tempfile::tempdir().expect("a folder");
        for odd in ["", "[]", "{\"a\": 1}", "{\"a\": {\"words\": \"1\"}}"] {
            fs::write(folder.path().join(FILE), odd).expect("it is spoilt");
            assert_eq!(MemoryReplies::load(folder.path()).find(&about("a", "1")), None, "{odd}");
        }
    }
}
