//! Facts from the notes of sessions, as a language model lists them.
//!
//! Invariants: **a fact is proposed only if the note of its session says it**, by the same checks as for any answer, in words that
//! are found there again; **what memory says already is no fact of a session**, so that nothing that was recalled into one is saved
//! anew. A note is offered, and its facts are judged and saved, at the strictest door that shows it: what is guarded does not bear on
//! what a cloud client sees.

use std::cmp::Reverse;
use std::collections::HashSet;

use jiff::civil::DateTime;
use memora_claim::{ClaimId, StatementKind};
use memora_memory::{
    HOOKED_PROGRAMS, Kind, MemoryId, SAVES_MAX, Scope, Speaker, is_labelled, is_pasted_at, speaker_at,
};
use memora_nlp::sentence::split_sentences;
use memora_redact::{ClearClaim, Prompt, UserQuestion};
use memora_vault::{Band, NotePath};
use memora_verify::{
    CheckedSentence, CitedPassage, DraftSentence, SentenceVerdict, VerificationReport, check_sentences,
    split_sentences as split_draft,
};

use super::SaveRequest;
use super::duplicates::ComparedWords;
use super::save::{AdmittedItem, ItemSource, Judged, PromotedEntry};
use crate::read::answer::drafted::OfferedEvidence;
use crate::read::answer::model_reply::Draft;
use crate::read::authorize::ClaimAuthorizer;
use crate::read::lifecycle::Lifecycle;
use crate::read::lifecycle::succession::compare_in_order;
use crate::read::lists::SINGULAR_FIRST_PERSON;
use crate::read::search::lowercase_words;
use crate::read::verify::note_evidence::NoteEvidence;
use crate::remember::error::MemoryError;
use crate::remember::owners::SessionFacts;
use crate::remember::plan::{ConsolidationPlan, Untaken};
use crate::report::{ConsolidationAct, ConsolidationStep, DroppedFor, SaveStatus};
use crate::state::memory_replies::{MemoryReplies, ReplySubject};

/// What a model is asked about the note of a session.
const QUESTION: &str = "What do these notes of a session say that must be known in a later session? List facts about projects, \
    people and tools, decisions with their reasons, and lasting preferences of the user. Write one sentence for each, in the \
    language and the words of the note, that is understood on its own. Leave out questions, requests, instructions, guesses, what \
    was only done or tried in this session, and what may not hold tomorrow. Ten sentences at most.";

/// The most statements of a note that are offered.
const OFFERED_MAX: usize = 120;
/// The least words of a statement that is offered.
const WORDS_MIN: usize = 4;
/// What an id of a memory begins with, as blocks and results of searches print it.
const ID_MARK: &str = "mem-";

/// The note of a session that is to be read.
pub(crate) struct SessionFile {
    pub(super) path: NotePath,
    id: MemoryId,
    by: String,
    band: Band,
    scope: Scope,
    /// When it was written.
    created: Option<DateTime>,
    /// A keyed hash of its words.
    words: String,
}

impl SessionFile {
    /// What a reply about it is stored under.
    pub(crate) fn subject(&self) -> ReplySubject {
        ReplySubject { path: self.path.as_str().to_owned(), words: self.words.clone() }
    }

    /// What stands in the record of a pass, so that it is not read again.
    pub(super) fn record(&self) -> String {
        format!("{} {}", self.id, self.words)
    }
}

/// A fact that a note says and no memory does.
struct SessionFact {
    text: String,
    /// The words of the note that it rests on.
    quote: String,
    kind: Kind,
    confidence: f64,
}

/// What is remembered, to be recognised.
struct RememberedWords(Vec<ComparedWords>);

impl RememberedWords {
    /// Whether a text says a memory again, or a part of one.
    fn have(&self, text: &str) -> bool {
        let words = ComparedWords::new(text);
        self.0.iter().any(|known| {
            known.repeats(&words) || words.repeats(known) || words.is_nearly(known) || words.is_fronted(known)
        })
    }

    /// Whether all of a passage is in a memory.
    fn have_all(&self, text: &str) -> bool {
        let words = ComparedWords::new(text);
        self.0.iter().any(|known| known.repeats(&words) || words.is_nearly(known) || words.is_fronted(known))
    }
}

impl SessionFacts<'_> {
    /// The notes of sessions of these scopes that are this door's, newest first, but for those that a pass is done with.
    pub(crate) fn session_files(&self) -> Result<Vec<SessionFile>, MemoryError> {
        let done: HashSet<String> = self.recorded_sessions()?;
        let mut found = Vec::new();
        for scope in self.own_scopes() {
            let files = self.folder.list(&format!("{}/episodic", scope.folder())).into_iter();
            found.extend(files.filter_map(|path| self.session_file(path, &scope)));
        }
        found.retain(|file| !done.contains(&file.record()));
        found.sort_by(|one, other| other.path.stem().cmp(one.path.stem()));
        Ok(found)
    }

    /// A note that Memora wrote of a session, as it stands.
    fn session_file(&self, path: NotePath, scope: &Scope) -> Option<SessionFile> {
        let (document, band, sealed) = self.read_document(&path).filter(|_| self.is_strictest_door_of(&path))?;
        let by = document.text("by")?;
        let is_ours = sealed && document.memora().as_deref() == Some("session");
        // What was imported is data, as everything that another program remembered.
        if !is_ours || !HOOKED_PROGRAMS.contains(&by.as_str()) {
            return None;
        }
        let id = MemoryId::parse(&document.text("id")?)?;
        let words = self.folder.key().sign_words("read", &id, &document.body);
        let created = document.text("created").and_then(|time| time.parse().ok());
        Some(SessionFile { path, id, by, band, scope: scope.clone(), created, words })
    }

    /// The prompt about a note as it is now; `None` if nothing of it is indexed or may be shown.
    pub(crate) fn ask_about_session(&self, file: &SessionFile) -> Result<Option<Prompt>, MemoryError> {
        let offered = self.offer_statements(&file.path, WORDS_MIN)?;
        Ok((!offered.is_empty()).then(|| Prompt::answer(&UserQuestion::new(QUESTION), &offered, &[])))
    }

    /// The first claim of each statement of a file, as far as this door shows it.
    pub(crate) fn offer_statements(
        &self,
        path: &NotePath,
        words_min: usize,
    ) -> Result<Vec<ClearClaim<'_>>, MemoryError> {
        let Some(fresh) = self.session.notes.read_note(path) else { return Ok(Vec::new()) };
        let said = fresh.statements().iter().filter(|said| {
            matches!(said.kind, StatementKind::Sentence | StatementKind::Item)
                && said.words.split_whitespace().count() >= words_min
                && !said.words.contains(ID_MARK)
                && !is_labelled(&said.words)
        });
        let (mut offered, mut seen) = (Vec::new(), HashSet::new());
        for said in said {
            if offered.len() == OFFERED_MAX || !seen.insert(said.id) {
                continue;
            }
            if let Some(statement) = self.session.statement(said.id)?
                && let Some(claim) = statement.wording.claims.first()
            {
                offered.extend(
                    ClaimAuthorizer::new(self.session, Lifecycle::new(self.session))
                        .authorize_claim(claim, &statement)?,
                );
            }
        }
        Ok(offered)
    }

    /// Adds the facts of the notes that a model replied about to a plan, as far as they hold; counts the others.
    pub(crate) fn plan_facts(&self, replies: &MemoryReplies, plan: &mut ConsolidationPlan) -> Result<(), MemoryError> {
        let files = self.session_files()?;
        let replied: Vec<(&SessionFile, &str)> =
            files.iter().filter_map(|file| Some((file, replies.find(&file.subject())?))).collect();
        if replied.is_empty() {
            return Ok(());
        }
        let remembered = self.remembered_words()?;
        for (file, reply) in replied {
            let offered: Vec<ClaimId> =
                self.offer_statements(&file.path, WORDS_MIN)?.iter().map(|claim| claim.claim().id).collect();
            let report = self.check_reply(reply, &offered)?;
            let mut planned = 0;
            let mut sentences: Vec<&CheckedSentence> =
                report.sentences().iter().filter(|said| said.verdict() != SentenceVerdict::Exempt).collect();
            // What is said later corrects what was said before.
            sentences.sort_by_key(|sentence| Reverse(last_place(sentence)));
            for sentence in sentences {
                if planned == SAVES_MAX {
                    plan.count_untaken::<()>(Err(DroppedFor::TooMany.into()))?;
                    continue;
                }
                let done = self.admit_fact(sentence, file, &remembered, plan);
                if let Some((quote, admitted)) = plan.count_untaken(done)? {
                    planned += 1;
                    let step = admitted.step_of(ConsolidationAct::Extract, &file.id, file.path.as_str(), file.band);
                    plan.facts.push((ConsolidationStep { quote: Some(quote), ..step }, admitted));
                }
            }
            plan.read.push(file.record());
        }
        Ok(())
    }

    /// Judges a reply to a request for an answer by the claims that were offered.
    pub(crate) fn check_reply(&self, reply: &str, offered: &[ClaimId]) -> Result<VerificationReport, MemoryError> {
        let draft = Draft::from_reply(reply);
        let mut report = self.check_sentences(split_draft(draft.text()), offered)?;
        draft.attach_evidence(&mut report);
        Ok(report)
    }

    /// Judges sentences by the claims that were offered.
    pub(crate) fn check_sentences(
        &self,
        sentences: Vec<DraftSentence>,
        offered: &[ClaimId],
    ) -> Result<VerificationReport, MemoryError> {
        let notes = NoteEvidence::for_draft(self.session);
        let report = check_sentences(sentences, &OfferedEvidence { notes: &notes, offered });
        // Only for its error: a store that could not be read.
        notes.into_shown_claims()?;
        Ok(report)
    }

    /// Takes what a model worded through the gates of saving.
    pub(super) fn admit(&self, saving: &SaveRequest, source: &PromotedEntry) -> Result<AdmittedItem, Untaken> {
        match self.gate().judge(saving, &ItemSource::Log(source))? {
            Judged::Admitted(admitted) => Ok(*admitted),
            Judged::Answered(report) => Err(Untaken::Dropped(
                report.reason.map_or_else(|| report.status.as_str(), memora_memory::Refusal::as_str),
            )),
        }
    }

    /// Takes a sentence of a reply through the checks and the gates of saving.
    fn admit_fact(
        &self,
        sentence: &CheckedSentence,
        file: &SessionFile,
        remembered: &RememberedWords,
        plan: &ConsolidationPlan,
    ) -> Result<(String, AdmittedItem), Untaken> {
        let fact = self.check_fact(sentence, file, remembered)?;
        let place = file.path.stem().to_owned();
        let source = PromotedEntry { place, by: file.by.clone(), band: file.band };
        let saving = SaveRequest {
            content: fact.text,
            kind: fact.kind,
            confidence: Some(fact.confidence),
            scope: Some(file.scope.clone()),
            ..SaveRequest::default()
        };
        let admitted = self.admit(&saving, &source)?;
        if self.is_older_than_ended(file, &admitted)? {
            return Err(SaveStatus::Conflict.into());
        }
        // Of what two sessions say of one thing the newer one counts, and it was planned first.
        let words = ComparedWords::new(&admitted.item.text);
        let relations = self.session.memora.config.extractor().relations();
        let is_told = plan.facts.iter().any(|(_, other)| {
            ComparedWords::new(&other.item.text).is_nearly(&words)
                || compare_in_order(other.said(), admitted.said(), relations).is_some()
        });
        if is_told { Err(SaveStatus::Duplicate.into()) } else { Ok((fact.quote, admitted)) }
    }

    /// Whether a session is older than a memory that a fact of it would end.
    fn is_older_than_ended(&self, file: &SessionFile, fact: &AdmittedItem) -> Result<bool, MemoryError> {
        for id in fact.superseded.iter().filter_map(|id| MemoryId::parse(id)) {
            let ended = self.find_item(&id)?;
            if ended.is_some_and(|ended| file.created.is_none_or(|created| ended.item.created > created)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The fact that a checked sentence is, if the note says it, asserts it, and nothing that is remembered does.
    fn check_fact(
        &self,
        sentence: &CheckedSentence,
        file: &SessionFile,
        remembered: &RememberedWords,
    ) -> Result<SessionFact, DroppedFor> {
        let confidence = confidence_of(sentence.verdict())?;
        let passages: Vec<&CitedPassage> =
            sentence.citations().iter().flat_map(|citation| citation.passages()).collect();
        let quote = match sentence.evidence() {
            Some(words) => words.to_owned(),
            None if sentence.verdict() == SentenceVerdict::Quoted => sentence.text().to_owned(),
            None => return Err(DroppedFor::NotQuoted),
        };
        if passages.iter().any(|passage| *passage.note() != file.path) {
            return Err(DroppedFor::NotQuoted);
        }
        let text = sentence.text().to_owned();
        let asks = |text: &str| text.trim_end_matches(['"', '”', ')', ' ']).ends_with(['?', '？']);
        if asks(&text) || passages.iter().any(|passage| passage.is_open_task() || asks(passage.words())) {
            return Err(DroppedFor::NotAsserted);
        }
        let is_recalled = |passage: &&CitedPassage| remembered.have_all(passage.words());
        if remembered.have(&text) || remembered.have(&quote) || passages.iter().any(is_recalled) {
            return Err(DroppedFor::Recalled);
        }
        let words = lowercase_words(&text);
        let is_personal = words.iter().any(|word| SINGULAR_FIRST_PERSON.contains(word.as_str()));
        let is_about_user = is_personal || words.iter().any(|word| word == "user");
        let note = self.session.notes.read_note(&file.path);
        let by_user = |passage: &&CitedPassage| {
            let (text, at) = (note.map_or("", |note| note.note().text()), passage.span().start());
            speaker_at(text, at) == Some(Speaker::User) && !is_pasted_at(text, at)
        };
        // The "I" of an assistant, or of a mail that was pasted, is not the user, and what an assistant says of its user is hearsay.
        if is_about_user && !passages.iter().all(by_user) {
            return Err(DroppedFor::Speaker);
        }
        let kind = if is_personal { Kind::Profile } else { Kind::Knowledge };
        Ok(SessionFact { text, quote, kind, confidence })
    }

    /// The sentences of all items that this door shows, forgotten and replaced ones too, and the lines that agents wrote into the
    /// project's logs.
    fn remembered_words(&self) -> Result<RememberedWords, MemoryError> {
        let mut words = Vec::new();
        for found in self.folder.list("").iter().filter_map(|path| self.read_item(path)) {
            let text = &found.item.text;
            let sentences = split_sentences(text).into_iter().filter_map(|range| text.get(range));
            words.extend(sentences.map(ComparedWords::new));
        }
        for logged in self.reader().project_logs() {
            // A checkpoint tells what the session itself said.
            let entries = logged.log.entries();
            let written = entries.iter().filter(|entry| !is_of_hook(&entry.title));
            words.extend(written.flat_map(|entry| entry.text.lines()).map(ComparedWords::new));
        }
        Ok(RememberedWords(words))
    }
}

/// Where in the note the last words stand that a sentence cites.
fn last_place(sentence: &CheckedSentence) -> usize {
    let passages = sentence.citations().iter().flat_map(|citation| citation.passages());
    passages.map(|passage| passage.span().start()).max().unwrap_or_default()
}

/// How far a sentence is believed. It follows from the verdict: what a model thinks of its own words says little.
pub(super) fn confidence_of(verdict: SentenceVerdict) -> Result<f64, DroppedFor> {
    match verdict {
        SentenceVerdict::Quoted => Ok(0.8),
        SentenceVerdict::Verified => Ok(0.7),
        SentenceVerdict::Entailed => Ok(0.6),
        SentenceVerdict::Paraphrased => Err(DroppedFor::Unproven),
        SentenceVerdict::Contradicted => Err(DroppedFor::Contradicted),
        SentenceVerdict::Unsupported => Err(DroppedFor::Unsupported),
        SentenceVerdict::Rejected => Err(DroppedFor::Citation),
        SentenceVerdict::Uncited | SentenceVerdict::Exempt => Err(DroppedFor::Uncited),
    }
}

/// Whether an entry of a log is one of the hooks': a checkpoint, or a program's own summary.
fn is_of_hook(title: &str) -> bool {
    title.starts_with("checkpoint") || title.starts_with("compaction summary")
}
