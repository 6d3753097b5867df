//! Measures the rankings by themselves, by words, by meaning and together, on public data; `memora-eval retrieval` and
//! `cranfield` measure the whole engine.
//!
//! Developers only; nothing depends on what it prints. `MEMORA_LOCOMO` and `MEMORA_CRANFIELD` name folders with the data
//! sets; without them those measures say that they were skipped.
#![expect(clippy::print_stdout, reason = "a program whose output is its figures")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::error::Error;
use std::path::{Path, PathBuf};

use memora_claim::StatementId;
use memora_embed::{Embedder, StaticEmbedder, Vector, quantize};
use memora_retrieve::{
    ActivationEdge, ActivationEdgeKind, FusedHit, Fusion, IndexChange, IndexPosition, LexicalIndex, Nearest, Query,
    SEEDS_MAX, SearchFilter, StatementDoc, TantivyIndex, VectorScan, fuse_rankings, spread_activation,
    statement_vector,
};
use memora_vault::PartialDate;

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    for (name, run) in [("MEMORA_LOCOMO", locomo as fn(&Path) -> Outcome), ("MEMORA_CRANFIELD", cranfield)] {
        match std::env::var_os(name) {
            Some(dir) => run(&PathBuf::from(dir))?,
            None => println!("{name} is not set: skipped"),
        }
    }
    Ok(())
}

fn doc(id: &str, words: &str) -> StatementDoc {
    StatementDoc {
        statement: StatementId::from_words(id, &[]),
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

fn build(docs: impl Iterator<Item = StatementDoc>) -> Result<(tempfile::TempDir, TantivyIndex), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let (mut index, _) = TantivyIndex::open(&dir.path().join("index"), "public")?;
    index.apply_changes(IndexPosition { store: 1, sequence: 1 }, docs.map(|doc| IndexChange::Put(Box::new(doc))))?;
    Ok((dir, index))
}

fn lines(path: &Path) -> Result<Vec<serde_json::Value>, Box<dyn Error>> {
    Ok(std::fs::read_to_string(path)?.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn text(value: &serde_json::Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

/// The ways of ranking that are compared.
const WAYS: [&str; 5] = ["words", "meaning", "scores", "ranks", "scores + spreading"];

/// An index of words with the vectors and neighbours of its documents.
struct Corpus {
    _dir: tempfile::TempDir,
    words: TantivyIndex,
    scan: VectorScan,
    vectors: HashMap<StatementId, Vector>,
    /// Each with what stands in front of it.
    before: HashMap<StatementId, StatementId>,
}

impl Corpus {
    fn new(docs: Vec<StatementDoc>, before: HashMap<StatementId, StatementId>) -> Result<Self, Box<dyn Error>> {
        let embedder = StaticEmbedder::embedded();
        let of = |text: &dyn Fn(&StatementDoc) -> String| {
            let texts: Vec<String> = docs.iter().map(text).collect();
            embedder.embed(&texts.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let (words, front) = (of(&|doc| doc.words.clone())?, of(&|doc| doc.around.clone())?);
        let context = of(&|doc| doc.title.clone())?;
        let mut vectors = HashMap::new();
        let (mut ids, mut codes) = (Vec::new(), Vec::new());
        for (doc, ((words, front), context)) in docs.iter().zip(words.iter().zip(&front).zip(&context)) {
            let vector = statement_vector(words, front, context);
            ids.push(doc.statement);
            codes.extend(quantize(&vector));
            vectors.insert(doc.statement, vector);
        }
        let (dir, words) = build(docs.into_iter())?;
        Ok(Self { _dir: dir, words, scan: VectorScan::new(ids, codes, embedder.dimensions()), vectors, before })
    }

    /// The ranking of each of [`WAYS`].
    fn ranked(&self, question: &str) -> Result<[Vec<StatementId>; 5], Box<dyn Error>> {
        const LIST: usize = 300;
        let query = Query::new(question);
        let lexical = self.words.search(&query, &SearchFilter::default(), LIST)?;
        let asked = StaticEmbedder::embedded().embed_one(question)?;
        let mut semantic = self.scan.find_nearest(&asked, LIST, None);
        for (id, cosine) in &mut semantic {
            *cosine = self.vectors.get(id).map_or(0.0, |vector| vector.cosine(&asked));
        }
        semantic.sort_by(|a, b| b.1.total_cmp(&a.1));
        let ids = |fused: &[FusedHit]| fused.iter().map(|fused| fused.statement).collect::<Vec<_>>();
        let scores = fuse_rankings(&lexical, &semantic, Fusion::WEIGHTED_SUM);
        let ranks = ids(&fuse_rankings(&lexical, &semantic, Fusion::RECIPROCAL_RANK));
        let mut spread_out = scores.clone();
        let behind: HashMap<StatementId, StatementId> = self.before.iter().map(|(a, b)| (*b, *a)).collect();
        let edge =
            |from: StatementId, kind, to: Option<&StatementId>| to.map(|to| ActivationEdge { from, kind, to: *to });
        let seeds = scores.iter().take(SEEDS_MAX).map(|fused| fused.statement);
        let edges: Vec<ActivationEdge> = seeds
            .flat_map(|id| {
                [
                    edge(id, ActivationEdgeKind::Before, self.before.get(&id)),
                    edge(id, ActivationEdgeKind::After, behind.get(&id)),
                ]
            })
            .flatten()
            .collect();
        spread_activation(&mut spread_out, &edges);
        Ok([
            lexical.iter().map(|hit| hit.statement).collect(),
            semantic.iter().map(|(id, _)| *id).collect(),
            ids(&scores),
            ranks,
            ids(&spread_out),
        ])
    }
}

/// Recall of one question at each cut.
type Recalls = [f64; 4];
const CUTS: [usize; 4] = [5, 10, 20, 50];

fn recalls(ranked: &[StatementId], gold: &HashSet<StatementId>) -> Recalls {
    CUTS.map(|cut| {
        let held = ranked.iter().take(cut).filter(|id| gold.contains(id)).count();
        held as f64 / gold.len() as f64
    })
}

/// The middle 95 % of the mean difference, by drawing the questions anew.
fn interval(differences: &[f64]) -> (f64, f64) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut means: Vec<f64> = (0..2000)
        .map(|_| {
            let sum: f64 = differences
                .iter()
                .map(|_| {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    differences[(state % differences.len() as u64) as usize]
                })
                .sum();
            sum / differences.len() as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    (means[49], means[1949])
}

fn table(name: &str, found: &[(String, [Recalls; 5])]) {
    let mean = |of: &dyn Fn(&Recalls) -> f64, way: usize, kind: Option<&str>| {
        let picked: Vec<f64> =
            found.iter().filter(|(k, _)| kind.is_none_or(|kind| k == kind)).map(|(_, r)| of(&r[way])).collect();
        100.0 * picked.iter().sum::<f64>() / picked.len().max(1) as f64
    };
    println!("{name}: {} questions, recall@5/10/20/50; multi-hop @10; @10 against words alone", found.len());
    for (way, title) in WAYS.iter().enumerate() {
        let at: Vec<String> = (0..4).map(|i| format!("{:.1}", mean(&|r| r[i], way, None))).collect();
        let against: Vec<f64> = found.iter().map(|(_, r)| 100.0 * (r[way][1] - r[0][1])).collect();
        let (low, high) = interval(&against);
        println!(
            "  {title:20} {}  {:.1}  [{low:+.1}, {high:+.1}]",
            at.join(" / "),
            mean(&|r| r[1], way, Some("multi-hop"))
        );
    }
}

fn locomo(dir: &Path) -> Outcome {
    let mut turns: BTreeMap<String, Vec<serde_json::Value>> = BTreeMap::new();
    for turn in lines(&dir.join("turns.jsonl"))? {
        turns.entry(text(&turn, "conv")).or_default().push(turn);
    }
    let mut names: HashMap<String, StatementId> = HashMap::new();
    let mut corpora = BTreeMap::new();
    let (mut all, mut all_before) = (Vec::new(), HashMap::new());
    for (conversation, turns) in &turns {
        let mut before = HashMap::new();
        let mut docs: Vec<StatementDoc> = Vec::new();
        for (i, turn) in turns.iter().enumerate() {
            let mut doc = doc(&text(turn, "id"), &text(turn, "text"));
            doc.subject = text(turn, "speaker");
            doc.date = PartialDate::parse(&text(turn, "date"));
            let front = i.checked_sub(1).and_then(|i| turns.get(i)).filter(|front| front["session"] == turn["session"]);
            doc.around = front.map(|front| text(front, "text")).unwrap_or_default();
            if let (Some(_), Some(last)) = (front, docs.last()) {
                before.insert(doc.statement, last.statement);
            }
            names.insert(text(turn, "id"), doc.statement);
            docs.push(doc);
        }
        all.extend(docs.iter().cloned());
        all_before.extend(before.clone());
        corpora.insert(conversation.clone(), Corpus::new(docs, before)?);
    }
    let global = Corpus::new(all, all_before)?;
    let (mut within, mut over) = (Vec::new(), Vec::new());
    for query in lines(&dir.join("queries.jsonl"))? {
        let ids = query["evidence"].as_array().into_iter().flatten();
        let gold: HashSet<StatementId> = ids.filter_map(|id| names.get(id.as_str()?).copied()).collect();
        let conversation = text(&query, "conv");
        let (Some(corpus), false) = (corpora.get(&conversation), gold.is_empty()) else { continue };
        let (question, kind) = (text(&query, "question"), text(&query, "category_name"));
        within.push((kind.clone(), corpus.ranked(&question)?.map(|ranked| recalls(&ranked, &gold))));
        over.push((kind, global.ranked(&question)?.map(|ranked| recalls(&ranked, &gold))));
    }
    table("locomo, within the conversation", &within);
    table("locomo, over all conversations", &over);
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
    let corpus = Corpus::new(docs, HashMap::new())?;
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
    let mut measured = [[0.0; 2]; 5];
    let mut queries = 0.0;
    while let Some((topic, tail)) = between(rest, "<title>", "</title>") {
        rest = tail;
        // The judgements count the topics in order; the topics' own numbers have gaps.
        number += 1;
        let Some(gold) = relevant.get(&number.to_string()).filter(|gold| gold.values().any(|g| *g > 0.0)) else {
            continue;
        };
        let gain = |grade: f64, rank: usize| if grade > 0.0 { 1.0 / (rank as f64 + 2.0).log2() } else { 0.0 };
        let grade = |id: &StatementId| names.get(id).and_then(|name| gold.get(name)).copied().unwrap_or_default();
        let positive = gold.values().filter(|g| **g > 0.0).count();
        let ideal: f64 = (0..positive.min(10)).map(|i| gain(1.0, i)).sum();
        for (sums, ranked) in measured.iter_mut().zip(corpus.ranked(topic)?) {
            let got: f64 = ranked.iter().take(10).enumerate().map(|(i, id)| gain(grade(id), i)).sum();
            let held = ranked.iter().take(10).filter(|id| grade(id) > 0.0).count();
            sums[0] += got / ideal;
            sums[1] += held as f64 / positive as f64;
        }
        queries += 1.0;
    }
    println!("cranfield: {queries} queries, nDCG@10 and recall@10");
    for (title, [ndcg, recall]) in WAYS.iter().zip(measured).take(4) {
        println!("  {title:20} {:.1}  {:.1}", 100.0 * ndcg / queries, 100.0 * recall / queries);
    }
    Ok(())
}
