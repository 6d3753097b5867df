//! Review items about notes: often linked but hardly described ones, and those with many problems.

use std::collections::{BTreeMap, BTreeSet};

use memora_claim::time::find_times;
use memora_claim::{DecisionKind, NameKey, StatementId};
use memora_redact::Viewer;
use memora_store::{Authors, ReadError};
use memora_vault::{Band, NotePath, PartialDate, link_key};

use super::{Kind, ReviewCandidate, new_choice, new_review_item};
use crate::entity::{Entity, EntityResolution};
use crate::report::ReviewItem;
use crate::review::ReviewBuilder;

/// The minimum number of linking notes of an often linked name.
const LINKING_NOTES_MIN: usize = 3;
/// The maximum number of statements of a hardly described name.
const FEW_STATEMENTS_MAX: usize = 1;
/// The minimum number of problems for an item.
const PROBLEMS_MIN: usize = 3;
/// The maximum number of most linked names examined.
const NAMES_MAX: usize = 200;
/// A target linked from more than one in this many notes is a label, not an entity.
const LABEL_SHARE_DIVISOR: usize = 4;
/// The minimum number of linking notes for that test.
const LABEL_LINKS_MIN: usize = 20;
/// The problem kind of a possible credential.
const CREDENTIAL_KIND: &str = "credential";

impl ReviewBuilder<'_> {
    /// Collects names that many notes link to and that have almost no statements about them.
    pub(super) fn frontier_items(&self) -> Result<Vec<ReviewCandidate>, ReadError> {
        let mut items: Vec<ReviewCandidate> = Vec::new();
        let mut told: BTreeSet<String> = BTreeSet::new();
        let often = self.session.snapshot.most_linked(self.session.door.strictest_band(), LINKING_NOTES_MIN)?;
        // Daily notes describe their day themselves.
        let is_thing = |target: &str| {
            !is_attachment(target)
                && !is_day_name(target)
                && has_name_shape(link_display_name(target))
                && !is_meta_file(link_display_name(target))
        };
        let notes = self.count_visible_notes()?;
        for (target, _) in often.into_iter().filter(|(target, _)| is_thing(target)).take(NAMES_MAX) {
            let (from, band, linking) = self.count_linking_notes(&target)?;
            if from >= LABEL_LINKS_MIN && from > notes / LABEL_SHARE_DIVISOR {
                continue;
            }
            let entity = match self.session.entities().resolve_link(None, &target)? {
                EntityResolution::Ambiguous(_) => continue,
                // A note with statements of its own describes itself.
                EntityResolution::One(Entity::Note(path)) if self.has_own_statements(&path)? => continue,
                EntityResolution::One(entity) => entity,
                // Relative to its own note a link may still lead to a note: "../people/ada.md".
                EntityResolution::Unknown if self.has_resolvable_link(&target)? => continue,
                EntityResolution::Unknown => match NameKey::from_name(&target) {
                    Some(key) => Entity::Name(key),
                    None => continue,
                },
            };
            let places = self
                .session
                .entities()
                .places_about(self.session.entities().entity_names(&entity)?, FEW_STATEMENTS_MAX + 1)?;
            let described: BTreeSet<_> = places.iter().map(|place| place.statement).collect();
            if from < LINKING_NOTES_MIN || described.len() > FEW_STATEMENTS_MAX {
                continue;
            }
            let (path, band) = match &entity {
                Entity::Note(path) => (Some(path.as_str().to_owned()), band.join(self.note_band(path)?)),
                Entity::Name(_) => (None, band),
            };
            if !told.insert(path.clone().unwrap_or_else(|| link_key(&target))) {
                continue;
            }
            let name = link_display_name(&target);
            let (question, said) = match &path {
                Some(_) => (format!("Is there more to say of “{name}”?"), "its own note says next to nothing"),
                None => (format!("Does “{name}” deserve a note?"), "there is none of it"),
            };
            let why = format!("{from} notes link to it, and {said}");
            let advice = "Write what it is, or let it rest.";
            let question = new_coverage_item(
                Kind::Frontier,
                (question, why),
                advice,
                CoverageSubject { path, band, statement: linking },
            );
            let key = format!("{:06} {target}", 1_000_000_usize.saturating_sub(from));
            items.push(ReviewCandidate { kind: Kind::Frontier, key, question });
        }
        Ok(items)
    }

    /// Counts the notes with a link to a name, as far as this door may count them, and returns the band that reaches
    /// the minimum. The first statement with such a link represents the name.
    fn count_linking_notes(&self, target: &str) -> Result<(usize, Band, Option<StatementId>), ReadError> {
        let keys = BTreeSet::from([link_key(target)]);
        let from = |band| -> Result<BTreeSet<NotePath>, ReadError> {
            Ok(self
                .session
                .snapshot
                .links_with_target(&keys, (band, Authors::User))?
                .into_iter()
                .map(|link| link.place.note)
                .collect())
        };
        let open = from(Band::Public)?.len();
        let of = (self.session.door.strictest_band(), Authors::User);
        let links = self.session.snapshot.links_with_target(&keys, of)?;
        let (mut notes, mut first) = (BTreeSet::new(), None);
        for link in links {
            if self.session.may_use_index(&link.place.note)? {
                first = first.or(Some(link.place.statement));
                notes.insert(link.place.note);
            }
        }
        Ok((notes.len(), if open >= LINKING_NOTES_MIN { Band::Public } else { Band::Secret }, first))
    }

    /// Returns whether any link of this name leads to a note, relative to the note that has the link.
    fn has_resolvable_link(&self, target: &str) -> Result<bool, ReadError> {
        let keys = BTreeSet::from([link_key(target)]);
        let of = (self.session.door.strictest_band(), Authors::User);
        for link in self.session.snapshot.links_with_target(&keys, of)? {
            let from = &link.place.note;
            if self.session.may_use_index(from)?
                && !matches!(self.session.entities().resolve_link(Some(from), &link.target)?, EntityResolution::Unknown)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether a note has more than a few statements of its own.
    fn has_own_statements(&self, path: &NotePath) -> Result<bool, ReadError> {
        Ok(self.session.snapshot.places_of_note(path, self.session.door.strictest_band())?.len() > FEW_STATEMENTS_MAX)
    }

    /// Counts the notes, as far as this door may count them.
    fn count_visible_notes(&self) -> Result<usize, ReadError> {
        let mut count = 0;
        for note in self.session.snapshot.notes()? {
            count += usize::from(self.session.door.may_show(note.band) && self.session.may_use_index(&note.path)?);
        }
        Ok(count)
    }

    fn note_band(&self, path: &NotePath) -> Result<Band, ReadError> {
        Ok(self.session.snapshot.note(path)?.map_or(Band::Secret, |note| note.band))
    }

    /// Collects notes with many problems.
    pub(super) fn problem_items(&self) -> Result<Vec<ReviewCandidate>, ReadError> {
        let mut notes: BTreeMap<String, Vec<String>> = BTreeMap::new();
        // A possible password is guarded already, and needs no fix.
        for problem in self.session.doctor().problems()?.into_iter().filter(|problem| problem.kind != CREDENTIAL_KIND) {
            notes.entry(problem.path).or_default().push(format!("line {}: {}", problem.line, problem.message));
        }
        let mut items = Vec::new();
        for (path, problems) in notes.into_iter().filter(|(_, problems)| problems.len() >= PROBLEMS_MIN) {
            let Ok(note) = NotePath::new(path.as_str()) else { continue };
            let band = self.note_band(&note)?;
            let statement = self
                .session
                .snapshot
                .places_of_note(&note, self.session.door.strictest_band())?
                .first()
                .map(|place| place.statement);
            let key = format!("{:06} {path}", 1_000_000_usize.saturating_sub(problems.len()));
            let question = format!("Does “{}” say what it should?", note.stem());
            let why = format!("it has {} problems: {}", problems.len(), problems.join("; "));
            let advice = "Mend it; memora index lists what is odd, with hints.";
            let question = new_coverage_item(
                Kind::Problems,
                (question, why),
                advice,
                CoverageSubject { path: Some(path), band, statement },
            );
            items.push(ReviewCandidate { kind: Kind::Problems, key, question });
        }
        Ok(items)
    }
}

/// The subject of an item: a note, its band, and a statement that represents it.
struct CoverageSubject {
    path: Option<String>,
    band: Band,
    statement: Option<StatementId>,
}

/// Builds an item about a note or a name; it can be postponed by a statement in it.
fn new_coverage_item(
    kind: Kind,
    (question, why): (String, String),
    advice: &str,
    about: CoverageSubject,
) -> ReviewItem {
    let CoverageSubject { path, band, statement } = about;
    let later = statement.map(|id| new_choice("later", DecisionKind::Later, &id.to_string(), &[]));
    let choices = later.into_iter().collect();
    ReviewItem { band, path, choices, ..new_review_item(kind, question, why, advice, Vec::new()) }
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

/// Returns whether a name is a day or a month, which daily notes describe.
fn is_day_name(target: &str) -> bool {
    let name = target.rsplit('/').next().unwrap_or(target).trim();
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
