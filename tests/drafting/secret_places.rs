//! Places that do not look like places for a secret: a comment in a property, a key in the name of a file or a folder.
//!
//! Both are said in every line of context that a model is given: a property as a claim, a name as the title.

use memora_testkit::{Fixture, MemoraBinary, ModelServer, ScriptedReply};

use super::guarded_words::{egress, said};
use super::{elsewhere, here};
use crate::support::{EVERY_COMMAND, Line, lines, memora};

const TOKEN: &str = "ghp_bbcdefghijklmnopqrstuvwxyz0123456789";
const FOUND: &str = "I found nothing about this in your notes.";
const QUESTIONS: &[&str] = &[
    "What does Quokka earn?",
    "What is the salary of Quokka?",
    "What are the bonus, the grade and the rate of Quokka?",
    "What is known about Quokka?",
    "Where does Quokka live?",
];

/// What a pipe is told and a model elsewhere is sent, over every question and every command.
fn outside(memora: &MemoraBinary) -> String {
    let mut told = String::new();
    for provider in ["openai", "anthropic", "ollama"] {
        let echo = |request: &memora_testkit::RecordedRequest| {
            ScriptedReply::text(String::from_utf8_lossy(&request.body).into_owned())
        };
        let server = ModelServer::start(vec![ScriptedReply::from_request(echo)]);
        elsewhere(memora, provider, &server);
        for question in QUESTIONS {
            // A pipe, and the user's own terminal: there the model is elsewhere all the same.
            for at in [memora.clone(), memora.at_local_door()] {
                let output = at.run(&["ask", question, "--show-prompt"]).assert_code(0);
                told += &format!("{}{}", output.stdout, output.stderr);
                let _ = at.run(&["ask", question, "--json"]);
            }
        }
        assert!(server.completion_requests().len() >= QUESTIONS.len(), "nobody was asked");
        told.extend(server.requests().iter().map(said));
    }
    memora.write_config("");
    for line in lines(EVERY_COMMAND).filter(|line| !line.contains("{ID}") && !line.contains("local")) {
        let output = Line::parse(line).run(memora);
        told += &format!("{}{}", output.stdout, output.stderr);
    }
    for command in [&["export"][..], &["claims", "--json"], &["search", "Quokka", "--json"], &["entity", "Quokka"]] {
        let output = memora.run(command);
        told += &format!("{}{}", output.stdout, output.stderr);
    }
    told + &egress(memora)
}

/// What a model on this machine is sent that the user trusts: the control.
fn inside(memora: &MemoraBinary) -> String {
    let server = ModelServer::start(vec![ScriptedReply::text(FOUND)]);
    here(memora, &server);
    for question in QUESTIONS {
        let _ = memora.at_local_door().run(&["ask", question]);
    }
    server.requests().iter().map(said).collect()
}

/// Somebody who takes a salary out of a note with `%%` means it to be gone, in the front matter as in the text.
#[test]
fn a_comment_in_a_property_is_neither_shown_nor_sent() {
    let front = [
        "city: Kaltenberg",
        "salary: \"%%6840 euros%%\"",
        "bonus:\n  - fortytwo\n  - \"%%seventeen%%\"",
        "grade: <!-- Elfstufe -->",
        "rate: \"%%ninetynine\"",
        "alias: \"%%Wombat%%\"",
        "food: \"rye bread\"",
    ];
    let note = format!("---\n{}\n---\nQuokka lives in Kaltenberg.\n", front.join("\n"));
    let fixture = Fixture::from_notes(&[("Quokka.md", &note)]);
    let memora = memora(&fixture);
    let told = outside(&memora);
    for word in ["6840", "fortytwo", "seventeen", "Elfstufe", "ninetynine", "Wombat"] {
        assert!(!told.contains(word), "{word}: {told}");
    }
    assert!(told.contains("Kaltenberg") && told.contains("rye bread"), "what is open stays open: {told}");
    let told = inside(&memora);
    assert!(told.contains("6840") && told.contains("seventeen"), "the control: {told}");
}

/// A key that was pasted into the name of a file is in the title that every one of its lines is shown with.
#[test]
fn a_key_in_a_name_is_neither_shown_nor_sent() {
    let file = format!("Quokka {TOKEN}.md");
    let folder = format!("Quokka keys {TOKEN}/Quokka.md");
    let fixture = Fixture::from_notes(&[
        (&file, "Quokka lives in Brackwater.\n"),
        (&folder, "Quokka lives in Sundhaven.\n"),
        ("zoo.md", "Quokka lives in Kaltenberg. Quokka likes rye bread.\n"),
    ]);
    let memora = memora(&fixture);
    let told = outside(&memora);
    for word in [TOKEN, "Brackwater", "Sundhaven"] {
        assert!(!told.contains(word), "{word}: {told}");
    }
    assert!(told.contains("Kaltenberg"), "what is open stays open: {told}");
    let told = inside(&memora);
    assert!(told.contains(TOKEN) && told.contains("Brackwater"), "the control: {told}");

    // A note that is given such a name is withheld from then on, though no byte of it changed.
    fixture.write("Bilby.md", "Bilby lives in Oldmarsh.\n");
    let asked = |memora: &MemoraBinary| memora.run(&["search", "Oldmarsh", "--json"]).stdout.contains("Bilby lives");
    assert!(asked(&memora), "the control");
    std::fs::rename(fixture.path("Bilby.md"), fixture.path(&format!("Bilby {TOKEN}.md"))).expect("a new name");
    assert!(!asked(&memora));
}
