//! Why a file could not be fetched: [`FetchError`].

use std::error::Error;
use std::io;
use std::path::PathBuf;

use memora_vault::Hint;

use crate::retry::Stopped;

/// Why a file could not be fetched. Nothing of it was kept.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// Networking could not be set up.
    #[error("connections cannot be opened")]
    Setup(#[source] Box<dyn Error + Send + Sync>),
    /// The server could not be reached, or went silent, each time.
    #[error("cannot fetch {name} from {host}, tried {tries} times")]
    Connection {
        /// Which file.
        name: String,
        /// Where from.
        host: String,
        /// How often.
        tries: u32,
        /// What happened the last time.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The server answers something else.
    #[error("cannot fetch {name} from {host}: the server answers {status}")]
    Status {
        /// Which file.
        name: String,
        /// Where from.
        host: String,
        /// The HTTP status.
        status: u16,
    },
    /// The server sends elsewhere, where it is not encrypted or too often.
    #[error("cannot fetch {name} from {host}: the server redirects to an address that is not trusted")]
    Redirect {
        /// Which file.
        name: String,
        /// Where from.
        host: String,
    },
    /// There is more of it than there should be.
    #[error("{name} is larger than the {bytes_max} bytes that it should have")]
    TooLarge {
        /// Which file.
        name: String,
        /// How many bytes it should have.
        bytes_max: u64,
    },
    /// It is another file.
    #[error("{name} is not the file that was expected: its sha256 is {found} and should be {wanted}")]
    Hash {
        /// Which file.
        name: String,
        /// The sha256 that is pinned.
        wanted: String,
        /// The sha256 that it has.
        found: String,
    },
    /// It is an archive and cannot be unpacked.
    #[error("{name} cannot be unpacked")]
    Archive {
        /// Which file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// It could not be read from a folder.
    #[error("cannot read {}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file or its folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The user stopped it.
    #[error("stopped")]
    Stopped,
}

impl Hint for FetchError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Setup(_) => "check the certificates of this system",
            Self::Connection { .. } => {
                "check the connection; behind a firewall, fetch the files yourself and give --from their folder or a mirror"
            }
            Self::Status { .. } | Self::Redirect { .. } => {
                "try again later, or name a folder or a mirror that has the file with --from"
            }
            Self::TooLarge { .. } | Self::Hash { .. } | Self::Archive { .. } => {
                "nothing of it was kept; fetch it from where it is published, without --from"
            }
            Self::Read { .. } => "the folder must have the files under the names they are published under",
            Self::Write { .. } => "check that the folder can be written and that there is room",
            Self::Stopped => "what was fetched completely is kept; run it again to go on",
        }
    }
}

impl From<Stopped> for FetchError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}
