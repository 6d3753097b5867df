//! The signs by which a note guards its text: markers in comments, and tags.

use std::ops::Range;

use crate::Band;
use crate::look_alike::{folded, is_dash, is_invisible, is_unseen};

/// `<!--privacy:secret-->` or `<!--/privacy-->`.
pub(crate) struct PrivacyMarker {
    pub(crate) range: Range<usize>,
    /// `None` closes.
    pub(crate) opens: Option<Result<Band, crate::UnknownBand>>,
    /// Whether it is written in another way: as `%%privacy:secret%%`, or as a smart keyboard writes it, `<!—privacy:secret—>`. It guards
    /// as any does, and ends nothing but what one of its kind began.
    pub(crate) is_odd: bool,
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
        // `<!-- /privacy: see Legal.md -->` is a comment, and ends nothing.
        if closes && !end.and_then(|end| inside.get(lead + "/privacy".len()..end)).is_some_and(is_behind_closing) {
            continue;
        }
        let range = at..end.map_or(at + 4 + lead + "privacy".len(), |end| at + 4 + end + 3);
        let opens = if closes {
            None
        } else {
            let said = end.and_then(|end| inside.get(lead..end)).unwrap_or_default();
            let said = said.get("privacy".len()..).unwrap_or_default().trim_start().trim_end_matches('-');
            Some(said.strip_prefix([':', '=']).map_or(Err(crate::UnknownBand), Band::parse))
        };
        found.push(PrivacyMarker { range, opens, is_odd: false });
    }
    found
}

/// Whether this may stand behind `/privacy` in a marker that closes: nothing, or the band that it opened with.
fn is_behind_closing(rest: &str) -> bool {
    let rest = rest.trim().trim_end_matches('-').trim_end();
    rest.is_empty() || rest.strip_prefix([':', '=']).is_some_and(|word| Band::parse(word.trim()).is_ok())
}

/// Finds the privacy markers of a text in any writing, in order.
pub(crate) fn find_all_markers(text: &str) -> Vec<PrivacyMarker> {
    let mut found = find_privacy_markers(text);
    let mut odd = find_odd_markers(text, &found);
    if !text.is_ascii() && text.contains(is_invisible) {
        odd.extend(find_disguised_markers(text, &found));
    }
    if !odd.is_empty() {
        found.append(&mut odd);
        found.sort_by_key(|marker| marker.range.start);
        found.dedup_by(|next, marker| next.range.start < marker.range.end);
    }
    found
}

/// Finds the markers that are not written as one, apart from those already found.
fn find_odd_markers(text: &str, found: &[PrivacyMarker]) -> Vec<PrivacyMarker> {
    const WORD: &[u8] = b"privacy";
    let bytes = text.as_bytes();
    let mut odd = Vec::new();
    // By its rarest letter.
    for at in memchr::memchr2_iter(b'v', b'V', bytes).filter_map(|at| at.checked_sub(3)) {
        let is_word = bytes.get(at..at + WORD.len()).is_some_and(|word| word.eq_ignore_ascii_case(WORD));
        let next = found.partition_point(|marker| marker.range.end <= at);
        if is_word && found.get(next).is_none_or(|marker| marker.range.start > at) {
            odd.extend(read_odd_marker(text, at, at + WORD.len()));
        }
    }
    odd
}

/// Finds the markers that a text has once nothing invisible is in it.
fn find_disguised_markers(text: &str, found: &[PrivacyMarker]) -> Vec<PrivacyMarker> {
    let seen: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| !is_unseen(*c)).collect();
    let mut plain = String::with_capacity(text.len());
    let mut sources = Vec::with_capacity(text.len() + 1);
    for (at, c) in seen {
        plain.push(c);
        sources.resize(plain.len(), at);
    }
    sources.push(text.len());
    let regular = find_privacy_markers(&plain);
    let odd = find_odd_markers(&plain, &regular);
    let source = |range: Range<usize>| Some(*sources.get(range.start)?..*sources.get(range.end)?);
    let all = regular
        .into_iter()
        .chain(odd)
        .filter_map(|marker| Some(PrivacyMarker { range: source(marker.range)?, is_odd: true, ..marker }));
    all.filter(|marker| {
        !found.iter().any(|told| told.range.start < marker.range.end && marker.range.start < told.range.end)
    })
    .collect()
}

/// Returns whether a text has a privacy marker that is not written as one, such as `<!—privacy:secret—>`.
#[must_use]
pub fn has_odd_marker(text: &str) -> bool {
    find_all_markers(text).iter().any(|marker| marker.is_odd)
}

/// Reads a marker around its word at `start..end` whose signs are not those of a marker.
fn read_odd_marker(text: &str, start: usize, end: usize) -> Option<PrivacyMarker> {
    /// The most signs in front of the word.
    const SIGNS_MAX: usize = 16;
    let is_space = |c: char| matches!(c, ' ' | '\t' | '\u{a0}') || is_unseen(c);
    let is_sign = |c: char| is_dash(c) || is_space(c) || matches!(c, '<' | '＜' | '>' | '＞' | '!' | '！' | '%' | '％');
    let before = text.get(..start)?.trim_end_matches(is_space);
    let (before, closes) = before.strip_suffix('/').map_or((before, false), |before| (before, true));
    let from = before
        .char_indices()
        .rev()
        .take(SIGNS_MAX)
        .take_while(|(_, c)| is_sign(*c))
        .last()
        .map_or(before.len(), |(at, _)| at);
    let signs = before.get(from..)?;
    let from = before
        .get(..from)?
        .strip_suffix("&lt;")
        .map_or(from + signs.len() - signs.trim_start_matches(is_space).len(), str::len);
    let has = |signs: &str, any: &[char]| signs.contains(any);
    let is_angled = has(signs, &['<', '＜']) || before.get(from..)?.starts_with("&lt;");
    // Not the rest of a word, nor what a backslash makes text.
    let is_apart = !before.get(..from)?.ends_with(|c: char| c.is_alphanumeric() || c == '\\');
    let is_banged = has(signs, &['!', '！']) && (is_angled || is_apart && signs.contains(is_dash));
    let is_hidden = |signs: &str| signs.contains("%%") || signs.contains("％％");
    if !(is_angled || is_banged || is_hidden(signs)) {
        return None;
    }
    let after = text.get(end..)?.trim_start_matches(is_space);
    let is_colon = |c: char| matches!(c, ':' | '=' | '：' | '＝');
    // Without its colon only a band is meant: `<!—privacy secret—>`.
    let bare = || {
        Some(after.trim_start_matches(is_dash)).filter(|rest| {
            let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            rest.len() < text.len() - end && Band::parse(word).is_ok()
        })
    };
    let said = after.strip_prefix(is_colon).or_else(bare);
    let said = said.map(|said| said.trim_start_matches(|c| is_colon(c) || is_space(c)));
    let word_end = said.map(|said| said.find(|c: char| !c.is_alphabetic() && !is_unseen(c)).unwrap_or(said.len()));
    let word = said.zip(word_end).and_then(|(said, end)| said.get(..end));
    let behind = said.zip(word_end).map_or(Some(after), |(said, end)| said.get(end..))?;
    let tail = behind
        .find(|c: char| !is_sign(c))
        .map_or(behind, |end| behind.get(..end).unwrap_or_default())
        .trim_end_matches(is_space);
    let tail = if behind.trim_start_matches(|c: char| is_dash(c) || is_space(c)).starts_with("&gt;") {
        behind.get(..behind.find("&gt;").map_or(0, |at| at + "&gt;".len()))?
    } else {
        tail
    };
    // `/privacy-policy` is a word of its own.
    let is_cut = behind.get(tail.len()..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
    let ends = tail.contains(|c: char| is_dash(c) && !is_cut || matches!(c, '>' | '＞'))
        || is_hidden(tail)
        || tail.ends_with("&gt;");
    let range = from..text.len() - behind.len() + tail.len();
    let band = Band::parse(&folded(word.unwrap_or_default()));
    // `<privacy: an essay>` is no marker; nor is the name of a tag.
    let reads = match (closes, word) {
        (true, _) => ends && (is_banged || is_hidden(signs) || signs.contains(is_dash)),
        (false, Some(_)) if is_banged || is_hidden(signs) => band.is_ok() || ends,
        (false, Some(_)) => band.is_ok() && ends,
        (false, None) => false,
    };
    reads.then_some(PrivacyMarker { range, opens: (!closes).then_some(band), is_odd: true })
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

/// The band of `#private` and `#secret`, and of tags nested in them, as they look.
pub(crate) fn band_of_tag(tag: &str) -> Option<Band> {
    match folded(tag.split('/').next()?).trim_matches(|c: char| !c.is_alphanumeric()) {
        // Near misses count as what was meant.
        "private" | "privat" | "prive" | "privado" | "privato" => Some(Band::Private),
        "secret" | "secrets" | "geheim" | "secreto" | "segreto" => Some(Band::Secret),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_found_however_its_signs_are_written() {
        let found = |text: &str| {
            let found = find_all_markers(text);
            found
                .iter()
                .map(|marker| (text.get(marker.range.clone()).expect("boundaries").to_owned(), marker.opens))
                .collect::<Vec<_>>()
        };
        for opening in [
            "<!--privacy:secret-->",
            "<!—privacy:secret—>",
            "<!–privacy: secret –>",
            "<!–- Privacy = Secret -–>",
            "<! -- privacy:secret -- >",
            "<!-privacy:secret->",
            "<—privacy:secret—>",
            "<privacy:secret>",
            "!--privacy:secret--",
            "%%privacy:secret%%",
            "%% privacy: secret %%",
            "&lt;!--privacy:secret--&gt;",
            "＜！－－privacy：secret－－＞",
            "<!--\u{200b}privacy:secret-->",
            "<!—privacy secret—>",
            "<!—privacy—secret—>",
            "<privacy secret>",
            "<!--pri\u{ad}vacy:secret-->",
        ] {
            assert_eq!(found(&format!("a {opening} b")), [(opening.to_owned(), Some(Ok(Band::Secret)))], "{opening}");
        }
        for closing in ["<!--/privacy-->", "<!—/privacy—>", "%%/privacy%%", "<! -- /privacy -- >"] {
            assert_eq!(found(&format!("a {closing} b")), [(closing.to_owned(), None)], "{closing}");
        }
        for (text, band) in
            [("<!—privacy:sekret—>", Err(crate::UnknownBand)), ("%%privacy:%%", Err(crate::UnknownBand))]
        {
            assert_eq!(found(text), [(text.to_owned(), Some(band))], "{text}");
        }
    }

    #[test]
    fn what_speaks_of_privacy_is_no_marker() {
        for text in [
            "On privacy: secret ballots",
            "run it with --privacy=secret",
            "<privacy: an essay>",
            "<privacy policy>",
            "100 % privacy: secret",
            "a < b privacy: secret",
            "</privacy>",
            "!privacy: what?",
            "a <- privacy: secret ballots are good",
            "<privacy:private browsing> is on",
            "a<privacy=private | b",
            "<!-- /privacy-policy -->",
            "<privacy secrets>",
        ] {
            assert!(find_all_markers(text).is_empty(), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn markers_lie_in_any_text_in_order(
            parts in proptest::collection::vec(proptest::sample::select(vec![
                "<", "!", "—", "-", "--", "privacy", "PRIVACY", "/", ":", "secret", "x", ">", "%%", "%", "&lt;", "&gt;", "\u{200b}", " ", "\n", "＜",
            ]), 0..24),
        ) {
            let text = parts.concat();
            for marker in find_all_markers(&text) {
                assert!(text.get(marker.range.clone()).is_some_and(|said| !said.is_empty()), "{text:?} {:?}", marker.range);
            }
        }
    }
}
