//! The gate: a re-read claim is authorized for one door, once.

use std::fmt;
use std::marker::PhantomData;

use memora_claim::conflict::ClaimStatus;
use memora_claim::{Claim, Extractor, Rechecked};
use memora_vault::{Band, PartialDate};

use crate::outline::heading_path;
use crate::{Door, DoorView, Handles, Viewer};

/// The replacement for words that may not leave.
pub const REDACTED: &str = "[redacted]";

/// A claim with its stored state, about to be authorized.
///
/// The caller computes status and dates for this door, without anything that the door may not see.
#[derive(Clone, Debug)]
pub struct ClaimView {
    /// The claim.
    pub claim: Claim,
    /// Whether the note was captured by a machine.
    pub captured: bool,
    /// The start of its validity, as far as known at this door.
    pub valid_from: Option<PartialDate>,
    /// The end of its validity, as far as known at this door.
    pub valid_until: Option<PartialDate>,
    /// The number of places that contain its words, as far as this door may see.
    pub sources: usize,
    /// Whether it holds now, as far as known at this door.
    pub status: ClaimStatus,
}

/// The result of authorizing a claim for the viewer `D`.
#[derive(Debug)]
pub enum ClaimAccess<'n, D: Viewer = DoorView> {
    /// The claim may pass.
    Clear(ClearClaim<'n, D>),
    /// The claim may not pass.
    Secret(SecretClaim<'n, D>),
}

/// Authorizes a re-read claim for a door or a view of one, by the band found on re-reading.
#[must_use]
pub fn authorize_claim<'n, D: Viewer>(shown: ClaimView, place: Rechecked<'n>, door: &D) -> ClaimAccess<'n, D> {
    if door.may_show(place.band()) {
        let before = place.note().band_of_range(0..place.span().start());
        ClaimAccess::Clear(ClearClaim {
            shown: Box::new(shown),
            countable: door.may_show(before),
            place,
            door: door.clone(),
        })
    } else {
        ClaimAccess::Secret(SecretClaim { place, door: PhantomData })
    }
}

/// A claim that the viewer `D` may see: re-read a moment ago, and of a band that it is shown. Of a door it may pass; what is
/// clear to a view of one stays inside.
///
/// The only constructors are [`authorize_claim`] and, from the view to the door, [`ClearClaim::for_door`].
pub struct ClearClaim<'n, D: Viewer = DoorView> {
    pub(crate) shown: Box<ClaimView>,
    pub(crate) place: Rechecked<'n>,
    /// Whether the door may see everything before it in the note, and so its position: an offset after guarded text
    /// reveals the length of that text.
    pub(crate) countable: bool,
    pub(crate) door: D,
}

impl<'n> ClearClaim<'n> {
    /// Types it for a door; `None` if it was authorized for another view than that door has.
    #[must_use]
    pub fn for_door<D: Door>(self, door: &D) -> Option<ClearClaim<'n, D>> {
        let Self { shown, place, countable, door: view } = self;
        (view == door.view()).then(|| ClearClaim { shown, place, countable, door: door.clone() })
    }
}

impl<'n, D: Viewer> ClearClaim<'n, D> {
    /// The claim.
    #[must_use]
    pub fn claim(&self) -> &Claim {
        &self.shown.claim
    }

    /// Returns the place where it was re-read.
    #[must_use]
    pub fn place(&self) -> &Rechecked<'n> {
        &self.place
    }

    /// Returns its own subject, or else the subject given by its place.
    #[must_use]
    pub fn subject(&self) -> &str {
        self.shown.claim.subject_or_title(self.place.note().title())
    }

    /// Returns its context, outermost first: the note's title, the headings above, the parent item.
    #[must_use]
    pub fn context(&self) -> Vec<String> {
        // The parent of a row is its columns, that of a task its state.
        let is_item = !matches!(self.shown.claim.extractor, Extractor::Row | Extractor::Task);
        let mut parts = heading_path(self.place.note().title(), self.place.headings());
        parts.extend(self.place.parent().filter(|_| is_item));
        parts.dedup();
        parts.into_iter().map(str::to_owned).collect()
    }

    /// Whether a machine wrote the note that contains it.
    #[must_use]
    pub fn is_captured(&self) -> bool {
        self.shown.captured
    }

    /// Whether it holds now, as far as known at this door.
    #[must_use]
    pub fn status(&self) -> ClaimStatus {
        self.shown.status
    }

    /// Returns the start and the end of its validity, as far as known at this door.
    #[must_use]
    pub fn validity(&self) -> (Option<PartialDate>, Option<PartialDate>) {
        (self.shown.valid_from, self.shown.valid_until)
    }
}

/// A claim that the viewer `D` may not see: only its place is kept, its words are dropped here. The only operation is
/// redaction.
pub struct SecretClaim<'n, D: Viewer = DoorView> {
    place: Rechecked<'n>,
    door: PhantomData<D>,
}

impl<D: Viewer> SecretClaim<'_, D> {
    /// Redacts it: predicate and object are dropped. The subject is kept only if it has no guarded word: the title of
    /// the note, if `named_in_clear` says that it occurs outside guarded text, or else an opaque name. `ordinal` is the
    /// statement's number within its note.
    #[must_use]
    pub fn redact(self, handles: &Handles, ordinal: u32, named_in_clear: impl Fn(&str) -> bool) -> RedactedClaim {
        let note = self.place.note();
        let subject = note.title();
        let subject =
            if named_in_clear(subject) { subject.to_owned() } else { handles.alias_for_subject(note.path(), ordinal) };
        RedactedClaim { handle: handles.handle_for_claim(note.path(), ordinal), subject, band: self.place.band() }
    }
}

/// The remains of a guarded claim at a door that may not see it: a handle, perhaps its subject, its band.
#[derive(Clone, PartialEq, Eq)]
pub struct RedactedClaim {
    pub(crate) handle: String,
    pub(crate) subject: String,
    pub(crate) band: Band,
}

impl RedactedClaim {
    /// Returns its opaque name, `~` and twelve letters.
    #[must_use]
    pub fn handle(&self) -> &str {
        &self.handle
    }

    /// Returns its subject, or an opaque name for it.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }
}

impl<D: Viewer> fmt::Debug for ClearClaim<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClearClaim({:?})", self.shown.claim.id)
    }
}

/// Omits even the id, which is a hash of the words.
impl<D: Viewer> fmt::Debug for SecretClaim<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretClaim(…)")
    }
}

impl fmt::Debug for RedactedClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RedactedClaim({})", self.handle)
    }
}

#[cfg(test)]
mod tests {
    use memora_claim::{ParsedNote, anchor_span};
    use memora_vault::{Note, NotePath, PathContext};

    use super::*;
    use crate::{CloudDoor, CloudVisibility, LocalDoor, Prompt, UserQuestion, WireClaim, authorize_page};

    fn fresh(text: &str) -> ParsedNote {
        let path = NotePath::new("people/Anna.md").expect("a good path");
        ParsedNote::new(Note::parse(path, text.to_owned(), PathContext::default()).0)
    }

    fn shown(fresh: &ParsedNote) -> ClaimView {
        let statement = &fresh.statements()[0];
        let claim = Claim::new(statement.id, Some("Anna".into()), "earns", "90k");
        ClaimView {
            claim,
            captured: false,
            valid_from: None,
            valid_until: None,
            sources: 1,
            status: ClaimStatus::Current,
        }
    }

    #[test]
    fn a_row_with_a_laxer_band_than_the_note_is_still_secret() {
        let then = fresh("Anna earns 90k at Acme.\n");
        let source = anchor_span(&then, then.statements()[0].span);
        assert_eq!(source.band, Band::Public);
        let now = fresh("Anna earns 90k at Acme.\n\n#secret\n");
        let place = source.recheck(&now).expect("the words still stand");
        assert_eq!(place.band(), Band::Secret);
        assert!(matches!(authorize_claim(shown(&now), place.clone(), &CloudDoor::default()), ClaimAccess::Secret(_)));
        assert!(matches!(authorize_claim(shown(&now), place, &LocalDoor), ClaimAccess::Clear(_)));
    }

    #[test]
    fn a_redacted_claim_keeps_its_subject_and_nothing_else() {
        let note = fresh("<!--privacy:secret-->Anna earns 90k at Acme.<!--/privacy-->\n");
        let place = anchor_span(&note, note.statements()[0].span).recheck(&note).expect("it stands");
        let keys = Handles::new([1; 32]);
        let ClaimAccess::Secret(secret) = authorize_claim(shown(&note), place, &CloudDoor::default()) else {
            panic!("a secret passed the door");
        };
        let redacted = secret.redact(&keys, 0, |name| name == "Anna");
        let wire = serde_json::to_value(WireClaim::<CloudDoor>::from(redacted)).expect("JSON");
        assert_eq!(wire["subject"], "Anna");
        assert_eq!(wire["predicate"], REDACTED);
        assert_eq!(wire["object"], REDACTED);
        assert!(wire["place"].is_null());
        assert!(!wire.to_string().contains("90k") && !wire.to_string().contains("people"));
    }

    /// What is authorized for the view of one door is nothing for another: a claim and a prompt are none, and a wire claim has
    /// no words.
    #[test]
    fn what_was_authorized_for_a_view_passes_the_door_of_that_view_alone() {
        let note = fresh("Anna earns 90k at Acme.\n");
        let clear = |view: DoorView| {
            let place = anchor_span(&note, note.statements()[0].span).recheck(&note).expect("it stands");
            match authorize_claim(shown(&note), place, &view) {
                ClaimAccess::Clear(claim) => claim,
                ClaimAccess::Secret(_) => panic!("it is public"),
            }
        };
        let (cloud, private) = (CloudDoor::default(), CloudDoor::new(CloudVisibility::Private));
        for (view, is_clouds) in [(cloud.view(), true), (private.view(), false), (LocalDoor.view(), false)] {
            let wire = WireClaim::from_clear(&clear(view), "vault").for_door(&cloud);
            let said = serde_json::to_string(&wire).expect("JSON");
            assert_eq!(said.contains("90k") && said.contains("people/Anna.md"), is_clouds, "{said}");
            assert_eq!(said.contains("Anna"), is_clouds, "{said}");
            let prompt = Prompt::answer(&UserQuestion::new("What?"), &[clear(view)], &[]);
            assert_eq!(prompt.for_door(&cloud).is_some(), is_clouds);
            assert_eq!(clear(view).for_door(&cloud).is_some(), is_clouds);
            assert_eq!(authorize_page(&note, &view).and_then(|page| page.for_door(&cloud)).is_some(), is_clouds);
        }
        let two = [clear(cloud.view()), clear(LocalDoor.view())];
        let mixed = Prompt::answer(&UserQuestion::new("What?"), &two, &[]);
        assert!(mixed.clone().for_door(&cloud).is_none() && mixed.for_door(&LocalDoor).is_none());
        let redacted = RedactedClaim { handle: "~x".into(), subject: "Anna".into(), band: Band::Secret };
        assert_eq!(WireClaim::from(redacted).for_door(&cloud).triple().0, "Anna");
    }

    /// A subject that stands in guarded words alone is named by an opaque name, another one for each statement.
    #[test]
    fn a_guarded_subject_has_an_opaque_name() {
        let note = fresh("<!--privacy:secret-->Anna earns 90k at Acme.<!--/privacy-->\n");
        let keys = Handles::new([1; 32]);
        let redacted = |ordinal: u32| {
            let place = anchor_span(&note, note.statements()[0].span).recheck(&note).expect("it stands");
            match authorize_claim(shown(&note), place, &CloudDoor::default()) {
                ClaimAccess::Secret(secret) => secret.redact(&keys, ordinal, |_| false),
                ClaimAccess::Clear(_) => panic!("a secret passed the door"),
            }
        };
        let (one, other) = (redacted(0), redacted(1));
        assert!(!one.subject().is_empty() && !one.subject().contains("Anna"), "{}", one.subject());
        assert!(one.subject() != other.subject() && one.handle() != other.handle());
        assert!(one.handle().starts_with('~') && one.handle().len() == 13, "{}", one.handle());
    }

    /// What is logged of a claim has none of its words.
    #[test]
    fn the_debug_form_of_a_claim_has_no_words() {
        let note = fresh("<!--privacy:secret-->Anna earns 90k at Acme.<!--/privacy-->\n");
        let place = anchor_span(&note, note.statements()[0].span).recheck(&note).expect("it stands");
        let id = note.statements()[0].id.to_string();
        let said = format!("{:?}", authorize_claim(shown(&note), place.clone(), &CloudDoor::default()));
        assert!(said.contains("SecretClaim") && !said.contains(&id) && !said.contains("90k"), "{said}");
        let said = format!("{:?}", authorize_claim(shown(&note), place, &LocalDoor));
        assert!(said.contains(&id) && !said.contains("90k") && !said.contains("Anna"), "{said}");
    }
}
