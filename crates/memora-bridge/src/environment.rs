//! What a server gets of the environment: no secret of another program.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use crate::tools::known_names;

/// The beginnings of the names of others.
const PASSED_BEGINNINGS: &[&str] = &["LC_", "XDG_"];

/// What the user gives a server of the environment. Its `Debug` has no value, which may be a key.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ServerEnvironment {
    /// Variables with their values.
    pub set: BTreeMap<String, String>,
    /// The names of variables of this process.
    pub pass: Vec<String>,
}

impl ServerEnvironment {
    /// All variables of a server, of those of this process.
    pub(crate) fn select(
        &self,
        all: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> impl Iterator<Item = (OsString, OsString)> {
        let passed = all.into_iter().filter(|(name, _)| self.is_passed(name));
        passed.chain(self.set.iter().map(|(name, value)| (name.into(), value.into())))
    }

    fn is_passed(&self, name: &OsStr) -> bool {
        let Some(name) = name.to_str() else { return false };
        // Windows has one variable for `Path` and `PATH`.
        let name = if cfg!(windows) { name.to_uppercase() } else { name.to_owned() };
        let is_named = |named: &String| if cfg!(windows) { named.to_uppercase() == name } else { *named == name };
        known_names("variable").contains(&name.as_str())
            || PASSED_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
            || self.pass.iter().any(is_named)
    }
}

impl std::fmt::Debug for ServerEnvironment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let set: Vec<&String> = self.set.keys().collect();
        f.debug_struct("ServerEnvironment").field("set", &set).field("pass", &self.pass).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_gets_what_it_needs_and_what_the_user_names() {
        let environment = ServerEnvironment {
            set: BTreeMap::from([("MODE".to_owned(), "quiet".to_owned())]),
            pass: vec!["MEM0_API_KEY".to_owned()],
        };
        let all =
            ["PATH", "LC_ALL", "XDG_DATA_HOME", "MEMORA_API_KEY", "MEM0_API_KEY", "AWS_SECRET_ACCESS_KEY", "MODE"];
        let all = all.map(|name| (OsString::from(name), OsString::from("loud")));
        let given: Vec<(OsString, OsString)> = environment.select(all).collect();
        let names: Vec<&str> = given.iter().filter_map(|(name, _)| name.to_str()).collect();
        assert_eq!(names, ["PATH", "LC_ALL", "XDG_DATA_HOME", "MEM0_API_KEY", "MODE"]);
        assert_eq!(given.last().map(|(_, value)| value.as_os_str()), Some(OsStr::new("quiet")));
        assert!(!format!("{environment:?}").contains("quiet"), "a value may be a key");
    }
}
