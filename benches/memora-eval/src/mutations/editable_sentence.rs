//! A parsed sentence that can be edited by tokens and phrases.

use std::ops::Range;

use memora_nlp::{DependencyParser, Label, Upos, Xpos, tokenize_treebank};

pub(crate) struct ParsedWord {
    pub(crate) bytes: Range<usize>,
    pub(crate) lower: String,
    pub(crate) upos: Upos,
    pub(crate) xpos: Xpos,
    pub(crate) head: Option<usize>,
    pub(crate) label: Label,
    /// Whether two parses agree on its head.
    pub(crate) sure: bool,
}

pub(crate) struct EditableSentence {
    pub(crate) text: String,
    pub(crate) words: Vec<ParsedWord>,
}

impl EditableSentence {
    pub(crate) fn new(text: &str) -> Self {
        let ranges = tokenize_treebank(text, &[]);
        let strings: Vec<&str> = ranges.iter().filter_map(|range| text.get(range.clone())).collect();
        let tree = DependencyParser::embedded().parse(&strings);
        let word = |(at, bytes): (usize, Range<usize>)| ParsedWord {
            bytes,
            lower: tree.lower(at).replace('’', "'"),
            upos: tree.upos(at),
            xpos: tree.xpos(at),
            head: tree.head(at),
            label: tree.label(at),
            sure: tree.has_agreed_head(at),
        };
        let words = ranges.into_iter().enumerate().map(word).collect();
        Self { text: text.to_owned(), words }
    }

    pub(crate) fn root(&self) -> Option<usize> {
        self.words.iter().position(|word| word.head.is_none())
    }

    pub(crate) fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        (0..self.words.len()).filter(move |child| self.words[*child].head == Some(at))
    }

    pub(crate) fn child_with_label(&self, at: usize, labels: &[Label]) -> Option<usize> {
        self.children(at).find(|child| labels.contains(&self.words[*child].label))
    }

    pub(crate) fn lower(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.lower.as_str())
    }

    /// Returns a token as it is written.
    pub(crate) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| self.slice(word.bytes.clone()))
    }

    pub(crate) fn slice(&self, bytes: Range<usize>) -> &str {
        self.text.get(bytes).unwrap_or_default()
    }

    /// Returns a token's subtree if it is one contiguous run and every parse agrees on it.
    pub(crate) fn phrase(&self, at: usize) -> Option<Range<usize>> {
        let below: Vec<usize> = (0..self.words.len()).filter(|word| self.is_descendant_of(*word, at)).collect();
        let (first, last) = (*below.first()?, *below.last()?);
        let whole = last - first + 1 == below.len();
        (whole && below.iter().all(|word| self.words[*word].sure)).then_some(first..last + 1)
    }

    fn is_descendant_of(&self, mut word: usize, at: usize) -> bool {
        // A path to the root is no longer than the sentence.
        for _ in 0..self.words.len() {
            if word == at {
                return true;
            }
            let Some(head) = self.words[word].head else { return false };
            word = head;
        }
        false
    }

    /// Returns the bytes of a run of tokens.
    pub(crate) fn byte_range(&self, run: &Range<usize>) -> Range<usize> {
        let start = self.words.get(run.start).map_or(0, |word| word.bytes.start);
        let end = run.end.checked_sub(1).and_then(|last| self.words.get(last)).map_or(start, |word| word.bytes.end);
        start..end.max(start)
    }

    pub(crate) fn run_text(&self, run: &Range<usize>) -> &str {
        self.slice(self.byte_range(run))
    }

    /// Returns the index after the last token before the full stop.
    pub(crate) fn body_end(&self) -> usize {
        let stop = self.words.last().is_some_and(|word| word.upos == Upos::Punct);
        self.words.len() - usize::from(stop)
    }

    /// Returns the sentence without its full stop.
    pub(crate) fn body(&self) -> &str {
        self.text.trim_end_matches('.')
    }

    /// Returns the text with byte ranges replaced.
    pub(crate) fn replace_bytes(&self, edits: &[(Range<usize>, &str)]) -> String {
        splice_text(&self.text, edits)
    }

    /// Returns the text with one token replaced, keeping a capital at the start.
    pub(crate) fn replace_word(&self, at: usize, new: &str) -> String {
        let new = if at == 0 { capitalize(new) } else { new.to_owned() };
        self.replace_bytes(&[(self.words[at].bytes.clone(), &new)])
    }

    /// Like [`EditableSentence::replace_word`], and adjusts "a" or "an" before the token.
    pub(crate) fn replace_with_article(&self, at: usize, new: &str) -> String {
        let Some(before) = at.checked_sub(1).filter(|before| matches!(self.lower(*before), "a" | "an")) else {
            return self.replace_word(at, new);
        };
        let an = if new.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
        let an = if before == 0 { capitalize(an) } else { an.to_owned() };
        self.replace_bytes(&[(self.words[before].bytes.clone(), &an), (self.words[at].bytes.clone(), new)])
    }

    /// Returns the text without a run of tokens, and without the space and comma left dangling.
    pub(crate) fn remove_run(&self, run: &Range<usize>) -> String {
        let (before, behind) = (run.start.checked_sub(1), run.end);
        let commas = [before, Some(behind)].map(|at| at.filter(|at| self.lower(*at) == ","));
        let mut bytes = self.byte_range(run);
        if run.start == 0 {
            let end = commas[1].map_or(run.end, |comma| comma + 1);
            bytes.end = self.words.get(end).map_or(self.text.len(), |word| word.bytes.start);
        } else {
            let start = commas[0].unwrap_or(run.start);
            bytes.start = start.checked_sub(1).map_or(0, |last| self.words[last].bytes.end);
            // "X, when Y, does Z": both commas go; "X when Y, and Z": the comma was not the phrase's.
            if let (Some(_), Some(comma)) = (commas[0], commas[1]) {
                bytes.end = self.words[comma].bytes.end;
            }
        }
        capitalize(&self.replace_bytes(&[(bytes, "")]))
    }

    pub(crate) fn has_any_word<'w>(&self, words: impl IntoIterator<Item = &'w &'static str>) -> bool {
        words.into_iter().any(|listed| self.words.iter().any(|word| word.lower == *listed))
    }

    /// Whether a noun phrase is plural.
    pub(crate) fn is_plural(&self, at: usize) -> bool {
        matches!(self.words[at].xpos, Xpos::Nns | Xpos::Nnps)
            || self.lower(at) == "you"
            || self.children(at).any(|child| self.words[child].label == Label::Conj)
    }
}

/// Replaces byte ranges, which must not overlap.
pub(crate) fn splice_text(text: &str, edits: &[(Range<usize>, &str)]) -> String {
    let mut edits: Vec<_> = edits.to_vec();
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::new();
    let mut done = 0;
    for (range, new) in edits {
        out += text.get(done..range.start).unwrap_or_default();
        out += new;
        done = range.end;
    }
    out + text.get(done..).unwrap_or_default()
}

/// Capitalizes the first word, unless it has its own capitalization: "iOS".
pub(crate) fn capitalize(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    if first.chars().skip(1).any(char::is_uppercase) {
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
