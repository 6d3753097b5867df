//! `memora memory export` and `memora memory import`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use memora_engine::report::{ExportedMemory, ImportReport};
use memora_engine::{Band, Door, ImportError, ImportRequest, ImportSource, Memora, Memories, pluralize};

use super::input::input_file;
use crate::args::{ExportMemory, ImportMemory};
use crate::command_error::{CommandError, CommandErrorKind};
use crate::screen::memory as screen;
use crate::ui::Ui;

/// Writes every file of memory, a line each; `false` if there is none.
pub(super) fn export<D: Door>(
    memora: &Memora,
    memories: &Memories<'_, D>,
    args: &ExportMemory,
    ui: &Ui,
) -> Result<bool, CommandError> {
    let path = input_file(args.file.as_deref());
    let mut file = path.map(|path| Ok::<_, CommandError>(BufWriter::new(create_file(memora, path)?))).transpose()?;
    let mut count = 0;
    let written = memories.transfer().export(&mut |exported: &ExportedMemory<D>| -> Result<(), CommandError> {
        count += 1;
        let line = format!("{}\n", serde_json::to_string(exported).map_err(io::Error::from)?);
        match &mut file {
            Some(file) => Ok(file.write_all(line.as_bytes())?),
            None => Ok(ui.print_text(&line)?),
        }
    });
    let written = written.and_then(|left_out| {
        if let Some(file) = &mut file {
            file.flush()?;
            file.get_ref().sync_all()?;
        }
        Ok(left_out)
    });
    if let Some(path) = path {
        if written.is_err() {
            // Half an export would be taken for one.
            drop(fs::remove_file(path));
        } else {
            ui.status_line(&format!("{} in {}", pluralize(count, "file"), path.display()));
        }
    }
    let left_out = written?;
    for path in left_out {
        ui.status_line(&format!("left out, as it is no text: {path}"));
    }
    Ok(count > 0)
}

/// Creates a file that only the user can read, never over another, and never in the vault.
fn create_file(memora: &Memora, path: &Path) -> Result<File, CommandError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if folder.canonicalize().is_ok_and(|folder| folder.starts_with(memora.vault().root())) {
        return Err(CommandError::usage(format!("{} lies inside the vault", path.display()))
            .with_hint("name a file elsewhere: an export holds secret memories too"));
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|error| {
        let hint = match error.kind() {
            io::ErrorKind::AlreadyExists => "name a new file: nothing is written over another",
            _ => "name a file in a folder that you may write into",
        };
        let error = anyhow::Error::from(error).context(format!("cannot create {}", path.display()));
        CommandError::from_error(CommandErrorKind::Usage, error).with_hint(hint)
    })
}

/// Imports memories; `false` if some of it could not be taken.
pub(super) fn import<D: Door>(memories: &Memories<'_, D>, args: &ImportMemory, ui: &Ui) -> Result<bool, CommandError> {
    let format = args.from.0;
    if format.is_none() && args.privacy.is_some() {
        return Err(CommandError::usage("an export of Memora's own has its bands").with_hint("leave --privacy out"));
    }
    let asked = ImportRequest {
        format,
        band: args.privacy.unwrap_or(Band::Private),
        trusted: args.trust,
        dry_run: args.dry_run,
        zone: jiff::tz::TimeZone::system(),
    };
    ui.begin_activity("importing");
    let named = input_file(Some(&args.file));
    let report = match named {
        Some(path) => memories.transfer().import(ImportSource::Path(path), &asked),
        None => memories.transfer().import(ImportSource::Stream(&mut io::stdin().lock()), &asked),
    };
    let name = named.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string());
    let report = report.map_err(|error| match error {
        ImportError::Source(error) => {
            let hint = "name a file or a folder that is there, and that you may read";
            let error = anyhow::Error::from(error).context(format!("cannot read {name}"));
            CommandError::from_error(CommandErrorKind::Usage, error).with_hint(hint)
        }
        ImportError::Memory(error) => error.into(),
    })?;
    if report.records == 0 {
        return Err(explain_nothing(&report, &name));
    }
    ui.print_report(&report, screen::format_imported)?;
    if report.refused.iter().any(|reason| reason.name == "other_machine") {
        ui.hint(
            "another machine exported these: copy memory.key from its configuration folder to be their owner here, \
             or take them with --trust as files that you edited",
        );
    }
    if let Some(fault) = report.faults.first() {
        ui.hint(fault.reason.next());
    }
    let lost = ["other_machine", "differs", "less_guarded", "outside"];
    Ok(report.unreadable == 0 && report.refused.iter().all(|reason| !lost.contains(&reason.name.as_str())))
}

/// Why nothing was found that could be imported.
fn explain_nothing(report: &ImportReport, name: &str) -> CommandError {
    match report.faults.first() {
        Some(fault) => CommandError::usage(format!(
            "{name} cannot be read as {}: {}, record {}: {}",
            report.from, fault.file, fault.record, fault.reason
        ))
        .with_hint(fault.reason.next()),
        None => CommandError::usage(format!("{name} holds nothing of {}", report.from))
            .with_hint("memora memory import --help says which files of each program are read"),
    }
}
