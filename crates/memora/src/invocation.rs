//! What the arguments ask for, decided once: which door, and what must be there before the command runs.
//!
//! Each kind of [`Action`] has its own enum, so that a command is matched only where it can occur.

use crate::args::{
    Ask, Audit, Browse, Capture, Changes, Claims, Cli, Command, Completions, Contradictions, Doctor, Egress,
    EmbedderCommand, Entity, Export, Extract, GlobalArgs, HookCommand, Index, Init, InstallEmbedder, Keep, Lsp, Man,
    Mcp, McpCommand, McpInstall, Memory, PrivacyCommand, Reset, Restore, Retract, Review, Search, Stale, Verify, Watch,
    Why,
};
use crate::ui::Ui;

/// A parsed command line: the action, and the outputs with their door.
pub(crate) struct Invocation {
    pub(crate) global: GlobalArgs,
    pub(crate) ui: Ui,
    pub(crate) action: Action,
}

/// The actions, by what they need.
pub(crate) enum Action {
    /// Needs no vault of the user's, or opens it by itself.
    Program(ProgramAction),
    /// Needs the vault, and its index as it is.
    Upkeep(UpkeepAction),
    /// Needs the vault and its index; what is shown depends on who reads the output.
    Read(ReadAction),
    /// The same, and what is shown depends on the model, too.
    Model(ModelAction),
}

/// Actions of the program itself.
pub(crate) enum ProgramAction {
    Init(Init),
    Demo,
    Completions(Completions),
    Man(Man),
    Serve(Mcp),
    Browse(Browse),
    ServeEditor(Lsp),
    /// Opens the vault by itself, since it must not fail.
    Hook(HookCommand),
    InstallEmbedder(InstallEmbedder),
    ChooseEmbedder {
        name: String,
    },
}

/// Actions that keep the index or the state.
pub(crate) enum UpkeepAction {
    Index(Index),
    Watch(Watch),
    Reset(Reset),
    Egress(Egress),
}

/// Actions that read the vault for the reader of the output.
pub(crate) enum ReadAction {
    Search(Search),
    Claims(Claims),
    Why(Why),
    Entity(Entity),
    Contradictions(Contradictions),
    Stale(Stale),
    Changes(Changes),
    Review(Review),
    Keep(Keep),
    Retract(Retract),
    Restore(Restore),
    Capture(Capture),
    Memory(Memory),
    Status,
    Doctor(Doctor),
    Export(Export),
    Embedder,
    Audit(Audit),
    InstallServer(McpInstall),
}

/// Actions in which a language model may take part.
pub(crate) enum ModelAction {
    Ask(Ask),
    Extract(Extract),
    Verify(Verify),
}

/// How far the index must follow the vault before an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexNeed {
    /// As far as it can in an instant.
    Current,
    /// The same, and an empty vault is an error.
    CurrentWithNotes,
    /// Wholly, however long that takes; an empty vault is an error.
    Complete,
}

impl Invocation {
    /// Decides from the parsed arguments.
    pub(crate) fn from_cli(cli: Cli) -> Self {
        let ui = Ui::new(&cli.global);
        let action = Action::from_command(cli.command);
        let ui = match &action {
            // An agent reads both outputs, so the door of other commands does not apply.
            Action::Program(ProgramAction::Serve(args)) => ui.for_client(args.client),
            Action::Program(ProgramAction::Hook(hook)) => match hook.client() {
                Some(client) => ui.for_client(client),
                None => ui,
            },
            _ => ui,
        };
        Self { global: cli.global, ui, action }
    }
}

impl Action {
    fn from_command(command: Command) -> Self {
        match command {
            Command::Init(args) => Self::Program(ProgramAction::Init(args)),
            Command::Demo => Self::Program(ProgramAction::Demo),
            Command::Completions(args) => Self::Program(ProgramAction::Completions(args)),
            Command::Man(args) => Self::Program(ProgramAction::Man(args)),
            Command::Embedder(args) => match args.what {
                None | Some(EmbedderCommand::Status) => Self::Read(ReadAction::Embedder),
                Some(EmbedderCommand::Install(args)) => Self::Program(ProgramAction::InstallEmbedder(args)),
                Some(EmbedderCommand::Use { name }) => Self::Program(ProgramAction::ChooseEmbedder { name }),
            },
            Command::Mcp(Mcp { what: Some(McpCommand::Install(args)), .. }) => {
                Self::Read(ReadAction::InstallServer(args))
            }
            Command::Mcp(args) => Self::Program(ProgramAction::Serve(args)),
            Command::Browse(args) => Self::Program(ProgramAction::Browse(args)),
            Command::Lsp(args) => Self::Program(ProgramAction::ServeEditor(args)),
            Command::Hook(args) => Self::Program(ProgramAction::Hook(args.what)),
            Command::Index(args) => Self::Upkeep(UpkeepAction::Index(args)),
            Command::Watch(args) => Self::Upkeep(UpkeepAction::Watch(args)),
            Command::Reset(args) => Self::Upkeep(UpkeepAction::Reset(args)),
            Command::Privacy(args) => match args.what {
                PrivacyCommand::Audit(args) => Self::Read(ReadAction::Audit(args)),
                PrivacyCommand::Egress(args) => Self::Upkeep(UpkeepAction::Egress(args)),
            },
            Command::Search(args) => Self::Read(ReadAction::Search(args)),
            Command::Claims(args) => Self::Read(ReadAction::Claims(args)),
            Command::Why(args) => Self::Read(ReadAction::Why(args)),
            Command::Entity(args) => Self::Read(ReadAction::Entity(args)),
            Command::Contradictions(args) => Self::Read(ReadAction::Contradictions(args)),
            Command::Stale(args) => Self::Read(ReadAction::Stale(args)),
            Command::Changes(args) => Self::Read(ReadAction::Changes(args)),
            Command::Review(args) => Self::Read(ReadAction::Review(args)),
            Command::Keep(args) => Self::Read(ReadAction::Keep(args)),
            Command::Retract(args) => Self::Read(ReadAction::Retract(args)),
            Command::Restore(args) => Self::Read(ReadAction::Restore(args)),
            Command::Capture(args) => Self::Read(ReadAction::Capture(args)),
            Command::Memory(args) => Self::Read(ReadAction::Memory(args)),
            Command::Status => Self::Read(ReadAction::Status),
            Command::Doctor(args) => Self::Read(ReadAction::Doctor(args)),
            Command::Export(args) => Self::Read(ReadAction::Export(args)),
            Command::Ask(args) => Self::Model(ModelAction::Ask(args)),
            Command::Extract(args) => Self::Model(ModelAction::Extract(args)),
            Command::Verify(args) => Self::Model(ModelAction::Verify(args)),
        }
    }
}

impl ReadAction {
    /// Returns what the action needs of the index.
    pub(crate) fn index_need(&self) -> IndexNeed {
        match self {
            // What explains an empty vault must not fail on one, and an id says enough without notes.
            Self::Status | Self::Doctor(_) | Self::Embedder => IndexNeed::Current,
            Self::Why(_) | Self::Keep(_) | Self::Retract(_) | Self::Restore(_) | Self::Capture(_) => IndexNeed::Current,
            // The first memory may be the first note.
            Self::Memory(_) => IndexNeed::Current,
            Self::Export(_) => IndexNeed::Complete,
            Self::Search(_)
            | Self::Claims(_)
            | Self::Entity(_)
            | Self::Contradictions(_)
            | Self::Stale(_)
            | Self::Changes(_)
            | Self::Review(_)
            | Self::Audit(_)
            | Self::InstallServer(_) => IndexNeed::CurrentWithNotes,
        }
    }
}

impl ReadAction {
    /// Whether the user may be typing the text that it reads.
    pub(crate) fn reads_input(&self) -> bool {
        matches!(self, Self::Capture(_) | Self::Memory(_))
    }
}

impl ModelAction {
    /// Returns what the action needs of the index.
    pub(crate) fn index_need(&self) -> IndexNeed {
        match self {
            Self::Ask(_) => IndexNeed::CurrentWithNotes,
            Self::Extract(_) => IndexNeed::Complete,
            // Text is judged without notes as well: nothing bears it out.
            Self::Verify(_) => IndexNeed::Current,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    fn invoke(line: &str) -> Invocation {
        let words = std::iter::once("memora").chain(line.split(' '));
        Invocation::from_cli(Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{line}: {error}")))
    }

    #[test]
    fn what_is_needed_follows_from_the_arguments() {
        let need = |line: &str| match invoke(line).action {
            Action::Program(_) => "no vault".to_owned(),
            Action::Upkeep(_) => "index as it is".to_owned(),
            Action::Read(action) => format!("{:?}", action.index_need()),
            Action::Model(action) => format!("{:?} with a model", action.index_need()),
        };
        for (line, expect) in [
            ("demo", "no vault"),
            ("browse", "no vault"),
            ("lsp --stdio", "no vault"),
            ("mcp", "no vault"),
            ("mcp install --client cursor", "CurrentWithNotes"),
            ("embedder", "Current"),
            ("embedder use embedded", "no vault"),
            ("index", "index as it is"),
            ("privacy egress", "index as it is"),
            ("privacy audit", "CurrentWithNotes"),
            ("status", "Current"),
            ("memory search parser", "Current"),
            ("export", "Complete"),
            ("ask Where?", "CurrentWithNotes with a model"),
            ("verify", "Current with a model"),
            ("extract", "Complete with a model"),
        ] {
            assert_eq!(need(line), expect, "{line}");
        }
    }

    #[test]
    fn the_door_is_the_readers_or_the_clients() {
        let local = |line: &str| invoke(line).ui.is_local();
        assert!(local("status --door local") && !local("status --door cloud"));
        // The door of a server is its client's, whatever else is said.
        assert!(!local("mcp --door local") && local("mcp --client local --door cloud"));
    }
}
