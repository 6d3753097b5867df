//! `memora verify`: any text, judged by the notes; as verdicts, or as the text without what does not stand.

use std::path::Path;

use memora_engine::report::{CitationOutcome, Freshness, ReportStatus, SentenceVerdict, VerifyReport};
use memora_engine::{
    CloudDoor, ConnectedModel, Door, LanguageModel, LocalDoor, Memora, ModelCall, VerifyInput, pluralize,
};

use super::{catch_up, heard, model, say_withheld, text};
use crate::args::{FailOn, Fix, Format, Input, Verify};
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

pub(super) fn verify(memora: &mut Memora, args: &Verify, ui: &Ui) -> Result<Outcome, Failure> {
    let format = format(args, ui)?;
    let file = text::named(args.file.as_deref());
    let strict = args.strict || memora.config().strict;
    let submitted = submitted(memora, args, file)?.with_strict(strict);
    let model = match &args.judge {
        Some(name) => model::named(memora, name, ui)?,
        None => None,
    };
    let freshness = catch_up(memora, ui)?;
    let verifying = Verifying { memora, args, submitted: &submitted, file, format, freshness, ui };
    match &model {
        None if ui.is_local() => verifying.by_rules(&LocalDoor),
        None => verifying.by_rules(&memora.cloud_door()),
        Some((ConnectedModel::Local(near), _)) if ui.is_local() => verifying.judged(near, &LocalDoor, false),
        Some((ConnectedModel::Local(near), _)) => verifying.judged(near, &memora.cloud_door(), false),
        Some((ConnectedModel::Remote(far), config)) => {
            model::say_far(config, far.remote_reason(), ui);
            verifying.judged::<CloudDoor>(far, &memora.cloud_door(), true)
        }
    }
}

fn format(args: &Verify, ui: &Ui) -> Result<Format, Failure> {
    match (args.format, ui.wants_json()) {
        (None | Some(Format::Json), true) => Ok(Format::Json),
        (Some(_), true) => {
            Err(Failure::say("--json and --format say different things").hinted("leave out one of them"))
        }
        (format, false) => Ok(format.unwrap_or(Format::Text)),
    }
}

fn submitted(memora: &Memora, args: &Verify, file: Option<&Path>) -> Result<VerifyInput, Failure> {
    let text = text::read(file, "verify")?;
    let is_reply = match args.input {
        Input::Auto => VerifyInput::is_like_content_blocks(&text),
        Input::Text => false,
        Input::Anthropic => true,
    };
    if !is_reply {
        let submitted = VerifyInput::from_text(text);
        return Ok(match file {
            Some(file) => submitted.within_file(file, memora.vault()),
            None => submitted,
        });
    }
    if args.fix.is_some() {
        return Err(Failure::say("a reply with content blocks cannot be fixed: its citations stand beside the text")
            .hinted("fix the text that is made of it, or give --input text"));
    }
    Ok(VerifyInput::from_blocks(&text)?)
}

/// A text on its way to verdicts.
struct Verifying<'a> {
    memora: &'a Memora,
    args: &'a Verify,
    submitted: &'a VerifyInput,
    file: Option<&'a Path>,
    format: Format,
    freshness: Freshness,
    ui: &'a Ui,
}

impl Verifying<'_> {
    fn by_rules<D: Door>(&self, door: &D) -> Result<Outcome, Failure> {
        let session = self.memora.session(door.clone())?;
        let report = session.verifier().verify_text(self.submitted, self.freshness)?;
        match self.args.fix {
            Some(Fix::Remove) => self.ui.print_text(&session.verifier().fix_text(self.submitted)?)?,
            Some(Fix::Mark) => self.ui.print_text(&session.verifier().mark_text(self.submitted)?)?,
            None => self.print(&report)?,
        }
        say_withheld(door, self.ui);
        Ok(outcome(&report, &self.args.fail_on))
    }

    fn judged<D: Door>(&self, model: &dyn LanguageModel<D>, door: &D, leaves: bool) -> Result<Outcome, Failure> {
        self.ui.progress(&format!("asking {}", model.name()));
        let stop = heard();
        let asking = ModelCall { model, leaves, strict: self.submitted.is_strict(), stop: &stop };
        let report = self
            .memora
            .verify_with_model(self.submitted, door, &asking, self.freshness)
            .map_err(|error| Failure::from(error).hinted("without --judge the rules alone decide"))?;
        self.print(&report)?;
        if let Some(by) = report.judged.as_ref().filter(|by| by.not_judged > 0) {
            self.ui.say(&format!(
                "note: {} did not judge {}: by the rules alone",
                by.model,
                pluralize(by.not_judged, "sentence")
            ));
        }
        if self.ui.is_local() && leaves {
            self.ui
                .say(&format!("note: guarded text was kept from {}, and its sentences are not judged", model.name()));
        } else {
            say_withheld(door, self.ui);
        }
        Ok(outcome(&report, &self.args.fail_on))
    }

    fn print<D: Door>(&self, report: &VerifyReport<D>) -> Result<(), Failure> {
        let text = match self.format {
            Format::Text => print::verify(report),
            Format::Json => serde_json::to_string_pretty(report).map_err(Failure::new)?,
            Format::Sarif => {
                let sarif = print::sarif(report, self.submitted, self.file);
                serde_json::to_string_pretty(&sarif).map_err(Failure::new)?
            }
        };
        Ok(self.ui.print(&text)?)
    }
}

/// Whether anything was found that makes it fail.
fn outcome<D>(report: &VerifyReport<D>, fail_on: &[FailOn]) -> Outcome {
    let fails = fail_on.iter().any(|what| is_found(report, *what));
    if fails { Outcome::Doubtful } else { Outcome::Good }
}

fn is_found<D>(report: &VerifyReport<D>, what: FailOn) -> bool {
    let sentence = |verdict: SentenceVerdict| report.sentences.iter().any(|sentence| sentence.verdict == verdict);
    let mut citations = report.sentences.iter().flat_map(|sentence| &sentence.citations);
    let mut citation = |verdict: CitationOutcome| citations.any(|citation| citation.verdict == verdict);
    match what {
        FailOn::Contradicted => sentence(SentenceVerdict::Contradicted),
        FailOn::Unsupported => sentence(SentenceVerdict::Unsupported),
        FailOn::Paraphrased => sentence(SentenceVerdict::Paraphrased),
        FailOn::Rejected => sentence(SentenceVerdict::Rejected),
        FailOn::Uncited => sentence(SentenceVerdict::Uncited),
        FailOn::Citation => citations.any(|citation| !citation.verdict.stands()),
        FailOn::NoEvidence => report.status == ReportStatus::NoEvidence,
        FailOn::NotJudged => report.judged.as_ref().is_some_and(|by| by.not_judged > 0),
        FailOn::Changed => citation(CitationOutcome::Changed),
        FailOn::MissingNote => citation(CitationOutcome::MissingNote),
        FailOn::UnknownId => citation(CitationOutcome::UnknownId),
        FailOn::Withdrawn => citation(CitationOutcome::Withdrawn),
        FailOn::Superseded => citation(CitationOutcome::Superseded),
        FailOn::Redacted => citation(CitationOutcome::Redacted),
        FailOn::Malformed => citation(CitationOutcome::Malformed),
        FailOn::UnknownPlace => citation(CitationOutcome::UnknownPlace),
        FailOn::Ambiguous => citation(CitationOutcome::Ambiguous),
        FailOn::Itself => citation(CitationOutcome::Itself),
        FailOn::Captured => citation(CitationOutcome::Captured),
        FailOn::None => false,
    }
}
