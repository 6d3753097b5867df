//! Base forms of words, without their inflection.

use std::collections::HashMap;
use std::sync::LazyLock;

use frostem::{Algorithm, Stemmer};

static IRREGULAR: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| include_str!("../assets/irregular.txt").lines().filter_map(|line| line.split_once(' ')).collect());

/// Returns a key that all inflections of an English word share: equal for "writes", "written" and "writing". For
/// comparison, not for display.
#[must_use]
pub fn base_form(word: &str) -> String {
    let lower = word.to_lowercase();
    let plain = IRREGULAR.get(lower.as_str()).map_or(lower.as_str(), |base| base);
    Stemmer::new(Algorithm::English).stem(plain).into_owned()
}

/// Whether a lower-case word is an irregular form: "met", "went".
pub(crate) fn is_irregular_form(word: &str) -> bool {
    IRREGULAR.contains_key(word)
}
