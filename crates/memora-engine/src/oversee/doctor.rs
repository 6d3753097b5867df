//! Reports of `index`, `status` and `doctor`, as far as a door may know.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use memora_claim::{ClaimId, ParsedNote};
use memora_redact::Viewer;
use memora_store::{Authors, ReadError, StoredSource, VectorCounts};
use memora_vault::{Band, Hint, Note, NotePath, SkipReason, Vault};
use rayon::prelude::*;

use crate::index::outcome::SyncOutcome;
use crate::index::proposals::never_indexed_places;
use crate::report::{
    CheckSpec, ClaimCounts, CountsByBand, DoctorCheck, DoctorReport, DoorKind, EmbedderReport, Freshness, IndexReport,
    NoteCounts, Problem, SkippedNote, StatusReport, VectorsByEmbedder, pluralize,
};
use crate::state::embedder::choice::EmbedderChoice;
use crate::state::error_chain::format_error_chain;
use crate::state::open::Notice;
use crate::state::session::Session;

/// What to try when a band's name was not understood.
const BAND_HINT: &str = "write public, private or secret";

/// What to try with keys that are gone.
const REMOVED_KEYS_HINT: &str =
    "take them out: no network reads sentences here; memora verify --judge MODEL asks a language model";

/// What to try with a damaged index.
const JOURNAL_HINT: &str =
    "run memora reset --journal, then memora index: when a sentence was first seen is forgotten, nothing else";
const RESET_HINT: &str = "run memora reset, then memora index: it is made again from your notes";

/// How many notes are compared at a time, so that a large vault does not pile up in memory.
const NOTES_AT_ONCE: usize = 64;

/// How many places stand in their notes as they were indexed.
#[derive(Default)]
struct ComparedPlaces {
    good: usize,
    bad: usize,
    /// The path and the line of the first that does not.
    first_bad: Option<String>,
}

impl ComparedPlaces {
    /// Compares places with their note as it is on disk; none where it cannot be read.
    fn of_note(vault: &Vault, path: &NotePath, places: &[StoredSource]) -> Self {
        let mut compared = Self::default();
        let Ok(text) = vault.read_note(path) else { return compared };
        let (note, _) = Note::parse(path.clone(), text, vault.path_context(path));
        let fresh = ParsedNote::new(note);
        for source in places {
            let row = &source.row;
            let bytes = fresh.note().text().as_bytes().get(row.start..row.end);
            let stands =
                row.recheck(&fresh).is_ok_and(|place| !place.has_moved() && Some(place.quote().as_bytes()) == bytes);
            match stands {
                true => compared.good += 1,
                false => {
                    compared.bad += 1;
                    compared.first_bad.get_or_insert_with(|| format!("{path}:{}", source.line));
                }
            }
        }
        compared
    }

    fn add(&mut self, other: Self) {
        self.good += other.good;
        self.bad += other.bad;
        self.first_bad = self.first_bad.take().or(other.first_bad);
    }
}

/// The checks and the status of the index, for one session.
pub struct Doctor<'s> {
    session: &'s Session<'s>,
}

impl<'s> Doctor<'s> {
    pub(crate) fn new(session: &'s Session<'s>) -> Self {
        Self { session }
    }

    /// Every listed claim that this door may see, by id. Loads every statement.
    pub fn list_claim_ids(&self) -> Result<HashSet<ClaimId>, ReadError> {
        let mut ids = HashSet::new();
        self.session.snapshot.for_each_statement(|statement| {
            if let Some(seen) = statement.retain_sources(|source| self.session.door.may_show(source.row.band)) {
                ids.extend(seen.wording.claims.iter().filter(|claim| claim.listed).map(|claim| claim.id));
            }
            Ok::<(), ReadError>(())
        })?;
        Ok(ids)
    }

    /// Reports what a sync did.
    pub fn report_index(&self, synced: &SyncOutcome) -> Result<IndexReport, ReadError> {
        let strictest = self.session.door.strictest_band();
        let total = self.session.snapshot.counts().claims(strictest)?;
        let (added, removed) = synced.claims.count(strictest, total);
        let [public, private, secret] = self.session.snapshot.counts().notes_by_band()?;
        let by_band = [(Band::Public, public), (Band::Private, private), (Band::Secret, secret)];
        let shown = by_band.into_iter().filter(|(band, _)| self.session.door.may_show(*band));
        let local = self.session.door.is_local();
        Ok(IndexReport {
            notes: NoteCounts {
                seen: shown.map(|(_, count)| count).sum(),
                changed: local.then_some(synced.changed),
                removed: local.then_some(synced.removed),
                renamed: local.then_some(synced.renamed),
                skipped: self.skipped_notes()?,
            },
            claims: ClaimCounts { total, added, removed },
            problems: self.problems()?,
            unread: synced.unread,
            freshness: synced.freshness(),
        })
    }

    fn skipped_notes(&self) -> Result<Vec<SkippedNote>, ReadError> {
        let skipped = self.session.snapshot.skipped_files()?;
        let mut found: Vec<SkippedNote> = skipped
            .into_iter()
            .map(|(path, code)| {
                let reason = SkipReason::from_code(&code);
                SkippedNote {
                    path: self.session.door.is_local().then_some(path),
                    reason: code,
                    hint: reason.map(|r| r.hint().to_owned()).unwrap_or_default(),
                }
            })
            .collect();
        if !self.session.door.is_local() {
            found.sort_by(|a, b| a.reason.cmp(&b.reason));
        }
        Ok(found)
    }

    /// Problems of notes. A cloud door sees those of notes without guarded text, since the place of a problem can
    /// depend on guarded text before it.
    pub fn problems(&self) -> Result<Vec<Problem>, ReadError> {
        let mut hides: HashMap<NotePath, bool> = HashMap::new();
        let mut found = Vec::new();
        for (path, problem) in self.session.snapshot.problems()? {
            let hides = match hides.get(&path) {
                Some(hides) => *hides,
                None => {
                    let hidden = !self.session.door.is_local() && self.has_guarded_text(&path)?;
                    hides.insert(path.clone(), hidden);
                    hidden
                }
            };
            if !hides {
                found.push(Problem {
                    path: path.as_str().to_owned(),
                    line: problem.line,
                    kind: problem.kind.code().to_owned(),
                    message: problem.kind.to_string(),
                    hint: problem.kind.hint().to_owned(),
                });
            }
        }
        Ok(found)
    }

    /// Whether any byte of a note is guarded at this door, claims drawn from it or not.
    fn has_guarded_text(&self, path: &NotePath) -> Result<bool, ReadError> {
        let Some(fresh) = self.session.notes.read_note(path) else { return Ok(true) };
        let whole = fresh.note().band_of_range(0..fresh.note().text().len());
        Ok(!self.session.door.may_show(whole))
    }

    /// The status of the vault and its index.
    pub fn report_status(&self, freshness: Freshness) -> Result<StatusReport, ReadError> {
        let local = self.session.door.is_local();
        let [public, private, secret] = self.session.snapshot.counts().notes_by_band()?;
        Ok(StatusReport {
            vault: self.session.memora.vault.name().to_owned(),
            root: local.then(|| self.session.memora.vault.root().display().to_string()),
            state: local.then(|| self.session.memora.state.display().to_string()),
            door: if local { DoorKind::Local } else { DoorKind::Cloud },
            notes: CountsByBand {
                public,
                private: self.session.door.may_show(Band::Private).then_some(private),
                secret: self.session.door.may_show(Band::Secret).then_some(secret),
            },
            statements: self
                .session
                .memora
                .indexes
                .visible_to(self.session.door, Authors::All)
                .iter()
                .map(|index| index.len())
                .sum(),
            skipped: self.session.snapshot.counts().skipped()?,
            problems: self.problems()?.len(),
            embedder: self.report_embedder()?,
            model: self.session.memora.model_report(),
            freshness,
        })
    }

    /// Checks settings, state, index and notes; with `spans`, re-reads every place of every claim.
    pub fn run_checks(&self, spans: bool, freshness: Freshness) -> Result<DoctorReport, ReadError> {
        let mut checks = vec![self.check_settings(), self.check_state(), self.check_store()?, self.check_lexical()];
        let Freshness { fresh, pending } = freshness;
        checks.push(if fresh {
            CheckSpec::FRESHNESS.into_check(true, "the index has everything that is in the vault", None)
        } else {
            CheckSpec::FRESHNESS.into_check(
                false,
                format!("{} due", pluralize(pending, "note")),
                Some("run memora index".to_owned()),
            )
        });
        checks.push(self.check_notes()?);
        checks.extend(self.check_unreadable()?);
        if spans {
            checks.push(self.check_spans()?);
        }
        Ok(DoctorReport::from_checks(checks))
    }

    /// That there are notes at all, and how many are odd. A vault without any is most likely the wrong folder.
    fn check_notes(&self) -> Result<DoctorCheck, ReadError> {
        let skipped = pluralize(self.session.snapshot.counts().skipped()?, "note");
        if self.session.snapshot.counts().notes_by_band()?.iter().sum::<usize>() == 0 {
            let hint = "name the folder with your notes: memora --vault FOLDER doctor";
            let found = format!("there are no notes here; {skipped} not read");
            return Ok(CheckSpec::NOTES.into_check(false, found, Some(hint.to_owned())));
        }
        let problems = self.problems()?.len();
        let found = format!("{}, {skipped} not read", pluralize(problems, "problem"));
        let hint = (problems > 0).then(|| "run memora index to list them".to_owned());
        Ok(CheckSpec::NOTES.into_check(true, found, hint))
    }

    /// Files and folders that cannot be read; `None` where there are none.
    fn check_unreadable(&self) -> Result<Option<DoctorCheck>, ReadError> {
        const NAMED_MAX: usize = 5;
        let skipped = self.session.snapshot.skipped_files()?.into_iter();
        let places: Vec<String> =
            skipped.filter(|(_, reason)| reason == SkipReason::Unreadable.code()).map(|(path, _)| path).collect();
        if places.is_empty() {
            return Ok(None);
        }
        let mut found = match places.len() {
            1 => "1 file or folder cannot be read".to_owned(),
            count => format!("{count} files or folders cannot be read"),
        };
        if self.session.door.is_local() {
            let named: Vec<&str> = places.iter().take(NAMED_MAX).map(String::as_str).collect();
            let more = if places.len() > NAMED_MAX { ", …" } else { "" };
            found.push_str(&format!(": {}{more}", named.join(", ")));
        }
        if !self.session.memora.store.proposals()?.is_empty()?
            && !never_indexed_places(&self.session.snapshot)?.is_empty()
        {
            found.push_str("; what models proposed for passages that may be there is kept");
        }
        Ok(Some(CheckSpec::UNREADABLE.into_check(false, found, Some(SkipReason::Unreadable.hint().to_owned()))))
    }

    fn check_settings(&self) -> DoctorCheck {
        let ignored = &self.session.memora.ignore_problems;
        let problems: Vec<_> = self.session.memora.vault.settings_problems().iter().chain(ignored).collect();
        let misread = self.session.memora.config.misread_bands();
        let own = misread.iter().map(|key| format!("your config.toml: `{key}` is not a privacy band; read as secret"));
        let removed = self.session.memora.config.removed_keys();
        let gone = removed.iter().map(|key| format!("your config.toml: `{key}` is gone, and is ignored"));
        let said: Vec<String> = problems.iter().map(ToString::to_string).chain(own).chain(gone).collect();
        let local = self.session.door.is_local();
        let found = match said.len() {
            0 => "all of them can be read".to_owned(),
            _ if local => said.join("; "),
            count => format!("{} could not be read or used", pluralize(count, "setting")),
        };
        let hint = match problems.first() {
            Some(problem) => Some(problem.hint().to_owned()),
            None if !misread.is_empty() => Some(BAND_HINT.to_owned()),
            None => (!removed.is_empty()).then(|| REMOVED_KEYS_HINT.to_owned()),
        };
        CheckSpec::SETTINGS.into_check(said.is_empty(), found, hint)
    }

    fn check_state(&self) -> DoctorCheck {
        let notices = self.session.memora.notices();
        let rebuilt = notices.iter().any(|n| matches!(n, Notice::IndexRebuilt { .. } | Notice::LexicalRebuilt));
        let found =
            if rebuilt { "a damaged index was set aside and made anew" } else { "the state folder is in order" };
        CheckSpec::STATE.into_check(true, found, None)
    }

    fn check_store(&self) -> Result<DoctorCheck, ReadError> {
        let health = self.session.memora.store.check_integrity()?;
        let (found, hint) = match (health.index_sound, health.journal_sound) {
            (true, true) => ("every page is intact", None),
            (true, false) => ("the journal is damaged", Some(JOURNAL_HINT)),
            (false, _) => ("damaged", Some(RESET_HINT)),
        };
        Ok(CheckSpec::DATABASE.into_check(hint.is_none(), found, hint.map(str::to_owned)))
    }

    fn check_lexical(&self) -> DoctorCheck {
        let ok = self.session.memora.indexes.are_sound().unwrap_or(false);
        let found = if ok { "every checksum holds" } else { "damaged" };
        CheckSpec::LEXICAL.into_check(ok, found, (!ok).then(|| RESET_HINT.to_owned()))
    }

    /// Re-reads every place that this door may see, and compares its quote with the file's bytes.
    fn check_spans(&self) -> Result<DoctorCheck, ReadError> {
        let paths: BTreeSet<NotePath> = self.session.snapshot.note_stats()?.into_keys().collect();
        let paths: Vec<NotePath> = paths.into_iter().collect();
        let vault = &self.session.memora.vault;
        let mut all = ComparedPlaces::default();
        for notes in paths.chunks(NOTES_AT_ONCE) {
            let places = notes.iter().map(|path| self.shown_sources(path)).collect::<Result<Vec<_>, _>>()?;
            let compared: Vec<ComparedPlaces> = notes
                .par_iter()
                .zip(places)
                .map(|(path, places)| ComparedPlaces::of_note(vault, path, &places))
                .collect();
            compared.into_iter().for_each(|of_note| all.add(of_note));
        }
        let ComparedPlaces { good, bad, first_bad } = all;
        let found = match first_bad {
            None => format!("{} re-read, each equal to the file's bytes", pluralize(good, "place")),
            Some(at) => format!("{bad} of {} places do not stand, the first at {at}", good + bad),
        };
        Ok(CheckSpec::SPANS.into_check(bad == 0, found, (bad > 0).then(|| "run memora index and try again".to_owned())))
    }

    /// The sources in a note that this door may see.
    fn shown_sources(&self, path: &NotePath) -> Result<Vec<StoredSource>, ReadError> {
        let mut sources = self.session.snapshot.sources_of_note(path)?;
        sources.retain(|source| self.session.door.may_show(source.row.band));
        Ok(sources)
    }

    /// The status of the embedders. Loads the chosen one, unless it is loaded.
    pub fn report_embedder(&self) -> Result<EmbedderReport, ReadError> {
        let embedders = &self.session.memora.semantic.embedders;
        let configured = embedders.choice();
        let absent = embedders.load_chosen().err();
        let live = self
            .session
            .memora
            .semantic
            .serving_embedder(&self.session.snapshot, self.session.door)?
            .map(|serving| serving.live);
        let local = self.session.door.is_local();
        let (why_not, reason) = match (live == Some(configured), absent) {
            (true, _) => (None, None),
            (false, Some(absent)) => (Some(absent.code()), Some(format_error_chain(absent))),
            (false, None) => (Some("vectors_due"), Some("its vectors are not all made yet".to_owned())),
        };
        let mut vectors: BTreeMap<String, VectorCounts> = BTreeMap::new();
        for set in self.session.snapshot.vectors().sets()?.iter().filter(|set| self.session.door.may_show(set.band)) {
            let counts = self.session.snapshot.vectors().counts(set)?;
            let name = set.embedder.split(':').next().unwrap_or_default().to_owned();
            let sum = vectors.entry(name).or_default();
            sum.made += counts.made;
            sum.due += counts.due;
        }
        let vectors = vectors.into_iter();
        Ok(EmbedderReport {
            configured: configured.name(),
            live: live.map(EmbedderChoice::name),
            why_not,
            reason: reason.filter(|_| local),
            folder: local.then(|| self.session.memora.config.models_dir().display().to_string()),
            vectors: vectors
                .map(|(model, VectorCounts { made, due })| VectorsByEmbedder { model, made, due })
                .collect(),
        })
    }
}
