//! `memora model`: models on this machine that read what facts leave open.

use memora_engine::{Config, EntailmentChoice, Memora, ModelTask, PinTable, PinnedModel};

use super::config;
use super::fetching::{self, without_library};
use crate::args::{Global, InstallModel};
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

/// Stands for the first model that says whether one text entails another.
const ANY: &str = "entailment";

/// Says once that the model that was chosen is not there.
pub(super) fn say_missing(memora: &Memora, ui: &Ui) {
    let Some((name, code, reason)) = memora.missing_entailment() else { return };
    let why = if ui.may_name_notes() { reason } else { code.replace('_', " ") };
    ui.say(&format!("note: {name} is configured and cannot be used: {why}"));
    ui.hint("memora model says which there are; until one can be used, what it would read stays paraphrased");
}

pub(super) fn list(global: &Global, ui: &Ui) -> Result<Outcome, Failure> {
    let config = config(global)?;
    let report = config.models_report(ui.may_name_notes());
    ui.report(&report, print::models)?;
    Ok(Outcome::Good)
}

pub(super) fn install(global: &Global, args: &InstallModel, ui: &Ui) -> Result<Outcome, Failure> {
    let pins = PinTable::shipped();
    let model = named(&pins, &args.name)?;
    let config = config(global)?;
    ui.say(&format!("{} says whether notes bear out a sentence; it reads {}", model.name, model.languages));
    let plan = fetching::fetch(&config, global, &model.name, &args.how, ui)?;
    try_it(&config, &model.name).map_err(|failure| failure.hinted(without_library(&plan)))?;
    ui.say(&format!("{} is installed in {}, and works", model.name, plan.folder().display()));
    if config.entailment.as_ref().is_none_or(|choice| choice.model != model.name) {
        ui.hint(&format!("memora model use {} chooses it", model.name));
    }
    Ok(Outcome::Good)
}

pub(super) fn choose(global: &Global, name: &str, ui: &Ui) -> Result<Outcome, Failure> {
    let config = config(global)?;
    if name == "none" {
        let path = config.choose_entailment(None)?;
        ui.say(&format!("no model reads what facts leave open, in {}", path.display()));
        return Ok(Outcome::Good);
    }
    let name = if name == ANY { named(&PinTable::shipped(), ANY)?.name.clone() } else { name.to_owned() };
    try_it(&config, &name).map_err(|failure| {
        failure.hinted(
            "memora model install fetches a model that is listed; another one is named by the path of its folder",
        )
    })?;
    let path = config.choose_entailment(Some(&name))?;
    ui.say(&format!("{name} is chosen, in {}", path.display()));
    Ok(Outcome::Good)
}

fn try_it(config: &Config, name: &str) -> Result<(), Failure> {
    let choice = EntailmentChoice { model: name.to_owned(), entailed_from: None };
    config.load_entailment(&choice).map(|_| ()).map_err(Failure::new)
}

fn named<'p>(pins: &'p PinTable, name: &str) -> Result<&'p PinnedModel, Failure> {
    pins.models_for(ModelTask::Entailment).find(|model| name == ANY || model.name == name).ok_or_else(|| {
        let names: Vec<&str> = pins.models_for(ModelTask::Entailment).map(|model| model.name.as_str()).collect();
        Failure::say(format!("there is no model {name}")).hinted(format!("there are: {}", names.join(", ")))
    })
}
