//! Hedging: whether what the sentence says outright is said so there, or only planned, supposed, told to be done, over, or on a
//! condition.
//!
//! The one rule to know: **each rule names the words of the notes that hedge**, so that whoever reads the verdict sees them.

use memora_english::Reader;
use memora_vault::TaskState;

use super::content::is_condition;
use super::ground::{Quote, one_and_all, places, stands_elsewhere};
use super::lexicon::{BE, HEDGES, WEEKDAYS};
use super::polarity::{CLAUSE, is_negation};
use super::stem::is_past;
use super::tokens::{Kind, Token};
use super::withdrawn;
use super::{Reason, ReasonKind, reason};

/// That the sentence leaves out what its notes hedge by, and what that is.
pub(super) fn differences(words: &[Token], quotes: &[Quote<'_>]) -> Option<Reason> {
    let content: Vec<&Token> = words.iter().filter(|t| t.says()).collect();
    let hedge = || quotes.iter().find_map(|quote| hedge(words, &content, quote, quotes)).map(|t| t.raw.clone());
    let withdrawn = || quotes.iter().find_map(|quote| withdrawn::left_out(words, quote, quotes));
    let bound = || (0..words.len()).find_map(|at| bound(words, at, quotes)).map(|t| t.raw.clone());
    let to_do = || to_do(words, quotes).map(|t| t.raw.clone());
    let past = || past_only(words, quotes).map(|t| t.raw.clone());
    let narrower = || quotes.iter().find_map(|quote| narrower(words, quote.tokens)).map(written);
    let instead = hedge().or_else(withdrawn).or_else(bound).or_else(to_do).or_else(past).or_else(narrower)?;
    Some(Reason { instead, ..reason(ReasonKind::Modality, "") })
}

/// Words as they are written.
pub(super) fn written(tokens: &[Token]) -> String {
    tokens.iter().map(|t| t.raw.as_str()).collect::<Vec<_>>().join(" ")
}

/// The bound that the notes put to a number and the sentence doesn't: *less* of `less than 40 minutes`.
fn bound<'q>(words: &[Token], at: usize, quotes: &[Quote<'q>]) -> Option<&'q Token> {
    const BOUNDS: &[&str] = &[
        "less", "more", "fewer", "least", "most", "up", "over", "under", "between", "below", "above", "almost",
        "nearly", "about", "roughly", "around", "minus", "beyond", "exceeds", "longer", "shorter",
    ];
    let Kind::Number(number) = words[at].kind else { return None };
    let is_it = |t: &Token| matches!(t.kind, Kind::Number(other) if other.value == number.value);
    let first = places(quotes, is_it).next().and_then(|(quote, at)| bound_at(quote.tokens, at, BOUNDS))?;
    let is_bounded = |(quote, at): (&Quote<'_>, usize)| bound_at(quote.tokens, at, BOUNDS).is_some();
    (bound_at(words, at, BOUNDS).is_none() && one_and_all(places(quotes, is_it), is_bounded)).then_some(first)
}

/// The bound in front of a number.
fn bound_at<'t>(tokens: &'t [Token], at: usize, bounds: &[&str]) -> Option<&'t Token> {
    let front = tokens.get(at.saturating_sub(4)..at).unwrap_or_default();
    let mut near = front.iter().rev().take_while(|t| !matches!(t.kind, Kind::Mark(',')));
    near.find(|t| bounds.contains(&t.lower.as_str()))
}

/// What the sentence says was done, and what is still to be done there or somebody is only told to do: `- [ ] Mia writes the
/// report`, `Mia: write the report`, `Mia to write the report`, `Return the drill`.
fn to_do<'q>(words: &[Token], quotes: &[Quote<'q>]) -> Option<&'q Token> {
    let open: Vec<Quote<'q>> = quotes.iter().copied().filter(|quote| quote.task != Some(TaskState::Done)).collect();
    let is_led = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        before.is_some_and(|t| ["be", "being", "to"].contains(&t.lower.as_str()))
    };
    let says_so = |at: &usize| {
        let word = &words[*at];
        word.kind == Kind::Word && !is_led(*at) && (is_past(&word.lower) || is_third_person(words, *at))
    };
    (0..words.len()).filter(says_so).find_map(|at| {
        let is_it = |t: &Token| t.kind == Kind::Word && t.stem == words[at].stem;
        let first = places(&open, is_it).next().and_then(|(quote, there)| quote.tokens.get(there))?;
        one_and_all(places(&open, is_it), |(quote, there)| is_told(quote, there)).then_some(first)
    })
}

/// `Buys` behind a name: somebody does it.
fn is_third_person(words: &[Token], at: usize) -> bool {
    let is_subject = |t: &Token| t.kind == Kind::Name || ["he", "she", "it"].contains(&t.lower.as_str());
    let led = at.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|t| at == 1 || is_subject(t));
    let word = &words[at].lower;
    led && word.ends_with('s') && Reader::embedded().may_be_verb(word)
}

/// Whether a word tells what to do: a plain verb in a task that is not done, in front, behind a colon or behind *to*.
pub(super) fn is_told(quote: &Quote<'_>, at: usize) -> bool {
    const CAME_ABOUT: [&str; 9] = ["manag", "used", "us", "remember", "happen", "learn", "help", "get", "com"];
    let Some(verb) = quote.tokens.get(at) else { return false };
    let front = quote.tokens.get(..at).unwrap_or_default();
    let is_led_by_be = front.last().is_some_and(|t| ["be", "being"].contains(&t.lower.as_str()));
    if (is_past(&verb.lower) && !is_led_by_be) || verb.lower.ends_with("ing") {
        return false;
    }
    match front.split_last() {
        _ if quote.task.is_some_and(|state| state != TaskState::Done) => true,
        None => is_plain_verb(&verb.lower),
        // `It is to be finished`, `it is being finished`.
        Some((last, before)) if ["be", "being"].contains(&last.lower.as_str()) => {
            last.lower == "being" || before.last().is_some_and(|t| t.lower == "to")
        }
        Some((last, before)) if last.lower == "to" => {
            !before.last().is_some_and(|t| CAME_ABOUT.contains(&t.stem.as_str())) && is_plain_verb(&verb.lower)
        }
        Some((last, _)) => last.kind == Kind::Mark(':') && is_plain_verb(&verb.lower),
    }
}

/// Whether a word may be a verb that tells somebody to do something.
pub(super) fn is_plain_verb(word: &str) -> bool {
    let inflected = ["ed", "ing", "s"].iter().any(|end| word.ends_with(end));
    !inflected && Reader::embedded().may_be_verb(word)
}

/// The word by which what the sentence takes from `quote` is only planned, supposed, asked or conditional there.
fn hedge<'q>(words: &[Token], content: &[&Token], quote: &Quote<'q>, quotes: &[Quote<'_>]) -> Option<&'q Token> {
    let tokens = quote.tokens;
    let shared = |part: &[Token]| part.iter().filter(|t| t.says() && content.iter().any(|c| c.stem == t.stem)).count();
    let has = |t: &Token| words.iter().any(|w| w.stem == t.stem);
    let used = |part: &[Token]| {
        let said = part.iter().filter(|t| t.says()).count();
        shared(part) >= 2.min(said).min(content.len()).max(1)
    };
    if !used(tokens) {
        return None;
    }
    if let Some(mark) = question(tokens).filter(|_| question(words).is_none()) {
        return Some(mark);
    }
    let condition = |t: &&Token| ["if", "unless", "whether", "provided", "assuming"].contains(&t.lower.as_str());
    let conditions = |tokens: &[Token]| tokens.iter().filter(|t| is_condition(t)).count();
    let should = words.first().is_some_and(|t| t.lower == "should");
    let as_many = conditions(words) + usize::from(should) >= conditions(tokens);
    let is_kept = |t: &Token| has(t) || (t.lower != "unless" && as_many);
    // What stands in another sentence, too, need not be taken from this one.
    let is_used = |at: usize| {
        let token = &tokens[at];
        token.says() && has(token) && !stands_elsewhere(quotes, quote, token)
    };
    let mut conditions = (0..tokens.len()).filter(|at| condition(&&tokens[*at]) && !is_kept(&tokens[*at]));
    let leads = |at: usize| ["if", "unless", "whether"].contains(&tokens[at].lower.as_str());
    if let Some(at) = conditions.find(|at| !leads(*at) || quote.reading().reaches(*at, is_used)) {
        return tokens.get(at);
    }
    let ends =
        |t: &Token| matches!(t.kind, Kind::Mark(',' | ';' | ':' | '(' | ')')) || CLAUSE.contains(&t.lower.as_str());
    let is_left_out = |t: &Token| if is_condition(t) { !is_kept(t) } else { !has(t) };
    let mut from = 0;
    tokens.split(ends).find_map(|clause| {
        let start = from;
        from += clause.len() + 1;
        let hedges = |i: &usize| is_hedge(&clause[*i], clause.get(i + 1..).unwrap_or_default());
        let reaches = |i: usize| quote.reading().reaches(start + i, is_used);
        let mut hedges = (0..clause.len()).filter(hedges).filter(|i| is_left_out(&clause[*i]));
        if used(clause) { hedges.find(|i| reaches(*i)).and_then(|i| clause.get(i)) } else { None }
    })
}

/// The question mark that a sentence ends with.
fn question(tokens: &[Token]) -> Option<&Token> {
    let last = tokens.iter().rev().find(|t| !matches!(t.kind, Kind::Mark('"' | '”' | ')')));
    last.filter(|t| t.kind == Kind::Mark('?'))
}

/// What a quote makes its word depend on and the sentence leaves out: where it holds (`On mobile, …`), or, of what is not
/// so, when (`… does not sync without a key`).
fn narrower<'q>(words: &[Token], quote: &'q [Token]) -> Option<&'q [Token]> {
    const LEADS: &[&str] = &["on", "for", "with", "without", "under", "when", "while"];
    const BOUNDS: &[&str] = &["without", "when", "unless", "until", "except", "while"];
    let has = |t: &Token| words.iter().any(|w| w.stem == t.stem);
    let shared = quote.iter().filter(|t| t.says() && has(t)).count();
    if shared < 2 {
        return None;
    }
    let is_left_out = |part: &&[Token]| {
        let mut said = part.iter().filter(|t| t.says() && !is_negation(t)).peekable();
        let is_time =
            |t: &Token| matches!(t.kind, Kind::Date(_) | Kind::Number(_)) || WEEKDAYS.contains(&t.lower.as_str());
        said.peek().is_some() && said.all(|t| !has(t) && !is_time(t))
    };
    let leads = quote.first().is_some_and(|t| LEADS.contains(&t.lower.as_str()));
    let comma = quote.iter().position(|t| t.kind == Kind::Mark(',')).filter(|_| leads);
    if let Some(front) = comma.and_then(|at| quote.get(..at)).filter(is_left_out) {
        return Some(front);
    }
    let sign = quote.iter().position(|t| is_negation(t) && has(t))?;
    let bound = quote.iter().skip(sign + 1).position(|t| BOUNDS.contains(&t.lower.as_str()))?;
    quote.get(sign + 1 + bound..).filter(is_left_out)
}

/// By which word the notes only say that it was, where the sentence says that it is.
fn past_only<'q>(words: &[Token], quotes: &[Quote<'q>]) -> Option<&'q Token> {
    let has = |list: &[&str]| theirs_of(quotes, list).is_some();
    let says_is = words.iter().any(|t| ["is", "are"].contains(&t.lower.as_str()));
    if says_is && !has(&["is", "are", "'s"]) {
        let found = quotes.iter().find_map(|quote| was(words, quote));
        if found.is_some() {
            return found;
        }
    }
    // `You don't eat fish` of `did not eat the fish`.
    let denies =
        |list: &[&str]| words.windows(2).any(|pair| list.contains(&pair[0].lower.as_str()) && pair[1].lower == "not");
    let never = words.iter().any(|t| t.lower == "never");
    let denied = || theirs_of(quotes, &["did"]).filter(|_| !has(&["do", "does", "never"]));
    let denied = || denied().filter(|_| denies(&["do", "does"]) || never);
    is_going(words, quotes)
        .or_else(denied)
        .or_else(|| quotes.iter().find_map(|quote| habit_left_out(words, quote.tokens)))
        .or_else(|| (1..words.len()).find_map(|at| comes(words, at, quotes)))
        .or_else(|| words.iter().find_map(|word| moves(word, quotes)))
}

/// One of some words, where the notes have it.
fn theirs_of<'q>(quotes: &[Quote<'q>], list: &[&str]) -> Option<&'q Token> {
    quotes.iter().flat_map(|quote| quote.tokens).find(|t| list.contains(&t.lower.as_str()))
}

/// The *was* of a clause that shares a word with the sentence.
fn was<'q>(words: &[Token], quote: &Quote<'q>) -> Option<&'q Token> {
    let ends =
        |t: &Token| matches!(t.kind, Kind::Mark(',' | ';' | ':' | '(' | ')')) || CLAUSE.contains(&t.lower.as_str());
    let is_past = |t: &&Token| ["was", "were"].contains(&t.lower.as_str());
    let is_shared = |t: &Token| t.says() && words.iter().any(|word| word.stem == t.stem);
    let mut clauses = quote.tokens.split(ends).filter(|clause| clause.iter().any(is_shared));
    clauses.find_map(|clause| clause.iter().find(is_past))
}

/// The *went* of the notes, of `you are going to Rome`.
fn is_going<'q>(words: &[Token], quotes: &[Quote<'q>]) -> Option<&'q Token> {
    words.windows(2).find_map(|pair| match pair {
        [be, verb] if ["is", "are", "am"].contains(&be.lower.as_str()) && verb.lower.ends_with("ing") => {
            let theirs = || quotes.iter().flat_map(|q| q.tokens).filter(|t| t.stem == verb.stem);
            theirs().next().filter(|_| one_and_all(theirs(), |t| is_past(&t.lower)))
        }
        _ => None,
    })
}

/// The *came* of the notes, of `they come`.
fn comes<'q>(words: &[Token], at: usize, quotes: &[Quote<'q>]) -> Option<&'q Token> {
    let is_irregular = |(quote, at): (&Quote<'_>, usize)| {
        // `It is eaten` is no past.
        let led = at.checked_sub(1).and_then(|at| quote.tokens.get(at)).map_or("", |t| t.lower.as_str());
        let word = &quote.tokens[at].lower;
        is_past(word) && !word.ends_with("ed") && !["is", "are", "be", "being", "am"].contains(&led)
    };
    let own = &words[at];
    let led = words.get(at.saturating_sub(2)..at).unwrap_or_default();
    let is_led = |t: &Token| {
        ["to", "did", "do", "does", "not"].contains(&t.lower.as_str()) || HEDGES.contains(&t.lower) || is_noun_marker(t)
    };
    let is_plain = own.kind == Kind::Word
        && !is_past(&own.lower)
        && !own.lower.ends_with("ing")
        && !own.lower.ends_with("en")
        && !led.iter().any(is_led);
    let is_it = |other: &Token| other.kind == Kind::Word && other.stem == own.stem;
    let first = places(quotes, is_it).next().filter(|_| is_plain).and_then(|(quote, there)| quote.tokens.get(there))?;
    one_and_all(places(quotes, is_it), is_irregular).then_some(first)
}

/// The *moved* of the notes, of `moves`: only the plain present of a plain past, nothing in between.
fn moves<'q>(own: &Token, quotes: &[Quote<'q>]) -> Option<&'q Token> {
    let is_present = own.kind == Kind::Word && own.lower.ends_with('s') && own.lower != own.stem;
    let is_it = |other: &Token| other.kind == Kind::Word && other.stem == own.stem;
    let is_past = |(quote, at): (&Quote<'_>, usize)| {
        let led = quote.tokens.get(at.saturating_sub(2)..at).unwrap_or_default();
        quote.tokens[at].lower.ends_with("ed") && !led.iter().any(|t| BE.contains(&t.lower.as_str()))
    };
    let first = places(quotes, is_it).next().filter(|_| is_present).and_then(|(quote, at)| quote.tokens.get(at))?;
    one_and_all(places(quotes, is_it), is_past).then_some(first)
}

/// The *used* by which what the sentence says only used to be: `it is used to cut` says nothing of the past.
fn habit_left_out<'q>(words: &[Token], quote: &'q [Token]) -> Option<&'q Token> {
    let habit = |tokens: &[Token], at: usize| {
        let led = tokens.get(at.saturating_sub(2)..at).unwrap_or_default();
        let is_it = tokens[at].lower == "used" && tokens.get(at + 1).is_some_and(|t| t.lower == "to");
        is_it && !led.iter().any(|t| BE.contains(&t.lower.as_str()))
    };
    let is_said = |at: usize| {
        let verb = quote.iter().skip(at + 2).find(|t| t.says());
        verb.is_none_or(|verb| words.iter().any(|word| word.stem == verb.stem))
    };
    let keeps = (0..words.len()).any(|at| habit(words, at));
    let left_out = (0..quote.len()).find(|at| habit(quote, *at) && is_said(*at))?;
    quote.get(left_out).filter(|_| !keeps)
}

/// Whether a word leads to a noun, so that what follows is no verb.
fn is_noun_marker(token: &Token) -> bool {
    ["the", "a", "an", "this", "that", "its", "his", "her", "their", "our", "my", "your", "of", "for"]
        .contains(&token.lower.as_str())
}

fn is_hedge(token: &Token, behind: &[Token]) -> bool {
    if matches!(token.kind, Kind::Date(_) | Kind::Name | Kind::Number(_)) {
        return false;
    }
    // A plan is a thing; to plan to, or to want somebody to, is a hedge.
    let needs_to = [
        "plan", "want", "hop", "wish", "try", "attempt", "expect", "claim", "idea", "appear", "forget", "declin",
        "threaten", "offer", "pretend", "allow", "ask", "wait", "about", "must", "need", "promis", "agree",
    ];
    if needs_to.contains(&token.stem.as_str()) {
        let near = behind.iter().take(4).take_while(|t| !matches!(t.kind, Kind::Mark(_)));
        let mut near = near.map(|t| t.lower.as_str());
        return token.lower == "must"
            || near.next().is_some_and(|w| ["to", "that", "is", "for"].contains(&w))
            || near.any(|w| w == "to");
    }
    HEDGES.contains(&token.lower) || HEDGES.contains(&token.stem)
}
