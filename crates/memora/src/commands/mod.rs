//! The commands: each opens the vault, catches up, calls the engine once, and prints.

mod ask;
mod capture;
mod challenge;
mod contradictions;
mod decide;
mod demo;
mod download;
mod embedder;
mod entailment;
mod extract;
mod filters;
mod generated;
mod init;
mod input;
mod install;
mod mcp;
mod memory;
mod model;
mod privacy;
mod verify;
mod watch;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use memora_engine::report::{ClaimState, EntityStatus, EvidenceStrength, Freshness};
use memora_engine::{
    ClaimId, Config, DecisionKind, Door, ExportOptions, LocalDoor, Memora, SearchOptions, SyncBound, SyncOutcome,
    Vault, Waker, pluralize,
};

use crate::args::{
    Ask, Claims, Cli, Command, Doctor, Embedder, EmbedderCommand, Entity, Export, GlobalArgs, Index, Mcp, McpCommand,
    ModelCommand, Reset, Search, Why,
};
use crate::failure::{CommandOutcome, Failure};
use crate::print;
use crate::ui::Ui;

pub(crate) use init::Prompter;

/// Runs the parsed command.
pub(crate) fn run(cli: Cli, ui: &Ui) -> Result<CommandOutcome, Failure> {
    if let Command::Entity(Entity { name, .. }) = &cli.command
        && name.trim().is_empty()
    {
        return Err(Failure::from_message("there is no name to look for")
            .with_hint("name a note, a person, a thing: memora entity Anna"));
    }
    if let Command::Ask(Ask { question: words, .. }) | Command::Search(Search { query: words, .. }) = &cli.command
        && words.trim().is_empty()
    {
        return Err(Failure::from_message("there is nothing to look for")
            .with_hint("put the words in quotes: memora ask \"…\""));
    }
    // Commands for models and for the program itself need no vault. A server opens its own.
    match &cli.command {
        Command::Init(args) => return init::run(&cli.global, args, ui),
        Command::Demo => return demo::run(&cli.global, ui),
        Command::Completions(args) => return generated::print_completions(args, ui),
        Command::Man(args) => return generated::write_man_pages(args, ui),
        Command::Mcp(args) if args.what.is_none() => return mcp::serve(&cli.global, args, ui),
        Command::Embedder(Embedder { what: Some(EmbedderCommand::Install(args)) }) => {
            return embedder::install_embedder(&cli.global, args, ui);
        }
        Command::Embedder(Embedder { what: Some(EmbedderCommand::Use { name }) }) => {
            return embedder::choose_embedder(&cli.global, name, ui);
        }
        Command::Model(args) => {
            return match &args.what {
                None | Some(ModelCommand::List) => entailment::list_models(&cli.global, ui),
                Some(ModelCommand::Install(args)) => entailment::install_model(&cli.global, args, ui),
                Some(ModelCommand::Use { name }) => entailment::choose_model(&cli.global, name, ui),
            };
        }
        _ => {}
    }
    let mut memora = open_vault(&cli.global, ui)?;
    let outcome = if let Command::Ask(args) = &cli.command {
        ask::run(&mut memora, args, ui)
    } else if let Command::Extract(args) = &cli.command {
        extract::run(&mut memora, args, ui)
    } else if let Command::Verify(args) = &cli.command {
        verify::run(&mut memora, args, ui)
    } else if ui.is_local() {
        dispatch(&mut memora, cli.command, &cli.global, LocalDoor, ui)
    } else {
        let door = memora.cloud_door();
        dispatch(&mut memora, cli.command, &cli.global, door, ui)
    };
    embedder::warn_missing(&memora, ui);
    entailment::warn_missing(&memora, ui);
    outcome
}

fn load_config(global: &GlobalArgs) -> Result<Config, Failure> {
    Ok(Config::load(global.state_dir.clone(), global.config_dir.clone(), resolve_today(global)?)?)
}

fn resolve_today(global: &GlobalArgs) -> Result<jiff::civil::Date, Failure> {
    match &global.today {
        Some(day) => day.parse().map_err(|_| {
            Failure::from_message(format!("--today or MEMORA_TODAY: {day} is not a day")).with_hint("write YYYY-MM-DD")
        }),
        None => Ok(jiff::Zoned::now().date()),
    }
}

fn open_vault(global: &GlobalArgs, ui: &Ui) -> Result<Memora, Failure> {
    let memora = Memora::open(global.vault.as_deref(), load_config(global)?)?;
    for notice in memora.notices() {
        ui.status_line(&format!("note: {notice}"));
    }
    warn_misread_settings(memora.vault(), memora.config(), ui);
    Ok(memora)
}

/// Warns about settings that could not be read; notes under them count as secret.
fn warn_misread_settings(vault: &Vault, config: &Config, ui: &Ui) {
    let problems = vault.settings_problems();
    if ui.may_name_notes() {
        for problem in problems {
            ui.status_line(&format!("note: {problem}"));
            ui.hint(problem.hint());
        }
    } else if !problems.is_empty() {
        ui.status_line("note: some settings of the vault could not be read, so more may be withheld");
        ui.hint("memora doctor, on a terminal");
    }
    for key in config.misread_bands() {
        ui.status_line(&format!("note: `{key}` in your config.toml is not a privacy band; read as secret"));
        ui.hint("write public, private or secret");
    }
}

fn dispatch<D: Door>(
    memora: &mut Memora,
    command: Command,
    global: &GlobalArgs,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, Failure> {
    match command {
        // Commands without an opened vault have run already.
        Command::Init(_)
        | Command::Demo
        | Command::Completions(_)
        | Command::Man(_)
        | Command::Model(_)
        | Command::Mcp(Mcp { what: None, .. }) => Ok(CommandOutcome::Good),
        Command::Index(args) => run_index(memora, &args, door, ui),
        Command::Search(args) => run_search(memora, &args, door, ui),
        Command::Claims(args) => list_claims(memora, &args, door, ui),
        Command::Why(args) => explain_claim(memora, &args, door, ui),
        Command::Entity(args) => show_entity(memora, &args, door, ui),
        Command::Contradictions(args) => contradictions::run(memora, &args, door, ui),
        Command::Stale(args) => decide::list_stale(memora, &args, door, ui),
        Command::Challenge(args) => challenge::run(memora, &args, door, ui),
        Command::Keep(args) => decide::keep_claim(memora, &args, door, ui),
        Command::Retract(args) => {
            let act = if args.ended { DecisionKind::End } else { DecisionKind::Retract };
            decide::decide_claim(memora, act, &args.claim, &[], door, ui)
        }
        Command::Restore(args) => decide::decide_claim(memora, DecisionKind::Restore, &args.claim, &[], door, ui),
        Command::Memory(args) => memory::run(memora, &args, door, ui),
        Command::Capture(args) => capture::run(memora, &args, door, ui),
        Command::Status => show_status(memora, door, ui),
        Command::Doctor(args) => run_doctor(memora, &args, door, ui),
        Command::Export(args) => export_claims(memora, &args, door, ui),
        Command::Embedder(_) => embedder::show_embedder(memora, door, ui),
        Command::Privacy(args) => privacy::run(memora, &args, door, ui),
        Command::Reset(args) => reset_index(memora, &args, ui),
        Command::Extract(args) => extract::run(memora, &args, ui),
        Command::Watch(args) => watch::run(memora, &args, ui),
        Command::Mcp(Mcp { what: Some(McpCommand::Install(args)), .. }) => {
            install::run(memora, &args, global, door, ui)
        }
        // Their door also depends on the model.
        Command::Ask(args) => ask::run(memora, &args, ui),
        Command::Verify(args) => verify::run(memora, &args, ui),
    }
}

/// Returns a flag that Ctrl-C or SIGTERM raises; a second signal ends the program at once.
fn stop_flag() -> Arc<AtomicBool> {
    Arc::clone(&stop_signal().flag)
}

/// Wakes a waiting watcher as soon as the flag is raised.
fn wake_on_stop(waker: Waker) {
    *stop_signal().waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(waker);
}

#[derive(Default)]
struct StopSignal {
    flag: Arc<AtomicBool>,
    waker: Mutex<Option<Waker>>,
}

fn stop_signal() -> &'static StopSignal {
    // A process can have only one handler.
    static STOP: OnceLock<StopSignal> = OnceLock::new();
    STOP.get_or_init(|| {
        // The handler runs in its own thread, after initialization.
        drop(ctrlc::set_handler(|| {
            let stop = stop_signal();
            if stop.flag.swap(true, Ordering::Relaxed) {
                std::process::exit(2);
            }
            if let Some(waker) = &*stop.waker.lock().unwrap_or_else(PoisonError::into_inner) {
                waker.wake();
            }
        }));
        StopSignal::default()
    })
}

/// Brings the index up to date, checking for Ctrl-C between batches.
fn sync_index(memora: &mut Memora, bound: SyncBound, ui: &Ui) -> Result<SyncOutcome, Failure> {
    let stop = stop_flag();
    let synced = memora.sync(bound, &stop, &mut ui.sync_bar())?;
    if synced.stopped && synced.pending == 0 {
        return Err(Failure::from_message(
            "stopped while vectors were made; the notes are indexed, and what was made is kept",
        )
        .with_hint("run memora index to go on"));
    }
    if synced.stopped {
        let done = synced.seen.saturating_sub(synced.pending);
        return Err(Failure::from_message(format!("stopped; indexed and kept: {done} of {} notes", synced.seen))
            .with_hint("run memora index to go on"));
    }
    Ok(synced)
}

/// Fails on a vault without notes, which is most likely the wrong folder.
fn require_notes(memora: &Memora, seen: usize, ui: &Ui) -> Result<(), Failure> {
    if seen > 0 {
        return Ok(());
    }
    let vault = memora.vault();
    let name = if ui.may_name_notes() { vault.root().display().to_string() } else { vault.name().to_owned() };
    Err(Failure::from_message(format!("there are no notes in {name}"))
        .with_hint("name the folder with your notes: memora --vault FOLDER …")
        .with_hint("ignored folders and templates do not count; memora status counts what was skipped"))
}

/// Catches up within a bound before a reading command, and warns if that was not enough.
fn catch_up(memora: &mut Memora, ui: &Ui) -> Result<Freshness, Failure> {
    let synced = sync_index(memora, SyncBound::READER, ui)?;
    Ok(report_freshness(&synced, ui))
}

/// Catches up for a command that is useless without notes.
fn catch_up_on_notes(memora: &mut Memora, ui: &Ui) -> Result<Freshness, Failure> {
    let synced = sync_index(memora, SyncBound::READER, ui)?;
    require_notes(memora, synced.seen, ui)?;
    Ok(report_freshness(&synced, ui))
}

/// Warns that deleted text may still be in the state folder.
fn warn_unwiped(synced: &SyncOutcome, ui: &Ui) {
    if synced.unwiped {
        ui.status_line(
            "note: another memora process is reading, so words that went from the vault are still in the state folder",
        );
        ui.hint("they go when it ends, or with the next memora index");
    }
}

fn report_freshness(synced: &SyncOutcome, ui: &Ui) -> Freshness {
    warn_unwiped(synced, ui);
    let freshness = synced.freshness();
    if synced.locked {
        ui.status_line("note: another memora process is indexing; this answer is from the last index");
    } else if !freshness.fresh {
        ui.status_line(&format!("note: not indexed yet: {}", pluralize(freshness.pending, "changed note")));
        ui.hint("run memora index");
    }
    // The count would also reveal guarded statements.
    if synced.vectors_due > 0 && ui.is_local() {
        ui.status_line(&format!(
            "note: without a vector yet, and found by words alone: {}",
            pluralize(synced.vectors_due, "statement")
        ));
        ui.hint("run memora index");
    }
    freshness
}

/// Warns once, at a cloud door, that guarded text is withheld; never how much of it.
fn warn_withheld<D: Door>(door: &D, ui: &Ui) {
    if !door.is_local() {
        ui.status_line("note: this output may be read by others, so guarded text is withheld");
        ui.hint("--door local, if only you read it");
    }
}

fn run_index<D: Door>(memora: &mut Memora, args: &Index, door: D, ui: &Ui) -> Result<CommandOutcome, Failure> {
    let before: HashSet<ClaimId> = memora.session(door.clone())?.doctor().list_claim_ids()?;
    let synced = sync_index(memora, SyncBound::None, ui)?;
    require_notes(memora, synced.seen, ui)?;
    if synced.locked {
        return Err(Failure::from_message("another memora process is indexing this vault")
            .with_hint("try again when it is done"));
    }
    warn_unwiped(&synced, ui);
    if args.complete {
        let stop = stop_flag();
        let mut told = |done, due| {
            ui.progress_line(&format!("reading ahead: {done} of {due} statements"));
            true
        };
        let failed = |error| {
            Failure::from_message(format!("what was read could not be kept: {error}")).with_hint("memora doctor")
        };
        let ahead = memora.precompute_token_vectors(&stop, &mut told).map_err(failed)?;
        if !ahead.complete {
            let why = if stop.load(Ordering::Relaxed) { "stopped" } else { "another memora process is at the index" };
            return Err(Failure::from_message(format!(
                "{why}; {} statements were read ahead, and are kept",
                ahead.done
            ))
            .with_hint("memora index --complete goes on"));
        }
    }
    let report = memora.session(door.clone())?.doctor().report_index(&synced, &before)?;
    ui.print_report(&report, print::format_index)?;
    if ui.may_name_notes() && !ui.wants_json() {
        let (walked, took) = (synced.walked.as_secs_f64(), synced.took.as_secs_f64());
        ui.status_line(&format!("{took:.2} s, of which {walked:.2} s walking"));
    }
    warn_withheld(&door, ui);
    Ok(CommandOutcome::Good)
}

fn run_search<D: Door>(memora: &mut Memora, args: &Search, door: D, ui: &Ui) -> Result<CommandOutcome, Failure> {
    let (filter, since, until) = filters::read_filter_and_time(&args.filters)?;
    let options = SearchOptions {
        limit: args.limit.clamp(1, 1000),
        filter,
        captured: args.captured,
        as_of: filters::parse_date(args.as_of.as_deref())?,
        since,
        until,
        ..SearchOptions::default()
    };
    let freshness = catch_up_on_notes(memora, ui)?;
    let report =
        memora.session(door.clone())?.search().report_claims(&args.query, &options, freshness)?.sorted_by_time();
    ui.print_report(&report, |report| print::format_search(report, args.explain))?;
    if report.hits.is_empty() {
        filters::warn_if_no_match(memora, &options.filter, door.clone(), ui)?;
    }
    warn_withheld(&door, ui);
    let found = report.hits.iter().any(|hit| hit.relevance != EvidenceStrength::None);
    Ok(if found { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

fn list_claims<D: Door>(memora: &mut Memora, args: &Claims, door: D, ui: &Ui) -> Result<CommandOutcome, Failure> {
    let filter = filters::read_filter(&args.filters)?;
    let as_of = filters::parse_date(args.as_of.as_deref())?;
    let freshness = catch_up_on_notes(memora, ui)?;
    let report = memora.session(door.clone())?.catalog().list_claims(&filter, as_of, args.limit.max(1), freshness)?;
    ui.print_report(&report, print::format_claims)?;
    warn_withheld(&door, ui);
    if report.claims.is_empty() {
        if !filters::warn_if_no_match(memora, &filter, door, ui)? {
            ui.hint(
                "no note that the filters let through has a claim; memora index lists the files that were not read",
            );
        }
        return Ok(CommandOutcome::Doubtful);
    }
    Ok(CommandOutcome::Good)
}

fn explain_claim<D: Door>(memora: &mut Memora, args: &Why, door: D, ui: &Ui) -> Result<CommandOutcome, Failure> {
    let id = parse_claim_id(&args.claim, "explained")?;
    catch_up(memora, ui)?;
    let report = memora.session(door.clone())?.catalog().explain_claim(&id)?;
    ui.print_report(&report, print::format_explanation)?;
    if report.status == ClaimState::Unknown {
        ui.hint("an id is copied from memora search or memora claims; a note that was never indexed has none");
    }
    warn_withheld(&door, ui);
    Ok(if report.status == ClaimState::Current { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

/// Parses a typed id, with or without brackets; `done` is the action that a handle does not support.
fn parse_claim_id(typed: &str, done: &str) -> Result<ClaimId, Failure> {
    let typed = ClaimId::strip_citation(typed);
    if typed.starts_with('~') {
        return Err(Failure::from_message(format!("this is the handle of a guarded claim; it cannot be {done} here"))
            .with_hint("ask for the claim on a terminal: memora claims"));
    }
    ClaimId::parse(typed).map_err(|error| {
        Failure::new(error)
            .with_hint("an id has twelve letters and digits, such as 7h3kq0v9x2ma; memora search shows them")
    })
}

fn show_entity<D: Door>(memora: &mut Memora, args: &Entity, door: D, ui: &Ui) -> Result<CommandOutcome, Failure> {
    let freshness = catch_up_on_notes(memora, ui)?;
    let report = memora.session(door.clone())?.entity_reports().report_entity(
        &args.name,
        args.limit.max(1),
        args.timeline,
        true,
        freshness,
    )?;
    ui.print_report(&report, |report| print::format_entity(report, args.timeline))?;
    match report.status {
        EntityStatus::Ambiguous => ui.hint("name one by its path: memora entity \"folder/note\""),
        EntityStatus::Unknown if memora.is_owner_unset(&args.name) => {
            ui.hint("say who you are in your config.toml: owner = \"the name you have in your notes\"");
        }
        // Names that the user may see are not necessarily for the reader of stderr.
        EntityStatus::Unknown if !report.nearest.is_empty() && (ui.may_name_notes() || !door.is_local()) => {
            ui.hint(&format!("nearly so: {}", report.nearest.join(", ")));
        }
        EntityStatus::Unknown => ui.hint("memora search looks for words rather than names"),
        EntityStatus::Found => {}
    }
    warn_withheld(&door, ui);
    Ok(if report.status == EntityStatus::Found { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

fn show_status<D: Door>(memora: &mut Memora, door: D, ui: &Ui) -> Result<CommandOutcome, Failure> {
    let freshness = catch_up(memora, ui)?;
    let report = memora.session(door)?.doctor().report_status(freshness)?;
    ui.print_report(&report, print::format_status)?;
    Ok(CommandOutcome::Good)
}

fn run_doctor<D: Door>(memora: &mut Memora, args: &Doctor, door: D, ui: &Ui) -> Result<CommandOutcome, Failure> {
    let freshness = catch_up(memora, ui)?;
    let report = memora
        .session(door)?
        .doctor()
        .run_checks(args.check_spans, freshness)?
        .with_check(memora.check_model(&stop_flag()));
    ui.print_report(&report, print::format_doctor)?;
    Ok(if report.healthy { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

fn export_claims<D: Door>(memora: &mut Memora, args: &Export, door: D, ui: &Ui) -> Result<CommandOutcome, Failure> {
    let synced = sync_index(memora, SyncBound::None, ui)?;
    require_notes(memora, synced.seen, ui)?;
    if !synced.freshness().fresh {
        return Err(Failure::from_message("another memora process is indexing this vault")
            .with_hint("try again when it is done"));
    }
    let options = ExportOptions { canonical: args.canonical, statements: args.statements };
    for line in memora.session(door.clone())?.catalog().export_claims(options)? {
        ui.print_line(&serde_json::to_string(&line).map_err(Failure::new)?)?;
    }
    warn_withheld(&door, ui);
    Ok(CommandOutcome::Good)
}

fn reset_index(memora: &mut Memora, args: &Reset, ui: &Ui) -> Result<CommandOutcome, Failure> {
    memora.reset(!args.journal)?;
    ui.status_line(if args.journal {
        "the index and the journal are empty"
    } else {
        "the index is empty; the journal was kept"
    });
    ui.hint("the next command makes the index again");
    Ok(CommandOutcome::Good)
}
