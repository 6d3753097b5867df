//! Sentences cited at the wrong place: the text may occur in the vault, but not where it is cited.

use super::facts::{Fact, FactCorpus};
use super::paraphrases::lowercase_start;
use super::random::SeededRandom;
use crate::lists::{BORROWED_PRONOUNS, LEADING_PRONOUNS, SCOPING_WORDS};
use memora_nlp::{Label, Upos, Xpos};

/// Appends citations to a sentence, before the full stop.
pub(crate) fn append_citations(sentence: &str, ids: &[&str]) -> String {
    let markers: String = ids.iter().map(|id| format!(" [claim:{id}]")).collect();
    format!("{}{markers}.", sentence.trim_end_matches('.'))
}

/// The maximum share of a sentence's words in a passage that counts as not saying it.
const SHARED_MAX: f64 = 0.5;
/// The same for adjacent facts, which share a topic.
const SHARED_MAX_NEAR: f64 = 0.3;

/// Cites a fact's sentence with the id of an unrelated fact.
pub(crate) fn cite_wrong_claim(fact: &Fact, world: &FactCorpus, random: &mut SeededRandom) -> Option<String> {
    let sentence = &fact.sentence()?.text;
    let other = (0..20).find_map(|_| {
        let other = random.choose(&world.facts)?;
        (other.id != fact.id && other.note != fact.note && other.covered_share(sentence) < SHARED_MAX).then_some(other)
    })?;
    Some(append_citations(sentence, &[&other.id]))
}

/// Cites the sentence after a fact with the fact's id.
pub(crate) fn cite_previous_claim(at: usize, world: &FactCorpus) -> Option<String> {
    let (fact, next) = (world.facts.get(at)?, world.facts.get(at + 1)?);
    let sentence = &next.sentence()?.text;
    (fact.followed && fact.covered_share(sentence) < SHARED_MAX_NEAR).then(|| append_citations(sentence, &[&fact.id]))
}

/// Combines the subject of one fact with the predicate of another, citing both.
pub(crate) fn merge_subject(fact: &Fact, world: &FactCorpus, random: &mut SeededRandom) -> Option<String> {
    let parsed = fact.sentence()?;
    let (subject, plural) = leading_subject(parsed).filter(|(subject, _)| !world.is_widespread(subject))?;
    (0..20).find_map(|_| {
        let other = random.choose(&world.facts)?;
        let theirs = other.sentence()?;
        let (_, theirs_plural) = self::leading_subject(theirs)?;
        let root = theirs.root()?;
        let start = theirs.phrase(theirs.child_with_label(root, &[Label::Nsubj, Label::NsubjPass])?)?.end;
        let rest = theirs.run_text(&(start..theirs.body_end()));
        let finite = !matches!(theirs.words[start].upos, Upos::Punct | Upos::Sconj | Upos::Pron);
        let own = rest.split_whitespace().count() >= 3 && !theirs.has_any_word(&*BORROWED_PRONOUNS);
        let apart = other.id != fact.id
            && !other.mentions_any(subject)
            && fact.covered_share(rest) < 0.3
            && !fact.around.contains(&other.around)
            && !world.may_be_same_entity(subject, &other.around);
        let fits = plural == theirs_plural && finite && own && apart;
        fits.then(|| append_citations(&format!("{subject} {rest}"), &[&fact.id, &other.id]))
    })
}

/// Returns a subject at the start of its sentence, and whether it is plural.
fn leading_subject(parsed: &super::editable_sentence::EditableSentence) -> Option<(&str, bool)> {
    let root = parsed.root()?;
    let at = parsed.child_with_label(root, &[Label::Nsubj, Label::NsubjPass])?;
    let run = parsed.phrase(at)?;
    let noun = matches!(parsed.words[at].xpos, Xpos::Nn | Xpos::Nns | Xpos::Nnp | Xpos::Nnps);
    let fits = noun && run.start == 0 && run.len() <= 5 && run.end <= root && !parsed.words[at].lower.is_empty();
    fits.then(|| (parsed.run_text(&run), parsed.is_plural(at)))
}

/// Joins two facts into one true sentence, citing both.
pub(crate) fn join_two_facts(fact: &Fact, world: &FactCorpus, random: &mut SeededRandom) -> Option<String> {
    let parsed = fact.sentence()?;
    (0..20).find_map(|_| {
        let other = random.choose(&world.facts)?;
        let second = lowercase_start(other.sentence()?, world)?;
        // "it" in the second would refer to the first, and a negation in front may scope over both.
        let clear = !other.sentence()?.has_any_word(&*LEADING_PRONOUNS) && !parsed.has_any_word(&*SCOPING_WORDS);
        (other.id != fact.id && clear)
            .then(|| append_citations(&format!("{}, and {second}", parsed.body()), &[&fact.id, &other.id]))
    })
}

/// Formats a text of a cited sentence and an uncited one.
pub(crate) type HideAssertion = fn(good: &str, bad: &str) -> String;

/// Places where an uncited assertion can hide beside a cited one.
pub(crate) const HIDING_PLACES: &[(&str, HideAssertion)] = &[
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

/// Lowercases the start of an altered sentence for use inside a question.
pub(crate) fn lowercase_for_question(fact: &Fact, altered: &str, world: &FactCorpus) -> Option<String> {
    // The alteration must not have changed the first word.
    let first = fact.words.split_whitespace().next()?;
    let small = lowercase_start(fact.sentence()?, world)?;
    let rest = altered.strip_prefix(first)?;
    Some(format!("{}{rest}", small.split_whitespace().next()?))
}

/// Returns markers that look like a citation of `id` but are not.
pub(crate) fn malformed_markers(id: &str) -> Vec<String> {
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
