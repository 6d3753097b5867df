//! `memora mcp`: serves an agent until it goes.

use jiff::Zoned;
use memora_engine::Memora;
use memora_mcp::{Client, Setup};

use crate::args::{Mcp, ModelWord};
use crate::failure::{Failure, Outcome};

pub(super) fn mcp(memora: &Memora, args: &Mcp) -> Result<Outcome, Failure> {
    let client = match args.client {
        ModelWord::Local => Client::Local,
        ModelWord::Cloud => Client::Cloud,
    };
    // The day that it was started on, by --today or the clock, and as many more as have passed.
    let (told, began) = (memora.config().today, Zoned::now().date());
    let today = Box::new(move || told.saturating_add(Zoned::now().date() - began));
    memora_mcp::serve(Setup { memora: memora.beside()?, client, today })?;
    Ok(Outcome::Good)
}
