//! Negation and hedging: whether both say that it is so, and outright.

use memora_vault::TaskState;

use super::content::is_condition;
use super::ground::{Quote, one_and_all, places, stands_elsewhere};
use super::lexicon::{BE, HEDGES, NEGATIONS, WEEKDAYS};
use super::stem::is_past;
use super::tokens::{Kind, Token};
use super::{Reason, ReasonKind, reason, withdrawn};

/// Differences in negation and modality between a sentence and the sentences it rests on.
pub(crate) fn differences(words: &[Token], quotes: &[Quote<'_>]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let content: Vec<&Token> = words.iter().filter(|t| t.says()).collect();
    let own: Vec<Scope<'_>> = scopes(words);
    let theirs: Vec<(&Quote<'_>, Scope<'_>)> =
        quotes.iter().flat_map(|quote| scopes(quote.tokens).into_iter().map(move |scope| (quote, scope))).collect();
    for scope in &own {
        let met = theirs.iter().any(|(_, other)| match scope.words.first() {
            Some(first) => {
                other.words.iter().any(|t| t.stem == first.stem) && (scope.sign.lower != "never" || !other.ended)
            }
            None => other.sign.lower == scope.sign.lower,
        });
        if !met {
            reasons.push(reason(ReasonKind::Negation, &scope.sign.raw));
        }
    }
    // Below "Not shipped" nothing is said outright.
    let is_not = |t: &Token| ["not", "never", "no", "without"].contains(&t.lower.as_str());
    if own.is_empty() && !quotes.is_empty() && quotes.iter().all(|quote| quote.context.iter().any(is_not)) {
        reasons.push(reason(ReasonKind::Negation, ""));
    }
    let has = |t: &Token| content.iter().any(|c| c.stem == t.stem);
    let denied = quotes.iter().filter_map(|quote| denied_subject(quote.tokens, has));
    if own.is_empty() && denied.count() > 0 {
        reasons.push(reason(ReasonKind::Negation, ""));
    }
    for (quote, scope) in &theirs {
        let hits = scope.words.iter().filter(|t| has(t)).count();
        // A sentence of theirs of which all that is used stands in others, too, need not be what is drawn from.
        let is_drawn_from = || quote.tokens.iter().any(|t| t.says() && has(t) && !stands_elsewhere(quotes, quote, t));
        let struck =
            (scope.words.first().is_some_and(|t| has(t)) && is_drawn_from()) || (hits > 0 && hits * 2 >= content.len());
        let is_kept = |other: &Scope<'_>| {
            let ends = other.words.is_empty() && other.sign.lower == scope.sign.lower;
            ends || other.words.iter().any(|t| scope.words.iter().any(|s| s.stem == t.stem))
        };
        let kept = own.iter().any(is_kept);
        if struck && !kept {
            reasons.push(reason(ReasonKind::Negation, ""));
        }
    }
    let hedged = quotes.iter().any(|quote| hedged(words, &content, quote, quotes));
    let bounded = words.iter().enumerate().any(|(at, _)| is_bounded(words, at, quotes));
    if hedged
        || quotes.iter().any(|quote| withdrawn::is_left_out(words, quote, quotes))
        || bounded
        || is_done(words, quotes)
        || is_past_only(words, quotes)
        || quotes.iter().any(|quote| is_widened(words, quote.tokens))
    {
        reasons.push(reason(ReasonKind::Modality, ""));
    }
    reasons
}

/// Whether a number stands without a bound that the notes put to it: `40 minutes` of `less than 40 minutes`.
fn is_bounded(words: &[Token], at: usize, quotes: &[Quote<'_>]) -> bool {
    const BOUNDS: &[&str] = &[
        "less", "more", "fewer", "least", "most", "up", "over", "under", "between", "below", "above", "almost",
        "nearly", "about", "roughly", "around", "minus", "beyond", "exceeds", "longer", "shorter",
    ];
    let Kind::Number(number) = words[at].kind else { return false };
    let has_bound = |tokens: &[Token], at: usize| {
        let front = tokens.get(at.saturating_sub(4)..at).unwrap_or_default();
        front
            .iter()
            .rev()
            .take_while(|t| !matches!(t.kind, Kind::Mark(',')))
            .any(|t| BOUNDS.contains(&t.lower.as_str()))
    };
    let is_it = |t: &Token| matches!(t.kind, Kind::Number(other) if other.value == number.value);
    !has_bound(words, at) && one_and_all(places(quotes, is_it), |(quote, at)| has_bound(quote.tokens, at))
}

/// Whether the sentence says that somebody did what is still to be done there, or what somebody is only told to do:
/// `- [ ] Mia writes the report`, `Mia: write the report`, `Mia to write the report`, `Return the drill`.
fn is_done(words: &[Token], quotes: &[Quote<'_>]) -> bool {
    let open: Vec<Quote<'_>> = quotes.iter().copied().filter(|quote| quote.task != Some(TaskState::Done)).collect();
    let is_led = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        before.is_some_and(|t| ["be", "being", "to"].contains(&t.lower.as_str()))
    };
    let says_so = |at: &usize| {
        let word = &words[*at];
        word.kind == Kind::Word && !is_led(*at) && (is_past(&word.lower) || is_third_person(words, *at))
    };
    (0..words.len()).filter(says_so).any(|at| {
        let is_it = |t: &Token| t.kind == Kind::Word && t.stem == words[at].stem;
        one_and_all(places(&open, is_it), |(quote, there)| is_told(quote, there))
    })
}

/// `Buys` behind a name: somebody does it.
fn is_third_person(words: &[Token], at: usize) -> bool {
    let is_subject = |t: &Token| t.kind == Kind::Name || ["he", "she", "it"].contains(&t.lower.as_str());
    let led = at.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|t| at == 1 || is_subject(t));
    let word = &words[at].lower;
    led && word.ends_with('s') && memora_english::Reader::embedded().may_be_verb(word)
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
    !inflected && memora_english::Reader::embedded().may_be_verb(word)
}

/// A negation with the words it reaches.
struct Scope<'t> {
    sign: &'t Token,
    words: Vec<&'t Token>,
    /// Whether it only denies that it is so any longer.
    ended: bool,
}

/// Who is used of whom only a helping verb is denied: the *brother* of `Ben laughed, his brother did not`.
fn denied_subject(tokens: &[Token], used: impl Fn(&Token) -> bool) -> Option<&Token> {
    const HELPING: [&str; 10] = ["do", "does", "did", "has", "have", "had", "will", "would", "can", "could"];
    let ends = |t: &Token| matches!(t.kind, Kind::Mark(',' | ';' | '.' | '—' | ')'));
    tokens.split(ends).find_map(|clause| match clause {
        [before @ .., helping, not] if not.lower == "not" => {
            let helps = HELPING.contains(&helping.lower.as_str()) || BE.contains(&helping.lower.as_str());
            let said: Vec<&Token> = before.iter().filter(|t| t.says()).collect();
            match said.as_slice() {
                [.., subject] if helps && said.len() <= 2 => Some(*subject).filter(|subject| used(subject)),
                _ => None,
            }
        }
        _ => None,
    })
}

/// A negation reaches to the end of its clause; a list behind it (`not Rust, Go or C`) is still negated.
fn scopes(tokens: &[Token]) -> Vec<Scope<'_>> {
    let mut found = Vec::new();
    for (i, sign) in tokens.iter().enumerate() {
        let next = tokens.get(i + 1).map(|t| t.lower.as_str()).unwrap_or_default();
        // What was not chosen.
        let passed_over = matches!((sign.lower.as_str(), next), ("instead", "of") | ("rather", "than"));
        if !is_negation(sign) && !passed_over {
            continue;
        }
        let relative = tokens
            .get(..i)
            .unwrap_or_default()
            .iter()
            .rev()
            .take_while(|t| t.kind != Kind::Mark(','))
            .any(|t| ["which", "who", "that"].contains(&t.lower.as_str()));
        let mut words = Vec::new();
        for (k, token) in tokens.iter().enumerate().skip(i + 1) {
            let next = tokens.get(k + 1).map(|t| t.lower.as_str()).unwrap_or_default();
            let ends = match token.kind {
                Kind::Mark(',') => {
                    relative || (CLAUSE.contains(&next) || ["and", "it", "he", "she", "they", "we"].contains(&next))
                }
                Kind::Mark(mark) => matches!(mark, ';' | ':' | '.' | '!' | '?' | '—' | '–' | '('),
                _ => CLAUSE.contains(&token.lower.as_str()),
            };
            if ends {
                break;
            }
            // `Not a single test failed`.
            let counts = words.is_empty() && ["single", "one"].contains(&token.lower.as_str());
            if token.says() && !is_negation(token) && !counts {
                words.push(token);
            }
        }
        let behind = tokens.iter().skip(i + 1).take(8);
        let ended =
            next == "longer" || behind.take_while(|t| !matches!(t.kind, Kind::Mark(_))).any(|t| t.lower == "anymore");
        found.push(Scope { sign, words, ended });
    }
    found
}

const CLAUSE: &[&str] = &["but", "while", "whereas", "although", "though", "because", "so", "which", "who", "instead"];

/// Whether what the sentence takes from `quote` is only planned, supposed, asked or conditional there.
fn hedged(words: &[Token], content: &[&Token], quote: &Quote<'_>, quotes: &[Quote<'_>]) -> bool {
    let tokens = quote.tokens;
    let shared = |part: &[Token]| part.iter().filter(|t| t.says() && content.iter().any(|c| c.stem == t.stem)).count();
    let has = |t: &Token| words.iter().any(|w| w.stem == t.stem);
    let used = |part: &[Token]| {
        let said = part.iter().filter(|t| t.says()).count();
        shared(part) >= 2.min(said).min(content.len()).max(1)
    };
    if !used(tokens) {
        return false;
    }
    let asks = |tokens: &[Token]| {
        tokens
            .iter()
            .rev()
            .find(|t| !matches!(t.kind, Kind::Mark('"' | '”' | ')')))
            .is_some_and(|t| t.kind == Kind::Mark('?'))
    };
    if asks(tokens) && !asks(words) {
        return true;
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
    let conditions = (0..tokens.len()).filter(|at| condition(&&tokens[*at]) && !is_kept(&tokens[*at]));
    let leads = |at: usize| ["if", "unless", "whether"].contains(&tokens[at].lower.as_str());
    if conditions.into_iter().any(|at| !leads(at) || quote.reading().reaches(at, is_used)) {
        return true;
    }
    let ends =
        |t: &Token| matches!(t.kind, Kind::Mark(',' | ';' | ':' | '(' | ')')) || CLAUSE.contains(&t.lower.as_str());
    let is_left_out = |t: &Token| if is_condition(t) { !is_kept(t) } else { !has(t) };
    let mut from = 0;
    tokens.split(ends).any(|clause| {
        let start = from;
        from += clause.len() + 1;
        let hedges = |i: &usize| is_hedge(&clause[*i], clause.get(i + 1..).unwrap_or_default());
        let reaches = |i: usize| quote.reading().reaches(start + i, is_used);
        used(clause) && (0..clause.len()).filter(hedges).any(|i| is_left_out(&clause[i]) && reaches(i))
    })
}

/// Whether the sentence leaves out what a quote makes its word depend on: where it holds (`On mobile, …`), or, of what
/// is not so, when (`… does not sync without a key`).
fn is_widened(words: &[Token], quote: &[Token]) -> bool {
    const LEADS: &[&str] = &["on", "for", "with", "without", "under", "when", "while"];
    const BOUNDS: &[&str] = &["without", "when", "unless", "until", "except", "while"];
    let has = |t: &Token| words.iter().any(|w| w.stem == t.stem);
    let shared = quote.iter().filter(|t| t.says() && has(t)).count();
    if shared < 2 {
        return false;
    }
    let is_left_out = |part: &[Token]| {
        let mut said = part.iter().filter(|t| t.says() && !is_negation(t)).peekable();
        let is_time =
            |t: &Token| matches!(t.kind, Kind::Date(_) | Kind::Number(_)) || WEEKDAYS.contains(&t.lower.as_str());
        said.peek().is_some() && said.all(|t| !has(t) && !is_time(t))
    };
    let leads = quote.first().is_some_and(|t| LEADS.contains(&t.lower.as_str()));
    let comma = quote.iter().position(|t| t.kind == Kind::Mark(','));
    if leads && comma.and_then(|at| quote.get(..at)).is_some_and(is_left_out) {
        return true;
    }
    let Some(sign) = quote.iter().position(|t| is_negation(t) && has(t)) else { return false };
    let bound = quote.iter().skip(sign + 1).position(|t| BOUNDS.contains(&t.lower.as_str()));
    bound.and_then(|at| quote.get(sign + 1 + at..)).is_some_and(is_left_out)
}

/// Whether the sentence says that something is, where the notes only say that it was.
fn is_past_only(words: &[Token], quotes: &[Quote<'_>]) -> bool {
    let has = |list: &[&str]| quotes.iter().any(|q| q.tokens.iter().any(|t| list.contains(&t.lower.as_str())));
    let says_is = words.iter().any(|t| ["is", "are"].contains(&t.lower.as_str()));
    if says_is && has(&["was", "were"]) && !has(&["is", "are", "'s"]) && quotes.iter().any(|quote| was(words, quote)) {
        return true;
    }
    // `You are going to Rome` of `went to Rome`.
    let is_going = |pair: &[Token]| match pair {
        [be, verb] if ["is", "are", "am"].contains(&be.lower.as_str()) && verb.lower.ends_with("ing") => {
            let theirs = quotes.iter().flat_map(|q| q.tokens).filter(|t| t.stem == verb.stem);
            one_and_all(theirs, |t| is_past(&t.lower))
        }
        _ => false,
    };
    if words.windows(2).any(is_going) {
        return true;
    }
    // `You don't eat fish` of `did not eat the fish`.
    let denies =
        |list: &[&str]| words.windows(2).any(|pair| list.contains(&pair[0].lower.as_str()) && pair[1].lower == "not");
    let never = words.iter().any(|t| t.lower == "never");
    if (denies(&["do", "does"]) || never) && has(&["did"]) && !has(&["do", "does", "never"]) {
        return true;
    }
    if quotes.iter().any(|quote| is_habit_left_out(words, quote.tokens)) {
        return true;
    }
    // `they come` of `they came`.
    let is_irregular = |(quote, at): (&Quote<'_>, usize)| {
        // `It is eaten` is no past.
        let led = at.checked_sub(1).and_then(|at| quote.tokens.get(at)).map_or("", |t| t.lower.as_str());
        let word = &quote.tokens[at].lower;
        is_past(word) && !word.ends_with("ed") && !["is", "are", "be", "being", "am"].contains(&led)
    };
    let comes = |(at, t): (usize, &Token)| {
        let led = words.get(at.saturating_sub(2)..at).unwrap_or_default();
        let is_led = |t: &Token| {
            ["to", "did", "do", "does", "not"].contains(&t.lower.as_str())
                || HEDGES.contains(&t.lower)
                || is_noun_marker(t)
        };
        let is_it = |other: &Token| other.kind == Kind::Word && other.stem == t.stem;
        let is_plain =
            t.kind == Kind::Word && !is_past(&t.lower) && !t.lower.ends_with("ing") && !t.lower.ends_with("en");
        is_plain && at > 0 && !led.iter().any(is_led) && one_and_all(places(quotes, is_it), is_irregular)
    };
    if words.iter().enumerate().any(comes) {
        return true;
    }
    // `moves` of `moved`: only the plain present of a plain past, nothing in between.
    let is_present = |t: &&Token| t.kind == Kind::Word && t.lower.ends_with('s') && t.lower != t.stem;
    words.iter().filter(is_present).any(|t| {
        let is_it = |other: &Token| other.kind == Kind::Word && other.stem == t.stem;
        let is_past = |(quote, at): (&Quote<'_>, usize)| {
            let led = quote.tokens.get(at.saturating_sub(2)..at).unwrap_or_default();
            quote.tokens[at].lower.ends_with("ed") && !led.iter().any(|t| BE.contains(&t.lower.as_str()))
        };
        one_and_all(places(quotes, is_it), is_past)
    })
}

/// Whether a clause of a quote that says what was shares a word with the sentence.
fn was(words: &[Token], quote: &Quote<'_>) -> bool {
    let ends =
        |t: &Token| matches!(t.kind, Kind::Mark(',' | ';' | ':' | '(' | ')')) || CLAUSE.contains(&t.lower.as_str());
    let is_past = |t: &Token| ["was", "were"].contains(&t.lower.as_str());
    let is_shared = |t: &Token| t.says() && words.iter().any(|word| word.stem == t.stem);
    quote.tokens.split(ends).any(|clause| clause.iter().any(is_past) && clause.iter().any(is_shared))
}

/// Whether the sentence leaves out that what it says only used to be: `it is used to cut` says nothing of the past.
fn is_habit_left_out(words: &[Token], quote: &[Token]) -> bool {
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
    !keeps && (0..quote.len()).any(|at| habit(quote, at) && is_said(at))
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

/// Whether a word turns what is said round.
pub(super) fn is_negation(token: &Token) -> bool {
    // Of a verb any form negates (`refused`), of a word without forms only itself: `notes` are no `not`.
    NEGATIONS.contains(&token.lower) || (token.stem.len() > 3 && NEGATIONS.contains(&token.stem))
}
