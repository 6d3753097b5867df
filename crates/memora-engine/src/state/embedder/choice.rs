//! The embedder that makes vectors: the user's choice, or the built-in one while that is not available.
//!
//! Invariant: **the chosen embedder is loaded once, when it is first needed.** Loading takes about a second, so
//! a command that neither embeds nor reports never loads it.

use std::sync::OnceLock;

use memora_embed::{Embedder, FastEmbedder, RuntimePaths, RuntimeUnavailable, StaticEmbedder};

/// An embedder that a user can choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmbedderChoice {
    /// The word vectors that are part of the program.
    #[default]
    Embedded,
    /// all-MiniLM-L6-v2, through ONNX Runtime.
    MiniLm,
}

impl EmbedderChoice {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Embedded, Self::MiniLm];

    /// Its name, in `config.toml` and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::MiniLm => RuntimePaths::MODEL,
        }
    }

    /// The embedder with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.name() == name)
    }

    /// Whether vectors with this embedder id are its own, in any version of its files.
    pub(crate) fn is_maker_of(self, id: &str) -> bool {
        let minilm = id.strip_prefix(RuntimePaths::MODEL).is_some_and(|rest| rest.starts_with('/'));
        minilm == (self == Self::MiniLm)
    }
}

/// The chosen embedder, and the built-in one that stands in for it.
pub(crate) struct Embedders {
    choice: EmbedderChoice,
    places: RuntimePaths,
    loaded: OnceLock<Result<Box<dyn Embedder>, RuntimeUnavailable>>,
}

impl Embedders {
    pub(crate) fn new(choice: EmbedderChoice, places: RuntimePaths) -> Self {
        Self { choice, places, loaded: OnceLock::new() }
    }

    /// Embedders with this one as the chosen one, or with the chosen one missing.
    #[cfg(test)]
    pub(crate) fn with_chosen(chosen: Option<Box<dyn Embedder>>) -> Self {
        let absent = RuntimeUnavailable::Library { looked: Vec::new() };
        let loaded = OnceLock::from(chosen.ok_or(absent));
        Self { choice: EmbedderChoice::MiniLm, places: RuntimePaths::default(), loaded }
    }

    pub(crate) fn choice(&self) -> EmbedderChoice {
        self.choice
    }

    /// The built-in embedder.
    pub(crate) fn builtin(&self) -> &'static dyn Embedder {
        StaticEmbedder::embedded()
    }

    /// The chosen embedder, loaded if need be; or why it is missing.
    pub(crate) fn load_chosen(&self) -> Result<&dyn Embedder, &RuntimeUnavailable> {
        match self.choice {
            EmbedderChoice::Embedded => Ok(self.builtin()),
            EmbedderChoice::MiniLm => {
                let probe =
                    || FastEmbedder::probe(&self.places).map(|embedder| Box::new(embedder) as Box<dyn Embedder>);
                self.loaded.get_or_init(probe).as_ref().map(AsRef::as_ref)
            }
        }
    }

    /// Whether the chosen embedder is probably available: its files exist, or it was loaded. Loads nothing.
    pub(crate) fn is_likely_available(&self) -> bool {
        match (self.choice, self.loaded.get()) {
            (EmbedderChoice::Embedded, _) => true,
            (EmbedderChoice::MiniLm, Some(loaded)) => loaded.is_ok(),
            (EmbedderChoice::MiniLm, None) => self.places.locate().is_ok(),
        }
    }

    /// Maps the reason why the chosen embedder is missing, as far as it is known without loading it.
    pub(crate) fn map_absence<T>(&self, tell: impl FnOnce(&RuntimeUnavailable) -> T) -> Option<T> {
        match (self.choice, self.loaded.get()) {
            (EmbedderChoice::Embedded, _) => None,
            (EmbedderChoice::MiniLm, Some(loaded)) => loaded.as_ref().err().map(tell),
            (EmbedderChoice::MiniLm, None) => self.places.locate().err().as_ref().map(tell),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_made_a_set_is_told_by_its_id() {
        let embedded = StaticEmbedder::embedded().id().to_string();
        for (id, by) in [
            (embedded.as_str(), EmbedderChoice::Embedded),
            ("all-MiniLM-L6-v2/1:12ab", EmbedderChoice::MiniLm),
            ("all-MiniLM-L6-v2/7:34cd", EmbedderChoice::MiniLm),
        ] {
            for choice in EmbedderChoice::ALL {
                assert_eq!(choice.is_maker_of(id), choice == by, "{id}");
            }
        }
        for choice in EmbedderChoice::ALL {
            assert_eq!(EmbedderChoice::from_name(choice.name()), Some(choice));
        }
        assert_eq!(EmbedderChoice::from_name("minilm"), None);
    }
}
