//! The headings that give a place its context.

/// Returns the note's title and the headings above a place, outermost first. Many notes repeat their title as the first
/// heading; the title is listed once.
pub(crate) fn heading_path<'n>(title: &'n str, headings: &'n [String]) -> Vec<&'n str> {
    let mut parts: Vec<&str> = std::iter::once(title).chain(headings.iter().map(String::as_str)).collect();
    parts.dedup();
    parts
}
