//! The engine's rooms, whose imports run down the list; in every crate no circle ties files, and no type has too many methods.
//!
//! A new room, or an arrow that has to run up, is a decision: it changes this list and `docs/architecture.md` in the same commit.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::support::workspace;

/// From the ground up: a room knows itself and those before it.
const ROOMS: &[&str] = &["report", "state", "index", "read", "remember", "oversee", "at_door"];

/// The most methods of a type.
const METHODS_MAX: usize = 40;

/// A module: its path, without the crate.
type Module = Vec<String>;

/// A module of tests, written in the file that it tests.
static TESTS: LazyLock<Regex> = LazyLock::new(|| regex(r"\n#\[cfg\(test\)\]\n(?:#\[[^\n]*\n)*mod \w+ \{"));
/// A `use`, with its visibility, and its tree.
static USE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^[ \t]*(pub(?:\([^)]*\))? )?use ([a-z_][^;]*);"));
/// A path in code that begins at the crate's root or at a module above.
static ROOTED: LazyLock<Regex> = LazyLock::new(|| regex(r"\b((?:crate|super)(?:::\w+)+)"));
/// `child::name`, of a module that lies below this one: whatever else is named so resolves to nothing.
static RELATIVE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?:^|[^:\w])([a-z_]+(?:::\w+)+)"));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a regex")
}

/// The modules of every crate.
fn crates() -> BTreeMap<String, BTreeMap<Module, String>> {
    let folders =
        std::fs::read_dir(workspace().join("crates")).expect("crates").map(|entry| entry.expect("an entry").path());
    let named =
        folders.map(|folder| (folder.file_name().expect("a name").to_string_lossy().into_owned(), modules(&folder)));
    let found: BTreeMap<_, _> = named.collect();
    assert!(found.len() > 15 && found.values().all(|modules| modules.len() > 2), "{:?}", found.keys());
    found
}

/// The modules of the engine.
fn engine() -> BTreeMap<Module, String> {
    let found = modules(&workspace().join("crates/memora-engine"));
    assert!(found.len() > 150, "the engine is no longer found: {}", found.len());
    found
}

/// The code of each module of a crate, without comments, and without its tests.
fn modules(folder: &Path) -> BTreeMap<Module, String> {
    let (root, mut found) = (folder.join("src"), BTreeMap::new());
    collect_modules(&root, &root, &mut found);
    found
}

fn collect_modules(root: &Path, folder: &Path, found: &mut BTreeMap<Module, String>) {
    let mut places: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    places.sort();
    for place in places {
        let name = place.file_stem().expect("a name").to_string_lossy().into_owned();
        if place.is_dir() {
            collect_modules(root, &place, found);
        } else if name != "tests" && !name.ends_with("_tests") {
            let inside = place.strip_prefix(root).expect("it lies there").with_extension("");
            let mut module: Module = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if name == "mod" || name == "lib" {
                module.pop();
            }
            let text = std::fs::read_to_string(&place).expect("a source");
            let code = TESTS.find(&text).and_then(|found| text.get(..found.start())).unwrap_or(&text);
            let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
            found.insert(module, lines.collect::<Vec<_>>().join("\n"));
        }
    }
}

/// The paths of a use tree: `a::{b, c::d}` has two.
fn expand(tree: &str) -> Vec<Module> {
    let Some((front, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return vec![path.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()];
    };
    let inside = rest.trim_end().strip_suffix('}').unwrap_or(rest);
    let front: Module = front.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let (mut depth, mut start, mut parts) = (0_usize, 0, Vec::new());
    for (at, letter) in inside.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(inside.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(inside.get(start..).unwrap_or_default());
    let parts = parts.into_iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| expand(part.trim())).map(|rest| [front.clone(), rest].concat()).collect()
}

/// What the code of a module names in its crate, from the root: what it uses, and what it passes on to others.
fn named_paths(module: &Module, code: &str) -> Vec<(Module, bool)> {
    let mut found: Vec<(Module, bool)> = Vec::new();
    for tree in USE.captures_iter(code) {
        found.extend(expand(&tree[2]).into_iter().map(|path| (path, tree.get(1).is_some())));
    }
    let bodies = USE.replace_all(code, "");
    let below = RELATIVE.captures_iter(&bodies).flat_map(|path| expand(&format!("self::{}", &path[1])));
    found.extend(below.map(|path| (path, false)));
    found.extend(ROOTED.captures_iter(&bodies).flat_map(|path| expand(&path[1])).map(|path| (path, false)));
    let rooted = |(path, is_passed_on): (Module, bool)| {
        let up = path.iter().take_while(|part| *part == "super").count();
        let rest = path.get(up..)?.to_vec();
        match path.first()?.as_str() {
            "crate" => Some((path.get(1..)?.to_vec(), is_passed_on)),
            "super" => Some(([module.get(..module.len().checked_sub(up)?)?.to_vec(), rest].concat(), is_passed_on)),
            "self" => Some(([module.clone(), path.get(1..)?.to_vec()].concat(), is_passed_on)),
            _ if is_passed_on => Some(([module.clone(), path].concat(), true)),
            _ => None,
        }
    };
    found.into_iter().filter_map(rooted).collect()
}

#[test]
fn no_import_of_the_engine_runs_up() {
    let rank = |room: &str| ROOMS.iter().position(|known| *known == room);
    for (module, code) in engine() {
        let Some(room) = module.first() else { continue };
        let own = rank(room).unwrap_or_else(|| panic!("{room} is no room: {ROOMS:?}"));
        for (path, _) in named_paths(&module, &code) {
            let named = path.first().map(String::as_str).unwrap_or_default();
            let below = rank(named).is_some_and(|rank| rank <= own);
            assert!(below, "{} names {}, which is not at or below {room}", module.join("::"), path.join("::"));
        }
    }
}

/// The module that a path leads to: where what it names is written, through what modules pass on.
fn resolve(path: &Module, names: &BTreeMap<Module, Names>, depth: usize) -> Option<Module> {
    let module = (0..=path.len()).rev().filter_map(|end| path.get(..end)).find(|front| names.contains_key(*front))?;
    let rest = path.get(module.len()..)?;
    let known = names.get(module)?;
    match rest.first().and_then(|name| known.passed_on.get(name)) {
        Some(on) if depth < 8 && !known.written.contains(rest.first()?) => {
            resolve(&[on.clone(), rest.get(1..)?.to_vec()].concat(), names, depth + 1)
        }
        _ => Some(module.to_vec()),
    }
}

/// What a module writes, and what it passes on of others.
struct Names {
    written: BTreeSet<String>,
    passed_on: BTreeMap<String, Module>,
}

#[test]
fn no_type_has_more_than_forty_methods() {
    let blocks = regex(r"(?ms)^impl(?:<[^{]*?>)? (?:\w+(?:<[^>]*>)? for )?([A-Z]\w*)[^{]*\{\n(.*?)^\}");
    let method = regex(r"(?m)^    (?:pub(?:\([^)]*\))? )?(?:const )?fn \w");
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (name, modules) in crates() {
        for block in modules.values().flat_map(|code| blocks.captures_iter(code)) {
            *counts.entry((name.clone(), block[1].to_owned())).or_default() += method.find_iter(&block[2]).count();
        }
    }
    let known = counts.get(&("memora-engine".to_owned(), "Memora".to_owned()));
    assert!(known.is_some_and(|count| *count > 10), "methods are no longer found: {counts:?}");
    counts.retain(|_, count| *count > METHODS_MAX);
    assert!(counts.is_empty(), "to be divided: {counts:?}");
}

/// An owner of memories calls those before it in `owners.rs`, and none behind it: what imports do not show, since all are declared there.
#[test]
fn no_owner_of_memories_calls_one_behind_it() {
    let modules = engine();
    let code = |module: &str| modules.get(&vec!["remember".to_owned(), module.to_owned()]).expect("a module");
    let named = regex(r"(?m)^    (?:pub|pub\(crate\)) (\w+) by (\w+)$");
    let owners: Vec<[String; 2]> =
        named.captures_iter(code("owners")).map(|found| [found[1].to_owned(), found[2].to_owned()]).collect();
    assert!(owners.len() >= 10, "the owners are no longer found: {owners:?}");
    let rank = |name: &str| owners.iter().position(|[owner, way]| owner == name || way == name);
    let block = regex(r"(?ms)^impl(?:<[^>]*>)? (\w+)<[^>]*> \{\n(.*?)^\}");
    let call = regex(r"\.(\w+)\(\)");
    let mut calls = 0;
    for (module, code) in modules.iter().filter(|(module, _)| module.first().is_some_and(|room| room == "remember")) {
        for block in block.captures_iter(code) {
            let own = if &block[1] == "Memories" { None } else { Some(rank(&block[1])) };
            for called in call.captures_iter(&block[2]).filter_map(|call| rank(&call[1])) {
                calls += 1;
                let is_before = own.is_some_and(|own| own.is_none_or(|own| called <= own));
                assert!(is_before, "{} in {} calls {}", &block[1], module.join("::"), owners[called][0]);
            }
        }
    }
    assert!(calls > 50, "the calls are no longer found: {calls}");
}

#[test]
fn no_circle_of_imports_ties_files() {
    let ties: BTreeMap<String, Vec<String>> =
        crates().iter().map(|(name, modules)| (name.clone(), circles(modules))).collect();
    let tied: BTreeMap<_, _> = ties.iter().filter(|(_, ties)| !ties.is_empty()).collect();
    assert!(tied.is_empty(), "in a circle, or leading to one: {tied:#?}");
}

/// The arrows between files that are in a circle, or lead to one.
fn circles(modules: &BTreeMap<Module, String>) -> Vec<String> {
    static WRITTEN: LazyLock<Regex> =
        LazyLock::new(|| regex(r"\b(?:struct|enum|fn|trait|type|const|static|macro_rules!)\s+(\w+)"));
    let names: BTreeMap<Module, Names> = modules
        .iter()
        .map(|(module, code)| {
            let passed_on = named_paths(module, code).into_iter().filter(|(_, is_passed_on)| *is_passed_on);
            let passed_on = passed_on.filter_map(|(path, _)| Some((path.last()?.clone(), path))).collect();
            let written = WRITTEN.captures_iter(code).map(|found| found[1].to_owned()).collect();
            (module.clone(), Names { written, passed_on })
        })
        .collect();
    let arrows: BTreeMap<&Module, BTreeSet<Module>> = modules
        .iter()
        .map(|(module, code)| {
            let used = named_paths(module, code).into_iter().filter(|(_, is_passed_on)| !*is_passed_on);
            let to = used.filter_map(|(path, _)| resolve(&path, &names, 0)).filter(|to| to != module);
            (module, to.collect())
        })
        .collect();
    // What imports nothing that is left can be in no circle, and so on.
    let mut left: BTreeSet<&Module> = arrows.keys().copied().collect();
    loop {
        let is_tied = |module: &&Module| arrows.get(*module).is_some_and(|to| to.iter().any(|to| left.contains(to)));
        let tied: BTreeSet<&Module> = left.iter().copied().filter(is_tied).collect();
        if tied.len() == left.len() {
            break;
        }
        left = tied;
    }
    let ties = left.iter().flat_map(|module| {
        let to = arrows.get(*module).into_iter().flatten().filter(|to| left.contains(to));
        to.map(|to| format!("{} -> {}", module.join("::"), to.join("::")))
    });
    ties.collect()
}
