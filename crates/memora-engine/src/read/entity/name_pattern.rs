//! Matching of names in text.
//!
//! Invariant: **a single word is a name only with a capital**, or as a note spells its own name. "Rust" is a name, "the
//! rust on the gate" has none. Several words side by side are a name in any spelling, and so are words in scripts
//! without capitals.

use memora_claim::NameKey;
use memora_vault::fold_name;

/// A compiled name pattern.
pub(super) struct NamePattern {
    /// Case-folded, with single spaces.
    folded: String,
    /// The exact spelling that needs no capital: a note's own name.
    as_written: Option<String>,
    /// Whether it is a single word of a script with capitals.
    needs_capital: bool,
}

impl NamePattern {
    /// Compiles a name from its comparison key, in any spelling.
    pub(super) fn from_key(key: &NameKey) -> Option<Self> {
        let folded = key.as_str().to_owned();
        if !folded.chars().any(char::is_alphanumeric) {
            return None;
        }
        let needs_capital = folded.chars().all(|c| c.is_lowercase() || matches!(c, '\'' | '’'));
        Some(Self { folded, as_written: None, needs_capital })
    }

    /// Compiles a note's own name.
    pub(super) fn from_own_name(name: &str) -> Option<Self> {
        let spelled = Self::from_key(&NameKey::from_name(name)?)?;
        let has_capital = name.chars().any(char::is_uppercase);
        Some(Self { as_written: (!has_capital).then(|| spelled.folded.clone()), ..spelled })
    }

    /// Returns the words to search for.
    pub(super) fn text(&self) -> &str {
        &self.folded
    }

    /// Returns whether a text has the name, and not as the first word of a longer one: "Ben" in "Ben left", not in "Ben
    /// Miller left".
    pub(super) fn matches_alone_in(&self, text: &str) -> bool {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_capital = |word: &&str| word.starts_with(char::is_uppercase) && word.chars().nth(1).is_some();
        let mut ends = words.iter().zip(words.iter().skip(1).map(Some).chain([None]));
        !self.needs_capital
            || ends.any(|(word, next)| {
                self.has_written_name(word) && !next.is_some_and(|n| is_capital(n) && joins_next_word(word))
            })
    }

    /// Returns whether a text has the name, at word boundaries.
    pub(super) fn matches_in(&self, text: &str) -> bool {
        let folded = fold_name(&text.split_whitespace().collect::<Vec<_>>().join(" "));
        let stands = folded.match_indices(&self.folded).any(|(at, found)| {
            let before = folded.get(..at).unwrap_or_default();
            let behind = folded.get(at + found.len()..).unwrap_or_default();
            is_name_boundary(found.chars().next(), before.chars().rev())
                && is_name_boundary(found.chars().next_back(), behind.chars())
        });
        stands && (!self.needs_capital || self.has_written_name(text))
    }

    fn has_written_name(&self, text: &str) -> bool {
        text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’')).any(|word| {
            let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
            let word = word.trim_matches(['\'', '’']);
            fold_name(word) == self.folded
                && (word.chars().any(char::is_uppercase) || self.as_written.as_deref() == Some(word))
        })
    }
}

/// Returns whether a word has no punctuation behind it that separates it from the next.
fn joins_next_word(word: &str) -> bool {
    word.ends_with(char::is_alphanumeric) && !word.ends_with("'s") && !word.ends_with("’s")
}

/// Returns whether a name may end before this text: "Anna" is not in "Annabel", nor "drift" in "drift-bench". In
/// scripts without spaces, every position is a boundary.
fn is_name_boundary(last: Option<char>, mut rest: impl Iterator<Item = char>) -> bool {
    let is_spaced = |c: char| c.is_alphanumeric() && (c.is_lowercase() || c.is_uppercase() || c.is_numeric());
    if !last.is_some_and(is_spaced) {
        return true;
    }
    match rest.next() {
        Some('-' | '_' | '.' | '@') => !rest.next().is_some_and(is_spaced),
        Some(next) => !is_spaced(next),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use memora_claim::NameKey;

    use super::NamePattern;

    fn asked(name: &str) -> Option<NamePattern> {
        NamePattern::from_key(&NameKey::from_name(name)?)
    }

    #[track_caller]
    fn check(name: &str, text: &str, stands: bool) {
        let found = asked(name).is_some_and(|spelled| spelled.matches_in(text));
        assert_eq!(found, stands, "{name:?} in {text:?}");
    }

    #[test]
    fn one_word_is_a_name_with_a_capital() {
        check("kestrel", "We met at Kestrel.", true);
        check("Kestrel", "Kestrel's roof leaks.", true);
        check("kestrel", "a kestrel above the field", false);
        check("coffee", "no coffee after four", false);
        check("the plan", "the plan is good", false);
        check("AWS", "all of it on aws", false);
        check("AWS", "all of it on AWS", true);
    }

    #[test]
    fn several_words_are_one_however_they_are_written() {
        check("Rate Limiter", "the rate limiter is slow", true);
        check("rate  limiter", "The Rate\nLimiter", true);
        check("rate limiter", "the rate of the limiter", false);
        check("drift-bench", "we run drift-bench at night", true);
        check("C++", "written in C++.", true);
        check("GPT-4", "asked GPT-4, twice", true);
        check("v1.2", "since v1.2.", true);
    }

    #[test]
    fn a_part_of_a_word_is_no_word() {
        check("Anna", "Annabel called", false);
        check("Drift", "Drift-bench is written in Go", false);
        check("v1.2", "since v1.2.1", false);
        check("Anna", "Anna. And Ben", true);
        check("GPT-4", "asked GPT-4o", false);
    }

    #[test]
    fn a_first_name_is_not_alone_in_a_full_one() {
        let alone = |text: &str| asked("Ben").is_some_and(|ben| ben.matches_alone_in(text));
        for text in ["Ben left", "then Ben, Anna and Kai", "Ben's Van", "with Ben. Kai too", "Ben I know"] {
            assert!(alone(text), "{text}");
        }
        assert!(!alone("Ben Miller left") && !alone("nobody"));
        assert!(alone("Ben Miller met Ben."));
    }

    #[test]
    fn scripts_without_capitals_need_none() {
        check("费曼技巧", "我用费曼技巧学习", true);
        check("東京", "東京都に住む", true);
        check("费曼", "我用技巧学习", false);
    }

    #[test]
    fn a_note_may_spell_its_name_small() {
        let drift = |name: &str| {
            NamePattern::from_own_name(name).is_some_and(|spelled| spelled.matches_in("then drift was slow"))
        };
        assert!(drift("drift") && !drift("Drift"));
    }

    #[test]
    fn what_has_no_letter_is_no_name() {
        for name in ["", " ", "...", "\u{1}", "/"] {
            assert!(asked(name).is_none(), "{name:?}");
        }
    }
}
