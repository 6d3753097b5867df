//! Rules for German: whether a German sentence says in nearly the notes' words what they say.
//!
//! Clause by clause: each clause of the sentence must be one clause of theirs, in other forms (*hat geleitet* for *leitete*, *holt … ab* for
//! *abgeholt*) and another order as far as cases and prepositions allow. The one rule to know: **what is in one and not in the other
//! has to be on a list of what may be left out**; no word has to be known for it to be asked for.
//!
//! Deliberately not here: what words mean, but for a list of synonyms; quotation marks and foreign signs, which
//! are asked for in any language.

mod agree;
mod around;
mod cases;
mod clause;
mod dates;
mod leave;
mod numbers;
mod phrase;
mod pronoun;
mod same;
mod sentence;
mod stretch;
mod synonyms;
mod tense;
mod tokens;
mod verbs;
mod voice;
mod whose;
mod words;

use std::sync::OnceLock;

use memora_vault::TaskState;
pub(super) use words::{AMBIGUOUS, GERMAN};

use self::clause::{Sentence, sentence};
use self::same::is_same_word;
use self::sentence::{Source, best};
use self::tokens::{Kind, Token, tokens};
use self::verbs::{Reading, Tense, readings};
use self::words::{NEGATIONS, REMARKS, is_in, preposition};
use super::{Judgement, Reason, ReasonKind, TOKENS_MAX, reason};
use crate::draft::plain_sentences;

/// Words of a note, read as German once somebody asks.
#[derive(Default)]
pub(super) struct German(OnceLock<Read>);

struct Read {
    sentences: Vec<Sentence>,
    context: Vec<Vec<Token>>,
    /// Each word of both, with the ways to read it as a verb.
    forms: Vec<(Token, Vec<Reading>)>,
}

/// Words to read, with what is around them.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    pub(super) words: &'t str,
    /// Title, headings, and other names.
    pub(super) context: &'t [String],
    pub(super) task: Option<TaskState>,
    pub(super) read: &'t German,
}

impl Text<'_> {
    fn read(&self) -> &Read {
        self.read.0.get_or_init(|| {
            let mut sentences: Vec<Sentence> = plain_sentences(self.words).iter().map(|text| sentence(text)).collect();
            sentences.extend(pronoun::resolved(&sentences));
            let context: Vec<Vec<Token>> = self.context.iter().map(|text| tokens(text)).collect();
            let all = context.iter().flatten().chain(sentences.iter().flat_map(|s| &s.tokens));
            let split = sentences.iter().flat_map(|s| &s.clauses).flat_map(|c| &c.said);
            let split = split.filter(|s| s.is_verb()).map(|s| (s.token.clone(), s.readings.clone()));
            let forms = all.map(|token| (token.clone(), as_verb(token))).chain(split).collect();
            Read { sentences, context, forms }
        })
    }
}

/// Judges a German sentence by German words of notes.
pub(super) fn judge(text: &str, texts: &[Text<'_>], named_before: bool) -> Judgement {
    let own = sentence(text);
    if own.tokens.len() > TOKENS_MAX {
        return Judgement::of(0.0, vec![reason(ReasonKind::Length, "")]);
    }
    let reads: Vec<&Read> = texts.iter().map(Text::read).collect();
    let gone = missing(&own, &reads);
    let sources: Vec<Source<'_>> = texts
        .iter()
        .zip(&reads)
        .flat_map(|(text, read)| {
            let of = |sentence| Source { sentence, context: &read.context, task: text.task };
            read.sentences.iter().map(of).collect::<Vec<_>>()
        })
        .collect();
    let mut reasons = best(&own, &sources, named_before);
    if !gone.is_empty() {
        reasons.retain(|r| {
            matches!(r.kind, ReasonKind::Negation) || (r.kind == ReasonKind::Modality && !r.words.is_empty())
        });
        reasons.retain(|r| !gone.iter().any(|gone| gone.words.contains(&r.words) && !r.words.is_empty()));
        reasons.extend(gone);
    }
    let score = score(&own, &reads, &reasons);
    Judgement::of(score, reasons)
}

/// Words that no text has, in any form.
fn missing(own: &Sentence, reads: &[&Read]) -> Vec<Reason> {
    let gone = asked(own).filter(|token| !is_there(token, reads));
    let kind = |token: &Token| match token.kind {
        Kind::Number(_) => ReasonKind::Number,
        Kind::Date(_) | Kind::Weekday(_) => ReasonKind::Date,
        _ if NEGATIONS.contains(&token.lower) => ReasonKind::Negation,
        _ if is_opposed(token, reads) => ReasonKind::Opposite,
        _ => ReasonKind::Content,
    };
    gone.map(|token| reason(kind(token), &token.raw)).collect()
}

/// The words of a sentence that have to be found.
fn asked(own: &Sentence) -> impl Iterator<Item = &Token> {
    own.tokens.iter().filter(|token| {
        let is_little = preposition(&token.lower).is_some()
            || cases::is_article(&token.lower)
            || cases::possessive(&token.lower).is_some()
            || words::auxiliary(&token.lower).is_some()
            || REMARKS.contains(&token.lower)
            || words::PRONOUNS.contains(&token.lower)
            || words::PARTICLES.contains(&token.lower)
            || words::MODALS.contains(&token.lower)
            || is_in(
                "und sich weil da denn dass wenn falls obwohl während nachdem als ob beträgt lautet heisst",
                &token.lower,
            );
        match token.kind {
            Kind::Mark(mark) => !super::content::is_punctuation(mark),
            Kind::Word => !is_little || NEGATIONS.contains(&token.lower),
            Kind::Noun => !(token.initial && is_little),
            _ => true,
        }
    })
}

/// The ways to read a word as a verb; none of a noun.
fn as_verb(token: &Token) -> Vec<Reading> {
    let may_be = matches!(token.kind, Kind::Word) || token.initial && token.kind == Kind::Noun;
    let all = if may_be { readings(&token.lower) } else { Vec::new() };
    all.into_iter().filter(|r| r.tense != Tense::Plain).collect()
}

/// Whether a word stands there, or another form of the same verb.
fn is_there(token: &Token, reads: &[&Read]) -> bool {
    let forms = as_verb(token);
    let is_form = |b: &Reading| forms.iter().any(|a| is_same_verb(&a.stem, &b.stem));
    let mut all = reads.iter().flat_map(|read| &read.forms);
    all.any(|(theirs, verbs)| {
        is_same_word(token, theirs)
            || is_name_of(token, theirs)
            || is_name_of(theirs, token)
            || verbs.iter().any(is_form)
    })
}

/// Whether one is the name of whose something is: `Anna`, `Annas`.
fn is_name_of(name: &Token, whose: &Token) -> bool {
    (name.kind, whose.kind) == (Kind::Noun, Kind::Noun) && whose.lower.strip_suffix('s') == Some(name.lower.as_str())
}

/// Whether two stems are of one verb; the particle of one may stand apart in the other: `abhol` is `hol`.
fn is_same_verb(a: &str, b: &str) -> bool {
    let is_split = |whole: &str, stem: &str| {
        stem.chars().count() > 2 && whole.strip_suffix(stem).is_some_and(|front| words::PARTICLES.contains(front))
    };
    a == b || synonyms::are_verbs_alike(a, b) || is_split(a, b) || is_split(b, a)
}

/// Whether the opposite of a word stands there.
fn is_opposed(token: &Token, reads: &[&Read]) -> bool {
    let forms = |lower: &str, verbs: Vec<Reading>| -> Vec<String> {
        verbs.into_iter().map(|r| r.stem).chain([lower.to_owned()]).collect()
    };
    let own = forms(&token.lower, as_verb(token));
    reads.iter().flat_map(|read| &read.forms).any(|(theirs, verbs)| {
        let other = forms(&theirs.lower, verbs.clone());
        own.iter().any(|a| other.iter().any(|b| synonyms::are_opposed(a, b)))
    })
}

/// How much of a sentence is there, less for what is turned round.
fn score(own: &Sentence, reads: &[&Read], reasons: &[Reason]) -> f32 {
    let asked: Vec<&Token> = asked(own).collect();
    if asked.is_empty() {
        return 0.0;
    }
    let there = asked.iter().filter(|token| is_there(token, reads)).count() as f32 / asked.len() as f32;
    let turns = |r: &&Reason| {
        matches!(r.kind, ReasonKind::Negation | ReasonKind::Opposite | ReasonKind::Number | ReasonKind::Date)
    };
    let turned = reasons.iter().filter(turns).count().min(2) as f32;
    let most = if reasons.is_empty() { 0.95 } else { 0.8 };
    most * there / (1.0 + turned)
}

#[cfg(test)]
mod tests;
