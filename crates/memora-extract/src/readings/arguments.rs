//! The arguments of a clause as phrases: subjects and objects, distributed, and all other words as qualifiers.

use std::collections::HashSet;

use memora_nlp::{Label, Upos, Xpos};

use super::factuality::is_mere_preposition;
use super::parsed_sentence::ParsedSentence;
use super::reading::{ReadingContext, ReadingSubject};
use crate::clause::VerbClause;
use crate::clause::complement::ComplementRole;
use crate::clause::tree_query::{PhraseExtent, is_subject_label};
use crate::lists::JOINING_ADVERBS;

impl ParsedSentence<'_> {
    /// Returns the subjects of a clause, each with its tokens.
    pub(super) fn find_subjects(
        self,
        clause: &VerbClause,
        place: ReadingContext<'_>,
    ) -> Vec<(ReadingSubject, Vec<usize>)> {
        let grammar = self.grammar();
        let Some(subject) = clause.subject else { return vec![(ReadingSubject::FromContext, Vec::new())] };
        if self.range(subject).is_empty() || self.refers_to_context(subject, clause, place) {
            return vec![(ReadingSubject::FromContext, vec![subject])];
        }
        if self.tree.label(subject) == Label::Csubj {
            let words = grammar.clause_tokens(subject);
            return vec![(ReadingSubject::Named(self.phrase(&words)), words)];
        }
        let several = grammar.conjuncts(subject);
        let heads = if self.is_disjunction(&several) { vec![subject] } else { several };
        let extent = if heads.len() > 1 { PhraseExtent::One } else { PhraseExtent::Whole };
        let named = heads
            .into_iter()
            .map(|head| grammar.noun_phrase_without(head, extent, clause.but))
            .filter(|words| !words.is_empty())
            .map(|words| self.extend_name(clause, words));
        named.map(|words| (ReadingSubject::Named(self.phrase(&words)), words)).collect()
    }

    /// Returns the objects of a clause, one phrase each; one empty phrase if there are none.
    pub(super) fn find_objects(self, clause: &VerbClause) -> Vec<Vec<usize>> {
        let objects = self.distribute_objects(clause).into_iter().map(|words| self.strip_times(words));
        objects.map(|words| self.extend_name(clause, words)).collect()
    }

    /// Extends a phrase by an adjacent name or number that was attached elsewhere: "Uncle Béla", "draft 5",
    /// "inkwell 3".
    pub(super) fn extend_name(self, clause: &VerbClause, mut words: Vec<usize>) -> Vec<usize> {
        let tree = self.tree;
        let said = |i: usize| clause.predicate.iter().any(|word| word.token() == Some(i));
        let listed = |i: usize| clause.objects.iter().flatten().any(|k| *k == i) || clause.subject == Some(i);
        let free = |i: usize| i < tree.len() && !said(i) && !listed(i) && !self.is_time(i) && !self.range(i).is_empty();
        if let Some(last) = words.last().copied() {
            let next = last + 1;
            let noun = matches!(tree.upos(last), Upos::Noun | Upos::Propn);
            let name = tree.upos(next) == Upos::Propn
                || tree.upos(next) == Upos::Num && self.range(next).len() == tree.word(next).len();
            let bare = tree.children(next).iter().all(|k| tree.label(*k) == Label::Punct);
            if noun && name && bare && free(next) && words.len() < 6 {
                words.push(next);
            }
        }
        // A sentence's first word that is attached loosely: "Conflict resolution settings", "inkwell 3".
        let adrift =
            matches!(tree.label(0), Label::Discourse | Label::Vocative | Label::Dislocated | Label::Reparandum)
                || matches!(tree.upos(0), Upos::Noun | Upos::Propn | Upos::Adj) && tree.children(0).is_empty();
        if words.first() == Some(&1) && free(0) && adrift {
            words.insert(0, 0);
        }
        words
    }

    /// Returns a phrase without its dates; unchanged if it has no other content.
    pub(super) fn strip_times(self, words: Vec<usize>) -> Vec<usize> {
        let grammar = self.grammar();
        let Some(first) = words.first().copied() else { return words };
        let dated = |i: usize| {
            let below = grammar.children(i).filter(|k| self.tree.label(*k) == Label::Case);
            (i != first && self.is_time(i)).then(|| below.chain([i]).collect::<Vec<_>>())
        };
        let times: Vec<usize> = words.iter().copied().filter_map(dated).flatten().collect();
        let mut rest: Vec<usize> = words.iter().copied().filter(|i| !times.contains(i)).collect();
        grammar.trim_punctuation(&mut rest);
        let says = |i: &usize| !matches!(self.tree.upos(*i), Upos::Det | Upos::Adp | Upos::Punct | Upos::Adv);
        if times.is_empty() || !rest.iter().any(says) { words } else { rest }
    }

    /// Returns the objects as written, one per conjunct.
    pub(super) fn distribute_objects(self, clause: &VerbClause) -> Vec<Vec<usize>> {
        let grammar = self.grammar();
        let tree = self.tree;
        if clause.objects.is_empty() {
            return vec![Vec::new()];
        }
        let first = clause
            .objects
            .first()
            .and_then(|words| words.iter().copied().find(|i| matches!(tree.label(*i), Label::Obj)));
        if let Some(first) =
            first.filter(|first| clause.objects.len() > 1 && self.is_disjunction(&grammar.conjuncts(*first)))
        {
            return vec![grammar.noun_phrase(first, PhraseExtent::Whole)];
        }
        let [only] = clause.objects.as_slice() else { return clause.objects.clone() };
        // Prepositional and linked objects are distributed here; the annotators of open extraction keep them together.
        let head = match clause.object_role {
            Some(ComplementRole::Oblique) => {
                only.iter().copied().find(|i| matches!(tree.label(*i), Label::Obl | Label::OblAgent))
            }
            None => Some(clause.verb),
            _ => None,
        };
        let Some(head) = head.filter(|head| only.contains(head)) else { return clause.objects.clone() };
        let heads = grammar.conjuncts(head);
        let between = grammar.preposition(head).iter().any(|i| matches!(tree.lower(*i), "between" | "among"));
        if heads.len() < 2 || between || self.is_disjunction(&heads) {
            return clause.objects.clone();
        }
        let phrases = heads.iter().map(|head| {
            let mut words = grammar.noun_phrase(*head, PhraseExtent::One);
            words.retain(|i| only.contains(i));
            words
        });
        let mut phrases: Vec<Vec<usize>> = phrases.collect();
        phrases.retain(|words| !words.is_empty());
        phrases
    }

    /// Whether conjuncts are alternatives, of which an unspecified one is meant: "Git or Dropbox".
    pub(super) fn is_disjunction(self, heads: &[usize]) -> bool {
        let tree = self.tree;
        // "Falk & Sons" is one name.
        let capital = |i: usize| tree.word(i).starts_with(char::is_uppercase);
        let firm = |i: usize| tree.word(i) == "&" && i > 0 && capital(i - 1) && capital(i + 1);
        heads.iter().any(|head| {
            tree.children(*head)
                .iter()
                .any(|k| tree.label(*k) == Label::Cc && (matches!(tree.lower(*k), "or" | "either") || firm(*k)))
        })
    }

    /// Returns the words below the verb outside predicate, subject, objects and independent clauses, as phrases.
    pub(super) fn collect_qualifiers(
        self,
        clause: &VerbClause,
        used: &[usize],
        objects: &[Vec<usize>],
    ) -> Vec<Vec<usize>> {
        let tree = self.tree;
        let grammar = self.grammar();
        let within: HashSet<usize> = used.iter().chain(objects.iter().flatten()).copied().collect();
        let mut listed: HashSet<usize> = used.iter().copied().collect();
        // Conjuncts of the subject or an object have readings of their own.
        listed.extend(objects.iter().flatten());
        listed.extend(
            clause
                .subject
                .filter(|s| tree.head(*s) == Some(clause.verb))
                .map(|s| grammar.subtree(s))
                .unwrap_or_default(),
        );
        // A restriction is not a claim of its own: "the notes *you publish* are sent", "*only* the author may".
        let subject = clause.subject.filter(|s| tree.head(*s) == Some(clause.verb) && tree.label(*s) != Label::Csubj);
        let restricts = |k: usize| {
            tree.label(k) == Label::AclRelcl && Some(k) != clause.but && !grammar.follows_comma(k)
                || tree.lower(k) == "only"
        };
        for k in subject.into_iter().flat_map(|s| grammar.children(s)).filter(|k| restricts(*k)) {
            for i in grammar.subtree(k) {
                listed.remove(&i);
            }
        }
        // "where it is A or B": a conjunct inside a qualifier belongs to it.
        let outermost = |k: usize| tree.head(k).is_none_or(|head| head == clause.verb || within.contains(&head));
        let apart = |k: usize| match tree.label(k) {
            Label::Conj => {
                outermost(k)
                    && (tree.upos(k) == Upos::Verb
                        || grammar.has_subject(k)
                        || grammar.first_child(k, Label::Cop).is_some())
            }
            Label::Cc | Label::Punct => outermost(k),
            Label::Parataxis | Label::Appos | Label::Discourse => true,
            Label::Expl => tree.head(k) == Some(clause.verb),
            label => is_subject_label(label) && tree.head(k) == Some(clause.verb) && Some(k) != subject,
        };
        let below = grammar.subtree_without(clause.verb, apart);
        let left: Vec<usize> =
            below.into_iter().filter(|i| !listed.contains(i) && !self.is_joining_word(*i, clause)).collect();
        let mut runs: Vec<Vec<usize>> = Vec::new();
        for i in left {
            match runs.last_mut() {
                Some(run)
                    if run.last().is_some_and(|last| {
                        last + 1 == i
                            && (is_mere_preposition(self, clause.verb, *last) || !self.begins_complement(i, clause))
                    }) =>
                {
                    run.push(i);
                }
                _ => runs.push(vec![i]),
            }
        }
        let says = |i: &usize| {
            self.tree.word(*i).chars().any(char::is_alphanumeric)
                && !matches!(self.tree.upos(*i), Upos::Adp | Upos::Cconj | Upos::Sconj | Upos::Det | Upos::Part)
                && self.tree.xpos(*i) != Xpos::Wrb
        };
        for run in &mut runs {
            let joins = run.iter().take_while(|i| tree.upos(**i) == Upos::Cconj).count();
            run.drain(..joins);
            grammar.trim_punctuation(run);
        }
        runs.retain(|run| run.iter().any(says));
        runs
    }

    pub(super) fn phrase_texts(self, runs: &[Vec<usize>]) -> Vec<String> {
        runs.iter().map(|run| self.phrase(run)).collect()
    }

    /// Whether a complement of the clause begins at `i`, so that it is a separate qualifier.
    pub(super) fn begins_complement(self, i: usize, clause: &VerbClause) -> bool {
        let grammar = self.grammar();
        grammar.children(clause.verb).any(|k| grammar.leftmost(k) == i)
    }

    /// Whether a word only joins the clause to another one.
    pub(super) fn is_joining_word(self, i: usize, clause: &VerbClause) -> bool {
        let own = self.tree.head(i) == Some(clause.verb);
        let word = self.tree.lower(i);
        let mark = self.tree.label(i) == Label::Mark && !is_mere_preposition(self, clause.verb, i);
        own && (mark || JOINING_ADVERBS.contains(word) || word == "meanwhile")
    }
}
