//! Splits a draft into the sentences to be judged.
//!
//! Invariant: **every block that holds text is judged**: headings, table rows, footnotes, code, HTML, alt
//! text and link titles too. A citation belongs to the sentence that contains or precedes it: between a full stop and
//! the next sentence it still belongs to the sentence before. A table row is one sentence, and so is its header.
//! Code holds no citations, so code is always uncited.

mod boundaries;
mod exact;
mod sentences;

use std::ops::Range;

use memora_claim::ClaimId;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use self::boundaries::sentence_boundaries;
pub(crate) use self::exact::{CitedWords, LookUp};
use self::exact::{ExactQuotation, find_exact_quotations};
use self::sentences::split_block;
use crate::citation::{CitationMarker, CitedLink, contains_citation};
use crate::comparison::normalize_spacing;
use crate::letter_map::LetterMap;
use crate::reference_links::UnlinkedSentence;
use crate::source_map::MappedText;

/// The kind of block that contains a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// Running text.
    Paragraph,
    /// A list item.
    Item,
    /// A heading, with its level.
    Heading(u8),
    /// The header of a table.
    TableHead,
    /// A row of a table below its header.
    Row,
    /// Text in a block quote or callout.
    Quote,
    /// A footnote's text.
    Footnote,
    /// A code block.
    Code,
    /// HTML, comments included.
    Html,
    /// The definition of a link: its label and title.
    Definition,
}

/// A citation at its position in the draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftCitation {
    /// Its bytes in the draft.
    pub range: Range<usize>,
    /// Its text, as written.
    pub text: String,
    /// Its target.
    pub marker: CitationMarker,
}

/// A sentence of the draft with the citations that belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftSentence {
    /// Its bytes in the draft, including its citations and markup.
    pub range: Range<usize>,
    /// Its words: without markup and citations, white space normalized.
    pub text: String,
    /// The part of its words that is judged, if not all: without links that only refer, or the quoted words alone.
    pub(crate) said: Option<String>,
    /// The kind of its block.
    pub kind: BlockKind,
    /// The index of its block, from 0.
    pub block: usize,
    /// Its citations, in order.
    pub citations: Vec<DraftCitation>,
    /// Its wikilinks, which count as citations if there is no other.
    pub(crate) links: Vec<SentenceLink>,
    /// The footnotes that it refers to: bytes in the draft, and label.
    pub(crate) footnotes: Vec<(Range<usize>, String)>,
    /// The label of the footnote that contains it.
    pub(crate) label: Option<String>,
    /// The bytes of the code block, HTML block or table that contains it.
    pub(crate) whole: Option<Range<usize>>,
    /// Its words with citations and links blanked by spaces, if it has links that may not be part of it.
    pub(crate) bare: Option<UnlinkedSentence>,
    /// Its characters with their bytes in the draft.
    pub(crate) letters: LetterMap,
}

/// A wikilink in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentenceLink {
    /// The link with its bytes in the draft.
    pub(crate) citation: DraftCitation,
    /// Whether it has a display text of its own, which may say anything.
    pub(crate) piped: bool,
}

impl DraftSentence {
    /// Makes the sentences of a list item from plain words and the claim that they rest on. Nothing in the words is
    /// markup or a citation. The sentences come from no text, so their ranges are empty.
    #[must_use]
    pub fn cite_words(words: &str, claim: ClaimId, block: usize) -> Vec<Self> {
        let citation =
            DraftCitation { range: 0..0, text: format!("[claim:{claim}]"), marker: CitationMarker::Id(claim) };
        let sentence = |range: Range<usize>| Self {
            range: 0..0,
            text: normalize_spacing(words.get(range).unwrap_or_default()),
            said: None,
            kind: BlockKind::Item,
            block,
            citations: vec![citation.clone()],
            links: Vec::new(),
            footnotes: Vec::new(),
            label: None,
            whole: None,
            bare: None,
            letters: LetterMap::default(),
        };
        sentence_boundaries(words).into_iter().map(sentence).collect()
    }
}

/// Splits a draft into sentences, in order of their blocks.
#[must_use]
pub fn split_sentences(draft: &str) -> Vec<DraftSentence> {
    split_around_quotations(draft, &mut |_| None)
}

/// Splits a draft into sentences, in order of their blocks. A statement that it has word for word, cited where it ends, is one
/// sentence; `look_up` tells the words that a marker cites.
pub(crate) fn split_around_quotations(draft: &str, look_up: &mut LookUp<'_>) -> Vec<DraftSentence> {
    let blocks = parse_blocks(draft);
    let exact = find_exact_quotations(draft, &blocks, look_up);
    let mut left: &[ExactQuotation] = &exact;
    let mut sentences = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let first = sentences.len();
        sentences.extend(split_block(draft, block, index, &exact));
        // A statement of several blocks belongs to the first of them.
        let extent = block.flow.source_range(&(0..block.flow.text().len()));
        let here = left.partition_point(|quoted| quoted.range.start < extent.end);
        let (own, rest) = left.split_at(if block.kind == BlockKind::Definition { 0 } else { here });
        sentences.extend(own.iter().map(|quoted| quoted.to_sentence(draft, Some(block), index)));
        left = rest;
        if let Some(found) = sentences.get_mut(first..).filter(|_| !own.is_empty()) {
            found.sort_by_key(|sentence| sentence.range.start);
        }
    }
    sentences.extend(left.iter().map(|quoted| quoted.to_sentence(draft, None, blocks.len())));
    sentences
}

/// Returns the readable text of markdown: without markup, blocks joined by a space.
#[must_use]
pub fn plain_text(markdown: &str) -> String {
    let texts: Vec<String> = parse_blocks(markdown).iter().map(|block| normalize_spacing(block.flow.text())).collect();
    texts.join(" ")
}

struct DraftBlock {
    kind: BlockKind,
    flow: MappedText,
    label: Option<String>,
    whole: Option<Range<usize>>,
}

/// The markdown extensions used for judged text, listed explicitly. Strikethrough is off: `~` opens a handle, and
/// struck text is text. YAML blocks are off: they would swallow the text between two rules.
pub(crate) fn markdown_options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_TASKLISTS | Options::ENABLE_WIKILINKS
}

fn parse_blocks(draft: &str) -> Vec<DraftBlock> {
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

#[cfg(test)]
mod tests;
