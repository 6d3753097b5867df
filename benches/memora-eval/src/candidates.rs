//! `candidates`: first-stage candidates of questions, with their second-stage features, one JSON line per question.

use std::path::Path;

use anyhow::Result;
use memora_engine::{LocalDoor, SearchOptions};
use serde::{Deserialize, Serialize};

use crate::indexed_vault::{IndexedVault, SearchSetup};
use crate::read_json_lines;
use crate::repo_rows::{group_by_repo, repo_folder};

/// A question over a repository; an answer is a byte range of a file.
#[derive(Deserialize)]
struct CandidateRow {
    repo: String,
    question: String,
    answers: Vec<AnswerRange>,
    #[serde(default)]
    kind: String,
}

#[derive(Deserialize)]
struct AnswerRange {
    path: String,
    start: usize,
    end: usize,
}

/// A question with its candidates.
#[derive(Serialize)]
struct CandidateLine<'r> {
    repo: &'r str,
    question: &'r str,
    kind: &'r str,
    answerable: bool,
    candidates: Vec<LabelledCandidate>,
}

/// A candidate statement: whether it answers, its words, the transformer's input text, and the ranking features.
#[derive(Serialize)]
struct LabelledCandidate {
    right: bool,
    words: String,
    text: String,
    features: Vec<f32>,
}

pub(crate) fn export_json_lines(questions: &Path, vaults: &Path, limit: usize, read: bool) -> Result<String> {
    let rows: Vec<CandidateRow> = read_json_lines(questions)?;
    let mut out = String::new();
    for (repo, rows) in group_by_repo(rows, |row| &row.repo) {
        let opened = IndexedVault::new(&repo_folder(vaults, &repo), &SearchSetup::default())?;
        let session = opened.memora.session(LocalDoor)?;
        for row in rows {
            let options = SearchOptions { limit, ..SearchOptions::default() };
            let found = session.search().candidate_features(&row.question, &options, read)?;
            let candidates = found.into_iter().map(|found| {
                let (path, start, end) = found.place;
                let right = |spot: &AnswerRange| spot.path == path && start < spot.end && spot.start < end;
                LabelledCandidate {
                    right: row.answers.iter().any(right),
                    words: found.words,
                    text: found.text,
                    features: found.features.to_vec(),
                }
            });
            let candidates = candidates.take(limit).collect();
            let (question, kind) = (row.question.as_str(), row.kind.as_str());
            let line = CandidateLine { repo: &repo, question, kind, answerable: !row.answers.is_empty(), candidates };
            out.push_str(&serde_json::to_string(&line)?);
            out.push('\n');
        }
    }
    Ok(out)
}
