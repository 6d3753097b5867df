//! Clauses of a parsed sentence: who does what, in which words.
//!
//! [`find_clauses`] visits the verbs (and the nouns and adjectives with a copula) and builds a [`VerbClause`] for each.
//! Invariant: a clause holds token indices of the sentence, and apart from them only the few words that a rule inserts
//! ("is", "was", "has"), so that every word of it can be traced to bytes.
//!
//! Not here: the meaning of a clause for a note (subjects from a heading, plans, relations), see
//! [`crate::readings`]; and its confidence, see [`confidence`].

pub(crate) mod complement;
pub(crate) mod confidence;
pub(crate) mod noun_relations;
mod subject;
pub(crate) mod tree_query;
pub(crate) mod tuple;
mod verb;

use memora_nlp::{DependencyTree, Label, Upos, Xpos};

use complement::{ClauseFrame, Complement, ComplementRole, collect_complements, find_shared_opening};
use tree_query::{PhraseExtent, TreeQuery, is_auxiliary_label};

/// A word of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ClauseWord {
    /// A token of the sentence.
    Token(usize),
    /// Inserted by a rule.
    Inserted(&'static str),
}

impl ClauseWord {
    /// Returns the token, unless the word was inserted by a rule.
    pub(crate) fn token(self) -> Option<usize> {
        match self {
            Self::Token(i) => Some(i),
            Self::Inserted(_) => None,
        }
    }
}

/// The construction of a clause. It affects the confidence, and which word is the verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ClauseKind {
    /// A verb with a subject.
    Verb,
    /// A verb whose object is a clause.
    Says,
    /// A copula.
    Copula,
    /// An open complement that its verb does not absorb.
    Open,
    /// A relative clause.
    Relative,
    /// A past participle behind a noun.
    Participle,
    /// An `-ing` form behind a noun.
    Gerund,
    /// An infinitive behind a noun.
    Infinitive,
    /// An adverbial clause without a subject.
    Adverbial,
    /// A verb with nothing behind it.
    Bare,
    /// An apposition.
    Apposition,
    /// A title in front of a name.
    Title,
    /// An owner and a thing.
    Possessive,
    /// The same, with a pronoun.
    PossessivePronoun,
    /// "X such as Y".
    Including,
    /// A noun with a prepositional phrase behind it.
    NounWithPreposition,
    /// A noun with an adjective in front.
    NounWithAdjective,
}

/// A clause: a verb with its subject and complements.
#[derive(Clone, Debug)]
pub(crate) struct VerbClause {
    pub(crate) kind: ClauseKind,
    /// The verb, or the predicate noun or adjective.
    pub(crate) verb: usize,
    /// The head of the subject's phrase; `None` if the sentence omits the subject.
    pub(crate) subject: Option<usize>,
    /// The part excluded from the subject's phrase: the clause itself, if it modifies its subject.
    pub(crate) but: Option<usize>,
    /// The verb group, with the preposition or adjective that governs the object.
    pub(crate) predicate: Vec<ClauseWord>,
    /// Auxiliaries, copula and negation among it.
    pub(crate) auxiliaries: Vec<usize>,
    /// The object, one phrase per conjunct; empty without an object.
    pub(crate) objects: Vec<Vec<usize>>,
    /// The object's relation to the verb; `None` for the complement of a copula.
    pub(crate) object_role: Option<ComplementRole>,
    /// All other complements of the verb, in order.
    pub(crate) rest: Vec<Vec<usize>>,
}

/// Returns all clauses of a sentence, in the order of their verbs.
pub(crate) fn find_clauses(tree: &DependencyTree<'_>) -> Vec<VerbClause> {
    let grammar = TreeQuery::new(tree);
    (0..tree.len()).filter(|v| is_clause_head(grammar, *v)).filter_map(|v| build_clause(grammar, v)).collect()
}

fn is_clause_verb(grammar: TreeQuery<'_>, v: usize) -> bool {
    let tree = grammar.tree;
    let helps = is_auxiliary_label(tree.label(v)) || tree.label(v) == Label::Cop;
    tree.upos(v) == Upos::Verb || tree.upos(v) == Upos::Aux && !helps
}

/// Whether `v` is the head of a clause.
fn is_clause_head(grammar: TreeQuery<'_>, v: usize) -> bool {
    let copular = grammar.first_child(v, Label::Cop).is_some();
    if !copular && !is_clause_verb(grammar, v) {
        return false;
    }
    match grammar.tree.label(v) {
        Label::Amod
        | Label::Compound
        | Label::Case
        | Label::Fixed
        | Label::Flat
        | Label::Mark
        | Label::Cc
        | Label::Discourse
        | Label::Reparandum
        | Label::Goeswith => false,
        Label::Nsubj | Label::Obj | Label::Obl | Label::Nmod => copular,
        _ => true,
    }
}

fn build_clause(grammar: TreeQuery<'_>, v: usize) -> Option<VerbClause> {
    let tree = grammar.tree;
    let subject = grammar.resolve_subject(v);
    let nameless = grammar.has_subject(v) || grammar.first_child(v, Label::Expl).is_some();
    if subject.is_none() && (!grammar.is_main_clause(v) || nameless) {
        return None;
    }
    let absorbed =
        tree.label(v) == Label::Xcomp && tree.head(v).is_some_and(|verb| grammar.absorbs_complement(verb, v));
    if absorbed {
        return None;
    }
    let but = subject.filter(|subject| tree.head(v) == Some(*subject)).map(|_| v);
    let auxiliaries = grammar.auxiliaries(v);
    let draft = match grammar.first_child(v, Label::Cop) {
        Some(copula) => draft_copular(grammar, v, copula, subject, &auxiliaries),
        None => draft_verbal(grammar, v, subject, &auxiliaries),
    };
    let mut rest: Vec<Vec<usize>> = Vec::new();
    for (index, complement) in draft.complements.iter().enumerate() {
        let used = Some(index) == draft.main;
        // Tried on development data: an adverbial clause as a further argument hurts.
        if !used && complement.role != ComplementRole::Adverbial {
            rest.extend(complement_tokens(grammar, complement));
        }
    }
    let opening = find_shared_opening(grammar, v);
    if !opening.is_empty() {
        rest.push(opening);
    }
    let object_role = draft.main.and_then(|main| draft.complements.get(main)).map(|c| c.role);
    let kind = if object_role == Some(ComplementRole::Clause) { ClauseKind::Says } else { draft.kind };
    let kind = if draft.objects.is_empty() && kind == ClauseKind::Verb { ClauseKind::Bare } else { kind };
    Some(VerbClause {
        kind,
        verb: v,
        subject,
        but,
        predicate: draft.predicate,
        auxiliaries,
        objects: draft.objects,
        object_role,
        rest,
    })
}

fn complement_tokens(grammar: TreeQuery<'_>, complement: &Complement) -> Option<Vec<usize>> {
    let mut words = complement.preposition.clone();
    match complement.role {
        ComplementRole::Oblique | ComplementRole::Object => {
            words.extend(grammar.noun_phrase(complement.head, PhraseExtent::Whole));
        }
        _ => words.extend(complement.phrases.first()?),
    }
    words.sort_unstable();
    words.dedup();
    (!words.is_empty()).then_some(words)
}

/// Drafts a clause with a verb as predicate.
fn draft_verbal(grammar: TreeQuery<'_>, v: usize, subject: Option<usize>, auxiliaries: &[usize]) -> ClauseDraft {
    let tree = grammar.tree;
    let (kind, inserted) = classify_verb(grammar, v, auxiliaries);
    let mut predicate: Vec<ClauseWord> = inserted.map(ClauseWord::Inserted).into_iter().collect();
    if kind != ClauseKind::Verb {
        let to = grammar.children(v).filter(|k| tree.label(*k) == Label::Mark && tree.lower(*k) == "to");
        predicate.extend(to.map(ClauseWord::Token));
    }
    predicate.extend(auxiliaries.iter().copied().map(ClauseWord::Token));
    predicate.push(ClauseWord::Token(v));
    predicate.extend(grammar.particles(v).map(ClauseWord::Token));
    let mut chain = vec![v];
    for opened in grammar.opened_verbs(v) {
        predicate.extend(grammar.opening_words(opened).into_iter().map(ClauseWord::Token));
        predicate.push(ClauseWord::Token(opened));
        predicate.extend(grammar.particles(opened).map(ClauseWord::Token));
        chain.push(opened);
    }
    let last = chain.last().copied().unwrap_or(v);
    let complements = collect_complements(grammar, &ClauseFrame { verb: v, chain: &chain, subject, auxiliaries });
    let main = find_main_complement(&complements, last);
    let mut objects = Vec::new();
    if let Some(main) = main.and_then(|main| complements.get(main)) {
        predicate.extend(main.preposition.iter().copied().map(ClauseWord::Token));
        objects.clone_from(&main.phrases);
    }
    ClauseDraft { kind, predicate, complements, main, objects }
}

/// Returns the kind of a verb's clause, and the word that its predicate lacks.
fn classify_verb(grammar: TreeQuery<'_>, v: usize, auxiliaries: &[usize]) -> (ClauseKind, Option<&'static str>) {
    let tree = grammar.tree;
    let helped = auxiliaries.iter().any(|k| is_auxiliary_label(tree.label(*k)));
    match tree.label(v) {
        Label::Acl => match tree.xpos(v) {
            Xpos::Vbn => (ClauseKind::Participle, (!helped).then_some("was")),
            Xpos::Vbg => (ClauseKind::Gerund, (!helped).then_some("is")),
            _ => (ClauseKind::Infinitive, None),
        },
        Label::Advcl if !grammar.has_subject(v) => {
            (ClauseKind::Adverbial, (tree.xpos(v) == Xpos::Vbg && !helped).then_some("was"))
        }
        Label::Xcomp => (ClauseKind::Open, None),
        Label::AclRelcl => (ClauseKind::Relative, None),
        _ => (ClauseKind::Verb, None),
    }
}

/// Drafts a clause with a copula, whose predicate is a noun, an adjective or a place.
fn draft_copular(
    grammar: TreeQuery<'_>,
    v: usize,
    copula: usize,
    subject: Option<usize>,
    auxiliaries: &[usize],
) -> ClauseDraft {
    let tree = grammar.tree;
    let kind = if tree.label(v) == Label::AclRelcl { ClauseKind::Relative } else { ClauseKind::Copula };
    let mut predicate: Vec<ClauseWord> = auxiliaries.iter().copied().map(ClauseWord::Token).collect();
    let complements = collect_complements(grammar, &ClauseFrame { verb: v, chain: &[v], subject, auxiliaries });
    let place = grammar.preposition(v);
    if !place.is_empty() {
        predicate.extend(place.into_iter().map(ClauseWord::Token));
        let objects = vec![grammar.noun_phrase(v, PhraseExtent::Whole)];
        return ClauseDraft { kind, predicate, complements, main: None, objects };
    }
    if let Some((main, words)) = find_adjective_complement(grammar, v, copula, auxiliaries, &complements) {
        predicate.extend(words.into_iter().map(ClauseWord::Token));
        let objects = complements.get(main).map(|c| c.phrases.clone()).unwrap_or_default();
        return ClauseDraft { kind, predicate, complements, main: Some(main), objects };
    }
    let object = predicate_nominal(grammar, v, auxiliaries, &complements);
    let objects = if object.is_empty() { Vec::new() } else { vec![object] };
    ClauseDraft { kind, predicate, complements, main: None, objects }
}

/// Returns an adjective with its first prepositional phrase as its complement: "rich in".
fn find_adjective_complement(
    grammar: TreeQuery<'_>,
    v: usize,
    copula: usize,
    auxiliaries: &[usize],
    complements: &[Complement],
) -> Option<(usize, Vec<usize>)> {
    let tree = grammar.tree;
    if !matches!(tree.upos(v), Upos::Adj | Upos::Adv) {
        return None;
    }
    let fits = |c: &Complement| {
        c.role == ComplementRole::Oblique && c.at > v || c.role == ComplementRole::Open && tree.upos(v) == Upos::Adj
    };
    let main = complements.iter().position(fits)?;
    let mut words = grammar.subtree_without(v, |k| {
        let own = tree.head(k) == Some(v);
        let label = tree.label(k);
        own && !matches!(label, Label::Advmod | Label::Det)
            || auxiliaries.contains(&k)
            || own && label == Label::Advmod && k < copula
    });
    grammar.trim_punctuation(&mut words);
    words.extend(complements.get(main).map(|c| c.preposition.clone()).unwrap_or_default());
    Some((main, words))
}

/// Returns the noun or adjective behind a copula, without its complements.
fn predicate_nominal(
    grammar: TreeQuery<'_>,
    v: usize,
    auxiliaries: &[usize],
    complements: &[Complement],
) -> Vec<usize> {
    let mut words = grammar.noun_phrase(v, PhraseExtent::Whole);
    words.retain(|k| !auxiliaries.contains(k));
    let is_noun = matches!(grammar.tree.upos(v), Upos::Noun | Upos::Propn);
    for complement in complements {
        // "a metre long", "2 € cheaper", "very fast": a measure right in front of the adjective is part of it.
        let measures = complement.role == ComplementRole::Adverb
            && complement.head < v
            && grammar.first_child(v, Label::Cop).is_some_and(|copula| copula < complement.head);
        if measures {
            continue;
        }
        let apart =
            matches!(complement.role, ComplementRole::Oblique | ComplementRole::Adverb | ComplementRole::Adverbial);
        if !is_noun || apart {
            let listed = grammar.subtree(complement.head);
            words.retain(|k| !listed.contains(k));
        }
    }
    grammar.trim_punctuation(&mut words);
    words
}

/// The parts of a clause under construction.
struct ClauseDraft {
    kind: ClauseKind,
    predicate: Vec<ClauseWord>,
    complements: Vec<Complement>,
    /// The index of the complement that is the object.
    main: Option<usize>,
    objects: Vec<Vec<usize>>,
}

/// Returns the index of the complement that is the object, in order of preference by role.
fn find_main_complement(complements: &[Complement], verb: usize) -> Option<usize> {
    let first = |role: ComplementRole, behind: bool| {
        complements.iter().position(|c| c.role == role && (!behind || c.at > verb))
    };
    first(ComplementRole::Object, false)
        .or_else(|| first(ComplementRole::Clause, false))
        .or_else(|| first(ComplementRole::Open, false))
        .or_else(|| first(ComplementRole::Oblique, true))
        .or_else(|| first(ComplementRole::Adverbial, false))
        .or_else(|| first(ComplementRole::Adverb, true))
        .or_else(|| first(ComplementRole::Indirect, false))
        .or_else(|| first(ComplementRole::Oblique, false))
        .or_else(|| first(ComplementRole::Adverb, false))
}
