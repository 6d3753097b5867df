//! Each command: open, catch up, one call to the engine, print.

mod ask;
mod capture;
mod challenge;
mod contradictions;
mod decide;
mod demo;
mod embedder;
mod entailment;
mod extract;
mod fetching;
mod filters;
mod generated;
mod init;
mod install;
mod mcp;
mod model;
mod privacy;
mod text;
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
    Ask, Claims, Cli, Command, Doctor, Embedder, EmbedderCommand, Entity, Export, Global, Index, Mcp, McpCommand,
    ModelCommand, Reset, Search, Why,
};
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

pub(crate) use init::Answers;

/// Carries out what was typed.
pub(crate) fn run(cli: Cli, ui: &Ui) -> Result<Outcome, Failure> {
    if let Command::Entity(Entity { name, .. }) = &cli.command
        && name.trim().is_empty()
    {
        return Err(
            Failure::say("there is no name to look for").hinted("name a note, a person, a thing: memora entity Anna")
        );
    }
    if let Command::Ask(Ask { question: words, .. }) | Command::Search(Search { query: words, .. }) = &cli.command
        && words.trim().is_empty()
    {
        return Err(Failure::say("there is nothing to look for").hinted("put the words in quotes: memora ask \"…\""));
    }
    // What is fetched and chosen serves every vault, and needs none; nor does what tells of the program. A server opens its own.
    match &cli.command {
        Command::Init(args) => return init::init(&cli.global, args, ui),
        Command::Demo => return demo::demo(&cli.global, ui),
        Command::Completions(args) => return generated::completions(args, ui),
        Command::Man(args) => return generated::man(args, ui),
        Command::Mcp(args) if args.what.is_none() => return mcp::serve(&cli.global, args, ui),
        Command::Embedder(Embedder { what: Some(EmbedderCommand::Install(args)) }) => {
            return embedder::install(&cli.global, args, ui);
        }
        Command::Embedder(Embedder { what: Some(EmbedderCommand::Use { name }) }) => {
            return embedder::choose(&cli.global, name, ui);
        }
        Command::Model(args) => {
            return match &args.what {
                None | Some(ModelCommand::List) => entailment::list(&cli.global, ui),
                Some(ModelCommand::Install(args)) => entailment::install(&cli.global, args, ui),
                Some(ModelCommand::Use { name }) => entailment::choose(&cli.global, name, ui),
            };
        }
        _ => {}
    }
    let mut memora = open(&cli.global, ui)?;
    let outcome = if let Command::Ask(args) = &cli.command {
        ask::ask(&mut memora, args, ui)
    } else if let Command::Extract(args) = &cli.command {
        extract::extract(&mut memora, args, ui)
    } else if let Command::Verify(args) = &cli.command {
        verify::verify(&mut memora, args, ui)
    } else if ui.is_local() {
        dispatch(&mut memora, cli.command, &cli.global, LocalDoor, ui)
    } else {
        let door = memora.cloud_door();
        dispatch(&mut memora, cli.command, &cli.global, door, ui)
    };
    embedder::say_missing(&memora, ui);
    entailment::say_missing(&memora, ui);
    outcome
}

fn config(global: &Global) -> Result<Config, Failure> {
    Ok(Config::load(global.state_dir.clone(), global.config_dir.clone(), today(global)?)?)
}

fn today(global: &Global) -> Result<jiff::civil::Date, Failure> {
    match &global.today {
        Some(day) => day.parse().map_err(|_| {
            Failure::say(format!("--today or MEMORA_TODAY: {day} is not a day")).hinted("write YYYY-MM-DD")
        }),
        None => Ok(jiff::Zoned::now().date()),
    }
}

fn open(global: &Global, ui: &Ui) -> Result<Memora, Failure> {
    let memora = Memora::open(global.vault.as_deref(), config(global)?)?;
    for notice in memora.notices() {
        ui.say(&format!("note: {notice}"));
    }
    say_settings(memora.vault(), memora.config(), ui);
    Ok(memora)
}

/// Says which settings could not be read: whatever they would have shown is taken for secret.
fn say_settings(vault: &Vault, config: &Config, ui: &Ui) {
    let problems = vault.settings_problems();
    if ui.may_name_notes() {
        for problem in problems {
            ui.say(&format!("note: {problem}"));
            ui.hint(problem.hint());
        }
    } else if !problems.is_empty() {
        ui.say("note: some settings of the vault could not be read, so more may be withheld");
        ui.hint("memora doctor, on a terminal");
    }
    for key in config.misread_bands() {
        ui.say(&format!("note: `{key}` in your config.toml is not a privacy band; read as secret"));
        ui.hint("write public, private or secret");
    }
}

fn dispatch<D: Door>(
    memora: &mut Memora,
    command: Command,
    global: &Global,
    door: D,
    ui: &Ui,
) -> Result<Outcome, Failure> {
    match command {
        // What needs no opened vault has been carried out.
        Command::Init(_)
        | Command::Demo
        | Command::Completions(_)
        | Command::Man(_)
        | Command::Model(_)
        | Command::Mcp(Mcp { what: None, .. }) => Ok(Outcome::Good),
        Command::Index(args) => index(memora, &args, door, ui),
        Command::Search(args) => search(memora, &args, door, ui),
        Command::Claims(args) => claims(memora, &args, door, ui),
        Command::Why(args) => why(memora, &args, door, ui),
        Command::Entity(args) => entity(memora, &args, door, ui),
        Command::Contradictions(args) => contradictions::contradictions(memora, &args, door, ui),
        Command::Stale(args) => decide::stale(memora, &args, door, ui),
        Command::Challenge(args) => challenge::challenge(memora, &args, door, ui),
        Command::Keep(args) => decide::keep(memora, &args, door, ui),
        Command::Retract(args) => {
            let act = if args.ended { DecisionKind::End } else { DecisionKind::Retract };
            decide::decide(memora, act, &args.claim, &[], door, ui)
        }
        Command::Restore(args) => decide::decide(memora, DecisionKind::Restore, &args.claim, &[], door, ui),
        Command::Capture(args) => capture::capture(memora, &args, door, ui),
        Command::Status => status(memora, door, ui),
        Command::Doctor(args) => doctor(memora, &args, door, ui),
        Command::Export(args) => export(memora, &args, door, ui),
        Command::Embedder(_) => embedder::status(memora, door, ui),
        Command::Privacy(args) => privacy::run(memora, &args, door, ui),
        Command::Reset(args) => reset(memora, &args, ui),
        Command::Extract(args) => extract::extract(memora, &args, ui),
        Command::Watch(args) => watch::watch(memora, &args, ui),
        Command::Mcp(Mcp { what: Some(McpCommand::Install(args)), .. }) => {
            install::install(memora, &args, global, door, ui)
        }
        // Their door depends on which model is asked, too.
        Command::Ask(args) => ask::ask(memora, &args, ui),
        Command::Verify(args) => verify::verify(memora, &args, ui),
    }
}

/// A flag that Ctrl-C or SIGTERM raises; a second one ends the program at once.
fn heard() -> Arc<AtomicBool> {
    Arc::clone(&stop().flag)
}

/// Has whoever waits look at the flag as soon as it is raised.
fn wake_when_heard(waker: Waker) {
    *stop().waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(waker);
}

#[derive(Default)]
struct Stop {
    flag: Arc<AtomicBool>,
    waker: Mutex<Option<Waker>>,
}

fn stop() -> &'static Stop {
    // Only one handler can be set in a process.
    static STOP: OnceLock<Stop> = OnceLock::new();
    STOP.get_or_init(|| {
        // It runs in a thread of its own, once this is set.
        drop(ctrlc::set_handler(|| {
            let stop = stop();
            if stop.flag.swap(true, Ordering::Relaxed) {
                std::process::exit(2);
            }
            if let Some(waker) = &*stop.waker.lock().unwrap_or_else(PoisonError::into_inner) {
                waker.wake();
            }
        }));
        Stop::default()
    })
}

/// Brings the index up to date, hearing Ctrl-C between batches.
fn sync(memora: &mut Memora, bound: SyncBound, ui: &Ui) -> Result<SyncOutcome, Failure> {
    let stop = heard();
    let synced = memora.sync(bound, &stop, &mut ui.bar())?;
    if synced.stopped && synced.pending == 0 {
        return Err(Failure::say("stopped while vectors were made; the notes are indexed, and what was made is kept")
            .hinted("run memora index to go on"));
    }
    if synced.stopped {
        let done = synced.seen.saturating_sub(synced.pending);
        return Err(Failure::say(format!("stopped; indexed and kept: {done} of {} notes", synced.seen))
            .hinted("run memora index to go on"));
    }
    Ok(synced)
}

/// A vault without notes is most likely the wrong folder.
fn needs_notes(memora: &Memora, seen: usize, ui: &Ui) -> Result<(), Failure> {
    if seen > 0 {
        return Ok(());
    }
    let vault = memora.vault();
    let name = if ui.may_name_notes() { vault.root().display().to_string() } else { vault.name().to_owned() };
    Err(Failure::say(format!("there are no notes in {name}"))
        .hinted("name the folder with your notes: memora --vault FOLDER …")
        .hinted("ignored folders and templates do not count; memora status counts what was skipped"))
}

/// What a command that reads does first: a bounded catch-up, and a word when that was not enough.
fn catch_up(memora: &mut Memora, ui: &Ui) -> Result<Freshness, Failure> {
    let synced = sync(memora, SyncBound::READER, ui)?;
    Ok(said_fresh(&synced, ui))
}

/// The same for what cannot be of use without notes.
fn catch_up_on_notes(memora: &mut Memora, ui: &Ui) -> Result<Freshness, Failure> {
    let synced = sync(memora, SyncBound::READER, ui)?;
    needs_notes(memora, synced.seen, ui)?;
    Ok(said_fresh(&synced, ui))
}

/// Says that words which went from the vault may be in the state folder still.
fn say_unwiped(synced: &SyncOutcome, ui: &Ui) {
    if synced.unwiped {
        ui.say(
            "note: another memora process is reading, so words that went from the vault are still in the state folder",
        );
        ui.hint("they go when it ends, or with the next memora index");
    }
}

fn said_fresh(synced: &SyncOutcome, ui: &Ui) -> Freshness {
    say_unwiped(synced, ui);
    let freshness = synced.freshness();
    if synced.locked {
        ui.say("note: another memora process is indexing; this answer is from the last index");
    } else if !freshness.fresh {
        ui.say(&format!("note: not indexed yet: {}", pluralize(freshness.pending, "changed note")));
        ui.hint("run memora index");
    }
    // How many there are tells of guarded statements, too.
    if synced.vectors_due > 0 && ui.is_local() {
        ui.say(&format!(
            "note: without a vector yet, and found by words alone: {}",
            pluralize(synced.vectors_due, "statement")
        ));
        ui.hint("run memora index");
    }
    freshness
}

/// Says once, at a cloud door, that guarded text is withheld; never how much of it.
fn say_withheld<D: Door>(door: &D, ui: &Ui) {
    if !door.is_local() {
        ui.say("note: this output may be read by others, so guarded text is withheld");
        ui.hint("--door local, if only you read it");
    }
}

fn index<D: Door>(memora: &mut Memora, args: &Index, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    let before: HashSet<ClaimId> = memora.session(door.clone())?.doctor().list_claim_ids()?;
    let synced = sync(memora, SyncBound::None, ui)?;
    needs_notes(memora, synced.seen, ui)?;
    if synced.locked {
        return Err(Failure::say("another memora process is indexing this vault").hinted("try again when it is done"));
    }
    say_unwiped(&synced, ui);
    if args.complete {
        let stop = heard();
        let mut told = |done, due| {
            ui.progress(&format!("reading ahead: {done} of {due} statements"));
            true
        };
        let failed = |error| Failure::say(format!("what was read could not be kept: {error}")).hinted("memora doctor");
        let ahead = memora.precompute_token_vectors(&stop, &mut told).map_err(failed)?;
        if !ahead.complete {
            let why = if stop.load(Ordering::Relaxed) { "stopped" } else { "another memora process is at the index" };
            return Err(Failure::say(format!("{why}; {} statements were read ahead, and are kept", ahead.done))
                .hinted("memora index --complete goes on"));
        }
    }
    let report = memora.session(door.clone())?.doctor().report_index(&synced, &before)?;
    ui.report(&report, print::index)?;
    if ui.may_name_notes() && !ui.wants_json() {
        let (walked, took) = (synced.walked.as_secs_f64(), synced.took.as_secs_f64());
        ui.say(&format!("{took:.2} s, of which {walked:.2} s walking"));
    }
    say_withheld(&door, ui);
    Ok(Outcome::Good)
}

fn search<D: Door>(memora: &mut Memora, args: &Search, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    let (filter, since, until) = filters::read_with_time(&args.filters)?;
    let options = SearchOptions {
        limit: args.limit.clamp(1, 1000),
        filter,
        captured: args.captured,
        as_of: filters::date(args.as_of.as_deref())?,
        since,
        until,
        ..SearchOptions::default()
    };
    let freshness = catch_up_on_notes(memora, ui)?;
    let report =
        memora.session(door.clone())?.search().report_claims(&args.query, &options, freshness)?.sorted_by_time();
    ui.report(&report, |report| print::search(report, args.explain))?;
    if report.hits.is_empty() {
        filters::say_if_nothing_matches(memora, &options.filter, door.clone(), ui)?;
    }
    say_withheld(&door, ui);
    let found = report.hits.iter().any(|hit| hit.relevance != EvidenceStrength::None);
    Ok(if found { Outcome::Good } else { Outcome::Doubtful })
}

fn claims<D: Door>(memora: &mut Memora, args: &Claims, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    let filter = filters::read(&args.filters)?;
    let as_of = filters::date(args.as_of.as_deref())?;
    let freshness = catch_up_on_notes(memora, ui)?;
    let report = memora.session(door.clone())?.catalog().list_claims(&filter, as_of, args.limit.max(1), freshness)?;
    ui.report(&report, print::claims)?;
    say_withheld(&door, ui);
    if report.claims.is_empty() {
        if !filters::say_if_nothing_matches(memora, &filter, door, ui)? {
            ui.hint(
                "no note that the filters let through has a claim; memora index lists the files that were not read",
            );
        }
        return Ok(Outcome::Doubtful);
    }
    Ok(Outcome::Good)
}

fn why<D: Door>(memora: &mut Memora, args: &Why, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    let id = claim_id(&args.claim, "explained")?;
    catch_up(memora, ui)?;
    let report = memora.session(door.clone())?.catalog().explain_claim(&id)?;
    ui.report(&report, print::why)?;
    if report.status == ClaimState::Unknown {
        ui.hint("an id is copied from memora search or memora claims; a note that was never indexed has none");
    }
    say_withheld(&door, ui);
    Ok(if report.status == ClaimState::Current { Outcome::Good } else { Outcome::Doubtful })
}

/// The id that was typed, with or without its brackets; `done` is what a handle cannot be.
fn claim_id(typed: &str, done: &str) -> Result<ClaimId, Failure> {
    let typed = ClaimId::strip_citation(typed);
    if typed.starts_with('~') {
        return Err(Failure::say(format!("this is the handle of a guarded claim; it cannot be {done} here"))
            .hinted("ask for the claim on a terminal: memora claims"));
    }
    ClaimId::parse(typed).map_err(|error| {
        Failure::new(error)
            .hinted("an id has twelve letters and digits, such as 7h3kq0v9x2ma; memora search shows them")
    })
}

fn entity<D: Door>(memora: &mut Memora, args: &Entity, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    let freshness = catch_up_on_notes(memora, ui)?;
    let report = memora.session(door.clone())?.entity_reports().report_entity(
        &args.name,
        args.limit.max(1),
        args.timeline,
        true,
        freshness,
    )?;
    ui.report(&report, |report| print::entity(report, args.timeline))?;
    match report.status {
        EntityStatus::Ambiguous => ui.hint("name one by its path: memora entity \"folder/note\""),
        EntityStatus::Unknown if memora.is_owner_unset(&args.name) => {
            ui.hint("say who you are in your config.toml: owner = \"the name you have in your notes\"");
        }
        // Names that the user's own eyes may see need not be for whoever reads the talk.
        EntityStatus::Unknown if !report.nearest.is_empty() && (ui.may_name_notes() || !door.is_local()) => {
            ui.hint(&format!("nearly so: {}", report.nearest.join(", ")));
        }
        EntityStatus::Unknown => ui.hint("memora search looks for words rather than names"),
        EntityStatus::Found => {}
    }
    say_withheld(&door, ui);
    Ok(if report.status == EntityStatus::Found { Outcome::Good } else { Outcome::Doubtful })
}

fn status<D: Door>(memora: &mut Memora, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    let freshness = catch_up(memora, ui)?;
    let report = memora.session(door)?.doctor().report_status(freshness)?;
    ui.report(&report, print::status)?;
    Ok(Outcome::Good)
}

fn doctor<D: Door>(memora: &mut Memora, args: &Doctor, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    let freshness = catch_up(memora, ui)?;
    let report = memora
        .session(door)?
        .doctor()
        .run_checks(args.check_spans, freshness)?
        .with_check(memora.check_model(&heard()));
    ui.report(&report, print::doctor)?;
    Ok(if report.healthy { Outcome::Good } else { Outcome::Doubtful })
}

fn export<D: Door>(memora: &mut Memora, args: &Export, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    let synced = sync(memora, SyncBound::None, ui)?;
    needs_notes(memora, synced.seen, ui)?;
    if !synced.freshness().fresh {
        return Err(Failure::say("another memora process is indexing this vault").hinted("try again when it is done"));
    }
    let options = ExportOptions { canonical: args.canonical, statements: args.statements };
    for line in memora.session(door.clone())?.catalog().export_claims(options)? {
        ui.print(&serde_json::to_string(&line).map_err(Failure::new)?)?;
    }
    say_withheld(&door, ui);
    Ok(Outcome::Good)
}

fn reset(memora: &mut Memora, args: &Reset, ui: &Ui) -> Result<Outcome, Failure> {
    memora.reset(!args.journal)?;
    ui.say(if args.journal {
        "the index and the journal are empty"
    } else {
        "the index is empty; the journal was kept"
    });
    ui.hint("the next command makes the index again");
    Ok(Outcome::Good)
}
