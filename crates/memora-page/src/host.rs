//! Under which name the page is asked for: one of its own for each run, or the plain address of this machine.
//!
//! A name such as `memora-1f….localhost` leads browsers to this machine, and is another site to them than every other program on it.
//! Cookies know no ports: under `127.0.0.1` each port would be sent ours, and could set what is sent to us. What a former program left in
//! a browser at the same port, a kept file or a worker, is of its name and not of ours.
//!
//! Invariant: **one host is answered, letter by letter.**

use crate::token::random_token;

/// How many random hexadecimal digits stand in a name: 128 bits.
const DIGITS: usize = 32;

/// The one host that is answered, with its port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageHost {
    host: String,
    is_plain: bool,
}

impl PageHost {
    /// A name that nobody knows yet.
    pub(crate) fn new_name(port: u16) -> Self {
        let random: String = random_token().chars().take(DIGITS).collect();
        Self { host: format!("memora-{random}.localhost:{port}"), is_plain: false }
    }

    /// The plain address, for browsers that do not know such names.
    pub(crate) fn plain(port: u16) -> Self {
        Self { host: format!("127.0.0.1:{port}"), is_plain: true }
    }

    /// As it stands in the header.
    pub(crate) fn as_str(&self) -> &str {
        &self.host
    }

    /// Whether other programs of this machine may have left something under it.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_run_has_a_name_of_its_own_that_is_one_label() {
        let (a, b) = (PageHost::new_name(80), PageHost::new_name(80));
        assert_ne!(a, b);
        let label = a.as_str().strip_suffix(".localhost:80").expect("a name below localhost");
        let random = label.strip_prefix("memora-").expect("it says whose it is");
        assert!(
            random.len() >= 26 && random.bytes().all(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase())
        );
        assert!(label.len() <= 63, "as long as a label may be");
        assert_eq!(PageHost::plain(80).as_str(), "127.0.0.1:80");
    }
}
