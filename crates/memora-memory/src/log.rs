//! A log: the entries of a project's day, one below the other.

use jiff::civil::{Date, Time};
use memora_vault::Band;

use crate::MemoryId;
use crate::document::Document;

/// The log of a day.
#[derive(Clone, Debug)]
pub struct Log(Document);

/// An entry of a log.
#[derive(Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// Its id, also its block id.
    pub id: MemoryId,
    /// The line that begins it, without the marks of a heading.
    pub title: String,
    /// What it says.
    pub text: String,
}

impl Log {
    /// Begins the log of a day.
    #[must_use]
    pub fn new(day: Date, band: Band) -> Self {
        let mut document = Document::new("log");
        document.set_plain("created", &day.to_string());
        document.set_privacy(band);
        Self(document)
    }

    /// Takes a document; `None` for one that is no log.
    #[must_use]
    pub fn from_document(document: Document) -> Option<Self> {
        (document.memora()? == "log").then_some(Self(document))
    }

    /// Returns its document.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.0
    }

    /// Appends an entry; its title and text are clean.
    pub fn append(&mut self, at: Time, title: &str, by: &str, id: &MemoryId, text: &str) {
        let body = &mut self.0.body;
        if !body.is_empty() {
            body.push('\n');
        }
        let title = if title.is_empty() { String::new() } else { format!("{title} ") };
        body.push_str(&format!("## {} {title}({by}) ^{id}\n{text}\n", at.strftime("%H:%M")));
    }

    /// Returns its entries, oldest first.
    #[must_use]
    pub fn entries(&self) -> Vec<LogEntry> {
        let mut entries: Vec<LogEntry> = Vec::new();
        for line in self.0.body.split('\n') {
            let heading = line.strip_prefix("## ").and_then(|line| line.rsplit_once(" ^"));
            match heading.and_then(|(title, id)| Some((title, MemoryId::parse(id)?))) {
                Some((title, id)) => entries.push(LogEntry { id, title: title.to_owned(), text: String::new() }),
                None => {
                    if let Some(entry) = entries.last_mut() {
                        entry.text.push_str(line);
                        entry.text.push('\n');
                    }
                }
            }
        }
        for entry in &mut entries {
            entry.text.truncate(entry.text.trim_end().len());
        }
        entries
    }
}

impl LogEntry {
    /// Returns its writer: an agent, or `user`.
    #[must_use]
    pub fn by(&self) -> &str {
        let named = self.title.strip_suffix(')').and_then(|title| title.rsplit_once('('));
        named.map_or("", |(_, by)| by)
    }
}

memora_vault::wordless_debug! {
    LogEntry(entry): "{}, {} bytes", entry.id, entry.text.len();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clean_text;

    #[test]
    fn entries_are_read_as_they_were_appended() {
        let mut log = Log::new(jiff::civil::date(2026, 11, 22), Band::Secret);
        let at = jiff::civil::time(14, 32, 0, 0);
        let texts =
            ["- Merged #105.", "## 14:00 by user ^mem-000000000000", "```\n## fenced ^mem-000000000000\nopen", ""];
        for (number, text) in (0..).zip(texts) {
            log.append(at, "Fixed it", "claude-code", &MemoryId::from_random(number), &clean_text(text));
        }
        let text = log.document().print();
        let read = Log::from_document(Document::parse(&text).expect("front matter")).expect("a log");
        assert_eq!(read.document().print(), text);
        let entries = read.entries();
        assert_eq!(entries.len(), texts.len(), "{text}");
        assert_eq!(entries.first().map(|entry| entry.title.as_str()), Some("14:32 Fixed it (claude-code)"));
        assert_eq!(entries.first().map(LogEntry::by), Some("claude-code"));
        assert_eq!(entries.get(2).map(|entry| entry.id.clone()), Some(MemoryId::from_random(2)));
    }
}
