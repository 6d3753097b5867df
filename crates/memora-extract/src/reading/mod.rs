//! What the clauses of a statement claim.
//!
//! [`read`] takes the words of one statement and gives its readings: who, does what, to what, how it is meant, what else
//! hangs on it. The one rule to know: every word of a reading is a word of the statement, but for "is" and "has" where the
//! statement leaves the verb out; a subject that the statement leaves out stays open, for its place to fill in.
//!
//! Nothing that a clause says is dropped: what is neither subject, predicate nor object is a qualifier.

mod change;
mod confidence;
mod fragment;
mod lead;
mod modality;
mod parsed;
mod pronoun;
mod solid;
mod split;
mod words;

use std::collections::HashSet;
use std::ops::Range;

use memora_claim::time::{Time, times, validity_of};
use memora_claim::{Holds, Modality, Phase};
use memora_english::{Label, Upos, Xpos, tokens};

use crate::base::base;
use crate::clause::complement::Role;
use crate::clause::confidence::{Features, confidence};
use crate::clause::grammar::{Extent, is_auxiliary, is_subject};
use crate::clause::nominal::Nominal;
use crate::clause::{Clause, Kind, Word};
use confidence::Parts;
pub(crate) use lead::is_instruction;
use modality::Meant;
use solid::Shown;
use words::{Words, written_out};

/// Who a reading is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// Words of the statement.
    Named(String),
    /// What the place gives: the statement names nobody, or only "it".
    OfPlace,
}

/// One thing that a statement says.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) subject: Subject,
    pub(crate) predicate: String,
    /// Empty where the verb has nothing behind it.
    pub(crate) object: String,
    pub(crate) qualifiers: Vec<String>,
    pub(crate) modality: Modality,
    pub(crate) negated: bool,
    pub(crate) attribution: Option<String>,
    pub(crate) phase: Phase,
    /// What a change is about: "serialization" in "switched serialization to MessagePack".
    pub(crate) topic: Option<String>,
    pub(crate) confidence: f32,
    /// Whether a clause says it, with a verb of its own.
    pub(crate) is_clause: bool,
    /// Whether it is a line without a verb that describes its subject: "too bitter".
    pub(crate) is_described: bool,
    /// Whether that verb is finite: "reviews", not "reviewing".
    pub(crate) is_finite: bool,
    /// Whether that is the sentence's main clause, or coordinated to it.
    pub(crate) is_main: bool,
    /// When it holds, by its own words.
    pub(crate) holds: Holds,
    /// Who says so, without the verb.
    speaker: Option<String>,
    /// The tokens it is made of.
    parts: Parts,
    /// Whether its parts show that the parse is wrong: a finite verb inside a noun phrase.
    pub(crate) torn: bool,
}

/// What a statement's place lends it, and how far it may be used.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place<'a> {
    /// Whether the statement takes its subject from its place; one that stands alone takes none.
    pub(crate) lends: bool,
    /// The words of the place's subject, as far as they are known here.
    pub(crate) name: Option<&'a str>,
    /// Whether the text begins the statement, so that "it" can only point out of it.
    pub(crate) first: bool,
}

/// Reads a statement. `marked` are the ranges of links and code in it.
pub(crate) fn read(text: &str, marked: &[Range<usize>], place: Place<'_>) -> Vec<Reading> {
    let body = lead::body(text, marked);
    let times = times(text);
    let mut found = split::pieces(Text { text, marked, times: &times }, body, place);
    let mut seen = HashSet::new();
    found.retain(|reading| {
        if reading.torn {
            return false;
        }
        let subject = match &reading.subject {
            Subject::Named(name) => name.to_lowercase(),
            Subject::OfPlace => String::new(),
        };
        seen.insert((subject, reading.predicate.to_lowercase(), reading.object.to_lowercase()))
    });
    found
}

/// A text to read, with what is known of its parts.
#[derive(Clone, Copy)]
struct Text<'a> {
    text: &'a str,
    /// Links and code.
    marked: &'a [Range<usize>],
    times: &'a [Time],
}

/// A part of a text as the reader sees it.
struct Cut<'a> {
    ranges: Vec<Range<usize>>,
    forms: Vec<&'a str>,
}

impl<'a> Text<'a> {
    /// Cuts a part of the text into tokens.
    fn cut(self, part: &Range<usize>) -> Cut<'a> {
        let within = self.text.get(part.clone()).unwrap_or_default();
        let inside = |range: &Range<usize>| part.start <= range.start && range.end <= part.end;
        let shifted = |range: &Range<usize>| range.start - part.start..range.end - part.start;
        let marked: Vec<Range<usize>> = self.marked.iter().filter(|range| inside(range)).map(shifted).collect();
        let times = self.times.iter().filter(|time| inside(&time.words));
        let times: Vec<Time> = times.map(|time| Time { words: shifted(&time.words), ..time.clone() }).collect();
        let solids = solid::solids(within, &marked, &times);
        let whole: Vec<Range<usize>> = solids.iter().map(|solid| solid.range.clone()).collect();
        let ranges = tokens(within, &whole);
        let form = |range: &Range<usize>| {
            let at = solids.binary_search_by_key(&range.start, |solid| solid.range.start).ok();
            match at.and_then(|at| solids.get(at)).filter(|solid| solid.range == *range).map(|solid| &solid.shown) {
                Some(Shown::Word(word)) => word,
                Some(Shown::Part(part)) => within.get(part.clone()).unwrap_or_default(),
                Some(Shown::AsWritten) | None => within.get(range.clone()).unwrap_or_default(),
            }
        };
        let forms = ranges.iter().map(form).collect();
        Cut { ranges: ranges.iter().map(|range| range.start + part.start..range.end + part.start).collect(), forms }
    }
}

impl Words<'_> {
    /// The readings of one clause: one for each of its coordinated subjects and objects.
    fn readings_of(self, clause: &Clause, place: Place<'_>) -> Vec<Reading> {
        // "arrives Friday": a day behind the verb is no subject.
        let day = clause.subject.is_some_and(|subject| self.is_time(subject) && clause.verb < subject);
        let nameless;
        let clause = if day {
            nameless = Clause { subject: None, ..clause.clone() };
            &nameless
        } else {
            clause
        };
        let meant = self.meant(clause);
        if meant.asserts_nothing || self.is_no_claim(clause, place) {
            return Vec::new();
        }
        if let Some(changed) = self.change(clause, place, &meant) {
            return changed;
        }
        if let Some(exists) = self.existence(clause, &meant) {
            return vec![exists];
        }
        let tree = self.tree;
        let subjects = self.subjects(clause, place);
        let mut predicate = clause.predicate.clone();
        let mut objects = self.objects(clause);
        if clause.object_role == Some(Role::Adverbial) {
            // When or if it does so is no object.
            let beside = clause.rest.iter().find(|words| words.first().is_some_and(|i| tree.upos(*i) == Upos::Adv));
            objects = vec![beside.cloned().unwrap_or_default()];
        }
        if let Some(state) = self.bare_participle(clause) {
            predicate = vec![Word::Inserted("is")];
            objects = vec![state];
        } else if let Some((linked, adjective)) = self.with_circumstance(clause) {
            predicate = linked;
            objects = vec![adjective];
        } else if let Some((particle, object)) = self.behind_particle(clause, &objects) {
            predicate.extend(particle.into_iter().map(Word::Token));
            objects = vec![object];
        }
        predicate.retain(|word| word.token().is_none_or(|i| !JOINING.contains(&self.tree.lower(i))));
        let mut found = Vec::new();
        for (subject, named) in &subjects {
            for (index, object) in objects.iter().enumerate() {
                let said = predicate.iter().filter_map(|word| word.token());
                let used: Vec<usize> = named.iter().chain(object).copied().chain(said).collect();
                // "a reconstruction, not a recording"
                let denied = index > 0 && object.first().is_some_and(|first| self.tree.lower(*first) == "not");
                let object = if denied { object.get(1..).unwrap_or_default() } else { object };
                let beside = self.qualifiers(clause, &used, &objects);
                let reading = Reading {
                    subject: subject.clone(),
                    predicate: written_out(&self.phrase_with(&predicate)),
                    object: self.phrase(object),
                    qualifiers: self.phrases(&beside),
                    confidence: self.confidence_of(clause, named, object, index),
                    parts: Parts::new(named, &predicate, object, &beside),
                    ..self.empty(clause, &meant)
                };
                let torn = self.is_torn(named)
                    || self.is_no_name(named)
                    || self.is_split(object)
                    || clause.object_role.is_none_or(takes_noun) && self.is_torn(object);
                found.push(Reading { negated: reading.negated ^ denied, torn, ..reading });
            }
        }
        found
    }

    /// "room booked", "login page deprecated since v5.2": a participle without its auxiliary, as the state it names.
    fn bare_participle(self, clause: &Clause) -> Option<Vec<usize>> {
        let tree = self.tree;
        let verb = clause.verb;
        let weak = matches!(clause.object_role, None | Some(Role::Oblique | Role::Adverb));
        let participle = tree.xpos(verb) == Xpos::Vbn
            // Without an object and without a full stop, a past tense is more likely one too.
            || tree.xpos(verb) == Xpos::Vbd
                && clause.objects.is_empty()
                && !self.text.trim_end().ends_with(['.', '!'])
                && clause.subject.is_some_and(|s| tree.upos(s) == Upos::Noun);
        let only_adverbs = clause.auxiliaries.iter().all(|i| !is_auxiliary(tree.label(*i)));
        let named = clause.subject.is_some_and(|s| tree.head(s) == Some(verb) && !self.range(s).is_empty());
        if !participle || !weak || !only_adverbs || !named || !matches!(clause.kind, Kind::Verb | Kind::Bare) {
            return None;
        }
        let mut words = self.grammar().below(verb, |k| {
            is_subject(tree.label(k))
                || matches!(tree.label(k), Label::Conj | Label::Cc | Label::Parataxis | Label::Punct | Label::Advcl)
        });
        words.retain(|i| !self.is_time(*i));
        self.grammar().trim(&mut words);
        Some(words)
    }

    /// "has been readable since the fall": what follows the adjective is when or how, and not what it is about.
    fn with_circumstance(self, clause: &Clause) -> Option<(Vec<Word>, Vec<usize>)> {
        const CIRCUMSTANTIAL: &[&str] = &[
            "since",
            "until",
            "till",
            "after",
            "before",
            "during",
            "without",
            "despite",
            "within",
            "throughout",
            "because",
            "like",
            "as",
        ];
        let tree = self.tree;
        let last = clause.predicate.last()?.token()?;
        let fits = clause.kind == Kind::Copula
            && clause.object_role == Some(Role::Oblique)
            && CIRCUMSTANTIAL.contains(&tree.lower(last))
            && matches!(tree.upos(clause.verb), Upos::Adj | Upos::Adv);
        let helps = |i: &usize| clause.auxiliaries.contains(i);
        let tokens: Vec<usize> = clause.predicate.iter().filter_map(|word| word.token()).collect();
        let linked = tokens.iter().copied().filter(|i| helps(i)).map(Word::Token).collect();
        let adjective = tokens.iter().copied().filter(|i| !helps(i) && tree.label(*i) != Label::Case).collect();
        fits.then_some((linked, adjective))
    }

    /// "stayed in", "dies below -15 °C": an adverb that is a preposition goes to the verb, and what it stands in front of is
    /// the object.
    fn behind_particle(self, clause: &Clause, objects: &[Vec<usize>]) -> Option<(Vec<usize>, Vec<usize>)> {
        const PARTICLES: &[&str] = &[
            "in", "out", "up", "down", "off", "on", "over", "away", "below", "above", "under", "through", "along",
            "around", "past", "since",
        ];
        let [only] = objects else { return None };
        let [particle] = only.as_slice() else { return None };
        let last = clause.predicate.iter().rev().find_map(|word| word.token())?;
        let fits = clause.object_role == Some(Role::Adverb)
            && PARTICLES.contains(&self.tree.lower(*particle))
            && *particle == last + 1;
        let next = clause.rest.iter().find(|words| words.first() == Some(&(particle + 1))).cloned().unwrap_or_default();
        let prepositions = next.iter().take_while(|i| self.tree.label(**i) == Label::Case).count();
        let (preposition, object) = next.split_at_checked(prepositions).unwrap_or((&[], &next));
        let mut said = vec![*particle];
        said.extend(preposition);
        fits.then(|| (said, object.to_vec()))
    }

    /// "There are two keys at Anna's place": what there is, and where.
    fn existence(self, clause: &Clause, meant: &Meant) -> Option<Reading> {
        let tree = self.tree;
        let grammar = self.grammar();
        grammar.children(clause.verb).find(|k| tree.label(*k) == Label::Expl && tree.lower(*k) == "there")?;
        let thing = clause
            .subject
            .or_else(|| tree.children(clause.verb).iter().copied().find(|k| is_subject(tree.label(*k))))?;
        let hangs = grammar.children(clause.verb).filter(|k| tree.label(*k) == Label::Obl && *k > thing);
        let within = grammar.children(thing).filter(|k| tree.label(*k) == Label::Nmod);
        let place = hangs.chain(within).find(|k| {
            grammar.preposition(*k).first().is_some_and(|p| {
                matches!(
                    tree.lower(*p),
                    "at" | "in"
                        | "on"
                        | "under"
                        | "behind"
                        | "near"
                        | "above"
                        | "below"
                        | "inside"
                        | "over"
                        | "next"
                        | "from"
                        | "between"
                )
            }) && !self.is_time(*k)
        })?;
        let named = grammar.noun_phrase_but(thing, Extent::Whole, Some(place));
        let object = grammar.noun_phrase(place, Extent::Whole);
        let mut predicate: Vec<Word> = clause.auxiliaries.iter().copied().map(Word::Token).collect();
        if tree.upos(clause.verb) == Upos::Verb || tree.upos(clause.verb) == Upos::Aux {
            predicate.push(Word::Token(clause.verb));
        }
        predicate.extend(grammar.preposition(place).into_iter().map(Word::Token));
        let used: Vec<usize> = named
            .iter()
            .chain(&object)
            .copied()
            .chain(grammar.children(clause.verb).filter(|k| tree.label(*k) == Label::Expl))
            .collect();
        let beside = self.qualifiers(clause, &used, &[]);
        Some(Reading {
            subject: Subject::Named(self.phrase(&named)),
            predicate: written_out(&self.phrase_with(&predicate)),
            object: self.phrase(&object),
            qualifiers: self.phrases(&beside),
            confidence: self.confidence_of(clause, &named, &object, 0),
            parts: Parts::new(&named, &predicate, &object, &beside),
            torn: self.is_torn(&named) || self.is_torn(&object),
            ..self.empty(clause, meant)
        })
    }

    /// A reading of a clause without its words.
    fn empty(self, clause: &Clause, meant: &Meant) -> Reading {
        Reading {
            subject: Subject::OfPlace,
            predicate: String::new(),
            object: String::new(),
            qualifiers: Vec::new(),
            modality: meant.modality.unwrap_or(Modality::Asserted),
            negated: meant.negated,
            attribution: meant.attribution.clone(),
            phase: self.phase_of(clause),
            topic: None,
            confidence: 0.0,
            is_clause: true,
            is_finite: self.is_finite(clause),
            is_described: false,
            is_main: self.grammar().is_main(clause.verb),
            holds: self.holds(clause),
            parts: Parts::default(),
            speaker: meant.speaker.clone(),
            torn: false,
        }
    }

    /// Whether a clause only says when, or on what condition, another one holds.
    fn tells_when(self, verb: usize) -> bool {
        const WHEN: &[&str] = &[
            "when", "whenever", "before", "after", "while", "until", "till", "once", "where", "wherever", "assuming",
            "as", "if", "unless", "how", "why", "whether",
        ];
        let tree = self.tree;
        // Whatever the parser calls them, these say it.
        let plainly = |k: usize| {
            matches!(tree.lower(k), "if" | "when" | "whenever" | "once" | "unless" | "whether" | "while" | "until")
        };
        let asks = |k: usize| matches!(tree.label(k), Label::Mark) || tree.xpos(k) == Xpos::Wrb || plainly(k);
        let marked = |v: usize| tree.children(v).iter().any(|k| *k < v && asks(*k) && WHEN.contains(&tree.lower(*k)));
        // "when A does X and B does Y": both.
        let mut v = verb;
        for _ in 0..tree.len() {
            match tree.head(v) {
                Some(head) if tree.label(v) == Label::Conj && !marked(v) => v = head,
                _ => break,
            }
        }
        // "for you to choose from", "lets you add X": nobody says that it is done.
        let infinitive = tree.xpos(v) == Xpos::Vb
            && tree.label(v) != Label::Root
            && tree.children(v).iter().any(|k| tree.label(*k) == Label::Mark && tree.lower(*k) == "to");
        let caused = matches!(tree.label(v), Label::Ccomp | Label::Xcomp)
            && tree.head(v).is_some_and(|head| ENABLING.contains(&base(tree.lower(head)).as_str()));
        // "Confirm that it is visible" does not say that it is.
        let demanded = tree.label(v) == Label::Ccomp
            && tree.head(v).is_some_and(|head| tree.xpos(head) == Xpos::Vb && !self.grammar().has_subject(head));
        marked(v) || infinitive || caused || demanded
    }

    /// Whether a clause is one of several that are offered: "either create a vault or use a folder".
    fn is_alternative(self, verb: usize) -> bool {
        let tree = self.tree;
        let or = |v: usize| {
            tree.children(v).iter().any(|k| tree.label(*k) == Label::Cc && matches!(tree.lower(*k), "or" | "either"))
        };
        let may = |v: usize| {
            tree.children(v)
                .iter()
                .any(|k| matches!(tree.lower(*k), "can" | "may" | "could" | "might" | "to" | "not" | "n't" | "never"))
        };
        let joined = tree.label(verb) == Label::Conj && or(verb);
        let first =
            tree.children(verb).iter().any(|k| tree.label(*k) == Label::Conj && tree.upos(*k) == Upos::Verb && or(*k));
        let head = tree.head(verb).filter(|_| joined);
        (joined || first || tree.children(verb).iter().any(|k| tree.lower(*k) == "either"))
            && !may(verb)
            && !head.is_some_and(may)
    }

    /// Whether a noun phrase holds a clause that nothing in it introduces: the parse is wrong then.
    fn is_torn(self, words: &[usize]) -> bool {
        let tree = self.tree;
        let grammar = self.grammar();
        let introduces = |i: usize| {
            matches!(tree.xpos(i), Xpos::Wdt | Xpos::Wp | Xpos::WpPoss | Xpos::Wrb)
                || INTRODUCING.contains(&tree.lower(i))
        };
        let finite = |i: usize| {
            matches!(tree.xpos(i), Xpos::Vbz | Xpos::Vbd | Xpos::Md)
                && !matches!(tree.label(i), Label::Amod | Label::Compound)
        };
        words.iter().enumerate().any(|(at, i)| {
            let before = words.get(..at).unwrap_or_default();
            let joined = before.last().is_some_and(|last| tree.upos(*last) == Upos::Cconj);
            let pronoun = matches!(tree.lower(*i), "i" | "we" | "he" | "she" | "they");
            // "the apartment we booked": a relative clause without its pronoun.
            let relative = tree.label(*i) == Label::AclRelcl && grammar.subject_of(*i).is_some_and(|s| s < *i);
            if joined && (pronoun || finite(*i)) && !before.iter().any(|b| finite(*b)) {
                return true;
            }
            finite(*i) && !relative && !before.iter().any(|b| introduces(*b))
        })
    }

    fn is_finite(self, clause: &Clause) -> bool {
        let finite = |i: usize| {
            matches!(self.tree.xpos(i), Xpos::Vbz | Xpos::Vbd | Xpos::Vbp | Xpos::Md) || self.tree.lower(i) == "going"
        };
        finite(clause.verb)
            || clause.auxiliaries.iter().any(|i| finite(*i))
            || clause.subject.is_none()
                && self.tree.xpos(clause.verb) == Xpos::Vb
                && self.tree.label(clause.verb) == Label::Root
    }

    /// Whether a subject begins as no name does: with a preposition, a conjunction, a verb.
    fn is_no_name(self, words: &[usize]) -> bool {
        let tree = self.tree;
        let Some(first) = words.first().copied() else { return false };
        let verb =
            tree.upos(first) == Upos::Verb && !matches!(tree.xpos(first), Xpos::Vbg | Xpos::Vbn) && words.len() > 1;
        let past = first == 0
            && words.len() > 1
            && tree.upos(first) != Upos::Verb
            && crate::base::is_irregular(tree.lower(first))
            && tree.lower(first) != "people";
        (matches!(tree.upos(first), Upos::Sconj | Upos::Cconj) || tree.xpos(first) == Xpos::Wrb) && words.len() > 1
            || tree.upos(first) == Upos::Adp
                && !matches!(tree.lower(first), "about" | "around" | "over" | "under" | "up")
            || verb
            || past
    }

    /// Whether a phrase runs over a sign that parts a line.
    fn is_split(self, words: &[usize]) -> bool {
        words.iter().any(|i| matches!(self.tree.word(*i), ";" | "→" | "—" | "|" | "=>" | "->"))
    }

    /// Clauses that say nothing worth a claim, or that others already say.
    fn is_no_claim(self, clause: &Clause, place: Place<'_>) -> bool {
        let tree = self.tree;
        let grammar = self.grammar();
        match clause.kind {
            Kind::Infinitive | Kind::Gerund | Kind::Adverbial | Kind::Open => return true,
            // The inner clause is claimed, with its speaker.
            Kind::Says => {
                return grammar.child(clause.verb, Label::Ccomp).is_some_and(|inner| grammar.has_subject(inner));
            }
            // What only tells which one is meant: "the notes you want", "the vault identified by it".
            Kind::Relative | Kind::Participle if !grammar.follows_comma(clause.verb) => return true,
            _ => {}
        }
        // "Using X": nothing that anybody does.
        let loose = clause.subject.is_none() && tree.xpos(clause.verb) == Xpos::Vbg && !self.is_finite(clause);
        if loose || self.tells_when(clause.verb) || self.is_alternative(clause.verb) {
            return true;
        }
        let asks = |object: &Vec<usize>| {
            object.first().is_some_and(|i| {
                matches!(tree.xpos(*i), Xpos::Wdt | Xpos::Wp | Xpos::Wrb)
                    || matches!(tree.lower(*i), "why" | "when" | "where" | "how" | "than")
            })
        };
        if clause.objects.iter().any(asks) {
            return true;
        }
        if self.is_time(clause.verb) {
            return true;
        }
        let Some(subject) = clause.subject else {
            return !place.lends || !self.may_lack_subject(clause);
        };
        let points =
            matches!(tree.lower(subject), "what" | "who" | "which" | "that" | "there" | "whoever" | "whatever");
        let bare_one = tree.lower(subject) == "one" && tree.children(subject).is_empty();
        let within = grammar.all_below(subject);
        let asked = within.iter().any(|i| *i < subject && matches!(tree.lower(*i), "what" | "which" | "whose" | "how"));
        let here = clause
            .objects
            .iter()
            .any(|object| object.first().is_some_and(|i| matches!(tree.lower(*i), "here" | "below" | "above")));
        let points_back = asked
            || here
            || matches!(tree.lower(subject), "this" | "these" | "those") && tree.children(subject).is_empty();
        points || bare_one || points_back || matches!(tree.xpos(subject), Xpos::Wp | Xpos::Wdt)
    }

    /// A line without a subject has a verb that can go without one.
    fn may_lack_subject(self, clause: &Clause) -> bool {
        let tree = self.tree;
        let grammar = self.grammar();
        let first = clause.predicate.iter().find_map(|word| word.token()).unwrap_or(clause.verb);
        let mut verb = clause.verb;
        // Of coordinated verbs the first one counts.
        while let Some(head) = grammar.head_if(verb, Label::Conj) {
            verb = head;
        }
        let hangs = |i: usize| {
            grammar.children(verb).any(|k| {
                matches!(
                    tree.label(k),
                    Label::Obl | Label::OblUnmarked | Label::Advmod | Label::Advcl | Label::Discourse | Label::Vocative
                ) && k <= i.max(k)
                    && grammar.all_below(k).contains(&i)
            })
        };
        let noun =
            |i: usize| matches!(tree.upos(i), Upos::Noun | Upos::Propn | Upos::Pron | Upos::Num) && !self.is_time(i);
        let limit = first.min(verb);
        grammar.is_main(clause.verb) && !(0..limit).any(|i| noun(i) && !hangs(i))
    }

    /// The subjects of a clause, each with its tokens.
    fn subjects(self, clause: &Clause, place: Place<'_>) -> Vec<(Subject, Vec<usize>)> {
        let grammar = self.grammar();
        let Some(subject) = clause.subject else { return vec![(Subject::OfPlace, Vec::new())] };
        if self.range(subject).is_empty() || self.stands_for_place(subject, clause, place) {
            return vec![(Subject::OfPlace, vec![subject])];
        }
        if self.tree.label(subject) == Label::Csubj {
            let words = grammar.whole_clause(subject);
            return vec![(Subject::Named(self.phrase(&words)), words)];
        }
        let several = grammar.conjuncts(subject);
        let together = is_pair_verb(self.tree.lower(clause.verb)) || self.is_choice(&several);
        let heads = if together { vec![subject] } else { several };
        let extent = if heads.len() > 1 { Extent::One } else { Extent::Whole };
        let phrase = |head: usize| {
            let mut words = grammar.noun_phrase_but(head, extent, clause.but);
            words.retain(|i| {
                let joins = matches!(self.tree.upos(*i), Upos::Adv | Upos::Cconj);
                *i == head
                    || !joins
                    || !matches!(self.tree.lower(*i), "neither" | "nor" | "either" | "both" | "only" | "also")
            });
            words
        };
        let named = heads
            .into_iter()
            .map(phrase)
            .filter(|words| !words.is_empty())
            .map(|words| self.with_rest_of_name(clause, words));
        named.map(|words| (Subject::Named(self.phrase(&words)), words)).collect()
    }

    /// The objects of a clause, a phrase each; one empty phrase where there is none.
    fn objects(self, clause: &Clause) -> Vec<Vec<usize>> {
        let objects = self.distributed(clause).into_iter().map(|words| self.without_times(words));
        objects.map(|words| self.with_rest_of_name(clause, words)).collect()
    }

    /// "Uncle Béla", "draft 5", "inkwell 3": a name or number right beside a noun belongs to it, wherever the parser hung
    /// it.
    fn with_rest_of_name(self, clause: &Clause, mut words: Vec<usize>) -> Vec<usize> {
        let tree = self.tree;
        let said = |i: usize| clause.predicate.iter().any(|word| word.token() == Some(i));
        let listed = |i: usize| clause.objects.iter().flatten().any(|k| *k == i) || clause.subject == Some(i);
        let free = |i: usize| i < tree.len() && !said(i) && !listed(i) && !self.is_time(i) && !self.range(i).is_empty();
        if let Some(last) = words.last().copied() {
            let next = last + 1;
            let noun = matches!(tree.upos(last), Upos::Noun | Upos::Propn);
            let name = tree.upos(next) == Upos::Propn
                || tree.upos(next) == Upos::Num && self.range(next).len() == tree.word(next).len();
            let bare = tree.children(next).iter().all(|k| tree.label(*k) == Label::Punct);
            if noun && name && bare && free(next) && words.len() < 6 {
                words.push(next);
            }
        }
        // A sentence's first word that hangs nowhere in particular: "Conflict resolution settings", "inkwell 3".
        let adrift =
            matches!(tree.label(0), Label::Discourse | Label::Vocative | Label::Dislocated | Label::Reparandum)
                || matches!(tree.upos(0), Upos::Noun | Upos::Propn | Upos::Adj) && tree.children(0).is_empty();
        if words.first() == Some(&1) && free(0) && adrift {
            words.insert(0, 0);
        }
        words
    }

    /// A phrase without the dates in it, which say when and not what; as it is, if it is nothing else.
    fn without_times(self, words: Vec<usize>) -> Vec<usize> {
        let grammar = self.grammar();
        let Some(first) = words.first().copied() else { return words };
        let dated = |i: usize| {
            let below = grammar.children(i).filter(|k| self.tree.label(*k) == Label::Case);
            (i != first && self.is_time(i)).then(|| below.chain([i]).collect::<Vec<_>>())
        };
        let times: Vec<usize> = words.iter().copied().filter_map(dated).flatten().collect();
        let mut rest: Vec<usize> = words.iter().copied().filter(|i| !times.contains(i)).collect();
        grammar.trim(&mut rest);
        let says = |i: &usize| !matches!(self.tree.upos(*i), Upos::Det | Upos::Adp | Upos::Punct | Upos::Adv);
        if times.is_empty() || !rest.iter().any(says) { words } else { rest }
    }

    /// When a clause holds: by the times among its own words, or before the verb that it is coordinated to.
    fn holds(self, clause: &Clause) -> Holds {
        let grammar = self.grammar();
        let tree = self.tree;
        let of_others = |k: usize| {
            matches!(tree.label(k), Label::Conj | Label::Parataxis | Label::Ccomp)
                && (tree.upos(k) == Upos::Verb || grammar.has_subject(k))
        };
        let mut own = grammar.below(clause.verb, of_others);
        own.extend(clause.subject.map(|s| grammar.all_below(s)).unwrap_or_default());
        own.extend(clause.objects.iter().flatten());
        own.extend(grammar.shared_opening(clause.verb));
        let starts: HashSet<usize> = own.iter().map(|i| self.range(*i).start).collect();
        let times: Vec<Time> = self.times.iter().filter(|time| starts.contains(&time.words.start)).cloned().collect();
        let (from, until) = validity_of(&times, 0..usize::MAX);
        if self.phase_of(clause) == Phase::Ended {
            Holds { from: None, until: until.or(from) }
        } else {
            Holds { from, until }
        }
    }

    /// When a line without a verb holds: by the times in it.
    fn holds_in(self, words: &[usize]) -> Holds {
        let starts: HashSet<usize> = words.iter().map(|i| self.range(*i).start).collect();
        let times: Vec<Time> = self.times.iter().filter(|time| starts.contains(&time.words.start)).cloned().collect();
        let (from, until) = validity_of(&times, 0..usize::MAX);
        Holds { from, until }
    }

    /// The objects as they stand, distributed.
    fn distributed(self, clause: &Clause) -> Vec<Vec<usize>> {
        let grammar = self.grammar();
        let tree = self.tree;
        if clause.objects.is_empty() {
            return vec![Vec::new()];
        }
        let first = clause
            .objects
            .first()
            .and_then(|words| words.iter().copied().find(|i| matches!(tree.label(*i), Label::Obj)));
        if let Some(first) =
            first.filter(|first| clause.objects.len() > 1 && self.is_choice(&grammar.conjuncts(*first)))
        {
            return vec![grammar.noun_phrase(first, Extent::Whole)];
        }
        let [only] = clause.objects.as_slice() else { return clause.objects.clone() };
        // Prepositional and linked objects are distributed here; annotators of open extraction keep them together.
        let head = match clause.object_role {
            Some(Role::Oblique) => {
                only.iter().copied().find(|i| matches!(tree.label(*i), Label::Obl | Label::OblAgent))
            }
            None => Some(clause.verb),
            _ => None,
        };
        let Some(head) = head.filter(|head| only.contains(head)) else { return clause.objects.clone() };
        let heads = grammar.conjuncts(head);
        if heads.len() < 2 || self.is_choice(&heads) {
            return clause.objects.clone();
        }
        let phrases = heads.into_iter().map(|head| {
            let mut words = grammar.noun_phrase(head, Extent::One);
            words.retain(|i| only.contains(i));
            words
        });
        phrases.filter(|words| !words.is_empty()).collect()
    }

    /// Whether one of several is meant, and nobody says which: "Git or Dropbox".
    fn is_choice(self, heads: &[usize]) -> bool {
        let tree = self.tree;
        heads.iter().any(|head| {
            tree.children(*head)
                .iter()
                .any(|k| tree.label(*k) == Label::Cc && matches!(tree.lower(*k), "or" | "either"))
        })
    }

    /// Everything below the verb that is neither predicate, subject nor object, nor a clause that speaks for itself.
    fn qualifiers(self, clause: &Clause, used: &[usize], objects: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let tree = self.tree;
        let grammar = self.grammar();
        let mut listed: HashSet<usize> = used.iter().copied().collect();
        listed.extend(clause.predicate.iter().filter_map(|word| word.token()));
        // What is coordinated to the subject or an object has readings of its own.
        listed.extend(objects.iter().flatten());
        listed.extend(
            clause
                .subject
                .filter(|s| tree.head(*s) == Some(clause.verb))
                .map(|s| grammar.all_below(s))
                .unwrap_or_default(),
        );
        let apart = |k: usize| match tree.label(k) {
            Label::Conj => {
                tree.upos(k) == Upos::Verb || grammar.has_subject(k) || grammar.child(k, Label::Cop).is_some()
            }
            Label::Parataxis | Label::Appos | Label::Cc | Label::Discourse | Label::Punct => true,
            label => is_subject(label) && tree.head(k) == Some(clause.verb),
        };
        let below = grammar.below(clause.verb, apart);
        let left: Vec<usize> =
            below.into_iter().filter(|i| !listed.contains(i) && !self.is_joint(*i, clause)).collect();
        let mut runs: Vec<Vec<usize>> = Vec::new();
        for i in left {
            match runs.last_mut() {
                Some(run) if run.last().is_some_and(|last| last + 1 == i) && !self.begins_complement(i, clause) => {
                    run.push(i)
                }
                _ => runs.push(vec![i]),
            }
        }
        let says = |i: &usize| {
            self.tree.word(*i).chars().any(char::is_alphanumeric)
                && !matches!(self.tree.upos(*i), Upos::Adp | Upos::Cconj | Upos::Sconj | Upos::Det | Upos::Part)
                && self.tree.xpos(*i) != Xpos::Wrb
        };
        runs.retain(|run| run.iter().any(says));
        runs
    }

    fn phrases(self, runs: &[Vec<usize>]) -> Vec<String> {
        runs.iter().map(|run| self.phrase(run)).collect()
    }

    /// Whether a complement of the clause begins at `i`, so that it is a qualifier apart from the one before.
    fn begins_complement(self, i: usize, clause: &Clause) -> bool {
        let grammar = self.grammar();
        grammar.children(clause.verb).any(|k| grammar.leftmost(k) == i)
    }

    /// Words that join the clause to another one and say nothing in it.
    fn is_joint(self, i: usize, clause: &Clause) -> bool {
        let own = self.tree.head(i) == Some(clause.verb);
        let word = self.tree.lower(i);
        own && self.tree.label(i) == Label::Mark
            || own
                && matches!(
                    word,
                    "also"
                        | "however"
                        | "then"
                        | "so"
                        | "therefore"
                        | "thus"
                        | "moreover"
                        | "furthermore"
                        | "meanwhile"
                )
    }

    fn confidence_of(self, clause: &Clause, subject: &[usize], object: &[usize], index: usize) -> f32 {
        let mut arguments = vec![subject.to_vec(), object.to_vec()];
        arguments.extend(clause.rest.iter().cloned());
        confidence(
            self.tree,
            &Features {
                kind: clause.kind,
                verb: clause.verb,
                predicate: &clause.predicate,
                arguments: &arguments,
                split: clause.objects.len() > 1,
                later: index > 0,
                rest: clause.rest.len(),
                own_subject: clause.subject.is_some_and(|subject| self.tree.head(subject) == Some(clause.verb)),
            },
        )
    }

    /// An apposition to a name.
    fn in_passing(self, nominal: &Nominal) -> Option<Reading> {
        let tree = self.tree;
        let is_name = nominal.subject.iter().any(|i| tree.upos(*i) == Upos::Propn);
        let says_what = nominal.object.iter().any(|i| tree.upos(*i) == Upos::Noun) && nominal.object.len() > 1;
        if !is_name || !says_what {
            return None;
        }
        let arguments = vec![nominal.subject.clone(), nominal.object.clone()];
        let confidence = confidence(
            tree,
            &Features {
                kind: nominal.kind,
                verb: nominal.at,
                predicate: &nominal.predicate,
                arguments: &arguments,
                split: false,
                later: false,
                rest: 0,
                own_subject: false,
            },
        );
        Some(Reading {
            subject: Subject::Named(self.phrase(&nominal.subject)),
            predicate: self.phrase_with(&nominal.predicate),
            object: self.phrase(&nominal.object),
            qualifiers: Vec::new(),
            modality: Modality::Asserted,
            negated: false,
            attribution: None,
            phase: Phase::Steady,
            topic: None,
            confidence,
            is_clause: false,
            is_finite: false,
            is_described: false,
            is_main: true,
            holds: Holds::default(),
            speaker: None,
            parts: Parts::new(&nominal.subject, &nominal.predicate, &nominal.object, &[]),
            torn: self.is_torn(&nominal.subject) || self.is_torn(&nominal.object),
        })
    }
}

/// Whether a complement of this kind is a noun phrase.
fn takes_noun(role: Role) -> bool {
    matches!(role, Role::Object | Role::Indirect | Role::Oblique | Role::Adverb)
}

/// Adverbs that only join a clause to the one before.
const JOINING: &[&str] = &["then", "also", "so", "therefore", "however", "thus", "hence", "furthermore", "moreover"];

/// Verbs that make something possible: what they make possible is not said to happen. In base forms.
const ENABLING: &[&str] = &[
    "let", "allow", "enabl", "permit", "help", "requir", "forc", "ask", "prevent", "ensur", "invit", "encourag", "make",
];

/// Words that introduce a clause.
const INTRODUCING: &[&str] = &[
    "that", "if", "whether", "because", "as", "than", "while", "before", "after", "since", "until", "till", "though",
    "although", "so",
];

/// Verbs whose coordinated subjects do it to each other: "Anna and Ben met".
fn is_pair_verb(form: &str) -> bool {
    matches!(form, "met" | "meet" | "meets" | "differ" | "differs" | "agree" | "agreed" | "married" | "merged")
}
