//! What stands before every route: who asks, from where, and whether it may be.
//!
//! In this order: the exact [host](crate::host), so that a name that was rebound to this machine is refused (421); the method (405); where a browser
//! says that the request comes from (403); the session's cookie (403); for whatever is posted, its size, its form, and the session's
//! token (403). Each response has the headers that keep scripts of notes from running and everybody else from framing or reading it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Form, FromRequest as _, Request};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode, request};
use axum::response::Response;
use serde::Deserialize;

use crate::assets::ASSETS;
use crate::done::Done;
use crate::host::PageHost;
use crate::sessions::{Session, Sessions};
use crate::token::random_token;

/// The most bytes of a body.
pub(crate) const BODY_MAX: usize = 1 << 20;

/// The address at which a session begins: the one place without one.
pub(crate) const ENTRANCE: &str = "/in";

/// A request that was let through.
#[derive(Clone)]
pub(crate) struct Admitted {
    /// What a script of this response has to carry to run.
    pub(crate) nonce: String,
    /// Whose it is; nobody's at the entrance and for the files of the look.
    pub(crate) session: Option<Session>,
}

impl Admitted {
    /// What the forms of this session carry; empty without one.
    pub(crate) fn token(&self) -> &str {
        self.session.as_ref().map_or("", |session| &session.token)
    }

    /// Keeps what this session did, and returns the mark by which an address leads to it.
    pub(crate) fn keep_done(&self, done: Done) -> String {
        self.session.as_ref().map(|session| session.keep_done(done)).unwrap_or_default()
    }

    /// What this session itself did a moment ago, if the address has the mark of it.
    pub(crate) fn find_done(&self, mark: &str) -> Option<Done> {
        self.session.as_ref()?.find_done(mark)
    }
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Host,
    Method,
    Site,
    Session,
    Body,
    Form,
    Slow,
    Token,
}

impl Refusal {
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Self::Host => StatusCode::MISDIRECTED_REQUEST,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::Site | Self::Session | Self::Token => StatusCode::FORBIDDEN,
            Self::Body => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Form => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Slow => StatusCode::REQUEST_TIMEOUT,
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Host => "this is not the address that memora browse printed\n",
            Self::Method => "pages are asked for with GET, and forms are sent with POST\n",
            Self::Site => "this request comes from another site\n",
            Self::Session => {
                "this browser has not been let in: open the address that memora browse printed; press Enter there for a new one\n"
            }
            Self::Body => "the text is too long: a mebibyte at most\n",
            Self::Form => "this is not a form of the page\n",
            Self::Slow => "the text came too slowly\n",
            Self::Token => "this form is of an earlier session: go back, load the page again, and repeat it\n",
        }
    }
}

/// The gate of a server on one port.
pub(crate) struct Guard {
    pub(crate) port: u16,
    pub(crate) host: PageHost,
    pub(crate) sessions: Sessions,
    /// The time within which a body has to come.
    pub(crate) body_time: Duration,
}

impl Guard {
    /// Lets a request through, with its body read where one is posted, or refuses it. Raises `known` once a session was named.
    pub(crate) async fn admit(&self, request: Request, known: &AtomicBool) -> Result<(Request, Admitted), Refusal> {
        let (head, body) = request.into_parts();
        let session = self.check_head(&head)?;
        if session.is_some() {
            known.store(true, Ordering::Relaxed);
        }
        let body = if head.method == Method::POST {
            let bytes = tokio::time::timeout(self.body_time, to_bytes(body, BODY_MAX)).await;
            let bytes = bytes.map_err(|_| Refusal::Slow)?.map_err(|_| Refusal::Body)?;
            self.check_form(&head, &bytes, session.as_ref()).await?;
            Body::from(bytes)
        } else {
            Body::empty()
        };
        let admitted = Admitted { nonce: random_token(), session };
        let mut request = Request::from_parts(head, body);
        request.extensions_mut().insert(admitted.clone());
        Ok((request, admitted))
    }

    /// Checks what needs no body.
    fn check_head(&self, head: &request::Parts) -> Result<Option<Session>, Refusal> {
        let host = self.own_host(head).ok_or(Refusal::Host)?;
        if !matches!(head.method, Method::GET | Method::HEAD | Method::POST) {
            return Err(Refusal::Method);
        }
        check_site(head, host)?;
        let path = head.uri.path();
        if path == ENTRANCE || path.starts_with(ASSETS) && head.method != Method::POST {
            return Ok(None);
        }
        self.find_session(&head.headers).map(Some).ok_or(Refusal::Session)
    }

    /// The host that was asked, if it is ours letter by letter: an empty or missing one is not.
    fn own_host<'h>(&self, head: &'h request::Parts) -> Option<&'h str> {
        let host = only(&head.headers, &header::HOST).filter(|host| *host == self.host.as_str())?;
        head.uri.authority().is_none_or(|named| named.as_str() == host).then_some(host)
    }

    fn find_session(&self, headers: &HeaderMap) -> Option<Session> {
        let name = self.cookie_name();
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut named = cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .filter(|(cookie, _)| *cookie == name)
            .take(8);
        named.find_map(|(_, value)| self.sessions.find(value))
    }

    /// Checks that what is posted is a form of the session's own. The form at the entrance has its own token, which works once.
    async fn check_form(&self, head: &request::Parts, bytes: &Bytes, session: Option<&Session>) -> Result<(), Refusal> {
        let media = only(&head.headers, &header::CONTENT_TYPE).ok_or(Refusal::Form)?;
        if media.split(';').next().map(str::trim) != Some("application/x-www-form-urlencoded") {
            return Err(Refusal::Form);
        }
        let Some(session) = session else { return Ok(()) };
        let again = Request::from_parts(head.clone(), Body::from(bytes.clone()));
        let Ok(Form(signed)) = Form::<Signed>::from_request(again, &()).await else { return Err(Refusal::Token) };
        if session.has_token(&signed.token) { Ok(()) } else { Err(Refusal::Token) }
    }

    fn cookie_name(&self) -> String {
        format!("memora-{}", self.port)
    }

    /// The header that gives a browser its session: for this site's own pages alone, and for no script.
    pub(crate) fn session_cookie(&self, value: &str) -> String {
        format!("{}={value}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name())
    }
}

/// The token that each form carries, whatever else is in it.
#[derive(Deserialize)]
struct Signed {
    token: String,
}

/// Checks where a browser says that a request comes from; what is no browser says nothing, and needs the cookie all the same.
fn check_site(head: &request::Parts, host: &str) -> Result<(), Refusal> {
    let said = |name: &HeaderName| match head.headers.contains_key(name) {
        true => only(&head.headers, name).map(Some).ok_or(Refusal::Site),
        false => Ok(None),
    };
    if let Some(origin) = said(&header::ORIGIN)?
        && origin.strip_prefix("http://") != Some(host)
    {
        return Err(Refusal::Site);
    }
    let reads = head.method != Method::POST;
    let navigates = reads && matches!(said(&SEC_FETCH_MODE)?, Some("navigate"));
    match said(&SEC_FETCH_SITE)? {
        None | Some("same-origin") => Ok(()),
        Some("none") if navigates => Ok(()),
        // The redirect file, or a program that the user clicked in, leads to the entrance: the one page that says nothing.
        Some(_) if navigates && head.uri.path() == ENTRANCE && is_document(head) => Ok(()),
        Some(_) => Err(Refusal::Site),
    }
}

/// Whether a whole window asks, and no frame.
fn is_document(head: &request::Parts) -> bool {
    only(&head.headers, &SEC_FETCH_DEST) == Some("document")
}

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const SEC_FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// The value of a header that is there exactly once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut all = headers.get_all(name).iter();
    let value = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(value)
}

/// Adds the headers that every response has.
pub(crate) fn with_headers(mut response: Response, nonce: &str) -> Response {
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; \
         base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    );
    let headers = response.headers_mut();
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    for (name, value) in [
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        // With `no-referrer`, browsers would send `Origin: null` with our own forms; this says as little to anybody else.
        ("referrer-policy", "same-origin"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
