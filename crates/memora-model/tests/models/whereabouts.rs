use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use memora_model::{ConnectedModel, KeySource, ModelConfig, ModelError, ModelLimits, Provider, RemoteReason};
use memora_testkit::{ModelServer, ScriptedReply, ShowReply};
use memora_vault::Hint as _;
use serde_json::json;

use crate::{CANARY, KEY, LIMITS, addresses, ask, config, connect, untrusted, url, with_key};

#[track_caller]
fn check(config: &ModelConfig, expect: Option<RemoteReason>) {
    let model = connect(config).expect("it is no error");
    assert_eq!((model.remote_reason(), model.is_local()), (expect, expect.is_none()), "{config:?}");
}

fn named(config: ModelConfig, name: &str) -> ModelConfig {
    ModelConfig { name: name.to_owned(), ..config }
}

#[test]
fn a_trusted_model_on_this_machine_is_near() {
    let server = ModelServer::start(vec![ScriptedReply::text("")]);
    for (provider, address) in addresses(&server) {
        check(&config(provider, &address), None);
        let model = connect(&config(provider, &address)).expect("it is there");
        assert_eq!(
            (model.name(), model.destination()),
            ("scripted:1b", server.address().trim_start_matches("http://"))
        );
    }
    // By name, too, if the name is this machine's alone.
    check(&config(Provider::Ollama, &format!("http://localhost:{}", server.port())), None);
    assert_eq!(server.completion_requests(), [], "no prompt is sent to find out");
}

#[test]
fn an_untrusted_model_on_this_machine_is_far_and_is_asked_nothing() {
    let server = ModelServer::start(vec![ScriptedReply::text("")]);
    for (provider, address) in addresses(&server) {
        check(&untrusted(config(provider, &address)), Some(RemoteReason::NotTrusted));
    }
    assert_eq!(server.requests(), []);
    // It may be a proxy into the cloud: what may leave may go there.
    let model = connect(&untrusted(config(Provider::Ollama, server.address()))).expect("it is no error");
    assert!(ask(&model, &AtomicBool::new(false)).is_ok());
}

#[test]
fn a_model_that_ollama_passes_on_is_far() {
    let server = ModelServer::start_with_show(ShowReply::ollama_cloud("big"), vec![ScriptedReply::text("")]);
    for (provider, address) in addresses(&server) {
        check(&config(provider, &address), Some(RemoteReason::RunsElsewhere));
    }
    let another = ShowReply::Remote { host: String::new(), model: "big".to_owned() };
    let server = ModelServer::start_with_show(another, vec![ScriptedReply::text("")]);
    check(&config(Provider::Ollama, server.address()), Some(RemoteReason::RunsElsewhere));
}

#[test]
fn a_cloud_model_is_known_by_its_name() {
    let server = ModelServer::start(vec![ScriptedReply::text("")]);
    for (provider, address) in addresses(&server) {
        for name in ["gpt-oss:120b-cloud", "kimi-k2:cloud", "kimi-k2:CLOUD", "x-cloud", "x: cloud "] {
            check(&named(config(provider, &address), name), Some(RemoteReason::NamedCloud));
        }
    }
    assert_eq!(server.requests(), []);
}

#[test]
fn an_ollama_that_does_not_say_is_far_and_others_need_not_know_the_question() {
    for show in
        [ShowReply::Unknown, ShowReply::Status(405), ShowReply::Status(501), ShowReply::Text(NO_SUCH_PATH.to_owned())]
    {
        let show_is_404 = matches!(show, ShowReply::Unknown);
        let server = ModelServer::start_with_show(show, vec![ScriptedReply::text("")]);
        let [(ollama, at), others @ ..] = addresses(&server);
        let why = if show_is_404 { RemoteReason::NoSuchModel } else { RemoteReason::NotSaid };
        check(&config(ollama, &at), Some(why));
        for (provider, address) in others {
            check(&config(provider, &address), None);
        }
    }
}

/// As LM Studio words it, with status 200.
const NO_SUCH_PATH: &str = r#"{"error":"Unexpected endpoint or method. (POST /api/show)"}"#;

/// Somebody in front of it may want a key or be busy; an answer that is not understood may be an Ollama's.
#[test]
fn whoever_answers_anything_else_is_far() {
    let statuses = [204, 301, 400, 401, 402, 403, 407, 408, 410, 418, 429, 500, 502, 503, 529].map(ShowReply::Status);
    let says = [
        "<html></html>",
        "",
        "{}",
        "[]",
        r#"{"error": "unauthorized"}"#,
        r#"{"details":{"a":1},"remote_host":["https://ollama.com"]}"#,
        r#"{"details":{"a":1},"remote_host":"https://ollama.com","remote_host":""}"#,
        r#"{"details":{"a":1},"info":{"rem\u006fte_host":"https://ollama.com"}}"#,
        r#"{"details":{"a":1},"remote_host":""}"#,
        r#"{"details":{"a":1}"#,
    ];
    let says = says.map(|words| ShowReply::Text(words.to_owned()));
    for show in statuses.into_iter().chain(says).chain([ShowReply::NotJson]) {
        let server = ModelServer::start_with_show(show, vec![ScriptedReply::text("")]);
        for (provider, address) in addresses(&server) {
            check(&config(provider, &address), Some(RemoteReason::NotSaid));
        }
    }
}

#[test]
fn an_ollama_behind_a_path_is_found_there() {
    let cloud = ModelServer::start_under_path("/ollama", ShowReply::ollama_cloud("big"), vec![ScriptedReply::text("")]);
    let near = ModelServer::start_under_path("/ollama", ShowReply::Local, vec![ScriptedReply::text("")]);
    let locked = ModelServer::start_under_path("/ollama", ShowReply::Status(401), vec![ScriptedReply::text("")]);
    for (provider, path) in [
        (Provider::Ollama, "/ollama"),
        (Provider::OpenAi, "/ollama/v1"),
        (Provider::OpenAi, "/ollama/v1/"),
        (Provider::Anthropic, "/ollama"),
        (Provider::Anthropic, "/ollama/v1"),
    ] {
        let at = |server: &ModelServer| config(provider, &format!("{}{path}", server.address()));
        check(&at(&cloud), Some(RemoteReason::RunsElsewhere));
        check(&at(&near), None);
        check(&at(&locked), Some(RemoteReason::NotSaid));
    }
    let asked: Vec<_> = near.requests().into_iter().map(|request| request.path).collect();
    assert!(asked.contains(&"/api/show".to_owned()) && asked.contains(&"/ollama/api/show".to_owned()), "{asked:?}");
}

/// Who wants a key before completions wants it before this.
#[test]
fn whereabouts_are_asked_with_the_key() {
    let server = ModelServer::start(vec![ScriptedReply::text("")]);
    for (provider, address) in addresses(&server) {
        check(&with_key(config(provider, &address)), None);
    }
    let asked = server.requests();
    assert_eq!(asked.len(), 4, "OpenAI's address has a path, so two are asked for it");
    for request in asked {
        assert!(request.headers.iter().any(|(_, value)| value.contains(KEY)), "{request:?}");
    }
}

#[test]
fn a_server_that_keeps_silent_is_far() {
    let server = ModelServer::start_with_show(ShowReply::Silence, vec![ScriptedReply::text("")]);
    let (limits, stop) = (ModelLimits { connect: Duration::from_millis(200), ..LIMITS }, AtomicBool::new(false));
    for (provider, address) in addresses(&server) {
        let model = ConnectedModel::connect(&config(provider, &address), &limits, &stop).expect("it is no error");
        assert_eq!(model.remote_reason(), Some(RemoteReason::NotSaid));
    }
    let gone = ModelServer::start(Vec::new()).address().to_owned();
    check(&config(Provider::Ollama, &gone), Some(RemoteReason::NotReached));
    check(&config(Provider::OpenAi, &gone), Some(RemoteReason::NotReached));
}

#[test]
fn plain_http_stays_on_this_machine() {
    for address in ["http://192.0.2.1:1", "http://api.example.invalid", "http://[2001:db8::1]:1", "http://0.0.0.0:1"] {
        for provider in Provider::ALL {
            for config in [config(provider, address), untrusted(config(provider, address))] {
                let error = connect(&config).expect_err("it would be readable on its way");
                assert_eq!(error.code(), "not_encrypted", "{address}");
                assert!(error.hint().contains("https"));
            }
        }
    }
}

#[test]
fn another_machine_is_far_however_much_it_is_trusted() {
    check(&config(Provider::Ollama, "https://192.0.2.1:1"), Some(RemoteReason::NotLoopback));
    check(&config(Provider::OpenAi, "https://api.example.invalid/v1"), Some(RemoteReason::NotLoopback));
    check(&untrusted(config(Provider::Anthropic, "https://api.anthropic.com")), Some(RemoteReason::NotTrusted));
}

/// The reply comes too late for the prompt, but not for the next one.
#[test]
fn a_near_model_that_turns_out_to_run_elsewhere_is_an_error() {
    let reply = json!({
        "model": "m", "remote_model": "big", "remote_host": "https://ollama.com:443",
        "message": {"role": "assistant", "content": "so it is"}, "done": true,
    });
    let server = ModelServer::start(vec![ScriptedReply::WrongShape(reply)]);
    let near = connect(&config(Provider::Ollama, server.address())).expect("it is there");
    assert_eq!(ask(&near, &AtomicBool::new(false)).map_err(|error| error.code()).err(), Some("elsewhere"));
    let far = connect(&untrusted(config(Provider::Ollama, server.address()))).expect("it is there");
    assert!(ask(&far, &AtomicBool::new(false)).is_ok());
}

/// Beside an error, in a part of a reply, in one that is too long: it left all the same, and is sent no second time.
#[test]
fn a_reply_from_elsewhere_is_noticed_in_whatever_came_of_it() {
    let said =
        json!({"remote_host": "https://ollama.com:443", "remote_model": "big", "message": {"content": "so it is"}});
    // What stands behind the bytes that are read is not known.
    let long = json!({"remote_host": "https://ollama.com:443", "thinking": "x".repeat(3 << 20)});
    for say in [
        ScriptedReply::ErrorJson(401, said.clone()),
        ScriptedReply::ErrorJson(500, said.clone()),
        ScriptedReply::CutShort(said.clone(), said.to_string().len() - 9),
        ScriptedReply::WrongShape(long),
        ScriptedReply::NotJson(format!("\u{feff}{said}")),
        ScriptedReply::NotJson(format!("{{\"message\": {{}}}}\n{said}\n")),
    ] {
        let server = ModelServer::start(vec![say]);
        let near = connect(&config(Provider::Ollama, server.address())).expect("it is there");
        for _ in 0..2 {
            let error = ask(&near, &AtomicBool::new(false)).expect_err("it left");
            assert_eq!(error.code(), "elsewhere", "{error}");
        }
        assert_eq!(server.completion_requests().len(), 1, "it is sent nothing more");
    }
}

/// In whichever format, and whatever else the reply is.
#[test]
fn a_reply_from_elsewhere_is_noticed_once_and_for_all() {
    let words = json!({"role": "assistant", "content": "so it is"});
    let refusal = json!({"role": "assistant", "content": null, "refusal": "no"});
    for (key, value) in [("remote_host", json!("https://ollama.com:443")), ("remote_model", json!(["big"]))] {
        for reply in [
            json!({"message": words, "done": true, "choices": [{"message": words}],
                "content": [{"type": "text", "text": "so it is"}], "stop_reason": "end_turn", key: value}),
            json!({"choices": [{"message": refusal}], "content": [], "stop_reason": "refusal", key: value}),
            json!({ key: value }),
        ] {
            let server = ModelServer::start(vec![ScriptedReply::WrongShape(reply.clone())]);
            for (number, (provider, address)) in addresses(&server).into_iter().enumerate() {
                let near = connect(&with_key(config(provider, &address))).expect("it is there");
                for again in [&near, &near.clone(), &near] {
                    let error = ask(again, &AtomicBool::new(false)).expect_err("it left");
                    assert_eq!(error.code(), "elsewhere", "{provider:?} {reply}");
                }
                assert_eq!(server.completion_requests().len(), number + 1, "it is sent nothing more");
            }
        }
    }
    // Nothing is said by nothing.
    let reply = json!({"choices": [{"message": words}], "remote_host": "", "remote_model": null});
    let server = ModelServer::start(vec![ScriptedReply::WrongShape(reply)]);
    let near = connect(&config(Provider::OpenAi, server.address())).expect("it is there");
    assert!(ask(&near, &AtomicBool::new(false)).is_ok());
}

#[test]
fn a_model_that_is_known_to_run_elsewhere_is_far() {
    let server = ModelServer::start(vec![ScriptedReply::text("")]);
    let near = connect(&config(Provider::Ollama, server.address())).expect("it is there");
    assert_eq!(near.into_remote().remote_reason(), Some(RemoteReason::RunsElsewhere));
    let far = connect(&untrusted(config(Provider::Ollama, server.address()))).expect("it is there");
    assert_eq!(far.into_remote().remote_reason(), Some(RemoteReason::NotTrusted));
}

#[test]
fn without_the_key_that_is_named_nothing_is_asked() {
    let server = ModelServer::start(vec![ScriptedReply::text("")]);
    let missing = KeySource::Env("MEMORA_TEST_NO_SUCH_KEY".to_owned());
    let error = connect(&ModelConfig { key: missing, ..config(Provider::OpenAi, server.address()) });
    let Err(error @ ModelError::Key { .. }) = error else { panic!("{error:?}") };
    assert_eq!(error.code(), "key");
    assert_eq!(server.requests(), []);
}

#[test]
fn whoever_wants_to_stop_is_heard_while_connecting() {
    let server = ModelServer::start_with_show(ShowReply::Silence, Vec::new());
    let stopped = ConnectedModel::connect(&config(Provider::Ollama, server.address()), &LIMITS, &AtomicBool::new(true));
    assert!(matches!(stopped, Err(ModelError::Stopped)), "{stopped:?}");
    let asks = KeySource::Command(["sleep", "600"].map(str::to_owned).into());
    let config = ModelConfig { key: asks, ..config(Provider::Ollama, server.address()) };
    let (stop, began) = (AtomicBool::new(false), Instant::now());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let stopped = ConnectedModel::connect(&config, &LIMITS, &stop);
        assert!(matches!(stopped, Err(ModelError::Stopped)), "{stopped:?}");
    });
    assert!(began.elapsed() < Duration::from_secs(10));
}

/// A socket is this machine's; nobody looks up the name that stands in the request.
#[cfg(unix)]
#[test]
fn a_model_behind_a_socket_is_near() {
    use std::io::{Read, Write};
    use std::net::{Shutdown, TcpStream};
    use std::os::unix::net::UnixListener;

    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("model one.sock");
    let (server, listener) =
        (ModelServer::start(vec![ScriptedReply::text("so it is")]), UnixListener::bind(&path).expect("a socket"));
    let port = server.port();
    std::thread::spawn(move || {
        // What comes goes to the server, what it says back; whoever is gone by then ends it.
        for mut near in listener.incoming().take(2).flatten() {
            let mut far = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
            let (mut request, mut sent) = (near.try_clone().expect("a socket"), far.try_clone().expect("a socket"));
            std::thread::spawn(move || {
                let mut piece = [0; 4096];
                while let Ok(read @ 1..) = request.read(&mut piece) {
                    sent.write_all(piece.get(..read).unwrap_or_default()).expect("it reads");
                }
            });
            std::io::copy(&mut far, &mut near).expect("it is read");
            near.shutdown(Shutdown::Both).expect("it can end");
        }
    });
    let address = format!("unix://{}", path.display()).replace(' ', "%20");
    let mut config = with_key(config(Provider::Ollama, "http://localhost"));
    config.url = url(&address);
    let model = connect(&config).expect("it is there");
    assert_eq!(
        (model.remote_reason(), model.destination()),
        (None, format!("unix:{}", path.display()).replace(' ', "%20").as_str())
    );
    assert_eq!(ask(&model, &AtomicBool::new(false)).expect("a reply").text(), "so it is");
    let asked = server.completion_requests().pop().expect("a request");
    assert_eq!(asked.header("host"), Some("localhost"));
    assert!(asked.user_message().contains(CANARY));
}

/// Run again by the test below, with a proxy in the environment.
#[test]
fn a_model_on_this_machine_is_reached_without_detours() {
    let server = ModelServer::start(vec![ScriptedReply::text("so it is")]);
    for config in [config(Provider::Ollama, server.address()), untrusted(config(Provider::Ollama, server.address()))] {
        let model = connect(&config).expect("it is there");
        assert_eq!(ask(&model, &AtomicBool::new(false)).expect("a reply").text(), "so it is");
    }
    assert_eq!(server.completion_requests().len(), 2);
}

#[test]
fn no_proxy_is_used_on_this_machine() {
    let proxy = ModelServer::start(vec![ScriptedReply::text("from a proxy")]);
    let this = std::env::current_exe().expect("a test has a file");
    let mut again = std::process::Command::new(this);
    again.args(["--exact", "whereabouts::a_model_on_this_machine_is_reached_without_detours"]);
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        again.env(name, proxy.address());
    }
    let output = again.env_remove("NO_PROXY").env_remove("no_proxy").output().expect("it can be run");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    assert_eq!(proxy.requests(), []);
}
