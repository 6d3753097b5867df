//! A draft, cut into what is judged.
//!
//! The one rule to know: **every block that holds text is judged**, headings, table rows, footnotes, code, HTML, alt
//! text and link titles too. A citation belongs to the sentence it stands in, or that it follows: from a full stop to
//! the start of the next sentence it is still the last one's. A table row is one sentence. Code holds no citations, so
//! what is said in code is uncited.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::citation::{Marker, names_a_claim};
use crate::flow::Flow;
use crate::fold::visible;

/// What kind of text a sentence stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// Running text.
    Paragraph,
    /// A list item.
    Item,
    /// A heading, with its level.
    Heading(u8),
    /// A row of a table, its header included.
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

/// A citation where it stands in the draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// Its bytes in the draft.
    pub range: Range<usize>,
    /// Its words, as written.
    pub text: String,
    /// What it names.
    pub marker: Marker,
}

/// A sentence of the draft with the citations that belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Its bytes in the draft, its citations and markup included.
    pub range: Range<usize>,
    /// Its words: no markup, no citations, white space folded.
    pub text: String,
    /// What it stands in.
    pub kind: BlockKind,
    /// Which block it stands in, counted from 0.
    pub block: usize,
    /// In order.
    pub citations: Vec<Citation>,
}

/// Cuts a draft into sentences, in order of their blocks.
#[must_use]
pub fn sentences(draft: &str) -> Vec<Sentence> {
    blocks(draft).into_iter().enumerate().flat_map(|(i, block)| cut(draft, &block, i)).collect()
}

/// The readable text of a piece of markdown: markup gone, blocks joined by a space.
pub(crate) fn words(markdown: &str) -> String {
    let texts: Vec<String> = blocks(markdown).iter().map(|block| tidy(block.flow.text())).collect();
    texts.join(" ")
}

/// The sentences of a text without markup or citations.
pub(crate) fn plain_sentences(text: &str) -> Vec<String> {
    boundaries(text).into_iter().filter_map(|range| text.get(range)).map(tidy).collect()
}

struct Block {
    kind: BlockKind,
    flow: Flow,
}

fn blocks(draft: &str) -> Vec<Block> {
    // Named one by one. Strikethrough stays off: `~` opens a handle, and struck text is text. YAML blocks stay off: they
    // would swallow what stands between two rules.
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_TASKLISTS | Options::ENABLE_WIKILINKS;
    let parser = Parser::new_ext(draft, options);
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
    let mut reader = Reader { draft, blocks: Vec::new(), flow: Flow::default(), containers: Vec::new(), in_row: false };
    for (event, range) in parser.into_offset_iter() {
        reader.take(event, range);
    }
    reader.flush();
    for (span, text) in definitions {
        let mut flow = Flow::default();
        flow.push(draft, &text, span, false);
        reader.blocks.push(Block { kind: BlockKind::Definition, flow });
    }
    reader.blocks
}

fn is_address(dest: &str) -> bool {
    dest.contains("://") || dest.starts_with(['#', '/', '.']) || dest.starts_with("mailto:")
}

struct Reader<'d> {
    draft: &'d str,
    blocks: Vec<Block>,
    flow: Flow,
    containers: Vec<BlockKind>,
    in_row: bool,
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.open(tag, range),
            Event::End(tag) => self.close(tag, range),
            Event::Text(text) => {
                let code = self.containers.last() == Some(&BlockKind::Code);
                self.flow.push(self.draft, &text, range, code);
            }
            Event::Code(text) => self.flow.push(self.draft, &text, range, true),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.flow.push(self.draft, &text, range, false),
            Event::Html(html) => {
                let text = without_bare_tags(&html);
                self.flow.push(self.draft, &text, range, false);
            }
            Event::InlineHtml(html) => {
                let text = without_bare_tags(&html);
                self.flow.push(self.draft, &text, range, false);
            }
            Event::SoftBreak | Event::HardBreak => self.flow.push(self.draft, "\n", range, false),
            Event::Rule => self.flush(),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }

    fn open(&mut self, tag: Tag<'_>, range: Range<usize>) {
        let kind = match tag {
            Tag::Link { dest_url, title, .. } | Tag::Image { dest_url, title, .. } => {
                if names_a_claim(&dest_url) {
                    self.flow.push_hidden(range.clone());
                }
                if !title.is_empty() {
                    self.flow.push(self.draft, &format!("{title} "), range, false);
                }
                return;
            }
            Tag::TableRow | Tag::TableHead => {
                self.flush();
                self.in_row = true;
                return;
            }
            Tag::TableCell | Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {
                return;
            }
            Tag::Heading { level, .. } => BlockKind::Heading(level as u8),
            Tag::BlockQuote(_) => BlockKind::Quote,
            Tag::CodeBlock(_) => BlockKind::Code,
            Tag::HtmlBlock => BlockKind::Html,
            Tag::Item => BlockKind::Item,
            Tag::FootnoteDefinition(_) => BlockKind::Footnote,
            Tag::Paragraph
            | Tag::List(_)
            | Tag::Table(_)
            | Tag::MetadataBlock(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition => self.containers.last().copied().unwrap_or(BlockKind::Paragraph),
        };
        self.flush();
        self.containers.push(kind);
        if let Tag::CodeBlock(pulldown_cmark::CodeBlockKind::Fenced(info)) = &tag {
            // The words behind the fence name a language at most; more than one is text.
            if info.split_whitespace().count() > 1 {
                self.flow.push(self.draft, &format!("{info}\n"), range, true);
            }
        }
    }

    fn close(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::TableCell => self.flow.push(self.draft, " | ", range.end..range.end, false),
            TagEnd::TableRow | TagEnd::TableHead => {
                self.flush();
                self.in_row = false;
            }
            TagEnd::Link
            | TagEnd::Image
            | TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript => {}
            _ => {
                self.flush();
                self.containers.pop();
            }
        }
    }

    fn flush(&mut self) {
        let flow = std::mem::take(&mut self.flow);
        if flow.is_empty() {
            return;
        }
        let kind = match (self.in_row, self.containers.last()) {
            (true, _) => BlockKind::Row,
            (false, kind) => kind.copied().unwrap_or(BlockKind::Paragraph),
        };
        self.blocks.push(Block { kind, flow });
    }
}

/// HTML without the tags that say nothing: those with no attributes. A comment, or a tag with attributes, is text.
fn without_bare_tags(html: &str) -> String {
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

fn cut(draft: &str, block: &Block, index: usize) -> Vec<Sentence> {
    let flow = &block.flow;
    let groups = flow.citations(draft);
    let mut bare = flow.text().to_owned();
    for group in &groups {
        let blank = " ".repeat(group.range.len());
        if bare.get(group.range.clone()).is_some() {
            bare.replace_range(group.range.clone(), &blank);
        }
    }
    let whole = matches!(block.kind, BlockKind::Row | BlockKind::Heading(_) | BlockKind::Definition);
    let cuts = if whole { std::iter::once(0..bare.len()).collect() } else { boundaries(&bare) };
    let mut found: Vec<(Range<usize>, Vec<Citation>)> = cuts.into_iter().map(|range| (range, Vec::new())).collect();
    if found.is_empty() {
        found.push((0..bare.len(), Vec::new()));
    }
    let hidden = flow.hidden().iter().map(|(at, source)| (*at, *at, source.clone(), Marker::Malformed));
    let shown = groups.iter().flat_map(|group| {
        group
            .items
            .iter()
            .map(|item| (group.range.start, group.range.end, flow.source(&item.range), item.marker.clone()))
    });
    for (start, end, range, marker) in shown.chain(hidden) {
        let owner = found.partition_point(|(sentence, _)| sentence.start <= start).saturating_sub(1);
        if let Some((sentence, citations)) = found.get_mut(owner) {
            sentence.start = sentence.start.min(start);
            sentence.end = sentence.end.max(end);
            let text = draft.get(range.clone()).unwrap_or_default().to_owned();
            citations.push(Citation { range, text, marker });
        }
    }
    found
        .into_iter()
        .map(|(range, citations)| Sentence {
            text: strip_callout(&tidy(bare.get(range.clone()).unwrap_or_default()), block.kind),
            range: flow.source(&range),
            kind: block.kind,
            block: index,
            citations,
        })
        .collect()
}

/// Trimmed ranges of the sentences of a text without citations, in order.
fn boundaries(text: &str) -> Vec<Range<usize>> {
    let mut cuts: Vec<Range<usize>> = Vec::new();
    for line in lines(text) {
        let part = text.get(line.clone()).unwrap_or_default();
        for piece in sentencex::segment("en", part) {
            // The boundary API counts characters; the slice knows its own bytes.
            let start = line.start + (piece.as_ptr() as usize).saturating_sub(part.as_ptr() as usize);
            // "| ? | 2 years |": a bar parts cells of one row, and opens no sentence.
            match cuts.last_mut() {
                Some(before) if piece.trim_start().starts_with('|') && before.end == start => {
                    before.end = start + piece.len();
                }
                _ => cuts.extend(cjk(text, start..start + piece.len())),
            }
        }
    }
    cover(text, cuts)
}

/// Sentences end at an empty line, whatever the segmenter says, so that it never sees more than a paragraph.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for part in text.split_inclusive("\n\n") {
        ranges.push(start..start + part.len());
        start += part.len();
    }
    ranges
}

/// Cuts behind 。！？ and what closes after them.
fn cjk(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let part = text.get(range.clone()).unwrap_or_default();
    let mut ranges = Vec::new();
    let mut start = 0;
    let mut ended = false;
    for (at, letter) in part.char_indices() {
        let stop = matches!(letter, '。' | '！' | '？' | '｡');
        if ended && !stop && !matches!(letter, '」' | '』' | '）' | '”' | '】') {
            ranges.push(range.start + start..range.start + at);
            start = at;
        }
        ended = stop || (ended && !letter.is_alphanumeric() && !letter.is_whitespace());
    }
    ranges.push(range.start + start..range.end);
    ranges
}

/// Makes the cuts cover all words of the text, whatever the segmenter left out, and joins those without a word to the
/// one before.
fn cover(text: &str, cuts: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut starts: Vec<usize> = Vec::new();
    for cut in cuts {
        let part = text.get(cut.clone()).unwrap_or_default();
        let start = cut.start + (part.len() - part.trim_start().len());
        let has_words = part.chars().any(char::is_alphanumeric);
        if (has_words || starts.is_empty()) && starts.last().is_none_or(|&last| last < start) {
            starts.push(start);
        }
    }
    if let Some(first) = starts.first_mut() {
        *first = 0;
    }
    let mut ranges = Vec::new();
    for (i, &start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(text.len());
        let part = text.get(start..end).unwrap_or_default();
        let lead = part.len() - part.trim_start().len();
        ranges.push(start + lead..start + part.trim_end().len().max(lead));
    }
    ranges
}

/// White space folded, and none in front of the punctuation that a citation stood before.
fn tidy(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    for word in visible(text).split_whitespace() {
        let clings = word.starts_with(['.', ',', ';', '!', '?', '。', '！', '？']) && !word.starts_with("..");
        if !(tidy.is_empty() || clings && word.chars().all(|c| !c.is_alphanumeric())) {
            tidy.push(' ');
        }
        tidy.push_str(word);
    }
    tidy
}

fn strip_callout(text: &str, kind: BlockKind) -> String {
    let title = (kind == BlockKind::Quote).then(|| text.strip_prefix("[!")).flatten();
    match title.and_then(|rest| rest.split_once(']')) {
        Some((word, rest)) if word.chars().all(char::is_alphabetic) => {
            rest.trim_start_matches(['+', '-', ' ']).to_owned()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
