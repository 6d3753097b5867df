//! What is read of a note's body: headings, segments, links, tags and zones.

use crate::Band;
use crate::plain_text::PlainText;
use std::collections::{BinaryHeap, HashSet};
use std::ops::Range;

/// The kind of text at a byte. Only some zones hold assertions of the vault's owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Zone {
    /// Ordinary text: paragraphs, lists, tables, callouts.
    Body,
    /// A block quote: text quoted from others.
    Quote,
    /// A footnote's definition.
    Footnote,
    /// A heading.
    Heading,
    /// The front matter.
    FrontMatter,
    /// A code block or code span, mermaid and queries included.
    Code,
    /// Display math.
    Math,
    /// Raw HTML blocks.
    Html,
    /// A `%%comment%%` or an HTML comment.
    Comment,
    /// Struck out with `~~`.
    Struck,
}

impl Zone {
    /// Whether claims are extracted from it.
    #[must_use]
    pub fn may_hold_claims(self) -> bool {
        matches!(self, Self::Body | Self::Quote | Self::Footnote | Self::FrontMatter)
    }

    /// A stable word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Quote => "quote",
            Self::Footnote => "footnote",
            Self::Heading => "heading",
            Self::FrontMatter => "front-matter",
            Self::Code => "code",
            Self::Math => "math",
            Self::Html => "html",
            Self::Comment => "comment",
            Self::Struck => "struck",
        }
    }

    /// The zone of this [word](Self::as_str).
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [
            Self::Body,
            Self::Quote,
            Self::Footnote,
            Self::Heading,
            Self::FrontMatter,
            Self::Code,
            Self::Math,
            Self::Html,
            Self::Comment,
            Self::Struck,
        ]
        .into_iter()
        .find(|zone| zone.as_str() == word)
    }
}

/// A heading, ATX or underlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// Its text without markup.
    pub text: String,
    /// Its bytes, markers included.
    pub range: Range<usize>,
    /// The heading it stands under, as an index of [`crate::Note::headings`].
    pub parent: Option<usize>,
}

/// The state of a task, by the character in its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TaskState {
    /// `[ ]`
    Open,
    /// `[x]` or `[X]`
    Done,
    /// `[-]`
    Cancelled,
    /// `[/]`
    InProgress,
    /// `[>]` and `[<]`: moved elsewhere or scheduled.
    Deferred,
    /// Any other character, as themes define them.
    Other(char),
}

impl TaskState {
    pub(crate) fn from_mark(mark: char) -> Self {
        match mark {
            ' ' => Self::Open,
            'x' | 'X' => Self::Done,
            '-' => Self::Cancelled,
            '/' => Self::InProgress,
            '>' | '<' => Self::Deferred,
            other => Self::Other(other),
        }
    }

    /// A word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
            Self::InProgress => "in progress",
            Self::Deferred => "deferred",
            Self::Other(_) => "other",
        }
    }
}

/// The form of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// A paragraph.
    Paragraph,
    /// The text of a list item, without the lists inside it.
    Item,
    /// A list item with a box.
    Task(TaskState),
    /// A block of code: its lines, each with its end.
    Code,
    /// A row of a table. `cells` are ranges of the plain text; `header` the column names, empty when the table has none.
    Row {
        /// Each cell's range in the plain text; an empty cell has an empty range.
        cells: Vec<Range<usize>>,
        /// The column names.
        header: Vec<String>,
        /// The header row's bytes.
        header_range: Range<usize>,
    },
    /// A Dataview inline field. The plain text is `key: value`.
    Field {
        /// The key's range in the plain text.
        key: Range<usize>,
        /// The value's range in the plain text.
        value: Range<usize>,
        /// Whether it stands in brackets within other text, and so speaks of that text.
        inline: bool,
    },
}

/// A piece of text that statements are cut from: a paragraph, a list item, a table row, an inline field, a block of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its form.
    pub kind: SegmentKind,
    /// Body, quote or footnote.
    pub zone: Zone,
    /// Its words: no markup, no comments, nothing struck out, no inline fields, no block id.
    pub plain: PlainText,
    /// Its bytes, from the first that belongs to it to the last, markup included, list marker and block id not.
    pub range: Range<usize>,
    /// The heading it stands under, as an index of [`crate::Note::headings`].
    pub heading: Option<usize>,
    /// The list item it stands in; for an inline field the text it speaks of, for code the paragraph right above it: an index
    /// of [`crate::Note::segments`].
    pub parent: Option<usize>,
    /// Its block id, without `^`.
    pub block_id: Option<String>,
}

/// How a link is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// `[[Note]]`
    Wiki,
    /// `[text](Note.md)`
    Markdown,
    /// `![[Note]]` or `![alt](image.png)`
    Embed,
}

/// A link to another place in the vault. Web addresses are not listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteLink {
    /// How it is written.
    pub kind: LinkKind,
    /// The note it names, as written; empty for a place in the same note.
    pub target: String,
    /// The heading or block (`^id`) behind `#`, as written.
    pub anchor: Option<String>,
    /// The words it shows.
    pub text: String,
    /// Its bytes.
    pub range: Range<usize>,
}

/// A citation of claims, `[claim:…]`, in the text of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteCitation {
    /// Its bytes, brackets included.
    pub range: Range<usize>,
    /// The bytes of the paragraph, item or cell that it stands in.
    pub block: Range<usize>,
}

/// The parsed text below the front matter.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoteBody {
    pub(crate) headings: Vec<Heading>,
    pub(crate) segments: Vec<Segment>,
    pub(crate) links: Vec<NoteLink>,
    pub(crate) cited: Vec<NoteCitation>,
    pub(crate) block_ids: Vec<(String, usize)>,
    /// Tags without `#`, with the bytes of the block they stand in.
    pub(crate) tags: Vec<(String, Range<usize>)>,
    /// Sorted by start; the last one that holds an offset is the innermost.
    pub(crate) zones: Vec<(Range<usize>, Zone)>,
    /// Pairs of a segment and one below it, sorted.
    children: Vec<(usize, usize)>,
    /// The first segment that holds the bytes from each offset on, in order.
    segment_starts: Vec<(usize, Option<usize>)>,
    /// The innermost zone from each offset on, in order; `None` for ordinary text.
    zone_starts: Vec<(usize, Option<Zone>)>,
    /// `%%…%%`, for the band map.
    pub(crate) comments: Vec<Range<usize>>,
    /// Ranges of text, and the block below each that is guarded with it: the text of a list item and the item, the
    /// title of a callout and the callout, a heading within either or a quotation and what stands under it there.
    pub(crate) under: Vec<(Range<usize>, Range<usize>)>,
    /// References to footnotes, by label, each with the header of the table that it stands in.
    pub(crate) footnote_references: Vec<(String, Range<usize>, Option<Range<usize>>)>,
    /// Definitions of footnotes, by label.
    pub(crate) footnotes: Vec<(String, Range<usize>)>,
    /// Where each of `block_ids` is written.
    pub(super) id_places: Vec<Range<usize>>,
    /// Indices of `links` written `[text][label]`, with the place that says where they lead.
    pub(super) defined: Vec<(usize, Range<usize>)>,
}

impl NoteBody {
    pub(crate) fn zone_at(&self, offset: usize) -> Zone {
        let behind = self.zone_starts.partition_point(|(start, _)| *start <= offset);
        behind.checked_sub(1).and_then(|at| self.zone_starts[at].1).unwrap_or(Zone::Body)
    }

    /// Sorts the zones, and finds the innermost one from each offset on: a note may have thousands, and is asked for the
    /// zone of each sentence.
    pub(super) fn index_zones(&mut self) {
        self.zones.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let ranges: Vec<Range<usize>> = self.zones.iter().map(|(range, _)| range.clone()).collect();
        let innermost = find_holders(&ranges, |zone| zone);
        self.zone_starts = innermost.into_iter().map(|(from, zone)| (from, zone.map(|at| self.zones[at].1))).collect();
    }

    /// Records that the text from `start` on is not read: it is hidden as a comment is, and whatever looks like a tag in
    /// it counts for the note.
    pub(crate) fn add_unread(&mut self, text: &str, start: usize) {
        if start >= text.len() {
            return;
        }
        self.comments.push(start..text.len());
        self.zones.push((start..text.len(), Zone::Comment));
        self.index_zones();
    }

    /// Finds the segment below each segment, and the first segment at each offset.
    pub(super) fn index_segments(&mut self) {
        let ranges: Vec<Range<usize>> = self.segments.iter().map(|segment| segment.range.clone()).collect();
        self.segment_starts = find_holders(&ranges, std::cmp::Reverse);
        let parents = self.segments.iter().enumerate().filter_map(|(index, segment)| Some((segment.parent?, index)));
        self.children = parents.collect();
        self.children.sort_unstable();
    }

    /// The innermost definition of a footnote from each offset on, in order.
    pub(crate) fn find_footnote_holders(&self) -> Vec<(usize, Option<usize>)> {
        let ranges: Vec<Range<usize>> = self.footnotes.iter().map(|(_, at)| at.clone()).collect();
        find_holders(&ranges, |footnote| footnote)
    }

    /// The first segment that holds an offset.
    pub(crate) fn segment_at(&self, offset: usize) -> Option<usize> {
        let behind = self.segment_starts.partition_point(|(start, _)| *start <= offset);
        behind.checked_sub(1).and_then(|at| self.segment_starts[at].1)
    }

    /// The segments whose parent is `part`, in order.
    pub(crate) fn children_of(&self, part: usize) -> impl Iterator<Item = usize> {
        let first = self.children.partition_point(|(parent, _)| *parent < part);
        self.children[first..].iter().take_while(move |(parent, _)| *parent == part).map(|(_, child)| *child)
    }

    /// Drops what guarded places reveal about less guarded ones: the target of a link, the id of a block.
    pub(crate) fn remove_guarded(&mut self, band_of: impl Fn(Range<usize>) -> Band) {
        let mut revealed = HashSet::new();
        for (link, place) in self.defined.drain(..) {
            if self.links.get(link).is_some_and(|link| band_of(link.range.clone()) < band_of(place)) {
                revealed.insert(link);
            }
        }
        let mut index = 0..;
        self.links.retain(|_| index.next().is_none_or(|at| !revealed.contains(&at)));
        let mut places = self.id_places.drain(..);
        let segments = &mut self.segments;
        self.block_ids.retain(|(id, index)| {
            let Some((place, segment)) = places.next().zip(segments.get_mut(*index)) else { return false };
            let keep = band_of(place) <= band_of(segment.range.clone());
            if !keep && segment.block_id.as_ref() == Some(id) {
                segment.block_id = None;
            }
            keep
        });
    }
}

/// For each offset at which it changes, finds which of the ranges that hold it has the highest rank.
fn find_holders<R: Ord>(ranges: &[Range<usize>], rank: impl Fn(usize) -> R) -> Vec<(usize, Option<usize>)> {
    let mut by_start: Vec<usize> = (0..ranges.len()).collect();
    by_start.sort_by_key(|at| ranges[*at].start);
    let mut edges: Vec<usize> = ranges.iter().flat_map(|range| [range.start, range.end]).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut by_start = by_start.into_iter().peekable();
    let mut open: BinaryHeap<(R, usize)> = BinaryHeap::new();
    let mut found = Vec::new();
    for edge in edges {
        while let Some(at) = by_start.next_if(|at| ranges[*at].start <= edge) {
            open.push((rank(at), at));
        }
        while open.peek().is_some_and(|(_, top)| ranges[*top].end <= edge) {
            open.pop();
        }
        found.push((edge, open.peek().map(|(_, top)| *top)));
    }
    found
}
