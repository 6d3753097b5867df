//! What a temporal expression in a text is: its words, its meaning, its role, and the rule that read it.

use std::ops::Range;

use strum::{Display, IntoStaticStr};

use super::time_expr::TimeExpr;

/// A temporal expression in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeMention {
    /// The expression, in bytes of the text: `March 2024`.
    pub words: Range<usize>,
    /// The expression with its preposition: `since March 2024`; contains `words`.
    pub phrase: Range<usize>,
    /// The meaning of the expression.
    pub when: TimeExpr,
    /// The role of the time in its clause.
    pub role: TimeRole,
    /// The rule that read it.
    pub rule: TimeRule,
}

/// How a time stands to what its clause says.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Hash)]
#[strum(serialize_all = "snake_case")]
pub enum TimeRole {
    /// The event happened, or the state held, at that time: `in 2020`, `yesterday`.
    At,
    /// It holds from the first day of that time: `since 2020`, `from 2019 [to 2022]`, `as of March`.
    Since,
    /// It holds until the last day of that time: `until March`, `[from 2019] to 2022`.
    Until,
    /// It is due then; no validity follows: `by Friday`.
    Due,
    /// Some time before it.
    Before,
    /// Some time after it.
    After,
    /// It is only mentioned and does not say when something holds: the year of a publication (`Dune (1965)`), and the
    /// days between which something is rescheduled (`from 1 April to 15 April`).
    Mentioned,
}

/// Which rule read a time expression.
#[derive(Clone, Copy, Debug, IntoStaticStr, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[strum(serialize_all = "snake_case")]
pub enum TimeRule {
    /// `three days ago`, `a few weeks ago`, `two weekends ago`.
    Ago,
    /// `in three days`, `two weeks from now`.
    Ahead,
    /// `on the 15th`.
    DayOfMonth,
    /// `yesterday`, `tonight`, `this morning`, `the day after tomorrow`.
    DayName,
    /// `the 1990s`.
    Decade,
    /// `H1 2024`, `the first half of 2024`.
    HalfYear,
    /// `2024-03-12`, `2024-03`, `2024-W12`.
    Iso,
    /// `have … for two years`: its beginning.
    Lasting,
    /// `in June`, without a year.
    Month,
    /// `12.03.2024`, `25/03/2024`.
    Numeric,
    /// `early 2022`, `mid-March 2024`, `the end of 2024`.
    Part,
    /// `last week`, `this month`, `next year`, `the week of 11 May 2026`.
    Period,
    /// `Q3 2024`, `in Q3`.
    Quarter,
    /// `spring 2024`, `last summer`.
    Season,
    /// `the last three months`, `the past week`.
    Stretch,
    /// `last Friday`, `on Friday`.
    Weekday,
    /// `last weekend`, `over the weekend`.
    Weekend,
    /// `12 March 2024`, `March 12`, `March 2024`.
    Written,
    /// `in 2024`.
    Year,
}
