//! A second opinion on who does what to whom: whether the sentence's tree stands in one of the notes' trees.
//!
//! Word order is asked first ([`roles`](super::roles)). It cannot see past a clause that the sentence leaves out (*drift, which
//! Anna leads, uses Go*); a parser can. The one rule to know: **each word of the sentence is found as one word of theirs, with
//! everything that hangs on it**, so that nothing is stitched together.
//!
//! Deliberately not here: negation, modality, and whether the words are there at all.

use std::cell::Cell;

use memora_english::{Label, Reader, Tree, Upos};

use super::ground::Quote;
use super::lexicon::leading;
use super::tokens::{Kind, Token};

/// How deep a sentence may nest.
const DEPTH_MAX: usize = 24;

/// How many words are compared before no tree is found.
const STEPS_MAX: usize = 10_000;

/// What one word is to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    /// Who does it.
    Agent,
    /// What it is done to.
    Patient,
    /// What it is said to be; from either side.
    Is,
    /// Whatever describes it: an adjective, a number, a part of its name, an adverb.
    Described,
    /// When or where, behind a preposition that tells no direction.
    Placed,
    /// Behind one that does, by its group.
    Led(usize),
    /// A clause that belongs to it.
    Clause,
}

/// A sentence, as which word has what to which.
pub(super) struct Arcs {
    /// What hangs on each word; only words that say anything have arcs.
    arcs: Vec<Vec<(Relation, usize)>>,
    /// Where a reading begins: its root, and the others that are joined to that.
    roots: Vec<usize>,
    /// Whether a word stands in what is said outright, not in what somebody says, wants or supposes.
    outright: Vec<bool>,
    /// Whether anything is joined to anything.
    joins: bool,
}

/// Whether each part of a sentence says what one of the quotes does, word for word.
pub(super) fn agree(own: &[Token], quotes: &[Quote<'_>]) -> bool {
    let mine = Arcs::read(own);
    let steps = Cell::new(0);
    !mine.roots.is_empty()
        && mine.roots.iter().all(|root| {
            quotes.iter().filter(|quote| !leaves_out_who_says(own, quote.tokens)).any(|quote| {
                let theirs = quote.arcs.get_or_init(|| Arcs::read(quote.tokens));
                let search = Search { own, mine: &mine, theirs, quote, steps: &steps };
                let outright = |at: &usize| theirs.outright.get(*at).is_some_and(|said| *said);
                (0..quote.tokens.len()).filter(outright).any(|at| search.holds(*root, at, DEPTH_MAX))
            })
        })
}

/// Whether it is only what somebody says, thinks or wants there, and here it is so: which clause hangs on such a verb is too
/// often guessed.
fn leaves_out_who_says(own: &[Token], theirs: &[Token]) -> bool {
    const SAYING: [&str; 20] = [
        "say", "said", "tell", "told", "think", "thought", "believ", "claim", "argu", "report", "hear", "heard",
        "suspect", "want", "dream", "fear", "doubt", "promis", "ask", "feel",
    ];
    let says = |t: &&Token| SAYING.contains(&t.stem.as_str());
    theirs.iter().filter(says).any(|t| !own.iter().any(|word| word.stem == t.stem))
}

struct Search<'s> {
    own: &'s [Token],
    mine: &'s Arcs,
    theirs: &'s Arcs,
    quote: &'s Quote<'s>,
    /// How many words were compared, over all quotes.
    steps: &'s Cell<usize>,
}

impl Search<'_> {
    /// Whether a word of the sentence, with all that hangs on it, is one of theirs.
    fn holds(&self, own: usize, at: usize, depth: usize) -> bool {
        self.steps.set(self.steps.get() + 1);
        let (Some(word), Some(other)) = (self.own.get(own), self.quote.tokens.get(at)) else { return false };
        let Some(left) = depth.checked_sub(1).filter(|_| self.steps.get() < STEPS_MAX) else { return false };
        same(word, other)
            && self.mine.of(own).iter().all(|(relation, part)| {
                let found = |(there, other): &(Relation, usize)| relation == there && self.holds(*part, *other, left);
                let moved = || self.near(at).any(|head| self.theirs.of(head).iter().any(found));
                self.theirs.of(at).iter().any(found)
                    || (may_hang_elsewhere(*relation) && !self.theirs.joins && moved())
                    || (*relation == Relation::Agent && self.is_left_out(at, *part))
            })
    }

    /// What a word of theirs hangs on, and what hangs on it: where a preposition is read to belong is often a guess.
    fn near(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let below = self.theirs.of(at).iter().map(|(_, part)| *part);
        let above =
            (0..self.theirs.arcs.len()).filter(move |head| self.theirs.of(*head).iter().any(|(_, part)| *part == at));
        below.chain(above)
    }

    /// Whether they leave it to the place they stand in who does it, and that names this one.
    fn is_left_out(&self, at: usize, part: usize) -> bool {
        let names_one = self.theirs.of(at).iter().any(|(relation, _)| *relation == Relation::Agent);
        let around = || self.quote.context.iter().chain(self.quote.before);
        let is_named = |part: usize| self.own.get(part).is_some_and(|own| around().any(|t| same(t, own)));
        !names_one && is_named(part) && self.mine.of(part).iter().all(|(_, below)| is_named(*below))
    }
}

fn may_hang_elsewhere(relation: Relation) -> bool {
    matches!(relation, Relation::Placed | Relation::Led(_))
}

impl Arcs {
    fn read(tokens: &[Token]) -> Self {
        let words: Vec<&str> = tokens.iter().map(written).collect();
        let tree = Reader::embedded().read(&words);
        let is_supposed = |at: usize| {
            matches!(tree.label(at), Label::Ccomp | Label::Xcomp | Label::Advcl | Label::Csubj | Label::Dep)
                && tree.head(at).is_some()
        };
        let outright =
            |at: usize| !std::iter::successors(Some(at), |at| tree.head(*at)).take(tree.len()).any(is_supposed);
        let outright = (0..tree.len()).map(outright).collect();
        let joins = (0..tree.len()).any(|at| tree.label(at) == Label::Conj);
        let (arcs, roots) = Reading { tokens, tree, arcs: vec![Vec::new(); tokens.len()], roots: Vec::new() }.done();
        Self { arcs, roots, outright, joins }
    }

    fn of(&self, at: usize) -> &[(Relation, usize)] {
        self.arcs.get(at).map_or(&[], Vec::as_slice)
    }
}

/// A sentence while its tree is turned into arcs.
struct Reading<'t> {
    tokens: &'t [Token],
    tree: Tree<'t>,
    arcs: Vec<Vec<(Relation, usize)>>,
    roots: Vec<usize>,
}

impl Reading<'_> {
    /// The arcs of each word, and the roots.
    fn done(mut self) -> (Vec<Vec<(Relation, usize)>>, Vec<usize>) {
        for at in 0..self.tree.len() {
            match self.tree.head(at) {
                None => self.roots.push(at),
                Some(head) => self.add(head, at),
            }
        }
        self.share();
        let roots = self.roots.iter().copied().filter(|root| self.says(*root)).collect();
        (self.arcs, roots)
    }

    fn says(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::says)
    }

    fn link(&mut self, head: usize, relation: Relation, part: usize) {
        if self.says(part)
            && self.says(head)
            && let Some(arcs) = self.arcs.get_mut(head)
        {
            arcs.push((relation, part));
        }
    }

    /// What one word hanging on another says.
    fn add(&mut self, head: usize, at: usize) {
        let tree = &self.tree;
        let child = |at: usize, label: Label| tree.children(at).iter().copied().find(|c| tree.label(*c) == label);
        let passive =
            tree.children(head).iter().any(|c| tree.label(*c) == Label::AuxPass || tree.label(*c) == Label::NsubjPass);
        match tree.label(at) {
            Label::Nsubj | Label::Csubj if child(head, Label::Cop).is_some() => self.link_both(head, Relation::Is, at),
            Label::Nsubj | Label::Csubj if !passive => self.link(head, Relation::Agent, at),
            Label::Nsubj | Label::Csubj | Label::NsubjPass | Label::Obj => self.link(head, Relation::Patient, at),
            Label::OblAgent => self.link(head, Relation::Agent, at),
            Label::Iobj => self.link(head, led_by(Some("to")), at),
            Label::Obl | Label::Nmod | Label::OblUnmarked | Label::NmodUnmarked => {
                let mut led =
                    tree.children(at).iter().filter(|c| tree.label(**c) == Label::Case).map(|c| tree.lower(*c));
                let led = led.next_back();
                let is_time = self.tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Date(_)));
                self.link(head, if is_time && led == Some("in") { Relation::Placed } else { led_by(led) }, at);
            }
            Label::NmodPoss
            | Label::Amod
            | Label::Nummod
            | Label::Compound
            | Label::Flat
            | Label::Advmod
            | Label::NmodDesc
            | Label::Det
            | Label::CompoundPrt
            | Label::Fixed => self.link(head, Relation::Described, at),
            Label::Appos => self.link_both(head, Relation::Is, at),
            Label::AclRelcl => {
                let said = |c: &&usize| matches!(tree.lower(**c), "who" | "which" | "that");
                let pronoun = tree.children(at).iter().find(said).map(|c| tree.label(*c));
                match pronoun {
                    Some(Label::Nsubj) if child(at, Label::Cop).is_some() => self.link_both(at, Relation::Is, head),
                    Some(Label::Nsubj) => self.link(at, Relation::Agent, head),
                    Some(Label::NsubjPass | Label::Obj) | None => self.link(at, Relation::Patient, head),
                    _ => {}
                }
            }
            Label::Acl if tree.upos(at) == Upos::Verb => {
                let done = !tree.lower(at).ends_with("ing");
                self.link(at, if done { Relation::Patient } else { Relation::Agent }, head);
                self.link(head, Relation::Clause, at);
            }
            // A clause that is joined to the root is one of its own.
            Label::Conj if self.roots.contains(&head) && tree.upos(at) == Upos::Verb => self.roots.push(at),
            Label::Conj
            | Label::Cop
            | Label::Aux
            | Label::AuxPass
            | Label::Case
            | Label::Cc
            | Label::Mark
            | Label::Punct => {}
            _ => self.link(head, Relation::Clause, at),
        }
    }

    fn link_both(&mut self, one: usize, relation: Relation, other: usize) {
        self.link(one, relation, other);
        self.link(other, relation, one);
    }

    /// What is joined shares what it hangs on, and verbs who does them: `Anna and Bruno lead drift and test it`.
    fn share(&mut self) {
        for at in 0..self.tree.len() {
            let (Some(first), Label::Conj) = (self.tree.head(at), self.tree.label(at)) else { continue };
            let arcs = self.arcs.iter().enumerate().flat_map(|(head, arcs)| arcs.iter().map(move |arc| (head, *arc)));
            let above = arcs.filter(|(_, (_, part))| *part == first).map(|(head, (relation, _))| (head, relation));
            let above: Vec<(usize, Relation)> = above.collect();
            for (head, relation) in above.into_iter().filter(|(head, _)| *head != at) {
                self.link(head, relation, at);
            }
            let who = |at: usize| self.arcs[at].iter().filter(|(relation, _)| *relation == Relation::Agent);
            let shared: Vec<usize> =
                if who(at).next().is_none() { who(first).map(|(_, part)| *part).collect() } else { Vec::new() };
            for part in shared {
                self.link(at, Relation::Agent, part);
            }
        }
    }
}

fn led_by(preposition: Option<&str>) -> Relation {
    let group = preposition.and_then(leading);
    match (preposition, group) {
        (Some("of"), _) => Relation::Described,
        (_, Some(group)) => Relation::Led(group),
        _ => Relation::Placed,
    }
}

/// A token as a word that the reader knows: of a date or number with several words, one.
fn written(token: &Token) -> &str {
    match token.kind {
        Kind::Name => &token.raw,
        Kind::Number(_) | Kind::Date(_) => token.raw.split(' ').next_back().unwrap_or(&token.raw),
        _ => &token.lower,
    }
}

/// Whether one word is the other; a date may be vaguer than the other.
fn same(one: &Token, other: &Token) -> bool {
    match (one.kind, other.kind) {
        (Kind::Number(one), Kind::Number(other)) => one.value == other.value,
        (Kind::Date(one), Kind::Date(other)) => one.is_said_by(other),
        _ => one.stem == other.stem,
    }
}
