//! The sentences that were parsed last: [`RecentParses`].
//!
//! Notes made from one template say the same again, and so does a note that was edited in one place. Invariant: **a parse
//! follows from the words and the given tags alone**, which are the key: a kept one equals a new one.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use lru::LruCache;

use crate::parse::transition_parser::ParseOutput;

/// Maximum number of sentences that are kept, some hundred bytes each, and 3 KiB at most.
const SENTENCES_MAX: NonZeroUsize = NonZeroUsize::new(8192).expect("more than none");

/// Maximum length of their words, in bytes; longer ones are parsed each time.
const WORDS_MAX: usize = 512;

/// The tags of a sentence, as numbers of the model, and its tree.
pub(crate) struct TaggedParse {
    pub(crate) tags: Vec<u8>,
    pub(crate) parse: ParseOutput,
}

/// What was asked: the words, each before its length, and the tags that were given, by token.
#[derive(PartialEq, Eq, Hash)]
struct ParseKey {
    words: Box<[u8]>,
    given: Box<[(usize, u8)]>,
}

/// The parses of one model, shared by all threads.
pub(crate) struct RecentParses(Mutex<LruCache<ParseKey, Arc<TaggedParse>>>);

impl RecentParses {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(LruCache::new(SENTENCES_MAX)))
    }

    /// Returns the parse of a sentence, made now unless it is kept.
    pub(crate) fn get_or_parse(
        &self,
        words: &[&str],
        given: &[(usize, u8)],
        parse: impl FnOnce() -> TaggedParse,
    ) -> Arc<TaggedParse> {
        if words.iter().map(|word| word.len()).sum::<usize>() > WORDS_MAX {
            return Arc::new(parse());
        }
        let key = ParseKey { words: pack_words(words), given: given.into() };
        let recent = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = recent().get(&key) {
            return Arc::clone(kept);
        }
        // Not while the lock is held: others parse meanwhile.
        let made = Arc::new(parse());
        recent().put(key, Arc::clone(&made));
        made
    }
}

/// Packs words of at most [`WORDS_MAX`] bytes, so that no two lists of words give the same bytes.
fn pack_words(words: &[&str]) -> Box<[u8]> {
    let mut packed = Vec::with_capacity(WORDS_MAX);
    for word in words {
        packed.extend_from_slice(word.as_bytes());
        packed.extend_from_slice(&(word.len() as u16).to_le_bytes());
    }
    packed.into()
}
