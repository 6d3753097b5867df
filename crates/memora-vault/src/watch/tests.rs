//! Real folders and the system's own events. Nothing sleeps: each wait ends when something settled, or after a bound.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::thread;

use super::*;
use crate::PlaceRules;

/// No machine is so busy that an event takes longer.
const BOUND: Duration = Duration::from_secs(30);

struct World {
    dir: tempfile::TempDir,
    watcher: Watcher,
}

impl World {
    fn of(files: &[&str]) -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir(dir.path().join("vault")).expect("a folder");
        for file in files {
            write(&dir.path().join("vault").join(file));
        }
        let vault = Vault::open(&dir.path().join("vault"), &PlaceRules::default()).expect("a vault");
        let config = dir.path().join("config.toml");
        let mut watcher = Watcher::start(&vault, Some(&config), false);
        assert!(watcher.dirty().is_everything(), "nothing is known in the beginning");
        watcher.take_dirty(false);
        watcher.record_walk(Instant::now(), Duration::ZERO);
        Self { dir, watcher }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.dir.path().join("vault").join(file)
    }

    fn write(&self, file: &str) {
        write(&self.path(file));
    }

    /// Takes what has settled, until all of these were among it; what else was is returned.
    #[track_caller]
    fn settled(&mut self, wanted: &[&str]) -> Vec<String> {
        let (mut wanted, mut others): (Vec<&str>, Vec<String>) = (wanted.to_vec(), Vec::new());
        while !wanted.is_empty() {
            let dirty = self.wait();
            let found: Vec<&str> = if dirty.has_changed_settings() {
                vec!["settings"]
            } else if dirty.is_everything() {
                vec!["everything"]
            } else {
                dirty.places().collect()
            };
            assert!(!found.is_empty(), "not heard of: {wanted:?}");
            // Everything has every place in it.
            wanted.retain(|place| !found.contains(place) && (*place == "settings" || !dirty.is_everything()));
            others.extend(found.into_iter().map(str::to_owned));
        }
        others
    }

    /// Waits within the bound, and takes what there is.
    fn wait(&mut self) -> DirtySet {
        let stop = Arc::new(AtomicBool::new(false));
        let (end, waker) = (Arc::clone(&stop), self.watcher.waker());
        let (done, ended) = std::sync::mpsc::channel::<()>();
        let guard = thread::spawn(move || {
            if ended.recv_timeout(BOUND) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                end.store(true, Ordering::Relaxed);
                waker.wake();
            }
        });
        self.watcher.wait_until_settled(&stop, None);
        drop(done);
        guard.join().expect("it does not panic");
        self.watcher.take_dirty(false)
    }
}

fn write(path: &Path) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, "It is so.\n").expect("a file");
}

#[test]
fn a_change_is_heard_of() {
    let mut world = World::of(&["a.md", "folder/b.md"]);
    world.write("a.md");
    world.settled(&["a.md"]);
    world.write("folder/c.md");
    world.settled(&["folder/c.md"]);
    fs::remove_file(world.path("folder/b.md")).expect("a file can go");
    world.settled(&["folder/b.md"]);
    assert!(world.watcher.dirty().is_clean());
}

#[test]
fn a_new_folder_is_watched_with_all_in_it() {
    let mut world = World::of(&["a.md"]);
    world.write("new/deep/b.md");
    world.settled(&["new"]);
    world.write("new/deep/c.md");
    world.settled(&["new/deep/c.md"]);
}

#[test]
fn a_renamed_folder_is_watched_under_its_new_name() {
    let mut world = World::of(&["old/deep/a.md"]);
    fs::rename(world.path("old"), world.path("new")).expect("a rename");
    world.settled(&["old", "new"]);
    world.write("new/deep/a.md");
    let heard = world.settled(&["new/deep/a.md"]);
    assert!(heard.iter().all(|place| !place.starts_with("old")), "{heard:?}");
    // And another one of the old name, too.
    world.write("old/b.md");
    world.settled(&["old"]);
    world.write("old/c.md");
    world.settled(&["old/c.md"]);
}

#[test]
fn a_file_put_in_place_by_renaming_is_heard_of_by_its_own_name() {
    let mut world = World::of(&["a.md"]);
    world.write(".a.md.tmp");
    fs::rename(world.path(".a.md.tmp"), world.path("a.md")).expect("a rename");
    let heard = world.settled(&["a.md"]);
    assert_eq!(heard, ["a.md"]);
}

#[test]
fn settings_make_everything_dirty_also_when_they_are_new() {
    let mut world = World::of(&["a.md"]);
    world.write(".obsidian/app.json");
    world.settled(&["settings"]);
    world.write(".obsidian/app.json");
    world.settled(&["settings"]);
    world.write(".gitignore");
    world.settled(&["settings"]);
    fs::write(world.dir.path().join("config.toml"), "").expect("a file");
    world.settled(&["settings"]);
}

#[test]
fn hidden_folders_are_not_watched() {
    let world =
        World::of(&["a.md", ".git/objects/00/x", "node_modules/x/readme.md", ".obsidian/plugins/other/main.js"]);
    let watched = format!("{:?}", world.watcher.folders);
    for hidden in [".git", "node_modules", "other"] {
        assert!(!watched.contains(hidden), "{watched}");
    }
    assert!(!cfg!(target_os = "linux") || watched.contains(".obsidian/plugins"), "{watched}");
}

#[cfg(unix)]
#[test]
fn nothing_behind_a_link_is_watched() {
    let mut world = World::of(&["a.md", "inside/b.md"]);
    let outside = world.dir.path().join("outside");
    write(&outside.join("secret.md"));
    std::os::unix::fs::symlink(&outside, world.path("out")).expect("a link");
    std::os::unix::fs::symlink(world.path("inside"), world.path("in")).expect("a link");
    world.settled(&["out", "in"]);
    write(&outside.join("secret.md"));
    world.write("a.md");
    assert_eq!(world.settled(&["a.md"]), ["a.md"]);
    world.write("in/b.md");
    assert_eq!(world.settled(&["inside/b.md"]), ["inside/b.md"]);
}

#[test]
fn a_vault_that_went_is_looked_for_and_watched_again() {
    let mut world = World::of(&["a.md"]);
    let (vault, away) = (world.path("").canonicalize().expect("it is there"), world.dir.path().join("away"));
    fs::rename(&vault, &away).expect("a rename");
    world.settled(&["everything"]);
    assert_eq!(world.watcher.limitation(), Some(&WatchLimitation::FolderMissing));
    fs::rename(&away, &vault).expect("a rename");
    // Due every few seconds, of which none has to pass here.
    world.watcher.record_walk(Instant::now().checked_sub(Duration::from_secs(9)).expect("a past"), Duration::ZERO);
    world.settled(&["everything"]);
    assert_eq!(world.watcher.limitation(), None);
    world.watcher.record_walk(Instant::now(), Duration::ZERO);
    world.write("a.md");
    world.settled(&["a.md"]);
}

#[test]
fn what_is_put_back_comes_again_with_what_was_heard_meanwhile() {
    let mut world = World::of(&["a.md"]);
    world.write("a.md");
    let dirty = world.wait();
    assert!(world.watcher.dirty().is_clean());
    world.watcher.put_back(dirty.clone(), Duration::ZERO);
    assert_eq!(world.watcher.dirty(), dirty);
    world.write("b.md");
    world.settled(&["a.md", "b.md"]);
}

/// Walks are due by the time of the last one alone, so that no time has to pass.
#[test]
fn a_walk_is_due_when_changes_may_have_been_missed_and_never_while_idle() {
    let mut world = World::of(&["a.md"]);
    let now = Instant::now();
    let ago = |seconds| now.checked_sub(Duration::from_secs(seconds)).expect("a past");
    let took = Duration::from_millis(100);
    world.watcher.record_walk(ago(3600), took);
    assert_eq!(world.watcher.walk_due(now), None, "nothing has happened for an hour");
    world.watcher.looked = true;
    assert_eq!(world.watcher.walk_due(now), Some(ago(3540)), "a minute after the walk before a change");
    world.watcher.blind = Some(WatchLimitation::FolderLimit);
    assert_eq!(
        world.watcher.walk_due(now),
        Some(ago(3600) + took + POLL_SHARE * took),
        "walks are a fiftieth of the time"
    );
    world.watcher.record_walk(ago(3600), Duration::ZERO);
    assert_eq!(world.watcher.walk_due(now), Some(ago(3598)));
}

#[test]
fn a_reader_walks_after_a_minute_and_where_changes_may_go_unheard() {
    let mut world = World::of(&["a.md"]);
    assert!(world.watcher.take_dirty(true).is_clean());
    world.watcher.record_walk(Instant::now().checked_sub(MINUTE).expect("a past"), Duration::ZERO);
    assert!(world.watcher.take_dirty(false).is_clean());
    assert!(world.watcher.take_dirty(true).is_everything());
    world.watcher.record_walk(Instant::now(), Duration::ZERO);
    world.watcher.blind = Some(WatchLimitation::PollRequested);
    assert!(world.watcher.take_dirty(true).is_everything());
}

#[test]
fn a_machine_that_slept_is_noticed_by_either_clock() {
    let seconds = Duration::from_secs;
    // The clock of the process stood still, or went on, and it came back late.
    assert!(was_asleep(seconds(60), seconds(3), seconds(3600)));
    assert!(was_asleep(seconds(60), seconds(3600), seconds(3600)));
    assert!(!was_asleep(seconds(60), seconds(60), seconds(60)));
    assert!(!was_asleep(seconds(60), seconds(61), seconds(62)));
    assert!(!was_asleep(seconds(60), seconds(3), Duration::ZERO), "somebody set the clock back");
}

#[test]
fn an_overflow_and_an_error_make_everything_dirty() {
    let heard = |event| {
        let shared = WatchShared::default();
        handle_event(&shared, Path::new("/vault"), None, event);
        std::mem::take(&mut shared.lock().dirty)
    };
    assert!(heard(Ok(Event::new(notify::EventKind::Other).set_flag(notify::event::Flag::Rescan))).is_everything());
    assert!(heard(Err(notify::Error::generic("lost"))).is_everything());
    assert!(heard(Ok(Event::new(notify::EventKind::Other))).is_clean());
}
