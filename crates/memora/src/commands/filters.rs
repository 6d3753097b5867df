//! From typed filters to conditions on notes.

use memora_engine::{Door, Memora, NoteFilter, NotePath, PartialDate};

use crate::args::Filters;
use crate::failure::Failure;
use crate::ui::Ui;

pub(crate) fn read(typed: &Filters) -> Result<NoteFilter, Failure> {
    let mut filter = NoteFilter {
        tags: typed.tag.iter().map(|tag| tag.trim_start_matches('#').to_owned()).collect(),
        folders: typed.folder.iter().map(|folder| folder.trim_matches('/').to_owned()).collect(),
        from: date(typed.since.as_deref())?,
        until: date(typed.until.as_deref())?,
        ..NoteFilter::default()
    };
    for condition in &typed.property {
        let (key, value) = condition.split_once('=').ok_or_else(|| {
            Failure::say("--where needs a property and a value").hinted("write --where status=active")
        })?;
        filter.properties.push((key.trim().to_owned(), value.trim().to_owned()));
    }
    for note in &typed.note {
        let path = NotePath::new(note.as_str()).map_err(|error| {
            Failure::new(error).hinted("give the path from the vault's root, such as people/Anna.md")
        })?;
        filter.notes.push(path);
    }
    Ok(filter)
}

/// The same for what looks at statements one by one: since when and until when then is a condition on them, and not on their
/// notes.
pub(crate) fn read_with_time(
    typed: &Filters,
) -> Result<(NoteFilter, Option<PartialDate>, Option<PartialDate>), Failure> {
    let mut filter = read(typed)?;
    let (since, until) = (filter.from.take(), filter.until.take());
    if let (Some(since), Some(until)) = (since, until)
        && until.first_and_last_day().1 < since.first_and_last_day().0
    {
        return Err(Failure::say("--until lies before --since").hinted("give the earlier day as --since"));
    }
    Ok((filter, since, until))
}

/// Says that the filters let no note through that the door shows, if that is so: what is not found need not be missing.
pub(crate) fn say_if_nothing_matches<D: Door>(
    memora: &Memora,
    filter: &NoteFilter,
    door: D,
    ui: &Ui,
) -> Result<bool, Failure> {
    if *filter == NoteFilter::default() || memora.session(door)?.catalog().has_matching_note(filter)? {
        return Ok(false);
    }
    ui.say("note: no note matches the filters");
    ui.hint("folders and paths are written from the vault's root, as memora claims shows them; all filters must hold");
    Ok(true)
}

pub(crate) fn date(typed: Option<&str>) -> Result<Option<PartialDate>, Failure> {
    let parse = |text: &str| {
        PartialDate::parse(text)
            .ok_or_else(|| Failure::say("this is not a date").hinted("write 2024, 2024-03 or 2024-03-12"))
    };
    typed.map(parse).transpose()
}
