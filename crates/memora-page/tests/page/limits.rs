//! Floods: how many connections, how slow, how much.

use std::io::{ErrorKind, Read as _, Write as _};
use std::time::Duration;

use memora_page::Limits;

use crate::client::{FORM, NOTES, Served};

#[test]
fn the_limits_are_those_that_are_documented() {
    let Limits { connections, head_time, body_time } = Limits::default();
    assert_eq!((connections, head_time.as_secs(), body_time.as_secs()), (64, 10, 30));
}

#[test]
fn a_head_of_more_than_sixteen_kibibytes_is_refused() {
    let served = Served::start(NOTES);
    let client = served.enter();
    let long = "x".repeat(15 << 10);
    let reply = served.request("GET", "/verify", &[("Cookie", &client.cookie), ("X-Long", &long)], "");
    assert_eq!(reply.status, 200);
    let longer = "x".repeat(20 << 10);
    let reply = served.request("GET", "/verify", &[("Cookie", &client.cookie), ("X-Long", &longer)], "");
    assert_eq!(reply.status, 431);
    let many: String = (0..200).map(|number| format!("X-{number}: y\r\n")).collect();
    let reply = served.raw(format!("GET / HTTP/1.1\r\n{many}\r\n"));
    assert_eq!(reply.status, 431, "nor very many headers");
}

#[test]
fn a_body_of_more_than_a_mebibyte_is_refused() {
    let served = Served::start(NOTES);
    let client = served.enter();
    let cookie = ("Cookie", client.cookie.as_str());
    let text = |size: usize| format!("token={}&text={}", client.token, "a+".repeat(size / 2));
    assert_eq!(served.request("POST", "/verify", &[cookie, FORM], &text(1000)).status, 200);
    assert_eq!(served.request("POST", "/verify", &[cookie, FORM], &text((1 << 20) + 10)).status, 413);
    // However long it says that it is, and if it does not say.
    let host = format!("Host: 127.0.0.1:{}\r\nCookie: {}\r\n{}: {}\r\n", served.port, client.cookie, FORM.0, FORM.1);
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 16, "a".repeat(1 << 16)).repeat(20);
    let reply =
        served.raw(format!("POST /verify HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n{chunk}0\r\n\r\n"));
    assert_eq!(reply.status, 413);
}

fn hurried() -> Limits {
    Limits { connections: 3, head_time: Duration::from_millis(400), body_time: Duration::from_millis(400) }
}

#[test]
fn who_is_slow_is_closed() {
    let served = Served::start_with(NOTES, false, hurried());
    let client = served.enter();
    let mut slow = served.connect();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: 127").expect("it is open");
    let mut said = Vec::new();
    slow.read_to_end(&mut said).expect("it is closed, and says nothing of the vault");
    assert!(!String::from_utf8_lossy(&said).contains("200 OK"));
    let head = format!(
        "POST /verify HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nCookie: {}\r\n{}: {}\r\nContent-Length: 1000\r\n\r\ntoken=",
        served.port, client.cookie, FORM.0, FORM.1
    );
    assert_eq!(served.raw(head).status, 408, "a body that never comes");
}

#[test]
fn more_connections_than_the_limit_wait() {
    let limits = Limits { connections: 3, ..Limits::default() };
    let served = Served::start_with(NOTES, false, limits);
    let idle = [served.connect(), served.connect(), served.connect()];
    let mut fourth = served.connect();
    let ask = format!("GET /health HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", served.port);
    fourth.write_all(ask.as_bytes()).expect("the system takes it");
    fourth.set_read_timeout(Some(Duration::from_millis(300))).expect("a socket");
    let mut byte = [0];
    let waiting = fourth.read(&mut byte).expect_err("nobody answers it yet");
    assert!(matches!(waiting.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{waiting}");
    drop(idle);
    fourth.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
    let mut reply = String::new();
    fourth.read_to_string(&mut reply).expect("it is answered");
    assert!(reply.starts_with("HTTP/1.1 403"), "{reply}");
}

#[test]
fn what_is_no_request_harms_nobody() {
    let served = Served::start(NOTES);
    let client = served.enter();
    for bytes in [
        &b"\0\0\0\0"[..],
        b"\r\n\r\n\r\n",
        b"GET\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    ] {
        let mut stream = served.connect();
        drop(stream.write_all(bytes));
        drop(stream.shutdown(std::net::Shutdown::Write));
        let mut said = Vec::new();
        drop(stream.read_to_end(&mut said));
        assert!(!String::from_utf8_lossy(&said).contains("200 OK"), "{bytes:?}");
    }
    assert_eq!(client.get("/verify").status, 200);
}
