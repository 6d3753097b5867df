//! Files that only their owner may read.

use std::fs::OpenOptions;

/// Open options that give a new file permissions for its owner alone.
pub(crate) fn private_file_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
