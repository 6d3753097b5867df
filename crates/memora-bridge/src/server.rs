//! A running server: its process, the connection to it, and its tools.

use std::process::Stdio;
use std::time::Duration;

use memora_redact::{BridgeQuery, BridgeText};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, Implementation, JsonObject,
    PaginatedRequestParams, ProtocolVersion, Tool,
};
use rmcp::service::{RoleClient, RunningService, ServiceError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ServiceExt as _, service::Peer};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::arguments::{Words, fill_arguments};
use crate::client::BridgeCommand;
use crate::error::BridgeError;
use crate::reply::{BridgedText, id_of, texts_of};
use crate::tools::{ChosenTool, Role, ServerDescription, Tools, is_legible};

/// The maximum size of a message of a server, in bytes. A longer one is dropped, and its request gets no answer.
pub const LINE_BYTES_MAX: usize = 1 << 20;

/// The most pages of a list of tools.
const TOOL_PAGES_MAX: usize = 20;

/// How long a server that works has to end by itself, one that hangs, and one that was told to end.
const END_WORKING: Duration = Duration::from_secs(2);
const END_HANGING: Duration = Duration::from_millis(100);
const END_TOLD: Duration = Duration::from_millis(200);

/// The most hits that are asked for where everything is listed.
const LISTED_MAX: usize = 10_000;

/// What a server is asked for.
#[derive(Debug)]
pub(crate) enum Request {
    Describe,
    Search { query: BridgeQuery, limit: usize },
    Save { text: BridgeText, title: String },
    Delete { id: String },
    List,
}

/// What it answered.
#[derive(Debug)]
pub(crate) enum Reply {
    Description(ServerDescription),
    Texts(Vec<BridgedText>),
    Saved(Option<String>),
    Deleted,
}

/// A server that shook hands.
pub(crate) struct Server {
    service: RunningService<RoleClient, ClientConfig>,
    name: String,
    tools: Tools,
    fixed: JsonObject,
}

/// The process of a server.
pub(crate) struct Process {
    child: Child,
}

impl Server {
    /// Shakes hands with the server behind these ends. `fixed` are arguments of tools that the user gives.
    pub(crate) async fn connect(
        output: ChildStdout,
        input: ChildStdin,
        fixed: JsonObject,
    ) -> Result<Self, BridgeError> {
        let transport = AsyncRwTransport::new_client(output, input).with_max_line_length(LINE_BYTES_MAX);
        let me = Implementation::new("memora", env!("CARGO_PKG_VERSION")).with_title("Memora");
        // It is offered nothing that it could ask for.
        let config = ClientConfig::new(ClientCapabilities::default(), me)
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE);
        let service = config.serve(transport).await.map_err(|_| BridgeError::Protocol)?;
        let told = service.peer_info().and_then(|info| info.server_info.clone());
        let named = |name: &str| name.trim().to_lowercase().starts_with("memora");
        if told.as_ref().is_some_and(|told| named(&told.name) || told.title.as_deref().is_some_and(named)) {
            return Err(BridgeError::IsMemora);
        }
        let all = list_tools(&service).await.map_err(|_| BridgeError::Protocol)?;
        let word = |text: &str| if is_legible(text) { text.to_owned() } else { "?".to_owned() };
        let name = told.map(|told| format!("{} {}", word(&told.name), word(&told.version))).unwrap_or_default();
        Ok(Self { service, name, tools: Tools::choose(&all), fixed })
    }

    /// Whether the connection is there.
    pub(crate) fn is_connected(&self) -> bool {
        !self.service.is_closed()
    }

    /// Closes the connection, which tells the server to end.
    pub(crate) async fn disconnect(self) {
        drop(timeout(END_HANGING, self.service.cancel()).await);
    }

    pub(crate) async fn answer(&self, request: &Request) -> Result<Reply, BridgeError> {
        match request {
            Request::Describe => {
                Ok(Reply::Description(ServerDescription { name: self.name.clone(), tools: self.tools.names() }))
            }
            Request::Search { query, limit } => {
                let (result, _) = self.call(Role::Search, query.text(), "", *limit).await?;
                Ok(Reply::Texts(texts_of(&result, query.text())))
            }
            Request::Save { text, title } => {
                let (result, has_title) = self.call(Role::Save, text.text(), title, 0).await?;
                Ok(Reply::Saved(id_of(&result).or_else(|| has_title.then(|| title.clone()))))
            }
            Request::Delete { id } => self.call(Role::Delete, id, "", 0).await.map(|_| Reply::Deleted),
            Request::List => {
                let (result, _) = self.call(Role::List, "", "", LISTED_MAX).await?;
                Ok(Reply::Texts(texts_of(&result, "")))
            }
        }
    }

    async fn call(
        &self,
        role: Role,
        words: &str,
        title: &str,
        limit: usize,
    ) -> Result<(CallToolResult, bool), BridgeError> {
        let tool: &ChosenTool = self.tools.of(role).ok_or(BridgeError::NoTool(role.as_str()))?;
        let filled = fill_arguments(tool, &Words { role, words, title, limit, fixed: &self.fixed })?;
        let params = CallToolRequestParams::new(tool.name.clone()).with_arguments(filled.object);
        let result = self.service.call_tool(params).await.map_err(|error| match error {
            ServiceError::McpError(_) => BridgeError::Refused,
            _ => BridgeError::Protocol,
        })?;
        if result.is_error == Some(true) { Err(BridgeError::Refused) } else { Ok((result, filled.has_title)) }
    }
}

/// The tools of a server, page by page, but not without end.
async fn list_tools(peer: &Peer<RoleClient>) -> Result<Vec<Tool>, ServiceError> {
    let (mut all, mut cursor) = (Vec::new(), None);
    for _ in 0..TOOL_PAGES_MAX {
        let page = peer.list_tools(Some(PaginatedRequestParams::default().with_cursor(cursor))).await?;
        all.extend(page.tools);
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    Ok(all)
}

impl Process {
    /// Starts a program, with the ends of a connection to it.
    pub(crate) fn start(command: &BridgeCommand) -> Result<(Self, ChildStdout, ChildStdin), BridgeError> {
        let mut start = Command::new(&command.program);
        start
            .args(&command.args)
            .current_dir(&command.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // It may have words in it.
            .stderr(Stdio::null())
            .kill_on_drop(true);
        // A group of its own, so that what it starts ends with it.
        #[cfg(unix)]
        start.process_group(0);
        let mut child = start.spawn().map_err(BridgeError::Start)?;
        let ends = child.stdout.take().zip(child.stdin.take());
        ends.map(|(output, input)| (Self { child }, output, input)).ok_or(BridgeError::Protocol)
    }

    /// Waits until it ends, whose standard input is closed; then tells it to end, and then kills it. One that works has more
    /// time.
    pub(crate) async fn end(mut self, works: bool) {
        let patience = if works { END_WORKING } else { END_HANGING };
        let group = self.group();
        if timeout(patience, self.child.wait()).await.is_err() {
            signal_group(group, false);
            if timeout(END_TOLD, self.child.wait()).await.is_err() {
                drop(self.child.start_kill());
                drop(timeout(END_TOLD, self.child.wait()).await);
            }
        }
        // What it started and left behind.
        signal_group(group, true);
    }

    /// The id of the group of processes that it leads.
    fn group(&self) -> Option<i32> {
        self.child.id().and_then(|id| i32::try_from(id).ok())
    }
}

/// Tells a group of processes to end, or kills it.
#[cfg(unix)]
fn signal_group(group: Option<i32>, kills: bool) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = group.and_then(Pid::from_raw) {
        let _ = kill_process_group(group, if kills { Signal::KILL } else { Signal::TERM });
    }
}

#[cfg(not(unix))]
fn signal_group(_group: Option<i32>, _kills: bool) {}
