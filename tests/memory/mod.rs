//! What agents remember: the acceptance checks of memory's files and gates, by real commands and real servers.
//!
//! - [`save`]: what is saved, what is refused, where it lies
//! - [`ownership`]: what a person wrote or edited is never written to
//! - [`mcp_tools`]: the tools of `memora mcp --memory`, guarded memories, many writers, kills
//! - [`conflicts`]: a memory against the user's notes and against other memories
//! - [`export`]: memories that go out and come back
//! - [`import`]: memories of other programs
//! - [`confirmation`]: what the user keeps counts as their word
//! - [`consolidation`]: what is recalled often, repeated, or faded
//! - [`digests`]: old sessions become the note of their week, and weeks that of their month
//! - [`outdated`]: what rests on what gave way, or is against the notes by now
//! - [`procedures`]: procedures and how they went, and what is not known of its user
//! - [`session_facts`]: what a language model finds in notes of sessions, as far as they say it
//! - [`worded_merges`]: memories that become one in a sentence of a language model's
//! - [`hooks`]: what a session begins with, and the events of programs
//! - [`file_names`]: what the names of files say
//! - [`checkpoints`]: what the end of a turn leaves and asks
//! - [`bridges`]: other programs' memory servers, which are asked and told; [`scripted_server`] plays one
//! - [`example`]: the memories of the example vault, which another machine wrote
//! - [`concurrency`]: many writers, an editor and kills at once
//! - [`supersession`]: what a newer memory ends or replaces, and what stands beside it

mod bridges;
mod checkpoints;
mod concurrency;
mod confirmation;
mod conflicts;
mod consolidation;
mod digests;
mod example;
mod export;
mod file_names;
mod hooks;
mod import;
mod mcp_tools;
mod outdated;
mod ownership;
mod procedures;
mod save;
pub(crate) mod scripted_server;
mod session_facts;
mod supersession;
mod worded_merges;

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
