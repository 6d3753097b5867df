//! Canonical relations: one name for many wordings.
//!
//! The table is a file, [`assets/relations.toml`](../assets/relations.toml), which documents its rules; a user's config
//! may add to it in the same form. A claim keeps its words: the relation is an additional, optional name.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::lemma::base_form;
use crate::lists::{
    COPULA_FORMS, LEADING_DETERMINERS, PREDICATE_FILLERS, PREDICATE_PREPOSITIONS, SUPPORT_VERBS, WORDS_IN_LY,
};
use crate::relations_error::RelationsError;
use crate::value_types::{is_builtin_type, matches_type};

/// One canonical relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Its name: `uses_language`.
    pub name: String,
    /// Whether a subject has one value at a time, so that two objects contradict.
    pub single: bool,
    /// Whether another object can replace it in time: "lives in" changes, "born in" does not.
    pub changes: bool,
    /// Whether a person may nevertheless have several at a time: a person has many languages, a program one.
    pub several: bool,
    /// Whether only persons have it.
    pub personal: bool,
    /// Whether it should be confirmed after a while.
    pub ages: bool,
}

/// A row of the table, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RelationRow {
    name: String,
    /// If absent, as in the other rows of this name, else false.
    single: Option<bool>,
    /// Whether it never changes; applies to every row of its name.
    #[serde(default)]
    fixed: bool,
    /// Whether a person may have several; applies to every row of its name.
    #[serde(default)]
    several: bool,
    /// Whether only persons have it; applies to every row of its name.
    #[serde(default)]
    personal: bool,
    /// Whether it ages; applies to every row of its name.
    #[serde(default)]
    ages: bool,
    #[serde(default)]
    verbs: Vec<String>,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    object: Vec<String>,
    #[serde(default)]
    subject: Vec<String>,
}

/// The keys of the table that are read here; others are ignored.
#[derive(Clone, Debug, Default, Deserialize)]
struct RelationTable {
    #[serde(default)]
    relation: Vec<RelationRow>,
    #[serde(default)]
    class: BTreeMap<String, Vec<String>>,
}

/// A table of relations, and how to recognize them.
#[derive(Clone, Debug)]
pub struct Relations {
    rows: Vec<CompiledRelation>,
    classes: HashMap<String, HashSet<String>>,
    by_verb: HashMap<String, Vec<usize>>,
    by_name: HashMap<String, usize>,
    fingerprint: u64,
}

#[derive(Clone, Debug)]
struct CompiledRelation {
    relation: Relation,
    object: Vec<String>,
    subject: Vec<String>,
}

static SHIPPED: LazyLock<Relations> = LazyLock::new(|| {
    Relations::parse_tables(include_str!("../assets/relations.toml"), None).unwrap_or_else(|_| Relations::empty())
});

impl Relations {
    /// Returns the built-in table.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &SHIPPED
    }

    /// Returns the built-in table with a user's own relations, in the same form (`[[relation]]` and `[class]` of a text
    /// in TOML, other keys ignored); the user's come first.
    pub fn with_user_relations(own: &str) -> Result<Self, RelationsError> {
        Self::parse_tables(include_str!("../assets/relations.toml"), Some(own))
    }

    fn empty() -> Self {
        Self {
            rows: Vec::new(),
            classes: HashMap::new(),
            by_verb: HashMap::new(),
            by_name: HashMap::new(),
            fingerprint: 0,
        }
    }

    fn parse_tables(shipped_text: &str, own: Option<&str>) -> Result<Self, RelationsError> {
        let read = |text: &str| {
            toml::from_str::<RelationTable>(text).map_err(|error| RelationsError::from_toml_error(text, &error))
        };
        let mut table = read(own.unwrap_or_default())?;
        for row in &table.relation {
            let fits = !row.name.is_empty()
                && row.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
            if !fits {
                return Err(RelationsError::BadName(row.name.clone()));
            }
            if row.verbs.iter().chain(&row.names).all(|words| words.trim().is_empty()) {
                return Err(RelationsError::NoWords(row.name.clone()));
            }
        }
        let shipped = read(shipped_text)?;
        table.relation.extend(shipped.relation);
        for (name, members) in shipped.class {
            table.class.entry(name).or_default().extend(members);
        }
        Ok(Self { fingerprint: hash_tables(shipped_text, own), ..Self::compile_table(table)? })
    }

    fn compile_table(table: RelationTable) -> Result<Self, RelationsError> {
        let mut found = Self::empty();
        found.classes = table
            .class
            .into_iter()
            .map(|(name, members)| (name, members.iter().map(|member| class_member_key(member)).collect()))
            .collect();
        let mut single: HashMap<String, bool> = HashMap::new();
        for (name, said) in table.relation.iter().filter_map(|row| Some((&row.name, row.single?))) {
            if *single.entry(name.clone()).or_insert(said) != said {
                return Err(RelationsError::Contradiction(name.clone()));
            }
        }
        let all = |is: fn(&RelationRow) -> bool| -> HashSet<String> {
            table.relation.iter().filter(|row| is(row)).map(|row| row.name.clone()).collect()
        };
        let (fixed, several) = (all(|row| row.fixed), all(|row| row.several));
        let (personal, ages) = (all(|row| row.personal), all(|row| row.ages));
        for row in table.relation {
            for class in row.object.iter().chain(&row.subject) {
                if !found.classes.contains_key(class) && !is_builtin_type(class) {
                    return Err(RelationsError::UnknownClass { relation: row.name, class: class.clone() });
                }
            }
            let index = found.rows.len();
            for verb in &row.verbs {
                found.by_verb.entry(normalize_predicate(verb)).or_default().push(index);
            }
            for name in &row.names {
                found.by_name.entry(name.to_lowercase()).or_insert(index);
            }
            let relation = Relation {
                single: single.get(&row.name).copied().unwrap_or_default(),
                changes: !fixed.contains(&row.name),
                several: several.contains(&row.name),
                personal: personal.contains(&row.name),
                ages: ages.contains(&row.name),
                name: row.name,
            };
            found.rows.push(CompiledRelation { relation, object: row.object, subject: row.subject });
        }
        Ok(found)
    }

    /// Returns a hash of the table: if it changes, claims must be extracted again.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Returns the names of all relations, without duplicates.
    #[must_use]
    pub fn names(&self) -> BTreeSet<&str> {
        self.rows.iter().map(|row| row.relation.name.as_str()).collect()
    }

    /// Returns the relation with the given name.
    #[must_use]
    pub fn find_by_name(&self, name: &str) -> Option<&Relation> {
        self.rows.iter().map(|row| &row.relation).find(|relation| relation.name == name)
    }

    /// Returns the relation that a label, property, field or column name denotes.
    #[must_use]
    pub fn find_by_label(&self, name: &str, object: &str) -> Option<&Relation> {
        let key = name.trim().trim_end_matches(':').replace(['_', '-'], " ").to_lowercase();
        let index = *self.by_name.get(&key).or_else(|| self.by_name.get(&name.trim().to_lowercase()))?;
        let row = self.rows.get(index)?;
        // An explicit name needs no class, unless the class is the point ("format: JSON").
        let checked = row.object.is_empty()
            || row.object.iter().all(|class| is_lenient_class(class))
            || self.matches_any_class(&row.object, object);
        checked.then_some(&row.relation)
    }

    /// Returns the relation that a clause states: `subject` and `object` in its words; `topic`, the object of a change.
    #[must_use]
    pub fn find_for_clause(
        &self,
        subject: Option<&str>,
        predicate: &str,
        object: &str,
        topic: Option<&str>,
    ) -> Option<&Relation> {
        if let Some(found) = topic.and_then(|topic| self.find_by_head(topic, object)) {
            return Some(found);
        }
        if object.is_empty() {
            return None;
        }
        // "is like a fork" is not liking, and "open on Mondays" recurs every week.
        let likened = predicate.ends_with(" like") && predicate.split(' ').any(|word| COPULA_FORMS.contains(word));
        let weekly = object.ends_with("days") && object.starts_with(char::is_uppercase);
        if likened || weekly {
            return None;
        }
        let key = normalize_predicate(predicate);
        let rows = self.by_verb.get(&key).into_iter().flatten().filter_map(|index| self.rows.get(*index));
        let fits = |row: &&CompiledRelation| {
            (row.object.is_empty() || self.matches_any_class(&row.object, object))
                && (row.subject.is_empty()
                    || subject.is_none_or(|subject| self.matches_any_class(&row.subject, subject)))
        };
        let mut rows = rows.filter(fits);
        if let Some(row) = rows.next() {
            return Some(&row.relation);
        }
        // "The price is 40 euros": the subject names it.
        let names = object.starts_with(|c: char| !c.is_lowercase())
            || matches_type("money", object)
            || matches_type("number", object);
        (names && key == base_form("be"))
            .then(|| subject.and_then(|subject| self.find_by_head(subject, object)))
            .flatten()
    }

    /// Returns the relation that a noun phrase names by itself or by its head: "the monthly rent".
    fn find_by_head(&self, phrase: &str, object: &str) -> Option<&Relation> {
        let lower = phrase.to_lowercase();
        let words: Vec<&str> = lower.split_whitespace().filter(|word| !is_determiner(word)).collect();
        let before_of = words.iter().position(|word| matches!(*word, "of" | "for")).unwrap_or(words.len());
        let head = words.get(..before_of).unwrap_or_default();
        (0..head.len()).find_map(|start| self.find_by_label(&head.get(start..)?.join(" "), object))
    }

    /// Whether words belong to one of these classes.
    fn matches_any_class(&self, classes: &[String], words: &str) -> bool {
        let lower = words.to_lowercase();
        let plain: Vec<&str> = lower
            .split_whitespace()
            .map(|word| word.trim_matches(|c: char| matches!(c, ',' | ';' | ':' | '!' | '"' | '“' | '”')))
            .skip_while(|word| is_determiner(word))
            .collect();
        classes.iter().any(|class| match self.classes.get(class) {
            Some(members) => {
                (1..=plain.len().min(3)).any(|n| plain.get(..n).is_some_and(|start| members.contains(&start.join(" "))))
            }
            None => crate::value_types::matches_type(class, words),
        })
    }
}

/// A hash of what is read of the tables: the bytes of the built-in one, and of the user's text its relations and classes.
fn hash_tables(shipped: &str, own: Option<&str>) -> u64 {
    let mut own = own.and_then(|own| own.parse::<toml::Table>().ok()).unwrap_or_default();
    own.retain(|key, _| matches!(key, "relation" | "class"));
    let mut hasher = blake3::Hasher::new();
    hasher.update(shipped.as_bytes());
    // A table of strings, numbers and lists has a JSON form, with its keys in order.
    hasher.update(&serde_json::to_vec(&own).unwrap_or_default());
    let mut first = [0; 8];
    hasher.finalize_xof().fill(&mut first);
    u64::from_le_bytes(first)
}

/// Whether a value of this class may lack its usual form although the name is right: "start: soon".
fn is_lenient_class(class: &str) -> bool {
    is_builtin_type(class) && !matches!(class, "phone" | "mail")
}

/// Returns the lookup key of a class member: in lower case, without a leading determiner.
fn class_member_key(member: &str) -> String {
    let lower = member.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().skip_while(|word| is_determiner(word)).collect();
    if words.is_empty() { lower } else { words.join(" ") }
}

fn is_determiner(word: &str) -> bool {
    LEADING_DETERMINERS.contains(word)
}

/// Normalizes a predicate to the form of the table: base forms without auxiliaries and adverbs.
pub(crate) fn normalize_predicate(predicate: &str) -> String {
    let lower = predicate.to_lowercase().replace("n't", " ").replace("n’t", " ");
    let words: Vec<&str> = lower.split_whitespace().collect();
    let is_adverb = |word: &str| word.len() > 4 && word.ends_with("ly") && !WORDS_IN_LY.contains(word);
    // An auxiliary that stands last is the verb itself, and a preposition may stand behind it.
    let strong: Vec<&str> =
        words.iter().copied().filter(|word| !PREDICATE_FILLERS.contains(*word) && !is_adverb(word)).collect();
    let content: Vec<&str> = strong.iter().copied().filter(|word| !COPULA_FORMS.contains(*word)).collect();
    let kept = if content.iter().any(|word| !is_preposition(word)) {
        content
    } else if strong.is_empty() {
        words.iter().copied().filter(|word| SUPPORT_VERBS.contains(*word)).collect()
    } else {
        strong
    };
    let mut out = String::new();
    for word in kept.iter().chain(find_trailing_to(&words)) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&if COPULA_FORMS.contains(*word) { base_form("be") } else { base_form(word) });
    }
    out
}

/// A "to" at the end is a preposition, not the mark of an infinitive: "moved to".
fn find_trailing_to<'w>(words: &'w [&'w str]) -> Option<&'w &'w str> {
    words.last().filter(|word| **word == "to" && words.len() > 1)
}

fn is_preposition(word: &str) -> bool {
    PREDICATE_PREPOSITIONS.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(subject: &str, predicate: &str, object: &str, expect: Option<&str>) {
        let found = Relations::built_in().find_for_clause(Some(subject), predicate, object, None);
        assert_eq!(found.map(|r| r.name.as_str()), expect, "{subject} | {predicate} | {object}");
    }

    #[test]
    fn a_predicate_and_the_class_of_its_object_make_a_relation() {
        check("drift-bench", "is written in", "Go", Some("uses_language"));
        check("drift-bench", "is written in", "a hurry", None);
        check("drift", "now uses", "MessagePack", Some("uses_serialization"));
        check("drift", "uses", "a ring buffer", Some("uses"));
        check("Anna", "works at", "Kestrel Optik", Some("works_at"));
        check("Anna", "will be living in", "Kiel", Some("lives_in"));
        check("I", "am allergic to", "penicillin", Some("allergic_to"));
        check("The plan", "costs", "40 euros a month", Some("price"));
        check("The monthly rent", "is", "€ 900", Some("price"));
        check("The report", "is due on", "Friday", Some("due"));
        check("The API", "is", "deprecated", Some("status"));
        check("The API", "is", "slow", None);
        check("Oma", "turned", "90", Some("age"));
        check("The acquisition price", "is", "4.2 million euros", Some("price"));
    }

    #[test]
    fn names_of_labels_are_relations_too() {
        let of = |name: &str, object: &str| Relations::built_in().find_by_label(name, object).map(|r| r.name.clone());
        assert_eq!(of("Owner", "Sam").as_deref(), Some("owner"));
        assert_eq!(of("due-date", "2025-06-30").as_deref(), Some("due"));
        assert_eq!(of("format", "JSON").as_deref(), Some("uses_serialization"));
        assert_eq!(of("format", "A4"), None);
        assert_eq!(of("shutter count", "84k"), None);
    }

    #[test]
    fn a_user_adds_relations_and_classes() {
        let own = "[[relation]]\nname = \"grows_in\"\nsingle = true\nverbs = [\"grow in\"]\nobject = [\"bed\"]\n[class]\nbed = [\"bed 1\", \"bed 2\"]\n";
        let relations = Relations::with_user_relations(own).expect("a good table");
        let found = relations.find_for_clause(None, "grows in", "bed 2", None);
        assert_eq!(found.map(|r| (r.name.as_str(), r.single)), Some(("grows_in", true)));
        assert!(Relations::with_user_relations("[[relation]]\nname = \"x\"\nobject = [\"nothing\"]\n").is_err());
        assert!(Relations::with_user_relations("[[relation]]\nname = \"Grows in\"\n").is_err());
        assert!(Relations::with_user_relations("relation = 3").is_err());
        assert_ne!(
            Relations::with_user_relations(own).expect("a good table").fingerprint(),
            Relations::built_in().fingerprint()
        );
        let other = Relations::with_user_relations("owner = \"Mara\"\n").expect("other keys are left alone");
        assert_eq!(other.fingerprint(), Relations::built_in().fingerprint());
    }

    #[test]
    fn what_cannot_be_meant_is_an_error_with_a_hint() {
        #[track_caller]
        fn fails(own: &str, message: &str) {
            let error = Relations::with_user_relations(own).expect_err("a bad table");
            assert_eq!(error.to_string(), message);
            assert!(!error.hint().is_empty());
        }
        let row = |rest: &str| format!("[[relation]]\nname = \"grows_in\"\n{rest}\n");
        let verbs = "verbs = [\"grow in\"]";
        let (once, many) = (row(&format!("single = true\n{verbs}")), row(&format!("single = false\n{verbs}")));
        fails(&format!("{once}{many}"), "relation `grows_in` is `single` in one place and not in another");
        fails(
            &many.replace("grows_in", "uses_language"),
            "relation `uses_language` is `single` in one place and not in another",
        );
        fails(&row("object = [\"name\"]"), "relation `grows_in` has neither verbs nor names");
        fails(&row("verbs = [\" \"]"), "relation `grows_in` has neither verbs nor names");
        fails("\nrelation = 3", "line 2: invalid type: integer `3`, expected a sequence");
        // What is left out is as it is elsewhere.
        let own = format!("{}{once}", row(verbs));
        assert!(
            Relations::with_user_relations(&own)
                .expect("a good table")
                .rows
                .iter()
                .take(2)
                .all(|row| row.relation.single)
        );
    }

    #[test]
    fn a_member_of_a_class_may_have_a_determiner() {
        let own = "[[relation]]\nname = \"drives\"\nverbs = [\"drive\"]\nobject = [\"ride\"]\n[class]\nride = [\"a van\", \"The Old Bus\"]\n";
        let relations = Relations::with_user_relations(own).expect("a good table");
        for object in ["a van", "the van", "van", "our old bus"] {
            assert!(
                relations.find_for_clause(None, "drives", object, None).is_some_and(|r| r.name == "drives"),
                "{object}"
            );
        }
    }

    #[test]
    fn every_relation_of_the_table_can_be_told() {
        assert!(Relations::built_in().rows.len() > 60);
    }
}
