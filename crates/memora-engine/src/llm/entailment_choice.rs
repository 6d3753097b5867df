//! The choice of a model for entailment.

/// What the user's configuration says of a model for entailment.
#[derive(Clone, Debug, PartialEq)]
pub struct EntailmentChoice {
    /// The name of an installed model, or the absolute path of a folder with one.
    pub model: String,
    /// The probability from which on a sentence counts as entailed, above a half; `None` for the default.
    pub entailed_from: Option<f32>,
}
