//! Times that do not say when a sentence holds: years of publications, and days of a rescheduling.

use super::mention::TimeRule;
use super::preposition::TimePreposition;
use super::sentence::TenseBias;
use super::sentence::TimeParser;
use crate::lists::{EVENT_VERBS, POSTPONING_VERBS, RESCHEDULING_VERBS};
use memora_nlp::lexicon::StaticWordSet;

/// Maximum distance of the verb before a time, in words: "we pushed the launch of the new site from March to May".
const VERB_REACH: usize = 8;

impl TimeParser<'_> {
    /// Whether the time in tokens `at..end` is only mentioned.
    pub(super) fn is_mentioned(&self, at: usize, end: usize, lead: &TimePreposition, rule: TimeRule) -> bool {
        self.is_rescheduled(lead) || rule == TimeRule::Year && self.is_publication_year(at, end)
    }

    /// Whether the preposition belongs to a verb of moving: `moved [from 1 April] to 15 April`, `postponed until May`.
    pub(super) fn is_rescheduled(&self, lead: &TimePreposition) -> bool {
        let to = lead.word.is_empty()
            && self.tokens.word_before(lead.at, 1) == "to"
            && self.tokens.is_space_separated(lead.at);
        let verbs: &StaticWordSet = match lead.word {
            "from" => &RESCHEDULING_VERBS,
            "until" => &POSTPONING_VERBS,
            _ if to => &RESCHEDULING_VERBS,
            _ => return false,
        };
        let before = (1..=VERB_REACH)
            .map_while(|by| lead.at.checked_sub(by).filter(|at| !self.tokens.is_sentence_start(at + 1)));
        before.into_iter().any(|at| verbs.contains(self.tokens.word(at)))
    }

    /// Whether a year belongs to a publication or a source: alone in brackets after a name or a title.
    fn is_publication_year(&self, at: usize, end: usize) -> bool {
        let Some(before) =
            self.tokens.gap_before(at).strip_suffix('(').filter(|_| self.tokens.gap_before(end).starts_with(')'))
        else {
            return false;
        };
        let is_quoted = before.trim_end().ends_with(['"', '”', '’', '»', '\'']);
        let named =
            at.checked_sub(1).filter(|name| self.tokens.is_capitalized(*name) && self.token_tense(*name).is_none());
        is_quoted || named.is_some_and(|name| !self.is_destination(name, end))
    }

    /// Whether the name that ends with token `name` is a destination that ends its clause before `end`: `moved to New
    /// York (2019).`
    fn is_destination(&self, name: usize, end: usize) -> bool {
        let ends =
            end >= self.tokens.len() || self.tokens.is_sentence_start(end) || self.tokens.gap_before(end).contains(',');
        let first = (0..=name).rev().take_while(|at| self.tokens.is_capitalized(*at)).last().unwrap_or(name);
        let led = matches!(self.tokens.word_before(first, 1), "to" | "at" | "from")
            && self.find_tense(first) == Some(TenseBias::Past);
        ends && (led || EVENT_VERBS.contains(self.tokens.word_before(first, 1)))
    }
}
