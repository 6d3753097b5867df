//! Waiting with cancellation, timeouts and retries.
//!
//! Invariant: **every await polls the stop flag.** All waiting for connections goes through this module, so that
//! setting the flag ends it within [`STOP_POLL_INTERVAL`], regardless of the other side.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// The interval at which the stop flag is polled.
pub(crate) const STOP_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The caller asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// How often to try, and how long to wait in between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RetryPolicy {
    /// At least once is tried.
    pub(crate) tries: u32,
    /// Before the second try, and twice as long before each further one.
    pub(crate) pause: Duration,
    /// Between two tries at most, regardless of what a server asks for.
    pub(crate) pause_max: Duration,
}

/// Why a try failed.
pub(crate) enum TryFailure<A, F> {
    /// Another try may help, after as long as the server asks for.
    Transient(A, Option<Duration>),
    /// No other try will help.
    Permanent(F),
}

/// Runs a future on this thread.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> io::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(work);
    // A pending name resolution must not block the caller.
    runtime.shutdown_background();
    Ok(done)
}

/// Awaits a future until it is done or the stop flag is set.
pub(crate) async fn wait_or_stop<T>(stop: &AtomicBool, wait: impl Future<Output = T>) -> Result<T, Stopped> {
    let mut wait = std::pin::pin!(wait);
    loop {
        if stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        if let Ok(done) = tokio::time::timeout(STOP_POLL_INTERVAL, wait.as_mut()).await {
            return Ok(done);
        }
    }
}

/// Retries until success, a permanent failure or the last try, whose failure is returned.
pub(crate) async fn run_with_retries<T, A, F: From<Stopped>>(
    tries: RetryPolicy,
    stop: &AtomicBool,
    mut once: impl AsyncFnMut() -> Result<T, TryFailure<A, F>>,
) -> Result<T, TryFailure<A, F>> {
    let mut pause = tries.pause;
    let mut tried = 1;
    loop {
        let (last, asked) = match once().await {
            Err(TryFailure::Transient(last, asked)) => (last, asked),
            done => return done,
        };
        if tried >= tries.tries {
            return Err(TryFailure::Transient(last, asked));
        }
        let wait = asked.unwrap_or(pause).min(tries.pause_max);
        wait_or_stop(stop, tokio::time::sleep(wait)).await.map_err(|stopped| TryFailure::Permanent(stopped.into()))?;
        pause = (pause.max(wait) * 2).min(tries.pause_max);
        tried += 1;
    }
}

/// Parses the `Retry-After` header: seconds, or a date, which counts from the `Date` of the response (the server's clock),
/// else from now. A date in the past means at once.
pub(crate) fn parse_retry_after(headers: &HeaderMap) -> Option<Duration> {
    let asked = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = asked.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let parse_date = |text: &str| httpdate::parse_http_date(text).ok();
    let until = parse_date(asked)?;
    let now = headers.get(DATE).and_then(|date| parse_date(date.to_str().ok()?)).unwrap_or_else(SystemTime::now);
    Some(until.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the seconds to wait, where the server says that it is five past eight.
    #[track_caller]
    fn check(asked: &str, expect: Option<u64>) {
        let mut headers = HeaderMap::new();
        headers.insert(DATE, "Sun, 06 Nov 1994 08:05:00 GMT".parse().expect("a good header"));
        headers.insert(RETRY_AFTER, asked.parse().expect("a good header"));
        assert_eq!(parse_retry_after(&headers), expect.map(Duration::from_secs), "{asked}");
    }

    #[test]
    fn a_time_to_wait_is_in_seconds_or_a_date() {
        check(" 7 ", Some(7));
        check("Sun, 06 Nov 1994 08:06:30 GMT", Some(90));
        check("Sun, 06 Nov 1994 07:00:00 GMT", Some(0));
        for odd in ["", "soon", "-1", "7.5", "Sun, 06 Nov 1994"] {
            check(odd, None);
        }
    }
}
