//! `--open`: shows the user the first place of a report, in Obsidian or in their editor.
//!
//! Obsidian where the vault is one of its own; else the user's editor, at the line; else whatever opens a file here. Places are taken from
//! the report, never from its text, and nothing goes through a shell.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::command_error::CommandError;

/// A place to be opened.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    path: String,
    line: Option<u64>,
    /// Its address in Obsidian.
    url: Option<String>,
}

/// Opens the first place of a serialized report; `false` where it has none.
///
/// # Errors
/// A failure to start the editor, or what opens an address.
pub(crate) fn open_first(report: &Value, vault: &Path) -> Result<bool, CommandError> {
    let Some(place) = first_place(report) else { return Ok(false) };
    let file = vault.join(&place.path);
    let editor =
        ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok()).filter(|it| !it.trim().is_empty());
    let opened = match (vault.join(".obsidian").is_dir(), editor) {
        (true, _) => {
            let url = place.url.unwrap_or_else(|| crate::screen::place_links::obsidian_address(&file));
            open::that_detached(&url).map_err(|error| format!("cannot open {url}: {error}"))
        }
        (false, Some(editor)) => run_editor(&editor, &file, place.line),
        (false, None) => open::that_detached(&file).map_err(|error| format!("cannot open {}: {error}", file.display())),
    };
    opened
        .map(|()| true)
        .map_err(|error| CommandError::failed(error).with_hint("set EDITOR to the editor to open notes with"))
}

/// Runs the user's editor on a file, at a line where it is known how.
fn run_editor(editor: &str, file: &Path, line: Option<u64>) -> Result<(), String> {
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

/// The place that is printed first: that of the best hit or claim, or the line that was found of the nearest passage.
fn first_place(report: &Value) -> Option<Place> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let claims = ["claims", "hits"].iter().filter_map(|list| report.get(*list)?.as_array()?.first());
    let placed = claims.filter_map(|claim| {
        let place = claim.get("place")?;
        Some(Place {
            path: text(place, "path")?,
            line: place.get("line").and_then(Value::as_u64),
            url: text(place, "url"),
        })
    });
    let nearest =
        report.get("nearest").and_then(Value::as_array).and_then(|passages| passages.first()).and_then(|passage| {
            let lines = passage.get("lines")?.as_array()?;
            let found =
                lines.iter().find(|line| line.get("hit").and_then(Value::as_bool) == Some(true)).or(lines.first());
            Some(Place {
                path: text(passage, "path")?,
                line: found.and_then(|line| line.get("line")?.as_u64()),
                url: None,
            })
        });
    placed.chain(nearest).next()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_place_is_that_of_the_best_claim_or_else_the_nearest_line() {
        let at = |path: &str, line: u64| Some(Place { path: path.to_owned(), line: Some(line), url: None });
        let claims = json!({ "claims": [{ "place": { "path": "a.md", "line": 3 } }], "nearest": [] });
        assert_eq!(first_place(&claims), at("a.md", 3));
        let lines = json!([{ "line": 4, "hit": false }, { "line": 5, "hit": true }]);
        let nearest = json!({ "claims": [], "nearest": [{ "path": "b.md", "lines": lines }] });
        assert_eq!(first_place(&nearest), at("b.md", 5));
        assert_eq!(first_place(&json!({ "hits": [] })), None);
    }
}
