//! Errors with their causes, as text.

/// An error and its causes in one line.
pub(crate) fn format_error_chain(error: &dyn std::error::Error) -> String {
    let mut said = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        said = format!("{said}: {cause}");
        next = cause.source();
    }
    said
}
