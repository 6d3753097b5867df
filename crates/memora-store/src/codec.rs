//! Encodes values for columns, and decodes them with every value checked.

use memora_claim::time::TimeExpr;
use memora_claim::{ClaimId, Extractor, Modality, Phase, StatementId, StatementKind};
use memora_vault::{Band, Fingerprint, NotePath, PartialDate, Zone};
use serde::Serialize;

use crate::ReadError;
use crate::bytes::{iter_texts, pack_texts};

/// Lower-case Crockford base32, as in [`StatementId`]; ascending, so that numbers order as ids do.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Encodes a statement's id as its 60 bits. An integer key takes eight bytes and no text comparison.
pub(crate) fn encode_statement(id: StatementId) -> i64 {
    id.as_str().bytes().fold(0, |number, letter| {
        let value = ALPHABET.iter().position(|l| *l == letter).unwrap_or_default();
        number << 5 | i64::try_from(value).unwrap_or_default()
    })
}

/// Decodes a statement's id from 60 bits.
pub(crate) fn decode_statement(number: i64) -> Result<StatementId, ReadError> {
    if !(0..1 << 60).contains(&number) {
        return Err(ReadError::Damaged);
    }
    let letters: [u8; 12] = std::array::from_fn(|at| {
        let value = (number >> (55 - 5 * at)) & 31;
        ALPHABET[usize::try_from(value).unwrap_or_default()]
    });
    let text = std::str::from_utf8(&letters).map_err(|_| ReadError::Damaged)?;
    StatementId::parse(text).map_err(|_| ReadError::Damaged)
}

/// Returns the part of a claim's id after the point; empty if there is none.
pub(crate) fn encode_reading(id: ClaimId) -> String {
    id.to_string().split_once('.').map(|(_, reading)| reading.to_owned()).unwrap_or_default()
}

/// Decodes the id of a claim of a statement.
pub(crate) fn decode_claim(statement: StatementId, reading: &str) -> Result<ClaimId, ReadError> {
    if reading.is_empty() {
        return Ok(statement.into());
    }
    ClaimId::parse(&format!("{statement}.{reading}")).map_err(|_| ReadError::Damaged)
}

pub(crate) fn encode_band(band: Band) -> i64 {
    match band {
        Band::Public => 0,
        Band::Private => 1,
        Band::Secret => 2,
    }
}

pub(crate) fn decode_band(number: i64) -> Result<Band, ReadError> {
    match number {
        0 => Ok(Band::Public),
        1 => Ok(Band::Private),
        2 => Ok(Band::Secret),
        _ => Err(ReadError::Damaged),
    }
}

/// Numbers for the values of a closed set, as stored: never changed, only added to.
macro_rules! numbered {
    ($set:ident, $encode:ident, $decode:ident, { $($variant:ident = $number:literal,)* }) => {
        pub(crate) fn $encode(value: $set) -> u8 {
            match value {
                $($set::$variant => $number,)*
            }
        }

        pub(crate) fn $decode(number: u8) -> Result<$set, ReadError> {
            match number {
                $($number => Ok($set::$variant),)*
                _ => Err(ReadError::Damaged),
            }
        }
    };
}

numbered!(StatementKind, encode_kind, decode_kind, {
    Property = 0, Field = 1, Row = 2, Item = 3, Task = 4, Sentence = 5, Code = 6,
});
numbered!(Zone, encode_zone, decode_zone, {
    Body = 0, Quote = 1, Footnote = 2, Heading = 3, FrontMatter = 4, Code = 5, Math = 6, Html = 7, Comment = 8,
    Struck = 9,
});
numbered!(Modality, encode_modality, decode_modality, {
    Asserted = 0, Planned = 1, Conditional = 2, Reported = 3, Questioned = 4, Rejected = 5, Code = 6,
});
numbered!(Phase, encode_phase, decode_phase, { Steady = 0, Begun = 1, Ended = 2, });
numbered!(Extractor, encode_extractor, decode_extractor, {
    Property = 0, Field = 1, Row = 2, Definition = 3, Label = 4, Task = 5, Clause = 6, Fragment = 7, Model = 8,
    Sentence = 9,
});

/// Hashes texts to a key for look-ups that never reads back: 64 bits, so that two of one vault never meet by chance.
pub(crate) fn hash_texts(texts: &[&str]) -> i64 {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    let mut key = [0; 8];
    hasher.finalize_xof().fill(&mut key);
    i64::from_le_bytes(key)
}

pub(crate) fn decode_path(text: String) -> Result<NotePath, ReadError> {
    NotePath::new(text).map_err(|_| ReadError::Damaged)
}

pub(crate) fn decode_fingerprint(bytes: &[u8]) -> Result<Fingerprint, ReadError> {
    bytes.try_into().map(Fingerprint::from_bytes).map_err(|_| ReadError::Damaged)
}

pub(crate) fn decode_date(text: Option<&str>) -> Result<Option<PartialDate>, ReadError> {
    text.map(|text| PartialDate::parse(text).ok_or(ReadError::Damaged)).transpose()
}

/// Decodes a temporal expression.
pub(crate) fn decode_time_expr(text: Option<&str>) -> Result<Option<TimeExpr>, ReadError> {
    text.map(|text| TimeExpr::parse(text).ok_or(ReadError::Damaged)).transpose()
}

/// Returns the first and last day of a date, as yyyymmdd.
pub(crate) fn day_bounds(date: PartialDate) -> (i64, i64) {
    let day = |d: PartialDate| {
        i64::from(d.year()) * 10_000 + i64::from(d.month().unwrap_or(1)) * 100 + i64::from(d.day().unwrap_or(1))
    };
    let (first, last) = date.first_and_last_day();
    (day(first), day(last))
}

/// Encodes strings as a JSON array. Writing strings as JSON cannot fail.
pub(crate) fn encode_list(texts: &[impl Serialize]) -> String {
    serde_json::to_string(texts).unwrap_or_else(|_| "[]".to_owned())
}

/// Encodes claim ids as a list of texts; `None` if there are none.
pub(crate) fn encode_claims(ids: &[ClaimId]) -> Option<Vec<u8>> {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    pack_texts(ids.iter().map(String::as_str))
}

/// Decodes the output of [`encode_claims`].
pub(crate) fn decode_claims(packed: Option<&[u8]>) -> Result<Vec<ClaimId>, ReadError> {
    iter_texts(packed).map(|id| ClaimId::parse(id?).map_err(|_| ReadError::Damaged)).collect()
}

/// Encodes pairs as a JSON array.
pub(crate) fn encode_pairs(pairs: &[(String, String)]) -> String {
    serde_json::to_string(pairs).unwrap_or_else(|_| "[]".to_owned())
}

/// Decodes the output of [`encode_list`] or [`encode_pairs`].
pub(crate) fn decode_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, ReadError> {
    serde_json::from_str(text).map_err(|_| ReadError::Damaged)
}

/// Encodes an offset or a count; a file of more than 2⁶³ bytes does not exist.
pub(crate) fn encode_usize(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(crate) fn decode_usize(number: i64) -> Result<usize, ReadError> {
    usize::try_from(number).map_err(|_| ReadError::Damaged)
}

/// Encodes ids as a JSON array, bound as one parameter and unfolded by `json_each`: one query for any number of ids.
pub(crate) fn encode_ids(numbers: impl IntoIterator<Item = i64>) -> String {
    let mut json = String::from("[");
    for (at, number) in numbers.into_iter().enumerate() {
        if at > 0 {
            json.push(',');
        }
        json.push_str(&number.to_string());
    }
    json.push(']');
    json
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_lead_back_to_ids_and_order_as_they_do(a in 0_i64..1 << 60, b in 0_i64..1 << 60) {
            let (ida, idb) = (decode_statement(a).expect("in range"), decode_statement(b).expect("in range"));
            prop_assert_eq!(encode_statement(ida), a);
            prop_assert_eq!(a.cmp(&b), ida.cmp(&idb));
        }
    }

    #[test]
    fn numbers_that_are_no_id_are_damage() {
        assert_eq!(decode_statement(-1), Err(ReadError::Damaged));
        assert_eq!(decode_statement(1 << 60), Err(ReadError::Damaged));
    }

    #[test]
    fn a_claim_id_comes_back_with_and_without_a_reading() {
        let id = StatementId::from_words("drift is fast", &[]);
        for claim_id in [ClaimId::from(id), ClaimId::from_reading(id, None, "is", "fast")] {
            assert_eq!(decode_claim(id, &encode_reading(claim_id)), Ok(claim_id));
        }
    }
}
