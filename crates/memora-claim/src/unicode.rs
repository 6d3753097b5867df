//! Invisible characters and brackets, which can be abused to disguise text.

/// Whether a character is invisible: zero width, direction marks, soft hyphen, fillers, tags. Controls and variation
/// selectors are excluded.
#[must_use]
pub fn is_zero_width(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character opens a bracket of any kind.
#[must_use]
pub fn is_opening_bracket(c: char) -> bool {
    "[［【〔(（{｛⟦⟨⟪「『〈《〖〘〚❲❨❴⁅‹«⦗⦋⌈⌊⸢<".contains(c)
}

/// Whether a character closes a bracket of any kind.
#[must_use]
pub fn is_closing_bracket(c: char) -> bool {
    "]］】〕)）}｝⟧⟩⟫」』〉》〗〙〛❳❩❵⁆›»⦘⦌⌉⌋⸣>".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bracket_that_opens_has_one_that_closes() {
        let count = |is: fn(char) -> bool| (' '..='\u{ffff}').filter(|c| is(*c)).count();
        assert_eq!(count(is_opening_bracket), count(is_closing_bracket));
        assert!(!(' '..='\u{ffff}').any(|c| is_zero_width(c)
            && (is_opening_bracket(c) || is_closing_bracket(c) || c.is_alphanumeric() && c < '\u{100}')));
    }
}
