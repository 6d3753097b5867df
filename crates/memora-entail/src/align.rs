//! Whether a sentence follows from the words of one premise by rules that keep every fact.
//!
//! The sentence is walked along the premise, atom by atom, in order; [`crate::readings`] gives the orders to try. Every
//! step is a rule of `data/rules.txt`, with an example and a counter-example. The one rule to know: **nothing is passed
//! over that may limit what is said**: a negation, a hedge, *only*, a condition, a plan, a quantifier.

use std::cell::Cell;
use std::collections::HashSet;

use memora_nlp::WordSenses;

use crate::atom::{Atom, AtomKind, atoms};
use crate::lists::{CLAUSE_CONJUNCTIONS, LEADS_TO_CONTEXT, NOTE_WORDS, TEXT_NOUNS};
use crate::passage::{Passage, may_skip};
use crate::premise::Premise;
use crate::readings::readings;
use crate::text::Text;
use memora_nlp::stem::is_past;

/// No sentence worth reading is longer, in atoms.
const SENTENCE_MAX: usize = 120;

/// How many steps it is worth to align one sentence with one premise, over all its readings and changes: forty times
/// what any of 7,000 pairs of public data took. What needs more is not proven, and contradicts nothing. Each premise
/// has its own, so that whatever else is cited takes nothing from it.
const STEPS_MAX: usize = 400_000;

/// The steps of alignment that are left for a sentence and a premise.
pub(crate) struct Steps(Cell<usize>);

impl Default for Steps {
    fn default() -> Self {
        Self(Cell::new(STEPS_MAX))
    }
}

impl Steps {
    /// Takes some of them; returns false once there are none.
    fn take(&self, steps: usize) -> bool {
        let left = self.0.get().checked_sub(steps);
        self.0.set(left.unwrap_or_default());
        left.is_some()
    }

    /// Whether none are left.
    pub(crate) fn are_spent(&self) -> bool {
        self.0.get() == 0
    }
}

/// The atoms of a sentence that may be aligned at all: no question, not too long.
pub(crate) fn alignable(sentence: &Text) -> Option<Vec<Atom>> {
    let mut plain = atoms(sentence, false);
    while plain.last().is_some_and(|atom| matches!(atom.kind, AtomKind::Break(_))) {
        plain.pop();
    }
    (!plain.is_empty() && plain.len() <= SENTENCE_MAX && !sentence.source.contains('?')).then_some(plain)
}

/// A premise that a sentence is aligned with, in all its readings and changes.
pub(crate) struct AlignmentTarget<'p> {
    pub(crate) premise: &'p Premise,
    /// The premise's words.
    pub(crate) note: &'p Passage,
    pub(crate) steps: Steps,
}

impl<'p> AlignmentTarget<'p> {
    /// A premise, if its words are not too many.
    pub(crate) fn new(premise: &'p Premise) -> Option<Self> {
        Some(Self { premise, note: premise.passage()?, steps: Steps::default() })
    }

    /// Whether a sentence follows, in any of its readings.
    pub(crate) fn entails(&self, sentence: &[Atom]) -> bool {
        self.entails_as(sentence, self.note)
    }

    /// Whether a sentence would follow from other words in place of the premise's.
    pub(crate) fn entails_as(&self, sentence: &[Atom], note: &Passage) -> bool {
        let steps = &self.steps;
        if steps.are_spent() {
            return false;
        }
        let readings = readings(sentence);
        // Each is a copy of the sentence.
        steps.take(sentence.len() * readings.len())
            && readings.iter().any(|own| {
                let (seen, entered) = (HashSet::new(), HashSet::new());
                Walk { own: &own.atoms, note, said_by: &own.said_by, steps, seen, entered }.begin()
            })
    }
}

struct Walk<'t> {
    own: &'t [Atom],
    note: &'t Passage,
    /// The speaker that the sentence names.
    said_by: &'t [Atom],
    steps: &'t Steps,
    /// Places that led nowhere, and clauses that did.
    seen: HashSet<(usize, usize, bool)>,
    entered: HashSet<(usize, usize)>,
}

impl<'t> Walk<'t> {
    fn begin(&mut self) -> bool {
        let starts: Vec<usize> = (0..self.note.atoms.len())
            .filter(|at| (self.is_start(*at) && self.is_said(*at)) || self.is_told(*at))
            .collect();
        starts.into_iter().any(|at| self.enter(0, at))
    }

    fn mine(&self, at: usize) -> Option<&'t Atom> {
        self.own.get(at)
    }

    fn their(&self, at: usize) -> Option<&'t Atom> {
        self.note.their(at)
    }

    /// Whether the speakers that the sentence names are named by the label, or are works that the context names: a note that
    /// is called Bruno says nothing of what Bruno says.
    fn is_said(&self, at: usize) -> bool {
        let label = self.note.label(at);
        let is_work =
            |atom: &Atom| self.note.context.contains(&atom.key) && WordSenses::look_up(&atom.lower).is_known();
        let named = |atom: &Atom| label.iter().any(|their| their.key == atom.key) || is_work(atom);
        let of_notes = |atom: &Atom| NOTE_WORDS.iter().any(|word| atom.is(word));
        let is_named = self.said_by.is_empty() || self.attributed().count() > 0 || self.said_by.iter().any(of_notes);
        is_named && self.attributed().all(named)
    }

    /// The words that name its author, by the sentence.
    fn attributed(&self) -> impl Iterator<Item = &Atom> {
        let names = |atom: &&Atom| atom.kind == AtomKind::Word && !atom.is_article() && !atom.is_in(&TEXT_NOUNS);
        self.said_by.iter().filter(names)
    }

    /// Whether the speakers that the sentence names say what begins at an atom: `X (2011) says …`.
    fn is_told(&self, at: usize) -> bool {
        let that = usize::from(at.checked_sub(1).and_then(|i| self.note.their(i)).is_some_and(|atom| atom.is("that")));
        let Some(says) = (at - that)
            .checked_sub(1)
            .filter(|i| self.note.their(*i).is_some_and(|atom| atom.is("says") || atom.is("say")))
        else {
            return false;
        };
        let start = self.note.sentence_start(says);
        let front = self.note.atoms.get(start..says).unwrap_or_default();
        let names = |their: &&Atom| their.kind == AtomKind::Word && !their.is_article();
        front.len() <= 8
            && self.attributed().count() > 0
            && self.attributed().all(|atom| front.iter().any(|their| their.key == atom.key))
            && front.iter().filter(names).all(|their| self.attributed().any(|atom| atom.key == their.key))
    }

    /// Whether a sentence of the note begins at an atom, perhaps behind a label that the sentence names: `Rejected: birch` says
    /// nothing of birch alone, and what stands behind *and* may hang on what stands in front.
    fn is_start(&self, at: usize) -> bool {
        let Some(labels) = self.note.labels_at_start(at) else { return false };
        if !self.steps.take(labels.len()) {
            return false;
        }
        let named = |atom: &Atom| {
            atom.kind != AtomKind::Word
                || atom.is_article()
                || self.own.iter().chain(self.said_by).any(|mine| mine.key == atom.key)
                || self.note.context.contains(&atom.key)
        };
        labels.iter().all(named)
    }

    /// Begins a clause of the note, whose subject the note may leave out.
    fn enter(&mut self, own: usize, at: usize) -> bool {
        if !self.entered.insert((own, at)) {
            return false;
        }
        if self.walk(own, at, true) {
            return true;
        }
        let (Some(first), Some(their)) = (self.mine(own), self.their(at)) else { return false };
        if their.kind != AtomKind::Word {
            return false;
        }
        let is_verb = is_past(&their.lower) && !their.is_copula();
        if may_skip(their) && self.enter(own, at + 1) {
            return true;
        }
        let same_help = their.is_copula() && self.mine(own + 1).is_some_and(|atom| atom.is_same(their));
        if first.is("you") && (is_verb || same_help) && self.note.is_by_owner(at) {
            let helped =
                usize::from(!same_help && self.mine(own + 1).is_some_and(|atom| atom.is("have") || atom.is("had")));
            return self.walk(own + 1 + helped, at, true);
        }
        if first.is("your") && !self.note.about_somebody && self.walk(own + 1, at, true) {
            return true;
        }
        // The subject is what the label or the context names, and the note goes on with its verb.
        let label: HashSet<&str> = self.note.label(at).iter().map(|atom| atom.key.as_str()).collect();
        let named = |atom: &Atom| {
            atom.kind == AtomKind::Word
                && (atom.is_article()
                    || atom.is("your")
                    || label.contains(atom.key.as_str())
                    || self.note.context.contains(&atom.key))
        };
        let length = self.own.iter().skip(own).take(6).take_while(|atom| named(atom)).count();
        // `Called her` under the title *Mira* is of the owner: only the third person is the title's.
        let verb = (their.lower.ends_with('s') && !is_verb) || their.is_copula();
        length > 0
            && verb
            && self.is_whole_name(own..own + length)
            && self.mine(own + length).is_some_and(|atom| atom.lower == their.lower)
            && self.walk(own + length, at, true)
    }

    fn walk(&mut self, own: usize, at: usize, fresh: bool) -> bool {
        if !self.steps.take(1) || !self.seen.insert((own, at, fresh)) {
            return false;
        }
        let Some(mine) = self.mine(own) else { return self.note.may_stop(at) };
        if let Some(their) = self.their(at) {
            if (mine.is_same(their) || is_equal_sign(mine, their)) && self.walk(own + 1, at + 1, false) {
                return true;
            }
            if their.kind == AtomKind::Turned && self.walk(own, at + 1, fresh) {
                return true;
            }
            if !fresh && may_skip(their) && self.walk(own, at + 1, fresh) {
                return true;
            }
            // `Bea is a patient` does not say that she is patient.
            let is_definite = their.is("the") || mine.is_article();
            if their.is_article() && is_definite && self.walk(own, at + 1, fresh) {
                return true;
            }
            if their.is_break('(')
                && !fresh
                && let Some(end) = self.note.closed(at)
                && self.walk(own, end, false)
            {
                return true;
            }
            // `A, B` is `A and B`; `A; B` is `A, while B`.
            let joins = is_link(mine) && !fresh && (self.note.is_end(at) || self.note.joins_at(at));
            if joins && !their.is_break('?') && self.enter(own + 1, at + 1) {
                return true;
            }
            // `3–5` is `3 to 5`.
            if mine.is("to") && their.is_break('-') && self.walk(own + 1, at + 1, false) {
                return true;
            }
            if mine.is("from")
                && self.note.is_rising(at)
                && self.note.their(at + 1).is_some_and(|a| a.is_break('-'))
                && self.walk(own + 1, at, false)
            {
                return true;
            }
        }
        if (mine.is_article() && !self.mine(own + 1).is_some_and(|next| matches!(next.kind, AtomKind::Number(_)))
            || self.may_insert(own)
            || mine.is("that"))
            && self.walk(own + 1, at, fresh)
        {
            return true;
        }
        if let Some(end) = self.names_context(own).filter(|_| !fresh)
            && self.walk(end, at, false)
        {
            return true;
        }
        if (mine.is("is") || mine.is("are")) && !fresh && self.note.lacks_verb(at) && self.walk(own + 1, at, false) {
            return true;
        }
        self.jump(own, at, fresh)
    }

    /// Whether a mark of the sentence says no more than the note does without it: a comma in front of *and*, or behind a phrase in
    /// front; two more of them would tell another speaker, or of all instead of some.
    fn may_insert(&self, own: usize) -> bool {
        let Some(mine) = self.mine(own).filter(|atom| matches!(atom.kind, AtomKind::Break(_))) else { return false };
        let next = self.mine(own + 1);
        !mine.is_break(',')
            || next.is_none_or(is_link)
            || self.own.iter().filter(|atom| atom.is_break(',')).count() == 1
    }

    /// Where a phrase ends that only names what the context says: `in the pilot pricing`, `your back`.
    fn names_context(&self, own: usize) -> Option<usize> {
        let lead = self.mine(own).filter(|atom| LEADS_TO_CONTEXT.iter().any(|word| atom.is(word)))?;
        let fills = |atom: &Atom| atom.is_article() || atom.is("your");
        let inner = || {
            self.own
                .iter()
                .skip(own + 1)
                .take(5)
                .take_while(|atom| fills(atom) || self.note.context.contains(&atom.key))
        };
        let words = inner().filter(|atom| atom.is_content() && !fills(atom)).count();
        let of_owner = lead.is("your") && self.note.about_somebody;
        let end = own + 1 + inner().count();
        (words > 0 && !of_owner && self.is_whole_name(own + 1..end)).then_some(end)
    }

    /// Whether some words of the sentence are all that one title, heading or label says: *Comparing Bun and Deno* is no name of
    /// Deno.
    fn is_whole_name(&self, words: std::ops::Range<usize>) -> bool {
        let own = self.own.get(words).unwrap_or_default().iter().filter(|atom| atom.is_content());
        self.note.has_name(&own.map(|atom| atom.key.as_str()).collect())
    }

    /// A new clause of the sentence may begin at any later clause of the note.
    fn jump(&mut self, own: usize, at: usize, fresh: bool) -> bool {
        if fresh || own == 0 || !self.note.may_stop(at) || !self.mine(own).is_some_and(is_link) {
            return false;
        }
        // A clause without a subject of its own has the one in front of it, in the note as well.
        let verb = self.mine(own + 1).is_some_and(|atom| atom.kind == AtomKind::Word && is_past(&atom.lower));
        let of_owner = self.mine(0).is_some_and(|atom| atom.is("you"));
        let fits = |start: usize| !verb || (of_owner && self.note.is_by_owner(start));
        let starts: Vec<usize> = (at + 1..self.note.atoms.len()).filter(|i| self.is_start(*i) && fits(*i)).collect();
        starts.into_iter().any(|start| self.enter(own + 1, start))
    }
}

/// Words that join two clauses and say no more.
fn is_link(mine: &Atom) -> bool {
    CLAUSE_CONJUNCTIONS.iter().any(|word| mine.is(word)) || mine.is_break(';')
}

/// `is` of `=`.
fn is_equal_sign(mine: &Atom, their: &Atom) -> bool {
    their.kind == AtomKind::Sign
        && their.lower == "="
        && matches!(mine.lower.as_str(), "is" | "are" | "was" | "were" | "means" | "equals")
}

#[cfg(test)]
mod tests {
    use super::{AlignmentTarget, STEPS_MAX, alignable};
    use crate::judge::{Verdict, judge};
    use crate::premise::Premise;
    use crate::text::Text;

    /// The steps that it takes to find that a sentence follows, or does not.
    fn align(sentence: &str, note: &str) -> (bool, usize) {
        let premise = Premise::new(note);
        let own = alignable(&Text::read(sentence)).expect("a sentence");
        let target = AlignmentTarget::new(&premise).expect("a passage");
        let found = target.entails(&own);
        (found, STEPS_MAX - target.steps.0.get())
    }

    /// Each item may begin a sentence, and is behind all the others.
    #[test]
    fn a_long_line_of_items_hides_no_contradiction() {
        let premise = Premise::new(
            "The northern depot in Bergen stores apples for Norway and the southern depot in Malaga stores oranges for \
             Spain; Bruno: budget draft is due on Friday; Clara: offers for the new office are in; Eva: the printer is \
             broken again; Felix: holiday plan sent to everyone; Gina: interviews start on Monday; Hugo: backup test went \
             well.",
        );
        let sentence = "The northern depot in Bergen stores apples for Spain and the southern depot in Malaga stores \
                        oranges for Norway.";
        assert_eq!(judge(sentence, &[&premise]).verdict(), Verdict::Contradicted);
    }

    #[test]
    fn alignment_gives_up_once_it_has_no_steps_left() {
        let (found, few) = align("The boat leaves at ten.", "The boat leaves at ten. The other stays.");
        assert!(found && few < 20, "{few}");
        // Each colon may be passed over on either side, and may begin a sentence.
        let colons = ":".repeat(75);
        let (found, taken) = align(&format!("Boat 1 {colons} boat 2"), &format!("Boat 1 {colons} {colons} boat 3"));
        assert!(!found && taken > 1_000, "{taken}");
        let premise = Premise::new("The boat leaves at ten.");
        let own = alignable(&Text::read("The boat leaves at ten.")).expect("a sentence");
        let spent = AlignmentTarget::new(&premise).expect("a passage");
        assert!(spent.steps.take(STEPS_MAX) && !spent.steps.take(1));
        assert!(!spent.entails(&own));
    }
}
