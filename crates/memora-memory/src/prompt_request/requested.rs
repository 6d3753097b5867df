//! What a prompt asks for, and where.

use crate::Kind;

/// A memory that a prompt asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedMemory {
    /// What it is about: the user, how they want things done, or a fact.
    pub kind: Kind,
    /// Its words.
    pub text: String,
    /// Whether what says this is to be forgotten, rather than remembered.
    pub forgets: bool,
    /// Whether it may be pasted, so that its user must confirm it: the prompt has lines that ask for something else, a colon stands
    /// in a sentence in front of it, or it is a command that does not begin the prompt.
    pub must_be_confirmed: bool,
}

/// Where a sentence stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// It begins the prompt.
    pub(super) begins: bool,
    /// Its line is all of the prompt, and it begins that.
    pub(super) is_whole_line: bool,
}
