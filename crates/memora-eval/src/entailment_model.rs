//! Evaluates an entailment model on labelled rows, for choosing its thresholds.

use std::path::Path;

use anyhow::{Context, Result};
use memora_engine::{Config, EntailmentChoice};
use memora_entail::{EntailmentModel, Pair};
use serde::Serialize;

use crate::ratio;
use crate::support::auroc;

/// The thresholds that results are reported for.
const THRESHOLDS: [f32; 8] = [0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995];

/// Loads the model of a folder; ONNX Runtime is taken from `ORT_DYLIB_PATH`.
pub(crate) fn load_model(folder: &Path, entailed_from: Option<f32>) -> Result<Box<dyn EntailmentModel>> {
    let folder = folder.canonicalize().with_context(|| format!("{} is no folder", folder.display()))?;
    let choice =
        EntailmentChoice { model: folder.to_str().context("its path is not UTF-8")?.to_owned(), entailed_from };
    let nothing = tempfile::tempdir()?;
    let there = Some(nothing.path().to_owned());
    let config = Config::load(there.clone(), there, jiff::civil::date(2025, 12, 31))?;
    Ok(config.load_entailment(&choice)?)
}

/// A row that the rules leave undecided, with its label.
pub(crate) struct UndecidedRow {
    pub(crate) row: usize,
    pub(crate) good: bool,
    pub(crate) pair: Pair,
}

/// Results of a model on the rows that the rules leave undecided.
#[derive(Debug, Serialize)]
pub(crate) struct EntailmentFigures {
    model: String,
    threshold: f32,
    read: usize,
    too_long: usize,
    /// Probability that a true row scores above a false one.
    auroc: f64,
    /// By threshold: the shares of true and of false rows that reach it.
    by_threshold: Vec<ThresholdFigures>,
}

#[derive(Debug, Serialize)]
struct ThresholdFigures {
    from: f32,
    true_entailed: f64,
    false_entailed: f64,
}

/// Scores the rows with the model: returns the entailed row numbers and the results.
pub(crate) fn score_rows(
    model: &dyn EntailmentModel,
    open: &[UndecidedRow],
) -> Result<(Vec<usize>, EntailmentFigures)> {
    let pairs: Vec<Pair> = open.iter().map(|one| one.pair.clone()).collect();
    let found = model.read(&pairs)?;
    let read: Vec<(&UndecidedRow, f32)> =
        open.iter().zip(&found).filter_map(|(one, p)| Some((one, p.as_ref()?.entailed))).collect();
    let reach = |good: bool, from: f32| {
        let those: Vec<_> = read.iter().filter(|(one, _)| one.good == good).collect();
        ratio(those.iter().filter(|(_, entailed)| *entailed >= from).count(), those.len())
    };
    let at = |from| ThresholdFigures { from, true_entailed: reach(true, from), false_entailed: reach(false, from) };
    let entailed = read.iter().filter(|(_, entailed)| *entailed >= model.threshold()).map(|(one, _)| one.row).collect();
    let scores: Vec<(f32, bool)> = read.iter().map(|(one, entailed)| (*entailed, one.good)).collect();
    let figures = EntailmentFigures {
        model: model.name().to_owned(),
        threshold: model.threshold(),
        read: read.len(),
        too_long: open.len() - read.len(),
        auroc: auroc(&scores),
        by_threshold: THRESHOLDS.into_iter().map(at).collect(),
    };
    Ok((entailed, figures))
}
