//! A text read once: tokens, dates, times of day and numbers, and where its clauses end.

use std::borrow::Cow;
use std::ops::Range;

use crate::lists::{ABBREVIATIONS, NEGATIONS, TITLES};
use memora_nlp::number::{Quantity, find_quantities};
use memora_nlp::time::Date;
use memora_nlp::time::{TimeOfDay, find_dates, find_times_of_day};
use memora_nlp::token::{Token, TokenKind, tokenize};

/// A text with what was read in it.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) source: String,
    pub(crate) tokens: Vec<Token>,
    pub(crate) dates: Vec<Date>,
    pub(crate) clocks: Vec<TimeOfDay>,
    pub(crate) quantities: Vec<Quantity>,
    /// For each token whether it is part of a date, a time or a number.
    pub(crate) is_fact: Vec<bool>,
}

impl Text {
    pub(crate) fn read(source: &str) -> Self {
        let tokens = tokenize(source);
        let mut is_fact = vec![false; tokens.len()];
        let mut take = |range: &Range<usize>| {
            for taken in is_fact.get_mut(range.clone()).into_iter().flatten() {
                *taken = true;
            }
        };
        let dates = find_dates(&tokens);
        dates.iter().for_each(|date| take(&date.tokens));
        let taken_by_dates = is_fact.clone();
        let clocks = find_times_of_day(&tokens, &taken_by_dates);
        let mut take = |range: &Range<usize>| {
            for taken in is_fact.get_mut(range.clone()).into_iter().flatten() {
                *taken = true;
            }
        };
        clocks.iter().for_each(|clock| take(&clock.tokens));
        let quantities = find_quantities(&tokens, &is_fact);
        for quantity in &quantities {
            for taken in is_fact.get_mut(quantity.tokens.clone()).into_iter().flatten() {
                *taken = true;
            }
        }
        Self { source: source.to_owned(), tokens, dates, clocks, quantities, is_fact }
    }

    /// The words of some bytes.
    pub(crate) fn slice(&self, range: &Range<usize>) -> &str {
        self.source.get(range.clone()).unwrap_or_default()
    }

    /// The bytes of some tokens.
    pub(crate) fn bytes(&self, tokens: &Range<usize>) -> Range<usize> {
        let bytes = |at: usize| self.tokens.get(at).map_or(0..0, |t| t.range.clone());
        bytes(tokens.start).start..bytes(tokens.end.saturating_sub(1)).end
    }

    /// The words of some tokens, as they stand.
    pub(crate) fn words(&self, tokens: &Range<usize>) -> &str {
        self.slice(&self.bytes(tokens)).trim()
    }

    /// The plain numbers that its digits write, dates' included.
    pub(crate) fn raw_numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let digits = |token: &Token| -> Vec<f64> {
            let parts = token.lower.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
            parts
                .filter_map(memora_nlp::number::parse_numeral)
                .flat_map(|(value, other)| [Some(value), other])
                .flatten()
                .collect()
        };
        self.tokens.iter().filter(|t| t.kind != TokenKind::Mark('.')).flat_map(digits)
    }

    /// Its clauses: runs of tokens between full stops, lines, semicolons and bars.
    pub(crate) fn segments(&self) -> Vec<Range<usize>> {
        self.parted(Token::is_segment_end)
    }

    /// What is read at once: a sentence, parted where a dash, an arrow, a colon or a bracket stands; and whether it asks.
    pub(crate) fn pieces(&self) -> Vec<(Range<usize>, bool)> {
        let parts =
            |t: &Token| matches!(t.kind, TokenKind::Mark(':' | '(' | ')' | '→')) || (t.is_mark('-') && !t.glued);
        let mut found = Vec::new();
        for segment in self.segments() {
            let asks = self.tokens.get(segment.end).is_some_and(|t| t.is_mark('?'));
            let mut start = segment.start;
            for at in segment.clone() {
                if self.tokens.get(at).is_some_and(parts) {
                    found.push((start..at, asks));
                    start = at + 1;
                }
            }
            found.push((start..segment.end, asks));
        }
        found
    }

    /// Its sentences, lines and rows, which are what may be quoted.
    pub(crate) fn sentences(&self) -> Vec<Range<usize>> {
        self.parted(|token| token.is_segment_end() && !token.is_mark('|') && !token.is_mark(';'))
    }

    fn parted(&self, ends: impl Fn(&Token) -> bool) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut start = 0;
        for (at, token) in self.tokens.iter().enumerate() {
            if ends(token) && !self.is_inner_stop(at) {
                if start < at {
                    found.push(start..at);
                }
                start = at + 1;
            }
        }
        if start < self.tokens.len() {
            found.push(start..self.tokens.len());
        }
        found
    }

    /// Whether a mark may end no sentence: `art. 48`, `Mr. Smith`, `the U.S. Senators`, `I doubt it … Bun`, `.env`, `Yahoo! Japan`,
    /// `!=`. In doubt it ends none: what stands behind it is then no sentence of its own.
    pub(crate) fn is_inner_stop(&self, at: usize) -> bool {
        let (Some(mark), Some(next)) = (self.tokens.get(at), self.tokens.get(at + 1)) else { return false };
        if next.is_mark('\n') {
            return false;
        }
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let short = |t: &Token| {
            let letters = t.lower.chars().filter(|c| *c != '.').count();
            t.kind == TokenKind::Word
                && (letters == 1
                    || t.lower.contains('.')
                    || ABBREVIATIONS.contains(t.lower.as_str())
                    || TITLES.contains(t.lower.as_str()))
        };
        let named = |t: &Token| t.kind == TokenKind::Word && t.capital && !t.initial;
        match mark.kind {
            TokenKind::Mark('.') => {
                let dots = next.is_mark('.') || before.is_some_and(|t| t.is_mark('.'));
                dots || next.glued && next.kind == TokenKind::Word || before.is_some_and(short)
            }
            TokenKind::Mark('…') => true,
            TokenKind::Mark('!') => next.is_mark('=') && next.glued || before.is_some_and(named) && next.capital,
            _ => false,
        }
    }

    /// The stem of the first word with content behind some tokens, and of the last one in front, both close by.
    pub(crate) fn labels(&self, tokens: &Range<usize>) -> [Option<&str>; 2] {
        let content = |t: &&Token| t.is_content();
        let ends = |t: &&Token| {
            !t.is_segment_end() && !t.is_mark(',') && !t.is_mark(':') && !t.is_mark('(') && !t.is_mark(')')
        };
        let behind = self.tokens.get(tokens.end..).unwrap_or_default().iter().take(3).take_while(ends).find(content);
        let front = self.tokens.get(..tokens.start).unwrap_or_default().iter().rev().take(4);
        let front = front.take_while(|t| !t.is_segment_end() && !t.is_mark(',')).find(content);
        [behind.map(|t| t.stem.as_str()), front.map(|t| t.stem.as_str())]
    }
}

/// A text whose signs of inline mathematics are blank: `$9.6$` is no money. As many bytes as before.
pub(crate) fn without_math(text: &str) -> Cow<'_, str> {
    if text.bytes().filter(|byte| *byte == b'$').count() < 2 {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    let mut open = None;
    for at in 0..bytes.len() {
        let is_space =
            |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at)).is_none_or(u8::is_ascii_whitespace);
        if text.as_bytes().get(at) != Some(&b'$') {
            continue;
        }
        let is_followed_by_digit = text.as_bytes().get(at + 1).is_some_and(u8::is_ascii_digit);
        match open {
            Some(start) if !is_space(at.checked_sub(1)) && !is_followed_by_digit && at > start + 1 => {
                (bytes[start], bytes[at]) = (b' ', b' ');
                open = None;
            }
            _ => open = (!is_space(Some(at + 1))).then_some(at),
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Whether one of some tokens negates.
pub(crate) fn denies<'t>(tokens: impl IntoIterator<Item = &'t Token>) -> bool {
    tokens.into_iter().any(|token| NEGATIONS.contains(token.lower.as_str()))
}

/// Whether the clause of a premise around some tokens has half of a sentence's words with content.
pub(crate) fn speaks_alike(sentence: &Text, premise: &Text, tokens: &std::ops::Range<usize>) -> bool {
    let Some(segment) = premise.segments().into_iter().find(|segment| segment.contains(&tokens.start)) else {
        return false;
    };
    let theirs = premise.tokens.get(segment).unwrap_or_default();
    let own = || {
        sentence.tokens.iter().enumerate().filter(|(at, t)| t.is_content() && sentence.is_fact.get(*at) != Some(&true))
    };
    let shared = own().filter(|(_, token)| theirs.iter().any(|t| t.stem == token.stem)).count();
    shared > 0 && shared * 2 >= own().count()
}
