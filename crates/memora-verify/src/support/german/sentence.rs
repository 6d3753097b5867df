//! Whether a German sentence says what a sentence of the notes does, clause by clause.
//!
//! A main clause goes with what hangs on it to one sentence of the notes; two that *und* joins may go to two. The one rule to know: **what is
//! left out there must not be what the rest depends on**: a condition, whoever says so, a choice.

use memora_vault::TaskState;

use super::super::{Reason, ReasonKind, reason};
use super::agree::{differences, may_be};
use super::around::Around;
use super::clause::{Clause, Marker, Sentence};
use super::same::is_same_word;
use super::tokens::Token;
use super::verbs::Tense;
use super::words::{NEGATIONS, SAYING, is_in};

/// A sentence of the notes.
#[derive(Clone, Copy)]
pub(super) struct Source<'t> {
    pub(super) sentence: &'t Sentence,
    /// Title, headings, other names.
    pub(super) context: &'t [Vec<Token>],
    pub(super) task: Option<TaskState>,
}

/// What keeps a sentence from being said by the notes: by those of their sentences that come nearest.
pub(super) fn best(own: &Sentence, sources: &[Source<'_>], named_before: bool) -> Vec<Reason> {
    let mains: Vec<usize> = (0..own.clauses.len()).filter(|&at| own.clauses[at].parent.is_none()).collect();
    if mains.is_empty() || (own.is_choice && mains.len() > 1) {
        return whole(own, sources, named_before);
    }
    let mut reasons = Vec::new();
    for &main in &mains {
        let group: Vec<usize> = (0..own.clauses.len()).filter(|&at| root(own, at) == main).collect();
        let found = sources.iter().map(|source| of_group(own, &group, source, named_before)).min_by_key(Vec::len);
        reasons.extend(found.unwrap_or_else(|| vec![reason(ReasonKind::Content, "")]));
    }
    reasons
}

/// The clause that stands for itself and that one hangs on.
fn root(sentence: &Sentence, at: usize) -> usize {
    let mut at = at;
    for _ in 0..sentence.clauses.len() {
        match sentence.clauses.get(at).and_then(|clause| clause.parent) {
            Some(parent) if parent != at => at = parent,
            _ => break,
        }
    }
    at
}

/// A choice is only said as a whole.
fn whole(own: &Sentence, sources: &[Source<'_>], named_before: bool) -> Vec<Reason> {
    let all: Vec<usize> = (0..own.clauses.len()).collect();
    let fits = |s: &&Source<'_>| s.sentence.is_choice == own.is_choice && s.sentence.clauses.len() == own.clauses.len();
    let found = sources.iter().filter(fits).map(|source| {
        let around = Around { context: source.context, named_before };
        let pairs = all.iter().filter_map(|&at| Some((own.clauses.get(at)?, source.sentence.clauses.get(at)?)));
        pairs
            .flat_map(
                |(a, b)| if may_be(a, b) { differences(a, b, &around) } else { vec![reason(ReasonKind::Modality, "")] },
            )
            .collect()
    });
    found.min_by_key(Vec::len).unwrap_or_else(|| vec![reason(ReasonKind::Modality, "")])
}

/// What keeps a clause with those that hang on it from being said by one sentence of the notes.
fn of_group(own: &Sentence, group: &[usize], source: &Source<'_>, named_before: bool) -> Vec<Reason> {
    let Some(&main) = group.iter().find(|&&at| own.clauses[at].parent.is_none()) else {
        return vec![reason(ReasonKind::Content, "")];
    };
    let theirs = source.sentence;
    let around = Around { context: source.context, named_before };
    let mut found = (0..theirs.clauses.len())
        .filter(|&at| may_be(&own.clauses[main], &theirs.clauses[at]))
        .map(|at| {
            let mut reasons = differences(&own.clauses[main], &theirs.clauses[at], &around);
            let mut places = vec![(main, at)];
            for &sub in group.iter().filter(|&&sub| sub != main) {
                let parent =
                    own.clauses[sub].parent.and_then(|p| places.iter().find(|(own, _)| *own == p)).map(|(_, at)| *at);
                let fits = |place: &usize| {
                    theirs.clauses[*place].parent == parent
                        && parent.is_some()
                        && may_be(&own.clauses[sub], &theirs.clauses[*place])
                };
                let best = (0..theirs.clauses.len())
                    .filter(fits)
                    .map(|place| (place, differences(&own.clauses[sub], &theirs.clauses[place], &around)))
                    .min_by_key(|(_, reasons)| reasons.len());
                match best {
                    Some((place, differ)) => {
                        places.push((sub, place));
                        reasons.extend(differ);
                    }
                    None => reasons.push(reason(ReasonKind::Roles, &first_word(&own.clauses[sub]))),
                }
            }
            let used: Vec<usize> = places.iter().map(|(_, at)| *at).collect();
            if used.len() < theirs.clauses.len() && !may_stand_alone(theirs, &used) {
                reasons.push(reason(ReasonKind::Modality, ""));
            }
            reasons
        })
        .collect::<Vec<_>>();
    let alone = group.len() == 1;
    if let Some(as_field) = alone.then(|| field(own, &own.clauses[main], source)).flatten() {
        found.push(as_field);
    }
    let mut reasons = found.into_iter().min_by_key(Vec::len).unwrap_or_else(|| vec![reason(ReasonKind::Modality, "")]);
    reasons.extend(of_surroundings(own, &own.clauses[main], source));
    reasons
}

fn first_word(clause: &Clause) -> String {
    let word = clause.phrases.first().and_then(|p| p.words().next()).map(|w| w.raw.clone());
    word.or_else(|| clause.said.first().map(|s| s.token.raw.clone())).unwrap_or_default()
}

/// A question is no answer, what is below "Nicht umgesetzt" is not so, and an open task was not done.
fn of_surroundings(own: &Sentence, main: &Clause, source: &Source<'_>) -> Vec<Reason> {
    const REJECTED: &str = "verworfen abgelehnt gestrichen verworfene abgelehnte";
    let mut reasons = Vec::new();
    if own.asks != source.sentence.asks {
        reasons.push(reason(ReasonKind::Modality, ""));
    }
    let denies = |t: &Token| NEGATIONS.contains(&t.lower) || is_in(REJECTED, &t.lower);
    if source.context.iter().flatten().any(denies) && !main.has_any(&[&NEGATIONS]) {
        reasons.push(reason(ReasonKind::Negation, ""));
    }
    let is_open = source.task.is_some_and(|state| state != TaskState::Done);
    if is_open && main.said.iter().any(|s| s.has(Tense::Past) || s.has(Tense::PassivePast)) {
        reasons.push(reason(ReasonKind::Modality, ""));
    }
    // What is said under a label is said of it: `Idee: …`, `Abgelehnt: …`.
    let label = &source.sentence.label;
    if !label.is_empty() && label.iter().any(|t| !own.tokens.iter().any(|o| is_same_word(o, t) || o.lower == t.lower)) {
        reasons.push(reason(ReasonKind::Modality, ""));
    }
    reasons
}

/// Whether what is used of a sentence holds without the rest.
fn may_stand_alone(theirs: &Sentence, used: &[usize]) -> bool {
    if theirs.is_choice {
        return false;
    }
    let is_used = |at: usize| used.contains(&at);
    (0..theirs.clauses.len()).filter(|&at| !is_used(at)).all(|at| {
        let clause = &theirs.clauses[at];
        let hangs_on_used = clause.parent.is_some_and(is_used);
        let carries_used = used.iter().any(|&used| theirs.clauses[used].parent == Some(at));
        let beside = |at: usize| {
            let joined = |at: usize| theirs.clauses.get(at).is_some_and(|c| c.opening.is_empty());
            (at > 0 && is_used(at - 1) && joined(at)) || (is_used(at + 1) && joined(at + 1))
        };
        match clause.marker {
            Marker::Bound => {
                let joint = used.first().and_then(|&at| theirs.clauses.get(at)).map(|c| c.opening.as_str());
                !hangs_on_used && !carries_used && matches!(joint, Some("aber" | ";" | "doch"))
            }
            Marker::Restricting => !hangs_on_used && !carries_used,
            Marker::Main if carries_used => !says_so(clause) && !clause.is_supposed(),
            Marker::Main => !(says_so(clause) && beside(at)),
            _ => !(says_so(clause) && carries_used),
        }
    })
}

/// Whether a clause tells what somebody says, thinks or wants.
fn says_so(clause: &Clause) -> bool {
    clause.said.iter().any(|s| s.readings.iter().any(|r| SAYING.contains(&r.stem)))
}

/// A sentence of a property: `Die Miete beträgt 720 Euro` of `Miete: 720 Euro`. The title or a heading may say of what.
fn field(own: &Sentence, clause: &Clause, source: &Source<'_>) -> Option<Vec<Reason>> {
    const COPULAS: &str = "ist sind beträgt betragen lautet lauten heisst heissen";
    let label = &source.sentence.label;
    let [value] = source.sentence.clauses.as_slice() else { return None };
    if label.is_empty() || !own.label.is_empty() {
        return None;
    }
    let (copulas, said): (Vec<_>, Vec<_>) = clause.said.iter().partition(|s| s.is_in(COPULAS));
    let words = |clause: &Clause| -> Vec<(String, Token)> {
        let led = |lead: &str| if matches!(lead, "" | "an" | "in" | "um") { String::new() } else { lead.to_owned() };
        clause.phrases.iter().flat_map(|p| p.words().map(|w| (led(&p.lead), w.clone())).collect::<Vec<_>>()).collect()
    };
    let (mine, theirs) = (words(clause), words(value));
    let is_same_said =
        said.len() == value.said.len() && said.iter().zip(&value.said).all(|(a, b)| a.token.lower == b.token.lower);
    if copulas.len() != 1 || !is_same_said || mine.len() < label.len() + theirs.len() {
        return None;
    }
    let named = |words: &[(String, Token)]| words.iter().zip(label).all(|((_, own), theirs)| is_same_word(own, theirs));
    let holds =
        |words: &[(String, Token)]| words.iter().zip(&theirs).all(|(a, b)| a.0 == b.0 && is_same_word(&a.1, &b.1));
    let (front, ending) = mine.split_at_checked(mine.len() - theirs.len())?;
    let (lead, of) = front.split_at_checked(label.len())?;
    let context = |text: &Vec<Token>| {
        text.windows(of.len().max(1)).any(|w| w.iter().zip(of).all(|(a, (_, b))| is_same_word(b, a)))
    };
    let is_of = of.is_empty() || source.context.iter().any(context);
    let is_said = !theirs.is_empty() || !said.is_empty();
    (is_said && named(lead) && holds(ending) && is_of).then(Vec::new)
}
