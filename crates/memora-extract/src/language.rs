//! Whether a statement is English, the only language whose clauses are read.
//!
//! Told by little words: those of English against those of its neighbours. A statement without any counts as English
//! when it is in Latin letters and none of its words is spelled as no English word is; it is a name or a fragment, and
//! misreading it costs little.

use std::collections::HashSet;
use std::sync::LazyLock;

static ENGLISH: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "the a an of to in is are was were and for on with by at from it its this that these those be been has have had not i we you he she they my our your his her their \
     as or but if than then when which who what will would can could should do does did no so up out about into over after before only also more most some any all each"
        .split_whitespace()
        .collect()
});

static FOREIGN: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "der das  dem des ein eine einen einem einer und ist sind  nicht mit auf für von zu zum zur im bei nach aus wird werden auch oder aber wenn weil dass ich wir \
     sie er es  haben noch nur schon sehr mehr wie als über unter vor le la les un une des du et est sont dans   avec pas que qui ne il elle nous vous ils au \
     aux ce cette ces mais ou où el los las una y es  en con por para  se lo su del al pero más como è di che il gli  con non sono della dello delle nel alla \
     o os  um uma e é são  não da  na dos das het een  de en is niet   te voor aan dat zijn och att det som på är inte av   med för"
        .split_whitespace()
        .collect()
});

/// Whether words are read as English.
pub(crate) fn is_english(words: &str) -> bool {
    let letters = words.chars().filter(|c| c.is_alphabetic()).count();
    let latin = words.chars().filter(char::is_ascii_alphabetic).count();
    if latin * 10 < letters * 8 {
        return false;
    }
    let (mut english, mut foreign, mut marked) = (0, 0, 0);
    for word in words.split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’').filter(|word| !word.is_empty()) {
        let lower = word.to_lowercase();
        if ENGLISH.contains(lower.as_str()) {
            english += 1;
        } else if FOREIGN.contains(lower.as_str()) {
            foreign += 1;
        }
        if !word.starts_with(char::is_uppercase) && !lower.is_ascii() && !lower.contains('’') {
            marked += 1;
        }
    }
    foreign + marked <= english || foreign == 0 && marked == 0
}

#[cfg(test)]
mod tests {
    use super::is_english;

    #[test]
    fn english_is_told_from_its_neighbours() {
        for line in [
            "Anna works at Kestrel Optik.",
            "no fever",
            "knee swollen",
            "Costs 40 € a month",
            "Moved to Malmö",
            "Crème brûlée is on the menu",
            "Anna met Ben",
            "two per person till Friday",
        ] {
            assert!(is_english(line), "{line}");
        }
        for line in [
            "Die Kreissäge steht jetzt im Keller, weil der Schuppen zu feucht ist.",
            "Le chat dort sur le canapé.",
            "El jardín es grande y la casa pequeña.",
            "先生は東京に住んでいる。",
            "Квартира стоит дорого",
            "Preis gilt nur für Mitglieder",
        ] {
            assert!(!is_english(line), "{line}");
        }
    }
}
