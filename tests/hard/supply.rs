//! Licences and sources of what the program is made of, held to the lists of `deny.toml`.

use std::process::Command;

use serde_json::Value;

use crate::support::{read, workspace};

fn deny() -> toml::Table {
    read("deny.toml").parse().expect("deny.toml is TOML")
}

fn words(list: &toml::Value) -> Vec<String> {
    list.as_array().expect("a list").iter().map(|word| word.as_str().expect("a word").to_owned()).collect()
}

/// The packages that are built here, as cargo describes them.
fn packages() -> Vec<Value> {
    let said = Command::new(env!("CARGO")).arg("-vV").output().expect("cargo can be started").stdout;
    let said = String::from_utf8(said).expect("a text");
    let host = said.lines().find_map(|line| line.strip_prefix("host: ")).expect("cargo names the host");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host])
        .current_dir(workspace())
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let described: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    described["packages"].as_array().expect("a list").clone()
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

#[test]
fn every_data_file_in_the_program_has_a_licence_beside_it() {
    for crate_name in ["memora-embed", "memora-nlp"] {
        let folder = workspace().join("crates").join(crate_name).join("assets");
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
