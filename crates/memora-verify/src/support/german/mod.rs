//! Rules for German: whether a German sentence says in nearly the notes' words what they say.
//!
//! Clause by clause: each clause of the sentence must be one clause of theirs, in other forms (*hat geleitet* for *leitete*, *holt … ab* for
//! *abgeholt*) and another order as far as cases and prepositions allow. The one rule to know: **what is in one and not in the other
//! has to be on a list of what may be left out**; no word has to be known for it to be asked for.
//!
//! Deliberately not here: what words mean, but for a short list of synonyms; passives of actives; quotation marks and foreign signs, which
//! are asked for in any language.

mod agree;
mod cases;
mod clause;
mod dates;
mod numbers;
mod phrase;
mod sentence;
mod synonyms;
mod tokens;
mod verbs;
mod words;

use std::sync::OnceLock;

use memora_vault::TaskState;
pub(super) use words::{AMBIGUOUS, GERMAN, is_in};

use self::agree::is_same_word;
use self::clause::{Sentence, sentence};
use self::sentence::{Source, best};
use self::tokens::{Kind, Token, tokens};
use self::verbs::{Tense, readings};
use self::words::{NEGATIONS, REMARKS, preposition};
use super::{Judgement, Reason, ReasonKind, TOKENS_MAX, reason};
use crate::draft::plain_sentences;

/// Words of a note, read as German once somebody asks.
#[derive(Default)]
pub(super) struct German(OnceLock<Read>);

struct Read {
    sentences: Vec<Sentence>,
    context: Vec<Vec<Token>>,
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
        self.read.0.get_or_init(|| Read {
            sentences: sentences(self.words).iter().map(|text| sentence(text)).collect(),
            context: self.context.iter().map(|text| tokens(text)).collect(),
        })
    }
}

/// The sentences of a text. `am 3. Mai` ends none.
fn sentences(words: &str) -> Vec<String> {
    const SHORT: [&str; 10] = ["ca", "Nr", "bzw", "Dr", "Hr", "Fr", "St", "Str", "inkl", "evtl"];
    let mut found: Vec<String> = Vec::new();
    for next in plain_sentences(words) {
        let goes_on = |before: &&mut String| {
            let word = before.trim_end_matches('.').rsplit(' ').next().unwrap_or_default();
            let is_day = word.len() < 3 && word.bytes().all(|b| b.is_ascii_digit()) && !word.is_empty();
            before.ends_with('.') && (next.starts_with(char::is_lowercase) || SHORT.contains(&word) || (is_day && dates::begins_with_month(&next)))
        };
        match found.last_mut().filter(goes_on) {
            Some(before) => *before = format!("{before} {next}"),
            None => found.push(next),
        }
    }
    found
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
        _ if is_in(NEGATIONS, &token.lower) => ReasonKind::Negation,
        _ if all(reads).any(|theirs| is_opposed(token, theirs)) => ReasonKind::Opposite,
        _ => ReasonKind::Content,
    };
    gone.map(|token| reason(kind(token), &token.raw)).collect()
}

/// The words of a sentence that have to be found.
fn asked(own: &Sentence) -> impl Iterator<Item = &Token> {
    own.tokens.iter().filter(|token| {
        let is_little = preposition(&token.lower).is_some()
            || cases::is_article(&token.lower)
            || words::auxiliary(&token.lower).is_some()
            || is_in(REMARKS, &token.lower)
            || is_in(words::PRONOUNS, &token.lower)
            || is_in(words::PARTICLES, &token.lower)
            || matches!(token.lower.as_str(), "und" | "sich" | "beträgt" | "lautet" | "heisst");
        match token.kind {
            Kind::Mark(mark) => !super::content::is_punctuation(mark),
            Kind::Word => !is_little || is_in(NEGATIONS, &token.lower),
            Kind::Noun => !(token.initial && is_little),
            _ => true,
        }
    })
}

fn all<'r>(reads: &[&'r Read]) -> impl Iterator<Item = &'r Token> {
    let texts = reads
        .iter()
        .flat_map(|read| read.context.iter().flatten().chain(read.sentences.iter().flat_map(|s| &s.tokens)));
    texts.collect::<Vec<_>>().into_iter()
}

fn is_there(token: &Token, reads: &[&Read]) -> bool {
    all(reads).any(|theirs| is_same_word(token, theirs) || is_form(token, theirs))
}

/// Whether two words are forms of one verb.
fn is_form(own: &Token, theirs: &Token) -> bool {
    let is_word = |t: &Token| matches!(t.kind, Kind::Word) || t.initial && t.kind == Kind::Noun;
    is_word(own) && is_word(theirs) && {
        let other = readings(&theirs.lower);
        let verbs = |r: &&verbs::Reading| r.tense != Tense::Plain;
        let is = |a: &verbs::Reading| {
            other.iter().filter(verbs).any(|b| {
                // The particle of one may stand apart in the other.
                a.stem == b.stem
                    || synonyms::are_verbs_alike(&a.stem, &b.stem)
                    || is_split(&a.stem, &b.stem)
                    || is_split(&b.stem, &a.stem)
            })
        };
        readings(&own.lower).iter().filter(verbs).any(is)
    }
}

/// `abhol` is `hol` with what may be split off.
fn is_split(whole: &str, stem: &str) -> bool {
    stem.chars().count() > 2 && whole.strip_suffix(stem).is_some_and(|front| is_in(words::PARTICLES, front))
}

fn is_opposed(own: &Token, theirs: &Token) -> bool {
    let forms = |token: &Token| -> Vec<String> {
        let stems = readings(&token.lower).into_iter().map(|r| r.stem);
        stems.chain([token.lower.clone()]).collect()
    };
    let other = forms(theirs);
    forms(own).iter().any(|a| other.iter().any(|b| synonyms::are_opposed(a, b)))
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
