//! What is listed as a claim, and what only tells names and answers what a sentence says.

use serde_json::Value;

use super::support::{World, places, text};

fn subjects(claims: &[Value]) -> Vec<&str> {
    claims.iter().map(|claim| text(&claim["subject"])).collect()
}

fn listed(world: &World) -> Vec<Value> {
    world.json(&["claims", "--limit", "1000"])["claims"].as_array().expect("claims").clone()
}

#[test]
fn a_sentence_is_listed_once_and_whole_under_what_it_stands_under() {
    let world = World::new(&[(
        "networks.md",
        "# Peer-to-peer networks\n\n## Topology\n\n\
         Nodes are equal participants that route messages and keep a copy of the whole state.\n",
    )]);
    let claims = listed(&world);
    assert_eq!(subjects(&claims), ["Nodes"], "{claims:?}");
    assert_eq!(claims[0]["predicate"], "are");
    assert_eq!(claims[0]["object"], "equal participants that route messages and keep a copy of the whole state");
    assert_eq!(claims[0]["context"], serde_json::json!(["networks", "Peer-to-peer networks", "Topology"]));
    let shown = world.local(&["claims"]).stdout;
    assert!(shown.contains("under Peer-to-peer networks › Topology"), "{shown}");
}

#[test]
fn what_is_not_listed_is_found_cited_and_told_of_a_name_all_the_same() {
    let world = World::new(&[(
        "Anna.md",
        "---\ncreated: 2024-05-02\n---\nAnna keeps bees.\n\n- [ ] Buy a hive for Anna\n\nAnna works at Kestrel Optik in Altona.\n",
    )]);
    let quotes = |claims: &[Value]| -> Vec<String> {
        claims.iter().flat_map(places).map(|place| text(&place["quote"]).to_owned()).collect()
    };
    let exported: Vec<Value> =
        world.local(&["export"]).stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(quotes(&exported), ["Anna works at Kestrel Optik in Altona."]);
    assert!(exported.iter().all(|claim| claim["listed"] == true));
    assert_eq!(world.index()["claims"]["total"], 1);
    let all = world.claims();
    for words in ["created: 2024-05-02", "Anna keeps bees.", "Buy a hive for Anna"] {
        let found = all.iter().find(|claim| places(claim).any(|place| text(&place["quote"]).contains(words)));
        assert_eq!(found.expect("all that was read is exported on request")["listed"], false, "{words}");
    }
    let id = world.id("Anna keeps bees.");
    assert_eq!(world.verdicts("Anna keeps bees.", &id).0, "quoted");
    assert!(world.local(&["entity", "Anna"]).stdout.contains("bees"));
}

#[test]
fn an_edit_next_door_changes_no_claim() {
    let world = World::new(&[(
        "Kit.md",
        "# Kit\n\nFalcon was bought in Zurich by Anna. It replaced the old Postgres server.\n",
    )]);
    let of_second = |world: &World| -> Vec<Value> {
        let claims = world.claims().into_iter();
        claims.filter(|claim| places(claim).any(|place| text(&place["quote"]).starts_with("It"))).collect()
    };
    let ids =
        |claims: &[Value]| -> Vec<String> { claims.iter().map(|claim| text(&claim["claim"]).to_owned()).collect() };
    let before = ids(&of_second(&world));
    assert!(!before.is_empty());
    world.edit("Kit.md", "Falcon was", "The Kestrel was");
    assert_eq!(ids(&of_second(&world)), before);
}
