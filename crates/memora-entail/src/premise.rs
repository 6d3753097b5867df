//! What a sentence may rest on: [`Premise`], words of a note with what gives them their meaning, read once.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, OnceLock};

use memora_nlp::WordSenses;

use crate::actor::{Actor, actors};
use crate::graph::Graph;
use crate::ideograph::counted;
use crate::passage::Passage;
use crate::said::{Said, said};
use crate::syntax::graphs;
use crate::text::{Text, without_math};
use memora_nlp::time::find_relative_days;
use memora_nlp::time::{Date, days_from_civil, parse_iso_date};

/// Cited words of a note, read once for all sentences.
///
/// It holds only words. Where they come from, and whether they still stand there, is for the caller to prove.
///
/// ```
/// use memora_entail::{Premise, Verdict, judge};
///
/// let premise = Premise::new("Uploads are capped at 5 MB.").with_context(&["API"]);
/// let judgement = judge("Uploads are capped at 8 MB.", &[&premise]);
/// assert_eq!(judgement.verdict(), Verdict::Contradicted);
/// assert_eq!(judgement.explanation(), "the note says 5 MB, not 8 MB");
/// ```
pub struct Premise {
    pub(crate) words: Text,
    pub(crate) context: Vec<Text>,
    pub(crate) aliases: Vec<Text>,
    pub(crate) note_day: Option<i64>,
    /// The lines of the whole note, each with its number.
    pub(crate) note: Option<Arc<[(usize, String)]>>,
    pub(crate) by_owner: bool,
    pub(crate) is_open_task: bool,
    pub(crate) stems: HashSet<String>,
    /// What its dates and day words may mean, context included.
    pub(crate) dates: Vec<Date>,
    /// Every plain number, context included.
    pub(crate) raw_numbers: Vec<f64>,
    /// The words as alignment reads them, made when first asked for.
    aligned: OnceLock<Option<Passage>>,
    /// What its words with content may mean, looked up when first asked for.
    meanings: OnceLock<Vec<WordSenses>>,
    /// What its words say, verb by verb, read when first asked for.
    said: OnceLock<Vec<Said>>,
    /// The dependency graphs of its words, made when first asked for.
    graphs: OnceLock<Vec<Graph>>,
    /// Who does what in its words, read when first asked for.
    actors: OnceLock<Vec<Actor>>,
}

impl Premise {
    /// Reads the words of one statement or of a few, without markup.
    #[must_use]
    pub fn new(words: &str) -> Self {
        let mut premise = Self {
            words: Text::read(&without_math(words)),
            context: Vec::new(),
            aliases: Vec::new(),
            note_day: None,
            note: None,
            by_owner: true,
            is_open_task: false,
            stems: HashSet::new(),
            dates: Vec::new(),
            raw_numbers: Vec::new(),
            aligned: OnceLock::new(),
            meanings: OnceLock::new(),
            said: OnceLock::new(),
            graphs: OnceLock::new(),
            actors: OnceLock::new(),
        };
        premise.collect();
        premise
    }

    /// Adds what the words are about: title, headings outermost first, parent item, column names. One that is a day
    /// (`2026-02-03`) is the note's date.
    #[must_use]
    pub fn with_context<T: AsRef<str>>(mut self, context: &[T]) -> Self {
        self.note_day = context.iter().rev().find_map(|text| parse_iso_date(text.as_ref())).or(self.note_day);
        self.context.extend(context.iter().map(|text| Text::read(text.as_ref())));
        self.collect();
        self
    }

    /// Adds other names of what the words or their context name.
    #[must_use]
    pub fn with_aliases<T: AsRef<str>>(mut self, aliases: &[T]) -> Self {
        self.aliases.extend(aliases.iter().map(|text| Text::read(text.as_ref())));
        self.collect();
        self
    }

    /// Adds the lines of the whole note, each with its number: what only they say is not missing, and nothing is proven by it.
    #[must_use]
    pub fn within_note(mut self, lines: Arc<[(usize, String)]>) -> Self {
        self.note = Some(lines);
        self
    }

    /// Sets the day on which the note was written, so that its day words mean something.
    #[must_use]
    pub fn written_on(mut self, year: i32, month: u32, day: u32) -> Self {
        if (1..=12).contains(&month) && (1..=31).contains(&day) {
            self.note_day = Some(days_from_civil(year, month, day));
        }
        self.collect();
        self
    }

    /// Says whether the owner of the notes wrote the words, who is *I* there and *you* to an assistant. True unless told.
    #[must_use]
    pub fn by_owner(mut self, by_owner: bool) -> Self {
        self.by_owner = by_owner;
        (self.aligned, self.graphs) = (OnceLock::new(), OnceLock::new());
        self
    }

    /// Says whether the words are a task that is not done: what they say has not happened. False unless told.
    #[must_use]
    pub fn as_open_task(mut self, is_open_task: bool) -> Self {
        self.is_open_task = is_open_task;
        self
    }

    /// All its texts: words first, then context and aliases.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &Text> {
        std::iter::once(&self.words).chain(&self.context).chain(&self.aliases)
    }

    /// Who does what in its words.
    pub(crate) fn actors(&self) -> &[Actor] {
        self.actors.get_or_init(|| actors(&self.words.source))
    }

    /// The words as alignment reads them; none if they are too many.
    pub(crate) fn passage(&self) -> Option<&Passage> {
        self.aligned.get_or_init(|| Passage::read(&self.words, &self.context, &self.aliases, self.by_owner)).as_ref()
    }

    /// What its words with content may mean, each word once.
    pub(crate) fn meanings(&self) -> &[WordSenses] {
        self.meanings.get_or_init(|| {
            let content = self.texts().flat_map(|text| &text.tokens).filter(|token| token.is_content());
            let distinct: HashSet<&str> = content.map(|token| token.lower.as_str()).collect();
            distinct.into_iter().map(WordSenses::look_up).collect()
        })
    }

    /// What its words say, verb by verb.
    pub(crate) fn said(&self) -> &[Said] {
        self.said.get_or_init(|| said(&self.words))
    }

    /// The dependency graphs of its words, piece by piece.
    pub(crate) fn graphs(&self) -> &[Graph] {
        self.graphs.get_or_init(|| graphs(&self.words, self.by_owner))
    }

    fn collect(&mut self) {
        let stems = self.texts().flat_map(|text| &text.tokens).map(|token| token.stem.clone()).collect();
        let ideographs = self.texts().flat_map(|text| counted(&text.source)).map(|counted| counted.value);
        let numbers = self.texts().flat_map(Text::raw_numbers).chain(ideographs).collect();
        let mut dates: Vec<Date> = self.texts().flat_map(|text| text.dates.iter().cloned()).collect();
        // The day on which a note was written is no date that it speaks of.
        for date in dates.iter_mut().filter(|date| self.note_day.is_some() && date.to_day_number() == self.note_day) {
            date.written = self.words.dates.iter().any(|own| own.to_day_number() == date.to_day_number());
        }
        if let Some(note) = self.note_day {
            dates.extend(find_relative_days(&self.words.tokens, note));
            dates.push(Date::from_day_number(note));
            let year = Date::from_day_number(note).year;
            for date in &mut dates {
                // `12 Apr` of a note may be of its year or of the one beside it; its weekday is only known of the former.
                if date.year.is_none() && date.day.is_some() && date.weekday.is_none() {
                    date.weekday = Date { year, ..date.clone() }.day_of_week();
                }
            }
        }
        (self.stems, self.raw_numbers, self.dates) = (stems, numbers, dates);
        (self.aligned, self.meanings) = (OnceLock::new(), OnceLock::new());
    }
}

/// Says how much there is, never the words.
impl fmt::Debug for Premise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Premise({} tokens, {} texts of context)", self.words.tokens.len(), self.context.len())
    }
}
