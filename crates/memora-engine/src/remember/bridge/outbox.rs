//! What waits for a server, and what it was told: empty files whose names say it, in the state folder. No words.
//!
//! `queue/NUMBER ACT ID TRIES` waits, in order; `sent/ID` holds the id that the server gave.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use memora_memory::MemoryId;

use crate::state::bridges::Bridge;
use crate::state::config::private_file::{lock_private_file, private_file_options};

/// How long something waits before it is given up.
const WAIT_MAX: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// What a server is to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub(super) enum Act {
    Save,
    Forget,
}

/// Something that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    number: u64,
    pub(super) act: Act,
    pub(super) id: MemoryId,
    /// How often it was tried.
    pub(super) tries: u32,
}

impl Waiting {
    fn file_name(&self) -> String {
        let Self { number, act, id, tries } = self;
        format!("{number:012} {act} {id} {tries}")
    }

    fn parse(name: &str) -> Option<Self> {
        let mut parts = name.split(' ');
        let waiting = Self {
            number: parts.next()?.parse().ok()?,
            act: parts.next()?.parse().ok()?,
            id: MemoryId::parse(parts.next()?)?,
            tries: parts.next()?.parse().ok()?,
        };
        parts.next().is_none().then_some(waiting)
    }
}

/// The outbox of one server.
pub(super) struct Outbox {
    folder: PathBuf,
}

impl Outbox {
    pub(super) fn of(bridge: &Bridge) -> Self {
        Self { folder: bridge.folder.clone() }
    }

    fn queue(&self) -> PathBuf {
        self.folder.join("queue")
    }

    fn sent(&self, id: &MemoryId) -> PathBuf {
        self.folder.join("sent").join(id.as_str())
    }

    /// Takes the outbox for delivering; `None` while another process has it.
    pub(super) fn lock(&self) -> io::Result<Option<fs::File>> {
        fs::create_dir_all(&self.folder)?;
        lock_private_file(&self.folder.join("outbox.lock"), Duration::ZERO)
    }

    /// Adds something behind all that waits.
    pub(super) fn add(&self, act: Act, id: &MemoryId) -> io::Result<()> {
        fs::create_dir_all(self.queue())?;
        let last = self.waiting().last().map_or(0, |last| last.number);
        let waiting = Waiting { number: last + 1, act, id: id.clone(), tries: 0 };
        let file = private_file_options().write(true).create(true).truncate(false).open(self.path_of(&waiting))?;
        file.sync_all()
    }

    fn path_of(&self, waiting: &Waiting) -> PathBuf {
        self.queue().join(waiting.file_name())
    }

    /// What waits, in order.
    pub(super) fn waiting(&self) -> Vec<Waiting> {
        let names = names_in(&self.queue());
        let mut waiting: Vec<Waiting> = names.iter().filter_map(|name| Waiting::parse(name)).collect();
        waiting.sort_by_key(|waiting| waiting.number);
        waiting
    }

    pub(super) fn is_empty(&self) -> bool {
        names_in(&self.queue()).is_empty()
    }

    /// Whether something waited too long.
    pub(super) fn is_overdue(&self, waiting: &Waiting) -> bool {
        let since = fs::metadata(self.path_of(waiting)).and_then(|found| found.modified()).ok();
        since.and_then(|since| SystemTime::now().duration_since(since).ok()).is_some_and(|age| age > WAIT_MAX)
    }

    /// Notes that it is tried once more, or, if it surely did not arrive, once less. Its age stays.
    pub(super) fn set_tries(&self, waiting: &mut Waiting, tries: u32) -> io::Result<()> {
        let now = Waiting { tries, ..waiting.clone() };
        fs::rename(self.path_of(waiting), self.path_of(&now))?;
        *waiting = now;
        Ok(())
    }

    pub(super) fn remove(&self, waiting: &Waiting) -> io::Result<()> {
        remove_if_there(&self.path_of(waiting))
    }

    /// Notes that a server has an item, under an id of its own, if it gave one.
    pub(super) fn record_sent(&self, id: &MemoryId, foreign: &str) -> io::Result<()> {
        let file = self.sent(id);
        fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
        let mut file = private_file_options().write(true).create(true).truncate(true).open(file)?;
        file.write_all(foreign.as_bytes())?;
        file.sync_all()
    }

    /// Notes that a server no longer has an item.
    pub(super) fn record_gone(&self, id: &MemoryId) -> io::Result<()> {
        remove_if_there(&self.sent(id))
    }

    /// The server's id of an item that it has; empty if it gave none.
    pub(super) fn foreign_id(&self, id: &MemoryId) -> Option<String> {
        fs::read_to_string(self.sent(id)).ok()
    }

    /// Whether a server has an item, or is to be told of it.
    pub(super) fn knows(&self, id: &MemoryId) -> bool {
        self.sent(id).exists() || self.waiting().iter().any(|waiting| waiting.id == *id)
    }

    /// The server's ids of all items that it has.
    pub(super) fn foreign_ids(&self) -> Vec<String> {
        let ids = names_in(&self.folder.join("sent"));
        ids.iter().filter_map(|id| self.foreign_id(&MemoryId::parse(id)?)).collect()
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_read_in_order_and_says_no_words() {
        let folder = tempfile::tempdir().expect("a folder");
        let outbox = Outbox { folder: folder.path().to_owned() };
        let [one, two] = [1, 2].map(MemoryId::from_random);
        assert!(outbox.is_empty() && !outbox.knows(&one));
        for (act, id) in [(Act::Save, &two), (Act::Save, &one), (Act::Forget, &two)] {
            outbox.add(act, id).expect("it is written");
        }
        let waiting = outbox.waiting();
        let read: Vec<_> = waiting.iter().map(|waiting| (waiting.act, &waiting.id, waiting.tries)).collect();
        assert_eq!(read, [(Act::Save, &two, 0), (Act::Save, &one, 0), (Act::Forget, &two, 0)]);
        let mut first = waiting[0].clone();
        assert!(!outbox.is_overdue(&first));
        outbox.set_tries(&mut first, 1).expect("it is renamed");
        assert_eq!(outbox.waiting()[0], first);
        outbox.record_sent(&two, "m-1").expect("it is written");
        outbox.remove(&first).expect("it is removed");
        assert_eq!((outbox.waiting().len(), outbox.foreign_id(&two).as_deref()), (2, Some("m-1")));
        assert_eq!(outbox.foreign_ids(), ["m-1"]);
        outbox.record_gone(&two).expect("it is removed");
        assert_eq!(outbox.foreign_id(&two), None);
        // Names that are none of ours are passed over.
        fs::write(outbox.queue().join("words"), "").expect("a file");
        assert_eq!(outbox.waiting().len(), 2);
    }

    #[test]
    fn one_process_delivers_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let outbox = Outbox { folder: folder.path().to_owned() };
        let lock = outbox.lock().expect("a file").expect("nobody has it");
        assert!(outbox.lock().expect("a file").is_none());
        drop(lock);
        assert!(outbox.lock().expect("a file").is_some());
    }
}
