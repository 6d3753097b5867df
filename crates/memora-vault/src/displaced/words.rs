//! What the lines of a head say.

use std::collections::BTreeSet;

use gray_matter::Pod;

use super::entry::{name_of_line, split_line};
use super::line::{HeadLine, LineKind};
use super::says::{self, KeyName, Statement, find_signs, meant_band, read_statements, said_word};
use crate::Band;
use crate::frontmatter::{
    PrivacyWord, collect_nested_bands, find_privacy_words, parse_block, parse_entries, to_property_value,
};
use crate::look_alike::folded;

/// What a head says of its note.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeadWords {
    /// The words that ask for a band, each with the line that says it.
    pub(crate) privacy: Vec<PrivacyWord>,
    /// What it calls the note: `memory`, `captured`, `review`.
    pub(crate) machine: Vec<String>,
}

impl HeadWords {
    fn is_empty(&self) -> bool {
        self.privacy.is_empty() && self.machine.is_empty()
    }
}

/// A head that is not where it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DisplacedHead {
    /// The first line that names a band or a machine.
    pub(crate) at: usize,
    pub(crate) words: HeadWords,
}

/// What the line at `at` says by itself, and as a row of the table that it stands in.
pub(super) fn read_line(lines: &[HeadLine<'_>], at: usize, header: Option<&HeadLine<'_>>) -> Option<DisplacedHead> {
    let line = lines.get(at)?;
    let is_value = |next: &&HeadLine<'_>| next.kind != LineKind::Blank && !next.bare.starts_with('#');
    let next = lines.get(at + 1..)?.iter().find(is_value);
    let mut said = read_statements(&line.folded, next.map_or("", |next| &next.folded));
    said.extend(header.into_iter().flat_map(|header| says::read_row(&header.folded, &line.folded)));
    let mut words = HeadWords::default();
    for said in said {
        match said {
            Statement::Privacy(word) => words.privacy.push(privacy_word(&word, line)),
            Statement::Machine(word) => words.machine.push(word.to_owned()),
            Statement::Tag(band) => {
                words.privacy.push(PrivacyWord { by_tag: true, ..privacy_word(band.as_str(), line) });
            }
        }
    }
    (!words.is_empty()).then_some(DisplacedHead { at: line.start, words })
}

fn privacy_word(word: &str, line: &HeadLine<'_>) -> PrivacyWord {
    PrivacyWord { word: word.to_owned(), range: line.start..line.start + line.bare.len(), by_tag: false }
}

/// The word by which a value calls a note a machine's. A certain head may say anything, as front matter may.
fn machine_word(value: &str, is_certain: bool) -> Option<String> {
    let value = folded(value);
    let known = says::machine_word(&value).map(str::to_owned);
    known.or_else(|| is_certain.then(|| value.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()))
}

/// Reads lines as a head; `None` if they name neither a band nor a machine.
pub(super) fn read_block(lines: &[HeadLine<'_>], is_certain: bool) -> Option<DisplacedHead> {
    let mut words = read_entries(lines, is_certain);
    read_as_yaml(lines, &mut words);
    let first = lines.iter().find(|line| name_of_line(&line.folded).is_some()).or(lines.first())?;
    (!words.is_empty()).then_some(DisplacedHead { at: first.start, words })
}

/// Reads the entries of a head that have a line each.
pub(super) fn read_entries(lines: &[HeadLine<'_>], is_certain: bool) -> HeadWords {
    let mut words = HeadWords::default();
    let margin = margin_of(lines);
    for line in lines.iter().filter(|line| line.indent <= margin) {
        let Some((key, value)) = split_line(line.folded.trim_start_matches(['?', '{', ' '])) else { continue };
        match KeyName::of(key) {
            Some(KeyName::Privacy) => {
                words.privacy.extend(band_word(value, is_certain).map(|word| privacy_word(&word, line)));
            }
            Some(KeyName::Machine) => words.machine.extend(machine_word(value, is_certain)),
            _ => {}
        }
    }
    words
}

/// Adds what the lines of a head say by themselves that YAML does not read: what a comment or a seal calls the note, a field of tags.
pub(super) fn read_marks(lines: &[HeadLine<'_>], words: &mut HeadWords) {
    let margin = margin_of(lines);
    for line in lines.iter().filter(|line| line.indent <= margin) {
        for said in read_statements(&line.folded, "") {
            match said {
                Statement::Machine(word) => words.machine.push(word.to_owned()),
                Statement::Tag(band) => {
                    words.privacy.push(PrivacyWord { by_tag: true, ..privacy_word(band.as_str(), line) });
                }
                Statement::Privacy(_) => {}
            }
        }
    }
}

/// How far the entries of a head are indented.
fn margin_of(lines: &[HeadLine<'_>]) -> usize {
    lines.iter().filter(|line| line.kind == LineKind::Key).map(|line| line.indent).min().unwrap_or(0)
}

/// What `memora` says at any depth of a head.
pub(super) fn read_machine_words(lines: &[HeadLine<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    let block = normal_block(lines);
    // Hardly any front matter has the word.
    let has_word = || block.to_lowercase().contains("memora");
    if let Some(pod) = has_word().then(|| parse_block(&block)).flatten() {
        collect_machine_words(&pod, &mut found);
    }
    found
}

/// Lines as they would stand in front matter.
fn normal_block(lines: &[HeadLine<'_>]) -> String {
    let margin = margin_of(lines);
    lines.iter().map(|line| normal_line(line, margin)).collect()
}

/// Adds what YAML finds in a block, and what stands anywhere in one that is none.
fn read_as_yaml(lines: &[HeadLine<'_>], words: &mut HeadWords) {
    let block = normal_block(lines);
    let line_at = |at: usize| {
        let number = block.get(..at).unwrap_or_default().matches('\n').count();
        lines.get(number).or(lines.first())
    };
    let (entries, _) = parse_entries(&block, 0..block.len());
    for said in find_privacy_words(&block, &entries).into_iter().filter(|said| said.by_tag) {
        let line = line_at(said.range.start);
        words.privacy.extend(line.map(|line| PrivacyWord { by_tag: true, ..privacy_word(&said.word, line) }));
    }
    let mut nested = BTreeSet::new();
    match parse_block(&block) {
        Some(pod) => {
            collect_nested_bands(&pod, &mut nested);
            collect_machine_words(&pod, &mut words.machine);
        }
        // What is escaped names nothing.
        None if lines.iter().all(|line| find_signs(line.bare).is_empty()) => {}
        None => {
            let lower = block.to_lowercase();
            nested.extend(
                [Band::Secret, Band::Private]
                    .into_iter()
                    .find(|band| lower.contains(band.as_str()))
                    .map(|band| (band, false)),
            );
        }
    }
    let told = |words: &HeadWords, band: Band| {
        words.privacy.iter().any(|said| Band::parse(&said.word).is_ok_and(|other| other >= band))
    };
    for (band, by_tag) in nested {
        let line = lines.iter().find(|line| line.folded.contains(band.as_str())).or(lines.first());
        if !told(words, band) {
            words.privacy.extend(line.map(|line| PrivacyWord { by_tag, ..privacy_word(band.as_str(), line) }));
        }
    }
}

/// A line as it would stand in front matter.
fn normal_line(line: &HeadLine<'_>, margin: usize) -> String {
    let words = line.folded.chars().map(|c| match c {
        '“' | '”' | '„' | '«' | '»' => '"',
        '‘' | '’' => '\'',
        '\t' => ' ',
        other => other,
    });
    let words: String = words.collect();
    let words = words.strip_prefix("– ").map_or(words.clone(), |item| format!("- {item}"));
    let words = match split_line(&words) {
        Some((key, value)) if line.kind == LineKind::Key && !words.contains(": ") => format!("{key}: {value}"),
        _ if line.kind == LineKind::Rule => String::new(),
        _ => words,
    };
    format!("{}{words}\n", " ".repeat(line.indent.saturating_sub(margin)))
}

/// Collects what `memora` calls a note at any depth.
fn collect_machine_words(pod: &Pod, found: &mut Vec<String>) {
    match pod {
        Pod::Array(items) => items.iter().for_each(|item| collect_machine_words(item, found)),
        Pod::Hash(map) => {
            for (key, value) in map {
                if key.trim().eq_ignore_ascii_case("memora") {
                    let words = to_property_value(value, "").scalar_strings();
                    found.extend(words.iter().filter_map(|word| machine_word(word, false)));
                }
                collect_machine_words(value, found);
            }
        }
        _ => {}
    }
}

/// The word of a value that asks for a band: one that names it or is meant to. In a certain head a band may stand among other words, and
/// a single word that names none, or nothing at all, is a slip.
fn band_word(value: &str, is_certain: bool) -> Option<String> {
    let value = folded(value);
    if let Some(word) = said_word(&value).and_then(meant_band) {
        return Some(word);
    }
    if !is_certain {
        return None;
    }
    let value = value.split(" #").next().unwrap_or_default();
    let words: Vec<&str> = value.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let strict = [Band::Secret, Band::Private, Band::Public];
    let named = strict.into_iter().find(|band| words.contains(&band.as_str())).map(|band| band.as_str().to_owned());
    named.or_else(|| words.iter().find_map(|word| meant_band(word))).or_else(|| match words.as_slice() {
        [] => Some(String::new()),
        [word] => Some((*word).to_owned()),
        _ => None,
    })
}
