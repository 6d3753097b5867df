//! `/in`: where a session begins.
//!
//! The address is only looked at by GET, which answers with a form that sends itself: whatever fetches links ahead must not use it up,
//! and a browser sends no strict cookie along a redirect that another program began.

use askama::Template;
use axum::extract::{Extension, Form, Query, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;

use crate::app::{SharedApp, show as show_page};
use crate::assets;
use crate::guard::{Admitted, Refusal, with_headers};

#[derive(Deserialize)]
pub(super) struct Once {
    #[serde(default)]
    once: String,
}

#[derive(Template)]
#[template(path = "in.html")]
struct EntrancePage {
    nonce: String,
    css: &'static str,
    icon: &'static str,
    /// The token; empty if the address has none that could be one.
    once: String,
    /// Whether it was refused.
    refused: bool,
    /// Whether another page was asked for by somebody who was not let in.
    is_unknown: bool,
}

impl crate::app::Screen for EntrancePage {
    fn status(&self) -> StatusCode {
        if self.refused || self.is_unknown { StatusCode::FORBIDDEN } else { StatusCode::OK }
    }
}

fn page(admitted: Admitted, once: String, refused: bool) -> Response {
    let (css, icon) = (assets::address("page.css"), assets::address("icon.svg"));
    show_page(&EntrancePage { nonce: admitted.nonce, css, icon, once, refused, is_unknown: false })
}

/// The response to a request that is refused.
pub(crate) fn refuse(refusal: Refusal) -> Response {
    let plain = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    let mut response = match refusal {
        Refusal::Session => turn_away(),
        _ => (refusal.status(), plain, refusal.words()).into_response(),
    };
    if refusal == Refusal::Method {
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD, POST"));
    }
    // What comes behind an unread body is no request.
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    with_headers(response, "none")
}

/// What somebody is told who asks for a page and was not let in: nothing of the vault, not even its name.
fn turn_away() -> Response {
    let (css, icon) = (assets::address("page.css"), assets::address("icon.svg"));
    show_page(&EntrancePage { nonce: String::new(), css, icon, once: String::new(), refused: false, is_unknown: true })
}

/// Answers with the form.
pub(super) async fn show(
    State(app): State<SharedApp>,
    Extension(admitted): Extension<Admitted>,
    Query(asked): Query<Once>,
) -> Response {
    let is_token = asked.once.len() == 64 && asked.once.bytes().all(|byte| byte.is_ascii_hexdigit());
    let response = match is_token {
        true => page(admitted, asked.once, false),
        false => page(admitted, String::new(), true),
    };
    without_leftovers(&app, response)
}

/// At a plain address, has the browser throw away what another program left under it at this port; cookies stay, since those of all
/// ports are one.
fn without_leftovers(app: &SharedApp, mut response: Response) -> Response {
    if app.guard.host.is_plain() {
        let what = HeaderValue::from_static("\"cache\", \"storage\"");
        response.headers_mut().insert(HeaderName::from_static("clear-site-data"), what);
    }
    response
}

/// Uses the token up, and lets the browser in.
pub(super) async fn enter(
    State(app): State<SharedApp>,
    Extension(admitted): Extension<Admitted>,
    Form(given): Form<Once>,
) -> Response {
    match app.guard.sessions.begin(&given.once) {
        Some(value) => {
            let headers = [(header::SET_COOKIE, app.guard.session_cookie(&value)), (header::LOCATION, "/".to_owned())];
            without_leftovers(&app, (StatusCode::SEE_OTHER, headers).into_response())
        }
        None => page(admitted, String::new(), true),
    }
}
