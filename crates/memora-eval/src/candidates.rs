//! What the first stage finds for questions by reference, with what the second stage reads of it: a line of JSON a question.

use std::path::Path;

use anyhow::Result;
use memora_engine::{LocalDoor, SearchOptions};
use serde::{Deserialize, Serialize};

use crate::by_reference::{by_repo, folder_of};
use crate::opened::{Opened, Ways};
use crate::rows;

/// A question over a repository; an answer is a byte range of a file.
#[derive(Deserialize)]
struct Row {
    repo: String,
    question: String,
    answers: Vec<Spot>,
    #[serde(default)]
    kind: String,
}

#[derive(Deserialize)]
struct Spot {
    path: String,
    start: usize,
    end: usize,
}

/// A question with its candidates.
#[derive(Serialize)]
struct Line<'r> {
    repo: &'r str,
    question: &'r str,
    kind: &'r str,
    answerable: bool,
    candidates: Vec<Candidate>,
}

/// A statement: whether it answers, its words, what the transformer reads of it, and what is weighed.
#[derive(Serialize)]
struct Candidate {
    right: bool,
    words: String,
    text: String,
    features: Vec<f32>,
}

pub(crate) fn print(questions: &Path, vaults: &Path, limit: usize, read: bool) -> Result<String> {
    let rows: Vec<Row> = rows(questions)?;
    let mut out = String::new();
    for (repo, rows) in by_repo(rows, |row| &row.repo) {
        let opened = Opened::new(&folder_of(vaults, &repo), &Ways::default())?;
        let session = opened.memora.session(LocalDoor)?;
        for row in rows {
            let options = SearchOptions { limit, ..SearchOptions::default() };
            let found = session.search().candidate_features(&row.question, &options, read)?;
            let candidates = found.into_iter().map(|found| {
                let (path, start, end) = found.place;
                let right = |spot: &Spot| spot.path == path && start < spot.end && spot.start < end;
                Candidate {
                    right: row.answers.iter().any(right),
                    words: found.words,
                    text: found.text,
                    features: found.features.to_vec(),
                }
            });
            let candidates = candidates.take(limit).collect();
            let (question, kind) = (row.question.as_str(), row.kind.as_str());
            let line = Line { repo: &repo, question, kind, answerable: !row.answers.is_empty(), candidates };
            out.push_str(&serde_json::to_string(&line)?);
            out.push('\n');
        }
    }
    Ok(out)
}
