//! Who does what to whom, from where to where: whether parts have swapped places.

use super::lexicon::{BE, NEGATIONS, ROLES};
use super::tokens::{Kind, Token};
use super::{Reason, ReasonKind, reason};

/// Differences in role between a sentence and the sentences it rests on. The first `lead` tokens of `words` are other
/// names of its subject.
pub(crate) fn differences(words: &[Token], lead: usize, quotes: &[&[Token]]) -> Vec<Reason> {
    let own = words.get(lead..).unwrap_or_default();
    let mut reasons = Vec::new();
    reasons.extend(prepositions(own, quotes));
    for (at, pivot) in own.iter().enumerate() {
        if !is_pivot(pivot) {
            continue;
        }
        let mine = Frame::around(words, lead + at);
        let parts: Vec<Frame<'_>> = quotes.iter().flat_map(|quote| frames(quote, pivot)).collect();
        // A verb that several clauses share says only what one of them says.
        if !parts.is_empty() && !parts.iter().any(|theirs| mine.agrees(theirs)) {
            reasons.push(reason(ReasonKind::Roles, &pivot.raw));
        }
    }
    reasons.extend(clauses(own, quotes));
    reasons
}

/// A preposition must lead to a word that the same one leads to there, or that none does.
fn prepositions(own: &[Token], quotes: &[&[Token]]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let theirs: Vec<(usize, &Token)> = quotes.iter().flat_map(|quote| led(quote)).collect();
    for (role, word) in led(own) {
        let there: Vec<usize> = theirs.iter().filter(|(_, t)| same(t, word)).map(|(role, _)| *role).collect();
        if !there.is_empty() && !there.contains(&role) {
            reasons.push(reason(ReasonKind::Roles, &word.raw));
        }
    }
    reasons
}

/// The words that prepositions lead to, with the preposition's group.
fn led(tokens: &[Token]) -> Vec<(usize, &Token)> {
    let mut found = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let Some(role) = ROLES.iter().position(|group| group.contains(&token.lower.as_str())) else { continue };
        let word = tokens.iter().skip(i + 1).take(4).take_while(|t| !matches!(t.kind, Kind::Mark(_))).find(|t| says(t));
        found.extend(word.map(|word| (role, word)));
    }
    found
}

/// What stands before and behind a verb in its clause.
struct Frame<'t> {
    verb: &'t Token,
    before: Vec<&'t Token>,
    behind: Vec<&'t Token>,
    /// A form of `be` in front of the verb.
    passive: bool,
    /// `by` behind it, too.
    agent: bool,
}

impl<'t> Frame<'t> {
    fn around(tokens: &'t [Token], at: usize) -> Self {
        let ends = |t: &&Token| !is_break(t);
        let front = tokens.get(..at).unwrap_or_default();
        let back = tokens.get(at + 1..).unwrap_or_default();
        let passive = front.iter().rev().take(3).any(|t| BE.contains(&t.lower.as_str()));
        Self {
            verb: &tokens[at],
            before: front.iter().rev().take_while(ends).filter(|t| says(t)).collect(),
            behind: back.iter().take_while(ends).filter(|t| says(t)).collect(),
            passive,
            agent: passive && back.iter().take(4).any(|t| t.lower == "by"),
        }
    }

    /// Whether `self`, of the sentence, puts no one in another's place.
    fn agrees(&self, theirs: &Self) -> bool {
        let holds = |list: &[&Token], word: &Token| list.iter().any(|t| same(t, word));
        let went_behind = self.before.iter().filter(|w| !holds(&theirs.before, w) && holds(&theirs.behind, w)).count();
        let went_before = self.behind.iter().filter(|w| !holds(&theirs.behind, w) && holds(&theirs.before, w)).count();
        let swapped = went_behind > 0 && went_before > 0;
        if BE.contains(&self.verb.lower.as_str()) {
            // `Mia is the lead` and `the lead is Mia` say the same; `Mia is Tom's lead` and `Tom is Mia's lead` don't.
            let stayed = self.before.iter().filter(|w| holds(&theirs.before, w)).count()
                + self.behind.iter().filter(|w| holds(&theirs.behind, w)).count();
            return !(swapped && stayed > 0);
        }
        if self.agent != theirs.agent {
            // Leads and is led by: everyone must change places.
            let stayed = self.before.iter().any(|w| holds(&theirs.before, w))
                && self.behind.iter().any(|w| holds(&theirs.behind, w));
            if stayed {
                return false;
            }
        } else if swapped && self.passive == theirs.passive {
            return false;
        }
        // Whoever does it here must have a part in it there.
        let strangers = !theirs.before.is_empty()
            && !self.before.is_empty()
            && !self
                .before
                .iter()
                .any(|w| holds(&theirs.before, w) || (self.passive != theirs.passive && holds(&theirs.behind, w)));
        let brought = strangers && !theirs.before.iter().any(|w| holds(&self.behind, w));
        // What stands beside the verb here must stand in that clause, if it stands in any.
        !brought
    }
}

/// The frames of a verb in a sentence of the notes.
fn frames<'t>(quote: &'t [Token], pivot: &Token) -> Vec<Frame<'t>> {
    let is_be = BE.contains(&pivot.lower.as_str());
    let is_same = |t: &Token| if is_be { BE.contains(&t.lower.as_str()) } else { is_pivot(t) && t.stem == pivot.stem };
    quote.iter().enumerate().filter(|(_, t)| is_same(t)).map(|(at, _)| Frame::around(quote, at)).collect()
}

/// Where a verb stands in several clauses, or numbers and names do, the sentence's parts must come from the same one.
fn clauses(own: &[Token], quotes: &[&[Token]]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let said: Vec<&Token> = own.iter().filter(|t| says(t)).collect();
    let holds = |list: &[&Token], word: &Token| list.iter().any(|t| same(t, word));
    // A sentence of several clauses may draw on several; its own parts are then left to the frames.
    let coordinated = own.iter().any(|t| ["and", "but", "while", "whereas", "or"].contains(&t.lower.as_str()));
    let parts: Vec<Vec<&Token>> = quotes
        .iter()
        .flat_map(|quote| quote.split(is_clause_break))
        .map(|part| part.iter().filter(|t| says(t)).collect::<Vec<_>>())
        .filter(|part| !part.is_empty())
        .collect();
    if coordinated || parts.len() < 2 {
        return reasons;
    }
    for pivot in &said {
        let with: Vec<&Vec<&Token>> = parts.iter().filter(|part| holds(part, pivot)).collect();
        // What a clause begins with is its subject, and several may be told of one subject.
        let is_verb = pivot.kind == Kind::Word && with.iter().all(|part| part.first().is_some_and(|t| !same(t, pivot)));
        if is_verb && with.len() > 1 {
            let needed: Vec<&&Token> = said.iter().filter(|word| with.iter().any(|part| holds(part, word))).collect();
            if !with.iter().any(|part| needed.iter().all(|word| holds(part, word))) {
                reasons.push(reason(ReasonKind::Roles, &pivot.raw));
            }
        }
        let is_number = matches!(pivot.kind, Kind::Number(_));
        let others = parts.iter().filter(|part| part.iter().any(|t| matches!(t.kind, Kind::Number(_)))).count();
        if is_number && others > 1 {
            let fits = |part: &&Vec<&Token>| part.len() < 2 || part.iter().any(|t| !same(t, pivot) && holds(&said, t));
            if !with.is_empty() && !with.iter().any(fits) {
                reasons.push(reason(ReasonKind::Roles, &pivot.raw));
            }
        }
    }
    reasons
}

fn is_clause_break(token: &Token) -> bool {
    is_break(token) || ["and", "or"].contains(&token.lower.as_str()) || token.kind == Kind::Mark(',')
}

fn is_break(token: &Token) -> bool {
    matches!(token.kind, Kind::Mark(';' | '.' | '!' | '?' | '—'))
        || ["but", "while", "whereas", "because", "although"].contains(&token.lower.as_str())
}

fn is_pivot(token: &Token) -> bool {
    (token.kind == Kind::Word && !NEGATIONS.contains(&token.lower.as_str())) || BE.contains(&token.lower.as_str())
}

fn says(token: &Token) -> bool {
    !matches!(token.kind, Kind::Function | Kind::Mark(_))
}

fn same(a: &Token, b: &Token) -> bool {
    match (a.kind, b.kind) {
        (Kind::Number(x), Kind::Number(y)) => x.value == y.value,
        (Kind::Date(x), Kind::Date(y)) => x == y || (x.month == y.month && x.month.is_some()),
        _ => a.stem == b.stem,
    }
}
