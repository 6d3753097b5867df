//! JSON as programs write it: with marks of bytes, raw control characters, halves of surrogate pairs, escapes that are none.
//!
//! What is certain is put right; what is not stays as it is, and is no JSON then.

use std::borrow::Cow;

use serde_json::Value;

/// Reads JSON that may have the slips of programs; `None` where it cannot be read. Of several values the first counts.
#[must_use]
pub fn read_json(bytes: &[u8]) -> Option<Value> {
    let read = |text: &str| serde_json::Deserializer::from_str(text).into_iter().next()?.ok();
    let whole = serde_json::from_slice(bytes).ok();
    let value: Value = whole.or_else(|| read(&repair_json(bytes)))?;
    match &value {
        // Encoded twice.
        Value::String(text) => serde_json::from_str(text).ok().filter(Value::is_object).or(Some(value)),
        _ => Some(value),
    }
}

/// Returns bytes as JSON text, with the slips of programs put right.
pub(crate) fn repair_json(bytes: &[u8]) -> String {
    let text = decode(bytes);
    let text = text.trim_matches(|c: char| c == '\u{feff}' || c == '\0' || c.is_whitespace());
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c == '"' {
            rest = repair_string(rest, &mut out);
        } else if c.is_ascii_alphabetic() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let (word, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            out.push_str(match word {
                "None" | "undefined" | "NaN" | "Infinity" => "null",
                "True" => "true",
                "False" => "false",
                word => word,
            });
            rest = after;
        } else {
            let after = rest.get(c.len_utf8()..).unwrap_or_default();
            // A comma in front of what ends an object or a list, and marks between values.
            let is_idle = c == ',' && after.trim_start().starts_with(['}', ']']) || c == '\u{feff}' || c == '\0';
            if !is_idle {
                out.push(c);
            }
            rest = after;
        }
    }
    out
}

/// The text of bytes: UTF-8, or UTF-16 with its mark. What is neither becomes `�`.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let wide = |bytes: &[u8], read: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).filter_map(|pair| Some(read(pair.try_into().ok()?))).collect();
        Cow::Owned(String::from_utf16_lossy(&units))
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes),
    }
}

/// Copies the string that a text begins with, its slips put right; returns what follows it.
fn repair_string<'t>(text: &'t str, out: &mut String) -> &'t str {
    out.push('"');
    let mut rest = text.get(1..).unwrap_or_default();
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '"' => {
                out.push('"');
                return rest;
            }
            '\\' => rest = repair_escape(rest, out),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    rest
}

/// Copies an escape without its backslash, or escapes that; returns what follows.
fn repair_escape<'t>(text: &'t str, out: &mut String) -> &'t str {
    let unit = |text: &str| u16::from_str_radix(text.strip_prefix('u')?.get(..4)?, 16).ok();
    match text.chars().next() {
        Some('u') => {
            let Some(first) = unit(text) else {
                out.push_str("\\\\");
                return text;
            };
            let after = text.get(5..).unwrap_or_default();
            let second = after.strip_prefix('\\').and_then(unit);
            match (first, second) {
                (0xd800..=0xdbff, Some(second @ 0xdc00..=0xdfff)) => {
                    out.push_str(&format!("\\u{first:04x}\\u{second:04x}"));
                    after.get(6..).unwrap_or_default()
                }
                (0xd800..=0xdfff, _) => {
                    out.push_str("\\ufffd");
                    after
                }
                _ => {
                    out.push_str(&format!("\\u{first:04x}"));
                    after
                }
            }
        }
        Some(c @ ('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't')) => {
            out.extend(['\\', c]);
            text.get(1..).unwrap_or_default()
        }
        // A path of Windows, as a program wrote it that escapes nothing.
        _ => {
            out.push_str("\\\\");
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn slips_of_programs_are_put_right() {
        for (bytes, expected) in [
            (&b"{\"a\":\"b\"}"[..], json!({"a": "b"})),
            (b"\xef\xbb\xbf\xef\xbb\xbf {\"a\":1}\r\n\0", json!({"a": 1})),
            (b"\xff\xfe{\0\"\0a\0\"\0:\x001\0}\0", json!({"a": 1})),
            (b"\xfe\xff\0{\0\"\0a\0\"\0:\x001\0}", json!({"a": 1})),
            (b"{\"a\":\"b\x01c\nd\"}", json!({"a": "b\u{1}c\nd"})),
            (b"{\"a\":\"b\\ud83d\"}", json!({"a": "b\u{fffd}"})),
            (b"{\"a\":\"\\udc00\\ud83d\\ude00\"}", json!({"a": "\u{fffd}\u{1f600}"})),
            (b"{\"a\":\"b\xffc\"}", json!({"a": "b\u{fffd}c"})),
            (br#"{"a":"C:\Users\x\new"}"#, json!({"a": "C:\\Users\\x\new"})),
            (b"{\"a\":[1,2,],}", json!({"a": [1, 2]})),
            (b"{\"a\":None,\"b\":True,\"c\":NaN}", json!({"a": null, "b": true, "c": null})),
            (b"{\"a\":1}{\"b\":2}", json!({"a": 1})),
            (b"\"{\\\"a\\\":1}\"", json!({"a": 1})),
        ] {
            assert_eq!(read_json(bytes), Some(expected), "{}", String::from_utf8_lossy(bytes));
        }
        for bytes in [&b""[..], b"{", b"{\"a\":\"b", b"\xff\xfe", b"no", b"{\"a\" 1}"] {
            assert_eq!(read_json(bytes), None, "{}", String::from_utf8_lossy(bytes));
        }
    }

    proptest! {
        #[test]
        fn what_is_json_is_read_as_it_is(text in "(?s).{0,40}", key in "[a-z]{1,8}") {
            let value = json!({ key: [text, 1, null, true] });
            prop_assert_eq!(serde_json::from_str::<Value>(&repair_json(value.to_string().as_bytes())).ok(), Some(value.clone()));
            prop_assert_eq!(read_json(value.to_string().as_bytes()), Some(value));
        }

        #[test]
        fn no_bytes_break_it(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = read_json(&bytes);
        }
    }
}
