//! `memora browse` as a program: who is given its address, how it ends, and that its view of a cloud model is one.
//!
//! What the server refuses is tested where it is, in `crates/memora-page/tests`, and in a browser, in `tests/browser`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Child;

use memora_testkit::{Fixture, MemoraBinary, TreeSnapshot};
use regex::Regex;

use crate::leaks::guarded;
use crate::support::{example, example_state, indexed_example, lines, memora, read};
use crate::two_vaults::{Replacement, Side, replacements, with_key};

/// A running page with a session, which is ended when this goes.
struct Browse {
    child: Child,
    port: String,
    host: String,
    cookie: String,
}

impl Browse {
    #[track_caller]
    fn start(memora: &MemoraBinary, args: &[&str]) -> Self {
        let all: Vec<&str> = ["browse"].iter().chain(args).copied().collect();
        let mut child = memora.at_local_door().command(&all).spawn().expect("the binary can be started");
        let mut address = String::new();
        let printed = BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut address);
        assert!(printed.is_ok_and(|bytes| bytes > 0), "it prints its address");
        let (host, once) = address.trim().split_once("/in?once=").unwrap_or_else(|| panic!("no address: {address}"));
        let host = host.strip_prefix("http://").expect("an address").to_owned();
        let port = host.split_once(".localhost:").expect("a name of this machine").1.to_owned();
        let mut browse = Self { child, port, host, cookie: String::new() };
        let entered = browse.send("POST", "/in", &format!("once={once}"));
        let cookie = entered.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
        browse.cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        browse
    }

    /// The whole response to a request.
    fn send(&self, method: &str, path: &str, form: &str) -> String {
        let Self { port, host, cookie, .. } = self;
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("it listens");
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
            form.len()
        );
        stream.write_all(head.as_bytes()).expect("it reads");
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).expect("it answers");
        String::from_utf8(reply).expect("text")
    }

    fn get(&self, path: &str) -> String {
        self.send("GET", path, "")
    }

    #[cfg(unix)]
    fn end(mut self, signal: &str) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &id]).status().is_ok_and(|sent| sent.success()));
        let status = self.child.wait().expect("it ends");
        let mut said = String::new();
        self.child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
        (status.code(), said)
    }
}

impl Drop for Browse {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn only_who_reads_alone_is_given_the_address() {
    let (_fixture, memora) = indexed_example();
    for args in [vec!["browse"], vec!["browse", "--decide", "--open", "--port", "0"], vec!["browse", "--json"]] {
        let refused = memora.run(&args);
        refused.clone().assert_failed("its address is for you alone");
        assert!(refused.stdout.is_empty() && !refused.stderr.contains("once="), "{refused}");
    }
    let nowhere = memora.at_local_door().without_vault().run(&["browse"]);
    assert_eq!(nowhere.exit, Some(2), "{nowhere}");
}

#[cfg(unix)]
#[test]
fn it_ends_by_a_signal_and_leaves_no_file() {
    let (fixture, memora) = indexed_example();
    let before = TreeSnapshot::take(fixture.vault());
    for signal in ["-INT", "-TERM"] {
        let browse = Browse::start(&memora, &[]);
        assert!(browse.get("/?q=Where+does+Anna+work%3F").contains("Tidewell"));
        let (code, said) = browse.end(signal);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("whoever has it reads your notes") && !said.contains("Tidewell"), "{said}");
    }
    let difference = before.difference(&TreeSnapshot::take(fixture.vault()));
    assert!(difference.is_empty(), "{difference}");
}

#[test]
fn a_port_that_is_taken_is_an_error_with_a_hint() {
    let (_fixture, memora) = indexed_example();
    let taken = Browse::start(&memora, &[]);
    let second = memora.at_local_door().run(&["browse", "--port", &taken.port]);
    second.clone().assert_failed("cannot listen on 127.0.0.1");
    assert!(second.stderr.contains("hint: leave out --port"), "{second}");
    drop(taken);
    // Also if another program has it at the other address of this machine, where a browser would ask that one.
    if let Ok(squatter) = TcpListener::bind("[::1]:0") {
        let port = squatter.local_addr().expect("an address").port().to_string();
        let third = memora.at_local_door().run(&["browse", "--port", &port]);
        third.clone().assert_failed("cannot listen on [::1]");
        assert!(third.stderr.contains("hint: leave out --port"), "{third}");
    }
}

/// Everything that the page shows as a cloud model would see it.
fn cloud_pages(fixture: &Fixture) -> Vec<String> {
    let code = |words: &str| words.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    let script = read("tests/exam/two-vaults/script.txt");
    let asked = lines(&script).filter_map(|line| line.strip_prefix("ask \"")?.split('"').next());
    let mut asked: Vec<&str> = asked.collect();
    asked.dedup();
    let mut pages = vec!["/?as=cloud".to_owned()];
    for question in asked {
        pages.push(format!("/?as=cloud&q={}", code(question)));
        pages.push(format!("/prompt?q={}", code(question)));
    }
    let tree = TreeSnapshot::take(fixture.vault());
    pages.extend(
        tree.file_names().filter(|name| name.ends_with(".md")).map(|note| format!("/note/{}?as=cloud", code(note))),
    );
    pages
}

/// An address as it was typed, in lower case.
fn decoded(page: &str) -> String {
    let mut bytes = Vec::new();
    let mut parts = page.split('%');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        let (code, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        bytes.push(u8::from_str_radix(code, 16).expect("a code"));
        bytes.extend(rest.bytes());
    }
    String::from_utf8(bytes).expect("text").to_lowercase()
}

/// A response without what differs from one to the next: the nonce, the session's token, the time of day, lengths and dates.
fn masked(reply: &str, port: &str) -> String {
    let differs = Regex::new(
        r#"/a/[0-9a-f]{32}/|nonce-[0-9a-f]{64}|nonce="[0-9a-f]{64}"|value="[0-9a-f]{64}"|re-read \d\d:\d\d:\d\d|(?m)^date: .*$"#,
    );
    differs.expect("a regex").replace_all(reply, "…").replace(port, "PORT")
}

#[test]
fn other_guarded_words_change_no_byte_of_what_a_cloud_model_would_see() {
    let told = |replaced: &[Replacement]| {
        let side = Side::of(replaced);
        let memora = with_key(&side.fixture);
        if replaced.is_empty() {
            memora.copy_state_from(example_state());
        }
        let _ = memora.run(&["index", "--complete"]).assert_code(0);
        let browse = Browse::start(&memora, &[]);
        let pages = cloud_pages(&side.fixture);
        pages.into_iter().map(|page| (masked(&browse.get(&page), &browse.port), page)).collect::<Vec<_>>()
    };
    let first = told(&[]);
    assert!(first.len() > 80, "only {} pages", first.len());
    assert!(first.iter().filter(|(reply, _)| reply.contains("evidence") && reply.contains("200 OK")).count() > 5);
    // What was typed stands in the field again.
    let first_lower: Vec<_> = first.iter().map(|(reply, page)| (reply.to_lowercase(), decoded(page))).collect();
    for leak in guarded() {
        let leaked = first_lower.iter().find(|(reply, page)| reply.contains(&leak) && !page.contains(&leak));
        assert!(leaked.is_none(), "{leak} on {:?}", leaked.map(|(_, page)| page));
    }
    let second = told(&replacements("replacements.json"));
    let differs: Vec<_> = first.iter().zip(&second).filter(|(a, b)| a != b).collect();
    assert!(differs.is_empty(), "{} pages differ, first: {:#?}", differs.len(), differs[0]);
}

#[test]
fn what_the_page_is_sent_and_shows_is_in_no_log() {
    let fixture = example();
    let memora = memora(&fixture);
    memora.copy_state_from(example_state());
    let mut browse = Browse::start(&memora, &[]);
    for path in ["/?q=Where+does+Anna+work%3F", "/note/people/Anna%20Brandt.md", "/privacy", "/review"] {
        assert!(browse.get(path).contains("200 OK"), "{path}");
    }
    drop(browse.child.kill());
    let mut said = String::new();
    browse.child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    assert!(!said.contains("Anna") && !said.contains("once="), "{said}");
    assert!(!memora.vault_state_dir().join("egress.jsonl").exists(), "what the user sees has not left");
}
