//! Whether two values are the same as far as their words say, and whether a duration lies between two dates.

use memora_nlp::number::{Quantity, QuantityBound, QuantityForm};
use memora_nlp::time::{Date, days_from_civil};

use crate::premise::Premise;

/// Whether a premise's value is what a number says: itself, or within what *about*, *over* and *under* allow.
pub(crate) fn is_close(own: &Quantity, theirs: f64, value: f64, slack: f64) -> bool {
    let size = f64::max(theirs.abs(), value.abs());
    let near = (theirs - value).abs() <= size * f64::max(slack, 1e-6);
    near || match own.bound {
        QuantityBound::Exact => false,
        // `about 306` is no estimate of 300.
        QuantityBound::About if is_fine(own.value) => (theirs - value).abs() <= size * 0.002,
        QuantityBound::About => (theirs - value).abs() <= size * 0.15,
        QuantityBound::Over => theirs > value && theirs <= value * 1.6,
        QuantityBound::Under => theirs < value && theirs >= value * 0.6,
    }
}

/// Whether a number has three digits or more that count.
fn is_fine(value: f64) -> bool {
    let digits = value.abs().log10().floor();
    let scaled = value / 10_f64.powf(digits - 1.0);
    value != 0.0 && (scaled - scaled.round()).abs() > 1e-6
}

/// Whether a duration lies between two dates or two times of day of a premise.
pub(crate) fn spans(own: &Quantity, premises: &[&Premise]) -> bool {
    let Some(unit) = own.unit.filter(|unit| unit.dimension == "time") else { return false };
    let is = |seconds: f64, slack: f64| is_close(own, seconds, own.value * unit.factor, slack);
    premises.iter().any(|premise| {
        let years: Vec<i32> = premise.dates.iter().filter_map(|date| date.year).collect();
        // A date without a year is of the note's, or of any; one without a day begins its month.
        let day_of = |date: &Date| Some(days_from_civil(date.year.unwrap_or(2001), date.month?, date.day.unwrap_or(1)));
        let days: Vec<i64> = premise.dates.iter().filter(|date| date.written).filter_map(day_of).collect();
        let minutes: Vec<u32> = premise.texts().flat_map(|t| &t.clocks).map(|clock| clock.minutes).collect();
        let year = |a: i32, b: i32| is(f64::from((a - b).abs()) * 31_556_952.0, 0.001);
        let day = |a: i64, b: i64| {
            [0, 1].iter().any(|more| is(((a - b).abs() + more) as f64 * 86_400.0, 0.001))
                || (unit.factor > 2e6 && is((a - b).abs() as f64 * 86_400.0, 0.1))
        };
        let slack = if unit.factor > 3000.0 { 0.06 } else { 0.001 };
        let minute = |a: u32, b: u32| is(f64::from(a.abs_diff(b)) * 60.0, slack);
        let which: Vec<f64> =
            premise.words.quantities.iter().filter(|q| q.form == QuantityForm::Ordinal).map(|q| q.value).collect();
        let nth = |a: f64, b: f64| {
            [0.0, 1.0].iter().any(|more| unit.name == "d" && is(((a - b).abs() + more) * 86_400.0, 0.001))
        };
        years.iter().any(|a| years.iter().any(|b| a != b && year(*a, *b)))
            || days.iter().any(|a| days.iter().any(|b| a != b && day(*a, *b)))
            || which.iter().any(|a| which.iter().any(|b| a != b && nth(*a, *b)))
            || minutes.iter().any(|a| minutes.iter().any(|b| a != b && minute(*a, *b)))
    })
}
