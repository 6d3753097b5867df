//! Resources: claims and notes that a client reads by URI, and the list of notes.
//!
//! `memora://claim/{id}` and `memora://review` are what `memora_read` and `memora_review` answer; `memora://note/{path}` is the note as the client's door may see it. Invariant: **a note that the client may not see
//! is indistinguishable from a missing note**: same message, same code.

use memora_engine::{Door, NotePath};
use memora_service::ReadContext;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rmcp::model::{
    CompleteResult, CompletionInfo, ListResourcesResult, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate,
};

use crate::budget::{RESOURCE_BYTES_MAX, parse_position, truncate_text};
use crate::request::{AgentRequest, Response};
use crate::tool_error::ToolError;
use crate::tools::{ReviewArgs, look_up_claim};
use crate::wire::{note_path, note_text, percent_decode};

const NOTE: &str = "memora://note/";
const CLAIM: &str = "memora://claim/";
const REVIEW_URI: &str = "memora://review";
const MARKDOWN_MIME: &str = "text/markdown";
const TEXT_MIME: &str = "text/plain";

/// The number of notes on a page of the list.
const NOTES_PER_PAGE: usize = 100;

/// Returns the resource templates, with the placeholders to fill in.
pub(crate) fn resource_templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{NOTE}{{path}}"), "note")
            .with_title("A note")
            .with_description(
                "A note of the user's by its path from the vault's root, as far as you may see it. Cite it by [[its name]] \
                behind each sentence, and have the draft verified by memora_verify.",
            )
            .with_mime_type(MARKDOWN_MIME),
        ResourceTemplate::new(format!("{CLAIM}{{id}}"), "claim")
            .with_title("A claim")
            .with_description("A claim by its id: its words, its places, what became of it. As memora_read answers.")
            .with_mime_type(TEXT_MIME),
    ]
}

/// A resource to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ReadResource {
    /// A note, from this byte of its text on.
    Note { path: NotePath, from: usize, uri: String },
    /// A claim.
    Claim { id: String, uri: String },
    /// The review.
    Review,
}

impl ReadResource {
    /// Parses a URI; `None` if it leads nowhere.
    pub(crate) fn parse(uri: &str) -> Option<Self> {
        let uri = uri.trim();
        if uri == REVIEW_URI {
            return Some(Self::Review);
        }
        if let Some(id) = uri.strip_prefix(CLAIM) {
            return Some(Self::Claim { id: percent_decode(id)?, uri: uri.to_owned() });
        }
        let address = uri.strip_prefix(NOTE)?;
        let (path, from) = match address.split_once("?from=") {
            Some((path, from)) => (path, from.parse().ok()?),
            None => (address, 0),
        };
        let path = NotePath::new(percent_decode(path)?).ok()?;
        Some(Self::Note { path, from, uri: uri.to_owned() })
    }
}

impl AgentRequest for ReadResource {
    type Answer = ReadResourceResult;

    fn log_label(&self) -> &'static str {
        match self {
            Self::Note { .. } => "memora://note",
            Self::Claim { .. } => "memora://claim",
            Self::Review => REVIEW_URI,
        }
    }

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<ReadResourceResult>, ToolError> {
        let (text, pieces, uri, kind) = match self {
            Self::Note { path, from, uri } => {
                let Some(page) = reading.session()?.catalog().read_page(path)? else {
                    let hint = if reading.freshness().fresh {
                        "resources/list has the notes that you may see"
                    } else {
                        "notes are being indexed: ask again in a moment"
                    };
                    return Err(ToolError::not_found("there is no such note", hint));
                };
                let mut text = render_excerpt(page.text(), *from, page.is_whole(), &note_uri(page.path()));
                if page.is_captured() {
                    text.insert_str(0, CAPTURED_NOTICE);
                }
                let pieces = page.statement_bands().iter().map(|(id, band)| (Some(id.clone()), *band)).collect();
                (text, pieces, uri.as_str(), MARKDOWN_MIME)
            }
            Self::Claim { id, uri } => {
                let (result, pieces) = look_up_claim(id, reading)?;
                (result.to_string(), pieces, uri.as_str(), TEXT_MIME)
            }
            Self::Review => {
                let (result, pieces) = ReviewArgs::default().build_review(reading)?;
                (result.to_string(), pieces, REVIEW_URI, TEXT_MIME)
            }
        };
        let contents = ResourceContents::text(text, uri).with_mime_type(kind);
        Ok(Response { answer: ReadResourceResult::new(vec![contents]), pieces })
    }
}

/// The notice above a captured note, which is not the user's own.
const CAPTURED_NOTICE: &str = "(A machine wrote this note down. It is not the user's word, and bears nothing out.)\n\n";

/// Returns the part of a note's text that fits into a result, and the URI of the rest.
fn render_excerpt(text: &str, from: usize, is_whole: bool, address: &str) -> String {
    let from = text.floor_char_boundary(from);
    let rest = text.get(from..).unwrap_or_default();
    let mut shown = truncate_text(rest, RESOURCE_BYTES_MAX);
    if shown.len() < rest.len() {
        // Cut at the end of a line where there is one, and without the ellipsis.
        let kept = shown.strip_suffix('…').unwrap_or(&shown).len();
        let kept = rest.get(..kept).and_then(|kept| kept.rfind('\n')).map_or(kept, |end| end + 1);
        shown = format!(
            "{}\n\n(The note goes on: read {address}?from={})\n",
            rest.get(..kept).unwrap_or_default(),
            from + kept
        );
    }
    if is_whole {
        shown
    } else {
        format!(
            "{shown}\n\n(Parts of this note may be withheld from you: these are the passages that are not, without their markup.)\n"
        )
    }
}

/// A request for the list of notes, from an offset on.
#[derive(Clone, Debug)]
pub(crate) struct ListNotes {
    offset: usize,
}

impl ListNotes {
    /// Parses the cursor of the previous page.
    pub(crate) fn from_cursor(cursor: Option<&str>) -> Result<Self, ToolError> {
        Ok(Self { offset: parse_position(cursor)? })
    }
}

impl AgentRequest for ListNotes {
    type Answer = ListResourcesResult;

    fn log_label(&self) -> &'static str {
        "resources/list"
    }

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<ListResourcesResult>, ToolError> {
        let list = reading.session()?.catalog().list_notes("", self.offset, NOTES_PER_PAGE)?;
        let listed = list.notes().iter();
        let pieces = listed.clone().map(|note| (None, note.band)).collect();
        let review = Resource::new(REVIEW_URI, "review")
            .with_title("What wants your eye")
            .with_description("A review of the notes, as far as you may see them. As memora_review answers.")
            .with_mime_type(TEXT_MIME);
        let notes = listed.map(|note| {
            Resource::new(note_uri(&note.path), note_path(&note.path, usize::MAX))
                .with_title(note_text(&note.title, usize::MAX))
                .with_mime_type(MARKDOWN_MIME)
        });
        let resources = Some(review).filter(|_| self.offset == 0).into_iter().chain(notes).collect();
        let mut answer = ListResourcesResult::with_all_items(resources);
        answer.next_cursor = list.next_offset().map(|at| at.to_string());
        Ok(Response { answer, pieces })
    }
}

/// A request to complete an argument.
#[derive(Clone, Debug)]
pub(crate) enum CompleteArgument {
    /// The path of a note.
    Path(String),
    /// The title of a note.
    Title(String),
}

impl AgentRequest for CompleteArgument {
    type Answer = CompleteResult;

    fn log_label(&self) -> &'static str {
        "completion/complete"
    }

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<CompleteResult>, ToolError> {
        let (Self::Path(typed) | Self::Title(typed)) = self;
        let list = reading.session()?.catalog().list_notes(typed, 0, CompletionInfo::MAX_VALUES)?;
        let listed = list.notes().iter();
        let pieces = listed.clone().map(|note| (None, note.band)).collect();
        let values = listed.filter_map(|note| match self {
            // A path with what words may not hold is left out: the list of resources has its address.
            Self::Path(_) => (note_path(&note.path, usize::MAX) == note.path).then(|| note.path.clone()),
            Self::Title(_) => Some(note_text(&note.title, usize::MAX)),
        });
        let completed = CompletionInfo::with_pagination(values.collect(), None, list.next_offset().is_some());
        Ok(Response { answer: CompleteResult::new(completed.unwrap_or_default()), pieces })
    }
}

/// Returns the URI of a note.
fn note_uri(path: &str) -> String {
    /// What a path in a URI encodes.
    const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');
    format!("{NOTE}{}", utf8_percent_encode(path, PATH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_back_to_its_note() {
        for path in ["Anna.md", "people/Anna Brandt.md", "日記/2024-03-01.md", "50% off?.md", "a+b#c.md"] {
            let read = ReadResource::parse(&note_uri(path)).expect(path);
            assert!(
                matches!(read, ReadResource::Note { path: found, from: 0, .. } if found.as_str() == path),
                "{path}"
            );
        }
        let read = ReadResource::parse("memora://note/people%2FAnna.md?from=70").expect("an address");
        assert!(matches!(read, ReadResource::Note { path, from: 70, .. } if path.as_str() == "people/Anna.md"));
    }

    #[test]
    fn what_is_no_address_is_none() {
        for no in [
            "",
            "memora://note/",
            "memora://note/../x.md",
            "memora://note/%2e%2e/x.md",
            "memora://note/a%ffb.md",
            "memora://note/a%",
            "memora://note/a.md?from=x",
            "file:///etc/passwd",
            "memora://review/",
        ] {
            assert_eq!(ReadResource::parse(no), None, "{no}");
        }
    }

    #[test]
    fn a_long_note_is_read_in_parts() {
        let text: String = (0..9_000).map(|number| format!("Line {number} of a very long note.\n")).collect();
        let (mut read, mut from, mut parts) = (String::new(), 0, 0);
        loop {
            let part = render_excerpt(&text, from, true, "memora://note/a.md");
            assert!(part.len() <= RESOURCE_BYTES_MAX + 100, "{}", part.len());
            parts += 1;
            let Some((shown, rest)) = part.split_once("\n\n(The note goes on: read memora://note/a.md?from=") else {
                read.push_str(&part);
                break;
            };
            read.push_str(shown);
            from = rest.trim_end().trim_end_matches(')').parse().expect("a number");
        }
        assert_eq!(read, text);
        assert!(parts > 3);
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_in_a_character_s_gap() {
        let text = "ü".repeat(RESOURCE_BYTES_MAX);
        let part = render_excerpt(&text, 1, true, "x");
        assert!(part.contains("?from="), "it goes on");
        assert!(render_excerpt(&text, usize::MAX, true, "x").is_empty());
    }
}
