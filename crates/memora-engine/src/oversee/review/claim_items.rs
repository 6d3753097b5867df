//! Review items about claims: stale sentences, contradictions, aging states, and single-source claims.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use memora_claim::conflict::ClaimStatus;
use memora_claim::{Claim, ClaimId, DecisionKind, Extractor, Phase, StatementId, StatementKind};
use memora_nlp::WordSenses;
use memora_redact::{Viewer, WireClaim};
use memora_store::{ReadError, StoredSource, StoredStatement};
use memora_vault::{NotePath, PartialDate};

use crate::oversee::review::builder::{ReviewBuilder, ReviewCandidate, new_choice, new_review_item};
use crate::read::catalog::ClaimCatalog;
use crate::read::entity::Entity;
use crate::read::lifecycle::{ChangesRequest, Lifecycle, LifecycleReports, is_archived, is_formula, is_imported};
use crate::read::search::SearchError;
use crate::report::{ContradictionReport, Freshness, ReviewChoice, ReviewItem, ReviewKind as Kind, StaleClaim};
use crate::state::sources::{claim_validity, clearest_source, daily_date};

/// The age in days from which a changing state is asked about again.
const AGING_AFTER_DAYS: i64 = 365;

/// The minimum number of dependents for a single-source item.
const DEPENDENTS_MIN: usize = 2;

/// The maximum number of number edits in a review, newest first.
const EDITS_MAX: usize = 64;

/// The maximum number of newer statements that are looked through for what they end: those with words or numbers by which they could.
const NEWER_MAX: usize = 100;

/// The maximum number of words in a name, place or amount.
const VALUE_WORDS_MAX: usize = 5;

/// The maximum number of aging claims examined, most dependents first, then oldest.
const AGING_CHECKED_MAX: usize = 64;

impl ReviewBuilder<'_> {
    pub(super) fn stale_items(&self, freshness: Freshness) -> Result<Vec<ReviewCandidate>, ReadError> {
        let stale = LifecycleReports::new(self.session).list_stale(usize::MAX, freshness)?.stale;
        Ok(stale.into_iter().map(stale_item).collect())
    }

    pub(super) fn contradiction_items(&self, freshness: Freshness) -> Result<Vec<ReviewCandidate>, ReadError> {
        let open =
            LifecycleReports::new(self.session).list_contradictions(false, usize::MAX, freshness)?.contradictions;
        let mut asked = BTreeSet::new();
        let mut items = Vec::new();
        for found in open {
            // Of one subject and relation a person answers once, however many places say otherwise.
            let subject = found.older.triple().0.to_lowercase();
            if self.is_worth_asking(&found)? && asked.insert((subject, found.about.clone())) {
                items.push(self.contradiction_item(found)?);
            }
        }
        Ok(items)
    }

    /// Returns whether a contradiction is surely about one thing: not about the rows of two tables, releases in a log of changes, two
    /// spellings of a link, or of something that is no person what only persons have (a gradient "lives in 2-dim space").
    fn is_worth_asking(&self, found: &ContradictionReport) -> Result<bool, ReadError> {
        let last_name = |claim: &WireClaim| claim.triple().2.rsplit('/').next().map(str::to_lowercase);
        // How something was at a moment ("the mount is empty") contradicts nothing.
        if last_name(&found.older) == last_name(&found.newer) || found.about == "status" {
            return Ok(false);
        }
        for claim in [&found.older, &found.newer] {
            let (subject, ..) = claim.triple();
            let Some(place) = claim.place() else { return Ok(false) };
            let is_put_away =
                NotePath::new(&place.path).map_or(true, |path| is_archived(&path) || is_release_log(&path));
            let is_named =
                subject.chars().any(char::is_alphabetic) && (!self.is_personal(&found.about) || is_somebody(subject));
            if is_put_away || !is_named || is_formula(&place.quote) {
                return Ok(false);
            }
            let Ok(id) = ClaimId::parse(claim.id()) else { return Ok(false) };
            let statement = self.session.statement(id.statement())?;
            let is_owners = |source: &StoredSource| !is_imported(&source.note);
            if statement.is_none_or(|statement| {
                statement.wording.kind == StatementKind::Row || !statement.sources.iter().all(is_owners)
            }) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn contradiction_item(&self, found: ContradictionReport) -> Result<ReviewCandidate, ReadError> {
        let ContradictionReport { about, why, older, newer, .. } = found;
        let dependents = self.wire_dependent_count(&older)? + self.wire_dependent_count(&newer)?;
        let (old, new) = (older.id().to_owned(), newer.id().to_owned());
        let key = format!("{old} {new}");
        let dated = older.valid_from().is_some() || newer.valid_from().is_some();
        let advice = match dated {
            true => "Keep one, or say that both are true.",
            false => {
                "Keep one, or say that both are true. No note says which came first: the first shown is called old."
            }
        };
        let choices = vec![
            new_choice("keep new", DecisionKind::Keep, &new, &[&old]),
            new_choice("keep old", DecisionKind::Keep, &old, &[&new]),
            new_choice("both true", DecisionKind::Both, &new, &[&old]),
            new_choice("not a contradiction", DecisionKind::Both, &new, &[&old]),
            new_choice("later", DecisionKind::Later, &new, &[&old]),
        ];
        let question = format!("Which holds now: {} or {}?", quote_claim(&older), quote_claim(&newer));
        let about = about.replace('_', " ");
        // A relation is named in the reason already.
        let why = if why.contains(&format!("\"{about}\"")) { why } else { format!("{why} ({about})") };
        let asked = new_review_item(Kind::Contradiction, question, why, advice, vec![older, newer]);
        let question = ReviewItem { dependents, choices, ..asked };
        Ok(ReviewCandidate { kind: Kind::Contradiction, key, question })
    }

    /// Collects what newer notes end by their words, and nobody has decided yet.
    pub(super) fn changed_items(&self, freshness: Freshness) -> Result<Vec<ReviewCandidate>, ReadError> {
        let request = ChangesRequest { limit: NEWER_MAX, ended_only: true, ..ChangesRequest::default() };
        let pairs = match LifecycleReports::new(self.session).list_changes(&request, freshness) {
            Ok(report) => report.pairs,
            Err(SearchError::Store(error)) => return Err(error),
            // The next indexing makes the index anew; the rest of the review needs none.
            Err(error) => {
                tracing::warn!(%error, "newer statements were not compared");
                Vec::new()
            }
        };
        let mut items = Vec::new();
        for pair in pairs {
            let Some(older) = pair.older.into_iter().next() else { continue };
            let (old, new) = (older.id().to_owned(), pair.newer.id().to_owned());
            if older.status() != Some(ClaimStatus::Current) {
                continue;
            }
            let choices = vec![
                new_choice("no longer true", DecisionKind::End, &old, &[]),
                new_choice("both true", DecisionKind::Both, &new, &[&old]),
                new_choice("later", DecisionKind::Later, &new, &[&old]),
            ];
            let question = format!("Does this still hold: {}", quote_claim(&older));
            let why = format!("a newer note says otherwise: {}", pair.ended_by.unwrap_or_default());
            let advice = "Say that it ended, or that both are true.";
            let dependents = self.wire_dependent_count(&older)?;
            let asked = new_review_item(Kind::Changed, question, why, advice, vec![older, pair.newer]);
            let question = ReviewItem { dependents, choices, ..asked };
            items.push(ReviewCandidate { kind: Kind::Changed, key: format!("{old} {new}"), question });
        }
        Ok(items)
    }

    /// Collects numbers that were edited in place: the current claim and the former one.
    pub(super) fn edit_items(&self) -> Result<Vec<ReviewCandidate>, ReadError> {
        let mut items = Vec::new();
        for edit in ClaimCatalog::new(self.session).list_number_edits(EDITS_MAX)? {
            let (now, former) = (edit.now.id().to_owned(), edit.former.to_string());
            let day = jiff::Timestamp::from_second(edit.at).map(|at| at.strftime("%Y-%m-%d").to_string());
            let seen = match day {
                Ok(day) if self.session.door.is_local() => format!(", as was seen on {day}"),
                _ => String::new(),
            };
            let choices = vec![
                new_choice("keep new", DecisionKind::Keep, &now, &[&former]),
                new_choice("not a contradiction", DecisionKind::Both, &now, &[&former]),
                new_choice("later", DecisionKind::Later, &now, &[&former]),
            ];
            let question = "Did this change, or was it wrong before?".to_owned();
            let why = format!("a number was edited in place{seen}");
            let advice = "Keep the new one if it changed; where it was a mistake, it is no contradiction.";
            let dependents =
                Lifecycle::new(self.session).dependent_count(edit.former)? + self.wire_dependent_count(&edit.now)?;
            let asked = new_review_item(Kind::Edit, question, why, advice, vec![edit.now]);
            let question = ReviewItem { dependents, choices, formerly: edit.former_words, ..asked };
            items.push(ReviewCandidate { kind: Kind::Edit, key: format!("{former} {now}"), question });
        }
        Ok(items)
    }

    /// Collects statements of changing states that were not stated or confirmed for a long time.
    pub(super) fn aging_items(&self) -> Result<Vec<ReviewCandidate>, ReadError> {
        let before = self.days_ago(AGING_AFTER_DAYS);
        let mut items = Vec::new();
        for (weight, claim, statement) in self.collect_told_before(&before)?.into_iter().take(AGING_CHECKED_MAX) {
            let day = self.last_told_by_equivalents(&claim, &statement)?.filter(|day| *day < before);
            let shown = LifecycleReports::new(self.session)
                .load_wire_claim(claim.id)?
                .filter(|claim| claim.status() == Some(ClaimStatus::Current));
            let Some((day, shown)) = day.zip(shown) else { continue };
            let question = format!("Is this still true: {}", quote_claim(&shown));
            let why = format!("such facts change; last dated or confirmed on {day}");
            let advice = "If it has changed, write the new fact into a dated note.";
            let choices = still_true_choices(&statement.id.to_string(), Vec::new());
            let asked = new_review_item(Kind::Aging, question, why, advice, vec![shown]);
            let question = ReviewItem { dependents: weight, choices, ..asked };
            items.push(ReviewCandidate { kind: Kind::Aging, key: format!("{day} {}", statement.id), question });
        }
        Ok(items)
    }

    /// Collects statements of changing states that were last stated before a day, each with a claim and its number of
    /// dependents: most dependents first, then oldest.
    fn collect_told_before(&self, before: &str) -> Result<Vec<(usize, Claim, StoredStatement)>, ReadError> {
        let relations = self.session.memora.config.extractor().relations().names();
        let changes =
            |name: &str| self.session.memora.config.find_relation(name).is_some_and(|of| of.ages && of.changes);
        let changing: Vec<String> = relations.into_iter().filter(|name| changes(name)).map(str::to_owned).collect();
        let mut found: Vec<(usize, String, Claim, StoredStatement)> = Vec::new();
        LifecycleReports::new(self.session).for_each_fact_under(&changing, |statement, source| {
            let Some(claim) =
                statement.wording.claims.iter().find(|claim| self.is_open_ended_state(claim, statement, source))
            else {
                return Ok(());
            };
            if is_archived(&source.row.note) || is_imported(&source.note) {
                return Ok(());
            }
            // "It takes ten minutes", "the game costs 5": only a claim about a named entity can be asked about later.
            let Some(entity) = Lifecycle::new(self.session).subject_entity(claim, source)? else { return Ok(()) };
            // Programs "work as" things, and countries join others: a person is the owner, or has a full name.
            let is_work = matches!(claim.relation.as_deref(), Some("works_at" | "role"));
            let subject = claim.subject.as_deref().unwrap_or_default();
            let has_full_name =
                matches!(&entity, Entity::Note(path) if path.stem().contains(' ')) || subject.contains(' ');
            if is_work && !is_owner_word(subject) && !has_full_name {
                return Ok(());
            }
            if let Some(day) = self.last_told_day(claim.id, statement)
                && day.as_str() < before
            {
                found.push((
                    Lifecycle::new(self.session).dependent_count(statement.id)?,
                    day,
                    claim.clone(),
                    statement.clone(),
                ));
            }
            Ok(())
        })?;
        found.sort_by(|a, b| (Reverse(a.0), &a.1, a.2.id).cmp(&(Reverse(b.0), &b.1, b.2.id)));
        Ok(found.into_iter().map(|(weight, _, claim, statement)| (weight, claim, statement)).collect())
    }

    /// Returns whether a claim describes an open-ended state: it has no known end, and is neither a date, nor a table
    /// row, nor a remark on how something was at the time of writing ("the office is empty").
    fn is_open_ended_state(&self, claim: &Claim, statement: &StoredStatement, source: &StoredSource) -> bool {
        let remark = claim.relation.as_deref() == Some("status") && !claim.extractor.has_named_predicate();
        let dated = PartialDate::parse(&claim.object).is_some() || claim.extractor == Extractor::Row;
        // "I am sitting in a café": true only at that moment.
        let moment = claim.predicate.split_whitespace().last().is_some_and(|word| word.ends_with("ing"))
            || claim.predicate.split_whitespace().nth(1).is_some_and(|word| word.ends_with("ing"));
        let open = claim_validity(claim, statement, source).until.is_none() && claim.phase == Phase::Steady;
        // "Acme", "40 €", "Postgres 15"; but "functions that return one output" is not an employer, and "0" no price.
        let short = claim.object.split_whitespace().count() <= VALUE_WORDS_MAX;
        let value = short
            && claim.object.contains(|c: char| c.is_uppercase() || c.is_numeric())
            && claim.object.contains(|c: char| c.is_alphabetic() || matches!(c, '$' | '€' | '£' | '¥' | '%'))
            && !claim.object.contains("'s ")
            && !is_formula(&statement.wording.words);
        let subject = claim.subject.as_deref().unwrap_or(&source.note.title);
        let personal = claim.relation.as_deref().is_some_and(|relation| self.is_personal(relation));
        let value = value && (!personal || is_somebody(subject) && !begins_with_article(&claim.object));
        Lifecycle::new(self.session).is_changeable_state(claim, source) && open && value && !remark && !dated && !moment
    }

    /// Returns whether a relation is one of persons, or of where they live.
    fn is_personal(&self, relation: &str) -> bool {
        relation == "lives_in" || self.session.memora.config.find_relation(relation).is_some_and(|of| of.personal)
    }

    /// Returns the last day on which a statement, or an equivalent one, was made or confirmed.
    fn last_told_by_equivalents(
        &self,
        claim: &Claim,
        statement: &StoredStatement,
    ) -> Result<Option<String>, ReadError> {
        let mut last = self.last_told_day(claim.id, statement);
        for other in self.find_equivalent_claims(claim, statement)? {
            if let Some(statement) = self.session.statement(other.statement())? {
                last = last.max(self.last_told_day(other, &statement));
            }
        }
        Ok(last)
    }

    /// Returns the last day on which a claim was stated, by its words, its daily notes or its note's date, or
    /// confirmed; `None` if unknown.
    fn last_told_day(&self, id: ClaimId, statement: &StoredStatement) -> Option<String> {
        let first_day = |date: PartialDate| {
            let (first, _) = date.first_and_last_day();
            first.to_string()
        };
        let mut days: BTreeSet<String> = BTreeSet::new();
        for source in &statement.sources {
            days.extend(daily_date(&source.note).or(source.note.date).map(first_day));
        }
        // "I work at Acme since July": another reading of the same words has the day.
        for claim in &statement.wording.claims {
            let source = clearest_source(statement);
            days.extend(source.and_then(|source| claim_validity(claim, statement, source).from).map(first_day));
        }
        days.extend(
            Lifecycle::new(self.session).decisions().confirmed_at(id).and_then(|at| at.get(..10)).map(str::to_owned),
        );
        days.pop_last()
    }

    /// Collects claims with several dependents that stand in only one place.
    pub(super) fn single_source_items(&self) -> Result<Vec<ReviewCandidate>, ReadError> {
        let cited: Vec<StatementId> = Lifecycle::new(self.session).dependents()?.keys().copied().collect();
        let mut items = Vec::new();
        for id in cited {
            let weight = Lifecycle::new(self.session).dependent_count(id)?;
            if weight < DEPENDENTS_MIN || Lifecycle::new(self.session).decisions().confirmed_at(id.into()).is_some() {
                continue;
            }
            let Some(statement) = self.session.statement(id)?.filter(|statement| statement.sources.len() == 1) else {
                continue;
            };
            let Some(claim) = LifecycleReports::new(self.session)
                .authorize_first_claim(&statement)?
                .filter(|claim| claim.status() == ClaimStatus::Current)
            else {
                continue;
            };
            if self.is_corroborated(&statement)? {
                continue;
            }
            let claim = WireClaim::from_clear(&claim, self.session.memora.vault.name());
            let why = format!("{weight} sentences rest on it, and it stands in one place");
            let advice = "Confirm it, or note where else it can be known from.";
            let question = format!("Is this so: {}", quote_claim(&claim));
            let asked = new_review_item(Kind::SingleSource, question, why, advice, vec![claim]);
            let choices = still_true_choices(&id.to_string(), Vec::new());
            let question = ReviewItem { dependents: weight, choices, ..asked };
            items.push(ReviewCandidate { kind: Kind::SingleSource, key: id.to_string(), question });
        }
        Ok(items)
    }

    /// Returns whether another statement says the same and does not itself depend on this one.
    fn is_corroborated(&self, statement: &StoredStatement) -> Result<bool, ReadError> {
        let resting = Lifecycle::new(self.session).dependents()?.get(&statement.id);
        for claim in &statement.wording.claims {
            let others = self.find_equivalent_claims(claim, statement)?;
            if others.iter().any(|other| !resting.is_some_and(|resting| resting.contains(&other.statement()))) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the claims of other statements that say the same.
    fn find_equivalent_claims(&self, claim: &Claim, statement: &StoredStatement) -> Result<Vec<ClaimId>, ReadError> {
        let Some(source) = clearest_source(statement) else { return Ok(Vec::new()) };
        let Some((entity, about)) = Lifecycle::new(self.session).group_key_of(claim, source)? else {
            return Ok(Vec::new());
        };
        let judged = &Lifecycle::new(self.session).claim_group(&entity, &about)?.judged;
        let same = judged.entailed.iter().filter(|one| one.same);
        Ok(same
            .filter_map(|one| match claim.id {
                id if id == one.from => Some(one.to),
                id if id == one.to => Some(one.from),
                _ => None,
            })
            .collect())
    }

    fn wire_dependent_count(&self, claim: &WireClaim) -> Result<usize, ReadError> {
        match ClaimId::parse(claim.id()) {
            Ok(id) => Lifecycle::new(self.session).dependent_count(id.statement()),
            Err(_) => Ok(0),
        }
    }
}

/// Whether a note lists the releases of a program, each of which was current once.
fn is_release_log(path: &NotePath) -> bool {
    matches!(path.stem().to_lowercase().as_str(), "changelog" | "changes" | "history" | "release notes" | "releases")
}

/// Whether a subject is surely a person: the owner, or a name of few words, each written as one, that is no ordinary word.
fn is_somebody(subject: &str) -> bool {
    if is_owner_word(subject) {
        return true;
    }
    let words: Vec<&str> = subject.split_whitespace().collect();
    let is_name = |word: &&str| {
        let mut letters = word.chars();
        let begins_large = letters.next().is_some_and(char::is_uppercase);
        begins_large && letters.all(|c| !c.is_uppercase() && (c.is_alphabetic() || matches!(c, '\'' | '-' | '.')))
    };
    let is_known = |word: &&str| WordSenses::look_up(&word.to_lowercase()).is_known();
    (1..=NAME_WORDS_MAX).contains(&words.len()) && words.iter().all(is_name) && !words.iter().all(is_known)
}

fn is_owner_word(subject: &str) -> bool {
    matches!(subject.to_lowercase().as_str(), "i" | "we" | "my" | "our")
}

/// The maximum number of words in a person's name.
const NAME_WORDS_MAX: usize = 3;

fn begins_with_article(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or_default();
    matches!(first.to_lowercase().as_str(), "a" | "an" | "the")
}

/// The maximum number of characters of a sentence quoted in a question; the item lists the whole sentence.
pub(super) const QUOTED_CHARS_MAX: usize = 200;

/// Quotes a claim's sentence for a question, behind what it is about where only its note or heading says that: `Ada: company: Acme`.
pub(super) fn quote_claim(claim: &WireClaim) -> String {
    let words = claim.place().map(|place| place.quote.as_str()).unwrap_or_default();
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let (subject, ..) = claim.triple();
    let is_named = line.to_lowercase().contains(&subject.to_lowercase());
    let is_line = claim.context().iter().any(|part| part == subject);
    let about = if is_line && !is_named { format!("{subject}: ") } else { String::new() };
    match line.char_indices().nth(QUOTED_CHARS_MAX) {
        Some((at, _)) => format!("“{about}{} …”", line.get(..at).unwrap_or_default()),
        None => format!("“{about}{line}”"),
    }
}

fn stale_item(found: StaleClaim) -> ReviewCandidate {
    let StaleClaim { claim, dependents, because } = found;
    let id = claim.id().to_owned();
    let despite = because.iter().map(|ground| ground.claim.clone()).collect();
    let why = because.iter().map(|ground| ground.explanation.as_str()).collect::<Vec<_>>().join("; ");
    let mut claims = vec![claim];
    for ground in because {
        let known = |one: &WireClaim| claims.iter().any(|known| known.id() == one.id());
        let more: Vec<_> = ground.was.into_iter().chain(ground.now).filter(|one| !known(one)).collect();
        claims.extend(more);
    }
    let advice = "Rewrite the sentence and what it cites, or confirm that it still holds.";
    let question =
        claims.first().map(|claim| format!("Does this still hold: {}", quote_claim(claim))).unwrap_or_default();
    let asked = new_review_item(Kind::Stale, question, why, advice, claims);
    let question = ReviewItem { dependents, choices: still_true_choices(&id, despite), ..asked };
    ReviewCandidate { kind: Kind::Stale, key: id, question }
}

/// The decisions offered for a single claim.
fn still_true_choices(id: &str, despite: Vec<String>) -> Vec<ReviewChoice> {
    vec![
        ReviewChoice { despite, ..new_choice("still true", DecisionKind::Keep, id, &[]) },
        new_choice("no longer true", DecisionKind::End, id, &[]),
        new_choice("later", DecisionKind::Later, id, &[]),
    ]
}
