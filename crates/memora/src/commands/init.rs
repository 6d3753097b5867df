//! `init`: asks three questions, writes the user's `config.toml`, builds the first index, and suggests commands.
//!
//! Invariant: **it writes into the user's own configuration and the state, and never into the vault.**

use std::path::{Component, Path, PathBuf};

use memora_engine::report::{Freshness, GuardedPlace, InitReport};
use memora_engine::{Band, Config, Door, InitSettings, LocalDoor, Memora, SyncBound, SyncOutcome, Vault};

use super::vault::{
    listed_vaults, load_config, open_vault, require_notes, sync_index, warn_idle_rules, warn_unwiped, warn_withheld,
};
use crate::args::{GlobalArgs, Init};
use crate::command_error::{CommandError, CommandOutcome};
use crate::screen;
use crate::ui::{Prompter, Ui};

/// The maximum number of attempts per question.
const TRIES_MAX: usize = 3;

pub(super) fn run(global: &GlobalArgs, args: &Init, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let own = load_config(global)?;
    // Report a missing vault before asking anything.
    let (mut global, mut chosen) = (global.clone(), None);
    let mut memora = match open_vault(&global, ui) {
        Err(error) if error.is_missing_vault() && ui.can_ask() && !args.yes => {
            let listed = listed_vaults();
            if listed.is_empty() {
                return Err(error);
            }
            let folder = choose_vault(&listed, ui)?;
            global.vault = Some(folder.clone());
            chosen = Some(folder);
            open_vault(&global, ui)?
        }
        opened => opened?,
    };
    let global = &global;
    let now = own.settings();
    let wanted = if args.yes || !ui.can_ask() {
        ui.status_line("note: nothing is asked, so what is set stays, and what is not set keeps its default");
        now.clone()
    } else {
        ask_settings(&now, memora.vault(), ui)?
    };
    let changed = own.write_settings(&wanted)?.is_some();
    if changed {
        drop(memora);
        memora = open_vault(global, ui)?;
    }
    let synced = sync_index(&mut memora, SyncBound::All, ui)?;
    require_notes(&memora, synced.seen, ui)?;
    warn_unwiped(&synced, ui);
    if synced.is_blocked() {
        ui.status_line("note: another memora process is indexing this vault; what is said here is from the last index");
    }
    let outcome = if ui.is_local() {
        print_summary(&memora, LocalDoor, changed, &synced, ui)?
    } else {
        print_summary(&memora, memora.cloud_door(), changed, &synced, ui)?
    };
    if let Some(folder) = chosen {
        let folder = folder.display();
        ui.hint(&format!("run them in {folder}, or anywhere with --vault \"{folder}\" or MEMORA_VAULT set to it"));
    }
    Ok(outcome)
}

/// Offers the vaults that Obsidian lists; the first is the default, and another folder may be typed.
fn choose_vault(listed: &[PathBuf], prompter: &dyn Prompter) -> Result<PathBuf, CommandError> {
    prompter.show_line("There is no vault here. These are listed in Obsidian's settings:");
    for (number, folder) in (1..).zip(listed) {
        prompter.show_line(&format!("{number:>4}  {}", folder.display()));
    }
    let first = || listed.first().cloned().unwrap_or_default();
    ask_until_valid(prompter, "\nWhich one: a number, or the path of another folder? [1] ", first, |typed| {
        let numbered = typed.parse::<usize>().ok().and_then(|number| listed.get(number.checked_sub(1)?).cloned());
        let folder = numbered.or_else(|| Some(PathBuf::from(typed)).filter(|folder| folder.is_dir()));
        folder.ok_or_else(|| format!("{typed:?} is no number of the list, and no folder"))
    })
}

/// Prints the settings, the counts of notes, and suggested commands.
fn print_summary<D: Door>(
    memora: &Memora,
    door: D,
    changed: bool,
    synced: &SyncOutcome,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let report = build_report(memora, door.clone(), changed, synced.freshness())?;
    ui.print_report(&report, screen::format_init)?;
    warn_idle_rules(memora, ui);
    warn_withheld(memora, &door, ui);
    Ok(CommandOutcome::Good)
}

fn build_report<D: Door>(
    memora: &Memora,
    door: D,
    changed: bool,
    freshness: Freshness,
) -> Result<InitReport, CommandError> {
    let local = door.is_local();
    let InitSettings { owner, unmarked, places } = memora.config().settings();
    let place = |(glob, band): (String, Band)| GuardedPlace { glob, band };
    let suggestion = memora.find_suggestion(door.view())?;
    let status = memora.session(door)?.doctor().report_status(freshness)?;
    // The suggestion was tried. Without one, commands about the whole vault always work.
    let next = match suggestion {
        Some(first) => vec![
            format!("memora ask \"{}\"", first.question),
            format!("memora entity \"{}\"", first.name),
            format!("memora search \"{}\"", first.words),
        ],
        None => {
            let claims = (status.statements > 0).then_some("memora claims");
            claims.into_iter().chain(["memora status", "memora privacy audit"]).map(str::to_owned).collect()
        }
    };
    Ok(InitReport {
        vault: status.vault,
        config: local
            .then(|| memora.config().config_path())
            .filter(|path| path.is_file())
            .map(|path| path.display().to_string()),
        changed,
        owner: owner.filter(|_| local),
        unmarked,
        places: local.then(|| places.into_iter().map(place).collect()),
        notes: status.notes,
        statements: status.statements,
        skipped: status.skipped,
        problems: status.problems,
        next,
        freshness,
    })
}

/// Asks the three questions; the current settings are the defaults.
fn ask_settings(now: &InitSettings, vault: &Vault, prompter: &dyn Prompter) -> Result<InitSettings, CommandError> {
    prompter.show_line(
        "Three questions; press Enter to accept the value in brackets. The answers go into your own config.toml.",
    );
    let owner = ask_until_valid(
        prompter,
        &format!(
            "\n1/3  What are you called in your notes? So that \"I\" means you. [{}] ",
            now.owner.as_deref().unwrap_or("not set")
        ),
        || now.owner.clone(),
        |typed| {
            Config::is_valid_owner(typed).then(|| Some(typed.to_owned())).ok_or_else(|| "this is not a name".to_owned())
        },
    )?;
    let unmarked = ask_until_valid(
        prompter,
        &format!(
            "\n2/3  Notes that you did not mark: public (programs and models may be shown them), private or secret? [{}] ",
            now.unmarked
        ),
        || now.unmarked,
        parse_band,
    )?;
    let set: Vec<String> = now.places.iter().map(|(glob, band)| format!("{glob}={}", band.as_str())).collect();
    let set = if set.is_empty() { "none".to_owned() } else { set.join(", ") };
    let more = if now.places.is_empty() { "" } else { " What you name is added to them." };
    let places = ask_until_valid(
        prompter,
        &format!(
            "\n3/3  Which folders or notes are secret or private, in all your vaults? For example: journal, people/family=private, **/*salary*.md.{more} [{set}] "
        ),
        Vec::new,
        |typed| parse_places(typed, vault),
    )?;
    Ok(InitSettings { owner, unmarked, places: merge_places(now.places.clone(), places) })
}

/// Merges the configured places with the new ones; of duplicates the last counts.
fn merge_places(mut set: Vec<(String, Band)>, named: Vec<(String, Band)>) -> Vec<(String, Band)> {
    for (glob, band) in named {
        set.retain(|(there, _)| *there != glob);
        set.push((glob, band));
    }
    set
}

/// Asks until the answer is valid, up to a limit.
fn ask_until_valid<T>(
    prompter: &dyn Prompter,
    question: &str,
    default: impl FnOnce() -> T,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, CommandError> {
    for _ in 0..TRIES_MAX {
        let Some(line) = prompter.read_answer(question) else {
            return Err(CommandError::stopped("stopped; nothing was written")
                .with_hint("memora init asks again, --yes does not ask"));
        };
        if line.trim().is_empty() {
            return Ok(default());
        }
        match read(line.trim()) {
            Ok(answer) => return Ok(answer),
            Err(why) => prompter.show_line(&format!("{why}; once more, please")),
        }
    }
    Err(CommandError::usage(format!("no answer that can be read, asked {TRIES_MAX} times; nothing was written"))
        .with_hint("run memora init again; press Enter to accept the value in brackets"))
}

fn parse_band(typed: &str) -> Result<Band, String> {
    Band::parse(typed).map_err(|_| format!("{typed:?} is not public, private or secret"))
}

/// Parses `journal, people/family=private`: globs, each with a band; the default is secret.
fn parse_places(typed: &str, vault: &Vault) -> Result<Vec<(String, Band)>, String> {
    let parts = split_outside_braces(typed);
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts.map(|part| parse_place(part, vault)).collect()
}

/// Splits at commas outside of braces, which separate alternatives in a glob.
fn split_outside_braces(typed: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0_usize);
    for c in typed.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match parts.last_mut() {
            Some(part) if c != ',' || depth > 0 => part.push(c),
            _ => parts.push(String::new()),
        }
    }
    parts
}

fn parse_place(part: &str, vault: &Vault) -> Result<(String, Band), String> {
    let (name, band) = match part.rsplit_once('=') {
        Some((name, word)) => (name.trim(), parse_band(word.trim())?),
        None => (part, Band::Secret),
    };
    let plain = vault_relative(name).unwrap_or_default();
    let path = vault.root().join(&plain);
    if let Some(why) = vault.folder_exclusion(&plain).filter(|_| path.is_dir()) {
        // A rule for it would guard nothing, and look as if it did.
        Err(format!("nothing in {name:?} is read, so there is nothing to guard: a note there {why}"))
    } else if !plain.is_empty() && path.is_dir() {
        Ok((format!("{}/**", escape_glob(&plain)), band))
    } else if !plain.is_empty() && path.is_file() {
        // Anchored at the root, as typed, so that notes of that name elsewhere do not match.
        Ok((format!("/{}", escape_glob(&plain)), band))
    } else if !name.contains(['*', '?', '[', '{', '\\']) {
        // A misspelt name would guard nothing, and look as if it did.
        Err(format!("there is no folder or note {name:?} in this vault"))
    } else if Config::is_valid_glob(name) {
        Ok((name.to_owned(), band))
    } else {
        Err(format!("{name:?} is not a pattern: close every [ and {{"))
    }
}

/// Returns a path in glob notation, relative to the vault; `None` if it leads outside.
fn vault_relative(name: &str) -> Option<String> {
    let parts = Path::new(name).components().filter(|part| *part != Component::CurDir);
    let parts: Option<Vec<&str>> = parts
        .map(|part| match part {
            Component::Normal(part) => part.to_str(),
            _ => None,
        })
        .collect();
    Some(parts?.join("/"))
}

/// Escapes a path so that a glob matches it literally.
fn escape_glob(path: &str) -> String {
    let special = |c: char| matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\');
    path.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::VecDeque;

    use memora_engine::PlaceRules;

    use super::*;

    /// A scripted prompter that records its output.
    struct Script {
        answers: RefCell<VecDeque<&'static str>>,
        heard: RefCell<Vec<String>>,
    }

    impl Prompter for Script {
        fn read_answer(&self, question: &str) -> Option<String> {
            self.show_line(question);
            self.answers.borrow_mut().pop_front().map(str::to_owned)
        }

        fn show_line(&self, line: &str) {
            self.heard.borrow_mut().push(line.to_owned());
        }
    }

    fn script(answers: &[&'static str]) -> Script {
        Script { answers: RefCell::new(answers.iter().copied().collect()), heard: RefCell::default() }
    }

    fn open(folder: &tempfile::TempDir) -> Vault {
        let rules = PlaceRules::new(Vec::new(), Band::Public).expect("no rules");
        Vault::open(folder.path(), &rules).expect("a vault")
    }

    fn nothing_set() -> InitSettings {
        InitSettings { owner: None, unmarked: Band::Public, places: Vec::new() }
    }

    fn vault() -> tempfile::TempDir {
        let vault = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(vault.path().join("people/family")).expect("folders");
        std::fs::write(vault.path().join("will.md"), "").expect("a note");
        vault
    }

    #[test]
    fn three_questions_are_asked_and_enter_takes_what_is_set() {
        let vault = vault();
        let prompter = script(&["", " ", ""]);
        assert_eq!(ask_settings(&nothing_set(), &open(&vault), &prompter).expect("answers"), nothing_set());
        assert_eq!(prompter.heard.borrow().len(), 4);
        let set = InitSettings {
            owner: Some("Mara".to_owned()),
            unmarked: Band::Private,
            places: vec![("journal/**".to_owned(), Band::Secret)],
        };
        let prompter = script(&["", "", ""]);
        assert_eq!(ask_settings(&set, &open(&vault), &prompter).expect("answers"), set);
        let heard = prompter.heard.borrow().join("\n");
        for default in ["[Mara]", "[private]", "[journal/**=secret]"] {
            assert!(heard.contains(default), "{heard}");
        }
    }

    #[test]
    fn answers_are_read() {
        let vault = vault();
        let prompter = script(&["Mara Lindqvist", "Private", "people/family/=private, **/{a,b}*.md ,will.md"]);
        let answers = ask_settings(&nothing_set(), &open(&vault), &prompter).expect("answers");
        assert_eq!(answers.owner.as_deref(), Some("Mara Lindqvist"));
        assert_eq!(answers.unmarked, Band::Private);
        let places = [("people/family/**", Band::Private), ("**/{a,b}*.md", Band::Secret), ("/will.md", Band::Secret)];
        assert_eq!(answers.places, places.map(|(glob, band)| (glob.to_owned(), band)));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_is_there_is_meant_by_its_very_name() {
        let vault = vault();
        std::fs::create_dir(vault.path().join("[old] *notes*")).expect("a folder");
        let (glob, _) = parse_place("./[old] *notes*/", &open(&vault)).expect("it is there");
        assert_eq!(glob, r"\[old\] \*notes\*/**");
        assert!(Config::is_valid_glob(&glob));
    }

    #[test]
    fn what_is_named_is_added_and_what_is_named_again_is_changed() {
        let vault = vault();
        let set = [("a/**", Band::Secret), ("people/**", Band::Secret)].map(|(glob, band)| (glob.to_owned(), band));
        let now = InitSettings { places: set.to_vec(), ..nothing_set() };
        let answers = ask_settings(&now, &open(&vault), &script(&["", "", "people=private"])).expect("answers");
        let both = [("a/**", Band::Secret), ("people/**", Band::Private)];
        assert_eq!(answers.places, both.map(|(glob, band)| (glob.to_owned(), band)));
    }

    #[test]
    fn what_cannot_be_read_is_asked_again_three_times_in_all() {
        let vault = vault();
        let prompter = script(&[".", "Mara", "sekret", "secret", "jurnal", "../people", "people"]);
        let answers = ask_settings(&nothing_set(), &open(&vault), &prompter).expect("answers");
        assert_eq!((answers.unmarked, answers.places), (Band::Secret, vec![("people/**".to_owned(), Band::Secret)]));
        let heard = prompter.heard.borrow().join("\n");
        for why in ["this is not a name", "\"sekret\" is not public", "no folder or note \"jurnal\"", "\"../people\""] {
            assert!(heard.contains(why), "{heard}");
        }
        for bad in [["", "x", "y", "z"], ["", "", "people/family, [", "a"]] {
            let error = ask_settings(&nothing_set(), &open(&vault), &script(&bad));
            assert!(error.is_err_and(|error| !error.hints().is_empty()), "{bad:?}");
        }
    }

    #[test]
    fn a_listed_vault_is_chosen_by_number_or_another_by_its_path() {
        let (first, other) = (vault(), vault());
        let vault = &first;
        let listed = [vault.path().join("people"), vault.path().to_owned()];
        let choose = |answers: &[&'static str]| choose_vault(&listed, &script(answers)).expect("an answer");
        assert_eq!(choose(&[""]), listed[0]);
        assert_eq!(choose(&["0", "3", "2"]), listed[1]);
        let path: &'static str = other.path().to_str().expect("a plain path").to_owned().leak();
        assert_eq!(choose(&[path]), other.path());
        assert!(choose_vault(&listed, &script(&["x", "nowhere", "9"])).is_err());
        assert!(choose_vault(&listed, &script(&[])).is_err());
        let prompter = script(&["1"]);
        choose_vault(&listed, &prompter).expect("an answer");
        assert!(prompter.heard.borrow().join("\n").contains(&format!("2  {}", vault.path().display())));
    }

    #[test]
    fn who_says_no_more_ends_it() {
        let error = ask_settings(&nothing_set(), &open(&vault()), &script(&["Mara"])).expect_err("it ends");
        assert!(error.to_string().contains("nothing was written"));
    }
}
