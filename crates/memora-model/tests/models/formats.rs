use std::sync::atomic::AtomicBool;

use memora_model::{ConnectedModel, Provider, TokenUsage};
use memora_redact::{CloudDoor, LocalDoor, LocalPrompt, Template};
use memora_testkit::{ModelServer, RecordedRequest, ScriptedReply};
use memora_vault::Band;
use serde_json::{Value, json};

use crate::{
    CANARY, KEY, LanguageModel as _, addresses, ask, config, connect, extract, question, request, untrusted, with_key,
};

/// What is sent by a far model of each provider, for a question or for JSON.
fn sent(provider: Provider, structured: bool) -> RecordedRequest {
    let server = ModelServer::start(vec![ScriptedReply::text("so it is")]);
    let (_, address) = addresses(&server).into_iter().find(|(other, _)| *other == provider).expect("each has one");
    let config = with_key(untrusted(config(provider, &address)));
    let ConnectedModel::Remote(model) = connect(&config).expect("a far model") else { panic!("nobody trusts it") };
    let prompt = if structured { extract("Anna moved to Kiel.\n", &CloudDoor::default()) } else { question() };
    let reply = model.complete(&prompt, &mut || true, &AtomicBool::new(false)).expect("a reply");
    assert_eq!((reply.text(), reply.band(), reply.is_truncated()), ("so it is", Band::Public, false));
    assert_eq!(reply.tokens(), Some(TokenUsage { sent: 17, received: 5 }));
    let mut requests = server.requests();
    assert_eq!(requests.len(), 1, "nobody else is asked for a far model");
    requests.remove(0)
}

fn said() -> (String, String) {
    (Template::Answer.instructions().to_owned(), question::<CloudDoor>().user().to_owned())
}

fn schema() -> Value {
    serde_json::from_str(Template::Extract.reply_schema().expect("it has one")).expect("JSON")
}

fn answer_schema() -> Value {
    let schema = memora_redact::Template::Answer.reply_schema().expect("an answer is asked for in JSON");
    serde_json::from_str(schema).expect("JSON")
}

#[test]
fn ollama_is_sent_a_chat() {
    let (system, user) = said();
    let expect = json!({
        "model": "scripted:1b",
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
        "stream": false,
        "options": {"temperature": 0, "num_predict": 100, "num_ctx": 8192},
        "format": answer_schema(),
    });
    let request = sent(Provider::Ollama, false);
    assert_eq!((request.path.as_str(), request.json()), ("/api/chat", expect));
    assert_eq!(request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(sent(Provider::Ollama, true).json()["format"], schema());
}

#[test]
fn openai_and_its_like_are_sent_a_chat() {
    let (system, user) = said();
    let expect = json!({
        "model": "scripted:1b",
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
        "stream": false,
        "temperature": 0,
        "max_tokens": 100,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": true, "schema": answer_schema()},
        },
    });
    let request = sent(Provider::OpenAi, false);
    assert_eq!((request.path.as_str(), request.json()), ("/v1/chat/completions", expect));
    assert_eq!(request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    let format = json!({"type": "json_schema", "json_schema": {"name": "extract", "strict": true, "schema": schema()}});
    assert_eq!(sent(Provider::OpenAi, true).json()["response_format"], format);
}

/// Its newer models turn down what others need.
#[test]
fn openai_itself_is_not_told_a_temperature() {
    let far = connect(&untrusted(config(Provider::OpenAi, "https://api.openai.com/v1"))).expect("nobody is asked yet");
    let body = request(&far, &question(), &question()).body;
    let body: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!((&body["temperature"], &body["max_tokens"]), (&Value::Null, &Value::Null));
    assert_eq!((&body["max_completion_tokens"], &body["store"]), (&json!(100), &json!(false)));
}

#[test]
fn anthropic_is_sent_messages() {
    let (system, user) = said();
    let expect = json!({
        "model": "scripted:1b",
        "max_tokens": 100,
        "system": system,
        "messages": [{"role": "user", "content": user}],
        "stream": false,
        "output_config": {"format": {"type": "json_schema", "schema": answer_schema()}},
    });
    let request = sent(Provider::Anthropic, false);
    assert_eq!((request.path.as_str(), request.json()), ("/v1/messages", expect));
    assert_eq!(request.header("x-api-key"), Some(KEY));
    assert_eq!(request.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(request.header("authorization"), None);
    let output = json!({"format": {"type": "json_schema", "schema": schema()}});
    assert_eq!(sent(Provider::Anthropic, true).json()["output_config"], output);
}

/// A model fills in a schema's properties in their order, and the quote comes first.
#[test]
fn a_schema_is_sent_in_the_order_of_its_file() {
    for provider in Provider::ALL {
        let body = String::from_utf8(sent(provider, true).body).expect("UTF-8");
        let at = |name: &str| body.find(&format!("\"{name}\": {{ \"type\": \"string\" }}")).expect("it is there");
        assert!(at("quote") < at("subject") && at("subject") < at("predicate") && at("predicate") < at("object"));
    }
}

#[test]
fn what_is_shown_beforehand_is_what_is_sent() {
    for trusted in [false, true] {
        let server = ModelServer::start(vec![ScriptedReply::text("")]);
        for (number, (provider, address)) in addresses(&server).into_iter().enumerate() {
            let mut config = with_key(config(provider, &address));
            config.trusted_local = trusted;
            let model = connect(&config).expect("it is there");
            assert_eq!(model.is_local(), trusted);
            let shown = request(&model, &question(), &question());
            assert_eq!(server.completion_requests().len(), number, "showing sends nothing");
            ask(&model, &AtomicBool::new(false)).expect("a reply");
            let sent = server.completion_requests().pop().expect("a request");
            assert_eq!((shown.method, &shown.body), (sent.method.as_str(), &sent.body));
            assert!(shown.url.ends_with(&sent.path) && shown.url.starts_with(server.address()));
            let of_course = ["host", "content-length"];
            let rest: Vec<_> = sent.headers.iter().filter(|(name, _)| !of_course.contains(&name.as_str())).collect();
            assert_eq!(rest.len(), shown.headers.len(), "{rest:?}");
            for (name, value) in rest {
                let shown = shown.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str());
                let hidden = value.replace(KEY, "…");
                assert_eq!(shown, Some(hidden.as_str()), "{name}");
            }
            let key = sent.headers.iter().filter(|(_, value)| value.contains(KEY)).count();
            assert_eq!(key, 1, "the key is in one header");
            assert!(sent.header("user-agent").is_some_and(|agent| agent.starts_with("memora/")));
        }
    }
}

#[test]
fn without_a_key_there_is_no_header_for_one() {
    let server = ModelServer::start(vec![ScriptedReply::text("")]);
    for (provider, address) in addresses(&server) {
        let model = connect(&config(provider, &address)).expect("it is there");
        drop(ask(&model, &AtomicBool::new(false)));
    }
    for request in server.requests() {
        assert!(request.header("authorization").is_none() && request.header("x-api-key").is_none());
        assert!(request.header("cookie").is_none());
    }
}

#[test]
fn a_reply_is_as_guarded_as_its_prompt() {
    let server = ModelServer::start(vec![ScriptedReply::text("so it is")]);
    let text = "<!--privacy:secret-->Anna earns 90k.<!--/privacy-->\n";
    let prompt: LocalPrompt = extract(text, &LocalDoor);
    for (provider, address) in addresses(&server).into_iter().take(2) {
        let ConnectedModel::Local(model) = connect(&config(provider, &address)).expect("it is there") else {
            panic!("it is near")
        };
        let reply = model.complete(&prompt, &mut || true, &AtomicBool::new(false)).expect("a reply");
        assert_eq!(reply.band(), Band::Secret);
        assert!(!format!("{reply:?}").contains("so it is"), "{reply:?}");
    }
}

#[test]
fn a_near_model_takes_what_may_leave_as_well() {
    let server = ModelServer::start(vec![ScriptedReply::text("so it is")]);
    let ConnectedModel::Local(model) = connect(&config(Provider::Ollama, server.address())).expect("it is there")
    else {
        panic!("it is near")
    };
    assert!(model.complete(&question::<CloudDoor>(), &mut || true, &AtomicBool::new(false)).is_ok());
    assert!(model.complete(&question::<LocalDoor>(), &mut || true, &AtomicBool::new(false)).is_ok());
}

#[test]
fn what_breaks_off_says_so() {
    let server = ModelServer::start(vec![ScriptedReply::Truncated("so it".to_owned())]);
    for (provider, address) in addresses(&server) {
        let model = connect(&with_key(config(provider, &address))).expect("it is there");
        let reply = ask(&model, &AtomicBool::new(false)).expect("a reply");
        assert_eq!((reply.text(), reply.is_truncated()), ("so it", true));
    }
}

#[test]
fn nothing_that_is_printed_of_a_model_has_a_key_or_a_word() {
    let server = ModelServer::start(vec![ScriptedReply::text("")]);
    for (provider, address) in addresses(&server) {
        for config in [with_key(config(provider, &address)), with_key(untrusted(config(provider, &address)))] {
            let model = connect(&config).expect("it is there");
            let request = request(&model, &question(), &question());
            let printed = format!("{config:?} {model:?} {request:?} {:?}", request.headers);
            assert!(!printed.contains(KEY) && !printed.contains(CANARY), "{printed}");
        }
    }
}
