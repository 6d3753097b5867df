//! Complements of the verb of a clause, other than its subject.

use memora_nlp::{Label, Upos, Xpos};

use super::tree_query::{PhraseExtent, TreeQuery, is_subject_label};
use crate::lists::{CONNECTIVE_ADVERBS, NOUN_NUMERALS, OPENING_ADVERBS, TRAILING_REPORTING_VERBS};

/// The role of a complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComplementRole {
    /// Direct object.
    Object,
    /// Indirect object.
    Indirect,
    /// A clause with its own subject: "says *that it is slow*".
    Clause,
    /// An open clause that is not part of the verb group.
    Open,
    /// A noun with a preposition.
    Oblique,
    /// An adverbial clause.
    Adverbial,
    /// An adverb, or a noun used as one ("last week").
    Adverb,
}

/// One complement.
#[derive(Clone, Debug)]
pub(crate) struct Complement {
    pub(crate) role: ComplementRole,
    /// Its head.
    pub(crate) head: usize,
    /// Its preposition, if it has one.
    pub(crate) preposition: Vec<usize>,
    /// Its phrases, one per conjunct.
    pub(crate) phrases: Vec<Vec<usize>>,
    /// Its sort position among the complements.
    pub(crate) at: usize,
}

/// A clause while its complements are collected.
pub(crate) struct ClauseFrame<'f> {
    /// Its verb, or the noun or adjective with a copula.
    pub(crate) verb: usize,
    /// The verb and the verbs it opens.
    pub(crate) chain: &'f [usize],
    /// Its subject.
    pub(crate) subject: Option<usize>,
    /// The words of its verb group in front of the verb.
    pub(crate) auxiliaries: &'f [usize],
}

/// Returns all complements, in order: of the verb and the verbs it opens, and those shared with a verb before it.
pub(crate) fn collect_complements(grammar: TreeQuery<'_>, frame: &ClauseFrame<'_>) -> Vec<Complement> {
    let mut found = Vec::new();
    for &x in frame.chain {
        for k in grammar.children(x) {
            let is_subject = Some(k) == frame.subject && grammar.tree.label(k) != Label::Obj;
            if !frame.chain.contains(&k) && !is_subject {
                found.extend(complement_from_child(grammar, frame, x, k));
            }
        }
    }
    let has = |found: &[Complement], roles: &[ComplementRole]| found.iter().any(|c| roles.contains(&c.role));
    if !has(&found, &[ComplementRole::Clause, ComplementRole::Object]) {
        found.extend(find_quoted_clause(grammar, frame.verb));
        found.extend(find_gap_object(grammar, frame));
    }
    if !has(&found, &[ComplementRole::Object, ComplementRole::Clause, ComplementRole::Open, ComplementRole::Oblique]) {
        found.extend(find_shared_object(grammar, frame.verb));
    }
    found.sort_by_key(|c| c.at);
    found
}

/// Returns the child `k` of `x` as a complement, if it is one.
fn complement_from_child(grammar: TreeQuery<'_>, frame: &ClauseFrame<'_>, x: usize, k: usize) -> Option<Complement> {
    let tree = grammar.tree;
    let label = tree.label(k);
    let plain = |role, phrases| Some(Complement { role, head: k, preposition: Vec::new(), phrases, at: k });
    if grammar.is_relative_pronoun(k) && label != Label::Ccomp {
        return relative_complement(grammar, frame, k);
    }
    match label {
        Label::Obj => plain(ComplementRole::Object, grammar.conjunct_phrases(k)),
        Label::Iobj => plain(ComplementRole::Indirect, grammar.conjunct_phrases(k)),
        Label::Obl | Label::OblAgent | Label::OblUnmarked => {
            if let Some(phrase) = approximate_object(grammar, k) {
                return plain(ComplementRole::Object, vec![phrase]);
            }
            if is_adverbial_idiom(grammar, k)
                || grammar.preposition(k).first().is_some_and(|p| grammar.tree.lower(*p) == "according")
            {
                return plain(ComplementRole::Adverb, vec![grammar.prepositional_phrase(k)]);
            }
            let preposition = grammar.preposition(k);
            let role = if preposition.is_empty() { ComplementRole::Adverb } else { ComplementRole::Oblique };
            let phrases = vec![grammar.noun_phrase(k, PhraseExtent::Whole)];
            Some(Complement { role, head: k, preposition, phrases, at: k })
        }
        Label::Advmod if !frame.auxiliaries.contains(&k) && is_content_adverb(grammar, k) => {
            let mut words = grammar.subtree(k);
            grammar.trim_punctuation(&mut words);
            plain(ComplementRole::Adverb, vec![words])
        }
        Label::Xcomp => plain(ComplementRole::Open, vec![grammar.clause_tokens(k)]),
        Label::Ccomp => plain(ComplementRole::Clause, vec![grammar.clause_tokens(k)]),
        Label::Advcl if k > x => plain(ComplementRole::Adverbial, vec![grammar.clause_tokens(k)]),
        _ => None,
    }
}

/// Whether a preposition and a word form an adverb: "at all", "at once", "so far".
fn is_adverbial_idiom(grammar: TreeQuery<'_>, k: usize) -> bool {
    const IDIOMS: &[(&str, &str)] = &[
        ("at", "all"),
        ("at", "once"),
        ("at", "least"),
        ("at", "last"),
        ("at", "first"),
        ("at", "most"),
        ("in", "fact"),
        ("of", "course"),
        ("for", "now"),
        ("for", "good"),
        ("for", "free"),
        ("by", "far"),
        ("in", "general"),
        ("in", "particular"),
        ("in", "person"),
        ("on", "purpose"),
        ("for", "sure"),
        ("by", "default"),
        ("by", "hand"),
        ("by", "mistake"),
        ("by", "accident"),
        ("on", "time"),
        ("in", "advance"),
        ("as", "well"),
    ];
    let preposition = grammar.preposition(k);
    let [word] = preposition.as_slice() else { return false };
    IDIOMS.contains(&(grammar.tree.lower(*word), grammar.tree.lower(k)))
}

/// Returns an approximate object: "about a third", "around 40 euros", which is not a place.
fn approximate_object(grammar: TreeQuery<'_>, k: usize) -> Option<Vec<usize>> {
    let tree = grammar.tree;
    let preposition = grammar.preposition(k);
    let [word] = preposition.as_slice() else { return None };
    let phrase = grammar.noun_phrase(k, PhraseExtent::Whole);
    let first = *phrase.first()?;
    let fraction = NOUN_NUMERALS.contains(tree.lower(first + 1));
    let counts = tree.upos(first) == Upos::Num || matches!(tree.lower(first), "half") || fraction;
    let about = matches!(tree.lower(*word), "about" | "around" | "roughly" | "nearly");
    (about && counts && *word + 1 == first).then(|| preposition.iter().copied().chain(phrase.iter().copied()).collect())
}

fn is_content_adverb(grammar: TreeQuery<'_>, k: usize) -> bool {
    !grammar.is_negation(k) && grammar.tree.xpos(k) != Xpos::Wrb && !CONNECTIVE_ADVERBS.contains(grammar.tree.lower(k))
}

/// Resolves "which" as an object to the antecedent of the relative clause: "the port *which* it uses".
fn relative_complement(grammar: TreeQuery<'_>, frame: &ClauseFrame<'_>, k: usize) -> Option<Complement> {
    let head = grammar.head_with_label(frame.verb, Label::AclRelcl).filter(|head| Some(*head) != frame.subject)?;
    let phrases = vec![grammar.noun_phrase(head, PhraseExtent::Whole)];
    let (role, preposition, at) = match grammar.tree.label(k) {
        Label::Obj => (ComplementRole::Object, Vec::new(), frame.verb),
        Label::Obl => (ComplementRole::Oblique, grammar.preposition(k), frame.verb + 1),
        _ => return None,
    };
    Some(Complement { role, head, preposition, phrases, at })
}

/// Returns the clause before "…, he said".
fn find_quoted_clause(grammar: TreeQuery<'_>, verb: usize) -> Option<Complement> {
    let head = grammar.head_with_label(verb, Label::Parataxis).filter(|_| is_reporting_verb(grammar, verb))?;
    let mut words = grammar.subtree_without(head, |k| k == verb);
    grammar.trim_punctuation(&mut words);
    Some(Complement { role: ComplementRole::Clause, head, preposition: Vec::new(), phrases: vec![words], at: verb })
}

fn is_reporting_verb(grammar: TreeQuery<'_>, verb: usize) -> bool {
    TRAILING_REPORTING_VERBS.contains(grammar.tree.lower(verb))
}

/// Returns the object omitted by a relative clause without a pronoun: "the tools *she used*".
fn find_gap_object(grammar: TreeQuery<'_>, frame: &ClauseFrame<'_>) -> Option<Complement> {
    let (verb, tree) = (frame.verb, grammar.tree);
    let head = grammar.head_with_label(verb, Label::AclRelcl).filter(|head| Some(*head) != frame.subject)?;
    let asks = |k: usize| grammar.is_relative_pronoun(k) || matches!(tree.lower(k), "where" | "when" | "why");
    let passive = frame.auxiliaries.iter().any(|k| tree.label(*k) == Label::AuxPass);
    if passive || grammar.first_child(verb, Label::Cop).is_some() || grammar.children(verb).any(asks) {
        return None;
    }
    let phrases = vec![grammar.noun_phrase(head, PhraseExtent::Whole)];
    Some(Complement { role: ComplementRole::Object, head, preposition: Vec::new(), phrases, at: verb })
}

/// Returns the object shared by coordinated verbs: "designed and built *the bridge*".
fn find_shared_object(grammar: TreeQuery<'_>, verb: usize) -> Option<Complement> {
    let first = grammar.head_with_label(verb, Label::Conj)?;
    let head = grammar.first_child(first, Label::Obj).filter(|object| *object > verb)?;
    let phrases = grammar.conjunct_phrases(head);
    Some(Complement { role: ComplementRole::Object, head, preposition: Vec::new(), phrases, at: head })
}

/// Returns the opening adverbials, which also apply to the coordinated clauses: "*In 2010* she won A and lost B".
pub(crate) fn find_shared_opening(grammar: TreeQuery<'_>, verb: usize) -> Vec<usize> {
    let tree = grammar.tree;
    let Some(first) = grammar.head_with_label(verb, Label::Conj).filter(|_| !grammar.has_subject(verb)) else {
        return Vec::new();
    };
    let subject = grammar.children(first).find(|k| is_subject_label(tree.label(*k))).unwrap_or(0);
    let opens = |k: &usize| {
        *k < subject
            && matches!(tree.label(*k), Label::Obl | Label::OblUnmarked | Label::Advmod)
            && !OPENING_ADVERBS.contains(tree.lower(*k))
    };
    grammar.children(first).filter(opens).flat_map(|k| grammar.prepositional_phrase(k)).collect()
}
