//! Grounding: from a proposal to a claim of a statement, or to the reason to reject it.

use std::collections::HashSet;

use memora_claim::time::find_validity;
use memora_claim::{Claim, Extractor, Modality, Phase, Statement, TextBlock, ValidityExpr};
use memora_vault::{Note, Zone};

use super::compared_words::{ComparedWord, FoldedText, find_occurrences, has_same_words, split_words, without_article};
use super::modality::{WordingModality, content_key, denies_verb};
use super::proposal::{MODEL_CONFIDENCE, Proposal, Ungrounded};
use super::quoted_statement::{PlacedParts, QuotedStatement};
use crate::ClaimExtractor;
use crate::label::leading_label_modality;
use crate::lists::POINTING_SUBJECTS;
use crate::readings::{ReadingSubject, StatementReading};
use crate::sentence;
use memora_nlp::language_detection::is_english;

/// Statements of more bytes are not sentences, and comparing them would take too long.
const TEXT_MAX: usize = 8 * 1024;

/// Converts a proposal to a claim, if these conditions hold:
///
/// 1. The quote is in one statement of the passage, verbatim except for white space and the form of quotation
///    marks. If it spans several, the one with most of its words counts, and the rest of the quote is ignored.
/// 2. The statement is as strict as the passage, so that nothing that a model read beside it affects the claim.
/// 3. Predicate and object are there in order, and the subject before them; or the statement depends on its context,
///    with the subject in it: the note's title or an alias, a heading, the parent, an earlier sentence of the passage.
/// 4. No omitted word denies the clause or makes it only planned or possible. The rules determine the modality.
/// 5. The rules do not extract the same claim.
pub(super) fn ground_proposal(
    extract: ClaimExtractor<'_>,
    passage: &TextBlock<'_>,
    proposal: &Proposal,
) -> Result<Claim, Ungrounded> {
    let QuoteLocation { number, statement, quote } = locate_quote(passage, &proposal.quote)?;
    let note = passage.note();
    if statement.band != passage.band() {
        return Err(Ungrounded::Guarded);
    }
    let rules = extract.extract_facts(note, statement);
    if rules.is_empty() || rules.iter().any(Claim::is_withdrawn) && !statement.rejected {
        return Err(Ungrounded::NotAsserted);
    }
    let own = split_words(&statement.words);
    let first = own.partition_point(|word| word.at.start < quote.start);
    let last = own.partition_point(|word| word.at.end <= quote.end);
    let quoted = QuotedStatement { text: &statement.words, words: &own, quote: first..last.max(first) };
    let [subject, predicate, object] =
        [&proposal.subject, &proposal.predicate, &proposal.object].map(|p| split_words(p));
    if subject.is_empty() || predicate.is_empty() {
        return Err(Ungrounded::Malformed);
    }
    if subject.iter().any(|word| denies_verb(&word.folded)) {
        return Err(Ungrounded::LostNegation);
    }
    let placed = quoted.locate_parts(&subject, &predicate, &object)?;
    if placed.subject.is_none() && !is_in_surroundings(passage, number, &subject) {
        return Err(Ungrounded::Subject);
    }
    let stance = WordingModality::detect(&quoted, &placed)?;
    if !is_english(&statement.words) && (0..own.len()).any(|word| !placed.covers(word)) {
        return Err(Ungrounded::LeftOut);
    }
    let mut claim = build_claim(note, statement, &quoted, &placed, proposal);
    claim.negated = stance.negated;
    apply_modality(&mut claim, note, statement, &stance, &placed)?;
    assign_relation(&mut claim, extract);
    if rules.iter().any(|rule| is_equivalent_claim(rule, &claim, note)) {
        return Err(Ungrounded::Duplicate);
    }
    Ok(claim)
}

/// The statement that contains a quote.
struct QuoteLocation<'n> {
    /// The statement's index in the passage.
    number: usize,
    statement: &'n Statement,
    /// The quoted bytes of its words.
    quote: std::ops::Range<usize>,
}

fn locate_quote<'n>(passage: &TextBlock<'n>, quote: &str) -> Result<QuoteLocation<'n>, Ungrounded> {
    let text = passage.words();
    if text.len() > 16 * TEXT_MAX {
        return Err(Ungrounded::NotFound);
    }
    let wanted = FoldedText::fold(quote).text;
    let wanted = wanted.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '…')).trim_end_matches('.');
    if !wanted.chars().any(char::is_alphanumeric) {
        return Err(Ungrounded::Malformed);
    }
    let mut found: Option<QuoteLocation<'n>> = None;
    for place in FoldedText::fold(&text).find_source_ranges(wanted) {
        let mut start = 0;
        let parts = passage.statements().iter().enumerate().map(|(number, statement)| {
            let range = start..start + statement.words.len();
            start = range.end + 1;
            let within = place.start.max(range.start)..place.end.min(range.end).max(range.start);
            let quote = within.start.min(range.end) - range.start..within.end - range.start;
            let held = statement.words.get(quote.clone()).map_or(0, |held| split_words(held).len());
            (held, QuoteLocation { number, statement, quote })
        });
        // The first of those with the most words.
        let most = parts.first_max();
        let Some((1.., home)) = most else { continue };
        match &found {
            Some(other) if other.statement.id != home.statement.id => return Err(Ungrounded::Ambiguous),
            Some(_) => {}
            None => found = Some(home),
        }
    }
    let found = found.ok_or(Ungrounded::NotFound)?;
    if found.statement.words.len() > TEXT_MAX { Err(Ungrounded::NotFound) } else { Ok(found) }
}

/// Returns the first maximum, while [`Iterator::max_by_key`] returns the last.
trait FirstMaximum: Iterator {
    fn first_max<T>(self) -> Option<(usize, T)>
    where
        Self: Iterator<Item = (usize, T)> + Sized,
    {
        self.fold(None, |most, (held, this)| match most {
            Some((most, other)) if held <= most => Some((most, other)),
            _ => Some((held, this)),
        })
    }
}

impl<I: Iterator> FirstMaximum for I {}

/// Whether a name is in the context of a statement, in a part that is no stricter than the statement.
fn is_in_surroundings(passage: &TextBlock<'_>, number: usize, name: &[ComparedWord]) -> bool {
    let note = passage.note();
    let statements = passage.statements();
    let Some(statement) = statements.get(number) else { return false };
    let aliases = note.aliases().iter().filter(|alias| alias.band <= statement.band).map(|alias| alias.text.as_str());
    let before = statements.iter().take(number).filter(|before| before.band <= statement.band);
    let mut lending = [note.title(), note.subject()]
        .into_iter()
        .chain(aliases)
        .chain(statement.headings.iter().map(String::as_str))
        .chain(statement.parent.as_deref())
        .chain(before.map(|before| before.words.as_str()));
    lending.any(|text| find_occurrences(without_article(name), &split_words(text)).next().is_some())
}

/// Builds the claim in the statement's own words.
fn build_claim(
    note: &Note,
    statement: &Statement,
    quoted: &QuotedStatement<'_>,
    placed: &PlacedParts,
    proposal: &Proposal,
) -> Claim {
    let text = |range: std::ops::Range<usize>| {
        let of = quoted.words.get(range).unwrap_or_default();
        let (Some(first), Some(last)) = (of.first(), of.last()) else { return String::new() };
        statement.words.get(first.at.start..last.at.end).unwrap_or_default().to_owned()
    };
    let predicate: Vec<String> = placed.predicate.iter().map(|i| text(*i..i + 1)).collect();
    // The title is filled in when the claim is shown, as for every claim about its note.
    let of_title =
        placed.subject.is_none() && has_same_words(&split_words(&proposal.subject), &split_words(note.title()));
    let subject = match &placed.subject {
        Some(own) => Some(text(own.clone())),
        None => Some(proposal.subject.clone()).filter(|_| !of_title),
    };
    let mut claim = Claim::new(statement.id, subject, &predicate.join(" "), &text(placed.object.clone()));
    claim.extractor = Extractor::Model;
    claim.confidence = MODEL_CONFIDENCE;
    claim
}

/// Sets the modality of a claim: by the rules' reading of the same clause, by a label in front, by words around it. The
/// strictest wins.
fn apply_modality(
    claim: &mut Claim,
    note: &Note,
    statement: &Statement,
    stance: &WordingModality,
    placed: &PlacedParts,
) -> Result<(), Ungrounded> {
    let readings = sentence::collect_readings(note, statement);
    let reading = find_same_clause(&readings, claim);
    let (from, until) = find_validity(&statement.words);
    claim.holds = ValidityExpr { from, until };
    claim.modality = stance.modality.unwrap_or(Modality::Asserted);
    if let Some(reading) = reading {
        if reading.negated && !claim.negated {
            return Err(Ungrounded::LostNegation);
        }
        if has_other_subject(reading, claim, placed) {
            return Err(Ungrounded::Subject);
        }
        if reading.modality != Modality::Asserted {
            claim.modality = reading.modality;
        }
        claim.attribution.clone_from(&reading.attribution);
        claim.phase = if claim.negated { Phase::Steady } else { reading.phase };
        claim.holds = reading.holds;
    }
    if let Some(modality) = leading_label_modality(&statement.words) {
        claim.modality = modality;
    }
    if statement.rejected {
        claim.modality = Modality::Rejected;
    } else if statement.zone == Zone::Quote {
        claim.modality = Modality::Reported;
    }
    match claim.modality {
        Modality::Questioned => Err(Ungrounded::NotAsserted),
        _ => Ok(()),
    }
}

/// Returns the rules' reading of the same clause: the same verb, and most of the same object.
fn find_same_clause<'r>(readings: &'r [StatementReading], claim: &Claim) -> Option<&'r StatementReading> {
    let verb = content_keys(&claim.predicate);
    let object = content_keys(&claim.object);
    let shared = |a: &HashSet<String>, b: &str| content_keys(b).intersection(a).count();
    let fits = readings.iter().filter(|reading| shared(&verb, &reading.predicate) > 0 || verb.is_empty());
    // The first of the best.
    let ranked =
        fits.map(|reading| (shared(&verb, &reading.predicate) * 2 + shared(&object, &reading.object), reading));
    ranked.first_max().map(|(_, reading)| reading)
}

fn content_keys(text: &str) -> HashSet<String> {
    split_words(text).iter().filter_map(|word| content_key(&word.folded)).collect()
}

/// Whether the rules' reading has another subject.
fn has_other_subject(reading: &StatementReading, claim: &Claim, placed: &PlacedParts) -> bool {
    let (ReadingSubject::Named(theirs), Some(ours)) = (&reading.subject, &claim.subject) else { return false };
    let theirs = split_words(theirs);
    let shares = split_words(ours).iter().any(|word| theirs.iter().any(|other| other.folded == word.folded));
    // A name, and not "she" or "the project".
    let named = theirs.iter().any(|word| word.large && word.at.start > 0) || theirs.len() == 1 && theirs[0].large;
    let points = theirs.iter().any(|word| POINTING_SUBJECTS.contains(word.folded.as_str()));
    !shares && named && !points && (placed.subject.is_some() || reading.is_main)
}

/// Sets the relation of a claim, as for one read by the rules.
fn assign_relation(claim: &mut Claim, extract: ClaimExtractor<'_>) {
    let possible = split_words(&claim.predicate)
        .iter()
        .any(|word| matches!(word.folded.as_str(), "can" | "could" | "may" | "might"));
    let relations = extract.relations();
    let relation = relations.find_for_clause(claim.subject.as_deref(), &claim.predicate, &claim.object, None);
    claim.relation = relation.filter(|_| !possible).map(|relation| relation.name.clone());
}

/// Whether two claims of a note are equal, except for articles and inflection.
#[must_use]
pub fn is_equivalent_claim(one: &Claim, other: &Claim, note: &Note) -> bool {
    let bases = |text: &str| -> Vec<String> {
        let all = split_words(text);
        without_article(&all).iter().map(|word| crate::base_form(&word.folded)).collect()
    };
    let equal = |a: &str, b: &str| bases(a) == bases(b);
    one.id == other.id
        || one.id.statement() == other.id.statement()
            && equal(one.subject_or_title(note.title()), other.subject_or_title(note.title()))
            && equal(&one.predicate, &other.predicate)
            && equal(&one.object, &other.object)
}
