//! `changes`: newer statements beside the older ones that they may overtake.
//!
//! Free text has no slots, so that nothing here says that two statements contradict each other: it says which stand nearest, which of
//! them is newer, and by which words the newer one ends the older. Invariant: **nothing is decided and nothing stored**; whether the
//! older one still holds is for whoever reads both.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use memora_claim::{ClaimId, Decision, DecisionKind, StatementId, StatementKind};
use memora_nlp::time::{month_number, weekday_number};
use memora_redact::{ClearClaim, Viewer, WireClaim, round_to_thousandth};
use memora_store::{NoteRecord, ReadError, StoredSource};
use memora_vault::{NotePath, PartialDate, Zone};
use memora_verify::{CitedPassage, ComparableText, has_words_of_change, states_a_number};

use super::LifecycleReports;
use crate::read::lifecycle::Lifecycle;
use crate::read::search::{ClaimSearch, FoundClaim, SearchError, SearchOptions};
use crate::report::{ChangePair, ChangesReport, Freshness, Passage};

/// What is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChangesRequest {
    /// Only notes of this day, month or year, or a later one.
    pub since: Option<PartialDate>,
    /// How many newer statements are read, and how many are passed over: a statement is read once, in whatever pages.
    pub limit: usize,
    /// How many of them came before.
    pub from: usize,
    /// Only pairs whose newer one says otherwise than an older: then only statements that could are counted, of all notes.
    pub ended_only: bool,
}

/// How many of the newest notes are read where no day is given.
const NOTES_MAX: usize = 40;

/// Fewer words with content name nothing that could be looked for.
const WORDS_MIN: usize = 3;

/// How many older statements stand beside a newer one, and how many hits are looked through for them.
const OLDER_MAX: usize = 2;
const HITS_MAX: usize = 8;

/// How many hits are looked through for what a statement ends: those of its own note are among them.
const ENDED_HITS_MAX: usize = 32;

/// How near an older statement has to come, by the probability that it answers the newer one's words.
const SCORE_MIN: f32 = 0.2;

/// From here on the older one says the same.
const SCORE_MAX: f32 = 0.65;

/// When a note was written, in nanoseconds since 1970.
#[derive(Clone, Copy)]
struct Written {
    /// The end of the day that it is of.
    day: Option<i64>,
    /// When its file was changed, as far as this door may know.
    changed: i64,
    /// Whether its note is of a day and of nothing else: what it says of a thing is said of the same thing in another such note.
    is_journal: bool,
}

impl Written {
    fn latest(self) -> i64 {
        self.day.unwrap_or(self.changed)
    }

    /// Whether it is older, as far as that is known. That a file was changed since says nothing of when its words were written: a copied
    /// vault has files of one hour.
    fn is_older_than(self, newer: Self) -> Option<bool> {
        match (self.day, newer.day) {
            (Some(own), Some(other)) => Some(own < other),
            (None, None) => Some(self.changed < newer.changed),
            (None, Some(day)) if self.changed > 0 && self.changed < day => Some(true),
            _ => None,
        }
    }

    /// Whether a statement that was written then could say otherwise than an older one.
    fn may_change(self, words: &str) -> bool {
        !is_formula(words) && (has_words_of_change(words) || self.is_journal && states_a_number(words))
    }

    /// Whether both are of days, this one of an earlier one, and their notes of nothing else.
    fn is_of_earlier_day_than(self, newer: Self) -> bool {
        self.is_journal && newer.is_journal && self.is_older_than(newer) == Some(true)
    }
}

/// A text that is shown: where it stands, under which headings, and the id to cite it by.
struct ShownText<'t> {
    path: &'t str,
    under: &'t [String],
    words: &'t str,
    id: ClaimId,
}

impl<'t> ShownText<'t> {
    fn of_claim(claim: &'t WireClaim) -> Option<Self> {
        let (place, id) = (claim.place()?, ClaimId::parse(claim.id()).ok()?);
        let under = claim.context().get(1..).unwrap_or_default();
        Some(Self { path: &place.path, under, words: &place.quote, id })
    }

    fn of_hit(hit: &'t FoundClaim<'_>) -> Self {
        let (place, id) = (hit.claim.place(), hit.claim.claim().id);
        Self { path: place.note().path().as_str(), under: place.headings(), words: place.quote(), id }
    }

    fn of_lines(passages: &'t [Passage]) -> impl Iterator<Item = Self> {
        passages.iter().flat_map(|passage| {
            let under = passage.context.get(1..).unwrap_or_default();
            passage.lines.iter().filter_map(move |line| {
                Some(Self { path: &passage.path, under, words: &line.text, id: ClaimId::parse(&line.claim).ok()? })
            })
        })
    }
}

impl<'s> LifecycleReports<'s> {
    /// Lists newer statements, those of the newest note first, each with the older ones that come nearest.
    ///
    /// # Errors
    /// [`SearchError`], when the store or an index can't be read.
    pub(crate) fn list_changes(
        &self,
        request: &ChangesRequest,
        freshness: Freshness,
    ) -> Result<ChangesReport, SearchError> {
        let mut written: HashMap<NotePath, Written> = HashMap::new();
        let (mut dated, mut undated) = (Vec::new(), Vec::new());
        let since = request.since.as_ref().and_then(beginning_of);
        self.session.snapshot.for_each_note(|note| {
            let at = self.written_at(&note);
            if !note.captured
                && !is_archived(&note.path)
                && !is_imported(&note)
                && self.session.door.may_show(note.band)
                && at.latest() >= since.unwrap_or(1)
            {
                let notes = if at.day.is_some() { &mut dated } else { &mut undated };
                notes.push((Reverse(at.latest()), note.path.clone()));
            }
            written.insert(note.path, at);
            Ok::<_, SearchError>(())
        })?;
        // In turns: in a vault that was copied, all files without a date are of the hour of the copy.
        dated.sort_unstable();
        undated.sort_unstable();
        let (mut dated, mut undated) = (dated.into_iter(), undated.into_iter());
        let mut notes: Vec<NotePath> = Vec::new();
        loop {
            let pair = [dated.next(), undated.next()];
            if pair.iter().all(Option::is_none) {
                break;
            }
            notes.extend(pair.into_iter().flatten().map(|(_, note)| note));
        }
        if since.is_none() && !request.ended_only {
            notes.truncate(NOTES_MAX);
        }
        let (mut pairs, mut read, mut more) = (Vec::new(), 0, false);
        'notes: for note in &notes {
            for source in self.session.snapshot.sources_of_note(note)? {
                if !is_read(&source) || !self.session.door.may_show(source.row.band) {
                    continue;
                }
                let may_change = || written.get(note).is_some_and(|at| at.may_change(&source.wording.words));
                if request.ended_only && !may_change() {
                    continue;
                }
                read += 1;
                if read <= request.from {
                    continue;
                }
                if read > request.from + request.limit {
                    more = true;
                    break 'notes;
                }
                let pair = self.change_pair(&source, &written, request.ended_only)?;
                pairs.extend(pair.map(|pair| ChangePair { at: read - 1, ..pair }));
            }
        }
        let next = more.then_some(request.from + request.limit);
        let read = read.min(request.from + request.limit).saturating_sub(request.from);
        Ok(ChangesReport { pairs, read, next, judged: None, freshness })
    }

    /// A newer statement with the older ones that come nearest, if any does.
    fn change_pair(
        &self,
        source: &StoredSource,
        written: &HashMap<NotePath, Written>,
        ended_only: bool,
    ) -> Result<Option<ChangePair>, SearchError> {
        let Some(at) = written.get(&source.row.note).copied() else { return Ok(None) };
        let Some(statement) = self.session.statement(source.row.statement)? else { return Ok(None) };
        let Some(newer) = self.authorize_first_claim(&statement)? else { return Ok(None) };
        let words = newer.place().words();
        let options = SearchOptions {
            limit: if ended_only { ENDED_HITS_MAX } else { HITS_MAX },
            hits_only: true,
            without_likeness: true,
            is_statement: true,
            keep_semantic_only: true,
            ..SearchOptions::default()
        };
        let hits = ClaimSearch::new(self.session).find_claims(&words, &options)?.hits;
        let is_older = |claim: &ClearClaim<'_>| {
            let note = claim.place().note().path();
            note != newer.place().note().path()
                && claim.place().note().zone_at(claim.place().span().start()) != Zone::Code
                && written.get(note).is_some_and(|other| other.is_older_than(at) != Some(false))
                && claim.claim().id.statement() != newer.claim().id.statement()
                && !self.is_settled(claim.claim().id, newer.claim().id)
        };
        let passage = CitedPassage::from_rechecked(newer.place());
        let near = hits.into_iter().filter(|hit| is_older(&hit.claim)).filter_map(|hit| {
            let other = written.get(hit.claim.place().note().path());
            let is_known = other.is_some_and(|other| other.is_older_than(at) == Some(true));
            let place = hit.claim.place();
            let before = CitedPassage::from_rechecked(place);
            let ends = is_known.then(|| passage.ends(&before)).flatten();
            let is_of_same = other.is_some_and(|other| other.is_of_earlier_day_than(at))
                && place.headings() == newer.place().headings();
            // Unasked, only what is surely of the same thing is told, and a cell of a table says nothing by itself.
            let is_of_it = !ended_only
                || letters_of(&words) != letters_of(&place.words())
                    && passage.speaks_of(&before)
                    && place.columns().is_none()
                    && !is_formula(&place.words());
            let ends = ends.filter(|_| is_of_it);
            let ends = ends.or_else(|| is_of_same.then(|| passage.changed_value(&before)).flatten());
            (!ended_only && (SCORE_MIN..SCORE_MAX).contains(&hit.score) || ends.is_some()).then_some((hit, ends))
        });
        let mut older: Vec<_> = near.collect();
        older.sort_by_key(|(_, ends)| ends.is_none());
        older.truncate(OLDER_MAX);
        let Some(score) = older.first().map(|(hit, _)| hit.score) else { return Ok(None) };
        let ended_by = older.iter().find_map(|(_, words)| words.clone());
        let vault = self.session.memora.vault.name();
        Ok(Some(ChangePair {
            newer: WireClaim::from_clear(&newer, vault),
            older: older.iter().map(|(hit, _)| WireClaim::from_clear(&hit.claim, vault)).collect(),
            at: 0,
            score: round_to_thousandth(score),
            ended_by,
            judged: Vec::new(),
        }))
    }

    /// Which of the lines that are shown say otherwise than older ones among them: the older one, and the newer.
    pub(crate) fn overtaken_lines(&self, passages: &[Passage]) -> Result<Vec<(ClaimId, ClaimId)>, ReadError> {
        self.overtaken_among(&ShownText::of_lines(passages).collect::<Vec<_>>())
    }

    /// Which of some claims, and of the lines around them, say otherwise than older ones among these: the older one, and the newer.
    pub(super) fn overtaken_claims(
        &self,
        claims: &[WireClaim],
        near: &[Passage],
    ) -> Result<Vec<(ClaimId, ClaimId)>, ReadError> {
        let mut said: Vec<ShownText<'_>> = claims.iter().filter_map(ShownText::of_claim).collect();
        let known: HashSet<StatementId> = said.iter().map(|shown| shown.id.statement()).collect();
        said.extend(ShownText::of_lines(near).filter(|line| !known.contains(&line.id.statement())));
        self.overtaken_among(&said)
    }

    /// Puts each hit that says otherwise than an older one in front of that.
    pub(crate) fn put_newer_first(&self, hits: &mut Vec<FoundClaim<'_>>) -> Result<(), ReadError> {
        let overtaken = self.overtaken_among(&hits.iter().map(ShownText::of_hit).collect::<Vec<_>>())?;
        for (older, newer) in overtaken {
            let at = |id: ClaimId| hits.iter().position(|hit| hit.claim.claim().id == id);
            if let (Some(first), Some(second)) = (at(older), at(newer))
                && first < second
            {
                let hit = hits.remove(second);
                hits.insert(first, hit);
            }
        }
        Ok(())
    }

    /// Whether the user said of two statements that both hold or which one does, ended the older one, or kept it.
    fn is_settled(&self, older: ClaimId, newer: ClaimId) -> bool {
        let decisions = Lifecycle::new(self.session).decisions();
        let names = |made: &Decision, id: ClaimId| made.named_claims().any(|named| named.statement() == id.statement());
        decisions.decisions_about(older.statement()).any(|made| match made.act {
            DecisionKind::Both => names(made, newer),
            DecisionKind::Keep => made.over.is_empty() || names(made, newer),
            DecisionKind::End | DecisionKind::Retract => made.claim.statement() == older.statement(),
            DecisionKind::Later | DecisionKind::Restore => false,
        })
    }

    /// Which of some texts say otherwise than others of them: by words that end those, or with another value of a state on a later day. Only
    /// where the dates of both notes say which is newer, and the user has not settled it.
    fn overtaken_among(&self, said: &[ShownText<'_>]) -> Result<Vec<(ClaimId, ClaimId)>, ReadError> {
        let turns: Vec<bool> = said.iter().map(|shown| has_words_of_change(shown.words)).collect();
        let values: Vec<bool> = said.iter().map(|shown| states_a_number(shown.words)).collect();
        let any_turns = turns.contains(&true);
        if !any_turns && values.iter().filter(|states| **states).count() < 2 {
            return Ok(Vec::new());
        }
        let mut written: HashMap<&str, Option<Written>> = HashMap::new();
        for shown in said {
            if !written.contains_key(shown.path) {
                let note = NotePath::new(shown.path).ok().map(|path| self.session.snapshot.note(&path)).transpose()?;
                written.insert(shown.path, note.flatten().map(|note| self.written_at(&note)));
            }
        }
        // Without words of change, only what states a number is read.
        let read = |(shown, states): (_, &bool)| {
            let shown: &ShownText<'_> = Some(shown).filter(|_| any_turns || *states)?;
            Some((shown, written.get(shown.path).copied().flatten()?, ComparableText::new(shown.words)))
        };
        let texts: Vec<_> = said.iter().zip(&values).map(read).collect();
        let mut found = Vec::new();
        for (new, (turns, states)) in texts.iter().zip(turns.into_iter().zip(&values)) {
            let Some((newer, at, now)) = new.as_ref().filter(|_| turns || *states) else { continue };
            let older = texts.iter().zip(&values).filter_map(|(old, states)| Some((old.as_ref()?, *states)));
            let over = older.filter(|((older, then, before), valued)| {
                let is_changed = *states
                    && *valued
                    && then.is_of_earlier_day_than(*at)
                    && older.under == newer.under
                    && now.differs_in_one_value(before);
                then.is_older_than(*at) == Some(true)
                    && (is_changed || turns && now.ends(before))
                    && !self.is_settled(older.id, newer.id)
            });
            found.extend(over.map(|((older, ..), _)| (older.id, newer.id)));
        }
        Ok(found)
    }

    /// When a note was written. At another door than the local one only its date counts: that a file was changed may be all that is to
    /// be known of a guarded line in it.
    fn written_at(&self, note: &NoteRecord) -> Written {
        let changed = if self.session.door.is_local() { note.stat.mtime_ns } else { 0 };
        let day = note.date.as_ref().and_then(end_of);
        Written { day, changed, is_journal: day.is_some() && is_date_alone(&note.title) }
    }
}

/// Whether a place is a sentence that may say what holds now: no property, no code, no heading.
fn is_read(source: &StoredSource) -> bool {
    let kind = source.wording.kind;
    let says =
        matches!(kind, StatementKind::Sentence | StatementKind::Item | StatementKind::Field | StatementKind::Row);
    let words = source.wording.words.split_whitespace().filter(|word| word.chars().count() > 3).count();
    says && words >= WORDS_MIN && !matches!(source.row.zone, Zone::Quote | Zone::Code)
}

/// Whether a note was put away: in a folder called an archive.
pub(crate) fn is_archived(path: &NotePath) -> bool {
    let mut folders = path.folder().split('/').flat_map(|name| name.split(|c: char| !c.is_alphabetic()));
    folders.any(|word| matches!(word.to_lowercase().as_str(), "archive" | "archives" | "archived"))
}

/// Whether a note is a conversation with a machine or an import of others' texts, as its tags or its source say.
pub(crate) fn is_imported(note: &NoteRecord) -> bool {
    const FROM: [&str; 6] = ["chatgpt", "claude", "gemini", "readwise", "kindle", "pocket"];
    let says = |text: &str| FROM.iter().any(|from| text.to_lowercase().contains(from));
    let is_source = |key: &str| key.eq_ignore_ascii_case("source");
    note.tags.iter().any(|tag| says(tag) && tag.to_lowercase().contains("import"))
        || note.properties.iter().any(|(key, value)| is_source(key) && says(value) && !value.contains("://"))
}

/// The letters and digits of a text: two copies of a line may differ in their marks.
pub(crate) fn letters_of(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a text is of mathematics or code, in which the same words are of other things.
pub(crate) fn is_formula(words: &str) -> bool {
    words.contains(['\\', '=', '{'])
}

/// Whether a title says a date and no more: `2025-04-18`, `Friday, April 18, 2025`.
fn is_date_alone(title: &str) -> bool {
    let mut words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.all(|word| {
        let name = word.to_lowercase();
        word.starts_with(|c: char| c.is_ascii_digit())
            || month_number(&name).is_some()
            || weekday_number(&name).is_some()
    })
}

/// The beginning of the first day of a date, in nanoseconds since 1970.
fn beginning_of(date: &PartialDate) -> Option<i64> {
    nanoseconds_at(date.first_and_last_day().0, (0, 0, 0))
}

/// The end of the last day of a date, likewise.
fn end_of(date: &PartialDate) -> Option<i64> {
    nanoseconds_at(date.first_and_last_day().1, (23, 59, 59))
}

fn nanoseconds_at(day: PartialDate, (hour, minute, second): (i8, i8, i8)) -> Option<i64> {
    let at = day.to_civil()?.at(hour, minute, second, 0).to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    i64::try_from(at.timestamp().as_nanosecond()).ok()
}
