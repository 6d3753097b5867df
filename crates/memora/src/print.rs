//! Formats reports as text: readable without colour, one fact per line.

mod challenge;
mod install;
mod lifecycle;
pub(crate) mod memory;
mod onboarding;
mod privacy;
mod sarif;
mod verdict;

use std::fmt::Write as _;

use memora_engine::report::{
    AnswerStatus, AskReport, ClaimDays, ClaimStatus, ClaimsReport, CountsByBand, DoctorReport, DraftedBy,
    EmbedderReport, EntailmentReport, EntityReport, EntityStatus, EvidenceStrength, ExtractReport, Extractor,
    IndexReport, ListRank, Modality, ModelsReport, Phase, PublishedModel, RequestReport, SearchReport, SearchedWords,
    SentenceReport, SentenceVerdict, StatusReport, WatchLine, WhyReport, WireClaim, WirePlace,
};
use memora_engine::{STATES, pluralize};

pub(crate) use challenge::{format_applied, format_review};
pub(crate) use install::format_install;
pub(crate) use lifecycle::{format_contradictions, format_decided, format_stale};
pub(crate) use onboarding::{format_demo, format_init};
pub(crate) use privacy::{format_audit, format_egress};
pub(crate) use sarif::build_sarif;
pub(crate) use verdict::{format_captured, format_verdicts};
use verdict::{is_proven, push_cited_words};

/// The maximum number of problems and skipped notes listed; JSON has them all.
const LISTED_MAX: usize = 20;

pub(crate) fn format_index(report: &IndexReport) -> String {
    let notes = &report.notes;
    let mut out = format!(
        "{}: {} read, {} removed, {} renamed; {} not read; {}\n{}: {} new, {} gone",
        pluralize(notes.seen, "note"),
        notes.changed,
        notes.removed,
        notes.renamed,
        notes.skipped.len(),
        pluralize(report.unread, "other file"),
        pluralize(report.claims.total, "claim"),
        report.claims.added,
        report.claims.removed,
    );
    let skipped = notes.skipped.iter().map(|note| {
        let path = note.path.as_deref().unwrap_or("a note");
        format!("skipped {path}: {}\n  hint: {}", note.reason, note.hint)
    });
    let problems = report
        .problems
        .iter()
        .map(|problem| format!("{}:{}: {}\n  hint: {}", problem.path, problem.line, problem.message, problem.hint));
    push_limited(&mut out, skipped.collect());
    push_limited(&mut out, problems.collect());
    out
}

pub(crate) fn format_extract(report: &ExtractReport) -> String {
    let passages = &report.passages;
    if report.ended == "dry_run" {
        return format!(
            "{} of {}: passages that it has not read yet; {} that it has",
            pluralize(passages.due, "call"),
            report.model,
            passages.cached
        );
    }
    let mut out = format!("{} of {} passages read by {}", passages.done, passages.due, report.model);
    if passages.cached > 0 {
        let _ = write!(out, "; {} read before", pluralize(passages.cached, "passage"));
    }
    let _ = write!(out, "\n{}", pluralize(report.calls, "call"));
    if let Some(tokens) = &report.tokens {
        let _ = write!(out, ", {} tokens sent, {} received", tokens.sent, tokens.received);
    }
    let _ = write!(out, "\nborne out by the notes: {}", pluralize(report.claims.added, "claim"));
    for (why, count) in &report.claims.rejected {
        let _ = write!(out, "\n  rejected, {}: {count}", why.replace('_', " "));
    }
    if let Some(failure) = &report.failure {
        let _ =
            write!(out, "\nwithout an answer that can be read: {} ({failure})", pluralize(passages.failed, "passage"));
    }
    if passages.left > 0 {
        let _ = write!(out, "\nleft: {}; run it again to go on", pluralize(passages.left, "passage"));
    }
    if let Some(withheld) = passages.withheld.filter(|withheld| *withheld > 0) {
        let _ = write!(out, "\nguarded, and not for this model to see: {}", pluralize(withheld, "passage"));
    }
    out
}

pub(crate) fn format_watch_line(line: &WatchLine) -> String {
    let notes = &line.notes;
    if line.why == "reviewed" {
        return match &line.review {
            Some(review) => format!("reviewed: {} to look at, {} new; memora challenge", review.items, review.new),
            None => "reviewed".to_owned(),
        };
    }
    let mut out = match line.why {
        "begun" => format!("watching {}: ", pluralize(notes.seen, "note")),
        _ => String::new(),
    };
    let _ = write!(out, "{} read, {} removed, {} renamed", notes.changed, notes.removed, notes.renamed);
    if let Some(claims) = &line.claims {
        let _ = write!(out, "; claims: {} new, {} gone", claims.added, claims.removed);
    }
    if !line.freshness.fresh {
        let _ = write!(out, "; {} due", pluralize(line.freshness.pending, "note"));
    }
    out
}

fn push_limited(out: &mut String, lines: Vec<String>) {
    let more = lines.len().saturating_sub(LISTED_MAX);
    for line in lines.into_iter().take(LISTED_MAX) {
        let _ = write!(out, "\n{line}");
    }
    if more > 0 {
        let _ = write!(out, "\nand {more} more; --json lists them all");
    }
}

pub(crate) fn format_answer<D>(report: &AskReport<D>) -> String {
    if report.sentences.is_empty() {
        let mut out = match report.status {
            AnswerStatus::NoEvidence if !report.freshness.fresh => "No evidence in what is indexed so far.",
            AnswerStatus::NoEvidence => "No evidence in the notes.",
            AnswerStatus::Withheld => "The draft rests on notes that became guarded meanwhile; it is withheld.",
            _ if report.drafted.is_some() => "The notes support no sentence of the model's draft.",
            _ => "What was found could not be verified.",
        }
        .to_owned();
        if let Some(SearchedWords { known, unknown }) = &report.looked_for {
            let parts = [("Looked for", known), ("Not found", unknown)];
            for (what, words) in parts.into_iter().filter(|(_, words)| !words.is_empty()) {
                let _ = write!(out, "\n{what}: {}.", words.join(", "));
            }
        }
        push_drafted_by(&mut out, report.drafted.as_ref());
        push_redacted(&mut out, &report.redacted);
        return out;
    }
    // The sentences' own words; `answer` is the same as markdown, with markup characters escaped.
    let mut out = String::new();
    let mut day = None;
    let markers = |sentence: &SentenceReport| -> Vec<String> {
        sentence.citations.iter().map(|citation| citation.marker.clone()).collect()
    };
    // Sentences of one statement are printed together, and cited once.
    for group in report.sentences.chunk_by(|a, b| markers(a) == markers(b)) {
        let cited =
            group.iter().flat_map(|sentence| &sentence.citations).find_map(|citation| citation.claim.as_deref());
        let at = report.claims.iter().position(|claim| Some(claim.id()) == cited);
        push_day_heading(&mut out, &mut day, at.and_then(|at| report.days.get(at)).map(Option::as_ref));
        let quoted = at.and_then(|at| report.claims.get(at)).filter(|_| report.drafted.is_none());
        if let Some(claim) = quoted.filter(|claim| claim.modality() == Some(Modality::Code)) {
            push_code(&mut out, claim, &group.first().map(markers).unwrap_or_default().join(" "));
            continue;
        }
        let words: Vec<&str> = group.iter().map(|sentence| sentence.text.trim()).collect();
        let _ = writeln!(out, "- {} {}", words.join(" "), group.first().map(markers).unwrap_or_default().join(" "));
        for sentence in group
            .iter()
            .filter(|sentence| matches!(sentence.verdict, SentenceVerdict::Paraphrased | SentenceVerdict::Entailed))
        {
            let _ = writeln!(out, "  {}: {}", sentence.verdict, sentence.text.trim());
            push_cited_words(&mut out, sentence, &report.claims);
        }
    }
    for claim in &report.claims {
        let mut marks = Vec::new();
        if claim.modality() == Some(Modality::Reported) {
            // The words of another speaker, which the owner only recorded.
            marks.push("reported".to_owned());
        } else if claim.modality() == Some(Modality::Code) {
            marks.push("code".to_owned());
        }
        marks.extend(
            claim
                .status()
                .filter(|status| *status == ClaimStatus::Stale)
                .map(|_| "stale: memora why tells more".to_owned()),
        );
        let marks = if marks.is_empty() { String::new() } else { format!(" ({})", marks.join("; ")) };
        let _ = write!(out, "\n[claim:{}] {}{marks}", claim.id(), format_place(claim));
    }
    let good = report.sentences.iter().filter(|s| is_proven(s)).count();
    let weak = if report.relevance == Some(EvidenceStrength::Weak) {
        "; weak evidence: it may be about something else"
    } else {
        ""
    };
    let _ = write!(
        out,
        "\n\n{}: {good} of {} sentences re-read and re-hashed{weak}",
        report.status,
        report.sentences.len()
    );
    push_drafted_by(&mut out, report.drafted.as_ref());
    push_redacted(&mut out, &report.redacted);
    out
}

/// Appends code line by line, as in its note.
fn push_code<D>(out: &mut String, claim: &WireClaim<D>, markers: &str) {
    let _ = writeln!(out, "- {}: {markers}", claim.triple().0);
    for line in claim.place().map_or("", |place| place.quote.as_str()).lines() {
        let _ = writeln!(out, "      {}", line.trim_end());
    }
}

/// Starts a new day heading where the day changes; `of` is `None` if the query has no time.
fn push_day_heading<'d>(out: &mut String, day: &mut Option<Option<&'d ClaimDays>>, of: Option<Option<&'d ClaimDays>>) {
    if of.is_none() || *day == of {
        return;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let _ = match of.flatten() {
        Some(days) => writeln!(out, "{days}"),
        None => writeln!(out, "of no day"),
    };
    *day = of;
}

/// Appends the author of a draft, the number of attempts, and the removed sentences.
fn push_drafted_by(out: &mut String, by: Option<&DraftedBy>) {
    let Some(DraftedBy { model, drafts, removed, read }) = by else { return };
    let times = match drafts {
        1 => String::new(),
        drafts => format!(", asked {drafts} times"),
    };
    let _ = write!(out, "\ndrafted by {model}{times}");
    let counts = [
        (removed.contradicted, "otherwise in what it cites"),
        (removed.unsupported, "not in what it cites"),
        (removed.paraphrased, "only paraphrased"),
        (removed.rejected, "without a citation that stands"),
        (removed.uncited, "without a citation"),
    ];
    let counts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, why)| format!("{count} {why}")).collect();
    if !counts.is_empty() {
        let _ = write!(out, "; sentences taken out: {}", counts.join(", "));
    }
    push_entailment(out, read.as_ref());
}

/// Appends the results of the entailment model.
fn push_entailment(out: &mut String, by: Option<&EntailmentReport>) {
    let Some(by) = by else { return };
    let _ = match &by.failure {
        Some(failure) => write!(out, "\n{} did not read: {}", by.model, failure.replace('_', " ")),
        None => write!(out, "\nread by {}: {} of {} entailed", by.model, by.entailed, by.read),
    };
    if by.too_long > 0 {
        let _ = write!(out, ", {} too long for it", by.too_long);
    }
}

/// Formats a request as sent over the wire: request line, headers, an empty line, the body.
pub(crate) fn format_request(request: &RequestReport) -> String {
    let headers: String = request.headers.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
    format!("{} {}\n{headers}\n{}", request.method, request.url, request.body)
}

pub(crate) fn format_search<D>(report: &SearchReport<D>, explain: bool) -> String {
    let mut out = String::new();
    let mut day = None;
    for hit in &report.hits {
        push_day_heading(&mut out, &mut day, report.of_time.then_some(hit.days.as_ref()));
        if !out.is_empty() {
            out.push('\n');
        }
        let _ = write!(out, "{}\n  {}  {}", format_claim(&hit.claim), hit.claim.id(), format_place(&hit.claim));
        let why: Vec<String> =
            std::iter::once(format!("{} ({})", hit.score, hit.relevance)).chain(hit.why.clone()).collect();
        let _ = write!(out, "\n  {}", why.join("; "));
        if explain {
            let place = |name: &str, place: Option<ListRank>| match place {
                Some(place) => format!("{name}: rank {}, {}", place.rank, place.score),
                None => format!("{name}: not in the list"),
            };
            let (words, meaning) = (place("words", hit.explain.lexical), place("meaning", hit.explain.semantic));
            let _ = write!(out, "\n  {words}; {meaning}; spreading added {}", hit.explain.spread);
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    if out.is_empty() {
        out.push_str(if report.freshness.fresh {
            "Nothing found."
        } else {
            "Nothing found in what is indexed so far."
        });
    }
    push_redacted(&mut out, &report.redacted);
    out
}

pub(crate) fn format_claims<D>(report: &ClaimsReport<D>) -> String {
    let mut out = if report.claims.is_empty() { "No claims.".to_owned() } else { format_claim_list(&report.claims) };
    if report.more {
        out.push_str("\nand more; --limit shows them");
    }
    out
}

pub(crate) fn format_explanation<D>(report: &WhyReport<D>) -> String {
    let mut out = format!("{}: {}, {}", report.asked, report.status, report.explanation);
    for claim in &report.claims {
        let _ = write!(out, "\n{}  {}\n  {}", claim.id(), format_claim(claim), format_place(claim));
        if let Some(place) = claim.place() {
            for line in place.quote.lines() {
                let _ = write!(out, "\n  > {line}");
            }
        }
    }
    lifecycle::push_edges(&mut out, &report.edges);
    lifecycle::push_decisions(&mut out, &report.decisions);
    if !report.extractors.is_empty() {
        let rules = report.extractors.iter().filter(|by| **by != Extractor::Model);
        let rules: Vec<&str> = rules.map(|by| by.as_str()).collect();
        let _ = write!(out, "\nread by rule: {}", rules.join(", "));
        if rules.len() < report.extractors.len() {
            let models = if report.models.is_empty() { "a model".to_owned() } else { report.models.join(", ") };
            let _ = write!(out, "; and by {models}");
        }
    }
    if let Some(day) = report.first_seen.and_then(|second| jiff::Timestamp::from_second(second).ok()) {
        let _ = write!(out, "\nfirst seen: {}", day.strftime("%Y-%m-%d"));
    }
    out
}

pub(crate) fn format_entity<D>(report: &EntityReport<D>, timeline: bool) -> String {
    let mut out = match (&report.entity, report.status) {
        (Some(entity), _) => match &entity.path {
            Some(path) => format!("{} ({path})", entity.name),
            None => format!("{} (a name without a note)", entity.name),
        },
        (None, EntityStatus::Ambiguous) => format!("{} may be any of these:", report.asked.trim()),
        (None, _) if !report.freshness.fresh => {
            format!("{}: no note indexed so far has this name.", report.asked.trim())
        }
        (None, _) => format!("{}: no note has this name.", report.asked.trim()),
    };
    for candidate in &report.candidates {
        let _ = write!(out, "\n  {} ({})", candidate.name, candidate.path.as_deref().unwrap_or_default());
    }
    let Some(entity) = &report.entity else { return out };
    let others: Vec<&str> = entity.names.iter().map(String::as_str).filter(|name| *name != entity.name).collect();
    if !others.is_empty() {
        let _ = write!(out, "\nalso called: {}", others.join(", "));
    }
    if timeline {
        lifecycle::push_timeline(&mut out, report);
        if report.more {
            out.push_str("\nand more; --limit shows them");
        }
        return out;
    }
    if report.claims.is_empty() {
        let times = match report.mentioned {
            0 => "and the notes say nothing of it".to_owned(),
            1 => "the notes mention it once".to_owned(),
            2 => "the notes mention it twice".to_owned(),
            times => format!("the notes mention it {times} times"),
        };
        let _ = write!(out, "\n\nno claim is about {}; {times}", entity.name);
    }
    for (title, claims) in [("about it", &report.claims), ("where it is named", &report.mentions)] {
        if !claims.is_empty() {
            let _ = write!(out, "\n\n{title}:\n{}", format_claim_list(claims));
        }
    }
    if report.more {
        out.push_str("\nand more; --limit shows them");
    }
    let together: Vec<String> =
        report.co_occurs.iter().map(|other| format!("{} ({})", other.name, other.count)).collect();
    if !together.is_empty() {
        let _ = write!(out, "\n\nnamed together with: {}", together.join(", "));
    }
    out
}

fn format_claim_list<D>(claims: &[WireClaim<D>]) -> String {
    let lines = claims.iter().map(|claim| {
        format!("{}  {}\n  {}{}", claim.id(), format_claim(claim), format_place(claim), format_context(claim))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Formats the context that the path does not show: headings and the list item above.
fn format_context<D>(claim: &WireClaim<D>) -> String {
    match claim.context() {
        [] | [_] => String::new(),
        [_, rest @ ..] => {
            let parts: Vec<String> = rest.iter().map(|part| shorten_line(part)).collect();
            format!("  under {}", parts.join(" › "))
        }
    }
}

/// Shortens a heading or an item to one line of limited length.
fn shorten_line(words: &str) -> String {
    const MOST: usize = 60;
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("{} …", line.get(..at).unwrap_or_default().trim_end()),
        None => line,
    }
}

pub(crate) fn format_status(report: &StatusReport) -> String {
    let mut out = format!("vault: {}", report.root.as_deref().unwrap_or(&report.vault));
    if let Some(state) = &report.state {
        let _ = write!(out, "\nstate: {state}");
    }
    let notes = &report.notes;
    let _ = write!(
        out,
        "\nnotes: {}; {} not read\nstatements: {}\nproblems: {}\ndoor: {}\nindex: {}",
        format_by_band(notes),
        report.skipped,
        report.statements,
        report.problems,
        report.door,
        if report.freshness.fresh {
            "up to date".to_owned()
        } else {
            format!("{} due", pluralize(report.freshness.pending, "note"))
        },
    );
    let _ = write!(out, "\n{}\nlanguage model: ", format_embedder(&report.embedder));
    match &report.model {
        Some(model) => {
            let place = if model.place == "elsewhere" { "elsewhere, since " } else { "" };
            let _ = write!(out, "{} ({}) at {}; {place}{}", model.name, model.provider, model.address, model.why);
        }
        None => out.push_str("none; answers are the notes' own words"),
    }
    out
}

pub(crate) fn format_embedder(report: &EmbedderReport) -> String {
    let mut out = match report.live {
        Some(live) => format!("embedder: {live}"),
        None => "embedder: none has vectors to answer by".to_owned(),
    };
    if let Some(code) = report.why_not {
        let why = report.reason.clone().unwrap_or_else(|| code.replace('_', " "));
        let _ = write!(out, "; {} is configured: {why}", report.configured);
    }
    for by in &report.vectors {
        let due = if by.due > 0 { format!(", {} due", by.due) } else { String::new() };
        let _ = write!(out, "\nvectors: {} by {}{due}", by.made, by.model);
    }
    out
}

pub(crate) fn format_models(report: &ModelsReport) -> String {
    let mut out = match (&report.chosen, &report.failure) {
        (Some(chosen), None) => format!("reads what facts leave open: {chosen}"),
        (Some(chosen), Some(why)) => format!("{chosen} is chosen and cannot be used: {why}"),
        (None, _) => "no entailment model is installed".to_owned(),
    };
    for model in &report.models {
        let there = if model.installed { ", installed" } else { "" };
        let (megabytes, from) = (model.bytes.div_ceil(1_000_000), model.entailed_from);
        let PublishedModel { name, languages, licence, chosen_on, .. } = model;
        let _ = write!(out, "\n{name}: {languages}; {megabytes} MB, {licence}{there}");
        let _ =
            write!(out, "\n  a sentence is entailed from a probability of {from} on; threshold chosen on {chosen_on}");
    }
    out
}

/// Formats counts by band; counts that the door may not see are omitted.
fn format_by_band(notes: &CountsByBand) -> String {
    let rest = [(notes.private, "private"), (notes.secret, "secret")];
    let rest = rest.iter().filter_map(|(count, band)| count.map(|count| format!(", {count} {band}")));
    format!("{} public{}", notes.public, rest.collect::<String>())
}

pub(crate) fn format_doctor(report: &DoctorReport) -> String {
    let lines = report.checks.iter().map(|check| {
        let mark = if check.ok { "ok" } else { "BAD" };
        let hint = check.hint.as_ref().map(|hint| format!("\n     what to do: {hint}")).unwrap_or_default();
        let (at, why) = (check.looked_at, check.matters);
        format!("{mark:<4} {}: {}\n     looked at: {at}\n     why: {why}{hint}", check.name, check.found)
    });
    format!("{}\n\n{}", lines.collect::<Vec<_>>().join("\n"), report.summary)
}

fn push_redacted<D>(out: &mut String, claims: &[WireClaim<D>]) {
    for claim in claims {
        let _ = write!(out, "\n{}  {} ({})", claim.id(), format_claim(claim), claim.band());
    }
}

fn format_claim<D>(claim: &WireClaim<D>) -> String {
    let (subject, predicate, object) = claim.triple();
    let mut words = match (predicate, object) {
        (STATES, _) => format!("{subject}: {object}"),
        (_, "") => format!("{subject} | {predicate}"),
        _ => format!("{subject} | {predicate} | {object}"),
    };
    if !claim.qualifiers().is_empty() {
        let _ = write!(words, " [{}]", claim.qualifiers().join("; "));
    }
    let mut marks: Vec<String> = Vec::new();
    match (claim.modality(), claim.attribution()) {
        (Some(Modality::Reported), Some(speaker)) => marks.push(format!("reported: {speaker}")),
        (None | Some(Modality::Asserted), _) => {}
        (Some(modality), _) => marks.push(modality.to_string()),
    }
    marks.extend(claim.is_negated().then(|| "denied".to_owned()));
    marks.extend(claim.phase().filter(|phase| *phase != Phase::Steady).map(|phase| phase.to_string()));
    marks.extend(claim.relation().map(|relation| format!("= {relation}")));
    marks.extend(claim.status().filter(|status| *status != ClaimStatus::Current).map(|status| status.to_string()));
    if marks.is_empty() { words } else { format!("{words} ({})", marks.join(", ")) }
}

fn format_place<D>(claim: &WireClaim<D>) -> String {
    let Some(place) = claim.place() else { return "withheld".to_owned() };
    let holds = match (claim.valid_from(), claim.valid_until()) {
        (Some(from), Some(until)) => format!(", {from} to {until}"),
        (Some(from), None) => format!(", {from}"),
        (None, Some(until)) => format!(", until {until}"),
        (None, None) => String::new(),
    };
    format!("{}{holds}", format_location(place))
}

/// Formats `path:line:column`, which editors and terminals can open.
fn format_location(place: &WirePlace) -> String {
    match (place.line, place.column) {
        (Some(line), Some(column)) => format!("{}:{line}:{column}", place.path),
        _ => place.path.clone(),
    }
}
