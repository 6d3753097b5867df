//! Debounces change events.

use std::time::{Duration, Instant};

/// The quiet time after which changes have settled. An editor's save takes some ten milliseconds.
const QUIET_PERIOD: Duration = Duration::from_millis(250);

/// The maximum delay after the first event, even if typing or a checkout continues.
const DELAY_MAX: Duration = Duration::from_millis(600);

/// The times of events that were not taken yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Debounce {
    first: Option<Instant>,
    last: Option<Instant>,
    not_before: Option<Instant>,
}

impl Debounce {
    /// Records an event; returns whether it is the first, so that a waiting thread has to be woken.
    pub(super) fn record_event(&mut self, now: Instant) -> bool {
        self.last = Some(now);
        let is_first = self.first.is_none();
        self.first.get_or_insert(now);
        is_first
    }

    /// Delays everything until then.
    pub(super) fn postpone(&mut self, until: Instant) {
        self.not_before = Some(until);
    }

    /// When the changes are due; `None` without an event.
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
