//! `memora browse`: serves the page to the user's browser until Ctrl-C.
//!
//! The page shows everything, so its address is for the user alone: it is printed where nobody else reads, and handed to the browser in
//! a file rather than in an argument, which everybody on the machine can list.

use std::io::{BufRead as _, Write as _};
use std::sync::mpsc::channel;
use std::thread;

use jiff::Zoned;
use memora_engine::FoundVault;
use memora_page::{BindError, Limits, PageServer, PageSetup, PageStop};

use super::stop::on_stop;
use super::vault::{load_config, warn_misread_settings, with_listed_vaults};
use crate::args::{Browse, GlobalArgs};
use crate::command_error::{CommandError, CommandOutcome};
use crate::ui::Ui;

/// What the command waits for.
enum Event {
    /// The user pressed Enter.
    Enter,
    /// The server ended.
    Ended(Result<(), BindError>),
}

pub(super) fn run(global: &GlobalArgs, args: &Browse, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    if !ui.is_local() {
        return Err(CommandError::usage("the page shows guarded text too, so its address is for you alone")
            .with_hint("run it in a terminal, or with --door local if only you read the output"));
    }
    let vault = FoundVault::find(global.vault.as_deref(), load_config(global)?);
    let vault = vault.map_err(|error| with_listed_vaults(error.into(), ui))?;
    warn_misread_settings(vault.vault(), vault.config(), ui);
    // The day of the start, by --today or the clock, plus the days that have passed since.
    let (told, began) = (vault.config().today, Zoned::now().date());
    let today = Box::new(move || told.saturating_add(Zoned::now().date() - began));
    let stop = PageStop::default();
    let stopped = stop.clone();
    on_stop(move || stopped.stop());
    let (port, plain_address, decide) = (args.port, args.plain_address, args.decide);
    let limits = Limits::default();
    let server = PageServer::bind(PageSetup { vault, port, plain_address, decide, today, stop, limits })?;
    let entrance = server.entrance();
    ui.print_line(&entrance.new_address())?;
    // Lives as long as the page: a browser may be slow to start.
    let _redirect = if args.open { Some(open_page(&entrance.new_address(), ui)?) } else { None };
    ui.status_line("the address lets one browser in, within two minutes; whoever has it reads your notes");
    if plain_address {
        ui.status_line("with --plain-address other programs at other ports of this machine can get at the session");
    } else {
        ui.status_line("if the browser cannot find it, start again with --plain-address");
    }
    if !decide {
        ui.status_line("the page only reads; start it with --decide to record decisions");
    }
    let (send, events) = channel();
    let ended = send.clone();
    thread::spawn(move || drop(ended.send(Event::Ended(server.serve()))));
    if ui.can_ask() {
        ui.status_line("Enter prints a new address, Ctrl-C ends the page");
        thread::spawn(move || {
            for _ in std::io::stdin().lock().lines().map_while(Result::ok) {
                if send.send(Event::Enter).is_err() {
                    return;
                }
            }
        });
    }
    loop {
        match events.recv() {
            Ok(Event::Enter) => ui.print_line(&entrance.new_address())?,
            Ok(Event::Ended(served)) => {
                served?;
                return Ok(CommandOutcome::Good);
            }
            Err(_) => return Ok(CommandOutcome::Good),
        }
    }
}

/// Hands the browser an address in a file that its user alone can read.
fn open_page(address: &str, ui: &Ui) -> Result<tempfile::NamedTempFile, CommandError> {
    let failed = |error: std::io::Error| {
        CommandError::failed(format!("cannot write the file that leads the browser there: {error}"))
            .with_hint("open the printed address yourself")
    };
    let mut file = tempfile::Builder::new().prefix("memora-").suffix(".html").tempfile().map_err(failed)?;
    let page = format!(
        "<!doctype html><meta charset=\"utf-8\"><title>Memora</title><meta name=\"referrer\" content=\"no-referrer\">\
         <meta http-equiv=\"refresh\" content=\"0;url={address}\"><p><a href=\"{address}\">Open my notes</a></p>\n"
    );
    file.write_all(page.as_bytes()).map_err(failed)?;
    ui.open_page(file.path())?;
    Ok(file)
}
