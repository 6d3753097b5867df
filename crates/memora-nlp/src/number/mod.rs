//! Numbers: digits, number words, and quantities with units.
//!
//! [`parse_numeral`] reads digits, [`parse_number_words`] number words, [`find_quantities`] all numbers of a text with
//! their units, bounds and byte ranges. Invariant: **numbers are compared by value, not by notation.**

mod number_words;
mod numerals;
mod quantity;
mod quantity_parser;
mod unit_sharing;

pub use number_words::{SpelledNumber, number_word_value, parse_count, parse_number_words};
pub use numerals::{parse_numeral, vulgar_fraction_value};
pub use quantity::{Quantity, QuantityBound, QuantityForm};
pub use quantity_parser::find_quantities;
