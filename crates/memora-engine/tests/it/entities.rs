//! Edges between entities, as retrieval may follow them: typed, bounded, by door.

use std::sync::atomic::AtomicBool;

use memora_engine::{
    Authors, ClaimId, CloudDoor, Config, Door, Entity, EntityEdge, EntityEdgeKind, EntityResolution, LocalDoor, Memora,
    Session, SyncBound,
};

/// A vault with these notes, indexed.
fn vault(notes: &[(&str, &str)]) -> (tempfile::TempDir, Memora) {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path().join("vault");
    std::fs::create_dir_all(root.join(".obsidian")).expect("a vault");
    for (path, text) in notes {
        std::fs::write(root.join(path), text).expect("a note");
    }
    let (state, config) = (dir.path().join("state"), dir.path().join("config"));
    let config = Config::load(Some(state), Some(config), jiff::civil::date(2025, 12, 31)).expect("a configuration");
    let mut memora = Memora::open(Some(&root), config).expect("a vault");
    memora.sync(SyncBound::All, &AtomicBool::new(false), &mut |_| {}).expect("an index");
    (dir, memora)
}

fn one<D: Door>(session: &Session<'_, D>, name: &str) -> Entity {
    match session.entities().resolve_name(name).expect("a readable store") {
        EntityResolution::One(entity) => entity,
        other => panic!("{name} is {other:?}"),
    }
}

fn named(edges: &[EntityEdge]) -> Vec<(&str, usize)> {
    assert!(edges.iter().all(|edge| edge.kind == EntityEdgeKind::CoOccurs && edge.kind.as_str() == "co_occurs"));
    edges.iter().map(|edge| (edge.name.as_str(), edge.blocks)).collect()
}

const NOTES: &[(&str, &str)] = &[
    ("Anna.md", "knows:: [[Ben]]\n"),
    ("Ben.md", "Words of his.\n"),
    (
        "day.md",
        "Met [[Anna]] and [[Ben]]. The storm of last week flooded the whole house of [[Cleo]].\n\n<!--privacy:secret-->[[Anna]] met [[Dan]].<!--/privacy-->\n",
    ),
];

#[test]
fn an_entity_has_edges_to_what_shares_its_blocks() {
    let (_dir, memora) = vault(NOTES);
    let local = memora.session(LocalDoor).expect("a session");
    let anna = one(&local, "anna");
    let edges = |limit| local.entity_reports(Authors::All).co_occurring_entities(&anna, limit).expect("edges");
    assert_eq!(named(&edges(9)), [("Ben", 2), ("Cleo", 1), ("Dan", 1), ("day", 1)]);
    assert_eq!(named(&edges(1)), [("Ben", 2)]);
    assert!(edges(0).is_empty());
    let cloud = memora.session(CloudDoor::default()).expect("a session");
    assert_eq!(
        named(&cloud.entity_reports(Authors::All).co_occurring_entities(&anna, 9).expect("edges")),
        [("Ben", 2), ("Cleo", 1), ("day", 1)]
    );
    assert_eq!(cloud.entities().resolve_name("Dan").expect("a readable store"), EntityResolution::Unknown);
}

#[test]
fn a_statement_has_edges_to_what_its_block_names() {
    let (_dir, memora) = vault(NOTES);
    let session = memora.session(LocalDoor).expect("a session");
    let claim = session
        .doctor()
        .list_claim_ids()
        .expect("ids")
        .into_iter()
        .find(|id| names_cleo(&session, id))
        .expect("the claim");
    let edges = session.entity_reports(Authors::All).co_occurring_in_statement(claim.statement(), 9).expect("edges");
    assert_eq!(named(&edges), [("Anna", 1), ("Ben", 1), ("Cleo", 1), ("day", 1)]);
}

fn names_cleo<D: Door>(session: &Session<'_, D>, id: &ClaimId) -> bool {
    let report = session.catalog().explain_claim(id).expect("a readable store");
    report.claims.iter().any(|claim| claim.triple().2.contains("Cleo"))
}
