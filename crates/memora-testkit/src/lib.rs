//! For tests only: copies of fixture vaults, and what changed in them.
