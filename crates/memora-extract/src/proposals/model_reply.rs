//! A model's reply, parsed as a list of proposals: leniently in form, and within bounds.

use std::ops::Range;

use serde_json::{Value, json};

use super::proposal::Proposal;

/// The maximum number of proposals for one passage; further ones are ignored.
pub const PROPOSALS_MAX: usize = 24;

/// The maximum size in bytes. A passage is a paragraph; a longer reply is not a list of its claims.
const REPLY_MAX: usize = 256 * 1024;

/// The maximum size of a quote in bytes.
const QUOTE_MAX: usize = 4 * 1024;

/// The maximum size of a subject, predicate or object in bytes.
const PART_MAX: usize = 1024;

/// The text is not a list of proposals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no list of claims")]
pub struct NotProposals;

/// A parsed reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProposalReply {
    /// The proposals, at most [`PROPOSALS_MAX`].
    pub proposals: Vec<Proposal>,
    /// The number of list entries that are not proposals, or in excess.
    pub malformed: usize,
}

impl ProposalReply {
    /// Parses a reply: `{"claims": [{"quote": …, "subject": …, "predicate": …, "object": …}]}`.
    ///
    /// Text around the JSON (a fence, a greeting) is ignored, as are the list's name and unknown fields.
    /// An object may be missing. An empty list is valid; a list without any valid proposal is an error.
    pub fn parse(text: &str) -> Result<Self, NotProposals> {
        if text.len() > REPLY_MAX {
            return Err(NotProposals);
        }
        let value = find_json(text).ok_or(NotProposals)?;
        let entries = match &value {
            Value::Array(entries) => entries,
            Value::Object(fields) => fields.get("claims").and_then(Value::as_array).ok_or(NotProposals)?,
            _ => return Err(NotProposals),
        };
        let mut reply = Self::default();
        for entry in entries {
            match parse_proposal(entry).filter(|_| reply.proposals.len() < PROPOSALS_MAX) {
                Some(proposal) => reply.proposals.push(proposal),
                None => reply.malformed += 1,
            }
        }
        let nothing_of_it = reply.proposals.is_empty() && reply.malformed > 0;
        if nothing_of_it { Err(NotProposals) } else { Ok(reply) }
    }

    /// Serializes proposals in the form that [`ProposalReply::parse`] parses.
    #[must_use]
    pub fn to_json(proposals: &[Proposal]) -> String {
        let entry = |p: &Proposal| json!({"quote": p.quote, "subject": p.subject, "predicate": p.predicate, "object": p.object});
        json!({"claims": proposals.iter().map(entry).collect::<Vec<_>>()}).to_string()
    }
}

/// Returns the JSON in a text, from its first bracket to its last.
fn find_json(text: &str) -> Option<Value> {
    let between = |open: char, close: char| -> Option<Range<usize>> { Some(text.find(open)?..text.rfind(close)? + 1) };
    let object = between('{', '}');
    let array = between('[', ']').filter(|array| object.as_ref().is_none_or(|object| array.start < object.start));
    [array, object].into_iter().flatten().find_map(|range| serde_json::from_str(text.get(range)?).ok())
}

fn parse_proposal(entry: &Value) -> Option<Proposal> {
    let text = |name: &str, max: usize| {
        let words = entry.get(name)?.as_str()?.trim();
        (words.len() <= max).then(|| words.to_owned())
    };
    let object = match entry.get("object") {
        None | Some(Value::Null) => Some(String::new()),
        Some(_) => text("object", PART_MAX),
    };
    let found = Proposal {
        quote: text("quote", QUOTE_MAX)?,
        subject: text("subject", PART_MAX)?,
        predicate: text("predicate", PART_MAX)?,
        object: object?,
    };
    let said = |words: &str| words.chars().any(char::is_alphanumeric);
    (said(&found.quote) && said(&found.subject) && said(&found.predicate)).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#"{"quote": "Anna likes rye.", "subject": "Anna", "predicate": "likes", "object": "rye"}"#;

    fn count(text: &str) -> Option<(usize, usize)> {
        ProposalReply::parse(text).ok().map(|reply| (reply.proposals.len(), reply.malformed))
    }

    #[test]
    fn a_reply_is_read_whatever_stands_around_it() {
        for text in [
            format!("{{\"claims\": [{ONE}]}}"),
            format!("```json\n{{\"claims\": [{ONE}]}}\n```"),
            format!("Here you are:\n[{ONE}]\nAnything else?"),
            format!("{{\"thoughts\": \"…\", \"claims\": [{ONE}], \"more\": 1}}"),
            format!("{{\"claims\": [{}]}}", ONE.replace('}', ", \"sure\": true}")),
        ] {
            assert_eq!(count(&text), Some((1, 0)), "{text}");
        }
        assert_eq!(count("{\"claims\": []}"), Some((0, 0)));
    }

    #[test]
    fn what_is_no_proposal_is_counted() {
        for entry in ["1", "null", "[]", "{}", r#"{"quote": "a", "subject": "b"}"#, &ONE.replace("likes\"", "\"")] {
            let text = format!("{{\"claims\": [{entry}, {ONE}]}}");
            let expected = (0, 1);
            assert_eq!(count(&text).map(|(good, bad)| (good - 1, bad)), Some(expected), "{text}");
        }
        assert_eq!(count(&format!("[{}]", ONE.replace(", \"object\": \"rye\"", ""))), Some((1, 0)));
        let long = ONE.replace("rye\"}", &format!("{}\"}}", "x".repeat(5000)));
        assert_eq!(count(&format!("[{long}, {ONE}]")), Some((1, 1)));
        let many = vec![ONE; 1000].join(",");
        assert_eq!(count(&format!("[{many}]")), Some((PROPOSALS_MAX, 1000 - PROPOSALS_MAX)));
    }

    #[test]
    fn what_is_no_list_is_none() {
        for text in [
            "",
            "no",
            "{",
            "[",
            "{]}",
            "null",
            "{\"claims\": 1}",
            "{\"claims\": [",
            "As the notes say [1], and as others do [2].",
            "{\"claims\": [{\"error\": \"no\"}]}",
            &"[".repeat(100_000),
            &"a".repeat(1 << 20),
        ] {
            assert_eq!(count(text), None, "{} bytes", text.len());
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let read = ProposalReply::parse(&format!("[{ONE}]")).expect("a list");
        assert_eq!(ProposalReply::parse(&ProposalReply::to_json(&read.proposals)), Ok(read));
    }
}
