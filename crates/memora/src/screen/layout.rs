//! Fits a finished text to a terminal: breaks long lines at words, and paints ids and verdicts.
//!
//! The plain text is the truth: without colour and at any width the words are the same. What is printed into a pipe is
//! neither broken nor painted.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};
use memora_engine::ClaimId;
use textwrap::{Options, WordSeparator, WordSplitter};

use super::place_links::{PlaceLinks, free_spaces};

/// The narrowest width at which breaking lines still helps.
const WIDTH_MIN: usize = 20;

/// Fits a text to a terminal of this width, and paints it; the places of the report stay whole. Without a width no line is
/// broken.
pub(crate) fn fit(text: &str, width: Option<usize>, places: &PlaceLinks) -> String {
    match width {
        Some(width) => free_spaces(&paint(&wrap_lines(&places.bind_spaces(text), width), places)).into_owned(),
        None => paint(text, places),
    }
}

/// Breaks the lines of a text at words, each further line indented below the first.
fn wrap_lines(text: &str, width: usize) -> String {
    let lines = text.split('\n').map(|line| wrap_line(line, width.max(WIDTH_MIN)));
    lines.collect::<Vec<_>>().join("\n")
}

fn wrap_line(line: &str, width: usize) -> Cow<'_, str> {
    // Tabs and the like have no width of their own here; such a line is code, and stays as it is.
    if textwrap::core::display_width(line) <= width || line.contains('\t') {
        return Cow::Borrowed(line);
    }
    let indent = line.len() - line.trim_start_matches(' ').len();
    // Quotations keep their mark, and items are indented below their words; the rest deeper than the lines below it,
    // which are facts of their own.
    let rest = line.get(indent..).unwrap_or_default();
    let number = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or_default();
    let (mark, hang) = match rest {
        _ if rest.starts_with("> ") => ("> ", 0),
        _ if rest.starts_with("- ") => ("", 2),
        _ if number > 0 && rest.get(number..).is_some_and(|rest| rest.starts_with(". ")) => ("", number + 2),
        _ => ("", 4),
    };
    let further = format!("{}{mark}", " ".repeat((indent + hang).min(width / 2)));
    let options = Options::new(width)
        .subsequent_indent(&further)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    Cow::Owned(textwrap::fill(line, options))
}

/// Paints ids and places, and the verdict or label that begins a line.
fn paint(text: &str, places: &PlaceLinks) -> String {
    let lines = text.split('\n').map(|line| paint_line(line, places));
    lines.collect::<Vec<_>>().join("\n")
}

fn paint_line(line: &str, places: &PlaceLinks) -> String {
    let mut out = String::with_capacity(line.len() + 16);
    for (number, word) in line.split_inclusive(' ').enumerate() {
        let bare = word.trim_end();
        if let Some(place) = places.paint_word(bare) {
            out.push_str(&place);
            out.push_str(word.get(bare.len()..).unwrap_or_default());
            continue;
        }
        let style = match number {
            0 => label_style(bare).or_else(|| is_claim_id(bare).then_some(ID)),
            _ => is_claim_id(bare).then_some(ID),
        };
        match style {
            Some(style) => {
                // What follows an id is not of it.
                let end = if style == ID { bare.trim_end_matches(['.', ',', ';', ':']).len() } else { bare.len() };
                let (painted, rest) = word.split_at_checked(end).unwrap_or((word, ""));
                out.push_str(&format!("{style}{painted}{style:#}{rest}"));
            }
            None => out.push_str(word),
        }
    }
    out
}

const ID: Style = AnsiColor::Cyan.on_default();
const GOOD: Style = AnsiColor::Green.on_default();
const DOUBTFUL: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// The style of a word that begins a line and says how something stands.
fn label_style(word: &str) -> Option<Style> {
    match word.trim_end_matches(':') {
        "ok" | "verified" | "entailed" | "quoted" | "hint" => Some(GOOD),
        "note" | "contested" | "paraphrased" | "supported" | "partial" | "uncited" | "stale" | "skipped" => {
            Some(DOUBTFUL)
        }
        "error" | "BAD" | "contradicted" | "unsupported" | "rejected" | "unverified" | "refused" => Some(BAD),
        _ => None,
    }
}

/// Whether a word is the id of a claim, alone or as a citation.
fn is_claim_id(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ',', ';', ':']);
    let id = ClaimId::strip_citation(word);
    // A word of twelve letters can be spelled like an id.
    let is_marked = id.len() < word.len() || id.contains(|c: char| c.is_ascii_digit());
    is_marked && ClaimId::parse(id).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_words_and_keep_their_indent() {
        let check = |line: &str, expect: &str| assert_eq!(wrap_lines(line, 24), expect, "{line}");
        check("short", "short");
        check("- one two three four five six", "- one two three four\n  five six");
        check("  one two three four five six", "  one two three four\n      five six");
        check("12. one two three four five six", "12. one two three four\n    five six");
        check("    > one two three four five", "    > one two three four\n    > five");
        check("note: one two three four five", "note: one two three four\n    five");
        // A word that is too long, such as a path, stays whole, so that it can be copied.
        check("people/a-very-long-name-of-a-note.md:12:3", "people/a-very-long-name-of-a-note.md:12:3");
        check("\tlet code = \"stays as it is\";", "\tlet code = \"stays as it is\";");
        check("", "");
    }

    #[test]
    fn no_word_is_lost_at_any_width() {
        let text = "- 佐藤先生 lives in 東京 since 2024-05-02 [claim:7h3kq0v9x2ma]\n\n  > Anna  works — at Tidewell";
        let words = |text: &str| text.split_whitespace().filter(|word| *word != ">").collect::<String>();
        for width in 0..80 {
            assert_eq!(words(&wrap_lines(text, width)), words(text), "{width}");
        }
    }

    #[test]
    fn a_place_is_never_broken() {
        let places = PlaceLinks::from_report(&serde_json::json!({ "path": "a folder/a note.md", "line": 1 }), None);
        let fitted = fit("one two three a folder/a note.md:1, four", Some(24), &places);
        assert_eq!(
            anstream::adapter::strip_str(&fitted).to_string(),
            "one two three\n    a folder/a note.md:1,\n    four"
        );
    }

    fn painted(line: &str) -> String {
        paint(line, &PlaceLinks::default())
    }

    #[test]
    fn paint_changes_no_letter() {
        for line in ["- Anna works [claim:7h3kq0v9x2ma]", "BAD  notes: none", "7h3kq0v9x2ma  Anna", "", " "] {
            assert_eq!(anstream::adapter::strip_str(&painted(line)).to_string(), line);
        }
        assert!(painted("x [claim:7h3kq0v9x2ma]").contains("\u{1b}[36m[claim:7h3kq0v9x2ma]"));
        assert!(painted("x [claim:7h3kq0v9x2ma].").contains("[claim:7h3kq0v9x2ma]\u{1b}[0m."));
        assert!(!painted("a transparent day").contains('\u{1b}'));
    }
}
