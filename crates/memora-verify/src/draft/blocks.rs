//! Parses a draft into blocks.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::judged::BlockKind;
use crate::citation::{CitedLink, contains_citation};
use crate::source_map::MappedText;

/// A block of a draft, with its text.
pub(super) struct DraftBlock {
    pub(super) kind: BlockKind,
    pub(super) flow: MappedText,
    pub(super) label: Option<String>,
    pub(super) whole: Option<Range<usize>>,
}

/// The markdown extensions used for judged text, listed explicitly. Strikethrough is off: `~` opens a handle, and
/// struck text is text. YAML blocks are off: they would swallow the text between two rules.
pub(crate) fn markdown_options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_TASKLISTS | Options::ENABLE_WIKILINKS
}

/// Returns the blocks that hold text, and last the definitions of links.
pub(super) fn parse_blocks(draft: &str) -> Vec<DraftBlock> {
    let parser = Parser::new_ext(draft, markdown_options());
    let mut definitions: Vec<(Range<usize>, String)> = parser
        .reference_definitions()
        .iter()
        .map(|(label, definition)| {
            let title = definition.title.as_deref().unwrap_or_default();
            let dest = if is_address(&definition.dest) { "" } else { definition.dest.as_ref() };
            (definition.span.clone(), format!("[{label}] {dest} {title}"))
        })
        .collect();
    definitions.sort_by_key(|(span, _)| span.start);
    let mut reader = BlockParser { draft, ..BlockParser::default() };
    for (event, range) in parser.into_offset_iter() {
        reader.handle_event(event, range);
    }
    reader.flush_block();
    for (span, text) in definitions {
        let mut flow = MappedText::default();
        flow.push_text(draft, &text, span, false);
        reader.blocks.push(DraftBlock { kind: BlockKind::Definition, flow, label: None, whole: None });
    }
    reader.blocks
}

fn parse_link_target(dest: &str) -> CitedLink {
    let (target, anchor) = dest.split_once('#').map_or((dest, None), |(target, anchor)| (target, Some(anchor)));
    let anchor = anchor.map(|anchor| anchor.trim().to_owned()).filter(|anchor| !anchor.is_empty());
    CitedLink { target: target.trim().to_owned(), anchor }
}

/// Parses a markdown link that leads to a note of the vault: `Folder/Note.md#Heading`.
fn parse_note_link(dest: &str) -> Option<CitedLink> {
    let dest = percent_encoding::percent_decode_str(dest).decode_utf8().unwrap_or(dest.into());
    let link = parse_link_target(&dest);
    let has_scheme = link.target.contains("://") || link.target.starts_with("mailto:");
    let (path, ending) = link.target.trim_start_matches("./").rsplit_once('.').filter(|_| !has_scheme)?;
    ending.eq_ignore_ascii_case("md").then(|| CitedLink { target: path.to_owned(), ..link.clone() })
}

fn is_address(dest: &str) -> bool {
    dest.contains("://") || dest.starts_with(['#', '/', '.']) || dest.starts_with("mailto:")
}

#[derive(Default)]
struct BlockParser<'d> {
    draft: &'d str,
    blocks: Vec<DraftBlock>,
    flow: MappedText,
    containers: Vec<BlockKind>,
    /// Open inline markup, by its number in the flow.
    wraps: Vec<usize>,
    /// The footnote that is being defined.
    label: Option<String>,
    /// The code block, HTML block or table that is being parsed.
    whole: Option<Range<usize>>,
    /// The kind of the row that is being parsed.
    row: Option<BlockKind>,
}

impl BlockParser<'_> {
    fn handle_event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.handle_start(tag, range),
            Event::End(tag) => self.handle_end(tag, range),
            Event::Text(text) => {
                let code = self.containers.last() == Some(&BlockKind::Code);
                self.flow.push_text(self.draft, &text, range, code);
            }
            Event::Code(text) => self.flow.push_text(self.draft, &text, range, true),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.flow.push_text(self.draft, &text, range, false),
            Event::Html(html) => {
                let text = strip_bare_tags(&html);
                self.flow.push_text(self.draft, &text, range, false);
            }
            Event::InlineHtml(html) => {
                let text = strip_bare_tags(&html);
                self.flow.push_text(self.draft, &text, range, false);
            }
            Event::SoftBreak | Event::HardBreak => self.flow.push_text(self.draft, "\n", range, false),
            Event::Rule => self.flush_block(),
            Event::FootnoteReference(label) => self.flow.push_footnote(range, &label),
            Event::TaskListMarker(_) => {}
        }
    }

    fn handle_start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        let kind = match tag {
            Tag::Link { link_type, dest_url, title, .. } => {
                let names_a_claim = contains_citation(&dest_url);
                let link = match link_type {
                    LinkType::WikiLink { has_pothole } if !names_a_claim => {
                        Some((parse_link_target(&dest_url), has_pothole))
                    }
                    LinkType::WikiLink { .. } => None,
                    // A title is text, and is judged.
                    _ if names_a_claim || !title.is_empty() => None,
                    _ => parse_note_link(&dest_url).map(|link| {
                        let shown =
                            self.draft.get(range.clone()).and_then(|link| link.strip_prefix('[')?.split_once("]("));
                        let is_name = shown.is_some_and(|(words, _)| link.target.rsplit('/').next() == Some(words));
                        (link, !is_name)
                    }),
                };
                self.wraps.push(self.flow.open_markup(range.clone(), link));
                if names_a_claim {
                    self.flow.push_hidden_citation(range.clone());
                }
                if !title.is_empty() {
                    self.flow.push_text(self.draft, &format!("{title} "), range, false);
                }
                return;
            }
            Tag::Image { dest_url, title, .. } => {
                self.wraps.push(self.flow.open_markup(range.clone(), None));
                if contains_citation(&dest_url) {
                    self.flow.push_hidden_citation(range.clone());
                }
                if !title.is_empty() {
                    self.flow.push_text(self.draft, &format!("{title} "), range, false);
                }
                return;
            }
            Tag::TableRow | Tag::TableHead => {
                self.flush_block();
                self.row = Some(if matches!(tag, Tag::TableHead) { BlockKind::TableHead } else { BlockKind::Row });
                return;
            }
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {
                self.wraps.push(self.flow.open_markup(range, None));
                return;
            }
            Tag::TableCell => return,
            Tag::Heading { level, .. } => BlockKind::Heading(level as u8),
            Tag::BlockQuote(_) => BlockKind::Quote,
            Tag::CodeBlock(_) => BlockKind::Code,
            Tag::HtmlBlock => BlockKind::Html,
            Tag::Item => BlockKind::Item,
            Tag::FootnoteDefinition(ref label) => {
                self.flush_block();
                self.label = Some(label.to_string());
                BlockKind::Footnote
            }
            Tag::Paragraph
            | Tag::List(_)
            | Tag::Table(_)
            | Tag::MetadataBlock(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition => self.containers.last().copied().unwrap_or(BlockKind::Paragraph),
        };
        self.flush_block();
        self.containers.push(kind);
        if matches!(kind, BlockKind::Code | BlockKind::Html) || matches!(tag, Tag::Table(_)) {
            self.whole = Some(range.clone());
        }
        if let Tag::CodeBlock(pulldown_cmark::CodeBlockKind::Fenced(info)) = &tag {
            // The info string names at most a language; more than one word is text.
            if info.split_whitespace().count() > 1 {
                self.flow.push_text(self.draft, &format!("{info}\n"), range, true);
            }
        }
    }

    fn handle_end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::TableCell => self.flow.push_text(self.draft, " | ", range.end..range.end, false),
            TagEnd::TableRow | TagEnd::TableHead => {
                self.flush_block();
                self.row = None;
            }
            TagEnd::Link
            | TagEnd::Image
            | TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript => {
                if let Some(number) = self.wraps.pop() {
                    self.flow.close_markup(number);
                }
            }
            _ => {
                self.flush_block();
                self.containers.pop();
                match tag {
                    TagEnd::FootnoteDefinition => self.label = None,
                    TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::Table => self.whole = None,
                    _ => {}
                }
            }
        }
    }

    fn flush_block(&mut self) {
        let flow = std::mem::take(&mut self.flow);
        // Inline markup does not continue into another block.
        self.wraps.clear();
        if flow.is_empty() {
            return;
        }
        let kind = self.row.or(self.containers.last().copied()).unwrap_or(BlockKind::Paragraph);
        self.blocks.push(DraftBlock { kind, flow, label: self.label.clone(), whole: self.whole.clone() });
    }
}

/// Removes HTML tags without attributes, which carry no text. A comment, or a tag with attributes, is text.
fn strip_bare_tags(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        let Some((name, behind)) = tag.split_once('>') else {
            text.push_str(tag);
            return text;
        };
        let bare = name.trim_matches('/').trim();
        if bare.is_empty() || !bare.chars().all(char::is_alphanumeric) {
            text.push(' ');
            text.push_str(name.trim_start_matches("!--").trim_end_matches("--"));
            text.push(' ');
        }
        rest = behind;
    }
    text.push_str(rest);
    text
}
