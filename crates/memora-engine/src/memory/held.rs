//! A memory held against what the user wrote and what is remembered already.

use std::collections::BTreeSet;

use memora_claim::{Claim, ClaimId, ParsedNote, StatementKind};
use memora_memory::Origin;
use memora_nlp::lexicon::{FUNCTION, NEGATIONS};
use memora_nlp::stem::stem;
use memora_redact::Door;
use memora_vault::Note;

use super::{FoundItem, Memories, MemoryError, MemoryQuery};
use crate::report::WireClaim;
use crate::search::{SearchOptions, lowercase_words};

/// The share of words from which two memories are one, if their numbers, names and negations are equal.
const DUPLICATE_FROM: f64 = 0.7;
/// The memories, and the user's sentences, that a new one is compared with.
const CANDIDATES_MAX: usize = 10;

/// How a memory stands to what there is, as far as its writer's door shows it.
pub(super) struct Standing {
    /// Claims of the user's that say it already.
    pub(super) known: Vec<ClaimId>,
    /// Claims of the user's that cannot hold beside it.
    pub(super) against: Vec<ClaimId>,
    /// A memory that says it already.
    pub(super) duplicate: Option<FoundItem>,
    /// The newest memory that cannot hold beside it.
    pub(super) rival: Option<FoundItem>,
}

impl<D: Door> Memories<'_, D> {
    /// Holds the text of a note to be against the user's notes and against memories.
    pub(super) fn hold(&self, text: &str, claims: &[Claim]) -> Result<Standing, MemoryError> {
        let notes = self.session.lifecycle().compare_with_notes(claims)?;
        let words = ComparedWords::new(text);
        let mut known = notes.same;
        if known.is_empty() && notes.against.is_empty() {
            let options = SearchOptions { limit: CANDIDATES_MAX, ..SearchOptions::default() };
            let found = self.session.search().find_claims(text, &options)?;
            let says_it = |quote: &str| ComparedWords::new(quote).is_same(&words);
            known.extend(
                found.hits.iter().filter(|hit| says_it(hit.claim.place().quote())).map(|hit| hit.claim.claim().id),
            );
        }
        let mut standing = Standing { known, against: notes.against, duplicate: None, rival: None };
        let query = MemoryQuery { query: text.to_owned(), limit: CANDIDATES_MAX, ..MemoryQuery::default() };
        for hit in self.find_hits(&query)? {
            let said = self.read_current(&hit).filter(|found| found.item.origin > Origin::ToolOutput);
            let Some(found) = said else { continue };
            if self.session.lifecycle().are_incompatible(claims, &self.read_item_claims(&found)) {
                let newer = standing.rival.as_ref().is_none_or(|rival| rival.item.created < found.item.created);
                if newer {
                    standing.rival = Some(found);
                }
            } else if standing.duplicate.is_none() && ComparedWords::new(&found.item.text).is_nearly(&words) {
                standing.duplicate = Some(found);
            }
        }
        Ok(standing)
    }

    /// The claims of an item, read from its words.
    pub(super) fn read_item_claims(&self, found: &FoundItem) -> Vec<Claim> {
        let place = self.session.memora.vault.path_context(&found.path);
        let (note, _) = Note::parse(found.path.clone(), found.item.to_document().print(), place);
        self.read_claims(note)
    }

    /// The claims of a memory's own words.
    pub(super) fn read_claims(&self, note: Note) -> Vec<Claim> {
        let fresh = ParsedNote::new(note);
        let extractor = self.session.memora.config.extractor();
        let said = fresh.statements().iter().filter(|said| said.kind != StatementKind::Property);
        said.flat_map(|statement| extractor.extract_claims(fresh.note(), statement)).collect()
    }

    /// The user's claims as this door may see them.
    pub(super) fn show_claims(&self, ids: &[ClaimId]) -> Result<Vec<WireClaim<D>>, MemoryError> {
        let lifecycle = self.session.lifecycle_reports();
        let mut shown = Vec::new();
        for id in ids.iter().take(CANDIDATES_MAX) {
            shown.extend(lifecycle.load_wire_claim(*id)?);
        }
        Ok(shown)
    }
}

/// What is compared of a sentence.
struct ComparedWords {
    stems: BTreeSet<String>,
    /// Numbers, names and negations, which must be equal.
    fixed: BTreeSet<String>,
}

impl ComparedWords {
    fn new(text: &str) -> Self {
        let words = lowercase_words(text);
        let names = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).skip(1);
        let mut fixed: BTreeSet<String> =
            names.filter(|word| word.starts_with(char::is_uppercase)).map(str::to_lowercase).collect();
        fixed.remove("i");
        let denies = |word: &str| NEGATIONS.contains(word) || word == "without";
        fixed.extend(words.iter().filter(|word| word.contains(|c: char| c.is_ascii_digit()) || denies(word)).cloned());
        let content = words.iter().filter(|word| !FUNCTION.contains(word.as_str()) && !denies(word));
        Self { stems: content.map(|word| stem(word)).collect(), fixed }
    }

    /// Whether both say the same but for words such as "the".
    fn is_same(&self, other: &Self) -> bool {
        !self.stems.is_empty() && self.fixed == other.fixed && self.stems == other.stems
    }

    /// Whether both have nearly the same words.
    fn is_nearly(&self, other: &Self) -> bool {
        let (shared, all) = (self.stems.intersection(&other.stems).count(), self.stems.union(&other.stems).count());
        #[expect(clippy::cast_precision_loss, reason = "a memory has few words")]
        let share = shared as f64 / all.max(1) as f64;
        self.fixed == other.fixed && share > DUPLICATE_FROM
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_is_repeated_by_its_words_and_not_by_others() {
        let base = "The user prefers TypeScript with strict mode";
        for (text, nearly) in [
            ("User prefers TypeScript with strict mode enabled", true),
            ("The user prefers TypeScript without strict mode", false),
            ("The user does not prefer TypeScript with strict mode", false),
            ("The user prefers JavaScript with strict mode", false),
        ] {
            assert_eq!(ComparedWords::new(text).is_nearly(&ComparedWords::new(base)), nearly, "{text}");
        }
        let port = |number: u16| ComparedWords::new(&format!("The staging API of drift listens on port {number}"));
        assert!(port(8080).is_same(&port(8080)) && !port(8080).is_nearly(&port(8081)));
    }
}
