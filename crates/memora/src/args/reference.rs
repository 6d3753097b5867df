//! The reference in `docs/cli.md`, generated from the command line's own definition, and the test that it is current.

use std::fmt::Write as _;
use std::path::Path;

use clap::{Arg, Command, CommandFactory as _};

use super::Cli;

const BEGINS: &str = "<!-- generated from the program: UPDATE_DOCS=1 cargo test --bin memora reference -->\n";
const ENDS: &str = "<!-- end of what is generated -->\n";

/// Renders every command with its usage, arguments and options.
fn render_reference() -> String {
    let mut root = Cli::command();
    root.build();
    let mut out = String::new();
    push_options(&mut out, root.get_arguments().filter(|arg| arg.is_global_set()));
    for command in root.get_subcommands().filter(|command| command.get_name() != "help") {
        push_command(&mut out, command, "memora");
    }
    out
}

fn push_command(out: &mut String, command: &Command, parent: &str) {
    let name = format!("{parent} {}", command.get_name());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().bin_name(&name).render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().replace('\n', " ");
    let _ = write!(out, "\n### `{name}`\n\n{about}.\n\n`{usage}`\n");
    push_options(out, command.get_arguments().filter(|arg| !arg.is_global_set()));
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        push_command(out, inner, &name);
    }
}

/// Pushes a table of arguments, if there are any to show.
fn push_options<'a>(out: &mut String, args: impl Iterator<Item = &'a Arg>) {
    let shown = |arg: &&Arg| !arg.is_hide_set() && !matches!(arg.get_id().as_str(), "help" | "version");
    let rows: String = args.filter(shown).map(render_row).collect();
    if !rows.is_empty() {
        let _ = write!(out, "\n| argument | does |\n|---|---|\n{rows}");
    }
}

fn render_row(arg: &Arg) -> String {
    let values = arg.get_value_names().unwrap_or_default();
    let values: Vec<String> =
        values.iter().filter(|_| arg.get_action().takes_values()).map(ToString::to_string).collect();
    let name = match arg.get_long() {
        Some(long) => [vec![format!("--{long}")], values].concat().join(" "),
        None => values.join(" "),
    };
    let mut does = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let choices: Vec<String> =
        arg.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
    if !choices.is_empty() && arg.get_action().takes_values() {
        let _ = write!(does, ": {}", choices.join(", "));
    }
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    if !defaults.is_empty() && arg.get_action().takes_values() {
        let _ = write!(does, " (default: {})", defaults.join(", "));
    }
    format!("| `{}` | {} |\n", name.replace('|', "\\|"), does.replace('|', "\\|"))
}

#[test]
fn the_reference_in_the_documentation_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cli.md");
    let page = std::fs::read_to_string(&path).expect("docs/cli.md can be read");
    let (before, rest) = page.split_once(BEGINS).expect("the generated part begins");
    let (generated, after) = rest.split_once(ENDS).expect("the generated part ends");
    let expect = render_reference();
    for command in Cli::command().get_subcommands() {
        assert!(expect.contains(&format!("### `memora {}`\n", command.get_name())), "{}", command.get_name());
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, format!("{before}{BEGINS}{expect}{ENDS}{after}")).expect("docs/cli.md can be written");
    } else {
        assert!(generated == expect, "run UPDATE_DOCS=1 cargo test --bin memora reference");
    }
}
