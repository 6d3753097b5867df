//! What a sentence says of a day otherwise than the notes: that it was then, where they say until then; that it was on the day
//! they were written, where they name another.

use memora_claim::time::Role;

use super::super::content::led;
use super::super::dates::weekday;
use super::super::ground::Ground;
use super::super::lexicon::PRONOUNS;
use super::super::tokens::{Date, Kind, Token};
use super::super::{Reason, ReasonKind, reason};

/// The dates of a sentence that the notes give another part.
pub(in super::super) fn differences(words: &[Token], grounds: &[&Ground]) -> Vec<Reason> {
    let dates = words.iter().enumerate().filter_map(|(at, token)| match token.kind {
        Kind::Date(date) => Some((at, date)),
        _ => None,
    });
    let is_other = |(at, date): &(usize, Date)| {
        let is_written = grounds.iter().any(|ground| ground.sentences.iter().flatten().any(|t| says(t, *date)));
        !is_written
            && (is_led_otherwise(words, *at, *date, grounds)
                || is_of_another_time(clause_of(words, *at), *date, grounds))
    };
    dates.filter(is_other).map(|(at, _)| reason(ReasonKind::Date, &led(words, at))).collect()
}

fn says(token: &Token, date: Date) -> bool {
    matches!(token.kind, Kind::Date(other) if date.is_said_by(other))
}

/// Whether each of the days of theirs that it could be has another role.
fn is_led_otherwise(words: &[Token], at: usize, date: Date, grounds: &[&Ground]) -> bool {
    let mut days = grounds
        .iter()
        .flat_map(|ground| &ground.dated)
        .flat_map(|dated| dated.days.iter().filter(|day| date.is_said_by(day.date)).map(move |day| (dated, day.role)));
    let mut found = false;
    let fits = days.any(|(dated, role)| {
        found = true;
        may_be(words, at, if is_deadline(&dated.tokens) && role == Role::At { Role::Due } else { role })
    });
    found && !fits
}

/// Whether a day of theirs with a role is said by how the sentence leads to it.
fn may_be(words: &[Token], at: usize, role: Role) -> bool {
    const LEADS: [&str; 13] = [
        "until",
        "till",
        "through",
        "to",
        "since",
        "from",
        "starting",
        "beginning",
        "before",
        "after",
        "by",
        "end",
        "as",
    ];
    let is_lead = |t: &&Token| t.kind == Kind::Function || LEADS.contains(&t.lower.as_str());
    let front = words.get(..at).unwrap_or_default().iter().rev().take(4);
    let lead: Vec<&str> = front.take_while(is_lead).map(|t| t.lower.as_str()).collect();
    let leads = |list: &[&str]| lead.iter().any(|word| list.contains(word));
    let says = |list: &[&str]| words.iter().any(|t| list.contains(&t.stem.as_str()));
    let ends = leads(&["until", "till", "through", "to"]);
    let begins = leads(&["since", "from", "starting", "beginning"]);
    match role {
        Role::At => !leads(&["until", "till", "since", "before", "after", "by", "from"]),
        Role::Since => begins || says(&["begin", "start"]) && !ends && !leads(&["before", "after", "by"]),
        Role::Until => ends || says(&["end", "last"]) && !begins && !leads(&["before", "after", "by"]),
        Role::Due => {
            leads(&["by", "until", "till"])
                || says(&["deadlin", "due", "until", "latest"]) && !begins && !leads(&["before", "after"])
        }
        Role::Before => leads(&["before"]),
        Role::After => leads(&["after"]),
        Role::Mentioned => true,
    }
}

/// Whether they name what has to be done by a day: `Deadline for the grant: end of March`.
fn is_deadline(tokens: &[Token]) -> bool {
    tokens.iter().any(|t| matches!(t.stem.as_str(), "deadlin" | "due"))
}

/// Whether the notes say a word of the sentence's clause only of another time: `the results are on the 5th` of `exam on the 5th,
/// results on the 10th`, and `the boiler was put in on the 20th` of a note of that day where it was `yesterday`.
fn is_of_another_time(clause: &[Token], date: Date, grounds: &[&Ground]) -> bool {
    let theirs: Vec<&[Token]> = grounds.iter().flat_map(|ground| clauses_of(ground)).collect();
    let is_said_here = |time: &Token| clause.iter().any(|own| is_same_time(own, time));
    let is_other = |there: &&&[Token]| {
        let mut times = there.iter().filter(|t| is_time(t)).peekable();
        times.peek().is_some() && !times.any(|time| says(time, date) || is_said_here(time))
    };
    // `Met Ines on the 4th; two days later she flew home`: whom a pronoun stands for is named elsewhere.
    let stands_for = |t: &Token| PRONOUNS.contains(&t.lower.as_str());
    let is_then = |there: &&&[Token]| there.iter().any(|time| says(time, date));
    let has_pronoun = theirs.iter().filter(is_then).any(|there| there.iter().any(stands_for));
    clause.iter().filter(|word| word.is_content() && !(has_pronoun && word.raw.starts_with(char::is_uppercase))).any(
        |word| {
            let mut with =
                theirs.iter().filter(|there| there.iter().any(|t| t.is_content() && t.stem == word.stem)).peekable();
            with.peek().is_some() && with.all(|there| is_other(&there))
        },
    )
}

/// The clauses of a note's sentences, with their days where they have been resolved.
fn clauses_of(ground: &Ground) -> impl Iterator<Item = &[Token]> {
    let resolved = |at: usize| ground.dated.iter().find(|dated| dated.of == at);
    let sentences = ground.sentences.iter().enumerate();
    let tokens = sentences.map(move |(at, plain)| resolved(at).map_or(plain, |dated| &dated.tokens));
    tokens.flat_map(|tokens| tokens.split(is_joint))
}

/// The clause of a sentence that a date at some place belongs to; one without any other word belongs to the next.
fn clause_of(words: &[Token], at: usize) -> &[Token] {
    if words.iter().filter(|t| is_time(t)).count() < 2 {
        return words;
    }
    let front = words.get(..at).unwrap_or_default().iter().rposition(is_joint).map_or(0, |joint| joint + 1);
    let says = |clause: &[Token]| clause.iter().any(|t| t.is_content() && !is_time(t));
    let mut end = at;
    loop {
        let rest = words.get(end + 1..).unwrap_or_default();
        let next = rest.iter().position(is_joint).map_or(words.len(), |joint| end + 1 + joint);
        let clause = words.get(front..next).unwrap_or_default();
        if says(clause) || next >= words.len() {
            return if says(clause) { clause } else { words };
        }
        end = next;
    }
}

fn is_joint(token: &Token) -> bool {
    matches!(token.kind, Kind::Mark(',' | ';' | '.' | '!' | '?' | '–' | '—' | '(' | ')'))
        || matches!(token.lower.as_str(), "and" | "but" | "because" | "that" | "so" | "while" | "whereas")
}

fn is_time(token: &Token) -> bool {
    matches!(token.kind, Kind::Date(_)) || weekday(&token.lower).is_some()
}

/// Whether a time of the sentence is one of theirs.
fn is_same_time(own: &Token, theirs: &Token) -> bool {
    match (own.kind, theirs.kind) {
        (Kind::Date(own), Kind::Date(theirs)) => own.is_said_by(theirs),
        _ => own.lower == theirs.lower,
    }
}
