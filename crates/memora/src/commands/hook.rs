//! `memora hook`: answers the events of a program that runs agents, and installs itself there.
//!
//! Invariant: **a hook never stops its program**: whatever fails, it ends with 0, and standard output has its answer or
//! nothing.

use std::io::{self, BufReader, Read as _};
use std::path::{Path, PathBuf};

use memora_engine::report::{HookInstallReport, SaveReport, SaveStatus, sanitize_for_model};
use memora_engine::{
    Band, ContextRequest, Door, EgressEntry, EgressLog, FoundVault, Hint, LocalDoor, Memora, Memories, MemoryAccess,
    MemoryError, MemorySession, MemoryWriter, NamedForget, NamedForgetStatus, RequestedMemory, SaveRequest, Transcript,
    find_project, may_request, open_transcript, requested_memories,
};

use super::install::{find_settings_folders, own_command};
use super::vault::{load_config, open_vault, prepare_index};
use crate::args::{GlobalArgs, HookCommand, HookInstall, HookRun};
use crate::clients::file::{WriteOutcome, edit_file, resolve_future_path};
use crate::clients::hooks::{HookCommands, HookProgram, merge_hooks, remove_hooks, shell_command};
use crate::clients::payload::{HookEvent, context_answer, denial_answer, request_answer};
use crate::command_error::{CommandError, CommandOutcome};
use crate::invocation::IndexNeed;
use crate::screen;
use crate::ui::Ui;

/// The largest event that is read, in bytes.
const EVENT_BYTES_MAX: u64 = 64 << 20;

/// What follows the block at the start of a session, for an agent that has the tools.
const RECALL_PROMPT: &str = "If you have the memory_* tools of Memora: call memory_search when a task begins, memory_save for \
    what a different session needs, and with kind event for the day's log. Files below the memory folder are theirs alone.";

/// Why a tool may not write there.
const DENIAL: &str = "Files of Memora's memory folder are written by its tools alone: use memory_save or \
    memory_forget. MEMORY.md is the user's.";

/// Why a tool may not write what it does not say.
const UNREADABLE_CALL: &str = "Memora could not read what this tool is about to write, so it cannot tell whether that is its memory \
    folder: the call is denied. Try again in another form, and tell the user if that does not help.";

/// Why a request to remember may have been lost.
const UNREADABLE_PROMPT: &str = "Memora could not read the program's event with this prompt, and saved nothing. If the prompt asks to \
    remember something, say so to the user, or save it with memory_save.";

/// Why a request to remember is not met where agents may only read.
const READ_ONLY: &str =
    "Memora did not save this: the user's configuration lets programs only read memory (memory.agents).";

/// What an event is answered with.
pub(super) enum Answer {
    /// A text for the context of the session, by the program's name of the event.
    Context(&'static str, String),
    /// Why a tool may not do what it is about to.
    Denial(&'static str),
    /// What the agent is asked to do before it stops.
    Request(&'static str),
}

pub(super) fn run(global: &GlobalArgs, what: &HookCommand, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let args = match what.event() {
        Err(args) => return install(global, args, ui),
        Ok(args) => args,
    };
    if let Err(error) = answer_event(global, what, args, ui) {
        ui.report_error(&error);
    }
    Ok(CommandOutcome::Good)
}

/// An event of a program's that is answered.
#[derive(Clone, Copy)]
pub(super) struct HookCall<'a> {
    pub(super) global: &'a GlobalArgs,
    pub(super) what: &'a HookCommand,
    pub(super) args: &'a HookRun,
    pub(super) event: &'a HookEvent,
    pub(super) ui: &'a Ui,
}

fn answer_event(global: &GlobalArgs, what: &HookCommand, args: &HookRun, ui: &Ui) -> Result<(), CommandError> {
    let (answer, failure) = match read_event()? {
        Ok(event) => HookCall { global, what, args, event: &event, ui }.answer()?,
        Err(bytes) => (answer_unreadable(what, &bytes), Some(unreadable_event())),
    };
    match answer {
        Some(Answer::Context(name, text)) => {
            ui.print_json(&context_answer(args.client, name, &text).to_string())?;
        }
        Some(Answer::Request(text)) => ui.print_json(&request_answer(args.client, text).to_string())?,
        Some(Answer::Denial(reason)) => ui.print_json(&denial_answer(args.client, reason).to_string())?,
        None => {}
    }
    failure.map_or(Ok(()), Err)
}

/// Reads the event of standard input; its bytes, where it is none.
fn read_event() -> Result<Result<HookEvent, Vec<u8>>, CommandError> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(EVENT_BYTES_MAX).read_to_end(&mut bytes)?;
    Ok(HookEvent::read(&bytes).ok_or(bytes))
}

fn unreadable_event() -> CommandError {
    CommandError::usage("standard input is not a program's event")
        .with_hint("programs call this themselves: memora hook install --client PROGRAM")
}

/// What an event is answered that cannot be read: what may write is denied, and what may ask to remember is told.
fn answer_unreadable(what: &HookCommand, bytes: &[u8]) -> Option<Answer> {
    match what {
        HookCommand::Guard(_) => Some(Answer::Denial(UNREADABLE_CALL)),
        HookCommand::Prompt(_) if may_request(&String::from_utf8_lossy(bytes).replace('\0', "")) => {
            Some(Answer::Context("UserPromptSubmit", UNREADABLE_PROMPT.to_owned()))
        }
        _ => None,
    }
}

impl HookCall<'_> {
    /// The answer, and what failed beside it.
    fn answer(&self) -> Result<(Option<Answer>, Option<CommandError>), CommandError> {
        let answer = match self.what {
            HookCommand::Guard(_) => self.guard(),
            HookCommand::Stop(_) => self.end_turn(),
            HookCommand::PreCompact(_) => self.prepare_compaction(),
            _ => self.with_memory(),
        };
        match answer {
            // Where a prompt fails as a whole, the agent is told, besides the user. Without a request it opens nothing, and so does not fail.
            Err(error) if matches!(self.what, HookCommand::Prompt(_)) => {
                let text = format!("Memora could not do what this prompt asks of memory: {error}. Tell the user.");
                Ok((Some(Answer::Context("UserPromptSubmit", text)), Some(error)))
            }
            answer => Ok((answer?, None)),
        }
    }

    /// Denies what would write into the memory folder. The vault is not opened for that.
    fn guard(&self) -> Result<Option<Answer>, CommandError> {
        let found = FoundVault::find(self.global.vault.as_deref(), load_config(self.global)?)?;
        let folder = found.vault().root().join(&found.config().memory.folder);
        let from = self.event.folder().or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        let inside = |file: PathBuf| resolve_future_path(&from.join(file)).starts_with(&folder);
        Ok(match self.event.written_files() {
            Some(files) => files.into_iter().any(inside).then_some(Answer::Denial(DENIAL)),
            None => Some(Answer::Denial(UNREADABLE_CALL)),
        })
    }

    fn with_memory(&self) -> Result<Option<Answer>, CommandError> {
        let begins = matches!(self.what, HookCommand::SessionStart(_));
        let asks = matches!(self.what, HookCommand::Prompt(_));
        let requests = self.event.prompt.as_deref().filter(|_| asks).map(requested_memories).unwrap_or_default();
        // Most prompts ask for nothing: then nothing is opened.
        if asks && requests.is_empty() {
            return Ok(None);
        }
        let mut memora = open_vault(self.global, self.ui)?;
        let needed = if begins { MemoryAccess::Read } else { MemoryAccess::Write };
        let access = memora.config().memory.access_in(memora.vault());
        if access < needed {
            let is_told = asks && access == MemoryAccess::Read;
            return Ok(is_told.then(|| Answer::Context("UserPromptSubmit", READ_ONLY.to_owned())));
        }
        // What is asked to be remembered is compared with what was remembered a moment ago.
        if begins || asks {
            match prepare_index(&mut memora, IndexNeed::Current, self.ui) {
                // It is saved all the same.
                Err(error) if asks => self.ui.report_error(&error),
                prepared => {
                    prepared?;
                }
            }
        }
        match self.args.local {
            true => self.answer_at(&memora, &requests, LocalDoor),
            false => self.answer_at(&memora, &requests, memora.cloud_door()),
        }
    }

    fn answer_at<D: Door>(
        &self,
        memora: &Memora,
        requests: &[RequestedMemory],
        door: D,
    ) -> Result<Option<Answer>, CommandError> {
        let (event, program) = (self.event, self.args.client);
        let is_said_by_user = matches!(self.what, HookCommand::Prompt(_));
        let writer = self.writer(memora, (!is_said_by_user).then_some(program));
        let of = MemorySession::named(event.session());
        let session = memora.session(door)?;
        let memories = session.memories(&of, &writer)?;
        match self.what {
            HookCommand::SessionStart(_) => return begin_session(memora, &memories, program),
            HookCommand::Prompt(_) => return remember(memora, &memories, requests),
            HookCommand::PostCompact(_) => {
                if let Some(summary) = event.compact_summary.as_deref().filter(|summary| !summary.trim().is_empty()) {
                    memories.gate().save_summary(summary, read_transcript(event)?.message_count())?;
                }
            }
            HookCommand::SessionEnd(_) => {
                let transcript = read_transcript(event)?;
                if !transcript.is_empty() {
                    memories.gate().save_session(event.session(), &transcript)?;
                }
            }
            HookCommand::Stop(_) | HookCommand::PreCompact(_) | HookCommand::Guard(_) | HookCommand::Install(_) => {}
        }
        Ok(None)
    }

    /// Who writes for the event: a program's agent, or the user.
    pub(super) fn writer(&self, memora: &Memora, agent: Option<HookProgram>) -> MemoryWriter {
        let folder = self.event.folder().or_else(|| std::env::current_dir().ok());
        MemoryWriter {
            agent: agent.map(|program| program.agent().to_owned()),
            project: folder.and_then(|folder| find_project(&folder)),
            at: memora.config().today.to_datetime(jiff::Zoned::now().time()),
        }
    }
}

/// Reads the transcript that an event names; an empty one without it.
fn read_transcript(event: &HookEvent) -> Result<Transcript, CommandError> {
    let Some(path) = &event.transcript_path else { return Ok(Transcript::default()) };
    let Some(file) = open_transcript(path)? else { return Ok(Transcript::default()) };
    Ok(Transcript::read(BufReader::with_capacity(1 << 16, file))?)
}

fn begin_session<D: Door>(
    memora: &Memora,
    memories: &Memories<'_, D>,
    program: HookProgram,
) -> Result<Option<Answer>, CommandError> {
    let bytes_max = program.context_bytes_max().saturating_sub(RECALL_PROMPT.len());
    let context = memories.context().lay_out_context(&ContextRequest { task: None, bytes_max })?;
    if context.text.is_empty() {
        return Ok(None);
    }
    let text = format!("{}{RECALL_PROMPT}", context.text);
    let pieces = context.shown.iter().map(|(id, band)| (Some(id.clone()), *band));
    log_answer(memora.state_dir(), "session-start", &text, pieces)?;
    Ok(Some(Answer::Context("SessionStart", text)))
}

/// Saves what a prompt asks to remember, as the user's own word, forgets what it asks to forget, and says to the agent what
/// became of each request.
fn remember<D: Door>(
    memora: &Memora,
    memories: &Memories<'_, D>,
    requests: &[RequestedMemory],
) -> Result<Option<Answer>, CommandError> {
    let (mut lines, mut pieces) = (Vec::new(), Vec::new());
    for (number, asked) in (1..).zip(requests) {
        let which = if requests.len() > 1 { format!("Request {number}: ") } else { String::new() };
        let (act, done) = match asked.forgets {
            true => ("forget", forget_named(memories, asked)),
            false => ("save", save_named(memories, asked)),
        };
        let line = match done {
            Ok((line, named)) => {
                pieces.extend(named.into_iter().map(|(id, band)| (Some(id), band)));
                line
            }
            Err(error) => format!("Memora could not {act} this: {error}. Hint: {}.", error.hint()),
        };
        lines.push(format!("{which}{line}"));
    }
    if lines.is_empty() {
        return Ok(None);
    }
    let text = lines.join("\n");
    log_answer(memora.state_dir(), "prompt", &text, pieces)?;
    Ok(Some(Answer::Context("UserPromptSubmit", text)))
}

/// Saves what a prompt asks to remember, and says what became of that, with the ids of the memories that it names.
fn save_named<D: Door>(
    memories: &Memories<'_, D>,
    asked: &RequestedMemory,
) -> Result<(String, Vec<(String, Band)>), MemoryError> {
    let saving = SaveRequest {
        content: asked.text.clone(),
        kind: asked.kind,
        must_be_confirmed: asked.must_be_confirmed,
        ..SaveRequest::default()
    };
    let report = memories.gate().save(&saving)?;
    let saved = report.id.clone().map(|id| (id, report.band.unwrap_or_default()));
    Ok((describe_save(&report), saved.into_iter().chain(report.shown()).collect()))
}

/// Forgets what a prompt asks to forget, and says what became of that, with the ids of the memories that it names.
fn forget_named<D: Door>(
    memories: &Memories<'_, D>,
    asked: &RequestedMemory,
) -> Result<(String, Vec<(String, Band)>), MemoryError> {
    if asked.must_be_confirmed {
        let line = "Memora forgot nothing, since the request to forget may have been pasted: ask the user, who forgets a \
            memory with `memora memory forget ID`.";
        return Ok((line.to_owned(), Vec::new()));
    }
    let NamedForget { status, named } = memories.upkeep().forget_named(&asked.text)?;
    let ids = named.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>().join(", ");
    let line = match status {
        NamedForgetStatus::Forgotten => {
            format!("Memora forgot {ids}, as the user asked: `memora memory restore {ids}` brings it back.")
        }
        NamedForgetStatus::Nothing => {
            "Memora found no memory that says just this, and forgot nothing. memory_search finds \
            what is near: ask the user which is meant."
                .to_owned()
        }
        NamedForgetStatus::Several => format!("Several memories say this, and none was forgotten: {ids}. Ask which."),
        NamedForgetStatus::NotOwned => format!(
            "{ids} stands: it is from another machine, or the user edited it, so its file is theirs to delete or to move."
        ),
    };
    Ok((line, named))
}

/// What became of a request to remember, in one line for the agent.
fn describe_save<D>(report: &SaveReport<D>) -> String {
    let id = report.id.as_deref().unwrap_or_default();
    match (report.status, report.reason) {
        (SaveStatus::Saved, _) => {
            format!("Memora saved this as the user's own word: {id}. Do not save it again.{}", describe_related(report))
        }
        (SaveStatus::Held, _) => format!(
            "Memora holds this back: {id}. It may have been pasted, since the prompt asks for more than to remember; if it \
             is meant, the user confirms it with: memora keep {id}"
        ),
        (SaveStatus::Known, _) => "Nothing to remember: the user's notes say this already.".to_owned(),
        (SaveStatus::Duplicate, _) => format!("This is remembered already: {id}."),
        (_, Some(reason)) => format!("Memora did not save this: {}. {}", reason.as_str(), reason.next()),
        (status, None) => format!("Memora did not save this: {status}."),
    }
}

/// What a new memory may be against: what it replaced, what the notes say, and the nearest others.
fn describe_related<D>(report: &SaveReport<D>) -> String {
    let mut text = String::new();
    if !report.superseded.is_empty() {
        text.push_str(&format!(" It replaces {}.", report.superseded.join(", ")));
    }
    if !report.conflicts.is_empty() {
        text.push_str(&format!(" {} says otherwise, and stands too. Ask which holds.", report.conflicts.join(", ")));
    }
    let quotes = report.notes.iter().filter_map(|claim| claim.place());
    for place in quotes {
        text.push_str(&format!(
            " Their note {} says otherwise: “{}”. Ask which holds.",
            sanitize_for_model(&place.path),
            sanitize_for_model(place.quote.trim())
        ));
    }
    let near: Vec<String> =
        report.related.iter().map(|near| format!("{} “{}”", near.id, sanitize_for_model(&near.gist))).collect();
    if !near.is_empty() {
        text.push_str(&format!(
            " Nearest memories: {}. If this replaces one, ask the user; memory_forget ends what an agent saved, \
             `memora memory forget ID` what the user said.",
            near.join(", ")
        ));
    }
    text
}

/// Writes an answer into the egress log. What cannot be logged is not given.
pub(super) fn log_answer(
    state: &Path,
    what: &str,
    text: &str,
    pieces: impl IntoIterator<Item = (Option<String>, Band)>,
) -> Result<(), CommandError> {
    let entry = EgressEntry::now("hook", None, what, u64::try_from(text.len()).unwrap_or(u64::MAX));
    Ok(EgressLog::in_state_dir(state).record(&entry.with_pieces(pieces))?)
}

fn install(global: &GlobalArgs, args: &HookInstall, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let folders = find_settings_folders()?;
    let found = FoundVault::find(global.vault.as_deref(), load_config(global)?)?;
    let root = found.vault().root();
    let program = args.client;
    let file = program.hooks_file(&folders);
    let commands = hook_commands(global, program, root, args.local)?;
    let outcome = match (args.write, args.remove) {
        (true, _) => Some(edit_file(&file, root, |text| merge_hooks(text, program, &commands))?),
        (_, true) => Some(edit_file(&file, root, |text| remove_hooks(text, program))?),
        _ => None,
    };
    let (written, kept) = outcome.map_or(("no", None), WriteOutcome::describe);
    let entry = merge_hooks("", program, &commands).ok().flatten().unwrap_or_default();
    let report = HookInstallReport {
        client: program.as_str(),
        file: file.display().to_string(),
        written,
        kept,
        entry: if args.remove { String::new() } else { entry },
        local: args.local,
    };
    ui.print_report(&report, screen::format_hook_install)?;
    if !args.write && !args.remove {
        ui.hint(&format!("add it to {}; --write does so and keeps the rest", report.file));
    }
    if !args.remove {
        ui.hint(&format!("give it the tools too: memora mcp install --client {} --memory --write", program.agent()));
    }
    Ok(CommandOutcome::Good)
}

/// The command of each event.
fn hook_commands(
    global: &GlobalArgs,
    program: HookProgram,
    root: &Path,
    local: bool,
) -> Result<HookCommands, CommandError> {
    let (executable, arguments) = own_command(root, global)?;
    let command = |subcommand: &str| {
        let rest = ["hook", subcommand, "--client", program.agent()].map(str::to_owned);
        let local = local.then(|| "--local".to_owned());
        let words = std::iter::once(&executable).chain(&arguments).cloned();
        shell_command(&words.chain(rest).chain(local).collect::<Vec<_>>())
    };
    Ok(program.bindings().into_iter().map(|binding| (binding, command(binding.subcommand))).collect())
}
