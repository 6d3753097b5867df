//! What the end of a turn leaves and asks: checkpoints by count, and the request to save.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use memora_testkit::{Fixture, TreeSnapshot};
use serde_json::{Value, json};

use super::hooks::{files_with, hook};
use super::vault;
use crate::support::memora;

/// The transcript of a session that goes on.
struct Talk {
    path: PathBuf,
    turns: usize,
}

impl Talk {
    fn new(fixture: &Fixture, name: &str) -> Self {
        Self { path: fixture.parent_dir().join(format!("{name}.jsonl")), turns: 0 }
    }

    /// Adds some turns, each with a request, an answer and the output of a tool.
    fn go_on(&mut self, turns: usize) {
        let mut file = fs::File::options().append(true).create(true).open(&self.path).expect("it can be opened");
        for _ in 0..turns {
            self.turns += 1;
            let number = self.turns;
            let message =
                |role: &str, content: Value| json!({"type": role, "message": {"role": role, "content": content}});
            for line in [
                message("user", format!("Please do step{number} now").into()),
                message("assistant", json!([{"type": "text", "text": format!("Decision: step{number} is done.")}])),
                message("user", json!([{"type": "tool_result", "content": "Not a request of anybody's."}])),
            ] {
                writeln!(file, "{line}").expect("it can be written");
            }
        }
    }

    fn event(&self, fixture: &Fixture) -> Value {
        json!({"session_id": "s1", "transcript_path": self.path, "cwd": fixture.vault()})
    }
}

/// The checkpoints of all logs, in order.
fn checkpoints(fixture: &Fixture) -> Vec<String> {
    let logs = files_with(fixture, "memora: log").iter().map(|log| fixture.read(log)).collect::<String>();
    logs.split("\n## ").skip(1).filter(|entry| entry.contains(" checkpoint (")).map(str::to_owned).collect()
}

#[test]
fn a_checkpoint_is_written_every_so_many_turns() {
    for program in ["claude-code", "codex", "cursor"] {
        let fixture = vault();
        let memora = memora(&fixture);
        memora.write_config("[memory]\ncheckpoint_every = 3\n");
        let mut talk = Talk::new(&fixture, "talk");
        let stop = |talk: &Talk| assert_eq!(hook(&memora, "stop", program, &talk.event(&fixture)), "");
        let mut written = Vec::new();
        for (turns, expected) in [(2, 0), (0, 0), (1, 1), (0, 1), (2, 1), (4, 2), (0, 2), (2, 2)] {
            talk.go_on(turns);
            stop(&talk);
            written = checkpoints(&fixture);
            assert_eq!(written.len(), expected, "after {} turns of {program}: {written:?}", talk.turns);
        }
        let has = |entry: usize, step: &str| written[entry].contains(&format!("Asked: Please do {step} now\n"));
        assert!(has(0, "step1") && has(0, "step3") && !has(0, "step4"), "{written:?}");
        assert!(!has(1, "step3") && has(1, "step4") && has(1, "step9"), "what the first one has is not there again");
        assert!(written[0].contains("- Said: Decision: step3 is done.\n- Last answer: Decision: step3 is done."));
        assert!(written[0].contains(&format!(" checkpoint ({program}) ^mem-")) && !written[0].contains("anybody"));
        // A compaction writes what is left, once, and the count begins again.
        for _ in 0..2 {
            assert_eq!(hook(&memora, "pre-compact", program, &talk.event(&fixture)), "");
            written = checkpoints(&fixture);
            assert_eq!(written.len(), 3, "{written:?}");
        }
        assert!(written[2].contains("step10") && written[2].contains("step11") && !written[2].contains("step9"));
        talk.go_on(2);
        stop(&talk);
        assert_eq!(checkpoints(&fixture).len(), 3);
        talk.go_on(1);
        stop(&talk);
        assert_eq!(checkpoints(&fixture).len(), 4);
        // Another session has a count of its own.
        let mut other = Talk::new(&fixture, "other");
        other.go_on(2);
        stop(&other);
        assert_eq!(checkpoints(&fixture).len(), 4);
    }
}

#[test]
fn by_default_fifty_turns_make_a_checkpoint_and_none_a_request() {
    let fixture = vault();
    let memora = memora(&fixture);
    let mut talk = Talk::new(&fixture, "talk");
    for (turns, expected) in [(49, 0), (1, 1), (49, 1), (1, 2)] {
        talk.go_on(turns);
        assert_eq!(hook(&memora, "stop", "claude-code", &talk.event(&fixture)), "");
        assert_eq!(checkpoints(&fixture).len(), expected, "after {} turns", talk.turns);
    }
    // The words of the session are in the log alone.
    let state = memora.state_dir();
    let kept = TreeSnapshot::take(&state);
    let counts: Vec<&str> = kept.file_names().filter(|name| name.contains("turns/")).collect();
    let [counts] = counts.as_slice() else { panic!("one session, one file: {counts:?}") };
    assert!(!fs::read_to_string(state.join(counts)).expect("it is text").contains("step"), "{counts}");
    for (settings, turns) in [("checkpoint_every = 0", 60), ("agents = \"read\"", 60), ("agents = \"off\"", 60)] {
        memora.write_config(&format!("[memory]\n{settings}\n"));
        talk.go_on(turns);
        assert_eq!(hook(&memora, "stop", "claude-code", &talk.event(&fixture)), "");
        assert_eq!(checkpoints(&fixture).len(), 2, "{settings}");
    }
}

#[test]
fn hooks_that_run_at_once_write_one_checkpoint() {
    let fixture = vault();
    let memora = memora(&fixture);
    let mut talk = Talk::new(&fixture, "talk");
    talk.go_on(50);
    let event = talk.event(&fixture);
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| assert_eq!(hook(&memora, "stop", "claude-code", &event), ""));
        }
    });
    assert_eq!(hook(&memora, "stop", "claude-code", &event), "");
    assert_eq!(checkpoints(&fixture).len(), 1);
}

#[test]
fn an_agent_is_asked_once_to_save_in_the_shape_of_its_program() {
    for program in ["claude-code", "codex", "cursor"] {
        let fixture = vault();
        let memora = memora(&fixture);
        memora.write_config("[memory]\nask_every = 3\ncheckpoint_every = 0\n");
        let mut talk = Talk::new(&fixture, "talk");
        let stop = |talk: &Talk, more: Value| {
            let mut event = talk.event(&fixture);
            event.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
            hook(&memora, "stop", program, &event)
        };
        let plain = json!({"stop_hook_active": false, "loop_count": 0, "status": "completed"});
        talk.go_on(2);
        assert_eq!(stop(&talk, plain.clone()), "");
        talk.go_on(1);
        for again in [json!({"stop_hook_active": true}), json!({"loop_count": 1}), json!({"status": "aborted"})] {
            assert_eq!(stop(&talk, again.clone()), "", "{again}");
        }
        let answer: Value = serde_json::from_str(&stop(&talk, plain.clone())).expect("an answer");
        let said = match program {
            "cursor" => &answer["followup_message"],
            _ => {
                assert_eq!(answer["decision"], "block", "{answer}");
                &answer["reason"]
            }
        };
        let said = said.as_str().expect("a request").to_owned();
        assert!(said.contains("memory_save") && answer.as_object().is_some_and(|fields| fields.len() <= 2), "{answer}");
        // Some programs do not say that a turn was one that a hook asked for.
        assert_eq!(stop(&talk, plain.clone()), "");
        // What a program puts into the transcript as the user's message is neither a turn nor a request of the user's.
        let message = json!({"type": "user", "message": {"role": "user", "content": said}});
        let mut file = fs::File::options().append(true).open(&talk.path).expect("it is there");
        writeln!(file, "{message}").expect("it can be written");
        talk.go_on(2);
        assert_eq!(stop(&talk, plain.clone()), "");
        let prompt = json!({"session_id": "s1", "cwd": fixture.vault(), "prompt": said});
        assert_eq!(hook(&memora, "prompt", program, &prompt), "");
        assert_eq!(hook(&memora, "pre-compact", program, &talk.event(&fixture)), "");
        assert!(!checkpoints(&fixture).concat().contains("memory_save"));
        talk.go_on(1);
        assert!(stop(&talk, plain.clone()).contains("memory_save"));
        let logged = memora.at_local_door().run(&["privacy", "egress", "--json"]).assert_code(0).stdout;
        assert_eq!(logged.matches("\"stop\"").count(), 2, "{logged}");
        memora.write_config("[memory]\nask_every = 1\nagents = \"read\"\n");
        talk.go_on(5);
        assert_eq!(stop(&talk, plain), "", "it may not save");
    }
}

#[test]
fn no_transcript_costs_a_turn_anything() {
    let fixture = vault();
    let memora = memora(&fixture);
    memora.write_config("[memory]\nask_every = 1\ncheckpoint_every = 1\n");
    let garbage = fixture.parent_dir().join("garbage.jsonl");
    fs::write(&garbage, b"\xff\xfe\n{\n[1,2]\n\x00").expect("it can be written");
    for transcript in [json!(null), json!("/nowhere.jsonl"), json!(fixture.parent_dir()), json!(garbage)] {
        let event = json!({"session_id": "s1", "transcript_path": transcript, "cwd": fixture.vault()});
        for name in ["stop", "pre-compact"] {
            assert_eq!(hook(&memora, name, "claude-code", &event), "", "{event}");
        }
    }
    assert_eq!(checkpoints(&fixture).len(), 0);
}

/// A citation in the middle of a key, a last line that is still written, and what is no transcript at all.
#[test]
fn what_a_session_says_loses_no_checkpoint_and_keeps_nobody_waiting() {
    let fixture = vault();
    let memora = memora(&fixture);
    memora.write_config("[memory]\ncheckpoint_every = 1\n");
    let mut talk = Talk::new(&fixture, "talk");
    talk.go_on(1);
    let said = "Use AKIA[claim:7h3kq0v9x2ma]IOSFODNN7EXAMPLE for it";
    let line = json!({"type": "user", "message": {"role": "user", "content": said}}).to_string();
    let append = |text: &str| {
        let mut file = fs::File::options().append(true).open(&talk.path).expect("it can be opened");
        file.write_all(text.as_bytes()).expect("it can be written");
    };
    append(&line);
    for _ in 0..3 {
        assert_eq!(hook(&memora, "pre-compact", "claude-code", &talk.event(&fixture)), "");
    }
    let written = checkpoints(&fixture);
    assert!(written.len() == 1 && written[0].contains("step1") && !written[0].contains("Use "), "{written:?}");
    append("\n");
    assert_eq!(hook(&memora, "stop", "claude-code", &talk.event(&fixture)), "");
    let written = checkpoints(&fixture);
    assert!(
        written.len() == 2 && written[1].contains("[credential]") && !written[1].contains("IOSFODNN"),
        "{written:?}"
    );
    assert_eq!(hook(&memora, "session-end", "claude-code", &talk.event(&fixture)), "");
    let notes = files_with(&fixture, "memora: session");
    assert!(notes.len() == 1 && fixture.read(&notes[0]).contains("step1"), "{notes:?}");
    #[cfg(unix)]
    {
        let pipe = fixture.parent_dir().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo can be started");
        assert!(made.success());
        for path in [pipe.as_path(), "/dev/zero".as_ref(), fixture.vault()] {
            let event = json!({"session_id": "s2", "transcript_path": path, "cwd": fixture.vault()});
            for what in ["stop", "pre-compact", "session-end"] {
                assert_eq!(hook(&memora, what, "claude-code", &event), "", "{what} of {}", path.display());
            }
        }
        assert_eq!(checkpoints(&fixture).len(), 2);
    }
}
