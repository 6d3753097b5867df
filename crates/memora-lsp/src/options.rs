//! What server and editor tell each other when they begin.

use lsp_types::{
    ClientCapabilities, CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CompletionOptions,
    DiagnosticOptions, DiagnosticServerCapabilities, HoverProviderCapability, OneOf, SaveOptions, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
};
use serde::Deserialize;
use serde_json::Value;

use crate::position::Units;

/// What an editor can show, and what its user wants to see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) units: Units,
    /// Whether it shows passages beside a diagnostic.
    pub(crate) shows_related: bool,
    /// Whether it takes edits for a version of a document.
    pub(crate) takes_versions: bool,
    /// Whether it takes code actions that are more than commands.
    pub(crate) takes_actions: bool,
    /// Whether sentences that cite by links or quotations are judged.
    pub(crate) links: bool,
    /// Whether sentences without a citation are listed.
    pub(crate) uncited: bool,
}

/// What an editor may set when it begins.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct InitializationOptions {
    links: bool,
    uncited: bool,
}

impl View {
    /// Reads what an editor says of itself; whatever cannot be read is as if it were not said.
    pub(crate) fn read(params: &Value) -> Self {
        let part = |key: &str| params.get(key).cloned().unwrap_or_default();
        let able: ClientCapabilities = serde_json::from_value(part("capabilities")).unwrap_or_default();
        let set: InitializationOptions = serde_json::from_value(part("initializationOptions")).unwrap_or_default();
        let offered = able.general.and_then(|general| general.position_encodings);
        let document = able.text_document.unwrap_or_default();
        let related = document.publish_diagnostics.and_then(|publish| publish.related_information);
        let edit = able.workspace.and_then(|workspace| workspace.workspace_edit);
        Self {
            units: Units::choose(offered.as_deref()),
            shows_related: related.unwrap_or(false),
            takes_versions: edit.and_then(|edit| edit.document_changes).unwrap_or(false),
            takes_actions: document.code_action.is_some_and(|action| action.code_action_literal_support.is_some()),
            links: set.links,
            uncited: set.uncited,
        }
    }
}

/// What the server does for an editor.
pub(crate) fn capabilities(view: &View) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(view.units.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![":".to_owned()]),
            ..CompletionOptions::default()
        }),
        code_action_provider: view.takes_actions.then(|| {
            CodeActionProviderCapability::Options(CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
                ..CodeActionOptions::default()
            })
        }),
        diagnostic_provider: Some(DiagnosticServerCapabilities::Options(DiagnosticOptions {
            identifier: Some("memora".to_owned()),
            inter_file_dependencies: true,
            workspace_diagnostics: true,
            ..DiagnosticOptions::default()
        })),
        ..ServerCapabilities::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_editor_that_says_nothing_is_given_the_least() {
        for params in [json!(null), json!({}), json!({"capabilities": 3, "initializationOptions": "x"})] {
            assert_eq!(View::read(&params), View::default(), "{params}");
        }
        let view = View::read(&json!({
            "capabilities": {
                "general": {"positionEncodings": ["utf-16", "utf-8"]},
                "textDocument": {"publishDiagnostics": {"relatedInformation": true}},
            },
            "initializationOptions": {"uncited": true, "of another server": 1},
        }));
        assert!(view.units == Units::Utf8 && view.shows_related && view.uncited && !view.links && !view.takes_actions);
    }
}
