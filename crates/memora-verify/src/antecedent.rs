//! Pronoun resolution: the antecedent is the subject of the sentence before.
//!
//! Invariant: **the sentence before lends its subject, not its content.** Its content has to be cited.

use crate::lists::PRONOUNS;
use memora_nlp::{DependencyParser, DependencyTree, Label, Upos};

/// How many sentences back an antecedent is searched for.
const SENTENCES_MAX: usize = 3;

/// Returns the antecedent of the pronoun that `words` begin with, and the place that their *there* refers to, from
/// the sentences before, nearest first.
pub(crate) fn find_antecedent<'w>(words: &str, before: impl Iterator<Item = &'w str>) -> Option<String> {
    let is_there = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()) == "there";
    let (leans, places) = (starts_with_pronoun(words), words.split_whitespace().skip(1).any(is_there));
    if !leans && !places {
        return None;
    }
    let named = before.take(SENTENCES_MAX).find(|sentence| !starts_with_pronoun(sentence))?;
    // `Phone: Jonas called.`
    let named = named.split_once(": ").filter(|(label, _)| !label.contains(' ')).map_or(named, |(_, rest)| rest);
    let cut = memora_nlp::tokenize_treebank(named, &[]);
    let read: Vec<&str> = cut.iter().filter_map(|place| named.get(place.clone())).collect();
    let tree = DependencyParser::embedded().parse(&read);
    let subject = find_subject(&tree).filter(|_| leans);
    let place = (0..tree.len()).find(|at| is_place_name(&tree, *at)).filter(|_| places);
    let texts = [subject, place].into_iter().flatten().filter_map(|head| {
        let (first, last) = phrase_bounds(&tree, head);
        named.get(cut.get(first)?.start..cut.get(last)?.end)
    });
    Some(texts.collect::<Vec<_>>().join(", ")).filter(|text| !text.is_empty())
}

fn starts_with_pronoun(words: &str) -> bool {
    let first = words.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    first.is_some_and(|word| PRONOUNS.contains(word.to_lowercase().as_str()))
}

fn find_subject(tree: &DependencyTree<'_>) -> Option<usize> {
    let root = (0..tree.len()).find(|at| tree.head(*at).is_none())?;
    tree.children(root).iter().copied().find(|at| matches!(tree.label(*at), Label::Nsubj | Label::NsubjPass))
}

/// `to Malmö`, `at Tidewell`.
fn is_place_name(tree: &DependencyTree<'_>, at: usize) -> bool {
    let led = tree
        .children(at)
        .iter()
        .any(|child| tree.label(*child) == Label::Case && matches!(tree.lower(*child), "in" | "to" | "at" | "into"));
    led && tree.upos(at) == Upos::Propn
}

/// Returns the first and the last word of the phrase under a head, without appositions, clauses and conjuncts.
fn phrase_bounds(tree: &DependencyTree<'_>, head: usize) -> (usize, usize) {
    let is_part = |at: usize| {
        !matches!(
            tree.label(at),
            Label::Appos | Label::AclRelcl | Label::Acl | Label::Case | Label::Punct | Label::Conj
        )
    };
    let mut chain = vec![head];
    let mut inside = vec![head];
    while let Some(at) = chain.pop() {
        let parts = tree.children(at).iter().copied().filter(|child| is_part(*child));
        chain.extend(parts.clone());
        inside.extend(parts);
    }
    (inside.iter().copied().min().unwrap_or(head), inside.iter().copied().max().unwrap_or(head))
}
