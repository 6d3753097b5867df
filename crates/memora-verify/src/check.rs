//! Judges a draft: from text to verdicts.
//!
//! Three findings, kept apart: the citation is valid, the cited words support the sentence, the sentence has a
//! citation. The rules for a sentence, in order:
//!
//! 1. It has no content (only signs and citations), or says that nothing was found: exempt.
//! 2. One of its citations is redacted here: rejected, without being judged.
//! 3. No citation: a heading or question is exempt if the kept passages of its section cover it; otherwise uncited.
//! 4. No citation is valid: rejected.
//! 5. It is the words of a whole statement that it cites: quoted.
//! 6. The valid passages are judged together: quoted, verified, paraphrased, contradicted or unsupported
//!    ([`memora_entail`]). A kept table row is judged once more with the header of its table, whose facts apply to it.
//! 7. The header of a table with a kept row is exempt if it only names its columns.

use std::collections::HashMap;
use std::ops::Range;

use crate::citation::{CitationMarker, CitedQuote};
use crate::comparison::{has_words, is_same_words, normalize_spacing, normalized_words, to_comparable};
use crate::confusables::strip_invisible;
use crate::draft::{BlockKind, CitedWords, DraftCitation, DraftSentence, split_around_quotations};
use crate::evidence::{
    CitationFailure, CitationResolution, CitationVerdict, CitedPassage, Evidence, PlaceResolver, distinct_passages,
    judge_against_passages,
};
use crate::lists::{COLUMN_WORDS, NEGATION_WORDS, QUESTION_WORDS};
use crate::reference::{self, ReferenceResolver};
use crate::report::{
    CheckedCitation, CheckedReason, CheckedSentence, FactElsewhere, SentenceVerdict, VerificationReport, Wording,
};
use crate::stock_phrases::{is_generic_heading, is_question, states_nothing_found};
use memora_entail::{Elsewhere, Judgement, Reason, ReasonKind, Verdict};
use memora_nlp::Label;

/// Judges every sentence and citation of a text from outside, such as a model's reply: parses it, and judges its
/// [sentences](check_sentences). A text that cannot be parsed is uncited.
#[must_use]
pub fn check_draft(draft: &str, evidence: &dyn Evidence) -> VerificationReport {
    let mut found: HashMap<CitationMarker, CitationResolution> = HashMap::new();
    let sentences = split_around_quotations(draft, &mut |marker| cited_words(marker, evidence, &mut found));
    check_sentences(sentences, evidence)
}

/// Judges sentences with their citations: parsed ones, or [ours](DraftSentence::cite_words), which are judged alike.
///
/// Each distinct citation is looked up once. Nothing is read or opened here, and nothing fails. A link at the end of
/// a sentence that only repeats a name in it is left out of its words, like markup.
#[must_use]
pub fn check_sentences(sentences: Vec<DraftSentence>, evidence: &dyn Evidence) -> VerificationReport {
    let mut found: HashMap<CitationMarker, CitationResolution> = HashMap::new();
    let mut checked =
        judge_sentences(sentences, |sentence| look_up_citations(&sentence.citations, evidence, &mut found));
    for sentence in &mut checked {
        if let Some(said) = sentence.said.take() {
            sentence.text = said;
        }
    }
    VerificationReport::new(checked)
}

/// Judges a text like [`check_draft`], and also accepts footnotes, links and quotations as citations.
///
/// 1. `[^1]` cites the targets of the footnote's definition.
/// 2. `given` are citations passed beside the text, each with the bytes of the text that it belongs to.
/// 3. A sentence with none of these and no marker cites the targets of its wikilinks.
/// 4. A sentence without links cites the places of its quotations, if they are found.
///
/// Headings and questions cite only by markers, footnotes and `given`. A link or a quotation usually leads to
/// several statements: `reference` chooses those that a sentence is judged by.
#[must_use]
pub fn check_text(text: &str, given: &[(Range<usize>, CitedQuote)], places: &dyn PlaceResolver) -> VerificationReport {
    let mut found: HashMap<CitationMarker, CitationResolution> = HashMap::new();
    let mut reader = ReferenceResolver::new(places);
    let split = split_around_quotations(text, &mut |marker| cited_words(marker, places, &mut found));
    let checked = judge_sentences(reference::sentences_with_references(text, split, given), |sentence| {
        let mut citations = look_up_citations(&sentence.citations, places, &mut found);
        reader.resolve_references(sentence, &mut citations);
        // A link without a target is not a name, and may say anything.
        if sentence.bare.is_some() && !reader.has_only_valid_links(sentence) {
            sentence.bare = None;
        }
        citations
    });
    VerificationReport::new(checked)
}

fn judge_sentences(
    sentences: Vec<DraftSentence>,
    mut look_up: impl FnMut(&mut DraftSentence) -> Vec<CheckedCitation>,
) -> Vec<CheckedSentence> {
    let mut checked: Vec<CheckedSentence> = Vec::new();
    let mut head = String::new();
    for mut sentence in sentences {
        let citations = look_up(&mut sentence);
        let bare = sentence.bare.take().filter(|bare| bare.again && sentence.said.is_none() && has_words(&bare.text));
        let without_links = bare.map(|bare| (sentence_verdict(&bare.text, &citations), bare.text));
        let (verdict, judged) = match without_links {
            Some((found, text)) if found.0.is_kept() => {
                sentence.said = Some(text);
                found
            }
            _ => sentence_verdict(sentence.said.as_deref().unwrap_or(&sentence.text), &citations),
        };
        let (verdict, judged) = match sentence.kind {
            BlockKind::TableHead => {
                head.clone_from(&sentence.text);
                (verdict, judged)
            }
            BlockKind::Row if verdict.is_kept() => {
                check_row_with_head(&head, &sentence.text, &citations, (verdict, judged))
            }
            _ => (verdict, judged),
        };
        let letters = sentence.letters;
        let judged_words = to_comparable(sentence.said.as_deref().unwrap_or(&sentence.text));
        let place = |fact: &Reason| CheckedReason {
            fact: fact.clone(),
            range: letters.locate_range(&judged_words, &fact.range()),
        };
        let reasons = judged.iter().flat_map(Judgement::reasons).map(place).collect();
        checked.push(CheckedSentence {
            range: sentence.range,
            text: sentence.text,
            said: sentence.said,
            kind: sentence.kind,
            block: sentence.block,
            whole: sentence.whole,
            verdict,
            score: judged.as_ref().map(Judgement::score),
            reasons,
            wording: judged.as_ref().map(|judged| if judged.is_covered() { Wording::Close } else { Wording::Loose }),
            elsewhere: judged.as_ref().map(|judged| facts_elsewhere(judged, &citations)).unwrap_or_default(),
            letters,
            citations,
            model: None,
            evidence: None,
        });
    }
    mark_exempt(&mut checked);
    checked
}

/// Where the facts of a sentence stand that its cited words lack.
fn facts_elsewhere(judged: &Judgement, citations: &[CheckedCitation]) -> Vec<FactElsewhere> {
    let passages: Vec<&CitedPassage> = citations.iter().flat_map(|c| &c.passages).collect();
    let passages = distinct_passages(&passages);
    let place = |fact: &Elsewhere| {
        let note = passages.get(fact.premise())?.note().clone();
        Some(FactElsewhere { words: fact.words().to_owned(), note, line: (fact.line() > 0).then_some(fact.line()) })
    };
    judged.elsewhere().iter().filter_map(place).collect()
}

/// The words that a marker cites, if it is valid.
fn cited_words(
    marker: &CitationMarker,
    evidence: &dyn Evidence,
    found: &mut HashMap<CitationMarker, CitationResolution>,
) -> Option<CitedWords> {
    let CitationMarker::Id(id) = marker else { return None };
    match found.entry(marker.clone()).or_insert_with(|| evidence.resolve_id(id)) {
        CitationResolution::Resolved(passage) => {
            Some(CitedWords { words: passage.words().to_owned(), quote: passage.quote().to_owned() })
        }
        CitationResolution::Failed(_) => None,
    }
}

/// Resolves the markers among some citations.
fn look_up_citations(
    citations: &[DraftCitation],
    evidence: &dyn Evidence,
    found: &mut HashMap<CitationMarker, CitationResolution>,
) -> Vec<CheckedCitation> {
    let mut checked = Vec::with_capacity(citations.len());
    for citation in citations {
        let finding = found.entry(citation.marker.clone());
        let (verdict, passage) = match &citation.marker {
            CitationMarker::Id(id) => citation_verdict(finding.or_insert_with(|| evidence.resolve_id(id))),
            CitationMarker::Handle(handle) => {
                citation_verdict(finding.or_insert_with(|| evidence.resolve_handle(handle)))
            }
            CitationMarker::Link(_) | CitationMarker::Quote(_) => continue,
            CitationMarker::Malformed => (CitationVerdict::Malformed, None),
        };
        checked.push(CheckedCitation {
            range: citation.range.clone(),
            text: strip_invisible(&citation.text),
            marker: citation.marker.clone(),
            verdict,
            passages: passage.into_iter().collect(),
            places: 0,
        });
    }
    checked
}

fn citation_verdict(finding: &CitationResolution) -> (CitationVerdict, Option<CitedPassage>) {
    match finding {
        CitationResolution::Resolved(passage) if passage.has_moved() => (CitationVerdict::Moved, Some(passage.clone())),
        CitationResolution::Resolved(passage) => (CitationVerdict::Verified, Some(passage.clone())),
        CitationResolution::Failed(failure) => (CitationVerdict::Failed(*failure), None),
    }
}

fn sentence_verdict(sentence: &str, citations: &[CheckedCitation]) -> (SentenceVerdict, Option<Judgement>) {
    let redacted = CitationVerdict::Failed(CitationFailure::Redacted);
    if citations.iter().any(|c| c.verdict == redacted) {
        return (SentenceVerdict::Rejected, None);
    }
    if !has_words(sentence) || (citations.is_empty() && states_nothing_found(sentence)) {
        return (SentenceVerdict::Exempt, None);
    }
    if citations.is_empty() {
        return (SentenceVerdict::Uncited, None);
    }
    let passages: Vec<&CitedPassage> = citations.iter().flat_map(|c| &c.passages).collect();
    if passages.is_empty() {
        return (SentenceVerdict::Rejected, None);
    }
    // The words of a whole statement, before any rule is asked what they mean.
    let is_whole =
        |passage: &&CitedPassage| is_same_words(sentence, passage.words()) || is_same_words(sentence, passage.quote());
    let judged = match passages.iter().any(is_whole) {
        true => Judgement::quoted(),
        false => judge_against_passages(sentence, &passages),
    };
    let verdict = judged.verdict().into();
    (verdict, Some(judged))
}

/// Judges a table row together with its header: the row fails if it contradicts the header's facts, or lacks them.
fn check_row_with_head(
    head: &str,
    row: &str,
    citations: &[CheckedCitation],
    alone: (SentenceVerdict, Option<Judgement>),
) -> (SentenceVerdict, Option<Judgement>) {
    let cells: Vec<String> = head.split('|').zip(row.split('|')).map(|(head, cell)| format!("{head} {cell}")).collect();
    // The header's words are seldom in the notes; its figures and negations must be, if the row has no cell for them.
    let facts = [ReasonKind::Number, ReasonKind::Unit, ReasonKind::Date, ReasonKind::Time, ReasonKind::Negation];
    let is_fact = |judged: &Judgement| judged.reasons().iter().any(|reason| facts.contains(&reason.kind()));
    let readings = [normalize_spacing(&cells.join(", ")), format!("{head} | {row}")];
    let found: Vec<_> = readings.iter().map(|reading| sentence_verdict(reading, citations)).collect();
    // A fact of the header that only another line has proves nothing of the row, however it is worded.
    let is_elsewhere = |found: &(SentenceVerdict, Option<Judgement>)| {
        alone.0.is_proven() && found.1.as_ref().is_some_and(|judged| !judged.elsewhere().is_empty())
    };
    let is_denied =
        |found: &(SentenceVerdict, Option<Judgement>)| !found.0.is_kept() && found.1.as_ref().is_some_and(is_fact);
    match found.iter().position(is_denied).or_else(|| found.iter().position(is_elsewhere)) {
        Some(at) => found.into_iter().nth(at).unwrap_or(alone),
        None => alone,
    }
}

/// Whether a table header only names its columns: each word is a column word or occurs in the passages that the
/// rows rest on, and the header is neither negated nor a sentence.
fn is_column_header(head: &str, passages: &[&CitedPassage]) -> bool {
    let words = normalized_words(head);
    let named: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| !COLUMN_WORDS.contains(word) && word.chars().any(char::is_alphanumeric))
        .collect();
    let denies = words.iter().any(|word| NEGATION_WORDS.contains(word.as_str()));
    let is_sentence = head.split('|').any(is_clause);
    !denies && !is_sentence && (named.is_empty() || judge_against_passages(&named.join(" "), passages).is_covered())
}

/// Exempts headings and questions that add nothing to the kept passages of their section, and headings that only name a
/// part of the text.
fn mark_exempt(checked: &mut [CheckedSentence]) {
    // All questions of a section are judged against the same passages.
    let mut asked = (0..0, Vec::new());
    for at in 0..checked.len() {
        let sentence = &checked[at];
        let level = match sentence.kind {
            BlockKind::Heading(level) => Some(level),
            _ => None,
        };
        let is_table_head = sentence.kind == BlockKind::TableHead;
        let may_be = level.is_some() || is_table_head || is_question(&sentence.text);
        if sentence.verdict != SentenceVerdict::Uncited || !may_be {
            continue;
        }
        if is_table_head {
            let is_row = |row: &&CheckedSentence| row.kind == BlockKind::Row && row.whole == sentence.whole;
            let rows = checked.iter().filter(is_row).filter(|row| row.verdict.is_kept());
            let passages: Vec<&CitedPassage> =
                rows.flat_map(|row| row.citations.iter().flat_map(|c| &c.passages)).collect();
            if !passages.is_empty() && is_column_header(&sentence.text, &passages) {
                checked[at].verdict = SentenceVerdict::Exempt;
            }
            continue;
        }
        if level.is_some() && is_generic_heading(&sentence.text) {
            checked[at].verdict = SentenceVerdict::Exempt;
            continue;
        }
        let own;
        let passages = if level.is_some() {
            own = collect_kept_passages(checked, section_range(checked, at, level));
            &own
        } else {
            if !asked.0.contains(&at) {
                let section = section_range(checked, at, level);
                asked = (section.clone(), collect_kept_passages(checked, section));
            }
            &asked.1
        };
        let said = sentence.text.trim_end_matches(['?', '？', ':', ' ', '|']);
        let passages: Vec<&CitedPassage> = passages.iter().collect();
        // A heading of many words is a sentence, which may use the notes' words and say something else.
        let names = level.is_none() || normalized_words(said).len() <= HEADING_WORDS_MAX && !is_clause(said);
        let is_said = |judged: Judgement| match names {
            true => judged.is_covered(),
            false => matches!(judged.verdict(), Verdict::Quoted | Verdict::Verified),
        };
        if !passages.is_empty() && is_said(judge_against_passages(said, &passages)) {
            checked[at].verdict = SentenceVerdict::Exempt;
        }
    }
}

/// Whether a heading, or a column header, is a clause with a verb: "Bruno left Anna", but not "Why Bruno left".
fn is_clause(heading: &str) -> bool {
    let cut = memora_nlp::tokenize_treebank(heading, &[]);
    let words: Vec<&str> = cut.iter().filter_map(|place| heading.get(place.clone())).collect();
    let asks = words.first().is_some_and(|first| QUESTION_WORDS.contains(first.to_lowercase().as_str()));
    let tree = memora_nlp::DependencyParser::embedded().parse(&words);
    let has_subject = (0..tree.len()).any(|at| matches!(tree.label(at), Label::Nsubj | Label::NsubjPass));
    has_subject && !asks
}

/// Returns the passages that the kept sentences of a section rest on, without duplicates.
fn collect_kept_passages(checked: &[CheckedSentence], section: Range<usize>) -> Vec<CitedPassage> {
    let kept = checked.get(section).unwrap_or_default().iter().filter(|s| s.verdict.is_kept());
    let mut passages: Vec<CitedPassage> = Vec::new();
    for passage in kept.flat_map(|s| s.citations.iter().flat_map(|c| &c.passages)) {
        let same = |other: &CitedPassage| other.note() == passage.note() && other.span() == passage.span();
        if passages.len() < SECTION_PASSAGES_MAX && !passages.iter().any(same) {
            passages.push(passage.clone());
        }
    }
    passages
}

/// Returns the sentences of a heading's section, or of the section that contains a question.
fn section_range(checked: &[CheckedSentence], at: usize, level: Option<u8>) -> Range<usize> {
    let ends = |kind: BlockKind| match (kind, level) {
        (BlockKind::Heading(other), Some(own)) => other <= own,
        (BlockKind::Heading(_), None) => true,
        _ => false,
    };
    let end = (at + 1..checked.len()).find(|&i| ends(checked[i].kind)).unwrap_or(checked.len());
    let start = match level {
        Some(_) => at,
        None => (0..at).rev().find(|&i| ends(checked[i].kind)).unwrap_or(0),
    };
    start..end
}

/// A heading with more words is not a name for the text below it.
const HEADING_WORDS_MAX: usize = 5;

/// The maximum number of passages that a heading or a question is compared with.
const SECTION_PASSAGES_MAX: usize = 64;

#[cfg(test)]
mod tests;
