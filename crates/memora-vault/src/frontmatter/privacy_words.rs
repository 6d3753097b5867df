//! The words of a block of properties that ask for a band.

use std::collections::BTreeSet;
use std::ops::Range;

use gray_matter::Pod;

use super::lines::{YamlEntry, lines_with_offsets};
use super::yaml::{to_property_value, unquote_scalar};
use crate::look_alike::{folded, is_invisible};
use crate::{Band, privacy_markers};

/// A word that asks for a band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PrivacyWord {
    pub(crate) word: String,
    /// The line of a property, from its first letter on; the letters of a tag.
    pub(crate) range: Range<usize>,
    /// Whether a tag says it.
    pub(crate) by_tag: bool,
}

/// Finds the words of `privacy` entries and the guarding tags of `tags` entries, however they are written.
pub(crate) fn find_privacy_words(text: &str, entries: &[YamlEntry<'_>]) -> Vec<PrivacyWord> {
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
        } else if let Some(band) = band_of_other_property(entry.key, unquote_scalar(entry.inline)) {
            let line = raw.split(['\r', '\n']).next().unwrap_or_default().trim_end();
            let range = entry.range.start..entry.range.start + line.len();
            found.push(PrivacyWord { word: band.as_str().to_owned(), range, by_tag: false });
        }
    }
    found
}

/// The band that a property of another name asks for, as other programs have it: `visibility: 🔒 private`, `confidential: true`.
fn band_of_other_property(key: &str, value: &str) -> Option<Band> {
    let band = |word: &str| match word {
        "private" => Some(Band::Private),
        "secret" | "confidential" => Some(Band::Secret),
        _ => None,
    };
    let key = key.to_lowercase();
    let word: String = value.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    match key.as_str() {
        "visibility" | "access" | "classification" | "confidentiality" | "sensitivity" => band(&word),
        key if matches!(word.as_str(), "true" | "yes") => band(key),
        _ => None,
    }
}

pub(crate) fn is_tags_key(key: &str) -> bool {
    key.eq_ignore_ascii_case("tags")
        || key.eq_ignore_ascii_case("tag")
        || matches!(folded(key).trim_matches(['"', '“', '”', '„']), "tags" | "tag")
}

/// Finds words that guard as tags do, with their offsets.
fn find_guarding_tags(raw: &str) -> impl Iterator<Item = (usize, &str, Band)> {
    let apart = |c: char| !c.is_alphanumeric() && !is_invisible(c) && !matches!(c, '_' | '-' | '/');
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
pub(crate) fn collect_nested_bands(pod: &Pod, found: &mut BTreeSet<(Band, bool)>) {
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

/// Locates in a block what YAML found in it: every line or word that looks like it, no matter which of them YAML meant,
/// or the first line if none does.
pub(crate) fn locate_privacy_words(
    band: Band,
    by_tag: bool,
    entries: &[YamlEntry<'_>],
    text: &str,
) -> Vec<PrivacyWord> {
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

#[cfg(test)]
mod tests {
    use crate::{Band, Note, NotePath, PathContext};

    #[test]
    fn properties_of_other_names_guard_too() {
        let band = |front: &str| {
            let path = NotePath::new("a.md").expect("a good path");
            Note::parse(path, format!("---\n{front}\n---\nopen\n"), PathContext::default()).0.band()
        };
        for (front, expected) in [
            ("visibility: 🔒 private", Band::Private),
            ("Visibility: \"🔒 Private\"", Band::Private),
            ("access: secret", Band::Secret),
            ("private: true", Band::Private),
            ("confidential: yes", Band::Secret),
            ("visibility: public", Band::Public),
            ("visibility: private beta", Band::Public),
            ("private: false", Band::Public),
            ("secret: the cake", Band::Public),
        ] {
            assert_eq!(band(front), expected, "{front}");
        }
    }
}
