//! Each row of the table of threats that a client without a browser can show.

use crate::client::{FORM, NOTES, Served, every_page};

/// Words of the vault, guarded and not.
const WORDS: &[&str] = &["Anna", "Tidewell", "aquarium", "cello", "drift", "6840", "MessagePack"];

#[track_caller]
fn assert_says_nothing(body: &str) {
    let lower = body.to_lowercase();
    for word in WORDS {
        assert!(!lower.contains(&word.to_lowercase()), "{word} in {body}");
    }
}

#[test]
fn only_our_own_host_is_answered_letter_by_letter() {
    let served = Served::start(NOTES);
    let (client, port, ours) = (served.enter(), served.port, served.host.clone());
    let check = |hosts: &[String], expect: u16| {
        let hosts: String = hosts.iter().map(|host| format!("Host: {host}\r\n")).collect();
        let cookie = &client.cookie;
        let reply = served.raw(format!("GET /health HTTP/1.1\r\n{hosts}Cookie: {cookie}\r\nConnection: close\r\n\r\n"));
        assert_eq!(reply.status, expect, "{hosts}");
        if expect == 421 {
            assert_says_nothing(&reply.body);
        }
    };
    check(std::slice::from_ref(&ours), 200);
    let name = ours.split(':').next().expect("a name").to_owned();
    assert!(name.len() >= "memora-.localhost".len() + 26, "{name}: nobody guesses it");
    // What every program at another port of this machine shares with us, and is sent the cookies of.
    for shared in ["127.0.0.1", "localhost", "[::1]"] {
        check(&[format!("{shared}:{port}")], 421);
    }
    // A name that was rebound to this machine, and what else a client may send.
    check(&[format!("evil.test:{port}")], 421);
    check(&[format!("memora.localhost:{port}")], 421);
    check(&[format!("evil.{name}:{port}")], 421);
    check(&["127.0.0.1".to_owned()], 421);
    check(std::slice::from_ref(&name), 421);
    check(&[String::new()], 421);
    check(&[], 421);
    check(&[format!("{name}:{}", port ^ 1)], 421);
    check(&[format!("{name}.:{port}")], 421);
    check(&[ours.to_uppercase()], 421);
    check(&[format!("{name}:0{port}")], 421);
    check(&[format!("{ours}.evil.test")], 421);
    check(&[format!("user@{ours}")], 421);
    check(&[format!("0.0.0.0:{port}")], 421);
    check(&[ours.clone(), "evil.test".to_owned()], 421);
    check(&[ours.clone(), ours.clone()], 421);
    // The address in the first line has to be the same.
    let reply = served.raw(format!(
        "GET http://evil.test/health HTTP/1.1\r\nHost: {ours}\r\nCookie: {}\r\nConnection: close\r\n\r\n",
        client.cookie
    ));
    assert_eq!(reply.status, 421);
    // HTTP/1.0 may leave the host out, and is refused for it.
    let reply = served.raw(format!("GET / HTTP/1.0\r\nCookie: {}\r\n\r\n", client.cookie));
    assert_eq!(reply.status, 421);
}

#[test]
fn no_other_method_is_known_and_nobody_may_share() {
    let served = Served::start(NOTES);
    let client = served.enter();
    for method in ["OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "PROPFIND", "get"] {
        let path = if method == "CONNECT" { "127.0.0.1:80" } else { "/" };
        let reply = served.request(method, path, &[("Cookie", &client.cookie), ("Origin", "http://evil.test")], "");
        assert!([405, 400, 421].contains(&reply.status), "{method}: {reply:?}");
        assert_says_nothing(&reply.body);
    }
    let preflight = [("Origin", "http://evil.test"), ("Access-Control-Request-Method", "POST")];
    assert_eq!(served.request("OPTIONS", "/decide", &preflight, "").status, 405);
    for path in every_page(&client) {
        let reply = client.get(&path);
        assert!(reply.headers.iter().all(|(name, _)| !name.starts_with("access-control")), "{path}: {reply:?}");
    }
    assert_eq!(client.served.request("HEAD", "/", &[("Cookie", &client.cookie)], "").body, "");
}

#[test]
fn what_comes_from_another_site_is_refused_with_the_cookie_or_without() {
    let served = Served::start(NOTES);
    let (client, port) = (served.enter(), served.port);
    let own = format!("http://{}", served.host);
    let check = |headers: &[(&str, &str)], expect: u16| {
        let headers: Vec<_> = headers.iter().copied().chain([("Cookie", client.cookie.as_str())]).collect();
        let reply = served.request("GET", "/health", &headers, "");
        assert_eq!(reply.status, expect, "{headers:?}");
        if expect == 403 {
            assert_says_nothing(&reply.body);
        }
    };
    check(&[("Origin", &own)], 200);
    for other in [
        "http://evil.test",
        "null",
        "",
        "file://",
        "https://127.0.0.1",
        "http://127.0.0.1",
        &format!("http://localhost:{port}"),
        &format!("http://127.0.0.1:{port}"),
        &format!("https://{}", served.host),
        &format!("http://{}", served.host.replace(&port.to_string(), &(port ^ 1).to_string())),
        &format!("{own}.evil.test"),
        &format!("{own}/"),
    ] {
        check(&[("Origin", other)], 403);
    }
    check(&[("Origin", &own), ("Origin", "http://evil.test")], 403);
    check(&[("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Mode", "cors")], 200);
    check(&[("Sec-Fetch-Site", "none"), ("Sec-Fetch-Mode", "navigate")], 200);
    check(&[("Sec-Fetch-Site", "none")], 403);
    for site in ["same-site", "cross-site", "", "odd"] {
        check(&[("Sec-Fetch-Site", site)], 403);
        check(&[("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")], 403);
    }
    // A form that another site has the browser send.
    let forged = [("Cookie", client.cookie.as_str()), FORM, ("Sec-Fetch-Site", "none"), ("Sec-Fetch-Mode", "navigate")];
    assert_eq!(served.request("POST", "/verify", &forged, &format!("token={}", client.token)).status, 403);
}

#[test]
fn another_programs_link_leads_to_the_entrance_alone_and_in_no_frame() {
    let served = Served::start(NOTES);
    let once = served.entrance.new_address();
    let path = once.split_once(&served.port.to_string()).expect("an address").1;
    let navigate = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")];
    assert_eq!(served.request("GET", path, &navigate, "").status, 200);
    let framed = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe")];
    assert_eq!(served.request("GET", path, &framed, "").status, 403);
    let fetched = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "empty")];
    assert_eq!(served.request("GET", path, &fetched, "").status, 403);
    let posted: Vec<_> = navigate.iter().copied().chain([FORM]).collect();
    let token = path.split_once("once=").expect("a token").1;
    assert_eq!(served.request("POST", "/in", &posted, &format!("once={token}")).status, 403, "only our own form");
    assert_eq!(served.request("POST", "/in", &[FORM], &format!("once={token}")).status, 303, "which it did not use up");
}

#[test]
fn nobody_without_a_session_gets_a_byte_of_the_vault() {
    let served = Served::start(NOTES);
    let client = served.enter();
    let port = served.port;
    let other = "0".repeat(64);
    for path in every_page(&client) {
        for cookie in [
            String::new(),
            format!("memora-{port}="),
            format!("memora-{port}={other}"),
            format!("memora-{}={}", port ^ 1, client.cookie.split_once('=').expect("a value").1),
            format!("memora={}", client.cookie.split_once('=').expect("a value").1),
            client.cookie.to_uppercase(),
        ] {
            let reply = served.request("GET", &path, &[("Cookie", &cookie)], "");
            assert_eq!(reply.status, 403, "{path} with {cookie}");
            assert_says_nothing(&reply.body);
        }
        assert_eq!(served.request("GET", &path, &[], "").status, 403, "{path}");
    }
    // The files of the look say nothing of the vault, and are the only others.
    let page = client.get("/").body;
    let css = page.split_once("href=\"/a/").expect("a style sheet").1.split('"').next().unwrap_or_default();
    let reply = served.request("GET", &format!("/a/{css}"), &[], "");
    assert_eq!((reply.status, reply.header("cache-control")), (200, Some("no-store")));
    assert!(css.split('/').next().is_some_and(|run| run.len() >= 26), "{css}: nobody who had the port before knows it");
    assert_eq!(served.request("GET", "/a/0000000000000000/page.css", &[], "").status, 404);
    for beside in ["/a/../health", "/a/", "/a/x/../../health", "/a/x/y/z", "/a/%2e%2e/health", "/a//health"] {
        let reply = served.request("GET", beside, &[], "");
        assert_eq!((reply.status, reply.body.as_str()), (404, ""), "{beside}");
    }
    assert_eq!(served.request("GET", "/in/../health", &[], "").status, 403);
    assert_eq!(served.request("GET", "//health", &[], "").status, 403);
}

#[test]
fn an_address_works_once_and_looking_at_it_does_not_use_it_up() {
    let served = Served::start(NOTES);
    let address = served.entrance.new_address();
    assert!(address.starts_with(&format!("http://{}/in?once=", served.host)), "{address}");
    let token = address.split_once("once=").expect("a token").1;
    assert_eq!(token.len(), 64, "256 bits");
    let path = format!("/in?once={token}");
    for _ in 0..3 {
        let reply = served.request("GET", &path, &[], "");
        assert!(reply.status == 200 && reply.body.contains(token), "whatever fetches ahead does not use it up");
        assert!(reply.header("set-cookie").is_none());
    }
    let entered = served.request("POST", "/in", &[FORM], &format!("once={token}"));
    assert_eq!((entered.status, entered.header("location")), (303, Some("/")));
    let cookie = entered.header("set-cookie").expect("a cookie");
    assert!(cookie.starts_with(&format!("memora-{}=", served.port)), "cookies know no ports, so the name has it");
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}: in memory only, for no script");
    assert!(!cookie.contains(token));
    let again = served.request("POST", "/in", &[FORM], &format!("once={token}"));
    assert_eq!((again.status, again.header("set-cookie")), (403, None));
    for wrong in ["", "x", &"0".repeat(64), &"0".repeat(5000)] {
        let reply = served.request("POST", "/in", &[FORM], &format!("once={wrong}"));
        assert!(reply.status == 403 && reply.header("set-cookie").is_none(), "{wrong}");
        let looked_at = served.request("GET", &format!("/in?once={wrong}"), &[], "");
        assert_eq!(looked_at.status, if wrong.len() == 64 { 200 } else { 403 }, "what cannot be one is no form");
    }
    let script = served.request("GET", "/in?once=%22%3E%3Cscript%3Ealert(1)%3C/script%3E", &[], "");
    assert!(!script.body.contains("alert"), "{}", script.body);
}

#[test]
fn what_is_posted_needs_the_token_of_its_own_session() {
    let served = Served::deciding(NOTES);
    let (client, other) = (served.enter(), served.enter());
    let claim = every_page(&client).pop().expect("the last is a claim");
    let id = claim.trim_start_matches("/claim/").to_owned();
    let cookie = ("Cookie", client.cookie.as_str());
    let decide = format!("act=retract&claim={id}");
    let decisions = served.vault().join(".memora/decisions.jsonl");
    for form in [
        decide.clone(),
        format!("{decide}&token="),
        format!("{decide}&token={}", other.token),
        format!("{decide}&token={}", client.cookie.split_once('=').expect("a value").1),
        format!("{decide}&token={}&token={}", other.token, client.token),
        format!("{decide}&token=%00{}", client.token),
    ] {
        let reply = served.request("POST", "/decide", &[cookie, FORM], &form);
        assert_eq!(reply.status, 403, "{form}");
        assert_says_nothing(&reply.body);
    }
    let signed = format!("{decide}&token={}", client.token);
    for media in ["text/plain", "application/json", "multipart/form-data; boundary=x", ""] {
        let reply = served.request("POST", "/decide", &[cookie, ("Content-Type", media)], &signed);
        assert_eq!(reply.status, 415, "{media}: what another site can send without asking, or as no form");
    }
    assert_eq!(served.request("POST", "/decide", &[FORM], &signed).status, 403, "and the cookie");
    assert_eq!(served.request("GET", &format!("/decide?{signed}"), &[cookie], "").status, 405, "links decide nothing");
    assert!(!decisions.exists(), "nothing was decided so far");
    let decided = client.post("/decide", &decide);
    assert_eq!((decided.status, decided.header("location").is_some()), (303, true), "{decided:?}");
    let line = std::fs::read_to_string(&decisions).expect("it is written down");
    assert!(line.contains("\"do\":\"retract\"") && line.lines().count() == 1, "{line}");
    assert!(client.get(&claim).body.contains("withdrawn"));
    assert_eq!(client.post("/decide", &format!("act=restore&claim={id}")).status, 303);
    assert_eq!(std::fs::read_to_string(&decisions).expect("a file").lines().count(), 2, "undone by another line");
}

#[test]
fn without_being_told_so_the_page_decides_nothing() {
    let served = Served::start(NOTES);
    let client = served.enter();
    let claim = every_page(&client).pop().expect("the last is a claim");
    let id = claim.trim_start_matches("/claim/");
    assert_eq!(client.post("/decide", &format!("act=retract&claim={id}")).status, 404);
    assert_eq!(client.post("/memory", "id=mem-000000000000&act=forget").status, 405);
    assert!(!served.vault().join(".memora").exists());
    for path in every_page(&client) {
        let body = client.get(&path).body;
        assert!(!body.contains("action=\"/decide\"") && !body.contains("action=\"/memory\""), "{path}");
    }
}

#[test]
fn each_response_has_the_headers_that_keep_scripts_and_others_away() {
    let served = Served::start(NOTES);
    let client = served.enter();
    let replies = every_page(&client).into_iter().map(|path| (client.get(&path), path));
    let refused = [
        ("/health", vec![("Host", "evil.test")]),
        ("/health", vec![]),
        ("/in", vec![]),
        ("/health", vec![("Origin", "http://evil.test")]),
    ];
    let refused =
        refused.into_iter().map(|(path, headers)| (served.request("GET", path, &headers, ""), path.to_owned()));
    let mut nonces = Vec::new();
    for (reply, path) in replies.chain(refused) {
        let policy = reply.header("content-security-policy").expect("a policy").to_owned();
        for rule in [
            "default-src 'none'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ] {
            assert!(policy.split("; ").any(|known| known == rule), "{path}: {rule} in {policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains('*') && !policy.contains("http"), "{policy}");
        for (name, value) in [
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("referrer-policy", "same-origin"),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(reply.header(name), Some(value), "{path}");
        }
        assert!(reply.header("server").is_none());
        let nonce = policy.split_once("'nonce-").expect("a nonce").1.split('\'').next().unwrap_or_default().to_owned();
        let scripts = reply.body.matches("<script").count();
        assert_eq!(reply.body.matches(&format!("<script nonce=\"{nonce}\"")).count(), scripts, "{path}");
        if nonce != "none" {
            assert!(!nonces.contains(&nonce), "a nonce is used once");
            nonces.push(nonce);
        }
    }
    assert!(nonces.len() > 20);
}

#[test]
fn the_plain_address_is_answered_only_where_the_user_said_so() {
    let served = Served::start_with(NOTES, |setup| setup.plain_address = true);
    assert_eq!(served.host, format!("127.0.0.1:{}", served.port));
    let client = served.enter();
    assert_eq!(client.get("/health").status, 200);
    for other in [format!("localhost:{}", served.port), format!("[::1]:{}", served.port), "evil.test".to_owned()] {
        let reply = served.raw(format!("GET /in HTTP/1.1\r\nHost: {other}\r\nConnection: close\r\n\r\n"));
        assert_eq!(reply.status, 421, "{other}");
    }
    // What another program left in the browser at this port is thrown away; cookies are those of all ports, and stay.
    let entrance = served.request("GET", "/in", &[], "");
    assert_eq!(entrance.header("clear-site-data"), Some("\"cache\", \"storage\""));
    assert!(client.get("/").header("clear-site-data").is_none());
    let named = Served::start(NOTES);
    assert!(named.request("GET", "/in", &[], "").header("clear-site-data").is_none(), "nobody had that name before");
}

/// A link from elsewhere had a page say that something was done, with a form beside it that took it back.
#[test]
fn no_link_has_a_page_say_that_something_was_done() {
    let served = Served::deciding(NOTES);
    let (client, other) = (served.enter(), served.enter());
    let claim = every_page(&client).pop().expect("the last is a claim");
    let id = claim.trim_start_matches("/claim/").to_owned();
    let says_done = |body: &str| body.contains("good-notice") || body.contains("id=\"undo\"");
    for made_up in ["keep", "You+decided", "0000000000000000", ""] {
        for page in ["/review", "/memory", claim.as_str()] {
            for rest in ["", "&about=mem-000000000000", &format!("&about={id}")] {
                let body = client.get(&format!("{page}?done={made_up}{rest}")).body;
                assert!(!says_done(&body), "{page}?done={made_up}{rest}");
            }
        }
    }
    let decided = client.post("/decide", &format!("act=end&claim={id}"));
    let address = decided.header("location").expect("it leads back").to_owned();
    let body = client.get(&address).body;
    assert!(says_done(&body) && body.contains("You decided: it no longer holds") && body.contains("name=\"claim\""));
    let mark = address.split_once("done=").expect("a mark").1;
    assert_eq!(mark.len(), 64, "{address}");
    assert!(!says_done(&other.get(&address).body), "another session did nothing");
    client.post("/decide", &format!("act=restore&claim={id}"));
    assert!(!says_done(&client.get(&address).body), "it is told of what was done last");
}
