//! A file as Memora writes it: front matter of one line a property, then the body.

use jiff::civil::DateTime;
use memora_vault::{Band, has_odd_marker};
use serde_json::Value;

/// A file's properties and body, each byte of them.
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    /// The lines between the two rules, without line ends.
    lines: Vec<String>,
    /// What follows the second rule.
    pub body: String,
}

impl Document {
    /// Begins a document of this kind, the value of its property `memora`.
    #[must_use]
    pub fn new(memora: &str) -> Self {
        Self { lines: vec![format!("memora: {memora}")], body: String::new() }
    }

    /// Reads a file; `None` for one without front matter that begins at its first byte and ends.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("---\n")?;
        let mut lines = Vec::new();
        let mut body = rest;
        loop {
            let (line, after) = body.split_once('\n')?;
            body = after;
            if line == "---" {
                return Some(Self { lines, body: body.to_owned() });
            }
            lines.push(line.to_owned());
        }
    }

    /// Prints it: what was parsed, byte for byte.
    #[must_use]
    pub fn print(&self) -> String {
        let mut text = String::from("---\n");
        for line in &self.lines {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str("---\n");
        text.push_str(&self.body);
        text
    }

    /// Returns the value of its property `memora`, which makes it a machine's.
    #[must_use]
    pub fn memora(&self) -> Option<String> {
        self.text("memora")
    }

    /// Returns a property as text.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<String> {
        let value = self.raw(key)?;
        match serde_json::from_str(value) {
            Ok(Value::String(text)) => Some(text),
            _ => Some(value.to_owned()),
        }
    }

    /// Returns a property that is a list of texts; none where it is something else.
    #[must_use]
    pub fn list(&self, key: &str) -> Vec<String> {
        self.raw(key).and_then(|value| serde_json::from_str(value).ok()).unwrap_or_default()
    }

    /// Returns a property that is a text or a list of texts.
    #[must_use]
    pub fn texts(&self, key: &str) -> Vec<String> {
        match self.list(key) {
            list if list.is_empty() => self.text(key).into_iter().collect(),
            list => list,
        }
    }

    /// Sets a property to a text, quoted.
    pub fn set(&mut self, key: &str, value: &str) {
        self.set_plain(key, &Value::from(value).to_string());
    }

    /// Sets a property to a list of texts.
    pub fn set_list(&mut self, key: &str, values: &[String]) {
        self.set_plain(key, &Value::from(values.to_vec()).to_string());
    }

    /// Sets a property to a value that needs no quotes: a number, or a word of a closed set.
    pub fn set_plain(&mut self, key: &str, value: &str) {
        let line = format!("{key}: {}", value.replace(['\n', '\r'], " "));
        match self.lines.iter_mut().find(|line| key_of(line) == Some(key)) {
            Some(there) => *there = line,
            None => self.lines.push(line),
        }
    }

    /// Sets a property to a local time, to the second.
    pub fn set_time(&mut self, key: &str, at: DateTime) {
        self.set_plain(key, &print_time(at));
    }

    /// Returns how guarded it says that it is; what cannot be read is secret.
    #[must_use]
    pub fn privacy(&self) -> Band {
        self.text("privacy").map_or(Band::Public, |band| Band::parse(&band).unwrap_or(Band::Secret))
    }

    /// Sets how guarded it is; what is public need not say so.
    pub fn set_privacy(&mut self, band: Band) {
        if band != Band::Public {
            self.set_plain("privacy", band.as_str());
        }
    }

    /// Takes a property out.
    pub fn remove(&mut self, key: &str) {
        self.lines.retain(|line| key_of(line) != Some(key));
    }

    /// Gives a property another name, and leaves its value as it stands. Returns whether there was one.
    pub fn rename(&mut self, key: &str, to: &str) -> bool {
        let Some(line) = self.lines.iter_mut().find(|line| key_of(line) == Some(key)) else { return false };
        let value = line.split_once(':').map(|(_, value)| value).unwrap_or_default();
        *line = format!("{to}:{value}");
        true
    }

    fn raw(&self, key: &str) -> Option<&str> {
        let line = self.lines.iter().find(|line| key_of(line) == Some(key))?;
        line.split_once(':').map(|(_, value)| value.trim())
    }
}

memora_vault::wordless_debug! {
    Document(document): "{} properties, {} bytes", document.lines.len(), document.body.len();
}

fn key_of(line: &str) -> Option<&str> {
    line.split_once(':').map(|(key, _)| key).filter(|key| !key.starts_with([' ', '\t', '#', '-']))
}

/// Prints a local time, to the second.
#[must_use]
pub fn print_time(at: DateTime) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

/// Returns whether a text opens a comment or a privacy marker that it does not close, so that it would hide what
/// follows it, or has a marker that is not written as one.
#[must_use]
pub fn is_unclosed(text: &str) -> bool {
    let lower = text.to_lowercase();
    let compact: String = lower.chars().filter(|c| !c.is_whitespace()).collect();
    let opened = compact.matches("<!--privacy:").count();
    let closed = compact.matches("<!--/privacy").count();
    let mut rest = lower.as_str();
    while let Some((_, after)) = rest.split_once("<!--") {
        match after.split_once("-->") {
            Some((_, after)) => rest = after,
            None => return true,
        }
    }
    opened != closed || lower.matches("%%").count() % 2 == 1 || has_odd_marker(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_parsed_is_printed_as_it_was(lines in prop::collection::vec("[a-z: \"\\[\\]é]{0,12}", 0..6), body in "(?s).{0,60}") {
            let text = format!("---\n{}---\n{body}", lines.iter().map(|line| format!("{line}\n")).collect::<String>());
            let document = Document::parse(&text).expect("front matter");
            prop_assert_eq!(document.print(), text);
        }

        #[test]
        fn no_text_breaks_parsing(text in "(?s)(---\n)?.{0,80}") {
            if let Some(document) = Document::parse(&text) {
                prop_assert_eq!(document.print(), text);
            }
        }

        #[test]
        fn a_value_is_read_as_it_was_set(value in "(?s).{0,30}") {
            let mut document = Document::new("memory");
            document.set("by", &value);
            document.set_list("tags", std::slice::from_ref(&value));
            let document = Document::parse(&document.print()).expect("front matter");
            prop_assert_eq!(document.text("by"), Some(value.clone()));
            prop_assert_eq!(document.list("tags"), vec![value]);
        }
    }

    #[test]
    fn unclosed_markers_are_seen() {
        for (text, unclosed) in [
            ("plain", false),
            ("<!-- a --> b", false),
            ("<!-- a", true),
            ("<!--privacy:secret-->hidden<!--/privacy-->", false),
            ("<!--privacy:secret-->", true),
            ("<!-- Privacy: secret -->", true),
            ("<!--/privacy-->", true),
            ("100 %% done", true),
            ("%%a%%", false),
            ("<!—privacy:secret—> a", true),
            ("%%privacy:secret%% a", true),
            ("On privacy: secret", false),
        ] {
            assert_eq!(is_unclosed(text), unclosed, "{text}");
        }
    }
}
