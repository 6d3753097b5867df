//! Factuality: whether a clause asserts anything, or only gives a time, a condition, or a restriction.

use memora_nlp::{Label, Upos, Xpos};

use super::modality::is_speech_verb;
use super::parsed_sentence::ParsedSentence;
use super::reading::ReadingContext;
use crate::clause::{ClauseKind, VerbClause};
use crate::lists::{
    ALTERNATIVE_AUXILIARIES, CIRCUMSTANCE_CONJUNCTIONS, EMPTY_SUBJECTS, OBJECT_QUESTION_WORDS, OPEN_CONJUNCTIONS,
    PLAIN_CONJUNCTIONS,
};

/// Whether a clause is not worth a claim, or is covered by another clause.
pub(super) fn is_unclaimable(sentence: ParsedSentence<'_>, clause: &VerbClause, place: ReadingContext<'_>) -> bool {
    let tree = sentence.tree;
    let grammar = sentence.grammar();
    match clause.kind {
        ClauseKind::Infinitive | ClauseKind::Gerund | ClauseKind::Adverbial | ClauseKind::Open => return true,
        // The inner clause is claimed, with its speaker.
        ClauseKind::Says => {
            return grammar.first_child(clause.verb, Label::Ccomp).is_some_and(|inner| grammar.has_subject(inner));
        }
        // Restrictions only: "the notes you want", "the vault identified by it".
        ClauseKind::Relative | ClauseKind::Participle if !grammar.follows_comma(clause.verb) => return true,
        _ => {}
    }
    // "See the settings": a pointer, not a plan.
    let pointer = clause.subject.is_none() && matches!(tree.lower(clause.verb), "see" | "refer" | "thanks" | "please");
    // "helpful for debugging issues": beside a finite verb an -ing form states a purpose.
    let finite = |i: usize| matches!(tree.xpos(i), Xpos::Vbz | Xpos::Vbd | Xpos::Vbp | Xpos::Md);
    let beside = tree.xpos(clause.verb) == Xpos::Vbg && !is_finite(sentence, clause) && (0..tree.len()).any(finite);
    // "… once they are resolved"
    let first = clause.subject.map_or(clause.verb, |subject| grammar.leftmost(subject));
    let once = first.checked_sub(1).is_some_and(|before| OPEN_CONJUNCTIONS.contains(tree.lower(before)));
    if pointer || beside || once {
        return true;
    }
    // "Using X": an action without an actor.
    let loose = clause.subject.is_none() && tree.xpos(clause.verb) == Xpos::Vbg && !is_finite(sentence, clause);
    if loose || is_circumstantial(sentence, clause.verb) || is_alternative(sentence, clause.verb) {
        return true;
    }
    let asks = |object: &Vec<usize>| {
        object.first().is_some_and(|i| {
            matches!(tree.xpos(*i), Xpos::Wdt | Xpos::Wp | Xpos::Wrb) || OBJECT_QUESTION_WORDS.contains(tree.lower(*i))
        })
    };
    if clause.objects.iter().any(asks) {
        return true;
    }
    if sentence.is_time(clause.verb) {
        return true;
    }
    // "Excluded files remain in the vault": a participle before its noun, taken for the verb.
    let open = |k: usize| tree.label(k) == Label::Xcomp && matches!(tree.xpos(k), Xpos::Vbz | Xpos::Vbd | Xpos::Vbp);
    let nameless = clause.subject.is_none_or(|subject| sentence.range(subject).is_empty());
    if nameless && tree.lower(clause.verb).ends_with("ed") && grammar.children(clause.verb).any(open) {
        return true;
    }
    let Some(subject) = clause.subject else {
        return !place.lends || !may_lack_subject(sentence, clause);
    };
    if sentence.range(subject).is_empty() && !place.lends {
        return true;
    }
    if is_bare_relative(sentence, clause, subject) {
        return true;
    }
    let points = EMPTY_SUBJECTS.contains(tree.lower(subject));
    let within = grammar.subtree(subject);
    let asked = within.iter().any(|i| *i < subject && matches!(tree.lower(*i), "what" | "which" | "whose" | "how"));
    let points_back =
        asked || matches!(tree.lower(subject), "this" | "these" | "those") && tree.children(subject).is_empty();
    points || points_back
}

/// Whether a clause is a relative clause without its pronoun: "Select the note *you want to merge into*". That is
/// so if a noun is right in front of the subject without a separator, independent of the label.
fn is_bare_relative(sentence: ParsedSentence<'_>, clause: &VerbClause, subject: usize) -> bool {
    let tree = sentence.tree;
    let grammar = sentence.grammar();
    let first = grammar.leftmost(subject);
    let opens = matches!(tree.xpos(first), Xpos::Prp | Xpos::PrpPoss | Xpos::Dt);
    let told = tree.label(clause.verb) == Label::Ccomp
        && tree.head(clause.verb).is_some_and(|head| is_speech_verb(tree.lower(head)));
    // "the services and features you use": nothing parts it from what is before.
    let beside = matches!(tree.label(clause.verb), Label::Parataxis | Label::Xcomp)
        && grammar.first_child(clause.verb, Label::Cc).is_none();
    if opens && beside && first.checked_sub(1).is_some_and(|i| tree.upos(i) != Upos::Punct) {
        return true;
    }
    let Some(mut noun) = first.checked_sub(1).filter(|_| opens && !told) else { return false };
    let named = matches!(tree.upos(noun), Upos::Noun | Upos::Propn) || tree.lower(noun) == "one";
    if !named || sentence.is_time(noun) {
        return false;
    }
    // "features of Obsidian you want": the whole phrase counts.
    while let Some(head) = tree.head(noun).filter(|head| {
        *head < noun && matches!(tree.label(noun), Label::Nmod | Label::Compound | Label::Conj | Label::Flat)
    }) {
        noun = head;
    }
    // "In Berlin we met": what stands before the verb it hangs on opens the clause.
    let opening = !grammar.preposition(noun).is_empty() || matches!(tree.label(noun), Label::Obl | Label::OblUnmarked);
    !opening || tree.head(noun).is_some_and(|head| head < noun)
}

/// Whether a preposition belongs to a noun, though it is attached to the verb: "After benchmarks, drift switched".
pub(super) fn is_mere_preposition(sentence: ParsedSentence<'_>, verb: usize, k: usize) -> bool {
    matches!(sentence.tree.lower(k), "after" | "before" | "until" | "till")
        && sentence.tree.label(verb) == Label::Root
        && sentence.grammar().resolve_subject(verb).is_some_and(|s| (k..s).any(|i| sentence.tree.word(i) == ","))
}

/// Whether a clause only states the time or condition of another one.
fn is_circumstantial(sentence: ParsedSentence<'_>, verb: usize) -> bool {
    let tree = sentence.tree;
    // These are conjunctions under any label.
    let plainly = |k: usize| PLAIN_CONJUNCTIONS.contains(tree.lower(k));
    let asks = |k: usize| matches!(tree.label(k), Label::Mark) || tree.xpos(k) == Xpos::Wrb || plainly(k);
    let marked = |v: usize| {
        tree.children(v).iter().any(|k| {
            *k < v
                && asks(*k)
                && CIRCUMSTANCE_CONJUNCTIONS.contains(tree.lower(*k))
                && !is_mere_preposition(sentence, v, *k)
        })
    };
    // "when A does X and B does Y": both.
    let mut v = verb;
    for _ in 0..tree.len() {
        match tree.head(v) {
            Some(head) if tree.label(v) == Label::Conj && !marked(v) => v = head,
            _ => break,
        }
    }
    // "Confirm that it is visible" does not assert that it is.
    let demanded = tree.label(v) == Label::Ccomp
        && tree.head(v).is_some_and(|head| tree.xpos(head) == Xpos::Vb && !sentence.grammar().has_subject(head));
    marked(v) || demanded
}

/// Whether a clause is one of several alternatives: "either create a vault or use a folder".
fn is_alternative(sentence: ParsedSentence<'_>, verb: usize) -> bool {
    let tree = sentence.tree;
    let or = |v: usize| {
        tree.children(v).iter().any(|k| tree.label(*k) == Label::Cc && matches!(tree.lower(*k), "or" | "either"))
    };
    let may = |v: usize| tree.children(v).iter().any(|k| ALTERNATIVE_AUXILIARIES.contains(tree.lower(*k)));
    let joined = tree.label(verb) == Label::Conj && or(verb);
    let first =
        tree.children(verb).iter().any(|k| tree.label(*k) == Label::Conj && tree.upos(*k) == Upos::Verb && or(*k));
    let head = tree.head(verb).filter(|_| joined);
    (joined || first || tree.children(verb).iter().any(|k| tree.lower(*k) == "either"))
        && !may(verb)
        && !head.is_some_and(may)
}

/// Whether a line without a subject has a verb that allows it.
fn may_lack_subject(sentence: ParsedSentence<'_>, clause: &VerbClause) -> bool {
    let tree = sentence.tree;
    let grammar = sentence.grammar();
    let first = clause.predicate.iter().find_map(|word| word.token()).unwrap_or(clause.verb);
    let mut verb = clause.verb;
    // Of coordinated verbs the first one counts.
    while let Some(head) = grammar.head_with_label(verb, Label::Conj) {
        verb = head;
    }
    let hangs = |i: usize| {
        grammar.children(verb).any(|k| {
            matches!(
                tree.label(k),
                Label::Obl | Label::OblUnmarked | Label::Advmod | Label::Advcl | Label::Discourse | Label::Vocative
            ) && grammar.subtree(k).contains(&i)
        })
    };
    let noun =
        |i: usize| matches!(tree.upos(i), Upos::Noun | Upos::Propn | Upos::Pron | Upos::Num) && !sentence.is_time(i);
    let limit = first.min(verb);
    grammar.is_main_clause(clause.verb) && !(0..limit).any(|i| noun(i) && !hangs(i))
}

pub(super) fn is_finite(sentence: ParsedSentence<'_>, clause: &VerbClause) -> bool {
    let finite = |i: usize| {
        matches!(sentence.tree.xpos(i), Xpos::Vbz | Xpos::Vbd | Xpos::Vbp | Xpos::Md)
            || sentence.tree.lower(i) == "going"
    };
    finite(clause.verb)
        || clause.auxiliaries.iter().any(|i| finite(*i))
        || clause.subject.is_none()
            && sentence.tree.xpos(clause.verb) == Xpos::Vb
            && sentence.tree.label(clause.verb) == Label::Root
}
