//! Files that their owner alone may read.

use std::fs::OpenOptions;

/// Options for a file that is for its owner alone if it is made.
pub(crate) fn private_file_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
