//! Noise in front of a statement's words: a time of day, a sign, a tag, "TODO:".

use std::ops::Range;

use crate::lists::{INSTRUCTING_LABELS, SPOKEN_FILLERS};

/// Returns the range of a text to read: without noise in front and behind.
pub(super) fn strip_noise(text: &str, solid: &[Range<usize>]) -> Range<usize> {
    let mut start = 0;
    loop {
        let rest = text.get(start..).unwrap_or_default();
        let cut = leading_noise_len(rest, start, solid);
        if cut == 0 {
            break;
        }
        start += cut;
    }
    let mut end = text.len();
    loop {
        let rest = text.get(start..end).unwrap_or_default();
        let kept = rest.trim_end();
        let last = kept.rsplit(char::is_whitespace).next().unwrap_or_default();
        let is_tag = last.starts_with('#') && last.len() > 1 && last.chars().skip(1).any(char::is_alphabetic);
        let shorter = if is_tag { kept.len() - last.len() } else { kept.len() };
        if start + shorter == end {
            break;
        }
        end = start + shorter;
    }
    start..end.max(start)
}

/// Returns the length in bytes of the noise at the front of `rest`.
fn leading_noise_len(rest: &str, at: usize, solid: &[Range<usize>]) -> usize {
    let trimmed = rest.trim_start();
    let space = rest.len() - trimmed.len();
    if trimmed.is_empty() {
        return 0;
    }
    if space > 0 {
        return space;
    }
    if solid.iter().any(|range| range.contains(&at)) {
        return 0;
    }
    let first = trimmed.split(char::is_whitespace).next().unwrap_or_default();
    let is_tag = first.starts_with('#') && first.chars().skip(1).any(char::is_alphabetic);
    let is_sign =
        !first.chars().any(|c| c.is_alphanumeric() || matches!(c, '"' | '“' | '(' | '\'' | '[' | '$' | '€' | '£'));
    if is_tag || is_sign {
        return first.len();
    }
    clock_len(trimmed).or_else(|| instruction_label_len(trimmed)).or_else(|| filler_len(trimmed)).unwrap_or(0)
}

/// Returns the length of an answer particle, "No, …", "Yes, …", which does not negate the rest.
fn filler_len(rest: &str) -> Option<usize> {
    let first = rest.split_whitespace().next()?;
    SPOKEN_FILLERS.contains(first.to_lowercase().as_str()).then_some(first.len())
}

/// Returns the length of a time of day, `10:30`, with a dash or not: when a line of a diary was written.
fn clock_len(rest: &str) -> Option<usize> {
    let first = rest.split(char::is_whitespace).next()?;
    let clock = first.trim_end_matches([':', '-', '–', '—', ',']);
    let (hour, minute) = clock.split_once(':')?;
    let digits = |text: &str, most: usize| (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    let more = rest.len() > first.len();
    (digits(hour, 2) && digits(minute, 2) && minute.len() == 2 && more).then_some(first.len())
}

/// Returns the length of "TODO:" and similar labels, with the colon.
fn instruction_label_len(rest: &str) -> Option<usize> {
    let (name, value) = rest.split_once(':')?;
    (is_instruction_label(name) && value.starts_with(char::is_whitespace)).then_some(name.len() + 1)
}

/// Whether a label says what to do with the rest.
pub(crate) fn is_instruction_label(label: &str) -> bool {
    INSTRUCTING_LABELS.contains(label.trim().to_lowercase().as_str())
}
