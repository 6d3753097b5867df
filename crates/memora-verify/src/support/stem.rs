//! Light English stemming: inflection goes, meaning stays.
//!
//! Plural, tense, `-ly` and British spelling are folded; comparatives (`faster`), prefixes (`un-`) and `-less` are not, because they
//! change what is said.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Irregular forms with their base.
const IRREGULAR: &[(&str, &[&str])] = &[
    ("become", &["became"]),
    ("begin", &["began", "begun"]),
    ("break", &["broke", "broken"]),
    ("bring", &["brought"]),
    ("build", &["built"]),
    ("buy", &["bought"]),
    ("catch", &["caught"]),
    ("child", &["children"]),
    ("choose", &["chose", "chosen"]),
    ("come", &["came"]),
    ("cut", &["cutting"]),
    ("draw", &["drew", "drawn"]),
    ("drive", &["drove", "driven"]),
    ("eat", &["ate", "eaten"]),
    ("fall", &["fell", "fallen"]),
    ("feel", &["felt"]),
    ("find", &["found"]),
    ("fly", &["flew", "flown"]),
    ("forget", &["forgot", "forgotten"]),
    ("freeze", &["froze", "frozen"]),
    ("get", &["got", "gotten"]),
    ("give", &["gave", "given"]),
    ("go", &["went", "gone"]),
    ("grow", &["grew", "grown"]),
    ("hear", &["heard"]),
    ("hide", &["hid", "hidden"]),
    ("hold", &["held"]),
    ("keep", &["kept"]),
    ("know", &["knew", "known"]),
    ("lead", &["led"]),
    ("leave", &["left"]),
    ("lend", &["lent"]),
    ("lose", &["lost"]),
    ("make", &["made"]),
    ("man", &["men"]),
    ("mean", &["meant"]),
    ("meet", &["met"]),
    ("pay", &["paid"]),
    ("person", &["people"]),
    ("rise", &["rose", "risen"]),
    ("run", &["ran"]),
    ("say", &["said"]),
    ("see", &["saw", "seen"]),
    ("sell", &["sold"]),
    ("send", &["sent"]),
    ("speak", &["spoke", "spoken"]),
    ("spend", &["spent"]),
    ("stand", &["stood"]),
    ("steal", &["stole", "stolen"]),
    ("take", &["took", "taken"]),
    ("teach", &["taught"]),
    ("tell", &["told"]),
    ("think", &["thought"]),
    ("throw", &["threw", "thrown"]),
    ("understand", &["understood"]),
    ("wake", &["woke", "woken"]),
    ("wear", &["wore", "worn"]),
    ("win", &["won"]),
    ("woman", &["women"]),
    ("write", &["wrote", "written"]),
];

/// Returns the stem of a lower-case word. Words with anything but ASCII letters stay as they are.
pub(crate) fn stem(word: &str) -> String {
    let word = word.trim_end_matches("'s").trim_end_matches("’s").trim_end_matches(['\'', '’']);
    if word.len() < 3 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word.to_owned();
    }
    match irregular(word) {
        Some(base) => cut(base),
        None => cut(&memora_english::spelled(word)),
    }
}

/// Whether a lower-case verb form tells of what was.
pub(super) fn is_past(word: &str) -> bool {
    const OTHERS: [&str; 5] = ["was", "were", "had", "did", "used"];
    word.ends_with("ed") || OTHERS.contains(&word) || irregular(word).is_some_and(|base| base != word)
}

/// The base of an irregular form.
fn irregular(word: &str) -> Option<&'static str> {
    static BASES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        let forms = |(base, forms): &(&'static str, &'static [&'static str])| {
            forms.iter().map(|form| (*form, *base)).collect::<Vec<_>>()
        };
        // The first that lists a form is its base.
        IRREGULAR.iter().rev().flat_map(forms).collect()
    });
    BASES.get(word).copied()
}

fn cut(word: &str) -> String {
    let singular = match word {
        _ if word.ends_with("ies") && word.len() > 4 => swap(word, 3, "y"),
        _ if ["sses", "shes", "ches", "xes", "zes"].iter().any(|end| word.ends_with(end)) => swap(word, 2, ""),
        _ if word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end)) && word.len() > 3 => {
            swap(word, 1, "")
        }
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

fn swap(word: &str, drop: usize, end: &str) -> String {
    format!("{}{end}", word.get(..word.len() - drop).unwrap_or(word))
}

/// `shipp` is `ship`; `fall` and `pass` keep theirs.
fn undouble(base: &str) -> String {
    let bytes = base.as_bytes();
    match bytes {
        [.., a, b] if a == b && !b"lsz".contains(b) && !b"aeiou".contains(b) => swap(base, 1, ""),
        [.., b'l', b'l'] if base.len() > 4 => swap(base, 1, ""),
        _ => base.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflections_meet_and_other_words_do_not() {
        for (a, b) in [
            ("postponed", "postpone"),
            ("postponing", "postpones"),
            ("shipped", "ship"),
            ("tries", "try"),
            ("tried", "trying"),
            ("cancelled", "cancel"),
            ("canceled", "cancels"),
            ("led", "leads"),
            ("boxes", "box"),
            ("moved", "moves"),
            ("written", "writes"),
            ("quickly", "quick"),
            ("engineers", "engineer"),
        ] {
            assert_eq!(stem(a), stem(b), "{a} {b}");
        }
        for (a, b) in [("fast", "faster"), ("safe", "unsafe"), ("use", "useless"), ("naïve", "naïv"), ("red", "r")] {
            assert_ne!(stem(a), stem(b), "{a} {b}");
        }
    }
}
