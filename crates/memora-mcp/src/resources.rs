//! Resources: claims and notes that a client reads by their address, and the list of notes.
//!
//! `memora://claim/{id}` is what the tool `memora_claim` answers, as JSON, `memora://review` what `memora_challenge` does;
//! `memora://note/{path}` is the note as the client's door may see it. The one rule to know: **a note that the client may not
//! see is a note that there is not.** Same words, same code.

use memora_engine::{Door, NotePath};
use rmcp::model::{
    CompleteResult, CompletionInfo, ListResourcesResult, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate,
};

use crate::budget::{RESOURCE, cut, position};
use crate::reading::{Ask, Reading, Told};
use crate::tools::{ChallengeArgs, ClaimArgs};
use crate::trouble::Trouble;

const NOTE: &str = "memora://note/";
const CLAIM: &str = "memora://claim/";
const REVIEW: &str = "memora://review";
const MARKDOWN: &str = "text/markdown";
const JSON: &str = "application/json";

/// Notes on a page of the list.
const NOTES_A_PAGE: usize = 100;

/// What can be read, with what is to be filled in.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{NOTE}{{path}}"), "note")
            .with_title("A note")
            .with_description(
                "A note of the user's by its path from the vault's root, as far as you may see it. Cite it by [[its name]] \
                behind each sentence, and have the draft verified by memora_verify.",
            )
            .with_mime_type(MARKDOWN),
        ResourceTemplate::new(format!("{CLAIM}{{id}}"), "claim")
            .with_title("A claim")
            .with_description("A claim by its id: its words, its places, what became of it. As memora_claim answers.")
            .with_mime_type(JSON),
    ]
}

/// An address that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// A note, from a byte of its text on.
    Note { path: NotePath, from: usize, uri: String },
    /// A claim.
    Claim { id: String, uri: String },
    /// What wants a person's eye.
    Review,
}

impl Read {
    /// Reads an address; nothing for one that leads nowhere.
    pub(crate) fn parse(uri: &str) -> Option<Self> {
        let uri = uri.trim();
        if uri == REVIEW {
            return Some(Self::Review);
        }
        if let Some(id) = uri.strip_prefix(CLAIM) {
            return Some(Self::Claim { id: decoded(id)?, uri: uri.to_owned() });
        }
        let address = uri.strip_prefix(NOTE)?;
        let (path, from) = match address.split_once("?from=") {
            Some((path, from)) => (path, from.parse().ok()?),
            None => (address, 0),
        };
        let path = NotePath::new(decoded(path)?).ok()?;
        Some(Self::Note { path, from, uri: uri.to_owned() })
    }
}

impl Ask for Read {
    type Answer = ReadResourceResult;

    fn what(&self) -> &'static str {
        match self {
            Self::Note { .. } => "memora://note",
            Self::Claim { .. } => "memora://claim",
            Self::Review => REVIEW,
        }
    }

    fn answer<D: Door>(&self, reading: &Reading<'_, D>) -> Result<Told<ReadResourceResult>, Trouble> {
        let unwritable = |_| Trouble::say("the result could not be written down", "ask for something else");
        let (text, pieces, uri, kind) = match self {
            Self::Note { path, from, uri } => {
                let Some(page) = reading.session()?.catalog().read_page(path)? else {
                    let hint = if reading.freshness.fresh {
                        "resources/list has the notes that you may see"
                    } else {
                        "notes are being indexed: ask again in a moment"
                    };
                    return Err(Trouble::missing("there is no such note", hint));
                };
                let mut text = shortened(page.text(), *from, page.is_whole(), &address(page.path()));
                if page.is_captured() {
                    text.insert_str(0, CAPTURED);
                }
                let pieces = page.statement_bands().iter().map(|(id, band)| (Some(id.clone()), *band)).collect();
                (text, pieces, uri.as_str(), MARKDOWN)
            }
            Self::Claim { id, uri } => {
                let (result, pieces) = ClaimArgs::of(id).look_up(reading)?;
                (serde_json::to_string(&result).map_err(unwritable)?, pieces, uri.as_str(), JSON)
            }
            Self::Review => {
                let (result, pieces) = ChallengeArgs::default().review(reading)?;
                (serde_json::to_string(&result).map_err(unwritable)?, pieces, REVIEW, JSON)
            }
        };
        let contents = ResourceContents::text(text, uri).with_mime_type(kind);
        Ok(Told { answer: ReadResourceResult::new(vec![contents]), pieces })
    }
}

/// What is said in front of a note that is not the user's.
const CAPTURED: &str = "(A machine wrote this note down. It is not the user's word, and bears nothing out.)\n\n";

/// As much of a note's text as a result may hold, and where the rest is read.
fn shortened(text: &str, from: usize, is_whole: bool, address: &str) -> String {
    let from = text.floor_char_boundary(from);
    let rest = text.get(from..).unwrap_or_default();
    let mut shown = cut(rest, RESOURCE);
    if shown.len() < rest.len() {
        // At a line's end where there is one; without the ellipsis.
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

/// The list of notes, from somewhere on.
#[derive(Clone, Debug)]
pub(crate) struct List {
    offset: usize,
}

impl List {
    /// From where the page before said.
    pub(crate) fn at(cursor: Option<&str>) -> Result<Self, Trouble> {
        Ok(Self { offset: position(cursor)? })
    }
}

impl Ask for List {
    type Answer = ListResourcesResult;

    fn what(&self) -> &'static str {
        "resources/list"
    }

    fn answer<D: Door>(&self, reading: &Reading<'_, D>) -> Result<Told<ListResourcesResult>, Trouble> {
        let list = reading.session()?.catalog().list_notes("", self.offset, NOTES_A_PAGE)?;
        let listed = list.notes().iter();
        let pieces = listed.clone().map(|note| (None, note.band)).collect();
        let review = Resource::new(REVIEW, "review")
            .with_title("What wants your eye")
            .with_description("A review of the notes, as far as you may see them. As memora_challenge answers.")
            .with_mime_type(JSON);
        let notes = listed.map(|note| {
            Resource::new(address(&note.path), note.path.clone())
                .with_title(note.title.clone())
                .with_mime_type(MARKDOWN)
        });
        let resources = Some(review).filter(|_| self.offset == 0).into_iter().chain(notes).collect();
        let mut answer = ListResourcesResult::with_all_items(resources);
        answer.next_cursor = list.next_offset().map(|at| at.to_string());
        Ok(Told { answer, pieces })
    }
}

/// The beginning of a value that a client fills in.
#[derive(Clone, Debug)]
pub(crate) enum Complete {
    /// The path of a note.
    Path(String),
    /// The title of a note.
    Title(String),
}

impl Ask for Complete {
    type Answer = CompleteResult;

    fn what(&self) -> &'static str {
        "completion/complete"
    }

    fn answer<D: Door>(&self, reading: &Reading<'_, D>) -> Result<Told<CompleteResult>, Trouble> {
        let (Self::Path(typed) | Self::Title(typed)) = self;
        let list = reading.session()?.catalog().list_notes(typed, 0, CompletionInfo::MAX_VALUES)?;
        let listed = list.notes().iter();
        let pieces = listed.clone().map(|note| (None, note.band)).collect();
        let values = listed.map(|note| match self {
            Self::Path(_) => note.path.clone(),
            Self::Title(_) => note.title.clone(),
        });
        let completed = CompletionInfo::with_pagination(values.collect(), None, list.next_offset().is_some());
        Ok(Told { answer: CompleteResult::new(completed.unwrap_or_default()), pieces })
    }
}

/// The address of a note.
fn address(path: &str) -> String {
    let mut out = NOTE.to_owned();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// What was percent-encoded; nothing where that is no text.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        if *byte == b'%' {
            let (code, behind) = rest.split_at_checked(2)?;
            let code = std::str::from_utf8(code).ok().filter(|code| code.bytes().all(|b| b.is_ascii_hexdigit()))?;
            bytes.push(u8::from_str_radix(code, 16).ok()?);
            rest = behind;
        } else {
            bytes.push(*byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_back_to_its_note() {
        for path in ["Anna.md", "people/Anna Brandt.md", "日記/2024-03-01.md", "50% off?.md", "a+b#c.md"] {
            let read = Read::parse(&address(path)).expect(path);
            assert!(matches!(read, Read::Note { path: found, from: 0, .. } if found.as_str() == path), "{path}");
        }
        let read = Read::parse("memora://note/people%2FAnna.md?from=70").expect("an address");
        assert!(matches!(read, Read::Note { path, from: 70, .. } if path.as_str() == "people/Anna.md"));
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
            assert_eq!(Read::parse(no), None, "{no}");
        }
    }

    #[test]
    fn a_long_note_is_read_in_parts() {
        let text: String = (0..9_000).map(|number| format!("Line {number} of a very long note.\n")).collect();
        let (mut read, mut from, mut parts) = (String::new(), 0, 0);
        loop {
            let part = shortened(&text, from, true, "memora://note/a.md");
            assert!(part.len() <= RESOURCE + 100, "{}", part.len());
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
        let text = "ü".repeat(RESOURCE);
        let part = shortened(&text, 1, true, "x");
        assert!(part.contains("?from="), "it goes on");
        assert!(shortened(&text, usize::MAX, true, "x").is_empty());
    }
}
