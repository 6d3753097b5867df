//! Suggestions of similar names ("did you mean").

use std::collections::BTreeSet;

use memora_claim::NameKey;
use memora_redact::Door;
use memora_store::ReadError;

use crate::entity::EntityReports;

/// The maximum number of suggestions.
const NEAREST_MAX: usize = 3;

impl<D: Door> EntityReports<'_, D> {
    /// Returns visible titles and aliases that are spelled similarly, or that contain the words asked for.
    pub(super) fn suggest_names(&self, asked: &str) -> Result<Vec<String>, ReadError> {
        let Some(key) = NameKey::from_name(asked) else { return Ok(Vec::new()) };
        let mut found: BTreeSet<(usize, &str)> = BTreeSet::new();
        let names = self.session.entities().name_table()?;
        for note in names.notes() {
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
            let known = NameKey::from_name(name).map(|key| self.session.entities().claimants(&key)).transpose()?;
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
    let (a, b): (Vec<char>, Vec<char>) = (asked.chars().collect(), name.chars().collect());
    let bound = (a.len().max(b.len()) / 3).min(3);
    if a.len().abs_diff(b.len()) <= bound {
        let letters = edit_distance(&a, &b);
        if letters <= bound {
            return Some(letters);
        }
    }
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>();
    let (asked, name) = (words(asked), words(name));
    (a.len() > 2 && (asked.is_subset(&name) || name.is_subset(&asked))).then_some(bound + 1)
}

/// The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut rows: [Vec<usize>; 3] = [Vec::new(), Vec::new(), (0..=b.len()).collect()];
    for (i, x) in a.iter().enumerate() {
        rows.rotate_left(1);
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut least = (rows[1][j] + usize::from(x != y)).min(rows[1][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *y && b[j - 1] == *x {
                least = least.min(rows[0][j - 1] + 1);
            }
            row.push(least);
        }
        rows[2] = row;
    }
    rows[2][b.len()]
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
