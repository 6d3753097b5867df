//! A look at some places finds what a walk finds there.

use std::fs;
use std::path::Path;

use super::{PlaceRules, Vault, VaultWalk};

const FILES: &[(&str, &str)] = &[
    ("a.md", "A."),
    ("b.txt", "no note"),
    ("folder/c.md", "C."),
    ("folder/deep/d.md", "D."),
    ("folder/deep/.e.md.icloud", ""),
    ("folder/.gitignore", "ignored\nhidden.md\n"),
    ("folder/hidden.md", "H."),
    ("folder/ignored/f.md", "F."),
    ("folder2/g.md", "G."),
    ("folder.md", "A note, named like a folder."),
    ("empty.md", ""),
    ("node_modules/n.md", "N."),
    (".trash/t.md", "T."),
];

fn vault() -> (tempfile::TempDir, Vault) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in FILES {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let vault = Vault::open(dir.path(), &PlaceRules::default()).expect("a vault");
    (dir, vault)
}

/// Notes and what is passed over, as far as a look covers them.
fn seen(walk: &VaultWalk, by: &VaultWalk) -> Vec<String> {
    let notes = walk.notes.iter().map(|found| format!("{} {:?} {:?}", found.path, found.stat, found.place));
    let skipped = walk.skipped.iter().map(|skipped| format!("{} {}", skipped.path, skipped.reason.code()));
    let covered = |line: &String| by.covers(line.split(' ').next().unwrap_or_default());
    notes.chain(skipped).filter(covered).collect()
}

#[track_caller]
fn check(places: &[&str], found: &[&str]) {
    let (_dir, vault) = vault();
    let look = vault.scan_places(places.iter().copied()).expect("a look is enough");
    assert!(look.is_partial());
    assert_eq!(seen(&look, &look), seen(&vault.walk(), &look), "{places:?}");
    let notes: Vec<&str> = look.notes.iter().map(|found| found.path.as_str()).collect();
    assert_eq!(notes, found, "{places:?}");
}

#[test]
fn a_look_finds_what_a_walk_finds_at_these_places() {
    check(&["a.md"], &["a.md"]);
    check(&["folder"], &["folder/c.md", "folder/deep/d.md"]);
    check(&["folder/deep"], &["folder/deep/d.md"]);
    check(&["folder", "folder/c.md", "folder/deep/d.md"], &["folder/c.md", "folder/deep/d.md"]);
    check(&["folder/c.md", "folder2/g.md", "folder.md"], &["folder.md", "folder/c.md", "folder2/g.md"]);
    // Ignored by a file further up, hidden, empty, no note, not there.
    check(&["folder/hidden.md", "folder/ignored/f.md", "folder/deep/e.md", "empty.md", "b.txt"], &[]);
    check(&["node_modules/n.md", ".trash/t.md", "none.md", "none/at/all.md", "a.md/below.md"], &[]);
}

#[test]
fn a_name_is_met_as_it_is_written_on_disk() {
    check(&["A.md", "folder2/G.MD"], &["a.md", "folder2/g.md"]);
    check(&["FOLDER2"], &["folder2/g.md"]);
}

#[test]
fn what_a_look_covers_is_the_places_and_all_below_them() {
    let (_dir, vault) = vault();
    let look = vault.scan_places(["folder", "Other/x.md"]).expect("a look is enough");
    for covered in ["folder", "folder/c.md", "folder/deep/d.md", "Folder/c.md", "other/x.md", "Other/x.md/y"] {
        assert!(look.covers(covered), "{covered}");
    }
    for other in ["folder.md", "folder2/g.md", "Other", "Other/x.mdx", "a.md"] {
        assert!(!look.covers(other), "{other}");
    }
    assert!(!vault.walk().is_partial() && vault.walk().covers("anything"));
}

#[cfg(unix)]
#[test]
fn below_a_link_only_a_walk_can_tell() {
    let (dir, vault) = vault();
    let outside = tempfile::tempdir().expect("a temporary folder");
    fs::write(outside.path().join("x.md"), "X.").expect("a file");
    let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, dir.path().join(name)).expect("a link");
    link(outside.path(), "out");
    link(&dir.path().join("folder"), "in");
    assert!(vault.scan_places(["out/x.md"]).is_none());
    assert!(vault.scan_places(["in/c.md"]).is_none());
    assert!(vault.scan_places([""]).is_none());
    // The link itself is a place like any other, and is not followed.
    let look = vault.scan_places(["out", "in"]).expect("a look is enough");
    assert!(look.notes.is_empty());
    assert_eq!(look.skipped.len(), 1, "{:?}", look.skipped);
}
