//! Names: whether each name of a sentence stands in what it cites.
//!
//! A name stands there in any inflection, spelling or derivation (`Kant`, `Kantian`), as its acronym, or under another
//! name of the same thing. The one rule to know: **what may be an ordinary word is no missing name**: the first word of a
//! sentence, titles, roles, languages, months.

use std::ops::Range;

use memora_nlp::WordSenses;

use crate::atom::is_letter;
use crate::lists::{
    FUNCTION, GENERIC_NAMES, GERMAN, MONTHS, NOTE_NOUNS, NUMERALS, ORDINALS, ORDINARY_ENDINGS, SAME_NAMES,
    WEEKDAY_HABITS, WEEKDAYS, find_unit,
};
use crate::premise::Premise;
use crate::text::Text;
use memora_nlp::language::Language;
use memora_nlp::token::{Token, TokenKind};

/// A name that no premise has, by the tokens of the sentence, with the name in its place where that is certain.
pub(crate) struct Missing {
    pub(crate) tokens: Range<usize>,
    pub(crate) found: Option<String>,
}

/// The names of a sentence that no premise has.
pub(crate) fn missing_names(sentence: &Text, premises: &[&Premise], language: Language) -> Vec<Missing> {
    let german = language == Language::German;
    let mut found: Vec<Missing> = Vec::new();
    for at in 0..sentence.tokens.len() {
        // Who wrote the notes is named by nobody in them: *Simon's note on TCP*. In another language than those that are read, a
        // sentence's first word may be any.
        let is_of_notes = || {
            let lower = |at: usize| sentence.tokens.get(at).map_or("", |t| t.lower.as_str());
            lower(at + 1) == "'s" && (at + 2..at + 5).any(|at| NOTE_NOUNS.contains(lower(at)))
        };
        let opens = language == Language::Other && sentence.tokens.get(at).is_some_and(|token| token.initial);
        if !is_name(sentence, at, german)
            || opens
            || is_of_notes()
            || sentence.tokens.get(at).is_none_or(|token| is_known(token, sentence, at, premises))
        {
            continue;
        }
        match found.last_mut().filter(|last| last.tokens.end == at) {
            Some(last) => last.tokens.end = at + 1,
            None => found.push(Missing { tokens: at..at + 1, found: None }),
        }
    }
    for missing in &mut found {
        missing.found = in_its_place(&missing.tokens, sentence, premises);
    }
    found.retain(|missing| !missing.found.as_deref().is_some_and(|other| abbreviates(other, sentence, missing)));
    if german {
        found.extend(other_surnames(sentence, premises));
    }
    found
}

/// Whether two to four capital letters in a name's place are letters of it, in order and the first its first: `FB`, `Facebook`.
fn abbreviates(short: &str, sentence: &Text, missing: &Missing) -> bool {
    let Some(name) = sentence.tokens.get(missing.tokens.start).filter(|_| missing.tokens.len() == 1) else {
        return false;
    };
    let letters = short.to_lowercase();
    let mut rest = name.lower.chars();
    (2..=4).contains(&short.len())
        && short.chars().all(char::is_uppercase)
        && name.lower.chars().next() == letters.chars().next()
        && letters.chars().all(|letter| rest.any(|other| other == letter))
}

/// The second of two capitalised words side by side in German text, `Steve Jobs`, where the notes have the first with another
/// behind it: two nouns seldom stand together without an article, so that the pair is a person's name.
fn other_surnames(sentence: &Text, premises: &[&Premise]) -> Vec<Missing> {
    let is_part = |text: &Text, at: usize| {
        text.tokens
            .get(at)
            .is_some_and(|t| t.kind == TokenKind::Word && t.capital && !GERMAN.contains(t.lower.as_str()))
    };
    let texts = || premises.iter().flat_map(|premise| premise.texts());
    let other = |at: usize| {
        let (first, last) = (sentence.tokens.get(at)?, sentence.tokens.get(at + 1)?);
        let stands = premises.iter().any(|premise| premise.stems.contains(&last.stem));
        if stands || !is_part(sentence, at) || !is_part(sentence, at + 1) || is_part(sentence, at + 2) {
            return None;
        }
        let found = texts().find_map(|text| {
            let mut pairs = (1..text.tokens.len()).filter(|at| is_part(text, at - 1) && is_part(text, *at));
            let behind = pairs.find(|at| text.tokens[at - 1].lower == first.lower)?;
            Some(text.slice(&text.tokens[behind].range).to_owned())
        })?;
        Some(Missing { tokens: at + 1..at + 2, found: Some(found) })
    };
    (0..sentence.tokens.len()).filter_map(other).collect()
}

/// Finds names with a letter, `Plan A`, that no premise has; one that has another letter has it instead.
pub(crate) fn missing_letters(sentence: &Text, premises: &[&Premise]) -> Vec<Missing> {
    let named = |text: &Text, at: usize| {
        let name = at.checked_sub(1).and_then(|before| text.tokens.get(before))?;
        is_letter(text, at).then(|| (name.stem.clone(), text.tokens[at].lower.clone()))
    };
    let texts = || premises.iter().flat_map(|premise| premise.texts());
    let of = |at: usize| {
        let (name, letter) = named(sentence, at)?;
        let letters =
            || texts().flat_map(|text| (0..text.tokens.len()).filter_map(move |at| Some((text, at, named(text, at)?))));
        // A letter that stands alone there names something of its own: a variable, a part.
        let stands_alone = |text: &Text| {
            let is_letter = |t: &Token| t.lower == letter && t.capital && t.kind == TokenKind::Word;
            text.tokens.iter().any(is_letter)
        };
        if letters().any(|(_, _, other)| other == (name.clone(), letter.clone()))
            || letter != "a" && letters().next().is_none() && texts().any(stands_alone)
        {
            return None;
        }
        let other = letters().find(|(_, _, other)| other.0 == name);
        let found = other.and_then(|(text, at, _)| {
            let range = text.tokens.get(at - 1)?.range.start..text.tokens.get(at)?.range.end;
            Some(text.slice(&range).to_owned())
        });
        Some(Missing { tokens: at - 1..at + 1, found })
    };
    (1..sentence.tokens.len()).filter_map(of).collect()
}

/// Whether a token names something in particular.
pub(crate) fn is_name(text: &Text, at: usize, german: bool) -> bool {
    let Some(token) = text.tokens.get(at) else { return false };
    let lower = token.lower.as_str();
    let known = |word: &str| {
        FUNCTION.contains(word)
            || GERMAN.contains(word)
            || GENERIC_NAMES.contains(word)
            || MONTHS.contains(word)
            || WEEKDAYS.contains(word)
            || WEEKDAY_HABITS.contains(word)
            || NUMERALS.contains(word)
            || ORDINALS.contains(word)
    };
    if token.kind != TokenKind::Word || text.is_fact.get(at) == Some(&true) || known(lower) || lower.chars().count() < 2
    {
        return false;
    }
    if token.glued
        && at > 0
        && (find_unit(lower).is_some() || text.tokens.get(at - 1).is_some_and(|t| t.kind == TokenKind::Numeral))
    {
        return false;
    }
    let written = text.slice(&token.range);
    let inner = written.chars().skip(1).any(|c| c.is_uppercase() || c == '_' || c.is_ascii_digit());
    if inner || !token.capital {
        return inner;
    }
    // Every German noun has a capital.
    if german {
        return !WordSenses::look_up(lower).is_known()
            && text.tokens.get(at + 1).is_some_and(|next| next.lower == "'s");
    }
    let beside =
        text.tokens.get(at + 1).is_some_and(|next| next.capital && next.kind == TokenKind::Word && !known(&next.lower));
    !token.initial || (!WordSenses::look_up(lower).is_known() && (beside || is_unknown_word(lower)))
}

/// Whether nothing in English is spelled so, as far as anybody can tell from endings.
fn is_unknown_word(lower: &str) -> bool {
    !ORDINARY_ENDINGS.iter().any(|ending| lower.ends_with(ending))
        && !WordSenses::look_up(&memora_nlp::stem::stem(lower)).is_known()
}

/// A word without accents, for names that are written with and without.
pub(crate) fn folded(word: &str) -> String {
    let plain = |c: char| match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'è'..='ë' | 'ē' | 'ę' | 'ě' => 'e',
        'ì'..='ï' | 'ī' | 'ı' => 'i',
        'ñ' | 'ń' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => 'u',
        'ý' | 'ÿ' => 'y',
        'ł' => 'l',
        'ś' | 'š' | 'ş' => 's',
        'ź' | 'ż' | 'ž' => 'z',
        'đ' | 'ď' => 'd',
        'ř' => 'r',
        'ğ' => 'g',
        other => other,
    };
    word.chars().map(plain).collect()
}

fn is_known(token: &Token, sentence: &Text, at: usize, premises: &[&Premise]) -> bool {
    if premises.iter().any(|premise| premise.stems.contains(&token.stem)) {
        return true;
    }
    // The House of Lords is known by the Lords.
    let of = |at: usize| sentence.tokens.get(at).is_some_and(|t| t.lower == "of");
    if of(at + 1)
        && WordSenses::look_up(&token.lower).is_known()
        && sentence.tokens.get(at + 2).is_some_and(|next| premises.iter().any(|p| p.stems.contains(&next.stem)))
    {
        return true;
    }
    premises.iter().flat_map(|premise| premise.texts()).any(|text| stands_in(token, sentence, at, text))
}

/// Whether a text has a name of a sentence, in any spelling, as its acronym, or spelled out.
pub(crate) fn stands_in(token: &Token, sentence: &Text, at: usize, text: &Text) -> bool {
    let own = folded(&token.lower);
    let parts: Vec<&str> = own.split(['\'', '.']).filter(|part| part.chars().count() > 1).collect();
    let like = |other: &Token| {
        if other.kind != TokenKind::Word {
            return false;
        }
        let their = folded(&other.lower);
        // `Zoé` is not `Zoë`, but either may be written `Zoe`.
        let marked = |word: &str| !word.is_ascii();
        if own == their && marked(&token.lower) && marked(&other.lower) {
            return false;
        }
        is_like(&own, &their) || SAME_NAMES.contains(&(own.as_str(), their.as_str())) || parts.contains(&their.as_str())
    };
    text.tokens.iter().any(like)
        || is_acronym_of(&own, text)
        || expands(sentence, at, text)
        || is_joined_from(sentence.slice(&token.range), text)
}

/// Whether a name is written as one word whose parts the text has: `ThemeProvider` of *the provider of a theme*.
fn is_joined_from(written: &str, text: &Text) -> bool {
    let mut parts: Vec<String> = Vec::new();
    let mut was_lower = false;
    for c in written.chars() {
        match parts.last_mut().filter(|_| c.is_alphanumeric() && !(c.is_uppercase() && was_lower)) {
            Some(part) => part.extend(c.to_lowercase()),
            None => parts.push(c.to_lowercase().filter(|c| c.is_alphanumeric()).collect()),
        }
        was_lower = c.is_lowercase();
    }
    let parts: Vec<&String> = parts.iter().filter(|part| !part.is_empty()).collect();
    let has = |part: &&String| text.tokens.iter().any(|token| is_like(part, &folded(&token.lower)));
    parts.len() > 1 && parts.iter().all(|part| part.chars().count() > 1) && parts.iter().all(has)
}

/// Whether two spellings are of one name: one begins the other, or both begin alike; never if only letters are exchanged.
fn is_like(own: &str, their: &str) -> bool {
    let (short, long) = if own.len() < their.len() { (own, their) } else { (their, own) };
    let common = own.bytes().zip(their.bytes()).take_while(|(a, b)| a == b).count();
    let count = short.chars().count();
    short == long
        || long.strip_suffix('s') == Some(short)
        || long.strip_prefix(short).is_some_and(|rest| rest.starts_with('.'))
        || is_misspelled(short, long)
        || (count >= 3 && common >= short.len() && (count >= 4 || long.len() <= short.len() + 2))
        || (count >= 5
            && own.len() != their.len()
            && common + 2 >= short.len()
            && common >= 4
            && long.len() <= common + 5)
        || (count >= 4 && long.contains(short))
}

/// Whether one long name is another with a letter more, less or exchanged within: `Geshke`, `Geschke`. Its first and last letters stay.
fn is_misspelled(short: &str, long: &str) -> bool {
    let common = short.bytes().zip(long.bytes()).take_while(|(a, b)| a == b).count();
    let behind = short.bytes().rev().zip(long.bytes().rev()).take_while(|(a, b)| a == b).count();
    short.len() >= 6 && long.len() == short.len() + 1 && common > 0 && behind > 0 && common + behind >= short.len()
}

/// `GDR` of *German Democratic Republic*.
fn is_acronym_of(own: &str, text: &Text) -> bool {
    let letters: Vec<char> = own.chars().filter(|c| *c != '.').collect();
    if !(2..=6).contains(&letters.len()) {
        return false;
    }
    let words: Vec<Option<char>> = text
        .tokens
        .iter()
        .filter(|t| t.kind == TokenKind::Word && (!t.glued || t.capital))
        .map(|t| t.lower.chars().next())
        .collect();
    words.windows(letters.len()).any(|run| run.iter().zip(&letters).all(|(a, b)| *a == Some(*b)))
}

/// Whether a token is a word of what an acronym of the text is short for: *Likelihood Ratio* of `LR`.
fn expands(sentence: &Text, at: usize, text: &Text) -> bool {
    let first =
        |i: usize| sentence.tokens.get(i).filter(|t| t.kind == TokenKind::Word).and_then(|t| t.lower.chars().next());
    text.tokens.iter().filter(|t| t.kind == TokenKind::Word && (2..=5).contains(&t.lower.len())).any(|token| {
        let shouted = text.slice(&token.range).chars().all(|c| c.is_uppercase());
        let letters: Vec<char> = token.lower.chars().collect();
        let fits = |back: usize| {
            at.checked_sub(back)
                .is_some_and(|start| letters.iter().enumerate().all(|(i, c)| first(start + i) == Some(*c)))
        };
        shouted && (0..letters.len()).any(fits)
    })
}

/// The one name of a premise's clause that the sentence does not have, where the clause is otherwise the sentence's.
fn in_its_place(missing: &Range<usize>, sentence: &Text, premises: &[&Premise]) -> Option<String> {
    let content: Vec<&str> = sentence
        .tokens
        .iter()
        .enumerate()
        .filter(|(at, token)| token.is_content() && !missing.contains(at))
        .map(|(_, token)| token.stem.as_str())
        .collect();
    if content.len() < 2 {
        return None;
    }
    for premise in premises {
        for segment in premise.words.segments() {
            let part = premise.words.tokens.get(segment.clone()).unwrap_or_default();
            let shared = content.iter().filter(|stem| part.iter().any(|t| t.stem == **stem)).count();
            if shared * 5 < content.len() * 4 || shared < 3 {
                continue;
            }
            let mut names = segment.clone().filter(|at| is_name(&premise.words, *at, false));
            let absent = |at: &usize| {
                premise.words.tokens.get(*at).is_some_and(|t| !sentence.tokens.iter().any(|own| own.stem == t.stem))
            };
            let first = names.find(absent);
            if let (Some(first), None) = (first, names.find(|at| absent(at) && Some(at.wrapping_sub(1)) != first)) {
                return premise.words.tokens.get(first).map(|t| premise.words.slice(&t.range).to_owned());
            }
        }
    }
    None
}
