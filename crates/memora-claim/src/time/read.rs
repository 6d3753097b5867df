//! Walks over a text: what leads to a time, the time, and the time it may reach to.

use std::cell::OnceCell;
use std::ops::Range;

use memora_vault::PartialDate;

use super::absolute::months_of;
use super::tense::Lean;
use super::tokens::{Tokens, season, weekday, year};
use super::when::When;
use super::{Role, Rule, Time};

/// The time expressions in an English sentence, in order, without overlap.
///
/// A range gives two: `from 2019 to 2022` is `since 2019` and `until 2022`. Ranges are bytes of `text`.
#[must_use]
pub fn times(text: &str) -> Vec<Time> {
    let reader = Reader { tokens: Tokens::of(text), verbs: OnceCell::new() };
    let mut found = Vec::new();
    let mut at = 0;
    while at < reader.tokens.len() {
        at += reader.expression(at, &mut found).max(1);
    }
    lend_years(text, &mut found);
    found
}

/// No sentence worth reading is longer, in bytes.
const SENTENCE: usize = 500;

/// `They met in June 1944 and married on 2 August`: a past day or month without a year takes the year that its sentence
/// names, if it names only one.
fn lend_years(text: &str, found: &mut [Time]) {
    let year = |time: &Time| {
        let (first, last) = time.when.resolve(None)?;
        (first.year() == last.year()).then_some((time.words.clone(), first.year()))
    };
    let told = found.iter().filter(|time| time.role != Role::Mentioned);
    let named: Vec<(Range<usize>, i16)> = told.filter_map(year).collect();
    // Any leap year has every day; what takes none is passed over.
    for time in found.iter_mut().filter(|time| time.when.in_year(2000).is_some()) {
        let same_sentence = |other: &Range<usize>| {
            let between = time.words.end.min(other.end)..time.words.start.max(other.start);
            between.len() < SENTENCE
                && text.get(between).is_some_and(|gap| !gap.contains(['!', '?', ';', '\n']) && !gap.contains(". "))
        };
        // The named ones are in order; only those near by are looked at.
        let near = named.partition_point(|(at, _)| at.end + SENTENCE < time.words.start);
        let near = named.iter().skip(near).take_while(|(at, _)| at.start < time.words.end + SENTENCE);
        let mut years: Vec<i16> = near.filter(|(at, _)| same_sentence(at)).map(|(_, year)| *year).collect();
        years.dedup();
        if let [year] = years.as_slice()
            && let Some(when) = time.when.in_year(*year)
        {
            time.when = when;
        }
    }
}

/// A reader of one text.
pub(super) struct Reader<'t> {
    pub(super) tokens: Tokens<'t>,
    /// What each token says of past and future; read when a time first asks.
    pub(super) verbs: OnceCell<Vec<Option<Lean>>>,
}

/// What a rule made of the tokens at some place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) when: When,
    pub(super) rule: Rule,
    /// How many tokens it took.
    pub(super) used: usize,
}

/// The words that lead to a time and give it its role.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lead {
    pub(super) role: Role,
    /// The deciding word; empty if nothing leads to the time.
    pub(super) word: &'static str,
    /// The first token.
    pub(super) at: usize,
}

/// Words that give a role, the longer before the shorter.
const LEADS: [(&[&str], &str, Role); 41] = [
    (&["starting", "in"], "from", Role::Since),
    (&["starting", "on"], "from", Role::Since),
    (&["starting", "from"], "from", Role::Since),
    (&["starting"], "from", Role::Since),
    (&["beginning", "in"], "from", Role::Since),
    (&["beginning", "on"], "from", Role::Since),
    (&["effective", "from"], "from", Role::Since),
    (&["effective"], "from", Role::Since),
    (&["as", "of"], "from", Role::Since),
    (&["as", "from"], "from", Role::Since),
    (&["ever", "since"], "since", Role::Since),
    (&["since"], "since", Role::Since),
    (&["from"], "from", Role::Since),
    (&["up", "until"], "until", Role::Until),
    (&["until"], "until", Role::Until),
    (&["till"], "until", Role::Until),
    (&["til"], "until", Role::Until),
    (&["through"], "until", Role::Until),
    (&["up", "to"], "to", Role::Until),
    (&["no", "later", "than"], "by", Role::Due),
    (&["due", "on"], "by", Role::Due),
    (&["due", "by"], "by", Role::Due),
    (&["due", "in"], "in", Role::Due),
    (&["due"], "due", Role::Due),
    (&["deadline"], "due", Role::Due),
    (&["by"], "by", Role::Due),
    (&["prior", "to"], "before", Role::Before),
    (&["before"], "before", Role::Before),
    (&["after"], "after", Role::After),
    (&["back", "in"], "in", Role::At),
    (&["in"], "in", Role::At),
    (&["on"], "on", Role::At),
    (&["at"], "at", Role::At),
    (&["during"], "during", Role::At),
    (&["over"], "over", Role::At),
    (&["throughout"], "during", Role::At),
    (&["circa"], "during", Role::At),
    (&["of"], "of", Role::At),
    (&["year"], "during", Role::At),
    (&["between"], "between", Role::Since),
    (&["within"], "over", Role::At),
];

impl Reader<'_> {
    /// Adds what stands at token `at`, and tells how many tokens it took; 0 for nothing.
    fn expression(&self, at: usize, found: &mut Vec<Time>) -> usize {
        if self.tokens.word(at) == "for"
            && let Some((when, skipped, used)) = self.lasting(at)
        {
            let role = Role::Since;
            found.extend(self.time(at, at + skipped, at + skipped + used, when, role, Rule::Lasting));
            return skipped + used;
        }
        if let Some((lead, used)) = self.lead(at) {
            let start = at + used;
            for start in [start, start + self.fillers(start)] {
                let taken = self.led(start, &lead, found);
                if taken > 0 {
                    return start - at + taken;
                }
            }
            // `between` is a lead of two times only, and `year` may be what is led to.
            return 0;
        }
        self.led(at, &Lead::none(at), found)
    }

    /// A time, or two, at token `at` behind `lead`.
    fn led(&self, at: usize, lead: &Lead, found: &mut Vec<Time>) -> usize {
        let plain = self.plain(at, lead);
        if let Some((first, last)) = self.range(at, plain, lead) {
            let middle = at + first.used;
            let end = middle + last.used;
            let linked = self.before_end(middle, lead).unwrap_or(0);
            if self.tokens.alone(at, end) && self.is_moved(lead) {
                found.extend(self.time(lead.at, at, middle, first.when.nearest(), Role::Mentioned, first.rule));
                found.extend(self.time(middle, middle + linked, end, last.when.nearest(), Role::Mentioned, last.rule));
                return first.used + last.used;
            }
            if self.tokens.alone(at, end) {
                found.extend(self.time(lead.at, at, middle, first.when, Role::Since, first.rule));
                found.extend(self.time(middle, middle + linked, end, last.when, Role::Until, last.rule));
                return first.used + last.used;
            }
        }
        if lead.word == "between" {
            return 0;
        }
        let Some(plain) = plain else { return 0 };
        let end = at + plain.used;
        let every = matches!(self.tokens.back(at, 1), "every" | "each" | "most" | "any");
        if every || !self.tokens.alone(at, end) {
            return 0;
        }
        // `from March on`, `from 2019 onwards` start, whatever else `from` may mean.
        let on = lead.word == "from"
            && self.tokens.joined(end)
            && matches!(self.tokens.word(end), "on" | "onward" | "onwards");
        match self.is_mentioned(at, end, lead, plain.rule) {
            true => found.extend(self.time(lead.at, at, end, plain.when.nearest(), Role::Mentioned, plain.rule)),
            false => found.extend(self.time(lead.at, at, end, plain.when, lead.role, plain.rule)),
        }
        plain.used + usize::from(on)
    }

    /// One time without its lead.
    fn plain(&self, at: usize, lead: &Lead) -> Option<Found> {
        self.iso(at)
            .or_else(|| self.numeric(at))
            .or_else(|| self.quarter(at, lead))
            .or_else(|| self.season(at))
            .or_else(|| self.decade(at))
            .or_else(|| self.part(at, lead))
            .or_else(|| self.written(at, lead))
            .or_else(|| self.relative(at, lead))
    }

    /// Two times with a link between them, of which `plain` may be the first.
    fn range(&self, at: usize, plain: Option<Found>, lead: &Lead) -> Option<(Found, Found)> {
        if let Some(both) = self.written_range(at, lead) {
            return Some(both);
        }
        let first = plain.or_else(|| self.begun(at, lead))?;
        let (last, used) = self.end_of_range(at + first.used, lead)?;
        // `from Monday to Friday` is every week; absolute times need no lead.
        let weekly = weekday(self.tokens.word(at)).is_some();
        let led = matches!(lead.word, "from" | "between");
        let absolute = !first.when.is_relative() && !last.when.is_relative();
        if absolute && first.when.resolve(None)?.0 > last.when.resolve(None)?.1 {
            return None;
        }
        ((led || absolute) && !weekly).then_some((first, Found { used, ..last }))
    }

    /// The time that a range reaches to, whose link is at token `at`, and how many tokens both take.
    fn end_of_range(&self, at: usize, lead: &Lead) -> Option<(Found, usize)> {
        let before = self.before_end(at, lead)?;
        let last = self.until(at + before)?;
        Some((last, before + last.used))
    }

    /// How many tokens stand before the time that a range reaches to: its link, and a filler such as "the".
    fn before_end(&self, at: usize, lead: &Lead) -> Option<usize> {
        let link = self.link(at, lead)?;
        let is_time = self.until(at + link).is_some();
        Some(link + if is_time { 0 } else { self.fillers(at + link) })
    }

    fn until(&self, at: usize) -> Option<Found> {
        self.plain(at, &Lead { role: Role::Until, word: "until", at })
    }

    /// What only the end of its range makes a time: a bare year (`2017 to spring 2025`), a season whose year the end names
    /// (`spring to autumn 2021`).
    fn begun(&self, at: usize, lead: &Lead) -> Option<Found> {
        let word = self.tokens.word(at);
        let (year, months) = (year(word).filter(|_| !self.numbered(at)), season(word));
        if year.is_none() && months.is_none() {
            return None;
        }
        let (last, _) = self.end_of_range(at + 1, lead)?;
        let (ends, _) = last.when.resolve(None).filter(|_| last.rule != Rule::Year)?;
        if let Some(year) = year {
            let year = PartialDate::y(year)?;
            return Some(Found { when: When::dates(year, year)?, rule: Rule::Year, used: 1 });
        }
        let months = months.filter(|_| last.rule == Rule::Season)?;
        let before = i16::from(Some(months.0) > ends.month());
        months_of(ends.year().checked_sub(before)?, months, Rule::Season, 1)
    }

    /// How many tokens link token `at - 1` with the end of a range: `–` none, `to` one.
    pub(super) fn link(&self, at: usize, lead: &Lead) -> Option<usize> {
        if at == 0 || at >= self.tokens.len() {
            return None;
        }
        let gap = self.tokens.gap(at);
        if matches!(gap.trim(), "-" | "–") || gap == "—" {
            return Some(0);
        }
        let word = self.tokens.word(at);
        let links = if lead.word == "between" {
            word == "and"
        } else {
            matches!(word, "to" | "until" | "till" | "through" | "thru")
        };
        (links && self.tokens.joined(at) && self.tokens.led(at + 1)).then_some(1)
    }

    /// The words at token `at` that lead to what follows them.
    fn lead(&self, at: usize) -> Option<(Lead, usize)> {
        LEADS.iter().find_map(|(words, word, role)| {
            if !words.iter().enumerate().all(|(by, word)| self.tokens.word(at + by) == *word) {
                return None;
            }
            let used = words.len();
            let joined = (1..used).all(|by| self.tokens.joined(at + by)) && self.leads(at + used, words);
            joined.then_some((Lead { role: *role, word, at }, used))
        })
    }

    /// `due: 2024-03-12` leads as `due 2024-03-12` does.
    fn leads(&self, at: usize, words: &[&str]) -> bool {
        self.tokens.led(at)
            || (matches!(words, ["year" | "due" | "deadline"]) && matches!(self.tokens.gap(at), ": " | ":: " | ":"))
    }

    /// Words between a lead and its time that change neither: `since about 2019`, `in the year 2019`.
    fn fillers(&self, at: usize) -> usize {
        (at..at + 3)
            .take_while(|at| {
                let fills = matches!(
                    self.tokens.word(*at),
                    "the" | "about" | "around" | "roughly" | "approximately" | "circa" | "year" | "sometime"
                );
                fills && self.tokens.led(at + 1)
            })
            .count()
    }

    fn time(&self, lead: usize, from: usize, to: usize, when: When, role: Role, rule: Rule) -> Option<Time> {
        let words: Range<usize> = self.tokens.range(from, to)?;
        let phrase = self.tokens.range(lead, to)?;
        Some(Time { words, phrase, when, role, rule })
    }
}
