//! Programs that run MCP servers: the location of their settings and the shape of an entry there. And Obsidian: the vaults
//! that it lists.
//!
//! Documented places and formats as of 2026; see `docs/mcp.md`. The module `file` writes the files.

use std::env;
use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::Value;

mod entry;
pub(crate) mod file;
pub(crate) mod hooks;
pub(crate) mod merge;
pub(crate) mod obsidian;
pub(crate) mod payload;

pub(crate) use entry::{ServerEntry, ServerFields, SettingsFormat};

/// A program that starts MCP servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClientProgram {
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

/// The folders where programs keep their settings.
#[derive(Clone, Debug)]
pub(crate) struct SettingsFolders {
    home: PathBuf,
    /// The settings folder: `Application Support` on macOS, `%APPDATA%` on Windows, `~/.config` elsewhere.
    settings: PathBuf,
    /// Zed's settings folder, which is not under the above on macOS.
    config: PathBuf,
    claude: Option<PathBuf>,
    codex: Option<PathBuf>,
}

impl SettingsFolders {
    /// Reads the folders from the environment; `None` without a home folder.
    pub(crate) fn from_environment() -> Option<Self> {
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

impl ClientProgram {
    /// Returns the program's own name.
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

    /// Returns the file with the user-wide servers.
    pub(crate) fn settings_file(self, folders: &SettingsFolders) -> PathBuf {
        let SettingsFolders { home, settings, config, claude, codex } = folders;
        match self {
            Self::ClaudeCode => claude.as_ref().unwrap_or(home).join(".claude.json"),
            Self::ClaudeDesktop => settings.join("Claude/claude_desktop_config.json"),
            Self::Codex => codex.clone().unwrap_or_else(|| home.join(".codex")).join("config.toml"),
            Self::Cursor => home.join(".cursor/mcp.json"),
            Self::Vscode => settings.join("Code/User/mcp.json"),
            Self::Zed => config.join(if cfg!(windows) { "Zed/settings.json" } else { "zed/settings.json" }),
        }
    }

    /// Returns the file with the servers of a project, relative to its folder, where the program has one that is like the
    /// user's.
    pub(crate) fn project_file(self) -> Option<&'static str> {
        match self {
            Self::ClaudeCode => Some(".mcp.json"),
            Self::Cursor => Some(".cursor/mcp.json"),
            Self::Vscode => Some(".vscode/mcp.json"),
            Self::ClaudeDesktop | Self::Codex | Self::Zed => None,
        }
    }

    pub(crate) fn settings_format(self) -> SettingsFormat {
        match self {
            Self::ClaudeCode | Self::ClaudeDesktop | Self::Cursor => SettingsFormat::Json("mcpServers"),
            Self::Vscode => SettingsFormat::Json("servers"),
            Self::Zed => SettingsFormat::Json("context_servers"),
            Self::Codex => SettingsFormat::Toml("mcp_servers"),
        }
    }

    /// Returns the fields of a server in this program's file.
    pub(crate) fn server_fields(self, server: &ServerEntry) -> ServerFields {
        let ServerEntry { command, args, .. } = server;
        let start = [("command", Value::from(command.as_str())), ("args", Value::from(args.as_slice()))];
        match self {
            // These programs require the transport type.
            Self::ClaudeCode | Self::Cursor | Self::Vscode => {
                [("type", "stdio".into())].into_iter().chain(start).collect()
            }
            Self::ClaudeDesktop | Self::Codex | Self::Zed => start.into(),
        }
    }

    /// Returns a file with this server alone, for pasting.
    pub(crate) fn snippet(self, server: &ServerEntry) -> String {
        match merge::merge_entry("", self.settings_format(), &server.name, &self.server_fields(server)) {
            Ok(Some(text)) => text,
            // Merging into an empty file cannot fail.
            Ok(None) | Err(_) => String::new(),
        }
    }

    /// Returns the next step for the user.
    pub(crate) fn restart_hint(self) -> &'static str {
        match self {
            Self::ClaudeCode => "restart Claude Code; /mcp lists its servers",
            Self::ClaudeDesktop => "quit and restart Claude Desktop",
            Self::Codex => "restart Codex; /mcp lists its servers",
            Self::Cursor => "restart Cursor and look under MCP in its settings",
            Self::Vscode => "run MCP: List Servers in VS Code and start memora",
            Self::Zed => "Zed starts it when the settings are saved; the agent panel's settings list it",
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn server() -> ServerEntry {
        let args = ["--vault", "/notes", "mcp"].map(str::to_owned).to_vec();
        ServerEntry { name: "memora".to_owned(), command: "/bin/memora".to_owned(), args }
    }

    #[test]
    fn every_snippet_is_a_file_of_its_program() {
        for program in ClientProgram::value_variants() {
            let snippet = program.snippet(&server());
            let (key, read): (_, Value) = match program.settings_format() {
                SettingsFormat::Json(key) => (key, serde_json::from_str(&snippet).expect("JSON")),
                SettingsFormat::Toml(key) => (key, toml::from_str(&snippet).expect("TOML")),
            };
            let entry: Map<String, Value> =
                program.server_fields(&server()).into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
            assert_eq!(read, json!({ key: { "memora": entry } }), "{snippet}");
        }
    }
}
