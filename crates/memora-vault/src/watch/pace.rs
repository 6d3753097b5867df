//! When what was heard has settled.

use std::time::{Duration, Instant};

/// So long nothing more has to be heard. An editor that saves takes some ten milliseconds from its first step to its last.
const QUIET_PERIOD: Duration = Duration::from_millis(250);

/// So long after the first it is due in any case: somebody types on, a checkout goes on.
const DELAY_MAX: Duration = Duration::from_millis(600);

/// The times of what was heard and not taken yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Debounce {
    first: Option<Instant>,
    last: Option<Instant>,
    not_before: Option<Instant>,
}

impl Debounce {
    /// Notes that something was heard; whether it is the first, so that whoever waits has to be told.
    pub(super) fn record_event(&mut self, now: Instant) -> bool {
        self.last = Some(now);
        let is_first = self.first.is_none();
        self.first.get_or_insert(now);
        is_first
    }

    /// Has everything wait until then.
    pub(super) fn postpone(&mut self, until: Instant) {
        self.not_before = Some(until);
    }

    /// When it is due; nothing if nothing was heard.
    pub(super) fn due_at(&self) -> Option<Instant> {
        let settled = self.first.zip(self.last).map(|(first, last)| (last + QUIET_PERIOD).min(first + DELAY_MAX));
        settled.max(self.not_before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(heard_ms: &[u64], due_ms: u64) {
        let start = Instant::now();
        let mut pace = Debounce::default();
        for (number, at) in heard_ms.iter().enumerate() {
            assert_eq!(pace.record_event(start + Duration::from_millis(*at)), number == 0);
        }
        assert_eq!(pace.due_at(), Some(start + Duration::from_millis(due_ms)), "{heard_ms:?}");
    }

    #[test]
    fn one_save_is_due_when_it_has_been_quiet() {
        check(&[0], 250);
        check(&[0, 5, 12], 262);
    }

    #[test]
    fn who_saves_on_and_on_does_not_put_it_off_for_good() {
        check(&[0, 200, 400], 600);
        check(&[0, 100, 200, 300, 400, 500, 600, 700], 600);
    }

    #[test]
    fn what_was_put_back_waits_and_what_is_heard_meanwhile_waits_with_it() {
        let start = Instant::now();
        let mut pace = Debounce::default();
        assert_eq!(pace.due_at(), None);
        pace.postpone(start + Duration::from_secs(2));
        assert_eq!(pace.due_at(), Some(start + Duration::from_secs(2)));
        pace.record_event(start);
        assert_eq!(pace.due_at(), Some(start + Duration::from_secs(2)));
        pace.record_event(start + Duration::from_secs(3));
        assert_eq!(pace.due_at(), Some(start + Duration::from_secs(2)));
    }
}
