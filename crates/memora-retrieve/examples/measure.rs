//! Measures the lexical index: quality on public data, latency on generated statements.
//!
//! Developers only; nothing depends on what it prints. `MEMORA_LOCOMO` and `MEMORA_CRANFIELD` name folders with the data
//! sets; without them those measures say that they were skipped. `MEMORA_DOCS` is the number of generated statements.
#![expect(clippy::print_stdout, reason = "a program whose output is its figures")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use memora_claim::StatementId;
use memora_retrieve::{Change, Doc, Filter, Lexical, Position, Query, Strength, TantivyIndex, is_evidence};
use memora_vault::PartialDate;

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    for (name, run) in [("MEMORA_LOCOMO", locomo as fn(&Path) -> Outcome), ("MEMORA_CRANFIELD", cranfield)] {
        match std::env::var_os(name) {
            Some(dir) => run(&PathBuf::from(dir))?,
            None => println!("{name} is not set: skipped"),
        }
    }
    match std::env::var("MEMORA_DOCS") {
        Ok(docs) => latency(docs.parse()?),
        Err(_) => {
            println!("MEMORA_DOCS is not set: skipped");
            Ok(())
        }
    }
}

fn doc(id: &str, words: &str) -> Doc {
    Doc {
        statement: StatementId::of(id, &[]),
        words: words.to_owned(),
        subject: String::new(),
        object: String::new(),
        title: String::new(),
        headings: Vec::new(),
        aliases: Vec::new(),
        tags: Vec::new(),
        before: None,
        date: None,
        notes: Vec::new(),
    }
}

fn build(docs: impl Iterator<Item = Doc>) -> Result<(tempfile::TempDir, TantivyIndex), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let (mut index, _) = TantivyIndex::open(&dir.path().join("index"))?;
    index.apply(Position { store: 1, sequence: 1 }, docs.map(|doc| Change::Put(Box::new(doc))))?;
    Ok((dir, index))
}

fn lines(path: &Path) -> Result<Vec<serde_json::Value>, Box<dyn Error>> {
    Ok(std::fs::read_to_string(path)?.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn text(value: &serde_json::Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn locomo(dir: &Path) -> Outcome {
    let mut turns: BTreeMap<String, Vec<serde_json::Value>> = BTreeMap::new();
    for turn in lines(&dir.join("turns.jsonl"))? {
        turns.entry(text(&turn, "conv")).or_default().push(turn);
    }
    let mut indexes = BTreeMap::new();
    let mut names = HashMap::new();
    for (conversation, turns) in &turns {
        let docs = turns.iter().enumerate().map(|(i, turn)| {
            let mut doc = doc(&text(turn, "id"), &text(turn, "text"));
            doc.subject = text(turn, "speaker");
            doc.date = PartialDate::parse(&text(turn, "date"));
            doc.before = i
                .checked_sub(1)
                .and_then(|i| turns.get(i))
                .filter(|before| before["session"] == turn["session"])
                .map(|before| text(before, "text"));
            names.insert(doc.statement, text(turn, "id"));
            doc
        });
        indexes.insert(conversation.clone(), build(docs)?);
    }
    let cuts = [5, 10, 20, 50];
    let (mut recall, mut micro, mut queries, mut golds) = ([0.0; 4], [0usize; 4], 0usize, 0usize);
    let mut strengths: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for query in lines(&dir.join("queries.jsonl"))? {
        let gold: HashSet<String> =
            query["evidence"].as_array().into_iter().flatten().filter_map(|id| Some(id.as_str()?.to_owned())).collect();
        if gold.is_empty() {
            continue;
        }
        let conversation = text(&query, "conv");
        let asked = Query::new(&text(&query, "question"));
        let Some((_, index)) = indexes.get(&conversation) else { continue };
        let hits = index.search(&asked, &Filter::default(), 50)?;
        for (i, cut) in cuts.into_iter().enumerate() {
            let held =
                hits.iter().take(cut).filter(|hit| names.get(&hit.statement).is_some_and(|id| gold.contains(id)));
            let held = held.count();
            recall[i] += held as f64 / gold.len() as f64;
            micro[i] += held;
        }
        queries += 1;
        golds += gold.len();
        let mut count = |name, strength| {
            let at = match strength {
                Strength::None => 0,
                Strength::Weak => 1,
                Strength::Strong => 2,
            };
            strengths.entry(name).or_default()[at] += 1;
        };
        for hit in hits.iter().take(10).filter(|hit| names.get(&hit.statement).is_some_and(|id| gold.contains(id))) {
            count("gold in top 10", is_evidence(hit));
        }
        let best =
            |hits: &[memora_retrieve::Hit]| hits.iter().take(10).map(is_evidence).max().unwrap_or(Strength::None);
        count("own conversation, best of 10", best(&hits));
        if let Some((_, (_, other))) = indexes.iter().find(|(name, _)| **name != conversation) {
            count("other conversation, best of 10", best(&other.search(&asked, &Filter::default(), 10)?));
        }
    }
    for (i, cut) in cuts.into_iter().enumerate() {
        let (macro_, micro) = (100.0 * recall[i] / queries as f64, 100.0 * micro[i] as f64 / golds as f64);
        println!("locomo recall@{cut}: {macro_:.1} (by query), {micro:.1} (by gold turn), {queries} queries");
    }
    for (name, counts) in strengths {
        println!("locomo strength, {name}: none {} weak {} strong {}", counts[0], counts[1], counts[2]);
    }
    Ok(())
}

fn between<'t>(text: &'t str, open: &str, close: &str) -> Option<(&'t str, &'t str)> {
    let (_, rest) = text.split_once(open)?;
    rest.split_once(close)
}

fn cranfield(dir: &Path) -> Outcome {
    let all = std::fs::read_to_string(dir.join("cran.all.1400.xml"))?;
    let mut names = HashMap::new();
    let mut docs = Vec::new();
    let mut rest = all.as_str();
    while let Some((entry, tail)) = between(rest, "<doc>", "</doc>") {
        let field = |name: &str| {
            between(entry, &format!("<{name}>"), &format!("</{name}>")).map_or("", |(field, _)| field).trim().to_owned()
        };
        let id = field("docno");
        let mut doc = doc(&id, &field("text"));
        doc.title = field("title");
        names.insert(doc.statement, id);
        docs.push(doc);
        rest = tail;
    }
    let (_dir, index) = build(docs.into_iter())?;
    let mut relevant: HashMap<String, HashMap<String, f64>> = HashMap::new();
    for line in std::fs::read_to_string(dir.join("cranqrel.trec.txt"))?.lines() {
        let mut parts = line.split_whitespace();
        if let (Some(query), Some(_), Some(id), Some(grade)) = (parts.next(), parts.next(), parts.next(), parts.next())
        {
            relevant.entry(query.to_owned()).or_default().insert(id.to_owned(), grade.parse::<f64>()?.max(0.0));
        }
    }
    let topics = std::fs::read_to_string(dir.join("cran.qry.xml"))?;
    let (mut rest, mut number) = (topics.as_str(), 0);
    let (mut ndcg, mut recall, mut queries) = (0.0, 0.0, 0.0);
    while let Some((topic, tail)) = between(rest, "<title>", "</title>") {
        rest = tail;
        // The judgements count the topics in order; the topics' own numbers have gaps.
        number += 1;
        let Some(gold) = relevant.get(&number.to_string()).filter(|gold| gold.values().any(|g| *g > 0.0)) else {
            continue;
        };
        let hits = index.search(&Query::new(topic), &Filter::default(), 10)?;
        let gain = |grade: f64, rank: usize| if grade > 0.0 { 1.0 / (rank as f64 + 2.0).log2() } else { 0.0 };
        let grade = |id: &String| gold.get(id).copied().unwrap_or_default();
        let got: f64 =
            hits.iter().enumerate().filter_map(|(i, hit)| Some(gain(grade(names.get(&hit.statement)?), i))).sum();
        let positive = gold.values().filter(|g| **g > 0.0).count();
        let ideal: f64 = (0..positive.min(10)).map(|i| gain(1.0, i)).sum();
        let held = hits.iter().filter(|hit| names.get(&hit.statement).is_some_and(|id| grade(id) > 0.0)).count();
        ndcg += got / ideal;
        recall += held as f64 / positive as f64;
        queries += 1.0;
    }
    println!(
        "cranfield nDCG@10 {:.1}, recall@10 {:.1}, {queries} queries",
        100.0 * ndcg / queries,
        100.0 * recall / queries
    );
    Ok(())
}

/// Words by a Zipf-like law from a seeded generator: no data, no randomness.
fn latency(docs: usize) -> Outcome {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut word = move || {
        let share = (random() % 1_000_000) as f64 / 1_000_000.0;
        let rank = (50_000_f64.powf(share)) as u64;
        let letters = "etaoinshrdlucmfw".as_bytes();
        let mut name = String::new();
        let mut rest = rank * 7919 + 17;
        while rest > 0 {
            name.push(char::from(letters[(rest % 16) as usize]));
            rest /= 16;
        }
        name
    };
    let mut sentence = |words: usize| (0..words).map(|_| word()).collect::<Vec<_>>().join(" ");
    let mut before = String::new();
    let statements: Vec<Doc> = (0..docs)
        .map(|i| {
            let words = sentence(14);
            let mut doc = doc(&format!("{i}"), &words);
            doc.subject = sentence(1);
            doc.object = sentence(3);
            doc.title = format!("Note {}", i / 20);
            doc.before = Some(std::mem::replace(&mut before, words));
            doc.notes = vec![(i / 20) as u64];
            doc
        })
        .collect();
    let extra = statements.last().cloned();
    let queries: Vec<Query> = (0..500).map(|_| Query::new(&sentence(5))).collect();
    let start = Instant::now();
    let (_dir, mut index) = build(statements.into_iter())?;
    println!("latency: {docs} statements built in {:.2} s", start.elapsed().as_secs_f64());
    let mut times = Vec::new();
    for query in &queries {
        let start = Instant::now();
        index.search(query, &Filter::default(), 50)?;
        times.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    println!("latency: search p50 {:.2} ms, p99 {:.2} ms, max {:.2} ms", times[250], times[495], times[499]);
    if let Some(extra) = extra {
        let start = Instant::now();
        index.apply(Position { store: 1, sequence: 2 }, std::iter::once(Change::Put(Box::new(extra))))?;
        println!("latency: one statement replaced in {:.1} ms", start.elapsed().as_secs_f64() * 1000.0);
        let start = Instant::now();
        index.search(&queries[0], &Filter::default(), 50)?;
        println!("latency: first search after it {:.1} ms", start.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(())
}
