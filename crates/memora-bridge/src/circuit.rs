//! When a server that fails is left alone.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::error::BridgeError;

/// After how many failures in a row.
const FAILURES_MAX: u32 = 3;
/// For how long.
const REST: Duration = Duration::from_secs(5 * 60);

/// The failures of one server in this process.
#[derive(Debug, Default)]
pub(crate) struct Circuit(Mutex<Failures>);

#[derive(Debug, Default)]
struct Failures {
    in_a_row: u32,
    rests_until: Option<Instant>,
}

impl Circuit {
    /// Whether the server is left alone.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open_at(Instant::now())
    }

    fn is_open_at(&self, now: Instant) -> bool {
        let failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        failures.rests_until.is_some_and(|until| now < until)
    }

    /// Takes note of an outcome; returns whether the server is to be left alone from now on.
    pub(crate) fn record<T>(&self, outcome: &Result<T, BridgeError>) -> bool {
        self.record_at(outcome, Instant::now())
    }

    fn record_at<T>(&self, outcome: &Result<T, BridgeError>, now: Instant) -> bool {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match outcome {
            Ok(_) => *failures = Failures::default(),
            Err(error) if error.is_failure() => {
                failures.in_a_row += 1;
                // After a rest one failure suffices.
                if failures.in_a_row >= FAILURES_MAX {
                    failures.rests_until = Some(now + REST);
                    return true;
                }
            }
            Err(_) => {}
        }
        false
    }

    /// Forgets the failures: the user asks.
    pub(crate) fn close(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Failures::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_failures_in_a_row_open_it_for_five_minutes_and_then_one() {
        let circuit = Circuit::default();
        let began = Instant::now();
        let fail = |at| circuit.record_at::<()>(&Err(BridgeError::TimedOut), at);
        assert!(!fail(began) && !fail(began));
        assert!(!circuit.record_at(&Ok(()), began));
        assert!(!fail(began) && !fail(began) && !circuit.is_open_at(began));
        // What was not asked did not fail.
        assert!(!circuit.record_at::<()>(&Err(BridgeError::Starting), began));
        assert!(fail(began) && circuit.is_open_at(began));
        assert!(circuit.is_open_at(began + REST - Duration::from_secs(1)));
        let later = began + REST;
        assert!(!circuit.is_open_at(later));
        assert!(fail(later) && circuit.is_open_at(later));
        circuit.close();
        assert!(!circuit.is_open_at(later));
    }
}
