//! An answer without a model: the claims' own words, as sentences with their citations.

use memora_claim::{Extractor, Modality};
use memora_redact::ClearClaim;
use memora_verify::{DraftSentence, find_citations};

/// Makes the sentences of an answer from the claims' own words: a list item each, with a citation for every sentence.
pub(crate) fn extractive_sentences(claims: &[ClearClaim<'_>]) -> Vec<DraftSentence> {
    let item = |(block, claim): (usize, &ClearClaim<'_>)| {
        let words = strip_citations(&claim.place().words());
        let words = match omitted_subject(claim, &words) {
            Some(subject) => format!("{subject}: {words}"),
            None => words,
        };
        DraftSentence::cite_words(&words, claim.claim().id, block)
    };
    claims.iter().enumerate().flat_map(item).collect()
}

/// Returns the subject of a line that only its context names: the title, a heading, the parent item. "Price: 40 euros"
/// is useless without it.
fn omitted_subject<'c>(claim: &'c ClearClaim<'_>, words: &str) -> Option<&'c str> {
    let subject = claim.subject();
    let place = claim.place();
    let mut context =
        std::iter::once(place.note().title()).chain(place.headings().iter().map(String::as_str)).chain(place.parent());
    let is_code = claim.claim().modality == Modality::Code;
    let is_line = is_code || !matches!(claim.claim().extractor, Extractor::Clause | Extractor::Sentence);
    let left_out = is_line && !words.to_lowercase().contains(&subject.to_lowercase());
    (left_out && context.any(|part| part == subject)).then_some(subject)
}

/// Removes a note's own citations: in the draft the claim itself is cited.
fn strip_citations(words: &str) -> String {
    let mut kept = String::with_capacity(words.len());
    let mut at = 0;
    for group in find_citations(words) {
        kept.push_str(words.get(at..group.range.start).unwrap_or_default());
        at = group.range.end;
    }
    kept.push_str(words.get(at..).unwrap_or_default());
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use memora_claim::{Claim, ParsedNote, anchor_span};
    use memora_redact::{ClaimAccess, ClaimView, LocalDoor, Viewer, authorize_claim};
    use memora_vault::{Note, NotePath, PathContext};
    use memora_verify::{
        CitationFailure, CitationResolution, CitedPassage, Evidence, SentenceVerdict, check_sentences,
    };

    use super::*;

    /// Knows one note, whose every statement stands.
    struct OneNote<'a>(&'a ParsedNote);

    impl Evidence for OneNote<'_> {
        fn resolve_id(&self, id: &memora_claim::ClaimId) -> CitationResolution {
            let found = self.0.statements().iter().find(|s| s.id == id.statement());
            match found.map(|s| anchor_span(self.0, s.span).recheck(self.0)) {
                Some(Ok(place)) => CitationResolution::Resolved(CitedPassage::from_rechecked(&place)),
                _ => CitationResolution::Failed(CitationFailure::UnknownId),
            }
        }

        fn resolve_handle(&self, _: &str) -> CitationResolution {
            CitationResolution::Failed(CitationFailure::Redacted)
        }
    }

    /// Checks that every statement of a note comes back, each sentence of it kept.
    fn check_quotes(text: &str) {
        let path = NotePath::new("a.md").expect("a good path");
        let fresh = ParsedNote::new(Note::parse(path, text.to_owned(), PathContext::default()).0);
        let claims: Vec<_> = fresh
            .statements()
            .iter()
            .map(|s| {
                let claim = Claim::new(s.id, None, "states", &s.words);
                let shown = ClaimView {
                    claim,
                    captured: false,
                    valid_from: None,
                    valid_until: None,
                    sources: 1,
                    status: memora_claim::conflict::ClaimStatus::Current,
                };
                let place = anchor_span(&fresh, s.span).recheck(&fresh).expect("it stands");
                match authorize_claim(shown, place, &LocalDoor.view()) {
                    ClaimAccess::Clear(clear) => clear,
                    ClaimAccess::Secret(_) => panic!("a local door shows everything"),
                }
            })
            .collect();
        assert!(!claims.is_empty());
        let sentences = extractive_sentences(&claims);
        let said = sentences.len();
        let report = check_sentences(sentences, &OneNote(&fresh));
        let answer = report.into_verified().unwrap_or_else(|report| panic!("{text}\n{report:?}"));
        for sentence in answer.sentences() {
            // A sentence out of the middle of a row is supported by the row, and is not the whole of it.
            assert!(matches!(sentence.verdict(), SentenceVerdict::Quoted | SentenceVerdict::Verified), "{text}");
        }
        assert_eq!(answer.sentences().len(), said, "{text}\n{}", answer.text());
    }

    #[test]
    fn what_the_notes_say_comes_back_as_quoted() {
        check_quotes("drift switched serialization from JSON to MessagePack after throughput benchmarks.\n");
        check_quotes("The *price* is **40** euros. It [[Plan A|was]] `30`.\n");
        check_quotes("| Version | Note |\n|---|---|\n| 1.0.21 | Fixes a leak. Adds nothing. |\n");
        check_quotes(
            "---\nstatus: active\n---\nowner:: Sam\n\n- [ ] Buy rye & oats!\n- 1. is a number\n- # is a hash\n",
        );
        check_quotes("ブレーキは来週直す。犬が二匹いる。\n");
        check_quotes("Priya owns the rota since September 2024 [claim:7h3kq0v9x2ma].\n");
    }
}
