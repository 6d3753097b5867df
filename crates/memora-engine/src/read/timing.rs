//! Timings of the stages of a search, for the log and the benchmarks: durations only, no text.

use std::time::{Duration, Instant};

/// Durations of the stages of a search.
#[derive(Debug, Default)]
pub(crate) struct SearchTimings {
    /// Finding by words and by meaning, side by side.
    pub(crate) found: Duration,
    /// Making one ranking of both, neighbours included.
    pub(crate) joined: Duration,
    /// Reading the rows of the hits.
    pub(crate) rows: Duration,
    /// Looking whether their notes are as they were indexed, and scoring them by everything but the transformer.
    pub(crate) scored: Duration,
    /// Waiting for the transformer's reading of the question, and comparing the hits with it.
    pub(crate) reranked: Duration,
    /// Re-reading where they stand, and sorting for the door.
    pub(crate) reread: Duration,
    /// Redacted claims about what the question names.
    pub(crate) redacted: Duration,
}

/// A stopwatch for one search.
pub(crate) struct SearchTimer {
    last: Instant,
    laps: SearchTimings,
}

impl SearchTimer {
    pub(crate) fn start() -> Self {
        Self { last: Instant::now(), laps: SearchTimings::default() }
    }

    /// Adds the time since the last lap to one stage.
    pub(crate) fn lap(&mut self, part: impl FnOnce(&mut SearchTimings) -> &mut Duration) {
        let now = Instant::now();
        *part(&mut self.laps) += now - self.last;
        self.last = now;
    }

    /// Writes the timings to the log.
    pub(crate) fn log_timings(self) {
        let us = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let SearchTimings { found, joined, rows, scored, reranked, reread, redacted } = self.laps;
        tracing::debug!(
            found_us = us(found),
            joined_us = us(joined),
            rows_us = us(rows),
            scored_us = us(scored),
            reranked_us = us(reranked),
            reread_us = us(reread),
            redacted_us = us(redacted),
            "searched"
        );
    }
}
