//! True sentences: paraphrases of a fact in other words or another order.

use std::ops::Range;

use memora_nlp::{Label, Upos, Xpos};

use super::date_forms::find_dates;
use super::editable_sentence::{EditableSentence, capitalize};
use super::fact_forms::FactForm;
use super::facts::{Fact, FactCorpus};
use super::number_forms::find_numbers;
use super::synonyms::{change_contraction, substitute_synonym};
use super::transitive::{TransitiveClause, find_transitive};
use super::verb_forms::{base_of_third_person, participle_of_past, past_participle};
use crate::lists::{MOVABLE_CONJUNCTIONS, MOVABLE_PREPOSITIONS, SCOPE_WORDS};

/// Generates sentences equivalent to a fact, in one way.
pub(crate) type Paraphrase = fn(&Fact, &FactCorpus) -> Vec<String>;

pub(crate) const KINDS: &[(&str, Paraphrase)] = &[
    ("verbatim", keep_verbatim),
    ("prefix", add_prefix),
    ("order", change_order),
    ("voice", change_voice),
    ("synonym", substitute_synonym),
    ("contraction", change_contraction),
    ("number format", change_number_format),
    ("date format", change_date_format),
    ("alias", substitute_alias),
    ("property or cell", state_key_value),
    ("task", state_task),
];

fn keep_verbatim(fact: &Fact, _: &FactCorpus) -> Vec<String> {
    fact.sentence().map(|parsed| parsed.text.clone()).into_iter().collect()
}

fn add_prefix(fact: &Fact, world: &FactCorpus) -> Vec<String> {
    let inner = fact.sentence().and_then(|parsed| lowercase_start(parsed, world));
    let Some(inner) = inner else { return Vec::new() };
    ["According to your notes, ", "Your notes say that ", "As noted, "]
        .iter()
        .map(|start| format!("{start}{inner}"))
        .collect()
}

/// Lowercases the start of a sentence, except for names; `None` if unsure.
pub(crate) fn lowercase_start(parsed: &EditableSentence, world: &FactCorpus) -> Option<String> {
    lowercase_first_word(&parsed.text, parsed.words.first()?.upos, world)
}

fn lowercase_first_word(text: &str, upos: Upos, world: &FactCorpus) -> Option<String> {
    let first = text.split(|c: char| !c.is_alphanumeric()).next()?;
    let rest: String = first.chars().skip(1).collect();
    if first.chars().next()?.is_lowercase() || rest.chars().any(char::is_uppercase) {
        return Some(text.to_owned());
    }
    let closed = matches!(upos, Upos::Det | Upos::Adp | Upos::Sconj | Upos::Pron | Upos::Num);
    match upos {
        _ if closed || (upos != Upos::Propn && world.is_mostly_lowercase(first)) => {
            let mut chars = text.chars();
            chars.next().map(|first| first.to_lowercase().chain(chars).collect())
        }
        Upos::Propn if !world.is_mostly_lowercase(first) => Some(text.to_owned()),
        _ => None,
    }
}

/// Moves an adjunct of the verb from one end of the sentence to the other.
fn change_order(fact: &Fact, world: &FactCorpus) -> Vec<String> {
    fact.sentence().and_then(|parsed| move_adjunct(parsed, world)).into_iter().collect()
}

fn move_adjunct(parsed: &EditableSentence, world: &FactCorpus) -> Option<String> {
    let root = parsed.root()?;
    let subject = parsed.phrase(parsed.child_with_label(root, &[Label::Nsubj, Label::NsubjPass])?)?;
    // A negation or quantifier may scope over the first phrase, unless that is a condition.
    // A second verb may or may not share the moved phrase.
    if parsed.child_with_label(root, &[Label::Conj]).is_some() {
        return None;
    }
    let pieces: Vec<usize> =
        parsed.children(root).filter(|at| matches!(parsed.words[*at].label, Label::Obl | Label::Advcl)).collect();
    let free = |run: &Range<usize>| {
        let condition = matches!(parsed.lower(run.start), "if" | "when" | "once");
        let rest = || (0..run.start).chain(run.end..parsed.words.len());
        condition || rest().all(|at| !SCOPE_WORDS.contains(parsed.lower(at)))
    };
    let pronoun = |run: Range<usize>| {
        run.into_iter()
            .any(|word| matches!(parsed.lower(word), "it" | "they" | "them" | "its" | "their" | "one" | "that"))
    };
    for at in pieces {
        let Some(mut run) = parsed.phrase(at) else { continue };
        // The comma may attach to the phrase.
        if parsed.lower(run.end - 1) == "," {
            run.end -= 1;
        }
        let fits = if parsed.words[at].label == Label::Obl {
            // Only prepositions with a certain attachment.
            MOVABLE_PREPOSITIONS.contains(parsed.lower(run.start))
                && parsed.words[at].upos != Upos::Pron
                && (run.start == 0 || is_time_phrase(parsed, at))
        } else {
            MOVABLE_CONJUNCTIONS.contains(parsed.lower(run.start))
                && parsed.child_with_label(at, &[Label::Nsubj, Label::NsubjPass]).is_some()
        };
        if !fits || !free(&run) {
            continue;
        }
        let comma = usize::from(parsed.lower(run.end) == ",");
        if run.start == 0 && subject.start == run.end + comma {
            let main = run.end + comma..parsed.body_end();
            // A pronoun may refer back to the words in front.
            // With another comma or verb, the phrase would attach to the wrong head.
            let last = parsed.words[at].label == Label::Advcl
                || main
                    .clone()
                    .all(|word| word == root || (parsed.lower(word) != "," && parsed.words[word].upos != Upos::Verb));
            if !last || pronoun(main.clone()) || pronoun(run.clone()) && parsed.words[at].label == Label::Obl {
                continue;
            }
            let phrase = lowercase_first_word(parsed.run_text(&run), parsed.words[0].upos, world)?;
            return Some(format!("{} {phrase}.", capitalize(parsed.run_text(&main))));
        }
        if run.end == parsed.body_end() && subject.start == 0 && run.start > root && !pronoun(run.clone()) {
            let end = if parsed.lower(run.start - 1) == "," { run.start - 1 } else { run.start };
            if (0..end).any(|word| matches!(parsed.lower(word), "and" | "or")) {
                continue;
            }
            let main = lowercase_first_word(parsed.run_text(&(0..end)), parsed.words[0].upos, world)?;
            return Some(format!("{}, {main}.", capitalize(parsed.run_text(&run))));
        }
    }
    None
}

/// Whether a phrase is a time expression, which attaches to the verb and not to the noun before it.
fn is_time_phrase(parsed: &EditableSentence, at: usize) -> bool {
    let word = parsed.word(at);
    super::date_forms::is_calendar_name(word)
        || (word.len() == 4 && word.starts_with("20"))
        || matches!(parsed.lower(at), "startup" | "default" | "noon" | "night" | "benchmarks")
}

fn change_voice(fact: &Fact, world: &FactCorpus) -> Vec<String> {
    fact.sentence().and_then(|parsed| to_passive(parsed, world)).into_iter().collect()
}

fn to_passive(parsed: &EditableSentence, world: &FactCorpus) -> Option<String> {
    let TransitiveClause { subject, verb, object, heads } = find_transitive(parsed)?;
    let (now, done) = match parsed.words[verb].xpos {
        Xpos::Vbz => (true, past_participle(&base_of_third_person(parsed.lower(verb))?)?),
        _ => (false, participle_of_past(parsed.lower(verb))?),
    };
    let be = match (now, parsed.is_plural(heads.1)) {
        (true, false) => "is",
        (true, true) => "are",
        (false, false) => "was",
        (false, true) => "were",
    };
    let agent = lowercase_first_word(parsed.run_text(&subject), parsed.words[0].upos, world)?;
    // In "charges 110 euros a session" the rest belongs to the euros.
    let hangs =
        |next: &super::editable_sentence::ParsedWord| matches!(next.upos, Upos::Adp | Upos::Punct | Upos::Sconj);
    if !parsed.words.get(object.end).is_some_and(hangs) {
        return None;
    }
    let rest = parsed.slice(parsed.byte_range(&object).end..parsed.body().len());
    Some(format!("{} {be} {done} by {agent}{rest}.", capitalize(parsed.run_text(&object))))
}

fn change_number_format(fact: &Fact, _: &FactCorpus) -> Vec<String> {
    let Some(parsed) = fact.sentence() else { return Vec::new() };
    let mut found = Vec::new();
    for number in find_numbers(&parsed.text) {
        let first = number.bytes.start == 0;
        for form in number.other_forms() {
            // A sentence does not begin with a digit.
            if !first || !form.starts_with(|c: char| c.is_ascii_digit()) {
                let form = if first { capitalize(&form) } else { form };
                found.push(parsed.replace_bytes(&[(number.bytes.clone(), &form)]));
            }
        }
        if number.of == "percent" && number.text.starts_with(|c: char| c.is_ascii_digit()) {
            found.push(parsed.text.replacen(&format!("{} percent", number.text), &format!("{}%", number.text), 1));
        }
        if number.of == "euros" && number.text.starts_with(|c: char| c.is_ascii_digit()) {
            found.push(parsed.text.replacen(&format!("{} euros", number.text), &format!("€{}", number.text), 1));
        }
    }
    found
}

fn change_date_format(fact: &Fact, _: &FactCorpus) -> Vec<String> {
    match &fact.form {
        FactForm::Sentence(parsed) => {
            let forms = find_dates(&parsed.text).into_iter().flat_map(|date| {
                let now = parsed.slice(date.bytes.clone()).to_owned();
                date.written_forms()
                    .into_iter()
                    .filter(move |form| *form != now)
                    .map(move |form| (date.bytes.clone(), form))
            });
            // "12 March" keeps its preposition in every form.
            forms.map(|(bytes, form)| parsed.replace_bytes(&[(bytes, &form)])).collect()
        }
        FactForm::KeyValue { subject, key, value } => {
            let Some(date) = find_dates(value).pop().filter(|date| date.bytes == (0..value.len())) else {
                return Vec::new();
            };
            date.written_forms()
                .into_iter()
                .filter(|form| form != value)
                .map(|form| format_key_value(subject, key, &form))
                .collect()
        }
        FactForm::Task { .. } => Vec::new(),
    }
}

/// Replaces a subject with another name of the same thing, if it is nothing but a name.
fn substitute_alias(fact: &Fact, world: &FactCorpus) -> Vec<String> {
    let whole = match &fact.form {
        FactForm::Sentence(parsed) => parsed
            .root()
            .and_then(|root| parsed.child_with_label(root, &[Label::Nsubj]))
            .and_then(|at| parsed.phrase(at))
            .map(|run| (parsed.byte_range(&run), &parsed.text)),
        _ => None,
    };
    let Some((bytes, text)) = whole.filter(|(bytes, _)| bytes.start == 0) else { return Vec::new() };
    let subject = text.get(bytes.clone()).unwrap_or_default();
    let others = world.called.iter().filter_map(|(title, alias)| match subject {
        _ if subject == title => Some(alias),
        _ if subject == alias || subject == capitalize(alias) => Some(title),
        _ => None,
    });
    others.map(|name| format!("{}{}", capitalize_article(name), text.get(bytes.end..).unwrap_or_default())).collect()
}

/// Capitalizes a leading article; names keep their own capitalization.
fn capitalize_article(name: &str) -> String {
    if name.starts_with("the ") { capitalize(name) } else { name.to_owned() }
}

pub(crate) fn format_key_value(subject: &str, key: &str, value: &str) -> String {
    format!("The {key} of {subject} is {value}.")
}

fn state_key_value(fact: &Fact, _: &FactCorpus) -> Vec<String> {
    let FactForm::KeyValue { subject, key, value } = &fact.form else { return Vec::new() };
    let mut found = vec![format_key_value(subject, key, value)];
    if key == "owner" || key == "author" || key == "publisher" {
        found.push(format!("{value} is the {key} of {subject}."));
    }
    found
}

fn state_task(fact: &Fact, _: &FactCorpus) -> Vec<String> {
    let FactForm::Task { what, done } = &fact.form else { return Vec::new() };
    let doing = what.run_text(&(1..what.body_end()));
    if *done {
        task_in_past(what).into_iter().collect()
    } else {
        vec![format!("You still have to {doing}."), format!("You plan to {doing}.")]
    }
}

/// "You returned the drill."
pub(crate) fn task_in_past(what: &EditableSentence) -> Option<String> {
    let past = super::verb_forms::past_tense(what.lower(1))?;
    Some(what.replace_bytes(&[(what.words[1].bytes.clone(), &past)]))
}
