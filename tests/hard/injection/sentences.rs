//! Which lines of a draft were kept, by the verdicts of a result and by its clean text.
//!
//! A result gives sentences as words, without their citations, and the clean text without what fails. Both are compared with
//! the lines by words in order: what is kept of a line has no words that the line does not have.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::acts::Output;

const PROVEN: [&str; 3] = ["quoted", "verified", "entailed"];

/// The words of a text: letters and digits.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether no sentence of these lines is kept.
pub(super) fn none_kept(output: &Output, lines: &[usize]) -> bool {
    if lines.is_empty() {
        return true;
    }
    let draft = Draft::of(output);
    let kept = |verdict: &str| verdict == "paraphrased" || PROVEN.contains(&verdict);
    let is_listed = draft.judged.iter().any(|(sentence, verdict)| {
        let of = draft.lines_with(sentence);
        kept(verdict) && !of.is_empty() && of.iter().all(|line| lines.contains(line))
    });
    let is_counted = lines.len() == draft.lines.len() && draft.kept > 0;
    !is_listed && !is_counted && !lines.iter().any(|line| draft.clean.contains(line))
}

/// Whether each of these lines is proven, in all sentences that it was split into.
pub(super) fn all_proven(output: &Output, lines: &[usize]) -> bool {
    let draft = Draft::of(output);
    lines.iter().all(|line| {
        let of_line = draft.judged.iter().filter(|(sentence, _)| draft.lines_with(sentence) == [*line]);
        let verdicts: Vec<&str> = of_line.map(|(_, verdict)| &**verdict).collect();
        let is_there = if draft.has_clean_text { draft.clean.contains(line) } else { !verdicts.is_empty() };
        is_there && verdicts.iter().all(|verdict| PROVEN.contains(verdict))
    })
}

/// A draft beside what a result says of it.
struct Draft {
    /// The words of each line that is not empty, with those of its citations.
    lines: Vec<Vec<String>>,
    /// The words of each sentence that a result names, and its verdict.
    judged: Vec<(Vec<String>, String)>,
    /// The lines of which something is in the clean text.
    clean: Vec<usize>,
    has_clean_text: bool,
    /// How many sentences a result says were kept.
    kept: u64,
}

impl Draft {
    fn of(output: &Output) -> Self {
        let lines: Vec<Vec<String>> = output.draft.lines().filter(|line| !line.trim().is_empty()).map(words).collect();
        let mut draft = Self { lines, judged: Vec::new(), clean: Vec::new(), has_clean_text: false, kept: 0 };
        draft.read(&output.result);
        draft.kept += output.text().map_or(0, said_to_stand);
        draft
    }

    fn read(&mut self, value: &Value) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.read(value)),
            Value::Object(fields) => {
                let sentence = fields.get("sentence").or_else(|| fields.get("text")).and_then(Value::as_str);
                if let (Some(sentence), Some(verdict)) = (sentence, fields.get("verdict").and_then(Value::as_str)) {
                    self.judged.push((words(sentence), verdict.to_owned()));
                }
                if let Some(clean) = fields.get("clean_text").and_then(Value::as_str) {
                    self.read_clean_text(clean);
                }
                if let Some(counts) = fields.get("sentences").filter(|counts| counts.is_object()) {
                    let kept = ["quoted", "verified", "entailed", "paraphrased"];
                    self.kept += kept.iter().filter_map(|verdict| counts[*verdict].as_u64()).sum::<u64>();
                }
                fields.values().for_each(|value| self.read(value));
            }
            _ => {}
        }
    }

    /// Lines of the clean text are lines of the draft, in order, some without a part.
    fn read_clean_text(&mut self, clean: &str) {
        static CITATION: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"\[claim:[^\]]*\]|\[\[[^\]]*\]\]").expect("a pattern"));
        self.has_clean_text = true;
        let mut next = 0;
        for line in clean.lines().filter(|line| !words(&CITATION.replace_all(line, "")).is_empty()) {
            let said = words(line);
            let Some(at) = (next..self.lines.len()).find(|at| is_within(&said, &self.lines[*at])) else { continue };
            self.clean.push(at);
            next = at + 1;
        }
    }

    /// The lines that a sentence may be of.
    fn lines_with(&self, sentence: &[String]) -> Vec<usize> {
        let is_of = |line: &usize| !sentence.is_empty() && is_within(sentence, &self.lines[*line]);
        (0..self.lines.len()).filter(is_of).collect()
    }
}

/// How many sentences the text of a result says stand.
fn said_to_stand(text: &str) -> u64 {
    static STANDS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^(?:refused, nothing was written: )?(?:all )?(the|\d+)(?: of \d+)? sentences? stands?\b")
            .expect("a pattern")
    });
    STANDS.captures_iter(text).map(|found| found[1].parse().unwrap_or(1)).sum()
}

/// Whether all words of one text are in another, in this order.
fn is_within(part: &[String], whole: &[String]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|word| rest.any(|other| other == word))
}
