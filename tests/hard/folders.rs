//! A state folder that goes, or cannot be written, ends what needs it with an error and a hint, and loses nothing else.

use memora_testkit::CommandOutput;

use super::wrap;
use crate::support::{Watch, example, memora};

#[track_caller]
fn assert_about_the_folder(output: &CommandOutput) {
    assert_eq!(output.exit, Some(2), "{output}");
    assert!(output.stderr.contains("hint: check that the state folder"), "{output}");
    assert!(!output.stderr.contains("panicked"), "{output}");
}

#[test]
fn a_watch_whose_state_goes_says_so() {
    let fixture = example();
    let memora = memora(&fixture).at_local_door();
    let watch = Watch::begun(&memora, &[]);
    std::fs::remove_dir_all(memora.state_dir().join("vaults")).expect("the state was there");
    fixture.write("new.md", "Anna keeps bees.\n");
    assert_about_the_folder(&watch.ended());
    // The next one makes it anew.
    let _ = memora.run(&["index"]).assert_code(0);
}

/// Mounts the state folder read-only, for the one command: permissions stop no superuser, and others may not mount.
#[cfg(target_os = "linux")]
#[test]
fn on_a_read_only_disk_every_command_says_so() {
    let fixture = example();
    let memora = memora(&fixture).at_local_door();
    let _ = memora.run(&["index"]).assert_code(0);
    let state = memora.state_dir().display().to_string();
    let script =
        format!("mount --bind '{state}' '{state}' && mount -o remount,ro,bind '{state}' && exec \"$0\" \"$@\"");
    let run = |args: &[&str]| {
        let mut command = wrap(&memora.command(args), &["unshare", "--mount", "--map-root-user", "sh", "-c", &script]);
        command.env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
        command.output().map(|output| CommandOutput::new(args.join(" "), output))
    };
    if !run(&["--version"]).is_ok_and(|output| output.exit == Some(0)) {
        return;
    }
    fixture.write("new.md", "Anna keeps bees.\n");
    for args in [&["watch"][..], &["watch", "--poll"], &["index"], &["ask", "Where does Anna work?"], &["reset"]] {
        assert_about_the_folder(&run(args).expect("it was run before"));
    }
    let _ = memora.run(&["index"]).assert_code(0);
}
