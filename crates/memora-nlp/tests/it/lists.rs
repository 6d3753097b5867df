//! What every word list is, in whichever crate it lies: `data/<language>/<name>.txt`.

use std::path::{Path, PathBuf};

fn lists() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a crate lies among others");
    let folders = std::fs::read_dir(crates).expect("the crates").flatten().flat_map(|of| {
        ["en", "de", "other"]
            .map(|language| of.path().join("data").join(language))
            .into_iter()
            .filter(|path| path.is_dir())
    });
    folders.flat_map(|folder| std::fs::read_dir(folder).expect("a folder").flatten().map(|file| file.path())).collect()
}

#[test]
fn every_list_is_sorted_unique_and_folded() {
    let lists = lists();
    for file in &lists {
        let text = std::fs::read_to_string(file).expect("a list");
        let lines: Vec<&str> = text.lines().collect();
        for two in lines.windows(2) {
            assert!(two[0] < two[1], "{}: {:?} stands before {:?}", file.display(), two[0], two[1]);
        }
        assert_eq!(text, text.to_lowercase(), "{}", file.display());
        assert!(lines.iter().all(|line| *line == line.trim() && !line.is_empty()), "{}", file.display());
        assert!(text.ends_with('\n'), "{}", file.display());
    }
    assert!(lists.len() > 250, "{} lists", lists.len());
}
