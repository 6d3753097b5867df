//! The set of places that may have changed.

use std::collections::BTreeSet;
use std::fmt;

/// The maximum number of places kept; beyond it, everything is dirty.
const PLACES_MAX: usize = 4096;

/// Places that may have changed, or the whole vault.
///
/// Bounded: from 4,096 places on it is everything.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct DirtySet {
    places: BTreeSet<String>,
    everything: bool,
    settings: bool,
}

impl DirtySet {
    /// Whether nothing may have changed.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        !self.everything && self.places.is_empty()
    }

    /// Whether only a full walk can tell what changed.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.everything
    }

    /// Whether the vault's or the user's settings changed; then everything may have changed.
    #[must_use]
    pub fn has_changed_settings(&self) -> bool {
        self.settings
    }

    /// Notes and folders to scan, relative to the vault; none if everything is dirty.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        self.places.iter().map(String::as_str)
    }

    /// Adds another set.
    pub fn join(&mut self, other: Self) {
        self.settings |= other.settings;
        if other.everything {
            self.mark_everything();
        }
        for place in other.places {
            self.mark_place(place);
        }
    }

    pub(super) fn mark_place(&mut self, place: String) {
        if !self.everything {
            self.places.insert(place);
        }
        if self.places.len() >= PLACES_MAX {
            self.everything = true;
        }
        if self.everything {
            self.places.clear();
        }
    }

    pub(super) fn mark_everything(&mut self) {
        self.everything = true;
        self.places.clear();
    }

    pub(super) fn mark_settings(&mut self) {
        self.settings = true;
        self.mark_everything();
    }
}

/// Shows counts only: names of notes do not belong in a log.
impl fmt::Debug for DirtySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { places, everything, settings } = self;
        write!(f, "Dirty {{ places: {}, everything: {everything}, settings: {settings} }}", places.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_kept_once_and_not_without_end() {
        let mut dirty = DirtySet::default();
        assert!(dirty.is_clean());
        for number in 0..PLACES_MAX - 1 {
            dirty.mark_place(format!("{number}.md"));
            dirty.mark_place("0.md".to_owned());
        }
        assert!(!dirty.is_everything() && dirty.places().count() == PLACES_MAX - 1);
        dirty.mark_place("one more.md".to_owned());
        assert!(dirty.is_everything() && dirty.places().count() == 0 && !dirty.is_clean());
        dirty.mark_place("and another.md".to_owned());
        assert_eq!(dirty.places().count(), 0);
    }

    #[test]
    fn joined_is_dirty_what_either_was() {
        let of = |places: &[&str]| {
            let mut dirty = DirtySet::default();
            places.iter().for_each(|place| dirty.mark_place((*place).to_owned()));
            dirty
        };
        let mut both = of(&["a.md", "b.md"]);
        both.join(of(&["b.md", "c.md"]));
        assert_eq!(both, of(&["a.md", "b.md", "c.md"]));
        let mut settings = DirtySet::default();
        settings.mark_settings();
        both.join(settings);
        assert!(both.is_everything() && both.has_changed_settings() && both.places().count() == 0);
    }
}
