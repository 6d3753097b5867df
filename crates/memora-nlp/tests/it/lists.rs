//! What every file of word lists is, in whichever crate it lies: `data/<language>.toml`.

use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a crate lies among others");
    let crates = std::fs::read_dir(crates).expect("the crates").flatten().map(|of| of.path().join("data"));
    let folders = crates.filter(|folder| folder.is_dir());
    let files =
        folders.flat_map(|folder| std::fs::read_dir(folder).expect("a folder").flatten().map(|file| file.path()));
    files.filter(|file| file.extension().is_some_and(|ending| ending == "toml")).collect()
}

/// The names of a file's lists with their entries, by another reader than the program's.
fn lists(text: &str) -> Vec<(&str, Vec<&str>)> {
    let parts = text.split_terminator("]\n").map(|list| list.split_once(" = [").expect("a name and a list"));
    parts.map(|(name, entries)| (name, entries.split('"').skip(1).step_by(2).collect())).collect()
}

#[test]
fn every_list_is_sorted_unique_and_folded() {
    let mut count = 0;
    for file in files() {
        let text = std::fs::read_to_string(&file).expect("a file of lists");
        let lists = lists(&text);
        let names: Vec<&str> = lists.iter().map(|(name, _)| *name).collect();
        assert!(names.is_sorted_by(|one, two| one < two), "{}: {names:?}", file.display());
        for (name, entries) in &lists {
            let place = format!("{}: {name}", file.display());
            assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'), "{place}");
            assert!(!entries.is_empty() && entries.is_sorted_by(|one, two| one < two), "{place}: {entries:?}");
            assert!(entries.iter().all(|entry| *entry == entry.trim() && !entry.is_empty()), "{place}");
        }
        assert_eq!(text, text.to_lowercase(), "{}", file.display());
        count += lists.len();
    }
    assert!(count > 250, "{count} lists");
}
