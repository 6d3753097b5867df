//! The process of a server, and how it ends: by itself, or told to.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::command::BridgeCommand;
use crate::error::BridgeError;

/// How long a server that works has to end by itself, one that hangs, and one that was told to end.
const END_WORKING: Duration = Duration::from_secs(2);
const END_HANGING: Duration = Duration::from_millis(100);
const END_TOLD: Duration = Duration::from_millis(200);

/// The groups of the servers that this process started and has not seen ended: a signal to it concerns all of them.
static STARTED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
/// Whether this process is to end now, so that no server is waited for.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Tells every server that this process started to end now, since the process was told so. Those that do not are killed
/// as soon as their clients are dropped.
pub fn terminate_servers() {
    IS_ENDING.store(true, Ordering::Relaxed);
    signal_started(false);
}

/// Kills every server that this process started, since the process ends at once.
pub fn kill_servers() {
    signal_started(true);
}

fn signal_started(kills: bool) {
    for group in &*STARTED.lock().unwrap_or_else(PoisonError::into_inner) {
        signal_group(*group, kills);
    }
}

/// The process of a server.
pub(crate) struct Process {
    child: Child,
    /// The id of the group of processes that it leads.
    group: Option<i32>,
}

impl Process {
    /// Starts a program, with the ends of a connection to it.
    pub(crate) fn start(command: &BridgeCommand) -> Result<(Self, ChildStdout, ChildStdin), BridgeError> {
        let mut start = Command::new(&command.program);
        start
            .args(&command.args)
            .current_dir(&command.folder)
            .env_clear()
            .envs(command.environment.select(std::env::vars_os()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // It may have words in it.
            .stderr(Stdio::null())
            .kill_on_drop(true);
        // A group of its own, so that what it starts ends with it.
        #[cfg(unix)]
        start.process_group(0);
        let mut child = start.spawn().map_err(BridgeError::Start)?;
        let group = child.id().and_then(|id| i32::try_from(id).ok());
        STARTED.lock().unwrap_or_else(PoisonError::into_inner).extend(group);
        let ends = child.stdout.take().zip(child.stdin.take());
        let process = Self { child, group };
        ends.map(|(output, input)| (process, output, input)).ok_or(BridgeError::Protocol)
    }

    /// Waits until it ends, whose standard input is closed; then tells it to end, and then kills it. One that works has more
    /// time, unless this process is to end now.
    pub(crate) async fn end(mut self, works: bool) {
        let patience = if works { END_WORKING } else { END_HANGING };
        let is_over = IS_ENDING.load(Ordering::Relaxed) || timeout(patience, self.child.wait()).await.is_err();
        if is_over {
            self.signal(false);
            if timeout(END_TOLD, self.child.wait()).await.is_err() {
                drop(self.child.start_kill());
                drop(timeout(END_TOLD, self.child.wait()).await);
            }
        }
    }

    fn signal(&self, kills: bool) {
        if let Some(group) = self.group {
            signal_group(group, kills);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // With it goes what it started and left behind.
        self.signal(true);
        if let Some(group) = self.group {
            STARTED.lock().unwrap_or_else(PoisonError::into_inner).remove(&group);
        }
    }
}

/// Tells a group of processes to end, or kills it.
#[cfg(unix)]
fn signal_group(group: i32, kills: bool) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = Pid::from_raw(group) {
        let _ = kill_process_group(group, if kills { Signal::KILL } else { Signal::TERM });
    }
}

#[cfg(not(unix))]
fn signal_group(_group: i32, _kills: bool) {}
