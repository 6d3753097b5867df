//! Invisible characters and brackets, which can be abused to disguise text.

pub use memora_vault::is_zero_width;

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
