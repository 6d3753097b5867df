//! For which reader a service answers: [`Audience`].

/// The reader of the answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// Any reader that passes text on to a model, which may run anywhere: guarded text is withheld.
    #[default]
    Cloud,
    /// The user, or a model on this machine according to the user: everything is shown.
    Local,
}
