//! The files of the page's look: part of the program, and under a random address in each run, so that nothing that a browser kept of
//! another program's, or of an earlier run, is taken for them. Browsers keep none.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::token::random_token;

/// Where the files of the page's own look lie, which say nothing of the vault.
pub(crate) const ASSETS: &str = "/a/";

/// A file of the page.
struct Asset {
    name: &'static str,
    media: &'static str,
    text: &'static str,
}

const FILES: [Asset; 3] = [
    Asset { name: "page.css", media: "text/css; charset=utf-8", text: include_str!("../assets/page.css") },
    Asset { name: "page.js", media: "text/javascript; charset=utf-8", text: include_str!("../assets/page.js") },
    Asset { name: "icon.svg", media: "image/svg+xml", text: include_str!("../assets/icon.svg") },
];

/// The part of the addresses that nobody knows before this run.
static RUN: LazyLock<String> = LazyLock::new(|| random_token().chars().take(32).collect());

/// The addresses of the files, in their order.
static ADDRESSES: LazyLock<[String; FILES.len()]> =
    LazyLock::new(|| FILES.map(|file| format!("{ASSETS}{}/{}", *RUN, file.name)));

/// The address of a file.
pub(crate) fn address(name: &str) -> &'static str {
    let at = FILES.iter().position(|file| file.name == name);
    at.and_then(|at| ADDRESSES.get(at)).map_or("", String::as_str)
}

/// Serves a file in this run, and under no other address.
pub(crate) async fn serve(Path((run, name)): Path<(String, String)>) -> Response {
    let found = FILES.iter().find(|file| file.name == name && *RUN == run);
    let Some(file) = found else { return StatusCode::NOT_FOUND.into_response() };
    ([(header::CONTENT_TYPE, file.media)], file.text).into_response()
}
