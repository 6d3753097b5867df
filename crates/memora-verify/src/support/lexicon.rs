//! Word lists for English, small and reviewable, and the few words that betray another language.

use std::collections::HashSet;
use std::sync::{LazyLock, OnceLock};

use super::stem::stem;

/// Words that are asked for often: a list, or a text that white space parts into words.
pub(crate) struct Words {
    list: &'static [&'static str],
    text: &'static str,
    set: OnceLock<HashSet<&'static str>>,
}

impl Words {
    const fn new(list: &'static [&'static str]) -> Self {
        Self { list, text: "", set: OnceLock::new() }
    }

    /// The words of a text.
    pub(super) const fn of(text: &'static str) -> Self {
        Self { list: &[], text, set: OnceLock::new() }
    }

    /// Whether it is one of them.
    pub(crate) fn contains(&self, word: &str) -> bool {
        self.set.get_or_init(|| self.iter().collect()).contains(word)
    }

    /// All of them, as they stand.
    pub(super) fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.list.iter().copied().chain(self.text.split_ascii_whitespace())
    }
}

/// Whether two stems are listed as opposites.
pub(super) fn opposes(a: &str, b: &str) -> bool {
    static PAIRS: LazyLock<HashSet<(String, String)>> = LazyLock::new(|| {
        let forms = |word: &str| [word.to_owned(), stem(word)];
        let pairs = |(a, b): &(&str, &str)| {
            let both = |a: String| forms(b).map(|b| [(a.clone(), b.clone()), (b, a.clone())]);
            forms(a).map(both).into_iter().flatten().flatten().collect::<Vec<_>>()
        };
        ANTONYMS.iter().flat_map(pairs).collect()
    });
    PAIRS.contains(&(a.to_owned(), b.to_owned()))
}

/// Words that carry no content of their own.
pub(crate) static FUNCTION: Words = Words::new(&[
    "a",
    "an",
    "the",
    "this",
    "that",
    "these",
    "those",
    "i",
    "you",
    "he",
    "she",
    "it",
    "we",
    "they",
    "me",
    "him",
    "her",
    "us",
    "them",
    "my",
    "your",
    "his",
    "its",
    "our",
    "their",
    "who",
    "whom",
    "whose",
    "which",
    "what",
    "when",
    "where",
    "why",
    "how",
    "and",
    "or",
    "but",
    "as",
    "of",
    "in",
    "on",
    "at",
    "by",
    "for",
    "with",
    "to",
    "from",
    "into",
    "onto",
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "being",
    "am",
    "has",
    "have",
    "had",
    "having",
    "do",
    "does",
    "did",
    "there",
    "here",
    "also",
    "'s",
    "about",
    "via",
    "per",
    "while",
    "s",
    "whereas",
    "it's",
    "that's",
    "there's",
    "according",
    "i'm",
    "they're",
    "he's",
    "she's",
    "we're",
    "you're",
    "i've",
    "we've",
]);

/// Words that say no more than where or how other words belong together, and are not asked for either. Some are words of other
/// languages as well.
pub(crate) static LIGHT: Words = Words::of(
    "during through throughout among amongst within upon towards between so such then yet though although however nevertheless both",
);

/// People whom one names so only if they are one's own; written with a capital letter or not.
pub(crate) static KIN: Words = Words::of(
    "mum mom mummy mommy mama mother dad daddy papa father grandma granny grandmother grandpa grandad grandfather aunt uncle",
);

/// Words that turn a statement round.
pub(crate) static NEGATIONS: Words = Words::new(&[
    "not", "no", "never", "without", "cannot", "none", "nobody", "nothing", "neither", "nor", "nowhere", "hardly",
    "barely", "scarcely", "seldom", "rarely", "lack", "fail", "refus", "den", "deny", "except", "≠", "❌", "✗", "✘",
    "false", "untrue", "unless", "nicht", "kein", "keine", "keinen", "keiner", "keinem", "nie", "niemals", "ohne",
]);

/// Words that keep a statement from being asserted outright; stems.
pub(crate) static HEDGES: Words = Words::new(&[
    "may",
    "might",
    "could",
    "would",
    "should",
    "can",
    "will",
    "shall",
    "if",
    "whether",
    "mayb",
    "maybe",
    "perhap",
    "possib",
    "possibly",
    "probab",
    "probably",
    "likely",
    "unlike",
    "unlikely",
    "alleged",
    "alleg",
    "reported",
    "supposed",
    "supposedly",
    "rumour",
    "rumor",
    "almost",
    "near",
    "nearly",
    "consider",
    "propos",
    "proposal",
    "hop",
    "hope",
    "want",
    "wish",
    "intend",
    "expect",
    "aim",
    "try",
    "attempt",
    "idea",
    "claim",
    "believ",
    "think",
    "doubt",
    "suggest",
    "suppos",
    "guess",
    "assum",
    "appear",
    "seem",
    "planned",
    "plan",
    "some",
    "few",
    "sometimes",
    "occasional",
    "part",
    "partial",
    "former",
    "previous",
    "original",
    "once",
    "reportedly",
    "allegedly",
    "apparently",
    "presumably",
    "rarely",
    "seldom",
    "hardly",
    "unable",
    "mistaken",
    "imagin",
    "pretend",
    "fear",
    "half",
]);

/// Pairs that say the opposite of each other; stems.
pub(super) const ANTONYMS: &[(&str, &str)] = &[
    ("increas", "decreas"),
    ("ris", "fall"),
    ("up", "down"),
    ("gain", "los"),
    ("win", "los"),
    ("accept", "reject"),
    ("approv", "reject"),
    ("start", "stop"),
    ("start", "end"),
    ("begin", "end"),
    ("open", "clos"),
    ("enabl", "disabl"),
    ("before", "after"),
    ("above", "below"),
    ("over", "under"),
    ("more", "less"),
    ("more", "fewer"),
    ("faster", "slower"),
    ("higher", "lower"),
    ("buy", "sell"),
    ("join", "leav"),
    ("hir", "fir"),
    ("add", "remov"),
    ("early", "late"),
    ("earli", "lat"),
    ("first", "last"),
    ("minimum", "maximum"),
    ("most", "least"),
    ("all", "none"),
    ("always", "never"),
    ("cancel", "postpon"),
    ("cancel", "confirm"),
    ("succeed", "fail"),
    ("pass", "fail"),
    ("lov", "hat"),
    ("tru", "false"),
    ("long", "short"),
    ("big", "small"),
    ("cheap", "expensiv"),
    ("grow", "shrink"),
];

/// Prepositions that give a part its role, in groups of equal meaning.
pub(crate) const ROLES: &[&[&str]] = &[
    &["from"],
    &["to", "into", "until", "till", "towards"],
    &["by"],
    &["before"],
    &["after"],
    &["since"],
    &["than"],
    &["over", "above"],
    &["under", "below"],
    &["against"],
    &["without"],
    &["instead"],
    &["despite"],
    &["during"],
];

/// The group of a preposition, or of another word that leads to a name: those of one group may stand for each other.
pub(super) fn leading(word: &str) -> Option<usize> {
    const PLACES: &[&[&str]] = &[
        &["in", "at", "on", "near", "inside", "within"],
        &["with", "alongside", "together"],
        &["of"],
        &["for"],
        &["about", "regarding", "concerning"],
        &["through", "via"],
        &["called", "named"],
    ];
    ROLES.iter().chain(PLACES).position(|group| group.contains(&word))
}

/// Forms of `be`.
pub(crate) const BE: &[&str] = &["is", "are", "was", "were", "be", "been", "being", "am", "gets", "got"];

/// Pronouns that need somebody named before them.
pub(crate) const PRONOUNS: &[&str] =
    &["he", "she", "it", "they", "this", "these", "those", "him", "her", "them", "his", "their", "its"];

/// Opposites of which one is a word without content of its own (`on`), so that nothing else asks for it.
pub(crate) const PARTICLES: &[(&str, &str)] = &[("on", "off"), ("off", "on"), ("up", "down"), ("down", "up")];

/// Words by which whoever speaks means themselves: alone, and with others.
pub(crate) const SPEAKER: [&[&str]; 2] =
    [&["i", "me", "my", "mine", "myself"], &["we", "us", "our", "ours", "ourselves"]];

/// Words for whoever is spoken to. An answer may say "you" to the one whose notes say "I".
pub(crate) const ADDRESSED: &[&str] = &["you", "your", "yours", "yourself"];

/// Months.
pub(crate) const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Weekdays.
pub(crate) const WEEKDAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Function words of other languages in Latin script that English doesn't have.
pub(crate) static FOREIGN: Words = Words::new(&[
    "der", "das", "und", "ist", "nicht", "kein", "keine", "wurde", "wird", "mit", "von", "zu", "den", "dem", "ein",
    "eine", "auf", "für", "sich", "auch", "im", "sind", "le", "la", "les", "des", "est", "une", "dans", "que", "qui",
    "pas", "ne", "sur", "avec", "du", "el", "los", "las", "es", "por", "para", "una", "del", "il", "di", "che", "è",
    "non", "della", "per", "het", "een", "niet", "van", "är", "och", "att", "inte", "og", "det", "ikke", "não", "uma",
    "em", "os", "jest", "nie", "się", "na", "w", "z", "että", "ei", "ve", "bir", "değil", "je", "není",
]);

/// Words that multiply the number before them.
pub(crate) const SCALES: &[(&str, f64)] = &[
    ("k", 1e3),
    ("thousand", 1e3),
    ("million", 1e6),
    ("mio", 1e6),
    ("bn", 1e9),
    ("billion", 1e9),
    ("hundred", 1e2),
    ("dozen", 12.0),
];

/// Numbers as words.
pub(crate) const NUMBERS: &[(&str, f64)] = &[
    ("zero", 0.0),
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
    ("half", 0.5),
    ("dozen", 12.0),
    ("twice", 2.0),
];

/// Ordinals as words, from the first.
pub(crate) const ORDINALS: &[&str] = &[
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];
