//! Folders of the user's, and where they lie.

use std::path::Path;

/// Whether a folder that may not exist yet lies inside another.
pub(crate) fn is_inside(path: &Path, root: &Path) -> bool {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // A part that does not exist yet may be followed by `..`, and making folders would walk back out of it.
    let mut plain = std::path::PathBuf::new();
    for part in absolute.components() {
        match part {
            std::path::Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    let leads_in = |path: &Path| {
        let existing = path.ancestors().find_map(|part| part.canonicalize().ok());
        existing.is_some_and(|real| real.starts_with(root))
    };
    leads_in(&plain) || leads_in(&absolute)
}
