//! The state of a walk over the markdown parser's events: [`BlockWalker`].

use std::collections::HashSet;
use std::ops::Range;

use super::body::{LinkKind, NoteBody, Zone};
use super::inline;
use crate::plain_text::PlainText;
use crate::problem::ProblemCollector;

/// The maximum depth of nested containers that are read.
pub(super) const NESTING_MAX: usize = 64;

/// A block that contains blocks.
pub(super) enum Container {
    /// Its zone and its bytes.
    Quote(Zone, Range<usize>),
    Footnote,
    List,
    /// The segment of its text, once that is read, and all its bytes.
    Item(Option<usize>, Range<usize>),
}

/// The kind of block whose text is being collected.
#[derive(Clone, Debug)]
pub(super) enum OpenBlock {
    Paragraph,
    Item,
    Heading(u8, Range<usize>),
    Cell,
    Code,
}

#[derive(Default)]
pub(super) struct OpenTable {
    pub(super) header: Vec<String>,
    pub(super) header_range: Range<usize>,
    pub(super) in_head: bool,
    pub(super) row: PlainText,
    pub(super) cells: Vec<Range<usize>>,
}

/// A link whose text is being collected.
pub(super) struct OpenLink {
    pub(super) kind: LinkKind,
    pub(super) dest: String,
    pub(super) text: String,
    pub(super) bare_wiki: bool,
    /// Where `[label]: dest` stands, of a link that needs one.
    pub(super) definition: Option<Range<usize>>,
}

pub(super) struct BlockWalker<'a, 'p> {
    pub(super) text: &'a str,
    pub(super) masked: &'a str,
    pub(super) problems: &'a mut ProblemCollector<'p>,
    pub(super) out: NoteBody,
    pub(super) containers: Vec<Container>,
    pub(super) headings: Vec<usize>,
    /// The headings within containers that stand above the current place: in how many, the level, the bytes.
    pub(super) inner_headings: Vec<(usize, u8, Range<usize>)>,
    pub(super) open: Option<(OpenBlock, PlainText)>,
    /// Letters and digits collected from code: a block of nothing else asserts nothing.
    pub(super) code_letters: usize,
    pub(super) links: Vec<OpenLink>,
    /// Of the link that begins next.
    pub(super) definition: Option<Range<usize>>,
    pub(super) struck: usize,
    pub(super) struck_html: Option<usize>,
    /// Where `<del>` stands as a block of its own, and strikes out the blocks behind it.
    pub(super) struck_block: Option<usize>,
    pub(super) hidden_block: bool,
    pub(super) table: Option<OpenTable>,
    pub(super) too_deep: bool,
    /// For each heading, the bytes of its text and of those above it.
    pub(super) heading_bytes: Vec<usize>,
    /// What the statements so far will repeat of their surroundings.
    pub(super) context_bytes: usize,
    pub(super) too_large: bool,
    /// Block ids that were read, in lower case.
    pub(super) known_ids: HashSet<String>,
}

impl<'a, 'p> BlockWalker<'a, 'p> {
    pub(super) fn new(text: &'a str, masked: &'a str, problems: &'a mut ProblemCollector<'p>) -> Self {
        Self {
            text,
            masked,
            problems,
            out: NoteBody::default(),
            containers: Vec::new(),
            headings: Vec::new(),
            inner_headings: Vec::new(),
            open: None,
            code_letters: 0,
            links: Vec::new(),
            definition: None,
            struck: 0,
            struck_html: None,
            struck_block: None,
            hidden_block: false,
            table: None,
            too_deep: false,
            heading_bytes: Vec::new(),
            context_bytes: 0,
            too_large: false,
            known_ids: HashSet::new(),
        }
    }

    pub(super) fn add_zone(&mut self, range: Range<usize>, zone: Zone) {
        self.out.zones.push((range, zone));
    }

    /// A quote belongs to another author; a callout, unless its type is a quote, is the note's own text.
    pub(super) fn quote_zone(&self, range: &Range<usize>) -> Zone {
        if self.containers.len() >= NESTING_MAX {
            return Zone::Quote;
        }
        let raw = self.text.get(range.clone()).unwrap_or_default();
        let first = raw.trim_start_matches(['>', ' ', '\t']);
        match inline::parse_callout_head(first) {
            Some((kind, _)) if kind != "quote" && kind != "cite" => Zone::Body,
            _ => Zone::Quote,
        }
    }

    pub(super) fn current_zone(&self) -> Zone {
        let quoted = self.containers.iter().any(|c| matches!(c, Container::Quote(Zone::Quote, _)));
        let footnote = self.containers.iter().any(|c| matches!(c, Container::Footnote));
        if quoted {
            Zone::Quote
        } else if footnote {
            Zone::Footnote
        } else {
            Zone::Body
        }
    }

    /// Ends what stands under headings of this level and deeper ones, in this many containers or more.
    pub(super) fn end_inner_headings(&mut self, containers: usize, level: u8, at: usize) {
        let ends = |(depth, inner, _): &mut (usize, u8, Range<usize>)| {
            *depth > containers || *depth == containers && *inner >= level
        };
        while let Some((_, _, words)) = self.inner_headings.pop_if(ends) {
            let section = words.start..at.max(words.end);
            self.out.under.push((words, section));
        }
    }

    pub(super) fn is_struck(&self) -> bool {
        self.struck > 0 || self.struck_html.is_some() || self.struck_block.is_some()
    }
}
