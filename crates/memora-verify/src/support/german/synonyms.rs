//! German words that say the same, and words that say the opposite: small and reviewable.
//!
//! The one rule to know: **a group holds words that may stand for each other in a note without making it say something else.** Verbs are
//! given by their stems, so that a tense stays what it is.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Stems of verbs, a group a line.
const VERBS: &str = include_str!("verbs_alike.txt");

/// Nouns and other words, a group a line, as they are written in lower case and with ss for ß; adjectives without ending.
const WORDS: &str = include_str!("words_alike.txt");

/// Words that say the opposite of each other, by verb stems and as they are written.
const OPPOSITES: &str = "
steig sink
erhöh senk
zunehm abnehm
öffn schliess
eröffn schliess
kauf verkauf
annehm ablehn
zusag absag
gewinn verlier
komm geh
ankomm abreis
beginn end
beginn beend
anfang aufhör
einstell entlass
einschalt ausschalt
aktivier deaktivier
bestätig absag
verschieb absag
erlaub verbiet
einzieh auszieh
hinzufüg entfern
leih verleih
miet vermiet
gross klein
grösser kleiner
höher niedriger
mehr weniger
schneller langsamer
früher später
alt neu
warm kalt
offen geschlossen
lang kurz
teuer billig
teuer günstig
gut schlecht
viel wenig
viele wenige
vor nach
über unter
mit ohne
erste letzte
voll leer
hell dunkel
stark schwach
links rechts
oben unten
drinnen draussen
innen aussen
gesund krank
richtig falsch
";

/// The groups of each word.
type Groups = HashMap<&'static str, Vec<usize>>;

static VERB_GROUPS: LazyLock<Groups> = LazyLock::new(|| groups(VERBS));
static WORD_GROUPS: LazyLock<Groups> = LazyLock::new(|| groups(WORDS));
static OPPOSITE_GROUPS: LazyLock<Groups> = LazyLock::new(|| groups(OPPOSITES));

/// Whether stems of two verbs stand in one group.
pub(super) fn are_verbs_alike(a: &str, b: &str) -> bool {
    together(&VERB_GROUPS, a, b)
}

/// Whether two words, as they are written in lower case, stand in one group.
pub(super) fn are_words_alike(a: &str, b: &str) -> bool {
    together(&WORD_GROUPS, a, b)
}

/// Whether two stems or words are listed as opposites.
pub(super) fn are_opposed(a: &str, b: &str) -> bool {
    together(&OPPOSITE_GROUPS, a, b)
}

fn groups(text: &'static str) -> Groups {
    let mut found = Groups::new();
    for (number, line) in text.lines().enumerate() {
        for word in line.split_ascii_whitespace() {
            found.entry(word).or_default().push(number);
        }
    }
    found
}

fn together(groups: &Groups, a: &str, b: &str) -> bool {
    match (groups.get(a), groups.get(b)) {
        (Some(of_a), Some(of_b)) => a != b && of_a.iter().any(|group| of_b.contains(group)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_are_no_synonyms() {
        for line in OPPOSITES.lines() {
            if let Some((a, b)) = line.split_once(' ') {
                assert!(!are_verbs_alike(a, b) && !are_words_alike(a, b), "{a} and {b}");
            }
        }
    }
}
