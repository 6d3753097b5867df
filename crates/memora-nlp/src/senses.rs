//! Lexical relations between English words: [`WordSenses`], for a word without its context.
//!
//! Built from WordNet; see `assets/README.md`. Invariant: **a word has several senses, and a relation holds if any
//! two of them have it.** A relation is therefore possible, never certain; the caller decides how much weight it gets.
//!
//! Not here: word sense disambiguation, and names.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

static SENSES: &str = include_str!("../assets/memora-en-senses.txt");

static LEXICON: LazyLock<SenseInventory> = LazyLock::new(|| SenseInventory::parse_senses(SENSES));

/// The relation of one word to another, the closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LexicalRelation {
    /// Forms of one word, or words that share a sense: *buy*, *bought*, *purchase*.
    Synonym,
    /// Derived from the other word, or close to it in meaning: *decide*, *decision*.
    Derived,
    /// More general than the other: *move* for *relocate*.
    Hypernym,
    /// More specific than the other.
    Hyponym,
    /// Both have the same parent: *red*, *blue*.
    CoHyponym,
    /// The opposite of the other: *noisy*, *quiet*.
    Antonym,
}

/// The possible senses of a word.
#[derive(Clone, Debug, Default)]
pub struct WordSenses {
    /// The lemmas the word may be a form of.
    lemmas: Vec<&'static str>,
    /// The synsets of the lemmas; all lists of synsets are sorted.
    groups: Vec<u32>,
    kin: Vec<u32>,
    /// Hypernyms of `groups`, and their hypernyms.
    parents: Vec<u32>,
    grandparents: Vec<u32>,
    opposites: Vec<&'static str>,
}

impl WordSenses {
    /// Looks up a word in any of its forms; a verb of several words is joined by `_`.
    ///
    /// Returns a value without senses for an unknown word.
    #[must_use]
    pub fn look_up(word: &str) -> Self {
        let lexicon = &*LEXICON;
        let mut meaning = Self::default();
        for (lemma, entry) in lexicon.lemmas(&word.to_lowercase()) {
            meaning.lemmas.push(lemma);
            meaning.groups.extend(lexicon.numbers.get(entry.senses.clone()).unwrap_or_default());
            meaning.opposites.extend(entry.opposites.split_whitespace());
        }
        let links = |groups: &[u32], link: fn(&Synset) -> Range<usize>| {
            let groups = groups.iter().filter_map(|group| lexicon.groups.get(*group as usize));
            sort_and_dedup(
                groups.flat_map(|group| lexicon.numbers.get(link(group)).unwrap_or_default()).copied().collect(),
            )
        };
        meaning.groups = sort_and_dedup(meaning.groups);
        meaning.kin = links(&meaning.groups, |group| group.kin.clone());
        meaning.parents = links(&meaning.groups, |group| group.parents.clone());
        meaning.grandparents = links(&meaning.parents, |group| group.parents.clone());
        meaning
    }

    /// Whether any sense of the word is known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Returns the closest relation of this word to `other`; an antonym remains one even if another relation holds too.
    #[must_use]
    pub fn relation_to(&self, other: &Self) -> Option<LexicalRelation> {
        let opposes = |one: &Self, two: &Self| one.opposites.iter().any(|word| two.lemmas.contains(word));
        let found = if self.lemmas.iter().any(|lemma| other.lemmas.contains(lemma)) {
            LexicalRelation::Synonym
        } else if opposes(self, other) || opposes(other, self) {
            LexicalRelation::Antonym
        } else if sorted_lists_intersect(&self.groups, &other.groups) {
            LexicalRelation::Synonym
        } else if sorted_lists_intersect(&self.kin, &other.groups) || sorted_lists_intersect(&self.groups, &other.kin) {
            LexicalRelation::Derived
        } else if sorted_lists_intersect(&self.groups, &other.parents)
            || sorted_lists_intersect(&self.groups, &other.grandparents)
        {
            LexicalRelation::Hypernym
        } else if sorted_lists_intersect(&self.parents, &other.groups)
            || sorted_lists_intersect(&self.grandparents, &other.groups)
        {
            LexicalRelation::Hyponym
        } else if sorted_lists_intersect(&self.parents, &other.parents) || sorted_lists_intersect(&self.kin, &other.kin)
        {
            LexicalRelation::CoHyponym
        } else {
            return None;
        };
        Some(found)
    }
}

/// Whether two sorted lists have a common element.
fn sorted_lists_intersect(a: &[u32], b: &[u32]) -> bool {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => drop(a.next()),
            std::cmp::Ordering::Greater => drop(b.next()),
            std::cmp::Ordering::Equal => return true,
        }
    }
    false
}

/// Sorts the numbers and removes duplicates.
fn sort_and_dedup(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The parsed data file.
struct SenseInventory {
    groups: Vec<Synset>,
    words: HashMap<&'static str, SenseEntry>,
    /// Irregular forms with their lemmas.
    forms: HashMap<&'static str, Vec<&'static str>>,
    /// Backing storage of all ranges.
    numbers: Vec<u32>,
}

/// A group of words that share a sense.
struct Synset {
    parents: Range<usize>,
    kin: Range<usize>,
}

struct SenseEntry {
    senses: Range<usize>,
    opposites: &'static str,
}

impl SenseInventory {
    /// Parses the three parts of the file: groups, words, irregular forms. Items that are not numbers are skipped.
    fn parse_senses(text: &'static str) -> Self {
        let mut lexicon =
            Self { groups: Vec::new(), words: HashMap::new(), forms: HashMap::new(), numbers: Vec::new() };
        let mut parts = text.split("\n\n");
        for line in parts.next().unwrap_or_default().lines() {
            let (parents, kin) = line.split_once(';').unwrap_or((line, ""));
            let group = Synset { parents: lexicon.push_numbers(parents), kin: lexicon.push_numbers(kin) };
            lexicon.groups.push(group);
        }
        for line in parts.next().unwrap_or_default().lines() {
            let mut fields = line.split(';');
            let word = fields.next().unwrap_or_default();
            let senses = lexicon.push_numbers(fields.next().unwrap_or_default());
            lexicon.words.insert(word, SenseEntry { senses, opposites: fields.next().unwrap_or_default() });
        }
        for line in parts.next().unwrap_or_default().lines() {
            if let Some((form, plain)) = line.split_once(';') {
                lexicon.forms.entry(form).or_default().push(plain);
            }
        }
        lexicon
    }

    fn push_numbers(&mut self, numbers: &str) -> Range<usize> {
        let start = self.numbers.len();
        self.numbers.extend(numbers.split_whitespace().filter_map(|n| n.parse::<u32>().ok()));
        start..self.numbers.len()
    }

    /// Returns the known lemmas that a lower-case word may be a form of, the word itself included.
    fn lemmas(&self, word: &str) -> Vec<(&'static str, &SenseEntry)> {
        let mut found: Vec<(&'static str, &SenseEntry)> = Vec::new();
        self.visit_base_forms(word, |form| {
            if let Some((lemma, entry)) = self.words.get_key_value(form)
                && !found.iter().any(|(known, _)| known == lemma)
            {
                found.push((lemma, entry));
            }
        });
        found
    }

    /// Calls `add` for a lower-case word and for all lemmas it may be a form of, irregular or by ending.
    fn visit_base_forms(&self, word: &str, mut add: impl FnMut(&str)) {
        add(word);
        for plain in self.forms.get(word).into_iter().flatten() {
            add(plain);
        }
        for (ending, instead) in ENDINGS {
            let Some(base) = word.strip_suffix(ending).filter(|base| base.len() > 1) else { continue };
            add(&format!("{base}{instead}"));
            let mut last = base.chars().rev();
            if ending.starts_with(['e', 'i'])
                && last.next().is_some_and(|c| Some(c) == last.next())
                && let Some(single) = base.get(..base.len() - 1)
            {
                add(single);
            }
        }
    }
}

/// Inflectional endings and their replacement in the lemma. Comparatives are words of their own: "lower" does not imply
/// "low".
const ENDINGS: [(&str, &str); 13] = [
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("ies", "y"),
    ("es", "e"),
    ("ed", "e"),
    ("ed", ""),
    ("ied", "y"),
    ("ing", "e"),
    ("ing", ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn kinship(word: &str, other: &str) -> Option<LexicalRelation> {
        WordSenses::look_up(word).relation_to(&WordSenses::look_up(other))
    }

    #[test]
    fn words_are_to_each_other_what_a_dictionary_says() {
        for (word, other, expected) in [
            ("purchased", "bought", Some(LexicalRelation::Synonym)),
            ("erases", "deletes", Some(LexicalRelation::Synonym)),
            ("decision", "decided", Some(LexicalRelation::Derived)),
            ("vehicle", "cars", Some(LexicalRelation::Hypernym)),
            ("cars", "vehicle", Some(LexicalRelation::Hyponym)),
            ("red", "blue", Some(LexicalRelation::CoHyponym)),
            ("noisy", "quiet", Some(LexicalRelation::Antonym)),
            ("take_over", "assume", Some(LexicalRelation::Synonym)),
            ("xyzzy", "quiet", None),
            ("lantern", "decide", None),
        ] {
            assert_eq!(kinship(word, other), expected, "{word} {other}");
        }
    }

    #[test]
    fn what_is_not_known_has_no_meaning() {
        assert!(!WordSenses::look_up("").is_known());
        assert!(!WordSenses::look_up("Memora").is_known());
        assert!(!WordSenses::look_up("é日\u{200b}s").is_known());
        assert!(WordSenses::look_up("Ran").is_known());
    }

    proptest::proptest! {
        #[test]
        fn any_words_can_be_asked_about(a in r"\PC{0,12}", b in r"[a-z]{0,6}(s|ed|ing|ies)?") {
            let (one, other) = (WordSenses::look_up(&a), WordSenses::look_up(&b));
            // What is symmetric is so from both sides.
            let back = other.relation_to(&one);
            match one.relation_to(&other) {
                Some(LexicalRelation::Hypernym) => proptest::prop_assert!(matches!(back, Some(LexicalRelation::Hypernym | LexicalRelation::Hyponym))),
                Some(LexicalRelation::Hyponym) => proptest::prop_assert!(matches!(back, Some(LexicalRelation::Hypernym | LexicalRelation::Hyponym))),
                same => proptest::prop_assert_eq!(back, same),
            }
        }
    }
}
