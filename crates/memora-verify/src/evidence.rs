//! What the notes say, as far as verification may know it.
//!
//! Verification reads no files. It asks an [`Evidence`], implemented by the engine, which re-reads the note of each
//! citation there and then. The one rule to know: **a [`Passage`] is made of a [`Rechecked`] and of nothing else**, so
//! that whatever rests on one was re-read.

use std::fmt;
use std::sync::{Arc, OnceLock};

use memora_claim::{SourceChange, ClaimId, Rechecked};
use memora_vault::{Band, LineColumn, NotePath, Span, TaskState, Zone};

use crate::citation::{CitedLink, CitedQuote};
use crate::draft;
use crate::words::to_comparable;
use memora_entail::Premise;

/// Looks citations up and re-reads what they name, for one door.
///
/// It answers for the door it was made for: a claim which that door may not see is [`Failure::Redacted`] when asked for
/// by its handle, and [`Failure::UnknownId`] when asked for by its id, because a guessed id would confirm a guess.
pub trait Evidence {
    /// Looks up a statement or claim, and re-reads its sources.
    fn resolve_id(&self, id: &ClaimId) -> CitationResolution;

    /// Looks up the handle of a guarded claim, given without its `~`, in lower case.
    fn resolve_handle(&self, handle: &str) -> CitationResolution;
}

/// Finds what is cited by its place or by its words, and re-reads it, for one door.
///
/// What the door may not see is not there: a link to a guarded note fares like one to no note at all, and words that stand
/// in guarded text alone are not found.
pub trait PlaceResolver: Evidence {
    /// Follows a link.
    fn resolve_link(&self, link: &CitedLink) -> PlaceResolution;

    /// Looks for words.
    fn resolve_quote(&self, quote: &CitedQuote) -> PlaceResolution;
}

/// What a link or a quotation leads to.
#[derive(Clone, Debug)]
pub enum PlaceResolution {
    /// To all of this, each part by itself; never empty. Of a link the parts are blocks of the note (a paragraph, a list
    /// item, a table row), of a quotation the places where its words stand, each part in order of the file.
    Resolved(Vec<Vec<CitedPassage>>),
    /// To nothing that can be used here.
    Failed(CitationFailure),
}

/// What became of a citation that could be read.
#[derive(Clone, Debug)]
pub enum CitationResolution {
    /// Its words stand in the note now.
    Resolved(CitedPassage),
    /// They don't, or may not be used here.
    Failed(CitationFailure),
}

/// Why a citation that could be read doesn't stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CitationFailure {
    /// The note no longer says it, or no longer says it in that way.
    Changed(SourceChange),
    /// The note is gone.
    MissingNote,
    /// No such claim.
    UnknownId,
    /// Retracted by the user, or its last source went.
    Withdrawn,
    /// It stands, and something newer replaced it.
    Superseded,
    /// It exists, and was not in the context that was given to the model.
    NotOffered,
    /// It may not be seen through this door.
    Redacted,
    /// There is no such note, heading or block, or no note with these words.
    UnknownPlace,
    /// It may lead to several notes or headings, and none is guessed.
    Ambiguous,
    /// It is the text itself that it leads to: no text bears itself out.
    SelfCitation,
    /// It stands where a machine wrote it down, and nowhere else.
    Captured,
}

/// What verification found for a citation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CitationVerdict {
    /// Its words stand where they stood.
    Verified,
    /// The same words stand elsewhere now; counts as verified.
    Moved,
    /// It doesn't stand.
    Failed(CitationFailure),
    /// It looks like a citation and can't be read.
    Malformed,
}

impl CitationVerdict {
    /// The word for it, as in output.
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

    /// Whether the sentence may rest on it.
    #[must_use]
    pub fn is_valid(self) -> bool {
        matches!(self, Self::Verified | Self::Moved)
    }

    /// One line for people.
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
            Self::Failed(CitationFailure::UnknownPlace) => "there is no such note, heading or block, or none with these words",
            Self::Failed(CitationFailure::Ambiguous) => "this may lead to several places, and none is guessed",
            Self::Failed(CitationFailure::SelfCitation) => "this leads to the text itself, and no text bears itself out",
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

/// Words of a note that were re-read a moment ago, with what gives them their meaning.
///
/// Proves: everything in it was taken from a [`Rechecked`], or is a name for something named there. The only maker is
/// [`Passage::of`]. It owns its words, so it outlives the note in memory: keep it for one answer, never longer.
///
/// ```compile_fail,E0451
/// use memora_verify::Passage;
/// fn forged() -> Passage {
///     Passage { words: "drift is late".into(), ..unimplemented!() }
/// }
/// ```
/// ```
/// use memora_claim::Rechecked;
/// use memora_verify::Passage;
/// fn honest(rechecked: &Rechecked<'_>) -> Passage {
///     Passage::of(rechecked)
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
    /// Whether it stands in a block quote, whose "I" is somebody else.
    is_quote: bool,
    premise: LazyPremise,
}

impl CitedPassage {
    /// Takes the words and their context: title, aliases, headings, parent, the note's date, and whom a pronoun in front
    /// stands for.
    #[must_use]
    pub fn from_rechecked(rechecked: &Rechecked<'_>) -> Self {
        let note = rechecked.note();
        // Not the quote's markdown: what is struck out or commented there is not said.
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
            // The context's bands are in it: a row's band joins its headings' and its note's.
            band: rechecked.band(),
            moved: rechecked.has_moved(),
            task: rechecked.task_state(),
            is_quote: note.zone_at(rechecked.span().start()) == Zone::Quote,
            premise: LazyPremise::default(),
        }
    }

    /// Adds another name of something that is named here; does nothing when `name` isn't.
    ///
    /// `band` is the band of the place that says so, and is joined.
    #[must_use]
    pub fn with_alias(mut self, name: &str, other: &str, band: Band) -> Self {
        let named = |text: &String| crate::words::mentions_name(text, name);
        if named(&self.words) || self.context.iter().any(named) {
            self.names.push(other.to_owned());
            self.band = self.band.join(band);
            self.premise = LazyPremise::default();
        }
        self
    }

    /// The note.
    #[must_use]
    pub fn note(&self) -> &NotePath {
        &self.note
    }

    /// Where the words stand now.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// The same as editors count it.
    #[must_use]
    pub fn position(&self) -> LineColumn {
        self.position
    }

    /// The words as in the file, markup included.
    #[must_use]
    pub fn quote(&self) -> &str {
        &self.quote
    }

    /// The words without markup.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The texts that give the words their meaning: title, headings outermost first, parent, date.
    #[must_use]
    pub fn context(&self) -> &[String] {
        &self.context
    }

    /// Other names of what is named in it: aliases.
    #[must_use]
    pub fn aliases(&self) -> &[String] {
        &self.names
    }

    /// The same as what a sentence may rest on, read when it is first asked for.
    #[must_use]
    pub fn premise(&self) -> &Premise {
        let read = || {
            let all = |texts: &[String]| texts.iter().map(|text| to_comparable(text)).collect::<Vec<_>>();
            let premise = Premise::new(&to_comparable(&self.words)).with_context(&all(&self.context));
            premise.with_aliases(&all(&self.names)).as_open_task(self.is_open_task()).by_owner(!self.is_quote)
        };
        self.premise.0.get_or_init(read)
    }

    /// Whether it is a task that is still to be done.
    #[must_use]
    pub fn is_open_task(&self) -> bool {
        self.task.is_some_and(|state| state != TaskState::Done)
    }

    /// The join of all it was drawn from.
    #[must_use]
    pub fn band(&self) -> Band {
        self.band
    }

    /// Whether the words stand elsewhere than they did.
    #[must_use]
    pub fn has_moved(&self) -> bool {
        self.moved
    }
}

/// A passage as it was read, shared by its copies.
#[derive(Clone, Default)]
struct LazyPremise(Arc<OnceLock<Premise>>);

/// It follows from the rest of a passage.
impl PartialEq for LazyPremise {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for LazyPremise {}

/// Says where and how secret, never the words.
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
            premise: LazyPremise::default(),
        }
    }
}
