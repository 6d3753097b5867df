//! A German sentence as its clauses: which hangs on which, and how each tells when it is so.
//!
//! Commas part clauses in German; what has no verb of its own belongs to the clause before it. A clause that shares subject or verb
//! with the one before (*Anna kam und half*) is given them.

use super::phrase::{Parts, Phrase, Said, parts};
use super::tokens::{Token, tokens};
use super::verbs::{Tense, goes_with_sein};
use super::words::{HEDGES, MODALS, NEGATIONS, auxiliary, is_in};

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
}

impl Clause {
    /// Whether a word of some lists stands in it.
    pub(super) fn has_any(&self, lists: &[&str]) -> bool {
        let is = |word: &str| lists.iter().any(|list| is_in(list, word));
        self.said.iter().any(|s| is(&s.token.lower)) || self.phrases.iter().any(|p| p.words().any(|w| is(&w.lower)))
    }

    /// Whether something is denied, supposed, or said of all or some.
    pub(super) fn is_bounded(&self) -> bool {
        self.has_any(&[NEGATIONS, HEDGES])
    }

    /// Whether it tells what happened once.
    pub(super) fn is_event(&self) -> bool {
        let is_past = |s: &Said| {
            s.is_verb()
                && !s.readings.is_empty()
                && s.readings.iter().all(|r| matches!(r.tense, Tense::Past | Tense::PassivePast))
        };
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

/// A stretch of words that may be a clause.
struct Stretch {
    tokens: Vec<Token>,
    /// Whether a comma stands before it.
    comma: bool,
    /// The word that joins it to what stands before: *und, aber*.
    joint: String,
}

/// Reads a sentence.
pub(super) fn sentence(text: &str) -> Sentence {
    let all = tokens(text);
    let asks = text.trim_end_matches(['"', '”', '“', ')', ' ']).ends_with('?');
    let (label, rest) = label(&all);
    let stretches = stretches(rest);
    let is_choice = stretches.iter().any(|s| s.joint == "oder" || s.joint == "entweder");
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

fn has_verb(parts: &Parts) -> bool {
    parts.said.iter().any(Said::is_verb)
}

/// Cuts at commas, dashes and words that join, where a clause may begin.
fn stretches(all: &[Token]) -> Vec<Stretch> {
    let mut found = vec![Stretch { tokens: Vec::new(), comma: false, joint: String::new() }];
    let mut comma = false;
    for (at, token) in all.iter().enumerate() {
        let is_comma = token.is_mark(',') || token.is_mark('–') || token.is_mark('—') || token.is_mark('-');
        let is_end = token.is_mark(';') || token.is_mark(':');
        let is_joint = matches!(
            token.lower.as_str(),
            "und" | "oder" | "aber" | "sondern" | "doch" | "sowie" | "denn" | "entweder"
        );
        let joins = is_joint && (comma || matches!(token.lower.as_str(), "und" | "oder"));
        if is_comma && !is_one_day(all, at) {
            found.push(Stretch { tokens: Vec::new(), comma: true, joint: String::new() });
            comma = true;
            continue;
        }
        if is_end || (joins && !comma) {
            let joint = if is_end { ";".to_owned() } else { token.lower.clone() };
            found.push(Stretch { tokens: Vec::new(), comma: false, joint });
            continue;
        }
        if let Some(last) = found.last_mut() {
            if joins && last.tokens.is_empty() {
                last.joint.clone_from(&token.lower)
            } else {
                last.tokens.push(token.clone())
            }
        }
        comma = false;
    }
    found.retain(|s| !s.tokens.is_empty());
    found
}

/// Whether the comma stands in `Montag, den 3. Mai`.
fn is_one_day(all: &[Token], at: usize) -> bool {
    use super::tokens::Kind;
    let before = at.checked_sub(1).and_then(|at| all.get(at)).is_some_and(|t| matches!(t.kind, Kind::Weekday(_)));
    let date = |at: usize| all.get(at).is_some_and(|t| matches!(t.kind, Kind::Date(_)));
    before
        && (date(at + 1) || all.get(at + 1).is_some_and(|t| matches!(t.lower.as_str(), "den" | "dem")) && date(at + 2))
}

/// A clause that is being put together.
struct Draft {
    marker: Marker,
    opening: String,
    parent: Option<usize>,
    tokens: Vec<Token>,
    /// The clause that it shares its subject with, and whether its verb as well.
    shares: Option<(usize, bool)>,
}

fn clauses(stretches: Vec<Stretch>) -> Vec<Clause> {
    let mut drafts: Vec<Draft> = Vec::new();
    let mut main: Option<usize> = None;
    for stretch in stretches {
        let next = drafts.len();
        let last = drafts.last().map(|draft| draft.marker);
        if let Some((marker, opening, skip)) = opening(&stretch) {
            let parent = match (drafts.last(), marker) {
                (Some(before), Marker::Relative) if before.marker != Marker::Main => Some(next - 1),
                _ => main,
            };
            let tokens = stretch.tokens.get(skip..).unwrap_or_default().to_vec();
            let marker =
                if marker == Marker::Relative && restricts(drafts.last()) { Marker::Restricting } else { marker };
            drafts.push(Draft { marker, opening, parent, tokens, shares: None });
            continue;
        }
        let own = parts(&stretch.tokens, false);
        let is_bound = last.is_some_and(|marker| marker != Marker::Main);
        // A clause that hangs on another goes on behind *und*.
        if is_bound && !stretch.comma && stretch.joint != ";" && has_verb(&own) {
            let Some(before) = drafts.last() else { continue };
            let (marker, opening, parent) = (before.marker, before.opening.clone(), before.parent);
            let shares = own.phrases.first().is_none_or(|p| !p.lead.is_empty()).then_some((next - 1, false));
            drafts.push(Draft { marker, opening, parent, tokens: stretch.tokens, shares });
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
            });
            continue;
        };
        if stretch.joint != ";" && belongs(before, &own, is_bound && stretch.joint.is_empty()) {
            let sign = if stretch.joint.is_empty() { "," } else { stretch.joint.as_str() };
            if !(is_bound && stretch.comma) {
                before.tokens.extend(tokens(sign));
            }
            before.tokens.extend(stretch.tokens);
            continue;
        }
        let without_subject =
            own.said.first().is_some_and(|s| stretch.tokens.first() == Some(&s.token)) && !stretch.joint.is_empty();
        let without_verb = !own.said.iter().any(is_finite);
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
        });
        if !cause {
            main = Some(next);
        }
    }
    finished(drafts)
}

/// Whether what a relative clause follows is more than a name.
fn restricts(before: Option<&Draft>) -> bool {
    let phrases = before.map(|draft| parts(&draft.tokens, true).phrases).unwrap_or_default();
    let is_name = |p: &Phrase| !p.led && p.items.len() == 1 && p.words().all(|w| w.kind == super::tokens::Kind::Noun);
    !phrases.last().is_some_and(is_name)
}

/// Whether a stretch goes on with the clause before it: it has no verb of its own, or that clause waits for one.
fn belongs(before: &Draft, own: &Parts, embedded: bool) -> bool {
    let theirs = parts(&before.tokens, before.marker != Marker::Main);
    if !has_verb(own) || !has_verb(&theirs) || embedded {
        return true;
    }
    let waits = |s: &Said| auxiliary(&s.token.lower).is_some() || s.is_in(MODALS);
    let is_waiting = theirs.said.iter().filter(|s| s.is_verb()).all(waits);
    is_waiting && !own.said.iter().any(is_finite)
}

/// Whether a word can be what a clause turns on: no participle, no infinitive.
fn is_finite(said: &Said) -> bool {
    let other = said.token.lower.ends_with("en")
        && !said.has(Tense::Past)
        && auxiliary(&said.token.lower).is_none()
        && !said.is_in(MODALS);
    said.is_verb()
        && !other
        && (!said.has(Tense::Participle)
            || auxiliary(&said.token.lower).is_some() && !said.is_in("worden gewesen geworden gehabt"))
}

/// What a stretch opens with, if it hangs on another clause; and how many words say so.
fn opening(stretch: &Stretch) -> Option<(Marker, String, usize)> {
    let first = stretch.tokens.first()?;
    let second = stretch.tokens.get(1).map(|t| t.lower.as_str()).unwrap_or_default();
    let is_little = first.initial || first.kind == super::tokens::Kind::Word;
    if !is_little
        || !stretch.joint.is_empty() && !stretch.comma && !matches!(first.lower.as_str(), "weil" | "dass" | "wenn")
    {
        return None;
    }
    let begins = first.initial || stretch.comma;
    let of = |marker: Marker, words: usize| Some((marker, first.lower.clone(), words));
    let verb_ends = || {
        let last = stretch.tokens.iter().rev().find(|t| t.raw.chars().any(char::is_alphanumeric));
        last.is_some_and(|t| t.kind == super::tokens::Kind::Word)
    };
    match first.lower.as_str() {
        "weil" | "zumal" => of(Marker::Cause, 1),
        "denn" if stretch.comma => of(Marker::Cause, 1),
        "da" if begins && verb_ends() && (stretch.comma || !first.initial || has_subject(stretch)) => {
            of(Marker::Cause, 1)
        }
        "obwohl" | "obgleich" | "obschon" | "wenngleich" => of(Marker::Concession, 1),
        "nachdem" => of(Marker::Time, 1),
        "während" | "als" if begins && verb_ends() && second != "ob" && has_subject(stretch) => of(Marker::Time, 1),
        "sodass" => of(Marker::Result, 1),
        "so" if second == "dass" => of(Marker::Result, 2),
        "damit" if verb_ends() && has_subject(stretch) => of(Marker::Purpose, 1),
        "um" if verb_ends() && stretch.tokens.iter().any(is_zu) => of(Marker::Purpose, 1),
        "wenn" | "falls" | "sofern" | "solange" | "sobald" | "bevor" | "ehe" | "seitdem" | "ob" | "dass" | "indem" => {
            of(Marker::Bound, 1)
        }
        "bis" | "seit" | "ohne" | "statt" | "anstatt" if begins && verb_ends() && has_subject(stretch) => {
            of(Marker::Bound, 1)
        }
        "ausser" if begins => of(Marker::Bound, 1),
        "es" if stretch.comma && second == "sei" => of(Marker::Bound, 0),
        "wie" | "was" | "wer" | "wo" | "warum" | "wann" | "wohin" | "woher" | "weshalb" | "wodurch" | "womit"
        | "wofür" | "wobei"
            if stretch.comma && verb_ends() =>
        {
            of(Marker::Bound, 0)
        }
        "der" | "die" | "das" | "den" | "dem" | "dessen" | "deren" | "denen" | "welche" | "welcher" | "welches"
            if stretch.comma && verb_ends() =>
        {
            of(Marker::Relative, 0)
        }
        _ if stretch.comma && verb_ends() && second_is_relative(stretch) => of(Marker::Relative, 0),
        // `…, das Auto zu verkaufen`
        _ if stretch.comma && stretch.tokens.iter().rev().nth(1).is_some_and(|t| t.lower == "zu") => {
            of(Marker::Bound, 0)
        }
        _ if stretch.comma && stretch.tokens.last().is_some_and(is_zu) => of(Marker::Bound, 0),
        _ => None,
    }
}

/// `, mit dem Anna arbeitet`
fn second_is_relative(stretch: &Stretch) -> bool {
    let word = |at: usize| stretch.tokens.get(at).map(|t| t.lower.as_str()).unwrap_or_default();
    let next = stretch.tokens.get(2).is_some_and(|t| !is_in("alten neuen", &t.lower));
    super::words::preposition(word(0)).is_some()
        && matches!(word(1), "der" | "die" | "das" | "den" | "dem" | "denen" | "dessen" | "deren")
        && next
        && parts(stretch.tokens.get(2..).unwrap_or_default(), true)
            .phrases
            .first()
            .is_some_and(|p| p.led || p.lead.is_empty())
        && has_verb(&parts(&stretch.tokens, true))
}

/// `abzuholen`, `zu`
fn is_zu(token: &Token) -> bool {
    let inner = || {
        token
            .lower
            .split_once("zu")
            .is_some_and(|(front, rest)| is_in(super::words::PARTICLES, front) && rest.ends_with('n'))
    };
    token.lower == "zu" || inner()
}

fn has_subject(stretch: &Stretch) -> bool {
    let rest = parts(stretch.tokens.get(1..).unwrap_or_default(), true);
    rest.phrases.iter().any(|p| p.lead.is_empty()) && has_verb(&rest)
}

fn finished(drafts: Vec<Draft>) -> Vec<Clause> {
    let mains: Vec<usize> = (0..drafts.len()).filter(|&at| drafts[at].marker == Marker::Main).collect();
    let mut found: Vec<Clause> = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let verb_last = draft.marker != Marker::Main && draft.opening != "denn";
        let Parts { mut phrases, mut said } = parts(&draft.tokens, verb_last);
        if let Some(before) = draft.shares.and_then(|(at, verb)| found.get(at).map(|clause| (clause, verb))) {
            let (clause, verb) = before;
            let subject = clause.phrases.iter().find(|p| p.lead.is_empty() && p.cases.may_be_subject() && !p.is_time());
            phrases.splice(0..0, subject.cloned());
            if verb {
                let is_shared = |s: &&Said| {
                    let word = s.token.lower.as_str();
                    auxiliary(word).is_some() || [MODALS, NEGATIONS, HEDGES].iter().any(|list| is_in(list, word))
                };
                said.splice(0..0, clause.said.iter().filter(is_shared).cloned());
            }
        }
        // A clause in front hangs on the first that stands for itself.
        let parent = draft.parent.or_else(|| mains.first().copied().filter(|_| draft.marker != Marker::Main));
        let is_whole = draft.shares.is_none();
        found.push(Clause { marker: draft.marker, opening: draft.opening, parent, phrases, said, is_whole, verb_last });
    }
    for clause in &mut found {
        let speaks = clause.phrases.iter().any(|p| p.words().any(|w| w.lower == "ich"));
        let has_subject = clause.phrases.iter().any(|p| p.lead.is_empty() && p.front);
        tell_tense(&mut clause.said, speaks, has_subject);
    }
    found
}

/// Reads auxiliaries with their participles: *hat verkauft* is past, *wurde verkauft* a passive. What helps only so goes.
fn tell_tense(said: &mut Vec<Said>, speaks: bool, has_subject: bool) {
    let is_form = |s: &Said, stem: &str, tenses: &[Tense]| {
        // `er habe verkauft`: somebody says so.
        if has_subject && !speaks && is_in("habe werde", &s.token.lower) {
            return false;
        }
        auxiliary(&s.token.lower).is_some_and(|(of, tense)| of == stem && tenses.contains(&tense))
    };
    let told = [Tense::Present, Tense::Past];
    let is_participle = |s: &Said| s.has(Tense::Participle) && auxiliary(&s.token.lower).is_none() && s.is_verb();
    let has = |stem: &str, tenses: &[Tense], said: &[Said]| said.iter().any(|s| is_form(s, stem, tenses));
    let participles = said.iter().any(is_participle);
    let turn = |said: &mut Vec<Said>, tense: Tense, is: &dyn Fn(&Said) -> bool| {
        for word in said.iter_mut().filter(|s| is(s)) {
            word.readings.retain(|r| r.tense == Tense::Participle);
            word.readings.iter_mut().for_each(|r| r.tense = tense);
        }
    };
    // `war gewesen`, `ist geworden`, `hat gehabt`
    for (form, helper) in [("gewesen", "sein"), ("geworden", "sein"), ("gehabt", "haben")] {
        if said.iter().any(|s| s.token.lower == form) && has(helper, &told, said) {
            said.retain(|s| !is_form(s, helper, &told));
            said.iter_mut()
                .filter(|s| s.token.lower == form)
                .flat_map(|s| &mut s.readings)
                .for_each(|r| r.tense = Tense::Past);
            return;
        }
    }
    if has("worden", &[Tense::Participle], said) && has("sein", &told, said) && participles {
        said.retain(|s| !is_form(s, "worden", &[Tense::Participle]) && !is_form(s, "sein", &told));
        turn(said, Tense::PassivePast, &is_participle);
    } else if has("werden", &told, said) && said.iter().any(|s| is_participle(s) && !is_infinitive(s)) {
        let past = has("werden", &[Tense::Past], said);
        said.retain(|s| !is_form(s, "werden", &told));
        let is = |s: &Said| is_participle(s) && !is_infinitive(s);
        turn(said, if past { Tense::PassivePast } else { Tense::PassivePresent }, &is);
    } else if has("haben", &told, said) && participles {
        said.retain(|s| !is_form(s, "haben", &told));
        turn(said, Tense::Past, &is_participle);
    } else if has("sein", &told, said) && participles {
        let moves = |s: &Said| {
            is_participle(s) && s.readings.iter().any(|r| r.tense == Tense::Participle && goes_with_sein(&r.stem))
        };
        if said.iter().any(moves) {
            said.retain(|s| !is_form(s, "sein", &told));
            turn(said, Tense::Past, &moves);
        } else {
            // `ist geschlossen` tells how it is.
            for word in said.iter_mut().filter(|s| is_participle(s)) {
                word.readings.retain(|r| r.tense == Tense::Plain);
            }
        }
    } else if said.iter().filter(|s| s.is_verb()).count() == 1
        && said.last().is_some_and(|s| is_participle(s) && s.token.lower.contains("ge"))
    {
        // `Regal verkauft`: of whom, is not said.
        let extra = |s: &Said| -> Vec<super::verbs::Reading> {
            let of = s.readings.iter().filter(|r| r.tense == Tense::Participle);
            of.map(|r| super::verbs::Reading { stem: r.stem.clone(), tense: Tense::PassivePast }).collect()
        };
        if let Some(word) = said.last_mut() {
            word.readings.extend(extra(word));
        }
    }
    for word in said.iter_mut() {
        let told_of = is_in("habe werde", &word.token.lower) && !speaks && has_subject;
        word.readings.iter_mut().filter(|_| told_of).for_each(|r| r.tense = Tense::Subjunctive);
        let is_e = |r: &super::verbs::Reading| word.token.lower.strip_suffix('e') == Some(r.stem.as_str());
        if !speaks && auxiliary(&word.token.lower).is_none() {
            let turned: Vec<_> = word.readings.iter().map(|r| r.tense == Tense::Present && is_e(r)).collect();
            let pairs = word.readings.iter_mut().zip(turned);
            pairs.filter(|(_, turned)| *turned).for_each(|(r, _)| r.tense = Tense::Subjunctive);
        }
        // Of a verb that is told, the tense has to be the same: as it is written it stands for itself only if it is none.
        if word.readings.iter().any(|r| !matches!(r.tense, Tense::Plain | Tense::Participle)) && word.is_verb() {
            let all = word.readings.clone();
            word.readings.retain(|r| !matches!(r.tense, Tense::Plain | Tense::Participle));
            if word.readings.is_empty() {
                word.readings = all;
            }
        }
    }
}

/// Whether a word is an infinitive rather than a participle: `verkaufen`, not `verschoben`.
fn is_infinitive(said: &Said) -> bool {
    let of = |tense: Tense| said.readings.iter().filter(move |r| r.tense == tense);
    said.token.lower.ends_with("en") && of(Tense::Infinitive).any(|i| of(Tense::Participle).any(|p| p.stem == i.stem))
}
