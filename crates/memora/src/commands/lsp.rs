//! `memora lsp`: serves an editor until it ends.

use jiff::Zoned;
use memora_engine::FoundVault;
use memora_lsp::{Audience, EditorEnd, EditorSetup, editor_stop, serve_editor};

use super::stop::on_stop;
use super::vault::{load_config, warn_misread_settings};
use crate::args::{GlobalArgs, Lsp, ModelLocality};
use crate::command_error::{CommandError, CommandOutcome};
use crate::ui::Ui;

pub(super) fn serve(global: &GlobalArgs, args: &Lsp, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let vault = FoundVault::find(global.vault.as_deref(), load_config(global)?)?;
    warn_misread_settings(vault.vault(), vault.config(), ui);
    if ui.can_ask() {
        ui.status_line("note: an editor is expected to speak at this end, and not a person; Ctrl-D ends it");
        ui.hint("docs/editors.md has the lines that have an editor start it");
    }
    let audience = match args.client {
        ModelLocality::Local => Audience::Local,
        ModelLocality::Cloud => Audience::Cloud,
    };
    // The day of the start, by --today or the clock, plus the days that have passed since.
    let (told, began) = (vault.config().today, Zoned::now().date());
    let today = Box::new(move || told.saturating_add(Zoned::now().date() - began));
    let (stopper, stop) = editor_stop();
    on_stop(move || stopper.stop());
    match serve_editor(EditorSetup { vault, audience, today, stop })? {
        EditorEnd::Good => Ok(CommandOutcome::Good),
        EditorEnd::WithoutShutdown => Ok(CommandOutcome::Doubtful),
    }
}
