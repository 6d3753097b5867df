//! A model for entailment over rows of which it is known whether they are said: what its thresholds are chosen on.

use std::path::Path;

use anyhow::{Context, Result};
use memora_engine::{Config, EntailmentChoice};
use memora_entail::{EntailmentModel, Pair};
use serde::Serialize;

use crate::share;
use crate::support::auroc;

/// Thresholds that are tried.
const TRIED: [f32; 8] = [0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995];

/// Loads the model of a folder; ONNX Runtime is where `ORT_DYLIB_PATH` says.
pub(crate) fn load(folder: &Path, entailed_from: Option<f32>) -> Result<Box<dyn EntailmentModel>> {
    let folder = folder.canonicalize().with_context(|| format!("{} is no folder", folder.display()))?;
    let choice =
        EntailmentChoice { model: folder.to_str().context("its path is not UTF-8")?.to_owned(), entailed_from };
    let nothing = tempfile::tempdir()?;
    let there = Some(nothing.path().to_owned());
    let config = Config::load(there.clone(), there, jiff::civil::date(2025, 12, 31))?;
    Ok(config.load_entailment(&choice)?)
}

/// A row that facts leave open, and whether it is said.
pub(crate) struct Open {
    pub(crate) row: usize,
    pub(crate) good: bool,
    pub(crate) pair: Pair,
}

/// What a model makes of rows that facts leave open.
#[derive(Debug, Serialize)]
pub(crate) struct Figures {
    model: String,
    threshold: f32,
    read: usize,
    too_long: usize,
    /// That a true one is more probable than a false one.
    auroc: f64,
    /// By threshold: the shares of the true and of the false ones that it reads which reach it.
    by_threshold: Vec<AtThreshold>,
}

#[derive(Debug, Serialize)]
struct AtThreshold {
    from: f32,
    true_entailed: f64,
    false_entailed: f64,
}

/// Reads the rows: those that are entailed by the model, and how it went.
pub(crate) fn read(model: &dyn EntailmentModel, open: &[Open]) -> Result<(Vec<usize>, Figures)> {
    let pairs: Vec<Pair> = open.iter().map(|one| one.pair.clone()).collect();
    let found = model.read(&pairs)?;
    let read: Vec<(&Open, f32)> =
        open.iter().zip(&found).filter_map(|(one, p)| Some((one, p.as_ref()?.entailed))).collect();
    let reach = |good: bool, from: f32| {
        let those: Vec<_> = read.iter().filter(|(one, _)| one.good == good).collect();
        share(those.iter().filter(|(_, entailed)| *entailed >= from).count(), those.len())
    };
    let at = |from| AtThreshold { from, true_entailed: reach(true, from), false_entailed: reach(false, from) };
    let entailed = read.iter().filter(|(_, entailed)| *entailed >= model.threshold()).map(|(one, _)| one.row).collect();
    let scores: Vec<(f32, bool)> = read.iter().map(|(one, entailed)| (*entailed, one.good)).collect();
    let figures = Figures {
        model: model.name().to_owned(),
        threshold: model.threshold(),
        read: read.len(),
        too_long: open.len() - read.len(),
        auroc: auroc(&scores),
        by_threshold: TRIED.into_iter().map(at).collect(),
    };
    Ok((entailed, figures))
}
