//! Numbers as they are found in a text, with unit, bound and form: [`Quantity`].

use std::ops::Range;

use crate::time::Date;
use crate::unit::MeasureUnit;

/// A number in a text.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// Its byte range, unit included.
    pub range: Range<usize>,
    /// Its tokens, unit included.
    pub tokens: Range<usize>,
    /// Its value.
    pub value: f64,
    /// The alternative value if its digits are ambiguous: `1.200`.
    pub other: Option<f64>,
    /// Its unit.
    pub unit: Option<&'static MeasureUnit>,
    /// Its bound.
    pub bound: QuantityBound,
    /// Its form.
    pub form: QuantityForm,
    /// Whether it needs no support in the evidence: *one*, *first*, *twice*, *half* without a unit.
    pub weak: bool,
}

/// How exact a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantityBound {
    /// `40`.
    Exact,
    /// `about 40`.
    About,
    /// `over 40`, `40+`.
    Over,
    /// `under 40`, `at most 40`.
    Under,
}

/// The grammatical form of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantityForm {
    /// An amount.
    Cardinal,
    /// A position in a sequence.
    Ordinal,
    /// A factor.
    Multiple,
    /// A share: *a third*, *half*.
    Fraction,
}

impl Quantity {
    /// Returns a bare year as a number, since it may be either: `2000 in the account`.
    #[must_use]
    pub fn from_year(date: &Date) -> Option<Self> {
        let value = date.year.filter(|_| date.granularity() == 1 && !date.decade).map(f64::from)?;
        let (range, tokens) = (date.range.clone(), date.tokens.clone());
        Some(Self {
            range,
            tokens,
            value,
            other: None,
            unit: None,
            bound: QuantityBound::Exact,
            form: QuantityForm::Cardinal,
            weak: false,
        })
    }
}
