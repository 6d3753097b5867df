//! Access to the notes, as far as verification may see them.
//!
//! Verification reads no files. It queries an [`Evidence`], implemented by the engine, which re-reads the note of each
//! citation on the spot. Invariant: **a [`CitedPassage`] is built from a [`Rechecked`] and from nothing else**, so
//! that everything that rests on a passage was re-read.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, OnceLock};

use memora_claim::{ClaimId, NoteLine, Rechecked, SourceChange};
use memora_vault::{Band, LineColumn, NotePath, Span, TaskState, Zone};

use crate::citation::{CitedLink, CitedQuote};
use crate::comparison::to_comparable;
use crate::draft;
use memora_entail::{Judgement, Premise, judge};

/// Resolves citations and re-reads their targets, for one door.
///
/// Results depend on the door: a claim that the door may not see is [`CitationFailure::Redacted`] when looked up
/// by its handle, and [`CitationFailure::UnknownId`] when looked up by its id: anything else would confirm a guess.
pub trait Evidence {
    /// Resolves a statement or claim, and re-reads its sources.
    fn resolve_id(&self, id: &ClaimId) -> CitationResolution;

    /// Resolves the handle of a guarded claim, given without its `~`, in lower case.
    fn resolve_handle(&self, handle: &str) -> CitationResolution;
}

/// Resolves links and quotations and re-reads their targets, for one door.
///
/// Text that the door may not see does not exist for it: a link to a guarded note is treated like a link to no note,
/// and words that occur only in guarded text are not found.
pub trait PlaceResolver: Evidence {
    /// Resolves a link.
    fn resolve_link(&self, link: &CitedLink) -> PlaceResolution;

    /// Finds the places that contain quoted words.
    fn resolve_quote(&self, quote: &CitedQuote) -> PlaceResolution;
}

/// The target of a link or a quotation.
#[derive(Clone, Debug)]
pub enum PlaceResolution {
    /// All parts of the target; never empty. The parts of a link are blocks of the note (a paragraph, a list
    /// item, a table row), those of a quotation the places that contain its words, each in order of the file.
    Resolved(Vec<Vec<CitedPassage>>),
    /// There is no target that can be used here.
    Failed(CitationFailure),
}

/// The result of resolving a well-formed citation.
#[derive(Clone, Debug)]
pub enum CitationResolution {
    /// The cited words are in the note now.
    Resolved(CitedPassage),
    /// They are not, or may not be used here.
    Failed(CitationFailure),
}

/// Why a well-formed citation is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CitationFailure {
    /// The note no longer contains the words, or no longer in that way.
    Changed(SourceChange),
    /// The note is gone.
    MissingNote,
    /// There is no such claim.
    UnknownId,
    /// The user retracted it, or its last source is gone.
    Withdrawn,
    /// It is still in the note, but something newer replaced it.
    Superseded,
    /// It exists, but was not in the context given to the model.
    NotOffered,
    /// It may not be seen through this door.
    Redacted,
    /// There is no such note, heading or block, or no note with these words.
    UnknownPlace,
    /// It matches several notes or headings; the choice is not guessed.
    Ambiguous,
    /// It leads to the text itself: a text cannot be its own evidence.
    SelfCitation,
    /// It occurs only in notes written by a machine.
    Captured,
}

/// The verdict on a citation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CitationVerdict {
    /// Its words are where they were.
    Verified,
    /// Its words are elsewhere now; counts as verified.
    Moved,
    /// It is not valid.
    Failed(CitationFailure),
    /// It looks like a citation and can't be parsed.
    Malformed,
}

impl CitationVerdict {
    /// Returns the name used in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Moved => "moved",
            Self::Failed(CitationFailure::Changed(_)) => "changed",
            Self::Failed(CitationFailure::MissingNote) => "missing_note",
            Self::Failed(CitationFailure::UnknownId) => "unknown_id",
            Self::Failed(CitationFailure::Withdrawn) => "withdrawn",
            Self::Failed(CitationFailure::Superseded) => "superseded",
            Self::Failed(CitationFailure::NotOffered) => "not_offered",
            Self::Failed(CitationFailure::Redacted) => "redacted",
            Self::Failed(CitationFailure::UnknownPlace) => "unknown_place",
            Self::Failed(CitationFailure::Ambiguous) => "ambiguous",
            Self::Failed(CitationFailure::SelfCitation) => "itself",
            Self::Failed(CitationFailure::Captured) => "captured",
            Self::Malformed => "malformed",
        }
    }

    /// Whether a sentence may rest on it.
    #[must_use]
    pub fn is_valid(self) -> bool {
        matches!(self, Self::Verified | Self::Moved)
    }

    /// Returns a one-line explanation for people.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Verified => "the cited words were re-read and stand",
            Self::Moved => "the cited words were re-read and stand in another place now",
            Self::Failed(CitationFailure::Changed(change)) => match change {
                SourceChange::Gone => "the cited words are not in the note any more",
                SourceChange::Edited => "the cited words stand only in part, or inside a longer sentence",
                SourceChange::Struck => "the cited words are struck out now",
                SourceChange::Commented => "the cited words stand in a comment now",
                SourceChange::Fenced => "the cited words stand in code now",
                SourceChange::Quoted => "the cited words stand in a quote now",
                SourceChange::Relocated => "the cited words stand under another heading now",
                SourceChange::Ambiguous => "the cited words stand in several places now, and none is the one meant",
            },
            Self::Failed(CitationFailure::MissingNote) => "the cited note is gone",
            Self::Failed(CitationFailure::UnknownId) => "there is no such claim",
            Self::Failed(CitationFailure::Withdrawn) => "the claim was withdrawn",
            Self::Failed(CitationFailure::Superseded) => "the cited words stand, but something newer replaced them",
            Self::Failed(CitationFailure::NotOffered) => "the claim exists, but was not in the context of this answer",
            Self::Failed(CitationFailure::Redacted) => {
                "this may not be seen here, if it is there, and its sentence was not judged"
            }
            Self::Failed(CitationFailure::UnknownPlace) => {
                "there is no such note, heading or block, or none with these words"
            }
            Self::Failed(CitationFailure::Ambiguous) => "this may lead to several places, and none is guessed",
            Self::Failed(CitationFailure::SelfCitation) => {
                "this leads to the text itself, and no text bears itself out"
            }
            Self::Failed(CitationFailure::Captured) => "a machine wrote this down, and no note of yours says it",
            Self::Malformed => "this looks like a citation and cannot be read",
        }
    }
}

impl fmt::Display for CitationVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Text of a note that was re-read a moment ago, with its context.
///
/// Proves: all of it was taken from a [`Rechecked`], or is an alias of something named there. The only constructor is
/// [`CitedPassage::from_rechecked`]. It owns its text and so outlives the note in memory: keep it for one answer, never longer.
///
/// ```compile_fail,E0451
/// use memora_verify::CitedPassage;
/// fn forged() -> CitedPassage {
///     CitedPassage { words: "drift is late".into(), ..unimplemented!() }
/// }
/// ```
/// ```
/// use memora_claim::Rechecked;
/// use memora_verify::CitedPassage;
/// fn honest(rechecked: &Rechecked<'_>) -> CitedPassage {
///     CitedPassage::from_rechecked(rechecked)
/// }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct CitedPassage {
    note: NotePath,
    span: Span,
    position: LineColumn,
    quote: String,
    words: String,
    context: Vec<String>,
    names: Vec<String>,
    band: Band,
    moved: bool,
    task: Option<TaskState>,
    /// Whether it is in a block quote, whose "I" is another person.
    is_quote: bool,
    /// The lines of the whole note that whoever may see this one may see, its path first.
    note_lines: Arc<[NoteLine]>,
    premise: LazyPremise,
}

impl CitedPassage {
    /// Takes the words and their context: title, aliases, headings, parent, the note's date, and the antecedent of a
    /// leading pronoun.
    #[must_use]
    pub fn from_rechecked(rechecked: &Rechecked<'_>) -> Self {
        let note = rechecked.note();
        // Not the quote's markdown: struck-out or commented text is not asserted.
        let words = rechecked.words();
        let mut context = vec![note.title().to_owned()];
        context.extend(rechecked.headings().iter().cloned());
        context.extend(rechecked.parent().map(draft::plain_text));
        context.extend(note.date().map(|date| date.to_string()));
        context.extend(crate::antecedent::find_antecedent(&words, rechecked.preceding_sentences()));
        Self {
            note: note.path().clone(),
            span: rechecked.span(),
            position: note.line_column(rechecked.span().start()),
            quote: rechecked.quote().to_owned(),
            words,
            context,
            names: note.aliases().iter().filter(|a| a.band <= rechecked.band()).map(|a| a.text.clone()).collect(),
            // The context's bands are included: a row's band joins its headings' and its note's.
            band: rechecked.band(),
            moved: rechecked.has_moved(),
            task: rechecked.task_state(),
            is_quote: note.zone_at(rechecked.span().start()) == Zone::Quote,
            note_lines: rechecked.note_lines(),
            premise: LazyPremise::default(),
        }
    }

    /// Adds the name of the notes' owner, who is *I* in their own words: whoever is named so is not missing.
    #[must_use]
    pub fn with_owner(mut self, name: &str) -> Self {
        if !self.is_quote {
            self.names.push(name.to_owned());
            self.premise = LazyPremise::default();
        }
        self
    }

    /// Adds an alias of something that is named here; does nothing if `name` does not occur.
    ///
    /// `band` is the band of the place that states the alias, and is joined.
    #[must_use]
    pub fn with_alias(mut self, name: &str, other: &str, band: Band) -> Self {
        let named = |text: &String| crate::comparison::mentions_name(text, name);
        if named(&self.words) || self.context.iter().any(named) {
            self.names.push(other.to_owned());
            self.band = self.band.join(band);
            self.premise = LazyPremise::default();
        }
        self
    }

    /// The same without the other lines of its note, where the statements that bear a sentence out are still to be chosen.
    pub(crate) fn without_note_lines(self) -> Self {
        Self { note_lines: Arc::default(), premise: LazyPremise::default(), ..self }
    }

    /// Returns the note.
    #[must_use]
    pub fn note(&self) -> &NotePath {
        &self.note
    }

    /// Returns the current span of the words.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the line and column, as editors count them.
    #[must_use]
    pub fn position(&self) -> LineColumn {
        self.position
    }

    /// Returns the words as in the file, including markup.
    #[must_use]
    pub fn quote(&self) -> &str {
        &self.quote
    }

    /// Returns the words without markup.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Returns the context of the words: title, headings outermost first, parent, date.
    #[must_use]
    pub fn context(&self) -> &[String] {
        &self.context
    }

    /// Returns the aliases of things named in it.
    #[must_use]
    pub fn aliases(&self) -> &[String] {
        &self.names
    }

    /// Returns it as a premise for entailment, computed on first use.
    #[must_use]
    pub fn premise(&self) -> &Premise {
        let read = || {
            let all = |texts: &[String]| texts.iter().map(|text| to_comparable(text)).collect::<Vec<_>>();
            let premise = Premise::new(&to_comparable(&self.words)).with_context(&all(&self.context));
            let premise = premise.with_aliases(&all(&self.names)).within_note(Arc::clone(&self.note_lines));
            premise.as_open_task(self.is_open_task()).by_owner(!self.is_quote)
        };
        self.premise.0.get_or_init(read)
    }

    /// Returns the words by which this, which is newer, ends what an older passage says, if it has any.
    #[must_use]
    pub fn ends(&self, older: &Self) -> Option<String> {
        memora_entail::overtaken(self.premise(), older.premise())
    }

    /// Whether this, which is newer, has most of the words of an older passage.
    #[must_use]
    pub fn speaks_of(&self, older: &Self) -> bool {
        memora_entail::speaks_of(self.premise(), older.premise())
    }

    /// Returns the value that this, which is newer, gives of a state in the words of an older passage, if it gives another.
    #[must_use]
    pub fn changed_value(&self, older: &Self) -> Option<String> {
        memora_entail::changed_value(self.premise(), older.premise())
    }

    /// Whether it is an unfinished task.
    #[must_use]
    pub fn is_open_task(&self) -> bool {
        self.task.is_some_and(|state| state != TaskState::Done)
    }

    /// Returns the join of the bands of all that it was taken from.
    #[must_use]
    pub fn band(&self) -> Band {
        self.band
    }

    /// Whether the words have moved since they were indexed.
    #[must_use]
    pub fn has_moved(&self) -> bool {
        self.moved
    }
}

/// A passage's premise, computed once and shared by its copies.
#[derive(Clone, Default)]
struct LazyPremise(Arc<OnceLock<Premise>>);

/// It is derived from the rest of a passage.
impl PartialEq for LazyPremise {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for LazyPremise {}

/// Prints position and band, never the words.
impl fmt::Debug for CitedPassage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Passage({:?} at {:?}, {})", self.note, self.span, self.band)
    }
}

#[cfg(test)]
impl CitedPassage {
    /// Made of words instead of a re-read note, for the tests of this crate alone.
    pub(crate) fn for_test(path: &str, words: &str, context: &[&str], band: Band) -> Self {
        let path = NotePath::new(path).expect("a good path");
        let (note, _) = memora_vault::Note::parse(path.clone(), words.to_owned(), memora_vault::PathContext::default());
        let span = note.span(0..words.len()).expect("the whole note");
        Self {
            note: path,
            span,
            position: note.line_column(0),
            quote: words.to_owned(),
            words: draft::plain_text(words),
            context: context.iter().map(|&text| text.to_owned()).collect(),
            names: Vec::new(),
            band,
            moved: false,
            task: None,
            is_quote: false,
            note_lines: Arc::default(),
            premise: LazyPremise::default(),
        }
    }
}

/// A text to be compared with others of its kind, read once: a line that is shown, a memory.
pub struct ComparableText(Premise);

impl ComparableText {
    /// Reads a text.
    #[must_use]
    pub fn new(words: &str) -> Self {
        Self(Premise::new(words))
    }

    /// Whether it ends what an older one says, by its words of change.
    #[must_use]
    pub fn ends(&self, older: &Self) -> bool {
        memora_entail::overtaken(&self.0, &older.0).is_some()
    }

    /// Whether both say the same but for one number, of whatever.
    #[must_use]
    pub fn differs_in_one_number(&self, other: &Self) -> bool {
        memora_entail::differ_in_one_number(&self.0, &other.0)
    }

    /// Whether both say the same of a state, but for one number.
    #[must_use]
    pub fn differs_in_one_value(&self, other: &Self) -> bool {
        memora_entail::differ_in_one_value(&self.0, &other.0)
    }
}

/// Whether a text has a word by which it could end another.
#[must_use]
pub fn has_words_of_change(text: &str) -> bool {
    memora_entail::has_words_of_change(text)
}

/// Whether a text gives a number of a state, of which another could give another one.
#[must_use]
pub fn states_a_number(text: &str) -> bool {
    memora_entail::states_a_number(text)
}

/// The passages of a sentence, each place once.
pub(crate) fn distinct_passages<'p>(passages: &[&'p CitedPassage]) -> Vec<&'p CitedPassage> {
    let mut places = HashSet::new();
    passages.iter().copied().filter(|passage| places.insert((passage.note(), passage.span()))).collect()
}

/// Judges a sentence against passages, which are read together, each once.
pub(crate) fn judge_against_passages(sentence: &str, passages: &[&CitedPassage]) -> Judgement {
    let premises: Vec<_> = distinct_passages(passages).into_iter().map(CitedPassage::premise).collect();
    judge(&to_comparable(sentence), &premises)
}
