//! A running server: the connection to it, and its tools.

use std::time::Duration;

use memora_redact::{BridgeQuery, BridgeText};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, Implementation, JsonObject,
    PaginatedRequestParams, ProtocolVersion, Tool,
};
use rmcp::service::{RoleClient, RunningService, ServiceError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ServiceExt as _, service::Peer};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::timeout;

use crate::arguments::{Words, fill_arguments};
use crate::error::BridgeError;
use crate::reply::{BridgedText, id_of, texts_of};
use crate::tools::{ChosenTool, ChosenTools, Role, ServerDescription, is_legible};

/// The maximum size of a message of a server, in bytes. A longer one is dropped, and its request gets no answer.
pub const LINE_BYTES_MAX: usize = 1 << 20;

/// The most pages of a list of tools.
const TOOL_PAGES_MAX: usize = 20;

/// How long a connection may take to close.
const CLOSE_MAX: Duration = Duration::from_millis(100);

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
    tools: ChosenTools<ChosenTool>,
    fixed: JsonObject,
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
        Ok(Self { service, name, tools: ChosenTools::choose(&all), fixed })
    }

    /// Whether the connection is there.
    pub(crate) fn is_connected(&self) -> bool {
        !self.service.is_closed()
    }

    /// Closes the connection, which tells the server to end.
    pub(crate) async fn disconnect(self) {
        drop(timeout(CLOSE_MAX, self.service.cancel()).await);
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
