//! JSON one value at a time: of a list its elements, of an object its values, and of those that are lists their elements.
//!
//! Only the value at hand is in memory. A value that is wrong in itself is told, and the next one is read. What is in a value is asked for
//! by the names of its fields, of which programs have several for the same thing.

use std::io::{self, BufRead};

use serde_json::Value;
use serde_json::error::Category;

use super::record::{ForeignRecord, ForeignTime, Found, RECORD_BYTES_MAX, RecordFault, tell};

/// What takes the values: the key of the list or of the value in the outer object, empty in an outer list; and the bytes.
type Each<'e, E> = dyn FnMut(&str, Result<&[u8], RecordFault>) -> Result<(), E> + 'e;

/// What takes the lines: the number of each, from 1, and its bytes.
type EachLine<'e, E> = dyn FnMut(usize, Result<&[u8], RecordFault>) -> Result<(), E> + 'e;

/// Reads the records of a document that stand below these keys. `read` gives those of one value, and `None` for one of another shape.
pub(super) fn read_records<E: From<io::Error>>(
    from: &mut dyn BufRead,
    keys: &[&str],
    found: &mut Found<'_, E>,
    mut read: impl FnMut(&str, &Value) -> Option<Vec<ForeignRecord>>,
) -> Result<(), E> {
    let mut number = 0;
    read_values(from, &mut |key, value| {
        if !keys.contains(&key) {
            return Ok(());
        }
        number += 1;
        let records = value.and_then(parse).and_then(|value| read(key, &value).ok_or(RecordFault::UnknownShape));
        tell(number, records, found)
    })
}

/// Reads the values of a document.
fn read_values<E: From<io::Error>>(from: &mut dyn BufRead, each: &mut Each<'_, E>) -> Result<(), E> {
    let mut values = Values { from, bytes: Vec::new() };
    if values.peek()? == Some(0xef) {
        values.skip(3)?;
    }
    match values.peek()? {
        Some(b'[') => values.read_list("", each).map(|_| ()),
        Some(b'{') => values.read_object(each),
        Some(_) => each("", Err(RecordFault::NotJson)),
        None => Ok(()),
    }
}

/// Reads the lines of a file, each of them a value; empty ones are left out.
///
/// # Errors
/// Those of the reader, and those of `each`, which end the reading.
pub fn read_lines<E: From<io::Error>>(from: &mut dyn BufRead, each: &mut EachLine<'_, E>) -> Result<(), E> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let limit = RECORD_BYTES_MAX as u64 + 1;
        if io::Read::take(&mut *from, limit).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() > RECORD_BYTES_MAX {
            crate::transcript::skip_line(from)?;
            each(number, Err(RecordFault::TooLong))?;
        } else if !line.trim_ascii().is_empty() {
            each(number, Ok(&line))?;
        }
    }
    Ok(())
}

/// Reads a value.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, RecordFault> {
    serde_json::from_slice(bytes).map_err(|error| match error.classify() {
        Category::Eof => RecordFault::CutOff,
        Category::Data | Category::Syntax | Category::Io => RecordFault::NotJson,
    })
}

struct Values<'r> {
    from: &'r mut dyn BufRead,
    /// The value that was read last.
    bytes: Vec<u8>,
}

impl Values<'_> {
    /// The next byte that is no white space; it stays.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            let buffer = self.from.fill_buf()?;
            let blank = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let next = buffer.get(blank).copied();
            let ended = buffer.is_empty();
            self.from.consume(blank);
            if next.is_some() || ended {
                return Ok(next);
            }
        }
    }

    fn skip(&mut self, bytes: usize) -> io::Result<()> {
        for _ in 0..bytes {
            if !self.from.fill_buf()?.is_empty() {
                self.from.consume(1);
            }
        }
        Ok(())
    }

    /// Reads the elements of a list; whether it was closed.
    fn read_list<E: From<io::Error>>(&mut self, key: &str, each: &mut Each<'_, E>) -> Result<bool, E> {
        self.skip(1)?;
        loop {
            match self.peek()? {
                Some(b']') => {
                    self.skip(1)?;
                    return Ok(true);
                }
                Some(b',') => self.skip(1)?,
                _ if self.pass_value(key, each)? => {}
                _ => return Ok(false),
            }
        }
    }

    /// Reads the values of an object.
    fn read_object<E: From<io::Error>>(&mut self, each: &mut Each<'_, E>) -> Result<(), E> {
        self.skip(1)?;
        loop {
            match self.peek()? {
                Some(b'}') => return Ok(()),
                Some(b',') => self.skip(1)?,
                Some(b'"') => {
                    if let Err(fault) = self.read_value()? {
                        return each("", Err(fault));
                    }
                    let key: String = serde_json::from_slice(&self.bytes).unwrap_or_default();
                    if self.peek()? != Some(b':') {
                        return each(&key, Err(RecordFault::CutOff));
                    }
                    self.skip(1)?;
                    let is_list = self.peek()? == Some(b'[');
                    if !(if is_list { self.read_list(&key, each) } else { self.pass_value(&key, each) }?) {
                        return Ok(());
                    }
                }
                Some(_) => return each("", Err(RecordFault::NotJson)),
                None => return each("", Err(RecordFault::CutOff)),
            }
        }
    }

    /// Reads a value and passes it on; whether it can be known where the next one begins.
    fn pass_value<E: From<io::Error>>(&mut self, key: &str, each: &mut Each<'_, E>) -> Result<bool, E> {
        let read = self.read_value()?;
        let goes_on = matches!(read, Ok(()) | Err(RecordFault::TooLong));
        each(key, read.map(|()| self.bytes.as_slice()))?;
        Ok(goes_on)
    }

    /// Reads a value up to its end, which its brackets and quotes say.
    fn read_value(&mut self) -> io::Result<Result<(), RecordFault>> {
        self.bytes.clear();
        let Some(first) = self.peek()? else { return Ok(Err(RecordFault::CutOff)) };
        if !(matches!(first, b'{' | b'[' | b'"' | b'-') || first.is_ascii_alphanumeric()) {
            return Ok(Err(RecordFault::NotJson));
        }
        let (mut depth, mut in_text, mut escaped, mut too_long) = (0_usize, false, false, false);
        loop {
            let buffer = self.from.fill_buf()?;
            if buffer.is_empty() {
                // A bare word may end with the file.
                let ended = depth == 0 && !in_text;
                return Ok(if ended { Ok(()) } else { Err(RecordFault::CutOff) });
            }
            let mut used = 0;
            let mut ended = false;
            for byte in buffer {
                if in_text {
                    (in_text, escaped) = (*byte != b'"' || escaped, *byte == b'\\' && !escaped);
                    ended = !in_text && depth == 0;
                } else {
                    match byte {
                        b'"' => in_text = true,
                        b'{' | b'[' => depth += 1,
                        b'}' | b']' | b',' if depth == 0 => {
                            ended = true;
                            break;
                        }
                        b'}' | b']' => {
                            depth -= 1;
                            ended = depth == 0;
                        }
                        byte if depth == 0 && byte.is_ascii_whitespace() => {
                            ended = true;
                            break;
                        }
                        _ => {}
                    }
                }
                used += 1;
                if ended {
                    break;
                }
            }
            if self.bytes.len() + used > RECORD_BYTES_MAX {
                too_long = true;
                self.bytes = Vec::new();
            }
            if !too_long {
                self.bytes.extend_from_slice(buffer.get(..used).unwrap_or_default());
            }
            self.from.consume(used);
            if ended {
                return Ok(if too_long { Err(RecordFault::TooLong) } else { Ok(()) });
            }
        }
    }
}

/// The first of some fields that is there.
fn field<'v>(record: &'v Value, names: &[&str]) -> Option<&'v Value> {
    names.iter().filter_map(|name| record.get(name)).find(|value| !value.is_null())
}

/// The first of some fields that is there, as text.
pub(super) fn text<'v>(record: &'v Value, names: &[&str]) -> Option<&'v str> {
    field(record, names)?.as_str()
}

/// The first of some fields that is there and says something.
pub(super) fn said<'v>(record: &'v Value, names: &[&str]) -> Option<&'v str> {
    names.iter().filter_map(|name| record.get(name)?.as_str()).find(|text| !text.trim().is_empty())
}

/// The first of some fields that is there, a number, or 0.
pub(super) fn number(record: &Value, names: &[&str]) -> f64 {
    field(record, names).and_then(Value::as_f64).unwrap_or_default()
}

/// The first of some fields that is there, a time as text or as a number.
pub(super) fn time(record: &Value, names: &[&str]) -> Option<ForeignTime> {
    let time = field(record, names)?;
    time.as_str().map_or_else(|| ForeignTime::from_epoch(time.as_f64()?), ForeignTime::parse)
}

/// The id of a record, which is text or a number.
pub(super) fn id(record: &Value) -> Option<String> {
    let id = field(record, &["id"])?;
    id.as_str().map(str::to_owned).or_else(|| Some(id.as_i64()?.to_string()))
}

/// A field that is a list of texts; or the same as the text of a JSON list, or as lines.
pub(super) fn list(record: &Value, name: &str) -> Vec<String> {
    let list: Vec<String> = match record.get(name) {
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(text)) => {
            serde_json::from_str(text).unwrap_or_else(|_| text.lines().map(str::to_owned).collect())
        }
        _ => Vec::new(),
    };
    list.into_iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values_of(text: &str) -> Vec<(String, Result<String, RecordFault>)> {
        let mut values = Vec::new();
        let mut from = io::BufReader::with_capacity(3, text.as_bytes());
        read_values(&mut from, &mut |key, value| -> Result<(), io::Error> {
            values.push((key.to_owned(), value.map(|bytes| String::from_utf8_lossy(bytes).into_owned())));
            Ok(())
        })
        .expect("memory is readable");
        values
    }

    #[test]
    fn the_elements_of_lists_come_one_by_one() {
        let value = |key: &str, text: &str| (key.to_owned(), Ok(text.to_owned()));
        let nested = r#"{"a": "]}\"\\", "b": [1, {"c": []}]}"#;
        assert_eq!(
            values_of(&format!(" [ {nested} ,\n1,\"x\" , null]")),
            [value("", nested), value("", "1"), value("", "\"x\""), value("", "null")]
        );
        assert_eq!(
            values_of(r#"{"n": 1, "list": [{"x": 1}, {"x": 2}], "o": {"y": [3]}}"#),
            [value("n", "1"), value("list", r#"{"x": 1}"#), value("list", r#"{"x": 2}"#), value("o", r#"{"y": [3]}"#)]
        );
    }

    #[test]
    fn what_is_cut_off_is_told_and_what_came_before_it_stays() {
        let cut = |text: &str| values_of(text).pop().and_then(|(_, value)| value.err());
        for text in [r#"[{"a": 1}, {"b": "#, r#"[{"a": 1}"#, r#"{"a": [{"a": 1}, {"#, r#"{"a": 1"#, r#"{"a"#] {
            assert_eq!(cut(text), Some(RecordFault::CutOff), "{text}");
        }
        assert_eq!(values_of(r#"[{"a": 1}, {"b": "#).len(), 2);
        assert_eq!(cut("[}]"), Some(RecordFault::NotJson));
        assert_eq!(cut("# a page"), Some(RecordFault::NotJson));
        assert_eq!(cut(""), None);
    }

    #[test]
    fn lists_are_read_in_each_of_their_forms() {
        for text in [r#"["a", " b "]"#, r#""[\"a\", \"b\"]""#, r#""a\n\nb""#] {
            assert_eq!(list(&serde_json::json!({"l": parse(text.as_bytes()).ok()}), "l"), ["a", "b"]);
        }
    }
}
