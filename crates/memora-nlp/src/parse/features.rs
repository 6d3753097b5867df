//! The features that hold in one place: [`Features`], a list of keys.
//!
//! The one rule to know: **a feature is a template's number and up to four values**, and only its hash is kept.
//! Deliberately not here: the templates, which stand with the tagger and the parser.

use crate::parse::hash;

/// How many features are looked up at once at most; what is pushed beyond is lost.
pub(crate) const FEATURES_MAX: usize = 128;

/// How many sums are made at once at most.
pub(crate) const GROUPS: usize = 5;

/// Features in groups, each of which has a sum of its own.
pub(crate) struct FeatureBuffer {
    list: [Feature; FEATURES_MAX],
    len: usize,
    group: u32,
}

/// A feature's key, and the group that its weights are added to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Feature {
    pub(crate) key: u32,
    pub(crate) group: u32,
}

impl FeatureBuffer {
    pub(crate) fn new() -> Self {
        Self { list: [Feature { key: 0, group: 0 }; FEATURES_MAX], len: 0, group: 0 }
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// What is added from here on is of `group`, one of [`GROUPS`].
    pub(crate) fn set_group(&mut self, group: u32) -> &mut Self {
        self.group = group;
        self
    }

    pub(crate) fn as_slice(&self) -> &[Feature] {
        self.list.get(..self.len).unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn push_one(&mut self, template: u32, a: u32) {
        self.push_three(template, a, 0, 0);
    }

    #[inline(always)]
    pub(crate) fn push_two(&mut self, template: u32, a: u32, b: u32) {
        self.push_three(template, a, b, 0);
    }

    #[inline(always)]
    pub(crate) fn push_three(&mut self, template: u32, a: u32, b: u32, c: u32) {
        if let Some(feature) = self.list.get_mut(self.len) {
            *feature = Feature { key: hash::feature_key(template, a, b, c), group: self.group };
            self.len += 1;
        }
    }

    #[inline(always)]
    pub(crate) fn push_four(&mut self, template: u32, a: u32, b: u32, c: u32, d: u32) {
        self.push_three(template, a, b, c.wrapping_mul(8191).wrapping_add(d));
    }
}
