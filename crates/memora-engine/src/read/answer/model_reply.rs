//! A model's reply to a request for an answer: [`Draft`].
//!
//! The request is for a JSON object: each sentence with its claims and the words that it rests on. Not every model
//! complies, so any other reply is a draft verbatim, with its citations in it. Invariant: **claims and words that a
//! reply names are looked up, and never trusted**: citations by the check, evidence by [`VerificationReport::attach_evidence`].

use std::ops::Range;

use memora_verify::VerificationReport;
use serde_json::Value;

/// The text of a reply that found nothing.
const NOTHING_FOUND_TEXT: &str = "I found nothing about this in your notes.";

/// A text to be judged, and the evidence that its sentences name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Draft {
    text: String,
    /// Ranges of the text, each with its evidence.
    evidence: Vec<(Range<usize>, String)>,
}

/// A parsed reply.
struct AnswerReply {
    sentences: Vec<ReplySentence>,
}

struct ReplySentence {
    n: Option<usize>,
    says: String,
    cites: Vec<String>,
    evidence: String,
}

impl AnswerReply {
    fn parse(reply: &str) -> Option<Self> {
        // The model's reasoning is not part of it.
        let reply = reply.rsplit_once("</think>").map_or(reply, |(_, rest)| rest);
        // Some models put a fence or a greeting around JSON despite the instructions, and a reply may be cut where it gets too long.
        let inside = reply.get(reply.find('{')?..)?;
        let whole = inside.rfind('}').and_then(|end| serde_json::from_str::<Value>(inside.get(..=end)?).ok());
        let (object, cut) = match whole {
            Some(object) => (object, None),
            None => whole_entries(inside)?,
        };
        let sentences = object.get("sentences")?.as_array()?;
        Some(Self { sentences: sentences.iter().filter_map(ReplySentence::from_json).chain(cut).collect() })
    }
}

/// How many ends of entries are tried in a reply that is cut.
const CUTS_MAX: usize = 8;

/// The entries of a cut reply that are whole, if any is, and what was said of the one that is not: without a citation, so that it is
/// counted and taken out.
fn whole_entries(reply: &str) -> Option<(Value, Option<ReplySentence>)> {
    let ends = reply.rmatch_indices('}').map(|(end, _)| end).take(CUTS_MAX);
    let whole =
        |end: usize| Some((serde_json::from_str(&format!("{}]}}", reply.get(..=end)?)).ok()?, reply.get(end..)?));
    let (object, rest) = ends.filter_map(whole).next()?;
    let cut = rest.split_once("\"says\"").map(|(_, said)| said.trim_start_matches([':', ' ', '"']));
    Some((object, cut.and_then(|says| ReplySentence::from_json(&serde_json::json!({ "says": says })))))
}

impl ReplySentence {
    /// Parses one entry; `None` if it has no words. Other missing or odd fields are ignored.
    fn from_json(entry: &Value) -> Option<Self> {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
        let says = strip_block_markup(text("says"));
        let n = entry.get("n").and_then(|n| n.as_u64().or_else(|| n.as_str()?.trim().parse().ok()));
        let cites = match entry.get("cites") {
            Some(Value::Array(cites)) => cites.iter().filter_map(Value::as_str).flat_map(split_claim_ids).collect(),
            Some(Value::String(cites)) => split_claim_ids(cites).collect(),
            _ => Vec::new(),
        };
        let n = n.and_then(|n| usize::try_from(n).ok());
        (!says.is_empty()).then(|| Self { n, says, cites, evidence: text("evidence").trim().to_owned() })
    }

    /// Returns the sentence with its citations behind it, on one line.
    fn to_cited_text(&self) -> String {
        let mut out = self.says.clone();
        if !out.ends_with(['.', '!', '?', '…', '。']) {
            out.push('.');
        }
        for id in &self.cites {
            out.push_str(&format!(" [claim:{id}]"));
        }
        out
    }
}

/// Puts a sentence on one line, without markup of a heading, item, quote, table or code.
fn strip_block_markup(says: &str) -> String {
    let line = says.split_whitespace().collect::<Vec<_>>().join(" ").replace("```", "").replace("~~~", "");
    line.trim_start_matches(['#', '>', '*', '-', '+', '|', ' ']).trim_end().to_owned()
}

/// Splits a text of citations into ids.
fn split_claim_ids(cites: &str) -> impl Iterator<Item = String> {
    let parts = cites.split([',', ';', ' ', '[', ']']).map(str::trim);
    parts.map(|part| part.strip_prefix("claim:").unwrap_or(part)).filter(|id| !id.is_empty()).map(str::to_owned)
}

impl Draft {
    /// Parses the reply to a request for an answer.
    #[must_use]
    pub(crate) fn from_reply(reply: &str) -> Self {
        match AnswerReply::parse(reply) {
            Some(AnswerReply { sentences }) if sentences.is_empty() => {
                Self { text: NOTHING_FOUND_TEXT.to_owned(), evidence: Vec::new() }
            }
            // One paragraph per sentence, so that a sentence without a full stop does not run into the next.
            Some(AnswerReply { sentences }) => {
                sentences.iter().fold(Self::default(), |draft, said| draft.with_paragraph_break().with_sentence(said))
            }
            None => Self { text: reply.to_owned(), evidence: Vec::new() },
        }
    }

    /// Whether a reply to a request for an answer is in the requested form.
    #[must_use]
    pub(crate) fn is_as_asked(reply: &str) -> bool {
        AnswerReply::parse(reply).is_some()
    }

    /// Parses the reply to a request for corrections of the sentences at these ranges: corrected ones are replaced, and
    /// the others stay, to be judged again. Returns `None` if the reply is not in the requested form.
    #[must_use]
    pub(crate) fn apply_corrections(&self, reply: &str, numbered: &[Range<usize>]) -> Option<Self> {
        let AnswerReply { sentences } = AnswerReply::parse(reply)?;
        let anew = |number: usize| sentences.iter().find(|said| said.n == Some(number + 1));
        let mut ranges: Vec<(&Range<usize>, &ReplySentence)> =
            numbered.iter().enumerate().filter_map(|(number, range)| Some((range, anew(number)?))).collect();
        if !sentences.is_empty() && ranges.is_empty() {
            return None;
        }
        ranges.sort_by_key(|(range, _)| range.start);
        let mut draft = Self::default();
        let mut at = 0;
        for (range, said) in ranges {
            draft.copy_range(self, at..range.start.max(at));
            draft = draft.with_sentence(said);
            at = at.max(range.end);
        }
        draft.copy_range(self, at..self.text.len());
        Some(draft)
    }

    /// Appends a sentence.
    fn with_sentence(mut self, said: &ReplySentence) -> Self {
        let start = self.text.len();
        self.text.push_str(&said.to_cited_text());
        if !said.evidence.is_empty() {
            self.evidence.push((start..self.text.len(), said.evidence.clone()));
        }
        self
    }

    /// Appends a paragraph break, unless the text is empty.
    fn with_paragraph_break(mut self) -> Self {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self
    }

    /// Copies a range of another draft, with its evidence.
    fn copy_range(&mut self, other: &Self, range: Range<usize>) {
        let (start, kept) = (self.text.len(), other.text.get(range.clone()).unwrap_or_default());
        self.text.push_str(kept);
        let inside = other.evidence.iter().filter(|(of, _)| range.start <= of.start && of.end <= range.end);
        let moved =
            inside.map(|(of, words)| (of.start - range.start + start..of.end - range.start + start, words.clone()));
        self.evidence.extend(moved);
    }

    /// Returns the text, with its citations.
    #[must_use]
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Attaches the named evidence to the report; words that are not in the notes are ignored.
    pub(crate) fn attach_evidence(&self, report: &mut VerificationReport) {
        for (range, words) in &self.evidence {
            report.attach_evidence(range, words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_as_asked_for_becomes_sentences_with_their_citations() {
        let reply = r##"<think>{hm}</think>```json
            {"sentences": [{"says": "# Anna  moved to Kiel", "cites": ["7h3kq0v9x2ma", "[claim:a, claim:b]"], "evidence": " moved "},
                           {"says": " ", "cites": []}, {"says": "Why \"so\"", "cites": "c", "evidence": null}, 7]}
            ```"##;
        let draft = Draft::from_reply(reply);
        assert_eq!(draft.text, "Anna moved to Kiel. [claim:7h3kq0v9x2ma] [claim:a] [claim:b]\n\nWhy \"so\". [claim:c]");
        assert_eq!(draft.evidence, [(0..60, "moved".to_owned())]);
        assert_eq!(Draft::from_reply("{\"sentences\": []}").text, NOTHING_FOUND_TEXT);
    }

    #[test]
    fn any_other_reply_is_a_draft_as_it_stands() {
        for reply in [
            "Anna moved to Kiel [claim:x].",
            "",
            "{\"sentences\": [{\"says\": \"half",
            "{\"answer\": 3}",
            "{no object} {\"sentences\": []",
        ] {
            assert_eq!(Draft::from_reply(reply), Draft { text: reply.to_owned(), evidence: Vec::new() });
        }
    }

    #[test]
    fn what_stands_around_a_reply_does_not_count_and_what_is_cut_has_no_citation() {
        let whole = "Anna left. [claim:a]";
        for (reply, text) in [
            (
                "Sure! ```json\n{\"sentences\": [{\"says\": \"Anna left.\", \"cites\": [\"a\"]}]}\n```\nHope this helps.",
                whole,
            ),
            ("{\"sentences\": [{\"says\": \"Anna left.\", \"cites\": [\"a\"]},", whole),
            // What was cut off is no secret: it has no citation, and is counted as such.
            (
                "{\"sentences\": [{\"says\": \"Anna left.\", \"cites\": [\"a\"]}, {\"says\": \"She {",
                "Anna left. [claim:a]\n\nShe {.",
            ),
        ] {
            assert_eq!(Draft::from_reply(reply).text, text, "{reply}");
        }
    }

    #[test]
    fn sentences_are_put_in_the_place_of_those_that_did_not_hold() {
        let draft = Draft::from_reply(
            r#"{"sentences": [{"says": "One.", "cites": ["a"], "evidence": "one"}, {"says": "Two.", "cites": ["b"]},
                {"says": "Three.", "cites": ["c"], "evidence": "three"}]}"#,
        );
        assert_eq!(draft.text, "One. [claim:a]\n\nTwo. [claim:b]\n\nThree. [claim:c]");
        let numbered = [32..48, 16..30];
        let anew = r#"{"sentences": [{"n": "2", "says": "Zwei.", "cites": ["d"], "evidence": "zwei"}, {"n": 2, "says": "Zwo."}]}"#;
        let corrected = draft.apply_corrections(anew, &numbered).expect("it is one");
        assert_eq!(corrected.text, "One. [claim:a]\n\nZwei. [claim:d]\n\nThree. [claim:c]");
        let evidence = [(0..14, "one"), (16..31, "zwei"), (33..49, "three")];
        assert_eq!(corrected.evidence, evidence.map(|(range, words)| (range, words.to_owned())));
        assert_eq!(
            draft.apply_corrections(r#"{"sentences": []}"#, &numbered),
            Some(draft.clone()),
            "nothing can be put right"
        );
        for other in ["An answer anew [claim:a].", r#"{"sentences": [{"says": "Anew.", "cites": ["a"]}]}"#] {
            assert_eq!(draft.apply_corrections(other, &numbered), None);
        }
    }
}
