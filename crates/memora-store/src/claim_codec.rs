//! Claims packed into one column of their wording. A text that stands in the wording's words is kept as its place there,
//! which most subjects, predicates and objects are.

use memora_claim::{Claim, ClaimId, STATES, StatementId, ValidityExpr};

use crate::bytes::{ByteReader, ByteWriter};
use crate::{ReadError, codec};

/// Bits of the first byte; the modality is in the lowest three.
const MODALITY: u8 = 0b111;
const PHASE_SHIFT: u32 = 3;
const NEGATED: u8 = 1 << 5;
const LISTED: u8 = 1 << 6;
const HAS_READING: u8 = 1 << 7;
/// Bits of the second byte; the extractor is in the lowest four.
const EXTRACTOR: u8 = 0b1111;
const HAS_SUBJECT: u8 = 1 << 4;
const HAS_RELATION: u8 = 1 << 5;
const HAS_ATTRIBUTION: u8 = 1 << 6;
const HAS_QUALIFIERS: u8 = 1 << 7;
/// Bits of the third byte.
const HAS_FROM: u8 = 1;
const HAS_UNTIL: u8 = 1 << 1;
const IS_STATES: u8 = 1 << 2;
const IN_HUNDREDTHS: u8 = 1 << 3;

/// Packs the claims of a wording with these words; `None` if there are none.
pub(crate) fn pack_claims(claims: &[Claim], words: &str) -> Option<Vec<u8>> {
    let mut packed = ByteWriter::default();
    claims.iter().for_each(|claim| pack_claim(&mut packed, claim, words));
    Some(packed.into_bytes()).filter(|bytes| !bytes.is_empty())
}

/// Unpacks the claims of a statement's wording.
pub(crate) fn unpack_claims(
    packed: Option<&[u8]>,
    statement: StatementId,
    words: &str,
) -> Result<Vec<Claim>, ReadError> {
    let mut reader = ByteReader::new(packed.unwrap_or_default());
    let mut claims = Vec::new();
    while !reader.is_empty() {
        claims.push(unpack_claim(&mut reader, statement, words)?);
    }
    Ok(claims)
}

fn pack_claim(packed: &mut ByteWriter, claim: &Claim, words: &str) {
    let flag = |holds: bool, bit: u8| if holds { bit } else { 0 };
    let reading = codec::encode_reading(claim.id);
    let has_reading = reading.len() == READING_LENGTH;
    packed.byte(
        codec::encode_modality(claim.modality)
            | codec::encode_phase(claim.phase) << PHASE_SHIFT
            | flag(claim.negated, NEGATED)
            | flag(claim.listed, LISTED)
            | flag(has_reading, HAS_READING),
    );
    packed.byte(
        codec::encode_extractor(claim.extractor)
            | flag(claim.subject.is_some(), HAS_SUBJECT)
            | flag(claim.relation.is_some(), HAS_RELATION)
            | flag(claim.attribution.is_some(), HAS_ATTRIBUTION)
            | flag(!claim.qualifiers.is_empty(), HAS_QUALIFIERS),
    );
    let hundredths = find_hundredths(claim.confidence);
    packed.byte(
        flag(claim.holds.from.is_some(), HAS_FROM)
            | flag(claim.holds.until.is_some(), HAS_UNTIL)
            | flag(claim.predicate == STATES, IS_STATES)
            | flag(hundredths.is_some(), IN_HUNDREDTHS),
    );
    if has_reading {
        packed.raw(reading.as_bytes());
    }
    match hundredths {
        Some(hundredths) => packed.byte(hundredths),
        None => packed.raw(&claim.confidence.to_le_bytes()),
    }
    if claim.predicate != STATES {
        pack_text(packed, &claim.predicate, words);
    }
    pack_text(packed, &claim.object, words);
    for text in [&claim.subject, &claim.attribution].into_iter().flatten() {
        pack_text(packed, text, words);
    }
    if let Some(relation) = &claim.relation {
        packed.text(relation);
    }
    for when in [claim.holds.from, claim.holds.until].into_iter().flatten() {
        packed.text(&when.to_string());
    }
    if !claim.qualifiers.is_empty() {
        packed.number(claim.qualifiers.len());
        claim.qualifiers.iter().for_each(|text| pack_text(packed, text, words));
    }
}

fn unpack_claim(reader: &mut ByteReader<'_>, statement: StatementId, words: &str) -> Result<Claim, ReadError> {
    let [first, second, third] = reader.array()?;
    let id = match first & HAS_READING {
        0 => ClaimId::from(statement),
        _ => {
            let reading = reader.array::<READING_LENGTH>()?;
            codec::decode_claim(statement, std::str::from_utf8(&reading).map_err(|_| ReadError::Damaged)?)?
        }
    };
    let confidence = match third & IN_HUNDREDTHS {
        0 => f32::from_le_bytes(reader.array()?),
        _ => from_hundredths(reader.byte()?),
    };
    let has = |byte: u8, bit: u8| byte & bit != 0;
    let mut text_if = |holds: bool| holds.then(|| unpack_text(reader, words)).transpose();
    let predicate = text_if(!has(third, IS_STATES))?.unwrap_or_else(|| STATES.to_owned());
    let object = text_if(true)?.unwrap_or_default();
    let subject = text_if(has(second, HAS_SUBJECT))?;
    let attribution = text_if(has(second, HAS_ATTRIBUTION))?;
    let relation = has(second, HAS_RELATION).then(|| reader.text().map(str::to_owned)).transpose()?;
    let mut when_if = |holds: bool| codec::decode_time_expr(holds.then(|| reader.text()).transpose()?);
    let (from, until) = (when_if(has(third, HAS_FROM))?, when_if(has(third, HAS_UNTIL))?);
    let qualifiers = match has(second, HAS_QUALIFIERS) {
        true => (0..reader.number()?).map(|_| unpack_text(reader, words)).collect::<Result<_, _>>()?,
        false => Vec::new(),
    };
    Ok(Claim {
        id,
        subject,
        predicate,
        object,
        qualifiers,
        relation,
        modality: codec::decode_modality(first & MODALITY)?,
        negated: has(first, NEGATED),
        attribution,
        phase: codec::decode_phase(first >> PHASE_SHIFT & 0b11)?,
        confidence,
        extractor: codec::decode_extractor(second & EXTRACTOR)?,
        holds: ValidityExpr { from, until },
        listed: has(first, LISTED),
    })
}

/// The characters of a reading, in a claim's id behind the point.
const READING_LENGTH: usize = 2;

/// A confidence that is so many hundredths exactly.
fn find_hundredths(confidence: f32) -> Option<u8> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates, and is compared")]
    let hundredths = (confidence * 100.0).round() as u8;
    (from_hundredths(hundredths).to_bits() == confidence.to_bits()).then_some(hundredths)
}

fn from_hundredths(hundredths: u8) -> f32 {
    f32::from(hundredths) / 100.0
}

/// A text as its length and either its place in the words or its bytes; the lowest bit of the length says which.
fn pack_text(packed: &mut ByteWriter, text: &str, words: &str) {
    match words.find(text) {
        Some(place) => {
            packed.number(text.len() << 1 | 1);
            packed.number(place);
        }
        None => {
            packed.number(text.len() << 1);
            packed.raw(text.as_bytes());
        }
    }
}

fn unpack_text(reader: &mut ByteReader<'_>, words: &str) -> Result<String, ReadError> {
    let head = reader.number()?;
    let length = head >> 1;
    let text = match head & 1 {
        0 => std::str::from_utf8(reader.raw(length)?).ok(),
        _ => {
            let place = reader.number()?;
            place.checked_add(length).and_then(|end| words.get(place..end))
        }
    };
    text.map(str::to_owned).ok_or(ReadError::Damaged)
}

#[cfg(test)]
mod tests {
    use memora_claim::time::TimeExpr;
    use memora_claim::{Extractor, Modality, Phase};
    use proptest::prelude::*;

    use super::*;

    const WORDS: &str = "Anna says that drift doesn’t use JSON since 2024";

    fn claim() -> impl Strategy<Value = Claim> {
        let text = || prop_oneof![Just("drift".to_owned()), Just("doesn’t use".to_owned()), ".{0,12}"];
        let some = || proptest::option::of(text());
        let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
        let sets = (0..Modality::ALL.len(), 0..Phase::ALL.len(), 0..Extractor::ALL.len());
        let number = prop_oneof![(0_u8..=100).prop_map(from_hundredths), 0.0_f32..1.0];
        let texts = (some(), prop_oneof![Just(STATES.to_owned()), text()], text(), some(), some());
        (texts, prop::collection::vec(text(), 0..3), flags, sets, number).prop_map(
            |((subject, predicate, object, relation, attribution), qualifiers, flags, sets, confidence)| {
                let (negated, listed, dated, whole) = flags;
                let statement = StatementId::from_words(WORDS, &[]);
                let read = Claim::new(statement, subject, &predicate, &object);
                Claim {
                    id: if whole { statement.into() } else { read.id },
                    qualifiers,
                    relation,
                    attribution,
                    negated,
                    listed,
                    modality: Modality::ALL[sets.0],
                    phase: Phase::ALL[sets.1],
                    extractor: Extractor::ALL[sets.2],
                    confidence,
                    holds: ValidityExpr { from: dated.then(|| TimeExpr::parse("2024").expect("a year")), until: None },
                    ..read
                }
            },
        )
    }

    proptest! {
        #[test]
        fn claims_come_back_as_they_were(claims in prop::collection::vec(claim(), 0..4)) {
            let packed = pack_claims(&claims, WORDS);
            let back = unpack_claims(packed.as_deref(), StatementId::from_words(WORDS, &[]), WORDS);
            prop_assert!(back == Ok(claims));
        }

        #[test]
        fn any_bytes_are_claims_or_damage(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = unpack_claims(Some(&bytes), StatementId::from_words(WORDS, &[]), WORDS);
        }
    }

    #[test]
    fn a_text_of_the_words_takes_three_bytes() {
        let claim = Claim::new(StatementId::from_words(WORDS, &[]), Some("drift".to_owned()), STATES, WORDS);
        let packed = pack_claims(&[claim], WORDS).expect("a claim");
        assert_eq!(packed.len(), 3 + READING_LENGTH + 1 + 2 + 2);
    }
}
