//! Written by `training/worth.py`; do not edit.

use crate::worth::COUNT;

pub(crate) const BIAS: f32 = -2.021;

#[rustfmt::skip]
#[allow(clippy::approx_constant, reason = "fitted, and near to nothing by chance alone")]
pub(crate) const WEIGHTS: [f32; COUNT] = [
    0.018, // is_clause
    -0.741, // is_fragment
    -0.068, // is_definition
    0.473, // is_label
    -1.098, // is_property
    1.046, // is_row
    0.320, // is_field
    -0.298, // is_task
    0.106, // is_item
    -0.150, // is_quote
    0.377, // confidence
    -0.493, // subject_i
    -0.808, // subject_we
    0.029, // subject_mine
    -0.827, // subject_you
    -0.614, // subject_pronoun
    -1.647, // subject_pointing
    -0.365, // subject_the
    -0.055, // subject_a
    -0.672, // subject_theirs
    -0.684, // subject_lent
    0.732, // subject_name
    0.371, // subject_capital
    0.159, // subject_lower
    -0.402, // subject_words
    -0.339, // subject_long
    -0.071, // subject_plural
    -0.035, // subject_doing
    -0.407, // subject_unfinished
    0.124, // says_pronoun
    -0.146, // says_pronouns
    -0.369, // says_it
    -1.152, // begins_it
    0.361, // says_name
    0.194, // says_names
    -0.237, // says_number
    0.504, // object_words
    -0.542, // object_none
    -0.247, // object_one
    1.014, // words
    0.198, // qualifiers
    -0.601, // says_little
    1.012, // covered
    0.163, // covered_all
    0.744, // statement_words
    -0.279, // statement_long
    -0.114, // statement_leans
    -0.085, // statement_lower
    0.126, // statement_ended
    0.013, // statement_shouts
    -0.617, // statement_asks
    -0.007, // statement_quotes
    -0.061, // statement_brackets
    -0.582, // statement_parted
    -0.498, // statement_colon
    -0.235, // statement_commas
    -0.360, // statement_marked
    -0.409, // verb_is
    0.447, // verb_is_first
    -0.031, // verb_has
    0.448, // verb_modal
    0.067, // verb_past
    0.254, // verb_s
    -0.118, // verb_base
    0.218, // verb_capital
    0.032, // verb_words
    -0.239, // verb_thinks
    0.214, // is_little
    -0.467, // is_plain
    -1.160, // planned
    -0.318, // reported
    0.046, // conditional
    -0.475, // rejected
    -0.289, // negated
    0.053, // attributed
    0.414, // related
    0.072, // dated
    0.207, // i_past
    0.454, // i_little
    -0.346, // named_whole
    -0.239, // named_past
    -1.015, // lent_named
];
