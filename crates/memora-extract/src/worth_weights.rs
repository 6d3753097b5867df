//! Written by `training/worth.py`; do not edit.

pub(crate) const BIAS: f32 = -0.354;

#[rustfmt::skip]
#[allow(clippy::approx_constant, reason = "fitted, and near to nothing by chance alone")]
pub(crate) const WEIGHTS: [f32; 32] = [
    -1.290, // is_fragment
    -0.903, // is_definition
    0.351, // is_label
    1.076, // is_row
    -0.204, // subject_you
    -1.180, // subject_lent
    -0.346, // subject_name
    0.384, // subject_capital
    -0.337, // subject_long
    -0.616, // subject_points
    -0.417, // subject_has_pronoun
    -0.867, // pronouns
    -0.444, // says_number
    0.179, // says_name
    -0.323, // says_you
    1.523, // object_words
    -0.173, // object_one
    -0.557, // says_little
    0.888, // covers_all
    -0.114, // statement_leans
    -0.643, // statement_instructs
    0.349, // statement_lower
    -0.400, // has_address
    -0.499, // object_is_address
    -0.014, // verb_is
    -0.641, // verb_base
    0.606, // verb_words
    -0.350, // verb_thinks
    -0.809, // planned
    -0.556, // under_tasks
    0.531, // headings
    0.628, // about_heading
];
