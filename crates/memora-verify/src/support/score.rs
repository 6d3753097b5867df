//! How much of a sentence the notes say, as a number: for ranking, and to tell how near an unsupported one is.
//!
//! A cost for each word that they lack, the more the less any of theirs is like it, and one for each sign that they say
//! something else. The weights were fitted once, to public sentences with labels (see `docs/measuring.md`), each with the
//! sign that its meaning gives it. The one rule to know: **the finding does not follow from it.**

use super::content::{alike, same_name};
use super::ground::Ground;
use super::lexicon::PRONOUNS;
use super::likeness::Known;
use super::tokens::{Kind, Token};
use super::{Reason, ReasonKind};

/// What the score is made of.
struct Parts {
    /// What is missing, in words.
    missing: f32,
    /// The least likeness of one of its words to theirs.
    least: f32,
    /// The most of them that one sentence says, with those beside it.
    together: f32,
    negated: f32,
    opposite: f32,
    numbers: f32,
    dates: f32,
    greatest: f32,
}

/// Scores a sentence for which `reasons` were found, as it is written and in the words of the notes.
pub(super) fn score(words: &[Token], in_theirs: &[Token], grounds: &[&Ground], reasons: &[Reason]) -> f32 {
    let likes = likes(words, grounds);
    let asked = subject_named_before(words, grounds);
    if likes.is_empty() {
        return 0.0;
    }
    let counted = |kind: ReasonKind| reasons.iter().filter(|r| r.kind == kind).count().min(3) as f32;
    let parts = Parts {
        missing: likes.iter().filter(|like| like.at >= asked).map(|like| like.weight * (1.0 - like.most)).sum(),
        least: likes.iter().map(|like| like.most).fold(1.0, f32::min),
        together: together(in_theirs, grounds),
        negated: counted(ReasonKind::Negation).min(1.0),
        opposite: counted(ReasonKind::Opposite).min(1.0),
        numbers: counted(ReasonKind::Number),
        dates: counted(ReasonKind::Date),
        greatest: words.iter().filter(|t| is_greatest(t) && !has(grounds, t)).count() as f32,
    };
    let sum = -1.04 - 0.46 * parts.missing + 0.8 * parts.least + 2.17 * parts.together
        - 0.52 * parts.negated
        - 1.8 * parts.opposite
        - 0.45 * parts.numbers
        - 0.45 * parts.dates
        - 0.72 * parts.greatest;
    1.0 / (1.0 + (-sum).exp())
}

/// How many words in front only name whom the sentence is about, where the notes speak of somebody that they named before
/// (`she`, `the band`). Whether it is the same one cannot be seen here, so those count nothing.
fn subject_named_before(words: &[Token], grounds: &[&Ground]) -> usize {
    let leans = |sentence: &Vec<Token>| {
        let stands_for = |t: &Token| PRONOUNS.contains(&t.lower.as_str());
        sentence.first().is_some_and(|t| t.lower == "the") || sentence.iter().any(stands_for)
    };
    if !grounds.iter().flat_map(|ground| &ground.sentences).any(leans) {
        return 0;
    }
    let is_name = |t: &&Token| {
        t.kind == Kind::Name
            || t.raw.starts_with(char::is_uppercase)
            || ["of", "the", "and", "'s"].contains(&t.lower.as_str())
    };
    let run: Vec<&Token> = words.iter().take_while(is_name).collect();
    run.iter().rposition(|t| t.says() && !has(grounds, t)).map_or(0, |last| last + 1)
}

/// A word that says something.
struct Like {
    /// Where it stands.
    at: usize,
    weight: f32,
    /// How much of it the notes say at most.
    most: f32,
}

/// Each word that says something, with how much of it the notes say.
fn likes(words: &[Token], grounds: &[&Ground]) -> Vec<Like> {
    let like = |token: &Token| {
        if has(grounds, token) {
            return 1.0;
        }
        if token.kind != Kind::Word {
            return 0.0;
        }
        let own = Known::new(token);
        grounds.iter().flat_map(|ground| ground.known()).map(|word| own.likeness(word)).fold(0.0, f32::max)
    };
    let of = |(at, token)| Some(Like { at, weight: weight(token)?, most: like(token) });
    words.iter().enumerate().filter_map(of).collect()
}

/// The largest weighted share of the words that one sentence of the notes has, with its neighbours and its context.
fn together(words: &[Token], grounds: &[&Ground]) -> f32 {
    let says: Vec<(f32, &Token)> = words.iter().filter_map(|t| Some((weight(t)?, t))).collect();
    let whole: f32 = says.iter().map(|(weight, _)| weight).sum();
    let share = |ground: &Ground, at: usize| {
        let near = ground.sentences.iter().take(at + 2).skip(at.saturating_sub(1)).flatten();
        let near: Vec<&Token> = near.chain(&ground.context).collect();
        let held = says.iter().filter(|(_, token)| near.iter().any(|t| same_name(t, token) || alike(t, token)));
        held.map(|(weight, _)| weight).sum::<f32>() / whole.max(1.0)
    };
    grounds.iter().flat_map(|ground| (0..ground.sentences.len()).map(|at| share(ground, at))).fold(0.0, f32::max)
}

/// What a word counts for; nothing if it says nothing.
fn weight(token: &Token) -> Option<f32> {
    match token.kind {
        Kind::Function | Kind::Mark(_) => None,
        Kind::Word => Some(1.0),
        Kind::Name | Kind::Number(_) | Kind::Date(_) => Some(1.5),
    }
}

fn has(grounds: &[&Ground], token: &Token) -> bool {
    grounds.iter().any(|ground| ground.all().any(|t| same_name(t, token) || alike(t, token)))
}

/// `largest`, `most`: that nothing is more so has to be said.
fn is_greatest(token: &Token) -> bool {
    let word = token.lower.as_str();
    ["most", "least", "best", "worst"].contains(&word) || (word.len() > 5 && word.ends_with("est"))
}
