//! Fetches one file: [`Fetcher`].
//!
//! Invariant: **all waiting is bounded** by [`FetchLimits`]: connecting, each chunk of an answer, the number of tries and
//! the pauses between them. All reading is bounded by the pinned size.

use std::error::Error;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Response, StatusCode, Url};

use crate::download::{ChunkReader, PartialDownload};
use crate::fetch_error::FetchError;
use crate::http;
use crate::origin::{self, Origin};
use crate::pins::PinnedFile;
use crate::retry::{self, RetryPolicy, block_on, run_with_retries, wait_or_stop};

/// Hugging Face redirects to another host, which may redirect again.
const REDIRECTS_MAX: usize = 5;

/// Limits on waiting and on retries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchLimits {
    /// For a connection.
    pub connect: Duration,
    /// For the next piece of an answer.
    pub piece: Duration,
    /// How often one file is tried for.
    pub tries: u32,
    /// Before the second try, and twice as long before each further one.
    pub pause: Duration,
    /// Between two tries at most, regardless of what a server asks for.
    pub pause_max: Duration,
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(20),
            piece: Duration::from_secs(30),
            tries: 4,
            pause: Duration::from_secs(1),
            pause_max: Duration::from_secs(30),
        }
    }
}

/// The progress of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchProgress<'a> {
    /// Its name.
    pub name: &'a str,
    /// Bytes that are there.
    pub done: u64,
    /// Bytes that it has.
    pub total: u64,
}

/// Observes a download, and may stop it.
pub struct FetchObserver<'a> {
    /// Set to stop.
    pub stop: &'a AtomicBool,
    /// Told how far it is.
    pub progress: &'a mut dyn FnMut(FetchProgress<'_>),
}

/// A failed try.
type FetchFailure = retry::TryFailure<Box<dyn Error + Send + Sync>, FetchError>;

/// Fetches files. Makes no connection until asked to.
pub struct Fetcher {
    limits: FetchLimits,
}

impl Fetcher {
    /// Makes a fetcher with these limits.
    #[must_use]
    pub fn new(limits: FetchLimits) -> Self {
        Self { limits }
    }

    /// Fetches a file into a temporary one in `folder`, and verifies its hash.
    pub(crate) fn fetch(
        &self,
        pin: &PinnedFile,
        origin: &Origin,
        folder: &Path,
        watch: &mut FetchObserver<'_>,
    ) -> Result<PartialDownload, FetchError> {
        let landing = match origin {
            Origin::Folder(from) => copy_from_folder(pin, &from.join(&pin.name), folder, watch)?,
            Origin::Publisher => {
                let url = Url::parse(&pin.url).map_err(|error| FetchError::Setup(error.into()))?;
                self.download(pin, &url, folder, watch)?
            }
            Origin::Mirror(base) => {
                let url = base.join(&pin.name).map_err(|error| FetchError::Setup(error.into()))?;
                self.download(pin, &url, folder, watch)?
            }
        };
        landing.into_verified(&pin.sha256)
    }

    fn download(
        &self,
        pin: &PinnedFile,
        url: &Url,
        folder: &Path,
        watch: &mut FetchObserver<'_>,
    ) -> Result<PartialDownload, FetchError> {
        let client = self.build_client(url)?;
        let FetchLimits { tries, pause, pause_max, .. } = self.limits;
        let stop = watch.stop;
        let once = async || self.download_once(&client, pin, url, folder, watch).await;
        let done = block_on(run_with_retries(RetryPolicy { tries, pause, pause_max }, stop, once));
        done.map_err(|error| FetchError::Setup(error.into()))?.map_err(|failed| match failed {
            FetchFailure::Permanent(error) => error,
            FetchFailure::Transient(source, _) => {
                FetchError::Connection { name: pin.name.clone(), host: host_name(url), tries, source }
            }
        })
    }

    /// One try.
    async fn download_once(
        &self,
        client: &Client,
        pin: &PinnedFile,
        url: &Url,
        folder: &Path,
        watch: &mut FetchObserver<'_>,
    ) -> Result<PartialDownload, FetchFailure> {
        let asked = tokio::time::timeout(self.limits.connect + self.limits.piece, client.get(url.clone()).send());
        let answer =
            wait_or_stop(watch.stop, asked).await.map_err(|stopped| FetchFailure::Permanent(stopped.into()))?;
        let mut answer = match answer {
            Ok(Ok(answer)) => check_status(answer, pin, url)?,
            Ok(Err(error)) if error.is_redirect() => {
                return Err(FetchFailure::Permanent(FetchError::Redirect {
                    name: pin.name.clone(),
                    host: host_name(url),
                }));
            }
            Ok(Err(error)) => return Err(FetchFailure::Transient(error.without_url().into(), None)),
            Err(_) => return Err(FetchFailure::Transient("no answer came in time".into(), None)),
        };
        let said = answer.content_length();
        if said.is_some_and(|bytes| bytes > pin.bytes) {
            return Err(FetchFailure::Permanent(FetchError::TooLarge { name: pin.name.clone(), bytes_max: pin.bytes }));
        }
        let mut landing = PartialDownload::new(&pin.name, folder, pin.bytes).map_err(FetchFailure::Permanent)?;
        loop {
            let piece = tokio::time::timeout(self.limits.piece, answer.chunk());
            let piece = match wait_or_stop(watch.stop, piece)
                .await
                .map_err(|stopped| FetchFailure::Permanent(stopped.into()))?
            {
                Ok(Ok(Some(piece))) => piece,
                Ok(Ok(None)) => break,
                Ok(Err(error)) => return Err(FetchFailure::Transient(error.without_url().into(), None)),
                Err(_) => return Err(FetchFailure::Transient("the server went silent".into(), None)),
            };
            landing.write(&piece).map_err(FetchFailure::Permanent)?;
            (watch.progress)(FetchProgress { name: &pin.name, done: landing.bytes(), total: pin.bytes });
        }
        // All that the server has, and less than there should be, is another file, which its hash will say.
        if landing.bytes() < pin.bytes && said != Some(landing.bytes()) {
            let ended = format!("it ended after {} of {} bytes", landing.bytes(), pin.bytes);
            return Err(FetchFailure::Transient(ended.into(), None));
        }
        Ok(landing)
    }

    fn build_client(&self, url: &Url) -> Result<Client, FetchError> {
        let mut builder = http::client_builder(self.limits.connect).redirect(Policy::custom(follow_trusted));
        if origin::is_loopback(url) {
            // A proxy would take elsewhere what is to stay here.
            builder = builder.no_proxy();
        }
        builder.build().map_err(|error| FetchError::Setup(error.into()))
    }
}

/// Follows redirects to encrypted addresses, and from this machine to this machine.
fn follow_trusted(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let from = attempt.previous().last();
    let same = from.is_some_and(|from| origin::is_loopback(from) == origin::is_loopback(attempt.url()));
    if same && origin::may_fetch(attempt.url()) && attempt.previous().len() <= REDIRECTS_MAX {
        return attempt.follow();
    }
    attempt.error("it leads to an address that is not trusted")
}

/// Accepts an answer that has the file; classifies others as transient or permanent failures.
fn check_status(answer: Response, pin: &PinnedFile, url: &Url) -> Result<Response, FetchFailure> {
    let status = answer.status();
    if status == StatusCode::OK {
        return Ok(answer);
    }
    if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
        let error = format!("the server answers {}", status.as_u16());
        return Err(FetchFailure::Transient(error.into(), retry::parse_retry_after(answer.headers())));
    }
    let name = pin.name.clone();
    Err(FetchFailure::Permanent(match status.is_redirection() {
        true => FetchError::Redirect { name, host: host_name(url) },
        false => FetchError::Status { name, host: host_name(url), status: status.as_u16() },
    }))
}

fn host_name(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

/// Copies a file from a folder, with the same limits as a download.
fn copy_from_folder(
    pin: &PinnedFile,
    from: &Path,
    folder: &Path,
    watch: &mut FetchObserver<'_>,
) -> Result<PartialDownload, FetchError> {
    let read = |source| FetchError::Read { path: from.to_owned(), source };
    let mut file = File::open(from).map_err(read)?;
    let mut landing = PartialDownload::new(&pin.name, folder, pin.bytes)?;
    let mut pieces = ChunkReader::new();
    while !watch.stop.load(Ordering::Relaxed) {
        let Some(piece) = pieces.next_chunk(&mut file).map_err(read)? else { return Ok(landing) };
        landing.write(piece)?;
        (watch.progress)(FetchProgress { name: &pin.name, done: landing.bytes(), total: pin.bytes });
    }
    Err(FetchError::Stopped)
}
