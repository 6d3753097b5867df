//! False sentences: what is said is said somewhere, and not where it is cited.

use super::facts::{Fact, World};
use super::random::Random;
use super::truths::lowered;
use memora_nlp::{Label, Upos, Xpos};

/// A sentence with its citation, before the full stop.
pub(crate) fn cited(sentence: &str, ids: &[&str]) -> String {
    let markers: String = ids.iter().map(|id| format!(" [claim:{id}]")).collect();
    format!("{}{markers}.", sentence.trim_end_matches('.'))
}

/// How much of a sentence may stand in a passage that does not say it.
const SHARED_MAX: f64 = 0.5;
/// The same for two that follow each other, which speak of one thing.
const SHARED_MAX_NEAR: f64 = 0.3;

/// The sentence of one fact with the id of another, which says something else.
pub(crate) fn wrong_id(fact: &Fact, world: &World, random: &mut Random) -> Option<String> {
    let sentence = &fact.sentence()?.text;
    let other = (0..20).find_map(|_| {
        let other = random.choose(&world.facts)?;
        (other.id != fact.id && other.note != fact.note && other.covers(sentence) < SHARED_MAX).then_some(other)
    })?;
    Some(cited(sentence, &[&other.id]))
}

/// The sentence behind a fact, with the fact's id.
pub(crate) fn neighbour(at: usize, world: &World) -> Option<String> {
    let (fact, next) = (world.facts.get(at)?, world.facts.get(at + 1)?);
    let sentence = &next.sentence()?.text;
    (fact.followed && fact.covers(sentence) < SHARED_MAX_NEAR).then(|| cited(sentence, &[&fact.id]))
}

/// The subject of a fact does what another's does, citing both.
pub(crate) fn merged(fact: &Fact, world: &World, random: &mut Random) -> Option<String> {
    let parsed = fact.sentence()?;
    let (subject, plural) = subject(parsed).filter(|(subject, _)| !world.is_everywhere(subject))?;
    (0..20).find_map(|_| {
        let other = random.choose(&world.facts)?;
        let theirs = other.sentence()?;
        let (_, theirs_plural) = self::subject(theirs)?;
        let root = theirs.root()?;
        let start = theirs.phrase(theirs.child(root, &[Label::Nsubj, Label::NsubjPass])?)?.end;
        let rest = theirs.run(&(start..theirs.body_end()));
        let finite = !matches!(theirs.words[start].upos, Upos::Punct | Upos::Sconj | Upos::Pron);
        let own = rest.split_whitespace().count() >= 3 && !theirs.has_any(&["it", "they", "its", "their", "them"]);
        let apart = other.id != fact.id
            && !other.says(subject)
            && fact.covers(rest) < 0.3
            && !fact.around.contains(&other.around)
            && !world.one_thing(subject, &other.around);
        let fits = plural == theirs_plural && finite && own && apart;
        fits.then(|| cited(&format!("{subject} {rest}"), &[&fact.id, &other.id]))
    })
}

/// A subject that begins its sentence, and whether it is more than one.
fn subject(parsed: &super::parsed::Parsed) -> Option<(&str, bool)> {
    let root = parsed.root()?;
    let at = parsed.child(root, &[Label::Nsubj, Label::NsubjPass])?;
    let run = parsed.phrase(at)?;
    let noun = matches!(parsed.words[at].xpos, Xpos::Nn | Xpos::Nns | Xpos::Nnp | Xpos::Nnps);
    let fits = noun && run.start == 0 && run.len() <= 5 && run.end <= root && !parsed.words[at].lower.is_empty();
    fits.then(|| (parsed.run(&run), parsed.is_plural(at)))
}

/// Two facts in one sentence, citing both: true.
pub(crate) fn joined(fact: &Fact, world: &World, random: &mut Random) -> Option<String> {
    let parsed = fact.sentence()?;
    (0..20).find_map(|_| {
        let other = random.choose(&world.facts)?;
        let second = lowered(other.sentence()?, world)?;
        // "it" of the second would be what the first speaks of; and what is denied in front may reach behind.
        let clear =
            !other.sentence()?.has_any(&["it", "they", "its", "their"]) && !parsed.has_any(&["if", "because", "not"]);
        (other.id != fact.id && clear)
            .then(|| cited(&format!("{}, and {second}", parsed.body()), &[&fact.id, &other.id]))
    })
}

/// A text of a sentence that is cited and one that is not.
pub(crate) type Hide = fn(good: &str, bad: &str) -> String;

/// Where an assertion without a citation hides beside one that has one.
pub(crate) const HIDDEN: &[(&str, Hide)] = &[
    ("hidden in a heading", |good, bad| format!("## {}\n\n{good}\n", bad.trim_end_matches('.'))),
    ("hidden in a question", |good, bad| format!("{good} Did you know that {}?\n", bad.trim_end_matches('.'))),
    ("hidden in a table", |good, bad| {
        format!("{good}\n\n| Finding | State |\n|---|---|\n| {} | yes |\n", bad.trim_end_matches('.'))
    }),
    ("hidden in a table's header", |good, bad| {
        format!("| {} | State |\n|---|---|\n| {} | yes |\n", bad.trim_end_matches('.'), good.trim_end_matches('.'))
    }),
    ("hidden in a footnote", |good, bad| format!("{good}[^1]\n\n[^1]: {bad}\n")),
    ("hidden in a code block", |good, bad| format!("{good}\n\n```text\n{bad}\n```\n")),
    ("hidden in a comment", |good, bad| format!("{good}\n\n<!-- {bad} -->\n")),
    ("hidden in an image", |good, bad| format!("{good}\n\n![{}](picture.png)\n", bad.trim_end_matches('.'))),
    ("hidden in a link's title", |good, bad| {
        format!("{good} [More](https://example.org \"{}\").\n", bad.trim_end_matches('.'))
    }),
    ("hidden in a list", |good, bad| format!("- {good}\n- {bad}\n")),
    ("hidden in a callout", |good, bad| format!("{good}\n\n> [!note]\n> {bad}\n")),
    ("hidden behind a cited one", |good, bad| format!("{good} {bad}\n")),
    ("hidden before a cited one", |good, bad| format!("{bad} {good}\n")),
];

/// A question needs its sentence small.
pub(crate) fn inside_question(fact: &Fact, altered: &str, world: &World) -> Option<String> {
    // The first word is as it was, or the sentence is not taken.
    let first = fact.words.split_whitespace().next()?;
    let small = lowered(fact.sentence()?, world)?;
    let rest = altered.strip_prefix(first)?;
    Some(format!("{}{rest}", small.split_whitespace().next()?))
}

/// Markers that look like a citation of `id` and are none.
pub(crate) fn malformed(id: &str) -> Vec<String> {
    let short: String = id.chars().take(6).collect();
    let (head, tail) = id.split_at_checked(6).unwrap_or((id, ""));
    vec![
        format!("(claim:{id})"),
        format!("{{claim:{id}}}"),
        format!("<claim:{id}>"),
        format!("【claim:{id}】"),
        format!("［claim:{id}］"),
        format!("[cite:{id}]"),
        format!("[claims:{id}]"),
        format!("[source:{id}]"),
        format!("[claim {id}]"),
        format!("[claim{id}]"),
        format!("[claim::{id}]"),
        format!("[claim：{id}]"),
        format!("[claim;{id}]"),
        format!("[claim-{id}]"),
        format!("[claim={id}]"),
        format!("[claim#{id}]"),
        format!("[claim:{short}]"),
        format!("[claim:{id}0]"),
        format!("[claim:{head}\n{tail}]"),
        format!("[claim:{head} {tail}]"),
        format!("[claim:{head}-{tail}]"),
        format!("[claim:{head}\u{200b}{tail}]"),
        format!("[cl\u{0430}im:{id}]"),
        format!("[c1aim:{id}]"),
        format!("&#91;claim:{id}&#93;"),
        format!("\\[claim:{id}\\]"),
        format!("[claim:{id}](https://example.org)"),
        format!("[[claim:{id}]]"),
        format!("[^claim:{id}]"),
        format!("claim:{id}"),
        format!("[claim:{id}"),
        format!("claim:{id}]"),
        format!("[claim:\"{id}\"]"),
        format!("[claim:{id}.]"),
        format!("[claim:{id}.zzzz]"),
        format!("`[claim:{id}]`"),
        format!("[claim:]"),
        format!("[id:{id}]"),
    ]
}
