//! The walk over the markdown parser's events.

use std::collections::HashSet;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::inline::{self, FieldMatch};
use super::scan::{self, HIDDEN};
use super::{Body, Heading, Link, LinkKind, Segment, SegmentKind, Zone};
use crate::ProblemKind;
use crate::note::Problems;
use crate::plain::PlainText;

/// Containers nested deeper than this are not read.
const DEEPEST: usize = 64;

/// What Obsidian's markdown has of the parser's extensions. Not `all()`: it would let YAML blocks swallow a pair of
/// `---` in mid-note. Tasks are read by hand, because Obsidian knows more states than two.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_MATH
        | Options::ENABLE_WIKILINKS
}

/// Reads everything behind the front matter.
pub(super) fn read(text: &str, body_start: usize, problems: &mut Problems<'_>) -> Body {
    let masked = scan::mask(text, body_start, problems);
    let mut walker = Walker::new(text, &masked.text, problems);
    if body_start > 0 {
        walker.out.zones.push((0..body_start, Zone::FrontMatter));
    }
    walker.out.zones.extend(masked.comments.iter().map(|range| (range.clone(), Zone::Comment)));
    let body = masked.text.get(body_start..).unwrap_or_default();
    let mut events = Parser::new_ext(body, options()).into_offset_iter();
    while let Some((event, range)) = events.next() {
        if let Event::Start(Tag::Link { id, .. } | Tag::Image { id, .. }) = &event {
            let definition = events.reference_definitions().get(id);
            walker.definition = definition.map(|at| at.span.start + body_start..at.span.end + body_start);
        }
        walker.take(event, range.start + body_start..range.end + body_start);
    }
    walker.close();
    walker.end_struck_block(text.len());
    let mut out = walker.out;
    out.comments = masked.comments;
    out.zones.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    out
}

/// A block that holds blocks.
enum Container {
    /// Its zone and its bytes.
    Quote(Zone, Range<usize>),
    Footnote,
    List,
    /// The segment of its text, once that is read, and all its bytes.
    Item(Option<usize>, Range<usize>),
}

/// What the words being gathered will be.
#[derive(Clone, Debug)]
enum Open {
    Paragraph,
    Item,
    Heading(u8, Range<usize>),
    Cell,
}

#[derive(Default)]
struct Table {
    header: Vec<String>,
    header_range: Range<usize>,
    in_head: bool,
    row: PlainText,
    cells: Vec<Range<usize>>,
}

/// A link whose words are being gathered.
struct OpenLink {
    kind: LinkKind,
    dest: String,
    text: String,
    bare_wiki: bool,
    /// Where `[label]: dest` stands, of a link that needs one.
    definition: Option<Range<usize>>,
}

struct Walker<'a, 'p> {
    text: &'a str,
    masked: &'a str,
    problems: &'a mut Problems<'p>,
    out: Body,
    containers: Vec<Container>,
    headings: Vec<usize>,
    open: Option<(Open, PlainText)>,
    /// Letters and digits gathered from code: a block of nothing else asserts nothing.
    code_letters: usize,
    links: Vec<OpenLink>,
    /// Of the link that begins next.
    definition: Option<Range<usize>>,
    struck: usize,
    struck_html: Option<usize>,
    /// Where `<del>` stands as a block of its own, and strikes out the blocks behind it.
    struck_block: Option<usize>,
    hidden_block: bool,
    table: Option<Table>,
    too_deep: bool,
    /// Block ids that were read, in lower case.
    known_ids: HashSet<String>,
}

impl<'a, 'p> Walker<'a, 'p> {
    fn new(text: &'a str, masked: &'a str, problems: &'a mut Problems<'p>) -> Self {
        Self {
            text,
            masked,
            problems,
            out: Body::default(),
            containers: Vec::new(),
            headings: Vec::new(),
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
            known_ids: HashSet::new(),
        }
    }

    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            _ if self.hidden_block => {}
            Event::Text(words) => self.words(&words, range),
            Event::Code(words) => {
                self.code_letters += letters(&words);
                self.stand_in(&words, range);
            }
            Event::InlineMath(_) => {
                let source = self.text.get(range.clone()).unwrap_or_default().to_owned();
                self.stand_in(&source, range);
            }
            Event::DisplayMath(_) => self.zone(range, Zone::Math),
            Event::Html(_) => self.zone(range, Zone::Html),
            Event::InlineHtml(tag) => self.inline_html(&tag, range),
            Event::FootnoteReference(label) => self.out.footnote_references.push((label.to_lowercase(), range)),
            Event::TaskListMarker(_) => {}
            Event::SoftBreak | Event::HardBreak => self.stand_in("\n", range),
            Event::Rule => self.close(),
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Paragraph => {
                self.close();
                self.begin_text();
            }
            Tag::Heading { level, .. } => {
                self.close();
                if self.containers.is_empty() {
                    self.zone(range.clone(), Zone::Heading);
                    self.open = Some((Open::Heading(level as u8, range), PlainText::default()));
                } else {
                    self.begin_text();
                }
            }
            Tag::BlockQuote(_) => {
                self.close();
                let zone = self.quote_zone(&range);
                if zone == Zone::Quote {
                    self.zone(range.clone(), Zone::Quote);
                }
                let at = range.start;
                self.push(Container::Quote(zone, range), at);
            }
            Tag::CodeBlock(kind) => {
                self.close();
                if let CodeBlockKind::Fenced(_) = kind
                    && !fence_is_closed(self.text.get(range.clone()).unwrap_or_default())
                {
                    self.problems.at(range.start, ProblemKind::UnclosedFence);
                }
                self.zone(range, Zone::Code);
                self.hidden_block = true;
            }
            Tag::HtmlBlock => {
                self.close();
                self.struck_blocks(&range);
                self.zone(range, Zone::Html);
                self.hidden_block = true;
            }
            Tag::List(_) => {
                self.close();
                self.push(Container::List, range.start);
            }
            Tag::Item => {
                self.close();
                let at = range.start;
                self.push(Container::Item(None, range), at);
            }
            Tag::FootnoteDefinition(label) => {
                self.close();
                self.out.footnotes.push((label.to_lowercase(), range.clone()));
                self.zone(range.clone(), Zone::Footnote);
                self.push(Container::Footnote, range.start);
            }
            Tag::Table(_) => {
                self.close();
                self.table = Some(Table::default());
            }
            Tag::TableHead => {
                if let Some(table) = &mut self.table {
                    table.in_head = true;
                    table.header_range = range;
                }
            }
            Tag::TableCell => self.open = Some((Open::Cell, PlainText::default())),
            Tag::Emphasis | Tag::Strong | Tag::Superscript | Tag::Subscript => self.markup(range),
            Tag::Strikethrough => {
                if self.text.get(range.clone()).is_some_and(|s| s.starts_with("~~")) {
                    self.zone(range, Zone::Struck);
                }
                self.struck += 1;
            }
            Tag::Link { link_type, dest_url, .. } => self.link(LinkKind::Markdown, link_type, &dest_url),
            Tag::Image { link_type, dest_url, .. } => self.link(LinkKind::Embed, link_type, &dest_url),
            Tag::TableRow
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) => self.close(),
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item | TagEnd::FootnoteDefinition => {
                self.close();
                self.containers.pop();
            }
            TagEnd::CodeBlock | TagEnd::HtmlBlock => self.hidden_block = false,
            TagEnd::Table => self.table = None,
            TagEnd::TableHead => {
                if let Some(table) = &mut self.table {
                    table.in_head = false;
                    (table.row, table.cells) = (PlainText::default(), Vec::new());
                }
            }
            TagEnd::TableCell => self.close_cell(&range),
            TagEnd::TableRow => self.close_row(),
            TagEnd::Strikethrough => self.struck = self.struck.saturating_sub(1),
            TagEnd::Link | TagEnd::Image => self.close_link(range),
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    fn push(&mut self, container: Container, at: usize) {
        self.containers.push(container);
        if self.containers.len() > DEEPEST && !self.too_deep {
            self.too_deep = true;
            self.problems.at(at, ProblemKind::TooDeep);
        }
    }

    fn zone(&mut self, range: Range<usize>, zone: Zone) {
        self.out.zones.push((range, zone));
    }

    /// A quote is somebody's words; a callout, unless it is called a quote, is the note's own.
    fn quote_zone(&self, range: &Range<usize>) -> Zone {
        if self.containers.len() >= DEEPEST {
            return Zone::Quote;
        }
        let raw = self.text.get(range.clone()).unwrap_or_default();
        let first = raw.trim_start_matches(['>', ' ', '\t']);
        match inline::callout_head(first) {
            Some((kind, _)) if kind != "quote" && kind != "cite" => Zone::Body,
            _ => Zone::Quote,
        }
    }

    fn current_zone(&self) -> Zone {
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

    /// Opens the text of the innermost item, or a paragraph.
    fn begin_text(&mut self) {
        let open = match self.containers.last() {
            Some(Container::Item(None, _)) => Open::Item,
            _ => Open::Paragraph,
        };
        self.open = Some((open, PlainText::default()));
    }

    fn plain(&mut self) -> &mut PlainText {
        if self.open.is_none() {
            self.begin_text();
        }
        &mut self.open.get_or_insert_with(|| (Open::Paragraph, PlainText::default())).1
    }

    /// Words that stand in the file as they are, or decoded from an entity or an escape.
    fn words(&mut self, words: &str, range: Range<usize>) {
        if let Some(link) = self.links.last_mut() {
            link.text.push_str(words);
            return;
        }
        if self.is_struck() {
            return;
        }
        if self.masked.get(range.clone()) != Some(words) {
            let words = words.replace(HIDDEN, "");
            self.plain().push_for(&words, range);
            return;
        }
        let mut at = range.start;
        for part in words.split(HIDDEN) {
            self.plain().push_verbatim(part, at);
            at += part.len() + HIDDEN.len_utf8();
        }
    }

    /// Words that stand for a range as a whole.
    fn stand_in(&mut self, words: &str, range: Range<usize>) {
        let words = words.replace(HIDDEN, "");
        if let Some(link) = self.links.last_mut() {
            link.text.push_str(&words);
        } else if !self.is_struck() {
            self.plain().push_for(&words, range);
        }
    }

    /// Words that are marked as a whole.
    fn markup(&mut self, range: Range<usize>) {
        if self.links.is_empty() && !self.is_struck() {
            self.plain().mark(range);
        }
    }

    fn is_struck(&self) -> bool {
        self.struck > 0 || self.struck_html.is_some() || self.struck_block.is_some()
    }

    /// Reads the tags of an HTML block for one that strikes out what stands between it and another block.
    fn struck_blocks(&mut self, range: &Range<usize>) {
        let raw = self.masked.get(range.clone()).unwrap_or_default().to_lowercase();
        for tag in raw.split('<').skip(1) {
            match tag.split(|c: char| c.is_whitespace() || c == '>').next() {
                Some("s" | "del" | "strike") => self.struck_block = self.struck_block.or(Some(range.start)),
                Some("/s" | "/del" | "/strike") => self.end_struck_block(range.start),
                _ => {}
            }
        }
    }

    fn end_struck_block(&mut self, at: usize) {
        if let Some(start) = self.struck_block.take() {
            self.zone(start..at, Zone::Struck);
        }
    }

    fn inline_html(&mut self, tag: &str, range: Range<usize>) {
        let name = tag.trim_matches(['<', '>', ' ', '/']).to_lowercase();
        let name = name.split([' ', '\t', '\n']).next().unwrap_or_default();
        let closes = tag.starts_with("</");
        match name {
            "br" => self.stand_in("\n", range),
            "s" | "del" | "strike" if !closes => self.struck_html = self.struck_html.or(Some(range.start)),
            "s" | "del" | "strike" => {
                if let Some(start) = self.struck_html.take() {
                    self.zone(start..range.end, Zone::Struck);
                } else {
                    self.end_struck_block(range.end);
                }
            }
            _ => {}
        }
    }

    fn link(&mut self, kind: LinkKind, link_type: LinkType, dest: &str) {
        let wiki = matches!(link_type, LinkType::WikiLink { .. });
        let kind = if wiki && kind == LinkKind::Markdown { LinkKind::Wiki } else { kind };
        // In a table, `[[x\|y]]` gives the destination `x\`.
        let dest = dest.strip_suffix('\\').unwrap_or(dest).replace(HIDDEN, "");
        let bare_wiki = link_type == LinkType::WikiLink { has_pothole: false };
        let definition = self.definition.take();
        self.links.push(OpenLink { kind, dest, text: String::new(), bare_wiki, definition });
    }

    fn close_link(&mut self, range: Range<usize>) {
        let Some(mut link) = self.links.pop() else { return };
        if link.bare_wiki {
            link.text = link.text.trim_start_matches('#').replace("#^", " ^").replace('#', " > ");
        }
        let local = !link.dest.contains("://") && !link.dest.starts_with("mailto:");
        if local {
            let (target, anchor) = match link.dest.split_once('#') {
                Some((target, anchor)) => (target.to_owned(), Some(anchor.to_owned())),
                None => (link.dest, None),
            };
            let text = link.text.clone();
            self.out.defined.extend(link.definition.map(|place| (self.out.links.len(), place)));
            self.out.links.push(Link { kind: link.kind, target, anchor, text, range: range.clone() });
        }
        // What an embed shows belongs to the note it shows.
        if link.kind != LinkKind::Embed {
            self.stand_in(&link.text, range);
        }
    }

    fn close_cell(&mut self, range: &Range<usize>) {
        self.end_struck_html();
        let Some((Open::Cell, plain)) = self.open.take() else { return };
        let plain = inline::without_highlights(plain).trimmed();
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

    fn close_row(&mut self) {
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
    fn end_struck_html(&mut self) {
        if let Some(start) = self.struck_html.take() {
            let end = self.open.as_ref().map_or(start, |(_, plain)| plain.extent().end);
            self.zone(start..end.max(start), Zone::Struck);
        }
    }

    /// Ends the text being gathered and makes segments of it.
    fn close(&mut self) {
        self.end_struck_html();
        self.struck = 0;
        self.links.clear();
        let code = std::mem::take(&mut self.code_letters);
        let Some((open, plain)) = self.open.take() else { return };
        let plain = inline::without_highlights(plain).trimmed();
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
        let cited = inline::claim_marks(&plain);
        let plain = if cited.is_empty() { plain } else { plain.without(&cited) };
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
fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// Whether the raw text of a fenced block ends with its fence.
fn fence_is_closed(raw: &str) -> bool {
    let marks = |line: &str| {
        let line = line.trim_start_matches(['>', ' ', '\t']).trim_end();
        let fence = line.chars().next().filter(|c| matches!(c, '`' | '~'));
        fence.map(|f| (f, line.chars().take_while(|c| *c == f).count(), line.chars().all(|c| c == f)))
    };
    let mut lines = raw.trim_end().lines();
    let Some((fence, count, _)) = lines.next().and_then(marks) else { return true };
    matches!(lines.next_back().and_then(marks), Some((f, n, true)) if f == fence && n >= count)
}
