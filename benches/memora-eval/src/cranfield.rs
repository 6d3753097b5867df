//! `cranfield DIR`: 1,400 abstracts as notes, 225 queries with judgements, through the engine.
//!
//! A note is ranked at its first claim. The judgements number the queries by position; the ids in the query file have
//! gaps.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use memora_engine::report::Freshness;
use memora_engine::{LocalDoor, SearchOptions};
use serde::Serialize;

use crate::indexed_vault::{IndexedVault, SearchSetup};

/// How many claims are requested: an abstract has several.
const LIMIT: usize = 600;

/// Means over all queries.
#[derive(Debug, Default, Serialize)]
pub(crate) struct CranfieldFigures {
    queries: usize,
    #[serde(rename = "R@10")]
    recall_10: f64,
    #[serde(rename = "R@100")]
    recall_100: f64,
    #[serde(rename = "nDCG@10")]
    ndcg_10: f64,
    #[serde(rename = "MAP")]
    map: f64,
}

pub(crate) fn measure(dir: &Path, ways: &SearchSetup) -> Result<CranfieldFigures> {
    let read = |name: &str| fs::read_to_string(dir.join(name)).with_context(|| format!("cannot read {name}"));
    let vault = tempfile::tempdir()?;
    for (id, text) in parse_documents(&read("cran.all.1400.xml")?) {
        fs::write(vault.path().join(format!("{id}.md")), text)?;
    }
    let judged = parse_judgements(&read("cranqrel.trec.txt")?);
    let opened = IndexedVault::new(vault.path(), ways)?;
    let session = opened.memora.session(LocalDoor)?;
    let mut figures = CranfieldFigures::default();
    for (number, query) in (1..).zip(parse_queries(&read("cran.qry.xml")?)) {
        let number: usize = number;
        let Some(relevant) = judged.get(&number.to_string()) else { continue };
        let options = SearchOptions { limit: LIMIT, lexical_only: ways.lexical, ..SearchOptions::default() };
        let report = session.search().report_claims(&query, &options, Freshness { fresh: true, pending: 0 })?;
        let mut ranked: Vec<String> = Vec::new();
        for place in report.hits.iter().filter_map(|hit| hit.claim.place()) {
            let id = place.path.to_string().trim_end_matches(".md").to_owned();
            if !ranked.contains(&id) {
                ranked.push(id);
            }
        }
        figures.count_query(&ranked, relevant);
    }
    figures.average_figures();
    Ok(figures)
}

impl CranfieldFigures {
    #[expect(clippy::cast_precision_loss, reason = "ranks and counts are far below 2^52")]
    fn count_query(&mut self, ranked: &[String], relevant: &[String]) {
        let is = |id: &String| relevant.contains(id);
        let gain = |at: usize| 1.0 / (at as f64 + 2.0).log2();
        let held = |cut| ranked.iter().take(cut).filter(|id| is(id)).count();
        self.queries += 1;
        self.recall_10 += crate::ratio(held(10), relevant.len());
        self.recall_100 += crate::ratio(held(100), relevant.len());
        let got: f64 = ranked.iter().take(10).enumerate().filter(|(_, id)| is(id)).map(|(at, _)| gain(at)).sum();
        self.ndcg_10 += got / (0..relevant.len().min(10)).map(gain).sum::<f64>();
        let places = ranked.iter().enumerate().filter(|(_, id)| is(id)).map(|(at, _)| at + 1);
        let precisions: f64 = (1..).zip(places).map(|(held, place)| crate::ratio(held, place)).sum();
        self.map += precisions / relevant.len() as f64;
    }

    #[expect(clippy::cast_precision_loss, reason = "a few hundred queries")]
    fn average_figures(&mut self) {
        let queries = self.queries.max(1) as f64;
        for sum in [&mut self.recall_10, &mut self.recall_100, &mut self.ndcg_10, &mut self.map] {
            *sum /= queries;
        }
    }
}

fn split_between<'t>(text: &'t str, open: &str, close: &str) -> Option<(&'t str, &'t str)> {
    text.split_once(open)?.1.split_once(close)
}

/// Parses the abstracts as notes: the title as a heading, then the text.
fn parse_documents(all: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = all;
    while let Some((entry, tail)) = split_between(rest, "<doc>", "</doc>") {
        rest = tail;
        let field = |name: &str| {
            let field =
                split_between(entry, &format!("<{name}>"), &format!("</{name}>")).map_or("", |(field, _)| field);
            field.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        found.push((field("docno"), format!("# {}\n\n{}\n", field("title"), field("text"))));
    }
    found
}

fn parse_queries(all: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = all;
    while let Some((query, tail)) = split_between(rest, "<title>", "</title>") {
        rest = tail;
        found.push(query.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    found
}

/// Parses the relevant abstracts of each query.
fn parse_judgements(all: &str) -> HashMap<String, Vec<String>> {
    let mut found: HashMap<String, Vec<String>> = HashMap::new();
    for line in all.lines() {
        if let [query, _, id, grade] = line.split_whitespace().collect::<Vec<_>>().as_slice()
            && grade.parse::<f64>().is_ok_and(|grade| grade > 0.0)
        {
            found.entry((*query).to_owned()).or_default().push((*id).to_owned());
        }
    }
    found
}
