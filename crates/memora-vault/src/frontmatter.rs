//! The properties at the top of a note.
//!
//! The delimiters and all offsets are found here, line by line; the YAML parser supplies only *values*, because it
//! gives no offsets, changes line ends, and turns `1.10` into `1.1` and `up: [[Note]]` into a nested list.

mod lines;
mod privacy_words;
mod property;
mod written_numbers;
mod yaml;

use std::collections::BTreeSet;
use std::ops::Range;

use gray_matter::Pod;

use self::privacy_words::locate_privacy_words;
use self::yaml::parse_values;
use crate::band_reasons::BandReason;
use crate::displaced::{DisplacedHead, find_displaced_heads, read_head};
use crate::problem::ProblemCollector;
use crate::{Band, ProblemKind, credentials, privacy_sources};

pub use self::property::{Property, PropertyValue};

pub(crate) use self::lines::{lines_with_offsets, parse_entries};
pub(crate) use self::privacy_words::{PrivacyWord, collect_nested_bands, find_privacy_words};
pub(crate) use self::yaml::{parse_block, to_property_value};

/// The maximum length, in lines, of front matter that is never closed.
const UNDELIMITED_LINES_MAX: usize = 40;

/// The parsed front matter.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrontMatter {
    /// From the first byte of the file to behind the closing line; empty when there is none.
    pub(crate) range: Range<usize>,
    pub(crate) body_start: usize,
    pub(crate) properties: Vec<Property>,
    /// With the bytes of the property they stand in.
    pub(crate) aliases: Vec<(String, Range<usize>)>,
    /// Without `#`, likewise.
    pub(crate) tags: Vec<(String, Range<usize>)>,
    pub(crate) id: Option<(String, Range<usize>)>,
    /// The words of every `privacy` line, read from the raw text so that neither bad YAML nor a second line hides one;
    /// also words that only YAML finds, and bands that tags ask for.
    pub(crate) privacy: Vec<PrivacyWord>,
    /// Whether the YAML could not be parsed, so that its contents are unknown.
    pub(crate) broken: bool,
    /// The bytes of every property, also of those that are lost or given twice.
    pub(crate) entries: Vec<Range<usize>>,
    /// Reasons to guard the values that YAML made of a property, with its bytes.
    pub(crate) guarded: Vec<(Range<usize>, BandReason, Band)>,
    /// The words by which a head calls the note a machine's, wherever that head stands.
    pub(crate) machine: Vec<String>,
}

/// Parses the front matter if the file starts with one, optionally after a byte order mark, and what reads like it elsewhere.
pub(crate) fn parse_front_matter(text: &str, problems: &mut ProblemCollector<'_>) -> FrontMatter {
    let mut front = parse_delimited(text, problems);
    let is_unclosed = !front.privacy.is_empty() && front.range.is_empty();
    for DisplacedHead { at, words } in find_displaced_heads(text, front.body_start) {
        front.machine.extend(words.machine);
        // What is never closed was told as such, and its words are known.
        let is_told = is_unclosed && front.privacy.iter().any(|said| said.range.start >= at);
        if !is_told {
            problems.report_at(at, ProblemKind::DisplacedFrontMatter);
            front.privacy.extend(words.privacy);
        }
    }
    front
}

/// Parses the front matter that stands where it should.
fn parse_delimited(text: &str, problems: &mut ProblemCollector<'_>) -> FrontMatter {
    let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut lines = lines_with_offsets(text, bom);
    let Some((first, opening)) = lines.next().filter(|(_, line)| line.trim_end() == "---") else {
        return FrontMatter { body_start: bom, ..FrontMatter::default() };
    };
    let block_start = first + opening.len();
    let closing = lines.find(|(_, line)| line.trim_end() == "---");
    let Some((block_end, closing)) = closing else {
        problems.report_at(first, ProblemKind::UnclosedFrontMatter);
        let (mut entries, _) = parse_entries(text, block_start..text.len());
        entries.truncate(UNDELIMITED_LINES_MAX);
        return FrontMatter { body_start: bom, privacy: find_privacy_words(text, &entries), ..FrontMatter::default() };
    };
    let body_start = block_end + closing.len();
    let mut front = FrontMatter { range: 0..body_start, body_start, ..FrontMatter::default() };
    let (entries, owned) = parse_entries(text, block_start..block_end);
    front.privacy = find_privacy_words(text, &entries);
    let words = read_head(text, block_start..block_end);
    front.machine = words.machine;
    let told = front.privacy.clone();
    let is_new = |said: &PrivacyWord| told.iter().all(|told| !ranges_meet(&told.range, &said.range));
    front.privacy.extend(words.privacy.into_iter().filter(is_new));
    front.entries = entries.iter().map(|entry| entry.range.clone()).collect();
    let mut nested = BTreeSet::new();
    let mut whole = |pod: &Pod| collect_nested_bands(pod, &mut nested);
    let values = owned.then(|| parse_values(text, &entries, problems, &mut whole)).flatten();
    let nested = nested.into_iter().flat_map(|(band, by_tag)| locate_privacy_words(band, by_tag, &entries, text));
    front.privacy.extend(nested);
    let Some(values) = values else {
        problems.report_at(first, ProblemKind::BadYaml);
        front.broken = true;
        return front;
    };
    for read in values {
        let entry = read.entry;
        visit_texts(&read.pod, &mut |words| {
            let guarded =
                privacy_sources::find_reasons_in_value(words).map(|(reason, band)| (entry.range.clone(), reason, band));
            front.guarded.extend(guarded);
            // What the key calls a password may stand on a line of its own.
            let said = format!("{}: {}", entry.key, words.trim());
            let told = credentials::find_credentials(&said).into_iter().map(|(_, kind)| kind);
            let guarded = told.map(|kind| (entry.range.clone(), BandReason::Credential(kind), Band::Secret));
            front.guarded.extend(guarded);
        });
        let value = read.value();
        match entry.key.to_lowercase().as_str() {
            "aliases" | "alias" => {
                front.aliases.extend(split_words(&value, &[',']).map(|alias| (alias, entry.range.clone())));
            }
            "tags" | "tag" => {
                let tags = split_words(&value, &[',', ' ']).map(|tag| tag.trim_start_matches('#').to_owned());
                front.tags.extend(tags.filter(|tag| !tag.is_empty()).map(|tag| (tag, entry.range.clone())));
            }
            "id" | "uid" => {
                let id = || Some((value.scalar_strings().into_iter().next()?, entry.range.clone()));
                front.id = front.id.take().or_else(id);
            }
            _ => {}
        }
        let identity = read.identity();
        front.properties.push(Property { key: entry.key.to_owned(), value, range: entry.range.clone(), identity });
    }
    front
}

fn ranges_meet(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Calls `found` with every text in a value, keys included.
fn visit_texts(pod: &Pod, found: &mut impl FnMut(&str)) {
    match pod {
        Pod::String(text) => found(text),
        Pod::Array(items) => items.iter().for_each(|item| visit_texts(item, found)),
        Pod::Hash(map) => map.iter().for_each(|(key, value)| {
            found(key);
            visit_texts(value, found);
        }),
        _ => {}
    }
}

fn split_words(value: &PropertyValue, separators: &'static [char]) -> impl Iterator<Item = String> {
    let listed = matches!(value, PropertyValue::List(_));
    value.scalar_strings().into_iter().flat_map(move |word| {
        let parts: Vec<String> = if listed {
            vec![word.trim().to_owned()]
        } else {
            word.split(separators).map(|part| part.trim().to_owned()).collect()
        };
        parts.into_iter().filter(|part| !part.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use crate::{Note, NotePath, PathContext, ProblemKind, PropertyValue};

    fn parse(text: &str) -> (Note, Vec<ProblemKind>) {
        let path = NotePath::new("a.md").expect("a good path");
        let (note, problems) = Note::parse(path, text.to_owned(), PathContext::default());
        (note, problems.into_iter().map(|p| p.kind).collect())
    }

    fn text(word: &str) -> Option<PropertyValue> {
        Some(PropertyValue::Text(word.to_owned()))
    }

    #[test]
    fn values_keep_their_writing() {
        let (note, problems) = parse("---\nversion: 1.10\ndone: true\nup: [[Home]]\nwhen: 2024-03-12T10:00\n---\nx");
        assert!(problems.is_empty());
        assert_eq!(note.property("version"), Some(&PropertyValue::Number("1.10".into())));
        assert_eq!(note.property("done"), Some(&PropertyValue::Bool(true)));
        assert_eq!(note.property("up").cloned(), text("[[Home]]"));
        assert!(matches!(note.property("when"), Some(PropertyValue::Date(d)) if d.to_string() == "2024-03-12"));
    }

    #[test]
    fn numbers_in_lists_keep_their_writing_and_their_ids() {
        let list = |key: &str, yaml: &str| {
            let (note, problems) = parse(&format!("---\n{yaml}\n---\nx"));
            assert!(problems.is_empty(), "{yaml}");
            let property = note.properties().iter().find(|property| property.key == key).expect("it is there").clone();
            (property.value.scalar_strings(), property.identity)
        };
        let (values, identity) = list("v", "v: [1.10, 01234, 0x1F, 12345678901234567890, 0.10, x]");
        assert_eq!(values, ["1.10", "01234", "0x1F", "12345678901234567890", "0.10", "x"]);
        assert_eq!(identity, ["1.1", "1234", "31", "12345678901234567000", "0.1", "x"]);
        assert_eq!(list("z", "z:\n  - 01234\n  - \"0x1F\"").0, ["01234", "0x1F"]);
        assert_eq!(list("v", "v: 1.10 # new").0, ["1.10"]);
        assert_eq!(list("t", "t: |\n  - 1.10\nv: [1.10]").0, ["- 1.10"]);
        assert_eq!(list("v", "t: |\n  - 1.10\nv: [1.10]").0, ["1.10"]);
        let (note, _) = parse("---\naliases: [3.10, 007]\n---\nx");
        assert_eq!(note.aliases().iter().map(|alias| alias.text.as_str()).collect::<Vec<_>>(), ["3.10", "007"]);
    }

    #[test]
    fn ranges_are_bytes_of_the_file_behind_a_mark_and_with_carriage_returns() {
        let (note, problems) = parse("\u{feff}---\r\nstatus: active\r\ntags:\r\n  - a\r\n  - b/c\r\n---\r\nx\r\n");
        assert!(problems.is_empty());
        let cut = |at: usize| note.text().get(note.properties()[at].range.clone());
        assert_eq!(cut(0), Some("status: active"));
        assert_eq!(cut(1), Some("tags:\r\n  - a\r\n  - b/c"));
        assert_eq!(note.tags().iter().map(|tag| tag.text.as_str()).collect::<Vec<_>>(), ["a", "b/c"]);
    }

    #[test]
    fn of_two_properties_the_first_counts() {
        let (note, problems) = parse("---\nstatus: active\nstatus: done\n---\n");
        assert_eq!(problems, [ProblemKind::DuplicateProperty]);
        assert_eq!(note.property("status").cloned(), text("active"));
    }

    #[test]
    fn bad_yaml_loses_the_properties_and_not_the_note() {
        let (note, problems) = parse("---\na: b: c\n---\nStill here.\n");
        assert_eq!(problems, [ProblemKind::BadYaml]);
        assert!(note.properties().is_empty());
        assert_eq!(note.segments().len(), 1);
    }

    #[test]
    fn an_unclosed_one_is_text() {
        let (note, problems) = parse("---\nstatus: active\n\nStill here.\n");
        assert_eq!(problems, [ProblemKind::UnclosedFrontMatter]);
        assert!(note.properties().is_empty());
    }

    #[test]
    fn a_rule_in_mid_note_is_not_front_matter() {
        let (note, problems) = parse("Hello.\n\n---\nstatus: active\n---\n");
        assert!(problems.is_empty() && note.properties().is_empty());
    }

    #[test]
    fn a_bomb_is_bad_yaml() {
        let deep = format!("---\na: {}\n---\n", "[".repeat(100_000));
        assert_eq!(parse(&deep).1, [ProblemKind::BadYaml]);
    }
}
