//! The other programs' memory servers of one opened vault.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use memora_bridge::{BridgeClient, BridgeCommand};

use crate::state::config::bridge::BridgeConfig;

/// The servers of the user's configuration. None is started until it is asked.
#[derive(Default)]
pub(crate) struct Bridges(Vec<Bridge>);

/// One server.
pub(crate) struct Bridge {
    pub(crate) config: BridgeConfig,
    /// Its folder in the vault's state, in which it is started too: not in the vault, where it might leave files.
    pub(crate) folder: PathBuf,
    client: BridgeClient,
}

impl Bridges {
    pub(crate) fn new(configs: &[BridgeConfig], state: &Path) -> Self {
        let bridge = |config: &BridgeConfig| {
            let folder = state.join("bridges").join(&config.name);
            let command = BridgeCommand {
                program: config.command.first().cloned().unwrap_or_default(),
                args: config.command.iter().skip(1).cloned().collect(),
                folder: folder.clone(),
                arguments: config.arguments.clone(),
                environment: config.environment.clone(),
            };
            Bridge { config: config.clone(), folder, client: BridgeClient::new(command) }
        };
        Self(configs.iter().map(bridge).collect())
    }

    pub(crate) fn all(&self) -> &[Bridge] {
        &self.0
    }
}

impl Bridge {
    pub(crate) fn name(&self) -> &str {
        &self.config.name
    }

    /// The client, to ask something.
    pub(crate) fn client(&self) -> io::Result<&BridgeClient> {
        fs::create_dir_all(&self.folder)?;
        Ok(&self.client)
    }
}
