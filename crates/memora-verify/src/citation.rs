//! The citation grammar.
//!
//! A citation is `[claim:id]`, or a list `[claim:a, claim:b]` (`[claim:a, b]`, `;` as well), where an id is a
//! statement's or a claim's, case-insensitive, or the handle of a guarded claim, `~` and 8 to 16 base32 letters.
//! Invariant: **text that looks like a citation is parsed or malformed, never ignored.** Parsing takes the characters
//! unchanged; detection looks at them folded (`memora_vault::fold_look_alikes`), so that a look-alike can't pass as ordinary text.

use std::ops::Range;

use memora_claim::ClaimId;
use memora_claim::unicode::{is_closing_bracket, is_opening_bracket};

use crate::confusables::{FoldedChar, fold_look_alikes};

/// The target of a citation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CitationMarker {
    /// A statement or a claim.
    Id(ClaimId),
    /// A guarded claim, by its opaque name (without the `~`, lower case).
    Handle(String),
    /// A note, a section or a block, by a link. Only [`crate::check_text`] parses these.
    Link(CitedLink),
    /// A quotation from a note. Only [`crate::check_text`] parses these.
    Quote(CitedQuote),
    /// No target: it looks like a citation and can't be parsed.
    Malformed,
}

/// The target of a wikilink, as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CitedLink {
    /// The note; empty for the note that contains the link.
    pub target: String,
    /// The text after `#`: a heading, a path of headings (`A#B`), or a block (`^id`).
    pub anchor: Option<String>,
}

/// Words quoted from a note.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CitedQuote {
    /// The words.
    pub words: String,
    /// The note, by title, alias or path; any note if `None`.
    pub note: Option<String>,
}

/// A bracket with one or more citations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitationGroup {
    /// The whole bracket.
    pub range: Range<usize>,
    /// The citations in it, in order; never empty.
    pub items: Vec<CitationItem>,
}

/// One citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitationItem {
    /// Its bytes: the whole bracket if it is the only one in it.
    pub range: Range<usize>,
    /// What it names.
    pub marker: CitationMarker,
}

/// The longest bracket that is parsed, in bytes: room for some thirty claims.
const GROUP_BYTES_MAX: usize = 640;
/// How far a closing bracket is searched for after text that looks like a citation, in characters.
const LOOKAHEAD_CHARS: usize = 80;

/// Finds every citation and every look-alike of one, in order, without overlap.
///
/// # Examples
/// ```
/// use memora_verify::{CitationMarker, find_citations};
///
/// let found = find_citations("Drift is late [claim:7h3kq0v9x2ma]. Or not (claim 7h3k)");
/// assert!(matches!(found[0].items[0].marker, CitationMarker::Id(_)));
/// assert_eq!(found[1].items[0].marker, CitationMarker::Malformed);
/// ```
#[must_use]
pub fn find_citations(text: &str) -> Vec<CitationGroup> {
    let mut groups = find_well_formed(text);
    let suspects = find_lookalikes(&fold_look_alikes(text), &groups);
    groups.extend(suspects);
    groups.sort_by_key(|group| group.range.start);
    groups
}

/// Whether a link's destination, or other hidden text, names a claim.
pub(crate) fn contains_citation(text: &str) -> bool {
    let bracketed = format!("[{text}]");
    text.len() <= GROUP_BYTES_MAX && !find_citations(&bracketed).is_empty()
}

fn find_well_formed(text: &str) -> Vec<CitationGroup> {
    let mut groups = Vec::new();
    let mut from = 0;
    while let Some(open) = text.get(from..).and_then(|rest| rest.find('[')).map(|at| from + at) {
        from = open + 1;
        if let Some(group) = parse_group(text, open) {
            from = group.range.end;
            groups.push(group);
        }
    }
    groups
}

/// Parses the bracket that opens at `open`, or leaves it as text.
fn parse_group(text: &str, open: usize) -> Option<CitationGroup> {
    let before = text.get(..open)?.chars().next_back();
    if matches!(before, Some('[' | '!' | '\\')) {
        return None;
    }
    let rest = text.get(open + 1..)?;
    let close = open + 1 + rest.bytes().take(GROUP_BYTES_MAX).position(|b| b == b']')?;
    let inside = text.get(open + 1..close)?;
    // Words after an id are not part of a citation: they stay text, and are judged.
    let wordy = inside.split([',', ';']).any(|part| {
        let part = part.trim_matches(is_blank);
        strip_keyword(part).unwrap_or(part).trim_matches(is_blank).contains(is_blank)
    });
    if wordy || inside.contains('[') || strip_keyword(inside.trim_start_matches(is_blank)).is_none() {
        return None;
    }
    let range = open..close + 1;
    let mut at = open + 1;
    let mut items = Vec::new();
    for part in inside.split([',', ';']) {
        let trimmed = part.trim_matches(is_blank);
        let start = at + (part.len() - part.trim_start_matches(is_blank).len());
        at += part.len() + 1;
        items.push(CitationItem { range: start..start + trimmed.len(), marker: parse_marker(trimmed) });
    }
    if let [only] = items.as_mut_slice() {
        only.range = range.clone();
    }
    Some(CitationGroup { range, items })
}

fn parse_marker(item: &str) -> CitationMarker {
    let word = strip_keyword(item).unwrap_or(item).trim_matches(is_blank);
    if let Some(handle) = word.strip_prefix('~') {
        return if is_handle(handle) {
            CitationMarker::Handle(handle.to_ascii_lowercase())
        } else {
            CitationMarker::Malformed
        };
    }
    ClaimId::parse(word).map_or(CitationMarker::Malformed, CitationMarker::Id)
}

fn strip_keyword(text: &str) -> Option<&str> {
    let keyword = text.get(..6)?;
    keyword.eq_ignore_ascii_case("claim:").then(|| text.get(6..)).flatten()
}

fn is_blank(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r')
}

fn is_handle(word: &str) -> bool {
    (8..=16).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// What people, models and typos write instead of `claim`.
const KEYWORDS: [&str; 8] = ["claims", "claim", "citations", "citation", "cites", "cited", "cite", "clairn"];

fn find_lookalikes(folded: &[FoldedChar], read: &[CitationGroup]) -> Vec<CitationGroup> {
    let mut ahead = read.iter().peekable();
    let mut found: Vec<CitationGroup> = Vec::new();
    let mut at = 0;
    while at < folded.len() {
        let here = folded[at];
        while ahead.next_if(|group| group.range.end <= here.start).is_some() {}
        let free = ahead.peek().is_none_or(|group| here.start < group.range.start);
        match free.then(|| find_lookalike_at(folded, at)).flatten() {
            Some((from, to)) if to > from => {
                let (mut start, mut end) = (folded[from].start, folded[to - 1].end);
                if let Some(before) = found.last() {
                    start = start.max(before.range.end);
                }
                // A look-alike never overlaps a parsed citation.
                for group in read {
                    if group.range.start < start && start < group.range.end {
                        start = group.range.end;
                    }
                    if start <= group.range.start && group.range.start < end {
                        end = group.range.start;
                    }
                }
                let range = start..end.max(start);
                if !range.is_empty() {
                    found.push(CitationGroup {
                        items: vec![CitationItem { range: range.clone(), marker: CitationMarker::Malformed }],
                        range,
                    });
                }
                at = to.max(at + 1);
            }
            _ => at += 1,
        }
    }
    found
}

/// Returns the folded range of a look-alike of a citation that starts or is recognised at `at`.
fn find_lookalike_at(folded: &[FoldedChar], at: usize) -> Option<(usize, usize)> {
    match_keyword_lookalike(folded, at).or_else(|| match_bracket_lookalike(folded, at))
}

fn match_keyword_lookalike(folded: &[FoldedChar], at: usize) -> Option<(usize, usize)> {
    if at > 0 && folded[at - 1].letter.is_alphanumeric() {
        return None;
    }
    let keyword = KEYWORDS.iter().find(|word| matches_word_at(folded, at, word))?;
    let after = at + keyword.len();
    if folded.get(after).is_some_and(|f| f.letter.is_alphabetic()) {
        return None;
    }
    let open = find_opening_bracket(folded, at);
    let mut word = after;
    let mut separated = false;
    while let Some(f) = folded.get(word) {
        let sign = matches!(f.letter, ':' | '=' | '#' | '|' | '~' | '@' | '/');
        if !(sign || f.letter.is_whitespace() || matches!(f.letter, '-' | '_' | '\'' | '"' | '`' | '*')) {
            break;
        }
        separated |= sign;
        word += 1;
    }
    let end = find_word_end(folded, word);
    let named: String = folded.get(word..end)?.iter().map(|f| f.letter).collect();
    let joined = folded.get(after).is_some_and(|f| matches!(f.letter, ':' | '=' | '#'))
        && folded.get(after + 1).is_some_and(|f| f.letter.is_alphanumeric() || matches!(f.letter, '~' | '\u{1}' | '*'));
    let id_like = is_id_like(&named) || (open.is_some() && has_digit(&named) && named.len() >= 4);
    let empty = open.is_some() && folded.get(word).is_none_or(|f| is_closing_bracket(f.letter));
    if !(joined || id_like || empty || (open.is_some() && separated)) {
        return None;
    }
    let from = open.unwrap_or(at);
    // The bracket is included only if it contains nothing but a name: words hidden in it are still judged.
    let to = match folded.get(end) {
        Some(f) if open.is_some() && is_closing_bracket(f.letter) => end + 1,
        _ => end.max(after),
    };
    Some((from, to))
}

/// Matches a bracket without the keyword that holds an id or a handle, perhaps split by spaces, line breaks or hyphens.
fn match_bracket_lookalike(folded: &[FoldedChar], at: usize) -> Option<(usize, usize)> {
    if !is_opening_bracket(folded[at].letter) {
        return None;
    }
    let length = folded.get(at + 1..)?.iter().take(LOOKAHEAD_CHARS).position(|f| is_closing_bracket(f.letter))?;
    let inside = folded.get(at + 1..at + 1 + length)?;
    let text: String = inside.iter().map(|f| f.letter).collect();
    if text.contains("[") {
        return None;
    }
    let last = text.split([':', '#', '=', ' ', '/', ',', '|', '^']).find(|word| is_id_like(word));
    let squeezed: String = text.chars().filter(|c| !c.is_whitespace() && *c != '-' && *c != '_').collect();
    let words = text.split_whitespace().count();
    let squeezed_name = squeezed.strip_prefix("claim:").unwrap_or(&squeezed);
    let handle = text.trim().strip_prefix('~').is_some_and(is_handle);
    let keyword = squeezed.starts_with("claim:") || squeezed.starts_with("claim：");
    let looks = last.is_some() || handle || keyword || (words <= 3 && is_id_like(squeezed_name));
    let is_prose = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.chars().count() > 3 && word.chars().all(char::is_alphabetic) && !KEYWORDS.contains(&word)
    };
    let wordy = text.split(|c: char| c.is_whitespace() || c == ':').filter(|word| is_prose(word)).count() > 1;
    looks.then_some((at, if wordy { at + 1 } else { at + length + 2 }))
}

fn matches_word_at(folded: &[FoldedChar], at: usize, word: &str) -> bool {
    word.chars().enumerate().all(|(i, letter)| folded.get(at + i).is_some_and(|f| f.letter == letter))
}

/// Returns the bracket that opens before `at`, with only signs and spaces in between.
fn find_opening_bracket(folded: &[FoldedChar], at: usize) -> Option<usize> {
    let mut open = None;
    for back in (0..at).rev().take(8) {
        let letter = folded[back].letter;
        if is_opening_bracket(letter) {
            open = Some(back);
        } else if open.is_some() && matches!(letter, '\\' | '!') {
            return Some(back);
        } else if open.is_some() || !(letter.is_whitespace() || "^@*_'\"`!\\#:~-".contains(letter)) {
            break;
        }
    }
    open
}

fn find_word_end(folded: &[FoldedChar], from: usize) -> usize {
    let part = |f: &FoldedChar| f.letter.is_alphanumeric() || f.letter == '\u{1}';
    let mut end = from;
    while folded.get(end).is_some_and(part)
        || (folded.get(end).is_some_and(|f| f.letter == '.') && folded.get(end + 1).is_some_and(part))
    {
        end += 1;
    }
    end
}

fn has_digit(word: &str) -> bool {
    word.chars().any(|c| c.is_ascii_digit())
}

/// Whether a word is almost certainly an id: it parses, and mixes letters and digits.
fn is_id_like(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    has_digit(word) && word.chars().any(char::is_alphabetic) && ClaimId::parse(word).is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ID: &str = "7h3kq0v9x2ma";

    fn show(text: &str) -> Vec<String> {
        let word = |item: &CitationItem| match &item.marker {
            CitationMarker::Id(id) => id.to_string(),
            CitationMarker::Handle(handle) => format!("~{handle}"),
            CitationMarker::Malformed => "malformed".to_owned(),
            CitationMarker::Link(_) | CitationMarker::Quote(_) => unreachable!("no bracket is read as one"),
        };
        find_citations(text).iter().flat_map(|group| group.items.iter().map(word)).collect()
    }

    #[test]
    fn good_forms_are_read() {
        for (text, expect) in [
            ("a [claim:7h3kq0v9x2ma]", vec![ID]),
            ("a [CLAIM:7H3KQ0V9X2MA].", vec![ID]),
            ("a [claim: 7h3kq0v9x2ma ]", vec![ID]),
            ("a [claim:7h3kq0v9x2ma.4t]", vec!["7h3kq0v9x2ma.4t"]),
            ("é[claim:7h3kq0v9x2ma][claim:0123456789ab]日", vec![ID, "0123456789ab"]),
            ("[claim:7h3kq0v9x2ma, claim:0123456789ab]", vec![ID, "0123456789ab"]),
            ("[claim:7h3kq0v9x2ma; 0123456789ab.zz]", vec![ID, "0123456789ab.zz"]),
            ("[claim:7h3kq0v9x2ma,\nclaim:0123456789ab]", vec![ID, "0123456789ab"]),
            ("[claim:~AB3D5F7H]", vec!["~ab3d5f7h"]),
            ("[claim:7h3kq0v9x2ma, nope]", vec![ID, "malformed"]),
        ] {
            assert_eq!(show(text), expect, "{text:?}");
        }
    }

    #[test]
    fn what_looks_like_a_citation_is_malformed_never_ignored() {
        for text in [
            "[claim: ]",
            "[claim:]",
            "[claim:abc",
            "[claim:abc]",
            "[claim:7h3kq0v9x2m]",
            "[claim:7h3kq0v9x2mab]",
            "[claim:7h3kq0v9x2mu]",
            "[Claim 7h3kq0v9x2ma]",
            "[Claim 7h3k]",
            "(claim:7h3kq0v9x2ma)",
            "{claim:7h3kq0v9x2ma}",
            "<claim:7h3kq0v9x2ma>",
            "【claim:7h3kq0v9x2ma】",
            "「claim:7h3kq0v9x2ma」",
            "［claim:7h3kq0v9x2ma］",
            "[claim：7h3kq0v9x2ma]",
            "[claims:7h3kq0v9x2ma]",
            "[cite:7h3kq0v9x2ma]",
            "[citation: 7h3kq0v9x2ma]",
            "[cl\u{200b}aim:7h3kq0v9x2ma]",
            "[claim:7h3kq0\u{200d}v9x2ma]",
            "[claim:7h3kq0\nv9x2ma]",
            "\\[claim:7h3kq0v9x2ma]",
            "[[claim:7h3kq0v9x2ma]]",
            "claim:7h3kq0v9x2ma",
            "claim 7h3kq0v9x2ma",
            "![claim:7h3kq0v9x2ma]",
            "[^claim:7h3kq0v9x2ma]",
            "[claim=7h3kq0v9x2ma]",
            "[claim#7h3kq0v9x2ma]",
            "[claim-7h3kq0v9x2ma]",
            "[claim_7h3kq0v9x2ma]",
            "[7h3kq0v9x2ma]",
            "[id:7h3kq0v9x2ma]",
            "[ref 7h3kq0v9x2ma]",
            "[сlaim:7h3kq0v9x2ma]",
            "[clаіm:7h3kq0v9x2ma]",
            "[claim:7h3kq0v9x2mа]",
            "[ claim : 7h3kq0v9x2ma ]",
            "[claim:~abc]",
            "[~ab3d5f7h]",
            "[claim]",
            "[claim:7h3kq0v9x2ma.]",
            "[claim:7h3kq0v9x2ma.4]",
            "[claim:7h3kq0v9x2ma|x]",
            "[c l a i m:7h3kq0v9x2ma]",
            "[claim∶7h3kq0v9x2ma]",
            "[claim:7h3k-q0v9-x2ma]",
            "[claim:7h3kq0v9x2ma 0123456789ab]",
            "[clairn:x1234]",
            "[claim:\u{202e}7h3kq0v9x2ma]",
            "[claim:１h3kq0v9x2ma]",
            "⟦claim:7h3kq0v9x2ma⟧",
            "[*claim:7h3kq0v9x2ma*]",
        ] {
            let shown = show(text);
            assert!(!shown.is_empty() && shown.iter().all(|word| word == "malformed"), "{text:?} {shown:?}");
        }
    }

    #[test]
    fn ordinary_text_is_no_citation() {
        for text in [
            "see [^1], [[Note]] and [text] (aside)",
            "The claim: drift is fast",
            "his claims are weak",
            "[x] done",
            "[link](https://example.org/claims)",
            "cite the source",
            "an excited claimant: Bob",
            "[2024-03-12] [claim your prize]",
            "Reclaim: it",
            "日本語の文。",
        ] {
            assert_eq!(show(text), Vec::<String>::new(), "{text:?}");
        }
    }

    #[test]
    fn words_hidden_in_a_bad_citation_stay_text() {
        for text in ["late (claim: the moon is cheese)", "late [claim:7h3kq0v9x2ma, the moon is cheese]"] {
            for group in find_citations(text) {
                let marker = text.get(group.range).expect("on boundaries");
                assert!(!marker.contains("moon"), "{marker:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_gives_ordered_ranges_on_character_boundaries(
            text in r"(\PC|\[|\]|claim|:|~|7h3kq0v9x2ma|,|\n|é|\u{200b}){0,40}"
        ) {
            let mut end = 0;
            for group in find_citations(&text) {
                prop_assert!(end <= group.range.start && group.range.start < group.range.end);
                prop_assert!(text.get(group.range.clone()).is_some());
                prop_assert!(!group.items.is_empty());
                for item in &group.items {
                    prop_assert!(text.get(item.range.clone()).is_some());
                }
                end = group.range.end;
            }
        }
    }
}
