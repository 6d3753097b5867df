//! The gates that need nothing but the text itself.

use memora_vault::find_credentials;

use crate::ITEM_BYTES_MAX;
use crate::document::is_unclosed;
use crate::lists::FILLERS;

/// The shortest text that can be a memory, in letters of the Latin alphabet or as many of another as say so much, and the shortest of the
/// user's own: "I use vim".
const ITEM_LETTERS_MIN: usize = 15;
const USER_LETTERS_MIN: usize = 8;

memora_vault::closed_sets! {
    /// Why something was not saved.
    Refusal {
        /// The session saved as many items as it may.
        RateLimited,
        /// Under 15 letters, or 8 of the user's own, fewer in scripts of which one says more, or without a word that says anything.
        TooShort,
        /// Over 2,000 bytes; a reference note takes it.
        TooLong,
        /// It has a credential.
        Credential,
        /// It would hide what follows it.
        Unreadable,
        /// A citation does not stand, or does not bear its sentence out.
        Citation,
        /// It is over by the next session.
        Transient,
        /// Its writer is not sure of it: under 0.6.
        Unsure,
    }
}

impl Refusal {
    /// Returns what to do instead.
    #[must_use]
    pub fn next(self) -> &'static str {
        match self {
            Self::RateLimited => "Ten memories a session are enough: write the rest into the day's log, kind event.",
            Self::TooShort => "Save a whole sentence that another session will understand.",
            Self::TooLong => "Save one fact, or write the text as a note, kind note.",
            Self::Credential => "It contains a password or key. Remove it and save again.",
            Self::Unreadable => "Close or leave out the comment or the privacy marker.",
            Self::Citation => "Cite claims that stand and say this, or leave the citation out.",
            Self::Transient => "Save what holds beyond this moment; the day's log takes the rest.",
            Self::Unsure => "Find out first, and save it when you are sure.",
        }
    }
}

/// Checks the text of an item, the user's own or another's.
///
/// # Errors
/// The first [`Refusal`] that applies.
pub fn check_content(clean: &str, is_users: bool) -> Result<(), Refusal> {
    let letters_min = if is_users { USER_LETTERS_MIN } else { ITEM_LETTERS_MIN };
    let says = |word: &str| word.chars().any(char::is_alphabetic) && !FILLERS.contains(word.to_lowercase().as_str());
    if clean.chars().map(half_letters).sum::<usize>() / 2 < letters_min || !words(clean).any(says) {
        return Err(Refusal::TooShort);
    }
    if clean.len() > ITEM_BYTES_MAX {
        return Err(Refusal::TooLong);
    }
    if !find_credentials(clean).is_empty() {
        return Err(Refusal::Credential);
    }
    if is_unclosed(clean) {
        return Err(Refusal::Unreadable);
    }
    Ok(())
}

/// Twice the number of letters of the Latin alphabet that say as much as a character. A Chinese one is a syllable with a meaning, a Korean
/// one a syllable; Thai and its neighbours write no spaces, Hebrew and Arabic few vowels.
fn half_letters(c: char) -> usize {
    match c {
        // Chinese characters; Yi.
        '\u{2e80}'..='\u{2fdf}'
        | '\u{3400}'..='\u{9fff}'
        | '\u{a000}'..='\u{a4cf}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => 6,
        // Hangul, kana, bopomofo; Ethiopic, Cherokee and Canadian syllables.
        '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{31ff}' | '\u{ac00}'..='\u{d7ff}' | '\u{ff66}'..='\u{ff9f}' => 4,
        '\u{1200}'..='\u{139f}' | '\u{13a0}'..='\u{13ff}' | '\u{1400}'..='\u{167f}' => 4,
        // Thai, Lao, Tibetan, Burmese, Khmer.
        '\u{e00}'..='\u{fff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => 3,
        // Hebrew, Arabic, Syriac, Thaana.
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' => 3,
        // The scripts of India.
        '\u{900}'..='\u{dff}' => 3,
        _ => 2,
    }
}

/// Returns whether a text speaks of this moment.
#[must_use]
pub fn is_transient(text: &str) -> bool {
    const PATTERNS: &[&[&str]] = &[
        &["is", "busy"],
        &["is", "waiting"],
        &["is", "typing"],
        &["is", "loading"],
        &["just", "now"],
        &["is", "currently"],
        &["are", "currently"],
        &["right", "now"],
        &["at", "the", "moment"],
    ];
    let words: Vec<String> = words(text).map(str::to_lowercase).collect();
    PATTERNS.iter().any(|pattern| words.windows(pattern.len()).any(|part| part == *pattern))
}

pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_refused_for_its_first_fault() {
        for (text, refusal) in [
            ("drift uses pino for logging.", None),
            ("ok thanks", Some(Refusal::TooShort)),
            ("ok, thanks, that sounds great", Some(Refusal::TooShort)),
            ("123456 7890 123456", Some(Refusal::TooShort)),
            ("The note <!--privacy:secret--> hides the rest.", Some(Refusal::Unreadable)),
        ] {
            for is_users in [false, true] {
                assert_eq!(check_content(text, is_users).err(), refusal, "{text}");
            }
        }
        assert_eq!(check_content("I prefer tabs", true), Ok(()));
        assert_eq!(check_content("I prefer tabs", false), Err(Refusal::TooShort));
        assert_eq!(check_content("I ski", true), Err(Refusal::TooShort));
        assert_eq!(check_content(&"long words here ".repeat(200), false), Err(Refusal::TooLong));
        let key = format!("The key of the service is AKIA{}", "IOSFODNN7EXAMPLE");
        assert_eq!(check_content(&key, true), Err(Refusal::Credential));
    }

    #[test]
    fn a_letter_counts_by_what_it_says() {
        for text in [
            "用户喜欢深色模式",
            "部署只在周五进行",
            "ユーザーは菜食主義者です",
            "배포는 금요일에만 합니다",
            "ผู้ใช้แพ้ถั่ว",
            "המשתמש צמחוני",
            "المستخدم نباتي",
        ] {
            assert_eq!(check_content(text, false), Ok(()), "{text}");
        }
        for text in ["我对花生过敏", "我不吃猪肉", "私は菜食です", "나는 채식주의자다", "我爱猫", "אני צמחוני"]
        {
            assert_eq!(check_content(text, true), Ok(()), "{text}");
        }
        for text in ["好", "好的", "はい", "네", "是的"] {
            assert_eq!(check_content(text, true), Err(Refusal::TooShort), "{text}");
        }
    }

    #[test]
    fn what_is_over_soon_is_seen() {
        for (text, expected) in [
            ("The build is running right now.", true),
            ("The server is busy.", true),
            ("drift currently uses MessagePack.", false),
            ("The queue is currently empty.", true),
            ("Anna concurrently runs two builds.", false),
            ("The busy season is May.", false),
        ] {
            assert_eq!(is_transient(text), expected, "{text}");
        }
    }
}
