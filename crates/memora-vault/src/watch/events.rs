//! Classifies an event: a place in the vault, its settings, or nothing relevant.
//!
//! Decided by names alone. Once a name is gone, it is unknown whether it was a folder's, so anything created or removed
//! is a place to scan, while a written file has to have a note's name.

use std::path::Path;

use notify::EventKind;
use notify::event::{AccessKind, AccessMode, ModifyKind};

use crate::disk::{SETTINGS_FILES, is_hidden_name, is_note_name, original_name};

/// What an event affects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ChangeScope {
    /// Something that no note depends on.
    Nothing,
    /// The vault's own folder.
    Everything,
    /// A file that decides which notes there are, or how they are read.
    Settings,
    /// A note or a folder, relative to the vault.
    Place(String),
}

/// Classifies an event.
pub(super) fn classify_event(root: &Path, config: Option<&Path>, kind: &EventKind, path: &Path) -> ChangeScope {
    // Reading a note changes nothing. Closing it after a write shows that the write is complete.
    if kind.is_access() && *kind != EventKind::Access(AccessKind::Close(AccessMode::Write)) {
        return ChangeScope::Nothing;
    }
    if Some(path) == config {
        return ChangeScope::Settings;
    }
    let Ok(relative) = path.strip_prefix(root) else { return ChangeScope::Nothing };
    let names: Vec<_> = relative.iter().map(|name| name.to_string_lossy()).collect();
    let Some((name, folders)) = names.split_last() else { return ChangeScope::Everything };
    let place = names.join("/");
    if SETTINGS_FILES.contains(&place.as_str()) || (may_create_or_remove(kind) && is_above_settings(&place)) {
        return ChangeScope::Settings;
    }
    if folders.iter().any(|name| is_hidden_name(name)) {
        return ChangeScope::Nothing;
    }
    if matches!(&**name, ".memoraignore" | ".gitignore") {
        return ChangeScope::Settings;
    }
    let known = original_name(name);
    if is_hidden_name(known) {
        return ChangeScope::Nothing;
    }
    if is_note_name(known) || may_be_folder(kind) {
        let mut names = names.clone();
        names.pop();
        names.push(known.into());
        return ChangeScope::Place(names.join("/"));
    }
    ChangeScope::Nothing
}

/// Whether settings lie below it.
fn is_above_settings(place: &str) -> bool {
    SETTINGS_FILES.iter().any(|file| file.strip_prefix(place).is_some_and(|rest| rest.starts_with('/')))
}

/// Whether the event may have created or removed the path.
fn may_create_or_remove(kind: &EventKind) -> bool {
    !matches!(
        kind,
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Any | ModifyKind::Data(_) | ModifyKind::Metadata(_))
    )
}

/// Whether the name may be that of a folder, or of a link to one. Windows says of a folder that it was modified
/// (`ModifyKind::Any`) whenever a file in it was.
fn may_be_folder(kind: &EventKind) -> bool {
    may_create_or_remove(kind) || matches!(kind, EventKind::Modify(ModifyKind::Metadata(_)))
}

#[cfg(test)]
mod tests {
    use notify::event::{CreateKind, DataChange, MetadataKind, RemoveKind, RenameMode};

    use super::*;

    const CREATED: EventKind = EventKind::Create(CreateKind::File);
    const WRITTEN: EventKind = EventKind::Modify(ModifyKind::Data(DataChange::Any));
    const CLOSED: EventKind = EventKind::Access(AccessKind::Close(AccessMode::Write));
    const OPENED: EventKind = EventKind::Access(AccessKind::Open(AccessMode::Any));
    const FROM: EventKind = EventKind::Modify(ModifyKind::Name(RenameMode::From));
    const TO: EventKind = EventKind::Modify(ModifyKind::Name(RenameMode::To));
    const REMOVED: EventKind = EventKind::Remove(RemoveKind::File);
    const FOLDER_MADE: EventKind = EventKind::Create(CreateKind::Folder);
    const MODE: EventKind = EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any));

    /// What the events of one save are about, each once, in order of name.
    fn about(events: &[(EventKind, &str)]) -> Vec<String> {
        let (root, config) = (Path::new("/vault"), Path::new("/home/config.toml"));
        let mut found: Vec<String> = Vec::new();
        for (kind, path) in events {
            match classify_event(root, Some(config), kind, &root.join(path)) {
                ChangeScope::Nothing => {}
                ChangeScope::Everything => found.push("everything".to_owned()),
                ChangeScope::Settings => found.push("settings".to_owned()),
                ChangeScope::Place(place) => found.push(place),
            }
        }
        found.sort();
        found.dedup();
        found
    }

    #[track_caller]
    fn check(events: &[(EventKind, &str)], expected: &[&str]) {
        assert_eq!(about(events), expected, "{events:?}");
    }

    #[test]
    fn however_an_editor_saves_the_note_is_dirty_and_nothing_else() {
        // Obsidian and VS Code write in place.
        check(&[(OPENED, "a/n.md"), (WRITTEN, "a/n.md"), (CLOSED, "a/n.md")], &["a/n.md"]);
        // Vim moves the note away, writes a new one, and deletes the old.
        check(
            &[
                (CREATED, "a/4913"),
                (REMOVED, "a/4913"),
                (WRITTEN, "a/.n.md.swp"),
                (FROM, "a/n.md"),
                (TO, "a/n.md~"),
                (CREATED, "a/n.md"),
                (WRITTEN, "a/n.md"),
                (CLOSED, "a/n.md"),
                (REMOVED, "a/n.md~"),
            ],
            // Looking at the others finds nothing.
            &["a/4913", "a/n.md", "a/n.md~"],
        );
        // Syncthing, and other programs that put a whole file in place.
        check(
            &[
                (CREATED, "a/.syncthing.n.md.tmp"),
                (WRITTEN, "a/.syncthing.n.md.tmp"),
                (FROM, "a/.syncthing.n.md.tmp"),
                (TO, "a/n.md"),
            ],
            &["a/n.md"],
        );
        // Git deletes and makes anew.
        check(&[(REMOVED, "a/n.md"), (CREATED, "a/n.md"), (WRITTEN, "a/n.md"), (CLOSED, "a/n.md")], &["a/n.md"]);
    }

    #[test]
    fn whatever_may_be_a_folder_is_a_place_and_what_is_written_or_opened_is_none() {
        check(
            &[(FOLDER_MADE, "new"), (FROM, "old"), (TO, "other"), (MODE, "closed")],
            &["closed", "new", "old", "other"],
        );
        // A link to a folder is made as a file is.
        check(&[(CREATED, "link")], &["link"]);
        check(&[(WRITTEN, "p.png"), (CLOSED, "p.png"), (OPENED, "n.md")], &[]);
        check(&[(EventKind::Any, "p.png"), (EventKind::Any, "n.MD")], &["n.MD", "p.png"]);
    }

    #[test]
    fn hidden_places_are_not_looked_at() {
        check(
            &[
                (WRITTEN, ".obsidian/workspace.json"),
                (WRITTEN, ".obsidian/plugins/other/data.json"),
                (CREATED, ".git/index.lock"),
                (FOLDER_MADE, ".git"),
                (CREATED, ".trash/n.md"),
                (CREATED, "node_modules/x/readme.md"),
                (CREATED, "a/.hidden.md"),
            ],
            &[],
        );
        assert_eq!(
            classify_event(Path::new("/vault"), None, &WRITTEN, Path::new("/elsewhere/n.md")),
            ChangeScope::Nothing
        );
        assert_eq!(
            classify_event(Path::new("/vault"), None, &WRITTEN, Path::new("/vault2/n.md")),
            ChangeScope::Nothing
        );
    }

    #[test]
    fn a_placeholder_of_icloud_is_the_note_it_stands_for() {
        check(&[(CREATED, "a/.Plan.md.icloud"), (REMOVED, "a/Plan.md")], &["a/Plan.md"]);
    }

    #[test]
    fn what_decides_about_notes_makes_everything_dirty() {
        for file in SETTINGS_FILES {
            check(&[(WRITTEN, file)], &["settings"]);
        }
        for place in [".obsidian", ".memora", ".obsidian/plugins", ".obsidian/plugins/periodic-notes"] {
            check(&[(FOLDER_MADE, place)], &["settings"]);
        }
        check(&[(TO, "a/.gitignore"), (WRITTEN, ".memoraignore"), (WRITTEN, "/home/config.toml")], &["settings"]);
        check(&[(WRITTEN, "node_modules/.gitignore"), (WRITTEN, "/home/config.toml~")], &[]);
        check(&[(MODE, "")], &["everything"]);
    }
}
