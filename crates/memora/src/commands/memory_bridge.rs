//! `memora memory bridge`: other programs' memory servers.

use std::fs;

use clap::ValueEnum as _;
use memora_engine::report::{BridgeCandidate, BridgeCandidatesReport, BridgeState, BridgeSyncReport};
use memora_engine::{Door, Memories, is_like_memory_server};

use super::install::find_settings_folders;
use super::stop::end_on_stop;
use crate::args::{BridgeCommand, BridgeMemory};
use crate::clients::ClientProgram;
use crate::clients::merge::{ListedServer, list_project_servers, list_servers};
use crate::command_error::CommandError;
use crate::screen::memory_bridge as screen;
use crate::ui::Ui;

/// Runs a command; `false` if a server could not be reached, or none is known.
pub(super) fn run<D: Door>(memories: &Memories<'_, D>, args: &BridgeMemory, ui: &Ui) -> Result<bool, CommandError> {
    end_on_stop();
    match &args.what {
        None => {
            ui.begin_activity("starting the servers");
            let report = memories.bridges().list_bridges();
            ui.print_report(&report, screen::format_bridges)?;
            if report.bridges.is_empty() && !report.forbidden {
                ui.hint("memora memory bridge detect lists the memory servers of your assistants");
            }
            Ok(report.bridges.iter().all(|bridge| bridge.state == BridgeState::Ok))
        }
        Some(BridgeCommand::Detect) => {
            let report = BridgeCandidatesReport { candidates: find_candidates()? };
            ui.print_report(&report, screen::format_candidates)?;
            Ok(!report.candidates.is_empty())
        }
        Some(BridgeCommand::Sync { name, pull }) => {
            ui.begin_activity("passing on");
            let bridges = memories.transfer().sync_bridges(name.as_deref(), *pull)?;
            if let Some(name) = name.as_ref().filter(|_| bridges.is_empty()) {
                return Err(CommandError::usage(format!("there is no bridge of the name {name}"))
                    .with_hint("memora memory bridge lists those of your config.toml"));
            }
            let is_done = bridges.iter().all(|bridge| bridge.state == BridgeState::Ok);
            ui.print_report(&BridgeSyncReport { bridges }, screen::format_synced)?;
            Ok(is_done)
        }
    }
}

/// The servers in the settings of programs that may keep memories, those of single projects and of the project here among
/// them. A file that cannot be read has none.
fn find_candidates() -> Result<Vec<BridgeCandidate>, CommandError> {
    let folders = find_settings_folders()?;
    let here = std::env::current_dir().ok();
    let mut found: Vec<(String, ListedServer)> = Vec::new();
    for program in ClientProgram::value_variants() {
        let listed = |text: &str| list_servers(text, program.settings_format()).unwrap_or_default();
        let mut add = |from: String, servers: Vec<ListedServer>| {
            for server in servers {
                // A server that several projects have is the same.
                let is_known = found.iter().any(|(_, other)| *other == server);
                if is_memory_server(&server) && !is_known {
                    found.push((from.clone(), server));
                }
            }
        };
        if let Ok(text) = fs::read_to_string(program.settings_file(&folders)) {
            add(program.as_str().to_owned(), listed(&text));
            if *program == ClientProgram::ClaudeCode {
                add(program.as_str().to_owned(), list_project_servers(&text).unwrap_or_default());
            }
        }
        let Some(file) = program.project_file() else { continue };
        let above = here.iter().flat_map(|here| here.ancestors());
        if let Some(text) = above.map(|folder| folder.join(file)).find_map(|file| fs::read_to_string(file).ok()) {
            add(format!("{} ({file})", program.as_str()), listed(&text));
        }
    }
    let candidate = |(program, server): (String, ListedServer)| BridgeCandidate {
        program,
        config: format_config(&server),
        name: server.name,
    };
    Ok(found.into_iter().map(candidate).collect())
}

fn is_memory_server(server: &ListedServer) -> bool {
    let words = std::iter::once(server.name.as_str()).chain(server.command.iter().map(String::as_str));
    is_like_memory_server(words) && !is_memora(server)
}

fn is_memora(server: &ListedServer) -> bool {
    let program = server.command.first().map(|program| program.replace('\\', "/")).unwrap_or_default();
    let file = program.rsplit('/').next().unwrap_or_default();
    file.trim_end_matches(".exe") == "memora"
}

/// The entry for `config.toml`; `None` for a server without a command.
fn format_config(server: &ListedServer) -> Option<String> {
    if server.command.is_empty() {
        return None;
    }
    let fits = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c.to_ascii_lowercase() } else { '-' };
    let name: String = server.name.chars().map(fits).take(32).collect();
    let mut bridge = toml_edit::Table::new();
    bridge.insert("name", toml_edit::value(name));
    bridge.insert("command", toml_edit::value(server.command.iter().collect::<toml_edit::Array>()));
    if !server.variables.is_empty() {
        // Their values may be keys, and are not shown.
        bridge.insert("pass_env", toml_edit::value(server.variables.iter().collect::<toml_edit::Array>()));
    }
    Some(format!("[[memory.bridge]]\n{bridge}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_becomes_an_entry_of_the_configuration() {
        let server = |name: &str, command: &[&str]| ListedServer {
            name: name.to_owned(),
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            variables: vec!["MEM0_API_KEY".to_owned()],
        };
        let config = format_config(&server("My Mem0", &["npx", "-y", "a \"b\""])).expect("an entry");
        let read: toml::Table = config.parse().expect("TOML");
        let bridge = &read["memory"]["bridge"][0];
        assert_eq!(bridge["name"].as_str(), Some("my-mem0"));
        assert_eq!(bridge["command"][2].as_str(), Some("a \"b\""));
        assert_eq!(bridge["pass_env"][0].as_str(), Some("MEM0_API_KEY"));
        assert_eq!(format_config(&server("remote", &[])), None);
        assert!(is_memora(&server("memory", &["/usr/bin/memora", "mcp"])));
        assert!(is_memora(&server("memory", &["C:\\bin\\memora.exe"])) && !is_memora(&server("m", &["memorable"])));
    }
}
