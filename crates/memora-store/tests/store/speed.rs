//! How long a large index takes: `cargo test -p memora-store speed -- --ignored --nocapture`.

use std::time::Instant;

use memora_store::ReadError;

use crate::support::{batch, id, note, snapshot, statements, store};

#[test]
#[ignore = "measures, and proves nothing"]
#[expect(clippy::print_stderr, reason = "the figures are what it is run for")]
fn a_hundred_thousand_statements() {
    let (_dir, store) = store();
    let records: Vec<_> = (0..1000)
        .map(|number| {
            let at = format!("folder {}/note {number}.md", number % 17);
            let words: Vec<String> =
                (0..100).map(|n| format!("statement {n} of note {number} says what many statements say")).collect();
            (note(&at), statements(&at, &words.iter().map(String::as_str).collect::<Vec<_>>()))
        })
        .collect();
    let started = Instant::now();
    batch(&store, 0, |writer| {
        for (note, statements) in &records {
            writer.put_note(note, statements, &[]).expect("put");
        }
        eprintln!("before the commit: {:?}", started.elapsed());
    });
    eprintln!("put all: {:?}", started.elapsed());

    let (note, mut edited) = records[500].clone();
    edited.remove(3);
    for round in 0..3 {
        let started = Instant::now();
        let statements = if round % 2 == 0 { &edited } else { &records[500].1 };
        batch(&store, 1, |writer| {
            writer.put_note(&note, statements, &[]).expect("put");
            eprintln!("before the commit: {:?}", started.elapsed());
        });
        eprintln!("one edited note of 100 statements: {:?}", started.elapsed());
    }

    let ids: Vec<_> =
        (0..50).map(|n| id(&format!("statement 7 of note {} says what many statements say", n * 19))).collect();
    for _ in 0..3 {
        let started = Instant::now();
        let hits = snapshot(&store).statements(&ids).expect("hits").len();
        eprintln!("{hits} search hits: {:?}", started.elapsed());
    }

    let started = Instant::now();
    let mut walked = 0;
    snapshot(&store)
        .for_each_statement(|_| {
            walked += 1;
            Ok::<_, ReadError>(())
        })
        .expect("a walk");
    eprintln!("{walked} statements walked: {:?}", started.elapsed());
    let started = Instant::now();
    let stats = snapshot(&store).note_stats().expect("stats").len();
    eprintln!("{stats} stats: {:?}", started.elapsed());
}
