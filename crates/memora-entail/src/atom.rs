//! Atoms: the tokens of a text as alignment compares them, each fact one atom, each pronoun its person.

use std::ops::Range;

use memora_nlp::WordSenses;

use crate::lists::{ARTICLES, COPULAS, FUNCTION, GUARDS, NEGATIONS, PEOPLE};
use crate::text::Text;
use memora_nlp::normalize_spelling;
use memora_nlp::time::Date;
use memora_nlp::token::{Token, TokenKind};
use memora_nlp::word_lists::WordSet;

/// A word, a fact or a mark of a text, ready to be compared.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub(crate) kind: AtomKind,
    /// What it is compared by.
    pub(crate) key: String,
    /// As written, in lower case.
    pub(crate) lower: String,
    /// Its tokens.
    pub(crate) tokens: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AtomKind {
    Word,
    /// A number in the base of its unit.
    Number(f64),
    Date(Date),
    Clock(u32),
    /// A mark that parts, [`UNSURE_STOP`] where it may end a sentence or not: comma, colon, dash, bracket, full stop.
    Break(char),
    /// A sign that says something: `=`, `→`, `>`.
    Sign,
    /// The place of a negation that is passed over, to see what follows without it.
    Turned,
}

/// The mark of a full stop that may belong to an abbreviation or a name.
pub(crate) const UNSURE_STOP: char = '\u{2024}';

/// Forms of one tense that differ by person alone.
const AUXILIARIES: [&[&str]; 4] = [&["am", "are", "is"], &["was", "were"], &["has", "have"], &["do", "does"]];

impl Atom {
    /// Whether the two say the same, in the same tense and aspect.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (AtomKind::Number(one), AtomKind::Number(two)) => {
                self.key == other.key && (one - two).abs() <= one.abs() * 1e-9
            }
            (AtomKind::Date(one), AtomKind::Date(two)) => {
                one.granularity() == two.granularity() && one.agrees_with(two) && two.agrees_with(one)
            }
            // `12:30` may be a.m. or p.m.
            (AtomKind::Clock(one), AtomKind::Clock(two)) => one == two && (self.key == other.key || *one >= 13 * 60),
            (AtomKind::Word, AtomKind::Word) => {
                let group = |word: &str| AUXILIARIES.iter().position(|forms| forms.contains(&word));
                self.lower == other.lower
                    || group(&self.lower).is_some_and(|own| group(&other.lower) == Some(own))
                    || normalize_spelling(&self.lower) == normalize_spelling(&other.lower)
            }
            (AtomKind::Sign, AtomKind::Sign) => self.key == other.key,
            _ => false,
        }
    }

    pub(crate) fn is_break(&self, mark: char) -> bool {
        self.kind == AtomKind::Break(mark)
    }

    pub(crate) fn is(&self, word: &str) -> bool {
        self.kind == AtomKind::Word && self.lower == word
    }

    /// Whether it is one of some words.
    pub(crate) fn is_in(&self, words: &WordSet<'_>) -> bool {
        self.kind == AtomKind::Word && words.contains(self.lower.as_str())
    }

    /// Whether it is a word that says something, rather than one that holds others together.
    pub(crate) fn is_content(&self) -> bool {
        self.kind == AtomKind::Word && !FUNCTION.contains(self.lower.as_str())
    }

    pub(crate) fn is_article(&self) -> bool {
        self.kind == AtomKind::Word && ARTICLES.contains(self.lower.as_str())
    }

    pub(crate) fn is_copula(&self) -> bool {
        self.kind == AtomKind::Word && COPULAS.contains(self.lower.as_str())
    }

    /// Whether what follows may change if it is left out.
    pub(crate) fn is_guard(&self) -> bool {
        match self.kind {
            AtomKind::Word => GUARDS.contains(self.lower.as_str()) || NEGATIONS.contains(self.lower.as_str()),
            AtomKind::Sign | AtomKind::Turned | AtomKind::Break('?') => true,
            _ => false,
        }
    }
}

/// The atoms of a text. Who speaks in a note of its owner is `you`.
pub(crate) fn atoms(text: &Text, by_owner: bool) -> Vec<Atom> {
    let mut found: Vec<Atom> = Vec::with_capacity(text.tokens.len());
    let (mut at, mut in_quotation) = (0, false);
    let (mut line, mut seen) = (0, 0);
    while let Some(token) = text.tokens.get(at) {
        in_quotation ^= token.is_mark('"');
        while seen < at {
            if text.tokens.get(seen).is_some_and(|t| t.is_mark('\n') || t.is_mark('|')) {
                line = seen + 1;
            }
            seen += 1;
        }
        let by_owner = by_owner && !in_quotation && !has_speaker(text, line..at);
        let (kind, key, end) = fact(text, at)
            .or_else(|| merged(text, at))
            .unwrap_or_else(|| (kind(text, at), key(token, by_owner), at + 1));
        let with = token.lower == "w" && text.tokens.get(at + 1).is_some_and(|t| t.is_mark('/'));
        if with {
            let out = text.tokens.get(at + 2).is_some_and(|t| t.lower == "o" && t.glued);
            let word = if out { "without" } else { "with" };
            found.push(Atom { kind: AtomKind::Word, key: word.to_owned(), lower: word.to_owned(), tokens: at..at + 2 });
            at += if out { 3 } else { 2 };
            continue;
        }
        // Quotation marks and possessives part nothing.
        let is_pattern =
            token.is_mark('*') && text.tokens.get(at + 1).is_some_and(|next| next.glued && next.is_mark('.'));
        let is_silent = matches!(token.kind, TokenKind::Mark('"' | '\'' | '*' | '_' | '\u{200b}')) && !is_pattern
            || token.lower == "'s"
            || is_abbreviating(text, at);
        if !is_silent {
            let (lower, key) = match () {
                () if is_letter(text, at) => (token.lower.to_uppercase(), token.lower.to_uppercase()),
                () if end > at + 1 && matches!(kind, AtomKind::Word | AtomKind::Sign) => (key.clone(), key),
                () if kind == AtomKind::Word && key == "you" => (key.clone(), key),
                () => (token.lower.clone(), key),
            };
            found.push(Atom { kind, key, lower, tokens: at..end.max(at + 1) });
        }
        at = end.max(at + 1);
    }
    found
}

/// Whether a mark is the stop of an abbreviation: `art. 48`.
fn is_abbreviating(text: &Text, at: usize) -> bool {
    let letter =
        at.checked_sub(1).and_then(|before| text.tokens.get(before)).is_some_and(|t| t.kind == TokenKind::Word);
    letter && text.tokens.get(at).is_some_and(|t| t.is_mark('.')) && text.is_inner_stop(at)
}

/// Whether a token is the letter of a name, as in `Plan A`, and no article.
pub(crate) fn is_letter(text: &Text, at: usize) -> bool {
    let named = at.checked_sub(1).and_then(|before| text.tokens.get(before)).is_some_and(Token::is_content);
    // Of `A$ 20` the letter is part of the sign.
    let is_money = text.tokens.get(at + 1).is_some_and(|next| next.glued && next.is_mark('$'));
    named
        && !is_money
        && text.tokens.get(at).is_some_and(|t| t.capital && !t.initial && t.lower.len() == 1 && t.lower != "i")
}

/// Whether a line, as far as it is read, begins with a name and a colon, so that who speaks in it is not the owner:
/// `Kofi: I'll pay`.
fn has_speaker(text: &Text, line: Range<usize>) -> bool {
    let line = text.tokens.get(line).unwrap_or_default();
    let colon = line.iter().take(4).position(|t| t.is_mark(':')).filter(|colon| *colon > 0);
    let speaks =
        |t: &Token| t.capital && (PEOPLE.contains(t.lower.as_str()) || !WordSenses::look_up(&t.lower).is_known());
    colon.is_some() && line.first().is_some_and(speaks)
}

fn key(token: &Token, by_owner: bool) -> String {
    let person = match token.lower.as_str() {
        "i" | "me" | "we" | "us" if by_owner => "you",
        "my" | "our" if by_owner => "your",
        "mine" | "ours" if by_owner => "yours",
        "myself" | "ourselves" if by_owner => "yourself",
        "&" | "+" => "and",
        "mum" | "mom" => "mother",
        "dad" => "father",
        _ => return lemma(token),
    };
    person.to_owned()
}

/// The stem of a word, where the light stemmer gives forms of one word two: `use` and `using`, `add` and `added`.
fn lemma(token: &Token) -> String {
    let stem = match token.lower.as_str() {
        "agreed" | "agreeing" => "agre",
        "bases" => "bas",
        "dying" => "die",
        "embed" | "embeds" => "embed",
        "freed" | "freeing" => "fre",
        "lying" => "lie",
        "overcame" => "overcom",
        "overwritten" | "overwrote" => "overwrit",
        "rewritten" | "rewrote" => "rewrit",
        "seeing" => "see",
        "tying" => "tie",
        "undid" | "undone" => "undo",
        "used" | "using" => "use",
        _ => token.stem.as_str(),
    };
    let twice = match stem.as_bytes() {
        [.., a, b] if a != b || token.capital => false,
        [.., b'l', b'l'] => stem.len() > 5,
        [.., _, last] => !b"aeiousz".contains(last),
        _ => false,
    };
    stem.char_indices().next_back().filter(|_| twice).and_then(|(at, _)| stem.get(..at)).unwrap_or(stem).to_owned()
}

fn kind(text: &Text, at: usize) -> AtomKind {
    let token = text.tokens.get(at);
    if token.is_some_and(|t| t.is_segment_end()) && text.is_inner_stop(at) {
        return AtomKind::Break(UNSURE_STOP);
    }
    match text.tokens.get(at).map(|t| t.kind) {
        Some(TokenKind::Mark('&' | '+')) => AtomKind::Word,
        Some(TokenKind::Mark(
            mark @ (',' | ':' | ';' | '.' | '!' | '?' | '(' | ')' | '-' | '/' | '\n' | '|' | '[' | ']' | '…'),
        )) => AtomKind::Break(mark),
        Some(TokenKind::Mark(_)) => AtomKind::Sign,
        _ => AtomKind::Word,
    }
}

/// Tokens that are one: `!=`, and `a few`, which is not `few`.
fn merged(text: &Text, at: usize) -> Option<(AtomKind, String, usize)> {
    let (token, next) = (text.tokens.get(at)?, text.tokens.get(at + 1)?);
    let vague = matches!(next.lower.as_str(), "few" | "little" | "lot" | "bit" | "couple" | "number" | "hundred");
    match token.lower.as_str() {
        "!" if next.is_mark('=') && next.glued => Some((AtomKind::Sign, "!=".to_owned(), at + 2)),
        "a" if vague => Some((AtomKind::Word, format!("a {}", next.lower), at + 2)),
        _ => None,
    }
}

fn fact(text: &Text, at: usize) -> Option<(AtomKind, String, usize)> {
    if let Some(date) = text.dates.iter().find(|date| date.tokens.start == at) {
        return Some((AtomKind::Date(date.clone()), String::new(), date.tokens.end));
    }
    if let Some(clock) = text.clocks.iter().find(|clock| clock.tokens.start == at) {
        let half = if clock.whole_day { "m" } else { "" };
        return Some((AtomKind::Clock(clock.minutes), half.to_owned(), clock.tokens.end));
    }
    let quantity = text.quantities.iter().find(|quantity| quantity.tokens.start == at)?;
    let unit = quantity.unit.map_or("", |unit| unit.dimension);
    let factor = quantity.unit.map_or(1.0, |unit| unit.factor);
    let key = format!("{unit}/{:?}/{:?}", quantity.form, quantity.bound);
    Some((AtomKind::Number(quantity.value * factor), key, quantity.tokens.end))
}
