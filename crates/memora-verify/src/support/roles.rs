//! Who does what to whom, from where to where: whether parts have swapped places.

use memora_english::{Reader, Upos};

use super::ground::Quote;
use super::lexicon::{BE, NEGATIONS, PRONOUNS, ROLES, WEEKDAYS, leading};
use super::sentence::Sentence;
use super::stem::is_past;
use super::tokens::{Kind, Token};
use super::trees;
use super::{Reason, ReasonKind, reason};

/// Differences in role between a sentence and the sentences it rests on. The first `lead` tokens of `words` are other
/// names of its subject.
pub(crate) fn differences(words: &[Token], lead: usize, quotes: &[Quote<'_>], sentence: &Sentence<'_>) -> Vec<Reason> {
    let own = words.get(lead..).unwrap_or_default();
    let mut reasons = Vec::new();
    reasons.extend(prepositions(own, quotes));
    reasons.extend(companions(own, quotes));
    reasons.extend(predicate(own, quotes));
    for (at, pivot) in own.iter().enumerate() {
        // A word that English lacks is read as anything.
        let little = [Upos::Adv, Upos::Sconj, Upos::Adp, Upos::Cconj, Upos::Aux, Upos::Part];
        let is_foreign = || !Reader::embedded().is_word(&pivot.lower) && !sentence.reading().is_tagged(at, &little);
        let is_verb = pivot.kind != Kind::Word || sentence.reading().is_verb(at) || is_finite(own, at) || is_foreign();
        if !is_pivot(pivot) || is_noun(own, at) || !is_verb || trees::is_verb_theirs(sentence, at, quotes) {
            continue;
        }
        let mine = Frame::around(words, lead + at);
        let mut parts: Vec<Frame<'_>> = quotes.iter().flat_map(|quote| frames(*quote, pivot)).collect();
        // Of all that is said to be something, only what is said to be this.
        let is_this = |theirs: &Frame<'_>| {
            mine.behind.iter().any(|w| theirs.behind.iter().chain(&theirs.before).any(|t| same(t, w)))
        };
        if BE.contains(&pivot.lower.as_str()) && parts.iter().any(is_this) {
            parts.retain(is_this);
        }
        // A verb that several clauses share says only what one of them says.
        let agrees = parts.is_empty() || parts.iter().any(|theirs| mine.agrees(theirs));
        if !agrees || is_parted(&mine, quotes) {
            reasons.push(reason(ReasonKind::Roles, &pivot.raw));
        }
    }
    reasons.extend(clauses(own, quotes));
    reasons
}

/// A preposition must lead to a word that the same one leads to there, or that none does.
fn prepositions(own: &[Token], quotes: &[Quote<'_>]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let theirs: Vec<(usize, &Token)> = quotes.iter().flat_map(|quote| led(quote.tokens)).collect();
    for (role, word) in led(own) {
        let there: Vec<usize> = theirs.iter().filter(|(_, t)| same(t, word)).map(|(role, _)| *role).collect();
        // `More than me` is not more than Leo.
        let compares = ROLES.get(role).is_some_and(|group| group.contains(&"than"));
        let says_than = |quote: &Quote<'_>| quote.tokens.iter().any(|t| t.lower == "than");
        let is_other = compares && there.is_empty() && quotes.iter().any(says_than);
        if is_other || (!there.is_empty() && !there.contains(&role)) {
            reasons.push(reason(ReasonKind::Roles, &word.raw));
        }
    }
    reasons
}

/// A name behind a verb must be led there by a preposition that leads it there, too, or by none where none does: `lives in Karl`
/// isn't said by `lives in Bonn with Karl`, nor `introduced Otto to Nina` by `introduced Nina to Otto`.
fn companions(own: &[Token], quotes: &[Quote<'_>]) -> Vec<Reason> {
    const GIVING: [&str; 13] =
        ["giv", "send", "show", "tell", "teach", "offer", "lend", "bring", "writ", "pay", "hand", "pass", "get"];
    let gives = own.iter().any(|t| GIVING.contains(&t.stem.as_str()));
    let to = leading("to");
    let is_led_otherwise = |at: usize| {
        let mine = lead(own, at)?;
        let is_day = WEEKDAYS.contains(&own[at].lower.as_str());
        let is_it = |t: &Token| t.kind == Kind::Name && t.stem == own[at].stem;
        let mut theirs = quotes.iter().flat_map(|quote| {
            (0..quote.tokens.len()).filter(|i| is_it(&quote.tokens[*i])).map(|i| lead(quote.tokens, i))
        });
        let first = theirs.next()?;
        let differs = |theirs: Option<Option<usize>>| {
            // `Every second Thursday` has no preposition, wherever it stands.
            let is_bare = |theirs: Option<usize>| is_day && (theirs.is_none() || mine.is_none());
            theirs.is_some_and(|theirs| theirs != mine && !is_bare(theirs) && !(gives && [theirs, mine].contains(&to)))
        };
        (differs(first) && theirs.all(differs)).then(|| reason(ReasonKind::Roles, &own[at].raw))
    };
    let is_name = |t: &Token| {
        let is_written_so = t.raw.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        t.kind == Kind::Name && is_written_so
    };
    (0..own.len()).filter(|at| is_name(&own[*at])).filter_map(is_led_otherwise).collect()
}

/// What somebody is said to be, where the notes only have it behind a preposition: `Ulm is a county` isn't said by `Ulm is a
/// city in Alb County`.
fn predicate(own: &[Token], quotes: &[Quote<'_>]) -> Option<Reason> {
    let be = own.iter().position(|t| BE.contains(&t.lower.as_str()))?;
    let [article, described @ ..] = own.get(be + 1..)? else { return None };
    let length = described.iter().take_while(|t| t.is_content()).count();
    let noun = described.get(length.checked_sub(1)?).filter(|_| ["a", "an"].contains(&article.lower.as_str()))?;
    let led = |tokens: &[Token], at: usize| {
        let front = tokens.get(..at).unwrap_or_default().iter().rev().take(4);
        let mut words = front.take_while(|t| t.is_content() || t.kind == Kind::Function);
        words.find_map(|t| leading(&t.lower)).is_some_and(|group| Some(group) != leading("of"))
    };
    let mut theirs = quotes.iter().flat_map(|quote| {
        let is_it = |at: &usize| same(&quote.tokens[*at], noun);
        (0..quote.tokens.len()).filter(is_it).map(|at| led(quote.tokens, at))
    });
    (theirs.next()? && theirs.all(|led| led)).then(|| reason(ReasonKind::Roles, &noun.raw))
}

/// The group of what leads to a name behind a verb, `None` within for an object that nothing leads to; nothing for a name that
/// is a subject, belongs to a list or to another word.
fn lead(tokens: &[Token], at: usize) -> Option<Option<usize>> {
    let is_part = tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Word || t.kind == Kind::Name || t.lower == "'s");
    if is_part {
        return None;
    }
    for before in (0..at).rev().take(6) {
        let token = tokens.get(before)?;
        if let Some(group) = leading(&token.lower) {
            return Some(Some(group));
        }
        let joins = matches!(token.kind, Kind::Mark(_)) || ["and", "or"].contains(&token.lower.as_str());
        if joins || BE.contains(&token.lower.as_str()) {
            return None;
        }
        let is_verb = token.kind == Kind::Word && !is_noun(tokens, before) && is_finite(tokens, before);
        if is_verb {
            return Some(None);
        }
    }
    None
}

/// Whether a word is a verb by its form and by what stands before it: `singer Katy` has none.
fn is_finite(tokens: &[Token], at: usize) -> bool {
    const LEADS: [&str; 13] =
        ["to", "will", "can", "must", "should", "may", "might", "not", "i", "we", "you", "they", "who"];
    let Some(verb) = tokens.get(at) else { return false };
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let is_led = before.is_some_and(|t| LEADS.contains(&t.lower.as_str()));
    let is_name = |t: &Token| t.kind == Kind::Name || t.raw.starts_with(char::is_uppercase);
    let has_subject = before.is_none_or(|t| is_name(t) || t.kind == Kind::Function);
    let may_be = || Reader::embedded().may_be_verb(&verb.lower);
    // `Ana beat you`, `the sponsor charges 110 euros`.
    let next = tokens.get(at + 1);
    let is_followed = || next.is_some_and(|t| ["you", "me", "us", "him", "her", "them"].contains(&t.lower.as_str()));
    let is_object = |t: &Token| {
        matches!(t.kind, Kind::Number(_) | Kind::Name) || ["a", "an", "the", "my", "our"].contains(&t.lower.as_str())
    };
    let has_subject = has_subject || (before.is_some_and(Token::says) && next.is_some_and(is_object));
    is_past(&verb.lower)
        || ((is_led || is_followed()) && may_be())
        || (has_subject && verb.lower.ends_with('s') && may_be())
}

/// The words that prepositions lead to, with the preposition's group.
fn led(tokens: &[Token]) -> Vec<(usize, &Token)> {
    let mut found = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let Some(role) = ROLES.iter().position(|group| group.contains(&token.lower.as_str())) else { continue };
        let word =
            tokens.iter().skip(i + 1).take(4).take_while(|t| !matches!(t.kind, Kind::Mark(_))).find(|t| t.says());
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
    /// Whether a word that it is done to follows at once.
    object: bool,
    /// Of what stands before it, what can be its subject.
    subject: Vec<&'t Token>,
}

impl<'t> Frame<'t> {
    fn around(tokens: &'t [Token], at: usize) -> Self {
        let ends = |t: &&Token| !is_break(t);
        let front = tokens.get(..at).unwrap_or_default();
        // `Because Mia left, drift …`: the clause in front ends at its comma.
        let comma = front.iter().rposition(|t| matches!(t.kind, Kind::Mark(',' | ':')));
        let front = match comma.and_then(|comma| front.split_at_checked(comma)) {
            Some((led, rest)) if led.iter().any(|t| is_break(t) || ["if", "when"].contains(&t.lower.as_str())) => rest,
            _ => front,
        };
        let back = tokens.get(at + 1..).unwrap_or_default();
        let lead = front.iter().rposition(|t| is_break(t) || matches!(t.kind, Kind::Mark(',' | ':')));
        let subordinate = lead.is_some_and(|at| is_break(&front[at]) && !matches!(front[at].kind, Kind::Mark(_)));
        let comma = back.iter().position(|t| subordinate && matches!(t.kind, Kind::Mark(',' | ':')));
        let back = back.get(..comma.unwrap_or(back.len())).unwrap_or_default();
        let passive = front.iter().rev().take(3).any(|t| BE.contains(&t.lower.as_str()));
        Self {
            verb: &tokens[at],
            before: front.iter().rev().take_while(ends).filter(|t| t.says()).collect(),
            behind: back.iter().take_while(ends).filter(|t| t.says()).collect(),
            subject: subject(front),
            object: has_object(back),
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
            let named = !theirs.subject.is_empty() && !self.before.is_empty();
            let strangers = named && !self.before.iter().any(|w| holds(&theirs.subject, w) || holds(&theirs.behind, w));
            return stayed == 0 || !(swapped || strangers);
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
        // `Bruno was fired` of `Anna fired Bruno`, and not `Anna was fired`.
        let participle = ["ed", "en"].iter().any(|end| self.verb.lower.ends_with(end));
        let done_to = self.passive && !self.agent && !theirs.passive && participle;
        if done_to && self.before.iter().any(|w| holds(&theirs.subject, w)) {
            let behind = self.before.iter().any(|w| holds(&theirs.behind, w));
            if !behind && theirs.object {
                return false;
            }
        }
        // `Mirko lent 200 euros` is not said by `Lent Mirko 200 euros`.
        let is_doer = |w: &&&Token| w.is_content() && w.raw.starts_with(char::is_uppercase) && holds(&theirs.behind, w);
        let is_active = !self.passive && !theirs.passive;
        if theirs.before.is_empty() && is_active && self.before.first().filter(is_doer).is_some() {
            return false;
        }
        // Whoever does it here must have a part in it there.
        let takes_part =
            |w: &&Token| holds(&theirs.subject, w) || (self.passive != theirs.passive && holds(&theirs.behind, w));
        let strangers = !theirs.subject.is_empty() && !self.before.is_empty() && !self.before.iter().any(takes_part);
        !strangers || theirs.subject.iter().any(|w| holds(&self.behind, w))
    }
}

/// Whether one passage says what is done and only another names who does it.
fn is_parted(mine: &Frame<'_>, quotes: &[Quote<'_>]) -> bool {
    let is_be = BE.contains(&mine.verb.lower.as_str());
    let does = |quote: &&Quote<'_>| {
        let says = |word: &Token| quote.tokens.iter().any(|t| same(t, word));
        if is_be { !mine.behind.is_empty() && mine.behind.iter().all(|w| says(w)) } else { says(mine.verb) }
    };
    let names = |quote: &Quote<'_>| {
        let mut around = quote.tokens.iter().chain(quote.around());
        around.any(|t| mine.subject.iter().any(|w| same(t, w)))
    };
    let is_named = || quotes.iter().any(names);
    let mut doing = quotes.iter().filter(does).peekable();
    !mine.subject.is_empty() && doing.peek().is_some() && is_named() && !doing.any(names)
}

/// Whether what follows a verb is no complement that something leads to (`raised to 90 ms`), nor an amount.
fn has_object(back: &[Token]) -> bool {
    let next = back.iter().find(|t| !["a", "an", "the"].contains(&t.lower.as_str()));
    next.is_some_and(Token::is_content)
}

/// The words in front of a verb that can be its subject: back to an `and` or a comma, and over it only where it joins
/// names or single words (`costs and prices rose`).
fn subject(front: &[Token]) -> Vec<&Token> {
    let mut found: Vec<&Token> = Vec::new();
    let clause = front.rsplit(is_break).next().unwrap_or_default();
    for part in clause.rsplit(is_clause_break) {
        let said: Vec<&Token> = part.iter().filter(|t| t.says()).collect();
        let joins = said.len() < 2 || said.iter().all(|t| t.kind == Kind::Name);
        // `A relay, with its case, draws 4 watts`: what is put in does nothing.
        let is_put_in = part.first().is_some_and(|t| leading(&t.lower).is_some() || t.lower == "including");
        if is_put_in && found.is_empty() && part.len() < clause.len() {
            continue;
        }
        if found.is_empty() || joins {
            found.extend(said);
        } else {
            break;
        }
    }
    found
}

/// The frames of a verb in a sentence of the notes.
fn frames<'t>(quote: Quote<'t>, pivot: &Token) -> Vec<Frame<'t>> {
    let is_be = BE.contains(&pivot.lower.as_str());
    let is_same = |t: &Token| if is_be { BE.contains(&t.lower.as_str()) } else { is_pivot(t) && t.stem == pivot.stem };
    let frame = |at: usize| {
        let mut frame = Frame::around(quote.tokens, at);
        let stands_for = |t: &Token| PRONOUNS.contains(&t.lower.as_str());
        if frame.before.is_empty() && (at == 0 || quote.tokens.first().is_some_and(stands_for)) {
            // The words leave their subject to the place they stand in: `leads the team`, `it leads the team`.
            frame.before = quote.around().filter(|t| t.says()).collect();
            frame.subject.clone_from(&frame.before);
        }
        frame
    };
    let stands = |at: &usize| is_same(&quote.tokens[*at]) && !is_noun(quote.tokens, *at);
    (0..quote.tokens.len()).filter(stands).map(frame).collect()
}

/// Where a verb stands in several clauses, or numbers do, each clause of the sentence must come from one of them.
fn clauses(own: &[Token], quotes: &[Quote<'_>]) -> Vec<Reason> {
    // A row of a table is one part.
    let parts: Vec<Vec<&Token>> = quotes
        .iter()
        .filter(|quote| !quote.is_row())
        .flat_map(|quote| quote.tokens.split(is_clause_break))
        .map(|part| part.iter().filter(|t| t.says()).collect::<Vec<_>>())
        .filter(|part| !part.is_empty())
        .collect();
    if parts.len() < 2 {
        return Vec::new();
    }
    let is_joint = |t: &Token| is_break(t) || ["and", "or"].contains(&t.lower.as_str());
    own.split(is_joint).flat_map(|clause| mixed(clause, &parts).into_iter().chain(torn(clause, quotes))).collect()
}

/// The verbs and numbers of a clause that it takes from one part, with words that go with them in another.
fn mixed(clause: &[Token], parts: &[Vec<&Token>]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let said: Vec<&Token> = clause.iter().filter(|t| t.says()).collect();
    let holds = |list: &[&Token], word: &Token| list.iter().any(|t| same(t, word));
    for pivot in &said {
        let with: Vec<&Vec<&Token>> = parts.iter().filter(|part| holds(part, pivot)).collect();
        // What a clause begins with is its subject, and several may be told of one subject.
        let told = with.iter().filter(|part| part.first().is_some_and(|t| !same(t, pivot))).count();
        if pivot.kind == Kind::Word && told > 1 {
            let needed: Vec<&&Token> = said.iter().filter(|word| with.iter().any(|part| holds(part, word))).collect();
            if !with.iter().any(|part| needed.iter().all(|word| holds(part, word))) {
                reasons.push(reason(ReasonKind::Roles, &pivot.raw));
            }
        }
        let others = parts.iter().filter(|part| part.iter().any(|t| is_fact(t))).count();
        if is_fact(pivot) && said.len() > 1 && others > 1 && !with.is_empty() {
            let fits = |part: &&Vec<&Token>| part.len() < 2 || part.iter().any(|t| !same(t, pivot) && holds(&said, t));
            if !with.iter().any(fits) || is_anothers(pivot, &said, &with, parts) {
                reasons.push(reason(ReasonKind::Roles, &pivot.raw));
            }
        }
    }
    reasons
}

/// Whether a part with another number or day has all of the clause that those with this one have, and more: `Room 12 is cold` of
/// `Room 12 is warm. Room 14 is cold.`
fn is_anothers(pivot: &Token, said: &[&Token], with: &[&Vec<&Token>], parts: &[Vec<&Token>]) -> bool {
    let is_like = |t: &Token| match (t.kind, pivot.kind) {
        (Kind::Number(one), Kind::Number(other)) => one.unit == other.unit && one.value != other.value,
        (Kind::Date(_), Kind::Date(_)) => !same(t, pivot),
        _ => false,
    };
    let shares = |part: &[&Token], word: &Token| part.iter().any(|t| same(t, word));
    let others: Vec<&&Token> = said.iter().filter(|word| !same(word, pivot)).collect();
    let is_other = |part: &&Vec<&Token>| {
        part.iter().any(|t| is_like(t) && !said.iter().any(|word| same(word, t))) && !shares(part, pivot)
    };
    let has_more = |other: &Vec<&Token>| {
        with.iter().all(|part| {
            let of_part = |word: &&&Token| shares(part, word);
            others.iter().copied().filter(of_part).all(|word| shares(other, word))
                && others.iter().any(|word| shares(other, word) && !shares(part, word))
        })
    };
    parts.iter().filter(is_other).any(has_more)
}

/// A number or a name, which lists give to one thing each: `the laptop goes to Finn, the tablet to Mia`.
fn is_fact(token: &Token) -> bool {
    matches!(token.kind, Kind::Number(_) | Kind::Date(_) | Kind::Name)
}

/// The verbs of a clause whose company the notes give to several sentences, one part each.
fn torn(clause: &[Token], quotes: &[Quote<'_>]) -> Vec<Reason> {
    let said: Vec<&Token> = clause.iter().filter(|t| t.says()).collect();
    let middle = said.get(1..said.len().saturating_sub(1)).unwrap_or_default();
    let holds = |frame: &Frame<'_>, word: &Token| {
        frame.before.iter().chain(&frame.behind).chain([&frame.verb]).any(|t| same(t, word))
    };
    let mut reasons = Vec::new();
    for pivot in middle.iter().filter(|t| t.kind == Kind::Word) {
        let frames: Vec<Frame<'_>> = quotes.iter().flat_map(|quote| frames(*quote, pivot)).collect();
        let needed: Vec<&&Token> = said.iter().filter(|word| frames.iter().any(|frame| holds(frame, word))).collect();
        if frames.len() > 1 && !frames.iter().any(|frame| needed.iter().all(|word| holds(frame, word))) {
            reasons.push(reason(ReasonKind::Roles, &pivot.raw));
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

/// Whether the word at `at` stands where only a noun does: behind an article, a possessive or a preposition.
fn is_noun(tokens: &[Token], at: usize) -> bool {
    const LED_BY: &[&str] = &[
        "the", "a", "an", "this", "that", "these", "those", "its", "his", "her", "their", "our", "my", "your", "'s",
        "of", "in", "on", "at", "for", "with", "no", "every", "each", "from", "into",
    ];
    at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|t| LED_BY.contains(&t.lower.as_str()))
}

fn is_pivot(token: &Token) -> bool {
    const MODAL: [&str; 4] = ["must", "should", "will", "can"];
    if MODAL.contains(&token.lower.as_str()) {
        return false;
    }
    (token.kind == Kind::Word && !NEGATIONS.contains(&token.lower))
        || BE.contains(&token.lower.as_str())
        || matches!(token.kind, Kind::Mark('<' | '>' | '→' | '←' | '≤' | '≥'))
}

fn same(a: &Token, b: &Token) -> bool {
    match (a.kind, b.kind) {
        (Kind::Number(x), Kind::Number(y)) => x.value == y.value,
        (Kind::Date(x), Kind::Date(y)) => {
            let agree = |a: Option<u32>, b: Option<u32>| a.is_none() || b.is_none() || a == b;
            agree(x.day, y.day) && agree(x.month, y.month) && agree(x.year, y.year)
        }
        _ => a.stem == b.stem,
    }
}
