//! Formats reports as text: readable without colour, one fact per line.
//!
//! Each file has the screens of one subject; [`layout`] fits a finished text to a terminal.

mod answer;
mod claim_line;
mod claims;
mod index;
mod install;
pub(crate) mod layout;
mod lifecycle;
pub(crate) mod memory;
pub(crate) mod memory_bridge;
mod onboarding;
pub(crate) mod place_links;
mod privacy;
mod review;
mod sarif;
mod status;
mod verdict;
mod vimgrep;

pub(crate) use answer::{format_answer, format_request};
pub(crate) use claims::{HitDetail, format_claims, format_entity, format_explanation, format_search};
pub(crate) use index::{format_extract, format_index, format_watch_line};
pub(crate) use install::{format_hook_install, format_install};
pub(crate) use lifecycle::{format_changes, format_contradictions, format_decided, format_stale};
pub(crate) use onboarding::{format_demo, format_init};
pub(crate) use privacy::{format_audit, format_egress};
pub(crate) use review::{format_applied, format_review};
pub(crate) use sarif::build_sarif;
pub(crate) use status::{format_doctor, format_embedder, format_status};
pub(crate) use verdict::{format_captured, format_verdicts};
pub(crate) use vimgrep::format_vimgrep;
