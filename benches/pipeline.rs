//! How long the stages take, as ratios to floors taken in the same run.
//!
//! `cargo bench` makes a vault of 2,000 notes out of words whose frequencies fall as in real text, and prints a line a
//! measure: the work, its floor, the ratio. Nothing here fails when a figure is bad: machines are noisy, and a figure is
//! to be read. The floor of indexing is what nobody can do without: walking, `stat`, reading, hashing, and the markdown
//! parser's events, on one thread.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use memora_engine::report::Freshness;
use memora_engine::{Config, LocalDoor, Memora, SearchOptions, SyncBound};

const NOTES: usize = 2_000;
const FRESH: Freshness = Freshness { fresh: true, pending: 0 };

#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn line(what: &str, work: Duration, floor_name: &str, floor: Duration) {
    let ratio = work.as_secs_f64() / floor.as_secs_f64();
    println!("{what:<44} {work:>10.1?}   {ratio:>7.2} x {floor_name} ({floor:.1?})");
}

/// A generator of pseudo-random numbers, good enough for words.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// A rank from 0 to 9,999, the low ones far more often.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rank")]
    fn zipf(&mut self) -> usize {
        let unit = (self.roll() % 1_000_000) as f64 / 1_000_000.0;
        (10_000_f64.powf(unit) - 1.0) as usize
    }

    fn word(&mut self) -> String {
        const SYLLABLES: [&str; 16] =
            ["ka", "lo", "mi", "ren", "to", "su", "ne", "vor", "da", "li", "ber", "sto", "an", "qui", "fel", "go"];
        let mut rank = self.zipf() + 16;
        let mut word = String::new();
        while rank > 0 {
            word.push_str(SYLLABLES[rank % 16]);
            rank /= 16;
        }
        word
    }

    fn sentence(&mut self) -> String {
        let words: Vec<String> = (0..8 + self.roll() % 12).map(|_| self.word()).collect();
        format!("The {}.", words.join(" "))
    }

    fn note(&mut self, number: usize) -> String {
        let mut text = format!("---\nstatus: active\ntags: [t{}]\n---\n# Note {number}\n\n", number % 50);
        for section in 0..3 {
            text.push_str(&format!("## Part {section}\n\n{} {}\n\n", self.sentence(), self.sentence()));
            for _ in 0..4 {
                text.push_str(&format!("- {}\n", self.sentence()));
            }
            text.push_str("\n| Name | Value |\n|---|---|\n");
            for _ in 0..3 {
                text.push_str(&format!("| {} | {} |\n", self.word(), self.roll() % 1000));
            }
            text.push('\n');
        }
        text
    }
}

fn make_vault(root: &Path, dice: &mut Dice) {
    fs::create_dir(root.join(".obsidian")).expect("a folder");
    for number in 0..NOTES {
        let folder = root.join(format!("folder {}", number % 20));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(format!("note {number}.md")), dice.note(number)).expect("a note");
    }
}

fn walk(root: &Path, visit: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(root).expect("a folder").flatten() {
        let meta = entry.metadata().expect("a stat");
        if meta.is_dir() {
            walk(&entry.path(), visit);
        } else {
            visit(&entry.path());
        }
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let result = work();
    (result, started.elapsed())
}

fn sync(memora: &mut Memora) {
    memora.sync(SyncBound::None, &AtomicBool::new(false), &mut |_| {}).expect("a sync");
}

fn main() {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path().join("vault");
    fs::create_dir(&root).expect("a folder");
    let mut dice = Dice(2026);
    make_vault(&root, &mut dice);

    let ((), bare) = timed(|| walk(&root, &mut |path| drop(black_box(path.to_owned()))));
    let (bytes, floor) = timed(|| {
        let mut bytes = 0;
        walk(&root, &mut |path| {
            let text = fs::read_to_string(path).unwrap_or_default();
            black_box(blake3::hash(text.as_bytes()));
            black_box(pulldown_cmark::Parser::new(&text).count());
            bytes += text.len();
        });
        bytes
    });
    let (_, hashed) = timed(|| {
        walk(&root, &mut |path| {
            black_box(blake3::hash(&fs::read(path).unwrap_or_default()));
        });
    });

    let today = jiff::civil::date(2025, 12, 31);
    let state = dir.path().join("state");
    let config = Config::load(Some(state.clone()), Some(state), today).expect("a configuration");
    let mut memora = Memora::open(Some(&root), config).expect("a vault");

    let ((), cold) = timed(|| sync(&mut memora));
    line(&format!("cold index, {NOTES} notes, {} kB", bytes / 1000), cold, "the floor", floor);
    let ((), again) = timed(|| sync(&mut memora));
    line("index again, nothing changed", again, "a bare walk", bare);
    let edited = root.join("folder 0").join("note 0.md");
    fs::write(&edited, dice.note(0)).expect("an edit");
    let ((), one) = timed(|| sync(&mut memora));
    line("one edited note, walk included", one, "a bare walk", bare);

    let mut times: Vec<Duration> = (0..200)
        .map(|_| {
            let query = format!("{} {} {}", dice.word(), dice.word(), dice.word());
            let session = memora.session(LocalDoor).expect("a session");
            let options = SearchOptions { limit: 10, ..SearchOptions::default() };
            timed(|| session.search().report_claims(&query, &options, FRESH).expect("a search")).1
        })
        .collect();
    times.sort_unstable();
    line("search, median of 200, places re-read", times[times.len() / 2], "a bare walk", bare);
    line("search, 99 of 100, places re-read", times[times.len() * 99 / 100], "a bare walk", bare);

    let session = memora.session(LocalDoor).expect("a session");
    let (report, spans) = timed(|| session.doctor().run_checks(true, FRESH).expect("a check"));
    assert!(report.healthy, "every place stands");
    line("every place re-read and compared", spans, "read and hash", hashed);
}
