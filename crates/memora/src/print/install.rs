//! `mcp install` as text.

use memora_engine::report::InstallReport;

/// The entry alone where it is to be pasted, so that it can be passed on; else what became of the file.
pub(crate) fn install(report: &InstallReport) -> String {
    let InstallReport { client, file, .. } = report;
    match (report.written, &report.kept) {
        ("no", _) => report.entry.trim_end().to_owned(),
        ("as_it_was", _) => format!("{client} has it already: {file}"),
        (_, Some(kept)) => format!("{client} has it now: {file}\nwhat it said before: {kept}"),
        (_, None) => format!("{client} has it now: {file}, which was not there before"),
    }
}
