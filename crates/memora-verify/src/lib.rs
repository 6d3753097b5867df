//! Verifies a text with citations: a verdict for every sentence and citation, without a model.
//!
//! [`check_sentences`] takes [sentences](DraftSentence) with their citations, has each citation resolved and re-read by an
//! [`Evidence`], and has [`memora_entail`] judge each sentence against them. [`VerificationReport::into_verified`] keeps the
//! supported part as a [`VerifiedAnswer`]. [`check_draft`] parses a model's draft first. [`check_text`] does the same for any text: it also parses footnotes, links
//! and quotations, and resolves them with [`PlaceResolver`]. [`remove_unsupported`] and [`annotate_verdicts`] return the text without its unsupported
//! sentences, or with marks after them.
//!
//! Invariant: **nothing is called verified unless it was re-read**, and three findings stay apart: the
//! citation is valid; the sentence is supported; the sentence has a citation at all. "Verified" means that the user's
//! notes say so now. It does not mean that it is true.
//!
//! Out of scope: reading files (the engine implements [`Evidence`]), deciding what may leave the machine
//! (`memora-redact`), asking a model again (`memora-engine`).

mod antecedent;
mod check;
mod citation;
mod comparison;
mod confusables;
mod draft;
mod evidence;
mod fix;
mod letter_map;
mod lists;
mod reference;
mod reference_links;
mod report;
mod source_map;
mod stock_phrases;
mod verified_answer;

pub use check::{check_draft, check_sentences, check_text};
pub use citation::{CitationGroup, CitationItem, CitationMarker, CitedLink, CitedQuote, find_citations};
pub use confusables::is_cjk;
pub use draft::{BlockKind, DraftCitation, DraftSentence, plain_text, split_sentences};
pub use evidence::{
    CitationFailure, CitationResolution, CitationVerdict, CitedPassage, ComparableText, Evidence, PlaceResolution,
    PlaceResolver, has_words_of_change, states_a_number,
};
pub use fix::{annotate_verdicts, remove_unsupported, strip_addresses};
pub use memora_entail::{Reason, ReasonKind};
pub use report::{
    CheckedCitation, CheckedReason, CheckedSentence, FactElsewhere, ModelFinding, ReportStatus, SentenceVerdict,
    Strictness, VerificationReport, Wording,
};
pub use verified_answer::VerifiedAnswer;
