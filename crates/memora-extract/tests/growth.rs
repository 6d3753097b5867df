//! What a note costs grows with its bytes, whatever it repeats.
//!
//! Work is measured as processor time of the thread, since counting instructions needs rights that most machines do not
//! give. So that a busy machine cannot fail it, a note is compared with one four times as long, what takes no longer than a
//! moment is not judged, and the least of several measurements counts: a pass that is quadratic takes sixteen times as long.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use memora_claim::{ParsedNote, anchor_span};
use memora_extract::ClaimExtractor;
use memora_testkit::{HOSTILE_CONSTRUCTS, HostileConstruct};
use memora_vault::{Note, NotePath, PathContext};

/// How much longer the second note is.
const LONGER: usize = 4;

/// The most that work may grow, for twice the bytes two and a half times.
const GROWTH_MAX: f64 = 2.5 * 2.5;

/// Work below this is not judged.
const MOMENT: Duration = Duration::from_millis(120);

/// The bytes of the longer note, about.
const BYTES: usize = 320 << 10;

/// Of a note with more statements, claims are drawn from so many.
const STATEMENTS_READ: usize = 1500;

/// The processor time of this thread; the time of day where the system does not tell it.
fn work_done(since: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

/// Reads a note as an index does, and each of its statements again as an answer does.
fn read_note(text: String, read: usize) {
    let path = NotePath::new("Note.md").expect("a good path");
    let (note, _) = Note::parse(path, text, PathContext::default());
    let fresh = ParsedNote::new(note);
    let extractor = ClaimExtractor::default();
    for (index, statement) in fresh.statements().iter().enumerate() {
        let source = anchor_span(&fresh, statement.span);
        let _ = fresh.note().line_column(statement.span.start());
        let _ = fresh.note().segment_at(statement.span.start());
        if let Ok(found) = source.recheck(&fresh) {
            let _ = (found.is_list_intro(), found.task_state(), found.preceding_sentences().take(3).count());
        }
        if index < read {
            let _ = extractor.extract_claims(fresh.note(), statement);
        }
    }
}

fn measure(construct: &HostileConstruct, count: usize, read: usize) -> Duration {
    let text = construct.note(count);
    let since = Instant::now();
    let before = work_done(since);
    read_note(text, read);
    work_done(since).saturating_sub(before)
}

/// How many times the work is for a longer note, beyond what is allowed; `None` where it is within.
fn excess_growth(construct: &HostileConstruct) -> Option<f64> {
    let bytes = construct.note(64).len().max(64) / 64;
    let count = (BYTES / bytes.max(1) / LONGER).min(construct.giant / LONGER).max(1);
    let mut least = f64::INFINITY;
    // A machine that does other things makes one try longer than another; what grows too fast does so in each.
    for _ in 0..8 {
        let longer = measure(construct, count * LONGER, STATEMENTS_READ);
        if longer < MOMENT {
            return None;
        }
        let shorter = measure(construct, count, STATEMENTS_READ / LONGER).max(MOMENT / 16);
        least = least.min(longer.as_secs_f64() / shorter.as_secs_f64());
        if least <= GROWTH_MAX {
            return None;
        }
    }
    Some(least)
}

#[test]
fn work_grows_with_the_bytes_of_a_note() {
    read_note("Anna works at Tidewell.\n".to_owned(), 1);
    // Each thread's own processor time is measured, so they do not disturb each other.
    let next = AtomicUsize::new(0);
    let measure_some = || {
        let mut grown = Vec::new();
        while let Some(construct) = HOSTILE_CONSTRUCTS.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(times) = excess_growth(construct) {
                grown.push(format!("{construct:?}: {times:.1} times the work for {LONGER} times the bytes"));
            }
        }
        grown
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let grown: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(measure_some)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(grown.is_empty(), "{}", grown.join("\n"));
}
