//! Passages of notes, and the result of `memora_find`.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use memora_engine::Door;
use memora_engine::report::{
    EvidenceStrength, Freshness, LineLayout, LineRemark, Passage, PassageLine, write_passage_lines,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::note_text::note_text;
use super::{AgentClaim, ListStatus, WithheldSubject};
use crate::budget::truncate_text;

/// The longest line that is shown whole.
const LINE_BYTES_MAX: usize = 1_800;

/// A run of lines of a note under the same headings.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "Passage")]
#[serde(bound = "")]
pub struct AgentPassage<D> {
    /// The note's path, and the headings above.
    pub place: String,
    /// Its sentences, items and rows, in order.
    pub lines: Vec<AgentPassageLine>,
    #[serde(skip)]
    pub(crate) door: PhantomData<D>,
}

/// A sentence, an item or a row of a passage.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PassageLine")]
pub struct AgentPassageLine {
    /// Its line in the file, from 1; `null` where guarded text stands before it.
    pub line: Option<usize>,
    /// How deep it is nested in a list; absent where it is not.
    #[serde(skip_serializing_if = "is_zero")]
    pub depth: usize,
    /// The names of the columns of a table's row; absent for anything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<String>,
    /// The id to cite it by.
    pub claim: String,
    /// Its words.
    pub text: String,
    /// Whether it is what was found; absent where it only stands around that.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub found: bool,
    /// Whether a machine wrote it: then it is not the user's own word; absent where the user did, and in a note that is read as a whole,
    /// which says so itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub captured: bool,
    /// What is to be said of it: that it no longer holds, or what contradicts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_zero(depth: &usize) -> bool {
    *depth == 0
}

impl<D: Door> AgentPassage<D> {
    /// Shows a passage to an agent.
    pub(crate) fn from_passage(passage: &Passage<D>, remarks: &[LineRemark<D>]) -> Self {
        let line = |line: &PassageLine| {
            let remark = remarks.iter().find(|remark| remark.claim == line.claim);
            AgentPassageLine {
                line: line.line,
                depth: line.depth,
                columns: line.columns.clone(),
                claim: line.claim.clone(),
                text: truncate_text(&line.text, LINE_BYTES_MAX),
                found: line.hit,
                captured: remark.is_some_and(|remark| remark.captured),
                remark: remark.map(write_remark),
            }
        };
        Self { place: passage.place(), lines: passage.lines.iter().map(line).collect(), door: PhantomData }
    }
}

/// Says what a remark is, in some words.
fn write_remark<D>(remark: &LineRemark<D>) -> String {
    let ended = remark.valid_until.as_ref().map(|day| format!("ended {}", note_text(day, 40)));
    let status = remark.status.filter(|_| ended.is_none()).map(|status| status.to_string());
    let machine = remark.captured.then(|| "written by a machine".to_owned());
    let over = remark.overtaken_by.iter().take(2).map(|newer| format!("a newer line says otherwise: [claim:{newer}]"));
    let against = AgentClaim::iter_brief(&remark.contested_by).take(2).map(|claim| format!("contested by {claim}"));
    ended.into_iter().chain(status).chain(machine).chain(over).chain(against).collect::<Vec<_>>().join("; ")
}

/// Writes the place, and each line with its number and the id to cite it by; a star marks what was found.
impl<D> fmt::Display for AgentPassage<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place)?;
        f.write_str(&write_lines(&self.lines))
    }
}

/// Writes lines as the engine writes those of its reports.
pub(crate) fn write_lines(lines: &[AgentPassageLine]) -> String {
    write_passage_lines(lines.iter().map(AgentPassageLine::layout))
}

impl AgentPassageLine {
    fn layout(&self) -> LineLayout<'_> {
        let (words, remark) = (Cow::Borrowed(self.text.as_str()), self.remark.as_deref());
        let columns = self.columns.as_deref();
        LineLayout { line: self.line, depth: self.depth, columns, found: self.found, words, claim: &self.claim, remark }
    }

    /// How many bytes it has at most as it is written.
    pub(crate) fn written_bytes(&self) -> usize {
        write_lines(std::slice::from_ref(self)).len()
    }
}

/// What `memora_find` found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "FindResult")]
#[serde(bound = "")]
pub struct FindResult<D> {
    /// `found`; `none`: nothing that this client may see comes near; or `not_indexed_yet`: none, and notes are due.
    pub status: ListStatus,
    /// `likely`: the first passages most likely answer; `possible`: they may; `nearest`: nothing comes nearer.
    pub certainty: EvidenceStrength,
    /// Best first.
    pub passages: Vec<AgentPassage<D>>,
    /// Words of the question that stand in no note that this client may see.
    pub unknown: Vec<String>,
    /// What is withheld from this client.
    pub withheld: Vec<WithheldSubject>,
    /// Whether passages were compared by what they mean; else they were found by words and single sentences.
    pub by_meaning: bool,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// What is said of passages that were not compared by what they mean.
const BY_WORDS: &str = ", found by words alone: other wordings may find more";

impl<D> fmt::Display for FindResult<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            ListStatus::Found => write!(f, "{}{}", self.certainty, if self.by_meaning { "" } else { BY_WORDS })?,
            ListStatus::None => f.write_str("nothing found")?,
            ListStatus::NotIndexedYet => f.write_str("not indexed yet: ask again in a moment")?,
        }
        self.passages.iter().try_for_each(|passage| write!(f, "\n{passage}"))?;
        // What is not indexed yet may have them.
        if !self.unknown.is_empty() && self.freshness.fresh {
            write!(f, "\nin no note: {}", self.unknown.join(", "))?;
        }
        if !self.withheld.is_empty() {
            let mut subjects: Vec<&str> = self.withheld.iter().map(|withheld| withheld.subject.as_str()).collect();
            subjects.dedup();
            write!(f, "\nwithheld by the user's rules: something about {}", subjects.join(", "))?;
        }
        write_freshness(f, self.freshness)
    }
}

/// Says that notes are due, where some are.
pub(crate) fn write_freshness(f: &mut fmt::Formatter<'_>, freshness: Freshness) -> fmt::Result {
    if freshness.fresh { Ok(()) } else { f.write_str("\nsome notes are not indexed yet") }
}
