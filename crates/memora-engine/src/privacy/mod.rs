//! Band decisions with their reasons, and the log of what left this machine.

pub(crate) mod audit;
pub(crate) mod authorize;
pub(crate) mod cache;
pub(crate) mod egress;
