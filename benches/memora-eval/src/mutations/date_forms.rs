//! Dates in a text, and the ways to write them.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

pub(crate) use memora_claim::time::MONTHS;
pub(crate) const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

pub(crate) fn is_calendar_name(word: &str) -> bool {
    MONTHS.contains(&word) || WEEKDAYS.contains(&word.trim_end_matches('s'))
}

/// A full date, or a month of a year.
pub(crate) struct WrittenDate {
    pub(crate) bytes: Range<usize>,
    pub(crate) year: u16,
    /// 1 to 12
    pub(crate) month: usize,
    pub(crate) day: Option<u8>,
}

/// Finds every full date and every month of a year in a text, in order.
pub(crate) fn find_dates(text: &str) -> Vec<WrittenDate> {
    static FORMS: LazyLock<[Regex; 3]> = LazyLock::new(|| {
        let month = MONTHS.join("|");
        [
            r"\b(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)\b".to_owned(),
            format!(r"\b(?:(?P<d>\d{{1,2}})(?:st|nd|rd|th)? )?(?P<month>{month})(?: of)? (?P<y>\d{{4}})\b"),
            format!(r"\b(?P<month>{month}) (?P<d>\d{{1,2}})(?:st|nd|rd|th)?, (?P<y>\d{{4}})\b"),
        ]
        .map(|form| Regex::new(&form).expect("a pattern"))
    });
    let mut found: Vec<WrittenDate> = Vec::new();
    for captures in FORMS.iter().flat_map(|form| form.captures_iter(text)) {
        let number = |name: &str| captures.name(name).and_then(|part| part.as_str().parse::<u16>().ok());
        let named = captures.name("month").and_then(|month| MONTHS.iter().position(|m| *m == month.as_str()));
        let month = named.map(|at| at + 1).or_else(|| number("m").map(usize::from));
        let (Some(year), Some(month @ 1..=12), Some(all)) = (number("y"), month, captures.get(0)) else { continue };
        let day = number("d").and_then(|day| u8::try_from(day).ok());
        if found.iter().all(|other| all.end() <= other.bytes.start || other.bytes.end <= all.start()) {
            found.push(WrittenDate { bytes: all.range(), year, month, day });
        }
    }
    found.sort_by_key(|date| date.bytes.start);
    found
}

impl WrittenDate {
    /// Returns the ways to write the date.
    pub(crate) fn written_forms(&self) -> Vec<String> {
        let month = MONTHS[self.month - 1];
        let Some(day) = self.day else {
            return vec![format!("{month} {}", self.year), format!("{month} of {}", self.year)];
        };
        vec![
            format!("{}-{:02}-{day:02}", self.year, self.month),
            format!("{day} {month} {}", self.year),
            format!("{month} {day}{}, {}", ordinal_suffix(day), self.year),
        ]
    }

    /// Returns a different date: another day, month or year.
    pub(crate) fn shift_part(&self, which: usize) -> Self {
        let mut other = Self { bytes: self.bytes.clone(), year: self.year, month: self.month, day: self.day };
        match (which % 3, self.day) {
            (0, Some(day)) => other.day = Some(if day > 14 { day - 11 } else { day + 9 }),
            (0 | 1, _) => other.month = (self.month + 4) % 12 + 1,
            _ => other.year = self.year - 2,
        }
        // Every month has 28 days, so that the day is always valid.
        other.day = other.day.map(|day| day.min(28));
        other
    }
}

fn ordinal_suffix(day: u8) -> &'static str {
    match (day / 10, day % 10) {
        (1, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}

#[cfg(test)]
mod tests {
    use super::find_dates;

    #[test]
    fn dates_are_read_in_every_form_and_written_in_every_other() {
        for text in ["on 2024-03-12.", "on 12 March 2024.", "on March 12th, 2024.", "on March 12, 2024."] {
            let found = find_dates(text);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].written_forms(), ["2024-03-12", "12 March 2024", "March 12th, 2024"]);
        }
        assert_eq!(find_dates("since May 2025 it rains")[0].written_forms(), ["May 2025", "May of 2025"]);
        assert!(find_dates("he may 2025 things, and 2024-13-01").is_empty());
    }

    #[test]
    fn another_date_is_another() {
        let date = &find_dates("12 March 2024")[0];
        for which in 0..3 {
            assert!(!date.shift_part(which).written_forms().iter().any(|form| date.written_forms().contains(form)));
        }
    }
}
