//! `memora verify`: verifies any text against the notes; prints verdicts, or the text without unsupported sentences.

use std::path::Path;

use memora_engine::report::{CitationOutcome, Freshness, ReportStatus, SentenceVerdict, VerifyReport};
use memora_engine::{
    CloudDoor, ConnectedModel, Door, LanguageModel, LocalDoor, Memora, ModelCall, VerifyInput, pluralize,
};

use super::stop::stop_flag;
use super::vault::warn_withheld;
use super::{input, model};
use crate::args::{FailOn, FixMode, InputKind, OutputFormat, StrictMode, Verify};
use crate::command_error::{CommandError, CommandOutcome};
use crate::screen;
use crate::ui::Ui;

pub(super) fn run(
    memora: &Memora,
    args: &Verify,
    freshness: Freshness,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let format = choose_format(args, ui)?;
    let file = input::input_file(args.file.as_deref());
    let strictness = StrictMode::to_strictness(args.strict, memora.config().strict);
    let submitted = read_input(memora, args, file)?.with_strictness(strictness);
    ui.begin_activity("reading what it cites");
    let model = match &args.judge {
        Some(name) => model::connect_named(memora, name, ui)?,
        None => None,
    };
    let verifying = TextVerification { memora, args, submitted: &submitted, file, format, freshness, ui };
    match &model {
        None if ui.is_local() => verifying.verify_by_rules(&LocalDoor),
        None => verifying.verify_by_rules(&memora.cloud_door()),
        Some((ConnectedModel::Local(near), _)) if ui.is_local() => verifying.judge_with_model(near, &LocalDoor, false),
        Some((ConnectedModel::Local(near), _)) => verifying.judge_with_model(near, &memora.cloud_door(), false),
        Some((ConnectedModel::Remote(far), config)) => {
            model::warn_remote(config, far.remote_reason(), ui);
            verifying.judge_with_model::<CloudDoor>(far, &memora.cloud_door(), true)
        }
    }
}

fn choose_format(args: &Verify, ui: &Ui) -> Result<OutputFormat, CommandError> {
    match (args.format, ui.wants_json()) {
        (None | Some(OutputFormat::Json), true) => Ok(OutputFormat::Json),
        (Some(_), true) => {
            Err(CommandError::usage("--json and --format say different things").with_hint("leave out one of them"))
        }
        (format, false) => Ok(format.unwrap_or(OutputFormat::Text)),
    }
}

fn read_input(memora: &Memora, args: &Verify, file: Option<&Path>) -> Result<VerifyInput, CommandError> {
    let text = input::read_text(file, "verify")?;
    let is_reply = match args.input {
        InputKind::Auto => VerifyInput::is_like_content_blocks(&text),
        InputKind::Text => false,
        InputKind::Anthropic => true,
    };
    if !is_reply {
        let submitted = VerifyInput::from_text(text);
        return Ok(match file {
            Some(file) => submitted.within_file(file, memora.vault()),
            None => submitted,
        });
    }
    if args.fix.is_some() {
        return Err(CommandError::usage(
            "a reply with content blocks cannot be fixed: its citations stand beside the text",
        )
        .with_hint("fix the text that is made of it, or give --input text"));
    }
    Ok(VerifyInput::from_blocks(&text)?)
}

/// A text to be verified, with its options.
struct TextVerification<'a> {
    memora: &'a Memora,
    args: &'a Verify,
    submitted: &'a VerifyInput,
    file: Option<&'a Path>,
    format: OutputFormat,
    freshness: Freshness,
    ui: &'a Ui,
}

impl TextVerification<'_> {
    fn verify_by_rules<D: Door>(&self, door: &D) -> Result<CommandOutcome, CommandError> {
        let session = self.memora.session(door.clone())?;
        let report = session.verifier().verify_text(self.submitted, self.freshness)?;
        match self.args.fix {
            Some(FixMode::Remove) => self.ui.print_text(&session.verifier().fix_text(self.submitted)?)?,
            Some(FixMode::Mark) => self.ui.print_text(&session.verifier().mark_text(self.submitted)?)?,
            None => self.print_verdicts(&report)?,
        }
        warn_withheld(self.memora, door, self.ui);
        Ok(outcome_of_report(&report, &self.args.fail_on))
    }

    fn judge_with_model<D: Door>(
        &self,
        model: &dyn LanguageModel<D>,
        door: &D,
        leaves: bool,
    ) -> Result<CommandOutcome, CommandError> {
        self.ui.begin_activity(format!("asking {}", model.name()));
        let stop = stop_flag();
        let asking = ModelCall { model, leaves, strictness: self.submitted.strictness(), stop: &stop };
        let report = self
            .memora
            .verify_with_model(self.submitted, door, &asking, self.freshness)
            .map_err(|error| CommandError::from(error).with_hint("without --judge the rules alone decide"))?;
        self.print_verdicts(&report)?;
        if let Some(by) = report.judged.as_ref().filter(|by| by.not_judged > 0) {
            self.ui.status_line(&format!(
                "note: {} did not judge {}: by the rules alone",
                by.model,
                pluralize(by.not_judged, "sentence")
            ));
        }
        if self.ui.is_local() && leaves {
            self.ui.status_line(&format!(
                "note: guarded text was kept from {}, and its sentences are not judged",
                model.name()
            ));
        } else {
            warn_withheld(self.memora, door, self.ui);
        }
        Ok(outcome_of_report(&report, &self.args.fail_on))
    }

    fn print_verdicts<D: Door>(&self, report: &VerifyReport<D>) -> Result<(), CommandError> {
        let text = match self.format {
            OutputFormat::Text => {
                self.ui.print_screen(report, &screen::format_verdicts(report))?;
                if report.sentences.is_empty() {
                    self.ui.hint("give a file with sentences, or - for standard input");
                }
                return Ok(());
            }
            OutputFormat::Json => serde_json::to_string_pretty(report).map_err(CommandError::failed)?,
            OutputFormat::Sarif => {
                let sarif = screen::build_sarif(report, self.submitted, self.file);
                serde_json::to_string_pretty(&sarif).map_err(CommandError::failed)?
            }
        };
        Ok(self.ui.print_json(&text)?)
    }
}

/// Returns the outcome: doubtful if anything in `fail_on` was found.
fn outcome_of_report<D>(report: &VerifyReport<D>, fail_on: &[FailOn]) -> CommandOutcome {
    let fails = fail_on.iter().any(|what| has_finding(report, *what));
    if fails { CommandOutcome::Doubtful } else { CommandOutcome::Good }
}

fn has_finding<D>(report: &VerifyReport<D>, what: FailOn) -> bool {
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
