//! What a newer text does to an older one about the same, by the claims of both: it ends what that says, gives another value in
//! its place, or says otherwise.
//!
//! For memories, each of which is one statement of known age. Invariant: **in doubt both stand**; an end needs the subject and
//! the value of what it ends, a new value the subject and the predicate.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use memora_claim::conflict::{ClaimPolarity, ObjectValue, ValueRelation};
use memora_claim::time::find_times;
use memora_claim::{Claim, Modality, NameKey, Phase};
use memora_extract::{Relation, Relations, TenseAspect, comparable_predicate, detect_tense_aspect};
use memora_nlp::word_lists::WordSet;
use memora_nlp::{DependencyParser, Label, Upos, tokenize_treebank};
use memora_vault::fold_name;

use super::comparable::{claim_polarity, comparison_key, is_leavable_relation, limiting_qualifiers};
use crate::read::lists::{
    CHANGE_PHRASES, ENDING_PHRASES, LEAVABLE_VERBS, LEAVING_PHRASES, LIMITING_WORDS, MOVING_PHRASES, SEVERAL_NOUNS,
    SINGLE_ADJECTIVES, STATE_NOUNS, STOPPING_VERBS, WISHING_VERBS,
};
use crate::read::search::lowercase_words;

/// What a newer text does to an older one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Succession {
    /// Both cannot hold, and nothing says that one took the other's place.
    Differs,
    /// The older one holds no longer.
    Replaces,
}

/// A text, and the claims of it.
#[derive(Clone, Copy)]
pub(crate) struct SaidText<'t> {
    pub(crate) text: &'t str,
    pub(crate) claims: &'t [Claim],
}

/// What a claim says of its subject.
struct State<'c> {
    subject: String,
    /// Whether the subject is one thing of its writer's, or of whom the text is about: "my shell".
    is_owned: bool,
    /// The predicate, comparable: "work at", "be on".
    verb: String,
    relation: Option<&'c Relation>,
    object: &'c str,
    value: ObjectValue,
    scope: BTreeSet<String>,
    polarity: StatePolarity,
    /// Whether its text has a word of a condition or of an hour: "after 3pm".
    is_bounded: bool,
    claim: &'c Claim,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StatePolarity {
    Holds,
    Begun,
    Over,
}

/// The subject that stands for the user, who writes "I".
const USER: &str = "user";

/// Words that may stand before a verb of wishing; of "don't" the two parts.
const WISH_AUXILIARIES: [&str; 9] = ["also", "do", "does", "doesn", "don", "longer", "no", "not", "t"];

/// Words behind which stands when something is not so.
const BOUNDS: [&str; 8] = ["after", "before", "during", "except", "if", "unless", "when", "while"];

/// Phrases in their comparable form.
static LEAVING: LazyLock<HashSet<String>> = LazyLock::new(|| comparable(&LEAVING_PHRASES));
static LEAVABLE: LazyLock<HashSet<String>> = LazyLock::new(|| comparable(&LEAVABLE_VERBS));
static MOVING: LazyLock<HashSet<String>> = LazyLock::new(|| comparable(&MOVING_PHRASES));
static STOPPING: LazyLock<HashSet<String>> = LazyLock::new(|| comparable(&STOPPING_VERBS));

fn comparable(phrases: &WordSet<'_>) -> HashSet<String> {
    phrases.iter().map(|phrase| comparable_predicate(phrase)).collect()
}

/// Compares two texts, of which one is newer; `None` if both may hold.
pub(crate) fn compare_in_order(newer: SaidText<'_>, older: SaidText<'_>, relations: &Relations) -> Option<Succession> {
    let old = read_states(older, relations);
    if old.is_empty() {
        return None;
    }
    let new = read_states(newer, relations);
    let is_change = has_phrase(newer.text, &CHANGE_PHRASES);
    let pairs = new.iter().flat_map(|new| old.iter().map(move |old| (new, old)));
    pairs
        .filter(|(new, old)| new.subject == old.subject && old.polarity != StatePolarity::Over)
        .filter_map(|(new, old)| match new.polarity {
            StatePolarity::Over => new.ends(old).then_some(Succession::Replaces),
            StatePolarity::Holds | StatePolarity::Begun => new.succeeds(old, is_change),
        })
        .max()
}

/// Whether two texts give different amounts to one thing, which has a name or is described.
pub(crate) fn differ_in_amount(one: SaidText<'_>, other: SaidText<'_>, relations: &Relations) -> bool {
    let others = read_states(other, relations);
    read_states(one, relations).iter().any(|one| {
        others.iter().any(|other| {
            one.holds()
                && other.holds()
                && one.is_same_slot(other)
                && one.is_described()
                && one.has_number()
                && other.has_number()
                && (one.value.compare(&other.value) == ValueRelation::Incompatible
                    || one.value.is_another_span(&other.value))
        })
    })
}

/// What the user wants no longer: "I don't want semicolons anymore".
pub(crate) fn dropped_wish(said: SaidText<'_>) -> Option<&str> {
    if is_bounded(said.text) {
        return None;
    }
    let says_when = |words: &String| {
        let phrase = lowercase_words(words).join(" ");
        CHANGE_PHRASES.contains(phrase.as_str()) || ENDING_PHRASES.contains(phrase.as_str())
    };
    let is_dropped = |claim: &&Claim| {
        let is_over = claim.phase == Phase::Ended || claim.negated && has_phrase(said.text, &ENDING_PHRASES);
        is_over && is_wish(claim) && claim.qualifiers.iter().all(says_when)
    };
    said.claims.iter().find(is_dropped).map(|claim| strip_change(&claim.object))
}

/// What the user wants, without what they want less: "tabs over spaces".
pub(crate) fn held_wish(said: SaidText<'_>) -> Option<&str> {
    let holds = |claim: &&Claim| !claim.negated && claim.phase != Phase::Ended && is_wish(claim);
    let object = said.claims.iter().find(holds).map(|claim| strip_change(&claim.object))?;
    let compared = [" over ", " rather than ", " instead of "].iter().filter_map(|word| object.split_once(word));
    Some(compared.map(|(wanted, _)| wanted).min_by_key(|wanted| wanted.len()).unwrap_or(object))
}

/// Whether a claim says what the user wants or does not: it is no plan of theirs for that.
fn is_wish(claim: &Claim) -> bool {
    let is_users = claim.subject.as_deref().and_then(subject_of).is_some_and(|(subject, _)| subject == USER);
    let is_said = matches!(claim.modality, Modality::Asserted | Modality::Planned) && claim.attribution.is_none();
    // "Would want" and "used to want" are other wishes.
    let words = lowercase_words(&claim.predicate);
    let is_plain = words.split_last().is_some_and(|(verb, before)| {
        WISHING_VERBS.contains(verb.as_str()) && before.iter().all(|word| WISH_AUXILIARIES.contains(&word.as_str()))
    });
    is_users && is_said && is_plain
}

fn read_states<'c>(said: SaidText<'c>, relations: &'c Relations) -> Vec<State<'c>> {
    said.claims.iter().filter_map(|claim| read_state(claim, said.text, relations)).collect()
}

fn read_state<'c>(claim: &'c Claim, text: &str, relations: &'c Relations) -> Option<State<'c>> {
    comparison_key(claim)?;
    if claim.modality != Modality::Asserted || claim.attribution.is_some() {
        return None;
    }
    let (subject, is_owned) = subject_of(claim.subject.as_deref()?)?;
    let relation = claim.relation.as_deref().and_then(|name| relations.find_by_name(name));
    let verb = comparable_predicate(&claim.predicate);
    let changes = relation.is_none_or(|relation| relation.changes);
    let is_past = || matches!(detect_tense_aspect(&claim.predicate), TenseAspect::Past | TenseAspect::Inchoative);
    let is_left = || !claim.negated && LEAVING.contains(&verb) && is_past();
    let is_denied_now = || claim.negated && has_phrase(text, &ENDING_PHRASES);
    let polarity = match claim_polarity(claim, changes) {
        Some(ClaimPolarity::Ended) => StatePolarity::Over,
        _ if is_left() || is_denied_now() => StatePolarity::Over,
        Some(ClaimPolarity::Affirmed) => StatePolarity::Holds,
        Some(ClaimPolarity::Begun) => StatePolarity::Begun,
        Some(ClaimPolarity::Denied) | None => return None,
    };
    let object = strip_change(&claim.object);
    // That something is new limits nothing.
    let limits: Vec<String> = claim
        .qualifiers
        .iter()
        .filter(|words| !has_phrase(words, &CHANGE_PHRASES) && !has_phrase(words, &ENDING_PHRASES))
        .cloned()
        .collect();
    let is_version = relation.is_some_and(|relation| relation.name == "version");
    Some(State {
        subject,
        is_owned,
        value: ObjectValue::parse(object, None, None, is_version),
        scope: limiting_qualifiers(&limits, relation),
        verb,
        relation,
        object,
        polarity,
        is_bounded: is_bounded(text),
        claim,
    })
}

impl State<'_> {
    fn holds(&self) -> bool {
        self.polarity != StatePolarity::Over
    }

    /// Whether the subject says which thing it is: "the cache TTL", "Drift", and not "the timeout".
    fn is_described(&self) -> bool {
        let subject = self.claim.subject.as_deref().unwrap_or_default();
        let is_name = |word: &str| word.starts_with(char::is_uppercase) && !matches!(word, "The" | "My" | "Our");
        self.subject.contains(' ') || subject.split(' ').any(is_name)
    }

    fn has_number(&self) -> bool {
        self.object.chars().any(|c| c.is_ascii_digit())
    }

    /// Whether both give a value to the same thing under the same conditions.
    fn is_same_slot(&self, other: &Self) -> bool {
        let is_same_relation = self.relation.is_some() && self.relation == other.relation;
        self.subject == other.subject && self.scope == other.scope && (is_same_relation || self.verb == other.verb)
    }

    /// Whether this, which is over, is what the older one says.
    fn ends(&self, older: &Self) -> bool {
        let (first, rest) = self.verb.split_once(' ').unwrap_or((&self.verb, ""));
        // "Stopped working at": what is over is the work.
        let verb = if STOPPING.contains(first) && !rest.is_empty() { rest } else { &self.verb };
        let is_left = LEAVING.contains(&self.verb);
        let is_leavable = older.relation.is_some_and(|relation| is_leavable_relation(&relation.name))
            || LEAVABLE.contains(&older.verb);
        let is_same_relation = self.relation.is_some() && self.relation == older.relation;
        let is_same_verb = verb == older.verb || is_same_relation || is_left && is_leavable;
        let is_value = matches!(older.value.compare(&self.value), ValueRelation::Same | ValueRelation::Narrower);
        let is_meant = is_value && !self.is_limited() || is_left && self.gives_up_post(older);
        is_same_verb && is_meant && self.scope.is_subset(&older.scope)
    }

    /// Whether it says more than that it is over, and since when or why: "open last night", "after 3pm", "locally anymore".
    fn is_limited(&self) -> bool {
        let says_when = |words: &String| {
            let said = lowercase_words(words);
            let first = said.first().map(String::as_str).unwrap_or_default();
            let phrase = said.join(" ");
            matches!(first, "because" | "since")
                || first == "in" && !find_times(words).is_empty()
                || CHANGE_PHRASES.contains(phrase.as_str())
                || ENDING_PHRASES.contains(phrase.as_str())
        };
        self.is_bounded || self.has_limited_object() || !self.claim.qualifiers.iter().all(says_when)
    }

    /// "Vim on servers", "coffee before noon".
    fn has_limited_object(&self) -> bool {
        let limits = |word: &String| {
            LIMITING_WORDS.contains(word.as_str()) || matches!(word.as_str(), "after" | "before" | "over" | "to")
        };
        lowercase_words(self.object).iter().skip(1).any(limits)
    }

    /// "Quit my job at Acme" ends "works at Acme": the post stands for the state.
    fn gives_up_post(&self, older: &Self) -> bool {
        let object = lowercase_words(self.object);
        let Some(post) = object.iter().position(|word| STATE_NOUNS.contains(word.as_str())) else { return false };
        let mut words: Vec<String> = object.into_iter().skip(post + 1).collect();
        for qualifier in &self.claim.qualifiers {
            let mut said = lowercase_words(qualifier).into_iter();
            if said.next().is_some_and(|first| matches!(first.as_str(), "at" | "with" | "for" | "from" | "of" | "in")) {
                words.extend(said);
            }
        }
        let value = ObjectValue::parse(
            words.strip_prefix(&["at".to_owned()]).unwrap_or(&words).join(" ").as_str(),
            None,
            None,
            false,
        );
        matches!(older.value.compare(&value), ValueRelation::Same | ValueRelation::Narrower)
    }

    /// What this does to an older state with another value.
    fn succeeds(&self, older: &Self, is_change: bool) -> Option<Succession> {
        let kinds = (ValueKind::of(self.object), ValueKind::of(older.object));
        let excludes = match &kinds {
            (ValueKind::Clock(one), ValueKind::Clock(other)) => one != other,
            _ => self.value.compare(&older.value) == ValueRelation::Incompatible,
        };
        if self.scope != older.scope || !excludes {
            return None;
        }
        if self.relation.is_some_and(|relation| relation.single) && self.relation == older.relation {
            // Who joins something need not work there.
            let is_sure = !self.has_limited_object() && self.verb != "join";
            return Some(if is_sure { Succession::Replaces } else { Succession::Differs });
        }
        let is_same_kind = std::mem::discriminant(&kinds.0) == std::mem::discriminant(&kinds.1);
        // "Standup moved to Wednesday", over "standup is on Tuesday". What somebody moves to, and what else they do, are two things.
        if MOVING.contains(&self.verb) && self.polarity == StatePolarity::Begun {
            let is_moved = MOVING.contains(&older.verb) || older.verb == "be" || older.verb.starts_with("be ");
            let is_value = is_same_kind && kinds.0 != ValueKind::Words;
            return (is_value && is_moved).then_some(Succession::Replaces);
        }
        if self.verb != older.verb || !is_same_kind {
            return None;
        }
        let is_copula = self.verb == "be" || self.verb.starts_with("be ");
        // "On port 8080", and "on port 9090".
        let is_measured = kinds.0 != ValueKind::Words || mask_numbers(self.object) == mask_numbers(older.object);
        let is_value = is_measured
            || is_copula && (self.is_one_of_a_kind() || is_nominal(self.object) && is_nominal(older.object));
        if !is_value {
            return None;
        }
        let (is_identity, is_single) = (self.verb == "be" && self.is_owned && older.is_owned, self.is_single());
        // Of words, only one name for one thing, said to be new: "my boss is from Spain" takes the place of nobody.
        let is_sure = is_measured || is_identity && is_single;
        if is_change && is_sure && !self.has_limited_object() {
            return Some(Succession::Replaces);
        }
        (!is_identity || is_single).then_some(Succession::Differs)
    }

    /// "My favourite editor": there is one.
    fn is_one_of_a_kind(&self) -> bool {
        lowercase_words(&self.subject).iter().any(|word| SINGLE_ADJECTIVES.contains(word.as_str()))
    }

    /// Whether the subject is one thing: "my shell", and neither "my shells" nor "my sister", who may be several.
    fn is_single(&self) -> bool {
        let words = lowercase_words(&self.subject);
        let head = words.iter().take_while(|word| !matches!(word.as_str(), "of" | "for" | "in" | "on" | "at")).last();
        let predicate = lowercase_words(&self.claim.predicate);
        predicate.iter().any(|word| matches!(word.as_str(), "is" | "s"))
            && head.is_some_and(|head| !SEVERAL_NOUNS.contains(head.as_str()))
    }
}

/// The most words of an object that is a time of day: "at 10:00", of which a mark parts the numbers.
const CLOCK_WORDS_MAX: usize = 3;

/// What kind of value an object is: only values of a kind exclude each other.
#[derive(PartialEq, Eq)]
enum ValueKind {
    /// An hour and a minute.
    Clock((u32, u32)),
    /// A day, or another time.
    Time,
    Number,
    Words,
}

impl ValueKind {
    fn of(object: &str) -> Self {
        let first = object.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let clock = || {
            let (hour, minute) = first?.trim_end_matches(is_mark).split_once(':')?;
            Some((hour.parse().ok()?, minute.parse().ok()?))
        };
        if let Some(clock) = clock().filter(|_| lowercase_words(object).len() <= CLOCK_WORDS_MAX) {
            return Self::Clock(clock);
        }
        match () {
            // A day alone may be a name.
            () if !find_times(object).is_empty() || !find_times(&format!("on {object}")).is_empty() => Self::Time,
            () if object.starts_with(|c: char| c.is_ascii_digit()) => Self::Number,
            () => Self::Words,
        }
    }
}

/// The thing that a text says something is, by its words alone: cheap, so that few texts need be compared.
pub(crate) fn thing_of(text: &str) -> Option<String> {
    text.split_once(" is ").and_then(|(subject, _)| subject_of(subject)).map(|(thing, _)| thing)
}

/// The subject under which texts about one person are compared, and whether it is a thing of theirs: an agent says "the user" where
/// the user says "I".
fn subject_of(subject: &str) -> Option<(String, bool)> {
    let lower = fold_name(&subject.replace('’', "'"));
    let owned = ["my ", "our ", "the user's ", "user's "].iter().find_map(|owner| lower.strip_prefix(owner));
    if let Some(thing) = owned {
        return Some((thing.trim().to_owned(), true));
    }
    if matches!(lower.as_str(), "i" | "the user" | USER | "me" | "myself") {
        return Some((USER.to_owned(), false));
    }
    if matches!(lower.as_str(), "we" | "us") {
        return Some(("we".to_owned(), false));
    }
    NameKey::from_subject(subject).map(|key| (key.as_str().to_owned(), false))
}

/// An object without its digits.
fn mask_numbers(object: &str) -> String {
    let plain: String = strip_change(object).chars().filter(|c| !c.is_ascii_digit()).collect();
    plain.to_lowercase()
}

/// Whether a text says when something is not so.
fn is_bounded(text: &str) -> bool {
    lowercase_words(text).iter().any(|word| BOUNDS.contains(&word.as_str()))
}

/// Whether a text has one of some phrases of whole words.
fn has_phrase(text: &str, phrases: &WordSet<'_>) -> bool {
    let words = format!(" {} ", lowercase_words(text).join(" "));
    phrases.iter().any(|phrase| words.contains(&format!(" {phrase} ")))
}

/// An object without the words at its end that say that it is new: "zsh now".
fn strip_change(object: &str) -> &str {
    let mut rest = object.trim_end_matches(is_mark);
    while let Some(before) = CHANGE_PHRASES.iter().find_map(|phrase| strip_last_words(rest, phrase)) {
        rest = before.trim_end_matches(is_mark);
    }
    rest
}

fn strip_last_words<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let (before, last) = text.split_at_checked(text.len().checked_sub(phrase.len())?)?;
    (last.eq_ignore_ascii_case(phrase) && before.ends_with(' ')).then_some(before)
}

fn is_mark(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | '.' | '!')
}

/// Whether an object says what its subject is, and not how it is or of which kind ("is slow", "is a Volvo").
fn is_nominal(object: &str) -> bool {
    let text = format!("The name is {object}.");
    let tokens: Vec<&str> = tokenize_treebank(&text, &[]).into_iter().filter_map(|range| text.get(range)).collect();
    let tree = DependencyParser::embedded().parse(&tokens);
    let Some(root) = (0..tree.len()).find(|at| tree.label(*at) == Label::Root) else { return false };
    let is_kind = tree.children(root).iter().any(|child| matches!(tree.lower(*child), "a" | "an"));
    !matches!(tree.upos(root), Upos::Adj | Upos::Adv | Upos::Verb) && !is_kind
}
