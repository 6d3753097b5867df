//! Requests that are being answered, for a loop that waits for several things at once.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use crossbeam_channel::Sender;
use lsp_server::RequestId;
use lsp_types::Uri;
use memora_service::PendingReply;
use serde_json::Value;

use crate::error::EditorError;
use crate::question::Question;

/// What becomes of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Purpose {
    /// It answers a request of the editor.
    Respond(RequestId),
    /// It is what is wrong in a version of a document.
    Publish(Uri, i32),
}

/// An answer that is there.
pub(crate) type Answered = (Purpose, Result<Value, EditorError>);

/// Rings when an answer may be there.
struct Bell(Sender<()>);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        // One ring is enough for several answers, and the loop may have ended.
        let _ = self.0.try_send(());
    }
}

/// The requests that are being answered. One that is taken out is cancelled.
pub(crate) struct PendingRequests {
    waiting: Vec<(Purpose, PendingReply<Question>)>,
    waker: Waker,
}

impl PendingRequests {
    /// None; `bell` is rung when an answer may be there.
    pub(crate) fn new(bell: Sender<()>) -> Self {
        Self { waiting: Vec::new(), waker: Arc::new(Bell(bell)).into() }
    }

    /// Adds a request; the bell is rung at once if it is answered.
    pub(crate) fn push(&mut self, purpose: Purpose, reply: PendingReply<Question>) {
        self.waiting.push((purpose, reply));
        self.waker.wake_by_ref();
    }

    /// Cancels the requests with such a purpose; returns whether there was any.
    pub(crate) fn cancel(&mut self, is_meant: impl Fn(&Purpose) -> bool) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|(purpose, _)| !is_meant(purpose));
        self.waiting.len() < before
    }

    /// Takes the answers that are there, in the order of their requests.
    pub(crate) fn take_answered(&mut self) -> Vec<Answered> {
        let mut context = Context::from_waker(&self.waker);
        let mut answered = Vec::new();
        let waiting = std::mem::take(&mut self.waiting);
        for (purpose, mut reply) in waiting {
            match Pin::new(&mut reply).poll(&mut context) {
                Poll::Ready(answer) => answered.push((purpose, answer)),
                Poll::Pending => self.waiting.push((purpose, reply)),
            }
        }
        answered
    }
}
