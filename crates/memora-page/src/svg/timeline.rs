//! The timeline of a name: a lane for each relation, a bar from when something holds until it ends.
//!
//! An end that is not known fades. What is of one day is a dot, with its words beside it. The picture is as wide as it is drawn, and
//! scales.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::shorten;

/// The most bars that are drawn; the table has all.
const BARS_MAX: usize = 60;

/// In units of the picture.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 150.0;
const ROW: f64 = 24.0;
const TOP: f64 = 30.0;
const BAR_MIN: f64 = 5.0;
/// What is shorter is a dot.
const DOT_MAX: f64 = 12.0;
/// The width of a letter of a label.
const LETTER: f64 = 5.4;

/// What is of a time.
pub(crate) struct Entry {
    /// What it says of the name: a relation, or a verb.
    pub(crate) lane: String,
    pub(crate) words: String,
    /// Whether it is a field of a note: those stand last.
    pub(crate) is_property: bool,
    /// A year, a month or a day, where known.
    pub(crate) from: Option<String>,
    pub(crate) until: Option<String>,
    pub(crate) status: String,
    pub(crate) place: String,
    pub(crate) address: String,
    pub(crate) why: String,
}

impl Entry {
    /// When, in words.
    pub(crate) fn days(&self) -> String {
        match (&self.from, &self.until) {
            (Some(from), Some(until)) if from == until => from.clone(),
            (Some(from), Some(until)) => format!("{from} to {until}"),
            (Some(from), None) => format!("from {from}"),
            (None, Some(until)) => format!("until {until}"),
            (None, None) => String::new(),
        }
    }
}

/// A bar, or a dot.
#[derive(Debug, PartialEq)]
pub(crate) struct Bar {
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) width: String,
    /// `bar` or `dot`, with what is open or over.
    pub(crate) class: String,
    /// Whether it is of so short a time that it is a dot.
    pub(crate) is_dot: bool,
    /// The height of its middle.
    pub(crate) middle: String,
    /// Which end of the label stands at it.
    pub(crate) anchor: &'static str,
    /// What is written on it, as far as it fits.
    pub(crate) label: String,
    pub(crate) label_x: String,
    pub(crate) label_y: String,
    /// The entry, from 0.
    pub(crate) entry: usize,
}

/// A line of a year or a month, with its name.
#[derive(Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) x: String,
    pub(crate) name: String,
}

/// A lane.
#[derive(Debug, PartialEq)]
pub(crate) struct Lane {
    pub(crate) y: String,
    pub(crate) line: String,
    pub(crate) name: String,
}

/// The picture, and the entries in the order of time.
pub(crate) struct Timeline {
    pub(crate) entries: Vec<Entry>,
    pub(crate) bars: Vec<Bar>,
    pub(crate) ticks: Vec<Tick>,
    pub(crate) lanes: Vec<Lane>,
    pub(crate) height: String,
    pub(crate) bottom: String,
    /// Where the current day is.
    pub(crate) today: Option<String>,
}

impl Timeline {
    /// The size of the picture, as SVG has it.
    pub(crate) fn view_box(&self) -> String {
        format!("0 0 {WIDTH} {}", self.height)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bars.is_empty()
    }

    /// The address of a bar's entry.
    pub(crate) fn address(&self, bar: &Bar) -> &str {
        self.entries.get(bar.entry).map_or("", |entry| &entry.address)
    }

    /// What is read of a bar.
    pub(crate) fn title(&self, bar: &Bar) -> String {
        self.entries.get(bar.entry).map_or_else(String::new, |entry| {
            let mut title = format!("{}: {}", entry.days(), entry.words);
            if !entry.status.is_empty() && entry.status != "current" {
                let _ = write!(title, " ({})", entry.status);
            }
            title
        })
    }
}

/// A point of time, in years; of a year or a month its beginning or its end.
fn point(date: &str, at_end: bool) -> Option<f64> {
    let mut parts = date.split('-');
    let year: f64 = parts.next()?.parse().ok()?;
    let month: Option<f64> = parts.next().map(str::parse).transpose().ok()?;
    let day: Option<f64> = parts.next().map(str::parse).transpose().ok()?;
    let end = f64::from(u8::from(at_end));
    Some(match (month, day) {
        (None, _) => year + end,
        (Some(month), None) => year + (month - 1.0 + end) / 12.0,
        (Some(month), Some(day)) => year + (month - 1.0) / 12.0 + (day - 1.0 + end) / 372.0,
    })
}

/// An entry in the picture.
struct Placed<'e> {
    entry: usize,
    lane: &'e str,
    row: usize,
    begins: f64,
    ends: f64,
    class: String,
    is_dot: bool,
    label: String,
    anchor: &'static str,
}

/// Where times stand in the picture.
struct Axis {
    first: f64,
    last: f64,
}

impl Axis {
    /// From the first point to the last, or to the current day, with some room for ends that are open.
    fn of(points: impl Iterator<Item = f64>, today: Option<f64>) -> Option<Self> {
        let (first, last) = points.fold((f64::MAX, f64::MIN), |(first, last), at| (first.min(at), last.max(at)));
        if first > last {
            return None;
        }
        let last = today.map_or(last, |today| last.max(today));
        let room = ((last - first) * 0.06).max(1.0 / 24.0);
        Some(Self { first: first - room, last: last + room })
    }

    fn x(&self, at: f64) -> f64 {
        LEFT + (at - self.first) / (self.last - self.first) * (WIDTH - LEFT)
    }
}

/// Draws the timeline of entries up to the current day.
pub(crate) fn draw_timeline(entries: Vec<Entry>, today: &str) -> Timeline {
    let spans: Vec<(usize, Option<f64>, Option<f64>)> = entries
        .iter()
        .enumerate()
        .map(|(at, entry)| {
            let point = |date: &Option<String>, end| date.as_deref().and_then(|date| point(date, end));
            (at, point(&entry.from, false), point(&entry.until, true))
        })
        .filter(|(_, from, until)| from.or(*until).is_some())
        .take(BARS_MAX)
        .collect();
    let today = point(today, false);
    let Some(axis) = Axis::of(spans.iter().flat_map(|(_, from, until)| [*from, *until]).flatten(), today) else {
        let (bars, ticks, lanes) = (Vec::new(), Vec::new(), Vec::new());
        return Timeline { entries, bars, ticks, lanes, height: "0".to_owned(), bottom: "0".to_owned(), today: None };
    };
    let (order, rows, placed) = place(&entries, &spans, &axis);
    let mut tops: BTreeMap<&str, f64> = BTreeMap::new();
    let mut lanes = Vec::new();
    let mut y = TOP;
    for name in order {
        tops.insert(name, y);
        lanes.push(Lane { y: figure(y + 14.0), line: figure(y - 2.0), name: shorten(name, 22) });
        y += ROW * rows.get(name).map_or(1, Vec::len) as f64 + 6.0;
    }
    let bars = placed.into_iter().map(|placed| {
        let top = tops.get(placed.lane).copied().unwrap_or(TOP) + ROW * placed.row as f64 + 3.0;
        draw(placed, top)
    });
    let bars = bars.collect();
    let ticks = ticks(axis.first, axis.last).into_iter().map(|(at, name)| Tick { x: figure(axis.x(at)), name });
    let ticks = ticks.collect();
    let today = today.map(|today| figure(axis.x(today)));
    Timeline { bars, ticks, lanes, height: figure(y + 16.0), bottom: figure(y), today, entries }
}

/// The lanes in their order, the ends of their rows, and what stands in them.
type Places<'e> = (Vec<&'e str>, BTreeMap<&'e str, Vec<f64>>, Vec<Placed<'e>>);

/// A lane for each relation, in the order in which they begin, those of fields last; what overlaps in one stands below.
fn place<'e>(entries: &'e [Entry], spans: &[(usize, Option<f64>, Option<f64>)], axis: &Axis) -> Places<'e> {
    let mut order: Vec<&str> = Vec::new();
    let mut rows: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut placed: Vec<Placed<'_>> = Vec::new();
    let is_property =
        |(at, ..): &&(usize, Option<f64>, Option<f64>)| entries.get(*at).is_some_and(|one| one.is_property);
    let said = spans.iter().filter(|span| !is_property(span));
    for (at, from, until) in said.chain(spans.iter().filter(is_property)) {
        let Some(entry) = entries.get(*at) else { continue };
        let (begins, ends) = (axis.x(from.unwrap_or(axis.first)), axis.x(until.unwrap_or(axis.last)));
        let is_dot = from.is_some() && until.is_some() && ends - begins < DOT_MAX;
        let (label, anchor) = match is_dot {
            true => dot_label(&entry.words, (begins + ends) / 2.0),
            false => (fitting(&entry.words, ends - begins), "start"),
        };
        // What is written beside a dot takes its room.
        let beside = if is_dot { label.chars().count() as f64 * LETTER + 16.0 } else { 0.0 };
        let (taken_from, taken_until) = match anchor {
            "end" => (begins - beside, ends + 6.0),
            _ => (begins, ends.max(begins + BAR_MIN + 1.5) + beside),
        };
        if !order.contains(&entry.lane.as_str()) {
            order.push(&entry.lane);
        }
        let free = rows.entry(&entry.lane).or_default();
        let row = free.iter().position(|until| *until <= taken_from + 0.5).unwrap_or(free.len());
        if row == free.len() {
            free.push(taken_until);
        } else if let Some(until) = free.get_mut(row) {
            *until = taken_until;
        }
        let class = class(entry, is_dot, from.is_none(), until.is_none());
        placed.push(Placed { entry: *at, lane: &entry.lane, row, begins, ends, class, is_dot, label, anchor });
    }
    (order, rows, placed)
}

fn class(entry: &Entry, is_dot: bool, is_open_from: bool, is_open_until: bool) -> String {
    let mut class = if is_dot { "dot" } else { "bar" }.to_owned();
    if is_open_from {
        class.push_str(" open-from");
    }
    if is_open_until {
        class.push_str(" open-until");
    }
    if !matches!(entry.status.as_str(), "" | "current") {
        class.push_str(" over");
    }
    class
}

fn draw(placed: Placed<'_>, top: f64) -> Bar {
    let Placed { entry, begins, ends, class, is_dot, label, anchor, .. } = placed;
    let middle = (begins + ends) / 2.0;
    let label_x = match (is_dot, anchor) {
        (true, "end") => middle - 9.0,
        (true, _) => middle + 9.0,
        (false, _) => begins + 5.0,
    };
    Bar {
        x: figure(if is_dot { middle } else { begins }),
        y: figure(top),
        middle: figure(top + 7.0),
        label,
        label_x: figure(label_x),
        label_y: figure(top + 10.8),
        // A gap between what ends and what follows.
        width: figure((ends - begins - 1.5).max(BAR_MIN)),
        class,
        is_dot,
        anchor,
        entry,
    }
}

/// What is written beside a dot, on the side that has room.
fn dot_label(words: &str, at: f64) -> (String, &'static str) {
    let room = |width: f64| ((width - 12.0) / LETTER).max(0.0) as usize;
    let (right, left) = (room(WIDTH - at), room(at - LEFT));
    let (most, anchor) = if right >= left || right >= 24 { (right, "start") } else { (left, "end") };
    (shorten(words, most.min(40)), anchor)
}

/// The years between two points, or, of less than two years, the quarters.
fn ticks(first: f64, last: f64) -> Vec<(f64, String)> {
    if last - first < 2.0 {
        let quarters = (first * 4.0).ceil() as i64..=(last * 4.0).floor() as i64;
        let name = |quarter: i64| format!("{}-{:02}", quarter.div_euclid(4), quarter.rem_euclid(4) * 3 + 1);
        return quarters.map(|quarter| (quarter as f64 / 4.0, name(quarter))).collect();
    }
    let step = [1, 2, 5, 10, 20, 50, 100, 1000].into_iter().find(|step| (last - first) / f64::from(*step) <= 9.0);
    let step = i64::from(step.unwrap_or(1000));
    let years = (first.ceil() as i64..=last.floor() as i64).filter(|year| year.rem_euclid(step) == 0);
    years.map(|year| (year as f64, year.to_string())).collect()
}

/// As much of a label as fits on a bar, if it says something; an end that fades carries none.
fn fitting(label: &str, width: f64) -> String {
    let room = ((width * 0.8 - 8.0) / 6.2).max(0.0) as usize;
    if room < 3 { String::new() } else { shorten(label, room.min(48)) }
}

fn figure(number: f64) -> String {
    format!("{number:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(lane: &str, from: Option<&str>, until: Option<&str>, status: &str) -> Entry {
        Entry {
            lane: lane.to_owned(),
            words: "words".to_owned(),
            is_property: lane == "created",
            from: from.map(str::to_owned),
            until: until.map(str::to_owned),
            status: status.to_owned(),
            place: String::new(),
            address: "/a".to_owned(),
            why: String::new(),
        }
    }

    #[test]
    fn bars_stand_where_they_hold_and_open_ends_fade() {
        let drawn = draw_timeline(
            vec![
                entry("uses language", Some("2020"), Some("2022-06"), "superseded"),
                entry("uses language", Some("2022-07"), None, "current"),
                entry("works at", None, Some("2021-03-04"), ""),
                entry("likes", None, None, ""),
                entry("created", Some("2019-03-01"), Some("2019-03-01"), ""),
            ],
            "2022-12-31",
        );
        let classes: Vec<&str> = drawn.bars.iter().map(|bar| bar.class.as_str()).collect();
        assert_eq!(classes, ["bar over", "bar open-until", "bar open-from", "dot"], "what has no time is not drawn");
        assert_eq!(
            drawn.lanes.iter().map(|lane| lane.name.as_str()).collect::<Vec<_>>(),
            ["uses language", "works at", "created"],
            "fields of notes stand last"
        );
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let (first, second) = (&drawn.bars[0], &drawn.bars[1]);
        assert!(number(&first.x) + number(&first.width) <= number(&second.x), "one ends as the next begins");
        assert_eq!(first.y, second.y, "and they share a row");
        assert_eq!((first.label.as_str(), drawn.bars[2].class.as_str()), ("words", "bar open-from"));
        let today = number(drawn.today.as_deref().expect("a day"));
        assert!(number(&second.x) < today && today < WIDTH);
        assert!((number(&second.x) + number(&second.width) - WIDTH).abs() < 2.0, "the open end reaches the edge");
        let names: Vec<&str> = drawn.ticks.iter().map(|tick| tick.name.as_str()).collect();
        assert_eq!(names, ["2019", "2020", "2021", "2022", "2023"]);
        assert_eq!(drawn.title(first), "2020 to 2022-06: words (superseded)");
    }

    #[test]
    fn nothing_of_a_time_is_no_picture() {
        assert!(draw_timeline(vec![entry("likes", None, None, "")], "2024-01-01").is_empty());
        assert!(draw_timeline(vec![entry("likes", Some("soon"), None, "")], "2024-01-01").is_empty());
    }

    #[test]
    fn one_day_is_a_dot_with_its_words_and_what_overlaps_stands_below() {
        let day = || entry("met", Some("2024-05-03"), Some("2024-05-03"), "");
        let drawn = draw_timeline(vec![day(), day()], "2025-05-03");
        assert!(drawn.bars.iter().all(|bar| bar.is_dot && bar.label == "words"));
        assert_ne!(drawn.bars[0].y, drawn.bars[1].y);
        let alone = draw_timeline(vec![day()], "2024-05-04");
        assert!(alone.bars[0].is_dot || alone.bars[0].class == "bar", "a day alone is as wide as its picture");
    }
}
