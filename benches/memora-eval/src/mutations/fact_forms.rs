//! Selects the statements that are clear enough to be rewritten.

use std::sync::LazyLock;

use memora_claim::{Statement, StatementKind};
use memora_nlp::{Label, Upos, Xpos};
use memora_vault::{Note, PropertyValue, SegmentKind, TaskState};
use regex::Regex;

use super::editable_sentence::EditableSentence;
use crate::lists::{CONTEXT_DEPENDENT, ENGLISH_WORDS, GERMAN_WORDS, NOUN_KEYS, UNRESOLVED_PRONOUNS};

pub(crate) enum FactForm {
    Sentence(EditableSentence),
    /// A property or a table cell: "the `key` of `subject` is `value`".
    KeyValue {
        subject: String,
        key: String,
        value: String,
    },
    /// A task, and whether it is done.
    Task {
        what: EditableSentence,
        done: bool,
    },
}

const MARKUP: &[&str] = &[" ,", "`", "$", "~~", "%%", "^[", "[^", "<", "==", "![", "\n", "claim:", "http"];
const SIGNS: &str = "()[]{}<>|\"“”„?:;!—–…*_#@/\\→=+";

/// Extracts the rewritable forms of a statement; a table row has one per cell.
pub(super) fn extract_forms(note: &Note, statement: &Statement) -> Vec<FactForm> {
    match statement.kind {
        StatementKind::Sentence | StatementKind::Item => sentence_form(note, statement).into_iter().collect(),
        StatementKind::Property => property_form(note, statement).into_iter().collect(),
        StatementKind::Row => row_forms(note, statement),
        StatementKind::Task => task_form(note, statement).into_iter().collect(),
        StatementKind::Field | StatementKind::Code => Vec::new(),
    }
}

fn is_plain(note: &Note, statement: &Statement) -> bool {
    let source = note.slice(statement.span);
    !MARKUP.iter().any(|sign| source.contains(sign))
        && !statement.words.contains(|c| SIGNS.contains(c))
        && !statement.words.contains(" ,")
}

fn sentence_form(note: &Note, statement: &Statement) -> Option<FactForm> {
    let text = statement.words.as_str();
    if !is_plain(note, statement)
        || !text.ends_with('.')
        || text.ends_with("etc.")
        || text.contains(". ")
        || text.starts_with("No,")
        || text.starts_with("Yes,")
    {
        return None;
    }
    let parsed = EditableSentence::new(text);
    is_clear(&parsed).then_some(FactForm::Sentence(parsed))
}

/// Whether a sentence is English, with an explicit subject and a finite verb.
fn is_clear(parsed: &EditableSentence) -> bool {
    let Some(root) = parsed.root() else { return false };
    let subjects: Vec<usize> =
        parsed.children(root).filter(|at| matches!(parsed.words[*at].label, Label::Nsubj | Label::NsubjPass)).collect();
    let [subject] = subjects[..] else { return false };
    let named = parsed.words[subject].upos != Upos::Pron || parsed.lower(subject) == "you";
    // A pronoun inside the sentence needs an antecedent before it.
    let pronoun = parsed
        .words
        .iter()
        .position(|word| matches!(word.lower.as_str(), "it" | "they" | "them" | "its" | "their" | "itself"));
    let english = parsed.has_any_word(&*ENGLISH_WORDS) && !parsed.has_any_word(&*GERMAN_WORDS);
    let relative =
        matches!(parsed.lower(0), "which" | "whatever" | "who" | "what" | "and" | "but" | "or" | "that" | "also");
    let verb = parsed.words[root].upos == Upos::Verb || parsed.child_with_label(root, &[Label::Cop]).is_some();
    let helped = parsed.child_with_label(root, &[Label::Aux, Label::AuxPass, Label::Cop]).is_some();
    let finite = helped || !matches!(parsed.words[root].xpos, Xpos::Vb | Xpos::Vbn | Xpos::Vbg);
    // Without agreement the tree or the sentence is wrong.
    let agrees = match parsed.words[root].xpos {
        _ if helped => true,
        Xpos::Vbz => !matches!(parsed.words[subject].xpos, Xpos::Nns | Xpos::Nnps),
        Xpos::Vbp => parsed.is_plural(subject),
        _ => true,
    };
    (5..=28).contains(&parsed.words.len())
        && named
        && english
        && !relative
        && verb
        && finite
        && agrees
        && parsed.words[root].sure
        && parsed.words[subject].sure
        && subject < root
        && !parsed.has_any_word(&*CONTEXT_DEPENDENT)
        && pronoun.is_none_or(|at| (0..at).any(|word| matches!(parsed.words[word].upos, Upos::Noun | Upos::Propn)))
        && !parsed.words.iter().any(|word| matches!(word.xpos, Xpos::Wp | Xpos::Wrb) && word.bytes.start == 0)
}

fn property_form(note: &Note, statement: &Statement) -> Option<FactForm> {
    let property = note.properties().get(statement.part)?;
    let key = property.key.to_lowercase().replace(['_', '-'], " ");
    let value = match &property.value {
        PropertyValue::Text(text) | PropertyValue::Number(text) => strip_wikilink(text),
        PropertyValue::Date(date) => date.to_string(),
        _ => return None,
    };
    key_value_form(note.title(), &key, &value)
}

fn row_forms(note: &Note, statement: &Statement) -> Vec<FactForm> {
    let Some(segment) = note.segments().get(statement.part) else { return Vec::new() };
    let SegmentKind::Row { cells, header, .. } = &segment.kind else { return Vec::new() };
    let cell =
        |at: usize| cells.get(at).and_then(|range| segment.plain.text().get(range.clone())).unwrap_or_default().trim();
    // A first cell without letters does not name the row's subject.
    let named = cell(0).chars().any(char::is_alphabetic);
    (1..header.len())
        .filter(|_| named)
        .filter_map(|at| key_value_form(cell(0), &header[at].trim().to_lowercase(), cell(at)))
        .collect()
}

fn key_value_form(subject: &str, key: &str, value: &str) -> Option<FactForm> {
    static DATED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\d{4}-\d\d-\d\d$").expect("a pattern"));
    let short = |text: &str| !text.is_empty() && text.is_ascii() && text.split_whitespace().count() <= 3;
    let plain =
        |text: &str| !text.contains(|c| SIGNS.contains(c) || c == ',' && !text.contains(|c: char| c.is_ascii_digit()));
    let fits = NOUN_KEYS.contains(key)
        && short(subject)
        && short(value)
        && plain(subject)
        && plain(value)
        && !DATED.is_match(subject);
    fits.then(|| FactForm::KeyValue { subject: subject.to_owned(), key: key.to_owned(), value: value.to_owned() })
}

fn strip_wikilink(text: &str) -> String {
    let inner = text.trim().strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")).unwrap_or(text);
    inner.rsplit(['|', '/']).next().unwrap_or(inner).trim().to_owned()
}

/// Returns a task that begins with a verb and names its object.
fn task_form(note: &Note, statement: &Statement) -> Option<FactForm> {
    let segment = note.segments().get(statement.part)?;
    let SegmentKind::Task(state) = segment.kind else { return None };
    let done = match state {
        TaskState::Done => true,
        TaskState::Open => false,
        _ => return None,
    };
    let text = statement.words.trim_end_matches('.');
    let plain = !text.contains(|c| SIGNS.contains(c) || c == ',') && text.is_ascii();
    let parsed = EditableSentence::new(&format!("You {}{}.", text.get(..1)?.to_lowercase(), text.get(1..)?));
    let verb = parsed.words.get(1)?;
    // "Blog post about it" and "Task item" begin with nouns.
    let next = parsed.words.get(2)?;
    let object = matches!(next.upos, Upos::Det | Upos::Propn | Upos::Adp) || next.xpos == Xpos::PrpPoss;
    let later = done && parsed.words.iter().skip(2).any(|word| matches!(word.xpos, Xpos::Vbz | Xpos::Vbp));
    let told = object
        && !later
        && parsed.root() == Some(1)
        && matches!(verb.xpos, Xpos::Vb | Xpos::Vbp)
        && parsed.words.len() >= 5;
    (plain && told && !parsed.has_any_word(&*UNRESOLVED_PRONOUNS)).then_some(FactForm::Task { what: parsed, done })
}
