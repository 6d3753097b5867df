//! The official inspector on a real server process: a second implementation of the protocol, and one that reads schemas.
//!
//! `.ci/run` installs it and says by `MEMORA_MCP_INSPECTOR` where its program lies; then it has to run. It needs Node 20.

use std::ffi::OsString;
use std::process::Command;

use memora_testkit::{Fixture, MemoraBinary};
use serde_json::Value;

use crate::support::{binary, id_of, indexed_example, program_in};

/// The inspector and the server that it starts.
struct Inspector<'a> {
    program: OsString,
    fixture: &'a Fixture,
    memora: &'a MemoraBinary,
}

impl Inspector<'_> {
    /// Runs a method and returns whether it succeeded, what was printed, and what was complained of.
    fn run(&self, method: &str, args: &[&str]) -> (bool, String, String) {
        let mut command = Command::new("node");
        command.arg(&self.program).arg("--cli");
        for (name, value) in [
            ("HOME", self.memora.home_dir()),
            ("MEMORA_STATE_DIR", &self.memora.state_dir()),
            ("MEMORA_CONFIG_DIR", &self.memora.config_dir()),
        ] {
            command.arg("-e").arg(format!("{name}={}", value.display()));
        }
        command.args(["-e", "MEMORA_TODAY=2025-12-31"]).arg(binary());
        command.arg("--vault").arg(self.fixture.vault()).args(["mcp", "--structured", "--method", method]).args(args);
        let output = command.output().unwrap_or_else(|error| panic!("node cannot be started: {error}"));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.success(), text(&output.stdout), text(&output.stderr))
    }

    /// The result of a method that succeeds, without a complaint.
    #[track_caller]
    fn result(&self, method: &str, args: &[&str]) -> Value {
        let (is_good, printed, complaint) = self.run(method, args);
        assert!(is_good && complaint.is_empty(), "{method} {args:?}: {complaint}");
        serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{method} {args:?}: {error}: {printed}"))
    }

    /// What is said of a method that fails.
    #[track_caller]
    fn complaint(&self, method: &str, args: &[&str]) -> String {
        let (is_good, printed, complaint) = self.run(method, args);
        assert!(!is_good, "{method} {args:?}: {printed}");
        complaint
    }
}

#[test]
fn the_official_inspector_lists_calls_and_reads() {
    let Some(program) = program_in("MEMORA_MCP_INSPECTOR") else { return };
    let (fixture, memora) = indexed_example();
    let id = id_of(&memora, "Since May 2025 Anna works at Tidewell");
    let inspector = Inspector { program, fixture: &fixture, memora: &memora };

    let listed = inspector.result("tools/list", &[]);
    assert_eq!(listed["tools"].as_array().map(Vec::len), Some(5), "{listed}");
    let call = |tool: &str, args: &[&str]| {
        let args: Vec<&str> = ["--tool-name", tool, "--tool-arg"].iter().chain(args).copied().collect();
        let told = inspector.result("tools/call", &args);
        assert_ne!(told["isError"], true, "{told}");
        told["structuredContent"].clone()
    };
    let found = call("memora_find", &["question=Anna", "limit=2"]);
    assert_eq!((&found["status"], found["passages"].as_array().map(Vec::len)), (&"found".into(), Some(2)), "{found}");
    assert_eq!(call("memora_read", &[&format!("claim={id}")])["claim"]["status"], "current");
    let draft = format!("text=Anna works at Tidewell [claim:{id}].");
    assert_eq!(call("memora_verify", &[&draft])["status"], "supported");

    let templates = inspector.result("resources/templates/list", &[]);
    assert_eq!(templates["resourceTemplates"].as_array().map(Vec::len), Some(2), "{templates}");
    let listed = inspector.result("resources/list", &[]);
    let note = listed["resources"][1]["uri"].as_str().expect("a note behind the review");
    for uri in [note, &format!("memora://claim/{id}")] {
        let read = inspector.result("resources/read", &["--uri", uri]);
        assert!(read["contents"][0]["text"].as_str().is_some_and(|text| !text.is_empty()), "{read}");
    }
    assert_eq!(inspector.result("prompts/list", &[])["prompts"].as_array().map(Vec::len), Some(2));

    let complaint = inspector.complaint("resources/read", &["--uri", "memora://note/nowhere.md"]);
    assert!(complaint.contains("-32002") && complaint.contains("hint: "), "{complaint}");
}
