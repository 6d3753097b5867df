//! A sentence told plainly, without a frame that only points at one of its words: `Anna won` of `Anna is the one who won`,
//! `you asked Mei` of `it was Mei whom you asked`.
//!
//! The one rule to know: **a frame is taken away only where nothing else stands in it**, no *not* and no *only*.

use memora_english::Reader;

use super::ground::Ground;
use super::lexicon::BE;
use super::stem::is_past;
use super::tokens::{Kind, Token};

/// The words of a sentence, told plainly.
pub(super) fn told(own: &[Token], grounds: &[&Ground]) -> Vec<Token> {
    let own = pointed_at(own).or_else(|| ended_up(own)).unwrap_or_else(|| own.to_vec());
    to_be_done(own, grounds)
}

/// `Anna won the cup` of `Anna is the one who won the cup` and of `the one who won the cup was Anna`, `you asked Mei` of `it
/// was Mei whom you asked`.
fn pointed_at(own: &[Token]) -> Option<Vec<Token>> {
    let be = own.iter().position(|t| BE.contains(&t.lower.as_str()))?;
    let (front, behind) = (own.get(..be)?, own.get(be + 1..)?);
    let is_it = matches!(front, [it] if it.lower == "it");
    if is_it {
        // `It was Anna who won` is read well as it is.
        let whom = behind.iter().position(is_relative)?;
        let (one, clause) = (behind.get(..whom)?, behind.get(whom + 1..)?);
        return is_one(one).then(|| done_to(one, clause))?;
    }
    if let Some(clause) = of_the_one(behind) {
        return is_one(front).then(|| with(front, clause))?;
    }
    let clause = of_the_one(own)?;
    let be = clause.iter().rposition(|t| BE.contains(&t.lower.as_str()))?;
    let one = clause.get(be + 1..)?.split(is_end).next()?;
    is_one(one).then(|| with(one, clause.get(..be)?))?
}

/// What is told of *the one who*.
fn of_the_one(words: &[Token]) -> Option<&[Token]> {
    match words {
        [the, one, who, clause @ ..] => {
            let is_frame = the.lower == "the" && ["one", "ones"].contains(&one.lower.as_str()) && is_relative(who);
            is_frame.then_some(clause)
        }
        _ => None,
    }
}

/// A clause told of somebody whom it leaves out: its subject where it begins with a verb, else whom it is done to.
fn with(one: &[Token], clause: &[Token]) -> Option<Vec<Token>> {
    const HELPING: [&str; 8] = ["has", "have", "had", "did", "does", "do", "will", "can"];
    let helps = |t: &Token| BE.contains(&t.lower.as_str()) || HELPING.contains(&t.lower.as_str());
    if clause.first().is_some_and(|first| helps(first) || may_be_verb(first)) {
        return Some([one, clause].concat());
    }
    done_to(one, clause)
}

/// `You asked Mei to wait` of *Mei* and `you asked to wait`.
fn done_to(one: &[Token], clause: &[Token]) -> Option<Vec<Token>> {
    const SUBJECTS: [&str; 6] = ["i", "you", "he", "she", "we", "they"];
    let (subject, rest) = clause.split_first()?;
    let (verb, rest) = rest.split_first()?;
    let is_done_to = SUBJECTS.contains(&subject.lower.as_str()) && may_be_verb(verb);
    let may_follow = rest.first().is_none_or(|t| t.lower == "to" || is_end(t));
    (is_done_to && may_follow).then(|| [&[subject.clone(), verb.clone()], one, rest].concat())
}

fn may_be_verb(token: &Token) -> bool {
    token.kind == Kind::Word && (is_past(&token.lower) || Reader::embedded().may_be_verb(&token.lower))
}

/// Whether words only name somebody or something: nothing of them is a verb, denies or joins.
fn is_one(words: &[Token]) -> bool {
    const LONGEST: usize = 6;
    const PLAIN: [&str; 10] = ["the", "a", "an", "my", "your", "his", "her", "their", "our", "'s"];
    let is_named = |t: &Token| t.is_content() || PLAIN.contains(&t.lower.as_str());
    words.len() <= LONGEST && words.iter().any(Token::is_content) && words.iter().all(is_named)
}

fn is_relative(token: &Token) -> bool {
    ["who", "that", "whom", "which"].contains(&token.lower.as_str())
}

fn is_end(token: &Token) -> bool {
    matches!(token.kind, Kind::Mark(_))
}

/// `You played cards` of `you ended up playing cards`.
fn ended_up(own: &[Token]) -> Option<Vec<Token>> {
    let at = own.windows(3).position(|window| match window {
        [end, up, verb] => end.lower == "ended" && up.lower == "up" && verb.lower.ends_with("ing"),
        _ => false,
    })?;
    Some([own.get(..at)?, own.get(at + 2..)?].concat())
}

/// What is still to be done, in the words of a task: `You still have to return the drill` of `- [ ] Return the drill`, `Mia
/// should return it` of `- [ ] Mia: return it`.
fn to_be_done(own: Vec<Token>, grounds: &[&Ground]) -> Vec<Token> {
    const TO_BE: [&str; 10] = ["must", "need", "needs", "plan", "plans", "intend", "want", "should", "will", "has"];
    if !grounds.iter().any(|ground| ground.is_to_do()) {
        return own;
    }
    let is = |at: usize, list: &[&str]| own.get(at).is_some_and(|t| list.contains(&t.lower.as_str()));
    let is_owner = is(0, &["you", "i", "we"]);
    let is_name = |t: &&Token| t.kind == Kind::Name || t.raw.starts_with(char::is_uppercase);
    let names = if is_owner { 1 } else { own.iter().take_while(is_name).count() };
    let still = names + usize::from(is(names, &["still"]));
    let is_to_be = is(still, &TO_BE) || (is(still, &["is", "are"]) && is(still + 1, &["to"]));
    if names == 0 || !is_to_be {
        return own;
    }
    let behind = still + 1 + usize::from(is(still + 1, &["to"]));
    let kept = if is_owner { 0 } else { names };
    own.iter().take(kept).chain(own.iter().skip(behind)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use crate::support::tests::judged;

    #[test]
    fn a_frame_that_points_at_a_word_says_nothing_more() {
        judged(&[
            ("Anna won the cup.", "Anna is the one who won the cup.", "supported"),
            ("Anna won the cup.", "The one who won the cup was Anna.", "supported"),
            ("Anna won the cup.", "It was Anna who won the cup.", "supported"),
            ("Asked Mei to hold the payment.", "It was Mei whom you asked to hold the payment.", "supported"),
            ("Played cards with Ben.", "You ended up playing cards with Ben.", "supported"),
            ("Ben won the cup, Anna the race.", "Anna is the one who won the cup.", "roles"),
            ("Anna thanked Ben.", "Ben is the one who thanked Anna.", "roles"),
            ("Anna did not win the cup.", "Anna is the one who won the cup.", "negation"),
        ]);
    }
}
