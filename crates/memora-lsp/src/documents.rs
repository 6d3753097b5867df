//! What the editor holds open: text that may be saved nowhere yet.
//!
//! Invariant: **the text is the editor's, byte for byte**, after every change that it tells. It lives here and in the requests about
//! it, and is written nowhere.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lsp_types::{TextDocumentContentChangeEvent, Uri};
use memora_engine::NotePath;
use serde_json::Value;

use crate::position::{LineIndex, Units};
use crate::uri;

/// The pause after the last change before a text is judged.
pub(crate) const PAUSE: Duration = Duration::from_millis(300);

/// The time until a text is judged again that was put off, and how often that is done.
pub(crate) const WAIT: Duration = Duration::from_secs(2);
pub(crate) const WAITS_MAX: u32 = 60;

/// The longest text that is judged, in bytes.
pub(crate) const TEXT_MAX: usize = 4 << 20;

/// A text at one moment, with its lines: what a request about it takes along.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    pub(crate) text: Arc<str>,
    pub(crate) lines: Arc<LineIndex>,
    /// Where the file lies, if it is one.
    pub(crate) path: Option<PathBuf>,
    /// Where the last change ended, while that is where the user writes.
    pub(crate) typed_at: Option<usize>,
}

impl Buffer {
    /// The note that it is, if its file lies in the vault.
    pub(crate) fn note_path(&self, root: &Path) -> Option<NotePath> {
        let path = self.path.as_deref()?.canonicalize().ok()?;
        NotePath::from_relative(path.strip_prefix(root).ok()?).ok()
    }
}

/// An open document.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) buffer: Buffer,
    /// When it is to be judged.
    pub(crate) due: Option<Instant>,
    /// How often it was put off since the notes were being indexed.
    pub(crate) waits: u32,
    /// What was published last, if anything was.
    pub(crate) published: Option<Value>,
}

impl Document {
    fn new(uri: Uri, version: i32, text: String, units: Units) -> Self {
        let path = uri::to_path(uri.as_str());
        let lines = Arc::new(LineIndex::new(&text, units));
        let buffer = Buffer { text: text.into(), lines, path, typed_at: None };
        Self { uri, version, buffer, due: Some(Instant::now()), waits: 0, published: None }
    }

    /// Takes over changes in their order.
    fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>, units: Units) {
        self.version = version;
        self.buffer.typed_at = None;
        let mut text = self.buffer.text.to_string();
        for change in changes {
            let Some(range) = change.range else {
                text = change.text;
                self.buffer.typed_at = None;
                continue;
            };
            let bytes = LineIndex::new(&text, units).bytes(&text, range);
            self.buffer.typed_at = Some(bytes.start + change.text.len());
            text.replace_range(bytes, &change.text);
        }
        self.buffer.lines = Arc::new(LineIndex::new(&text, units));
        self.buffer.text = text.into();
        self.due = Some(Instant::now() + PAUSE);
    }
}

/// All open documents, by their addresses.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    open: HashMap<String, Document>,
    units: Units,
}

impl Documents {
    /// None is open.
    pub(crate) fn new(units: Units) -> Self {
        Self { open: HashMap::new(), units }
    }

    /// Takes a document that was opened.
    pub(crate) fn open(&mut self, uri: Uri, version: i32, text: String) {
        let document = Document::new(uri, version, text, self.units);
        self.open.insert(document.uri.as_str().to_owned(), document);
    }

    /// Takes changes of a document. A document that was never opened is left alone.
    pub(crate) fn change(&mut self, uri: &Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let units = self.units;
        if let Some(document) = self.open.get_mut(uri.as_str()) {
            document.change(version, changes, units);
        }
    }

    /// Lets a document go.
    pub(crate) fn close(&mut self, uri: &Uri) -> Option<Document> {
        self.open.remove(uri.as_str())
    }

    pub(crate) fn get(&self, uri: &Uri) -> Option<&Document> {
        self.open.get(uri.as_str())
    }

    pub(crate) fn get_mut(&mut self, uri: &str) -> Option<&mut Document> {
        self.open.get_mut(uri)
    }

    /// The addresses of those that are open.
    pub(crate) fn uris(&self) -> Vec<Uri> {
        self.open.values().map(|document| document.uri.clone()).collect()
    }

    /// Has every document judged again: a note that one cites may be another now.
    pub(crate) fn judge_all(&mut self, at: Instant) {
        for document in self.open.values_mut() {
            document.buffer.typed_at = None;
            document.due.get_or_insert(at);
        }
    }

    /// When the next document is to be judged.
    pub(crate) fn next_due(&self) -> Option<Instant> {
        self.open.values().filter_map(|document| document.due).min()
    }

    /// Takes the documents that are to be judged now.
    pub(crate) fn take_due(&mut self, now: Instant) -> Vec<(Uri, i32, Buffer)> {
        let due = self.open.values_mut().filter(|document| document.due.is_some_and(|due| due <= now));
        due.map(|document| {
            document.due = None;
            (document.uri.clone(), document.version, document.buffer.clone())
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;

    use lsp_types::{Position, Range};

    use super::*;

    fn change(line: u32, from: u32, to: u32, text: &str) -> TextDocumentContentChangeEvent {
        let at = |character| Position { line, character };
        let range = Some(Range { start: at(from), end: at(to) });
        TextDocumentContentChangeEvent { range, range_length: None, text: text.to_owned() }
    }

    #[test]
    fn changes_are_taken_over_in_order_and_in_the_clients_units() {
        let uri = Uri::from_str("file:///v/a.md").expect("an address");
        let mut documents = Documents::default();
        documents.open(uri.clone(), 1, "é😀 is 5\r\nend".to_owned());
        documents.change(&uri, 2, vec![change(0, 7, 8, "6"), change(0, 0, 1, "E"), change(1, 3, 99, "!")]);
        let document = documents.get(&uri).expect("open");
        assert_eq!((&*document.buffer.text, document.version), ("E😀 is 6\r\nend!", 2));
        assert_eq!(document.buffer.typed_at, Some(document.buffer.text.len()));
        assert!(document.due.is_some_and(|due| due > Instant::now()), "it waits for a pause");
        let whole = TextDocumentContentChangeEvent { range: None, range_length: None, text: "new".to_owned() };
        documents.change(&uri, 3, vec![whole]);
        assert_eq!(documents.get(&uri).map(|document| &*document.buffer.text), Some("new"));
    }

    #[test]
    fn what_was_never_opened_is_left_alone() {
        let uri = Uri::from_str("file:///v/b.md").expect("an address");
        let mut documents = Documents::default();
        documents.change(&uri, 2, vec![change(0, 0, 0, "x")]);
        assert!(documents.get(&uri).is_none() && documents.close(&uri).is_none() && documents.next_due().is_none());
    }
}
