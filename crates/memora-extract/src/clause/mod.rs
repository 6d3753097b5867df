//! Clauses out of a parsed sentence: who does what, with the words it is said in.
//!
//! [`clauses`] walks the verbs (and the nouns and adjectives that a copula makes one) and reads each as a [`Clause`]. The
//! one rule to know: a clause holds token numbers of the sentence, and apart from them the few words that a rule puts in
//! ("is", "was", "has"), so that everything that is said of it can be traced to bytes.
//!
//! Deliberately not here: what a clause means for a note (subjects from a heading, plans, relations), which is
//! [`crate::reading`]'s; and confidence, which is [`confidence`]'s.

pub(crate) mod complement;
pub(crate) mod confidence;
pub(crate) mod grammar;
pub(crate) mod nominal;
mod subject;
pub(crate) mod tuple;
mod verb;

use memora_nlp::{Label, Tree, Upos, Xpos};

use complement::{Complement, Frame, Role};
use grammar::{Extent, Grammar, is_auxiliary};

/// A word of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Word {
    /// A token of the sentence.
    Token(usize),
    /// Put in by a rule.
    Inserted(&'static str),
}

impl Word {
    /// The token, unless a rule put the word in.
    pub(crate) fn token(self) -> Option<usize> {
        match self {
            Self::Token(i) => Some(i),
            Self::Inserted(_) => None,
        }
    }
}

/// How a clause was found. Says how much it can be trusted, and which word is its verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A verb with a subject.
    Verb,
    /// A verb whose object is a clause.
    Says,
    /// A copula.
    Copula,
    /// An open complement that its verb does not absorb.
    Open,
    /// A relative clause.
    Relative,
    /// A past participle behind a noun.
    Participle,
    /// An `-ing` form behind a noun.
    Gerund,
    /// An infinitive behind a noun.
    Infinitive,
    /// An adverbial clause without a subject.
    Adverbial,
    /// A verb with nothing behind it.
    Bare,
    /// An apposition.
    Apposition,
    /// A title in front of a name.
    Title,
    /// An owner and a thing.
    Possessive,
    /// The same, with a pronoun.
    PossessivePronoun,
    /// "X such as Y".
    Including,
    /// A noun with a prepositional phrase behind it.
    NounWithPreposition,
    /// A noun with an adjective in front.
    NounWithAdjective,
}

/// One clause: a verb with what it takes.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) kind: Kind,
    /// The verb, or what stands for it.
    pub(crate) verb: usize,
    /// Head of the phrase it is about; `None` where the sentence leaves the subject out.
    pub(crate) subject: Option<usize>,
    /// What is cut out of the subject's phrase: the clause itself, where it hangs on its subject.
    pub(crate) but: Option<usize>,
    /// The verb group, with the preposition or adjective that the object hangs on.
    pub(crate) predicate: Vec<Word>,
    /// Auxiliaries, copula and negation among it.
    pub(crate) auxiliaries: Vec<usize>,
    /// The object, a phrase for each that is coordinated; empty where there is none.
    pub(crate) objects: Vec<Vec<usize>>,
    /// What the object is to the verb; `None` for what a copula links.
    pub(crate) object_role: Option<Role>,
    /// Everything else that hangs on the verb, in order.
    pub(crate) rest: Vec<Vec<usize>>,
}

/// Reads all clauses of a sentence, in the order of their verbs.
pub(crate) fn clauses(tree: &Tree<'_>) -> Vec<Clause> {
    let grammar = Grammar::new(tree);
    (0..tree.len()).filter(|v| grammar.heads_clause(*v)).filter_map(|v| grammar.clause(v)).collect()
}

impl Grammar<'_> {
    fn is_verbal(self, v: usize) -> bool {
        let tree = self.tree;
        let helps = is_auxiliary(tree.label(v)) || tree.label(v) == Label::Cop;
        tree.upos(v) == Upos::Verb || tree.upos(v) == Upos::Aux && !helps
    }

    /// Whether a clause is built around `v`.
    fn heads_clause(self, v: usize) -> bool {
        let copular = self.child(v, Label::Cop).is_some();
        if !copular && !self.is_verbal(v) {
            return false;
        }
        match self.tree.label(v) {
            Label::Amod
            | Label::Compound
            | Label::Case
            | Label::Fixed
            | Label::Flat
            | Label::Mark
            | Label::Cc
            | Label::Discourse
            | Label::Reparandum
            | Label::Goeswith => false,
            Label::Nsubj | Label::Obj | Label::Obl | Label::Nmod => copular,
            _ => true,
        }
    }

    fn clause(self, v: usize) -> Option<Clause> {
        let tree = self.tree;
        let subject = self.subject_of(v);
        let nameless = self.has_subject(v) || self.child(v, Label::Expl).is_some();
        if subject.is_none() && (!self.is_main(v) || nameless) {
            return None;
        }
        let absorbed = tree.label(v) == Label::Xcomp && tree.head(v).is_some_and(|verb| self.absorbs(verb, v));
        if absorbed {
            return None;
        }
        let but = subject.filter(|subject| tree.head(v) == Some(*subject)).map(|_| v);
        let auxiliaries = self.auxiliaries(v);
        let draft = match self.child(v, Label::Cop) {
            Some(copula) => self.copular(v, copula, subject, &auxiliaries),
            None => self.verbal(v, subject, &auxiliaries),
        };
        let mut rest: Vec<Vec<usize>> = Vec::new();
        for (index, complement) in draft.complements.iter().enumerate() {
            let used = Some(index) == draft.main;
            // Tried on development data: an adverbial clause as a further argument hurts.
            if !used && complement.role != Role::Adverbial {
                rest.extend(self.argument(complement));
            }
        }
        let opening = self.shared_opening(v);
        if !opening.is_empty() {
            rest.push(opening);
        }
        let object_role = draft.main.and_then(|main| draft.complements.get(main)).map(|c| c.role);
        let kind = if object_role == Some(Role::Clause) { Kind::Says } else { draft.kind };
        let kind = if draft.objects.is_empty() && kind == Kind::Verb { Kind::Bare } else { kind };
        Some(Clause {
            kind,
            verb: v,
            subject,
            but,
            predicate: draft.predicate,
            auxiliaries,
            objects: draft.objects,
            object_role,
            rest,
        })
    }

    fn argument(self, complement: &Complement) -> Option<Vec<usize>> {
        let mut words = complement.preposition.clone();
        match complement.role {
            Role::Oblique | Role::Object => words.extend(self.noun_phrase(complement.head, Extent::Whole)),
            _ => words.extend(complement.phrases.first()?),
        }
        words.sort_unstable();
        words.dedup();
        (!words.is_empty()).then_some(words)
    }

    /// A clause whose predicate is a verb.
    fn verbal(self, v: usize, subject: Option<usize>, auxiliaries: &[usize]) -> Draft {
        let tree = self.tree;
        let (kind, inserted) = self.verb_kind(v, auxiliaries);
        let mut predicate: Vec<Word> = inserted.map(Word::Inserted).into_iter().collect();
        if kind != Kind::Verb {
            let to = self.children(v).filter(|k| tree.label(*k) == Label::Mark && tree.lower(*k) == "to");
            predicate.extend(to.map(Word::Token));
        }
        predicate.extend(auxiliaries.iter().copied().map(Word::Token));
        predicate.push(Word::Token(v));
        predicate.extend(self.particles(v).map(Word::Token));
        let mut chain = vec![v];
        for opened in self.opened_by(v) {
            predicate.extend(self.opening_words(opened).into_iter().map(Word::Token));
            predicate.push(Word::Token(opened));
            predicate.extend(self.particles(opened).map(Word::Token));
            chain.push(opened);
        }
        let last = chain.last().copied().unwrap_or(v);
        let complements = self.complements(&Frame { verb: v, chain: &chain, subject, auxiliaries });
        let main = main_complement(&complements, last);
        let mut objects = Vec::new();
        if let Some(main) = main.and_then(|main| complements.get(main)) {
            predicate.extend(main.preposition.iter().copied().map(Word::Token));
            objects.clone_from(&main.phrases);
        }
        Draft { kind, predicate, complements, main, objects }
    }

    /// What kind of clause a verb makes, and the word that its predicate lacks.
    fn verb_kind(self, v: usize, auxiliaries: &[usize]) -> (Kind, Option<&'static str>) {
        let tree = self.tree;
        let helped = auxiliaries.iter().any(|k| is_auxiliary(tree.label(*k)));
        match tree.label(v) {
            Label::Acl => match tree.xpos(v) {
                Xpos::Vbn => (Kind::Participle, (!helped).then_some("was")),
                Xpos::Vbg => (Kind::Gerund, (!helped).then_some("is")),
                _ => (Kind::Infinitive, None),
            },
            Label::Advcl if !self.has_subject(v) => {
                (Kind::Adverbial, (tree.xpos(v) == Xpos::Vbg && !helped).then_some("was"))
            }
            Label::Xcomp => (Kind::Open, None),
            Label::AclRelcl => (Kind::Relative, None),
            _ => (Kind::Verb, None),
        }
    }

    /// A clause whose predicate is a noun, an adjective or a place, with a copula.
    fn copular(self, v: usize, copula: usize, subject: Option<usize>, auxiliaries: &[usize]) -> Draft {
        let tree = self.tree;
        let kind = if tree.label(v) == Label::AclRelcl { Kind::Relative } else { Kind::Copula };
        let mut predicate: Vec<Word> = auxiliaries.iter().copied().map(Word::Token).collect();
        if let Some((words, opened)) = self.adjective_chain(v, copula, auxiliaries) {
            let complements = self.complements(&Frame { verb: v, chain: &[v, opened], subject, auxiliaries });
            let main = main_complement(&complements, opened);
            predicate.extend(words.into_iter().map(Word::Token));
            let mut objects = Vec::new();
            if let Some(main) = main.and_then(|main| complements.get(main)) {
                predicate.extend(main.preposition.iter().copied().map(Word::Token));
                objects.clone_from(&main.phrases);
            }
            return Draft { kind, predicate, complements, main, objects };
        }
        let complements = self.complements(&Frame { verb: v, chain: &[v], subject, auxiliaries });
        let place = self.preposition(v);
        if !place.is_empty() {
            predicate.extend(place.into_iter().map(Word::Token));
            let objects = vec![self.noun_phrase(v, Extent::Whole)];
            return Draft { kind, predicate, complements, main: None, objects };
        }
        if let Some((main, words)) = self.adjective_with_preposition(v, copula, auxiliaries, &complements) {
            predicate.extend(words.into_iter().map(Word::Token));
            let objects = complements.get(main).map(|c| c.phrases.clone()).unwrap_or_default();
            return Draft { kind, predicate, complements, main: Some(main), objects };
        }
        let object = self.linked(v, auxiliaries, &complements);
        let objects = if object.is_empty() { Vec::new() } else { vec![object] };
        Draft { kind, predicate, complements, main: None, objects }
    }

    /// "rich in": an adjective whose first prepositional phrase is what it is about.
    fn adjective_with_preposition(
        self,
        v: usize,
        copula: usize,
        auxiliaries: &[usize],
        complements: &[Complement],
    ) -> Option<(usize, Vec<usize>)> {
        let tree = self.tree;
        if !matches!(tree.upos(v), Upos::Adj | Upos::Adv) {
            return None;
        }
        let fits =
            |c: &Complement| c.role == Role::Oblique && c.at > v || c.role == Role::Open && tree.upos(v) == Upos::Adj;
        let main = complements.iter().position(fits)?;
        let mut words = self.below(v, |k| {
            let own = tree.head(k) == Some(v);
            let label = tree.label(k);
            own && !matches!(label, Label::Advmod | Label::Det)
                || auxiliaries.contains(&k)
                || own && label == Label::Advmod && k < copula
        });
        self.trim(&mut words);
        words.extend(complements.get(main).map(|c| c.preposition.clone()).unwrap_or_default());
        Some((main, words))
    }

    /// The noun or adjective behind a copula, without what is listed as a complement.
    fn linked(self, v: usize, auxiliaries: &[usize], complements: &[Complement]) -> Vec<usize> {
        let mut words = self.noun_phrase(v, Extent::Whole);
        words.retain(|k| !auxiliaries.contains(k));
        let is_noun = matches!(self.tree.upos(v), Upos::Noun | Upos::Propn);
        for complement in complements {
            // "a metre long", "2 € cheaper", "very fast": a measure right in front of the adjective is part of it.
            let measures = complement.role == Role::Adverb
                && complement.head < v
                && self.child(v, Label::Cop).is_some_and(|copula| copula < complement.head);
            if measures {
                continue;
            }
            let apart = matches!(complement.role, Role::Oblique | Role::Adverb | Role::Adverbial);
            if !is_noun || apart {
                let listed = self.all_below(complement.head);
                words.retain(|k| !listed.contains(k));
            }
        }
        self.trim(&mut words);
        words
    }
}

/// A clause before it is put together.
struct Draft {
    kind: Kind,
    predicate: Vec<Word>,
    complements: Vec<Complement>,
    /// Which complement is the object.
    main: Option<usize>,
    objects: Vec<Vec<usize>>,
}

/// Which complement is the object: the first kind that is there wins.
fn main_complement(complements: &[Complement], verb: usize) -> Option<usize> {
    let first = |role: Role, behind: bool| complements.iter().position(|c| c.role == role && (!behind || c.at > verb));
    first(Role::Object, false)
        .or_else(|| first(Role::Clause, false))
        .or_else(|| first(Role::Open, false))
        .or_else(|| first(Role::Oblique, true))
        .or_else(|| first(Role::Adverbial, false))
        .or_else(|| first(Role::Adverb, true))
        .or_else(|| first(Role::Indirect, false))
        .or_else(|| first(Role::Oblique, false))
        .or_else(|| first(Role::Adverb, false))
}
