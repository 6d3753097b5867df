//! What an exam's rows come to, held row by row.
//!
//! The exams under `tests/exam` are by hands that had not seen the code, and are never edited to suit it. Which rows come out
//! wrong is listed in `tests/snapshots/exams`, each with its text: a test fails for each row that is wrong and not listed, and
//! for each that is listed and right.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use crate::support::workspace;

/// Compares the rows that came out wrong, a line each with its text and what came out, with those that are known to.
/// `UPDATE_EXAMS=1` writes the list anew.
#[track_caller]
pub(crate) fn check_exam(exam: &str, wrong: impl IntoIterator<Item = String>) {
    let wrong: BTreeSet<String> = wrong.into_iter().map(|row| row.replace('\n', "\\n")).collect();
    let path = workspace().join(format!("tests/snapshots/exams/{exam}.txt"));
    if std::env::var_os("UPDATE_EXAMS").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        fs::write(&path, wrong.iter().map(|row| format!("{row}\n")).collect::<String>())
            .expect("a list can be written");
    }
    let known = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let known: BTreeSet<String> = known.lines().map(str::to_owned).collect();
    let mut told = String::new();
    for row in wrong.difference(&known) {
        let _ = writeln!(told, "now wrong: {row}");
    }
    for row in known.difference(&wrong) {
        let _ = writeln!(told, "no longer so: {row}");
    }
    assert!(
        told.is_empty(),
        "{exam}, {} of which were known to come out wrong:\n{told}hint: UPDATE_EXAMS=1, and read what changed",
        known.len()
    );
}
