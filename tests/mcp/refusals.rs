//! Lines that are no message of the protocol: each gets the field's code, and the next line is read.

use serde_json::{Value, json};

use super::Client;
use crate::support::{example, memora};

const HANDSHAKE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}"#;

#[track_caller]
fn refusal(client: &mut Client, line: &str) -> (Value, i64) {
    client.send_line(line);
    let message = client.message().unwrap_or_else(|| panic!("it ended at {line}"));
    let error = &message["error"];
    assert!(error["message"].as_str().is_some_and(|text| !text.is_empty()), "{message}");
    (message["id"].clone(), error["code"].as_i64().unwrap_or_else(|| panic!("{line}: no error in {message}")))
}

#[test]
fn what_is_no_message_gets_the_codes_of_the_field_and_the_next_line_is_read() {
    let fixture = example();
    let mut client = Client::start(&memora(&fixture), &["--structured"]);
    let cases = [
        ("hello", Value::Null, -32700),
        (r#"{"jsonrpc":"2.0","id":4,"method":"#, Value::Null, -32700),
        (r#"{"id":5,"method":"ping"}"#, json!(5), -32600),
        (r#"[{"jsonrpc":"2.0","id":6,"method":"ping"}]"#, Value::Null, -32600),
        (r#"{"jsonrpc":"2.0","id":"seven","method":"frobnicate"}"#, json!("seven"), -32601),
        (r#"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"nom":"x"}}"#, json!(8), -32602),
    ];
    // Before the handshake and after it.
    for is_connected in [false, true] {
        for (line, id, code) in &cases {
            assert_eq!(refusal(&mut client, line), (id.clone(), *code), "{line}, connected: {is_connected}");
        }
        if !is_connected {
            client.shake("2025-06-18");
        }
    }
    for (method, params) in [
        ("tools/call", json!({"name": "no_such_tool"})),
        ("prompts/get", json!({"name": "no_such_prompt"})),
        ("resources/list", json!({"cursor": "x"})),
    ] {
        assert_eq!(client.request(method, params)["error"]["code"], -32602, "{method}");
    }
    assert_eq!(client.told("memora_find", json!({"question": "Anna"}))["status"], "found");
    assert!(client.end().status.success());
}

#[test]
fn a_line_of_any_length_is_refused_and_the_next_is_read() {
    let fixture = example();
    let mut client = Client::connected(&memora(&fixture), &[]);
    let long = format!(r#"{{"jsonrpc":"2.0","id":2,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(40 << 20));
    assert_eq!(refusal(&mut client, &long), (json!(2), -32600));
    #[cfg(target_os = "linux")]
    assert!(client.peak_memory_kib() < 600 << 10, "{} KiB for a line of 40 MiB", client.peak_memory_kib());
    assert!(client.request("ping", json!({}))["result"].is_object());
    assert!(client.end().status.success());
}

#[test]
fn who_never_speaks_the_protocol_is_told_what_was_expected_and_the_exit_code_says_so() {
    let fixture = example();
    for noise in ["hello\nworld\n", "no line feed", "{}\n[]\n7\n", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"] {
        let mut client = Client::start(&memora(&fixture), &[]);
        client.send_text(noise);
        let ended = client.end();
        assert_eq!(ended.status.code(), Some(2), "{noise}: {ended:?}");
        assert!(ended.stderr.contains("error: no MCP client spoke: expected JSON-RPC"), "{noise}: {ended:?}");
        assert!(ended.stderr.contains("hint: ") && ended.stderr.contains("memora mcp install"), "{noise}: {ended:?}");
    }
    // A client that stumbles at first is one all the same; so is one whose last line has no end.
    for text in [format!("hello\n{HANDSHAKE}\n"), HANDSHAKE.to_owned()] {
        let mut client = Client::start(&memora(&fixture), &[]);
        client.send_text(&text);
        let ended = client.end();
        assert!(ended.status.success() && ended.stderr.is_empty(), "{text}: {ended:?}");
    }
}
