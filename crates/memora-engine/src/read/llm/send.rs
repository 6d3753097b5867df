//! Sends prompts to a language model, and logs them.
//!
//! Invariant: **nothing is sent unlogged, or under outdated rules.** Before each prompt the privacy rules
//! are compared with those that it was made by; before each try it is logged. A model that was taken for a local one,
//! and says afterwards that it is not, is logged afterwards and remembered.

use std::error::Error;
use std::sync::atomic::AtomicBool;

use memora_model::{Completion, LanguageModel, ModelError};
use memora_redact::{Door, Prompt};
use memora_vault::Hint;
use memora_verify::Strictness;

use crate::state::egress::{EgressEntry, EgressError, EgressLog};
use crate::state::open::Memora;

/// Why a prompt has no reply.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The privacy rules changed meanwhile.
    #[error("the privacy rules were changed meanwhile")]
    RulesChanged,
    /// The prompt was made of what another door shows.
    #[error("the prompt was made for another door than the model's")]
    OtherDoor,
    /// The prompt could not be logged, so it was not sent, or not sent again.
    #[error("what cannot be logged is not sent to the model")]
    Egress(#[from] EgressError),
    /// A model that was taken for a local one is remote, and that could not be recorded.
    #[error("{model}, and that could not be noted")]
    NotRecorded {
        /// What it did.
        model: ModelError,
        /// Why not.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl Hint for SendError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Model(ModelError::Elsewhere { .. }) => {
                "it is treated as remote from now on; docs/privacy.md says how to undo that"
            }
            Self::Model(error) => error.hint(),
            Self::Egress(error) => error.hint(),
            Self::OtherDoor => "nothing was sent; please report it as a bug",
            Self::RulesChanged => "run it again: then the new ones count",
            Self::NotRecorded { .. } => {
                "set trusted_local = false for this model, and check that the state folder can be written"
            }
        }
    }
}

/// A model behind its door, for stages that know of a door what it shows: a prompt is typed here, right before it is sent.
pub(crate) trait ModelBehindDoor {
    /// See [`LanguageModel::complete`].
    fn complete(
        &self,
        prompt: &Prompt,
        sending: &mut dyn FnMut() -> bool,
        stop: &AtomicBool,
    ) -> Result<Completion, SendError>;

    /// Returns the number of bytes that a prompt is sent as.
    fn request_size(&self, prompt: &Prompt) -> Result<usize, SendError>;

    /// See [`LanguageModel::destination`].
    fn destination(&self) -> &str;

    /// See [`LanguageModel::name`].
    fn name(&self) -> &str;
}

/// A model with the door that its prompts have to pass.
pub(crate) struct TypedModel<'a, D: Door> {
    pub(crate) model: &'a dyn LanguageModel<D>,
    pub(crate) door: &'a D,
}

impl<D: Door> TypedModel<'_, D> {
    fn type_prompt(&self, prompt: &Prompt) -> Result<Prompt<D>, SendError> {
        prompt.clone().for_door(self.door).ok_or(SendError::OtherDoor)
    }
}

impl<D: Door> ModelBehindDoor for TypedModel<'_, D> {
    fn complete(
        &self,
        prompt: &Prompt,
        sending: &mut dyn FnMut() -> bool,
        stop: &AtomicBool,
    ) -> Result<Completion, SendError> {
        Ok(self.model.complete(&self.type_prompt(prompt)?, sending, stop)?)
    }

    fn request_size(&self, prompt: &Prompt) -> Result<usize, SendError> {
        Ok(self.model.request(&self.type_prompt(prompt)?).body.len())
    }

    fn destination(&self) -> &str {
        self.model.destination()
    }

    fn name(&self) -> &str {
        self.model.name()
    }
}

/// A model that is asked, and the conditions.
pub(crate) struct Asking<'a> {
    pub(crate) model: &'a dyn ModelBehindDoor,
    /// Whether what is sent leaves this machine.
    pub(crate) leaves: bool,
    /// Which sentences stay in an answer.
    pub(crate) strictness: Strictness,
    pub(crate) stop: &'a AtomicBool,
}

/// A model, and how prompts are sent to it.
pub(crate) struct PromptSender<'a> {
    pub(crate) memora: &'a Memora,
    pub(crate) model: &'a dyn ModelBehindDoor,
    /// Whether what is sent leaves this machine.
    pub(crate) leaves: bool,
    pub(crate) stop: &'a AtomicBool,
}

impl PromptSender<'_> {
    /// Sends a prompt.
    pub(crate) fn send(&self, prompt: &Prompt) -> Result<Completion, SendError> {
        self.send_for(prompt, prompt.template().name())
    }

    /// Sends a prompt, and logs what it is for.
    pub(crate) fn send_for(&self, prompt: &Prompt, what: &str) -> Result<Completion, SendError> {
        if !self.memora.has_current_rules() {
            return Err(SendError::RulesChanged);
        }
        let egress = EgressLog::in_state_dir(&self.memora.state);
        let bytes = self.model.request_size(prompt)?;
        let entry = || self.egress_entry(prompt, what, bytes);
        let (mut tries, mut unlogged) = (0, None);
        let mut sending = || {
            tries += 1;
            if self.leaves {
                unlogged = egress.record(&entry()).err();
            }
            unlogged.is_none()
        };
        let reply = self.model.complete(prompt, &mut sending, self.stop);
        match (reply, unlogged) {
            (_, Some(error)) => Err(error.into()),
            (Err(SendError::Model(error @ ModelError::Elsewhere { .. })), None) => {
                Err(self.record_leak(&entry(), &egress, tries, error))
            }
            (reply, None) => reply,
        }
    }

    /// Sends a prompt for an optional judgement: a failure of the model is returned as a message.
    ///
    /// # Errors
    /// [`SendError`] where the run must end: it was stopped, or a prompt left that should not have.
    pub(crate) fn send_for_judgement(&self, prompt: &Prompt) -> Result<Result<Completion, String>, SendError> {
        match self.send(prompt) {
            Ok(reply) => Ok(Ok(reply)),
            Err(SendError::Model(error @ (ModelError::Stopped | ModelError::Elsewhere { .. }))) => Err(error.into()),
            Err(SendError::Model(error)) => Ok(Err(error.to_string())),
            Err(error) => Err(error),
        }
    }

    fn egress_entry(&self, prompt: &Prompt, what: &str, bytes: usize) -> EgressEntry {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let entry = EgressEntry::now(self.model.destination(), Some(self.model.name()), what, bytes);
        entry.with_pieces(prompt.offered().iter().map(|offered| (offered.claim.clone(), offered.band)))
    }

    /// Records a prompt that should not have left: in the log, once for each try, and the model as remote.
    fn record_leak(&self, entry: &EgressEntry, egress: &EgressLog, tries: u32, error: ModelError) -> SendError {
        let unlogged = if self.leaves { 0 } else { tries };
        let logged = (0..unlogged).try_for_each(|_| egress.record(entry));
        // Each is tried, even if the other fails.
        let kept = self.memora.remote_models().add(self.model.destination(), self.model.name());
        let failed: Result<(), Box<dyn Error + Send + Sync>> =
            logged.map_err(Into::into).and_then(|()| kept.map_err(Into::into));
        match failed {
            Ok(()) => SendError::Model(error),
            Err(source) => SendError::NotRecorded { model: error, source },
        }
    }
}
