//! The modality of a clause: denied, planned, conditional, asked, or reported.
//!
//! Invariant: a clause inherits modality from its governing clauses. "Anna thinks it will not work" is reported, is not
//! a plan of the owner's, and is negated.

use std::collections::HashSet;
use std::sync::LazyLock;

use memora_claim::Modality;
use memora_nlp::{Label, Upos, Xpos};

use super::parsed_sentence::ParsedSentence;
use crate::clause::tree_query::PhraseExtent;
use crate::clause::{ClauseWord, VerbClause};
use crate::lemma::base_form;
use crate::lists::{
    ALL_BUT_PRONOUNS, ASSERTING_AUXILIARIES, BELIEF_ADJECTIVES, CONDITION_MARKERS, CONDITION_OPENERS,
    CONDITIONAL_AUXILIARIES, DISMISSING_VERBS, FUTURE_VERBS, HEARSAY_ADVERBS, HYPOTHETICAL_AUXILIARIES,
    INTENTION_VERBS, INVERTED_OPENINGS, NEGATIVE_PRONOUNS, OPEN_HEADS, REPORTING_VERBS,
};

/// Whether a single word marks hearsay.
pub(super) fn is_hearsay_adverb(lower: &str) -> bool {
    HEARSAY_ADVERBS.contains(lower)
}

/// The modality of a clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClauseModality {
    pub(crate) modality: Option<Modality>,
    pub(crate) negated: bool,
    /// The speaker or thinker, with the verb: "Anna says".
    pub(crate) attribution: Option<String>,
    /// The speaker or thinker, without the verb.
    pub(crate) speaker: Option<String>,
    /// Whether it is a condition or an indirect question, which asserts nothing.
    pub(crate) asserts_nothing: bool,
}

/// Returns the modality of a clause, by its own words and by its governing clauses.
pub(super) fn detect_modality(sentence: ParsedSentence<'_>, clause: &VerbClause) -> ClauseModality {
    let tree = sentence.tree;
    let mut meant = ClauseModality { negated: is_negated(sentence, clause), ..ClauseModality::default() };
    let planned = is_planned(sentence, clause);
    let shared = sentence
        .grammar()
        .head_with_label(clause.verb, Label::Conj)
        .filter(|_| !sentence.grammar().has_subject(clause.verb));
    let opened = find_opening_condition(sentence);
    // "Not all riders finished" is not a negation for all.
    let not_all =
        (0..clause.verb).any(|i| tree.lower(i) == "not" && matches!(tree.lower(i + 1), "all" | "every" | "everyone"));
    // "Has Anna sold the boat": a question without a question mark.
    let inverted = clause
        .subject
        .is_some_and(|s| !sentence.range(s).is_empty() && clause.auxiliaries.first() == Some(&0) && s < clause.verb)
        && !INVERTED_OPENINGS.contains(tree.lower(0));
    // "All but Tom have a key": negated for him.
    let all_but = (0..clause.verb).any(|i| tree.lower(i + 1) == "but" && ALL_BUT_PRONOUNS.contains(tree.lower(i)));
    meant.asserts_nothing =
        inverted || not_all || all_but || opened.is_some_and(|end| sentence.range(clause.verb).start < end);
    let conditional = opened.is_some()
        || has_condition(sentence, clause.verb)
        || shared.is_some_and(|first| has_condition(sentence, first))
        || has_conditional_auxiliary(sentence, clause);
    inherit_modality(sentence, clause.verb, &mut meant);
    let own = if is_considered_and_dropped(sentence, clause) {
        Some(Modality::Rejected)
    } else if conditional {
        Some(Modality::Conditional)
    } else if planned {
        Some(Modality::Planned)
    } else {
        None
    };
    meant.modality = meant.modality.or(own);
    meant
}

/// Returns the end of the condition that opens the text: "Provided that she agrees, …", "Had I known, …".
fn find_opening_condition(sentence: ParsedSentence<'_>) -> Option<usize> {
    let end = sentence.text.find(',')?;
    let lower = sentence.text.trim_start().to_lowercase();
    let would = || lower.split_whitespace().any(|word| HYPOTHETICAL_AUXILIARIES.contains(word));
    let inverted = lower.starts_with("should ") || (lower.starts_with("had ") || lower.starts_with("were ")) && would();
    let opens = |opener: &&str| lower.strip_prefix(*opener).is_some_and(|rest| rest.starts_with(' '));
    (inverted || CONDITION_OPENERS.iter().any(opens)).then_some(end)
}

/// Whether an option was considered and dropped: "considered X but rejected it".
fn is_considered_and_dropped(sentence: ParsedSentence<'_>, clause: &VerbClause) -> bool {
    let tree = sentence.tree;
    let considers = matches!(tree.lower(clause.verb), "considered" | "evaluated" | "discussed" | "debated");
    considers
        && sentence
            .grammar()
            .children(clause.verb)
            .any(|k| tree.label(k) == Label::Conj && DISMISSING_VERBS.contains(tree.lower(k)))
}

/// Whether a clause is negated by its own words: "not", "never", "no longer", "neither", "no lift".
pub(super) fn is_negated(sentence: ParsedSentence<'_>, clause: &VerbClause) -> bool {
    let tree = sentence.tree;
    let grammar = sentence.grammar();
    let no = |i: usize| tree.upos(i) == Upos::Det && matches!(tree.lower(i), "no" | "neither" | "none");
    // "have yet to be asked"
    let yet = (0..tree.len()).any(|i| tree.lower(i) == "yet" && tree.lower(i + 1) == "to" && i < clause.verb);
    // "is disconnected and no longer syncs": a negation behind a conjunction applies to the next verb.
    let beyond = |v: usize, k: usize| (v..k).any(|i| tree.upos(i) == Upos::Cconj);
    let by_verb =
        |v: usize| grammar.children(v).any(|k| grammar.is_negation(k) && tree.upos(k) != Upos::Det && !beyond(v, k));
    let verbs = clause.predicate.iter().filter_map(|word| word.token());
    let mut verbs = verbs.chain([clause.verb]);
    let outer = clause.objects.iter().flatten().copied().filter(|i| no(*i));
    let subject = clause.subject.into_iter().flat_map(|s| grammar.subtree(s)).filter(|i| no(*i));
    let nor = (clause.verb..tree.len()).chain(0..clause.verb).any(|i| tree.lower(i) == "nor");
    let is_neither = |i: usize| tree.lower(i) == "neither";
    let of_objects = clause.objects.iter().flatten();
    let neither = of_objects.copied().any(|i| is_neither(i) || grammar.children(i).any(is_neither))
        || nor && (0..clause.verb).any(is_neither)
        || clause.subject.is_some_and(|s| {
            matches!(tree.lower(s), "nobody" | "nothing" | "none" | "neither")
                || grammar.children(s).any(|k| tree.lower(k) == "neither")
        });
    // "hasn't sold the boat or moved": both negated.
    let joined = grammar.head_with_label(clause.verb, Label::Conj).filter(|_| !grammar.has_subject(clause.verb));
    let or = grammar.first_child(clause.verb, Label::Cc).is_some_and(|cc| matches!(tree.lower(cc), "or" | "nor"));
    let before =
        joined.filter(|_| or).is_some_and(|first| grammar.children(first).any(|k| k < first && grammar.is_negation(k)));
    yet || before
        || clause.auxiliaries.iter().any(|i| grammar.is_negation(*i))
        || verbs.any(|v| grammar.is_negation(v) || by_verb(v))
        || outer.chain(subject).next().is_some()
        || neither
}

fn has_conditional_auxiliary(sentence: ParsedSentence<'_>, clause: &VerbClause) -> bool {
    let mut tokens = clause.predicate.iter().filter_map(|word| word.token());
    tokens.any(|i| CONDITIONAL_AUXILIARIES.contains(sentence.tree.lower(i)))
}

fn is_planned(sentence: ParsedSentence<'_>, clause: &VerbClause) -> bool {
    let tree = sentence.tree;
    // "Nadia to send the offer"
    let to_do = tree.xpos(clause.verb) == Xpos::Vb
        && tree.label(clause.verb) == Label::Root
        && sentence.grammar().children(clause.verb).any(|k| tree.label(k) == Label::Mark && tree.lower(k) == "to");
    let imperative = clause.subject.is_none()
        && matches!(tree.xpos(clause.verb), Xpos::Vb | Xpos::Vbp)
        && !clause.auxiliaries.iter().any(|i| ASSERTING_AUXILIARIES.contains(tree.lower(*i)));
    let opens = clause
        .predicate
        .iter()
        .any(|word| matches!(word, ClauseWord::Token(i) if tree.lower(*i) == "to" && tree.xpos(*i) == Xpos::To));
    let intends = opens
        && matches!(tree.xpos(clause.verb), Xpos::Vb | Xpos::Vbp | Xpos::Vbz | Xpos::Vbg)
        && INTENTION_VERBS.contains(intention_verb(tree.lower(clause.verb)).as_str());
    let mut said = clause.predicate.iter().filter_map(|word| word.token());
    let announced = said.any(|i| FUTURE_VERBS.contains(tree.lower(i)));
    imperative || to_do || intends || announced
}

/// Whether a condition depends on the verb: "…, if the frost comes".
fn has_condition(sentence: ParsedSentence<'_>, verb: usize) -> bool {
    let grammar = sentence.grammar();
    grammar.children(verb).any(|k| {
        let adverbial = matches!(sentence.tree.label(k), Label::Advcl | Label::Obl);
        adverbial
            && (has_marker(sentence, k, |word| CONDITION_MARKERS.contains(word)) && !is_concessive(sentence, k)
                || starts_with_in_case(sentence, k))
    })
}

/// Whether a conditional clause is concessive: "even if it rains".
fn is_concessive(sentence: ParsedSentence<'_>, clause: usize) -> bool {
    let first = sentence.grammar().leftmost(clause);
    let before = first.checked_sub(1).map_or("", |before| sentence.tree.lower(before));
    sentence.tree.lower(first) == "even" || before == "even"
}

fn has_marker(sentence: ParsedSentence<'_>, clause: usize, listed: impl Fn(&str) -> bool) -> bool {
    let grammar = sentence.grammar();
    grammar.children(clause).any(|k| {
        matches!(sentence.tree.label(k), Label::Mark | Label::Case | Label::Advmod) && listed(sentence.tree.lower(k))
    })
}

fn starts_with_in_case(sentence: ParsedSentence<'_>, clause: usize) -> bool {
    let grammar = sentence.grammar();
    let first = grammar.leftmost(clause);
    sentence.tree.lower(first) == "in" && sentence.tree.lower(first + 1) == "case"
}

/// Applies the modality of the governing clauses.
fn inherit_modality(sentence: ParsedSentence<'_>, verb: usize, meant: &mut ClauseModality) {
    let grammar = sentence.grammar();
    let tree = sentence.tree;
    let mut v = verb;
    // A tree has no cycle, so this ends at its root.
    for _ in 0..tree.len() {
        let Some(head) = tree.head(v) else { break };
        match tree.label(v) {
            // "said that A, and that B" is all reported; in "A, and B did C" the second clause is independent.
            Label::Conj if !grammar.has_subject(v) || tree.label(head) == Label::Ccomp => {}
            Label::Conj | Label::Parataxis => break,
            Label::Advcl if has_marker(sentence, v, |word| CONDITION_MARKERS.contains(word)) => {
                meant.asserts_nothing = true;
            }
            Label::Ccomp | Label::Csubj | Label::Xcomp => inherit_speech(sentence, v, head, meant),
            _ => {}
        }
        v = head;
    }
    apply_according_to(sentence, verb, meant);
    let hearsay = grammar.children(verb).find(|k| HEARSAY_ADVERBS.contains(tree.lower(*k)));
    if let Some(adverb) = hearsay {
        meant.modality = Some(Modality::Reported);
        meant.attribution = Some(sentence.phrase(&[adverb]));
    }
    apply_trailing_speech(sentence, verb, meant);
}

/// Applies the modality of `governor`, whose object is this clause.
fn inherit_speech(sentence: ParsedSentence<'_>, v: usize, governor: usize, meant: &mut ClauseModality) {
    let tree = sentence.tree;
    let grammar = sentence.grammar();
    if tree.label(v) == Label::Xcomp {
        return;
    }
    let asks = has_marker(sentence, v, |word| matches!(word, "if" | "whether"))
        || grammar.children(v).any(|k| matches!(tree.xpos(k), Xpos::Wrb | Xpos::Wp | Xpos::Wdt) && k < v);
    let head = tree.lower(governor);
    // The subject of the governing verb is negative: "No one thinks that he owns it".
    let nobody = grammar.resolve_subject(governor).is_some_and(|s| {
        NEGATIVE_PRONOUNS.contains(tree.lower(s))
            || grammar.children(s).any(|k| matches!(tree.lower(k), "no" | "few" | "hardly"))
    });
    let denied = nobody || grammar.children(governor).any(|k| grammar.is_negation(k));
    // "It is not true that he owns it", "I wish he did"
    let is_open = OPEN_HEADS.contains(head) || CONDITION_MARKERS.contains(head) || head == "true" && denied;
    if asks || is_open {
        meant.asserts_nothing = true;
        return;
    }
    // "Make sure that it is closed", "Be sure that it is": a task.
    let told = !grammar.has_subject(governor)
        && grammar.first_child(governor, Label::Cop).is_some_and(|copula| tree.lower(copula) == "be");
    let made = told
        || grammar.head_with_label(governor, Label::Xcomp).is_some_and(|verb| base_form(tree.lower(verb)) == "make");
    if made && head == "sure" {
        meant.modality = meant.modality.or(Some(Modality::Planned));
        return;
    }
    if (is_speech_verb(head) || BELIEF_ADJECTIVES.contains(head)) && meant.attribution.is_none() {
        meant.modality = Some(Modality::Reported);
        meant.attribution = Some(attribution_phrase(sentence, governor));
        meant.speaker =
            grammar.resolve_subject(governor).map(|s| sentence.phrase(&grammar.noun_phrase(s, PhraseExtent::Whole)));
        meant.negated ^= denied || matches!(base_form(head).as_str(), "doubt" | "deni");
    }
}

/// Returns the governing verb with its subject: "Anna says".
fn attribution_phrase(sentence: ParsedSentence<'_>, governor: usize) -> String {
    let grammar = sentence.grammar();
    let mut words =
        grammar.resolve_subject(governor).map(|s| grammar.noun_phrase(s, PhraseExtent::Whole)).unwrap_or_default();
    words.extend(grammar.auxiliaries(governor));
    words.push(governor);
    words.sort_unstable();
    words.dedup();
    sentence.phrase(&words)
}

/// Applies "According to the vet, …".
fn apply_according_to(sentence: ParsedSentence<'_>, verb: usize, meant: &mut ClauseModality) {
    let grammar = sentence.grammar();
    let tree = sentence.tree;
    for k in grammar.children(verb) {
        let first = grammar.leftmost(k);
        // "per the vet", and not "per year"
        let source = tree.upos(k) == Upos::Propn || grammar.first_child(k, Label::Det).is_some();
        // "scales according to its width": manner, not attribution.
        let manner = k > verb && !grammar.follows_comma(k);
        let according = tree.lower(first) == "according" && !manner || tree.lower(first) == "per" && source;
        if according && matches!(tree.label(k), Label::Obl | Label::Advmod | Label::Advcl | Label::Dep) {
            meant.modality = Some(Modality::Reported);
            meant.attribution = Some(sentence.phrase(&grammar.subtree(k)));
        }
    }
}

/// Applies a verb of saying behind the clause, or within it: "…, he said".
fn apply_trailing_speech(sentence: ParsedSentence<'_>, verb: usize, meant: &mut ClauseModality) {
    let grammar = sentence.grammar();
    let said = grammar.children(verb).find(|k| {
        sentence.tree.label(*k) == Label::Parataxis
            && grammar.has_subject(*k)
            && is_speech_verb(sentence.tree.lower(*k))
            && !grammar.has_child(*k, |label| matches!(label, Label::Ccomp | Label::Obj))
    });
    if let Some(said) = said {
        meant.modality = Some(Modality::Reported);
        meant.attribution = Some(attribution_phrase(sentence, said));
    }
}

/// Returns the verb in the form of the lists above.
fn intention_verb(form: &str) -> String {
    let plain = base_form(form);
    INTENTION_VERBS.iter().find(|verb| base_form(verb) == plain).map_or(plain, |verb| (*verb).to_owned())
}

/// Whether a form belongs to a verb of speech or thought.
pub(crate) fn is_speech_verb(form: &str) -> bool {
    static BASES: LazyLock<HashSet<String>> =
        LazyLock::new(|| REPORTING_VERBS.iter().map(|verb| base_form(verb)).collect());
    BASES.contains(&base_form(form))
}
