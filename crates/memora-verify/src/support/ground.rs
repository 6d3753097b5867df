//! What a sentence may rest on: [`Ground`], words of a note with what gives them their meaning, read once for all sentences.

use std::fmt;
use std::sync::OnceLock;

use memora_english::FoundPhrase;
use memora_vault::TaskState;

use super::arcs::Arcs;
use super::content::same_name;
use super::german::{German, Text};
use super::language::Leaning;
use super::lexicon::PRONOUNS;
use super::likeness::Known;
use super::resolved::{Anchor, Dated, dated};
use super::rewrite::phrases_in;
use super::tokens::{Kind, Token, tokens};
use super::words::{contains_run, normal};
use crate::draft::plain_sentences;

/// Words that a sentence may rest on, read.
///
/// They are only words. Where they come from, and whether they still stand there, is what a
/// [`Passage`](crate::Passage) proves.
pub struct Ground {
    /// The words and their context, for the signs in them.
    texts: Vec<String>,
    /// Each sentence of the words, and all of them.
    pieces: Vec<Piece>,
    /// The words of each text of the context.
    around: Vec<Vec<String>>,
    leaning: Leaning,
    german: German,
    pub(super) sentences: Vec<Vec<Token>>,
    /// Those of the sentences that have something in brackets, by their number, without it.
    unbracketed: Vec<(usize, Vec<Token>)>,
    /// Those of the sentences that speak of another day by the note's, with that day.
    pub(super) dated: Vec<Dated>,
    /// How each of the sentences, and of those without brackets, is read, if anybody asks.
    arcs: Vec<OnceLock<Arcs>>,
    /// The tokens of context and names.
    pub(super) context: Vec<Token>,
    other_names: Vec<Vec<Token>>,
    title: Vec<Token>,
    task: Option<TaskState>,
    known: OnceLock<Vec<Known>>,
    /// The phrases in each of the sentences, and in the context.
    phrases: OnceLock<Vec<Vec<FoundPhrase>>>,
}

struct Piece {
    words: Vec<String>,
    asks: bool,
}

impl Ground {
    /// Reads one or several sentences, without markup.
    ///
    /// `context` are the texts that say what they are about: title first, then headings, parent item, date. `names` are
    /// other names of what the words or their context name; of what the title names if the sentence uses one.
    #[must_use]
    pub fn read(words: &str, context: &[String], names: &[String]) -> Self {
        let sentences = plain_sentences(words);
        let read: Vec<Vec<Token>> = sentences.iter().map(|sentence| tokens(sentence)).collect();
        let unbracketed: Vec<(usize, Vec<Token>)> =
            read.iter().enumerate().filter_map(|(at, sentence)| Some((at, without_brackets(sentence)?))).collect();
        let anchor = Anchor::of(context);
        let dated: Vec<Dated> =
            sentences.iter().enumerate().filter_map(|(at, sentence)| dated(at, sentence, &anchor)).collect();
        let mut surroundings = Vec::new();
        for text in context.iter().chain(names) {
            surroundings.extend(tokens(text));
            surroundings.extend(tokens("."));
        }
        Self {
            texts: context.iter().cloned().chain([words.to_owned()]).collect(),
            pieces: sentences.iter().map(String::as_str).chain([words]).map(Piece::new).collect(),
            around: context.iter().map(|text| normal(text)).collect(),
            leaning: Leaning::of(words),
            german: German::default(),
            arcs: (0..read.len() + unbracketed.len() + dated.len()).map(|_| OnceLock::new()).collect(),
            sentences: read,
            unbracketed,
            dated,
            context: surroundings,
            other_names: names.iter().map(|name| tokens(name)).filter(|name| !name.is_empty()).collect(),
            title: context.first().map(|title| tokens(title)).unwrap_or_default(),
            task: None,
            known: OnceLock::new(),
            phrases: OnceLock::new(),
        }
    }

    /// The same, said of a task: what is ticked was done, and what is not is still to be done.
    #[must_use]
    pub fn as_task(self, state: TaskState) -> Self {
        Self { task: Some(state), ..self }
    }

    /// Whether it is a task that nobody has begun.
    pub(super) fn is_to_do(&self) -> bool {
        self.task == Some(TaskState::Open)
    }

    /// What its language seems to be.
    pub(super) fn leaning(&self) -> Leaning {
        self.leaning
    }

    /// It as German.
    pub(super) fn german(&self) -> Text<'_> {
        let (words, context) =
            self.texts.split_last().map_or(("", &[][..]), |(words, context)| (words.as_str(), context));
        Text { words, context, task: self.task, read: &self.german }
    }

    /// Whether the sentence is one of its own, or all of them; the title may stand in front.
    pub(super) fn is_quoted_by(&self, sentence: &str) -> bool {
        let own = Piece::new(sentence);
        self.pieces.iter().filter(|piece| !piece.words.is_empty() && piece.asks == own.asks).any(|piece| {
            let behind = |lead: &Vec<String>| own.words.strip_prefix(lead.as_slice()) == Some(piece.words.as_slice());
            piece.words == own.words || self.around.iter().any(behind)
        })
    }

    /// Whether words stand in it one behind the other.
    pub(super) fn has_run(&self, run: &[String]) -> bool {
        self.pieces.iter().map(|piece| &piece.words).chain(&self.around).any(|words| contains_run(words, run))
    }

    pub(super) fn has_sign(&self, sign: char) -> bool {
        self.texts.iter().any(|text| text.contains(sign))
    }

    /// The title's tokens, when a sentence uses another name for it.
    pub(super) fn renamed(&self, sentence: &[Token]) -> &[Token] {
        let has =
            |name: &Vec<Token>| sentence.windows(name.len()).any(|w| w.iter().zip(name).all(|(a, b)| a.stem == b.stem));
        if self.other_names.iter().any(has) { &self.title } else { &[] }
    }

    /// Its sentences, each with what surrounds it; one with something in brackets a second time without, one that speaks of
    /// another day by the note's a second time with that day.
    pub(super) fn quotes(&self) -> impl Iterator<Item = Quote<'_>> {
        let dated = self.dated.iter().map(|dated| (dated.of, &dated.tokens));
        let unbracketed = self.unbracketed.iter().map(|(of, tokens)| (*of, tokens));
        let texts = self.sentences.iter().enumerate().chain(unbracketed).chain(dated);
        texts.zip(&self.arcs).enumerate().map(|(at, ((of, tokens), arcs))| {
            let stands_for = tokens.first().is_some_and(|t| PRONOUNS.contains(&t.lower.as_str()));
            let leans = stands_for && at < self.sentences.len();
            let before = at.checked_sub(1).filter(|_| leans).and_then(|at| self.sentences.get(at));
            let before = before.map_or(&[][..], Vec::as_slice);
            Quote { ground: self, of, tokens, context: &self.context, before, arcs, task: self.task }
        })
    }

    /// All tokens, of words and context, and the days that they mean.
    pub(super) fn all(&self) -> impl Iterator<Item = &Token> {
        self.sentences.iter().flatten().chain(&self.context).chain(self.dated.iter().flat_map(Dated::resolved))
    }

    /// Whether a word stands in it, or in its context.
    pub(super) fn names(&self, token: &Token) -> bool {
        self.all().any(|theirs| same_name(theirs, token))
    }

    /// Its plain words, each once, with what is known of them.
    pub(super) fn known(&self) -> &[Known] {
        self.known.get_or_init(|| Known::all(self.sentences.iter().flatten().filter(|t| t.kind == Kind::Word)))
    }

    /// Its sentences and its context, each with the phrases in it.
    pub(super) fn phrased(&self) -> impl Iterator<Item = (&[Token], &[FoundPhrase])> {
        let texts = || self.sentences.iter().chain([&self.context]);
        let phrases = self.phrases.get_or_init(|| texts().map(|text| phrases_in(text)).collect());
        texts().map(Vec::as_slice).zip(phrases.iter().map(Vec::as_slice))
    }
}

impl Piece {
    fn new(text: &str) -> Self {
        let asks = text.trim_end_matches(['"', '”', ')', ' ']).ends_with(['?', '？']);
        Self { words: normal(text), asks }
    }
}

/// Says how much there is, never the words.
impl fmt::Debug for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ground({} sentences)", self.sentences.len())
    }
}

/// A sentence of the notes, with what surrounds it.
#[derive(Clone, Copy)]
pub(super) struct Quote<'t> {
    ground: &'t Ground,
    /// Which sentence of the words it is.
    of: usize,
    pub(super) tokens: &'t [Token],
    pub(super) context: &'t [Token],
    /// The sentence before, where this one begins with a pronoun that stands for something in it.
    pub(super) before: &'t [Token],
    arcs: &'t OnceLock<Arcs>,
    /// The state of the task that it is.
    pub(super) task: Option<TaskState>,
}

impl<'t> Quote<'t> {
    /// What stands around it, and may be what it speaks of: context, and the sentence before. Of *Nele's brother* only the
    /// brother.
    pub(super) fn around(&self) -> impl Iterator<Item = &'t Token> {
        [self.context, self.before].into_iter().flat_map(|tokens| {
            let is = |at: usize, word: &str| tokens.get(at).is_some_and(|t| t.lower == word);
            let owns = move |at: usize| is(at + 1, "'s") || (is(at + 1, "and") && is(at + 3, "'s"));
            let owned = move |at: usize| at.checked_sub(1).is_some_and(|before| is(before, "of"));
            tokens.iter().enumerate().filter(move |(at, _)| !owns(*at) && !owned(*at)).map(|(_, token)| token)
        })
    }

    /// Whether another is a sentence of the same words.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        std::ptr::eq(self.ground, other.ground)
    }

    /// Whether another is the same sentence, read otherwise.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.is_beside(other) && self.of == other.of
    }

    /// Whether it is a row of a table.
    pub(super) fn is_row(&self) -> bool {
        self.tokens.iter().any(|t| t.kind == Kind::Mark('|'))
    }

    /// Where a word stands of which something holds.
    pub(super) fn places(&self, is: impl Fn(&Token) -> bool) -> impl Iterator<Item = usize> {
        self.tokens.iter().enumerate().filter(move |(_, token)| is(token)).map(|(at, _)| at)
    }

    /// How it is read.
    pub(super) fn reading(&self) -> &'t Arcs {
        self.arcs.get_or_init(|| Arcs::read(self.tokens))
    }
}

/// The places of quotes at which a word stands of which something holds.
pub(super) fn places<'q, 't>(
    quotes: &'q [Quote<'t>],
    is: impl Fn(&Token) -> bool + Copy + 'q,
) -> impl Iterator<Item = (&'q Quote<'t>, usize)> {
    quotes.iter().flat_map(move |quote| quote.places(is).map(move |at| (quote, at)))
}

/// Whether a word of one quote stands in another sentence of them, too.
pub(super) fn stands_elsewhere(quotes: &[Quote<'_>], quote: &Quote<'_>, word: &Token) -> bool {
    quotes.iter().any(|other| !other.is_same(quote) && other.places(|t| t.stem == word.stem).next().is_some())
}

/// Whether there are any, and it holds of all of them.
pub(super) fn one_and_all<T>(items: impl IntoIterator<Item = T>, holds: impl Fn(T) -> bool) -> bool {
    let mut items = items.into_iter();
    items.next().is_some_and(|first| holds(first) && items.all(holds))
}

/// A sentence without what stands in brackets; none if nothing does, or nothing else.
fn without_brackets(sentence: &[Token]) -> Option<Vec<Token>> {
    let mut depth = 0_usize;
    let mut kept = Vec::new();
    for token in sentence {
        match token.kind {
            Kind::Mark('(' | '[') => depth += 1,
            Kind::Mark(')' | ']') => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(token.clone()),
            _ => {}
        }
    }
    (kept.len() < sentence.len() && kept.iter().any(Token::says)).then_some(kept)
}
