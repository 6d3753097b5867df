//! The command line: arguments in, one engine call, a report out.
//!
//! `docs/architecture.md` follows a question through the crates. This crate covers the arguments ([`args`]), the text
//! output ([`screen`]), the reader's door ([`ui`]) and the exit code ([`command_error`]).

mod args;
mod clients;
mod command_error;
mod commands;
mod invocation;
mod opener;
mod progress;
mod screen;
mod ui;

use std::process::ExitCode;

use clap::Parser;
use memora_engine::Hint;

use crate::args::{ArgumentError, Cli, HookCommand};
use crate::invocation::Invocation;

/// Many threads allocate while a vault is indexed. The system's allocator takes a tenth longer, and gives back less.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let mut filter = tracing_subscriber::EnvFilter::try_from_env("MEMORA_LOG").unwrap_or_default();
    // It would write whole messages to the log, which others may read.
    if let Ok(quiet) = "rmcp=error".parse() {
        filter = filter.add_directive(quiet);
    }
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();

    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Clap prints help to stdout and errors to stderr.
            drop(error.print());
            if error.use_stderr() {
                if has_unquoted_words() {
                    ui::hint("put the words in quotes: memora ask \"Where does Anna work?\"");
                }
                let refused = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<ArgumentError>());
                ui::hint(refused.map_or("", Hint::hint));
                ui::hint("memora --help lists the commands, memora help COMMAND their options");
            }
            // A program that calls a hook must not stop for what its user's environment says.
            let is_error = error.use_stderr() && !is_hook_event();
            return if is_error { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    let invocation = Invocation::from_cli(cli);
    let ui = invocation.ui.clone();
    match commands::run(invocation) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            ui.report_error(&error);
            error.kind().exit_code()
        }
    }
}

/// Whether the arguments answer an event of a program's, as far as they can be told without being parsed.
fn is_hook_event() -> bool {
    let mut words = std::env::args_os().skip_while(|word| word != "hook").skip(1);
    words.next().and_then(|event| event.into_string().ok()).is_some_and(|event| HookCommand::is_event(&event))
}

/// Whether several bare words follow a command that takes a single argument.
fn has_unquoted_words() -> bool {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let mut words = words.skip_while(|word| !matches!(word.as_str(), "ask" | "search" | "entity")).skip(1);
    let bare = |word: &String| !word.starts_with('-');
    words.next().as_ref().is_some_and(bare) && words.next().as_ref().is_some_and(bare)
}
