//! What to do about an error.

/// An error, refusal or oddity that knows what its user can do about it.
///
/// It is implemented beside the type, so that the command line, the agent's server and a report give the same advice.
pub trait Hint {
    /// What to try, in one line without a final full stop; empty if there is nothing to do.
    #[must_use]
    fn hint(&self) -> &'static str;
}

impl Hint for std::io::Error {
    fn hint(&self) -> &'static str {
        match self.kind() {
            std::io::ErrorKind::StorageFull => "make room on the disk",
            std::io::ErrorKind::PermissionDenied => "check the permissions of the file and of its folder",
            _ => "check that the file or pipe is there and can be used, and try again",
        }
    }
}
