//! Floods: how many connections, how slow, how much.

use std::io::{ErrorKind, Read as _, Write as _};
use std::time::Duration;

use memora_page::Limits;

use crate::client::{FORM, NOTES, Served};

#[test]
fn the_limits_are_those_that_are_documented() {
    let Limits { connections, head_time, body_time, stranger_time } = Limits::default();
    assert_eq!((connections, head_time.as_secs(), body_time.as_secs(), stranger_time.as_secs()), (64, 10, 30, 10));
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
    let host = format!("Host: {}\r\nCookie: {}\r\n{}: {}\r\n", served.host, client.cookie, FORM.0, FORM.1);
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 16, "a".repeat(1 << 16)).repeat(20);
    let reply =
        served.raw(format!("POST /verify HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n{chunk}0\r\n\r\n"));
    assert_eq!(reply.status, 413);
}

fn hurried() -> Limits {
    let (head_time, body_time) = (Duration::from_millis(400), Duration::from_millis(400));
    Limits { connections: 3, head_time, body_time, ..Limits::default() }
}

#[test]
fn who_is_slow_is_closed() {
    let served = Served::start_with(NOTES, |setup| setup.limits = hurried());
    let client = served.enter();
    let mut slow = served.connect();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: 127").expect("it is open");
    let mut said = Vec::new();
    slow.read_to_end(&mut said).expect("it is closed, and says nothing of the vault");
    assert!(!String::from_utf8_lossy(&said).contains("200 OK"));
    let head = format!(
        "POST /verify HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n{}: {}\r\nContent-Length: 1000\r\n\r\ntoken=",
        served.host, client.cookie, FORM.0, FORM.1
    );
    assert_eq!(served.raw(head).status, 408, "a body that never comes");
}

#[test]
fn more_connections_than_the_limit_wait() {
    let served = Served::start_with(NOTES, |setup| setup.limits.connections = 3);
    let idle = [served.connect(), served.connect(), served.connect()];
    let mut fourth = served.connect();
    let ask = format!("GET /health HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", served.host);
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

/// As many connections as there may be, each with more requests than answers fit into what the system buffers, and nobody who reads
/// them: no browser got in any more, for as long as they stayed.
#[test]
fn who_sends_requests_and_reads_no_answer_is_closed() {
    let served = Served::start_with(NOTES, |setup| {
        (setup.limits.connections, setup.limits.stranger_time) = (3, Duration::from_millis(600));
    });
    let flood = format!("GET /health HTTP/1.1\r\nHost: {}\r\n\r\n", served.host).repeat(20_000);
    let silent: Vec<_> = (0..3)
        .map(|_| {
            let mut stream = served.connect();
            stream.set_nonblocking(true).expect("a socket");
            // As much as the system takes.
            let mut sent = 0;
            for _ in 0..200 {
                match stream.write(flood.as_bytes().get(sent..).unwrap_or_default()) {
                    Ok(more) => sent += more,
                    Err(_) => std::thread::yield_now(),
                }
            }
            assert!(sent > 0);
            stream
        })
        .collect();
    let client = served.enter();
    assert_eq!(client.get("/verify").status, 200, "they lost their places");
    drop(silent);
}

/// Who was let in may read slowly, and is not hurried.
#[test]
fn a_connection_of_a_session_stays() {
    let served = Served::start_with(NOTES, |setup| setup.limits.stranger_time = Duration::from_millis(300));
    let client = served.enter();
    let mut stream = served.connect();
    let ask = format!("GET /verify HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n", served.host, client.cookie);
    for _ in 0..4 {
        stream.write_all(ask.as_bytes()).expect("it is open");
        let mut reply = [0; 1 << 14];
        let count = stream.read(&mut reply).expect("it answers");
        assert!(String::from_utf8_lossy(reply.get(..count).unwrap_or_default()).starts_with("HTTP/1.1 200"));
        // Longer in all than a stranger is given; nothing here waits for a time to pass.
        for _ in 0..3 {
            client.get_indexed("/health");
        }
    }
}

/// One note of sixteen megabytes with a sentence a thousand times over took a minute of processor for the page of that sentence.
#[test]
fn a_sentence_that_stands_a_thousand_times_is_shown_in_twenty_places() {
    let text = format!("# Log\n\n{}", "Anna keeps bees.\n\n".repeat(1000));
    let served = Served::start(&[("Log.md", &text)]);
    let client = served.enter();
    let note = client.get_indexed("/note/Log.md").body;
    let claim =
        note.split_once("href=\"/claim/").expect("it has claims").1.split('"').next().expect("an id").to_owned();
    let page = client.get(&format!("/claim/{claim}")).body;
    assert_eq!(page.matches("class=\"evidence\"").count(), 20);
    assert!(page.contains("and 980 more places"));
}

#[test]
fn more_than_five_hundred_sentences_are_not_judged_at_once() {
    let served = Served::start(NOTES);
    let client = served.enter();
    client.get_indexed("/");
    let text = |count: usize| format!("text={}", "Anna+works+at+Tidewell.+".repeat(count));
    let judged = client.post("/verify", &text(500)).body;
    assert_eq!(judged.matches("<li class=\"sentence").count(), 500);
    let refused = client.post("/verify", &text(501)).body;
    assert!(refused.contains("These are 501 sentences; 500 at most"), "{refused}");
    assert!(!refused.contains("class=\"sentence") && refused.contains("Tidewell"), "the text is still there");
}

#[test]
fn both_addresses_of_the_machine_are_ours() {
    let served = Served::start(NOTES);
    // Where the machine has the other address at all.
    if std::net::TcpListener::bind(("::1", 0)).is_ok() {
        let squatter = std::net::TcpListener::bind(("::1", served.port));
        assert!(squatter.is_err(), "another program can answer for the page at [::1]");
        let mut stream = std::net::TcpStream::connect(("::1", served.port)).expect("we listen there");
        let ask = format!("GET /in HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", served.host);
        stream.write_all(ask.as_bytes()).expect("it reads");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("it answers");
        assert!(reply.starts_with("HTTP/1.1 403"), "{reply}");
    }
}
