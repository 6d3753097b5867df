//! The user's decisions about claims, as lines of text.
//!
//! The file is append-only and can be merged by taking the lines of both sides: each line is a complete decision, and
//! of two decisions the one with the later timestamp wins, wherever it is. Invariant: **a line that cannot be parsed
//! is kept and reported**: it may be from a later version, or a merge conflict. The file has ids and no vault text:
//! it may refer to guarded claims.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::decision_line::{DecisionKind, LineValue, is_review_name, is_timestamp, read_pairs};
use crate::memory_decision::MemoryDecision;
use crate::{ClaimId, StatementId};

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decision {
    /// Timestamp in UTC: `2025-11-03T12:00:00.000000Z`. Compared as text.
    pub at: String,
    /// The kind of decision.
    pub act: DecisionKind,
    /// The claim that it is about.
    pub claim: ClaimId,
    /// The claims that it ranks over or keeps beside.
    pub over: Vec<ClaimId>,
    /// The broken premises that the claim was kept despite.
    pub despite: Vec<ClaimId>,
    /// The id of the review in which it was ticked (letters and digits); `None` if made by a command.
    pub review: Option<String>,
}

impl Decision {
    /// Returns every claim that it names: its own, and those in `over` and `despite`.
    pub fn named_claims(&self) -> impl Iterator<Item = &ClaimId> {
        std::iter::once(&self.claim).chain(&self.over).chain(&self.despite)
    }

    /// Whether it decides the same as `other`, ignoring the time.
    #[must_use]
    pub fn has_same_effect(&self, other: &Self) -> bool {
        let what = |made: &Self| (made.act, made.claim, made.over.clone(), made.despite.clone());
        what(self) == what(other)
    }
}

/// The ruling between two claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The claim of this statement holds, the other does not.
    For(StatementId),
    /// Both hold.
    Both,
}

/// All decisions, in force or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    made: Vec<Decision>,
    /// Those about what agents remember, by time.
    about_memories: Vec<MemoryDecision>,
    /// Line numbers that could not be parsed, from 1.
    unread: Vec<usize>,
    rulings: BTreeMap<(StatementId, StatementId), Ruling>,
    retracted: BTreeSet<ClaimId>,
    confirmed: BTreeMap<StatementId, String>,
    /// Claims that were ended, and when.
    ended: BTreeMap<ClaimId, String>,
    /// Pairs of a kept statement and a broken premise of it.
    despite: BTreeSet<(StatementId, StatementId)>,
    /// Questions that were put off, by the statements that they are about, and when.
    postponed: BTreeMap<BTreeSet<StatementId>, String>,
    /// Statements about which the last decision put a question off.
    put_off_last: BTreeSet<StatementId>,
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
    /// Parses a line; `None` if it is not a decision.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let (mut at, mut act, mut claim, mut review) = (None, None, None, None);
        let (mut over, mut despite) = (Vec::new(), Vec::new());
        for (key, value) in read_pairs(line)? {
            match (key, value) {
                ("over", LineValue::Ids(ids)) => over = ids,
                ("despite", LineValue::Ids(ids)) => despite = ids,
                ("at", LineValue::Text(text)) => at = Some(text.to_owned()).filter(|at| is_timestamp(at)),
                ("do", LineValue::Text(text)) => act = DecisionKind::parse(text),
                ("review", LineValue::Text(text)) => {
                    review = Some(Some(text.to_owned()).filter(|name| is_review_name(name))?);
                }
                ("claim", LineValue::Text(text)) => claim = ClaimId::parse(text).ok(),
                _ => return None,
            }
        }
        Some(Self { at: at?, act: act?, claim: claim?, over, despite, review })
    }
}

impl Decisions {
    /// Parses the file.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut made: BTreeSet<Decision> = BTreeSet::new();
        let (mut about_memories, mut unread) = (BTreeSet::new(), Vec::new());
        for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            match Decision::parse(line) {
                Some(decision) => drop(made.insert(decision)),
                None if line.trim().is_empty() => {}
                None => match MemoryDecision::parse(line) {
                    Some(decision) => drop(about_memories.insert(decision)),
                    None => unread.push(number),
                },
            }
        }
        let about_memories = about_memories.into_iter().collect();
        let mut read = Self { made: made.into_iter().collect(), about_memories, unread, ..Self::default() };
        for decision in read.made.clone() {
            read.apply_decision(&decision);
        }
        read
    }

    fn apply_decision(&mut self, Decision { at, act, claim, over, despite, review: _ }: &Decision) {
        let id = claim.statement();
        let follows_postponement = self.put_off_last.contains(&id);
        for named in std::iter::once(claim).chain(over) {
            self.put_off_last.remove(&named.statement());
        }
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
            // Right behind a question that was put off, that alone is taken back: what was decided earlier still counts.
            DecisionKind::Restore if follows_postponement => self.ask_again(id),
            DecisionKind::Restore => {
                self.ask_again(id);
                self.confirmed.remove(&id);
                self.retracted.retain(|other| !is_about_claim(*claim, *other));
                self.ended.retain(|other, _| !is_about_claim(*claim, *other));
                self.rulings.retain(|(a, b), _| *a != id && *b != id);
                self.despite.retain(|(held, _)| *held != id);
            }
            DecisionKind::Later => {
                let about: BTreeSet<_> = std::iter::once(claim).chain(over).map(ClaimId::statement).collect();
                self.put_off_last.extend(&about);
                self.postponed.insert(about, at.clone());
            }
        }
    }

    fn ask_again(&mut self, id: StatementId) {
        for about in self.postponed.extract_if(.., |about, _| about.contains(&id)).map(|(about, _)| about) {
            self.put_off_last.retain(|one| !about.contains(one));
        }
    }

    /// Returns the time at which the question about these statements was put off last, unless that was taken back.
    #[must_use]
    pub fn postponed_at(&self, about: &BTreeSet<StatementId>) -> Option<&str> {
        self.postponed.get(about).map(String::as_str)
    }

    /// Returns the ruling between two claims.
    #[must_use]
    pub fn ruling_between(&self, a: ClaimId, b: ClaimId) -> Option<Ruling> {
        self.rulings.get(&ordered_pair(a.statement(), b.statement())).copied()
    }

    /// Whether a claim was retracted.
    #[must_use]
    pub fn is_retracted(&self, claim: ClaimId) -> bool {
        self.retracted.iter().any(|other| is_about_claim(*other, claim))
    }

    /// Returns the time at which the user ended a claim.
    #[must_use]
    pub fn ended_at(&self, claim: ClaimId) -> Option<&str> {
        self.ended.iter().find(|(other, _)| is_about_claim(**other, claim)).map(|(_, at)| at.as_str())
    }

    /// Returns the time at which a claim was last confirmed.
    #[must_use]
    pub fn confirmed_at(&self, claim: ClaimId) -> Option<&str> {
        self.confirmed.get(&claim.statement()).map(String::as_str)
    }

    /// Whether a statement was kept although this premise of it is broken.
    #[must_use]
    pub fn is_kept_despite(&self, statement: StatementId, ground: StatementId) -> bool {
        self.despite.contains(&(statement, ground))
    }

    /// Returns every decision, by time.
    #[must_use]
    pub fn all_by_time(&self) -> &[Decision] {
        &self.made
    }

    /// Returns every decision about what agents remember, by time.
    #[must_use]
    pub fn about_memories(&self) -> &[MemoryDecision] {
        &self.about_memories
    }

    /// Returns the decisions that name a statement, by time.
    pub fn decisions_about(&self, id: StatementId) -> impl Iterator<Item = &Decision> {
        self.made.iter().filter(move |made| made.named_claims().any(|named| named.statement() == id))
    }

    /// Returns the statements that any decision names.
    #[must_use]
    pub fn decided_statements(&self) -> BTreeSet<StatementId> {
        self.made.iter().flat_map(Decision::named_claims).map(ClaimId::statement).collect()
    }

    /// Line numbers that could not be parsed, from 1.
    #[must_use]
    pub fn unreadable_lines(&self) -> &[usize] {
        &self.unread
    }
}

fn ordered_pair(a: StatementId, b: StatementId) -> (StatementId, StatementId) {
    if a <= b { (a, b) } else { (b, a) }
}

/// Whether a decision about `decided` applies to `claim`: the same reading, or any reading of the statement.
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
            assert_eq!(
                Decisions::parse(&format!("{end}\n{}", line(2, act, "a", &[]))).ended_at(id("a")),
                None,
                "{act:?}"
            );
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
        assert_eq!(
            Decisions::parse(&line(2, DecisionKind::Both, "a", &["b"])).ruling_between(id("b"), id("a")),
            Some(Ruling::Both)
        );
    }

    #[test]
    fn a_question_that_was_put_off_is_asked_again_once_that_is_taken_back() {
        let kept = line(1, DecisionKind::Keep, "a", &["b"]);
        let put_off = format!("{kept}\n{}", line(2, DecisionKind::Later, "a", &["c"]));
        let about: BTreeSet<StatementId> = [id("a").statement(), id("c").statement()].into();
        assert!(Decisions::parse(&put_off).postponed_at(&about).is_some());
        let restore = |n| line(n, DecisionKind::Restore, "a", &[]);
        let asked = Decisions::parse(&format!("{put_off}\n{}", restore(3)));
        assert_eq!(asked.postponed_at(&about), None);
        let held = Some(Ruling::For(id("a").statement()));
        assert_eq!(asked.ruling_between(id("a"), id("b")), held, "what was decided before stands");
        let all = Decisions::parse(&format!("{put_off}\n{}\n{}", restore(3), restore(4)));
        assert_eq!(all.ruling_between(id("a"), id("b")), None, "and is taken back by another");
    }
}
