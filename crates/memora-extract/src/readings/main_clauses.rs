//! The main clauses of a sentence as written: subject, verb, and the rest in its order.
//!
//! Readings that split a sentence into its smallest facts lose the links between them: half of a list, a condition, one
//! of two alternatives. A claim has to be understandable alone, so a sentence is also read whole. Invariant: **subject,
//! predicate and object, read one after the other, are the words of the clause**, with the text before its subject as
//! a qualifier.

use std::ops::Range;

use memora_nlp::{Label, Upos};

use super::annotated_text::AnnotatedText;
use super::factuality::is_finite;
use super::modality::detect_modality;
use super::parsed_sentence::{ParsedSentence, expand_contractions};
use super::parsed_span::ParsedSpan;
use super::reading::{ReadingSubject, ReadingTokens, StatementReading};
use crate::clause::tree_query::{is_auxiliary_label, is_subject_label};
use crate::clause::{ClauseWord, VerbClause, find_clauses};
use crate::lists::{REFERRING_SUBJECTS, SENTENCE_CONJUNCTIONS};

/// The maximum number of adverbs between a subject and its verb.
const BETWEEN_MAX: usize = 5;

/// The maximum number of words of a subject.
const SUBJECT_MAX: usize = 14;

/// Reads the whole main clauses of a parsed text that name their subject.
pub(super) fn read_main_clauses(text: AnnotatedText<'_>, parsed: &ParsedSpan<'_>) -> Vec<StatementReading> {
    let words = parsed.as_sentence(text);
    let Some(root) = parsed.root() else { return Vec::new() };
    let found = find_clauses(&parsed.tree);
    let heads = find_main_verbs(words, root, &found);
    let starts: Vec<usize> = heads.iter().map(|head| clause_start(words, *head, root)).collect();
    let ends = starts.iter().skip(1).copied().chain([parsed.tree.len()]);
    let spans = starts.iter().copied().zip(ends.collect::<Vec<_>>());
    let read = heads.iter().zip(spans).filter_map(|(head, (start, end))| {
        let clause = found.iter().find(|clause| clause.verb == *head)?;
        read_as_written(words, clause, start..end)
    });
    read.collect()
}

/// Returns the verbs of the main clause and of coordinated clauses that name their own subject.
fn find_main_verbs(sentence: ParsedSentence<'_>, root: usize, clauses: &[VerbClause]) -> Vec<usize> {
    let grammar = sentence.grammar();
    let mut heads = vec![root];
    let mut at = 0;
    while let Some(&head) = heads.get(at) {
        let apart = |k: usize| {
            matches!(sentence.tree.label(k), Label::Conj | Label::Parataxis)
                && k > head
                && clauses.iter().any(|clause| clause.verb == k)
                && has_named_subject(sentence, k)
        };
        heads.extend(grammar.children(head).filter(|k| apart(*k)));
        at += 1;
    }
    heads.sort_unstable();
    heads
}

fn has_named_subject(sentence: ParsedSentence<'_>, verb: usize) -> bool {
    let subject = sentence.grammar().children(verb).find(|k| is_subject_label(sentence.tree.label(*k)));
    subject.is_some_and(|subject| !REFERRING_SUBJECTS.contains(sentence.tree.lower(subject)) && subject < verb)
}

/// Returns the first word of a clause, behind the words that join it to the one before.
fn clause_start(sentence: ParsedSentence<'_>, head: usize, root: usize) -> usize {
    if head == root { 0 } else { sentence.grammar().leftmost(head) }
}

/// Reads a clause with all words in its part of the sentence.
fn read_as_written(sentence: ParsedSentence<'_>, clause: &VerbClause, part: Range<usize>) -> Option<StatementReading> {
    let tree = sentence.tree;
    let grammar = sentence.grammar();
    let subject = grammar.children(clause.verb).find(|k| is_subject_label(tree.label(*k)))?;
    let expletive = grammar.children(clause.verb).any(|k| tree.label(k) == Label::Expl);
    let verb = grammar.first_child(clause.verb, Label::Cop).unwrap_or(clause.verb);
    let below = grammar.subtree(subject);
    let (first, last) = (*below.first()?, *below.last()?);
    let in_order = part.start <= first && last < verb && verb < part.end;
    if expletive || !in_order || REFERRING_SUBJECTS.contains(tree.lower(subject)) || sentence.range(subject).is_empty()
    {
        return None;
    }
    let subjects = trimmed_tokens(sentence, first..last + 1);
    let goes_with = |i: usize| {
        matches!(tree.upos(i), Upos::Aux | Upos::Adv | Upos::Part | Upos::Verb) || is_auxiliary_label(tree.label(i))
    };
    let between: Vec<usize> = (last + 1..verb).collect();
    if between.len() > BETWEEN_MAX || !between.iter().all(|i| goes_with(*i)) {
        return None;
    }
    let mut predicate = between;
    predicate.push(verb);
    let mut next = verb + 1;
    // "is run by", "set up", "is not": these words belong to the verb.
    let joins = |i: usize| {
        let denies = grammar.is_negation(i) && tree.head(i) == Some(clause.verb);
        let particle = tree.label(i) == Label::CompoundPrt;
        let preposition = tree.label(i) == Label::Case
            && tree.head(i).is_some_and(|noun| tree.head(noun) == Some(clause.verb) && noun != clause.verb);
        denies || particle || preposition
    };
    while next < part.end && joins(next) {
        predicate.push(next);
        next += 1;
    }
    let object = trimmed_tokens(sentence, next..part.end);
    let mut beside: Vec<Vec<usize>> = Vec::new();
    let front = trimmed_tokens(sentence, skip_joining_words(sentence, part.start..first));
    beside.extend(Some(front).filter(|words| !words.is_empty()));
    let meant = detect_modality(sentence, clause);
    let parts = [(part.start, first), (first, last + 1), (last + 1, next), (next, part.end)];
    let sound = parts.into_iter().all(|(start, end)| has_balanced_marks(sentence, start..end));
    let parted = is_subject_separated(sentence, part.start, first);
    let name = subjects.len() <= SUBJECT_MAX && !subjects.iter().any(|i| is_separator(sentence, *i));
    if meant.asserts_nothing || !is_finite(sentence, clause) || !sound || !parted || !name {
        return None;
    }
    let said: Vec<ClauseWord> = predicate.iter().copied().map(ClauseWord::Token).collect();
    Some(StatementReading {
        subject: ReadingSubject::Named(sentence.phrase(&subjects)),
        predicate: expand_contractions(&sentence.phrase_with_inserted(&said)),
        object: sentence.phrase(&object),
        qualifiers: beside.iter().map(|words| sentence.phrase(words)).filter(|words| !words.is_empty()).collect(),
        confidence: sentence.score_clause(clause, &subjects, &object, 0),
        parts: ReadingTokens::new(&subjects, &said, &object, &beside),
        ..sentence.new_reading(clause, &meant)
    })
}

/// Whether the text in front of a subject is separated from it: the subject begins the clause, or follows a comma
/// or a conjunction. A noun right before it belongs to it, even if attached elsewhere.
fn is_subject_separated(sentence: ParsedSentence<'_>, start: usize, first: usize) -> bool {
    let Some(before) = first.checked_sub(1).filter(|before| *before >= start) else { return true };
    let word = sentence.tree.lower(before);
    let adverb = before == start && sentence.tree.upos(before) == Upos::Adv && word != "when" && word != "where";
    sentence.tree.upos(before) == Upos::Punct && !matches!(word, "." | "(" | "-" | "/")
        || SENTENCE_CONJUNCTIONS.contains(word)
        || adverb
        || (start..=before).all(|i| sentence.is_time(i) || sentence.tree.upos(i) == Upos::Adp)
}

/// Whether brackets, quotation marks and formulas that open in a part close in it, and no sentence ends within.
fn has_balanced_marks(sentence: ParsedSentence<'_>, part: Range<usize>) -> bool {
    let words: Vec<&str> = part.clone().map(|i| sentence.text.get(sentence.range(i)).unwrap_or_default()).collect();
    let count = |marks: &[char]| words.iter().flat_map(|word| word.chars()).filter(|c| marks.contains(c)).count();
    let ends = |pair: &[&str]| {
        matches!(pair, [word, next] if word.len() > 3
            && word.ends_with(['.', '?', '!'])
            && next.starts_with(char::is_uppercase))
    };
    let stop = |three: &[&str]| {
        matches!(three, [word, mark, next] if word.len() > 3
            && matches!(*mark, "." | "?" | "!")
            && next.starts_with(char::is_uppercase))
    };
    count(&['(']) == count(&[')'])
        && count(&['[']) == count(&[']'])
        && count(&['“']) == count(&['”'])
        && count(&['"']) % 2 == 0
        && count(&['$']) % 2 == 0
        && !words.windows(2).any(ends)
        && !words.windows(3).any(stop)
}

/// Whether a token is a sign that does not occur in names.
fn is_separator(sentence: ParsedSentence<'_>, i: usize) -> bool {
    let word = sentence.text.get(sentence.range(i)).unwrap_or_default();
    matches!(word, ":" | ";" | "→" | "->" | "•" | "|" | "." | "!" | "?" | "=" | "…" | "...") || word.starts_with("http")
}

/// Returns a part without the leading words that join it to the text before.
fn skip_joining_words(sentence: ParsedSentence<'_>, part: Range<usize>) -> Range<usize> {
    let joins =
        |i: usize| sentence.tree.upos(i) == Upos::Punct || SENTENCE_CONJUNCTIONS.contains(sentence.tree.lower(i));
    let start = part.clone().find(|i| !joins(*i)).unwrap_or(part.end);
    start..part.end
}

fn trimmed_tokens(sentence: ParsedSentence<'_>, part: Range<usize>) -> Vec<usize> {
    let mut words: Vec<usize> = part.collect();
    sentence.grammar().trim_punctuation(&mut words);
    words
}
