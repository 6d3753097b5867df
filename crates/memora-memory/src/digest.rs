//! The digest of a week or a month: what its sessions decided, came to and left open, each line with a link to its session.
//!
//! A digest is a file of the shape of a session's note, with a `level`: 2 for a week, 3 for a month. Invariant: **each of its lines
//! stands in the note that it links to**; it says nothing of its own.

use std::fmt;

use jiff::civil::{Date, DateTime, ISOWeekDate, Weekday};
use memora_vault::{Band, enclose_markers};

use crate::document::{Document, is_unclosed};
use crate::session_note::{ASKED, LAST_ANSWER};
use crate::transcript::is_open_label;
use crate::{LOG_BYTES_MAX, MemoryId, clean_line, gist};

/// The headings of a digest, in order; those with nothing below them are left out.
pub const DIGEST_HEADINGS: [&str; 4] = ["Decisions", "Outcome", "Unresolved", "Open tasks"];

const DECISIONS: usize = 0;
const OUTCOME: usize = 1;
const UNRESOLVED: usize = 2;
const TASKS: usize = 3;

/// The writer of digests, as their files name it.
const DIGESTER: &str = "memora";
/// The longest open task that is kept of what was said, in characters.
const TASK_CHARS_MAX: usize = 400;

/// What a digest is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DigestPeriod {
    /// A week of ISO 8601: its year and its number.
    Week(i16, i8),
    /// A month: its year and its number.
    Month(i16, i8),
}

impl DigestPeriod {
    /// Returns the week of a day.
    #[must_use]
    pub fn week_of(day: Date) -> Self {
        let week = day.iso_week_date();
        Self::Week(week.year(), week.week())
    }

    /// Returns the month that a week belongs to: that of its Thursday. A month is its own.
    #[must_use]
    pub fn month(self) -> Option<Self> {
        match self {
            Self::Month(..) => Some(self),
            Self::Week(year, week) => {
                let thursday = ISOWeekDate::new(year, week, Weekday::Thursday).ok()?.date();
                Some(Self::Month(thursday.year(), thursday.month()))
            }
        }
    }

    /// Returns its last day.
    #[must_use]
    pub fn last_day(self) -> Option<Date> {
        match self {
            Self::Week(year, week) => Some(ISOWeekDate::new(year, week, Weekday::Sunday).ok()?.date()),
            Self::Month(year, month) => Some(Date::new(year, month, 1).ok()?.last_of_month()),
        }
    }

    /// Returns its level: a session has the first.
    #[must_use]
    pub fn level(self) -> u8 {
        match self {
            Self::Week(..) => 2,
            Self::Month(..) => 3,
        }
    }

    /// Reads the period with which the name of a digest begins.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let (year, rest) = name.split(' ').next()?.split_once('-')?;
        let year = year.parse().ok().filter(|_| year.len() == 4)?;
        let period = match rest.strip_prefix('W') {
            Some(week) => Self::Week(year, week.parse().ok().filter(|_| week.len() == 2)?),
            None => Self::Month(year, rest.parse().ok().filter(|_| rest.len() == 2)?),
        };
        period.last_day().map(|_| period)
    }
}

/// `2026-W47`, `2026-11`.
impl fmt::Display for DigestPeriod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Week(year, week) => write!(f, "{year:04}-W{week:02}"),
            Self::Month(year, month) => write!(f, "{year:04}-{month:02}"),
        }
    }
}

/// A digest as it is put together.
#[derive(Clone, Default)]
pub struct Digest {
    /// The lines below each heading.
    lines: [Vec<String>; 4],
    /// The names of the notes that it is of.
    of: Vec<String>,
    latest: Option<DateTime>,
    bytes: usize,
}

impl Digest {
    /// Adds what is to be kept of a session's note. Returns `false`, and adds nothing, if there is no room for it.
    pub fn add_session(&mut self, name: &str, note: &Document) -> bool {
        let day = note.text("created").and_then(|created| created.get(..10).map(str::to_owned)).unwrap_or_default();
        let link = format!(" ([[{name}|{day}]])");
        let mut grown = self.clone();
        for (heading, line) in lines_by_heading(note) {
            let said = || line.strip_prefix("> ").unwrap_or(line);
            let listed = line.strip_prefix("- ");
            match heading {
                "Decisions" => grown.push(DECISIONS, listed, &link),
                "Unresolved" => grown.push(UNRESOLVED, listed, &link),
                "Summary" => {
                    let tells = |line: &&str| line.starts_with(ASKED) || line.starts_with(LAST_ANSWER);
                    grown.push(OUTCOME, listed.filter(tells), &link);
                }
                "Said" => {
                    let task = |mark: &str| said().trim_start().strip_prefix(mark);
                    let open = task("- [ ] ").map(|words| gist(&clean_line(words), TASK_CHARS_MAX));
                    grown.push(
                        TASKS,
                        open.filter(|words| !words.is_empty()).map(|words| format!("[ ] {words}")).as_deref(),
                        &link,
                    );
                }
                _ => {}
            }
        }
        // What a later session ticked is done.
        let done: Vec<String> = done_tasks(note).map(|done| done.words).collect();
        grown.retain_open(|words, _| !done.iter().any(|done| done == words));
        self.take(grown, name, note)
    }

    /// Leaves out what was done on a later day than that of its session.
    pub fn drop_done(&mut self, done: &[DoneTask]) {
        self.retain_open(|words, day| !done.iter().any(|done| done.closes(words, day)));
    }

    /// Retains the open tasks and what else is left open of which something holds: its words as they are compared, and its day.
    fn retain_open(&mut self, holds: impl Fn(&str, Option<Date>) -> bool) {
        for at in [UNRESOLVED, TASKS] {
            let Some(lines) = self.lines.get_mut(at) else { continue };
            lines.retain(|line| holds(&comparable_task(line), day_of(line)));
        }
        self.bytes = self.lines.iter().flatten().map(|line| line.len() + 1).sum::<usize>()
            + self.of.iter().map(|name| name.len() + 8).sum::<usize>();
    }

    /// Adds the lines of another digest. Returns `false`, and adds nothing, if there is no room for them.
    pub fn add_digest(&mut self, name: &str, note: &Document) -> bool {
        let mut grown = self.clone();
        for (heading, line) in lines_by_heading(note) {
            let at = DIGEST_HEADINGS.iter().position(|known| *known == heading);
            if let Some(at) = at.filter(|_| line.starts_with("- ")) {
                grown.push_line(at, line.to_owned());
            }
        }
        self.take(grown, name, note)
    }

    fn push(&mut self, at: usize, words: Option<&str>, link: &str) {
        if let Some(words) = words {
            self.push_line(at, format!("- {}{link}", close(words)));
        }
    }

    /// What is said again stands where it was said last: what was decided between does not come after it.
    fn push_line(&mut self, at: usize, line: String) {
        let Some(lines) = self.lines.get_mut(at) else { return };
        if let Some(before) = lines.iter().position(|there| words_of(there) == words_of(&line)) {
            self.bytes = self.bytes.saturating_sub(lines.remove(before).len() + 1);
        }
        self.bytes += line.len() + 1;
        lines.push(line);
    }

    fn take(&mut self, mut grown: Self, name: &str, note: &Document) -> bool {
        grown.bytes += name.len() + 8;
        if grown.bytes > LOG_BYTES_MAX && !self.of.is_empty() {
            return false;
        }
        grown.of.push(name.to_owned());
        let created = note.text("created").and_then(|created| created.parse().ok());
        grown.latest = grown.latest.max(created);
        *self = grown;
        true
    }

    /// Returns its lines, each with its heading, as a session begins with them.
    pub fn recalled_lines(&self) -> impl Iterator<Item = (&str, String)> {
        let headed = DIGEST_HEADINGS.iter().zip(&self.lines);
        headed.flat_map(|(heading, lines)| lines.iter().map(move |line| (*heading, with_day(line))))
    }

    /// Makes its document, without a seal. It is of the time of the latest session.
    #[must_use]
    pub fn to_document(&self, id: &MemoryId, period: DigestPeriod, band: Band) -> Document {
        let mut to = Document::new("session");
        to.set_plain("id", id.as_str());
        to.set("by", DIGESTER);
        let created = self.latest.unwrap_or_default();
        to.set_time("created", created);
        to.set_plain("level", &period.level().to_string());
        to.set("period", &period.to_string());
        let of: Vec<String> = self.of.iter().map(|name| format!("[[{name}]]")).collect();
        to.set_list("of", &of);
        to.set_privacy(band);
        for (heading, lines) in DIGEST_HEADINGS.iter().zip(&self.lines).filter(|(_, lines)| !lines.is_empty()) {
            to.body.push_str(&format!("## {heading}\n{}\n\n", lines.join("\n")));
        }
        to.body.truncate(to.body.trim_end().len());
        to.body.push('\n');
        to
    }
}

/// A task that was ticked.
#[derive(Clone, PartialEq, Eq)]
pub struct DoneTask {
    /// The day of the session that ticked it.
    day: Date,
    /// Its words, as they are compared.
    words: String,
}

impl DoneTask {
    fn closes(&self, words: &str, day: Option<Date>) -> bool {
        self.words == words && day.is_some_and(|day| day < self.day)
    }

    /// Returns whether this is what a line of a digest has as open, and was done on a later day.
    #[must_use]
    pub fn is_of(&self, line: &str) -> bool {
        self.closes(&comparable_task(line), day_of(line))
    }
}

memora_vault::wordless_debug! {
    DoneTask(done): "{}", done.day;
}

/// Returns the tasks that were ticked in what was said in a session.
pub fn done_tasks(note: &Document) -> impl Iterator<Item = DoneTask> {
    let day = note.text("created").and_then(|created| created.get(..10)?.parse().ok());
    let said = lines_by_heading(note).filter(|(heading, _)| *heading == "Said");
    said.filter_map(move |(_, line)| {
        let said = line.strip_prefix("> ").unwrap_or(line).trim_start();
        let words = ["- [x] ", "- [X] "].into_iter().find_map(|mark| said.strip_prefix(mark))?;
        Some(DoneTask { day: day?, words: comparable_task(words) })
    })
}

/// The words of a task: without its link, its box, the word that says that it is open, and the mark at its end.
fn comparable_task(line: &str) -> String {
    let words = line.rsplit_once(" (").filter(|_| day_of(line).is_some()).map_or(line, |(words, _)| words);
    let words = words.trim_start_matches("- ").trim_start_matches("[ ] ");
    let said = words.split_once(':').filter(|(label, _)| is_open_label(label)).map_or(words, |(_, said)| said);
    clean_line(said.trim_end_matches(['.', '!', ' '])).to_lowercase()
}

/// The day behind a line's link, or in its place.
fn day_of(line: &str) -> Option<Date> {
    let line = line.trim_end_matches([')', ']']);
    line.get(line.len().checked_sub(10)?..)?.parse().ok()
}

/// Returns whether a document is a digest, rather than the note of a session.
#[must_use]
pub fn is_digest(note: &Document) -> bool {
    note.memora().as_deref() == Some("session") && note.text("level").is_some()
}

/// Returns the lines of a digest, each with its heading, as a session begins with them: the day in place of the link.
#[must_use]
pub fn lines_of_digest(note: &Document) -> Vec<(&str, String)> {
    lines_by_heading(note)
        .filter(|(_, line)| line.starts_with("- "))
        .map(|(heading, line)| (heading, with_day(line)))
        .collect()
}

/// A line with the day in place of the link.
fn with_day(line: &str) -> String {
    match (line.rsplit_once(" ([["), line.rsplit_once('|')) {
        (Some((words, _)), Some((_, day))) => format!("{words} ({})", day.trim_end_matches("]])")),
        _ => line.to_owned(),
    }
}

/// The lines of a body that stand below a heading, each with that.
fn lines_by_heading(note: &Document) -> impl Iterator<Item = (&str, &str)> {
    let mut heading = "";
    note.body.lines().filter_map(move |line| match line.strip_prefix("## ") {
        Some(begun) => {
            heading = begun;
            None
        }
        None => Some((heading, line)).filter(|_| !heading.is_empty() && !line.is_empty()),
    })
}

/// A line without its link.
fn words_of(line: &str) -> &str {
    line.rsplit_once(" ([[").map_or(line, |(words, _)| words)
}

/// A comment that one line opened and another closed would hide what stands between them now.
fn close(words: &str) -> String {
    if is_unclosed(words) { enclose_markers(&words.replace("%%", "% %")) } else { words.to_owned() }
}

memora_vault::wordless_debug! {
    Digest(digest): "of {}, {} bytes", digest.of.len(), digest.bytes;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(created: &str, body: &str) -> Document {
        let mut note = Document::new("session");
        note.set_plain("created", created);
        note.body = body.to_owned();
        note
    }

    #[test]
    fn a_period_is_named_as_it_is_read() {
        for (name, last, level) in [
            ("2026-W47", Some("2026-11-22"), 2),
            ("2026-W53", Some("2027-01-03"), 2),
            ("2026-11", Some("2026-11-30"), 3),
            ("2026-02", Some("2026-02-28"), 3),
        ] {
            let period = DigestPeriod::of_name(&format!("{name} drift-1a2b3c4d secret 2")).expect("a period");
            assert_eq!((period.to_string().as_str(), period.level()), (name, level));
            assert_eq!(period.last_day(), last.map(|day| day.parse().expect("a day")));
        }
        for name in ["2026-11-22 drift", "2026-W54 drift", "2026-13", "26-W01", "2026-W1", "notes", "", "2026-W047"] {
            assert_eq!(DigestPeriod::of_name(name), None, "{name}");
        }
        let thursday =
            |name: &str| DigestPeriod::of_name(name).and_then(DigestPeriod::month).map(|month| month.to_string());
        assert_eq!(thursday("2026-W53").as_deref(), Some("2026-12"));
        assert_eq!(thursday("2026-W27").as_deref(), Some("2026-07"));
        assert_eq!(DigestPeriod::week_of(jiff::civil::date(2027, 1, 1)).to_string(), "2026-W53");
    }

    #[test]
    fn a_digest_has_what_sessions_decided_came_to_and_left_open() {
        let first = session(
            "2026-11-16T10:00:00",
            "## Summary\n- Asked: Fix the parser\n- Last answer: It is fixed.\n\n## Key points\n- And test it\n\n\
             ## Decisions\n- Decision: tests run on every commit\n- Decided: 50 %% more time\n\n## Unresolved\n- Next: the writer\n\n\
             ## Said\n> **user:**\n> - [ ] Write the docs\n> - [ ] Tag a release\n",
        );
        let second = session(
            "2026-11-17T10:00:00",
            "## Summary\n- Asked: Go on\n\n## Decisions\n- Decision: tests run on every commit\n\n\
             ## Said\n> **assistant:**\n> - [x] write the docs\n",
        );
        let mut digest = Digest::default();
        assert!(digest.add_session("one 7h3k", &first) && digest.add_session("two 9q2t", &second));
        let period = DigestPeriod::of_name("2026-W47").expect("a week");
        let document = digest.to_document(&MemoryId::from_random(7), period, Band::Private);
        assert_eq!(
            document.body,
            "## Decisions\n- Decided: 50 % % more time ([[one 7h3k|2026-11-16]])\n\
             - Decision: tests run on every commit ([[two 9q2t|2026-11-17]])\n\n\
             ## Outcome\n- Asked: Fix the parser ([[one 7h3k|2026-11-16]])\n- Last answer: It is fixed. ([[one 7h3k|2026-11-16]])\n\
             - Asked: Go on ([[two 9q2t|2026-11-17]])\n\n\
             ## Unresolved\n- Next: the writer ([[one 7h3k|2026-11-16]])\n\n\
             ## Open tasks\n- [ ] Tag a release ([[one 7h3k|2026-11-16]])\n"
        );
        assert!(is_digest(&document) && !is_digest(&first));
        let text = |key| document.text(key);
        assert_eq!(
            [text("created"), text("level"), text("privacy"), text("period")].map(Option::unwrap_or_default),
            ["2026-11-17T10:00:00", "2", "private", "2026-W47"]
        );
        assert_eq!(document.list("of"), ["[[one 7h3k]]", "[[two 9q2t]]"]);
        let shown = lines_of_digest(&document);
        assert_eq!(shown.first(), Some(&("Decisions", "- Decided: 50 % % more time (2026-11-16)".to_owned())));

        let later =
            session("2026-11-20T10:00:00", "## Said\n> **user:**\n> - [x] The writer.\n> - [x] tag a release\n");
        let done: Vec<DoneTask> = done_tasks(&later).collect();
        let open = shown.iter().filter(|(_, line)| done.iter().any(|done| done.is_of(line)));
        assert_eq!(open.map(|(heading, _)| *heading).collect::<Vec<_>>(), ["Unresolved", "Open tasks"]);
        let mut closed = digest.clone();
        closed.drop_done(&done);
        let closed = closed.to_document(&MemoryId::from_random(7), period, Band::Private);
        assert!(!closed.body.contains("## Unresolved") && !closed.body.contains("## Open tasks"), "{}", closed.body);
        // What is said to be open again after it was done is open.
        let before = session("2026-11-10T10:00:00", "## Said\n> **user:**\n> - [x] Tag a release\n");
        let mut again = digest.clone();
        again.drop_done(&done_tasks(&before).collect::<Vec<_>>());
        let again = again.to_document(&MemoryId::from_random(7), period, Band::Private);
        assert_eq!(again.body, document.body);

        let mut month = Digest::default();
        assert!(month.add_digest("2026-W47 drift", &document) && month.add_digest("2026-W48 drift", &document));
        let of_month = month.to_document(&MemoryId::from_random(8), DigestPeriod::Month(2026, 11), Band::Private);
        assert_eq!(of_month.body, document.body);
        assert_eq!(of_month.list("of"), ["[[2026-W47 drift]]", "[[2026-W48 drift]]"]);
    }

    #[test]
    fn a_digest_that_is_full_takes_no_more() {
        let mut digest = Digest::default();
        let long = |number: usize| {
            let lines: String =
                (0..200).map(|line| format!("- Decision: {number} {line} {}\n", "so ".repeat(130))).collect();
            session("2026-11-16T10:00:00", &format!("## Decisions\n{lines}"))
        };
        let taken = (0..10).filter(|number| digest.add_session(&number.to_string(), &long(*number))).count();
        assert!((2..5).contains(&taken), "{taken}");
        let document = digest.to_document(&MemoryId::from_random(7), DigestPeriod::Week(2026, 47), Band::Public);
        assert_eq!((document.list("of").len(), document.body.len() <= LOG_BYTES_MAX + 64), (taken, true));
    }
}
