//! JSON one value at a time: of a list its elements, of an object its values, and of those that are lists their elements.
//!
//! Only the value at hand is in memory. A value that is wrong in itself is told, and the next one is read.

use std::io::{self, BufRead};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{ForeignTime, RECORD_BYTES_MAX, RecordFault};

/// What takes the values: the key of the list or of the value in the outer object, empty in an outer list; and the bytes.
type Each<'e, E> = dyn FnMut(&str, Result<&[u8], RecordFault>) -> Result<(), E> + 'e;

/// What takes the lines: the number of each, from 1, and its bytes.
type EachLine<'e, E> = dyn FnMut(usize, Result<&[u8], RecordFault>) -> Result<(), E> + 'e;

/// Reads the values of a document.
pub(super) fn read_values<E: From<io::Error>>(from: &mut dyn BufRead, each: &mut Each<'_, E>) -> Result<(), E> {
    let mut values = Values { from, bytes: Vec::new() };
    if values.peek()? == Some(0xef) {
        values.skip(3)?;
    }
    match values.peek()? {
        Some(b'[') => {
            values.skip(1)?;
            values.read_list("", each)?;
            Ok(())
        }
        Some(b'{') => {
            values.skip(1)?;
            values.read_object(each)
        }
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
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, RecordFault> {
    serde_json::from_slice(bytes).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => RecordFault::UnknownShape,
        serde_json::error::Category::Eof => RecordFault::CutOff,
        serde_json::error::Category::Syntax | serde_json::error::Category::Io => RecordFault::NotJson,
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

    /// Reads the elements of a list, whose bracket was read; whether it was closed.
    fn read_list<E: From<io::Error>>(&mut self, key: &str, each: &mut Each<'_, E>) -> Result<bool, E> {
        loop {
            match self.peek()? {
                Some(b']') => {
                    self.skip(1)?;
                    return Ok(true);
                }
                Some(b',') => self.skip(1)?,
                _ => match self.read_value()? {
                    Ok(()) => each(key, Ok(&self.bytes))?,
                    Err(RecordFault::TooLong) => each(key, Err(RecordFault::TooLong))?,
                    // Where it goes on cannot be known.
                    Err(fault) => {
                        each(key, Err(fault))?;
                        return Ok(false);
                    }
                },
            }
        }
    }

    /// Reads the values of an object, whose brace was read.
    fn read_object<E: From<io::Error>>(&mut self, each: &mut Each<'_, E>) -> Result<(), E> {
        loop {
            match self.peek()? {
                Some(b'}') => return Ok(()),
                Some(b',') => self.skip(1)?,
                Some(b'"') => {
                    if let Err(fault) = self.read_value()? {
                        return each("", Err(fault));
                    }
                    let key: String = parse(&self.bytes).unwrap_or_default();
                    if self.peek()? != Some(b':') {
                        return each(&key, Err(RecordFault::CutOff));
                    }
                    self.skip(1)?;
                    if self.peek()? == Some(b'[') {
                        self.skip(1)?;
                        if !self.read_list(&key, each)? {
                            return Ok(());
                        }
                    } else {
                        match self.read_value()? {
                            Ok(()) => each(&key, Ok(&self.bytes))?,
                            Err(RecordFault::TooLong) => each(&key, Err(RecordFault::TooLong))?,
                            Err(fault) => return each(&key, Err(fault)),
                        }
                    }
                }
                Some(_) => return each("", Err(RecordFault::NotJson)),
                None => return each("", Err(RecordFault::CutOff)),
            }
        }
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

/// A time as text or as a number.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum RawTime {
    Text(String),
    Number(f64),
}

impl RawTime {
    pub(super) fn read(&self) -> Option<ForeignTime> {
        match self {
            Self::Text(text) => ForeignTime::parse(text),
            Self::Number(number) => ForeignTime::from_epoch(*number),
        }
    }
}

/// An id as text or as a number.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum RawId {
    Text(String),
    Number(i64),
}

impl RawId {
    pub(super) fn read(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
        }
    }
}

/// A list of texts; or the same as the text of a JSON list, or as lines.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum RawList {
    List(Vec<String>),
    Text(String),
}

impl RawList {
    pub(super) fn read(self) -> Vec<String> {
        let list = match self {
            Self::List(list) => list,
            Self::Text(text) => {
                serde_json::from_str(&text).unwrap_or_else(|_| text.lines().map(str::to_owned).collect())
            }
        };
        list.into_iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
    }
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
            assert_eq!(parse::<RawList>(text.as_bytes()).map(RawList::read), Ok(vec!["a".to_owned(), "b".to_owned()]));
        }
    }
}
