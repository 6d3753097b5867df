//! False sentences: the same words with a different grammatical structure.

use memora_nlp::{Label, Upos, Xpos};

use super::editable_sentence::{EditableSentence, capitalize};
use super::fact_forms::FactForm;
use super::facts::{Fact, FactCorpus};
use super::paraphrases::{lowercase_start, task_in_past};
use super::random::SeededRandom;
use super::substitutions::Alteration;
use super::transitive::find_transitive;
use super::verb_forms::{base_of_past, base_of_third_person, past_participle, third_person_form};
use crate::lists::{
    BELIEVING_VERBS, DEVICES, LIMIT_BARRIERS, NEGATION_BOUND, NEGATION_CUES, OPEN_PRONOUNS, RECURRING_DAYS,
    SEQUENCE_CONJUNCTIONS, STRONG_AUXILIARIES, UNSURE_CUES, WANTING_VERBS,
};

pub(crate) const KINDS: &[(&str, Alteration)] = &[
    ("direction", swap_direction),
    ("negation added", add_negation),
    ("negation removed", remove_negation),
    ("modality", change_modality),
    ("modality, can to must", change_can_to_must),
    ("condition dropped", drop_condition),
    ("qualifier dropped", drop_qualifier),
];

/// Swaps the agent and the patient.
fn swap_direction(fact: &Fact, world: &FactCorpus, _: &mut SeededRandom) -> Vec<String> {
    let Some(parsed) = fact.sentence() else { return Vec::new() };
    let mut found = Vec::new();
    found.extend(swap_subject_object(parsed, world));
    found.extend(swap_from_to(parsed));
    found
}

fn swap_subject_object(parsed: &EditableSentence, world: &FactCorpus) -> Option<String> {
    let roles = find_transitive(parsed)?;
    // The verb must agree with both.
    let agrees = parsed.words[roles.verb].xpos == Xpos::Vbd
        || parsed.is_plural(roles.heads.0) == parsed.is_plural(roles.heads.1);
    let subject = parsed.run_text(&roles.subject);
    let inner = lowercase_start(parsed, world)?;
    let agent = inner.get(..subject.len())?;
    let apart = parsed.lower(roles.heads.0) != parsed.lower(roles.heads.1);
    let swap = [
        (parsed.byte_range(&roles.subject), capitalize(parsed.run_text(&roles.object))),
        (parsed.byte_range(&roles.object), agent.to_owned()),
    ];
    let swap = [(swap[0].0.clone(), swap[0].1.as_str()), (swap[1].0.clone(), swap[1].1.as_str())];
    (agrees && apart).then(|| parsed.replace_bytes(&swap))
}

/// "from A to B" becomes "from B to A".
fn swap_from_to(parsed: &EditableSentence) -> Option<String> {
    let cased = |case: &str| {
        (0..parsed.words.len()).find_map(|at| {
            let phrase = parsed.phrase(at)?;
            let fits = matches!(parsed.words[at].label, Label::Obl | Label::Nmod) && parsed.lower(phrase.start) == case;
            fits.then_some((at, phrase))
        })
    };
    let ((from, source), (to, target)) = (cased("from")?, cased("to")?);
    let (source, target) = (source.start + 1..source.end, target.start + 1..target.end);
    let names = parsed.words[from].upos == parsed.words[to].upos
        && source.end <= target.start
        && target.start - source.end <= 1;
    let edits = [
        (parsed.byte_range(&source), parsed.run_text(&target)),
        (parsed.byte_range(&target), parsed.run_text(&source)),
    ];
    (names && source.len() <= 4 && target.len() <= 4).then(|| parsed.replace_bytes(&edits))
}

/// "uses" becomes "does not use".
fn add_negation(fact: &Fact, _: &FactCorpus, _: &mut SeededRandom) -> Vec<String> {
    let Some(parsed) = fact.sentence() else { return Vec::new() };
    negate_root(parsed).into_iter().collect()
}

/// Finds the first auxiliary or copula.
fn first_auxiliary(parsed: &EditableSentence, root: usize) -> Option<usize> {
    parsed.children(root).filter(|at| matches!(parsed.words[*at].label, Label::Aux | Label::AuxPass | Label::Cop)).min()
}

fn negate_root(parsed: &EditableSentence) -> Option<String> {
    let root = parsed.root()?;
    if parsed.has_any_word(&*NEGATION_CUES) || parsed.has_any_word(&*UNSURE_CUES) {
        return None;
    }
    // "X and does Y": the scope of a negation would be ambiguous.
    if parsed.children(root).any(|at| parsed.words[at].label == Label::Conj) {
        return None;
    }
    if let Some(at) = first_auxiliary(parsed, root) {
        let word = parsed.lower(at);
        let strong = STRONG_AUXILIARIES.contains(word);
        return match word {
            "can" => Some(parsed.replace_word(at, "cannot")),
            _ if strong && parsed.words[at].sure => Some(parsed.replace_word(at, &format!("{word} not"))),
            _ => None,
        };
    }
    let word = parsed.lower(root);
    // "regularly checks" becomes "does not regularly check".
    let adverb =
        root.checked_sub(1).filter(|at| parsed.words[*at].upos == Upos::Adv && parsed.words[*at].head == Some(root));
    let start = adverb.unwrap_or(root);
    let between = adverb.map_or_else(String::new, |at| format!("{} ", parsed.lower(at)));
    let new = match parsed.words[root].xpos {
        Xpos::Vbz => format!("does not {between}{}", base_of_third_person(word)?),
        Xpos::Vbp => format!("do not {between}{word}"),
        Xpos::Vbd => base_of_past(word)
            .map_or_else(|| format!("never {between}{word}"), |base| format!("did not {between}{base}")),
        _ => return None,
    };
    Some(parsed.replace_bytes(&[(parsed.byte_range(&(start..root + 1)), &new)]))
}

/// "does not use" becomes "uses".
fn remove_negation(fact: &Fact, _: &FactCorpus, _: &mut SeededRandom) -> Vec<String> {
    let Some(parsed) = fact.sentence() else { return Vec::new() };
    affirm_root(parsed).into_iter().collect()
}

fn affirm_root(parsed: &EditableSentence) -> Option<String> {
    let denials: Vec<usize> = (0..parsed.words.len()).filter(|at| NEGATION_CUES.contains(parsed.lower(*at))).collect();
    let [at] = denials[..] else { return None };
    let root = parsed.root()?;
    if parsed.has_any_word(&*NEGATION_BOUND) || parsed.child_with_label(root, &[Label::Conj]).is_some() {
        return None;
    }
    if matches!(parsed.lower(at), "no") {
        let noun = parsed.words[at].head.filter(|noun| *noun > at && parsed.words[*noun].label != Label::Advmod)?;
        // In "third floor, no lift" the verb is not negated.
        let said = matches!(parsed.words[noun].label, Label::Obj | Label::Nmod | Label::Obl)
            || parsed.words[noun].head == Some(root);
        let listed = matches!(
            parsed.words[noun].label,
            Label::Appos | Label::Conj | Label::Parataxis | Label::Advcl | Label::Acl
        );
        if noun != root && (!said || listed) {
            return None;
        }
        let next = parsed.word(at + 1);
        let new = match parsed.words[noun].xpos {
            Xpos::Nn if next.starts_with(['a', 'e', 'i', 'o']) => "an",
            Xpos::Nn => "a",
            Xpos::Nns => "some",
            _ => return None,
        };
        return Some(parsed.replace_word(at, new));
    }
    if parsed.words[at].head != Some(root) {
        return None;
    }
    if parsed.lower(at) == "never" {
        return (at + 1 == root).then(|| parsed.remove_run(&(at..at + 1)));
    }
    if !matches!(parsed.lower(at), "not" | "n't") || at == 0 {
        return None;
    }
    let support = at - 1;
    match parsed.lower(support) {
        "does" => {
            let verb = third_person_form(parsed.lower(root));
            (root == at + 1).then(|| {
                parsed.replace_bytes(&[(parsed.words[support].bytes.start..parsed.words[root].bytes.end, &verb)])
            })
        }
        "do" => (root == at + 1).then(|| {
            let verb = parsed.word(root).to_owned();
            parsed.replace_bytes(&[(parsed.words[support].bytes.start..parsed.words[root].bytes.end, &verb)])
        }),
        "ca" | "can" => {
            Some(parsed.replace_bytes(&[(parsed.words[support].bytes.start..parsed.words[at].bytes.end, "can")]))
        }
        "is" | "are" | "was" | "were" | "will" | "has" | "have" | "should" | "must" => {
            Some(parsed.replace_bytes(&[(
                parsed.words[support].bytes.start..parsed.words[at].bytes.end,
                parsed.word(support),
            )]))
        }
        _ => None,
    }
}

/// Turns possibility into fact, plans into completed actions, and beliefs into assertions.
fn change_modality(fact: &Fact, _: &FactCorpus, _: &mut SeededRandom) -> Vec<String> {
    match &fact.form {
        FactForm::Sentence(parsed) => strengthen_modality(parsed),
        FactForm::Task { what, done: false } => task_in_past(what).into_iter().collect(),
        FactForm::Task { what, done: true } => {
            vec![format!("You still have to {}.", what.run_text(&(1..what.body_end())))]
        }
        FactForm::KeyValue { .. } => Vec::new(),
    }
}

fn strengthen_modality(parsed: &EditableSentence) -> Vec<String> {
    let mut found = Vec::new();
    let Some(root) = parsed.root() else { return found };
    let denied = parsed.has_any_word(&*NEGATION_CUES);
    let conditional = parsed.has_any_word(&["if", "whether"]);
    let helpers: Vec<usize> = parsed.children(root).filter(|at| parsed.words[*at].label == Label::Aux).collect();
    for at in helpers.into_iter().filter(|_| !denied) {
        match parsed.lower(at) {
            "may" | "might" | "could" if !conditional => found.push(parsed.replace_word(at, "will")),
            "will"
                if at + 1 == root
                    && !matches!(
                        parsed.lower(root),
                        "need" | "have" | "see" | "want" | "be" | "like" | "require" | "find"
                    )
                    && !conditional
                    && !parsed.has_any_word(&*SEQUENCE_CONJUNCTIONS) =>
            {
                let subject = parsed.child_with_label(root, &[Label::Nsubj]);
                if let (Some(done), Some(subject)) = (past_participle(parsed.lower(root)), subject) {
                    let have = if parsed.is_plural(subject) { "have" } else { "has" };
                    found.push(parsed.replace_bytes(&[(
                        parsed.words[at].bytes.start..parsed.words[root].bytes.end,
                        &format!("{have} already {done}"),
                    )]));
                }
            }
            _ => {}
        }
    }
    for (at, word) in parsed.words.iter().enumerate() {
        let hedge =
            matches!(word.lower.as_str(), "probably" | "perhaps" | "possibly" | "maybe" | "presumably" | "apparently");
        if hedge && word.upos == Upos::Adv {
            found.push(parsed.remove_run(&(at..at + 1)));
        }
    }
    // "wants to take over" becomes "takes over".
    let wants = WANTING_VERBS.contains(parsed.lower(root)) && !denied;
    let wanted = parsed
        .child_with_label(root, &[Label::Xcomp])
        .filter(|at| wants && *at == root + 2 && parsed.lower(root + 1) == "to");
    if let Some(at) = wanted {
        found.push(parsed.replace_bytes(&[(parsed.byte_range(&(root..at + 1)), &third_person_form(parsed.lower(at)))]));
    }
    // "Tomasz thinks that the clock is wrong."
    let thinks = BELIEVING_VERBS.contains(parsed.lower(root));
    let thought = parsed.child_with_label(root, &[Label::Ccomp]).filter(|_| thinks).and_then(|at| parsed.phrase(at));
    if let Some(thought) = thought.filter(|run| run.end == parsed.body_end()) {
        let start = if parsed.lower(thought.start) == "that" { thought.start + 1 } else { thought.start };
        found.push(format!("{}.", capitalize(parsed.run_text(&(start..thought.end)))));
    }
    found
}

/// Replaces "can" with "must".
fn change_can_to_must(fact: &Fact, _: &FactCorpus, _: &mut SeededRandom) -> Vec<String> {
    let Some(parsed) = fact.sentence() else { return Vec::new() };
    let root = parsed.root().filter(|root| {
        parsed.words[*root].upos == Upos::Verb
            && !parsed.has_any_word(&*NEGATION_CUES)
            && !parsed.has_any_word(&["if", "whether"])
    });
    let can = root.and_then(|root| {
        parsed.children(root).find(|at| parsed.lower(*at) == "can" && parsed.words[*at].label == Label::Aux)
    });
    can.map(|at| parsed.replace_word(at, "must")).into_iter().collect()
}

/// "If A, B" becomes "B".
fn drop_condition(fact: &Fact, _: &FactCorpus, _: &mut SeededRandom) -> Vec<String> {
    fact.sentence().and_then(without_condition).into_iter().collect()
}

fn without_condition(parsed: &EditableSentence) -> Option<String> {
    let root = parsed.root()?;
    let clause = parsed.children(root).find(|at| {
        parsed.words[*at].label == Label::Advcl
            && parsed
                .child_with_label(*at, &[Label::Mark])
                .is_some_and(|mark| matches!(parsed.lower(mark), "if" | "unless"))
    })?;
    let run = parsed.phrase(clause)?;
    // "If you want to, you can" is not a condition, and neither is "even if".
    let wish = run
        .clone()
        .any(|at| matches!(parsed.lower(at), "want" | "need" | "prefer" | "like" | "would" | "wish" | "even" | "as"));
    let subject = parsed.child_with_label(root, &[Label::Nsubj, Label::NsubjPass])?;
    let able = parsed
        .children(root)
        .any(|at| matches!(parsed.lower(at), "can" | "may" | "might" | "could" | "should" | "would" | "must"));
    // The remaining clause must name its topic.
    let pronoun = (0..parsed.words.len())
        .filter(|at| !run.contains(at))
        .any(|at| matches!(parsed.lower(at), "it" | "they" | "them" | "its" | "their" | "one" | "ones"));
    let named = parsed.words[subject].upos != Upos::Pron || parsed.lower(subject) == "you";
    let hangs = run.start.checked_sub(1).is_some_and(|before| matches!(parsed.lower(before), "of" | "even" | "only"));
    let that = (0..parsed.words.len()).any(|at| parsed.lower(at) == "that" && parsed.words[at].upos != Upos::Sconj);
    let whole = !hangs && !that && (run.start == 0 && parsed.lower(run.end) == "," || run.end == parsed.body_end());
    (!wish && !able && !pronoun && named && whole && parsed.words[root].xpos != Xpos::Vb
        || has_will(parsed, root) && !wish && !pronoun && named && whole)
        .then(|| parsed.remove_run(&run))
        .filter(|rest| !rest.starts_with("That "))
}

fn has_will(parsed: &EditableSentence, root: usize) -> bool {
    parsed.children(root).any(|at| parsed.lower(at) == "will")
}

/// Drops the limit of a negation or of a general statement, so that the sentence claims more than its source.
fn drop_qualifier(fact: &Fact, _: &FactCorpus, _: &mut SeededRandom) -> Vec<String> {
    let Some(parsed) = fact.sentence() else { return Vec::new() };
    let Some(root) = parsed.root() else { return Vec::new() };
    let mut found = Vec::new();
    // "On mobile, the bar is hidden": the bar is hidden. "closed on Wednesdays": closed.
    for at in parsed.children(root).filter(|at| parsed.words[*at].label == Label::Obl) {
        let Some(run) = parsed.phrase(at).filter(|run| parsed.lower(run.start) == "on") else { continue };
        let front = run.start == 0 && DEVICES.contains(parsed.lower(at)) && !parsed.has_any_word(&*LIMIT_BARRIERS);
        let end = run.end == parsed.body_end() && RECURRING_DAYS.contains(parsed.lower(at));
        if front || end {
            found.push(parsed.remove_run(&run));
        }
    }
    // "does not open without a key" becomes "does not open".
    let denied = parsed.children(root).any(|at| matches!(parsed.lower(at), "not" | "n't" | "never"));
    for at in parsed.children(root).filter(|at| *at > root) {
        let Some(run) = parsed.phrase(at).filter(|run| run.end == parsed.body_end() && run.len() > 1) else { continue };
        let first = parsed.lower(run.start);
        let limits = match parsed.words[at].label {
            Label::Obl => {
                denied && matches!(first, "without" | "before" | "after" | "until" | "during" | "outside")
                    || first == "except"
            }
            Label::Advcl => {
                denied && matches!(first, "until" | "before" | "if" | "when" | "while" | "without") || first == "unless"
            }
            _ => false,
        };
        if limits && !parsed.has_any_word(&*OPEN_PRONOUNS) {
            found.push(parsed.remove_run(&run));
        }
    }
    // "starts only when it is asked to" becomes "starts".
    if let Some(only) = (root + 1..parsed.words.len())
        .find(|at| parsed.lower(*at) == "only" && matches!(parsed.lower(at + 1), "if" | "when" | "after"))
    {
        found.push(parsed.remove_run(&(only..parsed.body_end())));
    }
    found
}
