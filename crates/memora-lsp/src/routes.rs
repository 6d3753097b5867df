//! Which message of the protocol leads to what.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use lsp_server::Notification;
use lsp_types::{
    CodeActionParams, CodeActionTriggerKind, CompletionParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, Position, TextDocumentPositionParams, Uri, WorkspaceDiagnosticParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::completion::Complete;
use crate::cursor::{Cursor, Define, Hover, Refer};
use crate::documents::{Document, Documents, PAUSE};
use crate::error::EditorError;
use crate::fixes::FindFixes;
use crate::options::View;
use crate::own::OwnRequest;
use crate::question::Question;
use crate::workspace::ListStale;

/// Where a request leads.
pub(crate) enum Routed {
    /// It is asked of the vault.
    Ask(Question),
    /// It needs no vault.
    Answer(Value),
    /// It cannot be read.
    Refuse(EditorError),
    /// There is no such request.
    Unknown,
}

/// What a notification changed.
pub(crate) enum Changed {
    /// The text of a document.
    Text(Uri),
    /// A document was closed; whether something was published of it.
    Closed(Uri, bool),
}

/// Finds what a request asks for.
pub(crate) fn route(method: &str, params: Value, documents: &Documents, view: &View) -> Routed {
    let asked = match method {
        "textDocument/hover" => at_cursor(params, documents, view).map(|at| at.map(|at| Question::Hover(Hover(at)))),
        "textDocument/definition" => {
            at_cursor(params, documents, view).map(|at| at.map(|at| Question::Define(Define(at))))
        }
        "textDocument/references" => {
            at_cursor(params, documents, view).map(|at| at.map(|at| Question::Refer(Refer(at))))
        }
        "textDocument/completion" => complete(params, documents, view),
        "textDocument/codeAction" => find_fixes(params, documents, view),
        "workspace/diagnostic" => list_stale(params, documents, view),
        // What is wrong in an open document is published when there is a pause, and once is enough.
        "textDocument/diagnostic" => return Routed::Answer(json!({"kind": "full", "items": []})),
        _ => match OwnRequest::read(method, params) {
            Some(own) => own.map(|own| Some(Question::Own(own))),
            None => return Routed::Unknown,
        },
    };
    match asked {
        Ok(Some(question)) => Routed::Ask(question),
        Ok(None) => Routed::Answer(Value::Null),
        Err(error) => Routed::Refuse(error),
    }
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, EditorError> {
    serde_json::from_value(params)
        .map_err(|_| EditorError::params("these parameters cannot be read", "see the protocol's specification"))
}

fn cursor(document: &Document, position: Position, view: &View) -> Cursor {
    let buffer = document.buffer.clone();
    let at = buffer.lines.offset(&buffer.text, position);
    Cursor { buffer, view: *view, at }
}

/// The cursor that a request names; `None` in a document that is not open.
fn at_cursor(params: Value, documents: &Documents, view: &View) -> Result<Option<Cursor>, EditorError> {
    let at: TextDocumentPositionParams = read(params)?;
    Ok(documents.get(&at.text_document.uri).map(|document| cursor(document, at.position, view)))
}

fn complete(params: Value, documents: &Documents, view: &View) -> Result<Option<Question>, EditorError> {
    let asked: CompletionParams = read(params)?;
    let at = asked.text_document_position;
    let document = documents.get(&at.text_document.uri);
    Ok(document.map(|document| {
        let Cursor { buffer, at, .. } = cursor(document, at.position, view);
        Question::Complete(Complete { buffer, at })
    }))
}

fn find_fixes(params: Value, documents: &Documents, view: &View) -> Result<Option<Question>, EditorError> {
    let asked: CodeActionParams = read(params)?;
    let Some(document) = documents.get(&asked.text_document.uri) else { return Ok(None) };
    let kinds = asked.context.only.unwrap_or_default();
    let is_wanted = kinds.is_empty() || kinds.iter().any(|kind| "quickfix".starts_with(kind.as_str()));
    let is_asked = asked.context.trigger_kind != Some(CodeActionTriggerKind::AUTOMATIC);
    // Editors look for actions whenever the cursor moves: then nothing is read where nothing is wrong.
    if !is_wanted || !is_asked && asked.context.diagnostics.is_empty() {
        return Ok(None);
    }
    let buffer = document.buffer.clone();
    let range = buffer.lines.bytes(&buffer.text, asked.range);
    let (uri, version) = (document.uri.clone(), document.version);
    Ok(Some(Question::Fix(FindFixes { uri, version, buffer, view: *view, range, is_asked })))
}

fn list_stale(params: Value, documents: &Documents, view: &View) -> Result<Option<Question>, EditorError> {
    let asked: WorkspaceDiagnosticParams = read(params)?;
    let open: BTreeSet<String> = documents.uris().iter().map(|uri| uri.as_str().to_owned()).collect();
    let known: BTreeMap<String, String> =
        asked.previous_result_ids.into_iter().map(|known| (known.uri.as_str().to_owned(), known.value)).collect();
    Ok(Some(Question::Stale(ListStale { view: *view, open, known })))
}

/// Takes over what a notification tells of documents; whatever cannot be read changes nothing.
pub(crate) fn apply_notification(note: Notification, documents: &mut Documents) -> Option<Changed> {
    let Notification { method, params } = note;
    match method.as_str() {
        "textDocument/didOpen" => {
            let DidOpenTextDocumentParams { text_document: opened } = read(params).ok()?;
            documents.open(opened.uri.clone(), opened.version, opened.text);
            Some(Changed::Text(opened.uri))
        }
        "textDocument/didChange" => {
            let changed: DidChangeTextDocumentParams = read(params).ok()?;
            let document = changed.text_document;
            documents.change(&document.uri, document.version, changed.content_changes);
            Some(Changed::Text(document.uri))
        }
        "textDocument/didClose" => {
            let DidCloseTextDocumentParams { text_document: closed } = read(params).ok()?;
            let was_published = documents.close(&closed.uri)?.published.is_some();
            Some(Changed::Closed(closed.uri, was_published))
        }
        "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
            documents.judge_all(Instant::now() + PAUSE);
            None
        }
        _ => None,
    }
}
