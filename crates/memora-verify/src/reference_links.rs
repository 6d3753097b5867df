//! Links that only refer: what a sentence says without them.

use std::collections::HashSet;
use std::ops::Range;

use memora_entail::is_function_word;

use crate::comparison::{normalize_spacing, normalized_words};
use crate::lists::POINTER_WORDS;

/// A sentence without the links that only refer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnlinkedSentence {
    /// Its words without them.
    pub(crate) text: String,
    /// Whether each of them is in brackets of its own or follows the end of the sentence, so that it cannot be one of
    /// the sentence's words.
    pub(crate) apart: bool,
    /// Whether each of the others ends the sentence and can hardly be one of its words: it repeats a name in the
    /// sentence, or follows a year.
    pub(crate) again: bool,
}

/// The maximum length of brackets around a link, in bytes.
const BRACKETS_BYTES_MAX: usize = 200;

/// Returns a sentence without the links that only refer, if there are any. `bare` is the text of the block with its
/// citations blanked, `range` the sentence in it; each link comes with whether it has a display text of its own.
///
/// A link only refers if it is in brackets without content words, or if no content follows it in the sentence. A
/// display text may say anything, so a link that has one is part of the sentence unless it consists of pointers.
pub(crate) fn strip_reference_links<'l>(
    bare: &str,
    range: &Range<usize>,
    links: impl Iterator<Item = (&'l Range<usize>, bool)>,
) -> Option<UnlinkedSentence> {
    let links: Vec<(Range<usize>, bool)> = links.map(|(plain, piped)| (plain.clone(), piped)).collect();
    let mut blanked = bare.to_owned();
    for (plain, piped) in &links {
        let shown = bare.get(plain.clone())?;
        let only_points = shown.chars().all(|c| !c.is_alphabetic()) || !has_content_words(shown);
        if !piped || only_points {
            blank_range(&mut blanked, plain);
        }
    }
    let (mut left_out, mut apart, mut again) = (bare.to_owned(), true, true);
    let mut any = false;
    for (plain, _) in &links {
        let shows_nothing = blanked.get(plain.clone()).is_some_and(|shown| shown.trim().is_empty());
        if !shows_nothing {
            continue;
        }
        if let Some(brackets) = find_enclosing_brackets(&blanked, plain) {
            blank_range(&mut left_out, &brackets);
        } else if !blanked.get(plain.end..range.end.max(plain.end)).is_some_and(has_content_words) {
            let before = blanked.get(range.start.min(plain.start)..plain.start).unwrap_or_default().trim_end();
            let is_apart =
                !has_content_words(before) || before.ends_with(['.', '!', '?', '…', '。', '！', '？', '"', '”']);
            apart &= is_apart;
            again &= is_apart || is_redundant_link(bare.get(plain.clone()).unwrap_or_default(), before);
            blank_range(&mut left_out, plain);
        } else {
            continue;
        }
        any = true;
    }
    any.then(|| UnlinkedSentence {
        text: normalize_spacing(left_out.get(range.clone()).unwrap_or_default()),
        apart,
        again,
    })
}

/// Whether a link at the end of a sentence repeats a name in the words before it ("Anna left in May [[Anna Brandt]]"),
/// follows a year, which takes no name, or is a daily note in a folder ("Anna left [[Daily/2025-10-14]]"). After a
/// preposition and the like it is one of the words.
fn is_redundant_link(shown: &str, before: &str) -> bool {
    // "May" is a month, while "may" needs a verb after it.
    let is_large = before.split_whitespace().last().is_some_and(|word| word.starts_with(char::is_uppercase));
    let Some(last) = normalized_words(before).pop().filter(|last| is_large || !is_function_word(last)) else {
        return false;
    };
    let names = |text: &str| -> HashSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        let named = words.filter(|word| word.starts_with(char::is_uppercase)).map(str::to_lowercase);
        named.filter(|word| !is_function_word(word)).collect()
    };
    let is_year = last.len() == 4
        && last.bytes().all(|byte| byte.is_ascii_digit())
        && ["19", "20"].iter().any(|century| last.starts_with(century));
    let is_day = |name: &str| name.len() == 10 && memora_vault::PartialDate::parse(name).is_some();
    let is_days = shown.rsplit_once('/').is_some_and(|(_, name)| is_day(name.trim()));
    is_days || is_year || !names(shown).is_disjoint(&names(before))
}

fn blank_range(text: &mut String, range: &Range<usize>) {
    if text.get(range.clone()).is_some() {
        text.replace_range(range.clone(), &" ".repeat(range.len()));
    }
}

/// Returns the brackets around a link, if they contain no other content.
fn find_enclosing_brackets(blanked: &str, link: &Range<usize>) -> Option<Range<usize>> {
    let before = blanked.get(..link.start)?;
    let open = before.rfind(['(', '['])?;
    let behind = blanked.get(link.end..)?;
    let close = link.end + behind.find([')', ']'])? + 1;
    let inside = blanked.get(open + 1..close - 1)?;
    (close - open <= BRACKETS_BYTES_MAX && !inside.contains(['(', ')', '[', ']']) && !has_content_words(inside))
        .then_some(open..close)
}

/// Whether a text has words other than pointers.
pub(crate) fn has_content_words(text: &str) -> bool {
    lowercase_words(text).any(|word| !POINTER_WORDS.contains(word.as_str()))
}

pub(crate) fn lowercase_words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}
