//! A sentence in the words of the notes: for each phrase of it that they lack, the one of theirs that says the same.
//!
//! Every other rule compares words, so it needs to know nothing of synonyms. The one rule to know: **what is denied, and when
//! it was, stays.** A phrase that follows from theirs, and is not the same, stands for it only where nothing is denied and
//! nothing is said of all.

use memora_english::{FoundPhrase, Kinship, Paraphrase, Phrasebook};

use super::content::same_name;
use super::derived::in_their_numbers;
use super::ground::Ground;
use super::lexicon::NEGATIONS;
use super::likeness::Known;
use super::polarity::is_negation;
use super::resolved::in_their_days;
use super::stem::is_past;
use super::tokens::{Kind, Token};

/// The words of a sentence, and for those that the grounds lack the ones of theirs that say the same.
pub(super) fn in_their_words(mut own: Vec<Token>, grounds: &[&Ground]) -> Vec<Token> {
    passive(&mut own);
    let mut words = phrases(in_their_numbers(in_their_days(own, grounds), grounds), grounds);
    for token in words.iter_mut().filter(|t| t.is_content()) {
        match grounds.iter().flat_map(|ground| ground.all()).find(|theirs| same_name(theirs, token)) {
            // `Noel` is `Noël`.
            Some(theirs) if theirs.is_content() => token.stem.clone_from(&theirs.stem),
            None if token.kind == Kind::Word && !NEGATIONS.contains(&token.lower) => {
                if let Some(stem) = closest(&Known::new(token), Kinship::Kin, grounds) {
                    token.stem.clone_from(stem);
                }
            }
            _ => {}
        }
    }
    words
}

/// The stem of their word that is closest to one, if it is as close as that.
fn closest<'g>(known: &Known, at_least: Kinship, grounds: &[&'g Ground]) -> Option<&'g String> {
    let theirs = grounds.iter().flat_map(|ground| ground.known()).filter(|word| !NEGATIONS.contains(&word.lower));
    let close = theirs.filter_map(|word| Some((known.is_to(word)?, &word.stem)));
    close.filter(|(kin, _)| *kin <= at_least).min().map(|(_, stem)| stem)
}

/// `It got locked` is `it was locked`.
fn passive(words: &mut [Token]) {
    for at in 1..words.len() {
        let is_participle = is_past(&words[at].lower) || words[at].lower.ends_with("en");
        if is_participle && words[at - 1].stem == "get" {
            words[at - 1].kind = Kind::Function;
        }
    }
}

/// What stands in the place of a phrase.
struct Instead {
    places: Vec<usize>,
    words: Vec<Token>,
}

/// The sentence with their phrases in the place of those that they lack, the longest first.
fn phrases(own: Vec<Token>, grounds: &[&Ground]) -> Vec<Token> {
    let lacked: Vec<bool> = own.iter().map(|token| is_lacked(token, grounds)).collect();
    if !lacked.contains(&true) {
        return own;
    }
    let lacks = |at: &usize| lacked.get(*at).is_some_and(|lacked| *lacked);
    let mut found = phrases_in(&own);
    found.retain(|phrase| phrase.places.iter().any(lacks));
    found.sort_by_key(|phrase| std::cmp::Reverse(phrase.places.len()));
    let mut instead: Vec<Instead> = particle_verbs(&own, lacks, grounds);
    for phrase in found {
        let is_free = |at: &usize| !instead.iter().any(|other| other.places.contains(at));
        if phrase.places.iter().all(is_free)
            && let Some(words) = in_its_place(&own, &phrase, grounds)
        {
            instead.push(Instead { places: phrase.places, words });
        }
    }
    let mut words = Vec::with_capacity(own.len());
    for (at, token) in own.into_iter().enumerate() {
        match instead.iter_mut().find(|other| other.places.contains(&at)) {
            None => words.push(token),
            Some(other) if other.places.first() == Some(&at) => words.append(&mut other.words),
            Some(_) => {}
        }
    }
    words
}

/// The verbs with a particle that they lack, where a dictionary has a word of theirs that says the same: `switched over` of
/// `moved`.
fn particle_verbs(own: &[Token], lacks: impl Fn(&usize) -> bool, grounds: &[&Ground]) -> Vec<Instead> {
    let verb = |at: usize| {
        let [verb, particle] = [own.get(at)?, own.get(at + 1)?];
        if verb.kind != Kind::Word || !is_particle(&particle.lower) || !lacks(&(at + 1)) {
            return None;
        }
        // As the dictionary has it.
        let one = format!("{}_{}", verb.lower, particle.lower);
        let known = Known::new(&Token { lower: one.clone(), stem: one, ..verb.clone() });
        let stem = closest(&known, Kinship::Same, grounds)?.clone();
        let word = Token { stem, raw: format!("{} {}", verb.raw, particle.raw), ..verb.clone() };
        Some(Instead { places: vec![at, at + 1], words: vec![word] })
    };
    (0..own.len()).filter_map(verb).collect()
}

fn is_particle(word: &str) -> bool {
    matches!(word, "up" | "out" | "off" | "over" | "down" | "away" | "back" | "along" | "around" | "aside")
}

/// Whether a word says something that the notes don't say in that word.
fn is_lacked(token: &Token, grounds: &[&Ground]) -> bool {
    let asks = token.says() || is_negation(token);
    asks && !grounds.iter().any(|ground| ground.names(token))
}

/// The words of theirs that say what a phrase does; none for one that says nothing. The closest relation first.
fn in_its_place(own: &[Token], phrase: &FoundPhrase, grounds: &[&Ground]) -> Option<Vec<Token>> {
    let book = Phrasebook::embedded();
    let theirs = grounds.iter().flat_map(|ground| ground.phrased());
    let theirs = theirs.flat_map(|(words, phrases)| phrases.iter().map(move |other| (words, other)));
    let related = theirs.filter_map(|(words, other)| Some((book.relation(other, phrase)?, words, other)));
    let close = related.filter(|(relation, words, other)| may_stand(own, phrase, words, other, *relation));
    let Some((_, words, other)) = close.min_by_key(|(relation, ..)| *relation) else {
        return book.says_nothing(phrase).then(Vec::new);
    };
    let raws: Vec<&str> = at(own, &phrase.places).map(|t| t.raw.as_str()).collect();
    let raw = raws.join(" ");
    Some(at(words, &other.places).map(|token| Token { raw: raw.clone(), ..token.clone() }).collect())
}

/// Whether a phrase of the sentence may be exchanged for one of theirs without saying more than they do.
fn may_stand(own: &[Token], mine: &FoundPhrase, words: &[Token], other: &FoundPhrase, relation: Paraphrase) -> bool {
    let inside = |tokens: &[Token], places: &[usize]| at(tokens, places).any(is_negation);
    let outside = |tokens: &[Token], places: &[usize]| {
        tokens.iter().enumerate().any(|(at, token)| !places.contains(&at) && is_negation(token))
    };
    let of_all = |tokens: &[Token]| tokens.iter().any(|t| OF_ALL.contains(&t.lower.as_str()));
    let turns = inside(own, &mine.places) != inside(words, &other.places);
    let is_denied = outside(own, &mine.places) || outside(words, &other.places);
    let first =
        |tokens: &[Token], places: &[usize]| at(tokens, places).next().map(|t| t.lower.clone()).unwrap_or_default();
    let then = is_present(&first(own, &mine.places)) && is_past(&first(words, &other.places));
    let is_loose = relation == Paraphrase::Implied;
    // Not to have to is not to be forbidden.
    let obliges = is_denied && at(own, &mine.places).chain(at(words, &other.places)).any(is_modal);
    // `apple juice` is no fruit.
    let joined = |tokens: &[Token], places: &[usize]| {
        let next = places.last().and_then(|at| tokens.get(at + 1)).filter(|t| t.kind == Kind::Word);
        next.map(|t| t.stem.clone())
    };
    let other_thing =
        is_loose && joined(words, &other.places).is_some_and(|next| joined(own, &mine.places) != Some(next));
    !then
        && !obliges
        && !other_thing
        && !(is_denied && (turns || is_loose))
        && !(is_loose && (of_all(own) || of_all(words)))
}

fn is_modal(token: &Token) -> bool {
    matches!(
        token.lower.as_str(),
        "must" | "have" | "has" | "need" | "needs" | "should" | "may" | "might" | "can" | "could" | "ought" | "allowed"
    )
}

const OF_ALL: [&str; 8] = ["all", "every", "each", "only", "most", "any", "whenever", "always"];

fn is_present(word: &str) -> bool {
    matches!(word, "is" | "are" | "am" | "has" | "does")
        || (word.ends_with('s') && !word.ends_with("ss") && word != "was")
}

fn at<'t>(tokens: &'t [Token], places: &'t [usize]) -> impl Iterator<Item = &'t Token> {
    places.iter().filter_map(|at| tokens.get(*at))
}

/// The phrases of the book in a sentence.
pub(super) fn phrases_in(tokens: &[Token]) -> Vec<FoundPhrase> {
    let words: Vec<String> = tokens.iter().map(spoken).collect();
    Phrasebook::embedded().found_in(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A word as a phrasebook has it: an ordinal as it is written.
fn spoken(token: &Token) -> String {
    let is_word = token.raw.chars().all(|c| c.is_alphabetic() || c == '\'');
    match token.kind {
        // A name is no word of the language, whatever it looks like.
        Kind::Name => token.raw.clone(),
        _ if is_word => token.raw.to_lowercase(),
        _ => token.lower.clone(),
    }
}
