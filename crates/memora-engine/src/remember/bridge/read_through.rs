//! Asking servers where a search finds less than it may.

use std::time::Instant;

use memora_bridge::{BridgedText, Pending};
use memora_memory::{Kind, Origin, clean_line, gist, reads_as_instruction};
use memora_nlp::lexicon::FUNCTION;
use memora_redact::{BridgeQuery, Viewer, sanitize_for_model};
use memora_retrieve::{LexicalHit, Query, SearchFilter, search_all};
use memora_store::Authors;
use memora_vault::find_credentials;

use super::{DeliveryError, SEARCH_MAX, SEARCH_WAIT};
use crate::read::search::lowercase_words;
use crate::remember::MemoryQuery;
use crate::remember::owners::MemoryBridges;
use crate::remember::session::SHELL_AGENT;
use crate::report::{BridgePlace, BridgeState, BridgedHit, BridgedMemories, Freshness, MemoryHit, MemoryStatus};
use crate::state::bridges::Bridge;
use crate::state::open::Memora;

/// The longest text of a hit, in characters.
const TEXT_CHARS_MAX: usize = 300;

/// A server that was asked.
struct Asked<'b> {
    bridge: &'b Bridge,
    reply: Result<Pending<Vec<BridgedText>>, BridgeState>,
}

impl MemoryBridges<'_> {
    /// Asks the servers that this door's reader may ask, if there are fewer hits than there may be. What the search is limited
    /// to by our own properties is not asked for elsewhere.
    pub(in crate::remember) fn ask_bridges(
        &self,
        asked: &MemoryQuery,
        limit: usize,
        hits: &[MemoryHit],
        freshness: Freshness,
    ) -> Vec<BridgedMemories> {
        let mut room = limit.saturating_sub(hits.len());
        let is_ours_alone = asked.archived || asked.kind.is_some() || asked.entity.is_some();
        if room == 0 || is_ours_alone {
            return Vec::new();
        }
        let bridges = self.servers().iter().filter(|bridge| bridge.config.read);
        let began: Vec<Asked<'_>> = bridges
            .filter_map(|bridge| {
                let query = self.query_for(bridge, &asked.query, freshness)?;
                Some(Asked { bridge, reply: self.begin_search(bridge, query, room) })
            })
            .collect();
        let until = Instant::now() + SEARCH_WAIT;
        let mut said: Vec<Vec<String>> = hits.iter().map(|hit| lowercase_words(&hit.gist)).collect();
        let answered = began.into_iter().map(|Asked { bridge, reply }| {
            let found =
                reply.and_then(|reply| reply.wait_until(until).map_err(|error| DeliveryError::from(error).state()));
            let (state, texts) = match found {
                Ok(texts) => (BridgeState::Ok, texts),
                Err(state) => (state, Vec::new()),
            };
            let hits: Vec<BridgedHit> =
                texts.into_iter().filter_map(|text| self.show_bridged(&text, &mut said)).take(room).collect();
            room -= hits.len();
            BridgedMemories { name: bridge.name().to_owned(), state, hits }
        });
        answered.collect()
    }

    /// What a server may be asked; `None` if it is not asked at all.
    ///
    /// A client at a cloud door was shown nothing guarded: its words leave, and it asks no server whose answers stay on this machine.
    /// An agent behind a local door may have been shown anything, and so asks only those. What the user types, also into a pipe,
    /// leaves as far as its words stand in text that a cloud door shows, which has to be indexed for that.
    fn query_for(&self, bridge: &Bridge, typed: &str, freshness: Freshness) -> Option<BridgeQuery> {
        let is_local = self.session.door.is_local();
        let is_users = self.writer.agent.as_deref().is_none_or(|agent| agent == SHELL_AGENT);
        match bridge.config.place {
            BridgePlace::Local => is_local.then(|| BridgeQuery::new(typed, |_| true))?,
            BridgePlace::Cloud if is_users && freshness.fresh => {
                BridgeQuery::new(typed, |word| is_clear_word(self.session.memora, word))
            }
            BridgePlace::Cloud if is_users || is_local => None,
            BridgePlace::Cloud => BridgeQuery::new(typed, |_| true),
        }
    }

    fn begin_search(
        &self,
        bridge: &Bridge,
        query: BridgeQuery,
        limit: usize,
    ) -> Result<Pending<Vec<BridgedText>>, BridgeState> {
        let client = bridge.client().map_err(|_| BridgeState::Failed)?;
        if client.is_resting() {
            return Err(BridgeState::OpenCircuit);
        }
        self.log_sending(bridge, "search", query.text().len(), None).map_err(|_| BridgeState::Failed)?;
        Ok(client.search(query, limit, SEARCH_MAX))
    }

    /// A text of a server's as it is shown: on one line, without what nobody sees and without citations. Nothing is shown
    /// that was said already, and to others no credential.
    fn show_bridged(&self, found: &BridgedText, said: &mut Vec<Vec<String>>) -> Option<BridgedHit> {
        let text = gist(&clean_line(&sanitize_for_model(&found.text)), TEXT_CHARS_MAX);
        let words = lowercase_words(&text);
        let is_said = said.iter().any(|other| is_same_or_cut(other, &words));
        let may_be_shown = self.session.door.is_local() || find_credentials(&found.text).is_empty();
        if words.is_empty() || is_said || !may_be_shown {
            return None;
        }
        said.push(words);
        let orders = reads_as_instruction(Kind::Knowledge, &found.text);
        let status = if orders { MemoryStatus::Held } else { MemoryStatus::Current };
        Some(BridgedHit { text, origin: Origin::ToolOutput, status })
    }
}

/// Whether two texts have the same words; a longer one may be cut.
fn is_same_or_cut(one: &[String], other: &[String]) -> bool {
    const CUT_WORDS_MIN: usize = 12;
    let shorter = one.len().min(other.len());
    one == other || shorter >= CUT_WORDS_MIN && one.get(..shorter) == other.get(..shorter)
}

/// Whether each part of a typed word is one that only holds others together, or stands as it is in text that a cloud door shows.
/// What is not known there, whether it is guarded or in no note, stays.
fn is_clear_word(memora: &Memora, word: &str) -> bool {
    let indexes = memora.indexes.visible_to(memora.cloud_door().view(), Authors::All);
    let is_clear = |part: &str| {
        let is_found = |hit: &LexicalHit| hit.matched.iter().any(|found| !found.fuzzy);
        FUNCTION.contains(part.to_lowercase().as_str())
            || search_all(&indexes, &Query::new(part), &SearchFilter::default(), 1)
                .is_ok_and(|hits| hits.iter().any(is_found))
    };
    word.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).all(is_clear)
}
