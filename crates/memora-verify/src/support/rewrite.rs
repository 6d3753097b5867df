//! A sentence in the words of the notes: for each phrase of it that they lack, the one of theirs that says the same.
//!
//! Every other rule compares words, so it needs to know nothing of synonyms. The one rule to know: **what is denied, and when
//! it was, stays.** A phrase that follows from theirs, and is not the same, stands for it only where nothing is denied and
//! nothing is said of all.

use memora_english::{FoundPhrase, Kinship, Paraphrase, Phrasebook};

use super::content::same_name;
use super::ground::{Ground, Phrased};
use super::lexicon::NEGATIONS;
use super::likeness::Known;
use super::polarity::is_negation;
use super::stem::is_past;
use super::tokens::{Kind, Token};

/// The words of a sentence, and for those that the grounds lack the ones of theirs that say the same.
pub(super) fn in_their_words(own: &[Token], grounds: &[&Ground]) -> Vec<Token> {
    let mut words = phrases(&passive(own), grounds);
    for name in words.iter_mut().filter(|t| t.is_content()) {
        // `Noel` is `Noël`.
        let theirs = grounds.iter().flat_map(|ground| ground.all()).find(|theirs| same_name(theirs, name));
        if let Some(theirs) = theirs.filter(|theirs| theirs.is_content()) {
            name.stem.clone_from(&theirs.stem);
        }
    }
    for token in words.iter_mut().filter(|t| t.kind == Kind::Word && !NEGATIONS.contains(&t.lower)) {
        if grounds.iter().any(|ground| ground.names(token)) {
            continue;
        }
        let known = Known::new(token);
        let theirs = grounds.iter().flat_map(|ground| ground.known()).filter(|word| !NEGATIONS.contains(&word.lower));
        let close = theirs.filter_map(|word| Some((known.is_to(word)?, &word.stem)));
        if let Some((_, stem)) = close.filter(|(kin, _)| *kin <= Kinship::Kin).min() {
            token.stem.clone_from(stem);
        }
    }
    words
}

/// `It got locked` is `it was locked`.
fn passive(own: &[Token]) -> Vec<Token> {
    let mut words = own.to_vec();
    for at in 1..words.len() {
        let is_participle = is_past(&words[at].lower) || words[at].lower.ends_with("en");
        if is_participle && words[at - 1].stem == "get" {
            words[at - 1].kind = Kind::Function;
        }
    }
    words
}

/// What stands in the place of a phrase.
struct Instead {
    places: Vec<usize>,
    words: Vec<Token>,
}

/// The sentence with their phrases in the place of those that they lack, the longest first.
fn phrases(own: &[Token], grounds: &[&Ground]) -> Vec<Token> {
    if !own.iter().any(|token| is_lacked(token, grounds)) {
        return own.to_vec();
    }
    let theirs: Vec<&Phrased> = grounds.iter().flat_map(|ground| ground.phrased()).collect();
    let lacks = |at: &usize| own.get(*at).is_some_and(|t| is_lacked(t, grounds));
    let mut found = Phrasebook::embedded().found_in(&spoken(own).iter().map(String::as_str).collect::<Vec<_>>());
    found.retain(|phrase| phrase.places.iter().any(lacks));
    found.sort_by_key(|phrase| std::cmp::Reverse(phrase.places.len()));
    let mut instead: Vec<Instead> = particle_verbs(own, grounds);
    for phrase in found {
        let is_free = |at: &usize| !instead.iter().any(|other| other.places.contains(at));
        if phrase.places.iter().all(is_free)
            && let Some(words) = in_its_place(own, &phrase, &theirs)
        {
            instead.push(Instead { places: phrase.places, words });
        }
    }
    let mut words = Vec::with_capacity(own.len());
    for (at, token) in own.iter().enumerate() {
        match instead.iter().find(|other| other.places.contains(&at)) {
            None => words.push(token.clone()),
            Some(other) if other.places.first() == Some(&at) => words.extend(other.words.iter().cloned()),
            Some(_) => {}
        }
    }
    words
}

/// The verbs with a particle that they lack, where a dictionary has a word of theirs that says the same: `switched over` of
/// `moved`.
fn particle_verbs(own: &[Token], grounds: &[&Ground]) -> Vec<Instead> {
    let verb = |at: usize| {
        let [verb, particle] = [own.get(at)?, own.get(at + 1)?];
        let is_one = verb.kind == Kind::Word && is_particle(&particle.lower) && is_lacked(particle, grounds);
        let known = Known::of(&format!("{}_{}", verb.lower, particle.lower)).filter(|_| is_one)?;
        let theirs = grounds.iter().flat_map(|ground| ground.known()).filter(|word| !NEGATIONS.contains(&word.lower));
        let close = theirs.filter_map(|word| Some((known.is_to(word)?, &word.stem)));
        let (_, stem) = close.filter(|(kin, _)| *kin <= Kinship::Same).min()?;
        let word = Token { stem: stem.clone(), raw: format!("{} {}", verb.raw, particle.raw), ..verb.clone() };
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
fn in_its_place(own: &[Token], phrase: &FoundPhrase, theirs: &[&Phrased]) -> Option<Vec<Token>> {
    let book = Phrasebook::embedded();
    let mut close: Vec<(Paraphrase, &Phrased, &FoundPhrase)> = Vec::new();
    for sentence in theirs {
        let related =
            sentence.phrases.iter().filter_map(|other| Some((book.relation(other, phrase)?, *sentence, other)));
        close.extend(
            related.filter(|(relation, sentence, other)| may_stand(own, phrase, &sentence.words, other, *relation)),
        );
    }
    let Some((_, sentence, other)) = close.into_iter().min_by_key(|(relation, ..)| *relation) else {
        return book.says_nothing(phrase).then(Vec::new);
    };
    let raws: Vec<&str> = at(own, &phrase.places).map(|t| t.raw.as_str()).collect();
    let raw = raws.join(" ");
    Some(at(&sentence.words, &other.places).map(|token| Token { raw: raw.clone(), ..token.clone() }).collect())
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

/// The words as a phrasebook has them: ordinals as they are written.
pub(super) fn spoken(tokens: &[Token]) -> Vec<String> {
    let word = |token: &Token| {
        let is_word = token.raw.chars().all(|c| c.is_alphabetic() || c == '\'');
        match token.kind {
            // A name is no word of the language, whatever it looks like.
            Kind::Name => token.raw.clone(),
            _ if is_word => token.raw.to_lowercase(),
            _ => token.lower.clone(),
        }
    };
    tokens.iter().map(word).collect()
}
