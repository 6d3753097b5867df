//! The verb group of a clause: "has not been able to", "is expected to spend", "set up".

use memora_nlp::{Label, Upos, Xpos};

use super::tree_query::{TreeQuery, is_auxiliary_label};

impl TreeQuery<'_> {
    /// Returns auxiliaries, copula and negation of the clause of `v`, with the adverbs between them and the verb.
    pub(crate) fn auxiliaries(self, v: usize) -> Vec<usize> {
        let tree = self.tree;
        let copula = self.first_child(v, Label::Cop);
        let helps = |label| is_auxiliary_label(label) || label == Label::Cop;
        let mut words: Vec<usize> =
            self.children(v).filter(|k| helps(tree.label(*k)) && (*k < v || copula.is_some())).collect();
        let own = !words.is_empty();
        let first = words.first().copied();
        for adverb in self.children(v).filter(|k| tree.label(*k) == Label::Advmod && *k < v) {
            let inside = if self.is_negation(adverb) {
                copula.is_none_or(|copula| adverb <= copula + 2)
            } else {
                match first {
                    Some(first) => first < adverb && adverb < copula.unwrap_or(v),
                    None => self.is_preverbal_adverb(adverb, v, copula),
                }
            };
            if inside {
                words.extend(self.subtree(adverb));
            }
        }
        words.sort_unstable();
        if own || tree.label(v) != Label::Conj {
            return words;
        }
        let mut shared = self.shared_auxiliaries(v);
        shared.extend(words);
        shared
    }

    /// Whether an adverb is right in front of a verb without auxiliaries: "they *quickly* left".
    fn is_preverbal_adverb(self, adverb: usize, v: usize, copula: Option<usize>) -> bool {
        let tree = self.tree;
        adverb + 1 == v && copula.is_none() && tree.upos(adverb) == Upos::Adv && tree.xpos(adverb) != Xpos::Wrb
    }

    /// Returns the auxiliaries shared by a coordinated verb of the same form: "*was* built and sold".
    fn shared_auxiliaries(self, v: usize) -> Vec<usize> {
        let tree = self.tree;
        let Some(first) = tree.head(v) else { return Vec::new() };
        let same = tree.xpos(first) == tree.xpos(v) && matches!(tree.xpos(v), Xpos::Vbn | Xpos::Vbg | Xpos::Vb);
        if !same || self.has_subject(v) {
            return Vec::new();
        }
        // "does not gather or store": both are denied.
        let but = self.first_child(v, Label::Cc).is_some_and(|cc| tree.lower(cc) == "but");
        let belongs = |k: &usize| is_auxiliary_label(tree.label(*k)) || !but && self.is_negation(*k);
        self.children(first).filter(|k| *k < first && belongs(k)).collect()
    }

    /// Returns the particles of a verb: "set *up*".
    pub(crate) fn particles(self, v: usize) -> impl Iterator<Item = usize> {
        self.children(v).filter(move |k| self.tree.label(*k) == Label::CompoundPrt)
    }

    /// Whether `verb` absorbs its open complement: "began to rebuild", but not "asked Anna to rebuild".
    pub(crate) fn absorbs_complement(self, verb: usize, complement: usize) -> bool {
        let tree = self.tree;
        let verbs = tree.upos(complement) == Upos::Verb && tree.upos(verb) == Upos::Verb;
        let is_object = |k: usize| matches!(tree.label(k), Label::Obj | Label::Iobj) && k < complement;
        verbs && !self.children(verb).any(is_object)
    }

    /// Returns the chain of verbs that `v` opens, without `v`: "wants *to begin to learn*".
    pub(crate) fn opened_verbs(self, v: usize) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut at = v;
        // Each step goes to the right, so this ends.
        while let Some(next) = self
            .children(at)
            .find(|k| self.tree.label(*k) == Label::Xcomp && *k > at && self.absorbs_complement(at, *k))
        {
            chain.push(next);
            at = next;
        }
        chain
    }

    /// Returns the words in front of an opened verb that belong to it: "to", "not to", "be".
    pub(crate) fn opening_words(self, opened: usize) -> Vec<usize> {
        let tree = self.tree;
        let belongs = |k: &usize| match tree.label(*k) {
            Label::Mark | Label::Aux | Label::AuxPass | Label::Cop => true,
            Label::Advmod => self.is_negation(*k),
            _ => false,
        };
        self.children(opened).filter(|k| *k < opened).filter(belongs).collect()
    }
}
