//! Paraphrases in English: [`Phrasebook`], words and phrases that are equivalent or entail one another.
//!
//! A hand-written list; see `assets/README.md`. Invariant: **subject and object are the same on both sides.**
//! *Hand over* and *pass on* are in it, *buy from* and *sell to* are not.
//!
//! Not here: agents, negation, and single words that share a sense ([`Meaning`](crate::Meaning)).

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::lexicon::{DENIAL_HELPERS, POSSESSIVES, SEPARABLE_PARTICLES};
use crate::senses::{sort_and_dedup, sorted_lists_intersect, visit_base_forms};
use crate::spelling::normalize_spelling;

static PHRASES: &str = include_str!("../assets/memora-en-phrases.txt");

static BOOK: LazyLock<ParaphraseTable> = LazyLock::new(|| ParaphraseTable::parse_table(PHRASES));

/// The maximum number of words between a verb and its particle: *hand the old keys over*.
const BETWEEN_MAX: usize = 4;

/// A table of phrases and their paraphrase groups.
pub struct ParaphraseTable {
    phrases: Vec<Phrase>,
    /// Indices of the phrases by their first two words; the second is empty for a phrase of one word.
    by_lead: HashMap<(&'static str, &'static str), Vec<u32>>,
    /// All words of the phrases, keyed by their normalized spelling.
    words: HashMap<String, Vec<&'static str>>,
}

/// A phrase with the groups of the list that contain it; each list of groups is sorted.
#[derive(Default)]
struct Phrase {
    words: Vec<&'static str>,
    /// Groups whose members are all equivalent.
    same: Vec<u32>,
    /// Groups in which the phrase is on the entailing side.
    says: Vec<u32>,
    /// Groups in which the phrase is on the entailed side.
    follows: Vec<u32>,
    /// Whether the phrase is a filler, without content of its own.
    is_empty: bool,
}

/// A phrase found in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhraseMatch {
    phrase: u32,
    /// Positions of its words, ascending.
    pub places: Vec<usize>,
}

/// The relation between two phrases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PhraseRelation {
    /// Each can replace the other.
    Equivalent,
    /// The first entails the second: *sprint* entails *run*.
    Entailed,
}

impl ParaphraseTable {
    /// Returns the embedded table.
    #[must_use]
    pub fn embedded() -> &'static Self {
        &BOOK
    }

    /// Returns the phrases in a sentence, given as lower-case words in which each article, hyphen and other sign is a
    /// word of its own. Verbs and nouns may be inflected; articles and hyphens may stand anywhere between the words, an
    /// object between a verb and its particle.
    #[must_use]
    pub fn find_phrases(&self, words: &[&str]) -> Vec<PhraseMatch> {
        let forms: Vec<Vec<&'static str>> = words.iter().map(|word| self.matching_forms(word)).collect();
        let mut found = Vec::new();
        for (start, firsts) in forms.iter().enumerate() {
            let nexts = std::iter::once(start).chain(second_word_positions(words, start));
            for (next, first) in nexts.flat_map(|next| firsts.iter().map(move |first| (next, *first))) {
                let alone: &[&str] = &[""];
                let leads = if next == start { alone } else { forms[next].as_slice() };
                for &phrase in leads.iter().filter_map(|second| self.by_lead.get(&(first, *second))).flatten() {
                    let places =
                        self.phrases.get(phrase as usize).and_then(|p| p.match_positions(words, &forms, start, next));
                    found.extend(places.map(|places| PhraseMatch { phrase, places }));
                }
            }
        }
        found
    }

    /// Returns the relation of `theirs` to `own`, if `theirs` is equivalent to or entails `own`.
    #[must_use]
    pub fn relation(&self, theirs: &PhraseMatch, own: &PhraseMatch) -> Option<PhraseRelation> {
        let [theirs, own] = [theirs, own].map(|found| self.phrases.get(found.phrase as usize));
        let (theirs, own) = (theirs?, own?);
        if sorted_lists_intersect(&theirs.same, &own.same) {
            Some(PhraseRelation::Equivalent)
        } else {
            sorted_lists_intersect(&theirs.says, &own.follows).then_some(PhraseRelation::Entailed)
        }
    }

    /// Whether the phrase can be left out without changing the meaning: *in fact*.
    #[must_use]
    pub fn is_filler(&self, found: &PhraseMatch) -> bool {
        self.phrases.get(found.phrase as usize).is_some_and(|phrase| phrase.is_empty)
    }

    /// Parses lines of equivalent phrases (`a = b = c`), of phrases that each entail others (`a = b > c = d`), and of
    /// fillers (`~ a`). Lines that begin with `#` are skipped.
    fn parse_table(text: &'static str) -> Self {
        let mut book = Self { phrases: Vec::new(), by_lead: HashMap::new(), words: HashMap::new() };
        let mut numbers: HashMap<Vec<&'static str>, u32> = HashMap::new();
        let mut groups = 0..u32::MAX;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some(phrase) = line.strip_prefix('~') {
                book.insert_both_orders(phrase, &mut numbers, |phrase| phrase.is_empty = true);
                continue;
            }
            let sides: Vec<&str> = line.split('>').collect();
            let group = groups.next();
            for (at, side) in sides.iter().enumerate() {
                for phrase in side.split('=') {
                    book.insert_both_orders(phrase, &mut numbers, |phrase| match (sides.len(), at) {
                        (1, _) => phrase.same.extend(group),
                        (2, 0) => phrase.says.extend(group),
                        (2, _) => phrase.follows.extend(group),
                        _ => {}
                    });
                }
            }
        }
        for phrase in &mut book.phrases {
            for groups in [&mut phrase.same, &mut phrase.says, &mut phrase.follows] {
                *groups = sort_and_dedup(std::mem::take(groups));
            }
        }
        book
    }

    /// Inserts a phrase, and its variant with the negation behind the verb: *not be able to* matches *is not able to*.
    fn insert_both_orders(
        &mut self,
        text: &'static str,
        numbers: &mut HashMap<Vec<&'static str>, u32>,
        mut each: impl FnMut(&mut Phrase),
    ) {
        let words = text.split([' ', '-']).flat_map(|word| match word {
            "cannot" => vec!["can", "not"],
            word => vec![word],
        });
        let words: Vec<&str> = words.filter(|word| !word.is_empty() && !is_skipped(word)).collect();
        let turned = match words.as_slice() {
            ["not", verb @ ("be" | "have" | "can"), rest @ ..] => Some([&[*verb, "not"], rest].concat()),
            [verb @ ("be" | "have" | "can"), "not", rest @ ..] => Some([&["not", *verb], rest].concat()),
            _ => None,
        };
        for words in [Some(words), turned].into_iter().flatten().filter(|words| !words.is_empty()) {
            let number = *numbers.entry(words).or_insert_with_key(|words| self.insert_phrase(words));
            self.phrases.get_mut(number as usize).into_iter().for_each(&mut each);
        }
    }

    fn insert_phrase(&mut self, words: &[&'static str]) -> u32 {
        let number = u32::try_from(self.phrases.len()).unwrap_or(u32::MAX);
        self.phrases.push(Phrase { words: words.to_vec(), ..Phrase::default() });
        for word in words {
            let spellings = self.words.entry(normalize_spelling(word).into_owned()).or_default();
            if !spellings.contains(word) {
                spellings.push(word);
            }
        }
        if let Some(first) = words.first() {
            self.by_lead.entry((first, words.get(1).copied().unwrap_or_default())).or_default().push(number);
        }
        number
    }

    /// Returns the phrase words that `word` may be a form of, itself included.
    fn matching_forms(&self, word: &str) -> Vec<&'static str> {
        let mut found = Vec::new();
        visit_base_forms(word, |form| {
            let spellings = self.words.get(normalize_spelling(form).as_ref()).into_iter().flatten();
            found.extend(spellings.filter(|form| !found.contains(*form)).collect::<Vec<_>>());
        });
        if POSSESSIVES.contains(word) {
            found.push("one's");
        }
        found
    }
}

impl Phrase {
    /// Returns the positions of the phrase, whose first two words are at `start` and `next` (equal for a phrase of one
    /// word).
    fn match_positions(
        &self,
        words: &[&str],
        forms: &[Vec<&'static str>],
        start: usize,
        next: usize,
    ) -> Option<Vec<usize>> {
        // Only a particle may stand apart from its verb, and a denied verb from its denial: `has not yet been reached`.
        let parted = next_significant(words, start) != Some(next);
        let between = || words.get(start + 1..next).unwrap_or_default();
        let is_denied =
            || self.words.first() == Some(&"not") && between().iter().all(|word| DENIAL_HELPERS.contains(word));
        let may_part = self.words.get(1).is_none_or(|second| SEPARABLE_PARTICLES.contains(second)) || is_denied();
        if parted && !may_part {
            return None;
        }
        let mut places = if next == start { vec![start] } else { vec![start, next] };
        for wanted in self.words.iter().skip(2) {
            let at = next_significant(words, *places.last()?)?;
            forms.get(at)?.contains(wanted).then(|| places.push(at))?;
        }
        Some(places)
    }
}

/// Returns the possible positions of a phrase's second word: behind the first, or a little further in the same clause.
fn second_word_positions<'w>(words: &'w [&str], start: usize) -> impl Iterator<Item = usize> + 'w {
    let next = next_significant(words, start).unwrap_or(words.len());
    let reach = words.len().min(next + BETWEEN_MAX + 1);
    (next..reach).take_while(|at| words.get(*at).is_some_and(|word| !is_punctuation(word)))
}

/// Returns the next position that is neither an article nor a hyphen.
fn next_significant(words: &[&str], at: usize) -> Option<usize> {
    (at + 1..words.len()).find(|at| words.get(*at).is_some_and(|word| !is_skipped(word)))
}

/// Whether the word may stand between the words of a phrase without being part of it.
fn is_skipped(word: &str) -> bool {
    matches!(word, "a" | "an" | "the" | "-")
}

fn is_punctuation(word: &str) -> bool {
    word.chars().all(|c| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    static LIST: &str = "buy = purchase\nsprint = dash > run\nhand over = pass on\nnot be able to = be unable to\nnot reach = miss\n~ in fact\n\
                         # a topic\nchange one's mind = reconsider\napologize = say sorry\n";

    fn relation(theirs: &str, own: &str) -> Option<PhraseRelation> {
        let book = ParaphraseTable::parse_table(LIST);
        let found = |text: &str| book.find_phrases(&text.split(' ').collect::<Vec<_>>());
        let (theirs, own) = (found(theirs), found(own));
        theirs.iter().flat_map(|a| own.iter().filter_map(|b| book.relation(a, b))).min()
    }

    #[test]
    fn phrases_are_found_in_their_forms() {
        use PhraseRelation::{Entailed, Equivalent};
        for (theirs, own, expected) in [
            ("she bought it", "she purchased it", Some(Equivalent)),
            ("she sprinted", "she ran", Some(Entailed)),
            ("she apologised", "she said sorry", Some(Equivalent)),
            ("she ran", "she sprinted", None),
            ("she sprinted", "she dashed", None),
            ("handed the old keys over", "passed on the keys", Some(Equivalent)),
            ("handed the keys . over", "passed on the keys", None),
            ("is not able to come", "is unable to come", Some(Equivalent)),
            ("has not yet been reached", "has been missed", Some(Equivalent)),
            ("has not only been reached", "has been missed", None),
            ("she changed her mind", "she reconsidered", Some(Equivalent)),
            ("she changed the mind", "she reconsidered", None),
            ("a topic", "a topic", None),
        ] {
            assert_eq!(relation(theirs, own), expected, "{theirs} -> {own}");
        }
    }

    #[test]
    fn what_says_nothing_is_told_apart() {
        let book = ParaphraseTable::parse_table(LIST);
        let found = book.find_phrases(&["in", "fact", "she", "bought", "it"]);
        let empty: Vec<_> = found.iter().filter(|found| book.is_filler(found)).map(|found| &found.places).collect();
        assert_eq!(empty, [&vec![0, 1]]);
    }

    /// Each line has two sides at most, and something to be exchanged.
    #[test]
    fn the_list_is_well_formed() {
        for line in PHRASES.lines().filter(|line| !line.starts_with('#')) {
            let sides: Vec<Vec<&str>> = line.split('>').map(|side| side.split('=').map(str::trim).collect()).collect();
            let phrases: Vec<&str> = sides.concat();
            assert!(sides.len() <= 2 && phrases.iter().all(|phrase| !phrase.is_empty()), "{line}");
            assert!(line.starts_with('~') || phrases.len() > 1, "{line}");
            assert_eq!(line, line.to_lowercase(), "{line}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_words_can_be_looked_through(words in proptest::collection::vec(r"\PC{0,8}|the|be|not|give|up|-", 0..12)) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            for found in ParaphraseTable::embedded().find_phrases(&words) {
                proptest::prop_assert!(found.places.iter().all(|at| *at < words.len()));
            }
        }
    }
}
