//! `memora mcp`: serves an agent until it disconnects.

use jiff::Zoned;
use memora_engine::{FoundVault, MemoryAccess, find_project, terminate_servers};
use memora_mcp::{AnswerForm, Audience, ServerSetup, ServerStop};

use super::stop::on_stop;
use super::vault::{load_config, warn_misread_settings};
use crate::args::{GlobalArgs, Mcp, MemoryUse, ModelLocality};
use crate::command_error::{CommandError, CommandOutcome};
use crate::ui::Ui;

pub(super) fn serve(global: &GlobalArgs, args: &Mcp, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let vault = FoundVault::find(global.vault.as_deref(), load_config(global)?)?;
    warn_misread_settings(vault.vault(), vault.config(), ui);
    if ui.can_ask() {
        ui.status_line("note: a client is expected to speak at this end, and not a person; Ctrl-D ends it");
        ui.hint("memora mcp install --client PROGRAM has a program start it");
    }
    let client = match args.client {
        ModelLocality::Local => Audience::Local,
        ModelLocality::Cloud => Audience::Cloud,
    };
    // The day of the start, by --today or the clock, plus the days that have passed since.
    let (told, began) = (vault.config().today, Zoned::now().date());
    let today = Box::new(move || told.saturating_add(Zoned::now().date() - began));
    let memory = match args.memory {
        None => MemoryAccess::Off,
        Some(MemoryUse::Read) => MemoryAccess::Read,
        Some(MemoryUse::Write) => MemoryAccess::Write,
    };
    let memory = memory.min(vault.config().memory.access_in(vault.vault()));
    let project = std::env::current_dir().ok().and_then(|folder| find_project(&folder));
    let stop = ServerStop::default();
    let stopped = stop.clone();
    on_stop(move || {
        terminate_servers();
        stopped.stop();
    });
    let allow_capture = args.allow_capture;
    let form = if args.structured { AnswerForm::Structured } else { AnswerForm::Text };
    memora_mcp::serve(ServerSetup { vault, client, allow_capture, memory, project, form, today, stop })?;
    Ok(CommandOutcome::Good)
}
