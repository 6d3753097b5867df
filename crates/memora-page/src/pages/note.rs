//! `/note/…`: the source of a note, line by line, with its bands and claims; beside it, what a cloud model is shown of it.

use askama::Template;
use axum::extract::{Extension, Path, Query, State};
use axum::http::header::{self, HeaderMap};
use axum::response::Response;
use memora_engine::report::{Band, GuardReason, NotePage as ClearNote, NoteSource};
use memora_engine::{CloudDoor, LocalDoor, NotePath};
use serde::Deserialize;

use super::parts::has_guarded;
use crate::app::{Frame, Part, Screen, SharedApp};
use crate::audience::{PageRequest, Reading};
use crate::error::PageError;
use crate::excerpt::{MarkedLine, marked_line};
use crate::guard::Admitted;
use crate::links;
use crate::svg::shorten;

/// How many lines stand on one page.
const LINES_MAX: usize = 2000;

/// How many characters of a claim its sign tells.
const TITLE_MAX: usize = 80;

/// Which bytes are asked for, and for whom.
#[derive(Clone, Deserialize)]
pub(super) struct Asked {
    start: Option<usize>,
    end: Option<usize>,
    /// The hash that the bytes had, as 64 hexadecimal digits.
    hash: Option<String>,
    /// A line, from 1.
    line: Option<usize>,
    /// `cloud` for nothing but what a cloud model is shown.
    #[serde(default, rename = "as")]
    reader: String,
}

/// What a cloud model is shown of a note.
enum CloudView {
    /// All of it, byte for byte.
    Whole,
    /// Some passages, under their headings.
    Partly(ClearNote<CloudDoor>),
    /// Nothing: it is not told that there is such a note.
    Nothing,
}

/// A note for the user.
struct Shown {
    source: NoteSource<LocalDoor>,
    cloud: CloudView,
    /// Other notes that have guarded words of it, and guard them less.
    laxer: Vec<String>,
    /// Whether the bytes asked for still have the hash that they had.
    mark: Mark,
}

/// What became of the bytes that a link leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mark {
    /// None were asked for.
    None,
    /// They are there, and their hash is the one in the link, if it has one.
    Holds(std::ops::Range<usize>),
    /// Other bytes stand there.
    Changed,
}

struct ReadNote {
    path: String,
    asked: Asked,
}

fn no_note() -> PageError {
    PageError::not_found(
        "there is no such note",
        "notes that are ignored, or that were never indexed, are not shown; memora index lists the files that were not read",
    )
}

impl PageRequest for ReadNote {
    type Answer = Shown;
    const LABEL: &'static str = "note";

    fn read(&self, reading: &Reading<'_>) -> Result<Shown, PageError> {
        let path = NotePath::new(&self.path).map_err(|_| no_note())?;
        let source = reading.session::<LocalDoor>()?.catalog().read_source(&path)?.ok_or_else(no_note)?;
        let cloud = match has_guarded(reading) {
            true => read_for_cloud(reading, &path)?,
            false => CloudView::Whole,
        };
        let mark = find_mark(&source, &self.asked);
        let laxer = reading.session::<LocalDoor>()?.catalog().laxer_notes(&path)?;
        Ok(Shown { source, cloud, laxer, mark })
    }
}

fn read_for_cloud(reading: &Reading<'_>, path: &NotePath) -> Result<CloudView, PageError> {
    let page = reading.session::<CloudDoor>()?.catalog().read_page(path)?;
    Ok(match page {
        None => CloudView::Nothing,
        Some(page) if page.is_whole() => CloudView::Whole,
        Some(page) => CloudView::Partly(page),
    })
}

/// Finds the bytes asked for, and compares their hash.
fn find_mark(source: &NoteSource<LocalDoor>, asked: &Asked) -> Mark {
    let Some(range) = asked.start.zip(asked.end).map(|(start, end)| start..end) else { return Mark::None };
    let Some(bytes) = source.text().get(range.clone()).filter(|bytes| !bytes.is_empty()) else { return Mark::Changed };
    match &asked.hash {
        Some(hash) if blake3::hash(bytes.as_bytes()).to_hex().as_str() != hash => Mark::Changed,
        _ => Mark::Holds(range),
    }
}

/// A line with what stands in the margin.
struct ShownLine {
    line: MarkedLine,
    band: Band,
    is_asked: bool,
    /// Whether the mark begins here.
    begins_mark: bool,
    /// The addresses of the claims that begin here, each with its first words.
    claims: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "note.html")]
struct NotePage {
    frame: Frame,
    shown: Shown,
    lines: Vec<ShownLine>,
    /// The first line and the last, if not all are shown.
    part: Option<(usize, usize)>,
    before: Option<String>,
    behind: Option<String>,
    /// The page that led here, with what it is.
    back: Option<(String, &'static str)>,
}

impl Screen for NotePage {}

impl NotePage {
    fn new(frame: Frame, shown: Shown, asked: &Asked, back: Option<(String, &'static str)>) -> Self {
        let source = &shown.source;
        let mark = if let Mark::Holds(range) = &shown.mark { Some(range) } else { None };
        let all = source.lines();
        let of_mark = mark.and_then(|mark| all.iter().position(|line| mark.start <= line.end));
        let wanted = of_mark.or(asked.line.map(|line| line.saturating_sub(1))).unwrap_or(0).min(all.len());
        let first = wanted / LINES_MAX * LINES_MAX;
        let last = (first + LINES_MAX).min(all.len());
        let mut statements = source.statements().iter().peekable();
        let lines = all.iter().enumerate().map(|(at, line)| {
            let mut claims = Vec::new();
            while let Some(begun) = statements.next_if(|statement| statement.start <= line.end) {
                let words = source.text().get(begun.start..begun.end).unwrap_or_default();
                claims.push((links::claim(&begun.claim), shorten(words.trim(), TITLE_MAX)));
            }
            let is_asked = asked.line == Some(at + 1);
            (at, line, claims, is_asked)
        });
        let mut is_marked = false;
        let lines = lines.skip(first).take(LINES_MAX).map(|(at, line, claims, is_asked)| {
            let (line, band) = (marked_line(source, at, line, mark), line.band);
            let begins_mark = !is_marked && line.is_marked();
            is_marked |= begins_mark;
            ShownLine { line, band, is_asked: is_asked && asked.start.is_none(), begins_mark, claims }
        });
        let lines = lines.collect();
        let at_line = |line: usize| format!("{}?line={line}", links::note(source.path()));
        Self {
            frame,
            lines,
            part: (all.len() > LINES_MAX).then_some((first + 1, last)),
            before: first.checked_sub(LINES_MAX).map(|first| at_line(first + 1)),
            behind: (last < all.len()).then(|| at_line(last + 1)),
            back,
            shown,
        }
    }

    /// The first lines of what a cloud model is shown, and how many there are more.
    fn cloud_lines(note: &ClearNote<CloudDoor>) -> (String, usize) {
        let (shown, _, rest) = cut_lines(note.text(), 0);
        (shown, rest)
    }

    /// Where a cloud model's whole view is shown.
    fn cloud_address(&self) -> String {
        format!("{}?as=cloud", links::note(self.shown.source.path()))
    }

    fn obsidian(&self) -> String {
        links::obsidian(&self.frame.vault, self.shown.source.path())
    }

    /// Where a reason's first line is shown.
    fn reason_lines(reason: &GuardReason) -> String {
        match (reason.line, reason.until) {
            (Some(line), Some(until)) if until > line => format!("lines {line}–{until}"),
            (Some(line), _) => format!("line {line}"),
            (None, _) => "the whole note".to_owned(),
        }
    }
}

/// As many lines of a text as stand on one page, from one on: with its number from 0, and how many are left.
fn cut_lines(text: &str, from: usize) -> (String, usize, usize) {
    let all = text.lines().count();
    let first = from.min(all) / LINES_MAX * LINES_MAX;
    let shown: Vec<&str> = text.lines().skip(first).take(LINES_MAX).collect();
    (shown.join("\n"), first, all.saturating_sub(first + LINES_MAX))
}

/// What a cloud model is shown of a note, and nothing else.
struct ReadForCloud(String);

impl PageRequest for ReadForCloud {
    type Answer = Option<ClearNote<CloudDoor>>;
    const LABEL: &'static str = "note for a cloud model";

    fn read(&self, reading: &Reading<'_>) -> Result<Self::Answer, PageError> {
        let Ok(path) = NotePath::new(&self.0) else { return Ok(None) };
        Ok(reading.session::<CloudDoor>()?.catalog().read_page(&path)?)
    }
}

#[derive(Template)]
#[template(path = "note_cloud.html")]
struct CloudNotePage {
    frame: Frame,
    path: String,
    note: Option<ClearNote<CloudDoor>>,
    /// The line to begin with, from 1.
    line: usize,
}

impl Screen for CloudNotePage {}

impl CloudNotePage {
    /// The lines of this page, and the addresses of the lines before and behind.
    fn lines(note: &ClearNote<CloudDoor>, line: &usize) -> (String, Option<String>, Option<String>) {
        let (shown, first, rest) = cut_lines(note.text(), line.saturating_sub(1));
        let at = |line: usize| format!("{}?as=cloud&line={line}", links::note(note.path()));
        (shown, first.checked_sub(LINES_MAX).map(|first| at(first + 1)), (rest > 0).then(|| at(first + LINES_MAX + 1)))
    }
}

pub(super) async fn show(
    State(app): State<SharedApp>,
    Extension(admitted): Extension<Admitted>,
    Path(path): Path<String>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    if asked.reader == "cloud" {
        let request = ReadForCloud(path.clone());
        return app
            .answer(&admitted, Part::Place, request, |frame, note| CloudNotePage {
                frame: frame.seen_by::<CloudDoor>(),
                path,
                note,
                line: asked.line.unwrap_or(1),
            })
            .await;
    }
    let referrer = headers.get(header::REFERER).and_then(|referrer| referrer.to_str().ok());
    let back = links::way_back(referrer, app.guard.host.as_str());
    let request = ReadNote { path, asked: asked.clone() };
    app.answer(&admitted, Part::Place, request, |frame, shown| NotePage::new(frame, shown, &asked, back)).await
}
