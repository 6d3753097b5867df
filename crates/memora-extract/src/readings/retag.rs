//! Retagging: parses again with one corrected tag, where the neighbours of a word show that its tag is wrong.
//!
//! Invariant: a new tag must be confirmed by the parse. Each rule has a pattern for the word *and* a condition on the
//! new tree; otherwise the first parse is kept.

use memora_nlp::{DependencyParser, DependencyTree, Label, Upos, Xpos};

use crate::clause::tree_query::TreeQuery;
use crate::lists::{COMMAND_DETERMINERS, COMMAND_VERBS, PLURAL_DETERMINERS};

/// A token with its corrected tag.
type RetaggedWord = (usize, Upos, Xpos);

/// A pattern for a word to retag, and a condition on the new tree.
struct RetagRule {
    finds: fn(&DependencyTree<'_>) -> Option<RetaggedWord>,
    proves: fn(&DependencyTree<'_>, usize) -> bool,
}

const RULES: [RetagRule; 9] = [
    RetagRule { finds: find_conjunction_either, proves: is_conjunction },
    RetagRule { finds: find_command, proves: is_transitive_root },
    RetagRule { finds: find_noun_after_determiner, proves: is_modifier },
    RetagRule { finds: find_participle_before_noun, proves: is_within_subject },
    RetagRule { finds: find_preposition_like, proves: is_within_subject },
    RetagRule { finds: find_adverb_first, proves: is_attached_to_next },
    RetagRule { finds: find_plural_before_verb, proves: is_within_subject },
    RetagRule { finds: find_noun_after_possessive, proves: is_possessed },
    RetagRule { finds: find_verb_after_no_longer, proves: is_root_with_subject },
];

/// Returns the tree of the first rule that matches; `None` if no rule does.
pub(super) fn retag_first_match<'a>(
    tree: &DependencyTree<'_>,
    forms: &[&'a str],
    given: &[RetaggedWord],
) -> Option<DependencyTree<'a>> {
    RULES.iter().find_map(|rule| {
        let mended = (rule.finds)(tree)?;
        let known: Vec<RetaggedWord> = given.iter().copied().chain([mended]).collect();
        let other = DependencyParser::embedded().parse_with_tags(forms, &known);
        (rule.proves)(&other, mended.0).then_some(other)
    })
}

/// Finds a capitalized command that is elsewhere a noun: "Bookmark a search term", "List enabled snippets".
fn find_command(tree: &DependencyTree<'_>) -> Option<RetaggedWord> {
    let first = tree.lower(0);
    let noun = matches!(tree.upos(0), Upos::Noun | Upos::Propn | Upos::Adj);
    let plain = first.is_ascii() && !first.ends_with('s') && !first.ends_with("ing") && !first.ends_with("ed");
    let determined = COMMAND_DETERMINERS.contains(tree.lower(1))
        && (COMMAND_VERBS.contains(first) || DependencyParser::embedded().may_be_verb(first));
    let sentence = tree.word(tree.len().saturating_sub(1)) == ".";
    let listed = COMMAND_VERBS.contains(first)
        && sentence
        && matches!(tree.upos(1), Upos::Noun | Upos::Propn | Upos::Adj | Upos::Verb | Upos::Num | Upos::Pron)
        && !matches!(tree.xpos(1), Xpos::Vbz | Xpos::Md);
    (noun && plain && tree.len() > 2 && (determined || listed)).then_some((0, Upos::Verb, Xpos::Vb))
}

/// Finds a noun between a determiner and another noun, tagged as a verb: "Some sync tools do not".
fn find_noun_after_determiner(tree: &DependencyTree<'_>) -> Option<RetaggedWord> {
    let determiner = PLURAL_DETERMINERS.contains(tree.lower(0));
    let verb = matches!(tree.xpos(1), Xpos::Vb | Xpos::Vbp);
    let noun = matches!(tree.xpos(2), Xpos::Nn | Xpos::Nns);
    (determiner && verb && noun).then_some((1, Upos::Noun, Xpos::Nn))
}

/// Finds a participle in front of its noun, with a verb behind: "Excluded files remain".
fn find_participle_before_noun(tree: &DependencyTree<'_>) -> Option<RetaggedWord> {
    let participle = tree.lower(0).ends_with("ed") && matches!(tree.xpos(0), Xpos::Vbd | Xpos::Vbn | Xpos::Vb);
    let noun = matches!(tree.upos(1), Upos::Noun | Upos::Propn);
    let verb = (2..tree.len().min(8))
        .any(|i| matches!(tree.xpos(i), Xpos::Vbz | Xpos::Vbp | Xpos::Md) || tree.upos(i) == Upos::Aux);
    (participle && noun && verb).then_some((0, Upos::Verb, Xpos::Vbn))
}

/// Finds "like" as a preposition before a list of examples: "Services like Dropbox and iCloud help you".
fn find_preposition_like(tree: &DependencyTree<'_>) -> Option<RetaggedWord> {
    let like = (1..tree.len()).find(|i| tree.lower(*i) == "like" && tree.upos(*i) == Upos::Verb)?;
    let subject = tree.upos(like - 1) == Upos::Noun;
    let behind = tree.upos(like + 1) != Upos::Det && tree.upos(like + 1) != Upos::Part;
    // "Users like dark mode and ask for it" has two verbs.
    let verb = (like + 2..tree.len())
        .any(|i| matches!(tree.xpos(i), Xpos::Vb | Xpos::Vbp | Xpos::Md) && tree.upos(i - 1) != Upos::Cconj);
    (subject && behind && verb).then_some((like, Upos::Adp, Xpos::In))
}

/// Finds "either" as a conjunction: "You can either update all or update one".
fn find_conjunction_either(tree: &DependencyTree<'_>) -> Option<RetaggedWord> {
    let either = (0..tree.len()).find(|i| tree.lower(*i) == "either" && tree.upos(*i) == Upos::Verb)?;
    Some((either, Upos::Cconj, Xpos::Cc))
}

fn is_conjunction(tree: &DependencyTree<'_>, i: usize) -> bool {
    tree.label(i) == Label::Cc
}

/// Finds "first" as an adverb between an auxiliary and its verb: "you must first turn it off".
fn find_adverb_first(tree: &DependencyTree<'_>) -> Option<RetaggedWord> {
    let opens = |i: usize| tree.xpos(i) == Xpos::Md || tree.xpos(i) == Xpos::To;
    let first = (1..tree.len()).find(|i| tree.lower(*i) == "first" && opens(i - 1) && tree.upos(*i) != Upos::Adv)?;
    (tree.xpos(first + 1) == Xpos::Vb).then_some((first, Upos::Adv, Xpos::Rb))
}

/// Finds a noun behind a possessive, tagged as a finite verb: "display your notes".
fn find_noun_after_possessive(tree: &DependencyTree<'_>) -> Option<RetaggedWord> {
    let finite = |i: usize| matches!(tree.xpos(i), Xpos::Vbz | Xpos::Vbp);
    let noun = (1..tree.len()).find(|i| tree.xpos(i - 1) == Xpos::PrpPoss && finite(*i))?;
    let tag = if tree.lower(noun).ends_with('s') { Xpos::Nns } else { Xpos::Nn };
    Some((noun, Upos::Noun, tag))
}

/// Finds a verb behind "no longer" that is tagged as a noun: "I no longer work at Acme".
fn find_verb_after_no_longer(tree: &DependencyTree<'_>) -> Option<RetaggedWord> {
    let ends = |i: &usize| tree.lower(i - 1) == "longer" && i.checked_sub(2).is_some_and(|no| tree.lower(no) == "no");
    let verb = (3..tree.len()).find(ends)?;
    let subject = matches!(tree.xpos(verb - 3), Xpos::Prp | Xpos::Nns | Xpos::Nnp | Xpos::Nnps);
    let noun = matches!(tree.upos(verb), Upos::Noun | Upos::Adj) && tree.word(verb) == tree.lower(verb);
    let taken = subject && noun && DependencyParser::embedded().may_be_verb(tree.lower(verb));
    taken.then_some((verb, Upos::Verb, Xpos::Vbp))
}

/// Whether the retagged word is the root and has a subject before it.
fn is_root_with_subject(tree: &DependencyTree<'_>, i: usize) -> bool {
    tree.label(i) == Label::Root && TreeQuery::new(tree).resolve_subject(i).is_some_and(|subject| subject < i)
}

/// Whether the retagged word is the possession.
fn is_possessed(tree: &DependencyTree<'_>, i: usize) -> bool {
    tree.head(i - 1) == Some(i)
}

/// Finds a plural tagged as the first of two finite verbs in a row: "Inline footnotes only work in it".
fn find_plural_before_verb(tree: &DependencyTree<'_>) -> Option<RetaggedWord> {
    let last = |i: usize| if tree.upos(i + 1) == Upos::Adv { i + 2 } else { i + 1 };
    let plural = (1..tree.len()).find(|i| tree.xpos(*i) == Xpos::Vbz && tree.xpos(last(*i)) == Xpos::Vbp)?;
    tree.lower(plural).ends_with('s').then_some((plural, Upos::Noun, Xpos::Nns))
}

/// Whether the retagged word is attached to the verb behind it.
fn is_attached_to_next(tree: &DependencyTree<'_>, i: usize) -> bool {
    tree.head(i) == Some(i + 1)
}

/// Whether the retagged word is the root and has an object.
fn is_transitive_root(tree: &DependencyTree<'_>, i: usize) -> bool {
    let grammar = TreeQuery::new(tree);
    // "Zoom call with Anna went well" has another verb, so "Zoom" is not one.
    let others = (i + 1..tree.len()).filter(|k| matches!(tree.xpos(*k), Xpos::Vbz | Xpos::Vbd | Xpos::Vbp | Xpos::Md));
    let inner = |mut k: usize| {
        while let Some(head) = tree.head(k) {
            if matches!(tree.label(k), Label::AclRelcl | Label::Advcl | Label::Ccomp | Label::Acl) {
                return true;
            }
            k = head;
        }
        false
    };
    others.into_iter().all(inner)
        && tree.label(i) == Label::Root
        && grammar.has_child(i, |label| matches!(label, Label::Obj | Label::Xcomp))
        && !grammar.has_subject(i)
}

/// Whether the retagged word modifies a noun.
fn is_modifier(tree: &DependencyTree<'_>, i: usize) -> bool {
    matches!(tree.label(i), Label::Compound | Label::Amod)
}

/// Whether the retagged word is within the subject of the root.
fn is_within_subject(tree: &DependencyTree<'_>, i: usize) -> bool {
    let grammar = TreeQuery::new(tree);
    let Some(root) = (0..tree.len()).find(|k| tree.label(*k) == Label::Root) else { return false };
    let verbal = tree.upos(root) == Upos::Verb || grammar.first_child(root, Label::Cop).is_some();
    verbal && i < root && grammar.resolve_subject(root).is_some_and(|subject| grammar.subtree(subject).contains(&i))
}
