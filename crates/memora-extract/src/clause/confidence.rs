//! The expected match of a tuple with an annotator's.
//!
//! A linear model, fitted by ridge regression on a development set of open information extraction (CaRB), against .7
//! precision + .3 recall of the best match. It is a ranking: 0.6 is surer than 0.5, and neither is a probability.

use memora_nlp::{DependencyTree, Label, Upos};

use super::noun_relations::NounRelation;
use super::{ClauseKind, ClauseWord, VerbClause};
use crate::lists::BACKWARD_PRONOUNS;

/// The features of the model.
pub(crate) struct TupleFeatures<'f> {
    pub(crate) kind: ClauseKind,
    pub(crate) verb: usize,
    pub(crate) predicate: &'f [ClauseWord],
    /// The subject first.
    pub(crate) arguments: &'f [Vec<usize>],
    /// Whether it is one of several coordinated objects.
    pub(crate) split: bool,
    /// Whether it is not the first of them.
    pub(crate) later: bool,
    /// The number of arguments behind the object.
    pub(crate) rest: usize,
    /// Whether the subject is attached to the verb itself.
    pub(crate) own_subject: bool,
}

impl<'f> TupleFeatures<'f> {
    /// Returns the features of a clause with the object at `index`.
    pub(crate) fn from_clause(
        tree: &DependencyTree<'_>,
        clause: &'f VerbClause,
        arguments: &'f [Vec<usize>],
        index: usize,
    ) -> Self {
        Self {
            kind: clause.kind,
            verb: clause.verb,
            predicate: &clause.predicate,
            arguments,
            split: clause.objects.len() > 1,
            later: index > 0,
            rest: clause.rest.len(),
            own_subject: clause.subject.is_some_and(|subject| tree.head(subject) == Some(clause.verb)),
        }
    }

    /// Returns the features of a verbless relation.
    pub(crate) fn from_nominal(nominal: &'f NounRelation, arguments: &'f [Vec<usize>]) -> Self {
        Self {
            kind: nominal.kind,
            verb: nominal.at,
            predicate: &nominal.predicate,
            arguments,
            split: false,
            later: false,
            rest: 0,
            own_subject: false,
        }
    }
}

const BIAS: f32 = 0.3066;

fn kind_weight(kind: ClauseKind) -> f32 {
    match kind {
        ClauseKind::Says => 0.2594,
        ClauseKind::Open => 0.2187,
        ClauseKind::Verb => 0.1997,
        ClauseKind::Relative => 0.1546,
        ClauseKind::Copula => 0.1511,
        ClauseKind::Participle => 0.1111,
        ClauseKind::Apposition => 0.0539,
        ClauseKind::Adverbial => 0.0277,
        ClauseKind::Gerund => 0.0045,
        ClauseKind::Infinitive => -0.0014,
        // Not in the training data; a verb without an object has the least content.
        ClauseKind::Bare => 0.0,
        ClauseKind::NounWithPreposition => -0.0582,
        ClauseKind::Including => -0.1380,
        ClauseKind::Title => -0.1570,
        ClauseKind::Possessive => -0.1700,
        ClauseKind::NounWithAdjective => -0.1710,
        ClauseKind::PossessivePronoun => -0.1785,
    }
}

fn label_weight(label: Label) -> f32 {
    match label {
        Label::Root => 0.1484,
        Label::Parataxis => 0.0823,
        Label::Conj => 0.0605,
        Label::Advcl => 0.0483,
        Label::AclRelcl => 0.0325,
        Label::Ccomp => -0.0501,
        _ => -0.0152,
    }
}

/// Returns the confidence of a tuple, about 0 to 1.
pub(crate) fn score_tuple(tree: &DependencyTree<'_>, of: &TupleFeatures<'_>) -> f32 {
    let empty = Vec::new();
    let subject = of.arguments.first().unwrap_or(&empty);
    let object = of.arguments.get(1).unwrap_or(&empty);
    let said = of.predicate.iter().filter_map(|word| word.token());
    let tokens: Vec<usize> = said.chain(of.arguments.iter().flatten().copied()).collect();
    let count = small_count(tokens.len().max(1));
    let share =
        |wanted: &dyn Fn(usize) -> bool| self::small_count(tokens.iter().filter(|i| wanted(**i)).count()) / count;
    let margins: f32 = tokens.iter().map(|i| tree.margin(*i).min(40.0) / 40.0).sum();
    let words = of.predicate.len() + of.arguments.iter().map(Vec::len).sum::<usize>();
    let any = |phrase: &[usize], wanted: &dyn Fn(usize) -> bool| indicator(phrase.iter().any(|i| wanted(*i)));
    let pronoun = |i: usize| tree.upos(i) == Upos::Pron;
    let points_back = |i: usize| BACKWARD_PRONOUNS.contains(tree.lower(i));

    BIAS + kind_weight(of.kind)
        + label_weight(tree.label(of.verb))
        // What the parser was unsure of.
        + share(&|i| !tree.has_agreed_head(i)) * -0.1355
        + indicator(tree.has_agreed_head(of.verb)) * -0.0162
        + margins / count * 0.0602
        + share(&|i| tree.margin(i) < 3.0) * 0.1418
        + tree.margin(of.verb).min(60.0) / 60.0 * 0.0101
        // Its shape.
        + self::small_count(of.arguments.len()) * -0.0014
        + indicator(of.split) * 0.0281
        + indicator(of.later) * 0.0118
        + self::small_count(of.rest.min(4)) * 0.0226
        + indicator(of.own_subject) * 0.0105
        + indicator(tree.children(of.verb).iter().any(|k| tree.label(*k) == Label::Conj)) * 0.0455
        // Lengths.
        + self::small_count(words) / 10.0 * -0.0496
        + self::small_count(subject.len().min(20)) / 10.0 * -0.0513
        + self::small_count(object.len().min(30)) / 10.0 * 0.0608
        + self::small_count(of.predicate.len()) / 5.0 * 0.2135
        + self::small_count(tree.len()) / 30.0 * -0.0269
        // Its words.
        + indicator(object.len() == 1 && object.iter().any(|i| pronoun(*i))) * -0.0969
        + any(subject, &points_back) * -0.0086
        + any(subject, &|i| tree.upos(i) == Upos::Propn) * 0.0595
        + any(subject, &pronoun) * -0.0422
}

fn indicator(is: bool) -> f32 {
    if is { 1.0 } else { 0.0 }
}

/// Converts a small count; sentences are short.
fn small_count(n: usize) -> f32 {
    f32::from(u16::try_from(n).unwrap_or(u16::MAX))
}
