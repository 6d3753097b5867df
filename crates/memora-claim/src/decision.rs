//! What the user decided about claims, as lines of text.
//!
//! The file is append-only and may be merged by taking the lines of both sides: each line is a decision by itself, and the
//! later one of two counts by the time that it bears, not by where it stands. The one rule to know: **a line that cannot
//! be read is kept and reported**, for it may be of a later version, or a conflict that a merge left. There are ids in
//! it and no words: it may speak of guarded claims.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use strum::{Display, IntoStaticStr};

use crate::{ClaimId, StatementId};

/// What was decided about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema, IntoStaticStr, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(inline, transform = memora_vault::closed_set)]
pub enum DecisionKind {
    /// It holds: over others, where there are some, and else it is confirmed.
    Keep,
    /// It holds, and so do the others: they do not contradict it.
    Both,
    /// It is taken back: it never held.
    Retract,
    /// It held until now, and does no longer.
    End,
    /// Nothing is decided about it any more.
    Restore,
    /// It is decided another day: reviews leave it out for a while.
    Later,
}

impl DecisionKind {
    const ALL: [Self; 6] = [Self::Keep, Self::Both, Self::Retract, Self::End, Self::Restore, Self::Later];

    /// A stable word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The act of this [word](Self::as_str).
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|act| act.as_str() == word)
    }
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decision {
    /// When, in UTC: `2025-11-03T12:00:00.000000Z`. Compared as text.
    pub at: String,
    /// What.
    pub act: DecisionKind,
    /// About which claim.
    pub claim: ClaimId,
    /// Over, or beside, which others.
    pub over: Vec<ClaimId>,
    /// Though which of the claims that it derives from gave way.
    pub despite: Vec<ClaimId>,
    /// The review in which it was ticked, by the letters and digits that name it; none for what was decided by a command.
    pub review: Option<String>,
}

impl Decision {
    /// The claims that it names: what it is about, and over, beside or despite what.
    pub fn named_claims(&self) -> impl Iterator<Item = &ClaimId> {
        std::iter::once(&self.claim).chain(&self.over).chain(&self.despite)
    }

    /// Whether it decides the same as another, whenever that was.
    #[must_use]
    pub fn has_same_effect(&self, other: &Self) -> bool {
        let what = |made: &Self| (made.act, made.claim, made.over.clone(), made.despite.clone());
        what(self) == what(other)
    }
}

/// What was decided about two claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The one of this statement holds, and not the other.
    For(StatementId),
    /// Both hold.
    Both,
}

/// All decisions, in force and not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    made: Vec<Decision>,
    /// Lines that could not be read, from 1.
    unread: Vec<usize>,
    rulings: BTreeMap<(StatementId, StatementId), Ruling>,
    retracted: BTreeSet<ClaimId>,
    confirmed: BTreeMap<StatementId, String>,
    /// What was said to hold no longer, and since when.
    ended: BTreeMap<ClaimId, String>,
    /// What holds, and what of its grounds may have given way.
    despite: BTreeSet<(StatementId, StatementId)>,
}

impl fmt::Display for Decision {
    /// A line of the file, without the line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |ids: &[ClaimId]| ids.iter().map(|id| format!("\"{id}\"")).collect::<Vec<_>>().join(",");
        let (at, act, claim, over) = (&self.at, self.act.as_str(), self.claim, list(&self.over));
        write!(f, "{{\"at\":\"{at}\",\"do\":\"{act}\",\"claim\":\"{claim}\",\"over\":[{over}]")?;
        if !self.despite.is_empty() {
            write!(f, ",\"despite\":[{}]", list(&self.despite))?;
        }
        if let Some(review) = &self.review {
            write!(f, ",\"review\":\"{review}\"")?;
        }
        f.write_str("}")
    }
}

impl Decision {
    /// Reads a line; `None` for what is no decision.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        // A pair of braces around keys, whose values need no escapes: what else JSON could be is not ours.
        let mut rest = line.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
        let (mut at, mut act, mut claim, mut review) = (None, None, None, None);
        let (mut over, mut despite) = (Vec::new(), Vec::new());
        while !rest.is_empty() {
            let (key, behind) = parse_quoted(rest)?;
            let value = behind.trim_start().strip_prefix(':')?.trim_start();
            let behind = if let Some(list) = value.strip_prefix('[') {
                let (list, behind) = list.split_once(']')?;
                let ids = list.split(',').map(str::trim).filter(|id| !id.is_empty());
                let ids: Option<Vec<ClaimId>> =
                    ids.map(|id| ClaimId::parse(id.strip_prefix('"')?.strip_suffix('"')?).ok()).collect();
                match key {
                    "over" => over = ids?,
                    "despite" => despite = ids?,
                    _ => return None,
                }
                behind
            } else {
                let (text, behind) = parse_quoted(value)?;
                match key {
                    "at" => at = Some(text.to_owned()).filter(|at| is_timestamp(at)),
                    "do" => act = DecisionKind::parse(text),
                    "review" => review = Some(Some(text.to_owned()).filter(|name| is_review_name(name))?),
                    "claim" => claim = ClaimId::parse(text).ok(),
                    _ => return None,
                }
                behind
            };
            rest = behind.trim_start();
            rest = match rest.strip_prefix(',') {
                Some(more) => more.trim_start(),
                None if rest.is_empty() => rest,
                None => return None,
            };
        }
        Some(Self { at: at?, act: act?, claim: claim?, over, despite, review })
    }
}

fn parse_quoted(text: &str) -> Option<(&str, &str)> {
    let (word, behind) = text.strip_prefix('"')?.split_once('"')?;
    (!word.contains('\\')).then_some((word, behind))
}

/// Whether it is a time as we write it, so that times sort as texts.
fn is_timestamp(text: &str) -> bool {
    let form = "0000-00-00T00:00:00.000000Z";
    text.len() == form.len()
        && text.chars().zip(form.chars()).all(|(c, f)| if f == '0' { c.is_ascii_digit() } else { c == f })
        && TIME_PARTS
            .iter()
            .all(|(at, least, most)| text.get(*at..at + 2).is_some_and(|n| (*least..=*most).contains(&n)))
}

/// Where month, day, hour, minute and second stand in a time, and what they may be.
const TIME_PARTS: &[(usize, &str, &str)] =
    &[(5, "01", "12"), (8, "01", "31"), (11, "00", "23"), (14, "00", "59"), (17, "00", "60")];

/// Whether it can be the name of a review: letters and digits, and not many.
#[must_use]
pub fn is_review_name(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

impl Decisions {
    /// Reads the file.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut made: BTreeSet<Decision> = BTreeSet::new();
        let mut unread = Vec::new();
        for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            match Decision::parse(line) {
                Some(decision) => drop(made.insert(decision)),
                None if line.trim().is_empty() => {}
                None => unread.push(number),
            }
        }
        let mut read = Self { made: made.into_iter().collect(), unread, ..Self::default() };
        for decision in read.made.clone() {
            read.apply_decision(&decision);
        }
        read
    }

    fn apply_decision(&mut self, Decision { at, act, claim, over, despite, review: _ }: &Decision) {
        let id = claim.statement();
        match act {
            DecisionKind::Keep | DecisionKind::Both => {
                self.retracted.retain(|other| !is_about_claim(*claim, *other));
                self.ended.retain(|other, _| !is_about_claim(*claim, *other));
                self.confirmed.insert(id, at.clone());
                let ruling = if *act == DecisionKind::Keep { Ruling::For(id) } else { Ruling::Both };
                for other in over.iter().map(ClaimId::statement).filter(|other| *other != id) {
                    self.rulings.insert(ordered_pair(id, other), ruling);
                }
                self.despite.extend(despite.iter().map(|ground| (id, ground.statement())));
            }
            DecisionKind::Retract => {
                self.confirmed.remove(&id);
                self.retracted.insert(*claim);
            }
            DecisionKind::End => {
                self.confirmed.remove(&id);
                self.ended.insert(*claim, at.clone());
            }
            DecisionKind::Restore => {
                self.confirmed.remove(&id);
                self.retracted.retain(|other| !is_about_claim(*claim, *other));
                self.ended.retain(|other, _| !is_about_claim(*claim, *other));
                self.rulings.retain(|(a, b), _| *a != id && *b != id);
                self.despite.retain(|(held, _)| *held != id);
            }
            DecisionKind::Later => {}
        }
    }

    /// What was decided about two claims.
    #[must_use]
    pub fn ruling_between(&self, a: ClaimId, b: ClaimId) -> Option<Ruling> {
        self.rulings.get(&ordered_pair(a.statement(), b.statement())).copied()
    }

    /// Whether a claim was taken back.
    #[must_use]
    pub fn is_retracted(&self, claim: ClaimId) -> bool {
        self.retracted.iter().any(|other| is_about_claim(*other, claim))
    }

    /// When the user said that a claim holds no longer.
    #[must_use]
    pub fn ended_at(&self, claim: ClaimId) -> Option<&str> {
        self.ended.iter().find(|(other, _)| is_about_claim(**other, claim)).map(|(_, at)| at.as_str())
    }

    /// When a claim was last confirmed.
    #[must_use]
    pub fn confirmed_at(&self, claim: ClaimId) -> Option<&str> {
        self.confirmed.get(&claim.statement()).map(String::as_str)
    }

    /// Whether a statement holds though one that it derives from gave way.
    #[must_use]
    pub fn is_kept_despite(&self, statement: StatementId, ground: StatementId) -> bool {
        self.despite.contains(&(statement, ground))
    }

    /// Every decision, by time.
    #[must_use]
    pub fn all_by_time(&self) -> &[Decision] {
        &self.made
    }

    /// The decisions that name a statement, as what they are about or over what, by time.
    pub fn decisions_about(&self, id: StatementId) -> impl Iterator<Item = &Decision> {
        self.made.iter().filter(move |made| made.named_claims().any(|named| named.statement() == id))
    }

    /// The statements that something is decided about.
    #[must_use]
    pub fn decided_statements(&self) -> BTreeSet<StatementId> {
        self.made.iter().flat_map(Decision::named_claims).map(ClaimId::statement).collect()
    }

    /// Lines that could not be read, from 1.
    #[must_use]
    pub fn unreadable_lines(&self) -> &[usize] {
        &self.unread
    }
}

fn ordered_pair(a: StatementId, b: StatementId) -> (StatementId, StatementId) {
    if a <= b { (a, b) } else { (b, a) }
}

/// Whether a decision about `decided` is one about `claim`: the same reading, or all of the statement's.
fn is_about_claim(decided: ClaimId, claim: ClaimId) -> bool {
    decided == claim || decided.statement() == claim.statement() && !(decided.is_reading() && claim.is_reading())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(words: &str) -> ClaimId {
        StatementId::from_words(words, &[]).into()
    }

    fn line(second: u8, act: DecisionKind, claim: &str, over: &[&str]) -> String {
        let at = format!("2025-11-03T12:00:{second:02}.000000Z");
        let over = over.iter().map(|words| id(words)).collect();
        Decision { at, act, claim: id(claim), over, despite: Vec::new(), review: None }.to_string()
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let text = line(1, DecisionKind::Keep, "a", &["b", "c"]);
        let read = Decision::parse(&text).expect("a decision");
        assert_eq!(read.to_string(), text);
        let spaced = text.replace(':', " : ").replace("12 : 00 : 01", "12:00:01").replace(',', " , ");
        assert_eq!(Decision::parse(&spaced), Some(read));
    }

    #[test]
    fn what_gave_way_and_the_review_stand_in_the_line_where_there_are_any() {
        let at = "2025-11-03T12:00:01.000000Z".to_owned();
        let (over, despite) = (Vec::new(), vec![id("b")]);
        let review = Some("20251103T120001000000Z".to_owned());
        let made = Decision { at, act: DecisionKind::Keep, claim: id("a"), over, despite, review };
        assert_eq!(Decision::parse(&made.to_string()), Some(made.clone()));
        let read = Decisions::parse(&made.to_string());
        assert!(read.is_kept_despite(id("a").statement(), id("b").statement()));
        assert!(!read.is_kept_despite(id("b").statement(), id("a").statement()));
        let restored = format!("{made}\n{}", line(2, DecisionKind::Restore, "a", &[]));
        assert!(!Decisions::parse(&restored).is_kept_despite(id("a").statement(), id("b").statement()));
        assert_eq!(Decision::parse(&made.to_string().replace("\"review\":\"2025", "\"review\":\"-")), None);
    }

    #[test]
    fn what_is_no_decision_is_reported_by_its_line_and_nothing_else_is_lost() {
        let good = line(1, DecisionKind::Retract, "a", &[]);
        let text = format!("\u{feff}<<<<<<< ours\r\n{good}\r\n\n{{\"do\":\"ask\"}}\n{good}\n");
        let read = Decisions::parse(&text);
        assert_eq!(read.unreadable_lines(), [1, 4]);
        assert!(read.is_retracted(id("a")));
        assert_eq!(read.decisions_about(id("a").statement()).count(), 1, "the same line twice is one decision");
        for bad in ["", "{}", "[]", "{\"at\":\"now\"}", &good.replace("retract", "forget"), &good.replace("at", "t")] {
            assert_eq!(Decision::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_later_time_counts_wherever_the_line_stands() {
        let (keep, restore) = (line(1, DecisionKind::Keep, "a", &["b"]), line(2, DecisionKind::Restore, "b", &[]));
        for text in [format!("{keep}\n{restore}\n"), format!("{restore}\n{keep}")] {
            assert_eq!(Decisions::parse(&text).ruling_between(id("a"), id("b")), None);
        }
        let keep_b = line(3, DecisionKind::Keep, "b", &["a"]);
        let read = Decisions::parse(&format!("{keep_b}\n{keep}\n"));
        assert_eq!(read.ruling_between(id("b"), id("a")), Some(Ruling::For(id("b").statement())));
    }

    #[test]
    fn what_ended_did_hold_until_it_is_kept_or_restored() {
        let end = line(1, DecisionKind::End, "a", &[]);
        let read = Decisions::parse(&end);
        assert_eq!(read.ended_at(id("a")), Some("2025-11-03T12:00:01.000000Z"));
        assert!(!read.is_retracted(id("a")));
        for act in [DecisionKind::Keep, DecisionKind::Restore] {
            assert_eq!(Decisions::parse(&format!("{end}\n{}", line(2, act, "a", &[]))).ended_at(id("a")), None, "{act:?}");
        }
        assert_eq!(Decision::parse(&end.replace("2025-11-03", "2025-13-03")), None, "no such month");
    }

    #[test]
    fn what_is_kept_or_restored_is_not_taken_back_any_more() {
        let retract = line(1, DecisionKind::Retract, "a", &[]);
        for act in [DecisionKind::Keep, DecisionKind::Restore, DecisionKind::Both] {
            let read = Decisions::parse(&format!("{retract}\n{}", line(2, act, "a", &[])));
            assert!(!read.is_retracted(id("a")), "{act:?}");
        }
        assert_eq!(Decisions::parse(&line(2, DecisionKind::Both, "a", &["b"])).ruling_between(id("b"), id("a")), Some(Ruling::Both));
    }
}
