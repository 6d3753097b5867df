//! Answers that a model drafts: draft, verify, ask again with what stood, within a bound.
//!
//! The one rule to know: **a draft is never believed.** It is a text from anywhere; what comes of it is what [`check`] keeps
//! of it, against notes that were read again after the model had answered. The loop knows neither models nor notes: a
//! [`Desk`] does, and whatever it is told, the loop asks at most [`DRAFTS_MAX`] times.
//!
//! [`check`]: memora_verify::check

use std::collections::BTreeSet;

use memora_claim::ClaimId;
use memora_redact::{Door, Prompt};
use memora_verify::{Failure, Finding, Marker, Report, Status, VerifiedAnswer};

/// How often a model is asked for one answer: once, and at most twice again.
pub const DRAFTS_MAX: usize = 3;

/// Who knows the notes and the model, for one question.
pub trait Desk<D: Door> {
    /// What can go wrong on either side.
    type Error;

    /// Reads the claims again, and makes the prompt of those that stand; nothing if none does.
    ///
    /// The first prompt is made of all that was found (`among` is `None`), later ones of claims of the prompt before.
    ///
    /// # Errors
    /// When the notes cannot be read.
    fn prompt(&mut self, among: Option<&[ClaimId]>) -> Result<Option<Offer<D>>, Self::Error>;

    /// Sends a prompt, and returns the reply.
    ///
    /// # Errors
    /// When there is none.
    fn ask(&mut self, prompt: &Prompt<D>) -> Result<String, Self::Error>;

    /// Whether there is no answer after an error, whatever was verified before: the user has to know of it.
    fn ends_all(&self, error: &Self::Error) -> bool;

    /// Reads the notes again and judges a draft that was made of these claims.
    ///
    /// # Errors
    /// When the notes cannot be read.
    fn check(&mut self, draft: &str, offered: &[ClaimId]) -> Result<Judged, Self::Error>;
}

/// A prompt, and the claims that it offers.
#[derive(Clone, Debug)]
pub struct Offer<D: Door> {
    /// What is sent.
    pub prompt: Prompt<D>,
    /// What may be cited.
    pub claims: Vec<ClaimId>,
}

/// A draft with its verdicts, by the notes as they are now.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The verdicts.
    pub report: Report,
    /// Whether something that the draft was made of may not be seen any more: then nothing of it may.
    pub withheld: bool,
}

/// What came of the drafts.
#[derive(Debug)]
pub struct Drafted {
    /// What holds, if anything does.
    pub outcome: Outcome,
    /// How often the model was asked.
    pub drafts: usize,
    /// What was taken out of the draft that the answer is left of.
    pub removed: Removed,
}

/// How it ended.
#[derive(Debug)]
pub enum Outcome {
    /// The part of a draft that was verified; its status says whether that is all of it.
    Answer(VerifiedAnswer),
    /// The model found nothing in what it was given, and said so.
    NothingFound,
    /// No sentence of any draft holds.
    NothingHolds,
    /// Something that the drafts were made of became guarded meanwhile.
    Withheld,
    /// None of the claims stands any more, so that nobody was asked.
    NothingToOffer,
    /// The model said nothing, each time.
    Silent,
}

/// How many sentences and citations of a draft did not hold, by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// Sentences of which a fact disagrees with the cited words.
    pub contradicted: usize,
    /// Sentences of which something is in nothing that they cite.
    pub unsupported: usize,
    /// Sentences in words of their own, where those are not wanted.
    pub paraphrased: usize,
    /// Sentences whose every citation fails, or one of whose is redacted.
    pub rejected: usize,
    /// Sentences without a citation.
    pub uncited: usize,
    /// Citations that do not stand, wherever.
    pub citations: usize,
}

impl Removed {
    fn of(report: &Report) -> Self {
        use memora_verify::SentenceVerdict::{Contradicted, Paraphrased, Rejected, Uncited, Unsupported};
        let sentences = report.sentences();
        let count = |verdict| sentences.iter().filter(|sentence| sentence.verdict() == verdict).count();
        let citations = sentences.iter().flat_map(|sentence| sentence.citations());
        Self {
            contradicted: count(Contradicted),
            unsupported: count(Unsupported),
            paraphrased: if report.is_strict() { count(Paraphrased) } else { 0 },
            rejected: count(Rejected),
            uncited: count(Uncited),
            citations: citations.filter(|citation| !citation.verdict().stands()).count(),
        }
    }
}

/// The draft that came farthest.
struct Best {
    text: String,
    claims: Vec<ClaimId>,
    kept: usize,
}

/// Has an answer drafted and verified.
///
/// 1. A draft of which everything holds is the answer, at once. So is a model's word that it found nothing; that it
///    says nothing is none.
/// 2. Else it is asked again, with those claims alone that it cited and that stand; if it cited none, with all that stand.
/// 3. After [`DRAFTS_MAX`] drafts the one of which most sentences hold is judged again, and what holds of it is the answer.
///
/// # Errors
/// What the desk says, unless something was verified before and it [does not end all](Desk::ends_all): that is the answer then.
pub fn drafted<D: Door, K: Desk<D>>(desk: &mut K) -> Result<Drafted, K::Error> {
    let mut among: Option<Vec<ClaimId>> = None;
    let mut best: Option<Best> = None;
    let (mut drafts, mut removed, mut silent) = (0, Removed::default(), true);
    let without = |outcome, drafts, removed| Ok(Drafted { outcome, drafts, removed });
    while drafts < DRAFTS_MAX {
        let Some(Offer { prompt, claims }) = desk.prompt(among.as_deref())? else {
            if drafts == 0 {
                return without(Outcome::NothingToOffer, drafts, removed);
            }
            break;
        };
        drafts += 1;
        let text = match desk.ask(&prompt) {
            Ok(text) => text,
            Err(error) if best.is_none() || desk.ends_all(&error) => return Err(error),
            // What was verified before is worth more than to know why there is no more of it.
            Err(_) => break,
        };
        let Judged { report, withheld } = desk.check(&text, &claims)?;
        if withheld {
            return without(Outcome::Withheld, drafts, removed);
        }
        removed = Removed::of(&report);
        let said_something = text.chars().any(char::is_alphanumeric);
        silent &= !said_something;
        match report.status() {
            Status::Verified | Status::Supported => return without(ended(report), drafts, removed),
            Status::NoEvidence if !said_something => {}
            Status::NoEvidence if best.is_none() => return without(Outcome::NothingFound, drafts, removed),
            // It gave up, where it had something before.
            Status::NoEvidence => break,
            Status::Partial | Status::Unverified => {}
        }
        let kept = report.sentences().iter().filter(|sentence| report.keeps(sentence)).count();
        among = Some(relied_on(&report, &claims));
        if kept > 0 && best.as_ref().is_none_or(|best| best.kept < kept) {
            best = Some(Best { text, claims, kept });
        }
    }
    let Some(best) = best else {
        return without(if silent { Outcome::Silent } else { Outcome::NothingHolds }, drafts, removed);
    };
    // What was judged before the model was asked again may have changed since.
    let Judged { report, withheld } = desk.check(&best.text, &best.claims)?;
    if withheld {
        return without(Outcome::Withheld, drafts, removed);
    }
    removed = Removed::of(&report);
    without(ended(report), drafts, removed)
}

/// Has an answer drafted once, and takes it if everything in it holds.
///
/// # Errors
/// What the desk says.
pub fn strictly_drafted<D: Door, K: Desk<D>>(desk: &mut K) -> Result<Drafted, K::Error> {
    let Some(Offer { prompt, claims }) = desk.prompt(None)? else {
        return Ok(Drafted { outcome: Outcome::NothingToOffer, drafts: 0, removed: Removed::default() });
    };
    let text = desk.ask(&prompt)?;
    let Judged { report, withheld } = desk.check(&text, &claims)?;
    if withheld {
        return Ok(Drafted { outcome: Outcome::Withheld, drafts: 1, removed: Removed::default() });
    }
    let removed = Removed::of(&report);
    let outcome = match report.status() {
        Status::Verified | Status::Supported => ended(report),
        Status::NoEvidence => Outcome::NothingFound,
        Status::Partial | Status::Unverified => Outcome::NothingHolds,
    };
    Ok(Drafted { outcome, drafts: 1, removed })
}

fn ended(report: Report) -> Outcome {
    report.into_verified().map_or(Outcome::NothingHolds, Outcome::Answer)
}

/// Of the claims that were offered those that the draft cites and that stand; if it cites none such, all.
fn relied_on(report: &Report, offered: &[ClaimId]) -> Vec<ClaimId> {
    let citations = report.sentences().iter().flat_map(|sentence| sentence.citations());
    let stand: BTreeSet<_> = citations
        .filter(|citation| citation.verdict().stands())
        .filter_map(|citation| match citation.marker() {
            Marker::Id(id) => Some(id.statement()),
            Marker::Handle(_) | Marker::Link(_) | Marker::Quote(_) | Marker::Malformed => None,
        })
        .collect();
    let cited: Vec<ClaimId> = offered.iter().filter(|id| stand.contains(&id.statement())).copied().collect();
    if cited.is_empty() { offered.to_vec() } else { cited }
}

/// What becomes of a citation of a claim that the model was not given: that it stands counts for nothing.
#[must_use]
pub fn as_offered(id: &ClaimId, offered: &[ClaimId], finding: Finding) -> Finding {
    let was = offered.iter().any(|offered| offered.statement() == id.statement());
    match finding {
        Finding::Stands(_) if !was => Finding::Fails(Failure::NotOffered),
        finding => finding,
    }
}

/// Whether a claim that was offered may not be seen any more, by what looking it up again says.
#[must_use]
pub fn is_guarded_now(finding: &Finding) -> bool {
    matches!(finding, Finding::Fails(Failure::UnknownId | Failure::Redacted))
}
