//! `--open`: shows the user the first place of a report, in Obsidian or in their editor.
//!
//! Obsidian where the vault is one of its own; else the user's editor, at the line; else whatever opens a file here. Places are taken from
//! the report, never from its text, and nothing goes through a shell. Only somebody who reads the output alone is shown a note, by `Ui`.

use std::path::Path;
use std::process::Command;

use memora_engine::report::{Passage, PassageLine, WireClaim};

use crate::command_error::CommandError;

/// A place to be opened.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place {
    path: String,
    line: Option<usize>,
    /// Its address in Obsidian; by default that of the note.
    url: Option<String>,
}

impl Place {
    /// Where a claim stands.
    pub(crate) fn of_claim<D>(claim: &WireClaim<D>) -> Option<Self> {
        let place = claim.place()?;
        Some(Self { path: place.path.clone(), line: place.line, url: Some(place.url.clone()) })
    }

    /// The line of a passage that was found, or else its first.
    pub(crate) fn of_passage<D>(passage: &Passage<D>) -> Self {
        Self { path: passage.path.clone(), line: found_line(&passage.lines), url: None }
    }
}

/// Opens a place of a vault.
///
/// # Errors
/// A failure to start the editor, or what opens an address.
pub(crate) fn open_place(place: Place, vault: &Path) -> Result<(), CommandError> {
    let file = vault.join(&place.path);
    let named = |name: &str| std::env::var(name).ok().filter(|editor| !editor.trim().is_empty());
    let editor = named("VISUAL").or_else(|| named("EDITOR"));
    let opened = match (vault.join(".obsidian").is_dir(), editor) {
        (true, _) => {
            let url = place.url.unwrap_or_else(|| crate::screen::place_links::obsidian_address(&file));
            open::that_detached(&url).map_err(|error| format!("cannot open {url}: {error}"))
        }
        (false, Some(editor)) => run_editor(&editor, &file, place.line),
        (false, None) => open::that_detached(&file).map_err(|error| format!("cannot open {}: {error}", file.display())),
    };
    opened.map_err(|error| CommandError::failed(error).with_hint("set EDITOR to the editor to open notes with"))
}

/// Opens a file of ours with the program that shows such files, which is the browser.
///
/// # Errors
/// A failure to start what opens files.
pub(crate) fn open_page(file: &Path) -> Result<(), CommandError> {
    open::that_detached(file).map_err(|error| {
        CommandError::failed(format!("cannot open your browser: {error}"))
            .with_hint("open the printed address yourself")
    })
}

/// Runs the user's editor on a file, at a line where it is known how.
fn run_editor(editor: &str, file: &Path, line: Option<usize>) -> Result<(), String> {
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or_default();
    let mut command = Command::new(program);
    command.args(words);
    let name = Path::new(program).file_stem().unwrap_or_default().to_string_lossy();
    match (name.as_ref(), line) {
        (
            "vi" | "vim" | "nvim" | "view" | "nano" | "emacs" | "emacsclient" | "kak" | "joe" | "micro" | "ne",
            Some(line),
        ) => {
            command.arg(format!("+{line}")).arg(file);
        }
        ("code" | "codium" | "cursor" | "windsurf", Some(line)) => {
            command.arg("--goto").arg(format!("{}:{line}", file.display()));
        }
        ("hx" | "helix" | "subl" | "zed", Some(line)) => {
            command.arg(format!("{}:{line}", file.display()));
        }
        _ => {
            command.arg(file);
        }
    }
    let status = command.status().map_err(|error| format!("cannot start {program}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} ended with {status}")) }
}

fn found_line(lines: &[PassageLine]) -> Option<usize> {
    lines.iter().find(|line| line.hit).or(lines.first())?.line
}

#[cfg(test)]
mod tests {
    use memora_engine::Band;

    use super::*;

    #[test]
    fn of_a_passage_the_line_that_was_found_is_opened_or_else_the_first() {
        let line = |line: usize, hit: bool| PassageLine {
            line: Some(line),
            depth: 0,
            columns: None,
            text: String::new(),
            claim: String::new(),
            hit,
            band: Band::default(),
        };
        assert_eq!(found_line(&[line(4, false), line(5, true)]), Some(5));
        assert_eq!(found_line(&[line(4, false), line(5, false)]), Some(4));
        assert_eq!(found_line(&[]), None);
    }
}
