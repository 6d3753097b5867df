//! Licences and sources of what the program is made of, held to the lists of `deny.toml`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::files_below;
use crate::support::{read, workspace};

fn deny() -> toml::Table {
    read("deny.toml").parse().expect("deny.toml is TOML")
}

fn words(list: &toml::Value) -> Vec<String> {
    list.as_array().expect("a list").iter().map(|word| word.as_str().expect("a word").to_owned()).collect()
}

/// The packages that are built here, as cargo describes them.
fn packages() -> Vec<Value> {
    metadata()["packages"].as_array().expect("a list").clone()
}

/// The packages and how they depend on each other, for this system.
fn metadata() -> Value {
    let said = Command::new(env!("CARGO")).arg("-vV").output().expect("cargo can be started").stdout;
    let said = String::from_utf8(said).expect("a text");
    let host = said.lines().find_map(|line| line.strip_prefix("host: ")).expect("cargo names the host");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host])
        .current_dir(workspace())
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Whether a licence expression can be met by allowed licences alone. `/` is an old form of `OR`.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let flat = expression.replace('/', " OR ").replace(['(', ')'], "");
    let met = |licence: &str| allowed.iter().any(|one| one == licence.trim());
    // `AND` binds more closely; expressions with brackets put an `OR` within an `AND`.
    match expression.contains('(') {
        true => flat.split(" AND ").all(|part| part.split(" OR ").any(met)),
        false => flat.split(" OR ").any(|part| part.split(" AND ").all(met)),
    }
}

#[test]
fn every_licence_and_every_source_is_on_the_list() {
    let deny = deny();
    let allowed = words(&deny["licenses"]["allow"]);
    let registries = words(&deny["sources"]["allow-registry"]);
    let packages = packages();
    assert!(packages.len() > 100, "{}", packages.len());
    for package in &packages {
        let name = package["name"].as_str().unwrap_or_default();
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(is_allowed(licence, &allowed), "{name} has the licence {licence:?}");
        let source = package["source"].as_str().unwrap_or_default();
        let known = source.is_empty() || registries.iter().any(|one| source == format!("registry+{one}"));
        assert!(known, "{name} comes from {source}");
    }
    for banned in deny["bans"]["deny"].as_array().expect("a list") {
        let name = banned["crate"].as_str().expect("a name");
        assert!(packages.iter().all(|package| package["name"] != name), "{name} is banned");
    }
}

#[test]
fn licence_expressions_are_read_as_they_are_meant() {
    let allowed = ["MIT".to_owned(), "ISC".to_owned()];
    for (expression, expect) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("GPL-3.0/MIT", true),
        ("MIT AND ISC", true),
        ("MIT AND GPL-3.0", false),
        ("(GPL-3.0 OR MIT) AND ISC", true),
        ("(MIT OR ISC) AND GPL-3.0", false),
    ] {
        assert_eq!(is_allowed(expression, &allowed), expect, "{expression}");
    }
}

/// The ids of the packages that the program is made of, each with whether it is in the program rather than run to build it.
fn built_in(metadata: &Value) -> BTreeMap<String, bool> {
    let nodes = metadata["resolve"]["nodes"].as_array().expect("a graph");
    let by_id: BTreeMap<&str, &Value> = nodes.iter().filter_map(|node| Some((node["id"].as_str()?, node))).collect();
    let mut found = BTreeMap::new();
    let root = metadata["resolve"]["root"].as_str().expect("the program");
    let mut due = vec![(root, true)];
    while let Some((id, is_in)) = due.pop() {
        if found.get(id).is_some_and(|known: &bool| *known || !is_in) {
            continue;
        }
        found.insert(id.to_owned(), is_in);
        for dependency in by_id[id]["deps"].as_array().into_iter().flatten() {
            let kinds: Vec<Option<&str>> =
                dependency["dep_kinds"].as_array().into_iter().flatten().map(|kind| kind["kind"].as_str()).collect();
            let next = dependency["pkg"].as_str().expect("an id");
            if kinds.contains(&None) {
                due.push((next, is_in));
            } else if kinds.contains(&Some("build")) {
                due.push((next, false));
            }
        }
    }
    found
}

/// What the program is made of, in the form of CycloneDX 1.5: packages with the checksums of `Cargo.lock`, and data files.
fn bill_of_materials() -> Value {
    let metadata = metadata();
    let built_in = built_in(&metadata);
    let lock: toml::Table = read("Cargo.lock").parse().expect("Cargo.lock is TOML");
    let text = |value: &toml::Value, key: &str| value.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let checksums: BTreeMap<(String, String), String> = lock["package"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| Some(((text(one, "name")?, text(one, "version")?), text(one, "checksum")?)))
        .collect();
    let mut components = Vec::new();
    for package in metadata["packages"].as_array().expect("a list") {
        let Some(is_in) = built_in.get(package["id"].as_str().unwrap_or_default()) else { continue };
        let part = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
        let (name, version) = (part("name"), part("version"));
        let mut component = json!({
            "type": "library",
            "name": name,
            "version": version,
            "scope": if *is_in { "required" } else { "excluded" },
            "licenses": [{"expression": part("license").replace('/', " OR ")}],
        });
        if let Some(checksum) = checksums.get(&(name.clone(), version.clone())) {
            component["purl"] = format!("pkg:cargo/{name}@{version}").into();
            component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
        }
        components.push(component);
    }
    for file in DATA_FOLDERS.iter().flat_map(|folder| files_below(&workspace().join(folder))) {
        let name = file.strip_prefix(workspace()).expect("below the workspace").to_string_lossy().into_owned();
        if name.rsplit('/').next().is_some_and(|name| name.starts_with("memora-")) {
            let digest = blake3::hash(&std::fs::read(&file).expect("a file")).to_hex().to_string();
            let hashes = json!([{"alg": "BLAKE3", "content": digest}]);
            components.push(json!({"type": "data", "name": name, "scope": "required", "hashes": hashes}));
        }
    }
    json!({"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": components})
}

/// Written at each run, so that what is released can be published with it.
#[test]
fn a_bill_of_materials_names_all_that_is_built_in() {
    let bill = bill_of_materials();
    let components = bill["components"].as_array().expect("a list");
    let named = |name: &str| components.iter().find(|one| one["name"] == name);
    for (name, scope) in [("memora-engine", "required"), ("rusqlite", "required"), ("cc", "excluded")] {
        assert_eq!(named(name).unwrap_or_else(|| panic!("{name} is not named"))["scope"], scope, "{name}");
    }
    for tool in ["memora-testkit", "proptest"] {
        assert!(named(tool).is_none(), "{tool} is for tests");
    }
    for component in components {
        let name = component["name"].as_str().unwrap_or_default();
        let is_ours = component["type"] == "library" && (name == "memora" || name.starts_with("memora-"));
        assert_eq!(component["hashes"].is_array(), !is_ours, "{name} has no checksum");
    }
    assert!(components.iter().filter(|one| one["type"] == "data").count() >= DATA_FOLDERS.len());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("memora.cdx.json");
    let text = serde_json::to_string_pretty(&bill).expect("JSON");
    std::fs::write(path, text).expect("the folder for temporary files");
}

/// Where data files lie that are built in.
const DATA_FOLDERS: [&str; 2] = ["crates/memora-embed/assets", "crates/memora-nlp/assets"];

#[test]
fn every_data_file_in_the_program_has_a_licence_beside_it() {
    for crate_name in DATA_FOLDERS {
        let folder = workspace().join(crate_name);
        let names: Vec<String> = folder
            .read_dir()
            .expect("the folder of its data")
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        assert!(names.iter().any(|name| name.starts_with("LICENSE")), "{crate_name}: no licence");
        let readme = std::fs::read_to_string(folder.join("README.md")).expect("a description of the data");
        for data in names.iter().filter(|name| name.starts_with("memora-")) {
            assert!(readme.contains(data.as_str()), "{crate_name}: nothing says where {data} comes from");
        }
    }
}
