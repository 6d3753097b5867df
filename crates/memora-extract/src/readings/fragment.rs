//! Lines without a verb: "Knee still swollen", "room booked", "Cheap, loud", "12 riders, 3 punctures".
//!
//! The omitted verb is "is" or "has", the only words that are ever inserted. A bare noun states nothing; a count, a
//! negation or a description does.

use memora_nlp::{Label, Upos, Xpos};

use super::parsed_sentence::ParsedSentence;
use super::reading::{ReadingContext, ReadingSubject, ReadingTokens, StatementReading};
use super::validity::phrase_validity;
use crate::clause::ClauseKind;
use crate::clause::confidence::{TupleFeatures, score_tuple};
use crate::clause::tree_query::{PhraseExtent, is_subject_label};
use crate::lists::{STATE_ADVERBS, STATE_ENDINGS, STATE_PREPOSITIONS};

/// Returns the readings of a line without a clause.
pub(super) fn read_fragment(sentence: ParsedSentence<'_>, place: ReadingContext<'_>) -> Vec<StatementReading> {
    let Some(root) = (0..sentence.tree.len()).find(|i| sentence.tree.label(*i) == Label::Root) else {
        return Vec::new();
    };
    let grammar = sentence.grammar();
    if let Some(subject) = grammar.children(root).find(|k| is_subject_label(sentence.tree.label(*k))) {
        // A verb with an object is a clause that could not be read; "we ready" is not a plausible line.
        let acts = sentence.tree.upos(root) == Upos::Verb
            && grammar.has_child(root, |label| matches!(label, Label::Obj | Label::Mark))
            || grammar.has_child(root, |label| matches!(label, Label::Cop | Label::Aux));
        let state = !acts && sentence.tree.upos(subject) != Upos::Pron;
        return read_description(sentence, root, Some(subject)).filter(|_| state).into_iter().collect();
    }
    if let Some(reading) = read_trailing_participle(sentence, root).or_else(|| read_location(sentence, root)) {
        return vec![reading];
    }
    if !place.lends {
        return Vec::new();
    }
    let heads = find_listed_heads(sentence, root);
    heads.into_iter().filter_map(|head| read_about_context(sentence, head)).collect()
}

/// Returns the heads of a list: conjuncts, list items, or words in sequence.
fn find_listed_heads(sentence: ParsedSentence<'_>, root: usize) -> Vec<usize> {
    let mut heads = vec![root];
    let mut at = 0;
    while let Some(&head) = heads.get(at) {
        let next = sentence.grammar().children(head).filter(|k| {
            matches!(sentence.tree.label(*k), Label::Conj | Label::List | Label::Parataxis)
                || sentence.tree.label(*k) == Label::Appos && sentence.grammar().follows_comma(*k)
        });
        heads.extend(next);
        at += 1;
    }
    heads.sort_unstable();
    heads
}

/// Returns the reading of a line about the subject of its context.
fn read_about_context(sentence: ParsedSentence<'_>, head: usize) -> Option<StatementReading> {
    let tree = sentence.tree;
    match tree.upos(head) {
        Upos::Adj => read_description(sentence, head, None),
        Upos::Noun | Upos::Propn | Upos::Num | Upos::Sym => read_counted(sentence, head),
        _ => None,
    }
}

/// Returns the reading `subject | is | description`.
fn read_description(sentence: ParsedSentence<'_>, head: usize, subject: Option<usize>) -> Option<StatementReading> {
    let grammar = sentence.grammar();
    let named = subject.map(|subject| grammar.noun_phrase(subject, PhraseExtent::Whole)).unwrap_or_default();
    let mut object = grammar.subtree_without(head, |k| {
        Some(k) == subject
            || matches!(
                sentence.tree.label(k),
                Label::Conj | Label::Cc | Label::List | Label::Parataxis | Label::Appos | Label::Advcl | Label::Punct
            )
    });
    grammar.trim_punctuation(&mut object);
    // "Important" alone, with a capital, is a heading.
    let adverb = object.first().is_some_and(|i| sentence.tree.lower(*i).ends_with("ly")) && object.len() > 1;
    let heading = adverb && object.iter().all(|i| sentence.tree.upos(*i) != Upos::Adj)
        || named.is_empty() && sentence.tree.len() == 1 && sentence.tree.word(head) != sentence.tree.lower(head);
    if heading {
        return None;
    }
    let subject =
        if named.is_empty() { ReadingSubject::FromContext } else { ReadingSubject::Named(sentence.phrase(&named)) };
    build_reading(sentence, subject, &named, "is", &object, head)
}

/// Returns the reading `context | has | 12 riders`: a count, or an absence.
fn read_counted(sentence: ParsedSentence<'_>, head: usize) -> Option<StatementReading> {
    let grammar = sentence.grammar();
    let object = grammar.noun_phrase(head, PhraseExtent::One);
    let noun = object.iter().position(|i| matches!(sentence.tree.upos(*i), Upos::Noun | Upos::Propn));
    // A number behind a noun is part of a name: "Stalker 162".
    let counts = object.iter().take(noun.unwrap_or(0)).any(|i| {
        sentence.tree.upos(*i) == Upos::Num
            || sentence.tree.lower(*i) == "no"
            || matches!(sentence.tree.lower(*i), "several" | "many" | "few")
    });
    let is_noun = object.iter().any(|i| matches!(sentence.tree.upos(*i), Upos::Noun | Upos::Propn));
    let is_amount = sentence.tree.upos(head) == Upos::Num
        && sentence.range(head).len() > sentence.tree.word(head).len()
        && !sentence.is_time(head);
    if is_amount {
        return build_reading(sentence, ReadingSubject::FromContext, &[], "is", &object, head);
    }
    let plain = object.iter().all(|i| {
        !matches!(sentence.tree.upos(*i), Upos::Verb | Upos::Adv | Upos::Punct) || sentence.tree.lower(*i) == "only"
    });
    (counts && is_noun && plain && object.len() <= 8)
        .then(|| build_reading(sentence, ReadingSubject::FromContext, &[], "has", &object, head))
        .flatten()
}

/// Reads a short name with a participle of its state: "room booked", "catering not yet confirmed".
pub(super) fn read_state(sentence: ParsedSentence<'_>) -> Option<StatementReading> {
    let tree = sentence.tree;
    let beside = |i: usize| tree.upos(i) == Upos::Punct || sentence.is_time(i) || STATE_ENDINGS.contains(tree.lower(i));
    let last = (0..tree.len()).rev().find(|i| !beside(*i))?;
    let ended = sentence.text.trim_end().ends_with(['.', '!', '?']);
    let participle = matches!(tree.xpos(last), Xpos::Vbn | Xpos::Vbd)
        && (tree.lower(last).ends_with("ed") || tree.lower(last).ends_with("en"))
        || matches!(tree.upos(last), Upos::Adj);
    let adverb = |i: usize| STATE_ADVERBS.contains(tree.lower(i));
    let start = (0..last).rev().take_while(|i| adverb(*i)).last().unwrap_or(last);
    let name: Vec<usize> = (0..start).collect();
    let noun = name.last().is_some_and(|i| tree.upos(*i) == Upos::Noun || tree.xpos(*i) == Xpos::Vbg);
    let plain = |i: &usize| {
        matches!(tree.upos(*i), Upos::Noun | Upos::Propn | Upos::Adj | Upos::Det | Upos::Num)
            || tree.xpos(*i) == Xpos::Vbg
    };
    if ended || !participle || !noun || name.len() > 4 || !name.iter().all(plain) {
        return None;
    }
    let object: Vec<usize> =
        (start..tree.len()).filter(|i| tree.upos(*i) != Upos::Punct && !sentence.is_time(*i)).collect();
    build_reading(sentence, ReadingSubject::Named(sentence.phrase(&name)), &name, "is", &object, last)
}

/// Reads an observation of a thing and its place: "password on the fridge", "boiler at 93 °C".
fn read_location(sentence: ParsedSentence<'_>, root: usize) -> Option<StatementReading> {
    let tree = sentence.tree;
    let grammar = sentence.grammar();
    let place = grammar.children(root).filter(|k| *k > root && tree.label(*k) == Label::Nmod).last()?;
    let preposition = grammar.preposition(place);
    let fits = preposition.first().is_some_and(|p| STATE_PREPOSITIONS.contains(tree.lower(*p)));
    let name = grammar.noun_phrase_without(root, PhraseExtent::Whole, Some(place));
    let object = grammar.noun_phrase(place, PhraseExtent::Whole);
    let all = name.len() + preposition.len() + object.len();
    let words = (0..tree.len()).filter(|i| tree.upos(*i) != Upos::Punct).count();
    let observed = tree.word(0) == tree.lower(0) && !sentence.text.trim_end().ends_with('.');
    if !fits || !observed || all < words || name.len() > 3 || sentence.is_time(place) {
        return None;
    }
    let mut reading =
        build_reading(sentence, ReadingSubject::Named(sentence.phrase(&name)), &name, "is", &object, root)?;
    reading.predicate = format!("is {}", sentence.phrase(&preposition));
    Some(reading)
}

/// Reads a short name with an amount behind it: "pool size 40", "upper left crown 480 €". None of its words
/// may be a finite verb.
pub(super) fn read_amount(sentence: ParsedSentence<'_>) -> Option<StatementReading> {
    let tree = sentence.tree;
    let finite = |i: usize| matches!(tree.xpos(i), Xpos::Vbz | Xpos::Vbd | Xpos::Md) || tree.upos(i) == Upos::Aux;
    let amount = (0..tree.len()).rev().find(|i| tree.upos(*i) != Upos::Punct)?;
    let is_number = tree.word(amount).starts_with(|c: char| c.is_ascii_digit()) && !sentence.is_time(amount);
    let name: Vec<usize> = (0..amount).collect();
    let plain = |i: &usize| {
        matches!(tree.upos(*i), Upos::Noun | Upos::Propn | Upos::Adj | Upos::Verb | Upos::Det)
            && tree.xpos(*i) != Xpos::Vbn
            && !tree.word(*i).contains(|c: char| c.is_ascii_digit())
    };
    // One word and a number is a name: "Release 1.4", "Chapter 3".
    let unit = sentence.range(amount).len() > tree.word(amount).len();
    let named = name.len() > 1 || unit && name.len() == 1;
    if !is_number || !named || name.len() > 5 || !name.iter().all(plain) || name.iter().any(|i| finite(*i)) {
        return None;
    }
    let described = tree.upos(0) == Upos::Verb && tree.xpos(0) == Xpos::Vb;
    if described && name.len() < 2 {
        return None;
    }
    build_reading(sentence, ReadingSubject::Named(sentence.phrase(&name)), &name, "is", &[amount], amount)
}

/// Reads a noun with a bare participle behind it: "room booked".
fn read_trailing_participle(sentence: ParsedSentence<'_>, root: usize) -> Option<StatementReading> {
    let tree = sentence.tree;
    let grammar = sentence.grammar();
    let participle =
        grammar.children(root).find(|k| *k > root && tree.label(*k) == Label::Acl && tree.xpos(*k) == Xpos::Vbn)?;
    let name = grammar.noun_phrase_without(root, PhraseExtent::Whole, Some(participle));
    let mut object = grammar.subtree(participle);
    grammar.trim_punctuation(&mut object);
    build_reading(sentence, ReadingSubject::Named(sentence.phrase(&name)), &name, "is", &object, participle)
}

fn build_reading(
    sentence: ParsedSentence<'_>,
    subject: ReadingSubject,
    named: &[usize],
    verb: &'static str,
    object: &[usize],
    head: usize,
) -> Option<StatementReading> {
    let denied = |i: &usize| matches!(sentence.tree.lower(*i), "no" | "not" | "never" | "n't");
    // "No one called." is a clause, even if parsed otherwise.
    if named.last().is_some_and(|i| sentence.tree.lower(*i) == "one") {
        return None;
    }
    let negated = object.iter().any(denied);
    let object = match object {
        [first, rest @ ..] if matches!(sentence.tree.lower(*first), "not" | "never") => rest,
        _ => object,
    };
    if object.is_empty() {
        return None;
    }
    let predicate = [crate::clause::ClauseWord::Inserted(verb)];
    let arguments = [named.to_vec(), object.to_vec()];
    let features = TupleFeatures {
        kind: ClauseKind::Bare,
        verb: head,
        predicate: &predicate,
        arguments: &arguments,
        split: false,
        later: false,
        rest: 0,
        own_subject: !named.is_empty(),
    };
    Some(StatementReading {
        negated,
        confidence: score_tuple(sentence.tree, &features),
        is_described: verb == "is" && matches!(sentence.tree.upos(head), Upos::Adj | Upos::Verb),
        holds: phrase_validity(sentence, object),
        parts: ReadingTokens::new(named, &predicate, object, &[]),
        torn: sentence.is_invalid_name(named)
            || sentence.crosses_separator(object)
            || sentence.has_unlicensed_clause(named)
            || sentence.has_unlicensed_clause(object),
        ..StatementReading::new_asserted(subject, verb.to_owned(), sentence.phrase(object))
    })
}
