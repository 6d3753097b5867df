//! The signs by which a note guards its text: markers in comments, and tags.

use std::ops::Range;

use crate::Band;

/// `<!--privacy:secret-->` or `<!--/privacy-->`.
pub(crate) struct PrivacyMarker {
    pub(crate) range: Range<usize>,
    /// `None` closes.
    pub(crate) opens: Option<Result<Band, crate::UnknownBand>>,
}

/// The maximum length of a marker, in bytes. A longer one is never finished: it opens, and its word is unknown.
const MARKER_BYTES_MAX: usize = 1024;

/// Finds the privacy markers of a text anywhere, in code too: users should not have to know where a marker does not
/// count.
pub(crate) fn find_privacy_markers(text: &str) -> Vec<PrivacyMarker> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    // Kept from one marker to the next, as a line may have thousands.
    let mut stop = 0;
    for at in memchr::memmem::find_iter(bytes, b"<!--") {
        let Some(inside) = text.get(at + 4..) else { continue };
        // `<!--- privacy:secret --->` with its third hyphens is a habit of some.
        let word = inside.trim_start_matches(|c: char| c == '-' || c.is_whitespace());
        let lead = inside.len() - word.len();
        let starts = |prefix: &str| word.get(..prefix.len()).is_some_and(|w| w.eq_ignore_ascii_case(prefix));
        let closes = starts("/privacy");
        if !closes && !starts("privacy") {
            continue;
        }
        // A comment that is never finished, or only on a later line, is a slip: it opens, and its word is unknown.
        if stop < at + 4 {
            stop = find_marker_end(bytes, at + 4);
        }
        let near = stop - at <= MARKER_BYTES_MAX;
        let end = bytes.get(stop).filter(|byte| **byte == b'-' && near).map(|_| stop - at - 4);
        let range = at..end.map_or(at + 4 + lead + "privacy".len(), |end| at + 4 + end + 3);
        let opens = if closes {
            None
        } else {
            let said = end.and_then(|end| inside.get(lead..end)).unwrap_or_default();
            let said = said.get("privacy".len()..).unwrap_or_default().trim_start().trim_end_matches('-');
            Some(said.strip_prefix([':', '=']).map_or(Err(crate::UnknownBand), Band::parse))
        };
        found.push(PrivacyMarker { range, opens });
    }
    found
}

/// The offset of the first `-->` or line feed after `from`, or the end.
fn find_marker_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let mut candidates = memchr::memchr2_iter(b'\n', b'>', rest).map(|at| from + at);
    let stop = candidates.find_map(|at| match bytes[at] {
        b'\n' => Some(at),
        _ => (at >= from + 2 && bytes[..at].ends_with(b"--")).then(|| at - 2),
    });
    stop.unwrap_or(bytes.len())
}

/// The band of `#private` and `#secret`, and of tags nested in them.
pub(crate) fn band_of_tag(tag: &str) -> Option<Band> {
    match tag.split('/').next()?.to_lowercase().as_str() {
        // Near misses count as what was meant.
        "private" | "privat" | "privé" | "privado" | "privato" => Some(Band::Private),
        "secret" | "secrets" | "geheim" | "secreto" | "segreto" => Some(Band::Secret),
        _ => None,
    }
}
