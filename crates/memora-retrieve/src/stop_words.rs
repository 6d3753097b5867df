//! Stop words: words that carry the form of a question and not its content.
//!
//! They are dropped from a question, and only if other words remain; the index keeps them all, so that "The Who" can
//! be found.

/// English function words, question words and politeness, folded, sorted for a binary search.
const ENGLISH_STOP_WORDS: &[&str] = &[
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

/// The German ones that mean nothing in English; folded.
const GERMAN_STOP_WORDS: &[&str] = &[
    "aber", "alle", "als", "auch", "auf", "aus", "bei", "bis", "bist", "bitte", "da", "das", "dass", "dem", "den",
    "denn", "der", "des", "dich", "diese", "diesem", "diesen", "dieser", "dieses", "doch", "du", "durch", "ein",
    "eine", "einem", "einen", "einer", "eines", "er", "es", "etwa", "euch", "euer", "fur", "gegen", "gibt", "habe",
    "haben", "habt", "hat", "hatte", "hatten", "ich", "ihm", "ihn", "ihnen", "ihr", "ihre", "ihrem", "ihren", "ihrer",
    "im", "ist", "jede", "jeden", "jeder", "jenes", "kann", "kein", "keine", "keinen", "keiner", "konnen", "konnte",
    "mein", "meine", "meinem", "meinen", "meiner", "meines", "mich", "mir", "mit", "muss", "musste", "nach", "nicht",
    "noch", "nur", "ob", "oder", "ohne", "schon", "sehr", "sein", "seine", "seinem", "seinen", "seiner", "seit",
    "sich", "sie", "sind", "soll", "sollen", "sollte", "uber", "um", "und", "uns", "unser", "unsere", "unserem",
    "unseren", "unserer", "unter", "viel", "viele", "vom", "von", "waere", "wann", "waren", "warst", "warum", "weil",
    "welch", "welche", "welchem", "welchen", "welcher", "welches", "wem", "wen", "wenn", "wer", "werden", "weshalb",
    "wessen", "wie", "wieso", "wieviel", "wieviele", "wir", "wird", "wo", "woher", "wohin", "wollen", "wollte",
    "womit", "woran", "worauf", "woruber", "wovon", "wozu", "wurde", "wurden", "zu", "zum", "zur",
];

/// German stop words in a German question only: elsewhere they are content, "die" and "war" among them.
const GERMAN_ONLY_STOP_WORDS: &[&str] = &["bin", "die", "dir", "hab", "hast", "mal", "man", "war", "ware", "warst"];

/// Words for keeping notes: beside a date they ask for any note of that date. Folded.
const NOTE_TAKING_WORDS: &[&str] = &[
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

/// Words that ask for anything in a period, if there is no other term: "what kept me busy last week". Folded.
const OPEN_TOPIC_WORDS: &[&str] = &[
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

/// Function words of Chinese and Japanese, the longer of two first. Kana, which is mostly
/// grammatical, counts only after or before other characters.
const CJK_FUNCTION_WORDS: &str = "\
    什么时候 什麼時候 为什么 為什麼 怎么样 怎麼樣 怎么办 怎麼辦 是什么 是什麼 有没有 有沒有 是不是 \
    能不能 会不会 告诉我 告訴我 多少钱 什么 什麼 怎么 怎麼 怎样 怎樣 如何 哪里 哪裡 哪儿 哪个 哪個 哪些 \
    哪天 哪年 几个 幾個 几次 几分 多少 多久 多长 多大 为何 為何 何时 何時 何故 何处 是谁 是誰 请问 請問 \
    一下 我们 我們 你们 他们 她们 它们 这个 這個 那个 那個 这些 那些 关于 關於 以及 还是 何で 何が 何を \
    誰が 誰の 的 了 吗 嗎 呢 吧 啊 是 谁 誰 我 你 您 他 她 它 在 有 和 与 與 或 把 被 给 給 对 對 从 從 \
    哪 の は を が";

/// Words in which a character of the list above is not a function word.
const CJK_CONTENT_WORDS: &str = "\
    目的 的确 的士 了解 为了 是非 自我 我国 存在 现在 現在 在线 在線 实在 内在 潜在 在职 有效 有限 有趣 \
    有氧 有机 有機 所有 拥有 擁有 没有 沒有 具有 占有 共有 私有 国有 有声 和平 和谐 共和 饱和 平和 温和 \
    柔和 和服 和解 昭和 令和 参与 與會 给予 给力 供给 对象 對象 对话 對話 对比 对手 对抗 对策 面对 相对 \
    绝对 反对 针对 配对 对称 对立 对冲 从容 从业 从事 服从 从众 其他 他人 吉他 利他 维他命 你好 把握 \
    把手 火把 被动 被子 棉被 哪吒 或许 对联 应对 对白 有益 有钱 富有 稀有 固有 专有 有道";

/// Whether a folded word is a stop word.
pub(crate) fn is_stop_word(word: &str) -> bool {
    ENGLISH_STOP_WORDS.binary_search(&word).is_ok() || GERMAN_STOP_WORDS.binary_search(&word).is_ok()
}

/// Whether a folded word is a stop word in a German question.
pub(crate) fn is_german_stop_word(word: &str) -> bool {
    is_stop_word(word) || GERMAN_ONLY_STOP_WORDS.contains(&word)
}

/// Whether a folded word asks for notes in general, and not for their content.
pub(crate) fn is_note_taking_word(word: &str) -> bool {
    NOTE_TAKING_WORDS.contains(&word)
}

/// Whether a folded word refers to the owner of the notes.
pub(crate) fn is_owner_pronoun(word: &str) -> bool {
    matches!(
        word,
        "i" | "me" | "my" | "we" | "our" | "us" | "ich" | "wir" | "mich" | "mir" | "mein" | "meine" | "uns" | "我"
    )
}

/// Whether a folded word asks for anything at all, if there is no other term.
pub(crate) fn is_open_topic_word(word: &str) -> bool {
    OPEN_TOPIC_WORDS.binary_search(&word).is_ok()
}

/// Whether a folded word is a light verb, which means little by itself: "goes" in "how much quark goes into it".
pub(crate) fn is_light_verb(word: &str) -> bool {
    const LIGHT: &[&str] = &[
        "become", "becomes", "became", "brauche", "brauchen", "braucht", "bring", "bringt", "call", "called", "came",
        "come", "comes", "gave", "gehen", "geht", "get", "gets", "getting", "gibt", "give", "given", "gives", "go",
        "goes", "going", "gone", "got", "hold", "holds", "keep", "keeps", "kept", "kommen", "kommt", "macht", "made",
        "make", "makes", "making", "need", "needed", "needs", "nimmt", "put", "puts", "take", "taken", "takes", "took",
        "use", "used", "uses", "using", "want", "wanted", "wants", "went",
    ];
    LIGHT.contains(&word)
}

/// Whether a character bigram carries no content: hiragana alone is mostly grammatical.
pub(crate) fn is_stop_pair(pair: &str) -> bool {
    pair.chars().all(|c| matches!(c, '\u{3041}'..='\u{309f}'))
}

/// Returns for each character of an unspaced run whether it belongs to a function word.
///
/// A bigram across the edge of such a word is not a word: in "费曼技巧是什么" neither "巧是" nor "是什" is asked for.
pub(crate) fn mark_function_words(run: &[String]) -> Vec<bool> {
    let mut marks = vec![false; run.len()];
    let mut at = 0;
    while let Some(rest) = run.get(at..).filter(|rest| !rest.is_empty()) {
        let kept = CJK_CONTENT_WORDS.split(' ').find_map(|word| prefix_length(rest, word));
        let found = CJK_FUNCTION_WORDS.split(' ').find_map(|word| prefix_length(rest, word));
        // "了解目的": a content word at the same place wins, unless the function word is longer.
        let step = match (kept, found) {
            (Some(kept), Some(found)) if found > kept => found,
            (Some(kept), _) => {
                at += kept;
                continue;
            }
            (None, Some(found)) => found,
            (None, None) => {
                at += 1;
                continue;
            }
        };
        marks.iter_mut().skip(at).take(step).for_each(|mark| *mark = true);
        at += step;
    }
    marks
}

/// Returns the number of characters of a word that a run begins with.
fn prefix_length(run: &[String], word: &str) -> Option<usize> {
    let mut rest = word;
    for (at, character) in run.iter().enumerate() {
        rest = rest.strip_prefix(character.as_str())?;
        if rest.is_empty() {
            return Some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        assert!(ENGLISH_STOP_WORDS.is_sorted());
        assert!(GERMAN_STOP_WORDS.is_sorted());
        assert!(OPEN_TOPIC_WORDS.is_sorted());
    }

    #[test]
    fn hiragana_alone_is_grammar() {
        assert!(is_stop_pair("です"));
        assert!(!is_stop_pair("東京"));
        assert!(!is_stop_pair("食べ"));
    }

    #[track_caller]
    fn check_grammar(run: &str, grammar_of_it: &str) {
        let run: Vec<String> = run.chars().map(String::from).collect();
        let marked = run.iter().zip(mark_function_words(&run)).filter(|(_, mark)| *mark).map(|(c, _)| c.as_str());
        assert_eq!(marked.collect::<String>(), grammar_of_it, "{run:?}");
    }

    #[test]
    fn what_only_asks_or_joins_is_grammar() {
        check_grammar("费曼技巧是什么", "是什么");
        check_grammar("我读三体有什么笔记", "我有什么");
        check_grammar("火星救援是谁导演的", "是谁的");
        check_grammar("西部世界第四季评分多少", "多少");
        check_grammar("東京の会議は何ですか", "のは何で");
        check_grammar("", "");
    }

    #[test]
    fn a_character_inside_a_word_of_content_is_none() {
        check_grammar("有氧运动的目的", "的");
        check_grammar("自我介绍", "");
        check_grammar("现在的存在感", "的");
        check_grammar("吉他", "");
        check_grammar("了解我们的国家", "我们的");
    }
}
