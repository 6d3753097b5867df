//! Assembles collected text into headings, segments, fields, footnotes, tags and block ids.

use std::ops::Range;

use super::body::{Heading, NoteCitation, Segment, SegmentKind, Zone};
use super::inline::{self, FieldMatch};
use super::walker::{BlockWalker, Container, NESTING_MAX, OpenBlock};
use crate::ProblemKind;
use crate::plain_text::PlainText;

/// The longest text of a paragraph or an item that is one segment, in bytes.
const TEXT_BYTES_MAX: usize = 16 << 10;

/// The most that the statements of a note repeat of the headings, items and column names above them, in bytes. With a
/// megabyte of heading above, each word would be stored with it.
const CONTEXT_BYTES_MAX: usize = 32 << 20;

/// The most bytes of a parent that its statements repeat: of a very long one they repeat the beginning.
const PARENT_BYTES_MAX: usize = 8 << 10;

impl BlockWalker<'_, '_> {
    pub(super) fn close_cell(&mut self, range: &Range<usize>) {
        self.end_struck_html();
        let Some((OpenBlock::Cell, plain)) = self.open.take() else { return };
        let plain = self.extract_citations(inline::strip_highlights(plain)).trimmed();
        self.add_tags(&plain);
        let Some(table) = &mut self.table else { return };
        if table.in_head {
            table.header.push(plain.text().to_owned());
            return;
        }
        if !plain.text().is_empty() && !table.row.text().is_empty() {
            table.row.push_replacement(" | ", range.start..range.start);
        }
        let start = table.row.text().len();
        table.row.append(&plain);
        table.cells.push(start..table.row.text().len());
    }

    pub(super) fn close_row(&mut self) {
        let code = std::mem::take(&mut self.code_letters);
        let zone = self.current_zone();
        let Some(table) = &mut self.table else { return };
        let plain = std::mem::take(&mut table.row).trimmed();
        let cells = std::mem::take(&mut table.cells);
        let kind = SegmentKind::Row { cells, header: table.header.clone(), header_range: table.header_range.clone() };
        if count_letters(plain.text()) > code {
            self.add_segment(kind, zone, plain, None);
        }
    }

    /// Ends the range struck out by an unclosed `<s>`: the rest of its block or cell.
    pub(super) fn end_struck_html(&mut self) {
        if let Some(start) = self.struck_html.take() {
            let end = self.open.as_ref().map_or(start, |(_, plain)| plain.source_extent().end);
            self.add_zone(start..end.max(start), Zone::Struck);
        }
    }

    /// Ends the text being collected and makes segments of it.
    pub(super) fn close_block(&mut self) {
        self.end_struck_html();
        self.struck = 0;
        self.links.clear();
        let code = std::mem::take(&mut self.code_letters);
        let Some((open, plain)) = self.open.take() else { return };
        if let OpenBlock::Code = open {
            self.add_code_block(plain.trimmed());
            return;
        }
        let plain = self.extract_citations(inline::strip_highlights(plain)).trimmed();
        self.add_tags(&plain);
        if let OpenBlock::Heading(level, range) = open {
            self.add_heading(level, &plain, range);
            return;
        }
        let (id, plain) = match self.find_block_id(&plain) {
            Some((id, end)) => {
                let place = plain.source_range(end..plain.text().len()).unwrap_or_default();
                (Some((id, place)), plain.slice(0..end).trimmed())
            }
            None => (None, plain),
        };
        if plain.text().is_empty() {
            // A block id alone on its line marks the block above: a table, a quote, a list.
            if let (Some(id), Some(above)) = (id, self.out.segments.len().checked_sub(1)) {
                self.assign_block_id(id, above);
            }
            return;
        }
        if count_letters(plain.text()) == code || inline::is_only_tags(&plain) {
            return;
        }
        self.add_text_block(&open, plain, id);
    }

    /// Adds a code block as it is. Its parent is the item that contains it, or the paragraph right above it.
    fn add_code_block(&mut self, plain: PlainText) {
        let (start, heading) = (plain.source_extent().start, self.headings.last().copied());
        let above = self.parent_item().or_else(|| {
            let at = self.out.segments.len().checked_sub(1)?;
            let above = self.out.segments.get(at)?;
            let between = self.text.get(above.range.end..start)?;
            let is_above = above.kind == SegmentKind::Paragraph
                && above.heading == heading
                && between.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with(['`', '~']));
            is_above.then_some(at)
        });
        let zone = match self.current_zone() {
            Zone::Body => Zone::Code,
            quoted_or_footnote => quoted_or_footnote,
        };
        self.add_segment(SegmentKind::Code, zone, plain, above);
    }

    /// Adds a paragraph or an item's text, with its box, callout head, fields and footnotes split off.
    fn add_text_block(&mut self, open: &OpenBlock, plain: PlainText, id: Option<(String, Range<usize>)>) {
        let zone = self.current_zone();
        let is_item = matches!(open, OpenBlock::Item);
        let (mut kind, mut plain) = (if is_item { SegmentKind::Item } else { SegmentKind::Paragraph }, plain);
        if is_item && let Some((state, start)) = inline::parse_task_box(&plain) {
            (kind, plain) = (SegmentKind::Task(state), plain.slice(start..plain.text().len()));
        }
        if let Some(Container::Quote(_, callout)) = self.containers.last()
            && let Some((_, start)) = inline::parse_callout_head(plain.text())
        {
            let callout = callout.clone();
            plain = self.extract_callout_title(&plain.slice(start..plain.text().len()), zone, callout);
        }
        let footnotes = inline::find_inline_footnotes(&plain);
        let notes: Vec<PlainText> = footnotes.iter().map(|(_, inner)| plain.slice(inner.clone()).trimmed()).collect();
        let wholes: Vec<_> = footnotes.into_iter().map(|(whole, _)| whole).collect();
        let plain = if wholes.is_empty() { plain } else { plain.without_ranges(&wholes) };
        let fields = inline::find_fields(&plain);
        let wholes: Vec<_> = fields.iter().map(|field| field.whole.clone()).collect();
        let main = if wholes.is_empty() { plain.trimmed() } else { plain.without_ranges(&wholes).trimmed() };

        let above = self.parent_item();
        let words = if main.text().is_empty() { plain.source_extent() } else { main.source_extent() };
        let main = self.add_text_segments(&kind, zone, main, above);
        if let (true, Some(Container::Item(own, item))) = (is_item, self.containers.last_mut()) {
            *own = main;
            self.out.under.push((words, item.clone()));
        }
        for field in fields {
            let parent = if field.inline { main.or(above) } else { above };
            self.add_field(&plain, field, zone, parent);
        }
        for note in notes.into_iter().filter(|note| !note.text().is_empty()) {
            self.add_segment(SegmentKind::Paragraph, Zone::Footnote, note, main);
        }
        if let Some(id) = id
            && let Some(index) = main.or(self.out.segments.len().checked_sub(1))
        {
            self.assign_block_id(id, index);
        }
    }

    /// Records citations of claims, and removes them from the text.
    fn extract_citations(&mut self, plain: PlainText) -> PlainText {
        let marks = inline::find_claim_citations(&plain);
        if marks.is_empty() {
            return plain;
        }
        for mark in &marks {
            // They are given with the space in front of them.
            let start = mark.start + plain.text().get(mark.clone()).and_then(|text| text.find('[')).unwrap_or_default();
            if let Some(range) = plain.source_range(start..mark.end) {
                self.out.cited.push(NoteCitation { range, block: plain.source_extent() });
            }
        }
        plain.without_ranges(&marks)
    }

    /// Makes a segment of a callout's title, its first line, and returns the text below.
    fn extract_callout_title(&mut self, plain: &PlainText, zone: Zone, callout: Range<usize>) -> PlainText {
        let end = plain.text().find('\n').unwrap_or(plain.text().len());
        let title = plain.slice(0..end).trimmed();
        if !title.text().is_empty() {
            self.out.under.push((title.source_extent(), callout));
            let above = self.parent_item();
            self.add_segment(SegmentKind::Paragraph, zone, title, above);
        }
        plain.slice(end..plain.text().len()).trimmed()
    }

    fn add_field(&mut self, plain: &PlainText, field: FieldMatch, zone: Zone, parent: Option<usize>) {
        let (key, value) = (plain.slice(field.key), plain.slice(field.value));
        let mut words = key.clone();
        words.push_replacement(": ", key.source_extent().end..value.source_extent().start.max(key.source_extent().end));
        words.append(&value);
        let key = 0..key.text().len();
        let value = key.end + 2..words.text().len();
        self.add_segment(SegmentKind::Field { key, value, inline: field.inline }, zone, words, parent);
    }

    /// Adds a text as one segment, or as several where it is very long, as what is found in a segment is looked for in
    /// all of its text. Returns the first.
    fn add_text_segments(
        &mut self,
        kind: &SegmentKind,
        zone: Zone,
        plain: PlainText,
        parent: Option<usize>,
    ) -> Option<usize> {
        if plain.text().len() <= TEXT_BYTES_MAX || matches!(kind, SegmentKind::Task(_)) {
            return self.add_segment(kind.clone(), zone, plain, parent);
        }
        let mut first = None;
        let mut at = 0;
        while at < plain.text().len() {
            let end = plain.find_cut(at, TEXT_BYTES_MAX);
            let part = plain.slice(at..end).trimmed();
            let added = if part.text().is_empty() { None } else { self.add_segment(kind.clone(), zone, part, parent) };
            first = first.or(added);
            at = end;
        }
        first
    }

    fn add_segment(&mut self, kind: SegmentKind, zone: Zone, plain: PlainText, parent: Option<usize>) -> Option<usize> {
        let range = plain.source_extent();
        if self.containers.len() > NESTING_MAX || range.is_empty() {
            return None;
        }
        let heading = self.headings.last().copied();
        self.context_bytes += self.estimate_context(&kind, &plain, parent);
        if self.context_bytes > CONTEXT_BYTES_MAX {
            if !std::mem::replace(&mut self.too_large, true) {
                self.problems.report_at(range.start, ProblemKind::TooMuchContext);
            }
            return None;
        }
        self.out.segments.push(Segment { kind, zone, plain, range, heading, parent, block_id: None });
        Some(self.out.segments.len() - 1)
    }

    /// The bytes of headings, parent and column names that the statements of a segment will repeat, at most.
    fn estimate_context(&self, kind: &SegmentKind, plain: &PlainText, parent: Option<usize>) -> usize {
        let headings = self.headings.last().map_or(0, |heading| self.heading_bytes[*heading]);
        let parent = parent.and_then(|at| self.out.segments.get(at)).map_or(0, |above| above.plain.text().len());
        let columns = match kind {
            SegmentKind::Row { header, .. } => header.iter().map(|name| name.len() + 1).sum(),
            _ => 0,
        };
        let sentences = match kind {
            SegmentKind::Paragraph | SegmentKind::Item => {
                1 + plain.text().matches(['.', '!', '?', '…', '。', '！', '？', '\n']).count()
            }
            _ => 1,
        };
        (headings + parent.min(PARENT_BYTES_MAX) + columns).saturating_mul(sentences)
    }

    /// The text of the innermost item that contains the current block.
    fn parent_item(&self) -> Option<usize> {
        self.containers.iter().rev().find_map(|container| match container {
            Container::Item(segment, _) => *segment,
            _ => None,
        })
    }

    fn add_heading(&mut self, level: u8, plain: &PlainText, range: Range<usize>) {
        let text = match self.find_block_id(plain) {
            Some((_, end)) => plain.text().get(..end).unwrap_or_default(),
            None => plain.text(),
        };
        while self.headings.last().is_some_and(|last| self.out.headings[*last].level >= level) {
            self.headings.pop();
        }
        let parent = self.headings.last().copied();
        let end = range.start + self.text.get(range.clone()).unwrap_or_default().trim_end().len();
        self.headings.push(self.out.headings.len());
        self.heading_bytes.push(text.len() + parent.map_or(0, |above| self.heading_bytes[above]));
        self.out.headings.push(Heading { level, text: text.to_owned(), range: range.start..end, parent });
    }

    fn add_tags(&mut self, plain: &PlainText) {
        let tags = inline::find_tags(plain).into_iter();
        self.out.tags.extend(tags.filter_map(|(tag, at)| Some((tag, plain.source_range(at)?))));
    }

    /// Finds a block id at the end of a text. One that is escaped, or code, is text.
    fn find_block_id(&self, plain: &PlainText) -> Option<(String, usize)> {
        let found = inline::find_block_id(plain.text())?;
        let at = plain.text().rfind('^')?;
        let source = plain.source_range(at..at + 1)?;
        let is_escaped = self.text.get(..source.start)?.ends_with('\\');
        (!is_escaped && !plain.is_atomic(at)).then_some(found)
    }

    fn assign_block_id(&mut self, (id, place): (String, Range<usize>), segment: usize) {
        if !self.known_ids.insert(id.to_ascii_lowercase()) {
            self.problems.report_at(self.out.segments[segment].range.start, ProblemKind::DuplicateBlockId);
            return;
        }
        self.out.segments[segment].block_id.get_or_insert_with(|| id.clone());
        self.out.block_ids.push((id, segment));
        self.out.id_places.push(place);
    }
}

/// The number of letters and digits in a text.
pub(super) fn count_letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}
