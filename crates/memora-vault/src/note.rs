//! One markdown file, read and parsed.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use crate::band_map::BandMap;
use crate::frontmatter::{self, Property, PropertyValue};
use crate::markdown::{self, Heading, NoteCitation, NoteLink, Segment, Zone};
use crate::privacy::compute_bands;
use crate::problem::ProblemCollector;
use crate::{Band, BandDecision, Fingerprint, LineColumn, NotePath, NoteProblem, PartialDate, ProblemKind, Span};

/// What is known of a note before it is read, from its path and the user's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathContext {
    /// The band that configuration gives to this place.
    pub band: Band,
    /// The date that its name gives it, as a daily or another periodic note.
    pub date: Option<PartialDate>,
    /// How much of the note is read at most, in bytes: the lines that begin and end before.
    pub read_bytes_max: usize,
}

impl PathContext {
    /// How much of a note is read unless the user says otherwise, in bytes: 8 MiB.
    pub const READ_BYTES_MAX: usize = 8 << 20;
}

impl Default for PathContext {
    fn default() -> Self {
        Self { band: Band::default(), date: None, read_bytes_max: Self::READ_BYTES_MAX }
    }
}

/// A tag or an alias, with the band of its position: the note's own, or stricter where a privacy marker says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The words; a tag without `#`.
    pub text: String,
    /// The strictest band of the place, the note's own included.
    pub band: Band,
}

/// A note as it is in its file right now, parsed.
///
/// All offsets are bytes of the file. Made by [`Note::parse`] alone; nothing in it can be changed afterwards.
pub struct Note {
    path: NotePath,
    text: String,
    place: PathContext,
    properties: Vec<Property>,
    body: markdown::NoteBody,
    bands: BandMap,
    aliases: Vec<Label>,
    tags: Vec<Label>,
    id: Option<String>,
    machine_words: Vec<String>,
    line_starts: Vec<usize>,
    /// The number of characters before each block of [`CHAR_BLOCK`] bytes, and in all; made when first asked for.
    chars_before_block: OnceLock<Vec<usize>>,
}

/// The bytes of a block whose characters are counted together.
const CHAR_BLOCK: usize = 1024;

impl Note {
    /// Parses the text of a file. Never fails: anything malformed is listed in the problems, ordered by line.
    #[must_use]
    pub fn parse(path: NotePath, text: String, place: PathContext) -> (Self, Vec<NoteProblem>) {
        let line_starts: Vec<usize> =
            std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect();
        let mut problems = ProblemCollector { line_starts: &line_starts, found: Vec::new() };
        let head = find_head_end(&text, place.read_bytes_max);
        if head < text.len() {
            problems.report_at(head, ProblemKind::TooLong);
        }
        let read = text.get(..head).unwrap_or_default();
        let front = frontmatter::parse_front_matter(read, &mut problems);
        let mut body = markdown::parse_body(read, front.body_start, &mut problems);
        body.add_unread(&text, head);
        let found: Vec<_> = front.tags.iter().chain(&body.tags).cloned().collect();
        let bands = compute_bands(&path, &text, place.band, &front, &body, &found, &mut problems);
        body.remove_guarded(|range| bands.band_of_range(range));
        // Statements take the id as their subject, so an id that is more guarded than the note is ignored.
        let id =
            front.id.filter(|(_, range)| bands.band_of_range(range.clone()) <= bands.note_band()).map(|(id, _)| id);
        let tags = collect_labels(found, &bands);
        let aliases = collect_labels(front.aliases, &bands);
        let mut problems = problems.found;
        problems.sort_unstable();
        problems.dedup();
        let (properties, machine_words) = (front.properties, front.machine);
        let chars_before_block = OnceLock::new();
        let note = Self {
            path,
            text,
            place,
            properties,
            body,
            bands,
            aliases,
            tags,
            id,
            machine_words,
            line_starts,
            chars_before_block,
        };
        (note, problems)
    }

    /// Where the note lies.
    #[must_use]
    pub fn path(&self) -> &NotePath {
        &self.path
    }

    /// What was known of it from its path and the user's rules when it was parsed.
    #[must_use]
    pub fn path_context(&self) -> PathContext {
        self.place
    }

    /// The whole file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The note's name, as Obsidian shows it: the file's name without `.md`.
    #[must_use]
    pub fn title(&self) -> &str {
        self.path.stem()
    }

    /// The subject of statements that name none: the note's `id` or `uid`, else its title.
    #[must_use]
    pub fn subject(&self) -> &str {
        self.id.as_deref().unwrap_or_else(|| self.title())
    }

    /// The date in its name, else in its `date`, `created` or `day` property, if that is no more secret than the note.
    #[must_use]
    pub fn date(&self) -> Option<PartialDate> {
        self.place.date.or_else(|| {
            ["date", "created", "day"].iter().find_map(|key| match self.unguarded_property(key)? {
                PropertyValue::Date(date) => Some(*date),
                _ => None,
            })
        })
    }

    /// The front matter's properties, in order.
    #[must_use]
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The value of the first property with this name, case forgiven.
    #[must_use]
    pub fn property(&self, key: &str) -> Option<&PropertyValue> {
        self.properties.iter().find(|p| p.key.eq_ignore_ascii_case(key)).map(|p| &p.value)
    }

    /// As `property`, unless a marker makes the property more secret than the note: for use in public lines.
    #[must_use]
    pub fn unguarded_property(&self, key: &str) -> Option<&PropertyValue> {
        let open = |p: &&Property| self.band_of_range(p.range.clone()) == self.band();
        self.properties.iter().find(|p| p.key.eq_ignore_ascii_case(key)).filter(open).map(|p| &p.value)
    }

    /// The words by which any head of the note calls it a machine's, `memory`, `captured` or `review`: its front matter, and whatever
    /// reads like one elsewhere.
    #[must_use]
    pub fn machine_words(&self) -> &[String] {
        &self.machine_words
    }

    /// Other names it gives itself.
    #[must_use]
    pub fn aliases(&self) -> &[Label] {
        &self.aliases
    }

    /// Tags without `#`, nested ones with their slashes, front matter's first.
    #[must_use]
    pub fn tags(&self) -> &[Label] {
        &self.tags
    }

    /// Headings in order.
    #[must_use]
    pub fn headings(&self) -> &[Heading] {
        &self.body.headings
    }

    /// The headings above `heading` and itself, outermost first, as indices of [`Note::headings`].
    #[must_use]
    pub fn heading_path(&self, heading: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = Some(heading);
        while let Some(index) = at {
            path.push(index);
            at = self.body.headings.get(index).and_then(|h| h.parent);
        }
        path.reverse();
        path
    }

    /// The segments that claims may be extracted from, in order of the file.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.body.segments
    }

    /// The first segment whose bytes hold `offset`.
    #[must_use]
    pub fn segment_at(&self, offset: usize) -> Option<&Segment> {
        self.body.segment_at(offset).and_then(|at| self.body.segments.get(at))
    }

    /// The segments that stand below the segment `part` of [`Note::segments`], in order.
    pub fn segments_below(&self, part: usize) -> impl Iterator<Item = &Segment> {
        self.body.children_of(part).filter_map(|child| self.body.segments.get(child))
    }

    /// The offset at which the line of `offset` begins.
    #[must_use]
    pub fn line_start(&self, offset: usize) -> usize {
        let line = self.line_starts.partition_point(|&start| start <= offset).max(1);
        self.line_starts[line - 1]
    }

    /// Links and embeds, in order.
    #[must_use]
    pub fn links(&self) -> &[NoteLink] {
        &self.body.links
    }

    /// Citations of claims, in order.
    #[must_use]
    pub fn citations(&self) -> &[NoteCitation] {
        &self.body.cited
    }

    /// Block ids (without `^`) with the segment they mark, in order.
    #[must_use]
    pub fn block_ids(&self) -> &[(String, usize)] {
        &self.body.block_ids
    }

    /// The kind of text at `offset`.
    #[must_use]
    pub fn zone_at(&self, offset: usize) -> Zone {
        self.body.zone_at(offset)
    }

    /// The band of the whole note: its place, its properties, its tags.
    #[must_use]
    pub fn band(&self) -> Band {
        self.bands.note_band()
    }

    /// The strictest band of any byte in `range`, the note's own included.
    #[must_use]
    pub fn band_of_range(&self, range: Range<usize>) -> Band {
        self.bands.band_of_range(range)
    }

    /// The decisions that guard the note and parts of it: those about the whole note first, then by position.
    #[must_use]
    pub fn band_decisions(&self) -> &[BandDecision] {
        self.bands.decisions()
    }

    /// Returns the span when `range` is not empty, in bounds, and on character boundaries.
    #[must_use]
    pub fn span(&self, range: Range<usize>) -> Option<Span> {
        Span::from_range(&self.text, range)
    }

    /// The text of a span. Empty when the span is another note's and does not fit here.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// blake3 of exactly the bytes of a span.
    #[must_use]
    pub fn fingerprint(&self, span: Span) -> Fingerprint {
        Fingerprint::hash_bytes(self.slice(span).as_bytes())
    }

    /// blake3 of the whole file.
    #[must_use]
    pub fn file_fingerprint(&self) -> Fingerprint {
        Fingerprint::hash_bytes(self.text.as_bytes())
    }

    /// Line and column of a byte offset; offsets past the end count as the end.
    #[must_use]
    pub fn line_column(&self, offset: usize) -> LineColumn {
        let line = self.line_starts.partition_point(|&start| start <= offset).max(1);
        let start = self.line_starts[line - 1];
        let end = offset.min(self.text.len());
        if start > end || !self.text.is_char_boundary(end) {
            return LineColumn { line, column: 1 };
        }
        let marks = if line == 1 { self.text.chars().take_while(|c| *c == '\u{feff}').count() } else { 0 };
        let chars = self.count_chars_before(end) - self.count_chars_before(start);
        LineColumn { line, column: chars.saturating_sub(marks) + 1 }
    }

    /// The number of characters before a character boundary. Counts a block at most, as a line may hold the whole note,
    /// and be asked about for each of its statements.
    fn count_chars_before(&self, offset: usize) -> usize {
        let bytes = self.text.as_bytes();
        let count = |bytes: &[u8]| bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        let blocks = self.chars_before_block.get_or_init(|| {
            let mut before = vec![0];
            for block in bytes.chunks(CHAR_BLOCK) {
                before.push(before.last().copied().unwrap_or_default() + count(block));
            }
            before
        });
        let block = offset / CHAR_BLOCK;
        let within = bytes.get(block * CHAR_BLOCK..offset).unwrap_or_default();
        blocks.get(block).copied().unwrap_or_default() + count(within)
    }
}

/// Says how long the note is, never what is in it.
impl std::fmt::Debug for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Note({:?}, {} bytes)", self.path, self.text.len())
    }
}

/// The end of the part of a text that is read: all of it, or of a very long one the lines at its beginning.
fn find_head_end(text: &str, bytes_max: usize) -> usize {
    if text.len() <= bytes_max {
        return text.len();
    }
    let end = text.floor_char_boundary(bytes_max);
    let line = text.get(..end).and_then(|head| memchr::memrchr(b'\n', head.as_bytes()));
    line.map_or(end, |line| line + 1)
}

/// Deduplicates labels; each gets the laxest band of its positions, since a public mention makes it public.
fn collect_labels(found: Vec<(String, Range<usize>)>, bands: &BandMap) -> Vec<Label> {
    let mut labels: Vec<Label> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for (text, range) in found {
        let band = bands.band_of_range(range);
        match known.get(&text).and_then(|at| labels.get_mut(*at)) {
            Some(label) => label.band = label.band.min(band),
            None => {
                known.insert(text.clone(), labels.len());
                labels.push(Label { text, band });
            }
        }
    }
    labels
}
