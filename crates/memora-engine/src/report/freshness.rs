//! Whether what is told is of the vault as it is.

use schemars::JsonSchema;
use serde::Serialize;

/// Whether an answer rests on the vault as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Freshness {
    /// The index has everything that is in the vault.
    pub fresh: bool,
    /// Notes that changed and are not indexed yet.
    pub pending: usize,
}
