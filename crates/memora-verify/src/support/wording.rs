//! Words that a full sentence needs and notes in short style leave out: `the visa costs 50 dollars` of `Visa: 50 dollars`.
//!
//! The one rule to know: **a word is left out only where the notes leave something out**, a verb, a subject, a *should*.

use memora_english::Upos;
use memora_vault::TaskState;

use super::ground::{Quote, one_and_all};
use super::labels;
use super::lexicon::{WEEKDAYS, Words};
use super::modality::is_told;
use super::polarity::is_negation;
use super::sentence::Sentence;
use super::stem::is_past;
use super::tokens::{Kind, Token, is_same};

/// Verbs that only join what notes put side by side; stems.
static LINKING: Words = Words::of(
    "cost weigh measur com amount total stand stood tak held hold happen occur schedul set list consist last lie sit feel felt us go",
);

/// Verbs that only join somebody and how they are, in front of an adjective; stems.
const BECOMING: [&str; 4] = ["get", "becom", "remain", "seem"];

/// Verbs that say no more than that what their noun tells is done; stems. `Place` is that of *take place*.
const DOING: [&str; 10] = ["do", "don", "done", "tak", "mak", "com", "happen", "plac", "suffer", "occur"];

/// Whether the word at a place says nothing that the notes don't say by leaving it out.
pub(super) fn is_implied(own: &Sentence<'_>, at: usize, quotes: &[Quote<'_>]) -> bool {
    let shares = |quote: &&Quote<'_>| quote.tokens.iter().any(|t| t.says() && own.tokens.iter().any(|o| is_same(o, t)));
    let theirs: Vec<&Quote<'_>> = quotes.iter().filter(shares).collect();
    is_little(own, at, &theirs) || is_of_time(own, at, &theirs) || joins(own, at, &theirs)
}

/// Whether a word is a *should* of what is told to be done, a *rather than* of what is passed over, or stands for a noun.
fn is_little(own: &Sentence<'_>, at: usize, theirs: &[&Quote<'_>]) -> bool {
    match own.tokens[at].lower.as_str() {
        "should" | "must" | "need" | "needs" | "ought" => {
            !own.tokens.iter().any(is_negation) && theirs.iter().any(|quote| tells_to(own, quote))
        }
        // `The one with the walnuts`.
        "one" | "ones" => {
            let before = at.checked_sub(1).and_then(|before| own.tokens.get(before));
            before.is_some_and(|t| ["the", "this", "that", "these", "those", "which"].contains(&t.lower.as_str()))
        }
        "instead" | "rather" | "than" => passes_over(own.tokens, at, theirs),
        _ => false,
    }
}

/// Whether a quote tells to do what a verb of the sentence says.
fn tells_to(own: &Sentence<'_>, quote: &Quote<'_>) -> bool {
    let is_own =
        |verb: &Token| (0..own.tokens.len()).any(|at| own.tokens[at].stem == verb.stem && own.reading().is_verb(at));
    quote.places(|verb| verb.kind == Kind::Word && is_own(verb)).any(|there| is_told(quote, there))
}

/// Whether a word only says when, as the notes do by their tense: *will* of a day to come, *still* of what is open.
fn is_of_time(own: &Sentence<'_>, at: usize, theirs: &[&Quote<'_>]) -> bool {
    let token = &own.tokens[at];
    let leads_to = || own.tokens.get(at + 1).is_some_and(|t| t.lower == "to");
    let timeless = |quote: &Quote<'_>| !quote.tokens.iter().any(is_time);
    match token.lower.as_str() {
        "will" => theirs.iter().any(|quote| is_to_come(quote)),
        "going" | "due" | "set" | "scheduled" if leads_to() => theirs.iter().any(|quote| is_to_come(quote)),
        "still" => theirs.iter().any(|quote| is_open(quote)),
        "currently" | "presently" | "now" => theirs.iter().any(|quote| !tells_of_past(quote) && timeless(quote)),
        "already" => theirs.iter().any(|quote| tells_of_past(quote) && timeless(quote)),
        // `The fever began on 10 February` of `fever since 10 February`.
        _ if ["begin", "start"].contains(&token.stem.as_str()) && own.tokens.iter().any(is_date) => {
            theirs.iter().any(|quote| quote.tokens.iter().any(|t| t.lower == "since"))
        }
        _ => false,
    }
}

/// Whether a word only joins what the notes put side by side, or does what they say by a verb.
fn joins(own: &Sentence<'_>, at: usize, theirs: &[&Quote<'_>]) -> bool {
    let token = &own.tokens[at];
    let stem = token.stem.as_str();
    let is_lent = || token.kind == Kind::Word && theirs.iter().any(|quote| labels::lends(own, at, quote));
    let is_done = || DOING.contains(&stem) && theirs.iter().any(|quote| is_done_there(own, at, quote));
    let is_described = || own.reading().is_tagged(at + 1, &[Upos::Adj]);
    let is_linking =
        (LINKING.contains(stem) && measures_so(own.tokens, at)) || (BECOMING.contains(&stem) && is_described());
    let is_bare = || theirs.iter().any(|quote| puts_side_by_side(quote, own.tokens));
    is_lent() || is_done() || (is_linking && own.reading().is_verb(at) && is_bare())
}

/// Whether a noun of the sentence, beside a verb that only does it, is a verb in a quote: `the translation was done by Nina` of
/// `Nina translated it`.
fn is_done_there(own: &Sentence<'_>, at: usize, quote: &Quote<'_>) -> bool {
    let mine = own.reading();
    let is_verb = |stem: &str| quote.places(|t| t.stem == stem).any(|there| quote.reading().is_verb(there));
    let is_deed = |noun: usize| mine.is_tagged(noun, &[Upos::Noun]) && is_verb(&own.tokens[noun].stem);
    let verb = if own.tokens[at].stem == "plac" { at.saturating_sub(1) } else { at };
    mine.subject(verb).is_some_and(is_deed) || mine.of(verb).iter().any(|(_, part)| is_deed(*part))
}

/// Whether what stands behind a *rather than* or an *instead of* is denied or passed over there, too: `Postgres, not MySQL`.
fn passes_over(own: &[Token], at: usize, quotes: &[&Quote<'_>]) -> bool {
    let leads = |at: usize, words: [&str; 2]| {
        own.get(at..at + 2).is_some_and(|pair| pair.iter().zip(words).all(|(t, word)| t.lower == word))
    };
    let starts = [Some(at), at.checked_sub(1)];
    let start = starts.into_iter().flatten().find(|at| leads(*at, ["rather", "than"]) || leads(*at, ["instead", "of"]));
    let Some(word) = start.and_then(|start| own.iter().skip(start + 2).find(|t| t.says())) else { return false };
    let denies = |tokens: &[Token], there: usize| {
        let front = tokens.get(there.saturating_sub(4)..there).unwrap_or_default();
        let mut front = front.iter().rev().take_while(|t| !matches!(t.kind, Kind::Mark(_)));
        front.any(|t| is_negation(t) || ["instead", "rather"].contains(&t.lower.as_str()))
    };
    quotes.iter().any(|quote| quote.places(|t| t.stem == word.stem).any(|there| denies(quote.tokens, there)))
}

/// Whether a word tells when, or from when on.
fn is_time(token: &Token) -> bool {
    const WHEN: [&str; 8] = ["from", "until", "till", "since", "tomorrow", "next", "soon", "later"];
    is_date(token) || WEEKDAYS.contains(&token.lower.as_str()) || WHEN.contains(&token.lower.as_str())
}

fn is_date(token: &Token) -> bool {
    matches!(token.kind, Kind::Date(_))
}

/// Whether the amount behind a verb is one that it can tell: what weighs is no money.
fn measures_so(own: &[Token], at: usize) -> bool {
    let units: &[&str] = match own[at].stem.as_str() {
        "cost" => &["eur", "usd", "gbp", "jpy", "chf"],
        "weigh" => &["mg"],
        "measur" => &["mm", "mile"],
        "last" => &["ns", "month"],
        "tak" => return own.get(at + 1).is_some_and(|t| t.lower == "place") || is_long(own, at, &["ns", "month"]),
        _ => return true,
    };
    is_long(own, at, units)
}

/// Whether the next number behind a word has one of these units.
fn is_long(own: &[Token], at: usize, units: &[&str]) -> bool {
    let mut behind = own.iter().skip(at + 1).filter_map(|t| match t.kind {
        Kind::Number(number) => Some(number.unit),
        _ => None,
    });
    behind.next().flatten().is_some_and(|unit| units.contains(&unit))
}

/// Whether a quote tells of a day, and of nothing that was.
fn is_to_come(quote: &Quote<'_>) -> bool {
    let is_day = |t: &Token| is_date(t) || ["tomorrow", "next"].contains(&t.lower.as_str());
    quote.tokens.iter().any(is_day) && !tells_of_past(quote)
}

/// Whether a quote tells of what was.
fn tells_of_past(quote: &Quote<'_>) -> bool {
    let was = |t: &Token| is_past(&t.lower) || ["last", "since", "ago"].contains(&t.lower.as_str());
    quote.tokens.iter().any(was)
}

/// Whether a quote tells of what has not come about: by a denial, or as a task that is not done.
fn is_open(quote: &Quote<'_>) -> bool {
    quote.task.is_some_and(|state| state != TaskState::Done) || quote.tokens.iter().any(is_negation)
}

/// Whether no part of a quote that the sentence uses has a verb but *be*.
pub(super) fn puts_side_by_side(quote: &Quote<'_>, own: &[Token]) -> bool {
    const HELPS: [&str; 9] = ["has", "have", "had", "do", "does", "did", "will", "can", "may"];
    // Which cells of a row belong together is not told by it.
    if quote.is_row() {
        return false;
    }
    let theirs = quote.reading();
    let is_verb = |at: usize| theirs.is_verb(at) || HELPS.contains(&quote.tokens[at].lower.as_str());
    let is_used = |at: usize| quote.tokens[at].says() && own.iter().any(|t| t.stem == quote.tokens[at].stem);
    let places: Vec<usize> = (0..quote.tokens.len()).collect();
    let ends = |at: &usize| matches!(quote.tokens[*at].kind, Kind::Mark(',' | ':' | ';' | '.'));
    let used = places.split(ends).filter(|part| part.iter().any(|at| is_used(*at)));
    one_and_all(used, |part| !part.iter().any(|at| is_verb(*at)))
}

#[cfg(test)]
mod tests {
    use crate::support::tests::judged;

    #[test]
    fn what_short_notes_leave_out_may_be_said() {
        judged(&[
            ("Visa: 50 dollars << Kenya", "The visa costs 50 dollars.", "supported"),
            ("Visa: apply online, 50 dollars << Kenya", "The visa costs 50 dollars.", "supported"),
            ("Nina translated the chapters.", "The translation of the chapters was done by Nina.", "supported"),
            ("The logs are deleted after 30 days.", "Deletion of the logs takes place after 30 days.", "supported"),
            ("Arjun, Sky, Lea << Search rewrite / Team", "The team consists of Arjun, Sky and Lea.", "supported"),
            ("Chop the onions finely.", "The onions should be chopped.", "supported"),
            ("The rent goes up on 1 September.", "The rent will go up on 1 September.", "supported"),
            // Only where something is left out.
            ("Anna chopped the onions.", "The onions should be chopped.", "content"),
            ("The rent went up on 1 September.", "The rent will go up on 1 September.", "content"),
            ("The rent goes up.", "The rent will go up.", "content"),
            ("Anna found the visa, 50 dollars in it.", "Anna weighs 50 dollars.", "content"),
            ("Savings | 6,400 | 5,900 << January / February", "Savings stood at 6,400 in February.", "content"),
        ]);
    }
}
