//! Judges whether cited words of a note bear out a sentence that an assistant wrote.
//!
//! [`Premise`] holds the cited words, read once; [`judge()`] gives the [`Verdict`] with its [`Reason`]s. No I/O.
//! The one rule to know: **facts can say wrong, wording can only be unproven.** A number, date, name, quotation or
//! negation that disagrees makes a sentence `contradicted`, one that is nowhere `unsupported`; words of its own make it
//! `paraphrased`, and only rules that keep every fact make it `verified`.
//!
//! The stages: `text` reads tokens and facts, with their bytes, by [`memora_nlp`]; `quantity`, `place`, `name`, `quotation`
//! and `clause` compare facts, `roles` and `contrary` who does what, by the graphs of `syntax`; `align` compares wording in
//! order, by the rules of `data/rules.txt`; `turn` finds the one fact by which a sentence misses a note. English is read in
//! full; of German the facts; of any other language what its numerals and names give away.
//!
//! Deliberately not here: which passages a sentence may rest on, markup, and any network.

mod actor;
mod align;
mod atom;
mod clause;
mod closeness;
mod condition;
mod content;
mod contrary;
mod contrast;
mod direction;
mod elsewhere;
mod exchange;
mod frequency;
mod graph;
mod green;
mod ideograph;
mod judge;
mod lists;
mod measure;
mod name;
mod normal;
mod overtaking;
mod parts;
mod passage;
mod place;
mod polarity;
mod premise;
mod quantity;
mod quotation;
mod quoted;
mod rate;
mod readings;
mod reason;
mod replaced;
mod roles;
mod said;
mod syntax;
mod text;
mod turn;

pub use elsewhere::Elsewhere;
pub use judge::{Judgement, Verdict, judge};
pub use overtaking::{has_words_of_change, overtaken, speaks_of};
pub use premise::Premise;
pub use reason::{Reason, ReasonKind};
pub use replaced::{changed_value, differ_in_one_number, differ_in_one_value, states_a_number};

/// Whether a word, in lower case, only holds others together: "by", "the", "was".
#[must_use]
pub fn is_function_word(word: &str) -> bool {
    lists::FUNCTION.contains(word)
}
