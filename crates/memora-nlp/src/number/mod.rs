//! Numbers: digits, number words, and both with their units.
//!
//! [`parse`] reads digits, [`spelled`] number words, [`quantities`] every number of a text with its unit, its bound and its
//! bytes. The one rule to know: **a number is read for what it is worth, not for how it is written.**

mod digits;
mod quantity;
mod series;
mod spelled;

pub use digits::{parse_numeral, vulgar_fraction_value};
pub use quantity::{QuantityBound, QuantityForm, Quantity, find_quantities};
pub use spelled::{SpelledNumber, parse_count, number_word_value, parse_number_words};
