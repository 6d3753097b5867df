//! The places of a report in its printed text: kept whole where lines are broken, painted, and linked.
//!
//! Places are taken from the report, never from the text, so that no note can make a link of its words.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

/// Stands for a space inside of a path while lines are broken; a noncharacter, which no text uses.
const BOUND_SPACE: char = '\u{fdd0}';

const PLACE: Style = AnsiColor::Magenta.on_default();

/// What an absolute path keeps in an address.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The places of a report, as they are printed, each with the address that opens it.
#[derive(Debug, Default)]
pub(crate) struct PlaceLinks {
    addresses: HashMap<String, Option<String>>,
    /// The paths with spaces, the longest first.
    spaced: Vec<String>,
}

impl PlaceLinks {
    /// Collects the places of a serialized report. With the vault's folder each gets an address: in Obsidian if that
    /// knows the vault, else the file.
    pub(crate) fn from_report(report: &Value, vault: Option<&Path>) -> Self {
        let mut links = Self::default();
        links.collect_from(report, vault.map(|root| Opener { root, in_obsidian: root.join(".obsidian").is_dir() }));
        let spaced: BTreeSet<&String> = links.addresses.keys().filter(|shown| shown.contains(' ')).collect();
        links.spaced = spaced.into_iter().cloned().collect();
        links.spaced.sort_by_key(|shown| std::cmp::Reverse(shown.len()));
        links
    }

    fn collect_from(&mut self, value: &Value, opener: Option<Opener<'_>>) {
        match value {
            Value::Object(fields) => {
                self.add_place(fields, opener);
                fields.values().for_each(|value| self.collect_from(value, opener));
            }
            Value::Array(values) => values.iter().for_each(|value| self.collect_from(value, opener)),
            _ => {}
        }
    }

    fn add_place(&mut self, fields: &Map<String, Value>, opener: Option<Opener<'_>>) {
        let text = |key: &str| fields.get(key).and_then(Value::as_str);
        let Some(path) = text("path") else { return };
        let number = |key: &str| fields.get(key).and_then(Value::as_u64);
        let note = opener.map(|opener| opener.address_of(path));
        if let Some(line) = number("line") {
            let column = number("column").map(|column| format!(":{column}")).unwrap_or_default();
            let place = opener.and_then(|opener| opener.in_obsidian.then(|| text("url")).flatten());
            self.add(format!("{path}:{line}{column}"), place.map(str::to_owned).or_else(|| note.clone()));
        }
        self.add(path.to_owned(), note);
    }

    fn add(&mut self, shown: String, address: Option<String>) {
        // What a terminal could take for the end of an address is none.
        let address = address.filter(|address| address.bytes().all(|byte| byte.is_ascii_graphic()));
        self.addresses.entry(shown).or_insert(address);
    }

    /// Binds the spaces in paths and before the name of a relation, so that each is a single word.
    pub(super) fn bind_spaces<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut text: Cow<'t, str> = Cow::Borrowed(text);
        for shown in self.spaced.iter().filter(|shown| !shown.contains('\n')) {
            if text.contains(shown.as_str()) {
                text = Cow::Owned(text.replace(shown.as_str(), &shown.replace(' ', &BOUND_SPACE.to_string())));
            }
        }
        for relation in ["(= ", ", = "] {
            if text.contains(relation) {
                text = Cow::Owned(text.replace(relation, &format!("{}{BOUND_SPACE}", relation.trim_end())));
            }
        }
        text
    }

    /// Paints a word that is a place, and links it; `None` for any other word.
    pub(super) fn paint_word(&self, word: &str) -> Option<String> {
        let opened = word.strip_prefix('(').unwrap_or(word);
        let bare = opened.trim_end_matches([',', ':', ';', ')']);
        let shown = free_spaces(bare);
        let address = self.addresses.get(shown.as_ref())?;
        let before = word.get(..word.len() - opened.len()).unwrap_or_default();
        let after = opened.get(bare.len()..).unwrap_or_default();
        let (start, end) = match address {
            Some(address) => (format!("\u{1b}]8;;{address}\u{1b}\\"), "\u{1b}]8;;\u{1b}\\"),
            None => (String::new(), ""),
        };
        Some(format!("{before}{start}{PLACE}{shown}{PLACE:#}{end}{after}"))
    }
}

/// Makes bound spaces spaces again.
pub(super) fn free_spaces(text: &str) -> Cow<'_, str> {
    if text.contains(BOUND_SPACE) { Cow::Owned(text.replace(BOUND_SPACE, " ")) } else { Cow::Borrowed(text) }
}

/// Knows how a note is opened.
#[derive(Clone, Copy)]
struct Opener<'v> {
    root: &'v Path,
    in_obsidian: bool,
}

impl Opener<'_> {
    fn address_of(self, path: &str) -> String {
        let file = self.root.join(path);
        if self.in_obsidian { obsidian_address(&file) } else { format!("file://{}", encode_path(&file)) }
    }
}

/// The address that opens a file in Obsidian, in a vault that it knows.
pub(crate) fn obsidian_address(file: &Path) -> String {
    format!("obsidian://open?path={}", encode_path(file))
}

fn encode_path(file: &Path) -> String {
    utf8_percent_encode(&file.to_string_lossy().replace('\\', "/"), PATH).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn links(vault: Option<&Path>) -> PlaceLinks {
        let report = json!({
            "claims": [
                { "claim": "7h3kq0v9x2ma", "place": { "path": "people/Anna Brandt.md", "line": 12, "column": 3, "url": "obsidian://open?vault=v&file=x" } },
                { "place": { "path": "a\u{1b}]8;;evil\u{7}.md", "line": 1, "column": 1, "url": "obsidian://\u{1b}" } },
            ],
            "problems": [{ "path": "b.md", "line": 2 }],
        });
        PlaceLinks::from_report(&report, vault)
    }

    #[test]
    fn a_path_with_spaces_is_one_word_and_is_linked() {
        let vault = tempfile::tempdir().expect("a folder");
        let file = links(Some(vault.path()));
        let bound = file.bind_spaces("people/Anna Brandt.md:12:3, 2025 Anna Brandt").into_owned();
        assert_eq!(bound.split(' ').count(), 4, "{bound}");
        let word = bound.split(' ').next().expect("a word");
        let painted = file.paint_word(word).expect("a place");
        assert!(
            painted.starts_with("\u{1b}]8;;file:///") && painted.contains("people/Anna%20Brandt.md\u{1b}\\"),
            "{painted:?}"
        );
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), "people/Anna Brandt.md:12:3,");
        // Obsidian opens the heading, where it knows the vault.
        std::fs::create_dir(vault.path().join(".obsidian")).expect("a folder");
        let obsidian = links(Some(vault.path()));
        let painted = obsidian.paint_word(word).expect("a place");
        assert!(painted.starts_with("\u{1b}]8;;obsidian://open?vault=v&file=x\u{1b}\\"), "{painted:?}");
        let note = obsidian.paint_word("(b.md:2):").expect("a place");
        assert!(note.starts_with("(\u{1b}]8;;obsidian://open?path=/") && note.ends_with("):"), "{note:?}");
    }

    #[test]
    fn only_places_of_the_report_are_painted_and_without_a_vault_none_is_linked() {
        let plain = links(None);
        assert_eq!(plain.paint_word("b.md:2"), Some("\u{1b}[35mb.md:2\u{1b}[0m".to_owned()));
        for word in ["c.md:1", "2025", "", "(", "b.md:3"] {
            assert_eq!(plain.paint_word(word), None, "{word}");
        }
    }

    #[test]
    fn a_name_with_control_characters_reaches_no_terminal() {
        let vault = tempfile::tempdir().expect("a folder");
        let links = links(Some(vault.path()));
        // What is printed has them replaced, so the name is no longer that of the report.
        assert_eq!(links.paint_word("a\u{fffd}]8;;evil\u{fffd}.md:1:1"), None);
        assert!(links.addresses.values().flatten().all(|address| !address.contains(|c: char| c.is_control())));
    }
}
