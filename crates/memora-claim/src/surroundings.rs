//! The context of a span that gives it its meaning.

use memora_vault::{Band, Note, Zone};

use crate::StatementId;

/// The context of a span that gives it its meaning.
pub(crate) struct Surroundings {
    pub(crate) statement: Option<StatementId>,
    pub(crate) band: Band,
    pub(crate) zone: Zone,
    pub(crate) headings: Vec<String>,
    pub(crate) parent: Option<String>,
}

/// Returns the texts of `heading` and those above it, outermost first, with the join of their bands.
pub(crate) fn collect_headings_above(note: &Note, heading: Option<usize>) -> (Vec<String>, Band) {
    let mut band = Band::Public;
    let mut texts = Vec::new();
    for index in heading.map(|h| note.heading_path(h)).unwrap_or_default() {
        let heading = &note.headings()[index];
        band = band.join(note.band_of_range(heading.range.clone()));
        texts.push(heading.text.clone());
    }
    (texts, band)
}
