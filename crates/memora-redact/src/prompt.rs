//! Prompts: all that a language model is ever sent.
//!
//! A [`Prompt`] is a [`Template`], which is a file of this crate, and what is [`Bound`] for the prompt's door: claims and
//! passages that were re-read and [sorted](crate::sort) for that door, what is left of those that were redacted, and the
//! user's own words, a [`Question`] or an [`Assertion`], and what a model drafted itself, an [`Objection`]. The one rule to know: **there is no other way in.** No other maker
//! takes a string, and none a path or a note;
//! what is not sorted for a cloud door does not fit into a [`CloudPrompt`]:
//!
//! ```
//! use memora_redact::{ClearClaim, CloudDoor, CloudPrompt, LocalDoor, Prompt, Question};
//!
//! fn ask(question: &Question, claims: &[ClearClaim<'_, CloudDoor>]) -> CloudPrompt {
//!     Prompt::answer(question, claims, &[])
//! }
//! ```
//!
//! ```compile_fail,E0308
//! use memora_redact::{ClearClaim, CloudDoor, CloudPrompt, LocalDoor, Prompt, Question};
//!
//! fn ask(question: &Question, claims: &[ClearClaim<'_, LocalDoor>]) -> CloudPrompt {
//!     Prompt::answer(question, claims, &[])
//! }
//! ```
//!
//! A secret claim is not bound for a cloud door until it is redacted:
//!
//! ```
//! use memora_redact::{CloudBound, CloudDoor, RedactedClaim, SecretClaim};
//!
//! fn leaves<T: CloudBound>() {}
//!
//! leaves::<RedactedClaim>();
//! ```
//!
//! ```compile_fail,E0277
//! use memora_redact::{CloudBound, CloudDoor, RedactedClaim, SecretClaim};
//!
//! fn leaves<T: CloudBound>() {}
//!
//! leaves::<SecretClaim<'static, CloudDoor>>();
//! ```
//!
//! Neither is a string, nor can anybody outside make it so:
//!
//! ```compile_fail,E0277
//! use memora_redact::{CloudBound, CloudDoor, RedactedClaim, SecretClaim};
//!
//! fn leaves<T: CloudBound>() {}
//!
//! leaves::<String>();
//! ```

use std::fmt;
use std::marker::PhantomData;

use memora_claim::{Claim, Rechecked};
use memora_vault::Band;

use crate::envelope::{self, EnvelopeValue};
use crate::outline::heading_path;
use crate::{ClearClaim, ClearExcerpt, CloudDoor, Door, LocalDoor, REDACTED, RedactedClaim};

/// What a model is asked to do: a file of this crate each, which the user may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Template {
    /// Answer a question out of claims, with citations.
    Answer,
    /// The same again, out of what could be relied on.
    Repair,
    /// Write some sentences of an answer anew, by what was wrong with each.
    Correct,
    /// List the facts of a passage, each with the words that state it.
    Extract,
    /// Say of sentences whether what they cite says them.
    Judge,
    /// Say of pairs of claims whether both can hold.
    Compare,
    /// Propose how to reword a sentence that rests on what no longer holds.
    Reword,
}

impl Template {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Answer, Self::Repair, Self::Correct, Self::Extract, Self::Judge, Self::Compare, Self::Reword];

    /// Its name, as in the log of what left.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Repair => "repair",
            Self::Correct => "correct",
            Self::Extract => "extract",
            Self::Judge => "judge",
            Self::Compare => "compare",
            Self::Reword => "reword",
        }
    }

    /// What it tells the model.
    #[must_use]
    pub fn instructions(self) -> &'static str {
        match self {
            Self::Answer => include_str!("../prompts/answer.md"),
            Self::Repair => include_str!("../prompts/repair.md"),
            Self::Correct => include_str!("../prompts/correct.md"),
            Self::Extract => include_str!("../prompts/extract.md"),
            Self::Judge => include_str!("../prompts/judge.md"),
            Self::Compare => include_str!("../prompts/compare.md"),
            Self::Reword => include_str!("../prompts/reword.md"),
        }
    }

    /// Sixteen letters over the instructions: what a model made with other instructions is another thing.
    #[must_use]
    pub fn version(self) -> String {
        blake3::hash(self.instructions().as_bytes()).to_hex().chars().take(16).collect()
    }

    /// The JSON schema of the reply, where it is JSON.
    #[must_use]
    pub fn reply_schema(self) -> Option<&'static str> {
        match self {
            Self::Reword => None,
            Self::Answer | Self::Repair => Some(include_str!("../prompts/answer.schema.json")),
            Self::Correct => Some(include_str!("../prompts/correct.schema.json")),
            Self::Extract => Some(include_str!("../prompts/extract.schema.json")),
            Self::Judge => Some(include_str!("../prompts/judge.schema.json")),
            Self::Compare => Some(include_str!("../prompts/compare.schema.json")),
        }
    }
}

/// A question in the user's own words: the one text that is not taken out of the vault.
///
/// Invisible characters are taken out of it, as out of all that a model sees.
#[derive(Clone, PartialEq, Eq)]
pub struct UserQuestion(String);

impl UserQuestion {
    /// The longest question, in characters; the rest of a longer one is left out.
    pub const CHARS_MAX: usize = 4_000;

    /// Takes what the user typed.
    #[must_use]
    pub fn new(typed: &str) -> Self {
        Self(envelope::strip_invisible(typed).chars().take(Self::CHARS_MAX).collect())
    }
}

/// Says how long it is, never the words.
impl fmt::Debug for UserQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Question({} bytes)", self.0.len())
    }
}

/// A sentence of a text that the user has verified: the user's own words, as a [`Question`] is.
///
/// It is sent beside what it cites, so only a sentence that was found to be said by that may be made one: then it says
/// nothing that its passages do not.
#[derive(Clone, PartialEq, Eq)]
pub struct Assertion(String);

impl Assertion {
    /// The longest sentence, in characters; a longer one is none.
    pub const CHARS_MAX: usize = 2_000;

    /// Takes a sentence that was verified; nothing if it is too long to be judged whole.
    #[must_use]
    pub fn new(sentence: &str) -> Option<Self> {
        (sentence.chars().count() <= Self::CHARS_MAX).then(|| Self(envelope::strip_invisible(sentence)))
    }
}

/// Says how long it is, never the words.
impl fmt::Debug for Assertion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Assertion({} bytes)", self.0.len())
    }
}

/// A sentence of a draft that did not hold, and why: the words of the model that drafted it, and of the notes that it cites.
///
/// It is sent back to that model alone, and only while all that it cites may be seen by it.
#[derive(Clone, PartialEq, Eq)]
pub struct Objection {
    number: usize,
    sentence: String,
    wrong: String,
}

impl Objection {
    /// Takes the sentence with this number, and what is wrong with it. What is longer than an [`Assertion`] is cut off.
    #[must_use]
    pub fn new(number: usize, sentence: &str, wrong: &str) -> Self {
        let cut = |text: &str| envelope::strip_invisible(text).chars().take(Assertion::CHARS_MAX).collect();
        Self { number, sentence: cut(sentence), wrong: cut(wrong) }
    }
}

/// Says which, never the words.
impl fmt::Debug for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Objection({}, {} bytes)", self.number, self.sentence.len())
    }
}

mod sealed {
    pub trait Sealed {}
    impl<D: crate::Door> Sealed for crate::ClearClaim<'_, D> {}
    impl<D: crate::Door> Sealed for crate::ClearExcerpt<'_, D> {}
    impl Sealed for crate::RedactedClaim {}
    impl Sealed for super::Assertion {}
    impl Sealed for super::Objection {}
    impl Sealed for super::UserQuestion {}
}

/// What may stand in a prompt for the door `D`. Sealed: nobody adds to it from outside.
pub trait PromptInput<D: Door>: sealed::Sealed {}

impl<D: Door> PromptInput<D> for ClearClaim<'_, D> {}
impl<D: Door> PromptInput<D> for ClearExcerpt<'_, D> {}
impl<D: Door> PromptInput<D> for RedactedClaim {}
impl<D: Door> PromptInput<D> for Assertion {}
impl<D: Door> PromptInput<D> for Objection {}
impl<D: Door> PromptInput<D> for UserQuestion {}

/// What may leave the machine.
pub trait CloudPromptInput: PromptInput<CloudDoor> {}

impl<T: PromptInput<CloudDoor>> CloudPromptInput for T {}

/// What is sent to a language model behind the door `D`.
///
/// Proves: every word of it is a template's, the user's own, or was re-read and sorted for that door.
#[derive(Clone)]
pub struct Prompt<D: Door> {
    template: Template,
    user: String,
    offered: Vec<OfferedSource>,
    band: Band,
    door: PhantomData<D>,
}

/// What may be sent to any model.
pub type CloudPrompt = Prompt<CloudDoor>;

/// What may be sent to a model on this machine alone.
pub type LocalPrompt = Prompt<LocalDoor>;

/// What a prompt has of the vault, for the log of what left: never the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedSource {
    /// The claim's id, or the handle of a redacted one; for a passage without a claim, nothing.
    pub claim: Option<String>,
    /// The band of its place.
    pub band: Band,
}

impl<D: Door> Prompt<D> {
    /// Asks for an answer.
    #[must_use]
    pub fn answer(question: &UserQuestion, claims: &[ClearClaim<'_, D>], redacted: &[RedactedClaim]) -> Self {
        Self::from_question(Template::Answer, question, &claims.iter().collect::<Vec<_>>(), redacted)
    }

    /// Asks again, with those claims alone that could be relied on.
    #[must_use]
    pub fn repair(question: &UserQuestion, claims: &[&ClearClaim<'_, D>]) -> Self {
        Self::from_question(Template::Repair, question, claims, &[])
    }

    /// Asks for some sentences of an answer anew, with the claims that it relied on.
    #[must_use]
    pub fn correct(question: &UserQuestion, claims: &[&ClearClaim<'_, D>], objections: &[&Objection]) -> Self {
        let mut prompt = Self::from_question(Template::Correct, question, claims, &[]);
        prompt.user.push_str("\n<sentences>\n");
        for Objection { number, sentence, wrong } in objections {
            let fields = [
                ("n", EnvelopeValue::Trusted(format!("{number}"))),
                ("sentence", EnvelopeValue::Untrusted(sentence.clone())),
                ("wrong", EnvelopeValue::Untrusted(wrong.clone())),
            ];
            prompt.user.push_str(&envelope::render_json_object(&fields));
            prompt.user.push('\n');
        }
        prompt.user.push_str("</sentences>\n");
        prompt
    }

    /// Asks for the facts of a passage.
    #[must_use]
    pub fn extract(excerpt: &ClearExcerpt<'_, D>) -> Self {
        let line = envelope::render_json_object(&excerpt_fields(excerpt));
        Self {
            template: Template::Extract,
            user: format!("<passage>\n{line}\n</passage>\n"),
            offered: vec![OfferedSource { claim: None, band: excerpt.band() }],
            band: excerpt.band(),
            door: PhantomData,
        }
    }

    /// Asks of some sentences whether what each cites says it. They are numbered from 1.
    #[must_use]
    pub fn judge(sentences: &[(Assertion, Vec<ClearClaim<'_, D>>)]) -> Self {
        let mut user = String::from("<sentences>\n");
        let (mut offered, mut band) = (Vec::new(), Band::Public);
        for (number, (sentence, claims)) in (1..).zip(sentences) {
            let fields: [(&str, EnvelopeValue); 2] =
                [("n", EnvelopeValue::Trusted(format!("{number}"))), ("sentence", EnvelopeValue::Untrusted(sentence.0.clone()))];
            user.push_str(&envelope::render_json_object(&fields));
            user.push('\n');
            for claim in claims {
                user.push_str(&envelope::render_json_object(&place_fields(claim.place())));
                user.push('\n');
                offered.push(OfferedSource { claim: Some(claim.claim().id.to_string()), band: claim.place().band() });
                band = band.join(claim.place().band());
            }
        }
        user.push_str("</sentences>\n");
        Self { template: Template::Judge, user, offered, band, door: PhantomData }
    }

    /// Asks of some pairs of claims whether both can hold. They are numbered from 1.
    #[must_use]
    pub fn compare(pairs: &[[ClearClaim<'_, D>; 2]]) -> Self {
        let mut user = String::from("<pairs>\n");
        let (mut offered, mut band) = (Vec::new(), Band::Public);
        for (number, pair) in (1..).zip(pairs) {
            user.push_str(&envelope::render_json_object(&[("n", EnvelopeValue::Trusted(format!("{number}")))]));
            user.push('\n');
            for claim in pair {
                user.push_str(&envelope::render_json_object(&comparison_fields(claim)));
                user.push('\n');
                offered.push(OfferedSource { claim: Some(claim.claim().id.to_string()), band: claim.place().band() });
                band = band.join(claim.place().band());
            }
        }
        user.push_str("</pairs>\n");
        Self { template: Template::Compare, user, offered, band, door: PhantomData }
    }

    /// Asks how a sentence may be reworded, out of what holds instead of what it rests on.
    #[must_use]
    pub fn reword(stale: &ClearClaim<'_, D>, now: &[ClearClaim<'_, D>]) -> Self {
        let mut user = String::from("<notes>\n");
        for claim in now {
            user.push_str(&envelope::render_json_object(&claim_fields(claim)));
            user.push('\n');
        }
        let note = stale.place().note();
        let sentence = [
            ("sentence", EnvelopeValue::Untrusted(stale.place().words())),
            ("in", EnvelopeValue::Untrusted(format_outline(note.title(), stale.place().headings()))),
        ];
        user.push_str("</notes>\n\n");
        user.push_str(&envelope::render_json_object(&sentence));
        user.push('\n');
        let all = || now.iter().chain([stale]);
        let offered = |claim: &ClearClaim<'_, D>| OfferedSource {
            claim: Some(claim.claim().id.to_string()),
            band: claim.place().band(),
        };
        Self {
            template: Template::Reword,
            user,
            offered: all().map(offered).collect(),
            band: all().fold(Band::Public, |band, claim| band.join(claim.place().band())),
            door: PhantomData,
        }
    }

    fn from_question(
        template: Template,
        question: &UserQuestion,
        claims: &[&ClearClaim<'_, D>],
        redacted: &[RedactedClaim],
    ) -> Self {
        let mut user = String::from("<notes>\n");
        let mut offered = Vec::new();
        for claim in claims {
            user.push_str(&envelope::render_json_object(&claim_fields(claim)));
            user.push('\n');
            offered.push(OfferedSource { claim: Some(claim.claim().id.to_string()), band: claim.place().band() });
        }
        for claim in redacted {
            let fields = [
                ("id", EnvelopeValue::Trusted(claim.handle().to_owned())),
                ("about", EnvelopeValue::Untrusted(claim.subject().to_owned())),
                ("says", EnvelopeValue::Trusted(REDACTED.to_owned())),
            ];
            user.push_str(&envelope::render_json_object(&fields));
            user.push('\n');
            offered.push(OfferedSource { claim: Some(claim.handle().to_owned()), band: Band::Public });
        }
        user.push_str("</notes>\n\n");
        user.push_str(&envelope::render_json_object(&[("question", EnvelopeValue::Untrusted(question.0.clone()))]));
        user.push('\n');
        let band = claims.iter().fold(Band::Public, |band, claim| band.join(claim.place().band()));
        Self { template, user, offered, band, door: PhantomData }
    }

    /// What the model is asked to do.
    #[must_use]
    pub fn template(&self) -> Template {
        self.template
    }

    /// The instructions, which hold nothing of the vault.
    #[must_use]
    pub fn system(&self) -> &'static str {
        self.template.instructions()
    }

    /// The message: notes and question, in their envelope.
    #[must_use]
    pub fn user(&self) -> &str {
        &self.user
    }

    /// What of the vault it holds.
    #[must_use]
    pub fn offered(&self) -> &[OfferedSource] {
        &self.offered
    }

    /// The join of the bands of all it holds. A reply to it is as guarded.
    #[must_use]
    pub fn band(&self) -> Band {
        self.band
    }
}

/// Says what it is and how much, never the words.
impl<D: Door> fmt::Debug for Prompt<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prompt({}, {} offered, {})", self.template.name(), self.offered.len(), self.band)
    }
}

fn claim_fields<D: Door>(claim: &ClearClaim<'_, D>) -> Vec<(&'static str, EnvelopeValue)> {
    let place = claim.place();
    let note = place.note();
    let mut fields = vec![
        ("id", EnvelopeValue::Trusted(claim.claim().id.to_string())),
        ("says", EnvelopeValue::Untrusted(place.words())),
        ("in", EnvelopeValue::Untrusted(format_outline(note.title(), place.headings()))),
    ];
    if let Some(date) = note.date() {
        fields.push(("date", EnvelopeValue::Trusted(date.to_string())));
    }
    fields.extend(validity_field(claim));
    if claim.is_captured() {
        fields.push(("written_by", EnvelopeValue::Trusted("a machine".to_owned())));
    }
    fields.push(("status", EnvelopeValue::Trusted("current".to_owned())));
    fields
}

fn comparison_fields<D: Door>(claim: &ClearClaim<'_, D>) -> Vec<(&'static str, EnvelopeValue)> {
    let mut fields = place_fields(claim.place());
    fields.extend(validity_field(claim));
    let Claim { predicate, object, .. } = claim.claim();
    fields.push(("reading", EnvelopeValue::Untrusted(format!("{} | {predicate} | {object}", claim.subject()))));
    fields
}

/// When a claim holds, as far as the prompt's door knows.
fn validity_field<D: Door>(claim: &ClearClaim<'_, D>) -> Option<(&'static str, EnvelopeValue)> {
    let when = match claim.validity() {
        (Some(from), Some(until)) => format!("{from} to {until}"),
        (Some(from), None) => format!("since {from}"),
        (None, Some(until)) => format!("until {until}"),
        (None, None) => return None,
    };
    Some(("holds", EnvelopeValue::Trusted(when)))
}

fn place_fields(place: &Rechecked<'_>) -> Vec<(&'static str, EnvelopeValue)> {
    let note = place.note();
    let mut fields =
        vec![("says", EnvelopeValue::Untrusted(place.words())), ("in", EnvelopeValue::Untrusted(format_outline(note.title(), place.headings())))];
    if let Some(date) = note.date() {
        fields.push(("date", EnvelopeValue::Trusted(date.to_string())));
    }
    fields
}

fn excerpt_fields<D: Door>(excerpt: &ClearExcerpt<'_, D>) -> Vec<(&'static str, EnvelopeValue)> {
    let note = excerpt.note();
    let mut fields = vec![
        ("says", EnvelopeValue::Untrusted(excerpt.words().to_owned())),
        ("in", EnvelopeValue::Untrusted(format_outline(note.title(), excerpt.headings()))),
    ];
    if let Some(date) = note.date() {
        fields.push(("date", EnvelopeValue::Trusted(date.to_string())));
    }
    fields
}

fn format_outline(title: &str, headings: &[String]) -> String {
    heading_path(title, headings).join(" › ")
}
