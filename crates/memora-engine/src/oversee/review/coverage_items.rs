//! Review items about names that many notes link to and that no note is of.

use std::collections::BTreeSet;

use memora_claim::time::find_times;
use memora_claim::{DecisionKind, NameKey, StatementId};
use memora_redact::Viewer;
use memora_store::{Authors, ReadError};
use memora_vault::{Band, NotePath, PartialDate, link_key};

use crate::oversee::review::builder::{ReviewBuilder, ReviewCandidate, new_choice, new_review_item};
use crate::read::entity::{Entity, EntityResolution, EntityResolver};
use crate::read::lifecycle::letters_of;
use crate::report::{ReviewItem, ReviewKind as Kind};

/// The minimum number of linking notes of an often linked name.
const LINKING_NOTES_MIN: usize = 4;
/// The maximum number of statements of a hardly described name.
const FEW_STATEMENTS_MAX: usize = 1;
/// The maximum number of most linked names examined.
const NAMES_MAX: usize = 200;
/// How many of the statements that link to a name are compared, to tell a template's line.
const COMPARED_MAX: usize = 8;
/// A target linked from more than one in this many notes is a label, not an entity.
const LABEL_SHARE_DIVISOR: usize = 4;
/// The minimum number of linking notes for that test.
const LABEL_LINKS_MIN: usize = 20;

/// The notes with a link to a name.
struct LinkingNotes {
    count: usize,
    /// The band of what reaches the minimum.
    band: Band,
    /// The first statement with such a link.
    first: Option<StatementId>,
    /// Whether all have it in the same words.
    is_of_template: bool,
}

impl ReviewBuilder<'_> {
    /// Collects names that many notes link to, of which there is no note and next to no statement.
    pub(super) fn frontier_items(&self) -> Result<Vec<ReviewCandidate>, ReadError> {
        let mut items: Vec<ReviewCandidate> = Vec::new();
        let mut told: BTreeSet<String> = BTreeSet::new();
        let often = self.session.snapshot.names().most_linked(self.session.door.strictest_band(), LINKING_NOTES_MIN)?;
        // Daily notes describe their day themselves.
        let is_thing = |target: &str| {
            !is_attachment(target)
                && !is_day_name(target)
                && has_name_shape(link_display_name(target))
                && !is_meta_file(link_display_name(target))
        };
        let notes = self.count_visible_notes()?;
        let titles = self.visible_titles()?;
        for (target, _) in often.into_iter().filter(|(target, _)| is_thing(target)).take(NAMES_MAX) {
            let LinkingNotes { count: from, band, first: linking, is_of_template } =
                self.count_linking_notes(&target)?;
            if is_of_template {
                continue;
            }
            if from >= LABEL_LINKS_MIN && from > notes / LABEL_SHARE_DIVISOR {
                continue;
            }
            let entity = match EntityResolver::new(self.session, Authors::User).resolve_link(None, &target)? {
                EntityResolution::Ambiguous(_) => continue,
                // A note that says little is its owner's to leave so.
                EntityResolution::One(Entity::Note(_)) => continue,
                EntityResolution::One(entity) => entity,
                // Relative to its own note a link may still lead to a note: "../people/ada.md".
                EntityResolution::Unknown if self.has_resolvable_link(&target)? => continue,
                EntityResolution::Unknown => match NameKey::from_name(&target) {
                    Some(key) => Entity::Name(key),
                    None => continue,
                },
            };
            let places = EntityResolver::new(self.session, Authors::User).places_about(
                EntityResolver::new(self.session, Authors::User).entity_names(&entity)?,
                FEW_STATEMENTS_MAX + 1,
            )?;
            let described: BTreeSet<_> = places.iter().map(|place| place.statement).collect();
            if from < LINKING_NOTES_MIN || described.len() > FEW_STATEMENTS_MAX {
                continue;
            }
            // "MentalModels" is "Mental Models", written otherwise.
            if titles.contains(&singular_letters(link_display_name(&target))) || !told.insert(link_key(&target)) {
                continue;
            }
            let question = format!("Does “{}” deserve a note?", link_display_name(&target));
            let why = format!("{from} notes link to it, and there is none of it");
            let advice = "Write what it is, or let it rest.";
            let asked = new_review_item(Kind::Frontier, question, why, advice, Vec::new());
            // It can be postponed by a statement that links to it.
            let later = linking.map(|id| new_choice("later", DecisionKind::Later, &id.to_string(), &[]));
            let question = ReviewItem { band, choices: later.into_iter().collect(), ..asked };
            let key = format!("{:06} {target}", 1_000_000_usize.saturating_sub(from));
            items.push(ReviewCandidate { kind: Kind::Frontier, key, question });
        }
        Ok(items)
    }

    /// Counts the notes with a link to a name, as far as this door may count them, and returns the band that reaches
    /// the minimum. The first statement with such a link represents the name.
    fn count_linking_notes(&self, target: &str) -> Result<LinkingNotes, ReadError> {
        let keys = BTreeSet::from([link_key(target)]);
        let from = |band| -> Result<BTreeSet<NotePath>, ReadError> {
            Ok(self
                .session
                .snapshot
                .names()
                .links_with_target(&keys, (band, Authors::User))?
                .into_iter()
                .map(|link| link.place.note)
                .collect())
        };
        let open = from(Band::Public)?.len();
        let of = (self.session.door.strictest_band(), Authors::User);
        let links = self.session.snapshot.names().links_with_target(&keys, of)?;
        let (mut notes, mut sentences, mut first) = (BTreeSet::new(), BTreeSet::new(), None);
        for link in links {
            if self.session.may_use_index(&link.place.note)? {
                first = first.or(Some(link.place.statement));
                sentences.insert(link.place.statement);
                notes.insert(link.place.note);
            }
        }
        let band = if open >= LINKING_NOTES_MIN { Band::Public } else { Band::Secret };
        let some: Vec<StatementId> = sentences.into_iter().take(COMPARED_MAX).collect();
        let some = self.session.snapshot.statements(&some)?;
        let wordings: BTreeSet<&str> = some.iter().map(|statement| statement.wording.words.as_str()).collect();
        Ok(LinkingNotes { count: notes.len(), band, first, is_of_template: wordings.len() < 2 })
    }

    /// Returns whether any link of this name leads to a note, relative to the note that has the link.
    fn has_resolvable_link(&self, target: &str) -> Result<bool, ReadError> {
        let keys = BTreeSet::from([link_key(target)]);
        let of = (self.session.door.strictest_band(), Authors::User);
        for link in self.session.snapshot.names().links_with_target(&keys, of)? {
            let from = &link.place.note;
            if self.session.may_use_index(from)?
                && !matches!(
                    EntityResolver::new(self.session, Authors::User).resolve_link(Some(from), &link.target)?,
                    EntityResolution::Unknown
                )
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the letters of the notes' titles, as far as this door may know them.
    fn visible_titles(&self) -> Result<BTreeSet<String>, ReadError> {
        let notes = self.session.snapshot.notes()?;
        let visible = notes.iter().filter(|note| self.session.door.may_show(note.band));
        Ok(visible.map(|note| singular_letters(&note.title)).collect())
    }

    /// Counts the notes, as far as this door may count them.
    fn count_visible_notes(&self) -> Result<usize, ReadError> {
        let mut count = 0;
        for note in self.session.snapshot.notes()? {
            count += usize::from(self.session.door.may_show(note.band) && self.session.may_use_index(&note.path)?);
        }
        Ok(count)
    }
}

/// Returns a name's letters and digits in lower case, without a plural's ending.
fn singular_letters(name: &str) -> String {
    let letters = letters_of(name);
    let stem = letters.strip_suffix("es").or_else(|| letters.strip_suffix('s')).unwrap_or(&letters);
    stem.to_owned()
}

/// Returns whether a name is that of a file about its folder: `README`, `CLAUDE`, `index`.
fn is_meta_file(name: &str) -> bool {
    const FILES: &[&str] = &[
        "agents",
        "changelog",
        "claude",
        "code_of_conduct",
        "contributing",
        "gemini",
        "home",
        "index",
        "license",
        "readme",
        "todo",
    ];
    FILES.iter().any(|file| file.eq_ignore_ascii_case(name))
}

/// Returns whether a name is a day or a month, which daily notes describe, or what a template made of none.
fn is_day_name(target: &str) -> bool {
    let name = target.rsplit('/').next().unwrap_or(target).trim();
    if name.eq_ignore_ascii_case("invalid date") {
        return true;
    }
    let mut found = find_times(name).into_iter();
    let whole = |phrase: std::ops::Range<usize>| phrase.start == 0 && phrase.end == name.len();
    PartialDate::parse(name).is_some() || found.any(|found| whole(found.phrase))
}

/// Returns whether a link's words look like a name: one lower-case word is a label ("todo", "read").
fn has_name_shape(words: &str) -> bool {
    let is_large = |c: char| c.is_alphabetic() && !c.is_lowercase();
    words.contains([' ', '-', '_']) || words.contains(is_large)
}

/// Returns the last part of a link's target, without `.md`.
fn link_display_name(target: &str) -> &str {
    let name = target.rsplit('/').next().unwrap_or(target);
    name.strip_suffix(".md").unwrap_or(name)
}

/// Returns whether a link leads to a picture or another file that is not a note.
fn is_attachment(target: &str) -> bool {
    let extension = std::path::Path::new(target).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        !extension.eq_ignore_ascii_case("md")
            && (2..=5).contains(&extension.len())
            && extension.bytes().all(|b| b.is_ascii_alphanumeric())
            && extension.bytes().any(|b| b.is_ascii_alphabetic())
    })
}
