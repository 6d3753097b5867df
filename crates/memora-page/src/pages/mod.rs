//! The pages: one file each, from the address to the template.

pub(crate) mod ask;
mod claim;
mod decide;
mod entity;
pub(crate) mod entrance;
mod fresh;
mod health;
pub(crate) mod memory;
mod note;
mod parts;
mod privacy;
mod prompt;
pub(crate) mod review;
mod verify;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};

use crate::app::{Part, SharedApp};
use crate::assets;
use crate::error::PageError;
use crate::guard::{Admitted, BODY_MAX, ENTRANCE};

/// Every address that there is. The guard stands before all of them.
pub(crate) fn routes(app: &SharedApp) -> Router {
    let mut routes = Router::new()
        .route(ENTRANCE, get(entrance::show).post(entrance::enter))
        .route("/", get(ask::show))
        .route("/note/{*path}", get(note::show))
        .route("/claim/{id}", get(claim::show))
        .route("/entity/{name}", get(entity::show))
        .route("/entity", get(entity::find))
        .route("/review", get(review::show))
        .route("/memory", get(memory::show))
        .route("/privacy", get(privacy::show))
        .route("/prompt", get(prompt::show))
        .route("/verify", get(verify::show).post(verify::judge))
        .route("/health", get(health::show))
        .route("/fresh", get(fresh::show))
        .route("/a/{hash}/{file}", get(assets::serve));
    if app.decide {
        routes = routes.route("/decide", post(decide::decide)).route("/memory", post(decide::change_memory));
    }
    routes.fallback(no_page).layer(DefaultBodyLimit::max(BODY_MAX)).with_state(Arc::clone(app))
}

async fn no_page(State(app): State<SharedApp>, Extension(admitted): Extension<Admitted>) -> Response {
    // Below the folder of the look nobody needs a session, and so is told nothing, not even the vault's name.
    if admitted.session.is_none() {
        return StatusCode::NOT_FOUND.into_response();
    }
    let error = PageError::not_found("there is no such page", "the pages are listed above");
    app.show_problem(&admitted, Part::Place, error)
}
