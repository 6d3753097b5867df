//! True statements in a vault's own words that can be rewritten with certainty.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use memora_claim::{ParsedNote, Statement};
use memora_nlp::{Label, Upos, Xpos};
use memora_vault::{Note, Zone};

use super::editable_sentence::EditableSentence;
use super::fact_forms::{self, FactForm};
use crate::lists::VAGUE_NOUNS;

/// A statement that says one thing clearly, independent of its context.
pub(crate) struct Fact {
    pub(crate) id: String,
    /// Source note; facts are sorted by note and position.
    pub(crate) note: String,
    pub(crate) span: Range<usize>,
    pub(crate) form: FactForm,
    /// The statement's words.
    pub(crate) words: String,
    /// The context that may complete their meaning: title, aliases, headings, parent.
    pub(crate) around: String,
    /// Whether the next statement of the note is the next fact.
    pub(crate) followed: bool,
}

/// The facts and vocabulary that sentences are generated from.
pub(crate) struct FactCorpus {
    pub(crate) facts: Vec<Fact>,
    /// Names in the vault, except those that also occur in lower case.
    pub(crate) names: Vec<String>,
    /// Plain nouns that occur as subjects or objects: singular, plural.
    pub(crate) nouns: [Vec<String>; 2],
    /// Groups of names for one thing: the title of a note and its aliases.
    pub(crate) aliases: Vec<Vec<String>>,
    /// Pairs of title and alias that certainly name one thing, so that either may replace the other in a sentence.
    pub(crate) called: BTreeSet<(String, String)>,
    /// By lower-case word: how often it occurs in lower case, and with a capital inside a sentence.
    cases: HashMap<String, [usize; 2]>,
}

impl FactCorpus {
    pub(crate) fn from_notes(notes: Vec<Note>) -> Self {
        let mut found = Self {
            facts: Vec::new(),
            names: Vec::new(),
            nouns: [Vec::new(), Vec::new()],
            aliases: Vec::new(),
            called: BTreeSet::new(),
            cases: HashMap::new(),
        };
        let notes: Vec<ParsedNote> = notes.into_iter().map(ParsedNote::new).collect();
        let mut times: HashMap<String, usize> = HashMap::new();
        for note in &notes {
            found.collect_aliases(note.note());
            for statement in note.statements() {
                *times.entry(statement.id.to_string()).or_default() += 1;
                found.count_cases(&statement.words);
            }
        }
        found.drop_shared_aliases();
        for note in &notes {
            found.collect_called(note.note());
        }
        for note in &notes {
            let mut last = None;
            for (at, statement) in note.statements().iter().enumerate() {
                if times.get(statement.id.as_str()) != Some(&1) || statement.rejected || statement.zone == Zone::Quote {
                    continue;
                }
                let forms = fact_forms::extract_forms(note.note(), statement);
                let sentence = forms.first().is_some_and(|form| matches!(form, FactForm::Sentence(_)));
                if sentence
                    && last.is_some_and(|last| last + 1 == at)
                    && let Some(before) = found.facts.last_mut()
                {
                    before.followed = true;
                }
                last = sentence.then_some(at);
                found.facts.extend(forms.into_iter().map(|form| Fact::from_statement(note.note(), statement, form)));
            }
        }
        found.collect_vocabulary();
        found
    }

    /// Keeps only the facts that the predicate accepts.
    pub(crate) fn retain_facts(&mut self, mut wanted: impl FnMut(&Fact) -> anyhow::Result<bool>) -> anyhow::Result<()> {
        for fact in std::mem::take(&mut self.facts) {
            if wanted(&fact)? {
                self.facts.push(fact);
            } else if let Some(before) = self.facts.last_mut() {
                before.followed = false;
            }
        }
        Ok(())
    }

    fn collect_aliases(&mut self, note: &Note) {
        let fits = |name: &str| {
            let plain = name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\''));
            plain && name.split_whitespace().count() <= 4 && name.is_ascii() && name.chars().any(char::is_alphabetic)
        };
        let names = std::iter::once(note.title()).chain(note.aliases().iter().map(|alias| alias.text.as_str()));
        let names: Vec<String> = names.filter(|name| fits(name)).map(str::to_owned).collect();
        if names.len() > 1 {
            self.aliases.push(names);
        }
    }

    fn count_cases(&mut self, text: &str) {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().all(char::is_alphabetic));
        for word in words.filter(|word| !word.is_empty()).skip(1) {
            let capital = usize::from(word.chars().any(char::is_uppercase));
            self.cases.entry(word.to_lowercase()).or_default()[capital] += 1;
        }
    }

    /// Collects full names with their first names, and links whose text is an alias of the linked note.
    fn collect_called(&mut self, note: &Note) {
        let known = |names: &&Vec<String>| names.iter().any(|name| name == note.title());
        let first = note.title().split_whitespace().next().unwrap_or_default();
        let full = note.title().split_whitespace().count() > 1
            && note.title().split_whitespace().all(|word| {
                word.chars().next().is_some_and(char::is_uppercase)
                    && self.cases.get(&word.to_lowercase()).is_none_or(|c| c[0] == 0)
            });
        if full && self.aliases.iter().find(known).is_some_and(|names| names.iter().any(|name| name == first)) {
            self.called.insert((note.title().to_owned(), first.to_owned()));
        }
        for link in note.links() {
            let target = link.target.rsplit('/').next().unwrap_or_default();
            let of =
                self.aliases.iter().find(|names| names.iter().any(|name| name == target) && names.contains(&link.text));
            // An alias with an article can replace the name, if both have the same number.
            let named = link.text.starts_with("the ");
            if of.is_some() && named && link.text != target && link.text.ends_with('s') == target.ends_with('s') {
                self.called.insert((target.to_owned(), link.text.clone()));
            }
        }
    }

    /// Removes aliases that several notes share.
    fn drop_shared_aliases(&mut self) {
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for name in self.aliases.iter().flatten() {
            *times.entry(name.to_lowercase()).or_default() += 1;
        }
        for names in &mut self.aliases {
            names.retain(|name| times.get(&name.to_lowercase()) == Some(&1));
        }
        self.aliases.retain(|names| names.len() > 1);
    }

    fn collect_vocabulary(&mut self) {
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        let mut nouns = [BTreeSet::new(), BTreeSet::new()];
        for fact in &self.facts {
            let FactForm::Sentence(parsed) = &fact.form else { continue };
            for run in name_runs(parsed) {
                let name = parsed.run_text(&run);
                if run.len() <= 2
                    && name.split_whitespace().all(|word| self.is_mostly_capitalized(word))
                    && name.chars().any(char::is_lowercase)
                {
                    *names.entry(name.to_owned()).or_default() += 1;
                }
            }
            for (at, word) in parsed.words.iter().enumerate() {
                let plain = word.lower.chars().all(|c| c.is_ascii_lowercase()) && word.lower.len() > 3;
                let subject = matches!(word.label, Label::Nsubj | Label::NsubjPass | Label::Obj);
                if subject
                    && plain
                    && word.upos == Upos::Noun
                    && word.sure
                    && !VAGUE_NOUNS.contains(word.lower.as_str())
                {
                    match word.xpos {
                        Xpos::Nn => nouns[0].insert(parsed.lower(at).to_owned()),
                        Xpos::Nns => nouns[1].insert(parsed.lower(at).to_owned()),
                        _ => false,
                    };
                }
            }
        }
        self.names = names.into_keys().collect();
        self.nouns = nouns.map(|nouns| nouns.into_iter().collect());
    }

    /// Whether a word is mostly lower case, so that a capital at the start of a sentence is not part of it.
    pub(crate) fn is_mostly_lowercase(&self, word: &str) -> bool {
        self.cases.get(&word.to_lowercase()).is_some_and(|[small, capital]| small > capital)
    }

    /// Whether a word is capitalized in all or nearly all occurrences.
    pub(crate) fn is_mostly_capitalized(&self, word: &str) -> bool {
        self.cases.get(&word.to_lowercase()).is_some_and(|[small, capital]| *capital > 0 && *capital >= small * 8)
    }

    /// Whether a name occurs in so many facts that a sentence about it may be true elsewhere.
    pub(crate) fn is_widespread(&self, name: &str) -> bool {
        let named = |fact: &&Fact| fact.words.contains(name) || fact.around.contains(name);
        self.facts.iter().filter(named).count() * 20 > self.facts.len().max(200)
    }

    /// Whether two names may refer to the same thing.
    pub(crate) fn may_be_same_entity(&self, a: &str, b: &str) -> bool {
        let parts = |name: &str| name.to_lowercase().split([' ', '-']).map(str::to_owned).collect::<HashSet<_>>();
        let (a, b) = (parts(a), parts(b));
        if !a.is_disjoint(&b) {
            return true;
        }
        let of = |names: &Vec<String>| {
            let touched = |of: &HashSet<String>| names.iter().any(|name| !parts(name).is_disjoint(of));
            touched(&a) && touched(&b)
        };
        self.aliases.iter().any(of)
    }
}

impl Fact {
    fn from_statement(note: &Note, statement: &Statement, form: FactForm) -> Self {
        let aliases = note.aliases().iter().map(|alias| alias.text.as_str());
        let headings = statement.headings.iter().map(String::as_str);
        let around: Vec<&str> =
            std::iter::once(note.title()).chain(aliases).chain(headings).chain(statement.parent.as_deref()).collect();
        Self {
            id: statement.id.to_string(),
            note: note.path().to_string(),
            span: statement.span.range(),
            form,
            words: statement.words.clone(),
            around: around.join(" · "),
            followed: false,
        }
    }

    pub(crate) fn sentence(&self) -> Option<&EditableSentence> {
        match &self.form {
            FactForm::Sentence(parsed) => Some(parsed),
            _ => None,
        }
    }

    /// Whether any of these words occurs in the statement or its context, up to an ending.
    pub(crate) fn mentions_any(&self, words: &str) -> bool {
        let said: HashSet<String> = word_stems(&self.words).chain(word_stems(&self.around)).collect();
        word_stems(words).any(|word| said.contains(&word))
    }

    /// Returns the share of a text's content words that occur in the statement or its context.
    pub(crate) fn covered_share(&self, text: &str) -> f64 {
        let said: HashSet<String> = word_stems(&self.words).chain(word_stems(&self.around)).collect();
        let wanted: Vec<String> = word_stems(text).filter(|word| word.len() > 3).collect();
        crate::ratio(wanted.iter().filter(|word| said.contains(*word)).count(), wanted.len())
    }
}

/// Returns lower-case words without plural or verb endings; crude, and biased towards equality.
fn word_stems(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| {
        let lower = word.to_lowercase();
        let cut =
            ["ing", "ed", "es", "s", "e"].iter().find_map(|end| lower.strip_suffix(end).filter(|stem| stem.len() > 3));
        cut.map_or_else(|| lower.clone(), str::to_owned)
    })
}

/// Finds runs of tokens inside a sentence that are names.
pub(crate) fn name_runs(parsed: &EditableSentence) -> Vec<Range<usize>> {
    let named = |at: usize| {
        let word = parsed.word(at);
        let form = word.len() > 2 && word.chars().all(char::is_alphabetic) && word.chars().any(char::is_uppercase);
        form && parsed.words[at].upos == Upos::Propn && !super::date_forms::is_calendar_name(word)
    };
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in (1..parsed.words.len()).filter(|at| named(*at)) {
        match runs.last_mut() {
            Some(run) if run.end == at => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    // A run that continues the first word is not certainly a name.
    let glued = |run: &Range<usize>| {
        let beside = |at: Option<usize>| {
            at.is_some_and(|at| parsed.word(at) == "-" || parsed.words.get(at).is_some_and(|w| w.upos == Upos::Propn))
        };
        beside(run.start.checked_sub(1)) || beside(Some(run.end))
    };
    runs.retain(|run| !glued(run));
    runs
}
