//! What English words mean to one another: [`Meaning`], of a word alone, without its sentence.
//!
//! From WordNet; see `assets/README.md`. The one rule to know: **a word has several senses, and a relation holds if any two
//! of them have it.** So a relation says what may be meant, never what is; whoever asks decides how much that is worth.
//!
//! Deliberately not here: which sense a sentence means, and names.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

static SENSES: &str = include_str!("../assets/memora-en-senses.txt");

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(SENSES));

/// How a word stands to another one, the closest relation first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kinship {
    /// Forms of one word, or words that share a sense: *buy*, *bought*, *purchase*.
    Same,
    /// One is made of the other, or is nearly it: *decide*, *decision*.
    Kin,
    /// A more general word for the other: *move* for *relocate*.
    Broader,
    /// A more particular one.
    Narrower,
    /// Two of a kind: *red*, *blue*.
    Sibling,
    /// The opposite: *noisy*, *quiet*.
    Opposite,
}

/// What a word may mean.
#[derive(Clone, Debug, Default)]
pub struct Meaning {
    /// Its plain forms.
    lemmas: Vec<&'static str>,
    /// The senses of those; all lists of groups are sorted.
    groups: Vec<u32>,
    kin: Vec<u32>,
    /// What those are kinds of, and what that is a kind of.
    parents: Vec<u32>,
    grandparents: Vec<u32>,
    opposites: Vec<&'static str>,
}

impl Meaning {
    /// Looks up a word in any of its forms; several words that are one verb are joined by `_`.
    ///
    /// Returns a meaning without any sense for a word that is not known.
    #[must_use]
    pub fn of(word: &str) -> Self {
        let lexicon = &*LEXICON;
        let mut meaning = Self::default();
        for (lemma, entry) in lexicon.lemmas(&word.to_lowercase()) {
            meaning.lemmas.push(lemma);
            meaning.groups.extend(lexicon.numbers.get(entry.senses.clone()).unwrap_or_default());
            meaning.opposites.extend(entry.opposites.split_whitespace());
        }
        let links = |groups: &[u32], link: fn(&Group) -> Range<usize>| {
            let groups = groups.iter().filter_map(|group| lexicon.groups.get(*group as usize));
            sorted(groups.flat_map(|group| lexicon.numbers.get(link(group)).unwrap_or_default()).copied().collect())
        };
        meaning.groups = sorted(meaning.groups);
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

    /// Returns the closest relation of this word to the other one; an opposite is one whatever else the two may be.
    #[must_use]
    pub fn is_to(&self, other: &Self) -> Option<Kinship> {
        let opposes = |one: &Self, two: &Self| one.opposites.iter().any(|word| two.lemmas.contains(word));
        let found = if self.lemmas.iter().any(|lemma| other.lemmas.contains(lemma)) {
            Kinship::Same
        } else if opposes(self, other) || opposes(other, self) {
            Kinship::Opposite
        } else if meet(&self.groups, &other.groups) {
            Kinship::Same
        } else if meet(&self.kin, &other.groups) || meet(&self.groups, &other.kin) {
            Kinship::Kin
        } else if meet(&self.groups, &other.parents) || meet(&self.groups, &other.grandparents) {
            Kinship::Broader
        } else if meet(&self.parents, &other.groups) || meet(&self.grandparents, &other.groups) {
            Kinship::Narrower
        } else if meet(&self.parents, &other.parents) || meet(&self.kin, &other.kin) {
            Kinship::Sibling
        } else {
            return None;
        };
        Some(found)
    }
}

/// Whether two sorted lists share a number.
pub(crate) fn meet(a: &[u32], b: &[u32]) -> bool {
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

/// Numbers, each once, ascending.
pub(crate) fn sorted(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The file, read.
struct Lexicon {
    groups: Vec<Group>,
    words: HashMap<&'static str, Entry>,
    /// Irregular forms with the plain ones.
    forms: HashMap<&'static str, Vec<&'static str>>,
    /// What the ranges of the others are of.
    numbers: Vec<u32>,
}

/// Words that share a sense.
struct Group {
    parents: Range<usize>,
    kin: Range<usize>,
}

struct Entry {
    senses: Range<usize>,
    opposites: &'static str,
}

impl Lexicon {
    /// Reads the three parts of the file: groups, words, irregular forms. What is no number is left out.
    fn read(text: &'static str) -> Self {
        let mut lexicon =
            Self { groups: Vec::new(), words: HashMap::new(), forms: HashMap::new(), numbers: Vec::new() };
        let mut parts = text.split("\n\n");
        for line in parts.next().unwrap_or_default().lines() {
            let (parents, kin) = line.split_once(';').unwrap_or((line, ""));
            let group = Group { parents: lexicon.take(parents), kin: lexicon.take(kin) };
            lexicon.groups.push(group);
        }
        for line in parts.next().unwrap_or_default().lines() {
            let mut fields = line.split(';');
            let word = fields.next().unwrap_or_default();
            let senses = lexicon.take(fields.next().unwrap_or_default());
            lexicon.words.insert(word, Entry { senses, opposites: fields.next().unwrap_or_default() });
        }
        for line in parts.next().unwrap_or_default().lines() {
            if let Some((form, plain)) = line.split_once(';') {
                lexicon.forms.entry(form).or_default().push(plain);
            }
        }
        lexicon
    }

    fn take(&mut self, numbers: &str) -> Range<usize> {
        let start = self.numbers.len();
        self.numbers.extend(numbers.split_whitespace().filter_map(|n| n.parse::<u32>().ok()));
        start..self.numbers.len()
    }

    /// The plain forms that a word in lower case may be a form of, and the word itself, as far as they are known.
    fn lemmas(&self, word: &str) -> Vec<(&'static str, &Entry)> {
        let mut found: Vec<(&'static str, &Entry)> = Vec::new();
        self.each_form(word, |form| {
            if let Some((lemma, entry)) = self.words.get_key_value(form)
                && !found.iter().any(|(known, _)| known == lemma)
            {
                found.push((lemma, entry));
            }
        });
        found
    }

    /// A word in lower case, and what it may be a form of by irregular forms and by its ending.
    fn each_form(&self, word: &str, mut add: impl FnMut(&str)) {
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

/// A word in lower case, and what it may be a form of, whether or not that is a word.
pub(crate) fn each_form(word: &str, add: impl FnMut(&str)) {
    LEXICON.each_form(word, add);
}

/// Endings of inflected words, and what stands there in the plain ones. Comparatives are words of their own: what is lower
/// need not be low.
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

    fn kinship(word: &str, other: &str) -> Option<Kinship> {
        Meaning::of(word).is_to(&Meaning::of(other))
    }

    #[test]
    fn words_are_to_each_other_what_a_dictionary_says() {
        for (word, other, expected) in [
            ("purchased", "bought", Some(Kinship::Same)),
            ("erases", "deletes", Some(Kinship::Same)),
            ("decision", "decided", Some(Kinship::Kin)),
            ("vehicle", "cars", Some(Kinship::Broader)),
            ("cars", "vehicle", Some(Kinship::Narrower)),
            ("red", "blue", Some(Kinship::Sibling)),
            ("noisy", "quiet", Some(Kinship::Opposite)),
            ("take_over", "assume", Some(Kinship::Same)),
            ("xyzzy", "quiet", None),
            ("lantern", "decide", None),
        ] {
            assert_eq!(kinship(word, other), expected, "{word} {other}");
        }
    }

    #[test]
    fn what_is_not_known_has_no_meaning() {
        assert!(!Meaning::of("").is_known());
        assert!(!Meaning::of("Memora").is_known());
        assert!(!Meaning::of("é日\u{200b}s").is_known());
        assert!(Meaning::of("Ran").is_known());
    }

    proptest::proptest! {
        #[test]
        fn any_words_can_be_asked_about(a in r"\PC{0,12}", b in r"[a-z]{0,6}(s|ed|ing|ies)?") {
            let (one, other) = (Meaning::of(&a), Meaning::of(&b));
            // What is symmetric is so from both sides.
            let back = other.is_to(&one);
            match one.is_to(&other) {
                Some(Kinship::Broader) => proptest::prop_assert!(matches!(back, Some(Kinship::Broader | Kinship::Narrower))),
                Some(Kinship::Narrower) => proptest::prop_assert!(matches!(back, Some(Kinship::Broader | Kinship::Narrower))),
                same => proptest::prop_assert_eq!(back, same),
            }
        }
    }
}
