//! A sentence that says in their order what the notes say: whole, from a part on, or with a clause moved to the other end.
//!
//! Whoever keeps the order of words keeps who does what to whom, however entangled the sentence is. The one rule to know:
//! **nothing may stand between that does not stand there**, articles and commas aside.

use super::ground::Quote;
use super::lexicon::WEEKDAYS;
use super::tokens::{Kind, Token};

/// How the words of a sentence stand in the notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Each part of the sentence that an *and* or a semicolon ends is a run of words of one quote, or one with its clauses
    /// turned round.
    Theirs,
    /// It is cut out of one in the middle of a phrase: `Bruno leads drift` of `the brother of Bruno leads drift`, `Anna is
    /// Bruno` of `Anna is Bruno's sister`.
    CutOut,
    /// Otherwise.
    Other,
}

pub(super) fn order(words: &[Token], quotes: &[Quote<'_>]) -> Order {
    let own: Vec<Step> = steps(words).collect();
    let theirs: Vec<Vec<Step>> = quotes.iter().map(|quote| steps(quote.tokens).collect()).collect();
    if is_cut_out(&own, &theirs) {
        Order::CutOut
    } else if is_theirs(&own, &theirs) {
        Order::Theirs
    } else {
        Order::Other
    }
}

fn is_theirs(own: &[Step], theirs: &[Vec<Step>]) -> bool {
    // A second part without its subject would take that of the first: it has to begin as one of theirs.
    let holds = |part: &[Step], first: bool| {
        let is = |quote: &Vec<Step>| runs(part, quote).is_some_and(|at| first || at == 0) || turned(part, quote);
        theirs.iter().any(is)
    };
    let ends: Vec<usize> = (1..own.len()).filter(|&at| own[at].joins).chain([own.len()]).collect();
    if ends.len() > PARTS_MAX {
        return false;
    }
    // From the end on: whether what begins here is all theirs.
    let mut held = vec![own.len()];
    for &start in ends.iter().rev().skip(1).chain([&0]) {
        let is = |end: &usize| *end > start && holds(own.get(start..*end).unwrap_or_default(), start == 0);
        if held.iter().any(is) {
            held.push(start);
        }
    }
    !own.is_empty() && held.contains(&0)
}

/// What one quote cuts another may say whole.
fn is_cut_out(own: &[Step], theirs: &[Vec<Step>]) -> bool {
    let mut found =
        theirs.iter().flat_map(|quote| places(own, quote).map(|at| is_whole(own.len(), at, quote))).peekable();
    found.peek().is_some() && !found.any(|whole| whole)
}

/// Of how many parts a sentence may be joined.
const PARTS_MAX: usize = 16;

/// A word as far as order goes.
#[derive(PartialEq, Eq)]
struct Step {
    word: String,
    /// Whether *and* or a semicolon stands before it. Two sentences may be joined so.
    joins: bool,
    /// Whether a comma or a colon stands before it.
    parted: bool,
    /// Whether it says more than when.
    says: bool,
    /// Whether a clause or a complement can begin with it.
    opens: bool,
}

fn steps(tokens: &[Token]) -> impl Iterator<Item = Step> {
    const OPENS: &[&str] = &[
        "if", "when", "in", "on", "at", "after", "before", "since", "because", "until", "during", "while", "once",
        "as", "for", "by", "with", "without", "to", "from", "under", "over", "where", "although", "though", "unless",
        "together", "again", "today",
    ];
    let mut joins = false;
    let mut comma = false;
    tokens.iter().filter_map(move |token| {
        match token.lower.as_str() {
            "and" | ";" => joins = true,
            "," | ":" => comma = true,
            "a" | "an" | "the" => {}
            _ => {
                let is_mark =
                    matches!(token.kind, Kind::Mark(mark) if mark.is_ascii_punctuation() && !"<>=+%$".contains(mark));
                if is_mark {
                    return None;
                }
                let word = match token.kind {
                    Kind::Number(number) => format!("{number:?}"),
                    Kind::Date(date) => format!("{date:?}"),
                    Kind::Function | Kind::Mark(_) => same_function(&token.lower).to_owned(),
                    Kind::Word | Kind::Name => token.stem.clone(),
                };
                let is_time = matches!(token.kind, Kind::Date(_)) || WEEKDAYS.contains(&token.lower.as_str());
                // "Since May" in front says when, as "in May" does.
                let says = !is_time && token.lower != "since" && token.says();
                let opens = comma || is_time || OPENS.contains(&token.lower.as_str());
                let step = Step { word, joins, parted: comma, says, opens };
                (joins, comma) = (false, false);
                return Some(step);
            }
        }
        None
    })
}

/// One spelling for words without content that say the same.
fn same_function(word: &str) -> &str {
    match word {
        "till" => "until",
        "whereas" => "while",
        other => other,
    }
}

/// Where a part begins in a quote, word for word: there where a clause does, up to where a clause or a complement ends.
fn runs(part: &[Step], quote: &[Step]) -> Option<usize> {
    // Two sentences of theirs that were joined here are not one of theirs.
    let joined = |at: usize| {
        let window = quote.get(at..at + part.len()).unwrap_or_default();
        window.iter().zip(part).skip(1).all(|(a, b)| a.joins == b.joins)
    };
    places(part, quote).find(|&at| joined(at) && is_whole(part.len(), at, quote))
}

/// Where the words of a part stand in a quote one behind the other.
fn places<'s>(part: &'s [Step], quote: &'s [Step]) -> impl Iterator<Item = usize> + 's {
    let same = move |window: &[Step]| window.iter().zip(part).all(|(a, b)| a.word == b.word);
    let windows = if part.len() < 2 { None } else { Some(quote.windows(part.len())) };
    windows.into_iter().flatten().enumerate().filter(move |(_, window)| same(window)).map(|(at, _)| at)
}

/// Whether so many words begin and end at `at` where a clause or a complement does.
fn is_whole(length: usize, at: usize, quote: &[Step]) -> bool {
    let begins = quote.get(..at).is_some_and(|front| front.iter().all(|step| !step.says))
        || quote.get(at).is_some_and(|step| step.joins || step.parted);
    begins && quote.get(at + length).is_none_or(|next| next.joins || next.opens)
}

/// Whether a part is a whole quote of which the beginning was moved to the end, or the end to the beginning.
fn turned(part: &[Step], quote: &[Step]) -> bool {
    let is_whole = part.len() == quote.len() && part.len() > 2;
    let same = |at: usize| {
        let (first, second) = part.split_at(at);
        let (opening, closing) = quote.split_at(part.len() - at);
        let is = |a: &[Step], b: &[Step]| a.iter().zip(b).all(|(a, b)| a.word == b.word);
        // What was moved must be a clause or a complement of its own.
        let may_move = second.first().is_some_and(|s| s.opens) && opening.first().is_some_and(|s| s.opens)
            || first.first().is_some_and(|s| s.opens) && closing.first().is_some_and(|s| s.opens);
        may_move && is(first, closing) && is(second, opening)
    };
    is_whole && (1..part.len()).any(same)
}
