//! What all pages share: the vault, the guard, and how an answer becomes a page.

use std::sync::{Arc, OnceLock};

use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use memora_engine::report::Freshness;
use memora_service::VaultService;

use crate::assets;
use crate::audience::{ForPage, PageDoor, PageRequest};
use crate::error::PageError;
use crate::guard::{Admitted, Guard};
use crate::last_review::LastReview;
use crate::visible::show_hidden;

/// The state of the server.
pub(crate) struct App {
    pub(crate) service: VaultService,
    pub(crate) guard: Arc<Guard>,
    /// Whether the user decides on the page.
    pub(crate) decide: bool,
    /// The vault's name.
    pub(crate) vault: String,
    /// What to ask first, with its address, once it was found.
    pub(crate) suggested: OnceLock<Vec<(String, String)>>,
    /// The review that was collected last.
    pub(crate) last_review: Arc<LastReview>,
}

pub(crate) type SharedApp = Arc<App>;

/// The parts of the site, as the navigation names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Ask,
    Review,
    Memory,
    Privacy,
    Prompt,
    Verify,
    Health,
    /// A note, a claim or a name, which are led to and not listed.
    Place,
}

/// What stands around every page.
pub(crate) struct Frame {
    pub(crate) nonce: String,
    pub(crate) token: String,
    pub(crate) vault: String,
    pub(crate) decide: bool,
    pub(crate) part: Part,
    /// Whether the index is that of the vault; `None` on what a cloud model would see, which may not count guarded notes.
    pub(crate) freshness: Option<Freshness>,
}

impl Frame {
    /// The same on a page that shows what `D` sees: a cloud model may not count the notes that are due.
    pub(crate) fn seen_by<D: PageDoor>(self) -> Self {
        Self { freshness: self.freshness.filter(|_| !D::IS_CLOUD), ..self }
    }

    /// The address of the style sheet.
    pub(crate) fn css(&self) -> &'static str {
        assets::address("page.css")
    }

    /// The address of the script.
    pub(crate) fn js(&self) -> &'static str {
        assets::address("page.js")
    }

    /// The address of the icon.
    pub(crate) fn icon(&self) -> &'static str {
        assets::address("icon.svg")
    }

    /// The places that the navigation lists.
    pub(crate) fn parts(&self) -> [(&'static str, &'static str, bool); 7] {
        [
            ("/", "Ask", Part::Ask),
            ("/review", "Review", Part::Review),
            ("/memory", "Memory", Part::Memory),
            ("/privacy", "Privacy", Part::Privacy),
            ("/prompt", "Prompt", Part::Prompt),
            ("/verify", "Verify", Part::Verify),
            ("/health", "Health", Part::Health),
        ]
        .map(|(address, name, part)| (address, name, part == self.part))
    }

    /// Whether the index is fresh, in words.
    pub(crate) fn fresh_words(&self) -> Option<String> {
        self.freshness.map(|freshness| fresh_words(&freshness))
    }
}

/// Whether the index is fresh, in words.
pub(crate) fn fresh_words(freshness: &Freshness) -> String {
    match (freshness.fresh, freshness.pending) {
        (true, _) => "index fresh".to_owned(),
        (false, 0) => "being indexed".to_owned(),
        (false, 1) => "1 note not indexed yet".to_owned(),
        (false, pending) => format!("{pending} notes not indexed yet"),
    }
}

/// A page: a template with its status.
pub(crate) trait Screen: Template {
    /// The status of the response.
    fn status(&self) -> StatusCode {
        StatusCode::OK
    }
}

/// The page that tells an error.
#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage {
    frame: Frame,
    error: PageError,
}

impl Screen for ProblemPage {
    fn status(&self) -> StatusCode {
        self.error.status
    }
}

impl App {
    /// Asks the vault.
    pub(crate) async fn read<R: PageRequest>(&self, request: R) -> Result<(R::Answer, Freshness), PageError> {
        self.service.submit(ForPage(request)).await
    }

    /// Asks the vault, and shows the answer as a page.
    pub(crate) async fn answer<R: PageRequest, S: Screen>(
        &self,
        admitted: &Admitted,
        part: Part,
        request: R,
        page: impl FnOnce(Frame, R::Answer) -> S,
    ) -> Response {
        match self.read(request).await {
            Ok((answer, freshness)) => show(&page(self.frame(admitted, part, Some(freshness)), answer)),
            Err(error) => self.show_problem(admitted, part, error),
        }
    }

    /// What stands around a page.
    pub(crate) fn frame(&self, admitted: &Admitted, part: Part, freshness: Option<Freshness>) -> Frame {
        Frame {
            nonce: admitted.nonce.clone(),
            token: admitted.token().to_owned(),
            vault: self.vault.clone(),
            decide: self.decide,
            part,
            freshness,
        }
    }

    /// Shows an error as a page.
    pub(crate) fn show_problem(&self, admitted: &Admitted, part: Part, error: PageError) -> Response {
        show(&ProblemPage { frame: self.frame(admitted, part, None), error })
    }
}

/// Shows a page, with nothing in it that is hidden.
pub(crate) fn show<S: Screen>(page: &S) -> Response {
    match page.render() {
        Ok(html) => {
            (page.status(), [(header::CONTENT_TYPE, "text/html; charset=utf-8")], show_hidden(html)).into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
