//! Addresses of the page's own places.

use memora_engine::report::{WireClaim, WirePlace};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What stays as it is in a part of an address.
const PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The same, in a path of several parts.
const PATH: &AsciiSet = &PART.remove(b'/');

/// The address of a note.
pub(crate) fn note(path: &str) -> String {
    format!("/note/{}", utf8_percent_encode(path, PATH))
}

/// The address of a line of a note.
pub(crate) fn line(path: &str, line: Option<usize>) -> String {
    match line {
        Some(line) => format!("{}?line={line}#L{line}", note(path)),
        None => note(path),
    }
}

/// The address of the very bytes of a place, with their hash: if they change, the note says so.
pub(crate) fn place<D>(place: &WirePlace<D>) -> String {
    match (place.start, place.end, place.line, &place.hash) {
        (Some(start), Some(end), Some(line), Some(hash)) => {
            format!("{}?start={start}&end={end}&hash={hash}&line={line}#mark", note(&place.path))
        }
        _ => note(&place.path),
    }
}

/// The address of the place of a claim, or else of the claim.
pub(crate) fn claim_place<D>(claim: &WireClaim<D>) -> String {
    claim.place().map_or_else(|| self::claim(claim.id()), place)
}

/// The address of a claim.
pub(crate) fn claim(id: &str) -> String {
    format!("/claim/{}", utf8_percent_encode(id, PART))
}

/// The address of a name.
pub(crate) fn entity(name: &str) -> String {
    format!("/entity/{}", utf8_percent_encode(name, PART))
}

/// The address of a question.
pub(crate) fn question(words: &str) -> String {
    format!("/?q={}", utf8_percent_encode(words, PART))
}

/// A note as Obsidian opens it.
pub(crate) fn obsidian(vault: &str, path: &str) -> String {
    format!("obsidian://open?vault={}&file={}", utf8_percent_encode(vault, PART), utf8_percent_encode(path, PART))
}

/// The page that led to this one, if it is one of ours that is worth going back to, with what it is.
pub(crate) fn way_back(referrer: Option<&str>, host: &str) -> Option<(String, &'static str)> {
    let path = referrer?.strip_prefix("http://")?.strip_prefix(host)?;
    let words = [
        ("/?", "back to the answer"),
        ("/review", "back to the review"),
        ("/claim/", "back to why"),
        ("/entity/", "back to the name"),
        ("/privacy", "back to privacy"),
        ("/memory", "back to what agents remember"),
        ("/health", "back to health"),
    ];
    let (_, words) = words.into_iter().find(|(begins, _)| path.starts_with(begins))?;
    Some((path.to_owned(), words))
}

/// The beginning and the end of a hash, which is enough to compare by eye.
pub(crate) fn short_hash(hash: &str) -> String {
    match (hash.get(..4), hash.get(hash.len().saturating_sub(4)..)) {
        (Some(first), Some(last)) if hash.len() > 8 => format!("{first}…{last}"),
        _ => hash.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_a_name_stays_in_its_part() {
        assert_eq!(note("a b/ü?#%.md"), "/note/a%20b/%C3%BC%3F%23%25.md");
        assert_eq!(line("a.md", Some(3)), "/note/a.md?line=3#L3");
        assert_eq!(entity("people/../x \"<"), "/entity/people%2F..%2Fx%20%22%3C");
        assert_eq!(question("a&b=c"), "/?q=a%26b%3Dc");
        assert_eq!(short_hash("3fa9000000000000c1c1"), "3fa9…c1c1");
        assert_eq!(short_hash("é"), "é");
        assert_eq!(obsidian("my notes", "a/ü.md"), "obsidian://open?vault=my%20notes&file=a%2F%C3%BC.md");
    }

    #[test]
    fn the_way_back_leads_to_our_own_pages_alone() {
        let back = |referrer: &str| way_back(Some(referrer), "memora-1.localhost:80").map(|(path, _)| path);
        assert_eq!(back("http://memora-1.localhost:80/?q=a%20b"), Some("/?q=a%20b".to_owned()));
        for other in [
            "http://memora-1.localhost:80//evil.test/",
            "http://memora-1.localhost:8080/?q=a",
            "https://evil.test/?q",
            "",
            "http://memora-1.localhost:80/in?once=x",
        ] {
            assert_eq!(back(other), None, "{other}");
        }
    }
}
