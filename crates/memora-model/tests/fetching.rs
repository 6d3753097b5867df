//! Files are fetched from a server on this machine that does what servers do.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use memora_model::{
    FetchError, FetchLimits, FetchObserver, FetchProgress, Fetcher, Origin, PinTable, find_missing, install_files,
};
use memora_testkit::{MockReply, MockServer};
use memora_vault::Hint as _;
use tempfile::TempDir;

const FILE: &[u8] = b"what a model is made of\n";

/// No test waits for long, and none for a time that matters.
const LIMITS: FetchLimits = FetchLimits {
    connect: Duration::from_secs(5),
    piece: Duration::from_millis(300),
    tries: 3,
    pause: Duration::from_millis(1),
    pause_max: Duration::from_millis(5),
};

fn sha256(bytes: &[u8]) -> String {
    let hash = ring::digest::digest(&ring::digest::SHA256, bytes);
    hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn row(name: &str, target: &str, bytes: &[u8], more: &str) -> String {
    format!(
        "[[file]]\nname = \"{name}\"\nurl = \"https://example.invalid/{name}\"\nsha256 = \"{}\"\nbytes = {}\n\
         licence = \"MIT\"\ntarget = \"{target}\"\n{more}\n",
        sha256(bytes),
        bytes.len()
    )
}

fn pins(text: &str) -> PinTable {
    PinTable::parse(text).expect("a good table")
}

fn one() -> PinTable {
    pins(&row("file", "model/file", FILE, ""))
}

fn run(pins: &PinTable, from: &str, folder: &Path) -> Result<(), FetchError> {
    let origin = Origin::parse(from).expect("a good place");
    let stop = AtomicBool::new(false);
    let mut watch = FetchObserver { stop: &stop, progress: &mut |_| {} };
    install_files(&Fetcher::new(LIMITS), &find_missing(pins, "model", "here", folder), &origin, folder, &mut watch)
}

/// Everything below a folder, hidden files too.
fn left(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() { found.extend(left(&path)) } else { found.push(path.display().to_string()) }
    }
    found
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

/// What a server that replies so leads to; nothing may be left of a failure.
#[track_caller]
fn check(reply: impl Fn(usize) -> MockReply + Send + Sync + 'static, asked: usize) -> Result<(), FetchError> {
    let (server, data) = (MockServer::start(move |_, before| reply(before)), folder());
    let result = run(&one(), server.address(), data.path());
    assert_eq!(server.requested_paths().len(), asked, "{result:?}");
    match &result {
        Ok(()) => assert_eq!(fs::read(data.path().join("model/file")).expect("it is there"), FILE),
        Err(error) => {
            assert_eq!(left(data.path()), Vec::<String>::new(), "{error}");
            assert!(!error.hint().is_empty());
        }
    }
    result
}

fn whole() -> MockReply {
    MockReply::Body(FILE.to_owned())
}

#[test]
fn a_file_comes_to_its_place_with_all_its_folders() {
    check(|_| whole(), 1).expect("it is there");
    check(|_| MockReply::WithoutLength(FILE.to_owned()), 1).expect("a length need not be said");
}

#[test]
fn what_may_pass_is_tried_again() {
    for reply in [
        MockReply::Status(500),
        MockReply::Status(503),
        MockReply::Busy(429, 0),
        MockReply::CutShort(FILE.to_owned(), 5),
        MockReply::WithoutLength(FILE[..7].to_owned()),
    ] {
        let first = reply.clone();
        check(move |before| if before == 0 { first.clone() } else { whole() }, 2).expect("the second try is good");
        let error = check(move |_| reply.clone(), 3).expect_err("it never is");
        assert!(matches!(error, FetchError::Connection { tries: 3, .. }), "{error:?}");
    }
}

#[test]
fn a_server_that_asks_for_a_long_pause_gets_a_short_one() {
    check(|before| if before == 0 { MockReply::Busy(503, 86_400) } else { whole() }, 2)
        .expect("the second try is good");
}

#[test]
fn a_server_that_goes_silent_is_not_waited_for() {
    let limits =
        FetchLimits { connect: Duration::from_millis(50), piece: Duration::from_millis(50), tries: 2, ..LIMITS };
    let (server, data) = (MockServer::start(|_, _| MockReply::Silence), folder());
    let (pins, stop) = (one(), AtomicBool::new(false));
    let origin = Origin::parse(server.address()).expect("a good place");
    let mut watch = FetchObserver { stop: &stop, progress: &mut |_| {} };
    let missing = find_missing(&pins, "model", "here", data.path());
    let error = install_files(&Fetcher::new(limits), &missing, &origin, data.path(), &mut watch).expect_err("silence");
    assert!(matches!(error, FetchError::Connection { tries: 2, .. }), "{error:?}");
    assert_eq!(left(data.path()), Vec::<String>::new());
}

#[test]
fn what_will_not_pass_is_not_tried_again() {
    let error = check(|_| MockReply::Status(404), 1).expect_err("it is not there");
    assert!(matches!(error, FetchError::Status { status: 404, .. }), "{error:?}");
}

#[test]
fn another_file_is_refused_and_leaves_nothing() {
    let mut other = FILE.to_owned();
    other[3] ^= 1;
    for other in [other, FILE[1..].to_owned(), Vec::new()] {
        let error = check(move |_| MockReply::Body(other.clone()), 1).expect_err("another file");
        assert!(matches!(&error, FetchError::Hash { wanted, .. } if *wanted == sha256(FILE)), "{error:?}");
    }
}

#[test]
fn no_more_is_read_than_the_file_has() {
    let larger: Vec<u8> = FILE.iter().chain(FILE).copied().collect();
    let said = larger.clone();
    for error in
        [check(move |_| MockReply::Body(said.clone()), 1), check(move |_| MockReply::WithoutLength(larger.clone()), 1)]
    {
        assert!(matches!(error, Err(FetchError::TooLarge { bytes_max: 24, .. })), "{error:?}");
    }
}

#[test]
fn a_server_may_send_on_to_this_machine_alone() {
    let other = MockServer::start(|_, _| whole());
    let to = other.address().to_owned();
    check(move |_| MockReply::Redirect(format!("{to}/elsewhere")), 1).expect("it stays on this machine");
    for to in ["http://example.invalid/file", "https://example.invalid/file", "http://192.0.2.1/", "file:///etc/passwd"]
    {
        let error = check(move |_| MockReply::Redirect(to.to_owned()), 1).expect_err("it leads away");
        assert!(matches!(error, FetchError::Redirect { .. }), "{to}: {error:?}");
    }
    let error = check(|_| MockReply::Redirect("/file".to_owned()), 6).expect_err("it goes round");
    assert!(matches!(error, FetchError::Redirect { .. }), "{error:?}");
}

#[test]
fn nobody_there_is_said_with_what_was_tried() {
    let data = folder();
    let address = MockServer::start(|_, _| MockReply::Silence).address().to_owned();
    let error = run(&one(), &address, data.path()).expect_err("nobody listens");
    assert!(matches!(&error, FetchError::Connection { host, .. } if host == "127.0.0.1"), "{error:?}");
    assert!(error.source().is_some());
}

#[test]
fn a_user_who_stops_is_heard_while_nothing_comes() {
    let (server, data) = (MockServer::start(|_, _| MockReply::Silence), folder());
    let (pins, stop) = (one(), AtomicBool::new(true));
    let origin = Origin::parse(server.address()).expect("a good place");
    let mut watch = FetchObserver { stop: &stop, progress: &mut |_| {} };
    let slow = Fetcher::new(FetchLimits::default());
    let error =
        install_files(&slow, &find_missing(&pins, "model", "here", data.path()), &origin, data.path(), &mut watch);
    assert!(matches!(error, Err(FetchError::Stopped)), "{error:?}");
}

#[test]
fn progress_ends_at_the_size_and_stopping_there_keeps_nothing() {
    let big = vec![7; 1 << 20];
    let pins = pins(&row("file", "file", &big, ""));
    let (server, data) = (MockServer::start(move |_, _| MockReply::Body(vec![7; 1 << 20])), folder());
    let origin = Origin::parse(server.address()).expect("a good place");
    let (stop, mut seen) = (AtomicBool::new(false), Vec::new());
    let mut progress = |progress: FetchProgress<'_>| seen.push((progress.done, progress.total));
    let mut watch = FetchObserver { stop: &stop, progress: &mut progress };
    let fetcher = Fetcher::new(LIMITS);
    install_files(&fetcher, &find_missing(&pins, "model", "here", data.path()), &origin, data.path(), &mut watch)
        .expect("it comes");
    assert!(seen.is_sorted() && seen.last() == Some(&(1 << 20, 1 << 20)), "{seen:?}");

    let data = folder();
    let mut progress = |_: FetchProgress<'_>| stop.store(true, Ordering::Relaxed);
    let mut watch = FetchObserver { stop: &stop, progress: &mut progress };
    let error =
        install_files(&fetcher, &find_missing(&pins, "model", "here", data.path()), &origin, data.path(), &mut watch);
    assert!(matches!(error, Err(FetchError::Stopped)), "{error:?}");
    assert_eq!(left(data.path()), Vec::<String>::new());
}

#[test]
fn a_folder_serves_as_well_and_is_trusted_no_more() {
    let (from, data) = (folder(), folder());
    let place = from.path().to_str().expect("UTF-8");
    assert!(matches!(run(&one(), place, data.path()), Err(FetchError::Read { .. })));
    fs::write(from.path().join("file"), "another file of its size").expect("it can be written");
    assert!(matches!(run(&one(), place, data.path()), Err(FetchError::Hash { .. })));
    fs::write(from.path().join("file"), [FILE, FILE].concat()).expect("it can be written");
    assert!(matches!(run(&one(), place, data.path()), Err(FetchError::TooLarge { .. })));
    assert_eq!(left(data.path()), Vec::<String>::new());
    fs::write(from.path().join("file"), FILE).expect("it can be written");
    run(&one(), place, data.path()).expect("this is it");
}

#[test]
fn what_is_there_is_not_fetched_again_and_what_was_spoiled_is() {
    let pins = pins(&[row("a", "a", b"first", ""), row("b", "b", b"second", "")].concat());
    let (server, data) = (
        MockServer::start(|path, before| match (path, before) {
            ("/a", _) => MockReply::Body(b"first".to_vec()),
            ("/b", 0) => MockReply::Body(b"wrong!".to_vec()),
            _ => MockReply::Body(b"second".to_vec()),
        }),
        folder(),
    );
    assert_eq!(find_missing(&pins, "model", "here", data.path()).bytes(), 11);
    assert!(matches!(run(&pins, server.address(), data.path()), Err(FetchError::Hash { .. })));
    run(&pins, server.address(), data.path()).expect("the second time");
    assert_eq!(server.requested_paths(), ["/a", "/b", "/b"]);
    assert!(find_missing(&pins, "model", "here", data.path()).files().is_empty());

    fs::write(data.path().join("a"), "FIRST").expect("it can be written");
    let spoiled = find_missing(&pins, "model", "here", data.path());
    assert_eq!(spoiled.files().iter().map(|pin| pin.name.as_str()).collect::<Vec<_>>(), ["a"]);
}

fn wheel(members: &[(&str, &[u8])]) -> Vec<u8> {
    use std::io::Write as _;
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
        zip.start_file(*name, options).expect("a member begins");
        zip.write_all(bytes).expect("a member is written");
    }
    zip.finish().expect("an archive").into_inner()
}

#[test]
fn one_member_of_an_archive_is_taken_and_nothing_else() {
    let library = vec![9; 100_000];
    let archive = wheel(&[("../../evil.so", b"evil"), ("capi/lib.so.1", &library), ("capi/other.so", b"other")]);
    let row = |path: &str, sha: &str, bytes: usize| {
        let member = format!("member = {{ path = \"{path}\", sha256 = \"{sha}\", bytes = {bytes} }}");
        pins(&row("a.whl", "lib.so", &archive, &member))
    };
    let from = folder();
    fs::write(from.path().join("a.whl"), &archive).expect("it can be written");
    let place = from.path().to_str().expect("UTF-8");
    let (sha, size) = (sha256(&library), library.len());

    let data = folder();
    run(&row("capi/lib.so.1", &sha, size), place, data.path()).expect("it is in the archive");
    assert_eq!(fs::read(data.path().join("lib.so")).expect("it is there"), library);
    assert_eq!(left(data.path()).len(), 1);

    let data = folder();
    for (pins, what) in [
        (row("capi/lib.so.2", &sha, size), "no such member"),
        (row("capi/lib.so.1", &sha256(b"x"), size), "another hash"),
        (row("capi/lib.so.1", &sha, size - 1), "a bomb"),
    ] {
        let error = run(&pins, place, data.path()).expect_err(what);
        match what {
            "no such member" => assert!(matches!(error, FetchError::Archive { .. }), "{error:?}"),
            "another hash" => assert!(matches!(error, FetchError::Hash { .. }), "{error:?}"),
            _ => assert!(matches!(error, FetchError::TooLarge { .. }), "{error:?}"),
        }
        assert_eq!(left(data.path()), Vec::<String>::new(), "{what}");
    }
}

#[test]
fn what_is_no_archive_is_said_to_be_none() {
    let member = format!("member = {{ path = \"x\", sha256 = \"{}\", bytes = 1 }}", sha256(b"x"));
    let (from, data) = (folder(), folder());
    fs::write(from.path().join("a.whl"), FILE).expect("it can be written");
    let error = run(&pins(&row("a.whl", "x", FILE, &member)), from.path().to_str().expect("UTF-8"), data.path());
    assert!(matches!(error, Err(FetchError::Archive { .. })), "{error:?}");
    assert_eq!(left(data.path()), Vec::<String>::new());
}
