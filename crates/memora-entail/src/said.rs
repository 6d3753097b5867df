//! What a text says, verb by verb, read off the trees of its sentences: [`Said`], who, what, and whether it is so.
//!
//! The one rule to know: **polarity is known or not said**: of two negations, a question, a condition, a contrast (`not X but
//! Y`), or of what a person only thinks, nothing is told. Deliberately not here: what follows from two of them
//! ([`crate::polarity`]).

use std::collections::HashSet;
use std::ops::Range;

use memora_nlp::{DependencyParser, DependencyTree, Label, Upos, WordSenses, Xpos};

use crate::lists::{
    CORRECTED_NEGATIONS, DENYING_VERBS, PAST_AUXILIARIES, PLAIN_AUXILIARIES, PRESENT_AUXILIARIES, REPORTING_VERBS,
    UNCERTAIN_POLARITY,
};
use crate::text::Text;
use memora_nlp::token::{Token, TokenKind};
use memora_nlp::word_lists::WordSet;

/// Whether it is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Polarity {
    Yes,
    No,
    Unknown,
}

/// When it is so, as far as its verb tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tense {
    Past,
    Present,
    Unknown,
}

/// What one verb, or what something is said to be, says. Tokens are those of the text.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) verb: usize,
    pub(crate) polarity: Polarity,
    pub(crate) tense: Tense,
    /// `can`, `should`, `will`; none if it is so outright.
    pub(crate) modal: Option<String>,
    pub(crate) subject: Vec<usize>,
    /// What it is done to; of a passive its subject.
    pub(crate) object: Vec<usize>,
    /// Heads of its adjuncts: time, place, manner, company.
    pub(crate) others: Vec<usize>,
    /// The first token that negates it.
    pub(crate) sign: Option<usize>,
    /// Whether it only tells which one is meant: `the one that he did not take`.
    pub(crate) restricts: bool,
    /// Its tokens, other clauses aside.
    pub(crate) range: Range<usize>,
}

/// Sentences longer than this are read too badly, in tokens.
const TOKENS_MAX: usize = 60;
/// Reads what each sentence of a text says.
pub(crate) fn said(text: &Text) -> Vec<Said> {
    let mut found = Vec::new();
    for (segment, asks) in text.pieces() {
        let tokens = text.tokens.get(segment.clone()).unwrap_or_default();
        if asks || tokens.len() > TOKENS_MAX || tokens.len() < 2 {
            continue;
        }
        let words: Vec<&str> = tokens.iter().map(|token| written(text, token)).collect();
        let name = |t: &Token| t.capital && !WordSenses::look_up(&t.lower).is_known();
        let names = tokens.iter().enumerate().filter(|(_, t)| t.kind == TokenKind::Word && name(t));
        let names: Vec<(usize, Upos, Xpos)> = names.map(|(at, _)| (at, Upos::Propn, Xpos::Nnp)).collect();
        let tree = DependencyParser::embedded().parse_with_tags(&words, &names);
        let reading = Reading { tree: &tree, tokens };
        let read = (0..tree.len()).filter_map(|at| reading.said(at));
        found.extend(read.map(|said| said.moved(segment.start)));
    }
    found
}

fn written<'t>(text: &'t Text, token: &'t Token) -> &'t str {
    if token.capital && !(token.initial && WordSenses::look_up(&token.lower).is_known()) {
        text.slice(&token.range)
    } else {
        &token.lower
    }
}

impl Said {
    /// The same with the tokens of the whole text.
    fn moved(mut self, start: usize) -> Self {
        let parts = [&mut self.subject, &mut self.object, &mut self.others];
        parts.into_iter().flatten().for_each(|at| *at += start);
        self.verb += start;
        self.sign = self.sign.map(|at| at + start);
        self.range = self.range.start + start..self.range.end + start;
        self
    }
}

struct Reading<'r> {
    tree: &'r DependencyTree<'r>,
    tokens: &'r [Token],
}

impl Reading<'_> {
    fn lower(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |t| t.lower.as_str())
    }

    fn children(&self, at: usize, labels: &[Label]) -> impl Iterator<Item = usize> + '_ {
        let labels = labels.to_vec();
        self.tree.children(at).iter().copied().filter(move |child| labels.contains(&self.tree.label(*child)))
    }

    fn is_in(&self, at: usize, stems: &HashSet<String>) -> bool {
        self.tokens.get(at).is_some_and(|token| stems.contains(&token.stem))
    }

    /// Whether a word says something of something: a verb, what something is said to be, or what there is none of.
    fn is_predicate(&self, at: usize) -> bool {
        let describes = matches!(self.tree.label(at), Label::Amod | Label::Compound | Label::Case | Label::Fixed);
        let verb = self.tree.upos(at) == Upos::Verb && !describes;
        verb || self.children(at, &[Label::Cop]).next().is_some() || self.is_none_of(at)
    }

    /// Whether a noun stands by itself behind a *no*: `no lift`.
    fn is_none_of(&self, at: usize) -> bool {
        let alone = self.tree.head(at).is_none()
            || matches!(self.tree.label(at), Label::Conj | Label::Parataxis | Label::Appos | Label::List);
        alone && self.tree.upos(at) == Upos::Noun && self.children(at, &[Label::Det]).any(|no| self.lower(no) == "no")
    }

    fn said(&self, at: usize) -> Option<Said> {
        if !self.is_predicate(at) {
            return None;
        }
        let subject: Vec<usize> = self.with_joined(self.children(at, &[Label::Nsubj]).collect());
        let passive = self.with_joined(self.children(at, &[Label::NsubjPass]).collect());
        let mut object = self.with_joined(self.children(at, &[Label::Obj]).collect());
        object.extend(passive);
        let agent = self.with_joined(self.children(at, &[Label::OblAgent]).collect());
        let subject = if subject.is_empty() { agent } else { subject };
        let subject = if subject.is_empty() { self.shared_subject(at) } else { subject };
        let others = self
            .children(at, &[Label::Obl, Label::OblUnmarked, Label::Iobj, Label::Xcomp, Label::Advmod, Label::Nmod])
            .chain(self.children(at, &[Label::CompoundPrt]))
            .filter(|child| self.tokens.get(*child).is_some_and(|t| t.is_content() || t.kind == TokenKind::Numeral))
            .collect();
        let (polarity, sign) = self.polarity(at);
        let range = self.range(at);
        let restricts = matches!(self.tree.label(at), Label::AclRelcl | Label::Acl);
        let modal = self
            .children(at, &[Label::Aux])
            .map(|aux| self.lower(aux).to_owned())
            .find(|aux| !PLAIN_AUXILIARIES.contains(aux.as_str()));
        Some(Said { verb: at, polarity, tense: self.tense(at), modal, subject, object, others, sign, restricts, range })
    }

    /// Words and those that are joined to them by *and*.
    fn with_joined(&self, words: Vec<usize>) -> Vec<usize> {
        let joined: Vec<usize> = words.iter().flat_map(|at| self.children(*at, &[Label::Conj])).collect();
        words.into_iter().chain(joined).collect()
    }

    /// The subject of the verb that a verb is joined to, or that governs it.
    fn shared_subject(&self, at: usize) -> Vec<usize> {
        if !matches!(self.tree.label(at), Label::Conj | Label::Xcomp) {
            return Vec::new();
        }
        let Some(head) = self.tree.head(at) else { return Vec::new() };
        self.with_joined(self.children(head, &[Label::Nsubj, Label::NsubjPass]).collect())
    }

    fn tense(&self, at: usize) -> Tense {
        let helpers: Vec<&str> =
            self.children(at, &[Label::Aux, Label::AuxPass, Label::Cop]).map(|child| self.lower(child)).collect();
        let any = |words: &WordSet<'_>| helpers.iter().any(|helper| words.contains(helper));
        // What has been done still is.
        if helpers.iter().any(|helper| matches!(*helper, "has" | "have")) {
            return Tense::Unknown;
        }
        if any(&PAST_AUXILIARIES) {
            return Tense::Past;
        }
        if any(&PRESENT_AUXILIARIES) {
            return Tense::Present;
        }
        match self.tree.xpos(at) {
            Xpos::Vbd => Tense::Past,
            Xpos::Vbz | Xpos::Vbp => Tense::Present,
            _ => Tense::Unknown,
        }
    }

    /// Whether it is so, and what negates it.
    fn polarity(&self, at: usize) -> (Polarity, Option<usize>) {
        let range = self.range(at);
        let tokens = self.tokens.get(range.clone()).unwrap_or_default();
        let own: Vec<usize> = range.filter(|i| self.belongs(*i, at)).collect();
        let unsure = own.iter().any(|i| UNCERTAIN_POLARITY.contains(self.lower(*i)));
        let contrasts =
            tokens.windows(2).any(|two| two[0].lower == "not" && CORRECTED_NEGATIONS.contains(two[1].lower.as_str()))
                || tokens.windows(2).any(|two| two[0].lower == "nothing" && two[1].lower == "but");
        // Where anything is left out of it, it is not certain of what.
        let limited =
            self.tokens.iter().any(|t| matches!(t.lower.as_str(), "except" | "unless" | "otherwise" | "instead"));
        if unsure || limited || contrasts || !self.is_outright(at) {
            return (Polarity::Unknown, None);
        }
        let mut signs: Vec<usize> = own.iter().copied().filter(|i| is_sign(self.lower(*i))).collect();
        // Of what else is negated than the verb and what it is done to, nothing is certain.
        let reaches = |i: &usize| {
            let head = self.tree.head(*i);
            let part = |head: usize| {
                self.tree.head(head) == Some(at)
                    && matches!(self.tree.label(head), Label::Obj | Label::Nsubj | Label::NsubjPass)
                    && self.lower(*i) == "no"
            };
            let itself = head == Some(at)
                && matches!(self.lower(*i), "nothing" | "nobody" | "none" | "no" | "not" | "never" | "without");
            let helped = head.is_some_and(|head| self.lower(head) == "longer" && self.tree.head(head) == Some(at));
            itself || helped || head.is_some_and(part)
        };
        if !signs.iter().all(reaches) {
            return (Polarity::Unknown, None);
        }
        // `failed to answer`: the verb is not so; what fails is.
        if let Some(head) = self.tree.head(at).filter(|_| self.tree.label(at) == Label::Xcomp)
            && self.is_in(head, &DENYING_VERBS)
        {
            let doubled = self.children(head, &[Label::Advmod]).any(|child| is_sign(self.lower(child)));
            if doubled {
                return (Polarity::Unknown, None);
            }
            signs.push(head);
        }
        match signs.as_slice() {
            [] => (Polarity::Yes, None),
            [one] => (Polarity::No, Some(*one)),
            _ => (Polarity::Unknown, None),
        }
    }

    /// Whether what a word says is said outright: not a thought or a wish, under no condition.
    fn is_outright(&self, at: usize) -> bool {
        let mut here = at;
        for _ in 0..self.tree.len() {
            let Some(head) = self.tree.head(here) else { return true };
            let marks = || self.children(here, &[Label::Mark, Label::Advmod]).map(|mark| self.lower(mark));
            let fine = match self.tree.label(here) {
                Label::Conj | Label::Parataxis | Label::AclRelcl | Label::List | Label::Appos => true,
                Label::Ccomp => {
                    self.is_in(head, &REPORTING_VERBS)
                        && !self.tree.children(head).iter().any(|i| is_sign(self.lower(*i)))
                }
                Label::Xcomp => here == at && self.is_in(head, &DENYING_VERBS),
                Label::Advcl => marks()
                    .any(|mark| matches!(mark, "because" | "since" | "while" | "although" | "though" | "as" | "so")),
                _ => false,
            };
            if !fine {
                return false;
            }
            here = head;
        }
        false
    }

    /// The clause head that a token belongs to.
    fn belongs(&self, token: usize, at: usize) -> bool {
        let mut here = token;
        for _ in 0..self.tree.len() {
            if here == at {
                return true;
            }
            if self.is_predicate(here) && !(self.tree.label(here) == Label::Xcomp && self.tree.head(here) == Some(at)) {
                return false;
            }
            match self.tree.head(here) {
                Some(head) => here = head,
                None => return false,
            }
        }
        false
    }

    fn range(&self, at: usize) -> Range<usize> {
        let own = || (0..self.tree.len()).filter(|i| self.belongs(*i, at));
        own().min().unwrap_or(at)..own().max().unwrap_or(at) + 1
    }
}

fn is_sign(lower: &str) -> bool {
    matches!(lower, "not" | "never" | "no" | "nobody" | "none" | "nothing" | "nowhere" | "without")
}
