//! Who did it, and from where to where: what stays a fact however it is worded.
//!
//! The one rule to know: **both sides have to stand in the note, each in the other's place.** `from JSON to MessagePack` is
//! turned round by `from MessagePack to JSON`, and `Anna moved it because Bruno left` by `Bruno moved it`; a word that the note
//! does not have in any place turns nothing.

use crate::actor::{Actor, actors};
use crate::clause::Turned;
use crate::premise::Premise;
use crate::reason::ReasonKind;
use crate::text::Text;
use memora_nlp::token::{Token, TokenKind};

/// How many words may stand between `from` or `to` and what it leads to.
const PHRASE_MAX: usize = 4;

/// Where something leads from and to, by token.
struct Way {
    from: Option<usize>,
    to: Option<usize>,
}

/// Finds the way that a note has the other way round.
pub(crate) fn find_reversal(sentence: &Text, premises: &[&Premise]) -> Option<Turned> {
    let own = ways(sentence);
    let theirs: Vec<(&Text, Way)> =
        premises.iter().flat_map(|premise| ways(&premise.words).into_iter().map(|way| (&premise.words, way))).collect();
    let key = |text: &Text, at: Option<usize>| at.and_then(|at| text.tokens.get(at)).map(|token| token.stem.clone());
    for way in &own {
        let (from, to) = (key(sentence, way.from), key(sentence, way.to));
        let same = |text: &Text, other: &Way| {
            from.is_some() && from == key(text, other.from) || to.is_some() && to == key(text, other.to)
        };
        if theirs.iter().any(|(text, other)| same(text, other)) {
            continue;
        }
        let turned = theirs.iter().find(|(text, other)| {
            let (their_from, their_to) = (key(text, other.from), key(text, other.to));
            from.is_some() && to.is_some() && from == their_to && to == their_from
        });
        if let (Some((text, other)), Some(first), Some(last)) = (turned, way.from, way.to)
            && let (Some(start), Some(end)) = (other.from, other.to)
        {
            let bytes = |at: usize| text.tokens.get(at).map_or(0..0, |token| token.range.clone());
            let words = bytes(start.min(end)).start..bytes(start.max(end)).end;
            let found = format!("from {}", text.slice(&words));
            return Some(Turned { kind: ReasonKind::Direction, tokens: first.min(last)..first.max(last) + 1, found });
        }
    }
    None
}

/// Every `from X to Y`, `von X zu Y`, `X → Y`, and half of one.
fn ways(text: &Text) -> Vec<Way> {
    let tokens = &text.tokens;
    let mut found: Vec<Way> = Vec::new();
    let mut open: Option<usize> = None;
    for (at, token) in tokens.iter().enumerate() {
        if token.is_segment_end() {
            open = None;
        }
        match token.lower.as_str() {
            "from" | "von" => open = head(tokens, at + 1),
            "to" | "into" | "zu" | "nach" => {
                let to = head(tokens, at + 1);
                if to.is_some() {
                    found.push(Way { from: open.take(), to });
                }
            }
            "→" => {
                let from = (0..at).rev().take(PHRASE_MAX).find(|before| tokens.get(*before).is_some_and(is_thing));
                found.push(Way { from, to: head(tokens, at + 1) });
            }
            _ => {}
        }
    }
    found
}

/// The first word with content behind a place, within its phrase.
fn head(tokens: &[Token], from: usize) -> Option<usize> {
    (from..from + PHRASE_MAX)
        .take_while(|at| tokens.get(*at).is_some_and(|t| !t.is_segment_end()))
        .find(|at| is_thing(&tokens[*at]))
}

/// Whether a token names something: `May` is small words' twin, and a month.
fn is_thing(token: &Token) -> bool {
    token.is_content() || token.kind == TokenKind::Numeral || token.capital && !token.initial
}

/// Finds a name in whose place a note has another: the same verb once in all premises, active in both, each with a name for its
/// subject, and the sentence's name elsewhere in the note.
pub(crate) fn other_actor(sentence: &Text, premises: &[&Premise]) -> Option<Turned> {
    let named = |text: &Text| text.tokens.iter().filter(|token| token.capital && token.is_content()).count();
    if named(sentence) == 0 || premises.iter().all(|premise| named(&premise.words) == 0) {
        return None;
    }
    let own = actors(&sentence.source);
    if own.is_empty() {
        return None;
    }
    let theirs: Vec<&Actor> = premises.iter().flat_map(|premise| premise.actors()).collect();
    own.iter().find_map(|actor| {
        let mut same = theirs.iter().filter(|other| other.verb == actor.verb);
        let (Some(other), None) = (same.next(), same.next()) else { return None };
        let elsewhere = premises.iter().any(|premise| stands_apart(&premise.words, &actor.key, &other.key))
            || premises.iter().all(|premise| !premise.stems.contains(&actor.key))
                && is_in_their_notes(&actor.words, premises);
        let elsewhere = elsewhere
            && premises
                .iter()
                .all(|premise| premise.aliases.iter().all(|alias| alias.tokens.iter().all(|t| t.stem != actor.key)));
        if other.key == actor.key
            || !elsewhere
            || other.words.contains(&actor.words)
            || actor.words.contains(&other.words)
        {
            return None;
        }
        let at = |byte: usize| sentence.tokens.iter().position(|token| token.range.end > byte);
        let first = at(actor.range.start)?;
        Some(Turned { kind: ReasonKind::Name, tokens: first..first + 1, found: other.words.clone() })
    })
}

/// Whether other lines of the premises' notes have a name.
fn is_in_their_notes(name: &str, premises: &[&Premise]) -> bool {
    let has_word = |words: &str| words.split(|c: char| !c.is_alphanumeric()).any(|word| word == name);
    premises
        .iter()
        .filter_map(|premise| premise.note.as_deref())
        .any(|lines| lines.iter().any(|(_, words)| has_word(words)))
}

/// Whether a name stands in a text, and not only within a longer one with another: *Chesky* of *Brian Chesky*.
fn stands_apart(text: &Text, name: &str, other: &str) -> bool {
    let tokens = &text.tokens;
    let goes_on = |at: &usize| tokens.get(*at).is_some_and(|t| t.capital && t.kind == TokenKind::Word);
    (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(|t| t.stem == name)).any(|at| {
        let mut run = (0..at).rev().take_while(goes_on).chain((at..tokens.len()).take_while(goes_on));
        !run.any(|i| tokens.get(i).is_some_and(|t| t.stem == other))
    })
}
