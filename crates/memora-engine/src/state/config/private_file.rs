//! Files that only their owner may read.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Open options that give a new file permissions for its owner alone.
pub(crate) fn private_file_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Opens a file, or makes it, and takes its lock; `None` if another process has that for longer than one waits.
pub(crate) fn lock_private_file(path: &Path, wait: Duration) -> io::Result<Option<File>> {
    let file = private_file_options().read(true).write(true).create(true).truncate(false).open(path)?;
    let began = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) if began.elapsed() < wait => thread::sleep(Duration::from_millis(2)),
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}
