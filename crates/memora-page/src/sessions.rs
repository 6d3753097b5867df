//! Who may read: addresses that work once, and the sessions they begin, which last as long as the program.
//!
//! Invariant: **a token is compared as a hash, in a time that does not depend on it**, and is kept nowhere but in memory.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::done::Done;
use crate::token::random_token;

/// How long an address works.
const ONCE_LIFETIME: Duration = Duration::from_secs(120);

/// The most sessions and unused addresses; the oldest goes first.
const KEPT_MAX: usize = 32;

/// The addresses that were given out and not used, and the sessions.
#[derive(Default)]
pub(crate) struct Sessions {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    once: Vec<(blake3::Hash, Instant)>,
    open: Vec<Session>,
}

/// A browser that was let in.
#[derive(Clone)]
pub(crate) struct Session {
    cookie: blake3::Hash,
    /// What each form of its pages carries: at a plain address another program on this machine may be sent our cookie, since cookies
    /// know no ports, and does not know this.
    pub(crate) token: String,
    /// What it did last.
    done: Arc<Mutex<Option<Done>>>,
}

impl Sessions {
    /// Makes a token that begins one session, within two minutes.
    pub(crate) fn issue_once(&self) -> String {
        let token = random_token();
        let mut state = self.lock();
        keep_newest(&mut state.once, (blake3::hash(token.as_bytes()), Instant::now() + ONCE_LIFETIME));
        token
    }

    /// Uses up a token, and begins a session; returns the value of its cookie.
    pub(crate) fn begin(&self, once: &str) -> Option<String> {
        let (given, now) = (blake3::hash(once.as_bytes()), Instant::now());
        let mut state = self.lock();
        state.once.retain(|(_, until)| *until > now);
        let at = state.once.iter().position(|(known, _)| *known == given)?;
        state.once.remove(at);
        let cookie = random_token();
        let session = Session { cookie: blake3::hash(cookie.as_bytes()), token: random_token(), done: Arc::default() };
        keep_newest(&mut state.open, session);
        Some(cookie)
    }

    /// The session of a cookie.
    pub(crate) fn find(&self, cookie: &str) -> Option<Session> {
        let given = blake3::hash(cookie.as_bytes());
        self.lock().open.iter().find(|session| session.cookie == given).cloned()
    }

    #[cfg(test)]
    fn expire_all(&self) {
        self.lock().once.iter_mut().for_each(|(_, until)| *until = Instant::now());
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    /// Whether a form came from a page of this session.
    pub(crate) fn has_token(&self, given: &str) -> bool {
        blake3::hash(self.token.as_bytes()) == blake3::hash(given.as_bytes())
    }

    /// Keeps what it did, and returns the mark by which an address leads to it: nobody else's link can.
    pub(crate) fn keep_done(&self, done: Done) -> String {
        let mark = done.mark().to_owned();
        *self.lock_done() = Some(done);
        mark
    }

    /// What it did last, if it has this mark.
    pub(crate) fn find_done(&self, mark: &str) -> Option<Done> {
        self.lock_done().clone().filter(|done| done.mark() == mark)
    }

    fn lock_done(&self) -> std::sync::MutexGuard<'_, Option<Done>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn keep_newest<T>(kept: &mut Vec<T>, new: T) {
    if kept.len() == KEPT_MAX {
        kept.remove(0);
    }
    kept.push(new);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_works_once() {
        let sessions = Sessions::default();
        let once = sessions.issue_once();
        let cookie = sessions.begin(&once).expect("it was issued");
        assert!(sessions.begin(&once).is_none(), "it was used up");
        let session = sessions.find(&cookie).expect("it is open");
        assert!(session.has_token(&session.token.clone()) && !session.has_token(&cookie) && !session.has_token(""));
        assert!(sessions.find(&once).is_none() && sessions.find("").is_none());
    }

    #[test]
    fn an_address_works_for_two_minutes() {
        let sessions = Sessions::default();
        let once = sessions.issue_once();
        sessions.expire_all();
        assert!(sessions.begin(&once).is_none());
    }

    #[test]
    fn each_session_has_a_cookie_and_a_token_of_its_own() {
        let sessions = Sessions::default();
        let begun = || sessions.begin(&sessions.issue_once()).expect("it was issued");
        let (a, b) = (begun(), begun());
        let token = |cookie: &str| sessions.find(cookie).expect("it is open").token;
        assert!(a != b && token(&a) != token(&b) && token(&a) != a);
        assert_eq!(a.len(), 64);
        for _ in 0..KEPT_MAX {
            begun();
        }
        assert!(sessions.find(&a).is_none(), "the oldest goes first");
    }
}
