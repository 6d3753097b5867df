//! The files of the page's look: part of the program, named by their hash, and kept by browsers for good.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::guard::ASSETS;

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

/// The addresses of the files, in their order.
static ADDRESSES: LazyLock<[String; FILES.len()]> =
    LazyLock::new(|| FILES.map(|file| format!("{ASSETS}{}/{}", hash(&file), file.name)));

fn hash(file: &Asset) -> String {
    blake3::hash(file.text.as_bytes()).to_hex().chars().take(16).collect()
}

/// The address of a file.
pub(crate) fn address(name: &str) -> &'static str {
    let at = FILES.iter().position(|file| file.name == name);
    at.and_then(|at| ADDRESSES.get(at)).map_or("", String::as_str)
}

/// Serves a file under its hash, and under no other.
pub(crate) async fn serve(Path((named, name)): Path<(String, String)>) -> Response {
    let found = FILES.iter().find(|file| file.name == name && hash(file) == named);
    let Some(file) = found else { return StatusCode::NOT_FOUND.into_response() };
    let headers = [(header::CONTENT_TYPE, file.media), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    (headers, file.text).into_response()
}
