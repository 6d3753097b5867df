//! The parts of a German clause: its phrases, led by an article or a preposition, and the words that say what is so of them.
//!
//! No parser: every noun is capitalised and the words that lead to one are few. What is read wrongly is read so in both texts, and
//! then asked for word by word.

use super::super::tokens::Number;
use super::cases::{Cases, is_article, possessive};
use super::tokens::{Kind, Token};
use super::verbs::{Reading, Tense, readings};
use super::whose::with_owners;
use super::words::{
    ADVERBS, HEDGES, MODALS, NEGATIONS, NO_VERBS, PARTICLES, PRONOUNS, REMARKS, auxiliary, hidden_article, is_in,
    preposition,
};

/// Nouns that tell when.
const SPELLS: &str = "woche monat jahr tag abend morgen mittag nachmittag vormittag nacht wochenende frühjahr frühling sommer \
                      herbst winter quartal";

/// A noun with all that belongs to it, or several that *and* joins.
#[derive(Clone, Debug)]
pub(super) struct Phrase {
    /// The prepositions in front, in their plain form: `bis zu`; empty where there is none.
    pub(super) lead: String,
    pub(super) cases: Cases,
    /// What is joined, each its words without articles.
    pub(super) items: Vec<Vec<Token>>,
    /// Whether *und* joins them; else the second only explains the first.
    pub(super) joined: bool,
    /// Whether it stands before any verb.
    pub(super) front: bool,
    /// Whether it follows the phrase before with nothing between.
    pub(super) follows: bool,
    /// Whether an article or a word for whose it is stands in front.
    pub(super) led: bool,
}

impl Phrase {
    /// Its words, over all that is joined.
    pub(super) fn words(&self) -> impl Iterator<Item = &Token> {
        self.items.iter().flatten()
    }

    /// Whether it tells when, and nothing else.
    pub(super) fn is_time(&self) -> bool {
        let is_part = |t: &Token| is_in("anfang mitte ende jede", &t.lower);
        let is_date = self.words().any(Token::is_time) && self.words().all(|t| t.is_time() || is_part(t));
        is_date || self.is_spell()
    }

    /// `letzte Woche`, `am Abend`
    fn is_spell(&self) -> bool {
        const WHICH: &str = "letzt nächst vergang vorig dies folgend jed";
        let mut words = self.words();
        let is_which = |t: &Token| WHICH.split_ascii_whitespace().any(|w| t.lower.starts_with(w));
        match (words.next(), words.next(), words.next()) {
            (Some(which), Some(noun), None) if is_in(SPELLS, &noun.lower) => is_which(which) || which.is_time(),
            // `alle drei Monate`
            (Some(every), Some(Token { kind: Kind::Number(Number { unit: Some(_), .. }), .. }), None) => {
                every.lower == "alle"
            }
            (Some(noun), None, None) => !self.lead.is_empty() && is_in(SPELLS, &noun.lower),
            _ => false,
        }
    }
}

/// A word outside of phrases: a verb, an adverb, what something is said to be.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) token: Token,
    pub(super) readings: Vec<Reading>,
    /// The word of a phrase that follows at once, as far as this one may bear on it.
    pub(super) bears_on: String,
}

impl Said {
    pub(super) fn is_in(&self, list: &str) -> bool {
        is_in(list, &self.token.lower)
    }

    /// Whether it may be a verb.
    pub(super) fn is_verb(&self) -> bool {
        let is_known = auxiliary(&self.token.lower).is_some() || MODALS.contains(&self.token.lower);
        let is_other = NO_VERBS.contains(&self.token.lower)
            || ADVERBS.contains(&self.token.lower)
            || REMARKS.contains(&self.token.lower)
            || PARTICLES.contains(&self.token.lower);
        is_known || (!is_other && self.readings.iter().any(|r| r.tense != Tense::Plain))
    }

    pub(super) fn has(&self, tense: Tense) -> bool {
        self.readings.iter().any(|reading| reading.tense == tense)
    }
}

/// The parts of a clause, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    pub(super) phrases: Vec<Phrase>,
    pub(super) said: Vec<Said>,
    /// Whether *und* joins more than nouns.
    pub(super) is_parallel: bool,
}

/// Reads a clause. `verb_last` says that its verb is expected at the end.
pub(super) fn parts(tokens: &[Token], verb_last: bool) -> Parts {
    let mut found = Parts::default();
    let (mut at, mut last) = (0, None);
    let mut verb_seen = verb_last;
    while let Some(token) = tokens.get(at) {
        let word = token.lower.as_str();
        let joins = token.is_mark(',') || matches!(word, "und" | "oder" | "sowie" | "&");
        if joins {
            let joined = found.phrases.last_mut().filter(|_| last == Some(at)).and_then(|phrase| {
                let (next, end) = noun_phrase(tokens, at + 1, verb_seen, None)?;
                // `am 8. Juni, 45 Gläser`
                if token.is_mark(',') && phrase.is_time() != next.is_time() {
                    return None;
                }
                phrase.joined |= !token.is_mark(',');
                phrase.items.extend(next.items);
                Some(end)
            });
            if word == "oder" {
                found.said.push(said(token, tokens, at));
            }
            found.is_parallel |= joined.is_none() && word == "und" && !found.phrases.is_empty();
            at = joined.unwrap_or(at + 1);
            last = joined;
            continue;
        }
        let ends = tokens.get(at + 1).is_none_or(|t| matches!(t.kind, Kind::Mark(_)));
        let is_split_off = ends && word == "ein" && verb_seen;
        if let Some((mut phrase, end)) = phrase_at(tokens, at, verb_seen).filter(|_| !is_split_off) {
            phrase.front = !found.said.iter().any(Said::is_verb);
            phrase.follows = last == Some(at);
            // `das Handy auf den Tisch und den Schlüssel ins Auto`
            let before = found.phrases.last().filter(|p| phrase.follows && p.joined);
            found.is_parallel |= before.is_some_and(|before| !before.lead.is_empty() || phrase.lead.is_empty());
            found.phrases.push(phrase);
            at = end;
            last = Some(at);
            continue;
        }
        if !is_punctuation(token) {
            let word = said(token, tokens, at);
            verb_seen |= word.is_verb();
            found.said.push(word);
        }
        at += 1;
    }
    // `am 3. Mai in Rom, am 5. Mai in Paris`
    let repeats = found
        .phrases
        .iter()
        .enumerate()
        .any(|(at, p)| !p.lead.is_empty() && found.phrases.iter().skip(at + 1).any(|other| other.lead == p.lead));
    found.is_parallel |= repeats && tokens.iter().any(|t| t.is_mark(',') || t.lower == "und");
    split_verb(&mut found, tokens);
    with_owners(&mut found.phrases);
    found
}

/// Signs that divide words and say nothing.
fn is_punctuation(token: &Token) -> bool {
    matches!(token.kind, Kind::Mark(mark) if super::super::content::is_punctuation(mark))
}

fn said(token: &Token, tokens: &[Token], at: usize) -> Said {
    let rest = tokens.get(at + 1..).unwrap_or_default();
    let skips = |t: &&Token| is_article(&t.lower) || preposition(&t.lower).is_some();
    let bounds = |t: &Token| NEGATIONS.contains(&t.lower) || HEDGES.contains(&t.lower);
    let next = rest.iter().find(|t| !skips(t)).filter(|t| match t.kind {
        Kind::Word => bounds(t),
        kind => !matches!(kind, Kind::Mark(_)),
    });
    let bears_on = next.map(key).unwrap_or_default();
    let readings = if MODALS.contains(&token.lower) { modal(&token.lower) } else { readings(&token.lower) };
    Said { token: token.clone(), readings, bears_on }
}

/// A word for comparison: numbers and dates by what they are.
fn key(token: &Token) -> String {
    if token.is_fact() { format!("{:?}", token.kind) } else { token.lower.clone() }
}

/// `muss` and `müssen` are one, `musste` and `müsste` two others.
fn modal(word: &str) -> Vec<Reading> {
    const FORMS: [(&str, &str); 6] = [
        ("kann kannst können könnt", "könn"),
        ("muss musst müssen müsst", "müss"),
        ("soll sollst sollen sollt", "soll"),
        ("will willst wollen wollt", "woll"),
        ("darf darfst dürfen dürft", "dürf"),
        ("mag magst mögen", "mög"),
    ];
    let found = FORMS.iter().find(|(forms, _)| is_in(forms, word)).map(|(_, stem)| (*stem).to_owned());
    let past = || ["st", "en", "t"].iter().find_map(|end| word.strip_suffix(end)).filter(|w| w.ends_with("te"));
    let stem = found.unwrap_or_else(|| past().unwrap_or(word.strip_suffix('n').unwrap_or(word)).to_owned());
    vec![Reading { stem, tense: Tense::Plain }]
}

fn phrase_at(tokens: &[Token], at: usize, verb_seen: bool) -> Option<(Phrase, usize)> {
    let token = tokens.get(at)?;
    let is_lead = |t: &Token| t.kind == Kind::Word || t.initial;
    let Some(plain) = preposition(&token.lower).filter(|_| is_lead(token)) else {
        return noun_phrase(tokens, at, verb_seen, None);
    };
    // `bis zum Montag`, `von vor dem Umbau`
    let next = tokens.get(at + 1)?;
    if let Some(second) = preposition(&next.lower).filter(|_| next.kind == Kind::Word) {
        let (phrase, end) = noun_phrase(tokens, at + 2, true, hidden_article(&next.lower))?;
        return Some((Phrase { lead: format!("{plain} {second}"), ..phrase }, end));
    }
    let (phrase, end) = noun_phrase(tokens, at + 1, true, hidden_article(&token.lower))?;
    Some((Phrase { lead: plain.to_owned(), ..phrase }, end))
}

/// A phrase without its preposition. `bare` says that an adjective without an article may begin it; else that is a verb.
fn noun_phrase(tokens: &[Token], start: usize, bare: bool, hidden: Option<&str>) -> Option<(Phrase, usize)> {
    let first = tokens.get(start)?;
    let is_little = first.kind == Kind::Word || first.initial;
    let mut words: Vec<Token> = Vec::new();
    let mut cases = hidden.map_or(Cases::ANY, Cases::of_article);
    let mut at = start;
    let mut led = hidden.is_some();
    if is_little && is_article(&first.lower) {
        (cases, at, led) = (Cases::of_article(&first.lower), start + 1, true);
        // `dieses Jahr`: which one is said by it.
        let is_spell = tokens.get(at).is_some_and(|t| is_in(SPELLS, &t.lower));
        if first.lower.starts_with("dies") && is_spell {
            words.push(Token { kind: Kind::Word, ..first.clone() });
        }
    } else if is_little && (possessive(&first.lower).is_some() || is_kein(&first.lower) || is_whose(tokens, start)) {
        let stem =
            possessive(&first.lower).unwrap_or(if is_kein(&first.lower) { "kein" } else { first.lower.as_str() });
        words.push(Token { lower: stem.to_owned(), kind: Kind::Word, ..first.clone() });
        (cases, at, led) = (Cases::of_ending(&first.lower), start + 1, true);
    } else if let Some(plain) = quantifier(&first.lower).filter(|_| is_little) {
        words.push(Token { lower: plain, kind: Kind::Word, ..first.clone() });
        (cases, at, led) = (Cases::of_ending(&first.lower), start + 1, true);
    } else if is_little && PRONOUNS.contains(&first.lower) {
        return Some((
            phrase(vec![Token { kind: Kind::Word, ..first.clone() }], Cases::of_pronoun(&first.lower), true),
            start + 1,
        ));
    }
    let modifiers = modifiers(tokens, at, led || bare);
    let end = nouns(tokens, at + modifiers, !bare);
    if end == at + modifiers {
        // A number or an article may stand alone.
        let counts = modifiers > 0 && tokens.get(at..at + modifiers).is_some_and(|m| m.iter().any(Token::is_fact));
        if counts {
            words.extend(tokens.get(at..at + modifiers).unwrap_or_default().iter().cloned());
            return Some((phrase(words, cases, led), at + modifiers));
        }
        let alone = at > start && hidden.is_none();
        return alone.then(|| {
            let word = if words.is_empty() { vec![Token { kind: Kind::Word, ..first.clone() }] } else { words };
            (phrase(word, cases, led), at)
        });
    }
    let says = |t: &&Token| !matches!(t.kind, Kind::Mark(_)) && !is_article(&t.lower);
    words.extend(tokens.get(at..end).unwrap_or_default().iter().filter(says).cloned());
    // Whose it is: `das Auto der Nachbarin`.
    let is_agent = !led && start.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|t| t.lower == "von");
    // `von Lukas der Umgang`: nobody's.
    let genitive = tokens.get(end).filter(|t| t.kind == Kind::Word && is_genitive(&t.lower) && !is_agent);
    let Some((owner, end)) = genitive.and_then(|_| noun_phrase(tokens, end, true, None)) else {
        return Some((phrase(words, cases, led), end));
    };
    words.extend(owner.items.into_iter().flatten());
    Some((phrase(words, cases, led), end))
}

fn phrase(words: Vec<Token>, cases: Cases, led: bool) -> Phrase {
    Phrase { lead: String::new(), cases, items: vec![words], joined: false, front: false, follows: false, led }
}

fn is_kein(word: &str) -> bool {
    word.strip_prefix("kein").is_some_and(|end| matches!(end, "" | "e" | "en" | "em" | "er" | "es"))
}

/// The plain form of a word that says of how many it is so: `jeden` is `jede`.
fn quantifier(word: &str) -> Option<String> {
    const STEMS: &str = "jed all einig viel manch mehrer wenig beid sämtlich etlich solch";
    let stem = ["en", "em", "er", "es", "e"]
        .iter()
        .find_map(|end| word.strip_suffix(end).filter(|stem| is_in(STEMS, stem)))?;
    Some(format!("{stem}e"))
}

/// Whether `sein`, `ihr` says whose it is: a noun follows.
fn is_whose(tokens: &[Token], at: usize) -> bool {
    const TO_YOU: &str = "habt seid wart hattet werdet wurdet könnt konntet müsst musstet sollt wollt wolltet dürft";
    // `habt ihr Kirschen gepflückt`
    let is_subject = at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|t| is_in(TO_YOU, &t.lower));
    let is = tokens.get(at).is_some_and(|t| matches!(t.lower.as_str(), "sein" | "ihr")) && !is_subject;
    is && nouns(tokens, at + 1 + modifiers(tokens, at + 1, true), true) > at + 1
        && tokens.get(at + 1).is_some_and(|t| !t.is_fact())
}

/// Whether an article may say whose it is.
fn is_genitive(word: &str) -> bool {
    matches!(word, "des" | "der" | "eines" | "einer" | "dieses" | "dieser")
        || (possessive(word).is_some() && (word.ends_with("es") || word.ends_with("er")) && word.len() > 5)
}

/// How many words describe the noun that follows them: `drei rote`. None if no noun follows.
fn modifiers(tokens: &[Token], start: usize, words_too: bool) -> usize {
    // `zwei alte Fahrräder`: behind a number no verb follows.
    let counts = tokens.get(start).is_some_and(|t| matches!(t.kind, Kind::Number(Number { unit: None, .. })));
    let describes = |t: &&Token| match t.kind {
        Kind::Number(_) => true,
        Kind::Word => (words_too || counts) && may_describe(&t.lower),
        _ => false,
    };
    let count = tokens.iter().skip(start).take_while(describes).count();
    let facts = tokens.iter().skip(start).take_while(|t| matches!(t.kind, Kind::Number(_))).count();
    let has_noun =
        tokens.get(start + count).is_some_and(|t| matches!(t.kind, Kind::Noun | Kind::Date(_) | Kind::Weekday(_)));
    if has_noun && !tokens.get(start + count).is_some_and(|t| t.initial && count > 0) { count } else { facts }
}

/// Whether a lower-case word may describe a noun: by its ending, or a word that counts.
fn may_describe(word: &str) -> bool {
    let is_little = preposition(word).is_some()
        || auxiliary(word).is_some()
        || MODALS.contains(word)
        || PRONOUNS.contains(word)
        || is_article(word)
        || matches!(word, "und" | "oder" | "sowie" | "dass" | "sich")
        || ADVERBS.contains(word)
        || REMARKS.contains(word);
    let is_ordinal = word.ends_with('.');
    let counts = matches!(word, "viel" | "mehr" | "weniger" | "etwas" | "paar" | "genug") || is_ordinal;
    let is_focus =
        NEGATIONS.contains(word) || (HEDGES.contains(word) && NO_VERBS.contains(word) && !is_quantifier(word));
    counts || (!is_little && !is_focus && ["e", "en", "er", "es", "em"].iter().any(|end| word.ends_with(end)))
}

fn is_quantifier(word: &str) -> bool {
    is_in("alle allen aller alles einige einigen viele vielen manche mehrere mehreren wenige beide beiden", word)
}

/// Where the nouns that begin at `start` end; a number behind one belongs to it: `Raum 4`.
fn nouns(tokens: &[Token], start: usize, with_date: bool) -> usize {
    let mut end = start;
    while let Some(token) = tokens.get(end) {
        let is_noun = token.kind == Kind::Noun && !(token.initial && (is_little(&token.lower) || is_done(tokens, end)));
        let belongs = match token.kind {
            Kind::Number(Number { unit: None, .. }) => {
                end > start && !tokens.get(end + 1).is_some_and(|t| t.kind == Kind::Noun)
            }
            Kind::Number(_) => false,
            // `der Bericht 2019` in front of the verb; behind it, when it is so.
            Kind::Date(_) | Kind::Weekday(_) => end == start || with_date || ends_in_time(tokens, end),
            // What follows a date is another phrase: `seit 2021 Vorsitzende`.
            _ => is_noun && !(end > start && tokens.get(end - 1).is_some_and(Token::is_time)),
        };
        // `die Firma Ende 2022`
        let is_when =
            end > start && is_in("anfang mitte ende", &token.lower) && tokens.get(end + 1).is_some_and(Token::is_time);
        if !belongs || is_when {
            break;
        }
        end += 1;
    }
    // `Montag, den 3. Mai` is one day.
    let day = end.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|t| matches!(t.kind, Kind::Weekday(_)));
    let comma = usize::from(tokens.get(end).is_some_and(|t| t.is_mark(',')));
    let article = usize::from(tokens.get(end + comma).is_some_and(|t| matches!(t.lower.as_str(), "den" | "dem")));
    let is_date = tokens.get(end + comma + article).is_some_and(|t| matches!(t.kind, Kind::Date(_)));
    if end > start && day && is_date && comma + article > 0 { end + comma + article + 1 } else { end }
}

/// `Gefeiert haben wir am Montag`
fn is_done(tokens: &[Token], at: usize) -> bool {
    let helps = tokens.get(at + 1).is_some_and(|t| auxiliary(&t.lower).is_some());
    let done = |t: &Token| t.lower.contains("ge") && readings(&t.lower).iter().any(|r| r.tense == Tense::Participle);
    helps && tokens.get(at).is_some_and(|t| t.kind == Kind::Noun && done(t))
}

/// `Anfang Mai`, `Montag 14 Uhr`: what stands before a date belongs to it.
fn ends_in_time(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    before.is_some_and(|t| t.is_time() || is_in("anfang mitte ende frühjahr sommer herbst winter", &t.lower))
}

/// Whether a word that begins a sentence is no noun.
fn is_little(word: &str) -> bool {
    [&ADVERBS, &REMARKS, &HEDGES, &NEGATIONS, &NO_VERBS].iter().any(|list| list.contains(word))
        || auxiliary(word).is_some()
        || MODALS.contains(word)
        || preposition(word).is_some()
        || is_article(word)
        || matches!(word, "sich" | "dass" | "und" | "aber")
}

/// Puts what was split off a verb to the end of its clause in front of it again: `holt … ab` is `abholt`.
fn split_verb(parts: &mut Parts, tokens: &[Token]) {
    // Behind it a comma may follow: `nahm 612 Euro ein, das meiste mit Kuchen`.
    let ends = |at: usize| tokens.get(at + 1).is_none_or(|t| matches!(t.kind, Kind::Mark(_)));
    let is_last = |s: &Said| {
        tokens.iter().enumerate().rev().any(|(at, t)| *t == s.token && ends(at)) && PARTICLES.contains(&s.token.lower)
    };
    let Some(place) = parts.said.iter().rposition(is_last) else { return };
    let particle = parts.said[place].clone();
    let finite = |s: &Said| s.is_verb() && auxiliary(&s.token.lower).is_none() && !MODALS.contains(&s.token.lower);
    let Some(verb) = parts.said.iter_mut().find(|s| finite(s)) else { return };
    for reading in verb.readings.iter_mut().filter(|r| r.tense != Tense::Plain) {
        reading.stem = format!("{}{}", particle.token.lower, reading.stem);
    }
    verb.readings.retain(|r| r.tense != Tense::Plain);
    parts.said.remove(place);
}
