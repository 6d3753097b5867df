//! What is asked about notes: what is often linked and hardly described, and what has many problems.

use std::collections::{BTreeMap, BTreeSet};

use memora_claim::time::times;
use memora_claim::{Act, NameKey, StatementId};
use memora_redact::Door;
use memora_store::ReadError;
use memora_vault::{Band, NotePath, PartialDate, link_key};

use super::{Item, Kind, asked, choice};
use crate::entity::{Entity, Meant};
use crate::session::Session;
use crate::wire::Challenge;

/// In how many notes something must be linked to be often linked.
const OFTEN: usize = 3;
/// By how many statements it is hardly described at most.
const HARDLY: usize = 1;
/// How many problems are many.
const MANY: usize = 3;
/// How many statements a note without any tie must have to be worth one.
const WORTH: usize = 3;
/// How many of the most often linked names are looked up.
const NAMES_MAX: usize = 200;
/// How many notes without any tie are told at most, and only where no more than one in so many is: elsewhere links are not
/// how the vault is kept.
const ALONE_MAX: usize = 2;
const ALONE_OF: usize = 5;
/// What more than one note in so many links to is a label of notes, and no thing.
const LABEL_OF: usize = 4;
/// From how many notes on that can be told.
const LABEL_FROM: usize = 20;
/// The kind of problem that is one of privacy.
const CREDENTIAL: &str = "credential";

impl<D: Door> Session<'_, D> {
    pub(super) fn frontier_items(&self) -> Result<Vec<Item<D>>, ReadError> {
        let mut items = self.hardly_described()?;
        items.extend(self.alone()?);
        Ok(items)
    }

    /// What many notes link to and next to nothing is said of.
    fn hardly_described(&self) -> Result<Vec<Item<D>>, ReadError> {
        let mut items: Vec<Item<D>> = Vec::new();
        let mut told: BTreeSet<String> = BTreeSet::new();
        let often = self.snapshot.most_linked(self.door.strictest(), OFTEN)?;
        // A day is described by what is written on it.
        let is_thing = |target: &str| !is_attachment(target) && !is_day(target);
        let notes = self.notes_counted()?;
        for (target, _) in often.into_iter().filter(|(target, _)| is_thing(target)).take(NAMES_MAX) {
            let (from, band, linking) = self.notes_linking(&target)?;
            if from >= LABEL_FROM && from > notes / LABEL_OF {
                continue;
            }
            let entity = match self.at(None, &target)? {
                Meant::Several(_) => continue,
                // A note describes itself, whatever is said of it elsewhere.
                Meant::One(Entity::Note(path)) if self.says_something(&path)? => continue,
                Meant::One(entity) => entity,
                // From where it stands a link may lead to a note all the same: "../people/ada.md".
                Meant::Nobody if self.leads_somewhere(&target)? => continue,
                Meant::Nobody => match NameKey::of(&target) {
                    Some(key) => Entity::Name(key),
                    None => continue,
                },
            };
            let places = self.places_about(self.known_as(&entity)?, HARDLY + 1)?;
            let described: BTreeSet<_> = places.iter().map(|place| place.statement).collect();
            if from < OFTEN || described.len() > HARDLY {
                continue;
            }
            let (path, band) = match &entity {
                Entity::Note(path) => (Some(path.as_str().to_owned()), band.join(self.band_of_note(path)?)),
                Entity::Name(_) => (None, band),
            };
            if !told.insert(path.clone().unwrap_or_else(|| link_key(&target))) {
                continue;
            }
            let said = match (&path, described.len()) {
                (Some(_), _) => "its own note says next to nothing",
                (None, 0) => "there is no note of it, and no sentence tells what it is",
                (None, _) => "there is no note of it, and one sentence tells of it",
            };
            let (question, why) =
                (format!("Who or what is “{}”?", shown(&target)), format!("{from} notes link to it, and {said}"));
            let advice = "Write a note of it, or let it rest.";
            let challenge = asked_of(Kind::Frontier, (question, why), advice, About { path, band, statement: linking });
            let key = format!("{:06} {target}", 1_000_000_usize.saturating_sub(from));
            items.push(Item { kind: Kind::Frontier, key, challenge });
        }
        Ok(items)
    }

    /// How many notes have a link to a name, as far as this door may count them, and in which band they are often enough.
    /// The first statement that has one stands for the name.
    fn notes_linking(&self, target: &str) -> Result<(usize, Band, Option<StatementId>), ReadError> {
        let keys = BTreeSet::from([link_key(target)]);
        let from = |band| -> Result<BTreeSet<NotePath>, ReadError> {
            Ok(self.snapshot.links_with_key(&keys, band)?.into_iter().map(|link| link.place.note).collect())
        };
        let open = from(Band::Public)?.len();
        let links = self.snapshot.links_with_key(&keys, self.door.strictest())?;
        let (mut notes, mut first) = (BTreeSet::new(), None);
        for link in links {
            if self.may_count(&link.place.note)? {
                first = first.or(Some(link.place.statement));
                notes.insert(link.place.note);
            }
        }
        Ok((notes.len(), if open >= OFTEN { Band::Public } else { Band::Secret }, first))
    }

    /// Whether any link of this name leads to a note, by the place of the note that it stands in.
    fn leads_somewhere(&self, target: &str) -> Result<bool, ReadError> {
        let keys = BTreeSet::from([link_key(target)]);
        for link in self.snapshot.links_with_key(&keys, self.door.strictest())? {
            let from = &link.place.note;
            if self.may_count(from)? && !matches!(self.at(Some(from), &link.target)?, Meant::Nobody) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a note has text of its own that tells more than nothing.
    fn says_something(&self, path: &NotePath) -> Result<bool, ReadError> {
        Ok(self.snapshot.places_of(path, self.door.strictest())?.len() > HARDLY)
    }

    /// How many notes there are, as far as this door may count them.
    fn notes_counted(&self) -> Result<usize, ReadError> {
        let mut count = 0;
        for note in self.snapshot.notes()? {
            count += usize::from(self.door.shows(note.band) && self.may_count(&note.path)?);
        }
        Ok(count)
    }

    fn band_of_note(&self, path: &NotePath) -> Result<Band, ReadError> {
        Ok(self.snapshot.note(path)?.map_or(Band::Secret, |note| note.band))
    }

    /// Notes whose claims nothing ties to any other: no link leads there or from there, and they bear no date.
    fn alone(&self) -> Result<Vec<Item<D>>, ReadError> {
        let band = self.door.strictest();
        let linked: BTreeSet<String> =
            self.snapshot.most_linked(band, 1)?.into_iter().map(|(target, _)| link_key(&target)).collect();
        let mut items = Vec::new();
        let (mut seen, mut alone) = (0, 0);
        for note in self.snapshot.notes()? {
            let names = note.aliases.iter().map(String::as_str).chain([note.title.as_str(), note.path.stem()]);
            let keys = names.map(link_key).chain([link_key(note.path.as_str().trim_end_matches(".md"))]);
            let hidden = !self.door.shows(note.band) || note.captured || note.date.is_some();
            // What is named like a day or a number tells of a time.
            let dated = is_day(note.path.stem()) || note.path.stem().starts_with(|c: char| c.is_ascii_digit());
            seen += usize::from(self.door.shows(note.band) && self.may_count(&note.path)?);
            if hidden || dated || keys.into_iter().any(|key| linked.contains(&key)) || !self.may_count(&note.path)? {
                continue;
            }
            let places = self.snapshot.places_of(&note.path, band)?;
            let sources = self.snapshot.sources_of_note(&note.path)?;
            let cites = sources.iter().any(|source| self.door.shows(source.row.band) && !source.cites.is_empty());
            if places.len() < WORTH || cites || !self.snapshot.links_at(&places)?.is_empty() {
                continue;
            }
            alone += 1;
            if items.len() == ALONE_MAX {
                continue;
            }
            let path = note.path.as_str().to_owned();
            let why = "no link leads there or from there, and most notes here have one";
            let advice = "Link it to what it belongs to, or let it rest.";
            let question = format!("What does “{}” belong to?", note.title);
            let statement = places.first().map(|place| place.statement);
            let about = About { path: Some(path.clone()), band: note.band, statement };
            let challenge = asked_of(Kind::Frontier, (question, why.to_owned()), advice, about);
            items.push(Item { kind: Kind::Frontier, key: format!("alone {path}"), challenge });
        }
        if alone * ALONE_OF > seen {
            items.clear();
        }
        Ok(items)
    }

    /// Notes with many problems.
    pub(super) fn problem_items(&self) -> Result<Vec<Item<D>>, ReadError> {
        let mut notes: BTreeMap<String, Vec<String>> = BTreeMap::new();
        // What looks like a password is guarded, and nothing to mend.
        for problem in self.problems()?.into_iter().filter(|problem| problem.kind != CREDENTIAL) {
            notes.entry(problem.path).or_default().push(format!("line {}: {}", problem.line, problem.message));
        }
        let mut items = Vec::new();
        for (path, problems) in notes.into_iter().filter(|(_, problems)| problems.len() >= MANY) {
            let Ok(note) = NotePath::new(path.as_str()) else { continue };
            let band = self.band_of_note(&note)?;
            let statement = self.snapshot.places_of(&note, self.door.strictest())?.first().map(|place| place.statement);
            let key = format!("{:06} {path}", 1_000_000_usize.saturating_sub(problems.len()));
            let question = format!("Does “{}” say what it should?", note.stem());
            let why = format!("it has {} problems: {}", problems.len(), problems.join("; "));
            let advice = "Mend it; memora index lists what is odd, with hints.";
            let challenge =
                asked_of(Kind::Problems, (question, why), advice, About { path: Some(path), band, statement });
            items.push(Item { kind: Kind::Problems, key, challenge });
        }
        Ok(items)
    }
}

/// What is asked about: a note, how guarded it is, and a statement that stands for it.
struct About {
    path: Option<String>,
    band: Band,
    statement: Option<StatementId>,
}

/// A question about a note or a name; it can be put off by a statement that stands there.
fn asked_of<D>(kind: Kind, (question, why): (String, String), advice: &str, about: About) -> Challenge<D> {
    let About { path, band, statement } = about;
    let later = statement.map(|id| choice("later", Act::Later, &id.to_string(), &[]));
    let choices = later.into_iter().collect();
    Challenge { band: band.as_str(), path, choices, ..asked(kind, question, why, advice, Vec::new()) }
}

/// Whether a name is that of a day or a month: it is described by what is written then.
fn is_day(target: &str) -> bool {
    let name = target.rsplit('/').next().unwrap_or(target).trim();
    let mut found = times(name).into_iter();
    let whole = |phrase: std::ops::Range<usize>| phrase.start == 0 && phrase.end == name.len();
    PartialDate::parse(name).is_some() || found.any(|found| whole(found.phrase))
}

/// The name that a link's target ends with.
fn shown(target: &str) -> &str {
    let name = target.rsplit('/').next().unwrap_or(target);
    name.strip_suffix(".md").unwrap_or(name)
}

/// Whether a link leads to a picture or another file that is no note.
fn is_attachment(target: &str) -> bool {
    let extension = std::path::Path::new(target).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        !extension.eq_ignore_ascii_case("md")
            && (2..=5).contains(&extension.len())
            && extension.bytes().all(|b| b.is_ascii_alphanumeric())
            && extension.bytes().any(|b| b.is_ascii_alphabetic())
    })
}
