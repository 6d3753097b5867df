//! Where files are fetched from: [`Origin`].
//!
//! Invariant: **network traffic is encrypted.** Plain `http` is allowed for this machine only, where a user may run a
//! mirror.

use std::net::IpAddr;
use std::path::PathBuf;

use reqwest::Url;

use memora_vault::Hint;

/// Where files are taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Where each is published.
    Publisher,
    /// All below one address, by their names.
    Mirror(Url),
    /// All in one folder, by their names.
    Folder(PathBuf),
}

/// Why an origin cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OriginError {
    /// It is no address.
    #[error("{text} is no address")]
    Address {
        /// What was given.
        text: String,
    },
    /// Something else than `https`, or `http` to this machine.
    #[error("{text} is not encrypted")]
    Plain {
        /// What was given.
        text: String,
    },
    /// There is no such folder.
    #[error("{} is no folder", path.display())]
    Folder {
        /// What was given.
        path: PathBuf,
    },
}

impl Hint for OriginError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Address { .. } => "write https://host/folder, or the path of a folder that has the files",
            Self::Plain { .. } => "use https; plain http is for a mirror on this machine: http://127.0.0.1:PORT/folder",
            Self::Folder { .. } => "name an existing folder that has the files, or an address beginning with https://",
        }
    }
}

impl Origin {
    /// Parses what a user names: an address, or else a folder.
    pub fn parse(text: &str) -> Result<Self, OriginError> {
        if text.contains("://") {
            let mut base = parse_address(text)?;
            if !base.path().ends_with('/') {
                base.set_path(&format!("{}/", base.path()));
            }
            return Ok(Self::Mirror(base));
        }
        let path = PathBuf::from(text);
        if path.is_dir() { Ok(Self::Folder(path)) } else { Err(OriginError::Folder { path }) }
    }
}

/// Parses an address, if it may be fetched from.
pub(crate) fn parse_address(text: &str) -> Result<Url, OriginError> {
    let url = Url::parse(text).map_err(|_| OriginError::Address { text: text.to_owned() })?;
    if may_fetch(&url) { Ok(url) } else { Err(OriginError::Plain { text: text.to_owned() }) }
}

/// Whether an address is encrypted, or stays on this machine.
pub(crate) fn may_fetch(url: &Url) -> bool {
    url.has_host() && (url.scheme() == "https" || (url.scheme() == "http" && is_loopback(url)))
}

/// Whether an address is a loopback number. Names, even `localhost`, do not count: they may resolve to anything.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_stays_on_this_machine() {
        for good in [
            "https://example.org/a",
            "http://127.0.0.1:8080/a",
            "http://127.9.9.9/",
            "http://[::1]:80/x",
            "http://0x7f.1/",
        ] {
            assert!(parse_address(good).is_ok(), "{good}");
        }
        for bad in [
            "http://example.org/a",
            "http://localhost:8080/",
            "http://127.0.0.1.example.org/",
            "http://user:127.0.0.1@example.org/",
            "http://[::ffff:10.0.0.1]/",
            "http://0.0.0.0/",
            "ftp://127.0.0.1/",
            "file:///etc/passwd",
        ] {
            assert!(matches!(parse_address(bad), Err(OriginError::Plain { .. })), "{bad}");
        }
        assert!(matches!(parse_address("https://"), Err(OriginError::Address { .. })));
    }

    #[test]
    fn a_mirror_is_a_folder_of_files() {
        let mirror = |text: &str| match Origin::parse(text) {
            Ok(Origin::Mirror(base)) => base.join("model.onnx").map(|url| url.to_string()).ok(),
            _ => None,
        };
        let expect = Some("https://example.org/files/model.onnx".to_owned());
        assert_eq!(mirror("https://example.org/files"), expect);
        assert_eq!(mirror("https://example.org/files/"), expect);
        assert!(matches!(Origin::parse("no such folder"), Err(OriginError::Folder { .. })));
    }
}
