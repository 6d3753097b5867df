//! Numbers: digits, number words, and both with their units.
//!
//! [`parse`] reads digits, [`spelled`] number words, [`quantities`] every number of a text with its unit, its bound and its
//! bytes. The one rule to know: **a number is read for what it is worth, not for how it is written.**

mod digits;
mod quantity;
mod series;
mod spelled;

pub use digits::{parse, vulgar_value};
pub use quantity::{Bound, Form, Quantity, quantities};
pub use spelled::{Spelled, count, numeral, spelled};
