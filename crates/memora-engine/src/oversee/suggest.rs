//! Suggestions for a first question: a question, a name and words that the notes do answer.
//!
//! Invariant: **at every door only public notes are searched**, and every word was re-read. A suggestion is
//! shown at any door, and typed into a shell: names with a character that a shell would interpret are passed over.
//! Each suggestion was tried: the question, the name and the words each give a result, at the caller's door too.

use std::collections::{BTreeMap, HashSet};

use memora_claim::{NameKey, STATES, is_file_property};
use memora_redact::{CloudDoor, CloudVisibility, DoorView, Viewer, WireClaim};
use memora_retrieve::EvidenceStrength;
use memora_store::Authors;

use crate::read::answer::Answerer;
use crate::read::entity::{EntityQuery, EntityReports};
use crate::read::search::{ClaimSearch, SearchError, SearchOptions};
use crate::report::{AskReport, EntityReport, EntityStatus, Freshness};
use crate::state::open::Memora;
use crate::state::session::Session;

/// A suggestion from public notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// A question that is answered with strong evidence.
    pub question: String,
    /// An entity that the answer is about.
    pub name: String,
    /// Words to search for: what the answer says of it, or the name.
    pub words: String,
}

/// Suggestions do not wait for pending notes.
const FRESH: Freshness = Freshness { fresh: true, pending: 0 };

/// Maximum number of names that are tried: each is searched for anew.
const NAMES_MAX: usize = 8;

/// Maximum number of words of an object that is searched for.
const WORDS_MAX: usize = 4;

impl Memora {
    /// Finds a suggestion in the public notes that this door answers as well; `None` where none of the most claimed
    /// names gives one.
    pub fn find_suggestion(&self, door: DoorView) -> Result<Option<Suggestion>, SearchError> {
        let public = self.session_for(CloudDoor::new(CloudVisibility::Public).view())?;
        let own = self.session_for(door)?;
        let (public, own) = (SuggestionFinder { session: &public }, SuggestionFinder { session: &own });
        for name in public.most_claimed_names()? {
            let Some(found) = public.suggest_about(&name)? else { continue };
            let own_answers = || {
                Ok::<_, SearchError>(
                    own.find_strong_answer(&found.question)?.is_some() && own.find_entity_report(&name)?.is_some(),
                )
            };
            if public.has_hit(&found.words)? && own_answers()? && own.has_hit(&found.words)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

/// The search for a suggestion, for one session.
struct SuggestionFinder<'s> {
    session: &'s Session<'s>,
}

impl SuggestionFinder<'_> {
    /// The answer to a question, if it has strong evidence.
    fn find_strong_answer(&self, question: &str) -> Result<Option<AskReport>, SearchError> {
        let answer = Answerer::new(self.session).answer_question(
            question,
            &SearchOptions { limit: 5, ..SearchOptions::default() },
            FRESH,
        )?;
        Ok(Some(answer)
            .filter(|answer| answer.relevance == Some(EvidenceStrength::Likely) && !answer.claims.is_empty()))
    }

    /// The report about a name, if it has claims.
    fn find_entity_report(&self, name: &str) -> Result<Option<EntityReport>, SearchError> {
        let query = EntityQuery { name, limit: 5, timeline: false };
        let told = EntityReports::new(self.session, Authors::User).report_entity(&query, FRESH)?;
        Ok(Some(told).filter(|told| told.status == EntityStatus::Found && !told.claims.is_empty()))
    }

    /// Whether there is a hit for words.
    fn has_hit(&self, words: &str) -> Result<bool, SearchError> {
        let found = ClaimSearch::new(self.session)
            .find_claims(words, &SearchOptions { limit: 5, ..SearchOptions::default() })?;
        Ok(found.hits.first().is_some_and(|hit| hit.strength != EvidenceStrength::Nearest))
    }

    /// The names with the most claims, most first.
    fn most_claimed_names(&self) -> Result<Vec<String>, SearchError> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut titles: HashSet<String> = HashSet::new();
        self.session.snapshot.for_each_statement(|statement| {
            let Some(seen) =
                statement.retain_sources(|source| self.session.door.may_show(source.row.band) && !source.note.captured)
            else {
                return Ok(());
            };
            for source in &seen.sources {
                titles.insert(file_name(source.row.note.as_str()).to_owned());
            }
            let title = file_name(seen.sources.first().map_or("", |source| source.row.note.as_str()));
            for claim in &seen.wording.claims {
                let name = claim.subject_or_title(title);
                // A subject that only a heading gives, such as "Notes", is not worth asking about.
                let own = claim.subject.is_none() || seen.wording.words.contains(name);
                if own && is_shell_safe(name) && NameKey::from_subject(name) != Some(NameKey::owner()) {
                    *counts.entry(name.to_owned()).or_default() += 1;
                }
            }
            Ok::<(), SearchError>(())
        })?;
        // A name rather than "the meeting": it starts with a capital, or is the title of a note.
        let is_name = |name: &String| name.starts_with(char::is_uppercase) || titles.contains(name);
        let mut names: Vec<(String, usize)> = counts.into_iter().filter(|(name, _)| is_name(name)).collect();
        names.sort_by(|(a, x), (b, y)| y.cmp(x).then_with(|| a.cmp(b)));
        Ok(names.into_iter().take(NAMES_MAX).map(|(name, _)| name).collect())
    }

    /// Builds a suggestion about a name, if an answer is about it.
    fn suggest_about(&self, name: &str) -> Result<Option<Suggestion>, SearchError> {
        // Not "I" or "my": those name the owner of the notes, and the answer would be about the owner too.
        let Some(told) = self.find_entity_report(name)? else { return Ok(None) };
        for question in questions_about(name, &told) {
            let Some(answer) = self.find_strong_answer(&question)? else { continue };
            let about: Vec<_> =
                answer.claims.iter().map(|claim| claim.triple()).filter(|(subject, ..)| *subject == name).collect();
            // What is said first is what a reader takes for the answer; "Tags: work" on a line of its own is none.
            if !answer.claims.first().is_some_and(|first| is_answer_about(name, first)) {
                continue;
            }
            let is_short = |object: &str| is_shell_safe(object) && object.split(' ').count() <= WORDS_MAX;
            let short = about.iter().find(|(_, predicate, object)| *predicate != STATES && is_short(object));
            let words = short.map_or_else(|| name.to_owned(), |(_, _, object)| format!("{name} {object}"));
            return Ok(Some(Suggestion { question, name: name.to_owned(), words }));
        }
        Ok(None)
    }
}

/// Whether a claim is about a name, and what anybody would ask about: a sentence says it, or it is known what its label means. That
/// the categories are areas answers nothing.
fn is_answer_about(name: &str, claim: &WireClaim) -> bool {
    let (subject, predicate, _) = claim.triple();
    subject == name && !is_file_property(predicate) && (says_its_predicate(claim) || claim.relation().is_some())
}

/// Whether subject, predicate and object of a claim are a sentence, rather than a label and its value.
fn says_its_predicate(claim: &WireClaim) -> bool {
    let (_, predicate, object) = claim.triple();
    let quote = claim.place().map_or("", |place| place.quote.as_str());
    predicate == STATES || !is_labelled(quote, predicate, object)
}

/// Whether words have a predicate as the label of what follows it: `categories: Areas`, `**Tags**:: work`, a list under it.
fn is_labelled(words: &str, predicate: &str, object: &str) -> bool {
    let (words, predicate) = (words.to_lowercase(), predicate.to_lowercase());
    let behind = words.split_once(&predicate).map(|(_, behind)| behind);
    let marks = [':', '*', '_', ']', '"', '|', ' '];
    let is_label = |behind: &str| {
        let signs = behind.len() - behind.trim_start_matches(marks).len();
        behind.get(..signs).is_some_and(|signs| signs.contains([':', '|']))
    };
    object.is_empty() || behind.is_none_or(is_label)
}

/// Questions about a name that may have an answer: what it is, what something of it is, or whether a claim about it holds.
fn questions_about(name: &str, told: &EntityReport) -> Vec<String> {
    let about = told.claims.iter().filter(|claim| claim.triple().0 == name && claim.triple().1 != STATES);
    let asked = about.flat_map(|claim| {
        let (subject, predicate, object) = claim.triple();
        let said = format!("{subject} {predicate} {object}");
        let quote = claim.place().map_or("", |place| place.quote.as_str());
        match claim.relation() {
            _ if says_its_predicate(claim) && quote.contains(&said) => vec![format!("{said}?")],
            Some(_) if !says_its_predicate(claim) => {
                vec![format!("What is the {} of {subject}?", predicate.to_lowercase()), format!("{said}?")]
            }
            _ => Vec::new(),
        }
    });
    let asked = asked.filter(|question| is_shell_safe(question.trim_end_matches('?')));
    [format!("What is {name}?"), name.to_owned()].into_iter().chain(asked).collect()
}

/// The name of a note's file.
fn file_name(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".md").unwrap_or(name)
}

/// Whether words are safe between double quotes in any shell, and are not a bare number or date.
fn is_shell_safe(words: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | ',');
    words.starts_with(char::is_alphabetic) && words.chars().count() > 1 && words.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::{is_labelled, is_shell_safe};

    #[test]
    fn a_label_is_no_verb() {
        for (words, predicate, object) in [
            ("Tags: astronomy", "Tags", "astronomy"),
            ("categories: Areas", "categories", "Areas"),
            ("categories:\n  - \"[[Areas]]\"", "categories", "Areas"),
            ("**Price**: 40 euros", "Price", "40 euros"),
            ("status:: active", "status", "active"),
            ("| Mass | 3 |", "Mass", "3"),
        ] {
            assert!(is_labelled(words, predicate, object), "{words}");
        }
        for (words, predicate, object) in
            [("Mercury is a planet", "is", "a planet"), ("Anna works at Tidewell: since May", "works at", "Tidewell")]
        {
            assert!(!is_labelled(words, predicate, object), "{words}");
        }
    }

    #[test]
    fn what_a_shell_would_obey_is_not_suggested() {
        for good in ["drift", "Anna Brandt", "gauge-relay", "佐藤先生", "v1.2"] {
            assert!(is_shell_safe(good), "{good}");
        }
        for bad in
            ["", "I", "-rf", "2024-05-02", "$(reboot)", "`id`", "a\"b", "a\\b", "hi!", "a;b", "a\nb", "a|b", "%PATH%"]
        {
            assert!(!is_shell_safe(bad), "{bad}");
        }
    }
}
