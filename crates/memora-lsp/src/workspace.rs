//! What is stale in the whole vault: sentences that cite what no longer holds, for the editor's list of problems.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::str::FromStr as _;

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, FullDocumentDiagnosticReport, NumberOrString,
    UnchangedDocumentDiagnosticReport, Uri, WorkspaceDiagnosticReport, WorkspaceDocumentDiagnosticReport,
    WorkspaceFullDocumentDiagnosticReport, WorkspaceUnchangedDocumentDiagnosticReport,
};
use memora_engine::Door;
use memora_engine::report::StaleClaim;
use memora_service::ReadContext;

use crate::error::EditorError;
use crate::judge::describe;
use crate::options::View;
use crate::places;
use crate::request::{EditorRequest, EgressItem, Response, items_of};

/// The most sentences that are listed.
const LISTED_MAX: usize = 500;

/// A request for what is stale.
pub(crate) struct ListStale {
    pub(crate) view: View,
    /// The documents that are open: what they cite is judged as it is written.
    pub(crate) open: BTreeSet<String>,
    /// What the editor has, by address.
    pub(crate) known: BTreeMap<String, String>,
}

impl EditorRequest for ListStale {
    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response, EditorError> {
        let report = reading.session()?.lifecycle_reports().list_stale(LISTED_MAX, reading.freshness())?;
        let mut by_note: BTreeMap<String, (Vec<Diagnostic>, Vec<EgressItem>)> = BTreeMap::new();
        // What was listed before and is no more has to be taken back.
        let before = self.known.keys().map(|uri| (uri.clone(), Default::default()));
        by_note.extend(before);
        for stale in &report.stale {
            let Some((uri, diagnostic)) = self.describe_stale(stale, reading) else { continue };
            if !self.open.contains(&uri) {
                let (listed, pieces) = by_note.entry(uri).or_default();
                listed.push(diagnostic);
                pieces.extend(items_of([&stale.claim]));
                pieces.extend(items_of(stale.because.iter().flat_map(|ground| &ground.now)));
            }
        }
        let (mut items, mut sent) = (Vec::new(), Vec::new());
        for (uri, (listed, pieces)) in by_note {
            let Ok(address) = Uri::from_str(&uri) else { continue };
            let result_id = name_result(&listed);
            if self.known.get(&uri) == Some(&result_id) {
                items.push(unchanged(address, result_id));
            } else {
                items.push(full(address, result_id, listed));
                sent.extend(pieces);
            }
        }
        Response::new(&WorkspaceDiagnosticReport { items }, sent)
    }
}

impl ListStale {
    fn describe_stale<D: Door>(
        &self,
        stale: &StaleClaim<D>,
        reading: &ReadContext<'_, D>,
    ) -> Option<(String, Diagnostic)> {
        let root = reading.memora().vault().root();
        let location = places::location(root, stale.claim.place()?, self.view.units)?;
        let why: Vec<&str> = stale.because.iter().map(|ground| ground.explanation.as_str()).collect();
        let now = stale.because.iter().flat_map(|ground| &ground.now).filter_map(|claim| {
            let place = claim.place()?;
            let location = places::location(root, place, self.view.units)?;
            Some(DiagnosticRelatedInformation { location, message: places::one_line(&place.quote, 300) })
        });
        let diagnostic = Diagnostic {
            range: location.range,
            severity: Some(DiagnosticSeverity::WARNING),
            code: Some(NumberOrString::String("stale".to_owned())),
            code_description: describe("verdicts-on-a-citation"),
            source: Some("memora".to_owned()),
            message: places::one_line(&format!("stale: {}", why.join("; ")), 1_000),
            related_information: self.view.shows_related.then(|| now.take(4).collect()),
            ..Diagnostic::default()
        };
        Some((location.uri.as_str().to_owned(), diagnostic))
    }
}

/// A name for a list: the same for the same.
fn name_result(listed: &[Diagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(listed).unwrap_or_default().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn unchanged(uri: Uri, result_id: String) -> WorkspaceDocumentDiagnosticReport {
    WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
        uri,
        version: None,
        unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
    })
}

fn full(uri: Uri, result_id: String, items: Vec<Diagnostic>) -> WorkspaceDocumentDiagnosticReport {
    WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
        uri,
        version: None,
        full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(result_id), items },
    })
}
