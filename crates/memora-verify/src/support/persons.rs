//! Who speaks, who is spoken to, and whom a pronoun stands for: whether they are those of the notes.
//!
//! An answer says *you* to the one whose notes say *I*, and notes often leave out who it is that writes: `Lent it to Nils`,
//! `Headache since lunch`. The one rule to know: **whom the notes leave out is the writer only where nobody else can be
//! meant**, neither by a word in front nor by the title.

use memora_english::{Label, Upos};

use super::arcs::Relation;
use super::ground::{Quote, one_and_all, places};
use super::lexicon::{ADDRESSED, BE, HEDGES, KIN, PRONOUNS, SPEAKER};
use super::modality::is_plain_verb;
use super::people::{is_about_somebody, is_person, names_somebody, speaks_of_somebody};
use super::sentence::Sentence;
use super::stem::is_past;
use super::tokens::{Kind, Token};
use super::wording::puts_side_by_side;
use super::{Reason, ReasonKind, reason};

/// Differences in who is meant between a sentence and those it rests on.
pub(super) fn differences(own: &Sentence<'_>, quotes: &[Quote<'_>], named_before: bool) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = reference(own.tokens, quotes, named_before).into_iter().collect();
    reasons.extend(unexplained(own, quotes));
    reasons.extend(cases(own.tokens, quotes));
    reasons.extend(others(own, quotes));
    reasons.extend(sides(own.tokens, quotes));
    reasons.extend(stood_for(own, quotes));
    reasons
}

/// A pronoun in front that nobody kept before explains, and that the notes don't have.
fn reference(words: &[Token], quotes: &[Quote<'_>], named_before: bool) -> Option<Reason> {
    let pronoun = words.first().filter(|t| PRONOUNS.contains(&t.lower.as_str()) && !is_expletive(words))?;
    let same = quotes.iter().any(|quote| quote.tokens.iter().any(|t| t.lower == pronoun.lower));
    (!named_before && !same).then(|| reason(ReasonKind::Reference, &pronoun.raw))
}

/// `It was decided to`, `it is recommended that`: nobody is meant by it.
fn is_expletive(words: &[Token]) -> bool {
    const SAID: [&str; 14] = [
        "decid",
        "agre",
        "recommend",
        "advis",
        "suggest",
        "report",
        "said",
        "not",
        "possibl",
        "necessary",
        "important",
        "required",
        "plan",
        "allow",
    ];
    match words {
        [it, be, said, next, ..] => {
            let leads = ["that", "to", "against"].contains(&next.lower.as_str());
            let is_it = it.lower == "it" && BE.contains(&be.lower.as_str());
            // `It was Anna who won`.
            let is_cleft = || {
                words.iter().skip(3).take(8).any(|t| ["who", "that", "which"].contains(&t.lower.as_str()))
                    && !SAID.contains(&said.stem.as_str())
            };
            is_it && (SAID.contains(&said.stem.as_str()) && leads || is_cleft())
        }
        _ => false,
    }
}

/// `I own it` is not said by `Anna owns it`: whoever speaks or is spoken to must be so in the cited words too.
fn unexplained(own: &Sentence<'_>, quotes: &[Quote<'_>]) -> Vec<Reason> {
    if !own.tokens.iter().any(is_meant) {
        return Vec::new();
    }
    let has = |list: &[&str]| quotes.iter().any(|q| q.tokens.iter().any(|t| list.contains(&t.lower.as_str())));
    // A note that says "Bought a stand" says who, whoever writes, where nobody else is spoken of. "Press Enter" tells whoever
    // reads.
    let starts = |is: fn(&str) -> bool| {
        quotes.iter().any(|q| q.tokens.first().is_some_and(|t| t.kind == Kind::Word && is(&t.lower)))
    };
    let wrote = starts(is_past) && !quotes.iter().any(speaks_of_somebody);
    let told = starts(is_plain_verb)
        && quotes.iter().any(|quote| quote.reading().is_verb(0))
        && !quotes.iter().any(speaks_of_somebody);
    let is_unexplained = |at: &usize| {
        let word = own.tokens[*at].lower.as_str();
        let lacks = |list: &&[&str]| list.contains(&word) && !has(list) && !wrote;
        let is_lacking =
            SPEAKER.iter().any(lacks) || (lacks(&ADDRESSED) && !told && !SPEAKER.iter().any(|list| has(list)));
        is_lacking && !is_left_out(own, *at, quotes)
    };
    let found = (0..own.tokens.len()).filter(is_unexplained);
    found.map(|at| reason(ReasonKind::Reference, &own.tokens[at].raw)).collect()
}

/// Whether a word means whoever speaks or is spoken to.
fn is_meant(token: &Token) -> bool {
    SPEAKER.iter().chain([&ADDRESSED]).any(|list| list.contains(&token.lower.as_str()))
}

/// Whether the notes leave out the one who is named at a place: the subject of a verb, or the owner of a thing.
fn is_left_out(own: &Sentence<'_>, at: usize, quotes: &[Quote<'_>]) -> bool {
    let mine = own.reading();
    // `The silver mine` is nobody's.
    if own.tokens[at].lower == "mine" && !mine.is_tagged(at, &[Upos::Pron]) {
        return true;
    }
    let Some(head) = mine.head(at).filter(|head| own.tokens[*head].says()) else { return false };
    let is_subject = mine.is_labelled(at, &[Label::Nsubj, Label::NsubjPass]);
    let is_owner = mine.is_labelled(at, &[Label::NmodPoss]);
    let is_open = |quote: &Quote<'_>, there: usize| {
        if is_subject { is_without_subject(quote, there) } else { is_owner && is_without_owner(quote, there) }
    };
    let is_it = |t: &Token| t.stem == own.tokens[head].stem;
    // What the notes put side by side without a verb is the writer's, too.
    let is_nowhere = places(quotes, is_it).next().is_none();
    let is_of_kin = KIN.contains(&own.tokens[head].lower);
    let may_be = |at: usize, quote: &Quote<'_>| {
        // Whom the sentences before speak of, this one may go on with.
        let is_before = |other: &&Quote<'_>| other.is_beside(quote);
        let before = quotes.get(..at).unwrap_or_default().iter().filter(is_before);
        !names_somebody(quote.context)
            && (is_of_kin || !is_about_somebody(quote.context))
            && !before.clone().any(speaks_of_somebody)
    };
    quotes.iter().enumerate().filter(|(at, quote)| may_be(*at, quote)).any(|(_, quote)| {
        let is_bare = is_nowhere && !speaks_of_somebody(quote) && puts_side_by_side(quote, own.tokens);
        is_bare || quote.places(is_it).any(|there| is_open(quote, there))
    })
}

/// Whether nobody is said to do it: `Lent it to Nils`. Whoever is spoken of in front may do it, and whoever `plays` is not the
/// writer.
fn is_without_subject(quote: &Quote<'_>, at: usize) -> bool {
    let theirs = quote.reading();
    let front = quote.tokens.get(..at).unwrap_or_default();
    let verb = quote.tokens[at].lower.as_str();
    let is_third = verb.ends_with('s') && !verb.ends_with("ss") && theirs.is_verb(at);
    let is_done_to = |subject| theirs.of(at).contains(&(Relation::Patient, subject));
    let is_his = |t: &Token| ["his", "her", "their"].contains(&t.lower.as_str());
    theirs.subject(at).is_none_or(is_done_to)
        && !is_third
        && !theirs.of(at).iter().any(|(relation, _)| matches!(relation, Relation::Agent | Relation::Is))
        && !names_somebody(front)
        && !front.iter().any(is_person)
        && !quote.tokens.iter().skip(at).take(3).any(is_his)
}

/// Whether nobody is said to own it: `the car`, `headache since lunch`.
fn is_without_owner(quote: &Quote<'_>, at: usize) -> bool {
    let theirs = quote.reading();
    let is_led = at.checked_sub(1).and_then(|before| quote.tokens.get(before)).is_some_and(|t| t.lower == "'s");
    let is_named = !KIN.contains(&quote.tokens[at].lower) && speaks_of_somebody(quote);
    !is_led && !is_named && !theirs.is_owned(at) && !theirs.of(at).iter().any(|(relation, _)| *relation == Relation::Of)
}

/// `Ben owes me` is not said by `I owe Ben`: a pronoun that changes its case has changed its role.
fn cases(words: &[Token], quotes: &[Quote<'_>]) -> Vec<Reason> {
    const CASES: [(&str, &str); 5] = [("i", "me"), ("he", "him"), ("she", "her"), ("we", "us"), ("they", "them")];
    let theirs = |word: &str| quotes.iter().any(|q| q.tokens.iter().any(|t| t.lower == word));
    let turned = |said: &str, other: &str| -> Option<&Token> {
        words.iter().find(|t| t.lower == said).filter(|_| !theirs(said) && theirs(other))
    };
    let pairs = CASES.iter().flat_map(|(subject, object)| [turned(subject, object), turned(object, subject)]);
    pairs.flatten().map(|token| reason(ReasonKind::Roles, &token.raw)).collect()
}

/// `You repaired the valve` is not said by `I saw Anna repair the valve`: what only others do there.
fn others(own: &Sentence<'_>, quotes: &[Quote<'_>]) -> Option<Reason> {
    const WHO: [&str; 3] = ["i", "we", "you"];
    let is_who = |at: &usize| WHO.contains(&own.tokens[*at].lower.as_str());
    let is_others = |at: &usize| {
        let mine = own.reading();
        let verb = mine.head(*at).filter(|verb| mine.is_verb(*verb) && own.tokens[*verb].says());
        let Some(verb) = verb.filter(|_| mine.is_labelled(*at, &[Label::Nsubj])) else { return false };
        let theirs = places(quotes, |t| t.stem == own.tokens[verb].stem);
        one_and_all(theirs, |(quote, there)| is_done_by_others(quote, there))
    };
    (0..own.tokens.len()).filter(is_who).find(is_others).map(|at| reason(ReasonKind::Roles, &own.tokens[at].raw))
}

/// A pronoun that stands where the notes name somebody whom the sentence doesn't, or have the other one: `because she was
/// hungry` of `because Leo was hungry`, or of `because he was`.
fn stood_for(own: &Sentence<'_>, quotes: &[Quote<'_>]) -> Option<Reason> {
    let is_pronoun = |at: &usize| ["he", "she"].contains(&own.tokens[*at].lower.as_str());
    let is_other = |at: &usize| {
        let mine = own.reading();
        let head = mine.head(*at).filter(|_| mine.is_labelled(*at, &[Label::Nsubj, Label::NsubjPass]));
        let Some(head) = head.filter(|head| own.tokens[*head].says()) else { return false };
        let other = |subject: &Token| {
            let is_named = subject.kind == Kind::Name && !own.tokens.iter().any(|t| t.stem == subject.stem);
            is_named || (["he", "she"].contains(&subject.lower.as_str()) && subject.lower != own.tokens[*at].lower)
        };
        let theirs = places(quotes, |t| t.stem == own.tokens[head].stem);
        let subjects = theirs.filter_map(|(quote, there)| Some(&quote.tokens[quote.reading().subject(there)?]));
        one_and_all(subjects, other)
    };
    let found = (1..own.tokens.len()).filter(is_pronoun).find(is_other)?;
    Some(reason(ReasonKind::Reference, &own.tokens[found].raw))
}

/// On which side of a verb the writer stands: who does it, or whom it is done to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Does,
    IsDoneTo,
}

/// `Mirko lent you 200 euros` is not said by `I lent Mirko 200 euros`: the writer stands on the other side of the verb.
fn sides(words: &[Token], quotes: &[Quote<'_>]) -> Option<Reason> {
    let is_verb = |at: &usize| words[*at].kind == Kind::Word;
    let is_turned = |at: &usize| {
        let mine = sides_at(words, *at);
        let there = places(quotes, |t| t.stem == words[*at].stem);
        let theirs: Vec<Side> = there.flat_map(|(quote, there)| sides_at(quote.tokens, there)).collect();
        mine.len() == 1 && !theirs.is_empty() && !mine.iter().any(|side| theirs.contains(side))
    };
    (0..words.len()).filter(is_verb).find(is_turned).map(|at| reason(ReasonKind::Roles, &words[at].raw))
}

/// The sides of the word at a place on which the writer stands, in its clause.
fn sides_at(tokens: &[Token], at: usize) -> Vec<Side> {
    const REACH: usize = 3;
    let ends = |t: &Token| {
        matches!(t.kind, Kind::Mark(_)) || ["and", "but", "because", "that", "so"].contains(&t.lower.as_str())
    };
    let front = tokens.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    let front: Vec<&Token> = front.iter().rev().take_while(|t| !ends(t)).collect();
    let behind = tokens.get(at + 1).filter(|t| !ends(t));
    let is = |t: &Token, words: &[&str]| words.contains(&t.lower.as_str());
    let passive = front.iter().any(|t| is(t, BE));
    let mut found = Vec::new();
    // What stands between must be a helping word.
    let helping = |t: &&&Token| t.kind == Kind::Function || HEDGES.contains(&t.lower) || t.lower == "not";
    let first = front.iter().take_while(helping).find(|t| is(t, &["i", "we", "you"]));
    if first.is_some() {
        found.push(if passive { Side::IsDoneTo } else { Side::Does });
    }
    if behind.is_some_and(|t| is(t, &["me", "us", "you"])) {
        found.push(Side::IsDoneTo);
    }
    found
}

/// Whether somebody does it who neither writes nor is spoken to.
fn is_done_by_others(quote: &Quote<'_>, verb: usize) -> bool {
    let theirs = quote.reading();
    let is_speaker = |at: usize| is_meant(&quote.tokens[at]);
    let does = |at: usize| {
        let first = theirs.first_joined(at);
        theirs.head(first) == Some(verb) && theirs.is_labelled(first, &[Label::Nsubj, Label::Obl, Label::OblAgent])
    };
    let is_person = |at: usize| {
        let token = &quote.tokens[at];
        token.kind == Kind::Name
            || KIN.contains(&token.lower)
            || ["er", "or"].iter().any(|end| token.lower.ends_with(end))
    };
    theirs.is_verb(verb)
        && theirs.of(verb).iter().any(|(relation, who)| *relation == Relation::Agent && is_person(*who))
        && !(0..quote.tokens.len()).any(|at| is_speaker(at) && does(at))
}

#[cfg(test)]
mod tests {
    use crate::support::tests::judged;

    #[test]
    fn whom_the_notes_leave_out_is_the_writer_where_nobody_else_can_be_meant() {
        judged(&[
            ("Headache since lunch. << Migraine diary", "You have had a headache since lunch.", "reference"),
            ("Window seat booked. << Flight to Oslo", "You booked a window seat.", "supported"),
            ("Window seat booked. << Flight with Nadja", "You booked a window seat.", "reference"),
            ("Window seat booked. << Flight", "You booked a window seat.", "supported"),
            ("The car was towed. << Holiday", "Your car was towed.", "supported"),
            ("Mum refused the hearing aid. << Doctor visits", "Your mum refused the hearing aid.", "supported"),
            // The title, a name in front or another owner may be meant.
            ("Window seat booked. << Anna", "You booked a window seat.", "reference"),
            ("Window seat booked. << Rose", "You booked a window seat.", "reference"),
            ("Anna: window seat booked. << Flight", "You booked a window seat.", "reference"),
            ("Bea's car was towed. << Holiday", "Your car was towed.", "reference"),
            ("The car of Bea was towed. << Holiday", "Your car was towed.", "reference"),
            (
                "A miner leads the tour of the silver mine. << Tour",
                "The tour of the silver mine is led by a miner.",
                "supported",
            ),
            // What others do, the writer does not.
            ("I saw that Anna repaired the valve. << Log", "You repaired the valve.", "roles"),
            ("Vera, Amir and I repaired the valve. << Log", "You repaired the valve.", "supported"),
        ]);
    }
}
