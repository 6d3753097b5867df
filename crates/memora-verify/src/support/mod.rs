//! Whether words of a note say what a sentence says.
//!
//! No model, no similarity: every number, date, name and quoted string of the sentence must stand in the cited words or
//! their context, its content words must be covered by stem, its negations and hedges must be theirs, and no role may be
//! swapped. The one rule to know: **when in doubt, unsupported.** In a language without rules here (all but English)
//! only the source's own words pass.
//!
//! Deliberately not here: which passages a sentence may rest on, and what follows from it ([`crate::check`]).

mod attribution;
mod instead;
mod lexicon;
mod likeness;
mod order;
mod polarity;
mod roles;
mod score;
mod stem;
mod synonyms;
mod tokens;

use lexicon::{ADDRESSED, FOREIGN, FUNCTION, NEGATIONS, PARTICLES, PRONOUNS, SPEAKER, Words, opposes};
use likeness::Known;
use tokens::{Date, Kind, Number, Token, tokens};
use unicode_normalization::UnicodeNormalization;

use crate::evidence::Passage;
use crate::fold::is_invisible;
use memora_english::Kinship;

/// Words that a sentence may rest on, with what gives them their meaning.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    /// One or several sentences, without markup.
    pub words: &'a str,
    /// Title, headings, parent item, date: texts that say what the words are about.
    pub context: &'a [String],
    /// Other names of what the words or their context name.
    pub names: &'a [String],
}

/// Whether words say what a sentence says.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The finding.
    pub support: Support,
    /// How much of the sentence the words say, from 0 to 1. For ranking and for measuring: the finding does not follow
    /// from it.
    pub score: f32,
    /// What they don't say; empty exactly where they support it.
    pub reasons: Vec<Reason>,
}

/// Whether the cited words say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Support {
    /// The sentence is the source's own words.
    Quoted,
    /// They say it.
    Supported,
    /// They don't.
    Unsupported,
}

impl Judgement {
    fn quoted() -> Self {
        Self { support: Support::Quoted, score: 1.0, reasons: Vec::new() }
    }

    fn of(score: f32, mut reasons: Vec<Reason>) -> Self {
        reasons.sort_by_key(|r| r.kind);
        reasons.dedup();
        let support = if reasons.is_empty() { Support::Supported } else { Support::Unsupported };
        Self { support, score, reasons }
    }
}

/// What of a sentence the cited words don't say. For the user's own eyes: it carries words of the draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What kind of thing is wrong.
    pub kind: ReasonKind,
    /// The words of the sentence; empty where the passage has words that the sentence lacks.
    pub words: String,
    /// What the cited words have in their place; empty where nothing of the kind is there. Words of the notes, so for
    /// whoever may read those.
    pub instead: String,
}

/// Kinds of things that keep a sentence from being supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReasonKind {
    /// Words that the cited words don't have.
    Content,
    /// A date, month or weekday they don't name.
    Date,
    /// A language without rules here, and not the source's own words.
    Language,
    /// They only plan, suppose, ask or make it depend on something.
    Modality,
    /// A name they don't name.
    Name,
    /// One of the two is negated.
    Negation,
    /// A number they don't give, or give in another unit.
    Number,
    /// The opposite of a word of theirs.
    Opposite,
    /// Words in quotation marks that aren't theirs.
    Quotation,
    /// A pronoun that nothing kept before it explains, or that speaks for somebody else than the cited words do.
    Reference,
    /// Who does what to whom, or from where to where, is another.
    Roles,
}

impl ReasonKind {
    /// The word for it, as in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Date => "date",
            Self::Language => "language",
            Self::Modality => "modality",
            Self::Name => "name",
            Self::Negation => "negation",
            Self::Number => "number",
            Self::Opposite => "opposite",
            Self::Quotation => "quotation",
            Self::Reference => "reference",
            Self::Roles => "roles",
        }
    }
}

/// Judges whether words say a sentence; several are read together.
///
/// Nothing is called verified by it: where the words come from, and whether they still stand there, is not asked here.
#[must_use]
pub fn judge(sentence: &str, said: &[Said<'_>]) -> Judgement {
    judge_behind(sentence, said, false)
}

/// The same, by passages.
pub(crate) fn judge_passages(sentence: &str, passages: &[&Passage], named_before: bool) -> Judgement {
    let said: Vec<Said<'_>> = passages.iter().map(|passage| passage.said()).collect();
    judge_behind(sentence, &said, named_before)
}

/// The same behind a sentence that was drawn from the same note and is kept, if `named_before`: a pronoun then has somebody to
/// stand for.
fn judge_behind(sentence: &str, passages: &[Said<'_>], named_before: bool) -> Judgement {
    if let Some(said) = attribution::without(sentence) {
        let judged = judge_behind(said, passages, named_before);
        // The words in front are not theirs.
        let support = if judged.support == Support::Quoted { Support::Supported } else { judged.support };
        return Judgement { support, ..judged };
    }
    if let Some(mark) = foreign_mark(sentence, passages) {
        return Judgement::of(0.0, vec![reason(ReasonKind::Negation, &mark.to_string())]);
    }
    let own = normal(sentence);
    if passages.iter().any(|passage| is_quoted(&own, sentence, passage)) {
        return Judgement::quoted();
    }
    let mut words = tokens(sentence);
    let evidence: Vec<Read> = passages.iter().filter(|p| is_english(p.words)).map(|p| Read::new(p, &words)).collect();
    if !is_english(sentence) || evidence.is_empty() {
        return Judgement::of(0.0, vec![reason(ReasonKind::Language, "")]);
    }
    let own = words.clone();
    in_their_words(&mut words, &evidence);
    let mut reasons = Vec::new();
    reasons.extend(facts(&words, &evidence));
    reasons.extend(quotations(sentence, passages));
    reasons.extend(content(&words, &evidence));
    let quotes: Vec<Quote<'_>> = evidence.iter().flat_map(Read::quotes).collect();
    reasons.extend(polarity::differences(&words, &quotes));
    // The names a note gives its subject count as that subject when roles are compared.
    let known = evidence.iter().flat_map(|read| read.canonical.iter().cloned());
    let extended: Vec<Token> = known.chain(words.iter().cloned()).collect();
    let lead = extended.len() - words.len();
    if !order::is_theirs(&words, &quotes) {
        reasons.extend(roles::differences(&extended, lead, &quotes));
    }
    if let Some(pronoun) = words.first().filter(|t| PRONOUNS.contains(&t.lower.as_str())) {
        let same = quotes.iter().any(|quote| quote.tokens.iter().any(|t| t.lower == pronoun.lower));
        if !(named_before || same) {
            reasons.push(reason(ReasonKind::Reference, &pronoun.raw));
        }
    }
    reasons.extend(particles(&words, &quotes));
    reasons.extend(persons(&words, &quotes));
    reasons.extend(cases(&words, &quotes));
    instead::fill(&mut reasons, &own, &evidence);
    Judgement::of(score::score(&own, &evidence, &reasons), reasons)
}

/// Takes for a word that the passages lack the one of theirs that says the same, so that every other rule compares those.
fn in_their_words(words: &mut [Token], evidence: &[Read]) {
    let is_plain = |t: &Token| t.kind == Kind::Word && !NEGATIONS.contains(&t.lower);
    let theirs = || evidence.iter().flat_map(|read| read.sentences.iter().flatten());
    let mut known: Option<Vec<Known<'_>>> = None;
    for token in words.iter_mut().filter(|t| is_plain(t)) {
        if evidence.iter().any(|read| read.all().any(|t| same_name(t, token))) {
            continue;
        }
        let known = known.get_or_insert_with(|| Known::all(theirs().filter(|t| is_plain(t))));
        let own = Known::new(token);
        let close = known.iter().filter_map(|other| Some((own.is_to(other)?, &other.token.stem)));
        if let Some((_, stem)) = close.filter(|(kin, _)| *kin <= Kinship::Kin).min() {
            token.stem = stem.clone();
        }
    }
}

/// A sign in the sentence that no passage has and that turns what is said: `❌`, `¬`, `(?)`, `14‰`, `1⁴`, a stroke through
/// the letters. Other signs turn nothing.
fn foreign_mark(sentence: &str, passages: &[Said<'_>]) -> Option<char> {
    const TURNING: &str = "❌❎✗✘✖✕🚫⛔👎🙅🙈¬≠≢∉∌⊄∄?？⁇⁈⁉‽¿‰‱";
    let turns = |c: char| {
        let foreign_number = c.is_numeric() && !c.is_ascii_digit() && !matches!(c, '０'..='９');
        let ideograph = c.is_alphabetic();
        let stroke = matches!(c, '\u{335}'..='\u{338}' | '\u{20d2}'..='\u{20f0}');
        TURNING.contains(c) || stroke || (foreign_number && !ideograph)
    };
    let held = |c: char| {
        passages.iter().any(|passage| passage.words.contains(c) || passage.context.iter().any(|t| t.contains(c)))
    };
    sentence.chars().find(|c| turns(*c) && !held(*c))
}

/// `It is on` is not said by `it is off`. A sentence or a passage that has both is left to the other rules.
fn particles(words: &[Token], quotes: &[Quote<'_>]) -> Vec<Reason> {
    let own = |word: &str| words.iter().find(|t| t.lower == word);
    let theirs = |word: &str| quotes.iter().any(|q| q.tokens.iter().any(|t| t.lower == word));
    let turned = PARTICLES.iter().filter(|(x, y)| own(y).is_none() && !theirs(x) && theirs(y));
    turned.filter_map(|(x, _)| own(x)).map(|token| reason(ReasonKind::Opposite, &token.raw)).collect()
}

/// `I own it` is not said by `Anna owns it`: whoever speaks or is spoken to must be so in the cited words too.
fn persons(words: &[Token], quotes: &[Quote<'_>]) -> Vec<Reason> {
    let has = |list: &[&str]| quotes.iter().any(|q| q.tokens.iter().any(|t| list.contains(&t.lower.as_str())));
    let unexplained = |token: &&Token| {
        let word = token.lower.as_str();
        let lacks = |list: &&[&str]| list.contains(&word) && !has(list);
        SPEAKER.iter().any(lacks) || (lacks(&ADDRESSED) && !SPEAKER.iter().any(|list| has(list)))
    };
    words.iter().filter(unexplained).map(|token| reason(ReasonKind::Reference, &token.raw)).collect()
}

/// `Ben owes me` is not said by `I owe Ben`: a pronoun that changes its case has changed its role.
fn cases(words: &[Token], quotes: &[Quote<'_>]) -> Vec<Reason> {
    const CASES: [(&str, &str); 5] = [("i", "me"), ("he", "him"), ("she", "her"), ("we", "us"), ("they", "them")];
    let theirs = |word: &str| quotes.iter().any(|q| q.tokens.iter().any(|t| t.lower == word));
    let turned = |said: &str, other: &str| -> Option<&Token> {
        words.iter().find(|t| t.lower == said).filter(|_| !theirs(said) && theirs(other))
    };
    let pairs = CASES.iter().flat_map(|(subject, object)| [turned(subject, object), turned(object, subject)]);
    pairs.flatten().map(|token| reason(ReasonKind::Roles, &token.raw)).collect()
}

/// Whether `text` names `name`, by whole words, case forgiven.
pub(crate) fn mentions(text: &str, name: &str) -> bool {
    let (text, name) = (normal(text), normal(name));
    !name.is_empty() && contains_run(&text, &name)
}

/// Whether a text has anything to say: a letter or a digit.
pub(crate) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// The words of a text for comparison: lower case, no punctuation around them, nothing invisible.
pub(crate) fn normal(text: &str) -> Vec<String> {
    let visible: String = text.nfkc().filter(|c| !is_invisible(*c)).map(|c| if c == '’' { '\'' } else { c }).collect();
    let is_edge = |c: char| !c.is_alphanumeric() && !"%€$£¥°+-−#<>=≠≤≥~≈×→←&@".contains(c);
    visible
        .to_lowercase()
        .split_whitespace()
        .map(|word| word.trim_matches(is_edge))
        .filter(|word| !word.is_empty() && *word != "-")
        .map(str::to_owned)
        .collect()
}

/// A sentence of a passage, with the passage's context.
#[derive(Clone, Copy)]
struct Quote<'t> {
    tokens: &'t [Token],
    context: &'t [Token],
    /// The sentence before, where this one begins with a pronoun that stands for something in it.
    before: &'t [Token],
}

/// A passage as tokens.
struct Read {
    /// The tokens of each sentence of its words.
    sentences: Vec<Vec<Token>>,
    /// Those of its context and names.
    context: Vec<Token>,
    /// The title's tokens, when the sentence uses another name for it.
    canonical: Vec<Token>,
}

impl Read {
    fn new(passage: &Said<'_>, sentence: &[Token]) -> Self {
        let mut context = Vec::new();
        for text in passage.context.iter().chain(passage.names) {
            context.extend(tokens(text));
            context.extend(tokens(". ").into_iter().take(1));
        }
        let has = |text: &str| {
            let name = tokens(text);
            !name.is_empty() && sentence.windows(name.len()).any(|w| w.iter().zip(&name).all(|(a, b)| a.stem == b.stem))
        };
        let renamed = passage.names.iter().any(|name| has(name));
        let title = passage.context.first().filter(|_| renamed);
        Self {
            sentences: pieces(passage.words).iter().map(|piece| tokens(piece)).collect(),
            context,
            canonical: title.map(|title| tokens(title)).unwrap_or_default(),
        }
    }

    fn quotes(&self) -> impl Iterator<Item = Quote<'_>> {
        self.sentences.iter().enumerate().map(|(at, tokens)| {
            let stands_for = tokens.first().is_some_and(|t| PRONOUNS.contains(&t.lower.as_str()));
            let before = at.checked_sub(1).filter(|_| stands_for).and_then(|at| self.sentences.get(at));
            Quote { tokens, context: &self.context, before: before.map_or(&[], Vec::as_slice) }
        })
    }

    fn all(&self) -> impl Iterator<Item = &Token> {
        self.sentences.iter().flatten().chain(&self.context)
    }
}

fn pieces(words: &str) -> Vec<String> {
    crate::draft::plain_sentences(words)
}

fn reason(kind: ReasonKind, words: &str) -> Reason {
    Reason { kind, words: words.to_owned(), instead: String::new() }
}

fn is_quoted(own: &[String], sentence: &str, passage: &Said<'_>) -> bool {
    let asks = |text: &str| text.trim_end_matches(['"', '”', ')', ' ']).ends_with(['?', '？']);
    let whole = passage.words.to_owned();
    let is_same = |piece: &String| {
        let words = normal(piece);
        let title = |context: &String| [normal(context), words.clone()].concat() == own;
        asks(piece) == asks(sentence) && !words.is_empty() && (words == own || passage.context.iter().any(title))
    };
    pieces(passage.words).iter().chain([&whole]).any(is_same)
}

fn facts(words: &[Token], evidence: &[Read]) -> Vec<Reason> {
    let found = |test: &dyn Fn(&Token) -> bool| evidence.iter().any(|read| read.all().any(test));
    let mut reasons = Vec::new();
    for token in words {
        match token.kind {
            Kind::Number(number) if !found(&|t| gives(t, number)) => {
                reasons.push(reason(ReasonKind::Number, &token.raw));
            }
            Kind::Date(date) if !found(&|t| names_date(t, date)) => reasons.push(reason(ReasonKind::Date, &token.raw)),
            Kind::Name if !found(&|t| same_name(t, token)) => {
                let kind =
                    if lexicon::WEEKDAYS.contains(&token.lower.as_str()) { ReasonKind::Date } else { ReasonKind::Name };
                reasons.push(reason(kind, &token.raw));
            }
            Kind::Mark(mark) if !is_punctuation(mark) && !found(&|t| t.kind == token.kind) => {
                reasons.push(reason(ReasonKind::Content, &token.raw));
            }
            _ => {}
        }
    }
    reasons.extend(counted(words, evidence));
    reasons
}

/// `three nodes and two people` doesn't say `two nodes`: what is counted must be counted so.
fn counted(words: &[Token], evidence: &[Read]) -> Vec<Reason> {
    let counts = |tokens: &[Token]| -> Vec<(Number, String)> {
        let pair = |pair: &[Token]| match pair {
            [Token { kind: Kind::Number(number), .. }, thing] if thing.kind == Kind::Word => {
                Some((*number, thing.stem.clone()))
            }
            _ => None,
        };
        tokens.windows(2).filter_map(pair).collect()
    };
    let theirs: Vec<(Number, String)> =
        evidence.iter().flat_map(|read| &read.sentences).flat_map(|s| counts(s)).collect();
    let is_other = |(number, thing): &(Number, String)| {
        let there: Vec<&Number> = theirs.iter().filter(|(_, other)| other == thing).map(|(number, _)| number).collect();
        !there.is_empty() && !there.iter().any(|other| other.value == number.value)
    };
    counts(words).iter().filter(|count| is_other(count)).map(|(_, thing)| reason(ReasonKind::Number, thing)).collect()
}

/// Signs that divide words and say nothing; any other sign (`>`, `→`, `=`) has to be found.
fn is_punctuation(mark: char) -> bool {
    mark.is_ascii_punctuation() && !"<>=+%$~^&@".contains(mark)
        || "“”„‘’«»‹›…–—·•、。，．：；！？「」『』（）【】〈〉《》〔〕‑‐|".contains(mark)
        || (!mark.is_ascii()
            && !mark.is_alphanumeric()
            && matches!(mark, '\u{1f300}'..='\u{1faff}')
            && !"👍👎".contains(mark))
}

fn gives(token: &Token, number: Number) -> bool {
    match token.kind {
        Kind::Number(other) => other == number,
        Kind::Date(Date { year: Some(year), month: None, day: None }) => {
            number.unit.is_none() && number.value == i128::from(year) * 1_000_000
        }
        _ => false,
    }
}

fn names_date(token: &Token, date: Date) -> bool {
    let agrees = |a: Option<u32>, b: Option<u32>| a.is_none() || a == b;
    match token.kind {
        Kind::Date(other) => {
            agrees(date.year, other.year) && agrees(date.month, other.month) && agrees(date.day, other.day)
        }
        Kind::Number(number) => {
            date.month.is_none() && date.year.is_some_and(|y| number.value == i128::from(y) * 1_000_000)
        }
        _ => false,
    }
}

fn same_name(token: &Token, name: &Token) -> bool {
    if name.lower == "a" && name.kind == Kind::Name {
        return token.lower == "a" && token.kind == Kind::Name;
    }
    token.lower == name.lower || (token.is_content() && token.stem == name.stem)
}

/// Every string in quotation marks must be theirs, word by word.
fn quotations(sentence: &str, passages: &[Said<'_>]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let mut open: Option<(char, String)> = None;
    for letter in sentence.chars() {
        match &mut open {
            Some((close, words)) if letter == *close || (*close == '”' && letter == '“') => {
                let quoted = normal(words);
                let is_theirs = |p: &Said<'_>| {
                    contains_run(&normal(p.words), &quoted)
                        || p.context.iter().any(|c| contains_run(&normal(c), &quoted))
                };
                if !quoted.is_empty() && !passages.iter().any(is_theirs) {
                    reasons.push(reason(ReasonKind::Quotation, words));
                }
                open = None;
            }
            Some((_, words)) => words.push(letter),
            None => {
                let close = match letter {
                    '"' => Some('"'),
                    '“' | '„' => Some('”'),
                    '«' => Some('»'),
                    '‘' => Some('’'),
                    '「' => Some('」'),
                    _ => None,
                };
                open = close.map(|close| (close, String::new()));
            }
        }
    }
    reasons
}

fn contains_run(text: &[String], run: &[String]) -> bool {
    !run.is_empty() && text.windows(run.len()).any(|window| window == run)
}

/// Every content word must be covered, however long the sentence: one verb is enough to turn it round.
fn content(words: &[Token], evidence: &[Read]) -> Vec<Reason> {
    let mut missing = Vec::new();
    let mut opposite = Vec::new();
    let mut in_quotes = false;
    for token in words {
        let said_there = |t: &Token| same_name(t, token) || (t.kind == token.kind && t.lower == token.lower);
        let is_fact = matches!(token.kind, Kind::Number(_) | Kind::Date(_));
        in_quotes |= (token.is_content() || is_fact)
            && evidence
                .iter()
                .any(|read| read.sentences.iter().flatten().any(|t| said_there(t) || (is_fact && alike(t, token))));
        let judged_elsewhere = NEGATIONS.contains(&token.lower) || token.kind == Kind::Name;
        if !token.is_content() {
            continue;
        }
        if judged_elsewhere || evidence.iter().any(|read| read.all().any(said_there)) {
            continue;
        }
        if evidence.iter().any(|read| read.all().any(|t| opposes(&t.stem, &token.stem))) {
            opposite.push(reason(ReasonKind::Opposite, &token.raw));
        }
        missing.push(reason(ReasonKind::Content, &token.raw));
    }
    if !in_quotes {
        missing.push(reason(ReasonKind::Content, ""));
        return missing;
    }
    opposite.extend(missing);
    opposite
}

fn alike(theirs: &Token, own: &Token) -> bool {
    match own.kind {
        Kind::Number(number) => gives(theirs, number),
        Kind::Date(date) => names_date(theirs, date),
        _ => false,
    }
}

/// Whether the rules here are for the language of a text: Latin letters, and no more words of another language than of
/// English.
fn is_english(text: &str) -> bool {
    let (mut latin, mut other) = (0, 0);
    for letter in text.nfkc().filter(|c| c.is_alphabetic()) {
        if letter <= '\u{24f}' { latin += 1 } else { other += 1 }
    }
    let words = normal(text);
    let count = |list: &Words| words.iter().filter(|word| list.contains(word)).count();
    // `no` in Spanish, `in` in German: a word of both counts for neither.
    latin >= other && count(&FOREIGN) <= count(&FUNCTION)
}

#[cfg(test)]
mod tests;
