//! A text with citations in, a verdict for every sentence and citation out; no model needed.
//!
//! [`check`] cuts a text into [sentences], finds their [citations], has each one looked up and re-read by an
//! [`Evidence`], and has [`memora_entail`] judge whether the cited words say what the sentence says. [`Report::into_verified`] keeps what
//! holds as a [`VerifiedAnswer`]. [`check_any`] does the same for a text from anywhere: it reads footnotes, links and
//! quotations too, and asks [`Places`] where they lead. [`fixed`] and [`marked`] give the text back, without what does not
//! stand or with marks behind it.
//!
//! The one rule to know: **nothing is called verified unless it was re-read**, and three findings stay apart: the
//! citation stands; the sentence is supported; the sentence has a citation at all. "Verified" means that the user's
//! notes say so now. It does not mean that it is true.
//!
//! Deliberately not here: reading files (the engine implements [`Evidence`]), deciding what may leave the machine
//! (`memora-redact`), asking a model again (`memora-answer`).

mod antecedent;
mod check;
mod citation;
mod draft;
mod evidence;
mod fix;
mod flow;
mod fold;
mod reading;
mod reference;
mod report;
mod words;

pub use check::{check_draft, check_text};
pub use citation::{CitationGroup, CitationItem, CitedLink, CitationMarker, CitedQuote, find_citations};
pub use draft::{BlockKind, DraftCitation, DraftSentence, split_sentences, plain_text};
pub use evidence::{CitationVerdict, Evidence, CitationFailure, CitationResolution, CitedPassage, PlaceResolution, PlaceResolver};
pub use fix::{remove_unsupported, annotate_verdicts, strip_addresses};
pub use fold::is_cjk;
pub use memora_entail::{EntailmentError, EntailmentModel, Pair, Probabilities, Reason, ReasonKind};
pub use reading::EntailmentCounts;
pub use report::{CheckedCitation, CheckedSentence, ModelFinding, VerificationReport, SentenceVerdict, ReportStatus, VerifiedAnswer};
