//! What becomes of the words that the walk has gathered: headings, segments, fields, footnotes, tags, block ids.

use std::ops::Range;

use super::blocks::{Container, DEEPEST, Open, Walker};
use super::inline::{self, FieldMatch};
use super::{Cited, Heading, Segment, SegmentKind, Zone};
use crate::ProblemKind;
use crate::plain::PlainText;

impl Walker<'_, '_> {
    pub(super) fn close_cell(&mut self, range: &Range<usize>) {
        self.end_struck_html();
        let Some((Open::Cell, plain)) = self.open.take() else { return };
        let plain = self.without_citations(inline::without_highlights(plain)).trimmed();
        self.tags(&plain);
        let Some(table) = &mut self.table else { return };
        if table.in_head {
            table.header.push(plain.text().to_owned());
            return;
        }
        if !plain.text().is_empty() && !table.row.text().is_empty() {
            table.row.push_for(" | ", range.start..range.start);
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
        if letters(plain.text()) > code {
            self.add(kind, zone, plain, None);
        }
    }

    /// Ends what an unclosed `<s>` strikes out: the rest of its block, or of its cell.
    pub(super) fn end_struck_html(&mut self) {
        if let Some(start) = self.struck_html.take() {
            let end = self.open.as_ref().map_or(start, |(_, plain)| plain.extent().end);
            self.zone(start..end.max(start), Zone::Struck);
        }
    }

    /// Ends the text being gathered and makes segments of it.
    pub(super) fn close(&mut self) {
        self.end_struck_html();
        self.struck = 0;
        self.links.clear();
        let code = std::mem::take(&mut self.code_letters);
        let Some((open, plain)) = self.open.take() else { return };
        if let Open::Code = open {
            self.code_block(plain.trimmed());
            return;
        }
        let plain = self.without_citations(inline::without_highlights(plain)).trimmed();
        self.tags(&plain);
        if let Open::Heading(level, range) = open {
            self.heading(level, &plain, range);
            return;
        }
        let (id, plain) = match inline::block_id(plain.text()) {
            Some((id, end)) => {
                let place = plain.source(end..plain.text().len()).unwrap_or_default();
                (Some((id, place)), plain.slice(0..end).trimmed())
            }
            None => (None, plain),
        };
        if plain.text().is_empty() {
            // A block id alone on its line marks the block above: a table, a quote, a list.
            if let (Some(id), Some(above)) = (id, self.out.segments.len().checked_sub(1)) {
                self.name_block(id, above);
            }
            return;
        }
        if letters(plain.text()) == code || inline::only_tags(&plain) {
            return;
        }
        self.text_block(&open, plain, id);
    }

    /// A block of code, as it stands. What it does, the item that it stands in says, or the paragraph right above it.
    fn code_block(&mut self, plain: PlainText) {
        let (start, heading) = (plain.extent().start, self.headings.last().copied());
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
        self.add(SegmentKind::Code, zone, plain, above);
    }

    /// A paragraph or the text of an item: its box, its callout head, its fields and footnotes apart.
    fn text_block(&mut self, open: &Open, plain: PlainText, id: Option<(String, Range<usize>)>) {
        let zone = self.current_zone();
        let is_item = matches!(open, Open::Item);
        let (mut kind, mut plain) = (if is_item { SegmentKind::Item } else { SegmentKind::Paragraph }, plain);
        if is_item && let Some((state, start)) = inline::task_box(&plain) {
            (kind, plain) = (SegmentKind::Task(state), plain.slice(start..plain.text().len()));
        }
        if let Some(Container::Quote(_, callout)) = self.containers.last()
            && let Some((_, start)) = inline::callout_head(plain.text())
        {
            let callout = callout.clone();
            plain = self.callout_title(&plain.slice(start..plain.text().len()), zone, callout);
        }
        let footnotes = inline::inline_footnotes(&plain);
        let notes: Vec<PlainText> = footnotes.iter().map(|(_, inner)| plain.slice(inner.clone()).trimmed()).collect();
        let wholes: Vec<_> = footnotes.into_iter().map(|(whole, _)| whole).collect();
        let plain = if wholes.is_empty() { plain } else { plain.without(&wholes) };
        let fields = inline::fields(&plain);
        let wholes: Vec<_> = fields.iter().map(|field| field.whole.clone()).collect();
        let main = if wholes.is_empty() { plain.trimmed() } else { plain.without(&wholes).trimmed() };

        let above = self.parent_item();
        let main = if main.text().is_empty() { None } else { self.add(kind, zone, main, above) };
        if let (true, Some(Container::Item(own, item))) = (is_item, self.containers.last_mut()) {
            *own = main;
            let words = main.map_or_else(|| plain.extent(), |index| self.out.segments[index].range.clone());
            self.out.under.push((words, item.clone()));
        }
        for field in fields {
            let parent = if field.inline { main.or(above) } else { above };
            self.add_field(&plain, field, zone, parent);
        }
        for note in notes.into_iter().filter(|note| !note.text().is_empty()) {
            self.add(SegmentKind::Paragraph, Zone::Footnote, note, main);
        }
        if let Some(id) = id
            && let Some(index) = main.or(self.out.segments.len().checked_sub(1))
        {
            self.name_block(id, index);
        }
    }

    /// Notes citations of claims, and leaves them out.
    fn without_citations(&mut self, plain: PlainText) -> PlainText {
        let marks = inline::claim_marks(&plain);
        if marks.is_empty() {
            return plain;
        }
        for mark in &marks {
            // They are given with the space in front of them.
            let start = mark.start + plain.text().get(mark.clone()).and_then(|text| text.find('[')).unwrap_or_default();
            if let Some(range) = plain.source(start..mark.end) {
                self.out.cited.push(Cited { range, block: plain.extent() });
            }
        }
        plain.without(&marks)
    }

    /// Makes a segment of a callout's title, which ends with its line, and returns the text below.
    fn callout_title(&mut self, plain: &PlainText, zone: Zone, callout: Range<usize>) -> PlainText {
        let end = plain.text().find('\n').unwrap_or(plain.text().len());
        let title = plain.slice(0..end).trimmed();
        if !title.text().is_empty() {
            self.out.under.push((title.extent(), callout));
            let above = self.parent_item();
            self.add(SegmentKind::Paragraph, zone, title, above);
        }
        plain.slice(end..plain.text().len()).trimmed()
    }

    fn add_field(&mut self, plain: &PlainText, field: FieldMatch, zone: Zone, parent: Option<usize>) {
        let (key, value) = (plain.slice(field.key), plain.slice(field.value));
        let mut words = key.clone();
        words.push_for(": ", key.extent().end..value.extent().start.max(key.extent().end));
        words.append(&value);
        let key = 0..key.text().len();
        let value = key.end + 2..words.text().len();
        self.add(SegmentKind::Field { key, value, inline: field.inline }, zone, words, parent);
    }

    fn add(&mut self, kind: SegmentKind, zone: Zone, plain: PlainText, parent: Option<usize>) -> Option<usize> {
        let range = plain.extent();
        if self.containers.len() > DEEPEST || range.is_empty() {
            return None;
        }
        let heading = self.headings.last().copied();
        self.out.segments.push(Segment { kind, zone, plain, range, heading, parent, block_id: None });
        Some(self.out.segments.len() - 1)
    }

    /// The text of the innermost item around the one being read.
    fn parent_item(&self) -> Option<usize> {
        self.containers.iter().rev().find_map(|container| match container {
            Container::Item(segment, _) => *segment,
            _ => None,
        })
    }

    fn heading(&mut self, level: u8, plain: &PlainText, range: Range<usize>) {
        let text = match inline::block_id(plain.text()) {
            Some((_, end)) => plain.text().get(..end).unwrap_or_default(),
            None => plain.text(),
        };
        while self.headings.last().is_some_and(|last| self.out.headings[*last].level >= level) {
            self.headings.pop();
        }
        let parent = self.headings.last().copied();
        let end = range.start + self.text.get(range.clone()).unwrap_or_default().trim_end().len();
        self.headings.push(self.out.headings.len());
        self.out.headings.push(Heading { level, text: text.to_owned(), range: range.start..end, parent });
    }

    fn tags(&mut self, plain: &PlainText) {
        let tags = inline::tags(plain).into_iter();
        self.out.tags.extend(tags.filter_map(|(tag, at)| Some((tag, plain.source(at)?))));
    }

    fn name_block(&mut self, (id, place): (String, Range<usize>), segment: usize) {
        if !self.known_ids.insert(id.to_ascii_lowercase()) {
            self.problems.at(self.out.segments[segment].range.start, ProblemKind::DuplicateBlockId);
            return;
        }
        self.out.segments[segment].block_id.get_or_insert_with(|| id.clone());
        self.out.block_ids.push((id, segment));
        self.out.id_places.push(place);
    }
}

/// How many letters and digits a text has.
pub(super) fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}
