//! `memora mcp install`: the entry for a program, printed to be pasted or merged into its file.

use std::path::{Path, PathBuf};

use memora_engine::report::{Band, CountsByBand, InstallReport};
use memora_engine::{AuditOptions, Door, Memora};

use super::catch_up_on_notes;
use crate::args::{Global, McpInstall};
use crate::clients::file::{Written, write};
use crate::clients::{Folders, Server};
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

pub(super) fn install<D: Door>(
    memora: &mut Memora,
    args: &McpInstall,
    global: &Global,
    door: D,
    ui: &Ui,
) -> Result<Outcome, Failure> {
    let folders = Folders::of_user()
        .ok_or_else(|| Failure::say("there is no home folder to look in").hinted("set HOME to your own folder"))?;
    let program = args.client;
    let server = server(memora, args, global)?;
    let freshness = catch_up_on_notes(memora, ui)?;
    let audit = memora.session(door)?.audit().audit_vault(&AuditOptions::default(), freshness)?;
    let file = program.file(&folders);
    let (written, kept) = if args.write {
        match write(program, &file, &server, memora.vault().root())? {
            Written::AsItWas => ("as_it_was", None),
            Written::New => ("new", None),
            Written::Merged(kept) => ("merged", Some(kept)),
        }
    } else {
        ("no", None)
    };
    let report = InstallReport {
        client: program.as_str(),
        file: shown(&file),
        written,
        kept: kept.as_deref().map(shown),
        entry: program.snippet(&server),
        command: std::iter::once(server.command).chain(server.args).collect(),
        local: args.local,
        notes: audit.notes,
        next: program.restart(),
        freshness,
    };
    ui.report(&report, print::install)?;
    ui.say(&told(&report.notes, audit.cloud_sees, args.local));
    if !args.local {
        ui.hint("memora privacy audit --list names what it may see; privacy egress says what it was told");
    }
    if !args.write {
        ui.hint(&format!("it belongs into {}; --write merges it there and keeps what there was", report.file));
    }
    ui.hint(report.next);
    Ok(Outcome::Good)
}

/// What the program is to start: this very program, on this very vault, by their whole paths, since programs are started
/// from anywhere.
fn server(memora: &Memora, args: &McpInstall, global: &Global) -> Result<Server, Failure> {
    let unnamed = || Failure::say("its path is not UTF-8, which no settings file can hold").hinted("move it elsewhere");
    let text = |path: &Path| path.to_str().map(str::to_owned).ok_or_else(unnamed);
    let mut words = vec!["--vault".to_owned(), text(memora.vault().root())?];
    // Where they were named, they are not where the program would look.
    let folders = [("--state-dir", &global.state_dir), ("--config-dir", &global.config_dir)];
    for (flag, folder) in folders {
        if let Some(folder) = folder {
            words.extend([flag.to_owned(), text(&absolute(folder)?)?]);
        }
    }
    words.push("mcp".to_owned());
    if args.local {
        words.extend(["--client".to_owned(), "local".to_owned()]);
    }
    Ok(Server { name: args.name.clone(), command: text(&std::env::current_exe()?)?, args: words })
}

fn absolute(folder: &Path) -> Result<PathBuf, Failure> {
    Ok(std::path::absolute(folder)?)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// What it will be told of, as things stand.
fn told(notes: &CountsByBand, cloud_sees: Band, local: bool) -> String {
    let count = |count: Option<usize>, band: &str| count.map(|count| format!(", {count} {band}")).unwrap_or_default();
    let sees = match (local, cloud_sees) {
        (true, _) => "all of them, with what is guarded in them",
        (false, Band::Private) => "the public and the private ones, without what is secret in them",
        (false, _) => "the public ones, without what is guarded in them",
    };
    format!(
        "notes as things stand: {} public{}{}; it may see {sees}",
        notes.public,
        count(notes.private, "private"),
        count(notes.secret, "secret"),
    )
}
