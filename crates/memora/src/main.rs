//! The command line: arguments in, one engine call, a report out.
//!
//! How a question travels is told in `docs/architecture.md`. Here is only what is typed ([`args`]), how it looks
//! ([`mod@print`]), who may read it ([`ui`]) and how it ends ([`failure`]).

mod args;
mod clients;
mod commands;
mod failure;
mod print;
mod ui;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Cli;
use crate::ui::Ui;

fn main() -> ExitCode {
    let mut filter = tracing_subscriber::EnvFilter::try_from_env("MEMORA_LOG").unwrap_or_default();
    // It would log whole messages to whoever keeps the log.
    if let Ok(quiet) = "rmcp=error".parse() {
        filter = filter.add_directive(quiet);
    }
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();

    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Clap prints help to stdout and mistakes to stderr.
            drop(error.print());
            if error.use_stderr() {
                if unquoted() {
                    ui::hint("put the words in quotes: memora ask \"Where does Anna work?\"");
                }
                ui::hint("memora --help lists the commands, memora help COMMAND their options");
            }
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    let ui = Ui::new(&cli.global);
    match commands::run(cli, &ui) {
        Ok(outcome) => outcome.into(),
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            ui.say(&format!("error: {failure}"));
            for hint in failure.hints() {
                ui.hint(hint);
            }
            ExitCode::from(2)
        }
    }
}

/// Whether several words stand behind a command that takes them as one.
fn unquoted() -> bool {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let mut words = words.skip_while(|word| !matches!(word.as_str(), "ask" | "search" | "entity")).skip(1);
    let bare = |word: &String| !word.starts_with('-');
    words.next().as_ref().is_some_and(bare) && words.next().as_ref().is_some_and(bare)
}
