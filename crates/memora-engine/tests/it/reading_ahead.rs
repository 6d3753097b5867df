//! What the transformer reads ahead of questions, while others index.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use memora_engine::{Memora, SyncBound};

use crate::lexical::{World, open, sync};

/// The statements with stored vectors.
fn stored(dir: &Path) -> i64 {
    let vaults = dir.join("state/vaults");
    let vault = fs::read_dir(vaults).expect("a folder").next().expect("a vault").expect("an entry");
    let index = rusqlite::Connection::open(vault.path().join("index.db")).expect("an index");
    index.query_row("SELECT COUNT(DISTINCT statement) FROM token_vectors", [], |row| row.get(0)).expect("a number")
}

/// What was read while another process indexed is kept, but for what it deleted.
#[test]
fn what_is_read_while_others_index_is_kept() {
    let world = World::new(&[
        ("crane.md", "# Crane\n\nThe crane lifts forty tons.\n\nThe crane was built in Oslo.\n"),
        ("mole.md", "# Mole\n\nThe mole digs at night.\n"),
    ]);
    let read = |memora: &Memora, told: &mut dyn FnMut(usize, usize) -> bool| {
        memora.precompute_token_vectors(&AtomicBool::new(false), told).expect("it can be read")
    };
    let mut times = 0;
    let mut meanwhile = |_: usize, _: usize| {
        times += 1;
        if times == 1 {
            let vault = world.dir.path().join("vault");
            fs::write(vault.join("crane.md"), "# Crane\n\nThe crane lifts forty tons.\n").expect("a note");
            fs::write(vault.join("owl.md"), "# Owl\n\nThe owl sleeps by day.\n").expect("a note");
            sync(&mut open(world.dir.path()), SyncBound::READER);
        }
        true
    };
    let all = read(&world.memora, &mut meanwhile);
    assert!(all.complete, "{all:?}");
    assert_eq!(stored(world.dir.path()), 2, "the crane that lifts, and the mole");
    // Only the owl is left.
    assert_eq!(read(&world.memora, &mut |_, _| true).done, 1);
    assert_eq!(stored(world.dir.path()), 3);
}
