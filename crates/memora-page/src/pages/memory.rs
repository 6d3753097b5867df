//! `/memory`: what agents remember, by kind and date; corrected and forgotten here, where the page decides.

use askama::Template;
use axum::extract::{Extension, Query, State};
use axum::response::Response;
use memora_engine::report::{MemoryItem, MemoryList, MemoryStatus, StaleMemory};
use memora_engine::{LocalDoor, MemoryKind, MemorySession, MemoryWriter};
use serde::Deserialize;

use crate::app::{Frame, Part, Screen, SharedApp};
use crate::audience::{PageRequest, Reading};
use crate::done::Done;
use crate::error::PageError;
use crate::guard::Admitted;
use crate::links;

/// How many items are listed.
const ITEMS_MAX: usize = 300;

#[derive(Clone, Deserialize)]
pub(super) struct Asked {
    /// `on` for those in the archive.
    #[serde(default)]
    archived: String,
    /// One kind alone.
    #[serde(default)]
    kind: String,
    /// The mark of what was done a moment ago.
    #[serde(default)]
    done: String,
}

impl Asked {
    fn is_archived(&self) -> bool {
        !self.archived.is_empty()
    }
}

struct ListMemories(Asked);

struct Listed {
    list: MemoryList<LocalDoor>,
    stale: Vec<StaleMemory<LocalDoor>>,
    folder: String,
}

impl PageRequest for ListMemories {
    type Answer = Listed;
    const LABEL: &'static str = "memories";

    fn read(&self, reading: &Reading<'_>) -> Result<Listed, PageError> {
        let (of, writer) = (MemorySession::default(), MemoryWriter::user(reading.memora));
        let session = reading.session::<LocalDoor>()?;
        let memories = session.memories(&of, &writer)?;
        let kind = KINDS.into_iter().find(|kind| kind.as_str() == self.0.kind);
        let list = memories.reader().list(kind, true, self.0.is_archived(), ITEMS_MAX)?;
        let stale = if session.cites_in_memory()? { memories.reader().list_stale(ITEMS_MAX)?.0 } else { Vec::new() };
        Ok(Listed { list, stale, folder: reading.memora.config().memory.folder.clone() })
    }
}

const KINDS: [MemoryKind; 6] = [
    MemoryKind::Profile,
    MemoryKind::Behavior,
    MemoryKind::Knowledge,
    MemoryKind::Tool,
    MemoryKind::Skill,
    MemoryKind::Event,
];

#[derive(Template)]
#[template(path = "memory.html")]
struct MemoryPage {
    frame: Frame,
    asked: Asked,
    listed: Listed,
    done: Option<Done>,
}

impl Screen for MemoryPage {}

impl MemoryPage {
    /// The items of each kind, the newest first.
    fn by_kind(&self) -> Vec<(&'static str, Vec<&MemoryItem<LocalDoor>>)> {
        let of = |kind: MemoryKind| self.listed.list.items.iter().filter(move |item| item.kind == kind).collect();
        let all = KINDS.into_iter().map(|kind| (kind_words(kind), of(kind)));
        all.filter(|(_, items): &(_, Vec<_>)| !items.is_empty()).collect()
    }

    fn note(item: &MemoryItem<LocalDoor>) -> String {
        links::note(&item.path)
    }

    /// The words of a state that wants to be known, with its colour.
    fn state(item: &MemoryItem<LocalDoor>) -> Option<(&'static str, &'static str, &'static str)> {
        Some(match item.status {
            MemoryStatus::Current => return None,
            MemoryStatus::Held => ("?", "waits for you to confirm it", "weak"),
            MemoryStatus::Stale => ("≈", "cites what no longer holds", "weak"),
            MemoryStatus::Contradicted => ("✗", "your notes say otherwise", "bad"),
            MemoryStatus::Superseded => ("→", "superseded", "none"),
            MemoryStatus::Archived => ("–", "forgotten", "none"),
        })
    }

    /// Whose word it counts as.
    fn origin_words(&self, item: &MemoryItem<LocalDoor>) -> String {
        item.origin.as_str().replace('_', " ")
    }

    /// Why a memory is stale.
    fn because(&self, item: &MemoryItem<LocalDoor>) -> Vec<String> {
        let stale = self.listed.stale.iter().filter(|stale| stale.memory.id == item.id);
        stale.flat_map(|stale| &stale.because).map(|ground| ground.explanation.clone()).collect()
    }

    /// Whether it may be changed here: other machines' files are the user's to move.
    fn is_held(item: &MemoryItem<LocalDoor>) -> bool {
        matches!(item.status, MemoryStatus::Held | MemoryStatus::Stale | MemoryStatus::Contradicted)
    }
}

fn kind_words(kind: MemoryKind) -> &'static str {
    match kind {
        MemoryKind::Profile => "Who you are",
        MemoryKind::Behavior => "How you want things done",
        MemoryKind::Knowledge => "Facts",
        MemoryKind::Tool => "How tools behave",
        MemoryKind::Skill => "How things are done",
        MemoryKind::Event => "What happened",
    }
}

pub(super) async fn show(
    State(app): State<SharedApp>,
    Extension(admitted): Extension<Admitted>,
    Query(asked): Query<Asked>,
) -> Response {
    let request = ListMemories(asked.clone());
    app.answer(&admitted, Part::Memory, request, |frame, listed| MemoryPage {
        frame,
        done: admitted.find_done(&asked.done),
        asked,
        listed,
    })
    .await
}
