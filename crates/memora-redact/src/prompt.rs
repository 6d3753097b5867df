//! Prompts: everything that is ever sent to a language model.
//!
//! A [`Prompt`] is a [`Template`], which is a file of this crate, plus input bound to the prompt's door: claims
//! and passages re-read and authorized for that door, the remains of redacted claims, the user's
//! own words (a [`UserQuestion`], an [`Assertion`]), and a model's draft (an [`Objection`]). Invariant: **there is no other
//! way in.** No other constructor takes a string, and none takes a path or a note;
//! input that is not authorized for a cloud door does not type-check in a [`CloudPrompt`]:
//!
//! ```
//! use memora_redact::{ClearClaim, CloudDoor, CloudPrompt, LocalDoor, Prompt, UserQuestion};
//!
//! fn ask(question: &UserQuestion, claims: &[ClearClaim<'_, CloudDoor>]) -> CloudPrompt {
//!     Prompt::answer(question, claims, &[])
//! }
//! ```
//!
//! ```compile_fail,E0308
//! use memora_redact::{ClearClaim, CloudDoor, CloudPrompt, LocalDoor, Prompt, UserQuestion};
//!
//! fn ask(question: &UserQuestion, claims: &[ClearClaim<'_, LocalDoor>]) -> CloudPrompt {
//!     Prompt::answer(question, claims, &[])
//! }
//! ```
//!
//! A secret claim is not valid input for a cloud door until it is redacted:
//!
//! ```
//! use memora_redact::{CloudPromptInput, CloudDoor, RedactedClaim, SecretClaim};
//!
//! fn leaves<T: CloudPromptInput>() {}
//!
//! leaves::<RedactedClaim>();
//! ```
//!
//! ```compile_fail,E0277
//! use memora_redact::{CloudPromptInput, CloudDoor, RedactedClaim, SecretClaim};
//!
//! fn leaves<T: CloudPromptInput>() {}
//!
//! leaves::<SecretClaim<'static, CloudDoor>>();
//! ```
//!
//! A string is not valid input either, and code outside this crate cannot make it so:
//!
//! ```compile_fail,E0277
//! use memora_redact::{CloudPromptInput, CloudDoor, RedactedClaim, SecretClaim};
//!
//! fn leaves<T: CloudPromptInput>() {}
//!
//! leaves::<String>();
//! ```

use std::fmt;
use std::marker::PhantomData;

use memora_claim::conflict::ClaimStatus;
use memora_claim::{Claim, Rechecked};
use memora_vault::Band;

use crate::envelope::{self, EnvelopeValue};
use crate::outline::heading_path;
use crate::template::Template;
use crate::{ClearClaim, ClearExcerpt, CloudDoor, Door, DoorView, LocalDoor, REDACTED, RedactedClaim, Viewer};

/// A question in the user's own words: the only text that does not come from the vault.
///
/// Invisible characters are removed from it, as from all text that a model sees.
#[derive(Clone, PartialEq, Eq)]
pub struct UserQuestion(String);

impl UserQuestion {
    /// The maximum length of a question, in characters; longer ones are truncated.
    pub const CHARS_MAX: usize = 4_000;

    /// Creates a question from the user's input.
    #[must_use]
    pub fn new(typed: &str) -> Self {
        Self(envelope::strip_invisible(typed).chars().take(Self::CHARS_MAX).collect())
    }
}

/// Prints the length, never the words.
impl fmt::Debug for UserQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Question({} bytes)", self.0.len())
    }
}

/// A sentence of a text that the user has had verified: the user's own words, like a [`UserQuestion`].
///
/// It is sent beside the claims it cites, so it may be created only from a sentence that they were found to support:
/// then it adds nothing to its passages.
#[derive(Clone, PartialEq, Eq)]
pub struct Assertion(String);

impl Assertion {
    /// The maximum length of a sentence, in characters; longer ones are rejected.
    pub const CHARS_MAX: usize = 2_000;

    /// Creates one from a verified sentence; returns `None` if it is too long to be judged whole.
    #[must_use]
    pub fn new(sentence: &str) -> Option<Self> {
        (sentence.chars().count() <= Self::CHARS_MAX).then(|| Self(envelope::strip_invisible(sentence)))
    }
}

/// Prints the length, never the words.
impl fmt::Debug for Assertion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Assertion({} bytes)", self.0.len())
    }
}

/// A rejected sentence of a draft and the reason: words of the model that drafted it, and of the notes that it cites.
///
/// It is sent back to that model only, and only while the model may see all that the sentence cites.
#[derive(Clone, PartialEq, Eq)]
pub struct Objection {
    number: usize,
    sentence: String,
    wrong: String,
}

impl Objection {
    /// Creates one from a numbered sentence and its fault. Text longer than an [`Assertion`] is truncated.
    #[must_use]
    pub fn new(number: usize, sentence: &str, wrong: &str) -> Self {
        let cut = |text: &str| envelope::strip_invisible(text).chars().take(Assertion::CHARS_MAX).collect();
        Self { number, sentence: cut(sentence), wrong: cut(wrong) }
    }
}

/// Prints the number and the length, never the words.
impl fmt::Debug for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Objection({}, {} bytes)", self.number, self.sentence.len())
    }
}

mod sealed {
    pub trait Sealed {}
    impl<D: crate::Viewer> Sealed for crate::ClearClaim<'_, D> {}
    impl<D: crate::Viewer> Sealed for crate::ClearExcerpt<'_, D> {}
    impl Sealed for crate::RedactedClaim {}
    impl Sealed for super::Assertion {}
    impl Sealed for super::Objection {}
    impl Sealed for super::UserQuestion {}
}

/// Types that may be part of a prompt for the door `D`. Sealed: no other crate can add to them.
pub trait PromptInput<D: Viewer>: sealed::Sealed {}

impl<D: Viewer> PromptInput<D> for ClearClaim<'_, D> {}
impl<D: Viewer> PromptInput<D> for ClearExcerpt<'_, D> {}
impl<D: Viewer> PromptInput<D> for RedactedClaim {}
impl<D: Viewer> PromptInput<D> for Assertion {}
impl<D: Viewer> PromptInput<D> for Objection {}
impl<D: Viewer> PromptInput<D> for UserQuestion {}

/// Types that may leave the machine.
pub trait CloudPromptInput: PromptInput<CloudDoor> {}

impl<T: PromptInput<CloudDoor>> CloudPromptInput for T {}

/// A request to a language model behind the door `D`.
///
/// Proves: every word of it comes from a template or the user, or was re-read and authorized for that door. No model takes a
/// request that was made for the view of a door, before [`Prompt::for_door`] has typed it.
#[derive(Clone)]
pub struct Prompt<D: Viewer = DoorView> {
    template: Template,
    user: String,
    offered: Vec<OfferedSource>,
    band: Band,
    /// Whom its parts were authorized for.
    views: Vec<DoorView>,
    door: PhantomData<D>,
}

/// A prompt that may be sent to any model.
pub type CloudPrompt = Prompt<CloudDoor>;

/// A prompt that may be sent only to a model on this machine.
pub type LocalPrompt = Prompt<LocalDoor>;

/// A source in the vault that a prompt contains, for the egress log: never its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedSource {
    /// The id of the claim, or the handle of a redacted one; `None` for a passage without a claim.
    pub claim: Option<String>,
    /// The band of its place.
    pub band: Band,
}

impl Prompt {
    /// Types it for a door; `None` if a part of it was authorized for another view than that door has.
    #[must_use]
    pub fn for_door<D: Door>(self, door: &D) -> Option<Prompt<D>> {
        let Self { template, user, offered, band, views, door: _ } = self;
        let is_for_door = views.iter().all(|view| *view == door.view());
        is_for_door.then_some(Prompt { template, user, offered, band, views, door: PhantomData })
    }
}

impl<D: Viewer> Prompt<D> {
    /// Creates a request for an answer.
    #[must_use]
    pub fn answer(question: &UserQuestion, claims: &[ClearClaim<'_, D>], redacted: &[RedactedClaim]) -> Self {
        Self::from_question(Template::Answer, question, [claims], redacted)
    }

    /// Creates a request for an answer from passages: claims of lines that stand together.
    #[must_use]
    pub fn answer_from_passages(
        question: &UserQuestion,
        passages: &[Vec<ClearClaim<'_, D>>],
        redacted: &[RedactedClaim],
    ) -> Self {
        Self::from_question(Template::Answer, question, passages.iter().map(Vec::as_slice), redacted)
    }

    /// Creates a second request, with only those lines of passages that could be relied on.
    #[must_use]
    pub fn repair(question: &UserQuestion, passages: &[Vec<ClearClaim<'_, D>>]) -> Self {
        Self::from_question(Template::Repair, question, passages.iter().map(Vec::as_slice), &[])
    }

    /// Creates a request to rewrite some sentences of an answer, with the passages that it relied on.
    #[must_use]
    pub fn correct(question: &UserQuestion, passages: &[Vec<ClearClaim<'_, D>>], objections: &[&Objection]) -> Self {
        let mut prompt = Self::from_question(Template::Correct, question, passages.iter().map(Vec::as_slice), &[]);
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

    /// Creates a request for the facts of a passage.
    #[must_use]
    pub fn extract(excerpt: &ClearExcerpt<'_, D>) -> Self {
        let line = envelope::render_json_object(&excerpt_fields(excerpt));
        Self {
            template: Template::Extract,
            user: format!("<passage>\n{line}\n</passage>\n"),
            offered: vec![OfferedSource { claim: None, band: excerpt.band() }],
            band: excerpt.band(),
            views: vec![excerpt.door.view()],
            door: PhantomData,
        }
    }

    /// Creates a request to judge whether each sentence is supported by the claims it cites. They are numbered from 1.
    #[must_use]
    pub fn judge(sentences: &[(Assertion, Vec<ClearClaim<'_, D>>)]) -> Self {
        let mut user = String::from("<sentences>\n");
        let (mut offered, mut band) = (Vec::new(), Band::Public);
        let views = views_of(sentences.iter().flat_map(|(_, claims)| claims));
        for (number, (sentence, claims)) in (1..).zip(sentences) {
            let fields: [(&str, EnvelopeValue); 2] = [
                ("n", EnvelopeValue::Trusted(format!("{number}"))),
                ("sentence", EnvelopeValue::Untrusted(sentence.0.clone())),
            ];
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
        Self { template: Template::Judge, user, offered, band, views, door: PhantomData }
    }

    /// Creates a request to judge whether the two claims of each pair can both hold. They are numbered from 1.
    #[must_use]
    pub fn compare(pairs: &[[ClearClaim<'_, D>; 2]]) -> Self {
        Self::from_pairs(Template::Compare, pairs, comparison_fields)
    }

    /// Creates a request to judge whether the second statement of each pair overtakes the first. They are numbered from 1.
    #[must_use]
    pub fn overtake(pairs: &[[ClearClaim<'_, D>; 2]]) -> Self {
        Self::from_pairs(Template::Overtake, pairs, |claim| place_fields(claim.place()))
    }

    fn from_pairs(
        template: Template,
        pairs: &[[ClearClaim<'_, D>; 2]],
        fields: fn(&ClearClaim<'_, D>) -> Vec<(&'static str, EnvelopeValue)>,
    ) -> Self {
        let mut user = String::from("<pairs>\n");
        let (mut offered, mut band) = (Vec::new(), Band::Public);
        for (number, pair) in (1..).zip(pairs) {
            user.push_str(&envelope::render_json_object(&[("n", EnvelopeValue::Trusted(format!("{number}")))]));
            user.push('\n');
            for claim in pair {
                user.push_str(&envelope::render_json_object(&fields(claim)));
                user.push('\n');
                offered.push(OfferedSource { claim: Some(claim.claim().id.to_string()), band: claim.place().band() });
                band = band.join(claim.place().band());
            }
        }
        user.push_str("</pairs>\n");
        let views = views_of(pairs.iter().flatten());
        Self { template, user, offered, band, views, door: PhantomData }
    }

    /// Creates a request to reword a sentence, using the claims that hold now.
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
            views: views_of(all()),
            door: PhantomData,
        }
    }

    fn from_question<'c, 'n: 'c>(
        template: Template,
        question: &UserQuestion,
        passages: impl IntoIterator<Item = &'c [ClearClaim<'n, D>]>,
        redacted: &[RedactedClaim],
    ) -> Self
    where
        D: 'c,
    {
        let mut user = String::from("<notes>\n");
        let (mut offered, mut views, mut band) = (Vec::new(), Vec::new(), Band::Public);
        for claims in passages {
            // Lines that stand together are read together: where they stand is said once, above them. What is of another passage or
            // another note does not go on from what stands above it.
            let (mut under, mut columns) = (None, None);
            for claim in claims {
                let place = (claim.place().note().path(), claim.place().headings());
                if under.replace(place) != Some(place) {
                    user.push_str(&envelope::render_json_object(&heading_fields(claim.place())));
                    user.push('\n');
                    columns = None;
                }
                let above = std::mem::replace(&mut columns, claim.place().columns());
                if let Some(names) = columns.filter(|names| above != Some(*names)) {
                    let fields = [("columns", EnvelopeValue::Untrusted(names.to_owned()))];
                    user.push_str(&envelope::render_json_object(&fields));
                    user.push('\n');
                }
                user.push_str(&envelope::render_json_object(&line_fields(claim)));
                user.push('\n');
                offered.push(OfferedSource { claim: Some(claim.claim().id.to_string()), band: claim.place().band() });
                band = band.join(claim.place().band());
                views.push(claim.door.view());
            }
        }
        views.dedup();
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
        Self { template, user, offered, band, views, door: PhantomData }
    }

    /// Returns the task given to the model.
    #[must_use]
    pub fn template(&self) -> Template {
        self.template
    }

    /// Returns the instructions, which contain nothing of the vault.
    #[must_use]
    pub fn system(&self) -> &'static str {
        self.template.instructions()
    }

    /// Returns the message: notes and question, in their envelope.
    #[must_use]
    pub fn user(&self) -> &str {
        &self.user
    }

    /// Returns the sources in the vault that it contains.
    #[must_use]
    pub fn offered(&self) -> &[OfferedSource] {
        &self.offered
    }

    /// Returns the join of the bands of all its parts. A reply to it is equally guarded.
    #[must_use]
    pub fn band(&self) -> Band {
        self.band
    }
}

/// Prints its kind and size, never the words.
impl<D: Viewer> fmt::Debug for Prompt<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prompt({}, {} offered, {})", self.template.name(), self.offered.len(), self.band)
    }
}

/// Whom the claims were authorized for, each view once.
fn views_of<'c, 'n: 'c, D: Viewer>(claims: impl Iterator<Item = &'c ClearClaim<'n, D>>) -> Vec<DoorView> {
    let mut views: Vec<DoorView> = claims.map(|claim| claim.door.view()).collect();
    views.dedup();
    views
}

/// Where a line stands, and when it was written.
fn heading_fields(place: &Rechecked<'_>) -> Vec<(&'static str, EnvelopeValue)> {
    let note = place.note();
    let mut fields = vec![("in", EnvelopeValue::Untrusted(format_outline(note.title(), place.headings())))];
    fields.extend(note.date().map(|date| ("date", EnvelopeValue::Trusted(date.to_string()))));
    fields
}

/// A line with the id that it is cited by; what is current and a person's has no more fields.
fn line_fields<D: Viewer>(claim: &ClearClaim<'_, D>) -> Vec<(&'static str, EnvelopeValue)> {
    let mut fields = vec![
        ("id", EnvelopeValue::Trusted(claim.claim().id.to_string())),
        ("says", EnvelopeValue::Untrusted(claim.place().words())),
    ];
    fields.extend(validity_field(claim));
    if claim.is_captured() {
        fields.push(("written_by", EnvelopeValue::Trusted("a machine".to_owned())));
    }
    if claim.status() != ClaimStatus::Current {
        fields.push(("status", EnvelopeValue::Trusted(claim.status().as_str().to_owned())));
    }
    fields
}

/// A claim by itself, with all that is known of it.
fn claim_fields<D: Viewer>(claim: &ClearClaim<'_, D>) -> Vec<(&'static str, EnvelopeValue)> {
    let mut fields = place_fields(claim.place());
    fields.insert(0, ("id", EnvelopeValue::Trusted(claim.claim().id.to_string())));
    fields.extend(validity_field(claim));
    if claim.is_captured() {
        fields.push(("written_by", EnvelopeValue::Trusted("a machine".to_owned())));
    }
    fields.push(("status", EnvelopeValue::Trusted("current".to_owned())));
    fields
}

fn comparison_fields<D: Viewer>(claim: &ClearClaim<'_, D>) -> Vec<(&'static str, EnvelopeValue)> {
    let mut fields = place_fields(claim.place());
    fields.extend(validity_field(claim));
    let Claim { predicate, object, .. } = claim.claim();
    fields.push(("reading", EnvelopeValue::Untrusted(format!("{} | {predicate} | {object}", claim.subject()))));
    fields
}

/// Returns the field for a claim's validity, as far as the prompt's door knows it.
fn validity_field<D: Viewer>(claim: &ClearClaim<'_, D>) -> Option<(&'static str, EnvelopeValue)> {
    let when = match claim.validity() {
        (Some(from), Some(until)) => format!("{from} to {until}"),
        (Some(from), None) => format!("since {from}"),
        (None, Some(until)) => format!("until {until}"),
        (None, None) => return None,
    };
    Some(("holds", EnvelopeValue::Trusted(when)))
}

fn place_fields(place: &Rechecked<'_>) -> Vec<(&'static str, EnvelopeValue)> {
    let mut fields = vec![("says", EnvelopeValue::Untrusted(place.words()))];
    fields.extend(place.columns().map(|names| ("columns", EnvelopeValue::Untrusted(names.to_owned()))));
    fields.extend(heading_fields(place));
    fields
}

fn excerpt_fields<D: Viewer>(excerpt: &ClearExcerpt<'_, D>) -> Vec<(&'static str, EnvelopeValue)> {
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
