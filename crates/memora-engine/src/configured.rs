//! Which language model is configured, where it is, and whether it is as it should be: for `status` and `doctor`.

use std::sync::atomic::AtomicBool;

use memora_model::{ModelConfig, ModelLimits, WhyFar};
use memora_vault::ModelsAllowed;

use crate::Memora;
use crate::wire::{Check, Looked, ModelReport};

/// Why no model is asked.
const NOT_ALLOWED: &str = "privacy.models allows no language model to be asked about this vault";

impl Memora {
    /// The model of the user's configuration, with what that alone tells of where it is. Nobody is asked.
    pub(crate) fn model_report(&self) -> Option<ModelReport> {
        let config = self.config.model.as_ref()?;
        let (place, why) = if self.vault.models() == ModelsAllowed::None {
            ("not_allowed", NOT_ALLOWED.to_owned())
        } else {
            match config.why_far().or_else(|| self.turned_out_far(config)) {
                Some(why) => ("elsewhere", why.to_string()),
                None => ("here_if_confirmed", "on this machine, if its server says so when it is asked".to_owned()),
            }
        };
        let (name, provider, address) = (config.name.clone(), config.provider.name(), config.destination());
        Some(ModelReport { name, provider, address, place, why })
    }

    /// A file that cannot be read speaks against every model.
    fn turned_out_far(&self, config: &ModelConfig) -> Option<WhyFar> {
        let known = self.far_models().has(&config.destination(), &config.name).unwrap_or(true);
        known.then_some(WhyFar::RunsElsewhere)
    }

    /// Looks whether the model that is configured can be asked, and is where the configuration says: its key is read and,
    /// where it is trusted, its server asked where it runs. No prompt is sent. Nothing where none is configured.
    #[must_use]
    pub fn check_model(&self, stop: &AtomicBool) -> Option<Check> {
        let config = self.config.model.as_ref()?;
        let named = format!("{} ({}) at {}", config.name, config.provider.name(), config.destination());
        let check =
            |ok, what: String, hint: Option<String>| Some(Looked::MODEL.found(ok, format!("{named}: {what}"), hint));
        if self.vault.models() == ModelsAllowed::None {
            return check(true, NOT_ALLOWED.to_owned(), None);
        }
        match self.connect(config, &ModelLimits::of(config), stop) {
            Err(error) => check(false, with_cause(&error), Some(error.hint().to_owned())),
            Ok(model) => match model.why_far() {
                None => check(true, "on this machine, and trusted with what is guarded".to_owned(), None),
                Some(why @ WhyFar::NotTrusted) => check(true, format!("elsewhere, since {why}"), None),
                Some(why @ (WhyFar::NotReached | WhyFar::NoSuchModel)) => {
                    check(false, why.to_string(), Some(why.hint().to_owned()))
                }
                Some(why) => check(false, format!("elsewhere, since {why}"), Some(why.hint().to_owned())),
            },
        }
    }
}

fn with_cause(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}
