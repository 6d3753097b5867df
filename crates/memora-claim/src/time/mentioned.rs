//! Times that a sentence speaks of without saying when it holds: the years of works, and days that something is moved to.

use super::Rule;
use super::read::{Lead, Reader};
use super::tense::Lean;
use super::tokens::listed;

/// How far before a time the verb of moving stands, in words: "we pushed the launch of the new site from March to May".
const VERB_REACH: usize = 8;

/// Verbs that give something another day.
const MOVES: &str = "move moves moved moving shift shifts shifted push pushed postpone postponed delay delayed defer deferred reschedule \
    rescheduled forward";

/// Those that may stand before `until`: what is moved until a day does not end then.
const PUTS_OFF: &str = "push pushed postpone postponed delay delayed defer deferred reschedule rescheduled";

/// Verbs of which a name with a year behind it is the place or the person, and no work.
const GOES: &str = "joined left founded visited married met moved bought started";

impl Reader<'_> {
    /// Whether the time in tokens `at..end` is told of only.
    pub(super) fn is_mentioned(&self, at: usize, end: usize, lead: &Lead, rule: Rule) -> bool {
        self.is_moved(lead) || rule == Rule::Year && self.is_of_work(at, end)
    }

    /// Whether what leads to a time is that of a verb of moving: `moved [from 1 April] to 15 April`, `postponed until May`.
    pub(super) fn is_moved(&self, lead: &Lead) -> bool {
        let to = lead.word.is_empty() && self.tokens.back(lead.at, 1) == "to" && self.tokens.joined(lead.at);
        let verbs = match lead.word {
            "from" => MOVES,
            "until" => PUTS_OFF,
            _ if to => MOVES,
            _ => return false,
        };
        let before = (1..=VERB_REACH).map_while(|by| lead.at.checked_sub(by).filter(|at| !self.tokens.breaks(at + 1)));
        before.into_iter().any(|at| listed(verbs, self.tokens.word(at)))
    }

    /// Whether a year is that of a work or a source: alone in brackets behind a name or a title.
    fn is_of_work(&self, at: usize, end: usize) -> bool {
        let Some(before) = self.tokens.gap(at).strip_suffix('(').filter(|_| self.tokens.gap(end).starts_with(')'))
        else {
            return false;
        };
        let is_quoted = before.trim_end().ends_with(['"', '”', '’', '»', '\'']);
        let named = at.checked_sub(1).filter(|name| self.tokens.capital(*name) && self.lean_of(*name).is_none());
        is_quoted || named.is_some_and(|name| !self.is_gone_to(name, end))
    }

    /// Whether the name that ends with token `name` is where somebody went, and nothing follows token `end - 1`: `moved to New
    /// York (2019).`
    fn is_gone_to(&self, name: usize, end: usize) -> bool {
        let ends = end >= self.tokens.len() || self.tokens.breaks(end) || self.tokens.gap(end).contains(',');
        let first = (0..=name).rev().take_while(|at| self.tokens.capital(*at)).last().unwrap_or(name);
        let led = matches!(self.tokens.back(first, 1), "to" | "at" | "from") && self.tense(first) == Some(Lean::Past);
        ends && (led || listed(GOES, self.tokens.back(first, 1)))
    }
}
