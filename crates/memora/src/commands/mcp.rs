//! `memora mcp`: serves an agent until it goes.

use jiff::Zoned;
use memora_engine::FoundVault;
use memora_mcp::{Client, Setup};

use super::{config, say_settings};
use crate::args::{Global, Mcp, ModelWord};
use crate::failure::{Failure, Outcome};
use crate::ui::Ui;

pub(super) fn serve(global: &Global, args: &Mcp, ui: &Ui) -> Result<Outcome, Failure> {
    let by_hand = ui.can_ask();
    // What it says is read by the agent, whatever the door of other commands.
    let ui = ui.for_client(args.client);
    let vault = FoundVault::find(global.vault.as_deref(), config(global)?)?;
    say_settings(vault.vault(), vault.config(), &ui);
    if by_hand {
        ui.say("note: a client is expected to speak at this end, and not a person; Ctrl-D ends it");
        ui.hint("memora mcp install --client PROGRAM has a program start it");
    }
    let client = match args.client {
        ModelWord::Local => Client::Local,
        ModelWord::Cloud => Client::Cloud,
    };
    // The day that it was started on, by --today or the clock, and as many more as have passed.
    let (told, began) = (vault.config().today, Zoned::now().date());
    let today = Box::new(move || told.saturating_add(Zoned::now().date() - began));
    memora_mcp::serve(Setup { vault, client, allow_capture: args.allow_capture, today })?;
    Ok(Outcome::Good)
}
