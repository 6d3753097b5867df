//! The visible characters of a sentence, each with its bytes in the text that the sentence comes from.
//!
//! A sentence is judged without its markup, its citations, and sometimes without its links. So a place in the judged
//! words is found in the text by their characters. Invariant: **a place is only given where it is certain.** Where the
//! judged words fit into the sentence in two ways that disagree about the place, and the words there are in it twice,
//! there is none.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use crate::confusables::is_invisible;

/// The visible characters of a sentence, decomposed, in order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct LetterMap {
    letters: Vec<(char, Range<usize>)>,
}

impl LetterMap {
    /// Reads the characters of some words; `source` returns the bytes that a range of the words comes from.
    pub(crate) fn from_words(words: &str, source: impl Fn(&Range<usize>) -> Range<usize>) -> Self {
        let letters = visible_letters(words).map(|(letter, range)| (letter, source(&range))).collect();
        Self { letters }
    }

    /// Returns the bytes of the text for a range of the judged words, which are the sentence's or a part of them;
    /// `None` where that is uncertain.
    pub(crate) fn locate_range(&self, judged: &str, range: &Range<usize>) -> Option<Range<usize>> {
        self.locate_embedded(judged, range).or_else(|| self.locate_words(judged.get(range.clone())?))
    }

    /// The same where all judged words stand in the sentence in their order, in whatever way they fit into it.
    fn locate_embedded(&self, judged: &str, range: &Range<usize>) -> Option<Range<usize>> {
        let judged: Vec<(char, Range<usize>)> = visible_letters(judged).collect();
        let inside = |(_, letter): &(char, Range<usize>)| range.start <= letter.start && letter.end <= range.end;
        let (first, last) = (judged.iter().position(inside)?, judged.iter().rposition(inside)?);
        let earliest = embed(judged.iter(), self.letters.iter())?;
        let mut latest = embed(judged.iter().rev(), self.letters.iter().rev())?;
        latest.reverse();
        let end = self.letters.len();
        let place =
            |at: usize| earliest.get(at).copied().filter(|found| latest.get(at).map(|l| end - 1 - l) == Some(*found));
        let (first, last) = (place(first)?, place(last)?);
        Some(self.letters.get(first)?.1.start..self.letters.get(last)?.1.end)
    }

    /// Returns the bytes of the text for some words of the sentence; `None` where they are in it twice, or not at all.
    pub(crate) fn locate_words(&self, words: &str) -> Option<Range<usize>> {
        let words: Vec<char> = visible_letters(words).map(|(letter, _)| letter).collect();
        let is_here = |run: &[(char, Range<usize>)]| run.iter().map(|(letter, _)| letter).eq(&words);
        let mut found = self.letters.windows(words.len().max(1)).filter(|run| is_here(run));
        let (run, None) = (found.next()?, found.next()) else { return None };
        Some(run.first()?.1.start..run.last()?.1.end)
    }
}

/// The place of each of some letters among others, the first that fits; `None` if they are not all there in this order.
fn embed<'a>(
    letters: impl Iterator<Item = &'a (char, Range<usize>)>,
    among: impl Iterator<Item = &'a (char, Range<usize>)>,
) -> Option<Vec<usize>> {
    let mut among = among.enumerate();
    letters.map(|(letter, _)| among.find(|(_, (other, _))| other == letter).map(|(at, _)| at)).collect()
}

fn visible_letters(text: &str) -> impl Iterator<Item = (char, Range<usize>)> + '_ {
    let is_visible = |letter: &char| !is_invisible(*letter) && !letter.is_whitespace() && !letter.is_control();
    text.char_indices().flat_map(move |(at, letter)| {
        let range = at..at + letter.len_utf8();
        std::iter::once(letter).nfd().filter(is_visible).map(move |part| (part, range.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks where `words` of `judged` are found in a sentence whose text begins at byte 100.
    #[track_caller]
    fn check(sentence: &str, judged: &str, words: &str, expect: Option<&str>) {
        let map = LetterMap::from_words(sentence, |range| range.start + 100..range.end + 100);
        let at = judged.rfind(words).expect("the words are judged");
        let found = map.locate_range(judged, &(at..at + words.len()));
        let text = found.and_then(|range| sentence.get(range.start - 100..range.end - 100));
        assert_eq!(text, expect, "{words} of {judged} in {sentence}");
    }

    #[test]
    fn words_are_found_where_they_stand() {
        check("It costs 8 MB.", "It costs 8 MB.", "8 MB", Some("8 MB"));
        check("8 MB, then  8\tMB.", "8 MB, then 8 MB.", "8 MB", Some("8\tMB"));
        check("Cafe\u{301} Go\u{200b}ld opens.", "Café Gold opens.", "Café Gold", Some("Cafe\u{301} Go\u{200b}ld"));
    }

    #[test]
    fn words_left_out_shift_nothing() {
        check("Anna left in May (see Plan).", "Anna left in May.", "May", Some("May"));
        check("According to it, Anna left in May.", "Anna left in May.", "Anna", Some("Anna"));
    }

    #[test]
    fn an_uncertain_place_is_none() {
        check("5 and 5.", "5.", "5", None);
        check("The price is 5.", "Cost 5, Price 5 each.", "5", Some("5"));
        check("The price is 5, not 15.", "Price 5 each.", "5", None);
        let map = LetterMap::from_words("May or May not", Clone::clone);
        assert_eq!(map.locate_words("May"), None);
        assert_eq!(map.locate_words("not"), Some(11..14));
        assert_eq!(map.locate_words(""), None);
    }
}
