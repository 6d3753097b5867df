//! The scripted model is spoken to as a client would, over a bare connection.

use std::io::{Read, Write};
use std::net::TcpStream;

use memora_testkit::{ModelServer, ScriptedReply, ShowReply};
use serde_json::{Value, json};

const OLLAMA: &str = "/api/chat";
const OPENAI: &str = "/v1/chat/completions";
const ANTHROPIC: &str = "/v1/messages";

/// A request that each provider would take.
fn whole() -> Value {
    json!({
        "model": "m", "max_tokens": 9, "stream": false, "system": "rules",
        "messages": [{"role": "user", "content": "words\n{\"id\": \"abc\"}\n"}],
    })
}

/// The status, the headers, the body, and the bytes that were sent for them.
fn post(server: &ModelServer, path: &str, headers: &str, body: &str) -> (u16, String, Vec<u8>, String) {
    let length = body.len();
    let sent = format!("POST {path} HTTP/1.1\r\nHost: here\r\n{headers}Content-Length: {length}\r\n\r\n{body}");
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).expect("it listens");
    stream.write_all(sent.as_bytes()).expect("it reads");
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).expect("it ends");
    let end = reply.windows(4).position(|bytes| bytes == b"\r\n\r\n").map_or(reply.len(), |at| at + 4);
    let (head, body) = reply.split_at(end);
    let head = String::from_utf8_lossy(head).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, head, body.to_vec(), sent)
}

fn ask(server: &ModelServer, path: &str) -> (u16, Vec<u8>) {
    let headers = "x-api-key: k\r\nanthropic-version: 2023-06-01\r\n";
    let (status, _, body, _) = post(server, path, headers, &whole().to_string());
    (status, body)
}

fn json_of(body: &[u8]) -> Value {
    serde_json::from_slice(body).expect("JSON")
}

#[test]
fn each_provider_is_answered_in_its_own_shape() {
    let server = ModelServer::start(vec![ScriptedReply::text("so it is")]);
    let reply = |path| json_of(&ask(&server, path).1);
    assert_eq!(reply(OLLAMA)["message"]["content"], "so it is");
    assert_eq!(reply(OLLAMA)["done_reason"], "stop");
    assert_eq!(reply(OPENAI)["choices"][0]["message"]["content"], "so it is");
    assert_eq!(reply(ANTHROPIC)["content"][0]["text"], "so it is");
}

#[test]
fn the_script_is_told_in_turn_and_its_end_again_and_again() {
    let server = ModelServer::start(vec![
        ScriptedReply::text("one"),
        ScriptedReply::EchoError(500),
        ScriptedReply::from_request(|request| ScriptedReply::text(request.offered_ids().join(" "))),
    ]);
    let said: Vec<(u16, Value)> = (0..4).map(|_| ask(&server, OLLAMA)).map(|(s, body)| (s, json_of(&body))).collect();
    assert_eq!(said.iter().map(|(status, _)| *status).collect::<Vec<_>>(), [200, 500, 200, 200]);
    assert_eq!(said[2].1["message"]["content"], "abc");
    assert_eq!(said[3].1["message"]["content"], "abc");
}

#[test]
fn every_byte_is_kept() {
    let server = ModelServer::start(vec![ScriptedReply::text("")]);
    let (_, _, _, sent) = post(&server, OLLAMA, "X-Odd:  value \r\n", &whole().to_string());
    let requests = server.requests();
    let [request] = requests.as_slice() else { panic!("{requests:?}") };
    assert_eq!(String::from_utf8_lossy(&request.raw), sent);
    assert_eq!(request.header("x-odd"), Some("value"));
    assert_eq!(request.json(), whole());
    assert_eq!((request.system_prompt().as_str(), request.offered_objects().len()), ("rules", 1));
}

#[test]
fn what_a_provider_would_turn_down_is_turned_down_and_no_turn_of_the_script() {
    let server = ModelServer::start(vec![ScriptedReply::text("one"), ScriptedReply::text("two")]);
    let without = |field: &str| {
        let mut body = whole();
        body.as_object_mut().expect("an object").remove(field);
        body.to_string()
    };
    let status = |path, headers, body: &str| post(&server, path, headers, body).0;
    assert_eq!(status(ANTHROPIC, "anthropic-version: 1\r\n", &whole().to_string()), 401);
    assert_eq!(status(ANTHROPIC, "x-api-key: k\r\n", &whole().to_string()), 400);
    assert_eq!(status(ANTHROPIC, "x-api-key: k\r\nanthropic-version: 1\r\n", &without("max_tokens")), 400);
    assert_eq!(status(OLLAMA, "", &without("stream")), 400);
    assert_eq!(status(OPENAI, "", &without("model")), 400);
    assert_eq!(status("/elsewhere", "", &without("model")), 404);
    assert_eq!(json_of(&ask(&server, OLLAMA).1)["message"]["content"], "one");
}

#[test]
fn it_misbehaves_when_told_to() {
    let check = |say: ScriptedReply, expect: fn(u16, &str, &[u8]) -> bool| {
        let server = ModelServer::start(vec![say]);
        let (status, head, body, _) = post(&server, OPENAI, "", &whole().to_string());
        assert!(expect(status, &head, &body), "{head}{}", String::from_utf8_lossy(&body));
    };
    check(ScriptedReply::Busy { status: 429, retry_after: 7 }, |status, head, _| {
        status == 429 && head.contains("Retry-After: 7")
    });
    check(ScriptedReply::Redirect("http://x/".to_owned()), |s, head, _| {
        s == 307 && head.contains("Location: http://x/")
    });
    check(ScriptedReply::Bytes(10_000_000), |_, _, body| body.len() > 10_000_000);
    check(ScriptedReply::HalfJson, |s, _, body| s == 200 && serde_json::from_slice::<Value>(body).is_err());
    check(ScriptedReply::NotUtf8, |s, _, body| s == 200 && std::str::from_utf8(body).is_err());
    check(ScriptedReply::Empty, |s, _, body| s == 200 && body.is_empty());
    check(ScriptedReply::Closed, |_, head, _| head.is_empty());
    check(ScriptedReply::WrongShape(json!([1])), |_, _, body| body == b"[1]");
    check(ScriptedReply::Truncated("so".to_owned()), |_, _, body| {
        json_of(body)["choices"][0]["finish_reason"] == "length"
    });
    // Some servers repeat what they were asked, and nobody may print that.
    check(ScriptedReply::EchoError(500), |_, _, body| String::from_utf8_lossy(body).contains("words"));
}

#[test]
fn it_tells_where_its_model_runs() {
    let show = |show| {
        let server = ModelServer::start_with_show(show, Vec::new());
        let (status, _, body, _) = post(&server, "/api/show", "", r#"{"model": "m"}"#);
        (status, serde_json::from_slice::<Value>(&body).unwrap_or_default())
    };
    assert_eq!(show(ShowReply::Local).1["remote_host"], Value::Null);
    assert_eq!(show(ShowReply::ollama_cloud("big")).1["remote_host"], "https://ollama.com:443");
    assert_eq!(show(ShowReply::Unknown).0, 404);
    assert_eq!(show(ShowReply::NotJson), (200, Value::Null));
    assert_eq!(show(ShowReply::Text("[1]".to_owned())), (200, json!([1])));
    assert_eq!(show(ShowReply::Status(403)).0, 403);
}

#[test]
fn it_may_stand_behind_a_path() {
    let server = ModelServer::start_under_path("/ollama", ShowReply::Local, vec![ScriptedReply::text("so it is")]);
    let status = |path| post(&server, path, "", r#"{"model": "m", "messages": []}"#).0;
    assert_eq!((status("/ollama/api/show"), status("/ollama/v1/chat/completions")), (200, 200));
    assert_eq!((status("/api/show"), status("/v1/chat/completions"), status("/ollama/v1/api/show")), (404, 404, 404));
    assert_eq!((server.completion_requests().len(), server.requests().len()), (1, 5));
}
