//! What a stranger's file, a broken disk or a kill can do to Memora: nothing but what is said.
//!
//! - [`damage`]: damaged state is made anew and said, and gives no other answer
//! - [`folders`]: a state folder that cannot be written, or goes
//! - [`fuzzing`]: the targets of `fuzz/`, called with mutated texts of its corpus
//! - [`hostile`]: notes that repeat one construct are read by every command
//! - [`injection`]: notes and drafts that instruct, forge, disguise, launder, and look for ways out
//! - [`kills`]: what is killed at any moment loses nothing
//! - [`storm`]: watchers, readers, clients and a writer at once
//! - [`supply`]: licences and sources of what the program is made of
//!
//! Each runs for seconds. By hand, for as long as wanted: `MEMORA_HARD_ROUNDS=1000 cargo test --test integration hard::`.

use std::path::{Path, PathBuf};
use std::process::Command;

mod damage;
#[cfg(unix)]
mod folders;
mod fuzzing;
mod hostile;
#[cfg(target_os = "linux")]
mod injection;
#[cfg(unix)]
mod kills;
#[cfg(target_os = "linux")]
mod storm;
mod supply;

/// How many rounds are run: as asked for, or a few.
fn rounds(few: u64) -> u64 {
    std::env::var("MEMORA_HARD_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(few)
}

/// A sequence of numbers that look random, the same each time (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end.max(1) as u64).unwrap_or_default()
    }
}

/// The files below a folder, by path; none if it is not there.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .flat_map(|entry| if entry.path().is_dir() { files_below(&entry.path()) } else { vec![entry.path()] })
        .collect();
    found.sort();
    found
}

/// The same command, started by a program with these arguments in front.
fn wrap(plain: &Command, wrapper: &[&str]) -> Command {
    let (program, arguments) = wrapper.split_first().expect("a program");
    let mut command = Command::new(program);
    command.args(arguments).arg(plain.get_program()).args(plain.get_args()).env_clear();
    command.envs(plain.get_envs().filter_map(|(key, value)| Some((key, value?))));
    if let Some(folder) = plain.get_current_dir() {
        command.current_dir(folder);
    }
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    command
}
