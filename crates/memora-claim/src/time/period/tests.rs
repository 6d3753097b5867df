//! Places as people make them, and the days that they are of.

use super::*;

struct Note<'a> {
    path: &'a str,
    outline: &'a [&'a str],
    date: &'a str,
    weekly: bool,
}

const NOTE: Note<'_> = Note { path: "note.md", outline: &[], date: "", weekly: false };

fn days(note: &Note<'_>, headings: &[&str]) -> String {
    let own = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let (outline, headings) = (own(note.outline), own(headings));
    let date = PartialDate::parse(note.date);
    let place = DateContext { path: note.path, outline: &outline, headings: &headings, date, weekly: note.weekly };
    match find_period(&place) {
        Some(period) if period.is_day() => period.from().to_string(),
        Some(period) => format!("{}..{}", period.from(), period.until()),
        None => String::new(),
    }
}

#[track_caller]
fn check(path: &str, expect: &str) {
    assert_eq!(days(&Note { path, ..NOTE }, &[]), expect, "{path}");
}

#[track_caller]
fn check_headings(path: &str, headings: &[&str], expect: &str) {
    assert_eq!(days(&Note { path, ..NOTE }, headings), expect, "{path} {headings:?}");
}

#[test]
fn a_note_is_of_the_days_that_its_name_says() {
    check("2023-04-09.md", "2023-04-09");
    check("20230409.md", "2023-04-09");
    check("202304091530 zettel.md", "2023-04-09");
    check("2024-02-01_2305.md", "2024-02-01");
    check("_posts/2024-02-01-a-day.md", "2024-02-01");
    check("sessions/2023-04-27_a_session.md", "2023-04-27");
    check("Meeting 2022-03-29.md", "2022-03-29");
    check("24 July 2019.md", "2019-07-24");
    check("12.03.2024.md", "2024-03-12");
    check("2018-july.md", "2018-07-01..2018-07-31");
    check("July-2021-Review.md", "2021-07-01..2021-07-31");
    check("Rückblick März 2021.md", "2021-03-01..2021-03-31");
    check("2021-06 review.md", "2021-06-01..2021-06-30");
    check("2023-W14.md", "2023-04-03..2023-04-09");
    check("Weekly/2021-W52.md", "2021-12-27..2022-01-02");
    check("2023 Week 14.md", "2023-04-03..2023-04-09");
    check("2024-32.md", "2024-08-05..2024-08-11");
    check("2021-Q3.md", "2021-07-01..2021-09-30");
    check("Summer 2019.md", "2019-06-01..2019-08-31");
    check("2022.md", "2022-01-01..2022-12-31");
    check("2021 in review.md", "2021-01-01..2021-12-31");
    check("2021-03-01 to 2021-03-07.md", "2021-03-01..2021-03-07");
}

#[test]
fn folders_give_what_a_name_leaves_out() {
    check("Journal/2024/03/12.md", "2024-03-12");
    check("2024/03-March/12 Tuesday.md", "2024-03-12");
    check("2018/july.md", "2018-07-01..2018-07-31");
    check("2024/03/a walk.md", "2024-03-01..2024-03-31");
    check("2024/W14.md", "2024-04-01..2024-04-07");
    check("03/12.md", "");
}

#[test]
fn what_is_no_time_is_none() {
    for path in [
        "note.md",
        "2024 Appearances.md",
        "Best Podcasts of 2022.md",
        "Area 51.md",
        "may.md",
        "a/12.md",
        "version 1.2.3.md",
        "99999999.md",
    ] {
        check(path, "");
    }
}

#[test]
fn a_heading_counts_before_the_note() {
    check_headings("2022.md", &["### June 29th"], "2022-06-29");
    check_headings("2022.md", &["June", "29"], "2022-06-29");
    check_headings("2018-july.md", &["**24 July 2018**", "Work"], "2018-07-24");
    check_headings("2018-july.md", &["June 30th"], "2018-06-30");
    check_headings("2018-july.md", &["12th"], "2018-07-12");
    check_headings("2018-july.md", &["Monday 9th"], "2018-07-09");
    check_headings("2018-july.md", &["07-12"], "2018-07-12");
    check_headings("note.md", &["2021-03-04"], "2021-03-04");
    check_headings("note.md", &["[[2021-07-11]]"], "2021-07-11");
    check_headings("note.md", &["📅 2023-04-27 — Session: Fixed the build"], "2023-04-27");
    check_headings("note.md", &["Tuesday, March 12th 2024"], "2024-03-12");
    check_headings("note.md", &["19. 2. 2025"], "2025-02-19");
    check_headings("note.md", &["A talk in Porto, 4 March 2021"], "2021-03-04");
    check_headings("note.md", &["2010 (age 15)"], "2010-01-01..2010-12-31");
    check_headings("note.md", &["2020", "March", "Aug 5th"], "2020-08-05");
    check_headings("note.md", &["August 2019 - Journal", "3rd"], "2019-08-03");
    check_headings("note.md", &["Semana 2021-10-25"], "2021-10-25..2021-10-31");
    check_headings("note.md", &["Week 14, 2022"], "2022-04-04..2022-04-10");
    check_headings("2022.md", &["Week 14", "Thursday"], "2022-04-07");
}

#[test]
fn weekdays_are_days_of_a_week() {
    check_headings("2023-W14.md", &["THURSDAY"], "2023-04-06");
    check_headings("2023-W14.md", &["...on Monday"], "2023-04-03");
    check_headings("2023-W14.md", &["Freitag"], "2023-04-07");
    check_headings("2023-W14.md", &["Friday night thoughts"], "2023-04-03..2023-04-09");
    check_headings("note.md", &["Thursday"], "");
    check_headings("2018-july.md", &["Thursday"], "2018-07-01..2018-07-31");
}

#[test]
fn what_is_no_date_heading_changes_nothing() {
    for heading in [
        "Maybe Open",
        "The paas market",
        "2019 conference",
        "Week 2 — Real Patterns",
        "3. Why",
        "Phase 5: Forms",
        "2024",
        "July 2021",
    ] {
        check_headings("2023-04-09.md", &[heading], "2023-04-09");
    }
    for heading in ["March", "June 29th", "Week 3", "12", "Monday", "1. Intro", "2019 conference", "version 2.10"] {
        check_headings("note.md", &[heading], "");
    }
}

#[test]
fn a_property_gives_a_year_and_days_but_not_against_the_name() {
    let dated = |path, date, headings: &[&str]| days(&Note { path, date, ..NOTE }, headings);
    assert_eq!(dated("DWeb Camp.md", "2023-08-07", &["Aug 5th"]), "2023-08-05");
    assert_eq!(dated("Camp.md", "2023-01-02", &["Dec 30th"]), "2022-12-30");
    assert_eq!(dated("2021-june.md", "2021-07-01", &[]), "2021-06-01..2021-06-30");
    assert_eq!(dated("2024/rome.md", "2024-05-03", &[]), "2024-05-03");
    assert_eq!(dated("2024/rome.md", "2025-01-03", &[]), "2024-01-01..2024-12-31");
    assert_eq!(dated("rome.md", "2024-05", &[]), "2024-05-01..2024-05-31");
    assert_eq!(dated("life.md", "2024-05-03", &["2010 (age 15)"]), "2010-01-01..2010-12-31");
    assert_eq!(dated("life.md", "2024-05-03", &["July 2021", "3rd"]), "2021-07-03");
    assert_eq!(dated("course.md", "2024-05-03", &["Week 3"]), "2024-05-03");
}

#[test]
fn a_number_that_may_be_a_month_is_a_week_where_the_note_says_so() {
    let (month, week) = ("2024-06-01..2024-06-30", "2024-02-05..2024-02-11");
    let of = |note: Note<'_>| days(&note, &[]);
    assert_eq!(of(Note { path: "2024-06.md", ..NOTE }), month);
    assert_eq!(of(Note { path: "weeknotes/2024-06.md", ..NOTE }), week);
    assert_eq!(of(Note { path: "a/2024-06.md", outline: &["Weeknotes 06", "I slept"], ..NOTE }), week);
    assert_eq!(of(Note { path: "a/2024-06.md", outline: &["Week 6", "Week 7"], ..NOTE }), month);
    assert_eq!(of(Note { path: "a/2024-06.md", outline: &["Week 1", "Week 2"], ..NOTE }), month);
    assert_eq!(of(Note { path: "a/2024-06.md", date: "2024-02-11", ..NOTE }), week);
    assert_eq!(of(Note { path: "a/2024-06.md", date: "2024-07-01", ..NOTE }), month);
    assert_eq!(of(Note { path: "a/2024-06.md", date: "2024-02", ..NOTE }), week);
    assert_eq!(of(Note { path: "a/2024-06.md", date: "2024-06", ..NOTE }), month);
    assert_eq!(of(Note { path: "a/2024-06.md", weekly: true, ..NOTE }), week);
    assert_eq!(of(Note { path: "monthly/2024-06.md", weekly: true, ..NOTE }), month);
    assert_eq!(days(&Note { path: "weeknotes/2024-06.md", ..NOTE }, &["TUESDAY"]), "2024-02-06");
}

#[test]
fn a_week_belongs_to_the_month_of_its_thursday() {
    let period = |from: &str, until: &str| {
        Period::from_dates(PartialDate::parse(from).expect("a date"), PartialDate::parse(until).expect("a date"))
            .expect("in order")
    };
    let (september, august) = (period("2022-09", "2022-09"), period("2022-08", "2022-08"));
    let week = period("2022-08-29", "2022-09-04");
    assert!(week.is_mostly_in(period("2022-08-29", "2022-09-01")));
    assert!(week.is_mostly_in(september) && !week.is_mostly_in(august));
    assert!(!september.is_mostly_in(period("2022-09-03", "2022-09-03")));
    assert!(
        Period::from_dates(
            PartialDate::parse("2022-02").expect("a date"),
            PartialDate::parse("2022-01").expect("a date")
        )
        .is_none()
    );
}

proptest::proptest! {
    #[test]
    fn any_place_has_days_or_none(
        path in "\\PC{0,30}|(20[0-9]{2}|[-/ .]|W[0-9]{1,2}|march|week|[0-9]{1,8}){0,8}",
        heading in "\\PC{0,30}|(20[0-9]{2}|[-/ .]|W[0-9]{1,2}|march|week|[0-9]{1,8}|friday){0,8}",
        date in "(0001|9999|2024)(-(02-29|12-31|01-01|12))?",
    ) {
        for path in [path.as_str(), "2024.md", "2024-W01.md", "9999.md"] {
            let _ = days(&Note { path, date: &date, outline: &[&heading], weekly: true }, &[&heading, &heading]);
        }
    }
}
