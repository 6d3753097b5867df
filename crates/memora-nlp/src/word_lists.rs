//! Word lists: `data/<language>.toml` of each crate, embedded, with a list of strings for each name.
//!
//! A list is sorted, unique and in lower case; a map has entries `form=value`. A test checks the files of every crate.
//! Invariant: **a word is listed once, in the file of its language**, and all code that needs that kind of word
//! reads this one file. [`list!`](crate::list) reads a list, [`word_sets!`](crate::word_sets) declares sets of words by theirs.

use std::collections::HashSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::language::Language;

/// The words of lists. Each word of a text is looked up in dozens of them, which are part of the program: they need no key against
/// collisions. Nothing stored depends on the hash.
pub type WordSet<'w> = FxHashSet<&'w str>;

/// Words of lists with a value each.
pub type WordMap<K, T> = FxHashMap<K, T>;

/// Returns the entries of the lists as a set.
#[must_use]
pub fn word_set(lists: &[&'static str]) -> WordSet<'static> {
    list_entries(lists).collect()
}

/// Returns the words of the sets and the entries of the lists as one set.
#[must_use]
pub fn extended_set(sets: &[&WordSet<'static>], lists: &[&'static str]) -> WordSet<'static> {
    sets.iter().flat_map(|set| set.iter().copied()).chain(list_entries(lists)).collect()
}

/// Returns the `form=value` entries of the lists.
pub fn read_assignments(lists: &[&'static str]) -> impl Iterator<Item = (&'static str, &'static str)> {
    list_entries(lists).filter_map(|line| line.rsplit_once('='))
}

/// Returns the `one=other` entries of the lists, in both orders.
#[must_use]
pub fn symmetric_pairs(lists: &[&'static str]) -> HashSet<(&'static str, &'static str)> {
    read_assignments(lists).flat_map(|(one, other)| [(one, other), (other, one)]).collect()
}

fn list_entries(lists: &[&'static str]) -> impl Iterator<Item = &'static str> {
    lists.iter().flat_map(|list| list.split('"').skip(1).step_by(2))
}

/// Returns what stands between the brackets of `name = ["one", "two"]` in a file of lists. The name may be in capitals, as that
/// of a static is. No entry has a quotation mark or a closing bracket.
///
/// # Panics
///
/// Without such a list: for constants, which then do not compile. [`list!`](crate::list) calls it in one.
#[must_use]
pub const fn find_list(file: &'static str, name: &str) -> &'static str {
    let (text, name) = (file.as_bytes(), name.as_bytes());
    let mut line = 0;
    while line < text.len() {
        let mut at = 0;
        while at < name.len() && line + at < text.len() && text[line + at] == name[at].to_ascii_lowercase() {
            at += 1;
        }
        let (start, is_end) = (line + at, if at == name.len() { b']' } else { b'\n' });
        let mut end = start;
        while end < text.len() && text[end] != is_end {
            end += 1;
        }
        if at == name.len() && start < text.len() && text[start] == b' ' {
            return file.split_at(end).0.split_at(start).1;
        }
        while end < text.len() && text[end] != b'\n' {
            end += 1;
        }
        line = end + 1;
    }
    panic!("the file has no such list")
}

/// A list of the crate's `data/<language>.toml`, by its name or that of its static: `list!(en, articles)`.
#[macro_export]
macro_rules! list {
    ($language:ident, $name:ident) => {
        const {
            $crate::word_lists::find_list(
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/", stringify!($language), ".toml")),
                stringify!($name),
            )
        }
    };
}

/// Declares sets of words, each by the lists of its name: `ARTICLES: en de;`, perhaps with other sets: `OWNERS: en + ARTICLES;`.
#[macro_export]
macro_rules! word_sets {
    ($($(#[$doc:meta])* $vis:vis $name:ident: $($language:ident)+ $(+ $more:ident)*;)+) => {$(
        $(#[$doc])*
        $vis static $name: ::std::sync::LazyLock<$crate::word_lists::WordSet<'static>> = ::std::sync::LazyLock::new(|| {
            $crate::word_lists::extended_set(&[$(&$more),*], &[$($crate::list!($language, $name)),+])
        });
    )+};
}

/// English and German words with a value each.
#[derive(Debug)]
pub struct Lexicon<T> {
    english: WordMap<&'static str, T>,
    german: WordMap<&'static str, T>,
    /// German words with umlauts, keyed by the spelling without them.
    plain: WordMap<String, T>,
    forms: FormFilter,
}

impl<T: Copy> Lexicon<T> {
    /// Reads one list per language; entries whose value `read` rejects are skipped.
    pub(crate) fn read(english: &'static str, german: &'static str, read: impl Fn(&'static str) -> Option<T>) -> Self {
        let map = |list: &'static str| -> WordMap<&'static str, T> {
            read_assignments(&[list]).filter_map(|(form, value)| Some((form, read(value)?))).collect()
        };
        let (english, german) = (map(english), map(german));
        let changed = german.iter().filter(|(form, _)| !form.is_ascii());
        let plain: WordMap<String, T> = changed.map(|(form, value)| (fold_umlauts(form), *value)).collect();
        let words = english.keys().chain(german.keys()).copied().chain(plain.keys().map(String::as_str));
        let forms = FormFilter::of(words);
        Self { english, german, plain, forms }
    }

    /// Returns the value of a lower-case word, in either language.
    #[must_use]
    pub fn get(&self, word: &str) -> Option<T> {
        if !self.forms.may_contain(word) {
            return None;
        }
        self.english.get(word).or_else(|| self.german.get(word)).copied()
    }

    /// Returns the value of a lower-case word that may have lost its umlauts: `marz`.
    #[must_use]
    pub fn get_folded(&self, word: &str) -> Option<T> {
        if !self.forms.may_contain(word) {
            return None;
        }
        self.get(word).or_else(|| self.plain.get(word).copied())
    }

    /// Returns the value of a lower-case word in one language.
    #[must_use]
    pub fn get_in(&self, language: Language, word: &str) -> Option<T> {
        match language {
            Language::English => self.english.get(word).copied(),
            Language::German => self.german.get(word).copied(),
            Language::Other => None,
        }
    }

    /// Whether a lower-case word is listed.
    #[must_use]
    pub fn contains(&self, word: &str) -> bool {
        self.forms.may_contain(word) && (self.english.contains_key(word) || self.german.contains_key(word))
    }

    /// Iterates over all words with their language and value.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Language, T)> {
        let of = |map: &WordMap<&'static str, T>, language| {
            map.iter().map(|(word, value)| (*word, language, *value)).collect::<Vec<_>>()
        };
        of(&self.english, Language::English).into_iter().chain(of(&self.german, Language::German))
    }
}

/// First bytes of some words, each with the lengths of those that begin with it: most words of a text are known not to be
/// among months or numerals without being looked up.
#[derive(Debug)]
struct FormFilter(Box<[u32; 256]>);

impl FormFilter {
    fn of<'w>(words: impl Iterator<Item = &'w str>) -> Self {
        let mut lengths = Box::new([0; 256]);
        for word in words {
            if let Some(first) = word.bytes().next() {
                lengths[usize::from(first)] |= Self::length_bit(word);
            }
        }
        Self(lengths)
    }

    /// One bit for each length, and one for all that are longer.
    fn length_bit(word: &str) -> u32 {
        1 << word.len().min(31)
    }

    #[inline]
    fn may_contain(&self, word: &str) -> bool {
        word.bytes().next().is_some_and(|first| self.0[usize::from(first)] & Self::length_bit(word) != 0)
    }
}

fn fold_umlauts(word: &str) -> String {
    let plain = |c: char| match c {
        'ä' => 'a',
        'ö' => 'o',
        'ü' => 'u',
        other => other,
    };
    word.chars().map(plain).collect::<String>().replace('ß', "ss")
}
