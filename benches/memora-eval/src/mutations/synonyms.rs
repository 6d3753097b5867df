//! True sentences: synonyms and contractions.

use memora_nlp::{Label, Upos, Xpos};

use super::facts::{Fact, FactCorpus};

/// Words with the same meaning in every context, with their part of speech.
const SYNONYMS: &[(&str, &str, Upos)] = &[
    ("about", "approximately", Upos::Adv),
    ("although", "though", Upos::Sconj),
    ("because", "since", Upos::Sconj),
    ("begin", "start", Upos::Verb),
    ("big", "large", Upos::Adj),
    ("bought", "purchased", Upos::Verb),
    ("choose", "select", Upos::Verb),
    ("chooses", "selects", Upos::Verb),
    ("chose", "selected", Upos::Verb),
    ("delete", "remove", Upos::Verb),
    ("deletes", "removes", Upos::Verb),
    ("deleted", "removed", Upos::Verb),
    ("display", "show", Upos::Verb),
    ("displays", "shows", Upos::Verb),
    ("displayed", "shown", Upos::Verb),
    ("entire", "whole", Upos::Adj),
    ("fast", "quick", Upos::Adj),
    ("faster", "quicker", Upos::Adj),
    ("frequently", "often", Upos::Adv),
    ("generally", "usually", Upos::Adv),
    ("immediately", "at once", Upos::Adv),
    ("large", "big", Upos::Adj),
    ("larger", "bigger", Upos::Adj),
    ("multiple", "several", Upos::Adj),
    ("must", "have to", Upos::Aux),
    ("needs", "requires", Upos::Verb),
    ("often", "frequently", Upos::Adv),
    ("requires", "needs", Upos::Verb),
    ("select", "choose", Upos::Verb),
    ("show", "display", Upos::Verb),
    ("shows", "displays", Upos::Verb),
    ("small", "little", Upos::Adj),
    ("starts", "begins", Upos::Verb),
    ("started", "began", Upos::Verb),
    ("usually", "generally", Upos::Adv),
    ("uses", "makes use of", Upos::Verb),
    ("whole", "entire", Upos::Adj),
];

/// Replaces one word with a synonym.
pub(super) fn substitute_synonym(fact: &Fact, _: &FactCorpus) -> Vec<String> {
    let Some(parsed) = fact.sentence() else { return Vec::new() };
    let mut found = Vec::new();
    for (at, word) in parsed.words.iter().enumerate() {
        for (_, new, _) in SYNONYMS.iter().filter(|(old, _, upos)| word.lower == *old && word.upos == *upos) {
            let next = parsed.words.get(at + 1);
            let fits = match *new {
                // "require to do" is not English, and "begin a program" is not idiomatic.
                "requires" | "needs" | "makes use of" | "begins" | "began" | "start" => {
                    next.is_some_and(|next| matches!(next.upos, Upos::Det | Upos::Noun | Upos::Propn | Upos::Adj))
                        && !(new.starts_with("beg"))
                }
                "have to" => {
                    parsed
                        .root()
                        .and_then(|root| parsed.child_with_label(root, &[Label::Nsubj]))
                        .is_some_and(|s| parsed.is_plural(s))
                        && !parsed.has_any_word(&["not", "n't"])
                        && word.head == parsed.root()
                }
                "approximately" => next.is_some_and(|next| next.upos == Upos::Num),
                // An adverb cannot stand between a verb and its object.
                "at once" => parsed.words.get(at + 1).is_none_or(|next| next.upos == Upos::Punct),
                "shown" => word.xpos == Xpos::Vbn,
                "removed" | "selected" => true,
                "since" => at > 0,
                "several" => next.is_some_and(|next| next.xpos == Xpos::Nns),
                "little" => false,
                _ => true,
            };
            // Capitalized words inside a sentence are names and stay.
            let capital_inside = at > 0 && parsed.word(at).chars().next().is_some_and(char::is_uppercase);
            if fits && !capital_inside && !fact.words.contains(&format!("-{}", word.lower)) {
                found.push(parsed.replace_with_article(at, new));
            }
        }
    }
    found
}

const CONTRACTIONS: &[(&str, &str)] = &[
    ("can't", "cannot"),
    ("won't", "will not"),
    ("don't", "do not"),
    ("doesn't", "does not"),
    ("didn't", "did not"),
    ("isn't", "is not"),
    ("aren't", "are not"),
    ("wasn't", "was not"),
    ("hasn't", "has not"),
    ("haven't", "have not"),
    ("shouldn't", "should not"),
    ("couldn't", "could not"),
    ("you're", "you are"),
    ("you'll", "you will"),
    ("you've", "you have"),
];

/// Contracts "does not" to "doesn't", or expands it.
pub(super) fn change_contraction(fact: &Fact, _: &FactCorpus) -> Vec<String> {
    let Some(parsed) = fact.sentence() else { return Vec::new() };
    let text = parsed.text.replace('’', "'");
    let mut found = Vec::new();
    for (short, long) in CONTRACTIONS {
        // Matches whole lower-case words only.
        let spaced = |word: &str| format!(" {word} ");
        // "You have two" is not "you've two".
        let back = (!long.ends_with("have")).then_some((long, short));
        for (from, to) in std::iter::once((short, long)).chain(back) {
            if text.matches(&spaced(from)).count() == 1 {
                found.push(text.replacen(&spaced(from), &spaced(to), 1));
            }
        }
    }
    found
}
