//! `claims LABELS.jsonl`: extracted claims of small notes against gold claims, by the contract in
//! `tests/exam/claims.md`.
//!
//! A claim is right if subject, predicate and object equal one of the gold forms up to determiners and inflection, and
//! modality, negation and required qualifiers agree. Every extracted claim counts, including those not worth listing:
//! this measures the extraction. The whole-sentence statement (`states`) is not counted. Relations and dates are scored
//! separately, over the right claims.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use memora_claim::{Claim, Extractor, split_statements};
use memora_extract::{ClaimExtractor, base_form};
use memora_vault::{Note, NotePath, PartialDate, PathContext};
use serde::{Deserialize, Serialize};

use crate::lists::{AUXILIARIES, DETERMINERS, HELPING_VERBS, PREDICATE_NEGATIONS};
use crate::{ratio, read_json_lines};

#[derive(Deserialize)]
struct ClaimsRow {
    id: String,
    form: String,
    title: String,
    #[serde(default)]
    date: Option<String>,
    markdown: String,
    claims: Vec<GoldClaim>,
}

#[derive(Deserialize)]
struct GoldClaim {
    any: Vec<GoldTriple>,
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    modality: Option<String>,
    #[serde(default)]
    negated: bool,
    #[serde(default)]
    relation: Option<String>,
    #[serde(default)]
    from: Option<String>,
    #[serde(default)]
    until: Option<String>,
    #[serde(default)]
    keep: Vec<String>,
}

#[derive(Deserialize)]
struct GoldTriple {
    s: String,
    p: String,
    o: String,
}

/// Counts and scores over all notes.
#[derive(Default, Serialize)]
pub(crate) struct ClaimsFigures {
    notes: usize,
    /// Extracted claims.
    claimed: usize,
    /// Number of them that are right.
    right: usize,
    /// Gold claims, excluding optional ones.
    wanted: usize,
    /// Number of them that were extracted.
    found: usize,
    precision: f64,
    recall: f64,
    /// By form of the note: claimed, right, wanted, found.
    by_form: BTreeMap<String, [usize; 4]>,
    /// By the rule that extracted the claim: claimed, right.
    by_extractor: BTreeMap<&'static str, [usize; 2]>,
    /// By minimum confidence: claims at or above it, and the share that is right.
    by_confidence: Vec<(f32, usize, f64)>,
    /// Number of wrong claims by their difference from the nearest gold claim.
    wrong_by: BTreeMap<&'static str, usize>,
    /// Right claims with a gold relation, those that have it, and right claims with an unwanted relation.
    relations: [usize; 3],
    /// The same for dates: wanted, right, and unwanted.
    dates: [usize; 3],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
}

/// Scores the extractor on a file of labelled notes.
pub(crate) fn measure(labels: &Path, failures: bool) -> Result<ClaimsFigures> {
    let mut figures = ClaimsFigures::default();
    let mut confidences: Vec<(f32, bool)> = Vec::new();
    for row in read_json_lines::<ClaimsRow>(labels)? {
        score_note(&row, &mut figures, &mut confidences)?;
    }
    figures.precision = ratio(figures.right, figures.claimed);
    figures.recall = ratio(figures.found, figures.wanted);
    for cut in [0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] {
        let above: Vec<bool> = confidences.iter().filter(|(c, _)| *c >= cut).map(|(_, right)| *right).collect();
        figures.by_confidence.push((cut, above.len(), ratio(above.iter().filter(|r| **r).count(), above.len())));
    }
    if !failures {
        figures.failures.clear();
    }
    Ok(figures)
}

fn score_note(row: &ClaimsRow, figures: &mut ClaimsFigures, confidences: &mut Vec<(f32, bool)>) -> Result<()> {
    let path = NotePath::new(format!("{}.md", row.title.replace('/', "-"))).context("a title")?;
    let (note, _) = Note::parse(path, row.markdown.clone(), PathContext::default());
    let mut made: Vec<Claim> = Vec::new();
    for statement in split_statements(&note) {
        let claims = ClaimExtractor::default().extract_facts(&note, &statement);
        made.extend(claims.into_iter().filter(|claim| claim.extractor != Extractor::Sentence));
    }
    let date = row.date.as_deref().and_then(PartialDate::parse);
    let mut form = [0; 4];
    let mut found = vec![false; row.claims.len()];
    let mut failures = Vec::new();
    for claim in &made {
        let hit = row.claims.iter().position(|wanted| find_mismatch(claim, wanted, &row.title).is_none());
        confidences.push((claim.confidence, hit.is_some()));
        let extractor = figures.by_extractor.entry(claim.extractor.as_str()).or_default();
        extractor[0] += 1;
        form[0] += 1;
        figures.claimed += 1;
        let Some(hit) = hit else {
            let why = row
                .claims
                .iter()
                .filter_map(|wanted| find_mismatch(claim, wanted, &row.title))
                .min()
                .unwrap_or(ClaimMismatch::Spurious);
            *figures.wrong_by.entry(why.as_str()).or_default() += 1;
            failures.push(format!("   wrong ({}): {}", why.as_str(), format_claim(claim, &row.title)));
            continue;
        };
        extractor[1] += 1;
        form[1] += 1;
        figures.right += 1;
        found[hit] = true;
        let wanted = &row.claims[hit];
        if let Some(note) = score_relation_and_dates(claim, wanted, date, figures) {
            failures.push(format!("   {note}: {}", format_claim(claim, &row.title)));
        }
    }
    for (wanted, found) in row.claims.iter().zip(&found).filter(|(wanted, _)| !wanted.optional) {
        form[2] += 1;
        figures.wanted += 1;
        if *found {
            form[3] += 1;
            figures.found += 1;
        } else if let Some(best) = wanted.any.first() {
            failures.push(format!("   missing: {} | {} | {}", best.s, best.p, best.o));
        }
    }
    figures.notes += 1;
    let total = figures.by_form.entry(row.form.clone()).or_default();
    for (total, part) in total.iter_mut().zip(form) {
        *total += part;
    }
    if !failures.is_empty() {
        figures.failures.push(format!("{} {} | {} | {:?}", row.id, row.form, row.title, row.markdown));
        figures.failures.extend(failures);
    }
    Ok(())
}

fn score_relation_and_dates(
    claim: &Claim,
    wanted: &GoldClaim,
    date: Option<PartialDate>,
    figures: &mut ClaimsFigures,
) -> Option<String> {
    let mut note = None;
    match (&wanted.relation, &claim.relation) {
        (Some(relation), made) => {
            figures.relations[0] += 1;
            if made.as_ref() == Some(relation) {
                figures.relations[1] += 1;
            } else {
                note = Some(format!("relation {relation} wanted, {made:?} made"));
            }
        }
        (None, Some(made)) => {
            figures.relations[2] += 1;
            note = Some(format!("relation {made} not wanted"));
        }
        (None, None) => {}
    }
    let text = |day: Option<PartialDate>| day.map(|day| day.to_string());
    let valid = claim.holds.resolve(date);
    for (wanted, made) in [(&wanted.from, text(valid.from)), (&wanted.until, text(valid.until))] {
        match (wanted, &made) {
            (Some(day), made) => {
                figures.dates[0] += 1;
                if made.as_ref() == Some(day) {
                    figures.dates[1] += 1;
                } else {
                    note = Some(format!("date {day} wanted, {made:?} made"));
                }
            }
            (None, Some(made)) => {
                figures.dates[2] += 1;
                note = Some(format!("date {made} not wanted"));
            }
            (None, None) => {}
        }
    }
    note
}

fn format_claim(claim: &Claim, title: &str) -> String {
    let mut text = format!("{} | {} | {}", claim.subject_or_title(title), claim.predicate, claim.object);
    if !claim.qualifiers.is_empty() {
        text += &format!(" [{}]", claim.qualifiers.join("; "));
    }
    if claim.negated {
        text += " negated";
    }
    format!("{text} {} {:.2} {}", claim.modality.as_str(), claim.confidence, claim.extractor.as_str())
}

/// The reason a claim does not match a gold claim, ordered from the nearest miss.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ClaimMismatch {
    Keep,
    Negation,
    Modality,
    Subject,
    Object,
    Predicate,
    Spurious,
}

impl ClaimMismatch {
    fn as_str(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Negation => "negation",
            Self::Modality => "modality",
            Self::Subject => "subject",
            Self::Object => "object",
            Self::Predicate => "predicate",
            Self::Spurious => "spurious",
        }
    }
}

fn find_mismatch(claim: &Claim, wanted: &GoldClaim, title: &str) -> Option<ClaimMismatch> {
    let nearest = wanted.any.iter().filter_map(|form| triple_mismatch(claim, form, title)).min();
    let equal = wanted.any.iter().any(|form| triple_mismatch(claim, form, title).is_none());
    if !equal {
        return Some(nearest.unwrap_or(ClaimMismatch::Spurious));
    }
    let modality = wanted.modality.as_deref().unwrap_or("asserted");
    if claim.modality.as_str() != modality {
        return Some(ClaimMismatch::Modality);
    }
    if claim.negated != wanted.negated {
        return Some(ClaimMismatch::Negation);
    }
    let all = format!(
        "{} {} {} {}",
        claim.subject_or_title(title),
        claim.predicate,
        claim.object,
        claim.qualifiers.join(" ")
    );
    let said = normalize_words(&all);
    let kept = wanted.keep.iter().all(|keep| normalize_words(keep).iter().all(|word| said.contains(word)));
    (!kept).then_some(ClaimMismatch::Keep)
}

fn triple_mismatch(claim: &Claim, form: &GoldTriple, title: &str) -> Option<ClaimMismatch> {
    let subject = matches_gold(&form.s, claim.subject_or_title(title), false);
    let predicate = matches_gold(&form.p, &claim.predicate, true);
    let object = matches_gold(&form.o, &claim.object, false);
    match (subject, predicate, object) {
        (true, true, true) => None,
        (false, true, true) => Some(ClaimMismatch::Subject),
        (true, true, false) => Some(ClaimMismatch::Object),
        (true, false, true) => Some(ClaimMismatch::Predicate),
        _ => Some(ClaimMismatch::Spurious),
    }
}

/// Splits text into lower-case base forms without punctuation, with contractions expanded.
fn normalize_words(text: &str) -> Vec<String> {
    let mut lower = text.to_lowercase().replace('’', "'");
    for (short, long) in [
        ("can't", "can not"),
        ("won't", "will not"),
        ("n't", " not"),
        ("'re", " are"),
        ("'m", " am"),
        ("'ll", " will"),
        ("'ve", " have"),
    ] {
        lower = lower.replace(short, long);
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '%' | '€' | '$' | '£' | '°' | '²' | '+' | '#' | '@');
    lower
        .split(|c: char| !is_part(c))
        .map(|word| word.trim_start_matches(['#', '@']))
        .filter(|word| !word.is_empty() && *word != "s")
        // "its" and "it" have one base, and only one of them is a determiner.
        .map(|word| if DETERMINERS.contains(word) { format!("{word}-") } else { base_form(word) })
        .collect()
}

/// Parses a pattern into words, each with whether it is optional.
fn parse_pattern(text: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('[') {
        found.extend(normalize_words(before).into_iter().map(|word| (word, false)));
        let (inside, after) = behind.split_once(']').unwrap_or((behind, ""));
        found.extend(normalize_words(inside).into_iter().map(|word| (word, true)));
        rest = after;
    }
    found.extend(normalize_words(rest).into_iter().map(|word| (word, false)));
    found
}

/// Whether the text matches a gold pattern.
fn matches_gold(wanted: &str, made: &str, predicate: bool) -> bool {
    let determiners: Vec<String> = DETERMINERS.iter().map(|word| format!("{word}-")).collect();
    let auxiliaries: Vec<String> = AUXILIARIES.iter().map(|word| base_form(word)).collect();
    let mut pattern = parse_pattern(wanted);
    let mut said = normalize_words(made);
    let bare = |words: &[String]| words.iter().all(|word| determiners.contains(word));
    // "that" alone is a word, not a determiner.
    if !bare(&said) {
        said.retain(|word| !determiners.contains(word));
    }
    if pattern.iter().any(|(word, _)| !determiners.contains(word)) {
        pattern.retain(|(word, _)| !determiners.contains(word));
    }
    if predicate {
        // Beside another verb, auxiliaries are ignored.
        let strong = |word: &String| !auxiliaries.contains(word);
        if said.iter().any(strong) && pattern.iter().any(|(word, may)| !may && strong(word)) {
            said.retain(strong);
            pattern.retain(|(word, _)| strong(word));
        } else {
            // "has been", "will have": the last auxiliary is the verb.
            let kept = |word: &str| !PREDICATE_NEGATIONS.iter().any(|n| base_form(n) == word);
            said.retain(|word| kept(word));
            pattern.retain(|(word, _)| kept(word));
            let be = base_form("be");
            for helped in HELPING_VERBS.iter().map(|word| base_form(word)) {
                if said.contains(&be) {
                    said.retain(|word| *word != helped);
                }
                if pattern.iter().any(|(word, _)| *word == be) {
                    pattern.retain(|(word, _)| *word != helped);
                }
            }
        }
    }
    matches_pattern(&pattern, &said)
}

/// Whether the words match a pattern with optional words; tracks which word prefixes each pattern prefix can match.
fn matches_pattern(pattern: &[(String, bool)], said: &[String]) -> bool {
    let mut reachable = vec![false; said.len() + 1];
    reachable[0] = true;
    for (word, optional) in pattern {
        let mut next = vec![false; said.len() + 1];
        for at in (0..=said.len()).filter(|at| reachable[*at]) {
            next[at] |= optional;
            if said.get(at) == Some(word) {
                next[at + 1] = true;
            }
        }
        reachable = next;
    }
    reachable.last().copied().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::matches_gold;

    #[test]
    fn words_are_equal_up_to_determiners_inflection_and_brackets() {
        for (wanted, made, predicate) in [
            ("the [high-quality] rye flour [from the mill]", "rye flour", false),
            ("[never] takes", "never takes", true),
            ("does not support", "doesn't support", true),
            ("is", "are", true),
            ("Anya", "anya", false),
            ("runs", "was running", true),
            ("most granola", "most granola.", false),
            ("the garage [car]", "garage #car", false),
            ("the frost", "frost", false),
        ] {
            assert!(matches_gold(wanted, made, predicate), "{wanted} = {made}");
        }
        for (wanted, made, predicate) in [
            ("rye flour", "rye", false),
            ("its frost", "it frost", false),
            ("is", "has", true),
            ("works at", "works", true),
            ("owes [me]", "is", true),
        ] {
            assert!(!matches_gold(wanted, made, predicate), "{wanted} <> {made}");
        }
    }
}
