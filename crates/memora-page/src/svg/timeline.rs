//! The timeline of a name: a lane for each relation, a bar from when something holds until it ends.
//!
//! An end that is not known fades. What holds on one day only is a bar of the least width. The picture is as wide as it is drawn, and
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

/// What is of a time.
pub(crate) struct Entry {
    /// What it says of the name: a relation, or a verb.
    pub(crate) lane: String,
    pub(crate) words: String,
    /// What it is of the lane, in a word or two: the value.
    pub(crate) label: String,
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

/// A bar.
#[derive(Debug, PartialEq)]
pub(crate) struct Bar {
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) width: String,
    /// `bar`, with what is open or over.
    pub(crate) class: String,
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

/// Draws the timeline of entries.
pub(crate) fn draw_timeline(entries: Vec<Entry>) -> Timeline {
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
    let points = spans.iter().flat_map(|(_, from, until)| [*from, *until]).flatten();
    let (first, last) = points.fold((f64::MAX, f64::MIN), |(first, last), at| (first.min(at), last.max(at)));
    if first > last {
        let (bars, ticks, lanes) = (Vec::new(), Vec::new(), Vec::new());
        return Timeline { entries, bars, ticks, lanes, height: "0".to_owned(), bottom: "0".to_owned() };
    }
    // Some room for ends that are open.
    let room = ((last - first) * 0.06).max(1.0 / 24.0);
    let (first, last) = (first - room, last + room);
    let x = |at: f64| LEFT + (at - first) / (last - first) * (WIDTH - LEFT);

    // A lane for each relation, in the order in which they begin; what overlaps in it stands below.
    let mut order: Vec<&str> = Vec::new();
    let mut rows: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut placed: Vec<(usize, &str, usize, f64, f64, String)> = Vec::new();
    for (at, from, until) in &spans {
        let Some(entry) = entries.get(*at) else { continue };
        let (begins, ends) = (x(from.unwrap_or(first)), x(until.unwrap_or(last)));
        let ends = ends.max(begins + BAR_MIN + 1.5);
        if !order.contains(&entry.lane.as_str()) {
            order.push(&entry.lane);
        }
        let free = rows.entry(&entry.lane).or_default();
        let row = free.iter().position(|until| *until <= begins + 0.5).unwrap_or(free.len());
        if row == free.len() {
            free.push(ends);
        } else if let Some(until) = free.get_mut(row) {
            *until = ends;
        }
        let mut class = "bar".to_owned();
        if from.is_none() {
            class.push_str(" open-from");
        }
        if until.is_none() {
            class.push_str(" open-until");
        }
        if !matches!(entry.status.as_str(), "" | "current") {
            class.push_str(" over");
        }
        placed.push((*at, &entry.lane, row, begins, ends, class));
    }
    let mut tops: BTreeMap<&str, f64> = BTreeMap::new();
    let mut lanes = Vec::new();
    let mut y = TOP;
    for name in order {
        tops.insert(name, y);
        lanes.push(Lane { y: figure(y + 14.0), line: figure(y - 2.0), name: shorten(name, 22) });
        y += ROW * rows.get(name).map_or(1, Vec::len) as f64 + 6.0;
    }
    let y_of = |lane: &str, row: usize| tops.get(lane).copied().unwrap_or(TOP) + ROW * row as f64 + 3.0;
    let bars = placed.into_iter().map(|(entry, lane, row, begins, ends, class)| Bar {
        x: figure(begins),
        y: figure(y_of(lane, row)),
        label: fitting(entries.get(entry).map_or("", |entry| &entry.label), ends - begins),
        label_x: figure(begins + 5.0),
        label_y: figure(y_of(lane, row) + 10.8),
        // A gap between what ends and what follows.
        width: figure((ends - begins - 1.5).max(BAR_MIN)),
        class,
        entry,
    });
    let bars = bars.collect();
    let ticks = ticks(first, last).into_iter().map(|(at, name)| Tick { x: figure(x(at)), name }).collect();
    Timeline { bars, ticks, lanes, height: figure(y + 4.0), bottom: figure(y), entries }
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
            label: "Rust".to_owned(),
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
        let drawn = draw_timeline(vec![
            entry("uses language", Some("2020"), Some("2022-06"), "superseded"),
            entry("uses language", Some("2022-07"), None, "current"),
            entry("works at", None, Some("2021-03-04"), ""),
            entry("likes", None, None, ""),
        ]);
        let classes: Vec<&str> = drawn.bars.iter().map(|bar| bar.class.as_str()).collect();
        assert_eq!(classes, ["bar over", "bar open-until", "bar open-from"], "what has no time is not drawn");
        assert_eq!(
            drawn.lanes.iter().map(|lane| lane.name.as_str()).collect::<Vec<_>>(),
            ["uses language", "works at"]
        );
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let (first, second) = (&drawn.bars[0], &drawn.bars[1]);
        assert!(number(&first.x) + number(&first.width) <= number(&second.x), "one ends as the next begins");
        assert_eq!(first.y, second.y, "and they share a row");
        assert_eq!((first.label.as_str(), drawn.bars[2].class.as_str()), ("Rust", "bar open-from"));
        assert!((number(&second.x) + number(&second.width) - WIDTH).abs() < 2.0, "the open end reaches the edge");
        let names: Vec<&str> = drawn.ticks.iter().map(|tick| tick.name.as_str()).collect();
        assert_eq!(names, ["2020", "2021", "2022"]);
        assert_eq!(drawn.title(first), "2020 to 2022-06: words (superseded)");
    }

    #[test]
    fn nothing_of_a_time_is_no_picture() {
        assert!(draw_timeline(vec![entry("likes", None, None, "")]).is_empty());
        assert!(draw_timeline(vec![entry("likes", Some("soon"), None, "")]).is_empty());
    }

    #[test]
    fn one_day_is_seen_and_what_overlaps_stands_below() {
        let day = || entry("met", Some("2024-05-03"), Some("2024-05-03"), "");
        let drawn = draw_timeline(vec![day(), day()]);
        assert!(drawn.bars.iter().all(|bar| bar.width.parse::<f64>().is_ok_and(|width| width >= BAR_MIN)));
        assert_ne!(drawn.bars[0].y, drawn.bars[1].y);
    }
}
