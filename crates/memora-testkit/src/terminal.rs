//! The built binary at a terminal of a given width: what a person sees, both outputs in one.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::process::Command;

use nix::pty::{OpenptyResult, Winsize, openpty};

use crate::{CommandOutput, MemoraBinary};

/// A terminal: its width, and the type that `TERM` names.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// The width in columns.
    pub columns: u16,
    /// The value of `TERM`; `dumb` shows words alone, without colour, links and progress.
    pub kind: &'static str,
}

impl Terminal {
    /// Runs a command whose standard input, output and error are this terminal, and returns what it shows as `stdout`,
    /// with `\n` for the terminal's line ends.
    ///
    /// # Panics
    /// If no terminal can be opened, the program cannot be started, or what it shows is not UTF-8.
    pub fn run<S: AsRef<OsStr>>(&self, memora: &MemoraBinary, args: &[S]) -> CommandOutput {
        let line = args.iter().map(|arg| arg.as_ref().to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ");
        let mut command = memora.command(args);
        command.env("TERM", self.kind);
        self.run_command(format!("memora {line}"), command)
    }

    /// Runs a prepared command in the same way.
    ///
    /// # Panics
    /// As [`Terminal::run`].
    pub fn run_command(&self, line: impl Into<String>, mut command: Command) -> CommandOutput {
        let size = Winsize { ws_row: 24, ws_col: self.columns, ws_xpixel: 0, ws_ypixel: 0 };
        let OpenptyResult { master, slave } = openpty(&size, None).expect("a terminal can be opened");
        let end = |slave: &OwnedFd| slave.try_clone().expect("a descriptor can be cloned");
        let mut child =
            command.stdin(end(&slave)).stdout(end(&slave)).stderr(slave).spawn().expect("the binary can be started");
        // The parent's copies keep the terminal open.
        drop(command);
        let shown = read_to_hangup(File::from(master));
        let status = child.wait().expect("the program ends");
        let stdout = String::from_utf8(shown).expect("what is shown is UTF-8").replace("\r\n", "\n").into_bytes();
        CommandOutput::new(line, std::process::Output { status, stdout, stderr: Vec::new() })
    }
}

/// Reads until the last program has left the terminal, which Linux reports as an error.
fn read_to_hangup(mut terminal: File) -> Vec<u8> {
    let (mut shown, mut buffer) = (Vec::new(), [0; 4096]);
    while let Ok(read @ 1..) = terminal.read(&mut buffer) {
        shown.extend_from_slice(buffer.get(..read).unwrap_or_default());
    }
    shown
}
