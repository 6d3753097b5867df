//! Converts filter arguments into conditions on notes.

use memora_engine::{Door, Memora, NoteFilter, NotePath, PartialDate};

use crate::args::Filters;
use crate::command_error::CommandError;
use crate::ui::Ui;

/// Reads filters; a note may be named by less than its path.
pub(crate) fn read_filter<D: Door>(
    typed: &Filters,
    memora: &Memora,
    door: &D,
    ui: &Ui,
) -> Result<NoteFilter, CommandError> {
    Ok(NoteFilter {
        tags: typed.tag.iter().map(|tag| tag.trim_start_matches('#').to_owned()).collect(),
        folders: typed.folder.iter().map(|folder| folder.trim_matches('/').to_owned()).collect(),
        notes: typed.note.iter().map(|note| resolve_note(note, memora, door, ui)).collect::<Result<_, _>>()?,
        properties: typed.property.clone(),
        from: typed.since,
        until: typed.until,
    })
}

/// The maximum number of notes that an error about a name lists.
const CANDIDATES_MAX: usize = 5;

/// Returns the path of the note that a name means; the name itself where no visible note has it.
pub(crate) fn resolve_note<D: Door>(
    named: &NotePath,
    memora: &Memora,
    door: &D,
    ui: &Ui,
) -> Result<NotePath, CommandError> {
    let found = memora.session(door.clone())?.catalog().find_notes_named(named.as_str())?;
    match found.as_slice() {
        [] => Ok(named.clone()),
        [note] => Ok(note.clone()),
        several => {
            let error = CommandError::usage(format!("--note {named} may mean {} notes", several.len()));
            // Names that the user may see are not necessarily for the reader of stderr.
            if !ui.may_name_notes() && door.is_local() {
                return Err(error.with_hint("write its path from the vault's root, as memora claims shows it"));
            }
            let listed = several.iter().take(CANDIDATES_MAX);
            let error = listed.fold(error, |error, note| error.with_hint(format!("--note \"{note}\"")));
            Err(match several.len().saturating_sub(CANDIDATES_MAX) {
                0 => error,
                more => error.with_hint(format!("or one of {more} more; a part of the path tells them apart")),
            })
        }
    }
}

/// Reads filters for statement searches: `since` and `until` are conditions on the statements, not on their
/// notes.
pub(crate) fn read_filter_and_time<D: Door>(
    typed: &Filters,
    memora: &Memora,
    door: &D,
    ui: &Ui,
) -> Result<(NoteFilter, Option<PartialDate>, Option<PartialDate>), CommandError> {
    let mut filter = read_filter(typed, memora, door, ui)?;
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
            ui.hint(&format!("similar: {}", folder.nearest.join(", ")));
        }
    }
    ui.hint("folders and paths are written from the vault's root, as memora claims shows them; all filters must hold");
    Ok(true)
}
