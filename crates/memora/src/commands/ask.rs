//! `memora ask`: in the notes' own words, or in a model's as far as the notes bear them out.
//!
//! The door follows from who reads the answer *and* who drafts it: what a model elsewhere may not see is not looked for.

use memora_engine::wire::Freshness;
use memora_engine::{
    Asking, Door, LanguageModel, LocalDoor, Memora, Model, ModelConfig, ModelLimits, ModelsAllowed, SearchOptions,
    WhyFar,
};

use super::{catch_up_on_notes, filters, heard, say_withheld};
use crate::args::Ask;
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

pub(super) fn ask(memora: &mut Memora, args: &Ask, ui: &Ui) -> Result<Outcome, Failure> {
    let options = SearchOptions {
        limit: args.limit.clamp(1, 100),
        filter: filters::read(&args.filters)?,
        captured: args.captured,
        as_of: filters::date(args.as_of.as_deref())?,
        lexical_only: false,
    };
    let Some(config) = configured(memora, args, ui)? else {
        let freshness = catch_up_on_notes(memora, ui)?;
        return if ui.is_local() {
            quoted(memora, args, &options, LocalDoor, freshness, ui)
        } else {
            let door = memora.cloud_door();
            quoted(memora, args, &options, door, freshness, ui)
        };
    };
    let model = connect(memora, &config)?;
    let freshness = catch_up_on_notes(memora, ui)?;
    let drafting = Drafting { memora, args, options: &options, freshness, ui };
    match &model {
        Model::Near(near) if ui.is_local() => drafting.run(near, &LocalDoor, false),
        Model::Near(near) => drafting.run(near, &memora.cloud_door(), false),
        Model::Far(far) => {
            say_far(&config, far.why(), ui);
            drafting.run(far, &memora.cloud_door(), true)
        }
    }
}

/// In the notes' own words.
fn quoted<D: Door>(
    memora: &Memora,
    args: &Ask,
    options: &SearchOptions,
    door: D,
    freshness: Freshness,
    ui: &Ui,
) -> Result<Outcome, Failure> {
    let report = memora.session(door.clone())?.ask(&args.question, options, freshness)?;
    ui.report(&report, print::ask)?;
    say_withheld(&door, ui);
    let good = matches!(report.status, "verified" | "quoted") && report.relevance == Some("strong");
    Ok(if good { Outcome::Good } else { Outcome::Doubtful })
}

/// The model that is to be asked, if any is; another name than the configured one counts for this question.
fn configured(memora: &Memora, args: &Ask, ui: &Ui) -> Result<Option<ModelConfig>, Failure> {
    let wanted = args.model.is_some() || args.show_prompt;
    let Some(config) = memora.config().model.clone().filter(|_| !args.offline) else {
        if wanted {
            return Err(Failure::say("no language model is configured")
                .hinted("name one under [model] in your config.toml; docs/cli.md has examples"));
        }
        return Ok(None);
    };
    if memora.vault().models() == ModelsAllowed::None {
        if wanted {
            return Err(Failure::say("privacy.models allows no language model to be asked about this vault")
                .hinted("it stands in the vault's .memora/config.toml or in your own; --offline asks none"));
        }
        ui.say("note: privacy.models allows no language model to be asked about this vault, so none is");
        return Ok(None);
    }
    let name = args.model.clone().unwrap_or_else(|| config.name.clone());
    Ok(Some(ModelConfig { name, ..config }))
}

fn connect(memora: &Memora, config: &ModelConfig) -> Result<Model, Failure> {
    let model = memora.connect(config, &ModelLimits::of(config), &heard())?;
    if !model.is_near() && memora.vault().models() == ModelsAllowed::Local {
        let why = model.why_far().map(|why| format!(": {why}")).unwrap_or_default();
        return Err(Failure::say(format!(
            "privacy.models allows only a model on this machine to be asked about this vault, and {} is taken for one elsewhere{why}",
            config.name
        ))
        .hinted("--offline answers in the notes' own words")
        .hinted("privacy.models stands in the vault's .memora/config.toml or in your own"));
    }
    Ok(model)
}

/// Says why a model that the user may take for one on this machine is not taken for one.
fn say_far(config: &ModelConfig, why: WhyFar, ui: &Ui) {
    let host = config.url.host_str().unwrap_or("localhost");
    let seems_here = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
    if config.trusted_local || seems_here {
        ui.say(&format!("note: {} is treated as a model elsewhere: {why}", config.name));
    }
}

/// A question that a model is asked.
struct Drafting<'a> {
    memora: &'a Memora,
    args: &'a Ask,
    options: &'a SearchOptions,
    freshness: Freshness,
    ui: &'a Ui,
}

impl Drafting<'_> {
    fn run<D: Door>(&self, model: &dyn LanguageModel<D>, door: &D, leaves: bool) -> Result<Outcome, Failure> {
        let Self { memora, args, options, freshness, ui } = *self;
        if args.show_prompt {
            return self.show(model, door);
        }
        ui.progress(&format!("asking {}", model.name()));
        let stop = heard();
        let asking = Asking { model, leaves, stop: &stop };
        let report = memora.ask_model(&args.question, options, door, &asking, freshness)?;
        ui.report(&report, print::ask)?;
        if ui.is_local() && leaves {
            ui.say(&format!("note: guarded text was kept from {}", model.name()));
            ui.hint("--offline answers from all notes, in their own words");
        } else {
            say_withheld(door, ui);
        }
        Ok(if matches!(report.status, "verified" | "quoted") { Outcome::Good } else { Outcome::Doubtful })
    }

    /// Prints what would be sent first, and sends nothing.
    fn show<D: Door>(&self, model: &dyn LanguageModel<D>, door: &D) -> Result<Outcome, Failure> {
        let Some(prompt) = self.memora.first_prompt(&self.args.question, self.options, door)? else {
            self.ui.say("nothing would be sent: no note has anything to offer");
            return Ok(Outcome::Doubtful);
        };
        let request = model.request(&prompt);
        let headers: String = request.headers.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
        let body = String::from_utf8_lossy(&request.body);
        self.ui.print(&format!("{} {}\n{headers}\n{body}", request.method, request.url))?;
        Ok(Outcome::Good)
    }
}
