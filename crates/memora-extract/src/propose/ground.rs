//! From a proposal to a claim of a statement, or to why not.

use std::collections::HashSet;

use memora_claim::time::validity;
use memora_claim::{Claim, Extractor, Holds, Modality, Passage, Phase, Statement};
use memora_vault::{Note, Zone};

use super::order::{Placed, Quoted};
use super::stance::{Stance, tells};
use super::words::{Folded, Word, bare, same, standing, words};
use super::{MODEL_CONFIDENCE, Proposal, Ungrounded};
use crate::Extract;
use crate::prose::{self, label_meant};
use crate::reading::{Reading, Subject};
use memora_nlp::language::is_english;

/// Statements of more bytes are no sentences, and comparing them would take longer than it is worth.
const TEXT_MAX: usize = 8 * 1024;

/// Makes a claim of a proposal.
///
/// 1. The quote stands in one statement of the passage, letter for letter but for white space and the form of quotation
///    marks. If it goes over several, the one that has most of its words counts, and the rest of it does not.
/// 2. The statement is as guarded as the passage, so that nothing that a model read beside it shows in the claim.
/// 3. Predicate and object stand there in order, and the subject before them; or the statement leans on its surroundings, and
///    the subject stands in those: the note's title or an alias, a heading, the parent, a sentence of the passage before it.
/// 4. No word was left out that denies the clause or says that it is only planned or possible. How it is meant, the rules say.
/// 5. The rules have not read the same.
pub(super) fn ground(extract: Extract<'_>, passage: &Passage<'_>, proposal: &Proposal) -> Result<Claim, Ungrounded> {
    let Home { number, statement, quote } = home(passage, &proposal.quote)?;
    let note = passage.note();
    if statement.band != passage.band() {
        return Err(Ungrounded::Guarded);
    }
    let rules = extract.facts(note, statement);
    if rules.is_empty() || rules.iter().any(Claim::is_taken_back) && !statement.rejected {
        return Err(Ungrounded::NotAsserted);
    }
    let own = words(&statement.words);
    let first = own.partition_point(|word| word.at.start < quote.start);
    let last = own.partition_point(|word| word.at.end <= quote.end);
    let quoted = Quoted { text: &statement.words, words: &own, quote: first..last.max(first) };
    let [subject, predicate, object] = [&proposal.subject, &proposal.predicate, &proposal.object].map(|p| words(p));
    if subject.is_empty() || predicate.is_empty() {
        return Err(Ungrounded::Malformed);
    }
    let placed = quoted.place(&subject, &predicate, &object)?;
    if placed.subject.is_none() && !stands_around(passage, number, &subject) {
        return Err(Ungrounded::Subject);
    }
    let stance = Stance::of(&quoted, &placed)?;
    if !is_english(&statement.words) && (0..own.len()).any(|word| !placed.covers(word)) {
        return Err(Ungrounded::LeftOut);
    }
    let mut claim = claim(note, statement, &quoted, &placed, proposal);
    claim.negated = stance.negated;
    meant(&mut claim, note, statement, &stance, &placed)?;
    related(&mut claim, extract);
    if rules.iter().any(|rule| say_the_same(rule, &claim, note)) {
        return Err(Ungrounded::Duplicate);
    }
    Ok(claim)
}

/// The statement that a quote is of.
struct Home<'n> {
    /// Which of the passage's.
    number: usize,
    statement: &'n Statement,
    /// The bytes of its words that were quoted.
    quote: std::ops::Range<usize>,
}

fn home<'n>(passage: &Passage<'n>, quote: &str) -> Result<Home<'n>, Ungrounded> {
    let text = passage.words();
    if text.len() > 16 * TEXT_MAX {
        return Err(Ungrounded::NotFound);
    }
    let wanted = Folded::of(quote).text;
    let wanted = wanted.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '…')).trim_end_matches('.');
    if !wanted.chars().any(char::is_alphanumeric) {
        return Err(Ungrounded::Malformed);
    }
    let mut found: Option<Home<'n>> = None;
    for place in Folded::of(&text).find(wanted) {
        let mut start = 0;
        let parts = passage.statements().iter().enumerate().map(|(number, statement)| {
            let range = start..start + statement.words.len();
            start = range.end + 1;
            let within = place.start.max(range.start)..place.end.min(range.end).max(range.start);
            let quote = within.start.min(range.end) - range.start..within.end - range.start;
            let held = statement.words.get(quote.clone()).map_or(0, |held| words(held).len());
            (held, Home { number, statement, quote })
        });
        // The first of those that hold most.
        let most = parts.rev_max();
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

/// The first of the greatest, where [`Iterator::max_by_key`] gives the last.
trait FirstMost: Iterator {
    fn rev_max<T>(self) -> Option<(usize, T)>
    where
        Self: Iterator<Item = (usize, T)> + Sized,
    {
        self.fold(None, |most, (held, this)| match most {
            Some((most, other)) if held <= most => Some((most, other)),
            _ => Some((held, this)),
        })
    }
}

impl<I: Iterator> FirstMost for I {}

/// Whether a name stands in what lends a statement its subject, as far as that is no more guarded than the statement.
fn stands_around(passage: &Passage<'_>, number: usize, name: &[Word]) -> bool {
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
    lending.any(|text| standing(bare(name), &words(text)).next().is_some())
}

/// The claim in the statement's own words.
fn claim(note: &Note, statement: &Statement, quoted: &Quoted<'_>, placed: &Placed, proposal: &Proposal) -> Claim {
    let text = |range: std::ops::Range<usize>| {
        let of = quoted.words.get(range).unwrap_or_default();
        let (Some(first), Some(last)) = (of.first(), of.last()) else { return String::new() };
        statement.words.get(first.at.start..last.at.end).unwrap_or_default().to_owned()
    };
    let predicate: Vec<String> = placed.predicate.iter().map(|i| text(*i..i + 1)).collect();
    // The title is filled in where the claim is shown, as of every claim whose subject is its note.
    let of_title = placed.subject.is_none() && same(&words(&proposal.subject), &words(note.title()));
    let subject = match &placed.subject {
        Some(own) => Some(text(own.clone())),
        None => Some(proposal.subject.clone()).filter(|_| !of_title),
    };
    let mut claim = Claim::new(statement.id, subject, &predicate.join(" "), &text(placed.object.clone()));
    claim.extractor = Extractor::Model;
    claim.confidence = MODEL_CONFIDENCE;
    claim
}

/// Says how a claim is meant: by the rules' reading of the same clause, by a label in front, by words around it. The strictest
/// counts, where they differ.
fn meant(
    claim: &mut Claim,
    note: &Note,
    statement: &Statement,
    stance: &Stance,
    placed: &Placed,
) -> Result<(), Ungrounded> {
    let readings = prose::readings_of(note, statement);
    let reading = same_clause(&readings, claim);
    let (from, until) = validity(&statement.words);
    claim.holds = Holds { from, until };
    claim.modality = stance.modality.unwrap_or(Modality::Asserted);
    if let Some(reading) = reading {
        if reading.negated && !claim.negated {
            return Err(Ungrounded::LostNegation);
        }
        if is_of_another(reading, claim, placed) {
            return Err(Ungrounded::Subject);
        }
        if reading.modality != Modality::Asserted {
            claim.modality = reading.modality;
        }
        claim.attribution.clone_from(&reading.attribution);
        claim.phase = if claim.negated { Phase::Steady } else { reading.phase };
        claim.holds = reading.holds;
    }
    if let Some(modality) = label_meant(&statement.words) {
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

/// The rules' reading of the clause that a claim is of: the same verb, and most of the same object.
fn same_clause<'r>(readings: &'r [Reading], claim: &Claim) -> Option<&'r Reading> {
    let verb = telling(&claim.predicate);
    let object = telling(&claim.object);
    let shared = |a: &HashSet<String>, b: &str| telling(b).intersection(a).count();
    let fits = readings.iter().filter(|reading| shared(&verb, &reading.predicate) > 0 || verb.is_empty());
    // The first of the best.
    let ranked =
        fits.map(|reading| (shared(&verb, &reading.predicate) * 2 + shared(&object, &reading.object), reading));
    ranked.rev_max().map(|(_, reading)| reading)
}

fn telling(text: &str) -> HashSet<String> {
    words(text).iter().filter_map(|word| tells(&word.folded)).collect()
}

/// Whether the rules say that somebody else does it.
fn is_of_another(reading: &Reading, claim: &Claim, placed: &Placed) -> bool {
    let (Subject::Named(theirs), Some(ours)) = (&reading.subject, &claim.subject) else { return false };
    let theirs = words(theirs);
    let shares = words(ours).iter().any(|word| theirs.iter().any(|other| other.folded == word.folded));
    // A name, and not "she" or "the project".
    let named = theirs.iter().any(|word| word.large && word.at.start > 0) || theirs.len() == 1 && theirs[0].large;
    let points = theirs.iter().any(|word| matches!(word.folded.as_str(), "he" | "she" | "it" | "they" | "we" | "i"));
    !shares && named && !points && (placed.subject.is_some() || reading.is_main)
}

/// Gives a claim its relation, as one that the rules read.
fn related(claim: &mut Claim, extract: Extract<'_>) {
    let possible =
        words(&claim.predicate).iter().any(|word| matches!(word.folded.as_str(), "can" | "could" | "may" | "might"));
    let relations = extract.relations();
    let relation = relations.of_clause(claim.subject.as_deref(), &claim.predicate, &claim.object, None);
    claim.relation = relation.filter(|_| !possible).map(|relation| relation.name.clone());
}

/// Whether two claims of a note say the same, but for articles and inflection.
#[must_use]
pub fn say_the_same(one: &Claim, other: &Claim, note: &Note) -> bool {
    let bases = |text: &str| -> Vec<String> {
        let all = words(text);
        bare(&all).iter().map(|word| crate::base(&word.folded)).collect()
    };
    let equal = |a: &str, b: &str| bases(a) == bases(b);
    one.id == other.id
        || one.id.statement() == other.id.statement()
            && equal(one.subject_at(note.title()), other.subject_at(note.title()))
            && equal(&one.predicate, &other.predicate)
            && equal(&one.object, &other.object)
}
