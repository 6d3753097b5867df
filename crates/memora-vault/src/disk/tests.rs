//! Real folders, made for the occasion.

use std::path::Path;

use super::*;
use crate::{Band, Hint as _, NotePath, PathContext};

struct Dir(tempfile::TempDir);

impl Dir {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = Self(tempfile::tempdir().expect("a temporary folder"));
        for (path, text) in files {
            dir.write(path, text);
        }
        dir
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn open(&self) -> Vault {
        Vault::open(self.path(), &PlaceRules::default()).expect("a vault")
    }
}

fn path(text: &str) -> NotePath {
    NotePath::new(text).expect("a good path")
}

fn notes(walk: &VaultWalk) -> Vec<&str> {
    walk.notes.iter().map(|found| found.path.as_str()).collect()
}

fn skipped(walk: &VaultWalk) -> Vec<String> {
    walk.skipped.iter().map(|skipped| format!("{} {}", skipped.path, skipped.reason.code())).collect()
}

fn problems(list: &[SettingsProblem]) -> Vec<String> {
    assert!(list.iter().all(|problem| !problem.hint().is_empty()));
    list.iter().map(ToString::to_string).collect()
}

#[test]
fn opening_says_what_is_wrong() {
    let dir = Dir::new(&[("a.md", "x")]);
    let open = |path: &Path| Vault::open(path, &PlaceRules::default()).expect_err("no vault");
    assert!(matches!(open(&dir.path().join("none")), OpenVaultError::NotFound { .. }));
    assert!(matches!(open(&dir.path().join("a.md")), OpenVaultError::NotAFolder { .. }));
    assert!(!open(&dir.path().join("none")).hint().is_empty());
    let vault = dir.open();
    assert!(vault.root().is_absolute());
    assert_eq!(vault.name(), vault.root().file_name().and_then(|name| name.to_str()).expect("a name"));
}

#[test]
fn a_vault_is_found_from_any_folder_or_file_in_it() {
    let dir = Dir::new(&[("vault/.obsidian/app.json", "{}"), ("vault/a/b/c.md", "x"), ("other/d.md", "x")]);
    let find = |path: &str| Vault::open_nearest(&dir.path().join(path), &PlaceRules::default());
    for from in ["vault", "vault/a/b", "vault/a/b/c.md"] {
        assert_eq!(find(from).expect("a vault").name(), "vault", "{from}");
    }
    assert!(matches!(find("other").expect_err("no vault"), OpenVaultError::NoVaultAbove { .. }));
}

#[test]
fn notes_and_what_is_passed_over() {
    let dir = Dir::new(&[
        ("b.md", "x"),
        ("a/z.md", "x"),
        ("a/CAPS.MD", "x"),
        ("日記/一.md", "x"),
        ("empty.md", ""),
        ("Drawing.excalidraw.md", "x"),
        ("a/Plan.sync-conflict-20240312-093000-ABCDEFG.md", "x"),
        ("a/.Far away.md.icloud", "x"),
        (".hidden.md", "x"),
        (".trash/old.md", "x"),
        (".git/x.md", "x"),
        ("node_modules/p/README.md", "x"),
        ("picture.png", "x"),
        ("board.canvas", "x"),
        ("table.base", "x"),
    ]);
    let vault = dir.open();
    let walk = vault.walk();
    assert_eq!(notes(&walk), ["a/CAPS.MD", "a/z.md", "b.md", "日記/一.md"]);
    assert_eq!(
        skipped(&walk),
        [
            "Drawing.excalidraw.md drawing",
            "a/Far away.md cloud-placeholder",
            "a/Plan.sync-conflict-20240312-093000-ABCDEFG.md sync-conflict",
            "empty.md empty",
        ]
    );
    assert_eq!(walk.unread, 3);
    for found in &walk.notes {
        assert_eq!(vault.file_stat(&found.path), Some(found.stat));
        assert_eq!(vault.path_context(&found.path), found.place);
        assert_eq!(vault.exclusion_reason(&found.path), None);
    }
}

#[test]
fn a_second_version_is_one_only_beside_the_first() {
    let dir = Dir::new(&[
        ("Report.md", "x"),
        ("Report-DESKTOP-AB12CD3.md", "x"),
        ("Report-DESKTOP-AB12CD3-2.md", "x"),
        ("Report-V2.md", "x"),
        ("a/Report-DESKTOP-AB12CD3.md", "x"),
        ("Interview (Conflict).md", "x"),
        ("Plan.md", "x"),
        ("Plan (Conflict).md", "x"),
    ]);
    let vault = dir.open();
    let copies = [
        "Plan (Conflict).md sync-conflict",
        "Report-DESKTOP-AB12CD3-2.md sync-conflict",
        "Report-DESKTOP-AB12CD3.md sync-conflict",
    ];
    assert_eq!(skipped(&vault.walk()), copies);
    // What is read depends on what lies beside it, so that is looked at again when the other comes or goes.
    std::fs::remove_file(dir.path().join("Report.md")).expect("it is there");
    let walk = vault.scan_places(["Report.md"]).expect("a scan");
    assert_eq!(notes(&walk), ["Report-DESKTOP-AB12CD3-2.md", "Report-DESKTOP-AB12CD3.md"]);
    assert!(walk.covers("Report-DESKTOP-AB12CD3.md") && !walk.covers("Report-V2.md"));
    dir.write("Report.md", b"x");
    let walk = vault.scan_places(["Report.md"]).expect("a scan");
    assert_eq!((notes(&walk), skipped(&walk).len()), (vec!["Report.md"], 2));
    assert!(walk.covers("Report-DESKTOP-AB12CD3.md"));
}

#[test]
fn a_note_too_large_or_not_utf8_or_blank() {
    let dir = Dir::new(&[("blank.md", "\u{feff} \r\n\t"), ("board.md", "---\nkanban-plugin: basic\n---\n- [ ] a")]);
    let large = std::fs::File::create(dir.path().join("large.md")).expect("a file");
    large.set_len((16 << 20) + 1).expect("a large file");
    dir.write("latin.md", b"Caf\xe9");
    dir.write("crlf.md", "\u{feff}a\r\nb\r\n");
    let vault = dir.open();
    assert_eq!(skipped(&vault.walk()), ["large.md too-large"]);
    let reason = |name: &str| vault.read_note(&path(name)).expect_err("not read").skip_reason().map(SkipReason::code);
    assert_eq!(reason("blank.md"), Some("empty"));
    assert_eq!(reason("board.md"), Some("drawing"));
    assert_eq!(reason("large.md"), Some("too-large"));
    assert_eq!(reason("latin.md"), Some("not-utf8"));
    assert_eq!(reason("gone.md"), None);
    assert_eq!(reason("blank.md/deeper.md"), None);
    assert_eq!(reason(&format!("{}.md", "x".repeat(5000))), None);
    assert_eq!(vault.read_note(&path("crlf.md")).expect("a note"), "\u{feff}a\r\nb\r\n");
}

#[test]
fn only_notes_are_read_whoever_asks() {
    let dir = Dir::new(&[(".memora/config.toml", ""), (".trash/a.md", "x"), ("b.txt", "x"), ("c.md/d.md", "x")]);
    let vault = dir.open();
    for name in [".memora/config.toml", ".trash/a.md", "b.txt", "c.md"] {
        assert!(matches!(vault.read_note(&path(name)), Err(ReadNoteError::NotANote)), "{name}");
        assert_eq!(vault.file_stat(&path(name)), None);
    }
    assert_eq!(vault.read_note(&path("c.md/d.md")).expect("a note"), "x");
}

#[cfg(unix)]
#[test]
fn links_are_never_a_way_out_nor_a_way_around() {
    use std::os::unix::fs::symlink;
    let outside = Dir::new(&[("secret.md", "x"), ("folder/x.md", "x"), ("pic.png", "x")]);
    let dir = Dir::new(&[("journal/day.md", "x"), (".hidden/h.md", "x"), ("data.txt", "x")]);
    dir.write(".memora/config.toml", "[[privacy.rules]]\nglob='journal'\nband='secret'");
    let link = |target: &Path, name: &str| symlink(target, dir.path().join(name)).expect("a link");
    link(&outside.path().join("secret.md"), "out.md");
    link(&outside.path().join("folder"), "outfolder");
    link(&outside.path().join("pic.png"), "pic.png");
    link(&dir.path().join("journal/day.md"), "a.md");
    link(&dir.path().join("journal"), "j");
    link(dir.path(), "journal/loop");
    link(&dir.path().join(".hidden/h.md"), "h.md");
    link(&dir.path().join("data.txt"), "data.md");
    link(&dir.path().join("gone.md"), "broken.md");
    let vault = dir.open();
    let walk = vault.walk();
    assert_eq!(notes(&walk), ["journal/day.md"], "read once, at its real path");
    let expect =
        ["broken.md unreadable", "data.md hidden", "h.md hidden", "out.md link-outside", "outfolder link-outside"];
    assert_eq!(skipped(&walk), expect);
    assert_eq!(walk.unread, 2);
    assert_eq!(vault.exclusion_reason(&path("outfolder/x.md")), Some(SkipReason::LinkOutside));
    assert!(matches!(vault.read_note(&path("out.md")), Err(ReadNoteError::OutsideRoot)));
    assert!(matches!(vault.read_note(&path("outfolder/x.md")), Err(ReadNoteError::OutsideRoot)));
    assert!(matches!(vault.read_note(&path("h.md")), Err(ReadNoteError::NotANote)));
    assert!(matches!(vault.read_note(&path("data.md")), Err(ReadNoteError::NotANote)));
    assert!(matches!(vault.read_note(&path("broken.md")), Err(ReadNoteError::NotFound)));
    for through in ["a.md", "j/day.md", "journal/loop/journal/day.md"] {
        assert_eq!(vault.read_note(&path(through)).expect("the note"), "x", "{through}");
        assert_eq!(vault.path_context(&path(through)).band, Band::Secret, "{through}");
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_no_paths_are_reported() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let dir = Dir::new(&[("a\\b.md", "x"), ("fine.md", "x")]);
    // Not every file system takes such a name.
    let odd = std::fs::write(dir.path().join(OsStr::from_bytes(b"caf\xe9.md")), "x").is_ok();
    let walk = dir.open().walk();
    assert_eq!(notes(&walk), ["fine.md"]);
    assert_eq!(skipped(&walk).len(), 1 + usize::from(odd));
    assert!(walk.skipped.iter().all(|skipped| skipped.reason == SkipReason::BadName));
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_listed_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Dir::new(&[("a.md", "x"), ("locked/b.md", "x")]);
    let set = |mode| std::fs::set_permissions(dir.path().join("locked"), std::fs::Permissions::from_mode(mode));
    set(0o000).expect("permissions");
    let can_list = std::fs::read_dir(dir.path().join("locked")).is_ok();
    let walk = dir.open().walk();
    set(0o755).expect("permissions");
    // Root can list it all the same.
    if !can_list {
        assert_eq!((notes(&walk), skipped(&walk)), (vec!["a.md"], vec!["locked unreadable".to_owned()]));
    }
}

#[test]
fn ignore_files_nested_and_said() {
    let dir = Dir::new(&[
        (".gitignore", "*.log.md\n/build/\nkeep/no.md\n"),
        (".memoraignore", "Private für mich/\n!keep/no.md\n"),
        ("a.log.md", "x"),
        ("build/x.md", "x"),
        ("build/deep/y.md", "x"),
        ("build/pic.png", "x"),
        ("sub/build/z.md", "x"),
        ("sub/.gitignore", "!b.log.md\nlocal.md\n"),
        ("sub/b.log.md", "x"),
        ("sub/local.md", "x"),
        ("local.md", "x"),
        ("keep/no.md", "x"),
        ("private fu\u{308}r mich/p.md", "x"),
    ]);
    let vault = dir.open();
    let walk = vault.walk();
    assert_eq!(notes(&walk), ["keep/no.md", "local.md", "sub/b.log.md", "sub/build/z.md"]);
    let hidden = [
        "a.log.md ignored-by-git",
        "build/deep/y.md ignored-by-git",
        "build/x.md ignored-by-git",
        "private fu\u{308}r mich/p.md ignored-by-memora",
        "sub/local.md ignored-by-git",
    ];
    assert_eq!(skipped(&walk), hidden);
    assert_eq!(walk.unread, 0);
    for skipped in &walk.skipped {
        assert_eq!(vault.exclusion_reason(&path(&skipped.path)), Some(skipped.reason), "{}", skipped.path);
    }
    for found in &walk.notes {
        assert_eq!(vault.exclusion_reason(&found.path), None);
    }
}

#[test]
fn ignore_files_above_the_vault_are_not_read() {
    let dir = Dir::new(&[(".gitignore", "*.md\n"), (".git/config", ""), ("vault/a.md", "x")]);
    let vault = Vault::open(&dir.path().join("vault"), &PlaceRules::default()).expect("a vault");
    assert_eq!(notes(&vault.walk()), ["a.md"]);
}

#[test]
fn an_ignore_file_that_cannot_be_read_hides_its_folder() {
    let dir = Dir::new(&[("a.md", "x"), ("p/b.md", "x"), ("q/c.md", "x"), ("q/.gitignore", "[z-a]\nc.md\n")]);
    dir.write("p/.memoraignore", b"\xff\xfe");
    let vault = dir.open();
    let walk = vault.walk();
    assert_eq!(notes(&walk), ["a.md"]);
    assert_eq!(skipped(&walk), ["p/b.md ignored-by-memora", "q/c.md ignored-by-git"]);
    let expect = ["p/.memoraignore: cannot be read", "q/.gitignore: line 1 is not a pattern; it hides nothing"];
    assert_eq!(problems(&walk.problems), expect);
    assert_eq!(vault.exclusion_reason(&path("p/b.md")), Some(SkipReason::IgnoredByMemora));
}

#[test]
fn obsidians_excluded_files_and_templates() {
    let dir = Dir::new(&[
        (".obsidian/app.json", r#"{"userIgnoreFilters": ["Archive/", "/draft-\\d+/", "/(?=x)/", "", "notes/a"]}"#),
        (".obsidian/templates.json", r#"{"folder": "Vorlagen/"}"#),
        (".obsidian/plugins/templater-obsidian/data.json", r#"{"templates_folder": "/"}"#),
        (".obsidian/daily-notes.json", r#"{"template": "meta/Daily"}"#),
        ("archive/x.md", "x"),
        ("archived.md", "x"),
        ("deep/Draft-12 x.md", "x"),
        ("notes/abc.md", "x"),
        ("notes/b.md", "x"),
        ("Vorlagen/t.md", "x"),
        ("Vorlagen 2/t.md", "x"),
        ("meta/daily.md", "x"),
    ]);
    let vault = dir.open();
    let walk = vault.walk();
    assert_eq!(notes(&walk), ["Vorlagen 2/t.md", "archived.md", "notes/b.md"]);
    let expect = [
        "Vorlagen/t.md template",
        "archive/x.md ignored-by-obsidian",
        "deep/Draft-12 x.md ignored-by-obsidian",
        "meta/daily.md template",
        "notes/abc.md ignored-by-obsidian",
    ];
    assert_eq!(skipped(&walk), expect);
    let problem = ".obsidian/app.json: excluded-files pattern 3 cannot be read; it hides nothing";
    assert_eq!(problems(vault.settings_problems()), [problem]);
}

#[test]
fn malformed_settings_are_reported_and_nothing_more() {
    let dir = Dir::new(&[
        ("a.md", "x"),
        (".obsidian/app.json", "{"),
        (".obsidian/templates.json", r#"{"folder": 3}"#),
        (".obsidian/daily-notes.json", r#"{"format": "x"}"#),
    ]);
    dir.write(".obsidian/plugins/periodic-notes/data.json", b"\xff");
    let vault = dir.open();
    let expect = [
        ".obsidian/app.json: is not valid JSON; not read",
        ".obsidian/templates.json: `folder` is not what Obsidian writes; not read",
        ".obsidian/daily-notes.json: the date format of daily notes cannot be read; it dates no note",
        ".obsidian/plugins/periodic-notes/data.json: cannot be read",
    ];
    assert_eq!(problems(vault.settings_problems()), expect);
    assert_eq!(notes(&vault.walk()), ["a.md"]);
}

#[test]
fn periodic_notes_are_dated_by_their_settings() {
    let dir = Dir::new(&[
        (".obsidian/daily-notes.json", r#"{"folder": "Tage", "format": "YYYY/DD.MM.YYYY"}"#),
        (
            ".obsidian/plugins/periodic-notes/data.json",
            r#"{"weekly": {"enabled": true, "folder": "", "format": ""},
                "monthly": {"enabled": false, "folder": "Monate", "format": "YYYY-MM"},
                "calendarSets": [{"id": "d", "quarter": {"enabled": true, "folder": "Q", "format": "YYYY-[Q]Q"}}]}"#,
        ),
    ]);
    let vault = dir.open();
    let date = |name: &str| vault.path_context(&path(name)).date.map(|date| date.to_string()).unwrap_or_default();
    assert_eq!(date("tage/2024/12.03.2024.md"), "2024-03-12");
    assert_eq!(date("2024/12.03.2024.md"), "");
    assert_eq!(date("2024-W11.md"), "2024-03");
    assert_eq!(date("Monate/2024-03.md"), "");
    assert_eq!(date("Q/2024-Q2.md"), "2024");
    assert_eq!(date("anywhere/2024-03-12 Meeting.md"), "2024-03-12");
    assert_eq!(date("anywhere/Meeting 2024-03-12.md"), "2024-03-12");
}

#[test]
fn the_vaults_own_rules_only_tighten() {
    let dir = Dir::new(&[(
        ".memora/config.toml",
        "[privacy]\nunmarked = 'private'\n[[privacy.rules]]\nglob='work/**'\nband='public'\n\
         [[privacy.rules]]\nglob='tagebu\u{308}cher/**'\nband='secret'",
    )]);
    let rules = PlaceRules::new(vec![("work/**".into(), Band::Secret)], Band::Public).expect("good rules");
    let vault = Vault::open(dir.path(), &rules).expect("a vault");
    let band = |name: &str| vault.path_context(&path(name)).band;
    assert_eq!(band("work/a.md"), Band::Secret, "the vault says public, the user says secret");
    assert_eq!(band("a.md"), Band::Private);
    assert_eq!(band("Tagebücher/2024/a.md"), Band::Secret);
    let reasons = vault.place_reasons(&path("work/a.md"));
    let expect =
        [PlaceReason::UserRule("work/**".into(), Band::Secret), PlaceReason::VaultRule("work/**".into(), Band::Public)];
    assert_eq!(reasons, expect);
}

#[test]
fn rules_that_cannot_be_read_make_everything_secret() {
    #[track_caller]
    fn check(config: impl AsRef<[u8]>, problem: &str) {
        let dir = Dir::new(&[("a.md", "x")]);
        dir.write(".memora/config.toml", config);
        let vault = dir.open();
        assert_eq!(vault.walk().notes.first().map(|found| found.place.band), Some(Band::Secret));
        assert_eq!(problems(vault.settings_problems()), [format!(".memora/config.toml: {problem}")]);
        assert!(vault.place_reasons(&path("a.md")).contains(&PlaceReason::VaultRulesUnreadable));
    }
    check("[privacy", "not valid TOML, line 1; every note is read as secret");
    check("[privcy]\n", "unknown key `privcy`; every note is read as secret");
    check(
        "[[privacy.rules]]\nglob='{a'\nband='private'",
        "the glob of privacy rule 1 is not valid; every note is read as secret",
    );
    check(b"\xff", "cannot be read");
    let dir = Dir::new(&[("a.md", "x"), (".memora/config.toml", "[[privacy.rules]]\nglob='j'\nband='sercet'")]);
    let vault = dir.open();
    assert_eq!(vault.path_context(&path("j/x.md")).band, Band::Secret);
    assert_eq!(vault.path_context(&path("a.md")), PathContext::default());
}

#[test]
fn the_fingerprint_changes_with_what_decides_and_with_nothing_else() {
    let dir = Dir::new(&[("a.md", "x"), (".obsidian/app.json", r#"{"vimMode": false}"#)]);
    let vault = dir.open();
    let (rules, walked) = (vault.rules_fingerprint(), vault.walk().rules);
    dir.write(".obsidian/app.json", r#"{"vimMode": true}"#);
    dir.write("b.md", "x");
    assert_eq!(vault.reopen().expect("a vault").rules_fingerprint(), rules);
    assert_eq!(vault.walk().rules, walked);
    dir.write(".gitignore", "b.md");
    assert_eq!(vault.rules_fingerprint(), rules);
    assert_ne!(vault.walk().rules, walked);
    dir.write(".memora/config.toml", "[privacy]\nunmarked = 'private'");
    let tighter = vault.reopen().expect("a vault");
    assert_ne!(tighter.rules_fingerprint(), rules);
    dir.write(".obsidian/app.json", r#"{"userIgnoreFilters": ["b"]}"#);
    assert_ne!(vault.reopen().expect("a vault").rules_fingerprint(), tighter.rules_fingerprint());
}

/// Templates are not read, so a rule for them guards nothing, and looks as if it did.
#[test]
fn rules_for_what_is_not_read_are_idle() {
    let dir = Dir::new(&[
        (".obsidian/templates.json", r#"{"folder": "Vorlagen"}"#),
        (".memora/config.toml", "[[privacy.rules]]\nglob = '/Vorlagen/*.md'\nband = 'secret'\n"),
        ("Vorlagen/Daily.md", "x"),
        ("journal/2025.md", "x"),
    ]);
    let given = [("Vorlagen/**", Band::Secret), ("journal/**", Band::Secret), ("**/Vorlagen*", Band::Private)];
    let rules = PlaceRules::new(given.map(|(glob, band)| (glob.to_owned(), band)).to_vec(), Band::Public);
    let vault = Vault::open(dir.path(), &rules.expect("good globs")).expect("a vault");
    let idle = [("Vorlagen/**", SkipReason::Template), ("/Vorlagen/*.md", SkipReason::Template)];
    assert_eq!(vault.find_idle_rules(), idle);
    assert_eq!(vault.folder_exclusion("journal"), None);
}
