//! What a place is read under.

/// The title of a note and the headings above a place, outermost first; many a note begins with its title as a heading, which
/// is said once.
pub(crate) fn heading_path<'n>(title: &'n str, headings: &'n [String]) -> Vec<&'n str> {
    let mut parts: Vec<&str> = std::iter::once(title).chain(headings.iter().map(String::as_str)).collect();
    parts.dedup();
    parts
}
