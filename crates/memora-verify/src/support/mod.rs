//! Whether words of a note say what a sentence says.
//!
//! No model: every number, date, name and quoted string of the sentence must stand in the cited words or their context, its
//! other words must be theirs by stem or by a sense they share, its negations and hedges must be theirs, and no role may be
//! swapped. The one rule to know: **when in doubt, unsupported.** [`german`] has rules of its own; in any other language only the source's
//! own words pass.
//!
//! Deliberately not here: which passages a sentence may rest on, and what follows from it ([`crate::check`]).

mod antecedent;
mod arcs;
mod attribution;
mod bounds;
mod clauses;
mod content;
mod dates;
mod derived;
mod german;
mod ground;
mod hours;
mod instead;
mod labels;
mod language;
mod lexicon;
mod likeness;
mod lists;
mod modality;
mod numbers;
mod order;
mod people;
mod persons;
mod plain;
mod polarity;
mod rates;
mod reach;
mod reason;
mod resolved;
mod rewrite;
mod roles;
mod score;
mod sentence;
mod shares;
mod stem;
mod synonyms;
mod tokens;
mod trees;
mod units;
mod whole;
mod withdrawn;
mod wording;
mod words;

pub(crate) use antecedent::antecedent;
pub use ground::Ground;
use ground::{Quote, one_and_all, places};
use language::Leaning;
use lexicon::{BE, PARTICLES};
use order::{Order, order};
pub use reason::{Reason, ReasonKind};
use sentence::Sentence;
use stem::is_past;
use tokens::{Kind, Token, tokens};
pub(crate) use words::{has_words, is_function, mentions, normal};

use crate::evidence::Passage;

/// Whether words say what a sentence says.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The finding.
    pub support: Support,
    /// How much of the sentence the words say, from 0 to 1. For ranking and for measuring: the finding does not follow
    /// from it.
    pub score: f32,
    /// What they don't say; empty exactly where they support it.
    pub reasons: Vec<Reason>,
}

/// Whether the cited words say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Support {
    /// The sentence is the source's own words.
    Quoted,
    /// They say it.
    Supported,
    /// They don't.
    Unsupported,
}

/// A sentence of more words and signs is judged only if it is the notes' own.
const TOKENS_MAX: usize = 400;

/// From this score on a sentence is more likely than not said by the words, whatever the rules find.
pub const LIKELY_MIN: f32 = 0.5;

impl Judgement {
    fn quoted() -> Self {
        Self { support: Support::Quoted, score: 1.0, reasons: Vec::new() }
    }

    fn of(score: f32, mut reasons: Vec<Reason>) -> Self {
        reasons.sort_by_key(|r| r.kind);
        reasons.dedup();
        let support = if reasons.is_empty() { Support::Supported } else { Support::Unsupported };
        Self { support, score, reasons }
    }
}

/// Judges whether words say a sentence; several are read together.
///
/// Nothing is called verified by it: where the words come from, and whether they still stand there, is not asked here.
#[must_use]
pub fn judge(sentence: &str, grounds: &[&Ground]) -> Judgement {
    judge_behind(sentence, grounds, false)
}

/// The same, by passages. `named_before` says that the sentence before, drawn from the same note, is kept, so that a
/// pronoun has somebody to stand for.
pub(crate) fn judge_passages(sentence: &str, passages: &[&Passage], named_before: bool) -> Judgement {
    let grounds: Vec<&Ground> = passages.iter().map(|passage| passage.ground()).collect();
    judge_behind(sentence, &grounds, named_before)
}

fn judge_behind(sentence: &str, grounds: &[&Ground], named_before: bool) -> Judgement {
    if let Some(said) = attribution::without(sentence) {
        let judged = judge_behind(said, grounds, named_before);
        // The words in front are not theirs.
        let support = if judged.support == Support::Quoted { Support::Supported } else { judged.support };
        return Judgement { support, ..judged };
    }
    if let Some(mark) = foreign_mark(sentence, grounds) {
        return Judgement::of(0.0, vec![reason(ReasonKind::Negation, &mark.to_string())]);
    }
    if grounds.iter().any(|ground| ground.is_quoted_by(sentence)) {
        return Judgement::quoted();
    }
    let leaning = Leaning::of(sentence);
    if leaning.is_german_beside(grounds) {
        return judge_german(sentence, grounds, named_before);
    }
    let english: Vec<&Ground> = grounds
        .iter()
        .copied()
        .filter(|ground| ground.leaning().is_english() && !ground.leaning().is_german())
        .collect();
    if !leaning.is_english() || english.is_empty() {
        return Judgement::of(0.0, vec![reason(ReasonKind::Language, "")]);
    }
    let own = tokens(sentence);
    if own.len() > TOKENS_MAX {
        return Judgement::of(0.0, vec![reason(ReasonKind::Length, "")]);
    }
    let words = rewrite::in_their_words(plain::told(&own, &english), &english);
    let mut reasons = differences(&words, &english, named_before);
    reasons.extend(quotations(sentence, grounds));
    instead::fill(&mut reasons, &own, &english);
    Judgement::of(score::score(&own, &words, &english, &reasons), reasons)
}

/// The same of a German sentence: by the rules for German, and by German words alone.
fn judge_german(sentence: &str, grounds: &[&Ground], named_before: bool) -> Judgement {
    let texts: Vec<german::Text<'_>> =
        grounds.iter().filter(|ground| ground.leaning().may_be_german()).map(|ground| ground.german()).collect();
    if texts.is_empty() {
        return Judgement::of(0.0, vec![reason(ReasonKind::Language, "")]);
    }
    let Judgement { score, mut reasons, .. } = german::judge(sentence, &texts, named_before);
    reasons.extend(quotations(sentence, grounds));
    Judgement::of(score, reasons)
}

/// What keeps words from being said by the grounds, but for what stands in quotation marks.
fn differences(words: &[Token], grounds: &[&Ground], named_before: bool) -> Vec<Reason> {
    let quotes: Vec<Quote<'_>> = grounds.iter().flat_map(|ground| ground.quotes()).collect();
    let own = Sentence::new(words);
    let mut reasons = content::facts(words, grounds);
    reasons.extend(resolved::differences(words, grounds));
    reasons.extend(content::missing(&own, grounds, &quotes));
    // Which part a word plays can be told where all are there.
    let all_there = reasons.is_empty();
    reasons.extend(polarity::differences(words, &quotes));
    reasons.extend(modality::differences(words, &quotes));
    if all_there {
        reasons.extend(clauses::differences(words, &quotes));
        reasons.extend(lists::crossed(words, &quotes));
        reasons.extend(whole::differences(&own, &quotes));
        reasons.extend(exchanged(&own, grounds, &quotes));
    }
    reasons.extend(persons::differences(&own, &quotes, named_before));
    reasons.extend(particles(words, &quotes));
    reasons.extend(participles(words, &quotes));
    reasons
}

/// Who took another's place, where all words of the sentence are there. What keeps their order, or has a tree of theirs,
/// keeps the roles.
fn exchanged(own: &Sentence<'_>, grounds: &[&Ground], quotes: &[Quote<'_>]) -> Vec<Reason> {
    let words = own.tokens;
    let reasons = match order(words, quotes) {
        Order::Theirs => return Vec::new(),
        Order::CutOut => vec![reason(ReasonKind::Roles, words.first().map_or("", |token| token.raw.as_str()))],
        Order::Other => {
            // The names a note gives its subject count as that subject when roles are compared.
            let renamed = grounds.iter().flat_map(|ground| ground.renamed(words));
            let extended: Vec<Token> = renamed.chain(words).cloned().collect();
            let lead = extended.len() - words.len();
            roles::differences(&extended, lead, quotes, own)
        }
    };
    // What is left out of a denial makes it deny more.
    let is_denied = words.iter().any(polarity::is_negation);
    let may_ask = !is_denied && words.iter().any(|t| t.kind == Kind::Function);
    if reasons.is_empty() {
        trees::torn(own, quotes).into_iter().collect()
    } else if may_ask && trees::agree(own, quotes) {
        Vec::new()
    } else {
        reasons
    }
}

/// A sign in the sentence that no passage has and that turns what is said: `❌`, `¬`, `(?)`, `14‰`, `1⁴`, a stroke through
/// the letters. Other signs turn nothing.
fn foreign_mark(sentence: &str, grounds: &[&Ground]) -> Option<char> {
    const TURNING: &str = "❌❎✗✘✖✕🚫⛔👎🙅🙈¬≠≢∉∌⊄∄?？⁇⁈⁉‽¿‰‱";
    let turns = |c: char| {
        let foreign_number = c.is_numeric() && !c.is_ascii_digit() && !matches!(c, '０'..='９');
        let ideograph = c.is_alphabetic();
        let stroke = matches!(c, '\u{335}'..='\u{338}' | '\u{20d2}'..='\u{20f0}');
        TURNING.contains(c) || stroke || (foreign_number && !ideograph)
    };
    sentence.chars().find(|c| turns(*c) && !grounds.iter().any(|ground| ground.has_sign(*c)))
}

/// `It is on` is not said by `it is off`. A sentence or a passage that has both is left to the other rules.
fn particles(words: &[Token], quotes: &[Quote<'_>]) -> Vec<Reason> {
    let own = |word: &str| words.iter().find(|t| t.lower == word);
    let theirs = |word: &str| quotes.iter().any(|q| q.tokens.iter().any(|t| t.lower == word));
    let turned = PARTICLES.iter().filter(|(x, y)| own(y).is_none() && !theirs(x) && theirs(y));
    turned.filter_map(|(x, _)| own(x)).map(|token| reason(ReasonKind::Opposite, &token.raw)).collect()
}

/// `Bea is bored` is not said by `Bea is boring`, nor `the tap is fixed` by `Ron is fixing the tap`.
fn participles(words: &[Token], quotes: &[Quote<'_>]) -> Option<Reason> {
    let is_said = |tokens: &[Token], at: usize| {
        let front = tokens.get(at.saturating_sub(2)..at).unwrap_or_default();
        front.iter().any(|t| BE.contains(&t.lower.as_str()))
    };
    let ends = |t: &Token| t.lower.ends_with("ing");
    let is_participle = |t: &Token| t.kind == Kind::Word && (ends(t) || is_past(&t.lower));
    let is_turned = |at: &usize| {
        let own = &words[*at];
        let other = |(quote, there): (&Quote<'_>, usize)| {
            let word = &quote.tokens[there];
            is_participle(word) && is_said(quote.tokens, there) && ends(word) != ends(own)
        };
        is_participle(own) && is_said(words, *at) && one_and_all(places(quotes, |t: &Token| t.stem == own.stem), other)
    };
    (0..words.len()).find(is_turned).map(|at| reason(ReasonKind::Roles, &words[at].raw))
}

fn reason(kind: ReasonKind, words: &str) -> Reason {
    Reason { kind, words: words.to_owned(), instead: String::new() }
}

/// Every string in quotation marks must be theirs, word by word.
fn quotations(sentence: &str, grounds: &[&Ground]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let mut open: Option<(char, String)> = None;
    for letter in sentence.chars() {
        match &mut open {
            Some((close, words)) if letter == *close || (*close == '”' && letter == '“') => {
                let quoted = normal(words);
                if !quoted.is_empty() && !grounds.iter().any(|ground| ground.has_run(&quoted)) {
                    reasons.push(reason(ReasonKind::Quotation, words));
                }
                open = None;
            }
            Some((_, words)) => words.push(letter),
            None => {
                let close = match letter {
                    '"' => Some('"'),
                    '“' | '„' => Some('”'),
                    '«' => Some('»'),
                    '‘' => Some('’'),
                    '「' => Some('」'),
                    _ => None,
                };
                open = close.map(|close| (close, String::new()));
            }
        }
    }
    reasons
}

#[cfg(test)]
pub(crate) mod tests;
