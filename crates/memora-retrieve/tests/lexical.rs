//! The lexical index as the engine uses it: what is found by what, changes, a second reader, damage, and indexes that
//! must not hear of each other.

use std::collections::HashSet;

use memora_claim::StatementId;
use memora_claim::time::Period;
use memora_embed::Transformer;
use memora_retrieve::{
    DocField, EvidenceScore, EvidenceStrength, HitContent, HitFeatures, IndexChange, IndexOpenOutcome, IndexPosition,
    LexicalError, LexicalHit, LexicalIndex, Query, QueryIntent, SearchFilter, StatementDoc, TantivyIndex,
    WordVectorCache, search_all,
};
use memora_vault::PartialDate;

fn doc(words: &str) -> StatementDoc {
    StatementDoc {
        statement: StatementId::from_words(words, &[]),
        words: words.to_owned(),
        subject: String::new(),
        object: String::new(),
        title: String::new(),
        headings: Vec::new(),
        aliases: Vec::new(),
        tags: Vec::new(),
        around: String::new(),
        date: None,
        periods: Vec::new(),
        notes: Vec::new(),
    }
}

fn put(words: &str) -> IndexChange {
    IndexChange::Put(Box::new(doc(words)))
}

fn at(sequence: u64) -> IndexPosition {
    IndexPosition { store: 7, sequence }
}

struct Fixture {
    dir: tempfile::TempDir,
    index: TantivyIndex,
}

fn index(texts: &[&str]) -> Fixture {
    indexed(texts.iter().map(|words| put(words)).collect())
}

fn indexed(changes: Vec<IndexChange>) -> Fixture {
    let dir = tempfile::tempdir().expect("a folder");
    let (mut index, opened) = TantivyIndex::open(&dir.path().join("words"), "public").expect("opens");
    assert_eq!(opened, IndexOpenOutcome::Created);
    index.apply_changes(at(1), changes.into_iter()).expect("applies");
    Fixture { dir, index }
}

fn search(index: &TantivyIndex, query: &str) -> Vec<LexicalHit> {
    index.search(&Query::new(query), &SearchFilter::default(), 10).expect("searches")
}

fn ids(hits: &[LexicalHit]) -> Vec<StatementId> {
    hits.iter().map(|hit| hit.statement).collect()
}

#[test]
fn what_is_found_by_what() {
    let table: &[(&str, &str, bool)] = &[
        ("We met at the Café", "cafe", true),
        ("We met at the Cafe\u{301}", "CAFÉ", true),
        ("Die Straße ist lang", "strasse", true),
        ("Ørsted wrote it", "orsted", true),
        ("東京都に住む", "京都", true),
        ("東京都に住む", "大阪", false),
        ("東京都に住む", "都", true),
        ("東京都に住む", "京", true),
        ("か\u{3099}くせい", "がくせい", true),
        ("かく", "がく", false),
        ("서울에서 만났다", "서울", true),
        ("Rustで書く", "rust", true),
        ("uses drift 1.0.21 now", "1.0.21", true),
        ("uses drift v1.0.21 now", "1.0.21", true),
        ("uses drift 1.0.21 now", "v1.0.21", true),
        ("uses drift 1.0.21 now", "1.0", true),
        ("uses drift 1.0.21 now", "21", true),
        ("uses drift 1.0.21 now", "1.0.22", false),
        ("run drift-bench daily", "drift-bench", true),
        ("run drift-bench daily", "drift bench", true),
        ("run drift-bench daily", "driftbench", true),
        ("set max_open_files", "maxopenfiles", true),
        ("set max_open_files", "open", true),
        ("stored as MessagePack", "messagepack", true),
        ("stored as MessagePack", "message pack", true),
        ("see src/main.rs there", "main.rs", true),
        ("see src/main.rs there", "src/main.rs", true),
        ("written in C++ mostly", "C++", true),
        ("written in C mostly", "C++", false),
        ("written in C# mostly", "c#", true),
        ("runs on .NET", ".NET", true),
        ("runs on .NET", "net", true),
        ("write to anna@example.org", "anna@example.org", true),
        ("write to anna@example.org", "example.org", true),
        ("it has 1,140 rows", "1140", true),
        ("it has 1140 rows", "1,140", true),
        ("raised 412k euros", "412k", true),
        ("raised 412k euros", "412", true),
        ("shipped it 🚀 today", "🚀", true),
        ("well done 👍🏽", "👍", true),
        ("by 👩\u{200d}💻 herself", "👩\u{200d}💻", true),
        ("Anna's cat", "anna", true),
        ("the soft\u{ad}ware", "software", true),
        ("the soft\u{200b}ware", "software", true),
        ("They like The Who", "the who", true),
        ("she was running", "runs", true),
        ("the red cars", "\"red cars\"", true),
        ("the cars are red", "\"red cars\"", false),
        ("prefers serialization", "serialisation", true),
        ("prefers Postgres", "postgers", true),
        ("prefers Postgres", "mysql", false),
        // German compounds are not taken apart.
        ("die Haustür klemmt", "tür", false),
    ];
    for (text, query, expected) in table {
        let fixture = index(&[text, "something else entirely"]);
        let found = ids(&search(&fixture.index, query)).contains(&StatementId::from_words(text, &[]));
        assert_eq!(found, *expected, "{query:?} in {text:?}");
    }
}

#[test]
fn a_hit_says_what_was_found_and_where() {
    let mut anna = doc("she moved there in spring");
    anna.subject = "Anna".into();
    anna.around = "Lisbon is warm.".into();
    let fixture = indexed(vec![IndexChange::Put(Box::new(anna))]);
    let hits = search(&fixture.index, "Why did Anna move to Lisbon or Porto?");
    let matched: Vec<(&str, &[DocField])> =
        hits[0].matched.iter().map(|found| (found.term.as_str(), found.parts.as_slice())).collect();
    assert_eq!(
        matched,
        [
            ("anna", [DocField::Subject].as_slice()),
            ("move", [DocField::Words].as_slice()),
            ("lisbon", [DocField::Neighbours].as_slice()),
        ]
    );
    assert_eq!(hits[0].missed, ["porto"]);
}

#[test]
fn evidence_needs_the_distinctive_words() {
    let texts = [
        "The capital of the project is 40,000 euros",
        "The project uses MessagePack for storage",
        "Berlin is where the project meets",
        "Storage is cheap",
        "The capital grew",
    ];
    let fixture = index(&texts);
    let vectors = WordVectorCache::default();
    let best = |query: &str| {
        let query = Query::new(query);
        let asked = QueryIntent::from_query(&query, &vectors);
        let hits = fixture.index.search(&query, &SearchFilter::default(), 10).expect("a search");
        let reader = Transformer::embedded();
        let mut read: Vec<HitFeatures> = hits
            .iter()
            .map(|hit| {
                let text = texts.into_iter().find(|text| StatementId::from_words(text, &[]) == hit.statement);
                let words = text.unwrap_or_default();
                let likeness =
                    reader.encode_query(query.text()).pieces.max_similarity(&reader.encode_passages(&[words])[0]);
                let said = HitContent { words, claims: "", spoken: false, dated: false };
                HitFeatures { likeness: Some(likeness), ..asked.hit_features(hit, &said) }
            })
            .collect();
        let quick = |features: &HitFeatures| HitFeatures { likeness: None, ..*features }.rank_score();
        let first_of = |rank: &dyn Fn(&HitFeatures) -> f32| {
            (0..read.len()).max_by(|a, b| rank(&read[*a]).total_cmp(&rank(&read[*b])))
        };
        let (by_words, by_reading) = (first_of(&quick), first_of(&HitFeatures::rank_score));
        for (at, features) in read.iter_mut().enumerate() {
            features.first_by_both = by_words == Some(at) && by_reading == Some(at);
        }
        let mut ranks: Vec<f32> = read.iter().map(HitFeatures::model_score).collect();
        ranks.sort_by(|a, b| b.total_cmp(a));
        let next = |rank: f32| ranks.iter().copied().find(|other| *other != rank).unwrap_or(f32::MIN);
        let judged =
            read.iter().map(|features| EvidenceScore::from_features(features, next(features.model_score())).strength);
        judged.max().unwrap_or(EvidenceStrength::Nearest)
    };
    assert_eq!(best("What does the project use for storage?"), EvidenceStrength::Likely);
    assert_eq!(best("What is the capital of France?"), EvidenceStrength::Nearest);
    assert_eq!(best("Who won the 1998 world cup?"), EvidenceStrength::Nearest);
    assert_eq!(best("Does the project use Protobuf for storage?"), EvidenceStrength::Nearest);
    assert!(best("Does the project use MesagePack?") < EvidenceStrength::Likely);
}

#[test]
fn changes_are_applied_in_order() {
    let mut fixture = index(&["alpha one", "beta two"]);
    let id = StatementId::from_words("alpha one", &[]);
    let mut changed = doc("gamma");
    changed.statement = id;
    let changes = vec![
        IndexChange::Put(Box::new(changed)),
        IndexChange::Delete(StatementId::from_words("beta two", &[])),
        put("delta"),
    ];
    fixture.index.apply_changes(at(2), changes.into_iter()).expect("applies");
    assert_eq!(fixture.index.position(), at(2));
    assert!(search(&fixture.index, "alpha").is_empty());
    assert!(search(&fixture.index, "beta").is_empty());
    assert_eq!(ids(&search(&fixture.index, "gamma")), [id]);
    fixture.index.purge_deleted().expect("purges");
    assert_eq!((fixture.index.len(), fixture.index.has_valid_checksums().expect("reads")), (2, true));
    let twice = vec![put("delta"), put("delta")];
    fixture.index.apply_changes(at(3), twice.into_iter()).expect("applies");
    assert_eq!(search(&fixture.index, "delta").len(), 1);
    fixture.index.clear().expect("clears");
    assert_eq!((fixture.index.len(), fixture.index.position()), (0, IndexPosition::default()));
}

#[test]
fn what_was_deleted_leaves_no_trace_in_scores() {
    let clean = index(&["alpha one", "beta alpha", "gamma"]);
    let mut used = index(&["alpha alpha", "alpah", "beta three four five", "gamma"]);
    let gone = ["alpha alpha", "alpah", "beta three four five"];
    let changes = gone.iter().map(|words| IndexChange::Delete(StatementId::from_words(words, &[])));
    used.index.apply_changes(at(2), changes.chain([put("beta alpha"), put("alpha one")])).expect("applies");
    for query in ["alpha", "alpah", "beta alpha", "five"] {
        assert_eq!(search(&clean.index, query), search(&used.index, query), "{query}");
    }
}

#[test]
fn a_second_handle_sees_commits_and_may_not_write_meanwhile() {
    let mut fixture = index(&["alpha"]);
    let (mut other, opened) = TantivyIndex::open(&fixture.dir.path().join("words"), "public").expect("opens");
    assert_eq!((opened, other.position()), (IndexOpenOutcome::Ready, at(1)));
    let mut busy = None;
    let during = std::iter::once_with(|| {
        busy = Some(other.apply_changes(at(9), std::iter::empty()));
        put("beta")
    });
    fixture.index.apply_changes(at(2), during).expect("applies");
    assert!(matches!(busy, Some(Err(LexicalError::LockBusy))));
    assert!(search(&other, "beta").is_empty());
    other.refresh().expect("reloads");
    assert_eq!((search(&other, "beta").len(), other.position()), (1, at(2)));
}

/// An index that no change concerns is left as it is; what was skipped holds for its last commit alone.
#[test]
fn changes_that_do_not_concern_an_index_are_skipped_and_not_written() {
    let mut fixture = index(&["alpha", "beta"]);
    let path = fixture.dir.path().join("words");
    let delete = |words: &str| IndexChange::Delete(doc(words).statement);
    fixture.index.apply_changes(at(2), std::iter::once(delete("beta"))).expect("applies");
    let ids = ["alpha", "beta", "gamma"].map(|words| doc(words).statement);
    assert_eq!(fixture.index.find_known(&ids).expect("reads"), ids[..1]);
    let meta = || std::fs::read(path.join("meta.json")).expect("reads");
    let before = meta();
    fixture.index.skip_to(at(5), 3);
    fixture.index.refresh().expect("reloads");
    assert_eq!((fixture.index.position(), fixture.index.written_position()), (at(5), at(2)));
    assert_eq!(fixture.index.skipped_changes(), 3);
    assert_eq!(meta(), before);
    let (mut other, _) = TantivyIndex::open(&path, "public").expect("opens");
    assert_eq!(other.position(), at(2), "another process looks again");
    other.apply_changes(at(4), std::iter::once(put("gamma"))).expect("applies");
    fixture.index.refresh().expect("reloads");
    assert_eq!((fixture.index.position(), fixture.index.written_position()), (at(4), at(4)));
    assert_eq!(fixture.index.skipped_changes(), 0);
}

/// A writer that was killed between writing its deletions and committing them left a file by which no later one got.
#[test]
fn what_a_killed_writer_left_behind_is_in_nobodys_way() {
    let Fixture { dir, index } = index(&["one cat", "two dogs", "three birds"]);
    drop(index);
    let folder = dir.path().join("words");
    let names = std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    let segment = names.iter().find_map(|name| name.strip_suffix(".store")).expect("a segment").to_owned();
    let managed = std::fs::read_to_string(folder.join(".managed.json")).expect("a list");
    let mut managed: Vec<String> = serde_json::from_str(&managed).expect("a list of names");
    // Which number the next deletion gets is tantivy's to know.
    for number in 0..40 {
        let left = format!("{segment}.{number}.del");
        std::fs::write(folder.join(&left), b"a half of what was to be written").expect("it can be written");
        managed.push(left);
    }
    std::fs::write(folder.join(".managed.json"), serde_json::to_string(&managed).expect("JSON"))
        .expect("it can be written");
    let (mut index, opened) = TantivyIndex::open(&folder, "public").expect("opens");
    assert_eq!(opened, IndexOpenOutcome::Ready);
    index.apply_changes(at(2), [IndexChange::Delete(doc("one cat").statement)].into_iter()).expect("applies");
    assert!(search(&index, "cat").is_empty());
    assert_eq!(search(&index, "dogs").len(), 1);
}

#[test]
fn a_damaged_index_is_rebuilt_empty_and_said() {
    for damage in ["meta.json", "segment", "stranger"] {
        let fixture = index(&["alpha"]);
        let path = fixture.dir.path().join("words");
        drop(fixture.index);
        match damage {
            "meta.json" => std::fs::write(path.join("meta.json"), "{").expect("writes"),
            "stranger" => {
                std::fs::remove_file(path.join("meta.json")).expect("removes");
            }
            _ => {
                for entry in path.read_dir().expect("reads").flatten() {
                    if entry.path().extension().is_some_and(|end| end == "term") {
                        std::fs::write(entry.path(), "short").expect("writes");
                    }
                }
            }
        }
        let (mut index, opened) = TantivyIndex::open(&path, "public").expect("opens");
        assert_eq!(
            (opened, index.len(), index.position()),
            (IndexOpenOutcome::Damaged, 0, IndexPosition::default()),
            "{damage}"
        );
        index.apply_changes(at(1), std::iter::once(put("alpha"))).expect("applies");
        assert_eq!(search(&index, "alpha").len(), 1);
    }
}

#[test]
fn the_clear_index_never_hears_of_the_other() {
    let clear = index(&["the salary of Anna is known", "Anna likes tea", "tea is hot"]);
    let alone: Vec<_> = ["salary of Anna", "tea", "salarx"].map(|query| search(&clear.index, query)).into();
    for secret in [&["the salary of Anna is 90,000"][..], &["tea tea tea", "x", "salarx and Anna", "tea"][..]] {
        let guarded = index(secret);
        let both = [&clear.index, &guarded.index];
        let together = search_all(&both, &Query::new("tea Anna"), &SearchFilter::default(), 10).expect("searches");
        assert!(together.len() >= 3);
        let still: Vec<_> = ["salary of Anna", "tea", "salarx"].map(|query| search(&clear.index, query)).into();
        assert_eq!(alone, still);
    }
}

#[test]
fn several_indexes_rank_as_one() {
    let texts = ["alpha beta", "alpha alpha gamma", "beta", "gamma delta alpha", "delta"];
    let whole = index(&texts);
    let (first, second) = (index(&texts[..2]), index(&texts[2..]));
    for query in ["alpha", "beta alpha", "gamma delta", "alpah"] {
        let split = search_all(&[&first.index, &second.index], &Query::new(query), &SearchFilter::default(), 10);
        assert_eq!(split.expect("searches"), search(&whole.index, query), "{query}");
    }
}

fn period(from: &str, until: &str) -> Vec<Period> {
    let date = |text| PartialDate::parse(text).expect("a date");
    vec![Period::from_dates(date(from), date(until)).expect("in order")]
}

#[test]
fn a_place_is_of_a_time_that_has_more_than_half_of_its_days() {
    let of = |words: &str, from: &str, until: &str| StatementDoc { periods: period(from, until), ..doc(words) };
    let week = of("a week at the sea", "2022-08-29", "2022-09-04");
    let month = of("a month at the sea", "2022-09", "2022-09");
    let named = doc("at the sea on 3 September 2022");
    let all = [&week, &month, &named];
    let fixture = indexed(all.into_iter().map(|doc| IndexChange::Put(Box::new(doc.clone()))).collect());
    let today = PartialDate::parse("2025-06-10").expect("a date");
    let found = |question: &str, placed: bool| {
        let query = Query::parse_with_dates(question, today);
        let filter = SearchFilter { dates: Some(query.dates().to_vec()), placed, ..SearchFilter::default() };
        ids(&fixture.index.search(&query, &filter, 10).expect("searches")).into_iter().collect::<HashSet<_>>()
    };
    let expect = |docs: &[&StatementDoc]| docs.iter().map(|doc| doc.statement).collect::<HashSet<_>>();
    assert_eq!(found("in September 2022", true), expect(&[&week, &month]));
    assert_eq!(found("in September 2022", false), expect(&all));
    assert_eq!(found("in August 2022", true), expect(&[]));
    assert_eq!(found("on 3 September 2022", true), expect(&[]));
    assert_eq!(found("since 3 September 2022", true), expect(&[&month]));
    let within = period("2022-09-01", "9999-12-31").pop();
    let filter = SearchFilter { within, placed: true, ..SearchFilter::default() };
    let since = fixture.index.search(&Query::new("sea"), &filter, 10).expect("searches");
    assert_eq!(ids(&since).into_iter().collect::<HashSet<_>>(), expect(&[&week, &month]));
}

#[test]
fn filters_by_note_and_date() {
    let mut dated = doc("the meeting went well");
    dated.periods = period("2025-03-14", "2025-03-14");
    dated.notes = vec![1, 2];
    let mut relative = doc("the meeting was yesterday");
    relative.date = PartialDate::parse("2025-06-02");
    let named = doc("the meeting on 14 March 2025 was long");
    let undated = doc("the meeting room is cold");
    let docs = [&dated, &relative, &named, &undated];
    let fixture = indexed(docs.into_iter().map(|doc| IndexChange::Put(Box::new(doc.clone()))).collect());
    let today = PartialDate::parse("2025-06-10").expect("a date");
    let found = |question: &str, notes: Option<HashSet<u64>>| {
        let query = Query::parse_with_dates(question, today);
        let filter = SearchFilter {
            dates: (!query.dates().is_empty()).then(|| query.dates().to_vec()),
            notes: notes.map(std::sync::Arc::new),
            ..SearchFilter::default()
        };
        ids(&fixture.index.search(&query, &filter, 10).expect("searches")).into_iter().collect::<HashSet<_>>()
    };
    let expect = |docs: &[&StatementDoc]| docs.iter().map(|doc| doc.statement).collect::<HashSet<_>>();
    assert_eq!(found("the meeting in March 2025?", None), expect(&[&dated, &named]));
    assert_eq!(found("the meeting on 2025-06-01?", None), expect(&[&relative]));
    assert_eq!(found("what was on 14 March 2025?", None), expect(&[&dated, &named]));
    assert_eq!(found("the meeting", Some(HashSet::from([2]))), expect(&[&dated]));
    assert_eq!(found("the meeting", None).len(), 4);
}
