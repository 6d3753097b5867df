//! Labels in front of a text: `Label: value`.

use memora_claim::Modality;

use crate::lists::{HEARSAY_LABELS, OPEN_LABELS, QUESTION_LABELS, UNTRUE_LABELS, VALUE_OPENINGS};
use crate::readings::{is_instruction_label, is_speech_verb};

/// Whether a label qualifies the text behind it, or is an instruction.
pub(crate) fn is_framing_label(label: &str) -> bool {
    label_modality(label).is_some() || is_instruction_label(label)
}

/// Returns the modality that a label in front of a statement gives it: "Not true: …".
pub(crate) fn leading_label_modality(words: &str) -> Option<Modality> {
    label_modality(split_label(words)?.0)
}

/// Returns the modality that a label gives to the text behind it: "Not true:", "Rumour:", "Option B:", "He says:".
pub(crate) fn label_modality(label: &str) -> Option<Modality> {
    let lower = label.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let option =
        matches!(words.as_slice(), ["option" | "scenario" | "proposal" | "plan", one] if one.chars().count() == 1);
    let unless = matches!(words.first(), Some(&("unless" | "if" | "assuming")));
    if UNTRUE_LABELS.contains(lower.as_str()) {
        Some(Modality::Rejected)
    } else if QUESTION_LABELS.contains(lower.as_str()) {
        Some(Modality::Questioned)
    } else if HEARSAY_LABELS.contains(lower.as_str())
        || words.len() > 1 && words.last().is_some_and(|last| is_speech_verb(last))
    {
        Some(Modality::Reported)
    } else if OPEN_LABELS.contains(lower.as_str()) || option || unless {
        Some(Modality::Conditional)
    } else {
        None
    }
}

/// Splits `Label: value`, with a short label; times, addresses and paths do not match.
pub(crate) fn split_label(words: &str) -> Option<(&str, &str)> {
    let (label, value) = words.split_once(": ").or_else(|| words.split_once('：'))?;
    let count = label.split_whitespace().count();
    let plain = !label.contains([',', '.', ';', '"', '(', '[', '!', '?', '。', '、', '「']);
    let short = (1..=4).contains(&count) && label.chars().count() <= 40;
    let fits = short && plain && label.chars().any(char::is_alphabetic) && !value.trim().is_empty();
    fits.then(|| (label.trim(), value.trim()))
}

/// Whether a value defines its term, and is not the value of an attribute: a phrase in lower case without figures.
pub(crate) fn is_definition_text(value: &str) -> bool {
    let words = value.split_whitespace().count();
    let lower = value.chars().next().is_some_and(char::is_lowercase);
    let article = value
        .split_whitespace()
        .next()
        .is_some_and(|first| matches!(first.to_lowercase().as_str(), "a" | "an" | "the"));
    let figures = value.contains(|c: char| c.is_ascii_digit());
    let first = value.split_whitespace().next().unwrap_or_default();
    !VALUE_OPENINGS.contains(first) && words >= 2 && (article || lower && !figures && !value.contains(','))
}

/// Splits at commas outside brackets: "Linda (early, floury), Annabelle".
fn split_at_commas(value: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    let parts = value.split(|c: char| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        c == ',' && depth <= 0
    });
    parts.map(str::trim).collect()
}

/// Splits several short values behind one label: "Attendees: Petra, Olu, Jens".
pub(crate) fn split_label_values<'v>(label: &str, value: &'v str) -> Vec<&'v str> {
    let parts = split_at_commas(value);
    let short = parts.iter().all(|part| (1..=3).contains(&part.split_whitespace().count()));
    let plural = label.ends_with('s') && !label.ends_with("ss") && !label.ends_with("us") && !label.ends_with("is");
    // "Portland, Oregon" is one value.
    let place = parts.iter().all(|part| part.starts_with(char::is_uppercase) && !part.contains(' '));
    let several = parts.len() >= 3 || parts.len() == 2 && (plural || !place);
    if several && short && !value.contains(';') { parts } else { vec![value] }
}
