//! Stop words: words that carry the form of a question and not its content.
//!
//! They are dropped from a question, and only if other words remain; the index keeps them all, so that "The Who" can
//! be found.

use crate::lists::{
    CJK_CONTENT_WORDS, CJK_FUNCTION_WORDS, ENGLISH_STOP_WORDS, GERMAN_ONLY_STOP_WORDS, GERMAN_STOP_WORDS, LIGHT_VERBS,
    NOTE_TAKING_WORDS, OPEN_TOPIC_WORDS, OWNER_PRONOUNS,
};

/// Whether a folded word is a stop word.
pub(crate) fn is_stop_word(word: &str) -> bool {
    ENGLISH_STOP_WORDS.contains(word) || GERMAN_STOP_WORDS.contains(word)
}

/// Whether a folded word is a stop word in a German question.
pub(crate) fn is_german_stop_word(word: &str) -> bool {
    is_stop_word(word) || GERMAN_ONLY_STOP_WORDS.contains(word)
}

/// Whether a folded word asks for notes in general, and not for their content.
pub(crate) fn is_note_taking_word(word: &str) -> bool {
    NOTE_TAKING_WORDS.contains(word)
}

/// Whether a folded word refers to the owner of the notes.
pub(crate) fn is_owner_pronoun(word: &str) -> bool {
    OWNER_PRONOUNS.contains(word)
}

/// Whether a folded word asks for anything at all, if there is no other term.
pub(crate) fn is_open_topic_word(word: &str) -> bool {
    OPEN_TOPIC_WORDS.contains(word)
}

/// Whether a folded word is a light verb, which means little by itself: "goes" in "how much quark goes into it".
pub(crate) fn is_light_verb(word: &str) -> bool {
    LIGHT_VERBS.contains(word)
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
        let kept = CJK_CONTENT_WORDS.iter().find_map(|word| prefix_length(rest, word));
        let found = CJK_FUNCTION_WORDS.iter().find_map(|word| prefix_length(rest, word));
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
