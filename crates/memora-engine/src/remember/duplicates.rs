//! When two memories say the same, by their words.
//!
//! Invariant: **what gives way leaves no word, number, name, negation or limit behind that what stays does not have.** Where the words
//! that deny are not known, in any language but English, any word may be one: there only the same words say the same.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use memora_nlp::WordSenses;
use memora_nlp::language_detection::is_english;
use memora_nlp::lexicon::{ARTICLES, FUNCTION, NEGATIONS, SUBJECT_PRONOUNS};
use memora_nlp::number::number_word_value;
use memora_nlp::stem::stem;

use crate::read::lists::{FRONTING_STEMS, JOINING_WORDS, LIMITING_PHRASES};
use crate::read::search::lowercase_words;

/// The share of words from which two memories are one, if their numbers, names and negations are equal.
const DUPLICATE_FROM: f64 = 0.7;
/// How many words two texts about the same thing have in common at least, and two in three of the shorter.
const SHARED_MIN: usize = 2;
/// The least content words by which a text is recognised within another.
const REPEATED_MIN: usize = 3;
/// The most texts that one is compared with.
const COMPARED_MAX: usize = 20;

/// What is compared of a sentence.
#[derive(Clone, Debug)]
pub(super) struct ComparedWords {
    /// All words, as they stand.
    words: Vec<String>,
    /// Whether the words that deny are known: the text is English beyond doubt.
    is_english: bool,
    /// Words that are written as names are.
    names: BTreeSet<String>,
    stems: BTreeSet<String>,
    /// The stems of its content words, as they stand: "tabs over spaces" is not "spaces over tabs".
    content: Vec<String>,
    /// The stems of all words but articles, as they stand.
    order: Vec<String>,
    /// Numbers, names, negations and what limits, which must be equal.
    fixed: BTreeSet<String>,
    /// The pronoun that it begins with: "I left" is not "Anna left". An agent's "the user" is "I".
    speaker: Option<String>,
    /// The same without names.
    limits: BTreeSet<String>,
    /// The number of words that join things.
    joined: usize,
}

impl ComparedWords {
    pub(super) fn new(text: &str) -> Self {
        let words = lowercase_words(text);
        let behind_first = || text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).skip(1);
        let capitals = behind_first().filter(|word| word.starts_with(char::is_uppercase));
        let mut fixed: BTreeSet<String> = capitals.map(str::to_lowercase).collect();
        let names = behind_first().filter(|word| is_titled(word)).map(str::to_lowercase).collect();
        fixed.remove("i");
        let denies = |word: &str| NEGATIONS.contains(word) || word == "without";
        let counts = |word: &str| word.contains(|c: char| c.is_ascii_digit()) || number_word_value(word).is_some();
        let mut limits: BTreeSet<String> = words.iter().filter(|word| counts(word) || denies(word)).cloned().collect();
        limits.extend(limiting_phrases(&words));
        fixed.extend(limits.iter().cloned());
        let begins = words.iter().find(|word| !ARTICLES.contains(word.as_str()));
        let speaker = begins.map(|word| if word == "user" { "i" } else { word.as_str() });
        let speaker = speaker.filter(|word| SUBJECT_PRONOUNS.contains(word)).map(str::to_owned);
        let content = words.iter().filter(|word| !FUNCTION.contains(word.as_str()) && !denies(word));
        let content: Vec<String> = content.map(|word| stem(word)).collect();
        let stems = content.iter().cloned().collect();
        let order = words.iter().filter(|word| !ARTICLES.contains(word.as_str())).map(|word| stem(word)).collect();
        let joined = words.iter().filter(|word| JOINING_WORDS.contains(word.as_str())).count();
        let is_english = is_surely_english(text, &words);
        Self { words, is_english, names, stems, content, order, fixed, limits, speaker, joined }
    }

    /// Whether both say the same but for words such as "the".
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let is_same_speaker = self.speaker == other.speaker || self.speaker.is_none() || other.speaker.is_none();
        let is_equal = self.fixed == other.fixed && self.content == other.content && self.differs_in_known(other);
        !self.content.is_empty() && is_same_speaker && is_equal
    }

    /// Whether both say nearly the same: one has all content words of the other in their order, and few more.
    pub(super) fn is_nearly(&self, other: &Self) -> bool {
        let (shared, all) = (self.stems.intersection(&other.stems).count(), self.stems.union(&other.stems).count());
        #[expect(clippy::cast_precision_loss, reason = "a memory has few words")]
        let share = shared as f64 / all.max(1) as f64;
        let has_all = is_subsequence(&self.content, &other.content) || is_subsequence(&other.content, &self.content);
        let is_same_speaker = self.speaker == other.speaker || self.is_same(other);
        self.fixed == other.fixed
            && is_same_speaker
            && share > DUPLICATE_FROM
            && has_all
            && self.differs_in_known(other)
    }

    /// Whether this joins more things than the other: "a peanut and tree nut allergy" says more than "a tree nut allergy".
    pub(super) fn joins_more(&self, other: &Self) -> bool {
        self.joined > other.joined
    }

    /// Whether both are about the same thing, whatever numbers they give it: most words of the shorter stand in the other.
    pub(super) fn is_about_same(&self, other: &Self) -> bool {
        let plain = |words: &Self| -> BTreeSet<String> {
            words.stems.iter().filter(|stem| !stem.contains(|c: char| c.is_ascii_digit())).cloned().collect()
        };
        let (one, other) = (plain(self), plain(other));
        let (shared, fewer) = (one.intersection(&other).count(), one.len().min(other.len()));
        shared >= SHARED_MIN && 3 * shared >= 2 * fewer
    }

    /// Whether this says again all that the other says, whatever else it says: the content words of the other stand in it in
    /// their order, with equal numbers, negations and limits.
    pub(super) fn repeats(&self, other: &Self) -> bool {
        other.content.len() >= REPEATED_MIN
            && self.limits == other.limits
            && is_subsequence(&other.content, &self.content)
            && self.differs_in_known(other)
    }

    /// Whether all words by which the two differ are known, and so deny nothing that is not looked at.
    fn differs_in_known(&self, other: &Self) -> bool {
        let more = |one: &'_ Self, other: &'_ Self| -> bool {
            let mut counts: HashMap<&str, usize> = HashMap::new();
            other.words.iter().for_each(|word| *counts.entry(word).or_default() += 1);
            one.words.iter().all(|word| match counts.get_mut(word.as_str()) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    true
                }
                _ => one.knows(word),
            })
        };
        self.words == other.words || self.is_english && other.is_english && more(self, other) && more(other, self)
    }

    /// Whether a word of this is known: an English word, a number, or a name.
    fn knows(&self, word: &str) -> bool {
        is_english_word(word) || word.contains(|c: char| c.is_ascii_digit()) || self.names.contains(word)
    }

    /// Whether no content word, number, name, negation or limit of any of the others is missing here, and none of these but known words is
    /// new.
    pub(super) fn keeps_all(&self, others: &[Self]) -> bool {
        let keeps = |other: &Self| self.fixed == other.fixed && other.stems.is_subset(&self.stems) && other.is_english;
        let is_said = |word: &String| others.iter().any(|other| other.words.contains(word));
        self.is_english && others.iter().all(keeps) && self.words.iter().all(|word| is_said(word) || self.knows(word))
    }

    /// Whether this is an order of a verb and nothing but the other's words: "use semicolons".
    pub(super) fn orders(&self, other: &Self) -> bool {
        let rest = self.content.split_first().map(|(_, rest)| rest);
        !other.content.is_empty() && self.fixed == other.fixed && rest == Some(other.content.as_slice())
    }

    /// Whether both are the same words in the same order but for a phrase of place, time or means, which stands at the end of
    /// one and at the beginning of the other: "tests run in Docker", "in Docker tests run".
    pub(super) fn is_fronted(&self, other: &Self) -> bool {
        let denies = |words: &Self| words.order.iter().any(|word| NEGATIONS.contains(word.as_str()));
        let fronts = |one: &Self, other: &Self| {
            let begins = (1..one.order.len()).filter(|at| FRONTING_STEMS.contains(&one.order[*at]));
            begins
                .map(|at| one.order.split_at(at))
                .any(|(rest, phrase)| phrase.len() > 1 && rest.len() > 1 && phrase.iter().chain(rest).eq(&other.order))
        };
        let is_reordered = fronts(self, other) || fronts(other, self);
        self.order.len() == other.order.len() && !denies(self) && is_reordered && self.differs_in_known(other)
    }

    /// Whether both have a content word in common.
    pub(super) fn shares_a_word(&self, other: &Self) -> bool {
        !self.stems.is_disjoint(&other.stems)
    }

    /// Whether a text bears on a task: two of the task's words stand in it, or all of them if it has fewer.
    pub(super) fn bears_on(&self, task: &Self) -> bool {
        self.stems.intersection(&task.stems).count() >= task.stems.len().clamp(1, 2)
    }

    /// Whether this says all that the other says: nearly the same words, and all of the other's in their order.
    fn absorbs(&self, other: &Self) -> bool {
        self.is_nearly(other) && is_subsequence(&other.order, &self.order)
    }
}

/// Whether a word begins with a capital and goes on in small letters: one in capitals may be stressed, as "NICHT" is.
fn is_titled(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase)
        && letters.clone().next().is_some()
        && !letters.any(char::is_uppercase)
}

/// Whether a text is English beyond doubt: it has a function word of English, most of its words are English, and nothing speaks against it.
fn is_surely_english(text: &str, words: &[String]) -> bool {
    let known = words.iter().filter(|word| is_english_word(word)).count();
    is_english(text) && known * 2 > words.len() && words.iter().any(|word| FUNCTION.contains(word.as_str()))
}

fn is_english_word(word: &str) -> bool {
    FUNCTION.contains(word)
        || ARTICLES.contains(word)
        || NEGATIONS.contains(word)
        || WordSenses::look_up(word).is_known()
}

fn is_subsequence(part: &[String], whole: &[String]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|word| whole.any(|said| said == word))
}

/// What denies, ends or limits in some words, of up to two words each: "hardly", "used to".
fn limiting_phrases(words: &[String]) -> impl Iterator<Item = String> {
    let pairs = words.windows(2).map(|pair| pair.join(" "));
    words.iter().cloned().chain(pairs).filter(|phrase| LIMITING_PHRASES.contains(phrase.as_str()))
}

/// A text of which another may say everything.
pub(super) struct AbsorbableText {
    /// Where it belongs: only texts of one group are compared.
    pub(super) group: String,
    pub(super) words: ComparedWords,
    /// What must not give way to less.
    pub(super) rank: u8,
}

/// Texts that give way to others, and what finding them took.
pub(super) struct Absorbed {
    /// Pairs of what goes and what stays.
    pub(super) pairs: Vec<(usize, usize)>,
    /// How many pairs were compared.
    pub(super) compared: usize,
}

/// What two texts must share to be compared: their group, what is fixed in them, and a stem.
type Posting<'t> = (&'t str, &'t BTreeSet<String>, &'t str);

/// Finds texts of which another of their group says everything, in nearly the same words and with at least the same rank. Of
/// equal ones the first stays. A text is compared with the one that has its words in their order, and
/// with the latest of those that have its rarest word; with a bounded number.
pub(super) fn find_absorbed(texts: &[AbsorbableText]) -> Absorbed {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for stem in texts.iter().flat_map(|text| &text.words.stems) {
        *counts.entry(stem).or_default() += 1;
    }
    // Who has more words, or a higher rank, is looked at first, and what stays is never taken away.
    let mut order: Vec<(usize, &AbsorbableText)> = texts.iter().enumerate().collect();
    order.sort_by_key(|(at, text)| (Reverse(text.words.stems.len()), Reverse(text.rank), *at));
    let mut staying: HashMap<Posting<'_>, Vec<(usize, &AbsorbableText)>> = HashMap::new();
    let mut repeated: HashMap<(&str, &[String]), (usize, &AbsorbableText)> = HashMap::new();
    let mut found = Absorbed { pairs: Vec::new(), compared: 0 };
    for (at, text) in order {
        let key = |stem| (text.group.as_str(), &text.words.fixed, stem);
        let rarest = text.words.stems.iter().map(String::as_str).min_by_key(|stem| counts.get(stem));
        let candidates = rarest.and_then(|stem| staying.get(&key(stem))).map(Vec::as_slice).unwrap_or_default();
        // The same words in the same order first: of many texts of one form, the others are as near.
        let same = (text.group.as_str(), text.words.order.as_slice());
        let mut into = None;
        for (other, candidate) in repeated.get(&same).into_iter().chain(candidates.iter().rev()).take(COMPARED_MAX) {
            found.compared += 1;
            if candidate.rank >= text.rank && candidate.words.absorbs(&text.words) {
                into = Some(*other);
                break;
            }
        }
        match into {
            Some(other) => found.pairs.push((at, other)),
            None => {
                repeated.insert(same, (at, text));
                for stem in &text.words.stems {
                    staying.entry(key(stem)).or_default().push((at, text));
                }
            }
        }
    }
    found.pairs.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_is_repeated_by_its_words_and_not_by_others() {
        let base = "The user prefers TypeScript with strict mode";
        for (text, nearly) in [
            ("User prefers TypeScript with strict mode enabled", true),
            ("The user prefers TypeScript without strict mode", false),
            ("The user does not prefer TypeScript with strict mode", false),
            ("The user prefers JavaScript with strict mode", false),
            ("The user formerly preferred TypeScript with strict mode", false),
            ("The user rarely prefers TypeScript with strict mode", false),
            ("The user hardly prefers TypeScript with strict mode", false),
            ("The user barely prefers TypeScript with strict mode", false),
            ("The user used to prefer TypeScript with strict mode", false),
            ("The user no longer prefers TypeScript with strict mode", false),
            ("The user sometimes prefers TypeScript with strict mode", false),
        ] {
            assert_eq!(ComparedWords::new(text).is_nearly(&ComparedWords::new(base)), nearly, "{text}");
        }
        let allergy = |to: &str| ComparedWords::new(&format!("The user has a severe {to} allergy"));
        assert!(allergy("peanut and tree nut").is_nearly(&allergy("tree nut")));
        assert!(allergy("peanut and tree nut").joins_more(&allergy("tree nut")));
        assert!(!allergy("tree nut").joins_more(&allergy("peanut and tree nut")));
        let port = |number: u16| ComparedWords::new(&format!("The staging API of drift listens on port {number}"));
        assert!(port(8080).is_same(&port(8080)) && !port(8080).is_nearly(&port(8081)));
    }

    #[test]
    fn a_text_is_repeated_within_another_unless_it_is_changed() {
        let known = ComparedWords::new("drift uses pino for structured logging");
        for (text, repeats) in [
            ("As Memora says, drift uses pino for its structured logging in production", true),
            ("drift no longer uses pino for structured logging", false),
            ("drift never uses pino for structured logging", false),
            ("drift uses pino 9 for structured logging", false),
            ("drift uses pino for the terminal", false),
        ] {
            assert_eq!(ComparedWords::new(text).repeats(&known), repeats, "{text}");
        }
        let short = ComparedWords::new("pino logs");
        assert!(!known.repeats(&short) && !short.repeats(&known), "two words are in many texts");
    }

    #[test]
    fn a_phrase_in_front_says_what_it_says_at_the_end() {
        for (one, other, same) in [
            ("Tests run with pytest in Docker", "In Docker tests run with pytest", true),
            ("Tests run with pytest in Docker.", "In Docker, the tests run with pytest.", true),
            ("Anna works at Acme", "At Acme Anna works", true),
            ("We deploy 3 times on Fridays", "On Fridays we deploy 3 times", true),
            ("We deploy 3 times on Fridays", "On Fridays we deploy 4 times", false),
            ("Tests run with pytest in Docker", "Docker runs in tests with pytest", false),
            ("We move from Jenkins to Buildkite", "To Buildkite we move from Jenkins", false),
            ("Tests never run in Docker", "In Docker tests never run", false),
            ("Anna likes Ben", "Ben likes Anna", false),
            ("in Docker", "Docker in", false),
        ] {
            let [one, other] = [one, other].map(ComparedWords::new);
            assert_eq!((one.is_fronted(&other), other.is_fronted(&one)), (same, same), "{one:?} {other:?}");
        }
    }

    #[test]
    fn another_order_value_or_amount_is_no_repetition() {
        for (one, other) in [
            ("I prefer tabs over spaces", "I prefer spaces over tabs"),
            ("we run the linter before the tests", "we run the linter after the tests"),
            ("we copy data from staging to production", "we copy data from production to staging"),
            (
                "I like golf. Golf is a challenge that brings people together in the open air",
                "I dislike golf. Golf is a challenge that brings people together in the open air",
            ),
            ("the cache has a ttl of two hours", "the cache has a ttl of an hour"),
            ("I am on vacation until Monday", "I am on vacation from Monday"),
            ("all branches are squashed when we merge into main", "few branches are squashed when we merge into main"),
            (
                "I want the tests to run in parallel on my own laptop by default",
                "I want the tests to run serially on my own laptop by default",
            ),
            ("my sister is older than my brother", "my brother is older than my sister"),
            ("Anna stopped working at Acme", "I stopped working at Acme"),
            ("I stopped working at Acme", "we stopped working at Acme"),
        ] {
            let [one, other] = [one, other].map(ComparedWords::new);
            assert!(!one.is_nearly(&other) && !one.is_same(&other) && !other.is_nearly(&one), "{one:?} {other:?}");
        }
    }

    #[test]
    fn what_limits_is_no_repetition_in_other_languages_either() {
        for (base, text) in [
            ("Der Nutzer arbeitet freitags im Büro in Kiel", "Der Nutzer arbeitet freitags kaum im Büro in Kiel"),
            ("Der Nutzer arbeitet freitags im Büro in Kiel", "Früher arbeitet der Nutzer freitags im Büro in Kiel"),
            ("L'équipe livre la version le jeudi", "L'équipe ne livre plus la version le jeudi"),
            ("El equipo entrega la versión los jueves", "El equipo ya no entrega la versión los jueves"),
        ] {
            let [base, text] = [base, text].map(ComparedWords::new);
            assert!(!text.is_nearly(&base) && !text.is_same(&base) && !base.absorbs(&text));
        }
    }

    #[test]
    fn a_word_more_is_no_repetition_where_negations_are_not_known() {
        for (base, text) in [
            ("Пользователь любит тёмную тему", "Пользователь не любит тёмную тему"),
            ("O usuário gosta do modo escuro", "O usuário não gosta do modo escuro"),
            ("L'utente vuole il tema scuro", "L'utente non vuole il tema scuro"),
            ("De gebruiker wil donkere modus", "De gebruiker wil niet donkere modus"),
            ("Användaren gillar mörkt läge", "Användaren gillar inte mörkt läge"),
            ("Pengguna suka mode gelap", "Pengguna tidak suka mode gelap"),
            ("Brugeren vil have den in dark mode", "Brugeren vil ikke have den in dark mode"),
            ("Gusto ng user ang dark mode", "Hindi gusto ng user ang dark mode"),
            ("Der Nutzer mag die neue Ansicht", "Der Nutzer mag die neue Ansicht net"),
            ("Người dùng thích chế độ tối", "Người dùng không thích chế độ tối"),
            ("사용자는 다크 모드를 좋아합니다", "사용자는 다크 모드를 안 좋아합니다"),
            ("उपयोगकर्ता को डार्क मोड पसंद है", "उपयोगकर्ता को डार्क मोड पसंद नहीं है"),
            ("the parser of drift uses qalb for the trees", "the parser of drift uses qalb zonder for the trees"),
        ] {
            let [base, text] = [base, text].map(ComparedWords::new);
            for (one, other) in [(&base, &text), (&text, &base)] {
                let merges = one.is_nearly(other) || one.is_same(other) || one.repeats(other) || one.absorbs(other);
                assert!(!merges && !one.is_fronted(other), "{one:?}");
                assert!(!one.keeps_all(std::slice::from_ref(other)), "{one:?}");
            }
            assert!(base.is_nearly(&base) && base.is_same(&base) && base.absorbs(&base), "{base:?}");
        }
        let known = "Пользователь любит тёмную тему";
        assert!(ComparedWords::new(&format!("«{known}».")).is_same(&ComparedWords::new(known)), "signs are no words");
    }

    fn texts(words: &[(&str, u8)]) -> Vec<AbsorbableText> {
        let text = |(words, rank): &(&str, u8)| AbsorbableText {
            group: "shared".to_owned(),
            words: ComparedWords::new(words),
            rank: *rank,
        };
        words.iter().map(text).collect()
    }

    #[test]
    fn a_text_gives_way_to_one_that_says_all_of_it() {
        let pairs = |words: &[(&str, u8)]| find_absorbed(&texts(words)).pairs;
        let long = "drift uses pino for structured logging in production";
        let short = "drift uses pino for structured logging";
        assert_eq!(pairs(&[(short, 1), (long, 1)]), [(0, 1)]);
        assert_eq!(pairs(&[(long, 1), (long, 1), (short, 1)]), [(1, 0), (2, 0)]);
        assert_eq!(pairs(&[(short, 2), (long, 1)]), [], "the user's word gives way to no agent's");
        assert_eq!(pairs(&[(short, 1), (short, 2)]), [(0, 1)]);
        for other in [
            "drift uses pino for structured logging in the tests",
            "drift does not use pino for structured logging in production",
            "drift uses Pino for structured logging in production 2",
            "structured logging in production uses pino for drift",
        ] {
            assert_eq!(pairs(&[(long, 1), (other, 1)]), [], "{other}");
        }
        let mut apart = texts(&[(long, 1), (long, 1)]);
        apart.iter_mut().zip(["one", "two"]).for_each(|(text, group)| text.group = group.to_owned());
        assert_eq!(find_absorbed(&apart).pairs, []);
    }

    #[test]
    fn ten_thousand_texts_take_twenty_comparisons_each_at_most() {
        const COUNT: usize = 10_000;
        let parts = ["parser", "writer", "cache", "index", "logger", "router", "queue"];
        let words: Vec<String> = (0..COUNT)
            .map(|number| {
                let part = |by: usize| parts[(number / by) % parts.len()];
                format!("the {} feeds the {} before the {} runs stage {}", part(1), part(7), part(49), number % 4)
            })
            .collect();
        let words: Vec<(&str, u8)> = words.iter().map(|words| (words.as_str(), 1)).collect();
        let found = find_absorbed(&texts(&words));
        assert!(found.compared <= 20 * COUNT, "{}", found.compared);
        assert!(found.pairs.len() > COUNT / 2, "{}: most of them repeat", found.pairs.len());
        let gone: std::collections::HashSet<usize> = found.pairs.iter().map(|(gone, _)| *gone).collect();
        assert!(found.pairs.iter().all(|(_, stays)| !gone.contains(stays)), "what stays, stays");
    }
}
