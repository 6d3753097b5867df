//! Makes vaults of any number of distinct statements out of one vault: its notes again and again, each time with other
//! words in the places of its own.
//!
//! Markup, headings, lists, tables, links, sentence lengths and the most frequent words stay as they are, so that the
//! parser has as much to do as with the vault itself. Another word comes from the same band of frequency, so that postings
//! are as long as those of real text.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Words that stay: those of grammar.
const KEPT_WORDS: usize = 200;

/// Copies by the same shift of all words would repeat pairs of words; each has one of its own.
const STRIDE: usize = 7_919;

/// Where agents' memories lie, which are no notes of the user's.
const MEMORY_FOLDER: &str = "Memora";

/// The user's notes of a vault, and their words by how often they are there.
pub(crate) struct Generator {
    notes: Vec<(PathBuf, String)>,
    ranks: HashMap<String, usize>,
    words: Vec<String>,
}

impl Generator {
    /// Reads the user's notes of a vault.
    pub(crate) fn read(vault: &Path) -> Self {
        let mut notes = Vec::new();
        walk(vault, &mut |path| {
            let inside = path.strip_prefix(vault).unwrap_or(path);
            if path.extension().is_some_and(|ending| ending == "md")
                && !inside.starts_with(MEMORY_FOLDER)
                && let Ok(text) = fs::read_to_string(path)
            {
                notes.push((inside.to_owned(), text));
            }
        });
        notes.sort();
        let mut counts: HashMap<String, usize> = HashMap::new();
        for (_, text) in &notes {
            for word in split_words(text).filter(|word| is_word(word)) {
                *counts.entry(word.to_lowercase()).or_default() += 1;
            }
        }
        let mut words: Vec<String> = counts.keys().cloned().collect();
        words.sort_by_key(|word| (std::cmp::Reverse(counts[word]), word.clone()));
        let ranks = words.iter().cloned().enumerate().map(|(rank, word)| (word, rank)).collect();
        Self { notes, ranks, words }
    }

    /// The share of the words that stand in lines which another note has too.
    #[allow(dead_code, reason = "one bench of those that share this file prints it")]
    pub(crate) fn repeated_share(&self) -> f64 {
        let lines = |text: &'_ str| -> Vec<String> {
            text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
        };
        let mut notes_with: HashMap<String, usize> = HashMap::new();
        for (_, text) in &self.notes {
            let distinct: HashSet<String> = lines(text).into_iter().collect();
            distinct.into_iter().for_each(|line| *notes_with.entry(line).or_default() += 1);
        }
        let (mut all, mut repeated) = (0, 0);
        for line in self.notes.iter().flat_map(|(_, text)| lines(text)) {
            let words = line.split_whitespace().count();
            all += words;
            repeated += if notes_with.get(&line).is_some_and(|notes| *notes > 1) { words } else { 0 };
        }
        f64::from(u32::try_from(repeated).unwrap_or(u32::MAX))
            / f64::from(u32::try_from(all.max(1)).unwrap_or(u32::MAX))
    }

    /// Writes a copy of the notes into a folder of its own; the first is of them as they are. Returns their bytes.
    pub(crate) fn write_copy(&self, root: &Path, number: usize) -> usize {
        let mut bytes = 0;
        for (path, text) in &self.notes {
            let target = root.join(format!("copy {number}")).join(path);
            fs::create_dir_all(target.parent().unwrap_or(root)).expect("a folder");
            let text = self.with_other_words(text, number);
            bytes += text.len();
            fs::write(target, text).expect("a note");
        }
        bytes
    }

    fn with_other_words(&self, text: &str, number: usize) -> String {
        let mut other = String::with_capacity(text.len());
        // Front matter keeps its keys and dates.
        let head = text.strip_prefix("---\n").and_then(|rest| rest.find("\n---")).map_or(0, |end| end + 8);
        let (head, body) = text.split_at_checked(head).unwrap_or(("", text));
        other.push_str(head);
        for word in split_words(body) {
            match self.ranks.get(&word.to_lowercase()).filter(|rank| is_word(word) && **rank >= KEPT_WORDS) {
                Some(rank) if number > 0 => push_like(&mut other, word, self.word_near(*rank, number)),
                _ => other.push_str(word),
            }
        }
        other
    }

    /// A word of the same band of frequency: from 2ⁿ to 2ⁿ⁺¹.
    fn word_near(&self, rank: usize, number: usize) -> &str {
        let first = rank.next_power_of_two() >> usize::from(!rank.is_power_of_two());
        let length = (first * 2).min(self.words.len()) - first;
        let at = first + (rank - first + number * STRIDE + number * number) % length.max(1);
        self.words.get(at).map_or("", String::as_str)
    }

    /// Words, most frequent first, for questions.
    pub(crate) fn words(&self) -> &[String] {
        &self.words
    }
}

/// Parts of a text, one behind the other: runs of letters, and what is between them.
fn split_words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let letter = rest.chars().next()?.is_alphabetic();
        let end = rest.find(|c: char| c.is_alphabetic() != letter).unwrap_or(rest.len());
        let (part, behind) = rest.split_at_checked(end)?;
        rest = behind;
        Some(part)
    })
}

fn is_word(part: &str) -> bool {
    part.len() > 3 && part.chars().all(char::is_alphabetic)
}

/// Writes a word with a capital where another has one.
fn push_like(text: &mut String, like: &str, word: &str) {
    let mut letters = word.chars();
    match letters.next().filter(|_| like.starts_with(char::is_uppercase)) {
        Some(first) => {
            text.extend(first.to_uppercase());
            text.push_str(letters.as_str());
        }
        None => text.push_str(word),
    }
}

/// Calls `visit` for every file below a folder.
pub(crate) fn walk(root: &Path, visit: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(root).expect("a folder").flatten() {
        let meta = entry.metadata().expect("a stat");
        if meta.is_dir() {
            if entry.file_name() != ".git" {
                walk(&entry.path(), visit);
            }
        } else {
            visit(&entry.path());
        }
    }
}
