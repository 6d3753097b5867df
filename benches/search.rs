//! How long a question takes in a warm process, as a ratio to what nobody can do without, and how much memory it takes.
//!
//! `cargo bench --bench search` makes a vault of 10,000 statements; `-- 100000` or `-- 1000000` asks for more. Words fall
//! as in real text, statements are as long as those of Obsidian's own help vault, and the vault goes through the engine
//! like any other. `MEMORA_BENCH_DIR` names a folder in which vault and index are kept for the next run.
//!
//! The floor is tantivy's own search of the same terms in the same index, and a scan of the same codes, both alone and
//! both asked in between in the same run. Nothing here fails when a figure is bad. The walk of the vault is not part of a
//! question and is printed beside it. `MEMORA_BENCH_VAULTS` names folders (`:` between) of real vaults: of their
//! statements' vectors it is said how many of the ten nearest, by the vectors themselves, the codes find.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use memora_embed::{Embedder, StaticEmbedder, Vector, cosine_to_code};
use memora_engine::{Config, LocalDoor, Memora, SearchOptions, SyncBound};
use memora_retrieve::{Nearest, Query, VectorScan};
use memora_store::Store;
use memora_vault::Band;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{Index, Searcher, Term};
use tracing::field::{Field, Visit};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

const STATEMENTS: usize = 10_000;
const QUESTIONS: usize = 400;

/// How many the engine asks each half for.
const LIST: usize = 300;

/// Real text to take frequent words from, so that they mean something to the embedder.
const TEXTS: [&str; 6] = [
    include_str!("../README.md"),
    include_str!("../docs/architecture.md"),
    include_str!("../docs/cli.md"),
    include_str!("../docs/extraction.md"),
    include_str!("../docs/privacy.md"),
    include_str!("../docs/vault.md"),
];

/// Words in a statement of Obsidian's help vault (7,673 statements, 11.6 words each): every twentieth part.
const LENGTHS: [usize; 20] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 25, 40];

/// Statements in a note of that vault, about.
const NOTE: usize = 42;

/// A generator of pseudo-random numbers, good enough for words.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides.max(1)
    }

    fn unit(&mut self) -> f64 {
        f64::from(u32::try_from(self.roll(1 << 30)).unwrap_or_default()) / f64::from(1 << 30)
    }
}

/// Words, the frequent ones first.
struct Words(Vec<String>);

impl Words {
    /// As many as a text of so many words has (Heaps): real ones, and behind them compounds of two.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    fn of_text(length: usize) -> Self {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let letters = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_alphabetic());
        for word in TEXTS.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric())).filter(letters) {
            *counts.entry(word.to_lowercase()).or_default() += 1;
        }
        let mut words: Vec<(String, usize)> = counts.into_iter().collect();
        words.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let mut words: Vec<String> = words.into_iter().map(|(word, _)| word).collect();
        let real = words.len();
        let wanted = (40.0 * (length as f64).sqrt()) as usize;
        for number in 0..wanted.saturating_sub(real) {
            words.push(format!("{}{}", words[number * 7 % real], words[(number * 13 + number / real) % real]));
        }
        Self(words)
    }

    /// A word, each as often as its rank says.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rank")]
    fn draw(&self, dice: &mut Dice) -> &str {
        let rank = ((self.0.len() as f64).powf(dice.unit()) - 1.0) as usize;
        self.0.get(rank).map_or("the", String::as_str)
    }

    fn sentence(&self, dice: &mut Dice) -> String {
        let length = LENGTHS[dice.roll(LENGTHS.len())];
        let words: Vec<&str> = (0..length).map(|_| self.draw(dice)).collect();
        let mut text = words.join(" ");
        if let Some(first) = text.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        text
    }

    fn note(&self, dice: &mut Dice, number: usize) -> String {
        let mut text = format!("---\nstatus: {}\ntags: [t{}]\n---\n", self.draw(dice), number % 50);
        for _ in 0..5 {
            let _ = write!(text, "\n## {} {}\n\n", self.draw(dice), self.draw(dice));
            for _ in 0..3 {
                let _ = write!(text, "{}. ", self.sentence(dice));
            }
            text.push_str("\n\n");
            for _ in 0..5 {
                let _ = writeln!(text, "- {}", self.sentence(dice));
            }
        }
        text
    }
}

fn make_vault(root: &Path, words: &Words, dice: &mut Dice, statements: usize) {
    fs::create_dir_all(root.join(".obsidian")).expect("a folder");
    for number in 0..statements.div_ceil(NOTE) {
        let folder = root.join(format!("folder {}", number % 100));
        fs::create_dir_all(&folder).expect("a folder");
        let name = format!("{} {} {number}.md", words.draw(dice), words.draw(dice));
        fs::write(folder.join(name), words.note(dice, number)).expect("a note");
    }
}

/// Questions as somebody asks who has read a statement: some of its words, and some that stand everywhere. Of one in ten
/// a word is misspelled.
fn questions(words: &Words, dice: &mut Dice) -> Vec<String> {
    (0..QUESTIONS)
        .map(|number| {
            let mut rare: Vec<String> =
                (0..2 + dice.roll(3)).map(|_| words.draw(dice).to_owned()).filter(|word| word.len() > 3).collect();
            if let Some(word) = rare.first_mut().filter(|_| number % 10 == 0) {
                let middle = word.len() / 2;
                word.insert(middle, 'q');
            }
            let common = (0..2).map(|_| words.0.get(20 + dice.roll(200)).cloned().unwrap_or_default());
            let all: Vec<String> = rare.into_iter().chain(common).collect();
            format!("What about the {}?", all.join(" "))
        })
        .collect()
}

/// What the engine says of each search.
#[derive(Clone, Default)]
struct Parts(Arc<Mutex<HashMap<&'static str, Vec<u64>>>>);

struct Of<'p>(&'p mut HashMap<&'static str, Vec<u64>>);

impl Visit for Of<'_> {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name().ends_with("_us") {
            self.0.entry(field.name()).or_default().push(value);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
}

impl<S: tracing::Subscriber> Layer<S> for Parts {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        if let Ok(mut parts) = self.0.lock() {
            event.record(&mut Of(&mut parts));
        }
    }
}

/// Times in microseconds, printed as milliseconds.
#[derive(Default)]
struct Times(Vec<u64>);

impl Times {
    fn add(&mut self, work: impl FnOnce()) {
        let started = Instant::now();
        work();
        self.0.push(micros(started.elapsed()));
    }

    /// The time that so many of a hundred keep.
    #[expect(clippy::cast_precision_loss, reason = "milliseconds")]
    fn at(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() * percent / 100).copied().unwrap_or_default() as f64 / 1000.0
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn say(text: &str) {
    println!("{text}");
}

fn line(what: &str, times: &Times) {
    say(&format!("  {what:<52} p50 {:>8.2} ms   p99 {:>8.2} ms", times.at(50), times.at(99)));
}

/// Resident memory now and at most, in MiB; nothing where the system does not say.
fn memory() -> Option<(usize, usize)> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let of = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<usize>().ok().map(|kib| kib / 1024)
    };
    Some((of("VmRSS:")?, of("VmHWM:")?))
}

/// tantivy's own search for any of the terms in any field.
fn tantivy_alone(searcher: &Searcher, question: &str, limit: usize) {
    let schema = searcher.schema();
    let mut any: Vec<(Occur, Box<dyn tantivy::query::Query>)> = Vec::new();
    for name in ["words", "subject", "object", "context", "around"] {
        let field = schema.get_field(name).expect("a field of the index");
        for key in Query::new(question).index_keys() {
            let term = TermQuery::new(Term::from_field_text(field, key), IndexRecordOption::WithFreqs);
            any.push((Occur::Should, Box::new(term)));
        }
    }
    black_box(searcher.search(&BooleanQuery::new(any), &TopDocs::with_limit(limit).order_by_score()).expect("hits"));
}

fn open(root: &Path, state: &Path) -> Memora {
    let today = jiff::civil::date(2025, 12, 31);
    let config = Config::load(Some(state.into()), Some(state.into()), today).expect("a configuration");
    let mut memora = Memora::open(Some(root), config).expect("a vault");
    memora.sync(SyncBound::All, &AtomicBool::new(false), &mut |_| {}).expect("a sync");
    memora
}

fn asked(statements: usize) {
    let temporary = tempfile::tempdir().expect("a folder");
    let kept = std::env::var_os("MEMORA_BENCH_DIR").map(PathBuf::from);
    let dir = kept.unwrap_or_else(|| temporary.path().to_owned()).join(statements.to_string());
    let (root, state) = (dir.join("vault"), dir.join("state"));
    let words = Words::of_text(statements * 12);
    let mut dice = Dice(2026);
    if !root.exists() {
        make_vault(&root, &words, &mut dice, statements);
    }
    let started = Instant::now();
    let memora = open(&root, &state);
    let opened = started.elapsed();
    let store = Store::open(memora.state_dir()).expect("the store").0;
    let snapshot = store.snapshot().expect("a snapshot");
    let totals = snapshot.counts().totals().expect("counts");
    say(&format!(
        "\n{} statements, {} claims, {} notes; opened and brought up to date in {opened:.1?}",
        totals.statements, totals.claims, totals.notes
    ));
    let mut walk = Times::default();
    walk.add(|| drop(black_box(memora.vault().walk())));

    let questions = questions(&words, &mut Dice(7));
    let options = SearchOptions { limit: 10, ..SearchOptions::default() };
    let ask = |question: &str| {
        let session = memora.session(LocalDoor).expect("a session");
        black_box(session.search().find_claims(question, &options).expect("a search").hits.len())
    };
    for question in questions.iter().take(QUESTIONS / 8) {
        ask(question);
    }
    let memory = memory();

    let index = Index::open_in_dir(memora.state_dir().join("lexical").join("public")).expect("the index");
    let searcher = index.reader().expect("a reader").searcher();
    let embedder = StaticEmbedder::embedded();
    let codes = snapshot.vectors().codes(&public(&snapshot), embedder.dimensions()).expect("codes");
    let scan = VectorScan::new(codes.statements, codes.bytes, embedder.dimensions());
    let parts = Parts::default();
    let (mut ten, mut list, mut scanned, mut all) =
        (Times::default(), Times::default(), Times::default(), Times::default());
    let mut found = 0;
    tracing::subscriber::with_default(tracing_subscriber::registry().with(parts.clone()), || {
        for question in &questions {
            let vector = embedder.vector(question);
            ten.add(|| tantivy_alone(&searcher, question, 10));
            list.add(|| tantivy_alone(&searcher, question, LIST));
            scanned.add(|| drop(black_box(scan.find_nearest(&vector, LIST, None))));
            all.add(|| found += ask(question));
        }
    });
    line("tantivy alone, best 10", &ten);
    line("tantivy alone, best 300", &list);
    line("the scan alone, best 300", &scanned);
    line(&format!("a search, best 10 (found {found} of {} questions)", questions.len()), &all);
    let parts = std::mem::take(&mut *parts.0.lock().expect("the parts"));
    let mut parts: Vec<(&str, Times)> = parts.into_iter().map(|(name, times)| (name, Times(times))).collect();
    parts.sort_by_key(|(name, _)| *name);
    for (name, times) in &parts {
        line(&format!("  of that: {}", name.trim_end_matches("_us")), times);
    }
    let ratio = |tantivy: &Times, percent| all.at(percent) / (tantivy.at(percent) + scanned.at(percent));
    for (name, tantivy) in [("10", &ten), ("300", &list)] {
        let (half, most) = (ratio(tantivy, 50), ratio(tantivy, 99));
        say(&format!("  search / (tantivy's best {name} + scan): p50 {half:.2} x, p99 {most:.2} x"));
    }
    say(&format!("  the walk, not in it: {:.1} ms", walk.at(0)));
    if let Some((now, most)) = memory {
        say(&format!("  resident memory of a process that searches: {now} MiB (at most {most}, opening included)"));
    }
}

/// How many of the ten that are nearest by all codes the scan finds, which looks at the signs first.
fn recall(root: &Path) {
    let dir = tempfile::tempdir().expect("a folder");
    let memora = open(root, dir.path());
    let embedder = StaticEmbedder::embedded();
    let snapshot = Store::open(memora.state_dir()).expect("the store").0.snapshot().expect("a snapshot");
    let codes = snapshot.vectors().codes(&public(&snapshot), embedder.dimensions()).expect("codes");
    let all: Vec<Vec<i8>> = codes.bytes.chunks_exact(embedder.dimensions()).map(<[i8]>::to_vec).collect();
    let scan = VectorScan::new(codes.statements, codes.bytes, embedder.dimensions());
    let mut dice = Dice(5);
    let vector = |code: &Vec<i8>| Vector::normalized(code.iter().map(|value| f32::from(*value)).collect());
    let own: Vec<Vector> = (0..300).filter_map(|_| all.get(dice.roll(all.len())).map(vector)).collect();
    let titles = snapshot.notes().expect("notes").into_iter().map(|note| note.title);
    let asked: Vec<Vector> = titles.take(300).map(|title| embedder.vector(&format!("What is {title}?"))).collect();
    for (what, questions) in [("a statement's vector", own), ("a question about a title", asked)] {
        let (mut held, mut of) = (0, 0);
        for question in questions.iter().filter(|question| !question.is_zero()) {
            let mut exact: Vec<f32> = all.iter().map(|code| cosine_to_code(question, code)).collect();
            exact.sort_unstable_by(|a, b| b.total_cmp(a));
            // Of several that lie equally near any will do.
            let last = exact.get(9).copied().unwrap_or(-1.0);
            let nearest = scan.find_nearest(question, LIST, None);
            held += nearest.iter().take(10).filter(|(_, cosine)| *cosine >= last).count();
            of += exact.len().min(10);
        }
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        let share = held as f64 / of.max(1) as f64;
        say(&format!("  {what}: recall at 10 {share:.4} among {} vectors", all.len()));
    }
}

fn main() {
    let sizes: Vec<usize> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    for statements in if sizes.is_empty() { vec![STATEMENTS] } else { sizes } {
        asked(statements);
    }
    match std::env::var("MEMORA_BENCH_VAULTS") {
        Err(_) => say("\nrecall on real vaults: MEMORA_BENCH_VAULTS is not set: skipped"),
        Ok(vaults) => {
            for vault in vaults.split(':').filter(|vault| !vault.is_empty()) {
                say(&format!("\n{}", Path::new(vault).file_name().unwrap_or_default().display()));
                recall(Path::new(vault));
            }
        }
    }
}

/// The vectors of public statements.
fn public(snapshot: &memora_store::Snapshot) -> memora_store::VectorSet {
    let mut sets = snapshot.vectors().sets().expect("a readable store").into_iter();
    sets.find(|set| set.band == Band::Public).expect("it was indexed")
}
