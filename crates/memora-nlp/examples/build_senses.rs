//! Makes `assets/memora-en-senses.txt` of the files of WordNet 3.0.
//!
//! `cargo run -p memora-nlp --example build_senses -- /usr/share/wordnet > assets/memora-en-senses.txt`

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::{env, fs, io};

/// Of the senses of a word that are one part of speech, how many are kept, the most frequent first.
const SENSES_MAX: usize = 4;
const PARTS: [(char, &str); 4] = [('n', "noun"), ('v', "verb"), ('a', "adj"), ('r', "adv")];

/// A part of speech with a place in its file.
type Key = (char, u32);

/// A set of words that share a sense.
#[derive(Default)]
struct Set {
    words: Vec<String>,
    parents: Vec<Key>,
    kin: Vec<Key>,
    /// Word of this set, the other set, its word there; counted from 1.
    opposites: Vec<(usize, Key, usize)>,
}

#[derive(Default)]
struct Lemma {
    senses: Vec<Key>,
    /// Whether the texts that were tagged have it.
    seen: bool,
    parts: BTreeSet<char>,
}

fn main() -> io::Result<()> {
    let folder = env::args().nth(1).ok_or_else(|| io::Error::other("name the folder of WordNet's files"))?;
    let folder = Path::new(&folder);
    let mut sets: HashMap<Key, Set> = HashMap::new();
    let mut lemmas: BTreeMap<String, Lemma> = BTreeMap::new();
    let mut forms: BTreeSet<(String, String)> = BTreeSet::new();
    for (part, name) in PARTS {
        for line in fs::read_to_string(folder.join(format!("data.{name}")))?.lines().filter(|l| !l.starts_with(' ')) {
            if let Some((at, set)) = read_set(line) {
                sets.insert((part, at), set);
            }
        }
        for line in fs::read_to_string(folder.join(format!("index.{name}")))?.lines().filter(|l| !l.starts_with(' ')) {
            read_lemma(line, part, &mut lemmas);
        }
        // The irregular forms of the others are comparatives, which say something else.
        if !['n', 'v'].contains(&part) {
            continue;
        }
        for line in fs::read_to_string(folder.join(format!("{name}.exc")))?.lines() {
            let mut words = line.split(' ').map(str::to_owned);
            let form = words.next().unwrap_or_default();
            forms.extend(words.map(|base| (form.clone(), base)));
        }
    }
    lemmas.retain(|word, lemma| is_plain(word, lemma, &sets));
    let seen: BTreeSet<Key> = lemmas.values().filter(|l| l.seen).flat_map(|l| l.senses.clone()).collect();
    // A noun that no text has and that shares no sense with one that a text has names a rare thing.
    lemmas.retain(|_, l| l.seen || l.parts != BTreeSet::from(['n']) || l.senses.iter().any(|s| seen.contains(s)));
    write(&lemmas, &sets, &forms)
}

fn read_set(line: &str) -> Option<(u32, Set)> {
    let mut fields = line.split('|').next()?.split_whitespace();
    let at = fields.next()?.parse().ok()?;
    let count = usize::from_str_radix(fields.nth(2)?, 16).ok()?;
    let mut set = Set::default();
    for _ in 0..count {
        let word = fields.next()?.split('(').next()?.to_owned();
        set.words.push(word);
        fields.next();
    }
    let pointers: usize = fields.next()?.parse().ok()?;
    for _ in 0..pointers {
        let (sign, at, part, ends) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        let part = if part == "s" { 'a' } else { part.chars().next()? };
        let key = (part, at.parse().ok()?);
        match sign {
            "@" | "*" | ">" => set.parents.push(key),
            "+" | "\\" | "&" | "$" => set.kin.push(key),
            "!" => {
                let end = |range| ends.get(range).and_then(|hex| usize::from_str_radix(hex, 16).ok());
                set.opposites.push((end(0..2)?, key, end(2..4)?));
            }
            _ => {}
        }
    }
    Some((at, set))
}

fn read_lemma(line: &str, part: char, lemmas: &mut BTreeMap<String, Lemma>) {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let Some((word, pointers)) = fields.first().zip(fields.get(3).and_then(|n| n.parse::<usize>().ok())) else {
        return;
    };
    let lemma = lemmas.entry((*word).to_owned()).or_default();
    lemma.seen |= fields.get(5 + pointers).is_some_and(|n| *n != "0");
    lemma.parts.insert(part);
    let places = fields.iter().skip(6 + pointers).take(SENSES_MAX).filter_map(|at| at.parse().ok());
    lemma.senses.extend(places.map(|at| (part, at)));
}

/// A word in lower case without digits; of several words, what may be a verb.
fn is_plain(word: &str, lemma: &Lemma, sets: &HashMap<Key, Set>) -> bool {
    let letters = word.chars().all(|c| c.is_ascii_alphabetic() || "-_'".contains(c));
    let lower = || {
        let words = lemma.senses.iter().filter_map(|key| sets.get(key)).flat_map(|set| &set.words);
        words.into_iter().any(|w| w == word)
    };
    letters && (!word.contains('_') || lemma.parts.contains(&'v')) && lower()
}

fn write(
    lemmas: &BTreeMap<String, Lemma>,
    sets: &HashMap<Key, Set>,
    forms: &BTreeSet<(String, String)>,
) -> io::Result<()> {
    let used: BTreeSet<Key> = lemmas.values().flat_map(|lemma| lemma.senses.iter().copied()).collect();
    let parents = used.iter().filter_map(|key| sets.get(key)).flat_map(|set| set.parents.iter().copied());
    let groups: BTreeSet<Key> = used.iter().copied().chain(parents).collect();
    let number: HashMap<Key, usize> = groups.iter().enumerate().map(|(i, key)| (*key, i)).collect();
    let numbers = |keys: &[Key]| -> String {
        let found: BTreeSet<usize> = keys.iter().filter_map(|key| number.get(key).copied()).collect();
        found.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
    };
    let mut out = BufWriter::new(io::stdout().lock());
    for key in &groups {
        let Some(set) = sets.get(key) else { continue };
        writeln!(out, "{};{}", numbers(&set.parents), numbers(&set.kin))?;
    }
    writeln!(out)?;
    for (word, lemma) in lemmas {
        let mut opposites: BTreeSet<&str> = BTreeSet::new();
        for set in lemma.senses.iter().filter_map(|key| sets.get(key)) {
            for (own, other, at) in &set.opposites {
                if set.words.get(own - 1).is_some_and(|w| w.eq_ignore_ascii_case(word)) {
                    opposites.extend(sets.get(other).and_then(|set| set.words.get(at - 1)).map(String::as_str));
                }
            }
        }
        let opposites: Vec<&str> = opposites.into_iter().collect();
        let senses: Vec<String> = lemma.senses.iter().map(|key| number[key].to_string()).collect();
        writeln!(out, "{word};{};{}", senses.join(" "), opposites.join(" "))?;
    }
    writeln!(out)?;
    for (form, base) in forms.iter().filter(|(_, base)| lemmas.contains_key(base)) {
        writeln!(out, "{form};{base}")?;
    }
    out.flush()
}
