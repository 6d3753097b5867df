//! A sentence as which word has what to which, read off its tree: [`Arcs`].
//!
//! Active and passive, participle and relative clause come out the same: whoever does it is the [`Relation::Agent`]. The one
//! rule to know: **only words that say anything have arcs**; what hangs on a word without content hangs on the word above it.
//!
//! Deliberately not here: what follows from it for a sentence ([`super::trees`]).

mod reading;

use std::iter::successors;

use memora_english::{Label, Reader, Tree, Upos, Xpos};

use super::reach::Reach;
use super::tokens::{Kind, Token};
use reading::Reading;

/// What one word is to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// Who does it.
    Agent,
    /// What it is done to.
    Patient,
    /// What it is said to be; from either side.
    Is,
    /// Whatever describes it: an adjective, a number, a part of its name, an adverb.
    Described,
    /// Whose it is: `Anna's brother`, `the brother of Anna`.
    Of,
    /// When or where, behind a preposition that tells no direction.
    Placed,
    /// Behind one that does, by its group.
    Led(usize),
    /// A clause that belongs to it.
    Clause,
}

/// A sentence, as which word has what to which.
pub(super) struct Arcs {
    pub(super) words: Vec<Word>,
    /// Where a reading begins: its root, and the others that are joined to that.
    roots: Vec<usize>,
    /// Words with another that names the same thing: an apposition, or whom a clause tells of.
    same: Vec<(usize, usize)>,
}

/// What is known of a word.
pub(super) struct Word {
    /// What hangs on it.
    arcs: Vec<(Relation, usize)>,
    /// What it hangs on in the tree, and that word or the first above it that says anything.
    pub(super) head: Option<usize>,
    saying: Option<usize>,
    /// The words that hang on it, that it hangs on, and that name the same thing.
    beside: Vec<usize>,
    pub(super) label: Label,
    upos: Upos,
    /// Whether reading from the right found the same head as reading from the left.
    sure: bool,
    /// Whether it stands in what is said outright, not in what somebody says, wants or supposes.
    outright: bool,
    /// Whether it is the subject of something that it is said to be.
    pub(super) is_subject: bool,
    /// Its own subject, and whose it is.
    pub(super) subject: Option<usize>,
    owner: Option<usize>,
    /// What it reaches, if it hedges.
    pub(super) reach: Reach,
}

impl Arcs {
    /// Reads a sentence.
    pub(super) fn read(tokens: &[Token]) -> Self {
        let words: Vec<&str> = tokens.iter().map(written).collect();
        let is_name = |token: &Token| token.kind == Kind::Name && token.raw.starts_with(char::is_uppercase);
        let names = tokens.iter().enumerate().filter(|(_, token)| is_name(token));
        let names: Vec<(usize, Upos, Xpos)> = names.map(|(at, _)| (at, Upos::Propn, Xpos::Nnp)).collect();
        let tree = Reader::embedded().read_as(&words, &names);
        let mut words: Vec<Word> = (0..tree.len()).map(|at| Word::of(&tree, tokens, at)).collect();
        let same = (0..tree.len()).flat_map(|at| named_again(&tree, at)).collect();
        let (arcs, roots) = Reading::new(tokens, tree).done();
        for (word, arcs) in words.iter_mut().zip(arcs) {
            word.arcs = arcs;
        }
        let mut arcs = Self { words, roots, same };
        arcs.join();
        arcs
    }

    /// Notes which words stand beside which.
    fn join(&mut self) {
        let hung = self.words.iter().enumerate().filter_map(|(at, word)| Some((at, word.saying?)));
        let linked = self.all().map(|(head, _, part)| (head, part));
        let pairs: Vec<(usize, usize)> = hung.chain(linked).chain(self.same.iter().copied()).collect();
        for (one, other) in pairs.into_iter().flat_map(|(one, other)| [(one, other), (other, one)]) {
            if let Some(word) = self.words.get_mut(one).filter(|word| !word.beside.contains(&other)) {
                word.beside.push(other);
            }
        }
    }

    /// Where a reading of it begins.
    pub(super) fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// What hangs on a word.
    pub(super) fn of(&self, at: usize) -> &[(Relation, usize)] {
        self.words.get(at).map_or(&[], |word| word.arcs.as_slice())
    }

    /// All of them: what a word hangs on, as what, and the word.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, Relation, usize)> + '_ {
        (0..self.words.len())
            .flat_map(|head| self.of(head).iter().map(move |(relation, part)| (head, *relation, *part)))
    }

    /// What words are to each other, as far as one hangs on the other, by whatever name.
    pub(super) fn between(&self, head: usize, part: usize) -> impl Iterator<Item = Relation> + '_ {
        let is_it = move |other: usize| self.naming(other).any(|named| named == part);
        self.of(head).iter().filter(move |(_, other)| is_it(*other)).map(|(relation, _)| *relation)
    }

    /// A word and those that name the same thing.
    pub(super) fn naming(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let others = self.same.iter().filter(move |(one, _)| *one == at).map(|(_, other)| *other);
        std::iter::once(at).chain(others)
    }

    /// Whether a word is said outright.
    pub(super) fn is_outright(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.outright)
    }

    /// Whether a word is a verb in front of no clause, that only describes a noun: `the tax, introduced by the bishop`.
    pub(super) fn is_described_by(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| matches!(word.label, Label::Acl | Label::AclRelcl))
    }

    /// Whether a word is a verb.
    pub(super) fn is_verb(&self, at: usize) -> bool {
        self.is_tagged(at, &[Upos::Verb])
    }

    /// Whether a word is an adjective in front of a noun.
    pub(super) fn is_adjective(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.label == Label::Amod)
    }

    /// Whether a word is one of these parts of speech.
    pub(super) fn is_tagged(&self, at: usize, tags: &[Upos]) -> bool {
        self.words.get(at).is_some_and(|word| tags.contains(&word.upos))
    }

    /// Whether a word hangs on another as one of these.
    pub(super) fn is_labelled(&self, at: usize, labels: &[Label]) -> bool {
        self.words.get(at).is_some_and(|word| labels.contains(&word.label))
    }

    /// What a word hangs on in the tree.
    pub(super) fn head(&self, at: usize) -> Option<usize> {
        self.words.get(at).and_then(|word| word.head)
    }

    /// The word's own subject.
    pub(super) fn subject(&self, at: usize) -> Option<usize> {
        self.words.get(at).and_then(|word| word.subject)
    }

    /// Whether somebody or something is said to own it, in front of it.
    pub(super) fn is_owned(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.owner.is_some())
    }

    /// The first of the words that a word is joined to: `Vera` of the *I* of `Vera, Amir and I`.
    pub(super) fn first_joined(&self, at: usize) -> usize {
        let joined = |at: &usize| self.head(*at).filter(|_| self.is_joined(*at));
        successors(Some(at), joined).take(self.words.len()).last().unwrap_or(at)
    }

    /// Whether it is certain that of two words one hangs on the other.
    pub(super) fn is_sure(&self, one: usize, other: usize) -> bool {
        let sure = |at: usize| self.words.get(at).is_some_and(|word| word.sure);
        let hangs = |at: usize, on: usize| self.words.get(at).is_some_and(|word| word.head == Some(on));
        match (hangs(one, other), hangs(other, one)) {
            (true, _) => sure(one),
            (_, true) => sure(other),
            _ => sure(one) && sure(other),
        }
    }

    /// Whether anything is joined to anything.
    pub(super) fn joins(&self) -> bool {
        (0..self.words.len()).any(|at| self.is_joined(at))
    }

    /// Whether a word is joined to one before it.
    pub(super) fn is_joined(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.label == Label::Conj)
    }

    /// Whether all words that say anything hang on a root.
    pub(super) fn hold_all(&self, tokens: &[Token]) -> bool {
        let mut held = vec![false; tokens.len()];
        let mut next = self.roots.clone();
        while let Some(at) = next.pop() {
            if held.get(at) == Some(&false) {
                held[at] = true;
                next.extend(self.of(at).iter().map(|(_, part)| *part));
            }
        }
        // `after` is told by what it leads to.
        let leads = |word: &Word| matches!(word.label, Label::Case | Label::Mark | Label::Aux);
        let is_held = |at: usize| held[at] || !tokens[at].says() || self.words.get(at).is_some_and(leads);
        !self.roots.is_empty() && (0..held.len()).all(is_held)
    }

    /// The words that are at most so many arcs away from one, whichever way they point and through words of which something
    /// holds, and itself.
    pub(super) fn near(&self, at: usize, steps: usize, through: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut found = vec![at];
        let mut edge = vec![at];
        for _ in 0..steps {
            let reached = edge.iter().filter(|word| **word == at || through(**word));
            let beside = reached.filter_map(|word| self.words.get(*word)).flat_map(|word| &word.beside);
            let mut next: Vec<usize> = beside.copied().filter(|word| !found.contains(word)).collect();
            next.sort_unstable();
            next.dedup();
            found.extend(&next);
            edge = next;
        }
        found
    }
}

impl Word {
    fn of(tree: &Tree<'_>, tokens: &[Token], at: usize) -> Self {
        let says = |at: &usize| tokens.get(*at).is_some_and(Token::says);
        let up = || successors(Some(at), |at| tree.head(*at)).take(tree.len());
        let is_supposed = |at: usize| {
            matches!(tree.label(at), Label::Ccomp | Label::Xcomp | Label::Advcl | Label::Csubj | Label::Dep)
                && tree.head(at).is_some()
        };
        let describes = |at: &usize| matches!(tree.label(*at), Label::Acl | Label::AclRelcl);
        Self {
            arcs: Vec::new(),
            head: tree.head(at),
            // A word without content has no place among those that have.
            saying: says(&at).then(|| up().skip(1).find(says).unwrap_or(at)),
            beside: Vec::new(),
            label: tree.label(at),
            upos: tree.upos(at),
            sure: tree.agreed(at),
            outright: !up().take_while(|at| !describes(at)).any(is_supposed),
            is_subject: is_subject_of_noun(tree, at),
            subject: subject_of(tree, at),
            owner: child(tree, at, Label::NmodPoss),
            reach: Reach::of(tree, at),
        }
    }
}

/// Words that name one thing: `Anna` and `treasurer` of `Anna, our treasurer, …`. What a clause tells of the `film` is told of
/// `Soul Food` where that is the film.
fn named_again(tree: &Tree<'_>, at: usize) -> Vec<(usize, usize)> {
    let Some(head) = tree.head(at) else { return Vec::new() };
    match tree.label(at) {
        Label::Appos if !is_verb(tree, at) && !is_verb(tree, head) => vec![(head, at), (at, head)],
        Label::Nsubj if is_subject_of_noun(tree, at) => vec![(head, at)],
        _ => Vec::new(),
    }
}

/// Whether a word is a verb, and so no name for a thing.
fn is_verb(tree: &Tree<'_>, at: usize) -> bool {
    tree.upos(at) == Upos::Verb
}

/// Whether a word is the subject of something that it is said to be.
fn is_subject_of_noun(tree: &Tree<'_>, at: usize) -> bool {
    tree.label(at) == Label::Nsubj && tree.head(at).is_some_and(|head| child(tree, head, Label::Cop).is_some())
}

/// A word's subject, active or passive.
fn subject_of(tree: &Tree<'_>, at: usize) -> Option<usize> {
    child(tree, at, Label::Nsubj).or_else(|| child(tree, at, Label::NsubjPass))
}

/// The first word that hangs on one as `label`.
fn child(tree: &Tree<'_>, at: usize, label: Label) -> Option<usize> {
    tree.children(at).iter().copied().find(|child| tree.label(*child) == label)
}

/// A token as a word that the reader knows: of a date or number with several words, one.
fn written(token: &Token) -> &str {
    match token.kind {
        Kind::Name => &token.raw,
        Kind::Number(_) | Kind::Date(_) => token.raw.split(' ').next_back().unwrap_or(&token.raw),
        _ => &token.lower,
    }
}
