//! Negation: whether both say that it is so.

use super::ground::{Quote, one_and_all, places, stands_elsewhere};
use super::lexicon::{BE, NEGATIONS};
use super::tokens::{Kind, Token};
use super::{Reason, ReasonKind, reason};

/// Differences in negation between a sentence and the sentences it rests on.
pub(crate) fn differences(words: &[Token], quotes: &[Quote<'_>]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let content: Vec<&Token> = words.iter().filter(|t| t.says()).collect();
    let own: Vec<Scope<'_>> = scopes(words);
    let theirs: Vec<(&Quote<'_>, Scope<'_>)> =
        quotes.iter().flat_map(|quote| scopes(quote.tokens).into_iter().map(move |scope| (quote, scope))).collect();
    for scope in &own {
        let met = theirs.iter().any(|(_, other)| match scope.words.first() {
            Some(first) => {
                other.words.iter().any(|t| t.stem == first.stem) && (scope.sign.lower != "never" || !other.ended)
            }
            None => other.sign.lower == scope.sign.lower,
        });
        if !met {
            reasons.push(reason(ReasonKind::Negation, &scope.sign.raw));
        }
    }
    let lost = |sign: &Token| Reason { instead: sign.raw.clone(), ..reason(ReasonKind::Negation, "") };
    let has = |t: &Token| content.iter().any(|c| c.stem == t.stem);
    if own.is_empty() {
        reasons.extend(denied_above(quotes).map(lost));
        reasons.extend(quotes.iter().find_map(|quote| denies_subject(quote.tokens, has)).map(lost));
    }
    let turned = (0..words.len()).filter(|at| is_turned(words, *at, quotes));
    reasons.extend(turned.map(|at| reason(ReasonKind::Negation, &words[at].raw)));
    for (quote, scope) in &theirs {
        let hits = scope.words.iter().filter(|t| has(t)).count();
        // A sentence of theirs of which all that is used stands in others, too, need not be what is drawn from.
        let is_drawn_from = || quote.tokens.iter().any(|t| t.says() && has(t) && !stands_elsewhere(quotes, quote, t));
        let struck =
            (scope.words.first().is_some_and(|t| has(t)) && is_drawn_from()) || (hits > 0 && hits * 2 >= content.len());
        let is_kept = |other: &Scope<'_>| {
            let ends = other.words.is_empty() && other.sign.lower == scope.sign.lower;
            ends || other.words.iter().any(|t| scope.words.iter().any(|s| s.stem == t.stem))
        };
        let kept = own.iter().any(is_kept);
        if struck && !kept {
            reasons.push(lost(scope.sign));
        }
    }
    reasons
}

/// A negation with the words it reaches.
struct Scope<'t> {
    sign: &'t Token,
    words: Vec<&'t Token>,
    /// Whether it only denies that it is so any longer.
    ended: bool,
}

/// Whether a verb that denies by itself is denied here and not there, or there and not here: `did not fail` of `failed`.
fn is_turned(words: &[Token], at: usize, quotes: &[Quote<'_>]) -> bool {
    const DENYING: [&str; 5] = ["lack", "fail", "refus", "den", "deny"];
    let is_denied = |tokens: &[Token], at: usize| {
        let front = tokens.get(at.saturating_sub(3)..at).unwrap_or_default();
        let mut near = front.iter().rev().take_while(|t| !matches!(t.kind, Kind::Mark(_)));
        near.any(|t| ["not", "never", "no", "nobody", "none", "nothing", "neither"].contains(&t.lower.as_str()))
    };
    let own = is_denied(words, at);
    let theirs = places(quotes, |t: &Token| t.stem == words[at].stem);
    DENYING.contains(&words[at].stem.as_str())
        && one_and_all(theirs, |(quote, there)| is_denied(quote.tokens, there) != own)
}

/// The *not* of a heading above each of them: below "Not shipped" nothing is said outright.
fn denied_above<'q>(quotes: &[Quote<'q>]) -> Option<&'q Token> {
    let is_not = |t: &&Token| ["not", "never", "no", "without"].contains(&t.lower.as_str());
    let mut signs = quotes.iter().map(|quote| quote.context.iter().find(is_not));
    let first = signs.next()??;
    signs.all(|sign| sign.is_some()).then_some(first)
}

/// The *not* that is said of somebody used, with only a helping verb: of the *brother* in `Ben laughed, his brother did not`.
fn denies_subject(tokens: &[Token], used: impl Fn(&Token) -> bool) -> Option<&Token> {
    const HELPING: [&str; 10] = ["do", "does", "did", "has", "have", "had", "will", "would", "can", "could"];
    let ends = |t: &Token| matches!(t.kind, Kind::Mark(',' | ';' | '.' | '—' | ')'));
    tokens.split(ends).find_map(|clause| match clause {
        [before @ .., helping, not] if not.lower == "not" => {
            let helps = HELPING.contains(&helping.lower.as_str()) || BE.contains(&helping.lower.as_str());
            let said: Vec<&Token> = before.iter().filter(|t| t.says()).collect();
            let is_used = said.last().is_some_and(|subject| used(subject));
            (helps && said.len() <= 2 && is_used).then_some(not)
        }
        _ => None,
    })
}

/// A negation reaches to the end of its clause; a list behind it (`not Rust, Go or C`) is still negated.
fn scopes(tokens: &[Token]) -> Vec<Scope<'_>> {
    let mut found = Vec::new();
    for (i, sign) in tokens.iter().enumerate() {
        let next = tokens.get(i + 1).map(|t| t.lower.as_str()).unwrap_or_default();
        // What was not chosen.
        let passed_over = matches!((sign.lower.as_str(), next), ("instead", "of") | ("rather", "than"));
        if !is_negation(sign) && !passed_over {
            continue;
        }
        let relative = tokens
            .get(..i)
            .unwrap_or_default()
            .iter()
            .rev()
            .take_while(|t| t.kind != Kind::Mark(','))
            .any(|t| ["which", "who", "that"].contains(&t.lower.as_str()));
        let mut words = Vec::new();
        for (k, token) in tokens.iter().enumerate().skip(i + 1) {
            let next = tokens.get(k + 1).map(|t| t.lower.as_str()).unwrap_or_default();
            let ends = match token.kind {
                Kind::Mark(',') => {
                    relative || (CLAUSE.contains(&next) || ["and", "it", "he", "she", "they", "we"].contains(&next))
                }
                Kind::Mark(mark) => matches!(mark, ';' | ':' | '.' | '!' | '?' | '—' | '–' | '('),
                _ => CLAUSE.contains(&token.lower.as_str()),
            };
            if ends {
                break;
            }
            // `Not a single test failed`.
            let counts = words.is_empty() && ["single", "one"].contains(&token.lower.as_str());
            if token.says() && !is_negation(token) && !counts {
                words.push(token);
            }
        }
        let behind = tokens.iter().skip(i + 1).take(8);
        let ended =
            next == "longer" || behind.take_while(|t| !matches!(t.kind, Kind::Mark(_))).any(|t| t.lower == "anymore");
        found.push(Scope { sign, words, ended });
    }
    found
}

/// Words that begin another clause.
pub(super) const CLAUSE: &[&str] =
    &["but", "while", "whereas", "although", "though", "because", "so", "which", "who", "instead"];

/// Whether a word turns what is said round.
pub(super) fn is_negation(token: &Token) -> bool {
    // Of a verb any form negates (`refused`), of a word without forms only itself: `notes` are no `not`.
    NEGATIONS.contains(&token.lower) || (token.stem.len() > 3 && NEGATIONS.contains(&token.stem))
}
