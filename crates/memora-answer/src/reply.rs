//! What a model replies when it is asked for an answer: [`Draft`].
//!
//! It is asked for a JSON object: each sentence with the claims that say it and the words that it rests on. Not every model
//! keeps to that, so a reply that is no such object is a draft as it stands, with its citations in it. The one rule to know:
//! **what it names is looked up, and never believed**: citations by the check, evidence by [`Report::rest_on`].

use std::ops::Range;

use memora_verify::Report;
use serde_json::Value;

/// What a model says that found nothing, as a person reads it.
const NOTHING: &str = "I found nothing about this in your notes.";

/// A text to be judged, and the words that its sentences are said to rest on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    text: String,
    /// Bytes of the text, and what is said to bear them out.
    evidence: Vec<(Range<usize>, String)>,
}

/// A reply as it is asked for, as far as it is.
struct Reply {
    sentences: Vec<Said>,
}

struct Said {
    n: Option<usize>,
    says: String,
    cites: Vec<String>,
    evidence: String,
}

impl Reply {
    fn parse(reply: &str) -> Option<Self> {
        // What it thought aloud is no part of it.
        let reply = reply.rsplit_once("</think>").map_or(reply, |(_, rest)| rest);
        // Some models put a fence around JSON, whatever they are told.
        let inside = reply.find('{').zip(reply.rfind('}')).and_then(|(start, end)| reply.get(start..=end))?;
        let around = reply.replacen(inside, "", 1);
        if !around.split_whitespace().all(|word| matches!(word, "```" | "```json")) {
            return None;
        }
        let object: Value = serde_json::from_str(inside).ok()?;
        let sentences = object.get("sentences")?.as_array()?;
        Some(Self { sentences: sentences.iter().filter_map(Said::of).collect() })
    }
}

impl Said {
    /// Reads one entry; nothing if it says nothing. What else is missing or odd is left out.
    fn of(entry: &Value) -> Option<Self> {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
        let says = plain(text("says"));
        let n = entry.get("n").and_then(|n| n.as_u64().or_else(|| n.as_str()?.trim().parse().ok()));
        let cites = match entry.get("cites") {
            Some(Value::Array(cites)) => cites.iter().filter_map(Value::as_str).flat_map(ids).collect(),
            Some(Value::String(cites)) => ids(cites).collect(),
            _ => Vec::new(),
        };
        let n = n.and_then(|n| usize::try_from(n).ok());
        (!says.is_empty()).then(|| Self { n, says, cites, evidence: text("evidence").trim().to_owned() })
    }

    /// The sentence with its citations behind it, on one line.
    fn cited(&self) -> String {
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

/// The words of a sentence as a paragraph's: on one line, and no heading, item, quote, table or code.
fn plain(says: &str) -> String {
    let line = says.split_whitespace().collect::<Vec<_>>().join(" ").replace("```", "").replace("~~~", "");
    line.trim_start_matches(['#', '>', '*', '-', '+', '|', ' ']).trim_end().to_owned()
}

/// The ids in a text that cites, each by itself.
fn ids(cites: &str) -> impl Iterator<Item = String> {
    let parts = cites.split([',', ';', ' ', '[', ']']).map(str::trim);
    parts.map(|part| part.strip_prefix("claim:").unwrap_or(part)).filter(|id| !id.is_empty()).map(str::to_owned)
}

impl Draft {
    /// Reads the reply to a request for an answer.
    #[must_use]
    pub fn read(reply: &str) -> Self {
        match Reply::parse(reply) {
            Some(Reply { sentences }) if sentences.is_empty() => {
                Self { text: NOTHING.to_owned(), evidence: Vec::new() }
            }
            // A paragraph each: no sentence runs into the next, whatever it ends in.
            Some(Reply { sentences }) => sentences.iter().fold(Self::default(), |draft, said| draft.parted().and(said)),
            None => Self { text: reply.to_owned(), evidence: Vec::new() },
        }
    }

    /// Reads the reply to a request for some sentences of this draft anew, which stand at these bytes: those that it writes
    /// are put in their place, and the others stay, to be judged again. Nothing if it is no such reply.
    #[must_use]
    pub fn corrected(&self, reply: &str, numbered: &[Range<usize>]) -> Option<Self> {
        let Reply { sentences } = Reply::parse(reply)?;
        let anew = |number: usize| sentences.iter().find(|said| said.n == Some(number + 1));
        let mut ranges: Vec<(&Range<usize>, &Said)> =
            numbered.iter().enumerate().filter_map(|(number, range)| Some((range, anew(number)?))).collect();
        if !sentences.is_empty() && ranges.is_empty() {
            return None;
        }
        ranges.sort_by_key(|(range, _)| range.start);
        let mut draft = Self::default();
        let mut at = 0;
        for (range, said) in ranges {
            draft.keep(self, at..range.start.max(at));
            draft = draft.and(said);
            at = at.max(range.end);
        }
        draft.keep(self, at..self.text.len());
        Some(draft)
    }

    /// The same with a sentence behind it.
    fn and(mut self, said: &Said) -> Self {
        let start = self.text.len();
        self.text.push_str(&said.cited());
        if !said.evidence.is_empty() {
            self.evidence.push((start..self.text.len(), said.evidence.clone()));
        }
        self
    }

    /// The same with room for another paragraph.
    fn parted(mut self) -> Self {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self
    }

    /// Takes over these bytes of another draft.
    fn keep(&mut self, other: &Self, range: Range<usize>) {
        let (start, kept) = (self.text.len(), other.text.get(range.clone()).unwrap_or_default());
        self.text.push_str(kept);
        let inside = other.evidence.iter().filter(|(of, _)| range.start <= of.start && of.end <= range.end);
        let moved =
            inside.map(|(of, words)| (of.start - range.start + start..of.end - range.start + start, words.clone()));
        self.evidence.extend(moved);
    }

    /// The text, with its citations.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Names the evidence in what was found of the text; what does not stand is left out.
    pub fn name_evidence(&self, report: &mut Report) {
        for (range, words) in &self.evidence {
            report.rest_on(range, words);
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
        let draft = Draft::read(reply);
        assert_eq!(draft.text, "Anna moved to Kiel. [claim:7h3kq0v9x2ma] [claim:a] [claim:b]\n\nWhy \"so\". [claim:c]");
        assert_eq!(draft.evidence, [(0..60, "moved".to_owned())]);
        assert_eq!(Draft::read("{\"sentences\": []}").text, NOTHING);
    }

    #[test]
    fn any_other_reply_is_a_draft_as_it_stands() {
        for reply in [
            "Anna moved to Kiel [claim:x].",
            "",
            "{\"sentences\": [{\"says\": \"half",
            "{\"answer\": 3}",
            "Here it is: {\"sentences\": [{\"says\": \"Anna left.\"}]}",
        ] {
            assert_eq!(Draft::read(reply), Draft { text: reply.to_owned(), evidence: Vec::new() });
        }
    }

    #[test]
    fn sentences_are_put_in_the_place_of_those_that_did_not_hold() {
        let draft = Draft::read(
            r#"{"sentences": [{"says": "One.", "cites": ["a"], "evidence": "one"}, {"says": "Two.", "cites": ["b"]},
                {"says": "Three.", "cites": ["c"], "evidence": "three"}]}"#,
        );
        assert_eq!(draft.text, "One. [claim:a]\n\nTwo. [claim:b]\n\nThree. [claim:c]");
        let numbered = [32..48, 16..30];
        let anew = r#"{"sentences": [{"n": "2", "says": "Zwei.", "cites": ["d"], "evidence": "zwei"}, {"n": 2, "says": "Zwo."}]}"#;
        let corrected = draft.corrected(anew, &numbered).expect("it is one");
        assert_eq!(corrected.text, "One. [claim:a]\n\nZwei. [claim:d]\n\nThree. [claim:c]");
        let evidence = [(0..14, "one"), (16..31, "zwei"), (33..49, "three")];
        assert_eq!(corrected.evidence, evidence.map(|(range, words)| (range, words.to_owned())));
        assert_eq!(draft.corrected(r#"{"sentences": []}"#, &numbered), Some(draft.clone()), "nothing can be put right");
        for other in ["An answer anew [claim:a].", r#"{"sentences": [{"says": "Anew.", "cites": ["a"]}]}"#] {
            assert_eq!(draft.corrected(other, &numbered), None);
        }
    }
}
