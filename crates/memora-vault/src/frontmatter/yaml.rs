//! The values of properties, by the YAML parser.
//!
//! Invariant: **a number stands in a value as it is written**, in a list as on the line of its key: `1.10`, `01234`, `0x1F`. The parser
//! keeps the number alone, so it is given a second text, in which numbers are marked as words.

use std::collections::{HashMap, HashSet};

use gray_matter::Pod;
use gray_matter::engine::{Engine, YAML};

use super::lines::YamlEntry;
use super::property::PropertyValue;
use super::written_numbers::{WRITTEN, mark_numbers};
use crate::problem::ProblemCollector;
use crate::{PartialDate, ProblemKind};

/// What YAML makes of an entry.
pub(crate) struct EntryValue<'a> {
    pub(crate) entry: &'a YamlEntry<'a>,
    /// As the parser reads it.
    pub(crate) pod: Pod,
    /// The same with its numbers marked; `None` where none can be.
    written: Option<Pod>,
}

impl EntryValue<'_> {
    /// The value, its numbers as they are written.
    pub(crate) fn value(&self) -> PropertyValue {
        to_property_value(self.written.as_ref().unwrap_or(&self.pod), self.entry.inline)
    }

    /// The single values in it with the numbers of lists as the parser reads them, which is what ids name.
    pub(crate) fn identity(&self) -> Vec<String> {
        to_property_value(&self.pod, self.entry.inline).scalar_strings()
    }
}

/// Asks the YAML parser for each entry's value; of two entries with one key, the first counts. `whole` takes what it made of all of
/// them.
pub(crate) fn parse_values<'a>(
    text: &'a str,
    entries: &'a [YamlEntry<'a>],
    problems: &mut ProblemCollector<'_>,
    whole: &mut dyn FnMut(&Pod),
) -> Option<Vec<EntryValue<'a>>> {
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
    let block = block.replace("\r\n", "\n").replace('\r', "\n");
    let pod = parse_block(&block)?;
    whole(&pod);
    let mut values = match pod {
        Pod::Hash(values) => values,
        Pod::Null => return Some(Vec::new()),
        _ => return None,
    };
    let mut marked = match mark_numbers(&block).and_then(|block| parse_block(&block)) {
        Some(Pod::Hash(values)) => values,
        _ => HashMap::new(),
    };
    let read = |entry: &'a YamlEntry<'a>| {
        let pod = values.remove(entry.key).unwrap_or(Pod::Null);
        EntryValue { entry, pod, written: marked.remove(entry.key).filter(is_marked_cleanly) }
    };
    Some(kept.into_iter().map(read).collect())
}

/// Parses a block, if that is safe.
pub(crate) fn parse_block(block: &str) -> Option<Pod> {
    let block = Some(block).filter(|block| is_safe_to_parse(block))?;
    // JSON is YAML, but the parser wants a space behind a colon; plugins write none.
    let json = block.trim_start().starts_with('{').then(|| serde_json::from_str::<serde_json::Value>(block).ok());
    let spaced = json.flatten().and_then(|value| serde_json::to_string_pretty(&value).ok());
    YAML::parse(spaced.as_deref().unwrap_or(block)).ok()
}

/// Whether marks stand in front of values alone: one within a text was set where the parser sees no number.
fn is_marked_cleanly(pod: &Pod) -> bool {
    match pod {
        Pod::String(text) => !text.strip_prefix(WRITTEN).unwrap_or(text).contains(WRITTEN),
        Pod::Array(items) => items.iter().all(is_marked_cleanly),
        Pod::Hash(map) => map.iter().all(|(key, value)| !key.contains(WRITTEN) && is_marked_cleanly(value)),
        _ => true,
    }
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
pub(crate) fn unquote_scalar(inline: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(rest) = inline.strip_prefix(quote) {
            return rest.split(quote).next().unwrap_or(rest).trim();
        }
    }
    inline.split(" #").next().unwrap_or(inline).trim()
}

pub(crate) fn to_property_value(pod: &Pod, inline: &str) -> PropertyValue {
    if let Some(link) = inline.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]"))
        && !link.contains("]]")
    {
        return PropertyValue::Text(inline.to_owned());
    }
    let raw = unquote_scalar(inline).to_owned();
    match pod {
        Pod::Null => PropertyValue::Empty,
        Pod::String(text) if text.trim().is_empty() => PropertyValue::Empty,
        Pod::String(text) => match text.strip_prefix(WRITTEN) {
            Some(number) => PropertyValue::Number(number.to_owned()),
            None => match PartialDate::parse(text).filter(|date| date.month().is_some()) {
                Some(date) => PropertyValue::Date(date),
                None => PropertyValue::Text(text.trim().to_owned()),
            },
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
