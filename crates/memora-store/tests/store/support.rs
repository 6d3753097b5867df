//! Notes and statements in one line each, and a store in a folder of its own.

use std::sync::Arc;

use memora_claim::{Claim, Extractor, Source, StatementId, StatementKind};
use memora_store::{CommitSummary, NoteRecord, ReadError, Snapshot, StatementRecord, Store, Writer};
use memora_vault::{Band, FileStat, Fingerprint, NotePath, Zone};

pub(crate) fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().expect("a folder");
    let (store, _) = Store::open(dir.path()).expect("a store");
    (dir, store)
}

pub(crate) fn path(text: &str) -> NotePath {
    NotePath::new(text).expect("a good path")
}

pub(crate) fn note(at: &str) -> NoteRecord {
    let path = path(at);
    NoteRecord {
        stat: FileStat { size: 7, mtime_ns: -3, ctime_ns: 9, inode: u64::MAX },
        hash: Fingerprint::from_bytes([7; 32]),
        title: path.stem().to_owned(),
        subject: path.stem().to_owned(),
        date: None,
        band: Band::Public,
        captured: false,
        aliases: Vec::new(),
        tags: Vec::new(),
        properties: Vec::new(),
        outline: Arc::from(vec!["Top".to_owned(), "Below".to_owned()]),
        path,
    }
}

pub(crate) fn id(words: &str) -> StatementId {
    StatementId::from_words(words, &[])
}

/// A statement of the note at `at`, with one claim; it starts at a byte of ten times its ordinal.
pub(crate) fn statement(at: &str, ordinal: u32, words: &str) -> StatementRecord {
    let statement = id(words);
    let start = ordinal as usize * 10;
    StatementRecord {
        kind: StatementKind::Sentence,
        words: words.to_owned(),
        source: Source {
            statement,
            note: path(at),
            start,
            end: start + words.len(),
            fingerprint: Fingerprint::from_bytes([words.len() as u8; 32]),
            band: Band::Public,
            zone: Zone::Body,
            headings: vec!["Top".to_owned()],
            parent: None,
            outline: Arc::from(vec!["Top".to_owned(), "Below".to_owned()]),
        },
        ordinal,
        claims: vec![Claim {
            extractor: Extractor::Clause,
            listed: true,
            ..Claim::new(statement, None, "states", words)
        }],
        block_id: None,
        line: ordinal + 1,
        before: None,
        speaker: None,
        block: ordinal,
        within: None,
        links: Vec::new(),
        cites: Vec::new(),
        former: Vec::new(),
    }
}

/// The statements of a note, numbered from 0, each with the one in front as context.
pub(crate) fn statements(at: &str, words: &[&str]) -> Vec<StatementRecord> {
    let mut all: Vec<StatementRecord> = Vec::new();
    for (ordinal, words) in words.iter().enumerate() {
        let mut next = statement(at, ordinal as u32, words);
        next.before = all.last().map(|before| before.source.statement);
        all.push(next);
    }
    all
}

/// One batch at the time `now`.
pub(crate) fn batch(store: &Store, now: i64, work: impl FnOnce(&mut Writer)) -> CommitSummary {
    let mut writer = store.try_writer(now).expect("a lock").expect("nobody else writes");
    work(&mut writer);
    writer.commit().expect("a commit")
}

/// One batch with one note.
pub(crate) fn put(store: &Store, at: &str, words: &[&str]) -> CommitSummary {
    batch(store, 0, |writer| {
        writer.put_note(&note(at), &statements(at, words), &[]).expect("put");
    })
}

pub(crate) fn snapshot(store: &Store) -> Snapshot {
    store.snapshot().expect("a snapshot")
}

/// Everything that an export would show of the statements, as text.
pub(crate) fn dump(snapshot: &Snapshot) -> String {
    let mut text = String::new();
    snapshot
        .for_each_statement(|statement| {
            text += &format!("{} {:?} {:?}\n", statement.id, statement.wording.kind, statement.wording.words);
            for claim in &statement.wording.claims {
                text += &format!("  = {} {:?} {:?} {:?}\n", claim.id, claim.subject, claim.object, claim.holds);
            }
            for source in &statement.sources {
                let around = snapshot.neighbours(source, Band::Secret)?;
                let row = &source.row;
                text += &format!(
                    "  @ {}:{}..{} {} #{} {:?} {} {:?} {:?}\n",
                    row.note,
                    row.start,
                    row.end,
                    row.band,
                    source.ordinal,
                    row.headings,
                    source.note.title,
                    source.wording.kind,
                    around.in_order().map(|b| (b.statement, &b.words, b.band)).collect::<Vec<_>>(),
                );
            }
            Ok::<_, ReadError>(())
        })
        .expect("a readable store");
    text
}
