//! What two clauses are to each other: which is the cause, which came first, which is the condition.
//!
//! `X, so Y`, `Y because X` and `since X, Y` say the same, and so do `X, then Y`, `after X, Y` and `X before Y`. The one rule to
//! know: **whatever the word between, the clauses keep their sides.**

use super::ground::Quote;
use super::tokens::{Kind, Token};
use super::{Reason, ReasonKind, reason};

/// How one clause leads to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bond {
    Cause,
    Time,
    Condition,
}

/// Where the clause stands that leads to the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leads {
    /// Behind the word: `because it rains`, `after it rained`.
    Behind,
    /// Not behind it, but the other is: `so we stayed`, `before we left`.
    Else,
}

/// Words between clauses. One that may open a sentence takes its clause along; the others stand behind the first clause.
const BONDS: &[(&str, Bond, Leads, bool)] = &[
    ("because", Bond::Cause, Leads::Behind, true),
    ("since", Bond::Cause, Leads::Behind, true),
    ("as", Bond::Cause, Leads::Behind, true),
    ("due", Bond::Cause, Leads::Behind, true),
    ("thanks", Bond::Cause, Leads::Behind, true),
    ("so", Bond::Cause, Leads::Else, false),
    ("therefore", Bond::Cause, Leads::Else, false),
    ("hence", Bond::Cause, Leads::Else, false),
    ("thus", Bond::Cause, Leads::Else, false),
    ("consequently", Bond::Cause, Leads::Else, false),
    ("why", Bond::Cause, Leads::Else, false),
    ("after", Bond::Time, Leads::Behind, true),
    ("once", Bond::Time, Leads::Behind, true),
    ("before", Bond::Time, Leads::Else, true),
    ("then", Bond::Time, Leads::Else, false),
    ("afterwards", Bond::Time, Leads::Else, false),
    ("if", Bond::Condition, Leads::Behind, true),
    ("when", Bond::Condition, Leads::Behind, true),
    ("whenever", Bond::Condition, Leads::Behind, true),
];

/// Two clauses and what they are to each other.
struct Link<'t> {
    bond: Bond,
    /// Where the word between them stands.
    at: usize,
    /// The cause, the earlier, the condition.
    first: &'t [Token],
    /// The effect, the later, what follows.
    second: &'t [Token],
}

/// The words between clauses that join others there, or these the other way round: `the light flickers whenever the fridge
/// starts` of `whenever the light flickers, the fridge starts`.
pub(super) fn differences(own: &[Token], quotes: &[Quote<'_>]) -> Vec<Reason> {
    let mine = links(own);
    if mine.is_empty() {
        return Vec::new();
    }
    let theirs: Vec<Link<'_>> = quotes.iter().flat_map(|quote| links(quote.tokens)).collect();
    let is_other = |link: &Link<'_>| {
        let near = || theirs.iter().filter(|other| relates(link, other));
        let same = || near().filter(|other| other.bond == link.bond);
        let is_turned =
            same().any(|other| turns(link, other)) || near().any(|other| other.bond != link.bond && joins(link, other));
        !same().any(|other| agrees(link, other)) && (is_turned || same().next().is_some())
    };
    mine.into_iter().filter(is_other).map(|link| reason(ReasonKind::Roles, &own[link.at].raw)).collect()
}

/// Whether both speak of the cause, the earlier or the condition, or of what follows from it.
fn relates(mine: &Link<'_>, theirs: &Link<'_>) -> bool {
    let all = |link: &Link<'_>, own: &[Token]| shares(own, link.first, &[]) + shares(own, link.second, &[]);
    all(theirs, mine.first) > 0 || all(theirs, mine.second) > 0
}

/// Whether each has words of a clause of the other's, whichever it is.
fn joins(mine: &Link<'_>, theirs: &Link<'_>) -> bool {
    let across = |first: &[Token], second: &[Token]| {
        shares(mine.first, first, second) > 0 && shares(mine.second, second, first) > 0
    };
    across(theirs.first, theirs.second) || across(theirs.second, theirs.first)
}

/// Whether the word at a place only says of two clauses what the notes say of them by another: a *because* by a *so*.
pub(super) fn is_said(own: &[Token], at: usize, quotes: &[Quote<'_>]) -> bool {
    let Some(link) = link(own, at) else { return false };
    quotes.iter().any(|quote| links(quote.tokens).iter().any(|other| other.bond == link.bond && agrees(&link, other)))
}

/// Whether each of two clauses has words of its own counterpart, and none that only the other counterpart has.
fn agrees(mine: &Link<'_>, theirs: &Link<'_>) -> bool {
    let [first, second] = [(mine.first, theirs.first, theirs.second), (mine.second, theirs.second, theirs.first)];
    [first, second].into_iter().all(|(own, same, other)| shares(own, same, other) > 0 && shares(own, other, same) == 0)
}

/// Whether each has words only of the other's counterpart.
fn turns(mine: &Link<'_>, theirs: &Link<'_>) -> bool {
    shares(mine.first, theirs.second, theirs.first) > 0 || shares(mine.second, theirs.first, theirs.second) > 0
}

/// How many words of a clause stand in one of theirs and not in another.
fn shares(own: &[Token], there: &[Token], elsewhere: &[Token]) -> usize {
    let has = |tokens: &[Token], word: &Token| tokens.iter().any(|t| t.stem == word.stem);
    own.iter().filter(|t| t.is_content() && has(there, t) && !has(elsewhere, t)).count()
}

fn links(tokens: &[Token]) -> Vec<Link<'_>> {
    (0..tokens.len()).filter_map(|at| link(tokens, at)).collect()
}

fn link(tokens: &[Token], at: usize) -> Option<Link<'_>> {
    let &(word, bond, leads, may_open) = bond_at(tokens, at)?;
    let is_end = |t: &Token| matches!(t.kind, Kind::Mark(';' | '.' | '!' | '?' | '—'));
    let start = tokens.get(..at)?.iter().rposition(is_end).map_or(0, |end| end + 1);
    let end = at + tokens.get(at..)?.iter().position(is_end).unwrap_or(tokens.len() - at);
    let opens = opens(tokens, start, at);
    if (opens && !may_open) || !stands_between(tokens, at, end, word, opens) {
        return None;
    }
    let (behind, rest) = if opens { opened(tokens, at, end)? } else { parted(tokens, start, at, end)? };
    // `After six` is no clause.
    let says = |part: &[Token]| part.iter().any(Token::is_content);
    let (first, second) = if leads == Leads::Behind { (behind, rest) } else { (rest, behind) };
    (says(first) && says(second)).then_some(Link { bond, at, first, second })
}

fn bond_at(tokens: &[Token], at: usize) -> Option<&'static (&'static str, Bond, Leads, bool)> {
    let token = tokens.get(at)?;
    BONDS.iter().find(|(word, ..)| *word == token.lower)
}

/// Whether a word opens its sentence, or one that an *and* joins: `only when the tests pass`, `and because it rained, …`.
fn opens(tokens: &[Token], start: usize, at: usize) -> bool {
    let little = |t: &Token| !t.says() || ["only", "even", "just"].contains(&t.lower.as_str());
    let joined = at.checked_sub(1).and_then(|at| tokens.get(at));
    tokens.get(start..at).is_some_and(|front| front.iter().all(little))
        || joined.is_some_and(|t| ["and", "but"].contains(&t.lower.as_str()))
}

/// Whether a word that may join clauses does.
fn stands_between(tokens: &[Token], at: usize, end: usize, word: &str, opens: bool) -> bool {
    let lower = |at: usize| tokens.get(at).map_or("", |t| t.lower.as_str());
    let before = at.checked_sub(1).map_or("", lower);
    match word {
        "so" => {
            let leads_on = [",", "and", ";", "("].contains(&before) || tokens.get(at + 1).is_some_and(is_subject);
            leads_on && !["that", "far", "much", "many", "as"].contains(&lower(at + 1))
        }
        "why" => ["is", "'s"].contains(&before),
        "due" | "thanks" => lower(at + 1) == "to",
        // `As long as`: not why, but while. `As planned`, `known as`, `since May`: no clause.
        "as" if ["long", "soon", "far", "well", "much", "many", "often"].contains(&lower(at + 1)) => false,
        "as" => (opens || before == ",") && tokens.get(at + 1..end).is_some_and(has_verb),
        "since" => tokens.get(at + 1..end).is_some_and(has_verb),
        _ => true,
    }
}

/// The clause behind a word that opens a sentence, and the other: up to a comma, or where whoever does it begins (`After the
/// meeting I called`).
fn opened(tokens: &[Token], at: usize, end: usize) -> Option<(&[Token], &[Token])> {
    let part = |is: &dyn Fn(&Token) -> bool| tokens.get(at + 2..end)?.iter().position(is).map(|place| at + 2 + place);
    let cut = part(&is_comma).or_else(|| part(&is_subject))?;
    Some((tokens.get(at + 1..cut)?, tokens.get(cut..behind_to(tokens, cut, end))?))
}

/// The clause behind a word in the middle of a sentence, and the one in front. What is put in between has both sides around it,
/// and is left alone: `In May, because Anna left, we moved`.
fn parted(tokens: &[Token], start: usize, at: usize, end: usize) -> Option<(&[Token], &[Token])> {
    let end = behind_to(tokens, at, end);
    let is_put_in = at > 0 && is_comma(&tokens[at - 1]) && tokens.get(at..end)?.iter().any(is_comma);
    // `If the key fits, we go in when it rains`: the first clause is none of this word's.
    let earlier = (start..at).rev().find(|at| bond_at(tokens, *at).is_some());
    let comma = earlier.and_then(|from| tokens.get(from..at)?.iter().position(is_comma).map(|place| from + place + 1));
    (!is_put_in).then_some((tokens.get(at + 1..end)?, tokens.get(comma.unwrap_or(start)..at)?))
}

/// Where a clause ends before the next word that joins one to it.
fn behind_to(tokens: &[Token], at: usize, end: usize) -> usize {
    (at + 1..end).find(|at| bond_at(tokens, *at).is_some()).unwrap_or(end)
}

fn is_comma(token: &Token) -> bool {
    matches!(token.kind, Kind::Mark(',' | ':'))
}

/// Whether a word begins a clause as its subject.
fn is_subject(token: &Token) -> bool {
    ["i", "we", "you", "he", "she", "they", "it", "there"].contains(&token.lower.as_str())
}

/// Whether a word among these may be a verb behind a subject: cheaply, by a form of *be* or *have*, or an ending.
fn has_verb(tokens: &[Token]) -> bool {
    let helps = ["is", "are", "was", "were", "has", "have", "had", "does", "did", "do", "will", "can", "would", "must"];
    let is_verb = |t: &Token| {
        helps.contains(&t.lower.as_str())
            || (t.kind == Kind::Word
                && (super::stem::is_past(&t.lower)
                    || (t.lower.ends_with('s') && memora_english::Reader::embedded().may_be_verb(&t.lower))))
    };
    tokens.iter().skip(1).any(is_verb)
}

#[cfg(test)]
mod tests {
    use crate::support::tests::judged;

    #[test]
    fn clauses_keep_their_sides_whatever_the_word_between() {
        judged(&[
            ("The disk was full, so the backup stopped.", "The backup stopped because the disk was full.", "supported"),
            ("The disk was full, so the backup stopped.", "Since the disk was full, the backup stopped.", "supported"),
            ("The disk was full, so the backup stopped.", "The disk was full because the backup stopped.", "content"),
            (
                "The backup stopped because the disk was full.",
                "The disk was full, therefore the backup stopped.",
                "supported",
            ),
            ("The disk was full and the backup stopped.", "The backup stopped because the disk was full.", "content"),
            ("Fry the onions before you add the wine.", "Add the wine after you fry the onions.", "supported"),
            ("Fry the onions before you add the wine.", "Fry the onions after you add the wine.", "content opposite"),
            ("Fry the onions before you add the wine.", "Add the wine before you fry the onions.", "roles"),
            (
                "Whenever the fridge starts up, the light flickers.",
                "The light flickers whenever the fridge starts up.",
                "supported",
            ),
            (
                "Whenever the fridge starts up, the light flickers.",
                "The fridge starts up whenever the light flickers.",
                "roles",
            ),
            ("Only when the tests pass do we ship.", "You ship only when the tests pass.", "supported"),
        ]);
    }
}
