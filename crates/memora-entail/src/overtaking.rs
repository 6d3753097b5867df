//! Whether a newer statement ends what an older one says, by its words of change: [`overtaken`].
//!
//! The one rule to know: **the newer one has to name what it ends, in words of the older one**: what stands behind `instead of`, the
//! object of `cancelled`, the subject of `is gone`; or to say the same of the same thing, with another value that it calls new (`replaced`). A wish, a condition, a question, others' words and history end nothing. Which of
//! two is newer, and whether both speak of one world, is for the caller to know.

use std::collections::HashSet;

use memora_nlp::WordSenses;
use memora_nlp::token::{Token, TokenKind, tokenize};

use crate::lists::{
    ENDING_VERBS, MEASURING_VERBS, NEGATIONS, PASSING_WORDS, PEOPLE, RENEWING_VERBS, RENEWING_WORDS, UNSETTLED_WORDS,
    WEEKDAY_HABITS,
};
use crate::premise::Premise;
use crate::replaced::replaced_value;
use crate::text::{Text, denies};

/// Finds the words by which a newer statement ends what an older one says.
#[must_use]
pub fn overtaken(newer: &Premise, older: &Premise) -> Option<String> {
    let (new, old) = (&newer.words, &older.words);
    let is_settled = |text: &Text| {
        !text.source.trim_end().ends_with('?')
            && !text.tokens.iter().any(|token| UNSETTLED_WORDS.contains(token.lower.as_str()))
    };
    // What is over already is ended by nothing.
    let is_over = old.tokens.iter().any(|token| ENDING_VERBS.contains(&token.stem) && !token.initial);
    if is_over
        || !is_settled(new)
        || old.source.trim_end().ends_with('?')
        || denies(&old.tokens)
        || is_about_another(newer, older)
    {
        return None;
    }
    let known: HashSet<&str> =
        old.tokens.iter().chain(older.context.iter().flat_map(|text| &text.tokens)).map(|t| t.stem.as_str()).collect();
    let said: HashSet<&str> = old.tokens.iter().map(|t| t.stem.as_str()).collect();
    let change = Change { text: new, known: &known, said: &said };
    let mut clauses = new.segments().into_iter().flat_map(|segment| parts(new, segment));
    let ended = clauses.find_map(|clause| change.ends_in(clause)).or_else(|| replaced_value(newer, older));
    ended.map(|tokens| new.words(&tokens).to_owned())
}

/// Whether a newer statement speaks of what an older one says, and not only of a word of it: most of the older one's words stand in it.
#[must_use]
pub fn speaks_of(newer: &Premise, older: &Premise) -> bool {
    let says = |token: &&Token| {
        (token.is_content() || token.kind == TokenKind::Numeral) && !PASSING_WORDS.contains(token.lower.as_str())
    };
    let stems = |premise: &'_ Premise| -> HashSet<String> {
        premise.words.tokens.iter().filter(says).map(|token| token.stem.clone()).collect()
    };
    let (new, old) = (stems(newer), stems(older));
    let shared = old.intersection(&new).count();
    let adds = new.len() > shared || denies(&newer.words.tokens);
    shared >= SPOKEN_OF_MIN && 3 * shared >= 2 * old.len() && adds && is_sentence(&older.words)
}

/// Whether a text says something: it has a verb of a state in the present, or ends as a sentence does. A caption or an item does neither.
fn is_sentence(text: &Text) -> bool {
    text.source.trim_end().ends_with(['.', '!'])
        || text.tokens.iter().any(|token| MEASURING_VERBS.contains(token.lower.as_str()))
}

/// Whether a text has a word by which it could end another statement: without one, no pair of it is worth reading.
#[must_use]
pub fn has_words_of_change(text: &str) -> bool {
    let tokens = tokenize(text);
    let behind = |at: usize| at.checked_sub(1).and_then(|before| tokens.get(before));
    tokens.iter().enumerate().any(|(at, token)| {
        let before = behind(at).map_or("", |token| token.lower.as_str());
        let is_turn = match token.lower.as_str() {
            "instead" | "anymore" => true,
            "than" => before == "rather",
            "longer" => before == "no" || before == "any",
            "more" => before == "any",
            "all" => before == "after",
            "not" => behind(at).is_none_or(|token| token.is_mark(',')),
            lower => RENEWING_WORDS.contains(lower),
        };
        is_turn || ENDING_VERBS.contains(&token.stem) || RENEWING_VERBS.contains(&token.stem)
    })
}

/// The parts of a sentence between commas, dashes and colons.
fn parts(text: &Text, segment: std::ops::Range<usize>) -> Vec<std::ops::Range<usize>> {
    let parts = |at: &usize| {
        let token = text.tokens.get(*at);
        token.is_some_and(|t| matches!(t.kind, TokenKind::Mark(',' | ':' | '(' | ')')) || t.is_mark('-') && !t.glued)
    };
    let mut found = Vec::new();
    let mut start = segment.start;
    for at in segment.clone().filter(parts) {
        found.push(start..at);
        start = at + 1;
    }
    found.push(start..segment.end);
    found.retain(|part| !part.is_empty());
    found
}

/// Whether two statements begin with different people: a name that the other does not have, or somebody's thing beside one's own.
fn is_about_another(newer: &Premise, older: &Premise) -> bool {
    let first = |premise: &Premise| premise.words.tokens.iter().find(|token| token.kind == TokenKind::Word).cloned();
    let (Some(new), Some(old)) = (first(newer), first(older)) else { return true };
    let by_owner = |premise: &Premise| {
        premise.words.tokens.iter().any(|token| matches!(token.lower.as_str(), "i" | "my" | "we" | "our"))
    };
    let is_named = |token: &Token| token.capital && token.is_content() && !WordSenses::look_up(&token.lower).is_known();
    let is_somebodys = |premise: &Premise, first: &Token| {
        let of_others = premise.words.tokens.iter().take(3).any(|token| PEOPLE.contains(token.lower.as_str()));
        let owned =
            matches!(first.lower.as_str(), "his" | "her" | "their" | "someone" | "somebody" | "he" | "she" | "they");
        is_named(first) || of_others || owned
    };
    let unknown = |token: &Token, other: &Premise| !other.stems.contains(&token.stem);
    is_somebodys(newer, &new) && unknown(&new, older) && by_owner(older)
        || is_somebodys(older, &old) && unknown(&old, newer) && by_owner(newer)
}

/// How many words of content two statements about one thing have in common, at least.
const SPOKEN_OF_MIN: usize = 2;

struct Change<'c> {
    text: &'c Text,
    /// The stems of the older statement and its context, and of its own words.
    known: &'c HashSet<&'c str>,
    said: &'c HashSet<&'c str>,
}

impl Change<'_> {
    fn lower(&self, at: usize) -> &str {
        self.text.tokens.get(at).map_or("", |token| token.lower.as_str())
    }

    fn stem(&self, at: usize) -> &str {
        self.text.tokens.get(at).map_or("", |token| token.stem.as_str())
    }

    /// The words of a part of the sentence that say something: content, names, numbers.
    fn content(&self, tokens: std::ops::Range<usize>) -> Vec<&str> {
        let says = |token: &&Token| {
            (token.is_content() || token.kind == TokenKind::Numeral) && !PASSING_WORDS.contains(token.lower.as_str())
        };
        self.text.tokens.get(tokens).unwrap_or_default().iter().filter(says).map(|token| token.stem.as_str()).collect()
    }

    /// Whether some words name what the older statement says: all of a few, most of more, one of its own among them.
    fn is_meant(&self, words: &[&str]) -> bool {
        let shared = words.iter().filter(|word| self.known.contains(**word)).count();
        let own = words.iter().any(|word| self.said.contains(*word));
        let needed = match words.len() {
            0 => return false,
            1 | 2 => words.len(),
            more => more.div_ceil(2) + 1,
        };
        own && shared >= needed
    }

    /// Whether some words of the newer statement are what the older one says, and so is something else of it, unless they are several.
    fn is_over(&self, words: std::ops::Range<usize>) -> bool {
        let over = self.content(words.clone());
        let rest = self.content(0..words.start).into_iter().chain(self.content(words.end..self.text.tokens.len()));
        let shared = rest.filter(|word| !over.contains(word) && self.known.contains(word)).count();
        self.is_meant(&over) && (over.len() > 1 || shared > 0)
    }

    /// Whether the newer statement speaks of nothing else than the older one, but for so many words behind its subject: a new value.
    fn is_about_it(&self, clause: &std::ops::Range<usize>, new_words: usize) -> bool {
        let changes = |stem: &str| ENDING_VERBS.contains(stem) || RENEWING_VERBS.contains(stem);
        let says = |at: &usize| {
            let token = self.text.tokens.get(*at);
            token.is_some_and(|t| {
                let says = t.is_content() || t.kind == TokenKind::Numeral;
                says && !PASSING_WORDS.contains(t.lower.as_str()) && !changes(&t.stem)
            })
        };
        let unknown: Vec<usize> = (0..clause.end)
            .filter(says)
            .filter(|at| {
                !self.known.contains(self.stem(*at)) && self.text.is_fact.get(*at) != Some(&true)
                    || self.is_new_number(*at)
            })
            .collect();
        let first = (0..clause.end).find(says);
        let owned =
            (0..clause.end).any(|at| matches!(self.lower(at), "mine" | "his" | "her" | "hers" | "their" | "theirs"));
        !owned && unknown.len() <= new_words && unknown.first().is_none_or(|at| Some(*at) != first)
    }

    fn is_new_number(&self, at: usize) -> bool {
        self.text.tokens.get(at).is_some_and(|t| t.kind == TokenKind::Numeral && !self.known.contains(t.stem.as_str()))
    }

    /// The tokens of a clause by which the older statement is over.
    fn ends_in(&self, clause: std::ops::Range<usize>) -> Option<std::ops::Range<usize>> {
        clause.clone().find_map(|at| {
            let behind = at + 1..clause.end;
            let meant = match (self.lower(at), self.lower(at + 1)) {
                // `Thena instead of Foqal`, `pnpm rather than npm`, `pnpm, not npm`.
                ("instead", "of") | ("rather", "than") => {
                    let aside = at + 2..clause.end;
                    self.is_over(aside)
                }
                ("not", _) if at == clause.start => {
                    // What is so instead stands in front, and most of it in the older one, too.
                    let front = self.content(0..at);
                    let shared = front.iter().filter(|word| self.known.contains(**word)).count();
                    self.content(behind.clone()).len() <= 3 && self.is_over(behind) && shared * 2 >= front.len()
                }
                // `no longer runs on Deno`, `does not want test steps anymore`, `not buy Monte Carlo after all`.
                ("no", "longer") => self.is_over(at + 2..clause.end) && !self.is_limited(at + 2..clause.end),
                ("anymore", _) | ("any", "more" | "longer") | ("after", "all")
                    if denies(self.text.tokens.get(clause.clone()).unwrap_or_default()) =>
                {
                    self.is_over(clause.start..at) && !self.is_limited(clause.start..at)
                }
                // `moved from npm to pnpm`, `switched from X`.
                ("from", _) if (clause.start..at).any(|i| RENEWING_VERBS.contains(self.stem(i))) => {
                    let end = (at..clause.end).find(|i| self.lower(*i) == "to").unwrap_or(clause.end);
                    self.is_over(at + 1..end)
                }
                _ => self.is_ended_by_verb(at, &clause),
            };
            let has_value = matches!(self.lower(at), "instead" | "rather" | "not" | "from")
                || RENEWING_VERBS.contains(self.stem(at));
            let about = if self.lower(at) == "not" { 0..self.text.tokens.len() } else { 0..clause.end };
            (meant && self.is_about_it(&about, usize::from(has_value))).then(|| at..clause.end.min(at + 12))
        })
    }

    /// `Sold the Litter Robot`, `the shop was sold`, `llama was swapped for qwen`, `the branch was renamed to main`.
    fn is_ended_by_verb(&self, at: usize, clause: &std::ops::Range<usize>) -> bool {
        // `Cases Closed Without Resolution`: a name, or a title.
        let is_verb = |token: &Token| token.is_content() && (!token.capital || token.initial || at == clause.start);
        if !self.text.tokens.get(at).is_some_and(is_verb) {
            return false;
        }
        let before = |back: usize| at.checked_sub(back).map_or("", |at| self.lower(at));
        let is_denied = (1..=3).any(|back| NEGATIONS.contains(before(back)));
        let is_coming = (1..=3).any(|back| matches!(before(back), "will" | "to" | "can" | "should"));
        if is_denied || is_coming {
            return false;
        }
        let end_of = |from: usize| {
            let leads = |i: &usize| {
                matches!(
                    self.lower(*i),
                    "to" | "for" | "with" | "and" | "in" | "by" | "on" | "after" | "as" | "into" | "from" | "at"
                )
            };
            (from..clause.end).find(leads).unwrap_or(clause.end)
        };
        // `An upgrade to the detector`.
        if matches!(
            before(1),
            "the" | "a" | "an" | "this" | "that" | "my" | "our" | "your" | "his" | "her" | "its" | "their"
        ) {
            return false;
        }
        // `Closed space`, `from left banks`.
        let describes = matches!(before(1), "from" | "of" | "in" | "on" | "");
        let behind = self.text.tokens.get(at + 1).filter(|_| at + 1 < clause.end);
        if describes && behind.is_some_and(|next| next.is_content() && !next.capital) {
            return false;
        }
        let object = at + 1..end_of(at + 1);
        // What somebody does, or what something is: `what Pegelhaus sells`, `the shop closes at six`.
        if self.lower(at).ends_with('s') && self.lower(at) != self.stem(at) {
            return false;
        }
        let is_passive = matches!(before(1), "is" | "was" | "were" | "been" | "are" | "got" | "be");
        let over = match is_passive || self.content(object.clone()).is_empty() {
            true => clause.start..at,
            false => object.clone(),
        };
        if self.is_limited(object.end..clause.end) {
            return false;
        }
        if ENDING_VERBS.contains(self.stem(at)) {
            return self.is_over(over);
        }
        let is_renewed = matches!(self.lower(object.end), "to" | "for" | "as" | "into") && object.end < clause.end;
        RENEWING_VERBS.contains(self.stem(at)) && is_renewed && self.is_over(over)
    }

    /// Whether what stands behind the object limits it, so that a part of it is over: `coffee after 3 pm`, `at Acme on Fridays`. Days
    /// say when it ended.
    fn is_limited(&self, rest: std::ops::Range<usize>) -> bool {
        let limits = rest.clone().any(|at| {
            matches!(
                self.lower(at),
                "on" | "from" | "in" | "at" | "with" | "after" | "during" | "within" | "between" | "than"
            )
        });
        let is_day =
            |at: &usize| self.text.is_fact.get(*at) == Some(&true) && !WEEKDAY_HABITS.contains(self.lower(*at));
        let says = |at: &usize| {
            let token = self.text.tokens.get(*at);
            token.is_some_and(|t| {
                (t.is_content() || t.kind == TokenKind::Numeral) && !self.known.contains(t.stem.as_str())
            })
        };
        let is_number = |at: &usize| self.text.tokens.get(*at).is_some_and(|t| t.kind == TokenKind::Numeral);
        limits && rest.filter(says).any(|at| !is_day(&at) || is_number(&at) && self.text.dates.is_empty())
    }
}
