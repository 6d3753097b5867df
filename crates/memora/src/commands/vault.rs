//! Opens the vault, brings its index as far as the invocation says, and warns about what is missing.

use std::path::PathBuf;

use memora_engine::report::Freshness;
use memora_engine::{Config, Door, Hint, Memora, SyncBound, SyncOutcome, SyncProgress, VainRule, Vault, pluralize};

use super::stop::stop_flag;
use crate::args::GlobalArgs;
use crate::clients::SettingsFolders;
use crate::clients::obsidian::list_obsidian_vaults;
use crate::command_error::CommandError;
use crate::invocation::IndexNeed;
use crate::ui::Ui;

/// The number of notes from which making an index takes long enough to be announced.
const ANNOUNCED_FROM: usize = 64;

pub(super) fn load_config(global: &GlobalArgs) -> Result<Config, CommandError> {
    Ok(Config::load(global.state_dir.clone(), global.config_dir.clone(), resolve_today(global)?)?)
}

pub(super) fn resolve_today(global: &GlobalArgs) -> Result<jiff::civil::Date, CommandError> {
    match &global.today {
        Some(day) => day.parse().map_err(|_| {
            CommandError::usage(format!("--today or MEMORA_TODAY: {day} is not a day")).with_hint("write YYYY-MM-DD")
        }),
        None => Ok(jiff::Zoned::now().date()),
    }
}

pub(super) fn open_vault(global: &GlobalArgs, ui: &Ui) -> Result<Memora, CommandError> {
    ui.begin_activity("opening the vault");
    let opened = Memora::open(global.vault.as_deref(), load_config(global)?);
    ui.end_activity();
    let memora = opened.map_err(|error| with_listed_vaults(error.into(), ui))?;
    ui.set_vault(memora.vault().root());
    for notice in memora.notices() {
        ui.status_line(&format!("note: {notice}"));
    }
    warn_misread_settings(memora.vault(), memora.config(), ui);
    Ok(memora)
}

/// The maximum number of Obsidian's vaults that a hint names.
const HINTED_VAULTS_MAX: usize = 5;

/// Adds the vaults that Obsidian lists to the error of a missing one, where the user alone reads it.
pub(super) fn with_listed_vaults(error: CommandError, ui: &Ui) -> CommandError {
    if !error.is_missing_vault() {
        return error;
    }
    if !ui.may_name_notes() {
        return error.with_hint("memora init, on a terminal, offers the vaults that Obsidian lists");
    }
    let listed = listed_vaults();
    let named = listed.iter().take(HINTED_VAULTS_MAX);
    let hinted = named.fold(error, |error, folder| {
        error.with_hint(format!("a vault of Obsidian's: --vault \"{}\"", folder.display()))
    });
    match listed.len().saturating_sub(HINTED_VAULTS_MAX) {
        0 => hinted,
        more => hinted.with_hint(format!("and {more} more; memora init, on a terminal, lists them all")),
    }
}

/// The vaults that Obsidian lists in its settings, the one opened last first.
pub(super) fn listed_vaults() -> Vec<PathBuf> {
    SettingsFolders::from_environment().map(|folders| list_obsidian_vaults(&folders)).unwrap_or_default()
}

/// Warns about settings that could not be read, whose notes count as secret, and about those that are gone.
pub(super) fn warn_misread_settings(vault: &Vault, config: &Config, ui: &Ui) {
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
    let removed = config.removed_keys();
    if !removed.is_empty() {
        ui.status_line(&format!("note: gone, and ignored in your config.toml: {}", removed.join(", ")));
        ui.hint("take them out: no network reads sentences here; memora verify --judge MODEL asks a language model");
    }
}

/// Brings the index as far as the action needs it, and warns where it is not up to date.
pub(super) fn prepare_index(memora: &mut Memora, need: IndexNeed, ui: &Ui) -> Result<Freshness, CommandError> {
    let bound = match need {
        IndexNeed::Current | IndexNeed::CurrentWithNotes => SyncBound::READER,
        IndexNeed::Complete => SyncBound::All,
    };
    let synced = sync_index(memora, bound, ui)?;
    if need != IndexNeed::Current {
        require_notes(memora, synced.seen, ui)?;
    }
    if need == IndexNeed::Complete && !synced.freshness().fresh {
        return Err(report_other_indexer());
    }
    Ok(report_freshness(&synced, ui))
}

/// The error of a command that needs the index for itself.
pub(super) fn report_other_indexer() -> CommandError {
    CommandError::failed("another memora process is indexing this vault").with_hint("try again when it is done")
}

/// Brings the index up to date, checking for Ctrl-C between batches.
pub(super) fn sync_index(memora: &mut Memora, bound: SyncBound, ui: &Ui) -> Result<SyncOutcome, CommandError> {
    let stop = stop_flag();
    ui.begin_activity("looking for changed notes");
    let mut bar = ui.sync_bar();
    let mut is_first = memora.is_index_empty()?;
    let mut talk = |progress: SyncProgress| {
        // Said at once, since a large vault takes a while, and not for a small one, which takes none. How many notes there are, guarded
        // ones among them, is for nobody else to conclude from it.
        if is_first && ui.may_name_notes() && progress.total >= ANNOUNCED_FROM {
            ui.status_line("note: there is no index yet; it is made now, from all notes");
        }
        is_first = false;
        bar(progress);
    };
    let synced = memora.sync(bound, &stop, &mut talk);
    ui.end_activity();
    let synced = synced?;
    if synced.stopped && synced.pending == 0 {
        return Err(CommandError::stopped(
            "stopped while vectors were made; the notes are indexed, and what was made is kept",
        )
        .with_hint("run memora index to go on"));
    }
    if synced.stopped {
        let done = synced.seen.saturating_sub(synced.pending);
        return Err(CommandError::stopped(format!("stopped; indexed and kept: {done} of {} notes", synced.seen))
            .with_hint("run memora index to go on"));
    }
    Ok(synced)
}

/// Fails on a vault without notes, which is most likely the wrong folder.
pub(super) fn require_notes(memora: &Memora, seen: usize, ui: &Ui) -> Result<(), CommandError> {
    if seen > 0 {
        return Ok(());
    }
    let vault = memora.vault();
    let name = if ui.may_name_notes() { vault.root().display().to_string() } else { vault.name().to_owned() };
    Err(CommandError::failed(format!("there are no notes in {name}"))
        .with_hint("name the folder with your notes: memora --vault FOLDER …")
        .with_hint("ignored folders and templates do not count; memora status counts what was skipped"))
}

/// Warns that deleted text may still be in the state folder.
pub(super) fn warn_unwiped(synced: &SyncOutcome, ui: &Ui) {
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
    if synced.is_blocked() {
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

/// Warns once, at a cloud door, that guarded text is withheld; never how much of it. A vault without any needs no warning.
pub(super) fn warn_withheld<D: Door>(memora: &Memora, door: &D, ui: &Ui) {
    if !door.is_local() && memora.has_guarded_text().unwrap_or(true) {
        ui.status_line("note: this output may be read by others, so guarded text is withheld");
        ui.hint("--door local, if only you read it");
    }
}

/// Warns about privacy rules that guard nothing because nothing in their folder is read, and about those that match no note as they are
/// written.
pub(super) fn warn_idle_rules(memora: &Memora, ui: &Ui) {
    if !ui.may_name_notes() || !memora.vault().has_rules() {
        return;
    }
    let idle = memora.vault().find_idle_rules();
    for (glob, why) in &idle {
        ui.status_line(&format!("note: the privacy rule {glob} guards nothing: a note there {why}, and is not read"));
    }
    if !idle.is_empty() {
        ui.hint("what is not read is never shown, to anyone; the rule can go");
    }
    let walk = memora.vault().walk();
    let notes: Vec<&str> = walk.notes.iter().map(|found| found.path.as_str()).collect();
    let vain = memora.vault().find_vain_rules(&notes);
    for VainRule { glob, read_as } in vain.iter().filter(|rule| idle.iter().all(|(glob, _)| *glob != rule.glob)) {
        ui.status_line(&match read_as {
            Some(meant) => {
                format!("note: the privacy rule {glob} matches no note as it is written, and is read as {meant}")
            }
            None => format!("note: the privacy rule {glob} matches no note"),
        });
    }
    if vain.iter().any(|rule| rule.read_as.is_some()) {
        ui.hint("a rule begins at the vault's folder and has / between folders, as in journal/**");
    }
}
