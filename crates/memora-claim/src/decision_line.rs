//! A line of the file of decisions: what it may decide, and how its keys and values are written.

use schemars::JsonSchema;
use serde::Serialize;
use strum::{Display, IntoStaticStr};

use crate::ClaimId;

/// What was decided about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema, IntoStaticStr, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(inline, transform = memora_vault::closed_set)]
pub enum DecisionKind {
    /// The claim holds: over others, if any are given; otherwise it is confirmed.
    Keep,
    /// The claim and the others all hold: they do not contradict each other.
    Both,
    /// The claim is retracted: it never held.
    Retract,
    /// The claim held until now, and no longer does.
    End,
    /// Earlier decisions about the claim are undone.
    Restore,
    /// The decision is postponed: reviews skip the claim for a while.
    Later,
}

impl DecisionKind {
    const ALL: [Self; 6] = [Self::Keep, Self::Both, Self::Retract, Self::End, Self::Restore, Self::Later];

    /// Returns its stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses a [name](Self::as_str).
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|act| act.as_str() == word)
    }
}

/// A value in a line: a text without escapes, or a list of claims.
pub(crate) enum LineValue<'l> {
    Text(&'l str),
    Ids(Vec<ClaimId>),
}

/// Reads a pair of braces around keys whose values need no escapes; other JSON is not ours.
pub(crate) fn read_pairs(line: &str) -> Option<Vec<(&str, LineValue<'_>)>> {
    let mut rest = line.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
    let mut pairs = Vec::new();
    while !rest.is_empty() {
        let (key, behind) = parse_quoted(rest)?;
        let value = behind.trim_start().strip_prefix(':')?.trim_start();
        let (value, behind) = if let Some(list) = value.strip_prefix('[') {
            let (list, behind) = list.split_once(']')?;
            let ids = list.split(',').map(str::trim).filter(|id| !id.is_empty());
            let ids: Option<Vec<ClaimId>> =
                ids.map(|id| ClaimId::parse(id.strip_prefix('"')?.strip_suffix('"')?).ok()).collect();
            (LineValue::Ids(ids?), behind)
        } else {
            let (text, behind) = parse_quoted(value)?;
            (LineValue::Text(text), behind)
        };
        pairs.push((key, value));
        rest = behind.trim_start();
        rest = match rest.strip_prefix(',') {
            Some(more) => more.trim_start(),
            None if rest.is_empty() => rest,
            None => return None,
        };
    }
    Some(pairs)
}

fn parse_quoted(text: &str) -> Option<(&str, &str)> {
    let (word, behind) = text.strip_prefix('"')?.split_once('"')?;
    (!word.contains('\\')).then_some((word, behind))
}

/// Whether it is a timestamp in our fixed format, so that timestamps sort as text.
pub(crate) fn is_timestamp(text: &str) -> bool {
    let form = "0000-00-00T00:00:00.000000Z";
    text.len() == form.len()
        && text.chars().zip(form.chars()).all(|(c, f)| if f == '0' { c.is_ascii_digit() } else { c == f })
        && TIME_PARTS
            .iter()
            .all(|(at, least, most)| text.get(*at..at + 2).is_some_and(|n| (*least..=*most).contains(&n)))
}

/// Offsets of month, day, hour, minute and second in a timestamp, with their bounds.
const TIME_PARTS: &[(usize, &str, &str)] =
    &[(5, "01", "12"), (8, "01", "31"), (11, "00", "23"), (14, "00", "59"), (17, "00", "60")];

/// Whether it can be a review id: 1 to 32 letters and digits.
#[must_use]
pub fn is_review_name(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}
