//! The connection to one server: [`Transport`].
//!
//! Invariant: **a request goes to one address, and its answer is bounded** in time, in size, in the number of tries and
//! in the pauses between them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue, USER_AGENT};
use reqwest::{Client, Response, StatusCode, Url};

use crate::config::ModelConfig;
use crate::failure::ModelError;
use crate::http;
use crate::retry::{self, RetryPolicy, block_on, run_with_retries, wait_or_stop};

/// Transient statuses (429, 5xx). Only these are worth a retry.
const TRANSIENT_STATUSES: &[u16] = &[429, 500, 502, 503, 504, 529];

/// Limits on waiting for a model, on retries, and on the size of its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelLimits {
    /// For a connection, and for what is asked before the first prompt.
    pub connect: Duration,
    /// For a whole answer.
    pub answer: Duration,
    /// How often one prompt is sent, at most.
    pub tries: u32,
    /// Before the second try, and twice as long before each further one.
    pub pause: Duration,
    /// Between two tries at most, regardless of what a server asks for.
    pub pause_max: Duration,
    /// How many bytes an answer may have.
    pub bytes_max: u64,
}

impl Default for ModelLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(120),
            tries: 3,
            pause: Duration::from_secs(1),
            pause_max: Duration::from_secs(30),
            bytes_max: 1 << 20,
        }
    }
}

impl ModelLimits {
    /// The default limits, with the user's timeout for an answer.
    #[must_use]
    pub fn from_config(config: &ModelConfig) -> Self {
        Self { answer: config.timeout, ..Self::default() }
    }
}

/// A request without the common headers.
pub(crate) struct HttpCall<'a> {
    pub(crate) url: &'a Url,
    pub(crate) body: Vec<u8>,
}

/// An HTTP client for one server.
#[derive(Clone)]
pub(crate) struct Transport {
    pub(crate) client: Client,
    pub(crate) headers: HeaderMap,
    pub(crate) destination: String,
    pub(crate) limits: ModelLimits,
}

/// A failed try.
type CallFailure = retry::TryFailure<LastFailure, ModelError>;

/// The outcome of the last try.
enum LastFailure {
    Status(u16),
    Error(reqwest::Error),
}

impl Transport {
    /// The headers of every request.
    pub(crate) fn common_headers() -> HeaderMap {
        let headers =
            [(USER_AGENT, http::USER_AGENT), (ACCEPT, "application/json"), (CONTENT_TYPE, "application/json")];
        headers.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect()
    }

    /// Sends a request, with retries, and returns the bytes of the answer.
    ///
    /// `sending` is called before each try; if it returns false, nothing is sent. `tells` receives the bytes that came
    /// back, complete or not and with any status; if it reports that the prompt went elsewhere, the call ends.
    pub(crate) fn send_with_retries(
        &self,
        call: &HttpCall<'_>,
        sending: &mut dyn FnMut() -> bool,
        tells: fn(&[u8]) -> bool,
        stop: &AtomicBool,
    ) -> Result<Vec<u8>, ModelError> {
        let ModelLimits { tries, pause, pause_max, .. } = self.limits;
        let tries = RetryPolicy { tries: tries.max(1), pause, pause_max };
        let once = async || self.send_once(call, sending, tells, stop).await;
        let done = block_on(run_with_retries(tries, stop, once)).map_err(|error| ModelError::Setup(error.into()))?;
        let destination = self.destination.clone();
        let tries = tries.tries;
        done.map_err(|failed| match failed {
            CallFailure::Permanent(error) => error,
            CallFailure::Transient(LastFailure::Status(status), _) => ModelError::Status { destination, status, tries },
            CallFailure::Transient(LastFailure::Error(error), _) => {
                ModelError::Unreachable { destination, tries, source: error.without_url().into() }
            }
        })
    }

    async fn send_once(
        &self,
        call: &HttpCall<'_>,
        sending: &mut dyn FnMut() -> bool,
        tells: fn(&[u8]) -> bool,
        stop: &AtomicBool,
    ) -> Result<Vec<u8>, CallFailure> {
        if stop.load(Ordering::Relaxed) {
            return Err(CallFailure::Permanent(ModelError::Stopped));
        }
        if !sending() {
            return Err(self.permanent_failure(|destination| ModelError::NotLogged { destination }));
        }
        let mut heard = Vec::new();
        let answer = tokio::time::timeout(self.limits.answer, self.read_answer(call, &mut heard));
        let done =
            match wait_or_stop(stop, answer).await {
                Ok(Ok(done)) => done,
                Ok(Err(_)) => Err(self
                    .permanent_failure(|destination| ModelError::Timeout { destination, after: self.limits.answer })),
                Err(stopped) => Err(CallFailure::Permanent(stopped.into())),
            };
        if tells(&heard) {
            return Err(self.permanent_failure(|destination| ModelError::Elsewhere { destination }));
        }
        done.map(|()| heard)
    }

    /// Reads the answer into `heard`; fails if it is not a successful one.
    async fn read_answer(&self, call: &HttpCall<'_>, heard: &mut Vec<u8>) -> Result<(), CallFailure> {
        let request = self.client.post(call.url.clone()).headers(self.headers.clone()).body(call.body.clone());
        let mut answer =
            request.send().await.map_err(|error| CallFailure::Transient(LastFailure::Error(error), None))?;
        let good = self.check_status(&answer);
        let bytes_max = self.limits.bytes_max;
        loop {
            match answer.chunk().await {
                Ok(Some(piece)) => {
                    let room = usize::try_from(bytes_max).unwrap_or(usize::MAX).saturating_sub(heard.len());
                    heard.extend_from_slice(piece.get(..room).unwrap_or(&piece));
                    if piece.len() > room {
                        return good.and(Err(
                            self.permanent_failure(|destination| ModelError::TooLarge { destination, bytes_max })
                        ));
                    }
                }
                Ok(None) => return good,
                // A part of an answer was paid for, and another one would be, too.
                Err(_) => {
                    let what = "it breaks off";
                    return good.and(Err(
                        self.permanent_failure(|destination| ModelError::NotUnderstood { destination, what })
                    ));
                }
            }
        }
    }

    /// Checks the status of an answer; classifies failures as transient or permanent.
    fn check_status(&self, answer: &Response) -> Result<(), CallFailure> {
        let status = answer.status();
        if status == StatusCode::OK {
            return Ok(());
        }
        if TRANSIENT_STATUSES.contains(&status.as_u16()) {
            return Err(CallFailure::Transient(
                LastFailure::Status(status.as_u16()),
                retry::parse_retry_after(answer.headers()),
            ));
        }
        Err(self.permanent_failure(|destination| match status.is_redirection() {
            true => ModelError::Redirect { destination },
            false => ModelError::Status { destination, status: status.as_u16(), tries: 1 },
        }))
    }

    fn permanent_failure(&self, error: impl FnOnce(String) -> ModelError) -> CallFailure {
        CallFailure::Permanent(error(self.destination.clone()))
    }
}
