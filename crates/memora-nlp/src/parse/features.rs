//! The active features of one decision: [`FeatureBuffer`], a list of keys.
//!
//! Invariant: **a feature is a template number and up to four values**, and only its hash is kept.
//! Not here: the templates, which are defined with the tagger and the parser.

use crate::parse::hash;

/// The maximum number of features per lookup, a power of two; features beyond it are dropped.
pub(crate) const FEATURES_MAX: usize = 128;

/// Features in groups, each with a sum of its own.
pub(crate) struct FeatureBuffer {
    list: [Feature; FEATURES_MAX],
    len: usize,
    group: u32,
}

/// A feature's key, and the group to whose sum its weights are added.
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

    /// Sets the group, below 8, of the features pushed from here on.
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
