//! The commands: each is handed an opened vault, calls the engine once, and prints.

mod ask;
mod browse;
mod capture;
mod changes;
mod claims;
mod contradictions;
mod decide;
mod demo;
mod download;
mod embedder;
mod extract;
mod filters;
mod generated;
mod hook;
mod hook_turns;
mod index;
mod init;
mod input;
mod install;
mod judged_list;
mod lsp;
mod mcp;
mod memory;
mod memory_bridge;
mod memory_consolidate;
mod memory_transfer;
mod model;
mod privacy;
mod review;
mod stop;
mod vault;
mod verify;
mod watch;

use memora_engine::report::Freshness;
use memora_engine::{DecisionKind, Door, LocalDoor, Memora};

use crate::args::GlobalArgs;
use crate::command_error::{CommandError, CommandErrorKind, CommandOutcome};
use crate::invocation::{Action, Invocation, ModelAction, ProgramAction, ReadAction, UpkeepAction};
use crate::ui::Ui;

/// Runs what was asked for.
pub(crate) fn run(invocation: Invocation) -> Result<CommandOutcome, CommandError> {
    let Invocation { global, ui, action } = invocation;
    match action {
        Action::Program(action) => run_program(&action, &global, &ui),
        Action::Upkeep(action) => in_vault(&global, &ui, |memora| keep_up(memora, &action, &ui)),
        Action::Read(action) => in_vault(&global, &ui, |memora| {
            let freshness = vault::prepare_index(memora, action.index_need(), &ui)?;
            if !action.reads_input() {
                ui.begin_activity("reading the notes");
            }
            if ui.is_local() {
                read(memora, &action, freshness, &global, LocalDoor, &ui)
            } else {
                let door = memora.cloud_door();
                read(memora, &action, freshness, &global, door, &ui)
            }
        }),
        Action::Model(action) => in_vault(&global, &ui, |memora| {
            let freshness = vault::prepare_index(memora, action.index_need(), &ui)?;
            if !matches!(action, ModelAction::Verify(_)) {
                ui.begin_activity("reading the notes");
            }
            match &action {
                ModelAction::Ask(args) => ask::run(memora, args, freshness, &ui),
                ModelAction::Extract(args) => extract::run(memora, args, &ui),
                ModelAction::Verify(args) => verify::run(memora, args, freshness, &ui),
            }
        }),
    }
}

/// Opens the vault for an action, runs it again if it failed because the index is damaged, and says afterwards which configured models it had to do without.
fn in_vault(
    global: &GlobalArgs,
    ui: &Ui,
    action: impl Fn(&mut Memora) -> Result<CommandOutcome, CommandError>,
) -> Result<CommandOutcome, CommandError> {
    let mut memora = vault::open_vault(global, ui)?;
    let mut outcome = action(&mut memora);
    ui.end_activity();
    let has_failed = outcome.as_ref().is_err_and(|error| error.kind() == CommandErrorKind::Failed);
    if has_failed && memora.recover_damaged_index().unwrap_or_default() {
        ui.status_line("note: the index was damaged; it is made anew");
        outcome = action(&mut memora);
    }
    embedder::warn_missing(&memora, ui);
    outcome
}

fn run_program(action: &ProgramAction, global: &GlobalArgs, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    match action {
        ProgramAction::Init(args) => init::run(global, args, ui),
        ProgramAction::Demo => demo::run(global, ui),
        ProgramAction::Completions(args) => generated::print_completions(args, ui),
        ProgramAction::Man(args) => generated::write_man_pages(args, ui),
        ProgramAction::Serve(args) => mcp::serve(global, args, ui),
        ProgramAction::Browse(args) => browse::run(global, args, ui),
        ProgramAction::ServeEditor(args) => lsp::serve(global, args, ui),
        ProgramAction::Hook(what) => hook::run(global, what, ui),
        ProgramAction::InstallEmbedder(args) => embedder::install_embedder(global, args, ui),
        ProgramAction::ChooseEmbedder { name } => embedder::choose_embedder(global, name, ui),
    }
}

fn keep_up(memora: &mut Memora, action: &UpkeepAction, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    match action {
        UpkeepAction::Index(args) if ui.is_local() => index::run_index(memora, args, LocalDoor, ui),
        UpkeepAction::Index(args) => {
            let door = memora.cloud_door();
            index::run_index(memora, args, door, ui)
        }
        UpkeepAction::Watch(args) => watch::run(memora, args, ui),
        UpkeepAction::Reset(args) => index::reset_index(memora, args, ui),
        UpkeepAction::Egress(args) if ui.is_local() => privacy::show_egress(memora, args, LocalDoor, ui),
        UpkeepAction::Egress(args) => privacy::show_egress(memora, args, memora.cloud_door(), ui),
    }
}

fn read<D: Door>(
    memora: &mut Memora,
    action: &ReadAction,
    freshness: Freshness,
    global: &GlobalArgs,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    match action {
        ReadAction::Search(args) => claims::run_search(memora, args, freshness, door, ui),
        ReadAction::Claims(args) => claims::list_claims(memora, args, freshness, door, ui),
        ReadAction::Why(args) => claims::explain_claim(memora, args, door, ui),
        ReadAction::Entity(args) => claims::show_entity(memora, args, freshness, door, ui),
        ReadAction::Contradictions(args) => contradictions::run(memora, args, freshness, door, ui),
        ReadAction::Stale(args) => decide::list_stale(memora, args, freshness, door, ui),
        ReadAction::Changes(args) => changes::run(memora, args, freshness, door, ui),
        ReadAction::Review(args) => review::run(memora, args, freshness, door, ui),
        ReadAction::Keep(args) => decide::keep_claim(memora, args, door, ui),
        ReadAction::Retract(args) => {
            let act = if args.ended { DecisionKind::End } else { DecisionKind::Retract };
            decide::decide_claim(memora, act, &args.claim, &[], door, ui)
        }
        ReadAction::Restore(args) => decide::decide_claim(memora, DecisionKind::Restore, &args.claim, &[], door, ui),
        ReadAction::Capture(args) => capture::run(memora, args, freshness, door, ui),
        ReadAction::Memory(args) => memory::run(memora, args, freshness, door, ui),
        ReadAction::Status => index::show_status(memora, freshness, door, ui),
        ReadAction::Doctor(args) => index::run_doctor(memora, args, freshness, door, ui),
        ReadAction::Export(args) => claims::export_claims(memora, args, door, ui),
        ReadAction::Embedder => embedder::show_embedder(memora, door, ui),
        ReadAction::Audit(args) => privacy::run_audit(memora, args, freshness, door, ui),
        ReadAction::InstallServer(args) => install::run(memora, args, freshness, global, door, ui),
    }
}
