//! Programs with an assistant in them: where each keeps its MCP servers, and how an entry looks there.
//!
//! Documented places and formats as of 2026; `docs/mcp.md` names them too. What is done with the files is in `file`.

use std::env;
use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::Value;

pub(crate) mod file;
pub(crate) mod merge;

/// A program that starts MCP servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Program {
    /// Claude Code: ~/.claude.json
    ClaudeCode,
    /// Claude Desktop: claude_desktop_config.json
    ClaudeDesktop,
    /// Codex: ~/.codex/config.toml
    Codex,
    /// Cursor: ~/.cursor/mcp.json
    Cursor,
    /// VS Code: mcp.json of the user
    Vscode,
    /// Zed: settings.json
    Zed,
}

/// How a file holds its servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// JSON, under this key; comments are kept where there are any.
    Json(&'static str),
    /// TOML, under this key.
    Toml(&'static str),
}

/// A server to be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Server {
    /// What the program calls it.
    pub(crate) name: String,
    pub(crate) command: String,
    pub(crate) args: Vec<String>,
}

/// What a file says of a server: keys and values, in this order.
pub(crate) type Entry = Vec<(&'static str, Value)>;

/// Where programs look for their files.
#[derive(Clone, Debug)]
pub(crate) struct Folders {
    home: PathBuf,
    /// Of settings: `Application Support` on macOS, `%APPDATA%` on Windows, `~/.config` elsewhere.
    settings: PathBuf,
    /// Where Zed has its own, which is not under the above on macOS.
    config: PathBuf,
    claude: Option<PathBuf>,
    codex: Option<PathBuf>,
}

impl Folders {
    /// Of the user whose environment this is; nothing without a home.
    pub(crate) fn of_user() -> Option<Self> {
        let home = env::home_dir().filter(|home| home.is_absolute())?;
        let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let config = folder("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
        let (settings, config) = if cfg!(windows) {
            let roaming = folder("APPDATA").unwrap_or_else(|| home.join("AppData/Roaming"));
            (roaming.clone(), roaming)
        } else if cfg!(target_os = "macos") {
            (home.join("Library/Application Support"), home.join(".config"))
        } else {
            (config.clone(), config)
        };
        Some(Self { home, settings, config, claude: folder("CLAUDE_CONFIG_DIR"), codex: folder("CODEX_HOME") })
    }
}

impl Program {
    /// Its name, as it calls itself.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Codex => "Codex",
            Self::Cursor => "Cursor",
            Self::Vscode => "VS Code",
            Self::Zed => "Zed",
        }
    }

    /// The file where it keeps the servers of all of the user's projects.
    pub(crate) fn file(self, folders: &Folders) -> PathBuf {
        let Folders { home, settings, config, claude, codex } = folders;
        match self {
            Self::ClaudeCode => claude.as_ref().unwrap_or(home).join(".claude.json"),
            Self::ClaudeDesktop => settings.join("Claude/claude_desktop_config.json"),
            Self::Codex => codex.clone().unwrap_or_else(|| home.join(".codex")).join("config.toml"),
            Self::Cursor => home.join(".cursor/mcp.json"),
            Self::Vscode => settings.join("Code/User/mcp.json"),
            Self::Zed => config.join(if cfg!(windows) { "Zed/settings.json" } else { "zed/settings.json" }),
        }
    }

    pub(crate) fn format(self) -> Format {
        match self {
            Self::ClaudeCode | Self::ClaudeDesktop | Self::Cursor => Format::Json("mcpServers"),
            Self::Vscode => Format::Json("servers"),
            Self::Zed => Format::Json("context_servers"),
            Self::Codex => Format::Toml("mcp_servers"),
        }
    }

    /// What its file says of a server.
    pub(crate) fn entry(self, server: &Server) -> Entry {
        let Server { command, args, .. } = server;
        let start = [("command", Value::from(command.as_str())), ("args", Value::from(args.as_slice()))];
        match self {
            // These want to be told how it is spoken to.
            Self::ClaudeCode | Self::Cursor | Self::Vscode => {
                [("type", "stdio".into())].into_iter().chain(start).collect()
            }
            Self::ClaudeDesktop | Self::Codex | Self::Zed => start.into(),
        }
    }

    /// The file with nothing in it but this server: what is to be pasted.
    pub(crate) fn snippet(self, server: &Server) -> String {
        match merge::merged("", self.format(), &server.name, &self.entry(server)) {
            Ok(Some(text)) => text,
            // Nothing is in the way in an empty file.
            Ok(None) | Err(_) => String::new(),
        }
    }

    /// What the user does next.
    pub(crate) fn restart(self) -> &'static str {
        match self {
            Self::ClaudeCode => "start claude anew; /mcp lists its servers",
            Self::ClaudeDesktop => "quit Claude Desktop and start it anew",
            Self::Codex => "start codex anew; /mcp lists its servers",
            Self::Cursor => "start Cursor anew and look under MCP in its settings",
            Self::Vscode => "run MCP: List Servers in VS Code and start memora",
            Self::Zed => "Zed starts it when the settings are saved; the agent panel's settings list it",
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn server() -> Server {
        let args = ["--vault", "/notes", "mcp"].map(str::to_owned).to_vec();
        Server { name: "memora".to_owned(), command: "/bin/memora".to_owned(), args }
    }

    #[test]
    fn every_snippet_is_a_file_of_its_program() {
        for program in Program::value_variants() {
            let snippet = program.snippet(&server());
            let (key, read): (_, Value) = match program.format() {
                Format::Json(key) => (key, serde_json::from_str(&snippet).expect("JSON")),
                Format::Toml(key) => (key, toml::from_str(&snippet).expect("TOML")),
            };
            let entry: Map<String, Value> =
                program.entry(&server()).into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
            assert_eq!(read, json!({ key: { "memora": entry } }), "{snippet}");
        }
    }
}
