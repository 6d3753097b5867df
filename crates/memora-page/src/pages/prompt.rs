//! `/prompt`: the very words that a cloud model would be sent with a question. Nothing is sent.

use askama::Template;
use axum::extract::{Extension, Query, State};
use axum::response::Response;
use memora_engine::{CloudDoor, Prompt, SearchOptions};
use serde::Deserialize;

use crate::app::{Frame, Part, Screen, SharedApp};
use crate::audience::{PageDoor as _, PageRequest, Reading};
use crate::error::PageError;
use crate::guard::Admitted;

#[derive(Clone, Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    q: String,
}

struct FirstPrompt(Asked);

impl PageRequest for FirstPrompt {
    type Answer = Option<Prompt<CloudDoor>>;
    const LABEL: &'static str = "prompt";

    fn read(&self, reading: &Reading<'_>) -> Result<Self::Answer, PageError> {
        if self.0.q.trim().is_empty() {
            return Ok(None);
        }
        if self.0.q.len() > 4096 {
            return Err(PageError::refused("the question is too long", "four kilobytes at most"));
        }
        let (options, door) = (SearchOptions::for_answer(None, 100), CloudDoor::of(reading.memora));
        Ok(reading.memora.first_prompt(&self.0.q, &options, &door)?)
    }
}

#[derive(Template)]
#[template(path = "prompt.html")]
struct PromptPage {
    frame: Frame,
    asked: Asked,
    prompt: Option<Prompt<CloudDoor>>,
}

impl Screen for PromptPage {}

pub(super) async fn show(
    State(app): State<SharedApp>,
    Extension(admitted): Extension<Admitted>,
    Query(asked): Query<Asked>,
) -> Response {
    let request = FirstPrompt(asked.clone());
    app.answer(&admitted, Part::Prompt, request, |frame, prompt| PromptPage {
        frame: frame.seen_by::<CloudDoor>(),
        asked,
        prompt,
    })
    .await
}
