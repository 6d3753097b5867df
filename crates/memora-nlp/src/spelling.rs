//! Spelling normalization: `organised` becomes `organized`, `colour` becomes `color`.
//!
//! Invariant: **a normalized spelling is for comparison, never for display**, and only words with two accepted
//! spellings change.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::lexicon::{ISE_STEMS, SPELLING_ENDINGS, SPELLINGS};

/// Returns the normalized spelling of a lower-case word.
#[must_use]
pub fn normalize_spelling(word: &str) -> Cow<'_, str> {
    if !word.is_ascii() || word.len() < 4 {
        return Cow::Borrowed(word);
    }
    if let Some(other) = respell_by_prefix(word) {
        return Cow::Owned(other);
    }
    for (ending, other) in
        [("isation", "ization"), ("isations", "izations"), ("ise", "ize"), ("ised", "ized"), ("ises", "izes")]
            .into_iter()
            .chain([("ising", "izing"), ("iser", "izer"), ("isers", "izers")])
    {
        if let Some(base) = word.strip_suffix(ending).filter(|base| base.len() > 2 && !ISE_STEMS.contains(base)) {
            return Cow::Owned(format!("{base}{other}"));
        }
    }
    Cow::Borrowed(word)
}

/// Returns the other spelling of a word that is listed, or that begins with a listed one.
fn respell_by_prefix(word: &str) -> Option<String> {
    static BY_THREE: LazyLock<HashMap<&str, Vec<(&str, &str)>>> = LazyLock::new(|| {
        let mut found: HashMap<&str, Vec<_>> = HashMap::new();
        for &(one, other) in SPELLINGS.iter() {
            found.entry(one.get(..3).unwrap_or(one)).or_default().push((one, other));
        }
        found
    });
    let other = |(one, other): &(&str, &str)| {
        let ending = word.strip_prefix(one).filter(|ending| ending.is_empty() || SPELLING_ENDINGS.contains(ending))?;
        Some(format!("{other}{ending}"))
    };
    BY_THREE.get(word.get(..3)?)?.iter().find_map(other)
}

#[cfg(test)]
mod tests {
    use super::normalize_spelling;

    #[test]
    fn two_spellings_are_one() {
        for (one, other) in [
            ("organised", "organized"),
            ("apologising", "apologizing"),
            ("organisation", "organization"),
            ("colour", "color"),
            ("coloured", "colored"),
            ("favourite", "favorite"),
            ("neighbourhood", "neighborhood"),
            ("centre", "center"),
            ("cancelled", "canceled"),
            ("travelling", "traveling"),
            ("analysed", "analyzed"),
            ("grey", "gray"),
        ] {
            assert_eq!(normalize_spelling(one), normalize_spelling(other), "{one}");
        }
        for word in
            ["advise", "promised", "surprise", "raised", "rise", "noise", "wise", "hour", "tour", "precise", "mumble"]
        {
            assert_eq!(normalize_spelling(word), word);
        }
    }
}
