//! Units of measure: one table for claims, questions and verdicts.
//!
//! Invariant: **units of one dimension convert into each other**, and units of different dimensions do not; each
//! currency is a dimension of its own.

use std::sync::LazyLock;

use crate::language::Language;
use crate::list;
use crate::word_lists::Lexicon;

/// A unit of measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureUnit {
    /// The canonical spelling.
    pub name: &'static str,
    /// The dimension: `time`, `mass`, `money:eur`.
    pub dimension: &'static str,
    /// The size in the dimension's base unit.
    pub factor: f64,
}

impl MeasureUnit {
    /// Whether the unit is a currency.
    #[must_use]
    pub fn is_currency(&self) -> bool {
        self.dimension.starts_with("money:")
    }

    /// Returns the calendar period that the unit measures.
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

/// All units, keyed by the words and signs that denote them.
pub static UNITS: LazyLock<Lexicon<&'static MeasureUnit>> = LazyLock::new(|| {
    Lexicon::read(list!(en, units), list!(de, units), |value| {
        let (name, rest) = value.split_once(':')?;
        let (dimension, factor) = rest.rsplit_once(':')?;
        // Read once, and kept for as long as the program runs.
        Some(&*Box::leak(Box::new(MeasureUnit { name, dimension, factor: factor.parse().ok()? })))
    })
});

/// Returns the unit that a lower-case word or sign denotes, in either language.
#[must_use]
pub fn find_unit(word: &str) -> Option<&'static MeasureUnit> {
    UNITS.get(word)
}

/// Returns the unit that a lower-case word or sign denotes in one language.
#[must_use]
pub fn find_unit_in(language: Language, word: &str) -> Option<&'static MeasureUnit> {
    UNITS.get_in(language, word)
}

/// A calendar period.
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
