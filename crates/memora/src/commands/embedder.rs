//! `memora embedder`: shows, installs and chooses the embedding model.

use memora_engine::{Door, EmbedderChoice, Memora};

use super::download::{self, library_hint};
use super::vault::load_config;
use crate::args::{GlobalArgs, InstallEmbedder};
use crate::command_error::{CommandError, CommandErrorKind, CommandOutcome};
use crate::screen;
use crate::ui::Ui;

pub(super) fn show_embedder<D: Door>(memora: &mut Memora, door: D, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let report = memora.session(door)?.doctor().report_embedder()?;
    ui.print_report(&report, screen::format_embedder)?;
    Ok(CommandOutcome::Good)
}

/// Warns once if the chosen embedder is not available.
pub(super) fn warn_missing(memora: &Memora, ui: &Ui) {
    let Some((name, code, reason)) = memora.missing_embedder() else { return };
    let why = if ui.may_name_notes() { reason } else { code.replace('_', " ") };
    ui.status_line(&format!("note: {name} is configured and cannot be used: {why}"));
    ui.hint("memora embedder install fetches it; until then memora index has the embedded model stand in");
}

fn parse_choice(name: &str) -> Result<EmbedderChoice, CommandError> {
    EmbedderChoice::from_name(name).ok_or_else(|| {
        let names = EmbedderChoice::ALL.map(EmbedderChoice::name).join(", ");
        CommandError::usage(format!("there is no embedder {name}")).with_hint(format!("there are: {names}"))
    })
}

pub(super) fn choose_embedder(global: &GlobalArgs, name: &str, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let choice = parse_choice(name)?;
    let config = load_config(global)?;
    if let Err(absent) = config.try_embedder(choice) {
        return Err(CommandError::from_error(CommandErrorKind::Failed, absent)
            .with_hint("memora embedder install fetches what is missing"));
    }
    let path = config.choose_embedder(choice)?;
    ui.status_line(&format!("{name} is chosen, in {}", path.display()));
    ui.hint("memora index makes its vectors; until they are made, those that are there serve");
    Ok(CommandOutcome::Good)
}

pub(super) fn install_embedder(
    global: &GlobalArgs,
    args: &InstallEmbedder,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let choice = parse_choice(&args.name)?;
    if choice == EmbedderChoice::Embedded {
        return Err(
            CommandError::usage("the embedded model is part of the program").with_hint("memora embedder use embedded")
        );
    }
    let config = load_config(global)?;
    let plan = download::fetch_model(&config, global, &args.name, &args.how, ui)?;
    config
        .try_embedder(choice)
        .map_err(|absent| CommandError::from_error(CommandErrorKind::Failed, absent).with_hint(library_hint(&plan)))?;
    ui.status_line(&format!("{} is installed in {}, and works", args.name, plan.folder().display()));
    if config.embedder != choice {
        ui.hint(&format!("memora embedder use {} chooses it", args.name));
    }
    Ok(CommandOutcome::Good)
}
