//! `memora embedder`: how things stand, installing, choosing.

use memora_engine::{Door, EmbedderChoice, Memora};

use super::fetching::{self, without_library};
use super::{catch_up, config};
use crate::args::{Global, Install};
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

pub(super) fn status<D: Door>(memora: &mut Memora, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    catch_up(memora, ui)?;
    let report = memora.session(door)?.doctor().report_embedder()?;
    ui.report(&report, print::embedder)?;
    Ok(Outcome::Good)
}

/// Says once that the embedder that was chosen is not there.
pub(super) fn say_missing(memora: &Memora, ui: &Ui) {
    let Some((name, code, reason)) = memora.missing_embedder() else { return };
    let why = if ui.may_name_notes() { reason } else { code.replace('_', " ") };
    ui.say(&format!("note: {name} is configured and cannot be used: {why}"));
    ui.hint("memora embedder install fetches it; until then memora index has the embedded model stand in");
}

fn named(name: &str) -> Result<EmbedderChoice, Failure> {
    EmbedderChoice::from_name(name).ok_or_else(|| {
        let names = EmbedderChoice::ALL.map(EmbedderChoice::name).join(", ");
        Failure::say(format!("there is no embedder {name}")).hinted(format!("there are: {names}"))
    })
}

pub(super) fn choose(global: &Global, name: &str, ui: &Ui) -> Result<Outcome, Failure> {
    let choice = named(name)?;
    let config = config(global)?;
    if let Err(absent) = config.try_embedder(choice) {
        return Err(Failure::new(absent).hinted("memora embedder install fetches what is missing"));
    }
    let path = config.choose_embedder(choice)?;
    ui.say(&format!("{name} is chosen, in {}", path.display()));
    ui.hint("memora index makes its vectors; until they are made, those that are there serve");
    Ok(Outcome::Good)
}

pub(super) fn install(global: &Global, args: &Install, ui: &Ui) -> Result<Outcome, Failure> {
    let choice = named(&args.name)?;
    if choice == EmbedderChoice::Embedded {
        return Err(Failure::say("the embedded model is part of the program").hinted("memora embedder use embedded"));
    }
    let config = config(global)?;
    let plan = fetching::fetch(&config, global, &args.name, &args.how, ui)?;
    config.try_embedder(choice).map_err(|absent| Failure::new(absent).hinted(without_library(&plan)))?;
    ui.say(&format!("{} is installed in {}, and works", args.name, plan.folder().display()));
    if config.embedder != choice {
        ui.hint(&format!("memora embedder use {} chooses it", args.name));
    }
    Ok(Outcome::Good)
}
