//! Actives and passives: *Anna prüft den Plan* says that it *wird von Anna geprüft*.
//!
//! The one rule to know: **who does it has to be plain**, by an article or a pronoun, or by standing in front where nothing speaks for
//! another. *Die Gruppe leitet Nina* tells nothing of who leads whom.

use super::clause::Clause;
use super::phrase::{Phrase, Said};
use super::verbs::Tense;
use super::words::{MODALS, auxiliary};

/// Both clauses in the passive, if one is in it and the other is not.
pub(super) fn in_one_voice(own: &Clause, theirs: &Clause) -> Option<(Clause, Clause)> {
    match (is_passive(own), is_passive(theirs)) {
        (true, false) => Some((own.clone(), passive(theirs, own)?)),
        // Whom the sentence names, the notes must name.
        (false, true) if theirs.phrases.iter().any(|p| p.lead == "von") => {
            Some((passive(own, theirs)?, theirs.clone()))
        }
        _ => None,
    }
}

fn is_passive(clause: &Clause) -> bool {
    let is = |s: &Said| {
        let passive = s.has(Tense::PassivePast) || s.has(Tense::PassivePresent);
        passive && !s.has(Tense::Past) && !s.has(Tense::Present)
    };
    clause.said.iter().any(is)
}

/// An active in the passive, with whoever does it as far as the other clause names anybody.
fn passive(active: &Clause, other: &Clause) -> Option<Clause> {
    // What somebody wants is not what is wanted of it.
    const NEEDS: &str = "muss müssen soll sollen kann können darf dürfen sollte sollten musste mussten konnte konnten";
    let is_modal = |s: &Said| s.is_in(NEEDS);
    let is_needed = active.said.iter().any(is_modal);
    let is_helper = |s: &Said| (auxiliary(&s.token.lower).is_some() || MODALS.contains(&s.token.lower)) && !is_modal(s);
    let tense_fits =
        |s: &Said| if is_needed { s.has(Tense::Infinitive) } else { s.has(Tense::Past) || s.has(Tense::Present) };
    let tells = |s: &Said| s.is_verb() && !is_modal(s) && tense_fits(s);
    if active.is_parallel || active.said.iter().any(is_helper) || active.said.iter().filter(|s| tells(s)).count() != 1 {
        return None;
    }
    let (subject, object) = roles(active)?;
    let agent = agent(&active.phrases[subject], other);
    if agent.is_none() && (active.is_bounded() || other.phrases.iter().any(|p| p.lead == "von")) {
        return None;
    }
    let mut said = active.said.clone();
    for reading in said.iter_mut().filter(|s| tells(s)).flat_map(|s| &mut s.readings) {
        reading.tense = match reading.tense {
            Tense::Infinitive if is_needed => Tense::PassivePresent,
            Tense::Past => Tense::PassivePast,
            Tense::Present => Tense::PassivePresent,
            tense => tense,
        };
    }
    let raised = &active.phrases[object];
    let raised = Phrase { cases: raised.cases.raised(), front: true, follows: false, ..raised.clone() };
    // What describes it goes with it: `den Umgang mit der Leiter`.
    let behind = active.phrases.iter().skip(object + 1).take_while(|p| p.follows && !p.lead.is_empty());
    let behind: Vec<Phrase> = behind.cloned().collect();
    let is_left = |at: usize| at != subject && !(object..=object + behind.len()).contains(&at);
    let rest = active.phrases.iter().enumerate().filter(|(at, _)| is_left(*at));
    // What followed whoever did it stands alone now.
    let rest = rest.map(|(at, p)| {
        let follows = p.follows && at != subject + 1 && at != object + behind.len() + 1;
        Phrase { front: p.front && at < subject, follows, ..p.clone() }
    });
    let rest: Vec<Phrase> = rest.collect();
    let phrases = std::iter::once(raised).chain(behind.clone()).chain(agent).chain(rest).collect();
    Some(Clause { phrases, said, ..active.clone() })
}

/// Which phrases of an active are who does it, and whom or what it is done to.
fn roles(clause: &Clause) -> Option<(usize, usize)> {
    let nouns: Vec<usize> = (0..clause.phrases.len())
        .filter(|&at| clause.phrases[at].lead.is_empty() && !clause.phrases[at].is_time())
        .collect();
    let phrase = |at: &usize| &clause.phrases[*at];
    let may_do = |at: &usize| phrase(at).cases.may_be_subject();
    let surely = |at: &usize| may_do(at) && phrase(at).cases.is_fixed() && !phrase(at).cases.may_be_object();
    let doers: Vec<usize> = nouns.iter().copied().filter(|at| may_do(at)).collect();
    let sure: Vec<usize> = nouns.iter().copied().filter(|at| surely(at)).collect();
    let subject = match (sure.as_slice(), doers.as_slice()) {
        ([one], _) | ([], [one]) => *one,
        // `Die Gruppe leitet Nina`
        ([], [first, rest @ ..]) => {
            let is_first = nouns.first() == Some(first) && (phrase(first).front || clause.verb_last);
            let plain = !phrase(first).led || rest.iter().all(|at| phrase(at).led);
            Some(*first).filter(|_| is_first && plain)?
        }
        _ => return None,
    };
    let rest: Vec<usize> = nouns.into_iter().filter(|at| *at != subject).collect();
    match rest.as_slice() {
        [one] => Some((subject, *one)).filter(|_| phrase(one).cases.may_be_object()),
        [to, what] => {
            let plain = phrase(to).cases.may_be_dative() && phrase(what).cases.may_be_object();
            Some((subject, *what)).filter(|_| plain)
        }
        _ => None,
    }
}

/// Whoever does it, behind *von*, in the form of the other clause.
fn agent(subject: &Phrase, other: &Clause) -> Option<Phrase> {
    const PRONOUNS: [(&str, &str); 6] =
        [("ich", "mir"), ("du", "dir"), ("er", "ihm"), ("sie", "ihr"), ("wir", "uns"), ("ihr", "euch")];
    let named = other.phrases.iter().find(|p| p.lead == "von" && !p.is_time())?;
    let mut agent = Phrase {
        lead: named.lead.clone(),
        cases: subject.cases.as_agent(),
        front: named.front,
        follows: false,
        ..subject.clone()
    };
    let theirs: Vec<String> = named.words().map(|w| w.lower.clone()).collect();
    for (word, theirs) in agent.items.iter_mut().flatten().zip(&theirs) {
        // `die Kinder`, `von den Kindern`
        let is_dative = theirs.strip_suffix('n') == Some(word.lower.as_str());
        let is_pronoun = PRONOUNS.iter().any(|(a, b)| *a == word.lower && (b == theirs || to_you(b) == theirs));
        if is_dative || is_pronoun {
            word.lower.clone_from(theirs);
        }
    }
    Some(agent)
}

/// Whom an answer calls so.
fn to_you(pronoun: &str) -> &str {
    match pronoun {
        "mir" => "dir",
        "uns" => "euch",
        other => other,
    }
}
