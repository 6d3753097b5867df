//! What text looks like: its visible characters, and scripts without spaces.

pub(crate) use memora_vault::{FoldedChar, fold_look_alikes, is_invisible};

/// Removes invisible characters and controls, so that the judged text is the visible text.
pub(crate) fn strip_invisible(text: &str) -> String {
    text.chars().filter(|c| !is_invisible(*c) && (c.is_whitespace() || !c.is_control())).collect()
}

/// Whether a character belongs to a script without spaces between words: Chinese, Japanese, Korean.
#[must_use]
pub fn is_cjk(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}
