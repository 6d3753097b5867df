//! Reads a text from a file or from standard input.

use std::io::Read as _;
use std::path::Path;

use crate::command_error::{CommandError, CommandErrorKind};

/// The maximum size of a text.
const BYTES_MAX: u64 = 16 << 20;

/// Returns the named file; `None` (or `-`) means standard input.
pub(super) fn input_file(file: Option<&Path>) -> Option<&Path> {
    file.filter(|path| *path != Path::new("-"))
}

/// Reads a text; `done` is the verb for the error about its size.
pub(super) fn read_text(file: Option<&Path>, done: &str) -> Result<String, CommandError> {
    let mut bytes = Vec::new();
    let file = input_file(file);
    let read = match file {
        Some(path) => std::fs::File::open(path).and_then(|file| file.take(BYTES_MAX + 1).read_to_end(&mut bytes)),
        None => std::io::stdin().lock().take(BYTES_MAX + 1).read_to_end(&mut bytes),
    };
    let name = file.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string());
    read.map_err(|error| {
        CommandError::from_error(
            CommandErrorKind::Failed,
            anyhow::Error::from(error).context(format!("cannot read {name}")),
        )
        .with_hint("give a file, or - for standard input")
    })?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > BYTES_MAX {
        return Err(
            CommandError::usage(format!("{name} is larger than 16 MiB")).with_hint(format!("{done} it in parts"))
        );
    }
    String::from_utf8(bytes).map_err(|_| {
        CommandError::usage(format!("{name} is not UTF-8")).with_hint("convert it, for instance with iconv")
    })
}
