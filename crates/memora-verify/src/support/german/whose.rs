//! Whose somebody is: *Annas Bruder*, *der Bruder von Anna* and *der Bruder Annas* are one, *Mama* is whoever writes calls so.
//!
//! The one rule to know: **only of what is nothing without whose it is**, such as a brother or a birthday. *Das Buch von Anna* may be hers, by
//! her, or had from her.

use super::phrase::Phrase;
use super::tokens::{Kind, Token};
use super::words::is_in;

/// Who or what is always somebody's.
const SOMEBODYS: &str = "
bruder schwester mutter vater mama papa oma opa tochter sohn mann frau tante onkel neffe nichte cousin cousine enkel enkelin
eltern grosseltern geschwister kinder freund freundin chef chefin nachbar nachbarin kollege kollegin geburtstag hochzeit
adresse telefonnummer handynummer schwiegermutter schwiegervater schwager schwägerin grossmutter grossvater
";

/// Whom a family calls so without an article.
const CALLED: &str = "mama papa oma opa mutter vater";

/// With a name behind it.
const TITLES: &str = "tante onkel oma opa";

/// Puts each owner behind what is theirs, in one form.
pub(super) fn with_owners(phrases: &mut Vec<Phrase>) {
    let mut at = 0;
    while at < phrases.len() {
        if let [before, owner, ..] = phrases.get_mut(at..).unwrap_or_default()
            && let Some(name) = named_behind(before, owner)
        {
            if let Some(words) = before.items.last_mut() {
                words.extend(name);
            }
            phrases.remove(at + 1);
            continue;
        }
        if let Some(phrase) = phrases.get_mut(at) {
            name_in_front(phrase);
            without_mine(phrase);
        }
        at += 1;
    }
}

/// `der Bruder von Anna`, `der Bruder Annas`: the name, marked as whose it is.
fn named_behind(before: &Phrase, owner: &Phrase) -> Option<[Token; 1]> {
    let somebodys = before.items.len() == 1 && before.words().last().is_some_and(|w| is_in(SOMEBODYS, &w.lower));
    let mut words = owner.words();
    let (name, alone) = (words.next()?, words.next().is_none());
    let is_name = alone && name.kind == Kind::Noun && !owner.led && owner.follows && owner.lead == "von";
    (somebodys && before.led && is_name).then(|| [of(name, &name.lower)])
}

/// `Annas Bruder`; behind the noun (`der Bruder Annas`) it is told only by its ending.
fn name_in_front(phrase: &mut Phrase) {
    let led = phrase.led;
    let [words] = phrase.items.as_mut_slice() else { return };
    let nouns = words.iter().all(|w| w.kind == Kind::Noun);
    if let ([name, what], true, false) = (words.as_mut_slice(), nouns, led) {
        if let Some(stem) = name.lower.strip_suffix('s').filter(|_| is_in(SOMEBODYS, &what.lower)) {
            let owner = of(name, stem);
            words.remove(0);
            words.push(owner);
            phrase.led = true;
        }
    } else if let ([.., what, name], true) = (words.as_mut_slice(), led) {
        let stem = name
            .lower
            .strip_suffix('s')
            .filter(|s| !s.ends_with('\'') && name.kind == Kind::Noun && is_in(SOMEBODYS, &what.lower));
        if let Some(owner) = stem.map(|stem| of(name, stem)) {
            *name = owner;
        }
    }
}

/// `Mama` is `meine Mama`; `die Mama` may be another's.
fn without_mine(phrase: &mut Phrase) {
    let [words] = phrase.items.as_mut_slice() else { return };
    match words.as_slice() {
        [mine, who] if is_in("mein dein", &mine.lower) && is_in(CALLED, &who.lower) => {
            words.remove(0);
        }
        [mine, who, name]
            if is_in("mein dein", &mine.lower) && is_in(TITLES, &who.lower) && name.kind == Kind::Noun =>
        {
            words.remove(0);
        }
        [who] if phrase.led && is_in(CALLED, &who.lower) => {
            let article = Token { lower: "die".to_owned(), kind: Kind::Word, ..who.clone() };
            words.insert(0, article);
        }
        _ => {}
    }
}

fn of(name: &Token, stem: &str) -> Token {
    Token { lower: format!("{stem}'s"), ..name.clone() }
}
