//! Converts filter arguments into conditions on notes.

use memora_engine::{Door, Memora, NoteFilter, PartialDate};

use crate::args::Filters;
use crate::command_error::CommandError;
use crate::ui::Ui;

pub(crate) fn read_filter(typed: &Filters) -> NoteFilter {
    NoteFilter {
        tags: typed.tag.iter().map(|tag| tag.trim_start_matches('#').to_owned()).collect(),
        folders: typed.folder.iter().map(|folder| folder.trim_matches('/').to_owned()).collect(),
        notes: typed.note.clone(),
        properties: typed.property.clone(),
        from: typed.since,
        until: typed.until,
    }
}

/// Reads filters for statement searches: `since` and `until` are conditions on the statements, not on their
/// notes.
pub(crate) fn read_filter_and_time(
    typed: &Filters,
) -> Result<(NoteFilter, Option<PartialDate>, Option<PartialDate>), CommandError> {
    let mut filter = read_filter(typed);
    let (since, until) = (filter.from.take(), filter.until.take());
    if let (Some(since), Some(until)) = (since, until)
        && until.first_and_last_day().1 < since.first_and_last_day().0
    {
        return Err(CommandError::usage("--until lies before --since").with_hint("give the earlier day as --since"));
    }
    Ok((filter, since, until))
}

/// Warns if no visible note matches the filters: then a missing result may still be in the vault.
pub(crate) fn warn_if_no_match<D: Door>(
    memora: &Memora,
    filter: &NoteFilter,
    door: D,
    ui: &Ui,
) -> Result<bool, CommandError> {
    if *filter == NoteFilter::default() || memora.session(door.clone())?.catalog().has_matching_note(filter)? {
        return Ok(false);
    }
    ui.status_line("note: no note matches the filters");
    // Names that the user may see are not necessarily for the reader of stderr.
    let may_name = ui.may_name_notes() || !door.is_local();
    for folder in memora.session(door)?.catalog().find_unknown_folders(filter)? {
        ui.status_line(&format!("note: no folder {:?} holds notes", folder.asked));
        if !folder.nearest.is_empty() && may_name {
            ui.hint(&format!("nearly so: {}", folder.nearest.join(", ")));
        }
    }
    ui.hint("folders and paths are written from the vault's root, as memora claims shows them; all filters must hold");
    Ok(true)
}
