//! `memora mcp install`: prints the entry for a program, or merges it into the program's file.

use std::path::{Path, PathBuf};

use memora_engine::report::{Band, CountsByBand, Freshness, InstallReport};
use memora_engine::{AuditOptions, Door, Memora};

use crate::args::{GlobalArgs, McpInstall};
use crate::clients::file::write_entry;
use crate::clients::{ServerEntry, SettingsFolders};
use crate::command_error::{CommandError, CommandOutcome};
use crate::screen;
use crate::ui::Ui;

pub(super) fn run<D: Door>(
    memora: &mut Memora,
    args: &McpInstall,
    freshness: Freshness,
    global: &GlobalArgs,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let folders = find_settings_folders()?;
    let program = args.client;
    let server = server_entry(memora, args, global)?;
    let audit = memora.session(door)?.audit().audit_vault(&AuditOptions::default(), freshness)?;
    let file = program.settings_file(&folders);
    let (written, kept) = match args.write {
        true => write_entry(program, &file, &server, memora.vault().root())?.describe(),
        false => ("no", None),
    };
    let report = InstallReport {
        client: program.as_str(),
        file: display_path(&file),
        written,
        kept,
        entry: program.snippet(&server),
        command: std::iter::once(server.command).chain(server.args).collect(),
        local: args.local,
        notes: audit.notes,
        next: program.restart_hint(),
        freshness,
    };
    ui.print_report(&report, screen::format_install)?;
    ui.status_line(&describe_visible_notes(&report.notes, audit.cloud_sees, args.local));
    if !args.local {
        ui.hint("memora privacy audit --list names what it may see; privacy egress lists what it was sent");
    }
    if !args.write {
        ui.hint(&format!("add it to {}; --write does so and keeps the rest", report.file));
    }
    ui.hint(report.next);
    Ok(CommandOutcome::Good)
}

/// The folders of programs' settings.
pub(super) fn find_settings_folders() -> Result<SettingsFolders, CommandError> {
    SettingsFolders::from_environment().ok_or_else(|| {
        CommandError::failed("there is no home folder to look in").with_hint("set HOME to your own folder")
    })
}

/// This program, with the arguments for this vault: by absolute paths, since programs start it from any folder.
pub(super) fn own_command(root: &Path, global: &GlobalArgs) -> Result<(String, Vec<String>), CommandError> {
    let unnamed = || {
        CommandError::failed("its path is not UTF-8, which no settings file can hold").with_hint("move it elsewhere")
    };
    let text = |path: &Path| path.to_str().map(str::to_owned).ok_or_else(unnamed);
    let mut words = vec!["--vault".to_owned(), text(root)?];
    // Relative folders would not resolve from the program's working directory.
    let folders = [("--state-dir", &global.state_dir), ("--config-dir", &global.config_dir)];
    for (flag, folder) in folders {
        if let Some(folder) = folder {
            words.extend([flag.to_owned(), text(&absolute_path(folder)?)?]);
        }
    }
    Ok((text(&own_program()?)?, words))
}

/// Where this program is found from now on: by its name in `PATH` where that leads to the same file, since a package manager puts a new
/// version into another folder and moves that entry; else where it lies.
fn own_program() -> std::io::Result<PathBuf> {
    let running = std::env::current_exe()?;
    let file = running.canonicalize()?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let entries = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let entry = entries
        .map(|folder| folder.join(running.file_name().unwrap_or_default()))
        .find(|entry| entry.canonicalize().is_ok_and(|other| other == file));
    Ok(entry.unwrap_or(running))
}

/// Builds the server entry.
fn server_entry(memora: &Memora, args: &McpInstall, global: &GlobalArgs) -> Result<ServerEntry, CommandError> {
    let (command, mut words) = own_command(memora.vault().root(), global)?;
    words.push("mcp".to_owned());
    if args.local {
        words.extend(["--client".to_owned(), "local".to_owned()]);
    }
    if args.memory {
        words.push("--memory".to_owned());
    }
    Ok(ServerEntry { name: args.name.clone(), command, args: words })
}

fn absolute_path(folder: &Path) -> Result<PathBuf, CommandError> {
    Ok(std::path::absolute(folder)?)
}

fn display_path(path: &Path) -> String {
    path.display().to_string()
}

/// Describes the notes that the program will be able to see.
fn describe_visible_notes(notes: &CountsByBand, cloud_sees: Band, local: bool) -> String {
    let count = |count: Option<usize>, band: &str| count.map(|count| format!(", {count} {band}")).unwrap_or_default();
    let sees = match (local, cloud_sees) {
        (true, _) => "all of them, with what is guarded in them",
        (false, Band::Private) => "the public and the private ones, without what is secret in them",
        (false, _) => "the public ones, without what is guarded in them",
    };
    format!(
        "notes now: {} public{}{}; it may see {sees}",
        notes.public,
        count(notes.private, "private"),
        count(notes.secret, "secret"),
    )
}
