//! The subject of a clause.

use memora_nlp::{Label, Xpos};

use super::tree_query::{TreeQuery, is_subject_label};

/// The maximum number of steps to inherit a subject: "Anna went, sat down, and began to read" takes two.
const STEPS_MAX: usize = 7;

impl TreeQuery<'_> {
    /// Returns the head of the subject of the clause of `verb`, its own or inherited:
    ///
    /// 1. its own subject; for "who" or "which", the antecedent of the relative clause;
    /// 2. for a coordinated verb, the first verb's ("built *and sold*");
    /// 3. for an open complement, the governing verb's object, else its subject ("wants *to learn*");
    /// 4. for a participle behind a noun, that noun ("a bridge *built in 1900*");
    /// 5. for an adverbial clause without one, the main clause's ("*having lost*, they left").
    pub(crate) fn resolve_subject(self, verb: usize) -> Option<usize> {
        let tree = self.tree;
        let mut v = verb;
        for _ in 0..STEPS_MAX {
            if let Some(own) = self.children(v).find(|k| is_subject_label(tree.label(*k))) {
                return if self.is_relative_pronoun(own) { self.resolve_antecedent(v, own) } else { Some(own) };
            }
            let head = tree.head(v)?;
            match tree.label(v) {
                Label::Conj if self.first_child(v, Label::Expl).is_none() => v = head,
                Label::Xcomp => {
                    let object = self.first_child(head, Label::Obj).or_else(|| self.first_child(head, Label::Iobj));
                    if let Some(object) = object.filter(|object| *object < v) {
                        return Some(object);
                    }
                    v = head;
                }
                Label::Acl => return Some(head),
                Label::AclRelcl => return matches!(tree.xpos(v), Xpos::Vbg | Xpos::Vbn).then_some(head),
                Label::Advcl => v = head,
                _ => return None,
            }
        }
        None
    }

    /// Returns the antecedent of the relative pronoun `own`, the subject of `verb`.
    fn resolve_antecedent(self, verb: usize, own: usize) -> Option<usize> {
        let mut first = verb;
        for _ in 0..STEPS_MAX {
            let Some(head) = self.head_with_label(first, Label::Conj) else { break };
            first = head;
        }
        match self.head_with_label(first, Label::AclRelcl) {
            Some(head) => Some(head),
            None => (self.tree.lower(own) == "that").then_some(own),
        }
    }

    /// Whether `verb` heads the sentence, or is coordinated to its head.
    pub(crate) fn is_main_clause(self, verb: usize) -> bool {
        let mut v = verb;
        for _ in 0..STEPS_MAX {
            match (self.tree.label(v), self.tree.head(v)) {
                (Label::Conj | Label::Parataxis, Some(head)) => v = head,
                (label, _) => return label == Label::Root,
            }
        }
        false
    }
}
