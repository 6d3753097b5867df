//! Words that the notes have only together with another that makes them say something else: *held up* is not *held*, a
//! *mother-in-law* no *mother*, *every second Saturday* not *every Saturday*, *after 5 May* not *on 5 May*.
//!
//! The one rule to know: **what changes a word has to come along**, wherever the notes have the word.

use memora_english::Label;

use super::ground::{Quote, places};
use super::sentence::Sentence;
use super::tokens::{Kind, Token};
use super::{Reason, ReasonKind, reason};

/// The words of the sentence that stand there only with what changes them.
pub(super) fn differences(own: &Sentence<'_>, quotes: &[Quote<'_>]) -> Vec<Reason> {
    let changed = |at: usize| {
        let word = &own.tokens[at];
        let mut theirs = places(quotes, |t| is_same(t, word)).map(|(quote, there)| changing(quote, there));
        let first = theirs.next()??;
        let lacks = |other: &str| !own.tokens.iter().any(|t| t.lower == other);
        let is_lost = lacks(&first) && theirs.all(|other| other.is_some_and(|other| lacks(&other)));
        let kind = if matches!(word.kind, Kind::Date(_)) { ReasonKind::Date } else { ReasonKind::Content };
        is_lost.then(|| reason(kind, &word.raw))
    };
    (0..own.tokens.len()).filter(|at| own.tokens[*at].says()).filter_map(changed).collect()
}

/// The word that changes the one at a place, if one does.
fn changing(quote: &Quote<'_>, at: usize) -> Option<String> {
    let lower = |at: usize| quote.tokens.get(at).map_or("", |t| t.lower.as_str());
    let [before, second] = [1, 2].map(|back| at.checked_sub(back).map_or("", lower));
    let word = &quote.tokens[at];
    match word.kind {
        Kind::Date(_) => ["before", "after", "until", "till"].contains(&before).then(|| before.to_owned()),
        _ if second == "every" && ["second", "other", "third", "fourth", "2nd", "3rd", "4th"].contains(&before) => {
            Some(before.to_owned())
        }
        // `Mother-in-law`, `step-sister`, `ex-wife`.
        _ if [lower(at + 1), lower(at + 2), lower(at + 3), lower(at + 4)] == ["-", "in", "-", "law"] => {
            Some("law".to_owned())
        }
        _ if before == "-" && ["step", "ex", "great", "half", "non", "anti"].contains(&second) => {
            Some(second.to_owned())
        }
        Kind::Word if is_telling(lower(at + 1)) => {
            let is_one = quote.reading().is_labelled(at + 1, &[Label::CompoundPrt]) && quote.reading().is_verb(at);
            is_one.then(|| lower(at + 1).to_owned())
        }
        _ => None,
    }
}

/// Whether a particle makes another verb of one: *give up*, *hold up*, *look after*.
fn is_telling(particle: &str) -> bool {
    ["up", "off", "out", "down", "over", "away", "back", "after"].contains(&particle)
}

fn is_same(one: &Token, other: &Token) -> bool {
    match (one.kind, other.kind) {
        (Kind::Date(one), Kind::Date(other)) => other.is_said_by(one),
        (Kind::Number(_), _) | (_, Kind::Number(_)) => false,
        _ => one.stem == other.stem,
    }
}

#[cfg(test)]
mod tests {
    use crate::support::tests::judged;

    #[test]
    fn what_changes_a_word_comes_along() {
        judged(&[
            ("Pay the rent after 5 May.", "Pay the rent on 5 May.", "date"),
            ("Pay the rent after 5 May.", "The rent is to be paid after 5 May.", "supported"),
            ("The market is open every second Saturday.", "The market is open every Saturday.", "content"),
            ("The mother-in-law of Ben called.", "Ben's mother called.", "content"),
            ("The meeting was held up by Anna.", "The meeting was held by Anna.", "content"),
            ("The meeting was held up by Anna.", "Anna held up the meeting.", "supported"),
        ]);
    }
}
