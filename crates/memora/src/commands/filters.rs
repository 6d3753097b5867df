//! Converts filter arguments into conditions on notes.

use memora_engine::{Door, Memora, NoteFilter, NotePath, PartialDate};

use crate::args::Filters;
use crate::failure::Failure;
use crate::ui::Ui;

pub(crate) fn read_filter(typed: &Filters) -> Result<NoteFilter, Failure> {
    let mut filter = NoteFilter {
        tags: typed.tag.iter().map(|tag| tag.trim_start_matches('#').to_owned()).collect(),
        folders: typed.folder.iter().map(|folder| folder.trim_matches('/').to_owned()).collect(),
        from: parse_date(typed.since.as_deref())?,
        until: parse_date(typed.until.as_deref())?,
        ..NoteFilter::default()
    };
    for condition in &typed.property {
        let (key, value) = condition.split_once('=').ok_or_else(|| {
            Failure::from_message("--where needs a property and a value").with_hint("write --where status=active")
        })?;
        filter.properties.push((key.trim().to_owned(), value.trim().to_owned()));
    }
    for note in &typed.note {
        let path = NotePath::new(note.as_str()).map_err(|error| {
            Failure::new(error).with_hint("give the path from the vault's root, such as people/Anna.md")
        })?;
        filter.notes.push(path);
    }
    Ok(filter)
}

/// Reads filters for statement searches: `since` and `until` are conditions on the statements, not on their
/// notes.
pub(crate) fn read_filter_and_time(
    typed: &Filters,
) -> Result<(NoteFilter, Option<PartialDate>, Option<PartialDate>), Failure> {
    let mut filter = read_filter(typed)?;
    let (since, until) = (filter.from.take(), filter.until.take());
    if let (Some(since), Some(until)) = (since, until)
        && until.first_and_last_day().1 < since.first_and_last_day().0
    {
        return Err(Failure::from_message("--until lies before --since").with_hint("give the earlier day as --since"));
    }
    Ok((filter, since, until))
}

/// Warns if no visible note matches the filters: then a missing result may still be in the vault.
pub(crate) fn warn_if_no_match<D: Door>(
    memora: &Memora,
    filter: &NoteFilter,
    door: D,
    ui: &Ui,
) -> Result<bool, Failure> {
    if *filter == NoteFilter::default() || memora.session(door)?.catalog().has_matching_note(filter)? {
        return Ok(false);
    }
    ui.status_line("note: no note matches the filters");
    ui.hint("folders and paths are written from the vault's root, as memora claims shows them; all filters must hold");
    Ok(true)
}

pub(crate) fn parse_date(typed: Option<&str>) -> Result<Option<PartialDate>, Failure> {
    let parse = |text: &str| {
        PartialDate::parse(text)
            .ok_or_else(|| Failure::from_message("this is not a date").with_hint("write 2024, 2024-03 or 2024-03-12"))
    };
    typed.map(parse).transpose()
}
