//! A German sentence as its clauses: which hangs on which, and how each tells when it is so.
//!
//! Commas part clauses in German; what has no verb of its own belongs to the clause before it. A clause that shares subject or verb
//! with the one before (*Anna kam und half*) is given them.

use super::super::TOKENS_MAX;
use super::super::lexicon::Words;
use super::phrase::{Parts, Phrase, Said, parts};
use super::stretch::{Stretch, has_verb, is_finite, opening, stretches};
use super::tense::{tell_done, tell_tense};
use super::tokens::{Kind, Token, tokens};
use super::verbs::{Tense, goes_with_sein};
use super::words::{FOCUS, HEDGES, MODALS, NEGATIONS, auxiliary, is_in};

/// How a clause belongs to the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    /// It stands for itself.
    Main,
    /// *weil, da, denn*
    Cause,
    /// *obwohl*
    Concession,
    /// *nachdem, während, als*
    Time,
    /// *sodass*
    Result,
    /// *um … zu, damit*
    Purpose,
    /// *der, die, das* behind the comma after a name: it tells more of it.
    Relative,
    /// The same behind any other noun: it may tell which of them is meant.
    Restricting,
    /// *wenn, falls, bis, ob, dass, ohne*, an infinitive: what it hangs on is not so without it, nor it without that.
    Bound,
}

impl Marker {
    /// Whether what the clause says is so.
    pub(super) fn is_asserted(self) -> bool {
        matches!(self, Self::Main | Self::Cause | Self::Concession | Self::Time | Self::Result)
    }
}

/// A clause with its parts.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) marker: Marker,
    /// The word that it begins with, if it hangs on another.
    pub(super) opening: String,
    /// The clause that it hangs on.
    pub(super) parent: Option<usize>,
    pub(super) phrases: Vec<Phrase>,
    pub(super) said: Vec<Said>,
    /// Whether it was not given its subject or verb by another.
    pub(super) is_whole: bool,
    /// Whether its verb stands at the end.
    pub(super) verb_last: bool,
    /// Whether *und* joins more than nouns in it: `am Montag nach Kiel und am Dienstag nach Bonn`.
    pub(super) is_parallel: bool,
    /// Whether it begins with a verb that only *ich* can have left out: `Bin nach Wien gefahren`.
    pub(super) is_mine: bool,
}

impl Clause {
    /// Whether a word of some lists stands in it.
    pub(super) fn has_any(&self, lists: &[&Words]) -> bool {
        let is = |word: &str| lists.iter().any(|list| list.contains(word));
        self.said.iter().any(|s| is(&s.token.lower)) || self.phrases.iter().any(|p| p.words().any(|w| is(&w.lower)))
    }

    /// Whether something is denied, supposed, or said of all or some.
    pub(super) fn is_bounded(&self) -> bool {
        self.has_any(&[&NEGATIONS, &HEDGES])
    }

    /// Whether it is only supposed, wanted, or so of some.
    pub(super) fn is_supposed(&self) -> bool {
        let is = |word: &str| HEDGES.contains(word) && !FOCUS.contains(word);
        self.said.iter().any(|s| is(&s.token.lower)) || self.phrases.iter().any(|p| p.words().any(|w| is(&w.lower)))
    }

    /// Whether it tells what happened once.
    pub(super) fn is_event(&self) -> bool {
        let is_past =
            |s: &Said| s.is_verb() && (s.has(Tense::Past) || s.has(Tense::PassivePast)) && !s.has(Tense::Present);
        self.said.iter().any(is_past)
    }
}

/// A sentence of clauses.
#[derive(Clone, Debug, Default)]
pub(super) struct Sentence {
    pub(super) clauses: Vec<Clause>,
    pub(super) asks: bool,
    /// What stands in front of a colon and is no clause: `Miete: 720 Euro`.
    pub(super) label: Vec<Token>,
    /// Whether *oder* joins clauses.
    pub(super) is_choice: bool,
    pub(super) tokens: Vec<Token>,
}

/// Reads a sentence. Of one that is too long no clause is read: it says nothing but its words.
pub(super) fn sentence(text: &str) -> Sentence {
    let all = tokens(text);
    if all.len() > TOKENS_MAX {
        return Sentence { tokens: all, ..Sentence::default() };
    }
    let asks = text.trim_end_matches(['"', '”', '“', ')', ' ']).ends_with('?');
    let (label, rest) = label(&all);
    let ends = |t: &&Token| matches!(t.kind, Kind::Mark('.' | '!' | '?' | '…'));
    let end = rest.len() - rest.iter().rev().take_while(ends).count();
    let stretches = stretches(rest.get(..end).unwrap_or_default());
    let is_choice = stretches.iter().any(|s| matches!(s.joint.as_str(), "oder" | "entweder" | "sondern"));
    Sentence { clauses: clauses(stretches), asks, label, is_choice, tokens: all.clone() }
}

/// What stands in front of the first colon, if no verb is in it.
fn label(all: &[Token]) -> (Vec<Token>, &[Token]) {
    let colon = all.iter().position(|t| t.is_mark(':')).filter(|at| *at > 0);
    let front = colon.and_then(|at| all.get(..at)).filter(|front| !has_verb(&parts(front, false)));
    match front {
        Some(front) => (front.to_vec(), all.get(front.len() + 1..).unwrap_or_default()),
        None => (Vec::new(), all),
    }
}

/// A clause that is being put together.
struct Draft {
    marker: Marker,
    opening: String,
    parent: Option<usize>,
    tokens: Vec<Token>,
    /// The clause that it shares its subject with, and whether its verb as well.
    shares: Option<(usize, bool)>,
    /// Whether it has a subject of its own, and shares the verb alone.
    is_gapped: bool,
}

fn clauses(stretches: Vec<Stretch>) -> Vec<Clause> {
    let mut drafts: Vec<Draft> = Vec::new();
    let mut main: Option<usize> = None;
    let is_alone = !stretches.iter().any(|s| s.comma);
    for stretch in stretches {
        let next = drafts.len();
        let last = drafts.last().map(|draft| draft.marker);
        let hangs =
            opening(&stretch).filter(|(marker, ..)| !is_alone && !is_short_main(*marker, &stretch, drafts.last()));
        if let Some((marker, opening, skip)) = hangs {
            let parent = match (drafts.last(), marker) {
                (Some(before), Marker::Relative) if before.marker != Marker::Main => Some(next - 1),
                _ => main,
            };
            let tokens = stretch.tokens.get(skip..).unwrap_or_default().to_vec();
            // `Mitglieder, die nicht zahlen`: not all of them.
            let is_plural = tokens.last().is_some_and(|t| t.lower.ends_with('n') || t.lower == "sind");
            let marker = if marker == Marker::Relative && (is_plural || restricts(drafts.last())) {
                Marker::Restricting
            } else {
                marker
            };
            drafts.push(Draft { marker, opening, parent, tokens, shares: None, is_gapped: false });
            continue;
        }
        let own = parts(&stretch.tokens, false);
        let is_bound = last.is_some_and(|marker| marker != Marker::Main);
        // A clause that hangs on another goes on behind *und*.
        if is_bound && !stretch.comma && stretch.joint != ";" && has_verb(&own) {
            let Some(before) = drafts.last() else { continue };
            let (marker, opening, parent) = (before.marker, before.opening.clone(), before.parent);
            let shares = own.phrases.first().is_none_or(|p| !p.lead.is_empty()).then_some((next - 1, false));
            drafts.push(Draft { marker, opening, parent, tokens: stretch.tokens, shares, is_gapped: false });
            continue;
        }
        let target = if is_bound && !stretch.comma { next.checked_sub(1) } else { main };
        let Some(before) = target.and_then(|at| drafts.get_mut(at)) else {
            main = Some(next);
            drafts.push(Draft {
                marker: Marker::Main,
                opening: String::new(),
                parent: None,
                tokens: stretch.tokens,
                shares: None,
                is_gapped: false,
            });
            continue;
        };
        let is_gapped = !is_bound && stretch.comma && stretch.joint.is_empty() && is_gapped(before, &own);
        if !is_bound && stretch.comma && stretch.joint.is_empty() && is_added(before, &own, &stretch.tokens) {
            main = Some(next);
            let (marker, opening) = (Marker::Main, String::new());
            drafts.push(Draft {
                marker,
                opening,
                parent: None,
                tokens: stretch.tokens,
                shares: None,
                is_gapped: false,
            });
            continue;
        }
        if stretch.joint != ";" && !is_gapped && belongs(before, &own, is_bound && stretch.joint.is_empty()) {
            let sign = if stretch.joint.is_empty() { "," } else { stretch.joint.as_str() };
            if !(is_bound && stretch.comma) {
                before.tokens.extend(tokens(sign));
            }
            before.tokens.extend(stretch.tokens);
            continue;
        }
        let is_joined = !stretch.joint.is_empty() || own.said.iter().any(|s| s.is_in("aber jedoch"));
        let without_subject = own.said.first().is_some_and(|s| stretch.tokens.first() == Some(&s.token)) && is_joined;
        let without_verb = is_gapped || !own.said.iter().any(is_finite);
        let shares =
            main.filter(|_| stretch.joint != ";" && (without_subject || without_verb)).map(|at| (at, without_verb));
        let cause = stretch.joint == "denn";
        let marker = if cause { Marker::Cause } else { Marker::Main };
        drafts.push(Draft {
            marker,
            opening: stretch.joint,
            parent: main.filter(|_| cause),
            tokens: stretch.tokens,
            shares,
            is_gapped,
        });
        if !cause {
            main = Some(next);
        }
    }
    finished(drafts)
}

/// Whether what looks like a relative clause stands for itself: `wackelt der Alt noch, der Sopran sitzt`.
fn is_short_main(marker: Marker, stretch: &Stretch, before: Option<&Draft>) -> bool {
    let follows_noun = before.and_then(|draft| draft.tokens.last()).is_none_or(|t| t.kind != Kind::Word);
    let is_short = stretch.tokens.len() == 3 && stretch.tokens.get(1).is_some_and(|t| t.kind == Kind::Noun);
    marker == Marker::Relative && is_short && !follows_noun
}

/// Whether what a relative clause follows is more than a name.
fn restricts(before: Option<&Draft>) -> bool {
    let phrases = before.map(|draft| parts(&draft.tokens, true).phrases).unwrap_or_default();
    let is_name = |p: &Phrase| !p.led && p.items.len() == 1 && p.words().all(|w| w.kind == Kind::Noun);
    !phrases.last().is_some_and(is_name)
}

/// Whether a stretch says of another the same kind of thing without the verb: `die Kruste war gut, die Krume zu feucht`.
fn is_gapped(before: &Draft, own: &Parts) -> bool {
    let theirs = parts(&before.tokens, false);
    let is_copula = |s: &Said| s.is_in("ist sind war waren");
    let says = |s: &&Said| !s.is_in("aber dagegen hingegen jedoch dafür");
    let is_subject = |p: &Phrase| p.led && p.lead.is_empty() && p.front && p.cases.may_be_subject() && !p.is_time();
    let tells_how = |parts: &Parts| matches!(parts.phrases.as_slice(), [one] if is_subject(one));
    let bounds = |s: &Said| {
        NEGATIONS.contains(&s.token.lower) || HEDGES.contains(&s.token.lower) && !FOCUS.contains(&s.token.lower)
    };
    let verbs = theirs.said.iter().filter(|s| auxiliary(&s.token.lower).is_some() || MODALS.contains(&s.token.lower));
    theirs.said.iter().any(is_copula)
        && verbs.count() == 1
        && !theirs.said.iter().any(bounds)
        && !theirs.said.iter().any(|s| s.has(Tense::Participle))
        && !own.said.iter().any(|s| s.has(Tense::Participle))
        && own.said.iter().find(says).is_some_and(|s| !is_finite(s))
        && !own.said.iter().any(|s| auxiliary(&s.token.lower).is_some() || MODALS.contains(&s.token.lower))
        && tells_how(&theirs)
        && tells_how(own)
}

/// Whether a stretch without a verb says something else behind a clause that has ended: `drei Bretter bestellt, Lieferung am Montag`.
fn is_added(before: &Draft, own: &Parts, tokens: &[Token]) -> bool {
    let theirs = parts(&before.tokens, false);
    let done = |s: &Said| s.has(Tense::Participle) && s.is_verb() && auxiliary(&s.token.lower).is_none();
    let has_ended = theirs.said.last().is_some_and(|s| done(s) && before.tokens.last() == Some(&s.token));
    let bounds = |t: &Token| NEGATIONS.contains(&t.lower) || HEDGES.contains(&t.lower);
    let starts = tokens.first().is_some_and(|t| matches!(t.kind, Kind::Noun | Kind::Number(_)));
    let names = own.phrases.first().is_some_and(|p| p.lead.is_empty() && !p.is_time());
    has_ended && starts && names && own.said.is_empty() && !tokens.iter().any(bounds)
}

/// Whether a stretch goes on with the clause before it: it has no verb of its own, or that clause waits for one.
fn belongs(before: &Draft, own: &Parts, embedded: bool) -> bool {
    let theirs = parts(&before.tokens, before.marker != Marker::Main);
    if !has_verb(own) || !has_verb(&theirs) || embedded {
        return true;
    }
    let waits = |s: &Said| auxiliary(&s.token.lower).is_some() || MODALS.contains(&s.token.lower);
    let is_waiting = theirs.said.iter().filter(|s| s.is_verb()).all(waits);
    is_waiting && !own.said.iter().any(is_finite)
}

/// Whether only a participle at the end tells what somebody did: `Decken bei Malik abgeholt`. What others do to one (`Rad gestohlen`)
/// tells nothing of who did it.
fn was_done(phrases: &[Phrase], said: &[Said], tokens: &[Token]) -> bool {
    const BY_OTHERS: &str = "
stehl klau liefer entlass operier beförder verbiet sperr genehmig bewillig ablehn schliess eröffn zustell entdeck verhaft untersuch
kündig verschieb absag verleg streich zusag erlaub beschliess wähl einlad anruf benachrichtig angreif anfahr beiss stech
";
    let mut verbs = said.iter().filter(|s| s.is_verb());
    let Some(verb) = verbs.next().filter(|_| verbs.next().is_none()) else { return false };
    let ends = tokens.iter().rev().find(|t| !matches!(t.kind, Kind::Mark(_))) == Some(&verb.token);
    let participles: Vec<&str> =
        verb.readings.iter().filter(|r| r.tense == Tense::Participle).map(|r| r.stem.as_str()).collect();
    let is_mine = |stem: &&str| !is_in(BY_OTHERS, stem);
    let is_noun = |p: &&Phrase| p.lead.is_empty() && !p.is_time();
    // `Paket angekommen`: the noun is what came.
    let moves = participles.iter().any(|stem| goes_with_sein(stem));
    let nouns_fit =
        phrases.iter().filter(is_noun).all(|p| p.cases.may_be_object() && (!moves || p.words().all(Token::is_fact)));
    ends && !phrases.is_empty() && !participles.is_empty() && participles.iter().all(is_mine) && nouns_fit
}

/// Whether *es* only holds the place in front of somebody who comes: `Es kamen 34 Gäste`.
fn is_place_held(clause: &Clause) -> bool {
    let [first, rest @ ..] = clause.phrases.as_slice() else { return false };
    let is_it = first.front && first.words().all(|w| w.lower == "es");
    let mut nouns = rest.iter().filter(|p| p.lead.is_empty() && !p.is_time());
    let subject =
        nouns.next().filter(|p| p.cases.may_be_subject() && !p.words().any(|w| is_in("sie er ihr", &w.lower)));
    let comes = |s: &Said| {
        let moves =
            s.readings.iter().any(|r| goes_with_sein(&r.stem) && matches!(r.tense, Tense::Past | Tense::Present));
        s.is_verb()
            && auxiliary(&s.token.lower).is_none()
            && (moves || s.has(Tense::PassivePast) || s.has(Tense::PassivePresent))
    };
    is_it && subject.is_some() && nouns.next().is_none() && clause.said.iter().any(comes)
}

fn is_subject_pronoun(phrase: &Phrase) -> bool {
    phrase.words().all(|w| is_in("ich du er sie es wir ihr man", &w.lower))
}

fn finished(drafts: Vec<Draft>) -> Vec<Clause> {
    let mains: Vec<usize> = (0..drafts.len()).filter(|&at| drafts[at].marker == Marker::Main).collect();
    let mut found: Vec<Clause> = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let verb_last = draft.marker != Marker::Main && draft.opening != "denn";
        let Parts { mut phrases, mut said, is_parallel } = parts(&draft.tokens, verb_last);
        let is_told = draft.tokens.first().is_some_and(|t| is_in("bin habe hab war hatte", &t.lower));
        let is_mine = (is_told || was_done(&phrases, &said, &draft.tokens)) && !phrases.iter().any(is_subject_pronoun);
        if let Some(before) = draft.shares.and_then(|(at, verb)| found.get(at).map(|clause| (clause, verb))) {
            let (clause, verb) = before;
            let is_subject = |p: &Phrase| p.lead.is_empty() && p.cases.may_be_subject() && !p.is_time();
            let is_passive = clause.said.iter().any(|s| s.is_in("wird werden wurde wurden worden"));
            let subject = clause.phrases.iter().find(|p| is_subject(p));
            // `hat das Rad repariert und geputzt`: all but what was done is shared.
            let shared: Vec<Phrase> = match verb {
                true if draft.is_gapped => Vec::new(),
                true if phrases.is_empty() => clause.phrases.clone(),
                // Of a passive the noun is the subject: `die Fenster wurden geputzt und die Teppiche gereinigt`.
                true if is_passive && phrases.iter().any(is_subject) => Vec::new(),
                _ => subject.cloned().into_iter().collect(),
            };
            phrases.splice(0..0, shared);
            if verb {
                let is_shared = |s: &&Said| {
                    let word = s.token.lower.as_str();
                    // `nicht gefunden, aber gesehen`
                    let is_denied = NEGATIONS.contains(word) && draft.opening == "aber";
                    auxiliary(word).is_some()
                        || !is_denied && [&MODALS, &NEGATIONS, &HEDGES].iter().any(|list| list.contains(word))
                };
                said.splice(0..0, clause.said.iter().filter(is_shared).cloned());
            }
        }
        // A clause in front hangs on the first that stands for itself.
        let parent = draft.parent.or_else(|| mains.first().copied().filter(|_| draft.marker != Marker::Main));
        let is_whole = draft.shares.is_none();
        found.push(Clause {
            marker: draft.marker,
            opening: draft.opening,
            parent,
            phrases,
            said,
            is_whole,
            verb_last,
            is_parallel,
            is_mine,
        });
    }
    for clause in &mut found {
        let speaks = clause.phrases.iter().any(|p| p.words().any(|w| w.lower == "ich"));
        let has_subject = clause.phrases.iter().any(|p| p.lead.is_empty() && p.front);
        tell_tense(&mut clause.said, speaks, has_subject);
        let is_helped = clause.said.iter().any(|s| auxiliary(&s.token.lower).is_some());
        let helped = |s: &Said| s.has(Tense::Past) && !s.has(Tense::Participle) && !s.has(Tense::PassivePast);
        if clause.is_mine && !is_helped && !clause.said.iter().any(helped) {
            tell_done(&mut clause.said);
            // Where all stands before the verb, nothing stands in front.
            clause.phrases.iter_mut().for_each(|p| p.front = false);
        }
        if is_place_held(clause) {
            clause.phrases.remove(0);
        }
    }
    found
}
