//! Whether a German clause says what one of the notes' does.
//!
//! The one rule to know: **what is in one clause and not in the other has to be on a list of what may be left out.** Nouns that no preposition
//! leads keep their order, because a noun alone does not show its case; what a preposition leads may move.

use super::super::{Reason, ReasonKind, reason};
use super::around::{Around, is_surrounding};
use super::cases::Cases;
use super::clause::{Clause, Marker};
use super::leave::may_go;
use super::phrase::{Phrase, Said};
use super::same::is_same_word;
use super::synonyms::{are_verbs_alike, are_words_alike};
use super::tokens::{Kind, Token};
use super::verbs::Tense;
use super::voice::in_one_voice;
use super::words::{ADVERBS, FOCUS, NEGATIONS, NOW, PRONOUNS, REMARKS, STANDING_FOR, is_in};

/// What keeps a clause from being said by one of theirs; a passive may be said by an active.
pub(super) fn differences(own: &Clause, theirs: &Clause, around: &Around<'_>) -> Vec<Reason> {
    let told = as_told(own, theirs, around);
    if told.is_empty() {
        return told;
    }
    match in_one_voice(own, theirs) {
        Some((own, theirs)) if as_told(&own, &theirs, around).is_empty() => Vec::new(),
        _ => told,
    }
}

fn as_told(own: &Clause, theirs: &Clause, around: &Around<'_>) -> Vec<Reason> {
    let mut reasons = of_said(own, theirs);
    let is_parallel = own.is_parallel || theirs.is_parallel;
    reasons.extend(if is_parallel { of_parallel(own, theirs) } else { of_led(own, theirs, around) });
    reasons.extend(of_nouns(own, theirs, around));
    reasons.extend(of_places(own, theirs));
    reasons
}

/// Verbs, adverbs, what something is said to be, what bounds it.
fn of_said(own: &Clause, theirs: &Clause) -> Vec<Reason> {
    const CONTRASTS: &str = "aber jedoch allerdings hingegen zwar";
    const MAY_COME: &str = "ausserdem zudem übrigens aber jedoch allerdings hingegen";
    let mut reasons = Vec::new();
    let mut used = vec![false; theirs.said.len()];
    for said in &own.said {
        let found = theirs.said.iter().enumerate().position(|(at, other)| !used[at] && is_same_said(said, other));
        match found {
            Some(at) => used[at] = true,
            None if said.is_in(MAY_COME) => {}
            None if said.is_in("ist sind") && is_scheduled(theirs) => {}
            None => reasons.push(reason(kind_of(&said.token), &said.token.raw)),
        }
    }
    let is_bounded = theirs.is_bounded();
    let left = theirs.said.iter().zip(&used).filter(|(_, used)| !**used).map(|(said, _)| said);
    for said in left {
        let may_go = !is_bounded
            && (REMARKS.contains(&said.token.lower)
                || NOW.contains(&said.token.lower)
                || ADVERBS.contains(&said.token.lower) && theirs.is_event());
        if !may_go && !said.is_in(CONTRASTS) {
            reasons.push(reason(kind_of(&said.token), ""));
        }
    }
    reasons
}

/// `Lieferung am 28. März`: it is then.
fn is_scheduled(clause: &Clause) -> bool {
    let [first, rest @ ..] = clause.phrases.as_slice() else { return false };
    let is_thing = first.lead.is_empty() && !first.is_time() && first.words().any(|w| w.kind == Kind::Noun);
    is_thing && clause.said.is_empty() && rest.iter().any(Phrase::is_time) && rest.iter().all(is_movable)
}

/// What it is to leave a word out, or to put it in.
fn kind_of(token: &Token) -> ReasonKind {
    match token.lower.as_str() {
        word if NEGATIONS.contains(word) => ReasonKind::Negation,
        _ => ReasonKind::Modality,
    }
}

/// Whether two words say the same: verbs in the same tense, what bears on something on the same.
fn is_same_said(own: &Said, theirs: &Said) -> bool {
    let same = |a: &str, b: &str| a == b || are_verbs_alike(a, b);
    let is = own.readings.iter().any(|a| theirs.readings.iter().any(|b| a.tense == b.tense && same(&a.stem, &b.stem)));
    let bears =
        (NEGATIONS.contains(&own.token.lower) && !own.is_in("fehlt fehlen fehlte")) || FOCUS.contains(&own.token.lower);
    (is || are_words_alike(&own.token.lower, &theirs.token.lower)) && (!bears || own.bears_on == theirs.bears_on)
}

/// Phrases behind a preposition, and what tells when: they may stand anywhere.
fn of_led(own: &Clause, theirs: &Clause, around: &Around<'_>) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let places: Vec<usize> = (0..theirs.phrases.len()).filter(|&at| is_movable(&theirs.phrases[at])).collect();
    let mut used = vec![false; theirs.phrases.len()];
    for phrase in own.phrases.iter().filter(|p| is_movable(p)) {
        let found = places.iter().copied().find(|&at| !used[at] && is_same_led(phrase, &theirs.phrases[at], theirs));
        match found {
            Some(at) => used[at] = true,
            None if is_surrounding(phrase, theirs, around) => {}
            None => {
                let kind = if phrase.is_time() { ReasonKind::Date } else { ReasonKind::Roles };
                reasons.push(reason(kind, &raw(phrase)));
            }
        }
    }
    let last_kept = used.iter().rposition(|used| *used);
    for at in places.into_iter().filter(|&at| !used[at]) {
        if !may_go(theirs, at, own, last_kept) {
            reasons.push(reason(ReasonKind::Modality, ""));
        }
    }
    reasons
}

/// Where *und* joins more than nouns, each phrase stays where it is: what belongs together there belongs together here.
fn of_parallel(own: &Clause, theirs: &Clause) -> Vec<Reason> {
    let pairs = own.phrases.iter().zip(&theirs.phrases);
    let mut same = pairs.map(|(a, b)| a.lead == b.lead && a.cases.agrees(b.cases) && is_same_list(a, b, theirs));
    let is_same =
        own.is_parallel == theirs.is_parallel && own.phrases.len() == theirs.phrases.len() && same.all(|same| same);
    if is_same {
        Vec::new()
    } else {
        vec![reason(ReasonKind::Roles, &own.phrases.first().map(raw).unwrap_or_default())]
    }
}

fn is_movable(phrase: &Phrase) -> bool {
    !phrase.lead.is_empty() || phrase.is_time()
}

fn is_same_led(own: &Phrase, theirs: &Phrase, clause: &Clause) -> bool {
    if own.is_time() && theirs.is_time() {
        // A day is in its month; "until that day" is not "until that month".
        let vaguer = time_lead(&own.lead).is_empty();
        let is_as_exact = |a: &Token, b: &Token| match (a.kind, b.kind) {
            (Kind::Date(a), Kind::Date(b)) => a.day == b.day && a.month == b.month,
            _ => true,
        };
        let says = |word: &Token| {
            theirs.words().any(|other| is_same_word(word, other) && (vaguer || is_as_exact(word, other)))
        };
        // `jeden Dienstag`, `Mitte Mai`: more than a date.
        let plain = |p: &Phrase| p.words().filter(|w| !w.is_time()).cloned().collect::<Vec<_>>();
        let (a, b) = (plain(own), plain(theirs));
        let as_many = a.len() == b.len()
            && a.iter().zip(&b).all(|(a, b)| is_same_word(a, b))
            && (vaguer || own.words().count() == theirs.words().count());
        return time_lead(&own.lead) == time_lead(&theirs.lead) && as_many && own.words().all(says);
    }
    own.lead == theirs.lead && own.cases.agrees(theirs.cases) && is_same_list(own, theirs, clause)
}

/// On a day and in a month: nothing else is told by it than when.
fn time_lead(lead: &str) -> &str {
    match lead {
        "an" | "in" | "um" | "pro" => "",
        "bis zu" | "bis an" | "bis in" => "bis",
        other => other,
    }
}

/// The same words; of what *und* joins some may be left out, where nothing is denied or counted together.
fn is_same_list(own: &Phrase, theirs: &Phrase, clause: &Clause) -> bool {
    let same = |a: &[Token], b: &[Token]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_word(a, b));
    if own.items.len() == theirs.items.len() {
        return own.joined == theirs.joined && own.items.iter().zip(&theirs.items).all(|(a, b)| same(a, b));
    }
    let explains = !theirs.joined && own.items.len() == 1;
    if explains {
        return same(&own.items[0], &theirs.items[0]);
    }
    let may_part = theirs.joined && !clause.is_bounded() && !is_in("zwischen als von", &theirs.lead);
    let has = |item: &Vec<Token>| theirs.items.iter().any(|other| same(item, other));
    may_part && !theirs.front && own.items.len() < theirs.items.len() && own.items.iter().all(has)
}

/// Who and what: without a preposition, so in their order.
fn of_nouns(own: &Clause, theirs: &Clause, around: &Around<'_>) -> Vec<Reason> {
    let of =
        |clause: &'_ Clause| -> Vec<Phrase> { clause.phrases.iter().filter(|p| !is_movable(p)).cloned().collect() };
    let (mine, other) = (of(own), of(theirs));
    if is_in_order(&mine, &other, theirs) || is_turned(&mine, &other, theirs) {
        return Vec::new();
    }
    let Some((first, rest)) = mine.split_first() else { return vec![reason(ReasonKind::Modality, "")] };
    // Whom the title names, where the notes' own words name nobody.
    let is_named = first.lead.is_empty() && around.context.iter().any(|text| has_run(text, first));
    let is_fragment =
        theirs.is_whole && !theirs.verb_last && !theirs.phrases.iter().any(|p| p.front) && starts_told(theirs);
    if is_named && is_fragment && is_in_order(rest, &other, theirs) {
        return Vec::new();
    }
    if theirs.is_mine
        && first.words().all(|w| matches!(w.lower.as_str(), "ich" | "du"))
        && is_in_order(rest, &other, theirs)
    {
        return Vec::new();
    }
    let stands_for = first.words().count() == 1 && first.words().all(|w| STANDING_FOR.contains(&w.lower));
    if stands_for && around.named_before && first.front {
        let is_subject = other
            .first()
            .is_some_and(|p| p.cases.may_be_subject() && p.front && p.words().all(|w| w.kind != Kind::Word));
        if is_subject && first.cases.may_be_subject() && is_in_order(rest, other.get(1..).unwrap_or_default(), theirs) {
            return Vec::new();
        }
    }
    let kind = if stands_for { ReasonKind::Reference } else { ReasonKind::Roles };
    vec![reason(kind, &raw(first))]
}

/// Whether a clause begins with its verb, in a form that somebody must do it: `leitet das Team`.
fn starts_told(clause: &Clause) -> bool {
    clause.said.first().is_some_and(|s| {
        s.is_verb()
            && !s.has(Tense::Infinitive)
            && (s.has(Tense::Past) || !s.has(Tense::Subjunctive))
            && !s.is_in("hat habe habt haben")
    })
}

/// Whether a text has the words of a phrase one behind the other.
fn has_run(text: &[Token], phrase: &Phrase) -> bool {
    let words: Vec<&Token> = phrase.words().collect();
    !words.is_empty() && text.windows(words.len()).any(|w| w.iter().zip(&words).all(|(a, b)| is_same_word(b, a)))
}

/// The same nouns in the same order, none in another case.
fn is_in_order(own: &[Phrase], theirs: &[Phrase], clause: &Clause) -> bool {
    if own.len() == theirs.len() {
        let same = |(a, b): (&Phrase, &Phrase)| a.cases.agrees(b.cases) && is_same_list(a, b, clause);
        return own.iter().zip(theirs).all(same);
    }
    // Names beside each other may have been read as one.
    let flat = |phrases: &[Phrase]| -> Vec<(Cases, Token)> {
        let first = |p: &Phrase| {
            p.words()
                .enumerate()
                .map(|(at, w)| (if at == 0 { p.cases } else { Cases::ANY }, w.clone()))
                .collect::<Vec<_>>()
        };
        phrases.iter().flat_map(first).collect()
    };
    let plain = |phrases: &[Phrase]| phrases.iter().all(|p| p.items.len() == 1);
    let (mine, other) = (flat(own), flat(theirs));
    let same = |((cases, a), (their_cases, b)): (&(Cases, Token), &(Cases, Token))| {
        cases.agrees(*their_cases) && is_same_word(a, b)
    };
    plain(own) && plain(theirs) && mine.len() == other.len() && mine.iter().zip(&other).all(same)
}

/// The same nouns in another order, where the articles tell who does it: those that don't show their case keep their order.
fn is_turned(own: &[Phrase], theirs: &[Phrase], clause: &Clause) -> bool {
    let open = |phrases: &[Phrase]| -> Vec<Phrase> {
        phrases.iter().filter(|p| !p.cases.is_fixed() && !is_subject_to_you(p)).cloned().collect()
    };
    if own.len() != theirs.len() || !is_in_order(&open(own), &open(theirs), clause) {
        return false;
    }
    let mut used = vec![false; theirs.len()];
    own.iter().all(|phrase| {
        let same = |(at, other): (usize, &Phrase)| {
            !used[at]
                && (phrase.cases == other.cases || are_you(phrase, other) || are_fixed(phrase, other))
                && phrase.items.len() == other.items.len()
                && is_same_list(phrase, other, clause)
        };
        let found = theirs.iter().enumerate().position(same);
        found.map(|at| used[at] = true).is_some()
    })
}

/// Whether both show the one case that they share.
fn are_fixed(own: &Phrase, theirs: &Phrase) -> bool {
    own.cases.is_fixed() && theirs.cases.is_fixed() && own.cases.agrees(theirs.cases)
}

/// Whether one says *ihr* of whom the other calls *wir*: the form alone does not show that case.
fn are_you(own: &Phrase, theirs: &Phrase) -> bool {
    is_subject_to_you(own) && theirs.words().all(|w| w.lower == "wir")
}

fn is_subject_to_you(phrase: &Phrase) -> bool {
    phrase.words().all(|w| w.lower == "ihr")
}

/// What stands behind a noun may belong to it (*der Mann mit dem Hund*): it must not come to belong to another.
fn of_places(own: &Clause, theirs: &Clause) -> Vec<Reason> {
    const TELLS_WHERE: &str = "in an auf bei nach seit vor um während wegen trotz bis ab als per";
    let host = |clause: &Clause, at: usize| -> Option<Phrase> {
        let before = at.checked_sub(1).and_then(|at| clause.phrases.get(at));
        let is_pronoun = |p: &Phrase| p.words().all(|w| PRONOUNS.contains(&w.lower));
        before.filter(|_| clause.phrases[at].follows).filter(|p| !p.is_time() && !is_pronoun(p)).cloned()
    };
    let same = |a: &Phrase, b: &Phrase| a.words().last().zip(b.words().last()).is_some_and(|(a, b)| is_same_word(a, b));
    let moved = |phrase: &Phrase, at: usize| {
        let place =
            theirs.phrases.iter().position(|other| !other.lead.is_empty() && is_same_led(phrase, other, theirs));
        let Some(place) = place else { return false };
        match (host(own, at), host(theirs, place)) {
            (Some(mine), Some(other)) => {
                let is_bound = phrase.front || theirs.phrases[place].front || !is_in(TELLS_WHERE, &phrase.lead);
                !same(&mine, &other) && !phrase.is_time() && is_bound
            }
            // In front of the verb it surely belongs to it.
            (Some(_), None) => phrase.front && !own.verb_last,
            (None, Some(_)) => theirs.phrases[place].front && !theirs.verb_last,
            (None, None) => false,
        }
    };
    let led = own.phrases.iter().enumerate().filter(|(_, p)| !p.lead.is_empty());
    led.filter(|(at, phrase)| moved(phrase, *at)).map(|(_, phrase)| reason(ReasonKind::Roles, &raw(phrase))).collect()
}

/// How a phrase is written, as far as it says anything.
fn raw(phrase: &Phrase) -> String {
    phrase.words().map(|w| w.raw.as_str()).collect::<Vec<_>>().join(" ")
}

/// Whether a clause of the sentence may be one of theirs by how it belongs to the rest.
pub(super) fn may_be(own: &Clause, theirs: &Clause) -> bool {
    match own.marker {
        Marker::Main => theirs.marker.is_asserted(),
        Marker::Bound | Marker::Time | Marker::Purpose => own.marker == theirs.marker && own.opening == theirs.opening,
        _ => own.marker == theirs.marker,
    }
}
