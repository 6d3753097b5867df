//! Which language model a command asks, and whether it may be asked about this vault.

use memora_engine::{ConnectedModel, Memora, ModelConfig, ModelLimits, ModelsAllowed, RemoteReason};

use super::heard;
use crate::failure::Failure;
use crate::ui::Ui;

/// What a command wants of a model.
pub(super) struct Wanted<'a> {
    /// Another name than the configured one.
    pub(super) name: Option<&'a str>,
    /// Whether the command is of no use without.
    pub(super) must: bool,
}

/// The model that is to be asked, if any is.
pub(super) fn configured(memora: &Memora, wanted: &Wanted<'_>, ui: &Ui) -> Result<Option<ModelConfig>, Failure> {
    let Some(config) = memora.config().model.clone() else {
        if wanted.must {
            return Err(Failure::say("no language model is configured")
                .hinted("name one under [model] in your config.toml; docs/cli.md has examples"));
        }
        return Ok(None);
    };
    if memora.vault().allowed_models() == ModelsAllowed::None {
        if wanted.must {
            return Err(Failure::say("privacy.models allows no language model to be asked about this vault").hinted(
                "it stands in the vault's .memora/config.toml or in your own; memora ask --offline asks none",
            ));
        }
        ui.say("note: privacy.models allows no language model to be asked about this vault, so none is");
        return Ok(None);
    }
    let Some(name) = wanted.name else { return Ok(Some(config)) };
    config.with_name(name).map(Some).ok_or_else(|| {
        Failure::say(format!("{name:?} is not the name of a model"))
            .hinted("give its name as the provider knows it: qwen3:8b")
    })
}

/// The model of this name, connected to, for a command that is of no use without.
pub(super) fn named(memora: &Memora, name: &str, ui: &Ui) -> Result<Option<(ConnectedModel, ModelConfig)>, Failure> {
    let config = configured(memora, &Wanted { name: Some(name), must: true }, ui)?;
    config.map(|config| Ok((connect(memora, &config)?, config))).transpose()
}

/// Finds out where the model is, and whether one that is there may be asked.
pub(super) fn connect(memora: &Memora, config: &ModelConfig) -> Result<ConnectedModel, Failure> {
    let model = memora.connect_model(config, &ModelLimits::from_config(config), &heard())?;
    if !model.is_local() && memora.vault().allowed_models() == ModelsAllowed::Local {
        let why = model.remote_reason().map(|why| format!(": {why}")).unwrap_or_default();
        return Err(Failure::say(format!(
            "privacy.models allows only a model on this machine to be asked about this vault, and {} is taken for one elsewhere{why}",
            config.name
        ))
        .hinted("privacy.models stands in the vault's .memora/config.toml or in your own"));
    }
    Ok(model)
}

/// Says why a model that the user may take for one on this machine is not taken for one.
pub(super) fn say_far(config: &ModelConfig, why: RemoteReason, ui: &Ui) {
    let (name, to) = (&config.name, config.destination());
    match why {
        RemoteReason::NotReached => return ui.say(&format!("note: {to}, where {name} should be, cannot be reached")),
        RemoteReason::NoSuchModel => return ui.say(&format!("note: {to} knows no model {name}")),
        _ => {}
    }
    let host = config.url.host_str().unwrap_or("localhost");
    let seems_here = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
    if config.trusted_local || seems_here {
        ui.say(&format!("note: {name} is treated as a model elsewhere: {why}"));
    }
}
