//! Where clauses of a German sentence may begin: at commas, at words that join, and at words that make one hang on another.

use super::clause::Marker;
use super::phrase::{Parts, Said, parts};
use super::tokens::{Kind, Token};
use super::verbs::Tense;
use super::words::{MODALS, PARTICLES, auxiliary, is_in, preposition};

/// A stretch of words that may be a clause.
pub(super) struct Stretch {
    pub(super) tokens: Vec<Token>,
    /// Whether a comma stands before it.
    pub(super) comma: bool,
    /// The word that joins it to what stands before: *und, aber*.
    pub(super) joint: String,
}

/// Cuts at commas, dashes and words that join, where a clause may begin.
pub(super) fn stretches(all: &[Token]) -> Vec<Stretch> {
    let mut found = vec![Stretch { tokens: Vec::new(), comma: false, joint: String::new() }];
    let mut comma = false;
    for (at, token) in all.iter().enumerate() {
        let is_comma = token.is_mark(',') || token.is_mark('–') || token.is_mark('—') || token.is_mark('-');
        let is_end = token.is_mark(';') || token.is_mark(':');
        let is_joint = matches!(
            token.lower.as_str(),
            "und" | "oder" | "aber" | "sondern" | "doch" | "sowie" | "denn" | "entweder"
        );
        let joins = is_joint && (comma || matches!(token.lower.as_str(), "und" | "oder"));
        if is_comma && !is_one_day(all, at) {
            found.push(Stretch { tokens: Vec::new(), comma: true, joint: String::new() });
            comma = true;
            continue;
        }
        if is_end || (joins && !comma) {
            let joint = if is_end { ";".to_owned() } else { token.lower.clone() };
            found.push(Stretch { tokens: Vec::new(), comma: false, joint });
            continue;
        }
        if let Some(last) = found.last_mut() {
            if joins && last.tokens.is_empty() {
                last.joint.clone_from(&token.lower);
            } else {
                last.tokens.push(token.clone());
            }
        }
        comma = false;
    }
    found.retain(|s| !s.tokens.is_empty());
    found
}

/// Whether the comma stands in `Montag, den 3. Mai`.
fn is_one_day(all: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| all.get(at)).is_some_and(|t| matches!(t.kind, Kind::Weekday(_)));
    let date = |at: usize| all.get(at).is_some_and(|t| matches!(t.kind, Kind::Date(_)));
    before
        && (date(at + 1) || all.get(at + 1).is_some_and(|t| matches!(t.lower.as_str(), "den" | "dem")) && date(at + 2))
}

pub(super) fn has_verb(parts: &Parts) -> bool {
    parts.said.iter().any(Said::is_verb)
}

/// Whether a word can be what a clause turns on: no participle, no infinitive.
pub(super) fn is_finite(said: &Said) -> bool {
    let other = said.token.lower.ends_with("en")
        && !said.has(Tense::Past)
        && auxiliary(&said.token.lower).is_none()
        && !MODALS.contains(&said.token.lower);
    let plain = !said.has(Tense::Participle) || super::verbs::is_strong_past(&said.token.lower);
    said.is_verb()
        && !other
        && (plain || auxiliary(&said.token.lower).is_some() && !said.is_in("worden gewesen geworden gehabt"))
}

/// What a stretch opens with, if it hangs on another clause; and how many words say so.
pub(super) fn opening(stretch: &Stretch) -> Option<(Marker, String, usize)> {
    let first = stretch.tokens.first()?;
    let second = stretch.tokens.get(1).map(|t| t.lower.as_str()).unwrap_or_default();
    let is_little = first.initial || first.kind == Kind::Word;
    if !is_little
        || !stretch.joint.is_empty() && !stretch.comma && !matches!(first.lower.as_str(), "weil" | "dass" | "wenn")
    {
        return None;
    }
    let begins = first.initial || stretch.comma;
    let of = |marker: Marker, words: usize| Some((marker, first.lower.clone(), words));
    let verb_ends = || {
        let last = stretch.tokens.iter().rev().find(|t| t.raw.chars().any(char::is_alphanumeric));
        last.is_some_and(|t| t.kind == Kind::Word)
    };
    // `zu verkaufen`, and not `zu feucht`
    let follows_zu = stretch.tokens.iter().rev().nth(1).is_some_and(|t| t.lower == "zu");
    let ends_in_n = stretch.tokens.last().is_some_and(|t| t.lower.ends_with('n'));
    let is_degree = follows_zu && !ends_in_n;
    match first.lower.as_str() {
        "weil" | "zumal" => of(Marker::Cause, 1),
        "denn" if stretch.comma => of(Marker::Cause, 1),
        "da" if begins && verb_ends() && (stretch.comma || !first.initial || has_subject(stretch)) => {
            of(Marker::Cause, 1)
        }
        "obwohl" | "obgleich" | "obschon" | "wenngleich" => of(Marker::Concession, 1),
        "nachdem" => of(Marker::Time, 1),
        "während" | "als" if begins && verb_ends() && second != "ob" && has_subject(stretch) => of(Marker::Time, 1),
        "sodass" => of(Marker::Result, 1),
        "so" if second == "dass" => of(Marker::Result, 2),
        "damit" if verb_ends() && has_subject(stretch) => of(Marker::Purpose, 1),
        "um" if verb_ends() && stretch.tokens.iter().any(is_zu) => of(Marker::Purpose, 1),
        "wenn" | "falls" | "sofern" | "solange" | "sobald" | "bevor" | "ehe" | "seitdem" | "ob" | "dass" | "indem" => {
            of(Marker::Bound, 1)
        }
        "bis" | "seit" | "ohne" | "statt" | "anstatt" if begins && verb_ends() && has_subject(stretch) => {
            of(Marker::Bound, 1)
        }
        "ausser" if begins => of(Marker::Bound, 1),
        // `Sollte Max kommen, kocht Karl.`
        word if first.initial && !is_in("habe bin", word) && (MODALS.contains(word) || auxiliary(word).is_some()) => {
            of(Marker::Bound, 0)
        }
        "es" if stretch.comma && second == "sei" => of(Marker::Bound, 0),
        "wie" | "was" | "wer" | "wo" | "warum" | "wann" | "wohin" | "woher" | "weshalb" | "wodurch" | "womit"
        | "wofür" | "wobei"
            if stretch.comma && verb_ends() =>
        {
            of(Marker::Bound, 0)
        }
        "der" | "die" | "das" | "den" | "dem" | "dessen" | "deren" | "denen" | "welche" | "welcher" | "welches"
            if stretch.comma
                && verb_ends()
                && !is_degree
                && !is_told_second(stretch)
                && parts(&stretch.tokens, true).said.iter().any(is_finite) =>
        {
            of(Marker::Relative, 0)
        }
        _ if stretch.comma && verb_ends() && second_is_relative(stretch) => of(Marker::Relative, 0),
        // `…, das Auto zu verkaufen`
        _ if stretch.comma && follows_zu && ends_in_n => of(Marker::Bound, 0),
        _ if stretch.comma && stretch.tokens.last().is_some_and(is_zu) => of(Marker::Bound, 0),
        _ => None,
    }
}

/// `, das hat 940 Euro gekostet`: a clause of its own.
fn is_told_second(stretch: &Stretch) -> bool {
    let helps = |t: &Token| auxiliary(&t.lower).is_some() || MODALS.contains(&t.lower);
    stretch.tokens.get(1).is_some_and(helps) && !stretch.tokens.last().is_some_and(helps)
}

/// `, mit dem Anna arbeitet`
fn second_is_relative(stretch: &Stretch) -> bool {
    let word = |at: usize| stretch.tokens.get(at).map(|t| t.lower.as_str()).unwrap_or_default();
    let next = stretch.tokens.get(2).is_some_and(|t| !is_in("alten neuen", &t.lower));
    preposition(word(0)).is_some()
        && matches!(word(1), "der" | "die" | "das" | "den" | "dem" | "denen" | "dessen" | "deren")
        && next
        && parts(stretch.tokens.get(2..).unwrap_or_default(), true)
            .phrases
            .first()
            .is_some_and(|p| p.led || p.lead.is_empty())
        && has_verb(&parts(&stretch.tokens, true))
}

/// `abzuholen`, `zu`
fn is_zu(token: &Token) -> bool {
    let inner =
        || token.lower.split_once("zu").is_some_and(|(front, rest)| PARTICLES.contains(front) && rest.ends_with('n'));
    token.lower == "zu" || inner()
}

fn has_subject(stretch: &Stretch) -> bool {
    let rest = parts(stretch.tokens.get(1..).unwrap_or_default(), true);
    rest.phrases.iter().any(|p| p.lead.is_empty()) && has_verb(&rest)
}
