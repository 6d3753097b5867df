//! Words that carry the form of a question and not its content.
//!
//! They are dropped from a question, and only when other words remain; the index keeps them all, so that "The Who" can
//! be asked for.

/// English function words, question words and politeness, folded, sorted for a binary search.
const ENGLISH: &[&str] = &[
    "a",
    "about",
    "again",
    "all",
    "also",
    "am",
    "an",
    "and",
    "any",
    "anyone",
    "anything",
    "are",
    "arent",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "being",
    "both",
    "but",
    "by",
    "can",
    "cannot",
    "cant",
    "could",
    "couldnt",
    "did",
    "didnt",
    "do",
    "does",
    "doesnt",
    "doing",
    "dont",
    "during",
    "each",
    "else",
    "ever",
    "explain",
    "few",
    "find",
    "for",
    "from",
    "further",
    "give",
    "got",
    "had",
    "hadnt",
    "has",
    "hasnt",
    "have",
    "havent",
    "having",
    "he",
    "hello",
    "her",
    "here",
    "hers",
    "herself",
    "hey",
    "hi",
    "him",
    "himself",
    "his",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "isnt",
    "it",
    "its",
    "itself",
    "just",
    "kindly",
    "know",
    "let",
    "list",
    "many",
    "may",
    "me",
    "might",
    "mine",
    "more",
    "most",
    "much",
    "must",
    "my",
    "myself",
    "no",
    "nor",
    "not",
    "now",
    "of",
    "off",
    "on",
    "once",
    "only",
    "or",
    "other",
    "our",
    "ours",
    "out",
    "over",
    "own",
    "please",
    "same",
    "say",
    "says",
    "shall",
    "she",
    "should",
    "shouldnt",
    "show",
    "so",
    "some",
    "such",
    "tell",
    "than",
    "thank",
    "thanks",
    "that",
    "the",
    "their",
    "theirs",
    "them",
    "themselves",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "to",
    "too",
    "under",
    "until",
    "up",
    "us",
    "very",
    "was",
    "wasnt",
    "we",
    "were",
    "werent",
    "what",
    "whats",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "whom",
    "whose",
    "why",
    "will",
    "with",
    "wont",
    "would",
    "wouldnt",
    "you",
    "your",
    "yours",
    "yourself",
];

/// The same for German, as far as the words mean nothing in English; folded.
const GERMAN: &[&str] = &[
    "aber", "als", "auch", "auf", "aus", "bei", "bis", "bist", "bitte", "da", "das", "dass", "dem", "den", "denn",
    "der", "des", "doch", "durch", "ein", "eine", "einem", "einen", "einer", "eines", "er", "es", "etwa", "fur",
    "gegen", "gibt", "haben", "hat", "hatte", "hatten", "ich", "ihr", "ihre", "im", "ist", "jede", "jeden", "jeder",
    "kann", "konnte", "mein", "meine", "mir", "mit", "muss", "nach", "nicht", "noch", "nur", "ob", "oder", "ohne",
    "schon", "sehr", "sein", "seine", "seit", "sich", "sie", "sind", "soll", "sollte", "uber", "um", "und", "unter",
    "viel", "viele", "vom", "von", "wann", "waren", "warum", "weil", "welch", "welche", "welchem", "welchen",
    "welcher", "welches", "wenn", "wer", "werden", "wie", "wieso", "wieviel", "wir", "wird", "wo", "wurde", "wurden",
    "zu", "zum", "zur",
];

/// Words for keeping notes: beside a date they ask for what was noted, whatever it was. Folded.
const NOTING: &[&str] = &[
    "day",
    "daily",
    "diary",
    "did",
    "entry",
    "happen",
    "happened",
    "journal",
    "log",
    "logged",
    "mention",
    "mentioned",
    "notiert",
    "note",
    "noted",
    "notes",
    "passiert",
    "record",
    "recorded",
    "said",
    "tag",
    "wrote",
    "write",
    "written",
];

/// Words that ask what was at a time, where nothing else stands beside it: "what kept me busy last week". Folded.
const WHATEVER: &[&str] = &[
    "active",
    "activities",
    "activity",
    "around",
    "back",
    "beschaftigt",
    "busy",
    "days",
    "done",
    "entries",
    "erlebt",
    "events",
    "everything",
    "exactly",
    "gemacht",
    "geschah",
    "geschehen",
    "geschrieben",
    "getan",
    "getrieben",
    "going",
    "hab",
    "habe",
    "happening",
    "highlights",
    "kept",
    "life",
    "los",
    "machte",
    "mind",
    "month",
    "notable",
    "notizen",
    "overview",
    "period",
    "recap",
    "remember",
    "remind",
    "spend",
    "spent",
    "stuff",
    "summarise",
    "summarize",
    "summary",
    "tage",
    "tat",
    "things",
    "think",
    "thinking",
    "thought",
    "thoughts",
    "time",
    "week",
    "went",
    "worked",
    "working",
    "writing",
    "year",
];

/// Pairs of Chinese and Japanese characters that only ask.
const DENSE: &[&str] =
    &["什么", "什麼", "怎么", "怎麼", "哪里", "哪裡", "哪个", "多少", "为什", "何時", "何故", "么时", "麼時"];

/// Whether a folded word is one of them.
pub(crate) fn is_stop_word(word: &str) -> bool {
    ENGLISH.binary_search(&word).is_ok() || GERMAN.binary_search(&word).is_ok()
}

/// Whether a folded word asks for what was noted, and not for what it was.
pub(crate) fn is_noting(word: &str) -> bool {
    NOTING.contains(&word)
}

/// Whether a folded word means whoever keeps the notes.
pub(crate) fn is_owner(word: &str) -> bool {
    matches!(
        word,
        "i" | "me" | "my" | "we" | "our" | "us" | "ich" | "wir" | "mich" | "mir" | "mein" | "meine" | "uns" | "我"
    )
}

/// Whether a folded word asks for whatever there is, where nothing else is asked for.
pub(crate) fn is_whatever(word: &str) -> bool {
    WHATEVER.binary_search(&word).is_ok()
}

/// Whether a word, folded, is a verb that means little without its object: "goes" in "how much quark goes into it".
pub(crate) fn is_light_verb(word: &str) -> bool {
    const LIGHT: &[&str] = &[
        "become", "becomes", "became", "bring", "bringt", "call", "called", "came", "come", "comes", "gave", "gehen",
        "geht", "get", "gets", "getting", "gibt", "give", "given", "gives", "go", "goes", "going", "gone", "got",
        "hold", "holds", "keep", "keeps", "kept", "kommen", "kommt", "macht", "made", "make", "makes", "making",
        "need", "needed", "needs", "nimmt", "put", "puts", "take", "taken", "takes", "took", "use", "used", "uses",
        "using", "want", "wanted", "wants", "went",
    ];
    LIGHT.contains(&word)
}

/// Whether a pair of dense characters carries no content: hiragana alone is grammar, mostly.
pub(crate) fn is_stop_pair(pair: &str) -> bool {
    pair.chars().all(|c| matches!(c, '\u{3041}'..='\u{309f}')) || DENSE.contains(&pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        assert!(ENGLISH.is_sorted());
        assert!(GERMAN.is_sorted());
        assert!(WHATEVER.is_sorted());
    }

    #[test]
    fn hiragana_alone_is_grammar() {
        assert!(is_stop_pair("です"));
        assert!(!is_stop_pair("東京"));
        assert!(!is_stop_pair("食べ"));
    }
}
