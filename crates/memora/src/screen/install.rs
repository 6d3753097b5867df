//! Formats `mcp install`.

use memora_engine::report::{HookInstallReport, InstallReport};

/// Formats the entry alone if it is for pasting, so that it can be piped; otherwise the result of writing the file.
pub(crate) fn format_install(report: &InstallReport) -> String {
    let InstallReport { client, file, .. } = report;
    match (report.written, &report.kept) {
        ("no", _) => report.entry.trim_end().to_owned(),
        ("as_it_was", _) => format!("{client} has it already: {file}"),
        (_, Some(kept)) => format!("{client} has it now: {file}\nprevious version kept as {kept}"),
        (_, None) => format!("{client} has it now: {file}, which was not there before"),
    }
}

pub(crate) fn format_hook_install(report: &HookInstallReport) -> String {
    let HookInstallReport { client, file, .. } = report;
    let removed = report.entry.is_empty();
    match (report.written, &report.kept) {
        ("no", _) => report.entry.trim_end().to_owned(),
        ("as_it_was", _) if removed => format!("{client} has no hooks of Memora: {file}"),
        ("as_it_was", _) => format!("{client} has them already: {file}"),
        (_, Some(kept)) if removed => format!("{client} has them no more: {file}\nprevious version kept as {kept}"),
        (_, Some(kept)) => format!("{client} has them now: {file}\nprevious version kept as {kept}"),
        (_, None) => format!("{client} has them now: {file}, which was not there before"),
    }
}
