//! An item: one memory in one to three sentences.

use jiff::civil::DateTime;
use memora_vault::Band;

use crate::document::Document;
use crate::names::gist;
use crate::{Domain, HeldFor, ImportKey, Kind, MemoryId, Origin};

/// One memory. Its text is the body of its file.
#[derive(Clone, PartialEq)]
pub struct Item {
    /// Its id.
    pub id: MemoryId,
    /// What it is about.
    pub kind: Kind,
    /// The person or thing that it concerns, as the name in a link.
    pub entity: Option<String>,
    /// Whose word it is.
    pub origin: Origin,
    /// How sure its writer was, 0 to 1.
    pub confidence: f64,
    /// Its domain of life.
    pub domain: Option<Domain>,
    /// Its tags.
    pub tags: Vec<String>,
    /// The agent, or `user`.
    pub by: String,
    /// When it was saved, in local time.
    pub created: DateTime,
    /// Where it came from, if it was imported.
    pub imported: Option<ImportKey>,
    /// The names of the notes that it supersedes.
    pub supersedes: Vec<String>,
    /// The place that it was taken from, as in a link: a log and the id of its entry.
    pub from: Option<String>,
    /// How guarded it is at least.
    pub privacy: Band,
    /// Why it is not told to agents until a person confirms it; `None` if it is.
    pub held: Option<HeldFor>,
    /// Whether it was forgotten.
    pub archived: Option<Archived>,
    /// Its words.
    pub text: String,
}

/// When, by which agent and why an item was forgotten.
#[derive(Clone, PartialEq, Eq)]
pub struct Archived {
    /// When, in local time.
    pub at: DateTime,
    /// The agent, or `user`.
    pub by: String,
    /// Why.
    pub reason: Option<String>,
}

/// The properties of a file in the archive.
const ARCHIVE_PROPERTIES: [&str; 3] = ["forgotten", "forgotten_by", "reason"];
/// The property that says that the place of a file guarded it, as its `privacy` does in the archive.
const GUARDED_BY: &str = "guarded_by";

impl Archived {
    /// Marks a document as forgotten. `guard` is the band that its place gave it, where it would lose that in the archive.
    /// [`Archived::unmark`] takes all of it back.
    pub fn mark(&self, document: &mut Document, guard: Option<Band>) {
        for key in ARCHIVE_PROPERTIES.iter().chain([&GUARDED_BY]) {
            document.rename(key, &name_before(key));
        }
        if let Some(band) = guard {
            document.rename("privacy", &name_before("privacy"));
            document.set_plain("privacy", band.as_str());
            document.set_plain(GUARDED_BY, "place");
        }
        self.write(document);
    }

    /// Takes the marks of [`Archived::mark`] back, and leaves every other byte. A privacy that the place of the file gave is
    /// the place's again, if that is at least as guarded as it was.
    pub fn unmark(document: &mut Document, place: Band) {
        if document.text(GUARDED_BY).as_deref() == Some("place") {
            if place >= document.privacy() {
                document.remove("privacy");
                document.rename(&name_before("privacy"), "privacy");
            } else {
                document.remove(&name_before("privacy"));
            }
        }
        for key in ARCHIVE_PROPERTIES.iter().chain([&GUARDED_BY]) {
            document.remove(key);
            document.rename(&name_before(key), key);
        }
    }

    fn write(&self, to: &mut Document) {
        to.set_time("forgotten", self.at);
        to.set("forgotten_by", &self.by);
        if let Some(reason) = &self.reason {
            to.set("reason", reason);
        }
    }
}

/// The name under which a property of the user's is kept, while another stands in its place.
fn name_before(key: &str) -> String {
    format!("{key}_before")
}

/// The property that says where an imported file came from.
pub const IMPORTED_FROM: &str = "imported_from";

/// How much of an item is told in a list, in characters.
const GIST_CHARS_MAX: usize = 160;

impl Item {
    /// How it begins, on one line.
    #[must_use]
    pub fn gist(&self) -> String {
        gist(&self.text, GIST_CHARS_MAX)
    }

    /// Makes its document, without a seal.
    #[must_use]
    pub fn to_document(&self) -> Document {
        let mut to = Document::new("memory");
        to.set_plain("id", self.id.as_str());
        to.set_plain("kind", self.kind.as_str());
        if let Some(entity) = &self.entity {
            to.set("entity", &format!("[[{entity}]]"));
        }
        to.set_plain("origin", self.origin.as_str());
        to.set_plain("confidence", &format!("{}", self.confidence));
        if let Some(domain) = self.domain {
            to.set_plain("domain", domain.as_str());
        }
        if !self.tags.is_empty() {
            to.set_list("tags", &self.tags);
        }
        to.set("by", &self.by);
        to.set_time("created", self.created);
        if let Some(key) = &self.imported {
            to.set(IMPORTED_FROM, key.as_str());
        }
        let links: Vec<String> = self.supersedes.iter().map(|old| format!("[[{old}]]")).collect();
        match links.as_slice() {
            [] => {}
            [link] => to.set("supersedes", link),
            links => to.set_list("supersedes", links),
        }
        if let Some(place) = &self.from {
            to.set("from", &format!("[[{place}]]"));
        }
        to.set_privacy(self.privacy);
        if let Some(held) = self.held {
            to.set_plain("held", held.as_str());
        }
        if let Some(archived) = &self.archived {
            archived.write(&mut to);
        }
        to.body = format!("{}\n", self.text);
        to
    }

    /// Reads a document; `None` for one that is no item.
    #[must_use]
    pub fn from_document(from: &Document) -> Option<Self> {
        if from.memora()? != "memory" {
            return None;
        }
        let time = |key| from.text(key).and_then(|text| text.parse().ok());
        let word = |key: &str| from.text(key);
        let archived = time("forgotten").map(|at| Archived {
            at,
            by: word("forgotten_by").unwrap_or_default(),
            reason: word("reason"),
        });
        Some(Self {
            id: MemoryId::parse(&word("id")?)?,
            kind: word("kind").and_then(|kind| kind.parse().ok()).unwrap_or_default(),
            entity: word("entity").map(|link| strip_link(&link)),
            // What says nothing of its origin is trusted least.
            origin: word("origin").and_then(|origin| origin.parse().ok()).unwrap_or(Origin::ToolOutput),
            confidence: word("confidence").and_then(|number| number.parse().ok()).unwrap_or(0.6),
            domain: word("domain").and_then(|domain| domain.parse().ok()),
            tags: from.list("tags"),
            by: word("by").unwrap_or_default(),
            created: time("created").unwrap_or_default(),
            imported: word(IMPORTED_FROM).map(|key| ImportKey::from_property(&key)),
            supersedes: from.texts("supersedes").iter().map(|link| strip_link(link)).collect(),
            from: word("from").map(|link| strip_link(&link)),
            privacy: from.privacy(),
            // What cannot be read is held all the same.
            held: word("held").map(|word| word.parse().unwrap_or(HeldFor::Instruction)),
            archived,
            text: from.body.trim().to_owned(),
        })
    }
}

memora_vault::wordless_debug! {
    Item(item): "{}, {} bytes", item.id, item.text.len();
}

fn strip_link(text: &str) -> String {
    text.trim_start_matches("[[").trim_end_matches("]]").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item() -> Item {
        Item {
            id: MemoryId::from_random(99),
            kind: Kind::Knowledge,
            entity: Some("drift".to_owned()),
            origin: Origin::AgentAnalysis,
            confidence: 0.8,
            domain: Some(Domain::Work),
            tags: vec!["logging".to_owned()],
            by: "claude: \"code\"".to_owned(),
            created: jiff::civil::date(2026, 11, 22).at(14, 41, 7, 0),
            imported: Some(ImportKey::from_property("mem0:m-1#00")),
            supersedes: vec!["drift logs with console 4f0a".to_owned()],
            from: Some("2026-11-22 drift-1a2b3c4d#^mem-0c4v8s2k1n5d".to_owned()),
            privacy: Band::Secret,
            held: Some(HeldFor::Conflict),
            archived: None,
            text: "drift uses pino for structured logging.".to_owned(),
        }
    }

    #[test]
    fn an_item_is_read_as_it_was_written() {
        let archived = Archived { at: item().created, by: "user".to_owned(), reason: Some("wrong: \"x\"".to_owned()) };
        let two = vec!["drift logs with console 4f0a".to_owned(), "drift logs with bunyan 9k2m".to_owned()];
        let others = [Item { supersedes: two, ..item() }, Item { supersedes: Vec::new(), ..item() }];
        for item in [item(), Item { archived: Some(archived), entity: None, ..item() }].into_iter().chain(others) {
            let text = item.to_document().print();
            let read = Item::from_document(&Document::parse(&text).expect("front matter")).expect("an item");
            assert!(read == item, "{text}");
            assert_eq!(read.to_document().print(), text);
        }
    }

    #[test]
    fn forgetting_and_restoring_gives_the_same_bytes() {
        let at = jiff::civil::date(2027, 1, 1).at(0, 0, 0, 0);
        let archived = Archived { at, by: "user".to_owned(), reason: Some("wrong".to_owned()) };
        let public = Item { privacy: Band::Public, ..item() }.to_document().print();
        let own = "aliases:\n  - logger\nreason: it was measured\nguarded_by:  \"Anna\"\nrating: 5\n---\n";
        for before in [item().to_document().print(), public.clone(), public.replacen("---\nd", &format!("{own}d"), 1)] {
            for guard in [None, Some(Band::Private), Some(Band::Secret)] {
                let mut document = Document::parse(&before).expect("front matter");
                archived.mark(&mut document, guard);
                let gone = Item::from_document(&document).expect("an item");
                assert!(gone.archived.as_ref() == Some(&archived), "{}", document.print());
                assert!(guard.is_none_or(|guard| gone.privacy == guard), "{}", document.print());
                let mut restored = document.clone();
                Archived::unmark(&mut restored, Band::Secret);
                assert_eq!(restored.print(), before, "{guard:?}");
                // A place that guards no more does not take the guard with it.
                let mut moved = document.clone();
                Archived::unmark(&mut moved, Band::Public);
                let moved = Item::from_document(&moved).expect("an item");
                assert!(moved.archived.is_none() && guard.is_none_or(|guard| moved.privacy == guard));
            }
        }
    }

    #[test]
    fn what_is_no_item_is_not_read_as_one() {
        for text in [
            "---\nmemora: log\nid: mem-0000000000ab\n---\n",
            "---\nid: mem-0000000000ab\n---\n",
            "---\nmemora: memory\n---\n",
        ] {
            assert!(Item::from_document(&Document::parse(text).expect("front matter")).is_none(), "{text}");
        }
    }
}
