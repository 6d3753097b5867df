//! The serialized form of a claim that may leave.

use std::marker::PhantomData;

use memora_claim::conflict::ClaimStatus;
use memora_claim::{Modality, Phase};
use memora_vault::{Band, Note};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{ClearClaim, Door, DoorView, REDACTED, RedactedClaim, Viewer};

/// A claim on its way out of the door `D`, as JSON shows it.
///
/// Made of a [`ClearClaim`] sorted for that door, or of a [`RedactedClaim`], and of nothing else.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "Claim")]
#[serde(bound = "D: Door")]
pub struct WireClaim<D = DoorView> {
    /// The claim's id; for a redacted claim its handle, which begins with `~`.
    claim: String,
    /// What it is to be read under, outermost first: the note's title, the headings above, the item it belongs to; empty when
    /// redacted.
    context: Vec<String>,
    /// Who or what it is about.
    subject: String,
    /// What is said of the subject; `states` when the object is a whole sentence.
    predicate: String,
    /// What it is said of, in the note's words; empty for a verb with nothing behind it.
    object: String,
    /// What else hangs on the verb, in the note's words: a place, a purpose, a condition.
    qualifiers: Vec<String>,
    /// The canonical relation, where the table of relations knows it: `uses_language`.
    relation: Option<String>,
    /// `public`, `private` or `secret`.
    band: Band,
    /// `asserted`, `planned`, `conditional`, `reported` or `rejected`; `null` when redacted.
    modality: Option<Modality>,
    /// Whether it is denied: "does not support".
    negated: bool,
    /// Who says or thinks so, where the words report it: "Anna says".
    attribution: Option<String>,
    /// `begun` or `ended` when the words tell of a change, else `steady`; `null` when redacted.
    phase: Option<Phase>,
    /// How sure the extractor is, 0 to 1; ranks claims, and is no probability. `null` when redacted.
    confidence: Option<f32>,
    /// `current`, `stale`, `superseded` or `withdrawn`; `null` when redacted.
    status: Option<ClaimStatus>,
    /// First day, month or year it holds (`YYYY`, `YYYY-MM`, `YYYY-MM-DD`), where known.
    valid_from: Option<String>,
    /// Last day, month or year it holds, where known.
    valid_until: Option<String>,
    /// Whether a machine wrote the note it stands in.
    captured: bool,
    /// In how many places the same words stand, as far as this door may see.
    sources: usize,
    /// Where it was re-read a moment ago; `null` when redacted.
    place: Option<WirePlace<D>>,
    /// Whom it was authorized for; `None` when redacted, since that is for everybody.
    #[serde(skip)]
    view: Option<DoorView>,
    #[serde(skip)]
    door: PhantomData<D>,
}

/// A place in the vault that was re-read a moment ago.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "Place")]
#[serde(bound = "D: Door")]
pub struct WirePlace<D = DoorView> {
    /// The note, relative to the vault, `/`-separated.
    pub path: String,
    /// First byte of the span in the file; `null`, like the four below, where guarded text stands before it in the note
    /// and this door may not learn how long that is.
    pub start: Option<usize>,
    /// Offset behind the last byte.
    pub end: Option<usize>,
    /// Line of the first byte, from 1.
    pub line: Option<usize>,
    /// Column of the first byte in characters, from 1.
    pub column: Option<usize>,
    /// blake3 of the bytes of the span, as 64 hexadecimal digits.
    pub hash: Option<String>,
    /// The bytes of the span.
    pub quote: String,
    /// An `obsidian://open` link to the nearest block id, else heading, else the note.
    pub url: String,
    /// Whether the words stand elsewhere than where they were indexed.
    pub moved: bool,
    /// The text of its line before the first byte, for columns in other units; `None` where `column` is, and in a very long line.
    #[serde(skip)]
    pub before: Option<String>,
    #[serde(skip)]
    door: PhantomData<D>,
}

impl<D> WireClaim<D> {
    /// Returns the claim's id, or the handle.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.claim
    }

    /// Returns its context, outermost first.
    #[must_use]
    pub fn context(&self) -> &[String] {
        &self.context
    }

    /// Returns subject, predicate and object.
    #[must_use]
    pub fn triple(&self) -> (&str, &str, &str) {
        (&self.subject, &self.predicate, &self.object)
    }

    /// `public`, `private` or `secret`.
    #[must_use]
    pub fn band(&self) -> Band {
        self.band
    }

    /// Returns its modality; `None` when redacted.
    #[must_use]
    pub fn modality(&self) -> Option<Modality> {
        self.modality
    }

    /// Returns the other complements of the verb.
    #[must_use]
    pub fn qualifiers(&self) -> &[String] {
        &self.qualifiers
    }

    /// Returns the canonical relation, if there is one.
    #[must_use]
    pub fn relation(&self) -> Option<&str> {
        self.relation.as_deref()
    }

    /// Whether it is negated.
    #[must_use]
    pub fn is_negated(&self) -> bool {
        self.negated
    }

    /// Returns the person credited with the claim, if the words report it.
    #[must_use]
    pub fn attribution(&self) -> Option<&str> {
        self.attribution.as_deref()
    }

    /// Returns `begun`, `ended` or `steady`; `None` when redacted.
    #[must_use]
    pub fn phase(&self) -> Option<Phase> {
        self.phase
    }

    /// Returns `current`, `stale`, `superseded` or `withdrawn`; `None` when redacted.
    #[must_use]
    pub fn status(&self) -> Option<ClaimStatus> {
        self.status
    }

    /// Returns the end of its validity, if known.
    #[must_use]
    pub fn valid_until(&self) -> Option<&str> {
        self.valid_until.as_deref()
    }

    /// Returns the start of its validity, if known.
    #[must_use]
    pub fn valid_from(&self) -> Option<&str> {
        self.valid_from.as_deref()
    }

    /// Whether a machine wrote the note it stands in.
    #[must_use]
    pub fn is_captured(&self) -> bool {
        self.captured
    }

    /// Returns the number of places that contain the same words, as far as its door may see.
    #[must_use]
    pub fn source_count(&self) -> usize {
        self.sources
    }

    /// Returns its place; `None` when redacted.
    #[must_use]
    pub fn place(&self) -> Option<&WirePlace<D>> {
        self.place.as_ref()
    }
}

impl<D: Viewer> WirePlace<D> {
    /// Creates the place of a clear claim, with a link into the vault of this name.
    #[must_use]
    pub fn from_claim(claim: &ClearClaim<'_, D>, vault: &str) -> Self {
        let place = claim.place();
        let note = place.note();
        let span = place.span();
        let at = note.line_column(span.start());
        let counted = |number: usize| claim.countable.then_some(number);
        Self {
            path: note.path().as_str().to_owned(),
            start: counted(span.start()),
            end: counted(span.end()),
            line: counted(at.line),
            column: counted(at.column),
            hash: claim.countable.then(|| note.fingerprint(span).to_hex()),
            quote: place.quote().to_owned(),
            url: obsidian_url(vault, note, span.start(), place.headings().last()),
            moved: place.has_moved(),
            before: (claim.countable && at.column <= BEFORE_MAX)
                .then(|| line_before(note.text(), span.start()).to_owned()),
            door: PhantomData,
        }
    }
}

impl<D: Viewer> WireClaim<D> {
    /// Serializes a clear claim, with a link into the vault of this name.
    #[must_use]
    pub fn from_clear(claim: &ClearClaim<'_, D>, vault: &str) -> Self {
        let shown = &claim.shown;
        Self {
            claim: shown.claim.id.to_string(),
            context: claim.context(),
            subject: claim.subject().to_owned(),
            predicate: shown.claim.predicate.clone(),
            object: shown.claim.object.clone(),
            qualifiers: shown.claim.qualifiers.clone(),
            relation: shown.claim.relation.clone(),
            band: claim.place.band(),
            modality: Some(shown.claim.modality),
            negated: shown.claim.negated,
            attribution: shown.claim.attribution.clone(),
            phase: Some(shown.claim.phase),
            confidence: Some(round_to_thousandth(shown.claim.confidence)),
            status: Some(shown.status),
            valid_from: shown.valid_from.map(|date| date.to_string()),
            valid_until: shown.valid_until.map(|date| date.to_string()),
            captured: shown.captured,
            sources: shown.sources,
            place: Some(WirePlace::from_claim(claim, vault)),
            view: Some(claim.door.view()),
            door: PhantomData,
        }
    }
}

impl<D> From<RedactedClaim> for WireClaim<D> {
    fn from(claim: RedactedClaim) -> Self {
        Self {
            claim: claim.handle,
            context: Vec::new(),
            subject: claim.subject,
            predicate: REDACTED.to_owned(),
            object: REDACTED.to_owned(),
            qualifiers: Vec::new(),
            relation: None,
            band: claim.band,
            modality: None,
            negated: false,
            attribution: None,
            phase: None,
            confidence: None,
            status: None,
            valid_from: None,
            valid_until: None,
            captured: false,
            sources: 1,
            place: None,
            view: None,
            door: PhantomData,
        }
    }
}

impl WireClaim {
    /// Types it for a door: before, it cannot be serialized. What was authorized for another view than that door has loses its words.
    #[must_use]
    pub fn for_door<D: Door>(self, door: &D) -> WireClaim<D> {
        if self.view.is_some_and(|view| view != door.view()) {
            let (handle, subject) = (WITHHELD.to_owned(), REDACTED.to_owned());
            return RedactedClaim { handle, subject, band: self.band }.into();
        }
        WireClaim {
            claim: self.claim,
            context: self.context,
            subject: self.subject,
            predicate: self.predicate,
            object: self.object,
            qualifiers: self.qualifiers,
            relation: self.relation,
            band: self.band,
            modality: self.modality,
            negated: self.negated,
            attribution: self.attribution,
            phase: self.phase,
            confidence: self.confidence,
            status: self.status,
            valid_from: self.valid_from,
            valid_until: self.valid_until,
            captured: self.captured,
            sources: self.sources,
            place: self.place.map(WirePlace::into_typed),
            view: self.view,
            door: PhantomData,
        }
    }
}

impl WirePlace {
    fn into_typed<D: Door>(self) -> WirePlace<D> {
        let Self { path, start, end, line, column, hash, quote, url, moved, before, door: _ } = self;
        WirePlace { path, start, end, line, column, hash, quote, url, moved, before, door: PhantomData }
    }
}

/// The most characters of a line that are kept before a place: a line may hold a whole note, and each of its statements a place.
const BEFORE_MAX: usize = 2_000;

/// Returns the text of a line before an offset.
fn line_before(text: &str, offset: usize) -> &str {
    let before = text.get(..offset).unwrap_or_default();
    before.rsplit_once('\n').map_or(before, |(_, line)| line)
}

/// The handle of what is withheld from a door because it was authorized for another one.
const WITHHELD: &str = "~withheld";

/// Rounds to three decimal places: for scores used to rank or explain, not for measurements.
#[must_use]
pub fn round_to_thousandth(figure: f32) -> f32 {
    (figure * 1000.0).round() / 1000.0
}

/// Returns a link for the stock app: to the block id of the segment at `offset`, else to the heading, else to the note.
fn obsidian_url(vault: &str, note: &Note, offset: usize, heading: Option<&String>) -> String {
    let block = note.segment_at(offset).and_then(|segment| segment.block_id.as_ref()).map(|id| format!("#^{id}"));
    let anchor = block.or_else(|| heading.map(|text| format!("#{text}"))).unwrap_or_default();
    let path = note.path().as_str();
    let file = path.strip_suffix(".md").unwrap_or(path);
    let place = format!("{file}{anchor}");
    let (vault, place) = (utf8_percent_encode(vault, COMPONENT), utf8_percent_encode(&place, COMPONENT));
    format!("obsidian://open?vault={vault}&file={place}")
}

/// What `encodeURIComponent` encodes.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

#[cfg(test)]
mod tests {
    use memora_vault::{NotePath, PathContext};

    use super::*;

    #[test]
    fn links_go_to_the_block_else_the_heading() {
        let text = "# Größe\n\nBig. ^here\n\nSmall.\n";
        let path = NotePath::new("a b/c.md").expect("a good path");
        let (note, _) = Note::parse(path, text.to_owned(), PathContext::default());
        let heading = "Größe".to_owned();
        let at = |word: &str| text.find(word).expect("the word stands there");
        assert_eq!(
            obsidian_url("My vault", &note, at("Big"), Some(&heading)),
            "obsidian://open?vault=My%20vault&file=a%20b%2Fc%23%5Ehere"
        );
        assert_eq!(
            obsidian_url("v", &note, at("Small"), Some(&heading)),
            "obsidian://open?vault=v&file=a%20b%2Fc%23Gr%C3%B6%C3%9Fe"
        );
        assert_eq!(obsidian_url("v", &note, at("Small"), None), "obsidian://open?vault=v&file=a%20b%2Fc");
    }
}
