//! A part of a text with its tree: the first parse, or a corrected one.
//!
//! A parser trained on newspapers is weakest on short lines without a full stop: it tags "leaks" as a noun and takes
//! "Costs" for a subject. Two repair passes fix most of that, each confirmed by its parse: a line without a finite verb
//! gets one if a word can be it *and* then has a subject; a line that begins with a verb is parsed behind "It".

use std::ops::Range;

use memora_nlp::{DependencyParser, DependencyTree, Label, TOKENS_MAX, Upos, Xpos};

use super::annotated_text::AnnotatedText;
use super::confidence::{add_front_qualifier, rate_readings};
use super::fragment::{read_amount, read_fragment, read_state};
use super::parsed_sentence::ParsedSentence;
use super::reading::{ReadingContext, StatementReading};
use crate::clause::find_clauses;
use crate::clause::noun_relations::find_apposition;
use crate::clause::tree_query::{PhraseExtent, TreeQuery, is_subject_label};
use crate::lists::{
    ENABLING_FORMS, LINE_PREPOSITIONS, MISTAGGED_NOUNS, NOUN_FOLLOWERS, NOUN_PREPOSITIONS, OBJECT_DETERMINERS,
    OBJECT_PRONOUNS, USED_TO_AUXILIARIES, VERB_ADVERBS,
};

/// The maximum number of words of a line that are tried as its verb.
const TRIES_MAX: usize = 3;

/// Returns the tags of a sentence's words that are known before parsing.
fn known_tags(forms: &[&str]) -> Vec<(usize, Upos, Xpos)> {
    let before = |i: usize, back: usize| i.checked_sub(back).and_then(|at| forms.get(at)).copied().unwrap_or_default();
    let known = |(i, form): (usize, &&str)| {
        let is_noun = MISTAGGED_NOUNS.iter().any(|noun| noun.eq_ignore_ascii_case(form));
        // "Anna used to work there": a past habit, not the verb "use".
        let once = *form == "used" && forms.get(i + 1) == Some(&"to") && i > 0 && !is_helping_verb(before(i, 1));
        // "I no longer work at Acme"
        let ended = before(i, 2) == "no"
            && before(i, 1) == "longer"
            && i > 2
            && !is_helping_verb(before(i, 3))
            && !["s", "ed", "ing"].iter().any(|ending| form.ends_with(ending))
            && DependencyParser::embedded().may_be_verb(form);
        match () {
            () if is_noun => Some((i, Upos::Noun, Xpos::Nn)),
            () if once => Some((i, Upos::Verb, Xpos::Vbd)),
            () if ended => Some((i, Upos::Verb, Xpos::Vbp)),
            () => None,
        }
    };
    forms.iter().enumerate().filter_map(known).collect()
}

/// Whether a word makes "used to" a state: "is used to", "been used to", "get used to".
fn is_helping_verb(word: &str) -> bool {
    USED_TO_AUXILIARIES.iter().any(|one| one.eq_ignore_ascii_case(word)) || word.ends_with("n't")
}

/// A part of a text with its tree.
pub(super) struct ParsedSpan<'a> {
    ranges: Vec<Range<usize>>,
    /// Whether each token is a link or code, and so not a verb.
    solid: Vec<bool>,
    pub(super) tree: DependencyTree<'a>,
}

impl<'a> ParsedSpan<'a> {
    /// Parses a part of a text; `None` if it is empty or too long.
    pub(super) fn parse(text: AnnotatedText<'a>, part: &Range<usize>) -> Option<Self> {
        // No sentence is longer; tokenizing it would not be worth the time.
        if part.len() > TOKENS_MAX * 16 {
            return None;
        }
        let cut = text.tokenize_span(part);
        if cut.ranges.is_empty() || cut.ranges.len() > TOKENS_MAX {
            return None;
        }
        let reader = DependencyParser::embedded();
        let inside = |range: &Range<usize>| text.marked.iter().any(|m| m.start <= range.start && range.end <= m.end);
        let solid = cut.ranges.iter().map(inside).collect();
        let given = known_tags(&cut.forms);
        let mut parsed = Self { ranges: cut.ranges, solid, tree: reader.parse_with_tags(&cut.forms, &given) };
        let mut known = None;
        if let Some((better, verb)) = parsed.retry_with_verb(&cut.forms) {
            parsed.tree = better;
            known = Some(verb);
        }
        if parsed.may_lack_subject() {
            return Some(parsed.retry_with_subject(&cut.forms, known).unwrap_or(parsed));
        }
        Some(parsed)
    }

    pub(super) fn as_sentence<'p>(&'p self, text: AnnotatedText<'p>) -> ParsedSentence<'p> {
        ParsedSentence { text: text.text, tokens: &self.ranges, tree: &self.tree, times: text.times }
    }

    /// Returns the readings of the clauses of the tree; if there are none, those of the verbless line.
    pub(super) fn read_line(&self, text: AnnotatedText<'_>, place: ReadingContext<'_>) -> Vec<StatementReading> {
        let words = self.as_sentence(text);
        let mut found: Vec<StatementReading> = read_amount(words).or_else(|| read_state(words)).into_iter().collect();
        if found.is_empty() {
            found.extend(find_clauses(&self.tree).iter().flat_map(|clause| words.read_clause(clause, place)));
            let appositions = (0..self.tree.len()).filter_map(|i| find_apposition(words.grammar(), i));
            found.extend(appositions.filter_map(|nominal| words.read_apposition(&nominal)));
        }
        if found.is_empty() {
            found = read_fragment(words, place);
        }
        rate_readings(words, &mut found);
        add_front_qualifier(words, &mut found);
        found
    }

    pub(super) fn root(&self) -> Option<usize> {
        (0..self.tree.len()).find(|i| self.tree.label(*i) == Label::Root)
    }

    /// Whether the sentence's main verb has a subject in the text.
    pub(super) fn has_own_subject(&self) -> bool {
        let named = |k: &usize| {
            (is_subject_label(self.tree.label(*k)) || self.tree.label(*k) == Label::Expl)
                && self.ranges.get(*k).is_some_and(|range| !range.is_empty())
        };
        self.root().is_some_and(|root| self.tree.children(root).iter().any(named))
    }

    /// Whether the root is a verb or has a copula.
    pub(super) fn is_verbal(&self) -> bool {
        self.root().is_some_and(|root| {
            matches!(self.tree.upos(root), Upos::Verb | Upos::Aux)
                || self.tree.children(root).iter().any(|k| self.tree.label(*k) == Label::Cop)
        })
    }

    fn is_finite(&self, i: usize) -> bool {
        matches!(self.tree.xpos(i), Xpos::Vbz | Xpos::Vbd | Xpos::Vbp | Xpos::Md)
    }

    /// Returns the tree in which a mistagged word is the verb.
    fn retry_with_verb(&self, forms: &[&'a str]) -> Option<(DependencyTree<'a>, (usize, Xpos))> {
        let tree = &self.tree;
        let verbless = !(0..tree.len()).any(|i| self.is_finite(i));
        let candidates = (1..tree.len()).filter_map(|i| Some((i, self.possible_verb_tag(i, verbless)?)));
        for (i, tag) in candidates.take(TRIES_MAX) {
            let known: Vec<(usize, Upos, Xpos)> = known_tags(forms).into_iter().chain([(i, Upos::Verb, tag)]).collect();
            let other = DependencyParser::embedded().parse_with_tags(forms, &known);
            let grammar = TreeQuery::new(&other);
            let subject = grammar.resolve_subject(i);
            let name = subject.is_some_and(|s| {
                s < i
                    && (matches!(other.upos(s), Upos::Noun | Upos::Propn | Upos::Pron)
                        || other.word(s).starts_with(char::is_uppercase))
            });
            let heads = other.label(i) == Label::Root || other.label(i) == Label::Conj && grammar.is_main_clause(i);
            // A verb that was mistagged at first has a short subject: "releases" in "for the latest releases" has none.
            let short = subject.is_some_and(|s| {
                let words = grammar.noun_phrase(s, PhraseExtent::Whole);
                words.len() <= 6
                    && !words
                        .iter()
                        .any(|w| other.upos(*w) == Upos::Adp && !LINE_PREPOSITIONS.contains(other.lower(*w)))
            });
            if heads && (name && short || tag == Xpos::Vb) {
                return Some((other, (i, tag)));
            }
        }
        None
    }

    /// Returns the form of a verb that a word with another tag could be at its position.
    fn possible_verb_tag(&self, i: usize, verbless: bool) -> Option<Xpos> {
        let tree = &self.tree;
        let lower = tree.lower(i);
        if tree.word(i) != lower || self.solid.get(i).copied().unwrap_or(false) {
            return None;
        }
        // "can deadlift 90 kg"
        if i == 1 && tree.xpos(0) == Xpos::Md && tree.upos(1) == Upos::Noun {
            return Some(Xpos::Vb);
        }
        // "Anna and Ben like Go"
        if verbless
            && lower == "like"
            && tree.upos(i) == Upos::Adp
            && matches!(tree.upos(i - 1), Upos::Propn | Upos::Pron | Upos::Noun)
            && !(i + 1..tree.len()).any(|k| tree.upos(k) == Upos::Verb && tree.upos(k - 1) != Upos::Cconj)
        {
            return Some(Xpos::Vbp);
        }
        let reader = DependencyParser::embedded();
        if matches!(tree.xpos(i), Xpos::Nns | Xpos::Nnps) && lower.ends_with('s') && reader.may_be_verb(lower) {
            let fits = if verbless { self.may_head_clause(i) } else { self.may_continue_as_verb(i) };
            return fits.then_some(Xpos::Vbz);
        }
        // "Sören lent me", "Bun replaced Node"
        let past = crate::lemma::is_irregular_form(lower) || lower.ends_with("ed") && reader.may_be_verb(lower);
        let taken = matches!(tree.upos(i), Upos::Noun | Upos::Adj) || tree.label(i) == Label::Amod;
        let before = i.checked_sub(1).is_some_and(|b| {
            matches!(tree.upos(b), Upos::Noun | Upos::Propn | Upos::Pron)
                || tree.upos(b) == Upos::Adj && b == 0 && tree.word(b) != tree.lower(b)
        });
        let behind = matches!(tree.upos(i + 1), Upos::Det | Upos::Pron | Upos::Propn | Upos::Num);
        (verbless && past && taken && before && behind).then_some(Xpos::Vbd)
    }

    /// Whether a plural noun of a verbless line may be its verb: the next word is one that rarely follows nouns.
    fn may_head_clause(&self, i: usize) -> bool {
        let tree = &self.tree;
        let next = tree.lower(i + 1);
        let last = i + 1 >= tree.len() || tree.upos(i + 1) == Upos::Punct;
        let sentence = tree.word(tree.len() - 1) == ".";
        // "version 3 drops support": a number that is part of a name.
        let number = i > 1 && tree.upos(i - 1) == Upos::Num && matches!(tree.upos(i - 2), Upos::Noun | Upos::Propn);
        let adverb = i > 2 && VERB_ADVERBS.contains(tree.lower(i - 1));
        let before = matches!(tree.upos(i - 1), Upos::Noun | Upos::Propn | Upos::Pron) || number || adverb;
        let nominal = if sentence { NOUN_FOLLOWERS.contains(next) } else { NOUN_PREPOSITIONS.contains(next) };
        before && !last && !nominal
    }

    /// Whether a plural noun behind "and" may be another verb: "and reviews most of them".
    fn may_continue_as_verb(&self, i: usize) -> bool {
        let tree = &self.tree;
        let joined = tree.upos(i - 1) == Upos::Cconj
            || tree.upos(i - 1) == Upos::Adv && i > 1 && tree.upos(i - 2) == Upos::Cconj;
        if OBJECT_DETERMINERS.contains(tree.lower(i + 1)) {
            // A plural is hardly ever followed by an article.
            return true;
        }
        if tree.xpos(i + 1) == Xpos::Prp && ENABLING_FORMS.contains(tree.lower(i)) {
            return true;
        }
        if joined && matches!(tree.xpos(i + 1), Xpos::Nns | Xpos::Nnp | Xpos::Nnps) {
            return true;
        }
        let follows = matches!(tree.upos(i + 1), Upos::Det | Upos::Pron | Upos::Num | Upos::Adv)
            || OBJECT_PRONOUNS.contains(tree.lower(i + 1));
        joined && follows
    }

    /// Whether the first word could be a verb without its subject.
    fn may_lack_subject(&self) -> bool {
        let tree = &self.tree;
        let lower = tree.lower(0);
        let ends = lower.ends_with('s') && !lower.ends_with("ss") || lower.ends_with("ed");
        let irregular = crate::lemma::is_irregular_form(lower) || tree.xpos(0) == Xpos::Md;
        let own = self.is_verbal()
            && self.root().is_some_and(|root| tree.children(root).iter().any(|k| is_subject_label(tree.label(*k))));
        // "lights included", "blinds stuck": a plural and its state, not a verb.
        let state = tree.xpos(0) == Xpos::Nns
            && (tree.upos(1) == Upos::Adv && tree.xpos(2) == Xpos::Vbn
                || matches!(tree.upos(1), Upos::Adj | Upos::Verb) && tree.word(1) == tree.lower(1)
                || matches!(tree.lower(1), "too" | "still" | "not" | "also"));
        let verb = irregular || ends && !state && DependencyParser::embedded().may_be_verb(lower);
        lower.is_ascii() && verb && tree.len() > 1 && !own
    }

    /// Parses the same words behind "It", which notes omit; only if that makes the first word a finite verb.
    fn retry_with_subject(&self, forms: &[&'a str], known: Option<(usize, Xpos)>) -> Option<Self> {
        let mut longer: Vec<&'a str> = vec!["It"];
        longer.extend(forms);
        let given: Vec<(usize, Upos, Xpos)> =
            known_tags(&longer).into_iter().chain(known.iter().map(|(i, tag)| (i + 1, Upos::Verb, *tag))).collect();
        let tree = DependencyParser::embedded().parse_with_tags(&longer, &given);
        let finite = matches!(tree.xpos(1), Xpos::Vbz | Xpos::Vbd | Xpos::Md);
        let root = tree.head(0)?;
        let main = is_subject_label(tree.label(0));
        if !finite || !main || root > 4 || tree.label(root) != Label::Root {
            return None;
        }
        // The inserted word has no range in the text.
        let ranges = std::iter::once(0..0).chain(self.ranges.iter().cloned()).collect();
        Some(Self { ranges, solid: Vec::new(), tree })
    }
}
