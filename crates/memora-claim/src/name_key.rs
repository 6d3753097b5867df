//! Names, normalized for comparison.
//!
//! Invariant: **equal keys mean the same words, not necessarily the same thing.** The note or name that a key refers to
//! depends on the whole vault and is resolved on reading. Out of scope: storing names (`memora-store`)
//! and entity resolution (`memora-engine`).

use std::fmt;

use memora_vault::fold_name;

use crate::lists::{
    DESCRIBING_DETERMINERS, FIRST_PERSON_PRONOUNS, FOREIGN_DETERMINERS, LINK_WORDS, NAME_DETERMINERS, PRONOUNS,
};

/// A folded name: composed, lower case, without white space and punctuation around it, without a leading determiner
/// ("the", "our", "der", "la") and without a possessive `'s`. "The Drift's" and "drift" are equal.
///
/// Only one determiner is removed, the first word. A determiner that is not English is removed only in
/// lower case, because "Las Vegas", "OS X" and "UN Women" do not begin with one.
///
/// Never empty. A name is vault text, so `Debug` prints its length and there is no `Display`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameKey(String);

/// The key of the vault's owner. No text has it, since words never contain a control character.
const OWNER: &str = "\u{1}";

/// Maximum number of words in a name; anything longer is a text.
const NAME_WORDS_MAX: usize = 12;
const SHORT_WORDS_MAX: usize = 6;

impl NameKey {
    /// Returns the key of a title, an alias or a queried name; `None` if it has no letter and no digit.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let text = name.replace('’', "'");
        let words = split_words(&text);
        // "A" and "The The" are names when nothing else is.
        let determined =
            words.first().is_some_and(|word| is_determiner(word)) && !words.iter().all(|w| is_determiner(w));
        Self::from_words(words.get(usize::from(determined)..).unwrap_or_default())
    }

    /// Returns the key of all the words of a name, including a leading determiner, as in a query for
    /// "las vegas".
    #[must_use]
    pub fn from_all_words(name: &str) -> Option<Self> {
        Self::from_words(&split_words(&name.replace('’', "'")))
    }

    fn from_words(words: &[&str]) -> Option<Self> {
        let joined = fold_name(&words.join(" "));
        let key = joined.strip_suffix("'s").filter(|rest| !rest.is_empty()).unwrap_or(&joined).trim_end_matches('\'');
        key.chars().any(|c| c.is_alphanumeric() || !c.is_ascii()).then(|| Self(key.to_owned()))
    }

    /// Returns the key of a claim's subject: for "I" and "me" that of the [owner](Self::owner); `None` for other
    /// pronouns and for whole sentences.
    #[must_use]
    pub fn from_subject(text: &str) -> Option<Self> {
        Self::from_short_text(text, NAME_WORDS_MAX)
    }

    /// Returns the key of a claim's object, if it is short enough to be a name.
    #[must_use]
    pub fn from_object(text: &str) -> Option<Self> {
        Self::from_short_text(text, SHORT_WORDS_MAX)
    }

    /// Returns the key of a link's text, unless it names nothing: "here", "this", "see also", a whole sentence.
    #[must_use]
    pub fn from_link_text(shown: &str) -> Option<Self> {
        let key = Self::from_short_text(shown, SHORT_WORDS_MAX)?;
        (key != Self::owner() && !LINK_WORDS.contains(key.as_str())).then_some(key)
    }

    /// Whether a link's text is distinctive enough to be a name elsewhere: at least two words, and no leading
    /// determiner or pronoun. "Projet Dérive" is; "Ben" and "the language" are not.
    #[must_use]
    pub fn is_distinctive(shown: &str) -> bool {
        let words = split_words(shown);
        let first = words.first().copied().unwrap_or_default();
        let folded = fold_name(first);
        let points = NAME_DETERMINERS.contains(folded.as_str())
            || FOREIGN_DETERMINERS.contains(folded.as_str())
            || DESCRIBING_DETERMINERS.contains(folded.as_str())
            || PRONOUNS.contains(folded.as_str());
        // "UN Women" and "US Army" begin with neither.
        let points = points && (folded == "the" || !is_acronym(first));
        words.len() > 1 && !points
    }

    /// Whether this is the first word of a full name in a note's title: "Ben" in "Ben Miller".
    #[must_use]
    pub fn is_first_name_in(&self, title: &str) -> bool {
        /// Maximum number of words in a full name.
        const FULL_NAME_MAX: usize = 4;
        let words = split_words(title);
        let capital = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
        let ends = words.first().is_some_and(capital) && words.last().is_some_and(capital);
        let letters =
            words.iter().all(|word| word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’' | '.')));
        (2..=FULL_NAME_MAX).contains(&words.len())
            && ends
            && letters
            && words.first().is_some_and(|first| fold_name(first) == self.0)
    }

    fn from_short_text(text: &str, words_max: usize) -> Option<Self> {
        if text.split_whitespace().nth(words_max).is_some() {
            return None;
        }
        let key = Self::from_name(text)?;
        // "US", "IT" and "EU" are not pronouns.
        if is_acronym(text) {
            return Some(key);
        }
        if FIRST_PERSON_PRONOUNS.contains(key.as_str()) {
            return Some(Self::owner());
        }
        (!PRONOUNS.contains(key.as_str())).then_some(key)
    }

    /// Returns the key of the vault's owner, as first-person speaker.
    #[must_use]
    pub fn owner() -> Self {
        Self(OWNER.to_owned())
    }

    /// Returns the key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn split_words(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).map(trim_punctuation);
    words.filter(|word| !word.is_empty()).collect()
}

fn is_determiner(word: &str) -> bool {
    NAME_DETERMINERS.contains(fold_name(word).as_str()) || FOREIGN_DETERMINERS.contains(word)
}

/// Whether the last word has at least two capitals and no lower-case letter.
fn is_acronym(text: &str) -> bool {
    let text = text.replace('’', "'");
    let last = split_words(&text).last().copied().unwrap_or_default();
    let last = last.strip_suffix("'s").unwrap_or(last);
    last.chars().filter(|c| c.is_uppercase()).count() > 1 && last.chars().all(|c| !c.is_lowercase())
}

/// Trims punctuation around a word. A possessive's apostrophe is kept: only the last word's is removed, later.
fn trim_punctuation(word: &str) -> &str {
    let mark = |c: char| matches!(c, '"' | '“' | '”' | '„' | '«' | '»' | '*' | '_' | '`' | ',' | ';' | ':' | '!' | '?');
    word.trim_matches(mark).trim_start_matches(['(', '\'', '‘']).trim_end_matches([')', '.'])
}

impl fmt::Debug for NameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NameKey({} bytes)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expect: &str) {
        let key = NameKey::from_name(name);
        assert_eq!(key.as_ref().map_or("", NameKey::as_str), expect, "{name:?}");
    }

    #[test]
    fn one_thing_has_one_key() {
        for name in
            ["Drift", "drift", " the  Drift", "our drift", "Drift's", "DRIFT’s", "“Drift”", "**drift**,", "drift."]
        {
            check(name, "drift");
        }
        check("projet De\u{301}rive", "projet dérive");
        check("PROJET DÉRIVE", "projet dérive");
        check("Jonas'", "jonas");
        check("佐藤先生", "佐藤先生");
        check("Anna\u{a0}Brandt", "anna brandt");
        check("v1.2", "v1.2");
        check("C++", "c++");
        check("🌊", "🌊");
    }

    #[test]
    fn what_is_only_a_determiner_is_a_name_all_the_same() {
        check("A", "a");
        check("The The", "the the");
        check("A Plan", "plan");
    }

    #[test]
    fn one_determiner_goes_and_none_that_is_part_of_a_name() {
        check("The A Team", "a team");
        check("The team", "team");
        check("OS X", "os x");
        check("the OS X", "os x");
        check("Las Vegas", "las vegas");
        check("UN Women", "un women");
        check("Die Hard", "die hard");
        check("la Dérive", "dérive");
        check("THE DRIFT", "drift");
        assert_eq!(NameKey::from_all_words("las vegas"), NameKey::from_name("Las Vegas"));
        assert_eq!(NameKey::from_all_words("the a team"), Some(NameKey("the a team".to_owned())));
    }

    #[test]
    fn nothing_is_no_name() {
        for name in ["", " ", "\"\"", "...", "--", "'", "\u{1}"] {
            check(name, "");
        }
    }

    #[test]
    fn pronouns_name_nobody_but_the_owner() {
        assert_eq!(NameKey::from_subject("I"), Some(NameKey::owner()));
        assert_eq!(NameKey::from_object("myself"), Some(NameKey::owner()));
        for pronoun in ["we", "She", "this", "they", "sie"] {
            assert_eq!(NameKey::from_subject(pronoun), None, "{pronoun}");
        }
        for (name, key) in [("US", "us"), ("the US", "us"), ("IT", "it"), ("EU", "eu"), ("US’s", "us")] {
            assert_eq!(NameKey::from_subject(name), Some(NameKey(key.to_owned())), "{name}");
            assert_eq!(NameKey::from_object(name), Some(NameKey(key.to_owned())), "{name}");
        }
        assert_eq!(NameKey::from_link_text("HERE"), None);
        // A note may be called so.
        check("It", "it");
        check("I", "i");
    }

    #[test]
    fn words_of_links_may_name_nothing() {
        for shown in ["here", "This", "see also", "I", "a sentence with far more words than that"] {
            assert_eq!(NameKey::from_link_text(shown), None, "{shown}");
        }
        assert_eq!(NameKey::from_link_text("the Dérive"), NameKey::from_name("dérive"));
    }

    #[test]
    fn few_words_of_links_tell_enough_elsewhere() {
        for shown in ["projet Dérive", "Wim Duif", "UN Women"] {
            assert!(NameKey::is_distinctive(shown), "{shown}");
        }
        for shown in ["", "Ben", "the language", "The  Language", "his car", "this plan", "Die Bank", "some words"] {
            assert!(!NameKey::is_distinctive(shown), "{shown}");
        }
    }

    #[test]
    fn a_first_name_is_short_for_a_full_one() {
        let ben = NameKey("ben".to_owned());
        assert!(ben.is_first_name_in("Ben Miller") && ben.is_first_name_in("Ben van der Miller"));
        for title in
            ["Ben", "ben miller", "Big Ben", "Ben Miller's 3 plans", "Ben in Rome on a cold Day", "Benno Miller"]
        {
            assert!(!ben.is_first_name_in(title), "{title}");
        }
    }

    #[test]
    fn long_texts_are_no_names() {
        assert!(NameKey::from_object("one two three four five six").is_some());
        assert_eq!(NameKey::from_object("one two three four five six seven"), None);
        assert!(NameKey::from_subject("one two three four five six seven").is_some());
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics_and_a_key_is_its_own_key(text in "\\PC{0,24}") {
            if let Some(key) = NameKey::from_name(&text) {
                proptest::prop_assert!(!key.as_str().is_empty());
            }
            let _ = (NameKey::from_subject(&text), NameKey::from_link_text(&text));
        }
    }
}
