//! Counts with their noun.

/// A count with its noun: `1 note`, `2 notes`.
#[must_use]
pub fn pluralize(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_is_not_many() {
        assert_eq!([0, 1, 2].map(|count| super::pluralize(count, "note")), ["0 notes", "1 note", "2 notes"]);
    }
}
