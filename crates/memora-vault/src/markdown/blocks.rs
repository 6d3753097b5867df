//! Walks the events of the markdown parser.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Parser, Tag, TagEnd};

use super::assemble::count_letters;
use super::body::{LinkKind, NoteBody, NoteLink, Zone};
use super::masking::{MASK_CHAR, is_fence_closed, mask_comments, parser_options};
use super::walker::{BlockWalker, Container, NESTING_MAX, OpenBlock, OpenLink, OpenTable};
use crate::ProblemKind;
use crate::plain_text::PlainText;
use crate::problem::ProblemCollector;

/// Parses everything after the front matter.
pub(super) fn parse_blocks(text: &str, body_start: usize, problems: &mut ProblemCollector<'_>) -> NoteBody {
    let masked = mask_comments(text, body_start, problems);
    let mut walker = BlockWalker::new(text, &masked.text, problems);
    if body_start > 0 {
        walker.out.zones.push((0..body_start, Zone::FrontMatter));
    }
    walker.out.zones.extend(masked.comments.iter().map(|range| (range.clone(), Zone::Comment)));
    let body = masked.text.get(body_start..).unwrap_or_default();
    let mut events = Parser::new_ext(body, parser_options()).into_offset_iter();
    while let Some((event, range)) = events.next() {
        if let Event::Start(Tag::Link { id, .. } | Tag::Image { id, .. }) = &event {
            let definition = events.reference_definitions().get(id);
            walker.definition = definition.map(|at| at.span.start + body_start..at.span.end + body_start);
        }
        walker.handle_event(event, range.start + body_start..range.end + body_start);
    }
    walker.close_block();
    walker.end_struck_block(text.len());
    let mut out = walker.out;
    out.comments = masked.comments;
    out.index_zones();
    out.index_segments();
    out
}

impl BlockWalker<'_, '_> {
    fn handle_event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start_tag(tag, range),
            Event::End(tag) => self.end_tag(tag, range),
            _ if self.hidden_block => {}
            Event::Text(words) => self.push_words(&words, range),
            Event::Code(words) => {
                self.code_letters += count_letters(&words);
                self.push_replacement(&words, range);
            }
            Event::InlineMath(_) => {
                let source = self.text.get(range.clone()).unwrap_or_default().to_owned();
                self.push_replacement(&source, range);
            }
            Event::DisplayMath(_) => self.add_zone(range, Zone::Math),
            Event::Html(_) => self.add_zone(range, Zone::Html),
            Event::InlineHtml(tag) => self.handle_inline_html(&tag, range),
            Event::FootnoteReference(label) => {
                let header = self.table.as_ref().map(|table| table.header_range.clone());
                self.out.footnote_references.push((label.to_lowercase(), range, header));
            }
            Event::TaskListMarker(_) => {}
            Event::SoftBreak | Event::HardBreak => self.push_replacement("\n", range),
            Event::Rule => self.close_block(),
        }
    }

    fn start_tag(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Paragraph => {
                self.close_block();
                self.begin_text();
            }
            Tag::Heading { level, .. } => {
                self.close_block();
                if self.containers.is_empty() {
                    self.add_zone(range.clone(), Zone::Heading);
                    self.open = Some((OpenBlock::Heading(level as u8, range), PlainText::default()));
                } else {
                    let depth = self.containers.len();
                    self.end_inner_headings(depth, level as u8, range.start);
                    self.inner_headings.push((depth, level as u8, range));
                    self.begin_text();
                }
            }
            Tag::BlockQuote(_) => {
                self.close_block();
                let zone = self.quote_zone(&range);
                if zone == Zone::Quote {
                    self.add_zone(range.clone(), Zone::Quote);
                }
                let at = range.start;
                self.push_container(Container::Quote(zone, range), at);
            }
            Tag::CodeBlock(kind) => {
                self.close_block();
                if let CodeBlockKind::Fenced(_) = &kind
                    && !is_fence_closed(self.text.get(range.clone()).unwrap_or_default())
                {
                    self.problems.report_at(range.start, ProblemKind::UnclosedFence);
                }
                self.add_zone(range, Zone::Code);
                match is_rendered_block(&kind) {
                    true => self.hidden_block = true,
                    false => self.open = Some((OpenBlock::Code, PlainText::default())),
                }
            }
            Tag::HtmlBlock => {
                self.close_block();
                self.read_strike_tags(&range);
                self.add_zone(range, Zone::Html);
                self.hidden_block = true;
            }
            Tag::List(_) => {
                self.close_block();
                self.push_container(Container::List, range.start);
            }
            Tag::Item => {
                self.close_block();
                let at = range.start;
                self.push_container(Container::Item(None, range), at);
            }
            Tag::FootnoteDefinition(label) => {
                self.close_block();
                self.out.footnotes.push((label.to_lowercase(), range.clone()));
                self.add_zone(range.clone(), Zone::Footnote);
                self.push_container(Container::Footnote, range.start);
            }
            Tag::Table(_) => {
                self.close_block();
                self.table = Some(OpenTable::default());
            }
            Tag::TableHead => {
                if let Some(table) = &mut self.table {
                    table.in_head = true;
                    table.header_range = range;
                }
            }
            Tag::TableCell => self.open = Some((OpenBlock::Cell, PlainText::default())),
            Tag::Emphasis | Tag::Strong | Tag::Superscript | Tag::Subscript => self.add_mark(range),
            Tag::Strikethrough => {
                if self.text.get(range.clone()).is_some_and(|s| s.starts_with("~~")) {
                    self.add_zone(range, Zone::Struck);
                }
                self.struck += 1;
            }
            Tag::Link { link_type, dest_url, .. } => self.open_link(LinkKind::Markdown, link_type, &dest_url),
            Tag::Image { link_type, dest_url, .. } => self.open_link(LinkKind::Embed, link_type, &dest_url),
            Tag::TableRow
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end_tag(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) => self.close_block(),
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item | TagEnd::FootnoteDefinition => {
                self.close_block();
                self.end_inner_headings(self.containers.len(), 1, range.end);
                self.containers.pop();
            }
            TagEnd::CodeBlock => {
                self.hidden_block = false;
                self.close_block();
            }
            TagEnd::HtmlBlock => self.hidden_block = false,
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

    fn push_container(&mut self, container: Container, at: usize) {
        self.containers.push(container);
        if self.containers.len() > NESTING_MAX && !self.too_deep {
            self.too_deep = true;
            self.problems.report_at(at, ProblemKind::TooDeep);
        }
    }

    /// Opens the text of the innermost item, or a paragraph.
    fn begin_text(&mut self) {
        let open = match self.containers.last() {
            Some(Container::Item(None, _)) => OpenBlock::Item,
            _ => OpenBlock::Paragraph,
        };
        self.open = Some((open, PlainText::default()));
    }

    fn current_text(&mut self) -> &mut PlainText {
        if self.open.is_none() {
            self.begin_text();
        }
        &mut self.open.get_or_insert_with(|| (OpenBlock::Paragraph, PlainText::default())).1
    }

    /// Adds text that appears in the file as it is, or is decoded from an entity or an escape.
    fn push_words(&mut self, words: &str, range: Range<usize>) {
        if let Some(link) = self.links.last_mut() {
            link.text.push_str(words);
            return;
        }
        if self.is_struck() {
            return;
        }
        if self.masked.get(range.clone()) != Some(words) {
            let words = words.replace(MASK_CHAR, "");
            self.current_text().push_replacement(&words, range);
            return;
        }
        let mut at = range.start;
        for part in words.split(MASK_CHAR) {
            self.current_text().push_verbatim(part, at);
            at += part.len() + MASK_CHAR.len_utf8();
        }
    }

    /// Adds text that maps as a whole to a range.
    fn push_replacement(&mut self, words: &str, range: Range<usize>) {
        let words = words.replace(MASK_CHAR, "");
        if let Some(link) = self.links.last_mut() {
            link.text.push_str(&words);
        } else if !self.is_struck() {
            self.current_text().push_replacement(&words, range);
        }
    }

    /// Records that a range is marked as a whole.
    fn add_mark(&mut self, range: Range<usize>) {
        if self.links.is_empty() && !self.is_struck() {
            self.current_text().add_mark(range);
        }
    }

    /// Reads the tags of an HTML block for one that strikes out everything up to another block.
    fn read_strike_tags(&mut self, range: &Range<usize>) {
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
            self.add_zone(start..at, Zone::Struck);
        }
    }

    fn handle_inline_html(&mut self, tag: &str, range: Range<usize>) {
        let name = tag.trim_matches(['<', '>', ' ', '/']).to_lowercase();
        let name = name.split([' ', '\t', '\n']).next().unwrap_or_default();
        let closes = tag.starts_with("</");
        match name {
            "br" => self.push_replacement("\n", range),
            "s" | "del" | "strike" if !closes => self.struck_html = self.struck_html.or(Some(range.start)),
            "s" | "del" | "strike" => {
                if let Some(start) = self.struck_html.take() {
                    self.add_zone(start..range.end, Zone::Struck);
                } else {
                    self.end_struck_block(range.end);
                }
            }
            _ => {}
        }
    }

    fn open_link(&mut self, kind: LinkKind, link_type: LinkType, dest: &str) {
        let wiki = matches!(link_type, LinkType::WikiLink { .. });
        let kind = if wiki && kind == LinkKind::Markdown { LinkKind::Wiki } else { kind };
        // In a table, `[[x\|y]]` gives the destination `x\`.
        let dest = dest.strip_suffix('\\').unwrap_or(dest).replace(MASK_CHAR, "");
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
            self.out.links.push(NoteLink { kind: link.kind, target, anchor, text, range: range.clone() });
        }
        // What an embed shows belongs to the note it shows.
        if link.kind != LinkKind::Embed {
            self.push_replacement(&link.text, range);
        }
    }
}

/// Whether Obsidian replaces a block of code: by a drawing, or by the results of a query.
fn is_rendered_block(kind: &CodeBlockKind<'_>) -> bool {
    const DRAWN: &[&str] = &[
        "base",
        "button",
        "chart",
        "compressed-json",
        "dataview",
        "dataviewjs",
        "graphviz",
        "mermaid",
        "plantuml",
        "query",
        "tasks",
        "tikz",
        "timeline",
    ];
    let CodeBlockKind::Fenced(info) = kind else { return false };
    let info = info.trim_start_matches(['{', '.', ' ']);
    let language = info.split(|c: char| !c.is_alphanumeric() && c != '-').next().unwrap_or_default();
    DRAWN.contains(&language.to_lowercase().as_str())
}
