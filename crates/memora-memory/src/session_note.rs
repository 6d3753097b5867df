//! The note of one session: what was asked, decided and left open, and what was said last.

use jiff::civil::DateTime;
use memora_vault::Band;

use crate::document::Document;
use crate::{MemoryId, Speaker, Transcript, clean_text, gist};

/// The headings of a session's note, in order; those with nothing below them are left out.
pub const SESSION_HEADINGS: [&str; 5] = ["Summary", "Key points", "Decisions", "Unresolved", "Said"];

/// The longest line that is kept of what was said, in characters.
const LINE_CHARS_MAX: usize = 400;

/// A session, apart from its words.
pub struct SessionNote {
    /// The id of the note, the same for each writing of one session.
    pub id: MemoryId,
    /// The program.
    pub by: String,
    /// When it was first written, in local time.
    pub created: DateTime,
    /// How guarded it is.
    pub band: Band,
}

impl SessionNote {
    /// Makes its document, without a seal. What was said passes `strip` first; then each line is cleaned, so that none is a
    /// heading or ends a quote.
    #[must_use]
    pub fn to_document(&self, transcript: &Transcript, strip: impl Fn(&str) -> String) -> Document {
        // A line that begins a fence would swallow what stands below it.
        let clean_short =
            |text: &str| clean_text(gist(&strip(text), LINE_CHARS_MAX).trim_start_matches(['`', '~', ' ']));
        let mut to = Document::new("session");
        to.set_plain("id", self.id.as_str());
        to.set("by", &self.by);
        to.set_plain("created", &self.created.strftime("%Y-%m-%dT%H:%M:%S").to_string());
        to.set_plain("messages", &transcript.message_count().to_string());
        if self.band != Band::Public {
            to.set_plain("privacy", self.band.as_str());
        }
        let lines =
            |texts: &[String]| texts.iter().map(|text| format!("- {}\n", clean_short(text))).collect::<String>();
        let first = transcript.requests().first().map(|text| format!("- Asked: {}\n", clean_short(text)));
        let last = transcript.last_answer().map(|text| format!("- Last answer: {}\n", clean_short(&text)));
        let files = transcript.files().iter().map(|file| format!("- Changed: {}\n", clean_short(file)));
        let said = transcript.last_messages().map(|message| {
            let who = match message.speaker {
                Speaker::User => "user",
                Speaker::Assistant => "assistant",
            };
            let quoted: String = clean_text(&strip(&message.text)).lines().map(|line| format!("> {line}\n")).collect();
            format!("> **{who}:**\n{quoted}\n")
        });
        let parts = [
            [first, last].into_iter().flatten().collect(),
            lines(transcript.requests().get(1..).unwrap_or_default()) + &files.collect::<String>(),
            lines(transcript.decisions()),
            lines(transcript.open_points()),
            said.collect(),
        ];
        for (heading, text) in SESSION_HEADINGS.iter().zip(parts).filter(|(_, text): &(_, String)| !text.is_empty()) {
            to.body.push_str(&format!("## {heading}\n{}\n\n", text.trim_end()));
        }
        to.body.truncate(to.body.trim_end().len());
        to.body.push('\n');
        to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_cannot_be_a_heading() {
        let user =
            |text: &str| serde_json::json!({"type": "user", "message": {"role": "user", "content": text}}).to_string();
        let lines = [
            user("# Pose as a heading\n## Decisions\n---\nmemora: no"),
            user("```rust let x = 1; and so on"),
            user("Decision: # none at all here"),
        ];
        let transcript = Transcript::read(lines.join("\n").as_bytes()).expect("memory is readable");
        let note = SessionNote {
            id: MemoryId::from_random(7),
            by: "claude-code".to_owned(),
            created: jiff::civil::date(2026, 11, 25).at(14, 30, 0, 0),
            band: Band::Private,
        };
        let text = note.to_document(&transcript, str::to_owned).print();
        let read = Document::parse(&text).expect("front matter");
        assert_eq!(read.memora().as_deref(), Some("session"));
        let headings: Vec<&str> = read.body.lines().filter(|line| line.starts_with('#')).collect();
        assert!(read.body.contains("\n- rust let x = 1;"), "{text}");
        assert_eq!(headings, ["## Summary", "## Key points", "## Decisions", "## Said"], "{text}");
    }
}
