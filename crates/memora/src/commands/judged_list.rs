//! Lists that a language model may judge: what contradicts, and what newer notes may have changed.

use memora_engine::report::Strictness;
use memora_engine::{AskError, ConnectedModel, Door, LanguageModel, Memora, ModelCall, ModelConfig};

use super::model;
use super::stop::stop_flag;
use super::vault::warn_withheld;
use crate::command_error::CommandError;
use crate::ui::Ui;

/// A list, as it is asked for at the door `D`.
pub(super) trait JudgedList<D: Door> {
    /// What is listed.
    type Report;

    /// Lists it as judged by a model, which may see what the door `sees` shows.
    fn judge<M: Door>(&self, memora: &Memora, sees: &M, call: &ModelCall<'_, M>) -> Result<Self::Report, AskError>;
}

/// The model that a list is judged by.
pub(super) struct ListJudge {
    model: ConnectedModel,
    config: ModelConfig,
}

impl ListJudge {
    /// Connects to the model of this name, if one is named.
    pub(super) fn connect(memora: &Memora, name: Option<&str>, ui: &Ui) -> Result<Option<Self>, CommandError> {
        let Some(name) = name else { return Ok(None) };
        Ok(model::connect_named(memora, name, ui)?.map(|(model, config)| Self { model, config }))
    }

    /// Has it judge a list.
    pub(super) fn judge<D: Door, L: JudgedList<D>>(
        &self,
        list: &L,
        memora: &Memora,
        door: &D,
        ui: &Ui,
    ) -> Result<L::Report, CommandError> {
        match &self.model {
            ConnectedModel::Local(near) => ask(list, memora, near, door, false, ui),
            ConnectedModel::Remote(far) => {
                model::warn_remote(&self.config, far.remote_reason(), ui);
                ask(list, memora, far, &memora.cloud_door(), true, ui)
            }
        }
    }
}

/// Says what was kept from the reader, or from the model.
pub(super) fn warn_kept_back<D: Door>(judge: Option<&ListJudge>, memora: &Memora, door: &D, ui: &Ui) {
    match judge {
        Some(ListJudge { model: ConnectedModel::Remote(_), config }) if ui.is_local() => {
            ui.status_line(&format!(
                "note: guarded text was kept from {}, and pairs with it are not judged",
                config.name
            ));
        }
        _ => warn_withheld(memora, door, ui),
    }
}

fn ask<D: Door, M: Door, L: JudgedList<D>>(
    list: &L,
    memora: &Memora,
    model: &dyn LanguageModel<M>,
    sees: &M,
    leaves: bool,
    ui: &Ui,
) -> Result<L::Report, CommandError> {
    ui.begin_activity(format!("asking {}", model.name()));
    let stop = stop_flag();
    let call = ModelCall { model, leaves, strictness: Strictness::Loose, stop: &stop };
    list.judge(memora, sees, &call)
        .map_err(|error| CommandError::from(error).with_hint("without --judge the rules alone decide"))
}
