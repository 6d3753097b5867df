//! True sentences: what a fact says, in other words or another order.

use std::ops::Range;

use memora_nlp::{Label, Upos, Xpos};

use super::facts::{Fact, Form, World};
use super::numbers::numbers;
use super::parsed::{Parsed, capital};
use super::roles::{Transitive, transitive};
use super::times::dates;
use super::verbs::{base_of_third, participle, participle_of_past};
use super::wording::{contraction, synonym};

/// Sentences that say what a fact says, each in one way.
pub(crate) type Make = fn(&Fact, &World) -> Vec<String>;

pub(crate) const KINDS: &[(&str, Make)] = &[
    ("verbatim", verbatim),
    ("prefix", prefix),
    ("order", order),
    ("voice", voice),
    ("synonym", synonym),
    ("contraction", contraction),
    ("number format", number_format),
    ("date format", date_format),
    ("alias", alias),
    ("property or cell", pair),
    ("task", task),
];

fn verbatim(fact: &Fact, _: &World) -> Vec<String> {
    fact.sentence().map(|parsed| parsed.text.clone()).into_iter().collect()
}

fn prefix(fact: &Fact, world: &World) -> Vec<String> {
    let inner = fact.sentence().and_then(|parsed| lowered(parsed, world));
    let Some(inner) = inner else { return Vec::new() };
    ["According to your notes, ", "Your notes say that ", "As noted, "]
        .iter()
        .map(|start| format!("{start}{inner}"))
        .collect()
}

/// A sentence as it stands inside another: its first word small, unless it is a name. `None` where that is not certain.
pub(crate) fn lowered(parsed: &Parsed, world: &World) -> Option<String> {
    small_first(&parsed.text, parsed.words.first()?.upos, world)
}

fn small_first(text: &str, upos: Upos, world: &World) -> Option<String> {
    let first = text.split(|c: char| !c.is_alphanumeric()).next()?;
    let rest: String = first.chars().skip(1).collect();
    if first.chars().next()?.is_lowercase() || rest.chars().any(char::is_uppercase) {
        return Some(text.to_owned());
    }
    let closed = matches!(upos, Upos::Det | Upos::Adp | Upos::Sconj | Upos::Pron | Upos::Num);
    match upos {
        _ if closed || (upos != Upos::Propn && world.is_small(first)) => {
            let mut chars = text.chars();
            chars.next().map(|first| first.to_lowercase().chain(chars).collect())
        }
        Upos::Propn if !world.is_small(first) => Some(text.to_owned()),
        _ => None,
    }
}

/// What hangs on the verb at one end of the sentence, moved to the other.
fn order(fact: &Fact, world: &World) -> Vec<String> {
    fact.sentence().and_then(|parsed| moved(parsed, world)).into_iter().collect()
}

fn moved(parsed: &Parsed, world: &World) -> Option<String> {
    let root = parsed.root()?;
    let subject = parsed.phrase(parsed.child(root, &[Label::Nsubj, Label::NsubjPass])?)?;
    // What is denied or counted may depend on what stands first, except on a condition.
    const SCOPE: &[&str] = &[
        "not",
        "n't",
        "no",
        "never",
        "all",
        "every",
        "each",
        "any",
        "only",
        "but",
        "unless",
        "then",
        "also",
        "additionally",
    ];
    // A verb more may or may not share what is moved.
    if parsed.child(root, &[Label::Conj]).is_some() {
        return None;
    }
    let pieces: Vec<usize> =
        parsed.children(root).filter(|at| matches!(parsed.words[*at].label, Label::Obl | Label::Advcl)).collect();
    let free = |run: &Range<usize>| {
        let condition = matches!(parsed.lower(run.start), "if" | "when" | "once");
        let rest = || (0..run.start).chain(run.end..parsed.words.len());
        condition || rest().all(|at| !SCOPE.contains(&parsed.lower(at)))
    };
    let pronoun = |run: Range<usize>| {
        run.into_iter()
            .any(|word| matches!(parsed.lower(word), "it" | "they" | "them" | "its" | "their" | "one" | "that"))
    };
    for at in pieces {
        let Some(mut run) = parsed.phrase(at) else { continue };
        // The comma may hang on it.
        if parsed.lower(run.end - 1) == "," {
            run.end -= 1;
        }
        let fits = if parsed.words[at].label == Label::Obl {
            // Where they hang is certain, and nothing else hangs so.
            ["in", "on", "at", "after", "before", "since", "during", "until", "by"].contains(&parsed.lower(run.start))
                && parsed.words[at].upos != Upos::Pron
                && (run.start == 0 || timely(parsed, at))
        } else {
            ["if", "when", "because", "while", "although", "after", "before", "since", "once"]
                .contains(&parsed.lower(run.start))
                && parsed.child(at, &[Label::Nsubj, Label::NsubjPass]).is_some()
        };
        if !fits || !free(&run) {
            continue;
        }
        let comma = usize::from(parsed.lower(run.end) == ",");
        if run.start == 0 && subject.start == run.end + comma {
            let main = run.end + comma..parsed.body_end();
            // The words in front may be what a pronoun behind them stands for.
            // A comma or a verb more, and the phrase would hang on what stands before it.
            let last = parsed.words[at].label == Label::Advcl
                || main
                    .clone()
                    .all(|word| word == root || (parsed.lower(word) != "," && parsed.words[word].upos != Upos::Verb));
            if !last || pronoun(main.clone()) || pronoun(run.clone()) && parsed.words[at].label == Label::Obl {
                continue;
            }
            let phrase = small_first(parsed.run(&run), parsed.words[0].upos, world)?;
            return Some(format!("{} {phrase}.", capital(parsed.run(&main))));
        }
        if run.end == parsed.body_end() && subject.start == 0 && run.start > root && !pronoun(run.clone()) {
            let end = if parsed.lower(run.start - 1) == "," { run.start - 1 } else { run.start };
            if (0..end).any(|word| matches!(parsed.lower(word), "and" | "or")) {
                continue;
            }
            let main = small_first(parsed.run(&(0..end)), parsed.words[0].upos, world)?;
            return Some(format!("{}, {main}.", capital(parsed.run(&run))));
        }
    }
    None
}

/// Whether a phrase names a time: it hangs on the verb then, and not on the noun before it.
fn timely(parsed: &Parsed, at: usize) -> bool {
    let word = parsed.word(at);
    super::times::names_a_time(word)
        || (word.len() == 4 && word.starts_with("20"))
        || matches!(parsed.lower(at), "startup" | "default" | "noon" | "night" | "benchmarks")
}

fn voice(fact: &Fact, world: &World) -> Vec<String> {
    fact.sentence().and_then(|parsed| passive(parsed, world)).into_iter().collect()
}

fn passive(parsed: &Parsed, world: &World) -> Option<String> {
    let Transitive { subject, verb, object, heads } = transitive(parsed)?;
    let (now, done) = match parsed.words[verb].xpos {
        Xpos::Vbz => (true, participle(&base_of_third(parsed.lower(verb))?)?),
        _ => (false, participle_of_past(parsed.lower(verb))?),
    };
    let be = match (now, parsed.is_plural(heads.1)) {
        (true, false) => "is",
        (true, true) => "are",
        (false, false) => "was",
        (false, true) => "were",
    };
    let agent = small_first(parsed.run(&subject), parsed.words[0].upos, world)?;
    // In "charges 110 euros a session" the rest belongs to the euros.
    let hangs = |next: &super::parsed::Word| matches!(next.upos, Upos::Adp | Upos::Punct | Upos::Sconj);
    if !parsed.words.get(object.end).is_some_and(hangs) {
        return None;
    }
    let rest = parsed.slice(parsed.bytes(&object).end..parsed.body().len());
    Some(format!("{} {be} {done} by {agent}{rest}.", capital(parsed.run(&object))))
}

fn number_format(fact: &Fact, _: &World) -> Vec<String> {
    let Some(parsed) = fact.sentence() else { return Vec::new() };
    let mut found = Vec::new();
    for number in numbers(&parsed.text) {
        let first = number.bytes.start == 0;
        for form in number.forms() {
            // A sentence does not begin with a figure.
            if !first || !form.starts_with(|c: char| c.is_ascii_digit()) {
                let form = if first { capital(&form) } else { form };
                found.push(parsed.with(&[(number.bytes.clone(), &form)]));
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

fn date_format(fact: &Fact, _: &World) -> Vec<String> {
    match &fact.form {
        Form::Sentence(parsed) => {
            let forms = dates(&parsed.text).into_iter().flat_map(|date| {
                let now = parsed.slice(date.bytes.clone()).to_owned();
                date.forms().into_iter().filter(move |form| *form != now).map(move |form| (date.bytes.clone(), form))
            });
            // "12 March" keeps its preposition in every form.
            forms.map(|(bytes, form)| parsed.with(&[(bytes, &form)])).collect()
        }
        Form::Pair { subject, key, value } => {
            let Some(date) = dates(value).pop().filter(|date| date.bytes == (0..value.len())) else {
                return Vec::new();
            };
            date.forms().into_iter().filter(|form| form != value).map(|form| said(subject, key, &form)).collect()
        }
        Form::Task { .. } => Vec::new(),
    }
}

/// The subject, where it is nothing but a name that a note gives to the same thing as another.
fn alias(fact: &Fact, world: &World) -> Vec<String> {
    let whole = match &fact.form {
        Form::Sentence(parsed) => parsed
            .root()
            .and_then(|root| parsed.child(root, &[Label::Nsubj]))
            .and_then(|at| parsed.phrase(at))
            .map(|run| (parsed.bytes(&run), &parsed.text)),
        _ => None,
    };
    let Some((bytes, text)) = whole.filter(|(bytes, _)| bytes.start == 0) else { return Vec::new() };
    let subject = text.get(bytes.clone()).unwrap_or_default();
    let others = world.called.iter().filter_map(|(title, alias)| match subject {
        _ if subject == title => Some(alias),
        _ if subject == alias || subject == capital(alias) => Some(title),
        _ => None,
    });
    others.map(|name| format!("{}{}", capital_of_name(name), text.get(bytes.end..).unwrap_or_default())).collect()
}

/// A name begins a sentence as it is written, an article in front of it with a capital.
fn capital_of_name(name: &str) -> String {
    if name.starts_with("the ") { capital(name) } else { name.to_owned() }
}

pub(crate) fn said(subject: &str, key: &str, value: &str) -> String {
    format!("The {key} of {subject} is {value}.")
}

fn pair(fact: &Fact, _: &World) -> Vec<String> {
    let Form::Pair { subject, key, value } = &fact.form else { return Vec::new() };
    let mut found = vec![said(subject, key, value)];
    if key == "owner" || key == "author" || key == "publisher" {
        found.push(format!("{value} is the {key} of {subject}."));
    }
    found
}

fn task(fact: &Fact, _: &World) -> Vec<String> {
    let Form::Task { what, done } = &fact.form else { return Vec::new() };
    let doing = what.run(&(1..what.body_end()));
    if *done {
        done_task(what).into_iter().collect()
    } else {
        vec![format!("You still have to {doing}."), format!("You plan to {doing}.")]
    }
}

/// "You returned the drill."
pub(crate) fn done_task(what: &Parsed) -> Option<String> {
    let past = super::verbs::past(what.lower(1))?;
    Some(what.with(&[(what.words[1].bytes.clone(), &past)]))
}
