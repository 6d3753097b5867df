//! Selection order of statements of a time: the best, spread over the days.
//!
//! Invariant: **a larger limit extends a smaller one.** The first five are the same for a limit of five or fifty, so
//! that pages follow each other. Each round has at most five statements, from all parts of the time, and two per day.

use std::collections::{BTreeMap, BTreeSet};

use memora_claim::StatementId;
use memora_claim::time::Period;
use memora_vault::NotePath;

use super::salience::{SINGLE_WORD_SALIENCE, TELLING_SALIENCE_MIN};

/// The size of a round, and the number of parts the days are divided into.
const ROUND_SIZE: usize = 5;

/// The maximum number of statements per day in a round, if there are several days.
const PER_DAY_MAX: usize = 2;

/// Statements below this are chosen only if nothing better is left in any part.
const GOOD_SALIENCE_MIN: f32 = 2.0;

/// A candidate statement of a time.
#[derive(Clone, Debug)]
pub(crate) struct TimeCandidate {
    pub(crate) statement: StatementId,
    pub(crate) days: Period,
    pub(crate) worth: f32,
    /// Its note and first byte.
    pub(crate) at: (NotePath, usize),
}

/// Candidates in display order; one that cannot be shown makes room for others of its kind.
pub(crate) struct DayRounds {
    /// The remaining candidates, best first.
    left: Vec<TimeCandidate>,
    /// The days with candidates, in order.
    days: Vec<Period>,
    rounds: usize,
    round: usize,
    /// The number taken per day in this round.
    taken: BTreeMap<Period, usize>,
    /// The parts already represented in this round.
    passed: BTreeSet<usize>,
    in_round: usize,
    is_one_day: bool,
}

/// Prepares the rounds for a limit; `is_one_day` if the question is about a single day.
pub(crate) fn select_in_rounds(mut noted: Vec<TimeCandidate>, limit: usize, is_one_day: bool) -> DayRounds {
    // If any candidate is informative, properties and single words are dropped.
    if noted.iter().any(|noted| noted.worth >= TELLING_SALIENCE_MIN) {
        noted.retain(|noted| noted.worth >= SINGLE_WORD_SALIENCE);
    }
    noted.sort_by(|a, b| b.worth.total_cmp(&a.worth).then_with(|| (a.days, &a.at).cmp(&(b.days, &b.at))));
    let days: BTreeSet<Period> = noted.iter().map(|noted| noted.days).collect();
    DayRounds {
        is_one_day: is_one_day || days.len() == 1,
        left: noted,
        days: days.into_iter().collect(),
        rounds: limit.div_ceil(ROUND_SIZE),
        round: 0,
        taken: BTreeMap::new(),
        passed: BTreeSet::new(),
        in_round: 0,
    }
}

impl DayRounds {
    /// Returns the next candidate.
    pub(crate) fn next_candidate(&mut self) -> Option<TimeCandidate> {
        while self.round < self.rounds {
            if self.in_round < ROUND_SIZE
                && let Some(at) = self.find_best()
            {
                return Some(self.left.remove(at));
            }
            self.round += 1;
            self.in_round = 0;
            self.taken.clear();
            self.passed.clear();
        }
        None
    }

    /// Records a shown candidate.
    pub(crate) fn mark_shown(&mut self, noted: &TimeCandidate) {
        self.in_round += 1;
        *self.taken.entry(noted.days).or_default() += 1;
        self.passed.insert(self.day_bucket(noted.days));
    }

    /// Returns the best candidate of a part without one in this round, else the best of all, if its day has room.
    fn find_best(&self) -> Option<usize> {
        let has_room = |noted: &TimeCandidate| {
            let taken = self.taken.get(&noted.days).copied().unwrap_or_default();
            self.is_one_day || !noted.days.is_day() || taken < PER_DAY_MAX
        };
        let fresh = |noted: &TimeCandidate| {
            noted.worth >= GOOD_SALIENCE_MIN && !self.passed.contains(&self.day_bucket(noted.days))
        };
        let spread = self.left.iter().position(|noted| has_room(noted) && fresh(noted));
        spread.or_else(|| self.left.iter().position(has_room))
    }

    /// Returns the part that a day belongs to.
    fn day_bucket(&self, days: Period) -> usize {
        let at = self.days.partition_point(|other| *other < days);
        at * ROUND_SIZE / self.days.len().max(1)
    }
}

#[cfg(test)]
mod tests {
    use memora_vault::PartialDate;

    use super::*;

    fn noted(day: &str, worth: f32) -> TimeCandidate {
        let date = PartialDate::parse(day).expect("a date");
        TimeCandidate {
            statement: StatementId::from_words(&format!("{day} {worth}"), &[]),
            days: Period::from_dates(date, date).expect("a day"),
            worth,
            at: (NotePath::new(format!("{day}.md")).expect("a path"), 0),
        }
    }

    /// What is chosen, of which day and worth.
    fn chosen(all: &[(&str, f32)], limit: usize, is_one_day: bool) -> Vec<String> {
        let all = all.iter().map(|(day, worth)| noted(day, *worth)).collect();
        let mut rounds = select_in_rounds(all, limit, is_one_day);
        let mut chosen = Vec::new();
        while chosen.len() < limit
            && let Some(noted) = rounds.next_candidate()
        {
            rounds.mark_shown(&noted);
            chosen.push(format!("{}={}", noted.days.from(), noted.worth));
        }
        chosen
    }

    #[test]
    fn the_best_of_each_part_come_first() {
        let all =
            [("2022-09-01", 5.0), ("2022-09-01", 4.5), ("2022-09-01", 4.0), ("2022-09-20", 3.0), ("2022-09-30", 1.0)];
        let expect = ["2022-09-01=5", "2022-09-20=3", "2022-09-01=4.5", "2022-09-30=1"];
        assert_eq!(chosen(&all, 5, false), expect, "two of a day, and what is poor last");
        assert_eq!(chosen(&all, 6, false).len(), 5, "a second round takes more of a day");
    }

    #[test]
    fn of_one_day_all_may_be() {
        let all = [("2022-09-01", 5.0), ("2022-09-01", 4.0), ("2022-09-01", 3.0)];
        assert_eq!(chosen(&all, 5, true).len(), 3);
        assert_eq!(chosen(&all, 5, false).len(), 3, "there is no other day");
    }

    #[test]
    fn more_begins_with_less() {
        let all: Vec<(String, f32)> =
            (1..29_u8).map(|day| (format!("2022-09-{day:02}"), f32::from(day % 5) + 1.0)).collect();
        let all: Vec<(&str, f32)> = all.iter().map(|(day, worth)| (day.as_str(), *worth)).collect();
        let (few, many) = (chosen(&all, 5, false), chosen(&all, 20, false));
        assert_eq!(many.get(..5), Some(few.as_slice()));
        assert_eq!(many.len(), 20);
    }
}
