//! A sentence with its tree, to be cut and put together again.

use std::ops::Range;

use memora_nlp::{DependencyParser, Label, Upos, Xpos, tokenize_treebank};

pub(crate) struct Word {
    pub(crate) bytes: Range<usize>,
    pub(crate) lower: String,
    pub(crate) upos: Upos,
    pub(crate) xpos: Xpos,
    pub(crate) head: Option<usize>,
    pub(crate) label: Label,
    /// Whether two readings gave it the same head.
    pub(crate) sure: bool,
}

pub(crate) struct Parsed {
    pub(crate) text: String,
    pub(crate) words: Vec<Word>,
}

impl Parsed {
    pub(crate) fn new(text: &str) -> Self {
        let ranges = tokenize_treebank(text, &[]);
        let strings: Vec<&str> = ranges.iter().filter_map(|range| text.get(range.clone())).collect();
        let tree = DependencyParser::embedded().parse(&strings);
        let word = |(at, bytes): (usize, Range<usize>)| Word {
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

    pub(crate) fn child(&self, at: usize, labels: &[Label]) -> Option<usize> {
        self.children(at).find(|child| labels.contains(&self.words[*child].label))
    }

    pub(crate) fn lower(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.lower.as_str())
    }

    /// A token as it is written.
    pub(crate) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| self.slice(word.bytes.clone()))
    }

    pub(crate) fn slice(&self, bytes: Range<usize>) -> &str {
        self.text.get(bytes).unwrap_or_default()
    }

    /// What hangs on a token, itself included, where that is one run of tokens and every reading agrees on it.
    pub(crate) fn phrase(&self, at: usize) -> Option<Range<usize>> {
        let below: Vec<usize> = (0..self.words.len()).filter(|word| self.hangs_on(*word, at)).collect();
        let (first, last) = (*below.first()?, *below.last()?);
        let whole = last - first + 1 == below.len();
        (whole && below.iter().all(|word| self.words[*word].sure)).then_some(first..last + 1)
    }

    fn hangs_on(&self, mut word: usize, at: usize) -> bool {
        // A tree is no deeper than it is long.
        for _ in 0..self.words.len() {
            if word == at {
                return true;
            }
            let Some(head) = self.words[word].head else { return false };
            word = head;
        }
        false
    }

    /// The bytes of a run of tokens.
    pub(crate) fn bytes(&self, run: &Range<usize>) -> Range<usize> {
        let start = self.words.get(run.start).map_or(0, |word| word.bytes.start);
        let end = run.end.checked_sub(1).and_then(|last| self.words.get(last)).map_or(start, |word| word.bytes.end);
        start..end.max(start)
    }

    pub(crate) fn run(&self, run: &Range<usize>) -> &str {
        self.slice(self.bytes(run))
    }

    /// The tokens before the full stop.
    pub(crate) fn body_end(&self) -> usize {
        let stop = self.words.last().is_some_and(|word| word.upos == Upos::Punct);
        self.words.len() - usize::from(stop)
    }

    /// The sentence without its full stop.
    pub(crate) fn body(&self) -> &str {
        self.text.trim_end_matches('.')
    }

    /// The text with runs of bytes written anew.
    pub(crate) fn with(&self, edits: &[(Range<usize>, &str)]) -> String {
        spliced(&self.text, edits)
    }

    /// The text with one token written anew, its capital kept.
    pub(crate) fn with_word(&self, at: usize, new: &str) -> String {
        let new = if at == 0 { capital(new) } else { new.to_owned() };
        self.with(&[(self.words[at].bytes.clone(), &new)])
    }

    /// The same, with "a" or "an" before it as it needs.
    pub(crate) fn with_article(&self, at: usize, new: &str) -> String {
        let Some(before) = at.checked_sub(1).filter(|before| matches!(self.lower(*before), "a" | "an")) else {
            return self.with_word(at, new);
        };
        let an = if new.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
        let an = if before == 0 { capital(an) } else { an.to_owned() };
        self.with(&[(self.words[before].bytes.clone(), &an), (self.words[at].bytes.clone(), new)])
    }

    /// The text without a run of tokens, and without the space and the comma that then stand alone.
    pub(crate) fn without(&self, run: &Range<usize>) -> String {
        let (before, behind) = (run.start.checked_sub(1), run.end);
        let commas = [before, Some(behind)].map(|at| at.filter(|at| self.lower(*at) == ","));
        let mut bytes = self.bytes(run);
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
        capital(&self.with(&[(bytes, "")]))
    }

    pub(crate) fn has_any(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.lower.as_str()))
    }

    /// Whether a noun is meant in the plural.
    pub(crate) fn is_plural(&self, at: usize) -> bool {
        matches!(self.words[at].xpos, Xpos::Nns | Xpos::Nnps)
            || self.lower(at) == "you"
            || self.children(at).any(|child| self.words[child].label == Label::Conj)
    }
}

/// Replaces runs of bytes, which do not overlap.
pub(crate) fn spliced(text: &str, edits: &[(Range<usize>, &str)]) -> String {
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

/// With a capital in front, unless the first word is written in a way of its own: "iOS".
pub(crate) fn capital(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    if first.chars().skip(1).any(char::is_uppercase) {
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
