//! Times that a sentence speaks of without saying when it holds: the years of works, and days that something is moved to.

use super::TimeRule;
use super::read::{TimePreposition, TimeParser};
use super::tense::TenseBias;
use super::tokens::contains_word;

/// How far before a time the verb of moving stands, in words: "we pushed the launch of the new site from March to May".
const VERB_REACH: usize = 8;

/// Verbs that give something another day.
const RESCHEDULING_VERBS: &str = "move moves moved moving shift shifts shifted push pushed postpone postponed delay delayed defer deferred reschedule \
    rescheduled forward";

/// Those that may stand before `until`: what is moved until a day does not end then.
const POSTPONING_VERBS: &str = "push pushed postpone postponed delay delayed defer deferred reschedule rescheduled";

/// Verbs of which a name with a year behind it is the place or the person, and no work.
const EVENT_VERBS: &str = "joined left founded visited married met moved bought started";

impl TimeParser<'_> {
    /// Whether the time in tokens `at..end` is told of only.
    pub(super) fn is_mentioned(&self, at: usize, end: usize, lead: &TimePreposition, rule: TimeRule) -> bool {
        self.is_rescheduled(lead) || rule == TimeRule::Year && self.is_publication_year(at, end)
    }

    /// Whether what leads to a time is that of a verb of moving: `moved [from 1 April] to 15 April`, `postponed until May`.
    pub(super) fn is_rescheduled(&self, lead: &TimePreposition) -> bool {
        let to = lead.word.is_empty() && self.tokens.word_before(lead.at, 1) == "to" && self.tokens.is_space_separated(lead.at);
        let verbs = match lead.word {
            "from" => RESCHEDULING_VERBS,
            "until" => POSTPONING_VERBS,
            _ if to => RESCHEDULING_VERBS,
            _ => return false,
        };
        let before = (1..=VERB_REACH).map_while(|by| lead.at.checked_sub(by).filter(|at| !self.tokens.is_sentence_start(at + 1)));
        before.into_iter().any(|at| contains_word(verbs, self.tokens.word(at)))
    }

    /// Whether a year is that of a work or a source: alone in brackets behind a name or a title.
    fn is_publication_year(&self, at: usize, end: usize) -> bool {
        let Some(before) = self.tokens.gap_before(at).strip_suffix('(').filter(|_| self.tokens.gap_before(end).starts_with(')'))
        else {
            return false;
        };
        let is_quoted = before.trim_end().ends_with(['"', '”', '’', '»', '\'']);
        let named = at.checked_sub(1).filter(|name| self.tokens.is_capitalized(*name) && self.token_tense(*name).is_none());
        is_quoted || named.is_some_and(|name| !self.is_destination(name, end))
    }

    /// Whether the name that ends with token `name` is where somebody went, and nothing follows token `end - 1`: `moved to New
    /// York (2019).`
    fn is_destination(&self, name: usize, end: usize) -> bool {
        let ends = end >= self.tokens.len() || self.tokens.is_sentence_start(end) || self.tokens.gap_before(end).contains(',');
        let first = (0..=name).rev().take_while(|at| self.tokens.is_capitalized(*at)).last().unwrap_or(name);
        let led = matches!(self.tokens.word_before(first, 1), "to" | "at" | "from") && self.find_tense(first) == Some(TenseBias::Past);
        ends && (led || contains_word(EVENT_VERBS, self.tokens.word_before(first, 1)))
    }
}
