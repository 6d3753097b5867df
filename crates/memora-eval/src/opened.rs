//! A vault, indexed into a folder of its own for as long as it is measured.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use memora_engine::{Bound, Config, Memora};
use tempfile::TempDir;

/// How is searched.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Ways {
    /// By words alone
    #[arg(long)]
    pub(crate) lexical: bool,
}

pub(crate) struct Opened {
    pub(crate) memora: Memora,
    _state: TempDir,
}

impl Opened {
    pub(crate) fn new(vault: &Path, _ways: &Ways) -> Result<Self> {
        let state = tempfile::tempdir()?;
        let day = jiff::civil::date(2026, 1, 1);
        let config = Config::load(Some(state.path().into()), Some(state.path().into()), day)?;
        let mut memora = Memora::open(Some(vault), config)?;
        memora.sync(Bound::None, &AtomicBool::new(false), &mut |_| {})?;
        Ok(Self { memora, _state: state })
    }
}
