//! Why a vault cannot be opened, a note cannot be read, or a file is skipped.

use std::fmt;
use std::path::PathBuf;

use crate::Hint;

/// Why a file of the vault is not read. Every one is reported; none is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipReason {
    /// The system does not let it be read, or it is no ordinary file.
    Unreadable,
    /// Its bytes are not UTF-8.
    NotUtf8,
    /// Nothing in it, or only white space.
    Empty,
    /// Over 16 MiB.
    TooLarge,
    /// Only a placeholder; the text is in the cloud.
    CloudPlaceholder,
    /// A link that leads out of the vault.
    LinkOutside,
    /// In a hidden folder or no markdown file; reported when a link leads there.
    Hidden,
    /// It lies in the folder of the Templates or the Templater plugin.
    Template,
    /// Obsidian's own "excluded files".
    IgnoredByObsidian,
    /// A pattern of a `.memoraignore` file.
    IgnoredByMemora,
    /// A pattern of a `.gitignore` file inside the vault.
    IgnoredByGit,
    /// A second version that a sync service left behind.
    SyncConflict,
    /// An Excalidraw drawing or a Kanban board, kept as markdown.
    Drawing,
    /// Its name is not UTF-8, or cannot be written as a path of the vault.
    BadName,
}

impl SkipReason {
    /// Every reason, for documentation and the store.
    pub const ALL: [Self; 14] = [
        Self::Unreadable,
        Self::NotUtf8,
        Self::Empty,
        Self::TooLarge,
        Self::CloudPlaceholder,
        Self::LinkOutside,
        Self::Hidden,
        Self::Template,
        Self::IgnoredByObsidian,
        Self::IgnoredByMemora,
        Self::IgnoredByGit,
        Self::SyncConflict,
        Self::Drawing,
        Self::BadName,
    ];

    /// A stable name for machines, such as `not-utf8`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::NotUtf8 => "not-utf8",
            Self::Empty => "empty",
            Self::TooLarge => "too-large",
            Self::CloudPlaceholder => "cloud-placeholder",
            Self::LinkOutside => "link-outside",
            Self::Hidden => "hidden",
            Self::Template => "template",
            Self::IgnoredByObsidian => "ignored-by-obsidian",
            Self::IgnoredByMemora => "ignored-by-memora",
            Self::IgnoredByGit => "ignored-by-git",
            Self::SyncConflict => "sync-conflict",
            Self::Drawing => "drawing",
            Self::BadName => "bad-name",
        }
    }

    /// The reason with this [`code`](Self::code).
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }
}

impl Hint for SkipReason {
    fn hint(&self) -> &'static str {
        match self {
            Self::Unreadable => "check its permissions",
            Self::NotUtf8 => "save it as UTF-8",
            Self::Empty => "nothing to do: it is read once something is written in it",
            Self::TooLarge => "split it, or move the data into an attachment",
            Self::CloudPlaceholder => "download it, or keep the vault on this device",
            Self::LinkOutside => "move the target into the vault",
            Self::Hidden => "move it into a folder whose name has no leading dot, with a name that ends in .md",
            Self::Template => "move it out of the templates folder if it is a note",
            Self::IgnoredByObsidian => "take it off Obsidian's list of excluded files to have it read",
            Self::IgnoredByMemora => "change .memoraignore to have it read",
            Self::IgnoredByGit => "add a line with ! and its name to .memoraignore to have it read",
            Self::SyncConflict => "merge the two versions and delete this one",
            Self::Drawing => "nothing to do: drawings and boards are not read",
            Self::BadName => "rename it without backslashes and with UTF-8 characters",
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreadable => "cannot be read",
            Self::NotUtf8 => "is not UTF-8",
            Self::Empty => "is empty",
            Self::TooLarge => "is larger than 16 MiB",
            Self::CloudPlaceholder => "is only a placeholder for a file in the cloud",
            Self::LinkOutside => "is a link that leads out of the vault",
            Self::Hidden => "leads to a hidden folder or to a file that is not markdown",
            Self::Template => "is a template",
            Self::IgnoredByObsidian => "is excluded in Obsidian's settings",
            Self::IgnoredByMemora => "is ignored by .memoraignore",
            Self::IgnoredByGit => "is ignored by .gitignore",
            Self::SyncConflict => "is a sync conflict copy",
            Self::Drawing => "is a drawing or a board",
            Self::BadName => "has a name that cannot be used",
        })
    }
}

/// Why a vault cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenVaultError {
    /// There is nothing at this path.
    #[error("no such folder: {}", path.display())]
    NotFound {
        /// The path as given.
        path: PathBuf,
    },
    /// It is a file.
    #[error("not a folder: {}", path.display())]
    NotAFolder {
        /// The path as given.
        path: PathBuf,
    },
    /// The system does not let it be read.
    #[error("cannot read the folder {}", path.display())]
    Unreadable {
        /// The path as given.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Neither this folder nor any above it has `.obsidian/`.
    #[error("no vault at or above {}", from.display())]
    NoVaultAbove {
        /// Where the search began, as an absolute path.
        from: PathBuf,
    },
}

impl Hint for OpenVaultError {
    fn hint(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "check the spelling; a relative path starts at the working directory",
            Self::NotAFolder { .. } => "name the folder that holds the notes",
            Self::Unreadable { .. } => "check the folder's permissions",
            Self::NoVaultAbove { .. } => {
                "this folder and those above it have no .obsidian; to use it anyway, name it: memora --vault . init"
            }
        }
    }
}

/// Why a note cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadNoteError {
    /// There is no such file any more.
    #[error("the note does not exist")]
    NotFound,
    /// The system does not let it be read, or it is no ordinary file.
    #[error("the note cannot be read")]
    Unreadable(#[source] std::io::Error),
    /// Its bytes are not UTF-8.
    #[error("the note is not UTF-8")]
    NotUtf8,
    /// Nothing in it, or only white space.
    #[error("the note is empty")]
    Empty,
    /// Over 16 MiB.
    #[error("the note is larger than 16 MiB")]
    TooLarge,
    /// Its real path leaves the vault.
    #[error("the path leads out of the vault")]
    OutsideRoot,
    /// Hidden, or not a markdown file: never read as a note, by any caller.
    #[error("the path is not a note's")]
    NotANote,
    /// An Excalidraw drawing or a Kanban board.
    #[error("the note is a drawing or a board")]
    Drawing,
}

impl ReadNoteError {
    /// The reason to report, when the file is there and is passed over. `None` when there is no file to report.
    #[must_use]
    pub fn skip_reason(&self) -> Option<SkipReason> {
        match self {
            Self::NotFound => None,
            Self::Unreadable(_) => Some(SkipReason::Unreadable),
            Self::NotUtf8 => Some(SkipReason::NotUtf8),
            Self::Empty => Some(SkipReason::Empty),
            Self::TooLarge => Some(SkipReason::TooLarge),
            Self::OutsideRoot => Some(SkipReason::LinkOutside),
            Self::NotANote => Some(SkipReason::Hidden),
            Self::Drawing => Some(SkipReason::Drawing),
        }
    }
}

impl Hint for ReadNoteError {
    fn hint(&self) -> &'static str {
        match self {
            Self::NotFound => "it may have been moved or deleted; index again",
            Self::NotANote => "name a .md file outside hidden folders",
            _ => self.skip_reason().map_or("", |reason| reason.hint()),
        }
    }
}

/// Whether a note's front matter says that a drawing or board plugin keeps its data in it.
///
/// Looks for `excalidraw-plugin:` or `kanban-plugin:` at the start of a line of a closed front matter.
#[must_use]
pub fn is_drawing(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    if lines.next().is_none_or(|first| first.trim_end() != "---") {
        return false;
    }
    let mut found = false;
    for line in lines {
        if line.trim_end() == "---" {
            return found;
        }
        found |= line.starts_with("excalidraw-plugin:") || line.starts_with("kanban-plugin:");
    }
    false
}

/// Whether a file name (without extension) is one that only sync services give, to a second version.
///
/// Syncthing, Dropbox (English, German, French), Nextcloud, pCloud, Seafile. "Notes (Conflict of 1812)" is a title:
/// the words must stand in parentheses at the very end and hold a date.
pub(super) fn is_sync_conflict(stem: &str) -> bool {
    if stem.contains(".sync-conflict-") {
        return true;
    }
    let Some((_, inner)) = split_parentheses(stem) else { return false };
    let copy = ["conflicted copy", "in konflikt stehende kopie", "copie en conflit", "case conflict", "sfconflict"];
    let dated = inner.bytes().filter(u8::is_ascii_digit).count() >= 6;
    copy.iter().any(|words| inner.contains(words)) || (inner.starts_with("conflict ") && dated)
}

/// Returns the names of which a file name (without extension) is a second version, if a note of that name lies beside it. A
/// person may give such a name, too, and then there is no other.
///
/// "Plan (Conflict)" of several services; `Plan-DESKTOP-AB12CD3` and `Plan-DESKTOP-AB12CD3-2` of OneDrive, which appends the
/// name of a computer.
pub(super) fn possible_originals(stem: &str) -> impl Iterator<Item = &str> {
    let marked = split_parentheses(stem).filter(|(_, inner)| matches!(inner.as_str(), "conflict" | "conflicted"));
    let numbered = stem.rsplit_once('-').filter(|(_, number)| is_counter(number)).map_or(stem, |(named, _)| named);
    let computers = stem.match_indices('-').filter_map(move |(at, _)| {
        let is_computer = |name: &&str| name.get(at + 1..).is_some_and(is_computer_name);
        [numbered, stem].iter().any(is_computer).then(|| stem.get(..at)).flatten()
    });
    marked.map(|(name, _)| name).into_iter().chain(computers).filter(|name| !name.is_empty())
}

/// The words in parentheses at the end of a name, in lower case, and the name before them.
fn split_parentheses(stem: &str) -> Option<(&str, String)> {
    let (name, inner) = stem.strip_suffix(')')?.rsplit_once('(')?;
    Some((name.trim_end(), inner.to_lowercase()))
}

fn is_counter(text: &str) -> bool {
    matches!(text.len(), 1 | 2) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether it looks like the name of a computer rather than like a word of somebody's: in capitals, and either beginning as
/// installers name them or a jumble of letters and digits. "V2", "Q3", "ISO27001" and "FY2024Q3" are words.
fn is_computer_name(name: &str) -> bool {
    /// No computer's name in a Windows network is longer.
    const LENGTH: std::ops::RangeInclusive<usize> = 7..=15;
    const PREFIXES: [&str; 6] = ["DESKTOP-", "LAPTOP-", "WIN-", "MININT-", "NOTEBOOK-", "SURFACE-"];
    const ENDINGS: [&str; 4] = ["-PC", "-LAPTOP", "-DESKTOP", "-NOTEBOOK"];
    let is_sign = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-';
    if !LENGTH.contains(&name.len()) || !name.bytes().all(is_sign) {
        return false;
    }
    let is_given = |rest: &str| rest.len() >= 3 && rest.bytes().any(|byte| byte.is_ascii_digit());
    if PREFIXES.iter().filter_map(|prefix| name.strip_prefix(prefix)).any(is_given) {
        return true;
    }
    if ENDINGS.iter().filter_map(|ending| name.strip_suffix(ending)).any(|owner| owner.len() >= 3) {
        return true;
    }
    let runs: Vec<&[u8]> = name.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()).collect();
    let is_year = |run: &&[u8]| run.len() == 4 && (run.starts_with(b"19") || run.starts_with(b"20"));
    runs.len() >= 4 && !name.contains('-') && !runs.iter().any(is_year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_lead_back() {
        for reason in SkipReason::ALL {
            assert_eq!(SkipReason::from_code(reason.code()), Some(reason));
        }
    }

    #[test]
    fn conflict_copies_and_titles_that_only_sound_like_them() {
        for name in [
            "Plan.sync-conflict-20240312-093000-ABCDEFG",
            "Plan (Anna's conflicted copy 2024-03-12)",
            "Plan (conflicted copy 2024-03-12 093000)",
            "Plan (In Konflikt stehende Kopie von Anna 2024-03-12)",
            "Plan (Conflict 2024-03-12-09-30-00)",
            "Plan (SFConflict anna@example.org 2024-03-12)",
            "Plan (Case Conflict)",
        ] {
            assert!(is_sync_conflict(name), "{name}");
        }
        assert!(!is_sync_conflict("Interview (Conflict)"), "it depends on what lies beside it");
        for name in ["Conflict", "War (Conflict of 1812)", "How to handle a conflicted copy", "Sync conflicts", "a)b("]
        {
            assert!(!is_sync_conflict(name), "{name}");
        }
    }

    #[test]
    fn a_second_version_of_a_note_beside_it_and_names_that_people_give() {
        let of = |stem: &'static str| possible_originals(stem).collect::<Vec<_>>();
        for (stem, original) in [
            ("Plan (Conflict)", "Plan"),
            ("Plan (conflicted)", "Plan"),
            ("Report-DESKTOP-AB12CD3", "Report"),
            ("Report-DESKTOP-AB12CD3-2", "Report"),
            ("To do-2024-LAPTOP-9K2M1QRS", "To do-2024"),
            ("Report-WIN-7H2K9Q1M3VB", "Report"),
            ("Report-ANNA-PC", "Report"),
            ("Report-AB12CD3", "Report"),
            ("Übung-DESKTOP-AB12CD3", "Übung"),
        ] {
            assert!(of(stem).contains(&original), "{stem}: {:?}", of(stem));
        }
        for stem in [
            "Report",
            "Report-2",
            "Report-V2",
            "Report-Q3",
            "Report-DRAFT",
            "Report-DESKTOP",
            "Report-FINAL-VERSION",
            "Report-2024-03-12",
            "Report-FY2024Q3",
            "Report-ISO27001",
            "Report-desktop-ab12cd3",
            "Report-Anna",
            "-ANNA-PC",
            "War (Conflict of 1812)",
        ] {
            assert_eq!(of(stem), Vec::<&str>::new(), "{stem}");
        }
    }

    #[test]
    fn a_drawing_says_so_in_its_front_matter_only() {
        assert!(is_drawing("---\n\nexcalidraw-plugin: parsed\ntags: [excalidraw]\n---\n# Drawing"));
        assert!(is_drawing("\u{feff}---\r\nkanban-plugin: basic\r\n---\r\n"));
        assert!(!is_drawing("about the key\nexcalidraw-plugin: parsed\n"));
        assert!(!is_drawing("---\ntitle: x\n---\nexcalidraw-plugin: parsed\n---\n"));
        assert!(!is_drawing("---\nexcalidraw-plugin: parsed\nnever closed"));
        assert!(!is_drawing(""));
    }
}
