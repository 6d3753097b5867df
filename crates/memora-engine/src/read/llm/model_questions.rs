//! Who asks language models about the notes of a vault.

use crate::state::open::Memora;

/// Asks language models: about questions, texts, pairs and passages, each in a file that has its methods.
pub(crate) struct ModelQuestions<'m> {
    pub(crate) memora: &'m Memora,
}

impl<'m> ModelQuestions<'m> {
    pub(crate) fn new(memora: &'m Memora) -> Self {
        Self { memora }
    }
}
