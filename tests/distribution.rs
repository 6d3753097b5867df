//! Nothing in the project sends anybody to a package of a stranger.
//!
//! On the registry of crates, `memora`, `memora-mcp` and `memora-cli` are other people's programs. Ours is published as
//! `memora-notes` and called `memora` once it is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::support::{example, memora, read, workspace};

/// The name of our package on every registry.
const PACKAGE: &str = "memora-notes";

/// Returns the packages that a text would have its reader fetch and that bear a name like ours without being it.
///
/// A line that warns of one, with "Do not", is no direction to it.
fn foreign_packages(text: &str) -> Vec<String> {
    static WAYS: LazyLock<[Regex; 2]> = LazyLock::new(|| {
        [
            // The words behind a command, up to the first that is neither an option nor a path.
            r"\b(?:cargo (?:install|binstall|add)|npx|npm (?:install|i|exec)|uvx|uv tool (?:install|run)|pipx? (?:install|run)|brew install|scoop install|winget install)((?: +[^\s`'\x22,)]+)+)",
            r"\b(?:crates\.io/crates|docs\.rs|lib\.rs/crates|pypi\.org/project|npmjs\.com/package)/([\w@.-]+)",
        ]
        .map(|way| Regex::new(way).expect("a regex"))
    });
    static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^@?(memora[\w-]*)").expect("a regex"));
    let mut found = Vec::new();
    for line in text.lines().filter(|line| !line.contains("Do not")) {
        for words in WAYS.iter().flat_map(|way| way.captures_iter(line)) {
            let mut words = words[1].split_whitespace().filter_map(|word| NAME.captures(word));
            found.extend(words.next().map(|word| word[1].to_owned()).filter(|package| package != PACKAGE));
        }
    }
    found
}

#[test]
fn a_direction_to_a_stranger_is_found() {
    for (line, package) in [
        ("cargo install memora", "memora"),
        ("cargo install --locked memora-mcp", "memora-mcp"),
        ("run `cargo binstall memora-cli`, or", "memora-cli"),
        ("npx -y memora mcp", "memora"),
        ("uvx memora@latest mcp", "memora"),
        ("pipx install memora", "memora"),
        ("see https://crates.io/crates/memora-mcp", "memora-mcp"),
        ("https://docs.rs/memora/latest", "memora"),
    ] {
        assert_eq!(foreign_packages(line), [package], "{line}");
    }
    for line in [
        "cargo install --path . --locked",
        "cargo install memora-notes",
        "uvx memora-notes mcp",
        "Do not run `cargo install memora`",
        "memora mcp install --client codex",
    ] {
        assert_eq!(foreign_packages(line), Vec::<String>::new(), "{line}");
    }
}

/// All files with text for people or programs, below a folder.
fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
    const ENDS: &[&str] = &["md", "json", "toml", "rs", "txt", "py", "sh", "yml", "yaml"];
    for entry in fs::read_dir(folder).expect("a folder can be read") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "target" && name != ".git" && name != "shared" {
                texts(&path, found);
            }
        } else if path.extension().is_some_and(|end| ENDS.contains(&&*end.to_string_lossy())) || name == "run" {
            found.push(path);
        }
    }
}

#[test]
fn no_file_sends_anybody_to_a_package_of_a_stranger() {
    let mut files = Vec::new();
    texts(workspace(), &mut files);
    assert!(files.len() > 100 && files.contains(&workspace().join("README.md")), "{} files", files.len());
    for file in files.iter().filter(|file| !file.ends_with("tests/distribution.rs")) {
        let text = fs::read_to_string(file).unwrap_or_default();
        assert_eq!(foreign_packages(&text), Vec::<String>::new(), "{}", file.display());
    }
}

#[test]
fn no_crate_can_be_published_under_the_name_of_a_stranger() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--no-deps", "--format-version", "1"])
        .current_dir(workspace())
        .output()
        .expect("cargo can be run");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    assert!(packages.len() > 10, "{} packages", packages.len());
    for package in packages {
        // An empty list of registries: `publish = false`.
        let is_private = package["publish"].as_array().is_some_and(Vec::is_empty);
        assert!(is_private || package["name"] == PACKAGE, "{} could be published", package["name"]);
    }
}

#[test]
fn the_description_for_registries_names_our_package() {
    let described: Value = serde_json::from_str(&read("docs/server.json")).expect("JSON");
    let packages = described["packages"].as_array().expect("a list of packages");
    assert!(!packages.is_empty());
    for package in packages {
        assert_eq!(package["identifier"], PACKAGE, "{package}");
    }
}

/// An entry runs the program that is installed, and fetches none by its name.
#[test]
fn what_is_set_up_for_an_assistant_fetches_no_package() {
    let fixture = example();
    let memora = memora(&fixture);
    for client in ["claude-code", "claude-desktop", "codex", "cursor", "vscode", "zed"] {
        let output = memora.run(&["mcp", "install", "--client", client]);
        let printed = format!("{}{}", output.stdout, output.stderr);
        assert!(printed.contains("mcp"), "{client}: {printed}");
        assert_eq!(foreign_packages(&printed), Vec::<String>::new(), "{client}: {printed}");
        for word in ["npx", "uvx", "pipx"] {
            assert!(!printed.contains(word), "{client}: {printed}");
        }
    }
}

#[test]
fn an_archive_holds_each_licence_of_the_data() {
    let list = read("packaging/files.txt");
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let sources: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(sources.contains(&"LICENSE-MIT") && sources.contains(&"LICENSE-APACHE"));
    for source in &sources {
        assert!(workspace().join(source).is_file(), "{source} is no file");
    }
    let mut seen = 0;
    for folder in fs::read_dir(workspace().join("crates")).expect("a folder can be read") {
        let assets = folder.expect("an entry").path().join("assets");
        for file in fs::read_dir(assets).into_iter().flatten() {
            let file = file.expect("an entry").path();
            let name = file.file_name().expect("a name").to_string_lossy();
            if ["LICENSE", "NOTICE", "README"].iter().any(|start| name.starts_with(start)) {
                let source = file.strip_prefix(workspace()).expect("below the workspace");
                assert!(sources.iter().any(|one| Path::new(one) == source), "{} is left out", source.display());
                seen += 1;
            }
        }
    }
    assert!(seen >= 5, "{seen} files");
}

/// A tag can be moved to other code; a commit cannot.
#[test]
fn a_workflow_names_actions_by_their_commit() {
    let mut seen = 0;
    for file in fs::read_dir(workspace().join(".github/workflows")).expect("a folder can be read") {
        let text = fs::read_to_string(file.expect("an entry").path()).expect("a text");
        for (_, action) in text.lines().filter_map(|line| line.split_once("uses: ")) {
            let commit = action.split_once('@').and_then(|(_, rest)| rest.split_once("  # v"));
            let is_commit = |word: &str| word.len() == 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(commit.is_some_and(|(commit, _)| is_commit(commit)), "{action}");
            seen += 1;
        }
    }
    assert!(seen > 5, "{seen} actions");
}

/// Others offer builds of the crates of the registry, where our package's name is another's.
#[test]
fn binstall_fetches_our_releases_alone() {
    let manifest = read("Cargo.toml");
    let (_, metadata) = manifest.split_once("[package.metadata.binstall]\n").expect("metadata for binstall");
    assert!(metadata.starts_with("pkg-url = \"{ repo }/releases/download/"), "{metadata:.80}");
    assert!(metadata.contains("\ndisabled-strategies = [\"quick-install\", \"compile\"]\n"));
}
