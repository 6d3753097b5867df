//! False sentences: a word of a fact is another.

use std::sync::LazyLock;

use memora_nlp::{Label, Upos, Xpos};
use regex::Regex;

use super::facts::{Fact, Form, World, name_runs};
use super::numbers::numbers;
use super::random::Random;
use super::times::{MONTHS, WEEKDAYS, dates};
use super::truths::said;

/// Sentences that a fact does not say, each with what it says otherwise.
pub(crate) type Alter = fn(&Fact, &World, &mut Random) -> Vec<String>;

pub(crate) const KINDS: &[(&str, Alter)] = &[
    ("number", number),
    ("unit", unit),
    ("date", date),
    ("name", name),
    ("entity", entity),
    ("opposite", opposite),
    ("quantifier", quantifier),
];

/// They let another number be true as well.
const BOUNDS: &[&str] = &[
    "least",
    "most",
    "to",
    "than",
    "over",
    "under",
    "about",
    "around",
    "approximately",
    "nearly",
    "almost",
    "within",
    "minimum",
    "maximum",
    "between",
    "only",
    "roughly",
    "and",
    "or",
    "every",
    "below",
    "above",
];

fn number(fact: &Fact, _: &World, _: &mut Random) -> Vec<String> {
    let free = |other: &String| !fact.says(other);
    match &fact.form {
        Form::Sentence(parsed) => numbers(&parsed.text)
            .into_iter()
            .filter(|number| !BOUNDS.contains(&number.before.as_str()) && number.text != "1")
            .flat_map(|number| number.others().into_iter().map(move |other| (number.bytes.clone(), other)))
            .filter(|(_, other)| free(other))
            .map(|(bytes, other)| {
                let other = if bytes.start == 0 { super::parsed::capital(&other) } else { other };
                parsed.with(&[(bytes, &other)])
            })
            .collect(),
        Form::Pair { subject, key, value } => {
            let other = numbers(value).into_iter().next().and_then(|number| {
                let other = number.others().into_iter().find(|other| !fact.says(other))?;
                Some(super::parsed::spliced(value, &[(number.bytes, &other)]))
            });
            other.map(|other| said(subject, key, &other)).into_iter().collect()
        }
        Form::Task { .. } => Vec::new(),
    }
}

/// Units of one kind of thing, none of which is another.
const UNITS: &[&[&str]] = &[
    &["second", "minute", "hour", "day", "week", "month", "year"],
    &["seconds", "minutes", "hours", "days", "weeks", "months", "years"],
    &["ms", "s", "min"],
    &["euros", "dollars", "pounds", "yen", "francs"],
    &["KB", "MB", "GB", "TB"],
    &["KiB", "MiB", "GiB", "TiB"],
    &["kilobytes", "megabytes", "gigabytes", "terabytes"],
    &["mm", "cm", "m", "km"],
    &["metres", "kilometres", "miles"],
    &["meters", "kilometers", "miles"],
    &["g", "kg"],
    &["grams", "kilograms", "litres"],
    &["ml", "l"],
    &["pixels", "inches"],
];

fn unit(fact: &Fact, _: &World, _: &mut Random) -> Vec<String> {
    let Some(parsed) = fact.sentence() else { return Vec::new() };
    let mut found = Vec::new();
    for number in numbers(&parsed.text) {
        let Some(units) = UNITS.iter().find(|units| units.contains(&number.of.as_str())) else { continue };
        let start = number.bytes.end + 1;
        for other in units.iter().filter(|other| **other != number.of && !fact.says(other)) {
            found.push(parsed.with(&[(start..start + number.of.len(), other)]));
        }
    }
    found
}

fn date(fact: &Fact, _: &World, _: &mut Random) -> Vec<String> {
    match &fact.form {
        Form::Sentence(parsed) => other_dates(&parsed.text, fact),
        Form::Pair { subject, key, value } => {
            other_dates(value, fact).into_iter().map(|other| said(subject, key, &other)).collect()
        }
        Form::Task { .. } => Vec::new(),
    }
}

fn other_dates(text: &str, fact: &Fact) -> Vec<String> {
    static NAMED: LazyLock<Regex> = LazyLock::new(|| {
        let (months, days) = (MONTHS.join("|"), WEEKDAYS.join("|"));
        Regex::new(&format!(r"\b(?:(?:in|since|until|of|from) (?P<month>{months})|(?P<day>{days})|(?:in|since|until|of|from) (?P<year>(?:19|20)\d\d))\b"))
            .expect("a pattern")
    });
    let mut found = Vec::new();
    let whole = dates(text);
    for date in &whole {
        for which in 0..3 {
            let other = date.shifted(which);
            // Written as it was.
            let now = text.get(date.bytes.clone()).unwrap_or_default();
            let form = date.forms().iter().position(|form| form == now).unwrap_or(1);
            if let Some(other) = other.forms().get(form) {
                found.push(super::parsed::spliced(text, &[(date.bytes.clone(), other)]));
            }
        }
    }
    for captures in NAMED.captures_iter(text) {
        for (name, all) in [("month", &MONTHS[..]), ("day", &WEEKDAYS[..])] {
            let Some(part) = captures.name(name) else { continue };
            let at = all.iter().position(|word| *word == part.as_str()).unwrap_or_default();
            let other = all[(at + 3) % all.len()];
            let inside = whole.iter().any(|date| date.bytes.start < part.end() && part.start() < date.bytes.end);
            if !inside && !fact.says(other) && !fact.words.contains("weekday") {
                found.push(super::parsed::spliced(text, &[(part.range(), other)]));
            }
        }
        if let Some(part) = captures.name("year") {
            let other = part.as_str().parse::<u32>().map(|year| (year - 2).to_string()).unwrap_or_default();
            let inside = whole.iter().any(|date| date.bytes.start < part.end() && part.start() < date.bytes.end);
            if !inside && !fact.says(&other) {
                found.push(super::parsed::spliced(text, &[(part.range(), &other)]));
            }
        }
    }
    found
}

fn name(fact: &Fact, world: &World, random: &mut Random) -> Vec<String> {
    let another = |now: &str, random: &mut Random| {
        (0..20).find_map(|_| {
            let other = random.choose(&world.names)?;
            let fits = !fact.says(other) && !world.one_thing(now, other) && !known_by_another(fact, world, other);
            fits.then(|| other.clone())
        })
    };
    match &fact.form {
        Form::Sentence(parsed) => name_runs(parsed)
            .into_iter()
            .filter(|run| parsed.run(run).split_whitespace().all(|word| world.is_name(word)))
            .filter_map(|run| {
                let other = another(parsed.run(&run), random)?;
                let vowel = |name: &str| name.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']);
                // "a Dropbox folder" is no "a iCloud folder".
                let article = run.start > 0 && matches!(parsed.lower(run.start - 1), "a" | "an");
                (!article || vowel(&other) == vowel(parsed.run(&run)))
                    .then(|| parsed.with(&[(parsed.bytes(&run), &other)]))
            })
            .collect(),
        Form::Pair { subject, key, value }
            if ["owner", "author", "company", "publisher", "location"].contains(&key.as_str()) =>
        {
            another(value, random).map(|other| said(subject, key, &other)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Whether the fact speaks of what a name names, by another name.
fn known_by_another(fact: &Fact, world: &World, name: &str) -> bool {
    let group = world.aliases.iter().find(|names| names.iter().any(|other| other.eq_ignore_ascii_case(name)));
    group.is_some_and(|names| names.iter().any(|other| fact.says(other)))
}

/// A plain noun that acts or is acted upon is another noun of the vault.
fn entity(fact: &Fact, world: &World, random: &mut Random) -> Vec<String> {
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
        // A capital marks a name, of a button perhaps.
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
            let apart =
                !fact.says(other) && !other.contains(word.lower.as_str()) && !word.lower.contains(other.as_str());
            apart.then_some(other)
        });
        if let Some(other) = other {
            found.push(parsed.with_article(at, other));
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

fn opposite(fact: &Fact, _: &World, _: &mut Random) -> Vec<String> {
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
            // What is said of both is not told by one.
            let plain = parsed.word(at) == old || at == 0;
            let said = parsed.has_any(&[new]) || fact.around.to_lowercase().contains(new);
            if like
                && plain
                && !said
                && parsed.lower(at + 1) != "-"
                && !parsed.has_any(&["than", "or", "both", "not", "n't"])
            {
                found.push(parsed.with_article(at, new));
            }
        }
    }
    found
}

/// More is said than was: all for some, always for often, only, none for all.
fn quantifier(fact: &Fact, _: &World, _: &mut Random) -> Vec<String> {
    let Some(parsed) = fact.sentence() else { return Vec::new() };
    // Under a denial or a condition, more is less.
    if parsed.has_any(&["not", "n't", "no", "never", "without", "if", "unless", "when", "whether", "until"]) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, word) in parsed.words.iter().enumerate() {
        let next_plural = (at + 1..(at + 4).min(parsed.words.len()))
            .any(|next| parsed.words[next].xpos == Xpos::Nns && parsed.words[at].head == Some(next));
        let before = at.checked_sub(1).map_or("", |before| parsed.lower(before));
        let bare = !["as", "how", "so", "too", "that", "the", "a", "at", "these", "very"].contains(&before);
        match word.lower.as_str() {
            "some" | "many" | "several" | "most"
                if next_plural && bare && before != "in" && !parsed.has_any(&["each", "or"]) =>
            {
                found.push(parsed.with_word(at, "all"));
            }
            "often" | "usually" | "sometimes" | "typically" | "generally"
                if word.upos == Upos::Adv
                    && parsed
                        .words
                        .get(at + 1)
                        .is_some_and(|next| matches!(next.upos, Upos::Verb | Upos::Adj | Upos::Aux)) =>
            {
                found.push(parsed.with_word(at, "always"));
            }
            "all" if next_plural && at == 0 => {
                found.push(parsed.with_word(at, "no"));
                let of = if parsed.lower(at + 1) == "the" { "only some of" } else { "only some" };
                found.push(parsed.with_word(at, of));
            }
            "every" if at == 0 => found.push(parsed.with_word(at, "no")),
            _ => {}
        }
    }
    if let Some(transitive) = super::roles::transitive(parsed) {
        let subject = parsed.words[transitive.subject.start].upos;
        let capital = parsed.word(0).chars().next().is_some_and(char::is_uppercase);
        if !parsed.has_any(&["only", "also", "every", "each", "any", "all"])
            && (subject == Upos::Propn || subject == Upos::Det)
        {
            let rest =
                if subject == Upos::Det && capital { parsed.lower(0).to_owned() } else { parsed.word(0).to_owned() };
            found.push(parsed.with(&[(parsed.words[0].bytes.clone(), &format!("Only {rest}"))]));
        }
    }
    found
}
