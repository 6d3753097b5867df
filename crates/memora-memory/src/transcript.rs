//! The transcript of a session, as programs keep it: one JSON object a line.
//!
//! It is read once, as a stream: a few messages, names of files and lines that say what was decided stay in memory, and
//! credentials are masked. Invariant: **a [`Transcript`] becomes a note of memory and nothing else**: it is not printed,
//! serialized or put into a prompt.

mod entry;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

use memora_vault::find_credentials;

use crate::clean_line;
use crate::lenient_json::repair_json;
pub(crate) use entry::EntryFields;

/// The number of messages that stay.
const MESSAGES_MAX: usize = 15;
/// The longest line that is read, in bytes; longer ones are output of tools.
const LINE_BYTES_MAX: u64 = 1 << 20;
/// The length to which a message is cut, in characters.
const MESSAGE_CHARS_MAX: usize = 1_200;
/// The most requests, files and lines that stay.
const REQUESTS_MAX: usize = 12;
const FILES_MAX: usize = 30;
const LINES_MAX: usize = 12;
/// The shortest message that says something, in words.
const WORDS_MIN: usize = 3;

/// What programs put into a user's message that no user typed.
const WRAPPERS: &[&str] = &[
    "memory",
    "system-reminder",
    "system_reminder",
    "environment_context",
    "user_instructions",
    "task-notification",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "command-message",
    "command-name",
    "command-args",
    "ide_opened_file",
    "ide_selection",
    "attached_files",
    "timestamp",
    "hook_prompt",
    "memora-request",
];

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The user.
    User,
    /// The assistant.
    Assistant,
}

/// A message of a session.
pub struct Message {
    /// Who said it.
    pub speaker: Speaker,
    /// What was said, cut to its beginning.
    pub text: String,
}

/// What stays of a session's transcript.
#[derive(Default)]
pub struct Transcript {
    messages: VecDeque<Message>,
    count: usize,
    turns: u64,
    whole_bytes: u64,
    requests: Vec<String>,
    files: Vec<String>,
    decisions: Vec<String>,
    open: Vec<String>,
}

impl Transcript {
    /// Reads a transcript of Claude Code, Codex or Cursor. What is no message is skipped, and so is what cannot be read.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn read(mut from: impl BufRead) -> io::Result<Self> {
        Self::read_lines(&mut from, false, |_| ())
    }

    /// Reads a transcript that its program may still be writing: a last line that does not end is left for the next time.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn read_whole_lines(mut from: impl BufRead) -> io::Result<Self> {
        Self::read_lines(&mut from, true, |_| ())
    }

    /// Reads a transcript; `look` sees every entry, of which more may be known than what was said.
    pub(crate) fn read_entries(
        from: &mut (impl BufRead + ?Sized),
        look: impl FnMut(&EntryFields<'_>),
    ) -> io::Result<Self> {
        Self::read_lines(from, false, look)
    }

    fn read_lines(
        from: &mut (impl BufRead + ?Sized),
        whole_only: bool,
        mut look: impl FnMut(&EntryFields<'_>),
    ) -> io::Result<Self> {
        let mut transcript = Self::default();
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = Read::take(&mut *from, LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(transcript);
            }
            let (read, is_whole) = (read as u64, line.last() == Some(&b'\n'));
            if whole_only && !is_whole && read < LINE_BYTES_MAX {
                return Ok(transcript);
            }
            if is_whole || read < LINE_BYTES_MAX {
                let turns = transcript.turns;
                let mut repaired = String::new();
                let entry = EntryFields::read(&line).or_else(|| {
                    repaired = repair_json(&line);
                    EntryFields::read(repaired.as_bytes())
                });
                if let Some(entry) = entry {
                    look(&entry);
                    transcript.read_entry(&entry);
                }
                // The program may still be writing it.
                if is_whole {
                    transcript.whole_bytes += read;
                } else {
                    transcript.turns = turns;
                }
            } else if let Some(skipped) = skip_line(from)? {
                transcript.whole_bytes += read + skipped;
            }
        }
    }

    /// Returns whether nothing was said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Returns the number of messages that say something.
    #[must_use]
    pub fn message_count(&self) -> usize {
        self.count
    }

    /// Returns the number of messages that the user sent, however short, in whole lines.
    #[must_use]
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Returns the size of its whole lines, in bytes: where to read on when the program has written more.
    #[must_use]
    pub fn whole_bytes(&self) -> u64 {
        self.whole_bytes
    }

    /// Returns the last messages, oldest first.
    pub fn last_messages(&self) -> impl Iterator<Item = &Message> {
        self.messages.iter()
    }

    /// Returns what the user asked for, the first line of each message: the first ones and the last.
    #[must_use]
    pub fn requests(&self) -> &[String] {
        &self.requests
    }

    /// Returns the files that the assistant changed, in order.
    #[must_use]
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Returns the lines that begin with a word of deciding.
    #[must_use]
    pub fn decisions(&self) -> &[String] {
        &self.decisions
    }

    /// Returns the lines that begin with a word for what is still to be done.
    #[must_use]
    pub fn open_points(&self) -> &[String] {
        &self.open
    }

    /// Returns the first paragraph of the assistant's last message.
    #[must_use]
    pub fn last_answer(&self) -> Option<String> {
        let last = self.messages.iter().rev().find(|message| message.speaker == Speaker::Assistant)?;
        last.text.split("\n\n").next().map(clean_line)
    }

    fn read_entry(&mut self, entry: &EntryFields<'_>) {
        if entry.is_set("isMeta") || entry.is_set("isSidechain") || entry.is_set("isCompactSummary") {
            return;
        }
        // Codex wraps what it keeps; Claude Code and Cursor have a message.
        let wrapped = match ["payload", "message"].into_iter().find(|key| entry.has(key)) {
            Some(key) => match entry.fields(key) {
                None => return,
                wrapped => wrapped,
            },
            None => None,
        };
        let inner = wrapped.as_ref().unwrap_or(entry);
        self.read_file_changes(inner);
        let speaker = match inner.text("role").or_else(|| entry.first_text(&["role", "type"])).as_deref() {
            Some("user") => Speaker::User,
            Some("assistant") => Speaker::Assistant,
            _ => return,
        };
        if let Some(parts) = inner.parts("content") {
            parts.iter().for_each(|part| self.read_file_changes(part));
            let texts = parts.iter().filter_map(|part| match part.text("type")?.as_str() {
                "text" | "input_text" | "output_text" => part.text("text"),
                _ => None,
            });
            self.push(speaker, &texts.collect::<Vec<_>>().join("\n\n"));
        } else if let Some(text) = inner.text("content") {
            self.push(speaker, &text);
        }
    }

    /// The files that a call of a tool changes.
    fn read_file_changes(&mut self, call: &EntryFields<'_>) {
        let input = ["input", "arguments"];
        let changed: Vec<String> = match call.text("name").as_deref() {
            Some("Write" | "Edit" | "MultiEdit" | "NotebookEdit" | "write" | "search_replace") => {
                let input = input.into_iter().find_map(|key| call.fields(key));
                input.and_then(|input| input.first_text(&["file_path", "notebook_path", "path"])).into_iter().collect()
            }
            Some("apply_patch") => {
                let patch = call.first_text(&input).unwrap_or_default();
                let changed = patch.lines().filter_map(|line| {
                    ["*** Update File: ", "*** Add File: "].iter().find_map(|mark| line.strip_prefix(mark))
                });
                changed.map(str::to_owned).collect()
            }
            _ => return,
        };
        for file in changed {
            let file = mask_credentials(&clean_line(&file));
            if self.files.len() < FILES_MAX && !self.files.contains(&file) {
                self.files.push(file);
            }
        }
    }

    /// Adds what was said, where it says anything.
    pub(crate) fn push(&mut self, speaker: Speaker, raw: &str) {
        let said = strip_wrappers(raw);
        let said = said.trim();
        if said.is_empty() || said.starts_with("[Request interrupted") {
            return;
        }
        self.turns += u64::from(speaker == Speaker::User);
        if said.split_whitespace().nth(WORDS_MIN - 1).is_none() {
            return;
        }
        self.count += 1;
        let masked = mask_credentials(said);
        for line in masked.lines().map(strip_list_mark) {
            let plain = strip_bold(line);
            let list = match () {
                () if begins_with(&plain, DECIDED) => &mut self.decisions,
                () if begins_with(&plain, OPEN) => &mut self.open,
                () => continue,
            };
            push_latest(list, clean_line(&plain), LINES_MAX);
        }
        if speaker == Speaker::User
            && let Some(line) = masked.lines().map(str::trim).find(|line| !line.is_empty())
        {
            push_latest(&mut self.requests, cut_chars(&clean_line(line), 200), REQUESTS_MAX);
        }
        if self.messages.len() == MESSAGES_MAX {
            self.messages.pop_front();
        }
        self.messages.push_back(Message { speaker, text: cut_chars(&masked, MESSAGE_CHARS_MAX) });
    }
}

const DECIDED: &[&str] = &["decision:", "decided:", "we decided", "decided to", "i decided", "going with"];
const OPEN: &[&str] =
    &["next:", "next step:", "next steps:", "todo:", "open:", "open question:", "still open:", "blocked:"];

/// Whether words in front of a colon say that something is open: "TODO", "Next".
pub(crate) fn is_open_label(label: &str) -> bool {
    let label = format!("{}:", label.trim().to_lowercase());
    OPEN.contains(&label.as_str())
}

fn begins_with(line: &str, words: &[&str]) -> bool {
    let begins = |word: &&str| {
        let mut lower = line.chars().flat_map(char::to_lowercase);
        word.chars().all(|expected| lower.next() == Some(expected))
    };
    words.iter().any(begins)
}

fn strip_list_mark(line: &str) -> &str {
    line.trim().trim_start_matches(['-', '*', '>', '#', ' ']).trim_matches('*')
}

/// A line without the marks of bold words: `**Decision:** tabs`.
fn strip_bold(line: &str) -> Cow<'_, str> {
    if line.contains("**") { Cow::Owned(line.replace("**", "")) } else { Cow::Borrowed(line) }
}

/// Appends a line; of too many the second goes, so that the first and the latest stay.
fn push_latest(list: &mut Vec<String>, line: String, longest: usize) {
    if list.contains(&line) {
        return;
    }
    if list.len() == longest {
        list.remove(1);
    }
    list.push(line);
}

fn cut_chars(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{} …", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}

/// Replaces what looks like a credential.
#[must_use]
pub fn mask_credentials(text: &str) -> String {
    let mut masked = String::new();
    let mut at = 0;
    for (range, _) in find_credentials(text) {
        if range.start >= at {
            masked.push_str(text.get(at..range.start).unwrap_or_default());
            masked.push_str("[credential]");
            at = range.end;
        }
    }
    masked + text.get(at..).unwrap_or_default()
}

/// Takes out what programs put between tags into a user's message.
pub(crate) fn strip_wrappers(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut text = text.to_owned();
    for name in WRAPPERS {
        text = strip_wrapper(&text, &format!("<{name}"), &format!("</{name}>"));
    }
    // Cursor puts the user's own words between these.
    Cow::Owned(text.replace("<user_query>", "").replace("</user_query>", ""))
}

/// Takes out what stands between a tag and its end, or the end of the text.
fn strip_wrapper(text: &str, open: &str, close: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(open) {
        kept.push_str(before);
        if behind.chars().next().is_none_or(|c| c == '>' || c.is_whitespace()) {
            rest = behind.split_once(close).map_or("", |(_, after)| after);
        } else {
            kept.push_str(open);
            rest = behind;
        }
    }
    kept + rest
}

/// Reads on to the end of a line that is too long to be kept; returns how many bytes that was, or `None` if it does not end.
pub(crate) fn skip_line(from: &mut (impl BufRead + ?Sized)) -> io::Result<Option<u64>> {
    let mut skipped = 0;
    loop {
        let buffer = from.fill_buf()?;
        if buffer.is_empty() {
            return Ok(None);
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(buffer.len(), |at| at + 1);
        from.consume(used);
        skipped += used as u64;
        if end.is_some() {
            return Ok(Some(skipped));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn read(lines: &[Value]) -> Transcript {
        let text: Vec<String> = lines.iter().map(ToString::to_string).collect();
        Transcript::read(text.join("\n").as_bytes()).expect("memory is readable")
    }

    #[test]
    fn messages_of_three_programs_are_read() {
        let said = "Please fix the SSE parser in drift";
        for entry in [
            serde_json::json!({"type": "user", "message": {"role": "user", "content": said}}),
            serde_json::json!({"type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": said}]}}),
            serde_json::json!({"role": "user", "message": {"content": [{"type": "text", "text": format!("<user_query>\n{said}\n</user_query>")}]}}),
        ] {
            let transcript = read(&[entry]);
            let texts: Vec<&str> = transcript.last_messages().map(|message| message.text.as_str()).collect();
            assert_eq!(texts, [said]);
            assert_eq!(transcript.requests(), [said]);
        }
    }

    #[test]
    fn what_no_person_said_is_left_out() {
        let user = |text: &str| serde_json::json!({"type": "user", "message": {"role": "user", "content": text}});
        let transcript = read(&[
            user("<memory note=\"x\">\n- I am recalled, and not said.\n</memory>"),
            user("<system-reminder>Never say this again.</system-reminder>"),
            user("ok thanks"),
            serde_json::json!({"type": "user", "isMeta": true, "message": {"role": "user", "content": "This is meta text."}}),
            serde_json::json!({"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "A tool said all this."}]}}),
            serde_json::json!({"type": "assistant", "message": {"role": "assistant", "content": [
                {"type": "tool_use", "name": "Edit", "input": {"file_path": "/src/sse.rs", "old_string": "a"}},
                {"type": "text", "text": "Fixed the parser.\n\n**Decision:** BM25 suffices.\n- Next: write the docs."},
            ]}}),
        ]);
        assert_eq!(transcript.message_count(), 1);
        assert_eq!(transcript.files(), ["/src/sse.rs"]);
        assert_eq!(transcript.decisions(), ["Decision: BM25 suffices."]);
        assert_eq!(transcript.open_points(), ["Next: write the docs."]);
        assert_eq!(transcript.last_answer().as_deref(), Some("Fixed the parser."));
    }

    #[test]
    fn the_last_messages_stay_and_credentials_do_not() {
        let key = format!("AKIA{}", "IOSFODNN7EXAMPLE");
        let line = |number: usize| serde_json::json!({"type": "user", "message": {"role": "user", "content": format!("message number {number} with {key}")}});
        let transcript = read(&(0..40).map(line).collect::<Vec<_>>());
        assert_eq!((transcript.message_count(), transcript.last_messages().count()), (40, MESSAGES_MAX));
        assert!(transcript.last_messages().all(|message| message.text.ends_with("with [credential]")));
        assert_eq!(transcript.requests().len(), REQUESTS_MAX);
        assert!(transcript.requests().iter().all(|request| !request.contains(&key)));
    }

    #[test]
    fn garbage_and_endless_lines_are_skipped() {
        let endless = "x".repeat(3 << 20);
        let good = serde_json::json!({"type": "user", "message": {"role": "user", "content": "say it once more"}});
        let text = format!("{{\n{endless}\n\u{0}\n[1,2]\n{good}\n{endless}");
        let transcript =
            Transcript::read(io::BufReader::with_capacity(512, text.as_bytes())).expect("memory is readable");
        assert_eq!((transcript.message_count(), transcript.turns()), (1, 1));
        // The last line does not end: it is read again when it does.
        assert_eq!(transcript.whole_bytes() as usize, text.len() - endless.len());
    }

    #[test]
    fn a_turn_is_a_message_of_the_users_in_a_whole_line() {
        let user = |text: &str| serde_json::json!({"type": "user", "message": {"role": "user", "content": text}});
        let lines = [
            user("ok"),
            user("yes please do"),
            user("<memora-request>Save what another session needs.</memora-request>"),
            user("<hook_prompt hook_run_id=\"1\">Save what another session needs.</hook_prompt>"),
            user("[Request interrupted by user]"),
            serde_json::json!({"type": "user", "isMeta": true, "message": {"role": "user", "content": "Stop hook feedback"}}),
            serde_json::json!({"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "all of it"}]}}),
            serde_json::json!({"type": "assistant", "message": {"role": "assistant", "content": "It is done now."}}),
        ];
        let whole: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let text = format!("{whole}{}", user("and one more"));
        let transcript = Transcript::read(text.as_bytes()).expect("memory is readable");
        assert_eq!((transcript.turns(), transcript.whole_bytes() as usize), (2, whole.len()));
        assert_eq!(transcript.requests(), ["yes please do", "and one more"]);
    }

    #[test]
    fn wrappers_are_taken_out_whatever_they_hold() {
        for (text, expected) in [
            ("a <memory>x</memory> b", "a  b"),
            ("a <memory>x", "a "),
            ("a <memoryless> b", "a <memoryless> b"),
            ("<memory><memory></memory>b", "b"),
            ("é<timestamp>1</timestamp>é", "éé"),
        ] {
            assert_eq!(strip_wrappers(text), expected, "{text}");
        }
    }
}
