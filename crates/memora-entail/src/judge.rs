//! The verdict on a sentence: [`judge`].
//!
//! Facts decide first, wording last. In order: the premises' own words are `quoted`; a fact that disagrees makes it
//! `contradicted`; one that is nowhere, or words of which almost none is anywhere, `unsupported`; what follows by
//! [`crate::align`] is `verified`; all else `paraphrased`.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::align::{AlignmentTarget, alignable};
use crate::clause::find_turned_clause;
use crate::condition::conditional;
use crate::content::{self, Coverage};
use crate::contrary::contrary;
use crate::contrast::set_aside;
use crate::direction::{find_reversal, other_actor};
use crate::elsewhere::{Elsewhere, find_line};
use crate::exchange::find_swap;
use crate::frequency::other_frequency;
use crate::green::{TOKENS_MAX, has_open_date, has_their_signs, is_taken_back};
use crate::ideograph;
use crate::name::{missing_letters, missing_names};
use crate::parts::{split_clauses, strip_reporting_clause};
use crate::polarity::find_negation_flip;
use crate::premise::Premise;
use crate::quantity::{QuantityMatch, match_quantity, numbers};
use crate::quotation::missing_quotations;
use crate::quoted::is_quoted;
use crate::reason::{Reason, ReasonKind};
use crate::roles::swapped;
use crate::text::{Text, without_math};
use crate::turn::{Turn, turn};
use memora_nlp::language::Language;
use memora_nlp::language_detection::is_english;
use memora_nlp::number::Quantity;
use memora_nlp::time::Date;
use memora_nlp::token::TokenKind;

/// What was found for a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Its own words are the source's.
    Quoted,
    /// It follows from the cited words by rules that keep every fact.
    Verified,
    /// Every fact of it agrees with the cited words; the words are its own.
    Paraphrased,
    /// Something in it is in nothing that it cites.
    Unsupported,
    /// A fact of it disagrees.
    Contradicted,
}

impl Verdict {
    /// A stable word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Quoted => "quoted",
            Self::Verified => "verified",
            Self::Paraphrased => "paraphrased",
            Self::Unsupported => "unsupported",
            Self::Contradicted => "contradicted",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The verdict on a sentence, its score, and why.
#[derive(Clone, Debug)]
pub struct Judgement {
    verdict: Verdict,
    score: f32,
    is_covered: bool,
    reasons: Vec<Reason>,
    elsewhere: Vec<Elsewhere>,
}

impl Judgement {
    /// The judgement of the words of a whole premise, of which nothing need be asked.
    #[must_use]
    pub fn quoted() -> Self {
        Self { verdict: Verdict::Quoted, score: 1.0, is_covered: true, reasons: Vec::new(), elsewhere: Vec::new() }
    }

    /// The judgement of a sentence of which nothing is compared: it has no words, no premises, or too many words.
    fn unread(sentence: &Text, hypothesis: &str) -> Self {
        let reasons = vec![reason(sentence, ReasonKind::Content, 0..hypothesis.len(), None)];
        Self { verdict: Verdict::Unsupported, score: 0.0, is_covered: false, reasons, elsewhere: Vec::new() }
    }

    /// The verdict.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The share of the sentence that the premises bear out, from 0 to 1. It ranks; the verdict does not follow from it.
    #[must_use]
    pub fn score(&self) -> f32 {
        self.score
    }

    /// Whether no fact disagrees and every word with content, and every number, stands in the premises.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.is_covered
    }

    /// The facts that are not borne out, the most important first. Empty unless contradicted or unsupported.
    #[must_use]
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    /// The facts that the premises lack and their note has in another line.
    #[must_use]
    pub fn elsewhere(&self) -> &[Elsewhere] {
        &self.elsewhere
    }

    /// One line for a person to act on.
    #[must_use]
    pub fn explanation(&self) -> String {
        let plain = match self.verdict {
            Verdict::Quoted => "these are the note's own words",
            Verdict::Verified => "the note says this in nearly the same words",
            Verdict::Paraphrased => "every fact agrees with the note; the wording is not proven",
            Verdict::Unsupported | Verdict::Contradicted => "",
        };
        self.reasons.first().map_or_else(|| plain.to_owned(), Reason::explanation)
    }
}

/// Judges whether premises bear out a sentence, read together. Never panics on any text.
///
/// Without premises, or without words, a sentence is unsupported.
#[must_use]
pub fn judge(hypothesis: &str, premises: &[&Premise]) -> Judgement {
    judge_nested(hypothesis, premises, 0)
}

/// How many times a part of a sentence may be judged as a sentence, one within the other.
const PARTS_MAX: usize = 4;

fn judge_nested(hypothesis: &str, premises: &[&Premise], depth: usize) -> Judgement {
    let sentence = Text::read(&without_math(&without_answer(hypothesis)));
    let has_words = sentence.tokens.iter().any(|token| !matches!(token.kind, TokenKind::Mark(_)));
    if !has_words || premises.is_empty() {
        return Judgement::unread(&sentence, hypothesis);
    }
    let has_signs = has_their_signs(&sentence, premises);
    let is_said = has_signs && !is_taken_back(premises);
    if is_said && is_quoted(&sentence, premises) {
        return Judgement::quoted();
    }
    if sentence.tokens.len() > TOKENS_MAX {
        return Judgement::unread(&sentence, hypothesis);
    }
    let language = language_of(&sentence);
    let mut reasons = facts(&sentence, premises, language);
    let mut verified = false;
    if language == Language::English {
        let (follows, turn) = wording(&sentence, premises, &reasons);
        verified = follows && is_said && !has_open_date(premises) && !has_reckoned_number(&sentence, premises);
        if let Some(turn) = turn {
            let range = sentence.bytes(&turn.tokens);
            // What was only missing has something in its place.
            reasons.retain(|reason| reason.range != range);
            reasons.push(reason(&sentence, turn.kind, range, Some(turn.found)));
        }
    }
    if language == Language::English
        && !verified
        && !reasons.iter().any(|reason| reason.kind == ReasonKind::Negation)
        && let Some(opposed) = find_negation_flip(&sentence, premises)
    {
        reasons.push(reason(&sentence, ReasonKind::Negation, sentence.bytes(&opposed.tokens), Some(opposed.found)));
    }
    if language == Language::English
        && !verified
        && !reasons.iter().any(|reason| reason.kind == ReasonKind::Direction)
        && let Some(swapped) = swapped(&sentence, premises)
            .or_else(|| contrary(&sentence, premises))
            .or_else(|| set_aside(&sentence, premises))
            .or_else(|| conditional(&sentence, premises))
            .or_else(|| other_frequency(&sentence, premises))
    {
        reasons.push(reason(&sentence, swapped.kind, sentence.bytes(&swapped.tokens), Some(swapped.found)));
    }
    let mut elsewhere = Vec::new();
    reasons.retain(|reason| {
        let found = (!reason.is_contradiction()).then(|| find_line(reason, &sentence, premises)).flatten();
        let is_missing = found.is_none();
        elsewhere.extend(found);
        is_missing
    });
    if language == Language::English && !verified && reasons.is_empty() && elsewhere.is_empty() && depth < PARTS_MAX {
        verified = is_proven_in_parts(&sentence, premises, depth + 1);
    }
    let coverage = content::coverage(&sentence, premises);
    // Words of two languages are not compared.
    let is_comparable = || premises.iter().any(|premise| language_of(&premise.words) == language);
    if reasons.is_empty() && !verified && coverage.is_elsewhere() && is_comparable() {
        let range =
            sentence.tokens.first().map_or(0, |t| t.range.start)..sentence.tokens.last().map_or(0, |t| t.range.end);
        reasons.push(reason(&sentence, ReasonKind::Content, range, None));
    }
    reasons.sort_by_key(|reason| (!reason.is_contradiction(), reason.kind));
    // As they were written, signs of mathematics included.
    for reason in &mut reasons {
        reason.words = hypothesis.get(reason.range.clone()).unwrap_or_default().to_owned();
    }
    let verdict = match reasons.first() {
        Some(first) if first.is_contradiction() => Verdict::Contradicted,
        Some(_) => Verdict::Unsupported,
        // What has still to be done is quoted, or not proven.
        None if premises.iter().any(|premise| premise.is_open_task) => Verdict::Paraphrased,
        None if verified => Verdict::Verified,
        None => Verdict::Paraphrased,
    };
    let is_covered = reasons.is_empty()
        && elsewhere.is_empty()
        && (verdict == Verdict::Verified || coverage.share() >= 1.0 && !has_reckoned_number(&sentence, premises));
    Judgement { verdict, score: score(verdict, &coverage, reasons.len()), is_covered, reasons, elsewhere }
}

/// The language whose lists a text is read by.
fn language_of(text: &Text) -> Language {
    match Language::detect(&text.tokens) {
        Language::English if !is_english(&text.source) => Language::Other,
        language => language,
    }
}

/// A sentence whose answer to a question in front is blank: the *no* of `No: drift will not get it` denies nothing.
fn without_answer(hypothesis: &str) -> Cow<'_, str> {
    const ANSWERS: [&str; 5] = ["No", "Yes", "Nein", "Ja", "Nope"];
    let answered = ANSWERS.iter().find_map(|answer| {
        let rest = hypothesis.strip_prefix(answer)?;
        let mark = rest.chars().next().filter(|c| matches!(c, ':' | ',' | ';' | '—' | '–'))?;
        rest.strip_prefix(mark).filter(|rest| !rest.trim().is_empty())
    });
    match answered {
        Some(rest) => Cow::Owned(format!("{}{rest}", " ".repeat(hypothesis.len() - rest.len()))),
        None => Cow::Borrowed(hypothesis),
    }
}

/// Whether what follows a lead-in is proven, or both clauses of the sentence are, each by a statement of its own.
fn is_proven_in_parts(sentence: &Text, premises: &[&Premise], depth: usize) -> bool {
    let is_proven =
        |part: &str| matches!(judge_nested(part, premises, depth).verdict, Verdict::Quoted | Verdict::Verified);
    strip_reporting_clause(sentence).is_some_and(|rest| is_proven(&rest.source))
        || split_clauses(&sentence.source).into_iter().any(|parts| parts.into_iter().all(is_proven))
}

/// How many words a sentence may have that a note lacks, to be aligned with it: one fact that is changed, one verb.
const LACKS_MAX: usize = 3;

/// Whether the wording follows from one of the premises; else the one fact by which it does not.
fn wording(sentence: &Text, premises: &[&Premise], reasons: &[Reason]) -> (bool, Option<Turn>) {
    let Some(own) = alignable(sentence) else { return (false, None) };
    // Whatever has many words of its own is aligned with nothing.
    let targets: Vec<AlignmentTarget<'_>> = premises
        .iter()
        .filter_map(|premise| AlignmentTarget::new(premise))
        .filter(|target| target.note.lacks(&own) <= LACKS_MAX)
        .collect();
    if reasons.is_empty() && targets.iter().any(|target| target.entails(&own)) {
        return (true, None);
    }
    let token_at = |byte: usize| sentence.tokens.iter().position(|token| token.range.start >= byte);
    let places = [ReasonKind::Number, ReasonKind::Unit, ReasonKind::Date, ReasonKind::Time, ReasonKind::Name];
    let missing: Vec<Range<usize>> = reasons
        .iter()
        .filter(|reason| places.contains(&reason.kind))
        .filter_map(|reason| {
            Some(token_at(reason.range.start)?..token_at(reason.range.end).unwrap_or(sentence.tokens.len()))
        })
        .collect();
    if missing.len() < reasons.len() {
        return (false, None);
    }
    let turned = targets.iter().find_map(|target| turn(&own, target, &missing));
    let exchanged = || targets.iter().find_map(|target| find_swap(sentence, &own, target));
    (false, turned.or_else(|| if reasons.is_empty() { exchanged() } else { None }))
}

fn score(verdict: Verdict, coverage: &Coverage, reasons: usize) -> f32 {
    let missing = 0.8_f32.powi(i32::try_from(reasons).unwrap_or(i32::MAX).min(8));
    match verdict {
        Verdict::Quoted => 1.0,
        Verdict::Verified => 0.95,
        Verdict::Paraphrased => 0.1 + 0.8 * coverage.share(),
        Verdict::Unsupported => 0.6 * coverage.share() * missing,
        Verdict::Contradicted => 0.3 * coverage.share() * missing,
    }
}

fn reason(sentence: &Text, kind: ReasonKind, range: Range<usize>, found: Option<String>) -> Reason {
    let words = sentence.slice(&range).to_owned();
    Reason { kind, range, words, found }
}

/// Whether a number of a sentence stands in no premise, and only follows from others: as a sum, a difference or a share.
fn has_reckoned_number(sentence: &Text, premises: &[&Premise]) -> bool {
    let all = numbers(premises);
    let counted = sentence.quantities.iter().filter(|quantity| !quantity.weak);
    counted
        .map(|quantity| match_quantity(quantity, sentence, premises, &all))
        .any(|found| matches!(found, QuantityMatch::Derived))
}

/// The facts of a sentence that premises do not bear out.
fn facts(sentence: &Text, premises: &[&Premise], language: Language) -> Vec<Reason> {
    let mut found = Vec::new();
    let bytes = |tokens: &Range<usize>| sentence.bytes(tokens);
    let counted = !sentence.quantities.is_empty() || !sentence.dates.is_empty();
    let all = if counted { numbers(premises) } else { Vec::new() };
    for quantity in sentence.quantities.iter().filter(|quantity| !quantity.weak) {
        if let QuantityMatch::Missing(instead) = match_quantity(quantity, sentence, premises, &all) {
            let same = |other: &Quantity| (other.value - quantity.value).abs() < 1e-9 && other.unit.is_some();
            let is_unit = quantity.unit.is_some() && all.iter().any(same);
            let kind = if is_unit { ReasonKind::Unit } else { ReasonKind::Number };
            found.push(reason(sentence, kind, quantity.range.clone(), instead));
        }
    }
    for own in ideograph::counted(&sentence.source) {
        let stands = premises.iter().any(|p| p.raw_numbers.iter().any(|raw| (raw - own.value).abs() < 0.01));
        if !stands {
            let theirs = |premise: &Premise| {
                let source = premise.words.source.clone();
                let same = ideograph::counted(&source).into_iter().filter(|other| other.what == own.what);
                same.filter_map(|other| source.get(other.range).map(str::to_owned)).collect::<Vec<String>>()
            };
            let mut instead = premises.iter().map(|premise| theirs(premise)).collect::<Vec<_>>().concat();
            let only = instead.pop().filter(|_| instead.is_empty());
            found.push(reason(sentence, ReasonKind::Number, own.range, only));
        }
    }
    for date in &sentence.dates {
        let number = Quantity::from_year(date)
            .is_some_and(|q| !matches!(match_quantity(&q, sentence, premises, &all), QuantityMatch::Missing(_)));
        if !number && !date_stands(date, premises) {
            let instead = crate::place::other_date(date, sentence, premises);
            found.push(reason(sentence, ReasonKind::Date, date.range.clone(), instead));
        }
    }
    for clock in &sentence.clocks {
        let theirs = || premises.iter().flat_map(|premise| premise.texts()).flat_map(|text| &text.clocks);
        let hour = f64::from(clock.minutes / 60);
        let bare = clock.minutes % 60 == 0
            && premises
                .iter()
                .any(|p| p.raw_numbers.iter().any(|raw| (raw - hour).abs() < 0.01 || (raw + 12.0 - hour).abs() < 0.01));
        if !bare && !theirs().any(|other| clock.agrees_with(other)) {
            found.push(reason(sentence, ReasonKind::Time, clock.range.clone(), None));
        }
    }
    found.extend(missing_versions(sentence, premises, bytes));
    let letters = if language == Language::Other { Vec::new() } else { missing_letters(sentence, premises) };
    for missing in missing_names(sentence, premises, language).into_iter().chain(letters) {
        found.push(reason(sentence, ReasonKind::Name, bytes(&missing.tokens), missing.found));
    }
    for tokens in missing_quotations(sentence, premises) {
        found.push(reason(sentence, ReasonKind::Quotation, bytes(&tokens), None));
    }
    let turns = find_turned_clause(sentence, premises).into_iter();
    for turned in turns.chain(find_reversal(sentence, premises)).chain(other_actor(sentence, premises)) {
        found.push(reason(sentence, turned.kind, bytes(&turned.tokens), Some(turned.found)));
    }
    found
}

/// Versions, `0.8.0`, that no premise has.
fn missing_versions(
    sentence: &Text,
    premises: &[&Premise],
    bytes: impl Fn(&Range<usize>) -> Range<usize>,
) -> Vec<Reason> {
    let versions = |text: &Text| -> Vec<(usize, String)> {
        let is_version =
            |word: &str| word.split('.').count() > 2 && word.split('.').all(|part| part.parse::<u32>().is_ok());
        let places =
            text.tokens.iter().enumerate().map(|(at, token)| (at, token.lower.trim_start_matches('v').to_owned()));
        let is_date = |at: usize| text.is_fact.get(at) == Some(&true);
        places.filter(|(at, word)| is_version(word) && !is_date(*at)).collect()
    };
    let theirs: Vec<String> =
        premises.iter().flat_map(|p| p.texts()).flat_map(versions).map(|(_, version)| version).collect();
    let missing = versions(sentence).into_iter().filter(|(_, version)| !theirs.contains(version));
    let only = || theirs.first().filter(|first| theirs.iter().all(|other| other == *first)).cloned();
    missing.map(|(at, _)| reason(sentence, ReasonKind::Number, bytes(&(at..at + 1)), only())).collect()
}

fn date_stands(date: &Date, premises: &[&Premise]) -> bool {
    let raw =
        |value: u32| premises.iter().any(|p| p.raw_numbers.iter().any(|raw| (raw - f64::from(value)).abs() < 0.01));
    let theirs = || premises.iter().flat_map(|premise| &premise.dates);
    if theirs().any(|other| date.agrees_with(other)) {
        return true;
    }
    match (date.year, date.month, date.day) {
        (Some(year), None, None) => {
            let whole = u32::try_from(year).unwrap_or(0);
            raw(whole) || raw(whole % 100) || (date.decade && theirs().any(|other| date.agrees_with(other)))
        }
        // `the 10th` of a note is of some month; `Feb` beside it may be its.
        (_, Some(_), Some(day)) => {
            raw(day) && !theirs().any(|other| other.written && other.month.is_some() && other.day.is_some())
        }
        (_, Some(month), None) => raw(month) && theirs().all(|other| other.month.is_none()),
        _ => false,
    }
}
