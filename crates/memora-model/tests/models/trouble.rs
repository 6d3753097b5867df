use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use memora_model::{ConnectedModel, LanguageModel as _, ModelError, ModelLimits, Provider};
use memora_redact::{CloudDoor, LocalDoor};
use memora_testkit::{ModelServer, ScriptedReply};
use memora_vault::Hint as _;
use serde_json::json;

use crate::{CANARY, KEY, LIMITS, addresses, ask, config, connect, question, untrusted, with_key};

/// All that an error says, to whoever asks further.
fn all_of(error: &ModelError) -> String {
    let mut text = format!("{error} {error:?} {}", error.hint());
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(" {error} {error:?}"));
        cause = error.source();
    }
    text
}

/// Whatever the server says leads to this, after so many requests, for each provider, near and far.
#[track_caller]
fn check(say: fn() -> ScriptedReply, code: &str, requests: usize) {
    let began = Instant::now();
    let server = ModelServer::start(vec![say()]);
    let mut before = 0;
    for (provider, address) in addresses(&server) {
        for config in [with_key(config(provider, &address)), with_key(untrusted(config(provider, &address)))] {
            let model = connect(&config).expect("it is there");
            let error = ask(&model, &AtomicBool::new(false)).expect_err("it fails");
            assert_eq!(error.code(), code, "{error:?}");
            let said = all_of(&error);
            for secret in [CANARY, KEY, "scripted:1b", "messages", "You answer"] {
                assert!(!said.contains(secret), "{secret} in {said}");
            }
            let asked = server.completion_requests().len();
            assert_eq!(asked - before, requests, "{provider:?}: {error:?}");
            before = asked;
        }
    }
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn what_may_pass_is_tried_again_and_then_given_up() {
    check(|| ScriptedReply::EchoError(429), "busy", 3);
    check(|| ScriptedReply::EchoError(503), "busy", 3);
    check(|| ScriptedReply::EchoError(529), "busy", 3);
    check(|| ScriptedReply::EchoError(500), "status", 3);
    check(|| ScriptedReply::EchoError(502), "status", 3);
    check(|| ScriptedReply::EchoError(504), "status", 3);
    check(|| ScriptedReply::Closed, "unreachable", 3);
}

#[test]
fn what_will_not_pass_is_not_tried_again() {
    check(|| ScriptedReply::EchoError(400), "status", 1);
    check(|| ScriptedReply::EchoError(401), "status", 1);
    check(|| ScriptedReply::EchoError(404), "status", 1);
    check(|| ScriptedReply::EchoError(418), "status", 1);
    check(|| ScriptedReply::EchoError(501), "status", 1);
    check(|| ScriptedReply::EchoError(204), "status", 1);
}

#[test]
fn what_is_no_reply_is_not_understood_and_not_paid_for_twice() {
    check(|| ScriptedReply::HalfJson, "not_understood", 1);
    check(|| ScriptedReply::NotUtf8, "not_understood", 1);
    check(|| ScriptedReply::NotJson(format!("<html>{CANARY}</html>")), "not_understood", 1);
    check(|| ScriptedReply::WrongShape(json!({ CANARY: CANARY })), "not_understood", 1);
    check(|| ScriptedReply::WrongShape(json!([])), "not_understood", 1);
    check(|| ScriptedReply::Empty, "not_understood", 1);
    check(
        || ScriptedReply::WrongShape(json!({"message": {"content": [CANARY]}, "choices": [], "content": CANARY})),
        "not_understood",
        1,
    );
}

#[test]
fn a_large_reply_is_not_read() {
    check(|| ScriptedReply::Bytes(10_000_000), "too_large", 1);
}

#[test]
fn a_reply_may_be_as_large_as_it_may_be() {
    let server = ModelServer::start(vec![ScriptedReply::Bytes(1_000_000), ScriptedReply::Bytes(1 << 20)]);
    let model = connect(&config(Provider::Ollama, server.address())).expect("it is there");
    let reply = ask(&model, &AtomicBool::new(false)).expect("a large reply");
    assert_eq!(reply.text().len(), 1_000_000);
    // The words fit, and what surrounds them does not.
    assert_eq!(ask(&model, &AtomicBool::new(false)).map_err(|error| error.code()).err(), Some("too_large"));
}

#[test]
fn nobody_is_followed() {
    let elsewhere = ModelServer::start(vec![ScriptedReply::text("come here")]);
    let to = format!("{}/api/chat", elsewhere.address());
    let server = ModelServer::start(vec![ScriptedReply::Redirect(to)]);
    for (provider, address) in addresses(&server) {
        for config in [with_key(config(provider, &address)), with_key(untrusted(config(provider, &address)))] {
            let error = ask(&connect(&config).expect("it is there"), &AtomicBool::new(false)).expect_err("it fails");
            assert_eq!(error.code(), "redirect", "{error:?}");
        }
    }
    assert_eq!(elsewhere.requests(), [], "nothing is sent elsewhere");
    assert_eq!(server.completion_requests().len(), 6, "and nothing twice");
}

#[test]
fn a_refusal_is_no_answer() {
    let check = |provider: Provider, reply: serde_json::Value| {
        let server = ModelServer::start(vec![ScriptedReply::WrongShape(reply)]);
        let (_, address) = addresses(&server).into_iter().find(|(other, _)| *other == provider).expect("each has one");
        let error = ask(&connect(&with_key(config(provider, &address))).expect("it is there"), &AtomicBool::new(false));
        assert_eq!(error.map_err(|error| error.code()).err(), Some("refused"));
    };
    let refusal = json!({"message": {"role": "assistant", "content": null, "refusal": "no"}, "finish_reason": "stop"});
    check(Provider::OpenAi, json!({ "choices": [refusal] }));
    let filtered = json!({"message": {"role": "assistant", "content": ""}, "finish_reason": "content_filter"});
    check(Provider::OpenAi, json!({ "choices": [filtered] }));
    check(Provider::Anthropic, json!({"content": [], "stop_reason": "refusal"}));
}

#[test]
fn a_passing_trouble_passes() {
    let server = ModelServer::start(vec![
        ScriptedReply::Busy { status: 429, retry_after: 3600 },
        ScriptedReply::Closed,
        ScriptedReply::text("so it is"),
    ]);
    let began = Instant::now();
    let model = connect(&config(Provider::Ollama, server.address())).expect("it is there");
    assert_eq!(ask(&model, &AtomicBool::new(false)).expect("a reply").text(), "so it is");
    let completions = server.completion_requests();
    assert_eq!(completions.len(), 3);
    assert!(completions.iter().all(|request| request.body == completions[0].body), "the same is sent again");
    assert!(began.elapsed() < Duration::from_secs(10), "an hour is longer than it is waited for");
}

/// Near and far, whoever asks is told before each try, and may say no to any.
#[test]
fn nothing_is_sent_that_nobody_was_told_of() {
    for allowed in 0..=4 {
        let server = ModelServer::start(vec![ScriptedReply::EchoError(500)]);
        let near = connect(&config(Provider::Ollama, server.address())).expect("it is there");
        let far = connect(&untrusted(config(Provider::Ollama, server.address()))).expect("it is there");
        let mut told = 0;
        let mut sending = || {
            assert_eq!(server.completion_requests().len() % 3, told % 3, "before it is sent");
            told += 1;
            told <= allowed
        };
        let stop = AtomicBool::new(false);
        let ConnectedModel::Local(near) = near else { panic!("it is near") };
        let error = near.complete(&question::<LocalDoor>(), &mut sending, &stop).expect_err("it fails");
        assert_eq!(error.code(), if allowed < 3 { "not_logged" } else { "status" });
        assert_eq!(server.completion_requests().len(), allowed.min(3));
        if allowed == 4 {
            let ConnectedModel::Remote(far) = far else { panic!("it is far") };
            let error = far.complete(&question::<CloudDoor>(), &mut sending, &stop).expect_err("it fails");
            assert_eq!(error.code(), "not_logged", "four were allowed, and three of them used");
            assert_eq!((server.completion_requests().len(), told), (4, 5));
        }
    }
}

#[test]
fn nobody_is_told_of_what_is_stopped_before() {
    let server = ModelServer::start(vec![ScriptedReply::text("")]);
    let Ok(ConnectedModel::Local(near)) = connect(&config(Provider::Ollama, server.address())) else {
        panic!("it is near")
    };
    let error = near.complete(&question::<LocalDoor>(), &mut || panic!("it is stopped"), &AtomicBool::new(true));
    assert_eq!(error.map_err(|error| error.code()).err(), Some("stopped"));
    assert_eq!(server.completion_requests(), []);
}

#[test]
fn a_server_leaves_as_much_time_as_it_asks_for() {
    let server =
        ModelServer::start(vec![ScriptedReply::Busy { status: 503, retry_after: 1 }, ScriptedReply::text("so it is")]);
    let limits = ModelLimits { pause_max: Duration::from_secs(5), ..LIMITS };
    let (stop, began) = (AtomicBool::new(false), Instant::now());
    let model =
        ConnectedModel::connect(&config(Provider::Ollama, server.address()), &limits, &stop).expect("it is there");
    assert!(ask(&model, &stop).is_ok());
    assert!(began.elapsed() >= Duration::from_secs(1));
}

#[test]
fn a_server_that_keeps_silent_is_given_up() {
    let limits = ModelLimits { answer: Duration::from_millis(300), ..LIMITS };
    let server = ModelServer::start(vec![ScriptedReply::Hang]);
    let (stop, began) = (AtomicBool::new(false), Instant::now());
    let model =
        ConnectedModel::connect(&config(Provider::Ollama, server.address()), &limits, &stop).expect("it is there");
    assert_eq!(ask(&model, &stop).map_err(|error| error.code()).err(), Some("timeout"));
    assert!(began.elapsed() < Duration::from_secs(10));
    assert_eq!(server.completion_requests().len(), 1, "it is at work on the answer, and would begin another");
}

#[test]
fn whoever_wants_to_stop_is_heard() {
    // While a server is silent, and while it is left alone.
    for say in [|| ScriptedReply::Hang, || ScriptedReply::Busy { status: 429, retry_after: 3600 }] {
        let limits = ModelLimits { pause_max: Duration::from_secs(600), answer: Duration::from_secs(600), ..LIMITS };
        let server = ModelServer::start(vec![say()]);
        let stop = AtomicBool::new(false);
        let model =
            ConnectedModel::connect(&config(Provider::Ollama, server.address()), &limits, &stop).expect("it is there");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while server.completion_requests().is_empty() {
                    std::thread::yield_now();
                }
                stop.store(true, Ordering::Relaxed);
            });
            let began = Instant::now();
            assert_eq!(ask(&model, &stop).map_err(|error| error.code()).err(), Some("stopped"));
            assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        });
    }
}

#[test]
fn nobody_at_the_other_end_is_unreachable() {
    let server = ModelServer::start(Vec::new());
    let model = connect(&untrusted(config(Provider::Ollama, server.address()))).expect("it is no error yet");
    drop(server);
    let error = ask(&model, &AtomicBool::new(false)).expect_err("nobody is there");
    assert_eq!(error.code(), "unreachable");
    assert!(!all_of(&error).contains(CANARY));
}
