//! In which order statements of a time are chosen: the best, spread over the days.
//!
//! The one rule to know: **more asked for begins with less.** The first five are the same whether five or fifty are wanted, so
//! that one page follows the other. Each round gives five at most, from all parts of the time, and two of a day.

use std::collections::{BTreeMap, BTreeSet};

use memora_claim::StatementId;
use memora_claim::time::Period;
use memora_vault::NotePath;

use super::worth::{SINGLE_WORD_SALIENCE, TELLING_SALIENCE_MIN};

/// How many a round gives, and into how many parts the days are cut.
const ROUND_SIZE: usize = 5;

/// How many of one day a round gives, where there are several days.
const PER_DAY_MAX: usize = 2;

/// What has less is chosen only when nothing better is left in any part.
const GOOD_SALIENCE_MIN: f32 = 2.0;

/// A statement of a time.
#[derive(Clone, Debug)]
pub(crate) struct TimeCandidate {
    pub(crate) statement: StatementId,
    pub(crate) days: Period,
    pub(crate) worth: f32,
    /// Note and first byte.
    pub(crate) at: (NotePath, usize),
}

/// Statements in the order in which they are to be shown; those that can't be shown make room for others of the kind.
pub(crate) struct DayRounds {
    /// Best first.
    left: Vec<TimeCandidate>,
    /// The days that there is something of, in order.
    days: Vec<Period>,
    rounds: usize,
    round: usize,
    /// How many of each day the round gave.
    taken: BTreeMap<Period, usize>,
    /// The parts that the round has passed.
    passed: BTreeSet<usize>,
    in_round: usize,
    is_one_day: bool,
}

/// The order for so many; `is_one_day` where a single day is asked about.
pub(crate) fn select_in_rounds(mut noted: Vec<TimeCandidate>, limit: usize, is_one_day: bool) -> DayRounds {
    // Beside whatever tells something, properties and single words are left out.
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
    /// What to show next.
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

    /// Remembers what was shown.
    pub(crate) fn mark_shown(&mut self, noted: &TimeCandidate) {
        self.in_round += 1;
        *self.taken.entry(noted.days).or_default() += 1;
        self.passed.insert(self.day_bucket(noted.days));
    }

    /// The best of a part that had none yet, else the best of all, as far as its day has room.
    fn find_best(&self) -> Option<usize> {
        let has_room = |noted: &TimeCandidate| {
            let taken = self.taken.get(&noted.days).copied().unwrap_or_default();
            self.is_one_day || !noted.days.is_day() || taken < PER_DAY_MAX
        };
        let fresh = |noted: &TimeCandidate| noted.worth >= GOOD_SALIENCE_MIN && !self.passed.contains(&self.day_bucket(noted.days));
        let spread = self.left.iter().position(|noted| has_room(noted) && fresh(noted));
        spread.or_else(|| self.left.iter().position(has_room))
    }

    /// Which fifth of the days a day is in.
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
