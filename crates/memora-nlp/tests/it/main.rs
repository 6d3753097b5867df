//! The tests of the crate as seen from outside, one binary.
//!
//! - [`cutting`]: how a text is cut into tokens.
//! - [`listed_words`]: every word of the lists is read where verdicts read it: in the numbers and dates of a text.
//! - [`lists`]: what every word list is, in whichever crate it lies: `data/<language>/<name>.txt`.
//! - [`reading`]: what the embedded model says: sentences with the tags, heads and labels they are read with.
//! - [`robust`]: what reading holds to, whatever it is given.
//! - [`same_trees`]: ten thousand sentences have the trees they had.

mod cutting;
mod listed_words;
mod lists;
mod reading;
mod robust;
mod same_trees;
