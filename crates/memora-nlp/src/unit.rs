//! Units of measure: one table for claims, questions and verdicts.
//!
//! The one rule to know: **units of one dimension convert into each other**, and no others do; each currency is a dimension
//! of its own.

use std::sync::LazyLock;

use crate::language::Language;
use crate::lists::Lexicon;

/// A unit of measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureUnit {
    /// Its one spelling.
    pub name: &'static str,
    /// What it measures: `time`, `mass`, `money:eur`.
    pub dimension: &'static str,
    /// How much one is, in the dimension's base.
    pub factor: f64,
}

impl MeasureUnit {
    /// Whether it is a currency.
    #[must_use]
    pub fn is_currency(&self) -> bool {
        self.dimension.starts_with("money:")
    }

    /// The period of the calendar that it is.
    #[must_use]
    pub fn calendar_period(&self) -> Option<CalendarPeriod> {
        match self.name {
            "d" => Some(CalendarPeriod::Day),
            "week" => Some(CalendarPeriod::Week),
            "month" => Some(CalendarPeriod::Month),
            "year" => Some(CalendarPeriod::Year),
            _ => None,
        }
    }
}

/// Every unit by the words and signs that write it.
pub static UNITS: LazyLock<Lexicon<&'static MeasureUnit>> = LazyLock::new(|| {
    Lexicon::read(include_str!("../data/en/units.txt"), include_str!("../data/de/units.txt"), |value| {
        let (name, rest) = value.split_once(':')?;
        let (dimension, factor) = rest.rsplit_once(':')?;
        // Read once, and kept for as long as the program runs.
        Some(&*Box::leak(Box::new(MeasureUnit { name, dimension, factor: factor.parse().ok()? })))
    })
});

/// The unit that a lower-case word or sign writes, in either language.
#[must_use]
pub fn find_unit(word: &str) -> Option<&'static MeasureUnit> {
    UNITS.get(word)
}

/// The unit that a lower-case word or sign writes in one language.
#[must_use]
pub fn find_unit_in(language: Language, word: &str) -> Option<&'static MeasureUnit> {
    UNITS.get_in(language, word)
}

/// A period of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CalendarPeriod {
    /// A day.
    Day,
    /// Seven days.
    Week,
    /// A month.
    Month,
    /// A year.
    Year,
}
