//! `memora model`: lists, installs and chooses local models that decide entailment where facts leave it open.

use memora_engine::{Config, EntailmentChoice, Memora, ModelTask, PinTable, PinnedModel};

use super::download::{self, library_hint};
use super::vault::load_config;
use crate::args::{GlobalArgs, InstallModel};
use crate::command_error::{CommandError, CommandErrorKind, CommandOutcome};
use crate::screen;
use crate::ui::Ui;

/// A placeholder for the first entailment model.
const ANY_MODEL: &str = "entailment";

/// Warns once if the chosen model is not available.
pub(super) fn warn_missing(memora: &Memora, ui: &Ui) {
    let Some((name, code, reason)) = memora.missing_entailment() else { return };
    let why = if ui.may_name_notes() { reason } else { code.replace('_', " ") };
    ui.status_line(&format!("note: {name} is configured and cannot be used: {why}"));
    ui.hint("memora model says which there are; until one can be used, what it would read stays paraphrased");
}

pub(super) fn list_models(global: &GlobalArgs, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let config = load_config(global)?;
    let report = config.models_report(ui.may_name_notes());
    ui.print_report(&report, screen::format_models)?;
    Ok(CommandOutcome::Good)
}

pub(super) fn install_model(global: &GlobalArgs, args: &InstallModel, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let pins = PinTable::shipped();
    let model = find_pinned_model(&pins, &args.name)?;
    let config = load_config(global)?;
    ui.status_line(&format!("{} says whether notes bear out a sentence; it reads {}", model.name, model.languages));
    let plan = download::fetch_model(&config, global, &model.name, &args.how, ui)?;
    try_load(&config, &model.name).map_err(|failure| failure.with_hint(library_hint(&plan)))?;
    ui.status_line(&format!("{} is installed in {}, and works", model.name, plan.folder().display()));
    if config.entailment.as_ref().is_none_or(|choice| choice.model != model.name) {
        ui.hint(&format!("memora model use {} chooses it", model.name));
    }
    Ok(CommandOutcome::Good)
}

pub(super) fn choose_model(global: &GlobalArgs, name: &str, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let config = load_config(global)?;
    if name == "none" {
        let path = config.choose_entailment(None)?;
        ui.status_line(&format!("no entailment model is installed, in {}", path.display()));
        return Ok(CommandOutcome::Good);
    }
    let name = if name == ANY_MODEL {
        find_pinned_model(&PinTable::shipped(), ANY_MODEL)?.name.clone()
    } else {
        name.to_owned()
    };
    try_load(&config, &name).map_err(|failure| {
        failure.with_hint(
            "memora model install fetches a model that is listed; another one is named by the path of its folder",
        )
    })?;
    let path = config.choose_entailment(Some(&name))?;
    ui.status_line(&format!("{name} is chosen, in {}", path.display()));
    Ok(CommandOutcome::Good)
}

fn try_load(config: &Config, name: &str) -> Result<(), CommandError> {
    let choice = EntailmentChoice { model: name.to_owned(), entailed_from: None };
    config
        .load_entailment(&choice)
        .map(|_| ())
        .map_err(|error| CommandError::from_error(CommandErrorKind::Failed, error))
}

fn find_pinned_model<'p>(pins: &'p PinTable, name: &str) -> Result<&'p PinnedModel, CommandError> {
    pins.models_for(ModelTask::Entailment).find(|model| name == ANY_MODEL || model.name == name).ok_or_else(|| {
        let names: Vec<&str> = pins.models_for(ModelTask::Entailment).map(|model| model.name.as_str()).collect();
        CommandError::usage(format!("there is no model {name}")).with_hint(format!("there are: {}", names.join(", ")))
    })
}
