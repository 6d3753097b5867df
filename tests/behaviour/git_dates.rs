//! By when a note without a date was written, as the repository says that the vault lies in.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::support::World;

const XERO: &str = "Finance sends the invoices of all customers with Xero.";
const NETSUITE: &str = "Finance sends the invoices of all customers with NetSuite instead of Xero.";

fn git(folder: &Path, date: &str, args: &[&str]) -> bool {
    let mut command = Command::new("git");
    command.args(["-C", &folder.display().to_string(), "-c", "user.name=A", "-c", "user.email=a@b"]).args(args);
    command.env("GIT_AUTHOR_DATE", date).env("GIT_COMMITTER_DATE", date).env("GIT_CONFIG_GLOBAL", "/dev/null");
    command.output().is_ok_and(|output| output.status.success())
}

/// A vault in a folder of a repository: a note without a date that got another line after a newer note contradicted its first one.
fn committed() -> Option<World> {
    let world = World::new(&[("stack.md", &format!("{XERO}\n"))]);
    let root = world.vault();
    let commit = |date: &str| git(&root, date, &["add", "."]) && git(&root, date, &["commit", "-q", "-m", "notes"]);
    if !git(&root, "", &["init", "-q"]) {
        let _ = std::io::stderr().write_all(b"skipped: git is not installed\n");
        return None;
    }
    assert!(commit("2024-01-10T12:00:00Z"));
    world.write("daily/2025-02-11.md", format!("{NETSUITE}\n"));
    world.write("stack.md", format!("{XERO}\n\nThe plum tree is in bloom.\n"));
    assert!(commit("2025-09-01T12:00:00Z"));
    Some(world)
}

/// The words by which the newer note is said to end the older one.
fn ended_by(report: &Value) -> Option<String> {
    let pairs = report["pairs"].as_array().expect("a list");
    let pair =
        pairs.iter().find(|pair| pair["newer"]["place"]["quote"] == NETSUITE).expect("it is beside the older one");
    pair["ended_by"].as_str().map(str::to_owned)
}

#[test]
fn words_without_a_date_are_as_old_as_the_repository_says() {
    let Some(world) = committed() else { return };
    let ends = Some("instead of Xero".to_owned());
    assert_eq!(ended_by(&world.json(&["changes"])), ends, "its file is newer, its last commit, too");
    assert!(git(&world.vault(), "", &["gc", "-q", "--prune=now"]));
    assert_eq!(ended_by(&world.json(&["changes"])), ends, "the same of a pack");
    // To another program only dates count.
    assert_eq!(ended_by(&world.cloud(&["changes", "--json"]).json()), None);
    // What is not committed is of today.
    world.edit("stack.md", "of all customers with", "of all our customers with");
    assert_eq!(ended_by(&world.json(&["changes"])), None);
}

/// Whoever made a vault made its repository, too: there is a dozen settings by which git starts a program.
#[test]
fn a_hostile_repository_runs_nothing_and_is_read_from_nowhere_else() {
    let Some(world) = committed() else { return };
    let (git, ran) = (world.vault().join(".git"), world.at("ran"));
    let run = format!("sh -c 'touch {}'", ran.display());
    let settings = format!(
        "[core]\n\trepositoryformatversion = 0\n\tfsmonitor = \"{run}\"\n\tsshCommand = \"{run}\"\n\tpager = \"{run}\"\n\thooksPath = hooks\n\
         \teditor = \"{run}\"\n[log]\n\tshowSignature = true\n[gpg]\n\tprogram = \"{run}\"\n[diff \"x\"]\n\ttextconv = \"{run}\"\n\
         \tcommand = \"{run}\"\n[filter \"x\"]\n\tclean = \"{run}\"\n\tprocess = \"{run}\"\n[diff]\n\texternal = \"{run}\"\n\
         [extensions]\n\tpartialClone = far\n[remote \"far\"]\n\turl = \"ext::{run}\"\n\tpromisor = true\n\
         [protocol]\n\tallow = always\n[credential]\n\thelper = \"!{run}\"\n"
    );
    fs::write(git.join("config"), settings).expect("written");
    fs::create_dir_all(git.join("info")).expect("made");
    fs::write(git.join("info").join("attributes"), "* filter=x diff=x\n").expect("written");
    assert!(ended_by(&world.json(&["changes"])).is_some(), "it is read all the same");
    assert!(!ran.exists());
    let before = world.everything();
    fs::write(git.join("objects").join("info").join("alternates"), "/\n").expect("written");
    assert_eq!(ended_by(&world.json(&["changes"])), None, "objects from elsewhere are not read");
    fs::remove_file(git.join("objects").join("info").join("alternates")).expect("removed");
    // Nothing of it is damaged so that it ends the command.
    for head in
        ["ref: ../../../etc/passwd\n", "ref: refs/heads/none\n", "0123456789012345678901234567890123456789\n", ""]
    {
        fs::write(git.join("HEAD"), head).expect("written");
        assert_eq!(ended_by(&world.json(&["changes"])), None, "{head}");
    }
    assert!(!ran.exists() && world.everything().len() == before.len(), "nothing is written into the vault");
}
