//! The progress of bringing the index up to date.

/// The stage of a sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncStage {
    /// Notes are read.
    Notes,
    /// Vectors are made for statements.
    Vectors,
}

/// The progress of a sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncProgress {
    /// The current stage.
    pub stage: SyncStage,
    /// Notes or statements done so far.
    pub done: usize,
    /// Notes or statements to do.
    pub total: usize,
}
