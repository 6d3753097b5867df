//! Written by `training/fit.py`; see `training/README.md` for the questions that these were fitted to.

use crate::relevance::{COUNT, Weights};

pub(crate) const QUICK: Weights = Weights { bias: 0.0, of: [0.0; COUNT] };
pub(crate) const FULL: Weights = Weights { bias: 0.0, of: [0.0; COUNT] };
