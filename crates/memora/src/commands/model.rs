//! Resolves the language model of a command, and checks whether it may be asked about this vault.

use memora_engine::{ConnectedModel, Memora, ModelConfig, ModelLimits, ModelsAllowed, RemoteReason};

use super::stop::stop_flag;
use crate::command_error::CommandError;
use crate::ui::Ui;

/// A command's requirement for a model.
pub(super) struct ModelRequirement<'a> {
    /// A name that overrides the configured one.
    pub(super) name: Option<&'a str>,
    /// Whether the command needs a model to work.
    pub(super) must: bool,
}

/// Returns the configuration of the model to ask, if any.
pub(super) fn resolve_config(
    memora: &Memora,
    wanted: &ModelRequirement<'_>,
    ui: &Ui,
) -> Result<Option<ModelConfig>, CommandError> {
    let Some(config) = memora.config().model.clone() else {
        if wanted.must {
            return Err(CommandError::failed("no language model is configured")
                .with_hint("name one under [model] in your config.toml; docs/cli.md has examples"));
        }
        return Ok(None);
    };
    if memora.vault().allowed_models() == ModelsAllowed::None {
        if wanted.must {
            return Err(CommandError::failed("privacy.models allows no language model to be asked about this vault")
                .with_hint(
                    "it stands in the vault's .memora/config.toml or in your own; memora ask --offline asks none",
                ));
        }
        ui.status_line("note: privacy.models allows no language model to be asked about this vault, so none is");
        return Ok(None);
    }
    let Some(name) = wanted.name else { return Ok(Some(config)) };
    config.with_name(name).map(Some).ok_or_else(|| {
        CommandError::usage(format!("{name:?} is not the name of a model"))
            .with_hint("give its name as the provider knows it: qwen3:8b")
    })
}

/// Connects to the model of this name, for a command that needs one.
pub(super) fn connect_named(
    memora: &Memora,
    name: &str,
    ui: &Ui,
) -> Result<Option<(ConnectedModel, ModelConfig)>, CommandError> {
    let config = resolve_config(memora, &ModelRequirement { name: Some(name), must: true }, ui)?;
    config.map(|config| Ok((connect_model(memora, &config)?, config))).transpose()
}

/// Connects to a model, and checks that the vault allows it at its location.
pub(super) fn connect_model(memora: &Memora, config: &ModelConfig) -> Result<ConnectedModel, CommandError> {
    let model = memora.connect_model(config, &ModelLimits::from_config(config), &stop_flag())?;
    if !model.is_local() && memora.vault().allowed_models() == ModelsAllowed::Local {
        let why = model.remote_reason().map(|why| format!(": {why}")).unwrap_or_default();
        return Err(CommandError::failed(format!(
            "privacy.models allows only a model on this machine to be asked about this vault, and {} is treated as remote{why}",
            config.name
        ))
        .with_hint("privacy.models stands in the vault's .memora/config.toml or in your own"));
    }
    Ok(model)
}

/// Explains why a model that looks local is treated as remote.
pub(super) fn warn_remote(config: &ModelConfig, why: RemoteReason, ui: &Ui) {
    let (name, to) = (&config.name, config.destination());
    match why {
        RemoteReason::NotReached => {
            return ui.status_line(&format!("note: {name} at {to} cannot be reached"));
        }
        RemoteReason::NoSuchModel => return ui.status_line(&format!("note: {to} knows no model {name}")),
        _ => {}
    }
    let host = config.url.host_str().unwrap_or("localhost");
    let seems_here = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
    if config.trusted_local || seems_here {
        ui.status_line(&format!("note: {name} is treated as remote, so guarded text is kept from it: {why}"));
    }
}
