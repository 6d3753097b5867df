//! What agents remember: the acceptance checks of memory's files and gates, by real commands and real servers.
//!
//! - [`saving`]: what is saved, what is refused, where it lies
//! - [`owning`]: what a person wrote or edited is never written to
//! - [`serving`]: the tools of `memora mcp --memory`, guarded memories, many writers, kills
//! - [`holding`]: a memory against the user's notes and against other memories
//! - [`exporting`]: memories that go out and come back
//! - [`importing`]: memories of other programs
//! - [`confirming`]: what the user keeps counts as their word
//! - [`consolidating`]: what is recalled often, repeated, or faded
//! - [`digesting`]: old sessions become the note of their week, and weeks that of their month
//! - [`doubting`]: what rests on what gave way, or is against the notes by now
//! - [`practising`]: procedures and how they went, and what is not known of its user
//! - [`extracting`]: what a language model finds in notes of sessions, as far as they say it
//! - [`wording`]: memories that become one in a sentence of a language model's
//! - [`hooking`]: what a session begins with, and the events of programs
//! - [`naming`]: what the names of files say
//! - [`checkpointing`]: what the end of a turn leaves and asks
//! - [`bridging`]: other programs' memory servers, which are asked and told; [`scripted_server`] plays one
//! - [`example`]: the memories of the example vault, which another machine wrote
//! - [`storming`]: many writers, an editor and kills at once
//! - [`succeeding`]: what a newer memory ends or replaces, and what stands beside it

mod bridging;
mod checkpointing;
mod confirming;
mod consolidating;
mod digesting;
mod doubting;
mod example;
mod exporting;
mod extracting;
mod holding;
mod hooking;
mod importing;
mod naming;
mod owning;
mod practising;
mod saving;
pub(crate) mod scripted_server;
mod serving;
mod storming;
mod succeeding;
mod wording;

use memora_testkit::{CommandOutput, Fixture, MemoraBinary};
use serde_json::Value;

/// A vault with one note of its owner's.
fn vault() -> Fixture {
    Fixture::from_notes(&[("drift.md", "# drift\n\ndrift is a log engine.\n")])
}

/// Runs `memora memory` for its owner.
fn memory(memora: &MemoraBinary, args: &[&str]) -> CommandOutput {
    let all: Vec<&str> = ["memory", "--json"].iter().chain(args).copied().collect();
    memora.at_local_door().run(&all)
}

/// The same as an agent.
fn as_agent(memora: &MemoraBinary, args: &[&str]) -> CommandOutput {
    let all: Vec<&str> = ["memory", "--json", "--agent", "claude-code"].iter().chain(args).copied().collect();
    memora.run(&all)
}

/// Saves a memory as its owner; gives its id and its path.
#[track_caller]
fn saved(memora: &MemoraBinary, content: &str) -> (String, String) {
    let report = memory(memora, &["save", content]).assert_code(0).json();
    (text_of(&report, "id"), text_of(&report, "path"))
}

#[track_caller]
fn text_of(report: &Value, key: &str) -> String {
    report[key].as_str().unwrap_or_else(|| panic!("no {key} in {report}")).to_owned()
}

/// The ids of the hits of a search by the owner.
fn found(memora: &MemoraBinary, args: &[&str]) -> Vec<String> {
    let args: Vec<&str> = ["search"].iter().chain(args).copied().collect();
    let report = memory(memora, &args).json();
    report["hits"].as_array().expect("hits").iter().map(|hit| text_of(hit, "id")).collect()
}
