//! An entry of a server in a settings file.

use serde_json::Value;

/// The format in which a file stores its servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SettingsFormat {
    /// JSON, under this key; existing comments are kept.
    Json(&'static str),
    /// TOML, under this key.
    Toml(&'static str),
}

/// A server to be registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServerEntry {
    /// The name of the server in the program.
    pub(crate) name: String,
    pub(crate) command: String,
    pub(crate) args: Vec<String>,
}

/// The fields of a server in a settings file, in order.
pub(crate) type ServerFields = Vec<(&'static str, Value)>;
