//! `completions` and `man`: files generated from the command line's definition.

use std::fs;
use std::path::Path;

use clap::CommandFactory as _;

use crate::args::{Cli, Completions, Man};
use crate::command_error::{CommandError, CommandErrorKind, CommandOutcome};
use crate::ui::Ui;

pub(super) fn print_completions(args: &Completions, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "memora", &mut script);
    ui.print_text(&String::from_utf8_lossy(&script))?;
    Ok(CommandOutcome::Good)
}

pub(super) fn write_man_pages(args: &Man, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        ui.print_text(&String::from_utf8_lossy(&page))?;
        return Ok(CommandOutcome::Good);
    };
    if is_inside_vault(folder) {
        return Err(CommandError::usage(format!("{} lies inside a vault", folder.display()))
            .with_hint("name a folder where man looks, such as ~/.local/share/man/man1"));
    }
    let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    written.map_err(|error| {
        CommandError::from_error(
            CommandErrorKind::Failed,
            anyhow::Error::from(error).context(format!("cannot write into {}", folder.display())),
        )
        .with_hint("name a folder that you may write into")
    })?;
    ui.status_line(&format!("the pages are in {}", folder.display()));
    Ok(CommandOutcome::Good)
}

/// Whether a folder, which may not exist yet, lies inside a folder with `.obsidian`.
fn is_inside_vault(folder: &Path) -> bool {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let real = absolute.ancestors().find_map(|part| part.canonicalize().ok()).unwrap_or_default();
    absolute.ancestors().chain(real.ancestors()).any(|part| part.join(".obsidian").is_dir())
}
