//! A vault indexed into a temporary state folder, for the duration of a measurement.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, ensure};
use memora_engine::{Config, EmbedderChoice, LocalDoor, Memora, SyncBound};
use tempfile::TempDir;

/// Search options shared by the measures.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SearchSetup {
    /// By words alone
    #[arg(long)]
    pub(crate) lexical: bool,
    /// What makes vectors, by its name
    #[arg(long, default_value = "embedded")]
    embedder: String,
    /// Where its library and its model lie, if it is not in the program
    #[arg(long)]
    models: Option<PathBuf>,
}

impl Default for SearchSetup {
    fn default() -> Self {
        Self { lexical: false, embedder: EmbedderChoice::default().name().to_owned(), models: None }
    }
}

pub(crate) struct IndexedVault {
    pub(crate) memora: Memora,
    state: TempDir,
}

/// The date taken as today for questions that name none.
pub(crate) const DEFAULT_TODAY: jiff::civil::Date = jiff::civil::date(2026, 1, 1);

impl IndexedVault {
    pub(crate) fn new(vault: &Path, ways: &SearchSetup) -> Result<Self> {
        Self::open_on_day(DEFAULT_TODAY, vault, ways, tempfile::tempdir()?)
    }

    /// Opens a vault as on a day.
    pub(crate) fn on_day(day: jiff::civil::Date, vault: &Path, ways: &SearchSetup) -> Result<Self> {
        Self::open_on_day(day, vault, ways, tempfile::tempdir()?)
    }

    /// Reopens the vault as on another day; the index is kept.
    pub(crate) fn reopen_on_day(self, day: jiff::civil::Date, vault: &Path, ways: &SearchSetup) -> Result<Self> {
        let Self { memora, state } = self;
        drop(memora);
        Self::open_on_day(day, vault, ways, state)
    }

    fn open_on_day(day: jiff::civil::Date, vault: &Path, ways: &SearchSetup, state: TempDir) -> Result<Self> {
        let mut config = Config::load(Some(state.path().into()), Some(state.path().into()), day)?;
        config.embedder = EmbedderChoice::from_name(&ways.embedder)
            .with_context(|| format!("no embedder is named {}", ways.embedder))?;
        if let Some(models) = &ways.models {
            copy_models(models, &config.models_dir())?;
        }
        let mut memora = Memora::open(Some(vault), config)?;
        memora.sync(SyncBound::All, &AtomicBool::new(false), &mut |_| {})?;
        let live = memora.session(LocalDoor)?.doctor().report_embedder()?.live;
        ensure!(live == Some(ways.embedder.as_str()), "{} cannot be used, {live:?} is", ways.embedder);
        Ok(Self { memora, state })
    }
}

/// Copies a library and the model folders to where the engine looks for them.
fn copy_models(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.path().join("model.onnx").is_file() {
            copy_models(&entry.path(), &target)?;
        } else if entry.path().is_file() && !target.exists() {
            // A library that is loaded must not change under the process.
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
