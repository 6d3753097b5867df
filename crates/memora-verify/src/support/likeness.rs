//! How much two words are alike, from 0 to 1: by a dictionary where it knows both, else by the company they keep.

use std::collections::HashMap;

use memora_embed::{StaticEmbedder, Vector};
use memora_english::{Kinship, Meaning};

use super::synonyms;
use super::tokens::Token;

/// A word with what is known of it.
pub(super) struct Known<'t> {
    pub(super) token: &'t Token,
    meaning: Meaning,
    vector: Vector,
}

impl<'t> Known<'t> {
    pub(super) fn new(token: &'t Token) -> Self {
        Self { token, meaning: Meaning::of(&token.lower), vector: StaticEmbedder::embedded().vector(&token.lower) }
    }

    /// The words of a text, each once.
    pub(super) fn all(tokens: impl Iterator<Item = &'t Token>) -> Vec<Self> {
        let mut seen: HashMap<&str, &Token> = HashMap::new();
        for token in tokens {
            seen.entry(&token.lower).or_insert(token);
        }
        seen.into_values().map(Self::new).collect()
    }

    /// The relation of this word to one of the notes'.
    pub(super) fn is_to(&self, theirs: &Self) -> Option<Kinship> {
        if synonyms::are_synonyms(&self.token.stem, &theirs.token.stem) {
            return Some(Kinship::Same);
        }
        self.meaning.is_to(&theirs.meaning)
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
