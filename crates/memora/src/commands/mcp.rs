//! `memora mcp`: serves an agent until it goes.

use jiff::Zoned;
use memora_engine::{Door, Memora};
use memora_mcp::{Client, Setup};

use super::install::install;
use crate::args::{Global, Mcp, McpCommand, ModelWord};
use crate::failure::{Failure, Outcome};
use crate::ui::Ui;

pub(super) fn mcp<D: Door>(
    memora: &mut Memora,
    args: &Mcp,
    global: &Global,
    door: D,
    ui: &Ui,
) -> Result<Outcome, Failure> {
    if let Some(McpCommand::Install(args)) = &args.what {
        return install(memora, args, global, door, ui);
    }
    let client = match args.client {
        ModelWord::Local => Client::Local,
        ModelWord::Cloud => Client::Cloud,
    };
    // The day that it was started on, by --today or the clock, and as many more as have passed.
    let (told, began) = (memora.config().today, Zoned::now().date());
    let today = Box::new(move || told.saturating_add(Zoned::now().date() - began));
    let setup = Setup { memora: memora.beside()?, client, allow_capture: args.allow_capture, today };
    memora_mcp::serve(setup)?;
    Ok(Outcome::Good)
}
