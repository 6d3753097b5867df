//! Where a model runs: what is treated as remote, or refused, whatever the user called it.

use memora_testkit::{Fixture, ModelServer, ScriptedReply, ShowReply};

use super::guarded_words::said;
use super::{configure, here};
use crate::support::memora;

/// What is treated as remote, or refused, whatever the user called it.
#[test]
fn a_model_is_on_this_machine_only_if_everything_says_so() {
    let fixture = Fixture::from_notes(&[(
        "Anna.md",
        "Anna likes rye. <!--privacy:secret-->Anna earns 6,840 euros.<!--/privacy-->\n",
    )]);
    let memora = memora(&fixture).at_local_door();
    let found = "I found nothing about this in your notes.";
    let sent = |server: &ModelServer| server.completion_requests().iter().map(said).collect::<String>();
    let ask = || memora.run(&["ask", "What does Anna earn?"]);
    let server = ModelServer::start(vec![ScriptedReply::text(found)]);
    here(&memora, &server);
    let _ = ask().assert_code(1);
    assert!(sent(&server).contains("6,840"), "the control");
    // Ollama passes it on, by its word or by its name; nobody said that the port is trusted; it is another provider's.
    for (show, lines) in [
        (ShowReply::ollama_cloud("big"), "provider = \"ollama\"\ntrusted_local = true\n"),
        (ShowReply::Unknown, "provider = \"ollama\"\ntrusted_local = true\n"),
        (ShowReply::Local, "provider = \"ollama\"\n"),
    ] {
        let server = ModelServer::start_with_show(show.clone(), vec![ScriptedReply::text(found)]);
        configure(&memora, &format!("{lines}url = \"{}\"\n", server.address()));
        let output = ask();
        assert!(!sent(&server).contains("6,840"), "{show:?} {lines}: {output}");
    }
    for name in ["gpt-oss:120b-cloud", "big:cloud", "BIG:CLOUD"] {
        let server = ModelServer::start(vec![ScriptedReply::text(found)]);
        here(&memora, &server);
        let output = memora.run(&["ask", "What does Anna earn?", "--model", name]);
        assert!(!sent(&server).contains("6,840"), "{name}: {output}");
        assert!(output.stderr.contains("treated as remote"), "it is said: {output}");
    }
    // A remote Ollama: without encryption it is refused.
    configure(&memora, "provider = \"ollama\"\nurl = \"http://192.0.2.1:11434\"\ntrusted_local = true\n");
    let refused = ask().assert_code(2);
    assert!(refused.stderr.contains("hint:"), "{refused}");
    // It sends elsewhere: nobody goes there.
    let other = ModelServer::start(vec![ScriptedReply::text(found)]);
    let server = ModelServer::start(vec![ScriptedReply::Redirect(format!("{}/api/chat", other.address()))]);
    here(&memora, &server);
    let _ = ask().assert_code(2);
    assert!(other.requests().is_empty(), "a redirect was followed");
}

/// An Ollama that is spoken to in another's format passes prompts on all the same.
#[test]
fn a_model_in_anothers_format_is_on_this_machine_only_if_that_is_plain() {
    let fixture = Fixture::from_notes(&[(
        "Anna.md",
        "Anna likes rye. <!--privacy:secret-->Anna earns 6,840 euros.<!--/privacy-->\n",
    )]);
    let memora = memora(&fixture).at_local_door();
    let sent = |provider: &str, path: &str, server: &ModelServer| {
        let url = format!("{}{path}", server.address());
        configure(&memora, &format!("provider = \"{provider}\"\nurl = \"{url}\"\ntrusted_local = true\n"));
        let output = memora.run(&["ask", "What does Anna earn?"]).assert_code(1);
        let all: String = server.completion_requests().iter().map(said).collect();
        assert!(all.contains("rye"), "it is asked: {output}");
        (all.contains("6,840"), output.stderr)
    };
    let found = || vec![ScriptedReply::text("I found nothing about this in your notes.")];
    let odd = r#"{"details":{"a":1},"remote_host":["https://ollama.com"]}"#;
    let twice = r#"{"details":{"a":1},"remote_host":"https://ollama.com","remote_host":""}"#;
    for (provider, path) in [("openai", "/v1"), ("anthropic", "")] {
        for show in [ShowReply::Local, ShowReply::Unknown] {
            assert!(sent(provider, path, &ModelServer::start_with_show(show, found())).0, "the control");
        }
        let says = [odd, twice].map(|words| ShowReply::Text(words.to_owned()));
        for show in [400, 401, 403, 407, 429].map(ShowReply::Status).into_iter().chain(says) {
            let (leaked, told) = sent(provider, path, &ModelServer::start_with_show(show.clone(), found()));
            assert!(!leaked && told.contains("does not say where"), "{provider} {show:?}: {told}");
        }
        let path = format!("/ollama{path}");
        let (leaked, told) =
            sent(provider, &path, &ModelServer::start_under_path("/ollama", ShowReply::ollama_cloud("big"), found()));
        assert!(!leaked && told.contains("runs elsewhere"), "{provider} behind a path: {told}");
    }
}
