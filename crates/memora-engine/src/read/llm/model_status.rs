//! The configured language model, where it runs and whether it can be used: for `status` and `doctor`.

use std::sync::atomic::AtomicBool;

use memora_model::{ModelConfig, ModelLimits, RemoteReason};
use memora_vault::{Hint, ModelsAllowed};

use crate::report::{CheckSpec, DoctorCheck, ModelReport};
use crate::state::open::Memora;

/// Why no model is asked.
const NOT_ALLOWED: &str = "privacy.models allows no language model to be asked about this vault";

impl Memora {
    /// The configured model, and where it runs as far as the configuration tells. No server is asked.
    pub(crate) fn model_report(&self) -> Option<ModelReport> {
        let config = self.config.model.as_ref()?;
        let (place, why) = if self.vault.allowed_models() == ModelsAllowed::None {
            ("not_allowed", NOT_ALLOWED.to_owned())
        } else {
            match config.remote_reason().or_else(|| known_remote_reason(self, config)) {
                Some(why) => ("elsewhere", why.to_string()),
                None => ("here_if_confirmed", "on this machine, if its server says so when it is asked".to_owned()),
            }
        };
        let (name, provider, address) = (config.name.clone(), config.provider.name(), config.destination());
        Some(ModelReport { name, provider, address, place, why })
    }

    /// Checks that the configured model can be used and runs where the configuration says: its key is read and,
    /// for a trusted model, its server is asked where it runs. No prompt is sent. `None` where no model is configured.
    #[must_use]
    pub fn check_model(&self, stop: &AtomicBool) -> Option<DoctorCheck> {
        let config = self.config.model.as_ref()?;
        let named = format!("{} ({}) at {}", config.name, config.provider.name(), config.destination());
        let check = |ok, what: String, hint: Option<String>| {
            Some(CheckSpec::MODEL.into_check(ok, format!("{named}: {what}"), hint))
        };
        if self.vault.allowed_models() == ModelsAllowed::None {
            return check(true, NOT_ALLOWED.to_owned(), None);
        }
        match self.connect_model(config, &ModelLimits::from_config(config), stop) {
            Err(error) => check(false, format_with_cause(&error), Some(error.hint().to_owned())),
            Ok(model) => match model.remote_reason() {
                None => check(true, "on this machine, and trusted with what is guarded".to_owned(), None),
                Some(why @ RemoteReason::NotTrusted) => check(true, format!("elsewhere, since {why}"), None),
                Some(why @ (RemoteReason::NotReached | RemoteReason::NoSuchModel)) => {
                    check(false, why.to_string(), Some(why.hint().to_owned()))
                }
                Some(why) => check(false, format!("elsewhere, since {why}"), Some(why.hint().to_owned())),
            },
        }
    }
}

fn format_with_cause(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}

/// An unreadable file marks every model as remote.
fn known_remote_reason(memora: &Memora, config: &ModelConfig) -> Option<RemoteReason> {
    let known = memora.remote_models().contains(&config.destination(), &config.name).unwrap_or(true);
    known.then_some(RemoteReason::RunsElsewhere)
}
