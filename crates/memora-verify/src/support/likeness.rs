//! How much two words are alike, from 0 to 1: by a dictionary where it knows both, else by the company they keep.

use std::collections::HashSet;

use memora_embed::{StaticEmbedder, Vector};
use memora_english::{Kinship, Meaning};

use super::synonyms;
use super::tokens::Token;

/// A word with what is known of it.
pub(super) struct Known {
    pub(super) raw: String,
    pub(super) lower: String,
    pub(super) stem: String,
    meaning: Meaning,
    vector: Vector,
}

impl Known {
    pub(super) fn new(token: &Token) -> Self {
        Self {
            raw: token.raw.clone(),
            lower: token.lower.clone(),
            stem: token.stem.clone(),
            meaning: Meaning::of(&token.lower),
            vector: StaticEmbedder::embedded().vector(&token.lower),
        }
    }

    /// Words, each once.
    pub(super) fn all<'t>(tokens: impl Iterator<Item = &'t Token>) -> Vec<Self> {
        let mut seen = HashSet::new();
        tokens.filter(|token| seen.insert(token.lower.as_str())).map(Self::new).collect()
    }

    /// The relation of this word to one of the notes'.
    pub(super) fn is_to(&self, theirs: &Self) -> Option<Kinship> {
        // Since may tell when; because may not.
        let cause = self.lower == "since" && theirs.lower == "because";
        if cause || synonyms::are_synonyms(&self.stem, &theirs.stem) {
            return Some(Kinship::Same);
        }
        let kin = self.meaning.is_to(&theirs.meaning)?;
        // Who manages somebody is their manager, and not the other way round.
        let does = |word: &str| ["er", "or", "ee", "ers", "ors", "ees"].iter().any(|end| word.ends_with(end));
        if kin <= Kinship::Kin && does(&self.lower) != does(&theirs.lower) { None } else { Some(kin) }
    }

    /// How much of this word one of the notes' says. A more particular word than theirs says more than they do.
    pub(super) fn likeness(&self, theirs: &Self) -> f32 {
        let near: f32 = self.vector.cosine(&theirs.vector).max(0.0);
        match self.is_to(theirs) {
            Some(Kinship::Same | Kinship::Kin) => near.max(0.9),
            Some(Kinship::Broader) => near.max(0.75),
            Some(Kinship::Narrower) => near.max(0.6),
            // They stand in the same places and are not the same.
            Some(Kinship::Sibling) => (0.8 * near).clamp(0.35, 0.5),
            Some(Kinship::Opposite) => near.min(0.2),
            None => near,
        }
    }
}
