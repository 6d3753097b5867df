//! The vault on disk.

use crate::{Band, NotePath, Place};

/// What the file system says of a note; equal means unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileStat {
    /// Bytes.
    pub size: u64,
    /// Time of last modification, nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Time of last change of the inode, nanoseconds since 1970; 0 where the platform has none.
    pub ctime_ns: i64,
    /// Inode number; 0 where the platform has none.
    pub inode: u64,
}
