//! A text to be verified, with the citations that came with it.
//!
//! Most citations stand in the text itself. A reply of Anthropic's messages API has them beside its text: it is a list of
//! content blocks, and a block of type `text` has `citations`, each with the words it cites (`cited_text`) and the document
//! that they are from (`document_title`, or `source`). Those words are looked for in the notes like any quotation.

use std::borrow::Cow;
use std::ops::Range;

use memora_claim::ClaimId;
use memora_vault::{Hint, Note, NotePath, PathContext, Vault, Zone};
use memora_verify::{CitedQuote, Strictness};
use serde_json::{Map, Value};

/// A text to be verified.
#[derive(Clone, Debug, Default)]
pub struct VerifyInput {
    /// The text.
    pub(crate) text: String,
    /// Citations that were given separately, with the range of the text that each belongs to.
    pub(crate) given: Vec<(Range<usize>, CitedQuote)>,
    /// The note that the text is, if it is one of the vault's.
    pub(crate) within: Option<NotePath>,
    /// Whether the whole text is prose, so that it has no properties.
    whole: bool,
    /// Which sentences count as kept.
    pub(crate) strictness: Strictness,
    /// Claims, each with words of the notes that the author gives as evidence for what cites it.
    pub(crate) evidence: Vec<(ClaimId, String)>,
    /// For a reply of content blocks, where each one's text ends, with its number among all of them.
    blocks: Vec<(usize, usize)>,
}

/// Why a reply with citations cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyInputError {
    /// It is not JSON.
    #[error("invalid JSON at line {line}, column {column}")]
    NotJson {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
    },
    /// It is JSON of another shape.
    #[error("{at} is not {expected}")]
    Shape {
        /// Where, as `content[2].citations[0]`.
        at: String,
        /// What should be there.
        expected: &'static str,
    },
}

impl Hint for VerifyInputError {
    fn hint(&self) -> &'static str {
        "give a reply of the messages API, {\"content\": [{\"type\": \"text\", \"text\": …, \"citations\": […]}]}, or its \
         content alone; --input text judges it as it is"
    }
}

/// Types of citations whose words are searched for.
const LOCATIONS: &[&str] = &[
    "char_location",
    "page_location",
    "content_block_location",
    "search_result_location",
    "web_search_result_location",
];

impl VerifyInput {
    /// A text with its citations in it.
    #[must_use]
    pub fn from_text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The same, to be judged [strictly](memora_verify::VerificationReport::with_strictness) or not.
    #[must_use]
    pub fn with_strictness(self, strictness: Strictness) -> Self {
        Self { strictness, ..self }
    }

    /// The same with words of the notes as evidence for the sentences that cite a claim.
    #[must_use]
    pub fn with_evidence(self, evidence: Vec<(ClaimId, String)>) -> Self {
        Self { evidence, ..self }
    }

    /// Which sentences count as kept.
    #[must_use]
    pub fn strictness(&self) -> Strictness {
        self.strictness
    }

    /// A draft that is about to be shown: no part of it is front matter, even if it looks like it.
    #[must_use]
    pub fn from_draft(text: impl Into<String>) -> Self {
        Self { whole: true, ..Self::from_text(text) }
    }

    /// The text of this file: links in a note of the vault are resolved from there, and a note is not evidence for
    /// itself.
    #[must_use]
    pub fn within_file(mut self, file: &std::path::Path, vault: &Vault) -> Self {
        let path = file.canonicalize().ok();
        let within = path.as_deref().and_then(|path| path.strip_prefix(vault.root()).ok());
        self.within = within.and_then(|path| NotePath::from_relative(path).ok());
        self
    }

    /// Whether a text looks like a reply of content blocks rather than like prose.
    #[must_use]
    pub fn is_like_content_blocks(text: &str) -> bool {
        let squeezed: String = text.chars().filter(|c| !c.is_whitespace()).take(2).collect();
        matches!(squeezed.as_str(), "{\"" | "[{" | "{}")
    }

    /// Reads a reply of Anthropic's messages API, or the list of its content blocks. The blocks of type `text` are joined as
    /// they are; other blocks (thinking, tool use) are ignored.
    pub fn from_blocks(json: &str) -> Result<Self, VerifyInputError> {
        let value: Value = serde_json::from_str(json)
            .map_err(|error| VerifyInputError::NotJson { line: error.line(), column: error.column() })?;
        let content = match &value {
            Value::Array(content) => content,
            Value::Object(reply) => match reply.get("content") {
                Some(Value::Array(content)) => content,
                Some(_) => return Err(shape_error("content", "a list of content blocks")),
                None => return Err(shape_error("the reply", "an object with a list of content blocks, \"content\"")),
            },
            _ => return Err(shape_error("the reply", "an object or a list")),
        };
        let mut submitted = Self::default();
        for (number, block) in content.iter().enumerate() {
            submitted.add_block(number, block)?;
        }
        Ok(submitted)
    }

    fn add_block(&mut self, number: usize, block: &Value) -> Result<(), VerifyInputError> {
        let at = format!("content[{number}]");
        let Value::Object(block) = block else { return Err(shape_error(&at, "an object")) };
        let Some(kind) = block.get("type").and_then(Value::as_str) else {
            return Err(shape_error(&format!("{at}.type"), "a word"));
        };
        if kind != "text" {
            return Ok(());
        }
        let text = text_field(block, &at, "text")?;
        let range = self.text.len()..self.text.len() + text.len();
        self.text.push_str(text);
        self.blocks.push((range.end, number));
        let citations = match block.get("citations") {
            None | Some(Value::Null) => return Ok(()),
            Some(Value::Array(citations)) => citations,
            Some(_) => return Err(shape_error(&format!("{at}.citations"), "a list of citations")),
        };
        for (number, citation) in citations.iter().enumerate() {
            let quote = parse_quote(citation, &format!("{at}.citations[{number}]"))?;
            self.given.push((range.clone(), quote));
        }
        Ok(())
    }

    /// The text with its properties blanked, byte for byte: front matter that Obsidian shows as properties is metadata,
    /// not a sentence. A reply with content blocks, and text that only looks like front matter, is left as it is.
    pub(crate) fn without_properties(&self) -> Cow<'_, str> {
        let may_have =
            !self.whole && self.blocks.is_empty() && self.text.trim_start_matches('\u{feff}').starts_with("---");
        let path = NotePath::new("draft.md").ok().filter(|_| may_have);
        let note = path.map(|path| Note::parse(path, self.text.clone(), PathContext::default()).0);
        let Some(note) = note.filter(|note| !note.properties().is_empty()) else { return Cow::Borrowed(&self.text) };
        let line_starts = self.text.match_indices('\n').map(|(at, _)| at + 1);
        let end = line_starts.take_while(|at| note.zone_at(at - 1) == Zone::FrontMatter).last().unwrap_or(0);
        let (front, body) = self.text.split_at_checked(end).unwrap_or_default();
        let blank = |byte: u8| if matches!(byte, b'\r' | b'\n') { char::from(byte) } else { ' ' };
        Cow::Owned(front.bytes().map(blank).chain(body.chars()).collect())
    }

    /// The same input with a shortened text.
    pub(crate) fn with_text(&self, text: &str) -> Self {
        Self { within: self.within.clone(), whole: self.whole, strictness: self.strictness, ..Self::from_text(text) }
    }

    /// Counts the sentences that would be judged, which takes much less than judging them.
    #[must_use]
    pub fn count_sentences(&self) -> usize {
        memora_verify::split_sentences(&self.without_properties()).len()
    }

    /// The text that is judged.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it was read from content blocks.
    #[must_use]
    pub fn is_from_blocks(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The number of the content block that an offset of the text is from.
    #[must_use]
    pub fn block_at(&self, offset: usize) -> Option<usize> {
        self.blocks.iter().find(|(end, _)| offset < *end).map(|(_, number)| *number)
    }
}

fn parse_quote(citation: &Value, at: &str) -> Result<CitedQuote, VerifyInputError> {
    let Value::Object(citation) = citation else { return Err(shape_error(at, "an object")) };
    let kind = text_field(citation, at, "type")?;
    if !LOCATIONS.contains(&kind) {
        return Err(shape_error(
            &format!("{at}.type"),
            "char_location, page_location, content_block_location or \
             search_result_location",
        ));
    }
    let words = text_field(citation, at, "cited_text")?.to_owned();
    let named = ["source", "document_title"].into_iter().filter_map(|key| citation.get(key).and_then(Value::as_str));
    let note = named.map(str::trim).find(|name| !name.is_empty()).map(str::to_owned);
    Ok(CitedQuote { words, note })
}

fn text_field<'v>(object: &'v Map<String, Value>, at: &str, key: &str) -> Result<&'v str, VerifyInputError> {
    object.get(key).and_then(Value::as_str).ok_or_else(|| shape_error(&format!("{at}.{key}"), "a text"))
}

fn shape_error(at: &str, expected: &'static str) -> VerifyInputError {
    VerifyInputError::Shape { at: at.to_owned(), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_the_blocks_is_joined_and_citations_keep_their_block() {
        let reply = r#"{"type": "message", "content": [
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "The grass is green", "citations": [{"type": "char_location",
             "cited_text": "The grass is green. ", "document_index": 0, "document_title": "Grass", "start_char_index": 0,
             "end_char_index": 20}]},
            {"type": "text", "text": " and ", "citations": null},
            {"type": "text", "text": "blue.", "citations": [{"type": "search_result_location", "cited_text": "blue",
             "source": "sky.md", "title": "Sky", "search_result_index": 0, "start_block_index": 0, "end_block_index": 1}]}
        ]}"#;
        let read = VerifyInput::from_blocks(reply).expect("it is read");
        assert_eq!(read.as_str(), "The grass is green and blue.");
        let given = |words: &str, note: &str| CitedQuote { words: words.to_owned(), note: Some(note.to_owned()) };
        assert_eq!(read.given, [(0..18, given("The grass is green. ", "Grass")), (23..28, given("blue", "sky.md"))]);
        assert_eq!((read.block_at(0), read.block_at(24), read.block_at(99)), (Some(1), Some(3), None));
    }

    #[test]
    fn what_is_something_else_is_said_with_its_place() {
        for (reply, expect) in [
            ("{\"content\": [", "invalid JSON at line 1, column 13"),
            ("{}", "the reply is not an object with a list of content blocks, \"content\""),
            ("3", "the reply is not an object or a list"),
            ("{\"content\": \"words\"}", "content is not a list of content blocks"),
            ("[3]", "content[0] is not an object"),
            ("[{\"text\": \"a\"}]", "content[0].type is not a word"),
            ("[{\"type\": \"text\"}]", "content[0].text is not a text"),
            (r#"[{"type": "text", "text": "a", "citations": {}}]"#, "content[0].citations is not a list of citations"),
            (
                r#"[{"type": "text", "text": "a", "citations": [{"type": "char_location"}]}]"#,
                "content[0].citations[0].cited_text is not a text",
            ),
            (
                r#"[{"type": "text", "text": "a", "citations": [{"type": "moon"}]}]"#,
                "content[0].citations[0].type is not char_location, page_location, content_block_location or \
                 search_result_location",
            ),
        ] {
            let said = VerifyInput::from_blocks(reply).map_err(|error| error.to_string()).map(|_| ());
            assert_eq!(said, Err(expect.to_owned()), "{reply}");
        }
    }

    #[test]
    fn what_is_written_does_not_look_like_a_reply() {
        for text in ["[claim:7h3kq0v9x2ma] says so", "{curly} words", "", "[[Note]] says"] {
            assert!(!VerifyInput::is_like_content_blocks(text), "{text}");
        }
        for text in ["{\"content\": 1}", " [ {", "{ \"a"] {
            assert!(VerifyInput::is_like_content_blocks(text), "{text}");
        }
    }
}
