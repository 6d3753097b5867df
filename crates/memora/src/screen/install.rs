//! Formats `mcp install`.

use memora_engine::report::InstallReport;

/// Formats the entry alone if it is for pasting, so that it can be piped; otherwise the result of writing the file.
pub(crate) fn format_install(report: &InstallReport) -> String {
    let InstallReport { client, file, .. } = report;
    match (report.written, &report.kept) {
        ("no", _) => report.entry.trim_end().to_owned(),
        ("as_it_was", _) => format!("{client} has it already: {file}"),
        (_, Some(kept)) => format!("{client} has it now: {file}\nwhat it said before: {kept}"),
        (_, None) => format!("{client} has it now: {file}, which was not there before"),
    }
}
