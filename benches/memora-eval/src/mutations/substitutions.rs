//! False sentences: one word or number of a fact is replaced.

use std::sync::LazyLock;

use memora_nlp::{Label, Upos, Xpos};
use regex::Regex;

use super::date_forms::{MONTHS, WEEKDAYS, find_dates};
use super::fact_forms::FactForm;
use super::facts::{Fact, FactCorpus, name_runs};
use super::number_forms::find_numbers;
use super::paraphrases::format_key_value;
use super::random::SeededRandom;
use crate::lists::{
    BOUND_WORDS, ENTITY_KEYS, FOCUS_WORDS, OPPOSITE_BARRIERS, QUANTIFIER_LEADS, UNITS, WEAKENING_CONTEXTS,
};

/// Generates sentences that a fact does not support, each with one difference.
pub(crate) type Alteration = fn(&Fact, &FactCorpus, &mut SeededRandom) -> Vec<String>;

pub(crate) const KINDS: &[(&str, Alteration)] = &[
    ("number", change_number),
    ("unit", change_unit),
    ("date", change_date),
    ("name", change_name),
    ("entity", change_entity),
    ("opposite", substitute_opposite),
    ("quantifier", strengthen_quantifier),
];

fn change_number(fact: &Fact, _: &FactCorpus, _: &mut SeededRandom) -> Vec<String> {
    let free = |other: &String| !fact.mentions_any(other);
    match &fact.form {
        FactForm::Sentence(parsed) => find_numbers(&parsed.text)
            .into_iter()
            .filter(|number| !BOUND_WORDS.contains(number.before.as_str()) && number.text != "1")
            .flat_map(|number| number.other_values().into_iter().map(move |other| (number.bytes.clone(), other)))
            .filter(|(_, other)| free(other))
            .map(|(bytes, other)| {
                let other = if bytes.start == 0 { super::editable_sentence::capitalize(&other) } else { other };
                parsed.replace_bytes(&[(bytes, &other)])
            })
            .collect(),
        FactForm::KeyValue { subject, key, value } => {
            let other = find_numbers(value).into_iter().next().and_then(|number| {
                let other = number.other_values().into_iter().find(|other| !fact.mentions_any(other))?;
                Some(super::editable_sentence::splice_text(value, &[(number.bytes, &other)]))
            });
            other.map(|other| format_key_value(subject, key, &other)).into_iter().collect()
        }
        FactForm::Task { .. } => Vec::new(),
    }
}

fn change_unit(fact: &Fact, _: &FactCorpus, _: &mut SeededRandom) -> Vec<String> {
    let Some(parsed) = fact.sentence() else { return Vec::new() };
    let mut found = Vec::new();
    for number in find_numbers(&parsed.text) {
        let Some(units) = UNITS.iter().find(|units| units.contains(&number.of.as_str())) else { continue };
        let start = number.bytes.end + 1;
        for other in units.iter().filter(|other| **other != number.of && !fact.mentions_any(other)) {
            found.push(parsed.replace_bytes(&[(start..start + number.of.len(), other)]));
        }
    }
    found
}

fn change_date(fact: &Fact, _: &FactCorpus, _: &mut SeededRandom) -> Vec<String> {
    match &fact.form {
        FactForm::Sentence(parsed) => collect_other_dates(&parsed.text, fact),
        FactForm::KeyValue { subject, key, value } => {
            collect_other_dates(value, fact).into_iter().map(|other| format_key_value(subject, key, &other)).collect()
        }
        FactForm::Task { .. } => Vec::new(),
    }
}

fn collect_other_dates(text: &str, fact: &Fact) -> Vec<String> {
    static NAMED: LazyLock<Regex> = LazyLock::new(|| {
        let (months, days) = (MONTHS.join("|"), WEEKDAYS.join("|"));
        Regex::new(&format!(r"\b(?:(?:in|since|until|of|from) (?P<month>{months})|(?P<day>{days})|(?:in|since|until|of|from) (?P<year>(?:19|20)\d\d))\b"))
            .expect("a pattern")
    });
    let mut found = Vec::new();
    let whole = find_dates(text);
    for date in &whole {
        for which in 0..3 {
            let other = date.shift_part(which);
            // Written in the same format.
            let now = text.get(date.bytes.clone()).unwrap_or_default();
            let form = date.written_forms().iter().position(|form| form == now).unwrap_or(1);
            if let Some(other) = other.written_forms().get(form) {
                found.push(super::editable_sentence::splice_text(text, &[(date.bytes.clone(), other)]));
            }
        }
    }
    for captures in NAMED.captures_iter(text) {
        for (name, all) in [("month", &MONTHS[..]), ("day", &WEEKDAYS[..])] {
            let Some(part) = captures.name(name) else { continue };
            let at = all.iter().position(|word| *word == part.as_str()).unwrap_or_default();
            let other = all[(at + 3) % all.len()];
            let inside = whole.iter().any(|date| date.bytes.start < part.end() && part.start() < date.bytes.end);
            if !inside && !fact.mentions_any(other) && !fact.words.contains("weekday") {
                found.push(super::editable_sentence::splice_text(text, &[(part.range(), other)]));
            }
        }
        if let Some(part) = captures.name("year") {
            let other = part.as_str().parse::<u32>().map(|year| (year - 2).to_string()).unwrap_or_default();
            let inside = whole.iter().any(|date| date.bytes.start < part.end() && part.start() < date.bytes.end);
            if !inside && !fact.mentions_any(&other) {
                found.push(super::editable_sentence::splice_text(text, &[(part.range(), &other)]));
            }
        }
    }
    found
}

fn change_name(fact: &Fact, world: &FactCorpus, random: &mut SeededRandom) -> Vec<String> {
    let another = |now: &str, random: &mut SeededRandom| {
        (0..20).find_map(|_| {
            let other = random.choose(&world.names)?;
            let fits = !fact.mentions_any(other)
                && !world.may_be_same_entity(now, other)
                && !mentions_alias(fact, world, other);
            fits.then(|| other.clone())
        })
    };
    match &fact.form {
        FactForm::Sentence(parsed) => name_runs(parsed)
            .into_iter()
            .filter(|run| parsed.run_text(run).split_whitespace().all(|word| world.is_mostly_capitalized(word)))
            .filter_map(|run| {
                let other = another(parsed.run_text(&run), random)?;
                let vowel = |name: &str| name.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']);
                // "a Dropbox folder" must not become "a iCloud folder".
                let article = run.start > 0 && matches!(parsed.lower(run.start - 1), "a" | "an");
                (!article || vowel(&other) == vowel(parsed.run_text(&run)))
                    .then(|| parsed.replace_bytes(&[(parsed.byte_range(&run), &other)]))
            })
            .collect(),
        FactForm::KeyValue { subject, key, value } if ENTITY_KEYS.contains(key.as_str()) => {
            another(value, random).map(|other| format_key_value(subject, key, &other)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Whether the fact mentions the named thing by another name.
fn mentions_alias(fact: &Fact, world: &FactCorpus, name: &str) -> bool {
    let group = world.aliases.iter().find(|names| names.iter().any(|other| other.eq_ignore_ascii_case(name)));
    group.is_some_and(|names| names.iter().any(|other| fact.mentions_any(other)))
}

/// Replaces a plain noun in subject or object position with another noun of the vault.
fn change_entity(fact: &Fact, world: &FactCorpus, random: &mut SeededRandom) -> Vec<String> {
    let Some(parsed) = fact.sentence() else { return Vec::new() };
    let mut found = Vec::new();
    for at in 0..parsed.words.len() {
        let word = &parsed.words[at];
        let role = matches!(word.label, Label::Nsubj | Label::NsubjPass | Label::Obj)
            && word.head == parsed.root()
            && word.sure;
        let compound = parsed.children(at).any(|child| {
            matches!(
                parsed.words[child].label,
                Label::Compound
                    | Label::Flat
                    | Label::Conj
                    | Label::Amod
                    | Label::Nmod
                    | Label::AclRelcl
                    | Label::Acl
                    | Label::Appos
                    | Label::Case
            )
        });
        let glued = ["-", "/"].contains(&parsed.lower(at + 1)) || at > 0 && parsed.word(at - 1) == "-";
        // A capital marks a name, perhaps of a button.
        let plain = parsed.word(at) == word.lower || at == 0;
        if !role || compound || glued || !plain || word.upos != Upos::Noun || word.lower.len() < 4 {
            continue;
        }
        let nouns = match word.xpos {
            Xpos::Nn => &world.nouns[0],
            Xpos::Nns => &world.nouns[1],
            _ => continue,
        };
        let other = (0..20).find_map(|_| {
            let other = random.choose(nouns)?;
            let apart = !fact.mentions_any(other)
                && !other.contains(word.lower.as_str())
                && !word.lower.contains(other.as_str());
            apart.then_some(other)
        });
        if let Some(other) = other {
            found.push(parsed.replace_with_article(at, other));
        }
    }
    found
}

const OPPOSITES: &[(&str, &str)] = &[
    ("above", "below"),
    ("add", "remove"),
    ("adds", "removes"),
    ("before", "after"),
    ("bottom", "top"),
    ("close", "open"),
    ("closed", "open"),
    ("closes", "opens"),
    ("collapse", "expand"),
    ("darker", "lighter"),
    ("decrease", "increase"),
    ("disable", "enable"),
    ("disabled", "enabled"),
    ("external", "internal"),
    ("faster", "slower"),
    ("fewer", "more"),
    ("first", "last"),
    ("forward", "backward"),
    ("free", "paid"),
    ("hide", "show"),
    ("hides", "shows"),
    ("higher", "lower"),
    ("horizontal", "vertical"),
    ("horizontally", "vertically"),
    ("import", "export"),
    ("inside", "outside"),
    ("larger", "smaller"),
    ("larger", "smaller"),
    ("left", "right"),
    ("local", "remote"),
    ("longer", "shorter"),
    ("lost", "gained"),
    ("oldest", "newest"),
    ("optional", "mandatory"),
    ("public", "private"),
    ("visible", "invisible"),
    ("with", "without"),
];

fn substitute_opposite(fact: &Fact, _: &FactCorpus, _: &mut SeededRandom) -> Vec<String> {
    let Some(parsed) = fact.sentence() else { return Vec::new() };
    let either = OPPOSITES.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
    let mut found = Vec::new();
    for (old, new) in either {
        for (at, word) in parsed.words.iter().enumerate().filter(|(_, word)| word.lower == old) {
            let like = match old {
                "left" | "right" | "open" | "close" | "closed" | "free" | "first" | "last" | "top" | "bottom"
                | "public" | "private" | "longer" | "shorter" | "lower" | "external" | "internal" => {
                    word.upos == Upos::Adj && parsed.lower(at.wrapping_sub(1)) != "no"
                }
                "with" => {
                    word.upos == Upos::Adp
                        && !matches!(parsed.lower(at + 1), "no" | "some" | "any" | "many" | "every" | "all")
                        && parsed.words[at]
                            .head
                            .is_some_and(|head| Some(head) == parsed.root() || parsed.words[head].label == Label::Obl)
                }
                "before" | "after" => matches!(word.upos, Upos::Adp | Upos::Sconj),
                "more" => false,
                _ => true,
            };
            // A fact that mentions both opposites is ambiguous.
            let plain = parsed.word(at) == old || at == 0;
            let said = parsed.has_any_word(&[new]) || fact.around.to_lowercase().contains(new);
            if like && plain && !said && parsed.lower(at + 1) != "-" && !parsed.has_any_word(&*OPPOSITE_BARRIERS) {
                found.push(parsed.replace_with_article(at, new));
            }
        }
    }
    found
}

/// Strengthens the claim: "some" to "all", "often" to "always", adds "only", or "all" to "no".
fn strengthen_quantifier(fact: &Fact, _: &FactCorpus, _: &mut SeededRandom) -> Vec<String> {
    let Some(parsed) = fact.sentence() else { return Vec::new() };
    // Under a negation or a condition, a stronger quantifier weakens the claim.
    if parsed.has_any_word(&*WEAKENING_CONTEXTS) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, word) in parsed.words.iter().enumerate() {
        let next_plural = (at + 1..(at + 4).min(parsed.words.len()))
            .any(|next| parsed.words[next].xpos == Xpos::Nns && parsed.words[at].head == Some(next));
        let before = at.checked_sub(1).map_or("", |before| parsed.lower(before));
        let bare = !QUANTIFIER_LEADS.contains(before);
        match word.lower.as_str() {
            "some" | "many" | "several" | "most"
                if next_plural && bare && before != "in" && !parsed.has_any_word(&["each", "or"]) =>
            {
                found.push(parsed.replace_word(at, "all"));
            }
            "often" | "usually" | "sometimes" | "typically" | "generally"
                if word.upos == Upos::Adv
                    && parsed
                        .words
                        .get(at + 1)
                        .is_some_and(|next| matches!(next.upos, Upos::Verb | Upos::Adj | Upos::Aux)) =>
            {
                found.push(parsed.replace_word(at, "always"));
            }
            "all" if next_plural && at == 0 => {
                found.push(parsed.replace_word(at, "no"));
                let of = if parsed.lower(at + 1) == "the" { "only some of" } else { "only some" };
                found.push(parsed.replace_word(at, of));
            }
            "every" if at == 0 => found.push(parsed.replace_word(at, "no")),
            _ => {}
        }
    }
    if let Some(transitive) = super::transitive::find_transitive(parsed) {
        let subject = parsed.words[transitive.subject.start].upos;
        let capital = parsed.word(0).chars().next().is_some_and(char::is_uppercase);
        if !parsed.has_any_word(&*FOCUS_WORDS) && (subject == Upos::Propn || subject == Upos::Det) {
            let rest =
                if subject == Upos::Det && capital { parsed.lower(0).to_owned() } else { parsed.word(0).to_owned() };
            found.push(parsed.replace_bytes(&[(parsed.words[0].bytes.clone(), &format!("Only {rest}"))]));
        }
    }
    found
}
