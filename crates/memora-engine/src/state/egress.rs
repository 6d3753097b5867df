//! The log of what left this machine: when, where to, how much, which claims. Never what they say.
//!
//! `egress.jsonl` in a vault's state folder has one JSON object a line, oldest first. Invariant: **what is not
//! logged is not sent.** A caller [records](EgressLog::record) first and sends after, and when recording fails it does not
//! send; each retry is recorded again. So the log may hold what never arrived, and lacks nothing that did. One thing
//! is recorded afterwards: prompts to a model that was taken for a local one until its reply said otherwise.
//!
//! Nothing here empties it: [`Memora::reset`](crate::state::open::Memora::reset) leaves it alone, since it is the user's evidence.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::{Timestamp, Unit};
use memora_vault::{Band, Hint};
use serde_json::{Map, Value};

use crate::state::config::private_file::private_file_options;

/// The log, the part of it that was set aside, and what writers take in turn.
const LOG: &str = "egress.jsonl";
const OLDER: &str = "egress.1.jsonl";
const LOCK: &str = "egress.lock";

/// In bytes. When a line would make the log larger, it is set aside first.
const BYTES_MAX: u64 = 8 << 20;

/// Maximum number of tries to take the lock, one every ten milliseconds. Its holder writes a single line.
const LOCK_TRIES: u32 = 500;

/// One transfer out of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EgressEntry {
    /// When, to the second.
    pub at: Timestamp,
    /// The receiver: `host:port`, or `mcp` for the client of the MCP server, or `lsp` for an editor.
    pub to: String,
    /// Which model, where it was one.
    pub model: Option<String>,
    /// What for: a [template's name](memora_redact::Template::name), a tool's name.
    pub what: String,
    /// How many bytes.
    pub bytes: u64,
    /// Ids of the claims in it, and handles of redacted ones.
    pub claims: Vec<String>,
    /// How many pieces of the vault were in it, by band; redacted ones, of which a handle says nothing, are in none.
    pub bands: BandCounts,
}

impl EgressEntry {
    /// An entry of this moment, with nothing of the vault in it yet.
    #[must_use]
    pub fn now(to: &str, model: Option<&str>, what: &str, bytes: u64) -> Self {
        let now = Timestamp::now();
        Self {
            at: now.round(Unit::Second).unwrap_or(now),
            to: to.to_owned(),
            model: model.map(str::to_owned),
            what: what.to_owned(),
            bytes,
            claims: Vec::new(),
            bands: BandCounts::default(),
        }
    }

    /// The same entry with its contents: for each piece a claim's id or handle, if it has one, and its band.
    #[must_use]
    pub fn with_pieces(mut self, pieces: impl IntoIterator<Item = (Option<String>, Band)>) -> Self {
        for (claim, band) in pieces {
            if !claim.as_deref().is_some_and(is_handle) {
                self.bands.add(band);
            }
            self.claims.extend(claim);
        }
        self
    }

    /// How many redacted claims were in it.
    #[must_use]
    pub fn redacted_count(&self) -> usize {
        self.claims.iter().filter(|claim| is_handle(claim)).count()
    }

    fn to_json_line(&self) -> String {
        let bands = [("public", self.bands.public), ("private", self.bands.private), ("secret", self.bands.secret)];
        // Only a client that the user called local was ever given any, or a model that passed for one on this machine.
        let bands: Map<String, Value> = bands
            .into_iter()
            .filter(|(band, count)| *band != "secret" || *count > 0)
            .map(|(band, count)| (band.to_owned(), count.into()))
            .collect();
        let line = serde_json::json!({
            "at": self.at.to_string(),
            "to": self.to,
            "model": self.model,
            "what": self.what,
            "bytes": self.bytes,
            "claims": self.claims,
            "bands": bands,
        });
        format!("{line}\n")
    }

    fn parse(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        let text = |key: &str| value.get(key)?.as_str().map(str::to_owned);
        let bands = value.get("bands")?;
        let count = |band: &str| bands.get(band).and_then(Value::as_u64).unwrap_or_default();
        let claims = value.get("claims")?.as_array()?.iter().map(|claim| claim.as_str().map(str::to_owned));
        Some(Self {
            at: text("at")?.parse().ok()?,
            to: text("to")?,
            model: text("model"),
            what: text("what")?,
            bytes: value.get("bytes")?.as_u64()?,
            claims: claims.collect::<Option<_>>()?,
            bands: BandCounts { public: count("public"), private: count("private"), secret: count("secret") },
        })
    }
}

fn is_handle(claim: &str) -> bool {
    claim.starts_with('~')
}

/// How many, by band.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BandCounts {
    /// Public ones.
    pub public: u64,
    /// Private ones.
    pub private: u64,
    /// Secret ones.
    pub secret: u64,
}

impl BandCounts {
    /// Counts one more.
    pub fn add(&mut self, band: Band) {
        *match band {
            Band::Public => &mut self.public,
            Band::Private => &mut self.private,
            Band::Secret => &mut self.secret,
        } += 1;
    }

    /// Counts what another counted.
    pub fn join(&mut self, other: Self) {
        self.public += other.public;
        self.private += other.private;
        self.secret += other.secret;
    }
}

/// The entries read from the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EgressEntries {
    /// Oldest first.
    pub entries: Vec<EgressEntry>,
    /// Lines that are not entries: cut short by a power loss, or edited by hand.
    pub unreadable: usize,
}

/// Why the log could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum EgressError {
    /// The file system.
    #[error("cannot use the egress log {}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process held the log until the timeout.
    #[error("another process holds the egress log")]
    Busy,
}

impl Hint for EgressError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => "nothing is sent that cannot be logged: check that the state folder can be written",
            Self::Busy => "try again when the other memora process is done",
        }
    }
}

/// The log of one vault.
#[derive(Clone, Debug)]
pub struct EgressLog {
    folder: PathBuf,
    bytes_max: u64,
}

impl EgressLog {
    /// The log in a vault's state folder, which is there. Touches nothing.
    #[must_use]
    pub fn in_state_dir(state: &Path) -> Self {
        Self { folder: state.to_owned(), bytes_max: BYTES_MAX }
    }

    /// The path of the log, which exists once something was recorded.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.join(LOG)
    }

    /// Appends an entry, and returns once it is on the disk.
    ///
    /// Several processes and threads may do so at once. A log of 8 MiB becomes `egress.1.jsonl`, in place of the one
    /// before.
    ///
    /// # Errors
    /// [`EgressError`]; then what was to be sent must not be.
    pub fn record(&self, entry: &EgressEntry) -> Result<(), EgressError> {
        let _lock = self.acquire_lock()?;
        let path = self.path();
        let failed = |source| EgressError::Io { path: path.clone(), source };
        let mut line = entry.to_json_line();
        let mut file = open_log_file(&path).map_err(failed)?;
        let mut size = file.seek(SeekFrom::End(0)).map_err(failed)?;
        if size > 0 && size + as_u64(line.len()) > self.bytes_max {
            drop(file);
            fs::rename(&path, self.folder.join(OLDER)).map_err(failed)?;
            file = open_log_file(&path).map_err(failed)?;
            size = 0;
        }
        if size > 0 && !ends_with_newline(&mut file).map_err(failed)? {
            // What a crash left of the last line is not to spoil this one.
            line.insert(0, '\n');
        }
        file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).map_err(failed)
    }

    /// The last entries, as many as `last`, of the log and of what was set aside.
    ///
    /// # Errors
    /// [`EgressError`]. A missing log is not an error.
    pub fn read_last(&self, last: usize) -> Result<EgressEntries, EgressError> {
        let mut logged = EgressEntries::default();
        if !self.path().exists() && !self.folder.join(OLDER).exists() {
            return Ok(logged);
        }
        let _lock = self.acquire_lock()?;
        for name in [OLDER, LOG] {
            let path = self.folder.join(name);
            let bytes = match fs::read(&path) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(source) => return Err(EgressError::Io { path, source }),
            };
            // Bytes that are no UTF-8 spoil their own line alone.
            for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                match std::str::from_utf8(line).ok().and_then(EgressEntry::parse) {
                    Some(entry) => logged.entries.push(entry),
                    None => logged.unreadable += 1,
                }
            }
        }
        logged.entries.drain(..logged.entries.len().saturating_sub(last));
        Ok(logged)
    }

    /// Takes a lock in a file of its own, since the log may be set aside while another process waits.
    fn acquire_lock(&self) -> Result<File, EgressError> {
        let path = self.folder.join(LOCK);
        let failed = |source| EgressError::Io { path: path.clone(), source };
        let file = open_log_file(&path).map_err(failed)?;
        for _ in 0..LOCK_TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            }
        }
        Err(EgressError::Busy)
    }
}

/// Opens a file for reading and appending, made if missing.
fn open_log_file(path: &Path) -> io::Result<File> {
    private_file_options().read(true).append(true).create(true).open(path)
}

fn ends_with_newline(file: &mut File) -> io::Result<bool> {
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

fn as_u64(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(claim: &str) -> EgressEntry {
        EgressEntry::now("api.example.org:443", Some("a-model"), "answer", 1200).with_pieces([
            (Some(claim.to_owned()), Band::Public),
            (Some("~abcdefgh2345".to_owned()), Band::Public),
            (None, Band::Private),
        ])
    }

    fn log() -> (tempfile::TempDir, EgressLog) {
        let folder = tempfile::tempdir().expect("a folder");
        let egress = EgressLog::in_state_dir(folder.path());
        (folder, egress)
    }

    #[test]
    fn what_was_recorded_is_read_again() {
        let (_folder, egress) = log();
        assert_eq!(egress.read_last(10).expect("no log is none that fails"), EgressEntries::default());
        assert!(!egress.path().exists(), "reading makes no file");
        let first = entry("7h3kq0v9x2ma");
        let second = EgressEntry::now("mcp", None, "search", 3).with_pieces([(None, Band::Secret)]);
        egress.record(&first).expect("a line");
        egress.record(&second).expect("a line");
        let all = egress.read_last(10).expect("a log");
        assert_eq!(all, EgressEntries { entries: vec![first, second.clone()], unreadable: 0 });
        assert_eq!(egress.read_last(1).expect("a log").entries, [second]);
        assert_eq!(egress.read_last(0).expect("a log").entries, []);
    }

    #[test]
    fn a_line_has_these_names_and_no_others() {
        let mut entry = entry("7h3kq0v9x2ma");
        entry.at = "2025-12-31T10:20:30Z".parse().expect("a time");
        assert_eq!(
            entry.to_json_line(),
            "{\"at\":\"2025-12-31T10:20:30Z\",\"bands\":{\"private\":1,\"public\":1},\"bytes\":1200,\
             \"claims\":[\"7h3kq0v9x2ma\",\"~abcdefgh2345\"],\"model\":\"a-model\",\
             \"to\":\"api.example.org:443\",\"what\":\"answer\"}\n"
        );
    }

    #[test]
    fn a_name_with_a_line_end_stays_one_line() {
        let (_folder, egress) = log();
        let odd = EgressEntry::now("host:1", Some("a\nb\u{2028}\"c"), "answer", 0);
        egress.record(&odd).expect("a line");
        assert_eq!(egress.read_last(9).expect("a log").entries, [odd]);
    }

    #[test]
    fn what_several_write_at_once_does_not_mix() {
        let (folder, egress) = log();
        std::thread::scope(|scope| {
            for writer in ["a", "b", "c"] {
                let egress = egress.clone();
                scope.spawn(move || {
                    for number in 0..40 {
                        let long = format!("{writer}{number}").repeat(40);
                        egress.record(&entry(&long)).expect("a line");
                    }
                });
            }
        });
        let logged = EgressLog::in_state_dir(folder.path()).read_last(1000).expect("a log");
        assert_eq!((logged.entries.len(), logged.unreadable), (120, 0));
        for writer in ["a", "b", "c"] {
            let own: Vec<_> = logged.entries.iter().filter(|entry| entry.claims[0].starts_with(writer)).collect();
            let in_order = (0..40).map(|number| format!("{writer}{number}").repeat(40));
            assert!(own.iter().map(|entry| entry.claims[0].clone()).eq(in_order), "each in its own order");
        }
    }

    #[test]
    fn a_torn_line_is_counted_and_spoils_no_other() {
        let (_folder, egress) = log();
        egress.record(&entry("first")).expect("a line");
        let whole = fs::read(egress.path()).expect("a log");
        let torn = [&whole[..], &whole[..whole.len() / 2]].concat();
        fs::write(egress.path(), torn).expect("a torn log");
        let logged = egress.read_last(9).expect("a log");
        assert_eq!((logged.entries.len(), logged.unreadable), (1, 1));
        egress.record(&entry("second")).expect("a line");
        let logged = egress.read_last(9).expect("a log");
        assert_eq!((logged.entries.len(), logged.unreadable), (2, 1));
        assert_eq!(logged.entries[1].claims[0], "second");
        fs::write(egress.path(), [&whole[..], b"\xff\xfe\n{}\n[]\n", &whole[..]].concat()).expect("a spoilt log");
        let logged = egress.read_last(9).expect("a log");
        assert_eq!((logged.entries.len(), logged.unreadable), (2, 3));
    }

    #[test]
    fn a_full_log_is_set_aside_once_and_the_one_before_goes() {
        let (folder, mut egress) = log();
        egress.bytes_max = 3 * as_u64(entry("0").to_json_line().len());
        for number in 0..8 {
            egress.record(&entry(&number.to_string())).expect("a line");
        }
        let kept: Vec<_> =
            egress.read_last(99).expect("a log").entries.into_iter().map(|e| e.claims[0].clone()).collect();
        assert_eq!(kept, ["3", "4", "5", "6", "7"], "the first three went with the file that was replaced");
        assert!(folder.path().join(OLDER).exists());
        let last: Vec<_> =
            egress.read_last(3).expect("a log").entries.into_iter().map(|e| e.claims[0].clone()).collect();
        assert_eq!(last, ["5", "6", "7"], "the last ones reach into what was set aside");
    }

    #[test]
    fn what_cannot_be_logged_is_an_error_with_a_hint() {
        let folder = tempfile::tempdir().expect("a folder");
        let egress = EgressLog::in_state_dir(&folder.path().join("not there"));
        let error = egress.record(&entry("a")).expect_err("no folder");
        assert!(matches!(error, EgressError::Io { .. }) && error.hint().contains("nothing is sent"));
    }

    #[cfg(unix)]
    #[test]
    fn the_log_is_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let (folder, egress) = log();
        egress.record(&entry("a")).expect("a line");
        for name in [LOG, LOCK] {
            let mode = fs::metadata(folder.path().join(name)).expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
    }
}
