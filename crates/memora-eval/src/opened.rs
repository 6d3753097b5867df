//! A vault, indexed into a folder of its own for as long as it is measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, ensure};
use memora_engine::{Config, EmbedderChoice, LocalDoor, Memora, SyncBound};
use tempfile::TempDir;

/// How is searched.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Ways {
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

impl Default for Ways {
    fn default() -> Self {
        Self { lexical: false, embedder: EmbedderChoice::default().name().to_owned(), models: None }
    }
}

pub(crate) struct Opened {
    pub(crate) memora: Memora,
    state: TempDir,
}

/// The day that is today where a question names none.
pub(crate) const TODAY: jiff::civil::Date = jiff::civil::date(2026, 1, 1);

impl Opened {
    pub(crate) fn new(vault: &Path, ways: &Ways) -> Result<Self> {
        Self::on(TODAY, vault, ways, tempfile::tempdir()?)
    }

    /// Opens it as on another day; what was indexed stays.
    pub(crate) fn reopen(self, day: jiff::civil::Date, vault: &Path, ways: &Ways) -> Result<Self> {
        let Self { memora, state } = self;
        drop(memora);
        Self::on(day, vault, ways, state)
    }

    fn on(day: jiff::civil::Date, vault: &Path, ways: &Ways, state: TempDir) -> Result<Self> {
        let mut config = Config::load(Some(state.path().into()), Some(state.path().into()), day)?;
        config.embedder = EmbedderChoice::from_name(&ways.embedder)
            .with_context(|| format!("no embedder is named {}", ways.embedder))?;
        if let Some(models) = &ways.models {
            lay_out(models, &config.models_dir())?;
        }
        let mut memora = Memora::open(Some(vault), config)?;
        memora.sync(SyncBound::None, &AtomicBool::new(false), &mut |_| {})?;
        let live = memora.session(LocalDoor)?.doctor().report_embedder()?.live;
        ensure!(live == Some(ways.embedder.as_str()), "{} cannot be used, {live:?} is", ways.embedder);
        Ok(Self { memora, state })
    }
}

/// Copies a library and the folders of models to where they are looked for.
fn lay_out(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.path().join("model.onnx").is_file() {
            lay_out(&entry.path(), &target)?;
        } else if entry.path().is_file() && !target.exists() {
            // A library that is loaded must not change under the process.
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
