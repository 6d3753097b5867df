//! Suggestions of similar names ("did you mean").

use std::collections::BTreeSet;

use memora_claim::NameKey;
use memora_store::ReadError;

use crate::read::entity::EntityReports;

/// The maximum number of suggestions.
const NEAREST_MAX: usize = 3;

impl EntityReports<'_> {
    /// Returns visible titles and aliases that are spelled similarly, or that contain the words asked for.
    pub(super) fn suggest_names(&self, asked: &str) -> Result<Vec<String>, ReadError> {
        let Some(key) = NameKey::from_name(asked) else { return Ok(Vec::new()) };
        let mut found: BTreeSet<(usize, &str)> = BTreeSet::new();
        let names = self.entities().name_table()?;
        for note in names.notes().iter().filter(|note| self.authors.include(note.captured)) {
            for name in std::iter::once(&note.title).chain(&note.aliases) {
                let far = NameKey::from_name(name).and_then(|other| name_distance(key.as_str(), other.as_str()));
                found.extend(far.map(|far| (far, name.as_str())));
            }
        }
        let mut nearest: Vec<String> = Vec::new();
        for (_, name) in found {
            if nearest.len() == NEAREST_MAX {
                break;
            }
            let known = NameKey::from_name(name).map(|key| self.entities().claimants(&key)).transpose()?;
            if known.is_some_and(|claimants| !claimants.is_empty()) && !nearest.iter().any(|other| other == name) {
                nearest.push(name.to_owned());
            }
        }
        Ok(nearest)
    }
}

/// Returns the distance between two names: edits to make, fewer than a third of the letters; `None` for an unrelated
/// name.
pub(crate) fn name_distance(asked: &str, name: &str) -> Option<usize> {
    let (asked_letters, name_letters) = (asked.chars().count(), name.chars().count());
    let bound = (asked_letters.max(name_letters) / 3).min(3);
    if asked_letters.abs_diff(name_letters) <= bound {
        let letters = strsim::osa_distance(asked, name);
        if letters <= bound {
            return Some(letters);
        }
    }
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>();
    let (asked, name) = (words(asked), words(name));
    (asked_letters > 2 && (asked.is_subset(&name) || name.is_subset(&asked))).then_some(bound + 1)
}

#[cfg(test)]
mod tests {
    use super::name_distance;

    #[test]
    fn slips_are_near_and_other_names_are_not() {
        assert_eq!(name_distance("anna brand", "anna brandt"), Some(1));
        assert_eq!(name_distance("dirft", "drift"), Some(1));
        assert_eq!(name_distance("drift", "drift"), Some(0));
        assert_eq!(name_distance("oma", "opa"), Some(1));
        assert!(name_distance("hilde", "oma hilde").is_some());
        for (a, b) in [("drift", "roadmap"), ("anna", "jonas"), ("a", "b"), ("", "x")] {
            assert_eq!(name_distance(a, b), None, "{a} {b}");
        }
    }
}
