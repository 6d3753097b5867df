//! The answer type of a question: who, when, how much. A sentence without one cannot answer.
//!
//! Invariant: **in doubt there is no required type.** A type is recognised only at the beginning of a question, in
//! English and German, and a sentence is rejected only if it has nothing of the type besides the question's own words.

use std::collections::HashSet;

use memora_nlp::lexicon::{CALENDAR_HOMOGRAPHS, DAY_WORDS, MONTHS, SEASONS, WEEKDAYS};
use memora_nlp::number::number_word_value;
use memora_nlp::word_lists::WordSet;

use crate::chunker::{ChunkKind, split_chunks};
use crate::lists::{
    COUNT_WORDS, DESCRIBING_VERBS, LEAD_IN_WORDS, NUMERAL_ENDINGS, PERSON_WORDS, TIME_WORDS, WHO_FORMS,
};
use crate::normalize::fold_word;

/// The type of thing that an answer must name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerType {
    /// A person.
    Person,
    /// A time.
    Time,
    /// A number.
    Number,
    /// A duration, or how often.
    Duration,
}

impl AnswerType {
    /// Returns the answer type of a question; `None` if it does not begin with one.
    pub(crate) fn from_question(question: &str) -> Option<Self> {
        let words: Vec<String> = split_chunks(question).take(4).map(|chunk| fold_word(chunk.text)).collect();
        let mut words = words.iter().map(String::as_str).peekable();
        // "And who", "since when", "at what time".
        while words.next_if(|word| LEAD_IN_WORDS.contains(word)).is_some() {}
        match (words.next()?, words.next().unwrap_or_default()) {
            // "Who is X" is answered by a description, not by a person.
            ("who" | "wer", verb) if DESCRIBING_VERBS.contains(verb) => None,
            (word, _) if WHO_FORMS.contains(word) => Some(Self::Person),
            ("when" | "wann", _) | ("what" | "which", "time" | "year" | "date" | "day" | "month") => Some(Self::Time),
            ("how", "many" | "much" | "old") | ("wieviel" | "wieviele", _) | ("wie", "viel" | "viele" | "alt") => {
                Some(Self::Number)
            }
            ("how", "long" | "often") | ("wie", "lange" | "oft") => Some(Self::Duration),
            _ => None,
        }
    }

    /// Whether a sentence names something of the type that is not among the question's own words.
    pub(crate) fn is_named_in(self, words: &str, asked: &HashSet<String>) -> bool {
        let new = split_chunks(words).filter(|chunk| chunk.kind != ChunkKind::Symbol).filter_map(|chunk| {
            let folded = fold_word(chunk.text);
            (!asked.contains(&folded)).then_some((chunk.text, folded))
        });
        let mut new = new.peekable();
        new.any(|(shown, word)| match self {
            Self::Person => is_capitalized(shown) || PERSON_WORDS.contains(word.as_str()) || !word.is_ascii(),
            Self::Number => is_number(&word),
            Self::Time | Self::Duration => is_number(&word) || is_in_list(&word, &TIME_WORDS) || is_day_or_month(&word),
        })
    }
}

fn is_capitalized(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

fn has_digit(word: &str) -> bool {
    word.chars().any(char::is_numeric)
}

/// Whether a word or its singular is in a list. Words in other scripts are not checked: they always count.
fn is_in_list(word: &str, list: &WordSet<'_>) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    !word.is_ascii() || list.contains(word) || list.contains(singular)
}

/// Whether a word is a numeral: `seven`, `thousands`.
fn is_numeral(word: &str) -> bool {
    number_word_value(word).is_some() || word.strip_suffix('s').and_then(number_word_value).is_some()
}

/// Whether a folded word names a day, a month or a season; `sat` and `sun` are excluded.
fn is_day_or_month(word: &str) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    let is_weekday = |word: &str| WEEKDAYS.get_folded(word).is_some() && !CALENDAR_HOMOGRAPHS.contains(word);
    [word, singular].into_iter().any(|word| {
        is_weekday(word)
            || MONTHS.get_folded(word).is_some()
            || SEASONS.get_folded(word).is_some()
            || DAY_WORDS.get_folded(word).is_some()
    })
}

/// Whether a word is a number, or a number of times.
fn is_number(word: &str) -> bool {
    // "dreizehn", "fünfundvierzig", "zweihundert", "dreimal": German writes them in one word.
    has_digit(word)
        || is_in_list(word, &COUNT_WORDS)
        || is_numeral(word)
        || NUMERAL_ENDINGS.iter().any(|end| word.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(question: &str, says: &str, expect: Option<bool>) {
        let asked = split_chunks(question).map(|chunk| fold_word(chunk.text)).collect();
        let got = AnswerType::from_question(question).map(|wanted| wanted.is_named_in(says, &asked));
        assert_eq!(got, expect, "{question} <- {says}");
    }

    #[test]
    fn what_names_none_of_what_is_asked_for_is_no_answer() {
        check("Who directed The Wire?", "Network: HBO", Some(true));
        check("Who owns the on-call rota?", "The on-call rota is on the wall.", Some(false));
        check("Who owns the rota?", "She owns the rota.", Some(true));
        check("Who is Anna?", "Anna is a potter.", None);
        check("When was Valheim released?", "name: Valheim", Some(false));
        check("When was Valheim released?", "Valheim was released in February.", Some(true));
        check("How many keys are there?", "The keys are on the hook.", Some(false));
        check("How many keys are there?", "There are two keys.", Some(true));
        check("How old is the 2 GB machine?", "The 2 GB machine is old.", Some(false));
        check("How long does a night train take?", "The train takes nine hours.", Some(true));
        check("Wie viele Taler kostet der Schimmel?", "Der Schimmel kostet dreißig Taler.", Some(true));
        check("Wie viele Taler kostet der Schimmel?", "Der Schimmel ist alt.", Some(false));
        check("Wann fährt der Zug?", "Der Zug fährt um 8:15.", Some(true));
    }

    #[test]
    fn in_doubt_nothing_is_wanted() {
        check("What is a rota?", "A list.", None);
        check("the one who owns the rota", "nobody", None);
        check("什么时候", "昨天", None);
        check("When did she arrive?", "昨天", Some(true));
        check("", "", None);
    }
}
