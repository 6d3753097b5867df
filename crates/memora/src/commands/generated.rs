//! `completions` and `man`: what is made from the shape of the command line.

use std::fs;
use std::path::Path;

use clap::CommandFactory as _;

use crate::args::{Cli, Completions, Man};
use crate::failure::{Failure, Outcome};
use crate::ui::Ui;

pub(super) fn completions(args: &Completions, ui: &Ui) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "memora", &mut script);
    ui.print_text(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Good)
}

pub(super) fn man(args: &Man, ui: &Ui) -> Result<Outcome, Failure> {
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        ui.print_text(&String::from_utf8_lossy(&page))?;
        return Ok(Outcome::Good);
    };
    if is_in_a_vault(folder) {
        return Err(Failure::say(format!("{} lies inside a vault", folder.display()))
            .hinted("name a folder where man looks, such as ~/.local/share/man/man1"));
    }
    let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    written.map_err(|error| {
        Failure::new(anyhow::Error::from(error).context(format!("cannot write into {}", folder.display())))
            .hinted("name a folder that you may write into")
    })?;
    ui.say(&format!("the pages are in {}", folder.display()));
    Ok(Outcome::Good)
}

/// Whether a folder that may not exist yet lies in one with `.obsidian`.
fn is_in_a_vault(folder: &Path) -> bool {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let real = absolute.ancestors().find_map(|part| part.canonicalize().ok()).unwrap_or_default();
    absolute.ancestors().chain(real.ancestors()).any(|part| part.join(".obsidian").is_dir())
}
