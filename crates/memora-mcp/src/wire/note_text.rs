//! Text of notes as a client receives it: short, visible, and without a citation of a claim that the client was not given.

use memora_engine::report::sanitize_for_model;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use serde_json::Value;

use crate::budget::truncate_text;

/// Words of a note, up to so many bytes.
pub(crate) fn note_text(words: &str, bytes_max: usize) -> String {
    truncate_text(&sanitize_for_model(words), bytes_max)
}

/// The path of a note, up to so many bytes. One that holds what words may not is written as in an address, and so is one that
/// looks like such an address, so that no two notes are written alike.
pub(crate) fn note_path(path: &str, bytes_max: usize) -> String {
    /// What is encoded of such a path, beside all that is not ASCII.
    const UNSAFE: &AsciiSet =
        &CONTROLS.add(b'%').add(b'&').add(b':').add(b'[').add(b']').add(b'(').add(b')').add(b'{').add(b'}').add(b'<');
    if sanitize_for_model(path) == path && percent_decode_str(path).eq(path.bytes()) {
        return truncate_text(path, bytes_max);
    }
    truncate_text(&utf8_percent_encode(path, UNSAFE).to_string(), bytes_max)
}

/// The path that [`note_path`] wrote as in an address; `None` if it wrote none so.
pub(crate) fn decode_note_path(path: &str) -> Option<String> {
    percent_decode(path).filter(|decoded| decoded != path && note_path(decoded, usize::MAX) == path)
}

/// Decodes percent-encoding; `None` if a `%` begins no code, or the result is not UTF-8.
pub(crate) fn percent_decode(text: &str) -> Option<String> {
    let is_code =
        |rest: &str| rest.as_bytes().first_chunk::<2>().is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit));
    let decoded = percent_decode_str(text).decode_utf8().ok()?;
    text.split('%').skip(1).all(is_code).then(|| decoded.into_owned())
}

/// Takes out of each string what [`note_text`] would.
pub(crate) fn sanitize_strings(value: &mut Value) {
    match value {
        Value::String(text) => *text = sanitize_for_model(text),
        Value::Array(values) => values.iter_mut().for_each(sanitize_strings),
        Value::Object(fields) => fields.values_mut().for_each(sanitize_strings),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_and_what_could_pass_for_a_citation_is_not_sent() {
        assert_eq!(note_text("Anna \u{202e}works [claim:7h3kq0v9x2ma] here", 100), "Anna works  here");
    }

    #[test]
    fn a_path_that_is_written_otherwise_leads_back_to_its_note() {
        for plain in ["people/Anna Brandt.md", "50% off.md", "a [draft].md", "日記/2024.md"] {
            assert_eq!((note_path(plain, 100).as_str(), decode_note_path(plain)), (plain, None));
        }
        for odd in [
            "T [claim:7h3kq0v9x2ma].md",
            "e\u{202e}sc.md",
            "a\rb.md",
            "Budget%00.md",
            "50%/(claim:a) [b].md",
            "50%25 off.md",
        ] {
            let written = note_path(odd, 200);
            assert_eq!(sanitize_for_model(&written), written);
            assert_eq!(decode_note_path(&written).as_deref(), Some(odd), "{written}");
            assert_ne!(note_path(&written, 200), written, "it is another note's");
        }
    }
}
