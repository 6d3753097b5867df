//! Footnotes, links and quotations as citations: what `verify` parses beside markers.
//!
//! A marker names one statement; a link names a whole note. Invariant: **a sentence is not stitched together from
//! distant statements.** Of all statements in a link's target, a sentence is proven by one, or by two neighbours in the
//! same paragraph; several together make it a paraphrase at most. A quotation is judged by the statements that
//! contain its words.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::citation::{CitationMarker, CitedQuote};
use crate::comparison::normalized_words;
use crate::confusables::{is_cjk, strip_invisible};
use crate::draft::{BlockKind, DraftCitation, DraftSentence, plain_text};
use crate::evidence::{
    CitationFailure, CitationVerdict, CitedPassage, PlaceResolution, PlaceResolver, judge_against_passages,
};
use crate::lists::{NEGATING_WORDS, POINTER_WORDS, REPORTING_WORDS};
use crate::reference_links::{UnlinkedSentence, has_content_words, lowercase_words};
use crate::report::CheckedCitation;
use crate::source_map::range_union;
use crate::stock_phrases::is_question;
use memora_entail::{Verdict, is_function_word};

/// How many statements of a note are tried one at a time, those with most of the sentence's words.
const CANDIDATES_MAX: usize = 6;
/// How many statements of a linked place a sentence is judged by together.
const GATHERED_MAX: usize = 4;
/// How many content words a statement must share with a sentence, beside the fact that it is added for.
const SHARED_WORDS_MIN: usize = 2;
/// How many quotations without a citation are looked up in one text.
const QUOTES_MAX: usize = 2_000;
/// How many citations one reference to a footnote represents.
const FOOTNOTE_CITATIONS_MAX: usize = 16;
/// The maximum length of a citation's displayed text, in characters.
const SHOWN_CHARS_MAX: usize = 80;

/// Gives the sentences of a text all their citations: footnotes resolved, links after a sentence joined to it.
pub(crate) fn sentences_with_references(
    text: &str,
    sentences: Vec<DraftSentence>,
    given: &[(Range<usize>, CitedQuote)],
) -> Vec<DraftSentence> {
    let mut found = join_trailing_links(sentences);
    for (range, quote) in given {
        let citation = DraftCitation {
            range: range.clone(),
            text: quote.words.chars().take(SHOWN_CHARS_MAX).collect(),
            marker: CitationMarker::Quote(quote.clone()),
        };
        for sentence in &mut found {
            let shared = range.start.max(sentence.range.start)..range.end.min(sentence.range.end);
            if text.get(shared).is_some_and(|shared| shared.contains(char::is_alphanumeric)) {
                sentence.citations.push(citation.clone());
                if sentence.said.is_none() {
                    sentence.said = strip_attribution(text, sentence, range);
                }
            }
        }
    }
    let defined = collect_footnote_markers(&found);
    for sentence in &mut found {
        for (range, label) in &sentence.footnotes {
            for marker in defined.get(&label.to_lowercase()).into_iter().flatten() {
                let shown = text.get(range.clone()).unwrap_or_default().to_owned();
                sentence.citations.push(DraftCitation { range: range.clone(), text: shown, marker: marker.clone() });
            }
        }
    }
    found
}

/// Returns a sentence without the text before its first cited words, if that only attributes them: "According to
/// your notes, ".
fn strip_attribution(text: &str, sentence: &DraftSentence, cited: &Range<usize>) -> Option<String> {
    let lead = text.get(sentence.range.start..cited.start.max(sentence.range.start))?;
    let introduces = lowercase_words(lead)
        .all(|word| POINTER_WORDS.contains(word.as_str()) || REPORTING_WORDS.contains(word.as_str()));
    let rest = text.get(cited.start..sentence.range.end)?;
    (introduces && lead.contains(char::is_alphanumeric)).then(|| plain_text(rest))
}

/// Joins sentences that consist only of links to the sentence before in the same block, if that has no citation.
fn join_trailing_links(found: Vec<DraftSentence>) -> Vec<DraftSentence> {
    let mut joined: Vec<DraftSentence> = Vec::with_capacity(found.len());
    for sentence in found {
        let refers =
            sentence.citations.is_empty() && sentence.bare.as_ref().is_some_and(|bare| !has_content_words(&bare.text));
        match joined.last_mut() {
            Some(last) if refers && last.block == sentence.block && last.citations.is_empty() => {
                last.range = range_union(last.range.clone(), &sentence.range);
                last.links.extend(sentence.links);
                last.footnotes.extend(sentence.footnotes);
                let text = last.text.clone();
                last.bare.get_or_insert(UnlinkedSentence { text, apart: true, again: true });
            }
            _ => joined.push(sentence),
        }
    }
    joined
}

/// Returns the citations in each footnote's definition, by its label in lower case.
fn collect_footnote_markers(found: &[DraftSentence]) -> HashMap<String, Vec<CitationMarker>> {
    let mut defined: HashMap<String, Vec<CitationMarker>> = HashMap::new();
    for sentence in found {
        let Some(label) = &sentence.label else { continue };
        let markers = defined.entry(label.to_lowercase()).or_default();
        let mut cites: Vec<CitationMarker> =
            sentence.citations.iter().map(|citation| citation.marker.clone()).collect();
        if cites.is_empty() {
            cites.extend(sentence.links.iter().map(|link| link.citation.marker.clone()));
        }
        if cites.is_empty() {
            cites
                .extend(find_quotations(sentence).map(|words| CitationMarker::Quote(CitedQuote { words, note: None })));
        }
        for marker in cites {
            if markers.len() < FOOTNOTE_CITATIONS_MAX && !markers.contains(&marker) {
                markers.push(marker);
            }
        }
    }
    defined
}

/// Finds the quotations of a sentence: all of a block quote, or else the text in quotation marks. At least three words,
/// or six characters of a script without spaces: shorter ones occur everywhere.
fn find_quotations(sentence: &DraftSentence) -> impl Iterator<Item = String> + use<> {
    let mut found = Vec::new();
    let mut rest = sentence.text.as_str();
    while let Some((at, mark)) = rest.char_indices().find(|(_, c)| closing_marks(*c).is_some()) {
        let behind = rest.get(at + mark.len_utf8()..).unwrap_or_default();
        let Some(end) = behind.find(closing_marks(mark).unwrap_or_default()) else { break };
        found.push(behind.get(..end).unwrap_or_default().trim().to_owned());
        rest = behind.get(end..).and_then(|rest| rest.get(rest.chars().next()?.len_utf8()..)).unwrap_or_default();
    }
    if sentence.kind == BlockKind::Quote && !found.iter().any(|quote| is_long_enough(quote)) {
        found = vec![sentence.text.clone()];
    }
    found.into_iter().filter(|quote| is_long_enough(quote))
}

fn closing_marks(mark: char) -> Option<&'static [char]> {
    Some(match mark {
        '"' => &['"'],
        '“' => &['”'],
        '„' => &['“', '”'],
        '«' => &['»'],
        '»' => &['«'],
        '「' => &['」'],
        '『' => &['』'],
        _ => return None,
    })
}

/// Whether the cited words are in the note, but no longer count.
fn is_outdated(verdict: CitationVerdict) -> bool {
    matches!(verdict, CitationVerdict::Failed(CitationFailure::Superseded | CitationFailure::Withdrawn))
}

fn is_long_enough(quote: &str) -> bool {
    let words = quote.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
    words >= 3 || quote.chars().filter(|c| is_cjk(*c)).count() >= 6
}

/// Whether a sentence has nothing beside its quotation but an introduction: reporting words, and words of the
/// note's title or a heading, in lower case: "Bruno says" does not mean a note called Bruno.
fn is_mere_introduction(sentence: &str, quote: &str, passages: &[CitedPassage]) -> bool {
    let Some((before, behind)) = sentence.split_once(quote) else { return false };
    let context: Vec<&String> =
        passages.iter().flat_map(|passage| passage.context().iter().chain(passage.aliases())).collect();
    let named: HashSet<String> = context.iter().flat_map(|text| lowercase_words(text)).collect();
    let introduces = |word: &str| {
        let small = word.to_lowercase();
        let names = word == small && named.contains(word) && !NEGATING_WORDS.contains(word);
        names || POINTER_WORDS.contains(small.as_str()) || REPORTING_WORDS.contains(small.as_str())
    };
    let is_sign = |c: char| !c.is_alphanumeric();
    before.split(is_sign).chain(behind.split(is_sign)).filter(|word| !word.is_empty()).all(introduces)
}

/// Resolves citations other than markers, each place once.
pub(crate) struct ReferenceResolver<'p> {
    places: &'p dyn PlaceResolver,
    known: HashMap<CitationMarker, CachedPlace>,
    quotes: usize,
}

/// The target of a link or a quotation, with the keys of each passage, for ranking.
struct CachedPlace {
    place: PlaceResolution,
    keys: Vec<Vec<HashSet<String>>>,
}

/// The passages that a sentence is judged by, chosen from all that are cited.
#[derive(Default)]
struct BestPassages {
    passages: Vec<CitedPassage>,
    verdict: Option<Verdict>,
    score: f32,
}

impl<'p> ReferenceResolver<'p> {
    pub(crate) fn new(places: &'p dyn PlaceResolver) -> Self {
        Self { places, known: HashMap::new(), quotes: 0 }
    }

    /// Adds to a sentence's `citations` its footnotes, links and quotations, and removes links that only refer
    /// from its words.
    pub(crate) fn resolve_references(&mut self, sentence: &mut DraftSentence, citations: &mut Vec<CheckedCitation>) {
        for citation in &sentence.citations {
            let said = sentence.said.as_ref().unwrap_or(&sentence.text);
            citations.extend(self.look_up_citation(citation, said));
        }
        let asserts = !matches!(sentence.kind, BlockKind::Heading(_) | BlockKind::Code) && !is_question(&sentence.text);
        if !citations.is_empty() || !asserts {
            return;
        }
        if !sentence.links.is_empty() {
            self.resolve_links(sentence, citations);
            return;
        }
        for words in find_quotations(sentence) {
            self.quotes += 1;
            if self.quotes > QUOTES_MAX {
                break;
            }
            let text = format!("\"{}\"", words.chars().take(SHOWN_CHARS_MAX).collect::<String>());
            let marker = CitationMarker::Quote(CitedQuote { words: words.clone(), note: None });
            let citation = DraftCitation { range: sentence.range.clone(), text, marker };
            // A quotation that is not found cites nothing; one that is found but outdated is a citation.
            let counts = |verdict: CitationVerdict| verdict.is_valid() || is_outdated(verdict);
            let found = self.look_up_citation(&citation, &words).filter(|citation| counts(citation.verdict));
            // "The roadmap says "…"" asserts the words that it quotes.
            let introduced =
                found.as_ref().is_some_and(|found| is_mere_introduction(&sentence.text, &words, &found.passages));
            if citations.is_empty() && introduced {
                sentence.said = Some(words);
                citations.extend(found);
                return;
            }
            citations.extend(found.and_then(|_| self.look_up_citation(&citation, &sentence.text)));
        }
    }

    fn resolve_links(&mut self, sentence: &mut DraftSentence, citations: &mut Vec<CheckedCitation>) {
        let mut links: Vec<DraftCitation> = Vec::new();
        for link in &sentence.links {
            if !links.iter().any(|other| other.marker == link.citation.marker) {
                links.push(link.citation.clone());
            }
        }
        let read = |reader: &mut Self, text: &str| -> Vec<CheckedCitation> {
            links.iter().filter_map(|link| reader.look_up_citation(link, text)).collect()
        };
        let Some(bare) = sentence.bare.clone() else {
            citations.extend(read(self, &sentence.text));
            return;
        };
        let found = read(self, &bare.text);
        if !has_content_words(&bare.text) {
            // Names of notes alone say nothing, as long as they are names of notes.
            if found.iter().all(|citation| citation.verdict.is_valid()) {
                sentence.said = Some(String::new());
            }
            citations.extend(found);
            return;
        }
        let passages: Vec<&CitedPassage> = found.iter().flat_map(|citation| &citation.passages).collect();
        let verdict = (!passages.is_empty()).then(|| judge_against_passages(&bare.text, &passages).verdict());
        let is_said = verdict == Some(Verdict::Quoted)
            || bare.again && matches!(verdict, Some(Verdict::Verified | Verdict::Paraphrased));
        if bare.apart || is_said {
            sentence.said = Some(bare.text);
            citations.extend(found);
        } else {
            // A link at the end may be one of the sentence's words: "Anna was met by [[Bruno]]". If those words fail,
            // and a paraphrase without them is supported, they only name the note.
            let whole = read(self, &sentence.text);
            let fails = |found: &[CheckedCitation], text: &str| {
                let passages: Vec<&CitedPassage> = found.iter().flat_map(|citation| &citation.passages).collect();
                passages.is_empty() || !is_kept(judge_against_passages(text, &passages).verdict())
            };
            let lacks_object = normalized_words(&bare.text).last().is_some_and(|last| is_function_word(last));
            if verdict == Some(Verdict::Paraphrased) && !lacks_object && fails(&whole, &sentence.text) {
                sentence.said = Some(bare.text);
                citations.extend(found);
            } else {
                citations.extend(whole);
            }
        }
    }

    /// Whether each link of a sentence has a target, so that it is a name and nothing else.
    pub(crate) fn has_only_valid_links(&mut self, sentence: &DraftSentence) -> bool {
        let stands = |citation: CheckedCitation| citation.verdict.is_valid();
        sentence.links.iter().all(|link| self.look_up_citation(&link.citation, "").is_some_and(stands))
    }

    /// Resolves a link or a quotation; returns `None` for other citations.
    fn look_up_citation(&mut self, citation: &DraftCitation, sentence: &str) -> Option<CheckedCitation> {
        let places = self.places;
        let known = match &citation.marker {
            marker @ (CitationMarker::Link(_) | CitationMarker::Quote(_)) => {
                self.known.entry(marker.clone()).or_insert_with(|| CachedPlace::resolve_marker(marker, places))
            }
            CitationMarker::Id(_) | CitationMarker::Handle(_) | CitationMarker::Malformed => return None,
        };
        let is_quote = matches!(citation.marker, CitationMarker::Quote(_));
        let (verdict, passages, places) = match &known.place {
            PlaceResolution::Failed(failure) => (CitationVerdict::Failed(*failure), Vec::new(), 0),
            PlaceResolution::Resolved(parts) if is_quote => {
                (CitationVerdict::Verified, choose_place(sentence, parts), parts.len())
            }
            PlaceResolution::Resolved(parts) => {
                (CitationVerdict::Verified, choose_statements(sentence, parts, &known.keys), 0)
            }
        };
        let (range, text) = (citation.range.clone(), strip_invisible(&citation.text));
        Some(CheckedCitation { range, text, marker: citation.marker.clone(), verdict, passages, places })
    }
}

impl CachedPlace {
    fn resolve_marker(marker: &CitationMarker, places: &dyn PlaceResolver) -> Self {
        let place = match marker {
            CitationMarker::Link(link) => places.resolve_link(link),
            CitationMarker::Quote(quote) => places.resolve_quote(quote),
            CitationMarker::Id(_) | CitationMarker::Handle(_) | CitationMarker::Malformed => {
                PlaceResolution::Resolved(Vec::new())
            }
        };
        // A link or a quotation cites what it leads to, and leads to all that the sentence may rest on.
        let place = match place {
            PlaceResolution::Resolved(parts) => {
                PlaceResolution::Resolved(parts.into_iter().map(without_note_lines).collect())
            }
            failed @ PlaceResolution::Failed(_) => failed,
        };
        let keys = match &place {
            PlaceResolution::Resolved(parts) if matches!(marker, CitationMarker::Link(_)) => {
                parts.iter().map(|part| part.iter().map(|passage| match_keys(passage.words())).collect()).collect()
            }
            _ => Vec::new(),
        };
        Self { place, keys }
    }
}

impl BestPassages {
    /// Tries passages together; returns whether the result cannot be improved.
    ///
    /// Passages tried first share more of the sentence's words. If they contradict it, later ones count only if they
    /// prove the sentence.
    fn try_passages(&mut self, sentence: &str, passages: Vec<&CitedPassage>) -> bool {
        let judged = judge_against_passages(sentence, &passages);
        let rank = |verdict: Option<Verdict>| match verdict {
            None => 0,
            Some(Verdict::Unsupported) => 1,
            Some(Verdict::Paraphrased) => 2,
            Some(Verdict::Contradicted) => 3,
            Some(Verdict::Verified) => 4,
            Some(Verdict::Quoted) => 5,
        };
        let (known, found) = (rank(self.verdict), rank(Some(judged.verdict())));
        let is_better = match (self.verdict, judged.verdict()) {
            // The first is a paraphrase, and another place contradicts it: that is a different fact.
            (Some(Verdict::Paraphrased), Verdict::Contradicted) => false,
            _ => found > known || found == known && judged.score() > self.score,
        };
        if is_better {
            self.passages = passages.into_iter().cloned().collect();
            (self.verdict, self.score) = (Some(judged.verdict()), judged.score());
        }
        self.verdict == Some(Verdict::Quoted)
    }

    /// Adds statements from anywhere in the cited place until no fact is missing, [`GATHERED_MAX`] at most; changes
    /// nothing if that fails.
    ///
    /// Each addition shares content words with the sentence, beside those of the first unsupported fact, and leaves
    /// fewer facts unsupported; statements with that fact word for word come first. The result is a paraphrase at best.
    fn gather_passages(
        &mut self,
        sentence: &str,
        wanted: &HashSet<String>,
        parts: &[Vec<CitedPassage>],
        keys_of: &[Vec<HashSet<String>>],
    ) {
        let mut gathered = self.passages.clone();
        let mut judged = judge_against_passages(sentence, &gathered.iter().collect::<Vec<_>>());
        while gathered.len() < GATHERED_MAX {
            let Some(missing) = judged.reasons().first().map(|reason| match_keys(reason.words())) else { break };
            let mut found: Vec<(bool, usize, &CitedPassage)> = Vec::new();
            for (passage, words) in parts.iter().flatten().zip(keys_of.iter().flatten()) {
                let shared = wanted.intersection(words).filter(|key| !missing.contains(*key) && !is_function_word(key));
                let shared = shared.count();
                if shared >= SHARED_WORDS_MIN && !gathered.contains(passage) {
                    found.push((!missing.is_subset(words), shared, passage));
                }
            }
            found.sort_by_key(|(is_other, shared, passage)| {
                (*is_other, std::cmp::Reverse(*shared), passage.span().start())
            });
            let fewer = found.iter().take(CANDIDATES_MAX).find_map(|(_, _, passage)| {
                let with: Vec<&CitedPassage> = gathered.iter().chain([*passage]).collect();
                let again = judge_against_passages(sentence, &with);
                (again.reasons().len() < judged.reasons().len()).then(|| (again, (*passage).clone()))
            });
            let Some((again, passage)) = fewer else { break };
            gathered.push(passage);
            judged = again;
        }
        if judged.verdict() == Verdict::Paraphrased {
            self.passages = gathered;
            (self.verdict, self.score) = (Some(judged.verdict()), judged.score());
        }
    }

    fn is_supported(&self) -> bool {
        self.verdict.is_some_and(is_kept)
    }
}

/// Whether no fact is contradicted or missing.
fn without_note_lines(part: Vec<CitedPassage>) -> Vec<CitedPassage> {
    part.into_iter().map(CitedPassage::without_note_lines).collect()
}

fn is_kept(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Quoted | Verdict::Verified | Verdict::Paraphrased)
}

/// Chooses among the places of a quotation the first that supports the sentence, or else the first.
fn choose_place(sentence: &str, parts: &[Vec<CitedPassage>]) -> Vec<CitedPassage> {
    let mut chosen = BestPassages::default();
    for part in parts.iter().take(CANDIDATES_MAX) {
        if chosen.try_passages(sentence, part.iter().collect()) {
            break;
        }
    }
    chosen.passages
}

/// Chooses the statements of a link's target that a sentence is judged by.
///
/// 1. The statements with most of the sentence's words, one at a time: the one that the sentence quotes, else the first
///    that supports it.
/// 2. The same with the statement before or after it in the same block.
/// 3. The best of these with up to three more statements that have its missing facts: a paraphrase at most.
/// 4. The statement with most of the words, which does not support it.
fn choose_statements(
    sentence: &str,
    parts: &[Vec<CitedPassage>],
    keys_of: &[Vec<HashSet<String>>],
) -> Vec<CitedPassage> {
    let wanted = match_keys(sentence);
    let mut ranked: Vec<(usize, usize, usize)> = Vec::new();
    for (at, words) in keys_of.iter().enumerate() {
        for (number, words) in words.iter().enumerate() {
            ranked.push((wanted.intersection(words).count(), at, number));
        }
    }
    ranked.sort_by_key(|(shared, at, number)| (std::cmp::Reverse(*shared), *at, *number));
    ranked.truncate(CANDIDATES_MAX);
    let passage = |at: usize, number: usize| parts.get(at).and_then(|part| part.get(number));
    let mut chosen = BestPassages::default();
    for (_, at, number) in &ranked {
        if chosen.try_passages(sentence, passage(*at, *number).into_iter().collect()) {
            return chosen.passages;
        }
    }
    for (_, at, number) in &ranked {
        if chosen.is_supported() {
            break;
        }
        for first in [number.checked_sub(1), Some(*number)].into_iter().flatten() {
            if let (Some(one), Some(other)) = (passage(*at, first), passage(*at, first + 1)) {
                chosen.try_passages(sentence, vec![one, other]);
            }
        }
    }
    if chosen.verdict.is_some() && !chosen.is_supported() {
        chosen.gather_passages(sentence, &wanted, parts, keys_of);
    }
    chosen.passages
}

/// Returns keys for ranking: word prefixes in lower case, character bigrams in scripts without spaces.
fn match_keys(text: &str) -> HashSet<String> {
    const PREFIX_LETTERS: usize = 5;
    let mut keys = HashSet::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let letters: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
        if letters.iter().any(|c| is_cjk(*c)) {
            keys.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else {
            keys.insert(letters.iter().take(PREFIX_LETTERS).collect());
        }
    }
    keys
}

#[cfg(test)]
pub(crate) mod tests;
