//! Note and folder names that are valid on every system and in Obsidian's links.

use std::fmt;

use jiff::ToSpan as _;
use jiff::civil::DateTime;
use memora_vault::Hint;
use memora_verify::find_citations;

/// The maximum length of a name in bytes: systems allow 255, and the extension and the timestamp follow.
const NAME_BYTES_MAX: usize = 180;

/// Characters that are invalid in file names on some system, or in Obsidian's links.
const FORBIDDEN_CHARS: &[char] = &['"', '#', '*', '/', ':', '<', '>', '?', '[', '\\', ']', '^', '|'];

/// Device names reserved by Windows, with any extension.
const WINDOWS_DEVICE_NAMES: &[&str] = &["aux", "clock$", "con", "conin$", "conout$", "nul", "prn"];

/// Why a name cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameFault {
    /// Empty after cleaning.
    Empty,
    /// Over 180 bytes.
    TooLong,
    /// Reserved by Windows for a device.
    Device,
    /// A folder name with invalid characters, or with a dot at its start or end.
    Characters,
    /// A folder name with a dot, at a cloud door: the error would reveal whether a file of that name exists.
    Dot,
    /// An absolute path, or one that leads upward.
    Outside,
    /// Text that looks like a citation.
    Citation,
}

impl Hint for NameFault {
    fn hint(&self) -> &'static str {
        match self {
            Self::Empty => "give one with a letter or a digit in it",
            Self::TooLong => "give one of at most 180 bytes",
            Self::Device => "Windows keeps this name for a device; add a word",
            Self::Characters => "leave out \" # * : < > ? [ \\ ] ^ | and dots or spaces at the ends of a name",
            Self::Dot => "name a folder without a dot",
            Self::Outside => "name a folder of the vault, such as Projects/drift",
            Self::Citation => "citations belong in the text",
        }
    }
}

impl fmt::Display for NameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "is empty",
            Self::TooLong => "is too long",
            Self::Device => "is the name of a device",
            Self::Characters => "has characters that a name cannot have, or a dot or space at an end of one",
            Self::Dot => "has a dot in it",
            Self::Outside => "is outside the vault",
            Self::Citation => "looks like a citation",
        })
    }
}

/// Turns a title into a file name: replaces invalid characters with spaces and trims dots at the ends.
pub(super) fn sanitize_title(asked: &str) -> Result<String, NameFault> {
    if !find_citations(asked).is_empty() {
        return Err(NameFault::Citation);
    }
    let plain: String = asked.chars().map(|c| if is_forbidden_char(c) { ' ' } else { c }).collect();
    let plain = collapse_whitespace(&plain);
    let stem = plain.len().checked_sub(3).and_then(|at| plain.split_at_checked(at));
    let plain = stem.filter(|(_, ending)| ending.eq_ignore_ascii_case(".md")).map_or(plain.as_str(), |(stem, _)| stem);
    let name = plain.trim_matches(is_dot_or_space);
    validate_file_name(name)?;
    Ok(name.to_owned())
}

/// Appends a timestamp to a title, `later` milliseconds on.
pub(super) fn append_timestamp(title: &str, at: DateTime, later: u64) -> String {
    let at = at.saturating_add(i64::try_from(later).unwrap_or(i64::MAX).milliseconds());
    format!("{title} {}", at.strftime("%Y-%m-%d %H%M%S %3f"))
}

/// Validates a folder's path and strips slashes at its ends.
pub(super) fn validate_folder(asked: &str, local: bool) -> Result<String, NameFault> {
    let folder = asked.trim_end_matches('/');
    if asked.starts_with('/') || folder.split('/').any(|part| part == "..") {
        return Err(NameFault::Outside);
    }
    for part in folder.split('/').filter(|_| !folder.is_empty()) {
        if part.chars().any(is_forbidden_char) || part.trim_matches(is_dot_or_space) != part {
            return Err(NameFault::Characters);
        }
        if !local && part.contains('.') {
            return Err(NameFault::Dot);
        }
        validate_file_name(part)?;
    }
    Ok(folder.to_owned())
}

/// Validates the author's name and puts it on one line.
pub(super) fn validate_author(asked: &str) -> Result<String, NameFault> {
    let by =
        collapse_whitespace(&asked.chars().map(|c| if is_invisible_char(c) { ' ' } else { c }).collect::<String>());
    match by.len() {
        0 => Err(NameFault::Empty),
        _ if !find_citations(&by).is_empty() => Err(NameFault::Citation),
        1..=NAME_BYTES_MAX => Ok(by),
        _ => Err(NameFault::TooLong),
    }
}

/// Validates the length and the reserved words of a name whose characters are valid.
fn validate_file_name(name: &str) -> Result<(), NameFault> {
    if !name.chars().any(char::is_alphanumeric) {
        return Err(NameFault::Empty);
    }
    if name.len() > NAME_BYTES_MAX {
        return Err(NameFault::TooLong);
    }
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_lowercase();
    let is_port = |device: &str| {
        let number: Vec<char> = stem.strip_prefix(device).unwrap_or_default().chars().collect();
        matches!(number.as_slice(), ['0'..='9' | '¹' | '²' | '³'])
    };
    if WINDOWS_DEVICE_NAMES.contains(&stem.as_str()) || is_port("com") || is_port("lpt") {
        Err(NameFault::Device)
    } else {
        Ok(())
    }
}

fn is_forbidden_char(c: char) -> bool {
    FORBIDDEN_CHARS.contains(&c) || is_invisible_char(c)
}

/// Returns whether a character is a control character, or a mark that reorders, joins or hides its neighbours.
fn is_invisible_char(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    c.is_control() || turns || matches!(c, '\u{ad}' | '\u{200b}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

fn is_dot_or_space(c: char) -> bool {
    c == '.' || c.is_whitespace()
}

fn collapse_whitespace(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_loses_what_no_name_takes() {
        for (asked, name) in [
            ("Why drift switched", "Why drift switched"),
            ("  a\n\tb  ", "a b"),
            ("../../etc/passwd", "etc passwd"),
            (".hidden", "hidden"),
            ("a/b\\c:d*e?f\"g<h>i|j#k^l", "a b c d e f g h i j k l"),
            ("What now?", "What now"),
            ("[[Anna]]", "Anna"),
            ("Plan.md", "Plan"),
            ("Plan.MD.", "Plan.MD"),
            ("v1.2. ", "v1.2"),
            ("\u{202e}dm.\u{200b}exe", "dm. exe"),
            ("日記 📚", "日記 📚"),
            ("C:\\notes\\a.md", "C notes a"),
        ] {
            assert_eq!(sanitize_title(asked), Ok(name.to_owned()), "{asked:?}");
        }
    }

    #[test]
    fn a_title_that_cannot_be_a_name_is_refused() {
        let long = "a".repeat(181);
        for (asked, fault) in [
            ("", NameFault::Empty),
            ("...", NameFault::Empty),
            ("?!", NameFault::Empty),
            (" \u{200b}", NameFault::Empty),
            ("CON", NameFault::Device),
            ("nul.txt", NameFault::Device),
            ("Com1", NameFault::Device),
            ("lpt²", NameFault::Device),
            ("about [claim:7h3kq0v9x2ma]", NameFault::Citation),
            (long.as_str(), NameFault::TooLong),
        ] {
            assert_eq!(sanitize_title(asked), Err(fault), "{asked:?}");
        }
        for fine in ["Console", "Com", "Com10", "Nulla"] {
            assert_eq!(sanitize_title(fine), Ok(fine.to_owned()));
        }
    }

    #[test]
    fn a_folder_is_taken_as_it_is_or_refused() {
        assert_eq!(validate_folder("", true), Ok(String::new()));
        assert_eq!(validate_folder("Projects/drift/", true), Ok("Projects/drift".to_owned()));
        assert_eq!(validate_folder("2025.11", true), Ok("2025.11".to_owned()));
        for (asked, fault) in [
            ("/etc", NameFault::Outside),
            ("..", NameFault::Outside),
            ("a/../..", NameFault::Outside),
            ("a//b", NameFault::Empty),
            ("a/./b", NameFault::Characters),
            (".obsidian", NameFault::Characters),
            ("a\\b", NameFault::Characters),
            ("a/ b", NameFault::Characters),
            ("C:", NameFault::Characters),
            ("a/aux", NameFault::Device),
        ] {
            assert_eq!(validate_folder(asked, true), Err(fault), "{asked:?}");
        }
        assert_eq!(validate_folder("2025.11", false), Err(NameFault::Dot));
    }

    #[test]
    fn whoever_says_so_has_one_line_and_cites_nothing() {
        assert_eq!(validate_author(" Claude\r\nmemora: review\u{0} "), Ok("Claude memora: review".to_owned()));
        assert_eq!(validate_author("\n"), Err(NameFault::Empty));
        assert_eq!(validate_author(&"é".repeat(91)), Err(NameFault::TooLong));
        assert_eq!(validate_author("[claim:~abcdefgh]"), Err(NameFault::Citation));
    }

    #[test]
    fn a_stamp_goes_on_by_milliseconds() {
        let at = jiff::civil::date(2025, 12, 31).at(23, 59, 59, 999_000_000);
        assert_eq!(append_timestamp("Plan", at, 0), "Plan 2025-12-31 235959 999");
        assert_eq!(append_timestamp("Plan", at, 1), "Plan 2026-01-01 000000 000");
    }
}
