//! Formats hits as `path:line:column:text`, which editors read into their list of places (`:grep`, quickfix).

use memora_engine::report::SearchReport;

/// Formats the hits that have a place for this door, a line each; a guarded one has none.
pub(crate) fn format_vimgrep<D>(report: &SearchReport<D>) -> String {
    let places = report.hits.iter().filter_map(|hit| hit.claim.place());
    let lines = places.map(|place| {
        let text = place.quote.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{}:{}:{}:{text}", place.path, place.line.unwrap_or(1), place.column.unwrap_or(1))
    });
    lines.collect::<Vec<_>>().join("\n")
}
