//! Formats answers, and what a model would be sent.

use std::fmt::Write as _;

use memora_engine::Door;
use memora_engine::report::{
    AnswerStatus, AskReport, ClaimDays, ClaimStatus, ContestedClaim, DraftedBy, EvidenceStrength, Modality,
    RequestReport, SearchedWords, SentenceReport, SentenceVerdict, WireClaim,
};

use super::claim_line::{format_claim, format_place};
use super::verdict::{is_proven, push_cited_words};

/// How many passages a person is shown where nothing answers outright; JSON has all that came near.
const PASSAGES_MAX: usize = 3;

pub(crate) fn format_answer<D: Door>(report: &AskReport<D>) -> String {
    if report.sentences.is_empty() {
        let mut out = match report.status {
            AnswerStatus::NoEvidence if report.drafted.is_some() => "The model found no answer in what it was shown.",
            AnswerStatus::NoEvidence if !report.nearest.is_empty() => "Nothing answers this outright.",
            AnswerStatus::NoEvidence if !report.freshness.fresh => "No evidence in what is indexed so far.",
            AnswerStatus::NoEvidence => "No evidence in the notes.",
            AnswerStatus::Withheld => {
                "Notes that the draft rests on became guarded meanwhile, or settings changed: it is withheld."
            }
            _ if report.drafted.is_some() => "The notes support no sentence of the model's draft.",
            _ => "What was found could not be verified.",
        }
        .to_owned();
        if let Some(SearchedWords { known, unknown }) = &report.looked_for {
            let parts = [("Found in the notes", known), ("Not found", unknown)];
            for (what, words) in parts.into_iter().filter(|(_, words)| !words.is_empty()) {
                let _ = write!(out, "\n{what}: {}.", words.join(", "));
            }
        }
        push_drafted_by(&mut out, report.drafted.as_ref());
        push_redacted(&mut out, &report.redacted);
        push_nearest(&mut out, report);
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
            // The owner only recorded them.
            let speaker = claim.attribution().unwrap_or("another author");
            marks.push(format!("the words of {speaker}"));
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
    // Two cited claims contest each other, and are one line.
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for ContestedClaim { claim, against } in &report.contested {
        if pairs.contains(&(against.id(), claim.as_str())) {
            continue;
        }
        pairs.push((claim.as_str(), against.id()));
        let is_cited = report.claims.iter().any(|cited| cited.id() == against.id());
        let place = if is_cited { String::new() } else { format!(" ({})", format_place(against)) };
        let _ = write!(out, "\ncontested: [claim:{claim}] and [claim:{}]{place} cannot both hold", against.id());
    }
    let good = report.sentences.iter().filter(|s| is_proven(s)).count();
    let doubt = if report.relevance == Some(EvidenceStrength::Possible) {
        "\nmatch: possible; whether that answers your question is uncertain (exit code 1)"
    } else {
        ""
    };
    let _ = write!(
        out,
        "\n\n{}: {good} of {} sentences re-read and re-hashed{doubt}",
        report.status,
        report.sentences.len()
    );
    push_drafted_by(&mut out, report.drafted.as_ref());
    push_redacted(&mut out, &report.redacted);
    if report.relevance == Some(EvidenceStrength::Possible) {
        push_nearest(&mut out, report);
    }
    out
}

/// Appends the first of the passages that come nearest.
fn push_nearest<D: Door>(out: &mut String, report: &AskReport<D>) {
    if !report.nearest.is_empty() {
        out.push_str("\n\nClosest passages (* marks a matching line):");
    }
    for passage in report.nearest.iter().take(PASSAGES_MAX) {
        let _ = write!(out, "\n\n{passage}");
    }
}

/// Appends code line by line, as in its note.
pub(super) fn push_code<D>(out: &mut String, claim: &WireClaim<D>, markers: &str) {
    let _ = writeln!(out, "- {}: {markers}", claim.triple().0);
    for line in claim.place().map_or("", |place| place.quote.as_str()).lines() {
        let _ = writeln!(out, "      {}", line.trim_end());
    }
}

/// Starts a new day heading where the day changes; `of` is `None` if the query has no time.
pub(super) fn push_day_heading<'d>(
    out: &mut String,
    day: &mut Option<Option<&'d ClaimDays>>,
    of: Option<Option<&'d ClaimDays>>,
) {
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
pub(super) fn push_drafted_by(out: &mut String, by: Option<&DraftedBy>) {
    let Some(DraftedBy { model, drafts, removed }) = by else { return };
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
}

/// Formats a request as sent over the wire: request line, headers, an empty line, the body.
pub(crate) fn format_request(request: &RequestReport) -> String {
    let headers: String = request.headers.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
    format!("{} {}\n{headers}\n{}", request.method, request.url, request.body)
}

pub(super) fn push_redacted<D>(out: &mut String, claims: &[WireClaim<D>]) {
    if !claims.is_empty() {
        let _ = write!(out, "\n\nWithheld here, since others may read this output:");
    }
    for claim in claims {
        let _ = write!(out, "\n{}  {} ({})", claim.id(), format_claim(claim), claim.band());
    }
}
