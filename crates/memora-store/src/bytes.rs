//! Values packed into one column: numbers of variable length, and texts behind their lengths. Decoding checks every byte.

use crate::ReadError;

/// Packs values one behind the other.
#[derive(Default)]
pub(crate) struct ByteWriter(Vec<u8>);

impl ByteWriter {
    pub(crate) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Seven bits a byte, the low ones first; the high bit says that more follow.
    pub(crate) fn number(&mut self, mut number: usize) {
        while let Some(low) = u8::try_from(number & 0x7f).ok().filter(|_| number > 0x7f) {
            self.0.push(low | 0x80);
            number >>= 7;
        }
        self.0.push(u8::try_from(number).unwrap_or_default());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len());
        self.raw(text.as_bytes());
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Reads what a [`ByteWriter`] packed.
pub(crate) struct ByteReader<'b>(&'b [u8]);

impl<'b> ByteReader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn raw(&mut self, length: usize) -> Result<&'b [u8], ReadError> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(ReadError::Damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        self.raw(N)?.try_into().map_err(|_| ReadError::Damaged)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, ReadError> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    pub(crate) fn number(&mut self) -> Result<usize, ReadError> {
        let mut number = 0;
        for shift in (0..usize::BITS).step_by(7) {
            let byte = self.byte()?;
            let low = usize::from(byte & 0x7f);
            let bits = low << shift;
            if bits >> shift != low {
                return Err(ReadError::Damaged);
            }
            number |= bits;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(ReadError::Damaged)
    }

    pub(crate) fn text(&mut self) -> Result<&'b str, ReadError> {
        let length = self.number()?;
        std::str::from_utf8(self.raw(length)?).map_err(|_| ReadError::Damaged)
    }
}

/// Packs a list of texts; `None` if there are none.
pub(crate) fn pack_texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<Vec<u8>> {
    let mut packed = ByteWriter::default();
    texts.into_iter().for_each(|text| packed.text(text));
    Some(packed.into_bytes()).filter(|bytes| !bytes.is_empty())
}

/// Iterates over a list packed by [`pack_texts`].
pub(crate) fn iter_texts(packed: Option<&[u8]>) -> impl Iterator<Item = Result<&str, ReadError>> {
    let mut reader = ByteReader::new(packed.unwrap_or_default());
    std::iter::from_fn(move || {
        let text = (!reader.is_empty()).then(|| reader.text())?;
        if text.is_err() {
            reader = ByteReader::new(&[]);
        }
        Some(text)
    })
}

/// Unpacks a list of texts.
pub(crate) fn unpack_texts(packed: Option<&[u8]>) -> Result<Vec<String>, ReadError> {
    iter_texts(packed).map(|text| text.map(str::to_owned)).collect()
}

/// Unpacks a list of pairs, packed as one text behind the other.
pub(crate) fn unpack_pairs(packed: Option<&[u8]>) -> Result<Vec<(String, String)>, ReadError> {
    let mut texts = iter_texts(packed);
    let mut pairs = Vec::new();
    while let Some(first) = texts.next() {
        pairs.push((first?.to_owned(), texts.next().ok_or(ReadError::Damaged)??.to_owned()));
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lists_and_numbers_come_back(texts in prop::collection::vec(".{0,200}", 0..8), number: usize) {
            let packed = pack_texts(texts.iter().map(String::as_str));
            prop_assert_eq!(packed.is_none(), texts.is_empty());
            prop_assert_eq!(unpack_texts(packed.as_deref()), Ok(texts));
            let mut writer = ByteWriter::default();
            writer.number(number);
            let bytes = writer.into_bytes();
            let mut reader = ByteReader::new(&bytes);
            prop_assert_eq!(reader.number(), Ok(number));
            prop_assert!(reader.is_empty());
        }

        #[test]
        fn any_bytes_are_a_list_or_damage(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = unpack_texts(Some(&bytes));
            let _ = unpack_pairs(Some(&bytes));
            let _ = ByteReader::new(&bytes).number();
        }
    }
}
