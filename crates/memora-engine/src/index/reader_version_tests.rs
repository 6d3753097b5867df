//! Tests of [`reader_version`](super::reader_version).

use std::fs;
use std::path::Path;

use super::prepare::READER_VERSION;
use super::reader_version::{READING, hash_reading};

/// Folders of crates in which every place that is read has a file.
fn folder_of_crates() -> tempfile::TempDir {
    let crates = tempfile::tempdir().expect("a folder");
    for place in READING {
        let file = crates.path().join(place);
        let file = if place.ends_with(".rs") { file } else { file.join("en/words.txt") };
        write(&file, b"anna\nben\n");
    }
    crates
}

fn write(file: &Path, bytes: &[u8]) {
    fs::create_dir_all(file.parent().expect("it has a folder")).expect("folders");
    fs::write(file, bytes).expect("a file");
}

#[test]
fn a_changed_word_a_new_file_and_another_name_are_other_versions() {
    let crates = folder_of_crates();
    let version = || hash_reading(crates.path()).expect("a version");
    let before = version();
    let list = crates.path().join("memora-nlp/data/en/words.txt");
    let mut seen = vec![before.clone()];
    for bytes in [&b"anna\nbea\n"[..], b"anna\n", b""] {
        write(&list, bytes);
        seen.push(version());
    }
    write(&list, b"anna\nben\n");
    assert_eq!(version(), before, "what is as it was is the same version");
    fs::rename(&list, list.with_file_name("names.txt")).expect("renamed");
    seen.push(version());
    fs::rename(list.with_file_name("names.txt"), &list).expect("renamed back");
    write(&crates.path().join("memora-nlp/assets/model.bin"), b"\r\n");
    seen.push(version());
    write(&crates.path().join("memora-nlp/assets/model.bin"), b"\n");
    seen.push(version());
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), count, "{seen:?}");
}

#[test]
fn line_ends_tests_and_documentation_are_no_other_version() {
    let crates = folder_of_crates();
    let version = || hash_reading(crates.path()).expect("a version");
    let before = version();
    write(&crates.path().join("memora-nlp/data/en/words.txt"), b"anna\r\nben\r\n");
    for name in ["README.md", "tests.rs", "number_tests.rs", ".DS_Store"] {
        write(&crates.path().join("memora-extract/src").join(name), b"else\n");
    }
    assert_eq!(version(), before);
    fs::remove_dir_all(crates.path().join("memora-vault")).expect("removed");
    assert!(hash_reading(crates.path()).is_err(), "what is missing is told");
}

#[test]
fn the_version_is_that_of_the_code_at_hand() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies beside the others");
    assert_eq!(hash_reading(crates).expect("a version"), READER_VERSION);
}
