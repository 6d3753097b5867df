//! Addresses of files, as editors write them, and paths.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What stays as it is in the path of an address.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');

/// The path of a file on this machine; `None` for any other address, such as that of text that was never saved.
pub(crate) fn to_path(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let decoded = percent_decode_str(path).decode_utf8().ok()?.into_owned();
    if !decoded.starts_with('/') {
        return None;
    }
    // `/C:/notes` is `C:/notes` where drives have letters.
    let drive = decoded.strip_prefix('/').filter(|rest| cfg!(windows) && rest.get(1..2) == Some(":"));
    Some(PathBuf::from(drive.unwrap_or(&decoded)))
}

/// The address of a note; `None` where a path cannot be written as one.
pub(crate) fn of_note(root: &Path, note: &str) -> Option<Uri> {
    let path = root.join(note);
    let path = path.to_str()?.replace('\\', "/");
    let path = path.trim_start_matches("//?/");
    let lead = if path.starts_with('/') { "" } else { "/" };
    Uri::from_str(&format!("file://{lead}{}", utf8_percent_encode(path, PATH))).ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_an_address_and_comes_back() {
        let uri = of_note(Path::new("/home/a b"), "Größe/x#y?z.md").expect("an address");
        assert_eq!(uri.as_str(), "file:///home/a%20b/Gr%C3%B6%C3%9Fe/x%23y%3Fz.md");
        assert_eq!(to_path(uri.as_str()), Some(PathBuf::from("/home/a b/Größe/x#y?z.md")));
    }

    #[test]
    fn what_is_no_file_has_no_path() {
        for uri in ["untitled:Untitled-1", "file://host/x", "file:x", "https://a/b", "", "file:///%ff"] {
            assert_eq!(to_path(uri), None, "{uri}");
        }
    }
}
