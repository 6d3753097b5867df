//! Resolves links to notes, as Obsidian does.
//!
//! Invariant: nothing is guessed. Where Obsidian would silently open the first of several notes, the result is
//! [`Resolution::Ambiguous`], with the note that Obsidian opens first.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::NotePath;
use crate::disk::fold_name;

/// The target of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// To this note.
    Note(NotePath),
    /// To one of these, equally well; the first is the one Obsidian opens.
    Ambiguous(Vec<NotePath>),
    /// To no note: one not written yet, or an attachment.
    Unresolved,
}

/// An index of the names of a vault's notes, for resolving links.
#[derive(Clone, Debug, Default)]
pub struct LinkIndex {
    notes: Vec<IndexedNote>,
    /// Folded file name, without `.md`, to indices of `notes`, in order of path.
    by_name: HashMap<String, Vec<usize>>,
    /// Folded alias to indices of `notes`, in order of path.
    by_alias: HashMap<String, Vec<usize>>,
}

#[derive(Clone, Debug)]
struct IndexedNote {
    path: NotePath,
    /// Folded, without `.md`.
    key: String,
}

impl LinkIndex {
    /// Indexes all notes of a vault with their aliases, in any order.
    pub fn new<'a>(notes: impl IntoIterator<Item = (&'a NotePath, &'a [String])>) -> Self {
        let mut given: Vec<(&NotePath, &[String])> = notes.into_iter().collect();
        given.sort_unstable_by_key(|(path, _)| *path);
        given.dedup_by_key(|(path, _)| *path);
        let mut index = Self::default();
        for (at, (path, aliases)) in given.into_iter().enumerate() {
            let key = strip_extension(&fold_link_name(path.as_str())).to_owned();
            index.by_name.entry(last_component(&key).to_owned()).or_default().push(at);
            for alias in aliases {
                let places = index.by_alias.entry(fold_link_name(alias.trim())).or_default();
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
            index.notes.push(IndexedNote { path: path.clone(), key });
        }
        index
    }

    /// Resolves `target`, the note part of a link (nothing behind `#` or `|`) as it is written in the note `from`.
    ///
    /// 1. Empty: the same note.
    /// 2. Beginning with `./` or `../`: that place, seen from the folder of `from`. Beginning with `/`: that place, seen
    ///    from the root.
    /// 3. A path from the root.
    /// 4. The end of a path: the only note whose path ends so, else the only one of them in the folder of `from`, else
    ///    ambiguous: below the folder of `from` first, then shortest first, as Obsidian picks.
    /// 5. The same with `%20` and its like decoded, as in markdown links.
    /// 6. An alias, which Obsidian offers when a link is typed.
    ///
    /// Case and the composition of accents are forgiven throughout, and `.md` may be there or not.
    #[must_use]
    pub fn resolve(&self, from: &NotePath, target: &str) -> Resolution {
        let target = target.trim();
        if target.is_empty() {
            return Resolution::Note(from.clone());
        }
        let decoded = percent_decode(target);
        for written in std::iter::once(target).chain(decoded.as_deref()) {
            let found = self.resolve_path(from, written);
            if found != Resolution::Unresolved {
                return found;
            }
        }
        for written in std::iter::once(target).chain(decoded.as_deref()) {
            if let Some(places) = self.by_alias.get(&fold_link_name(written)) {
                return self.disambiguate(places.clone(), from);
            }
        }
        Resolution::Unresolved
    }

    fn resolve_path(&self, from: &NotePath, target: &str) -> Resolution {
        let key = fold_link_name(target);
        let relative = matches!(key.split('/').next(), Some("." | ".."));
        let base = if relative { fold_link_name(from.folder()) } else { String::new() };
        let anchored = relative || key.starts_with('/');
        let Some(key) = join_path(&base, &key) else { return Resolution::Unresolved };
        // `[[Note.md]]` is `Note.md`; only without that note may it be `Note.md.md`.
        for key in [strip_extension(&key), key.as_str()] {
            let candidates = self.by_name.get(last_component(key)).map(Vec::as_slice).unwrap_or_default();
            let key_of = |at: &usize| self.notes.get(*at).map_or("", |entry| entry.key.as_str());
            let exact: Vec<usize> = candidates.iter().copied().filter(|at| key_of(at) == key).collect();
            if !exact.is_empty() {
                // Two files whose names differ in case only, on a file system that tells them apart.
                return self.disambiguate(exact, from);
            }
            if anchored {
                continue;
            }
            let ends_so = |at: &usize| key_of(at).strip_suffix(key).is_some_and(|rest| rest.ends_with('/'));
            let places: Vec<usize> = candidates.iter().copied().filter(ends_so).collect();
            if !places.is_empty() {
                return self.disambiguate(places, from);
            }
        }
        Resolution::Unresolved
    }

    /// `places` is not empty.
    fn disambiguate(&self, places: Vec<usize>, from: &NotePath) -> Resolution {
        let mut entries: Vec<&IndexedNote> = places.iter().filter_map(|at| self.notes.get(*at)).collect();
        let folder = fold_link_name(from.folder());
        let beside = |entry: &&&IndexedNote| entry.key.rsplit_once('/').map_or("", |(folder, _)| folder) == folder;
        if entries.len() > 1 {
            let mut near = entries.iter().filter(beside);
            if let (Some(one), None) = (near.next(), near.next()) {
                return Resolution::Note(one.path.clone());
            }
        }
        let below = |entry: &IndexedNote| {
            folder.is_empty() || entry.key.strip_prefix(&folder).is_some_and(|k| k.starts_with('/'))
        };
        entries.sort_by_key(|entry| (!below(entry), entry.key.len()));
        match entries.as_slice() {
            [one] => Resolution::Note(one.path.clone()),
            [] => Resolution::Unresolved,
            several => Resolution::Ambiguous(several.iter().map(|entry| entry.path.clone()).collect()),
        }
    }
}

/// Returns a key shared by a link's target and any title or alias it can lead to: the folded last part of a path.
///
/// A first filter for looking up links. Equal keys do not imply that a link leads there ([`LinkIndex::resolve`]
/// decides), but different keys rule it out.
#[must_use]
pub fn link_key(target: &str) -> String {
    let target = target.trim();
    let decoded = percent_decode(target);
    let key = fold_link_name(decoded.as_deref().unwrap_or(target).trim());
    // A title of two endings is met with and without the second.
    last_component(strip_extension(strip_extension(&key))).to_owned()
}

/// Folds a name; also treats a no-break space as a space, as Obsidian does.
fn fold_link_name(text: &str) -> String {
    let mut key = fold_name(text);
    if key.contains('\u{a0}') {
        key = key.replace('\u{a0}', " ");
    }
    key
}

fn strip_extension(key: &str) -> &str {
    key.strip_suffix(".md").filter(|rest| !rest.is_empty() && !rest.ends_with('/')).unwrap_or(key)
}

fn last_component(key: &str) -> &str {
    key.rsplit('/').next().unwrap_or(key)
}

/// Resolves `path` against `base`, with `.` and `..` as steps. `None` if it leaves the vault or is empty.
fn join_path(base: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// `None` if there is nothing to decode or the bytes are not UTF-8. A `%` that begins no code stays as it is.
fn percent_decode(text: &str) -> Option<String> {
    match percent_encoding::percent_decode_str(text).decode_utf8() {
        Ok(Cow::Owned(decoded)) => Some(decoded),
        Ok(Cow::Borrowed(_)) | Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> NotePath {
        NotePath::new(text).expect("a good path")
    }

    fn index(notes: &[(&str, &[&str])]) -> LinkIndex {
        let owned: Vec<(NotePath, Vec<String>)> =
            notes.iter().map(|(p, aliases)| (path(p), aliases.iter().map(|&a| a.to_owned()).collect())).collect();
        LinkIndex::new(owned.iter().map(|(p, aliases)| (p, aliases.as_slice())))
    }

    /// The paths it may be, space separated by `|`; empty when unresolved.
    #[track_caller]
    fn check(index: &LinkIndex, from: &str, target: &str, expect: &str) {
        let got = match index.resolve(&path(from), target) {
            Resolution::Note(note) => note.to_string(),
            Resolution::Ambiguous(notes) => {
                assert!(notes.len() > 1);
                notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("|")
            }
            Resolution::Unresolved => String::new(),
        };
        assert_eq!(got, expect, "[[{target}]] in {from}");
    }

    fn vault() -> LinkIndex {
        index(&[
            ("README.md", &[]),
            ("people/Anna Brandt.md", &["Anna", "AB"]),
            ("people/Andrea Berg.md", &["AB"]),
            ("people/佐藤先生.md", &["Satō"]),
            ("projects/drift/README.md", &[]),
            ("projects/drift/road map.md", &[]),
            ("projects/pegelhaus/README.md", &[]),
            ("projects/pegelhaus/docs/setup.md", &[]),
            ("archive/docs/setup.md", &[]),
            ("recipes/Ka\u{308}sekuchen für Jürgen.md", &[]),
            ("reading/v1.2 notes.md", &[]),
            ("reading/100% wool.md", &[]),
        ])
    }

    #[test]
    fn by_name_path_and_end_of_path() {
        let v = vault();
        check(&v, "README.md", "Anna Brandt", "people/Anna Brandt.md");
        check(&v, "README.md", "anna brandt.MD", "people/Anna Brandt.md");
        check(&v, "README.md", "people/Anna Brandt", "people/Anna Brandt.md");
        check(&v, "README.md", "drift/README", "projects/drift/README.md");
        check(&v, "README.md", "ift/README", "");
        check(&v, "README.md", "佐藤先生", "people/佐藤先生.md");
        check(&v, "README.md", "v1.2 notes", "reading/v1.2 notes.md");
        check(&v, "README.md", "Nobody", "");
        check(&v, "README.md", "Anna\u{a0}Brandt", "people/Anna Brandt.md");
    }

    #[test]
    fn accents_are_the_same_composed_or_not() {
        let v = vault();
        check(&v, "README.md", "Käsekuchen für Jürgen", "recipes/Ka\u{308}sekuchen für Jürgen.md");
        check(&v, "README.md", "KÄSEKUCHEN FÜR JU\u{308}RGEN", "recipes/Ka\u{308}sekuchen für Jürgen.md");
    }

    #[test]
    fn several_notes_of_one_name() {
        let v = vault();
        // The root's is an exact path.
        check(&v, "people/Anna Brandt.md", "README", "README.md");
        check(&v, "archive/docs/x.md", "setup", "archive/docs/setup.md");
        check(&v, "README.md", "setup", "archive/docs/setup.md|projects/pegelhaus/docs/setup.md");
        // Below the folder of the link comes first, as in Obsidian.
        check(&v, "projects/x.md", "docs/setup", "projects/pegelhaus/docs/setup.md|archive/docs/setup.md");
    }

    #[test]
    fn markdown_links() {
        let v = vault();
        check(&v, "projects/drift/x.md", "./road%20map.md", "projects/drift/road map.md");
        check(&v, "projects/drift/x.md", "../pegelhaus/README.md", "projects/pegelhaus/README.md");
        check(&v, "projects/drift/x.md", "../../people/Anna%20Brandt.md", "people/Anna Brandt.md");
        check(&v, "projects/drift/x.md", "../../../people/Anna%20Brandt.md", "");
        check(&v, "projects/drift/x.md", "./README.md", "projects/drift/README.md");
        check(&v, "projects/drift/x.md", "./Anna%20Brandt.md", "");
        check(&v, "projects/drift/x.md", "/README.md", "README.md");
        check(&v, "README.md", "people/%E4%BD%90%E8%97%A4%E5%85%88%E7%94%9F.md", "people/佐藤先生.md");
        check(&v, "README.md", "100% wool", "reading/100% wool.md");
        check(&v, "README.md", "100%25%20wool", "reading/100% wool.md");
        check(&v, "README.md", "%ff", "");
    }

    #[test]
    fn aliases_come_last() {
        let v = vault();
        check(&v, "README.md", "anna", "people/Anna Brandt.md");
        check(&v, "README.md", "SATŌ", "people/佐藤先生.md");
        check(&v, "README.md", "AB", "people/Andrea Berg.md|people/Anna Brandt.md");
        let v = index(&[("Rust.md", &[]), ("Corrosion.md", &["Rust"])]);
        check(&v, "Corrosion.md", "rust", "Rust.md");
    }

    #[test]
    fn what_a_link_leads_to_has_its_key() {
        let v = vault();
        for target in [
            "Anna Brandt",
            "anna brandt.MD",
            "people/Anna\u{a0}Brandt",
            "AB",
            "SATŌ",
            "./road%20map.md",
            "100%25%20wool",
        ] {
            let from = path("projects/drift/x.md");
            let found = match v.resolve(&from, target) {
                Resolution::Note(note) => vec![note],
                Resolution::Ambiguous(notes) => notes,
                Resolution::Unresolved => panic!("{target} leads somewhere"),
            };
            for note in found {
                let aliases: &[&str] = match note.stem() {
                    "Anna Brandt" => &["Anna", "AB"],
                    "Andrea Berg" => &["AB"],
                    "佐藤先生" => &["Satō"],
                    _ => &[],
                };
                let mut names = std::iter::once(note.stem()).chain(aliases.iter().copied());
                assert!(names.any(|name| link_key(name) == link_key(target)), "{target} and {note}");
            }
        }
    }

    #[test]
    fn an_empty_target_is_the_note_itself() {
        check(&vault(), "not/indexed.md", "", "not/indexed.md");
        check(&vault(), "README.md", "/", "");
        check(&vault(), "README.md", "..", "");
        check(&vault(), "README.md", ".md", "");
    }

    proptest::proptest! {
        #[test]
        fn no_target_panics(target in "[./%a-fA-F0-9é佐 ]{0,24}") {
            let _ = vault().resolve(&path("people/Anna Brandt.md"), &target);
        }
    }
}
