//! Where a provider's key comes from: [`KeySource`].
//!
//! Invariant: **a key is never written down.** It is read on connecting, goes into one header, and appears in no
//! message, no log, no `Debug` output and no file of ours.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::retry::STOP_POLL_INTERVAL;

/// The timeout of a key command: a keyring may ask its owner to unlock it.
const COMMAND_MAX: Duration = Duration::from_secs(30);

/// The maximum length of a key, in bytes.
const KEY_BYTES_MAX: u64 = 1 << 14;

/// Where the key to a provider comes from. The key itself is in no configuration.
#[derive(Clone, PartialEq, Eq)]
pub enum KeySource {
    /// There is none, as for most models on one's own machine.
    None,
    /// A variable of the environment.
    Env(String),
    /// The first line that a program prints, such as `["secret-tool", "lookup", "service", "memora"]`. It is run without a
    /// shell, and for thirty seconds at most. This is how a platform's keyring is reached.
    Command(Vec<String>),
}

/// Names the variable or the program, never its arguments.
impl fmt::Debug for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("None"),
            Self::Env(name) => write!(f, "Env({name})"),
            Self::Command(words) => write!(f, "Command({}, …)", program_name(words)),
        }
    }
}

/// A key.
#[derive(Clone)]
pub(crate) struct ApiKey(String);

impl ApiKey {
    /// Validates a key, without surrounding white space.
    fn new(text: &str) -> Option<Self> {
        let key = text.trim();
        (!key.is_empty() && key.chars().all(|c| c.is_ascii_graphic())).then(|| Self(key.to_owned()))
    }

    /// The key, for the one header that it goes into.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The variable is not set, or empty.
    #[error("the variable {name} is not set")]
    NotSet {
        /// Which.
        name: String,
    },
    /// The program cannot be run.
    #[error("{program} cannot be run")]
    NotRun {
        /// Which.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// The program ends without success.
    #[error("{program} gives no key")]
    Failed {
        /// Which.
        program: String,
    },
    /// The program does not end.
    #[error("{program} gives no key within {} seconds", COMMAND_MAX.as_secs())]
    TimedOut {
        /// Which.
        program: String,
    },
    /// What was found is nothing, or has other characters than keys have.
    #[error("what {from} gives is no key")]
    NoKey {
        /// The variable or the program.
        from: String,
    },
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl KeySource {
    /// Reads the key.
    pub(crate) fn read_key(&self, stop: &AtomicBool) -> Result<Option<ApiKey>, KeyError> {
        match self {
            Self::None => Ok(None),
            Self::Env(name) => {
                let value = std::env::var_os(name).filter(|value| !value.is_empty());
                let value = value.ok_or_else(|| KeyError::NotSet { name: name.clone() })?;
                parse_key(value.to_str(), name)
            }
            Self::Command(words) => {
                let line = read_first_line(words, COMMAND_MAX, stop)?;
                parse_key(std::str::from_utf8(&line).ok(), &program_name(words))
            }
        }
    }
}

fn parse_key(text: Option<&str>, from: &str) -> Result<Option<ApiKey>, KeyError> {
    let key = text.and_then(ApiKey::new).ok_or_else(|| KeyError::NoKey { from: from.to_owned() })?;
    Ok(Some(key))
}

fn program_name(words: &[String]) -> String {
    words.first().cloned().unwrap_or_default()
}

/// Runs a program to its end and returns the first line of its output.
fn read_first_line(words: &[String], within: Duration, stop: &AtomicBool) -> Result<Vec<u8>, KeyError> {
    let (program, ends) = (program_name(words), Instant::now() + within);
    let not_run = |source| KeyError::NotRun { program: program.clone(), source };
    let mut command = Command::new(OsStr::new(&program));
    command.args(words.iter().skip(1)).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = KillOnDrop(command.spawn().map_err(not_run)?);
    let Some(stdout) = child.0.stdout.take() else { return Err(KeyError::Failed { program }) };
    let (send, line) = mpsc::channel();
    // Not joined: a process that inherited the pipe may keep it open indefinitely.
    std::thread::spawn(move || {
        let mut line = Vec::new();
        let read = BufReader::new(stdout.take(KEY_BYTES_MAX)).read_until(b'\n', &mut line);
        drop(send.send(read.map(|_| line)));
    });
    let waits = |ends: Instant| match (stop.load(Ordering::Relaxed), Instant::now() < ends) {
        (true, _) => Err(KeyError::Stopped),
        (false, false) => Err(KeyError::TimedOut { program: program.clone() }),
        (false, true) => Ok(()),
    };
    let line = loop {
        waits(ends)?;
        match line.recv_timeout(STOP_POLL_INTERVAL) {
            Ok(line) => break line.map_err(not_run)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(KeyError::Failed { program }),
        }
    };
    loop {
        match child.0.try_wait().map_err(not_run)? {
            Some(status) if status.success() => return Ok(line),
            Some(_) => return Err(KeyError::Failed { program }),
            None => std::thread::sleep(STOP_POLL_INTERVAL.min(Duration::from_millis(5))),
        }
        waits(ends)?;
    }
}

/// A child process that is killed when dropped.
struct KillOnDrop(Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        // It may have ended by itself, and then there is nothing to end.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn command(words: &[&str]) -> KeySource {
        KeySource::Command(words.iter().map(|word| (*word).to_owned()).collect())
    }

    fn read(source: &KeySource) -> Result<Option<ApiKey>, KeyError> {
        source.read_key(&AtomicBool::new(false))
    }

    #[test]
    fn a_key_is_the_first_line_that_a_program_prints() {
        let check = |script: &str, expect: &str| {
            let key = read(&command(&["sh", "-c", script])).expect("a key").expect("a key");
            assert_eq!(key.reveal(), expect);
            assert_eq!(format!("{key:?}"), "Key(…)");
        };
        check("echo sk-abc", "sk-abc");
        check("printf 'sk-abc\\r\\nmore\\n'", "sk-abc");
        check("printf ' sk-abc'", "sk-abc");
    }

    #[test]
    fn nothing_is_expanded_and_no_shell_is_run() {
        let key = read(&command(&["echo", "$HOME;`id`"])).expect("a key").expect("a key");
        assert_eq!(key.reveal(), "$HOME;`id`");
    }

    #[test]
    fn what_is_no_key_is_said_without_it() {
        let check = |source: KeySource, expect: fn(&KeyError) -> bool| {
            let error = read(&source).expect_err("no key");
            assert!(expect(&error), "{error:?}");
            assert!(!format!("{error} {error:?} {source:?}").contains("sk-"), "{error:?}");
        };
        check(command(&["sh", "-c", "echo sk-abc; exit 3"]), |e| matches!(e, KeyError::Failed { .. }));
        check(command(&["sh", "-c", "exit 0"]), |e| matches!(e, KeyError::NoKey { .. }));
        check(command(&["sh", "-c", "echo sk abc"]), |e| matches!(e, KeyError::NoKey { .. }));
        check(command(&["sh", "-c", "printf 'sk-\\377'"]), |e| matches!(e, KeyError::NoKey { .. }));
        check(command(&["no such program", "sk-1"]), |e| matches!(e, KeyError::NotRun { .. }));
        check(command(&[]), |e| matches!(e, KeyError::NotRun { .. }));
        check(KeySource::Env("MEMORA_NO_SUCH_KEY".to_owned()), |e| matches!(e, KeyError::NotSet { .. }));
        check(command(&["sh", "-c", "yes sk- | tr -d '\\n'"]), |e| {
            matches!(e, KeyError::Failed { .. } | KeyError::NoKey { .. })
        });
        assert!(read(&KeySource::None).expect("none is needed").is_none());
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let words = |script: &str| ["sh", "-c", script].map(str::to_owned);
        let (stop, soon) = (AtomicBool::new(false), Duration::from_millis(100));
        let began = Instant::now();
        for script in ["exec sleep 600", "echo sk-abc; exec sleep 600"] {
            let error = read_first_line(&words(script), soon, &stop).expect_err("it does not end");
            assert!(matches!(error, KeyError::TimedOut { .. }), "{error:?}");
        }
        // A child process inherits the pipe and keeps it open.
        let line = read_first_line(&words("sleep 600 & echo sk-abc"), COMMAND_MAX, &stop).expect("a line");
        assert_eq!(line, b"sk-abc\n");
        let stop = AtomicBool::new(true);
        assert!(matches!(read_first_line(&words("exec sleep 600"), COMMAND_MAX, &stop), Err(KeyError::Stopped)));
        assert!(began.elapsed() < Duration::from_secs(20));
    }
}
