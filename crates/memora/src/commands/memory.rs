//! `memora memory`: saves, finds and changes what agents and the user want remembered.

use memora_engine::report::{ForgetStatus, Freshness, SaveStatus, SearchOutcome, WriteStatus};
use memora_engine::{
    ContextRequest, Domain, Door, ItemChange, LocalDoor, MEMORY_NAMES_MAX, Memora, MemoryAccess, MemoryId, MemoryName,
    MemoryQuery, MemoryScope, MemorySession, MemorySource, MemoryWriter, NotePath, SHELL_AGENT, SaveRequest,
    WriteRequest, find_project, project_slug,
};

use super::vault::warn_withheld;
use super::{input, memory_bridge, memory_consolidate, memory_transfer};
use crate::args::{
    ConsolidateMemory, Memory, MemoryCommand, ReadMemory, SaveMemory, SearchMemory, UpdateMemory, WriteMemory,
};
use crate::command_error::{CommandError, CommandOutcome};
use crate::screen::memory as screen;
use crate::ui::Ui;

pub(super) fn run<D: Door>(
    memora: &mut Memora,
    args: &Memory,
    freshness: Freshness,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let config = memora.config();
    // At a terminal the user types; anything else is a program.
    let agent = args.agent.clone().or_else(|| (!door.is_local()).then(|| SHELL_AGENT.to_owned()));
    let access = if agent.is_some() { config.memory.access_in(memora.vault()) } else { MemoryAccess::Write };
    let needed = if reads(&args.what) { MemoryAccess::Read } else { MemoryAccess::Write };
    if access < needed {
        return Err(CommandError::usage("agents may not do this with memory")
            .with_hint("memory.agents in your config.toml, or in .memora/config.toml of the vault, says so"));
    }
    let project = match &args.project {
        Some(name) => Some(project_slug(name)),
        // What another program remembers has nothing to do with where it is imported.
        None if matches!(args.what, MemoryCommand::Import(_) | MemoryCommand::Bridge(_)) => None,
        None => std::env::current_dir().ok().and_then(|folder| find_project(&folder)),
    };
    let at = config.today.to_datetime(jiff::Zoned::now().time());
    let writer = MemoryWriter { agent, project, at };
    // Commands of one day and one writer are a session.
    let of = MemorySession::named(&format!("command {}", at.date()));
    let session = memora.session(door.clone())?;
    let memories = session.memories(&of, &writer)?;
    let good = match &args.what {
        MemoryCommand::Init => {
            let made = memories.gate().init_folder()?;
            for path in &made {
                ui.status_line(&format!("made: {path}"));
            }
            true
        }
        MemoryCommand::Context(args) => {
            let asked = ContextRequest {
                task: args.task.clone(),
                bytes_max: usize::try_from(args.max_bytes).unwrap_or(usize::MAX),
            };
            let report = memories.context().lay_out_context(&asked)?;
            ui.print_report(&report, screen::format_context)?;
            !report.text.is_empty()
        }
        MemoryCommand::Save(args) => {
            let report = memories.gate().save(&save_request(args)?)?;
            ui.print_report(&report, screen::format_saved)?;
            report.status == SaveStatus::Saved
        }
        MemoryCommand::Write(args) => {
            let report = memories.gate().write(&write_request(args)?)?;
            ui.print_report(&report, screen::format_written)?;
            report.status == WriteStatus::Written
        }
        MemoryCommand::Search(args) => {
            let report = memories.finder().search(&memory_query(args)?, freshness)?;
            ui.print_report(&report, screen::format_results)?;
            report.status == SearchOutcome::Found
        }
        MemoryCommand::Read(args) => {
            let report = match read_source(args) {
                Some(source) => memories.reader().read_source(source, args.name.as_deref(), args.offset)?,
                None if args.what.len() > MEMORY_NAMES_MAX => {
                    return Err(CommandError::usage("these are too many at once").with_hint("read twenty at most"));
                }
                None => {
                    let names = args.what.iter().map(|id| MemoryName::parse(id).ok_or_else(no_id));
                    memories.reader().read_named(&names.collect::<Result<Vec<_>, _>>()?, args.offset)?
                }
            };
            ui.print_report(&report, screen::format_read)?;
            report.text.is_some() || !(report.items.is_empty() && report.passages.is_empty())
        }
        MemoryCommand::Update(args) => {
            let report = memories.gate().update(&parse_id(&args.id)?, &item_change(args)?)?;
            ui.print_report(&report, screen::format_written)?;
            report.status == WriteStatus::Written
        }
        MemoryCommand::Forget(args) => {
            let report = memories.upkeep().forget(&parse_id(&args.id)?, args.reason.as_deref())?;
            ui.print_report(&report, screen::format_forgotten)?;
            report.status == ForgetStatus::Forgotten
        }
        MemoryCommand::Restore { id } => {
            let report = memories.upkeep().restore(&parse_id(id)?)?;
            ui.print_report(&report, screen::format_forgotten)?;
            report.status == ForgetStatus::Restored
        }
        MemoryCommand::List(args) => {
            let list = memories.reader().list(args.kind, args.all, args.archived, args.limit.max(1))?;
            ui.print_report(&list, screen::format_list)?;
            !list.items.is_empty()
        }
        MemoryCommand::Stats => {
            let stats = memories.reader().stats()?;
            ui.print_report(&stats, screen::format_stats)?;
            true
        }
        MemoryCommand::Export(args) => {
            only_user(&door, &writer, "only you can export memory, at a terminal")?;
            memory_transfer::export(memora, &memories, args, ui)?
        }
        MemoryCommand::Import(args) => {
            only_user(&door, &writer, "only you can import memories, at a terminal")?;
            memory_transfer::import(&memories, args, ui)?
        }
        MemoryCommand::Consolidate(args) => {
            if args.apply {
                only_user(&door, &writer, "only you can consolidate, at a terminal")?;
            }
            // No session outlives a call to a model.
            drop(session);
            memory_consolidate::run(memora, args, &of, &writer, &door, ui)?
        }
        MemoryCommand::Undo { pass } => {
            only_user(&door, &writer, "only you can undo a pass, at a terminal")?;
            let session = memora.session(LocalDoor)?;
            let report =
                session.memories(&of, &writer)?.upkeep().undo_consolidation(pass.as_deref())?.ok_or_else(|| {
                    CommandError::usage("there is no pass to undo")
                        .with_hint("memora memory consolidate --apply names the pass that it makes")
                })?;
            ui.print_report(&report, screen::format_undone)?;
            report.left.is_empty()
        }
        MemoryCommand::Gaps => {
            let report = memories.finder().find_gaps()?;
            ui.print_report(&report, screen::format_gaps)?;
            report.gaps.is_empty()
        }
        MemoryCommand::Bridge(args) => {
            only_user(&door, &writer, "only you can look after bridges, at a terminal")?;
            memory_bridge::run(&memories, args, ui)?
        }
        MemoryCommand::Reseal { path } => {
            only_user(&door, &writer, "only you can hand a file back, at a terminal")?;
            let path = NotePath::new(path.as_str()).map_err(|_| {
                CommandError::usage("this is not a note's path")
                    .with_hint("give it from the vault's root: Memora/…/SCRATCHPAD.md")
            })?;
            let report = memories.upkeep().reseal(&path)?;
            ui.print_report(&report, screen::format_resealed)?;
            report.sealed
        }
    };
    if matches!(
        args.what,
        MemoryCommand::Save(_) | MemoryCommand::Write(_) | MemoryCommand::Update(_) | MemoryCommand::Restore { .. }
    ) {
        memora.session(door.clone())?.memories(&of, &writer)?.bridges().deliver();
    }
    if reads(&args.what) {
        warn_withheld(memora, &door, ui);
    }
    Ok(if good { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

/// Refuses what no program may do for its user.
pub(super) fn only_user<D: Door>(door: &D, writer: &MemoryWriter, refusal: &str) -> Result<(), CommandError> {
    if door.is_local() && writer.agent.is_none() {
        return Ok(());
    }
    Err(CommandError::usage(refusal)
        .with_hint("run it in a terminal, without --agent; or with --door local if only you read the output"))
}

fn reads(what: &MemoryCommand) -> bool {
    matches!(
        what,
        MemoryCommand::Context(_)
            | MemoryCommand::Search(_)
            | MemoryCommand::Read(_)
            | MemoryCommand::List(_)
            | MemoryCommand::Stats
            | MemoryCommand::Export(_)
            | MemoryCommand::Gaps
            | MemoryCommand::Consolidate(ConsolidateMemory { apply: false, .. })
    )
}

fn parse_id(text: &str) -> Result<MemoryId, CommandError> {
    MemoryId::parse(text.trim_matches(['[', ']'])).ok_or_else(no_id)
}

fn no_id() -> CommandError {
    CommandError::usage("this is not a memory's id").with_hint(
        "an id is mem- and twelve letters or digits, such as mem-7h3kq0v9x2ma; memora memory search shows them",
    )
}

fn save_request(args: &SaveMemory) -> Result<SaveRequest, CommandError> {
    let domain = args.domain.as_deref().map(|word| {
        word.parse::<Domain>().map_err(|_| {
            CommandError::usage("unknown domain").with_hint("memora memory save --help lists the fourteen domains")
        })
    });
    if args.confidence.is_some_and(|number| !(0.0..=1.0).contains(&number)) {
        return Err(
            CommandError::usage("--confidence is a number from 0 to 1").with_hint("leave it out if you are sure")
        );
    }
    Ok(SaveRequest {
        content: read_content(Some(&args.content))?,
        kind: args.kind,
        entity: args.entity.clone(),
        domain: domain.transpose()?,
        tags: args.tags.clone(),
        tool_output: args.tool_output,
        confidence: args.confidence,
        privacy: args.privacy.unwrap_or_default(),
        supersedes: args.supersedes.as_deref().map(parse_id).transpose()?,
        scope: args.shared.then_some(MemoryScope::Shared),
        must_be_confirmed: false,
    })
}

fn write_request(args: &WriteMemory) -> Result<WriteRequest, CommandError> {
    Ok(WriteRequest {
        target: args.target,
        content: read_content(args.content.as_deref())?,
        operation: args.op,
        title: args.title.clone(),
    })
}

fn memory_query(args: &SearchMemory) -> Result<MemoryQuery, CommandError> {
    if args.query.trim().is_empty() {
        return Err(CommandError::usage("there is nothing to look for")
            .with_hint("put the words in quotes: memora memory search \"…\"; memora memory list lists all"));
    }
    Ok(MemoryQuery {
        query: args.query.clone(),
        is_statement: false,
        limit: args.limit.clamp(1, 50),
        kind: args.kind,
        entity: args.entity.clone(),
        everywhere: args.all,
        archived: args.archived,
        superseded: args.superseded,
    })
}

fn item_change(args: &UpdateMemory) -> Result<ItemChange, CommandError> {
    if let Some(outcome) = args.outcome {
        return Ok(ItemChange::Outcome(outcome));
    }
    match (&args.content, &args.old, &args.new) {
        (None, Some(old), Some(new)) => Ok(ItemChange::Replace { old: old.clone(), new: new.clone() }),
        (content, ..) => Ok(ItemChange::Content(read_content(content.as_deref())?)),
    }
}

fn read_source(args: &ReadMemory) -> Option<MemorySource> {
    match args.what.as_slice() {
        [word] => word.parse().ok(),
        _ => None,
    }
}

/// The words given, or those of standard input.
fn read_content(given: Option<&str>) -> Result<String, CommandError> {
    match given {
        Some(text) if text != "-" => Ok(text.to_owned()),
        _ => input::read_text(None, "memory"),
    }
}
