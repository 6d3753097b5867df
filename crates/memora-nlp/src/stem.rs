//! Light English stemming: removes inflection, keeps meaning.
//!
//! Folds plural, tense, `-ly` and British spelling, but not comparatives (`faster`), prefixes (`un-`) and `-less`:
//! these change the meaning. Words with anything but ASCII letters are returned unchanged.

use crate::lexicon::IRREGULAR;

/// Returns the stem of a lower-case word.
#[must_use]
pub fn stem(word: &str) -> String {
    if word.len() < 3 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word.to_owned();
    }
    match IRREGULAR.get(word) {
        Some(base) => strip_suffixes(base),
        None => strip_suffixes(&crate::normalize_spelling(word)),
    }
}

/// Whether a lower-case verb form is past.
#[must_use]
pub fn is_past(word: &str) -> bool {
    word.ends_with("ed") || IRREGULAR.contains_key(word)
}

fn strip_suffixes(word: &str) -> String {
    let is_singular = |word: &str| ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    let singular = match word {
        _ if word.ends_with("ies") && word.len() > 4 => replace_suffix(word, 3, "y"),
        _ if ["sses", "shes", "ches", "oes", "xes", "zes"].iter().any(|end| word.ends_with(end)) => {
            replace_suffix(word, 2, "")
        }
        _ if word.ends_with('s') && !is_singular(word) && word.len() > 3 => replace_suffix(word, 1, ""),
        _ => word.to_owned(),
    };
    let verb = ["ing", "ed"].iter().find_map(|end| {
        let base = singular.strip_suffix(end)?;
        let vowel = base.bytes().any(|b| b"aeiouy".contains(&b));
        (vowel && base.len() >= 3 && !base.ends_with('e')).then(|| match base.strip_suffix('i') {
            Some(root) => format!("{root}y"),
            None => undouble(base),
        })
    });
    let base = verb.unwrap_or(singular);
    let adverb = base.strip_suffix("ly").filter(|base| base.len() > 3).map(|base| match base.strip_suffix('i') {
        Some(root) => format!("{root}y"),
        None => base.to_owned(),
    });
    let base = adverb.unwrap_or(base);
    // `postpone` and `postponed` meet without the last e; `try` and `tries` at y.
    match base.strip_suffix('e') {
        Some(short) if short.len() > 2 => short.to_owned(),
        _ => base,
    }
}

fn replace_suffix(word: &str, drop: usize, end: &str) -> String {
    format!("{}{end}", word.get(..word.len() - drop).unwrap_or(word))
}

/// Removes a doubled final consonant: `shipp` becomes `ship`; `fall` and `pass` are unchanged.
fn undouble(base: &str) -> String {
    match base.as_bytes() {
        [.., a, b] if a == b && !b"lsz".contains(b) && !b"aeiou".contains(b) => replace_suffix(base, 1, ""),
        [.., b'l', b'l'] if base.len() > 5 => replace_suffix(base, 1, ""),
        _ => base.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn inflections_meet_and_other_words_do_not() {
        for (a, b) in [
            ("postponed", "postpone"),
            ("postponing", "postpones"),
            ("shipped", "ship"),
            ("tries", "tried"),
            ("cancelled", "cancels"),
            ("led", "leads"),
            ("boxes", "box"),
            ("written", "writes"),
            ("quickly", "quick"),
        ] {
            assert_eq!(stem(a), stem(b), "{a} {b}");
        }
        for (a, b) in [("fast", "faster"), ("safe", "unsafe"), ("use", "useless"), ("naïve", "naïv"), ("red", "r")] {
            assert_ne!(stem(a), stem(b), "{a} {b}");
        }
    }
}
