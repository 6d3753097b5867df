//! What the notes take back in the same breath: `(cancelled)`, `, says Lea`, `Plan: …`, `ex-captain`, `June or July`.
//!
//! The one rule to know: **what stands in brackets behind a statement counts for it**, unless it only names, dates or
//! describes. In front of the verb it describes the word before, unless it limits that.

use super::ground::{Quote, stands_elsewhere};
use super::lexicon::{BE, HEDGES, Words};
use super::modality::written;
use super::polarity::is_negation;
use super::tokens::{Kind, Token};

/// What a quote takes back by, and the sentence leaves out.
pub(super) fn left_out(words: &[Token], quote: &Quote<'_>, quotes: &[Quote<'_>]) -> Option<String> {
    let tokens = quote.tokens;
    let has = |t: &Token| words.iter().any(|word| word.lower == t.lower || (t.says() && word.stem == t.stem));
    let used = |part: &[Token]| part.iter().filter(|t| t.says() && has(t)).count();
    if used(tokens) < 2.min(words.iter().filter(|t| t.says()).count()).max(1) {
        return None;
    }
    let is_remark = |remark: &&[Token]| used(remark) == 0 && remark.iter().any(|t| doubts(t) && !has(t));
    let bracket = brackets(tokens).into_iter().find_map(|place| bracket_left_out(tokens, place, has));
    bracket.or_else(|| remark(tokens).filter(is_remark)).map(written).or_else(|| elsewhere(words, tokens)).or_else(
        || {
            let planned = || label(tokens).and_then(|label| label.iter().find(|t| is_plan(t) && !has(t)));
            let one = planned().or_else(|| one_of_two(words, tokens)).or_else(|| other_kind(words, tokens));
            let one = one.or_else(|| limit(words, tokens)).or_else(|| another(words, quote, quotes));
            one.map(|token| token.raw.clone())
        },
    )
}

/// What a bracket takes back by, if that is left out and the sentence `has` the word that it stands behind.
fn bracket_left_out(tokens: &[Token], (start, end): (usize, usize), has: impl Fn(&Token) -> bool) -> Option<&[Token]> {
    let inside = tokens.get(start + 1..end).unwrap_or_default();
    let before = tokens.get(..start).unwrap_or_default().iter().rev().find(|t| t.says());
    let ends = tokens.get(end + 1).is_none_or(|t| matches!(t.kind, Kind::Mark('.' | ';' | '!')));
    let lacks = |is: fn(&Token) -> bool| inside.iter().any(|t| is(t) && !has(t));
    let takes_back = lacks(turns) || (ends && !only_names(inside) && lacks(Token::says));
    (before.is_none_or(&has) && takes_back).then_some(inside)
}

/// Whether a word takes back what it stands beside.
fn turns(token: &Token) -> bool {
    let is_hedge = || token.kind == Kind::Word && (HEDGES.contains(&token.lower) || HEDGES.contains(&token.stem));
    is_negation(token) || is_doubt(token) || LIMITING.contains(&token.lower) || is_hedge()
}

/// Whether a word leaves open whether it is so, or says that it is not so any more.
fn is_doubt(token: &Token) -> bool {
    DOUBTING.contains(&token.lower) || token.kind == Kind::Mark('?')
}

static DOUBTING: Words = Words::of(
    "
maybe perhaps allegedly supposedly reportedly apparently presumably hopefully cancelled canceled postponed planned
withdrawn unconfirmed tbc says said thinks think thought claims claimed heard hears believes believe guess fears
hopes crossed luck seems know
",
);

/// Words that limit what they stand beside, or say that it is not meant so.
static LIMITING: Words = Words::of(
    "
only except excluding apart bar besides unless if or formerly previously partly someday once until till tbd todo ex
deputy co rejected wrong false invalid void obsolete outdated expired broken untested pending draft rumour rumor
joke joking hoax dream theory plan idea wish hope proposal paper instead almost nearly say claim seem guesses right
sure
",
);

/// What stands in round or square brackets, the outermost: where they open and close.
fn brackets(tokens: &[Token]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Mark('(' | '[') => open.push(at),
            Kind::Mark(')' | ']') => {
                if let Some(start) = open.pop().filter(|_| open.is_empty()) {
                    found.push((start, at));
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a bracket only names, dates or describes: `(FDA)`, `(since 2023)`, `(our database)`, `(also called Max)`.
fn only_names(inside: &[Token]) -> bool {
    const LEADS: &[&str] =
        &["born", "called", "named", "also", "aka", "our", "my", "his", "her", "their", "the", "a", "an"];
    const AT: &[&str] = &["since", "in", "on", "at", "about", "ca", "of", "and", "see", "the"];
    let leads = inside.first().is_some_and(|t| LEADS.contains(&t.lower.as_str()));
    let is_range =
        inside.iter().any(|t| matches!(t.kind, Kind::Mark('-' | '–')) || ["from", "to"].contains(&t.lower.as_str()));
    let is_plain = |t: &Token| {
        matches!(t.kind, Kind::Name | Kind::Date(_) | Kind::Number(_) | Kind::Mark(_)) || AT.contains(&t.lower.as_str())
    };
    leads || (!is_range && inside.iter().all(is_plain))
}

/// A few words behind the last comma or dash: `, says Lea`.
fn remark(tokens: &[Token]) -> Option<&[Token]> {
    const LONGEST: usize = 5;
    let comma = tokens.iter().rposition(|t| matches!(t.kind, Kind::Mark(',' | '–' | '—')))?;
    let remark = tokens.get(comma + 1..).filter(|remark| remark.len() <= LONGEST)?;
    (!remark.first().is_some_and(|t| ["and", "but", "or"].contains(&t.lower.as_str()))).then_some(remark)
}

/// Whether a remark behind a statement with this word in it leaves open whether it is so.
fn doubts(token: &Token) -> bool {
    is_doubt(token) || matches!(token.lower.as_str(), "probably" | "possibly" | "assuming" | "provided")
}

/// What stands in front of a colon: `Plan B`.
fn label(tokens: &[Token]) -> Option<&[Token]> {
    let colon = tokens.iter().position(|t| t.kind == Kind::Mark(':'))?;
    tokens.get(..colon)
}

/// Whether a label says that what follows is not so yet, or may never be.
fn is_plan(token: &Token) -> bool {
    static PLANS: Words = Words::of(
        "goal plan plans option idea ideas target wish proposal hypothesis theory rumour rumor dream scenario alternative \
         offer estimate forecast guess draft",
    );
    PLANS.contains(&token.lower)
}

/// By which words it is said or so only there: `according to the breeder`, `far from finished`.
fn elsewhere(words: &[Token], tokens: &[Token]) -> Option<String> {
    const PHRASES: &[&[&str]] = &[
        &["with", "luck"],
        &["far", "from"],
        &["anything", "but"],
        &["every", "other"],
        &["yet", "to"],
        &["under", "the", "impression"],
        &["a", "chance"],
        &["chances", "are"],
        &["in", "theory"],
        &["on", "paper"],
        &["at", "best"],
        &["at", "the", "earliest"],
        &["best", "case"],
        &["as", "good", "as"],
        &["no", "more"],
        &["meant", "to"],
        &["i", "wish"],
    ];
    let first = tokens.first().filter(|t| t.lower == "according");
    if let Some(first) = first.filter(|_| !words.iter().any(|t| t.lower == "according")) {
        return Some(first.raw.clone());
    }
    let stands = |tokens: &[Token], phrase: &[&str]| {
        tokens.windows(phrase.len()).any(|window| window.iter().zip(phrase).all(|(t, word)| t.lower == **word))
    };
    let phrase = PHRASES.iter().find(|phrase| stands(tokens, phrase) && !stands(words, phrase))?;
    Some(phrase.join(" "))
}

/// The *or* of `in June or July`, where the sentence says in June.
fn one_of_two<'t>(words: &[Token], tokens: &'t [Token]) -> Option<&'t Token> {
    let has = |t: &Token| words.iter().any(|word| word.stem == t.stem);
    let is_fact = |t: &&Token| matches!(t.kind, Kind::Date(_) | Kind::Number(_) | Kind::Name);
    let is_or = |token: &Token| token.lower == "or";
    let denied = || words.iter().any(is_negation) || words.iter().any(is_or);
    let one_of_two = |at: usize| {
        let before = tokens.get(..at).unwrap_or_default().iter().rev().find(|t| t.says());
        let behind = tokens.get(at + 1..).unwrap_or_default().iter().find(|t| t.says());
        let both = before.filter(is_fact).zip(behind.filter(is_fact));
        both.is_some_and(|(before, behind)| has(before) != has(behind))
    };
    let found = (0..tokens.len()).find(|at| is_or(&tokens[*at]) && one_of_two(*at))?;
    tokens.get(found).filter(|_| !denied())
}

/// The *vice* of `vice captain`, the *ex* of `ex-captain`, the *sugar* of `sugar-free`.
fn other_kind<'t>(words: &[Token], tokens: &'t [Token]) -> Option<&'t Token> {
    static FRONT: Words = Words::of(
        "ex non anti pseudo quasi semi vice deputy acting assistant would designated self fake failed aspiring former \
         retired half",
    );
    let has = |word: &str| words.iter().any(|t| t.lower == word);
    let said = |at: usize| tokens.get(at).filter(|t| t.says() && words.iter().any(|word| word.stem == t.stem));
    let is_other = |at: &usize| {
        let at = *at;
        let word = tokens[at].lower.as_str();
        let hyphen = tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Mark('-'));
        let next = if hyphen { at + 2 } else { at + 1 };
        let free = || hyphen && tokens.get(at + 2).is_some_and(|t| ["free", "less"].contains(&t.lower.as_str()));
        (FRONT.contains(word) && !has(word) && said(next).is_some()) || (free() && said(at).is_some() && !has("free"))
    };
    (0..tokens.len()).find(is_other).and_then(|at| tokens.get(at))
}

/// The *only* of `on the train only at weekends`, where what it limits is left out with what it limits to.
fn limit<'t>(words: &[Token], tokens: &'t [Token]) -> Option<&'t Token> {
    const LIMITS: &[&str] = &["only", "except", "outside", "unless", "nowhere"];
    let has = |t: &Token| words.iter().any(|word| word.stem == t.stem);
    let is_left_out = |at: usize| {
        let behind = tokens.get(at + 1..).unwrap_or_default().iter();
        let clause = behind.take_while(|t| !matches!(t.kind, Kind::Mark(',' | ';' | ':' | '.')));
        let before = at.checked_sub(1).and_then(|at| tokens.get(at)).filter(|t| t.says());
        clause.filter(|t| t.says()).all(|t| !has(t)) && before.is_some_and(has)
    };
    let limits = |at: &usize| LIMITS.contains(&tokens[*at].lower.as_str()) && !has(&tokens[*at]);
    (0..tokens.len()).filter(limits).find(|at| is_left_out(*at)).and_then(|at| tokens.get(at))
}

/// The *Finn* of `Lea plays the violin and Finn the cello`, where the sentence has the cello: a part without a verb has its own
/// subject.
fn another<'t>(words: &[Token], quote: &Quote<'t>, quotes: &[Quote<'_>]) -> Option<&'t Token> {
    let tokens = quote.tokens;
    const LEADS: &[&str] = &["the", "a", "an", "in", "on", "at", "from", "to", "for", "by", "with", "his", "her", "no"];
    let has = |t: &Token| words.iter().any(|word| word.stem == t.stem && word.kind == t.kind);
    let reader = memora_english::Reader::embedded();
    let parts = |t: &Token| {
        matches!(t.kind, Kind::Mark(',' | ';' | '.')) || ["and", "while", "but"].contains(&t.lower.as_str())
    };
    let mut from = 0;
    tokens.split(parts).find_map(|part| {
        let start = from;
        from += part.len() + 1;
        let first = part.iter().position(Token::says).filter(|_| start > 0)?;
        let (subject, rest) = (&part[first], part.get(first + 1..).unwrap_or_default());
        let gapped =
            rest.first().is_some_and(|t| LEADS.contains(&t.lower.as_str()) || matches!(t.kind, Kind::Number(_)));
        let is_formed = |t: &Token| {
            t.kind == Kind::Word && reader.may_be_verb(&t.lower) && (t.lower.ends_with('s') || t.lower.ends_with("ed"))
        };
        // `Stuck on billing`: a verb in front leaves its subject to the notes.
        let is_verb = |(at, t): (usize, &Token)| is_formed(t) || (at == first && quote.reading().is_verb(start + at));
        let is_be = |t: &Token| BE.contains(&t.lower.as_str());
        let elsewhere = |t: &Token| {
            quote.places(|other| other.stem == t.stem).any(|at| !(start..start + part.len()).contains(&at))
                || stands_elsewhere(quotes, quote, t)
        };
        let is_others = gapped
            && !has(subject)
            && rest.iter().any(|t| t.says() && has(t) && !elsewhere(t))
            && !part.iter().any(|t| is_be(t) || HEDGES.contains(&t.lower))
            && !part.iter().enumerate().any(is_verb);
        is_others.then_some(subject)
    })
}
