//! Formats verdicts on sentences: each with its reasons, and with the cited words beside unproven sentences.

use std::fmt::Write as _;

use memora_engine::report::{
    Band, CapturedReport, CapturedSentence, CitationOutcome, ReportStatus, SentenceJudgement, SentenceReport,
    SentenceVerdict, VerifyReport, WireClaim,
};

use super::claim_line::format_place;

pub(crate) fn format_verdicts<D>(report: &VerifyReport<D>) -> String {
    let mut out = String::new();
    for sentence in &report.sentences {
        let _ = writeln!(out, "{:<12} {}", sentence.verdict, sentence.text);
        push_details(&mut out, sentence);
        push_cited_words(&mut out, sentence, &report.claims);
        if let (Some(by), Some(SentenceJudgement::NotJudged)) = (&report.judged, sentence.judged) {
            let _ = writeln!(out, "  by the rules alone: {} did not judge it", by.model);
        }
    }
    for claim in &report.claims {
        let _ = writeln!(out, "[claim:{}] {}", claim.id(), format_place(claim));
    }
    let asserting = report.sentences.iter().filter(|s| s.verdict != SentenceVerdict::Exempt).count();
    let good = report.sentences.iter().filter(|s| is_proven(s)).count();
    // Where nothing is wrong and not all is proven, the counts say it better than a word.
    if report.status != ReportStatus::Supported {
        let _ = write!(out, "{}: ", report.status);
    }
    let _ = write!(out, "{good} of {asserting} sentences proven");
    let paraphrased = report.sentences.iter().filter(|s| s.verdict == SentenceVerdict::Paraphrased).count();
    if paraphrased > 0 {
        let them = if paraphrased == 1 { "it" } else { "them" };
        let _ = write!(out, ", {paraphrased} paraphrased: compare {them} with the notes");
    }
    if let Some(by) = &report.judged {
        let _ = write!(
            out,
            "\njudged by {}: {} in the notes ({} by it alone), {} not in them, {} not judged",
            by.model, by.said, by.raised, by.lowered, by.not_judged
        );
        if let Some(failure) = &by.failure {
            let _ = write!(out, " ({failure})");
        }
    }
    out
}

pub(crate) fn format_captured<D>(report: &CapturedReport<D>) -> String {
    let mut out = String::new();
    for CapturedSentence { sentence, .. } in &report.sentences {
        let _ = writeln!(out, "{:<12} {}", sentence.verdict, sentence.text);
        push_details(&mut out, sentence);
    }
    for claim in &report.claims {
        let _ = writeln!(out, "[claim:{}] {}", claim.id(), format_place(claim));
    }
    match &report.path {
        Some(path) => {
            let band = if report.band == Band::Public { String::new() } else { format!(", {}", report.band) };
            let _ = write!(out, "captured{band}: {path}");
        }
        None => {
            let refused = report.sentences.iter().filter(|sentence| sentence.refused.is_some()).count();
            let _ = write!(out, "not written: {refused} of {} sentences not supported", report.sentences.len());
        }
    }
    if report.uncited > 0 {
        let _ = write!(out, "\n{} of {} sentences cite nothing", report.uncited, report.sentences.len());
    }
    out
}

/// Whether the notes prove a sentence.
pub(super) fn is_proven(sentence: &SentenceReport) -> bool {
    sentence.verdict.is_proven()
}

/// Appends the cited words of the notes below a sentence that is not quoted, for comparison.
pub(super) fn push_cited_words<D>(out: &mut String, sentence: &SentenceReport, claims: &[WireClaim<D>]) {
    if let Some(by) = &sentence.entailed_by {
        let _ = writeln!(out, "  by {}", by.model);
    }
    if !matches!(
        sentence.verdict,
        SentenceVerdict::Entailed
            | SentenceVerdict::Paraphrased
            | SentenceVerdict::Contradicted
            | SentenceVerdict::Unsupported
    ) {
        return;
    }
    // A marker may name the statement, or a reading of it.
    let statement = |id: &str| id.split('.').next().map(str::to_owned);
    let cited = |claim: &&WireClaim<D>| {
        let mut named = sentence.citations.iter().filter_map(|citation| citation.claim.as_deref());
        named.any(|id| statement(id) == statement(claim.id()))
    };
    for place in claims.iter().filter(cited).filter_map(WireClaim::place) {
        let _ = writeln!(out, "  the notes: {}", place.quote.split_whitespace().collect::<Vec<_>>().join(" "));
    }
}

fn push_details(out: &mut String, sentence: &SentenceReport) {
    for citation in sentence.citations.iter().filter(|c| c.verdict != CitationOutcome::Verified) {
        let _ = writeln!(out, "  {} {}: {}", citation.marker, citation.verdict, citation.explanation);
    }
    for citation in sentence.citations.iter().filter(|c| c.verdict == CitationOutcome::Verified) {
        if let Some(places) = citation.places.filter(|places| *places > 1) {
            let _ = writeln!(out, "  {} stands in {places} places; the one that bears it out counts", citation.marker);
        }
    }
    for reason in &sentence.reasons {
        let _ = writeln!(out, "  {} ({})", reason.explanation, reason.kind);
    }
    if let Some(wording) = sentence.wording {
        let _ = writeln!(out, "  {wording}: {}", wording.explanation());
    }
    for fact in &sentence.elsewhere {
        let place = match fact.line {
            None => format!("in {}", fact.note),
            Some(line) => format!("in {}:{line}", fact.note),
        };
        let _ = writeln!(out, "  {} stands {place}", fact.words);
    }
}
