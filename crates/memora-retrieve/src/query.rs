//! Parses a question into search units.
//!
//! Each content word becomes a [`QueryUnit`]: matched by one of its whole forms or by all of its parts, see `words`.
//! Question words and politeness are dropped, unless nothing else is left. Quoted text must match literally,
//! inflection aside. This module knows no index: the rarity of a word and its possible misspellings are decided
//! in `search`.

use std::collections::HashSet;

use memora_vault::PartialDate;

use crate::chunker::{Chunk, ChunkKind, split_characters, split_chunks};
use crate::dates::{DateRange, find_dates};
use crate::lists::{QUESTION_FUNCTION_WORDS, QUESTION_WORDS};
use crate::normalize::fold_word;
use crate::stop_words::{
    is_german_stop_word, is_note_taking_word, is_open_topic_word, is_owner_pronoun, is_stop_pair, is_stop_word,
    mark_function_words,
};
use crate::tokenizer::{StemCache, strip_symbol_modifiers};
use crate::word_forms::{split_forms, truncate_token};

/// The maximum number of units, others are ignored; a question has a dozen.
const UNITS_MAX: usize = 64;

/// A question, or any search terms.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The question as asked, without its dates.
    text: String,
    pub(crate) units: Vec<QueryUnit>,
    /// Stems in their required order.
    pub(crate) phrases: Vec<Vec<String>>,
    dates: Vec<DateRange>,
    /// Whether it contains "I", "we" or "my".
    of_owner: bool,
}

/// One thing that is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct QueryUnit {
    /// The folded term of the question.
    pub(crate) shown: String,
    /// Stems, all of which must match. Empty if only the whole form matches (`1.0.21`).
    pub(crate) parts: Vec<String>,
    /// A token that matches by itself.
    pub(crate) whole: Option<String>,
    /// Matches any token that begins with `shown`: a single character of an unspaced script.
    pub(crate) prefix: bool,
    /// A name by its spelling: capitals inside a sentence, or a number.
    pub(crate) name: bool,
    /// Of a script without spaces.
    pub(crate) dense: bool,
    /// The number of bigrams in its run of such a script; together they weigh as much as one word.
    pub(crate) run: usize,
    /// A word of a German question: if no note has it, compounds that end with it match.
    pub(crate) german: bool,
}

impl Query {
    /// Parses a question; its dates are treated as words.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            units: parse_units(text, true),
            phrases: parse_quoted_phrases(text),
            ..Self::default()
        }
    }

    /// Parses a name, whose words must be adjacent. The query is empty if all of them are function words:
    /// those are not a name.
    #[must_use]
    pub(crate) fn from_name(name: &str) -> Self {
        let bare = name.replace(is_quote_mark, " ");
        let units = parse_units(&bare, false);
        let phrases = if units.is_empty() { Vec::new() } else { vec![parse_phrase(&bare, &mut StemCache::default())] };
        Self { text: bare, units, phrases, ..Self::default() }
    }

    /// Parses a question and turns its dates into a filter instead of terms.
    #[must_use]
    pub fn parse_with_dates(text: &str, today: PartialDate) -> Self {
        let dates = find_dates(text, today);
        let timed = !dates.is_empty();
        Self::build_with_dates(text, dates, timed)
    }

    /// Does the same if the period is given beside the question: "what did I do" asks for nothing else then.
    #[must_use]
    pub fn parse_for_period(text: &str, today: PartialDate) -> Self {
        Self::build_with_dates(text, find_dates(text, today), true)
    }

    fn build_with_dates(text: &str, dates: Vec<DateRange>, timed: bool) -> Self {
        let mut rest = String::with_capacity(text.len());
        let mut at = 0;
        for range in &dates {
            rest.push_str(text.get(at..range.text.start).unwrap_or_default());
            rest.push_str(" . ");
            at = range.text.end;
        }
        rest.push_str(text.get(at..).unwrap_or_default());
        let mut units = parse_units(&rest, !timed);
        if timed {
            units.retain(|unit| !is_note_taking_word(&unit.shown));
            if units.iter().all(|unit| is_open_topic_word(&unit.shown)) {
                units.clear();
            }
        }
        let phrases = parse_quoted_phrases(&rest);
        let of_owner = split_chunks(text).any(|chunk| is_owner_pronoun(&fold_word(chunk.text)));
        Self { text: rest, units, phrases, dates, of_owner }
    }

    /// Returns the question without the dates that became a filter: the part to be understood.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns its dates, if it was parsed by [`Query::parse_with_dates`]: for [`crate::SearchFilter::dates`].
    #[must_use]
    pub fn dates(&self) -> &[DateRange] {
        &self.dates
    }

    /// Whether it asks about the owner, if it was parsed by [`Query::parse_with_dates`]: "what did I do".
    #[must_use]
    pub fn is_about_owner(&self) -> bool {
        self.of_owner
    }

    /// Whether it has no terms besides dates: with a period, it asks for everything in that period.
    #[must_use]
    pub fn has_no_topic(&self) -> bool {
        self.units.is_empty() && self.phrases.is_empty()
    }

    /// Whether it contains phrases, whose words must be adjacent.
    #[must_use]
    pub fn has_phrases(&self) -> bool {
        !self.phrases.is_empty()
    }

    /// Returns its folded terms, in order.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.units.iter().map(|unit| unit.shown.as_str())
    }

    /// Returns its index keys: stems and whole names, in order.
    pub fn index_keys(&self) -> impl Iterator<Item = &str> {
        self.units.iter().flat_map(|unit| unit.parts.iter().chain(&unit.whole)).map(String::as_str)
    }

    /// Whether it has no terms.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }
}

/// `keep_form`: keep function words if there is no content word.
fn parse_units(text: &str, keep_form: bool) -> Vec<QueryUnit> {
    let mut stems = StemCache::default();
    // In a question all in capitals, they mark no names; in German every noun has one.
    let german = is_german(text);
    let cased = text.chars().any(char::is_lowercase) && !german;
    let mut units: Vec<(QueryUnit, bool)> = Vec::new();
    let mut starts = true;
    let mut before = 0;
    for chunk in split_chunks(text) {
        let gap = text.get(before..chunk.from).unwrap_or_default();
        starts |= gap.contains(['.', '?', '!', ':', '\n']);
        before = chunk.from + chunk.text.len();
        match chunk.kind {
            ChunkKind::Unspaced => units.extend(parse_unspaced(chunk.text)),
            ChunkKind::Symbol => {
                let shown = strip_symbol_modifiers(chunk.text);
                units.push((QueryUnit { parts: vec![shown.clone()], shown, ..QueryUnit::default() }, false));
            }
            ChunkKind::Plain | ChunkKind::Word => {
                let found = parse_word(chunk, cased, starts, &mut stems);
                let stop = |unit: &QueryUnit| german && unit.whole.is_none() && is_german_stop_word(&unit.shown);
                units.extend(found.map(|(unit, form)| {
                    let form = form || stop(&unit);
                    (QueryUnit { german, ..unit }, form)
                }));
            }
        }
        starts = false;
    }
    let content = units.iter().any(|(_, stop)| !stop);
    let mut seen = HashSet::new();
    units
        .into_iter()
        .filter(|(unit, stop)| !(*stop && (content || !keep_form)) && seen.insert(unit.shown.clone()))
        .map(|(unit, _)| unit)
        .take(UNITS_MAX)
        .collect()
}

/// Whether a question is German: it begins with a German question word, or has two German function words;
/// one alone may be a name's or an English word.
fn is_german(text: &str) -> bool {
    let words: Vec<String> = split_chunks(text).map(|chunk| fold_word(chunk.text)).collect();
    // "In welchem Jahr", "Seit wann".
    let asks = words.iter().take(2).any(|word| QUESTION_WORDS.contains(word.as_str()));
    let held: HashSet<&String> = words.iter().filter(|word| QUESTION_FUNCTION_WORDS.contains(word.as_str())).collect();
    asks || held.len() > 1
}

/// Parses a word, and returns whether it is a function word.
fn parse_word(chunk: Chunk<'_>, cased: bool, starts: bool, stems: &mut StemCache) -> Option<(QueryUnit, bool)> {
    let forms = split_forms(chunk.text);
    let upper = chunk.text.chars().filter(|c| c.is_uppercase()).count();
    let capital = chunk.text.chars().next().is_some_and(char::is_uppercase);
    let digits = chunk.text.chars().any(char::is_numeric);
    let stop = forms.wholes.is_empty() && forms.parts.iter().all(|part| is_stop_word(part));
    let name = digits || (cased && !stop && ((capital && !starts) || upper > usize::from(capital)));
    let whole = forms.wholes.last().map(|whole| stems.stem(whole).to_owned());
    let shown = forms.wholes.last().or(forms.parts.first()).cloned()?;
    let joined_number = whole.is_some() && forms.parts.iter().all(|part| part.chars().all(char::is_numeric));
    let parts = if joined_number || forms.wholes.last().is_some_and(|whole| whole.starts_with('.')) {
        Vec::new()
    } else {
        forms.parts.iter().map(|part| stems.stem(part).to_owned()).collect()
    };
    // `I` is the owner of the vault, and not a name.
    let stop = stop || shown == "i";
    Some((QueryUnit { shown: truncate_token(shown), parts, whole, name, ..QueryUnit::default() }, stop))
}

/// Returns the characters of an unspaced run, folded.
fn folded_characters(run: &str) -> Vec<String> {
    split_characters(run).into_iter().map(|(_, c)| fold_word(c)).filter(|c| !c.is_empty()).collect()
}

/// Returns the character bigrams; a single character by itself.
fn character_bigrams(characters: &[String]) -> Vec<String> {
    if let [single] = characters {
        return vec![single.clone()];
    }
    characters.windows(2).map(<[String]>::concat).collect()
}

fn parse_unspaced(run: &str) -> Vec<(QueryUnit, bool)> {
    let characters = folded_characters(run);
    let marks = mark_function_words(&characters);
    let unit = |shown: String, prefix: bool, stop: bool| {
        let parts = if prefix { Vec::new() } else { vec![shown.clone()] };
        (QueryUnit { parts, shown, prefix, dense: true, ..QueryUnit::default() }, stop)
    };
    // A character between two function words is a word by itself, as "书" in "我的书在哪里", and in no bigram.
    let is_marked = |at: Option<usize>| at.and_then(|at| marks.get(at)).copied().unwrap_or(true);
    let is_alone = |at: usize| !is_marked(Some(at)) && is_marked(at.checked_sub(1)) && is_marked(at.checked_add(1));
    let mut found = Vec::new();
    for (at, character) in characters.iter().enumerate() {
        if is_alone(at) && !is_stop_pair(character) {
            found.push((at, unit(character.clone(), true, false)));
        }
    }
    if let [single] = characters.as_slice() {
        if found.is_empty() {
            found.push((0, unit(single.clone(), true, true)));
        }
    } else {
        for (at, pair) in character_bigrams(&characters).into_iter().enumerate() {
            let stop = is_stop_pair(&pair) || is_marked(Some(at)) || is_marked(at.checked_add(1));
            found.push((at, unit(pair, false, stop)));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    let mut found: Vec<(QueryUnit, bool)> = found.into_iter().map(|(_, unit)| unit).collect();
    for run in found.chunk_by_mut(|(_, one), (_, other)| one == other) {
        let length = run.len();
        run.iter_mut().for_each(|(unit, _)| unit.run = length);
    }
    found
}

/// Returns the stems of words that must be adjacent.
fn parse_phrase(text: &str, stems: &mut StemCache) -> Vec<String> {
    let mut phrase = Vec::new();
    for chunk in split_chunks(text) {
        match chunk.kind {
            ChunkKind::Unspaced => phrase.extend(character_bigrams(&folded_characters(chunk.text))),
            ChunkKind::Symbol => phrase.push(strip_symbol_modifiers(chunk.text)),
            ChunkKind::Plain | ChunkKind::Word => {
                phrase.extend(split_forms(chunk.text).parts.iter().map(|part| stems.stem(part).to_owned()));
            }
        }
    }
    phrase.truncate(UNITS_MAX);
    phrase
}

fn is_quote_mark(c: char) -> bool {
    matches!(c, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' | '\u{300c}' | '\u{300d}')
}

/// Returns the quoted phrases, as stems.
fn parse_quoted_phrases(text: &str) -> Vec<Vec<String>> {
    let mut stems = StemCache::default();
    let mut phrases = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\u{201c}', '\u{201e}', '\u{ab}', '\u{300c}']) {
        let tail = rest.get(at..).unwrap_or_default();
        let open = tail.chars().next().unwrap_or('"');
        let tail = tail.get(open.len_utf8()..).unwrap_or_default();
        let close: &[char] = match open {
            '\u{201c}' => &['\u{201d}'],
            '\u{201e}' => &['\u{201c}', '\u{201d}'],
            '\u{ab}' => &['\u{bb}'],
            '\u{300c}' => &['\u{300d}'],
            _ => &['"'],
        };
        // A mark that is never closed quotes nothing.
        let Some(end) = tail.find(close) else {
            rest = tail;
            continue;
        };
        let phrase = parse_phrase(tail.get(..end).unwrap_or_default(), &mut stems);
        if !phrase.is_empty() && phrases.len() < 8 {
            phrases.push(phrase);
        }
        rest = tail.get(end..).unwrap_or_default();
        rest = rest.get(rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
    }
    phrases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        assert_eq!(Query::new(text).terms().collect::<Vec<_>>(), expect, "{text}");
    }

    #[test]
    fn a_capital_is_a_name_but_in_german() {
        let names = |text: &str| {
            let units = Query::new(text).units.into_iter().filter(|unit| unit.name).map(|unit| unit.shown);
            units.collect::<Vec<_>>()
        };
        assert_eq!(names("Does Anna von Hardenberg keep a fox den?"), ["anna", "hardenberg"]);
        assert_eq!(names("Wie viel Salz kommt in den Teig vom Roggenbrot?"), [] as [&str; 0]);
        assert_eq!(names("Wie viel kostet das Roggenbrot im 2024?"), ["2024"]);
        assert_eq!(names("Wie viel Salz kommt in den Teig?"), [] as [&str; 0]);
        assert_eq!(names("Wann hat Oma Geburtstag?"), [] as [&str; 0]);
        assert_eq!(names("Was habe ich mit Anna besprochen?"), [] as [&str; 0]);
        assert_eq!(names("What was the War of the Roses?"), ["war", "roses"]);
        assert_eq!(names("Did Die Hard win?"), ["die", "hard"]);
    }

    #[test]
    fn questions_keep_their_content() {
        check("Could you please tell me what Anna's role is?", &["anna", "role"]);
        check("Who are The Who?", &["who", "are", "the"]);
        check("Wie heißt der Kater?", &["heisst", "kater"]);
        check("Wie hoch ist die Miete?", &["hoch", "miete"]);
        check("Wann war ich bei Oma?", &["oma"]);
        check("the war was over, they die", &["war", "die"]);
        check("東京の会議は何ですか", &["東京", "会議"]);
        check("费曼技巧是什么？", &["费曼", "曼技", "技巧"]);
        check("我读三体有什么笔记？", &["读三", "三体", "笔记"]);
        check("我的书在哪里", &["书"]);
        check("是什么", &["是什", "什么"]);
        check("量子计算机的价格是多少", &["量子", "子计", "计算", "算机", "价格"]);
        check("", &[]);
    }

    #[test]
    fn names_are_known_by_their_spelling() {
        let query = Query::new("Where did Caroline install MessagePack 1.0.21 yesterday?");
        let names: Vec<&str> = query.units.iter().filter(|unit| unit.name).map(|unit| unit.shown.as_str()).collect();
        assert_eq!(names, ["caroline", "messagepack", "1.0.21"]);
        assert!(Query::new("ANY NEWS FROM ANNA").units.iter().all(|unit| !unit.name));
    }

    #[test]
    fn quotes_are_phrases() {
        assert_eq!(Query::new("who said \"red cars\" and „zwei“ \"open").phrases, [vec!["red", "car"], vec!["zwei"]]);
    }

    #[test]
    fn a_name_is_all_its_words_side_by_side() {
        let phrase = |name: &str| Query::from_name(name).phrases;
        assert_eq!(phrase("Bank of America"), [vec!["bank", "of", "america"]]);
        assert_eq!(phrase("\u{201c}Kestrel Optik\u{201d}"), [vec!["kestrel", "optik"]]);
        assert_eq!(phrase("费曼技巧"), [vec!["费曼", "曼技", "技巧"]]);
        for no_name in ["", "the", "was very", "...", "\""] {
            assert!(phrase(no_name).is_empty(), "{no_name}");
        }
    }

    #[test]
    fn dates_are_not_words() {
        let today = PartialDate::parse("2025-04-16").expect("a date");
        let query = Query::parse_with_dates("What did Anna say on 14 March 2025?", today);
        assert_eq!(query.terms().collect::<Vec<_>>(), ["anna"]);
        assert_eq!(query.dates().len(), 1);
        let quoted = Query::parse_with_dates("Who wrote \"in March 2025\"?", today);
        assert!(quoted.dates().is_empty() && quoted.terms().any(|term| term == "march"));
    }

    #[test]
    fn a_question_may_ask_for_a_time_alone() {
        let today = PartialDate::parse("2025-04-16").expect("a date");
        let alone = |text: &str| {
            let query = Query::parse_with_dates(text, today);
            query.has_no_topic() && !query.dates().is_empty()
        };
        for text in [
            "What did I do in September 2022?",
            "last week",
            "Where was I in January?",
            "in the summer of 2019",
            "What was I working on between March and May 2021?",
            "What kept me busy two months ago?",
            "What was on my mind yesterday",
            "Was habe ich letzte Woche gemacht?",
            "What happened on 14 March 2025?",
        ] {
            assert!(alone(text), "{text}");
        }
        for text in
            ["What did I do about housing in August 2023?", "What did I do?", "What did I read in 2022?", "\"2022\""]
        {
            assert!(!alone(text), "{text}");
        }
        assert!(Query::parse_for_period("What did I do?", today).has_no_topic());
    }
}
