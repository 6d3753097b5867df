//! Negations and opposites: clauses of a sentence beside the clauses of a note that say the same words.
//!
//! The one rule to know: **a clause is turned round only against one that is otherwise its own**: most of its words with
//! content, in the same order, no contrast in either (`but`, `only`, `instead`), and no other clause that agrees.

use std::ops::Range;

use crate::lists::{CONTRASTS, NEGATIONS, OPPOSITES};
use crate::premise::Premise;
use crate::reason::ReasonKind;
use crate::text::Text;
use memora_nlp::token::Token;

/// A clause of a text.
struct Clause<'t> {
    text: &'t Text,
    tokens: Range<usize>,
    /// Its words with content, in order, by token and stem.
    content: Vec<(usize, &'t str)>,
    /// Its negations, by token.
    negations: Vec<usize>,
    has_contrast: bool,
}

/// A clause that the note has the other way round.
pub(crate) struct Turned {
    pub(crate) kind: ReasonKind,
    pub(crate) tokens: Range<usize>,
    pub(crate) found: String,
}

/// Finds the first clause of a sentence that a note has the other way round.
pub(crate) fn find_turned_clause(sentence: &Text, premises: &[&Premise]) -> Vec<Turned> {
    let own = clauses(sentence);
    let theirs: Vec<Clause<'_>> = premises.iter().flat_map(|premise| clauses(&premise.words)).collect();
    let mut found = Vec::new();
    for clause in &own {
        found.extend(negated(clause, &theirs));
        found.extend(opposite(clause, &theirs, premises));
    }
    found
}

fn clauses(text: &Text) -> Vec<Clause<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    let segments = text.segments();
    let links = |lower: &str| {
        matches!(
            lower,
            "," | ":"
                | "("
                | ")"
                | "-"
                | "and"
                | "but"
                | "while"
                | "whereas"
                | "although"
                | "though"
                | "because"
                | "so"
                | "since"
                | "which"
                | "who"
                | "if"
                | "when"
                | "unless"
                | "until"
                | "und"
                | "aber"
                | "sondern"
                | "weil"
                | "wenn"
                | "→"
                | "/"
                | "or"
                | "than"
        )
    };
    let contrasts = |t: &Token| CONTRASTS.contains(t.lower.as_str()) || matches!(t.lower.as_str(), "?" | "≠");
    // Found once for each segment, not for each of its clauses.
    let mut last: Option<(Range<usize>, bool)> = None;
    for at in 0..=text.tokens.len() {
        let ends =
            text.tokens.get(at).is_none_or(|t| t.is_segment_end() || (links(&t.lower) && !(t.is_mark('-') && t.glued)));
        if !ends {
            continue;
        }
        let range = start..at;
        let tokens = text.tokens.get(range.clone()).unwrap_or_default();
        let at_each = || tokens.iter().enumerate().map(|(i, token)| (start + i, token));
        let content: Vec<(usize, &str)> = at_each()
            .filter(|(i, t)| {
                t.is_content() && text.is_fact.get(*i) != Some(&true) && !NEGATIONS.contains(t.lower.as_str())
            })
            .map(|(i, t)| (i, t.stem.as_str()))
            .collect();
        if !content.is_empty() {
            let negations = at_each().filter(|(_, t)| NEGATIONS.contains(t.lower.as_str())).map(|(i, _)| i).collect();
            let segment = segments.get(segments.partition_point(|segment| segment.end <= start));
            let segment = segment.filter(|segment| segment.contains(&start)).cloned().unwrap_or_default();
            let has_contrast = match &last {
                Some((known, has_contrast)) if *known == segment => *has_contrast,
                _ => {
                    let around = text.tokens.get(segment.start..segment.end + 1).or(text.tokens.get(segment.clone()));
                    let has_contrast = around.unwrap_or_default().iter().any(contrasts);
                    last = Some((segment, has_contrast));
                    has_contrast
                }
            };
            found.push(Clause { text, tokens: range, content, negations, has_contrast });
        }
        start = at + 1;
    }
    found
}

/// The words that two clauses share, in the order of both; none unless so many of the first's, of a hundred, and two.
fn shared<'t>(own: &Clause<'t>, other: &Clause<'_>, but: &str, percent: usize) -> Option<Vec<&'t str>> {
    let mut behind = 0;
    let mut found = Vec::new();
    let total = own.content.iter().filter(|(_, stem)| *stem != but).count();
    for (_, stem) in own.content.iter().filter(|(_, stem)| *stem != but) {
        if let Some(at) = other.content.iter().skip(behind).position(|(_, their)| their == stem) {
            behind += at + 1;
            found.push(*stem);
        }
    }
    (found.len() >= 2 && found.len() * 100 >= total * percent).then_some(found)
}

/// A negation that only one of two clauses has, of a word that both have.
fn negated(own: &Clause<'_>, theirs: &[Clause<'_>]) -> Option<Turned> {
    if own.has_contrast || own.negations.len() > 1 {
        return None;
    }
    let with_target = |other: &&Clause<'_>| {
        let negated = if own.negations.is_empty() { *other } else { own };
        let behind =
            |at: usize| negated.negations.first().is_some_and(|negation| (*negation..*negation + 4).contains(&at));
        let target = negated.content.iter().find(|(at, _)| behind(*at)).map(|(_, stem)| *stem);
        // The subject in front of it must be shared as well.
        let is_shared = |words: Vec<&str>| words.iter().position(|word| Some(*word) == target).is_some_and(|at| at > 0);
        target.is_some() && shared(own, other, "", 80).is_some_and(is_shared)
    };
    let alike: Vec<&Clause<'_>> = theirs.iter().filter(|other| shared(own, other, "", 60).is_some()).collect();
    let [other] = alike.as_slice() else { return None };
    if other.has_contrast || other.negations.len() + own.negations.len() != 1 || !with_target(other) {
        return None;
    }
    let is_infinitive = |clause: &Clause<'_>| {
        clause.negations.iter().any(|at| clause.text.tokens.get(at + 1).is_some_and(|t| t.lower == "to"))
    };
    if is_infinitive(own) || is_infinitive(other) {
        return None;
    }
    let first = own.content.first().map(|(at, _)| *at);
    let place = own.negations.first().copied().or(first)?;
    Some(Turned { kind: ReasonKind::Negation, tokens: place..place + 1, found: other.words() })
}

fn opposite(own: &Clause<'_>, theirs: &[Clause<'_>], premises: &[&Premise]) -> Option<Turned> {
    if own.has_contrast || !own.negations.is_empty() {
        return None;
    }
    let words = own.text.tokens.get(own.tokens.clone()).unwrap_or_default();
    for (at, token) in words.iter().enumerate() {
        if premises.iter().any(|premise| premise.stems.contains(&token.stem)) {
            continue;
        }
        for other in theirs.iter().filter(|other| !other.has_contrast && other.negations.is_empty()) {
            let tokens = other.text.tokens.get(other.tokens.clone()).unwrap_or_default();
            let opposes = |stem: &str| OPPOSITES.contains(&(token.stem.clone(), stem.to_owned()));
            let Some(turned) = tokens.iter().find(|their| opposes(&their.stem)) else { continue };
            let free = !words.iter().any(|own| own.stem == turned.stem);
            if free && shared(own, other, &token.stem, 75).is_some() {
                let place = own.tokens.start + at;
                let found = other.text.slice(&turned.range).to_owned();
                return Some(Turned { kind: ReasonKind::Direction, tokens: place..place + 1, found });
            }
        }
    }
    None
}

impl Clause<'_> {
    /// Its words as they stand.
    fn words(&self) -> String {
        let bytes = |at: usize| self.text.tokens.get(at).map_or(0..0, |t| t.range.clone());
        let range = bytes(self.tokens.start).start..bytes(self.tokens.end.saturating_sub(1)).end;
        self.text.slice(&range).trim().to_owned()
    }
}
