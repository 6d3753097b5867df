//! The command of a server.

use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::environment::ServerEnvironment;

/// How a server is started and called.
#[derive(Clone, Debug)]
pub struct BridgeCommand {
    /// The program, by its name on `PATH` or its whole path.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder that it is started in, which exists by then.
    pub folder: PathBuf,
    /// Arguments of tools that the user gives, for the tools that take them.
    pub arguments: Map<String, Value>,
    /// Its environment, beside what every program needs.
    pub environment: ServerEnvironment,
}
