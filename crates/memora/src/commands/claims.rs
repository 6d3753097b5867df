//! `search`, `claims`, `why`, `entity` and `export`: claims as they are found, listed and explained.

use memora_engine::report::{ClaimState, EntityStatus, EvidenceStrength, Freshness};
use memora_engine::{Authors, DecideError, Door, EntityQuery, ExportOptions, ListOptions, Memora, SearchOptions};

use super::filters;
use super::vault::warn_withheld;
use crate::args::{Claims, Entity, Export, Search, SearchFormat, Why};
use crate::command_error::{CommandError, CommandOutcome};
use crate::opener::Place;
use crate::screen::{self, HitDetail};
use crate::ui::Ui;

pub(super) fn run_search<D: Door>(
    memora: &Memora,
    args: &Search,
    freshness: Freshness,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let (filter, since, until) = filters::read_filter_and_time(&args.filters, memora, &door, ui)?;
    let options = SearchOptions {
        limit: args.limit.clamp(1, 1000),
        filter,
        authors: Authors::with_captured(args.captured),
        as_of: args.as_of,
        since,
        until,
        ..SearchOptions::default()
    };
    let report =
        memora.session(door.clone())?.search().report_claims(&args.query, &options, freshness)?.sorted_by_time();
    match args.format {
        SearchFormat::Text => {
            let detail = match (args.explain, args.claims) {
                (true, _) => HitDetail::Ranks,
                (false, true) => HitDetail::Claims,
                (false, false) => HitDetail::Sentence,
            };
            ui.print_report(&report, |report| screen::format_search(report, options.limit, detail))?;
        }
        SearchFormat::Vimgrep if report.hits.is_empty() => {}
        SearchFormat::Vimgrep => ui.print_line(&screen::format_vimgrep(&report))?,
    }
    if args.open {
        ui.open_place(report.hits.first().and_then(|hit| Place::of_claim(&hit.claim)))?;
    }
    if report.hits.is_empty() {
        filters::warn_if_no_match(memora, &options.filter, door.clone(), ui)?;
    }
    warn_withheld(memora, &door, ui);
    let found = report.hits.iter().any(|hit| hit.relevance != EvidenceStrength::Nearest);
    Ok(if found { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

pub(super) fn list_claims<D: Door>(
    memora: &Memora,
    args: &Claims,
    freshness: Freshness,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let filter = filters::read_filter(&args.filters, memora, &door, ui)?;
    let options = ListOptions {
        filter: filter.clone(),
        authors: Authors::with_captured(args.captured),
        as_of: args.as_of,
        limit: args.limit.max(1),
    };
    let report = memora.session(door.clone())?.catalog().list_claims(&options, freshness)?;
    ui.print_report(&report, screen::format_claims)?;
    warn_withheld(memora, &door, ui);
    if report.claims.is_empty() {
        if !filters::warn_if_no_match(memora, &filter, door, ui)? {
            ui.hint(
                "no note that the filters let through has a claim; memora index lists the files that were not read",
            );
            if !args.captured {
                ui.hint("--captured lists claims of notes that machines wrote, too");
            }
        }
        return Ok(CommandOutcome::Doubtful);
    }
    Ok(CommandOutcome::Good)
}

pub(super) fn explain_claim<D: Door>(
    memora: &Memora,
    args: &Why,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let report = memora.session(door.clone())?.catalog().explain_claim(&args.claim)?;
    if report.status == ClaimState::Unknown {
        return Err(DecideError::Unknown(args.claim).into());
    }
    ui.print_report(&report, screen::format_explanation)?;
    warn_withheld(memora, &door, ui);
    Ok(if report.status == ClaimState::Current { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

pub(super) fn show_entity<D: Door>(
    memora: &Memora,
    args: &Entity,
    freshness: Freshness,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let query = EntityQuery { name: &args.name, limit: args.limit.max(1), timeline: args.timeline };
    let authors = Authors::with_captured(args.captured);
    let report = memora.session(door.clone())?.entity_reports(authors).report_entity(&query, freshness)?;
    ui.print_report(&report, |report| screen::format_entity(report, args.timeline))?;
    match report.status {
        EntityStatus::Ambiguous => ui.hint("name one by its path: memora entity \"folder/note\""),
        EntityStatus::Unknown if memora.is_owner_unset(&args.name) => {
            ui.hint("say who you are in your config.toml: owner = \"the name you have in your notes\"");
        }
        EntityStatus::Unknown if report.only_captured => {
            ui.hint("only notes that machines wrote name it: --captured takes them too");
        }
        // Names that the user may see are not necessarily for the reader of stderr.
        EntityStatus::Unknown if !report.nearest.is_empty() && (ui.may_name_notes() || !door.is_local()) => {
            ui.hint(&format!("similar: {}", report.nearest.join(", ")));
        }
        EntityStatus::Unknown => ui.hint("memora search looks for words rather than names"),
        EntityStatus::Found => {}
    }
    warn_withheld(memora, &door, ui);
    Ok(if report.status == EntityStatus::Found { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

pub(super) fn export_claims<D: Door>(
    memora: &Memora,
    args: &Export,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let options = ExportOptions { canonical: args.canonical, statements: args.statements };
    for line in memora.session(door.clone())?.catalog().export_claims(options)? {
        ui.print_json(&serde_json::to_string(&line).map_err(CommandError::failed)?)?;
    }
    warn_withheld(memora, &door, ui);
    Ok(CommandOutcome::Good)
}
