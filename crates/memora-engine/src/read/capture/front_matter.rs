//! The front matter of a captured note.

use jiff::civil::DateTime;
use memora_vault::Band;

/// The properties of a captured note.
pub(super) struct CaptureFrontMatter<'a> {
    /// The author, on one line.
    pub(super) by: &'a str,
    pub(super) band: Band,
    pub(super) at: DateTime,
}

impl CaptureFrontMatter<'_> {
    /// Renders the note: these properties, with `band` joined to theirs, followed by the text.
    pub(super) fn render_note(&self, band: Band, text: &str) -> String {
        // Every JSON string is a valid YAML string.
        let by = serde_json::Value::from(self.by);
        let created = self.at.strftime("%Y-%m-%dT%H:%M:%S");
        let privacy = match self.band.join(band) {
            Band::Public => String::new(),
            band => format!("privacy: {}\n", band.as_str()),
        };
        format!("---\nmemora: captured\n{privacy}created: {created}\nby: {by}\n---\n\n{text}\n")
    }
}
