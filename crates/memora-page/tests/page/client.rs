//! A server on a vault of a test, and a client that sends what it is told, byte by byte.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use jiff::civil::date;
use memora_engine::{Config, FoundVault};
use memora_page::{Entrance, Limits, PageServer, PageSetup, PageStop};
use memora_testkit::Fixture;
use tempfile::TempDir;

/// A page that is served until this goes.
pub(crate) struct Served {
    pub(crate) fixture: Fixture,
    pub(crate) entrance: Entrance,
    pub(crate) port: u16,
    /// The one host that it answers, with the port.
    pub(crate) host: String,
    stop: PageStop,
    thread: Option<JoinHandle<()>>,
    _home: TempDir,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Names in lower case, as they came.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no whole response: {text:?}"));
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|code| code.parse().ok());
        let header = |line: &str| {
            let (name, value) = line.split_once(": ").expect("a header");
            (name.to_lowercase(), value.to_owned())
        };
        let headers: Vec<_> = lines.map(header).collect();
        let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
        assert!(!chunked, "the pages say how long they are");
        Self { status: status.expect("a status"), headers, body: body.to_owned() }
    }
}

/// A few notes: something to ask about, something guarded, something beside it.
pub(crate) const NOTES: &[(&str, &str)] = &[
    (
        "Anna.md",
        "# Anna\n\nAnna works at Tidewell since May 2025.\n\nAnna plays the cello. <!--privacy:secret-->Anna earns 6840 euros.<!--/privacy-->\n",
    ),
    ("Größe.md", "---\nprivacy: secret\n---\n# Größe\n\nThe safe stands behind the aquarium.\n"),
    ("projects/drift.md", "# drift\n\n- drift uses MessagePack.\r\n- drift is written in Rust.\n\nAnna owns drift.\n"),
];

impl Served {
    pub(crate) fn start(notes: &[(&str, &str)]) -> Self {
        Self::start_with(notes, |_| {})
    }

    pub(crate) fn deciding(notes: &[(&str, &str)]) -> Self {
        Self::start_with(notes, |setup| setup.decide = true)
    }

    pub(crate) fn start_with(notes: &[(&str, &str)], change: impl FnOnce(&mut PageSetup)) -> Self {
        let fixture = Fixture::from_notes(notes);
        let home = tempfile::tempdir().expect("a folder");
        let today = date(2026, 1, 5);
        let folder = |name: &str| Some(home.path().join(name));
        let config = Config::load(folder("state"), folder("config"), today).expect("a configuration");
        let vault = FoundVault::find(Some(fixture.vault()), config).expect("a vault");
        let stop = PageStop::default();
        let mut setup = PageSetup {
            vault,
            port: 0,
            plain_address: false,
            decide: false,
            today: Box::new(move || today),
            stop: stop.clone(),
            limits: Limits::default(),
        };
        change(&mut setup);
        let server = PageServer::bind(setup).expect("a free port");
        let entrance = server.entrance();
        let (port, host) = (entrance.port(), entrance.host().to_owned());
        let thread = std::thread::spawn(move || server.serve().expect("it serves"));
        Self { fixture, entrance, port, host, stop, thread: Some(thread), _home: home }
    }

    pub(crate) fn vault(&self) -> &Path {
        self.fixture.vault()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
        stream
    }

    /// Sends bytes, and reads until the server closes the connection.
    pub(crate) fn raw(&self, bytes: impl AsRef<[u8]>) -> Reply {
        let mut stream = self.connect();
        // A server that refuses what it was sent may close before all of it has gone.
        drop(stream.write_all(bytes.as_ref()));
        let mut all = Vec::new();
        drop(stream.read_to_end(&mut all));
        Reply::parse(&all)
    }

    /// Sends a request with our own host, and with these headers.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.host);
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() || method == "POST" {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        self.raw(format!("{head}\r\n{body}"))
    }

    /// Lets a client in, as a browser is.
    pub(crate) fn enter(&self) -> Client<'_> {
        let address = self.entrance.new_address();
        let once = address.split_once("once=").expect("a token").1.to_owned();
        let reply = self.request("POST", "/in", &[FORM], &format!("once={once}"));
        assert_eq!(reply.status, 303, "{reply:?}");
        let cookie = reply.header("set-cookie").expect("a cookie").split(';').next().expect("a value").to_owned();
        let client = Client { served: self, cookie, token: String::new() };
        let page = client.get("/verify");
        let token = page.body.split_once("name=\"token\" value=\"").expect("a token").1;
        let token = token.split('"').next().expect("a value").to_owned();
        Client { token, ..client }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
            && !std::thread::panicking()
        {
            panic!("the server panicked");
        }
    }
}

pub(crate) const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");

/// A client that was let in.
pub(crate) struct Client<'s> {
    pub(crate) served: &'s Served,
    pub(crate) cookie: String,
    pub(crate) token: String,
}

impl Client<'_> {
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.served.request("GET", path, &[("Cookie", &self.cookie)], "")
    }

    /// Posts a form with the session's token.
    pub(crate) fn post(&self, path: &str, form: &str) -> Reply {
        let form = format!("{form}&token={}", self.token);
        self.served.request("POST", path, &[("Cookie", &self.cookie), FORM], &form)
    }

    /// Gets a page of which the index has everything by now.
    pub(crate) fn get_indexed(&self, path: &str) -> Reply {
        for _ in 0..600 {
            if self.get("/fresh").body == "index fresh" {
                return self.get(path);
            }
        }
        panic!("it was never indexed");
    }
}

/// Every page that there is, for the notes of [`NOTES`].
pub(crate) fn every_page(client: &Client<'_>) -> Vec<String> {
    let note = client.get_indexed("/note/Anna.md").body;
    let claim = note.split_once("href=\"/claim/").expect("the note has claims").1.split('"').next().unwrap_or_default();
    let fixed = [
        "/",
        "/?q=Where+does+Anna+work%3F",
        "/?q=Where+does+Anna+work%3F&as=cloud",
        "/?q=What+is+behind+the+aquarium%3F",
        "/?q=Who+keeps+bees+on+the+moon%3F",
        "/?q=Anna&as_of=2025&folder=projects&tag=x&captured=on",
        "/?as=cloud",
        "/note/Anna.md",
        "/note/Anna.md?as=cloud",
        "/note/Gr%C3%B6%C3%9Fe.md",
        "/note/projects/drift.md?start=11&end=33",
        "/note/nowhere.md",
        "/claim/7h3kq0v9x2ma",
        "/claim/no",
        "/entity/Anna",
        "/entity/drift",
        "/entity/Nobody",
        "/review",
        "/review?kind=aging&n=2",
        "/memory",
        "/memory?archived=on",
        "/privacy",
        "/prompt",
        "/prompt?q=Where+does+Anna+work%3F",
        "/verify",
        "/health",
        "/nowhere",
    ];
    fixed.iter().map(|page| (*page).to_owned()).chain([format!("/claim/{claim}")]).collect()
}
