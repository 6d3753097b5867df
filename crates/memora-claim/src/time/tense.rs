//! Whether a sentence speaks of the past or of what is to come, as far as one word next to a time can tell.

use super::Role;
use super::read::{Lead, Reader};
use super::tokens::listed;
use super::when::Side;

/// Where a time lies that could be on either side of the note's date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lean {
    Past,
    Ahead,
    Open,
}

impl Lean {
    /// For a weekday or weekend: never the note's own day, unless nothing is known.
    pub(super) fn of_days(self) -> Side {
        match self {
            Self::Past => Side::Before(1),
            Self::Ahead => Side::After(1),
            Self::Open => Side::Near,
        }
    }

    /// For months and dates of a year: the one that is going on counts.
    pub(super) fn of_months(self) -> Side {
        match self {
            Self::Past => Side::AtMost,
            Self::Ahead => Side::AtLeast,
            Self::Open => Side::Near,
        }
    }
}

/// How far a verb is looked for, in words to either side.
const REACH: usize = 30;

impl Reader<'_> {
    /// Where a time at token `at` leans: `since` looks back; else the nearest verb before it in its sentence, else the
    /// first behind it; else a deadline or an end looks ahead.
    pub(super) fn lean(&self, at: usize, lead: &Lead) -> Lean {
        if lead.word == "since" {
            return Lean::Past;
        }
        let open = match lead.role {
            Role::Due | Role::Until => Lean::Ahead,
            _ => Lean::Open,
        };
        self.tense(at).unwrap_or(open)
    }

    pub(super) fn tense(&self, at: usize) -> Option<Lean> {
        let mut back = at;
        while back > 0 && at - back < REACH && !self.tokens.breaks(back) {
            back -= 1;
            if let Some(lean) = self.lean_of(back) {
                return Some(lean);
            }
        }
        let end = self.tokens.len().min(at.saturating_add(REACH));
        (at + 1..end).take_while(|next| !self.tokens.breaks(*next)).find_map(|next| self.lean_of(next))
    }

    /// Where token `at` itself leans, if it is a verb that does.
    pub(super) fn lean_of(&self, at: usize) -> Option<Lean> {
        let verbs = self.verbs.get_or_init(|| (0..self.tokens.len()).map(|at| self.read_verb(at)).collect());
        verbs.get(at).copied().flatten()
    }

    fn read_verb(&self, at: usize) -> Option<Lean> {
        let word = self.tokens.word(at);
        if listed(AHEAD, word) {
            return Some(Lean::Ahead);
        }
        let being = matches!(word, "am" | "is" | "are" | "m" | "s" | "re");
        let next = self.tokens.word(at + 1);
        if being && next.len() > 4 && next.ends_with("ing") {
            return Some(Lean::Ahead);
        }
        let regular = word.len() > 4 && word.ends_with("ed") && !word.ends_with("eed");
        (regular || listed(PAST, word)).then_some(Lean::Past)
    }

    /// Whether a `have` with its participle stands before token `at` in its sentence: a present perfect.
    pub(super) fn perfect(&self, at: usize) -> bool {
        (1..=10).map_while(|by| at.checked_sub(by).filter(|before| !self.tokens.breaks(before + 1))).any(|before| {
            let adverb = |at: &usize| listed(ADVERBS, self.tokens.word(*at));
            let skipped = (before + 1..at).take_while(adverb).count();
            let follows = self.tokens.word(before + 1 + skipped);
            match self.tokens.word(before) {
                // `have lived`, but not `have a room`.
                "have" | "has" | "ve" | "haven" | "hasn" => {
                    listed(PARTICIPLES, follows) || self.lean_of(before + 1 + skipped) == Some(Lean::Past)
                }
                // `it's been`, but not `it's done`.
                "s" => follows == "been",
                _ => false,
            }
        })
    }
}

/// Words between `have` and its participle.
const ADVERBS: &str = "t not never now already always also both just only really";

/// Participles that are no past form as well.
const PARTICIPLES: &str = "been done seen known gone taken given written driven eaten chosen become come run grown worn \
    spoken broken drawn flown forgotten hidden ridden risen shown sung sunk swum thrown begun let";

/// Words that speak of what is to come.
const AHEAD: &str = "will ll shall gonna plan plans planning planned scheduled upcoming due deadline intend intends hope hopes hoping \
    want wants wanna must should need needs let todo expect expects expected tomorrow remember starts ends deadlines";

/// Irregular past forms, and auxiliaries of the past.
const PAST: &str = "was were born did didn had has been went got met made said told took saw came became began broke brought built bought \
    caught chose cut dealt drew drove ate fell felt found flew forgot gave grew heard held hurt kept knew led learnt \
    left lent lost meant paid put quit ran rang read rode rose sang sent set shot showed shut slept sold sought \
    spent spoke stood stole struck swam taught tore thought threw understood woke won wore wrote ago ve hit hid blew \
    fed sat";
