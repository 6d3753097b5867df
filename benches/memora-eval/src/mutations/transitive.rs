//! Transitive clauses: agent, verb and patient.

use std::ops::Range;

use memora_nlp::{Label, Upos, Xpos};

use super::editable_sentence::EditableSentence;
use crate::lists::{PASSIVE_BARRIERS, STATIVE_VERBS};

/// A verb with its subject and object, both noun phrases, adjacent and in that order.
pub(crate) struct TransitiveClause {
    pub(crate) subject: Range<usize>,
    pub(crate) verb: usize,
    pub(crate) object: Range<usize>,
    pub(crate) heads: (usize, usize),
}

pub(crate) fn find_transitive(parsed: &EditableSentence) -> Option<TransitiveClause> {
    let verb = parsed.root()?;
    let fits = |at: usize| {
        matches!(parsed.words[at].label, Label::Nsubj | Label::Obj | Label::Obl | Label::Advmod | Label::Punct)
    };
    let finite = matches!(parsed.words[verb].xpos, Xpos::Vbz | Xpos::Vbd);
    if !finite || STATIVE_VERBS.contains(parsed.lower(verb)) || !parsed.children(verb).all(fits) {
        return None;
    }
    let (subject, object) =
        (parsed.child_with_label(verb, &[Label::Nsubj])?, parsed.child_with_label(verb, &[Label::Obj])?);
    let noun = |at: usize| matches!(parsed.words[at].upos, Upos::Noun | Upos::Propn);
    let (heads, subject, object) = ((subject, object), parsed.phrase(subject)?, parsed.phrase(object)?);
    let pronoun = |run: &Range<usize>| {
        run.clone().any(|at| parsed.words[at].upos == Upos::Pron || parsed.words[at].label == Label::AclRelcl)
    };
    let alone = subject.start == 0 && subject.end == verb && object.start == verb + 1 && noun(heads.0) && noun(heads.1);
    let short = subject.len() <= 7 && object.len() <= 7 && !pronoun(&subject) && !pronoun(&object);
    let denied = parsed.has_any_word(&*PASSIVE_BARRIERS);
    // A bare singular noun may be a label, or a verb tagged as a noun.
    let bare =
        |run: &Range<usize>, at: usize| parsed.words[at].xpos == Xpos::Nn && parsed.words[run.start].upos == Upos::Noun;
    let denied = denied || bare(&subject, heads.0) || matches!(parsed.lower(object.start), "what" | "that");
    (alone && short && !denied).then_some(TransitiveClause { subject, verb, object, heads })
}
