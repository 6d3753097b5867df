//! The properties at the top of a note.
//!
//! The delimiters and all offsets are found here, line by line; the YAML parser supplies only *values*, because it
//! gives no offsets, changes line ends, and turns `1.10` into `1.1` and `up: [[Note]]` into a nested list.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use gray_matter::Pod;
use gray_matter::engine::{Engine, YAML};

use crate::band_reasons::BandReason;
use crate::problem::ProblemCollector;
use crate::{Band, PartialDate, ProblemKind, privacy_markers, privacy_sources};

/// A property of the front matter, with its bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The key, as written.
    pub key: String,
    /// The value.
    pub value: PropertyValue,
    /// The bytes from the key to the end of the value, over several lines where it has them.
    pub range: Range<usize>,
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyValue {
    /// Words.
    Text(String),
    /// A number, as written.
    Number(String),
    /// `true` or `false`.
    Bool(bool),
    /// A date, or a date and a time of which the date is kept.
    Date(PartialDate),
    /// Several values.
    List(Vec<Self>),
    /// Named values, by name.
    Map(Vec<(String, Self)>),
    /// Nothing.
    Empty,
}

impl PropertyValue {
    /// The single values in it, as words: a text is one, a list its items, nothing none. Named values are left out.
    #[must_use]
    pub fn scalar_strings(&self) -> Vec<String> {
        match self {
            Self::Text(text) | Self::Number(text) => vec![text.clone()],
            Self::Bool(yes) => vec![yes.to_string()],
            Self::Date(date) => vec![date.to_string()],
            Self::List(items) => items.iter().flat_map(Self::scalar_strings).collect(),
            Self::Map(_) | Self::Empty => Vec::new(),
        }
    }
}

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
}

/// A word that asks for a band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PrivacyWord {
    pub(crate) word: String,
    /// The line of a property, from its first letter on; the letters of a tag.
    pub(crate) range: Range<usize>,
    /// Whether a tag says it.
    pub(crate) by_tag: bool,
}

/// One `key:` at the left margin, with the lines that belong to it.
struct YamlEntry<'a> {
    key: &'a str,
    /// What stands behind the colon on the key's own line.
    inline: &'a str,
    range: Range<usize>,
}

/// Parses the front matter if the file starts with one, optionally after a byte order mark.
pub(crate) fn parse_front_matter(text: &str, problems: &mut ProblemCollector<'_>) -> FrontMatter {
    let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut lines = lines_with_offsets(text, bom);
    let Some((first, opening)) = lines.next().filter(|(_, line)| line.trim_end() == "---") else {
        return FrontMatter { body_start: bom, privacy: find_misplaced_privacy(text), ..FrontMatter::default() };
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
    front.entries = entries.iter().map(|entry| entry.range.clone()).collect();
    let Some(values) = owned.then(|| parse_values(text, &entries, &mut front.privacy, problems)).flatten() else {
        problems.report_at(first, ProblemKind::BadYaml);
        front.broken = true;
        return front;
    };
    for (entry, pod) in values {
        visit_texts(&pod, &mut |words| {
            let guarded =
                privacy_sources::find_reasons_in_value(words).map(|(reason, band)| (entry.range.clone(), reason, band));
            front.guarded.extend(guarded);
        });
        let value = to_property_value(&pod, entry.inline);
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
        front.properties.push(Property { key: entry.key.to_owned(), value, range: entry.range.clone() });
    }
    front
}

/// Lines with their offsets, line ends included: a line feed, or a carriage return, as editors see it.
fn lines_with_offsets(text: &str, start: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut at = start;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let end = memchr::memchr2(b'\r', b'\n', rest.as_bytes()).map_or(rest.len(), |end| {
            let end = end + 1;
            if rest.get(end - 1..).is_some_and(|behind| behind.starts_with("\r\n")) { end + 1 } else { end }
        });
        let (here, line) = (at, rest.get(..end)?);
        at += end;
        Some((here, line))
    })
}

/// Finds privacy words in front matter behind blank lines: it is not front matter, but its author meant it to be.
fn find_misplaced_privacy(text: &str) -> Vec<PrivacyWord> {
    let blank = text.len() - text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
    let mut lines = lines_with_offsets(text, blank);
    let Some((first, opening)) = lines.next().filter(|(_, line)| line.trim_end() == "---") else { return Vec::new() };
    let closing = lines.take(UNDELIMITED_LINES_MAX).find(|(_, line)| line.trim_end() == "---");
    closing
        .map_or_else(Vec::new, |(end, _)| find_privacy_words(text, &parse_entries(text, first + opening.len()..end).0))
}

/// The maximum length, in lines, of front matter that is not properly delimited.
const UNDELIMITED_LINES_MAX: usize = 40;

/// Splits a block into entries; also returns whether every line belongs to one, since a stray line may say anything.
fn parse_entries(text: &str, block: Range<usize>) -> (Vec<YamlEntry<'_>>, bool) {
    let mut out: Vec<YamlEntry<'_>> = Vec::new();
    let mut owned = true;
    for (at, line) in lines_with_offsets(text, block.start).take_while(|(at, _)| *at < block.end) {
        let bare = line.trim_end();
        if bare.is_empty() {
            continue;
        }
        let continues = line.starts_with([' ', '\t', '-', '#', ']', '}']);
        match (continues, split_key(bare)) {
            (false, Some((key, inline))) => out.push(YamlEntry { key, inline, range: at..at + bare.len() }),
            _ if line.starts_with('#') => {}
            _ => {
                if let Some(last) = out.last_mut() {
                    last.range.end = at + bare.len();
                } else {
                    owned = false;
                }
            }
        }
    }
    (out, owned)
}

/// Splits `key: value`; the key may be quoted.
fn split_key(line: &str) -> Option<(&str, &str)> {
    let at = line
        .match_indices(':')
        .map(|(at, _)| at)
        .find(|at| line.get(at + 1..).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t'])))?;
    let key = line.get(..at)?.trim();
    let key = key.strip_prefix('"').and_then(|k| k.strip_suffix('"')).unwrap_or(key);
    let key = key.strip_prefix('\'').and_then(|k| k.strip_suffix('\'')).unwrap_or(key);
    (!key.is_empty()).then(|| (key, line.get(at + 1..).unwrap_or_default().trim()))
}

/// Finds the words of `privacy` entries and the guarding tags of `tags` entries, however they are written.
fn find_privacy_words(text: &str, entries: &[YamlEntry<'_>]) -> Vec<PrivacyWord> {
    let mut found = Vec::new();
    for entry in entries {
        let raw = text.get(entry.range.clone()).unwrap_or_default();
        if entry.key.eq_ignore_ascii_case("privacy") {
            let line = raw.split(['\r', '\n']).next().unwrap_or_default().trim_end();
            let range = entry.range.start..entry.range.start + line.len();
            found.push(PrivacyWord { word: unquote_scalar(entry.inline).to_owned(), range, by_tag: false });
        } else if is_tags_key(entry.key) {
            found.extend(find_guarding_tags(raw).map(|(at, tag, band)| {
                let start = entry.range.start + at;
                PrivacyWord { word: band.as_str().to_owned(), range: start..start + tag.len(), by_tag: true }
            }));
        }
    }
    found
}

fn is_tags_key(key: &str) -> bool {
    key.eq_ignore_ascii_case("tags") || key.eq_ignore_ascii_case("tag")
}

/// Finds words that guard as tags do, with their offsets.
fn find_guarding_tags(raw: &str) -> impl Iterator<Item = (usize, &str, Band)> {
    let apart = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '/');
    let mut behind = 0;
    raw.split_inclusive(apart).filter_map(move |part| {
        let at = behind;
        behind += part.len();
        let word = part.trim_end_matches(apart);
        Some((at, word, privacy_markers::band_of_tag(word)?))
    })
}

/// Collects bands from YAML that has no line of its own: `{privacy: secret}`, `? privacy`, a nested key. Unknown words
/// are ignored there, as they may be about something else. Each band once, with whether a tag says it.
fn collect_nested_bands(pod: &Pod, found: &mut BTreeSet<(Band, bool)>) {
    match pod {
        Pod::Array(items) => items.iter().for_each(|item| collect_nested_bands(item, found)),
        Pod::Hash(map) => {
            for (key, value) in map {
                let words = to_property_value(value, "").scalar_strings();
                if key.trim().eq_ignore_ascii_case("privacy") {
                    found.extend(words.iter().filter_map(|word| Band::parse(word).ok()).map(|band| (band, false)));
                } else if is_tags_key(key.trim()) {
                    found.extend(
                        words.iter().flat_map(|word| find_guarding_tags(word)).map(|(_, _, band)| (band, true)),
                    );
                }
                collect_nested_bands(value, found);
            }
        }
        _ => {}
    }
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

/// Locates in a block what YAML found in it: every line or word that looks like it, no matter which of them YAML meant,
/// or the first line if none does.
fn locate_privacy_words(band: Band, by_tag: bool, entries: &[YamlEntry<'_>], text: &str) -> Vec<PrivacyWord> {
    let lines = trimmed_lines(entries, text);
    let said = |range| PrivacyWord { word: band.as_str().to_owned(), range, by_tag };
    let found: Vec<PrivacyWord> = if by_tag {
        find_tags_of_band(band, &lines).map(said).collect()
    } else {
        let says = |line: &str| line.contains("privacy") && line.contains(band.as_str());
        let saying = lines.iter().filter(|(_, line)| says(&line.to_lowercase()));
        saying.map(|(at, line)| said(*at..at + line.len())).collect()
    };
    if found.is_empty() {
        return vec![said(lines.first().map_or(0..0, |(at, line)| *at..at + line.len()))];
    }
    found
}

fn find_tags_of_band(band: Band, lines: &[(usize, &str)]) -> impl Iterator<Item = Range<usize>> {
    let tags = lines.iter().flat_map(|(start, line)| find_guarding_tags(line).map(move |found| (*start, found)));
    let tags = tags.filter(move |(_, (_, _, other))| *other == band);
    tags.map(|(start, (at, tag, _))| start + at..start + at + tag.len())
}

/// The lines of entries with their offsets, trimmed.
fn trimmed_lines<'t>(entries: &[YamlEntry<'_>], text: &'t str) -> Vec<(usize, &'t str)> {
    let (start, end) = (entries.first().map_or(0, |e| e.range.start), entries.last().map_or(0, |e| e.range.end));
    let lines = lines_with_offsets(text, start).take_while(|(at, _)| *at < end);
    lines.map(|(at, line)| (at + line.len() - line.trim_start().len(), line.trim())).collect()
}

/// Asks the YAML parser for each entry's value; of two entries with one key, the first counts.
fn parse_values<'a>(
    text: &'a str,
    entries: &'a [YamlEntry<'a>],
    privacy: &mut Vec<PrivacyWord>,
    problems: &mut ProblemCollector<'_>,
) -> Option<Vec<(&'a YamlEntry<'a>, Pod)>> {
    let mut kept: Vec<&YamlEntry<'_>> = Vec::new();
    let mut known = HashSet::new();
    for entry in entries {
        if known.insert(entry.key) {
            kept.push(entry);
        } else {
            problems.report_at(entry.range.start, ProblemKind::DuplicateProperty);
        }
    }
    let mut block = String::new();
    for entry in &kept {
        block.push_str(text.get(entry.range.clone())?);
        block.push('\n');
    }
    if !is_safe_to_parse(&block) {
        return None;
    }
    let pod = YAML::parse(&block.replace("\r\n", "\n").replace('\r', "\n")).ok()?;
    let mut nested = BTreeSet::new();
    collect_nested_bands(&pod, &mut nested);
    privacy.extend(nested.into_iter().flat_map(|(band, by_tag)| locate_privacy_words(band, by_tag, entries, text)));
    let mut values = match pod {
        Pod::Hash(values) => values,
        Pod::Null => return Some(Vec::new()),
        _ => return None,
    };
    Some(kept.into_iter().map(|entry| (entry, values.remove(entry.key).unwrap_or(Pod::Null))).collect())
}

/// Whether a block is safe to pass to the YAML parser: no nesting that exhausts the stack, no exponential aliases.
fn is_safe_to_parse(block: &str) -> bool {
    const DEEPEST: usize = 64;
    let mut depth = 0_usize;
    for byte in block.bytes() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return false;
        }
    }
    let deepest_indent = block.lines().map(|line| line.len() - line.trim_start_matches([' ', '-', '?']).len()).max();
    deepest_indent.unwrap_or(0) <= 4 * DEEPEST && block.matches('*').count() * block.matches('&').count() <= 64
}

/// The raw text of a value on its key's line, without comment and quotes.
fn unquote_scalar(inline: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(rest) = inline.strip_prefix(quote) {
            return rest.split(quote).next().unwrap_or(rest).trim();
        }
    }
    inline.split(" #").next().unwrap_or(inline).trim()
}

fn to_property_value(pod: &Pod, inline: &str) -> PropertyValue {
    if let Some(link) = inline.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]"))
        && !link.contains("]]")
    {
        return PropertyValue::Text(inline.to_owned());
    }
    let raw = unquote_scalar(inline).to_owned();
    match pod {
        Pod::Null => PropertyValue::Empty,
        Pod::String(text) if text.trim().is_empty() => PropertyValue::Empty,
        Pod::String(text) => match PartialDate::parse(text).filter(|date| date.month().is_some()) {
            Some(date) => PropertyValue::Date(date),
            None => PropertyValue::Text(text.trim().to_owned()),
        },
        Pod::Integer(number) => PropertyValue::Number(if raw.is_empty() { number.to_string() } else { raw }),
        Pod::Float(number) => PropertyValue::Number(if raw.is_empty() { number.to_string() } else { raw }),
        Pod::Boolean(yes) => PropertyValue::Bool(*yes),
        Pod::Array(items) => PropertyValue::List(items.iter().map(|item| to_property_value(item, "")).collect()),
        Pod::Hash(map) => {
            let mut named: Vec<_> =
                map.iter().map(|(key, value)| (key.clone(), to_property_value(value, ""))).collect();
            named.sort_by(|a, b| a.0.cmp(&b.0));
            PropertyValue::Map(named)
        }
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
