//! The features that hold in one place: [`Features`], a list of keys.
//!
//! The one rule to know: **a feature is a template's number and up to four values**, and only its hash is kept.
//! Deliberately not here: the templates, which stand with the tagger and the parser.

use crate::hash;

/// How many features are looked up at once at most; what is pushed beyond is lost.
pub(crate) const FEATURES_MAX: usize = 64;

/// Keys of features.
pub(crate) struct Features {
    keys: [u32; FEATURES_MAX],
    len: usize,
}

impl Features {
    pub(crate) fn new() -> Self {
        Self { keys: [0; FEATURES_MAX], len: 0 }
    }

    pub(crate) fn keys(&self) -> &[u32] {
        self.keys.get(..self.len).unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn one(&mut self, template: u32, a: u32) {
        self.three(template, a, 0, 0);
    }

    #[inline(always)]
    pub(crate) fn two(&mut self, template: u32, a: u32, b: u32) {
        self.three(template, a, b, 0);
    }

    #[inline(always)]
    pub(crate) fn three(&mut self, template: u32, a: u32, b: u32, c: u32) {
        if let Some(key) = self.keys.get_mut(self.len) {
            *key = hash::of_feature(template, a, b, c);
            self.len += 1;
        }
    }

    #[inline(always)]
    pub(crate) fn four(&mut self, template: u32, a: u32, b: u32, c: u32, d: u32) {
        self.three(template, a, b, c.wrapping_mul(8191).wrapping_add(d));
    }
}
