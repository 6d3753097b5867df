//! A conversation with the official Python client, which checks every result against the published schema itself.
//!
//! `.ci/run` installs the client and says by `MEMORA_MCP_PYTHON` which Python has it; then it has to be there. Without the
//! variable there is nothing to hold a conversation with, and what [`super`] says holds all the same.

use std::path::Path;
use std::process::Command;

use crate::support::{binary, id_of, indexed_example, program_in, workspace};

#[test]
fn the_official_python_client_holds_a_conversation() {
    let Some(python) = program_in("MEMORA_MCP_PYTHON") else { return };
    let (fixture, memora) = indexed_example();
    let id = id_of(&memora, "Since May 2025 Anna works at Tidewell");
    let output = Command::new(&python)
        .arg(workspace().join("tests/mcp/conversation.py"))
        .args([binary().as_path(), fixture.vault(), memora.home_dir(), Path::new(&id)])
        .output()
        .unwrap_or_else(|error| panic!("MEMORA_MCP_PYTHON={} cannot be started: {error}", python.display()));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "done", "{said}");
}
