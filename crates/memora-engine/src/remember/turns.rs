//! The turns of a program's session, counted from one of its events to the next, by a small file in the state folder: numbers,
//! never words.
//!
//! Of a transcript only what was added is read. Invariant: **what is due is done once**: the file is locked while it is open,
//! and another process that wants it leaves it alone.

use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use memora_memory::Transcript;
use serde::{Deserialize, Serialize};

use crate::state::config::private_file::lock_private_file;

/// The folder of these files, in the state folder.
const FOLDER: &str = "turns";
/// The time after which a session is not expected to go on.
const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How far a session was read, and what was said since.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct TurnCounts {
    /// The bytes of the transcript that were counted.
    read: u64,
    /// Those that were there at the last checkpoint.
    checkpoint: u64,
    /// The turns since then.
    since_checkpoint: u64,
    /// The turns since the agent was asked to save.
    since_request: u64,
}

/// The turns of one session.
#[derive(Debug)]
pub struct SessionTurns {
    file: File,
    transcript: PathBuf,
    counts: TurnCounts,
}

impl SessionTurns {
    /// Opens the counts of a session with a transcript; `None` if another process has them for longer than one waits.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn open(state: &Path, session: &str, transcript: &Path, wait: Duration) -> io::Result<Option<Self>> {
        let folder = state.join(FOLDER);
        let mut key = blake3::Hasher::new();
        key.update(session.as_bytes()).update(&[0]).update(transcript.as_os_str().as_encoded_bytes());
        let path = folder.join(key.finalize().to_hex().get(..32).unwrap_or_default());
        if !path.exists() {
            fs::create_dir_all(&folder)?;
            remove_old(&folder);
        }
        let Some(mut file) = lock_private_file(&path, wait)? else { return Ok(None) };
        let mut text = String::new();
        // What cannot be read is counted anew.
        let counts = file.read_to_string(&mut text).ok().and_then(|_| serde_json::from_str(&text).ok());
        Ok(Some(Self { file, transcript: transcript.to_owned(), counts: counts.unwrap_or_default() }))
    }

    /// Counts what was said since it was counted last.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn count_new(&mut self) -> io::Result<()> {
        let new = self.read_from(|counts| counts.read)?;
        let counts = &mut self.counts;
        counts.read = counts.read.saturating_add(new.whole_bytes());
        counts.since_checkpoint = counts.since_checkpoint.saturating_add(new.turns());
        counts.since_request = counts.since_request.saturating_add(new.turns());
        Ok(())
    }

    /// Reads what was said since the last checkpoint, and counts it.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn read_since_checkpoint(&mut self) -> io::Result<Transcript> {
        let new = self.read_from(|counts| counts.checkpoint)?;
        let counts = &mut self.counts;
        let uncounted = new.turns().saturating_sub(counts.since_checkpoint);
        counts.since_request = counts.since_request.saturating_add(uncounted);
        counts.since_checkpoint = new.turns();
        counts.read = counts.checkpoint.saturating_add(new.whole_bytes());
        Ok(new)
    }

    /// Whether a checkpoint is due every so many turns; 0 is never.
    #[must_use]
    pub fn is_checkpoint_due(&self, every: u32) -> bool {
        every > 0 && self.counts.since_checkpoint >= u64::from(every)
    }

    /// Whether the agent is to be asked to save, every so many turns; 0 is never.
    #[must_use]
    pub fn is_request_due(&self, every: u32) -> bool {
        every > 0 && self.counts.since_request >= u64::from(every)
    }

    /// Notes that all that was counted is in a checkpoint.
    pub fn mark_checkpoint(&mut self) {
        self.counts.checkpoint = self.counts.read;
        self.counts.since_checkpoint = 0;
    }

    /// Notes that the agent was asked.
    pub fn mark_request(&mut self) {
        self.counts.since_request = 0;
    }

    /// Writes the counts.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn store(&mut self) -> io::Result<()> {
        let text = serde_json::to_vec(&self.counts)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&text)?;
        self.file.set_len(text.len() as u64)
    }

    /// Reads the transcript from a place that was counted. One that no longer has a line's end there is another by now, and is
    /// read from its beginning; one that is not there says nothing, nor does what is no file. A last line that the program may still
    /// be writing is left for the next time.
    fn read_from(&mut self, place: impl Fn(&TurnCounts) -> u64) -> io::Result<Transcript> {
        let Some(mut file) = open_transcript(&self.transcript)? else { return Ok(Transcript::default()) };
        if !ends_line(&mut file, self.counts.read)? || !ends_line(&mut file, self.counts.checkpoint)? {
            self.counts = TurnCounts::default();
        }
        file.seek(SeekFrom::Start(place(&self.counts)))?;
        Transcript::read_whole_lines(BufReader::with_capacity(1 << 16, file))
    }
}

/// Opens a transcript; `None` if it is not there, or is no file: a pipe would keep its reader waiting.
///
/// # Errors
/// Those of the file system.
pub fn open_transcript(path: &Path) -> io::Result<Option<File>> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => File::open(path).map(Some),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether a line of a file ends at a place.
fn ends_line(file: &mut File, place: u64) -> io::Result<bool> {
    let Some(last) = place.checked_sub(1) else { return Ok(true) };
    if last >= file.metadata()?.len() {
        return Ok(false);
    }
    let mut byte = [0];
    file.seek(SeekFrom::Start(last))?;
    Ok(file.read(&mut byte)? == 1 && byte == *b"\n")
}

/// Removes the files of sessions that ended long ago, as far as they can be removed.
fn remove_old(folder: &Path) {
    let now = SystemTime::now();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|found| found.modified()).ok();
        if modified.and_then(|at| now.duration_since(at).ok()).is_some_and(|age| age > KEPT_FOR) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: usize) -> String {
        format!("{{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"request number {number}\"}}}}\n")
    }

    #[track_caller]
    fn try_open(folder: &Path) -> Option<SessionTurns> {
        SessionTurns::open(folder, "s1", &folder.join("t.jsonl"), Duration::ZERO).expect("it can be read")
    }

    #[track_caller]
    fn open(folder: &Path) -> SessionTurns {
        try_open(folder).expect("nobody has it")
    }

    #[test]
    fn turns_are_counted_once_and_only_what_is_new_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let write = |from: usize, to: usize| {
            let mut file = File::options().append(true).create(true).open(folder.join("t.jsonl")).expect("a file");
            file.write_all((from..to).map(line).collect::<String>().as_bytes()).expect("it is written");
        };
        open(folder).count_new().expect("no transcript is no turn");
        write(0, 3);
        let mut turns = open(folder);
        assert!(try_open(folder).is_none(), "it is locked");
        turns.count_new().expect("a transcript");
        assert!(turns.is_checkpoint_due(3) && !turns.is_checkpoint_due(4) && !turns.is_checkpoint_due(0));
        let read = turns.read_since_checkpoint().expect("a transcript");
        assert_eq!(read.requests().len(), 3);
        turns.mark_checkpoint();
        turns.store().expect("it is written");
        drop(turns);
        // Another one counts nothing again.
        let mut turns = open(folder);
        turns.count_new().expect("a transcript");
        assert!(!turns.is_checkpoint_due(1) && turns.is_request_due(3) && !turns.is_request_due(4));
        turns.mark_request();
        write(3, 5);
        let read = turns.read_since_checkpoint().expect("a transcript");
        assert_eq!(read.requests(), ["request number 3", "request number 4"]);
        assert!(turns.is_checkpoint_due(2) && turns.is_request_due(2) && !turns.is_request_due(3));
        turns.store().expect("it is written");
        drop(turns);
        // A transcript that was written anew is counted anew.
        fs::write(folder.join("t.jsonl"), line(9)).expect("it is written");
        let mut turns = open(folder);
        turns.count_new().expect("a transcript");
        assert!(turns.is_checkpoint_due(1) && !turns.is_checkpoint_due(2));
    }

    #[test]
    fn counts_that_cannot_be_read_are_made_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut turns = open(folder.path());
        turns.counts.since_request = 7;
        turns.store().expect("it is written");
        turns.file.write_all(b"}").expect("it is written");
        drop(turns);
        assert_eq!(open(folder.path()).counts, TurnCounts::default());
    }
}
